#include "engine/conformance/step_runner.h"

#include "engine/core/parallel.h"
#include "engine/graph/graph.h"
#include "engine/lowering/lower_graph.h"
#include "engine/lowering/memory.h"
#include "engine/lowering/schedule.h"
#include "engine/ops/op_def.h"
#include "engine/passes/pass.h"
#include "engine/reference/interpreter.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/state.h"

#include <algorithm>

namespace tilewright::conformance {

namespace {

using graph::RegionId;
using graph::VariableId;

constexpr std::uint64_t kSeed = 42;

/// Zeros for weights, which the case gives.
Tensor firstOf(graph::Variable const &variable)
{
    if (variable.role != graph::Role::Weight)
        if (auto const bytes = runtime::firstBytes(variable); bytes.ok())
            return reference::fromBytes(variable.dtype, variable.shape, bytes->data());
    return {variable.dtype, variable.shape, std::vector<double>(static_cast<std::size_t>(elementCount(variable.shape)), 0.0)};
}

std::vector<std::byte> bytesOf(Tensor tensor, DType dtype)
{
    tensor.dtype = dtype;
    std::vector<std::byte> bytes(tensor.v.size() * static_cast<std::size_t>(sizeOf(dtype)));
    reference::toBytes(tensor, bytes.data());
    return bytes;
}

/// The oracle.
class ReferenceRunner final : public StepRunner {
public:
    explicit ReferenceRunner(layers::StepGraph step) : StepRunner(std::move(step))
    {
        for (std::size_t v = 0; v < m_step.graph.variables.size(); ++v)
            m_state.variables[VariableId(v)] = firstOf(m_step.graph.variables[v]);
    }

    void write(VariableId variable, Tensor const &value) override
    {
        auto &slot = m_state.variables[variable];
        auto const dtype = slot.dtype;
        slot = value;
        slot.dtype = dtype;
    }
    Tensor read(VariableId variable) const override { return m_state.variables.at(variable); }

protected:
    Result<std::vector<Element>> runChecked(std::span<Element const> elements, JobContext const &job) override
    {
        std::size_t fed = 0;
        std::vector<Element> out;
        reference::RefFeeds feeds;
        feeds.infeed = [&](graph::Node const &node) -> Result<std::vector<Tensor>> {
            if (fed == elements.size())
                return makeError(ErrorKind::Internal, "conformance.feed", node.name,
                                 Message::of("the program wants more elements than expected."));
            Element element = elements[fed++];
            for (std::size_t i = 0; i < element.size(); ++i) element[i].dtype = m_step.infeed[i].dtype;
            return element;
        };
        feeds.outfeed = [&](graph::Node const &, std::span<Tensor const> values) -> Status {
            out.emplace_back(values.begin(), values.end());
            return {};
        };
        m_state.values.clear();
        feeds.cancelled = [&job] { return job.cancelled(); };
        TW_TRY(reference::runRegion(m_step.graph, RegionId(0), m_state, {kSeed, 0, reference::Precision::Float}, feeds));
        m_state.values.clear();
        return out;
    }

private:
    reference::RefState m_state;
};

/// The optimised graph on host kernels or, lowered, on tile memories.
class ExecutorRunner final : public StepRunner {
public:
    ExecutorRunner(layers::StepGraph step, int replicas) : StepRunner(std::move(step)), m_pool(1) { m_exe.replicas = replicas; }

    Status compile(Mode mode, target::Machine const &machine, JobContext const &job)
    {
        passes::PassContext const context{ops::opLookup(), {}, job};
        TW_ASSIGN(auto passed, passes::runPasses(passes::graphPasses(), m_step.graph, context));
        auto &entry = m_exe.entries.emplace_back();
        entry.graph = graph::compact(passed.graph);
        for (auto const &spec : m_step.infeed) entry.infeed.push_back({spec.name, spec.shape, spec.dtype});
        entry.outfeed = m_step.outfeed;
        entry.weights = m_step.weights;
        m_exe.emulated = mode == Mode::Tile;
        if (mode == Mode::Tile) TW_TRY(lower(machine, job));
        else executable::makeVariables(m_exe, {});
        auto made = mode == Mode::Tile ? runtime::makeTileExecutor(m_exe.entry(0), machine, kSeed, m_pool)
                                       : runtime::makeFusedExecutor(m_exe.entry(0), kSeed, m_pool);
        if (!made.ok()) return made.error();
        m_executor = std::move(made).value();
        for (std::size_t v = 0; v < m_step.graph.variables.size(); ++v) write(VariableId(v), firstOf(m_step.graph.variables[v]));
        return {};
    }

