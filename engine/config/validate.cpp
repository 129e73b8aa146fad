#include "engine/config/validate.h"

#include "engine/config/option_value.h"
#include "engine/config/selection_order.h"
#include "engine/core/types.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace tilewright::config {

namespace {

std::string place(std::string_view path) { return placeOf(OptionCategory::IpuConfig, path); }

Diagnostic conflict(std::string_view path, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, "config.conflict", place(path), std::move(message), std::move(remedy));
}

Diagnostic note(std::string_view path, Message message)
{
    Diagnostic result = makeWarning("config.note", place(path), std::move(message));
    result.severity = Severity::Note;
    return result;
}

/// Options without effect have nothing worth a note.
bool hasEffect(std::string_view path)
{
    auto const *option = findOption(ipuConfigOptions(), path);
    return option && option->effect == Effect::Active;
}

void checkSelection(IpuConfig const &config, std::vector<Diagnostic> &errors)
{
    for (auto const count : config.list("auto_select_ipus")) {
        auto const number = static_cast<std::uint64_t>(std::max<std::int64_t>(1, count));
        if (std::has_single_bit(number)) continue;
        auto const below = std::to_string(std::bit_floor(number)), above = std::to_string(2 * std::bit_floor(number));
        errors.push_back(makeError(ErrorKind::Invalid, "config.device-size", place("auto_select_ipus"),
                                   Message::of("no device has %1 IPUs: their number is a power of two", count),
                                   Message::of("Give %1 or %2.", below, above)));
    }
}

/// Devices that exist, but not together: more IPUs than the system has, or groups with a common IPU.
void checkTogether(IpuConfig const &config, int ipus, std::vector<DeviceGroup> const &groups, std::vector<Diagnostic> &errors)
{
    auto const &counts = config.list("auto_select_ipus");
    std::int64_t total = 0;
    for (auto const count : counts) total += std::clamp<std::int64_t>(count, 1, ipus + 1);
    if (counts.size() > 1 && total > ipus)
        errors.push_back(makeError(ErrorKind::Device, "config.no-such-device", place("auto_select_ipus"),
                                   Message::of("the %1 devices have %2 IPUs together, but the system has %3", counts.size(), total, ipus),
                                   Message::of("Give fewer or smaller devices, or choose a larger system.target.")));
    std::map<int, std::size_t> holder; // of an IPU: the logical device
    auto const &ids = config.list("select_ipus");
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || ids[i] >= std::ssize(groups)) continue; // said above
        for (int const ipu : groups[static_cast<std::size_t>(ids[i])].ipus) {
            auto const [it, first] = holder.try_emplace(ipu, i);
            if (first || ids[it->second] == ids[i]) continue; // equal ids: said above
            errors.push_back(conflict("select_ipus",
                                      Message::of("the devices %1 and %2 have IPU %3 in common", ids[it->second], ids[i], ipu),
                                      Message::of("Give devices without a common IPU; `tilewright devices` lists them.")));
            break;
        }
    }
}

