#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/workspace/project_store.h"
#include "engine/core/json_text.h"
#include "engine/core/text.h"
#include "engine/model/templates.h"

#include <nlohmann/json.hpp>

namespace tilewright::cli {

using namespace workspace;

using Json = nlohmann::ordered_json;

namespace {

Result<int> templates(Context &context)
{
    auto list = Json::array();
    std::vector<Definition> shown;
    for (auto const &t : model::modelTemplates()) {
        list.push_back({{"name", t.name}, {"title", t.title}, {"description", t.description}, {"ipus", t.ipus}, {"dataset", t.dataset}});
        shown.push_back(
            {.name = t.name, .what = t.title + (t.ipus > 1 ? " (" + std::to_string(t.ipus) + " IPUs)" : ""), .arguments = t.description});
    }
    if (context.output.json()) context.output.document(std::move(list));
    else context.output.text(definitionText(shown));
    return 0;
}

/// A field's text as the value it stands for: numbers, truth values, lists and objects as JSON, the rest as text.
Json fieldValue(std::string const &path, std::string const &text)
{
    // Free texts stay texts, whatever they look like.
    if (path == "title" || path == "system.target" || path == "data.path" || path == "data.validation_path" || path.ends_with(".name"))
        return text;
    auto parsed = orderedJsonOrDiscarded(text);
    return parsed.is_discarded() ? Json(text) : parsed;
}

Result<project::Project> assigned(project::Project project, std::vector<std::string> const &assignments, DiagnosticSink *sink)
{
    for (auto const &assignment : assignments) {
        TW_ASSIGN(auto const pair, parseAssignment(assignment));
        TW_ASSIGN(project, project::withField(project, pair.first, pair.second, sink));
    }
    return project;
}

Result<int> newProject(Context &context)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto project, project::fromTemplate(args.text("TEMPLATE")));
    auto assignments = args.list("--set");
    for (auto &more : args.list("PATH=VALUE")) assignments.push_back(more);
    TW_ASSIGN(project, assigned(std::move(project), assignments, context.job.warnings));
    TW_TRY(createProject(args.text("OUT"), project, args.has("--force")));
    if (context.output.json()) context.output.document({{"path", args.text("OUT")}});
    else if (!context.output.quiet()) context.output.text("Wrote " + args.text("OUT") + "\n");
    return 0;
}

Result<int> setFields(Context &context)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto open, openProject(args.text("PROJECT"), context.job.warnings));
    auto const assignments = args.list("PATH=VALUE");
    TW_ASSIGN(open.project, assigned(std::move(open.project), assignments, context.job.warnings));
    TW_TRY(saveProject(open));
    Json values = Json::object();
    std::string text;
    for (auto const &assignment : assignments) {
        auto const path = assignment.substr(0, assignment.find('='));
        // A renamed layer has no field under its old name any more.
        auto const now = project::field(open.project, path);
        values[path] = now.ok() ? fieldValue(path, *now) : Json(assignment.substr(path.size() + 1));
        text += path + " = " + (now.ok() ? *now : assignment.substr(path.size() + 1)) + "\n";
    }
    if (context.output.json())
        context.output.document(
            {{"path", args.text("PROJECT")}, {"value", values.size() == 1 ? values.begin().value() : values}, {"values", values}});
    else if (!context.output.quiet()) context.output.text(text);
    return 0;
}

Result<int> getField(Context &context)
{
    auto const &args = context.arguments;
    auto const path = args.text("PATH");
    TW_ASSIGN(auto const open, openProject(args.text("PROJECT"), context.job.warnings));
    TW_ASSIGN(auto const text, project::field(open.project, path));
    if (context.output.json()) context.output.document({{"path", path}, {"value", fieldValue(path, text)}});
    else context.output.text(text + "\n");
    return 0;
}

} // namespace

std::vector<Command> projectCommands()
{
    auto const project = word("PROJECT", "a .tilewright file or its JSON twin");
    return {
        {.name = "templates",
         .group = "Projects",
         .summary = "lists the built-in projects",
         .example = "tilewright templates",
         .run = templates},
        {.name = "new",
         .group = "Projects",
         .summary = "writes a project made from a template",
         .details = "If OUT ends in .json, the readable twin is written, else a .tilewright file.",
         .example = "tilewright new mnist-mlp mnist.tilewright --set training.epochs=5",
         .parameters = {word("TEMPLATE", "a name from `tilewright templates`"), destination(word("OUT", "the file to write")),
                        words("PATH=VALUE", "fields to set, as with --set", false),
                        repeatedOption("--set", "PATH=VALUE", "set a field of the project"), flag("--force", "replace an existing file")},
         .run = newProject},
        {.name = "set",
         .group = "Projects",
         .summary = "sets fields of a project",
         .details = "Fields: title, system.target, training.…, data.…, ipu_config.…, engine_options.…, model.layers.NAME.…\n"
                    "A whole part (training, data, system, ipu_config, engine_options, model) takes a JSON object.",
         .example = "tilewright set mnist.tilewright training.batch_size=64 system.target=pod4",
         .parameters = {project, words("PATH=VALUE", "fields and their new values", true)},
         .run = setFields},
        {.name = "get",
         .group = "Projects",
         .summary = "prints a field of a project, or all of it",
         .example = "tilewright get mnist.tilewright training.optimizer",
         .parameters = {project,
                        optionalWord("PATH", "a field, or a part such as training or ipu_config as JSON; without it the whole project")},
         .run = getField},
    };
}

} // namespace tilewright::cli
