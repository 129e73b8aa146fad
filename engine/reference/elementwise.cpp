#include "engine/graph/expr.h"
#include "engine/reference/reference_ops.h"

#include <algorithm>
#include <cmath>

namespace tilewright::reference {

namespace {

using graph::Prim;

constexpr double kPi = 3.14159265358979323846;
constexpr double kSeluScale = 1.05070098;
constexpr double kSeluAlpha = 1.67326324;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double normalDensity(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2.0 * kPi); }
double normalBelow(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
/// Of two numbers as numpy orders them: a NaN wins.
double larger(double x, double y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : (x > y ? x : y); }
double smaller(double x, double y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : (x < y ? x : y); }
/// a b, where a factor of exactly 0 stands for a limit that outruns an infinite other.
double vanishing(double a, double b) { return a == 0 || b == 0 ? 0.0 : a * b; }

double tanhArgument(double x) { return std::sqrt(2.0 / kPi) * (x + 0.044715 * x * x * x); }

double primitive(Prim prim, double x, double y, double z, double p, double q)
{
    switch (prim) {
    case Prim::Add: return x + y;
    case Prim::Sub: return x - y;
    case Prim::Mul: return x * y;
    case Prim::Div: return x / y;
    case Prim::Max: return larger(x, y);
    case Prim::Min: return smaller(x, y);
    case Prim::Neg: return -x;
    case Prim::Abs: return std::abs(x);
    case Prim::Square: return x * x;
    case Prim::Sqrt: return std::sqrt(x);
    case Prim::Rsqrt: return 1.0 / std::sqrt(x);
    case Prim::Reciprocal: return 1.0 / x;
    case Prim::Exp: return std::exp(x);
    case Prim::Log: return std::log(x);
    case Prim::Log1p: return std::log1p(x);
    case Prim::Tanh: return std::tanh(x);
    case Prim::Sigmoid: return sigmoid(x);
    case Prim::Sign: return std::isnan(x) ? x : (x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0));
    case Prim::Relu: return larger(x, 0.0);
    case Prim::LeakyRelu: return x >= 0 ? x : p * x;
    case Prim::Elu: return x > 0 ? x : p * std::expm1(x);
    case Prim::Selu: return kSeluScale * (x > 0 ? x : kSeluAlpha * std::expm1(x));
    case Prim::Softplus: return std::isnan(x) ? x : std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
    case Prim::Softsign: return x / (1.0 + std::abs(x));
    case Prim::HardSigmoid: return smaller(larger(0.2 * x + 0.5, 0.0), 1.0);
    case Prim::Gelu: return x * normalBelow(x);
    case Prim::GeluTanh: return 0.5 * x * (1.0 + std::tanh(tanhArgument(x)));
    case Prim::Swish: return x * sigmoid(x);
    case Prim::ReluGrad: return x > 0 ? y : 0.0;
    case Prim::TanhGrad: return y * (1.0 - x * x);
    case Prim::SigmoidGrad: return y * x * (1.0 - x);
    case Prim::LeakyReluGrad: return x >= 0 ? y : p * y;
    case Prim::EluGrad: return x > 0 ? y : y * p * std::exp(x);
    case Prim::SeluGrad: return kSeluScale * (x > 0 ? y : y * kSeluAlpha * std::exp(x));
    case Prim::SoftplusGrad: return y * sigmoid(x);
    case Prim::SoftsignGrad: return y / ((1.0 + std::abs(x)) * (1.0 + std::abs(x)));
    case Prim::HardSigmoidGrad: return x >= -2.5 && x <= 2.5 ? 0.2 * y : 0.0;
    case Prim::GeluGrad: return y * (normalBelow(x) + vanishing(x, normalDensity(x)));
    case Prim::GeluTanhGrad: {
        double const t = std::tanh(tanhArgument(x));
        double const inner = std::sqrt(2.0 / kPi) * (1.0 + 3.0 * 0.044715 * x * x);
        return y * (0.5 * (1.0 + t) + vanishing(1.0 - t * t, 0.5 * x * inner));
    }
    case Prim::SwishGrad: {
        double const s = sigmoid(x);
        return y * (s + vanishing(s * (1.0 - s), x));
    }
    case Prim::MaxGrad: return x >= y ? z : 0.0;
    case Prim::Select: return x != 0 ? y : z;
    case Prim::AddScalar: return x + p;
    case Prim::MulScalar: return x * p;
    case Prim::MaxScalar: return larger(x, p);
    case Prim::Clip: return smaller(larger(x, p), q);
    case Prim::ClipGrad: return p <= x && x <= q ? y : 0.0;
    case Prim::Step: return x > p ? 1.0 : 0.0;
    case Prim::Equal: return x == y ? 1.0 : 0.0;
    case Prim::Greater: return x > y ? 1.0 : 0.0;
    case Prim::GreaterEqual: return x >= y ? 1.0 : 0.0;
    case Prim::Axpby: return p * x + q * y;
    }
    return 0.0;
}

} // namespace

Status evaluateElementwise(Call const &call)
{
    auto const expr = graph::exprOf(call.node);
    TW_TRY(expectCounts(call, static_cast<std::size_t>(expr.operands), 1));
    if (expr.instrs.empty()) return badOperands(call.node, "the expression is empty.");
    auto &out = call.out[0];
    auto const rc = graph::rowsCols(out.shape);
    std::int64_t const n = rc.rows * rc.cols;
    std::vector<graph::Broadcast> reach;
    for (auto const &operand : call.in) {
        auto const how = graph::findBroadcast(operand.shape, out.shape);
        if (!how) return badOperands(call.node, "operand " + toText(operand.shape) + " does not broadcast to " + toText(out.shape) + ".");
        reach.push_back(*how);
    }
    std::vector<double> values(static_cast<std::size_t>(expr.operands) + expr.instrs.size());
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < call.in.size(); ++k) {
            auto const at = graph::elementMet(reach[k], i, rc.cols);
            values[k] = call.in[k].v[static_cast<std::size_t>(at)];
        }
        for (std::size_t k = 0; k < expr.instrs.size(); ++k) {
            auto const &instr = expr.instrs[k];
            double args[3] = {0, 0, 0};
            for (int a = 0; a < graph::info(instr.prim).arity; ++a) args[a] = values[static_cast<std::size_t>(instr.args[a])];
            bool const last = k + 1 == expr.instrs.size();
            // Inside a fused expression of halves, intermediate results are floats.
            DType const type = last || out.dtype != DType::F16 ? out.dtype : DType::F32;
            values[call.in.size() + k] =
                roundTo(primitive(instr.prim, args[0], args[1], args[2], instr.p0, instr.p1), type, call.context.precision);
        }
        out.v[static_cast<std::size_t>(i)] = values.back();
    }
    return {};
}

} // namespace tilewright::reference
