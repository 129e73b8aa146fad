#pragma once

#include "engine/layers/build_context.h"
#include "engine/model/losses.h"
#include "engine/model/metrics.h"

namespace tilewright::layers {

/// One output of the model as losses and metrics meet it.
struct Prediction {
    std::size_t index = 0;  ///< which output of the model
    graph::ValueId value;   ///< the output
    graph::ValueId logits;  ///< what its final softmax or sigmoid was given; invalid: none
    graph::ValueId labels;  ///< i32 class numbers or f32
    graph::ValueId mask;    ///< f32, which of its steps count; invalid: all
    graph::ValueId weights; ///< f32 [batch], what each sample counts in the loss; invalid: 1
    /// The output once more, as a by-product of a cross-entropy (valid after buildLoss where there is one).
    /// Metrics read it, so that the separate softmax is dropped when nobody else needs it.
    graph::ValueId probabilities;

    graph::ValueId forMetrics() const { return probabilities.valid() ? probabilities : value; }
};

/// Shape and type of the labels that a loss wants for this output; `prediction` with the batch filled in.
struct LabelType {
    Shape shape;
    DType dtype = DType::F32;
};
LabelType labelType(model::Loss const &loss, Shape const &prediction);

/// The loss of every sample, f32, of the prediction's shape without its last axis. Formulas: section 4 of the
/// layers guide. Sets prediction.probabilities where the softmax comes for free.
graph::ValueId buildSampleLoss(BuildContext &context, model::Loss const &loss, Prediction &prediction);

/// Masked steps have the loss 0, and count in the mean, as in Keras; weights are factors, the mean is over all samples whatever they
/// weigh (tf.keras.losses: SUM_OVER_BATCH_SIZE).
struct LossValues {
    graph::ValueId trained;  ///< scalar whose gradient trains: mean, sum, or sum (reduction none)
    graph::ValueId reported; ///< scalar for the log: Keras reports the mean for reduction none
};
LossValues buildLoss(BuildContext &context, model::Loss const &loss, Prediction &prediction);

/// Mean of the metric over what counts of the micro-batch, a scalar. Errors: Invalid "layers.metric" when labels of this form
/// cannot be compared (one-hot wanted, class numbers there, or the other way round).
Result<graph::ValueId> buildMetric(BuildContext &context, model::Metric const &metric, Prediction &prediction);

} // namespace tilewright::layers
