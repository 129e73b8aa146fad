#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace tilewright::app {

/// Where a view stands: as a tab in the middle, or in a panel at a side.
enum class Place { Centre, Left, Right, Bottom };
inline constexpr Place kPlaces[] = {Place::Centre, Place::Left, Place::Right, Place::Bottom};

/// A part of the day's work and the views it begins with. What a person changes of them is kept per mode.
struct Mode {
    char const *id;
    char const *title; ///< QT_TRANSLATE_NOOP("modes", …)
    char const *tip;   ///< the same
    char const *icon;
    QStringList centre, left, right; ///< ids of views; the first of each stands in front
    bool largeType = false;          ///< for those who look from afar; nothing but the views is shown
};

/// Build, Train, Analyse, Present.
std::vector<Mode> const &modes();
/// Null: there is no such mode.
Mode const *findMode(QString const &id);
/// Views of the panel below, in every mode but for those a mode has elsewhere.
QStringList bottomViews();

QString placeName(Place place); ///< "centre", …: in settings
Place placeFrom(QString const &name, Place otherwise);

} // namespace tilewright::app
