#include "engine/store/blobs.h"

#include "engine/report/packed.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

namespace tilewright::store {

using namespace report;

namespace {

using Column = std::vector<std::int64_t>;

Diagnostic blobError(Message what)
{
    return makeError(ErrorKind::Data, "report.blob", "report block", std::move(what),
                     Message::of("The file is damaged; write the report again."));
}

Result<PackedReader> openWith(std::string_view blob, std::size_t columns)
{
    TW_ASSIGN(auto reader, PackedReader::open(blob));
    if (reader.columns() != columns) return blobError(Message::of("a block has %1 columns, not %2", reader.columns(), columns));
    return reader;
}

bool fitsInt(Column const &column)
{
    return std::all_of(column.begin(), column.end(),
                       [](std::int64_t v) { return v >= std::numeric_limits<int>::min() && v <= std::numeric_limits<int>::max(); });
}

bool inRange(Column const &column, std::int64_t low, std::int64_t high)
{
    return std::all_of(column.begin(), column.end(), [&](std::int64_t v) { return v >= low && v <= high; });
}

} // namespace

std::string encodePairs(std::span<ExchangePair const> pairs)
{
    // The remainder, where one is there already, stays last.
    auto const before = [](ExchangePair const &a, ExchangePair const &b) {
        auto const key = [](ExchangePair const &p) { return std::tuple(p.from < 0, -p.bytes, p.from, p.to); };
        return key(a) < key(b);
    };
    std::vector<ExchangePair> sorted; // a compile hands them over in order
    if (!std::is_sorted(pairs.begin(), pairs.end(), before)) {
        sorted.assign(pairs.begin(), pairs.end());
        std::sort(sorted.begin(), sorted.end(), before);
        pairs = sorted;
    }
    auto const kept = std::min(pairs.size(), static_cast<std::size_t>(kExchangePairs));
    bool const cut = kept < pairs.size();
    Bytes rest = 0;
    for (auto const &pair : pairs.subspan(kept)) rest += pair.bytes;
    PackedWriter writer(kept + cut);
    Column column(kept + cut);
    auto const add = [&](auto ExchangePair::*member, std::int64_t ofRest) {
        for (std::size_t i = 0; i < kept; ++i) column[i] = pairs[i].*member;
        if (cut) column.back() = ofRest;
        writer.integers(column);
    };
    add(&ExchangePair::from, kNone);
    add(&ExchangePair::to, kNone);
    add(&ExchangePair::bytes, rest);
    return writer.finish();
}

Result<std::vector<ExchangePair>> decodePairs(std::string_view blob)
{
    TW_ASSIGN(auto const reader, openWith(blob, 3));
    auto const from = reader.integers(0), to = reader.integers(1), bytes = reader.integers(2);
    if (!fitsInt(from) || !fitsInt(to)) return blobError(Message::of("an exchange names an impossible tile"));
    std::vector<ExchangePair> pairs(from.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {static_cast<int>(from[i]), static_cast<int>(to[i]), bytes[i]};
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
        return blobError(Message::of("the time of an event is out of range"));
    if (!fitsInt(events.type) || !fitsInt(events.vec)) return blobError(Message::of("an event names an impossible type"));
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

std::string encodeIntegers(std::span<std::int64_t const> values)
{
    auto plain = PackedWriter(values.size()).integers(values).finish();
    std::vector<std::int64_t> lengths, runs;
    for (auto const value : values) {
        if (runs.empty() || runs.back() != value) {
            if (2 * runs.size() >= values.size()) return plain;
            lengths.push_back(0);
            runs.push_back(value);
        }
        ++lengths.back();
    }
    auto inRuns = PackedWriter(runs.size()).integers(lengths).integers(runs).finish();
    return inRuns.size() < plain.size() ? inRuns : plain;
}

Result<std::vector<std::int64_t>> decodeIntegers(std::string_view blob)
{
    TW_ASSIGN(auto const reader, PackedReader::open(blob));
    if (reader.columns() != 2) {
        TW_ASSIGN(auto const plain, openWith(blob, 1));
        return plain.integers(0);
    }
    auto const lengths = reader.integers(0), runs = reader.integers(1);
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (lengths[i] < 1 || lengths[i] > static_cast<std::int64_t>(kPackedItems - values.size()))
            return blobError(Message::of("a run is empty or longer than a block may be"));
        values.insert(values.end(), static_cast<std::size_t>(lengths[i]), runs[i]);
    }
    return values;
}

Result<std::vector<double>> decodeReals(std::string_view blob)
{
    TW_ASSIGN(auto const reader, openWith(blob, 1));
    return reader.reals(0);
}

} // namespace tilewright::store
