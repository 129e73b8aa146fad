#include "views/advice/setting_fixes.h"

#include "views/common/format.h"

#include "views/advice/system_layout.h"
#include "views/common/words.h"

#include "engine/config/option_value.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"

#include <algorithm>

namespace tilewright::views {

namespace {

SettingFix setting(QString const &title, QString const &path, std::int64_t value) { return {title, {{path, QString::number(value)}}}; }

std::vector<SettingFix> accumulationFixes(project::Project const &project)
{
    auto const resolved = model::resolve(project.model);
    if (!resolved.ok()) return {};
    auto const &plan = project.training;
    auto const depth = model::pipelineDepthMultiple(plan.pipelineSchedule, resolved->stages(), true);
    auto const steps = roundUp(std::max<std::int64_t>(plan.gradientAccumulationSteps, depth), depth);
    // What is executed at once has to be a multiple too, or the next problem stands there at once.
    auto const executed = roundUp(std::max(plan.stepsPerExecution, steps), steps);
    return {{Words::tr("Use %1 accumulation steps").arg(steps),
             {{QStringLiteral("training.gradient_accumulation_steps"), QString::number(steps)},
              {QStringLiteral("training.steps_per_execution"), QString::number(executed)}}}};
}

std::vector<SettingFix> executionFixes(project::Project const &project)
{
    auto const &plan = project.training;
    // Whole weight updates already: then it is the data that it does not divide, and they are not known here.
    if (plan.stepsPerExecution % std::max<std::int64_t>(1, plan.gradientAccumulationSteps) == 0) return {};
    auto const steps = roundUp(std::max<std::int64_t>(plan.stepsPerExecution, 1), plan.gradientAccumulationSteps);
    return {setting(Words::tr("Use %Ln step(s) per execution", nullptr, pluralOf(steps)), QStringLiteral("training.steps_per_execution"),
                    steps)};
}

std::vector<SettingFix> systemFixes(project::Project const &project)
{
    std::vector<SettingFix> fixes;
    auto const layout = systemLayout(project);
    int const needed = layout.ipusPerReplica * static_cast<int>(std::max<std::int64_t>(1, project.training.replicas));
    // What the configuration takes of the system has to be enough as well.
    auto const &selected = project.config.list("auto_select_ipus");
    std::vector<std::pair<QString, QString>> select;
    if (!selected.empty() && selected.front() != needed)
        select.emplace_back(QStringLiteral("ipu_config.auto_select_ipus"), QStringLiteral("[%1]").arg(needed));
    auto const target = parseTarget(QString::fromStdString(project.target));
    auto const system = target::parseMachine(project.target);
    if (system.ok() && system->ipus >= needed && !select.empty())
        fixes.push_back({Words::tr("Take %1 IPUs of the system").arg(needed), select});
    for (auto const &info : target::builtinMachines()) { // a system as it is sold, of the same chip
        auto const machine = target::parseMachine(target.machine.toStdString());
        if (machine.ok() && info.machine.chip == machine->chip && info.machine.ipus >= needed && info.machine.isEmulated()) {
            TargetText larger{QString::fromStdString(info.name), info.machine.ipus == needed ? 0 : needed, target.tiles, target.model};
            auto fields = select;
            fields.emplace_back(QStringLiteral("system.target"), toText(larger));
            if (!system.ok() || system->ipus < needed) fixes.push_back({Words::tr("Use %1").arg(toText(larger)), fields});
            break;
        }
    }
    // Of no use where even one replica has too few.
    if (project.training.replicas > 1 && layout.machine && layout.machine->ipus >= layout.ipusPerReplica)
        fixes.push_back(setting(Words::tr("Use one replica"), QStringLiteral("training.replicas"), 1));
    return fixes;
}

} // namespace

std::vector<SettingFix> settingFixes(project::Project const &project, Diagnostic const &problem)
{
    constexpr std::string_view kConfig = "ipu_config.";
    auto const &code = problem.code;
    if (code == "training.accumulation") return accumulationFixes(project);
    if (code == "training.steps-per-execution") return executionFixes(project);
    if (code == "training.loss-weights")
        return {{Words::tr("Weigh all outputs alike"), {{QStringLiteral("training.loss_weights"), QStringLiteral("null")}}}};
    if (code == "runtime.too-few-ipus") return systemFixes(project);
    if (code == "device.count") {
        auto fixes = systemFixes(project);
        fixes.push_back(
            {Words::tr("Let the system choose the IPUs"), {{QStringLiteral("ipu_config.auto_select_ipus"), QStringLiteral("[]")}}});
        return fixes;
    }
    if (!problem.subject.starts_with(kConfig)) return {};
    QString const path = QString::fromStdString(problem.subject);
    std::vector<SettingFix> fixes;
    bool const conflict = problem.code == "config.conflict";
    if (conflict && path == QStringLiteral("ipu_config.io_tiles.place_ops_on_io_tiles"))
        fixes.push_back(setting(Words::tr("Reserve 32 IO tiles"), QStringLiteral("ipu_config.io_tiles.num_io_tiles"), 32));
    if (conflict && path == QStringLiteral("ipu_config.device_connection.version")
        && project.config.text("device_connection.version").empty()) {
        auto const machine = target::parseMachine(project.target);
        QString const version = machine.ok() ? QString::fromStdString(machine->chip.architecture) : QStringLiteral("ipu2");
        fixes.push_back({Words::tr("Compile for %1").arg(version), {{path, version}}});
    }
    if (auto const *option = config::IpuConfig::metadata(problem.subject); option && !project.config.isDefault(option->path)) {
        QString const text = QString::fromStdString(config::toText(option->defaultValue));
        fixes.push_back({Words::tr("Reset %1").arg(QString::fromStdString(option->path)), {{path, text}}});
    }
    return fixes;
}

} // namespace tilewright::views
