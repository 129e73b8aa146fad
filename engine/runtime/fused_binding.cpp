#include "engine/runtime/fused_binding.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/graph/partial_sums.h"
#include "engine/graph/written.h"
#include "engine/kernels/half_storage.h"
#include "engine/ops/op_def.h"
#include "engine/runtime/loop_binding.h"
#include "engine/runtime/replica_seam.h"
#include "engine/runtime/replica_sums.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilewright::runtime {

using graph::NodeId;
using graph::NodeKind;
using graph::RegionId;
using graph::ValueId;
using kernels::HostTensor;

FusedBinding::FusedBinding(executable::EntryRef const &entry, std::uint64_t seed, ThreadPool &pool, FusedPath path,
                           RoundingCounts const &rounding, Traps traps, ReplicaSeam *seam)
    : m_entry(entry), m_graph(entry->graph), m_seed(seed), m_pool(pool), m_rounding(rounding), m_seam(seam),
      m_first(seam ? seam->first() : 0), m_replicas(static_cast<std::size_t>(seam ? seam->count() : entry.replicas())),
      m_values(m_replicas), m_owned(m_replicas), m_taken(m_replicas), m_books(m_replicas + 1), m_shared(m_replicas + 1),
      m_variables(m_replicas), m_turned(m_replicas), m_placed(m_replicas), m_perturbed(path == FusedPath::Perturbed), m_traps(traps)
{
    if (path == FusedPath::Plain || path == FusedPath::Perturbed) return;
    m_groups.emplace(m_graph);
    m_lifetimes.emplace(m_graph);
}

void FusedBinding::bindVariables(FusedBinding const *owner)
{
    std::map<std::uint32_t, std::size_t> known; // the owner's variables, by their place in the executable's table
    if (owner)
        for (std::size_t v = 0; v < owner->m_graph.variables.size(); ++v) known.emplace(owner->m_entry->variables[v], v);
    for (std::size_t r = 0; r < m_replicas; ++r) {
        m_variables[r].assign(m_graph.variables.size(), {});
        for (std::size_t v = 0; v < m_graph.variables.size(); ++v) {
            auto const &variable = m_graph.variables[v];
            auto const shared = owner ? known.find(m_entry->variables[v]) : known.end();
            m_variables[r][v] = shared != known.end() ? owner->m_variables[r][shared->second] : own(variable.dtype, variable.shape);
        }
    }
}

Status FusedBinding::bind(FusedActions &actions, FusedBinding const *owner)
{
    kernels::SharedWideCopies const shared; // actions run one after the other
    for (std::size_t r = 0; r < m_replicas; ++r) {
        m_values[r].assign(m_graph.values.size(), {});
        m_owned[r].assign(m_graph.values.size(), {});
        m_taken[r].assign(m_graph.values.size(), {});
    }
    bindVariables(owner);
    return bindRegion(RegionId(0), actions);
}

HostTensor FusedBinding::own(DType dtype, Shape const &shape)
{
    HostTensor tensor;
    tensor.dtype = dtype;
    tensor.shape = shape;
    m_buffers.push_back(allocateValue(dtype, shape));
    tensor.data = m_buffers.back().get();
    return tensor;
}

HostTensor FusedBinding::view(std::size_t r, ValueId from, graph::Value const &as) const
{
    HostTensor tensor = m_values[r][from.index];
    tensor.shape = as.shape;
    tensor.dtype = as.dtype;
    return tensor;
}

/// Bytes of a value: where the step of a loop wants them, else its own, the same in every step.
HostTensor FusedBinding::bytesFor(std::size_t r, ValueId id)
{
    auto const placed = m_placed[r].find(id);
    if (placed != m_placed[r].end()) return placed->second;
    auto const &value = m_graph.value(id);
    // A constant is the same on all replicas, and stays as it was filled.
    bool const constant = graph::is(m_graph.node(value.producer), NodeKind::Constant);
    if (constant && r > 0) return m_owned[0][id.index];
    bool const turns = inTurn(id);
    if (turns && r > 0) return m_owned[0][id.index];
    auto &owned = m_owned[r][id.index];
    if (owned.data) return owned;
    if (constant || !m_lifetimes) return owned = own(value.dtype, value.shape);
    auto const book = turns ? m_replicas : r;
    auto const number = m_books[book].take(valueBytes(value.dtype, value.shape));
    if (number == m_shared[book].size()) m_shared[book].push_back(allocateValue(value.dtype, value.shape));
    m_taken[r][id.index] = number;
    return owned = {value.dtype, value.shape, m_shared[book][number].get()};
}

/// Whether a value has the same bytes on all replicas.
bool FusedBinding::inTurn(ValueId id) const { return m_lifetimes && m_lifetimes->endsBeforeReplicasMeet(id); }

