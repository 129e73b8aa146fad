// Recomputation (ipu_config.allow_recompute): values that the backward pass would keep are computed again from fewer values. In a pipeline
// all
// stages except the last run again from the stage's input, so that only the input waits in the stash. Elsewhere results of elementwise
// operations are computed again from operands that are kept anyway. Random numbers repeat because the stream and counter are the same;
// nodes
// that change state run once.
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"
#include "engine/passes/schedule.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace tilewright::passes {

using namespace graph;

namespace {

constexpr int kLongestChain = 8;          ///< maximum number of elementwise operations that are repeated for one result
constexpr std::int64_t kFewElements = 16; ///< results up to this size are not worth a step
constexpr Bytes kSmallPart = 8;           ///< an operand smaller by this factor may be kept instead of the result

bool isBackward(Node const &node) { return node.pass == graph::Pass::Backward || node.pass == graph::Pass::Update; }

/// The nodes of one region that are recomputed, and the values the backward pass reads instead.
class Again {
public:
    Again(Graph &graph, RegionId region) : g(graph), m_region(region) {}

    bool empty() const { return m_twins.empty(); }
    bool has(NodeId id) const { return m_twins.contains(id); }

    void add(NodeId id)
    {
        if (has(id)) return;
        auto const own = m_twins[id] = twinOf(id, "/Recompute");
        m_inOrder.emplace_back(id, own);
    }

    /// Puts each recomputed node, with its operands, before the first backward node that reads it; the backward nodes then read the copy.
    /// `together`: all of them before the first reader, in the order of addition, as a task of their own.
    void place(std::function<bool(Node const &)> const &reader, bool together)
    {
        auto const nodes = g.region(m_region).nodes;
        std::vector<NodeId> out;
        std::set<NodeId> placed, met;
        for (auto id : nodes) {
            if (reader(g.node(id))) {
                forEachNodeWithin(g, id, [&](NodeId inner) {
                    for (auto &input : g.node(inner).inputs) input = of(input);
                });
                auto const values = reads(g, id);
                bool const wants = std::ranges::any_of(values, [&](ValueId value) { return m_made.contains(g.value(value).producer); });
                if (together && wants)
                    for (auto const &[original, twin] : m_inOrder)
                        if (met.contains(original)) put(twin, out, placed);
                for (auto value : values) put(g.value(value).producer, out, placed);
            }
            out.push_back(id);
            met.insert(id);
        }
        g.region(m_region).nodes = std::move(out);
    }

private:
    ValueId of(ValueId value) const
    {
        auto const it = m_renamed.find(value);
        return it == m_renamed.end() ? value : it->second;
    }

    /// Appends the node with new outputs.
    NodeId append(Node node)
    {
        NodeId const id(g.nodes.size());
        for (auto &output : node.outputs) {
            Value value = g.value(output);
            value.name += "/again";
            value.producer = id;
            output = ValueId(g.values.size());
            g.values.push_back(std::move(value));
        }
        g.nodes.push_back(std::move(node));
        m_made.insert(id);
        return id;
    }

    RegionId copyOf(RegionId from)
    {
        RegionId const to(g.regions.size());
        g.regions.push_back({g.region(from).label, {}});
        std::vector<NodeId> copies;
        for (auto id : std::vector(g.region(from).nodes)) copies.push_back(twinOf(id, ""));
        g.region(to).nodes = std::move(copies);
        return to;
    }

    /// Copies the node with replaced operands; the copy then replaces the results of the original.
    NodeId twinOf(NodeId id, char const *suffix)
    {
        Node twin = g.node(id);
        twin.pass = graph::Pass::Recompute;
        twin.name += suffix;
        for (auto &input : twin.inputs) input = of(input);
        for (auto &body : twin.regions)
            if (!is(twin, NodeKind::Call)) body = copyOf(body);
        auto const own = append(std::move(twin));
        for (std::size_t i = 0; i < g.node(id).outputs.size(); ++i) m_renamed[g.node(id).outputs[i]] = g.node(own).outputs[i];
        return own;
    }

    void put(NodeId id, std::vector<NodeId> &out, std::set<NodeId> &placed) const
    {
        std::vector<std::pair<NodeId, bool>> open{{id, false}}; // node, true if its operands are finished
        while (!open.empty()) {
            auto const [at, ready] = open.back();
            open.pop_back();
            if (!m_made.contains(at) || placed.contains(at)) continue;
            if (ready) {
                out.push_back(at);
                placed.insert(at);
                continue;
            }
            open.emplace_back(at, true);
            for (auto value : reads(g, at)) open.emplace_back(g.value(value).producer, false);
        }
    }

