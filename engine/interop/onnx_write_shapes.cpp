// Layers that move elements, and operations.
#include "engine/interop/onnx_writer.h"
#include "engine/model/layers/operation_rules.h"
#include "engine/model/layers/spatial_rules.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tilewright::interop {

namespace {

using Written = Result<std::vector<std::string>>;

Written flattenLayer(OnnxWriter &writer)
{
    auto x = writer.inputs[0];
    auto const rank = writer.shapes[0].size();
    if (writer.layer->text("data_format") == "channels_first" && rank > 2) x = writer.channelsLast(x, rank);
    OnnxNode node{"Flatten", "", "", {x}, {}, {}};
    return std::vector<std::string>{writer.node(std::move(node.with("axis", std::int64_t{1})))};
}

Written reshapeLayer(OnnxWriter &writer) { return std::vector<std::string>{writer.reshaped(writer.inputs[0], writer.call->shape)}; }

Written permute(OnnxWriter &writer)
{
    std::vector<std::int64_t> perm{0};
    for (auto const axis : writer.layer->integers("dims")) perm.push_back(axis);
    return std::vector<std::string>{writer.transposed(writer.inputs[0], perm)};
}

Written repeatVector(OnnxWriter &writer)
{
    auto const x = writer.reshaped(writer.inputs[0], {-1, 1, writer.shapes[0].back()});
    return std::vector<std::string>{writer.node("Expand", {x, writer.integers({1, writer.layer->integer("n"), 1})})};
}

std::vector<std::int64_t> spatialAxes(model::Layer const &layer, std::size_t count)
{
    std::vector<std::int64_t> axes(count);
    std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(model::firstSpatialAxis(layer)));
    return axes;
}

Written cropping(OnnxWriter &writer)
{
    auto const amounts = model::spatialAmounts(*writer.layer, "cropping");
    auto const axes = spatialAxes(*writer.layer, amounts.before.size());
    std::vector<std::int64_t> starts, ends;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        starts.push_back(amounts.before[i]);
        ends.push_back(writer.shapes[0][static_cast<std::size_t>(axes[i])] - amounts.after[i]);
    }
    return std::vector<std::string>{
        writer.node("Slice", {writer.inputs[0], writer.integers(starts), writer.integers(ends), writer.integers(axes)})};
}

Written zeroPadding(OnnxWriter &writer)
{
    auto const amounts = model::spatialAmounts(*writer.layer, "padding");
    auto const axes = spatialAxes(*writer.layer, amounts.before.size());
    auto const rank = writer.shapes[0].size();
    std::vector<std::int64_t> pads(2 * rank, 0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        pads[static_cast<std::size_t>(axes[i])] = amounts.before[i];
        pads[static_cast<std::size_t>(axes[i]) + rank] = amounts.after[i];
    }
    return std::vector<std::string>{writer.node("Pad", {writer.inputs[0], writer.integers(pads)})};
}

/// Resize works on images with channels as axis 1.
Written upSampling(OnnxWriter &writer)
{
    auto const rank = writer.shapes[0].size();
    bool const last = writer.layer->text("data_format") != "channels_first";
    bool const linear = writer.layer->text("interpolation") == "bilinear";
    auto const x = last ? writer.channelsFirst(writer.inputs[0], rank) : writer.inputs[0];
    std::vector<float> scales{1, 1};
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        auto const axis = i + (last ? 1 : 2);
        scales.push_back(static_cast<float>(writer.call->shape[axis] / writer.shapes[0][axis]));
    }
    OnnxNode node{"Resize", "", "", {x, "", writer.constant(scales, {std::ssize(scales)})}, {}, {}};
    node.withText("mode", linear ? "linear" : "nearest");
    node.withText("coordinate_transformation_mode", linear ? "half_pixel" : "asymmetric");
    if (!linear) node.withText("nearest_mode", "floor");
    auto const y = writer.node(std::move(node));
    return std::vector<std::string>{last ? writer.channelsLast(y, rank) : y};
}

// Operation: the node that it came from.

OnnxNode withAxes(std::string const &op, std::vector<std::string> inputs, model::Layer const &layer, char const *name = "axes")
{
    OnnxNode node{op, "", "", std::move(inputs), {}, {}};
    if (std::string_view(name) == "axis") node.with("axis", layer.integers("axes").front());
    else node.with("axes", layer.integers("axes"));
    return node;
}

std::vector<std::int64_t> behindBatch(std::int64_t first, std::vector<std::int64_t> rest)
{
    rest.insert(rest.begin(), first);
    return rest;
}

