#include "engine/graph/partial_sums.h"
#include "engine/graph/axes.h"
#include "engine/kernels/gemm.h"
#include "engine/kernels/half_partials.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/sparse_gemm.h"
#include "engine/kernels/support.h"
#include "engine/kernels/wide_vectors.h"

namespace tilewright::kernels {

Result<Prepared> prepareMatmul(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 1));
    TW_TRY(requireF32(args));
    auto const a = graph::alongLast(args.inputs[0].shape);
    auto const b = graph::alongLast(args.inputs[1].shape);
    Gemm g;
    g.ta = args.node.attrs.flag("transpose_a");
    g.tb = args.node.attrs.flag("transpose_b");
    g.m = g.ta ? a.n : a.outer;
    g.k = g.ta ? a.outer : a.n;
    g.n = g.tb ? b.outer : b.n;
    if (g.k != (g.tb ? b.n : b.outer))
        return unsupported(
            args.node, Message::of("the inner extents of %1 and %2 differ.", toText(args.inputs[0].shape), toText(args.inputs[1].shape)));
    TW_TRY(requireElements(args, args.outputs[0], g.m * g.n));
    g.a = args.inputs[0].f32();
    g.b = args.inputs[1].f32();
    g.c = args.outputs[0].f32();
    g.lda = a.n;
    g.ldb = b.n;
    g.ldc = g.n;
    if (auto const inputs = graph::halfPartials(args.node)) return gemmInHalf(g, 1, inputs);
    return Prepared([g, wide = wideVectors()](RunContext &ctx) {
        if (!runSparseGemm(ctx.pool, g, wide)) runGemm(ctx.pool, g);
    });
}

/// Each product is cut as if it were alone; all pieces of all products go to the pool together.
Result<Prepared> prepareBatchMatmul(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 1));
    TW_TRY(requireF32(args));
    auto const &a = args.inputs[0].shape, &b = args.inputs[1].shape;
    if (a.size() < 2 || a.size() != b.size() || !std::equal(a.begin(), a.end() - 2, b.begin()))
        return unsupported(args.node, Message::of("%1 and %2 hold different numbers of matrices.", toText(a), toText(b)));
    std::int64_t const batch = graph::matrixCount(a);
    std::size_t const rows = a.size() - 2, cols = a.size() - 1;
    Gemm g;
    g.ta = args.node.attrs.flag("transpose_a");
    g.tb = args.node.attrs.flag("transpose_b");
    g.m = a[g.ta ? cols : rows];
    g.k = a[g.ta ? rows : cols];
    g.n = b[g.tb ? rows : cols];
    if (g.k != b[g.tb ? cols : rows])
        return unsupported(args.node, Message::of("the inner extents of %1 and %2 differ.", toText(a), toText(b)));
    TW_TRY(requireElements(args, args.outputs[0], batch * g.m * g.n));
    g.a = args.inputs[0].f32();
    g.b = args.inputs[1].f32();
    g.c = args.outputs[0].f32();
    g.lda = a[cols];
    g.ldb = b[cols];
    g.ldc = g.n;
    if (auto const inputs = graph::halfPartials(args.node)) return gemmInHalf(g, batch, inputs);
    auto const cut = cutGemm(g);
    std::int64_t const pieces = cut.rowPieces * cut.colPieces;
    // Small products share a task: a hand-over costs about a microsecond.
    Pieces const tasks{batch * pieces, std::max<std::int64_t>(1, 1'000'000 / std::max<std::int64_t>(1, cut.rows * cut.cols * g.k))};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, tasks.tasks(), [&](std::size_t task) {
            for (auto i = tasks.begin(task); i < tasks.end(task); ++i) {
                Gemm one = g;
                one.a += i / pieces * g.m * g.k;
                one.b += i / pieces * g.k * g.n;
                one.c += i / pieces * g.m * g.n;
                gemm(gemmPiece(one, cut, i % pieces));
            }
        });
    });
}

} // namespace tilewright::kernels
