#pragma once

#include "engine/graph/expr.h"
#include "engine/graph/parts.h"
#include "engine/lowering/op_lowering.h"

#include <string>

namespace tilewright::ops {

/// Library-like name of an elementwise compute set: "Op/Add", "Op/Relu", "Fused/AddRelu".
std::string elementwiseSetName(graph::Expr const &expr);

/// Storage for output `index` of a node in `layout`.
program::VarId outputVar(lowering::LowerContext &ctx, graph::Node const &node, int index, program::Layout const &layout);

/// Whether a layout cuts the tensor as plain rows x cols (no groups, these extents) on that IPU.
bool isPlain(program::Layout const &layout, std::int64_t rows, std::int64_t cols, int ipu);

/// The value's variable in a plain rows x cols layout: its own, or gathered into a linear one.
program::VarId plainOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name);
/// The value's variable with its columns as one dimension, rows in any number of them: its own, or gathered into a
/// linear matrix.
program::VarId rowsOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name);
/// The value with whole rows on each tile: its own layout when that is so, else dealt by rows.
program::VarId rowOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name);
/// A per-row companion (labels, row maxima) of something laid out as `layout`.
program::VarId columnOperand(lowering::LowerContext &ctx, program::VarId var, program::Layout const &layout,
                             std::string const &name);
/// Layout of one number per row beside `layout` (which must hold whole rows).
program::Layout perRowLayout(program::Layout const &layout);

/// Loops of a transfer over a box of these extents, at these steps of the two tensors; axes that follow each other on both
/// sides are one loop.
std::vector<program::Loop> loopsOver(Shape const &extents, Shape const &src, Shape const &dst);

/// A map compute set on fields that all lie on the same tiles.
void executeMap(lowering::LowerContext &ctx, std::string const &name, program::VarId out, std::vector<program::VarId> operands,
                std::string const &expr);

} // namespace tilewright::ops
