#include "engine/runtime/lockstep.h"

#include "engine/core/host_memory.h"
#include "engine/graph/node_kind.h"
#include "engine/graph/partial_sums.h"
#include "engine/graph/rounding.h"
#include "engine/ops/op_def.h"
#include "engine/runtime/session_parts.h"
#include "engine/runtime/verify_comparison.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace tilewright::runtime {

namespace {

using TensorBytes = std::vector<std::byte>;

/// Runs with noise: so many at first, and so many at most while a tensor still differs by more than they allow.
constexpr int kFirstRuns = 4, kMostRuns = 32;

/// The gradient that a node applies to a weight.
struct UpdateGradient {
    graph::NodeId node;
    graph::ValueId value;
    std::string weight;
    program::VarId var = {};   ///< on tiles
    bool scattered = false;    ///< each replica has its shard of it only
    program::StepId step = {}; ///< the first that reads it when it is complete; invalid: the program has no such update
};

bool updatesWeights(graph::Node const &node)
{
    auto const *op = ops::findOp(node.op);
    return op && op->lowering.updatesWeights;
}

std::vector<UpdateGradient> updateGradients(graph::Graph const &graph)
{
    std::vector<UpdateGradient> all;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        auto const &node = graph.nodes[i];
        std::size_t const states = node.outputs.size(); // operands are the states, the gradient, the rate
        if (updatesWeights(node) && node.inputs.size() > states)
            all.push_back({graph::NodeId(i), node.inputs[states], graph.value(node.inputs[0]).name});
    }
    return all;
}

/// Weights and slots: what a node with updatesWeights writes.
std::set<std::size_t> updatedVariables(graph::Graph const &graph)
{
    std::set<std::size_t> all;
    for (auto const &node : graph.nodes)
        if (updatesWeights(node))
            for (std::size_t i = 0; i < node.outputs.size(); ++i)
                if (auto const &read = graph.node(graph.value(node.inputs[i]).producer); graph::is(read, graph::NodeKind::VariableRead))
                    all.insert(read.variable.index);
    return all;
}

std::string layerOf(std::string const &name) { return name.substr(0, name.find('/', name.find('/') + 1)); }

class Lockstep {
public:
    Lockstep(project::Project const &project, compiler::CompileOutcome const &compiled, data::Dataset const &dataset,
             RunRequest const &request, JobContext const &job)
        : m_project(project), m_compiled(compiled), m_entry(compiled.entry()), m_dataset(dataset), m_job(job),
          m_seed(static_cast<std::uint64_t>(project.training.seed)), m_drawn(deviceSeedOf(request, deviceSeedOf(project.training))),
          m_pool(threadsOf(request)),
          m_order(data::epochOrder(dataset.x.count(), m_seed, 0, project.training.shuffle && project.data.shuffle)),
          m_gradients(updateGradients(m_entry->graph)), m_updated(updatedVariables(m_entry->graph)),
          m_comparison(std::ranges::any_of(m_entry->graph.values, [](graph::Value const &value) { return value.dtype == DType::F16; }))
    {
        warnOfMissingThreads(m_pool, job);
    }

