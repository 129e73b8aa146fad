#include "engine/runtime/session_parts.h"

#include "engine/compiler/project_rules.h"
#include "engine/core/host_memory.h"
#include "engine/core/host_work.h"
#include "engine/core/internal_error.h"
#include "engine/core/random.h"
#include "engine/core/replica_seeds.h"
#include "engine/data/data_source.h"
#include "engine/graph/node_kind.h"
#include "engine/kernels/half.h"
#include "engine/model/epoch_steps.h"
#include "engine/model/stages.h"
#include "engine/runtime/state.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace tilewright::runtime {

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

using graph::NodeKind;

int threadsOf(RunRequest const &request) { return hostThreads(request.threads); }

std::int64_t wholeUpdates(std::int64_t asked, std::int64_t updateSteps)
{
    updateSteps = std::max<std::int64_t>(1, updateSteps);
    return std::max(updateSteps, asked / updateSteps * updateSteps);
}

namespace {

/// Where data.inputs names every input of the model, an array with the usual name of samples feeds none: the first named one takes its
/// place.
void feedNamedInputs(model::ResolvedModel const &model, project::Project const &project, data::Dataset &dataset)
{
    for (auto const call : model.inputs)
        if (!dataset.x.hasOwn(model.layerOf(call).layer.name)) return;
    if (!dataset.x.input.empty() || dataset.x.beside.empty()) return;
    for (auto *samples : {&dataset.x, &dataset.validationX, &dataset.testX}) {
        if (samples->beside.empty()) continue;
        auto first = samples->beside.front();
        first.beside.assign(samples->beside.begin() + 1, samples->beside.end());
        *samples = std::move(first);
    }
    dataset.scale = project.data.scale.value_or(dataset.x.dtype == DType::U8 ? 1.0 / 255 : 1.0);
}

} // namespace

Result<data::Dataset> openData(project::Project const &project, RunRequest const &request, JobContext const &job)
{
    if (request.samples) return request.samples->dataset;
    double const run = project.training.validationSplit, own = project.data.validationSplit;
    auto const &path = project.data.validationPath;
    if (!path.empty() && (run > 0 || own > 0))
        job.warn(makeWarning("data.two-splits", run > 0 ? "training.validation_split" : "data.validation_split",
                             Message::of("no sample is held out: data.validation_path is set as well and takes precedence."),
                             Message::of("Set the split to 0, or make data.validation_path empty.")));
    else if (run > 0 && own > 0 && run != own)
        job.warn(makeWarning("data.two-splits", "data.validation_split",
                             Message::of("training.validation_split is set as well, to another share, and takes precedence."),
                             Message::of("Set one of the two to 0.")));
    TW_ASSIGN(auto dataset, data::openDataset(project::dataSource(project), request.baseDir, job));
    if (auto const model = model::resolve(project.model); model.ok() && project.data.x.empty()) feedNamedInputs(*model, project, dataset);
    return dataset;
}

namespace {

/// What one sample is, for a message: "[28, 28]", and no empty brackets.
Message sampleText(Shape const &shape) { return elementCount(shape) == 1 ? Message::of("one value") : Message(toText(shape)); }

Status checkInput(data::DataArray const &samples, graph::FeedSpec const &input, std::int64_t batch, data::DataSourceSpec const &source)
{
    bool const table = data::isTable(source), converts = source.convert == "device" && input.dtype == DType::U8;
    if (converts && samples.dtype != DType::U8)
        return makeError(ErrorKind::Data, "data.convert", input.name,
                         Message::of("the samples are %1, but the device converts only uint8.", std::string(toText(samples.dtype))),
                         Message::of("Set data.convert to host."));
    if (!converts && !isFloating(input.dtype) && input.dtype != DType::I32)
        return makeError(ErrorKind::Data, "data.inputs", input.name,
                         Message::of("samples cannot be fed as %1 yet.", std::string(toText(input.dtype))),
                         Message::of("Make the input float32, float16 or int32."));
    if (samples.sampleElements() == elementCount(input.shape) / std::max<std::int64_t>(1, batch)) return {};
    return makeError(
        ErrorKind::Data, "data.shape.model", samples.origin.name().empty() ? "data" : samples.origin.name(),
        Message::of("a sample is %1 but the model's input '%2' takes %3.", sampleText(samples.sampleShape()), input.name,
                    sampleText(Shape(input.shape.begin() + 1, input.shape.end()))),
        table ? Message::of(
            "Every column but the label (data.label_column) is a value of the sample: change the model's input shape, or choose "
            "other data (data.path).")
              : Message::of("Change the model's input shape, or choose other data (data.path)."));
}

/// Class numbers: one a sample, or one for each place of a sequence.
Status checkClasses(data::DataArray const &labels, graph::FeedSpec const &spec, std::int64_t batch, int classes)
{
    std::int64_t const each = elementCount(spec.shape) / std::max<std::int64_t>(1, batch);
    if (each == 1 || labels.sampleElements() != each) return data::checkLabels(labels, classes);
    auto flat = labels;
    if (labels.maker) labels.makeRecords(0, labels.count());
    flat.maker = nullptr;
    flat.shape = {labels.elements()};
    flat.origin.recordBytes /= each;
    return data::checkLabels(flat, classes);
}

} // namespace

