#include "engine/compiler/tensor_limit.h"

#include "engine/core/host_memory.h"
#include "engine/core/text.h"

namespace tilewright::compiler {

namespace {

constexpr Bytes kTimesTheTarget = 64;
constexpr Bytes kOfAHost = Bytes{1} << 45; ///< of a target without tiles

Bytes bytesOf(Shape const &shape, DType type)
{
    Bytes bytes = static_cast<Bytes>(sizeOf(type));
    for (auto const extent : shape) bytes = multiplyBytes(bytes, extent < 0 ? 1 : extent);
    return bytes;
}

Bytes memoryOf(target::Machine const &machine)
{
    return multiplyBytes(multiplyBytes(machine.chip.bytesPerTile, machine.chip.tiles), machine.ipus);
}

} // namespace

Status requireTensorInReach(std::string const &name, Shape const &shape, DType type, target::Machine const &machine)
{
    bool const tiled = machine.isEmulated();
    Bytes const bytes = bytesOf(shape, type), all = tiled ? memoryOf(machine) : kOfAHost;
    if (bytes <= (tiled ? multiplyBytes(all, kTimesTheTarget) : all)) return {};
    return makeError(ErrorKind::DoesNotFit, "compile.tensor-too-large", name,
                     tiled ? Message::of("the tensor of shape %1 takes %2; all tiles of %3 together have %4.", toText(shape),
                                         Argument::figure(bytesText(bytes)), machine.name, Argument::figure(bytesText(all)))
                           : Message::of("the tensor of shape %1 takes %2; a tensor on the host may take %3.", toText(shape),
                                         Argument::figure(bytesText(bytes)), Argument::figure(bytesText(all))),
                     Message::of("Make the tensor smaller: its layer, its input or the batch."));
}

Status requireTensorsInReach(model::ResolvedModel const &model, std::int64_t batch, target::Machine const &machine)
{
    for (std::size_t i = 0; i < model.calls.size(); ++i) {
        auto shape = model.calls[i].shape;
        if (!shape.empty() && shape[0] < 0) shape[0] = batch;
        TW_TRY(requireTensorInReach(model.layerOf(i).layer.name, shape, model.calls[i].dtype, machine));
    }
    for (auto const &layer : model.layers)
        for (auto const &weight : layer.weights)
            TW_TRY(requireTensorInReach(layer.layer.name + "/" + weight.name, weight.shape, DType::F16, machine));
    return {};
}

Status requireTensorsInReach(graph::Graph const &graph, target::Machine const &machine)
{
    for (auto const &variable : graph.variables) TW_TRY(requireTensorInReach(variable.name, variable.shape, variable.dtype, machine));
    for (auto const &node : graph.nodes)
        for (auto const value : node.outputs) {
            auto const &made = graph.value(value);
            TW_TRY(requireTensorInReach(node.name, made.shape, made.dtype, machine));
        }
    return {};
}

} // namespace tilewright::compiler
