#include "engine/graph/control.h"

#include "engine/graph/checkpoint.h"
#include "engine/graph/node_kind.h"

#include <algorithm>
#include <set>

namespace tilewright::graph {

RepeatForm repeatForm(Node const &node)
{
    RepeatForm form;
    form.count = node.attrs.integer("count");
    form.carried = static_cast<std::size_t>(node.attrs.integer("carried"));
    form.stackedIn = node.inputs.size() - form.carried;
    form.stackedOut = node.outputs.size() - form.carried;
    form.index = node.attrs.flag("index");
    form.reversed.assign(form.stackedIn + form.stackedOut, 0);
    auto const reversed = node.attrs.integers("reversed");
    for (std::size_t i = 0; i < reversed.size() && i < form.reversed.size(); ++i) form.reversed[i] = reversed[i] != 0;
    return form;
}

std::int64_t countOf(Node const &node) { return is(node, NodeKind::Repeat, NodeKind::Pipeline) ? node.attrs.integer("count") : 1; }

std::int64_t limitOf(Node const &node) { return node.attrs.integer("limit"); }

bool dependsOnData(Node const &node) { return is(node, NodeKind::If, NodeKind::While); }

NodeId parametersNode(Graph const &graph, RegionId region)
{
    auto const &nodes = graph.region(region).nodes;
    return !nodes.empty() && is(graph.node(nodes.front()), NodeKind::Parameters) ? nodes.front() : NodeId();
}

NodeId resultsNode(Graph const &graph, RegionId region)
{
    auto const &nodes = graph.region(region).nodes;
    return !nodes.empty() && is(graph.node(nodes.back()), NodeKind::Results) ? nodes.back() : NodeId();
}

std::vector<ValueId> parametersOf(Graph const &graph, RegionId region)
{
    auto const id = parametersNode(graph, region);
    return id.valid() ? graph.node(id).outputs : std::vector<ValueId>();
}

std::vector<ValueId> resultsOf(Graph const &graph, RegionId region)
{
    auto const id = resultsNode(graph, region);
    return id.valid() ? graph.node(id).inputs : std::vector<ValueId>();
}

bool isRegionEnd(Node const &node) { return is(node, NodeKind::Parameters, NodeKind::Results); }

namespace {

bool sameType(Value const &a, Value const &b) { return a.shape == b.shape && a.dtype == b.dtype; }

/// Whether `stack` is `count` of `slice`.
bool isStackOf(Value const &stack, Value const &slice, std::int64_t count)
{
    Shape whole = slice.shape;
    whole.insert(whole.begin(), count);
    return stack.shape == whole && stack.dtype == slice.dtype;
}

template <typename T> bool isA(Node const &node, std::string_view attribute)
{
    auto const it = node.attrs.all().find(attribute);
    return it == node.attrs.all().end() || std::holds_alternative<T>(it->second);
}

Message repeatProblem(Graph const &graph, Node const &node)
{
    if (!isA<std::int64_t>(node, "count") || !isA<std::int64_t>(node, "carried") || !isA<bool>(node, "index")
        || !isA<std::vector<std::int64_t>>(node, "reversed") || !isA<bool>(node, kSegment) || !isA<bool>(node, kRecompute))
        return Message::of("has an attribute of the wrong type");
    if (node.attrs.integer("count") < 1) return Message::of("repeats less than once");
    auto const carried = node.attrs.integer("carried");
    if (carried < 0 || carried > static_cast<std::int64_t>(std::min(node.inputs.size(), node.outputs.size())))
        return Message::of("carries more values than it has");
    auto const form = repeatForm(node);
    auto const reversed = node.attrs.integers("reversed");
    if (!reversed.empty() && reversed.size() != form.reversed.size()) return Message::of("does not give the order of each stack");
    auto const parameters = parametersOf(graph, node.regions[0]), results = resultsOf(graph, node.regions[0]);
    std::size_t const first = form.index ? 1 : 0;
    if (parameters.size() != first + node.inputs.size())
        return Message::of("passes a different number of values than its body has parameters");
    if (results.size() != node.outputs.size()) return Message::of("has a different number of results than its body");
    if (form.index && !sameType(graph.value(parameters[0]), {"", {}, DType::I32, {}, {}}))
        return Message::of("its body's counter has the wrong type");
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        auto const &given = graph.value(node.inputs[i]), &taken = graph.value(parameters[first + i]);
        if (i < form.carried ? !sameType(given, taken) : !isStackOf(given, taken, form.count))
            return Message::of("its body takes %1 in a different type", taken.name);
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        auto const &given = graph.value(results[i]), &out = graph.value(node.outputs[i]);
        if (i < form.carried ? !sameType(given, out) || !sameType(given, graph.value(node.inputs[i])) : !isStackOf(out, given, form.count))
            return Message::of("its body returns %1 in a different type", given.name);
    }
    return {};
}

Message callProblem(Graph const &graph, Node const &node)
{
    auto const parameters = parametersOf(graph, node.regions[0]), results = resultsOf(graph, node.regions[0]);
    if (parameters.size() != node.inputs.size()) return Message::of("passes a different number of values than its body has parameters");
    if (results.size() != node.outputs.size()) return Message::of("has a different number of results than its body");
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (!sameType(graph.value(parameters[i]), graph.value(node.inputs[i])))
            return Message::of("its body takes %1 in a different type", graph.value(parameters[i]).name);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!sameType(graph.value(results[i]), graph.value(node.outputs[i])))
            return Message::of("its body returns %1 in a different type", graph.value(results[i]).name);
    return {};
}

