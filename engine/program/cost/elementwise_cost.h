#pragma once

#include "engine/core/result.h"
#include "engine/program/cost/op_table.h"
#include "engine/program/cost/value_type.h"

#include <cstdint>
#include <span>
#include <string_view>

/// Elementwise vertices of popops. Functions ending in `1DCycles` return tile cycles of a vertex that uses all six workers on one
/// contiguous region. `...WorkerCycles` return issue cycles of one worker (six times as many tile cycles if it runs alone). Formulas:
/// poplibs lib/popops/popopsCycleEstimators.cpp and PerformanceEstimation.cpp, rewritten. An operation without a codelet for the type is an
/// Invalid diagnostic "cost.no-codelet".
namespace tilewright::cost {

/// The codelets' loop cost: cycles x (n + width - 1) / width, divided last, so not a whole number of vectors.
constexpr Cycles basicLoopCycles(std::int64_t n, std::int64_t width, Cycles cyclesPerVector)
{
    return cyclesPerVector * (n + width - 1) / width;
}

/// UnaryOp1D / UnaryOp1DInPlace on n elements.
Result<Cycles> unary1DCycles(std::string_view op, ValueType type, std::int64_t n, bool inPlace = false);
/// UnaryOp2D on the given regions.
Result<Cycles> unary2DWorkerCycles(std::string_view op, ValueType type, std::span<std::int64_t const> regions, bool inPlace = false);

/// BinaryOp1D / BinaryOp1DInPlace.
Result<Cycles> binary1DCycles(std::string_view op, ValueType type, std::int64_t n, bool inPlace = false);
Result<Cycles> binary2DWorkerCycles(std::string_view op, ValueType type, std::span<std::int64_t const> regions, bool inPlace = false);

/// BroadcastScalar1D: one operand is a scalar.
Result<Cycles> broadcastScalar1DCycles(std::string_view op, ValueType type, std::int64_t n, bool inPlace = false);
/// BroadcastScalar2Types1D: variance <-> 1/standard deviation from `in` to `out` of another type.
Result<Cycles> broadcastScalar2Types1DCycles(std::string_view op, ValueType in, ValueType out, std::int64_t n);
/// BroadcastScalar2DData (one scalar for all regions) or BroadcastScalar2D (one per region).
Result<Cycles> broadcastScalar2DWorkerCycles(std::string_view op, ValueType type, std::span<std::int64_t const> regions,
                                             bool inPlace = false, bool sameScalar = true);

/// BroadcastVectorOuterByRow / ByColumn: data [rows, columns] op b, one b per row. add, subtract, multiply of
/// f16 and f32.
Result<Cycles> broadcastVectorOuterCycles(std::string_view op, ValueType type, std::int64_t rows, std::int64_t columns, bool byRow,
                                          bool allowMisaligned = false);

/// BroadcastVectorInner1D: data [slices][repetitions, length] op b[slices][length] (a bias). add, subtract,
/// multiply, divide of f16 and f32.
Result<Cycles> broadcastVectorInner1DCycles(std::string_view op, ValueType type, std::int64_t length, std::int64_t repetitions,
                                            std::int64_t slices = 1, bool inPlace = false);

Cycles selectWorkerCycles(std::span<std::int64_t const> regions);
/// BroadcastSelectorSelect: one selector per call, rows copied whole.
Cycles broadcastSelectorSelectWorkerCycles(ValueType type, std::span<std::int64_t const> rows);
Cycles clampWorkerCycles(ValueType type, std::span<std::int64_t const> regions);
Cycles iotaWorkerCycles(ValueType type, std::span<std::int64_t const> regions);
/// EncodeOneHot: `indices` class numbers. The u32 -> f16 form is assembly.
Cycles oneHotCycles(ValueType index, ValueType out, std::int64_t indices);
/// Image normalisation to four channels, `pixels` per tile.
Cycles normaliseImageCycles(ValueType in, std::int64_t pixels);
/// HasNaNOrInf1D: the check behind "NaN or infinite loss".
Cycles hasNaN1DCycles(ValueType type, std::int64_t n, bool alsoInfinite);

Cycles cast1DCycles(ValueType from, ValueType to, std::int64_t n);
Cycles cast1DSingleWorkerCycles(ValueType from, ValueType to, std::int64_t n);
Cycles cast2DWorkerCycles(ValueType from, ValueType to, std::span<std::int64_t const> regions);

/// Fill of one region by one worker, and of several.
Cycles fillWorkerCycles(ValueType type, std::int64_t n);
Cycles fill2DWorkerCycles(ValueType type, std::span<std::int64_t const> regions);

enum class ScaledOp {
    Add,      ///< a += k b
    Subtract, ///< a -= k b
    AxPlusBy, ///< a = k a + l b
    AxMinusBy ///< a = k a - l b
};
/// ScaledAddSupervisor and related vertices.
struct ScaledAddParams {
    ValueType a = ValueType::F32;
    ValueType b = ValueType::F32;
    ValueType scale = ValueType::F32; ///< f32 with f16 data makes AxPlusBy check its accuracy (90 cycles)
    std::int64_t n = 0;
    ScaledOp op = ScaledOp::Add;
    bool memoryConstrained = false; ///< operands in different memory elements: a loop of 1 or 2 cycles
    bool scaledPointers = false;    ///< 64-bit scaled pointers: 6 more cycles
};
Cycles scaledAdd1DCycles(ScaledAddParams const &params);
Cycles scaledAdd2DWorkerCycles(ScaledAddParams const &params, std::span<std::int64_t const> regions);
/// ScalarMultiply1D: f16 data times an f32 scalar.
Cycles scalarMultiply1DCycles(std::int64_t n);

} // namespace tilewright::cost
