// A .keras archive as Keras 2.15 writes it.
#include "engine/interop/export.h"
#include "engine/interop/export_values.h"
#include "engine/interop/hdf5_child.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/interop/keras_weights.h"
#include "engine/interop/placeholders.h"
#include "engine/model/layers/recurrent_rules.h"
#include "engine/model/layers/wrapper_rules.h"
#include "engine/model/placeholder.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace tilewright::interop {

using model::OrderedJson;

namespace {

constexpr char kVersion[] = "2.15.0";

/// The module of the objects that stand under a key.
std::string moduleOf(std::string_view key, std::string const &otherwise)
{
    if (key.ends_with("_initializer")) return "keras.initializers";
    if (key.ends_with("_regularizer")) return "keras.regularizers";
    if (key.ends_with("_constraint")) return "keras.constraints";
    if (key == "dtype") return "keras.mixed_precision";
    if (key == "learning_rate") return "keras.optimizers.schedules";
    return otherwise;
}

/// Adds the module to every object with a class.
void addModules(OrderedJson &json, std::string const &module)
{
    if (json.is_array())
        for (auto &member : json) addModules(member, module);
    if (!json.is_object()) return;
    bool const isObject = json.contains("class_name") && json.contains("config") && !json.contains("module");
    for (auto &[key, member] : json.items()) addModules(member, moduleOf(key, module));
    if (!isObject) return;
    json["module"] = module;
    json["registered_name"] = nullptr;
}

/// A group of a layer's weights: "vars", "forward_layer/cell/vars".
struct WeightGroup {
    std::string path;
    std::size_t count = 0;
};

/// The weights of a layer in their groups, in the order of Layer.weights.
void addGroups(model::Layer const &layer, std::size_t count, std::string const &path, std::vector<WeightGroup> &groups)
{
    auto const &name = layer.className;
    auto const own = [&](std::string const &part, std::size_t weights) { groups.push_back({path + part + "vars", weights}); };
    static std::vector<std::string> const loops{"LSTM", "GRU", "SimpleRNN", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"};
    if (std::ranges::find(loops, name) != loops.end()) return own("cell/", count);
    if (name == "TimeDistributed") return addGroups(model::innerLayer(layer), count, path + "layer/", groups);
    if (name == "Bidirectional") {
        for (auto const *part : {"forward_layer/", "backward_layer/"}) addGroups(model::innerLayer(layer), count / 2, path + part, groups);
        return;
    }
    if (name == "MultiHeadAttention") {
        for (auto const *part : {"_query_dense/", "_key_dense/", "_value_dense/", "_output_dense/"}) own(part, count / 4);
        return;
    }
    if (name != "RNN") return own("", count);
    auto const cells = model::cellsOf(layer);
    bool const stacked = layer.config.at("cell").value("class_name", "") == "StackedRNNCells";
    std::map<std::string, int> used;
    for (auto const &cell : cells) {
        auto group = containerName(cell.className);
        if (auto const number = used[group]++; number > 0) group += "_" + std::to_string(number);
        own(stacked ? "cell/cells/" + group + "/" : "cell/", stacked ? model::weightsOf(cell) : count);
    }
}

/// The parts of model.weights.h5. `values` must outlive them.
std::vector<Hdf5Part> weightParts(std::vector<LayerValues> const &values, OrderedJson const &document)
{
    std::vector<Hdf5Part> parts;
    std::map<std::string, int> used;
    for (auto const &entry : document["config"]["layers"]) {
        auto const name = entry["config"].value("name", entry.value("name", ""));
        auto group = containerName(entry["class_name"].get<std::string>());
        if (auto const number = used[group]++; number > 0) group += "_" + std::to_string(number);
        auto const found =
            std::ranges::find_if(values, [&](auto const &one) { return one.layer->layer.name == entry.value("name", name); });
        if (found == values.end() || found->weights.empty()) continue;
        auto const &layer = *found->layer;
        std::vector<WeightGroup> groups;
        addGroups(layer.layer, layer.weights.size(), "", groups);
        std::size_t next = 0;
        for (auto const &each : groups)
            for (std::size_t i = 0; i < each.count; ++i, ++next) {
                auto const &weight = layer.weights.at(next);
                auto const bytes = std::ranges::find_if(found->weights, [&](auto const &pair) { return pair.first == &weight; });
                parts.push_back({.path = "layers/" + group + "/" + each.path + "/" + std::to_string(i),
                                 .isArray = true,
                                 .shape = weight.shape,
                                 .values = bytes->second});
            }
    }
    return parts;
}

} // namespace

Result<std::vector<OutputPart>> kerasArchive(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    TW_ASSIGN(auto const values, layerValues(resolved, weights));
    auto document = documentWithOriginals(project.model);
    auto const state = optimizerValues(project, resolved, weights, archiveSlotOrder(project.training.optimizer.className));
    auto parts = weightParts(values, document);
    if (state) {
        parts.push_back({.path = "optimizer/vars/0",
                         .isArray = true,
                         .isWhole = true,
                         .shape = {},
                         .values = std::as_bytes(std::span(&state->iterations, 1))});
        for (std::size_t i = 0; i < state->values.size(); ++i)
            parts.push_back({.path = "optimizer/vars/" + std::to_string(i + 1),
                             .isArray = true,
                             .shape = state->values[i].shape,
                             .values = state->values[i].bytes});
    }
    TW_ASSIGN(auto image, hdf5Image(parts, project.title, job));

    auto const training = trainingConfig(project);
    OrderedJson compile;
    for (auto const &[from, to, module] :
         {std::tuple{"optimizer_config", "optimizer", "keras.optimizers"}, std::tuple{"loss", "loss", "keras.losses"},
          std::tuple{"metrics", "metrics", "keras.metrics"}, std::tuple{"loss_weights", "loss_weights", ""},
          std::tuple{"weighted_metrics", "weighted_metrics", "keras.metrics"}}) {
        compile[to] = training.at(from);
        addModules(compile[to], module);
    }
    addModules(document["config"]["layers"], "keras.layers");
    bool const functional = document["class_name"] == "Functional";
    OrderedJson const config{{"module", functional ? "keras.src.engine.functional" : "keras"},
                             {"class_name", document["class_name"]},
                             {"config", document["config"]},
                             {"registered_name", functional ? OrderedJson("Functional") : OrderedJson()},
                             {"compile_config", std::move(compile)}};
    OrderedJson const metadata{{"keras_version", kVersion}, {kCreator, kCreatorName}};
    return std::vector<OutputPart>{
        {"metadata.json", metadata.dump()}, {"config.json", config.dump()}, {"model.weights.h5", std::move(image)}};
}

} // namespace tilewright::interop