/// Of a node's results.
void FusedBinding::giveStorage(graph::Node const &node)
{
    for (std::size_t r = 0; r < m_replicas; ++r) {
        for (std::size_t o = 0; o < node.outputs.size(); ++o) {
            auto const &value = m_graph.value(node.outputs[o]);
            auto &slot = m_values[r][node.outputs[o].index];
            int const reuse = node.inPlace.empty() ? -1 : node.inPlace[o];
            if (graph::is(node, NodeKind::Parameters, NodeKind::Repeat)) continue;
            if (hasOwnBytes(node, o)) slot = bytesFor(r, node.outputs[o]);
            else if (graph::is(node, NodeKind::VariableRead)) slot = m_variables[r][node.variable.index];
            else if (graph::isView(node)) slot = view(r, node.inputs[0], value);
            else if (graph::is(node, NodeKind::AllReduce)) slot = view(r, node.inputs[o], value);
            else slot = view(r, node.inputs[static_cast<std::size_t>(reuse)], value);
        }
    }
}

/// What nobody reads behind a node gives its bytes to whoever comes next: its actions stand behind those of the readers.
void FusedBinding::release(NodeId node)
{
    if (!m_lifetimes) return;
    for (auto value : m_lifetimes->endingWith(node))
        for (std::size_t r = 0; r < m_replicas; ++r) {
            auto &owned = m_owned[r][value.index];
            if (!owned.data) continue;
            m_books[inTurn(value) ? m_replicas : r].give(m_taken[r][value.index]);
            owned = {};
        }
}

void FusedBinding::place(std::size_t r, ValueId owner, HostTensor where)
{
    where.shape = m_graph.value(owner).shape;
    m_placed[r].emplace(owner, std::move(where));
}

void FusedBinding::addCopy(FusedActions &actions, std::size_t r, HostTensor const &from, HostTensor const &to)
{
    if (from.data == to.data) return;
    FusedAction copy;
    copy.only = static_cast<int>(r);
    copy.special = [from, to](StreamHandlers const &, std::size_t) -> Status {
        std::memcpy(to.data, from.data, bytesOf(to));
        return {};
    };
    actions.push_back(std::move(copy));
}

Status FusedBinding::bindRegion(RegionId region, FusedActions &actions)
{
    std::span<NodeId const> const nodes = m_graph.region(region).nodes;
    for (std::size_t i = 0; i < nodes.size();) {
        auto const length = m_groups ? m_groups->length(nodes.subspan(i)) : 1;
        std::size_t bound = 1;
        if (length > 1 && bindGroup(nodes.subspan(i, length), actions)) bound = length;
        else TW_TRY(bindNode(nodes[i], actions));
        for (; bound > 0; --bound) release(nodes[i++]);
    }
    return {};
}

/// Nodes as one. False: they do not fit together after all, and nothing is bound.
bool FusedBinding::bindGroup(std::span<NodeId const> nodes, FusedActions &actions)
{
    for (auto id : nodes) giveStorage(m_graph.node(id));
    FusedAction action;
    for (std::size_t r = 0; r < m_replicas; ++r) {
        auto prepared = kernels::prepareMapGroup(m_groups->bind(nodes, m_values[r]));
        if (!prepared.ok()) return false;
        action.kernels.push_back(std::move(prepared).value());
    }
    actions.push_back(std::move(action));
    return true;
}