Status checkAgainstModel(data::DataArray const &x, data::DataArray const &y, executable::EntryRef const &entry,
                         project::Project const &project)
{
    return checkAgainstModel(x, y, entry->infeed, entry->batchSize, project);
}

Status checkAgainstModel(data::DataArray const &x, data::DataArray const &y, std::vector<graph::FeedSpec> const &infeed, std::int64_t batch,
                         project::Project const &project)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    std::size_t const inputs = resolved.inputs.size();
    std::string fedByX;
    for (std::size_t i = 0; i < inputs; ++i) {
        auto const &input = infeed.at(i);
        auto const &samples = x.forInput(input.name);
        if (!x.serves(input.name))
            return makeError(ErrorKind::Data, "data.inputs", input.name, Message::of("the data have no array for input '%1'.", input.name),
                             Message::of("Name its array in data.inputs, such as {\"%1\": \"array\"}, or in data.x.", input.name));
        if (&samples == &x) {
            if (!fedByX.empty())
                return makeError(ErrorKind::Data, "data.inputs", input.name,
                                 Message::of("the data have no array for input '%1': the samples feed input '%2'.", input.name, fedByX),
                                 Message::of("Name the array of one of them in data.inputs, such as {\"%1\": \"array\"}.", input.name));
            fedByX = input.name;
        }
    }
    if (fedByX.empty())
        return makeError(ErrorKind::Data, "data.inputs", project.model.name,
                         x.input.empty() ? Message::of("data.inputs names every input: no input is left for the samples (data.x).")
                                         : Message::of("the model has no input '%1'.", x.input),
                         x.input.empty() ? Message::of("Leave data.x empty, or leave one input out of data.inputs.")
                                         : Message::of("Correct the name in data.inputs, or remove it."));
    for (auto const &other : x.beside)
        if (std::none_of(infeed.begin(), infeed.begin() + static_cast<std::ptrdiff_t>(inputs),
                         [&](auto const &feed) { return feed.name == other.input; }))
            return makeError(ErrorKind::Data, "data.inputs", other.input, Message::of("the model has no input '%1'.", other.input),
                             Message::of("Correct the name in data.inputs, or remove it."));
    for (std::size_t i = 0; i < inputs; ++i) TW_TRY(checkInput(x.forInput(infeed[i].name), infeed[i], batch, project.data));
    if (infeed.size() <= inputs) return {};
    if (y.empty())
        return makeError(ErrorKind::Data, "data.labels.missing", "data", Message::of("the data set has no labels."),
                         Message::of("Name them with data.y."));
    for (auto const &other : y.beside)
        if (other.input != data::kSampleWeights
            && std::none_of(infeed.begin() + static_cast<std::ptrdiff_t>(inputs), infeed.end(),
                            [&](auto const &feed) { return graph::outputOfLabels(feed) == other.input; }))
            return makeError(ErrorKind::Data, "data.labels", other.input,
                             resolved.outputs.size() == 1 ? Message::of("the model has one output, whose labels are data.y.")
                                                          : Message::of("the model has no output '%1'.", other.input),
                             Message::of("Correct the name in data.labels, or remove it."));
    std::vector<std::string> outputs;
    for (std::size_t i = inputs; i < infeed.size(); ++i)
        if (!graph::isSampleWeights(infeed[i])) outputs.push_back(graph::outputOfLabels(infeed[i]));
    // The labels of a single output need no name; those of several share data.y, or have labels of their own.
    for (auto const &output : outputs)
        if (!output.empty() && !y.serves(output))
            return makeError(ErrorKind::Data, "data.labels", output, Message::of("the data have no labels for output '%1'.", output),
                             Message::of("Name their array in data.labels, such as {\"%1\": \"array\"}, or in data.y.", output));
    if (outputs == std::vector<std::string>{""}) outputs = {model::outputName(resolved, 0)};
    if (!y.input.empty() && std::ranges::find(outputs, y.input) == outputs.end())
        return makeError(ErrorKind::Data, "data.labels", y.input, Message::of("the model has no output '%1'.", y.input),
                         Message::of("Correct the name in data.labels, or remove it."));
    for (std::size_t i = inputs; i < infeed.size(); ++i) {
        auto const &label = infeed[i];
        if (graph::isSampleWeights(label)) continue;
        auto const &given = y.forInput(graph::outputOfLabels(label));
        if (label.dtype == DType::I32) {
            auto const &shape = resolved.calls[resolved.outputs.at(i - inputs)].shape;
            if (!shape.empty() && shape.back() > 1) TW_TRY(checkClasses(given, label, batch, static_cast<int>(shape.back())));
            continue;
        }
        std::int64_t const labelElements = elementCount(label.shape) / std::max<std::int64_t>(1, batch);
        auto const values = given.sampleElements();
        if (values == labelElements) continue;
        std::string const output = graph::outputOfLabels(label);
        Message const shape = sampleText(given.sampleShape());
        Message const labelText = values == 1 ? shape : Message::of("%1 (%2 values)", shape, values);
        return makeError(ErrorKind::Data, "data.labels.shape", given.origin.name().empty() ? "data" : given.origin.name(),
                         output.empty()
                             ? Message::of("a label is %1 but the loss takes %2.", labelText, labelElements)
                             : Message::of("a label is %1 but the loss of output '%2' takes %3.", labelText, output, labelElements),
                         &given == &y && !output.empty()
                             ? Message::of("Give the output labels of its own in data.labels, such as {\"%1\": \"array\"}.", output)
                             : Message::of("Use a sparse loss for class numbers, or one-hot labels."));
    }
    return {};
}

