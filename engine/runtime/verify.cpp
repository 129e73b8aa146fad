// The lockstep comparison of both modes.
#include "engine/runtime/session_parts.h"
#include "engine/runtime/verify_comparison.h"

#include "engine/core/host_memory.h"
#include "engine/core/text.h"
#include "engine/graph/partial_sums.h"
#include "engine/graph/rounding.h"
#include "engine/ops/op_def.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <tuple>

namespace tilewright::runtime {

namespace {

/// The gradient that a compute set is about to apply; invalid for other steps.
struct UpdateGradient {
    graph::ValueId value;
    program::VarId var;
    std::string name;
};
UpdateGradient updateGradient(executable::Executable const &exe, program::StepId id)
{
    auto const &step = exe.program.step(id);
    if (step.kind != program::StepKind::Execute || step.op < 0) return {};
    auto const &op = exe.program.ops[static_cast<std::size_t>(step.op)];
    auto const *known = ops::findOp(op.kind);
    if (!known || !known->lowering.updatesWeights) return {};
    for (auto const &node : exe.graph.nodes) {
        if (node.name != op.name || node.op != op.kind) continue;
        auto const &fields = exe.program.computeSets[step.computeSet.index].families.front().fields;
        // Fields are the states, the gradient, the rate; inputs of the node are in the same order.
        std::size_t const states = node.outputs.size();
        if (fields.size() <= states || node.inputs.size() <= states) continue;
        if (exe.program.var(fields[0].var).name != exe.graph.value(node.inputs[0]).name) continue;
        return {node.inputs[states], fields[states].var, exe.graph.value(node.inputs[0]).name};
    }
    return {};
}

} // namespace

Result<VerifyOutcome> verify(project::Project const &project, RunRequest const &request, std::int64_t steps, JobContext const &job)
{
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Train;
    TW_ASSIGN(auto const compiled, compiler::compile(project, compileRequest, job));
    auto const &exe = *compiled.executable;
    if (!exe.emulated)
        return makeError(ErrorKind::Invalid, "verify.cpu", "system.target", Message::of("the cpu target has no tiles to compare with."),
                         Message::of("Choose an IPU target, such as gc200."));
    if (compiled.outOfMemory) return *compiled.outOfMemory;
    TW_ASSIGN(auto const dataset, openData(project, request.baseDir, job));
    TW_TRY(checkAgainstModel(dataset.x, dataset.y, exe, project));
    auto const seed = static_cast<std::uint64_t>(project.training.seed);
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    TW_TRY(requireHostMemory(addBytes(addBytes(fusedExecutorBytes(exe), tileExecutorBytes(exe)), stateBytes(exe)), exe.name,
                             Message::of("running the model in both modes"),
                             Message::of("Make the model or the batch smaller, or use a machine with more memory.")));
    TW_ASSIGN(auto fused, makeFusedExecutor(exe, seed, pool, FusedPath::Kept));
    TW_ASSIGN(auto tile, makeTileExecutor(exe, compiled.machine, seed, pool));
    TW_ASSIGN(auto const initial, initialState(project, exe));
    TW_TRY(loadState(*fused, exe, initial));
    auto const order = data::epochOrder(dataset.x.count(), seed, 0, project.training.shuffle && project.data.shuffle);

    VerifyComparison comparison(std::ranges::any_of(exe.graph.values, [](graph::Value const &value) { return value.dtype == DType::F16; }));
    auto const layerOf = [](std::string const &name) { return name.substr(0, name.find('/', name.find('/') + 1)); };
    // An accuracy counts samples: where two scores are the same half, or next to it, rounding decides which is the larger.
    auto const counts = [&](std::string const &outfeed) {
        auto const counted = [&](model::Metric const &metric) {
            auto const spec = std::ranges::find(model::metricSpecs(), metric.className, &model::MetricSpec::className);
            bool const isAccuracy = metric.className == "accuracy" || (spec != model::metricSpecs().end() && spec->lossClass.empty());
            return isAccuracy && (outfeed == metric.displayName || outfeed.ends_with("_" + metric.displayName));
        };
        auto const &plan = project.training;
        return comparison.half()
            && (std::ranges::any_of(plan.metrics, counted) || std::ranges::any_of(plan.outputMetrics, [&](model::OutputMetrics const &own) {
                    return std::ranges::any_of(own.metrics, counted);
                }));
    };
    double const oneSample = 1.0 / static_cast<double>(exe.batchSize);
    // An update like RMSprop's divides a gradient by its own size: where a gradient is next to nothing its
    // rounding decides the sign of a whole step. So the gradients are compared, then both modes update from
    // the fused ones.
    auto *machine = tileMachineOf(*tile);
    machine->beforeStep = [&](program::StepId id) {
        auto const gradient = updateGradient(exe, id);
        if (!gradient.value.valid()) return;
        for (int r = 0; r < exe.replicas; ++r) {
            auto const a = fused->readValue(gradient.value, r);
            auto const b = machine->download(gradient.var, r);
            std::string const name = "gradient/" + gradient.name;
            comparison.compare(name, exe.graph.value(gradient.value).dtype, a, b, layerOf(name));
            if (a.size() == b.size()) machine->upload(gradient.var, a, r);
        }
    };
    // Rounded sums decide signs in front of an activation: what comes behind would differ by whole samples. So these
    // sums are compared one by one, and both modes go on from the fused ones.
    using SumsPlace = std::tuple<std::size_t, int, int>; // node, IPU, replica
    std::map<SumsPlace, std::deque<std::vector<std::byte>>> sums;
    fused->onSums = [&](graph::NodeId id, int ipu, int replica, std::span<std::byte const> data) {
        sums[{id.index, ipu, replica}].emplace_back(data.begin(), data.end());
    };
    machine->onStep = [&](program::StepId id) {
        auto const &step = exe.program.step(id);
        auto const finished = program::finishedBy(exe.program, step);
        if (finished.node < 0 || static_cast<std::size_t>(finished.node) >= exe.graph.nodes.size()) return;
        graph::NodeId const node(static_cast<std::size_t>(finished.node));
        std::string const name = "sums/" + exe.graph.node(node).name;
        comparison.allowStores(name, graph::partialStores(exe.graph, exe.graph.node(node)),
                               graph::roundingOf(exe.graph.node(node)) != graph::Rounding::Nearest);
        for (int r = 0; r < exe.replicas; ++r) {
            auto &known = sums[{node.index, exe.program.var(finished.var).layout.on.ipu, r}];
            if (known.empty()) {
                comparison.missing(name); // fused mode did not come here
                continue;
            }
            comparison.compare(name, exe.program.var(finished.var).dtype, known.front(), machine->download(finished.var, r),
                               layerOf(name) + " " + std::string(graph::toText(exe.graph.node(node).pass)));
            machine->upload(finished.var, known.front(), r);
            known.pop_front();
        }
    };
    std::int64_t const turnsPerUpdate = exe.microBatchesPerUpdate;
    std::int64_t const turns = dataset.x.count() / (exe.batchSize * exe.replicas);
    std::int64_t turn = 0, compared = 0;
    for (std::int64_t step = 0; step < steps && turn + turnsPerUpdate <= turns; ++step, turn += turnsPerUpdate) {
        if (job.cancelled()) return cancelledError("verify");
        // Both start this update from the fused state, replica by replica.
        for (int r = 0; r < exe.replicas; ++r)
            for (std::size_t v = 0; v < exe.graph.variables.size(); ++v) {
                graph::VariableId const id(v);
                if (tile->has(id)) tile->write(id, fused->read(id, r), r);
            }
        sums.clear();
        // Outfeeds by replica and tensor: the two modes ask in different orders.
        std::map<std::pair<int, int>, std::vector<std::vector<std::byte>>> outputs[2];
        for (int mode = 0; mode < 2; ++mode) {
            Infeed infeed(dataset.x, dataset.y, static_cast<float>(dataset.scale), exe.infeed, exe.batchSize, exe.replicas, 0, nullptr,
                          project.training.classWeights);
            infeed.begin(order, turn, turnsPerUpdate);
            StreamHandlers streams;
            streams.toDevice = [&](int r, int index, std::byte *to, std::size_t bytes) { return infeed.next(r, index, to, bytes); };
            streams.fromDevice = [&](int r, int index, std::byte const *from, std::size_t bytes) -> Status {
                outputs[mode][{r, index}].emplace_back(from, from + bytes);
                return {};
            };
            auto &executor = mode ? *tile : *fused;
            resumeLoop(executor, exe); // each update is compared, whatever the loss
            TW_TRY(executor.runUpdate(streams, job));
        }
        // Behind numbers that are none there is nothing to compare.
        std::optional<float> lost[2];
        for (int mode = 0; mode < 2; ++mode)
            for (auto const &[key, values] : outputs[mode])
                for (auto const &value : values) {
                    auto const &spec = exe.outfeed[static_cast<std::size_t>(key.second)];
                    std::vector<float> losses;
                    if (spec.name == "loss") appendFloats(losses, spec.dtype, value);
                    for (float const loss : losses)
                        if (!std::isfinite(loss)) lost[mode] = loss;
                }
        if (lost[0] && lost[1])
            return lossNotFinite(exe, *lost[0], "update " + std::to_string(step + 1),
                                 Message::of("Lower training.optimizer.learning_rate, scale the data, or clip gradients."));
        for (auto const &[key, values] : outputs[0]) {
            auto const &spec = exe.outfeed[static_cast<std::size_t>(key.second)];
            auto const &others = outputs[1][key];
            if (values.size() != others.size()) comparison.missing("outfeed/" + spec.name);
            for (std::size_t i = 0; i < values.size() && i < others.size(); ++i)
                comparison.compare("outfeed/" + spec.name, spec.dtype, values[i], others[i], {},
                                   counts(spec.name) ? oneSample * 1.001 : 0.0);
        }
        for (std::size_t v = 0; v < exe.graph.variables.size(); ++v) {
            graph::VariableId const id(v);
            auto const &variable = exe.graph.variables[v];
            // What was summed up has been compared as the gradient; behind the update its storage is anybody's.
            if (!tile->has(id) || variable.role == graph::Role::Accumulator) continue;
            for (int r = 0; r < exe.replicas; ++r) comparison.compare(variable.name, variable.dtype, fused->read(id, r), tile->read(id, r));
        }
        ++compared;
        job.report("Verify", static_cast<double>(step + 1) / static_cast<double>(steps));
    }
    if (compared > 0 && compared < steps)
        job.warn(makeWarning("verify.steps", "data",
                             Message::of("the data end after %1 of the %2 weight updates that were requested.", compared, steps),
                             project.data.limit > 0 ? Message::of("Request fewer, or raise data.limit.")
                                                    : Message::of("Request fewer, or lower training.batch_size.")));
    return comparison.outcome(compared);
}

} // namespace tilewright::runtime
