#include "tests/random_models/argument_draw.h"

#include "engine/core/formula.h"
#include "engine/model/constraints.h"
#include "engine/model/initializers.h"
#include "engine/model/regularizers.h"
#include "engine/model/schedules.h"

#include <algorithm>
#include <optional>

namespace tilewright::random_models {

using model::Json;
using model::ParamInfo;
using model::ParamType;

std::int64_t drawSize(Draw &draw)
{
    if (draw.chance(0.65)) return draw.between(1, 9);
    if (draw.chance(0.3)) return draw.of({16, 32, 64, 96, 128});
    if (draw.chance(0.8)) return draw.between(10, 40);
    return draw.between(41, 300);
}

std::vector<std::int64_t> drawFactors(Draw &draw, std::int64_t elements, std::size_t count)
{
    std::vector<std::int64_t> extents(count, 1);
    for (std::int64_t prime = 2; elements > 1;) {
        if (prime * prime > elements) prime = elements;
        if (elements % prime != 0) {
            ++prime;
            continue;
        }
        extents[static_cast<std::size_t>(draw.between(0, std::ssize(extents) - 1))] *= prime;
        elements /= prime;
    }
    return extents;
}

namespace {

/// The value of an argument that depends on more than its own type; nothing: keep the default.
using Rule = std::optional<Json> (*)(Draw &, ParamInfo const &, ArgumentPlace const &);
struct RuleRow {
    std::string_view className; ///< "": of any class
    std::string_view argument;
    Rule draw;
};

std::optional<Json> keepDefault(Draw &, ParamInfo const &, ArgumentPlace const &) { return {}; }

std::int64_t rankOf(ArgumentPlace const &place) { return place.inputs.empty() ? 1 : std::ssize(place.inputs[0]); }

std::int64_t sampleElements(Shape const &shape)
{
    std::int64_t n = 1;
    for (std::size_t i = 1; i < shape.size(); ++i) n *= shape[i];
    return n;
}

std::optional<Json> drawTargetShape(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    auto extents = drawFactors(draw, sampleElements(place.inputs[0]), static_cast<std::size_t>(draw.between(1, 4)));
    if (draw.chance(0.3)) extents[static_cast<std::size_t>(draw.between(0, std::ssize(extents) - 1))] = -1;
    return Json(extents);
}

/// Functions that keep their results moderate.
Formula drawFormula(Draw &draw, std::size_t inputs, int depth)
{
    if (depth == 0 || draw.chance(0.2)) {
        if (draw.chance(0.25)) return formulaNumber(draw.of({0.5, -1.0, 2.0, 0.3}));
        auto const input = draw.between(1, static_cast<std::int64_t>(inputs));
        return formulaName(input == 1 ? "x" : "x" + std::to_string(input));
    }
    auto const name = draw.of({"add", "sub", "mul", "max", "min", "tanh", "sigmoid", "relu", "neg", "abs", "square", "softsign", "swish"});
    std::vector<Formula> arguments;
    for (std::size_t i = 0; i < findFormulaFunction(name)->arguments; ++i) arguments.push_back(drawFormula(draw, inputs, depth - 1));
    return formulaCall(name, std::move(arguments));
}

std::optional<Json> drawExpression(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    return Json(toText(drawFormula(draw, std::max<std::size_t>(1, place.inputs.size()), 3)));
}

std::optional<Json> drawPermutation(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 1; i < rankOf(place); ++i) axes.push_back(i);
    for (std::size_t i = axes.size(); i > 1; --i)
        std::swap(axes[i - 1], axes[static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(i) - 1))]);
    return Json(axes);
}

std::int64_t drawAxis(Draw &draw, std::int64_t rank)
{
    if (rank < 3 || draw.chance(0.5)) return -1;
    auto const axis = draw.between(1, rank - 1);
    return draw.chance(0.3) ? axis - rank : axis;
}

std::optional<Json> drawAxisOrAxes(Draw &draw, ParamInfo const &param, ArgumentPlace const &place)
{
    if (param.type == ParamType::Int || draw.chance(0.5)) {
        auto const axis = drawAxis(draw, rankOf(place));
        return param.type == ParamType::Int ? Json(axis) : Json::array({axis});
    }
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 1; i < rankOf(place); ++i)
        if (draw.chance(0.5)) axes.push_back(i);
    if (axes.empty()) axes.push_back(-1);
    return Json(axes);
}

