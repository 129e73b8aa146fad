#pragma once

#include "engine/graph/graph.h"

#include <functional>
#include <vector>

/// Structured control. A body is a region. Its first node `parameters` produces the inputs of the body and its last node `results` consumes
/// its outputs; both may be missing if there are none. They are nodes, not lists of the region, so that every value has a producer and
/// every use is an operand for all walks over a graph.
///
/// repeat {count, carried, index, reversed}: runs the body `count` times. Operands: the initial carried values, then
///   stacked tensors; step t receives slice t of their first dimension. Parameters of the body: (with `index`) the step
///   number, the carried values, the slices. Results of the body: the carried values for the next step, then the slices
///   to stack. Results of the node: the carried values after the last step, then the stacks. `reversed` holds 1 for each
///   stack (operands, then results) in which slice count-1-t belongs to step t. The body may read values of the
///   surrounding regions. Without carried and stacked values it is the device loop: its state is in variables.
/// call: operands are the parameters, results are the results. Several calls may share a body, which reads no
///   surrounding values.
/// if: its operand is a scalar, true if it is not zero. Its bodies [then, else] have no parameters, read surrounding
///   values, and produce the node's results.
/// while {limit}: bodies [test, body]. Operands are the carried values, parameters of both bodies. The test returns one
///   scalar: if it is not zero, the body runs and returns the next carried values; at most `limit` times. Results of the
///   node: the final carried values.
namespace tilewright::graph {

/// The groups of a `repeat`'s operands.
struct RepeatForm {
    std::int64_t count = 1;
    std::size_t carried = 0, stackedIn = 0, stackedOut = 0;
    bool index = false;
    std::vector<char> reversed; ///< by stack, operands then results
    bool isLoopOverVariables() const { return carried + stackedIn + stackedOut == 0 && !index; }
};
/// Requires: a `repeat` that verifyStructure accepts.
RepeatForm repeatForm(Node const &node);

/// Number of sequential runs of the body of a `repeat` or a `pipeline`; 1 for other nodes.
std::int64_t countOf(Node const &node);
/// Maximum number of runs of the body of a `while`.
std::int64_t limitOf(Node const &node);
/// Whether the node's control flow depends on data: `if`, `while`.
bool dependsOnData(Node const &node);

/// The node that produces a body's parameters, and the node that consumes its results; invalid if missing.
NodeId parametersNode(Graph const &graph, RegionId region);
NodeId resultsNode(Graph const &graph, RegionId region);
std::vector<ValueId> parametersOf(Graph const &graph, RegionId region);
std::vector<ValueId> resultsOf(Graph const &graph, RegionId region);
bool isRegionEnd(Node const &node); ///< one of these two nodes

/// Checks operands and results of a node with bodies against their parameters and results. "": valid.
Message controlProblem(Graph const &graph, Node const &node);

/// Values read by a node: its operands, then values of surrounding regions read by its bodies, each once.
std::vector<ValueId> reads(Graph const &graph, NodeId node);

/// Adds a result to an existing node.
ValueId addOutput(Graph &graph, NodeId node, Value value);

/// Appends an `if`. The constructor opens its first body in the builder, otherwise() its second; finish() moves the builder back. Both
/// bodies return the same number of values, with equal types.
class IfBuilder {
public:
    IfBuilder(Builder &builder, std::string name, ValueId predicate);
    NodeId node() const { return m_node; }
    void otherwise(std::vector<ValueId> results);
    std::vector<ValueId> finish(std::vector<ValueId> results);

private:
    Builder &m_builder;
    NodeId m_node;
    RegionId m_outer;
};

/// Appends a `while`. The constructor opens its test, repeatedly() its body; finish() moves the builder back.
class WhileBuilder {
public:
    WhileBuilder(Builder &builder, std::string name, std::int64_t limit, std::vector<ValueId> carried = {});
    ValueId carried(std::size_t i) const { return m_parameters.at(i); } ///< in the open body
    NodeId node() const { return m_node; }
    void repeatedly(ValueId predicate);
    std::vector<ValueId> finish(std::vector<ValueId> carried = {});

private:
    void open();

    Builder &m_builder;
    NodeId m_node;
    RegionId m_outer;
    std::vector<ValueId> m_parameters;
};

/// Appends a `repeat`. The constructor opens its body in the builder; finish() closes it and moves the builder back.
class RepeatBuilder {
public:
    RepeatBuilder(Builder &builder, std::string name, std::int64_t count, std::vector<ValueId> carried, std::vector<ValueId> stacked,
                  std::vector<char> reversed = {}, bool index = false);
    ValueId index() const { return m_parameters.at(0); }
    ValueId carried(std::size_t i) const { return m_parameters.at(m_index + i); }
    ValueId slice(std::size_t i) const { return m_parameters.at(m_index + m_carried + i); }
    NodeId node() const { return m_node; }
    RegionId body() const { return m_body; }
    /// Results of the node: the carried values, then the stacks. `reversed`: by stacked result.
    std::vector<ValueId> finish(std::vector<ValueId> carried, std::vector<ValueId> stacked, std::vector<char> reversed = {});

private:
    Builder &m_builder;
    NodeId m_node;
    RegionId m_outer, m_body;
    std::size_t m_carried, m_index;
    std::vector<ValueId> m_parameters;
    std::vector<char> m_reversed;
};

} // namespace tilewright::graph
