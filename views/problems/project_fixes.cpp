#include "engine/config/options.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"
#include "engine/target/machine.h"

#include "views/problems/project_fixes.h"

#include "views/common/words.h"
#include "views/document/document.h"
#include "views/modeledit/model_edits.h"
#include "views/modeledit/problem_fixes.h"

#include <algorithm>
#include <bit>
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

Fixes fixSteps(Project const &project, Diagnostic const &)
{
    auto const &plan = project.training;
    auto const steps = roundUp(plan.stepsPerExecution, plan.gradientAccumulationSteps);
    return {{Words::tr("Set steps_per_execution to %1").arg(steps), setting("training.steps_per_execution", std::to_string(steps))}};
}

Fixes fixAccumulation(Project const &project, Diagnostic const &)
{
    auto const resolved = model::resolve(project.model);
    if (!resolved.ok()) return {};
    auto const depth = model::pipelineDepthMultiple(project.training.pipelineSchedule, resolved->stages(), true);
    auto const steps = roundUp(std::max<std::int64_t>(1, project.training.gradientAccumulationSteps), depth);
    auto const execution = roundUp(project.training.stepsPerExecution, steps);
    bool const both = execution != project.training.stepsPerExecution;
    QString const title = both ? Words::tr("Set gradient_accumulation_steps to %1 and steps_per_execution to %2").arg(steps).arg(execution)
                               : Words::tr("Set gradient_accumulation_steps to %1").arg(steps);
    return {{title, [steps, execution](Project &changed) -> Status {
                 changed.training.gradientAccumulationSteps = steps;
                 changed.training.stepsPerExecution = execution;
                 return {};
             }}};
}

Fixes fixLossCount(Project const &project, Diagnostic const &)
{
    if (project.training.losses.empty())
        return {{Words::tr("Set the loss to mean_squared_error"), setting("training.loss", "mean_squared_error")}};
    return {{Words::tr("Use %1 for all outputs").arg(text(project.training.losses.front().className)), [](Project &changed) -> Status {
                 changed.training.losses.resize(1, changed.training.losses.front());
                 return {};
             }}};
}

Fixes fixLossWeights(Project const &, Diagnostic const &)
{
    return {{Words::tr("Remove the loss weights"), [](Project &changed) -> Status {
                 changed.training.lossWeights.clear();
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
    return {{Words::tr("Give each layer a name of its own"), [](Project &changed) -> Status {
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

// ---- the configuration -------------------------------------------------------------------------------

Fixes fixConnectionVersion(Project const &project, Diagnostic const &problem)
{
    auto const machine = target::parseMachine(project.target);
    std::string const path = problem.subject;
    if (!machine.ok() || machine->chip.architecture.empty()) return {};
    auto const current = project::field(project, path);
    if (!current.ok() || !current->empty()) return {};
    std::string const version = machine->chip.architecture;
    return {{Words::tr("Set %1 to %2").arg(text(path), text(version)), setting(path, version)}};
}

Fixes fixMapping(Project const &, Diagnostic const &)
{
    return {{Words::tr("Give each stage an IPU of its own"), setting("training.device_mapping", "null")}};
}

Fixes fixIpuCount(Project const &project, Diagnostic const &problem)
{
    auto const machine = target::parseMachine(project.target);
    if (!machine.ok() || machine->ipus < 1 || problem.subject != "ipu_config.auto_select_ipus") return {};
    auto const most = std::bit_floor(static_cast<unsigned>(machine->ipus));
    return {{Words::tr("Set %1 to %2").arg(text(problem.subject), QString::number(most)), setting(problem.subject, std::to_string(most))}};
}

Fixes fixOption(Project const &project, Diagnostic const &problem)
{
    Fixes fixes;
    if (problem.subject.ends_with(".version")) fixes = fixConnectionVersion(project, problem);
    if (problem.subject.ends_with("auto_select_ipus")) fixes = fixIpuCount(project, problem);
    if (problem.code == "config.conflict" && problem.subject.ends_with("io_tiles.place_ops_on_io_tiles")) {
        constexpr char kCount[] = "ipu_config.io_tiles.num_io_tiles", kUsual[] = "32"; // what the guide of the option suggests
        fixes.push_back({Words::tr("Set %1 to %2").arg(QLatin1String(kCount), QLatin1String(kUsual)), setting(kCount, kUsual)});
    }
    if (problem.severity == Severity::Note) return fixes; // says what happens; nothing is wrong
    std::string const path = problem.subject;
    if (path.starts_with("ipu_config."))
        fixes.push_back({Words::tr("Reset %1 to its default").arg(text(path)),
                         [path](Project &changed) -> Status { return changed.config.reset(path); }});
    return fixes;
}

Finder finderOf(std::string const &code)
{
    static std::map<std::string, Finder> const kFinders{
        {"training.steps-per-execution", fixSteps}, {"training.accumulation", fixAccumulation}, {"training.loss-count", fixLossCount},
        {"training.loss-weights", fixLossWeights},  {"training.loss-shape", fixLossShape},      {"training.optimizer", fixOptimizer},
        {"training.no-weights", fixNoWeights},      {"model.duplicate-name", fixNames},         {"model.bad-name", fixNames},
        {"model.no-output", fixNoOutput},           {"model.bad-argument", fixArgument},        {"model.unsupported", fixArgument},
        {"training.device-mapping", fixMapping},    {"data.label-shape", fixLabelShape},        {"device.count", fixIpuCount}};
    if (auto const it = kFinders.find(code); it != kFinders.end()) return it->second;
    return code.starts_with("config.") ? fixOption : nullptr;
}

bool cures(Project const &project, Diagnostic const &problem, ProjectFix const &fix)
{
    Project changed = project;
    if (!fix.apply(changed).ok() || changed == project) return false;
    auto const left = projectProblems(changed);
    return std::none_of(left.begin(), left.end(), [&](Diagnostic const &d) {
        return d.code == problem.code && d.subject == problem.subject && d.message == problem.message;
    });
}

} // namespace

std::vector<ProjectFix> projectFixes(Project const &project, Diagnostic const &problem, StageProposer const &propose)
{
    auto fixes = modelFixes(project, problem, propose);
    if (auto const finder = finderOf(problem.code)) {
        auto const more = finder(project, problem);
        fixes.insert(fixes.end(), more.begin(), more.end());
    }
    std::erase_if(fixes, [&](ProjectFix const &fix) { return !cures(project, problem, fix); });
    return fixes;
}

} // namespace tilewright::views
