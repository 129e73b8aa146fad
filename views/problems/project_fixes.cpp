#include "views/problems/project_fixes.h"

#include "views/advice/rule_watch.h"
#include "views/advice/setting_fixes.h"
#include "views/common/words.h"
#include "views/document/document.h"
#include "views/modeledit/model_edits.h"
#include "views/modeledit/problem_fixes.h"

#include "engine/model/resolve.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::views {

namespace {

using project::Project;
using Fixes = std::vector<ProjectFix>;
using Finder = Fixes (*)(Project const &, Diagnostic const &);

QString text(std::string const &utf8) { return QString::fromStdString(utf8); }

/// Sets one field from text.
std::function<Status(Project &)> setting(std::string path, std::string value)
{
    return [path = std::move(path), value = std::move(value)](Project &project) -> Status {
        TW_ASSIGN(project, project::withField(project, path, value, nullptr));
        return {};
    };
}

/// Replaces the model by what a function of it gives.
std::function<Status(Project &)> editing(std::function<Result<ModelEdit>(model::Model const &)> edit)
{
    return [edit = std::move(edit)](Project &project) -> Status {
        TW_ASSIGN(auto changed, edit(project.model));
        project.model = std::move(changed.model);
        return {};
    };
}

/// The ways out that the canvas offers too, as far as they are edits.
Fixes modelFixes(Project const &project, Diagnostic const &problem, StageProposer const &propose)
{
    Fixes fixes;
    for (auto const &fix : fixesFor(project.model, problem, propose))
        if (fix.apply) fixes.push_back({fix.title, editing(fix.apply)});
    return fixes;
}

// ---- the plan ----------------------------------------------------------------------------------------

Fixes fixLossCount(Project const &project, Diagnostic const &)
{
    if (project.training.losses.empty())
        return {{Words::tr("Set the loss to mean_squared_error"), setting("training.loss", "mean_squared_error")}};
    return {{Words::tr("Use %1 for all outputs").arg(text(project.training.losses.front().className)), [](Project &changed) -> Status {
                 changed.training.losses.resize(1, changed.training.losses.front());
                 changed.training.lossOutputs.clear();
                 return {};
             }}};
}

Fixes fixLossShape(Project const &, Diagnostic const &)
{
    return {{Words::tr("Set the loss to binary_crossentropy"), setting("training.loss", "binary_crossentropy")}};
}

Fixes fixOptimizer(Project const &, Diagnostic const &)
{
    return {{Words::tr("Set the optimizer to sgd"), setting("training.optimizer", "sgd")}};
}

Fixes fixNoWeights(Project const &, Diagnostic const &)
{
    return {{Words::tr("Make all layers trainable"), [](Project &changed) -> Status {
                 for (auto &layer : changed.model.layers)
                     if (layer.config.is_object() && layer.config.contains("trainable")) layer.config["trainable"] = true;
                 return {};
             }}};
}

// ---- the model ---------------------------------------------------------------------------------------

Fixes fixNames(Project const &, Diagnostic const &)
{
    return {{Words::tr("Give each layer a unique name"), [](Project &changed) -> Status {
                 std::set<std::string> taken;
                 for (auto &layer : changed.model.layers) {
                     if (!layer.name.empty() && taken.insert(layer.name).second) continue;
                     layer.name = model::uniqueLayerName(changed.model, layer.className);
                     taken.insert(layer.name);
                 }
                 return {};
             }}};
}

Fixes fixNoOutput(Project const &project, Diagnostic const &)
{
    std::string const last = lastLayer(project.model);
    std::string const layer = !last.empty() ? last : project.model.layers.empty() ? std::string() : project.model.layers.back().name;
    if (layer.empty()) return {};
    return {{Words::tr("Mark %1 as output").arg(text(layer)),
             editing([layer](model::Model const &model) { return withOutput(model, layer, true); })}};
}

Fixes fixArgument(Project const &project, Diagnostic const &problem)
{
    std::string const argument = problem.message.arguments().empty() ? std::string() : problem.message.arguments().front().text();
    auto const *layer = project.model.find(problem.subject);
    if (argument.empty() || !layer || !layer->config.is_object() || !layer->config.contains(argument)) return {};
    return {{Words::tr("Reset %1 of %2 to its default").arg(text(argument), text(problem.subject)),
             [argument, name = problem.subject](Project &changed) -> Status {
                 if (auto *changedLayer = changed.model.find(name)) changedLayer->config.erase(argument);
                 return {};
             }}};
}

/// Predictions that kept the axes of an image: flattened before the last layer they are one per sample.
Fixes fixLabelShape(Project const &project, Diagnostic const &)
{
    auto const resolved = model::resolve(project.model);
    if (!resolved.ok() || resolved->outputs.size() != 1) return {};
    auto const &output = resolved->calls[resolved->outputs.front()];
    if (output.shape.size() < 3 || output.inputs.size() != 1) return {};
    std::string const last = resolved->layers[output.layer].layer.name;
    std::string const before = resolved->layerOf(output.inputs.front()).layer.name;
    return {{Words::tr("Insert Flatten before %1").arg(text(last)), editing([last, before](model::Model const &model) -> Result<ModelEdit> {
                 auto flatten = model::makeLayer("Flatten", model::uniqueLayerName(model, "Flatten"));
                 for (auto const &edge : edgesOf(model))
                     if (edge.from == before && edge.to == last) return insertOnEdge(model, std::move(flatten), edge);
                 // The input layer of a Sequential model may not be written out.
                 ModelEdit edit{model, {flatten.name}, {}};
                 auto const at = std::find_if(edit.model.layers.begin(), edit.model.layers.end(),
                                              [&](auto const &layer) { return layer.name == last; });
                 if (at == edit.model.layers.end() || model.kind != model::ModelKind::Sequential)
                     return makeError(ErrorKind::Invalid, "model.no-layer", last, Message::of("the layer is not there"));
                 if (at->config.contains("batch_input_shape")) {
                     flatten.config["batch_input_shape"] = at->config["batch_input_shape"];
                     at->config.erase("batch_input_shape");
                 }
                 edit.model.layers.insert(at, std::move(flatten));
                 return edit;
             })}};
}

Finder finderOf(std::string const &code)
{
    static std::map<std::string, Finder> const kFinders{{"training.loss-count", fixLossCount}, {"training.loss-shape", fixLossShape},
                                                        {"training.optimizer", fixOptimizer},  {"training.no-weights", fixNoWeights},
                                                        {"model.duplicate-name", fixNames},    {"model.bad-name", fixNames},
                                                        {"model.no-output", fixNoOutput},      {"model.bad-argument", fixArgument},
                                                        {"model.unsupported", fixArgument},    {"data.label-shape", fixLabelShape}};
    auto const it = kFinders.find(code);
    return it != kFinders.end() ? it->second : nullptr;
}

/// All problems of a project that a fix made of `before`, whose epoch has so many samples.
std::vector<Diagnostic> problemsOf(Project const &project, Project const &before, std::optional<std::int64_t> samples)
{
    auto problems = projectProblems(project);
    for (auto &found : ruleProblemsAfter(before, project, samples))
        if (std::ranges::find(problems, found) == problems.end()) problems.push_back(std::move(found));
    return problems;
}

/// With the fix this problem is gone, and no error has come. An error of the model hides those of the plan: they were there before.
bool cures(Project const &project, Diagnostic const &problem, ProjectFix const &fix, std::optional<std::int64_t> samples)
{
    Project changed = project;
    if (!fix.apply(changed).ok() || changed == project) return false;
    auto const before = problemsOf(project, project, samples);
    bool const resolved = model::resolve(project.model).ok();
    return std::ranges::none_of(problemsOf(changed, project, samples), [&](Diagnostic const &left) {
        bool const same = left.code == problem.code && left.subject == problem.subject && left.message == problem.message;
        bool const fresh = left.severity == Severity::Error && std::ranges::find(before, left) == before.end();
        return same || (fresh && resolved);
    });
}

} // namespace

std::vector<ProjectFix> projectFixes(Project const &project, Diagnostic const &problem, std::optional<std::int64_t> samples,
                                     StageProposer const &propose)
{
    auto fixes = modelFixes(project, problem, propose);
    if (auto const finder = finderOf(problem.code)) {
        auto const more = finder(project, problem);
        fixes.insert(fixes.end(), more.begin(), more.end());
    }
    for (auto &fix : fixes)
        fix.apply = [apply = std::move(fix.apply), samples](Project &changed) -> Status {
            auto const before = changed;
            TW_TRY(apply(changed));
            return completeEdit(changed, before, samples);
        };
    for (auto const &fix : settingFixes(project, problem, samples))
        fixes.push_back({fix.title, [fields = fix.fields](Project &changed) -> Status {
                             for (auto const &[path, value] : fields) {
                                 TW_ASSIGN(changed, project::withField(changed, path.toStdString(), value.toStdString(), nullptr));
                             }
                             return {};
                         }});
    std::erase_if(fixes, [&](ProjectFix const &fix) { return !cures(project, problem, fix, samples); });
    return fixes;
}

} // namespace tilewright::views
