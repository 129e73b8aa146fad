#include "engine/model/layers/merge_rules.h"

#include <algorithm>

namespace tilewright::model {

Result<Shape> broadcastShape(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(std::int64_t const batch, commonBatch(layer, inputs));
    std::size_t rank = 1;
    for (auto const &input : inputs) rank = std::max(rank, input.size());
    Shape shape(rank, 1);
    shape[0] = batch;
    for (auto const &input : inputs) {
        for (std::size_t back = 1; back < input.size(); ++back) {
            std::int64_t &extent = shape[rank - back];
            std::int64_t const other = input[input.size() - back];
            if (extent == 1) {
                extent = other;
            } else if (other != 1 && other != extent) {
                std::string shapes;
                for (auto const &each : inputs) shapes += (shapes.empty() ? "" : ", ") + toText(each);
                return layerError(layer, "model.shape", Message::of("%1 cannot broadcast its inputs %2", layer.className, shapes),
                                  Message::of("extents must be equal or 1, from the last axis on"));
            }
        }
    }
    return shape;
}

Result<std::int64_t> commonBatch(Layer const &layer, std::span<Shape const> inputs)
{
    std::int64_t batch = -1;
    for (auto const &input : inputs) {
        if (input.empty() || input[0] < 0) continue;
        if (batch >= 0 && batch != input[0])
            return layerError(layer, "model.shape", Message::of("inputs with different batch sizes %1 and %2", batch, input[0]),
                              Message::of("give all inputs the same batch size"));
        batch = input[0];
    }
    return batch;
}

LayerSpec elementwiseMerge(std::string className, std::string help, int maxInputs)
{
    return {
        .className = std::move(className),
        .category = "Merge",
        .help = std::move(help),
        .minInputs = 2,
        .maxInputs = maxInputs,
        .keepsIntegers = true,
        .masks = MaskUse::Passes,
        .outputShape = broadcastShape,
        .multiplyAdds = [](Layer const &, std::span<Shape const> inputs,
                           Shape const &output) { return static_cast<double>(inputs.size() - 1) * sampleElements(output); },
    };
}

} // namespace tilewright::model
