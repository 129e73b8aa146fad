#pragma once

#include "engine/core/types.h"
#include "engine/graph/prims.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::graph {

using tilewright::toText; // keeps the overloads of core visible

/// One instruction of a fused elementwise expression. Arguments 0 … operands-1 are operands of the node; operands + k is the result of
/// instruction k.
struct Instr {
    Prim prim = Prim::Add;
    int args[3] = {-1, -1, -1};
    double p0 = 0, p1 = 0;
    bool operator==(Instr const &) const = default;
};

/// A chain of primitives over `operands` inputs, evaluated per element; the last instruction is the result.
struct Expr {
    int operands = 0;
    std::vector<Instr> instrs;
    bool operator==(Expr const &) const = default;
};

/// "2: add a0 a1; relu t0; leaky_relu(0.3) t1"; parseExpr reads it back.
std::string toText(Expr const &expr);
Result<Expr> parseExpr(std::string_view text);

/// Operands of a gradient expression: x, y and z, the primitive's operands; its result; the gradient of the result; the number 0.
enum GradientOperand { kGradientX, kGradientY, kGradientZ, kGradientResult, kGradientD, kGradientZero, kGradientOperands };
/// The gradient of a primitive for one of its operands, over GradientOperand. Without instructions: the unchanged gradient of the result.
/// nullopt: constant almost everywhere, or the primitive is a gradient itself (training differentiates once).
std::optional<Expr> gradientExpr(Prim prim, int operand, double p, double q);

/// Relations of an elementwise operand to the output that executors read in place. Rows: all axes but the last; columns: the last axis.
enum class Broadcast : std::uint8_t {
    Full,   ///< no axis is repeated
    Scalar, ///< one element
    Row,    ///< one row, repeated for each row (bias)
    Column  ///< one element per row, repeated along the row
};
struct RowsCols;
/// For blocks on a tile. nullopt: incompatible. An operand that fits as a row and as a column is a row.
std::optional<Broadcast> findBroadcast(RowsCols operand, RowsCols output);
/// For tensors that broadcast by numpy's rule (axes.h). nullopt: the operand is repeated along other axes, or does not broadcast.
std::optional<Broadcast> findBroadcast(Shape const &operand, Shape const &output);

struct Node;
/// The expression of any elementwise node, fused or not. Requires: the node is elementwise.
Expr exprOf(Node const &node);
bool isElementwise(std::string_view op);

} // namespace tilewright::graph
