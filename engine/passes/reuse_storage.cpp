// In-place computation: results reuse the storage of operands that are no longer needed. Updates of state must do so; if such an operand is
// still needed afterwards, it is copied first.
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"
#include "engine/passes/storage.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace tilewright::passes {

using namespace graph;

namespace {

/// The nodes of one region by position. A node inside a loop has the loop's position.
struct Places {
    using Lists = std::map<VariableId, std::vector<std::size_t>>;

    std::vector<NodeId> nodes;
    /// By variable, ascending positions: readers and assignments; assignments; possible writers of its storage (assignments and forced
    /// updates).
    Lists touching, assigning, writing;

    Places(Graph const &g, OpLookup const &ops, RegionId region) : nodes(g.region(region).nodes)
    {
        auto const note = [](std::vector<std::size_t> &list, std::size_t i) {
            if (list.empty() || list.back() != i) list.push_back(i);
        };
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            forEachNodeWithin(g, nodes[i], [&](NodeId id) {
                m_at.emplace_back(id, i);
                auto const &node = g.node(id);
                if (!node.variable.valid()) return;
                note(touching[node.variable], i);
                if (!is(node, NodeKind::VariableAssign)) return;
                note(assigning[node.variable], i);
                note(writing[node.variable], i);
            });
            auto const &node = g.node(nodes[i]);
            for (std::size_t o = 0; o < node.outputs.size(); ++o) {
                int const input = forcedInPlace(ops, node, static_cast<int>(o));
                if (input < 0) continue;
                auto const &producer = g.node(g.value(viewSource(g, node.inputs[static_cast<std::size_t>(input)])).producer);
                if (is(producer, NodeKind::VariableRead)) note(writing[producer.variable], i);
            }
        }
        // A body of several calls has the position of the last call.
        std::ranges::stable_sort(m_at, [](auto const &a, auto const &b) { return a.first < b.first; });
    }

    /// Nothing: the node is neither in this region nor nested in it.
    std::optional<std::size_t> of(NodeId id) const
    {
        auto const behind = std::ranges::upper_bound(m_at, id, {}, &std::pair<NodeId, std::size_t>::first);
        if (behind == m_at.begin() || std::prev(behind)->first != id) return std::nullopt;
        return std::prev(behind)->second;
    }

    /// The elements of such a list after a position.
    static std::span<std::size_t const> behind(Lists const &lists, VariableId variable, std::size_t at)
    {
        auto const it = lists.find(variable);
        if (it == lists.end()) return {};
        return {std::ranges::upper_bound(it->second, at), it->second.end()};
    }
    /// True if the node at a position assigns the variable, directly or in a nested region.
    bool assigns(std::size_t at, VariableId variable) const
    {
        auto const it = assigning.find(variable);
        return it != assigning.end() && std::ranges::binary_search(it->second, at);
    }

private:
    std::vector<std::pair<NodeId, std::size_t>> m_at; ///< by node
};

/// The users of each value, in the order of the regions.
class Users {
public:
    explicit Users(Graph const &g) : m_first(g.values.size() + 1, 0)
    {
        std::vector<NodeId> last(g.values.size());
        auto const forEachUse = [&](auto const &use) {
            std::ranges::fill(last, NodeId());
            forEachRegion(g, [&](RegionId region) {
                for (auto id : g.region(region).nodes)
                    for (auto input : g.node(id).inputs)
                        if (std::exchange(last[input.index], id) != id) use(input, id);
            });
        };
        forEachUse([&](ValueId value, NodeId) { ++m_first[value.index + 1]; });
        std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
        m_nodes.resize(m_first.back());
        auto next = m_first;
        forEachUse([&](ValueId value, NodeId id) { m_nodes[next[value.index]++] = id; });
    }

    std::span<NodeId const> of(ValueId value) const
    {
        return std::span(m_nodes).subspan(m_first[value.index], m_first[value.index + 1] - m_first[value.index]);
    }

private:
    std::vector<std::size_t> m_first; ///< by value
    std::vector<NodeId> m_nodes;
};

/// Copies a value before its storage is overwritten by a forced update, if it is read afterwards.
class Protector {
public:
    Protector(Graph &graph, OpLookup const &ops) : g(graph), m_ops(ops) {}

