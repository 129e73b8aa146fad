#include "engine/passes/schedule.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace tilewright::passes {

using namespace graph;

namespace {

/// The value whose storage this one occupies, as far as that is known before in-place decisions.
ValueId storageRoot(Graph const &g, OpLookup const &ops, ValueId value)
{
    for (;;) {
        auto const &node = g.node(g.value(value).producer);
        if (is(node, NodeKind::Reshape)) {
            value = node.inputs[0];
            continue;
        }
        int const output = static_cast<int>(std::ranges::find(node.outputs, value) - node.outputs.begin());
        int const input = forcedInPlace(ops, node, output);
        if (input < 0) return value;
        value = node.inputs[static_cast<std::size_t>(input)];
    }
}

Bytes rootBytes(Graph const &g, ValueId root)
{
    return is(g.node(g.value(root).producer), NodeKind::VariableRead, NodeKind::Constant) ? 0 : bytesOf(g.value(root));
}

/// Live bytes node by node. What it knows of the nodes does not depend on their order.
class Liveness {
public:
    Liveness(Graph const &graph, OpLookup const &ops, std::span<NodeId const> nodes)
        : g(graph), m_ops(ops), m_rootOf(graph.values.size()), m_roots(graph.nodes.size()), m_uses(graph.values.size(), 0),
          m_local(graph.values.size(), 0)
    {
        auto const find = [&](ValueId value) {
            auto &root = m_rootOf[value.index];
            return root = root.valid() ? root : storageRoot(g, m_ops, value);
        };
        for (auto id : nodes) {
            auto &roots = m_roots[id.index];
            forEachNodeWithin(g, id, [&](NodeId inner) {
                for (auto input : g.node(inner).inputs) roots.push_back(find(input));
            });
            std::ranges::sort(roots);
            roots.erase(std::ranges::unique(roots).begin(), roots.end());
            for (auto root : roots) ++m_uses[root.index];
            for (auto output : g.node(id).outputs) m_local[find(output).index] = 1;
        }
        m_usesAtFirst = m_uses;
    }

    /// As if nothing had run.
    void begin()
    {
        m_uses = m_usesAtFirst;
        m_live = peak = 0;
    }

    /// Change of live bytes that running the node next would bring, after what dies with it is gone.
    Bytes delta(NodeId id) const
    {
        Bytes change = 0;
        for (auto output : g.node(id).outputs)
            if (rootOf(output) == output && m_uses[output.index] > 0) change += rootBytes(g, output);
        for (auto root : m_roots[id.index])
            if (dies(root)) change -= rootBytes(g, root);
        return change;
    }

    void run(NodeId id, Bytes inner)
    {
        auto const &node = g.node(id);
        Bytes fresh = 0, reused = 0;
        for (auto output : node.outputs)
            if (rootOf(output) == output) fresh += rootBytes(g, output);
        if (auto const *spec = m_ops(node.op)) {
            std::set<int> taken;
            for (auto const &[output, input] : spec->inPlaceCandidates) {
                if (output >= static_cast<int>(node.outputs.size()) || input >= static_cast<int>(node.inputs.size())) continue;
                auto const root = rootOf(node.inputs[static_cast<std::size_t>(input)]);
                auto const out = node.outputs[static_cast<std::size_t>(output)];
                if (rootOf(out) != out || taken.contains(output) || !dies(root) || rootBytes(g, root) != bytesOf(g.value(out))) continue;
                if (is(g.node(g.value(root).producer), NodeKind::Infeed)) continue; // feeds are not written to
                taken.insert(output);
                reused += rootBytes(g, root);
            }
        }
        peak = std::max(peak, m_live + fresh - reused + inner);
        m_live += fresh;
        for (auto root : m_roots[id.index]) {
            if (dies(root)) m_live -= rootBytes(g, root);
            --m_uses[root.index];
        }
        for (auto output : node.outputs)
            if (rootOf(output) == output && m_uses[output.index] == 0) m_live -= rootBytes(g, output);
    }

    /// What run() changes beside the uses.
    struct Mark {
        Bytes live = 0, peak = 0;
    };
    Mark mark() const { return {m_live, peak}; }
    /// Takes back the last run() of a node. `before`: the mark from before it.
    void undo(NodeId id, Mark before)
    {
        for (auto root : m_roots[id.index]) ++m_uses[root.index];
        m_live = before.live;
        peak = before.peak;
    }