Result<std::int64_t> checkData(project::Project const &project, data::Dataset const &dataset, config::EnvironmentOptions const &environment,
                               JobContext const &job)
{
    TW_ASSIGN(auto const feeds, compiler::feedsOf(project, compiler::RunKind::Train, project.training.batchSize));
    TW_TRY(checkAgainstModel(dataset.x, dataset.y, feeds, project.training.batchSize, project));
    if (!project.data.validationPath.empty())
        TW_TRY(checkAgainstModel(dataset.validationX, dataset.validationY, feeds, project.training.batchSize, project));
    auto const judgement = compiler::judge(project, {compiler::RunKind::Train, dataset.x.count(), environment});
    TW_TRY(judgement.status());
    for (auto const &warning : judgement.problems)
        if (warning.code.starts_with("data.") || warning.code == "training.short-epoch") job.warn(warning); // the compile tells the others
    return judgement.stepsPerEpoch;
}

device::ConnectionType connectionOf(project::Project const &project, config::EnvironmentOptions const &environment)
{
    auto const &type = project.config.text("device_connection.type");
    if (type == "ALWAYS" && environment.flags.boolean("use_on_demand")) return device::ConnectionType::OnDemand;
    return device::parseConnectionType(type).value_or(device::ConnectionType::Always);
}