    void run()
    {
        // A copy changes positions and users, so start again after each. Each round removes one hazard.
        bool changed = true;
        while (changed) {
            changed = false;
            std::vector<RegionId> regions;
            forEachRegion(g, [&](RegionId id) { regions.push_back(id); });
            for (auto id : regions)
                if (!changed) changed = fixOne(id);
        }
    }

private:
    bool fixOne(RegionId region)
    {
        Places const places(g, m_ops, region);
        Users const users(g);
        // Updates first: the copy before an update also serves the readers after the assignment.
        for (std::size_t i = 0; i < places.nodes.size(); ++i) {
            auto const &node = g.node(places.nodes[i]);
            for (std::size_t o = 0; o < node.outputs.size(); ++o) {
                int const input = forcedInPlace(m_ops, node, static_cast<int>(o));
                if (input >= 0 && fixForced(region, places, users, i, o, static_cast<std::size_t>(input))) return true;
            }
        }
        for (std::size_t i = 0; i < places.nodes.size(); ++i)
            if (is(g.node(places.nodes[i]), NodeKind::VariableRead) && fixRead(region, places, users, i)) return true;
        return false;
    }

    /// The value and the reshapes of it that are computed before position `before`.
    std::vector<ValueId> views(ValueId source, Places const &places, Users const &users, std::size_t before) const
    {
        std::vector<ValueId> all{source};
        for (std::size_t k = 0; k < all.size(); ++k)
            for (auto user : users.of(all[k]))
                if (auto const at = places.of(user); at && *at < before && is(g.node(user), NodeKind::Reshape))
                    all.push_back(g.node(user).outputs[0]);
        return all;
    }

