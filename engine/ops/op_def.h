#pragma once

#include "engine/graph/op_table.h"
#include "engine/kernels/kernel.h"
#include "engine/lowering/op_lowering.h"

#include <span>
#include <string_view>

namespace tilewright::ops {

/// One operation: its graph, lowering and host kernel. Its naive twin has the same name in engine/reference.
struct OpDef {
    std::string name;
    graph::OpSpec spec;
    lowering::OpLowering lowering;
    kernels::PrepareFn kernel; ///< empty: executed by the runtime (control, state, streams, collectives)
    std::string help;          ///< one line for `ops` and the help pages
};

/// All operations; one line per family in builtin_ops.cpp.
std::span<OpDef const> builtinOps();
OpDef const *findOp(std::string_view name);
graph::OpLookup opLookup();
lowering::LoweringLookup loweringLookup();

/// Appends a node with inferred outputs and returns its first output.
graph::ValueId appendOp(graph::Builder &builder, std::string op, std::vector<graph::ValueId> inputs, graph::Attrs attrs = {},
                        std::string name = {});

// Families, each in its own file.
void addElementwise(std::vector<OpDef> &all);
void addMatmul(std::vector<OpDef> &all);
void addConvolutions(std::vector<OpDef> &all);
void addReductions(std::vector<OpDef> &all);
void addSoftmax(std::vector<OpDef> &all);
void addLosses(std::vector<OpDef> &all);
void addMovement(std::vector<OpDef> &all);
void addParts(std::vector<OpDef> &all);
void addGather(std::vector<OpDef> &all);
void addRandom(std::vector<OpDef> &all);
void addOptimizers(std::vector<OpDef> &all);
void addState(std::vector<OpDef> &all);
void addControl(std::vector<OpDef> &all);
void addPooling(std::vector<OpDef> &all);
void addNorms(std::vector<OpDef> &all);
void addSplit(std::vector<OpDef> &all);
void addAlongAxis(std::vector<OpDef> &all);
void addIndexing(std::vector<OpDef> &all);

} // namespace tilewright::ops
