// Fused mode: the step graph node by node with host kernels, in the schedule's order. Every replica has
// its own variables and values; a collective is the only place where they meet. The steps of a loop that carries
// values are bound one by one: each reads its slices where they lie in their stack, and leaves its results where
// the next step, or the stack, wants them. Nothing is copied. Values have their bytes until their last reader is bound.
#include "engine/graph/control.h"
#include "engine/graph/partial_sums.h"
#include "engine/kernels/gemm.h"
#include "engine/ops/op_def.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/fused_groups.h"
#include "engine/runtime/fused_storage.h"
#include "engine/runtime/fused_values.h"
#include "engine/runtime/loop_binding.h"
#include "engine/runtime/replica_sums.h"
#include "engine/runtime/rounding_counts.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace tilewright::runtime {

using graph::NodeId;
using graph::RegionId;
using graph::ValueId;
using kernels::HostTensor;

namespace {

class FusedExecutor final : public Executor {
public:
    FusedExecutor(executable::Executable const &executable, std::uint64_t seed, ThreadPool &pool, FusedPath path)
        : m_exe(executable), m_graph(executable.graph), m_seed(seed), m_pool(pool), m_replicas(static_cast<std::size_t>(executable.replicas)),
          m_values(m_replicas), m_owned(m_replicas), m_taken(m_replicas), m_books(m_replicas), m_shared(m_replicas), m_variables(m_replicas), m_turned(m_replicas), m_placed(m_replicas),
          m_rounding(executable.graph, executable.program.ipus, seed)
    {
        if (path == FusedPath::Plain) return;
        m_groups.emplace(m_graph);
        m_lifetimes.emplace(m_graph);
        if (path != FusedPath::Kept) return;
        for (auto const &node : m_graph.nodes)
            if (node.op.starts_with("opt."))
                for (auto input : node.inputs) m_kept.insert(bytesOwner(m_graph, input));
    }

    Status prepare()
    {
        for (std::size_t r = 0; r < m_replicas; ++r) {
            m_values[r].assign(m_graph.values.size(), {});
            m_owned[r].assign(m_graph.values.size(), {});
            m_taken[r].assign(m_graph.values.size(), {});
            m_variables[r].assign(m_graph.variables.size(), {});
            for (std::size_t v = 0; v < m_graph.variables.size(); ++v) {
                auto const &variable = m_graph.variables[v];
                m_variables[r][v] = own(variable.dtype, variable.shape);
            }
        }
        TW_TRY(bindRegion(RegionId(0), m_main));
        return {};
    }

    void write(graph::VariableId variable, std::span<std::byte const> data, int replica) override
    {
        for (std::size_t r = 0; r < m_replicas; ++r) {
            if (replica >= 0 && r != static_cast<std::size_t>(replica)) continue;
            auto const &tensor = m_variables[r][variable.index];
            std::memcpy(tensor.data, data.data(), std::min(data.size(), bytesOf(tensor)));
        }
    }
    std::vector<std::byte> read(graph::VariableId variable, int replica) const override
    {
        auto const &tensor = m_variables[static_cast<std::size_t>(replica)][variable.index];
        return {tensor.data, tensor.data + bytesOf(tensor)};
    }
    bool has(graph::VariableId) const override { return true; }
    std::vector<std::byte> readValue(ValueId value, int replica) const override
    {
        auto const &tensor = m_values[static_cast<std::size_t>(replica)][value.index];
        if (!tensor.data) return {};
        return {tensor.data, tensor.data + bytesOf(tensor)};
    }

    Status run(StreamHandlers const &streams, JobContext const &job) override
    {
        if (!isLoop()) m_rounding.beginUpdate();
        return runAll(m_main, streams, job);
    }
    Status runUpdate(StreamHandlers const &streams, JobContext const &job) override
    {
        if (!isLoop()) return run(streams, job);
        auto const went = round(m_main[0], streams, job);
        return went.ok() ? Status() : Status(went.error());
    }

    void setUpdates(std::int64_t done) override { m_rounding.setUpdates(done); }

private:
    struct Action;
    using Actions = std::vector<Action>;

