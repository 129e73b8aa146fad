// Rules for operators that work along axes: reductions, softmax, cumulative sums.
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

/// The axes of a node as ONNX counts them; without any, all.
Result<std::vector<std::size_t>> axesOf(OnnxConversion &conversion, OnnxNode const &node, OnnxOperand const &x, bool allWithout = true)
{
    TW_ASSIGN(auto const listed, conversion.listed(node, "axes", 1));
    std::vector<std::size_t> axes;
    auto const rank = static_cast<std::int64_t>(x.rank());
    for (auto const axis : listed) {
        auto const at = axis < 0 ? axis + rank : axis;
        if (at < 0 || at >= rank) return onnxRefusal(Message::of("axis %1 is none of its input %2", axis, toText(x.extents())));
        axes.push_back(static_cast<std::size_t>(at));
    }
    if (axes.empty() && allWithout) {
        axes.resize(x.rank());
        std::iota(axes.begin(), axes.end(), std::size_t{0});
    }
    std::ranges::sort(axes);
    return axes;
}

/// The same tensor with these axes of ONNX reduced to one element, or away.
std::vector<int> axesLeft(OnnxOperand const &result, OnnxOperand const &x, std::vector<std::size_t> const &gone, bool keeps)
{
    std::vector<int> axes;
    int removedBefore = 0;
    std::vector<int> removed; // places that the layer removed
    for (auto const axis : gone)
        if (x.axes[axis] > 0) removed.push_back(x.axes[axis]);
    bool const shrunk = result.shape.size() < x.shape.size();
    for (std::size_t axis = 0; axis < x.axes.size(); ++axis) {
        bool const isGone = std::ranges::find(gone, axis) != gone.end();
        if (isGone && !keeps) continue;
        if (isGone) {
            axes.push_back(-1);
            continue;
        }
        removedBefore = static_cast<int>(std::ranges::count_if(removed, [&](int place) { return place < x.axes[axis]; }));
        axes.push_back(x.axes[axis] > 0 && shrunk ? x.axes[axis] - removedBefore : x.axes[axis]);
    }
    return axes;
}

} // namespace

Result<OnnxOperand> reducedBy(OnnxConversion &conversion, std::string const &op, OnnxOperand const &x, std::vector<std::size_t> const &gone,
                              bool keeps)
{
    Json axes = Json::array();
    for (auto const axis : gone) {
        if (x.axes[axis] == 0) return mixedSamples();
        if (x.axes[axis] > 0) axes.push_back(x.axes[axis]);
    }
    if (axes.empty()) { // of one element each
        auto result = x;
        bool const changes = op == "ReduceL1" || op == "ReduceL2" || op == "ReduceLogSum" || op == "ReduceSumSquare";
        if (changes || op.starts_with("Arg")) return onnxRefusal(Message::of("it reduces axes of one element"));
        result.axes = axesLeft(x, x, gone, keeps);
        return result;
    }
    TW_ASSIGN(auto result, operation(conversion, op, {{"axes", axes}}, {x}));
    result.axes = axesLeft(result, x, gone, keeps);
    return result;
}

Result<std::size_t> axisOf(OnnxNode const &node, OnnxOperand const &x, std::int64_t otherwise)
{
    auto const rank = static_cast<std::int64_t>(x.rank());
    auto const axis = node.integer("axis", otherwise);
    auto const at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) return onnxRefusal(Message::of("axis %1 is none of its input %2", axis, toText(x.extents())));
    return static_cast<std::size_t>(at);
}

