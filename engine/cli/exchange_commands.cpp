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
#include "engine/core/text.h"
#include "engine/data/npy.h"
#include "engine/data/source.h"
#include "engine/interop/export.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/interop/import.h"
#include "engine/interop/onnx_export.h"
#include "engine/interop/onnx_file.h"
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

using OpenSizes = std::map<std::string, std::vector<std::int64_t>>;

/// `--size NAME=N[,M…]`: sizes for the open axes of an input.
Result<OpenSizes> openSizes(std::vector<std::string> const &given)
{
    OpenSizes sizes;
    for (auto const &text : given) {
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
        sizes[text.substr(0, equals)] = std::move(numbers);
    }
    return sizes;
}

/// Closes the axes that reading left open.
Status closeInputs(OpenSizes const &sizes, interop::Imported &imported)
{
    for (auto const &[input, numbers] : sizes)
        if (!imported.closedInputs.contains(input)) TW_TRY(model::closeInput(imported.project.model, input, numbers));
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
Result<interop::Imported> readImport(fs::path const &path, OpenSizes const &sizes, JobContext const &job, std::string &form)
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
    return interop::importModel(path, job, sizes);
}

Result<int> importFile(Context &context)
{
    auto const &args = context.arguments;
    fs::path const path = args.text("FILE"), out = args.text("OUT");
    std::string form;
    TW_ASSIGN(auto const sizes, openSizes(args.list("--size")));
    TW_ASSIGN(auto imported, readImport(path, sizes, context.job, form));
    TW_TRY(closeInputs(sizes, imported));
    TW_ASSIGN(auto const resolved, resolvedImport(imported.project.model));
    TW_ASSIGN(auto const weights, interop::importedWeights(std::move(imported.layers), imported.project, path.string(), context.job));
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

Result<int> exportHdf5(Context &context, OpenProject const &open, fs::path const &out);
Result<int> exportOnnx(Context &context, OpenProject const &open, fs::path const &out);

std::vector<ExportForm> const &exportForms()
{
    static std::vector<ExportForm> const all{
        {"json", [](OpenProject const &open) -> Result<std::string> { return twinText(open.project); }, isTwin},
        {"keras-json", [](OpenProject const &open) -> Result<std::string> { return model::printKerasJson(open.project.model) + "\n"; },
         isKerasJson},
        {"h5", {}, nullptr, exportHdf5},
        {"onnx", {}, nullptr, exportOnnx},
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
    auto const &args = context.arguments;
    if (!args.has("--force")) TW_TRY(requireReplaceable(out, "former export to " + form, isOurs));
    TW_ASSIGN(auto const weights,
              args.has("--checkpoint") ? runtime::readCheckpoint(args.text("--checkpoint"), context.job) : currentWeights(context, open));
    TW_ASSIGN(auto const image, imageOf(open.project, weights, context.job));
    TW_TRY(writeOutputFile(out, image));
    if (context.output.json()) context.output.document({{"path", out.string()}});
    else if (!context.output.quiet()) context.output.text("Wrote " + out.string() + "\n");
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
