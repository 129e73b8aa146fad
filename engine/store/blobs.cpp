#include "engine/store/blobs.h"

#include "engine/report/packed.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <tuple>

namespace tilewright::store {

using namespace report;

namespace {

using Column = std::vector<std::int64_t>;

Diagnostic blobError(std::string what)
{
    return makeError(ErrorKind::Data, "report.blob", "report block", std::move(what),
                     "The file is damaged; write the report again.");
}

Result<PackedReader> openWith(std::string_view blob, std::size_t columns)
{
    TW_ASSIGN(auto reader, PackedReader::open(blob));
    if (reader.columns() != columns) return blobError("a block has " + std::to_string(reader.columns()) + " columns, not " + std::to_string(columns));
    return reader;
}

bool fitsInt(Column const &column)
{
    return std::all_of(column.begin(), column.end(), [](std::int64_t v) {
        return v >= std::numeric_limits<int>::min() && v <= std::numeric_limits<int>::max();
    });
}

bool inRange(Column const &column, std::int64_t low, std::int64_t high)
{
    return std::all_of(column.begin(), column.end(), [&](std::int64_t v) { return v >= low && v <= high; });
}

} // namespace

std::string encodeLayout(TileLayout const &layout)
{
    std::array<Column, 10> columns;
    for (auto &column : columns) column.reserve(layout.size());
    for (auto const &item : layout) {
        std::int64_t const values[10] = {item.variable, static_cast<std::int64_t>(item.category), item.offset, item.bytes,
                                         item.alignment, item.livenessClass, static_cast<std::int64_t>(item.region),
                                         item.flags, item.group, static_cast<std::int64_t>(item.gapReason)};
        for (std::size_t c = 0; c < 10; ++c) columns[c].push_back(values[c]);
    }
    PackedWriter writer(layout.size());
    for (auto const &column : columns) writer.integers(column);
    return writer.finish();
}

Result<TileLayout> decodeLayout(std::string_view blob)
{
    TW_ASSIGN(auto const reader, openWith(blob, 10));
    std::array<Column, 10> c;
    for (std::size_t i = 0; i < 10; ++i) c[i] = reader.integers(i);
    if (!fitsInt(c[0]) || !fitsInt(c[4]) || !fitsInt(c[5]) || !fitsInt(c[8]))
        return blobError("a lowered variable has an impossible id");
    if (!inRange(c[1], 0, kMemoryCategories - 1) || !inRange(c[6], 0, 2) || !inRange(c[7], 0, 255) || !inRange(c[9], 0, 4))
        return blobError("a lowered variable has an unknown category, region, flag or gap reason");
    constexpr std::int64_t kFar = std::int64_t{1} << 36; // sums of offsets and sizes stay in range
    if (!inRange(c[2], -kFar, kFar) || !inRange(c[3], -kFar, kFar)) return blobError("a lowered variable lies outside any memory");
    TileLayout layout(reader.items());
    for (std::size_t i = 0; i < layout.size(); ++i) {
        auto &item = layout[i];
        item.variable = static_cast<int>(c[0][i]);
        item.category = static_cast<MemoryCategory>(c[1][i]);
        item.offset = c[2][i];
        item.bytes = c[3][i];
        item.alignment = static_cast<int>(c[4][i]);
        item.livenessClass = static_cast<int>(c[5][i]);
        item.region = static_cast<Region>(c[6][i]);
        item.flags = static_cast<std::uint8_t>(c[7][i]);
        item.group = static_cast<int>(c[8][i]);
        item.gapReason = static_cast<GapReason>(c[9][i]);
    }
    return layout;
}

std::string encodePairs(std::vector<ExchangePair> pairs)
{
    // The remainder, where one is there already, stays last.
    auto const key = [](ExchangePair const &p) { return std::tuple(p.from < 0, -p.bytes, p.from, p.to); };
    std::sort(pairs.begin(), pairs.end(), [&](auto const &a, auto const &b) { return key(a) < key(b); });
    if (pairs.size() > static_cast<std::size_t>(kExchangePairs)) {
        ExchangePair rest{kNone, kNone, 0};
        for (std::size_t i = kExchangePairs; i < pairs.size(); ++i) rest.bytes += pairs[i].bytes;
        pairs.resize(kExchangePairs);
        pairs.push_back(rest);
    }
    Column from, to, bytes;
    for (auto const &p : pairs) {
        from.push_back(p.from);
        to.push_back(p.to);
        bytes.push_back(p.bytes);
    }
    return PackedWriter(pairs.size()).integers(from).integers(to).integers(bytes).finish();
}

Result<std::vector<ExchangePair>> decodePairs(std::string_view blob)
{
    TW_ASSIGN(auto const reader, openWith(blob, 3));
    auto const from = reader.integers(0), to = reader.integers(1), bytes = reader.integers(2);
    if (!fitsInt(from) || !fitsInt(to)) return blobError("an exchange names an impossible tile");
    std::vector<ExchangePair> pairs(from.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        pairs[i] = {static_cast<int>(from[i]), static_cast<int>(to[i]), bytes[i]};
    return pairs;
}

std::string encodeEvents(EventColumns const &events, std::size_t begin, std::size_t end)
{
    auto const part = [&](Column const &column) { return std::span(column).subspan(begin, end - begin); };
    return PackedWriter(end - begin)
        .integers(part(events.start))
        .integers(part(events.duration))
        .integers(part(events.type))
        .integers(part(events.argument))
        .integers(part(events.vec))
        .finish();
}

Result<EventColumns> decodeEvents(std::string_view blob)
{
    TW_ASSIGN(auto const reader, openWith(blob, 5));
    EventColumns events;
    events.start = reader.integers(0);
    events.duration = reader.integers(1);
    events.type = reader.integers(2);
    events.argument = reader.integers(3);
    events.vec = reader.integers(4);
    // Ends of unrolled events stay in range, so that no sum of times overflows.
    constexpr std::int64_t kFar = std::int64_t{1} << 60;
    if (!inRange(events.start, -kFar, kFar) || !inRange(events.duration, 0, kFar))
        return blobError("an event lies outside any time");
    if (!fitsInt(events.type) || !fitsInt(events.vec)) return blobError("an event names an impossible type");
    return events;
}

std::string encodePoints(SeriesPoints const &points, std::size_t begin, std::size_t end)
{
    return PackedWriter(end - begin)
        .integers(std::span(points.x).subspan(begin, end - begin))
        .reals(std::span(points.y).subspan(begin, end - begin))
        .finish();
}

Result<SeriesPoints> decodePoints(std::string_view blob)
{
    TW_ASSIGN(auto const reader, openWith(blob, 2));
    SeriesPoints points;
    points.x = reader.integers(0);
    TW_ASSIGN(points.y, reader.reals(1));
    return points;
}

Result<std::vector<std::int64_t>> decodeIntegers(std::string_view blob)
{
    TW_ASSIGN(auto const reader, openWith(blob, 1));
    return reader.integers(0);
}

Result<std::vector<double>> decodeReals(std::string_view blob)
{
    TW_ASSIGN(auto const reader, openWith(blob, 1));
    return reader.reals(0);
}

} // namespace tilewright::store
