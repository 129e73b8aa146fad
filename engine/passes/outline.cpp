// Outlining: runs of nodes that differ only in their operands become one body with one call per run. A tile then holds the code once; in
// exchange each call copies its operands and results (lowering/call.cpp). Runs with random numbers may also differ in their streams; each
// call
// passes the stream numbers.
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/outline_nodes.h"
#include "engine/passes/outline_price.h"
#include "engine/passes/pass.h"
#include "engine/passes/repeats.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace tilewright::passes {

using namespace graph;

namespace {

constexpr std::size_t kLongestRun = 512; ///< nodes of one body
constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr std::int64_t kStreams = std::int64_t{1} << 40; ///< offset of streams in a wiring, greater than all positions

/// A body under construction: its runs, operands and results.
struct Outline {
    RepeatedRun run;
    std::vector<ValueId> given;                               ///< values that the first run reads from outside, by parameter
    std::vector<std::int64_t> streams;                        ///< numbers of its random streams, by parameter after `given`
    std::vector<std::pair<std::size_t, std::size_t>> results; ///< (node of the run, output) with readers outside
    std::vector<std::size_t> views;                           ///< reshapes of the run with readers outside; created again after the call
    OutlineGain gain;
};

class Outliner {
public:
    Outliner(Graph &graph, PassContext const &context) : g(graph), m_context(context), m_nodes(graph, context.ops) {}

    Status run()
    {
        std::vector<RegionId> regions;
        forEachRegion(g, [&](RegionId id) { regions.push_back(id); });
        for (auto region : regions) {
            // The nodes of a run and their bodies no longer belong to any region.
            bool inUse = false;
            forEachRegion(g, [&](RegionId id) { inUse = inUse || id == region; });
            while (inUse && outlineBest(region))
                if (m_context.job.cancelled()) return cancelledError(g.name);
        }
        return {};
    }

private:
    /// Nodes between the nodes of a run that are not part of it: reads of variables and constants, assignments that may run later, and
    /// recomputed
    /// nodes (recompute.cpp), which can differ between otherwise equal layers. In a pipeline whole stages are recomputed, and runs of them
    /// are equal.
    bool standsAside(NodeId id) const
    {
        auto const &node = g.node(id);
        return is(node, NodeKind::VariableRead, NodeKind::Constant) || m_lateAssigns.contains(id)
            || (g.stages == 1 && node.pass == graph::Pass::Recompute);
    }

    /// Assignments after which nothing in the region reads or assigns the variable.
    std::set<NodeId> lateAssigns(RegionId region) const
    {
        std::set<NodeId> late;
        std::set<VariableId> seen;
        auto const &nodes = g.region(region).nodes;
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
            auto const id = *it;
            auto const &node = g.node(id);
            for (auto const body : node.regions) noteVariables(body, seen);
            if (node.variable.valid() && seen.insert(node.variable).second && is(node, NodeKind::VariableAssign)) late.insert(id);
        }
        return late;
    }

    void noteVariables(RegionId region, std::set<VariableId> &seen) const
    {
        for (auto const id : g.region(region).nodes) {
            if (g.node(id).variable.valid()) seen.insert(g.node(id).variable);
            for (auto const body : g.node(id).regions) noteVariables(body, seen);
        }
    }

    /// The stream numbers of a run, in order of their first use.
    std::vector<std::int64_t> streamsOf(std::size_t start, std::size_t length) const
    {
        std::vector<std::int64_t> streams;
        for (std::size_t k = 0; k < length; ++k) {
            auto const &node = g.node(m_sequence[start + k]);
            auto const attribute = m_nodes.streamOf(node);
            if (!attribute) continue;
            if (auto const number = node.attrs.integer(*attribute); std::ranges::find(streams, number) == streams.end())
                streams.push_back(number);
        }
        return streams;
    }

