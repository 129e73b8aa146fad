#pragma once

#include "engine/model/model.h"
#include "engine/model/resolve.h"
#include "tests/random_models/draw.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::random_models {

/// What a model is to be drawn like.
struct ModelWishes {
    std::vector<std::string> classes; ///< layer classes that it has
    int furtherLayers = 0;            ///< besides those, and what connects them
    int stages = 1;
    bool replicated = false;
    bool needsClasses = false;      ///< the first output has two classes or more on its last axis
    bool positive = false;          ///< the first output is positive: the loss takes its logarithm
    std::string policy = "float32"; ///< dtype of most layers
};

/// A model that resolve() accepts, with inputs and one or two outputs. Layer after layer is drawn and kept where resolve() accepts
/// it; what nothing reads becomes an output or is joined to the others.
model::Model drawModel(Draw &draw, ModelWishes const &wishes);

/// The smallest table that an Embedding of the model has: its inputs hold numbers below. 2 where there is none.
std::int64_t indexBound(model::Model const &model);

} // namespace tilewright::random_models