void checkDevices(IpuConfig const &config, SystemFacts const &facts, std::vector<Diagnostic> &errors)
{
    auto const &counts = config.list("auto_select_ipus");
    auto const &ids = config.list("select_ipus");
    checkSelection(config, errors);
    if (!counts.empty() && !ids.empty())
        errors.push_back(
            conflict("select_ipus", Message::of("auto_select_ipus and select_ipus are both given"), Message::of("Give only one of them.")));
    if (std::set<std::int64_t>(ids.begin(), ids.end()).size() != ids.size())
        errors.push_back(conflict("select_ipus", Message::of("a device id is given twice"), Message::of("Give each id once.")));
    if (!ids.empty() && facts.usesModel)
        errors.push_back(conflict("select_ipus", Message::of("the software model has no device ids"),
                                  Message::of("Use auto_select_ipus with the software model.")));
    if (facts.ipus <= 0 || facts.usesModel) return;

    auto const groups = deviceGroups(facts.ipus);
    if (!groups.ok()) {
        errors.push_back(groups.error());
        return;
    }
    auto const device = [](std::size_t ordinal) { return "/device:IPU:" + std::to_string(ordinal); };
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (!std::has_single_bit(static_cast<std::uint64_t>(counts[i]))) continue; // said above
        bool const exists = std::any_of(groups->begin(), groups->end(), [&](DeviceGroup const &group) {
            return static_cast<std::int64_t>(group.ipus.size()) == counts[i];
        });
        if (!exists)
            errors.push_back(makeError(
                ErrorKind::Device, "config.no-such-device", place("auto_select_ipus"),
                facts.ipus == 1
                    ? Message::of("the system has no device with %1 IPUs for %2; it has one IPU", counts[i], device(i))
                    : Message::of("the system has no device with %1 IPUs for %2; it has %3 IPUs", counts[i], device(i), facts.ipus),
                Message::of("Give a power of two that the system holds; `tilewright devices` lists them.")));
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] >= static_cast<std::int64_t>(groups->size()))
            errors.push_back(
                makeError(ErrorKind::Device, "config.no-such-device", place("select_ipus"),
                          Message::of("the system has no device id %1 for %2", ids[i], device(i)),
                          Message::of("Its ids are 0 to %1; `tilewright devices` lists them.", std::to_string(groups->size() - 1))));
    checkTogether(config, facts.ipus, *groups, errors);
}

void checkReplication(IpuConfig const &config, SystemFacts const &facts, std::vector<Diagnostic> &errors)
{
    constexpr auto kGroup = "norms.experimental.distributed_batch_norm_replica_group_size";
    auto const group = config.integer(kGroup);
    if (group < 1) errors.push_back(conflict(kGroup, Message::of("the group has no replica"), Message::of("Give 1 or more.")));
    if (group > 1 && config.integer("io_tiles.num_io_tiles") > 0)
        errors.push_back(conflict(kGroup, Message::of("distributed batch norm does not work together with IO tiles"),
                                  Message::of("Set it to 1, or io_tiles.num_io_tiles to 0.")));
    if (group > 1 && facts.replicas > 0 && facts.replicas % group != 0)
        errors.push_back(conflict(kGroup,
                                  facts.replicas == 1 ? Message::of("groups of %1 do not divide one replica", group)
                                                      : Message::of("groups of %1 do not divide %2 replicas", group, facts.replicas),
                                  Message::of("Give a divisor of the number of replicas.")));

    if (group > 1 && facts.replicas > group && facts.replicas % group == 0)
        errors.push_back(makeError(
            ErrorKind::Invalid, "config.not-yet", place(kGroup),
            Message::of("groups of %1 of %2 replicas are not supported yet: all replicas or each for itself", group, facts.replicas),
            Message::of("Set it to %1 or to 1.", facts.replicas)));

    constexpr auto kIndex = "experimental.multi_replica_distribution.process_index";
    constexpr auto kCount = "experimental.multi_replica_distribution.process_count";
    auto const count = config.integer(kCount);
    auto const index = config.integer(kIndex);
    if (count > 0 && (index < 0 || index >= count))
        errors.push_back(conflict(kIndex, Message::of("process %1 of %2 does not exist", index, count),
                                  Message::of("Give 0 to %1.", std::to_string(count - 1))));
    if (count > 0 && facts.usesModel)
        errors.push_back(conflict(kCount, Message::of("replicas cannot be distributed over processes on the software model"),
                                  Message::of("Set it to 0, or use a device.")));
}

} // namespace

