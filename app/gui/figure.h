#pragma once

#include "views/session/view.h"

#include <memory>

namespace tilewright::app {

/// Waits until a view's picture is ready, up to a time limit. Runs the event loop without user input.
void settle(views::Session &session, views::View const &view, int milliseconds);

/// A hidden view in the given state, updated and settled.
std::unique_ptr<views::View> unseenView(views::ViewDescriptor const &descriptor, views::Session &session, QJsonObject const &state,
                                        QSize size);

/// Reduces a view to a figure: title, plots, legends, scales and a source line. `grows`: the height becomes that of the whole content, so
/// that nothing is cut where a scroll bar was.
void turnIntoFigure(views::View &view, QString const &title, bool grows);

} // namespace tilewright::app
