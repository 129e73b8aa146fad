#include "engine/interop/onnx_fold.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace tilewright::interop {

namespace {

constexpr std::int64_t kMostFolded = std::int64_t{1} << 24; ///< elements of a constant that is computed here

using Doubles = std::vector<double>;

Doubles numbersOf(OnnxTensor const &tensor)
{
    Doubles numbers(static_cast<std::size_t>(tensor.count()));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = tensor.number(i);
    return numbers;
}

OnnxTensor tensorOf(OnnxType type, Shape shape, Doubles const &numbers)
{
    OnnxTensor tensor{"", type, std::move(shape), {}, {}};
    if (tensor.isFloat()) tensor.floats.assign(numbers.begin(), numbers.end());
    else
        for (double const number : numbers) tensor.integers.push_back(static_cast<std::int64_t>(number));
    return tensor;
}

std::optional<Shape> broadcastOf(Shape const &a, Shape const &b)
{
    Shape out(std::max(a.size(), b.size()), 1);
    for (auto const *shape : {&a, &b})
        for (std::size_t back = 1; back <= shape->size(); ++back) {
            auto &extent = out[out.size() - back];
            auto const own = (*shape)[shape->size() - back];
            if (extent != 1 && own != 1 && own != extent) return {};
            extent = own == 1 ? extent : own;
        }
    return out;
}

/// Index of the element of `shape` that broadcasts to element `at` of `out`.
std::size_t broadcastIndex(Shape const &shape, Shape const &out, std::size_t at)
{
    std::size_t index = 0, step = 1;
    for (std::size_t back = 1; back <= out.size(); ++back) {
        auto const extent = static_cast<std::size_t>(out[out.size() - back]);
        auto const place = at % extent;
        at /= extent;
        if (back > shape.size()) continue;
        auto const own = static_cast<std::size_t>(shape[shape.size() - back]);
        index += (own == 1 ? 0 : place) * step;
        step *= own;
    }
    return index;
}

OnnxTensor expanded(OnnxTensor const &tensor, Shape const &to)
{
    auto const numbers = numbersOf(tensor);
    Doubles out(static_cast<std::size_t>(elementCount(to)));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = numbers[broadcastIndex(tensor.shape, to, i)];
    return tensorOf(tensor.type, to, out);
}

/// The folding of one node.
class Folder {
public:
    Folder(OnnxConversion &conversion, OnnxNode const &node) : m_conversion(conversion), m_node(node) {}

    Result<bool> fold()
    {
        if (m_node.op == "Constant") return constant();
        if (m_node.op == "CastLike") return castLike();
        if (m_node.op == "Shape" || m_node.op == "Size") return shape();
        if (m_node.inputs.empty()) return false;
        for (auto const &input : m_node.inputs) {
            if (input.empty()) continue;
            auto const *operand = m_conversion.find(input);
            if (!operand || !operand->constant) return false;
        }
        if (m_node.op == "Identity" || m_node.op == "Dropout") {
            m_conversion.set(m_node.outputs[0], m_conversion.operand(m_node, 0));
            return true;
        }
        if (m_node.op == "Expand" || m_node.op == "ConstantOfShape") return filled();
        for (std::size_t i = 0; i < m_node.inputs.size(); ++i) {
            if (!m_conversion.has(m_node, i)) {
                m_inputs.emplace_back();
                continue;
            }
            auto const &operand = m_conversion.operand(m_node, i);
            bool const hasBatch = std::ranges::find(operand.constant->shape, kBatchExtent) != operand.constant->shape.end();
            if (operand.isUniform && (hasBatch || operand.constant->count() > kMostFolded)) return false;
            TW_ASSIGN(auto tensor, m_conversion.constant(m_node, i, "constant"));
            m_inputs.push_back(std::move(tensor));
        }
        if (std::ranges::any_of(m_inputs, [](auto const &tensor) { return tensor.count() > kMostFolded; })) return false;
        if (auto result = arithmetic()) return keep(std::move(*result));
        if (auto result = movement()) return keep(std::move(*result));
        return false;
    }

private:
    bool keep(OnnxTensor tensor, bool isUniform = false)
    {
        OnnxOperand operand;
        operand.type = tensor.type;
        operand.constant = std::move(tensor);
        operand.isUniform = isUniform;
        // A parameter stays one when it is only turned or renamed.
        operand.isTrained = m_node.op == "Transpose" && m_conversion.operand(m_node, 0).isTrained;
        m_conversion.set(m_node.outputs[0], std::move(operand));
        return true;
    }

