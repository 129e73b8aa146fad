#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The candidate closest to `name` by edit distance (ignoring case), or "" if none is a likely misspelling.
std::string nearestName(std::string_view name, std::span<std::string const> candidates);

/// Digits in groups for people: "12,345".
std::string groupedDigits(std::int64_t value);
/// "1.5 KiB", "3.2 MiB"; exact below 1024.
std::string bytesText(std::int64_t bytes);

std::vector<std::string> splitText(std::string_view text, char separator);
std::string joinText(std::span<std::string const> parts, std::string_view separator);

/// Shortest text that reads back as the same double; independent of the locale.
std::string numberText(double value);

} // namespace tilewright
