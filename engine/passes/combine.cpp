// Products with a common operand become one, and so do look-ups in a common table: one plan and one set of vertices instead of several.
#include "engine/graph/axes.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"
#include "engine/passes/schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tilewright::passes {

using namespace graph;

namespace {

/// Nodes of one region that do the same to a common operand, at increasing positions. No member depends on another.
struct Group {
    std::vector<std::size_t> members;
    std::size_t common = 0; ///< the operand that they share
};

/// What may be combined: nodes of an operation that share this operand.
struct Rule {
    char const *op;
    std::size_t common;
    bool isLookUp; ///< else a product
};
constexpr Rule kOfProducts[] = {{"matmul", 0, false}, {"matmul", 1, false}}, kOfLookUps[] = {{"gather", 0, true}};

class Combiner {
public:
    Combiner(Graph &graph, PassContext const &context) : g(graph), m_context(context) {}

    void combine(RegionId region, Rule const &rule)
    {
        std::set<std::string> refused; // keys whose nodes depend on each other
        while (auto group = next(region, rule.op, rule.common, refused)) rewrite(region, *group, rule);
    }

private:
    /// Nodes with equal keys may be combined. In a pipeline the passes of a stage run at different times.
    std::string keyOf(Node const &node, std::size_t common) const
    {
        auto const &other = g.value(node.inputs[1 - common]);
        auto key = std::to_string(node.inputs[common].index) + "|" + std::to_string(node.stage) + "|" + std::string(toText(node.pass)) + "|"
            + std::string(toText(other.dtype));
        appendAttrs(key, node.attrs);
        return key;
    }

    std::optional<Group> next(RegionId region, std::string_view op, std::size_t common, std::set<std::string> &refused) const
    {
        auto const &nodes = g.region(region).nodes;
        std::map<std::string, std::vector<std::size_t>> alike; // positions, by key
        std::vector<std::string> keys;                         // in order of their first node
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            auto const &node = g.node(nodes[i]);
            if (node.op != op || node.inputs.size() != 2 || node.inputs[0] == node.inputs[1]) continue;
            auto const key = keyOf(node, common);
            auto &positions = alike[key];
            if (positions.empty()) keys.push_back(key);
            positions.push_back(i);
        }
        std::vector<std::vector<std::size_t>> before;
        for (auto const &key : keys) {
            auto const &positions = alike[key];
            if (positions.size() < 2 || refused.contains(key)) continue;
            if (before.empty()) before = orderConstraints(g, m_context.ops, region);
            Group group{{}, common};
            for (auto const position : positions)
                if (!dependsOn(before, position, group.members)) group.members.push_back(position);
            if (group.members.size() > 1) return group;
            refused.insert(key);
        }
        return std::nullopt;
    }

    /// Whether the node at `position` must follow one of the earlier `members`, directly or through others.
    static bool dependsOn(std::vector<std::vector<std::size_t>> const &before, std::size_t position,
                          std::vector<std::size_t> const &members)
    {
        if (members.empty()) return false;
        std::vector<char> seen(position + 1, 0);
        std::vector<std::size_t> open{position};
        while (!open.empty()) {
            auto const at = open.back();
            open.pop_back();
            for (auto const earlier : before[at]) {
                if (earlier < members.front() || seen[earlier]++) continue;
                if (std::ranges::find(members, earlier) != members.end()) return true;
                open.push_back(earlier);
            }
        }
        return false;
    }

    /// The combined node takes the place of the last member. Nodes between the members that read one of them follow it.
    void rewrite(RegionId region, Group const &group, Rule const &rule)
    {
        auto const nodes = g.region(region).nodes;
        auto const before = orderConstraints(g, m_context.ops, region);
        std::vector<char> follows(nodes.size(), 0), member(nodes.size(), 0);
        for (auto const position : group.members) member[position] = 1;
        std::size_t const first = group.members.front(), last = group.members.back();
        for (std::size_t i = first; i <= last; ++i)
            follows[i] =
                !member[i] && std::ranges::any_of(before[i], [&](std::size_t earlier) { return member[earlier] || follows[earlier]; });
        std::vector<NodeId> combined;
        for (auto const position : group.members) combined.push_back(nodes[position]);
        auto &order = g.region(region).nodes;
        order.assign(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(first));
        for (std::size_t i = first; i <= last; ++i)
            if (!member[i] && !follows[i]) order.push_back(nodes[i]);
        Builder b(g, region);
        auto const replaced = rule.isLookUp ? lookUpTogether(b, combined) : multiplyTogether(b, combined, group.common);
        auto &after = g.region(region).nodes;
        for (std::size_t i = first; i <= last; ++i)
            if (follows[i]) after.push_back(nodes[i]);
        after.insert(after.end(), nodes.begin() + static_cast<std::ptrdiff_t>(last) + 1, nodes.end());
        replaced.applyTo(g);
    }

    /// Gives the new nodes their place and a name of their own: forward and backward products of a layer may both be combined.
    void begin(Builder &b, Node const &first)
    {
        auto const number = m_combined[first.layer]++;
        m_name = number == 0 ? "Combined" : "Combined" + std::to_string(number);
        b.layer = first.layer;
        b.pass = first.pass;
        b.stage = first.stage;
    }

