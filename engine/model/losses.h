#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/param.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

struct ResolvedModel;

enum class Reduction {
    SumOverBatchSize, ///< mean over all per-sample losses (also Keras's "auto")
    Sum,
    None
};

struct Loss : Configured {
    bool operator==(Loss const &) const = default;
    bool fromLogits() const { return flag("from_logits"); }
    double labelSmoothing() const { return number("label_smoothing"); }
    Reduction reduction() const;
};

/// Form of labels for a prediction of shape [..., classes].
enum class LabelForm {
    SameShape,
    ClassIndex ///< without the last axis, or with a last axis of 1
};

struct LossSpec {
    std::string className;            ///< "MeanSquaredError"
    std::string name;                 ///< "mean_squared_error", name of Keras's function
    std::vector<std::string> aliases; ///< "mse", "MSE"
    std::vector<ParamInfo> params;    ///< in Keras's order
    std::string help;
    std::string formula;       ///< per sample; mean over the last axis unless stated
    bool crossentropy = false; ///< the logits rule applies
    LabelForm labels = LabelForm::SameShape;
};

std::vector<LossSpec> const &lossSpecs();
/// Null for an unknown class. Never null for a parsed Loss.
LossSpec const *findLossSpec(std::string_view className);

/// A class name, a function name, an alias, or {"class_name", "config"}. Errors: model.unknown-loss (with
/// the nearest name), model.bad-argument, model.unknown-argument.
Result<Loss> parseLoss(Json const &value);
Json lossJson(Loss const &loss);
OrderedJson orderedLoss(Loss const &loss);

/// The argument `axis` of CosineSimilarity, as loss and as metric: axes count from the end if negative.
ParamInfo cosineAxis();
/// Error training.loss-shape if a loss or metric of this class and configuration compares along an axis that a prediction of this shape
/// (with the batch) does not have, or along the batch.
Status checkComparedAxis(std::string const &className, Json const &config, Shape const &prediction, std::string const &output);

/// The required shape of labels, apart from a last axis of 1. Shapes include the batch.
Shape labelShape(Loss const &loss, Shape const &prediction);
/// Error data.label-shape: labels that this loss cannot compare with this prediction.
Status checkLabels(Loss const &loss, Shape const &labels, Shape const &prediction);

/// Keras's rule (losses of 2.6): if output `output` of the model ends in a softmax or sigmoid and the loss is a crossentropy, the loss is
/// computed from the values before that activation, in the stable form, independently of from_logits. A Softmax *layer* over the last axis
/// counts for the categorical losses unless from_logits is set. Also true if from_logits is set without such an activation: the prediction
/// itself is the logits.
struct LogitsUse {
    bool logitsForm = false;     ///< the loss is computed from logits
    bool skipActivation = false; ///< the logits are the input of the last activation
    bool operator==(LogitsUse const &) const = default;
};
LogitsUse logitsUse(ResolvedModel const &model, Loss const &loss, std::size_t output = 0);
/// logitsUse(...).skipActivation.
bool usesLogits(ResolvedModel const &model, Loss const &loss, std::size_t output = 0);

} // namespace tilewright::model
