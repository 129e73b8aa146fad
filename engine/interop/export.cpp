#include "engine/interop/export.h"

#include "engine/interop/hdf5_child.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/kernels/half.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilewright::interop {

using model::OrderedJson;

Result<std::vector<std::byte>> weightBytes(runtime::TrainingState const &state, std::string const &name, Shape const &shape)
{
    auto const *tensor = state.find(name);
    bool const isHalf = tensor && tensor->dtype == DType::F16;
    if (!tensor || tensor->shape != shape || (!isHalf && tensor->dtype != DType::F32))
        return makeError(ErrorKind::Invalid, "export.weights", name,
                         tensor ? Message::of("the weights belong to a different model than the project has now.")
                                : Message::of("the weights lack this one."),
                         Message::of("Train the model again, then export it."));
    if (!isHalf) return tensor->bytes;
    std::vector<std::byte> wide(2 * tensor->bytes.size());
    for (std::size_t i = 0; 2 * i < tensor->bytes.size(); ++i) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, tensor->bytes.data() + 2 * i, 2);
        float const value = kernels::halfToFloat(bits);
        std::memcpy(wide.data() + 4 * i, &value, 4);
    }
    return wide;
}

namespace {

/// The weights of one layer as Keras lists them: trainable ones first.
struct LayerValues {
    model::ResolvedLayer const *layer = nullptr;
    std::vector<std::pair<model::ResolvedWeight const *, std::vector<std::byte>>> weights;
};

Result<std::vector<LayerValues>> layerValues(model::ResolvedModel const &model, runtime::TrainingState const &state)
{
    std::vector<LayerValues> all;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        auto const &layer = model.layers[l];
        LayerValues values{&layer, {}};
        for (bool const trainable : {true, false})
            for (std::size_t w = 0; w < layer.weights.size(); ++w) {
                if (layer.weights[w].trainable != trainable) continue;
                TW_ASSIGN(auto bytes, weightBytes(state, model::weightPath(model, {l, w}), layer.weights[w].shape));
                values.weights.emplace_back(&layer.weights[w], std::move(bytes));
            }
        all.push_back(std::move(values));
    }
    return all;
}

/// What `compile` was given, in the words of `training_config`.
OrderedJson trainingConfig(project::Project const &project)
{
    auto plan = model::trainingPlanJson(project.training);
    // The scale of the loss is no argument of Keras's optimizers.
    if (!project.training.optimizer.lossScaling().any())
        for (auto const *key :
             {"loss_scale_factor", "automatic_loss_scaling", "update_frequency", "increase_factor", "max_loss_scaling_factor",
              "accumulate_statistics_over_update_period", "ratio_threshold", "lpf_alpha", "histogram_bin_edge"})
            plan["optimizer"]["config"].erase(key);
    return {{"loss", plan.at("loss")},
            {"metrics", plan.at("metrics")},
            {"weighted_metrics", plan.at("weighted_metrics").empty() ? OrderedJson() : plan.at("weighted_metrics")},
            {"loss_weights", plan.at("loss_weights")},
            {"optimizer_config", plan.at("optimizer")}};
}

Hdf5Part groupPart(std::string path) { return {.path = std::move(path)}; }

} // namespace

Result<std::string> kerasHdf5(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    TW_ASSIGN(auto const layers, layerValues(resolved, weights));
    auto root = groupPart("");
    root.texts = {{"keras_version", "2.6.0"},
                  {"backend", "tensorflow"},
                  {kCreator, "Tilewright"},
                  {"model_config", model::modelToKeras(project.model).dump()},
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
            parts.push_back({.path = "model_weights/" + name + "/" + name + "/" + weight->name + ":0",
                             .isArray = true,
                             .shape = weight->shape,
                             .values = bytes});
    }
    return hdf5Image(parts, project.title, job);
}

} // namespace tilewright::interop
