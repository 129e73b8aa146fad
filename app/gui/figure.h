#pragma once

#include "views/session/view.h"

#include <memory>

namespace tilewright::app {

/// Waits until the work of a view's picture is done, at most so long. Runs the event loop, without what a person does.
void settle(views::Session &session, views::View const &view, int milliseconds);

/// A view that no window shows, brought up to date and settled, in the state given.
std::unique_ptr<views::View> unseenView(views::ViewDescriptor const &descriptor, views::Session &session, QJsonObject const &state,
                                        QSize size);

/// Leaves of a view what is a figure: title, plots, legends, scales and a line that says where it comes from. `grows`: it
/// becomes as high as what it shows, so that nothing is cut where a scroll bar was.
void turnIntoFigure(views::View &view, QString const &title, bool grows);

} // namespace tilewright::app
