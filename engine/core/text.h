#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The candidate closest to `name` by edit distance (case ignored), or "" when nothing is near enough
/// to be a likely misspelling.
std::string nearestName(std::string_view name, std::span<std::string const> candidates);

/// "12,345" style grouping of digits, for people.
std::string groupedDigits(std::int64_t value);
/// "1.5 KiB", "3.2 MiB"; exact below 1024.
std::string bytesText(std::int64_t bytes);

std::vector<std::string> splitText(std::string_view text, char separator);
std::string joinText(std::span<std::string const> parts, std::string_view separator);

/// Shortest text that reads back to the same double; locale-independent.
std::string numberText(double value);

} // namespace tilewright
