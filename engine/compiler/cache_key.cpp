#include "engine/compiler/cache_key.h"

#include "engine/core/build.h"
#include "engine/core/json_text.h"
#include "engine/core/text.h"
#include "engine/model/keras_json.h"
#include "engine/training/written_rates.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::compiler {

namespace {

/// Fields of the plan that no program depends on, or that the key contains in another form.
constexpr std::string_view kOfTheHost[] = {
    "epochs",
    "prefetch_depth",
    "initial_epoch",
    "steps_per_epoch",
    "seed",
    "device_seed",
    "identical_replica_seeds",
    "shuffle",
    "validation_split",
    "validation_freq",
    "callbacks",
    "asynchronous_callbacks",
    "batch_size",            // with that of an evaluation
    "replicas",              // with those of the machine
    "class_weight",          // its numbers come with the samples
    "validation_executable", // if it is shared, each entry is a field of its own
};

/// A document as one line for each value, by its place, so that of two keys what differs can be said: "layers.dense.units: 128".
/// Items of a list that have a name are called by it; what every layer has around its arguments is left out.
void appendLines(nlohmann::ordered_json const &value, std::string const &place, std::string &text)
{
    auto const nameOfItem = [](nlohmann::ordered_json const &item) -> std::string {
        auto const config = item.is_object() ? item.find("config") : item.end();
        if (!item.is_object() || config == item.end() || !config->is_object()) return {};
        auto const name = config->find("name");
        return name != config->end() && name->is_string() ? name->get<std::string>() : std::string();
    };
    bool const list = value.is_array() && std::ranges::any_of(value, [](auto const &item) { return item.is_structured(); });
    if (!list && (!value.is_object() || value.empty())) {
        text += place + ": " + value.dump() + "\n";
        return;
    }
    auto const below = [&](std::string const &name) { return name == "config" ? place : place.empty() ? name : place + "." + name; };
    if (!list) {
        for (auto const &[name, part] : value.items()) appendLines(part, below(name), text);
        return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        auto const name = nameOfItem(value[i]);
        appendLines(value[i], below(name.empty() ? std::to_string(i) : name), text);
    }
}

/// What differs in a model is said by its lines; the hash beside them is that of the whole, whatever two lines leave open.
void addModel(executable::CacheKey &key, model::Model const &model)
{
    auto const text = model::printKerasJson(model);
    appendLines(orderedJsonOrDiscarded(text), {}, key["model"]);
    key["model.hash"] = executable::toText(executable::contentHash(text));
}

} // namespace

executable::CacheKey cacheKey(project::Project const &p, CompileRequest const &request, target::Machine const &machine,
                              Distribution const &distribution, std::int64_t batch, std::vector<EntryShape> const &beside)
{
    executable::CacheKey key;
    key["writer"] = std::string(version());
    key[std::string(executable::kBuildField)] = buildId(); // another may plan otherwise
    key["stored"] = executable::storedFormat();
    key["format"] = "8"; // goes up when the same fields mean something else, such as cycles of another making
    key["kind"] = std::string(toText(request.kind));
    addModel(key, p.model);
    auto const plan = model::trainingPlanJson(training::withoutWritten(p.training));
    for (auto const &[name, value] : plan.items())
        if (std::ranges::find(kOfTheHost, name) == std::end(kOfTheHost)) key["training." + name] = value.dump();
    key["training.batch_size"] = std::to_string(batch);
    // An evaluation weighs by samples, never by classes.
    if (!p.data.sampleWeight.empty()) key["training.weighs_samples"] = "by sample";
    else if (!p.training.classWeights.empty()) key["training.weighs_samples"] = "by class";
    if (p.data.convert != "host") key["data.convert"] = p.data.convert + " " + (p.data.scale ? numberText(*p.data.scale) : "auto");
    key["steps"] = std::to_string(request.steps);
    for (auto const &shape : beside)
        key["entry." + (shape.name.empty() ? std::string(toText(shape.kind)) : shape.name)] =
            std::string(toText(shape.kind)) + " " + std::to_string(shape.batch) + " x " + std::to_string(shape.steps);
    key["replicas"] = std::to_string(distribution.replicas);
    key["ipus_per_replica"] = std::to_string(distribution.ipusPerReplica);
    auto const &c = machine.chip;
    key["target"] = machine.name;
    key["target.chip"] = c.name + " tiles " + std::to_string(c.tiles) + " bytes " + std::to_string(c.bytesPerTile) + " kind "
        + std::to_string(static_cast<int>(machine.kind));
    auto config = p.config;
    if (machine.kind != target::MachineKind::IpuModel) // whose options they are
        for (auto const path : kOfTheModel) TW_CHECK(config.reset(path).ok(), "an option of the table cannot be reset");
    key["options"] = config::hashText(config, request.environment);
    return key;
}

} // namespace tilewright::compiler
