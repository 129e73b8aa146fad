#pragma once

#include "engine/reference/reference.h"

#include <string>

/// Shared by the files of this folder.
namespace tilewright::reference {

/// Arguments of an op's function. It fills `results`, whose shapes and types are set and whose elements are 0.
struct Call {
    graph::Node const &node;
    std::span<RefTensor const> in;
    std::span<RefTensor> out;
    RefContext const &context;

    graph::Attrs const &attrs() const { return node.attrs; }
    /// Rounds a value of result number `index`.
    double round(double value, std::size_t index = 0) const { return roundTo(value, out[index].dtype, context.precision); }
    /// A partial sum stored as float16: the `number`th store for element `element` of the first result.
    double storePartial(double value, std::int64_t number, std::size_t element) const;
};

Diagnostic badOperands(graph::Node const &node, Message message);
/// Requires exactly this number of operands and results.
Status expectCounts(Call const &call, std::size_t inputs, std::size_t outputs);
Status expectElements(Call const &call, RefTensor const &tensor, std::int64_t elements);

/// A tensor as rows along its last axis; a scalar is one row of one element.
struct Rows {
    std::int64_t count = 1, length = 1;
};
Rows rowsOf(Shape const &shape);

Status evaluateElementwise(Call const &call);

struct RefOp {
    std::string_view name;
    Status (*run)(Call const &call);
};
std::span<RefOp const> linearOps();
std::span<RefOp const> convOps();
std::span<RefOp const> lossOps();
std::span<RefOp const> layoutOps();
std::span<RefOp const> poolingOps();
std::span<RefOp const> normOps();
std::span<RefOp const> tableOps();
std::span<RefOp const> axisOps();
std::span<RefOp const> updateOps();

} // namespace tilewright::reference
