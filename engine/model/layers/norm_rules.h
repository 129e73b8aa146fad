#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// The axes that a normalisation's argument names, counted from 0, ascending. Errors "model.shape": no such axis, the batch,
/// one named twice.
Result<std::vector<std::size_t>> normAxes(Layer const &layer, std::string_view key, Shape const &input);

/// The groups of channels of GroupNormalization (InstanceNormalization: all of them). Error "model.shape": channels that
/// they do not divide, or an axis that is neither the first nor the last behind the batch.
struct ChannelGroups {
    std::size_t axis = 1;
    std::int64_t groups = 1;
    bool strided = false; ///< channel c belongs to group c mod groups
};
Result<ChannelGroups> channelGroups(Layer const &layer, Shape const &input);

/// gamma (where the layer scales) and beta (where it centers), in Keras's order.
Result<std::vector<WeightSpec>> scaleAndOffset(Layer const &layer, Shape const &shape);

ParamInfo epsilonParam();
/// center, scale.
std::vector<ParamInfo> centerAndScaleParams();
/// `nullableInitializers`: null is Keras's own default for weights, glorot_uniform.
std::vector<ParamInfo> scaleInitializerParams(bool nullableInitializers);
/// Regularizers and constraints of gamma and beta.
std::vector<ParamInfo> scaleLimitParams();

} // namespace tilewright::model
