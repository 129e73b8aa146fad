// Import and export of other programs' files. A form is a row in one of the two lists; what this build cannot
// read or write is refused by name.
#include "engine/cli/command.h"
#include "engine/cli/compile_document.h"
#include "engine/cli/output.h"
#include "engine/cli/replaceable.h"
#include "engine/workspace/project_store.h"
#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/core/limits.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/data/npy.h"
#include "engine/data/source.h"
#include "engine/interop/export.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/interop/import.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"
#include "engine/model/summary.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/exported.h"
#include "engine/runtime/run_facts.h"
#include "engine/runtime/train_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <functional>

namespace tilewright::cli {

using namespace workspace;

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

bool hasKeys(Json const &json, char const *a, char const *b) { return json.is_object() && json.contains(a) && json.contains(b); }

bool isTwin(Json const &json)
{
    return json.is_object() && json.contains("model") && (json.contains("format") || json.contains("training"));
}

bool isKerasJson(Json const &json)
{
    return hasKeys(json.is_string() ? orderedJsonOrDiscarded(json.get<std::string>()) : json, "class_name", "config");
}

/// The forms of a list that work, or those that do not yet, as a sentence lists them.
template <typename Form> std::string namesOf(std::vector<Form> const &forms, bool working)
{
    std::vector<std::string> names;
    for (auto const &form : forms)
        if (works(form) == working) names.emplace_back(form.name);
    return joinText(names, ", ");
}

/// `--size NAME=N[,M…]`: sizes for the open axes of an input.
Status closeInputs(std::vector<std::string> const &sizes, model::Model &model)
{
    for (auto const &text : sizes) {
        auto const equals = text.rfind('=');
        std::vector<std::int64_t> numbers;
        if (equals != std::string::npos && equals > 0)
            for (auto const &part : splitText(text.substr(equals + 1), ',')) {
                auto const number = parseInteger(part);
                if (!number || *number < 1 || *number > 1'000'000'000) {
                    numbers.clear();
                    break;
                }
                numbers.push_back(*number);
            }
        if (numbers.empty())
            return usageError("cli.value", "--size", "'" + text + "' is not an input and its size.",
                              "Write NAME=N, such as --size words=80, or a size for each open axis: --size image=224,224.");
        TW_TRY(model::closeInput(model, text.substr(0, equals), numbers));
    }
    return {};
}

/// The model with known shapes. An open axis is the file's, and an option of the import closes it.
Result<model::ResolvedModel> resolvedImport(model::Model const &model)
{
    auto resolved = model::resolve(model);
    if (resolved.ok() || resolved.error().code != "model.dynamic-shape") return resolved;
    auto error = resolved.error();
    error.remedy = "Give its size: --size " + error.subject + "=N, such as --size " + error.subject + "=80.";
    return error;
}

/// A project of our own as JSON, or a model of another program.
Result<interop::Imported> readImport(fs::path const &path, JobContext const &job, std::string &form)
{
    auto const sniffed = interop::sniff(path);
    if (!sniffed.ok()) {
        auto error = sniffed.error();
        error.kind = ErrorKind::Invalid; // also a pipe: a model, not data
        return error;
    }
    if (auto const json = orderedJsonOrDiscarded(sniffed->text); isTwin(json)) {
        form = "our own JSON";
        TW_ASSIGN(auto project, projectFromTwin(json, path.string(), job.warnings));
        return interop::Imported{std::move(project), {}};
    }
    if (auto const *found = interop::formOf(*sniffed)) form = found->name;
    return interop::importModel(path, job);
}

Result<int> importFile(Context &context)
{
    auto const &args = context.arguments;
    fs::path const path = args.text("FILE"), out = args.text("OUT");
    std::string form;
    TW_ASSIGN(auto imported, readImport(path, context.job, form));
    TW_TRY(closeInputs(args.list("--size"), imported.project.model));
    TW_ASSIGN(auto const resolved, resolvedImport(imported.project.model));
    TW_ASSIGN(auto const weights, interop::importedWeights(std::move(imported.layers), imported.project, path.string(), context.job));
    TW_TRY(createProject(out, imported.project, args.has("--force")));
    bool const keepsWeights = weights && out.extension() != ".json";
    if (keepsWeights) TW_TRY(runtime::writeLastCheckpoint(out, *weights));
    if (weights && !keepsWeights)
        context.job.warn(makeWarning("import.weights-left-out", out.string(), Message::of("a JSON project keeps no weights."),
                                     Message::of("Import to a file that ends in .tilewright.")));
    auto const layers = model::summarize(resolved).rows.size(); // as Keras counts: no input layer in a Sequential
    if (context.output.json())
        context.output.document({{"path", out.string()},
                                 {"form", form},
                                 {"layers", layers},
                                 {"parameters", resolved.parameters()},
                                 {"weights", keepsWeights ? static_cast<std::int64_t>(weights->tensors.size()) : 0}},
                                true);
    else if (!context.output.quiet())
        context.output.text("Imported " + path.string() + " (" + form + "): " + std::to_string(layers) + " layers, "
                            + groupedDigits(resolved.parameters()) + " parameters" + (keepsWeights ? " with their weights" : "") + ", to "
                            + out.string() + "\n");
    return 0;
}

struct ExportForm {
    char const *name;
    /// Empty: not written by this build, or not a text.
    std::function<Result<std::string>(OpenProject const &)> write;
    /// Whether a document is of this form.
    bool (*recognises)(Json const &json) = nullptr;
    /// A form that is no text writes its file itself.
    Result<int> (*run)(Context &context, OpenProject const &open, fs::path const &out) = nullptr;
};

bool works(ExportForm const &form) { return form.write || form.run; }

Result<int> exportExecutable(Context &context, OpenProject const &open, fs::path const &out);
Result<int> exportHdf5(Context &context, OpenProject const &open, fs::path const &out);

std::vector<ExportForm> const &exportForms()
{
    static std::vector<ExportForm> const all{
        {"json", [](OpenProject const &open) -> Result<std::string> { return twinText(open.project); }, isTwin},
        {"keras-json", [](OpenProject const &open) -> Result<std::string> { return model::printKerasJson(open.project.model) + "\n"; },
         isKerasJson},
        {"h5", {}, nullptr, exportHdf5},
        {"keras", {}},
        {"python", {}},
        {"executable", {}, nullptr, exportExecutable},
    };
    return all;
}

/// What exportWeights and `train --checkpoint` write; results of `predict` are archives too, without the counters.
bool holdsWeights(fs::path const &path)
{
    auto const archive = data::openSource(path);
    if (!archive.ok()) return false;
    auto const names = data::npzNames(*archive);
    if (!names.ok()) return false;
    auto const has = [&](char const *name) { return std::ranges::find(*names, name) != names->end(); };
    return has("epoch") && has("step");
}

bool isFormerExport(fs::path const &path, ExportForm const &form)
{
    auto const content = readFile(path, limitOf(Limit::JsonBytes) + 1);
    return content.ok() && form.recognises(orderedJsonOrDiscarded(*content));
}

/// The weights of `last`, else the initial ones with a warning.
Result<runtime::TrainingState> currentWeights(Context &context, OpenProject const &open)
{
    TW_ASSIGN(auto state, lastCheckpoint(open));
    if (state) return std::move(*state);
    TW_ASSIGN(auto const resolved, model::resolve(open.project.model));
    TW_ASSIGN(auto const values, model::initialWeights(resolved, static_cast<std::uint64_t>(open.project.training.seed)));
    runtime::TrainingState initial;
    auto const order = model::weightOrder(resolved);
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const &weight = resolved.layers[order[i].layer].weights[order[i].weight];
        runtime::StateTensor tensor{model::weightPath(resolved, order[i]), DType::F32, weight.shape, {}};
        tensor.bytes.resize(values[i].size() * sizeof(float));
        if (!tensor.bytes.empty()) std::memcpy(tensor.bytes.data(), values[i].data(), tensor.bytes.size());
        initial.tensors.push_back(std::move(tensor));
    }
    context.job.warn(makeWarning("checkpoint.none", open.path.string(),
                                 Message::of("the project holds no trained weights: these are the initial ones."),
                                 Message::of("Train first.")));
    return initial;
}

