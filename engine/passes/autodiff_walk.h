#pragma once

#include "engine/graph/control.h"
#include "engine/graph/op_table.h"

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

/// Shared by the files of reverse-mode differentiation.
namespace tilewright::passes {

/// Gradients collected at values, summed on request.
class Arrived {
public:
    Arrived(graph::Builder &builder, graph::OpLookup const &ops) : m_builder(builder), m_ops(ops) {}

    void give(graph::ValueId value, graph::ValueId gradient);
    /// The sum so far; invalid if there is none.
    graph::ValueId take(graph::ValueId value);

private:
    graph::Builder &m_builder;
    graph::OpLookup const &m_ops;
    std::map<graph::ValueId, std::vector<graph::ValueId>> m_parts;
};

using Wanted = std::vector<char>; ///< by value: whether it depends on a requested value or variable

/// Walks nodes backwards and appends their gradients to the builder's region.
class ReverseWalk {
public:
    ReverseWalk(graph::Builder &builder, graph::OpLookup const &ops, std::span<graph::VariableId const> variables)
        : b(builder), g(builder.graph()), m_ops(ops), m_variables(variables)
    {
    }

    /// Marks values that depend on marked values, or on a read of the variables.
    void spread(std::vector<graph::NodeId> const &nodes, Wanted &wanted) const;
    /// Error: Internal "autodiff.region" for a body that itself reads one of the variables.
    Status walk(std::vector<graph::NodeId> const &nodes, Wanted const &wanted, Arrived &arrived);

    /// Gradients collected at reads of the variables, in the order of the walk.
    std::map<graph::VariableId, std::vector<std::pair<graph::ValueId, graph::NodeId>>> reads;

private:
    struct Loop;
    struct Outside;
    bool isFloat(graph::ValueId value) const { return isFloating(g.value(value).dtype); }
    Status repeat(graph::NodeId id, Wanted const &wanted, Arrived &arrived);
    /// Replaces a `while` by an equivalent `repeat` with an `if`.
    void boundWhile(graph::NodeId id);
    Status branch(graph::NodeId id, Wanted const &wanted, Arrived &arrived);
    struct Arm;
    graph::ValueId keptByBranch(graph::NodeId branch, Arm &arm, graph::ValueId value);
    Status call(graph::NodeId id, Wanted const &wanted, Arrived &arrived);
    struct CalledGradient;
    using CallKey = std::tuple<graph::RegionId, std::vector<std::size_t>, std::vector<std::size_t>>;
    Result<CalledGradient const *> gradientBody(graph::Node const &node, CallKey const &key);
    void keep(Loop &loop);
    graph::ValueId kept(Loop &loop, graph::ValueId value);
    graph::ValueId again(Loop &loop, graph::ValueId value);
    graph::ValueId given(Loop &loop, graph::ValueId stack, bool reversed, graph::Value type);
    void operandsOutside(Loop &loop, Outside &outside);
    bool sumOutside(Loop &loop, graph::ValueId value, graph::ValueId gradient);

    graph::Builder &b;
    graph::Graph &g;
    graph::OpLookup const &m_ops;
    std::span<graph::VariableId const> m_variables;
    int m_depth = 0; ///< depth of nested bodies
    std::map<CallKey, std::shared_ptr<CalledGradient const>> m_called;
};

} // namespace tilewright::passes
