#pragma once

#include "views/subjects/links.h"

namespace tilewright::views {

/// A fact's link as text and back: kind, id or name, and the view to bring forward.
QString linkTo(SelectionKind kind, int id, QString const &view);
QString linkTo(SelectionKind kind, QString const &name, QString const &view);
QString linkToView(QString const &view);
Destination targetOf(QString const &link);

} // namespace tilewright::views
