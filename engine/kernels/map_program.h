#pragma once

#include "engine/graph/axes.h"
#include "engine/kernels/map_blocks.h"
#include "engine/kernels/support.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Programs over blocks of elements, to which elementwise nodes are bound (elementwise.cpp, map_group.cpp). All values are rows x cols; a
/// wide value, rows x (parts cols), consists of its parts side by side.
namespace tilewright::kernels {

/// Memory of a part: row r begins at `first` + r `stride`, in elements. A stride of 0 is one row for all.
struct MapPlace {
    std::byte *data = nullptr;
    DType dtype = DType::F32;
    std::int64_t first = 0, stride = 0;
};

template <typename T> class MapProgram {
public:
    /// A part during the evaluation of a block, numbered in order of creation.
    using Reg = int;

    /// Blocks are whole rows if rows are short, else pieces of a row.
    MapProgram(std::int64_t rows, std::int64_t cols);

    /// Whether data with this stride are read and written in place, in any block: if rows are contiguous, or long enough for a loop over
    /// each.
    bool isDirect(DType dtype, std::int64_t stride) const;
    /// Loads the elements of `place` at this point of the program.
    Reg load(MapPlace const &place);
    /// One element, or one per row, everywhere.
    Reg loadScalar(MapPlace const &place);
    Reg loadColumn(MapPlace const &place);
    /// Any other broadcast: for each row, the loops over rows give its element in `place`; then a run of elements, or (`one`) one element.
    Reg loadRows(MapPlace const &place, std::vector<graph::BroadcastLoop> loops, bool one);
    /// The result of a primitive. With `direct` it is computed directly in its storage: see isDirect().
    Reg apply(BlockFn<T> fn, std::span<Reg const> args, double p, double q, MapPlace const *direct = nullptr);
    void store(Reg from, MapPlace const &place);

    /// Call after the last step. `work`: sum of the primitives' weights (weightOf()).
    Prepared finish(std::int64_t work);

private:
    enum class Kind { Apply, Load, LoadColumn, LoadRows, Store };
    struct Where { ///< a block buffer, or a place in memory
        int slot = -1;
        MapPlace place;
    };
    struct Step {
        Kind kind = Kind::Apply;
        BlockFn<T> fn = nullptr;
        int arity = 0;
        Reg args[3] = {-1, -1, -1};
        Reg out = -1;
        double p = 0, q = 0;
        MapPlace place;                               ///< of a load or a store
        Where from[3], to;                            ///< valid once slots are assigned
        bool once = false;                            ///< only in the first block of a task
        std::vector<graph::BroadcastLoop> loops = {}; ///< over the rows of a LoadRows
        bool one = false;                             ///< whether its rows are one element each
    };

    Reg add(Step step, bool pinned);
    void giveSlots();
    void run(RunContext &ctx) const;
    void runBlocks(std::int64_t first, std::int64_t last, T *buffers, std::uint64_t rounding) const;

    std::int64_t m_rows, m_cols;
    std::int64_t m_blockRows = 1, m_blockCols = 0, m_blocksPerRow = 1;
    std::vector<Step> m_steps;
    std::vector<Where> m_regs;
    std::vector<char> m_pinned; ///< by register: keeps its buffer during a task
    int m_slots = 0;
    Pieces m_blocks;
};

extern template class MapProgram<float>;
extern template class MapProgram<std::int32_t>;

} // namespace tilewright::kernels