/// A pair of axes that are equally long.
std::optional<Json> drawDotAxes(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    auto const &a = place.inputs[0], &b = place.inputs[1];
    for (std::size_t i = 1; i < a.size(); ++i)
        for (std::size_t k = 1; k < b.size(); ++k)
            if (a[i] == b[k]) pairs.emplace_back(static_cast<std::int64_t>(i), static_cast<std::int64_t>(k));
    if (pairs.empty()) return Json::array({-1, -1});
    auto const pair = draw.of(pairs);
    return pair.first == pair.second && draw.chance(0.3) ? Json(pair.first) : Json::array({pair.first, pair.second});
}

/// Some of the axes of a sample.
std::optional<Json> drawSharedAxes(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    std::vector<std::int64_t> axes;
    for (std::int64_t axis = 1; axis < rankOf(place); ++axis)
        if (draw.chance(0.4)) axes.push_back(axis);
    return axes.empty() ? Json() : Json(axes);
}

/// Some of the axes between batch and features, where all inputs have the same.
std::optional<Json> drawAttentionAxes(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    auto const alike = [&](Shape const &shape) {
        return shape.size() == place.inputs[0].size() && std::equal(shape.begin(), shape.end() - 1, place.inputs[0].begin());
    };
    std::vector<std::int64_t> axes;
    if (!std::ranges::all_of(std::span(place.inputs).first(std::min<std::size_t>(3, place.inputs.size())), alike)) return {};
    for (std::int64_t axis = 1; axis + 1 < rankOf(place); ++axis)
        if (draw.chance(0.5)) axes.push_back(axis);
    if (axes.empty() || draw.chance(0.5)) return {};
    return Json(axes);
}

std::optional<Json> drawFewGroups(Draw &draw, ParamInfo const &, ArgumentPlace const &)
{
    return Json(draw.chance(0.6) ? 1 : draw.between(2, 3));
}
/// Often whole groups of the AMP.
std::optional<Json> drawFilters(Draw &draw, ParamInfo const &, ArgumentPlace const &)
{
    return Json(draw.chance(0.25) ? draw.of({32, 64, 64, 128}) : static_cast<int>(drawSize(draw)));
}
std::optional<Json> drawRows(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.between(3, 12)); }
std::optional<Json> drawSmallNumber(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.between(1, 3)); }
std::optional<Json> drawEpsilon(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({1e-7, 1e-5, 1e-3, 1e-2})); }
std::optional<Json> drawShare(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({0.0, 0.1, 0.25, 0.5})); }
std::optional<Json> drawMemory(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({0.0, 0.5, 0.9, 0.99})); }
std::optional<Json> drawDecay(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({0.0, 0.0, 0.01})); }
std::optional<Json> drawDelta(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({0.1, 1.0, 2.0})); }
std::optional<Json> drawMaskValue(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({0.0, 0.0, 0.5})); }
std::optional<Json> drawLimit(Draw &draw, ParamInfo const &, ArgumentPlace const &)
{
    return draw.chance(0.8) ? Json() : Json(draw.of({0.01, 0.5, 2.0}));
}
std::optional<Json> drawPenalty(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({0.0, 1e-3, 0.02})); }
std::optional<Json> drawPower(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({-0.5, -0.5, -0.7, 0.0})); }
std::optional<Json> drawStart(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({0.1, 0.5, 1.0})); }
/// Parts of the names of weights.
std::optional<Json> drawExclusions(Draw &draw, ParamInfo const &, ArgumentPlace const &)
{
    return draw.of({Json(""), Json("bias"), Json::array({"kernel$", "gam+a"}), Json("dense,bias")});
}
std::optional<Json> drawLossScale(Draw &draw, ParamInfo const &, ArgumentPlace const &)
{
    return draw.chance(0.7) ? Json() : Json(draw.of({2.0, 1024.0}));
}
std::optional<Json> drawSeldom(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.chance(0.2)); }
std::optional<Json> drawScaleFactor(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({2.0, 4.0})); }
std::optional<Json> drawRatio(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({1e-5, 0.5, 1.0})); }
std::optional<Json> drawStateful(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    return Json(!place.replicated && draw.chance(0.15));
}
std::optional<Json> drawUnroll(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.chance(0.15)); }
std::optional<Json> drawLater(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.chance(0.9)); }