/// As arrays named like Keras names weights.
Status exportWeights(Context &context, OpenProject const &open, fs::path const &path)
{
    TW_ASSIGN(auto const state, currentWeights(context, open));
    return runtime::writeCheckpoint(path, state, context.job);
}

/// Whether the file is a Keras model as HDF5: nothing else of that format is replaced without --force.
bool isKerasHdf5(fs::path const &path)
{
    auto const contents = interop::readHdf5(path, {});
    return contents.ok() && !contents->text("", "model_config").empty();
}

Result<int> exportHdf5(Context &context, OpenProject const &open, fs::path const &out)
{
    if (!context.arguments.has("--force")) TW_TRY(requireReplaceable(out, "former export to h5", isKerasHdf5));
    TW_ASSIGN(auto const weights, currentWeights(context, open));
    TW_ASSIGN(auto const image, interop::kerasHdf5(open.project, weights, context.job));
    TW_TRY(writeOutputFile(out, image));
    if (context.output.json()) context.output.document({{"path", out.string()}});
    else if (!context.output.quiet()) context.output.text("Wrote " + out.string() + "\n");
    return 0;
}

Result<int> exportProject(Context &context)
{
    auto const &args = context.arguments;
    if (!args.has("--to"))
        return usageError("cli.missing", "--to", Message::of("the option is missing."),
                          Message::of("Choose one of %1.", namesOf(exportForms(), true)));
    auto const form = std::ranges::find_if(exportForms(), [&](auto const &f) { return f.name == args.text("--to"); });
    if (!works(*form))
        return notInstalled(
            "--to " + args.text("--to"), Message::of("this form cannot be written yet."),
            Message::of("It can write %1; `predict --out` writes results of a project as .npz.", namesOf(exportForms(), true)));
    TW_ASSIGN(auto const open, openProject(args.text("PROJECT"), context.job.warnings));
    fs::path const out = args.text("OUT");
    TW_TRY(requireOtherFile(open.path, out));
    if (form->run) return form->run(context, open, out);
    TW_ASSIGN(auto const text, form->write(open));
    bool const withWeights = args.has("--with-weights");
    auto const weights = fs::path(out).replace_extension(".npz");
    if (!args.has("--force")) {
        TW_TRY(requireReplaceable(out, "former export to " + args.text("--to"),
                                  [&](fs::path const &path) { return isFormerExport(path, *form); }));
        if (withWeights) TW_TRY(requireReplaceable(weights, "file of weights", holdsWeights));
    }
    Json document{{"path", out.string()}};
    bool weightsAreNew = false;
    if (withWeights) {
        // The larger file first; and both or none.
        std::error_code problem;
        weightsAreNew = !fs::exists(fs::symlink_status(weights, problem));
        TW_TRY(exportWeights(context, open, weights));
        document["weights"] = weights.string();
    }
    if (auto written = writeOutputFile(out, text); !written.ok()) {
        std::error_code ignored;
        if (weightsAreNew) fs::remove(weights, ignored);
        return written.error();
    }
    if (context.output.json()) context.output.document(std::move(document));
    else if (!context.output.quiet()) context.output.text("Wrote " + out.string() + "\n");
    return 0;
}

