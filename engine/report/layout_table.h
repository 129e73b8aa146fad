#pragma once

#include "engine/core/result.h"
#include "engine/report/memory_tables.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::report {

/// A layout in the packed form of the file, which takes a fraction of the memory. A complete one has the columns variable, category,
/// offset, bytes, alignment, class, region, flags, group and gap reason. Tiles that hold the same variables differ only in the compiler's
/// own bytes, which lie in front and shift the rest: such a layout is a difference from a complete one. It has the columns offset, bytes
/// and gap reason of the items in front, and a last item: the number of the complete layout, the shift in bytes, and the number of items
/// behind those in front that are shifted.
struct PackedLayout {
    std::string data;
    std::int64_t items = 0;
    bool operator==(PackedLayout const &) const = default;
};

PackedLayout packLayout(std::span<LoweredVariable const> layout);
/// Equal for layouts that may be a difference from each other.
std::uint64_t likenessOf(std::span<LoweredVariable const> layout);
/// `layout` as a difference from `base`, a complete layout of this number; nullopt if it differs in more.
std::optional<PackedLayout> packDifference(std::span<LoweredVariable const> layout, int number, std::span<LoweredVariable const> base);
/// The same difference from the layout with another number. Requires: a difference.
PackedLayout renumbered(PackedLayout const &difference, int number);
/// The number of the layout from which this one differs; kNone: it is complete. Error: as of unpackLayout.
Result<int> baseOf(std::string_view data);
/// Of a complete layout. Checks codes and column lengths. Errors are Data, code "report.packed" or "report.blob".
Result<TileLayout> unpackLayout(std::string_view data);
/// Of a difference.
Result<TileLayout> unpackDifference(std::string_view data, TileLayout const &base);

/// The distinct tile layouts by number. They stay packed: they are the largest part of a large model's report, and most readers look at one
/// tile.
class LayoutTable {
public:
    LayoutTable() = default;
    LayoutTable(std::initializer_list<TileLayout> layouts)
    {
        for (auto const &layout : layouts) add(layout);
    }

    void add(PackedLayout layout) { m_layouts.push_back(std::move(layout)); }
    void add(std::span<LoweredVariable const> layout) { add(packLayout(layout)); }
    /// Layouts that are a difference from this one keep their items.
    void set(int id, std::span<LoweredVariable const> layout);
    int size() const { return static_cast<int>(m_layouts.size()); }
    PackedLayout const &packed(int id) const { return m_layouts[static_cast<std::size_t>(id)]; }
    /// Unpacks. Requires: 0 <= id < size().
    TileLayout layout(int id) const;
    bool operator==(LayoutTable const &) const = default;

private:
    std::vector<PackedLayout> m_layouts;
};

} // namespace tilewright::report
