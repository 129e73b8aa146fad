#include "engine/model/layers/activation_rules.h"

namespace tilewright::model {

Result<Shape> activationShape(Layer const &layer, Shape const &input, Activation const &activation)
{
    if (activation.name != "softmax" && activation.name != "log_softmax") return input;
    int const rank = static_cast<int>(input.size());
    int const axis = activation.axis < 0 ? activation.axis + rank : activation.axis;
    if (rank < 2)
        return layerError(layer, "model.shape", Message::of("%1 of an input of rank 1, %2", activation.name, toText(input)),
                          Message::of("give it a batch and at least one more axis"));
    if (axis < 1 || axis >= rank)
        return layerError(layer, "model.shape",
                          Message::of("axis %1 is not an axis of %2 other than the batch", activation.axis, toText(input)),
                          Message::of("use an axis from 1 to %1, or -1 for the last", std::to_string(rank - 1)));
    return input;
}

} // namespace tilewright::model
