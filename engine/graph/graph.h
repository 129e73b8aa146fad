#pragma once

#include "engine/core/home.h"
#include "engine/core/types.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewright::graph {

using tilewright::toText; // keeps the overloads of core visible

using ValueId = Id<struct ValueTag>;
using NodeId = Id<struct NodeTag>;
using RegionId = Id<struct RegionTag>;
using VariableId = Id<struct VariableTag>;

/// The part of training that a node belongs to; the terms of the report.
enum class Pass : std::uint8_t { Forward, Recompute, Backward, Update, Other };
/// The purpose of a value or variable; the terms of the report (`variable.role`).
enum class Role : std::uint8_t { Weight, OptimizerState, Activation, Gradient, Accumulator, Input, Output, Constant, Temporary, Other };
std::string_view toText(Pass pass);
std::string_view toText(Role role);

/// Attributes in name order, so that printing and hashing do not depend on insertion.
using AttrValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;
class Attrs {
public:
    Attrs() = default;
    Attrs(std::initializer_list<std::pair<std::string const, AttrValue>> items) : m_map(items) {}
    void set(std::string name, AttrValue value) { m_map[std::move(name)] = std::move(value); }
    bool has(std::string_view name) const;
    /// Each returns the attribute, or `fallback` if it is absent. Requires: matching type.
    bool flag(std::string_view name, bool fallback = false) const;
    std::int64_t integer(std::string_view name, std::int64_t fallback = 0) const;
    double real(std::string_view name, double fallback = 0) const;
    std::string text(std::string_view name, std::string fallback = {}) const;
    std::vector<std::int64_t> integers(std::string_view name) const;
    std::vector<double> reals(std::string_view name) const;
    std::map<std::string, AttrValue, std::less<>> const &all() const { return m_map; }
    std::map<std::string, AttrValue, std::less<>> &all() { return m_map; }
    bool operator==(Attrs const &) const = default;

private:
    std::map<std::string, AttrValue, std::less<>> m_map;
};

/// A tensor produced by one node (SSA).
struct Value {
    std::string name;
    Shape shape;
    DType dtype = DType::F32;
    Role role = Role::Activation;
    NodeId producer;
    bool operator==(Value const &) const = default;
};

/// One operation. Its origin (`layer`, the user's name; `name`, the path below it), its `pass` and its pipeline `stage` survive every
/// rewrite.
struct Node {
    std::string op;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    Attrs attrs;
    std::string name;
    std::string layer;
    Pass pass = Pass::Forward;
    int stage = 0;
    std::vector<RegionId> regions; ///< bodies of `repeat`, `call` and `pipeline`, see control.h
    std::vector<int> inPlace;      ///< per output: the input whose storage it reuses, -1: own storage; empty: none
    VariableId variable;           ///< of variable.read / variable.assign
    bool operator==(Node const &) const = default;
};

/// State that survives executions: weights, optimizer slots, accumulators, counters.
struct Variable {
    std::string name; ///< "dense/kernel"
    Shape shape;
    DType dtype = DType::F32;
    Role role = Role::Weight;
    std::string layer;
    std::string initializer; ///< Keras initializer as JSON; "" = zeros
    bool trainable = false;
    int stage = 0;
    Home home = Home::Tiles;
    bool operator==(Variable const &) const = default;
};

/// Nodes in execution order. A region may read values of enclosing regions (except the body of a call). Its own values are not visible
/// outside: a body returns results (control.h).
struct Region {
    std::string label;
    std::vector<NodeId> nodes;
    bool operator==(Region const &) const = default;
};

/// The typed tensor program. Passes never renumber nodes and values; dead ones are in no region (compact() drops them).
struct Graph {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Value> values;
    std::vector<Variable> variables;
    std::vector<Region> regions; ///< [0] is the entry
    int stages = 1;
    bool operator==(Graph const &) const = default;

    Node &node(NodeId id) { return nodes[id.index]; }
    Node const &node(NodeId id) const { return nodes[id.index]; }
    Value &value(ValueId id) { return values[id.index]; }
    Value const &value(ValueId id) const { return values[id.index]; }
    Region &region(RegionId id) { return regions[id.index]; }
    Region const &region(RegionId id) const { return regions[id.index]; }
    Variable const &variable(VariableId id) const { return variables[id.index]; }
};

/// Appends nodes to one region, with the current layer, pass and stage. The caller gives shapes and types of the outputs (ops infer them).
class Builder {
public:
    Builder(Graph &graph, RegionId region) : m_graph(graph), m_region(region) {}
    Graph &graph() { return m_graph; }
    RegionId region() const { return m_region; }
    void setRegion(RegionId region) { m_region = region; }

    std::string layer;            ///< set on new nodes
    Pass pass = Pass::Forward;    ///< set on new nodes
    int stage = 0;                ///< set on new nodes
    Role role = Role::Activation; ///< set on new outputs

    struct Out {
        Shape shape;
        DType dtype;
    };
    /// Appends a node and returns its outputs. `name` is the last part of the node's path.
    std::vector<ValueId> add(std::string op, std::vector<ValueId> inputs, std::vector<Out> outputs, Attrs attrs = {},
                             std::string name = {});
    /// The same for a single output.
    ValueId one(std::string op, std::vector<ValueId> inputs, Shape shape, DType dtype, Attrs attrs = {}, std::string name = {});
    ValueId constant(double value, Shape shape = {}, DType dtype = DType::F32);
    ValueId read(VariableId variable);
    void assign(VariableId variable, ValueId value);

private:
    Graph &m_graph;
    RegionId m_region;
};

VariableId addVariable(Graph &graph, Variable variable);
RegionId addRegion(Graph &graph, std::string label);

/// A tensor as rows and columns for the tiles: the last dimension is the columns, all others are rows. A scalar is 1 x 1; a vector is one
/// row.
struct RowsCols {
    std::int64_t rows = 1, cols = 1;
};
RowsCols rowsCols(Shape const &shape);

/// Structural check: ids in range; each value defined once and before its uses; regions form a tree (except bodies of calls); types of
/// parameters and results match their surroundings; inPlace indices valid; variables typed as their reads. (The op table checks shapes.)
Status verifyStructure(Graph const &graph);

/// Text form; parse(print(g)) == g for compacted graphs.
std::string print(Graph const &graph);
Result<Graph> parse(std::string_view text);

/// Drops nodes and values outside all regions and renumbers densely in region order.
Graph compact(Graph const &graph);

} // namespace tilewright::graph
