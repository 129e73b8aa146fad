#pragma once

#include "engine/core/types.h"
#include "engine/model/named_class.h"

namespace tilewright::model {

/// A penalty in the loss: a Keras class name and all its arguments. Formulas over the elements x of a weight, or of a layer's output
/// (Keras 2.6, regularizers.py):
///   L1                     l1 Σ|x|
///   L2                     l2 Σx²
///   L1L2                   l1 Σ|x| + l2 Σx²
///   OrthogonalRegularizer  factor Σ|cos(a, b)| / pairs, over all pairs of different rows (or columns) a, b of a matrix
struct Regularizer : Configured {
    /// All factors are 0: it adds nothing to the loss.
    bool isZero() const;
    bool operator==(Regularizer const &) const = default;
};

std::vector<ClassSpec> const &regularizerSpecs();

/// "l2", "L1L2", {"class_name": "L2", "config": {"l2": 0.01}}. As in Keras, "l1_l2" has both factors 0.01, and "L1L2" has both 0.
/// Errors: model.unknown-regularizer, model.bad-argument, model.unknown-argument.
Result<Regularizer> parseRegularizer(Json const &value, std::string const &subject = "regularizer");

/// Error model.shape if it is not defined for a tensor of this shape. `what`: the argument, for the message.
Status checkRegularizer(Regularizer const &regularizer, Shape const &shape, std::string const &subject, std::string const &what);

} // namespace tilewright::model
