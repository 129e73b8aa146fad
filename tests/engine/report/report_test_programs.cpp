#include "tests/engine/report/report_test_programs.h"

#include "engine/training/step_passes.h"
#include "engine/model/stage_cut.h"
#include "engine/model/stages.h"
#include "engine/model/templates.h"
#include "engine/ops/op_def.h"
#include "engine/passes/pass.h"

namespace tilewright::testing {

using namespace program;
using lowering::ProgramBuilder;

namespace {

target::Machine machineOf(std::string const &target)
{
    auto machine = target::parseMachine(target);
    TW_CHECK(machine.ok(), target);
    return *machine;
}

int addOp(ProgramBuilder &b, std::string name, std::string level, int parent, int stage = 0, std::int64_t flops = 0)
{
    Op op;
    op.name = std::move(name);
    op.kind = level == "keras" ? "Layer" : "map";
    op.level = std::move(level);
    op.parent = parent;
    op.pass = "forward";
    op.stage = stage;
    op.flops = flops;
    return b.addOp(std::move(op));
}

} // namespace

Compiled analyse(std::string const &target, Program program, Bytes bytesPerTile)
{
    Compiled c;
    c.machine = machineOf(target);
    if (bytesPerTile > 0) {
        c.machine.chip.bytesPerTile = bytesPerTile;
        c.machine.chip.nonInterleavedBytes = std::min(c.machine.chip.nonInterleavedBytes, bytesPerTile / 3 / 16 * 16);
    }
    c.program = std::move(program);
    auto const checked = verify(c.program);
    TW_CHECK(checked.ok(), checked.ok() ? "" : checked.error().message);
    c.schedule = lowering::makeSchedule(c.program, c.machine, true);
    c.liveness = lowering::analyseLiveness(c.program);
    c.memory = lowering::allocate(c.program, c.liveness, lowering::codeBytes(c.program, c.schedule.exchanges, c.machine, true), c.machine);
    return c;
}

Program productLoop(std::string const &target, std::int64_t loops)
{
    ProgramBuilder b(machineOf(target), 1, 1, {});
    b.program().name = "product loop";
    int const layer = addOp(b, "dense", "keras", -1);
    int const first = addOp(b, "dense/first", "graph", layer, 0, 1000);
    int const second = addOp(b, "dense/second", "graph", layer, 0, 500);
    b.setOp(layer);
    auto const weights = b.addVar("dense/kernel", "weight", DType::F32, {64, 48}, b.linear(64, 48, DType::F32, 0));
    b.var(weights).alwaysLive = true;
    b.var(weights).interleaved = true;
    b.setOp(-1);
    b.beginBlock(StepKind::Repeat, "loop", loops);
    b.setOp(first);
    auto const in = b.addVar("in", "input", DType::F32, {64, 48}, b.linear(64, 48, DType::F32, 0));
    b.stream("infeed", in, true, 0);
    auto const out = b.addVar("first/out", "activation", DType::F32, {64, 48}, b.var(weights).layout);
    auto const gathered = b.gather(in, b.var(weights).layout, "first/in");
    b.execute("first", {b.family("Map", {{out, Access::Write}, {gathered, Access::Read}, {weights, Access::Read}}, {}, "2: mul a0 a1")});
    b.setOp(second);
    // Columns on the tiles where there were rows: everything moves.
    Layout columns = onIpu(b.chip().tiles, 0);
    columns.add(cut(64, 64, 0));
    columns.add(cut(48, ceilDiv(48, b.chip().tiles), 1));
    auto const sum = b.addVar("second/out", "output", DType::F32, {64, 48}, columns, Category::Output);
    auto const rows = b.gather(out, b.var(sum).layout, "second/in");
    b.execute("second", {b.family("Map", {{sum, Access::Write}, {rows, Access::Read}}, {}, "1: relu a0")});
    b.execute("third", {b.family("Copy", {{rows, Access::Write}, {sum, Access::Read}})});
    b.execute("fourth", {b.family("Map", {{sum, Access::Write}, {rows, Access::Read}}, {}, "1: relu a0")});
    b.stream("outfeed", sum, false, 0);
    b.endBlock();
    return b.program();
}

Program twoIpus(std::string const &target, int replicas)
{
    ProgramBuilder b(machineOf(target), 2, replicas, {});
    b.program().name = "two";
    int const layer = addOp(b, "layer", "keras", -1);
    b.setOp(addOp(b, "layer/map", "graph", layer));
    auto const x = b.addVar("x", "input", DType::F32, {40, 32}, b.linear(40, 32, DType::F32, 0));
    b.stream("infeed", x, true, 0);
    auto const y = b.addVar("y", "activation", DType::F32, {40, 32}, b.var(x).layout);
    b.execute("first", {b.family("Map", {{y, Access::Write}, {x, Access::Read}}, {}, "1: relu a0")});
    // Two copies of each row there, because links have no multicast.
    Layout copies = onIpu(b.chip().tiles, 1, b.nextTiles(1, 4));
    copies.add(cut(2, 1, 1, DimKind::Copy));
    copies.add(cut(40, 40, 0));
    copies.add(cut(32, 32, 0));
    auto const there = b.addVar("there", "message", DType::F32, {40, 32}, copies, Category::ExchangeBuffer);
    b.transfer(b.whole(y, there), "over");
    auto const z = b.addVar("z", "output", DType::F32, {40, 32}, copies, Category::Output);
    b.execute("second", {b.family("Map", {{z, Access::Write}, {there, Access::Read}}, {}, "1: relu a0")});
    b.syncExternal("end");
    if (replicas > 1) {
        auto const &whole = b.var(y).layout;
        auto const message = besideBlocks(whole, ceilDiv(whole.blockElements(), replicas));
        auto const m = b.addVar("message", "message", DType::F32, {message.rows(), message.cols()}, message, Category::ExchangeBuffer);
        b.exchange("reduce", {}, {{y, m, 0, false}}, true);
        b.execute("add", {b.family("RingAdd", {{y, Access::Update}, {m, Access::Read}}, {-1.0})});
    }
    b.stream("outfeed", z, false, 0);
    return b.program();
}

Program pipeline(std::string const &target, int stages, int microBatches, int unequal)
{
    ProgramBuilder b(machineOf(target), stages, 1, {});
    b.program().name = "pipeline";
    int const layer = addOp(b, "layer", "keras", -1);
    std::vector<StepId> bodies;
    for (int s = 0; s < stages; ++s) {
        b.setOp(addOp(b, "layer/stage" + std::to_string(s), "graph", layer, s));
        auto const v = b.addVar("state" + std::to_string(s), "weight", DType::F32, {64, 32}, b.linear(64, 32, DType::F32, s));
        b.var(v).alwaysLive = true;
        auto const body = b.beginDetached(StepKind::Sequence, "stage" + std::to_string(s));
        auto const w = b.addVar("work" + std::to_string(s), "activation", DType::F32, {64, 32}, b.var(v).layout);
        for (int i = 0; i < (s == 0 ? unequal : 1); ++i) {
            b.execute("work", {b.family("Map", {{w, Access::Write}, {v, Access::Read}}, {}, "1: relu a0")});
            b.execute("back", {b.family("Map", {{v, Access::Write}, {w, Access::Read}}, {}, "1: relu a0")});
        }
        b.endBlock();
        bodies.push_back(body);
    }
    for (int slot = 0; slot < microBatches + stages - 1; ++slot) {
        auto const block = b.beginBlock(StepKind::Parallel, "slot" + std::to_string(slot));
        b.step(block).slot = slot;
        for (int s = 0; s < stages; ++s) {
            int const m = slot - s;
            if (m < 0 || m >= microBatches) continue;
            auto const task = b.beginBlock(StepKind::Sequence, "task");
            b.step(task).stage = s;
            b.step(task).ipu = s;
            b.step(task).microBatch = m;
            b.step(task).pass = "forward";
            b.call(bodies[static_cast<std::size_t>(s)], "call");
            b.endBlock();
        }
        b.endBlock();
    }
    return b.program();
}

Compiled mnistTraining(std::string const &target, std::int64_t stepsPerExecution, int stages, std::int64_t accumulation, int replicas)
{
    auto const project = model::findTemplate("mnist-mlp");
    TW_CHECK(project.ok(), "template");
    auto plan = project->plan();
    plan.stepsPerExecution = stepsPerExecution * accumulation;
    plan.gradientAccumulationSteps = accumulation;
    plan.replicas = replicas;
    auto resolved = model::resolve(project->model());
    TW_CHECK(resolved.ok(), "model");
    if (stages > 1) {
        auto const split = model::adviseStages(*resolved, model::multiplyAddCosts(*resolved), stages);
        TW_CHECK(split.ok(), "stages");
        resolved = model::resolve(*model::withStages(project->model(), *split));
        TW_CHECK(resolved.ok(), "staged model");
    }
    auto step = training::buildTraining(*resolved, plan, ops::opLookup());
    TW_CHECK(step.ok(), step.ok() ? "" : step.error().message);
    JobContext const job;
    auto passed = passes::runPasses(passes::graphPasses(), std::move(step->graph), {ops::opLookup(), {}, job});
    TW_CHECK(passed.ok(), passed.ok() ? "" : passed.error().message);
    auto graph = graph::compact(passed->graph);
    auto lowered = lowering::lowerGraph(graph, machineOf(target), stages, replicas, {}, ops::loweringLookup(), job);
    TW_CHECK(lowered.ok(), lowered.ok() ? "" : lowered.error().message);
    for (auto const &node : graph.nodes) // as the compiler does
        if (auto const &flops = ops::findOp(node.op)->spec.flops)
            for (auto &op : lowered->program.ops)
                if (op.level == "graph" && op.name == node.name) op.flops = flops(graph, node);
    return analyse(target, std::move(lowered->program));
}

} // namespace tilewright::testing
