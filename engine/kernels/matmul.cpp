#include "engine/kernels/gemm.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

namespace tilewright::kernels {

Result<Prepared> prepareMatmul(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 1));
    TW_TRY(requireF32(args));
    auto const a = graph::rowsCols(args.inputs[0].shape);
    auto const b = graph::rowsCols(args.inputs[1].shape);
    Gemm g;
    g.ta = args.node.attrs.flag("transpose_a");
    g.tb = args.node.attrs.flag("transpose_b");
    g.m = g.ta ? a.cols : a.rows;
    g.k = g.ta ? a.rows : a.cols;
    g.n = g.tb ? b.rows : b.cols;
    if (g.k != (g.tb ? b.cols : b.rows))
        return unsupported(args.node, "the inner extents of " + toText(args.inputs[0].shape) + " and "
                                          + toText(args.inputs[1].shape) + " differ.");
    TW_TRY(requireElements(args, args.outputs[0], g.m * g.n));
    g.a = args.inputs[0].f32();
    g.b = args.inputs[1].f32();
    g.c = args.outputs[0].f32();
    g.lda = a.cols;
    g.ldb = b.cols;
    g.ldc = g.n;
    return Prepared([g](RunContext &ctx) { runGemm(ctx.pool, g); });
}

} // namespace tilewright::kernels
