#include "engine/model/param.h"

#include "engine/core/ascii.h"
#include "engine/core/json_text.h"
#include "engine/core/range_text.h"
#include "engine/core/text.h"
#include "engine/core/types.h"
#include "engine/model/activations.h"
#include "engine/model/constraints.h"
#include "engine/model/initializers.h"
#include "engine/model/layer_spec.h"
#include "engine/model/regularizers.h"
#include "engine/model/schedules.h"

#include <sstream>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::model {

namespace {

Diagnostic bad(std::string const &subject, ParamInfo const &param, Json const &value, Message const &wanted)
{
    std::string shown = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (shown.size() > 60) shown = shown.substr(0, 57) + "...";
    return makeError(
        ErrorKind::Invalid, "model.bad-argument", subject, Message::of("argument '%1' is %2, which is not %3", param.name, shown, wanted),
        param.required ? Message::of("give %1", wanted) : Message::of("give %1; the default is %2", wanted, param.defaultJson));
}

/// "a list of integers of at least 1": `what` with the range of its numbers.
Message ranged(Message const &what, ParamInfo const &param)
{
    if (param.min && param.max) return Message::of("%1 from %2 to %3", what, numberText(*param.min), numberText(*param.max));
    if (param.min) return Message::of("%1 of at least %2", what, numberText(*param.min));
    if (param.max) return Message::of("%1 of at most %2", what, numberText(*param.max));
    return what;
}

bool inRange(ParamInfo const &param, double value) { return (!param.min || value >= *param.min) && (!param.max || value <= *param.max); }

std::optional<std::int64_t> integral(Json const &value)
{
    if (value.is_number_unsigned()) {
        auto const wide = value.get<std::uint64_t>();
        if (wide > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
        return static_cast<std::int64_t>(wide);
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number_float()) {
        double const number = value.get<double>();
        if (std::nearbyint(number) == number && std::abs(number) < 9e15) return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
}

bool knownDType(Json const &value)
{
    if (value.is_string()) {
        auto const name = value.get<std::string>();
        return parseDType(name).has_value() || name == "int64" || name == "uint32" || name == "mixed_float16";
    }
    // A policy: {"class_name": "Policy", "config": {"name": "mixed_float16"}}, newer versions "DTypePolicy".
    if (!value.is_object() || !value.contains("config") || !value["config"].is_object()) return false;
    auto const &config = value["config"];
    return config.contains("name") && config["name"].is_string() && knownDType(config["name"]);
}

std::string lower(std::string_view text)
{
    std::string result(text);
    for (char &c : result) c = asciiLower(c);
    return result;
}

/// n, a list of integers, or a list of pairs: a pair for each of param.length axes.
Result<Json> normalizePairs(ParamInfo const &param, Json const &value, std::string const &subject)
{
    auto const count = static_cast<std::size_t>(param.length);
    auto const wrong = [&] {
        return bad(subject, param, value,
                   ranged(Message::of("an integer, a list of %1 integers, or a list of %1 pairs [before, after]", count), param));
    };
    auto const number = [&](Json const &item) {
        auto const n = integral(item);
        return n && inRange(param, static_cast<double>(*n)) ? n : std::nullopt;
    };
    Json list = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        if (value.is_array() && value.size() != count) return wrong();
        Json const &item = value.is_array() ? value[i] : value;
        bool const pair = item.is_array() && item.size() == 2;
        auto const before = number(pair ? item[0] : item), after = number(pair ? item[1] : item);
        if (!before || !after) return wrong();
        list.push_back(Json::array({*before, *after}));
    }
    return list;
}

} // namespace

std::string_view paramTypeName(ParamType type)
{
    switch (type) {
    case ParamType::Bool: return "bool";
    case ParamType::Int: return "int";
    case ParamType::Float: return "float";
    case ParamType::Text: return "text";
    case ParamType::Enum: return "enum";
    case ParamType::IntList: return "list of int";
    case ParamType::FloatList: return "list of float";
    case ParamType::Shape: return "shape";
    case ParamType::DType: return "dtype";
    case ParamType::Initializer: return "initializer";
    case ParamType::Activation: return "activation";
    case ParamType::Layer: return "layer";
    case ParamType::Regularizer: return "regularizer";
    case ParamType::Constraint: return "constraint";
    case ParamType::Rate: return "float or schedule";
    }
    return "";
}

bool Configured::flag(std::string_view key) const
{
    auto const it = config.find(key);
    return it != config.end() && it->is_boolean() && it->get<bool>();
}

std::int64_t Configured::integer(std::string_view key) const
{
    auto const it = config.find(key);
    return it == config.end() ? 0 : integral(*it).value_or(0);
}

std::vector<std::int64_t> Configured::integers(std::string_view key) const
{
    std::vector<std::int64_t> all;
    auto const it = config.find(key);
    if (it == config.end()) return all;
    if (it->is_number_integer()) return {it->get<std::int64_t>()}; // a list of one, as Keras writes it
    if (!it->is_array()) return all;
    for (auto const &item : *it) all.push_back(integral(item).value_or(0));
    return all;
}

std::vector<double> Configured::reals(std::string_view key) const
{
    std::vector<double> all;
    auto const it = config.find(key);
    if (it == config.end()) return all;
    if (it->is_number()) return {it->get<double>()};
    if (!it->is_array()) return all;
    for (auto const &item : *it) all.push_back(item.is_number() ? item.get<double>() : 0.0);
    return all;
}

double Configured::number(std::string_view key) const
{
    auto const it = config.find(key);
    return it != config.end() && it->is_number() ? it->get<double>() : 0.0;
}

std::string Configured::text(std::string_view key) const
{
    auto const it = config.find(key);
    return it != config.end() && it->is_string() ? it->get<std::string>() : std::string();
}

bool Configured::isNull(std::string_view key) const
{
    auto const it = config.find(key);
    return it == config.end() || it->is_null();
}

Json defaultOf(ParamInfo const &param)
{
    Json value = jsonOrDiscarded(param.defaultJson);
    TW_CHECK(!value.is_discarded(), "default of " + param.name + " is no JSON: " + param.defaultJson);
    return value;
}

Result<Json> normalizeParam(ParamInfo const &param, Json const &value, std::string const &subject)
{
    if (value.is_null() && param.nullable) return value;
    switch (param.type) {
    case ParamType::Bool:
        if (value.is_boolean()) return value;
        if (auto const number = integral(value); number && (*number == 0 || *number == 1)) return Json(*number == 1);
        return bad(subject, param, value, Message::of("true or false"));
    case ParamType::Int:
        if (auto const number = integral(value); number && inRange(param, static_cast<double>(*number))) return Json(*number);
        return bad(subject, param, value, integerText(param.min, param.max));
    case ParamType::Rate:
        if (value.is_object() || value.is_string()) return normalizeSchedule(value, subject);
        [[fallthrough]];
    case ParamType::Float:
        if (value.is_number() && std::isfinite(value.get<double>()) && inRange(param, value.get<double>()))
            return Json(value.get<double>());
        return bad(subject, param, value, realText(param.min, param.max));
    case ParamType::Text:
        if (value.is_string()) return value;
        return bad(subject, param, value, Message::of("a text"));
    case ParamType::Enum:
        if (value.is_string())
            for (auto const &word : param.allowed)
                if (lower(word) == lower(value.get<std::string>())) return Json(word);
        return bad(subject, param, value, Message::of("one of %1", joinText(param.allowed, ", ")));
    case ParamType::IntList: {
        if (auto const one = integral(value); one && param.orInteger && inRange(param, static_cast<double>(*one))) return Json(*one);
        if (param.pairs) return normalizePairs(param, value, subject);
        auto const count = static_cast<std::size_t>(std::max(param.length, 0));
        if (auto const one = integral(value); one && param.length < 0 && inRange(param, static_cast<double>(*one)))
            return Json::array({*one});
        Message const several = param.orInteger ? Message::of("an integer or a list of integers")
            : param.length > 1                  ? Message::of("an integer or a list of %1 integers", param.length)
            : param.length == 1                 ? Message::of("an integer")
                                                : Message::of("a list of integers");
        if (auto const same = integral(value); same && count > 0 && inRange(param, static_cast<double>(*same)))
            return Json(std::vector<std::int64_t>(count, *same));
        if (!value.is_array() || (count > 0 && value.size() != count)) return bad(subject, param, value, ranged(several, param));
        Json list = Json::array();
        for (auto const &item : value) {
            auto const number = integral(item);
            if (!number || !inRange(param, static_cast<double>(*number))) return bad(subject, param, value, ranged(several, param));
            list.push_back(*number);
        }
        return list;
    }
    case ParamType::FloatList: {
        auto const valid = [&](Json const &item) {
            return item.is_number() && std::isfinite(item.get<double>()) && inRange(param, item.get<double>());
        };
        if (param.orInteger && valid(value)) return Json(value.get<double>());
        Message const wanted =
            ranged(param.orInteger ? Message::of("a number or a list of numbers") : Message::of("a list of numbers"), param);
        if (!value.is_array()) return bad(subject, param, value, wanted);
        Json list = Json::array();
        for (auto const &item : value) {
            if (!valid(item)) return bad(subject, param, value, wanted);
            list.push_back(item.get<double>());
        }
        return list;
    }
    case ParamType::Shape: {
        if (!value.is_array() || value.empty()) return bad(subject, param, value, Message::of("a list of extents, like [null, 784]"));
        Json list = Json::array();
        for (auto const &item : value) {
            auto const extent = integral(item);
            if (!item.is_null() && !extent) return bad(subject, param, value, Message::of("a list of extents, like [null, 784]"));
            list.push_back(extent ? Json(*extent) : Json());
        }
        return list;
    }
    case ParamType::DType:
        if (knownDType(value)) return value;
        return bad(subject, param, value, Message::of("float32, float16, mixed_float16, int32, uint8 or bool"));
    case ParamType::Initializer: {
        TW_ASSIGN(Initializer const initializer, parseInitializer(value, subject + ", " + param.name));
        return initializerJson(initializer);
    }
    case ParamType::Activation: return normalizeActivation(value, subject, param.name);
    case ParamType::Layer: {
        if (param.length == -1 && value.is_array()) { // a list of layers
            ParamInfo one = param;
            one.length = 0;
            Json list = Json::array();
            for (auto const &each : value) {
                TW_ASSIGN(Json layer, normalizeParam(one, each, subject));
                list.push_back(std::move(layer));
            }
            return list;
        }
        TW_ASSIGN(Layer layer, layerInside(value, subject));
        normalizeLayer(layer);
        TW_TRY(checkLayer(layer));
        return insideJson(layer);
    }
    case ParamType::Regularizer: {
        if (value.is_null()) return value;
        TW_ASSIGN(auto const regularizer, parseRegularizer(value, subject + ", " + param.name));
        return classJson(regularizer);
    }
    case ParamType::Constraint: {
        if (value.is_null()) return value;
        TW_ASSIGN(auto const constraint, parseConstraint(value, subject + ", " + param.name));
        return classJson(constraint);
    }
    }
    return value;
}

Message suggestion(std::string_view name, std::span<std::string const> candidates)
{
    if (auto const nearest = nearestName(name, candidates); !nearest.empty()) return Message::of("did you mean '%1'?", nearest);
    if (candidates.size() <= 40) return Message::of("known: %1", joinText(candidates, ", "));
    return {};
}

Result<Json> normalizeConfig(std::span<ParamInfo const> params, Json const &config, std::string const &subject, Json const &tolerated)
{
    if (!config.is_object() && !config.is_null())
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject, Message::of("the arguments are not an object"),
                         Message::of("give {\"argument\": value, ...}"));
    Json result = Json::object();
    for (auto const &param : params) {
        if (config.is_object() && config.contains(param.name)) {
            TW_ASSIGN(Json value, normalizeParam(param, config[param.name], subject));
            result[param.name] = std::move(value);
        } else if (param.required) {
            return makeError(ErrorKind::Invalid, "model.missing-argument", subject, Message::of("argument '%1' is missing", param.name),
                             Message::of("give %1 (%2)", param.name, Message(param.help)));
        } else {
            result[param.name] = defaultOf(param);
        }
    }
    if (!config.is_object()) return result;
    std::vector<std::string> names;
    for (auto const &param : params) names.push_back(param.name);
    for (auto const &[key, value] : config.items()) {
        if (result.contains(key)) continue;
        if (tolerated.contains(key)) {
            if (tolerated[key] == value) continue;
            return makeError(ErrorKind::Invalid, "model.unsupported", subject,
                             Message::of("argument '%1' is supported only as %2", key, tolerated[key].dump()), Message::of("leave it out"));
        }
        return makeError(ErrorKind::Invalid, "model.unknown-argument", subject, Message::of("no argument is named '%1'", key),
                         suggestion(key, names));
    }
    return result;
}

