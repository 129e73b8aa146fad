#include "engine/passes/graph_edit.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/graph/written.h"

#include <algorithm>
#include <type_traits>

namespace tilewright::passes {

using namespace graph;

void forEachRegion(Graph const &graph, std::function<void(RegionId)> const &visit)
{
    std::vector<char> seen(graph.regions.size(), 0); // several calls can use one body
    auto const walk = [&](auto &&self, RegionId region) -> void {
        if (seen[region.index]++) return;
        visit(region);
        for (auto id : graph.region(region).nodes)
            for (auto sub : graph.node(id).regions) self(self, sub);
    };
    walk(walk, RegionId(0));
}

void forEachNodeWithin(Graph const &graph, NodeId node, std::function<void(NodeId)> const &visit)
{
    visit(node);
    for (auto region : graph.node(node).regions)
        for (auto inner : graph.region(region).nodes) forEachNodeWithin(graph, inner, visit);
}

std::vector<int> countUses(Graph const &graph)
{
    std::vector<int> uses(graph.values.size(), 0);
    forEachRegion(graph, [&](RegionId region) {
        for (auto id : graph.region(region).nodes)
            for (auto input : graph.node(id).inputs) ++uses[input.index];
    });
    return uses;
}

void Replacements::set(ValueId from, ValueId to)
{
    if (m_to.size() <= from.index) m_to.resize(from.index + 1);
    m_to[from.index] = to;
}

ValueId Replacements::of(ValueId value) const
{
    while (value.index < m_to.size() && m_to[value.index].valid()) value = m_to[value.index];
    return value;
}

void Replacements::applyTo(Node &node) const
{
    for (auto &input : node.inputs) input = of(input);
}

void Replacements::applyTo(Graph &graph) const
{
    if (m_to.empty()) return;
    forEachRegion(graph, [&](RegionId region) {
        for (auto id : graph.region(region).nodes) applyTo(graph.node(id));
    });
}

std::optional<double> uniformConstant(Graph const &graph, ValueId value)
{
    auto const &node = graph.node(graph.value(value).producer);
    if (!is(node, NodeKind::Constant) || node.attrs.has("values") || isWritten(node)) return std::nullopt;
    return node.attrs.real("value");
}

void appendAttrs(std::string &key, Attrs const &attrs)
{
    auto const raw = [&](void const *data, std::size_t bytes) { key.append(static_cast<char const *>(data), bytes); };
    auto const sized = [&](void const *data, std::size_t count, std::size_t each) {
        raw(&count, sizeof count);
        raw(data, count * each);
    };
    for (auto const &[name, value] : attrs.all()) {
        sized(name.data(), name.size(), 1);
        key += static_cast<char>(value.index());
        std::visit(
            [&]<typename T>(T const &v) {
                if constexpr (std::is_arithmetic_v<T>) raw(&v, sizeof v);
                else sized(v.data(), v.size(), sizeof(typename T::value_type));
            },
            value);
    }
    key += '\x03';
}

Bytes bytesOf(Value const &value) { return elementCount(value.shape) * sizeOf(value.dtype); }

ValueId viewSource(Graph const &graph, ValueId value)
{
    while (is(graph.node(graph.value(value).producer), NodeKind::Reshape)) value = graph.node(graph.value(value).producer).inputs[0];
    return value;
}

int forcedInPlace(OpLookup const &ops, Node const &node, int output)
{
    auto const *spec = ops(node.op);
    return spec && spec->updates ? output : -1;
}

namespace {

/// Appends a copy of the node with own results.
NodeId copyOne(Graph &g, NodeId from, std::map<ValueId, ValueId> &renamed, std::string_view suffix)
{
    Node copy = g.node(from);
    copy.pass = graph::Pass::Recompute;
    copy.name += suffix;
    for (auto &input : copy.inputs)
        if (auto const it = renamed.find(input); it != renamed.end()) input = it->second;
    if (!is(copy, NodeKind::Call))
        for (auto &body : copy.regions) {
            RegionId const own(g.regions.size());
            g.regions.push_back({g.region(body).label, {}});
            std::vector<NodeId> copies;
            for (auto const inner : std::vector(g.region(body).nodes)) copies.push_back(copyOne(g, inner, renamed, ""));
            g.region(own).nodes = std::move(copies);
            body = own;
        }
    NodeId const id(g.nodes.size());
    for (auto &output : copy.outputs) {
        Value value = g.value(output);
        value.name += "/again";
        value.producer = id;
        renamed[output] = ValueId(g.values.size());
        output = renamed[output];
        g.values.push_back(std::move(value));
    }
    g.nodes.push_back(std::move(copy));
    return id;
}

} // namespace

NodeId copyToRecompute(Graph &graph, NodeId node, std::map<ValueId, ValueId> &renamed, std::string_view suffix)
{
    return copyOne(graph, node, renamed, suffix);
}

bool readsChanging(Graph const &graph, ValueId value, std::set<VariableId> const &changing)
{
    auto const &producer = graph.node(graph.value(viewSource(graph, value)).producer);
    return is(producer, NodeKind::VariableRead) && changing.contains(producer.variable);
}

bool isRepeatable(Graph const &graph, OpLookup const &ops, NodeId id, std::set<VariableId> const &changing)
{
    auto const operands = reads(graph, id);
    bool good = std::ranges::none_of(operands, [&](ValueId value) { return readsChanging(graph, value, changing); });
    forEachNodeWithin(graph, id, [&](NodeId inner) {
        auto const &node = graph.node(inner);
        auto const *spec = ops(node.op);
        bool const within = inner != id;
        if (within && isRegionEnd(node)) return;
        bool const state = node.variable.valid() || is(node, NodeKind::Infeed, NodeKind::Outfeed, NodeKind::AllReduce, NodeKind::IpuCopy);
        good = good && spec && !state && !spec->updates && !(spec->hasEffect && node.regions.empty()) && !(spec->isRandom && !spec->stream);
    });
    return good && !is(graph.node(id), NodeKind::Constant);
}

bool writesVariable(Graph const &graph, NodeId node, VariableId variable)
{
    bool found = false;
    forEachNodeWithin(graph, node, [&](NodeId id) {
        found = found || (is(graph.node(id), NodeKind::VariableAssign) && graph.node(id).variable == variable);
    });
    return found;
}

} // namespace tilewright::passes