bool isPredicate(Value const &value) { return value.shape.empty() && value.dtype != DType::F16; }

/// Whether a body gives values typed as these; "" = it does.
Message resultsProblem(Graph const &graph, RegionId body, std::vector<ValueId> const &wanted)
{
    auto const results = resultsOf(graph, body);
    if (results.size() != wanted.size()) return Message::of("has a different number of results than one of its bodies");
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!sameType(graph.value(results[i]), graph.value(wanted[i])))
            return Message::of("one of its bodies returns %1 in a different type", graph.value(results[i]).name);
    return {};
}

Message ifProblem(Graph const &graph, Node const &node)
{
    if (node.regions.size() != 2) return Message::of("needs two bodies");
    if (node.inputs.size() != 1 || !isPredicate(graph.value(node.inputs[0]))) return Message::of("needs one scalar predicate");
    for (auto region : node.regions) {
        if (parametersNode(graph, region).valid()) return Message::of("its body has parameters");
        if (auto const problem = resultsProblem(graph, region, node.outputs); !problem.empty()) return problem;
    }
    return {};
}

Message whileProblem(Graph const &graph, Node const &node)
{
    if (node.regions.size() != 2) return Message::of("needs a test and a body");
    if (!isA<std::int64_t>(node, "limit")) return Message::of("has an attribute of the wrong type");
    if (limitOf(node) < 1) return Message::of("its limit is below 1");
    if (node.inputs.size() != node.outputs.size()) return Message::of("carries a different number of values than it returns");
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (!sameType(graph.value(node.inputs[i]), graph.value(node.outputs[i])))
            return Message::of("returns %1 in a different type", graph.value(node.outputs[i]).name);
    for (auto region : node.regions) {
        auto const parameters = parametersOf(graph, region);
        if (parameters.size() != node.inputs.size())
            return Message::of("passes a different number of values than one of its bodies has parameters");
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (!sameType(graph.value(parameters[i]), graph.value(node.inputs[i])))
                return Message::of("one of its bodies takes %1 in a different type", graph.value(parameters[i]).name);
    }
    auto const test = resultsOf(graph, node.regions[0]);
    if (test.size() != 1 || !isPredicate(graph.value(test[0]))) return Message::of("its test does not return a scalar predicate");
    return resultsProblem(graph, node.regions[1], node.outputs);
}

} // namespace