    std::vector<ValueId> const &rootsOf(NodeId id) const { return m_roots[id.index]; }
    int usesOf(ValueId root) const { return m_uses[root.index]; }

    Bytes peak = 0;

private:
    ValueId rootOf(ValueId value) const { return m_rootOf[value.index]; }
    bool dies(ValueId root) const { return m_uses[root.index] == 1 && m_local[root.index]; }

    Graph const &g;
    OpLookup const &m_ops;
    std::vector<ValueId> m_rootOf;             ///< of what the nodes read and make
    std::vector<std::vector<ValueId>> m_roots; ///< storages that a node of the region reads, by node
    std::vector<int> m_uses, m_usesAtFirst;    ///< nodes still to come that read it, by storage
    std::vector<char> m_local;                 ///< storage made in this region
    Bytes m_live = 0;
};

using Constraints = std::vector<std::vector<std::size_t>>;
using Order = std::vector<std::size_t>; ///< positions in the region's present order

/// Depth first from the nodes nothing depends on.
Order postOrder(Constraints const &before)
{
    std::size_t const n = before.size();
    std::vector<char> hasUser(n, 0), done(n, 0);
    for (auto const &list : before)
        for (auto p : list) hasUser[p] = 1;
    Order order;
    auto const emit = [&](std::size_t root) {
        std::vector<std::pair<std::size_t, std::size_t>> stack{{root, 0}}; // node, next operand
        if (done[root]) return;
        while (!stack.empty()) {
            auto &[node, next] = stack.back();
            if (next < before[node].size()) {
                auto const operand = before[node][next++];
                if (!done[operand]) stack.emplace_back(operand, 0);
                continue;
            }
            if (!done[node]) order.push_back(node);
            done[node] = 1;
            stack.pop_back();
        }
    };
    for (std::size_t i = 0; i < n; ++i)
        if (!hasUser[i]) emit(i);
    return order;
}

/// List scheduling: of the nodes whose predecessors have run, the one with the smallest rank; the first of equals.
/// `ran` returns the nodes whose rank has changed.
Order listSchedule(Constraints const &before, std::function<std::int64_t(std::size_t)> const &rank,
                   std::function<std::vector<std::size_t>(std::size_t)> const &ran)
{
    std::size_t const n = before.size();
    std::vector<std::size_t> waiting(n, 0);
    std::vector<std::vector<std::size_t>> after(n);
    for (std::size_t i = 0; i < n; ++i) {
        waiting[i] = before[i].size();
        for (auto p : before[i]) after[p].push_back(i);
    }
    std::set<std::pair<std::int64_t, std::size_t>> ready;
    std::vector<std::optional<std::int64_t>> rankOf(n); ///< of those that are ready
    auto const enter = [&](std::size_t i) {
        rankOf[i] = rank(i);
        ready.emplace(*rankOf[i], i);
    };
    for (std::size_t i = 0; i < n; ++i)
        if (!waiting[i]) enter(i);
    Order order;
    while (!ready.empty()) {
        auto const best = ready.begin()->second;
        ready.erase(ready.begin());
        rankOf[best].reset();
        order.push_back(best);
        for (auto i : ran(best)) {
            if (!rankOf[i]) continue;
            ready.erase({*rankOf[i], i});
            enter(i);
        }
        for (auto i : after[best])
            if (--waiting[i] == 0) enter(i);
    }
    return order;
}

Order shortestPath(Constraints const &before)
{
    std::size_t const n = before.size();
    std::vector<std::vector<std::size_t>> after(n);
    for (std::size_t i = 0; i < n; ++i)
        for (auto p : before[i]) after[p].push_back(i);
    std::vector<std::int64_t> distance(n, 0);
    for (std::size_t i = n; i-- > 0;) {
        if (after[i].empty()) continue;
        distance[i] = std::numeric_limits<std::int64_t>::max() - 1;
        for (auto next : after[i]) distance[i] = std::min(distance[i], distance[next] + 1);
    }
    return listSchedule(
        before, [&](std::size_t i) { return distance[i]; }, [](std::size_t) { return std::vector<std::size_t>(); });
}

Order clustering(Liveness &live, Graph const &g, std::vector<NodeId> const &nodes, Constraints const &before)
{
    live.begin();
    std::vector<std::vector<std::size_t>> readers(g.values.size()); // by storage
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (auto root : live.rootsOf(nodes[i])) readers[root.index].push_back(i);
    // What is read once more dies with its last reader, whose rank then falls.
    return listSchedule(
        before, [&](std::size_t i) { return live.delta(nodes[i]); },
        [&](std::size_t i) {
            live.run(nodes[i], 0);
            std::vector<std::size_t> changed;
            for (auto root : live.rootsOf(nodes[i]))
                if (live.usesOf(root) == 1) changed.insert(changed.end(), readers[root.index].begin(), readers[root.index].end());
            return changed;
        });
}

/// Before each node, tries orders of the next `depth` nodes and keeps the first node of the one that leaves the fewest live bytes; of
/// equals the one with the lower peak. At most `space` orders are tried: the ready nodes share them, those that free most first.
class LookAhead {
public:
    LookAhead(Liveness &live, std::vector<NodeId> const &nodes, Constraints const &before, int depth, int space)
        : m_live(live), m_nodes(nodes), m_depth(std::max(1, depth)), m_space(std::max(1, space)), m_waiting(before.size()),
          m_after(before.size())
    {
        for (std::size_t i = 0; i < before.size(); ++i) {
            m_waiting[i] = before[i].size();
            for (auto p : before[i]) m_after[p].push_back(i);
            if (before[i].empty()) m_ready.insert(i);
        }
    }

