#pragma once

#include <string>
#include <string_view>

// Text of files that a spreadsheet opens.
namespace tilewright {

/// The text as a cell shows it: control and hidden characters are written out ("\x1b", "\u202e"), line feeds stay. Text that a
/// spreadsheet would take for a formula (it begins with = + - or @, and is no number) gets an apostrophe in front.
std::string spreadsheetText(std::string_view text);

/// The same as a cell of a CSV file: in quotes where it holds a separator, a quote or a line feed.
std::string csvCell(std::string_view text);

} // namespace tilewright