namespace {

/// Means and maxima of each channel over the others are Keras's global pooling.
Result<std::optional<OnnxOperand>> asGlobalPooling(OnnxConversion &conversion, std::string const &op, OnnxOperand const &x,
                                                   std::vector<std::size_t> const &gone, bool keeps)
{
    std::optional<OnnxOperand> none;
    auto const spatial = x.shape.size() - 2;
    if ((op != "ReduceMean" && op != "ReduceMax") || x.shape.size() < 3 || x.shape.size() > 5 || gone.size() != spatial) return none;
    std::vector<int> places;
    for (auto const axis : gone) places.push_back(x.axes[axis]);
    std::ranges::sort(places);
    std::vector<int> last(spatial), first(spatial);
    std::iota(last.begin(), last.end(), 1);
    std::iota(first.begin(), first.end(), 2);
    if (places != last && places != first) return none;
    auto const className = std::string(op == "ReduceMean" ? "GlobalAveragePooling" : "GlobalMaxPooling") + std::to_string(spatial) + "D";
    TW_ASSIGN(auto result, conversion.layer(className, {{"data_format", places == last ? "channels_last" : "channels_first"}}, {x}));
    result.axes = axesLeft(result, x, gone, keeps);
    return std::optional(std::move(result));
}

Status reduce(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    bool const keeps = node.integer("keepdims", 1) != 0;
    bool const noop = node.integer("noop_with_empty_axes", 0) != 0;
    TW_ASSIGN(auto const gone, axesOf(conversion, node, x, !noop));
    if (gone.empty()) {
        conversion.set(node.outputs.at(0), x);
        return {};
    }
    TW_ASSIGN(auto pooled, asGlobalPooling(conversion, node.op, x, gone, keeps));
    if (!pooled) { TW_ASSIGN(pooled, reducedBy(conversion, node.op, x, gone, keeps)); }
    conversion.set(node.outputs.at(0), std::move(*pooled));
    return {};
}

Status globalPool(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    std::vector<std::size_t> gone;
    for (std::size_t axis = 2; axis < x.rank(); ++axis) gone.push_back(axis);
    std::string const op = node.op == "GlobalAveragePool" ? "ReduceMean" : "ReduceMax";
    TW_ASSIGN(auto pooled, asGlobalPooling(conversion, op, x, gone, true));
    if (!pooled) { TW_ASSIGN(pooled, reducedBy(conversion, op, x, gone, true)); }
    conversion.set(node.outputs.at(0), std::move(*pooled));
    return {};
}

Status arg(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    TW_ASSIGN(auto const axis, axisOf(node, x, 0));
    TW_ASSIGN(auto result, reducedBy(conversion, node.op, x, {axis}, node.integer("keepdims", 1) != 0));
    if (node.integer("select_last_index", 0) != 0) conversion.layerNamed(result.ref.layer)->config["reverse"] = true;
    result.type = OnnxType::Int64;
    conversion.set(node.outputs.at(0), std::move(result));
    return {};
}

/// Up to opset 12 the axes from `axis` on together; then `axis` alone.
Status softmax(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    auto const rank = static_cast<std::int64_t>(x.rank());
    bool const together = conversion.opset() < 13;
    auto const given = node.integer("axis", together ? 1 : -1);
    auto const first = given < 0 ? given + rank : given;
    if (first < 0 || first >= std::max<std::int64_t>(1, rank))
        return onnxRefusal(Message::of("axis %1 is none of its input %2", given, toText(x.extents())));
    Json axes = Json::array();
    for (auto axis = first; axis < (together ? rank : first + 1); ++axis) {
        auto const place = x.axes[static_cast<std::size_t>(axis)];
        if (place == 0) return mixedSamples();
        if (place > 0) axes.push_back(place);
    }
    if (axes.empty()) return onnxRefusal(Message::of("its axis has one element"));
    bool const isLast = axes.size() == 1 && axes[0].get<std::size_t>() + 1 == x.shape.size();
    if (node.op == "Softmax") {
        auto *layer = conversion.layerNamed(x.ref.layer);
        auto const scope = OnnxConversion::scopeOf(node);
        if (isLast && layer && layer->className == "Dense" && layer->text("activation") == "linear" && !scope.empty()
            && scope.substr(scope.rfind('/') + 1) == layer->name && conversion.readers(node.inputs[0]) == 1) {
            layer->config["activation"] = "softmax";
            conversion.set(node.outputs.at(0), x);
            return {};
        }
        TW_ASSIGN(auto result, conversion.layer("Softmax", {{"axis", isLast ? Json(-1) : axes.size() == 1 ? axes[0] : axes}}, {x}));
        conversion.set(node.outputs.at(0), OnnxConversion::like(std::move(result), x));
        return {};
    }
    if (node.op == "Hardmax" && axes.size() > 1) return onnxRefusal(Message::of("it works along several axes together"));
    if (node.op == "LogSoftmax" && isLast) {
        TW_ASSIGN(auto result, conversion.layer("Activation", {{"activation", "log_softmax"}}, {x}));
        conversion.set(node.outputs.at(0), OnnxConversion::like(std::move(result), x));
        return {};
    }
    TW_ASSIGN(auto result, elementwise(conversion, node.op, {{"axes", axes}}, x));
    conversion.set(node.outputs.at(0), std::move(result));
    return {};
}

Status cumulative(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    TW_ASSIGN(auto const axis, conversion.integers(node, 1));
    if (axis.size() != 1) return onnxRefusal(Message::of("its axis is no single number"));
    TW_ASSIGN(auto const place, conversion.layerAxis(x, axis[0]));
    Json config{{"axes", {place}}};
    if (node.integer("exclusive", 0) != 0) config["exclusive"] = true;
    if (node.integer("reverse", 0) != 0) config["reverse"] = true;
    TW_ASSIGN(auto result, elementwise(conversion, "CumSum", std::move(config), x));
    conversion.set(node.outputs.at(0), std::move(result));
    return {};
}

Status localNorm(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    TW_ASSIGN(auto const place, conversion.layerAxis(x, 1));
    TW_ASSIGN(auto result,
              elementwise(conversion, "LRN",
                          {{"axes", {place}},
                           {"size", node.integer("size", 1)},
                           {"alpha", static_cast<double>(node.number("alpha", 1e-4F))},
                           {"beta", static_cast<double>(node.number("beta", 0.75F))},
                           {"bias", static_cast<double>(node.number("bias", 1))}},
                          x));
    conversion.set(node.outputs.at(0), std::move(result));
    return {};
}

/// (x - mean) / deviation over axes that are no channels.
Status meanVariance(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    auto axes = node.integers("axes");
    if (!node.has("axes")) axes = {0, 2, 3};
    std::vector<std::size_t> gone;
    for (auto const axis : axes) {
        auto const at = axis < 0 ? axis + static_cast<std::int64_t>(x.rank()) : axis;
        if (at < 0 || at >= static_cast<std::int64_t>(x.rank()))
            return onnxRefusal(Message::of("axis %1 is none of its input %2", axis, toText(x.extents())));
        gone.push_back(static_cast<std::size_t>(at));
    }
    std::ranges::sort(gone);
    TW_ASSIGN(auto const mean, reducedBy(conversion, "ReduceMean", x, gone, true));
    TW_ASSIGN(auto const centred, arithmetic(conversion, "Sub", x, mean));
    TW_ASSIGN(auto const squares, elementwise(conversion, "Pow", {{"alpha", 2.0}}, centred));
    TW_ASSIGN(auto const variance, reducedBy(conversion, "ReduceMean", squares, gone, true));
    TW_ASSIGN(auto const deviation, elementwise(conversion, "Sqrt", Json::object(), variance));
    TW_ASSIGN(auto const bounded, elementwise(conversion, "Add", {{"alpha", 1e-9}}, deviation));
    TW_ASSIGN(auto result, arithmetic(conversion, "Div", centred, bounded));
    conversion.set(node.outputs.at(0), std::move(result));
    return {};
}

} // namespace

std::span<OnnxRule const> axisRules()
{
    static std::vector<OnnxRule> const all = [] {
        std::vector<OnnxRule> rules{{"GlobalAveragePool", globalPool},
                                    {"GlobalMaxPool", globalPool},
                                    {"ArgMax", arg},
                                    {"ArgMin", arg},
                                    {"CumSum", cumulative},
                                    {"LRN", localNorm},
                                    {"MeanVarianceNormalization", meanVariance}};
        for (auto const *op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
                               "ReduceLogSumExp", "ReduceSumSquare"})
            rules.push_back({op, reduce});
        for (auto const *op : {"Softmax", "LogSoftmax", "Hardmax"}) rules.push_back({op, softmax});
        return rules;
    }();
    return all;
}

} // namespace tilewright::interop