    Result<VerifyOutcome> run(std::int64_t steps)
    {
        auto const perUpdate = m_entry->batchSize * m_entry.replicas() * m_entry->microBatchesPerUpdate;
        std::int64_t const updates = m_dataset.x.count() / (m_entry->batchSize * m_entry.replicas()) / m_entry->microBatchesPerUpdate;
        if (updates == 0) return noUpdate(perUpdate);
        TW_TRY(prepare());
        for (std::int64_t step = 0; step < std::min(steps, updates); ++step) {
            if (m_job.cancelled()) return cancelledError("verify");
            m_comparison.beginUpdate();
            TW_TRY(runUpdate(step));
            if (!m_comparison.beyondTolerance().empty()) TW_TRY(measureRounding(step));
            m_job.report("Verify", static_cast<double>(step + 1) / static_cast<double>(steps));
        }
        if (updates < steps)
            m_job.warn(makeWarning("verify.steps", "data",
                                   Message::of("the data end after %1 of the %2 requested weight updates.", updates, steps),
                                   m_project.data.limit > 0 ? Message::of("Request fewer updates, or raise data.limit.")
                                                            : Message::of("Request fewer updates, or lower training.batch_size.")));
        return m_comparison.outcome(std::min(steps, updates));
    }

private:
    using SumsPlace = std::tuple<std::size_t, int, int>; // node, IPU, replica
    using Sums = std::map<SumsPlace, std::deque<TensorBytes>>;
    using Outputs = std::map<std::pair<int, int>, std::vector<TensorBytes>>; // by replica and tensor: modes ask in different orders

    Diagnostic noUpdate(std::int64_t perUpdate) const
    {
        return makeError(ErrorKind::Invalid, "verify.no-update", "data",
                         Message::of("the data hold %1 samples, but a weight update takes %2: there is no update to compare.",
                                     m_dataset.x.count(), perUpdate),
                         Message::of("Use more data, or lower training.batch_size or training.gradient_accumulation_steps."));
    }

    Status prepare()
    {
        TW_TRY(requireHostMemory(addBytes(addBytes(fusedExecutorBytes(m_entry), tileExecutorBytes(m_entry)), stateBytes(m_entry)),
                                 m_entry.executable().name, Message::of("running the model in both modes"),
                                 Message::of("Make the model or the batch smaller, or use a machine with more memory.")));
        TW_ASSIGN(auto fusedExecutor, makeFusedExecutor(m_entry, m_drawn, m_pool, FusedPath::Fast));
        TW_ASSIGN(auto tileExecutor, makeTileExecutor(m_entry, m_compiled.machine, m_drawn, m_pool));
        m_fused = sessionOf(std::move(fusedExecutor));
        m_tile = sessionOf(std::move(tileExecutor));
        TW_ASSIGN(auto const initial, initialState(m_project, m_entry));
        TW_TRY(m_fused->loadState(initial));
        m_fused->executor().onSums = [this](graph::NodeId id, int ipu, int replica, std::span<std::byte> data) {
            m_sums[{id.index, ipu, replica}].emplace_back(data.begin(), data.end());
        };
        m_fused->executor().onGradient = [this](graph::NodeId id, int replica, std::span<std::byte const> data) {
            m_applied[{id.index, replica}].assign(data.begin(), data.end());
        };
        m_machine = tileMachineOf(m_tile->executor());
        placeGradients();
        m_machine->beforeStep = [this](program::StepId id) { compareGradient(id); };
        m_machine->onStep = [this](program::StepId id) { compareSums(id); };
        return {};
    }

    /// The variable that an exchange copies whole to `to`; invalid: none.
    program::VarId copiedFrom(program::Step const &step, program::VarId to) const
    {
        auto const &program = m_entry.executable().program;
        if (step.kind != program::StepKind::Exchange && step.kind != program::StepKind::GlobalExchange) return {};
        program::VarId source;
        for (auto const &transfer : program.exchanges[step.exchange.index].transfers) {
            if (transfer.dst != to) continue;
            if (source.valid() && source != transfer.src) return {};
            source = transfer.src;
        }
        if (!source.valid()) return {};
        auto const &from = program.var(source), &copy = program.var(to);
        return from.dtype == copy.dtype && elementCount(from.shape) == elementCount(copy.shape) ? source : program::VarId();
    }

    /// The leading operand of the vertices that the operation of a step executes next; invalid: it executes none.
    program::VarId updatedBehind(std::vector<program::StepId> const &steps, std::size_t at) const
    {
        auto const &program = m_entry.executable().program;
        int const op = program.step(steps[at]).op;
        while (++at < steps.size()) {
            auto const &step = program.step(steps[at]);
            if (step.op == op && step.kind == program::StepKind::Execute)
                return program.computeSets[step.computeSet.index].families.front().fields.front().var;
        }
        return {};
    }

