#include "app/gui/modes.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilewright::app {

std::vector<Mode> const &modes()
{
    auto const words = [](std::initializer_list<char const *> ids) {
        QStringList list;
        for (auto const *id : ids) list << QLatin1String(id);
        return list;
    };
    static std::vector<Mode> const all{
        {"build", QT_TRANSLATE_NOOP("modes", "Build"), QT_TRANSLATE_NOOP("modes", "Model, training plan, data and configuration"), "layers",
         words({"canvas", "plan", "data", "config"}), words({"outline", "palette"}), words({"inspector"})},
        {"train",
         QT_TRANSLATE_NOOP("modes", "Train"),
         QT_TRANSLATE_NOOP("modes", "A run while it is active"),
         "training",
         words({"training", "memory", "execution", "monitor"}),
         {},
         {}},
        // Insights are beside all views, because they are needed with each of them.
        {"analyse",
         QT_TRANSLATE_NOOP("modes", "Analyse"),
         QT_TRANSLATE_NOOP("modes", "Where bytes and cycles go, and what to do about it"),
         "search",
         words({"summary", "memory", "liveness", "program", "operations", "execution", "runs"}),
         {},
         words({"insights", "inspector"})},
        {"present",
         QT_TRANSLATE_NOOP("modes", "Present"),
         QT_TRANSLATE_NOOP("modes", "One view in large type"),
         "picture",
         words({"summary", "training", "canvas", "memory", "liveness", "execution"}),
         {},
         {},
         true},
    };
    return all;
}

Mode const *findMode(QString const &id)
{
    auto const &all = modes();
    auto const it = std::find_if(all.begin(), all.end(), [&](Mode const &mode) { return id == QLatin1String(mode.id); });
    return it == all.end() ? nullptr : &*it;
}

QStringList bottomViews()
{
    return {QStringLiteral("console"), QStringLiteral("problems"), QStringLiteral("monitor"), QStringLiteral("compile"),
            QStringLiteral("results")};
}

QString placeName(Place place)
{
    switch (place) {
    case Place::Centre: return QStringLiteral("centre");
    case Place::Left: return QStringLiteral("left");
    case Place::Right: return QStringLiteral("right");
    case Place::Bottom: return QStringLiteral("bottom");
    }
    return {};
}

Place placeFrom(QString const &name, Place otherwise)
{
    for (auto const place : kPlaces)
        if (placeName(place) == name) return place;
    return otherwise;
}

} // namespace tilewright::app
