#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <string>
#include <string_view>

namespace tilewright::model {

/// A model from what Keras 2's (and tf.keras's) to_json writes: Sequential with or without InputLayer,
/// Functional and its older name Model. Structure is checked here, layers by resolve(): unknown classes
/// and arguments are kept so that an editor can show them. Every known layer comes out normalised, in
/// Keras's order where the graph allows. Pipeline stages are read from "pipeline_stage" beside a
/// layer's config: a number, or a list with one per call. Errors: model.json, model.format,
/// model.duplicate-name.
Result<Model> parseKerasJson(std::string_view text, std::string const &subject = "model");
Result<Model> modelFromKeras(Json const &json, std::string const &subject = "model");

/// The form of Keras 2.6's to_json, byte for byte for a model without pipeline stages: keys in Keras's
/// order, all arguments of known classes written. parseKerasJson(printKerasJson(m)) == m for every m
/// that parseKerasJson returned.
std::string printKerasJson(Model const &model);
OrderedJson modelToKeras(Model const &model);

} // namespace tilewright::model
