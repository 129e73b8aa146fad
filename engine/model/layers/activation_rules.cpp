#include "engine/model/layers/activation_rules.h"

#include <set>
#include <vector>

namespace tilewright::model {

Result<Shape> activationShape(Layer const &layer, Shape const &input, Activation const &activation)
{
    if (activation.name != "softmax" && activation.name != "log_softmax") return input;
    int const rank = static_cast<int>(input.size());
    if (rank < 2)
        return layerError(layer, "model.shape", activation.name + " of an input of rank 1, " + toText(input),
                          "give it a batch and at least one more axis");
    auto const given = activation.axes.empty() ? std::vector<int>{activation.axis} : activation.axes;
    std::set<int> axes;
    for (int const one : given) {
        int const axis = one < 0 ? one + rank : one;
        if (axis < 1 || axis >= rank)
            return layerError(layer, "model.shape",
                              "axis " + std::to_string(one) + " is not an axis of " + toText(input) + " other than the batch",
                              "use an axis from 1 to " + std::to_string(rank - 1) + ", or -1 for the last");
        if (!axes.insert(axis).second)
            return layerError(layer, "model.bad-argument", "axis " + std::to_string(one) + " is listed twice", "list each axis once");
    }
    return input;
}

} // namespace tilewright::model
