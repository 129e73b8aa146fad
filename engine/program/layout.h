#pragma once

#include "engine/core/types.h"

#include <array>
#include <functional>
#include <vector>

namespace tilewright::program {

/// What the group dimension of a layout stands for.
enum class Groups : std::uint8_t {
    None,     ///< one group
    Copies,   ///< equal copies of the tensor for several readers
    Partials, ///< addends: the tensor is the sum (or maximum) over groups
    Columns,  ///< the tensor's columns are cut into groups, one after the other, which share tiles
    Ring      ///< slots of a first-in-first-out buffer
};

/// A box of a layout: half-open ranges of groups, rows and columns.
struct Box {
    std::int64_t g0 = 0, g1 = 1, r0 = 0, r1 = 1, c0 = 0, c1 = 1;
    std::int64_t groups() const { return g1 - g0; }
    std::int64_t rows() const { return r1 - r0; }
    std::int64_t cols() const { return c1 - c0; }
    std::int64_t elements() const { return groups() * rows() * cols(); }
    bool operator==(Box const &) const = default;
};

/// How a tensor of rows x cols lies on the tiles of one IPU: its index space [group][row][col] is cut
/// into equal blocks (smaller ones at the far edges), and block (i, j, k) is on tile
/// ipu * tiles + (first + i s0 + j s1 + k s2) mod tiles. A tile holds at most one block, stored row-major.
/// That is a whole family of placements in a few numbers; it is expanded only to execute or to look.
struct Layout {
    Groups kind = Groups::None;
    std::array<std::int64_t, 3> extent{1, 1, 1}; ///< groups, rows, cols
    std::array<std::int64_t, 3> block{1, 1, 1};
    std::array<std::int32_t, 3> stride{0, 0, 0}; ///< tiles from one block to the next
    std::int32_t first = 0;
    std::int32_t tiles = 1; ///< of the IPU
    std::int32_t ipu = 0;   ///< of the replica

    bool operator==(Layout const &) const = default;

    std::int64_t count(int d) const { return ceilDiv(extent[static_cast<std::size_t>(d)], block[static_cast<std::size_t>(d)]); }
    std::int64_t blocks() const { return count(0) * count(1) * count(2); }
    std::int64_t elements() const { return extent[0] * extent[1] * extent[2]; }
    int tileOf(std::int64_t i, std::int64_t j, std::int64_t k) const
    {
        auto const at = first + i * stride[0] + j * stride[1] + k * stride[2];
        return static_cast<int>(ipu * tiles + at % tiles);
    }
    Box boxOf(std::int64_t i, std::int64_t j, std::int64_t k) const;
    /// Columns of the tensor itself (Columns: all groups together).
    std::int64_t tensorCols() const { return kind == Groups::Columns ? extent[0] * extent[2] : extent[2]; }
    std::int64_t tensorRows() const { return extent[1]; }
};

/// One block and where it is.
struct Placed {
    int tile = 0;
    Box box;
};

/// All blocks, in block order (group, row, col).
std::vector<Placed> placements(Layout const &layout);
/// By tile of the replica (0 … tilesTotal-1): the block's number in placements(), or -1.
std::vector<std::int32_t> blockByTile(Layout const &layout, int tilesTotal);
/// Whether no two blocks share a tile.
bool isInjective(Layout const &layout);

/// Rows x cols dealt over the tiles row-major with at least `grainBytes` a tile (Poplar's linear mapping:
/// 128 bytes, grain of the vector width). Whole rows stay together where several fit a tile.
Layout linearLayout(std::int64_t rows, std::int64_t cols, DType type, int tiles, int ipu, int first, Bytes grainBytes = 128);
/// Whole rows on one tile each, for row-wise operations (softmax).
Layout rowLayout(std::int64_t rows, std::int64_t cols, int tiles, int ipu, int first);
/// A tensor whole on one tile.
Layout singleTile(std::int64_t rows, std::int64_t cols, int tiles, int ipu, int tile);

std::string toText(Layout const &layout);

} // namespace tilewright::program