Json feedsJson(std::vector<graph::FeedSpec> const &feeds)
{
    auto list = Json::array();
    for (auto const &feed : feeds) list.push_back({{"name", feed.name}, {"shape", feed.shape}, {"dtype", std::string(toText(feed.dtype))}});
    return list;
}

std::int64_t samplesPerExecution(executable::Executable const &exe, executable::Entry const &entry)
{
    return entry.batchSize * exe.replicas * entry.stepsPerExecution;
}

/// "predict in batches of 32 samples, train in batches of 16 samples".
std::string entriesText(executable::Executable const &exe)
{
    std::vector<std::string> parts;
    for (auto const &entry : exe.entries) parts.push_back(entry.name + " in batches of " + groupedDigits(entry.batchSize) + " samples");
    return joinText(parts, ", ");
}

Json exportedJson(executable::Executable const &exe)
{
    auto entries = Json::array();
    for (auto const &entry : exe.entries)
        entries.push_back({{"name", entry.name},
                           {"samples_per_execution", samplesPerExecution(exe, entry)},
                           {"feeds", feedsJson(entry.infeed)},
                           {"outputs", feedsJson(entry.outfeed)},
                           {"cycles_per_step", entry.cyclesPerStep()}});
    return {{"target", exe.machine}, {"model", exe.name}, {"entries", std::move(entries)}};
}

