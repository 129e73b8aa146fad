#pragma once

#include "engine/core/result.h"
#include "engine/model/param.h"

#include <string>
#include <vector>

namespace tilewright::model {

struct ResolvedModel;
struct TrainingPlan;

/// training.recomputation_checkpoints: a list of layer names, or one name. Error: Invalid "model.bad-argument".
Result<std::vector<std::string>> parseCheckpoints(Json const &value);

/// The loops over time that `recurrentCheckpoints` cuts: layers of class LSTM, GRU, SimpleRNN, RNN, ConvLSTM and Bidirectional that are
/// not unrolled. Returns the steps of the loop of a call, 0 without one.
std::int64_t recurrentSteps(ResolvedModel const &model, std::size_t call);

/// Errors: training.recomputation-checkpoints (no layer of that name), training.recurrent-checkpoints (the steps of a recurrent layer
/// cannot be cut into equal parts, or no layer has a loop over time), training.recomputation-mode (section 6.1 of the Keras-on-IPU guide:
/// a sequential pipeline with recompute_then_backpropagate, an interleaved one with recompute_and_backpropagate_interleaved).
Status checkRecomputation(TrainingPlan const &plan, ResolvedModel const &model);

} // namespace tilewright::model
