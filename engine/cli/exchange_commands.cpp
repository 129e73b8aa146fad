// Import and export of other programs' files. A form is a row in one of the two lists; what this build cannot
// read or write is refused by name.
#include "engine/cli/command.h"
#include "engine/cli/compile_document.h"
#include "engine/cli/executable_commands.h"
#include "engine/cli/output.h"
#include "engine/cli/replaceable.h"
#include "engine/workspace/project_store.h"
#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/core/limits.h"
#include "engine/core/numbers.h"
#include "engine/core/parallel.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/data/npy.h"
#include "engine/data/source.h"
#include "engine/data/zip.h"
#include "engine/interop/completion.h"
#include "engine/interop/export.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/interop/import.h"
#include "engine/interop/onnx_export.h"
#include "engine/interop/onnx_file.h"
#include "engine/interop/named_weights.h"
#include "engine/interop/python_script.h"
#include "engine/model/keras_json.h"
#include "engine/model/outline.h"
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
#include <map>

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

/// `--size`, `--shape`, `--replace`.
Result<interop::Completion> answersOf(Arguments const &args)
{
    interop::Completion answers;
    for (auto const &text : args.list("--size")) { TW_ASSIGN(answers.sizes.emplace_back(), interop::sizeFromText(text)); }
    for (auto const &text : args.list("--shape")) { TW_ASSIGN(answers.shapes.emplace_back(), interop::shapeFromText(text)); }
    for (auto const &text : args.list("--replace")) { TW_ASSIGN(answers.replacements.emplace_back(), interop::replacementFromText(text)); }
    return answers;
}

/// The model with its shapes, as far as the placeholders have one. An open axis is the file's, and an option of the import closes it.
Result<model::ResolvedModel> resolvedImport(model::Model const &model)
{
    auto resolved = model::resolveAround(model);
    if (resolved.ok() || resolved.error().code != "model.dynamic-shape") return resolved;
    auto error = resolved.error();
    error.remedy = "Give its size: --size " + error.subject + "=N, such as --size " + error.subject + "=80.";
    return error;
}

/// A project of our own as JSON, or a model of another program.
Result<interop::Imported> readImport(fs::path const &path, interop::Completion const &answers, JobContext const &job, std::string &form)
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
        interop::Imported imported{std::move(project), {}};
        TW_TRY(interop::complete(imported, answers, job));
        return imported;
    }
    if (auto const *found = interop::formOf(*sniffed)) form = found->name;
    return interop::importCompleted(path, answers, job);
}

/// The weights that a training begins with.
Result<runtime::TrainingState> initialWeightsOf(OpenProject const &open)
{
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
    return initial;
}

/// The matches as a table for people.
std::string matchTable(interop::NamedWeights const &weights)
{
    using Match = interop::NamedWeights::Match;
    std::size_t first = 6, second = 5;
    for (auto const &row : weights.rows) {
        first = std::max(first, characterCount(row.weight));
        second = std::max(second, toText(row.shape).size());
    }
    auto const line = [&](std::string const &a, std::string const &b, std::string const &c) {
        return safeText(a) + std::string(first + 2 - characterCount(a), ' ') + b + std::string(second + 2 - b.size(), ' ') + safeText(c)
            + "\n";
    };
    auto text = line("Weight", "Shape", "In the file");
    for (auto const &row : weights.rows)
        text += line(row.weight, toText(row.shape),
                     row.match == Match::Taken         ? row.array
                         : row.match == Match::Missing ? "missing: the present values stay"
                                                       : row.array + " has the shape " + toText(row.found) + ": the present values stay");
    for (auto const &name : weights.unused) text += line("-", "", name + " is no weight of the model");
    return text;
}

