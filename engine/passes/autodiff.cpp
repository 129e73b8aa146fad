#include "engine/passes/autodiff.h"

#include "engine/graph/node_kind.h"
#include "engine/passes/autodiff_walk.h"

#include <algorithm>

namespace tilewright::passes {

using namespace graph;

namespace {

/// Puts the builder's stamps back when the walk is over.
class StampGuard {
public:
    explicit StampGuard(Builder &builder)
        : m_builder(builder), m_layer(builder.layer), m_pass(builder.pass), m_stage(builder.stage), m_role(builder.role)
    {
    }
    ~StampGuard()
    {
        m_builder.layer = m_layer;
        m_builder.pass = m_pass;
        m_builder.stage = m_stage;
        m_builder.role = m_role;
    }
    StampGuard(StampGuard const &) = delete;
    StampGuard &operator=(StampGuard const &) = delete;

private:
    Builder &m_builder;
    std::string m_layer;
    Pass m_pass;
    int m_stage;
    Role m_role;
};

} // namespace

void Arrived::give(ValueId value, ValueId gradient)
{
    auto const &shape = m_builder.graph().value(value).shape;
    auto const dtype = m_builder.graph().value(value).dtype;
    if (m_builder.graph().value(gradient).shape != shape) {
        TW_CHECK(elementCount(m_builder.graph().value(gradient).shape) == elementCount(shape),
                 "gradient of " + m_builder.graph().value(value).name + " has another size");
        gradient = m_builder.one("reshape", {gradient}, shape, dtype);
    }
    m_parts[value].push_back(gradient);
}

ValueId Arrived::take(ValueId value)
{
    auto const it = m_parts.find(value);
    if (it == m_parts.end()) return {};
    ValueId sum = it->second.front();
    for (std::size_t i = 1; i < it->second.size(); ++i)
        sum = addInferred(m_builder, m_ops, "add", {sum, it->second[i]}, {}, "AddGradients")[0];
    it->second.assign(1, sum);
    return sum;
}

void ReverseWalk::spread(std::vector<NodeId> const &nodes, Wanted &wanted) const
{
    for (auto id : nodes) {
        auto const &node = g.node(id);
        bool depends = is(node, NodeKind::VariableRead) && std::ranges::find(m_variables, node.variable) != m_variables.end();
        for (auto input : node.regions.empty() ? node.inputs : graph::reads(g, id)) depends = depends || wanted[input.index];
        if (depends)
            for (auto output : node.outputs) wanted[output.index] = 1;
    }
}

Status ReverseWalk::walk(std::vector<NodeId> const &nodes, Wanted const &wanted, Arrived &arrived)
{
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        Node const node = g.node(*it); // a copy: appending moves the graph's nodes
        b.layer = node.layer;
        b.stage = node.stage;
        if (is(node, NodeKind::VariableRead)) {
            auto const asked = std::ranges::find(m_variables, node.variable);
            auto const gradient = asked == m_variables.end() ? ValueId() : arrived.take(node.outputs[0]);
            if (!gradient.valid()) continue;
            if (m_depth > 0)
                return makeError(
                    ErrorKind::Internal, "autodiff.region", node.name,
                    Message::of("a body reads a variable that is differentiated; read the variable outside the loop or branch"));
            reads[node.variable].emplace_back(gradient, *it);
            continue;
        }
        if (is(node, NodeKind::Repeat)) {
            TW_TRY(repeat(*it, wanted, arrived));
            continue;
        }
        if (is(node, NodeKind::If)) {
            TW_TRY(branch(*it, wanted, arrived));
            continue;
        }
        if (is(node, NodeKind::While)) {
            bool const through = std::ranges::any_of(node.outputs, [&](ValueId v) { return wanted[v.index] && arrived.take(v).valid(); });
            if (!through) continue;
            boundWhile(*it);
            TW_TRY(repeat(*it, wanted, arrived));
            continue;
        }
        if (is(node, NodeKind::Call)) {
            TW_TRY(call(*it, wanted, arrived));
            continue;
        }
        bool const depends = std::ranges::any_of(node.inputs, [&](ValueId v) { return wanted[v.index]; });
        auto const *spec = m_ops(node.op);
        if (!depends || !spec || !spec->gradient) continue;
        std::vector<ValueId> outputGradients;
        bool any = false;
        for (auto output : node.outputs) {
            outputGradients.push_back(arrived.take(output));
            any = any || outputGradients.back().valid();
        }
        if (!any) continue;
        auto const inputGradients = spec->gradient(b, node, outputGradients);
        TW_CHECK(inputGradients.size() == node.inputs.size(), "gradient of " + node.op + " has the wrong length");
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (inputGradients[i].valid() && wanted[node.inputs[i].index]) arrived.give(node.inputs[i], inputGradients[i]);
    }
    return {};
}

Result<Gradients> appendGradients(Builder &builder, OpLookup const &ops, GradientRequest const &request)
{
    StampGuard const guard(builder);
    Graph &g = builder.graph();
    auto const nodes = g.region(builder.region()).nodes; // a copy: the walk appends to the region

    // Only what depends on something asked for is differentiated.
    ReverseWalk walk(builder, ops, request.variables);
    Wanted wanted(g.values.size(), 0);
    for (auto value : request.values) wanted[value.index] = 1;
    walk.spread(nodes, wanted);

    builder.pass = Pass::Backward;
    builder.role = Role::Gradient;
    Arrived arrived(builder, ops);
    for (auto const &seed : request.seeds) arrived.give(seed.value, seed.gradient);
    TW_TRY(walk.walk(nodes, wanted, arrived));

    Gradients result;
    for (auto variable : request.variables) {
        auto const it = walk.reads.find(variable);
        if (it == walk.reads.end()) {
            if (!request.strict) continue;
            return makeError(ErrorKind::Invalid, "autodiff.no-gradient", g.variable(variable).name,
                             Message::of("the trainable variable has no gradient: the loss does not depend on it"),
                             Message::of("connect its layer to an output that has a loss, or set trainable to false"));
        }
        ValueId sum = it->second.front().first;
        for (std::size_t i = 1; i < it->second.size(); ++i) {
            builder.layer = g.node(it->second[i].second).layer;
            builder.stage = g.node(it->second[i].second).stage;
            sum = addInferred(builder, ops, "add", {sum, it->second[i].first}, {}, "AddGradients")[0];
        }
        result.variables[variable] = sum;
    }
    for (auto value : request.values) {
        auto const producer = g.value(value).producer;
        builder.layer = g.node(producer).layer;
        builder.stage = g.node(producer).stage;
        result.values.push_back(arrived.take(value));
    }
    return result;
}

Result<std::map<VariableId, ValueId>> appendGradients(Builder &builder, OpLookup const &ops, ValueId loss, std::span<VariableId const> wrt)
{
    auto const pass = builder.pass;
    builder.pass = Pass::Backward;
    auto const shape = builder.graph().value(loss).shape;
    auto const dtype = builder.graph().value(loss).dtype;
    GradientSeed const seed{loss, builder.constant(1.0, shape, dtype)};
    builder.pass = pass;
    TW_ASSIGN(auto gradients, appendGradients(builder, ops, {{&seed, 1}, wrt, {}, true}));
    return std::move(gradients.variables);
}

} // namespace tilewright::passes
