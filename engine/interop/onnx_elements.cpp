// Rules for operators that treat each element on its own.
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace tilewright::interop {

using model::Json;

Status keep(OnnxConversion &conversion, OnnxNode const &node, Result<OnnxOperand> result, std::optional<OnnxType> type)
{
    if (!result.ok()) return result.error();
    if (type) result->type = *type;
    conversion.set(node.outputs.at(0), *std::move(result));
    return {};
}

OnnxOperand constantOf(Shape shape, std::vector<float> values)
{
    OnnxOperand operand;
    operand.constant = OnnxTensor{"", OnnxType::Float, std::move(shape), std::move(values), {}};
    return operand;
}

void freeze(OnnxConversion &conversion, OnnxOperand const &result)
{
    if (auto *layer = conversion.layerNamed(result.ref.layer)) layer->config["trainable"] = false;
}

Result<OnnxOperand> operation(OnnxConversion &conversion, std::string const &op, Json config, std::vector<OnnxOperand> const &inputs,
                              std::vector<FileArray> arrays)
{
    config["operator"] = op;
    return conversion.layer("Operation", std::move(config), inputs, std::move(arrays));
}

Result<OnnxOperand> elementwise(OnnxConversion &conversion, std::string const &op, Json config, OnnxOperand const &operand)
{
    TW_ASSIGN(auto result, operation(conversion, op, std::move(config), {operand}));
    return OnnxConversion::like(std::move(result), operand);
}

namespace {

/// Operands under one shape: their axes in one order, the batch in one place.
struct Aligned {
    std::vector<OnnxOperand> operands;
    std::vector<std::size_t> order; ///< of the result's axes, without the batch
    std::size_t rank = 0;
    std::optional<std::size_t> batch;

    OnnxOperand result(OnnxOperand made) const
    {
        made.axes.assign(rank, -1);
        if (batch) made.axes[*batch] = 0;
        for (std::size_t place = 0; place < order.size(); ++place) made.axes[order[place]] = static_cast<int>(place) + 1;
        return made;
    }
};

Result<Aligned> align(OnnxConversion &conversion, std::vector<OnnxOperand> const &operands)
{
    Aligned all;
    for (auto const &operand : operands) all.rank = std::max(all.rank, operand.rank());
    OnnxOperand const *widest = nullptr;
    std::vector<OnnxOperand> wide;
    for (auto const &operand : operands) {
        auto one = operand;
        if (!one.constant) {
            one.axes.insert(one.axes.begin(), static_cast<std::ptrdiff_t>(all.rank - operand.rank()), -1);
            auto const place = one.batchAxis();
            if (all.batch && place && all.batch != place) return mixedSamples();
            if (place) all.batch = place;
        }
        wide.push_back(std::move(one));
    }
    for (auto const &one : wide)
        if (!one.constant && (!widest || one.order().size() > widest->order().size())) widest = &one;
    if (!widest) return onnxRefusal(Message::of("all of its inputs are constants"));
    all.order = widest->order();
    // Axes that another operand has.
    for (auto const &one : wide) {
        auto const extents = one.extents();
        for (std::size_t axis = 0; axis < one.rank(); ++axis) {
            auto const place = axis + all.rank - one.rank();
            bool const isLong = one.constant ? extents[axis] != 1 : one.axes[axis] > 0 && extents[axis] != 1;
            if (isLong && place != all.batch && std::ranges::find(all.order, place) == all.order.end()) {
                all.order.push_back(place);
                std::ranges::sort(all.order);
            }
        }
    }
    for (auto &one : wide) {
        if (!one.constant) {
            auto order = all.order; // without axes in front that it lacks, as Keras merges
            auto const extents = one.extents();
            while (order.size() > 1 && extents[order.front()] == 1 && one.axes[order.front()] < 0) order.erase(order.begin());
            TW_ASSIGN(one, conversion.arranged(one, order));
        }
        all.operands.push_back(one);
    }
    return all;
}

char const *mergeOf(std::string const &op)
{
    static std::map<std::string, char const *> const merges{{"Add", "Add"},      {"Sum", "Add"},     {"Sub", "Subtract"},
                                                            {"Mul", "Multiply"}, {"Max", "Maximum"}, {"Min", "Minimum"},
                                                            {"Mean", "Average"}};
    auto const found = merges.find(op);
    return found == merges.end() ? nullptr : found->second;
}

/// One number of a constant of one element; none: it has several.
std::optional<double> numberOf(OnnxOperand const &operand)
{
    if (!operand.constant || (operand.constant->count() != 1 && !operand.isUniform)) return {};
    return operand.constant->number(0);
}

} // namespace

Result<OnnxOperand> arithmetic(OnnxConversion &conversion, std::string const &op, OnnxOperand const &a, OnnxOperand const &b)
{
    TW_ASSIGN(auto const all, align(conversion, {a, b}));
    bool const first = a.constant.has_value();
    if (!first && !b.constant) {
        if (auto const *merge = mergeOf(op)) {
            TW_ASSIGN(auto result, conversion.layer(merge, Json::object(), all.operands));
            return all.result(std::move(result));
        }
        TW_ASSIGN(auto result, operation(conversion, op, Json::object(), all.operands));
        return all.result(std::move(result));
    }
    auto const &constant = first ? a : b;
    auto const &operand = all.operands[first ? 1 : 0];
    Json config = Json::object();
    if (first) config["constant_first"] = true;
    auto const widens = constant.constant->shape.size() > (first ? b : a).rank();
    if (auto const number = numberOf(constant); number && std::isfinite(*number) && !widens && !constant.isTrained) {
        config["alpha"] = *number;
        TW_ASSIGN(auto result, operation(conversion, op, std::move(config), {operand}));
        return all.result(std::move(result));
    }
    if (constant.isUniform) return mixedSamples();
    auto reference = first ? b : a;
    TW_ASSIGN(auto const beside, conversion.besideOperand(*constant.constant, reference, all.order, all.rank));
    config["constant_shape"] = beside.shape;
    if (beside.shape.empty()) config["constant_shape"] = Json::array({1});
    auto shape = beside.shape.empty() ? Shape{1} : beside.shape;
    TW_ASSIGN(auto result, operation(conversion, op, std::move(config), {operand}, {fileArray("constant", shape, floatsOf(beside))}));
    if (!constant.isTrained) freeze(conversion, result);
    return all.result(std::move(result));
}

namespace {

/// A bias that is added to the product of the layer before it, which nothing else reads, becomes that layer's.
bool takesBias(OnnxConversion &conversion, OnnxNode const &node, OnnxOperand const &data, OnnxOperand const &constant,
               std::string const &name)
{
    auto *layer = conversion.layerNamed(data.ref.layer);
    if (!layer || layer->className != "Dense" || layer->flag("use_bias") || layer->text("activation") != "linear") return false;
    if (conversion.readers(name) != 1 || constant.constant->shape.size() != 1 || constant.constant->shape[0] != layer->integer("units"))
        return false;
    if (data.axes.empty() || data.axes.back() + 1 != static_cast<int>(data.shape.size())) return false;
    layer->config["use_bias"] = true;
    conversion.setArray(layer->name, fileArray("bias", constant.constant->shape, floatsOf(*constant.constant)));
    conversion.set(node.outputs[0], data);
    return true;
}

Status binary(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &a = conversion.operand(node, 0), &b = conversion.operand(node, 1);
    auto const isWhole = [](OnnxType type) { return type != OnnxType::Float && type != OnnxType::Double && type != OnnxType::Half; };
    if (node.op == "Div" && isWhole(a.type) && isWhole(b.type)) {
        TW_ASSIGN(auto const quotient, arithmetic(conversion, "Div", a, b));
        return keep(conversion, node, elementwise(conversion, "Cast", {{"to", "int32"}}, quotient));
    }
    if (node.op == "Add") {
        if (!a.constant && b.constant && !b.isUniform && takesBias(conversion, node, a, b, node.inputs[0])) return {};
        if (a.constant && !b.constant && !a.isUniform && takesBias(conversion, node, b, a, node.inputs[1])) return {};
    }
    bool const truth = node.op == "Equal" || node.op.starts_with("Greater") || node.op.starts_with("Less") || node.op == "And"
        || node.op == "Or" || node.op == "Xor";
    return keep(conversion, node, arithmetic(conversion, node.op, a, b), truth ? std::optional(OnnxType::Bool) : std::nullopt);
}

Status several(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const count = node.inputs.size();
    std::vector<OnnxOperand> operands;
    bool anyConstant = false;
    for (std::size_t i = 0; i < count; ++i) {
        operands.push_back(conversion.operand(node, i));
        anyConstant = anyConstant || operands.back().constant;
    }
    if (count == 1) return keep(conversion, node, operands[0]);
    if (!anyConstant) {
        TW_ASSIGN(auto const all, align(conversion, operands));
        TW_ASSIGN(auto result, conversion.layer(mergeOf(node.op), Json::object(), all.operands));
        return keep(conversion, node, all.result(std::move(result)));
    }
    auto const op = node.op == "Sum" || node.op == "Mean" ? std::string("Add") : node.op;
    auto result = operands[0];
    for (std::size_t i = 1; i < count; ++i) { TW_ASSIGN(result, arithmetic(conversion, op, result, operands[i])); }
    if (node.op != "Mean") return keep(conversion, node, result);
    return keep(conversion, node, elementwise(conversion, "Div", {{"alpha", static_cast<double>(count)}}, result));
}

} // namespace

Result<OnnxOperand> selection(OnnxConversion &conversion, std::vector<OnnxOperand> const &operands)
{
    std::size_t rank = 0;
    for (auto const &operand : operands) rank = std::max(rank, operand.rank());
    std::optional<std::size_t> batch; // counted from the last axis
    bool isComputed = false;
    for (auto const &operand : operands) {
        isComputed = isComputed || !operand.constant;
        if (auto const place = operand.batchAxis()) batch = operand.rank() - *place;
    }
    if (!isComputed) return onnxRefusal(Message::of("all of its inputs are constants"));
    auto computed = operands;
    for (auto &operand : computed) {
        if (!operand.constant) continue;
        bool const has = batch && *batch <= operand.rank();
        TW_ASSIGN(operand, conversion.asComputed(operand, has ? std::optional(operand.rank() - *batch) : std::nullopt));
    }
    TW_ASSIGN(auto const all, align(conversion, computed));
    TW_ASSIGN(auto result, operation(conversion, "Where", Json::object(), all.operands));
    result.type = operands[1].type;
    return all.result(std::move(result));
}

namespace {

Status where(OnnxConversion &conversion, OnnxNode const &node)
{
    return keep(conversion, node,
                selection(conversion, {conversion.operand(node, 0), conversion.operand(node, 1), conversion.operand(node, 2)}));
}

/// Operators that are a function of Keras, or an Operation with the same name.
Status function(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    static std::map<std::string, char const *> const named{{"Relu", "relu"},         {"Sigmoid", "sigmoid"},   {"Tanh", "tanh"},
                                                           {"Softplus", "softplus"}, {"Softsign", "softsign"}, {"Exp", "exponential"}};
    if (auto const found = named.find(node.op); found != named.end() && x.type != OnnxType::Bool) {
        // The activation of the layer that the exporter wrote as several nodes.
        auto *layer = conversion.layerNamed(x.ref.layer);
        auto const scope = OnnxConversion::scopeOf(node);
        bool const same = layer && !scope.empty() && scope.substr(scope.rfind('/') + 1) == layer->name && x.ref.tensor == 0;
        if (same && conversion.readers(node.inputs[0]) == 1 && layer->config.contains("activation") && layer->text("activation") == "linear"
            && layer->className != "Activation") {
            layer->config["activation"] = found->second;
            return keep(conversion, node, x);
        }
        TW_ASSIGN(auto result, conversion.layer("Activation", {{"activation", found->second}}, {x}));
        return keep(conversion, node, OnnxConversion::like(std::move(result), x));
    }
    std::optional<OnnxType> truth;
    if (node.op == "Not" || node.op == "IsNaN") truth = OnnxType::Bool;
    return keep(conversion, node, elementwise(conversion, node.op, Json::object(), x), truth);
}

/// Functions with numbers.
Status shaped(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    auto const layer = [&](char const *className, Json config) -> Status {
        TW_ASSIGN(auto result, conversion.layer(className, std::move(config), {x}));
        return keep(conversion, node, OnnxConversion::like(std::move(result), x));
    };
    auto const named = [&](char const *attribute, float otherwise) { return static_cast<double>(node.number(attribute, otherwise)); };
    if (node.op == "LeakyRelu") return layer("LeakyReLU", {{"alpha", named("alpha", 0.01F)}});
    if (node.op == "Elu") return layer("ELU", {{"alpha", named("alpha", 1)}});
    if (node.op == "ThresholdedRelu") return layer("ThresholdedReLU", {{"theta", named("alpha", 1)}});
    if (node.op == "Celu") return keep(conversion, node, elementwise(conversion, "Celu", {{"alpha", named("alpha", 1)}}, x));
    if (node.op == "Shrink")
        return keep(conversion, node, elementwise(conversion, "Shrink", {{"alpha", named("lambd", 0.5F)}, {"bias", named("bias", 0)}}, x));
    float const alpha = node.number("alpha", 1.67326319217681884765625F), gamma = node.number("gamma", 1.05070102214813232421875F);
    if (node.op == "Selu") {
        if (alpha == 1.67326319217681884765625F && gamma == 1.05070102214813232421875F)
            return layer("Activation", {{"activation", "selu"}});
        return keep(conversion, node,
                    elementwise(conversion, "Selu", {{"alpha", static_cast<double>(alpha)}, {"beta", static_cast<double>(gamma)}}, x));
    }
    float const slope = node.number("alpha", 0.2F), offset = node.number("beta", 0.5F);
    if (slope == 0.2F && offset == 0.5F) return layer("Activation", {{"activation", "hard_sigmoid"}});
    return keep(conversion, node,
                elementwise(conversion, "HardSigmoid", {{"alpha", static_cast<double>(slope)}, {"beta", static_cast<double>(offset)}}, x));
}

Status clip(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    std::optional<double> limits[2];
    for (std::size_t i = 0; i < 2; ++i) {
        auto const *name = i == 0 ? "min" : "max";
        if (node.has(name)) limits[i] = static_cast<double>(node.number(name, 0));
        if (!conversion.has(node, i + 1)) continue;
        TW_ASSIGN(auto const tensor, conversion.constant(node, i + 1, name));
        if (tensor.count() != 1) return onnxRefusal(Message::of("a limit of Clip is no single number"));
        limits[i] = tensor.number(0);
    }
    if (limits[0] == 0.0 && limits[1] == 6.0) {
        TW_ASSIGN(auto result, conversion.layer("ReLU", {{"max_value", 6.0}}, {x}));
        return keep(conversion, node, OnnxConversion::like(std::move(result), x));
    }
    Json config = Json::object();
    if (limits[0] && std::isfinite(*limits[0])) config["min"] = *limits[0];
    if (limits[1] && std::isfinite(*limits[1])) config["max"] = *limits[1];
    if (config.empty()) return keep(conversion, node, x);
    return keep(conversion, node, elementwise(conversion, "Clip", std::move(config), x));
}

/// A slope for each channel, or for each element of a sample.
Status prelu(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    TW_ASSIGN(auto const slope, conversion.constant(node, 1, "slope"));
    if (slope.shape.size() > x.rank()) return onnxRefusal(Message::of("its slopes have more axes than its input"));
    auto const order = x.order();
    TW_ASSIGN(auto beside, conversion.besideOperand(slope, x, order, x.rank()));
    beside.shape.insert(beside.shape.begin(), order.size() - std::min(order.size(), beside.shape.size()), 1);
    if (beside.shape.size() != x.shape.size() - 1) return onnxRefusal(Message::of("its slopes have more axes than its input"));
    Json shared = Json::array();
    for (std::size_t i = 0; i < beside.shape.size(); ++i)
        if (beside.shape[i] == 1 && x.shape[i + 1] != 1) shared.push_back(i + 1);
    TW_ASSIGN(auto result,
              conversion.layer("PReLU", {{"shared_axes", shared.empty() ? Json() : shared}}, {x},
                               {fileArray("alpha", beside.shape, floatsOf(beside))}));
    return keep(conversion, node, OnnxConversion::like(std::move(result), x));
}

Status power(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    auto const number = numberOf(conversion.operand(node, 1));
    if (number && !x.constant && std::isfinite(*number))
        return keep(conversion, node, elementwise(conversion, "Pow", {{"alpha", *number}}, x));
    return keep(conversion, node, arithmetic(conversion, "Pow", x, conversion.operand(node, 1)), x.type);
}

/// The remainder of a division, with the sign of the divisor, or of the dividend where the attribute fmod says so.
Status modulo(OnnxConversion &conversion, OnnxNode const &node)
{
    TW_ASSIGN(auto result, arithmetic(conversion, "Mod", conversion.operand(node, 0), conversion.operand(node, 1)));
    if (node.integer("fmod", 0) != 0) conversion.layerNamed(result.ref.layer)->config["fmod"] = true;
    return keep(conversion, node, std::move(result));
}

/// Products with powers of 2 in the range of the type, or whole quotients.
Status bitShift(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    OnnxOperand factor = conversion.operand(node, 1);
    if (factor.constant) {
        auto &tensor = *factor.constant;
        tensor.floats.clear();
        for (auto const places : tensor.integers) tensor.floats.push_back(std::exp2(static_cast<float>(places)));
        tensor.integers.clear();
        tensor.type = OnnxType::Float;
    } else {
        TW_ASSIGN(factor, elementwise(conversion, "Pow", {{"alpha", 2.0}, {"constant_first", true}}, factor));
    }
    if (node.text("direction", "") == "RIGHT") {
        TW_ASSIGN(auto const quotient, arithmetic(conversion, "Div", x, factor));
        return keep(conversion, node, elementwise(conversion, "Floor", Json::object(), quotient), x.type);
    }
    TW_ASSIGN(auto const product, arithmetic(conversion, "Mul", x, factor));
    constexpr auto kUInt16 = static_cast<OnnxType>(4);
    if (x.type != OnnxType::UInt8 && x.type != kUInt16) return keep(conversion, node, product, x.type);
    double const range = x.type == OnnxType::UInt8 ? 256 : 65536;
    return keep(conversion, node, elementwise(conversion, "Mod", {{"alpha", range}}, product), x.type);
}

Status isInfinite(OnnxConversion &conversion, OnnxNode const &node)
{
    auto x = conversion.operand(node, 0);
    bool const above = node.integer("detect_positive", 1) != 0, below = node.integer("detect_negative", 1) != 0;
    if (below) { TW_ASSIGN(x, elementwise(conversion, above ? "Abs" : "Neg", Json::object(), x)); }
    double const most = above || below ? static_cast<double>(std::numeric_limits<float>::max()) : 0;
    if (most == 0) { TW_ASSIGN(x, elementwise(conversion, "Mul", {{"alpha", 0.0}}, x)); }
    return keep(conversion, node, elementwise(conversion, "Greater", {{"alpha", most}}, x), OnnxType::Bool);
}

/// Rounds where the target holds fewer numbers than the values.
Status cast(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    auto const type = node.op == "CastLike" ? conversion.operand(node, 1).type : static_cast<OnnxType>(node.integer("to", 1));
    constexpr auto kBFloat16 = static_cast<OnnxType>(16);
    if (type == OnnxType::Text || type == kBFloat16 || x.type == kBFloat16)
        return onnxRefusal(Message::of("no IPU computes with this type"));
    auto const isFloating = [](OnnxType one) { return one == OnnxType::Float || one == OnnxType::Double || one == OnnxType::Half; };
    char const *to = nullptr;
    if (type == OnnxType::Half && x.type != OnnxType::Half && x.type != OnnxType::Bool) to = "float16";
    else if (type == OnnxType::Bool && x.type != OnnxType::Bool) to = "bool";
    else if (isFloating(x.type) && !isFloating(type)) to = "int32";
    if (!to) return keep(conversion, node, x, type);
    return keep(conversion, node, elementwise(conversion, "Cast", {{"to", to}}, x), type);
}

/// Nodes that change nothing in a model of float32.
Status passed(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    if (node.outputs.size() > 1 && !node.outputs[1].empty() && conversion.readers(node.outputs[1]) > 0)
        return onnxRefusal(Message::of("its further output is used"));
    conversion.set(node.outputs.at(0), x);
    return {};
}

Status dropout(OnnxConversion &conversion, OnnxNode const &node)
{
    double rate = static_cast<double>(node.number("ratio", 0.5F));
    if (conversion.has(node, 1)) {
        TW_ASSIGN(auto const ratio, conversion.constant(node, 1, "ratio"));
        rate = ratio.count() == 1 ? ratio.number(0) : 0.5;
    }
    bool trains = false; // a file for inference says nothing of the training
    if (conversion.has(node, 2)) {
        TW_ASSIGN(auto const mode, conversion.constant(node, 2, "training_mode"));
        trains = mode.count() == 1 && mode.number(0) != 0;
    }
    auto const &x = conversion.operand(node, 0);
    if (node.outputs.size() > 1 && conversion.readers(node.outputs[1]) > 0) {
        if (trains && rate > 0) return onnxRefusal(Message::of("its mask is used, and differs from run to run"));
        OnnxOperand mask; // everything is kept
        mask.constant = OnnxTensor{"", OnnxType::Bool, x.extents(), {}, {1}};
        mask.isUniform = true;
        mask.type = OnnxType::Bool;
        conversion.set(node.outputs[1], std::move(mask));
    }
    if (!(rate > 0 && rate < 1)) return keep(conversion, node, x);
    TW_ASSIGN(auto result, conversion.layer("Dropout", {{"rate", rate}}, {x}));
    return keep(conversion, node, OnnxConversion::like(std::move(result), x));
}

} // namespace

std::span<OnnxRule const> elementRules()
{
    static std::vector<OnnxRule> const all = [] {
        std::vector<OnnxRule> rules{{"Clip", clip},        {"PRelu", prelu},       {"Pow", power, true}, {"Where", where, true},
                                    {"Identity", passed},  {"Cast", cast},         {"CastLike", cast},   {"Dropout", dropout},
                                    {"Mod", modulo, true}, {"BitShift", bitShift}, {"IsInf", isInfinite}};
        for (auto const *op : {"Add", "Sub", "Mul", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "And", "Or", "Xor"})
            rules.push_back({op, binary, true});
        for (auto const *op : {"Max", "Min", "Sum", "Mean"}) rules.push_back({op, several, true});
        for (auto const *op : {"Relu",       "Sigmoid", "Tanh", "Softplus",  "Softsign", "Exp",  "Abs",   "Neg",   "Log",   "Sqrt",
                               "Reciprocal", "Sign",    "Erf",  "HardSwish", "IsNaN",    "Not",  "Floor", "Ceil",  "Round", "Sin",
                               "Cos",        "Tan",     "Asin", "Acos",      "Atan",     "Sinh", "Cosh",  "Asinh", "Acosh", "Atanh"})
            rules.push_back({op, function});
        for (auto const *op : {"LeakyRelu", "Elu", "ThresholdedRelu", "Celu", "Shrink", "Selu", "HardSigmoid"})
            rules.push_back({op, shaped});
        return rules;
    }();
    return all;
}

} // namespace tilewright::interop
