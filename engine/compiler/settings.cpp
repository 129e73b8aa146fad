#include "engine/compiler/settings.h"

#include "engine/config/validate.h"
#include "engine/core/files.h"
#include "engine/core/host_work.h"
#include "engine/core/text.h"
#include "engine/passes/pass.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace tilewright::compiler {

namespace {

using Json = nlohmann::ordered_json;

/// A name as part of a file's name.
std::string fileName(std::string const &name)
{
    std::string result;
    for (char const c : name)
        result += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ? c : '_';
    return result.empty() ? "module" : result;
}

Json feedJson(graph::FeedSpec const &feed)
{
    return {{"name", feed.name}, {"shape", feed.shape}, {"type", tilewright::toText(feed.dtype)}};
}

} // namespace

Result<config::EnvironmentOptions> effectiveEnvironment(project::Project const &p, config::EnvironmentOptions const &environment,
                                                        DiagnosticSink *sink)
{
    config::EnvironmentOptions own;
    for (auto const &[key, text] : p.engineOptions)
        if (auto const status = own.engine.setFromText(key, text, sink); !status.ok()) {
            auto error = status.error();
            error.subject = "engine_options." + key.substr(0, 200);
            return error;
        }
    TW_ASSIGN(auto merged, config::environmentOverProject(std::move(own), environment));
    TW_ASSIGN(merged.engine, config::effectiveEngineOptions(p.config, merged));
    return merged;
}

int compileThreads(int requested, config::EnvironmentOptions const &effective)
{
    if (requested > 0) return requested;
    auto wanted = effective.flags.integer("max_compilation_threads");
    if (wanted <= 0) wanted = effective.engine.integer("opt.maxCompilationThreads");
    int const all = hostThreads(0);
    return wanted > 0 ? static_cast<int>(std::min<std::int64_t>(wanted, all)) : all;
}

Result<project::Project> onDevice(project::Project p, std::int64_t device)
{
    char const *const path = p.config.list("select_ipus").empty() ? "auto_select_ipus" : "select_ipus";
    auto const entries = p.config.list(path);
    auto const count = std::max<std::int64_t>(1, std::ssize(entries));
    if (device < 0 || device >= count)
        return makeError(ErrorKind::Device, "device.none", "/device:IPU:" + std::to_string(device),
                         count == 1 ? Message::of("no such device is configured: the project has /device:IPU:0 only.")
                                    : Message::of("no such device is configured: ipu_config.%1 configures %2 devices.", path, count),
                         Message::of("Add an entry to ipu_config.auto_select_ipus or select_ipus, or choose a device from 0 to %1.",
                                     std::to_string(count - 1)));
    if (count == 1) return p;
    // All devices are attached together in one system, so that the entries are checked together.
    if (auto const machine = target::parseMachine(p.target); machine.ok() && machine->isEmulated())
        TW_TRY(config::checkDevices(p.config, project::systemIpus(p)));
    TW_TRY(p.config.set(path, std::vector<std::int64_t>{entries[static_cast<std::size_t>(device)]}));
    return p;
}

std::string tensorMapText(program::Program const &program)
{
    Json tensors = Json::array();
    for (auto const &variable : program.variables) {
        std::map<int, std::int64_t> elements;
        for (auto const &placed : program::placements(variable.layout)) elements[placed.tile] += placed.box.elements();
        Json tiles = Json::array();
        for (auto const &[tile, count] : elements) tiles.push_back({tile, count});
        tensors.push_back({{"name", variable.name},
                           {"shape", variable.shape},
                           {"type", tilewright::toText(variable.dtype)},
                           {"tiles", std::move(tiles)}});
    }
    return Json{{"module", program.name}, {"tensors", std::move(tensors)}}.dump(1) + "\n";
}

std::string interfaceText(executable::Executable const &executable)
{
    Json entries = Json::array();
    for (auto const &entry : executable.entries) {
        Json inputs = Json::array(), outputs = Json::array();
        for (auto const &feed : entry.infeed) inputs.push_back(feedJson(feed));
        for (auto const &feed : entry.outfeed) outputs.push_back(feedJson(feed));
        entries.push_back({{"name", entry.name},
                           {"kind", entry.kind},
                           {"batch_size", entry.batchSize},
                           {"steps_per_execution", entry.stepsPerExecution},
                           {"inputs", std::move(inputs)},
                           {"outputs", std::move(outputs)}});
    }
    Json streams = Json::array();
    for (auto const &stream : executable.program.streams) {
        auto const &variable = executable.program.var(stream.var);
        streams.push_back({{"variable", variable.name},
                           {"to_device", stream.toDevice},
                           {"bytes", elementCount(variable.shape) * sizeOf(variable.dtype)}});
    }
    return Json{{"name", executable.name},
                {"target", executable.machine},
                {"replicas", executable.replicas},
                {"entries", std::move(entries)},
                {"streams", std::move(streams)}}
               .dump(1)
        + "\n";
}

Status writeRequestedFiles(project::Project const &p, config::EnvironmentOptions const &effective, executable::Executable const &executable,
                           std::string const &hash)
{
    std::filesystem::path const maps(effective.flags.text("tensor_map_file_path"));
    if (!maps.empty() && executable.emulated) {
        TW_TRY(makeOutputFolder(maps));
        TW_TRY(writeFileAtomically(maps / (fileName(executable.name) + ".tensor_map.json"), tensorMapText(executable.program), Sync::No));
    }
    if (effective.flags.boolean("dump_schedule_as_dot")) {
        std::filesystem::path const folder(effective.xla.dumpTo.empty() ? "." : effective.xla.dumpTo);
        TW_TRY(makeOutputFolder(folder));
        for (auto const &entry : executable.entries)
            TW_TRY(writeFileAtomically(folder / (fileName(executable.name) + "." + fileName(entry.name) + ".schedule.dot"),
                                       passes::dotText(entry.graph), Sync::No));
    }
    std::filesystem::path const serialized(p.config.text("serialization_output_folder"));
    if (serialized.empty()) return {};
    TW_TRY(makeOutputFolder(serialized));
    auto const bytes = executable::serialize(executable);
    TW_TRY(writeFileAtomically(serialized / (hash + ".ipu_bin"), {reinterpret_cast<char const *>(bytes.data()), bytes.size()}));
    return writeFileAtomically(serialized / (hash + ".json"), interfaceText(executable));
}

} // namespace tilewright::compiler
