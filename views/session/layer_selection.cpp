#include "views/session/layer_selection.h"

#include "views/document/document.h"
#include "views/session/selection.h"

namespace tilewright::views {

QStringList layersOf(Selected const &selected)
{
    return selected.kind == SelectionKind::Layer ? selected.name.split(QLatin1Char('\n'), Qt::SkipEmptyParts) : QStringList();
}

void selectLayers(Selection &selection, QStringList const &names, QObject *from)
{
    if (names.isEmpty()) selection.select({}, from);
    else selection.selectLayer(names.join(QLatin1Char('\n')), from);
}

std::set<std::string> deselectGoneLayers(Selection &selection, Document const &document, std::set<std::string> const &before)
{
    std::set<std::string> now;
    for (auto const &layer : document.project().model.layers) now.insert(layer.name);
    auto const selected = layersOf(selection.current());
    QStringList kept;
    for (auto const &name : selected)
        if (now.contains(name.toStdString()) || !before.contains(name.toStdString())) kept << name; // only in a report: stays
    if (kept.size() < selected.size()) selectLayers(selection, kept, nullptr);
    return now;
}

} // namespace tilewright::views
