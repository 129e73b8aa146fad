#include "engine/interop/export.h"

#include "engine/interop/export_values.h"
#include "engine/interop/hdf5_child.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/interop/placeholders.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <utility>

namespace tilewright::interop {

using model::OrderedJson;

namespace {

constexpr std::size_t kShard = std::size_t{4} << 20;

Hdf5Part groupPart(std::string path) { return {.path = std::move(path)}; }

Hdf5Part arrayPart(std::string path, Shape shape, std::span<std::byte const> values, bool whole = false)
{
    return {.path = std::move(path), .isArray = true, .isWhole = whole, .shape = std::move(shape), .values = values};
}

/// `optimizer_weights` of an .h5 file.
void addOptimizer(OptimizerValues const &state, std::string const &className, std::vector<Hdf5Part> &parts)
{
    auto group = groupPart("optimizer_weights");
    auto &names = group.lists.emplace_back("weight_names", std::vector<std::string>{className + "/iter:0"}).second;
    for (auto const &value : state.values) names.push_back(className + "/" + value.weight + "/" + value.slot + ":0");
    auto const listed = names;
    parts.push_back(std::move(group));
    parts.push_back(arrayPart("optimizer_weights/" + listed[0], {}, std::as_bytes(std::span(&state.iterations, 1)), true));
    for (std::size_t i = 0; i < state.values.size(); ++i)
        parts.push_back(arrayPart("optimizer_weights/" + listed[i + 1], state.values[i].shape, state.values[i].bytes));
}

} // namespace

std::string kerasJson(model::Model const &model) { return model::pythonText(documentWithOriginals(model)); }

Result<std::string> kerasHdf5(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    TW_ASSIGN(auto const layers, layerValues(resolved, weights));
    auto const &optimizer = project.training.optimizer.className;
    auto const state = optimizerValues(project, resolved, weights, hdf5SlotOrder(optimizer));
    auto root = groupPart("");
    root.texts = {{"keras_version", "2.6.0"},
                  {"backend", "tensorflow"},
                  {kCreator, kCreatorName},
                  {"model_config", documentWithOriginals(project.model).dump()},
                  {"training_config", trainingConfig(project).dump()}};
    auto all = groupPart("model_weights");
    all.texts = {{"keras_version", "2.6.0"}, {"backend", "tensorflow"}};
    auto &names = all.lists.emplace_back("layer_names", std::vector<std::string>()).second;
    for (auto const &one : layers) names.push_back(one.layer->layer.name);
    std::vector<Hdf5Part> parts{std::move(root), std::move(all)};
    for (auto const &one : layers) {
        auto const &name = one.layer->layer.name;
        auto group = groupPart("model_weights/" + name);
        auto &arrays = group.lists.emplace_back("weight_names", std::vector<std::string>()).second;
        for (auto const &[weight, bytes] : one.weights) arrays.push_back(name + "/" + weight->name + ":0");
        parts.push_back(std::move(group));
        for (auto const &[weight, bytes] : one.weights)
            parts.push_back(arrayPart("model_weights/" + name + "/" + name + "/" + weight->name + ":0", weight->shape, bytes));
    }
    if (state) addOptimizer(*state, optimizer, parts);
    return hdf5Image(parts, project.title, job);
}

Result<std::vector<OutputPart>> tensorFlowJs(project::Project const &project, runtime::TrainingState const &weights,
                                             std::string const &name, std::string const &stem)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    TW_ASSIGN(auto const layers, layerValues(resolved, weights));
    std::string all;
    auto list = OrderedJson::array();
    for (auto const &one : layers)
        for (auto const &[weight, bytes] : one.weights) {
            list.push_back({{"name", one.layer->layer.name + "/" + weight->name}, {"shape", weight->shape}, {"dtype", "float32"}});
            all.append(reinterpret_cast<char const *>(bytes.data()), bytes.size());
        }
    std::vector<OutputPart> parts(1);
    auto paths = OrderedJson::array();
    auto const count = std::max<std::size_t>(1, (all.size() + kShard - 1) / kShard);
    for (std::size_t i = 0; i < count; ++i) {
        parts.push_back({stem + "-shard" + std::to_string(i + 1) + "of" + std::to_string(count) + ".bin", all.substr(i * kShard, kShard)});
        paths.push_back(parts.back().name);
    }
    auto topology = OrderedJson{{"keras_version", "2.6.0"}, {"backend", "tensorflow"}};
    auto document = documentWithOriginals(project.model);
    topology["model_config"] = {{"class_name", document["class_name"]}, {"config", document["config"]}};
    topology["training_config"] = trainingConfig(project);
    OrderedJson const whole{
        {"format", "layers-model"},
        {"generatedBy", kCreatorName},
        {"convertedBy", nullptr},
        {"modelTopology", std::move(topology)},
        {"weightsManifest", OrderedJson::array({OrderedJson{{"paths", std::move(paths)}, {"weights", std::move(list)}}})}};
    parts.front() = {name, whole.dump() + "\n"};
    return parts;
}

} // namespace tilewright::interop