    Graph &g;
    RegionId m_region;
    std::map<NodeId, NodeId> m_twins;
    std::vector<std::pair<NodeId, NodeId>> m_inOrder; ///< original, copy
    std::map<ValueId, ValueId> m_renamed;
    std::set<NodeId> m_made;
};

class Recomputer {
public:
    Recomputer(Graph &graph, OpLookup const &ops) : g(graph), m_ops(ops) {}

    void run()
    {
        std::map<RegionId, bool> pipelined;
        forEachRegion(g, [&](RegionId region) {
            pipelined.try_emplace(region, false);
            for (auto id : g.region(region).nodes)
                for (auto sub : g.node(id).regions) pipelined[sub] = is(g.node(id), NodeKind::Pipeline);
        });
        for (auto const &[region, stages] : pipelined) {
            if (stages)
                for (int s = 0; s + 1 < g.stages; ++s) wholeStage(region, s);
            else cheapResults(region);
        }
    }

private:
    /// Variables that a node outside the weight update assigns, such as counters. Their values must be kept, because they cannot be read
    /// again.
    std::set<VariableId> changing(RegionId region) const
    {
        std::set<VariableId> all;
        for (auto id : g.region(region).nodes)
            forEachNodeWithin(g, id, [&](NodeId inner) {
                auto const &node = g.node(inner);
                if (is(node, NodeKind::VariableAssign) && node.pass != graph::Pass::Update) all.insert(node.variable);
            });
        return all;
    }

    bool readsChanging(ValueId value, std::set<VariableId> const &changing) const
    {
        auto const &producer = g.node(g.value(viewSource(g, value)).producer);
        return is(producer, NodeKind::VariableRead) && changing.contains(producer.variable);
    }

    /// True if the node has no side effects and gives the same results when repeated.
    bool repeatable(NodeId id, std::set<VariableId> const &changing) const
    {
        auto const operands = reads(g, id);
        bool good = std::ranges::none_of(operands, [&](ValueId value) { return readsChanging(value, changing); });
        forEachNodeWithin(g, id, [&](NodeId inner) {
            auto const &node = g.node(inner);
            auto const *spec = m_ops(node.op);
            bool const within = inner != id;
            if (within && isRegionEnd(node)) return;
            bool const state =
                node.variable.valid() || is(node, NodeKind::Infeed, NodeKind::Outfeed, NodeKind::AllReduce, NodeKind::IpuCopy);
            good = good && spec && !state && !spec->updates && !(spec->hasEffect && node.regions.empty())
                && !(spec->isRandom && !spec->stream);
        });
        return good && !is(g.node(id), NodeKind::Constant);
    }

    void wholeStage(RegionId region, int stage)
    {
        auto const &nodes = g.region(region).nodes;
        auto const changed = changing(region);
        std::set<ValueId> needed;
        auto const reader = [stage](Node const &node) { return isBackward(node) && node.stage == stage && !is(node, NodeKind::IpuCopy); };
        for (auto id : nodes)
            if (reader(g.node(id)))
                for (auto value : reads(g, id)) needed.insert(value);
        std::vector<NodeId> chosen; // last first
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
            auto const &node = g.node(*it);
            bool const wanted = std::ranges::any_of(node.outputs, [&](ValueId value) { return needed.contains(value); });
            if (!wanted || node.pass != graph::Pass::Forward || node.stage != stage || !repeatable(*it, changed)) continue;
            chosen.push_back(*it);
            for (auto value : reads(g, *it)) needed.insert(value);
        }
        Again again(g, region);
        for (auto it = chosen.rbegin(); it != chosen.rend(); ++it) again.add(*it);
        if (!again.empty()) again.place(reader, true);
    }

    /// Roles of the values of a region without stages for the backward pass.
    struct Plan {
        std::set<ValueId> kept; ///< read by the backward pass, through views
        std::set<NodeId> inRegion;
        std::set<VariableId> changing;
    };

    bool elementwise(NodeId id, std::set<VariableId> const &changing) const
    {
        auto const *spec = m_ops(g.node(id).op);
        return spec && spec->elementwise && repeatable(id, changing);
    }

