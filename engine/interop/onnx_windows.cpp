// Rules for convolutions, pooling and resizing.
#include "engine/interop/onnx_rules.h"
#include "engine/model/layers/window_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

/// The windows of a node over an image whose channels are axis 1 of ONNX. The layer reads the channels where they lie.
struct Windows {
    OnnxOperand x;
    std::size_t spatial = 0;
    bool channelsFirst = true;
    std::vector<std::int64_t> kernel, strides, dilations, before, after;

    char const *format() const { return channelsFirst ? "channels_first" : "channels_last"; }
    std::string named(char const *name, char const *after_ = "") const { return name + std::to_string(spatial) + "D" + after_; }
    std::int64_t extent(std::size_t i) const { return x.shape[i + (channelsFirst ? 2 : 1)]; }
    std::int64_t channels() const { return channelsFirst ? x.shape[1] : x.shape.back(); }
    model::Window window(std::size_t i) const { return {kernel[i], strides[i], dilations[i]}; }
    bool padded() const
    {
        auto const some = [](std::int64_t amount) { return amount != 0; };
        return std::ranges::any_of(before, some) || std::ranges::any_of(after, some);
    }
    /// Whether the padding is that of Keras's "same".
    bool isSame() const
    {
        for (std::size_t i = 0; i < spatial; ++i) {
            auto const same = model::windowExtent(extent(i), window(i), "same");
            if (same.before != before[i] || same.after != after[i]) return false;
        }
        return true;
    }
};

/// An image in one of Keras's two orders.
Result<OnnxOperand> asImage(OnnxConversion &conversion, OnnxOperand const &x)
{
    auto const rank = x.rank();
    if (x.constant || rank < 3 || rank > 5 || (x.axes[0] > 0 && x.extents()[0] != 1) || (x.axes[0] != 0 && x.batchAxis()))
        return onnxRefusal(Message::of("its input %1 is no image with one to three spatial axes", toText(x.extents())));
    std::vector<std::size_t> last, first;
    for (std::size_t axis = 2; axis < rank; ++axis) last.push_back(axis);
    last.push_back(1);
    for (std::size_t axis = 1; axis < rank; ++axis) first.push_back(axis);
    auto const order = x.order();
    return conversion.arranged(x, order == last ? last : first);
}

Result<Windows> windowsOf(OnnxConversion &conversion, OnnxNode const &node, std::vector<std::int64_t> kernel)
{
    Windows w;
    TW_ASSIGN(w.x, asImage(conversion, conversion.operand(node, 0)));
    w.spatial = w.x.rank() - 2;
    w.channelsFirst = w.x.axes[1] == 1;
    w.kernel = node.has("kernel_shape") ? node.integers("kernel_shape") : std::move(kernel);
    w.strides = node.integers("strides");
    w.dilations = node.integers("dilations");
    if (w.strides.empty()) w.strides.assign(w.spatial, 1);
    if (w.dilations.empty()) w.dilations.assign(w.spatial, 1);
    auto const positive = [](auto const &list) { return std::ranges::all_of(list, [](auto n) { return n > 0; }); };
    if (w.kernel.size() != w.spatial || w.strides.size() != w.spatial || w.dilations.size() != w.spatial || !positive(w.kernel)
        || !positive(w.strides) || !positive(w.dilations))
        return onnxRefusal(Message::of("its windows do not fit the input %1", toText(w.x.extents())));
    auto pads = node.integers("pads");
    auto const mode = node.text("auto_pad", "NOTSET");
    if (mode.starts_with("SAME")) {
        pads.assign(2 * w.spatial, 0);
        for (std::size_t i = 0; i < w.spatial; ++i) {
            auto const same = model::windowExtent(w.extent(i), w.window(i), "same");
            bool const upper = mode == "SAME_UPPER";
            pads[i] = upper ? same.before : same.after;
            pads[i + w.spatial] = upper ? same.after : same.before;
        }
    }
    if (pads.empty() || mode == "VALID") pads.assign(2 * w.spatial, 0);
    if (pads.size() != 2 * w.spatial) return onnxRefusal(Message::of("it has %1 amounts for %2 axes", pads.size(), w.spatial));
    if (std::ranges::any_of(pads, [](auto amount) { return amount < 0; })) return onnxRefusal(Message::of("an amount is negative"));
    auto const middle = pads.begin() + static_cast<std::ptrdiff_t>(w.spatial);
    w.before.assign(pads.begin(), middle);
    w.after.assign(middle, pads.end());
    return w;
}