Written reduction(OnnxWriter &writer, std::string const &op)
{
    auto const &layer = *writer.layer;
    bool const arg = op.starts_with("Arg");
    std::int64_t const keeps = layer.flag("keepdims") || writer.call->shape.size() == writer.shapes[0].size() ? 1 : 0;
    OnnxNode node = op == "ReduceSum" ? OnnxNode{op, "", "", {writer.inputs[0], writer.integers(layer.integers("axes"))}, {}, {}}
                                      : withAxes(op, {writer.inputs[0]}, layer, arg ? "axis" : "axes");
    if (arg && layer.flag("reverse")) node.with("select_last_index", std::int64_t{1});
    auto y = writer.node(std::move(node.with("keepdims", keeps)));
    if (arg) {
        OnnxNode cast{"Cast", "", "", {y}, {}, {}};
        y = writer.node(std::move(cast.with("to", std::int64_t{1})));
    }
    if (keeps == 0 && writer.call->shape.size() == 2 && writer.call->shape[1] == 1) y = writer.reshaped(y, {0, 1}); // a sample has an axis
    return std::vector<std::string>{y};
}

/// The second operand of arithmetic: the weight, one number, or a connection. Truth values are numbers in a model and no numbers in ONNX.
Written twoOperands(OnnxWriter &writer, std::string const &op)
{
    auto const &layer = *writer.layer;
    if (op == "And" || op == "Or" || op == "Xor") return unwritable(Message::of("its truth values are numbers"));
    std::vector<std::string> operands;
    auto const rank = writer.call->shape.size();
    for (std::size_t i = 0; i < writer.inputs.size(); ++i) {
        auto shape = writer.shapes[i];
        if (shape.size() < rank && op != "MatMul") {
            shape.insert(shape.begin() + 1, rank - shape.size(), 1);
            operands.push_back(writer.reshaped(writer.inputs[i], shape));
        } else {
            operands.push_back(writer.inputs[i]);
        }
    }
    if (operands.size() == 1) {
        auto const other = model::hasConstant(layer) ? writer.weight(0) : writer.number(layer.number("alpha"));
        operands.insert(layer.flag("constant_first") ? operands.begin() : operands.end(), other);
    }
    if (op == "Mod") {
        if (!layer.flag("fmod")) return unwritable(Message::of("ONNX has no remainder of real numbers with the sign of the divisor"));
        OnnxNode node{op, "", "", operands, {}, {}};
        return std::vector<std::string>{writer.node(std::move(node.with("fmod", std::int64_t{1})))};
    }
    auto y = writer.node(op, operands);
    if (op == "Equal" || op.starts_with("Greater") || op.starts_with("Less")) {
        OnnxNode cast{"Cast", "", "", {y}, {}, {}};
        y = writer.node(std::move(cast.with("to", std::int64_t{1})));
    }
    return std::vector<std::string>{y};
}

Written movedParts(OnnxWriter &writer, std::string const &op)
{
    auto const &layer = *writer.layer;
    auto const &x = writer.inputs[0];
    auto const axes = writer.integers(layer.isNull("axes") ? std::vector<std::int64_t>{0} : layer.integers("axes"));
    if (op == "Slice") {
        std::vector<std::string> inputs{x, writer.integers(layer.integers("starts")), writer.integers(layer.integers("ends")), axes};
        if (!layer.isNull("steps")) inputs.push_back(writer.integers(layer.integers("steps")));
        return std::vector<std::string>{writer.node(op, inputs)};
    }
    if (op == "Pad") {
        auto const pads = layer.integers("pads");
        auto const half = pads.begin() + std::ssize(pads) / 2;
        auto all = behindBatch(0, {pads.begin(), half});
        auto const after = behindBatch(0, {half, pads.end()});
        all.insert(all.end(), after.begin(), after.end());
        std::vector<std::string> inputs{x, writer.integers(all)};
        if (!layer.isNull("alpha")) inputs.push_back(writer.number(layer.number("alpha")));
        return std::vector<std::string>{writer.node(op, inputs)};
    }
    if (op == "Gather") {
        OnnxNode node = withAxes(op, {x, writer.integers(layer.integers("indices"))}, layer, "axis");
        return std::vector<std::string>{writer.node(std::move(node))};
    }
    return std::vector<std::string>{writer.node(op, {x, writer.integers(behindBatch(1, layer.integers("shape")))})}; // Tile, Expand
}

