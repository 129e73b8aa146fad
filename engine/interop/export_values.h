#pragma once

#include "engine/model/resolve.h"
#include "engine/project/project.h"
#include "engine/runtime/run.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::interop {

/// A weight of the state as float32; float16 is widened. Error Invalid "export.weights": it is missing or has another shape.
Result<std::vector<std::byte>> weightBytes(runtime::TrainingState const &state, std::string const &name, Shape const &shape);

/// The weights of one layer as Keras lists them: trainable ones first. float16 is widened.
struct LayerValues {
    model::ResolvedLayer const *layer = nullptr;
    std::vector<std::pair<model::ResolvedWeight const *, std::vector<std::byte>>> weights;
};
/// Error: Invalid "export.weights": a weight is missing or has another shape. `model` must outlive the result.
Result<std::vector<LayerValues>> layerValues(model::ResolvedModel const &model, runtime::TrainingState const &state);

/// The optimizer's state: its number of updates, and a tensor per slot and trainable weight.
struct OptimizerValues {
    std::int32_t iterations = 0;
    struct Value {
        std::string weight, slot; ///< "dense/kernel", "m"
        Shape shape;
        std::vector<std::byte> bytes;
    };
    std::vector<Value> values; ///< in the order that was asked for
};
/// The orders in which Keras lists the states of several weights.
enum class SlotOrder {
    BySlot,   ///< all m, then all v
    ByWeight, ///< m and v of the first weight, then those of the next one
};
/// The order in an .h5 file of Keras 2 and in a .keras archive of Keras 2.15.
SlotOrder hdf5SlotOrder(std::string const &optimizer);
SlotOrder archiveSlotOrder(std::string const &optimizer);
/// Weight and slot of each state, in order.
std::vector<std::pair<model::WeightRef, std::string>> slotPlaces(model::ResolvedModel const &model, model::Optimizer const &optimizer,
                                                                 SlotOrder order);

/// None if the state holds no complete state of the plan's optimizer, or if the plan has several optimizers.
std::optional<OptimizerValues> optimizerValues(project::Project const &project, model::ResolvedModel const &model,
                                               runtime::TrainingState const &state, SlotOrder order);

/// What `compile` was given, in the words of `training_config` of an .h5 file.
model::OrderedJson trainingConfig(project::Project const &project);

} // namespace tilewright::interop