    /// Whether a ring brings the variable's chunks together on every replica.
    bool isGathered(program::VarId var) const
    {
        return std::ranges::any_of(m_entry.executable().program.exchanges, [var](program::Exchange const &exchange) {
            return std::ranges::any_of(exchange.ring, [var](auto const &ring) { return ring.inChunk && ring.dst == var; });
        });
    }

    /// Finds the gradients in the program. LARS takes the norm of a gradient in front of the node that applies it, so it is not this node
    /// that reads a gradient first: it is the first step behind the last one that writes it.
    void placeGradients()
    {
        auto const &program = m_entry.executable().program;
        auto const steps = program::leafSteps(program);
        for (auto &gradient : m_gradients) {
            auto const &node = m_entry->graph.node(gradient.node);
            std::size_t const states = node.outputs.size();
            std::size_t at = 0;
            for (; at < steps.size(); ++at) {
                auto const &step = program.step(steps[at]);
                if (step.kind != program::StepKind::Execute || step.op < 0) continue;
                auto const &op = program.ops[static_cast<std::size_t>(step.op)];
                if (node.name != op.name || node.op != op.kind) continue;
                auto const &families = program.computeSets[step.computeSet.index].families;
                // Fields are the states, the gradient, the rate; operands of the node are in the same order. An update of shards takes them
                // from the weights and the gradient first: from there on a replica knows its part only.
                bool const takesShards = program.codelets[static_cast<std::size_t>(families.front().codelet)] == "TakeShard";
                auto const &fields = families.front().fields;
                if (!takesShards && fields.size() <= states) continue;
                // Weights in streaming memory have a copy. If they are shards there, the step takes that of the gradient alone, and a later
                // one updates.
                bool const gradientAlone = takesShards && families.size() == 1;
                auto const updated = gradientAlone ? updatedBehind(steps, at) : fields[takesShards ? 1 : 0].var;
                if (!updated.valid()) continue;
                auto const &weights = program.var(updated).name;
                if (weights != gradient.weight && weights != gradient.weight + "/on_tiles" && weights != gradient.weight + "/shard")
                    continue;
                gradient.var = takesShards ? families.back().fields[1].var : fields[states].var;
                gradient.scattered = takesShards && !isGathered(gradient.var);
                break;
            }
            if (at == steps.size()) continue;
            gradient.step = steps[at];
            for (std::size_t before = at; before-- > 0;) {
                bool reads = false, writes = false;
                for (auto const &[var, access] : program::accesses(program, program.step(steps[before])))
                    if (var == gradient.var) (access == program::Access::Read ? reads : writes) = true;
                if (reads) gradient.step = steps[before];
                if (!writes) continue;
                // A copy for the update: its source is the gradient, which others may have read before.
                auto const source = copiedFrom(program.step(steps[before]), gradient.var);
                if (!source.valid()) break;
                gradient.var = source;
                gradient.step = steps[before];
                gradient.scattered = false;
            }
        }
    }

    /// An update like RMSprop's divides a gradient by its own size: where a gradient is next to nothing its rounding decides the sign
    /// of a whole step. So the gradients are compared, then both modes update from the fused ones.
    void compareGradient(program::StepId id)
    {
        for (auto const &gradient : m_gradients) {
            if (!gradient.step.valid() || gradient.step != id) continue;
            std::string const name = "gradient/" + gradient.weight;
            for (int r = 0; r < m_entry.replicas(); ++r) {
                auto const &a = m_applied[{gradient.node.index, r}];
                auto const b = gradient.scattered ? m_machine->downloadShards(gradient.var) : m_machine->download(gradient.var, r);
                m_comparison.compare(name, m_entry->graph.value(gradient.value).dtype, a, b, layerOf(name));
                if (a.size() == b.size()) m_machine->upload(gradient.var, a, r);
            }
        }
    }