    Order order()
    {
        m_live.begin();
        Order order;
        while (!m_ready.empty()) {
            order.push_back(m_ready.size() == 1 ? *m_ready.begin() : best(m_depth, m_space).first);
            place(order.back());
            m_live.peak = 0; // trials compare the peaks of what they place
        }
        return order;
    }

private:
    struct Outcome {
        std::size_t first = 0;
        Bytes live = std::numeric_limits<Bytes>::max(), peak = 0;
    };

    void place(std::size_t i)
    {
        m_live.run(m_nodes[i], 0);
        m_ready.erase(i);
        for (auto next : m_after[i])
            if (--m_waiting[next] == 0) m_ready.insert(next);
    }
    void takeBack(std::size_t i, Liveness::Mark before)
    {
        for (auto next : m_after[i])
            if (m_waiting[next]++ == 0) m_ready.erase(next);
        m_ready.insert(i);
        m_live.undo(m_nodes[i], before);
    }

    Outcome best(int depth, int space)
    {
        std::vector<std::pair<Bytes, std::size_t>> tries;
        for (auto i : m_ready) tries.emplace_back(m_live.delta(m_nodes[i]), i);
        std::ranges::sort(tries);
        tries.resize(std::min(tries.size(), static_cast<std::size_t>(space)));
        Outcome found;
        for (auto const &[delta, i] : tries) {
            auto const before = m_live.mark();
            place(i);
            Outcome outcome{i, m_live.mark().live, m_live.peak};
            if (depth > 1 && !m_ready.empty()) {
                auto const later = best(depth - 1, std::max(1, space / static_cast<int>(tries.size())));
                outcome.peak = later.peak;
                outcome.live = later.live;
            }
            takeBack(i, before);
            if (std::pair(outcome.live, outcome.peak) < std::pair(found.live, found.peak)) found = outcome;
        }
        return found;
    }

