#include "engine/interop/operations.h"

#include "engine/core/ascii.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/interop/json_members.h"
#include "engine/model/nested.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::interop {

using model::Json;

namespace {

/// An operation that is one expression of its operands a and b. A name stands for the function in TensorFlow, the class of a graph
/// operation and the class in Keras 3.
struct ElementOperation {
    std::string_view expression;
    std::vector<std::string_view> names;
    char const *merge = nullptr; ///< the layer of two tensors, if there is one
};

std::vector<ElementOperation> const &elementOperations()
{
    static std::vector<ElementOperation> const all{
        {"a + b", {"math.add", "__operators__.add", "add", "Add", "AddV2"}, "Add"},
        {"a - b", {"math.subtract", "__operators__.subtract", "subtract", "Subtract", "Sub"}, "Subtract"},
        {"a * b", {"math.multiply", "__operators__.multiply", "multiply", "Multiply", "Mul"}, "Multiply"},
        {"a / b", {"math.truediv", "math.divide", "divide", "realdiv", "RealDiv", "TrueDivide", "Divide"}},
        {"a ** b", {"math.pow", "pow", "Pow", "Power"}},
        {"max(a, b)", {"math.maximum", "maximum", "Maximum"}, "Maximum"},
        {"min(a, b)", {"math.minimum", "minimum", "Minimum"}, "Minimum"},
        {"-a", {"math.negative", "negative", "Neg", "Negative"}},
        {"abs(a)", {"math.abs", "abs", "Abs", "Absolute"}},
        {"sqrt(a)", {"math.sqrt", "sqrt", "Sqrt"}},
        {"square(a)", {"math.square", "square", "Square"}},
        {"exp(a)", {"math.exp", "exp", "Exp"}},
        {"log(a)", {"math.log", "log", "Log"}},
        {"sign(a)", {"math.sign", "sign", "Sign"}},
        {"1 / a", {"math.reciprocal", "Reciprocal"}},
        {"1 / sqrt(a)", {"math.rsqrt", "Rsqrt"}},
    };
    return all;
}

/// An operation that is an activation.
std::map<std::string_view, std::string_view> const &activations()
{
    static std::map<std::string_view, std::string_view> const all{{"nn.relu", "relu"},         {"Relu", "relu"},
                                                                  {"nn.sigmoid", "sigmoid"},   {"math.sigmoid", "sigmoid"},
                                                                  {"sigmoid", "sigmoid"},      {"Sigmoid", "sigmoid"},
                                                                  {"math.tanh", "tanh"},       {"tanh", "tanh"},
                                                                  {"nn.tanh", "tanh"},         {"Tanh", "tanh"},
                                                                  {"nn.softplus", "softplus"}, {"math.softplus", "softplus"},
                                                                  {"Softplus", "softplus"},    {"nn.softsign", "softsign"},
                                                                  {"nn.elu", "elu"},           {"Elu", "elu"},
                                                                  {"nn.selu", "selu"},         {"Selu", "selu"},
                                                                  {"nn.silu", "swish"},        {"nn.swish", "swish"},
                                                                  {"identity", "linear"},      {"Identity", "linear"}};
    return all;
}

/// A tensor, by its reference, or a constant.
struct Operand {
    Json reference; ///< null: a constant
    Json constant;
    bool isTensor() const { return !reference.is_null(); }
    bool isNumber() const { return !isTensor() && constant.is_number() && std::isfinite(constant.get<double>()); }
};

/// An operation with its operands in order, and its other arguments by name.
struct Operation {
    std::string name;
    std::vector<Operand> operands;
    Json arguments = Json::object();
};

/// The layer that computes an operation.
struct MadeLayer {
    std::string className;
    Json config;
    std::vector<Json> inputs;
};

bool isTensorReference(Json const &json)
{
    return json.is_array() && json.size() >= 3 && json.size() <= 4 && json[0].is_string() && json[1].is_number_integer() && json[1] >= 0
        && json[2].is_number_integer();
}

Json bareReference(Json const &reference) { return {reference[0], reference[1], reference[2], Json::object()}; }

Operand operandOf(Json const &json)
{
    if (textIn(json, "class_name") == "__keras_tensor__" && json.contains("config") && json["config"].is_object()
        && json["config"].contains("keras_history") && isTensorReference(json["config"]["keras_history"]))
        return {bareReference(json["config"]["keras_history"]), {}};
    if (isTensorReference(json)) return {bareReference(json), {}};
    // Keras 2 marks a constant as the first argument: ["_CONSTANT_VALUE", -1, 2.0, {…}].
    if (json.is_array() && json.size() >= 3 && json[0] == "_CONSTANT_VALUE") return {{}, json[2]};
    return {{}, json};
}

/// TFOpLambda: the first argument with the others by name.
std::optional<Operation> ofLambda(Json const &config, Json const &node)
{
    Operation operation{textIn(config, "function"), {}, Json::object()};
    if (!node.is_array() || node.empty()) return {};
    bool const single = node[0].is_string();
    auto const first = single ? node : node[0];
    for (std::size_t i = 0; i < (single ? 1 : node.size()); ++i) operation.operands.push_back(operandOf(single ? node : node[i]));
    if (first.is_array() && first.size() == 4 && first[3].is_object()) operation.arguments = first[3];
    if (auto const second = operation.arguments.find("y"); second != operation.arguments.end()) {
        operation.operands.push_back(operandOf(*second));
        operation.arguments.erase(second);
    }
    return operation;
}

/// TensorFlowOpLayer: tensors in order, with constants by their place among the operands.
std::optional<Operation> ofNode(Json const &config, Json const &node)
{
    auto const definition = config.find("node_def");
    if (definition == config.end() || !definition->is_object() || !node.is_array()) return {};
    Operation operation{textIn(*definition, "op"), {}, Json::object()};
    std::map<std::int64_t, Json> constants;
    if (auto const given = config.find("constants"); given != config.end() && given->is_object())
        for (auto const &[key, value] : given->items()) {
            auto const place = parseInteger(key);
            if (!place || *place < 0 || *place > 100) return {};
            constants[*place] = value;
        }
    std::size_t next = 0;
    bool const single = !node.empty() && node[0].is_string();
    auto const count = (single ? 1 : node.size()) + constants.size();
    for (std::size_t i = 0; i < count; ++i) {
        auto const constant = constants.find(static_cast<std::int64_t>(i));
        if (constant == constants.end() && next >= (single ? 1 : node.size())) return {};
        operation.operands.push_back(constant == constants.end() ? operandOf(single ? node : node[next++]) : Operand{{}, constant->second});
    }
    return operation;
}

/// An operation of Keras 3: {"args": […], "kwargs": {…}}.
std::optional<Operation> ofKeras3(std::string className, Json const &node)
{
    Operation operation{std::move(className), {}, Json::object()};
    if (!node.is_object() || !node.contains("args") || !node["args"].is_array()) return {};
    for (auto const &argument : node["args"]) {
        bool const list = argument.is_array() && !argument.empty() && argument[0].is_object();
        for (auto const &one : list ? argument : Json::array({argument})) operation.operands.push_back(operandOf(one));
    }
    if (node.contains("kwargs") && node["kwargs"].is_object()) operation.arguments = node["kwargs"];
    return operation;
}

/// No argument but the name changes the result.
bool isBare(Operation const &operation)
{
    return std::ranges::all_of(operation.arguments.items(),
                               [](auto const &item) { return item.key() == "name" || item.value().is_null(); });
}

/// "a - b" with its operands: the tensors are x and x2.
std::optional<MadeLayer> elementLayer(ElementOperation const &kind, Operation const &operation)
{
    bool const two = kind.expression.find('b') != std::string_view::npos && kind.expression != "abs(a)";
    if (operation.operands.size() != (two ? 2U : 1U) || !isBare(operation)) return {};
    MadeLayer layer{"Lambda", Json::object(), {}};
    std::string text;
    std::vector<std::string> names;
    for (auto const &operand : operation.operands) {
        if (!operand.isTensor() && !operand.isNumber()) return {};
        if (operand.isNumber()) {
            names.push_back("(" + numberText(operand.constant.get<double>()) + ")");
            continue;
        }
        layer.inputs.push_back(operand.reference);
        names.push_back(layer.inputs.size() == 1 ? "x" : "x2");
    }
    if (layer.inputs.empty()) return {};
    if (kind.merge && layer.inputs.size() == 2) {
        layer.className = kind.merge;
        return layer;
    }
    for (std::size_t i = 0; i < kind.expression.size(); ++i) {
        char const sign = kind.expression[i];
        bool const alone = (i == 0 || !isAsciiLetter(kind.expression[i - 1]))
            && (i + 1 == kind.expression.size() || !isAsciiLetter(kind.expression[i + 1]));
        if (alone && sign == 'a') text += names[0];
        else if (alone && sign == 'b') text += names[1];
        else text += sign;
    }
    layer.config["expression"] = std::move(text);
    return layer;
}

std::optional<std::vector<std::int64_t>> integers(Json const &json)
{
    std::vector<std::int64_t> list;
    if (!json.is_array()) return {};
    for (auto const &each : json) {
        if (!each.is_number_integer()) return {};
        list.push_back(each.get<std::int64_t>());
    }
    return list;
}

/// The constant after the first operand, or the argument of one of these names.
Json detailOf(Operation const &operation, std::initializer_list<char const *> names)
{
    for (auto const *name : names)
        if (auto const found = operation.arguments.find(name); found != operation.arguments.end()) return *found;
    auto const &last = operation.operands.back();
    return operation.operands.size() > 1 && !last.isTensor() ? last.constant : Json();
}

bool isNamed(Operation const &operation, std::initializer_list<std::string_view> names)
{
    return std::ranges::find(names, operation.name) != names.end();
}

std::optional<MadeLayer> structuralLayer(Operation const &operation)
{
    if (operation.operands.empty() || !operation.operands.front().isTensor()) return {};
    auto const &first = operation.operands.front().reference;
    if (isNamed(operation, {"reshape", "Reshape"})) {
        auto const shape = integers(detailOf(operation, {"shape", "newshape"}));
        // The batch must stay the open axis; another open one would make two.
        if (!shape || shape->size() < 2 || shape->front() != -1) return {};
        if (std::ranges::any_of(shape->begin() + 1, shape->end(), [](auto extent) { return extent < 1; })) return {};
        return MadeLayer{"Reshape", {{"target_shape", std::vector(shape->begin() + 1, shape->end())}}, {first}};
    }
    if (isNamed(operation, {"transpose", "Transpose"})) {
        auto const perm = integers(detailOf(operation, {"perm", "axes"}));
        if (!perm || perm->size() < 2 || perm->front() != 0) return {};
        return MadeLayer{"Permute", {{"dims", std::vector(perm->begin() + 1, perm->end())}}, {first}};
    }
    if (isNamed(operation, {"concat", "concatenate", "ConcatV2", "Concatenate"})) {
        auto const axis = detailOf(operation, {"axis"});
        MadeLayer layer{"Concatenate", {{"axis", axis}}, {}};
        if (!axis.is_number_integer() || axis == 0) return {};
        for (auto const &operand : operation.operands)
            if (operand.isTensor()) layer.inputs.push_back(operand.reference);
        return layer.inputs.size() > 1 ? std::optional(layer) : std::nullopt;
    }
    if (isNamed(operation, {"cast", "Cast"}))
        return detailOf(operation, {"dtype"}) == "float32" ? std::optional(MadeLayer{"Activation", {{"activation", "linear"}}, {first}})
                                                           : std::nullopt;
    if (isNamed(operation, {"clip_by_value"})) {
        auto const low = operation.arguments.find("clip_value_min"), high = operation.arguments.find("clip_value_max");
        if (low == operation.arguments.end() || high == operation.arguments.end() || !low->is_number() || !high->is_number()) return {};
        return MadeLayer{"Lambda",
                         {{"expression", "min(max(x, " + numberText(low->get<double>()) + "), " + numberText(high->get<double>()) + ")"}},
                         {first}};
    }
    if (isNamed(operation, {"nn.softmax", "Softmax"})) {
        auto const axis = operation.arguments.value("axis", Json());
        return axis.is_null() || axis == -1 ? std::optional(MadeLayer{"Softmax", {{"axis", -1}}, {first}}) : std::nullopt;
    }
    if (isNamed(operation, {"nn.leaky_relu", "LeakyRelu"})) {
        auto const alpha = operation.arguments.value("alpha", Json(0.2));
        return alpha.is_number() ? std::optional(MadeLayer{"LeakyReLU", {{"alpha", alpha}}, {first}}) : std::nullopt;
    }
    return {};
}

std::optional<MadeLayer> layerFor(Operation const &operation)
{
    for (auto const &kind : elementOperations())
        if (std::ranges::find(kind.names, operation.name) != kind.names.end()) return elementLayer(kind, operation);
    if (auto const found = activations().find(operation.name); found != activations().end()) {
        if (operation.operands.size() != 1 || !operation.operands.front().isTensor() || !isBare(operation)) return {};
        return MadeLayer{"Activation", {{"activation", found->second}}, {operation.operands.front().reference}};
    }
    return structuralLayer(operation);
}

void replaceIn(Json &config);

void replaceLayer(Json &layer)
{
    if (!layer.is_object() || !layer.contains("config") || !layer["config"].is_object()) return;
    auto const className = textIn(layer, "class_name");
    auto &config = layer["config"];
    if (model::isModelClass(className)) return replaceIn(config);
    auto const module = textIn(layer, "module");
    bool const isOperation = module.find(".ops") != std::string::npos;
    if (className != "TFOpLambda" && className != "TensorFlowOpLayer" && !isOperation) return;
    auto const nodes = layer.find("inbound_nodes");
    if (nodes == layer.end() || !nodes->is_array() || nodes->size() != 1) return;
    auto const operation = className == "TFOpLambda" ? ofLambda(config, nodes->front())
        : className == "TensorFlowOpLayer"           ? ofNode(config, nodes->front())
                                                     : ofKeras3(className, nodes->front());
    if (!operation) return;
    auto const made = layerFor(*operation);
    if (!made) return;
    auto name = textIn(layer, "name");
    if (name.empty()) name = textIn(config, "name");
    auto const type = config.value("dtype", Json());
    layer["class_name"] = made->className;
    layer["config"] = made->config;
    layer["config"]["name"] = name;
    if (!type.is_null()) layer["config"]["dtype"] = type;
    layer["name"] = name;
    layer.erase("module");
    *nodes = Json::array({made->inputs});
}

void replaceIn(Json &config)
{
    auto const layers = config.is_object() ? config.find("layers") : config.end();
    if (!config.is_object() || layers == config.end() || !layers->is_array()) return;
    for (auto &layer : *layers) replaceLayer(layer);
}

} // namespace

void replaceOperations(Json &document)
{
    if (document.is_object() && document.contains("config")) replaceIn(document["config"]);
}

} // namespace tilewright::interop