    void write(VariableId variable, Tensor const &value) override
    {
        auto const bytes = bytesOf(value, m_step.graph.variable(variable).dtype);
        if (m_executor->has(variable)) m_executor->write(variable, bytes);
        else m_unused[variable] = bytes;
    }
    Tensor read(VariableId variable) const override
    {
        auto const &what = m_step.graph.variable(variable);
        auto const bytes = m_executor->has(variable) ? m_executor->read(variable) : m_unused.at(variable);
        return reference::fromBytes(what.dtype, what.shape, bytes.data());
    }

protected:
    Result<std::vector<Element>> runChecked(std::span<Element const> elements, JobContext const &job) override
    {
        DenormalGuard const guard;
        auto const replicas = static_cast<std::size_t>(m_exe.replicas);
        std::vector<std::size_t> fed(replicas, 0), given(replicas, 0); // elements begun, by replica
        std::vector<Element> out(elements.size(), Element(m_step.outfeed.size()));
        runtime::StreamHandlers streams;
        streams.toDevice = [&](int replica, int index, std::byte *to, std::size_t size) -> Status {
            auto const r = static_cast<std::size_t>(replica), i = static_cast<std::size_t>(index);
            if (index == 0) ++fed[r];
            std::size_t const at = (fed[r] - 1) * replicas + r;
            if (fed[r] == 0 || at >= elements.size()) return feedError(Message::of("the program wants more elements than expected."));
            auto const bytes = bytesOf(elements[at][i], m_step.infeed[i].dtype);
            if (bytes.size() != size) return feedError(Message::of("tensor %1 has another size on the device.", m_step.infeed[i].name));
            std::copy(bytes.begin(), bytes.end(), to);
            return {};
        };
        streams.fromDevice = [&](int replica, int index, std::byte const *from, std::size_t size) -> Status {
            auto const r = static_cast<std::size_t>(replica), i = static_cast<std::size_t>(index);
            if (index == 0) ++given[r];
            std::size_t const at = (given[r] - 1) * replicas + r;
            if (given[r] == 0 || at >= out.size()) return feedError(Message::of("the program gives more elements than expected."));
            auto const &spec = m_step.outfeed[i];
            if (size != static_cast<std::size_t>(elementCount(spec.shape) * sizeOf(spec.dtype)))
                return feedError(Message::of("result %1 has another size on the device.", spec.name));
            out[at][i] = reference::fromBytes(spec.dtype, spec.shape, from);
            return {};
        };
        TW_TRY(m_executor->run(streams, job));
        for (std::size_t r = 0; r < replicas; ++r)
            if (fed[r] * replicas != elements.size()) return feedError(Message::of("the program takes fewer elements than expected."));
        return out;
    }

private:
    static Diagnostic feedError(Message message) { return makeError(ErrorKind::Internal, "conformance.feed", "feed", std::move(message)); }

    Status lower(target::Machine const &machine, JobContext const &job)
    {
        TW_ASSIGN(auto lowered, lowering::lowerGraph(m_exe.entries[0].graph, machine, 1, m_exe.replicas, {}, ops::loweringLookup(), job));
        m_exe.program = std::move(lowered.program);
        executable::makeVariables(m_exe, lowered.variables);
        m_exe.constants = std::move(lowered.constants);
        auto const schedule = lowering::makeSchedule(m_exe.program, machine, false);
        auto const liveness = lowering::analyseLiveness(m_exe.program);
        auto code = lowering::codeBytes(m_exe.program, schedule.exchanges, machine, true);
        m_exe.memory = lowering::allocate(m_exe.program, liveness, std::move(code), machine);
        if (!m_exe.memory.fits && machine.kind != target::MachineKind::IpuModel)
            return lowering::outOfMemory(m_exe.program, liveness, m_exe.memory, machine);
        return {};
    }

