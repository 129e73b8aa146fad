// Recomputation (ipu_config.allow_recompute): values that the backward pass would keep are computed again from fewer values.
// - In a pipeline with recompute_then_backpropagate, all stages except the last run again as a whole from the stage's input, so that only
//   the input waits in the stash.
// - Between recomputation checkpoints, the parts run again one by one, each before the first backward node that reads one of its values. In
//   a pipeline with recompute_and_backpropagate_interleaved, the inputs and outputs of a stage are checkpoints as well.
// - Elsewhere, results of elementwise operations are computed again from operands that are kept anyway.
// Random numbers repeat because stream and counter are the same. Nodes that change state run once.
#include "engine/graph/checkpoint.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"
#include "engine/passes/schedule.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
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
        auto const own = m_twins[id] = copyToRecompute(g, id, m_renamed, "/Recompute");
        m_made.insert(own);
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

    /// What a person asks for: stages of a pipeline, and parts between checkpoints. `interleaved`: training.recomputation_mode.
    void asRequested(bool interleaved)
    {
        for (auto const &[region, node] : regions()) {
            if (!node.valid()) {
                betweenCheckpoints(region, {});
                continue;
            }
            if (interleaved) g.node(node).attrs.set(kInterleaved, true);
            for (int s = 0; s < g.stages; ++s)
                if (interleaved) betweenCheckpoints(region, s);
                else if (s + 1 < g.stages) wholeStage(region, s);
        }
    }

    /// Elementwise results outside pipelines.
    void whereCheap()
    {
        for (auto const &[region, node] : regions())
            if (!node.valid()) cheapResults(region);
    }

    /// Removes the marks: their readers read the operand.
    void removeMarks()
    {
        Replacements operands;
        forEachRegion(g, [&](RegionId region) {
            std::erase_if(g.region(region).nodes, [&](NodeId id) {
                auto const &node = g.node(id);
                if (!isCheckpoint(node)) return false;
                operands.set(node.outputs[0], node.inputs[0]);
                return true;
            });
        });
        operands.applyTo(g);
    }

