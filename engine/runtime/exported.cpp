#include "engine/runtime/exported.h"

#include "engine/compiler/entry_graph.h"
#include "engine/compiler/project_rules.h"
#include "engine/core/archive.h"
#include "engine/core/build.h"
#include "engine/core/files.h"
#include "engine/core/text.h"
#include "engine/executable/blob.h"
#include "engine/executable/cache.h"
#include "engine/runtime/evaluator.h"
#include "engine/runtime/prediction.h"
#include "engine/runtime/session_parts.h"
#include "engine/runtime/state_entries.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace tilewright::runtime {

namespace stored {

struct Tensor {
    std::string name;
    DType dtype = DType::F32;
    Shape shape;
    std::vector<std::byte> bytes;
};
template <class A> void fields(A &a, Tensor &t) { a(t.name, t.dtype, t.shape, t.bytes); }

/// The payload.
struct Contents {
    std::vector<Tensor> state;
    std::int64_t seed = 0, inputs = 1;
    DType sampleType = DType::F32;
    double scale = 1;
    std::vector<std::byte> executable;
};
template <class A> void fields(A &a, Contents &c) { a(c.state, c.seed, c.inputs, c.sampleType, c.scale, c.executable); }

} // namespace stored

namespace {

using compiler::RunKind;

constexpr char const *kExported = "exported executable", *kContents = "2"; ///< goes up when the payload changes

/// The feeds of all entries: "predict: x f32[32,784]; evaluate: …".
std::string feedsText(executable::Executable const &exe, std::vector<graph::FeedSpec> executable::Entry::*feeds)
{
    std::vector<std::string> all;
    for (auto const &entry : exe.entries) {
        std::vector<std::string> one;
        for (auto const &feed : entry.*feeds) one.push_back(feed.name + " " + std::string(toText(feed.dtype)) + toText(feed.shape));
        all.push_back(entry.name + ": " + joinText(one, ", "));
    }
    return joinText(all, "; ");
}

Diagnostic otherField(std::string code, std::string const &field, std::string const &there, std::string const &here)
{
    return makeError(ErrorKind::Invalid, std::move(code), field,
                     Message::of("the field '%1' of the exported executable is '%2', but '%3' is needed.", field, there, here),
                     Message::of("Export it again with this program."));
}

/// The samples that predict reads.
data::DataArray const &samplesOf(data::Dataset const &dataset)
{
    if (!dataset.testX.empty()) return dataset.testX;
    return dataset.validationX.empty() ? dataset.x : dataset.validationX;
}

bool movesState(RunKind kind) { return executable::movesState(compiler::toText(kind)); }

/// What a server could not call: an executable that reads no samples, or batches that do not fill the pipeline.
Status checkOptions(ExportOptions const &options, RunRequest const &request, std::int64_t stepsOfPipeline)
{
    TW_ASSIGN(auto const synthetic, config::syntheticData(request.compile.environment.flags));
    if (synthetic.any())
        return makeError(ErrorKind::Usage, "export.synthetic-data", "TF_POPLAR_FLAGS",
                         Message::of("an executable for synthetic data does not read the samples of its callers."),
                         Message::of("Remove --use_synthetic_data and --synthetic_data_categories."));
    if (options.entries.empty())
        return makeError(ErrorKind::Usage, "export.entries", "--entries", Message::of("there is no entry to export."),
                         Message::of("Name at least one of predict, evaluate, train."));
    for (auto const kind : options.entries)
        if (std::ranges::count(options.entries, kind) > 1)
            return makeError(ErrorKind::Usage, "export.entries", "--entries",
                             Message::of("the entry %1 is named twice.", std::string(compiler::toText(kind))));
    if (std::ranges::all_of(options.entries, movesState))
        return makeError(ErrorKind::Usage, "export.entries", "--entries", Message::of("no entry uses the weights that these ones move."),
                         Message::of("Name predict, evaluate or train as well."));
    if (options.iterations > 0 && options.iterations % stepsOfPipeline != 0)
        return makeError(ErrorKind::Usage, "export.iterations", "--iterations",
                         Message::of("%1 iterations on the device do not fill the pipeline, which takes a multiple of %2 micro-batches.",
                                     options.iterations, stepsOfPipeline),
                         Message::of("Give a multiple of %1.", stepsOfPipeline));
    return {};
}

/// Outputs get the names that the callers expect.
Status nameOutputs(executable::Executable &exe, std::vector<std::string> const &names)
{
    if (names.empty()) return {};
    auto const refuse = [](Message what) {
        return makeError(ErrorKind::Usage, "export.output-names", "--output-names", std::move(what),
                         Message::of("Give one name for each output of predict, in the model's order."));
    };
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
        return refuse(Message::of("two outputs have the same name."));
    auto const predict = std::ranges::find(exe.entries, std::string("predict"), &executable::Entry::name);
    if (predict == exe.entries.end()) return refuse(Message::of("there is no entry predict, whose outputs could be named."));
    if (predict->outfeed.size() != names.size())
        return refuse(Message::of("%1 names are given for %2 outputs.", names.size(), predict->outfeed.size()));
    for (std::size_t i = 0; i < names.size(); ++i) predict->outfeed[i].name = names[i];
    return {};
}

/// Compiles the entries. Evaluation and prediction without a training run as `predict` does: by one replica.
Result<compiler::CompileOutcome> compileEntries(project::Project const &wanted, RunRequest const &request, ExportOptions const &options,
                                                std::int64_t samples, JobContext const &job)
{
    auto compileRequest = request.compile;
    compileRequest.validationSamples = compileRequest.inferenceSamples = 0;
    auto const uses = std::ranges::find_if_not(options.entries, movesState);
    compileRequest.kind = uses == options.entries.end() ? RunKind::Predict : *uses; // checked below
    auto const add = [&](RunKind kind, std::int64_t batch, std::int64_t steps) {
        if (kind != compileRequest.kind) compileRequest.beside.push_back({kind, batch, steps});
    };
    if (std::ranges::find(options.entries, RunKind::Train) == options.entries.end()) {
        TW_ASSIGN(auto const plan, planInference(wanted, options.batch > 0 ? options.batch * 64 : samples));
        TW_TRY(checkOptions(options, request, plan.steps));
        compileRequest.batch = plan.batch;
        compileRequest.steps = options.iterations > 0 ? options.iterations : plan.steps;
        for (auto const kind : options.entries)
            add(kind, movesState(kind) ? 1 : compileRequest.batch, movesState(kind) ? 1 : compileRequest.steps);
        return compiler::compile(plan.project, compileRequest, job);
    }
    auto const judgement = compiler::judge(wanted, {RunKind::Train, {}, request.compile.environment});
    TW_TRY(judgement.status());
    TW_TRY(checkOptions(options, request, compiler::stepsOfPipeline(wanted, *judgement.model)));
    compileRequest.kind = RunKind::Train;
    for (auto const kind : options.entries) {
        if (kind == RunKind::Train) continue;
        if (movesState(kind)) {
            add(kind, 1, 1);
            continue;
        }
        compiler::EntryShape shape{kind, options.batch, compiler::stepsOfPipeline(wanted, *judgement.model)};
        if (options.batch == 0) { TW_ASSIGN(shape, compiler::shapeFor(kind, wanted, *judgement.model, *judgement.distribution, samples)); }
        add(kind, shape.batch, options.iterations > 0 ? options.iterations : shape.steps);
    }
    return compiler::compile(wanted, compileRequest, job);
}

/// The state that the entries start from: with a training all of it, else the weights.
Result<TrainingState> stateFor(project::Project const &project, executable::Executable const &exe, TrainingState const *given)
{
    auto const training = exe.find("train");
    auto const entry = training ? *training : exe.entry(0);
    TW_ASSIGN(auto const initial, initialState(project, entry));
    std::set<std::string> weights;
    for (auto const id : entry->weights) weights.insert(entry->graph.variable(id).name);
    TrainingState state;
    for (auto const &first : initial.tensors) {
        bool const isWeight = weights.contains(first.name);
        if (!training && !isWeight) continue;
        auto const *tensor = given ? given->find(first.name) : &first;
        if (!tensor && isWeight)
            return makeError(ErrorKind::Invalid, "checkpoint.missing", first.name, Message::of("the checkpoint holds no such weight."),
                             Message::of("Use a checkpoint of this model, or train from the start."));
        if (!tensor) tensor = &first; // slots of an optimizer begin anew
        state.tensors.push_back(*tensor);
    }
    return state;
}

} // namespace