/// The kinds of --entries.
Result<std::vector<compiler::RunKind>> entriesOf(Arguments const &args)
{
    using compiler::RunKind;
    if (!args.has("--entries")) return std::vector{RunKind::Predict};
    std::vector<RunKind> kinds;
    for (auto const &name : splitText(args.text("--entries"), ',')) {
        auto const all = {RunKind::Predict, RunKind::Evaluate, RunKind::Train};
        auto const it = std::ranges::find_if(all, [&](RunKind kind) { return compiler::toText(kind) == name; });
        if (it == all.end())
            return usageError("export.entries", "--entries", Message::of("'%1' is no entry.", name),
                              Message::of("Name one or more of predict, evaluate, train, separated by commas."));
        kinds.push_back(*it);
    }
    return kinds;
}

Result<int> exportExecutable(Context &context, OpenProject const &open, fs::path const &out)
{
    if (!context.arguments.has("--force"))
        TW_TRY(
            requireReplaceable(out, "former export to executable", [](fs::path const &path) { return runtime::readExported(path).ok(); }));
    auto const &args = context.arguments;
    std::optional<runtime::TrainingState> state;
    if (args.has("--checkpoint")) {
        TW_ASSIGN(state, runtime::readCheckpoint(args.text("--checkpoint"), context.job));
    } else {
        TW_ASSIGN(state, lastCheckpoint(open));
    }
    runtime::ExportOptions options;
    TW_ASSIGN(options.entries, entriesOf(args));
    options.batch = args.integer("--batch", 0);
    options.iterations = args.integer("--iterations", 0);
    if (args.has("--output-names")) options.outputNames = splitText(args.text("--output-names"), ',');
    runtime::RunRequest request;
    TW_ASSIGN(request.compile, compileRequest(context));
    request.threads = context.threads;
    request.baseDir = dataFolder(open);
    TW_ASSIGN(auto const compiled, runtime::exportExecutable(open.project, request, state ? &*state : nullptr, options, out, context.job));
    if (compiled.outOfMemory) return context.output.fail(*compiled.outOfMemory);
    auto document = exportedJson(*compiled.executable);
    document["path"] = out.string();
    document["checkpoint"] = args.has("--checkpoint") ? Json(args.text("--checkpoint")) : state ? Json("last") : Json();
    if (context.output.json()) context.output.document(std::move(document));
    else if (!context.output.quiet())
        context.output.text("Wrote " + out.string() + ": " + compiled.executable->name + " for " + compiled.machine.name + ", "
                            + entriesText(*compiled.executable) + "\n");
    return 0;
}

std::vector<std::string> outputNames(executable::Entry const &entry)
{
    std::vector<std::string> names;
    for (auto const &output : entry.outfeed) names.push_back(output.name);
    return names;
}

/// What a run writes replaces an earlier result of the same entry only.
Status requirePlaceOfRun(executable::Executable const &exe, std::string const &name, fs::path const &path, bool force)
{
    auto const entry = exe.find(name);
    if (!entry) return {}; // the run refuses it by its name
    if (name == "train")
        return force
            ? Status()
            : requireReplaceable(path, "checkpoint", [](fs::path const &former) { return runtime::readCheckpoint(former, {}).ok(); });
    if (name == "predict") return requirePlaceOfPredictions(path, outputNames(**entry), force);
    return force ? Status() : requireReplaceable(path, "file of losses and metrics", [](fs::path const &former) {
        auto const archive = data::openSource(former);
        auto const names = archive.ok() ? data::npzNames(*archive) : archive.error();
        return names.ok() && std::ranges::count(*names, "loss") == 1;
    });
}

