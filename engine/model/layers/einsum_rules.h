#pragma once

#include "engine/model/layer_spec.h"

#include <string>

namespace tilewright::model {

/// The equation of an EinsumDense layer for one input, one symbol for each axis. The axes that "..." stands for have symbols of their own.
struct EinsumForm {
    std::string input, kernel, output;
    Shape kernelShape, outputShape, biasShape; ///< biasShape: empty without a bias; aligned at the output's last axis
};
/// Rules of keras.layers.EinsumDense 2.6. Error model.bad-argument or model.shape names the letter.
Result<EinsumForm> einsumForm(Layer const &layer, Shape const &input);

} // namespace tilewright::model
