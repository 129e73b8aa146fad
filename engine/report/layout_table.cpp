#include "engine/report/layout_table.h"

#include "engine/report/packed.h"

#include <algorithm>
#include <array>
#include <limits>

namespace tilewright::report {

namespace {

using Column = std::vector<std::int64_t>;

constexpr std::size_t kColumns = 10;

Diagnostic layoutError(Message what)
{
    return makeError(ErrorKind::Data, "report.blob", "report block", std::move(what),
                     Message::of("The file is damaged; write the report again."));
}

bool inRange(Column const &column, std::int64_t low, std::int64_t high)
{
    return std::all_of(column.begin(), column.end(), [&](std::int64_t v) { return v >= low && v <= high; });
}

bool fitsInt(Column const &column) { return inRange(column, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()); }

} // namespace

PackedLayout packLayout(std::span<LoweredVariable const> layout)
{
    PackedWriter writer(layout.size());
    Column column(layout.size());
    auto const add = [&](auto LoweredVariable::*member) {
        for (std::size_t i = 0; i < layout.size(); ++i) column[i] = static_cast<std::int64_t>(layout[i].*member);
        writer.integers(column);
    };
    add(&LoweredVariable::variable);
    add(&LoweredVariable::category);
    add(&LoweredVariable::offset);
    add(&LoweredVariable::bytes);
    add(&LoweredVariable::alignment);
    add(&LoweredVariable::livenessClass);
    add(&LoweredVariable::region);
    add(&LoweredVariable::flags);
    add(&LoweredVariable::group);
    add(&LoweredVariable::gapReason);
    return {writer.finish(), static_cast<std::int64_t>(layout.size())};
}

Result<TileLayout> unpackLayout(std::string_view data)
{
    TW_ASSIGN(auto const reader, PackedReader::open(data));
    if (reader.columns() != kColumns) return layoutError(Message::of("a layout has %1 columns, not %2", reader.columns(), kColumns));
    std::array<Column, kColumns> c;
    for (std::size_t i = 0; i < kColumns; ++i) c[i] = reader.integers(i);
    if (!fitsInt(c[0]) || !fitsInt(c[4]) || !fitsInt(c[5]) || !fitsInt(c[8]))
        return layoutError(Message::of("a lowered variable has an impossible id"));
    if (!inRange(c[1], 0, kMemoryCategories - 1) || !inRange(c[6], 0, 2) || !inRange(c[7], 0, 255) || !inRange(c[9], 0, 4))
        return layoutError(Message::of("a lowered variable has an unknown category, region, flag or gap reason"));
    constexpr std::int64_t kFar = std::int64_t{1} << 36; // sums of offsets and sizes stay in range
    if (!inRange(c[2], -kFar, kFar) || !inRange(c[3], -kFar, kFar))
        return layoutError(Message::of("the address of a lowered variable is out of range"));
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

TileLayout LayoutTable::layout(int id) const
{
    TW_CHECK(id >= 0 && id < size(), "no such layout");
    return unpackLayout(packed(id).data).value();
}

} // namespace tilewright::report
