#include "engine/layers/families/rows.h"
#include "engine/layers/layer_builder.h"
#include "engine/model/layers/window_rules.h"

namespace tilewright::layers {

using namespace graph;

namespace {

/// Positions of the input, as one number each, that the windows of all outputs read: window after window.
std::vector<double> windowPositions(model::WindowLayer const &window, Shape const &input, Shape const &output)
{
    std::vector<double> positions{0};
    // The windows of the axes before, times those of this axis; outputs first, then the places within the window.
    std::int64_t outputs = 1, places = 1;
    for (std::size_t i = 0; i < window.windows.size(); ++i) {
        auto const &w = window.windows[i];
        std::int64_t const n = input[window.spatialAxis(i)], count = output[window.spatialAxis(i)];
        std::vector<double> next;
        for (std::int64_t o = 0; o < outputs; ++o)
            for (std::int64_t p = 0; p < count; ++p)
                for (std::int64_t place = 0; place < places; ++place)
                    for (std::int64_t k = 0; k < w.kernel; ++k)
                        next.push_back(positions[static_cast<std::size_t>(o * places + place)] * static_cast<double>(n)
                                       + static_cast<double>(p * w.stride + k));
        positions = std::move(next);
        outputs *= count;
        places *= w.kernel;
    }
    return positions;
}

} // namespace

/// The windows of all positions as [positions, batch, window], times the kernel [positions, window, filters].
Result<std::vector<ValueId>> buildLocallyConnected(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto &c = context;
    auto const &layer = c.layerOf(call);
    auto const window = model::windowLayer(layer, "kernel_size");
    auto const kernel = c.weight(call, 0);
    Shape const input = c.value(inputs[0]).shape, output = c.shapeOf(call), weights = c.value(kernel).shape;
    std::int64_t const batch = input[0], channels = input[window.channelAxis()], positions = weights[0];
    std::int64_t const cells = elementCount(input) / batch / channels, places = weights[1] / channels;
    auto x = c.reshape(inputs[0], window.channelsFirst ? Shape{batch, channels, cells} : Shape{batch, cells, channels});
    x = axisToFront(c, x, window.channelsFirst ? 2 : 1); // [cells, batch, channels]
    x = rowsOf(c, c.reshape(x, {cells, batch * channels}), windowPositions(window, input, output));
    x = c.reshape(x, {positions, places, batch, channels});
    // Keras flattens a window in the order of its input's axes.
    std::vector<std::int64_t> const perm =
        window.channelsFirst ? std::vector<std::int64_t>{0, 2, 3, 1} : std::vector<std::int64_t>{0, 2, 1, 3};
    x = c.reshape(c.op("transpose", {x}, {{"perm", perm}}, "Windows"), {positions, batch, places * channels});
    auto y = c.op("batch_matmul", {x, kernel}, {}, "MatMul"); // [positions, batch, filters]
    std::vector<std::int64_t> const back = window.channelsFirst ? std::vector<std::int64_t>{1, 2, 0} : std::vector<std::int64_t>{1, 0, 2};
    y = c.reshape(c.op("transpose", {y}, {{"perm", back}}, "Transpose"), output);
    if (layer.flag("use_bias")) {
        // With the channels first, Keras reshapes the bias [positions, filters] to [filters, positions]; it does not transpose it.
        auto bias = c.weight(call, 1);
        if (window.channelsFirst) bias = c.reshape(bias, Shape(output.begin() + 1, output.end()));
        y = c.op("add", {y, bias}, {}, "BiasAdd");
    }
    TW_ASSIGN(auto const out, buildActivation(context, call, model::findLayerSpec(layer.className)->activation(layer), y));
    return std::vector<ValueId>{out};
}

} // namespace tilewright::layers