    Liveness &m_live;
    std::vector<NodeId> const &m_nodes;
    int m_depth, m_space;
    std::vector<std::size_t> m_waiting; ///< predecessors that have not run
    std::vector<std::vector<std::size_t>> m_after;
    std::set<std::size_t> m_ready;
};

/// Requires: `order` holds the nodes that `live` was made of.
Bytes peakOf(Liveness &live, std::span<NodeId const> order, std::span<Bytes const> inner)
{
    live.begin();
    for (std::size_t i = 0; i < order.size(); ++i) live.run(order[i], inner.empty() ? 0 : inner[i]);
    return live.peak;
}

/// Nodes between the same copies of IPUs stand together, so that IPUs without a common operand work at the same time: an inter-IPU copy
/// is a barrier of all IPUs. Level of a node: the copies on its longest way from the first node. No copy waits for nodes that only the own
/// IPU needs, such as weight updates: they follow the copies of their level.
std::vector<NodeId> byCopies(Graph const &g, OpLookup const &ops, RegionId region)
{
    auto const &nodes = g.region(region).nodes;
    auto const copies = [&](std::size_t i) { return is(g.node(nodes[i]), NodeKind::IpuCopy); };
    std::size_t const n = nodes.size();
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) any = any || copies(i);
    if (!any) return nodes;
    auto const before = orderConstraints(g, ops, region);
    std::vector<int> level(n, 0);
    std::vector<char> leadsToCopy(n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (auto p : before[i]) level[i] = std::max(level[i], level[p] + (copies(p) ? 2 : 0));
    for (std::size_t i = n; i-- > 0;) {
        bool const leads = copies(i) || leadsToCopy[i];
        for (auto p : before[i]) leadsToCopy[p] = leadsToCopy[p] || leads;
        if (copies(i)) ++level[i];
        else if (!leads) level[i] += 2;
    }
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return level[i]; });
    std::vector<NodeId> sorted;
    for (auto i : order) sorted.push_back(nodes[i]);
    return sorted;
}

class Scheduler {
public:
    Scheduler(Graph &graph, PassContext const &context, std::string algorithm)
        : g(graph), m_context(context), m_algorithm(std::move(algorithm))
    {
        forEachRegion(graph, [this](RegionId region) {
            for (auto id : g.region(region).nodes) m_pipelined = m_pipelined || is(g.node(id), NodeKind::Pipeline);
        });
    }

    /// Orders the region, inner ones first; returns its simulated peak.
    Result<Bytes> region(RegionId id)
    {
        auto const nodes = g.region(id).nodes;
        std::vector<Bytes> inner(nodes.size(), 0);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            auto const regions = g.node(nodes[i]).regions;
            for (auto sub : regions) {
                auto known = m_called.find(sub);
                if (known == m_called.end()) {
                    TW_ASSIGN(auto const peak, region(sub));
                    known = m_called.emplace(sub, peak).first;
                }
                inner[i] = std::max(inner[i], known->second);
            }
        }
        if (m_context.job.cancelled()) return cancelledError(g.name);
        auto const before = orderConstraints(g, m_context.ops, id);
        Liveness live(g, m_context.ops, nodes);
        std::vector<Order> candidates;
        Order original(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) original[i] = i;
        bool const all = m_algorithm == "CHOOSE_BEST";
        if (all) candidates.push_back(original);
        if (all || m_algorithm == "CLUSTERING") candidates.push_back(clustering(live, g, nodes, before));
        if (all || m_algorithm == "POST_ORDER") candidates.push_back(postOrder(before));
        if (all || m_algorithm == "SHORTEST_PATH") candidates.push_back(shortestPath(before));
        if (m_algorithm == "LOOK_AHEAD")
            candidates.push_back(
                LookAhead(live, nodes, before, m_context.options.lookAheadDepth, m_context.options.lookAheadSpace).order());
        Bytes best = std::numeric_limits<Bytes>::max();
        for (auto const &order : candidates) {
            TW_CHECK(order.size() == nodes.size(), "a schedule lost nodes");
            std::vector<NodeId> ordered;
            std::vector<Bytes> orderedInner;
            for (auto i : order) {
                ordered.push_back(nodes[i]);
                orderedInner.push_back(inner[i]);
            }
            auto const peak = peakOf(live, ordered, orderedInner);
            if (peak >= best) continue;
            best = peak;
            g.region(id).nodes = std::move(ordered);
        }
        if (!m_pipelined) g.region(id).nodes = byCopies(g, m_context.ops, id);
        return best;
    }

private:
    Graph &g;
    PassContext const &m_context;
    std::string m_algorithm;
    bool m_pipelined = false;           ///< the slots determine when copies take place
    std::map<RegionId, Bytes> m_called; ///< peaks of the regions that are ordered: several calls may name one
};

} // namespace

