#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// Reads the output of to_json of Keras 2, tf.keras and Keras 3: Sequential with or without InputLayer, Functional and its older
/// name Model. The JSON may also be inside a JSON string. Checks the structure only; resolve() checks the layers. Keeps unknown
/// classes and arguments, so that an editor can show them. Every known layer comes out normalised, in Keras's order where
/// the graph allows. Pipeline stages are read from "pipeline_stage" beside a layer's config: a number, or a list with one per call. Errors:
/// model.json, model.format, model.duplicate-name.
Result<Model> parseKerasJson(std::string_view text, std::string const &subject = "model");
Result<Model> modelFromKeras(Json const &json, std::string const &subject = "model");
/// The document in such a text, before its layers are read: for readers that change it first.
Result<Json> kerasDocument(std::string_view text, std::string const &subject);

/// Gives the open axes (null) of input layer `input` sizes, the batch excepted: one size for all of them, or one for each in order.
/// Errors: model.no-layer, model.no-open-axis.
Status closeInput(Model &model, std::string const &input, std::vector<std::int64_t> const &sizes);

/// The form of Keras 2.6's to_json, byte for byte for a model without pipeline stages: keys in Keras's
/// order, all arguments of known classes written. parseKerasJson(printKerasJson(m)) == m for every m
/// that parseKerasJson returned.
std::string printKerasJson(Model const &model);
OrderedJson modelToKeras(Model const &model);

} // namespace tilewright::model
