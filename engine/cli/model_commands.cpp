#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/cli/project_store.h"
#include "engine/core/text.h"
#include "engine/model/stages.h"
#include "engine/model/summary.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

namespace {

/// Extents with null where the batch is open, as Keras writes them.
Json shapeJson(Shape const &shape)
{
    auto list = Json::array();
    for (auto const extent : shape) list.push_back(extent < 0 ? Json() : Json(extent));
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
    if (!open.project.model.layers.empty()) {
        TW_ASSIGN(resolved, model::resolve(open.project.model));
    }
    auto const summary = model::summarize(resolved);
    if (!context.output.json()) {
        context.output.text(model::summaryText(summary));
        return 0;
    }
    Json j{{"name", summary.modelName}};
    j["layers"] = Json::array();
    for (auto const &row : summary.rows) {
        j["layers"].push_back({{"name", row.name}, {"type", row.type}, {"output_shape", shapeJson(row.outputShape)},
                               {"parameters", row.parameters}, {"stage", stageJson(row.stage)}, {"connected_to", row.connectedTo}});
        for (auto const &shape : row.furtherShapes) j["layers"].back()["further_output_shapes"].push_back(shapeJson(shape));
        if (!row.within.empty()) j["layers"].back()["within"] = row.within;
    }
    for (auto const &row : summary.models)
        j["models"].push_back({{"name", row.name}, {"type", row.type}, {"within", row.within}, {"output_shape", shapeJson(row.outputShape)}, {"parameters", row.parameters}});
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
        list.push_back({{"name", row.layer}, {"type", row.className}, {"node", row.node}, {"inputs", row.inputs}, {"stage", stageJson(row.stage)}});
    return list;
}

Result<int> parseStage(std::string const &text)
{
    int stage = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), stage);
    if (problem != std::errc() || end != text.data() + text.size() || stage < 0)
        return usageError("cli.argument", "STAGE", "'" + text + "' is no stage.", "Stages are numbers from 0.");
    return stage;
}

/// "dense=0 dense_1=1", "0 0 1 1" (one per layer), or "none".
Result<model::Model> withGivenStages(model::Model model, std::vector<std::string> const &words)
{
    if (words.empty())
        return usageError("cli.missing", "STAGES", "no stages were given.", "Write NAME=STAGE …, or one number per layer, or none.");
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
void warnOfStages(model::Model const &model, JobContext const &job)
{
    auto const resolved = model::resolve(model);
    auto const status = resolved.ok() ? model::checkStages(*resolved) : Status();
    if (status.ok()) return;
    auto warning = status.error();
    warning.severity = Severity::Warning;
    job.warn(std::move(warning));
}

Result<int> stages(Context &context)
{
    auto const &args = context.arguments;
    auto const action = args.text("ACTION");
    auto const words = args.list("STAGES");
    TW_ASSIGN(auto open, openProject(args.text("PROJECT"), context.job.warnings));
    bool write = action == "set";
    if (action == "set") {
        TW_ASSIGN(open.project.model, withGivenStages(open.project.model, words));
    } else if (action == "advise") {
        int wanted = 2;
        if (!words.empty()) {
            TW_ASSIGN(wanted, parseStage(words[0]));
        }
        TW_ASSIGN(auto const resolved, model::resolve(open.project.model));
        TW_ASSIGN(auto const advised, model::adviseStages(resolved, wanted));
        TW_ASSIGN(open.project.model, model::withStages(open.project.model, advised));
        write = args.has("--apply");
    } else if (!words.empty()) {
        return usageError("cli.too-many", words[0], "`stages PROJECT " + action + "` takes nothing more.", "Did you mean set or advise?");
    }
    if (write) {
        warnOfStages(open.project.model, context.job);
        TW_TRY(saveProject(open));
    }
    TW_ASSIGN(auto const rows, model::stageAssignment(open.project.model));
    if (context.output.json()) {
        context.output.document({{"layers", assignmentJson(rows)}, {"written", write}});
    } else if (action == "print") {
        TW_ASSIGN(auto const text, model::stageSummary(open.project.model));
        context.output.text(text);
    } else {
        std::vector<std::vector<std::string>> lines;
        for (auto const &row : rows)
            lines.push_back({row.layer, row.className, row.stage < 0 ? "-" : std::to_string(row.stage)});
        context.output.text(tableText({"Layer", "Type", ">Stage"}, lines));
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
         .summary = "shows, sets or suggests pipeline stages",
         .details = "set takes NAME=STAGE …, one number per layer, or `none`; advise takes the number of stages.",
         .example = "tilewright stages mnist.tilewright set dense=0 dense_1=0 dense_2=1",
         .parameters = {project, {.name = "ACTION", .value = {}, .help = "what to do", .required = true, .choices = {"get", "set", "print", "advise"}},
                        words("STAGES", "of set and advise", false), flag("--apply", "of advise: write the stages into the project")},
         .run = stages},
    };
}

} // namespace tilewright::cli
