#include "engine/model/layers/pooling_rules.h"

#include "engine/model/layers/window_rules.h"

namespace tilewright::model {

namespace {

Result<Shape> globalShape(Layer const &layer, int spatial, Shape const &input)
{
    bool const first = layer.text("data_format") == "channels_first";
    auto const rank = static_cast<std::size_t>(spatial) + 2;
    if (input.size() != rank)
        return layerError(layer, "model.shape",
                          Message::of("the input %1 has rank %2; %3 needs rank %4, [%5]", toText(input), input.size(), layer.className,
                                      rank, first ? Message::of("batch, channels, …") : Message::of("batch, …, channels")),
                          Message::of("put a Reshape before it"));
    std::size_t const channels = first ? 1 : rank - 1;
    if (!layer.flag("keepdims")) return Shape{input[0], input[channels]};
    Shape shape(rank, 1);
    shape[0] = input[0];
    shape[channels] = input[channels];
    return shape;
}

std::string axesText(int spatial) { return spatial == 1 ? "one axis" : spatial == 2 ? "two axes" : "three axes"; }

} // namespace

LayerSpec poolingSpec(std::string className, int spatial, bool maximum)
{
    ParamInfo size = windowSizeParam("pool_size", spatial, "size of the window");
    size.required = false;
    size.defaultJson = spatial == 1 ? "[2]" : spatial == 2 ? "[2, 2]" : "[2, 2, 2]";
    ParamInfo strides = stridesParam(spatial);
    strides.nullable = true;
    strides.defaultJson = "null";
    strides.help = "stride of the window; null: the size of the window";
    // The order in which Keras writes them.
    std::vector<ParamInfo> params{size, paddingParam(false), strides, dataFormatParam(spatial)};
    return {
        .className = std::move(className),
        .category = "Pooling",
        .help = std::string(maximum ? "Largest value" : "Mean") + " of each window over " + axesText(spatial)
            + (maximum ? "." : "; padding does not count."),
        .params = std::move(params),
        .outputShape = [](Layer const &layer,
                          std::span<Shape const> inputs) { return windowShape(layer, windowLayer(layer, "pool_size"), inputs[0]); },
        .multiplyAdds =
            [](Layer const &layer, std::span<Shape const>, Shape const &output) {
                double elements = sampleElements(output);
                for (auto const extent : layer.integers("pool_size")) elements *= static_cast<double>(extent);
                return elements;
            },
    };
}

LayerSpec globalPoolingSpec(std::string className, int spatial, bool maximum)
{
    return {
        .className = std::move(className),
        .category = "Pooling",
        .help = std::string(maximum ? "Largest value" : "Mean") + " of each channel over " + axesText(spatial) + ".",
        .params = {dataFormatParam(spatial),
                   {.name = "keepdims", .type = ParamType::Bool, .defaultJson = "false", .help = "keeps the reduced axes with size 1"}},
        .masks = spatial == 1 && !maximum ? MaskUse::Takes : MaskUse::Drops,
        .outputShape = [spatial](Layer const &layer, std::span<Shape const> inputs) { return globalShape(layer, spatial, inputs[0]); },
        .multiplyAdds = [](Layer const &, std::span<Shape const> inputs, Shape const &) { return sampleElements(inputs[0]); },
    };
}

} // namespace tilewright::model
