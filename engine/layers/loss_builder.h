#pragma once

#include "engine/layers/build_context.h"
#include "engine/model/losses.h"

namespace tilewright::layers {

/// One output of the model for losses and metrics.
struct Prediction {
    std::size_t index = 0;  ///< number of the model's output
    graph::ValueId value;   ///< the output
    graph::ValueId logits;  ///< input of its final softmax or sigmoid; invalid: none
    graph::ValueId labels;  ///< i32 class numbers or f32
    graph::ValueId mask;    ///< f32, 1 for valid steps; invalid: all valid
    graph::ValueId weights; ///< f32 [batch], factor of each sample in the loss; invalid: 1
    /// The output as a by-product of a cross-entropy (valid after buildLoss if there is one). Metrics read it, so that the separate softmax
    /// is removed if nothing else reads it.
    graph::ValueId probabilities;

    graph::ValueId forMetrics() const { return probabilities.valid() ? probabilities : value; }
};

/// Shape and type of the labels for this loss and output; `prediction` with the batch filled in.
struct LabelType {
    Shape shape;
    DType dtype = DType::F32;
};
LabelType labelType(model::Loss const &loss, Shape const &prediction);

/// The loss of every sample, f32, with the prediction's shape without its last axis. Formulas: section 4 of the layers guide. Sets
/// prediction.probabilities if the loss computes the softmax anyway.
graph::ValueId buildSampleLoss(BuildContext &context, model::Loss const &loss, Prediction &prediction);

/// Masked steps have loss 0 and count in the mean, as in Keras. Weights are factors; the mean is over all samples, independent of their
/// weights (tf.keras.losses: SUM_OVER_BATCH_SIZE).
struct LossValues {
    graph::ValueId trained;  ///< scalar whose gradient trains: mean, sum, or sum (reduction none)
    graph::ValueId reported; ///< scalar for the log: Keras reports the mean for reduction none
};
LossValues buildLoss(BuildContext &context, model::Loss const &loss, Prediction &prediction);

/// The mask beside a loss or metric of every sample: axes behind those of the mask repeat it. Invalid if `samples` lacks axes of the mask.
/// Requires: the prediction has a mask.
graph::ValueId maskOf(BuildContext &context, Prediction const &prediction, graph::ValueId samples);

} // namespace tilewright::layers
