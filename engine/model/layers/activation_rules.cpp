#include "engine/model/layers/activation_rules.h"

#include <set>
#include <vector>

namespace tilewright::model {

Result<Shape> activationShape(Layer const &layer, Shape const &input, Activation const &activation)
{
    if (activation.name != "softmax" && activation.name != "log_softmax") return input;
    int const rank = static_cast<int>(input.size());
    if (rank < 2)
        return layerError(layer, "model.shape", Message::of("%1 of an input of rank 1, %2", activation.name, toText(input)),
                          Message::of("give it a batch and at least one more axis"));
    auto const given = activation.axes.empty() ? std::vector<int>{activation.axis} : activation.axes;
    std::set<int> axes;
    for (int const one : given) {
        int const axis = one < 0 ? one + rank : one;
        if (axis < 1 || axis >= rank)
            return layerError(layer, "model.shape", Message::of("axis %1 is not an axis of %2 other than the batch", one, toText(input)),
                              Message::of("use an axis from 1 to %1, or -1 for the last", rank - 1));
        if (!axes.insert(axis).second)
            return layerError(layer, "model.bad-argument", Message::of("axis %1 is listed twice", one), Message::of("list each axis once"));
    }
    return input;
}

} // namespace tilewright::model
