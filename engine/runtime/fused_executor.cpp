// Fused mode: the step graph node by node with host kernels. A collective is the only place where replicas meet.
#include "engine/runtime/executor.h"
#include "engine/runtime/fused_binding.h"
#include "engine/runtime/rounding_counts.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace tilewright::runtime {

using graph::ValueId;
using kernels::HostTensor;

namespace {

class FusedExecutor final : public Executor {
public:
    FusedExecutor(executable::EntryRef const &entry, std::shared_ptr<std::uint64_t> seed, ThreadPool &pool, FusedPath path, Traps traps,
                  ReplicaSeam *seam)
        : m_seed(std::move(seed)), m_pool(pool), m_path(path), m_traps(traps), m_seam(seam),
          m_rounding(entry->graph, entry->stageIpus, entry.executable().program.ipus, entry.replicas(), m_seed),
          m_binding(entry, *m_seed, pool, traps.any() && path == FusedPath::Fast ? FusedPath::Plain : path, m_rounding, traps, seam)
    {
    }

    /// `owner`: whose variables it shares; null: it has its own.
    Status prepare(FusedExecutor const *owner) { return m_binding.bind(m_main, owner ? &owner->m_binding : nullptr); }
    Result<std::unique_ptr<Executor>> beside(executable::EntryRef const &entry) override
    {
        auto other = std::make_unique<FusedExecutor>(entry, m_seed, m_pool, m_path, m_traps, m_seam);
        TW_TRY(other->prepare(this));
        return std::unique_ptr<Executor>(std::move(other));
    }

    void write(graph::VariableId variable, std::span<std::byte const> data, int replica) override
    {
        for (std::size_t r = 0; r < m_binding.replicas(); ++r) {
            if (replica >= 0 && r != static_cast<std::size_t>(replica)) continue;
            auto const &tensor = m_binding.variable(variable, r);
            std::memcpy(tensor.data, data.data(), std::min(data.size(), bytesOf(tensor)));
        }
    }
    std::vector<std::byte> read(graph::VariableId variable, int replica) const override
    {
        auto const &tensor = m_binding.variable(variable, static_cast<std::size_t>(replica));
        return {tensor.data, tensor.data + bytesOf(tensor)};
    }
    bool has(graph::VariableId) const override { return true; }
    bool writeValue(std::string_view name, float value) override
    {
        auto const range = m_binding.written().equal_range(name);
        for (auto it = range.first; it != range.second; ++it) *it->second.f32() = value;
        return range.first != range.second;
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

    std::uint64_t seed() const override { return *m_seed; }
    void setSeed(std::uint64_t seed) override { *m_seed = seed; }
    void setUpdates(std::int64_t done) override { m_rounding.setUpdates(done); }
    void beginNoise(std::uint64_t seed) override { m_binding.noise().begin(seed); }

private:
    /// Whether all is one loop over weight updates.
    bool isLoop() const { return m_main.size() == 1 && m_main[0].body && !m_main[0].otherwise; }

    /// Whether a predicate is not zero. Error: Internal "fused.predicate" when replicas differ.
    static Result<bool> holds(FusedAction const &action)
    {
        auto const one = [](HostTensor const &t) {
            auto const bytes = std::span(t.data, bytesOf(t));
            return t.dtype == DType::F32 ? *t.f32() != 0 : std::ranges::any_of(bytes, [](std::byte b) { return b != std::byte{0}; });
        };
        bool const first = one(action.predicate[0]);
        for (auto const &other : action.predicate)
            if (one(other) != first)
                return makeError(ErrorKind::Internal, "fused.predicate", "run",
                                 Message::of("the predicate of a branch or loop differs between replicas"));
        return first;
    }

    /// Once through a loop. False: its test ended it.
    Result<bool> round(FusedAction const &loop, StreamHandlers const &streams, JobContext const &job)
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

    /// From one meeting of the replicas to the next each goes by itself, one after the other: what it computes on the way is
    /// then still in the processor's cache, and the next one has the same bytes for it.
    Status runAll(FusedActions const &actions, StreamHandlers const &streams, JobContext const &job)
    {
        for (std::size_t begin = 0, end = 0; begin < actions.size(); begin = end) {
            while (end < actions.size() && actions[end].alone) ++end;
            if (begin == end) {
                TW_TRY(runTogether(actions[end++], streams, job));
                continue;
            }
            for (std::size_t r = 0; r < m_binding.replicas(); ++r)
                TW_TRY(runAlone(std::span(actions).subspan(begin, end - begin), r, streams, job));
        }
        return {};
    }

    Status runTogether(FusedAction const &action, StreamHandlers const &streams, JobContext const &job)
    {
        if (action.meeting) {
            TW_TRY(action.meeting());
        } else if (action.otherwise) {
            TW_ASSIGN(bool const first, holds(action));
            TW_TRY(runAll(first ? *action.body : *action.otherwise, streams, job));
        } else {
            for (std::int64_t i = 0; i < action.count; ++i) {
                TW_ASSIGN(bool const again, round(action, streams, job));
                if (!again) break;
            }
        }
        return {};
    }

    Status runAlone(std::span<FusedAction const> actions, std::size_t r, StreamHandlers const &streams, JobContext const &job)
    {
        int const replica = m_binding.numberOf(r);
        for (auto const &action : actions) {
            if (action.only >= 0 && static_cast<std::size_t>(action.only) != r) continue;
            if (action.body) {
                if (job.cancelled()) return cancelledError("run");
                TW_TRY(runAlone(*action.body, r, streams, job));
            } else if (action.special) {
                TW_TRY(action.special(streams, r));
            } else {
                kernels::RunContext ctx{m_pool, *m_seed, replica};
                ctx.rounding = m_rounding.seed(action.rounding, replica);
                if (onGradient && action.updates.valid())
                    onGradient(action.updates, replica, {action.gradientOf[r].data, bytesOf(action.gradientOf[r])});
                action.kernels[r](ctx);
                if (auto const &caught = m_binding.caught().error) return *caught;
                if (onSums && action.sums.valid())
                    onSums(action.sums, action.ipu, replica, {action.sumOf[r].data, bytesOf(action.sumOf[r])});
                m_rounding.ran(action.rounding, replica);
            }
        }
        return {};
    }

    std::shared_ptr<std::uint64_t> m_seed; ///< of all entries
    ThreadPool &m_pool;
    FusedPath m_path;
    Traps m_traps;
    ReplicaSeam *m_seam;
    RoundingCounts m_rounding;
    FusedBinding m_binding;
    FusedActions m_main;
};

} // namespace

Result<std::unique_ptr<Executor>> makeFusedExecutor(executable::EntryRef const &entry, std::uint64_t seed, ThreadPool &pool, FusedPath path,
                                                    Traps traps, ReplicaSeam *seam)
{
    auto executor = std::make_unique<FusedExecutor>(entry, std::make_shared<std::uint64_t>(seed), pool, path, traps, seam);
    TW_TRY(executor->prepare(nullptr));
    return std::unique_ptr<Executor>(std::move(executor));
}

} // namespace tilewright::runtime
