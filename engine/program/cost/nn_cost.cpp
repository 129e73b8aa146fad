#include "engine/program/cost/nn_cost.h"

#include "engine/program/cost/elementwise_cost.h"
#include "engine/program/cost/reduce_cost.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewright::cost {

namespace {

/// Worst case of the transcendental instructions for one element, or for one 64-bit vector.
Cycles activationCycles(Activation activation, bool isFloat, bool vector)
{
    switch (activation) {
    case Activation::Relu: return 1;
    case Activation::Sigmoid: return (isFloat ? 5 : 2) * (vector ? 2 : 1);
    case Activation::Tanh: return (isFloat ? 5 : 1) * (vector ? 2 : 1);
    case Activation::Gelu: return isFloat ? 10 : 5;
    case Activation::GeluErf: return isFloat ? 30 : 15;
    case Activation::Swish: return isFloat ? (vector ? 11 : 6) : (vector ? 5 : 3);
    }
    return 0;
}

Cycles gradientCycles(Activation activation, bool isFloat, bool vector)
{
    switch (activation) {
    case Activation::Relu:
    case Activation::Sigmoid:
    case Activation::Tanh: return 3;
    case Activation::Gelu: return isFloat ? 10 : 5;
    case Activation::GeluErf: return isFloat ? 30 : 15;
    case Activation::Swish: return isFloat ? (vector ? 15 : 10) : (vector ? 9 : 7);
    }
    return 0;
}

} // namespace

std::optional<Activation> parseActivation(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, Activation>, 7> kNames{{
        {"relu", Activation::Relu},
        {"sigmoid", Activation::Sigmoid},
        {"tanh", Activation::Tanh},
        {"gelu", Activation::Gelu},
        {"gelu_erf", Activation::GeluErf},
        {"swish", Activation::Swish},
        {"silu", Activation::Swish},
    }};
    for (auto const &[name, activation] : kNames)
        if (name == text) return activation;
    return std::nullopt;
}

Cycles nonLinearity1DCycles(Activation activation, ValueType type, std::int64_t n, bool inPlace)
{
    bool const isFloat = type == ValueType::F32;
    std::int64_t const vectors = ceilDiv(n / type.vectorWidth(), kWorkers);
    std::int64_t const rest = n % type.vectorWidth();
    Cycles const one = activationCycles(activation, isFloat, false);
    Cycles const vector = activationCycles(activation, isFloat, true);

    Cycles worker = 20 + (activation == Activation::Swish && inPlace ? 1 : 0);
    if (vectors > 0) worker += 2 + one + (vectors - 1) * vector + 1 + one;
    if (isFloat) worker += 3 + (rest & 1 ? 2 + one : 0);
    else worker += 4 + (rest & 2 ? 2 + one : 0) + (rest & 1 ? 3 + one : 0);
    return 9 + kWorkers * worker;
}

Cycles nonLinearityGrad1DCycles(Activation activation, ValueType type, std::int64_t n)
{
    bool const isFloat = type == ValueType::F32;
    std::int64_t const vectors = ceilDiv(n / type.vectorWidth(), kWorkers);
    std::int64_t const rest = n % type.vectorWidth();
    Cycles const one = gradientCycles(activation, isFloat, false);
    Cycles const vector = gradientCycles(activation, isFloat, true);

    Cycles worker = 20;
    if (vectors > 0) worker += 4 + (vectors - 1) * vector + 1;
    if (isFloat) worker += 4 + (rest > 0 ? one + 1 : 0);
    else worker += 6 + (rest & 2 ? one + 2 : 0) + (rest & 1 ? one + 4 : 0);
    return 9 + kWorkers * worker;
}

Cycles crossEntropyTransformWorkerCycles(ValueType type, std::int64_t n)
{
    if (type == ValueType::F32) return 20 + 9 * n;
    return 23 + 9 * (n / 2) + (n % 2 ? 11 : 0);
}

Cycles sumSquaredTransformWorkerCycles(ValueType type, std::int64_t n)
{
    if (type == ValueType::F32) return 19 + 4 * n;
    return 22 + 4 * (n / 2) + (n % 2 ? 6 : 0);
}

SoftmaxCost softmaxCost(ValueType type, std::int64_t rows, std::int64_t columns)
{
    // These codelets exist for both types; a miss is a programming error.
    auto const must = [](Result<Cycles> const &cycles) { return cycles.value(); };
    SoftmaxCost cost;
    cost.maximum = tileReduceCycles(ReduceOp::Max, type, type, rows, columns, 1);
    cost.subtract = must(broadcastVectorOuterCycles("subtract", type, rows, columns, rows >= kWorkers, columns % type.vectorWidth() != 0));
    cost.exponent = must(unary1DCycles("exp", type, rows * columns, true));
    cost.sum = tileReduceCycles(ReduceOp::Add, type, ValueType::F32, rows, columns, 1);
    cost.inverse = must(unary1DCycles("inverse", ValueType::F32, rows, true));
    cost.scale = must(broadcastVectorOuterCycles("multiply", type, rows, columns, rows >= kWorkers, columns % type.vectorWidth() != 0));
    return cost;
}

Cycles poolingCycles(PoolingParams const &p)
{
    bool const gradient = p.kind == PoolKind::MaxGradient;
    // Share of the initialisation. The extra element belongs to worker 0 in the library, whose unsigned difference wraps if there are more
    // vectors
    // than positions.
    std::int64_t const share = p.initPositions * p.chanVectors / kWorkers;
    std::int64_t const left = p.initPositions - share * kWorkers;
    std::int64_t const init = share + (left != 0 ? 1 : 0);

    Cycles worker = 17 + p.unpackOut + (4 + init) * p.chanGroups + 6 + p.unpackStart;
    std::int64_t const rows = ceilDiv(p.rows, kWorkers);
    if (rows > 0) {
        worker += (p.kind == PoolKind::Sum ? 10 : 9) + 2 * p.unpackWorkList;
        if (gradient) worker += 6 + p.unpackOut + p.unpackIn;
        Cycles const loop = p.kind == PoolKind::Max ? 4 + 3 * p.inputsPerItem
            : p.kind == PoolKind::Sum               ? 5 + 3 * p.inputsPerItem
                                                    : 7 + 5 * p.inputsPerItem;
        Cycles const groups = p.chanGroups * (2 + p.chanVectors * (3 + loop)) + (p.chanGroups - 1) * (gradient ? 6 : 4);
        worker += rows * (15 + p.itemsPerRow * (23 + groups));
    }
    return 7 + kWorkers * (worker + 1) + 6;
}

Cycles inverseStdDeviationWorkerCycles(std::int64_t n) { return 6 + 4 + 5 * ceilDiv(n, 2); }

Cycles maxClassGatherCycles(ValueType type, std::int64_t n, std::int64_t perWorker)
{
    if (type.isFloat()) return 9 + kWorkers * (30 + 3 * (std::min(perWorker, n) - 1));
    return 9 + kWorkers * (22 + ceilDiv(n, perWorker) * (perWorker * 6 + 25));
}

Cycles maxClassSparseWorkerCycles(ValueType type, std::int64_t n) { return type.isFloat() ? 5 + 9 + 3 * (n - 1) + 13 : 5 + 18 + 6 * n; }

Cycles accuracyWorkerCycles(std::int64_t batch) { return 14 + 4 * batch; }

} // namespace tilewright::cost
