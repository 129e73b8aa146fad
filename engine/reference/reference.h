#pragma once

#include "engine/core/types.h"
#include "engine/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// The oracle: every op of the graph as naive loops in double, independent of the kernels.
namespace tilewright::reference {

/// A dense row-major tensor. Integers and flags are exact.
struct RefTensor {
    DType dtype = DType::F32;
    Shape shape;
    std::vector<double> v;
    bool operator==(RefTensor const &) const = default;
};

enum class Precision {
    Float, ///< every result (inside a fused expression: of every primitive) is rounded to its type
    Double ///< floating results are not rounded: for gradients by finite differences
};

struct RefContext {
    std::uint64_t seed = 0; ///< of the run, as kernels::RunContext
    int replica = 0;
    Precision precision = Precision::Float;
    std::uint64_t rounding = 0; ///< seed of this execution, as in kernels::RunContext; 0: float16 results are rounded to nearest
};

struct RefOutput {
    Shape shape;
    DType dtype = DType::F32;
};

/// Results of one node. Errors: Invalid "reference.unknown" for an op without a reference, "reference.operands" if operands or outputs do
/// not fit the op.
Result<std::vector<RefTensor>> evaluate(graph::Node const &node, std::span<RefTensor const> inputs, std::span<RefOutput const> outputs,
                                        RefContext const &context);

/// Ops that evaluate() supports besides elementwise primitives and `map`, in a fixed order.
std::vector<std::string_view> referenceOps();
bool hasReference(std::string_view op);

/// `value` rounded to this type: to the nearest float or half (ties to even) unless the precision is Double; wrapped to 32 bits for i32.
double roundTo(double value, DType dtype, Precision precision);
/// `value` converted to this type: to integers towards zero, clamped, NaN as 0; to bool: nonzero.
double castTo(double value, DType dtype, Precision precision);

/// From and to the memory of a dense tensor of `shape` in host byte order.
RefTensor fromBytes(DType dtype, Shape shape, std::byte const *data);
void toBytes(RefTensor const &tensor, std::byte *data);

} // namespace tilewright::reference
