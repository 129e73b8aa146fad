#include "engine/runtime/exported.h"

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

#include <algorithm>
#include <numeric>

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
    std::vector<Tensor> weights;
    std::int64_t seed = 0;
    DType sampleType = DType::F32;
    double scale = 1;
    std::vector<std::byte> executable;
};
template <class A> void fields(A &a, Contents &c) { a(c.weights, c.seed, c.sampleType, c.scale, c.executable); }

} // namespace stored

namespace {

constexpr char const *kExported = "exported executable", *kContents = "1"; ///< goes up when the payload changes

std::string feedsText(std::vector<graph::FeedSpec> const &feeds)
{
    std::vector<std::string> all;
    for (auto const &feed : feeds) all.push_back(feed.name + " " + std::string(toText(feed.dtype)) + toText(feed.shape));
    return joinText(all, ", ");
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

} // namespace

Result<compiler::CompileOutcome> exportExecutable(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                                  std::int64_t batch, std::filesystem::path const &path, JobContext const &job)
{
    TW_ASSIGN(auto const dataset, openData(project, request.baseDir, job));
    auto const &samples = samplesOf(dataset);
    auto wanted = project;
    if (batch > 0) wanted.training.batchSize = batch;
    TW_ASSIGN(auto const plan, planInference(wanted, batch > 0 ? batch * 64 : samples.count()));
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Predict;
    compileRequest.batch = plan.batch;
    compileRequest.steps = plan.steps;
    TW_ASSIGN(auto compiled, compiler::compile(plan.project, compileRequest, job));
    if (compiled.outOfMemory) return compiled;
    auto const &exe = *compiled.executable;
    if (!state)
        job.warn(makeWarning("checkpoint.none", "checkpoint", Message::of("there is no checkpoint: the initial weights are used."),
                             Message::of("Train first, or name one with --checkpoint.")));
    TrainingState initial;
    if (!state) { TW_ASSIGN(initial, initialState(project, exe)); }
    stored::Contents attached;
    for (auto const id : exe.weights) {
        auto const *tensor = (state ? *state : initial).find(exe.graph.variable(id).name);
        if (!tensor)
            return makeError(ErrorKind::Invalid, "checkpoint.missing", exe.graph.variable(id).name,
                             Message::of("the checkpoint holds no such weight."),
                             Message::of("Use a checkpoint of this model, or train from the start."));
        attached.weights.push_back({tensor->name, tensor->dtype, tensor->shape, tensor->bytes});
    }
    attached.seed = project.training.seed;
    attached.sampleType = samples.dtype;
    attached.scale = dataset.scale;
    attached.executable = executable::serialize(exe);
    ArchiveWriter writer;
    writer(attached);
    executable::CacheKey const key{
        {"kind", kExported},     {"contents", kContents}, {"format", executable::storedFormat()}, {"version", std::string(version())},
        {"target", exe.machine}, {"model", exe.name},     {"feeds", feedsText(exe.infeed)},       {"outputs", feedsText(exe.outfeed)}};
    TW_TRY(executable::writeBlob(path, version(), executable::keyText(key), writer.take()));
    return compiled;
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
    TW_TRY(judge("executable.feed", "feeds", feedsText(exported.executable.infeed)));
    for (auto &tensor : attached.weights)
        exported.weights.tensors.push_back({std::move(tensor.name), tensor.dtype, std::move(tensor.shape), std::move(tensor.bytes)});
    exported.seed = attached.seed;
    exported.sampleType = attached.sampleType;
    exported.scale = attached.scale;
    return exported;
}

namespace {

/// The samples as one array per input.
Result<data::DataArray> fed(executable::Executable const &exe, std::vector<data::NamedArray> const &samples)
{
    std::vector<std::string> names;
    for (auto const &sample : samples) names.push_back(sample.name);
    data::DataArray x;
    for (std::size_t i = 0; i < exe.infeed.size(); ++i) {
        auto const &feed = exe.infeed[i];
        auto const refuse = [&](Message what, Message remedy) {
            return makeError(ErrorKind::Data, "executable.feed", feed.name, std::move(what), std::move(remedy));
        };
        auto it = std::ranges::find(samples, feed.name, &data::NamedArray::name);
        if (it == samples.end() && exe.infeed.size() == 1 && samples.size() == 1) it = samples.begin();
        if (it == samples.end())
            return refuse(Message::of("the file has no array for input '%1'; it has %2.", feed.name, data::arrayNamesText(names)),
                          Message::of("Name the array of each input as the input."));
        auto array = it->array;
        Shape const sample(feed.shape.begin() + 1, feed.shape.end());
        if (array.shape.empty() || array.sampleElements() != elementCount(sample))
            return refuse(Message::of("a sample of array '%1' has the shape %2, but the input takes %3.", it->name,
                                      toText(array.shape.empty() ? Shape() : array.sampleShape()), toText(sample)),
                          Message::of("Give an array of samples of that shape."));
        if (isFloating(array.dtype) && !isFloating(feed.dtype))
            return refuse(Message::of("array '%1' is %2, but the input takes %3.", it->name, std::string(toText(array.dtype)),
                                      std::string(toText(feed.dtype))),
                          Message::of("Give whole numbers."));
        if (i > 0 && array.count() != x.count())
            return refuse(Message::of("array '%1' has %2 samples, the others have %3.", it->name, array.count(), x.count()),
                          Message::of("Give the same number of samples for each input."));
        array.input = feed.name;
        if (i == 0) x = std::move(array);
        else x.beside.push_back(std::move(array));
    }
    if (x.count() == 0) return makeError(ErrorKind::Data, "executable.feed", exe.infeed.front().name, Message::of("there are no samples."));
    return x;
}

} // namespace

Result<PredictOutcome> runExported(ExportedExecutable const &exported, std::vector<data::NamedArray> const &samples,
                                   RunRequest const &request, std::string const &target, JobContext const &job)
{
    auto const start = std::chrono::steady_clock::now();
    auto const &exe = exported.executable;
    TW_ASSIGN(auto const machine, target::parseMachine(exe.machine));
    if (!target.empty()) {
        TW_ASSIGN(auto const asked, target::parseMachine(target));
        bool const same = asked.isEmulated() == machine.isEmulated() && asked.chip.name == machine.chip.name
            && asked.chip.tiles == machine.chip.tiles && asked.ipus >= machine.ipus;
        if (!same) return otherField("executable.target", "target", exe.machine, target);
    }
    TW_ASSIGN(auto const x, fed(exe, samples));
    PredictOutcome outcome;
    outcome.compiled.executable = std::make_shared<executable::Executable const>(exe);
    outcome.compiled.machine = machine;
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    std::optional<device::Attachment> attachment;
    if (exe.emulated) {
        TW_ASSIGN(auto const registry, device::Registry::open());
        device::AttachRequest attach;
        attach.machine = machine;
        attach.ipus = machine.ipus;
        attach.command = "tilewright run " + exe.name;
        TW_ASSIGN(attachment, registry.attach(attach, job));
    }
    TW_ASSIGN(auto const session, Session::load(outcome.compiled, request, static_cast<std::uint64_t>(exported.seed), pool));
    TW_TRY(session->loadWeights(exported.weights));
    std::int64_t const perExecution = exe.batchSize * exe.replicas * exe.stepsPerExecution;
    std::vector<std::uint32_t> order(static_cast<std::size_t>(ceilDiv(x.count(), perExecution) * perExecution),
                                     static_cast<std::uint32_t>(x.count() - 1));
    std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(x.count()), 0u);
    double const scale = x.dtype == exported.sampleType ? exported.scale : 1.0;
    TW_ASSIGN(outcome.outputs, predictSamples(*session, x, scale, order, job));
    outcome.samples = x.count();
    outcome.numeric = keepSamples(outcome.outputs, outcome.samples);
    outcome.hostSeconds = secondsSince(start);
    outcome.device = session->deviceTime(static_cast<std::int64_t>(order.size()) / (exe.batchSize * exe.replicas));
    return outcome;
}

} // namespace tilewright::runtime
