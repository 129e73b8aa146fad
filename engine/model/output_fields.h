#pragma once

#include "engine/model/training_plan.h"

/// The fields of a training plan that may differ by output or class: losses, their weights, metrics, class weights. As Keras takes them:
/// one for all, a list, or an object by name.
namespace tilewright::model {

OrderedJson lossesJson(TrainingPlan const &plan);
Status setLosses(TrainingPlan &plan, Json const &value);

OrderedJson metricsJson(TrainingPlan const &plan);
Status setMetrics(TrainingPlan &plan, Json const &value);
OrderedJson weightedMetricsJson(TrainingPlan const &plan);
Status setWeightedMetrics(TrainingPlan &plan, Json const &value);

/// {"output": weight}. Requires: the weights have names.
OrderedJson namedLossWeightsJson(TrainingPlan const &plan);
Status setNamedLossWeights(TrainingPlan &plan, Json const &object);

/// {"0": weight, "1": weight}, with a weight for every class.
Status setNamedClassWeights(TrainingPlan &plan, Json const &object);

} // namespace tilewright::model
