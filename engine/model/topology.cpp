#include "engine/model/topology.h"

#include "engine/core/text.h"
#include "engine/model/layer_spec.h"
#include "engine/model/layers/recurrent_rules.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::model {

namespace {

using Node = Topology::Node;

Diagnostic invalid(std::string code, std::string subject, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, std::move(code), std::move(subject), std::move(message), std::move(remedy));
}

Status checkNames(Model const &model)
{
    if (model.layers.empty())
        return invalid("model.empty", model.name, Message::of("the model has no layers"), Message::of("add an input and a layer"));
    std::set<std::string> names;
    for (auto const &layer : model.layers) {
        if (layer.name.empty())
            return invalid("model.bad-name", layer.className, Message::of("a layer has no name"), Message::of("give every layer a name"));
        if (!names.insert(layer.name).second)
            return invalid("model.duplicate-name", layer.name, Message::of("two layers are named '%1'", layer.name),
                           Message::of("names of layers must differ"));
    }
    return {};
}

Result<Topology> chain(Model const &model)
{
    Topology topology;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        bool const input = model.layers[i].className == "InputLayer";
        if (input && i > 0)
            return invalid("model.not-connected", model.layers[i].name,
                           Message::of("an input layer can only come first in a Sequential model"),
                           Message::of("remove it or make the model functional"));
        // A cell outside an RNN is refused for what it is, below.
        if (int const outputs = outputsOf(model.layers[i]); outputs > 1 && !isRecurrentCell(model.layers[i].className))
            return invalid("model.shape", model.layers[i].name,
                           Message::of("the layer has %1 outputs, but a Sequential model passes on only one", outputs),
                           Message::of("make the model functional, or let the layer return one output (return_state false)"));
        Node node{i, 0, {}, 0};
        if (i > 0) node.inputs.push_back(i - 1);
        topology.nodes.push_back(std::move(node));
        topology.layerOrder.push_back(i);
    }
    if (model.layers[0].className != "InputLayer")
        return invalid("model.no-input", model.layers[0].name, Message::of("the model's input shape is not known"),
                       Message::of("put an InputLayer first or give the first layer a batch_input_shape"));
    topology.inputs = {0};
    topology.outputs = {model.layers.size() - 1};
    return topology;
}

/// Every call of every layer, with edges by index; not yet ordered.
struct Graph {
    std::vector<Node> nodes;
    std::vector<std::size_t> inputs, outputs;
};

class GraphBuilder {
public:
    explicit GraphBuilder(Model const &model) : m_model(model)
    {
        for (std::size_t i = 0; i < model.layers.size(); ++i) {
            m_layers.emplace(model.layers[i].name, i);
            m_first.push_back(m_graph.nodes.size());
            std::size_t const calls = callsOf(i);
            for (std::size_t k = 0; k < calls; ++k) m_graph.nodes.push_back({i, static_cast<int>(k), {}, 0});
        }
        auto const see = [this](TensorRef const &ref) {
            auto const it = m_layers.find(ref.layer);
            if (it == m_layers.end() || ref.tensor < 1 || ref.tensor >= outputsOf(m_model.layers[it->second]) || ref.node < 0
                || static_cast<std::size_t>(ref.node) >= callsOf(it->second))
                return;
            std::size_t const call = m_first[it->second] + static_cast<std::size_t>(ref.node);
            if (m_further.emplace(std::pair(call, ref.tensor), m_graph.nodes.size()).second)
                m_graph.nodes.push_back({it->second, ref.node, {call}, ref.tensor});
        };
        for (auto const &layer : model.layers)
            for (auto const &call : layer.calls)
                for (auto const &ref : call.inputs) see(ref);
        for (auto const &ref : model.outputs) see(ref);
    }