    /// Users of `values` at positions in [from, …), except `spare`, read a copy made at position `at`.
    bool copyForLateUsers(RegionId region, Places const &places, Users const &users, std::vector<ValueId> const &values, std::size_t from,
                          std::size_t at, NodeId spare)
    {
        std::map<ValueId, ValueId> twin; // of values used late
        std::vector<std::pair<NodeId, ValueId>> late;
        for (auto value : values)
            for (auto user : users.of(value))
                if (auto const place = places.of(user); place && *place >= from && user != spare) late.emplace_back(user, value);
        if (late.empty()) return false;
        std::vector<NodeId> inserted;
        auto const copy = append(NodeKind::Copy, values[0], values[0], inserted);
        for (auto const &[user, value] : late) {
            if (!twin.contains(value)) twin[value] = value == values[0] ? copy : append(NodeKind::Reshape, copy, value, inserted);
            for (auto &input : g.node(user).inputs)
                if (input == value) input = twin[value];
        }
        auto &list = g.region(region).nodes;
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), inserted.begin(), inserted.end());
        return true;
    }

    /// A node of `source` with the type of `like` and the same origin as the producer of `like`.
    ValueId append(NodeKind kind, ValueId source, ValueId like, std::vector<NodeId> &inserted)
    {
        auto const &producer = g.node(g.value(like).producer);
        Node node;
        node.op = toText(kind);
        node.inputs = {source};
        node.layer = producer.layer;
        node.pass = producer.pass;
        node.stage = producer.stage;
        node.name = g.value(like).name + (kind == NodeKind::Copy ? "/Copy" : "/Reshape");
        NodeId const id(g.nodes.size());
        ValueId const value(g.values.size());
        Value type = g.value(like);
        type.name = node.name;
        type.producer = id;
        type.role = Role::Temporary;
        node.outputs = {value};
        g.values.push_back(std::move(type));
        g.nodes.push_back(std::move(node));
        inserted.push_back(id);
        return value;
    }

    /// True if the node writes the variable's storage: an assignment, a loop that contains one, or an update of a read of the variable.
    bool writesStorage(Places const &places, std::size_t at, VariableId variable, ValueId except) const
    {
        if (places.assigns(at, variable)) return true;
        auto const &node = g.node(places.nodes[at]);
        for (std::size_t o = 0; o < node.outputs.size(); ++o) {
            int const input = forcedInPlace(m_ops, node, static_cast<int>(o));
            if (input < 0) continue;
            auto const source = viewSource(g, node.inputs[static_cast<std::size_t>(input)]);
            auto const &producer = g.node(g.value(source).producer);
            if (source != except && is(producer, NodeKind::VariableRead) && producer.variable == variable) return true;
        }
        return false;
    }

    /// A value that shares the variable's storage from position `at` must survive until its last use, so copy it before the first write
    /// after `at`.
    /// Updates of the value itself are handled by fixForced.
    bool protect(RegionId region, Places const &places, Users const &users, ValueId value, VariableId variable, std::size_t at)
    {
        for (auto const q : Places::behind(places.writing, variable, at)) {
            if (!writesStorage(places, q, variable, value)) continue;
            auto const &writer = g.node(places.nodes[q]);
            if (is(writer, NodeKind::VariableAssign) && viewSource(g, writer.inputs[0]) == value) continue;
            // An assignment reads its operand completely before it writes; loops and updates write while they read.
            std::size_t const from = is(writer, NodeKind::VariableAssign) ? q + 1 : q;
            return copyForLateUsers(region, places, users, views(value, places, users, q), from, q, {});
        }
        return false;
    }

    bool fixRead(RegionId region, Places const &places, Users const &users, std::size_t at)
    {
        auto const &read = g.node(places.nodes[at]);
        return protect(region, places, users, read.outputs[0], read.variable, at);
    }

    /// Position of the assignment that turns a forced result into the variable's new value; 0: none.
    std::size_t assignment(Places const &places, VariableId variable, ValueId result, std::size_t after) const
    {
        auto const touching = Places::behind(places.touching, variable, after);
        if (touching.empty()) return 0;
        auto const &node = g.node(places.nodes[touching.front()]);
        bool const meant = is(node, NodeKind::VariableAssign) && node.variable == variable && viewSource(g, node.inputs[0]) == result;
        return meant ? touching.front() : 0;
    }

    bool fixForced(RegionId region, Places const &places, Users const &users, std::size_t at, std::size_t output, std::size_t input)
    {
        auto const id = places.nodes[at];
        auto const value = g.node(id).inputs[input];
        auto const source = viewSource(g, value);
        auto const producerId = g.value(source).producer;
        auto const &producer = g.node(producerId);
        bool const local = isLocal(places, producerId);
        bool mine = local && !is(producer, NodeKind::Constant, NodeKind::Infeed, NodeKind::IpuCopy, NodeKind::Parameters);
        std::size_t assigned = 0;
        if (is(producer, NodeKind::VariableRead)) {
            assigned = assignment(places, producer.variable, g.node(id).outputs[output], at);
            mine = mine && assigned > 0;
        } else {
            mine = mine && !liesInVariable(source);
        }
        // If two operands of a node share storage, only one of them can be overwritten.
        for (std::size_t k = 0; k < g.node(id).inputs.size(); ++k)
            mine = mine && (k == input || viewSource(g, g.node(id).inputs[k]) != source);
        if (!mine) {
            std::vector<NodeId> inserted;
            auto const copy = append(NodeKind::Copy, value, value, inserted);
            g.node(id).inputs[input] = copy;
            auto &list = g.region(region).nodes;
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), inserted.begin(), inserted.end());
            return true;
        }
        if (copyForLateUsers(region, places, users, views(source, places, users, at), at, at, id)) return true;
        return assigned && protect(region, places, users, g.node(id).outputs[output], producer.variable, assigned);
    }

    /// In the region itself, not nested.
    static bool isLocal(Places const &places, NodeId id)
    {
        auto const at = places.of(id);
        return at && places.nodes[*at] == id;
    }

    /// True if a chain of updates leads from a read of the variable to this value.
    bool liesInVariable(ValueId value) const
    {
        for (;;) {
            value = viewSource(g, value);
            auto const &node = g.node(g.value(value).producer);
            if (is(node, NodeKind::VariableRead)) return true;
            int const output = static_cast<int>(std::ranges::find(node.outputs, value) - node.outputs.begin());
            int const input = forcedInPlace(m_ops, node, output);
            if (input < 0) return false;
            value = node.inputs[static_cast<std::size_t>(input)];
        }
    }

    Graph &g;
    OpLookup const &m_ops;
};

