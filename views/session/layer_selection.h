#pragma once

#include <QString>
#include <QStringList>

#include <set>
#include <string>

class QObject;

// Several layers as one selection: their names, one per line, the current one last.
namespace tilewright::views {

class Document;
class Selection;
struct Selected;

/// Empty for a selection of another kind.
QStringList layersOf(Selected const &selected);
/// No names: clears the selection.
void selectLayers(Selection &selection, QStringList const &names, QObject *from);

/// Removes layers from the selection that were in `before` and no longer exist in the project. Returns the current layers.
std::set<std::string> deselectGoneLayers(Selection &selection, Document const &document, std::set<std::string> const &before);

} // namespace tilewright::views
