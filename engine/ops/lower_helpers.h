#pragma once

#include "engine/graph/expr.h"
#include "engine/graph/parts.h"
#include "engine/lowering/op_lowering.h"

#include <string>

namespace tilewright::ops {

/// Library-like name of an elementwise compute set: "Op/Add", "Op/Relu", "Fused/AddRelu".
std::string elementwiseSetName(graph::Expr const &expr);

/// Storage in `layout` for output `index` of a node.
program::VarId outputVar(lowering::LowerContext &ctx, graph::Node const &node, int index, program::Layout const &layout);

/// Whether a layout cuts the tensor as plain rows x cols (no groups, these extents) on that IPU.
bool isPlain(program::Layout const &layout, std::int64_t rows, std::int64_t cols, int ipu);

/// The value's variable in a plain rows x cols layout: its own, or gathered into a linear one.
program::VarId plainOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name);
/// The value's variable with its columns as one dimension and its rows in any number of dimensions: its own, or gathered into a linear
/// matrix.
program::VarId rowsOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name);
/// The same for a view of the value with these rows and columns.
program::VarId rowsOperand(lowering::LowerContext &ctx, graph::ValueId value, graph::RowsCols view, int ipu, std::string const &name);
/// The value with whole rows on each tile: its own layout if possible, else dealt by rows.
program::VarId rowOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name);
/// A per-row companion (labels, row maxima) of a variable with layout `layout`.
program::VarId columnOperand(lowering::LowerContext &ctx, program::VarId var, program::Layout const &layout, std::string const &name);
/// Layout of one number per row beside `layout`. Requires: whole rows.
program::Layout perRowLayout(program::Layout const &layout);

/// Brings the shards of a variable together on every replica, around the ring. Each replica has its own in its place
/// (program::kShardShift).
void gatherShards(lowering::LowerContext &ctx, program::VarId whole, std::string const &name);

/// Loops of a transfer over a box of these extents, with these strides in the two tensors. Axes that are contiguous on both sides are
/// merged.
std::vector<program::Loop> loopsOver(Shape const &extents, Shape const &src, Shape const &dst);

/// Numbering of a tensor's elements along an axis after a reordering: strides of one box in the tensor and in the new order.
struct AxisOrder {
    Shape extents, tensor, turned;
};
/// [outer inner][n]: each run along the axis is a row.
AxisOrder runsAlong(graph::AxisView const &view);
/// [n][outer inner]: each index of the axis is a row.
AxisOrder slicesAcross(graph::AxisView const &view);
/// The value in that order: a message with this name and layout, sent by the transfer `step`.
program::VarId turned(lowering::LowerContext &ctx, graph::ValueId value, AxisOrder const &order, Shape shape, program::Layout const &layout,
                      std::string const &name, std::string const &step);
/// Binds the node's result to data in that order, moved back to row-major.
void bindTurnedBack(lowering::LowerContext &ctx, graph::Node const &node, program::VarId var, AxisOrder const &order, int ipu);

/// The variable's data, of this shape, repeated to the wanted shape by exchanges named `step`. Requires: it broadcasts.
program::VarId repeated(lowering::LowerContext &ctx, program::VarId var, Shape shape, Shape const &wanted, int ipu, std::string const &name,
                        std::string const &step, std::string const &role = "temporary");

/// A map compute set on fields that all lie on the same tiles.
void executeMap(lowering::LowerContext &ctx, std::string const &name, program::VarId out, std::vector<program::VarId> operands,
                std::string const &expr);

/// A float32 variable with one element per row of a row layout.
program::VarId rowSum(lowering::LowerContext &ctx, std::string name, program::Layout const &rows);

/// Divides the rows of `values` by `sum` (float32, one per row) in the library's way: the reciprocals in float32, once per row, then a
/// product in the type of the values.
void divideRows(lowering::LowerContext &ctx, std::string const &name, program::VarId values, program::VarId sum);

} // namespace tilewright::ops
