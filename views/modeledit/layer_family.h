#pragma once

#include "views/common/theme.h"

#include <QIcon>
#include <QString>

#include <string>
#include <string_view>

// Layer families of the engine's registry, with colour, letter and title.
namespace tilewright::views {

/// Family of a class; FamilyOther for an unknown one.
Token familyOf(std::string const &className);
/// Of LayerSpec::category.
Token familyToken(std::string_view category);
/// The letter beside the colour; "?" for an unknown class.
QChar familyLetter(Token family);
/// The heading, translated.
QString familyTitle(std::string_view category);
/// Colour and letter.
QIcon familyIcon(Token family, double ratio = 1);

} // namespace tilewright::views
