#include "engine/project/project.h"

#include "engine/config/option_value.h"
#include "engine/config/selection_order.h"
#include "engine/config/validate.h"
#include "engine/core/known_names.h"
#include "engine/core/json_text.h"
#include "engine/core/text.h"
#include "engine/model/keras_json.h"
#include "engine/model/names.h"
#include "engine/model/templates.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <span>

namespace tilewright::project {

using nlohmann::json;

namespace {

Result<json> parsePart(std::string const &name, std::string const &text)
{
    auto parsed = jsonOrDiscarded(text);
    if (!parsed.is_object())
        return makeError(ErrorKind::Invalid, "project.json", name,
                         parsed.is_discarded() ? Message::of("this part of the project is not valid JSON.")
                                               : Message::of("this part of the project is not an object."),
                         Message::of("Restore it from a backup or export."));
    return parsed;
}

/// `all`: the names are all there are of its group, so that they help where none is near.
Diagnostic noField(std::string_view path, std::vector<std::string> const &names, bool all = false)
{
    if (auto known = aboutKnownName(path)) return *known;
    auto const near = nearestName(path, names);
    return makeError(ErrorKind::Invalid, "project.no-field", std::string(path), Message::of("no such field."),
                     near.empty() && all ? Message::of("Fields are %1.", joinText(names, ", "))
                         : near.empty()
                         ? Message::of("Fields start with title, model., ipu_config., system., training., data. or engine_options.")
                         : Message::of("Did you mean '%1'?", near));
}

bool starts(std::string_view path, std::string_view prefix) { return path.substr(0, prefix.size()) == prefix; }

/// What lies under a path that ends at a group of fields: "training", "ipu_config.optimizations", "model.layers.dense".
/// Discarded: the path is no group.
nlohmann::ordered_json groupAt(Project const &p, std::string_view path)
{
    using OrderedJson = nlohmann::ordered_json;
    OrderedJson const none(OrderedJson::value_t::discarded);
    if (path == "system") return {{"target", p.target}};
    if (path == "training") return model::trainingPlanJson(p.training);
    if (path == "data") return OrderedJson(data::toJson(p.data));
    if (path == "engine_options") return OrderedJson(p.engineOptions);
    if (path == "model") return orderedJsonOrDiscarded(model::printKerasJson(p.model));
    if (path == "model.layers") {
        auto layers = OrderedJson::object();
        for (auto const &layer : p.model.layers) layers[layer.name] = groupAt(p, "model.layers." + layer.name);
        return layers;
    }
    if (starts(path, "model.layers.")) {
        auto const *layer = p.model.find(path.substr(13));
        if (!layer) return none;
        OrderedJson fields{{"class_name", layer->className}};
        for (auto const &[name, value] : layer->config.items())
            if (name != "name") fields[name] = value;
        fields["stage"] = layer->stage;
        return fields;
    }
    if (path == "ipu_config" || (starts(path, "ipu_config.") && config::isOptionGroup(config::ipuConfigOptions(), path.substr(11)))) {
        json at = p.config.toNestedJson();
        auto const names = splitText(path, '.');
        for (auto const &name : std::span(names).subspan(1)) {
            if (!at.is_object() || !at.contains(name)) return none;
            at = json(at[name]);
        }
        return OrderedJson(at);
    }
    return none;
}

/// The project with a whole part of it set from a JSON object; fields that it does not name take their defaults.
Result<Project> withPart(Project p, std::string_view path, std::string_view text, DiagnosticSink *sink)
{
    auto const object = jsonOrDiscarded(text);
    if (!object.is_object())
        return makeError(ErrorKind::Invalid, "project.json", std::string(path),
                         Message::of("this is a group of fields, but the value is not a JSON object."),
                         Message::of("Write an object, or set its fields one by one."));
    if (path == "model") {
        TW_ASSIGN(p.model, model::parseKerasJson(text, "model"));
    } else if (path == "training") {
        TW_ASSIGN(p.training, model::trainingPlanFromJson(object));
    } else if (path == "data") {
        TW_ASSIGN(p.data, data::dataSourceFromJson(object));
    } else if (path == "ipu_config") {
        p.config = config::IpuConfig();
        TW_TRY(p.config.fromJson(object, sink, config::MissingOptions::Keep));
        TW_TRY(config::checkDeviceSelection(p.config));
    } else {
        if (path == "engine_options") p.engineOptions.clear();
        for (auto const &[name, value] : object.items()) {
            TW_ASSIGN(p, withField(p, std::string(path) + "." + name, value.is_string() ? value.get<std::string>() : value.dump(), sink));
        }
    }
    return p;
}

Result<data::DataSourceSpec> withDataField(data::DataSourceSpec const &spec, std::string_view key, std::string_view text)
{
    json object = data::toJson(spec);
    std::string const name(key);
    if (!object.contains(name)) {
        std::vector<std::string> names;
        for (auto const &[k, v] : object.items()) names.push_back("data." + k);
        return noField("data." + name, names, true);
    }
    auto const &old = object[name];
    if (old.is_string()) {
        object[name] = std::string(text);
    } else {
        auto const value = jsonOrDiscarded(text);
        if (value.is_discarded())
            return makeError(ErrorKind::Invalid, "data.field", "data." + name,
                             Message::of("'%1' is not a value of this field.", std::string(text)),
                             Message::of("Write a number, true, false or null."));
        object[name] = value;
    }
    return data::dataSourceFromJson(object);
}

} // namespace

std::map<std::string, std::string> projectParts(Project const &p)
{
    std::map<std::string, std::string> parts;
    parts["model"] = model::printKerasJson(p.model);
    parts["ipu_config"] = p.config.toNestedJson(true).dump();
    parts["system"] = json{{"target", p.target}}.dump();
    parts["training"] = model::trainingPlanJson(p.training).dump();
    parts["data"] = data::toJson(p.data).dump();
    parts["engine_options"] = json(p.engineOptions).dump();
    parts["layout"] = p.layout.empty() ? "{}" : p.layout;
    if (!p.notes.isEmpty()) parts["notes"] = notesJson(p.notes);
    parts["about"] = json{{"title", p.title}}.dump();
    return parts;
}

Result<Project> projectFromParts(std::map<std::string, std::string> const &parts, DiagnosticSink *sink)
{
    Project p;
    auto const part = [&](char const *name) -> std::string const * {
        auto const it = parts.find(name);
        return it == parts.end() ? nullptr : &it->second;
    };
    auto const *model = part("model");
    if (!model)
        return makeError(ErrorKind::Invalid, "project.no-model", "model", Message::of("the project holds no model."),
                         Message::of("Add a 'model' part in Keras to_json form."));
    TW_ASSIGN(p.model, model::parseKerasJson(*model, "model"));
    if (auto const *text = part("ipu_config")) {
        TW_ASSIGN(auto const object, parsePart("ipu_config", *text));
        TW_TRY(p.config.fromJson(object, sink, config::MissingOptions::Keep));
    }
    if (auto const *text = part("system")) {
        TW_ASSIGN(auto const object, parsePart("system", *text));
        if (object.contains("target")) {
            if (!object["target"].is_string())
                return makeError(ErrorKind::Invalid, "project.json", "system.target", Message::of("the target is not a text."),
                                 Message::of("Write a name such as \"gc200\"."));
            p.target = object["target"].get<std::string>();
        }
    }
    TW_TRY(target::parseMachine(p.target));
    if (auto const *text = part("training")) {
        TW_ASSIGN(auto const object, parsePart("training", *text));
        TW_ASSIGN(p.training, model::trainingPlanFromJson(object));
    }
    if (auto const *text = part("data")) {
        TW_ASSIGN(auto const object, parsePart("data", *text));
        TW_ASSIGN(p.data, data::dataSourceFromJson(object));
    }
    if (auto const *text = part("engine_options")) {
        TW_ASSIGN(auto const object, parsePart("engine_options", *text));
        for (auto const &[key, value] : object.items()) p.engineOptions[key] = value.is_string() ? value.get<std::string>() : value.dump();
        if (sink)
            for (auto const &[key, value] : p.engineOptions)
                if (!config::findOption(config::engineOptions(), key)) {
                    auto warning = config::unknownOption(config::OptionCategory::Engine, key);
                    warning.severity = Severity::Warning;
                    warning.subject = "engine_options." + key.substr(0, 200);
                    warning.message = Message::of("there is no engine option of this name; it is kept, and a compile refuses it");
                    sink->add(std::move(warning));
                }
    }
    if (auto const *text = part("layout")) {
        // Only how things lie on a canvas: not worth a refusal.
        if (!jsonOrDiscarded(*text).is_discarded()) p.layout = *text;
        else if (sink)
            sink->add(makeWarning("project.layout", "layout", Message::of("the layout of the canvas is damaged."),
                                  Message::of("The canvas arranges the model again.")));
    }
    p.notes = takeNotesOfLayout(p.layout);
    if (auto const *text = part("notes")) p.notes = notesFromJson(*text);
    if (auto const *text = part("about")) {
        TW_ASSIGN(auto const object, parsePart("about", *text));
        if (object.is_object() && object.contains("title") && object["title"].is_string()) p.title = object["title"].get<std::string>();
        TW_TRY(model::checkName(p.title, Message::of("the project")));
    }
    return p;
}

namespace {

/// A single field, or all of the project.
Result<std::string> singleField(Project const &p, std::string_view path)
{
    if (path.empty()) {
        nlohmann::ordered_json whole;
        whole["title"] = p.title;
        for (auto const &[name, text] : projectParts(p))
            if (name != "about") whole[name] = orderedJsonOrDiscarded(text);
        return whole.dump(2);
    }
    if (path == "title") return p.title;
    if (path == "system.target") return p.target;
    if (starts(path, "model.")) return model::modelField(p.model, path.substr(6));
    if (starts(path, "training.")) return model::trainingField(p.training, path);
    if (starts(path, "ipu_config.")) {
        TW_ASSIGN(config::OptionValue const value, p.config.get(path));
        return config::toText(value);
    }
    if (starts(path, "data.")) {
        json const object = data::toJson(p.data);
        std::string const key(path.substr(5));
        if (object.contains(key)) return object[key].is_string() ? object[key].get<std::string>() : object[key].dump();
        std::vector<std::string> names;
        for (auto const &[k, v] : object.items()) names.push_back("data." + k);
        return noField(path, names, true);
    }
    if (starts(path, "engine_options.")) {
        auto const it = p.engineOptions.find(std::string(path.substr(15)));
        if (it != p.engineOptions.end()) return it->second;
    }
    static std::vector<std::string> const kNames{"title",     "system.target",      "training.batch_size", "training.epochs",
                                                 "data.path", "training.optimizer", "training.loss",       "training.steps_per_execution"};
    return noField(path, kNames);
}

} // namespace

Result<std::string> field(Project const &p, std::string_view path)
{
    auto single = singleField(p, path);
    if (single.ok()) return single;
    auto const group = groupAt(p, path);
    return group.is_discarded() ? std::move(single) : Result<std::string>(group.dump(2));
}

Result<Project> withField(Project const &project, std::string_view path, std::string_view text, DiagnosticSink *sink)
{
    Project p = project;
    if (path == "title") {
        TW_TRY(model::checkName(text, Message::of("the project")));
        p.title = std::string(text);
        return p;
    }
    if (path == "system.target") {
        TW_TRY(target::parseMachine(text));
        p.target = std::string(text);
        return p;
    }
    for (std::string_view const part : {"model", "training", "data", "system", "ipu_config", "engine_options"})
        if (path == part) return withPart(std::move(p), path, text, sink);
    if (!singleField(p, path).ok() && !groupAt(p, path).is_discarded())
        return makeError(ErrorKind::Invalid, "project.group", std::string(path),
                         Message::of("this is a group of fields and cannot be set as one value."),
                         Message::of("Set its fields one by one; `tilewright get PROJECT %1` shows them.", std::string(path)));
    if (starts(path, "model.")) {
        TW_ASSIGN(p.model, model::withModelField(p.model, path.substr(6), text));
        return p;
    }
    if (starts(path, "training.")) {
        TW_ASSIGN(p.training, model::withTrainingField(p.training, path, text));
        return p;
    }
    if (starts(path, "ipu_config.")) {
        TW_TRY(p.config.setFromText(path, text, sink));
        if (path.ends_with("select_ipus")) TW_TRY(config::checkDeviceSelection(p.config));
        return p;
    }
    if (starts(path, "data.")) {
        TW_ASSIGN(p.data, withDataField(p.data, path.substr(5), text));
        return p;
    }
    if (starts(path, "engine_options.")) {
        std::string const key(path.substr(15));
        if (text.empty() && p.engineOptions.erase(key) > 0) return p; // also one of other origin, which nobody could set
        auto const *option = config::findOption(config::engineOptions(), key);
        if (!option) {
            auto error = config::unknownOption(config::OptionCategory::Engine, key);
            error.subject = "engine_options." + key.substr(0, 200);
            return error;
        }
        TW_ASSIGN(auto const value, config::parseValue(*option, text));
        if (sink)
            for (auto const &warning : config::settingWarnings(*option, value)) sink->add(warning);
        p.engineOptions[key] = std::string(text);
        return p;
    }
    return field(p, path).error();
}

Result<target::Machine> machineOf(Project const &p)
{
    TW_ASSIGN(auto machine, target::parseMachine(p.target));
    if (auto const ipus = static_cast<unsigned>(machine.ipus); machine.isEmulated() && !std::has_single_bit(ipus)) {
        auto const below = std::bit_floor(ipus);
        return makeError(ErrorKind::Invalid, "target.device-size", "system.target",
                         Message::of("no device has %1 IPUs: their number is a power of two.", std::to_string(ipus)),
                         Message::of("Set ipus to %1 or %2.", std::to_string(below), std::to_string(2 * below)));
    }
    // auto_select_ipus = n takes n IPUs of the system for the one device a project uses.
    auto const &selected = p.config.list("auto_select_ipus");
    if (!selected.empty() && selected.front() > 0) {
        if (selected.front() > machine.ipus && machine.isEmulated())
            return makeError(ErrorKind::Device, "device.count", "ipu_config.auto_select_ipus",
                             Message::of("no device with %1 IPUs for /device:IPU:0: %2 has %3.", selected.front(), p.target, machine.ipus),
                             Message::of("Choose a larger system.target; `tilewright devices` lists the devices."));
        machine.ipus = static_cast<int>(selected.front());
    }
    // select_ipus = id takes exactly that device of the system, with all its IPUs.
    auto const &ids = p.config.list("select_ipus");
    if (!ids.empty() && machine.isEmulated()) {
        TW_ASSIGN(auto const groups, config::deviceGroups(systemIpus(p)));
        if (ids.front() < 0 || ids.front() >= static_cast<std::int64_t>(groups.size()))
            return makeError(ErrorKind::Device, "device.id", "ipu_config.select_ipus",
                             Message::of("the system of %1 has no device with id %2.", p.target, ids.front()),
                             Message::of("Its ids are 0 to %1; `tilewright devices` lists them.", std::to_string(groups.size() - 1)));
        machine.ipus = static_cast<int>(groups[static_cast<std::size_t>(ids.front())].ipus.size());
    }
    return machine;
}

data::DataSourceSpec dataSource(Project const &p)
{
    auto spec = p.data;
    if (p.training.validationSplit > 0) spec.validationSplit = p.training.validationSplit;
    if (!spec.validationPath.empty()) spec.validationSplit = 0;
    return spec;
}

int systemIpus(Project const &p)
{
    auto const machine = target::parseMachine(p.target);
    if (!machine.ok() || !machine->isEmulated()) return 0;
    auto const whole = target::parseMachine(std::string_view(p.target).substr(0, p.target.find(':')));
    return std::max(machine->ipus, whole.ok() ? whole->ipus : 1);
}

Result<Project> fromTemplate(std::string_view name)
{
    TW_ASSIGN(auto const t, model::findTemplate(name));
    Project p;
    p.title = t.title;
    p.model = t.model();
    p.training = t.plan();
    p.config = config::IpuConfig();
    if (t.dataset == "sorting") { // generated, with the positions as a further input
        p.data.format = t.dataset;
        p.data.inputs = {{"positions", "positions"}};
    }
    return p;
}

} // namespace tilewright::project