    ValueId append(Builder &b, std::string op, std::vector<ValueId> inputs, Attrs attrs, std::string name) const
    {
        return addInferred(b, m_context.ops, std::move(op), std::move(inputs), std::move(attrs), std::move(name)).front();
    }

    ValueId shaped(Builder &b, ValueId value, Shape shape) const
    {
        if (g.value(value).shape == shape) return value;
        auto const type = g.value(value).dtype;
        return b.one(std::string(toText(NodeKind::Reshape)), {value}, std::move(shape), type);
    }

    /// Parts of a tensor along an axis, one for each combined node; of equal extents in one operation.
    std::vector<ValueId> apart(Builder &b, ValueId whole, std::vector<NodeId> const &nodes, std::int64_t axis,
                               std::vector<std::int64_t> const &extents) const
    {
        auto const count = static_cast<std::int64_t>(extents.size());
        std::vector<ValueId> parts;
        if (std::ranges::all_of(extents, [&](std::int64_t extent) { return extent == extents.front(); })) {
            parts = addInferred(b, m_context.ops, "split", {whole}, {{"axis", axis}, {"parts", count}}, "Split");
        } else {
            std::int64_t start = 0;
            for (auto const extent : extents) {
                parts.push_back(append(b, "slice", {whole}, {{"axis", axis}, {"start", start}, {"size", extent}}, "Slice"));
                start += extent;
            }
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto const &value = g.value(g.node(nodes[i]).outputs[0]);
            parts[i] = shaped(b, parts[i], value.shape);
            g.value(parts[i]).name = g.value(g.node(nodes[i]).outputs[0]).name;
            g.value(parts[i]).role = g.value(g.node(nodes[i]).outputs[0]).role;
        }
        return parts;
    }

    Replacements replacing(std::vector<NodeId> const &nodes, std::vector<ValueId> const &parts) const
    {
        Replacements replaced;
        for (std::size_t i = 0; i < nodes.size(); ++i) replaced.set(g.node(nodes[i]).outputs[0], parts[i]);
        return replaced;
    }

    /// [a b1 | a b2] = a [b1 | b2], and [a1; a2] b = [a1 b; a2 b].
    Replacements multiplyTogether(Builder &b, std::vector<NodeId> const &nodes, std::size_t common)
    {
        auto const first = g.node(nodes.front());
        begin(b, first);
        std::size_t const other = 1 - common;
        bool const turned = first.attrs.flag(other == 0 ? "transpose_a" : "transpose_b");
        std::int64_t const resultAxis = other == 0 ? 0 : 1, axis = turned ? 1 - resultAxis : resultAxis;
        b.role = Role::Temporary;
        std::vector<ValueId> operands;
        std::vector<std::int64_t> extents;
        for (auto const id : nodes) {
            auto const input = g.node(id).inputs[other];
            auto const rows = alongLast(g.value(input).shape);
            operands.push_back(shaped(b, input, {rows.outer, rows.n}));
            extents.push_back(axis == 0 ? rows.outer : rows.n);
        }
        auto const joined = append(b, "concat", std::move(operands), {{"axis", axis}}, m_name + "/Concat");
        b.role = g.value(first.outputs[0]).role;
        auto inputs = first.inputs;
        inputs[other] = joined;
        auto const product = append(b, first.op, std::move(inputs), first.attrs, m_name + "/MatMul");
        return replacing(nodes, apart(b, product, nodes, resultAxis, extents));
    }

    /// One look-up of the numbers of all.
    Replacements lookUpTogether(Builder &b, std::vector<NodeId> const &nodes)
    {
        auto const first = g.node(nodes.front());
        begin(b, first);
        b.role = Role::Temporary;
        std::vector<ValueId> numbers;
        std::vector<std::int64_t> extents;
        for (auto const id : nodes) {
            auto const input = g.node(id).inputs[1];
            auto const count = elementCount(g.value(input).shape);
            numbers.push_back(shaped(b, input, {count}));
            extents.push_back(count);
        }
        auto const joined = append(b, "concat", std::move(numbers), {{"axis", std::int64_t{0}}}, m_name + "/Concat");
        b.role = g.value(first.outputs[0]).role;
        auto const rows = append(b, first.op, {first.inputs[0], joined}, first.attrs, m_name + "/Gather");
        return replacing(nodes, apart(b, rows, nodes, 0, extents));
    }

    Graph &g;
    PassContext const &m_context;
    std::map<std::string, int> m_combined; ///< groups of a layer
    std::string m_name;                    ///< of the present group
};

} // namespace

Result<Graph> combineAlike(Graph graph, PassContext const &context)
{
    if (!context.options.combineProducts && !context.options.combineLookUps) return graph;
    Combiner combiner(graph, context);
    std::vector<RegionId> regions;
    forEachRegion(graph, [&](RegionId region) { regions.push_back(region); });
    for (auto const region : regions) {
        if (context.job.cancelled()) return cancelledError(graph.name);
        if (context.options.combineProducts)
            for (auto const &rule : kOfProducts) combiner.combine(region, rule);
        if (context.options.combineLookUps)
            for (auto const &rule : kOfLookUps) combiner.combine(region, rule);
    }
    return graph;
}

} // namespace tilewright::passes
