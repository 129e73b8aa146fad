// Fused mode: the step graph node by node with host kernels, in the schedule's order. Every replica has
// its own variables and values; a collective is the only place where they meet.
#include "engine/core/host_memory.h"
#include "engine/kernels/half.h"
#include "engine/kernels/half_storage.h"
#include "engine/ops/op_def.h"
#include "engine/runtime/executor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <new>

namespace tilewright::runtime {

using graph::NodeId;
using graph::RegionId;
using graph::ValueId;
using kernels::HostTensor;

namespace {

constexpr std::size_t kAlignment = 64;

struct FreeBytes {
    void operator()(std::byte *p) const { std::free(p); }
};
using Buffer = std::unique_ptr<std::byte, FreeBytes>;

Bytes bufferBytes(DType dtype, Shape const &shape)
{
    Bytes const bytes = multiplyBytes(elementCount(shape), sizeOf(dtype));
    return roundUp(std::clamp<Bytes>(bytes, 1, std::numeric_limits<Bytes>::max() - static_cast<Bytes>(kAlignment)), kAlignment);
}

Buffer allocate(DType dtype, Shape const &shape)
{
    auto const size = static_cast<std::size_t>(bufferBytes(dtype, shape));
    auto *p = static_cast<std::byte *>(std::aligned_alloc(kAlignment, size));
    if (!p) throw std::bad_alloc();
    std::memset(p, 0, size);
    return Buffer(p);
}

/// Whether a result of a node has bytes of its own, not those of a variable or of an operand.
bool hasOwnBytes(graph::Node const &node, std::size_t output)
{
    if (node.op == "variable.read" || node.op == "reshape" || node.op == "ipu_copy" || node.op == "all_reduce") return false;
    return node.inPlace.empty() || node.inPlace[output] < 0;
}

class FusedExecutor final : public Executor {
public:
    FusedExecutor(executable::Executable const &executable, std::uint64_t seed, ThreadPool &pool)
        : m_exe(executable), m_graph(executable.graph), m_seed(seed), m_pool(pool), m_replicas(static_cast<std::size_t>(executable.replicas)),
          m_values(m_replicas), m_variables(m_replicas)
    {
    }

    Status prepare()
    {
        for (std::size_t r = 0; r < m_replicas; ++r) {
            m_values[r].assign(m_graph.values.size(), {});
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

    Status run(StreamHandlers const &streams, JobContext const &job) override { return runAll(m_main, streams, job); }
    Status runUpdate(StreamHandlers const &streams, JobContext const &job) override
    {
        if (m_main.size() == 1 && m_main[0].body) return runAll(*m_main[0].body, streams, job);
        return runAll(m_main, streams, job);
    }

private:
    struct Action;
    using Actions = std::vector<Action>;
    /// One node, bound to its operands on every replica.
    struct Action {
        std::vector<kernels::Prepared> kernels;   ///< by replica
        std::shared_ptr<Actions> body;            ///< of a loop
        std::int64_t count = 1;
        std::function<Status(StreamHandlers const &)> special;
    };

    static std::size_t bytesOf(HostTensor const &t) { return static_cast<std::size_t>(t.elements() * sizeOf(t.dtype)); }

    HostTensor own(DType dtype, Shape const &shape)
    {
        HostTensor tensor;
        tensor.dtype = dtype;
        tensor.shape = shape;
        m_buffers.push_back(allocate(dtype, shape));
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
        for (auto id : m_graph.region(region).nodes) TW_TRY(bindNode(id, actions));
        return {};
    }

    Status bindNode(NodeId id, Actions &actions)
    {
        auto const &node = m_graph.node(id);
        // Storage of the results.
        for (std::size_t r = 0; r < m_replicas; ++r) {
            for (std::size_t o = 0; o < node.outputs.size(); ++o) {
                auto const &value = m_graph.value(node.outputs[o]);
                auto &slot = m_values[r][node.outputs[o].index];
                int const reuse = node.inPlace.empty() ? -1 : node.inPlace[o];
                if (hasOwnBytes(node, o)) slot = own(value.dtype, value.shape);
                else if (node.op == "variable.read") slot = m_variables[r][node.variable.index];
                else if (node.op == "reshape" || node.op == "ipu_copy") slot = view(r, node.inputs[0], value);
                else if (node.op == "all_reduce") slot = view(r, node.inputs[o], value);
                else slot = view(r, node.inputs[static_cast<std::size_t>(reuse)], value);
            }
        }
        if (node.op == "variable.read" || node.op == "reshape" || node.op == "ipu_copy") return {};
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
            for (std::size_t r = 0; r < m_replicas; ++r) {
                std::vector<HostTensor> inputs, outputs;
                for (auto input : node.inputs) inputs.push_back(m_values[r][input.index]);
                for (auto output : node.outputs) outputs.push_back(m_values[r][output.index]);
                TW_ASSIGN(auto prepared, op->kernel({node, inputs, outputs}));
                if (node.op == "constant") {
                    // Filled once: nothing overwrites a constant.
                    kernels::RunContext ctx{m_pool, m_seed, static_cast<int>(r)};
                    prepared(ctx);
                } else {
                    action.kernels.push_back(std::move(prepared));
                }
            }
            if (action.kernels.empty()) return {};
        }
        if (action.kernels.empty() && !action.body && !action.special) return {};
        actions.push_back(std::move(action));
        return {};
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

    /// Into the first of them.
    static void sumFloats(std::vector<HostTensor> const &copies, std::int64_t n)
    {
        float *sum = copies[0].f32();
        for (std::size_t r = 1; r < copies.size(); ++r) {
            float const *x = copies[r].f32();
            for (std::int64_t i = 0; i < n; ++i) sum[i] += x[i];
        }
    }
    /// The same in float32, rounded once.
    static void sumHalves(std::vector<HostTensor> const &copies, std::int64_t n)
    {
        constexpr std::int64_t kBlock = 1024;
        float sum[kBlock], x[kBlock];
        for (std::int64_t at = 0; at < n; at += kBlock) {
            std::int64_t const count = std::min(kBlock, n - at);
            kernels::widen(copies[0].f16() + at, count, sum);
            for (std::size_t r = 1; r < copies.size(); ++r) {
                kernels::widen(copies[r].f16() + at, count, x);
                for (std::int64_t i = 0; i < count; ++i) sum[i] += x[i];
            }
            kernels::narrow(sum, count, copies[0].f16() + at);
        }
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
                auto const n = copies[0].elements();
                if (copies[0].dtype == DType::F16) sumHalves(copies, n);
                else sumFloats(copies, n);
                for (std::size_t r = 1; r < copies.size(); ++r) std::memcpy(copies[r].data, copies[0].data, bytesOf(copies[r]));
            }
            return {};
        };
    }

