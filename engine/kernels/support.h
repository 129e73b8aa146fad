#pragma once

#include "engine/kernels/kernel.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>

/// Helpers for the sources of kernels.
namespace tilewright::kernels {

inline Diagnostic unsupported(graph::Node const &node, Message message, Message remedy = {})
{
    return makeError(ErrorKind::Invalid, "kernel.unsupported", node.name.empty() ? node.op : node.name,
                     Message::of("Kernel '%1': %2", node.op, std::move(message)), std::move(remedy));
}

inline Status requireCounts(PrepareArgs const &args, std::size_t inputs, std::size_t outputs)
{
    if (args.inputs.size() != inputs || args.outputs.size() != outputs)
        return unsupported(args.node,
                           Message::of("takes %1 operands and returns %2 results, not %3 and %4.", inputs, outputs, args.inputs.size(),
                                       args.outputs.size()));
    return {};
}

inline Status requireType(PrepareArgs const &args, HostTensor const &tensor, DType dtype)
{
    if (tensor.dtype != dtype)
        return unsupported(
            args.node, Message::of("an operand or result is %1, not %2.", std::string(toText(tensor.dtype)), std::string(toText(dtype))));
    return {};
}

inline Status requireElements(PrepareArgs const &args, HostTensor const &tensor, std::int64_t elements)
{
    if (tensor.elements() != elements)
        return unsupported(args.node,
                           Message::of("an operand or result of shape %1 must have %2 elements.", toText(tensor.shape), elements));
    return {};
}

/// Requires all operands and results to be f32.
inline Status requireF32(PrepareArgs const &args)
{
    for (auto const &tensor : args.inputs) TW_TRY(requireType(args, tensor, DType::F32));
    for (auto const &tensor : args.outputs) TW_TRY(requireType(args, tensor, DType::F32));
    return {};
}

/// Runs body(0) … body(tasks-1) with denormals flushed; a single task runs on the calling thread.
template <typename Body> void parallelFor(RunContext &ctx, std::size_t tasks, Body const &body)
{
    if (tasks <= 1) {
        DenormalGuard const guard;
        if (tasks == 1) body(std::size_t{0});
        return;
    }
    ctx.pool.run(tasks, std::cref(body));
}

/// 0 … count cut into pieces of `grain` (the last may be shorter). The partition depends on sizes alone.
struct Pieces {
    std::int64_t count = 0;
    std::int64_t grain = 1;
    std::size_t tasks() const { return static_cast<std::size_t>(ceilDiv(count, grain)); }
    std::int64_t begin(std::size_t task) const { return static_cast<std::int64_t>(task) * grain; }
    std::int64_t end(std::size_t task) const { return std::min(count, begin(task) + grain); }
};

/// Elements of simple arithmetic per task: a few microseconds, several times the cost of handing a task to another thread.
constexpr std::int64_t kElementsPerTask = 16384;

} // namespace tilewright::kernels