    ThreadPool m_pool;
    executable::Executable m_exe;
    std::unique_ptr<runtime::Executor> m_executor;         ///< looks into m_exe
    std::map<VariableId, std::vector<std::byte>> m_unused; ///< variables the program does not touch
};

} // namespace

Result<std::unique_ptr<StepRunner>> StepRunner::make(layers::StepGraph step, Mode mode, target::Machine const &machine, int replicas,
                                                     JobContext const &job)
{
    if (mode == Mode::Reference) {
        TW_CHECK(replicas == 1, "the oracle runs one replica");
        return std::unique_ptr<StepRunner>(std::make_unique<ReferenceRunner>(std::move(step)));
    }
    auto runner = std::make_unique<ExecutorRunner>(std::move(step), replicas);
    TW_TRY(runner->compile(mode, machine, job));
    return std::unique_ptr<StepRunner>(std::move(runner));
}

Result<std::vector<Element>> StepRunner::run(std::span<Element const> elements, JobContext const &job)
{
    for (auto const &element : elements) {
        auto const fail = [&](Message message) { return makeError(ErrorKind::Data, "conformance.feed", "case", std::move(message)); };
        if (element.size() != m_step.infeed.size())
            return fail(Message::of("the case gives %1 tensors, the program takes %2.", element.size(), m_step.infeed.size()));
        for (std::size_t i = 0; i < element.size(); ++i)
            if (elementCount(element[i].shape) != elementCount(m_step.infeed[i].shape))
                return fail(Message::of("tensor %1 has shape %2, the program takes %3.", m_step.infeed[i].name,
                                        tilewright::toText(element[i].shape), tilewright::toText(m_step.infeed[i].shape)));
    }
    TW_ASSIGN(auto out, runChecked(elements, job));
    for (auto const &element : out)
        for (auto const &tensor : element)
            if (tensor.v.size() != static_cast<std::size_t>(elementCount(tensor.shape)))
                return makeError(ErrorKind::Internal, "conformance.feed", "outfeed", Message::of("the program left a result out."));
    return out;
}

Status StepRunner::writeWeights(std::span<Tensor const> weights)
{
    auto const fail = [](Message message) { return makeError(ErrorKind::Invalid, "conformance.weights", "weights", std::move(message)); };
    if (weights.size() != m_step.weights.size())
        return fail(Message::of("the case has %1 weights, the model %2.", weights.size(), m_step.weights.size()));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        auto const &variable = m_step.graph.variable(m_step.weights[i]);
        if (weights[i].shape != variable.shape)
            return fail(Message::of("weight %1 has shape %2, '%3' has %4.", i, tilewright::toText(weights[i].shape), variable.name,
                                    tilewright::toText(variable.shape)));
        write(m_step.weights[i], weights[i]);
    }
    return {};
}

std::vector<Tensor> StepRunner::readWeights() const
{
    std::vector<Tensor> weights;
    for (auto id : m_step.weights) weights.push_back(read(id));
    return weights;
}

State StepRunner::state() const
{
    State state;
    for (std::size_t v = 0; v < m_step.graph.variables.size(); ++v) {
        auto const &variable = m_step.graph.variables[v];
        if (variable.role != graph::Role::Accumulator) state.emplace(variable.name, read(VariableId(v)));
    }
    return state;
}

void StepRunner::load(State const &state)
{
    for (std::size_t v = 0; v < m_step.graph.variables.size(); ++v)
        if (auto const it = state.find(m_step.graph.variables[v].name); it != state.end()) write(VariableId(v), it->second);
}

} // namespace tilewright::conformance
