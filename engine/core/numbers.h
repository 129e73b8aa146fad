#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// Numbers in files, options and messages. They are the same in every locale: a decimal point, no groups. The functions of C
// (strtod, printf) and std::stod follow the locale, which Qt sets to the desktop's; a test forbids them in all other files.
namespace tilewright {

/// The finite number that the whole text is; nullopt for anything else. Takes no spaces and no plus sign. Numbers below the smallest
/// double become 0, numbers above the largest are refused.
std::optional<double> parseReal(std::string_view text);
/// The same, and the words inf and nan.
std::optional<double> parseRealOrWord(std::string_view text);
/// The integer that the whole text is; nullopt for anything else, also for an integer beyond 64 bits.
std::optional<std::int64_t> parseInteger(std::string_view text);
/// The same for a smaller type: nullopt outside its range.
template <std::integral T> std::optional<T> parseIntegerAs(std::string_view text)
{
    auto const value = parseInteger(text);
    return value && std::in_range<T>(*value) ? std::optional<T>(static_cast<T>(*value)) : std::nullopt;
}

/// The value with so many decimals, as printf's "%.*f".
std::string fixedText(double value, int decimals);
/// The value with at most so many significant digits, without trailing zeros, as printf's "%.*g".
std::string shortText(double value, int digits);
/// The value as "1.2340e-05", as printf's "%.*e".
std::string scientificText(double value, int decimals);

} // namespace tilewright