    /// True if the operand of a recomputed node is available or can itself be recomputed.
    bool atHand(Plan const &plan, ValueId operand, Bytes resultBytes, int depth) const
    {
        auto const value = viewSource(g, operand);
        auto const producer = g.value(value).producer;
        if (readsChanging(value, plan.changing)) return false;
        if (!plan.inRegion.contains(producer) || is(g.node(producer), NodeKind::Constant, NodeKind::VariableRead)) return true;
        if (g.node(producer).pass != graph::Pass::Forward) return false;
        if (plan.kept.contains(value) || bytesOf(g.value(value)) * kSmallPart <= resultBytes) return true;
        return depth < kLongestChain && canBeMade(plan, value, resultBytes, depth + 1);
    }

    bool canBeMade(Plan const &plan, ValueId value, Bytes resultBytes, int depth) const
    {
        auto const producer = g.value(value).producer;
        if (!elementwise(producer, plan.changing)) return false;
        return std::ranges::all_of(g.node(producer).inputs, [&](ValueId input) { return atHand(plan, input, resultBytes, depth); });
    }

    void cheapResults(RegionId region)
    {
        auto const nodes = g.region(region).nodes;
        Plan plan;
        plan.inRegion.insert(nodes.begin(), nodes.end());
        plan.changing = changing(region);
        std::vector<ValueId> read;
        for (auto id : nodes)
            if (isBackward(g.node(id)))
                for (auto value : reads(g, id)) {
                    read.push_back(value);
                    plan.kept.insert(viewSource(g, value));
                }
        // In the order of the region: a recomputed value is available for later ones.
        std::set<ValueId> chosen;
        for (auto id : nodes) {
            auto const &node = g.node(id);
            if (node.pass != graph::Pass::Forward || node.outputs.size() != 1 || !plan.kept.contains(node.outputs[0])) continue;
            auto const value = node.outputs[0];
            if (elementCount(g.value(value).shape) >= kFewElements && canBeMade(plan, value, bytesOf(g.value(value)), 0))
                chosen.insert(value);
        }
        if (chosen.empty()) return;
        Again again(g, region);
        for (auto value : chosen) make(plan, chosen, again, value, bytesOf(g.value(value)));
        // Views of them that the backward pass reads.
        for (auto value : read) view(again, chosen, value);
        again.place(isBackward, false);
    }

    void make(Plan const &plan, std::set<ValueId> const &chosen, Again &again, ValueId value, Bytes resultBytes) const
    {
        auto const producer = g.value(value).producer;
        if (again.has(producer)) return;
        auto const inputs = g.node(producer).inputs;
        for (auto operand : inputs) {
            auto const source = viewSource(g, operand);
            auto const maker = g.value(source).producer;
            bool const stays = !plan.inRegion.contains(maker) || is(g.node(maker), NodeKind::Constant, NodeKind::VariableRead)
                || (!chosen.contains(source) && (plan.kept.contains(source) || bytesOf(g.value(source)) * kSmallPart <= resultBytes));
            if (stays) continue;
            make(plan, chosen, again, source, resultBytes);
            view(again, {source}, operand);
        }
        again.add(producer);
    }

    /// Reshapes between one of `sources` and `value`.
    void view(Again &again, std::set<ValueId> const &sources, ValueId value) const
    {
        std::vector<NodeId> reshapes;
        while (!sources.contains(value)) {
            auto const producer = g.value(value).producer;
            if (!is(g.node(producer), NodeKind::Reshape)) return;
            reshapes.push_back(producer);
            value = g.node(producer).inputs[0];
        }
        for (auto it = reshapes.rbegin(); it != reshapes.rend(); ++it) again.add(*it);
    }

    Graph &g;
    OpLookup const &m_ops;
};

} // namespace

Result<Graph> recomputeActivations(Graph graph, PassContext const &context)
{
    if (!context.options.recompute) return graph;
    auto changed = graph;
    Recomputer(changed, context.ops).run();
    TW_ASSIGN(changed, removeDeadNodes(std::move(changed), context));
    // Without a pipeline there is no stash; a recomputation that does not lower the peak only costs cycles.
    bool const pays = graph.stages > 1 || regionPeak(changed, context.ops, RegionId(0)) < regionPeak(graph, context.ops, RegionId(0));
    return pays ? std::move(changed) : std::move(graph);
}

} // namespace tilewright::passes