Result<device::Attachment> attachDevice(project::Project const &project, RunRequest const &run, target::Machine const &machine,
                                        JobContext const &job)
{
    TW_ASSIGN(auto const registry, device::Registry::open());
    device::AttachRequest request;
    request.machine = machine;
    request.ipus = machine.ipus;
    request.tfDevice = run.device;
    if (auto const &ids = project.config.list("select_ipus"); !ids.empty()) request.deviceId = static_cast<int>(ids.front());
    request.connection = connectionOf(project, run.compile.environment);
    request.command = "tilewright " + (project.title.empty() ? project.model.name : project.title);
    auto const &flags = run.compile.environment.flags;
    request.pollMs = static_cast<int>(flags.integer("on_demand_device_poll_time"));
    request.timeoutMs = static_cast<int>(flags.integer("on_demand_device_timeout"));
    return registry.attach(request, job);
}

void fillSynthetic(config::SyntheticData const &synthetic, DType dtype, std::uint64_t seed, std::byte *data, std::size_t bytes)
{
    using Fill = config::SyntheticData::Fill;
    RandomStream random(seed);
    auto const next = [&] {
        switch (synthetic.fill) {
        case Fill::None: break;
        case Fill::Constant: return synthetic.constant;
        case Fill::Uniform: return random.uniform();
        case Fill::Normal:
            if (!isFloating(dtype)) return 1.0;
            return std::sqrt(-2.0 * std::log(1.0 - random.uniform())) * std::cos(6.283185307179586 * random.uniform());
        }
        return 0.0;
    };
    auto const fill = [&](auto const &stored) {
        for (std::size_t at = 0; at < bytes;) {
            auto const element = stored(next());
            std::size_t const size = std::min(sizeof element, bytes - at);
            std::memcpy(data + at, &element, size);
            at += size;
        }
    };
    auto const whole = [](double value, double least, double most) { return std::clamp(std::trunc(value), least, most); };
    switch (dtype) {
    case DType::F32: return fill([](double value) { return static_cast<float>(value); });
    case DType::F16: return fill([](double value) { return kernels::floatToHalf(static_cast<float>(value)); });
    case DType::I32: return fill([&](double value) { return static_cast<std::int32_t>(whole(value, -2147483648.0, 2147483647.0)); });
    case DType::U8: return fill([&](double value) { return static_cast<std::uint8_t>(whole(value, 0, 255)); });
    case DType::Bool: return fill([](double value) { return static_cast<std::uint8_t>(value != 0 ? 1 : 0); });
    }
}

StreamHandlers withSynthetic(StreamHandlers handlers, config::SyntheticData const &synthetic, executable::EntryRef const &entry)
{
    if (synthetic.infeed) {
        auto const specs = entry->infeed;
        handlers.toDevice = [synthetic, specs](int, int index, std::byte *to, std::size_t bytes) -> Status {
            fillSynthetic(synthetic, specs[static_cast<std::size_t>(index)].dtype, static_cast<std::uint64_t>(index) + 1, to, bytes);
            return {};
        };
    }
    if (synthetic.outfeed) {
        auto const inner = handlers.fromDevice;
        handlers.fromDevice = [inner](int r, int index, std::byte const *, std::size_t bytes) -> Status {
            std::vector<std::byte> const zeros(bytes);
            return inner(r, index, zeros.data(), bytes);
        };
    }
    return handlers;
}

void applySyntheticParameters(config::SyntheticData const &synthetic, executable::EntryRef const &entry, TrainingState &state)
{
    if (!synthetic.parameters) return;
    for (std::size_t w = 0; w < entry->weights.size(); ++w)
        for (auto &tensor : state.tensors)
            if (tensor.name == entry->graph.variable(entry->weights[w]).name)
                fillSynthetic(synthetic, tensor.dtype, 1000 + w, tensor.bytes.data(), tensor.bytes.size());
}

namespace {

/// What the library of kernels takes for the code and tables that it makes, measured under shrinking limits of the address
/// space. It ends the process where it finds none.
constexpr Bytes kKernelLibraryBytes = Bytes{64} << 20;

} // namespace

Bytes bytesToRun(RunRequest const &request, executable::EntryRef const &entry)
{
    return addBytes(request.mode == Mode::Tile && entry.emulated() ? tileExecutorBytes(entry) : fusedExecutorBytes(entry),
                    kKernelLibraryBytes);
}

