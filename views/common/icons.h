#pragma once

#include "views/common/theme.h"

#include <QIcon>

namespace tilewright::views {

/// A line icon of resources/icons (":/icons/NAME.svg"), tinted by token in the present theme; an empty icon
/// when there is none of that name. Disabled and selected states are made of the same drawing.
QIcon icon(QString const &name, Token token = Token::Text);

} // namespace tilewright::views