Written withNumbers(OnnxWriter &writer, std::string const &op)
{
    auto const &layer = *writer.layer;
    OnnxNode node{op, "", "", {writer.inputs[0]}, {}, {}};
    auto const number = [&](char const *argument, char const *attribute) {
        if (!layer.isNull(argument)) node.with(attribute, static_cast<float>(layer.number(argument)));
    };
    if (op == "Not" || op == "IsNaN") return unwritable(Message::of("its truth values are numbers"));
    if (op == "Cast") { // numbers of a model are float32
        auto const to = layer.text("to");
        auto const type = to == "float16" ? OnnxType::Half : to == "bool" ? OnnxType::Bool : OnnxType::Int32;
        OnnxNode back{op, "", "", {writer.node(std::move(node.with("to", static_cast<std::int64_t>(type))))}, {}, {}};
        return std::vector<std::string>{writer.node(std::move(back.with("to", std::int64_t{1})))};
    }
    if (op == "Clip") {
        node.inputs.push_back(layer.isNull("min") ? "" : writer.number(layer.number("min")));
        if (!layer.isNull("max")) node.inputs.push_back(writer.number(layer.number("max")));
        return std::vector<std::string>{writer.node(std::move(node))};
    }
    if (op == "CumSum") {
        OnnxNode axis{"Constant", "", "", {}, {}, {}};
        node.inputs.push_back(writer.node(std::move(axis.with("value_int", layer.integers("axes").front()))));
        if (layer.flag("exclusive")) node.with("exclusive", std::int64_t{1});
        if (layer.flag("reverse")) node.with("reverse", std::int64_t{1});
        return std::vector<std::string>{writer.node(std::move(node))};
    }
    if (op == "LRN" && layer.integers("axes").front() != 1) return unwritable(Message::of("its channels are not axis 1"));
    if (op == "LRN") node.with("size", layer.integer("size"));
    if (op == "LogSoftmax" || op == "Hardmax") {
        if (layer.integers("axes").size() > 1) return unwritable(Message::of("it works along several axes together"));
        node.with("axis", layer.integers("axes").front());
    }
    number("alpha", op == "Shrink" ? "lambd" : "alpha");
    number("beta", op == "Selu" ? "gamma" : "beta");
    number("bias", "bias");
    return std::vector<std::string>{writer.node(std::move(node))};
}

/// A product with the matrix along one axis.
Written resizedAxis(OnnxWriter &writer)
{
    auto const rank = std::ssize(writer.shapes[0]);
    auto axis = writer.layer->integers("axes").front();
    axis = axis < 0 ? axis + rank : axis;
    std::vector<std::int64_t> there, back(static_cast<std::size_t>(rank));
    for (std::int64_t i = 0; i < rank; ++i)
        if (i != axis) there.push_back(i);
    there.push_back(axis);
    for (std::size_t i = 0; i < there.size(); ++i) back[static_cast<std::size_t>(there[i])] = static_cast<std::int64_t>(i);
    auto const y = writer.node("MatMul", {writer.transposed(writer.inputs[0], there), writer.weight(0)});
    return std::vector<std::string>{writer.transposed(y, back)};
}

Written operationLayer(OnnxWriter &writer)
{
    using Kind = model::OperatorShape;
    auto const op = writer.layer->text("operator");
    switch (model::findOperator(op)->shape) {
    case Kind::Same: return withNumbers(writer, op);
    case Kind::Broadcast:
        if (op == "Where") return unwritable(Message::of("its truth values are numbers"));
        return twoOperands(writer, op);
    case Kind::Product: return twoOperands(writer, op);
    case Kind::Reduced: return reduction(writer, op);
    case Kind::Sliced:
    case Kind::Padded:
    case Kind::Tiled:
    case Kind::Expanded:
    case Kind::Gathered: return movedParts(writer, op);
    case Kind::Resized: return resizedAxis(writer);
    case Kind::Fixed: return unwritable(Message::of("its numbers depend on no input"));
    case Kind::Encoded: return unwritable(Message::of("its indices are numbers of floating point"));
    }
    return unwritable(Message::of("the operator %1 cannot be written", op));
}

} // namespace

std::span<LayerWriter const> shapeWriters()
{
    static std::vector<LayerWriter> const all = [] {
        std::vector<LayerWriter> writers{{"Flatten", flattenLayer},
                                         {"Reshape", reshapeLayer},
                                         {"Permute", permute},
                                         {"RepeatVector", repeatVector},
                                         {"Operation", operationLayer}};
        for (auto const *name : {"Cropping1D", "Cropping2D", "Cropping3D"}) writers.push_back({name, cropping});
        for (auto const *name : {"ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D"}) writers.push_back({name, zeroPadding});
        for (auto const *name : {"UpSampling1D", "UpSampling2D", "UpSampling3D"}) writers.push_back({name, upSampling});
        return writers;
    }();
    return all;
}

} // namespace tilewright::interop
