#include "engine/data/windows.h"

#include <cstring>

namespace tilewright::data {

namespace {

/// Copies `length` records from each start.
Result<DataArray> gather(DataArray const &from, std::int64_t windows, std::int64_t first, std::int64_t stride, std::int64_t length)
{
    Shape shape{windows};
    if (length > 1) shape.push_back(length);
    for (auto const extent : from.sampleShape()) shape.push_back(extent);
    auto const name = from.origin.name();
    TW_ASSIGN(auto const bytes, checkedBytes(shape, sizeOf(from.dtype), name));
    TW_TRY(checkElements(shape, name));
    TW_ASSIGN(auto const memory, allocateBytes(bytes, name));
    from.makeRecords(0, from.count());
    auto const each = from.sampleBytes();
    for (std::int64_t i = 0; i < windows; ++i)
        std::memcpy(memory.get() + i * length * each, from.bytes.get() + (first + i * stride) * each,
                    static_cast<std::size_t>(length * each));
    DataArray array{from.dtype, std::move(shape), memory, {}};
    array.origin.file = from.origin.file;
    array.origin.entry = from.origin.entry;
    array.input = from.input;
    return array;
}

} // namespace

Status cutWindows(Windows const &windows, DataArray &x, DataArray &y)
{
    auto const needed = windows.window + (y.empty() ? 0 : windows.horizon);
    if (x.count() < needed)
        return dataError(
            "data.window.short", x.origin.name(),
            Message::of("the series has %1 records, but a window of %2 with its label needs %3", x.count(), windows.window, needed),
            Message::of("Use a smaller data.window or data.horizon."));
    auto const count = (x.count() - needed) / windows.stride + 1;
    auto const label = windows.window - 1 + windows.horizon;
    if (!y.empty()) {
        for (auto &other : y.beside) { TW_ASSIGN(other, gather(other, count, label, windows.stride, 1)); }
        auto beside = std::move(y.beside);
        TW_ASSIGN(y, gather(y, count, label, windows.stride, 1));
        y.beside = std::move(beside);
    }
    TW_ASSIGN(x, gather(x, count, 0, windows.stride, windows.window));
    return {};
}

} // namespace tilewright::data
