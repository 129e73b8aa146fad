#pragma once

#include "engine/model/model.h"

#include <string>
#include <vector>

namespace tilewright::model {

/// Appends a layer to a functional model, after the given layers.
void appendLayer(Model &model, Layer layer, std::vector<std::string> const &from);

/// One encoder block of "Attention Is All You Need": attention and two dense layers, each with its sum and norm.
struct EncoderBlock {
    int width = 0, heads = 0, inner = 0;
    std::string activation = "relu";
    double epsilon = 0.001;        ///< of the norms
    std::string dtype = "float32"; ///< dtype policy of its layers
    int stage = -1;                ///< pipeline stage; -1: none
};
/// Appends a block after layer `x`. Names its layers with `prefix`. Returns the name of its last layer.
std::string appendEncoderBlock(Model &model, EncoderBlock const &block, std::string const &prefix, std::string const &x);

} // namespace tilewright::model