    Result<Graph> build()
    {
        for (auto &node : m_graph.nodes) {
            auto const &layer = m_model.layers[node.layer];
            if (layer.calls.empty() || node.tensor > 0) continue;
            auto const &call = layer.calls[static_cast<std::size_t>(node.node)];
            if (!call.arguments.is_null() && !call.arguments.empty())
                return invalid("model.unsupported", layer.name,
                               Message::of("the call has keyword arguments (%1), which are not supported yet", firstKey(call.arguments)),
                               Message::of("call the layer without keyword arguments"));
            if (layer.className == "InputLayer" && !call.inputs.empty())
                return invalid("model.not-connected", layer.name, Message::of("an input layer takes no input"),
                               Message::of("remove its connection"));
            for (auto const &ref : call.inputs) {
                TW_ASSIGN(std::size_t const from, find(ref, layer.name));
                node.inputs.push_back(from);
            }
        }
        if (m_model.outputs.empty())
            return invalid("model.no-output", m_model.name, Message::of("the model has no output"),
                           Message::of("mark at least one layer as output"));
        for (auto const &ref : m_model.inputs) {
            TW_ASSIGN(std::size_t const index, find(ref, "input_layers"));
            if (m_model.layers[m_graph.nodes[index].layer].className != "InputLayer")
                return invalid("model.not-connected", ref.layer, Message::of("an input of the model must be an InputLayer"),
                               Message::of("feed it through an InputLayer"));
            m_graph.inputs.push_back(index);
        }
        for (auto const &ref : m_model.outputs) {
            TW_ASSIGN(std::size_t const index, find(ref, "output_layers"));
            m_graph.outputs.push_back(index);
        }
        return m_graph;
    }

private:
    std::size_t callsOf(std::size_t layer) const
    {
        auto const &each = m_model.layers[layer];
        return each.className == "InputLayer" ? 1 : each.calls.size();
    }

    static std::string firstKey(Json const &arguments)
    {
        return arguments.is_object() ? arguments.begin().key() : std::string("positional");
    }

    Result<std::size_t> find(TensorRef const &ref, std::string const &user) const
    {
        auto const it = m_layers.find(ref.layer);
        if (it == m_layers.end()) {
            std::vector<std::string> names;
            for (auto const &layer : m_model.layers) names.push_back(layer.name);
            return invalid("model.dangling-reference", user, Message::of("refers to layer '%1', which does not exist", ref.layer),
                           suggestion(ref.layer, names));
        }
        std::size_t const calls = callsOf(it->second);
        auto const node = static_cast<std::size_t>(ref.node);
        if (ref.node < 0 || node >= calls)
            return invalid("model.dangling-reference", user,
                           Message::of("refers to call %1 of layer '%2', which has %3", ref.node, ref.layer, calls),
                           calls == 0 ? Message::of("connect the layer") : Message::of("calls are counted from 0"));
        std::size_t const call = m_first[it->second] + node;
        if (ref.tensor == 0) return call;
        auto const &layer = m_model.layers[it->second];
        if (auto const further = m_further.find(std::pair(call, ref.tensor)); further != m_further.end()) return further->second;
        // Further outputs are what some argument asks for: if that is refused, its check knows why.
        if (findLayerSpec(layer.className)) TW_TRY(checkLayer(layer));
        int const outputs = outputsOf(layer);
        if (findLayerSpec(layer.className)) // others may well have several
            return invalid("model.dangling-reference", user,
                           Message::of("refers to output %1 of layer '%2', which has %3", ref.tensor, ref.layer,
                                       outputs == 1 ? Message::of("one output") : Message::of("%1 outputs", outputs)),
                           Message::of("outputs are counted from 0"));
        return call;
    }

    Model const &m_model;
    std::map<std::string, std::size_t, std::less<>> m_layers;
    std::vector<std::size_t> m_first;                             ///< per layer: its first call in m_graph.nodes
    std::map<std::pair<std::size_t, int>, std::size_t> m_further; ///< by call and output: its node
    Graph m_graph;
};

/// Names along one cycle among the nodes not yet placed, each of which waits for another such node.
std::string cycleText(Model const &model, Graph const &graph, std::vector<char> const &placed)
{
    std::size_t at = 0;
    while (placed[at]) ++at;
    std::vector<std::size_t> path;
    std::map<std::size_t, std::size_t> position;
    while (position.emplace(at, path.size()).second) {
        path.push_back(at);
        for (auto const from : graph.nodes[at].inputs)
            if (!placed[from]) {
                at = from;
                break;
            }
    }
    std::vector<std::string> names;
    for (std::size_t i = path.size(); i-- > position[at];) names.push_back(model.layers[graph.nodes[path[i]].layer].name);
    names.push_back(names.front());
    return joinText(names, " -> ");
}