/// `--weights`: into a project that exists.
Result<int> importWeights(Context &context)
{
    auto const &args = context.arguments;
    fs::path const path = args.text("FILE");
    TW_ASSIGN(auto const open, openProject(args.text("OUT"), context.job.warnings));
    if (open.isTwin)
        return usageError("import.twin", open.path.string(), Message::of("a JSON project keeps no weights."),
                          Message::of("Name a project that ends in .tilewright."));
    TW_ASSIGN(auto const resolved, model::resolve(open.project.model));
    TW_ASSIGN(auto const last, lastCheckpoint(open));
    auto present = last;
    if (!present) { TW_ASSIGN(present, initialWeightsOf(open)); }
    TW_ASSIGN(auto const weights, interop::weightsByName(path, resolved, *present, context.job));
    TW_TRY(runtime::writeLastCheckpoint(open.path, weights.state));
    if (context.output.json()) {
        auto rows = Json::array();
        for (auto const &row : weights.rows) {
            using Match = interop::NamedWeights::Match;
            rows.push_back({{"weight", row.weight},
                            {"shape", Json(row.shape)},
                            {"match",
                             row.match == Match::Taken         ? "taken"
                                 : row.match == Match::Missing ? "missing"
                                                               : "other-shape"},
                            {"array", row.array.empty() ? Json() : Json(row.array)}});
        }
        context.output.document({{"path", open.path.string()}, {"taken", weights.taken()}, {"weights", rows}, {"unused", weights.unused}},
                                true);
    } else if (!context.output.quiet()) {
        context.output.text(matchTable(weights) + "Took " + std::to_string(weights.taken()) + " of " + std::to_string(weights.rows.size())
                            + " weights from " + path.string() + " into " + open.path.string() + "\n");
    }
    return 0;
}

Result<int> importFile(Context &context)
{
    auto const &args = context.arguments;
    if (args.has("--weights")) return importWeights(context);
    fs::path const path = args.text("FILE"), out = args.text("OUT");
    std::string form;
    TW_ASSIGN(auto const answers, answersOf(args));
    TW_ASSIGN(auto imported, readImport(path, answers, context.job, form));
    TW_ASSIGN(auto const resolved, resolvedImport(imported.project.model));
    TW_ASSIGN(auto const weights, interop::importedState(imported, path.string(), context.job));
    TW_TRY(requireOtherFile(path, out));
    std::error_code ignored;
    bool const isNew = !fs::exists(out, ignored);
    TW_TRY(createProject(out, imported.project, args.has("--force")));
    bool const keepsWeights = weights && out.extension() != ".json";
    if (keepsWeights)
        if (auto const kept = runtime::writeLastCheckpoint(out, *weights); !kept.ok()) {
            if (isNew) fs::remove(out, ignored); // no project with other weights than the file's
            return kept.error();
        }
    if (weights && !keepsWeights)
        context.job.warn(makeWarning("import.weights-left-out", out.string(), Message::of("a JSON project keeps no weights."),
                                     Message::of("Import to a file that ends in .tilewright.")));
    auto const rows = model::summarize(resolved).rows; // as Keras counts: no input layer in a Sequential
    auto const layers = rows.size();
    auto placeholders = Json::array();
    for (auto const &row : rows)
        if (row.placeholder) placeholders.push_back({{"name", row.name}, {"class", row.type}});
    if (context.output.json())
        context.output.document({{"path", out.string()},
                                 {"form", form},
                                 {"layers", layers},
                                 {"parameters", resolved.parameters()},
                                 {"placeholders", placeholders},
                                 {"weights", keepsWeights ? static_cast<std::int64_t>(weights->tensors.size()) : 0}},
                                true);
    else if (!context.output.quiet())
        context.output.text("Imported " + path.string() + " (" + form + "): " + std::to_string(layers) + " layers"
                            + (placeholders.empty() ? "" : " (" + std::to_string(placeholders.size()) + " of them placeholders)") + ", "
                            + groupedDigits(resolved.parameters()) + " parameters" + (keepsWeights ? " with their weights" : "") + ", to "
                            + out.string() + "\n");
    return 0;
}

struct ExportForm {
    char const *name;
    /// Empty: not a text.
    std::function<Result<std::string>(OpenProject const &)> write;
    /// Whether a document is of this form.
    bool (*recognises)(Json const &json) = nullptr;
    /// A form that is no text writes its file itself.
    Result<int> (*run)(Context &context, OpenProject const &open, fs::path const &out) = nullptr;
};

bool works(ExportForm const &form) { return form.write || form.run; }

