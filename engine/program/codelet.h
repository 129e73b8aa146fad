#pragma once

#include "engine/program/program.h"
#include "engine/target/machine.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::program {

/// One field of a vertex in the compiler's tables: the block's sizes, as groups (copies, addends, slots) of rows x cols, and in each
/// dimension of the tensor.
struct FieldShape {
    DType dtype = DType::F32;
    std::int64_t groups = 1, rows = 1, cols = 1;
    int rank = 0;                              ///< dimensions of the tensor
    std::array<std::int64_t, kMaxDims> size{}; ///< of the block in them
    std::int64_t elements() const { return groups * rows * cols; }
    bool operator==(FieldShape const &) const = default;
};

/// Everything that determines a vertex's size, cycles and code.
struct VertexShape {
    std::span<FieldShape const> fields;
    std::span<double const> scalars;
    std::string_view expr;
};

/// The block of a field in the tensor's own dimensions with its position, for windows, masks and random bits. The bytes are row-major over
/// the sizes.
struct FieldBlock {
    int rank = 0;
    std::array<Box::Range, kMaxDims> range;
    std::array<std::int64_t, kMaxDims> extent{}; ///< of the tensor
    std::int64_t begin(int d) const { return range[static_cast<std::size_t>(d)].begin; }
    std::int64_t end(int d) const { return range[static_cast<std::size_t>(d)].end; }
    std::int64_t size(int d) const { return range[static_cast<std::size_t>(d)].size(); }
};

/// State of one vertex in a tile: addresses inside that tile, sizes, constants. A codelet receives only this and the tile's own memory.
struct VertexState {
    struct Ref {
        std::uint32_t address = 0; ///< bytes from the start of the tile's memory
        DType dtype = DType::F32;
        std::int32_t groups = 1, rows = 1, cols = 1;
        std::int64_t row0 = 0, col0 = 0; ///< position of the block in its tensor
        /// Above 1: rows (or columns) are in groups of this size, [row / g][col][row % g] (or [col / g][row][col % g]).
        std::int32_t rowGroup = 1, colGroup = 1;
        std::int64_t elements() const { return std::int64_t{groups} * rows * cols; }
        bool isGrouped() const { return rowGroup > 1 || colGroup > 1; }
    };
    std::span<Ref const> fields;
    std::span<FieldBlock const> blocks;      ///< by field; only for codelets with wantsBlocks, or with stochastic rounding
    std::span<std::uint64_t const> rounding; ///< by field: seed for float16 stores; 0 = round to nearest. Empty: all 0
    std::span<double const> scalars;
    void const *prepared = nullptr; ///< expression decoded at load (map vertices)
    std::int32_t replica = 0, replicas = 1;
    std::uint64_t seed = 0;
};

/// The range [begin, end) of the six workers to run. A vertex gives the same result for any division into ranges.
struct Workers {
    int begin = 0, end = 6;
};

struct CodeletDescription; // codelets/description.h

/// A codelet: its function, its cost and its size. Code bytes count once per tile that uses it. They follow size guides, not single
/// measurements: the codelets of one product take 1.2-1.6 kB in float16, those of softmax or a norm 1.6-2.0 kB.
struct Codelet {
    std::string name;
    Bytes codeBytes = 0;
    bool knowsGroups = false; ///< its fields may have groups of rows or columns; other codelets see row-major blocks only
    bool wantsBlocks = false; ///< its vertices receive VertexState::blocks
    bool usesAmp = false;     ///< computes with the accumulating matrix product unit
    /// Tile cycles of one vertex (all workers), by the formulas of cost/.
    std::function<Cycles(VertexShape const &, target::Chip const &)> cycles;
    /// Bytes of the vertex state: pointers, sizes, scalars.
    std::function<Bytes(VertexShape const &)> stateBytes;
    /// Runs on the memory of one tile.
    std::function<void(std::byte *tile, VertexState const &, Workers)> run;
    /// Decodes the expression once for all vertices of a family; may be empty.
    std::function<std::shared_ptr<void const>(std::string_view expr)> prepare;
    /// Code bytes that depend on the expression (generated map codelets). May be empty.
    std::function<Bytes(std::string_view expr)> generatedCodeBytes;
    /// Description for queries by name and sizes. Every codelet has one. A codelet without a function has no other cost: cycles, stateBytes
    /// and run are empty.
    std::shared_ptr<CodeletDescription const> description;
};

/// The explicit list of all codelets (codelets/builtin_codelets.cpp).
std::span<Codelet const> builtinCodelets();
/// nullptr if the codelet is unknown or has no function.
Codelet const *findCodelet(std::string_view name);

/// Runs a vertex with all workers. Rounds float16 stores as in `state`: the machine's rounding state, which codelets do not see.
void runVertex(Codelet const &codelet, std::byte *tile, VertexState const &state);

/// The box of a block that a vertex's field covers: all of it, or a slice.
Box fieldBox(Layout const &layout, Field const &field, Box box);
FieldShape fieldShape(Program const &program, Field const &field, Box const &block);
/// Requires: a row-major layout.
FieldBlock fieldBlock(Program const &program, Field const &field, Box const &block);
/// `address` counts from the start of the block. Requires: at most one of rows and columns is grouped.
VertexState::Ref fieldRef(Program const &program, Field const &field, Box const &block);
/// Whether the groups of a layout can be passed to a codelet with knowsGroups.
bool hasMatrixGroups(Layout const &layout);

/// The vertices of a family by class: on all tiles of a class their fields have equal sizes.
struct FamilyClasses {
    std::vector<std::int32_t> ofTile;            ///< by tile of the replica; -1 = no vertex
    std::vector<std::vector<FieldShape>> shapes; ///< by class
};
FamilyClasses familyClasses(Program const &program, VertexFamily const &family);

} // namespace tilewright::program
