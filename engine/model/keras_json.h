#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <string>
#include <string_view>

namespace tilewright::model {

/// Reads a model from the output of Keras 2's (and tf.keras's) to_json: Sequential with or without InputLayer, Functional, and its older
/// name Model. Checks the structure only; resolve() checks the layers. Unknown classes and arguments are kept so that an editor can show
/// them. Every known layer is normalised, in Keras's order if the graph allows it. Pipeline stages are read from "pipeline_stage" beside a
/// layer's config: a number, or a list with one per call. Errors: model.json, model.format, model.duplicate-name.
Result<Model> parseKerasJson(std::string_view text, std::string const &subject = "model");
Result<Model> modelFromKeras(Json const &json, std::string const &subject = "model");

/// Writes the form of Keras 2.6's to_json, byte for byte for a model without pipeline stages: keys in Keras's order, all arguments of known
/// classes. parseKerasJson(printKerasJson(m)) == m for every m returned by parseKerasJson.
std::string printKerasJson(Model const &model);
OrderedJson modelToKeras(Model const &model);

} // namespace tilewright::model
