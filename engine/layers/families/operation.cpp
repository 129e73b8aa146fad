#include "engine/layers/layer_builder.h"
#include "engine/model/layers/operation_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace tilewright::layers {

using namespace graph;

namespace {

/// The graph of one operator. Names of nodes follow the operations of the graph.
class OperatorGraph {
public:
    OperatorGraph(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
        : m_context(context), m_call(call), m_layer(context.layerOf(call)), m_inputs(inputs), m_operator(m_layer.text("operator"))
    {
    }

    Result<ValueId> build()
    {
        using Kind = model::OperatorShape;
        switch (model::findOperator(m_operator)->shape) {
        case Kind::Same: return same(m_inputs[0]);
        case Kind::Broadcast: return m_inputs.size() == 3 ? select() : arithmetic();
        case Kind::Product: return product();
        case Kind::Reduced: return reduced(m_inputs[0]);
        case Kind::Sliced: return sliced(m_inputs[0]);
        case Kind::Padded: return padded(m_inputs[0]);
        case Kind::Tiled: return tiled(m_inputs[0]);
        case Kind::Expanded: return m_context.broadcast(m_inputs[0], m_context.shapeOf(m_call));
        case Kind::Gathered: return gathered(m_inputs[0]);
        case Kind::Resized: return resized(m_inputs[0]);
        case Kind::Encoded: return encoded(m_inputs[0]);
        case Kind::Fixed: return fixed();
        }
        return refuse();
    }

private:
    Diagnostic refuse() const
    {
        return buildError(m_context, m_call, Message::of("the operator %1 cannot be built", m_operator),
                          Message::of("use another operator"));
    }

    // Elements

    ValueId op(char const *name, std::vector<ValueId> inputs, Attrs attrs = {})
    {
        return m_context.op(name, std::move(inputs), std::move(attrs));
    }
    ValueId plus(ValueId x, double number) { return number == 0 ? x : op("add_scalar", {x}, {{"p0", number}}); }
    ValueId times(ValueId x, double number) { return number == 1 ? x : op("mul_scalar", {x}, {{"p0", number}}); }
    ValueId clip(ValueId x, double least, double most) { return op("clip", {x}, {{"p0", least}, {"p1", most}}); }
    ValueId above(ValueId x, double number) { return op("step", {x}, {{"p0", number}}); }
    double number(char const *argument, double otherwise) const { return m_layer.isNull(argument) ? otherwise : m_layer.number(argument); }
    /// The number in every element, with shape and type of `like`.
    ValueId filled(ValueId like, double number)
    {
        return m_context.cast(m_context.b.constant(number, shapeOf(like)), m_context.value(like).dtype);
    }
    Shape shapeOf(ValueId id) { return m_context.value(id).shape; }

    Result<ValueId> same(ValueId x)
    {
        if (!m_layer.isNull("axes")) return alongAxes(x);
        struct Plain {
            char const *name, *op;
        };
        for (auto const &plain : {Plain{"Abs", "abs"},
                                  {"Neg", "neg"},
                                  {"Exp", "exp"},
                                  {"Log", "log"},
                                  {"Sqrt", "sqrt"},
                                  {"Reciprocal", "reciprocal"},
                                  {"Sign", "sign"},
                                  {"Floor", "floor"},
                                  {"Ceil", "ceil"},
                                  {"Round", "round"},
                                  {"Sin", "sin"},
                                  {"Cos", "cos"},
                                  {"Tan", "tan"},
                                  {"Asin", "asin"},
                                  {"Atan", "atan"}})
            if (m_operator == plain.name) return op(plain.op, {x});
        if (auto const y = composed(x); y.valid()) return y;
        if (m_operator == "Cast") return rounded(x);
        if (m_operator == "Erf") return erf(x);
        if (m_operator == "Not") return plus(times(x, -1), 1);
        if (m_operator == "IsNaN") return plus(times(op("equal", {x, x}), -1), 1);
        if (m_operator == "Clip") {
            double const most = std::numeric_limits<float>::max();
            return clip(x, number("min", -most), number("max", most));
        }
        if (m_operator == "HardSigmoid") return clip(plus(times(x, number("alpha", 0.2)), number("beta", 0.5)), 0, 1);
        if (m_operator == "HardSwish") return op("mul", {x, clip(plus(times(x, 1.0 / 6.0), 0.5), 0, 1)});
        if (m_operator == "Celu") {
            double const alpha = number("alpha", 1);
            return times(op("elu", {m_context.divided(x, alpha)}, {{"p0", 1.0}}), alpha);
        }
        if (m_operator == "Selu")
            return times(op("elu", {x}, {{"p0", number("alpha", 1.67326319217681884765625)}}), number("beta", 1.05070102214813232421875));
        if (m_operator == "Shrink") {
            double const limit = number("alpha", 0.5), bias = number("bias", 0);
            auto const high = op("mul", {above(x, limit), plus(x, -bias)});
            auto const low = op("mul", {above(op("neg", {x}), limit), plus(x, bias)});
            return op("add", {high, low});
        }
        return refuse();
    }

    /// Functions that the library composes of others, in forms that keep their digits near 0. Invalid: another operator.
    ValueId composed(ValueId x)
    {
        if (m_operator == "Acos") return plus(op("neg", {op("asin", {x})}), std::numbers::pi / 2);
        bool const isSine = m_operator == "Sinh";
        if (isSine || m_operator == "Cosh") {
            auto const cosine = times(op("add", {op("exp", {x}), op("exp", {op("neg", {x})})}), 0.5);
            return isSine ? op("mul", {op("tanh", {x}), cosine}) : cosine;
        }
        if (m_operator == "Asinh") { // of |x|: log1p(x + x² / (1 + √(x² + 1)))
            auto const square = op("square", {x});
            auto const root = plus(op("sqrt", {plus(square, 1)}), 1);
            auto const size = op("log1p", {op("add", {op("abs", {x}), op("div", {square, root})})});
            return op("mul", {op("sign", {x}), size});
        }
        if (m_operator == "Acosh") return op("log", {op("add", {x, op("sqrt", {plus(op("square", {x}), -1)})})});
        if (m_operator == "Atanh") return times(op("sub", {op("log1p", {x}), op("log1p", {op("neg", {x})})}), 0.5);
        return {};
    }

    /// The nearest number of another type, in the type of the layer.
    ValueId rounded(ValueId x)
    {
        auto const to = m_layer.text("to");
        if (to == "int32") return op("trunc", {x});
        if (to == "bool") return plus(times(op("equal", {x, filled(x, 0)}), -1), 1);
        return m_context.cast(m_context.cast(x, DType::F16), m_context.value(x).dtype);
    }

    /// 2 Φ(x √2) - 1 from gelu(z) = z Φ(z). Near 0, where that divides by almost nothing, the first term of the series.
    ValueId erf(ValueId x)
    {
        constexpr double kSmall = 1e-3;
        auto const z = times(x, std::numbers::sqrt2);
        auto const large = above(op("abs", {z}), kSmall);
        auto const safe = op("select", {large, z, filled(x, 1)});
        auto const whole = plus(times(op("div", {op("gelu", {safe}), safe}), 2), -1);
        return op("select", {large, whole, times(x, 2 * std::numbers::inv_sqrtpi)});
    }

    // Two operands

    std::vector<ValueId> operands()
    {
        std::vector<ValueId> all(m_inputs.begin(), m_inputs.end());
        if (!model::hasConstant(m_layer)) return all;
        auto constant = m_context.weight(m_call, 0);
        auto shape = shapeOf(constant);
        shape.insert(shape.begin(), 1);
        constant = m_context.reshape(constant, shape);
        all.insert(m_layer.flag("constant_first") ? all.begin() : all.end(), constant);
        return all;
    }

    Result<ValueId> select()
    {
        std::vector<ValueId> all;
        for (auto const input : m_inputs) all.push_back(aligned(m_context, input, m_context.shapeOf(m_call)));
        return op("select", all);
    }

    Result<ValueId> arithmetic()
    {
        std::vector<ValueId> all;
        for (auto const operand : operands()) all.push_back(aligned(m_context, operand, m_context.shapeOf(m_call)));
        if (all.size() == 1) {
            if (auto const y = withNumber(all[0], m_layer.number("alpha"), m_layer.flag("constant_first")); y.valid()) return y;
            auto const number = filled(all[0], m_layer.number("alpha"));
            all.insert(m_layer.flag("constant_first") ? all.begin() : all.end(), number);
        }
        auto const a = all[0], b = all[1];
        struct Plain {
            char const *name, *op;
        };
        for (auto const &plain : {Plain{"Add", "add"},
                                  {"Sub", "sub"},
                                  {"Mul", "mul"},
                                  {"Div", "div"},
                                  {"Max", "max"},
                                  {"Min", "min"},
                                  {"Equal", "equal"},
                                  {"Greater", "greater"},
                                  {"GreaterOrEqual", "greater_equal"},
                                  {"And", "mul"},
                                  {"Or", "max"}})
            if (m_operator == plain.name) return op(plain.op, {a, b});
        if (m_operator == "Less") return op("greater", {b, a});
        if (m_operator == "LessOrEqual") return op("greater_equal", {b, a});
        if (m_operator == "Xor") return op("abs", {op("sub", {a, b})});
        if (m_operator == "Pow") return op("pow", {a, b});
        if (m_operator == "Mod") {
            auto const rest = op("remainder", {a, b});
            return m_layer.flag("fmod") ? rest : op("remainder", {op("add", {rest, b}), b});
        }
        return refuse();
    }

    /// Arithmetic with one number. Invalid: there is no shorter form.
    ValueId withNumber(ValueId x, double number, bool first)
    {
        if (m_operator == "Add") return plus(x, number);
        if (m_operator == "Mul") return times(x, number);
        if (m_operator == "Sub") return first ? plus(op("neg", {x}), number) : plus(x, -number);
        if (m_operator == "Div") return first ? times(op("reciprocal", {x}), number) : m_context.divided(x, number);
        if (m_operator == "Max") return op("max_scalar", {x}, {{"p0", number}});
        if (m_operator == "Greater" && !first) return above(x, number);
        if (m_operator != "Pow" || first) return {};
        if (number == 0.5) return op("sqrt", {x});
        if (number == -0.5) return op("rsqrt", {x});
        if (number == -1) return op("reciprocal", {x});
        constexpr double kMost = 16;
        if (number != std::floor(number) || number < 1 || number > kMost) return {};
        ValueId result; // by repeated squares
        for (auto left = static_cast<int>(number); left > 0; left /= 2) {
            if (left % 2 == 1) result = result.valid() ? op("mul", {result, x}) : x;
            if (left > 1) x = op("square", {x});
        }
        return result;
    }

    Result<ValueId> product()
    {
        auto const all = operands();
        auto const shape = m_context.shapeOf(m_call);
        auto a = all[0], b = all[1];
        // One matrix for all rows: a product without a batch.
        if (model::hasConstant(m_layer) && !m_layer.flag("constant_first") && m_layer.integers("constant_shape").size() == 2) {
            auto const matrix = m_context.weight(m_call, 0);
            return m_context.reshape(op("matmul", {a, matrix}), shape);
        }
        for (auto *operand : {&a, &b}) {
            auto full = shape;
            auto const own = shapeOf(*operand);
            std::copy(own.end() - 2, own.end(), full.end() - 2);
            *operand = aligned(m_context, *operand, full);
        }
        return op("batch_matmul", {a, b});
    }

    // Axes

    std::vector<std::size_t> axes(ValueId x) { return model::operationAxes(m_layer, shapeOf(x)).value(); }
    static std::vector<std::int64_t> listed(std::vector<std::size_t> const &axes) { return {axes.begin(), axes.end()}; }

    ValueId reduce(char const *name, ValueId x, std::vector<std::size_t> const &axes)
    {
        return op(name, {x}, {{"axes", listed(axes)}, {"keepdims", true}});
    }

    /// The logarithm of the sum of the exponentials, with the reduced axes.
    ValueId logSumExp(ValueId x, std::vector<std::size_t> const &axes)
    {
        auto const most = reduce("reduce_max", x, axes);
        auto const shifted = op("sub", {x, m_context.broadcast(most, shapeOf(x))});
        return op("add", {op("log", {reduce("reduce_sum", op("exp", {shifted}), axes)}), most});
    }

    Result<ValueId> reduced(ValueId x)
    {
        auto const over = axes(x);
        auto const shape = m_context.shapeOf(m_call);
        struct Plain {
            char const *name, *op;
        };
        for (auto const &plain : {Plain{"ReduceSum", "reduce_sum"},
                                  {"ReduceMean", "reduce_mean"},
                                  {"ReduceMax", "reduce_max"},
                                  {"ReduceMin", "reduce_min"},
                                  {"ReduceProd", "reduce_prod"}})
            if (m_operator == plain.name) return m_context.reshape(reduce(plain.op, x, over), shape);
        if (m_operator.starts_with("Arg")) {
            if (m_layer.flag("reverse")) return m_context.cast(m_context.reshape(lastExtreme(x, over), shape), m_call.dtype);
            auto const index = op(m_operator == "ArgMax" ? "argmax" : "argmin", {x}, {{"axis", static_cast<std::int64_t>(over[0])}});
            return m_context.cast(m_context.reshape(index, shape), m_call.dtype);
        }
        auto const sum = [&](ValueId value) { return reduce("reduce_sum", value, over); };
        ValueId y;
        if (m_operator == "ReduceL1") y = sum(op("abs", {x}));
        else if (m_operator == "ReduceL2") y = op("sqrt", {sum(op("square", {x}))});
        else if (m_operator == "ReduceLogSum") y = op("log", {sum(x)});
        else if (m_operator == "ReduceLogSumExp") y = logSumExp(x, over);
        else if (m_operator == "ReduceSumSquare") y = sum(op("square", {x}));
        else return refuse();
        return m_context.reshape(y, shape);
    }

    /// Index of the last of the largest or least numbers along an axis, in F32, with the reduced axis.
    ValueId lastExtreme(ValueId x, std::vector<std::size_t> const &over)
    {
        auto const shape = shapeOf(x);
        Shape along(shape.size(), 1);
        along[over[0]] = shape[over[0]];
        std::vector<double> places(static_cast<std::size_t>(along[over[0]]));
        std::iota(places.begin(), places.end(), 0.0);
        auto const place = m_context.b.one("constant", {}, along, DType::F32, {{"values", places}}, "Places");
        auto const extreme = reduce(m_operator == "ArgMax" ? "reduce_max" : "reduce_min", x, over);
        auto const equal = m_context.cast(op("equal", {x, m_context.broadcast(extreme, shape)}), DType::F32);
        return reduce("reduce_max", op("mul", {equal, m_context.broadcast(place, shape)}), over);
    }

    /// The axes in this order.
    ValueId turned(ValueId x, std::vector<std::int64_t> const &order)
    {
        return std::ranges::is_sorted(order) ? x : op("transpose", {x}, {{"perm", order}});
    }

    /// All axes in order, but `axis` as the last.
    static std::vector<std::int64_t> axisLast(std::size_t rank, std::size_t axis)
    {
        std::vector<std::int64_t> order;
        for (std::size_t i = 0; i < rank; ++i)
            if (i != axis) order.push_back(static_cast<std::int64_t>(i));
        order.push_back(static_cast<std::int64_t>(axis));
        return order;
    }
    static std::vector<std::int64_t> inverse(std::vector<std::int64_t> const &order)
    {
        std::vector<std::int64_t> back(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
        return back;
    }

    Result<ValueId> alongAxes(ValueId x)
    {
        auto const over = axes(x);
        auto const shape = shapeOf(x);
        if (m_operator == "LogSoftmax") return op("sub", {x, m_context.broadcast(logSumExp(x, over), shape)});
        if (m_operator == "CumSum")
            return op("cumsum", {x},
                      {{"axis", static_cast<std::int64_t>(over[0])},
                       {"exclusive", m_layer.flag("exclusive")},
                       {"reverse", m_layer.flag("reverse")}});
        if (m_operator == "Hardmax") {
            auto const index = op("argmax", {x}, {{"axis", static_cast<std::int64_t>(over[0])}});
            auto const rows = op("one_hot", {index}, {{"depth", shape[over[0]]}});
            return m_context.cast(turned(rows, inverse(axisLast(shape.size(), over[0]))), m_call.dtype);
        }
        if (m_operator == "LRN") return localNorm(x, over[0]);
        return refuse();
    }

    /// x / (bias + alpha / size * sum of squares in the window)^beta
    ValueId localNorm(ValueId x, std::size_t axis)
    {
        auto const shape = shapeOf(x);
        auto const size = m_layer.integer("size");
        Shape before(shape.size(), 0), after(shape.size(), 0);
        before[axis] = (size - 1) / 2;
        after[axis] = size - 1 - before[axis];
        auto const squares = op("pad", {op("square", {x})}, {{"before", before}, {"after", after}});
        ValueId sum;
        for (std::int64_t at = 0; at < size; ++at) {
            auto const part = op("slice", {squares}, {{"axis", static_cast<std::int64_t>(axis)}, {"start", at}, {"size", shape[axis]}});
            sum = sum.valid() ? op("add", {sum, part}) : part;
        }
        auto const base = plus(times(sum, number("alpha", 1e-4) / static_cast<double>(size)), number("bias", 1));
        return op("mul", {x, op("exp", {times(op("log", {base}), -number("beta", 0.75))})});
    }

    // Movement

    Result<ValueId> sliced(ValueId x)
    {
        auto const slice = model::slicedAxes(m_layer, shapeOf(x)).value();
        auto box = slice.size;
        for (std::size_t i = 0; i < box.size(); ++i) box[i] = (slice.size[i] - 1) * slice.step[i] + 1;
        box[0] = shapeOf(x)[0];
        auto y = op("slice", {x}, {{"starts", slice.begin}, {"sizes", box}});
        for (std::size_t i = 1; i < box.size(); ++i) {
            if (slice.step[i] == 1) continue;
            // Padded to whole steps, of which the first element stays.
            auto shape = shapeOf(y);
            Shape none(shape.size(), 0), after = none;
            after[i] = slice.size[i] * slice.step[i] - shape[i];
            y = op("pad", {y}, {{"before", none}, {"after", after}});
            shape[i] = slice.size[i];
            auto steps = shape;
            steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1, slice.step[i]);
            auto first = steps;
            first[i + 1] = 1;
            y = op("slice", {m_context.reshape(y, steps)}, {{"starts", Shape(steps.size(), 0)}, {"sizes", first}});
            y = m_context.reshape(y, shape);
        }
        return y;
    }

    Result<ValueId> padded(ValueId x)
    {
        auto const pads = m_layer.integers("pads");
        auto const n = static_cast<std::ptrdiff_t>(pads.size() / 2);
        Shape before{0}, after{0};
        before.insert(before.end(), pads.begin(), pads.begin() + n);
        after.insert(after.end(), pads.begin() + n, pads.end());
        auto const y = op("pad", {x}, {{"before", before}, {"after", after}});
        double const value = number("alpha", 0);
        if (value == 0) return y;
        // The value where a padded field of ones is 0.
        auto const inside = op("pad", {filled(x, 1)}, {{"before", before}, {"after", after}});
        return op("select", {inside, y, filled(y, value)});
    }

    Result<ValueId> tiled(ValueId x)
    {
        auto const repeats = m_layer.integers("shape");
        auto const shape = shapeOf(x);
        Shape single{shape[0]}, wide{shape[0]};
        for (std::size_t i = 0; i < repeats.size(); ++i) {
            single.insert(single.end(), {1, shape[i + 1]});
            wide.insert(wide.end(), {repeats[i], shape[i + 1]});
        }
        return m_context.reshape(m_context.broadcast(m_context.reshape(x, single), wide), m_context.shapeOf(m_call));
    }

    /// Runs of neighbours as slices.
    Result<ValueId> gathered(ValueId x)
    {
        auto const indices = m_layer.integers("indices");
        auto const axis = static_cast<std::int64_t>(axes(x)[0]);
        std::vector<ValueId> parts;
        for (std::size_t from = 0, to = 0; from < indices.size(); from = to) {
            for (to = from + 1; to < indices.size() && indices[to] == indices[to - 1] + 1;) ++to;
            parts.push_back(op("slice", {x}, {{"axis", axis}, {"start", indices[from]}, {"size", static_cast<std::int64_t>(to - from)}}));
        }
        return parts.size() == 1 ? parts[0] : op("concat", parts, {{"axis", axis}});
    }

    /// A product with the matrix along the axis.
    Result<ValueId> resized(ValueId x)
    {
        auto const axis = axes(x)[0];
        auto const order = axisLast(shapeOf(x).size(), axis);
        auto const y = turned(x, order);
        auto shape = shapeOf(y);
        shape.back() = m_layer.integers("constant_shape")[1];
        return turned(m_context.reshape(op("matmul", {y, m_context.weight(m_call, 0)}), shape), inverse(order));
    }

    Result<ValueId> encoded(ValueId x)
    {
        auto const fromEnd = times(above(op("neg", {x}), 0), static_cast<double>(m_layer.integer("size")));
        auto const index = m_context.cast(op("add", {x, fromEnd}), DType::I32);
        auto const rows = m_context.cast(op("one_hot", {index}, {{"depth", m_layer.integer("size")}}), m_call.dtype);
        double const off = number("alpha", 0), on = number("beta", 1);
        return plus(times(rows, on - off), off);
    }

    Result<ValueId> fixed()
    {
        auto const shape = m_context.shapeOf(m_call);
        if (!model::hasConstant(m_layer)) return m_context.cast(m_context.b.constant(number("alpha", 0), shape), m_call.dtype);
        auto const weight = m_context.weight(m_call, 0);
        auto single = shapeOf(weight);
        single.insert(single.begin(), 1);
        return m_context.broadcast(m_context.reshape(weight, single), shape);
    }

    BuildContext &m_context;
    model::ResolvedCall const &m_call;
    model::Layer const &m_layer;
    std::span<ValueId const> m_inputs;
    std::string m_operator;
};

} // namespace

Result<std::vector<ValueId>> buildOperation(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    TW_ASSIGN(auto const y, OperatorGraph(context, call, inputs).build());
    return std::vector<ValueId>{y};
}

} // namespace tilewright::layers