/// Pads the spatial axes; the layer behind needs no padding.
Status padWindows(OnnxConversion &conversion, Windows &w, double value)
{
    if (!w.padded()) return {};
    auto const x = w.x;
    if (value == 0 && (w.spatial > 1 || !w.channelsFirst)) {
        Json amounts = Json::array();
        if (w.spatial == 1) amounts = {w.before[0], w.after[0]};
        else
            for (std::size_t i = 0; i < w.spatial; ++i) amounts.push_back({w.before[i], w.after[i]});
        Json config{{"padding", amounts}};
        if (w.spatial > 1) config["data_format"] = w.format();
        TW_ASSIGN(w.x, conversion.layer(w.named("ZeroPadding"), std::move(config), {x}));
    } else {
        Shape before(w.spatial + 1, 0), after = before;
        std::ranges::copy(w.before, before.begin() + (w.channelsFirst ? 1 : 0));
        std::ranges::copy(w.after, after.begin() + (w.channelsFirst ? 1 : 0));
        before.insert(before.end(), after.begin(), after.end());
        Json config{{"pads", before}};
        if (value != 0) config["alpha"] = value;
        TW_ASSIGN(w.x, operation(conversion, "Pad", std::move(config), {x}));
    }
    w.x.axes = x.axes;
    w.before.assign(w.spatial, 0);
    w.after = w.before;
    return {};
}

/// "same" or "valid", after layers that pad otherwise.
Result<std::string> paddingOf(OnnxConversion &conversion, Windows &w, double value)
{
    if (w.padded() && w.isSame()) return std::string("same");
    TW_TRY(padWindows(conversion, w, value));
    return std::string("valid");
}

Result<std::vector<FileArray>> convArrays(OnnxConversion &conversion, OnnxNode const &node, std::string name, Shape shape,
                                          OnnxTensor const &kernel)
{
    std::vector<FileArray> arrays{fileArray(std::move(name), std::move(shape), floatsOf(kernel))};
    if (conversion.has(node, 2)) {
        TW_ASSIGN(auto const bias, conversion.constant(node, 2, "B"));
        arrays.push_back(fileArray("bias", {bias.count()}, floatsOf(bias)));
    }
    return arrays;
}

/// [a, b, spatial…] as [spatial…, x, y].
std::vector<std::size_t> kernelOrder(std::size_t spatial, bool outLast)
{
    std::vector<std::size_t> order(spatial);
    std::iota(order.begin(), order.end(), std::size_t{2});
    order.push_back(outLast ? 1 : 0);
    order.push_back(outLast ? 0 : 1);
    return order;
}

Status conv(OnnxConversion &conversion, OnnxNode const &node)
{
    TW_ASSIGN(auto const kernel, conversion.constant(node, 1, "W"));
    if (kernel.shape.size() < 3) return onnxRefusal(Message::of("its kernel has too few axes"));
    TW_ASSIGN(auto w, windowsOf(conversion, node, {kernel.shape.begin() + 2, kernel.shape.end()}));
    auto const groups = node.integer("group", 1), filters = kernel.shape[0], channels = w.channels();
    auto const strided = std::ranges::any_of(w.strides, [](auto n) { return n > 1; });
    if (strided && std::ranges::any_of(w.dilations, [](auto n) { return n > 1; }))
        return onnxRefusal(Message::of("it has both strides and dilations"));
    if (kernel.shape.size() != w.spatial + 2 || groups < 1 || kernel.shape[1] * groups != channels || filters % groups != 0)
        return onnxRefusal(Message::of("its kernel %1 does not fit %2 channels in %3 groups", toText(kernel.shape), channels, groups));
    TW_ASSIGN(auto const padding, paddingOf(conversion, w, 0));
    Json config{{"kernel_size", w.kernel}, {"strides", w.strides},      {"dilation_rate", w.dilations},
                {"padding", padding},      {"data_format", w.format()}, {"use_bias", conversion.has(node, 2)}};
    auto turned = transposedTensor(kernel, kernelOrder(w.spatial, true));
    bool const depthwise = w.spatial == 2 && groups == channels && channels > 1 && w.strides[0] == w.strides[1];
    std::string name = "kernel";
    auto shape = turned.shape;
    if (depthwise) {
        config["depth_multiplier"] = filters / channels;
        name = "depthwise_kernel";
        shape[w.spatial] = channels;
        shape[w.spatial + 1] = filters / channels;
    } else {
        config["filters"] = filters;
        config["groups"] = groups;
    }
    TW_ASSIGN(auto arrays, convArrays(conversion, node, name, shape, turned));
    TW_ASSIGN(auto result, conversion.layer(depthwise ? "DepthwiseConv2D" : w.named("Conv"), std::move(config), {w.x}, std::move(arrays)));
    if (!conversion.operand(node, 1).isTrained) freeze(conversion, result);
    return keep(conversion, node, OnnxConversion::like(std::move(result), w.x));
}