    std::string sumsName(std::size_t node) const { return "sums/" + m_entry->graph.nodes[node].name; }

    /// Rounded sums decide signs in front of an activation: what comes behind would differ by whole samples. So these sums are compared
    /// one by one, and both modes go on from the fused ones.
    void compareSums(program::StepId id)
    {
        auto const finished = program::finishedBy(m_entry.executable().program, m_entry.executable().program.step(id));
        if (finished.node < 0 || static_cast<std::size_t>(finished.node) >= m_entry->graph.nodes.size()) return;
        graph::NodeId const node(static_cast<std::size_t>(finished.node));
        std::string const name = sumsName(node.index);
        auto const &var = m_entry.executable().program.var(finished.var);
        m_comparison.allowStores(name, graph::partialStores(m_entry->graph, m_entry->graph.node(node)),
                                 graph::roundingOf(m_entry->graph.node(node)) != graph::Rounding::Nearest);
        for (int r = 0; r < m_entry.replicas(); ++r) {
            auto &known = m_sums[{node.index, var.layout.on.ipu, r}];
            auto const next = m_sumsCompared[{node.index, var.layout.on.ipu, r}]++;
            if (next >= known.size()) {
                m_comparison.missing(name); // fused mode did not come here
                continue;
            }
            m_comparison.compare(name, var.dtype, known[next], m_machine->download(finished.var, r),
                                 layerOf(name) + " " + std::string(graph::toText(m_entry->graph.node(node).pass)));
            m_machine->upload(finished.var, known[next], r);
        }
    }

    /// A session without synthetic data: both modes read the samples.
    std::unique_ptr<Session> sessionOf(std::unique_ptr<Executor> executor) const
    {
        auto session = std::make_unique<Session>(m_compiled, std::move(executor), config::SyntheticData());
        session->feed({m_dataset.x, m_dataset.y, m_dataset.scale, 0, m_project.training.classWeights});
        return session;
    }

    /// One update of a session on its samples.
    Status runOn(Session &session, std::int64_t step, Outputs &outputs)
    {
        session.begin(m_order, step * m_entry->microBatchesPerUpdate, m_entry->microBatchesPerUpdate);
        session.onOutput = [&](int r, int index, std::span<std::byte const> bytes) -> Status {
            outputs[{r, index}].emplace_back(bytes.begin(), bytes.end());
            return {};
        };
        resumeLoop(session.executor(), m_entry); // each update is compared, whatever the loss
        TW_TRY(session.run({.steps = m_entry->microBatchesPerUpdate}, m_job, m_job));
        return {};
    }

    Status runUpdate(std::int64_t step)
    {
        // Both start this update from the fused state, replica by replica.
        m_before.assign(static_cast<std::size_t>(m_entry.replicas()), {});
        for (int r = 0; r < m_entry.replicas(); ++r)
            for (std::size_t v = 0; v < m_entry->graph.variables.size(); ++v) {
                graph::VariableId const id(v);
                auto const &bytes = m_before[static_cast<std::size_t>(r)].emplace_back(m_fused->executor().read(id, r));
                if (m_tile->executor().has(id)) m_tile->executor().write(id, bytes, r);
            }
        m_sums.clear();
        m_applied.clear();
        m_sumsCompared.clear();
        m_outputs.clear();
        Outputs ofTiles;
        TW_TRY(runOn(*m_fused, step, m_outputs));
        TW_TRY(runOn(*m_tile, step, ofTiles));
        // Stop if both losses are NaN or infinite: a difference would be meaningless.
        auto const lost = notFinite(m_outputs), lostOnTiles = notFinite(ofTiles);
        if (lost && lostOnTiles)
            return lossNotFinite(m_entry, *lost, "update " + std::to_string(step + 1),
                                 Message::of("Lower training.optimizer.learning_rate, scale the data, or clip gradients."));
        for (auto const &[key, values] : m_outputs) {
            auto const &spec = m_entry->outfeed[static_cast<std::size_t>(key.second)];
            auto const &others = ofTiles[key];
            if (values.size() != others.size()) m_comparison.missing("outfeed/" + spec.name);
            for (std::size_t i = 0; i < values.size() && i < others.size(); ++i)
                m_comparison.compare("outfeed/" + spec.name, spec.dtype, values[i], others[i], {},
                                     countsSamples(spec) ? oneSample(spec.tally) : 0.0);
        }
        for (std::size_t v = 0; v < m_entry->graph.variables.size(); ++v) {
            graph::VariableId const id(v);
            auto const &variable = m_entry->graph.variables[v];
            // An accumulator was compared as the gradient; it is dead after the update, and its memory may be reused.
            if (!m_tile->executor().has(id) || variable.role == graph::Role::Accumulator) continue;
            for (int r = 0; r < m_entry.replicas(); ++r)
                m_comparison.compare(variable.name, variable.dtype, m_fused->executor().read(id, r), m_tile->executor().read(id, r));
        }
        return {};
    }

