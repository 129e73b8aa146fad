#pragma once

#include "engine/program/program.h"
#include "tests/support/random_sizes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Random well-formed layouts, and a plain reference for the meaning of a layout: element by element from its definition, without its
/// functions.
namespace tilewright::tests {

inline std::int64_t from0(RandomStream &random, std::int64_t limit)
{
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit + 1)));
}

/// Permitted features of a random layout besides blocks of a tensor.
struct LayoutTraits {
    bool copies = false, addends = false, fifo = false, halo = false, ordered = false, grouped = false;
    std::int64_t several = 1; ///< copies, addends or slots
};

/// A random layout of a tensor with these extents: ragged blocks, tiles in a stride, a start in the middle of the chip, on a
/// part of an IPU's tiles.
inline program::Layout randomLayout(RandomStream &random, std::vector<std::int64_t> const &extents, LayoutTraits const &traits, int tiles,
                                    int ipu)
{
    using namespace program;
    for (;;) {
        Layout l;
        auto const skipped = from0(random, tiles / 4);
        l.on = {static_cast<std::int32_t>(ipu * tiles + skipped), static_cast<std::int32_t>(tiles - skipped), ipu};
        l.first = static_cast<std::int32_t>(from0(random, l.on.count - 1));
        if (traits.copies) l.add(cut(traits.several, 1, 0, DimKind::Copy));
        // Addends and slots can share a tile.
        if (traits.addends || traits.fifo)
            l.add(cut(traits.several, upTo(random, traits.several), 0, traits.fifo ? DimKind::Slot : DimKind::Addend));
        for (auto extent : extents) {
            auto const step = upTo(random, extent);
            Dim dim = cut(extent, step, 0);
            if (traits.halo && random.below(2)) {
                // Every block reaches back and on; some have their first or last elements in no neighbour.
                auto const before = from0(random, 3);
                dim = window(extent, step + before + from0(random, 3), step, before, ceilDiv(extent, step), 0);
            }
            if (traits.grouped && random.below(2)) dim.group = static_cast<std::int32_t>(upTo(random, 5));
            l.add(dim);
        }
        if (traits.ordered || traits.grouped)
            for (std::size_t i = static_cast<std::size_t>(l.rank); i > 1; --i) std::swap(l.order[i - 1], l.order[random.below(i)]);
        // Mixed radix over a random order of the dimensions, so that no two blocks meet.
        std::vector<std::size_t> turn;
        for (std::size_t d = 0; d < static_cast<std::size_t>(l.rank); ++d) turn.push_back(d);
        for (std::size_t i = turn.size(); i > 1; --i) std::swap(turn[i - 1], turn[random.below(i)]);
        std::int64_t step = 1;
        for (auto d : turn) {
            l.dims[d].stride = static_cast<std::int32_t>(step);
            step *= l.dims[d].count;
        }
        if (step <= l.on.count && layoutProblem(l).empty()) return l;
    }
}

/// One element of a layout: its index in every dimension.
using Element = std::array<std::int64_t, program::kMaxDims>;

/// The content of a tile: the block, and its elements in byte order.
struct Held {
    Element block{};
    std::vector<Element> elements;
};
inline std::map<int, std::vector<Held>> contentsOf(program::Layout const &l)
{
    std::map<int, std::vector<Held>> tiles;
    auto const rank = static_cast<std::size_t>(l.rank);
    Element block{};
    auto const overBlocks = [&](auto &&self, std::size_t d) -> void {
        if (d < rank) {
            for (block[d] = 0; block[d] < l.dims[d].count; ++block[d]) self(self, d + 1);
            return;
        }
        std::int64_t place = l.first;
        for (std::size_t i = 0; i < rank; ++i) place += block[i] * l.dims[i].stride;
        auto &one = tiles[static_cast<int>(l.on.begin + place % l.on.count)].emplace_back();
        one.block = block;
        auto &held = one.elements;
        Element at{}, corner{};
        auto const overElements = [&](auto &&inner, std::size_t i) -> void {
            if (i == rank) {
                held.push_back(at);
                return;
            }
            auto const &dim = l.dims[i];
            corner[i] = std::max<std::int64_t>(0, block[i] * dim.step - dim.before);
            for (std::int64_t k = 0; k < dim.block; ++k) {
                at[i] = block[i] * dim.step - dim.before + k;
                if (at[i] >= 0 && at[i] < dim.extent) inner(inner, i + 1);
            }
        };
        overElements(overElements, 0);
        // By groups in the order of the dimensions, then by positions inside the groups.
        std::sort(held.begin(), held.end(), [&](Element const &a, Element const &b) {
            for (bool const inside : {false, true})
                for (std::size_t i = 0; i < rank; ++i) {
                    auto const turn = l.order[i];
                    auto const group = l.dims[turn].group;
                    auto const x = a[turn] - corner[turn], y = b[turn] - corner[turn];
                    auto const left = inside ? x % group : x / group, right = inside ? y % group : y / group;
                    if (left != right) return left < right;
                }
            return false;
        });
    };
    overBlocks(overBlocks, 0);
    return tiles;
}

/// Row-major number of an element in its tensor, and which addend or slot it is of.
inline std::int64_t flatOf(program::Layout const &l, Element const &e)
{
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(l.rank); ++d)
        if (l.dims[d].kind == program::DimKind::Index) flat = flat * l.dims[d].extent + e[d];
    return flat;
}
inline std::int64_t partOf(program::Layout const &l, Element const &e)
{
    for (std::size_t d = 0; d < static_cast<std::size_t>(l.rank); ++d)
        if (l.dims[d].kind == program::DimKind::Addend || l.dims[d].kind == program::DimKind::Slot) return e[d];
    return 0;
}

inline program::VarId addVariable(program::Program &p, std::string name, program::Layout const &layout, DType dtype = DType::F32)
{
    program::Variable v;
    v.name = std::move(name);
    v.role = "activation";
    v.dtype = dtype;
    v.layout = layout;
    v.shape = {layout.rows(), layout.cols()};
    p.variables.push_back(std::move(v));
    return program::VarId(p.variables.size() - 1);
}

inline program::Program emptyProgram(int tiles, int ipus = 1, int replicas = 1)
{
    program::Program p;
    p.name = "test";
    p.ipus = ipus;
    p.replicas = replicas;
    p.tilesPerIpu = tiles;
    program::Step main;
    main.name = "main";
    p.steps.push_back(main);
    p.main = program::StepId(0);
    return p;
}

inline program::StepId addStep(program::Program &p, program::StepKind kind, program::StepId parent, std::string name = {})
{
    program::Step step;
    step.kind = kind;
    step.name = std::move(name);
    p.steps.push_back(std::move(step));
    program::StepId const id(p.steps.size() - 1);
    p.steps[parent.index].children.push_back(id);
    return id;
}

} // namespace tilewright::tests