    /// The movable nodes of a region as tokens. A node that separates runs is a token of its own.
    void readRegion(RegionId region)
    {
        m_sequence.clear();
        m_tokens.clear();
        m_code.clear();
        m_lateAssigns = lateAssigns(region);
        std::uint32_t fresh = 0x80000000u;
        NodeId last;
        auto const separate = [&] {
            m_sequence.push_back(NodeId());
            m_tokens.push_back(fresh++);
            m_code.push_back(0);
        };
        for (auto id : g.region(region).nodes) {
            auto const &node = g.node(id);
            if (standsAside(id)) continue;
            if (!m_nodes.mayMove(id)) {
                if (last.valid()) separate();
                last = NodeId();
                continue;
            }
            if (last.valid() && (g.node(last).stage != node.stage || g.node(last).pass != node.pass)) separate();
            last = id;
            auto const [it, isNew] = m_keys.emplace(m_nodes.keyOf(id) + std::string(toText(node.pass)) + std::to_string(node.stage),
                                                    static_cast<std::uint32_t>(m_keys.size()));
            (void)isNew;
            m_sequence.push_back(id);
            m_tokens.push_back(it->second);
            m_code.push_back(m_nodes.codeOf(id));
        }
        m_placeOf.assign(g.values.size(), kNone);
        for (std::size_t i = 0; i < m_sequence.size(); ++i)
            if (m_sequence[i].valid())
                for (auto output : g.node(m_sequence[i]).outputs) m_placeOf[output.index] = static_cast<std::uint32_t>(i);
        m_lastUse.assign(g.values.size(), kNone);
        m_usedElsewhere.assign(g.values.size(), 0);
        std::map<NodeId, std::size_t> place;
        for (std::size_t i = 0; i < m_sequence.size(); ++i)
            if (m_sequence[i].valid()) forEachNodeWithin(g, m_sequence[i], [&](NodeId id) { place[id] = i; });
        forEachRegion(g, [&](RegionId at) {
            for (auto id : g.region(at).nodes) {
                auto const it = place.find(id);
                for (auto input : g.node(id).inputs)
                    if (it == place.end()) m_usedElsewhere[input.index] = 1;
                    else m_lastUse[input.index] = static_cast<std::uint32_t>(it->second); // ascending list: the last is the largest
            }
        });
    }

    /// How the nodes of a run are connected; equal for two runs that compute the same function of their operands.
    std::vector<std::int64_t> wiring(std::size_t start, std::size_t length) const
    {
        std::vector<std::int64_t> shape;
        std::map<ValueId, std::int64_t> outside;
        std::map<std::string, std::int64_t> layers;
        std::map<std::int64_t, std::int64_t> streams;
        for (std::size_t k = 0; k < length; ++k) {
            auto const &node = g.node(m_sequence[start + k]);
            if (auto const stream = m_nodes.streamOf(node))
                shape.push_back(kStreams
                                + streams.emplace(node.attrs.integer(*stream), static_cast<std::int64_t>(streams.size())).first->second);
            forEachNodeWithin(g, m_sequence[start + k], [&](NodeId id) {
                shape.push_back(layers.emplace(g.node(id).layer, static_cast<std::int64_t>(layers.size())).first->second);
            });
            for (auto input : m_nodes.operandsOf(m_sequence[start + k])) {
                auto const at = m_placeOf[input.index];
                if (at != kNone && at >= start && at < start + length) {
                    auto const &outputs = g.node(m_sequence[at]).outputs;
                    shape.push_back(static_cast<std::int64_t>(at - start));
                    shape.push_back(std::ranges::find(outputs, input) - outputs.begin());
                } else if (is(g.node(g.value(input).producer), NodeKind::Constant)) {
                    shape.push_back(-1); // with equal content; it becomes part of the body
                } else {
                    shape.push_back(-2 - outside.emplace(input, static_cast<std::int64_t>(outside.size())).first->second);
                }
            }
        }
        return shape;
    }

    /// The largest set of equal occurrences without overlap; fewer than two: none.
    RepeatedRun equalRuns(RepeatedRun const &found) const
    {
        std::map<std::vector<std::int64_t>, std::vector<std::size_t>> classes;
        std::size_t free = 0;
        for (auto const start : found.starts) {
            if (start < free) continue;
            free = start + found.length;
            classes[wiring(start, found.length)].push_back(start);
        }
        RepeatedRun best{found.length, {}};
        for (auto const &[shape, starts] : classes)
            if (starts.size() > best.starts.size() || (starts.size() == best.starts.size() && starts < best.starts)) best.starts = starts;
        return best;
    }

