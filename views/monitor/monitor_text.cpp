#include "views/monitor/monitor_text.h"

#include "views/common/format.h"
#include "views/common/short_text.h"
#include "views/common/words.h"
#include "views/diagnostics/registry_text.h"

#include <QDateTime>
#include <QLocale>

#include <set>

namespace tilewright::views {

namespace {

QString text(std::string const &utf8) { return QString::fromStdString(utf8); }

} // namespace

QString monitorHeadline(device::RegistryView const &view)
{
    if (view.processes.empty()) {
        auto const systems = static_cast<std::int64_t>(view.systems.size());
        return Words::tr("No IPU in use · %1 emulated systems").arg(countText(systems));
    }
    std::set<std::int64_t> processes;
    double busy = 0;
    for (auto const &process : view.processes) {
        processes.insert(process.pid);
        busy += process.utilisationRecent;
    }
    auto const ipus = static_cast<std::int64_t>(view.processes.size());
    QStringList parts;
    parts.append(Words::tr("%Ln IPU(s)", nullptr, static_cast<int>(ipus)));
    parts.append(Words::tr("%Ln process(es)", nullptr, static_cast<int>(processes.size())));
    parts.append(Words::tr("%1 busy (modelled)").arg(shareText(busy / static_cast<double>(ipus))));
    return parts.join(QStringLiteral(" · "));
}

QString processNote(device::RegistryView const &view)
{
    if (view.processes.empty())
        return Words::tr(
            "No process holds an IPU now. A run that starts here, or with “tilewright train” in a terminal, appears within a second.");
    return Words::tr("Busy shares, cycles, clocks, temperatures and power are modelled.");
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
        {Words::tr("Partition"), text(system.info.name)},
        {Words::tr("System"), registryText(system.info.title)},
        {Words::tr("Machine"), text(ipu.ipuMachine)},
        {Words::tr("Board"), QString::number(ipu.board)},
        {Words::tr("Serial number"), text(ipu.serial)},
        {Words::tr("Type"), text(ipu.type)},
        {Words::tr("Id"), QString::number(ipu.id)},
        {Words::tr("Number on the machine"), QString::number(ipu.indexOnMachine)},
        {Words::tr("Routing"), text(ipu.routing)},
        {Words::tr("Architecture"), text(machine.chip.architecture)},
        {Words::tr("Software version"), text(ipu.ipuMachineSoftware)},
        {Words::tr("Server version"), text(ipu.serverVersion)},
        {Words::tr("Firmware version"), text(ipu.icuFirmware)},
        {Words::tr("Clock"), Words::tr("%1 MHz").arg(locale.toString(static_cast<double>(machine.chip.clockHz) / 1e6, 'f', 0))},
        {Words::tr("Tiles"), countText(machine.chip.tiles)},
        {Words::tr("Memory of a tile"), bytesText(machine.chip.bytesPerTile)},
        {Words::tr("Remote buffers"),
         machine.streamingBytes > 0 ? Words::tr("%1 per IPU").arg(bytesText(machine.streamingBytes)) : Words::tr("not supported")}};
    auto const *process = processOf(view, ref);
    if (!process) {
        rows.append({Words::tr("State"), Words::tr("free")});
        return rows;
    }
    rows.append({Words::tr("State"), Words::tr("attached to process %1").arg(process->pid)});
    rows.append({Words::tr("Command"), text(process->command)});
    rows.append({Words::tr("Attached since"), whenText(QDateTime::fromMSecsSinceEpoch(process->startedMs))});
    rows.append({Words::tr("Busy now (modelled)"), shareText(process->utilisationRecent)});
    rows.append({Words::tr("Busy since attached (modelled)"), shareText(process->utilisationSession)});
    rows.append({Words::tr("Steps"), countText(process->counters.steps)});
    rows.append({Words::tr("Cycles (modelled)"), countText(process->counters.total)});
    rows.append({Words::tr("Clock under load (modelled)"), Words::tr("%1 MHz").arg(locale.toString(process->reading.clockMhz, 'f', 0))});
    rows.append(
        {Words::tr("Power (modelled)"),
         Words::tr("%1 W, board %2 W").arg(locale.toString(process->reading.watts, 'f', 1), locale.toString(process->boardWatts, 'f', 1))});
    rows.append({Words::tr("Temperature (modelled)"),
                 Words::tr("%1 °C, board %2 °C")
                     .arg(locale.toString(process->reading.dieCelsius, 'f', 1), locale.toString(process->boardCelsius, 'f', 1))});
    return rows;
}

} // namespace tilewright::views
