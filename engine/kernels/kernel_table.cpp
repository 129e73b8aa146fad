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
    std::pair<std::string_view, PrepareFn> const wide[] = {
        {"matmul", prepareMatmul},
        {"conv", prepareConv},
        {"conv_input_grad", prepareConvInputGrad},
        {"conv_weight_grad", prepareConvWeightGrad},
        {"batch_matmul", prepareBatchMatmul},
        {"reduce_sum", prepareReduceSum},
        {"reduce_max", prepareReduceMax},
        {"reduce_to", prepareReduceTo},
        {"softmax", prepareSoftmax},
        {"softmax_grad", prepareSoftmaxGrad},
        {"log_softmax", prepareLogSoftmax},
        {"log_softmax_grad", prepareLogSoftmaxGrad},
        {"sparse_xent", prepareSparseXent},
        {"sparse_xent_grad", prepareSparseXentGrad},
        {"cat_xent", prepareCatXent},
        {"cat_xent_grad", prepareCatXentGrad},
        {"argmax", prepareArgmax},
        {"argmin", prepareArgmin},
        {"cumsum", prepareCumsum},
        {"cumprod", prepareCumprod},
        {"scatter_add", prepareScatterAdd},
        {"dropout", prepareDropout},
        {"random.normal", prepareNormal},
        {"pool.max", preparePoolMax},
        {"pool.average", preparePoolAverage},
        {"pool.max_grad", preparePoolMaxGrad},
        {"pool.average_grad", preparePoolAverageGrad},
        {"norm.whiten", prepareNormWhiten},
        {"norm.whiten_grad", prepareNormWhitenGrad},
        {"opt.sgd", prepareSgd},
        {"opt.momentum", prepareMomentum},
        {"opt.rmsprop", prepareRmsprop},
        {"opt.rmsprop_full", prepareRmspropFull},
        {"opt.adam", prepareAdam},
        {"opt.adam_amsgrad", prepareAmsgrad},
        {"opt.adamax", prepareAdamax},
        {"opt.adadelta", prepareAdadelta},
        {"opt.step_size", prepareStepSize},
        {"accumulate", prepareAccumulate},
        {"accumulate_running", prepareAccumulateRunning},
        {"increment", prepareIncrement},
    };
    for (auto const &[op, prepare] : wide) table.push_back({op, withHalfStorage(prepare), false});
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