std::vector<Diagnostic> crossChecks(IpuConfig const &config, SystemFacts const &facts)
{
    std::vector<Diagnostic> result;
    checkDevices(config, facts, result);
    checkReplication(config, facts, result);

    auto const ioTiles = config.integer("io_tiles.num_io_tiles");
    if (config.boolean("io_tiles.place_ops_on_io_tiles") && ioTiles == 0)
        result.push_back(conflict("io_tiles.place_ops_on_io_tiles", Message::of("there are no IO tiles to place operations on"),
                                  Message::of("Set io_tiles.num_io_tiles to 1 to 192.")));

    auto const &type = config.text("device_connection.type");
    auto const &version = config.text("device_connection.version");
    bool const compilesOnly = type == "PRE_COMPILE" || type == "NEVER";
    if (compilesOnly && version.empty())
        result.push_back(conflict("device_connection.version", Message::of("with type %1 the version of the device must be set", type),
                                  Message::of("Set it to ipu1, ipu2 or ipu21.")));
    if (compilesOnly && !version.empty() && !facts.architecture.empty() && version != facts.architecture)
        result.push_back(conflict(
            "device_connection.version",
            Message::of("the program is compiled for %1, the architecture of system.target, and not for %2", facts.architecture, version),
            Message::of("Set it to %1, or choose another system.target.", facts.architecture)));
    if (!compilesOnly && !version.empty())
        result.push_back(conflict("device_connection.version", Message::of("with type %1 the device determines its version", type),
                                  Message::of("Leave it empty, or set device_connection.type to PRE_COMPILE or NEVER.")));
    if (facts.usesModel && config.text("ipu_model.version").empty())
        result.push_back(
            conflict("ipu_model.version", Message::of("the software model has no version"), Message::of("Set it to ipu1 or ipu2.")));

    auto const floating = floatingPointBehaviour(config);
    if (facts.usesModel && floating != FloatingPointBehaviour{})
        result.push_back(note("floating_point_behaviour",
                              Message::of("the software model of the original ignores traps and stochastic rounding; this one has them")));
    if (!hasEffect("io_tiles.num_io_tiles")) return result; // nothing is rounded and nothing reserved
    if (ioTiles % 2 != 0)
        result.push_back(note("io_tiles.num_io_tiles", Message::of("%1 is rounded up to %2", ioTiles, reservedIoTiles(config))));
    if (ioTiles > 0)
        result.push_back(
            note("io_tiles.num_io_tiles", Message::of("%1 tiles of each IPU are reserved for transfers", reservedIoTiles(config))));
    return result;
}

Status checkDeviceSelection(IpuConfig const &config)
{
    std::vector<Diagnostic> errors;
    checkSelection(config, errors);
    if (!errors.empty()) return errors.front();
    return {};
}

Status checkDevices(IpuConfig const &config, int ipus)
{
    std::vector<Diagnostic> errors;
    SystemFacts facts;
    facts.ipus = ipus;
    checkDevices(config, facts, errors);
    if (!errors.empty()) return errors.front();
    return {};
}

Status validate(IpuConfig const &config, SystemFacts const &facts, DiagnosticSink *sink)
{
    auto const all = crossChecks(config, facts);
    if (sink)
        for (auto const &diagnostic : all)
            if (diagnostic.severity != Severity::Error) sink->add(diagnostic);
    for (auto const &diagnostic : all)
        if (diagnostic.severity == Severity::Error) return diagnostic;
    return {};
}

std::optional<Diagnostic> reconfigureWarning(IpuConfig const &present, IpuConfig const &next)
{
    if (present == next) return std::nullopt;
    return makeWarning("config.reconfigured", "ipu_config",
                       Message::of("the current configuration is reset: the program waits for running programs, resets the devices and "
                                   "drops compiled programs in memory"));
}

FloatingPointBehaviour floatingPointBehaviour(IpuConfig const &config)
{
    if (config.boolean("floating_point_behaviour.set_all")) return {true, true, true, true, "ON"};
    return {config.boolean("floating_point_behaviour.inv"), config.boolean("floating_point_behaviour.div0"),
            config.boolean("floating_point_behaviour.oflo"), config.boolean("floating_point_behaviour.nanoo"),
            config.text("floating_point_behaviour.esr")};
}

bool fastMath(IpuConfig const &config)
{
    return config.boolean("optimizations.math.fast") || config.boolean("optimizations.enable_fast_math");
}

double memoryProportion(IpuConfig const &config, std::string_view dictionary)
{
    auto const &given = config.dict(dictionary);
    auto const it = given.find("availableMemoryProportion");
    if (it == given.end()) return kStandardMemoryProportion;
    auto const share = parseMemoryProportion(it->second, std::string(dictionary));
    TW_CHECK(share.ok(), "a proportion that was not checked when it was set");
    return *share;
}

int reservedIoTiles(IpuConfig const &config) { return static_cast<int>(roundUp(config.integer("io_tiles.num_io_tiles"), 2)); }

} // namespace tilewright::config
