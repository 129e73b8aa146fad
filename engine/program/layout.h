#pragma once

#include "engine/core/types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::program {

/// Dimensions of a layout, those of the tensor and of the placement together.
inline constexpr int kMaxDims = 6;

/// What a dimension of a layout runs over.
enum class DimKind : std::uint8_t {
    Index,  ///< of the tensor: its elements are numbered row-major over all of these, in their order
    Copy,   ///< equal copies for several readers, each on a tile of its own
    Addend, ///< the tensor is the sum (or maximum) over them
    Slot    ///< of a first-in-first-out buffer
};

/// One dimension cut into `count` blocks, from one tile to the next in a stride. Block i holds what lies inside the
/// extent of [i step - before, i step - before + block): with step == block and before == 0 every element once
/// (storage), else overlapping blocks, the halo of a window. What lies outside the extent is stored nowhere.
struct Dim {
    DimKind kind = DimKind::Index;
    std::int64_t extent = 1;
    std::int64_t block = 1;
    std::int64_t step = 1;   ///< from the beginning of a block to that of the next
    std::int64_t before = 0; ///< how far a block reaches back
    std::int64_t count = 1;  ///< blocks
    std::int32_t stride = 0; ///< tiles from one block to the next
    std::int32_t group = 1;  ///< elements that lie side by side, innermost in the block; see Layout::order
    bool operator==(Dim const &) const = default;

    bool overlaps() const { return step != block || before != 0; }
    std::int64_t begin(std::int64_t i) const { return std::max<std::int64_t>(0, i * step - before); }
    std::int64_t end(std::int64_t i) const { return std::min(extent, i * step - before + block); }
    std::int64_t size(std::int64_t i) const { return end(i) - begin(i); }
    /// Block from which element x is read, and where the part of the block that is read for it ends.
    std::int64_t owner(std::int64_t x) const { return std::min(x / step, count - 1); }
    std::int64_t ownedEnd(std::int64_t i) const { return i + 1 == count ? end(i) : std::min(extent, (i + 1) * step); }
};

/// An extent cut into equal blocks, the last as large as what is left.
Dim cut(std::int64_t extent, std::int64_t block, std::int64_t stride, DimKind kind = DimKind::Index);
/// `count` overlapping blocks.
Dim window(std::int64_t extent, std::int64_t block, std::int64_t step, std::int64_t before, std::int64_t count, std::int64_t stride);

/// Consecutive tiles of one IPU, in numbers of the replica.
struct TileSet {
    std::int32_t begin = 0;
    std::int32_t count = 1;
    std::int32_t ipu = 0;
    bool operator==(TileSet const &) const = default;
};

/// A box of a layout: a half-open range in each of its dimensions.
struct Box {
    struct Range {
        std::int64_t begin = 0, end = 1;
        std::int64_t size() const { return end - begin; }
        bool operator==(Range const &) const = default;
    };
    std::array<Range, kMaxDims> range;
    std::int64_t size(int d) const { return range[static_cast<std::size_t>(d)].size(); }
    std::int64_t elements() const
    {
        std::int64_t n = 1;
        for (auto const &r : range) n *= r.size();
        return n;
    }
    bool operator==(Box const &) const = default;
};

/// One number for each dimension.
using Coords = std::array<std::int64_t, kMaxDims>;

/// How a tensor lies on a set of tiles: each dimension is cut into blocks, and block (i, j, …) is on tile
/// on.begin + (first + i stride_0 + j stride_1 + …) mod on.count. A tile holds at most one block. That is a whole
/// family of placements in a few numbers; it is expanded only to execute or to look.
///
/// The bytes of a block: the dimensions in `order`, outermost first, those with a group counted in groups; then,
/// innermost, what is inside the groups, in the same order. [C/16][y][x][16] is order (C, y, x) with C in groups of
/// 16. A last group that is not full takes only its own room.
struct Layout {
    TileSet on;
    std::int32_t first = 0; ///< of the set: where block 0 is
    std::int32_t rank = 0;
    std::array<Dim, kMaxDims> dims;
    std::array<std::uint8_t, kMaxDims> order{0, 1, 2, 3, 4, 5};

    bool operator==(Layout const &) const = default;

    Dim &dim(int d) { return dims[static_cast<std::size_t>(d)]; }
    Dim const &dim(int d) const { return dims[static_cast<std::size_t>(d)]; }
    void add(Dim const &dim);
    /// Puts a dimension before all others; in the bytes of a block it is the outermost as well.
    void addOuter(Dim const &dim);

    std::int64_t blocks() const;
    std::int64_t elements() const;      ///< of all copies, addends and slots
    std::int64_t indexElements() const; ///< of the tensor
    std::int64_t blockElements() const; ///< of a whole block
    /// Number of copies.
    std::int64_t copies() const;
    /// The addends or slots, of which there is one dimension at most: its number, or -1; and how many they are.
    int partDim() const;
    std::int64_t parts() const { return partDim() < 0 ? 1 : dim(partDim()).extent; }
    bool has(DimKind kind) const;