    Result<bool> constant()
    {
        auto const *value = m_node.find("value");
        if (value && value->kind == OnnxAttribute::Kind::Tensor && value->tensor.type != OnnxType::Text) return keep(value->tensor);
        for (auto const &attribute : m_node.attributes) {
            if (!attribute.floats.empty() && attribute.kind == OnnxAttribute::Kind::Float)
                return keep({"", OnnxType::Float, {}, attribute.floats, {}});
            if (attribute.kind == OnnxAttribute::Kind::Floats)
                return keep({"", OnnxType::Float, {std::ssize(attribute.floats)}, attribute.floats, {}});
            if (attribute.kind == OnnxAttribute::Kind::Integer) return keep({"", OnnxType::Int64, {}, {}, attribute.integers});
            if (attribute.kind == OnnxAttribute::Kind::Integers)
                return keep({"", OnnxType::Int64, {std::ssize(attribute.integers)}, {}, attribute.integers});
        }
        return onnxRefusal(Message::of("the constant holds no numbers"));
    }

    /// A constant takes the type of any tensor.
    Result<bool> castLike()
    {
        auto const *from = m_conversion.find(m_node.inputs.at(0)), *like = m_conversion.find(m_node.inputs.at(1));
        if (!from || !from->constant || !like || from->isUniform) return false;
        return keep(tensorOf(like->type, from->constant->shape, numbersOf(*from->constant)));
    }

    Result<bool> shape()
    {
        auto const *operand = m_conversion.find(m_node.inputs.at(0));
        if (!operand) return false;
        auto all = operand->extents();
        if (m_node.op == "Size") return keep({"", OnnxType::Int64, {}, {}, {elementCount(all)}});
        auto const rank = std::ssize(all);
        auto const inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
        auto const start = inside(m_node.integer("start", 0)), end = std::max(start, inside(m_node.integer("end", rank)));
        all = Shape(all.begin() + start, all.begin() + end);
        return keep({"", OnnxType::Int64, {std::ssize(all)}, {}, {all.begin(), all.end()}});
    }

    /// Constants that may be as large as the batch: one number is kept as one number.
    Result<bool> filled()
    {
        bool const isExpand = m_node.op == "Expand";
        TW_ASSIGN(auto const sizes, m_conversion.integers(m_node, isExpand ? 1 : 0));
        if (std::ranges::any_of(sizes, [](auto size) { return size < 0; })) return onnxRefusal(Message::of("an extent is negative"));
        if (!isExpand) {
            auto const *value = m_node.find("value");
            auto tensor = value ? value->tensor : OnnxTensor{"", OnnxType::Float, {1}, {0.0F}, {}};
            if (tensor.count() != 1) return onnxRefusal(Message::of("the constant holds no numbers"));
            tensor.shape = sizes;
            return keep(std::move(tensor), true);
        }
        auto const &source = m_conversion.operand(m_node, 0);
        auto tensor = *source.constant;
        auto const equal = [](auto const &list) { return std::ranges::adjacent_find(list, std::not_equal_to()) == list.end(); };
        bool const uniform = source.isUniform || (equal(tensor.floats) && equal(tensor.integers) && tensor.count() > 0);
        // A state of zeros may have the batch that the model was traced with.
        if (uniform && sizes.size() == tensor.shape.size())
            for (std::size_t i = 0; i < sizes.size(); ++i)
                if (sizes[i] == kBatchExtent) tensor.shape[i] = kBatchExtent;
        auto const to = broadcastOf(tensor.shape, sizes);
        if (!to) return onnxRefusal(Message::of("%1 cannot become %2", toText(tensor.shape), toText(sizes)));
        if (uniform) {
            if (tensor.isFloat()) tensor.floats.resize(1);
            else tensor.integers.resize(1);
            tensor.shape = *to;
            return keep(std::move(tensor), true);
        }
        double count = 1;
        for (auto const extent : *to) count *= static_cast<double>(extent);
        if (count > static_cast<double>(kMostFolded)) return mixedSamples();
        return keep(expanded(tensor, *to));
    }

