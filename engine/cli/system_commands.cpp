// What the emulated machines do, the cache, and what exists: machines, layers, operations, options.
#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/config/option_value.h"
#include "engine/config/options.h"
#include "engine/core/json_text.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/device/monitor_text.h"
#include "engine/executable/cache.h"
#include "engine/data/data_source.h"
#include "engine/model/callbacks.h"
#include "engine/model/layer_spec.h"
#include "engine/model/training_plan.h"
#include "engine/ops/op_def.h"
#include "engine/target/machine.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

namespace {

Result<int> devices(Context &context)
{
    TW_ASSIGN(auto const registry, device::Registry::open());
    TW_ASSIGN(auto const view, registry.list());
    if (context.output.json()) context.output.document(Json(device::toJson(view)));
    else context.output.text(device::devicesText(view));
    return 0;
}

Result<int> monitor(Context &context)
{
    TW_ASSIGN(auto const registry, device::Registry::open());
    bool const once = context.arguments.has("--once"), all = context.arguments.has("--all");
    auto &out = context.output;
    for (;;) {
        TW_ASSIGN(auto const view, registry.list());
        if (out.json() && once) out.document(Json(device::toJson(view)));
        else if (out.json()) out.event("monitor", Json(device::toJson(view)));
        else out.text(device::monitorText(view, all) + (once ? "" : "\n"));
        if (once) return 0;
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any wake;
        wake.wait_for(lock, context.job.stop, std::chrono::seconds(1), [] { return false; });
        if (context.job.cancelled()) return 0; // leaving a monitor is its normal end
    }
}

Json entryJson(executable::CacheEntry const &entry)
{
    Json j{{"name", entry.name},
           {"path", entry.path.string()},
           {"bytes", entry.fileBytes},
           {"payload_bytes", entry.payloadBytes},
           {"modified_ms", entry.modifiedMs},
           {"writer", entry.writer},
           {"status", executable::toText(entry.status)},
           {"problem", entry.problem}};
    j["key"] = Json::object();
    for (auto const &[name, value] : entry.key) j["key"][name] = value;
    return j;
}

Result<int> cache(Context &context)
{
    auto &out = context.output;
    TW_ASSIGN(auto const cache, executable::ExecutableCache::open());
    auto const action = context.arguments.text("ACTION");
    std::string const folder = cache.folder().string();
    if (action == "clear") {
        TW_ASSIGN(auto const cleared, cache.clear());
        if (out.json()) out.document({{"folder", folder}, {"entries", cleared.entries}, {"bytes", cleared.bytes}});
        else
            out.text("Removed " + std::to_string(cleared.entries) + " executables, " + bytesText(cleared.bytes) + ", from " + folder
                     + "\n");
        return 0;
    }
    bool const check = action == "verify";
    auto const entries = check ? cache.verify(context.job) : cache.list();
    if (context.job.cancelled()) return cancelledError("cache");
    Json j{{"folder", folder}};
    j["entries"] = Json::array();
    std::vector<std::vector<std::string>> rows;
    std::int64_t bytes = 0, damaged = 0;
    for (auto const &entry : entries) {
        j["entries"].push_back(entryJson(entry));
        bytes += entry.fileBytes;
        damaged += entry.status == executable::EntryStatus::Damaged;
        auto const key = [&](char const *name) {
            auto const it = entry.key.find(name);
            return it == entry.key.end() ? std::string() : it->second;
        };
        rows.push_back({entry.name, bytesText(entry.fileBytes), key("kind"), key("target"), std::string(executable::toText(entry.status)),
                        entry.problem});
    }
    j["bytes"] = bytes;
    j["damaged"] = damaged;
    std::string const text = tableText({"Executable", ">Size", "Kind", "Target", "State", "Problem"}, rows) + "\n"
        + std::to_string(entries.size()) + (entries.size() == 1 ? " executable, " : " executables, ") + bytesText(bytes) + " in " + folder
        + "\n";
    if (check && damaged > 0)
        return out.fail(makeError(ErrorKind::CheckFailed, "cache.damaged", folder, Message::of("%1 entries are damaged.", damaged),
                                  Message::of("They are compiled again when they are needed; `tilewright cache clear` removes all.")),
                        std::move(j), text);
    if (out.json()) out.document(std::move(j));
    else out.text(text);
    return 0;
}

Result<int> targets(Context &context)
{
    auto list = Json::array();
    std::vector<std::vector<std::string>> rows;
    for (auto const &info : target::builtinMachines()) {
        auto const &m = info.machine;
        auto const &c = m.chip;
        bool const emulated = m.isEmulated();
        list.push_back({{"name", info.name},
                        {"title", info.title},
                        {"emulated", emulated},
                        {"architecture", emulated ? Json(c.architecture) : Json()},
                        {"ipus", emulated ? m.ipus : 0},
                        {"tiles_per_ipu", c.tiles},
                        {"bytes_per_tile", c.bytesPerTile},
                        {"clock_hz", c.clockHz},
                        {"workers", c.workers},
                        {"exchange_bytes_per_cycle", c.exchangeBytesPerCycle},
                        {"host_bytes_per_second", c.hostBytesPerSecond},
                        {"link_bytes_per_second", m.linkBytesPerSecond},
                        {"streaming_bytes_per_ipu", m.streamingBytes},
                        {"options", emulated ? Json::array({"tiles", "ipus", "model"}) : Json::array()}});
        if (emulated)
            rows.push_back({info.name, std::to_string(m.ipus), groupedDigits(c.tiles), groupedDigits(c.bytesPerTile),
                            fixedText(static_cast<double>(c.clockHz) / 1e6, 0) + " MHz", info.title});
        else rows.push_back({info.name, "-", "-", "-", "-", info.title});
    }
    if (context.output.json()) context.output.document(std::move(list));
    else
        context.output.text(
            tableText({"Target", ">IPUs", ">Tiles/IPU", ">Bytes/tile", ">Clock", "What"}, rows)
            + "\nOptions follow the name after a colon: gc200:tiles=8, pod16:ipus=4, gc200:model=1 (rules of the IPU software model).\n");
    return 0;
}

Json paramJson(model::ParamInfo const &p)
{
    Json j{{"name", p.name}, {"type", model::paramTypeName(p.type)}};
    j["default"] = p.required ? Json() : orderedJsonOrDiscarded(p.defaultJson);
    j["required"] = p.required;
    j["nullable"] = p.nullable;
    if (!p.allowed.empty()) j["allowed"] = p.allowed;
    if (p.min) j["min"] = *p.min;
    if (p.max) j["max"] = *p.max;
    j["help"] = p.help;
    return j;
}

Result<int> layers(Context &context)
{
    auto list = Json::array();
    std::vector<Definition> shown;
    for (auto const &spec : model::builtinLayers()) {
        Json j{{"name", spec.className},
               {"category", spec.category},
               {"help", spec.help},
               {"min_inputs", spec.minInputs},
               {"max_inputs", spec.maxInputs}};
        j["parameters"] = Json::array();
        std::vector<std::string> names;
        for (auto const &p : model::layerParams(spec)) {
            j["parameters"].push_back(paramJson(p));
            names.push_back(p.required ? p.name : "[" + p.name + "]");
        }
        list.push_back(std::move(j));
        shown.push_back({.heading = spec.category, .name = spec.className, .what = spec.help, .arguments = joinText(names, " ")});
    }
    if (context.output.json()) context.output.document(std::move(list));
    else context.output.text(definitionText(shown));
    return 0;
}

Result<int> callbacks(Context &context)
{
    auto list = Json::array();
    std::vector<Definition> shown;
    for (auto const &spec : model::callbackSpecs()) {
        Json j{{"name", spec.className}, {"help", spec.help}, {"parameters", Json::array()}};
        std::vector<std::string> names;
        for (auto const &p : spec.params) {
            j["parameters"].push_back(paramJson(p));
            names.push_back(p.required ? p.name : "[" + p.name + "]");
        }
        list.push_back(std::move(j));
        shown.push_back({.name = spec.className, .what = spec.help, .arguments = joinText(names, " ")});
    }
    if (context.output.json()) context.output.document(std::move(list));
    else
        context.output.text(definitionText(shown)
                            + "\nSet them with training.callbacks, as a list of {\"class_name\": ..., \"config\": {...}}.\n");
    return 0;
}

Result<int> ops(Context &context)
{
    auto list = Json::array();
    std::vector<Definition> shown;
    for (auto const &op : ops::builtinOps()) {
        Json j{{"name", op.name},
               {"help", op.help},
               {"differentiable", static_cast<bool>(op.spec.gradient)},
               {"random", op.spec.isRandom},
               {"effect", op.spec.hasEffect},
               {"updates", op.spec.updates}};
        j["attributes"] = Json::array();
        std::vector<std::string> names;
        for (auto const &a : op.spec.attributes) {
            j["attributes"].push_back({{"name", a.name}, {"type", graph::toText(a.type)}, {"required", a.required}, {"help", a.help}});
            names.push_back(a.required ? a.name : "[" + a.name + "]");
        }
        list.push_back(std::move(j));
        shown.push_back({.name = op.name, .what = op.help + (op.spec.gradient ? "" : "; no gradient"), .arguments = joinText(names, " ")});
    }
    if (context.output.json()) context.output.document(std::move(list));
    else context.output.text(definitionText(shown));
    return 0;
}

constexpr config::OptionCategory kCategories[] = {config::OptionCategory::IpuConfig, config::OptionCategory::Flag,
                                                  config::OptionCategory::Engine, config::OptionCategory::Target,
                                                  config::OptionCategory::Runtime};

/// The options under a path: exactly that option, or those of that group, in the table it names or in all.
Result<std::vector<config::OptionInfo const *>> optionsUnder(std::string path)
{
    std::vector<config::OptionInfo const *> found;
    bool ipuOnly = false;
    if (path == "ipu_config" || path.starts_with("ipu_config.")) {
        ipuOnly = true;
        path.erase(0, std::min<std::size_t>(path.size(), 11));
    }
    if (path.starts_with("--")) path.erase(0, 2);
    for (auto const category : kCategories) {
        if (ipuOnly && category != config::OptionCategory::IpuConfig) continue;
        for (auto const &option : config::optionsOf(category))
            if (path.empty() || option.path == path || option.path.starts_with(path + ".")) found.push_back(&option);
    }
    if (!found.empty()) return found;
    for (auto const category : kCategories)
        if (auto const near = config::nearestOption(config::optionsOf(category), path); !near.empty())
            return config::unknownOption(category, path);
    return makeError(ErrorKind::Invalid, "config.unknown-option", path, Message::of("there is no such option."),
                     Message::of("`tilewright options` lists them all."));
}

/// A field of the training plan or of the data source.
struct PlainField {
    std::string path, type;
    Json defaultValue, allowed;
    std::string help;
};

std::vector<PlainField> plainFields(std::string_view part)
{
    std::vector<PlainField> all;
    if (part == "training")
        for (auto const &field : model::trainingFields())
            all.push_back({"training." + field.name, std::string(model::paramTypeName(field.type)), Json(model::defaultOf(field)),
                           Json(field.allowed), field.help});
    if (part == "data") {
        Json const defaults(data::toJson(data::DataSourceSpec()));
        for (auto const &field : data::dataFields()) {
            auto const &value = defaults.at(field.name);
            all.push_back({"data." + field.name,
                           value.is_null()         ? "number"
                               : value.is_object() ? "object"
                               : value.is_string() ? "string"
                                                   : value.type_name(),
                           value, Json::array(), field.help});
        }
    }
    return all;
}

/// `options training`, `options data` and single fields of them.
Result<int> tellFields(Output &out, std::string const &path)
{
    auto const part = path.substr(0, path.find('.'));
    auto fields = plainFields(part);
    if (path != part) {
        std::vector<std::string> names;
        for (auto const &field : fields) names.push_back(field.path);
        std::erase_if(fields, [&](auto const &field) { return field.path != path; });
        if (fields.empty()) {
            auto const near = nearestName(path, names);
            return makeError(ErrorKind::Invalid, "project.no-field", path, Message::of("no such field."),
                             near.empty() ? Message::of("`tilewright options %1` lists the fields.", part)
                                          : Message::of("Did you mean '%1'?", near));
        }
    }
    if (out.json()) {
        auto list = Json::array();
        for (auto const &field : fields)
            list.push_back({{"name", field.path.substr(part.size() + 1)},
                            {"full_name", field.path},
                            {"category", part},
                            {"type", field.type},
                            {"default", field.defaultValue},
                            {"allowed", field.allowed},
                            {"help", field.help},
                            {"effect", "active"}});
        out.document(std::move(list));
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    for (auto const &field : fields) {
        std::string choices;
        for (auto const &value : field.allowed) choices += (choices.empty() ? ": " : ", ") + value.get<std::string>();
        rows.push_back({field.path, field.defaultValue.is_string() ? field.defaultValue.get<std::string>() : field.defaultValue.dump(),
                        field.help + choices});
    }
    out.text(tableText({"Field", "Default", "What"}, rows));
    return 0;
}

Result<int> options(Context &context)
{
    auto const &asked = context.arguments.text("PATH");
    for (std::string_view const part : {"training", "data"})
        if (asked == part || asked.starts_with(std::string(part) + ".")) return tellFields(context.output, asked);
    TW_ASSIGN(auto const found, optionsUnder(context.arguments.text("PATH")));
    if (context.output.json()) {
        auto list = Json::array();
        for (auto const *option : found) list.push_back(Json(config::optionToJson(*option)));
        context.output.document(std::move(list));
    } else if (found.size() == 1) {
        context.output.text(config::describeOption(*found.front()) + "\n");
    } else {
        std::vector<std::vector<std::string>> rows;
        for (auto const *option : found)
            rows.push_back({config::placeOf(*option), std::string(config::toText(option->type)), config::toText(option->defaultValue),
                            std::string(option->effect == config::Effect::Active ? "" : config::toText(option->effect))});
        context.output.text(tableText({"Option", "Type", "Default", "Effect"}, rows));
    }
    return 0;
}

} // namespace

std::vector<Command> systemCommands()
{
    Parameter action{.name = "ACTION", .value = {}, .help = "the action", .required = true, .choices = {"list", "clear", "verify"}};
    return {
        {.name = "devices",
         .group = "System",
         .summary = "lists the emulated systems and the attached processes",
         .example = "tilewright devices",
         .run = devices},
        {.name = "monitor",
         .group = "System",
         .summary = "follows the attached processes, with modelled board figures",
         .example = "tilewright monitor --once",
         .parameters = {flag("--once", "print the state once"), flag("--all", "include systems without attached processes")},
         .run = monitor,
         .lines = false},
        {.name = "cache",
         .group = "System",
         .summary = "lists, removes or checks compiled executables",
         .details = "verify: exit code 9 if an entry is damaged.",
         .example = "tilewright cache list",
         .parameters = {action},
         .run = cache},
        {.name = "targets", .group = "System", .summary = "lists the targets", .example = "tilewright targets", .run = targets},
        {.name = "layers",
         .group = "System",
         .summary = "lists the layers with their arguments",
         .example = "tilewright layers --json",
         .run = layers},
        {.name = "callbacks",
         .group = "System",
         .summary = "lists the callbacks of a training with their arguments",
         .example = "tilewright callbacks --json",
         .run = callbacks},
        {.name = "ops", .group = "System", .summary = "lists the operations of the graph", .example = "tilewright ops", .run = ops},
        {.name = "options",
         .group = "System",
         .summary = "lists or explains the options of IPUConfig and of the environment",
         .details = "`options training` and `options data` list the fields of the training plan and of the data.",
         .example = "tilewright options io_tiles",
         .parameters = {optionalWord("PATH", "an option, or a group of options; training or data")},
         .run = options},
    };
}

} // namespace tilewright::cli
