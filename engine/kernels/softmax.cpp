#include "engine/kernels/ops.h"
#include "engine/kernels/reduce.h"
#include "engine/kernels/softmax_rows.h"
#include "engine/kernels/support.h"

namespace tilewright::kernels {

Pieces rowPieces(graph::AxisView const &runs)
{
    return {runs.outer, std::max<std::int64_t>(1, kSoftmaxElementsPerTask / std::max<std::int64_t>(1, runs.n))};
}

// All rows of a task in one call where rows are independent, so that short rows also fill vectors. y may alias x.
void softmaxRows(float const *x, float *y, std::int64_t rows, std::int64_t cols, float *logSums)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        float const largest = maxOf(x + r * cols, cols);
        float const *from = x + r * cols;
        float *to = y + r * cols;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < cols; ++c) to[c] = from[c] - largest;
    }
    std::int64_t const n = rows * cols;
    for (std::int64_t i = 0; i < n; ++i) y[i] = expValue(y[i]);
    for (std::int64_t r = 0; r < rows; ++r) {
        float *row = y + r * cols;
        float const sum = sumOf(row, cols);
        if (logSums) logSums[r] = logValue(sum);
        float const inverse = 1.0f / sum;
        for (std::int64_t c = 0; c < cols; ++c) row[c] *= inverse;
    }
}

namespace {

struct RowsOperands {
    float const *a;
    float const *b;
    float *out;
    std::int64_t cols;
};

/// body(a, b, out, rows, cols) over the rows of the first operand; one or two operands of the result's shape.
template <typename Body> Result<Prepared> bindRows(PrepareArgs const &args, std::size_t inputs, Body body)
{
    TW_TRY(requireCounts(args, inputs, 1));
    TW_TRY(requireF32(args));
    auto const runs = graph::alongLast(args.inputs[0].shape);
    for (auto const &input : args.inputs) TW_TRY(requireElements(args, input, runs.outer * runs.n));
    TW_TRY(requireElements(args, args.outputs[0], runs.outer * runs.n));
    auto const pieces = rowPieces(runs);
    RowsOperands const at{args.inputs[0].f32(), inputs > 1 ? args.inputs[1].f32() : args.inputs[0].f32(), args.outputs[0].f32(), runs.n};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const first = pieces.begin(task) * at.cols;
            body(at.a + first, at.b + first, at.out + first, pieces.end(task) - pieces.begin(task), at.cols);
        });
    });
}

void softmaxGradRows(float const *y, float const *dy, float *out, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t r = 0; r < rows; ++r, y += cols, dy += cols, out += cols) {
        float const dot = dotOf(y, dy, cols);
#pragma GCC ivdep
        for (std::int64_t c = 0; c < cols; ++c) out[c] = y[c] * (dy[c] - dot);
    }
}

void logSoftmaxRows(float const *x, float const *, float *out, std::int64_t rows, std::int64_t cols)
{
    constexpr std::int64_t kChunk = 512;
    for (std::int64_t r = 0; r < rows; ++r, x += cols, out += cols) {
        float const largest = maxOf(x, cols);
        // Exponentials are summed chunk by chunk and not stored.
        float sum = 0;
        for (std::int64_t c = 0; c < cols; c += kChunk) {
            float powers[kChunk];
            std::int64_t const n = std::min(kChunk, cols - c);
            for (std::int64_t i = 0; i < n; ++i) powers[i] = expValue(x[c + i] - largest);
            sum += sumOf(powers, n);
        }
        float const logSum = logValue(sum);
#pragma GCC ivdep
        for (std::int64_t c = 0; c < cols; ++c) out[c] = (x[c] - largest) - logSum;
    }
}

void logSoftmaxGradRows(float const *y, float const *dy, float *out, std::int64_t rows, std::int64_t cols)
{
    for (std::int64_t r = 0; r < rows; ++r, y += cols, dy += cols, out += cols) {
        float const sum = sumOf(dy, cols);
#pragma GCC ivdep
        for (std::int64_t c = 0; c < cols; ++c) out[c] = fmadd(-expValue(y[c]), sum, dy[c]);
    }
}

} // namespace

Result<Prepared> prepareSoftmax(PrepareArgs const &args)
{
    return bindRows(args, 1, [](float const *x, float const *, float *out, std::int64_t rows, std::int64_t cols) {
        softmaxRows(x, out, rows, cols, nullptr);
    });
}
Result<Prepared> prepareSoftmaxGrad(PrepareArgs const &args) { return bindRows(args, 2, softmaxGradRows); }
Result<Prepared> prepareLogSoftmax(PrepareArgs const &args) { return bindRows(args, 1, logSoftmaxRows); }
Result<Prepared> prepareLogSoftmaxGrad(PrepareArgs const &args) { return bindRows(args, 2, logSoftmaxGradRows); }

} // namespace tilewright::kernels