    /// One node, bound to its operands on every replica.
    struct Action {
        std::vector<kernels::Prepared> kernels;   ///< by replica
        std::shared_ptr<Actions> body;            ///< of a loop; of a branch where the predicate holds
        std::shared_ptr<Actions> test, otherwise; ///< of a while; of a branch where it does not
        std::vector<HostTensor> predicate;        ///< by replica, of these two
        std::int64_t count = 1;
        std::function<Status(StreamHandlers const &)> special;
        RoundingCounts::Node rounding;
        NodeId sums;                              ///< the node, where its partial sums are float16
        int ipu = 0;                              ///< of the replica, of that node
        std::vector<HostTensor> sumOf;            ///< by replica, its result
    };

    /// Whether all is one loop over weight updates.
    bool isLoop() const { return m_main.size() == 1 && m_main[0].body && !m_main[0].otherwise; }

    HostTensor own(DType dtype, Shape const &shape)
    {
        HostTensor tensor;
        tensor.dtype = dtype;
        tensor.shape = shape;
        m_buffers.push_back(allocateValue(dtype, shape));
        tensor.data = m_buffers.back().get();
        return tensor;
    }

    HostTensor view(std::size_t r, ValueId from, graph::Value const &as) const
    {
        HostTensor tensor = m_values[r][from.index];
        tensor.shape = as.shape;
        tensor.dtype = as.dtype;
        return tensor;
    }

    Status bindRegion(RegionId region, Actions &actions)
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

    /// What nobody reads behind a node gives its bytes to whoever comes next: its actions stand behind those of the readers.
    void release(NodeId node)
    {
        if (!m_lifetimes) return;
        for (auto value : m_lifetimes->endingWith(node))
            for (std::size_t r = 0; r < m_replicas; ++r) {
                auto &owned = m_owned[r][value.index];
                if (!owned.data || m_kept.contains(value)) continue;
                m_books[r].give(m_taken[r][value.index]);
                owned = {};
            }
    }

    /// Nodes as one. False: they do not fit together after all, and nothing is bound.
    bool bindGroup(std::span<NodeId const> nodes, Actions &actions)
    {
        for (auto id : nodes) giveStorage(m_graph.node(id));
        Action action;
        for (std::size_t r = 0; r < m_replicas; ++r) {
            auto prepared = kernels::prepareMapGroup(m_groups->bind(nodes, m_values[r]));
            if (!prepared.ok()) return false;
            action.kernels.push_back(std::move(prepared).value());
        }
        actions.push_back(std::move(action));
        return true;
    }

    /// Of a node's results.
    void giveStorage(graph::Node const &node)
    {
        for (std::size_t r = 0; r < m_replicas; ++r) {
            for (std::size_t o = 0; o < node.outputs.size(); ++o) {
                auto const &value = m_graph.value(node.outputs[o]);
                auto &slot = m_values[r][node.outputs[o].index];
                int const reuse = node.inPlace.empty() ? -1 : node.inPlace[o];
                if (node.op == "parameters" || node.op == "repeat") continue;
                if (hasOwnBytes(node, o)) slot = bytesFor(r, node.outputs[o]);
                else if (node.op == "variable.read") slot = m_variables[r][node.variable.index];
                else if (node.op == "reshape" || node.op == "ipu_copy") slot = view(r, node.inputs[0], value);
                else if (node.op == "all_reduce") slot = view(r, node.inputs[o], value);
                else slot = view(r, node.inputs[static_cast<std::size_t>(reuse)], value);
            }
        }
    }

