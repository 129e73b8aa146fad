// Exported executables: `export --to executable`, and `run`, which needs no project.
#include "engine/cli/executable_commands.h"

#include "engine/cli/compile_document.h"
#include "engine/cli/output.h"
#include "engine/cli/replaceable.h"
#include "engine/core/files.h"
#include "engine/core/text.h"
#include "engine/data/npy.h"
#include "engine/data/source.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/exported.h"
#include "engine/runtime/run_facts.h"
#include "engine/runtime/train_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::cli {

using namespace workspace;

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

Json feedsJson(std::vector<graph::FeedSpec> const &feeds)
{
    auto list = Json::array();
    for (auto const &feed : feeds) list.push_back({{"name", feed.name}, {"shape", feed.shape}, {"dtype", std::string(toText(feed.dtype))}});
    return list;
}

std::int64_t samplesPerExecution(executable::Executable const &exe, executable::Entry const &entry)
{
    return entry.movesState() ? 0 : entry.batchSize * exe.replicas * entry.stepsPerExecution;
}

/// "predict in batches of 32 samples, train in batches of 16 samples".
std::string entriesText(executable::Executable const &exe)
{
    std::vector<std::string> parts;
    for (auto const &entry : exe.entries)
        parts.push_back(entry.movesState() ? entry.name : entry.name + " in batches of " + groupedDigits(entry.batchSize) + " samples");
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
        auto const all = {RunKind::Predict,    RunKind::Evaluate,  RunKind::Train,
                          RunKind::Initialise, RunKind::WeightsIn, RunKind::WeightsOut};
        auto const it = std::ranges::find_if(all, [&](RunKind kind) { return compiler::toText(kind) == name; });
        if (it == all.end())
            return usageError(
                "export.entries", "--entries", Message::of("'%1' is no entry.", name),
                Message::of("Name one or more of predict, evaluate, train, initialise, weights_in, weights_out, separated by commas."));
        kinds.push_back(*it);
    }
    return kinds;
}

