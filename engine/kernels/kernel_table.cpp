#include "engine/kernels/kernel_table.h"

#include "engine/graph/expr.h"
#include "engine/kernels/half_storage.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <algorithm>

namespace tilewright::kernels {

namespace {

std::vector<KernelEntry> buildTable()
{
    // Moves of bytes and elementwise expressions take float16 as it is; the others compute in float32.
    std::vector<KernelEntry> table{
        {"map", prepareElementwise, true},
        {"reshape", prepareReshape, true},
        {"broadcast", prepareBroadcast, true},
        {"cast", prepareCast, true},
        {"constant", prepareConstant, true},
        {"fill_like", prepareFillLike, true},
        {"zeros", prepareZeros, true},
        {"copy", prepareCopy, true},
        {"concat", prepareConcat, true},
        {"split", prepareSplit, true},
        {"slice", prepareSlice, true},
        {"pad", preparePad, true},
        {"transpose", prepareTranspose, true},
        {"gather", prepareGather, true},
        {"one_hot", prepareOneHot, true},
        {"dynamic_slice", prepareDynamicSlice, true},
        {"dynamic_update", prepareDynamicUpdate, true},
    };
    struct Wide {
        std::string_view op;
        PrepareFn prepare;
        int addends = -1;
    };
    Wide const wide[] = {
        {"matmul", prepareMatmul, 0},
        {"conv", prepareConv, 0},
        {"conv_input_grad", prepareConvInputGrad, 0},
        {"conv_weight_grad", prepareConvWeightGrad, 0},
        {"batch_matmul", prepareBatchMatmul, 0},
        {"reduce_sum", prepareReduceSum, 0},
        {"reduce_mean", prepareReduceMean, 0},
        {"reduce_max", prepareReduceMax},
        {"reduce_min", prepareReduceMin},
        {"reduce_prod", prepareReduceProd, 0},
        {"reduce_to", prepareReduceTo, 0},
        {"softmax", prepareSoftmax, 0},
        {"softmax_grad", prepareSoftmaxGrad, 0},
        {"log_softmax", prepareLogSoftmax, 0},
        {"log_softmax_grad", prepareLogSoftmaxGrad, 0},
        {"sparse_xent", prepareSparseXent, 0},
        {"sparse_xent_grad", prepareSparseXentGrad, 0},
        {"cat_xent", prepareCatXent, 0},
        {"cat_xent_grad", prepareCatXentGrad, 0},
        {"argmax", prepareArgmax},
        {"argmin", prepareArgmin},
        {"cumsum", prepareCumsum, 0},
        {"cumprod", prepareCumprod, 0},
        {"scatter_add", prepareScatterAdd, 0},
        {"dropout", prepareDropout},
        {"random.normal", prepareNormal},
        {"pool.max", preparePoolMax},
        {"pool.average", preparePoolAverage, 0},
        {"pool.max_grad", preparePoolMaxGrad, 1},
        {"pool.average_grad", preparePoolAverageGrad, 0},
        {"norm.whiten", prepareNormWhiten, 0},
        {"norm.whiten_grad", prepareNormWhitenGrad, 0},
        {"opt.sgd", prepareSgd},
        {"opt.momentum", prepareMomentum},
        {"opt.rmsprop", prepareRmsprop},
        {"opt.rmsprop_full", prepareRmspropFull},
        {"opt.adam", prepareAdam},
        {"opt.adam_amsgrad", prepareAmsgrad},
        {"opt.adamax", prepareAdamax},
        {"opt.adadelta", prepareAdadelta},
        {"opt.update", prepareUpdate},
        {"opt.step_size", prepareStepSize},
        {"opt.coefficient", prepareCoefficient},
        {"accumulate", prepareAccumulate},
        {"accumulate_running", prepareAccumulateRunning},
        {"increment", prepareIncrement},
    };
    for (auto const &[op, prepare, addends] : wide) table.push_back({op, withHalfStorage(prepare), false, addends});
    for (auto const &prim : graph::primitives()) table.push_back({prim.name, prepareElementwise, true});
    return table;
}

} // namespace

std::span<KernelEntry const> kernelTable()
{
    static std::vector<KernelEntry> const table = buildTable();
    return table;
}

KernelEntry const *findKernel(std::string_view op)
{
    auto const table = kernelTable();
    auto const it = std::ranges::find(table, op, &KernelEntry::op);
    return it == table.end() ? nullptr : &*it;
}

Result<Prepared> prepare(PrepareArgs const &args)
{
    auto const *entry = findKernel(args.node.op);
    if (!entry) return unsupported(args.node, Message::of("there is no host kernel of this name."));
    return entry->prepare(args);
}

} // namespace tilewright::kernels