/// A layer for each step of a sequence.
std::optional<Json> drawStepLayer(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    auto inner = place;
    if (inner.inputs[0].size() > 2) inner.inputs[0].erase(inner.inputs[0].begin() + 1);
    std::vector<model::LayerSpec const *> classes;
    for (auto const &spec : model::builtinLayers())
        if (spec.minInputs == 1 && !spec.takesIndices
            && std::ranges::none_of(spec.params, [](ParamInfo const &param) { return param.type == ParamType::Layer; }))
            classes.push_back(&spec);
    // A class that does not take the rank of a step would be refused: try some.
    for (int attempt = 0; attempt < 20; ++attempt) {
        auto const &spec = *draw.of(classes);
        auto json = drawLayerJson(draw, spec, inner);
        auto layer = model::layerInside(json, "inner");
        if (!layer.ok()) continue;
        model::normalizeLayer(*layer);
        if (model::checkLayer(*layer).ok() && model::outputsOf(*layer) == 1
            && spec.outputShape(*layer, std::span(inner.inputs).first(1)).ok())
            return json;
    }
    return Json{{"class_name", "Dense"}, {"config", {{"name", "inner"}, {"units", 3}, {"dtype", place.policy}}}};
}

/// An operator that needs no argument and is finite everywhere.
std::optional<Json> drawOperator(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    if (place.inputs.size() == 2) return Json(draw.of({"Add", "Sub", "Mul", "Max", "Min"}));
    return Json(draw.of(
        {"Abs", "Neg", "Sign", "Erf", "HardSwish", "Celu", "Clip", "HardSigmoid", "Selu", "Shrink", "Sin", "Cos", "Atan", "Asinh"}));
}

/// An equation that takes the rank of the input, with the extents of its result and letters of a bias. The same for the same input, so that
/// the arguments go together.
struct Equation {
    char const *text, *bias;
    Json extents;
};
Equation equationOf(ArgumentPlace const &place)
{
    auto const &shape = place.inputs[0];
    std::int64_t sum = 0;
    for (std::size_t i = 1; i < shape.size(); ++i) sum += shape[i];
    std::int64_t const own = 1 + sum % 5;
    if (shape.size() == 3 && sum % 4 == 1) return {"abc,cde->abde", "de", {nullptr, own, 2}};
    if (shape.size() == 3 && sum % 4 == 2) return {"abc,bcd->abd", "bd", {nullptr, own}};
    if (shape.size() == 2 && sum % 2 == 1) return {"ab,bc->ac", "c", {own}};
    if (shape.size() >= 2 && sum % 4 == 3) return {"ab...,bc->ac...", "c", {own}};
    return {"...x,xy->...y", "y", {own}};
}
std::optional<Json> drawEquation(Draw &, ParamInfo const &, ArgumentPlace const &place) { return Json(equationOf(place).text); }
std::optional<Json> drawEquationExtents(Draw &, ParamInfo const &, ArgumentPlace const &place) { return equationOf(place).extents; }
std::optional<Json> drawBiasAxes(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    return draw.chance(0.3) ? Json() : Json(equationOf(place).bias);
}

std::optional<Json> drawPartOf(Draw &draw, ArgumentPlace const &place, std::size_t axis)
{
    if (place.inputs[0].size() <= axis) return Json(1);
    return Json(draw.between(1, place.inputs[0][axis]));
}
std::optional<Json> drawPartOfRows(Draw &draw, ParamInfo const &, ArgumentPlace const &place) { return drawPartOf(draw, place, 1); }
std::optional<Json> drawPartOfColumns(Draw &draw, ParamInfo const &, ArgumentPlace const &place) { return drawPartOf(draw, place, 2); }
std::optional<Json> drawExtent(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.between(1, 8)); }

