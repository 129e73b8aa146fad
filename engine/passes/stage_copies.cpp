// Copies values from the IPU of the stage that computes them to those that use them: stage by stage in a pipeline, else directly.
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include <algorithm>
#include <map>

namespace tilewright::passes {

using namespace graph;

namespace {

class Copier {
public:
    explicit Copier(Graph &graph) : g(graph)
    {
        forEachRegion(graph, [this](RegionId region) {
            for (auto id : g.region(region).nodes) m_pipelined = m_pipelined || is(g.node(id), NodeKind::Pipeline);
        });
    }

    void region(RegionId id)
    {
        auto const nodes = g.region(id).nodes;
        Local local;
        for (auto nodeId : nodes) local.home[nodeId] = true;
        for (auto nodeId : nodes) {
            int const stage = g.node(nodeId).stage;
            bool const oneStage = movesValues(nodeId);
            if ((g.node(nodeId).regions.empty() || oneStage) && !is(g.node(nodeId), NodeKind::IpuCopy))
                for (auto const value : reads(g, nodeId)) {
                    if (stageOf(value) == stage) continue;
                    auto const &producer = g.node(g.value(value).producer);
                    // A constant is created at its use.
                    auto const here = is(producer, NodeKind::Constant) ? constantAt(local, value, stage) : copyTo(local, value, stage);
                    forEachNodeWithin(g, nodeId, [&](NodeId inner) { std::ranges::replace(g.node(inner).inputs, value, here); });
                }
            auto const regions = g.node(nodeId).regions;
            if (!oneStage)
                for (auto sub : regions) region(sub);
        }
        std::vector<NodeId> out = local.first;
        for (auto nodeId : nodes) {
            out.push_back(nodeId);
            for (auto inserted : local.after[nodeId]) out.push_back(inserted);
        }
        g.region(id).nodes = std::move(out);
    }

private:
    struct Local {
        std::map<NodeId, bool> home;                   ///< nodes of the region
        std::map<std::pair<ValueId, int>, ValueId> at; ///< (value, stage) -> the copy on that stage
        std::map<NodeId, std::vector<NodeId>> after;   ///< inserted after a node of the region
        std::vector<NodeId> first;                     ///< inserted at the start: values of outer regions
    };

    /// A loop or call inside a stage (not one that contains stages): its operands are copied before it.
    bool movesValues(NodeId id) const
    {
        auto const &node = g.node(id);
        return is(node, NodeKind::Call) || dependsOnData(node) || (is(node, NodeKind::Repeat) && !repeatForm(node).isLoopOverVariables());
    }

    int stageOf(ValueId value) const
    {
        auto const &producer = g.node(g.value(value).producer);
        return is(producer, NodeKind::IpuCopy) ? static_cast<int>(producer.attrs.integer("to")) : producer.stage;
    }

    /// After the source's producer, in the order of insertion, so that later hops follow earlier ones.
    ValueId insert(Local &local, ValueId source, Node node, std::string name)
    {
        NodeId const id(g.nodes.size());
        ValueId const value(g.values.size());
        Value type = g.value(source);
        type.name = std::move(name);
        type.producer = id;
        g.values.push_back(std::move(type));
        node.outputs = {value};
        g.nodes.push_back(std::move(node));
        auto const producer = g.value(source).producer;
        if (local.home.contains(producer)) local.after[producer].push_back(id);
        else local.first.push_back(id);
        return value;
    }

    ValueId constantAt(Local &local, ValueId value, int stage)
    {
        auto const it = local.at.find({value, stage});
        if (it != local.at.end()) return it->second;
        Node node = g.node(g.value(value).producer);
        node.stage = stage;
        return local.at[{value, stage}] = insert(local, value, std::move(node), g.value(value).name);
    }

    ValueId copyTo(Local &local, ValueId value, int stage)
    {
        int const home = stageOf(value);
        // In a pipeline, each slot moves a value by one stage.
        int const step = !m_pipelined ? stage - home : stage > home ? 1 : -1;
        ValueId current = value;
        for (int from = home; from != stage; from += step) {
            auto const it = local.at.find({value, from + step});
            if (it != local.at.end()) {
                current = it->second;
                continue;
            }
            auto const &producer = g.node(g.value(value).producer);
            Node node;
            node.op = toText(NodeKind::IpuCopy);
            node.inputs = {current};
            node.attrs = Attrs{{"from", std::int64_t{from}}, {"to", std::int64_t{from + step}}};
            node.layer = producer.layer;
            node.stage = from;
            // In a pipeline, copies against the direction of the stages belong to the backward pass.
            bool const goesBack = m_pipelined && producer.pass == graph::Pass::Forward && step < 0;
            node.pass = goesBack ? graph::Pass::Backward : producer.pass;
            node.name = g.value(value).name + "/InterIpuCopy";
            current = local.at[{value, from + step}] =
                insert(local, value, std::move(node), g.value(value).name + ":ipu" + std::to_string(from + step));
        }
        return current;
    }

    Graph &g;
    bool m_pipelined = false;
};

} // namespace

Result<Graph> insertStageCopies(Graph graph, PassContext const &)
{
    if (graph.stages > 1) Copier(graph).region(RegionId(0));
    return graph;
}

} // namespace tilewright::passes