    Status bindNode(NodeId id, Actions &actions)
    {
        auto const &node = m_graph.node(id);
        giveStorage(node);
        if (node.op == "variable.read" || node.op == "reshape" || node.op == "ipu_copy" || graph::isRegionEnd(node)) return {};
        if (node.op == "repeat" && !graph::repeatForm(node).isLoopOverVariables()) return bindLoop(node, actions);
        if (node.op == "call") return bindCall(node, actions);
        if (node.op == "if") return bindIf(node, actions);
        if (node.op == "while") return bindWhile(node, actions);
        Action action;
        if (node.op == "repeat" || node.op == "pipeline") {
            // Weights are constant within a pipeline, so its micro-batches give the same numbers one after the other.
            action.count = node.attrs.integer("count", 1);
            action.body = std::make_shared<Actions>();
            TW_TRY(bindRegion(node.regions[0], *action.body));
        } else if (node.op == "variable.assign") {
            bindAssign(node, action);
        } else if (node.op == "infeed" || node.op == "outfeed") {
            bindFeed(node, action);
        } else if (node.op == "all_reduce") {
            bindAllReduce(node, action);
        } else {
            auto const *op = ops::findOp(node.op);
            if (!op || !op->kernel)
                return makeError(ErrorKind::Invalid, "fused.unsupported", node.name,
                                 "operation '" + node.op + "' has no host kernel.", "Run with --mode tile.");
            bool const turned = node.op == "matmul" && node.attrs.flag("transpose_b") && m_turned[0].contains(node.inputs[1]);
            auto bound = turned ? node : graph::Node();
            if (turned) bound.attrs.set("transpose_b", false);
            for (std::size_t r = 0; r < m_replicas; ++r) {
                std::vector<HostTensor> inputs, outputs;
                for (auto input : node.inputs) inputs.push_back(m_values[r][input.index]);
                for (auto output : node.outputs) outputs.push_back(m_values[r][output.index]);
                if (turned) inputs[1] = m_turned[r].at(node.inputs[1]);
                if (node.op == "constant" && r > 0) continue;
                TW_ASSIGN(auto prepared, op->kernel({turned ? bound : node, inputs, outputs}));
                if (node.op == "constant") {
                    // Filled once: nothing overwrites a constant.
                    kernels::RunContext ctx{m_pool, m_seed, static_cast<int>(r)};
                    prepared(ctx);
                } else {
                    action.kernels.push_back(std::move(prepared));
                }
            }
            if (action.kernels.empty()) return {};
            action.rounding = m_rounding.nodeOf(id, m_callerStage);
            if (graph::halfPartials(node) > 0) {
                action.sums = id;
                action.ipu = m_rounding.ipuOf(id, m_callerStage);
                for (auto const &values : m_values) action.sumOf.push_back(values[node.outputs[0].index]);
            }
        }
        if (action.kernels.empty() && !action.body && !action.special) return {};
        actions.push_back(std::move(action));
        return {};
    }

    /// Bytes of a value: where the step of a loop wants them, else its own, the same in every step.
    HostTensor bytesFor(std::size_t r, ValueId id)
    {
        auto const placed = m_placed[r].find(id);
        if (placed != m_placed[r].end()) return placed->second;
        auto const &value = m_graph.value(id);
        // A constant is the same on all replicas, and stays as it was filled.
        bool const constant = m_graph.node(value.producer).op == "constant";
        if (constant && r > 0) return m_owned[0][id.index];
        auto &owned = m_owned[r][id.index];
        if (owned.data) return owned;
        if (constant || !m_lifetimes) return owned = own(value.dtype, value.shape);
        auto const number = m_books[r].take(valueBytes(value.dtype, value.shape));
        if (number == m_shared[r].size()) m_shared[r].push_back(allocateValue(value.dtype, value.shape));
        m_taken[r][id.index] = number;
        return owned = {value.dtype, value.shape, m_shared[r][number].get()};
    }

