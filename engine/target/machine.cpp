#include "engine/target/machine.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"

#include <algorithm>
#include <cmath>

namespace tilewright::target {

namespace {

Chip gc2()
{
    Chip c;
    c.name = "gc2";
    c.architecture = "ipu1";
    c.tiles = 1216;
    c.bytesPerTile = 262144;
    c.nonInterleavedBytes = 131072;
    c.clockHz = 1'600'000'000;
    c.convUnitsF16 = 8;
    c.convUnitsF32 = 8;
    return c;
}

Chip mk2(std::string name, std::string architecture, std::int64_t clockHz)
{
    Chip c;
    c.name = std::move(name);
    c.architecture = std::move(architecture);
    c.tiles = 1472;
    c.bytesPerTile = 638976;
    c.nonInterleavedBytes = 0x80000 - 0x4C000;
    c.clockHz = clockHz;
    return c;
}

Chip gc200() { return mk2("gc200", "ipu2", 1'330'000'000); }
Chip bow() { return mk2("bow", "ipu2", 1'850'000'000); }
Chip c600() { return mk2("c600", "ipu21", 1'500'000'000); }

constexpr int kMostIpus = 64; ///< of a system that is made of single chips

MachineInfo info(std::string name, std::string title, Chip chip, int ipus, std::int64_t streaming)
{
    Machine m;
    m.name = name;
    m.chip = std::move(chip);
    m.ipus = ipus;
    m.ipusPerBoard = m.chip.architecture == "ipu1" ? 2 : 4;
    m.streamingBytes = streaming;
    return {std::move(name), std::move(title), std::move(m)};
}

std::vector<MachineInfo> makeMachines()
{
    constexpr std::int64_t kGiB = std::int64_t{1} << 30;
    std::vector<MachineInfo> all{
        info("gc2", "Mk1 GC2, one IPU of 1,216 tiles at 1.6 GHz", gc2(), 1, 0),
        info("gc200", "Mk2 GC200, one IPU of 1,472 tiles at 1.33 GHz", gc200(), 1, 64 * kGiB),
        info("bow", "Bow, one IPU of 1,472 tiles at 1.85 GHz", bow(), 1, 64 * kGiB),
        info("c600", "C600 card, one IPU of 1,472 tiles at 1.5 GHz", c600(), 1, 16 * kGiB),
        info("m2000", "IPU-M2000, 4 GC200", gc200(), 4, 64 * kGiB),
        info("bow2000", "Bow-2000, 4 Bow IPUs", bow(), 4, 64 * kGiB),
        info("pod4", "POD4, 4 GC200", gc200(), 4, 64 * kGiB),
        info("pod16", "POD16, 16 GC200", gc200(), 16, 64 * kGiB),
        info("pod64", "POD64, 64 GC200", gc200(), 64, 64 * kGiB),
        info("bow-pod16", "Bow Pod16, 16 Bow IPUs", bow(), 16, 64 * kGiB),
        info("bow-pod64", "Bow Pod64, 64 Bow IPUs", bow(), 64, 64 * kGiB),
    };
    MachineInfo cpu = info("cpu", "Keras on the host, without emulation", gc200(), 1, 0);
    cpu.machine.kind = MachineKind::Cpu;
    all.push_back(std::move(cpu));
    return all;
}

std::string_view aliasOf(std::string_view name)
{
    if (name == "ipu1") return "gc2";
    if (name == "ipu2") return "gc200";
    if (name == "ipu21") return "c600";
    return name;
}

} // namespace

Cycles Machine::externalSyncCycles(int n) const
{
    int const hops = 1 + n / 2 / 2;
    return static_cast<Cycles>(std::ceil(15e-9 * static_cast<double>(chip.clockHz) * hops * 2));
}

std::span<MachineInfo const> builtinMachines()
{
    static std::vector<MachineInfo> const kAll = makeMachines();
    return kAll;
}

Result<Machine> parseMachine(std::string_view text)
{
    auto const colon = text.find(':');
    std::string const name(aliasOf(text.substr(0, colon)));
    auto const all = builtinMachines();
    auto const it = std::ranges::find(all, name, &MachineInfo::name);
    if (it == all.end()) {
        std::vector<std::string> names;
        for (auto const &m : all) names.push_back(m.name);
        auto const near = nearestName(name, names);
        return makeError(ErrorKind::Invalid, "target.unknown", "system.target", Message::of("there is no target '%1'.", name),
                         near.empty() ? Message::of("Targets: %1.", joinText(names, ", ")) : Message::of("Did you mean '%1'?", near));
    }
    Machine machine = it->machine;
    machine.name = std::string(text);
    if (colon == std::string_view::npos) return machine;
    for (auto const &option : splitText(text.substr(colon + 1), ',')) {
        auto const equals = option.find('=');
        std::string const key = option.substr(0, equals);
        std::optional<int> number;
        if (equals != std::string::npos) number = parseIntegerAs<int>(std::string_view(option).substr(equals + 1));
        int const value = number.value_or(0);
        auto const refuse = [&](Message message, Message remedy) {
            return makeError(ErrorKind::Invalid, "target.option", "system.target", std::move(message), std::move(remedy));
        };
        if (key != "tiles" && key != "ipus" && key != "model")
            return refuse(Message::of("a target has no option '%1'.", key),
                          Message::of("Options: tiles, ipus, model (as in 'gc200:tiles=8')."));
        if (!number) return refuse(Message::of("option '%1' needs a whole number.", key), Message::of("For example '%1=4'.", key));
        if (key == "tiles") {
            if (value < 1 || value > machine.chip.tiles)
                return refuse(Message::of("tiles=%1 is outside 1 to %2 of %3.", value, machine.chip.tiles, machine.chip.name),
                              Message::of("Choose a number in that range."));
            machine.chip.tiles = value;
        } else if (key == "ipus") {
            int const most = it->machine.ipus > 1 ? it->machine.ipus : kMostIpus;
            if (value < 1 || value > most)
                return refuse(Message::of("ipus=%1 is outside 1 to %2 of %3.", value, most, name),
                              Message::of("Choose a number in that range."));
            machine.ipus = value;
        } else {
            if (value != 0 && value != 1) return refuse(Message::of("model is 0 or 1."), "");
            machine.kind = value ? MachineKind::IpuModel : MachineKind::EmulatedIpu;
        }
    }
    return machine;
}

std::string toText(Machine const &machine) { return machine.name; }

TilePlace tilePlace(Chip const &chip, int tile)
{
    int const pair = tile / 2;
    int const rows = std::max(1, std::min(23, chip.tiles / 2));
    int const block = pair / rows;
    int const row = pair % rows;
    return {2 * block + tile % 2, block % 2 ? rows - 1 - row : row};
}

Cycles syncDelay(Chip const &chip, int tile)
{
    int const rows = std::max(1, std::min(23, chip.tiles / 2));
    return rows <= 1 ? 0 : chip.syncSpreadCycles * tilePlace(chip, tile).y / (rows - 1);
}

} // namespace tilewright::target