Result<compiler::CompileOutcome> exportExecutable(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                                  ExportOptions const &options, std::filesystem::path const &path, JobContext const &job)
{
    TW_ASSIGN(auto const dataset, openData(project, request, job));
    auto const &samples = samplesOf(dataset);
    auto wanted = project;
    if (options.batch > 0) wanted.training.batchSize = options.batch;
    TW_ASSIGN(auto compiled, compileEntries(wanted, request, options, samples.count(), job));
    if (compiled.outOfMemory) return compiled;
    auto exe = std::make_shared<executable::Executable>(*compiled.executable);
    TW_TRY(nameOutputs(*exe, options.outputNames));
    compiled.executable = exe;
    if (!state)
        job.warn(makeWarning("checkpoint.none", "checkpoint", Message::of("there is no checkpoint: the initial weights are used."),
                             Message::of("Train first, or name one with --checkpoint.")));
    ExportedExecutable exported;
    TW_ASSIGN(exported.state, stateFor(project, *exe, state));
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    exported.inputs = resolved.inputs.size();
    exported.seed = static_cast<std::int64_t>(deviceSeedOf(project.training));
    exported.sampleType = samples.dtype;
    exported.scale = dataset.scale;
    exported.executable = *exe;
    TW_TRY(writeExported(path, exported));
    return compiled;
}

