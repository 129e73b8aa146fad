#pragma once

#include "engine/graph/graph.h"
#include "engine/graph/node_kind.h"

namespace tilewright::graph {

/// Attribute of a `reshape` to its own shape: marks its operand as a recomputation checkpoint. The pass "recompute" removes the mark.
inline constexpr char kCheckpoint[] = "checkpoint";
/// Attribute of a `repeat`: its body is a segment between two recomputation checkpoints. The gradient of a value that all segments read is
/// added segment by segment, with or without recomputation, so that both give the same bits.
inline constexpr char kSegment[] = "segment";
/// Attribute of a `repeat` with kSegment: its gradient computes the body again instead of keeping the body's values for all steps.
inline constexpr char kRecompute[] = "recompute";

/// Attribute of a `pipeline`: what is computed again belongs to the backward tasks of the stages. Without it, a task of its own in front
/// of each of them.
inline constexpr char kInterleaved[] = "recompute_interleaved";

/// Attribute of a `pipeline`: tensors of at least this many bytes wait for the backward pass in streaming memory. Without it, on the tiles.
inline constexpr char kRemoteStash[] = "remote_stash_bytes";

inline bool isCheckpoint(Node const &node) { return is(node, NodeKind::Reshape) && node.attrs.flag(kCheckpoint); }

} // namespace tilewright::graph
