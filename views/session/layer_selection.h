#pragma once

#include <QString>
#include <QStringList>

class QObject;

// Several layers as one selection: their names, one per line, the current one last.
namespace tilewright::views {

class Selection;
struct Selected;

/// Empty for a selection of another kind.
QStringList layersOf(Selected const &selected);
/// No names: nothing is selected.
void selectLayers(Selection &selection, QStringList const &names, QObject *from);

} // namespace tilewright::views