Message controlProblem(Graph const &graph, Node const &node)
{
    if (is(node, NodeKind::If)) return ifProblem(graph, node);
    if (is(node, NodeKind::While)) return whileProblem(graph, node);
    if (!is(node, NodeKind::Repeat, NodeKind::Call)) {
        for (auto region : node.regions)
            if (parametersNode(graph, region).valid() || resultsNode(graph, region).valid())
                return Message::of("its body has parameters or results");
        return {};
    }
    if (node.regions.size() != 1) return Message::of("needs one body");
    return is(node, NodeKind::Repeat) ? repeatProblem(graph, node) : callProblem(graph, node);
}

std::vector<ValueId> reads(Graph const &graph, NodeId node)
{
    std::vector<ValueId> all = graph.node(node).inputs;
    std::set<ValueId> seen(all.begin(), all.end());
    std::set<NodeId> inside;
    auto const visit = [&](auto &&self, RegionId region) -> void {
        for (auto id : graph.region(region).nodes) {
            inside.insert(id);
            for (auto input : graph.node(id).inputs)
                if (!inside.contains(graph.value(input).producer) && seen.insert(input).second) all.push_back(input);
            for (auto sub : graph.node(id).regions) self(self, sub);
        }
    };
    for (auto region : graph.node(node).regions) visit(visit, region);
    return all;
}

ValueId addOutput(Graph &graph, NodeId node, Value value)
{
    ValueId const id(graph.values.size());
    value.producer = node;
    graph.values.push_back(std::move(value));
    graph.node(node).outputs.push_back(id);
    return id;
}

namespace {

/// A node without results and operands' types of its own, and the region around it.
NodeId addControl(Builder &builder, std::string op, std::vector<ValueId> inputs, Attrs attrs, std::string name)
{
    builder.add(std::move(op), std::move(inputs), {}, std::move(attrs), std::move(name));
    return NodeId(builder.graph().nodes.size() - 1);
}

/// One more body of a node, open in the builder.
void openBody(Builder &builder, NodeId node, std::string const &label)
{
    auto const body = addRegion(builder.graph(), label);
    builder.graph().node(node).regions.push_back(body);
    builder.setRegion(body);
}

void closeBody(Builder &builder, std::vector<ValueId> results)
{
    if (results.empty()) return;
    auto const label = builder.graph().region(builder.region()).label;
    builder.add("results", std::move(results), {}, {}, label + "/results");
}

/// Results of a node, typed as these.
std::vector<ValueId> addOutputs(Graph &graph, NodeId node, std::vector<ValueId> const &like)
{
    auto const name = graph.node(node).name;
    for (std::size_t i = 0; i < like.size(); ++i) {
        Value value = graph.value(like[i]);
        value.name = like.size() == 1 ? name : name + ":" + std::to_string(i);
        addOutput(graph, node, std::move(value));
    }
    return graph.node(node).outputs;
}

} // namespace

IfBuilder::IfBuilder(Builder &builder, std::string name, ValueId predicate) : m_builder(builder), m_outer(builder.region())
{
    m_node = addControl(builder, "if", {predicate}, {}, name);
    openBody(builder, m_node, name + "/then");
}

void IfBuilder::otherwise(std::vector<ValueId> results)
{
    auto const name = m_builder.graph().node(m_node).name;
    closeBody(m_builder, std::move(results));
    openBody(m_builder, m_node, name + "/else");
}

std::vector<ValueId> IfBuilder::finish(std::vector<ValueId> results)
{
    closeBody(m_builder, results);
    m_builder.setRegion(m_outer);
    return addOutputs(m_builder.graph(), m_node, results);
}

