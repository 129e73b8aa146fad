#include "engine/compiler/op_compile.h"

#include "engine/compiler/arithmetic.h"
#include "engine/compiler/tensor_limit.h"
#include "engine/core/json_text.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/config/ipu_config.h"
#include "engine/config/option_value.h"
#include "engine/graph/conv.h"
#include "engine/graph/partial_sums.h"
#include "engine/layers/forward.h"
#include "engine/ops/op_def.h"
#include "engine/passes/pass.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace tilewright::compiler {

namespace {

using namespace graph;
using namespace program;

Diagnostic usage(std::string code, std::string subject, Message message, Message remedy = {})
{
    return makeError(ErrorKind::Usage, std::move(code), std::move(subject), std::move(message), std::move(remedy));
}

std::string list(std::span<std::string_view const> words)
{
    std::vector<std::string> all(words.begin(), words.end());
    return joinText(all, ", ");
}

constexpr double kMostWork = 1e18;

Status checkRequest(OpRequest const &request)
{
    auto const kinds = opKinds();
    auto const kind = std::ranges::find(kinds, request.kind, &OpKind::name);
    if (kind == kinds.end()) {
        std::vector<std::string> names;
        for (auto const &k : kinds) names.emplace_back(k.name);
        auto const near = nearestName(request.kind, names);
        return usage("op.kind", request.kind, Message::of("there is no operation '%1'.", request.kind),
                     near.empty() ? Message::of("Operations: %1.", joinText(names, ", ")) : Message::of("Did you mean '%1'?", near));
    }
    for (auto const &[name, value] : request.dims) {
        bool const required = std::ranges::find(kind->dims, name) != kind->dims.end();
        if (!required && std::ranges::find(kind->optional, name) == kind->optional.end())
            return usage("op.argument", name, Message::of("%1 has no argument '%2'.", request.kind, name),
                         Message::of("Arguments: %1.", list(kind->dims)));
        if (isYesOrNo(name) && value != 0 && value != 1)
            return usage("op.argument", name, Message::of("%1=%2 is neither 0 nor 1.", name, value),
                         Message::of("Give 1 for yes, 0 for no."));
        constexpr std::int64_t kLargest = std::int64_t{1} << 31;
        if (value < (required ? 1 : 0) || value > kLargest)
            return usage("op.argument", name, Message::of("%1=%2 is out of range.", name, value),
                         Message::of("Give a number from 1 to %1.", std::to_string(kLargest)));
    }
    double work = 1; // its products and sums are counted in 64 bits
    for (auto const &[name, value] : request.dims)
        if (!isYesOrNo(name)) work *= static_cast<double>(std::max<std::int64_t>(value, 1));
    if (work > kMostWork)
        return makeError(ErrorKind::Invalid, "op.too-large", request.kind,
                         Message::of("the product of its arguments is %1; the largest product is %2.", Argument::figure(shortText(work, 3)),
                                     Argument::figure(shortText(kMostWork, 3))),
                         Message::of("Give smaller numbers."));
    for (auto name : kind->dims)
        if (!request.dims.contains(name))
            return usage("op.missing", std::string(name), Message::of("%1 needs '%2'.", request.kind, std::string(name)),
                         Message::of("Arguments: %1.", list(kind->dims)));
    auto const isPriced = [](DType type) { return type == DType::F16 || type == DType::F32; };
    for (auto const &[option, type] : {std::pair{"dtype", std::optional(request.dtype)}, std::pair{"partials", request.partials}})
        if (type && !isPriced(*type))
            return usage("op.argument", option,
                         Message::of("%1 of %2 has no price in the cost model.", request.kind, std::string(toText(*type))),
                         Message::of("Choose f16 or f32."));
    if (!request.machine.isEmulated() || request.machine.chip.tiles < 1)
        return usage("op.argument", "target", Message::of("a single operation can only be compiled for an IPU."),
                     Message::of("Choose a target with tiles, such as gc200."));
    if (!(request.availableMemoryProportion >= config::kLeastMemoryProportion && request.availableMemoryProportion <= 1))
        return usage("op.argument", "available-memory-proportion", Message::of("the proportion must be from 0.000001 up to 1."));
    return {};
}

/// The operands as resident variables, so that nothing is streamed from the host.
struct GraphOf {
    Graph graph;
    ValueId result; ///< invalid: it is assigned to a variable
};

GraphOf startGraph(std::string name)
{
    GraphOf g;
    g.graph.name = std::move(name);
    addRegion(g.graph, "main");
    return g;
}

ValueId operand(GraphOf &g, Builder &b, std::string name, Shape shape, DType type, Role role = Role::Input)
{
    graph::Variable variable;
    variable.name = std::move(name);
    variable.shape = std::move(shape);
    variable.dtype = type;
    variable.role = role;
    return b.read(addVariable(g.graph, std::move(variable)));
}

std::int64_t dimOf(OpRequest const &request, std::string_view name, std::int64_t fallback)
{
    auto const it = request.dims.find(name);
    return it == request.dims.end() ? fallback : it->second;
}

/// A square kernel over an image that is padded so that outputs are inputs / stride, unless `valid`.
Status addConvolution(OpRequest const &request, GraphOf &g, Builder &b)
{
    auto const dim = [&](std::string_view name, std::int64_t fallback = 0) { return dimOf(request, name, fallback); };
    auto const kernel = dim("kernel"), stride = dim("stride", 1), groups = dim("groups", 1), in = dim("in"), out = dim("out");
    bool const training = dim("training") != 0;
    constexpr std::int64_t kMostPositions = std::int64_t{1} << 30; // of a geometry (engine/graph/conv.cpp)
    for (auto const *name : {"height", "width", "kernel", "stride"})
        if (dim(name, 1) > kMostPositions)
            return usage("op.argument", name, std::string(name) + "=" + std::to_string(dim(name)) + " is out of range.",
                         "Give a number from 1 to " + std::to_string(kMostPositions) + ".");
    if (in % groups != 0 || out % groups != 0)
        return usage("op.argument", "groups", Message::of("%1 channels and %2 filters cannot be cut into %3 groups.", in, out, groups),
                     Message::of("Give a number that divides both."));
    ConvAttrs attrs;
    attrs.groups = groups;
    Shape y{dim("batch")};
    std::vector<std::int64_t> extents;
    for (auto const *axis : {"height", "width"}) {
        auto const n = dim(axis);
        if (n + (dim("valid") ? 0 : kernel - 1) < kernel)
            return usage("op.argument", axis, Message::of("a kernel of %1 does not fit %2 positions.", kernel, n),
                         Message::of("Give a larger %1 or leave --valid out.", std::string(axis)));
        std::int64_t const outputs = dim("valid") ? (n - kernel) / stride + 1 : ceilDiv(n, stride);
        std::int64_t const missing = std::max<std::int64_t>(0, (outputs - 1) * stride + kernel - n);
        attrs.strides.push_back(stride);
        attrs.dilations.push_back(1);
        attrs.before.push_back(missing / 2);
        attrs.after.push_back(missing - missing / 2);
        extents.push_back(n);
        y.push_back(outputs);
    }
    y.push_back(out);
    auto const x = operand(g, b, "x", {dim("batch"), extents[0], extents[1], in}, request.dtype);
    auto const w = operand(g, b, "w", {kernel, kernel, in / groups, out}, request.dtype, Role::Weight);
    g.result = ops::appendOp(b, "conv", {x, w}, toAttrs(attrs), "Conv");
    if (!training) return {};
    auto const d = operand(g, b, "deltas", y, request.dtype);
    auto backward = toAttrs(attrs), update = toAttrs(attrs);
    backward.set("input", extents);
    update.set("kernel", std::vector<std::int64_t>{kernel, kernel});
    b.pass = Pass::Backward;
    ops::appendOp(b, "conv_weight_grad", {x, d}, std::move(update), "Conv_WeightUpdate");
    ops::appendOp(b, "conv_input_grad", {d, w}, std::move(backward), "Conv_Backward");
    return {};
}

/// What one layer of LSTM computes for a batch of sequences, the outputs of all steps, by the passes of every compile: its loop
/// is that of a model's.
Result<GraphOf> makeLstm(OpRequest const &request, JobContext const &job)
{
    auto const dim = [&](std::string_view name) { return dimOf(request, name, 0); };
    std::string const type = request.dtype == DType::F16 ? "float16" : "float32";
    model::Model model;
    model.layers.push_back(model::makeLayer("LSTM", request.kind,
                                            model::Json{{"units", dim("units")},
                                                        {"return_sequences", true},
                                                        {"dtype", type},
                                                        {"batch_input_shape", {nullptr, dim("steps"), dim("in")}}}));
    model::normalizeModel(model);
    TW_ASSIGN(auto const resolved, model::resolve(model));
    GraphOf g = startGraph(request.kind);
    layers::BuildContext context(resolved, g.graph, ops::opLookup(), dim("batch"), false);
    context.b.layer = request.kind;
    auto const x = operand(g, context.b, "x", {dim("batch"), dim("steps"), dim("in")}, request.dtype);
    TW_ASSIGN(auto const forward, layers::buildForward(context, std::span(&x, 1)));
    auto const &made = g.graph.value(forward.outputs.front());
    graph::Variable result;
    result.name = "result";
    result.shape = made.shape;
    result.dtype = made.dtype;
    result.role = Role::Output;
    context.b.assign(addVariable(g.graph, std::move(result)), forward.outputs.front());
    auto const options = passes::passOptions(config::IpuConfig(), request.machine.chip.tiles);
    JobContext quiet = job;
    quiet.progress = nullptr;
    TW_ASSIGN(auto passed, passes::runPasses(passes::graphPasses(), std::move(g.graph), {ops::opLookup(), options, quiet}));
    return GraphOf{graph::compact(passed.graph), {}};
}

Result<GraphOf> makeGraph(OpRequest const &request, JobContext const &job)
{
    if (request.kind == "lstm") return makeLstm(request, job);
    auto const dim = [&](std::string_view name, std::int64_t fallback = 0) { return dimOf(request, name, fallback); };
    GraphOf g = startGraph(request.kind);
    Builder b(g.graph, RegionId(0));
    b.layer = request.kind;
    b.role = Role::Output;
    if (request.kind == "matmul") {
        auto const m = dim("m"), k = dim("k"), n = dim("n");
        bool const ta = dim("transpose_a") != 0, tb = dim("transpose_b") != 0, resident = dim("resident") != 0;
        auto const lhs = operand(g, b, "a", ta ? Shape{k, m} : Shape{m, k}, request.dtype);
        auto const rhs = operand(g, b, "b", tb ? Shape{n, k} : Shape{k, n}, request.dtype, resident ? Role::Weight : Role::Input);
        Attrs attrs;
        if (ta) attrs.set("transpose_a", true);
        if (tb) attrs.set("transpose_b", true);
        g.result = ops::appendOp(b, "matmul", {lhs, rhs}, std::move(attrs), "MatMul");
    } else if (request.kind == "conv2d") {
        TW_TRY(addConvolution(request, g, b));
    } else if (request.kind == "elementwise") {
        auto const *prim = findPrimitive(request.name);
        if (!prim) {
            std::vector<std::string> names;
            for (auto const &p : primitives()) names.emplace_back(p.name);
            auto const near = nearestName(request.name, names);
            return usage("op.argument", "name", Message::of("there is no elementwise operation '%1'.", request.name),
                         near.empty() ? Message::of("`tilewright ops` lists them.") : Message::of("Did you mean '%1'?", near));
        }
        std::vector<ValueId> inputs;
        for (int i = 0; i < prim->arity; ++i)
            inputs.push_back(operand(g, b, std::string(1, static_cast<char>('a' + i)), {dim("n")}, request.dtype));
        Attrs attrs;
        if (prim->parameters > 0) attrs.set("p0", 0.5);
        if (prim->parameters > 1) attrs.set("p1", 1.0);
        g.result = ops::appendOp(b, request.name, std::move(inputs), std::move(attrs), request.name);
    } else if (request.kind == "reduce") {
        auto const x = operand(g, b, "x", {dim("outer"), dim("inner")}, request.dtype);
        g.result = ops::appendOp(b, "reduce_sum", {x}, {{"axes", Shape{-1}}}, "Reduce");
    } else if (request.kind == "softmax") {
        auto const x = operand(g, b, "x", {dim("rows"), dim("cols")}, request.dtype);
        g.result = ops::appendOp(b, "softmax", {x}, {}, "Softmax");
    } else if (request.kind == "gather") {
        auto const table = operand(g, b, "table", {dim("rows"), dim("width")}, request.dtype, Role::Weight);
        auto const indices = operand(g, b, "indices", {dim("indices")}, DType::I32);
        g.result = ops::appendOp(b, "gather", {table, indices}, {}, "Gather");
    } else { // allreduce
        auto const elements = ceilDiv(dim("bytes"), sizeOf(request.dtype));
        auto const x = operand(g, b, "x", {elements}, request.dtype);
        g.result = ops::appendOp(b, "all_reduce", {x}, {}, "AllReduce");
    }
    return g;
}

/// A program that is one exchange of `bytes` per tile.
Result<lowering::Lowered> makeExchange(OpRequest const &request)
{
    auto const &chip = request.machine.chip;
    std::int64_t const tiles = chip.tiles, bytes = request.dims.find("bytes")->second;
    lowering::ProgramBuilder b(request.machine, 1, 1, {});
    b.program().name = "exchange";
    Op op;
    op.name = op.kind = "exchange";
    op.level = "keras";
    b.setOp(b.addOp(std::move(op)));
    std::int64_t const words = ceilDiv(bytes, 4);
    auto const rows = [&](std::int64_t cols, int first) {
        Layout l = rowLayout(tiles, cols, b.everyTile(0), first);
        return l;
    };
    VarId src, dst;
    auto const addBoth = [&](Shape shape, Layout const &from, Layout const &to) {
        src = b.addVar("source", "input", DType::I32, shape, from);
        dst = b.addVar("destination", "output", DType::I32, shape, to, Category::Output);
    };
    if (request.pattern == "all_to_all") {
        // At least one word from every tile to every other: smaller shares are rounded up.
        std::int64_t const each = ceilDiv(words, tiles);
        Layout to = onTiles(b.everyTile(0));
        to.add(cut(tiles, tiles, 0));
        to.add(cut(tiles * each, each, 1));
        addBoth({tiles, tiles * each}, rows(tiles * each, 0), to);
    } else if (request.pattern == "broadcast") {
        Layout to = onTiles(b.everyTile(0));
        to.add(cut(tiles, 1, 1, DimKind::Copy));
        to.add(cut(1, 1, 0));
        to.add(cut(words, words, 0));
        addBoth({words}, singleTile(1, words, b.everyTile(0), 0), to);
    } else if (request.pattern == "neighbour") {
        addBoth({tiles, words}, rows(words, 0), rows(words, 1));
    } else if (request.pattern == "gather") {
        addBoth({tiles, words}, rows(words, 0), singleTile(tiles, words, b.everyTile(0), 0));
    } else {
        return usage("op.argument", "pattern", Message::of("there is no exchange pattern '%1'.", request.pattern),
                     Message::of("Patterns: all_to_all, broadcast, neighbour, gather."));
    }
    b.var(src).alwaysLive = b.var(dst).alwaysLive = true;
    b.transfer(b.whole(src, dst), "exchange/" + request.pattern);
    b.flush();
    lowering::Lowered lowered;
    lowered.program = std::move(b.program());
    TW_TRY(program::verify(lowered.program));
    return lowered;
}

void sumUp(OpCompileResult &result)
{
    using lowering::Phase;
    // Replicas and IPUs run side by side: the first IPU's events are the run's.
    auto const times = lowering::timesOf(result.schedule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        auto const &event = result.schedule.events[i];
        if (event.ipu != 0) continue;
        Cycles const cycles = times[i] * event.duration;
        switch (event.phase) {
        case Phase::Compute: result.cycles.compute += cycles; break;
        case Phase::InternalExchange:
        case Phase::GlobalExchange:
        case Phase::Stream: result.cycles.exchange += cycles; break;
        case Phase::Sync: result.cycles.sync += cycles; break;
        case Phase::Idle: break;
        }
    }
    result.cycles.total = result.schedule.runCycles();
    auto const clock = static_cast<double>(result.machine.chip.clockHz);
    result.emulatedSeconds = static_cast<double>(result.cycles.total) / clock;
    if (result.emulatedSeconds > 0) result.tflops = static_cast<double>(result.flops) / result.emulatedSeconds * 1e-12;
    for (std::size_t i = 0; i < result.schedule.computeSets.size(); ++i) result.vertices += result.schedule.computeSets[i].vertices;
    result.computeSets = static_cast<std::int64_t>(result.lowered.program.computeSets.size());
    for (std::size_t i = 0; i < result.schedule.exchanges.size(); ++i) result.exchangedBytes += result.schedule.exchanges[i].totalReceived;
    for (auto const &op : result.lowered.program.ops)
        if (!op.plan.empty()) result.plan = op.plan;
}

} // namespace

