// Control flow, collectives over replicas, copies between the IPUs of a pipeline.
#include "engine/lowering/call.h"
#include "engine/lowering/condition.h"
#include "engine/lowering/loop.h"
#include "engine/lowering/pipeline.h"
#include "engine/graph/checkpoint.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

#include <algorithm>
#include <optional>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Status lowerRepeat(lowering::LowerContext &ctx, NodeId id) { return lowering::lowerLoop(ctx, id); }

Result<std::vector<Builder::Out>> inferEach(Node const &, std::span<Value const *const> inputs)
{
    std::vector<Builder::Out> outs;
    for (auto const *input : inputs) outs.push_back({input->shape, input->dtype});
    return outs;
}

/// The update that reads the value as its gradient, if nothing else reads it (a store into its dead accumulator does not count).
std::optional<NodeId> onlyUpdateOf(lowering::LowerContext const &ctx, ValueId value)
{
    std::optional<NodeId> update;
    for (auto const &region : ctx.graph.regions)
        for (auto id : region.nodes) {
            auto const &node = ctx.graph.node(id);
            if (std::ranges::find(node.inputs, value) == node.inputs.end()) continue;
            if (is(node, NodeKind::VariableAssign) && ctx.graph.variable(node.variable).role == Role::Accumulator) continue;
            auto const states = node.outputs.size();
            bool const asGradient = states < node.inputs.size() && node.inputs[states] == value
                && std::ranges::count(node.inputs, value) == 1 && findOp(node.op) && findOp(node.op)->lowering.updatesWeights;
            if (update || !asGradient) return std::nullopt;
            update = id;
        }
    return update;
}

/// Whether each replica needs only its shard of the sum: its only reader updates a shard of weights that lie as the sum does. The
/// reduce-scatter half of the collective then suffices.
bool needsShardOnly(lowering::LowerContext const &ctx, ValueId sum, VarId var)
{
    auto const update = onlyUpdateOf(ctx, sum);
    if (!update) return false;
    auto const &node = ctx.graph.node(*update);
    auto const variableOf = [&](ValueId value) {
        auto const &read = ctx.graph.node(ctx.graph.value(value).producer);
        return is(read, NodeKind::VariableRead) ? ctx.variable(read.variable) : VarId();
    };
    auto const weights = variableOf(node.inputs[0]);
    if (!weights.valid() || ctx.b.var(weights).layout != ctx.b.var(var).layout) return false;
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
        if (auto const state = variableOf(node.inputs[i]); !state.valid() || ctx.b.var(state).home != Home::Shards) return false;
    return node.outputs.size() > 1 || ctx.b.var(weights).home == Home::Shards;
}

/// A tensor of a sum over replicas, and the buffer for the chunk that arrives.
struct Summed {
    VarId var, message;
    bool scattered; ///< each replica keeps its shard of the sum
};

/// Ring all-reduce: reduce-scatter, then all-gather. In each of their R-1 steps each replica sends one chunk of each tile's block to the
/// same tile of the next replica (GCL's peripheral ring). A scattered tensor needs no gather.
void sumOverReplicas(lowering::LowerContext &ctx, std::string const &all, std::vector<Summed> const &parts)
{
    int const replicas = ctx.b.program().replicas;
    ctx.b.syncExternal(all + "/Sync");
    for (int s = 0; s + 1 < replicas; ++s) {
        std::vector<RingTransfer> ring;
        for (auto const &part : parts) ring.push_back({part.var, part.message, -s, false});
        std::string const name = all + "/ReduceScatter/Step" + std::to_string(s);
        ctx.b.exchange(name, {}, std::move(ring), true);
        std::vector<VertexFamily> adds;
        for (auto const &part : parts)
            adds.push_back(
                ctx.b.family("RingAdd", {{part.var, Access::Update}, {part.message, Access::Read}}, {static_cast<double>(-s - 1)}));
        ctx.b.execute(name + "/Add", std::move(adds));
    }
    for (int s = 0; s + 1 < replicas; ++s) {
        std::vector<RingTransfer> ring;
        for (auto const &part : parts)
            if (!part.scattered) ring.push_back({part.var, part.var, 1 - s, true});
        if (!ring.empty()) ctx.b.exchange(all + "/AllGather/Step" + std::to_string(s), {}, std::move(ring), true);
    }
}

/// Tensors are summed together up to the limit of the options, in their order; all of them at a limit of 0.
Status lowerAllReduce(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    int const replicas = ctx.b.program().replicas;
    lowering::GroupsUpTo limited(ctx.b.options().allReduceBytes);
    std::vector<std::vector<Summed>> groups;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        VarId const var = ctx.var(node.inputs[i]);
        ctx.bind(node.outputs[i], var);
        if (replicas == 1) continue;
        auto const source = ctx.b.var(var);
        Layout const message = besideBlocks(source.layout, ceilDiv(source.layout.blockElements(), replicas));
        groups.resize(limited.add(elementCount(source.shape) * sizeOf(source.dtype)) + 1);
        groups.back().push_back({var,
                                 ctx.b.addVar(node.name + "/message" + std::to_string(i), "message", source.dtype,
                                              {message.rows(), message.cols()}, message, Category::ExchangeBuffer),
                                 needsShardOnly(ctx, node.outputs[i], var)});
    }
    for (std::size_t k = 0; k < groups.size(); ++k)
        sumOverReplicas(ctx, groups.size() == 1 ? node.name : node.name + "/" + std::to_string(k), groups[k]);
    return {};
}