WhileBuilder::WhileBuilder(Builder &builder, std::string name, std::int64_t limit, std::vector<ValueId> carried)
    : m_builder(builder), m_outer(builder.region())
{
    m_node = addControl(builder, "while", std::move(carried), {{"limit", limit}}, std::move(name));
    open();
}

void WhileBuilder::open()
{
    Graph &g = m_builder.graph();
    auto const name = g.node(m_node).name + (g.node(m_node).regions.empty() ? "/test" : "/body");
    openBody(m_builder, m_node, name);
    std::vector<Builder::Out> outs;
    for (auto value : g.node(m_node).inputs) outs.push_back({g.value(value).shape, g.value(value).dtype});
    m_parameters = outs.empty() ? std::vector<ValueId>() : m_builder.add("parameters", {}, std::move(outs), {}, name + "/parameters");
}

void WhileBuilder::repeatedly(ValueId predicate)
{
    closeBody(m_builder, {predicate});
    open();
}

std::vector<ValueId> WhileBuilder::finish(std::vector<ValueId> carried)
{
    closeBody(m_builder, carried);
    m_builder.setRegion(m_outer);
    return addOutputs(m_builder.graph(), m_node, carried);
}

RepeatBuilder::RepeatBuilder(Builder &builder, std::string name, std::int64_t count, std::vector<ValueId> carried,
                             std::vector<ValueId> stacked, std::vector<char> reversed, bool index)
    : m_builder(builder), m_outer(builder.region()), m_carried(carried.size()), m_index(index ? 1 : 0), m_reversed(std::move(reversed))
{
    Graph &g = builder.graph();
    m_reversed.resize(stacked.size(), 0);
    std::vector<Builder::Out> outs;
    if (index) outs.push_back({{}, DType::I32});
    for (auto value : carried) outs.push_back({g.value(value).shape, g.value(value).dtype});
    for (auto value : stacked) {
        auto const &type = g.value(value);
        outs.push_back({{type.shape.begin() + 1, type.shape.end()}, type.dtype});
    }
    auto inputs = std::move(carried);
    inputs.insert(inputs.end(), stacked.begin(), stacked.end());
    Attrs attrs{{"count", count}, {"carried", static_cast<std::int64_t>(m_carried)}};
    if (index) attrs.set("index", true);
    builder.add("repeat", std::move(inputs), {}, std::move(attrs), name);
    m_node = NodeId(g.nodes.size() - 1);
    m_body = addRegion(g, name);
    g.node(m_node).regions = {m_body};
    builder.setRegion(m_body);
    if (!outs.empty()) m_parameters = builder.add("parameters", {}, std::move(outs), {}, name + "/parameters");
}

std::vector<ValueId> RepeatBuilder::finish(std::vector<ValueId> carried, std::vector<ValueId> stacked, std::vector<char> reversed)
{
    Graph &g = m_builder.graph();
    TW_CHECK(carried.size() == m_carried, "a loop gives another number of values than it carries");
    auto results = std::move(carried);
    results.insert(results.end(), stacked.begin(), stacked.end());
    auto const name = g.node(m_node).name;
    for (std::size_t i = 0; i < results.size(); ++i) {
        Value value = g.value(results[i]);
        value.name = results.size() == 1 ? name : name + ":" + std::to_string(i);
        if (i >= m_carried) value.shape.insert(value.shape.begin(), g.node(m_node).attrs.integer("count"));
        addOutput(g, m_node, std::move(value));
    }
    if (!results.empty()) m_builder.add("results", std::move(results), {}, {}, g.region(m_body).label + "/results");
    reversed.resize(stacked.size(), 0);
    std::vector<std::int64_t> flags(m_reversed.begin(), m_reversed.end());
    flags.insert(flags.end(), reversed.begin(), reversed.end());
    if (std::ranges::any_of(flags, [](auto f) { return f != 0; })) g.node(m_node).attrs.set("reversed", std::move(flags));
    m_builder.setRegion(m_outer);
    return g.node(m_node).outputs;
}

} // namespace tilewright::graph
