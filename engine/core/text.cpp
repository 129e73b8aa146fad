#include "engine/core/text.h"

#include "engine/core/ascii.h"
#include "engine/core/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace tilewright {

namespace {

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const above = row[j];
            bool const same = asciiLower(a[i - 1]) == asciiLower(b[j - 1]);
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearestName(std::string_view name, std::span<std::string const> candidates)
{
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (auto const &candidate : candidates) {
        // The distance is at least the difference in length: of a name of megabytes nothing is computed.
        auto const apart = std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size());
        if (apart >= bestDistance) continue;
        auto const distance = editDistance(name, candidate);
        // Of a short name half is no slip of the finger any more, "foo" does not mean "op"; the same letters in another order are.
        bool const alike =
            distance < 2 || 2 * distance < std::max(name.size(), candidate.size()) || std::ranges::is_permutation(name, candidate);
        if (alike && distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string groupedDigits(std::int64_t value)
{
    std::string digits = std::to_string(value);
    int const sign = value < 0 ? 1 : 0;
    for (int i = static_cast<int>(digits.size()) - 3; i > sign; i -= 3) digits.insert(static_cast<std::size_t>(i), ",");
    return digits;
}

std::string bytesText(std::int64_t bytes)
{
    static constexpr std::array<char const *, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::abs(value) >= 1024.0 && unit + 1 < kUnits.size()) {
        value /= 1024.0;
        ++unit;
    }
    return fixedText(value, unit == 0 ? 0 : 1) + " " + kUnits[unit];
}

std::vector<std::string> splitText(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (;;) {
        auto const end = text.find(separator, start);
        parts.emplace_back(text.substr(start, end == std::string_view::npos ? end : end - start));
        if (end == std::string_view::npos) return parts;
        start = end + 1;
    }
}

std::string joinText(std::span<std::string const> parts, std::string_view separator)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i) text += separator;
        text += parts[i];
    }
    return text;
}

std::string numberText(double value)
{
    std::array<char, 40> buffer{};
    // Whole numbers are read by people, as limits and counts: no exponent while a double holds all their digits.
    constexpr double kExact = 1e15;
    bool const whole = value == std::trunc(value) && std::abs(value) < kExact;
    auto const end = whole ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed)
                           : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return std::string(buffer.data(), end.ptr);
}

} // namespace tilewright
