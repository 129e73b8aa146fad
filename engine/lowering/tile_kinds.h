#pragma once

#include "engine/core/by_tile.h"
#include "engine/lowering/memory.h"

#include <numeric>
#include <vector>

namespace tilewright::lowering {

/// Tiles by what is on them: most differ in the compiler's own bytes alone. Time and memory grow with the blocks of the distinct layouts,
/// not with their number times the tiles of all IPUs.
struct TileKinds {
    struct Kind {
        std::size_t variables = 0; ///< tiles with equal ones have equal numbers here
        std::vector<Placement> own;
        std::size_t firstTile = 0;
        std::int64_t tiles = 0;
    };
    std::vector<Kind> kinds;            ///< by layout
    std::vector<std::size_t> firstWith; ///< by number of variables: the first kind
    std::vector<std::int32_t> kindOf;   ///< by tile

    TileKinds(program::Program const &program, Liveness const &liveness, CodeBytes const &code);
    /// What is to be placed: the compiler's bytes, always-live data, the rest; larger first, then by number.
    std::vector<Placement> items(Kind const &kind) const;
    Bytes ownBytes(Kind const &kind) const
    {
        return std::accumulate(kind.own.begin(), kind.own.end(), Bytes{0}, [](Bytes sum, auto const &item) { return sum + item.bytes; });
    }
    /// Values stored for the distinct layouts: one for each tile of their stretches.
    std::int64_t storedValues() const;

private:
    void listByIpu(std::size_t ipus);

    std::size_t m_tilesPerIpu = 1;
    std::vector<Placement> m_ofElement;                    ///< one element of each variable, in the order in which they are placed
    program::Distinct<ByTile<std::int64_t>> m_layoutOf;    ///< by place in that: elements + 1 by tile; 0 = no block
    std::vector<std::vector<std::uint32_t>> m_layoutsOn;   ///< by IPU: rows of m_layoutOf with a block there
    std::vector<std::vector<std::uint32_t>> m_variablesOn; ///< by IPU: places in m_ofElement with a block there
};

/// Peaks of live bytes. Keeps scratch space of one value per step, and visits only the steps near the changes of a tile.
class PeakFinder {
public:
    explicit PeakFinder(Liveness const &liveness);
    /// Peak over the steps, on one tile, and the first step that has it. Always-live items do not count.
    struct Peak {
        Bytes bytes = 0;
        int step = 0;
        bool operator==(Peak const &) const = default;
    };
    Peak peakOf(std::vector<Placement> const &items);

private:
    Liveness const &m_liveness;
    std::vector<Bytes> m_change;       ///< by step; all 0 between calls
    std::vector<unsigned char> m_near; ///< by group of steps: has changes; all 0 between calls
};

} // namespace tilewright::lowering
