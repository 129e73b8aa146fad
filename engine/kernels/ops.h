#pragma once

#include "engine/kernels/kernel.h"

/// One prepare function per op (or family), listed in kernel_table.cpp. The maths of each op: the table of
/// ops in engine/graph; the naive twin: engine/reference.
namespace tilewright::kernels {

Result<Prepared> prepareMatmul(PrepareArgs const &args);
Result<Prepared> prepareConv(PrepareArgs const &args);
Result<Prepared> prepareConvInputGrad(PrepareArgs const &args);
Result<Prepared> prepareConvWeightGrad(PrepareArgs const &args);
Result<Prepared> prepareBatchMatmul(PrepareArgs const &args);
Result<Prepared> prepareElementwise(PrepareArgs const &args); ///< map and every primitive

Result<Prepared> prepareReduceSum(PrepareArgs const &args);
Result<Prepared> prepareReduceMean(PrepareArgs const &args);
Result<Prepared> prepareReduceMax(PrepareArgs const &args);
Result<Prepared> prepareReduceMin(PrepareArgs const &args);
Result<Prepared> prepareReduceProd(PrepareArgs const &args);
Result<Prepared> prepareReduceTo(PrepareArgs const &args);

Result<Prepared> prepareArgmax(PrepareArgs const &args);
Result<Prepared> prepareArgmin(PrepareArgs const &args);
Result<Prepared> prepareCumsum(PrepareArgs const &args);
Result<Prepared> prepareCumprod(PrepareArgs const &args);
Result<Prepared> prepareOneHot(PrepareArgs const &args);
Result<Prepared> prepareDynamicSlice(PrepareArgs const &args);
Result<Prepared> prepareDynamicUpdate(PrepareArgs const &args);

Result<Prepared> prepareSoftmax(PrepareArgs const &args);
Result<Prepared> prepareSoftmaxGrad(PrepareArgs const &args);
Result<Prepared> prepareLogSoftmax(PrepareArgs const &args);
Result<Prepared> prepareLogSoftmaxGrad(PrepareArgs const &args);
Result<Prepared> prepareSparseXent(PrepareArgs const &args);
Result<Prepared> prepareSparseXentGrad(PrepareArgs const &args);
Result<Prepared> prepareCatXent(PrepareArgs const &args);
Result<Prepared> prepareCatXentGrad(PrepareArgs const &args);

Result<Prepared> prepareReshape(PrepareArgs const &args);
Result<Prepared> prepareBroadcast(PrepareArgs const &args);
Result<Prepared> prepareCopy(PrepareArgs const &args);
Result<Prepared> prepareSplit(PrepareArgs const &args);
Result<Prepared> prepareConcat(PrepareArgs const &args);
Result<Prepared> prepareSlice(PrepareArgs const &args);
Result<Prepared> preparePad(PrepareArgs const &args);
Result<Prepared> prepareTranspose(PrepareArgs const &args);
Result<Prepared> prepareGather(PrepareArgs const &args);
Result<Prepared> prepareScatterAdd(PrepareArgs const &args);
Result<Prepared> prepareCast(PrepareArgs const &args);
Result<Prepared> prepareConstant(PrepareArgs const &args);
Result<Prepared> prepareFillLike(PrepareArgs const &args);
Result<Prepared> prepareZeros(PrepareArgs const &args);

Result<Prepared> prepareDropout(PrepareArgs const &args);
Result<Prepared> prepareNormal(PrepareArgs const &args);
/// Addend to the stream number of a random op, its third operand; null: none.
Result<std::int32_t const *> addedStream(PrepareArgs const &args);

Result<Prepared> preparePoolMax(PrepareArgs const &args);
Result<Prepared> preparePoolAverage(PrepareArgs const &args);
Result<Prepared> preparePoolMaxGrad(PrepareArgs const &args);
Result<Prepared> preparePoolAverageGrad(PrepareArgs const &args);

Result<Prepared> prepareNormWhiten(PrepareArgs const &args);
Result<Prepared> prepareNormWhitenGrad(PrepareArgs const &args);

Result<Prepared> prepareSgd(PrepareArgs const &args);
Result<Prepared> prepareMomentum(PrepareArgs const &args);
Result<Prepared> prepareRmsprop(PrepareArgs const &args);
Result<Prepared> prepareRmspropFull(PrepareArgs const &args);
Result<Prepared> prepareAdam(PrepareArgs const &args);
Result<Prepared> prepareAmsgrad(PrepareArgs const &args);
Result<Prepared> prepareAdamax(PrepareArgs const &args);
Result<Prepared> prepareAdadelta(PrepareArgs const &args);
Result<Prepared> prepareUpdate(PrepareArgs const &args);
Result<Prepared> prepareStepSize(PrepareArgs const &args);
Result<Prepared> prepareCoefficient(PrepareArgs const &args);
Result<Prepared> prepareAccumulate(PrepareArgs const &args);
Result<Prepared> prepareAccumulateRunning(PrepareArgs const &args);
Result<Prepared> prepareIncrement(PrepareArgs const &args);

} // namespace tilewright::kernels
