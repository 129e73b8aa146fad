#include "engine/core/csv_text.h"

#include "engine/core/ascii.h"
#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"

#include <algorithm>

namespace tilewright {

namespace {

/// "-3", "+0.5" and "-3 cycles": a spreadsheet computes nothing there, and shows them as they are.
bool isSignedNumber(std::string_view text)
{
    auto const unit = std::min(text.find_first_not_of("0123456789.eE+-", 1), text.size());
    auto number = text.substr(text.front() == '+' ? 1 : 0, unit - (text.front() == '+' ? 1 : 0));
    if (number.empty() || (!isAsciiDigit(number.back()) && number.back() != '.')) return false;
    if (text.front() == '+' && !isAsciiDigit(number.front()) && number.front() != '.') return false;
    return parseReal(number) && std::ranges::all_of(text.substr(unit), [](char c) { return isAsciiLetter(c) || c == ' ' || c == '%'; });
}

} // namespace

std::string spreadsheetText(std::string_view text)
{
    auto safe = safeText(text, Breaks::Kept);
    // What stands behind leading blanks counts, too: readers of CSV files drop them.
    auto const first = safe.find_first_not_of(" \t\n");
    if (first == std::string::npos || std::string_view("=+-@").find(safe[first]) == std::string_view::npos) return safe;
    return isSignedNumber(std::string_view(safe).substr(first)) ? safe : "'" + safe;
}

std::string csvCell(std::string_view text)
{
    auto const cell = spreadsheetText(text);
    if (cell.find_first_of(",;\"\t\n") == std::string::npos) return cell;
    std::string out = "\"";
    for (char const c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

} // namespace tilewright
