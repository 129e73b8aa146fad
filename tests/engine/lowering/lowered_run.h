#pragma once

#include "engine/core/random.h"
#include "engine/emulator/tile_machine.h"
#include "engine/lowering/lower_graph.h"
#include "engine/lowering/memory.h"
#include "engine/lowering/schedule.h"
#include "engine/ops/op_def.h"
#include "engine/reference/interpreter.h"

#include <cmath>
#include <string>
#include <vector>

/// Lowers a graph of one region, runs it on tile images and compares every wanted value with the reference.
namespace tilewright::tests {

inline graph::Graph emptyGraph()
{
    graph::Graph g;
    g.name = "test";
    graph::addRegion(g, "main");
    return g;
}

/// A system of one tile, of few, of an odd number, or a whole chip.
inline std::string targetOf(RandomStream &random)
{
    static char const *const kTargets[] = {"gc200:tiles=1", "gc200:tiles=8", "gc200:tiles=64", "gc200:tiles=301", "gc200"};
    return kTargets[random.below(5)];
}

/// Fails with the words of the case, so that it can be repeated alone.
#define RUN_CASE(run, text) QVERIFY2((run).failure.empty(), qPrintable(QString::fromStdString((text) + ": " + (run).failure)))

struct LoweredRun {
    std::string failure; ///< empty: everything agreed
    lowering::Lowered lowered;
    lowering::Schedule schedule;
    lowering::Memory memory;
    double worst = 0; ///< largest error, relative to the magnitude of the tensor
};

inline graph::ValueId input(graph::Builder &b, std::string name, Shape shape, DType type = DType::F32,
                            graph::Role role = graph::Role::Input)
{
    graph::Variable variable;
    variable.name = std::move(name);
    variable.shape = std::move(shape);
    variable.dtype = type;
    variable.role = role;
    return b.read(graph::addVariable(b.graph(), std::move(variable)));
}

/// ops::emit under a name that Qt's keyword macros leave alone.
inline graph::ValueId addOp(graph::Builder &b, std::string op, std::vector<graph::ValueId> inputs, graph::Attrs attrs, std::string name)
{
    return graph::addInferred(b, ops::opLookup(), std::move(op), std::move(inputs), std::move(attrs), std::move(name))[0];
}

inline reference::RefTensor randomTensor(DType type, Shape const &shape, RandomStream &random)
{
    reference::RefTensor t{type, shape, std::vector<double>(static_cast<std::size_t>(elementCount(shape)))};
    for (auto &x : t.v)
        x = reference::roundTo(isFloating(type) ? random.uniform() * 2 - 1 : double(random.below(7)), type, reference::Precision::Float);
    return t;
}

inline LoweredRun lowerAndRun(graph::Graph const &graph, std::vector<graph::ValueId> const &wanted, std::string const &target,
                              lowering::Options const &options, std::uint64_t seed, double tolerance)
{
    LoweredRun run;
    auto const fail = [&](std::string what) {
        run.failure = std::move(what);
        return std::move(run);
    };
    if (auto const status = graph::verify(graph, ops::opLookup()); !status.ok()) return fail(toText(status.error()));
    auto const machine = target::parseMachine(target);
    if (!machine.ok()) return fail(toText(machine.error()));
    // Every third time some tiles are left alone, as if they were for something else.
    auto given = options;
    if (seed % 3 == 0) given.freeTiles = machine->chip.tiles / 4;
    auto lowered = lowering::lowerGraph(graph, *machine, 1, 1, given, ops::loweringLookup(), {});
    if (!lowered.ok()) return fail("lowering: " + toText(lowered.error()));
    run.lowered = std::move(*lowered);
    auto &program = run.lowered.program;
    for (auto const &variable : program.variables)
        if (auto const &on = variable.layout.on; given.freeTiles > 0 && on.begin + on.count > machine->chip.tiles - given.freeTiles)
            return fail(variable.name + " is dealt to tiles that were to be left alone");
    for (auto value : wanted) program.variables[run.lowered.values[value.index].index].alwaysLive = true;
    auto const liveness = lowering::analyseLiveness(program);
    run.schedule = lowering::makeSchedule(program, *machine, false);
    run.memory = lowering::allocate(program, liveness, lowering::codeBytes(program, run.schedule.exchanges, *machine, true), *machine);

    ThreadPool pool(1);
    Bytes image = 0;
    for (Bytes bytes : run.memory.withGaps) image = std::max(image, bytes);
    emulator::LoadOptions load;
    load.imageBytes = image;
    auto loaded = emulator::TileMachine::load(
        program, *machine, [&](program::VarId var, int tile) { return run.memory.addressOf(var, tile); }, load, pool);
    if (!loaded.ok()) return fail(toText(loaded.error()));
    auto &tiles = **loaded;
    RandomStream random(seed);
    reference::RefState state;
    for (std::size_t v = 0; v < graph.variables.size(); ++v) {
        auto const &variable = graph.variables[v];
        auto tensor = randomTensor(variable.dtype, variable.shape, random);
        std::vector<std::byte> bytes(static_cast<std::size_t>(elementCount(variable.shape) * sizeOf(variable.dtype)));
        reference::toBytes(tensor, bytes.data());
        if (auto const storage = run.lowered.variables.front()[v]; storage.valid()) tiles.upload(storage, bytes);
        state.variables[graph::VariableId(v)] = std::move(tensor);
    }
    for (auto const &constant : run.lowered.constants) {
        auto const &variable = program.var(constant.var);
        reference::RefTensor tensor{variable.dtype, variable.shape, constant.values};
        tensor.v.resize(static_cast<std::size_t>(elementCount(variable.shape)), constant.values.front());
        std::vector<std::byte> bytes(tensor.v.size() * static_cast<std::size_t>(sizeOf(variable.dtype)));
        reference::toBytes(tensor, bytes.data());
        tiles.upload(constant.var, bytes);
    }
    if (auto const status = tiles.run(program.main, {}, {}); !status.ok()) return fail(toText(status.error()));
    if (auto const status = reference::runRegion(graph, graph::RegionId(0), state, {}); !status.ok())
        return fail("reference: " + toText(status.error()));

    // Measured cycles equal the schedule; with data-dependent control they are at most that, apart from a last test.
    auto const measured = tiles.clocks().measured();
    Cycles compute = 0;
    for (auto const &event : lowering::timelineOf(run.schedule).events)
        if (event.phase == lowering::Phase::Compute) compute += event.duration;
    bool const agrees = program::costDependsOnData(program) ? compute >= measured.of(program::Phase::Compute, 1)
                                                            : run.schedule.runCycles() == measured.total;
    if (!agrees)
        return fail("schedule has " + std::to_string(run.schedule.runCycles()) + " cycles (" + std::to_string(compute)
                    + " compute), the machine took " + std::to_string(measured.total) + " ("
                    + std::to_string(measured.of(program::Phase::Compute, 1)) + ")");
    for (auto value : wanted) {
        auto const &v = graph.value(value);
        auto const data = tiles.download(run.lowered.values[value.index]);
        auto const got = reference::fromBytes(v.dtype, v.shape, data.data());
        auto const &expected = state.values.at(value);
        double scale = 1e-6;
        for (double x : expected.v) scale = std::max(scale, std::abs(x));
        for (std::size_t i = 0; i < expected.v.size(); ++i) {
            double const error = std::abs(got.v[i] - expected.v[i]) / scale;
            run.worst = std::max(run.worst, error);
            if (!(error <= tolerance))
                return fail(v.name + "[" + std::to_string(i) + "] is " + std::to_string(got.v[i]) + ", expected "
                            + std::to_string(expected.v[i]) + " in " + program::print(program).substr(0, 3000));
        }
    }
    return run;
}

} // namespace tilewright::tests
