#include "engine/graph/graph.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/graph/partial_sums.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tilewright::graph {

std::string_view toText(Pass pass)
{
    switch (pass) {
    case Pass::Forward: return "forward";
    case Pass::Recompute: return "recompute";
    case Pass::Backward: return "backward";
    case Pass::Update: return "update";
    case Pass::Other: return "other";
    }
    return "other";
}

std::string_view toText(Role role)
{
    switch (role) {
    case Role::Weight: return "weight";
    case Role::OptimizerState: return "optimizer_state";
    case Role::Activation: return "activation";
    case Role::Gradient: return "gradient";
    case Role::Accumulator: return "accumulator";
    case Role::Input: return "input";
    case Role::Output: return "output";
    case Role::Constant: return "constant";
    case Role::Temporary: return "temporary";
    case Role::Other: return "other";
    }
    return "other";
}

namespace {

template <typename T> T attrOr(std::map<std::string, AttrValue, std::less<>> const &map, std::string_view name, T fallback)
{
    auto const it = map.find(name);
    if (it == map.end()) return fallback;
    auto const *value = std::get_if<T>(&it->second);
    TW_CHECK(value, "attribute '" + std::string(name) + "' has another type");
    return *value;
}

} // namespace

bool Attrs::has(std::string_view name) const { return m_map.find(name) != m_map.end(); }
bool Attrs::flag(std::string_view name, bool fallback) const { return attrOr<bool>(m_map, name, fallback); }
std::int64_t Attrs::integer(std::string_view name, std::int64_t fallback) const { return attrOr<std::int64_t>(m_map, name, fallback); }
double Attrs::real(std::string_view name, double fallback) const { return attrOr<double>(m_map, name, fallback); }
std::string Attrs::text(std::string_view name, std::string fallback) const { return attrOr<std::string>(m_map, name, std::move(fallback)); }
std::vector<std::int64_t> Attrs::integers(std::string_view name) const { return attrOr<std::vector<std::int64_t>>(m_map, name, {}); }
std::vector<double> Attrs::reals(std::string_view name) const { return attrOr<std::vector<double>>(m_map, name, {}); }

std::vector<ValueId> Builder::add(std::string op, std::vector<ValueId> inputs, std::vector<Out> outputs, Attrs attrs, std::string name)
{
    NodeId const id(m_graph.nodes.size());
    Node node;
    node.inputs = std::move(inputs);
    node.attrs = std::move(attrs);
    node.layer = layer;
    node.pass = pass;
    node.stage = stage;
    std::string const leaf = name.empty() ? op : std::move(name);
    node.name = layer.empty() ? leaf : layer + "/" + leaf;
    node.op = std::move(op);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        Value value;
        value.name = outputs.size() == 1 ? node.name : node.name + ":" + std::to_string(i);
        value.shape = std::move(outputs[i].shape);
        value.dtype = outputs[i].dtype;
        value.role = role;
        value.producer = id;
        node.outputs.push_back(ValueId(m_graph.values.size()));
        m_graph.values.push_back(std::move(value));
    }
    auto result = node.outputs;
    m_graph.nodes.push_back(std::move(node));
    m_graph.region(m_region).nodes.push_back(id);
    return result;
}

ValueId Builder::one(std::string op, std::vector<ValueId> inputs, Shape shape, DType dtype, Attrs attrs, std::string name)
{
    return add(std::move(op), std::move(inputs), {{std::move(shape), dtype}}, std::move(attrs), std::move(name))[0];
}

ValueId Builder::constant(double value, Shape shape, DType dtype)
{
    auto const saved = role;
    role = Role::Constant;
    auto const id = one("constant", {}, std::move(shape), dtype, {{"value", value}});
    role = saved;
    return id;
}

ValueId Builder::read(VariableId variable)
{
    auto const &v = m_graph.variable(variable);
    auto const saved = role;
    role = v.role;
    auto const id = one("variable.read", {}, v.shape, v.dtype, {}, "read");
    role = saved;
    m_graph.values[id.index].name = v.name;
    m_graph.nodes.back().variable = variable;
    return id;
}

void Builder::assign(VariableId variable, ValueId value)
{
    add("variable.assign", {value}, {}, {}, "assign");
    m_graph.nodes.back().variable = variable;
}

VariableId addVariable(Graph &graph, Variable variable)
{
    graph.variables.push_back(std::move(variable));
    return VariableId(graph.variables.size() - 1);
}

RegionId addRegion(Graph &graph, std::string label)
{
    graph.regions.push_back({std::move(label), {}});
    return RegionId(graph.regions.size() - 1);
}

RowsCols rowsCols(Shape const &shape)
{
    RowsCols rc;
    if (shape.empty()) return rc;
    rc.cols = shape.back();
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) rc.rows *= shape[i];
    return rc;
}

namespace {

struct Verifier {
    Graph const &graph;
    std::vector<char> defined;
    std::vector<char> nodeSeen;
    std::vector<char> regionSeen;
    std::set<RegionId> called = {}; ///< bodies of calls that are checked

    Diagnostic broken(Node const &node, Message what) const
    {
        return makeError(ErrorKind::Internal, "graph.broken", node.name, Message::of("graph is not well formed: %1", std::move(what)));
    }

    /// The body of calls stands alone: it is checked once, and sees no value around the call.
    Status visitCalled(RegionId id)
    {
        if (called.contains(id)) return {};
        auto const around = std::exchange(defined, std::vector<char>(graph.values.size()));
        TW_TRY(visit(id));
        defined = around;
        called.insert(id);
        return {};
    }

