#include "engine/runtime/train_memory.h"

#include "engine/core/host_memory.h"
#include "engine/model/resolve.h"
#include "engine/runtime/session_parts.h"

#include <algorithm>

namespace tilewright::runtime {

Bytes savingBytes(executable::EntryRef const &entry)
{
    Bytes largest = 0;
    for (auto const &variable : entry->graph.variables)
        if (survives(variable)) largest = std::max(largest, multiplyBytes(elementCount(variable.shape), sizeOf(variable.dtype)));
    return addBytes(stateBytes(entry), multiplyBytes(largest, 3));
}

Bytes bytesBesideExecutor(executable::EntryRef const &entry)
{
    Bytes element = 0;
    for (auto const &spec : entry->infeed) element = addBytes(element, multiplyBytes(elementCount(spec.shape), sizeOf(spec.dtype)));
    return addBytes(addBytes(stateBytes(entry), multiplyBytes(savingBytes(entry), 2)), multiplyBytes(element, 4 + entry.replicas()));
}

WeightKeeper::Size checkpointSize(executable::EntryRef const &entry, model::TrainingPlan const &plan)
{
    constexpr Bytes kOfRun = 4096; // run_state.h
    auto const best = std::ranges::count_if(plan.callbacks, [](model::Callback const &callback) {
        return callback.className == "EarlyStopping" && callback.flag("restore_best_weights");
    });
    WeightKeeper::Size size{addBytes(stateBytes(entry), kOfRun), 1 + std::ranges::count_if(entry->graph.variables, survives)};
    for (auto const id : entry->weights) {
        auto const &weight = entry->graph.variable(id);
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
