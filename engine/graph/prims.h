#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// The primitive scalar functions of elementwise nodes, as declared in prims.def.
namespace tilewright::graph {

/// The `op` of an elementwise node is the primitive's name; a fused node is `map` with attribute `expr` (expr.h).
enum class Prim : std::uint8_t {
#define PRIM(id, ...) id,
#include "engine/graph/prims.def"
#undef PRIM
};

enum PrimTrait : unsigned {
    kExact = 1, ///< one rounding in every implementation: constant folding keeps the numbers
    kWhole = 2, ///< also defined for integers
    kHeavy = 4, ///< takes a host many times as long as an addition
};

struct PrimPrice {
    std::string_view ops = {};        ///< "exp,maximum": the operations of the library; see appendLibraryOps()
    std::string_view activation = {}; ///< the library's own vertex for it, if there is one
};

struct PrimInfo {
    Prim prim;
    std::string_view name; ///< "add", "leaky_relu": the node's op
    int arity;
    int parameters; ///< 0 to 2: attributes p0, p1
    int flops;      ///< per element, for reports (transcendental = 1)
    unsigned traits;
    std::string_view gradient; ///< by operand, in the notation of prims.def; gradientExpr() parses it
    PrimPrice price;
    double (*formula)(double x, double y, double z, double p, double q); ///< unused arguments are ignored
};
std::span<PrimInfo const> primitives();
PrimInfo const *findPrimitive(std::string_view name);
PrimInfo const &info(Prim prim);

struct Instr;
/// The cost table's names of the library operations for an instruction, in order.
void appendLibraryOps(Instr const &instr, std::vector<std::string_view> &ops);

/// Compile-time constants for loops that are compiled per primitive.
constexpr std::size_t kPrimCount = 0
#define PRIM(...) +1
#include "engine/graph/prims.def"
#undef PRIM
    ;
constexpr int arityOf(Prim prim)
{
    constexpr std::array<int, kPrimCount> kArity{
#define PRIM(id, name, arity, ...) arity,
#include "engine/graph/prims.def"
#undef PRIM
    };
    return kArity[static_cast<std::size_t>(prim)];
}
constexpr bool has(Prim prim, PrimTrait trait)
{
    constexpr std::array<unsigned, kPrimCount> kTraits{
#define PRIM(id, name, arity, parameters, flops, traits, ...) traits,
#include "engine/graph/prims.def"
#undef PRIM
    };
    return (kTraits[static_cast<std::size_t>(prim)] & trait) != 0;
}

} // namespace tilewright::graph
