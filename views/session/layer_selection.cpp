#include "views/session/layer_selection.h"

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

} // namespace tilewright::views
