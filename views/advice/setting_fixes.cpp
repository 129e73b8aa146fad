#include "views/advice/setting_fixes.h"

#include "views/common/format.h"
#include "views/common/words.h"

#include "engine/config/option_value.h"
#include "engine/core/held_out.h"
#include "engine/runtime/proposals.h"

#include <QStringList>

namespace tilewright::views {

namespace {

/// What one field of a fix does, to stand alone.
QString actionText(project::Project const &project, QString const &path, QString const &value)
{
    auto const is = [&](char const *name) { return path == QLatin1String(name); };
    qint64 const number = value.toLongLong();
    if (is("training.gradient_accumulation_steps")) return Words::tr("Use %1 accumulation steps").arg(value);
    if (is("training.steps_per_execution")) return Words::tr("Use %Ln step(s) per execution", nullptr, pluralOf(number));
    if (is("training.batch_size")) return Words::tr("Use batch size %1").arg(value);
    if (is("data.limit")) {
        auto const kept = keptSamples(number, project::dataSource(project).validationSplit);
        return Words::tr("Train on %1 sample(s)", nullptr, pluralOf(kept)).arg(countText(kept));
    }
    if (is("training.replicas")) return number == 1 ? Words::tr("Use one replica") : Words::tr("Use %1 replicas").arg(value);
    if (is("training.device_mapping")) return Words::tr("Give each stage an IPU of its own");
    if (is("training.loss_weights")) return Words::tr("Weigh all outputs alike");
    if (is("system.target")) return Words::tr("Use %1").arg(value);
    if (is("ipu_config.auto_select_ipus"))
        return value == QLatin1String("[]") ? Words::tr("Let the system choose the IPUs")
                                            : Words::tr("Take %1 IPUs of the system").arg(value.mid(1, value.size() - 2));
    if (is("ipu_config.io_tiles.num_io_tiles")) return Words::tr("Reserve %1 IO tiles").arg(value);
    if (is("ipu_config.device_connection.version") && !value.isEmpty()) return Words::tr("Compile for %1").arg(value);
    auto const option = config::IpuConfig::metadata(path.toStdString());
    bool const resets = option && value == QString::fromStdString(config::toText(option->defaultValue));
    return resets ? Words::tr("Reset %1").arg(QString::fromStdString(option->path)) : Words::tr("Set %1 to %2").arg(path, value);
}

} // namespace

std::vector<SettingFix> settingFixes(project::Project const &project, Diagnostic const &problem, std::optional<std::int64_t> samples)
{
    std::vector<SettingFix> fixes;
    for (auto const &cure : runtime::cures(project, problem, samples)) {
        SettingFix fix;
        QStringList actions;
        for (auto const &[path, value] : cure.set) {
            fix.fields.emplace_back(QString::fromStdString(path), QString::fromStdString(value));
            actions << actionText(project, fix.fields.back().first, fix.fields.back().second);
        }
        fix.title = actions.join(QStringLiteral(" · "));
        fixes.push_back(std::move(fix));
    }
    return fixes;
}

} // namespace tilewright::views
