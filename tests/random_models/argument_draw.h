#pragma once

#include "engine/model/layer_spec.h"
#include "tests/random_models/draw.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright::random_models {

/// What the arguments of a layer may depend on.
struct ArgumentPlace {
    std::string className;
    std::vector<Shape> inputs;   ///< with the batch; empty for what is no layer
    std::string policy;          ///< dtype of the layer
    bool replicated = false;     ///< several replicas train: no layer may keep a state
    std::vector<std::string> no; ///< arguments that keep their defaults
};

/// A value for each argument, by the type, range and words that its ParamInfo states. A few arguments whose values depend on the
/// inputs (target_shape, dims, axes, …) have rules of their own. The layer's or optimizer's own check may still refuse the whole.
model::Json drawConfig(Draw &draw, std::span<model::ParamInfo const> params, ArgumentPlace const &place);

/// {"class_name", "config"} of a layer, with `dtype` and `trainable`.
model::Json drawLayerJson(Draw &draw, model::LayerSpec const &spec, ArgumentPlace const &place);

/// The size of something: mostly below ten, seldom some hundred.
std::int64_t drawSize(Draw &draw);
/// Extents whose product is `elements`.
std::vector<std::int64_t> drawFactors(Draw &draw, std::int64_t elements, std::size_t count);

} // namespace tilewright::random_models
