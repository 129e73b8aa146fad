#include "engine/model/layer_spec.h"

namespace tilewright::model {

namespace {

Status checkInput(Layer const &layer)
{
    auto const it = layer.config.find("batch_input_shape");
    for (std::size_t i = 0; i < it->size(); ++i) {
        auto const &extent = (*it)[i];
        if (extent.is_null() && i == 0) continue;
        if (extent.is_null())
            return layerError(layer, "model.dynamic-shape", Message::of("extent %1 of the input is not known", i),
                              Message::of("give every extent but the batch: all shapes must be known when compiling"));
        if (!extent.is_number_integer() || extent.get<double>() < 1.0 || extent.get<double>() > 1e9)
            return layerError(layer, "model.bad-argument",
                              Message::of("extent %1 of the input is %2", i, extent.dump(-1, ' ', true, Json::error_handler_t::replace)),
                              Message::of("give an integer from 1 to 1000000000"));
    }
    for (char const *kind : {"sparse", "ragged"})
        if (layer.flag(kind))
            return layerError(layer, "model.unsupported", Message::of("%1 inputs do not exist on an IPU", std::string(kind)),
                              Message::of("feed dense tensors"));
    return {};
}

Result<Shape> inputShape(Layer const &layer, std::span<Shape const>)
{
    Shape shape;
    for (auto const &extent : layer.config["batch_input_shape"]) shape.push_back(extent.is_null() ? -1 : extent.get<std::int64_t>());
    return shape;
}

} // namespace

LayerSpec inputLayer()
{
    return {
        .className = "InputLayer",
        .category = "Core",
        .help = "A tensor fed from outside, one batch per step.",
        .params = {{.name = "batch_input_shape",
                    .type = ParamType::Shape,
                    .help = "shape with the batch first; null: any batch",
                    .required = true},
                   {.name = "dtype", .type = ParamType::DType, .defaultJson = "\"float32\"", .help = "type of the data"},
                   {.name = "sparse", .type = ParamType::Bool, .defaultJson = "false", .help = "always false on an IPU"},
                   {.name = "ragged", .type = ParamType::Bool, .defaultJson = "false", .help = "always false on an IPU"}},
        .minInputs = 0,
        .maxInputs = 0,
        .keepsIntegers = true,
        .outputShape = inputShape,
        .check = checkInput,
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
