#pragma once

#include "engine/program/codelets/description.h"

#include <initializer_list>

/// Building blocks of codelet descriptions.
namespace tilewright::program {

// Sources of formulas.
inline constexpr char const *kPoplinSource = "poplibs lib/poplin/PerformanceEstimation.hpp";
inline constexpr char const *kPopopsSource = "poplibs lib/popops/PerformanceEstimation.cpp";
inline constexpr char const *kPopopsTables = "poplibs lib/popops/popopsCycleEstimators.cpp";
inline constexpr char const *kReductionSource = "poplibs lib/popops/reduction/CycleEstimationFunctions.cpp";
inline constexpr char const *kPopnnSource = "poplibs lib/popnn/PerformanceEstimation.hpp, popnnCycleEstimators.cpp";
inline constexpr char const *kPoprandSource = "poplibs lib/poprand/poprandCycleEstimators.cpp";
inline constexpr char const *kMapSource = "composition rule of engine/program/cost/map_cost.h over the poplibs tables";

inline cost::CostParam floatTypeParam() { return cost::typeParam("type", "f32", "element type", {"f16", "f32"}); }
inline cost::CostParam storedTypeParam() { return cost::typeParam("type", "f32", "element type", {"f16", "f32", "i32", "u8", "bool"}); }
inline cost::CostParam valueTypeParam() { return cost::typeParam("type", "f32", "element type"); }
inline cost::CostParam elementsParam(std::string help = "elements on the tile") { return cost::integerParam("n", "", std::move(help)); }
inline cost::CostParam matrixRowsParam() { return cost::integerParam("rows", "1", "rows on the tile", 1); }
inline cost::CostParam matrixColumnsParam() { return cost::integerParam("columns", "", "elements of a row", 1); }
// Parameters of products and convolutions.
inline cost::CostParam groupsParam() { return cost::integerParam("groups", "1", "convolution groups", 1); }
inline cost::CostParam inGroupsParam() { return cost::integerParam("inGroups", "1", "groups of input channels", 1); }
inline cost::CostParam outGroupsParam() { return cost::integerParam("outGroups", "1", "groups of output channels", 1); }
inline cost::CostParam outChansParam() { return cost::integerParam("outChans", "16", "output channels per group", 1); }
inline cost::CostParam unitsParam() { return cost::integerParam("units", "target", "AMP convolution units", 1, 64); }
inline cost::CostParam loadParam()
{
    return cost::integerParam("load", "target", "weight bytes loaded a cycle: 16 interleaved, else 8", 1, 64);
}
inline cost::CostParam weightBytesParam()
{
    return cost::integerParam("weightBytes", "32", "weight bytes per unit: channels x bytes", 1, 64);
}
inline cost::CostParam inParam() { return cost::typeParam("in", "f16", "type of inputs and weights", {"f8", "f16", "f32"}); }
inline cost::CostParam floatInParam() { return cost::typeParam("in", "f32", "type of inputs and weights", {"f16", "f32"}); }
inline cost::CostParam partialsParam() { return cost::typeParam("partials", "f32", "type of the sums", {"f16", "f32"}); }
inline cost::CostParam rowsParam() { return cost::integerParam("rows", "1", "output rows, dealt to the workers"); }
inline cost::CostParam widthParam() { return cost::integerParam("width", "", "positions of a row"); }

inline std::function<Bytes(cost::Args const &)> fixedState(Bytes bytes)
{
    return [bytes](cost::Args const &) { return bytes; };
}

/// Tensor type that stores elements of a type of the cycle model, which has more types.
DType storageType(cost::ValueType type);
/// A matrix, or several of them.
FieldShape matrixField(DType type, std::int64_t rows, std::int64_t cols, std::int64_t groups = 1);
/// A block of a tensor of several dimensions.
FieldShape blockField(DType type, std::initializer_list<std::int64_t> size);

} // namespace tilewright::program