std::int64_t placesOf(ArgumentPlace const &place) { return place.inputs[0].empty() ? 1 : place.inputs[0].back(); }
std::optional<Json> drawClassNumber(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    return draw.chance(0.5) ? Json() : Json(draw.between(0, placesOf(place) - 1));
}
std::optional<Json> drawClasses(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    if (placesOf(place) > 1 && draw.chance(0.5)) return Json();
    return Json(std::max<std::int64_t>(2, placesOf(place)) + draw.between(0, 1));
}
std::optional<Json> drawThresholds(Draw &draw, ParamInfo const &, ArgumentPlace const &)
{
    if (draw.chance(0.5)) return Json();
    if (draw.chance(0.5)) return Json(draw.real(0.05, 0.95));
    return Json::array({draw.real(0.05, 0.45), draw.real(0.5, 0.95)});
}
std::optional<Json> drawThresholdCount(Draw &draw, ParamInfo const &, ArgumentPlace const &) { return Json(draw.of({2, 3, 20, 200})); }
/// One for each place of the last axis.
std::optional<Json> drawPlaceWeights(Draw &draw, ParamInfo const &, ArgumentPlace const &place)
{
    if (draw.chance(0.5)) return Json();
    Json weights = Json::array();
    for (std::int64_t i = 0; i < placesOf(place); ++i) weights.push_back(draw.of({0.0, 0.5, 1.0, 2.0}));
    return weights;
}
std::optional<Json> drawNormalizer(Draw &draw, ParamInfo const &param, ArgumentPlace const &place)
{
    if (draw.chance(0.5)) return Json(draw.of({0.0, 0.5, 2.0}));
    auto const each = drawPlaceWeights(draw, param, place);
    return each && each->is_array() ? *each : Json(1.0);
}

constexpr RuleRow kRules[] = {
    {"EinsumDense", "equation", drawEquation},
    {"EinsumDense", "output_shape", drawEquationExtents},
    {"EinsumDense", "bias_axes", drawBiasAxes},
    {"CenterCrop", "height", drawPartOfRows},
    {"CenterCrop", "width", drawPartOfColumns},
    {"Resizing", "height", drawExtent},
    {"Resizing", "width", drawExtent},
    {"", "class_id", drawClassNumber},
    {"", "num_classes", drawClasses},
    {"", "thresholds", drawThresholds},
    {"", "num_thresholds", drawThresholdCount},
    {"", "num_labels", keepDefault},
    {"", "label_weights", drawPlaceWeights},
    {"", "normalizer", drawNormalizer},
    {"Operation", "operator", drawOperator},
    {"Operation", "axes", keepDefault},
    {"Operation", "keepdims", keepDefault},
    {"Operation", "starts", keepDefault},
    {"Operation", "ends", keepDefault},
    {"Operation", "steps", keepDefault},
    {"Operation", "pads", keepDefault},
    {"Operation", "shape", keepDefault},
    {"Operation", "indices", keepDefault},
    {"Operation", "size", keepDefault},
    {"Operation", "alpha", keepDefault},
    {"Operation", "beta", keepDefault},
    {"Operation", "bias", keepDefault},
    {"Operation", "min", keepDefault},
    {"Operation", "max", keepDefault},
    {"Operation", "constant_shape", keepDefault},
    {"Operation", "constant_first", keepDefault},
    {"Operation", "exclusive", keepDefault},
    {"Operation", "reverse", keepDefault},
    {"Operation", "fmod", keepDefault},
    {"Operation", "to", keepDefault},
    {"Reshape", "target_shape", drawTargetShape},
    {"Lambda", "expression", drawExpression},
    {"Permute", "dims", drawPermutation},
    {"Dot", "axes", drawDotAxes},
    {"", "axis", drawAxisOrAxes},
    {"PReLU", "shared_axes", drawSharedAxes},
    {"", "channels_axis", drawAxisOrAxes},
    {"TimeDistributed", "layer", drawStepLayer},
    {"", "backward_layer", keepDefault},
    {"", "attention_axes", drawAttentionAxes},
    {"", "groups", drawFewGroups},
    {"", "filters", drawFilters},
    {"Embedding", "input_dim", drawRows},
    {"RepeatVector", "n", drawSmallNumber},
    {"", "depth_multiplier", drawSmallNumber},
    {"", "num_heads", drawSmallNumber},
    {"", "k", drawSmallNumber},
    {"", "input_length", keepDefault},
    {"", "noise_shape", keepDefault},
    {"", "seed", keepDefault},
    {"", "name", keepDefault},
    {"", "dtype", keepDefault},
    {"", "time_major", keepDefault},
    {"", "virtual_batch_size", keepDefault},
    {"", "stateful", drawStateful},
    {"ConvLSTM1D", "dropout", keepDefault},
    {"ConvLSTM1D", "recurrent_dropout", keepDefault},
    {"ConvLSTM2D", "dropout", keepDefault},
    {"ConvLSTM2D", "recurrent_dropout", keepDefault},
    {"ConvLSTM3D", "dropout", keepDefault},
    {"ConvLSTM3D", "recurrent_dropout", keepDefault},
    {"", "unroll", drawUnroll},
    {"", "trainable", drawLater},
    {"", "epsilon", drawEpsilon},
    {"", "rate", drawShare},
    {"", "dropout", drawShare},
    {"", "recurrent_dropout", drawShare},
    {"", "label_smoothing", drawShare},
    {"", "mask_value", drawMaskValue},
    {"", "delta", drawDelta},
    {"", "rho", drawMemory},
    {"", "momentum", drawMemory},
    {"", "beta_1", drawMemory},
    {"", "beta_2", drawMemory},
    {"", "decay", drawDecay},
    {"", "clipnorm", drawLimit},
    {"", "clipvalue", drawLimit},
    {"", "global_clipnorm", drawLimit},
    {"", "loss_scale_factor", drawLossScale},
    {"", "automatic_loss_scaling", drawSeldom},
    {"", "update_frequency", drawSmallNumber},
    {"", "increase_factor", drawScaleFactor},
    {"", "max_loss_scaling_factor", keepDefault},
    {"", "ratio_threshold", drawRatio},
    {"", "lpf_alpha", drawShare},
    {"", "histogram_bin_edge", keepDefault},
    {"", "initial_accumulator_value", drawStart},
    {"", "learning_rate_power", drawPower},
    {"", "l1_regularization_strength", drawPenalty},
    {"", "l2_regularization_strength", drawPenalty},
    {"", "l2_shrinkage_regularization_strength", drawPenalty},
    {"", "weight_decay_rate", drawPenalty},
    {"", "eeta", drawPenalty},
    {"", "exclude_from_weight_decay", drawExclusions},
    {"", "exclude_from_layer_adaptation", drawExclusions},
};