namespace {

/// Class-and-config objects inside a config, whose arguments have an order of their own.
OrderedJson orderedValue(ParamInfo const &param, Json const &value)
{
    bool const named = value.is_object() && value.contains("class_name");
    if (param.type == ParamType::Initializer && named) return orderedInitializer(value);
    if (param.type == ParamType::Regularizer && named) return orderedClass(regularizerSpecs(), value);
    if (param.type == ParamType::Constraint && named) return orderedClass(constraintSpecs(), value);
    if (param.type == ParamType::Rate) return orderedSchedule(value);
    bool const layered = param.type == ParamType::Layer || param.type == ParamType::Activation;
    if (param.type == ParamType::Layer && value.is_array()) {
        OrderedJson list = OrderedJson::array();
        for (auto const &each : value) list.push_back(orderedValue(param, each));
        return list;
    }
    if (!layered || !value.is_object()) return OrderedJson(value);
    auto const layer = layerInside(value, param.name);
    auto const *spec = layer.ok() ? findLayerSpec(layer->className) : nullptr;
    if (!spec) return OrderedJson(value);
    OrderedJson config{{"name", layer->name}};
    config.update(orderedConfig(layerParams(*spec), layer->config));
    return {{"class_name", layer->className}, {"config", std::move(config)}};
}

} // namespace

