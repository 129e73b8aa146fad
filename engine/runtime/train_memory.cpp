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

WeightKeeper::Size checkpointSize(executable::Executable const &exe)
{
    return {stateBytes(exe), static_cast<std::int64_t>(std::ranges::count_if(exe.graph.variables, survives))};
}

Bytes leastStateBytes(project::Project const &project)
{
    auto const resolved = model::resolve(project.model);
    return resolved.ok() ? multiplyBytes(resolved->parameters(), 4) : 0;
}

} // namespace tilewright::runtime