    std::optional<OnnxTensor> arithmetic()
    {
        using Binary = std::function<double(double, double)>;
        using Unary = std::function<double(double)>;
        bool const whole = !m_inputs[0].isFloat();
        static std::map<std::string, Unary> const unary{{"Neg", [](double x) { return -x; }},
                                                        {"Abs", [](double x) { return std::abs(x); }},
                                                        {"Sqrt", [](double x) { return std::sqrt(x); }},
                                                        {"Exp", [](double x) { return std::exp(x); }},
                                                        {"Log", [](double x) { return std::log(x); }},
                                                        {"Reciprocal", [](double x) { return 1 / x; }},
                                                        {"Floor", [](double x) { return std::floor(x); }},
                                                        {"Ceil", [](double x) { return std::ceil(x); }},
                                                        {"Round", [](double x) { return std::nearbyint(x); }},
                                                        {"Not", [](double x) { return x == 0 ? 1.0 : 0.0; }}};
        if (auto const found = unary.find(m_node.op); found != unary.end()) {
            auto numbers = numbersOf(m_inputs[0]);
            for (auto &number : numbers) number = found->second(number);
            return tensorOf(m_inputs[0].type, m_inputs[0].shape, numbers);
        }
        std::map<std::string, Binary> const binary{
            {"Add", [](double x, double y) { return x + y; }},
            {"Sub", [](double x, double y) { return x - y; }},
            {"Mul", [](double x, double y) { return x * y; }},
            {"Div", [whole](double x, double y) { return whole ? (y == 0 ? 0 : std::trunc(x / y)) : x / y; }},
            {"Mod", [](double x, double y) { return y == 0 ? 0 : x - y * std::floor(x / y); }},
            {"Pow", [](double x, double y) { return std::pow(x, y); }},
            {"Max", [](double x, double y) { return std::max(x, y); }},
            {"Min", [](double x, double y) { return std::min(x, y); }},
            {"Equal", [](double x, double y) { return x == y ? 1.0 : 0.0; }},
            {"Greater", [](double x, double y) { return x > y ? 1.0 : 0.0; }},
            {"Less", [](double x, double y) { return x < y ? 1.0 : 0.0; }}};
        auto const found = binary.find(m_node.op);
        if (found == binary.end() || m_inputs.size() != 2) return {};
        auto const out = broadcastOf(m_inputs[0].shape, m_inputs[1].shape);
        if (!out) return {};
        auto const a = numbersOf(m_inputs[0]), b = numbersOf(m_inputs[1]);
        Doubles numbers(static_cast<std::size_t>(elementCount(*out)));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = found->second(a[broadcastIndex(m_inputs[0].shape, *out, i)], b[broadcastIndex(m_inputs[1].shape, *out, i)]);
        bool const truth = m_node.op == "Equal" || m_node.op == "Greater" || m_node.op == "Less";
        return tensorOf(truth ? OnnxType::Bool : m_inputs[0].type, *out, numbers);
    }

    std::vector<std::int64_t> numbers(char const *attribute, std::size_t input) const
    {
        if (m_node.has(attribute)) return m_node.integers(attribute);
        return input < m_inputs.size() ? m_inputs[input].integers : std::vector<std::int64_t>();
    }