    Status runAll(Actions const &actions, StreamHandlers const &streams, JobContext const &job)
    {
        for (auto const &action : actions) {
            if (action.body) {
                for (std::int64_t i = 0; i < action.count; ++i) {
                    if (job.cancelled()) return cancelledError("run");
                    TW_TRY(runAll(*action.body, streams, job));
                }
            } else if (action.special) {
                TW_TRY(action.special(streams));
            } else {
                for (std::size_t r = 0; r < action.kernels.size(); ++r) {
                    kernels::RunContext ctx{m_pool, m_seed, static_cast<int>(r)};
                    action.kernels[r](ctx);
                }
            }
        }
        return {};
    }

    executable::Executable const &m_exe;
    graph::Graph const &m_graph;
    std::uint64_t m_seed;
    ThreadPool &m_pool;
    std::size_t m_replicas;
    std::vector<std::vector<HostTensor>> m_values, m_variables; ///< [replica][id]
    std::vector<Buffer> m_buffers;
    Actions m_main;
};

class TileExecutor final : public Executor {
public:
    TileExecutor(executable::Executable const &executable, std::unique_ptr<emulator::TileMachine> machine)
        : m_exe(executable), m_machine(std::move(machine))
    {
    }

    void loadConstants()
    {
        for (auto const &constant : m_exe.constants) {
            auto const &variable = m_exe.program.var(constant.var);
            auto const n = static_cast<std::size_t>(elementCount(variable.shape));
            std::vector<std::byte> bytes(n * static_cast<std::size_t>(sizeOf(variable.dtype)));
            for (std::size_t i = 0; i < n; ++i) {
                double const value = constant.values.size() == 1 ? constant.values[0] : constant.values[i];
                switch (variable.dtype) {
                case DType::F32: reinterpret_cast<float *>(bytes.data())[i] = static_cast<float>(value); break;
                case DType::F16:
                    reinterpret_cast<std::uint16_t *>(bytes.data())[i] = kernels::floatToHalf(static_cast<float>(value));
                    break;
                case DType::I32: reinterpret_cast<std::int32_t *>(bytes.data())[i] = static_cast<std::int32_t>(value); break;
                case DType::U8: bytes[i] = static_cast<std::byte>(static_cast<std::uint8_t>(value)); break;
                case DType::Bool: bytes[i] = static_cast<std::byte>(value != 0); break;
                }
            }
            m_machine->upload(constant.var, bytes);
        }
    }

