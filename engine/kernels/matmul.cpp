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
    if (auto const inputs = graph::halfPartials(args.node)) return gemmInHalf(g, 1, {}, inputs);
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
    if (a.size() < 2 || b.size() < 2)
        return unsupported(args.node, Message::of("%1 and %2 must both hold matrices.", toText(a), toText(b)));
    std::array const batches{Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2)};
    auto const all = graph::broadcastShape(batches);
    if (!all) return unsupported(args.node, Message::of("the numbers of matrices of %1 and %2 do not broadcast.", toText(a), toText(b)));
    std::int64_t const batch = elementCount(*all);
    MatrixPairs pairs;
    for (auto const &[own, numbers] : {std::pair(&batches[0], &pairs.a), std::pair(&batches[1], &pairs.b)}) {
        if (elementCount(*own) == batch) continue;
        auto const loops = graph::broadcastLoops(*own, *all);
        for (std::int64_t i = 0; i < batch; ++i) numbers->push_back(graph::elementOf(loops, i));
    }
    auto const fromEnd = [](Shape const &shape, bool last) { return shape[shape.size() - (last ? 1 : 2)]; };
    Gemm g;
    g.ta = args.node.attrs.flag("transpose_a");
    g.tb = args.node.attrs.flag("transpose_b");
    g.m = fromEnd(a, g.ta);
    g.k = fromEnd(a, !g.ta);
    g.n = fromEnd(b, !g.tb);
    if (g.k != fromEnd(b, g.tb)) return unsupported(args.node, Message::of("the inner extents of %1 and %2 differ.", toText(a), toText(b)));
    TW_TRY(requireElements(args, args.outputs[0], batch * g.m * g.n));
    g.a = args.inputs[0].f32();
    g.b = args.inputs[1].f32();
    g.c = args.outputs[0].f32();
    g.lda = a.back();
    g.ldb = b.back();
    g.ldc = g.n;
    if (auto const inputs = graph::halfPartials(args.node)) return gemmInHalf(g, batch, std::move(pairs), inputs);
    auto const cut = cutGemm(g);
    std::int64_t const pieces = cut.rowPieces * cut.colPieces;
    // Small products share a task: a hand-over costs about a microsecond.
    Pieces const tasks{batch * pieces, std::max<std::int64_t>(1, 1'000'000 / std::max<std::int64_t>(1, cut.rows * cut.cols * g.k))};
    return Prepared([=, pairs = std::move(pairs)](RunContext &ctx) {
        parallelFor(ctx, tasks.tasks(), [&](std::size_t task) {
            for (auto i = tasks.begin(task); i < tasks.end(task); ++i) {
                Gemm one = g;
                one.a += pairs.ofA(i / pieces) * g.m * g.k;
                one.b += pairs.ofB(i / pieces) * g.k * g.n;
                one.c += i / pieces * g.m * g.n;
                gemm(gemmPiece(one, cut, i % pieces));
            }
        });
    });
}

} // namespace tilewright::kernels
