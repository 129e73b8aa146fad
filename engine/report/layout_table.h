#pragma once

#include "engine/core/result.h"
#include "engine/report/memory_tables.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::report {

/// A layout in the packed form of the file, which takes a fraction of the memory. Columns: variable, category, offset, bytes, alignment,
/// class, region, flags, group, gap reason.
struct PackedLayout {
    std::string data;
    std::int64_t items = 0;
    bool operator==(PackedLayout const &) const = default;
};

PackedLayout packLayout(std::span<LoweredVariable const> layout);
/// Checks codes and column lengths. Errors are Data, code "report.packed" or "report.blob".
Result<TileLayout> unpackLayout(std::string_view data);

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
    void set(int id, std::span<LoweredVariable const> layout) { m_layouts[static_cast<std::size_t>(id)] = packLayout(layout); }
    int size() const { return static_cast<int>(m_layouts.size()); }
    PackedLayout const &packed(int id) const { return m_layouts[static_cast<std::size_t>(id)]; }
    /// Unpacks. Requires: 0 <= id < size().
    TileLayout layout(int id) const;
    bool operator==(LayoutTable const &) const = default;

private:
    std::vector<PackedLayout> m_layouts;
};

} // namespace tilewright::report