Json drawInitializer(Draw &draw, ArgumentPlace const &place)
{
    auto const &spec = draw.of(model::initializerSpecs());
    return Json{{"class_name", spec.className},
                {"config", drawConfig(draw, spec.params, {.className = spec.className, .policy = place.policy})}};
}

/// Mostly none. A factor is small beside the loss.
std::optional<Json> drawRegularizer(Draw &draw, ParamInfo const &param, ArgumentPlace const &place)
{
    if (draw.chance(0.7)) return {};
    auto const &spec = draw.of(model::regularizerSpecs());
    // It takes matrices only.
    if (spec.className == "OrthogonalRegularizer" && (place.className != "Dense" || param.name != "kernel_regularizer")) return {};
    auto config = drawConfig(draw, spec.params, {.className = spec.className, .policy = place.policy});
    for (char const *factor : {"l1", "l2", "factor"})
        if (config.contains(factor)) config[factor] = draw.of({0.0, 1e-3, 0.02});
    return Json{{"class_name", spec.className}, {"config", config}};
}

/// Mostly none. The first axis is one that every weight has.
std::optional<Json> drawConstraint(Draw &draw, ParamInfo const &param, ArgumentPlace const &place)
{
    if (draw.chance(0.7)) return {};
    auto const &spec = draw.of(model::constraintSpecs());
    if (spec.className == "RadialConstraint" && (place.className != "Conv2D" || param.name != "kernel_constraint")) return {};
    auto config = drawConfig(draw, spec.params, {.className = spec.className, .policy = place.policy, .no = {"axis"}});
    if (draw.chance(0.3) && std::ranges::find(spec.params, "axis", &ParamInfo::name) != spec.params.end()) config["axis"] = -1;
    return Json{{"class_name", spec.className}, {"config", config}};
}

Json drawRate(Draw &draw)
{
    if (draw.chance(0.75)) return Json(draw.of({0.0, 1e-4, 1e-3, 1e-2, 0.05}));
    auto const &schedule = draw.of(model::scheduleSpecs());
    auto const config = model::parseJson(schedule.example, "example");
    return Json{{"class_name", schedule.className}, {"config", config.ok() ? *config : Json::object()}};
}

