#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Packed columns: the blobs of the report file (events, placements, per-tile vectors, series). Layout,
// little-endian: version (1 byte), column count (1), reserved (2), item count (4); per column: transform
// (1: 0 plain, 1 delta), width (1: 0, 1, 2, 4 or 8), reserved (6), first (8, signed), base (8, signed); the
// columns, each padded to 8 bytes; a CRC-32 of all before.
namespace tilewright::report {

inline constexpr std::uint8_t kPackedVersion = 1;
/// Readers refuse blobs that claim more items: a width of 0 costs no bytes, so the size alone is no bound.
inline constexpr std::uint32_t kPackedItems = 1u << 24;

/// Collects columns of equal length and packs each in its narrowest form (plain before delta on a tie).
class PackedWriter {
public:
    /// Requires: items <= kPackedItems.
    explicit PackedWriter(std::size_t items);
    /// Requires: values.size() == items, fewer than 255 columns so far.
    PackedWriter &integers(std::span<std::int64_t const> values);
    /// As float bits (4 bytes) where every value is exactly a float, else as double bits (8).
    PackedWriter &reals(std::span<double const> values);
    std::string finish() const;

private:
    struct Column {
        std::uint8_t transform = 0, width = 0;
        std::int64_t first = 0, base = 0;
        std::string data;
    };
    std::size_t m_items;
    std::vector<Column> m_columns;
};

/// A checked blob: sizes, widths, counts and CRC are right, so decoding its columns cannot go wrong.
class PackedReader {
public:
    /// Keeps no copy: `blob` has to outlive the reader. Errors are Data, code "report.packed".
    static Result<PackedReader> open(std::string_view blob, std::uint32_t maxItems = kPackedItems);

    std::size_t items() const { return m_items; }
    std::size_t columns() const { return m_columns.size(); }
    /// Requires: column < columns().
    std::vector<std::int64_t> integers(std::size_t column) const;
    /// Error: the column does not hold floats (plain, base 0, width 4 or 8).
    Result<std::vector<double>> reals(std::size_t column) const;

private:
    struct Column {
        std::uint8_t transform = 0, width = 0;
        std::int64_t first = 0, base = 0;
        std::string_view data;
    };
    std::size_t m_items = 0;
    std::vector<Column> m_columns;
};

} // namespace tilewright::report
