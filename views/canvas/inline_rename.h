#pragma once

#include <QString>

#include <functional>

namespace tilewright::views {

class CanvasWidget;

/// A text field over the node: Enter applies the new name, Escape and losing the focus discard it.
void startRename(CanvasWidget &canvas, QString const &id, std::function<void(QString const &)> const &renamed);

} // namespace tilewright::views
