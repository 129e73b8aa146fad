#include "engine/passes/outline_nodes.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/outline_price.h"

namespace tilewright::passes {

using namespace graph;

bool OutlineNodes::computes(Node const &node) const
{
    if (node.variable.valid() || is(node, NodeKind::Infeed, NodeKind::IpuCopy, NodeKind::AllReduce)) return false;
    auto const *spec = m_ops(node.op);
    return spec && !spec->hasEffect && !spec->isRandom && !spec->updates; // reads the storage of a variable
}

/// A loop over values: its random numbers would be numbered by caller and by step.
bool OutlineNodes::loopComputes(Node const &node) const
{
    if (!is(node, NodeKind::Repeat) || repeatForm(node).isLoopOverVariables()) return false;
    for (auto const id : g.region(node.regions[0]).nodes) {
        auto const &inner = g.node(id);
        if (isRegionEnd(inner)) continue;
        if (inner.regions.empty() ? !computes(inner) || inner.outputs.empty() || streamOf(inner) : !loopComputes(inner)) return false;
    }
    return true;
}

bool OutlineNodes::mayMove(NodeId id) const
{
    auto const &node = g.node(id);
    if (isRegionEnd(node) || node.outputs.empty()) return false;
    return node.regions.empty() ? computes(node) : loopComputes(node);
}

std::optional<std::string> OutlineNodes::streamOf(Node const &node) const
{
    auto const *spec = m_ops(node.op);
    if (!spec || !spec->stream || node.inputs.size() != spec->stream->operand) return {};
    return std::string(spec->stream->attribute);
}

std::vector<ValueId> OutlineNodes::operandsOf(NodeId id) const
{
    auto const &node = g.node(id);
    return node.regions.empty() ? node.inputs : reads(g, id);
}

std::string OutlineNodes::keyOf(NodeId id) const
{
    auto const &node = g.node(id);
    std::string key = node.op + '\x01';
    if (auto const stream = streamOf(node)) {
        auto attrs = node.attrs;
        attrs.set(*stream, node.attrs.integer(*stream) & ~kGivenOfStream);
        appendAttrs(key, attrs);
    } else {
        appendAttrs(key, node.attrs);
    }
    auto const operands = operandsOf(id);
    for (auto const input : operands) {
        auto const &value = g.value(input);
        key += std::string(toText(value.dtype)) + toText(value.shape);
        auto const &producer = g.node(value.producer);
        if (is(producer, NodeKind::Constant)) appendAttrs(key, producer.attrs);
    }
    key += '\x02';
    for (auto const output : node.outputs) {
        auto const &value = g.value(output);
        key += std::string(toText(value.dtype)) + toText(value.shape) + std::string(toText(value.role));
    }
    if (node.regions.empty()) return key;
    std::vector<std::int64_t> numbers(g.values.size(), 0);
    std::int64_t next = 0;
    for (auto const operand : operands) numbers[operand.index] = ++next;
    for (auto const region : node.regions) appendBody(key, region, numbers, next);
    return key;
}

/// The nodes of a body, with values numbered in order of appearance.
void OutlineNodes::appendBody(std::string &key, RegionId region, std::vector<std::int64_t> &numbers, std::int64_t &next) const
{
    key += '\x03';
    for (auto const id : g.region(region).nodes) {
        auto const &node = g.node(id);
        key += node.op + '\x01';
        appendAttrs(key, node.attrs);
        for (auto const input : node.inputs) key += std::to_string(numbers[input.index]) + ',';
        for (auto const output : node.outputs) {
            auto const &value = g.value(output);
            numbers[output.index] = ++next;
            key += std::string(toText(value.dtype)) + toText(value.shape) + std::string(toText(value.role));
        }
        for (auto const inner : node.regions) appendBody(key, inner, numbers, next);
    }
    key += '\x04';
}

Bytes OutlineNodes::codeOf(NodeId id) const
{
    Bytes code = 0;
    forEachNodeWithin(g, id, [&](NodeId inner) {
        if (auto const *spec = m_ops(g.node(inner).op)) code += codeEstimate(*spec);
    });
    return code;
}

bool BodyWriter::knows(ValueId value) const { return value.index < m_inside.size() && m_inside[value.index].valid(); }

Node BodyWriter::copyOf(Node const &node)
{
    Node copy = node;
    for (auto &input : copy.inputs) input = inside(input);
    for (auto &region : copy.regions) {
        RegionId const from = region;
        region = addRegion(g, g.region(from).label);
        auto const nodes = g.region(from).nodes;
        for (auto const id : nodes) {
            Node inner = copyOf(Node(g.node(id)));
            auto const outputs = inner.outputs;
            appendTo(region, std::move(inner), outputs);
        }
    }
    return copy;
}

void BodyWriter::appendTo(RegionId region, Node node, std::vector<ValueId> const &like)
{
    NodeId const id(g.nodes.size());
    node.outputs.clear();
    g.nodes.push_back(std::move(node));
    g.region(region).nodes.push_back(id);
    for (auto const value : like) {
        Value type = g.value(value);
        auto const made = addOutput(g, id, std::move(type));
        if (m_inside.size() <= value.index) m_inside.resize(std::max<std::size_t>(g.values.size(), value.index + 1));
        m_inside[value.index] = made;
    }
}

} // namespace tilewright::passes
