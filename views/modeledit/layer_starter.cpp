#include "views/modeledit/edit_support.h"
#include "views/modeledit/layer_phrase.h"

#include "engine/model/activations.h"
#include "engine/model/constraints.h"
#include "engine/model/regularizers.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>

namespace tilewright::views {

using edits::q;
using model::Json;
using model::Layer;
using model::LayerSpec;
using model::ParamInfo;
using model::ParamType;

namespace {

// Initial values for arguments that Keras requires; to be changed in the inspector.
constexpr std::int64_t kStarterUnits = 64;
constexpr double kStarterShare = 0.5;
constexpr std::int64_t kStarterWindow = 3;

Json starterValue(ParamInfo const &param, Shape const &input, Shape const &sample)
{
    switch (param.type) {
    case ParamType::Bool: return false;
    case ParamType::Int:
        // Of an image: half of it, which Resizing and CenterCrop both take.
        if (input.size() > 3 && (param.name == "height" || param.name == "width"))
            return std::max<std::int64_t>(1, input[input.size() - (param.name == "height" ? 3 : 2)] / 2);
        return static_cast<std::int64_t>(std::clamp<double>(kStarterUnits, param.min.value_or(1), param.max.value_or(1e9)));
    case ParamType::Float:
    case ParamType::Rate: return std::clamp(kStarterShare, param.min.value_or(0), param.max.value_or(1));
    case ParamType::Activation: return "relu";
    case ParamType::Enum: return param.allowed.empty() ? Json("") : Json(param.allowed.front());
    case ParamType::Shape: {
        if (param.name == "output_shape") return Json::array({kStarterUnits}); // of EinsumDense, with the equation below
        Json shape = Json::array({nullptr});
        for (auto const extent : sample.empty() ? Shape{kStarterUnits} : sample) shape.push_back(extent);
        return shape;
    }
    case ParamType::IntList: {
        Json shape = Json::array();
        if (param.length > 0) { // of a window: equal on all axes and at most the shortest axis
            std::int64_t window = kStarterWindow;
            for (std::size_t i = 1; i + 1 < input.size(); ++i) window = std::min(window, std::max<std::int64_t>(1, input[i]));
            return Json(std::vector<std::int64_t>(static_cast<std::size_t>(param.length), window));
        }
        if (param.name == "dims") { // of Permute: reversed axes
            for (std::size_t i = input.size(); i-- > 1;) shape.push_back(i);
            if (shape.empty()) shape.push_back(1);
            return shape;
        }
        for (std::size_t i = 1; i < input.size(); ++i) shape.push_back(input[i]);
        if (shape.empty()) shape.push_back(-1);
        return shape;
    }
    case ParamType::FloatList: return Json::array();
    case ParamType::Layer:
        return model::insideJson(model::makeLayer(param.allowed.empty() ? "Dense" : param.allowed.front(), {}, {{"units", kStarterUnits}}));
    case ParamType::DType: return "float32";
    case ParamType::Text:
        if (param.name == "equation") return "...x,xy->...y"; // that of Dense
        return param.name == "expression" ? Json("x") : Json("");
    case ParamType::Initializer:
    case ParamType::Regularizer:
    case ParamType::Constraint: break;
    }
    return nullptr;
}

QString shortValue(Json const &value)
{
    if (value.is_number_float()) return QLocale().toString(value.get<double>(), 'g', 4);
    if (value.is_number_integer()) return QLocale().toString(static_cast<qlonglong>(value.get<std::int64_t>()));
    if (value.is_string()) return q(value.get<std::string>());
    if (value.is_object() && value.contains("class_name")) return shortValue(value["class_name"]);
    if (!value.is_array()) return {};
    QStringList parts;
    for (auto const &item : value) parts << (item.is_null() ? QStringLiteral("–") : shortValue(item));
    return parts.join(QStringLiteral("×"));
}

/// With numbers of four digits: a file of float32 has 0.009999999776482582 for 0.01.
template <typename Rule> Rule rounded(Rule rule)
{
    for (auto &value : rule.config)
        if (value.is_number_float()) value = QString::number(value.template get<double>(), 'g', 4).toDouble();
    return rule;
}

/// "L2(l2=0.01)" of a penalty, "MaxNorm(max_value=2.0, axis=0)" of a constraint; empty for other arguments.
QString limitText(model::ParamInfo const &param, Json const &value)
{
    if (param.type == ParamType::Regularizer)
        if (auto const penalty = model::parseRegularizer(value); penalty.ok())
            return q(model::classText(model::regularizerSpecs(), rounded(*penalty)));
    if (param.type == ParamType::Constraint)
        if (auto const rule = model::parseConstraint(value); rule.ok())
            return q(model::classText(model::constraintSpecs(), rounded(*rule)));
    return {};
}

} // namespace

Layer starterLayer(LayerSpec const &spec, Shape const &input, Shape const &sample)
{
    Json config = Json::object();
    for (auto const &param : model::layerParams(spec))
        if (param.required) config[param.name] = starterValue(param, input, sample);
    return model::makeLayer(spec.className, {}, std::move(config));
}

std::vector<LayerSpec const *> fittingLayers(Shape const &input)
{
    std::vector<LayerSpec const *> fitting;
    for (auto const &spec : model::builtinLayers()) {
        if (spec.maxInputs < 1) continue;
        if (spec.minInputs <= 1 && !input.empty()) {
            Layer const layer = starterLayer(spec, input, {});
            std::vector<Shape> const inputs{input};
            if (!model::checkLayer(layer).ok() || !spec.outputShape(layer, inputs).ok()) continue;
        }
        fitting.push_back(&spec);
    }
    return fitting;
}

QString argumentSummary(Layer const &layer)
{
    auto const *spec = model::findLayerSpec(layer.className);
    if (!spec || !layer.config.is_object()) return {};
    QStringList parts;
    for (auto const &param : spec->params) {
        auto const it = layer.config.find(param.name);
        if (it == layer.config.end() || it->is_null() || param.type == ParamType::Initializer || param.type == ParamType::Shape) continue;
        if (!param.required && *it == model::defaultOf(param)) continue;
        if (param.type == ParamType::Bool) {
            if (it->is_boolean()) parts << (it->get<bool>() ? q(param.name) : QStringLiteral("%1=no").arg(q(param.name)));
        } else if (QString const limit = limitText(param, *it); !limit.isEmpty()) {
            parts << QStringLiteral("%1 %2").arg(q(param.name), limit);
        } else if (QString const text = shortValue(*it); !text.isEmpty()) {
            bool const plain = param.required || param.type == ParamType::Activation;
            parts << (plain ? text : QStringLiteral("%1 %2").arg(q(param.name), text));
        }
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace tilewright::views