OrderedJson orderedConfig(std::span<ParamInfo const> params, Json const &config)
{
    if (!config.is_object()) return OrderedJson(config); // broken input is written as it is
    OrderedJson result = OrderedJson::object();
    auto const known = [&](std::string const &key) { return std::ranges::find(params, key, &ParamInfo::name) != params.end(); };
    for (auto const &param : params) {
        auto const it = config.find(param.name);
        // A layer that is not there Keras leaves out.
        if (it == config.end() || (param.type == ParamType::Layer && it->is_null())) continue;
        result[param.name] = orderedValue(param, *it);
    }
    for (auto const &[key, value] : config.items())
        if (!known(key)) result[key] = OrderedJson(value);
    return result;
}

namespace {

/// "28 28", "28x28", "28 × 28" and "28, 28": numbers alone, without brackets. Null: it is something else.
Json plainNumbers(std::string_view text)
{
    std::string spaced;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const times = text.substr(i, 2) == "\u00D7";
        bool const between = times || text[i] == ',' || text[i] == 'x' || text[i] == ' ';
        spaced += between ? ' ' : text[i];
        if (times) ++i;
    }
    std::string listed;
    std::istringstream words(spaced);
    for (std::string word; words >> word;) {
        if (word.find_first_not_of("0123456789.+-e") != std::string::npos) return nullptr;
        listed += (listed.empty() ? "" : ",") + word;
    }
    auto const parsed = parseJson("[" + listed + "]", "numbers");
    return parsed.ok() && !parsed->empty() ? *parsed : Json();
}

} // namespace

