#include "engine/report/packed.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace tilewright::report {

static_assert(std::endian::native == std::endian::little, "columns are copied as they lie in memory");

namespace {

constexpr std::size_t kHeader = 8, kColumnHeader = 24, kCrc = 4;

std::uint32_t crcOf(std::string_view bytes)
{
    auto crc = crc32_z(0, nullptr, 0);
    return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<Bytef const *>(bytes.data()), bytes.size()));
}

int widthFor(std::uint64_t largest)
{
    if (largest == 0) return 0;
    if (largest <= 0xff) return 1;
    if (largest <= 0xffff) return 2;
    if (largest <= 0xffffffffull) return 4;
    return 8;
}

template <typename T> void putRaw(std::string &out, T value)
{
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

template <typename T> T takeRaw(std::string_view from, std::size_t at)
{
    T value;
    std::memcpy(&value, from.data() + at, sizeof(T));
    return value;
}

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

// Sums and differences wrap around: what was written with a wrap is read back with the same one.
std::int64_t minus(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

template <typename T> void store(std::string &data, std::span<std::int64_t const> values, std::int64_t base)
{
    data.resize(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const item = static_cast<T>(static_cast<std::uint64_t>(values[i]) - static_cast<std::uint64_t>(base));
        std::memcpy(data.data() + i * sizeof(T), &item, sizeof(T));
    }
}

void storeAs(int width, std::string &data, std::span<std::int64_t const> values, std::int64_t base)
{
    if (width == 1) store<std::uint8_t>(data, values, base);
    if (width == 2) store<std::uint16_t>(data, values, base);
    if (width == 4) store<std::uint32_t>(data, values, base);
    if (width == 8) store<std::uint64_t>(data, values, base);
}

template <typename T>
void load(std::vector<std::int64_t> &out, std::string_view data, bool delta, std::int64_t first, std::int64_t base)
{
    auto sum = static_cast<std::uint64_t>(first);
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto const item = static_cast<std::uint64_t>(takeRaw<T>(data, i * sizeof(T)));
        if (!delta) {
            out[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(base) + item);
        } else {
            if (i > 0) sum += static_cast<std::uint64_t>(base) + item;
            out[i] = static_cast<std::int64_t>(sum);
        }
    }
}

Diagnostic packedError(std::string what)
{
    return makeError(ErrorKind::Data, "report.packed", "packed columns", std::move(what),
                     "The file is damaged; write the report again.");
}

} // namespace

PackedWriter::PackedWriter(std::size_t items) : m_items(items)
{
    TW_CHECK(items <= kPackedItems, "too many items for one blob");
}

PackedWriter &PackedWriter::integers(std::span<std::int64_t const> values)
{
    TW_CHECK(values.size() == m_items && m_columns.size() < 255, "columns of one blob have equal lengths");
    Column column;
    if (!values.empty()) {
        auto const [low, high] = std::minmax_element(values.begin(), values.end());
        int const plain = widthFor(static_cast<std::uint64_t>(minus(*high, *low)));
        int delta = 8;
        std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
        if (plain > 0 && values.size() > 1) {
            for (std::size_t i = 1; i < values.size(); ++i) {
                auto const step = minus(values[i], values[i - 1]);
                least = std::min(least, step);
                most = std::max(most, step);
            }
            delta = widthFor(static_cast<std::uint64_t>(minus(most, least)));
        }
        if (delta < plain) {
            std::vector<std::int64_t> steps(values.size(), least); // item 0 is stored as 0
            for (std::size_t i = 1; i < values.size(); ++i) steps[i] = minus(values[i], values[i - 1]);
            column.transform = 1;
            column.width = static_cast<std::uint8_t>(delta);
            column.first = values[0];
            column.base = least;
            storeAs(delta, column.data, steps, least);
        } else {
            column.width = static_cast<std::uint8_t>(plain);
            column.base = *low;
            storeAs(plain, column.data, values, *low);
        }
    }
    m_columns.push_back(std::move(column));
    return *this;
}

PackedWriter &PackedWriter::reals(std::span<double const> values)
{
    TW_CHECK(values.size() == m_items && m_columns.size() < 255, "columns of one blob have equal lengths");
    bool const single = std::all_of(values.begin(), values.end(), [](double v) {
        return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(v))) == std::bit_cast<std::uint64_t>(v);
    });
    Column column;
    column.width = single ? 4 : 8;
    for (double const v : values) {
        if (single) putRaw(column.data, static_cast<float>(v));
        else putRaw(column.data, v);
    }
    m_columns.push_back(std::move(column));
    return *this;
}

