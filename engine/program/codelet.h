#pragma once

#include "engine/program/program.h"
#include "engine/target/machine.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::program {

/// One field of a vertex as the compiler's tables see it: the block's dimensions.
struct FieldShape {
    DType dtype = DType::F32;
    Box box; ///< in coordinates of the whole tensor (dropout and one-hot need to know where they are)
    bool operator==(FieldShape const &) const = default;
};

/// Everything a vertex's size, cycles and code depend on.
struct VertexShape {
    std::span<FieldShape const> fields;
    std::span<double const> scalars;
    std::string_view expr;
};

/// State of one vertex in a tile: addresses inside that tile, sizes, constants. This and the tile's own
/// memory are all that a codelet sees.
struct VertexState {
    struct Ref {
        std::uint32_t address = 0; ///< bytes from the start of the tile's memory
        DType dtype = DType::F32;
        std::int32_t groups = 1, rows = 1, cols = 1;
        std::int64_t row0 = 0, col0 = 0; ///< position of the block in its tensor
        std::int64_t elements() const { return std::int64_t{groups} * rows * cols; }
    };
    std::span<Ref const> fields;
    std::span<double const> scalars;
    void const *prepared = nullptr; ///< expression decoded at load (map vertices)
    std::int32_t replica = 0, replicas = 1;
    std::uint64_t seed = 0;
};

/// Share of the six workers that is asked to run: [begin, end). A vertex gives the same result however
/// its workers are called.
struct Workers { int begin = 0, end = 6; };

/// A codelet: its function, its cost and its size. Code bytes are counted once per tile that uses it.
struct Codelet {
    std::string name;
    Bytes codeBytes = 0;
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
};

/// The explicit list of all codelets (codelets/builtin_codelets.cpp).
std::span<Codelet const> builtinCodelets();
/// nullptr when there is none of that name.
Codelet const *findCodelet(std::string_view name);

/// The shapes of a family's vertex on the tile that holds block `number` of the leading field.
/// Requires: `byTile` holds blockByTile of each field's layout, `placed` its placements.
struct FamilyIndex {
    std::vector<std::vector<Placed>> placed;
    std::vector<std::vector<std::int32_t>> byTile;
};
FamilyIndex indexFamily(Program const &program, VertexFamily const &family);
std::vector<FieldShape> vertexShape(Program const &program, VertexFamily const &family, FamilyIndex const &index, int tile);

} // namespace tilewright::program
