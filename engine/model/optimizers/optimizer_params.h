#pragma once

#include "engine/model/optimizers.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Arguments that several optimizers have.
namespace tilewright::model {

ParamInfo realParam(std::string name, std::string fallback, std::string help, double min, std::optional<double> max = {});
ParamInfo flagParam(std::string name, std::string help, bool fallback = false);
/// epsilon, at least 0.
ParamInfo epsilonParam(std::string fallback = "1e-07");
ParamInfo momentumParam(std::string fallback = "0.0");
ParamInfo nesterovParam();
/// The element type of a state ("m_dtype"; slot_types.h).
ParamInfo stateTypeParam(std::string const &slot);
/// debiasing, of moving averages that start at 0.
ParamInfo debiasingParam();
/// exclude_from_weight_decay and exclude_from_layer_adaptation: names or regular expressions, separated by commas.
std::vector<ParamInfo> exclusionParams();

/// The arguments of every optimizer, around its own.
std::vector<ParamInfo> withCommonParams(std::string const &className, std::string const &rate, std::vector<ParamInfo> own);

/// Whether the weight ("dense/kernel") decays, and whether its step follows its norm. An empty exclude_from_layer_adaptation is
/// exclude_from_weight_decay. Requires: exclusionParams().
bool decaysWeight(Optimizer const &optimizer, std::string_view weight);
bool adaptsToLayer(Optimizer const &optimizer, std::string_view weight);
/// Error model.bad-argument: an exclusion that is no regular expression.
Status checkExclusions(Optimizer const &optimizer);

} // namespace tilewright::model
