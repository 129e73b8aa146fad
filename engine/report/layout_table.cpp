#include "engine/report/layout_table.h"

#include "engine/core/random.h"
#include "engine/report/packed.h"

#include <algorithm>
#include <array>
#include <limits>

namespace tilewright::report {

namespace {

using Column = std::vector<std::int64_t>;

constexpr std::size_t kColumns = 10, kDifferenceColumns = 3;
constexpr std::int64_t kFar = std::int64_t{1} << 36; ///< addresses below it have sums in range

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

/// The items in front: the compiler's own and the first variable, before which the gap may differ.
std::size_t inFront(std::span<LoweredVariable const> layout)
{
    auto const variable = std::ranges::find_if(layout, [](auto const &item) { return item.variable >= 0; });
    return static_cast<std::size_t>(variable - layout.begin()) + (variable == layout.end() ? 0 : 1);
}

struct Difference {
    int base = kNone;
    Bytes shift = 0;
    std::size_t shifted = 0;
    TileLayout front; ///< their offsets, bytes and gap reasons
};

std::string pack(Difference const &difference)
{
    Column offsets, bytes, gaps;
    for (auto const &item : difference.front) {
        offsets.push_back(item.offset);
        bytes.push_back(item.bytes);
        gaps.push_back(static_cast<std::int64_t>(item.gapReason));
    }
    offsets.push_back(difference.base);
    bytes.push_back(difference.shift);
    gaps.push_back(static_cast<std::int64_t>(difference.shifted));
    return PackedWriter(offsets.size()).integers(offsets).integers(bytes).integers(gaps).finish();
}

Result<Difference> readDifference(std::string_view data)
{
    TW_ASSIGN(auto const reader, PackedReader::open(data));
    if (reader.columns() != kDifferenceColumns || reader.items() == 0)
        return layoutError(Message::of("a layout has %1 columns, not %2", reader.columns(), kColumns));
    auto const offsets = reader.integers(0), bytes = reader.integers(1), gaps = reader.integers(2);
    Difference difference;
    difference.front.resize(reader.items() - 1);
    for (std::size_t i = 0; i < difference.front.size(); ++i) {
        auto &item = difference.front[i];
        if (offsets[i] < -kFar || offsets[i] > kFar || bytes[i] < -kFar || bytes[i] > kFar || gaps[i] < 0 || gaps[i] > 4)
            return layoutError(Message::of("the address of a lowered variable is out of range"));
        item.offset = offsets[i];
        item.bytes = bytes[i];
        item.gapReason = static_cast<GapReason>(gaps[i]);
    }
    if (offsets.back() < 0 || offsets.back() > std::numeric_limits<int>::max() || bytes.back() < -kFar || bytes.back() > kFar
        || gaps.back() < 0 || gaps.back() > static_cast<std::int64_t>(kPackedItems))
        return layoutError(Message::of("a layout refers to an impossible one"));
    difference.base = static_cast<int>(offsets.back());
    difference.shift = bytes.back();
    difference.shifted = static_cast<std::size_t>(gaps.back());
    return difference;
}

/// Requires: the layout has the items that the difference names.
void changeBy(Difference const &difference, TileLayout &layout)
{
    auto const front = difference.front.size();
    for (std::size_t i = 0; i < front; ++i) {
        layout[i].offset = difference.front[i].offset;
        layout[i].bytes = difference.front[i].bytes;
        layout[i].gapReason = difference.front[i].gapReason;
    }
    for (std::size_t i = front; i < front + difference.shifted; ++i) layout[i].offset += difference.shift;
}

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

std::uint64_t likenessOf(std::span<LoweredVariable const> layout)
{
    auto const front = inFront(layout);
    std::uint64_t key = mixBits(layout.size() << 32 ^ front);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        auto const &item = layout[i];
        auto const word = static_cast<std::uint64_t>(static_cast<std::uint32_t>(item.variable)) << 32
            ^ static_cast<std::uint64_t>(item.livenessClass) << 8 ^ static_cast<std::uint64_t>(item.category);
        key = mixBits(key ^ word) + (i < front ? 0 : static_cast<std::uint64_t>(item.bytes));
    }
    return key;
}

std::optional<PackedLayout> packDifference(std::span<LoweredVariable const> layout, int number, std::span<LoweredVariable const> base)
{
    if (layout.size() != base.size()) return std::nullopt;
    auto const front = inFront(base);
    Difference difference{number, 0, 0, {layout.begin(), layout.begin() + static_cast<std::ptrdiff_t>(front)}};
    if (front < layout.size()) difference.shift = layout[front].offset - base[front].offset;
    for (auto i = front; difference.shift != 0 && i < layout.size() && layout[i].offset == base[i].offset + difference.shift; ++i)
        ++difference.shifted;
    TileLayout applied(base.begin(), base.end());
    changeBy(difference, applied);
    if (!std::ranges::equal(applied, layout)) return std::nullopt;
    return PackedLayout{pack(difference), static_cast<std::int64_t>(layout.size())};
}

PackedLayout renumbered(PackedLayout const &difference, int number)
{
    auto read = readDifference(difference.data).value();
    read.base = number;
    return {pack(read), difference.items};
}

Result<int> baseOf(std::string_view data)
{
    TW_ASSIGN(auto const reader, PackedReader::open(data));
    if (reader.columns() != kDifferenceColumns) return kNone;
    TW_ASSIGN(auto const difference, readDifference(data));
    return difference.base;
}

Result<TileLayout> unpackDifference(std::string_view data, TileLayout const &base)
{
    TW_ASSIGN(auto const difference, readDifference(data));
    if (difference.front.size() + difference.shifted > base.size())
        return layoutError(Message::of("a layout differs in more items than the layout has that it refers to"));
    auto layout = base;
    changeBy(difference, layout);
    if (!std::ranges::all_of(layout, [](auto const &item) { return item.offset >= -kFar && item.offset <= kFar; }))
        return layoutError(Message::of("the address of a lowered variable is out of range"));
    return layout;
}

void LayoutTable::set(int id, std::span<LoweredVariable const> changed)
{
    for (int other = 0; other < size(); ++other)
        if (baseOf(packed(other).data).value() == id) m_layouts[static_cast<std::size_t>(other)] = packLayout(layout(other));
    m_layouts[static_cast<std::size_t>(id)] = packLayout(changed);
}

TileLayout LayoutTable::layout(int id) const
{
    TW_CHECK(id >= 0 && id < size(), "no such layout");
    auto const &data = packed(id).data;
    int const base = baseOf(data).value();
    if (base < 0) return unpackLayout(data).value();
    TW_CHECK(base < size(), "a layout differs from one that is not there");
    return unpackDifference(data, unpackLayout(packed(base).data).value()).value();
}

} // namespace tilewright::report
