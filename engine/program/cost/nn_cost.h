#pragma once

#include "engine/program/cost/value_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Vertices of popnn: activations and gradients, losses, pooling, norms. Tile cycles unless the name says worker. Formulas: poplibs
/// lib/popnn/PerformanceEstimation.hpp, popnnCycleEstimators.cpp and lib/poplin/poplinCycleEstimators.cpp, rewritten.
namespace tilewright::cost {

enum class Activation { Relu, Sigmoid, Tanh, Gelu, GeluErf, Swish };
/// "relu", "sigmoid", "tanh", "gelu", "gelu_erf", "swish" ("silu").
std::optional<Activation> parseActivation(std::string_view text);

/// NonLinearity1D / InPlace on n elements of f16 or f32. The library runs relu, sigmoid and tanh as unary
/// maps (elementwise_cost.h) and this vertex for gelu and swish.
Cycles nonLinearity1DCycles(Activation activation, ValueType type, std::int64_t n, bool inPlace = true);
/// NonLinearityGrad1D: in-gradient from out-gradient and output.
Cycles nonLinearityGrad1DCycles(Activation activation, ValueType type, std::int64_t n);

/// LossCrossEntropyTransform: gradient and loss terms from probabilities, per worker.
Cycles crossEntropyTransformWorkerCycles(ValueType type, std::int64_t n);
/// LossSumSquaredTransform.
Cycles sumSquaredTransformWorkerCycles(ValueType type, std::int64_t n);

/// The vertices of a softmax over the rows of [rows, columns] on one tile.
struct SoftmaxCost {
    Cycles maximum = 0;  ///< row maxima
    Cycles subtract = 0; ///< x - maximum, broadcast along the row
    Cycles exponent = 0; ///< in place
    Cycles sum = 0;      ///< row sums in f32
    Cycles inverse = 0;  ///< 1 / sum
    Cycles scale = 0;    ///< in place
    Cycles total() const { return maximum + subtract + exponent + sum + inverse + scale; }
    bool operator==(SoftmaxCost const &) const = default;
};
/// Requires: f16 or f32; rows, columns >= 1.
SoftmaxCost softmaxCost(ValueType type, std::int64_t rows, std::int64_t columns);

enum class PoolKind { Max, Sum, MaxGradient };
/// MaxPooling, SumPooling (also average), MaxPoolingGrad. Rows are dealt to the workers; the busiest has
/// ceil(rows / 6).
struct PoolingParams {
    PoolKind kind = PoolKind::Max;
    std::int64_t chanVectors = 1; ///< 64-bit vectors per channel group
    std::int64_t chanGroups = 1;
    std::int64_t rows = 0;
    std::int64_t itemsPerRow = 1;   ///< work items: runs of outputs that read the same kernel element
    std::int64_t inputsPerItem = 1; ///< n of the innermost loop
    std::int64_t initPositions = 0; ///< output positions initialised by the vertex
    Cycles unpackOut = 0;           ///< pointer unpacking: 0 plain, 2 short span, 5 delta-N elements
    Cycles unpackIn = 0;
    Cycles unpackStart = 0;
    Cycles unpackWorkList = 5;
};
Cycles poolingCycles(PoolingParams const &params);

/// InverseStdDeviation of batch and group norm: n channels of mean and power, per worker.
Cycles inverseStdDeviationWorkerCycles(std::int64_t n);

/// ReduceMaxClassGather (or Min): index of the largest of n activations, `perWorker` of them per worker.
Cycles maxClassGatherCycles(ValueType type, std::int64_t n, std::int64_t perWorker);
/// ReduceMaxClassSparse, per worker.
Cycles maxClassSparseWorkerCycles(ValueType type, std::int64_t n);
/// CalcAccuracy: compares a batch of predictions with the labels, per worker.
Cycles accuracyWorkerCycles(std::int64_t batch);

} // namespace tilewright::cost
