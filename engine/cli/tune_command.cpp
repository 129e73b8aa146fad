#include "engine/cli/command.h"
#include "engine/cli/compile_document.h"
#include "engine/cli/output.h"
#include "engine/workspace/project_store.h"
#include "engine/core/ascii.h"
#include "engine/core/json_text.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/runtime/tuning.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tilewright::cli {

using namespace workspace;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kSeconds = 60;
constexpr std::size_t kRows = 20; ///< of the table; JSON has all

/// "PATH=A,B,C", or "PATH=[…]" for values that contain commas.
Result<runtime::TuneField> parseField(std::string const &text, project::Project const &project)
{
    TW_ASSIGN(auto const pair, parseAssignment(text));
    auto const &[path, list] = pair;
    runtime::TuneField field{path, {}};
    if (list.starts_with('[')) {
        auto const values = orderedJsonOrDiscarded(list);
        if (!values.is_array())
            return usageError("cli.values", text, Message::of("the values start with '[' but are not a JSON list."),
                              Message::of("Write for example 'system.target=[\"gc200:tiles=64,ipus=2\", \"pod4\"]'."));
        for (auto const &value : values) field.values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    } else {
        for (std::size_t from = 0; from <= list.size();) {
            auto const to = std::min(list.find(',', from), list.size());
            if (to > from) field.values.push_back(list.substr(from, to - from));
            from = to + 1;
        }
    }
    if (field.values.empty())
        return usageError("cli.values", text, Message::of("there are no values to try."), Message::of("Write them as PATH=A,B,C."));
    // An entry of a dictionary that is not set yet cannot be read, only set.
    auto const present = project::field(project, path);
    bool const canBeSet = std::ranges::any_of(
        field.values, [&, &name = path](std::string const &value) { return project::withField(project, name, value, nullptr).ok(); });
    if (!present.ok() && !canBeSet) return present.error();
    return field;
}