Status requireMemoryFor(RunRequest const &request, compiler::CompileOutcome const &compiled, Bytes more, Message const &what)
{
    auto const entry = compiled.entry();
    auto const memory = hostMemory();
    auto remedy = Message::of("Make the model or the batch smaller, use fewer replicas, or use a machine with more memory.");
    if (memory.ofProcess && threadsOf(request) > 1)
        remedy = Message::of("Use fewer threads (--threads) or raise the limit.") + " " + remedy;
    if (request.mode == Mode::Tile && entry.emulated()) remedy += " " + Message::of("Fused mode (--mode fused) needs less memory.");
    return requireHostMemory(addBytes(bytesToRun(request, entry), more), entry.executable().name, what, remedy, memory);
}

Bytes stateBytes(executable::EntryRef const &entry)
{
    Bytes bytes = 0;
    for (auto const &variable : entry->graph.variables)
        if (survives(variable)) bytes = addBytes(bytes, multiplyBytes(elementCount(variable.shape), sizeOf(variable.dtype)));
    return bytes;
}

std::uint64_t deviceSeedOf(model::TrainingPlan const &plan)
{
    return withIdenticalReplicas(static_cast<std::uint64_t>(plan.deviceSeed.value_or(plan.seed)), plan.identicalReplicaSeeds);
}

std::uint64_t deviceSeedOf(RunRequest const &request, std::uint64_t planned)
{
    auto const own = request.deviceSeed ? static_cast<std::uint64_t>(*request.deviceSeed) : planned;
    return withIdenticalReplicas(own, request.identicalReplicas || (planned & kIdenticalReplicas) != 0);
}

Result<std::unique_ptr<Executor>> makeExecutor(RunRequest const &request, compiler::CompileOutcome const &compiled, std::uint64_t planned,
                                               ThreadPool &pool, ReplicaSeam *seam)
{
    auto const seed = deviceSeedOf(request, planned);
    TW_TRY(requireMemoryFor(request, compiled, 0, Message::of("running the model")));
    auto const traps = compiled.executable->emulated ? trapsOf(compiled.floating) : Traps{};
    if (request.mode == Mode::Fused || !compiled.executable->emulated)
        return makeFusedExecutor(compiled.entry(), seed, pool, FusedPath::Fast, traps, seam);
    return makeTileExecutor(compiled.entry(), compiled.machine, seed, pool, traps);
}

Message trainAgain()
{
    return Message::of("Train again with a lower training.optimizer.learning_rate, scale the data, or use other weights (--checkpoint).");
}

Diagnostic lossNotFinite(executable::EntryRef const &entry, double value, std::string subject, Message remedy)
{
    std::string op = "loss", layer;
    for (auto const &node : entry->graph.nodes)
        if (graph::is(node, NodeKind::Outfeed) && !node.inputs.empty()) {
            auto const &producer = entry->graph.node(entry->graph.value(node.inputs[0]).producer);
            op = producer.name;
            layer = producer.layer;
        }
    auto const what = std::isnan(value) ? Message::of("not a number") : Message::of("infinite");
    return makeError(ErrorKind::Numeric, "numeric.loss", std::move(subject),
                     layer.empty() ? Message::of("the loss is %1 (operation '%2').", what, op)
                                   : Message::of("the loss is %1 (operation '%2', layer '%3').", what, op, layer),
                     std::move(remedy));
}

Status inHostMemory(Message const &what, std::function<Status()> const &body)
{
    try {
        return body();
    } catch (...) {
        return currentException(what, what);
    }
}

Cycles measuredSoFar(Executor const &executor)
{
    auto const measured = executor.measured();
    return measured ? measured->total : 0;
}

DeviceTime deviceTime(compiler::CompileOutcome const &compiled, Executor const &executor, std::int64_t steps, Cycles before)
{
    DeviceTime time;
    if (!compiled.executable->emulated) return time;
    if (auto const measured = executor.measured()) {
        time.measured = measured->total - before;
        time.seconds = static_cast<double>(*time.measured) / static_cast<double>(compiled.machine.chip.clockHz);
    } else {
        time.seconds = static_cast<double>(steps) * compiled.emulatedSecondsPerStep();
    }
    return time;
}

} // namespace tilewright::runtime
