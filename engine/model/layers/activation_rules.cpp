#include "engine/model/layers/activation_rules.h"

namespace tilewright::model {

Result<Shape> activationShape(Layer const &layer, Shape const &input, Activation const &activation)
{
    if (activation.name != "softmax" && activation.name != "log_softmax") return input;
    int const rank = static_cast<int>(input.size());
    int const axis = activation.axis < 0 ? activation.axis + rank : activation.axis;
    if (rank < 2)
        return layerError(layer, "model.shape", activation.name + " of an input of rank 1, " + toText(input),
                          "give it a batch and at least one more axis");
    if (axis < 1 || axis >= rank)
        return layerError(layer, "model.shape",
                          "axis " + std::to_string(activation.axis) + " is not an axis of " + toText(input) + " other than the batch",
                          "use an axis from 1 to " + std::to_string(rank - 1) + ", or -1 for the last");
    return input;
}

} // namespace tilewright::model