/// A word for a shell, in quotes if necessary.
std::string quoted(std::string const &word)
{
    auto const plain = [](char c) { return isAsciiAlnum(c) || std::string_view("_-./:=,@%+").find(c) != std::string_view::npos; };
    if (!word.empty() && std::ranges::all_of(word, plain)) return word;
    std::string text = "'";
    for (char const c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

Json tuningDocument(runtime::Tuning const &tuning)
{
    Json document;
    document["trials"] = Json::array();
    for (auto const &trial : tuning.trials) {
        auto one = trialDocument(trial);
        one["changes_results"] = runtime::changesResults(trial.proposal);
        document["trials"].push_back(std::move(one));
    }
    document["refused"] = Json::array();
    for (auto const &refused : tuning.refused) {
        Json one;
        one["set"] = Json::object();
        for (auto const &[path, value] : refused.wish.set) one["set"][path] = value;
        one["error"] = toJson(refused.reason);
        document["refused"].push_back(std::move(one));
    }
    document["tried"] = tuning.tried;
    document["without_effect"] = tuning.withoutEffect;
    document["complete"] = tuning.complete;
    document["in_time"] = tuning.inTime;
    return document;
}

/// The fields without their common prefixes.
std::string shortText(runtime::Proposal const &proposal)
{
    runtime::Proposal shown = proposal;
    for (auto &[path, value] : shown.set)
        for (std::string_view const part : {"training.", "ipu_config.", "model.layers."})
            if (path.starts_with(part)) path.erase(0, part.size());
    return toText(shown);
}

/// Fields of a compiled trial that differ from the file: those of the command line and those of the trial.
runtime::Proposal fromTheFile(runtime::Proposal const &given, runtime::Proposal const &proposal)
{
    runtime::Proposal all;
    for (auto const &field : given.set)
        if (std::ranges::none_of(proposal.set, [&](auto const &own) { return own.first == field.first; })) all.set.push_back(field);
    all.set.insert(all.set.end(), proposal.set.begin(), proposal.set.end());
    return all;
}

std::string setText(std::string const &project, runtime::Proposal const &proposal)
{
    std::string text = "tilewright set " + quoted(project);
    for (auto const &[path, value] : proposal.set) text += " " + quoted(path + "=" + value);
    return text + "\n";
}

/// `given`: fields that the command line set for all trials. `reasons`: also list the reasons of refused combinations.
std::string tuningText(runtime::Tuning const &tuning, std::string const &project, runtime::Proposal const &given, bool reasons)
{
    auto const now = std::ranges::find_if(tuning.trials, [](auto const &trial) { return trial.proposal.set.empty(); });
    std::vector<std::vector<std::string>> rows;
    bool changes = false;
    for (auto const &trial : tuning.trials) {
        if (rows.size() == kRows) break;
        bool const other = runtime::changesResults(trial.proposal);
        changes = changes || other;
        auto const factor = now->samplesPerSecond > 0 ? fixedText(trial.samplesPerSecond / now->samplesPerSecond, 2) : std::string("-");
        rows.push_back({outcomeText(trial), groupedDigits(static_cast<std::int64_t>(std::llround(trial.samplesPerSecond))), factor,
                        trial.proposal.set.empty() ? "as it is" : shortText(trial.proposal) + (other ? " *" : "")});
    }
    auto text = tableText({"worst tile", ">samples/s", ">speed-up", "changes"}, rows);
    if (tuning.trials.size() > rows.size())
        text += "… and " + std::to_string(tuning.trials.size() - rows.size()) + " more (--json has them all)\n";
    if (changes) text += "* changes the results: another batch size, number of updates or element type\n";
    text += std::to_string(tuning.tried) + (tuning.tried == 1 ? " compile" : " compiles") + ", samples per second modelled";
    if (tuning.withoutEffect > 0) text += "; " + std::to_string(tuning.withoutEffect) + " with the result of another one are not shown";
    if (!tuning.refused.empty()) text += "; " + std::to_string(tuning.refused.size()) + " refused";
    text += tuning.inTime ? "\n" : "; the time was up before all trials were made (--budget)\n";
    constexpr std::size_t kReasons = 5;
    for (std::size_t i = 0; reasons && i < std::min(kReasons, tuning.refused.size()); ++i)
        text += "refused: " + shortText(tuning.refused[i].wish) + ": " + toText(tuning.refused[i].reason) + "\n";
    auto const &best = tuning.trials.front();
    auto const toSet = fromTheFile(given, best.proposal);
    if (!best.fits || toSet.set.empty()) return text;
    text += "Fastest: " + setText(project, toSet);
    auto const alike = std::ranges::find_if(tuning.trials, [](auto const &trial) { return !runtime::changesResults(trial.proposal); });
    if (alike != tuning.trials.begin() && alike != tuning.trials.end() && alike->fits && !alike->proposal.set.empty())
        text += "Fastest with unchanged results: " + setText(project, fromTheFile(given, alike->proposal));
    return text;
}

Result<int> tuneProject(Context &context)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto const open, openProject(args.text("PROJECT"), args.text("--target"), context.job.warnings));
    TW_ASSIGN(auto request, compileRequest(context));
    TW_TRY(runtime::requestEntries(open.project, dataFolder(open), request, context.job));
    runtime::Proposal given;
    if (args.has("--target")) {
        TW_ASSIGN(auto const stored, openProject(args.text("PROJECT"), nullptr));
        if (stored.project.target != open.project.target) given.set.emplace_back("system.target", open.project.target);
    }
    runtime::TuneRequest tuning;
    double combinations = 1;
    for (auto const &text : args.list("--set")) {
        TW_ASSIGN(auto field, parseField(text, open.project));
        if (std::ranges::find(tuning.fields, field.path, &runtime::TuneField::path) != tuning.fields.end())
            return usageError("cli.values", text, Message::of("this field is given twice."),
                              Message::of("Write all of its values in one --set."));
        combinations *= static_cast<double>(field.values.size());
        tuning.fields.push_back(std::move(field));
    }
    tuning.seconds = static_cast<double>(args.integer("--budget", kSeconds));
    tuning.samples = runtime::samplesOf(open.project, dataFolder(open), context.job);
    auto const start = std::chrono::steady_clock::now();
    tuning.progress = [&](int tried, runtime::Trial const *best) {
        double const elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        double const done = tuning.fields.empty() ? 0 : tried / (combinations + 1);
        auto const note = best ? "best " + groupedDigits(static_cast<std::int64_t>(best->samplesPerSecond)) + " samples/s"
                               : std::string("nothing fits yet");
        context.output.progress("Compile " + std::to_string(tried + 1), std::min(0.99, std::max(done, elapsed / tuning.seconds)), note);
    };
    auto const found = runtime::tune(open.project, request, tuning, context.job);
    context.output.clearProgress();
    if (!found.ok()) return found.error();
    auto document = tuningDocument(*found);
    document["given"] = Json::object(); // every trial has these too
    for (auto const &[path, value] : given.set) document["given"][path] = value;
    auto const text = context.output.json() ? std::string() : tuningText(*found, args.text("PROJECT"), given, !tuning.fields.empty());
    if (context.job.cancelled()) return context.output.fail(cancelledError("tune"), std::move(document), text);
    if (!tuning.fields.empty() && found->trials.size() == 1 && !found->refused.empty())
        return context.output.fail(found->refused.front().reason, std::move(document), text);
    if (!found->trials.front().fits)
        return context.output.fail(makeError(ErrorKind::DoesNotFit, "memory.nothing-fits", args.text("PROJECT"),
                                             Message::of("no tried combination fits"),
                                             Message::of("Try more tiles or IPUs, a smaller batch or more stages: --set system.target=…")),
                                   std::move(document), text);
    if (context.output.json()) context.output.document(std::move(document));
    else context.output.text(text);
    return 0;
}

} // namespace

std::vector<Command> tuneCommands()
{
    return {{.name = "tune",
             .group = "Running",
             .summary = "compiles the project with other settings and ranks them by memory and speed",
             .details = "Without --set, tries in turn: pipeline stages and replicas (if the target has several IPUs), schedule and\n"
                        "recomputation of a pipeline, its activations in streaming memory, checkpoints along the time of recurrent\n"
                        "layers, gradient accumulation, partial sums, the share of memory for products, and the batch size. Each trial\n"
                        "starts from the best settings so far.\n"
                        "With --set, tries all combinations of the given values. Steps per execution, gradient accumulation and\n"
                        "data.limit are adapted if the rules of training require it. Refused combinations are listed with the reason.\n"
                        "Does not change the project. Exit code 4 if nothing fits; if every combination is refused, the exit code of the\n"
                        "first reason.",
             .example = "tilewright tune mnist.tilewright --set training.batch_size=16,32,64 --set system.target=gc200,bow",
             .parameters = {word("PROJECT", "a .tilewright file or its JSON twin"), targetOption(),
                            integerOption("--budget", "SECONDS", 1, "start no compile after this time (default 60)"),
                            repeatedOption("--set", "PATH=A,B,C", "values to try; as a JSON list if a value contains commas")},
             .run = tuneProject}};
}

} // namespace tilewright::cli
