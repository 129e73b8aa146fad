#pragma once

#include <cstdint>
#include <vector>

// Rows of tables by their signed numbers. For engine/report only.
namespace tilewright::report {

/// Requires: has(rows, i).
template <typename T> auto const &at(std::vector<T> const &rows, std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }
template <typename T> auto &at(std::vector<T> &rows, std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }
template <typename T> int count(std::vector<T> const &rows) { return static_cast<int>(rows.size()); }
template <typename T> bool has(std::vector<T> const &rows, std::int64_t i) { return i >= 0 && i < count(rows); }

} // namespace tilewright::report
