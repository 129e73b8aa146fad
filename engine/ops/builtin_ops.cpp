#include "engine/ops/op_def.h"

#include "engine/kernels/kernel_table.h"

#include <unordered_map>

namespace tilewright::ops {

namespace {

std::vector<OpDef> makeOps()
{
    std::vector<OpDef> all;
    addElementwise(all);
    addMatmul(all);
    addConvolutions(all);
    addReductions(all);
    addSoftmax(all);
    addLosses(all);
    addMovement(all);
    addParts(all);
    addGather(all);
    addRandom(all);
    addOptimizers(all);
    addState(all);
    addControl(all);
    addPooling(all);
    addNorms(all);
    addSplit(all);
    addAlongAxis(all);
    addIndexing(all);
    for (auto &def : all)
        if (!def.kernel)
            if (auto const *entry = kernels::findKernel(def.name)) def.kernel = entry->prepare;
    return all;
}

} // namespace

std::span<OpDef const> builtinOps()
{
    static std::vector<OpDef> const kOps = makeOps();
    return kOps;
}

OpDef const *findOp(std::string_view name)
{
    static auto const kByName = [] {
        std::unordered_map<std::string_view, OpDef const *> map;
        for (auto const &op : builtinOps()) map.emplace(op.name, &op);
        return map;
    }();
    auto const it = kByName.find(name);
    return it == kByName.end() ? nullptr : it->second;
}

graph::OpLookup opLookup()
{
    return [](std::string_view name) -> graph::OpSpec const * {
        auto const *op = findOp(name);
        return op ? &op->spec : nullptr;
    };
}

lowering::LoweringLookup loweringLookup()
{
    return [](std::string_view name) -> lowering::OpLowering const * {
        auto const *op = findOp(name);
        return op ? &op->lowering : nullptr;
    };
}

graph::ValueId appendOp(graph::Builder &builder, std::string op, std::vector<graph::ValueId> inputs, graph::Attrs attrs, std::string name)
{
    return graph::addInferred(builder, opLookup(), std::move(op), std::move(inputs), std::move(attrs), std::move(name))[0];
}

} // namespace tilewright::ops
