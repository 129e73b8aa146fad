#pragma once

#include "views/common/theme.h"

#include <QIcon>

namespace tilewright::views {

/// A line icon of resources/icons (":/icons/NAME.svg") in a token's colour of the current theme; an empty icon for an unknown name.
/// Disabled and selected states use the same drawing.
QIcon icon(QString const &name, Token token = Token::Text);

} // namespace tilewright::views