bool isYesOrNo(std::string_view dim)
{
    constexpr std::array<std::string_view, 5> kSuch{"transpose_a", "transpose_b", "resident", "valid", "training"};
    return std::ranges::find(kSuch, dim) != kSuch.end();
}

std::span<OpKind const> opKinds()
{
    static std::vector<OpKind> const kKinds{
        {"matmul",
         "matrix product [m,k] x [k,n]; --resident 1: the second operand is a weight on its tiles",
         {"m", "k", "n"},
         {"transpose_a", "transpose_b", "resident"}},
        {"conv2d",
         "convolution [batch, height, width, in] x [kernel, kernel, in, out]; --valid 1: unpadded; --training 1: also gradients",
         {"batch", "height", "width", "in", "out", "kernel"},
         {"stride", "groups", "valid", "training"}},
        {"elementwise", "the primitive --name over n elements", {"n"}, {}},
        {"reduce", "sums the rows of [outer, inner]", {"outer", "inner"}, {}},
        {"softmax", "softmax over the rows of [rows, cols]", {"rows", "cols"}, {}},
        {"gather", "reads `indices` rows of a table [rows, width]", {"rows", "width", "indices"}, {}},
        {"lstm",
         "LSTM layer over sequences [batch, steps, in], forward, with the outputs of all steps",
         {"batch", "steps", "in", "units"},
         {}},
        {"exchange", "moves `bytes` bytes per tile; --pattern all_to_all, broadcast, neighbour or gather", {"bytes"}, {}},
        {"allreduce", "sums `bytes` bytes over replicas", {"bytes", "replicas"}, {}},
    };
    return kKinds;
}