Status writeExported(std::filesystem::path const &path, ExportedExecutable const &exported)
{
    stored::Contents contents;
    for (auto const &tensor : exported.state.tensors) contents.state.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.bytes});
    contents.inputs = static_cast<std::int64_t>(exported.inputs);
    contents.seed = exported.seed;
    contents.sampleType = exported.sampleType;
    contents.scale = exported.scale;
    auto const &exe = exported.executable;
    contents.executable = executable::serialize(exe);
    ArchiveWriter writer;
    writer(contents);
    executable::CacheKey const key{{"kind", kExported},
                                   {"contents", kContents},
                                   {"format", executable::storedFormat()},
                                   {"version", std::string(version())},
                                   {"target", exe.machine},
                                   {"model", exe.name},
                                   {"feeds", feedsText(exe, &executable::Entry::infeed)},
                                   {"outputs", feedsText(exe, &executable::Entry::outfeed)}};
    return executable::writeBlob(path, version(), executable::keyText(key), writer.take());
}

Result<ExportedExecutable> readExported(std::filesystem::path const &path)
{
    auto const opened = executable::StoredBlob::open(path);
    if (!opened.ok()) {
        auto error = opened.error(); // whose remedy is that of the cache
        error.remedy = Message::of("Give a file that `export --to executable` wrote.");
        return error;
    }
    auto const &blob = *opened;
    ExportedExecutable exported;
    exported.fields = executable::parseKeyText(blob.header().key);
    exported.writer = blob.header().writer;
    auto const judge = [&](char const *code, std::string const &field, std::string const &needed) -> Status {
        auto const it = exported.fields.find(field);
        std::string const there = it == exported.fields.end() ? std::string() : it->second;
        return there == needed ? Status() : Status(otherField(code, field, there, needed));
    };
    TW_TRY(judge("executable.kind", "kind", kExported));
    TW_TRY(judge("executable.version", "version", std::string(version())));
    TW_TRY(judge("executable.format", "contents", kContents));
    TW_TRY(judge("executable.format", "format", executable::storedFormat()));
    ArchiveReader reader(blob.payload());
    stored::Contents attached;
    reader(attached);
    if (reader.failed() || !reader.atEnd()) {
        auto const why = Message::of("its length is wrong");
        return makeError(ErrorKind::Invalid, "executable.damaged", path.string(),
                         Message::of("the exported executable is damaged: %1", why), Message::of("Export it again."));
    }
    TW_ASSIGN(exported.executable, executable::deserialize(attached.executable));
    TW_TRY(judge("executable.target", "target", exported.executable.machine));
    TW_TRY(judge("executable.feed", "feeds", feedsText(exported.executable, &executable::Entry::infeed)));
    for (auto &tensor : attached.state)
        exported.state.tensors.push_back({std::move(tensor.name), tensor.dtype, std::move(tensor.shape), std::move(tensor.bytes)});
    exported.inputs = static_cast<std::size_t>(std::max<std::int64_t>(1, attached.inputs));
    exported.seed = attached.seed;
    exported.sampleType = attached.sampleType;
    exported.scale = attached.scale;
    return exported;
}