    std::optional<OnnxTensor> movement()
    {
        auto x = m_inputs[0];
        auto const rank = std::ssize(x.shape);
        if (m_node.op == "Cast") {
            auto const type = static_cast<OnnxType>(m_node.integer("to", 1));
            if (type == OnnxType::Text || type == OnnxType::Half) return {};
            return tensorOf(type, x.shape, numbersOf(x));
        }
        if (m_node.op == "Unsqueeze") {
            auto axes = numbers("axes", 1);
            for (auto &axis : axes) axis = axis < 0 ? axis + rank + std::ssize(axes) : axis;
            std::ranges::sort(axes);
            for (auto const axis : axes) {
                if (axis < 0 || axis > std::ssize(x.shape)) return {};
                x.shape.insert(x.shape.begin() + axis, 1);
            }
            return x;
        }
        if (m_node.op == "Squeeze") {
            auto axes = numbers("axes", 1);
            for (auto &axis : axes) axis = axis < 0 ? axis + rank : axis;
            Shape left;
            for (std::int64_t i = 0; i < rank; ++i) {
                bool const gone = axes.empty() ? x.shape[static_cast<std::size_t>(i)] == 1 : std::ranges::find(axes, i) != axes.end();
                if (!gone) left.push_back(x.shape[static_cast<std::size_t>(i)]);
            }
            if (elementCount(left) != x.count()) return {};
            x.shape = left;
            return x;
        }
        if (m_node.op == "Reshape" || m_node.op == "Flatten") return reshaped(std::move(x));
        if (m_node.op == "Transpose") {
            std::vector<std::size_t> order;
            for (auto const axis : m_node.integers("perm")) order.push_back(static_cast<std::size_t>(axis));
            if (order.empty())
                for (std::size_t i = x.shape.size(); i-- > 0;) order.push_back(i);
            if (order.size() != x.shape.size()) return {};
            return transposedTensor(x, order);
        }
        if (m_node.op == "Concat") return concatenated();
        if (m_node.op == "Gather") return gathered(x);
        if (m_node.op == "Slice") return sliced(x);
        if (m_node.op == "Range" && m_inputs.size() == 3) {
            double const start = x.number(0), limit = m_inputs[1].number(0), step = m_inputs[2].number(0);
            double const count = step == 0 ? 0 : std::max(0.0, std::ceil((limit - start) / step));
            if (count > static_cast<double>(kMostFolded)) return {};
            Doubles all;
            for (double i = 0; i < count; ++i) all.push_back(start + i * step);
            return tensorOf(x.type, {std::ssize(all)}, all);
        }
        if (m_node.op == "ReduceProd" && m_node.integers("axes").empty()) {
            double product = 1;
            for (double const number : numbersOf(x)) product *= number;
            return tensorOf(x.type, m_node.integer("keepdims", 1) ? Shape(x.shape.size(), 1) : Shape(), {product});
        }
        if (m_node.op == "Where" && m_inputs.size() == 3 && m_inputs[1].shape == x.shape && m_inputs[2].shape == x.shape) {
            Doubles all;
            for (std::size_t i = 0; i < static_cast<std::size_t>(x.count()); ++i)
                all.push_back(m_inputs[x.number(i) != 0 ? 1 : 2].number(i));
            return tensorOf(m_inputs[1].type, x.shape, all);
        }
        return {};
    }

    std::optional<OnnxTensor> reshaped(OnnxTensor x)
    {
        std::vector<std::int64_t> target;
        if (m_node.op == "Flatten") {
            auto const axis = std::clamp<std::int64_t>(m_node.integer("axis", 1), 0, std::ssize(x.shape));
            auto const rows = elementCount(Shape(x.shape.begin(), x.shape.begin() + axis));
            target = {rows, rows == 0 ? 0 : x.count() / rows};
        } else {
            target = numbers("shape", 1);
        }
        std::int64_t known = 1;
        for (std::size_t i = 0; i < target.size(); ++i) {
            if (target[i] == 0 && i < x.shape.size()) target[i] = x.shape[i];
            if (target[i] > 0) known *= target[i];
        }
        for (auto &extent : target)
            if (extent == -1 && known > 0) extent = x.count() / known;
        if (elementCount(target) != x.count()) return {};
        x.shape = target;
        return x;
    }

