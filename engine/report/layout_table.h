#pragma once

#include "engine/core/result.h"
#include "engine/report/memory_tables.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::report {

/// A layout as the file holds it, which takes a fraction of the memory. Columns: variable, category, offset, bytes, alignment,
/// class, region, flags, group, gap reason.
struct PackedLayout {
    std::string data;
    std::int64_t items = 0;
    bool operator==(PackedLayout const &) const = default;
};

PackedLayout packLayout(std::span<LoweredVariable const> layout);
/// Checks what it reads: codes known, columns counted. Errors are Data, code "report.packed" or "report.blob".
Result<TileLayout> unpackLayout(std::string_view data);

/// What lies on the tiles, each content under a number. Kept packed: of a large model it is the largest part of a report, and
/// hardly anybody looks at more than one tile.
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