namespace {

/// Samples as arrays by the feeds of an entry: x for its inputs, y for its labels and sample weights.
class FedSamples {
public:
    FedSamples(executable::Entry const &entry, std::size_t inputs, std::vector<data::NamedArray> const &given)
        : m_entry(entry), m_inputs(std::min(inputs, entry.infeed.size())), m_given(given)
    {
    }

    data::DataArray x, y;

    Status take(executable::Executable const &exe)
    {
        for (std::size_t i = 0; i < m_entry.infeed.size(); ++i) TW_TRY(takeFeed(i));
        if (x.count() == 0) return refuse(m_entry.infeed.front().name, Message::of("there are no samples."), {});
        return refuseStrangers(exe);
    }

private:
    static Diagnostic refuse(std::string const &name, Message what, Message remedy)
    {
        return makeError(ErrorKind::Data, "executable.feed", name, std::move(what), std::move(remedy));
    }

    static std::string nameOf(graph::FeedSpec const &feed) { return graph::isSampleWeights(feed) ? "sample_weight" : feed.name; }

    /// One array of any name serves an entry with one feed.
    data::NamedArray const *arrayFor(graph::FeedSpec const &feed) const
    {
        auto const it = std::ranges::find(m_given, nameOf(feed), &data::NamedArray::name);
        if (it != m_given.end()) return &*it;
        return m_entry.infeed.size() == 1 && m_given.size() == 1 ? &m_given.front() : nullptr;
    }

    Status takeFeed(std::size_t i)
    {
        auto const &feed = m_entry.infeed[i];
        auto const name = nameOf(feed);
        auto const *found = arrayFor(feed);
        if (!found) {
            std::vector<std::string> names;
            for (auto const &sample : m_given) names.push_back(sample.name);
            return refuse(name, Message::of("the file has no array for input '%1'; it has %2.", name, data::arrayNamesText(names)),
                          Message::of("Name the array of each input as the input."));
        }
        auto array = found->array;
        Shape const sample(feed.shape.begin() + 1, feed.shape.end());
        if (array.shape.empty() || array.sampleElements() != elementCount(sample))
            return refuse(name,
                          Message::of("a sample of array '%1' has the shape %2, but the input takes %3.", found->name,
                                      toText(array.shape.empty() ? Shape() : array.sampleShape()), toText(sample)),
                          Message::of("Give an array of samples of that shape."));
        if (isFloating(array.dtype) && !isFloating(feed.dtype))
            return refuse(name,
                          Message::of("array '%1' is %2, but the input takes %3.", found->name, std::string(toText(array.dtype)),
                                      std::string(toText(feed.dtype))),
                          Message::of("Give whole numbers."));
        if (i > 0 && array.count() != x.count())
            return refuse(name, Message::of("array '%1' has %2 samples, the others have %3.", found->name, array.count(), x.count()),
                          Message::of("Give the same number of samples for each input."));
        bool const isInput = i < m_inputs;
        array.input = isInput ? feed.name : graph::isSampleWeights(feed) ? std::string(data::kSampleWeights) : graph::outputOfLabels(feed);
        auto &to = isInput ? x : y;
        bool const isFirst = i == 0 || i == m_inputs;
        if (isFirst) to = std::move(array);
        else to.beside.push_back(std::move(array));
        return {};
    }

