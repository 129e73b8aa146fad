// An expression of elements: one primitive per function, fused later to one program for all of them.
#include "engine/graph/prims.h"
#include "engine/layers/layer_builder.h"
#include "engine/model/layers/expression_rules.h"

#include <array>
#include <cmath>
#include <optional>

namespace tilewright::layers {

using namespace graph;

namespace {

constexpr int kMostFactors = 16; ///< of a power of whole numbers that becomes products

/// A part of the expression: a number, or a tensor of the output's shape.
struct Term {
    std::optional<double> number;
    ValueId value;
};

class ExpressionBuilder {
public:
    ExpressionBuilder(BuildContext &context, Shape shape, DType dtype, std::span<ValueId const> inputs)
        : c(context), m_shape(std::move(shape)), m_dtype(dtype)
    {
        for (auto const input : inputs) m_inputs.push_back(aligned(c, input, m_shape));
    }

    ValueId tensor(Formula const &formula) { return tensor(evaluate(formula)); }

private:
    ValueId tensor(Term const &term) { return term.number ? c.broadcast(c.b.constant(*term.number, {}, m_dtype), m_shape) : term.value; }

    Term evaluate(Formula const &formula)
    {
        if (formula.kind == Formula::Kind::Number) return {formula.number, {}};
        if (formula.kind == Formula::Kind::Name) return {std::nullopt, m_inputs[model::inputNumber(formula.name) - 1]};
        std::vector<Term> terms;
        bool known = true;
        for (auto const &argument : formula.arguments) {
            terms.push_back(evaluate(argument));
            known = known && terms.back().number;
        }
        if (!known) return {std::nullopt, call(formula.name, terms)};
        std::array<double, 3> values{};
        for (std::size_t i = 0; i < terms.size(); ++i) values[i] = *terms[i].number;
        return {findFormulaFunction(formula.name)->value(values[0], values[1], values[2]), {}};
    }

    /// With a primitive of one operand where an argument is a number.
    ValueId call(std::string const &function, std::vector<Term> const &x)
    {
        auto const scalar = [&](char const *op, double number, Term const &other) {
            return c.op(op, {other.value}, {{"p0", number}}, "Expression");
        };
        if (function == "add" || function == "mul" || function == "max")
            for (std::size_t i = 0; i < 2; ++i)
                if (x[i].number)
                    return scalar(function == "add"       ? "add_scalar"
                                      : function == "mul" ? "mul_scalar"
                                                          : "max_scalar",
                                  *x[i].number, x[1 - i]);
        if (function == "sub" && x[1].number) return scalar("add_scalar", -*x[1].number, x[0]);
        if (function == "div" && x[1].number && *x[1].number != 0) return c.divided(x[0].value, *x[1].number, "Expression");
        if (function == "pow") return power(x[0], x[1]);
        std::vector<ValueId> operands;
        for (auto const &term : x) operands.push_back(term.number ? c.b.constant(*term.number, {}, m_dtype) : term.value);
        TW_CHECK(findPrimitive(function), "no operation computes " + function);
        return c.op(function, std::move(operands), {}, "Expression");
    }

    /// Products for a small whole exponent, which a negative base may have; else exp(exponent log(base)).
    ValueId power(Term const &base, Term const &exponent)
    {
        auto const unary = [&](char const *op, ValueId value) { return c.op(op, {value}, {}, "Expression"); };
        if (exponent.number && *exponent.number == 0.5) return unary("sqrt", base.value);
        if (exponent.number && *exponent.number == std::trunc(*exponent.number) && std::abs(*exponent.number) <= kMostFactors) {
            auto left = static_cast<int>(std::abs(*exponent.number));
            if (left == 0) return tensor(Term{1.0, {}});
            ValueId square = base.value, result;
            for (; left > 0; left /= 2) {
                if (left % 2 == 1) result = result.valid() ? c.op("mul", {result, square}, {}, "Expression") : square;
                if (left > 1) square = unary("square", square);
            }
            return *exponent.number < 0 ? unary("reciprocal", result) : result;
        }
        auto const logarithm = base.number ? Term{std::log(*base.number), {}} : Term{std::nullopt, unary("log", base.value)};
        return unary("exp", call("mul", {exponent, logarithm}));
    }

    BuildContext &c;
    Shape m_shape;
    DType m_dtype;
    std::vector<ValueId> m_inputs;
};

} // namespace

Result<std::vector<ValueId>> buildLambda(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    TW_ASSIGN(auto const formula, model::expressionOf(context.layerOf(call)));
    return std::vector<ValueId>{ExpressionBuilder(context, context.shapeOf(call), call.dtype, inputs).tensor(formula)};
}

} // namespace tilewright::layers
