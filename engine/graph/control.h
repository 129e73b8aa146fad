#pragma once

#include "engine/graph/graph.h"

#include <functional>
#include <vector>

/// Structured control. A body is a region whose first node `parameters` makes what it is given and whose last node
/// `results` takes what it gives back; both may be missing where there is nothing. They are nodes and not lists of the
/// region, so that every value has a producer and every use is an operand, whoever walks over a graph.
///
/// repeat {count, carried, index, reversed}: the body `count` times. Operands are the first values of what is carried
///   from one step to the next, then stacked tensors, of which step t is given slice t of the first dimension. The body's
///   parameters are (with `index`) the number of the step, the carried values, the slices; its results the carried values
///   for the next step, then what is stacked by step. Results of the node: the carried values after the last step, the
///   stacks. `reversed` holds 1 for each stack (operands, then results) whose slice count-1-t belongs to step t.
///   The body may read values of the regions around it. Without any of this it is the device loop: state in variables.
/// call: operands, parameters; results, results. Several calls may name one body, which reads nothing around it.
/// if: its operand is a scalar, true where it is not zero; its bodies [then, else] take no parameters, read what is around
///   them, and give the node's results.
/// while {limit}: bodies [test, body]; operands are what is carried, parameters of both. The test gives one scalar: not zero,
///   the body runs and gives what is carried next; at most `limit` times. Results of the node: what is carried at the end.
namespace tilewright::graph {

/// How the operands of a `repeat` divide.
struct RepeatForm {
    std::int64_t count = 1;
    std::size_t carried = 0, stackedIn = 0, stackedOut = 0;
    bool index = false;
    std::vector<char> reversed; ///< by stack, operands then results
    bool isLoopOverVariables() const { return carried + stackedIn + stackedOut == 0 && !index; }
};
/// Requires: a `repeat` that verifyStructure accepts.
RepeatForm repeatForm(Node const &node);

/// How often the body of a `repeat` or a `pipeline` runs, one after the other; 1 of other nodes.
std::int64_t countOf(Node const &node);
/// The most times that the body of a `while` runs.
std::int64_t limitOf(Node const &node);
/// Whether what a body of the node leaves depends on the device's numbers: `if`, `while`.
bool dependsOnData(Node const &node);

/// The node that makes a body's parameters, that which takes its results; invalid where there is none.
NodeId parametersNode(Graph const &graph, RegionId region);
NodeId resultsNode(Graph const &graph, RegionId region);
std::vector<ValueId> parametersOf(Graph const &graph, RegionId region);
std::vector<ValueId> resultsOf(Graph const &graph, RegionId region);
bool isRegionEnd(Node const &node); ///< one of these two nodes

/// Whether operands and results of a node with bodies fit their parameters and results; "" = they do.
Message controlProblem(Graph const &graph, Node const &node);

/// Values that a node reads: its operands, then what its bodies read of the regions around them, each once.
std::vector<ValueId> reads(Graph const &graph, NodeId node);

/// One more result of a node that is there already.
ValueId addOutput(Graph &graph, NodeId node, Value value);

/// Appends an `if`: the constructor opens its first body in the builder, otherwise() its second, finish() moves the
/// builder back. Both give as many values, of the same types.
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

/// Appends a `while`: the constructor opens its test, repeatedly() its body, finish() moves the builder back.
class WhileBuilder {
public:
    WhileBuilder(Builder &builder, std::string name, std::int64_t limit, std::vector<ValueId> carried = {});
    ValueId carried(std::size_t i) const { return m_parameters.at(i); } ///< in the body that is open
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

/// Appends a `repeat` step by step: the constructor opens its body in the builder, finish() closes it and moves the
/// builder back.
class RepeatBuilder {
public:
    RepeatBuilder(Builder &builder, std::string name, std::int64_t count, std::vector<ValueId> carried, std::vector<ValueId> stacked,
                  std::vector<char> reversed = {}, bool index = false);
    ValueId index() const { return m_parameters.at(0); }
    ValueId carried(std::size_t i) const { return m_parameters.at(m_index + i); }
    ValueId slice(std::size_t i) const { return m_parameters.at(m_index + m_carried + i); }
    NodeId node() const { return m_node; }
    RegionId body() const { return m_body; }
    /// Results of the node: the carried ones, then the stacks. `reversed` by stacked result.
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