    /// An array that no entry reads is a misspelt name.
    Status refuseStrangers(executable::Executable const &exe) const
    {
        if (m_entry.infeed.size() == 1 && m_given.size() == 1) return {};
        std::set<std::string> known;
        for (auto const &entry : exe.entries)
            if (!entry.movesState())
                for (auto const &feed : entry.infeed) known.insert(nameOf(feed));
        for (auto const &sample : m_given)
            if (!known.contains(sample.name))
                return refuse(sample.name, Message::of("no entry reads the array '%1'.", sample.name),
                              Message::of("The feeds are %1.", joinText(std::vector<std::string>(known.begin(), known.end()), ", ")));
        return {};
    }

    executable::Entry const &m_entry;
    std::size_t m_inputs;
    std::vector<data::NamedArray> const &m_given;
};

Result<std::optional<device::Attachment>> attachFor(executable::Executable const &exe, target::Machine const &machine,
                                                    JobContext const &job)
{
    std::optional<device::Attachment> attachment;
    if (!exe.emulated) return attachment;
    TW_ASSIGN(auto const registry, device::Registry::open());
    device::AttachRequest attach;
    attach.machine = machine;
    attach.ipus = machine.ipus;
    attach.command = "tilewright run " + exe.name;
    TW_ASSIGN(attachment, registry.attach(attach, job));
    return attachment;
}

/// The last batch is filled up with copies of the last sample, whose results are dropped.
Status predictAll(Session &session, data::DataArray const &x, double scale, ExportedRun &outcome, JobContext const &job)
{
    auto const entry = session.entry();
    std::int64_t const perTurn = entry->batchSize * entry.replicas(), perExecution = perTurn * entry->stepsPerExecution;
    std::vector<std::uint32_t> order(static_cast<std::size_t>(ceilDiv(x.count(), perExecution) * perExecution),
                                     static_cast<std::uint32_t>(x.count() - 1));
    std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(x.count()), 0u);
    TW_ASSIGN(outcome.outputs, predictSamples(session, x, scale, order, job));
    outcome.samples = x.count();
    outcome.numeric = keepSamples(outcome.outputs, outcome.samples);
    outcome.device = session.deviceTime(static_cast<std::int64_t>(order.size()) / perTurn);
    return {};
}

/// One pass over the samples in their order. As in the IPU's Keras, samples that fill no execution are dropped.
Status passOver(Session &session, FedSamples const &fed, double scale, ExportedRun &outcome, JobContext const &job)
{
    auto const entry = session.entry();
    std::int64_t const perTurn = entry->batchSize * entry.replicas();
    std::int64_t const least = entry->kind == "train" ? entry->microBatchesPerUpdate : entry->stepsPerExecution;
    std::int64_t const turns = fed.x.count() / (perTurn * least) * least;
    outcome.samples = turns * perTurn;
    if (turns == 0)
        return makeError(ErrorKind::Data, "executable.samples", entry->name,
                         Message::of("the %1 samples do not fill an execution, which takes %2.", fed.x.count(), perTurn * least),
                         Message::of("Give more samples, or export with a smaller --batch."));
    if (outcome.samples < fed.x.count())
        job.warn(makeWarning(
            "executable.samples", entry->name,
            Message::of("the last %1 samples are not used: an execution takes %2.", fed.x.count() - outcome.samples, perTurn * least),
            Message::of("Give a multiple of this number.")));
    std::vector<std::uint32_t> order(static_cast<std::size_t>(outcome.samples));
    std::iota(order.begin(), order.end(), 0u);
    session.feed({fed.x, fed.y, scale});
    TW_ASSIGN(outcome.means, meansOf(session, order, turns, entry->kind == "train" ? "Train" : "Evaluate", job));
    if (!std::isfinite(outcome.means->loss)) outcome.numeric = lossNotFinite(entry, outcome.means->loss, entry->name, trainAgain());
    outcome.device = session.deviceTime(turns);
    if (entry->kind == "train") outcome.state = session.state();
    return {};
}

