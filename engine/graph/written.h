#pragma once

#include "engine/graph/graph.h"

/// Values that the host writes between two executions: learning rates, momenta and a fixed loss scale. In the graph such a value is a
/// constant with the attribute `written`, its name. Its number belongs to the run, not to the program: it is no part of a cache key.
namespace tilewright::graph {

inline constexpr char const *kWritten = "written";
inline constexpr char const *kLearningRate = "learning_rate";
inline constexpr char const *kMomentum = "momentum";
inline constexpr char const *kLossScale = "loss_scale";
/// Behind the name of a value: what float32 does not hold of it, for what is computed in double.
inline constexpr char const *kWrittenRest = "/rest";
/// Behind a name: one over the value.
inline constexpr char const *kWrittenInverse = "/inverse";

inline bool isWritten(Node const &node) { return node.attrs.has(kWritten); }

} // namespace tilewright::graph