std::string PackedWriter::finish() const
{
    std::string out;
    out += static_cast<char>(kPackedVersion);
    out += static_cast<char>(m_columns.size());
    out.append(2, '\0');
    putRaw(out, static_cast<std::uint32_t>(m_items));
    for (auto const &column : m_columns) {
        out += static_cast<char>(column.transform);
        out += static_cast<char>(column.width);
        out.append(6, '\0');
        putRaw(out, column.first);
        putRaw(out, column.base);
    }
    for (auto const &column : m_columns) {
        out += column.data;
        out.append(padded(column.data.size()) - column.data.size(), '\0');
    }
    putRaw(out, crcOf(out));
    return out;
}

Result<PackedReader> PackedReader::open(std::string_view blob, std::uint32_t maxItems)
{
    if (blob.size() < kHeader + kCrc) return packedError("a block is shorter than its header");
    if (static_cast<std::uint8_t>(blob[0]) != kPackedVersion)
        return packedError("a block has the unknown version " + std::to_string(static_cast<std::uint8_t>(blob[0])));
    if (blob[2] != 0 || blob[3] != 0) return packedError("reserved bytes of a block are set");
    std::size_t const columns = static_cast<std::uint8_t>(blob[1]);
    PackedReader reader;
    auto const items = takeRaw<std::uint32_t>(blob, 4);
    if (items > std::min(maxItems, kPackedItems))
        return packedError("a block claims " + std::to_string(items) + " items");
    reader.m_items = items;
    std::size_t at = kHeader + columns * kColumnHeader;
    if (blob.size() < at + kCrc) return packedError("a block is shorter than its column headers");
    for (std::size_t c = 0; c < columns; ++c) {
        std::size_t const head = kHeader + c * kColumnHeader;
        Column column;
        column.transform = static_cast<std::uint8_t>(blob[head]);
        column.width = static_cast<std::uint8_t>(blob[head + 1]);
        if (column.transform > 1) return packedError("a column has an unknown transform");
        if (column.width > 8 || (column.width & (column.width - 1)) != 0)
            return packedError("a column has the width " + std::to_string(column.width));
        for (std::size_t i = 2; i < 8; ++i)
            if (blob[head + i] != 0) return packedError("reserved bytes of a column are set");
        column.first = takeRaw<std::int64_t>(blob, head + 8);
        column.base = takeRaw<std::int64_t>(blob, head + 16);
        std::size_t const bytes = std::size_t{items} * column.width;
        if (blob.size() - kCrc < at + padded(bytes)) return packedError("a block is shorter than its columns");
        column.data = blob.substr(at, bytes);
        at += padded(bytes);
        reader.m_columns.push_back(column);
    }
    if (blob.size() != at + kCrc) return packedError("a block is longer than its columns");
    if (takeRaw<std::uint32_t>(blob, at) != crcOf(blob.substr(0, at))) return packedError("the checksum of a block is wrong");
    return reader;
}

std::vector<std::int64_t> PackedReader::integers(std::size_t index) const
{
    TW_CHECK(index < m_columns.size(), "no such column");
    Column const &column = m_columns[index];
    std::vector<std::int64_t> out(m_items);
    bool const delta = column.transform == 1;
    switch (column.width) {
    case 1: load<std::uint8_t>(out, column.data, delta, column.first, column.base); break;
    case 2: load<std::uint16_t>(out, column.data, delta, column.first, column.base); break;
    case 4: load<std::uint32_t>(out, column.data, delta, column.first, column.base); break;
    case 8: load<std::uint64_t>(out, column.data, delta, column.first, column.base); break;
    default: {
        auto value = static_cast<std::uint64_t>(delta ? column.first : column.base);
        for (auto &item : out) {
            item = static_cast<std::int64_t>(value);
            if (delta) value += static_cast<std::uint64_t>(column.base);
        }
    }
    }
    return out;
}

Result<std::vector<double>> PackedReader::reals(std::size_t index) const
{
    TW_CHECK(index < m_columns.size(), "no such column");
    Column const &column = m_columns[index];
    if (column.transform != 0 || column.base != 0 || (column.width != 4 && column.width != 8))
        return packedError("a column does not hold floating-point numbers");
    std::vector<double> out(m_items);
    for (std::size_t i = 0; i < m_items; ++i)
        out[i] = column.width == 4 ? static_cast<double>(takeRaw<float>(column.data, i * 4))
                                   : takeRaw<double>(column.data, i * 8);
    return out;
}

} // namespace tilewright::report