/// The whole result of the layer, without the edges that the padding cuts.
Status convTranspose(OnnxConversion &conversion, OnnxNode const &node)
{
    TW_ASSIGN(auto const kernel, conversion.constant(node, 1, "W"));
    if (kernel.shape.size() < 3) return onnxRefusal(Message::of("its kernel has too few axes"));
    TW_ASSIGN(auto w, windowsOf(conversion, node, {kernel.shape.begin() + 2, kernel.shape.end()}));
    if (node.integer("group", 1) != 1) return onnxRefusal(Message::of("it has groups"));
    auto const strided = std::ranges::any_of(w.strides, [](auto n) { return n > 1; });
    if (strided && std::ranges::any_of(w.dilations, [](auto n) { return n > 1; }))
        return onnxRefusal(Message::of("it has both strides and dilations"));
    auto extra = node.integers("output_padding"), wanted = node.integers("output_shape");
    extra.resize(w.spatial, 0);
    bool const sameMode = node.text("auto_pad", "NOTSET").starts_with("SAME");
    auto const lower = node.text("auto_pad", "NOTSET") != "SAME_UPPER";
    if (sameMode && wanted.empty())
        for (std::size_t i = 0; i < w.spatial; ++i) wanted.push_back(w.extent(i) * w.strides[i]);
    if (wanted.size() > w.spatial) wanted.erase(wanted.begin(), wanted.end() - static_cast<std::ptrdiff_t>(w.spatial));
    std::vector<std::int64_t> inside(w.spatial, 0);
    for (std::size_t i = 0; i < w.spatial; ++i) {
        auto const whole = (w.extent(i) - 1) * w.strides[i] + w.window(i).reach();
        if (!wanted.empty()) {
            auto const total = std::max<std::int64_t>(0, whole + extra[i] - wanted[i]);
            w.before[i] = lower ? total - total / 2 : total / 2;
            w.after[i] = total - w.before[i];
            extra[i] = std::max<std::int64_t>(0, wanted[i] - whole);
        }
        // Elements behind the result are cut before any are added.
        auto const cancelled = std::min(extra[i], w.after[i]);
        extra[i] -= cancelled;
        w.after[i] -= cancelled;
        if (extra[i] >= w.strides[i])
            return onnxRefusal(Message::of("output_padding %1 is not below its stride %2", extra[i], w.strides[i]));
    }
    auto const before = w.before, after = w.after;
    auto const turned = transposedTensor(kernel, kernelOrder(w.spatial, true));
    TW_ASSIGN(auto arrays, convArrays(conversion, node, "kernel", turned.shape, turned));
    Json config{
        {"filters", kernel.shape[1]}, {"kernel_size", w.kernel},   {"strides", w.strides},    {"dilation_rate", w.dilations},
        {"padding", "valid"},         {"data_format", w.format()}, {"output_padding", extra}, {"use_bias", conversion.has(node, 2)}};
    TW_ASSIGN(auto result, conversion.layer(w.named("Conv", "Transpose"), std::move(config), {w.x}, std::move(arrays)));
    if (!conversion.operand(node, 1).isTrained) freeze(conversion, result);
    result.axes = w.x.axes;
    if (!w.padded()) return keep(conversion, node, result);
    auto const uncut = result;
    if (w.spatial > 1 || !w.channelsFirst) {
        Json amounts = Json::array();
        if (w.spatial == 1) amounts = {before[0], after[0]};
        else
            for (std::size_t i = 0; i < w.spatial; ++i) amounts.push_back({before[i], after[i]});
        Json cut{{"cropping", amounts}};
        if (w.spatial > 1) cut["data_format"] = w.format();
        TW_ASSIGN(result, conversion.layer(w.named("Cropping"), std::move(cut), {uncut}));
    } else {
        TW_ASSIGN(result,
                  operation(conversion, "Slice", {{"axes", {2}}, {"starts", {before[0]}}, {"ends", {uncut.shape[2] - after[0]}}}, {uncut}));
    }
    return keep(conversion, node, OnnxConversion::like(std::move(result), uncut));
}

