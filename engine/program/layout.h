#pragma once

#include "engine/core/types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::program {

/// Maximum number of dimensions of a layout, of tensor and placement together.
inline constexpr int kMaxDims = 6;

/// The range of a layout's dimension.
enum class DimKind : std::uint8_t {
    Index,  ///< of the tensor: its elements are numbered row-major over all of these, in their order
    Copy,   ///< equal copies for several readers, each on its own tile
    Addend, ///< the tensor is the sum (or maximum) over this dimension
    Slot    ///< of a first-in-first-out buffer
};

/// One dimension cut into `count` blocks, with a tile stride from one block to the next. Block i holds the part of [i step - before, i step
/// - before + block) inside the extent. With step == block and before == 0 each element is in one block (storage); otherwise blocks
/// overlap: the halo of a window. Positions outside the extent are not stored.
struct Dim {
    DimKind kind = DimKind::Index;
    std::int64_t extent = 1;
    std::int64_t block = 1;
    std::int64_t step = 1;   ///< from the start of a block to the start of the next
    std::int64_t before = 0; ///< elements that a block extends backwards
    std::int64_t count = 1;  ///< number of blocks
    std::int32_t stride = 0; ///< tiles from one block to the next
    std::int32_t group = 1;  ///< adjacent elements, innermost in the block; see Layout::order
    bool operator==(Dim const &) const = default;

    bool overlaps() const { return step != block || before != 0; }
    std::int64_t begin(std::int64_t i) const { return std::max<std::int64_t>(0, i * step - before); }
    std::int64_t end(std::int64_t i) const { return std::min(extent, i * step - before + block); }
    std::int64_t size(std::int64_t i) const { return end(i) - begin(i); }
    /// The block from which element x is read, and the end of the part of the block that is read.
    std::int64_t owner(std::int64_t x) const { return std::min(x / step, count - 1); }
    std::int64_t ownedEnd(std::int64_t i) const { return i + 1 == count ? end(i) : std::min(extent, (i + 1) * step); }
};

/// An extent cut into equal blocks; the last one holds the rest.
Dim cut(std::int64_t extent, std::int64_t block, std::int64_t stride, DimKind kind = DimKind::Index);
/// `count` overlapping blocks.
Dim window(std::int64_t extent, std::int64_t block, std::int64_t step, std::int64_t before, std::int64_t count, std::int64_t stride);

/// Consecutive tiles of one IPU, numbered in the replica.
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

/// One number per dimension.
using Coords = std::array<std::int64_t, kMaxDims>;

/// The placement of a tensor on a set of tiles. Each dimension is cut into blocks, and block (i, j, …) is on tile on.begin + (first + i
/// stride_0 + j stride_1 + …) mod on.count. A tile holds at most one block. A layout describes a whole family of placements with a few
/// numbers; it is expanded only for execution or display.
///
/// Byte order in a block: the dimensions in `order`, outermost first, grouped ones counted in groups; then, innermost, the elements inside
/// the groups, in the same order. [C/16][y][x][16] is order (C, y, x) with C in groups of 16. An incomplete last group takes only the space
/// of its elements.
struct Layout {
    TileSet on;
    std::int32_t first = 0; ///< position of block 0 in the set
    std::int32_t rank = 0;
    std::array<Dim, kMaxDims> dims;
    std::array<std::uint8_t, kMaxDims> order{0, 1, 2, 3, 4, 5};

    bool operator==(Layout const &) const = default;

    Dim &dim(int d) { return dims[static_cast<std::size_t>(d)]; }
    Dim const &dim(int d) const { return dims[static_cast<std::size_t>(d)]; }
    void add(Dim const &dim);
    /// Adds a dimension before all others; it is also outermost in the bytes of a block.
    void addOuter(Dim const &dim);

    std::int64_t blocks() const;
    std::int64_t elements() const;      ///< including all copies, addends and slots
    std::int64_t indexElements() const; ///< of the tensor
    std::int64_t blockElements() const; ///< of a full block
    /// Number of copies.
    std::int64_t copies() const;
    /// The dimension of addends or slots (at most one), or -1, and its extent.
    int partDim() const;
    std::int64_t parts() const { return partDim() < 0 ? 1 : dim(partDim()).extent; }
    bool has(DimKind kind) const;

