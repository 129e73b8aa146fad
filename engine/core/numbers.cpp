#include "engine/core/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tilewright {

namespace {

/// What from_chars reports as out of range is either below the smallest double or above the largest; only the text tells which.
bool isTiny(std::string_view text)
{
    auto const exponent = text.find_first_of("eE");
    if (exponent != std::string_view::npos && exponent + 1 < text.size()) return text[exponent + 1] == '-';
    return text.starts_with("0.") || text.starts_with("-0.") || text.starts_with('.') || text.starts_with("-.");
}

std::string printed(double value, std::chars_format format, int precision)
{
    std::array<char, 512> buffer{}; // the largest double has 309 digits in front of the point
    auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, std::clamp(precision, 0, 100));
    return std::string(buffer.data(), end.ptr);
}

} // namespace

std::optional<double> parseRealOrWord(std::string_view text)
{
    double value = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || text.empty()) return std::nullopt;
    if (problem == std::errc::result_out_of_range && isTiny(text)) return text.front() == '-' ? -0.0 : 0.0;
    if (problem != std::errc()) return std::nullopt;
    return value;
}

std::optional<double> parseReal(std::string_view text)
{
    auto const value = parseRealOrWord(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    std::int64_t value = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string fixedText(double value, int decimals) { return printed(value, std::chars_format::fixed, decimals); }

std::string shortText(double value, int digits) { return printed(value, std::chars_format::general, digits); }

std::string scientificText(double value, int decimals) { return printed(value, std::chars_format::scientific, decimals); }

} // namespace tilewright
