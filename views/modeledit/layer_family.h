#pragma once

#include "views/common/theme.h"

#include <QIcon>
#include <QString>

#include <string>
#include <string_view>

// Families of layers as the engine's registry has them: each with a colour, a letter and a title.
namespace tilewright::views {

/// Of a class; FamilyOther for one that nobody knows.
Token familyOf(std::string const &className);
/// Of LayerSpec::category.
Token familyToken(std::string_view category);
/// The letter beside the colour; "?" for a class that nobody knows.
QChar familyLetter(Token family);
/// The heading, translated.
QString familyTitle(std::string_view category);
/// Colour and letter.
QIcon familyIcon(Token family, double ratio = 1);

} // namespace tilewright::views