/// Keras's order of model.layers: by depth from the outputs, the deepest first; within a depth by when a
/// walk from the outputs first meets the layer (Keras 2.6, engine/functional, map of the graph).
std::vector<std::size_t> kerasOrder(Graph const &graph, std::size_t layers)
{
    std::vector<long> firstMet(layers, -1);
    long met = 0;
    std::vector<std::size_t> finished;
    std::vector<char> state(graph.nodes.size(), 0);
    struct Frame {
        std::size_t node, next;
    };
    for (auto const output : graph.outputs) {
        std::vector<Frame> stack;
        auto const enter = [&](std::size_t node) {
            if (state[node]) return;
            state[node] = 1;
            if (firstMet[graph.nodes[node].layer] < 0) firstMet[graph.nodes[node].layer] = met++;
            stack.push_back({node, 0});
        };
        enter(output);
        while (!stack.empty()) {
            Frame &top = stack.back();
            auto const &inputs = graph.nodes[top.node].inputs;
            if (top.next < inputs.size()) {
                enter(inputs[top.next++]); // may move the stack: `top` is not used after this
            } else {
                finished.push_back(top.node);
                stack.pop_back();
            }
        }
    }
    std::vector<long> nodeDepth(graph.nodes.size(), 0);
    std::vector<long> layerDepth(layers, -1);
    for (std::size_t i = finished.size(); i-- > 0;) {
        auto const &node = graph.nodes[finished[i]];
        long const depth = std::max(nodeDepth[finished[i]], layerDepth[node.layer]);
        layerDepth[node.layer] = depth;
        nodeDepth[finished[i]] = depth;
        // A further output is where its call is.
        for (auto const from : node.inputs) nodeDepth[from] = std::max(nodeDepth[from], depth + (node.tensor > 0 ? 0 : 1));
    }
    for (auto const input : graph.inputs) // inputs that feed nothing count as depth 0, before all others
        if (layerDepth[graph.nodes[input].layer] < 0) layerDepth[graph.nodes[input].layer] = 0;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < layers; ++i)
        if (layerDepth[i] >= 0) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return layerDepth[a] != layerDepth[b] ? layerDepth[a] > layerDepth[b] : firstMet[a] < firstMet[b];
    });
    return order;
}

} // namespace

Result<Topology> topologyOf(Model const &model)
{
    TW_TRY(checkNames(model));
    if (model.kind == ModelKind::Sequential) return chain(model);
    TW_ASSIGN(Graph const graph, GraphBuilder(model).build());

    std::vector<std::vector<std::size_t>> users(graph.nodes.size());
    std::vector<std::size_t> waiting(graph.nodes.size());
    std::set<std::size_t> ready; // nodes are numbered in layer order, so the smallest comes first
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        waiting[i] = graph.nodes[i].inputs.size();
        for (auto const from : graph.nodes[i].inputs) users[from].push_back(i);
        if (waiting[i] == 0) ready.insert(i);
    }
    std::vector<std::size_t> order;
    std::vector<char> placed(graph.nodes.size(), 0);
    while (!ready.empty()) {
        std::size_t const node = *ready.begin();
        ready.erase(ready.begin());
        placed[node] = 1;
        order.push_back(node);
        for (auto const user : users[node])
            if (--waiting[user] == 0) ready.insert(user);
    }
    if (order.size() < graph.nodes.size()) {
        std::string const cycle = cycleText(model, graph, placed);
        return invalid("model.cycle", cycle.substr(0, cycle.find(' ')), Message::of("the layers form a cycle: %1", cycle),
                       Message::of("remove one of these connections"));
    }

    // Only what feeds an output belongs to the model, as in Keras; and the inputs it lists.
    std::vector<char> used(graph.nodes.size(), 0);
    for (auto const output : graph.outputs) used[output] = 1;
    for (std::size_t i = order.size(); i-- > 0;)
        if (used[order[i]])
            for (auto const from : graph.nodes[order[i]].inputs) used[from] = 1;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        auto const &layer = model.layers[graph.nodes[i].layer];
        bool const listed = std::find(graph.inputs.begin(), graph.inputs.end(), i) != graph.inputs.end();
        if (used[i] && layer.className == "InputLayer" && !listed)
            return invalid("model.not-connected", layer.name, Message::of("the input layer is used, but it is not an input of the model"),
                           Message::of("add it to the model's inputs"));
        if (used[i] && layer.className != "InputLayer" && graph.nodes[i].inputs.empty())
            return invalid("model.not-connected", layer.name, Message::of("the layer has no input"),
                           Message::of("connect it or remove it"));
        if (listed) used[i] = 1;
    }

    Topology topology;
    std::vector<std::size_t> newIndex(graph.nodes.size(), 0);
    for (auto const node : order) {
        if (!used[node]) continue;
        newIndex[node] = topology.nodes.size();
        Node copy = graph.nodes[node];
        for (auto &from : copy.inputs) from = newIndex[from];
        topology.nodes.push_back(std::move(copy));
    }
    for (auto const input : graph.inputs) topology.inputs.push_back(newIndex[input]);
    for (auto const output : graph.outputs) topology.outputs.push_back(newIndex[output]);
    topology.layerOrder = kerasOrder(graph, model.layers.size());
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        if (std::find(topology.layerOrder.begin(), topology.layerOrder.end(), i) == topology.layerOrder.end()) topology.unused.push_back(i);
    return topology;
}

} // namespace tilewright::model
