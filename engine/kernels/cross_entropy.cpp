#include "engine/kernels/ops.h"
#include "engine/kernels/reduce.h"
#include "engine/kernels/softmax_rows.h"
#include "engine/kernels/support.h"

#include <memory>

namespace tilewright::kernels {

namespace {

/// dloss of row r: one value per row, or one for all.
struct RowScale {
    float const *data = nullptr;
    bool perRow = true;
    float at(std::int64_t row) const { return data[perRow ? row : 0]; }
};

Result<RowScale> rowScale(PrepareArgs const &args, HostTensor const &tensor, std::int64_t rows)
{
    TW_TRY(requireType(args, tensor, DType::F32));
    if (tensor.elements() != 1) TW_TRY(requireElements(args, tensor, rows));
    return RowScale{tensor.f32(), tensor.elements() != 1};
}

/// Rows in which the logit of the label must be read before probs is written, because both may share memory.
constexpr std::int64_t kRowsAtOnce = 64;

} // namespace

Result<Prepared> prepareSparseXent(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 2));
    TW_TRY(requireType(args, args.inputs[0], DType::F32));
    TW_TRY(requireType(args, args.inputs[1], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    TW_TRY(requireType(args, args.outputs[1], DType::F32));
    auto const runs = graph::alongLast(args.inputs[0].shape);
    TW_TRY(requireElements(args, args.inputs[1], runs.outer));
    TW_TRY(requireElements(args, args.outputs[0], runs.outer));
    TW_TRY(requireElements(args, args.outputs[1], runs.outer * runs.n));
    auto const *x = args.inputs[0].f32();
    auto const *labels = args.inputs[1].i32();
    auto *loss = args.outputs[0].f32();
    auto *probs = args.outputs[1].f32();
    auto const pieces = rowPieces(runs);
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto first = pieces.begin(task); first < pieces.end(task); first += kRowsAtOnce) {
                auto const rows = std::min(kRowsAtOnce, pieces.end(task) - first);
                float shifted[kRowsAtOnce], logSums[kRowsAtOnce];
                for (std::int64_t r = 0; r < rows; ++r) {
                    float const *row = x + (first + r) * runs.n;
                    std::int64_t const label = labels[first + r];
                    bool const known = label >= 0 && label < runs.n;
                    shifted[r] = known ? row[label] - maxOf(row, runs.n) : detail::kNaN;
                }
                softmaxRows(x + first * runs.n, probs + first * runs.n, rows, runs.n, logSums);
                for (std::int64_t r = 0; r < rows; ++r) loss[first + r] = logSums[r] - shifted[r];
            }
        });
    });
}

Result<Prepared> prepareSparseXentGrad(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 3, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::F32));
    TW_TRY(requireType(args, args.inputs[1], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    auto const runs = graph::alongLast(args.inputs[0].shape);
    TW_TRY(requireElements(args, args.inputs[1], runs.outer));
    TW_TRY(requireElements(args, args.outputs[0], runs.outer * runs.n));
    TW_ASSIGN(auto const scale, rowScale(args, args.inputs[2], runs.outer));
    auto const *probs = args.inputs[0].f32();
    auto const *labels = args.inputs[1].i32();
    auto *out = args.outputs[0].f32();
    auto const pieces = rowPieces(runs);
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto r = pieces.begin(task); r < pieces.end(task); ++r) {
                float const d = scale.at(r);
                float const *from = probs + r * runs.n;
                float *to = out + r * runs.n;
                std::int64_t const label = labels[r];
                bool const known = label >= 0 && label < runs.n;
                float const atLabel = known ? (from[label] - 1.0f) * d : 0.0f;
#pragma GCC ivdep
                for (std::int64_t c = 0; c < runs.n; ++c) to[c] = from[c] * d;
                if (known) to[label] = atLabel;
            }
        });
    });
}

Result<Prepared> prepareCatXent(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 2));
    TW_TRY(requireF32(args));
    auto const runs = graph::alongLast(args.inputs[0].shape);
    TW_TRY(requireElements(args, args.inputs[1], runs.outer * runs.n));
    TW_TRY(requireElements(args, args.outputs[0], runs.outer));
    TW_TRY(requireElements(args, args.outputs[1], runs.outer * runs.n));
    auto const *x = args.inputs[0].f32();
    auto const *targets = args.inputs[1].f32();
    auto *loss = args.outputs[0].f32();
    auto *probs = args.outputs[1].f32();
    auto const pieces = rowPieces(runs);
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto first = pieces.begin(task); first < pieces.end(task); first += kRowsAtOnce) {
                auto const rows = std::min(kRowsAtOnce, pieces.end(task) - first);
                float dots[kRowsAtOnce], weights[kRowsAtOnce], logSums[kRowsAtOnce];
                for (std::int64_t r = 0; r < rows; ++r) {
                    float const *row = x + (first + r) * runs.n;
                    float const *t = targets + (first + r) * runs.n;
                    // sum t (x - max) = sum t x - max sum t: small numbers, of the magnitude of the log-sum beside it.
                    float const largest = maxOf(row, runs.n);
                    constexpr std::int64_t kChunk = 256;
                    float sum = 0;
                    for (std::int64_t c = 0; c < runs.n; c += kChunk) {
                        float shifted[kChunk];
                        auto const n = std::min(kChunk, runs.n - c);
                        for (std::int64_t i = 0; i < n; ++i) shifted[i] = row[c + i] - largest;
                        sum += dotOf(t + c, shifted, n);
                    }
                    dots[r] = sum;
                    weights[r] = sumOf(t, runs.n);
                }
                softmaxRows(x + first * runs.n, probs + first * runs.n, rows, runs.n, logSums);
                for (std::int64_t r = 0; r < rows; ++r) loss[first + r] = fmadd(weights[r], logSums[r], -dots[r]);
            }
        });
    });
}

Result<Prepared> prepareCatXentGrad(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 3, 1));
    TW_TRY(requireF32(args));
    auto const runs = graph::alongLast(args.inputs[0].shape);
    TW_TRY(requireElements(args, args.inputs[1], runs.outer * runs.n));
    TW_TRY(requireElements(args, args.outputs[0], runs.outer * runs.n));
    TW_ASSIGN(auto const scale, rowScale(args, args.inputs[2], runs.outer));
    auto const *probs = args.inputs[0].f32();
    auto const *targets = args.inputs[1].f32();
    auto *out = args.outputs[0].f32();
    auto const pieces = rowPieces(runs);
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto r = pieces.begin(task); r < pieces.end(task); ++r) {
                float const d = scale.at(r);
                float const *p = probs + r * runs.n;
                float const *t = targets + r * runs.n;
                float const weight = sumOf(t, runs.n);
                float *to = out + r * runs.n;
#pragma GCC ivdep
                for (std::int64_t c = 0; c < runs.n; ++c) to[c] = fmadd(p[c], weight, -t[c]) * d;
            }
        });
    });
}

} // namespace tilewright::kernels