Json valueFromText(ParamInfo const &param, std::string_view text)
{
    bool const textual = param.type == ParamType::Text || param.type == ParamType::Enum;
    if (text == "None" || text == "null") return nullptr;
    if (!textual && (text == "True" || text == "true")) return true;
    if (!textual && (text == "False" || text == "false")) return false;
    std::string python; // a shape as Python prints it: (None, 784)
    if (param.type == ParamType::Shape) {
        python = std::string(text);
        for (auto at = python.find("None"); at != std::string::npos; at = python.find("None", at)) python.replace(at, 4, "null");
        text = python;
    }
    // As the type line reads a shape: sizes alone are those behind the batch, which is open.
    if (param.type == ParamType::Shape)
        if (Json sizes = plainNumbers(text); sizes.is_array()) {
            sizes.insert(sizes.begin(), nullptr);
            return sizes;
        }
    auto const parsed = parseJson(text, param.name);
    if (parsed.ok() && (!textual || parsed->is_string())) return *parsed;
    bool const list = param.type == ParamType::IntList || param.type == ParamType::FloatList || param.type == ParamType::Shape;
    if (list && text.find(',') != std::string_view::npos) { // "3,4" and "(3, 4)" as Python writes a tuple
        std::string inner(text);
        if (inner.size() >= 2 && inner.front() == '(' && inner.back() == ')') inner = inner.substr(1, inner.size() - 2);
        while (!inner.empty() && (inner.back() == ' ' || inner.back() == ',')) inner.pop_back();
        if (auto const listed = parseJson("[" + inner + "]", param.name); listed.ok()) return *listed;
    }
    if (list)
        if (Json const numbers = plainNumbers(text); numbers.is_array()) return numbers;
    return std::string(text);
}