/// Positions of windows that count: those of the input, without padding, along one axis.
std::vector<double> windowCounts(Windows const &w, std::size_t axis, std::int64_t outputs, bool countsPadding)
{
    std::vector<double> counts;
    auto const n = w.extent(axis);
    for (std::int64_t o = 0; o < outputs; ++o) {
        auto const begin = o * w.strides[axis] - w.before[axis], end = begin + w.kernel[axis];
        auto const low = countsPadding ? -w.before[axis] : 0, high = countsPadding ? n + w.after[axis] : n;
        counts.push_back(static_cast<double>(std::max<std::int64_t>(1, std::min(end, high) - std::max(begin, low))));
    }
    return counts;
}

Status pool(OnnxConversion &conversion, OnnxNode const &node)
{
    bool const maximum = node.op == "MaxPool";
    TW_ASSIGN(auto w, windowsOf(conversion, node, {}));
    if (std::ranges::any_of(w.dilations, [](auto n) { return n > 1; })) return onnxRefusal(Message::of("its windows are dilated"));
    if (node.outputs.size() > 1 && !node.outputs[1].empty()) return onnxRefusal(Message::of("its indices are used"));
    bool const countsPadding = node.integer("count_include_pad", 0) != 0, ceil = node.integer("ceil_mode", 0) != 0;
    auto const declared = w;
    std::vector<std::int64_t> outputs;
    bool anyBeyond = false;
    for (std::size_t i = 0; i < w.spatial; ++i) {
        auto const room = w.extent(i) + w.before[i] + w.after[i] - w.kernel[i];
        if (room < 0) return onnxRefusal(Message::of("its windows do not fit the input %1", toText(w.x.extents())));
        auto count = (ceil ? room + w.strides[i] - 1 : room) / w.strides[i] + 1;
        if (ceil && (count - 1) * w.strides[i] >= w.extent(i) + w.before[i]) --count; // a window in the padding alone
        outputs.push_back(count);
        auto const beyond = (count - 1) * w.strides[i] + w.kernel[i] - (w.extent(i) + w.before[i] + w.after[i]);
        anyBeyond = anyBeyond || beyond > 0;
        w.after[i] += std::max<std::int64_t>(0, beyond);
    }
    bool const same = w.padded() && w.isSame() && !(countsPadding && !maximum);
    std::string padding = same ? "same" : "valid";
    bool const corrects = !maximum && !same && w.padded() && (!countsPadding || anyBeyond);
    auto const padded = w.padded();
    if (!same) TW_TRY(padWindows(conversion, w, maximum ? -static_cast<double>(std::numeric_limits<float>::max()) : 0));
    Json config{{"pool_size", w.kernel}, {"strides", w.strides}, {"padding", padding}, {"data_format", w.format()}};
    TW_ASSIGN(auto result, conversion.layer(w.named(maximum ? "MaxPooling" : "AveragePooling"), std::move(config), {w.x}));
    result.axes = w.x.axes;
    if (!corrects || !padded) return keep(conversion, node, result);
    // The mean over the padded window times its size over the number of elements that count.
    std::vector<float> factors{1};
    Shape shape{1, 1};
    for (std::size_t i = 0; i < w.spatial; ++i) {
        auto const counts = windowCounts(declared, i, outputs[i], countsPadding);
        std::vector<float> grown;
        for (float const factor : factors)
            for (double const count : counts)
                grown.push_back(static_cast<float>(static_cast<double>(factor) * static_cast<double>(w.kernel[i]) / count));
        factors = std::move(grown);
        shape.push_back(outputs[i]);
    }
    return keep(conversion, node, arithmetic(conversion, "Mul", result, constantOf(shape, std::move(factors))));
}