Bytes simulatedPeak(Graph const &graph, OpLookup const &ops, std::span<NodeId const> order, std::span<Bytes const> inner)
{
    Liveness live(graph, ops, order);
    return peakOf(live, order, inner);
}

Bytes regionPeak(Graph const &graph, OpLookup const &ops, RegionId region)
{
    auto const &nodes = graph.region(region).nodes;
    std::vector<Bytes> inner(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (auto sub : graph.node(nodes[i]).regions) inner[i] = std::max(inner[i], regionPeak(graph, ops, sub));
    return simulatedPeak(graph, ops, nodes, inner);
}

std::vector<std::vector<std::size_t>> orderConstraints(Graph const &g, OpLookup const &ops, RegionId region)
{
    auto const &nodes = g.region(region).nodes;
    std::map<NodeId, std::size_t> place;
    for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
    struct Touches {
        std::vector<std::size_t> since; ///< readers after the last write
        std::ptrdiff_t write = -1;
    };
    std::map<VariableId, Touches> variables;
    std::ptrdiff_t lastEffect = -1;
    std::vector<std::vector<std::size_t>> before(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::set<std::size_t> needs;
        std::set<VariableId> reads, writes;
        bool effect = false;
        forEachNodeWithin(g, nodes[i], [&](NodeId id) {
            auto const &node = g.node(id);
            for (auto input : node.inputs)
                if (auto const it = place.find(g.value(input).producer); it != place.end() && it->second != i) needs.insert(it->second);
            auto const *spec = ops(node.op);
            if (spec && spec->hasEffect && node.regions.empty() && !is(node, NodeKind::VariableAssign) && !isRegionEnd(node)) effect = true;
            if (node.variable.valid()) (is(node, NodeKind::VariableAssign) ? writes : reads).insert(node.variable);
            for (std::size_t k = 0; k < node.inputs.size(); ++k) {
                auto const &source = g.node(g.value(viewSource(g, node.inputs[k])).producer);
                if (!is(source, NodeKind::VariableRead)) continue;
                bool forced = false;
                for (std::size_t o = 0; o < node.outputs.size(); ++o)
                    forced = forced || forcedInPlace(ops, node, static_cast<int>(o)) == static_cast<int>(k);
                (forced ? writes : reads).insert(source.variable);
            }
        });
        if (effect) {
            if (lastEffect >= 0) needs.insert(static_cast<std::size_t>(lastEffect));
            lastEffect = static_cast<std::ptrdiff_t>(i);
        }
        for (auto variable : reads) {
            if (writes.contains(variable)) continue;
            auto &touches = variables[variable];
            if (touches.write >= 0) needs.insert(static_cast<std::size_t>(touches.write));
            touches.since.push_back(i);
        }
        for (auto variable : writes) {
            auto &touches = variables[variable];
            if (touches.write >= 0) needs.insert(static_cast<std::size_t>(touches.write));
            needs.insert(touches.since.begin(), touches.since.end());
            touches.since.clear();
            touches.write = static_cast<std::ptrdiff_t>(i);
        }
        // A body begins with its parameters and ends with its results.
        if (i > 0 && is(g.node(nodes[0]), NodeKind::Parameters)) needs.insert(0);
        if (is(g.node(nodes[i]), NodeKind::Results))
            for (std::size_t k = 0; k < i; ++k) needs.insert(k);
        needs.erase(i);
        before[i].assign(needs.begin(), needs.end());
    }
    return before;
}

Result<Graph> scheduleNodes(Graph graph, PassContext const &context)
{
    auto const &algorithm = context.options.scheduler;
    constexpr std::string_view kAlgorithms[] = {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"};
    if (std::ranges::find(kAlgorithms, algorithm) == std::end(kAlgorithms))
        return makeError(ErrorKind::Invalid, "passes.scheduler", "ipu_config.scheduling.algorithm",
                         Message::of("there is no scheduler '%1'", algorithm),
                         Message::of("use CHOOSE_BEST, CLUSTERING, POST_ORDER, SHORTEST_PATH or LOOK_AHEAD"));
    TW_ASSIGN(auto const peak, Scheduler(graph, context, algorithm).region(RegionId(0)));
    (void)peak;
    return graph;
}

} // namespace tilewright::passes
