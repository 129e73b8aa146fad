#pragma once

#include "engine/lowering/memory.h"

#include <optional>
#include <vector>

namespace tilewright::lowering {

/// Addresses in use, merged where they meet.
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

/// First-fit over one tile: each item at the lowest address with room beside everything that is live at the same time.
/// What is in the way is found by time: steps in stretches of sixteen, and a tree over the stretches. A node keeps what
/// is live all over it, and what is live anywhere in it; only in the stretches where an item begins and ends are its
/// neighbours looked at one by one. So most of what a large program has on a tile is never looked at. What is live now and
/// then (the bodies of functions, the tasks of a pipeline) is looked at by class: whether two classes meet is found out once
/// for all tiles, when two of them first share one. Where that is most of a tile, everything there is walked through by address instead.
class TilePlacer {
public:
    TilePlacer(Liveness const &liveness, target::Chip const &chip);

    /// In the order of the items. Requires: alignments are multiples of 8 bytes.
    TileLayout place(std::vector<Placement> items);
    /// What `place` makes of `own` and then the variables of `placed`, without looking for room again: where a tile's own
    /// bytes (always live, below everything else) are the only difference to a tile that is placed already, everything above
    /// them moves by as much, and what is interleaved stays. None where something would cross the border of the regions, or an
    /// alignment is another than what it is by default (16 where interleaved).
    std::optional<TileLayout> moved(TileLayout const &placed, std::vector<Placement> own) const;

private:
    using Range = AddressRanges::Range;
    /// From the first to the last step of a class; most are live all the while between.
    struct Span {
        int begin = 0, end = 0;
        bool whole = true;
    };
    struct Taken {
        Range range;
        Span span;
    };
    /// All that is taken by one class.
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
    /// Calls `edge` for the stretches that a span covers in part, `cover` for the nodes that make up the others, and once for each
    /// node above any of them `above`.
    template <typename Edge, typename Cover, typename Above>
    void divide(Span const &span, Edge const &edge, Cover const &cover, Above const &above) const;

    Liveness const &m_liveness;
    target::Chip const &m_chip;
    std::vector<Span> m_spans;               ///< by liveness class
    std::size_t m_leaves = 1;                ///< stretches, a power of two
    AddressRanges m_always;                  ///< what is always live
    std::vector<AddressRanges> m_all, m_any; ///< by node: live at all its steps; live at one of them
    std::vector<std::vector<Taken>> m_edges; ///< by stretch: what begins or ends in it
    std::vector<Group> m_scattered, m_whole; ///< what is live now and then; all the while from its first step to its last
    std::vector<std::int32_t> m_groupOf;     ///< by class: its place in the one or the other, -1 = nothing is taken yet
    struct Entry {
        Range range;
        std::int32_t livenessClass = 0;
    };
    bool m_byAddress = false;
    std::vector<Entry> m_entries; ///< everything that is taken, by address; else empty
    /// Of a class with those that come behind it: whether they meet, where that was asked for. Empty until something was.
    struct Meetings {
        std::vector<bool> known, meets;
    };
    std::vector<Meetings> m_meetings; ///< by class
    std::vector<Range> m_obstacles;   ///< of the item at hand, by address, without what is always live
};

} // namespace tilewright::lowering
