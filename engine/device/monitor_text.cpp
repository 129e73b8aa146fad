#include "engine/device/monitor_text.h"

#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <vector>

namespace tilewright::device {

namespace {

char const *const kNote = "power, temperature, clock and utilisation are modelled";

using Row = std::vector<std::string>;

/// Columns padded to their widest cell, two blanks apart; the last column is not padded.
std::string table(std::vector<Row> const &rows)
{
    std::vector<std::size_t> widths;
    for (auto const &row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (auto const &row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += row[i];
            if (i + 1 < row.size()) text.append(widths[i] - row[i].size() + 2, ' ');
        }
        text += '\n';
    }
    return text;
}

std::string fixed(double value, char const *unit, int decimals = 1) { return fixedText(value, decimals) + unit; }

std::string localTime(std::int64_t unixMs)
{
    auto const seconds = static_cast<std::time_t>(unixMs / 1000);
    std::tm parts{};
    char buffer[64];
    if (!::localtime_r(&seconds, &parts) || std::strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M:%S", &parts) == 0) return "?";
    return buffer;
}

/// "0-15 single; 16-23 of 2; 24-27 of 4".
std::string devicesSummary(std::vector<DeviceGroup> const &devices)
{
    std::string text;
    for (std::size_t i = 0; i < devices.size();) {
        auto const size = devices[i].ipus.size();
        std::vector<int> ids;
        for (; i < devices.size() && devices[i].ipus.size() == size; ++i) ids.push_back(devices[i].id);
        if (!text.empty()) text += "; ";
        text += idListText(ids) + (size == 1 ? " single" : " of " + std::to_string(size));
    }
    return text;
}

std::string processesText(RegistryView const &view)
{
    std::string text;
    if (view.processes.empty()) {
        text += "Attached processes: none\n";
    } else {
        text += std::string("Attached processes (") + kNote + ")\n";
        std::vector<Row> rows{{"PID", "User", "Time", "System", "IPU ID", "Clock", "IPU temp", "Board temp", "IPU power", "Board power",
                               "Util", "Util session", "Steps", "Cycles", "Command"}};
        for (auto const &p : view.processes)
            rows.push_back({std::to_string(p.pid), p.user, localTime(p.startedMs), p.system + (p.isModel ? " (IPU Model)" : ""),
                            std::to_string(p.ipuId), fixed(p.reading.clockMhz, " MHz", 0), fixed(p.reading.dieCelsius, " C"),
                            fixed(p.boardCelsius, " C"), fixed(p.reading.watts, " W"), fixed(p.boardWatts, " W"),
                            fixed(100 * p.utilisationRecent, " %"), fixed(100 * p.utilisationSession, " %"),
                            std::to_string(p.counters.steps), groupedDigits(p.counters.total), safeText(p.command)});
        text += table(rows);
    }
    for (auto const &s : view.stale)
        text += "Left by process " + std::to_string(s.pid) + " ('" + safeText(s.command) + "'), which has ended: " + s.system + " IPU "
            + idListText(s.ipus) + " is free.\n";
    return text;
}

bool isInUse(RegistryView const &view, SystemState const &system)
{
    return std::ranges::any_of(view.processes, [&](auto const &p) { return p.system == system.info.name; });
}

} // namespace

std::string devicesText(RegistryView const &view)
{
    std::vector<Row> rows{{"System", "Chip", "Target", "IPUs", "Free", "Tiles/IPU", "Clock", "Device ids", "Title"}};
    for (auto const &s : view.systems) {
        auto const &chip = s.info.machine.chip;
        rows.push_back({s.info.name, chip.name, chip.architecture, std::to_string(s.ipus.size()), std::to_string(s.freeIpus()),
                        groupedDigits(chip.tiles), fixed(static_cast<double>(chip.clockHz) / 1e6, " MHz", 0), devicesSummary(s.devices),
                        s.info.title});
    }
    return "Emulated systems\n" + table(rows) + "\n" + processesText(view);
}

std::string monitorText(RegistryView const &view, bool allSystems)
{
    std::string text;
    std::size_t idle = 0;
    for (auto const &s : view.systems) {
        if (!allSystems && !isInUse(view, s)) {
            ++idle;
            continue;
        }
        text += "System " + s.info.name + ": " + std::to_string(s.ipus.size()) + (s.ipus.size() == 1 ? " IPU" : " IPUs") + ", emulated, "
            + std::to_string(s.freeIpus()) + " free\n";
        std::vector<Row> rows{{"IPU-M", "Serial", "IPU-M SW", "Server version", "ICU FW", "Type", "ID", "IPU#", "Routing", "PID"}};
        for (auto const &ipu : s.ipus) {
            auto const &i = ipu.identity;
            rows.push_back({i.ipuMachine, i.serial, i.ipuMachineSoftware, i.serverVersion, i.icuFirmware, i.type, std::to_string(i.id),
                            std::to_string(i.indexOnMachine), i.routing, ipu.pid ? std::to_string(ipu.pid) : "-"});
        }
        text += table(rows) + "\n";
    }
    if (idle > 0) text += std::to_string(idle) + (idle == 1 ? " idle system" : " idle systems") + " not shown\n\n";
    return text + processesText(view);
}

nlohmann::json toJson(RegistryView const &view)
{
    using nlohmann::json;
    json systems = json::array();
    for (auto const &s : view.systems) {
        auto const &machine = s.info.machine;
        json rows = json::array(), devices = json::array();
        for (auto const &ipu : s.ipus) {
            auto const &i = ipu.identity;
            rows.push_back({{"ipu_m", i.ipuMachine},
                            {"serial", i.serial},
                            {"ipu_m_sw", i.ipuMachineSoftware},
                            {"server_version", i.serverVersion},
                            {"icu_fw", i.icuFirmware},
                            {"type", i.type},
                            {"id", i.id},
                            {"ipu", i.indexOnMachine},
                            {"routing", i.routing},
                            {"board", i.board},
                            {"pid", ipu.pid ? json(ipu.pid) : json(nullptr)}});
        }
        bool const card = machine.chip.name == "c600" || machine.chip.name == "gc2";
        for (auto const &d : s.devices) {
            bool const busy = std::ranges::any_of(d.ipus, [&](int ipu) { return s.ipus[static_cast<std::size_t>(ipu)].pid != 0; });
            devices.push_back({{"id", d.id},
                               {"target",
                                d.ipus.size() > 1 ? "Multi IPU"
                                    : card        ? "PCIe"
                                                  : "Fabric"},
                               {"ipus", d.ipus},
                               {"state", busy ? "busy" : "free"}});
        }
        systems.push_back({{"name", s.info.name},
                           {"title", s.info.title},
                           {"chip", machine.chip.name},
                           {"architecture", machine.chip.architecture},
                           {"type", s.ipus.front().identity.type},
                           {"ipus", s.ipus.size()},
                           {"free", s.freeIpus()},
                           {"tiles_per_ipu", machine.chip.tiles},
                           {"bytes_per_tile", machine.chip.bytesPerTile},
                           {"clock_mhz", static_cast<double>(machine.chip.clockHz) / 1e6},
                           {"remote_buffer_bytes_per_ipu", machine.streamingBytes},
                           {"emulated", true},
                           {"devices", std::move(devices)},
                           {"rows", std::move(rows)}});
    }
    json processes = json::array();
    for (auto const &p : view.processes)
        processes.push_back({{"pid", p.pid},
                             {"command", p.command},
                             {"user", p.user},
                             {"time", localTime(p.startedMs)},
                             {"started_ms", p.startedMs},
                             {"updated_ms", p.updatedMs},
                             {"system", p.system},
                             {"device_id", p.deviceId},
                             {"ipu_id", p.ipuId},
                             {"ipu_model", p.isModel},
                             {"clock_mhz", p.reading.clockMhz},
                             {"ipu_temp_c", p.reading.dieCelsius},
                             {"board_temp_c", p.boardCelsius},
                             {"ipu_power_w", p.reading.watts},
                             {"board_power_w", p.boardWatts},
                             {"utilisation", 100 * p.utilisationRecent},
                             {"utilisation_session", 100 * p.utilisationSession},
                             {"steps", p.counters.steps},
                             {"cycles", p.counters.total},
                             {"modelled", true}});
    json stale = json::array();
    for (auto const &s : view.stale) stale.push_back({{"system", s.system}, {"ipus", s.ipus}, {"pid", s.pid}, {"command", s.command}});
    return {{"systems", std::move(systems)}, {"processes", std::move(processes)}, {"stale", std::move(stale)}, {"note", kNote}};
}

} // namespace tilewright::device
