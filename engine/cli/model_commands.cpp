#include "engine/cli/command.h"
#include "engine/cli/compile_document.h"
#include "engine/cli/output.h"
#include "engine/workspace/project_store.h"
#include "engine/core/ascii.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/model/outline.h"
#include "engine/model/stages.h"
#include "engine/model/summary.h"
#include "engine/runtime/stage_advice.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tilewright::cli {

using namespace workspace;

using Json = nlohmann::ordered_json;

namespace {

/// Extents with null where the batch is open, as Keras writes them.
Json shapeJson(Shape const &shape)
{
    if (shape.empty()) return nullptr; // not known
    auto list = Json::array();
    for (auto const extent : shape) list.push_back(extent < 0 ? Json() : Json(extent));
    return list;
}

Json limitsJson(std::vector<model::SummaryLimit> const &limits)
{
    auto list = Json::array();
    for (auto const &limit : limits) list.push_back({{"of", limit.of}, {"rule", limit.text}});
    return list;
}

Json stageJson(int stage) { return stage < 0 ? Json() : Json(stage); }

Result<int> summary(Context &context)
{
    TW_ASSIGN(auto const open, openProject(context.arguments.text("PROJECT"), context.job.warnings));
    model::ResolvedModel resolved;
    resolved.name = open.project.model.name;
    resolved.kind = open.project.model.kind;
    // Of a model without a layer everything is known, though nothing can be made of it.
    if (!open.project.model.layers.empty()) { TW_ASSIGN(resolved, model::resolveAround(open.project.model)); }
    auto const summary = model::summarize(resolved);
    if (!context.output.json()) {
        context.output.text(model::summaryText(summary));
        return 0;
    }
    Json j{{"name", summary.modelName}};
    j["layers"] = Json::array();
    for (auto const &row : summary.rows) {
        j["layers"].push_back({{"name", row.name},
                               {"type", row.type},
                               {"output_shape", shapeJson(row.outputShape)},
                               {"parameters", row.parameters},
                               {"stage", stageJson(row.stage)},
                               {"connected_to", row.connectedTo}});
        for (auto const &shape : row.furtherShapes) j["layers"].back()["further_output_shapes"].push_back(shapeJson(shape));
        if (row.placeholder) j["layers"].back()["placeholder"] = true;
        if (!row.within.empty()) j["layers"].back()["within"] = row.within;
        if (!row.penalties.empty()) j["layers"].back()["penalties"] = limitsJson(row.penalties);
        if (!row.constraints.empty()) j["layers"].back()["constraints"] = limitsJson(row.constraints);
    }
    for (auto const &row : summary.models)
        j["models"].push_back({{"name", row.name},
                               {"type", row.type},
                               {"within", row.within},
                               {"output_shape", shapeJson(row.outputShape)},
                               {"parameters", row.parameters}});
    j["total_parameters"] = summary.totalParameters;
    j["trainable_parameters"] = summary.trainableParameters;
    j["non_trainable_parameters"] = summary.totalParameters - summary.trainableParameters;
    context.output.document(std::move(j));
    return 0;
}

Json assignmentJson(std::vector<model::StageAssignment> const &rows)
{
    auto list = Json::array();
    for (auto const &row : rows)
        list.push_back(
            {{"name", row.layer}, {"type", row.className}, {"node", row.node}, {"inputs", row.inputs}, {"stage", stageJson(row.stage)}});
    return list;
}

Result<int> parseStage(std::string const &text)
{
    auto const stage = parseIntegerAs<int>(text);
    if (!stage || *stage < 0)
        return usageError("cli.argument", "STAGE", Message::of("'%1' is not the number of a stage.", text),
                          Message::of("Stages are numbers from 0."));
    return *stage;
}

/// "dense=0 dense_1=1", "0 0 1 1" (one per layer), or "none".
Result<model::Model> withGivenStages(model::Model model, std::vector<std::string> const &words)
{
    if (words.empty())
        return usageError("cli.missing", "STAGES", Message::of("no stages were given."),
                          Message::of("Write NAME=STAGE …, or one number per layer, or none."));
    if (words.size() == 1 && words[0] == "none") return model::withoutStages(model);
    if (words[0].find('=') == std::string::npos) {
        std::vector<int> stages;
        for (auto const &word : words) {
            TW_ASSIGN(int const stage, parseStage(word));
            stages.push_back(stage);
        }
        return model::withStages(model, stages);
    }
    for (auto const &word : words) {
        TW_ASSIGN(auto const pair, parseAssignment(word));
        TW_ASSIGN(int const stage, parseStage(pair.second));
        TW_ASSIGN(model, model::withLayerStage(model, pair.first, stage));
    }
    return model;
}

/// Tells what is wrong with stages that were written all the same: people set them one by one.
void warnOfStages(project::Project const &project, JobContext const &job)
{
    auto const resolved = model::resolve(project.model);
    auto const rule = project.training.isSharded() && resolved.ok() && resolved->stages() > 0 ? model::checkShards : model::checkStages;
    auto const status = resolved.ok() ? rule(*resolved) : Status();
    if (status.ok()) return;
    auto warning = status.error();
    warning.severity = Severity::Warning;
    job.warn(std::move(warning));
}

/// A mapping for another number of stages would refuse every compile; advice is for stages on IPUs of their own.
void dropOtherMapping(project::Project &project, bool always, JobContext const &job)
{
    auto const resolved = model::resolve(project.model);
    auto &mapping = project.training.deviceMapping;
    if (!resolved.ok() || mapping.empty() || (!always && mapping.size() == static_cast<std::size_t>(resolved->stages()))) return;
    job.warn(makeWarning("training.device-mapping", "training.device_mapping",
                         Message::of("it named IPUs for %1 stages, and is null now: each stage has an IPU of its own.", mapping.size()),
                         Message::of("Set it for the new stages.")));
    mapping.clear();
}

std::string rowsText(std::vector<model::StageAssignment> const &rows)
{
    std::vector<std::vector<std::string>> lines;
    for (auto const &row : rows) lines.push_back({row.layer, row.className, row.stage < 0 ? "-" : std::to_string(row.stage)});
    return tableText({"Layer", "Type", ">Stage"}, lines);
}

constexpr std::int64_t kAdviceSeconds = 5;

Result<runtime::StageAdvice> advise(Context &context, OpenProject const &open, std::vector<std::string> const &words)
{
    int wanted = 2;
    if (words.size() > 1)
        return usageError("cli.too-many", words[1], Message::of("`stages PROJECT advise` takes one number."),
                          Message::of("Give the number of stages."));
    if (!words.empty()) {
        auto const parsed = parseStage(words[0]);
        if (!parsed.ok() || *parsed < 1)
            return usageError("cli.argument", "STAGES", Message::of("'%1' is not a number of stages.", words[0]),
                              Message::of("Give how many there shall be, 2 or more."));
        wanted = *parsed;
    }
    TW_ASSIGN(auto request, compileRequest(context));
    TW_TRY(runtime::requestEntries(open.project, dataFolder(open), request, context.job));
    runtime::AdviceSearch search;
    search.seconds = static_cast<double>(context.arguments.integer("--budget", kAdviceSeconds));
    search.samples = runtime::samplesOf(open.project, dataFolder(open), context.job);
    search.progress = [&](int tried, int of) {
        context.output.progress("Compile " + std::to_string(tried + 1) + " of " + std::to_string(of), static_cast<double>(tried) / of,
                                "the cuts that should be fastest");
    };
    auto advice = runtime::adviseStages(open.project, wanted, request, search, context.job);
    context.output.clearProgress();
    return advice;
}

Json costJson(double forward, double backward, double update) { return {{"forward", forward}, {"backward", backward}, {"update", update}}; }

/// What `advise` says beside the stages.
void addAdvice(Json &document, runtime::StageAdvice const &advice)
{
    auto const &calls = advice.layers.costs.calls;
    for (std::size_t i = 0; i < calls.size(); ++i)
        document["layers"][i]["cost"] = costJson(calls[i].forward, calls[i].backward, calls[i].update);
    document["costs"] = {{"unit", model::toText(advice.layers.costs.unit)},
                         {"source", advice.layers.why.empty() ? "compiled" : "estimated"},
                         {"why", advice.layers.why}};
    document["stages"] = Json::array();
    for (auto const &stage : advice.costs) {
        auto one = costJson(stage.times.forward, stage.times.backward, stage.update);
        one["recompute"] = stage.times.recompute;
        one["cost"] = stage.times.all();
        one["bytes_to_next"] = stage.on;
        one["bytes_back"] = stage.back;
        one["parameters"] = stage.parameters;
        document["stages"].push_back(std::move(one));
    }
    document["exchange"] = model::exchangeOf(advice.layers.costs, advice.costs);
    document["imbalance"] = model::imbalance(advice.costs);
    document["micro_batches"] = advice.microBatches;
    document["expected_cycles_per_step"] = advice.layers.costs.unit == model::CostUnit::Cycles ? Json(advice.expected) : Json();
    document["settings"] = Json::object();
    for (auto const &[path, value] : advice.settings) document["settings"][path] = value;
    document["obstacle"] = advice.obstacle ? Json(toText(*advice.obstacle)) : Json();
    document["trial"] = advice.trial ? trialDocument(*advice.trial) : Json();
    document["tried"] = advice.tried;
    document["complete"] = advice.complete;
}

/// A word of a command line, quoted where a shell would take it apart.
std::string shellWord(std::string const &word)
{
    bool const plain =
        std::ranges::all_of(word, [](char c) { return isAsciiAlnum(c) || std::string_view("_-./:,=+").find(c) != std::string_view::npos; });
    return plain ? word : "'" + word + "'";
}

/// `written`: the stages and their settings are in the project.
std::string adviceText(runtime::StageAdvice const &advice, std::string const &project, bool cancelled, bool written)
{
    bool const cycles = advice.layers.costs.unit == model::CostUnit::Cycles;
    auto const whole = [](double value) { return groupedDigits(std::llround(value)); };
    double sum = 0;
    for (auto const &stage : advice.costs) sum += stage.times.all();
    std::vector<std::vector<std::string>> lines;
    for (std::size_t i = 0; i < advice.costs.size(); ++i) {
        auto const &stage = advice.costs[i];
        lines.push_back({std::to_string(i), whole(stage.times.forward), whole(stage.times.recompute + stage.times.backward),
                         whole(stage.update), sum > 0 ? fixedText(100 * stage.times.all() / sum, 1) + " %" : "-",
                         groupedDigits(stage.parameters)});
    }
    std::string text = "\n" + tableText({"Stage", ">Forward", ">Backward", ">Update", ">Share", ">Parameters"}, lines);
    text += cycles ? "Forward and Backward are cycles per micro-batch, Update cycles per weight update; from a compile for one IPU.\n"
                   : "Costs are multiply-adds per sample, not cycles: " + advice.layers.why + "\n";
    text += "The largest stage is " + fixedText(model::imbalance(advice.costs), 2) + " times the mean.\n";
    if (!cycles) return text;
    text += advice.trial ? "Compiled: " : "Expected: ";
    text += whole(advice.expected) + " cycles per step with " + std::to_string(advice.microBatches) + " micro-batches per update";
    if (advice.trial)
        text += ", the best of " + std::to_string(advice.tried) + (advice.tried == 1 ? " cut" : " cuts") + " that were compiled; "
            + outcomeText(*advice.trial);
    text += advice.complete ? ".\n"
        : cancelled         ? "; not all were compiled.\n"
                            : "; the time was over before all were compiled (--budget).\n";
    if (!advice.settings.empty()) {
        bool const fits = !advice.trial || advice.trial->fits;
        text += (written               ? "Written with the stages to "
                     : !fits           ? "These stages do not fit; to look at them: tilewright set "
                     : advice.obstacle ? "These stages need: tilewright set "
                                       : "These stages run with: tilewright set ")
            + shellWord(project) + (written ? ":" : "");
        for (auto const &[path, value] : advice.settings) text += " " + shellWord(path + "=" + value);
        text += "\n";
    }
    if (advice.obstacle)
        text += "They do not run yet: " + advice.obstacle->message + (advice.obstacle->message.ends_with('.') ? " " : ". ")
            + advice.obstacle->remedy + "\n";
    return text;
}

Result<int> stages(Context &context)
{
    auto const &args = context.arguments;
    auto const action = args.text("ACTION");
    auto const words = args.list("STAGES");
    TW_ASSIGN(auto open, openProject(args.text("PROJECT"), context.job.warnings));
    bool write = action == "set";
    std::optional<runtime::StageAdvice> advice;
    if (action == "set") {
        TW_ASSIGN(open.project.model, withGivenStages(open.project.model, words));
    } else if (action == "advise") {
        TW_ASSIGN(advice, advise(context, open, words));
        TW_ASSIGN(open.project.model, model::withStages(open.project.model, advice->stages));
        write = args.has("--apply") && !context.job.cancelled();
        // Stages without the accumulation and batch that fill the pipeline would not train.
        if (write)
            for (auto const &[path, value] : advice->settings) {
                TW_ASSIGN(open.project, project::withField(open.project, path, value, context.job.warnings));
            }
    } else if (!words.empty()) {
        return usageError("cli.too-many", words[0], Message::of("`stages PROJECT %1` takes nothing more.", action),
                          Message::of("Did you mean set or advise?"));
    }
    if (write) {
        dropOtherMapping(open.project, advice.has_value(), context.job);
        warnOfStages(open.project, context.job);
        TW_TRY(saveProject(open));
    }
    TW_ASSIGN(auto const rows, model::stageAssignment(open.project.model));
    if (context.output.json() || advice) {
        Json document{{"layers", assignmentJson(rows)}, {"written", write}};
        if (advice) addAdvice(document, *advice);
        auto const text = advice && !context.output.json()
            ? rowsText(rows) + adviceText(*advice, args.text("PROJECT"), context.job.cancelled(), write)
            : std::string();
        // What was found until it was cancelled is told.
        if (advice && context.job.cancelled()) return context.output.fail(cancelledError("stages"), std::move(document), text);
        if (context.output.json()) context.output.document(std::move(document));
        else context.output.text(text);
    } else if (action == "print") {
        TW_ASSIGN(auto const text, model::stageSummary(open.project.model));
        context.output.text(text);
    } else {
        context.output.text(rowsText(rows));
    }
    return 0;
}

} // namespace

