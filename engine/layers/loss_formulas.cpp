#include "engine/layers/loss_formulas.h"

#include "engine/graph/axes.h"

#include <array>
#include <numbers>
#include <utility>

namespace tilewright::layers {

using namespace graph;

ValueId clippedProbability(BuildContext &c, ValueId p)
{
    return c.op("clip", {p}, {{"p0", kLossEpsilon}, {"p1", 1.0 - kLossEpsilon}}, "Clip");
}

ValueId sumOverLast(BuildContext &c, ValueId value) { return c.op("reduce_sum", {value}, {{"axes", Shape{-1}}}, "Sum"); }

ValueId meanOverLast(BuildContext &c, ValueId value)
{
    auto const count = alongLast(c.value(value).shape).n;
    auto const sum = sumOverLast(c, value);
    return count == 1 ? sum : c.divided(sum, static_cast<double>(count), "Mean");
}

ValueId columnOf(BuildContext &c, ValueId value)
{
    Shape column = c.value(value).shape;
    column.push_back(1);
    return c.reshape(value, column);
}

namespace {

ValueId plus(BuildContext &c, ValueId v, double number, char const *leaf) { return c.op("add_scalar", {v}, {{"p0", number}}, leaf); }
ValueId atLeast(BuildContext &c, ValueId v, double number) { return c.op("max_scalar", {v}, {{"p0", number}}, "AtLeast"); }
/// Negative numbers become 0; the derivative at 0 is that of its right side, as TensorFlow's maximum has it.
ValueId positivePart(BuildContext &c, ValueId v) { return c.op("leaky_relu", {v}, {{"p0", 0.0}}, "PositivePart"); }
ValueId error(BuildContext &c, ValueId p, ValueId y) { return c.op("sub", {p, y}, {}, "Difference"); }

ValueId squaredError(BuildContext &c, model::Loss const &, ValueId p, ValueId y)
{
    return meanOverLast(c, c.op("square", {error(c, p, y)}));
}

ValueId absoluteError(BuildContext &c, model::Loss const &, ValueId p, ValueId y) { return meanOverLast(c, c.op("abs", {error(c, p, y)})); }

ValueId absolutePercentageError(BuildContext &c, model::Loss const &, ValueId p, ValueId y)
{
    auto const size = atLeast(c, c.op("abs", {y}, {}, "Size"), kLossEpsilon);
    return c.scaled(meanOverLast(c, c.op("abs", {c.op("div", {error(c, p, y), size}, {}, "Relative")})), 100.0, "Percent");
}

ValueId squaredLogarithmicError(BuildContext &c, model::Loss const &, ValueId p, ValueId y)
{
    auto const log = [&](ValueId v) { return c.op("log", {plus(c, atLeast(c, v, kLossEpsilon), 1.0, "AddOne")}, {}, "Log"); };
    return meanOverLast(c, c.op("square", {c.op("sub", {log(p), log(y)}, {}, "LogDifference")}));
}

/// With q = min(|e|, delta): q^2 / 2 + delta (|e| - q), which is both of its branches at once.
ValueId huber(BuildContext &c, model::Loss const &loss, ValueId p, ValueId y)
{
    double const delta = loss.number("delta");
    auto const size = c.op("abs", {error(c, p, y)}, {}, "Size");
    auto const inner = c.op("clip", {size}, {{"p0", 0.0}, {"p1", delta}}, "Inner");
    auto const outer = c.scaled(c.op("sub", {size, inner}, {}, "Beyond"), delta, "Outer");
    return meanOverLast(c, c.op("add", {c.scaled(c.op("square", {inner}), 0.5, "Half"), outer}, {}, "Huber"));
}

/// log cosh e = e + softplus(-2 e) - log 2
ValueId logCosh(BuildContext &c, model::Loss const &, ValueId p, ValueId y)
{
    auto const e = error(c, p, y);
    auto const tail = c.op("softplus", {c.scaled(e, -2.0, "Twice")}, {}, "Softplus");
    return meanOverLast(c, plus(c, c.op("add", {e, tail}, {}, "Add"), -std::numbers::ln2, "LogCosh"));
}

/// Labels of a micro-batch that are all 0 or 1 become -1 and 1: 2 y - 1, else y.
ValueId signedLabels(BuildContext &c, ValueId y)
{
    auto const lessOne = plus(c, y, -1.0, "LessOne");
    auto const binary = c.op("equal", {c.op("mul", {y, lessOne}, {}, "Product"), c.b.constant(0.0)}, {}, "IsBinary");
    auto const share = c.mean(binary, "BinaryShare"); // 1 only where all are
    auto const all = c.op("step", {share}, {{"p0", 1.0 - 0.5 / static_cast<double>(elementCount(c.value(y).shape))}}, "AllBinary");
    return c.op("add", {y, c.op("mul", {lessOne, all}, {}, "Convert")}, {}, "Labels");
}

ValueId margins(BuildContext &c, ValueId p, ValueId y)
{
    auto const agreement = c.op("mul", {signedLabels(c, y), p}, {}, "Agreement");
    return positivePart(c, plus(c, c.op("neg", {agreement}, {}, "Neg"), 1.0, "Margin"));
}

ValueId hinge(BuildContext &c, model::Loss const &, ValueId p, ValueId y) { return meanOverLast(c, margins(c, p, y)); }
ValueId squaredHinge(BuildContext &c, model::Loss const &, ValueId p, ValueId y)
{
    return meanOverLast(c, c.op("square", {margins(c, p, y)}));
}

/// max(max((1 - y) p) - sum(y p) + 1, 0); several largest share the derivative.
ValueId categoricalHinge(BuildContext &c, model::Loss const &, ValueId p, ValueId y)
{
    auto const right = sumOverLast(c, c.op("mul", {y, p}, {}, "Right"));
    auto const wrong = c.op("mul", {plus(c, c.op("neg", {y}, {}, "Neg"), 1.0, "Others"), p}, {}, "Wrong");
    auto const most = columnOf(c, c.op("reduce_max", {wrong}, {{"axes", Shape{-1}}}, "Most"));
    auto const chosen = c.op("equal", {wrong, most}, {}, "IsMost");
    auto const largest = c.op("div", {sumOverLast(c, c.op("mul", {wrong, chosen}, {}, "Chosen")), sumOverLast(c, chosen)}, {}, "Largest");
    return positivePart(c, plus(c, c.op("sub", {largest, right}, {}, "Lead"), 1.0, "Margin"));
}

ValueId poisson(BuildContext &c, model::Loss const &, ValueId p, ValueId y)
{
    auto const log = c.op("log", {plus(c, p, kLossEpsilon, "AddEpsilon")}, {}, "Log");
    return meanOverLast(c, c.op("sub", {p, c.op("mul", {y, log}, {}, "Mul")}, {}, "Poisson"));
}

ValueId divergence(BuildContext &c, model::Loss const &, ValueId p, ValueId y)
{
    auto const clip = [&](ValueId v) { return c.op("clip", {v}, {{"p0", kLossEpsilon}, {"p1", 1.0}}, "Clip"); };
    auto const labels = clip(y);
    auto const ratio = c.op("log", {c.op("div", {labels, clip(p)}, {}, "Ratio")}, {}, "Log");
    return sumOverLast(c, c.op("mul", {labels, ratio}, {}, "Mul"));
}

/// v / |v| along an axis, where |v|^2 is at least 1e-12
ValueId direction(BuildContext &c, ValueId v, std::int64_t axis)
{
    auto const squares = c.op("reduce_sum", {c.op("square", {v})}, {{"axes", Shape{axis}}, {"keepdims", true}}, "Sum");
    return c.op("mul", {v, c.op("rsqrt", {atLeast(c, squares, 1e-12)}, {}, "InverseNorm")}, {}, "Direction");
}

ValueId cosineSimilarity(BuildContext &c, model::Loss const &loss, ValueId p, ValueId y)
{
    auto const axis = static_cast<std::int64_t>(loss.number("axis"));
    auto const products = c.op("mul", {direction(c, y, axis), direction(c, p, axis)}, {}, "Mul");
    return c.op("neg", {c.op("reduce_sum", {products}, {{"axes", Shape{axis}}}, "Sum")}, {}, "Neg");
}

constexpr std::array kFormulas{
    std::pair{std::string_view("MeanSquaredError"), &squaredError},
    std::pair{std::string_view("MeanAbsoluteError"), &absoluteError},
    std::pair{std::string_view("MeanAbsolutePercentageError"), &absolutePercentageError},
    std::pair{std::string_view("MeanSquaredLogarithmicError"), &squaredLogarithmicError},
    std::pair{std::string_view("Huber"), &huber},
    std::pair{std::string_view("LogCosh"), &logCosh},
    std::pair{std::string_view("Hinge"), &hinge},
    std::pair{std::string_view("SquaredHinge"), &squaredHinge},
    std::pair{std::string_view("CategoricalHinge"), &categoricalHinge},
    std::pair{std::string_view("Poisson"), &poisson},
    std::pair{std::string_view("KLDivergence"), &divergence},
    std::pair{std::string_view("CosineSimilarity"), &cosineSimilarity},
};

} // namespace

LossFormula findLossFormula(std::string_view className)
{
    for (auto const &[name, formula] : kFormulas)
        if (name == className) return formula;
    return nullptr;
}

} // namespace tilewright::layers