std::int64_t drawInt(Draw &draw, ParamInfo const &param)
{
    if (param.required) return drawSize(draw); // units, filters, key_dim, …
    std::int64_t const low = static_cast<std::int64_t>(param.min.value_or(0));
    std::int64_t const high = static_cast<std::int64_t>(std::min(param.max.value_or(1e9), static_cast<double>(low) + 3));
    return draw.between(low, high);
}

double drawFloat(Draw &draw, ParamInfo const &param)
{
    return draw.real(std::max(param.min.value_or(-1.0), -1.0), std::min(param.max.value_or(1.0), 1.0) * 0.75);
}

Json drawIntList(Draw &draw, ParamInfo const &param)
{
    auto const one = [&] {
        return draw.chance(0.5) ? std::max<std::int64_t>(1, static_cast<std::int64_t>(param.min.value_or(1)))
                                : drawInt(draw, {.min = param.min, .max = param.max});
    };
    if (param.pairs) {
        Json list = Json::array();
        for (int i = 0; i < param.length; ++i) list.push_back(Json::array({draw.between(0, 1), draw.between(0, 2)}));
        if (param.length == 1) return list[0];
        return list;
    }
    Json list = Json::array();
    for (int i = 0; i < std::max(1, param.length); ++i) list.push_back(one());
    return list;
}

/// By type alone.
std::optional<Json> drawByType(Draw &draw, ParamInfo const &param, ArgumentPlace const &place)
{
    if (!param.required && param.nullable && draw.chance(0.5)) return Json();
    switch (param.type) {
    case ParamType::Bool: return Json(draw.chance(0.5));
    case ParamType::Int: return Json(drawInt(draw, param));
    case ParamType::Float: return Json(drawFloat(draw, param));
    case ParamType::Enum: return Json(draw.of(param.allowed));
    case ParamType::IntList: return drawIntList(draw, param);
    case ParamType::FloatList: return Json::array({drawFloat(draw, param)});
    case ParamType::Initializer: return drawInitializer(draw, place);
    case ParamType::Activation: return Json(draw.of(model::activationSpecs()).name);
    case ParamType::Rate: return drawRate(draw);
    case ParamType::Layer: {
        if (param.length == -1) { // a list
            ParamInfo one = param;
            one.length = 0;
            Json list = Json::array();
            for (auto count = draw.between(1, 3); count > 0; --count) list.push_back(*drawByType(draw, one, place));
            return list;
        }
        auto const name = param.allowed.empty() ? std::string("LSTM") : draw.of(param.allowed);
        auto inner = place;
        inner.className = name;
        inner.no = {"return_state", "go_backwards"};
        return drawLayerJson(draw, *model::findLayerSpec(name), inner);
    }
    case ParamType::Text:
    case ParamType::Shape:
    case ParamType::DType: return {};
    case ParamType::Regularizer: return drawRegularizer(draw, param, place);
    case ParamType::Constraint: return drawConstraint(draw, param, place);
    }
    return {};
}

} // namespace

Json drawConfig(Draw &draw, std::span<ParamInfo const> params, ArgumentPlace const &place)
{
    Json config = Json::object();
    for (auto const &param : params) {
        if (std::ranges::find(place.no, param.name) != place.no.end()) continue;
        if (!param.required && draw.chance(0.4)) continue;
        auto const rule = std::ranges::find_if(kRules, [&](RuleRow const &row) {
            return row.argument == param.name && (row.className.empty() || row.className == place.className);
        });
        auto const value = rule != std::end(kRules) ? rule->draw(draw, param, place) : drawByType(draw, param, place);
        if (value) config[param.name] = *value;
    }
    return config;
}

Json drawLayerJson(Draw &draw, model::LayerSpec const &spec, ArgumentPlace const &place)
{
    auto own = place;
    own.className = spec.className;
    auto config = drawConfig(draw, spec.params, own);
    config["name"] = "inner";
    config["dtype"] = place.policy;
    if (draw.chance(0.05)) config["trainable"] = false;
    return Json{{"class_name", spec.className}, {"config", config}};
}

} // namespace tilewright::random_models
