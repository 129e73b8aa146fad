#include "engine/passes/outline_price.h"

#include "engine/graph/control.h"
#include "engine/passes/graph_edit.h"

#include <algorithm>

namespace tilewright::passes {

using namespace graph;

namespace {

/// Overhead of a node per tile apart from arithmetic: bytes (vertex state, exchange programs, control) and cycles (syncs, exchanges). Means
/// over
/// the layers of the built-in models on 1,472 tiles.
struct NodeEstimate {
    Bytes code;
    Cycles cycles;
};

NodeEstimate estimateOf(Work work)
{
    switch (work) {
    case Work::None: return {0, 0};
    case Work::Product: return {700, 900};
    case Work::LookUp: return {300, 500};
    case Work::Reduction: return {160, 350};
    case Work::Movement: return {120, 250};
    case Work::Elements: return {60, 120}; // rows and columns are moved to it
    }
    return {0, 0};
}

constexpr Bytes kCallBytes = 36; ///< the call and two compute sets of copies
constexpr Bytes kCopyState = 16; ///< a vertex that copies a block
constexpr Cycles kCallCycles = 60;
constexpr Cycles kCopyCycles = 12; ///< in addition to 8 bytes per cycle
constexpr Bytes kToldBytes = 16;   ///< one more scalar in a broadcast to all tiles
constexpr Cycles kToldCycles = 20;

} // namespace

Bytes codeEstimate(OpSpec const &spec) { return estimateOf(spec.work).code; }

OutlineGain outlineGain(Graph const &graph, PassContext const &context, std::span<NodeId const> nodes, std::span<ValueId const> given,
                        std::span<ValueId const> results, std::size_t streams, std::size_t calls)
{
    Bytes const tiles = context.options.outlineTiles;
    auto const n = static_cast<Bytes>(calls);
    OutlineGain gain;
    auto const add = [&](auto &&self, NodeId id, Cycles times) -> void {
        auto const &node = graph.node(id);
        auto const &spec = *context.ops(node.op);
        auto const estimate = estimateOf(spec.work);
        gain.bytes += estimate.code * (n - 1);
        // The AMP computes 16 float32 products per cycle; elementwise operations are a fraction of that.
        gain.body += times * (estimate.cycles + (spec.flops ? spec.flops(graph, node) / (tiles * 32) : 0));
        for (auto const body : node.regions)
            for (auto const inner : graph.region(body).nodes) self(self, inner, times * countOf(node));
    };
    for (auto const id : nodes) add(add, id, 1);
    gain.bytes -= n * kCallBytes;
    gain.copies = kCallCycles;
    auto const copied = [&](ValueId value) {
        Bytes const onTile = roundUp(ceilDiv(bytesOf(graph.value(value)), tiles), 8);
        gain.bytes -= n * kCopyState;
        gain.copies += kCopyCycles + onTile / 8;
        return onTile;
    };
    // Operands get a second place. Results of the last call stay in the body's place.
    for (auto value : given) {
        Bytes const onTile = copied(value);
        gain.bytes -= onTile;
    }
    for (auto value : results) copied(value);
    // The stream number is copied too, and broadcast together with the counter that the node reads anyway.
    gain.bytes -= static_cast<Bytes>(streams) * (n * kCopyState + kToldBytes);
    gain.copies += static_cast<Cycles>(streams) * (kCopyCycles + kToldCycles);
    return gain;
}

} // namespace tilewright::passes
