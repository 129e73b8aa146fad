#include "views/monitor/monitor_text.h"

#include "views/common/format.h"
#include "views/diagnostics/registry_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <set>

namespace tilewright::views {

namespace {

/// Context of the translations of free functions.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(views)
};

QString text(std::string const &utf8) { return QString::fromStdString(utf8); }

} // namespace

QString monitorHeadline(device::RegistryView const &view)
{
    if (view.processes.empty()) {
        auto const systems = static_cast<std::int64_t>(view.systems.size());
        return Text::tr("No IPU in use · %1 emulated systems").arg(countText(systems));
    }
    std::set<std::int64_t> processes;
    double busy = 0;
    for (auto const &process : view.processes) {
        processes.insert(process.pid);
        busy += process.utilisationRecent;
    }
    auto const ipus = static_cast<std::int64_t>(view.processes.size());
    QStringList parts;
    parts.append(Text::tr("%Ln IPU(s)", nullptr, static_cast<int>(ipus)));
    parts.append(Text::tr("%Ln process(es)", nullptr, static_cast<int>(processes.size())));
    parts.append(Text::tr("%1 busy (modelled)").arg(shareText(busy / static_cast<double>(ipus))));
    return parts.join(QStringLiteral(" · "));
}

QString processNote(device::RegistryView const &view)
{
    if (view.processes.empty())
        return Text::tr("No process holds an IPU now. A run that starts here, or with “tilewright train” in a terminal, appears within a second.");
    return Text::tr("Busy shares, cycles, clocks, temperatures and power are modelled.");
}

device::ProcessState const *processOf(device::RegistryView const &view, IpuRef ref)
{
    auto const &system = view.systems[static_cast<std::size_t>(ref.system)];
    auto const &ipu = system.ipus[static_cast<std::size_t>(ref.ipu)];
    for (auto const &process : view.processes)
        if (!process.isModel && process.system == system.info.name && process.ipuId == ipu.identity.id) return &process;
    return nullptr;
}

std::vector<IpuRef> shownIpus(device::RegistryView const &view, bool idleToo)
{
    std::vector<IpuRef> refs;
    for (int s = 0; s < static_cast<int>(view.systems.size()); ++s) {
        auto const &system = view.systems[static_cast<std::size_t>(s)];
        bool const used = system.freeIpus() < static_cast<int>(system.ipus.size());
        if (!used && !idleToo) continue;
        for (int i = 0; i < static_cast<int>(system.ipus.size()); ++i) refs.push_back({s, i});
    }
    return refs;
}

QList<std::pair<QString, QString>> attributesOf(device::RegistryView const &view, IpuRef ref)
{
    auto const &system = view.systems[static_cast<std::size_t>(ref.system)];
    auto const &ipu = system.ipus[static_cast<std::size_t>(ref.ipu)].identity;
    auto const &machine = system.info.machine;
    QLocale const locale;
    QList<std::pair<QString, QString>> rows{
        {Text::tr("Partition"), text(system.info.name)},
        {Text::tr("System"), registryText(system.info.title)},
        {Text::tr("Machine"), text(ipu.ipuMachine)},
        {Text::tr("Board"), QString::number(ipu.board)},
        {Text::tr("Serial number"), text(ipu.serial)},
        {Text::tr("Type"), text(ipu.type)},
        {Text::tr("Id"), QString::number(ipu.id)},
        {Text::tr("Number on the machine"), QString::number(ipu.indexOnMachine)},
        {Text::tr("Routing"), text(ipu.routing)},
        {Text::tr("Architecture"), text(machine.chip.architecture)},
        {Text::tr("Software version"), text(ipu.ipuMachineSoftware)},
        {Text::tr("Server version"), text(ipu.serverVersion)},
        {Text::tr("Firmware version"), text(ipu.icuFirmware)},
        {Text::tr("Clock"), Text::tr("%1 MHz").arg(locale.toString(static_cast<double>(machine.chip.clockHz) / 1e6, 'f', 0))},
        {Text::tr("Tiles"), countText(machine.chip.tiles)},
        {Text::tr("Memory of a tile"), bytesText(machine.chip.bytesPerTile)},
        {Text::tr("Remote buffers"), machine.streamingBytes > 0 ? Text::tr("%1 per IPU").arg(bytesText(machine.streamingBytes)) : Text::tr("not supported")}};
    auto const *process = processOf(view, ref);
    if (!process) {
        rows.append({Text::tr("State"), Text::tr("free")});
        return rows;
    }
    rows.append({Text::tr("State"), Text::tr("attached to process %1").arg(process->pid)});
    rows.append({Text::tr("Command"), text(process->command)});
    rows.append({Text::tr("Attached since"), locale.toString(QDateTime::fromMSecsSinceEpoch(process->startedMs), QLocale::ShortFormat)});
    rows.append({Text::tr("Busy now (modelled)"), shareText(process->utilisationRecent)});
    rows.append({Text::tr("Busy since attached (modelled)"), shareText(process->utilisationSession)});
    rows.append({Text::tr("Steps"), countText(process->counters.steps)});
    rows.append({Text::tr("Cycles (modelled)"), countText(process->counters.total)});
    rows.append({Text::tr("Clock under load (modelled)"), Text::tr("%1 MHz").arg(locale.toString(process->reading.clockMhz, 'f', 0))});
    rows.append({Text::tr("Power (modelled)"), Text::tr("%1 W, board %2 W").arg(locale.toString(process->reading.watts, 'f', 1), locale.toString(process->boardWatts, 'f', 1))});
    rows.append({Text::tr("Temperature (modelled)"), Text::tr("%1 °C, board %2 °C").arg(locale.toString(process->reading.dieCelsius, 'f', 1), locale.toString(process->boardCelsius, 'f', 1))});
    return rows;
}

} // namespace tilewright::views