std::vector<Command> modelCommands()
{
    auto const project = word("PROJECT", "a .tilewright file or its JSON twin");
    return {
        {.name = "summary",
         .group = "Projects",
         .summary = "prints the model's layers, shapes and parameters",
         .example = "tilewright summary mnist.tilewright",
         .parameters = {project},
         .run = summary},
        {.name = "stages",
         .group = "Projects",
         .summary = "shows, sets or proposes pipeline stages",
         .details = "set takes NAME=STAGE …, one number per layer, or `none`. advise takes the number of stages. It compiles the\n"
                    "project for one IPU to get the cycles of its layers, compiles the most promising cuts as pipelines, and shows\n"
                    "the fastest one that fits. If the project cannot be compiled, it counts multiply-adds instead and says so.",
         .example = "tilewright stages mnist.tilewright set dense=0 dense_1=0 dense_2=1",
         .parameters =
             {project,
              {.name = "ACTION", .value = {}, .help = "the action", .required = true, .choices = {"get", "set", "print", "advise"}},
              words("STAGES", "for set: NAME=STAGE …, or none; for advise: the number of stages", false),
              flag("--apply", "with advise: write the stages into the project, and the settings that they need"),
              integerOption("--budget", "SECONDS", 0,
                            "with advise: start no compile of a cut after this time (default 5; 0: compile none)")},
         .run = stages},
    };
}

} // namespace tilewright::cli