Status lowerIpuCopy(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const source = ctx.b.var(ctx.var(node.inputs[0]));
    Layout const layout = ctx.b.movedTo(source.layout, ctx.ipu(static_cast<int>(node.attrs.integer("to"))));
    if (layout == source.layout) {
        ctx.bind(node.outputs[0], ctx.var(node.inputs[0]));
        return {};
    }
    VarId const out = outputVar(ctx, node, 0, layout);
    ctx.b.transfer(ctx.b.whole(ctx.var(node.inputs[0]), out), node.name + "/InterIpuCopy");
    ctx.b.flush();
    ctx.bind(node.outputs[0], out);
    return {};
}

} // namespace

void addControl(std::vector<OpDef> &all)
{
    OpDef repeat;
    repeat.name = "repeat";
    repeat.spec.hasEffect = true;
    repeat.spec.attributes = {{"count", AttrType::Integer, "how often its body runs"},
                              optionalAttr("carried", AttrType::Integer, "operands that one step hands to the next; the others are stacks"),
                              optionalAttr("index", AttrType::Flag, "the body is given the number of the step, in front of all else"),
                              optionalAttr("reversed", AttrType::Integers, "1 for each stack that is read or written from its end"),
                              optionalAttr(kSegment, AttrType::Flag, "its body lies between two recomputation checkpoints"),
                              optionalAttr(kRecompute, AttrType::Flag, "its gradient computes its body again")};
    repeat.lowering.lower = lowerRepeat;
    repeat.help = "its body, count times: carried values, stacked operands and results, the number of the step";
    all.push_back(repeat);
    OpDef call;
    call.name = "call";
    call.spec.attributes = {optionalAttr("layers", AttrType::Text, "of the nodes of the body in this call, one a line")};
    call.lowering.lower = [](lowering::LowerContext &ctx, NodeId id) { return lowering::lowerCall(ctx, id); };
    call.help = "its body, which other calls may have as well";
    all.push_back(call);
    OpDef branch;
    branch.name = "if";
    branch.spec.operands = 1;
    branch.lowering.lower = lowering::lowerIf;
    branch.help = "one of two bodies, as a scalar decides";
    all.push_back(branch);
    OpDef loop;
    loop.name = "while";
    loop.spec.attributes = {{"limit", AttrType::Integer, "how often its body runs at most"}};
    loop.lowering.lower = lowering::lowerWhile;
    loop.help = "its test, and its body while that is not zero, at most `limit` times; carried values";
    all.push_back(loop);
    OpDef end;
    end.spec.hasEffect = true;
    end.lowering.lower = [](lowering::LowerContext &, NodeId) -> Status { return {}; }; // lowered by the node that owns the body
    end.name = "parameters";
    end.help = "parameters of a body";
    all.push_back(end);
    end.name = "results";
    end.help = "results of a body";
    all.push_back(end);
    OpDef pipeline;
    pipeline.name = "pipeline";
    pipeline.spec.operands = 0;
    pipeline.spec.attributes = {{"count", AttrType::Integer, "micro-batches"},
                                {"stages", AttrType::Integer, "of the graph"},
                                optionalAttr("schedule", AttrType::Text, "of the stages' tasks: grouped, which it is without it"),
                                optionalAttr("training", AttrType::Flag, "gradients go back through the stages"),
                                optionalAttr(kInterleaved, AttrType::Flag, "recomputation is a part of the backward tasks"),
                                optionalAttr(kRemoteStash, AttrType::Integer, "tensors of at least this size wait in streaming memory")};
    pipeline.spec.hasEffect = true;
    pipeline.lowering.lower = [](lowering::LowerContext &ctx, NodeId id) { return lowering::lowerPipeline(ctx, id); };
    pipeline.help = "its region once per micro-batch, stages side by side on their IPUs";
    all.push_back(pipeline);
    OpDef reduce;
    reduce.name = "all_reduce";
    reduce.spec.infer = inferEach;
    reduce.spec.inPlaceCandidates = {{0, 0}};
    reduce.spec.updates = true;
    // The losses of all replicas depend on each operand. The sum reuses the storage of its operand, which others may read.
    reduce.spec.gradient = [](Builder &b, Node const &node, std::span<ValueId const> d) -> std::vector<ValueId> {
        std::vector<ValueId> gradients(node.inputs.size());
        for (std::size_t i = 0; i < gradients.size(); ++i)
            if (d[i].valid()) gradients[i] = appendOp(b, "all_reduce", {appendOp(b, "copy", {d[i]})}, {}, "AllReduceGrad");
        return gradients;
    };
    reduce.lowering.lower = lowerAllReduce;
    reduce.help = "sum over replicas, by a ring";
    all.push_back(reduce);
    OpDef copy;
    copy.name = "ipu_copy";
    copy.spec.infer = inferEach;
    copy.spec.operands = 1;
    copy.spec.attributes = {{"from", AttrType::Integer, "stage that has the operand"},
                            {"to", AttrType::Integer, "stage that is given the result"}};
    copy.spec.gradient = [](Builder &b, Node const &node, std::span<ValueId const> d) -> std::vector<ValueId> {
        if (!d[0].valid()) return {ValueId()};
        return {appendOp(b, "ipu_copy", {d[0]}, {{"from", node.attrs.integer("to")}, {"to", node.attrs.integer("from")}})};
    };
    copy.lowering.lower = lowerIpuCopy;
    copy.help = "moves a tensor to the IPU of another stage";
    all.push_back(copy);
}

} // namespace tilewright::ops