    Outline outlineOf(RepeatedRun const &found) const
    {
        Outline outline;
        outline.run = equalRuns(found);
        auto const &[length, starts] = outline.run;
        if (starts.size() < 2) return outline;
        std::set<ValueId> seen;
        for (std::size_t k = 0; k < length; ++k)
            for (auto input : m_nodes.operandsOf(m_sequence[starts[0] + k])) {
                auto const at = m_placeOf[input.index];
                bool const inside = at != kNone && at >= starts[0] && at < starts[0] + length;
                if (inside || is(g.node(g.value(input).producer), NodeKind::Constant) || !seen.insert(input).second) continue;
                outline.given.push_back(input);
            }
        for (std::size_t k = 0; k < length; ++k)
            for (std::size_t o = 0; o < g.node(m_sequence[starts[0] + k]).outputs.size(); ++o) {
                bool const wanted = std::ranges::any_of(starts, [&](std::size_t start) {
                    auto const value = g.node(m_sequence[start + k]).outputs[o];
                    return m_usedElsewhere[value.index] || (m_lastUse[value.index] != kNone && m_lastUse[value.index] >= start + length);
                });
                if (wanted) addResult(outline, k, o);
            }
        std::vector<NodeId> const nodes(m_sequence.begin() + static_cast<std::ptrdiff_t>(starts[0]),
                                        m_sequence.begin() + static_cast<std::ptrdiff_t>(starts[0] + length));
        std::vector<ValueId> left;
        for (auto const &[k, o] : outline.results) left.push_back(g.node(nodes[k]).outputs[o]);
        outline.streams = streamsOf(starts[0], length);
        outline.gain = outlineGain(g, m_context, nodes, outline.given, left, outline.streams.size(), starts.size());
        return outline;
    }

    /// Position in the run of the producer of this operand; kNone: it comes from outside.
    std::uint32_t placeWithin(ValueId input, std::size_t start, std::size_t length) const
    {
        auto const at = m_placeOf[input.index];
        return at != kNone && at >= start && at < start + length ? at : kNone;
    }

    /// The value that a reshape of a run is a view of, through other reshapes of the run.
    ValueId viewedBy(std::size_t start, std::size_t length, std::size_t k) const
    {
        auto value = g.node(m_sequence[start + k]).inputs[0];
        for (;;) {
            auto const at = placeWithin(value, start, length);
            if (at == kNone || !is(g.node(m_sequence[at]), NodeKind::Reshape)) return value;
            value = g.node(m_sequence[at]).inputs[0];
        }
    }

    /// A call returns no view of an operand or of another result: that would cost one more copy, and a view of a weight would count as an
    /// activation.
    void addResult(Outline &outline, std::size_t k, std::size_t o) const
    {
        auto const &[length, starts] = outline.run;
        if (is(g.node(m_sequence[starts[0] + k]), NodeKind::Reshape)) {
            outline.views.push_back(k);
            auto const source = viewedBy(starts[0], length, k);
            auto const at = placeWithin(source, starts[0], length);
            if (at == kNone) return;
            auto const &outputs = g.node(m_sequence[at]).outputs;
            k = at - starts[0];
            o = static_cast<std::size_t>(std::ranges::find(outputs, source) - outputs.begin());
        }
        if (std::ranges::find(outline.results, std::pair(k, o)) == outline.results.end()) outline.results.emplace_back(k, o);
    }

    bool outlineBest(RegionId region)
    {
        readRegion(region);
        Outline best;
        for (auto const &run : repeatedRuns(m_tokens, kLongestRun)) {
            // Upper bound of the saving, without copies and without inspecting the graph.
            Bytes most = 0;
            for (std::size_t k = 0; k < run.length; ++k) most += m_code[run.starts[0] + k];
            if (most * static_cast<Bytes>(run.starts.size() - 1) <= best.gain.bytes) continue;
            auto outline = outlineOf(run);
            if (outline.run.starts.size() >= 2 && outline.gain.pays() && outline.gain.bytes > best.gain.bytes) best = std::move(outline);
        }
        if (best.run.starts.size() < 2) return false;
        apply(region, best);
        return true;
    }