    std::optional<float> notFinite(Outputs const &outputs) const
    {
        for (auto const &[key, values] : outputs)
            for (auto const &value : values) {
                auto const &spec = m_entry->outfeed[static_cast<std::size_t>(key.second)];
                std::vector<float> losses;
                if (spec.name == "loss") appendFloats(losses, spec.dtype, value);
                for (float const loss : losses)
                    if (!std::isfinite(loss)) return loss;
            }
        return {};
    }

    /// Of a share of the samples, or of sums.
    double oneSample(Tally const &tally) const
    {
        return tally.reading == Tally::Reading::Mean ? 1.001 / static_cast<double>(m_entry->batchSize) : 1.001;
    }
    /// An accuracy counts samples: where two scores are the same float16, or next to it, rounding decides which is the larger.
    bool countsSamples(graph::FeedSpec const &outfeed) const
    {
        if (outfeed.tally.countsDecisions()) return m_comparison.half();
        auto const counted = [&](model::Metric const &metric) {
            auto const *spec = model::findMetricSpec(metric.className);
            bool const isAccuracy = metric.className == "accuracy" || (spec && spec->className.ends_with("Accuracy"));
            return isAccuracy && (outfeed.name == metric.displayName || outfeed.name.ends_with("_" + metric.displayName));
        };
        auto const &plan = m_project.training;
        auto const counts = [&](std::vector<model::Metric> const &all, std::vector<model::OutputMetrics> const &each) {
            return std::ranges::any_of(all, counted)
                || std::ranges::any_of(each, [&](model::OutputMetrics const &own) { return std::ranges::any_of(own.metrics, counted); });
        };
        return m_comparison.half()
            && (counts(plan.metrics, plan.outputMetrics) || counts(plan.weightedMetrics.all, plan.weightedMetrics.each));
    }

    /// Runs the update again in fused mode, each time with other noise, until it explains the differences or kMostRuns did not.
    Status measureRounding(std::int64_t step)
    {
        if (!m_perturbed) {
            TW_TRY(requireHostMemory(fusedExecutorBytes(m_entry), m_entry.executable().name,
                                     Message::of("measuring the effect of rounding"),
                                     Message::of("Make the model or the batch smaller, or use a machine with more memory.")));
            TW_ASSIGN(auto executor, makeFusedExecutor(m_entry, m_drawn, m_pool, FusedPath::Perturbed));
            m_perturbed = sessionOf(std::move(executor));
        }
        for (int run = 0; run < kMostRuns; ++run) {
            if (m_job.cancelled()) return cancelledError("verify");
            TW_TRY(runPerturbed(step, run));
            if (run + 1 >= kFirstRuns && m_comparison.beyondTolerance().empty()) break;
        }
        return {};
    }

