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

using detail::minus;

/// Writes value(i) - base at `out`, in T's width.
template <typename T, typename F> void store(char *out, std::size_t items, std::int64_t base, F const &value)
{
    for (std::size_t i = 0; i < items; ++i) {
        auto const item = static_cast<T>(static_cast<std::uint64_t>(value(i)) - static_cast<std::uint64_t>(base));
        std::memcpy(out + i * sizeof(T), &item, sizeof(T));
    }
}

template <typename F> void storeAs(int width, char *out, std::size_t items, std::int64_t base, F const &value)
{
    if (width == 1) store<std::uint8_t>(out, items, base, value);
    if (width == 2) store<std::uint16_t>(out, items, base, value);
    if (width == 4) store<std::uint32_t>(out, items, base, value);
    if (width == 8) store<std::uint64_t>(out, items, base, value);
}

template <typename T> void load(std::vector<std::int64_t> &out, std::string_view data, bool delta, std::int64_t first, std::int64_t base)
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

/// A deflate stream of each thread, kept because its tables take longer to make than a small blob to deflate.
class Deflater {
public:
    Deflater() { m_ready = deflateInit2(&m_stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK; }
    ~Deflater() { deflateEnd(&m_stream); }
    Deflater(Deflater const &) = delete;
    Deflater &operator=(Deflater const &) = delete;

    /// Empty if the result would not be smaller.
    std::string deflated(std::string const &data)
    {
        if (!m_ready || data.size() > std::numeric_limits<uInt>::max() || deflateReset(&m_stream) != Z_OK) return {};
        std::string out(data.size() - 1, '\0');
        m_stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data()));
        m_stream.avail_in = static_cast<uInt>(data.size());
        m_stream.next_out = reinterpret_cast<Bytef *>(out.data());
        m_stream.avail_out = static_cast<uInt>(out.size());
        if (deflate(&m_stream, Z_FINISH) != Z_STREAM_END) return {};
        out.resize(m_stream.total_out);
        return out;
    }

private:
    z_stream m_stream{};
    bool m_ready = false;
};

/// False unless the stream holds exactly `bytes` bytes.
bool inflateTo(std::string_view stream, std::size_t bytes, std::string &out)
{
    constexpr std::size_t kMostRatio = 1032; // of deflate
    if (bytes / kMostRatio > stream.size() || bytes > std::numeric_limits<uInt>::max() || stream.size() > std::numeric_limits<uInt>::max())
        return false;
    out.resize(bytes);
    z_stream state{};
    if (inflateInit2(&state, -MAX_WBITS) != Z_OK) return false;
    state.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(stream.data()));
    state.avail_in = static_cast<uInt>(stream.size());
    state.next_out = reinterpret_cast<Bytef *>(out.data());
    state.avail_out = static_cast<uInt>(out.size());
    bool const whole = inflate(&state, Z_FINISH) == Z_STREAM_END && state.avail_out == 0 && state.avail_in == 0;
    inflateEnd(&state);
    return whole;
}

Diagnostic packedError(Message what)
{
    return makeError(ErrorKind::Data, "report.packed", "packed columns", std::move(what),
                     Message::of("The file is damaged; write the report again."));
}

} // namespace

void ColumnRange::add(std::span<std::int64_t const> values)
{
    if (values.empty()) return;
    add(values[0]);
    // Locals, so that the loop becomes one over vectors.
    auto low = m_low, high = m_high, least = m_least, most = m_most;
    for (std::size_t i = 1; i < values.size(); ++i) {
        auto const step = minus(values[i], values[i - 1]);
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
        least = std::min(least, step);
        most = std::max(most, step);
    }
    m_low = low;
    m_high = high;
    m_least = least;
    m_most = most;
    m_last = values.back();
    m_items += values.size() - 1;
}

PackedColumn ColumnRange::narrowest() const
{
    PackedColumn column;
    if (m_items == 0) return column;
    column.width = static_cast<std::uint8_t>(widthFor(static_cast<std::uint64_t>(minus(m_high, m_low))));
    column.base = m_low;
    if (column.width == 0 || m_items == 1) return column;
    int const delta = widthFor(static_cast<std::uint64_t>(minus(m_most, m_least)));
    if (delta < column.width) column = {1, static_cast<std::uint8_t>(delta), m_first, m_least};
    return column;
}

std::size_t packedBytes(std::initializer_list<ColumnRange> columns)
{
    std::size_t bytes = kHeader + columns.size() * kColumnHeader + kCrc;
    for (auto const &column : columns) bytes += padded(column.items() * column.narrowest().width);
    return bytes;
}

PackedWriter::PackedWriter(std::size_t items) : m_items(items) { TW_CHECK(items <= kPackedItems, "too many items for one blob"); }

char *PackedWriter::append(PackedColumn const &column)
{
    TW_CHECK(m_columns.size() < 255, "too many columns for one blob");
    m_columns.push_back(column);
    auto const at = m_data.size();
    m_data.resize(at + padded(m_items * column.width));
    return m_data.data() + at;
}

