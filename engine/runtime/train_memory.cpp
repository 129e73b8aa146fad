#include "engine/runtime/train_memory.h"

#include "engine/core/host_memory.h"
#include "engine/model/resolve.h"
#include "engine/runtime/session_parts.h"

#include <algorithm>

namespace tilewright::runtime {

Bytes savingBytes(executable::Executable const &exe)
{
    Bytes largest = 0;
    for (auto const &variable : exe.graph.variables)
        if (survives(variable)) largest = std::max(largest, multiplyBytes(elementCount(variable.shape), sizeOf(variable.dtype)));
    return addBytes(stateBytes(exe), multiplyBytes(largest, 3));
}

Bytes bytesBesideExecutor(executable::Executable const &exe)
{
    Bytes element = 0;
    for (auto const &spec : exe.infeed) element = addBytes(element, multiplyBytes(elementCount(spec.shape), sizeOf(spec.dtype)));
    return addBytes(addBytes(stateBytes(exe), multiplyBytes(savingBytes(exe), 2)), multiplyBytes(element, 4 + exe.replicas));
}

WeightKeeper::Size checkpointSize(executable::Executable const &exe, model::TrainingPlan const &plan)
{
    constexpr Bytes kOfRun = 4096; // run_state.h
    auto const best = std::ranges::count_if(plan.callbacks, [](model::Callback const &callback) {
        return callback.className == "EarlyStopping" && callback.flag("restore_best_weights");
    });
    WeightKeeper::Size size{addBytes(stateBytes(exe), kOfRun), 1 + std::ranges::count_if(exe.graph.variables, survives)};
    for (auto const id : exe.weights) {
        auto const &weight = exe.graph.variable(id);
        size.bytes = addBytes(size.bytes, multiplyBytes(multiplyBytes(elementCount(weight.shape), sizeOf(weight.dtype)), best));
        size.tensors += best;
    }
    return size;
}

Bytes leastStateBytes(project::Project const &project)
{
    auto const resolved = model::resolve(project.model);
    return resolved.ok() ? multiplyBytes(resolved->parameters(), 4) : 0;
}

} // namespace tilewright::runtime