Status FusedBinding::bindNode(NodeId id, FusedActions &actions)
{
    auto const &node = m_graph.node(id);
    giveStorage(node);
    if (graph::is(node, NodeKind::VariableRead) || graph::isView(node) || graph::isRegionEnd(node)) return {};
    if (graph::is(node, NodeKind::Repeat) && !graph::repeatForm(node).isLoopOverVariables()) return bindLoop(node, actions);
    if (graph::is(node, NodeKind::Call)) return bindCall(node, actions);
    if (graph::is(node, NodeKind::If)) return bindIf(node, actions);
    if (graph::is(node, NodeKind::While)) return bindWhile(node, actions);
    FusedAction action;
    if (graph::is(node, NodeKind::Repeat, NodeKind::Pipeline)) {
        // Weights are constant within a pipeline, so its micro-batches give the same numbers one after the other.
        action.count = graph::countOf(node);
        action.alone = false;
        action.body = std::make_shared<FusedActions>();
        TW_TRY(bindRegion(node.regions[0], *action.body));
    } else if (graph::is(node, NodeKind::VariableAssign)) {
        bindAssign(node, action);
    } else if (graph::is(node, NodeKind::Infeed, NodeKind::Outfeed)) {
        bindFeed(node, action);
    } else if (graph::is(node, NodeKind::AllReduce)) {
        bindAllReduce(node, action);
    } else {
        auto const *op = ops::findOp(node.op);
        if (!op || !op->kernel)
            return makeError(ErrorKind::Invalid, "fused.unsupported", node.name, Message::of("operation '%1' has no host kernel.", node.op),
                             Message::of("Run with --mode tile."));
        auto const transposed = transposedOperand(node);
        bool const turned = transposed && m_turned[0].contains(node.inputs[transposed->operand]);
        auto bound = turned ? node : graph::Node();
        if (turned) bound.attrs.set(transposed->flag, false);
        for (std::size_t r = 0; r < m_replicas; ++r) {
            std::vector<HostTensor> inputs, outputs;
            for (auto input : node.inputs) inputs.push_back(m_values[r][input.index]);
            for (auto output : node.outputs) outputs.push_back(m_values[r][output.index]);
            if (turned) inputs[transposed->operand] = m_turned[r].at(node.inputs[transposed->operand]);
            if (graph::is(node, NodeKind::Constant) && r > 0) continue;
            TW_ASSIGN(auto prepared, op->kernel({turned ? bound : node, inputs, outputs}));
            if (auto const addends = m_perturbed ? addendsOf(m_graph, node) : std::nullopt)
                prepared = withNoise(std::move(prepared), node, *addends, std::move(inputs), std::move(outputs), m_noise);
            if (graph::is(node, NodeKind::Constant)) {
                // Filled once: only the host overwrites a constant, between two executions.
                if (graph::isWritten(node)) m_written.emplace(node.attrs.text(graph::kWritten), m_values[r][node.outputs[0].index]);
                kernels::RunContext ctx{m_pool, m_seed, static_cast<int>(r)};
                prepared(ctx);
            } else {
                if (m_traps.any())
                    prepared = withTraps(std::move(prepared), node, std::move(inputs), std::move(outputs), m_traps, m_caught);
                action.kernels.push_back(std::move(prepared));
            }
        }
        if (action.kernels.empty()) return {};
        action.rounding = m_rounding.nodeOf(id, m_callerStage);
        if (op->lowering.updatesWeights && node.inputs.size() > node.outputs.size()) { // operands: the states, the gradient, the rate
            action.updates = id;
            for (auto const &values : m_values) action.gradientOf.push_back(values[node.inputs[node.outputs.size()].index]);
        }
        if (graph::roundsSums(m_graph, node)) {
            action.sums = id;
            action.ipu = m_rounding.ipuOf(id, m_callerStage);
            for (auto const &values : m_values) action.sumOf.push_back(values[node.outputs[0].index]);
        }
    }
    if (action.kernels.empty() && !action.body && !action.special && !action.meeting) return {};
    actions.push_back(std::move(action));
    return {};
}

void FusedBinding::bindAssign(graph::Node const &node, FusedAction &action)
{
    std::vector<std::pair<HostTensor, HostTensor>> copies;
    for (std::size_t r = 0; r < m_replicas; ++r)
        copies.emplace_back(m_values[r][node.inputs[0].index], m_variables[r][node.variable.index]);
    if (std::ranges::all_of(copies, [](auto const &copy) { return copy.first.data == copy.second.data; })) return;
    action.special = [copies](StreamHandlers const &, std::size_t r) -> Status {
        auto const &[from, to] = copies[r];
        if (from.data != to.data) std::memcpy(to.data, from.data, bytesOf(to));
        return {};
    };
}

void FusedBinding::bindFeed(graph::Node const &node, FusedAction &action)
{
    bool const in = graph::is(node, NodeKind::Infeed);
    std::vector<std::vector<HostTensor>> tensors(m_replicas);
    for (std::size_t r = 0; r < m_replicas; ++r)
        for (auto value : in ? node.outputs : node.inputs) tensors[r].push_back(m_values[r][value.index]);
    action.special = [tensors, in, first = m_first](StreamHandlers const &streams, std::size_t r) -> Status {
        int const number = first + static_cast<int>(r);
        for (std::size_t i = 0; i < tensors[r].size(); ++i) {
            auto const &t = tensors[r][i];
            if (in) TW_TRY(streams.toDevice(number, static_cast<int>(i), t.data, bytesOf(t)));
            else TW_TRY(streams.fromDevice(number, static_cast<int>(i), t.data, bytesOf(t)));
        }
        return {};
    };
}

void FusedBinding::bindAllReduce(graph::Node const &node, FusedAction &action)
{
    if (m_replicas == 1 && !m_seam) return;
    std::vector<std::vector<HostTensor>> tensors;
    for (auto input : node.inputs) {
        auto &copies = tensors.emplace_back();
        for (std::size_t r = 0; r < m_replicas; ++r) copies.push_back(m_values[r][input.index]);
    }
    action.alone = false;
    auto *const noise = m_perturbed ? &m_noise : nullptr;
    if (m_seam) {
        action.meeting = [tensors, seam = m_seam] { return seam->reduce(tensors); };
        return;
    }
    action.meeting = [tensors, noise]() -> Status {
        DenormalGuard const guard;
        for (auto const &copies : tensors) {
            for (std::size_t r = 0; noise && r < copies.size(); ++r) noise->perturb(copies[r], static_cast<double>(copies.size()));
            sumReplicas(copies);
            for (std::size_t r = 1; r < copies.size(); ++r) std::memcpy(copies[r].data, copies[0].data, bytesOf(copies[r]));
        }
        return {};
    };
}

} // namespace tilewright::runtime
