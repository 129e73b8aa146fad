#include "engine/model/layers/wrapper_rules.h"

namespace tilewright::model {

Layer innerLayer(Layer const &wrapper)
{
    auto layer = layerInside(wrapper.config["layer"], wrapper.name);
    TW_CHECK(layer.ok(), "wrapper " + wrapper.name + " was not checked");
    return std::move(layer).value();
}

std::array<Layer, 2> bidirectionalLayers(Layer const &wrapper)
{
    Layer forward = innerLayer(wrapper), backward = forward;
    if (!wrapper.isNull("backward_layer")) {
        auto own = layerInside(wrapper.config["backward_layer"], wrapper.name);
        TW_CHECK(own.ok(), "wrapper " + wrapper.name + " was not checked");
        backward = std::move(own).value();
    } else {
        backward.config["go_backwards"] = !forward.flag("go_backwards");
    }
    // As Keras names them: what each keeps between batches is its own.
    forward.name = "forward_" + forward.name;
    backward.name = "backward_" + backward.name;
    return {std::move(forward), std::move(backward)};
}

} // namespace tilewright::model