/// The machine that it was exported for. Error: Invalid "executable.target" if that is not the asked one.
Result<target::Machine> machineFor(executable::Executable const &exe, std::string const &target)
{
    TW_ASSIGN(auto machine, target::parseMachine(exe.machine));
    if (target.empty()) return machine;
    TW_ASSIGN(auto const asked, target::parseMachine(target));
    bool const same = asked.isEmulated() == machine.isEmulated() && asked.chip.name == machine.chip.name
        && asked.chip.tiles == machine.chip.tiles && asked.ipus >= machine.ipus;
    if (!same) return otherField("executable.target", "target", exe.machine, target);
    return machine;
}

Result<executable::EntryRef> entryNamed(executable::Executable const &exe, std::string const &name)
{
    if (auto const entry = exe.find(name)) return *entry;
    std::vector<std::string> names;
    for (auto const &one : exe.entries) names.push_back(one.name);
    return makeError(ErrorKind::Usage, "executable.entry", "--entry", Message::of("the executable has no entry '%1'.", name),
                     Message::of("Its entries are %1.", joinText(names, ", ")));
}

Result<std::unique_ptr<Session>> loadEntry(ExportedExecutable const &exported, std::size_t number, target::Machine const &machine,
                                           RunRequest const &request, ThreadPool &pool)
{
    compiler::CompileOutcome compiled;
    compiled.executable = std::make_shared<executable::Executable const>(exported.executable);
    compiled.machine = machine;
    compiled.number = number;
    return Session::load(std::move(compiled), request, static_cast<std::uint64_t>(exported.seed), pool);
}

} // namespace

Result<TrainingState> moveState(ExportedExecutable const &exported, std::string const &name, TrainingState const *given,
                                RunRequest const &request, std::string const &target, JobContext const &job)
{
    auto const &exe = exported.executable;
    TW_ASSIGN(auto const entry, entryNamed(exe, name));
    TW_CHECK(entry->movesState(), "an entry that reads samples");
    TW_ASSIGN(auto const machine, machineFor(exe, target));
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    TW_ASSIGN(auto const attachment, attachFor(exe, machine, job));
    TW_ASSIGN(auto const session, loadEntry(exported, 0, machine, request, pool));
    bool const trains = exe.find("train").has_value();
    TW_TRY(trains ? session->loadState(exported.state) : session->loadWeights(exported.state));
    if (entry->kind == "weights_out") return readThrough(*session, entry, job);
    TW_TRY(loadThrough(*session, entry, given ? *given : exported.state, job));
    auto state = session->state();
    if (trains) return state;
    std::set<std::string> weights;
    for (auto const &feed : entry->infeed) weights.insert(feed.name);
    std::erase_if(state.tensors, [&](StateTensor const &tensor) { return !weights.contains(tensor.name); });
    return state;
}

Result<ExportedRun> runExported(ExportedExecutable const &exported, std::string const &name, std::vector<data::NamedArray> const &samples,
                                RunRequest const &request, std::string const &target, JobContext const &job)
{
    auto const start = std::chrono::steady_clock::now();
    auto const &exe = exported.executable;
    TW_ASSIGN(auto const entry, entryNamed(exe, name));
    TW_CHECK(!entry->movesState(), "an entry without samples");
    TW_ASSIGN(auto const machine, machineFor(exe, target));
    FedSamples fed(*entry, exported.inputs, samples);
    TW_TRY(fed.take(exe));
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    TW_ASSIGN(auto const attachment, attachFor(exe, machine, job));
    TW_ASSIGN(auto const session, loadEntry(exported, entry.number(), machine, request, pool));
    auto const kind = entry->kind;
    auto const initialise = exe.find("initialise");
    TW_TRY(kind == "train"  ? session->loadState(exported.state)
               : initialise ? loadThrough(*session, *initialise, exported.state, job)
                            : session->loadWeights(exported.state));
    double const scale = fed.x.dtype == exported.sampleType ? exported.scale : 1.0;
    ExportedRun outcome;
    TW_TRY(kind == "predict" ? predictAll(*session, fed.x, scale, outcome, job) : passOver(*session, fed, scale, outcome, job));
    outcome.hostSeconds = secondsSince(start);
    return outcome;
}

} // namespace tilewright::runtime
