#pragma once

#include "engine/core/result.h"
#include "engine/interop/onnx_conversion.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::interop {

/// How nodes of an operator become layers. An operator that Keras has no layer for becomes layers of class Operation.
struct OnnxRule {
    std::string_view op;
    Status (*convert)(OnnxConversion &conversion, OnnxNode const &node);
    bool takesConstant = false; ///< the first input may be a constant while others are computed
};

/// The rules by subject, each list in its file.
std::span<OnnxRule const> elementRules();
std::span<OnnxRule const> axisRules();
std::span<OnnxRule const> moveRules();
std::span<OnnxRule const> productRules();
std::span<OnnxRule const> windowRules();
std::span<OnnxRule const> normRules();
std::span<OnnxRule const> recurrentRules();
std::span<OnnxRule const> lossRules();
std::span<OnnxRule const> indexRules();
std::span<OnnxRule const> einsumRules();
std::span<OnnxRule const> quantizedRules();

/// Null: nodes of this operator cannot become layers.
OnnxRule const *findOnnxRule(std::string_view op);

// Helpers of several lists.

/// Sets the node's first output. `type`: of its elements, if it is not that of the result.
Status keep(OnnxConversion &conversion, OnnxNode const &node, Result<OnnxOperand> result, std::optional<OnnxType> type = {});

/// A layer of class Operation. `config` without the operator.
Result<OnnxOperand> operation(OnnxConversion &conversion, std::string const &op, model::Json config, std::vector<OnnxOperand> const &inputs,
                              std::vector<FileArray> arrays = {});
/// The same for one operand whose axes stay.
Result<OnnxOperand> elementwise(OnnxConversion &conversion, std::string const &op, model::Json config, OnnxOperand const &operand);
/// Arithmetic of two operands, of which one may be a constant: a layer of Keras, or an Operation.
Result<OnnxOperand> arithmetic(OnnxConversion &conversion, std::string const &op, OnnxOperand const &a, OnnxOperand const &b);
/// The second operand where the first is not 0, else the third; operands may be constants, but not all of them.
Result<OnnxOperand> selection(OnnxConversion &conversion, std::vector<OnnxOperand> const &operands);
/// A matrix product as numpy's matmul.
Result<OnnxOperand> matrixProduct(OnnxConversion &conversion, OnnxOperand const &a, OnnxOperand const &b);
/// A reduction of these axes of ONNX.
Result<OnnxOperand> reducedBy(OnnxConversion &conversion, std::string const &op, OnnxOperand const &x, std::vector<std::size_t> const &gone,
                              bool keeps);
/// One-hot rows of whole numbers along a new axis `axis` of the result. Numbers below 0 count from the end, those outside give zeros.
Result<OnnxOperand> oneHotRows(OnnxConversion &conversion, OnnxOperand const &x, std::int64_t size, std::size_t axis);
/// The axis of the attribute, counted from 0. Error: the operand does not have it.
Result<std::size_t> axisOf(OnnxNode const &node, OnnxOperand const &x, std::int64_t otherwise);
/// Constants that are no parameters: a layer with them is not trained.
void freeze(OnnxConversion &conversion, OnnxOperand const &result);
/// A constant of float32.
OnnxOperand constantOf(Shape shape, std::vector<float> values);

} // namespace tilewright::interop