    /// "block1_attention..block1_norm/forward": from the first to the last layer of a run.
    std::string label(std::size_t start, std::size_t length) const
    {
        auto const &first = g.node(m_sequence[start]), &last = g.node(m_sequence[start + length - 1]);
        std::string text = first.layer.empty() ? first.op : first.layer;
        if (last.layer != first.layer && !last.layer.empty()) text += ".." + last.layer;
        return text + "/" + std::string(toText(first.pass));
    }

    void apply(RegionId region, Outline const &outline)
    {
        auto const &[length, starts] = outline.run;
        auto const body = makeBody(outline);
        std::map<NodeId, std::vector<NodeId>> callAt; // the call and its views, by the last node of a run
        std::set<NodeId> gone;
        Replacements replaced;
        for (std::size_t c = 0; c < starts.size(); ++c) {
            auto &made = callAt[m_sequence[starts[c] + length - 1]];
            auto const numbers = makeNumbers(starts[c], length);
            made.insert(made.end(), numbers.begin(), numbers.end());
            made.push_back(makeCall(outline, body, starts[c], numbers, replaced));
            for (auto k : outline.views) made.push_back(makeView(starts[c], length, k, replaced));
            for (std::size_t k = 0; k < length; ++k) gone.insert(m_sequence[starts[c] + k]);
        }
        // Assignments inside a run follow its call, because they can read its results.
        std::vector<NodeId> nodes, behind;
        bool inside = false;
        for (auto id : g.region(region).nodes) {
            if (auto const it = callAt.find(id); it != callAt.end()) {
                nodes.insert(nodes.end(), it->second.begin(), it->second.end());
                nodes.insert(nodes.end(), behind.begin(), behind.end());
                behind.clear();
                inside = false;
            } else if (gone.contains(id)) {
                inside = true;
            } else {
                (inside && m_lateAssigns.contains(id) ? behind : nodes).push_back(id);
            }
        }
        g.region(region).nodes = std::move(nodes);
        replaced.applyTo(g);
    }

    /// The body: copies of the first run's nodes between parameters and results. The run itself is removed like the others.
    RegionId makeBody(Outline const &outline)
    {
        auto const &[length, starts] = outline.run;
        std::string const name = label(starts[0], length);
        RegionId const body = addRegion(g, name);
        BodyWriter writer(g, body);
        Node end = g.node(m_sequence[starts[0]]);
        end.inputs.clear();
        end.outputs.clear();
        end.regions.clear();
        end.attrs = {};
        end.op = "parameters";
        end.name = name + "/parameters";
        writer.append(end, outline.given);
        NodeId const parameters = g.region(body).nodes.back();
        std::map<std::int64_t, ValueId> streams;
        for (auto const number : outline.streams)
            streams[number] =
                addOutput(g, parameters, {name + "/stream_" + std::to_string(streams.size()), {}, DType::I32, Role::Other, {}});
        for (std::size_t k = 0; k < length; ++k) {
            auto const id = m_sequence[starts[0] + k];
            for (auto const input : m_nodes.operandsOf(id))
                if (!writer.knows(input)) writer.append(Node(g.node(g.value(input).producer)), {input}); // a constant
            Node node = writer.copyOf(Node(g.node(id)));
            if (auto const stream = m_nodes.streamOf(node)) {
                auto const number = node.attrs.integer(*stream);
                node.attrs.set(*stream, number & ~kGivenOfStream);
                node.inputs.push_back(streams.at(number));
            }
            auto const outputs = node.outputs;
            writer.append(std::move(node), outputs);
        }
        end.op = "results";
        end.name = name + "/results";
        for (auto const &[k, o] : outline.results) end.inputs.push_back(writer.inside(g.node(m_sequence[starts[0] + k]).outputs[o]));
        writer.append(std::move(end), {});
        return body;
    }