// Resize

/// How Resize finds the place in the input of a place in the output.
double placeIn(std::string const &mode, double out, double scale, double inputs, double outputs)
{
    if (mode == "align_corners") return outputs == 1 ? 0 : out * (inputs - 1) / (outputs - 1);
    if (mode == "asymmetric") return out / scale;
    if (mode == "tf_half_pixel_for_nn") return (out + 0.5) / scale;
    if (mode == "pytorch_half_pixel") return outputs > 1 ? (out + 0.5) / scale - 0.5 : 0;
    return (out + 0.5) / scale - 0.5; // half_pixel
}

double nearest(std::string const &mode, double at)
{
    if (mode == "floor") return std::floor(at);
    if (mode == "ceil") return std::ceil(at);
    if (mode == "round_prefer_ceil") return std::floor(at + 0.5);
    return std::ceil(at - 0.5); // round_prefer_floor
}

/// Weights of the inputs for each output along one axis: [inputs, outputs].
Result<std::vector<float>> resizeMatrix(OnnxNode const &node, std::int64_t inputs, std::int64_t outputs, double scale)
{
    auto const mode = node.text("mode", "nearest");
    auto const transformation =
        node.op == "Upsample" ? std::string("asymmetric") : node.text("coordinate_transformation_mode", "half_pixel");
    auto const rounding = node.op == "Upsample" ? std::string("floor") : node.text("nearest_mode", "round_prefer_floor");
    if (transformation == "tf_crop_and_resize") return onnxRefusal(Message::of("it resizes a part of its input"));
    double const a = static_cast<double>(node.number("cubic_coeff_a", -0.75F));
    bool const excludes = node.integer("exclude_outside", 0) != 0;
    std::vector<double> matrix(static_cast<std::size_t>(inputs * outputs), 0);
    for (std::int64_t o = 0; o < outputs; ++o) {
        double const at = placeIn(transformation, static_cast<double>(o), scale, static_cast<double>(inputs),
                                  static_cast<double>(inputs) * scale); // not rounded, as ONNX computes it
        std::vector<std::pair<std::int64_t, double>> weights;
        auto const low = static_cast<std::int64_t>(std::floor(at));
        double const share = at - std::floor(at);
        if (mode == "nearest") weights = {{static_cast<std::int64_t>(nearest(rounding, at)), 1.0}};
        else if (mode == "linear") weights = {{low, 1 - share}, {low + 1, share}};
        else if (mode == "cubic")
            for (std::int64_t k = -1; k <= 2; ++k) {
                double const t = std::abs(share - static_cast<double>(k));
                double const weight = t <= 1 ? ((a + 2) * t - (a + 3)) * t * t + 1 : ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
                weights.emplace_back(low + k, weight);
            }
        else return onnxRefusal(Message::of("its mode is %1", mode));
        double total = 0;
        for (auto &[index, weight] : weights) {
            if (excludes && (index < 0 || index >= inputs)) weight = 0;
            total += weight;
        }
        for (auto const &[index, weight] : weights)
            matrix[static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, inputs - 1) * outputs + o)] +=
                excludes ? weight / total : weight;
    }
    return std::vector<float>(matrix.begin(), matrix.end());
}