Result<Json> parseJson(std::string_view text, std::string const &subject) { return tilewright::parseJson(text, subject, "model.json"); }

std::string pythonText(OrderedJson const &value)
{
    auto const scalar = [](OrderedJson const &item) { return item.dump(-1, ' ', true, OrderedJson::error_handler_t::replace); };
    if (value.is_array()) {
        std::string text = "[";
        for (std::size_t i = 0; i < value.size(); ++i) text += (i ? ", " : "") + pythonText(value[i]);
        return text + "]";
    }
    if (value.is_object()) {
        std::string text = "{";
        for (auto const &[key, item] : value.items()) {
            if (text.size() > 1) text += ", ";
            text += scalar(OrderedJson(key)) + ": " + pythonText(item);
        }
        return text + "}";
    }
    return scalar(value);
}

std::string snakeCase(std::string_view className)
{
    auto const isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
    auto const isLower = [](char c) { return c >= 'a' && c <= 'z'; };
    auto const isDigit = [](char c) { return c >= '0' && c <= '9'; };
    // First cut: before a capital that starts a word of at least two characters.
    std::string once;
    for (std::size_t i = 0; i < className.size();) {
        bool const word = i + 2 < className.size() && isUpper(className[i + 1]) && (isLower(className[i + 2]) || isDigit(className[i + 2]));
        once += className[i++];
        if (!word) continue;
        once += '_';
        once += className[i++];
        while (i < className.size() && (isLower(className[i]) || isDigit(className[i]))) once += className[i++];
    }
    // Second cut: between a small letter and a capital.
    std::string text;
    for (std::size_t i = 0; i < once.size(); ++i) {
        if (i && isLower(once[i - 1]) && isUpper(once[i])) text += '_';
        text += isUpper(once[i]) ? static_cast<char>(once[i] - 'A' + 'a') : once[i];
    }
    return text;
}

} // namespace tilewright::model
