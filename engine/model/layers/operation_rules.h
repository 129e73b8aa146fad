#pragma once

#include "engine/model/layer_spec.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// How the shape of an operator's result follows from its operands.
enum class OperatorShape : std::uint8_t {
    Same,      ///< that of the operand
    Broadcast, ///< numpy's, behind the batch
    Product,   ///< of matrices in the last two axes
    Reduced,   ///< without the axes of `axes`, or with extents of 1
    Sliced,
    Padded,
    Tiled,
    Expanded,
    Gathered,
    Resized,
    Encoded, ///< a row for each number
    Fixed    ///< numbers that no operand changes
};

/// An operator of ONNX that a layer Operation computes, with axes counted as in Keras: the batch is axis 0, and no operator moves it.
struct OperatorSpec {
    std::string_view name;
    OperatorShape shape = OperatorShape::Same;
    int minInputs = 1, maxInputs = 1;
    std::vector<std::string_view> required = {}; ///< arguments of the layer that must be given
    std::vector<std::string_view> optional = {}; ///< arguments that may be
};

std::span<OperatorSpec const> operatorSpecs();
/// Null: no operator of that name.
OperatorSpec const *findOperator(std::string_view name);

/// The axes of the argument, from 1, in the given order. Error model.shape: an axis that the input does not have, or the batch.
Result<std::vector<std::size_t>> operationAxes(Layer const &layer, Shape const &input);

/// First index, number and step along each axis of a slice.
struct SlicedAxes {
    Shape begin, size, step;
};
Result<SlicedAxes> slicedAxes(Layer const &layer, Shape const &input);

/// Whether an operand of the operation is a weight of the layer, "constant".
inline bool hasConstant(Layer const &layer) { return !layer.isNull("constant_shape"); }

} // namespace tilewright::model
