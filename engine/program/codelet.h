#pragma once

#include "engine/program/program.h"
#include "engine/target/machine.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::program {

/// One field of a vertex as the compiler's tables see it: the block's sizes, as groups (copies, addends, slots) of
/// rows x cols, and in each of the tensor's own dimensions.
struct FieldShape {
    DType dtype = DType::F32;
    std::int64_t groups = 1, rows = 1, cols = 1;
    int rank = 0;                              ///< dimensions of the tensor
    std::array<std::int64_t, kMaxDims> size{}; ///< of the block in them
    std::int64_t elements() const { return groups * rows * cols; }
    bool operator==(FieldShape const &) const = default;
};

/// Everything a vertex's size, cycles and code depend on.
struct VertexShape {
    std::span<FieldShape const> fields;
    std::span<double const> scalars;
    std::string_view expr;
};

/// The block of a field in the tensor's own dimensions, and where it lies in the tensor: what a window, a mask or random
/// bits need to know. The bytes are row-major over the sizes.
struct FieldBlock {
    int rank = 0;
    std::array<Box::Range, kMaxDims> range;
    std::array<std::int64_t, kMaxDims> extent{}; ///< of the tensor
    std::int64_t begin(int d) const { return range[static_cast<std::size_t>(d)].begin; }
    std::int64_t end(int d) const { return range[static_cast<std::size_t>(d)].end; }
    std::int64_t size(int d) const { return range[static_cast<std::size_t>(d)].size(); }
};

/// State of one vertex in a tile: addresses inside that tile, sizes, constants. This and the tile's own
/// memory are all that a codelet sees.
struct VertexState {
    struct Ref {
        std::uint32_t address = 0; ///< bytes from the start of the tile's memory
        DType dtype = DType::F32;
        std::int32_t groups = 1, rows = 1, cols = 1;
        std::int64_t row0 = 0, col0 = 0; ///< position of the block in its tensor
        /// Above 1: rows (or columns) lie in groups of so many, [row / g][col][row % g] (or [col / g][row][col % g]).
        std::int32_t rowGroup = 1, colGroup = 1;
        std::int64_t elements() const { return std::int64_t{groups} * rows * cols; }
        bool isGrouped() const { return rowGroup > 1 || colGroup > 1; }
    };
    std::span<Ref const> fields;
    std::span<FieldBlock const> blocks;      ///< by field; only for a codelet that wants them, or where something is rounded by chance
    std::span<std::uint64_t const> rounding; ///< by field: what a float16 stored there draws by; 0 = to the nearest. Empty: all so
    std::span<double const> scalars;
    void const *prepared = nullptr; ///< expression decoded at load (map vertices)
    std::int32_t replica = 0, replicas = 1;
    std::uint64_t seed = 0;
};

/// Share of the six workers that is asked to run: [begin, end). A vertex gives the same result however
/// its workers are called.
struct Workers {
    int begin = 0, end = 6;
};

struct CodeletDescription; // codelets/description.h

/// A codelet: its function, its cost and its size. Code bytes are counted once per tile that uses it. There are size guides, not
/// measurements of each: together one product's codelets come to 1.2-1.6 kB in float16, softmax's or a norm's to 1.6-2.0 kB.
struct Codelet {
    std::string name;
    Bytes codeBytes = 0;
    bool knowsGroups = false; ///< its fields may lie in groups of rows or columns; others see row-major blocks only
    bool wantsBlocks = false; ///< its vertices are told VertexState::blocks
    bool usesAmp = false;     ///< its arithmetic is that of the accumulating matrix product unit
    /// Tile cycles of one vertex (all workers), by the formulas of cost/.
    std::function<Cycles(VertexShape const &, target::Chip const &)> cycles;
    /// Instance state: pointers, sizes, scalars.
    std::function<Bytes(VertexShape const &)> stateBytes;
    /// Runs on the memory of one tile.
    std::function<void(std::byte *tile, VertexState const &, Workers)> run;
    /// Decodes the expression once for all vertices of a family; may be empty.
    std::function<std::shared_ptr<void const>(std::string_view expr)> prepare;
    /// Code bytes when they depend on the expression (generated map codelets); may be empty.
    std::function<Bytes(std::string_view expr)> generatedCodeBytes;
    /// For who asks by name and sizes; every codelet has one. One without a function has no other price: cycles, stateBytes and
    /// run are empty.
    std::shared_ptr<CodeletDescription const> description;
};

/// The explicit list of all codelets (codelets/builtin_codelets.cpp).
std::span<Codelet const> builtinCodelets();
/// nullptr when there is none of that name, or it has no function.
Codelet const *findCodelet(std::string_view name);

/// Runs a vertex of the codelet, all workers. What it stores as float16 is rounded as `state` says: the state of the
/// machine's own rounding, which no codelet sees.
void runVertex(Codelet const &codelet, std::byte *tile, VertexState const &state);

/// The box of a block that a field of a vertex stands for: all of it, or a slice.
Box fieldBox(Layout const &layout, Field const &field, Box box);
FieldShape fieldShape(Program const &program, Field const &field, Box const &block);
/// Requires: a row-major layout.
FieldBlock fieldBlock(Program const &program, Field const &field, Box const &block);
/// `address` counts from the beginning of the block. Requires: at most the rows or the columns lie in groups.
VertexState::Ref fieldRef(Program const &program, Field const &field, Box const &block);
/// Whether a codelet that knows groups can be told of those of a layout.
bool hasMatrixGroups(Layout const &layout);

/// The vertices of a family by class: on all tiles of a class they have fields of the same sizes.
struct FamilyClasses {
    std::vector<std::int32_t> ofTile;            ///< by tile of the replica; -1 = no vertex
    std::vector<std::vector<FieldShape>> shapes; ///< by class
};
FamilyClasses familyClasses(Program const &program, VertexFamily const &family);

} // namespace tilewright::program
