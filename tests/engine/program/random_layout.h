#pragma once

#include "engine/core/random.h"
#include "engine/program/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::tests {

/// A random well-formed layout of a tensor of rows x cols: any kind of groups, ragged blocks, tiles in a stride,
/// a start in the middle of the chip.
inline program::Layout randomLayout(RandomStream &random, std::int64_t rows, std::int64_t cols, program::Groups kind, std::int64_t groups,
                                    int tiles, int ipu)
{
    using namespace program;
    for (;;) {
        Layout l;
        l.kind = kind;
        l.tiles = tiles;
        l.ipu = ipu;
        l.extent = {kind == Groups::None ? 1 : groups, rows, cols};
        if (kind == Groups::Columns) {
            // The columns are cut into groups: only a divisor of them will do.
            while (cols % groups != 0) --groups;
            l.extent = {groups, rows, cols / groups};
        }
        // Copies lie on tiles of their own; addends and groups of columns may share one.
        bool const shared = kind == Groups::Columns || kind == Groups::Ring || (kind == Groups::Partials && random.below(2));
        l.block[0] = shared ? l.extent[0] : 1;
        l.block[1] = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(rows)));
        l.block[2] = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(l.extent[2])));
        l.first = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(tiles)));
        // Mixed radix over a random order of the dimensions, so that no two blocks meet.
        std::size_t order[3] = {0, 1, 2};
        for (std::size_t i = 3; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        std::int64_t step = 1;
        for (auto d : order) {
            l.stride[d] = static_cast<std::int32_t>(step);
            step *= l.count(static_cast<int>(d));
        }
        if (step <= tiles) return l;
    }
}

inline program::VarId addVariable(program::Program &p, std::string name, program::Layout const &layout, DType dtype = DType::F32)
{
    program::Variable v;
    v.name = std::move(name);
    v.role = "activation";
    v.dtype = dtype;
    v.layout = layout;
    v.shape = {layout.tensorRows(), layout.tensorCols()};
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
