#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace tilewright::app {

/// Place of a view: as a tab in the centre, or in a panel at a side.
enum class Place { Centre, Left, Right, Bottom };
inline constexpr Place kPlaces[] = {Place::Centre, Place::Left, Place::Right, Place::Bottom};

/// A mode of the window and its initial views. User changes are kept per mode.
struct Mode {
    char const *id;
    char const *title; ///< QT_TRANSLATE_NOOP("modes", …)
    char const *tip;   ///< the same
    char const *icon;
    QStringList centre, left, right; ///< ids of views; the first of each is in front
    bool largeType = false;          ///< for presentations; shows only views
};

/// Build, Train, Analyse, Present.
std::vector<Mode> const &modes();
/// Null: unknown mode.
Mode const *findMode(QString const &id);
/// Views of the bottom panel in every mode, unless the mode has them elsewhere.
QStringList bottomViews();

QString placeName(Place place); ///< "centre", …: in settings
Place placeFrom(QString const &name, Place otherwise);

} // namespace tilewright::app
