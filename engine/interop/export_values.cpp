#include "engine/interop/export_values.h"

#include "engine/kernels/half.h"
#include "engine/model/optimizers.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tilewright::interop {

using model::OrderedJson;

namespace {

constexpr char kIterations[] = "iterations";

/// Empty: the tensor is neither float32 nor float16.
std::optional<std::vector<std::byte>> wideBytes(runtime::StateTensor const &tensor)
{
    if (tensor.dtype == DType::F32) return tensor.bytes;
    if (tensor.dtype != DType::F16) return {};
    std::vector<std::byte> wide(2 * tensor.bytes.size());
    for (std::size_t i = 0; 2 * i < tensor.bytes.size(); ++i) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, tensor.bytes.data() + 2 * i, 2);
        float const value = kernels::halfToFloat(bits);
        std::memcpy(wide.data() + 4 * i, &value, 4);
    }
    return wide;
}

bool isOneOf(std::string const &name, std::initializer_list<char const *> names) { return std::ranges::find(names, name) != names.end(); }

} // namespace

Result<std::vector<std::byte>> weightBytes(runtime::TrainingState const &state, std::string const &name, Shape const &shape)
{
    auto const *tensor = state.find(name);
    auto wide = tensor && tensor->shape == shape ? wideBytes(*tensor) : std::nullopt;
    if (wide) return *std::move(wide);
    return makeError(ErrorKind::Invalid, "export.weights", name,
                     tensor ? Message::of("the weights belong to a different model than the project has now.")
                            : Message::of("the weights lack this one."),
                     Message::of("Train the model again, then export it."));
}

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

SlotOrder hdf5SlotOrder(std::string const &optimizer)
{
    return isOneOf(optimizer, {"RMSprop", "Ftrl"}) ? SlotOrder::ByWeight : SlotOrder::BySlot;
}

SlotOrder archiveSlotOrder(std::string const &optimizer) { return optimizer == "RMSprop" ? SlotOrder::BySlot : SlotOrder::ByWeight; }

std::vector<std::pair<model::WeightRef, std::string>> slotPlaces(model::ResolvedModel const &model, model::Optimizer const &optimizer,
                                                                 SlotOrder order)
{
    std::vector<model::WeightRef> weights;
    for (auto const ref : model::weightOrder(model))
        if (model.layers[ref.layer].weights[ref.weight].trainable) weights.push_back(ref);
    auto const slots = model::optimizerSlots(optimizer);
    std::vector<std::pair<model::WeightRef, std::string>> places;
    if (order == SlotOrder::BySlot) {
        for (auto const &slot : slots)
            for (auto const ref : weights) places.emplace_back(ref, slot.name);
    } else {
        for (auto const ref : weights)
            for (auto const &slot : slots) places.emplace_back(ref, slot.name);
    }
    return places;
}

std::optional<OptimizerValues> optimizerValues(project::Project const &project, model::ResolvedModel const &model,
                                               runtime::TrainingState const &state, SlotOrder order)
{
    auto const *iterations = state.find(kIterations);
    if (!iterations || iterations->dtype != DType::I32 || iterations->bytes.size() != 4) return {};
    OptimizerValues result;
    std::memcpy(&result.iterations, iterations->bytes.data(), 4);
    for (auto const &[ref, slot] : slotPlaces(model, project.training.optimizer, order)) {
        auto const weight = model::weightPath(model, ref);
        auto const &shape = model.layers[ref.layer].weights[ref.weight].shape;
        auto bytes = weightBytes(state, weight + "/" + slot, shape);
        if (!bytes.ok()) return {};
        result.values.push_back({weight, slot, shape, *std::move(bytes)});
    }
    return result;
}

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

} // namespace tilewright::interop
