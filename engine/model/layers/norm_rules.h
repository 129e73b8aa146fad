#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// The axes in a normalisation's argument, counted from 0, ascending. Error model.shape: a missing axis, the batch, or a repeated axis.
Result<std::vector<std::size_t>> normAxes(Layer const &layer, std::string_view key, Shape const &input);

/// The channel groups of GroupNormalization (InstanceNormalization: one group per channel). Error model.shape: channels that the groups do
/// not divide, or an axis that is neither the first after the batch nor the last.
struct ChannelGroups {
    std::size_t axis = 1;
    std::int64_t groups = 1;
    bool strided = false; ///< channel c belongs to group c mod groups
};
Result<ChannelGroups> channelGroups(Layer const &layer, Shape const &input);

/// gamma (if the layer scales) and beta (if it centers), in Keras's order.
Result<std::vector<WeightSpec>> scaleAndOffset(Layer const &layer, Shape const &shape);

ParamInfo epsilonParam();
/// center, scale.
std::vector<ParamInfo> centerAndScaleParams();
/// `nullableInitializers`: null is Keras's default for weights, glorot_uniform.
std::vector<ParamInfo> scaleInitializerParams(bool nullableInitializers);
/// Regularizers and constraints of gamma and beta.
std::vector<ParamInfo> scaleLimitParams();

} // namespace tilewright::model