    Status bindLoop(graph::Node const &node, Actions &actions)
    {
        auto const loop = loopBindingOf(m_graph, node);
        auto const &form = loop.form;
        std::size_t const first = form.index ? 1 : 0;
        Action action;
        action.body = std::make_shared<Actions>();
        std::vector<std::vector<HostTensor>> carried(m_replicas), buffers(m_replicas), stacks(m_replicas);
        std::vector<HostTensor> numbers(m_replicas);
        for (std::size_t r = 0; r < m_replicas; ++r) {
            if (form.index) {
                numbers[r] = own(DType::I32, {form.count});
                for (std::int64_t t = 0; t < form.count; ++t) numbers[r].i32()[t] = static_cast<std::int32_t>(t);
            }
            for (std::size_t i = 0; i < form.carried; ++i) {
                auto const &type = m_graph.value(node.outputs[i]);
                carried[r].push_back(m_values[r][node.inputs[i].index]);
                carried[r][i].shape = type.shape;
                for (int k = 0; k < 2; ++k) buffers[r].push_back(own(type.dtype, type.shape));
                if (!loop.inPlace[i]) continue;
                addCopy(*action.body, carried[r][i], buffers[r][2 * i]);
                carried[r][i] = buffers[r][2 * i];
            }
            for (std::size_t i = form.carried; i < node.outputs.size(); ++i) {
                stacks[r].push_back(bytesFor(r, node.outputs[i]));
                m_values[r][node.outputs[i].index] = stacks[r].back();
            }
        }
        auto const turnedOutside = m_turned;
        turnMatrices(matricesToTurn(m_graph, node), actions);
        for (std::int64_t t = 0; t < form.count; ++t) {
            auto const at = [&](std::size_t stack) { return form.reversed[stack] ? form.count - 1 - t : t; };
            auto const outer = m_placed;
            for (std::size_t r = 0; r < m_replicas; ++r) {
                auto &values = m_values[r];
                if (form.index) values[loop.parameters[0].index] = sliceOf(numbers[r], t);
                for (std::size_t i = 0; i < form.carried; ++i) values[loop.parameters[first + i].index] = carried[r][i];
                for (std::size_t i = 0; i < form.stackedIn; ++i) {
                    auto stack = values[node.inputs[form.carried + i].index];
                    stack.shape = m_graph.value(node.inputs[form.carried + i]).shape;
                    values[loop.parameters[first + form.carried + i].index] = sliceOf(stack, at(i));
                }
                // A stack first: what is carried as well is then read there.
                for (std::size_t i = 0; i < form.stackedOut; ++i)
                    if (loop.placeable[form.carried + i])
                        place(r, loop.owners[form.carried + i], sliceOf(stacks[r][i], at(form.stackedIn + i)));
                // What the next step is given and stacks as it comes goes there at once.
                for (std::size_t i = 0; i < form.stackedOut && t + 1 < form.count; ++i)
                    if (auto const from = loop.carriedAs(form.carried + i); from && !loop.inPlace[*from] && loop.placeable[*from])
                        place(r, loop.owners[*from], sliceOf(stacks[r][i], form.reversed[form.stackedIn + i] ? form.count - 2 - t : t + 1));
                for (std::size_t i = 0; i < form.carried; ++i)
                    if (!loop.inPlace[i] && loop.placeable[i]) place(r, loop.owners[i], buffers[r][2 * i + static_cast<std::size_t>(t % 2)]);
            }
            TW_TRY(bindRegion(node.regions[0], *action.body));
            for (std::size_t r = 0; r < m_replicas; ++r) {
                for (std::size_t i = 0; i < form.stackedOut; ++i)
                    addCopy(*action.body, m_values[r][loop.results[form.carried + i].index], sliceOf(stacks[r][i], at(form.stackedIn + i)));
                for (std::size_t i = 0; i < form.carried; ++i) {
                    auto const left = m_values[r][loop.results[i].index];
                    // What another value is carried in, or a body's own loop leaves, is written again in the next step.
                    bool const lasts = loop.inPlace[i] || loop.placeable[i] || loop.lastsBeyondStep(loop.owners[i]);
                    carried[r][i] = lasts ? left : buffers[r][2 * i + static_cast<std::size_t>(t % 2)];
                    carried[r][i].shape = m_graph.value(node.outputs[i]).shape;
                    addCopy(*action.body, left, carried[r][i]);
                }
            }
            m_placed = outer;
        }
        m_turned = turnedOutside;
        // What the loop leaves is its own: whoever comes behind may overwrite it, but not a slice of a stack.
        for (std::size_t r = 0; r < m_replicas; ++r)
            for (std::size_t i = 0; i < form.carried; ++i) {
                auto &last = carried[r][i];
                if (last.data != buffers[r][2 * i].data && last.data != buffers[r][2 * i + 1].data) {
                    addCopy(*action.body, last, buffers[r][2 * i]);
                    last = buffers[r][2 * i];
                }
                m_values[r][node.outputs[i].index] = last;
            }
        actions.push_back(std::move(action));
        return {};
    }

