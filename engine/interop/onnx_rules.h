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
/// Constants that are no parameters: a layer with them is not trained.
void freeze(OnnxConversion &conversion, OnnxOperand const &result);
/// A constant of float32.
OnnxOperand constantOf(Shape shape, std::vector<float> values);

} // namespace tilewright::interop