    Status runPerturbed(std::int64_t step, int run)
    {
        auto &executor = m_perturbed->executor();
        for (int r = 0; r < m_entry.replicas(); ++r)
            for (std::size_t v = 0; v < m_entry->graph.variables.size(); ++v)
                executor.write(graph::VariableId(v), m_before[static_cast<std::size_t>(r)][v], r);
        executor.setUpdates(step);
        executor.beginNoise(deriveSeed(m_seed, static_cast<std::uint64_t>(step * kMostRuns + run)));
        std::map<SumsPlace, std::size_t> reached;
        executor.onSums = [&](graph::NodeId id, int ipu, int replica, std::span<std::byte> data) {
            SumsPlace const place{id.index, ipu, replica};
            auto const &known = m_sums[place];
            auto const next = reached[place]++;
            if (next >= known.size() || known[next].size() != data.size()) return;
            m_comparison.allowSpread(sumsName(id.index), m_entry->graph.value(m_entry->graph.node(id).outputs[0]).dtype, known[next], data);
            std::ranges::copy(known[next], data.begin());
        };
        executor.onGradient = [&](graph::NodeId id, int replica, std::span<std::byte const> data) {
            auto const gradient = std::ranges::find(m_gradients, id, &UpdateGradient::node);
            if (gradient == m_gradients.end()) return;
            m_comparison.allowSpread("gradient/" + gradient->weight, m_entry->graph.value(gradient->value).dtype,
                                     m_applied[{id.index, replica}], data);
        };
        Outputs outputs;
        TW_TRY(runOn(*m_perturbed, step, outputs));
        for (auto const &[key, values] : outputs) {
            auto const &spec = m_entry->outfeed[static_cast<std::size_t>(key.second)];
            auto const &exact = m_outputs[key];
            for (std::size_t i = 0; i < values.size() && i < exact.size(); ++i)
                m_comparison.allowSpread("outfeed/" + spec.name, spec.dtype, exact[i], values[i]);
        }
        for (int r = 0; r < m_entry.replicas(); ++r) {
            // Both modes update weights and slots from the same gradients: there the stated tolerance holds.
            for (std::size_t v = 0; v < m_entry->graph.variables.size(); ++v)
                if (graph::VariableId const id(v); !m_updated.contains(v))
                    m_comparison.allowSpread(m_entry->graph.variables[v].name, m_entry->graph.variables[v].dtype,
                                             m_fused->executor().read(id, r), executor.read(id, r));
        }
        return {};
    }

    project::Project const &m_project;
    compiler::CompileOutcome const &m_compiled;
    executable::EntryRef m_entry;
    data::Dataset const &m_dataset;
    JobContext const &m_job;
    std::uint64_t m_seed, m_drawn; ///< the plan's, and that of the executors
    ThreadPool m_pool;
    std::vector<std::uint32_t> m_order;
    std::vector<UpdateGradient> m_gradients;
    std::set<std::size_t> m_updated;
    VerifyComparison m_comparison;
    std::unique_ptr<Session> m_fused, m_tile, m_perturbed;
    emulator::TileMachine *m_machine = nullptr;
    // Of the update at hand:
    std::vector<std::vector<TensorBytes>> m_before;               ///< the fused state, [replica][variable]
    std::map<std::pair<std::size_t, int>, TensorBytes> m_applied; ///< gradients of fused mode, by node and replica
    Sums m_sums;                                                  ///< of fused mode
    std::map<SumsPlace, std::size_t> m_sumsCompared;
    Outputs m_outputs; ///< of fused mode
};

} // namespace

Result<VerifyOutcome> compareModes(project::Project const &project, compiler::CompileOutcome const &compiled, data::Dataset const &dataset,
                                   RunRequest const &request, std::int64_t steps, JobContext const &job)
{
    return Lockstep(project, compiled, dataset, request, job).run(steps);
}

} // namespace tilewright::runtime
