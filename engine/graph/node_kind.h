#pragma once

#include "engine/graph/graph.h"

#include <array>
#include <concepts>

/// Operations with a meaning for the graph itself. Only this file recognises them by name. OpSpec describes all other operations
/// (op_table.h).
namespace tilewright::graph {

enum class NodeKind : std::uint8_t {
    Constant,
    VariableRead,
    VariableAssign,
    Infeed,
    Outfeed,
    Reshape,
    Broadcast,
    ReduceTo,
    Cast,
    Copy, ///< values in another form or place
    IpuCopy,
    AllReduce, ///< values across IPUs and replicas
    Repeat,
    Call,
    If,
    While,
    Pipeline,
    Parameters,
    Results,   ///< see control.h
    Operation, ///< every other operation
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(NodeKind::Operation)> kKindNames{
    "constant", "variable.read", "variable.assign", "infeed", "outfeed", "reshape", "broadcast", "reduce_to",  "cast",   "copy",
    "ipu_copy", "all_reduce",    "repeat",          "call",   "if",      "while",   "pipeline",  "parameters", "results"};

/// The op name of this kind. Requires: not Operation.
constexpr std::string_view toText(NodeKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

constexpr NodeKind kindOf(std::string_view op)
{
    auto const among = [op](std::same_as<NodeKind> auto... kinds) {
        auto found = NodeKind::Operation;
        (void)((op == toText(kinds) && (found = kinds, true)) || ...);
        return found;
    };
    using enum NodeKind;
    switch (op.size()) { // switch (op.size()) { // few names have equal length
    case 2: return among(If);
    case 4: return among(Call, Cast, Copy);
    case 5: return among(While);
    case 6: return among(Infeed, Repeat);
    case 7: return among(Reshape, Results, Outfeed);
    case 8: return among(Constant, IpuCopy, Pipeline);
    case 9: return among(Broadcast, ReduceTo);
    case 10: return among(AllReduce, Parameters);
    case 13: return among(VariableRead);
    case 15: return among(VariableAssign);
    default: return Operation;
    }
}
static_assert([] {
    for (std::size_t i = 0; i < kKindNames.size(); ++i)
        if (kindOf(kKindNames[i]) != static_cast<NodeKind>(i)) return false;
    return kindOf("matmul") == NodeKind::Operation;
}());

inline NodeKind kindOf(Node const &node) { return kindOf(node.op); }

/// Whether the node has one of these kinds.
inline bool is(Node const &node, std::same_as<NodeKind> auto... kinds) { return ((node.op == toText(kinds)) || ...); }

/// Returns its operand unchanged, in another shape or on another IPU. On the host both share their bytes.
inline bool isView(Node const &node) { return is(node, NodeKind::Reshape, NodeKind::IpuCopy); }

} // namespace tilewright::graph