Result<OpCompileResult> compileOp(OpRequest const &request, JobContext const &job)
{
    TW_TRY(checkRequest(request));
    OpCompileResult result;
    result.machine = request.machine;
    if (request.kind == "exchange") {
        // What a tile sends, and in all_to_all at least a word to each other.
        auto const words = ceilDiv(request.dims.find("bytes")->second, 4);
        TW_TRY(requireTensorInReach("source", {result.machine.chip.tiles, words}, DType::I32, result.machine));
        TW_ASSIGN(result.lowered, makeExchange(request));
    } else {
        TW_ASSIGN(auto g, makeGraph(request, job));
        TW_TRY(requireTensorsInReach(g.graph, result.machine));
        if (request.partials.value_or(request.dtype) == DType::F16)
            for (auto &node : g.graph.nodes)
                if (partialSumsOf(node.op) == PartialSums::Product && request.dtype == DType::F16)
                    graph::setHalfPartials(node, request.machine.chip.convInputGroup(DType::F16));
        int replicas = 1;
        if (request.kind == "allreduce") {
            std::int64_t const wanted = request.dims.find("replicas")->second;
            if (wanted > 64)
                return usage("op.argument", "replicas", Message::of("a collective has at most 64 replicas."),
                             Message::of("Give a number from 1 to 64."));
            replicas = static_cast<int>(wanted);
            // A collective is asked about by its replicas: the system has at least as many IPUs.
            if (result.machine.ipus < replicas)
                job.warn(makeWarning("op.replicas", "replicas",
                                     result.machine.ipus == 1
                                         ? Message::of("%1 has one IPU: the collective is priced on a system of %2 such IPUs.",
                                                       result.machine.name, replicas)
                                         : Message::of("%1 has %2 IPUs: the collective is priced on a system of %3 such IPUs.",
                                                       result.machine.name, result.machine.ipus, replicas),
                                     Message::of("Choose a --target with that many IPUs, such as pod16, to use its links.")));
            result.machine.ipus = std::max(result.machine.ipus, replicas);
        }
        lowering::Options options;
        options.availableMemoryProportion = options.convMemoryProportion = request.availableMemoryProportion;
        TW_ASSIGN(result.lowered, lowering::lowerGraph(g.graph, result.machine, 1, replicas, options, ops::loweringLookup(), job));
        if (g.result.valid()) {
            auto const out = result.lowered.values[g.result.index];
            auto &variable = result.lowered.program.variables[out.index];
            variable.alwaysLive = true;
            variable.category = variable.category == Category::ExchangeBuffer ? variable.category : Category::Output;
        }
        if (request.kind != "gather") result.flops = countFlops(g.graph, RegionId(0)); // which moves rows, and computes nothing
        if (request.kind == "allreduce") result.flops = elementCount(g.graph.value(g.result).shape) * (replicas - 1);
    }
    if (job.cancelled()) return cancelledError(request.kind);
    result.liveness = lowering::analyseLiveness(result.lowered.program);
    result.schedule = lowering::makeSchedule(result.lowered.program, result.machine, false);
    if (job.cancelled()) return cancelledError(request.kind);
    result.memory =
        lowering::allocate(result.lowered.program, result.liveness,
                           lowering::codeBytes(result.lowered.program, result.schedule.exchanges, result.machine, true), result.machine);
    sumUp(result);
    return result;
}

