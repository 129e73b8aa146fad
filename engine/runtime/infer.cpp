// Evaluation, prediction and the lockstep comparison of both modes.
#include "engine/runtime/session_parts.h"

#include "engine/core/host_memory.h"
#include "engine/core/text.h"
#include "engine/graph/partial_sums.h"
#include "engine/graph/rounding.h"
#include "engine/kernels/half.h"
#include "engine/ops/op_def.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <numeric>

namespace tilewright::runtime {

namespace {

/// Four units in the last place of a float16.
constexpr double kHalfTolerance = 0x1p-8, kLeastNormalHalf = 0x1p-14;
/// Of a sum that is stored as float16 many times on the way: the modes round at other places.
/// By chance a store errs by 0.41 units in the last place on average: six times that, of two modes, and of so many of them.
double sumsTolerance(std::int64_t stores, bool byChance) { return std::max(kHalfTolerance, (byChance ? 4 : 1) * 0x1p-10 * std::sqrt(static_cast<double>(stores))); }

struct Samples {
    data::DataArray const *x, *y;
    SamplesOf of;
};
Samples samplesToRead(data::Dataset const &dataset, JobContext const &job)
{
    if (!dataset.testX.empty()) return {&dataset.testX, &dataset.testY, SamplesOf::Test};
    if (!dataset.validationX.empty()) return {&dataset.validationX, &dataset.validationY, SamplesOf::Validation};
    auto note = makeWarning("data.no-test", dataset.x.origin.name(), "there are no test samples and none held out: these are the training samples.",
                            "Give test samples, or set training.validation_split.");
    note.severity = Severity::Note;
    job.warn(std::move(note));
    return {&dataset.x, &dataset.y, SamplesOf::Train};
}

Result<TrainingState> stateOr(TrainingState const *state, project::Project const &project, executable::Executable const &exe,
                              JobContext const &job)
{
    if (state) return *state;
    job.warn(makeWarning("checkpoint.none", "checkpoint", "no checkpoint: these are the initial weights.",
                         "Train first, or name one with --checkpoint."));
    return initialState(project, exe);
}

void appendFloats(std::vector<float> &to, DType dtype, std::span<std::byte const> from)
{
    auto const elements = [&]<typename T>(T, auto const &valueOf) {
        for (std::size_t i = 0; i + sizeof(T) <= from.size(); i += sizeof(T)) {
            T element;
            std::memcpy(&element, from.data() + i, sizeof element);
            to.push_back(valueOf(element));
        }
    };
    auto const plain = [](auto element) { return static_cast<float>(element); };
    switch (dtype) {
    case DType::F32: elements(float{}, plain); return;
    case DType::F16: elements(std::uint16_t{}, kernels::halfToFloat); return;
    case DType::I32: elements(std::int32_t{}, plain); return;
    case DType::U8:
    case DType::Bool: elements(std::uint8_t{}, plain); return;
    }
}

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

std::string_view nameOf(SamplesOf of)
{
    switch (of) {
    case SamplesOf::Test: return "test";
    case SamplesOf::Validation: return "validation";
    case SamplesOf::Train: return "train";
    }
    return "test";
}

Result<EvaluateOutcome> evaluate(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                 JobContext const &job)
{
    TW_ASSIGN(auto const dataset, openData(project, request.baseDir, job));
    auto const [x, y, of] = samplesToRead(dataset, job);
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    TW_ASSIGN(auto evaluator, Evaluator::make(project, request, *x, *y, dataset.scale, pool, job));
    auto const &compiled = evaluator->compiled();
    TW_TRY(data::makeRecords(*x, pool, job));
    std::optional<device::Attachment> attachment;
    if (compiled.executable->emulated) {
        TW_ASSIGN(attachment, attachDevice(project, request, compiled.machine, job));
        TW_TRY(attachment->requireExecution());
    }
    TW_ASSIGN(auto const weights, stateOr(state, project, *compiled.executable, job));
    auto outcome = evaluator->run(weights, job);
    if (outcome.ok()) outcome->samplesOf = of;
    return outcome;
}

Result<PredictOutcome> predict(project::Project const &original, RunRequest const &request, TrainingState const *state,
                               JobContext const &job)
{
    TW_ASSIGN(auto const dataset, openData(original, request.baseDir, job));
    auto const [x, y, of] = samplesToRead(dataset, job);
    TW_ASSIGN(auto const plan, planInference(original, x->count()));
    auto const &project = plan.project;
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    auto const start = std::chrono::steady_clock::now();
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Predict;
    compileRequest.batch = plan.batch;
    compileRequest.steps = plan.steps;
    PredictOutcome outcome;
    outcome.samplesOf = of;
    TW_ASSIGN(outcome.compiled, compiler::compile(project, compileRequest, job));
    if (outcome.compiled.outOfMemory) return *outcome.compiled.outOfMemory;
    auto const &exe = *outcome.compiled.executable;
    TW_TRY(checkAgainstModel(*x, {}, exe, project));
    Bytes perTurn = 0;
    for (auto const &spec : exe.outfeed) perTurn = addBytes(perTurn, elementCount(spec.shape));
    std::int64_t const turns = x->count() / (exe.batchSize * exe.replicas);
    TW_TRY(requireMemoryFor(request, outcome.compiled, multiplyBytes(perTurn * exe.replicas, turns * sizeOf(DType::F32)), "predicting"));
    TW_TRY(data::makeRecords(*x, pool, job));
    std::optional<device::Attachment> attachment;
    if (exe.emulated) {
        TW_ASSIGN(attachment, attachDevice(original, request, outcome.compiled.machine, job));
        TW_TRY(attachment->requireExecution());
    }
    TW_ASSIGN(auto executor, makeExecutor(request, outcome.compiled, static_cast<std::uint64_t>(project.training.seed), pool));
    TW_ASSIGN(auto const weights, stateOr(state, project, exe, job));
    TW_TRY(loadWeights(*executor, exe, weights));
    std::vector<std::uint32_t> order(static_cast<std::size_t>(x->count()));
    std::iota(order.begin(), order.end(), 0u);
    Infeed infeed(*x, {}, static_cast<float>(dataset.scale), exe.infeed, exe.batchSize, exe.replicas, 0);
    for (auto const &spec : exe.outfeed) {
        auto &output = outcome.outputs.emplace_back();
        output.name = spec.name;
        output.shape = spec.shape;
        output.values.reserve(static_cast<std::size_t>(elementCount(spec.shape) * exe.replicas * turns));
    }
    infeed.begin(order, 0, turns);
    StreamHandlers streams;
    streams.toDevice = [&](int r, int index, std::byte *to, std::size_t bytes) { return infeed.next(r, index, to, bytes); };
    streams.fromDevice = [&](int, int index, std::byte const *from, std::size_t bytes) -> Status {
        appendFloats(outcome.outputs[static_cast<std::size_t>(index)].values, exe.outfeed[static_cast<std::size_t>(index)].dtype, {from, bytes});
        return {};
    };
    for (std::int64_t t = 0; t < turns; t += plan.steps) {
        if (job.cancelled()) return cancelledError("predict");
        TW_TRY(executor->run(streams, job));
        if (t % 64 == 0) job.report("Predict", static_cast<double>(t) / static_cast<double>(turns));
    }
    outcome.samples = turns * exe.batchSize * exe.replicas;
    for (auto &output : outcome.outputs) {
        output.shape[0] = outcome.samples;
        auto const bad = std::ranges::find_if(output.values, [](float value) { return !std::isfinite(value); });
        if (bad == output.values.end() || outcome.numeric) continue;
        auto const record = (bad - output.values.begin()) / std::max<std::int64_t>(1, elementCount(output.shape) / std::max<std::int64_t>(1, outcome.samples));
        outcome.numeric = makeError(ErrorKind::Numeric, "numeric.prediction", "record " + std::to_string(record),
                                    "the prediction of output '" + output.name + "' is " + (std::isnan(*bad) ? "not a number." : "infinite."), kTrainAgain);
    }
    outcome.hostSeconds = secondsSince(start);
    outcome.device = deviceTime(outcome.compiled, *executor, turns);
    return outcome;
}

Result<VerifyOutcome> verify(project::Project const &project, RunRequest const &request, std::int64_t steps, JobContext const &job)
{
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Train;
    TW_ASSIGN(auto const compiled, compiler::compile(project, compileRequest, job));
    auto const &exe = *compiled.executable;
    if (!exe.emulated)
        return makeError(ErrorKind::Invalid, "verify.cpu", "system.target", "the cpu target has no tiles to compare with.",
                         "Choose an IPU target, such as gc200.");
    if (compiled.outOfMemory) return *compiled.outOfMemory;
    TW_ASSIGN(auto const dataset, openData(project, request.baseDir, job));
    TW_TRY(checkAgainstModel(dataset.x, dataset.y, exe, project));
    auto const seed = static_cast<std::uint64_t>(project.training.seed);
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    TW_TRY(requireHostMemory(addBytes(addBytes(fusedExecutorBytes(exe), tileExecutorBytes(exe)), stateBytes(exe)), exe.name,
                             "running the model in both modes", "Make the model or the batch smaller, or use a machine with more memory."));
    TW_ASSIGN(auto fused, makeFusedExecutor(exe, seed, pool, FusedPath::Kept));
    TW_ASSIGN(auto tile, makeTileExecutor(exe, compiled.machine, seed, pool));
    TW_ASSIGN(auto const initial, initialState(project, exe));
    TW_TRY(loadState(*fused, exe, initial));
    auto const order = data::epochOrder(dataset.x.count(), seed, 0, project.training.shuffle && project.data.shuffle);

    VerifyOutcome outcome;
    // Both modes round what is stored as float16; the order of their sums decides the last bits of it.
    if (std::ranges::any_of(exe.graph.values, [](graph::Value const &value) { return value.dtype == DType::F16; })) outcome.tolerance = kHalfTolerance;
    // A gradient that is zero but for rounding (of an attention's key bias, which its softmax does not feel; of a bias in front of a
    // batch normalisation) says nothing by itself: what two modes may differ by is then the rounding of the sums around it, 1e-7
    // of the largest gradient of its layer.
    constexpr double kRounding = 1e-2;
    // Likewise a sum whose addends cancel: they come as halves, which are wrong by 2^-11 of their size, and the sums around it say what that is.
    constexpr double kCancelled = 0x1p-3;
    auto const layerOf = [](std::string const &name) { return name.substr(0, name.find('/', name.find('/') + 1)); };
    struct Difference { std::string name; double difference, largest; std::string around; };
    std::vector<Difference> differences;
    std::map<std::string, double> largestAround; ///< of the gradients of a layer, or of its sums in one pass
    std::map<std::string, double> worst;
    // An accuracy counts samples: where two scores are the same half, or next to it, rounding decides which is the larger.
    bool const half = outcome.tolerance == kHalfTolerance;
    auto const counts = [&](std::string const &outfeed) {
        return half && std::ranges::any_of(project.training.metrics, [&](model::Metric const &metric) {
                   auto const spec = std::ranges::find(model::metricSpecs(), metric.className, &model::MetricSpec::className);
                   bool const isAccuracy = metric.className == "accuracy" || (spec != model::metricSpecs().end() && spec->lossClass.empty());
                   return isAccuracy && (outfeed == metric.displayName || outfeed.ends_with("_" + metric.displayName));
               });
    };
    double const oneSample = 1.0 / static_cast<double>(exe.batchSize);
    auto const compare = [&](std::string const &name, DType dtype, std::span<std::byte const> left, std::span<std::byte const> right, std::string const &around = {}, double allowed = 0) {
        std::vector<float> a, b;
        appendFloats(a, dtype, left);
        appendFloats(b, dtype, right);
        // Not comparable is not equal.
        if (a.size() != b.size()) {
            worst[name] = std::numeric_limits<double>::infinity();
            return;
        }
        std::size_t const n = a.size();
        double largest = 0, difference = 0;
        for (std::size_t i = 0; i < n; ++i) {
            largest = std::max({largest, static_cast<double>(std::abs(a[i])), static_cast<double>(std::abs(b[i]))});
            double const d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
            difference = std::isfinite(d) ? std::max(difference, d) : std::numeric_limits<double>::infinity();
        }
        if (!around.empty()) largestAround[around] = std::max(largestAround[around], largest);
        differences.push_back({name, std::max(0.0, difference - allowed), largest, around});
    };
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
            compare(name, exe.graph.value(gradient.value).dtype, a, b, layerOf(name));
            if (a.size() == b.size()) machine->upload(gradient.var, a, r);
        }
    };
    // Rounded sums decide signs in front of an activation: what comes behind would differ by whole samples. So these
    // sums are compared one by one, and both modes go on from the fused ones.
    using SumsPlace = std::tuple<std::size_t, int, int>; // node, IPU, replica
    std::map<SumsPlace, std::deque<std::vector<std::byte>>> sums;
    std::map<std::string, double> tolerances;
    fused->onSums = [&](graph::NodeId id, int ipu, int replica, std::span<std::byte const> data) {
        sums[{id.index, ipu, replica}].emplace_back(data.begin(), data.end());
    };
    machine->onStep = [&](program::StepId id) {
        auto const &step = exe.program.step(id);
        if (step.kind != program::StepKind::Execute) return;
        auto const &finished = exe.program.computeSets[step.computeSet.index].finished;
        if (finished.node < 0) return;
        graph::NodeId const node(static_cast<std::size_t>(finished.node));
        std::string const name = "sums/" + exe.graph.node(node).name;
        auto &tolerance = tolerances[name];
        tolerance = std::max(tolerance, sumsTolerance(graph::partialStores(exe.graph, exe.graph.node(node)), graph::roundingOf(exe.graph.node(node)) != graph::Rounding::Nearest));
        for (int r = 0; r < exe.replicas; ++r) {
            auto &known = sums[{node.index, exe.program.var(finished.var).layout.on.ipu, r}];
            if (known.empty()) {
                worst[name] = std::numeric_limits<double>::infinity(); // fused mode did not come here
                continue;
            }
            compare(name, exe.program.var(finished.var).dtype, known.front(), machine->download(finished.var, r), layerOf(name) + " " + std::string(graph::toText(exe.graph.node(node).pass)));
            machine->upload(finished.var, known.front(), r);
            known.pop_front();
        }
    };
    std::int64_t const turnsPerUpdate = exe.microBatchesPerUpdate;
    std::int64_t const turns = dataset.x.count() / (exe.batchSize * exe.replicas);
    std::int64_t turn = 0;
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
            Infeed infeed(dataset.x, dataset.y, static_cast<float>(dataset.scale), exe.infeed, exe.batchSize, exe.replicas, 0, nullptr, project.training.classWeights);
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
        for (auto const &[key, values] : outputs[0]) {
            auto const &spec = exe.outfeed[static_cast<std::size_t>(key.second)];
            auto const &others = outputs[1][key];
            if (values.size() != others.size()) worst["outfeed/" + spec.name] = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < values.size() && i < others.size(); ++i) compare("outfeed/" + spec.name, spec.dtype, values[i], others[i], {}, counts(spec.name) ? oneSample * 1.001 : 0.0);
        }
        for (std::size_t v = 0; v < exe.graph.variables.size(); ++v) {
            graph::VariableId const id(v);
            auto const &variable = exe.graph.variables[v];
            if (!tile->has(id)) continue;
            for (int r = 0; r < exe.replicas; ++r) compare(variable.name, variable.dtype, fused->read(id, r), tile->read(id, r));
        }
        ++outcome.steps;
        job.report("Verify", static_cast<double>(step + 1) / static_cast<double>(steps));
    }
    for (auto const &[name, difference, size, around] : differences) {
        // Below its least normal number a float16 has steps of one size.
        double const least = name.starts_with("gradient/") ? kRounding * largestAround[around]
                             : name.starts_with("sums/")   ? std::max(kLeastNormalHalf, kCancelled * largestAround[around])
                                                           : 0.0;
        double const largest = std::max(size, least);
        auto &entry = worst[name];
        entry = std::max(entry, largest > 0 ? difference / largest : difference);
    }
    double const usual = outcome.tolerance;
    outcome.agrees = outcome.steps > 0;
    double nearest = -1;
    for (auto const &[name, error] : worst) {
        auto const own = tolerances.find(name);
        double const tolerance = own == tolerances.end() ? usual : own->second;
        outcome.tensors.push_back({name, error, tolerance});
        outcome.agrees = outcome.agrees && error <= tolerance;
        if (error / tolerance <= nearest) continue;
        nearest = error / tolerance;
        outcome.maxRelativeError = error;
        outcome.tolerance = tolerance;
    }
    return outcome;
}

} // namespace tilewright::runtime