/// Writes the results, or the trained state, and tells what a run has found.
Result<int> tellRun(Context &context, executable::Executable const &exe, std::string const &name, runtime::ExportedRun const &outcome)
{
    auto const &args = context.arguments;
    if (outcome.state) {
        TW_TRY(runtime::writeCheckpoint(args.text("--out"), *outcome.state, context.job));
    } else if (args.has("--out")) {
        std::vector<data::NamedArray> arrays;
        for (std::size_t i = 0; i < outcome.outputs.size(); ++i) {
            auto const &output = outcome.outputs[i];
            arrays.push_back(
                {predictionName(outputNames(**exe.find(name)), i), data::borrowArray(DType::F32, output.shape, output.values.data())});
        }
        std::vector<float> numbers; // reserved: the arrays borrow from it
        if (outcome.means) {
            numbers.reserve(outcome.means->metrics.size() + 1);
            auto const add = [&](std::string const &metric, double value) {
                numbers.push_back(static_cast<float>(value));
                arrays.push_back({metric, data::borrowArray(DType::F32, {1}, &numbers.back())});
            };
            add("loss", outcome.means->loss);
            for (auto const &[metric, value] : outcome.means->metrics) add(metric, value);
        }
        TW_TRY(data::writeNpz(args.text("--out"), arrays, false, context.job));
    }
    if (context.output.json()) {
        auto document = exportedJson(exe);
        document["entry"] = name;
        if (args.has("--out")) document["path"] = args.text("--out");
        document["samples"] = outcome.samples;
        if (outcome.means) {
            document["loss"] = outcome.means->loss;
            document["metrics"] = Json::object();
            for (auto const &[metric, value] : outcome.means->metrics) document["metrics"][metric] = value;
        }
        document["host_seconds"] = outcome.hostSeconds;
        runtime::addDeviceTime(document, outcome.device);
        if (outcome.numeric) return context.output.fail(*outcome.numeric, std::move(document), {});
        context.output.document(std::move(document));
    } else if (!context.output.quiet()) {
        std::string text;
        if (outcome.means) {
            text = name + " over " + groupedDigits(outcome.samples) + " samples: loss " + runtime::figureText(outcome.means->loss, 4);
            for (auto const &[metric, value] : outcome.means->metrics) text += ", " + metric + " " + runtime::figureText(value, 4);
            text += "\n";
            if (outcome.state) text += "Wrote the trained weights to " + args.text("--out") + "\n";
        } else {
            text = "Wrote " + groupedDigits(outcome.samples) + " predictions to " + args.text("--out") + "\n";
        }
        context.output.text(text);
    }
    return outcome.numeric ? context.output.fail(*outcome.numeric) : 0;
}

Result<int> runExecutable(Context &context)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto const exported, runtime::readExported(args.text("EXECUTABLE")));
    auto const &exe = exported.executable;
    if (args.has("--list")) {
        auto document = exportedJson(exe);
        document["version"] = exported.writer;
        std::vector<std::vector<std::string>> rows;
        for (auto const *field : {"model", "target", "version", "feeds", "outputs"}) rows.push_back({field, exported.fields.at(field)});
        for (auto const &entry : exe.entries)
            rows.push_back({"entry", entry.name + ", " + groupedDigits(samplesPerExecution(exe, entry)) + " samples per execution"});
        if (context.output.json()) context.output.document(std::move(document));
        else context.output.text(tableText({"Field", "Value"}, rows));
        return 0;
    }
    auto const name = args.has("--entry") ? args.text("--entry") : exe.find("predict") ? "predict" : exe.entries.front().name;
    bool const needsOut = name != "evaluate";
    for (auto const *option : {"--input", "--out"})
        if (!args.has(option) && (needsOut || option == std::string_view("--input")))
            return usageError("cli.missing", option, Message::of("the option is missing."),
                              Message::of("Give --input FILE.npz and --out FILE.npz, or --list."));
    if (args.has("--out")) {
        TW_TRY(requireOtherFile(args.text("EXECUTABLE"), args.text("--out")));
        TW_TRY(requireOtherFile(args.text("--input"), args.text("--out")));
        TW_TRY(requirePlaceOfRun(exe, name, args.text("--out"), args.has("--force")));
    }
    auto const samples = data::readNpz(args.text("--input"), context.job);
    if (!samples.ok()) {
        auto error = samples.error();
        error.remedy = Message::of("Give an .npz with an array for each input; `run --list` names the inputs.");
        return error;
    }
    runtime::RunRequest request;
    TW_ASSIGN(request.compile, compileRequest(context));
    request.mode = args.text("--mode") == "tile" ? runtime::Mode::Tile : runtime::Mode::Fused;
    request.threads = context.threads;
    TW_ASSIGN(auto const outcome, runtime::runExported(exported, name, *samples, request, args.text("--target"), context.job));
    return tellRun(context, exe, name, outcome);
}

} // namespace