nlohmann::ordered_json toJson(OpCompileResult const &result)
{
    nlohmann::ordered_json j;
    j["cycles"] = {{"total", result.cycles.total},
                   {"compute", result.cycles.compute},
                   {"exchange", result.cycles.exchange},
                   {"sync", result.cycles.sync}};
    j["emulated_seconds"] = result.emulatedSeconds;
    j["flops"] = result.flops;
    j["tflops"] = result.tflops;
    j["plan"] = nlohmann::ordered_json::object();
    j["alternatives"] = nlohmann::ordered_json::array();
    if (!result.plan.empty()) {
        auto plan = orderedJsonOrDiscarded(result.plan);
        if (plan.contains("chosen")) j["plan"] = plan["chosen"];
        if (plan.contains("problem")) j["plan"]["problem"] = plan["problem"];
        if (plan.contains("alternatives")) j["alternatives"] = plan["alternatives"];
    }
    auto const &ipu = result.memory.ipus.front();
    auto categories = nlohmann::ordered_json::object();
    for (int k = 0; k < kMemoryCategories; ++k)
        if (auto const bytes = result.memory.byKind[static_cast<std::size_t>(k)]; bytes > 0)
            categories[std::string(toText(static_cast<MemoryCategory>(k)))] = bytes;
    j["memory"] = {{"fits", result.memory.fits},
                   {"max_tile_bytes", ipu.maxWithoutGaps},
                   {"max_tile_bytes_with_gaps", ipu.worstBytes},
                   {"max_tile_bytes_without_gaps", ipu.maxWithoutGaps},
                   {"max_tile_need", result.memory.maxNeed(0)},
                   {"worst_tile", ipu.worstTile},
                   {"tile_limit", result.machine.chip.bytesPerTile},
                   {"total_bytes", ipu.totalWithoutGaps},
                   {"total_bytes_with_gaps", ipu.totalWithGaps},
                   {"categories", categories}};
    j["vertices"] = result.vertices;
    j["compute_sets"] = result.computeSets;
    j["exchanged_bytes"] = result.exchangedBytes;
    return j;
}

} // namespace tilewright::compiler