    void write(graph::VariableId variable, std::span<std::byte const> data, int replica) override
    {
        m_machine->upload(m_exe.variables[variable.index], data, replica);
    }
    std::vector<std::byte> read(graph::VariableId variable, int replica) const override
    {
        return m_machine->download(m_exe.variables[variable.index], replica);
    }
    bool has(graph::VariableId variable) const override { return m_exe.variables[variable.index].valid(); }
    Status run(StreamHandlers const &streams, JobContext const &job) override
    {
        return m_machine->run(m_exe.program.main, streams, job);
    }
    Status runUpdate(StreamHandlers const &streams, JobContext const &job) override
    {
        auto const &main = m_exe.program.step(m_exe.program.main);
        if (main.children.size() == 1 && m_exe.program.step(main.children[0]).kind == program::StepKind::Repeat) {
            for (auto child : m_exe.program.step(main.children[0]).children) TW_TRY(m_machine->run(child, streams, job));
            return {};
        }
        return m_machine->run(m_exe.program.main, streams, job);
    }
    emulator::TileMachine &machine() { return *m_machine; }

private:
    executable::Executable const &m_exe;
    std::unique_ptr<emulator::TileMachine> m_machine;
};

} // namespace

Bytes fusedExecutorBytes(executable::Executable const &executable)
{
    auto const &graph = executable.graph;
    Bytes bytes = 0;
    for (auto const &variable : graph.variables) bytes = addBytes(bytes, bufferBytes(variable.dtype, variable.shape));
    for (auto const &node : graph.nodes) {
        auto const wide = [&](graph::ValueId id) {
            bytes = addBytes(bytes, kernels::halfStorageBytes(node.op, graph.value(id).dtype, graph.value(id).shape));
        };
        for (auto id : node.inputs) wide(id);
        for (std::size_t o = 0; o < node.outputs.size(); ++o) {
            auto const &value = graph.value(node.outputs[o]);
            wide(node.outputs[o]);
            if (hasOwnBytes(node, o)) bytes = addBytes(bytes, bufferBytes(value.dtype, value.shape));
        }
    }
    return multiplyBytes(bytes, executable.replicas);
}

Bytes tileExecutorBytes(executable::Executable const &executable)
{
    Bytes bytes = 0;
    for (auto const used : executable.memory.withoutGaps) bytes = addBytes(bytes, used);
    return multiplyBytes(bytes, executable.replicas);
}

Result<std::unique_ptr<Executor>> makeFusedExecutor(executable::Executable const &executable, std::uint64_t seed, ThreadPool &pool)
{
    auto executor = std::make_unique<FusedExecutor>(executable, seed, pool);
    TW_TRY(executor->prepare());
    return std::unique_ptr<Executor>(std::move(executor));
}

Result<std::unique_ptr<Executor>> makeTileExecutor(executable::Executable const &exe, target::Machine const &machine,
                                                   std::uint64_t seed, ThreadPool &pool)
{
    // Addresses by variable and tile, once: the loader asks for each block.
    auto table = std::make_shared<std::vector<std::vector<Bytes>>>(exe.program.variables.size());
    auto const tiles = static_cast<std::size_t>(exe.program.tiles());
    emulator::LoadOptions options;
    for (std::size_t t = 0; t < tiles; ++t) {
        options.imageBytes = std::max(options.imageBytes, exe.memory.withGaps[t]);
        options.usedBytes += exe.memory.withoutGaps[t];
        for (auto const &item : exe.memory.layouts[static_cast<std::size_t>(exe.memory.layoutOf[t])].items) {
            if (item.variable < 0) continue;
            auto &row = (*table)[static_cast<std::size_t>(item.variable)];
            if (row.empty()) row.assign(tiles, -1);
            row[t] = item.offset;
        }
    }
    options.seed = seed;
    auto const lookup = [table](program::VarId var, int tile) -> Bytes {
        auto const &row = (*table)[var.index];
        return row.empty() ? -1 : row[static_cast<std::size_t>(tile)];
    };
    TW_ASSIGN(auto tileMachine, emulator::TileMachine::load(exe.program, machine, lookup, options, pool));
    auto executor = std::make_unique<TileExecutor>(exe, std::move(tileMachine));
    executor->loadConstants();
    return std::unique_ptr<Executor>(std::move(executor));
}

emulator::TileMachine *tileMachineOf(Executor &executor)
{
    auto *tile = dynamic_cast<TileExecutor *>(&executor);
    return tile ? &tile->machine() : nullptr;
}

} // namespace tilewright::runtime
