#pragma once

#include "engine/core/result.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Packed columns: the blobs of the report file (events, placements, per-tile vectors, series). Layout, little-endian: version (1 byte),
// column count (1), reserved (2), item count (4); per column: transform (1: 0 plain, 1 delta), width (1: 0, 1, 2, 4 or 8), reserved (6),
// first (8, signed), base (8, signed); the columns, each padded to 8 bytes, as they are (version 1) or as one deflate stream (version 2);
// a CRC-32 of everything before.
namespace tilewright::report {

inline constexpr std::uint8_t kPackedVersion = 1, kPackedDeflated = 2;
/// Columns of fewer bytes stay as they are: deflating them costs more time than it saves bytes.
inline constexpr std::size_t kDeflatedFrom = 1024;
/// Readers refuse blobs with more items. The size alone is no bound, because a width of 0 takes no bytes.
inline constexpr std::uint32_t kPackedItems = 1u << 24;

namespace detail {
// Sums and differences wrap around. Reading reverses the wrap of writing.
inline std::int64_t minus(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
} // namespace detail

/// Header of one column in a blob.
struct PackedColumn {
    std::uint8_t transform = 0, width = 0;
    std::int64_t first = 0, base = 0;
};

/// The range of a column's values and of their differences, to find its narrowest form without storing it.
class ColumnRange {
public:
    void add(std::int64_t value)
    {
        m_low = std::min(m_low, value);
        m_high = std::max(m_high, value);
        if (m_items++ == 0) {
            m_first = value;
        } else {
            auto const step = detail::minus(value, m_last);
            m_least = std::min(m_least, step);
            m_most = std::max(m_most, step);
        }
        m_last = value;
    }
    void add(std::span<std::int64_t const> values);
    std::size_t items() const { return m_items; }
    /// Prefers plain over delta if both are equal.
    PackedColumn narrowest() const;

private:
    using Limits = std::numeric_limits<std::int64_t>;
    std::size_t m_items = 0;
    std::int64_t m_first = 0, m_last = 0;
    std::int64_t m_low = Limits::max(), m_high = Limits::min();
    std::int64_t m_least = Limits::max(), m_most = Limits::min();
};

/// The size of the blob with these columns before it is deflated. Requires: equal numbers of items.
std::size_t packedBytes(std::initializer_list<ColumnRange> columns);

/// Collects columns of equal length and packs each in its narrowest form.
class PackedWriter {
public:
    /// Requires: items <= kPackedItems.
    explicit PackedWriter(std::size_t items);
    /// Requires: values.size() == items, fewer than 255 columns so far.
    PackedWriter &integers(std::span<std::int64_t const> values);
    /// As float bits (4 bytes) if every value is exactly a float, else as double bits (8).
    PackedWriter &reals(std::span<double const> values);
    /// Deflates the columns if that makes the blob smaller.
    std::string finish() const;

private:
    /// Space for the column's bytes, zeroed.
    char *append(PackedColumn const &column);

    std::size_t m_items;
    std::vector<PackedColumn> m_columns;
    std::string m_data; ///< the columns as in the blob
};

/// A checked blob: sizes, widths, counts and CRC are valid, so decoding its columns cannot fail.
class PackedReader {
public:
    /// Keeps no copy of columns that are not deflated: `blob` must outlive the reader. Errors are Data, code "report.packed".
    static Result<PackedReader> open(std::string_view blob, std::uint32_t maxItems = kPackedItems);

    std::size_t items() const { return m_items; }
    std::size_t columns() const { return m_columns.size(); }
    /// Requires: column < columns().
    std::vector<std::int64_t> integers(std::size_t column) const;
    /// Fails if the column does not hold floats (plain, base 0, width 4 or 8).
    Result<std::vector<double>> reals(std::size_t column) const;

private:
    struct Column : PackedColumn {
        std::string_view data;
    };
    std::size_t m_items = 0;
    std::vector<Column> m_columns;
    std::shared_ptr<std::string const> m_inflated; ///< the columns of a deflated blob
};

} // namespace tilewright::report