    /// Transposed copies for a loop's steps, made each time before it begins.
    void turnMatrices(std::vector<ValueId> const &matrices, Actions &actions)
    {
        for (auto const matrix : matrices) {
            auto const &shape = m_graph.value(matrix).shape;
            Action turn;
            std::vector<std::pair<HostTensor, HostTensor>> pairs;
            for (std::size_t r = 0; r < m_replicas; ++r) {
                pairs.emplace_back(m_values[r][matrix.index], own(DType::F32, {shape[1], shape[0]}));
                m_turned[r].insert_or_assign(matrix, pairs.back().second);
            }
            turn.special = [pairs](StreamHandlers const &) -> Status {
                for (auto const &[from, to] : pairs) kernels::transposeMatrix(from.f32(), to.shape[1], to.shape[0], to.f32());
                return {};
            };
            actions.push_back(std::move(turn));
        }
    }

    /// Bound anew for each call: the body reads its operands and leaves its results where the call has them.
    Status bindCall(graph::Node const &node, Actions &actions)
    {
        auto const loop = loopBindingOf(m_graph, node);
        auto const outer = m_placed;
        for (std::size_t r = 0; r < m_replicas; ++r)
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                auto &parameter = m_values[r][loop.parameters[i].index];
                parameter = m_values[r][node.inputs[i].index];
                parameter.shape = m_graph.value(loop.parameters[i]).shape;
            }
        std::vector<std::vector<HostTensor>> outputs(m_replicas);
        for (std::size_t r = 0; r < m_replicas; ++r)
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                outputs[r].push_back(m_values[r][node.outputs[i].index]);
                if (loop.placeable[i]) place(r, loop.owners[i], outputs[r][i]);
            }
        int const caller = std::exchange(m_callerStage, m_callerStage < 0 ? node.stage : m_callerStage);
        TW_TRY(bindRegion(node.regions[0], actions));
        m_callerStage = caller;
        for (std::size_t r = 0; r < m_replicas; ++r)
            for (std::size_t i = 0; i < node.outputs.size(); ++i) addCopy(actions, m_values[r][loop.results[i].index], outputs[r][i]);
        m_placed = outer;
        return {};
    }

    /// Each body leaves its results where the node has them.
    Status bindIf(graph::Node const &node, Actions &actions)
    {
        Action action;
        for (std::size_t r = 0; r < m_replicas; ++r) action.predicate.push_back(m_values[r][node.inputs[0].index]);
        for (std::size_t arm = 0; arm < 2; ++arm) {
            auto const body = std::make_shared<Actions>();
            TW_TRY(bindRegion(node.regions[arm], *body));
            auto const results = graph::resultsOf(m_graph, node.regions[arm]);
            for (std::size_t r = 0; r < m_replicas; ++r)
                for (std::size_t i = 0; i < results.size(); ++i)
                    addCopy(*body, m_values[r][results[i].index], m_values[r][node.outputs[i].index]);
            (arm == 0 ? action.body : action.otherwise) = body;
        }
        actions.push_back(std::move(action));
        return {};
    }

    /// What is carried lies where the node has its results.
    Status bindWhile(graph::Node const &node, Actions &actions)
    {
        Action action;
        action.count = graph::limitOf(node);
        action.test = std::make_shared<Actions>();
        action.body = std::make_shared<Actions>();
        for (std::size_t r = 0; r < m_replicas; ++r)
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                auto const &carried = m_values[r][node.outputs[i].index];
                addCopy(actions, m_values[r][node.inputs[i].index], carried);
                for (auto region : node.regions) m_values[r][graph::parametersOf(m_graph, region)[i].index] = carried;
            }
        TW_TRY(bindRegion(node.regions[0], *action.test));
        auto const test = graph::resultsOf(m_graph, node.regions[0])[0];
        TW_TRY(bindRegion(node.regions[1], *action.body));
        auto const results = graph::resultsOf(m_graph, node.regions[1]);
        for (std::size_t r = 0; r < m_replicas; ++r) {
            action.predicate.push_back(m_values[r][test.index]);
            std::vector<HostTensor> left;
            for (auto result : results) left.push_back(m_values[r][result.index]);
            auto const isCarried = [&](HostTensor const &tensor) {
                return std::ranges::any_of(node.outputs, [&](ValueId output) { return m_values[r][output.index].data == tensor.data; });
            };
            // What is another carried value is put aside before that is overwritten.
            for (std::size_t i = 0; i < left.size(); ++i) {
                auto const &to = m_values[r][node.outputs[i].index];
                if (left[i].data == to.data || !isCarried(left[i])) continue;
                auto const aside = own(left[i].dtype, left[i].shape);
                addCopy(*action.body, left[i], aside);
                left[i] = aside;
            }
            for (std::size_t i = 0; i < left.size(); ++i) addCopy(*action.body, left[i], m_values[r][node.outputs[i].index]);
        }
        actions.push_back(std::move(action));
        return {};
    }

    /// Whether a predicate is not zero. Error: Internal "fused.predicate" when replicas differ.
    static Result<bool> holds(Action const &action)
    {
        auto const one = [](HostTensor const &t) {
            auto const bytes = std::span(t.data, bytesOf(t));
            return t.dtype == DType::F32 ? *t.f32() != 0 : std::ranges::any_of(bytes, [](std::byte b) { return b != std::byte{0}; });
        };
        bool const first = one(action.predicate[0]);
        for (auto const &other : action.predicate)
            if (one(other) != first)
                return makeError(ErrorKind::Internal, "fused.predicate", "run", "what decides a branch or a loop differs between replicas");
        return first;
    }

    /// Once through a loop. False: its test ended it.
    Result<bool> round(Action const &loop, StreamHandlers const &streams, JobContext const &job)
    {
        if (job.cancelled()) return cancelledError("run");
        if (&loop == m_main.data() && isLoop()) m_rounding.beginUpdate();
        if (loop.test) {
            TW_TRY(runAll(*loop.test, streams, job));
            TW_ASSIGN(bool const again, holds(loop));
            if (!again) return false;
        }
        TW_TRY(runAll(*loop.body, streams, job));
        return true;
    }

    void place(std::size_t r, ValueId owner, HostTensor where)
    {
        where.shape = m_graph.value(owner).shape;
        m_placed[r].emplace(owner, std::move(where));
    }

    void addCopy(Actions &actions, HostTensor const &from, HostTensor const &to)
    {
        if (from.data == to.data) return;
        Action copy;
        copy.special = [from, to](StreamHandlers const &) -> Status {
            std::memcpy(to.data, from.data, bytesOf(to));
            return {};
        };
        actions.push_back(std::move(copy));
    }

    void bindAssign(graph::Node const &node, Action &action)
    {
        std::vector<std::pair<HostTensor, HostTensor>> copies;
        for (std::size_t r = 0; r < m_replicas; ++r) {
            auto const &from = m_values[r][node.inputs[0].index];
            auto const &to = m_variables[r][node.variable.index];
            if (from.data != to.data) copies.emplace_back(from, to);
        }
        if (copies.empty()) return;
        action.special = [copies](StreamHandlers const &) -> Status {
            for (auto const &[from, to] : copies) std::memcpy(to.data, from.data, bytesOf(to));
            return {};
        };
    }

    void bindFeed(graph::Node const &node, Action &action)
    {
        bool const in = node.op == "infeed";
        std::vector<std::vector<HostTensor>> tensors(m_replicas);
        for (std::size_t r = 0; r < m_replicas; ++r)
            for (auto value : in ? node.outputs : node.inputs) tensors[r].push_back(m_values[r][value.index]);
        action.special = [tensors, in](StreamHandlers const &streams) -> Status {
            for (std::size_t r = 0; r < tensors.size(); ++r)
                for (std::size_t i = 0; i < tensors[r].size(); ++i) {
                    auto const &t = tensors[r][i];
                    if (in) TW_TRY(streams.toDevice(static_cast<int>(r), static_cast<int>(i), t.data, bytesOf(t)));
                    else TW_TRY(streams.fromDevice(static_cast<int>(r), static_cast<int>(i), t.data, bytesOf(t)));
                }
            return {};
        };
    }

    void bindAllReduce(graph::Node const &node, Action &action)
    {
        if (m_replicas == 1) return;
        std::vector<std::vector<HostTensor>> tensors;
        for (auto input : node.inputs) {
            auto &copies = tensors.emplace_back();
            for (std::size_t r = 0; r < m_replicas; ++r) copies.push_back(m_values[r][input.index]);
        }
        action.special = [tensors](StreamHandlers const &) -> Status {
            DenormalGuard const guard;
            for (auto const &copies : tensors) {
                sumReplicas(copies);
                for (std::size_t r = 1; r < copies.size(); ++r) std::memcpy(copies[r].data, copies[0].data, bytesOf(copies[r]));
            }
            return {};
        };
    }

    Status runAll(Actions const &actions, StreamHandlers const &streams, JobContext const &job)
    {
        for (auto const &action : actions) {
            if (action.otherwise) {
                TW_ASSIGN(bool const first, holds(action));
                TW_TRY(runAll(first ? *action.body : *action.otherwise, streams, job));
            } else if (action.body) {
                for (std::int64_t i = 0; i < action.count; ++i) {
                    TW_ASSIGN(bool const again, round(action, streams, job));
                    if (!again) break;
                }
            } else if (action.special) {
                TW_TRY(action.special(streams));
            } else {
                for (std::size_t r = 0; r < action.kernels.size(); ++r) {
                    kernels::RunContext ctx{m_pool, m_seed, static_cast<int>(r)};
                    ctx.rounding = m_rounding.seed(action.rounding, static_cast<int>(r));
                    action.kernels[r](ctx);
                    if (onSums && action.sums.valid())
                        onSums(action.sums, action.ipu, static_cast<int>(r), {action.sumOf[r].data, bytesOf(action.sumOf[r])});
                }
                m_rounding.ran(action.rounding);
            }
        }
        return {};
    }

    executable::Executable const &m_exe;
    graph::Graph const &m_graph;
    std::uint64_t m_seed;
    ThreadPool &m_pool;
    std::size_t m_replicas;
    std::vector<std::vector<HostTensor>> m_values, m_owned; ///< [replica][value]; owned: while the value has its bytes
    std::vector<std::vector<std::size_t>> m_taken;          ///< [replica][value]: the number of its buffer
    std::vector<BufferBook> m_books;                        ///< [replica]
    std::vector<std::vector<Buffer>> m_shared;              ///< [replica][number of the buffer]
    std::vector<std::vector<HostTensor>> m_variables;       ///< [replica][variable]
    std::vector<std::map<ValueId, HostTensor>> m_turned; ///< [replica]: transposed copies of matrices that the loop at hand reads
    std::vector<std::map<ValueId, HostTensor>> m_placed; ///< [replica]: where the step at hand leaves a value
    std::vector<Buffer> m_buffers;
    Actions m_main;
    RoundingCounts m_rounding;
    std::optional<FusedGroups> m_groups;       ///< none: each node by itself
    std::optional<ValueLifetimes> m_lifetimes; ///< none: each value for itself
    std::set<ValueId> m_kept;                  ///< these for themselves in any case
    int m_callerStage = -1; ///< of the call whose body is bound
};

} // namespace

Result<std::unique_ptr<Executor>> makeFusedExecutor(executable::Executable const &executable, std::uint64_t seed, ThreadPool &pool, FusedPath path)
{
    auto executor = std::make_unique<FusedExecutor>(executable, seed, pool, path);
    TW_TRY(executor->prepare());
    return std::unique_ptr<Executor>(std::move(executor));
}

} // namespace tilewright::runtime