    // The tensor as a matrix: columns are its last index dimension, rows all others.
    int colDim() const;
    Dim &col() { return dim(colDim()); }
    Dim const &col() const { return dim(colDim()); }
    Dim &row() { return dim(colDim() - 1); }
    Dim const &row() const { return dim(colDim() - 1); }
    std::int64_t cols() const { return col().extent; }
    std::int64_t rows() const { return indexElements() / cols(); }
    /// Exactly two dimensions, rows and columns, whose blocks are storage in row-major order.
    bool isMatrix() const;

    /// The dimensions of the tensor alone, stored once each, row-major, the last of `cols` elements: rows x cols whose
    /// rows have dimensions of their own.
    bool isRowsOf(std::int64_t cols) const;
    /// Whether the blocks of these dimensions, [begin, end), lie in one stride of tiles, the last fastest; and that stride.
    std::optional<std::int64_t> strideOver(int begin, int end) const;

    bool isGrouped() const;
    /// The bytes of a block lie in the order of its dimensions.
    bool isRowMajor() const;

    /// Place in the set (before the tiles begin anew) of a block.
    std::int64_t place(Coords const &block) const;
    int tileAt(std::int64_t place) const { return static_cast<int>(on.begin + place % on.count); }
    int tileOf(Coords const &block) const { return tileAt(place(block)); }
    Box boxOf(Coords const &block) const;
    /// Position of an element among those of a block of these sizes; `at` counts from the block's corner.
    std::int64_t offsetOf(Coords const &sizes, Coords const &at) const;
    /// How far the copies lie from the first one; {0} without copies.
    std::vector<std::int64_t> copyShifts() const;

    template <typename Visit> void forEachBlock(Visit const &visit) const
    {
        Coords at{};
        for (std::int64_t n = blocks(); n > 0; --n) {
            visit(static_cast<Coords const &>(at));
            for (int d = rank; d-- > 0;) {
                auto const i = static_cast<std::size_t>(d);
                if (++at[i] < dims[i].count) break;
                at[i] = 0;
            }
        }
    }
};

/// What a codelet for matrices sees of a block: groups (copies, addends, slots) of rows x cols, and where they begin.
struct MatrixBlock {
    std::int64_t groups = 1, rows = 1, cols = 1;
    std::int64_t row0 = 0, col0 = 0;
    std::int64_t elements() const { return groups * rows * cols; }
};
MatrixBlock matrixOf(Layout const &layout, Box const &box);

/// One block and where it is.
struct Placed {
    int tile = 0;
    Box box;
};

/// All blocks, in block order (row-major over the dimensions).
std::vector<Placed> placements(Layout const &layout);
/// By tile of the replica (0 … tilesTotal-1): the block's number in placements(), or -1.
std::vector<std::int32_t> blockByTile(Layout const &layout, int tilesTotal);

/// Tiles whose blocks have the same sizes are one class: priced, sized and shown once.
struct TileClasses {
    std::vector<std::int16_t> ofTile; ///< by tile of the replica; -1 = no block
    std::vector<Box> box;             ///< by class: its first block
};
TileClasses tileClasses(Layout const &layout, int tilesTotal);

/// Whether no two blocks share a tile.
bool isInjective(Layout const &layout);
/// Why the blocks of a layout are not well formed: empty or overlapping ones where there may be none, elements in no
/// block, a halo that reaches past the tensor, an order that names a dimension twice. Empty: all is well.
Message layoutProblem(Layout const &layout);

/// All tiles of an IPU.
TileSet tilesOf(int tilesPerIpu, int ipu);
/// An empty layout on these tiles, from the `first` of them on (counted on from the beginning behind the last).
Layout onTiles(TileSet on, std::int64_t first = 0);
/// The same on all tiles of an IPU.
Layout onIpu(int tilesPerIpu, int ipu, std::int64_t first = 0);
/// Rows x cols dealt over the tiles row-major with at least `grainBytes` a tile (Poplar's linear mapping:
/// 128 bytes, grain of the vector width). Whole rows stay together where several fit a tile.
Layout linearLayout(std::int64_t rows, std::int64_t cols, DType type, TileSet on, int first, Bytes grainBytes = 128);
/// Whole rows on one tile each, for row-wise operations (softmax).
Layout rowLayout(std::int64_t rows, std::int64_t cols, TileSet on, int first);
/// A tensor whole on one tile.
Layout singleTile(std::int64_t rows, std::int64_t cols, TileSet on, int tile);
/// A tensor whose last dimension comes in `passes` equal ranges, laid out one like the other as `range` says; the ranges
/// share their tiles, and in the bytes of a block they are outermost. Requires: rank below kMaxDims.
Layout inPasses(Layout const &range, std::int64_t passes);
/// `n` elements beside each block of a layout, as a matrix.
Layout besideBlocks(Layout const &layout, std::int64_t n);

std::string toText(Layout const &layout);

} // namespace tilewright::program