private:
    /// All regions, with the pipeline whose micro-batch they are; invalid: none.
    std::map<RegionId, NodeId> regions() const
    {
        std::map<RegionId, NodeId> all;
        forEachRegion(g, [&](RegionId region) {
            all.try_emplace(region);
            for (auto id : g.region(region).nodes)
                for (auto sub : g.node(id).regions) all[sub] = is(g.node(id), NodeKind::Pipeline) ? id : NodeId();
        });
        return all;
    }

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

    /// What the nodes of a region read that `reader` takes.
    template <typename Reader> std::set<ValueId> readBy(RegionId region, Reader const &reader) const
    {
        std::set<ValueId> values;
        for (auto id : g.region(region).nodes)
            if (reader(g.node(id)))
                for (auto value : reads(g, id)) values.insert(value);
        return values;
    }

    void wholeStage(RegionId region, int stage)
    {
        auto const &nodes = g.region(region).nodes;
        auto const changed = changing(region);
        auto const reader = [stage](Node const &node) { return isBackward(node) && node.stage == stage && !is(node, NodeKind::IpuCopy); };
        auto needed = readBy(region, reader);
        std::vector<NodeId> chosen; // last first
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
            auto const &node = g.node(*it);
            bool const wanted = std::ranges::any_of(node.outputs, [&](ValueId value) { return needed.contains(value); });
            if (!wanted || node.pass != graph::Pass::Forward || node.stage != stage || !isRepeatable(g, m_ops, *it, changed)) continue;
            chosen.push_back(*it);
            for (auto value : reads(g, *it)) needed.insert(value);
        }
        Again again(g, region);
        for (auto it = chosen.rbegin(); it != chosen.rend(); ++it) again.add(*it);
        if (!again.empty()) again.place(reader, true);
    }

    /// The nodes that a checkpoint of the stage, or of the region, depends on.
    std::set<NodeId> beforeCheckpoints(RegionId region, std::optional<int> stage) const
    {
        std::set<NodeId> before;
        auto const &nodes = g.region(region).nodes;
        std::set<ValueId> wanted;
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
            auto const &node = g.node(*it);
            bool const starts = isCheckpoint(node) && (!stage || node.stage == *stage);
            if (!starts && std::ranges::none_of(node.outputs, [&](ValueId value) { return wanted.contains(value); })) continue;
            before.insert(*it);
            for (auto value : reads(g, *it)) wanted.insert(value);
        }
        return before;
    }

    /// Variables that are assigned in front of a backward node: what was read of them before cannot be read again.
    std::set<VariableId> changedBeforeBackward(RegionId region) const
    {
        std::set<VariableId> assigned, changed;
        for (auto id : g.region(region).nodes) {
            if (g.node(id).pass == graph::Pass::Backward) changed = assigned;
            forEachNodeWithin(g, id, [&](NodeId inner) {
                if (is(g.node(inner), NodeKind::VariableAssign)) assigned.insert(g.node(inner).variable);
            });
        }
        return changed;
    }

    /// Computes again what the backward pass needs, from checkpoints and from what cannot be repeated. What follows the last checkpoint of
    /// the region, or of the last stage of a pipeline, is kept: the backward pass begins there.
    void betweenCheckpoints(RegionId region, std::optional<int> stage)
    {
        auto const nodes = g.region(region).nodes;
        auto const before = beforeCheckpoints(region, stage);
        bool const all = stage && *stage + 1 < g.stages;
        if (before.empty() && !all) return;
        auto const changed = stage ? changing(region) : changedBeforeBackward(region);
        std::set<ValueId> checkpoints;
        for (auto id : nodes)
            if (isCheckpoint(g.node(id))) {
                checkpoints.insert(g.node(id).outputs[0]);
                checkpoints.insert(viewSource(g, g.node(id).inputs[0]));
            }
        auto const reader = [stage](Node const &node) {
            return isBackward(node) && !is(node, NodeKind::IpuCopy) && (!stage || node.stage == *stage);
        };
        auto needed = readBy(region, reader);
        std::vector<NodeId> chosen; // last first
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
            auto const &node = g.node(*it);
            bool const wanted = std::ranges::any_of(node.outputs, [&](ValueId value) { return needed.contains(value); });
            bool const kept = std::ranges::any_of(node.outputs, [&](ValueId value) { return checkpoints.contains(value); });
            if (!wanted || kept || node.pass != graph::Pass::Forward || (stage && node.stage != *stage)) continue;
            if ((!all && !before.contains(*it)) || !isRepeatable(g, m_ops, *it, changed)) continue;
            chosen.push_back(*it);
            for (auto value : reads(g, *it)) needed.insert(value);
        }
        Again again(g, region);
        for (auto it = chosen.rbegin(); it != chosen.rend(); ++it) again.add(*it);
        if (!again.empty()) again.place(reader, false);
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
        return spec && spec->elementwise && isRepeatable(g, m_ops, id, changing);
    }

    /// True if the operand of a recomputed node is available or can itself be recomputed.
    bool atHand(Plan const &plan, ValueId operand, Bytes resultBytes, int depth) const
    {
        auto const value = viewSource(g, operand);
        auto const producer = g.value(value).producer;
        if (readsChanging(g, value, plan.changing)) return false;
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
    Recomputer recomputer(graph, context.ops);
    if (context.options.recompute) recomputer.asRequested(context.options.recomputeInterleaved);
    recomputer.removeMarks();
    if (!context.options.recompute) return graph;
    TW_ASSIGN(graph, removeDeadNodes(std::move(graph), context));
    auto changed = graph;
    Recomputer(changed, context.ops).whereCheap();
    TW_ASSIGN(changed, removeDeadNodes(std::move(changed), context));
    // Without a stash, a recomputation that does not lower the peak only costs cycles. The peak of one of several IPUs is not known here.
    bool const pays = graph.stages > 1 || regionPeak(changed, context.ops, RegionId(0)) < regionPeak(graph, context.ops, RegionId(0));
    return pays ? std::move(changed) : std::move(graph);
}

} // namespace tilewright::passes