/// The sizes along each axis of ONNX, and the scales.
Result<std::pair<Shape, std::vector<double>>> resizeSizes(OnnxConversion &conversion, OnnxNode const &node, Shape const &from)
{
    Shape sizes = from;
    std::vector<double> scales(from.size(), 1);
    bool const old = node.op == "Upsample" || conversion.opset() < 11;
    auto const scalesAt = old ? std::size_t{1} : std::size_t{2};
    if (!old && conversion.has(node, 3)) {
        TW_ASSIGN(auto const given, conversion.integers(node, 3));
        if (given.size() != from.size()) return onnxRefusal(Message::of("it has %1 sizes for %2 axes", given.size(), from.size()));
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (from[i] == kBatchExtent) continue;
            sizes[i] = given[i];
            scales[i] = static_cast<double>(given[i]) / static_cast<double>(from[i]);
        }
        return std::pair(sizes, scales);
    }
    std::vector<double> given;
    if (auto const *attribute = node.find("scales")) given.assign(attribute->floats.begin(), attribute->floats.end());
    else {
        TW_ASSIGN(auto const tensor, conversion.constant(node, scalesAt, "scales"));
        for (std::int64_t i = 0; i < tensor.count(); ++i) given.push_back(tensor.number(static_cast<std::size_t>(i)));
    }
    if (given.size() != from.size()) return onnxRefusal(Message::of("it has %1 sizes for %2 axes", given.size(), from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (given[i] == 1) continue;
        if (!(given[i] > 0 && given[i] < 1e6)) return onnxRefusal(Message::of("a scale is not positive"));
        scales[i] = given[i];
        sizes[i] = static_cast<std::int64_t>(std::floor(static_cast<double>(from[i]) * given[i]));
    }
    return std::pair(sizes, scales);
}

/// UpSampling where its copies, or its means of neighbours, are what the node computes; else a matrix for each axis.
Status resize(OnnxConversion &conversion, OnnxNode const &node)
{
    auto x = conversion.operand(node, 0);
    auto const from = x.extents();
    TW_ASSIGN(auto const wanted, resizeSizes(conversion, node, from));
    auto const &[sizes, scales] = wanted;
    std::vector<std::vector<float>> matrices(from.size());
    bool copies = from.size() >= 3 && from.size() <= 5 && sizes[1] == from[1];
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        if (sizes[axis] == from[axis]) continue;
        if (sizes[axis] < 1) return onnxRefusal(Message::of("its result is empty"));
        if (from[axis] == kBatchExtent) return mixedSamples();
        if (from[axis] * sizes[axis] > 1 << 24) return onnxRefusal(Message::of("the matrix is too large"));
        TW_ASSIGN(matrices[axis], resizeMatrix(node, from[axis], sizes[axis], scales[axis]));
        auto const times = sizes[axis] / from[axis];
        copies = copies && axis >= 2 && times * from[axis] == sizes[axis];
        for (std::int64_t i = 0; copies && i < from[axis]; ++i)
            for (std::int64_t o = 0; o < sizes[axis]; ++o)
                copies = copies && matrices[axis][static_cast<std::size_t>(i * sizes[axis] + o)] == (o / times == i ? 1.0F : 0.0F);
    }
    if (copies) {
        TW_ASSIGN(auto const image, asImage(conversion, x));
        bool const first = image.axes[1] == 1;
        if (from.size() > 3 || !first) {
            Json size = Json::array();
            for (std::size_t axis = 2; axis < from.size(); ++axis) size.push_back(sizes[axis] / from[axis]);
            Json config{{"size", from.size() == 3 ? size[0] : size}};
            if (from.size() > 3) config["data_format"] = first ? "channels_first" : "channels_last";
            TW_ASSIGN(auto result, conversion.layer("UpSampling" + std::to_string(from.size() - 2) + "D", std::move(config), {image}));
            return keep(conversion, node, OnnxConversion::like(std::move(result), image));
        }
    }
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        if (matrices[axis].empty()) continue;
        if (x.axes[axis] < 0) { TW_ASSIGN(x, conversion.plain(x)); }
        TW_ASSIGN(auto const place, conversion.layerAxis(x, static_cast<std::int64_t>(axis)));
        Shape const shape{from[axis], sizes[axis]};
        TW_ASSIGN(auto result,
                  operation(conversion, "Resize", {{"axes", {place}}, {"constant_shape", shape}}, {x},
                            {fileArray("constant", shape, matrices[axis])}));
        freeze(conversion, result);
        x = OnnxConversion::like(std::move(result), x);
    }
    return keep(conversion, node, x);
}

} // namespace

std::span<OnnxRule const> windowRules()
{
    static std::vector<OnnxRule> const all{{"Conv", conv},     {"ConvTranspose", convTranspose},
                                           {"MaxPool", pool},  {"AveragePool", pool},
                                           {"Resize", resize}, {"Upsample", resize}};
    return all;
}

} // namespace tilewright::interop