Status requirePlaceOfExport(fs::path const &path)
{
    return requireReplaceable(path, "former export to executable",
                              [](fs::path const &former) { return runtime::readExported(former).ok(); });
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
    if (name == "train" || (*entry)->movesState())
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

Result<runtime::RunRequest> requestOfRun(Context &context)
{
    runtime::RunRequest request;
    TW_ASSIGN(request.compile, compileRequest(context));
    request.mode = context.arguments.text("--mode") == "tile" ? runtime::Mode::Tile : runtime::Mode::Fused;
    request.threads = context.threads;
    return request;
}

/// Runs initialise, weights_in or weights_out. --out gets the resulting state, --save an executable that starts from it.
Result<int> moveState(Context &context, runtime::ExportedExecutable const &exported, std::string const &name)
{
    auto const &args = context.arguments;
    auto const missing = [](char const *option, Message remedy) {
        return usageError("cli.missing", option, Message::of("the option is missing."), std::move(remedy));
    };
    bool const reads = name == "weights_in";
    if (reads && !args.has("--input")) return missing("--input", Message::of("Give the weights by their names: --input FILE.npz."));
    if (!args.has("--out") && !args.has("--save"))
        return missing("--out",
                       Message::of("Give --out FILE.npz for the weights, or --save FILE for an executable that starts from them."));
    if (!reads && args.has("--input"))
        return usageError("cli.input", "--input", Message::of("the entry %1 has no feeds of the caller.", name),
                          Message::of("Leave it out."));
    std::optional<runtime::TrainingState> given;
    if (reads) { TW_ASSIGN(given, runtime::readCheckpoint(args.text("--input"), context.job)); }
    for (auto const *option : {"--out", "--save"}) {
        if (!args.has(option)) continue;
        TW_TRY(requireOtherFile(args.text("EXECUTABLE"), args.text(option)));
        if (reads) TW_TRY(requireOtherFile(args.text("--input"), args.text(option)));
    }
    if (args.has("--out")) TW_TRY(requirePlaceOfRun(exported.executable, name, args.text("--out"), args.has("--force")));
    if (args.has("--save") && !args.has("--force")) TW_TRY(requirePlaceOfExport(args.text("--save")));
    TW_ASSIGN(auto const request, requestOfRun(context));
    TW_ASSIGN(auto state, runtime::moveState(exported, name, given ? &*given : nullptr, request, args.text("--target"), context.job));
    auto document = exportedJson(exported.executable);
    document["entry"] = name;
    document["tensors"] = state.tensors.size();
    std::string text;
    auto const wrote = [&](char const *option, char const *key, char const *what) {
        document[key] = args.text(option);
        text += std::string("Wrote ") + what + " to " + args.text(option) + "\n";
    };
    if (args.has("--out")) {
        TW_TRY(runtime::writeCheckpoint(args.text("--out"), state, context.job));
        wrote("--out", "path", "the weights");
    }
    if (args.has("--save")) {
        auto saved = exported;
        saved.state = std::move(state);
        TW_TRY(runtime::writeExported(args.text("--save"), saved));
        wrote("--save", "executable", "an executable that starts from these weights");
    }
    if (context.output.json()) context.output.document(std::move(document));
    else if (!context.output.quiet()) context.output.text(text);
    return 0;
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
            rows.push_back({"entry",
                            entry.movesState()
                                ? entry.name
                                : entry.name + ", " + groupedDigits(samplesPerExecution(exe, entry)) + " samples per execution"});
        if (context.output.json()) context.output.document(std::move(document));
        else context.output.text(tableText({"Field", "Value"}, rows));
        return 0;
    }
    auto const name = args.has("--entry") ? args.text("--entry") : exe.find("predict") ? "predict" : exe.entries.front().name;
    if (executable::movesState(name) && exe.find(name)) return moveState(context, exported, name);
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
    if (args.has("--save"))
        return usageError("cli.save", "--save", Message::of("the entry %1 leaves the weights of the executable as they are.", name),
                          Message::of("Leave out --save, or run weights_in or initialise."));
    auto const samples = data::readNpz(args.text("--input"), context.job);
    if (!samples.ok()) {
        auto error = samples.error();
        error.remedy = Message::of("Give an .npz with an array for each input; `run --list` names the inputs.");
        return error;
    }
    TW_ASSIGN(auto const request, requestOfRun(context));
    TW_ASSIGN(auto const outcome, runtime::runExported(exported, name, *samples, request, args.text("--target"), context.job));
    return tellRun(context, exe, name, outcome);
}

} // namespace

Result<int> exportExecutable(Context &context, OpenProject const &open, fs::path const &out)
{
    if (!context.arguments.has("--force")) TW_TRY(requirePlaceOfExport(out));
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

Command runCommand()
{
    return {.name = "run",
            .group = "Running",
            .summary = "runs an entry of an exported executable without its project",
            .details =
                "`export --to executable` writes entries of a model with their weights. --input holds an array for each feed of the\n"
                "entry, by its name (`--list` prints them); for a single feed the name is free. Samples of the type of the project's\n"
                "own data are scaled as those. `predict` writes results, those of the command `predict`, bit for bit. `evaluate`\n"
                "prints loss and metrics. `train` passes once over the samples, in their order, and writes a checkpoint. `weights_out`\n"
                "writes the weights, `weights_in` takes those of --input, `initialise` restores the initial state; with --save, the\n"
                "result is an executable that starts from them. If target, version or feeds do not fit, the error names the field.",
            .example = "tilewright run mnist.twexe --input samples.npz --out results.npz",
            .parameters = {word("EXECUTABLE", "an exported executable"), option("--input", "FILE", "samples, .npz"),
                           destination(option(
                               "--out", "FILE",
                               "results, .npz: the array `predictions`, or one array per output name; a checkpoint of `train`, weights")),
                           destination(option("--save", "FILE", "an executable with the state after weights_in or initialise")),
                           option("--entry", "NAME", "the entry to run (default: predict, or the only one)"),
                           flag("--list", "print entries, feeds and target"),
                           option("--target", "NAME", "fail unless it was exported for this target"),
                           choiceOption("--mode", {"fused", "tile"}, "fused: host kernels (default); tile: the memories of the tiles"),
                           flag("--force", "replace the file of --out even if it does not hold predictions")},
            .run = runExecutable};
}

} // namespace tilewright::cli