    /// Constants that a call adds to the stream numbers.
    std::vector<NodeId> makeNumbers(std::size_t start, std::size_t length)
    {
        std::vector<NodeId> made;
        for (auto const number : streamsOf(start, length)) {
            auto const &first = g.node(m_sequence[start]);
            Node node;
            node.op = toText(NodeKind::Constant);
            node.name = label(start, length) + "/stream_" + std::to_string(made.size());
            node.layer = first.layer;
            node.pass = first.pass;
            node.stage = first.stage;
            node.attrs.set("value", static_cast<double>(static_cast<std::int32_t>(number & kGivenOfStream)));
            NodeId const id(g.nodes.size());
            Value value{node.name, {}, DType::I32, Role::Constant, {}};
            g.nodes.push_back(std::move(node));
            addOutput(g, id, std::move(value));
            made.push_back(id);
        }
        return made;
    }

    NodeId makeCall(Outline const &outline, RegionId body, std::size_t start, std::vector<NodeId> const &numbers, Replacements &replaced)
    {
        auto const length = outline.run.length;
        auto const &first = g.node(m_sequence[start]);
        Node call;
        call.op = toText(NodeKind::Call);
        call.name = label(start, length);
        call.layer = first.layer;
        call.pass = first.pass;
        call.stage = first.stage;
        call.regions = {body};
        call.attrs.set("layers", layersOf(start, length));
        // In the order of the parameters, which is the order of first use in a run.
        std::set<ValueId> seen;
        for (std::size_t k = 0; k < length; ++k)
            for (auto input : m_nodes.operandsOf(m_sequence[start + k])) {
                auto const at = m_placeOf[input.index];
                bool const inside = at != kNone && at >= start && at < start + length;
                if (inside || is(g.node(g.value(input).producer), NodeKind::Constant) || !seen.insert(input).second) continue;
                call.inputs.push_back(input);
            }
        for (auto const number : numbers) call.inputs.push_back(g.node(number).outputs[0]);
        NodeId const id(g.nodes.size());
        g.nodes.push_back(std::move(call));
        for (auto const &[k, o] : outline.results) {
            auto const value = g.node(m_sequence[start + k]).outputs[o];
            Value type = g.value(value);
            replaced.set(value, addOutput(g, id, std::move(type)));
        }
        return id;
    }

    /// Repeats a reshape of the run on an operand or result of the call.
    NodeId makeView(std::size_t start, std::size_t length, std::size_t k, Replacements &replaced)
    {
        Node view = g.node(m_sequence[start + k]);
        auto const value = view.outputs[0];
        view.inputs = {replaced.of(viewedBy(start, length, k))};
        view.outputs.clear();
        NodeId const id(g.nodes.size());
        g.nodes.push_back(std::move(view));
        Value type = g.value(value);
        replaced.set(value, addOutput(g, id, std::move(type)));
        return id;
    }

    /// The layers of a run in order of appearance, one line each.
    std::string layersOf(std::size_t start, std::size_t length) const
    {
        std::string text;
        std::set<std::string> seen;
        for (std::size_t k = 0; k < length; ++k) {
            auto const &layer = g.node(m_sequence[start + k]).layer;
            if (seen.insert(layer).second) text += (seen.size() > 1 ? "\n" : "") + layer;
        }
        return text;
    }

    Graph &g;
    PassContext const &m_context;
    OutlineNodes m_nodes;
    std::unordered_map<std::string, std::uint32_t> m_keys;
    std::vector<NodeId> m_sequence; ///< invalid: a separator
    std::vector<std::uint32_t> m_tokens;
    std::vector<Bytes> m_code;            ///< code bytes of each node on a tile
    std::vector<std::uint32_t> m_placeOf; ///< by value: position of its producer in the sequence
    std::vector<std::uint32_t> m_lastUse; ///< by value: position of its last reader in the sequence
    std::vector<char> m_usedElsewhere;    ///< by value: read by a node outside the sequence
    std::set<NodeId> m_lateAssigns;       ///< of the region
};

} // namespace

Result<Graph> outlineRuns(Graph graph, PassContext const &context)
{
    if (context.options.outlineTiles > 0) TW_TRY(Outliner(graph, context).run());
    return graph;
}

} // namespace tilewright::passes