Result<int> exportHdf5(Context &context, OpenProject const &open, fs::path const &out);
Result<int> exportOnnx(Context &context, OpenProject const &open, fs::path const &out);
Result<int> exportArchive(Context &context, OpenProject const &open, fs::path const &out);
Result<int> exportTensorFlowJs(Context &context, OpenProject const &open, fs::path const &out);
Result<int> exportNpz(Context &context, OpenProject const &open, fs::path const &out);
Result<int> exportPython(Context &context, OpenProject const &open, fs::path const &out);

std::vector<ExportForm> const &exportForms()
{
    static std::vector<ExportForm> const all{
        {"json", [](OpenProject const &open) -> Result<std::string> { return twinText(open.project); }, isTwin},
        {"keras-json", [](OpenProject const &open) -> Result<std::string> { return interop::kerasJson(open.project.model) + "\n"; },
         isKerasJson},
        {"h5", {}, nullptr, exportHdf5},
        {"onnx", {}, nullptr, exportOnnx},
        {"keras", {}, nullptr, exportArchive},
        {"tfjs", {}, nullptr, exportTensorFlowJs},
        {"npz", {}, nullptr, exportNpz},
        {"python", {}, nullptr, exportPython},
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
    TW_ASSIGN(auto initial, initialWeightsOf(open));
    context.job.warn(makeWarning("checkpoint.none", open.path.string(),
                                 Message::of("the project holds no trained weights: these are the initial ones."),
                                 Message::of("Train first.")));
    return initial;
}

/// Those of --checkpoint, else the current ones.
Result<runtime::TrainingState> givenWeights(Context &context, OpenProject const &open)
{
    auto const &args = context.arguments;
    return args.has("--checkpoint") ? runtime::readCheckpoint(args.text("--checkpoint"), context.job) : currentWeights(context, open);
}

void tellWritten(Context &context, fs::path const &out)
{
    if (context.output.json()) context.output.document({{"path", out.string()}});
    else if (!context.output.quiet()) context.output.text("Wrote " + out.string() + "\n");
}

/// As arrays named like Keras names weights.
Status exportWeights(Context &context, OpenProject const &open, fs::path const &path)
{
    TW_ASSIGN(auto const state, currentWeights(context, open));
    return runtime::writeCheckpoint(path, state, context.job);
}

/// Whether the file is a Keras model that exportHdf5 wrote: no other one is replaced without --force.
bool isOurHdf5(fs::path const &path)
{
    auto const contents = interop::readHdf5(path, {});
    return contents.ok() && contents->text("", interop::kCreator) == "Tilewright";
}

/// Whether exportOnnx wrote the file.
bool isOurOnnx(fs::path const &path)
{
    auto const graph = interop::readOnnx(path, {});
    return graph.ok() && graph->producer == interop::kOnnxProducer;
}

using ModelImage = Result<std::string>(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job);

/// A model file of another program, with the weights.
Result<int> exportImage(Context &context, OpenProject const &open, fs::path const &out, std::string const &form,
                        bool (*isOurs)(fs::path const &), ModelImage *imageOf)
{
    if (!context.arguments.has("--force")) TW_TRY(requireReplaceable(out, "former export to " + form, isOurs));
    TW_ASSIGN(auto const weights, givenWeights(context, open));
    TW_ASSIGN(auto const image, imageOf(open.project, weights, context.job));
    TW_TRY(writeOutputFile(out, image));
    tellWritten(context, out);
    return 0;
}

bool isOurArchive(fs::path const &path)
{
    auto const archive = data::openSource(path);
    if (!archive.ok()) return false;
    auto const entries = data::readZipDirectory(*archive);
    if (!entries.ok()) return false;
    auto const found = std::ranges::find(*entries, "metadata.json", &data::ZipEntry::name);
    if (found == entries->end()) return false;
    auto const content = data::openZipEntry(*archive, *found, {});
    auto const json = content.ok() ? orderedJsonOrDiscarded({reinterpret_cast<char const *>(content->bytes.get()), content->size}) : Json();
    return json.is_object() && json.value(interop::kCreator, Json()) == interop::kCreatorName;
}

Result<int> exportArchive(Context &context, OpenProject const &open, fs::path const &out)
{
    if (!context.arguments.has("--force")) TW_TRY(requireReplaceable(out, "former export to keras", isOurArchive));
    TW_ASSIGN(auto const weights, givenWeights(context, open));
    TW_ASSIGN(auto const parts, interop::kerasArchive(open.project, weights, context.job));
    std::vector<data::ZipInput> files;
    for (auto const &part : parts) files.push_back({part.name, {std::as_bytes(std::span(part.bytes))}});
    TW_TRY(data::writeZip(out, files, {}, context.job));
    tellWritten(context, out);
    return 0;
}

bool isOurTensorFlowJs(fs::path const &path)
{
    auto const content = readFile(path, limitOf(Limit::JsonBytes) + 1);
    auto const json = content.ok() ? orderedJsonOrDiscarded(*content) : Json();
    return json.is_object() && json.contains("modelTopology") && json.value("generatedBy", Json()) == interop::kCreatorName;
}

/// The document and its shards beside it.
Result<int> exportTensorFlowJs(Context &context, OpenProject const &open, fs::path const &out)
{
    bool const force = context.arguments.has("--force");
    if (!force) TW_TRY(requireReplaceable(out, "former export to tfjs", isOurTensorFlowJs));
    std::error_code ignored;
    bool const again = fs::exists(out, ignored); // then the shards are those of the former export
    TW_ASSIGN(auto const weights, givenWeights(context, open));
    TW_ASSIGN(auto const parts, interop::tensorFlowJs(open.project, weights, out.filename().string(), out.stem().string()));
    auto const folder = out.parent_path();
    auto const isNone = [](fs::path const &) { return false; };
    for (std::size_t i = 1; i < parts.size() && !force && !again; ++i)
        TW_TRY(requireReplaceable(folder / parts[i].name, "shard of a former export", isNone));
    // The document last: it names the shards.
    for (std::size_t i = parts.size(); i-- > 0;) TW_TRY(writeOutputFile(i > 0 ? folder / parts[i].name : out, parts[i].bytes));
    tellWritten(context, out);
    return 0;
}

Result<int> exportNpz(Context &context, OpenProject const &open, fs::path const &out)
{
    if (!context.arguments.has("--force")) TW_TRY(requireReplaceable(out, "file of weights", holdsWeights));
    TW_ASSIGN(auto const weights, givenWeights(context, open));
    TW_TRY(runtime::writeCheckpoint(out, weights, context.job));
    tellWritten(context, out);
    return 0;
}

/// Whether exportPython wrote the file.
bool isOurScript(fs::path const &path)
{
    auto const content = readFile(path, limitOf(Limit::JsonBytes) + 1);
    return content.ok() && content->starts_with(interop::kPythonHead);
}

/// The samples of a project by the names of its model's inputs ("x/NAME") and outputs ("y/NAME").
Result<std::vector<data::NamedArray>> namedSamples(project::Project const &project, data::Dataset const &dataset, JobContext const &job)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    std::vector<data::NamedArray> arrays;
    ThreadPool pool(hostThreads(0));
    auto const add = [&](char const *kind, std::vector<std::size_t> const &calls, data::DataArray const &from) -> Status {
        for (auto const call : calls) {
            auto const &name = resolved.layerOf(call).layer.name;
            auto array = from.forInput(name);
            TW_TRY(data::makeRecords(array, pool, job));
            array.beside.clear();
            arrays.push_back({std::string(kind) + "/" + name, std::move(array)});
        }
        return {};
    };
    TW_TRY(add("x", resolved.inputs, dataset.x));
    TW_TRY(add("y", resolved.outputs, dataset.y));
    return arrays;
}