    Status visit(RegionId id)
    {
        if (id.index >= graph.regions.size())
            return makeError(ErrorKind::Internal, "graph.broken", graph.name, Message::of("region does not exist"));
        if (regionSeen[id.index]++) return makeError(ErrorKind::Internal, "graph.broken", graph.name, Message::of("region is used twice"));
        std::vector<ValueId> local;
        for (auto nodeId : graph.region(id).nodes) {
            if (nodeId.index >= graph.nodes.size())
                return makeError(ErrorKind::Internal, "graph.broken", graph.name, Message::of("node does not exist"));
            auto const &node = graph.node(nodeId);
            if (nodeSeen[nodeId.index]++) return broken(node, Message::of("node is listed twice"));
            for (auto input : node.inputs) {
                if (input.index >= graph.values.size()) return broken(node, Message::of("input does not exist"));
                if (!defined[input.index]) return broken(node, Message::of("reads %1 before it is defined", graph.value(input).name));
            }
            for (auto output : node.outputs)
                if (output.index >= graph.values.size()) return broken(node, Message::of("output does not exist"));
            bool const access = is(node, NodeKind::VariableRead, NodeKind::VariableAssign);
            if (access != node.variable.valid()) return broken(node, Message::of("the variable is missing or unexpected"));
            if (access) {
                if (node.variable.index >= graph.variables.size()) return broken(node, Message::of("variable does not exist"));
                auto const &variable = graph.variable(node.variable);
                bool const write = is(node, NodeKind::VariableAssign);
                if ((write ? node.inputs.size() : node.outputs.size()) != 1) return broken(node, Message::of("wrong operand count"));
                auto const &value = graph.value(write ? node.inputs[0] : node.outputs[0]);
                if (value.shape != variable.shape || value.dtype != variable.dtype)
                    return broken(node, Message::of("type differs from variable %1", variable.name));
            }
            if (is(node, NodeKind::Reshape) && node.inputs.size() == 1 && node.outputs.size() == 1) {
                auto const &from = graph.value(node.inputs[0]).shape, &to = graph.value(node.outputs[0]).shape;
                if (elementCount(from) != elementCount(to)) return broken(node, "reshapes " + toText(from) + " to " + toText(to));
            }
            if (is(node, NodeKind::Parameters) && (id.index == 0 || nodeId != graph.region(id).nodes.front()))
                return broken(node, Message::of("parameters must be at the beginning of a body"));
            if (is(node, NodeKind::Results) && (id.index == 0 || nodeId != graph.region(id).nodes.back()))
                return broken(node, Message::of("results must be at the end of a body"));
            for (auto region : node.regions) TW_TRY(is(node, NodeKind::Call) ? visitCalled(region) : visit(region));
            if (auto const problem = controlProblem(graph, node); !problem.empty()) return broken(node, problem);
            if (auto const problem = partialsProblem(graph, node); !problem.empty()) return broken(node, problem);
            if (!node.inPlace.empty() && node.inPlace.size() != node.outputs.size())
                return broken(node, Message::of("inPlace does not match the outputs"));
            for (int index : node.inPlace)
                if (index < -1 || index >= static_cast<int>(node.inputs.size()))
                    return broken(node, Message::of("an index of inPlace is out of range"));
            for (auto output : node.outputs) {
                if (defined[output.index]) return broken(node, Message::of("value is defined twice"));
                if (graph.value(output).producer != nodeId) return broken(node, Message::of("producer of its output differs"));
                defined[output.index] = 1;
                local.push_back(output);
            }
        }
        for (auto value : local) defined[value.index] = 0;
        return {};
    }
};

} // namespace

Status verifyStructure(Graph const &graph)
{
    if (graph.regions.empty()) return makeError(ErrorKind::Internal, "graph.broken", graph.name, Message::of("graph has no entry region"));
    Verifier verifier{graph, std::vector<char>(graph.values.size()), std::vector<char>(graph.nodes.size()),
                      std::vector<char>(graph.regions.size())};
    return verifier.visit(RegionId(0));
}

Graph compact(Graph const &graph)
{
    Graph out;
    out.name = graph.name;
    out.stages = graph.stages;
    out.variables = graph.variables;
    std::vector<ValueId> valueMap(graph.values.size());
    std::map<RegionId, RegionId> called; // bodies that several nodes may name
    auto const visit = [&](auto &&self, RegionId id) -> RegionId {
        RegionId const mapped = addRegion(out, graph.region(id).label);
        for (auto nodeId : graph.region(id).nodes) {
            Node node = graph.node(nodeId);
            NodeId const newId(out.nodes.size());
            out.nodes.emplace_back();
            for (auto &input : node.inputs) input = valueMap[input.index];
            for (auto &output : node.outputs) {
                Value value = graph.value(output);
                value.producer = newId;
                valueMap[output.index] = ValueId(out.values.size());
                output = valueMap[output.index];
                out.values.push_back(std::move(value));
            }
            out.region(mapped).nodes.push_back(newId);
            for (auto &region : node.regions) {
                auto const known = called.find(region);
                if (known != called.end()) {
                    region = known->second;
                    continue;
                }
                auto const old = region;
                region = self(self, region);
                if (is(node, NodeKind::Call)) called[old] = region;
            }
            out.nodes[newId.index] = std::move(node);
        }
        return mapped;
    };
    visit(visit, RegionId(0));
    return out;
}

} // namespace tilewright::graph