/// Groups of values that share storage: views, decided reuse, variables.
class Sharing {
public:
    Sharing(Graph const &graph, OpLookup const &ops) : g(graph), m_parent(graph.values.size() + graph.variables.size())
    {
        for (std::size_t i = 0; i < m_parent.size(); ++i) {
            m_parent[i] = i;
            m_members.push_back({i});
        }
        forEachRegion(g, [&](RegionId region) {
            for (auto id : g.region(region).nodes) {
                auto const &node = g.node(id);
                if (isView(node)) unite(node.outputs[0].index, node.inputs[0].index);
                if (is(node, NodeKind::VariableRead)) unite(node.outputs[0].index, slot(node.variable));
                for (std::size_t o = 0; o < node.outputs.size(); ++o)
                    if (int const i = forcedInPlace(ops, node, static_cast<int>(o)); i >= 0)
                        unite(node.outputs[o].index, node.inputs[static_cast<std::size_t>(i)].index);
            }
        });
    }

    std::size_t slot(VariableId variable) const { return g.values.size() + variable.index; }
    std::size_t find(std::size_t x) const
    {
        while (m_parent[x] != x) x = m_parent[x];
        return x;
    }
    void unite(std::size_t a, std::size_t b)
    {
        a = find(a);
        b = find(b);
        if (a == b) return;
        if (m_members[a].size() < m_members[b].size()) std::swap(a, b);
        m_parent[b] = a;
        m_members[a].insert(m_members[a].end(), m_members[b].begin(), m_members[b].end());
    }
    /// Indices of values, then those of variables.
    std::vector<std::size_t> const &members(std::size_t x) const { return m_members[find(x)]; }

private:
    Graph const &g;
    std::vector<std::size_t> m_parent;
    std::vector<std::vector<std::size_t>> m_members;
};

class Reuser {
public:
    Reuser(Graph &graph, OpLookup const &ops) : g(graph), m_ops(ops), m_sharing(graph, ops), m_users(graph) {}

    void run()
    {
        markForced();
        struct Body {
            RegionId region;
            NodeId owner;
        };
        std::vector<Body> bodies{{RegionId(0), {}}};
        std::set<RegionId> called;
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            auto const body = bodies[k];
            for (auto node : g.region(body.region).nodes)
                for (auto sub : g.node(node).regions)
                    if (!is(g.node(node), NodeKind::Call) || called.insert(sub).second) bodies.push_back({sub, node});
            m_owner = body.owner;
            region(body.region, body.owner.valid() && is(g.node(body.owner), NodeKind::Pipeline));
        }
    }