/// A script, and beside it the samples that no script can load by name.
Result<int> exportPython(Context &context, OpenProject const &open, fs::path const &out)
{
    auto const archive = fs::path(out).replace_extension(".npz");
    bool const ownData = !interop::isMnist(open.project);
    if (!context.arguments.has("--force")) {
        TW_TRY(requireReplaceable(out, "script", isOurScript));
        if (ownData) TW_TRY(requireReplaceable(archive, "file of samples", [](fs::path const &) { return false; }));
    }
    data::Dataset dataset;
    if (ownData) {
        auto source = project::dataSource(open.project);
        source.validationSplit = 0; // fit splits them
        TW_ASSIGN(dataset, data::openDataset(source, dataFolder(open), context.job));
    }
    TW_ASSIGN(auto script, interop::pythonScript(open.project, archive.filename().string(), dataset.scale));
    for (auto &warning : script.leftOut) context.job.warn(std::move(warning));
    if (ownData) {
        TW_ASSIGN(auto const samples, namedSamples(open.project, dataset, context.job));
        TW_TRY(data::writeNpz(archive, samples, true, context.job));
    }
    TW_TRY(writeOutputFile(out, script.text));
    tellWritten(context, out);
    return 0;
}

Result<int> exportHdf5(Context &context, OpenProject const &open, fs::path const &out)
{
    return exportImage(context, open, out, "h5", isOurHdf5, interop::kerasHdf5);
}

