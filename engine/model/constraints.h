#pragma once

#include "engine/core/types.h"
#include "engine/model/named_class.h"

namespace tilewright::model {

/// A rule that a weight keeps: applied after each update, before the weight is read again. A Keras class name and all its arguments.
/// Formulas for a weight w (Keras 2.6, constraints.py); n is its length √Σw² over `axis`, ε is 1e-7:
///   MaxNorm           w clip(n, 0, max_value) / (ε + n)
///   NonNeg            w where w ≥ 0, otherwise 0
///   UnitNorm          w / (ε + n)
///   MinMaxNorm        w (rate clip(n, min_value, max_value) + (1 - rate) n) / (ε + n)
///   RadialConstraint  a kernel [size, size, inputs, outputs]: equal elements at equal distance from its centre
struct Constraint : Configured {
    bool operator==(Constraint const &) const = default;
};

constexpr double kConstraintEpsilon = 1e-7;

std::vector<ClassSpec> const &constraintSpecs();

/// "max_norm", {"class_name": "MaxNorm", "config": {"max_value": 2, "axis": 0}}. Errors: model.unknown-constraint, model.bad-argument,
/// model.unknown-argument.
Result<Constraint> parseConstraint(Json const &value, std::string const &subject = "constraint");

/// The axes of `axis` in a weight of `rank` axes, counted from 0. Requires: checkConstraint.
std::vector<std::int64_t> constraintAxes(Constraint const &constraint, std::size_t rank);

/// Error model.shape if it is not defined for a weight of this shape. `what`: the argument, for the message.
Status checkConstraint(Constraint const &constraint, Shape const &shape, std::string const &subject, std::string const &what);

} // namespace tilewright::model
