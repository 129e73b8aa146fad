#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// Layers that crop, pad or repeat along the spatial axes, with the amounts before and after each axis, or the factors (size).
struct SpatialAmounts {
    Shape before, after;
};
/// Argument `key`: [before, after] of one axis, or a pair for each.
SpatialAmounts spatialAmounts(Layer const &layer, std::string_view key);
/// Position of the first spatial axis in a shape: after the batch, or after the channels.
std::size_t firstSpatialAxis(Layer const &layer);

/// Error model.shape unless the input has a batch, channels and so many spatial axes.
Status requireSpatialRank(Layer const &layer, Shape const &input, int spatial);
/// height and width.
std::vector<ParamInfo> imageSizeParams(char const *height, char const *width);

LayerSpec croppingLayer(int spatial);
LayerSpec zeroPaddingLayer(int spatial);
LayerSpec upSamplingLayer(int spatial);

} // namespace tilewright::model