Result<int> exportOnnx(Context &context, OpenProject const &open, fs::path const &out)
{
    return exportImage(context, open, out, "onnx", isOurOnnx, interop::onnxOf);
}

Result<int> exportProject(Context &context)
{
    auto const &args = context.arguments;
    if (!args.has("--to"))
        return usageError("cli.missing", "--to", Message::of("the option is missing."),
                          Message::of("Choose one of %1.", namesOf(exportForms(), true)));
    auto const form = std::ranges::find_if(exportForms(), [&](auto const &f) { return f.name == args.text("--to"); });
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

} // namespace

std::vector<Command> exchangeCommands()
{
    auto formOption = option("--to", "FORM", "the form: " + namesOf(exportForms(), true));
    for (auto const &form : exportForms()) formOption.choices.emplace_back(form.name);
    return {
        {.name = "import",
         .group = "Projects",
         .summary = "makes a project from another program's file",
         .details = "Reads " + interop::formNames(true)
             + ".\nA model that is used as a layer is replaced by its own layers. An input axis of open size (null) needs --size.\n"
               "A layer that cannot be computed stays as a placeholder: it is shown, counted and exported unchanged; compile and train "
               "refuse it.\n"
               "Not yet: "
             + interop::formNames(false) + ".",
         .example = "tilewright import model.json model.tilewright",
         .parameters = {word("FILE", "the file to read"), destination(word("OUT", "the project to write")),
                        repeatedOption("--size", "NAME=N", "size of an open axis of input NAME; N,M,… for several; may be repeated"),
                        repeatedOption("--shape", "LAYER=[…]",
                                       "output shape of a layer that cannot be computed, without the batch; may be repeated"),
                        repeatedOption("--replace", "LAYER=CLASS{…}",
                                       "another class for a layer, with its arguments as JSON; may be repeated"),
                        flag("--weights", "take weights alone, by name, from an .npz or .h5 into the project OUT, which exists"),
                        flag("--force", "replace an existing file")},
         .run = importFile},
        {.name = "export",
         .group = "Projects",
         .summary = "writes a project in another form",
         .details = "Writes " + namesOf(exportForms(), true)
             + ".\npython: a script for TensorFlow 2 on IPUs, which `tilewright python` trains to the weights of `train`; samples that no "
               "script "
               "can\nload by name lie in an .npz beside it.",
         .example = "tilewright export mnist.tilewright --to json mnist.json --with-weights",
         .parameters =
             {word("PROJECT", "a .tilewright file or its JSON twin"), destination(word("OUT", "the file to write")), formOption,
              flag("--with-weights", "also write the weights, as .npz beside OUT"),
              option("--checkpoint", "FILE", "the weights of h5, keras, tfjs, npz or an executable, .npz (default: `last` of the project)"),
              integerOption("--batch", "N", 1, "samples of a batch of an executable (default: as `predict` of the project's data)"),
              option("--entries", "NAMES",
                     "entries of an executable over the same variables: predict, evaluate, train, initialise, weights_in, weights_out, "
                     "separated by commas (default: predict)"),
              integerOption("--iterations", "N", 1,
                            "micro-batches of one execution of predict and evaluate (default: 1, or as many as fill the pipeline)"),
              option("--output-names", "NAMES", "names of the outputs of predict, separated by commas (default: output layers)"),
              flag("--force", "replace OUT even if it is not an earlier export")},
         .run = exportProject},
        runCommand(),
    };
}

} // namespace tilewright::cli
