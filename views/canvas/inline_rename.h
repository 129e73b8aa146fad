#pragma once

#include <QString>

#include <functional>

namespace tilewright::views {

class CanvasWidget;

/// A field over the node: Enter hands the new name over, Escape and leaving it drop it.
void startRename(CanvasWidget &canvas, QString const &id, std::function<void(QString const &)> const &renamed);

} // namespace tilewright::views
