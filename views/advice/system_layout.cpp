#include "views/advice/system_layout.h"

#include "engine/model/resolve.h"
#include "engine/model/stages.h"
#include "views/common/words.h"

#include <QStringList>

#include <algorithm>

namespace tilewright::views {

SystemLayout systemLayout(project::Project const &project)
{
    SystemLayout layout;
    auto const resolved = model::resolve(project.model);
    if (resolved.ok()) layout.stages = std::max(1, resolved->stages());
    auto const ofStage = model::stageIpus(project.training.deviceMapping, layout.stages);
    layout.ipusPerReplica = model::ipusOf(ofStage);
    auto const machine = project::machineOf(project);
    if (!machine.ok()) {
        layout.problem = machine.error();
        return layout;
    }
    layout.machine = *machine;
    int const wanted = static_cast<int>(project.training.replicas);
    if (!machine->isEmulated()) {
        layout.ipusPerReplica = 1;
        return layout;
    }
    layout.replicas = wanted > 1 ? wanted : std::max(1, machine->ipus / layout.ipusPerReplica);
    int const least = layout.ipusPerReplica * std::max(1, wanted);
    if (machine->ipus < least)
        layout.problem = makeError(
            ErrorKind::Invalid, "runtime.too-few-ipus", "system.target",
            wanted > 1 ? Message::of("The model needs %1 IPU(s) per replica and %2 replicas, but the system has %3.", layout.ipusPerReplica,
                                     wanted, machine->ipus)
                       : Message::of("The model needs %1 IPU(s) per replica, but the system has %2.", layout.ipusPerReplica, machine->ipus),
            Message::of("Choose a system with at least %1 IPUs.", std::to_string(least)));
    layout.ipus.resize(static_cast<std::size_t>(machine->ipus));
    for (int replica = 0; replica < layout.replicas; ++replica)
        for (std::size_t stage = 0; stage < ofStage.size(); ++stage) {
            auto const ipu = static_cast<std::size_t>(std::max(0, replica * layout.ipusPerReplica + ofStage[stage]));
            if (ipu >= layout.ipus.size()) continue;
            layout.ipus[ipu].replica = replica;
            layout.ipus[ipu].stages.push_back(static_cast<int>(stage));
        }
    return layout;
}

QString replicasNote(project::Project const &project)
{
    auto const layout = systemLayout(project);
    if (!layout.machine || layout.problem || layout.replicas == project.training.replicas) return {};
    if (layout.replicas == 1) return Words::tr("1 used: nothing is emulated on the host");
    return Words::tr("%1 used: the system has %2 IPUs").arg(layout.replicas).arg(layout.machine->ipus);
}

TargetText parseTarget(QString const &text)
{
    TargetText target;
    auto const colon = text.indexOf(QLatin1Char(':'));
    target.machine = colon < 0 ? text : text.left(colon);
    // Names of architectures are read as the chip that has them.
    if (auto const machine = target::parseMachine(target.machine.toStdString()); machine.ok())
        for (auto const &info : target::builtinMachines())
            if (info.machine.chip == machine->chip && info.machine.ipus == machine->ipus && info.machine.kind == machine->kind
                && (target.machine == QString::fromStdString(info.name) || target.machine.startsWith(QStringLiteral("ipu")))) {
                target.machine = QString::fromStdString(info.name);
                break;
            }
    if (colon < 0) return target;
    for (auto const &option : text.mid(colon + 1).split(QLatin1Char(','))) {
        QString const key = option.section(QLatin1Char('='), 0, 0), value = option.section(QLatin1Char('='), 1);
        if (key == QStringLiteral("ipus")) target.ipus = value.toInt();
        else if (key == QStringLiteral("tiles")) target.tiles = value.toInt();
        else if (key == QStringLiteral("model")) target.model = value == QStringLiteral("1");
    }
    return target;
}

QString toText(TargetText const &target)
{
    QStringList options;
    if (target.ipus > 0) options << QStringLiteral("ipus=%1").arg(target.ipus);
    if (target.tiles > 0) options << QStringLiteral("tiles=%1").arg(target.tiles);
    if (target.model) options << QStringLiteral("model=1");
    return options.isEmpty() ? target.machine : target.machine + QLatin1Char(':') + options.join(QLatin1Char(','));
}

} // namespace tilewright::views
