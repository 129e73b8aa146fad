#pragma once

#include "engine/lowering/memory.h"

#include <optional>
#include <vector>

namespace tilewright::lowering {

/// Used addresses as merged ranges.
class AddressRanges {
public:
    struct Range {
        Bytes begin = 0, end = 0;
    };
    void add(Range range);
    void clear() { m_ranges.clear(); }
    std::vector<Range> const &list() const { return m_ranges; } ///< by address

private:
    std::vector<Range> m_ranges;
};

/// First-fit over one tile: each item gets the lowest address with room beside everything live at the same time. Obstacles are found by
/// time: steps are grouped in stretches of sixteen, with a tree over the stretches. A node of the tree stores what is live during all of
/// it, and what is live anywhere in it. Single items are examined only in the stretches where an item begins or ends, so most items of a
/// large program are never visited. Items with scattered lifetimes (bodies of functions, tasks of a pipeline) are handled by class: whether
/// two classes overlap is computed once for all tiles, when they first meet. If most items of a tile are of that kind, all are scanned by
/// address instead.
class TilePlacer {
public:
    TilePlacer(Liveness const &liveness, target::Chip const &chip);

    /// Places the items in order. Requires: alignments are multiples of 8 bytes.
    TileLayout place(std::vector<Placement> items);
    /// The result of `place` for `own` followed by the variables of `placed`, without a new search. If a tile differs from a placed tile
    /// only in its own bytes (always live, below everything else), all items above them shift by the difference, and interleaved items
    /// stay. nullopt if an item would cross the border of the regions, or if an alignment differs from the default (16 if interleaved).
    std::optional<TileLayout> moved(TileLayout const &placed, std::vector<Placement> own) const;

private:
    using Range = AddressRanges::Range;
    /// First to last step of a class; most classes are live throughout.
    struct Span {
        int begin = 0, end = 0;
        bool whole = true;
    };
    struct Taken {
        Range range;
        Span span;
    };
    /// All ranges taken by one class.
    struct Group {
        std::int32_t livenessClass = 0;
        AddressRanges ranges;
    };

    void reset(std::vector<Placement> const &items);
    void placeOne(Placement &item);
    void collect(Placement const &item);
    void collectDuring(Span const &span);
    Bytes find(Placement const &item, Bytes from, Bytes to);
    Bytes findByAddress(Placement const &item, Bytes from, Bytes to);
    void take(Placement const &item);
    bool meet(std::int32_t a, std::int32_t b) const;
    bool together(std::int32_t a, std::int32_t b);
    void explainGaps(std::vector<Placement> &items) const;
    /// Calls `edge` for the stretches partly covered by a span, `cover` for the nodes of the fully covered ones, and `above` once for each
    /// node above them.
    template <typename Edge, typename Cover, typename Above>
    void divide(Span const &span, Edge const &edge, Cover const &cover, Above const &above) const;

    Liveness const &m_liveness;
    target::Chip const &m_chip;
    std::vector<Span> m_spans;                         ///< by liveness class
    std::size_t m_leaves = 1;                          ///< stretches, a power of two
    AddressRanges m_always;                            ///< always-live ranges
    std::vector<AddressRanges> m_all, m_any;           ///< by node: live at all its steps; live at one of them
    std::vector<std::vector<Taken>> m_edges;           ///< by stretch: ranges whose lifetime begins or ends in it
    std::vector<std::size_t> m_usedNodes, m_usedEdges; ///< nodes and stretches of the current tile that hold ranges
    std::vector<Group> m_scattered, m_whole;           ///< classes with scattered lifetimes; classes live throughout
    std::vector<std::int32_t> m_groupOf;               ///< by class: index in one of them, -1 = nothing taken yet
    struct Entry {
        Range range;
        std::int32_t livenessClass = 0;
    };
    bool m_byAddress = false;
    std::vector<Entry> m_entries; ///< all taken ranges by address; otherwise empty
    /// Known overlaps of a class with later classes. Empty until the first query.
    struct Meetings {
        std::vector<bool> known, meets;
    };
    std::vector<Meetings> m_meetings; ///< by class
    std::vector<Range> m_obstacles;   ///< of the current item, by address, without always-live ranges
};

} // namespace tilewright::lowering