    // The tensor as a matrix: its last index dimension is the columns, all others are rows.
    int colDim() const;
    Dim &col() { return dim(colDim()); }
    Dim const &col() const { return dim(colDim()); }
    Dim &row() { return dim(colDim() - 1); }
    Dim const &row() const { return dim(colDim() - 1); }
    std::int64_t cols() const { return col().extent; }
    std::int64_t rows() const { return indexElements() / cols(); }
    /// Exactly two dimensions, rows and columns, with row-major storage blocks.
    bool isMatrix() const;

    /// Only the tensor's dimensions, each stored once, row-major, the last one with `cols` elements: rows x cols with separate dimensions
    /// for the rows.
    bool isRowsOf(std::int64_t cols) const;
    /// The common tile stride of the blocks of dimensions [begin, end), last dimension fastest; nullopt if there is none.
    std::optional<std::int64_t> strideOver(int begin, int end) const;

    bool isGrouped() const;
    /// Whether the bytes of a block follow the order of its dimensions.
    bool isRowMajor() const;

    /// Position of a block in the set, before wrapping around.
    std::int64_t place(Coords const &block) const;
    int tileAt(std::int64_t place) const { return static_cast<int>(on.begin + place % on.count); }
    int tileOf(Coords const &block) const { return tileAt(place(block)); }
    Box boxOf(Coords const &block) const;
    /// Offset of an element in a block with these sizes; `at` counts from the block's corner.
    std::int64_t offsetOf(Coords const &sizes, Coords const &at) const;
    /// Distances of the copies from the first one; {0} without copies.
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

/// A block for matrix codelets: groups (copies, addends, slots) of rows x cols, and its position.
struct MatrixBlock {
    std::int64_t groups = 1, rows = 1, cols = 1;
    std::int64_t row0 = 0, col0 = 0;
    std::int64_t elements() const { return groups * rows * cols; }
};
MatrixBlock matrixOf(Layout const &layout, Box const &box);

/// One block and its tile.
struct Placed {
    int tile = 0;
    Box box;
};

/// All blocks, in block order (row-major over the dimensions).
std::vector<Placed> placements(Layout const &layout);
/// By tile of the replica (0 … tilesTotal-1): the block's number in placements(), or -1.
std::vector<std::int32_t> blockByTile(Layout const &layout, int tilesTotal);

/// Tiles with equal block sizes form one class, which is costed, sized and shown once.
struct TileClasses {
    std::vector<std::int16_t> ofTile; ///< by tile of the replica; -1 = no block
    std::vector<Box> box;             ///< by class: its first block
};
TileClasses tileClasses(Layout const &layout, int tilesTotal);

/// Whether no two blocks share a tile.
bool isInjective(Layout const &layout);
/// Describes an invalid layout: empty or forbidden overlapping blocks, elements in no block, a halo beyond the tensor, a repeated dimension
/// in the order. "": valid.
Message layoutProblem(Layout const &layout);

/// All tiles of an IPU.
TileSet tilesOf(int tilesPerIpu, int ipu);
/// An empty layout on these tiles, starting at `first` and wrapping around.
Layout onTiles(TileSet on, std::int64_t first = 0);
/// The same on all tiles of an IPU.
Layout onIpu(int tilesPerIpu, int ipu, std::int64_t first = 0);
/// Rows x cols dealt over the tiles row-major with at least `grainBytes` per tile (Poplar's linear mapping: 128 bytes, grain of the vector
/// width). Rows stay whole if several fit a tile.
Layout linearLayout(std::int64_t rows, std::int64_t cols, DType type, TileSet on, int first, Bytes grainBytes = 128);
/// Whole rows per tile, for row-wise operations (softmax).
Layout rowLayout(std::int64_t rows, std::int64_t cols, TileSet on, int first);
/// The whole tensor on one tile.
Layout singleTile(std::int64_t rows, std::int64_t cols, TileSet on, int tile);
/// A tensor whose last dimension consists of `splits` equal ranges, each laid out like `range`. The ranges share their tiles and are
/// outermost in the bytes of a block. Requires: rank below kMaxDims.
Layout inSplits(Layout const &range, std::int64_t splits);
/// `n` elements beside each block of a layout, as a matrix.
Layout besideBlocks(Layout const &layout, std::int64_t n);

std::string toText(Layout const &layout);

} // namespace tilewright::program
