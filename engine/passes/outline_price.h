#pragma once

#include "engine/passes/pass.h"

#include <span>

/// Savings and cost of outlining, estimated before tile mapping.
namespace tilewright::passes {

/// Per tile: bytes that exist once instead of once per call, minus the bytes of calls and copies; cycles of one call's copies, and of its
/// body.
struct OutlineGain {
    Bytes bytes = 0;
    Cycles copies = 0, body = 0;
    /// Smaller savings do not justify a function. Copies may take a quarter of the body's cycles.
    static constexpr Bytes kLeast = 256;
    bool pays() const { return bytes >= kLeast && copies * 4 <= body; }
};

/// Bytes on a tile of a node's vertices, exchanges and control, without its codelets, which exist once in any case.
Bytes codeEstimate(graph::OpSpec const &spec);

/// Gain of `calls` calls instead of copies of `nodes`, which read `given` and produce `results`. Each call also passes `streams` stream
/// numbers. Requires: context.options.outlineTiles > 0.
OutlineGain outlineGain(graph::Graph const &graph, PassContext const &context, std::span<graph::NodeId const> nodes,
                        std::span<graph::ValueId const> given, std::span<graph::ValueId const> results, std::size_t streams,
                        std::size_t calls);

} // namespace tilewright::passes