PackedWriter &PackedWriter::integers(std::span<std::int64_t const> values)
{
    TW_CHECK(values.size() == m_items, "columns of one blob have equal lengths");
    ColumnRange range;
    range.add(values);
    auto const column = range.narrowest();
    char *const out = append(column);
    if (column.transform == 0) {
        storeAs(column.width, out, m_items, column.base, [&](std::size_t i) { return values[i]; });
    } else {
        // Item 0 is the header's; its step is stored as 0, as which the bytes already lie there.
        storeAs(column.width, out + column.width, m_items - 1, column.base, [&](std::size_t i) { return minus(values[i + 1], values[i]); });
    }
    return *this;
}

PackedWriter &PackedWriter::reals(std::span<double const> values)
{
    TW_CHECK(values.size() == m_items, "columns of one blob have equal lengths");
    bool const single = std::all_of(values.begin(), values.end(), [](double v) {
        return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(v))) == std::bit_cast<std::uint64_t>(v);
    });
    PackedColumn column;
    column.width = single ? 4 : 8;
    char *const out = append(column);
    for (std::size_t i = 0; i < m_items; ++i) {
        auto const narrow = static_cast<float>(values[i]);
        if (single) std::memcpy(out + i * 4, &narrow, 4);
        else std::memcpy(out + i * 8, &values[i], 8);
    }
    return *this;
}

std::string PackedWriter::finish() const
{
    std::string deflated;
    if (m_data.size() >= kDeflatedFrom) {
        thread_local Deflater deflater;
        deflated = deflater.deflated(m_data);
    }
    auto const &data = deflated.empty() ? m_data : deflated;
    std::string out;
    out.reserve(kHeader + m_columns.size() * kColumnHeader + data.size() + kCrc);
    out += static_cast<char>(deflated.empty() ? kPackedVersion : kPackedDeflated);
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
    out += data;
    putRaw(out, crcOf(out));
    return out;
}

Result<PackedReader> PackedReader::open(std::string_view blob, std::uint32_t maxItems)
{
    if (blob.size() < kHeader + kCrc) return packedError(Message::of("a block is shorter than its header"));
    auto const version = static_cast<std::uint8_t>(blob[0]);
    if (version != kPackedVersion && version != kPackedDeflated)
        return packedError(Message::of("a block has the unknown version %1", version));
    if (blob[2] != 0 || blob[3] != 0) return packedError(Message::of("reserved bytes of a block are set"));
    std::size_t const columns = static_cast<std::uint8_t>(blob[1]);
    PackedReader reader;
    auto const items = takeRaw<std::uint32_t>(blob, 4);
    if (items > std::min(maxItems, kPackedItems)) return packedError(Message::of("a block declares %1 items", items));
    reader.m_items = items;
    std::size_t const begin = kHeader + columns * kColumnHeader;
    if (blob.size() < begin + kCrc) return packedError(Message::of("a block is shorter than its column headers"));
    auto const body = blob.substr(begin, blob.size() - begin - kCrc);
    if (takeRaw<std::uint32_t>(blob, blob.size() - kCrc) != crcOf(blob.substr(0, blob.size() - kCrc)))
        return packedError(Message::of("the checksum of a block is wrong"));
    std::size_t bytes = 0;
    for (std::size_t c = 0; c < columns; ++c) {
        std::size_t const head = kHeader + c * kColumnHeader;
        Column column;
        column.transform = static_cast<std::uint8_t>(blob[head]);
        column.width = static_cast<std::uint8_t>(blob[head + 1]);
        if (column.transform > 1) return packedError(Message::of("a column has an unknown transform"));
        if (column.width > 8 || (column.width & (column.width - 1)) != 0)
            return packedError(Message::of("a column has the invalid width %1", column.width));
        for (std::size_t i = 2; i < 8; ++i)
            if (blob[head + i] != 0) return packedError(Message::of("reserved bytes of a column are set"));
        column.first = takeRaw<std::int64_t>(blob, head + 8);
        column.base = takeRaw<std::int64_t>(blob, head + 16);
        bytes += padded(std::size_t{items} * column.width);
        reader.m_columns.push_back(column);
    }
    auto data = body;
    if (version == kPackedDeflated) {
        auto inflated = std::make_shared<std::string>();
        if (!inflateTo(body, bytes, *inflated)) return packedError(Message::of("a block does not inflate to its columns"));
        data = *inflated;
        reader.m_inflated = std::move(inflated);
    }
    if (data.size() < bytes) return packedError(Message::of("a block is shorter than its columns"));
    if (data.size() > bytes) return packedError(Message::of("a block is longer than its columns"));
    std::size_t at = 0;
    for (auto &column : reader.m_columns) {
        std::size_t const own = std::size_t{items} * column.width;
        column.data = data.substr(at, own);
        at += padded(own);
    }
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
        return packedError(Message::of("a column does not hold floating-point numbers"));
    std::vector<double> out(m_items);
    for (std::size_t i = 0; i < m_items; ++i)
        out[i] = column.width == 4 ? static_cast<double>(takeRaw<float>(column.data, i * 4)) : takeRaw<double>(column.data, i * 8);
    return out;
}

} // namespace tilewright::report