private:
    void markForced()
    {
        forEachRegion(g, [&](RegionId region) {
            for (auto id : g.region(region).nodes) {
                auto &node = g.node(id);
                node.inPlace.clear();
                std::vector<int> inPlace(node.outputs.size(), -1);
                for (std::size_t o = 0; o < inPlace.size(); ++o) inPlace[o] = forcedInPlace(m_ops, node, static_cast<int>(o));
                if (is(node, NodeKind::Reshape)) inPlace[0] = 0; // a view; never written
                if (std::ranges::any_of(inPlace, [](int i) { return i >= 0; })) node.inPlace = std::move(inPlace);
            }
        });
    }

    void region(RegionId id, bool staged)
    {
        Places const places(g, m_ops, id);
        struct Wish {
            Bytes bytes;
            std::size_t at, output;
        };
        std::vector<Wish> wishes;
        for (std::size_t i = 0; i < places.nodes.size(); ++i) {
            auto const &node = g.node(places.nodes[i]);
            auto const *spec = m_ops(node.op);
            if (!spec || spec->inPlaceCandidates.empty() || is(node, NodeKind::Reshape) || spec->updates) continue;
            for (std::size_t o = 0; o < node.outputs.size(); ++o) wishes.push_back({bytesOf(g.value(node.outputs[o])), i, o});
        }
        std::ranges::stable_sort(wishes, [](Wish const &a, Wish const &b) { return a.bytes > b.bytes; });
        for (auto const &wish : wishes) {
            auto &node = g.node(places.nodes[wish.at]);
            for (auto const &[output, input] : m_ops(node.op)->inPlaceCandidates) {
                if (output != static_cast<int>(wish.output) || input >= static_cast<int>(node.inputs.size())) continue;
                if (!allowed(places, staged, wish.at, wish.output, static_cast<std::size_t>(input))) continue;
                if (node.inPlace.empty()) node.inPlace.assign(node.outputs.size(), -1);
                node.inPlace[wish.output] = input;
                m_sharing.unite(node.outputs[wish.output].index, node.inputs[static_cast<std::size_t>(input)].index);
                break;
            }
        }
    }

    /// True if output `output` of the node at `at` can reuse the storage of its operand `input`.
    bool allowed(Places const &places, bool staged, std::size_t at, std::size_t output, std::size_t input) const
    {
        auto const &node = g.node(places.nodes[at]);
        auto const in = node.inputs[input], out = node.outputs[output];
        if (elementCount(g.value(in).shape) != elementCount(g.value(out).shape) || g.value(in).dtype != g.value(out).dtype) return false;
        if (holdsVariable(out)) return false;
        auto const source = viewSource(g, in);
        auto const &maker = g.node(g.value(source).producer);
        bool const state = is(maker, NodeKind::VariableRead);
        if (!places.of(g.value(source).producer) || (holdsVariable(in) && !state)) return false;
        for (auto member : m_sharing.members(in.index)) {
            if (member >= g.values.size()) continue;
            auto const producerId = g.values[member].producer;
            auto const &producer = g.node(producerId);
            if (is(producer, NodeKind::Constant, NodeKind::Infeed)) return false;
            if (is(producer, NodeKind::Parameters) && !mayCarry(ValueId(member), out)) return false;
            auto const made = places.of(producerId);
            if (!state && !made) return false; // defined in an enclosing region
            if (staged && !sameTask(producer, node)) return false;
            for (auto user : m_users.of(ValueId(member))) {
                auto const used = places.of(user);
                if (!used) continue; // defined in an enclosing region, before or after this one as a whole
                if (staged && !sameTask(g.node(user), node)) return false;
                bool const laterState = state && made && *made > at;
                if (user != places.nodes[at] && *used >= at && !laterState) return false;
            }
        }
        return !state || mayUpdate(places, maker.variable, at, out);
    }

    /// A carried value of a loop is updated in place if the result becomes its next value. Other parameters are read-only: slices are part
    /// of their
    /// stack, and operands of a call belong to the caller.
    bool mayCarry(ValueId parameter, ValueId out) const
    {
        if (!m_owner.valid() || !is(g.node(m_owner), NodeKind::Repeat)) return false;
        auto const &loop = g.node(m_owner);
        auto const form = repeatForm(loop);
        auto const parameters = parametersOf(g, loop.regions[0]);
        auto const at = static_cast<std::size_t>(std::ranges::find(parameters, parameter) - parameters.begin());
        std::size_t const first = form.index ? 1 : 0;
        if (at < first || at >= first + form.carried) return false;
        return viewSource(g, resultsOf(g, loop.regions[0])[at - first]) == out;
    }

    /// In a pipeline, tasks of one stage and pass run at independent times.
    static bool sameTask(Node const &a, Node const &b) { return a.pass == b.pass && a.stage == b.stage; }

    bool holdsVariable(ValueId value) const
    {
        return std::ranges::any_of(m_sharing.members(value.index), [&](std::size_t m) { return m >= g.values.size(); });
    }

    /// To write into the variable's storage, the result must be the variable's next value, with no reader in between.
    bool mayUpdate(Places const &places, VariableId variable, std::size_t at, ValueId out) const
    {
        bool assigned = false;
        for (auto const q : Places::behind(places.touching, variable, at)) {
            auto const &node = g.node(places.nodes[q]);
            if (assigned) return false; // the variable has further uses: do not reuse
            if (!is(node, NodeKind::VariableAssign) || viewSource(g, node.inputs[0]) != out) return false;
            assigned = true;
        }
        return assigned;
    }

    Graph &g;
    OpLookup const &m_ops;
    Sharing m_sharing;
    Users m_users;
    NodeId m_owner; ///< of the current region; invalid: the entry
};

} // namespace

Result<Graph> reuseStorage(Graph graph, PassContext const &context)
{
    Protector(graph, context.ops).run();
    Reuser(graph, context.ops).run();
    TW_TRY(verifyStorage(graph, context.ops));
    return graph;
}

} // namespace tilewright::passes
