#pragma once

#include "engine/kernels/map_blocks.h"
#include "engine/kernels/support.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Programs over blocks of elements, as elementwise nodes are bound (elementwise.cpp, map_group.cpp). All values are
/// rows x cols; a wide one, rows x (parts cols), is its parts side by side.
namespace tilewright::kernels {

/// Where the elements of a part lie in memory: row r begins at `first` + r `stride`, in elements; a stride of 0 is one row for all.
struct MapPlace {
    std::byte *data = nullptr;
    DType dtype = DType::F32;
    std::int64_t first = 0, stride = 0;
};

template <typename T> class MapProgram {
public:
    /// A part while a block is evaluated; numbered in the order of their making.
    using Reg = int;

    /// Blocks are whole rows where these are short, else pieces of a row.
    MapProgram(std::int64_t rows, std::int64_t cols);

    /// Whether what lies with this stride is read and written where it is, in any block: always where a row follows the other, and
    /// where rows are long enough for loops over each.
    bool isDirect(DType dtype, std::int64_t stride) const;
    /// The elements of `place` as they are when the steps that are added from now on run.
    Reg load(MapPlace const &place);
    /// One element, or one per row, everywhere.
    Reg loadScalar(MapPlace const &place);
    Reg loadColumn(MapPlace const &place);
    /// The result of a primitive. With `direct` it is computed right where it is stored: see isDirect().
    Reg apply(BlockFn<T> fn, std::span<Reg const> args, double p, double q, MapPlace const *direct = nullptr);
    void store(Reg from, MapPlace const &place);

    /// After the last step: `work` is the sum of the primitives' weights (weightOf()).
    Prepared finish(std::int64_t work);

private:
    enum class Kind { Apply, Load, LoadColumn, Store };
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
        MapPlace place;    ///< of a load or a store
        Where from[3], to; ///< once slots are given
        bool once = false; ///< in the first block of a task only
    };

    Reg add(Step step, bool pinned);
    void giveSlots();
    void run(RunContext &ctx) const;
    void runBlocks(std::int64_t first, std::int64_t last, T *buffers, std::uint64_t rounding) const;

    std::int64_t m_rows, m_cols;
    std::int64_t m_blockRows = 1, m_blockCols = 0, m_blocksPerRow = 1;
    std::vector<Step> m_steps;
    std::vector<Where> m_regs;
    std::vector<char> m_pinned; ///< by register: keeps its buffer through a task
    int m_slots = 0;
    Pieces m_blocks;
};

extern template class MapProgram<float>;
extern template class MapProgram<std::int32_t>;

} // namespace tilewright::kernels
