#include "views/config/config_specs.h"

#include "views/advice/system_layout.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/diagnostics/registry_text.h"

#include <algorithm>

namespace tilewright::views {

namespace {

/// A field that is one part of the target's name.
PropertySpec targetPart(QString const &key, QString const &label, EditorKind kind, std::function<QString(TargetText const &)> const &get,
                        std::function<void(TargetText &, QString const &)> const &set)
{
    PropertySpec spec;
    spec.path = key;
    spec.label = label;
    spec.kind = kind;
    spec.read = [get](project::Project const &project) -> Result<std::string> {
        return get(parseTarget(QString::fromStdString(project.target))).toStdString();
    };
    spec.write = [set](project::Project &project, std::string const &text) -> Status {
        auto target = parseTarget(QString::fromStdString(project.target));
        set(target, QString::fromStdString(text));
        TW_ASSIGN(project, project::withField(project, "system.target", toText(target).toStdString(), nullptr));
        return {};
    };
    return spec;
}

/// "tiles=x" is not a number: put the text itself into the target's name, and the engine rejects it.
Status setNumber(project::Project &project, QString const &key, std::string const &text, int own, int TargetText::*member)
{
    auto target = parseTarget(QString::fromStdString(project.target));
    bool good = false;
    int const value = QString::fromStdString(text).toInt(&good);
    if (!good || value < 1) {
        std::string const name = target.machine.toStdString() + ":" + key.toStdString() + "=" + text;
        auto const refused = target::parseMachine(name);
        if (!refused.ok()) return refused.error();
    }
    target.*member = value == own ? 0 : value;
    TW_ASSIGN(project, project::withField(project, "system.target", toText(target).toStdString(), nullptr));
    return {};
}

PropertySpec regrouped(PropertySpec spec, QString const &group, QString const &label = {})
{
    spec.group = group;
    if (!label.isEmpty()) spec.label = label;
    return spec;
}

/// Fields with an effect come before those that are only stored; the latter have a heading of their own with full names.
std::vector<PropertySpec> effectiveFirst(std::vector<PropertySpec> specs)
{
    for (auto &spec : std::ranges::stable_partition(specs, &PropertySpec::hasEffect)) {
        if (!spec.group.isEmpty() && spec.path.endsWith(spec.group + QLatin1Char('.') + spec.label))
            spec.label = spec.group + QLatin1Char('.') + spec.label;
        spec.group = Words::tr("Without effect");
    }
    return specs;
}

PropertySpec option(char const *path, QString const &group)
{
    auto const *info = config::IpuConfig::metadata(path);
    TW_CHECK(info, std::string("no option ") + path);
    return regrouped(specOf(*info), group);
}

} // namespace

std::vector<PropertySpec> ipuConfigSpecs()
{
    std::vector<PropertySpec> specs;
    for (auto const &info : config::ipuConfigOptions()) specs.push_back(specOf(info));
    return effectiveFirst(std::move(specs));
}

std::vector<PropertySpec> engineOptionSpecs()
{
    std::vector<PropertySpec> specs;
    for (auto const &info : config::engineOptions()) specs.push_back(specOf(info));
    return effectiveFirst(std::move(specs));
}

std::vector<PropertySpec> parallelSpecs(project::Project const &project)
{
    auto const &plan = project.training;
    auto const field = [&](char const *name, QString const &group) {
        return regrouped(trainingSpec(plan, QString::fromLatin1(name)), group);
    };
    QString const replication = Words::tr("Replication"), accumulation = Words::tr("Accumulation"), pipelining = Words::tr("Pipelining"),
                  feeds = Words::tr("Feeds");
    std::vector<PropertySpec> specs{field("replicas", replication),
                                    option("selection_order", replication),
                                    option("auto_select_ipus", replication),
                                    option("select_ipus", replication),
                                    field("gradient_accumulation_steps", accumulation),
                                    field("gradient_accumulation_reduction", accumulation),
                                    field("placement", pipelining),
                                    field("pipeline_schedule", pipelining),
                                    field("device_mapping", pipelining),
                                    option("allow_recompute", pipelining),
                                    field("batch_size", feeds),
                                    field("steps_per_execution", feeds),
                                    option("optimizations.prefetch_data_streams", feeds),
                                    option("io_tiles.num_io_tiles", feeds),
                                    option("io_tiles.place_ops_on_io_tiles", feeds)};
    specs.front().note = replicasNote(project);
    return effectiveFirst(std::move(specs));
}

std::vector<PropertySpec> targetSpecs(project::Project const &project)
{
    auto machine = targetPart(
        QStringLiteral("system.target"), Words::tr("System"), EditorKind::Choice, [](TargetText const &target) { return target.machine; },
        [](TargetText &target, QString const &text) {
            target = {text, 0, 0, target.model};
        });
    for (auto const &info : target::builtinMachines())
        machine.choices.push_back(
            {QString::fromStdString(info.name), Words::tr("%1 — %2").arg(QString::fromStdString(info.name), registryText(info.title))});
    machine.defaultText = QStringLiteral("gc200");
    machine.help = Words::tr("The emulated system on which the model runs.");
    auto const base = target::parseMachine(parseTarget(QString::fromStdString(project.target)).machine.toStdString());
    std::vector<PropertySpec> specs{machine};
    if (base.ok() && base->isEmulated()) {
        int const ownIpus = base->ipus, ownTiles = base->chip.tiles;
        auto ipus =
            targetPart(QStringLiteral("system.target:ipus"), Words::tr("IPUs"), EditorKind::Integer,
                       [ownIpus](TargetText const &target) { return QString::number(target.ipus > 0 ? target.ipus : ownIpus); }, {});
        ipus.write = [ownIpus](project::Project &each, std::string const &text) {
            return setNumber(each, QStringLiteral("ipus"), text, ownIpus, &TargetText::ipus);
        };
        ipus.min = 1;
        ipus.max = 64;
        ipus.defaultText = QString::number(ownIpus);
        ipus.help = Words::tr("How many IPUs the system has.");
        auto tiles =
            targetPart(QStringLiteral("system.target:tiles"), Words::tr("Tiles per IPU"), EditorKind::Integer,
                       [ownTiles](TargetText const &target) { return QString::number(target.tiles > 0 ? target.tiles : ownTiles); }, {});
        tiles.write = [ownTiles](project::Project &each, std::string const &text) {
            return setNumber(each, QStringLiteral("tiles"), text, ownTiles, &TargetText::tiles);
        };
        tiles.min = 1;
        tiles.max = ownTiles;
        tiles.defaultText = QString::number(ownTiles);
        tiles.unit = Words::tr("tiles");
        tiles.help = Words::tr("A smaller chip for quick experiments; all else stays as on the real one.");
        auto model = targetPart(
            QStringLiteral("system.target:model"), Words::tr("Software model"), EditorKind::Check,
            [](TargetText const &target) { return target.model ? QStringLiteral("true") : QStringLiteral("false"); },
            [](TargetText &target, QString const &text) { target.model = text == QStringLiteral("true"); });
        model.defaultText = QStringLiteral("false");
        model.help = Words::tr("The rules of the vendor's software model instead of those of a device.");
        specs.insert(specs.end(), {ipus, tiles, model});
    }
    for (auto &spec : specs) spec.typeText = typeTextOf(spec);
    return specs;
}

QString configHeadline(project::Project const &project, std::vector<Diagnostic> const &problems)
{
    auto const layout = systemLayout(project);
    QStringList parts;
    auto const target = parseTarget(QString::fromStdString(project.target));
    parts << target.machine;
    if (layout.machine && layout.machine->isEmulated())
        parts << Words::tr("%Ln IPU(s)", nullptr, layout.machine->ipus) + QStringLiteral(", ")
                + Words::tr("%Ln tile(s)", nullptr, pluralOf(layout.machine->tilesTotal()));
    else if (layout.machine) parts << Words::tr("plain Keras on the host");
    auto const changed = project.config.changedPaths().size() + project.engineOptions.size();
    parts << (changed == 0 ? Words::tr("all options at their defaults")
                           : Words::tr("%Ln option(s) changed", nullptr, static_cast<int>(changed)));
    auto const wrong = std::ranges::count(configProblems(project, problems), Severity::Error, &Diagnostic::severity);
    if (wrong > 0) parts << Words::tr("%Ln problem(s)", nullptr, static_cast<int>(wrong));
    return parts.join(QStringLiteral(" · "));
}

std::vector<Diagnostic> configProblems(project::Project const &project, std::vector<Diagnostic> const &problems)
{
    std::vector<Diagnostic> mine;
    auto const layout = systemLayout(project);
    if (layout.problem) mine.push_back(*layout.problem);
    for (auto const &problem : problems) {
        auto const &subject = problem.subject;
        if (problem.code == "config.no-effect-yet" || problem.code == "config.cannot-act") continue; // shown beside its field
        bool const ours = subject.starts_with("ipu_config") || subject.starts_with("system.") || problem.code == "training.accumulation"
            || problem.code == "training.steps-per-execution" || problem.code == "model.stage";
        if (ours && (!layout.problem || problem != *layout.problem)) mine.push_back(problem);
    }
    std::ranges::stable_sort(mine, std::ranges::greater(), &Diagnostic::severity);
    return mine;
}

} // namespace tilewright::views