    std::optional<OnnxTensor> concatenated()
    {
        auto axis = m_node.integer("axis", 0);
        auto const rank = std::ssize(m_inputs[0].shape);
        axis = axis < 0 ? axis + rank : axis;
        if (axis < 0 || axis >= rank) return {};
        auto const at = static_cast<std::size_t>(axis);
        Shape out = m_inputs[0].shape;
        out[at] = 0;
        for (auto const &one : m_inputs) {
            if (std::ssize(one.shape) != rank) return {};
            out[at] += one.shape[at];
        }
        auto const outer = elementCount(Shape(out.begin(), out.begin() + axis));
        Doubles all;
        for (std::int64_t row = 0; row < outer; ++row)
            for (auto const &one : m_inputs) {
                auto const inner = outer == 0 ? 0 : one.count() / outer;
                for (std::int64_t i = 0; i < inner; ++i) all.push_back(one.number(static_cast<std::size_t>(row * inner + i)));
            }
        if (std::ssize(all) != elementCount(out)) return {};
        return tensorOf(m_inputs[0].type, out, all);
    }

    std::optional<OnnxTensor> gathered(OnnxTensor const &x)
    {
        auto axis = m_node.integer("axis", 0);
        auto const rank = std::ssize(x.shape);
        axis = axis < 0 ? axis + rank : axis;
        if (axis < 0 || axis >= rank || m_inputs.size() < 2 || m_inputs[1].isFloat()) return {};
        auto const n = x.shape[static_cast<std::size_t>(axis)];
        auto const outer = elementCount(Shape(x.shape.begin(), x.shape.begin() + axis));
        auto const inner = elementCount(Shape(x.shape.begin() + axis + 1, x.shape.end()));
        Doubles all;
        for (std::int64_t o = 0; o < outer; ++o)
            for (auto index : m_inputs[1].integers) {
                index = index < 0 ? index + n : index;
                if (index < 0 || index >= n) return {};
                for (std::int64_t i = 0; i < inner; ++i) all.push_back(x.number(static_cast<std::size_t>((o * n + index) * inner + i)));
            }
        Shape out(x.shape.begin(), x.shape.begin() + axis);
        out.insert(out.end(), m_inputs[1].shape.begin(), m_inputs[1].shape.end());
        out.insert(out.end(), x.shape.begin() + axis + 1, x.shape.end());
        return tensorOf(x.type, out, all);
    }

    /// Of vectors, as in computed shapes.
    std::optional<OnnxTensor> sliced(OnnxTensor const &x)
    {
        auto const starts = numbers("starts", 1), ends = numbers("ends", 2), steps = numbers("steps", 4);
        if (x.shape.size() != 1 || starts.size() != 1 || ends.size() != 1) return {};
        auto const n = x.shape[0], step = steps.empty() ? 1 : steps[0];
        if (step < 1) return {};
        auto const inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + n : at, 0, n); };
        Doubles all;
        for (auto i = inside(starts[0]); i < inside(ends[0]); i += step) all.push_back(x.number(static_cast<std::size_t>(i)));
        return tensorOf(x.type, {std::ssize(all)}, all);
    }

    OnnxConversion &m_conversion;
    OnnxNode const &m_node;
    std::vector<OnnxTensor> m_inputs;
};

} // namespace

Result<bool> foldNode(OnnxConversion &conversion, OnnxNode const &node) { return Folder(conversion, node).fold(); }

} // namespace tilewright::interop
