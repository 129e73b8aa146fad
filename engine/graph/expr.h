#pragma once

#include "engine/core/types.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::graph {

using tilewright::toText; // the overloads of core stay visible beside ours

/// Primitive scalar functions of elementwise nodes. An elementwise node's `op` is the primitive's name;
/// a fused one is `map` with attribute `expr`. Definitions (x, y operands, p the parameter `p0`, q `p1`):
enum class Prim : std::uint8_t {
    Add, Sub, Mul, Div, Max, Min,      ///< binary
    Neg, Abs, Square, Sqrt, Rsqrt, Reciprocal, Exp, Log, Log1p, Tanh, Sigmoid, Sign,
    Relu,          ///< max(x, 0)
    LeakyRelu,     ///< x >= 0 ? x : p x
    Elu,           ///< x > 0 ? x : p (e^x - 1)
    Selu,          ///< 1.05070098 (x > 0 ? x : 1.67326324 (e^x - 1))
    Softplus,      ///< log(1 + e^x), stable
    Softsign,      ///< x / (1 + |x|)
    HardSigmoid,   ///< clip(0.2 x + 0.5, 0, 1)
    Gelu,          ///< 0.5 x (1 + erf(x / sqrt 2))
    GeluTanh,      ///< tanh approximation
    Swish,         ///< x sigmoid(x)
    ReluGrad,      ///< (y, dy): y > 0 ? dy : 0, y the relu's output
    TanhGrad,      ///< (y, dy): dy (1 - y^2)
    SigmoidGrad,   ///< (y, dy): dy y (1 - y)
    LeakyReluGrad, ///< (x, dy): x >= 0 ? dy : p dy
    EluGrad,       ///< (x, dy): x > 0 ? dy : dy p e^x
    SeluGrad, SoftplusGrad, SoftsignGrad, HardSigmoidGrad, GeluGrad, GeluTanhGrad, SwishGrad, ///< (x, dy)
    MaxGrad,       ///< (x, y, dy): x >= y ? dy : 0: share of the first operand of max (of min with swapped operands)
    AddScalar,     ///< x + p
    MulScalar,     ///< x p
    MaxScalar,     ///< max(x, p)
    Clip,          ///< min(max(x, p), q)
    ClipGrad,      ///< (x, dy): p <= x <= q ? dy : 0
    Step,          ///< x > p ? 1 : 0
    Equal, Greater, GreaterEqual, ///< (x, y): 1 or 0, as the operands' type
    Select,        ///< (c, x, y): c != 0 ? x : y
    Axpby,         ///< (x, y): p x + q y
};

struct PrimInfo {
    Prim prim;
    std::string_view name;  ///< "add", "leaky_relu": the node's op
    int arity;
    int parameters;         ///< 0 to 2: attributes p0, p1
    int flops;              ///< per element, for reports (transcendental = 1)
};
std::span<PrimInfo const> primitives();
PrimInfo const *findPrimitive(std::string_view name);
PrimInfo const &info(Prim prim);

/// One instruction of a fused elementwise expression. Arguments: 0 … operands-1 are operands of the
/// node; operands + k is the result of instruction k.
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

/// How an operand of an elementwise node meets the output's rows x cols.
enum class Broadcast : std::uint8_t {
    Full,   ///< same element count
    Scalar, ///< one element
    Row,    ///< one row of `cols` elements, repeated for each row (bias)
    Column  ///< one element per row, repeated along the row
};
struct RowsCols;
/// The one rule, for tensors and for the blocks of them that a tile holds; none: the operand does not meet the output. What fits as
/// a row and as a column is a row.
std::optional<Broadcast> findBroadcast(RowsCols operand, RowsCols output);
std::optional<Broadcast> findBroadcast(Shape const &operand, Shape const &output);
/// Requires: the operand meets the output.
Broadcast broadcastOf(Shape const &operand, Shape const &output);
/// The operand's element that meets element `index` of an output of `cols` columns.
std::int64_t elementMet(Broadcast how, std::int64_t index, std::int64_t cols);

struct Node;
/// The expression of any elementwise node, fused or not. Requires: the node is elementwise.
Expr exprOf(Node const &node);
bool isElementwise(std::string_view op);

} // namespace tilewright::graph
