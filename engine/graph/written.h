#pragma once

#include "engine/graph/graph.h"

/// Values that the host writes between two executions: learning rates. In the graph such a value is a constant with the attribute
/// `written`, its name. Its number belongs to the run, not to the program: it is no part of a cache key.
namespace tilewright::graph {

inline constexpr char const *kWritten = "written";
inline constexpr char const *kLearningRate = "learning_rate";
/// Behind the name of a value: what float32 does not hold of it, for what is computed in double.
inline constexpr char const *kWrittenRest = "/rest";

inline bool isWritten(Node const &node) { return node.attrs.has(kWritten); }

} // namespace tilewright::graph
