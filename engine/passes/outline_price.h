#pragma once

#include "engine/passes/pass.h"

#include <span>

/// What outlining saves and costs, estimated before anything lies on tiles.
namespace tilewright::passes {

/// On each tile: bytes that are there once instead of once for each call, less what the calls and their copies take;
/// cycles of one call's copies, and of what it calls.
struct OutlineGain {
    Bytes bytes = 0;
    Cycles copies = 0, body = 0;
    /// Less is not worth a function; copies may take a quarter of what they copy for.
    static constexpr Bytes kLeast = 256;
    bool pays() const { return bytes >= kLeast && copies * 4 <= body; }
};

/// Bytes on a tile of a node's vertices, exchanges and control, its codelets aside, which are there once anyway.
Bytes codeEstimate(graph::OpSpec const &spec);

/// Of `calls` calls instead of as many copies of `nodes`, which read `given` and leave `results`; beside them each call gives
/// `streams` numbers of random streams.
/// Requires: context.options.outlineTiles > 0.
OutlineGain outlineGain(graph::Graph const &graph, PassContext const &context, std::span<graph::NodeId const> nodes,
                        std::span<graph::ValueId const> given, std::span<graph::ValueId const> results, std::size_t streams,
                        std::size_t calls);

} // namespace tilewright::passes