std::vector<Command> exchangeCommands()
{
    // The forms to come are known words, so that their refusal says what is so; the help offers what works.
    auto formOption = option("--to", "FORM", "the form: " + namesOf(exportForms(), true));
    for (auto const &form : exportForms()) (works(form) ? formOption.choices : formOption.notYet).emplace_back(form.name);
    return {
        {.name = "import",
         .group = "Projects",
         .summary = "makes a project from another program's file",
         .details = "Reads " + interop::formNames(true)
             + ".\nA model that is used as a layer is replaced by its own layers. An input axis of open size (null) needs --size.\n"
               "Not yet: "
             + interop::formNames(false) + ".",
         .example = "tilewright import model.json model.tilewright",
         .parameters = {word("FILE", "the file to read"), destination(word("OUT", "the project to write")),
                        repeatedOption("--size", "NAME=N", "size of an open axis of input NAME; N,M,… for several; may be repeated"),
                        flag("--force", "replace an existing file")},
         .run = importFile},
        {.name = "export",
         .group = "Projects",
         .summary = "writes a project in another form",
         .details = "Writes " + namesOf(exportForms(), true) + ". Not yet: " + namesOf(exportForms(), false) + ".",
         .example = "tilewright export mnist.tilewright --to json mnist.json --with-weights",
         .parameters =
             {word("PROJECT", "a .tilewright file or its JSON twin"), destination(word("OUT", "the file to write")), formOption,
              flag("--with-weights", "also write the weights, as .npz beside OUT"),
              option("--checkpoint", "FILE", "weights of an executable, .npz (default: `last` of the project)"),
              integerOption("--batch", "N", 1, "samples of a batch of an executable (default: as `predict` of the project's data)"),
              option("--entries", "NAMES",
                     "entries of an executable over the same variables: predict, evaluate, train, separated by commas (default: "
                     "predict)"),
              integerOption("--iterations", "N", 1,
                            "micro-batches of one execution of predict and evaluate (default: 1, or as many as fill the pipeline)"),
              option("--output-names", "NAMES", "names of the outputs of predict, separated by commas (default: output layers)"),
              flag("--force", "replace OUT even if it is not an earlier export")},
         .run = exportProject},
        {.name = "run",
         .group = "Running",
         .summary = "runs an entry of an exported executable without its project",
         .details = "`export --to executable` writes entries of a model with their weights. --input holds an array for each feed of the\n"
                    "entry, by its name (`--list` prints them); for a single feed the name is free. Samples of the type of the project's\n"
                    "own data are scaled as those. `predict` writes results, those of the command `predict`, bit for bit. `evaluate`\n"
                    "prints loss and metrics. `train` passes once over the samples, in their order, and writes a checkpoint. If target,\n"
                    "version or feeds do not fit, the error names the field.",
         .example = "tilewright run mnist.twexe --input samples.npz --out results.npz",
         .parameters = {word("EXECUTABLE", "an exported executable"), option("--input", "FILE", "samples, .npz"),
                        destination(
                            option("--out", "FILE",
                                   "results, .npz: the array `predictions`, or one array per output name; a checkpoint of `train`")),
                        option("--entry", "NAME", "the entry to run (default: predict, or the only one)"),
                        flag("--list", "print entries, feeds and target"),
                        option("--target", "NAME", "fail unless it was exported for this target"),
                        choiceOption("--mode", {"fused", "tile"}, "fused: host kernels (default); tile: the memories of the tiles"),
                        flag("--force", "replace the file of --out even if it does not hold predictions")},
         .run = runExecutable},
    };
}

} // namespace tilewright::cli
