#pragma once

#include "engine/program/codelet.h"
#include "engine/program/phase.h"
#include "engine/target/links.h"
#include "engine/target/exchange.h"

#include <array>
#include <functional>
#include <map>
#include <utility>
#include <vector>

/// Measured cycles: the costs of vertices and copies that really run, added along the executed control flow. The schedule of lowering costs
/// families and transfers before the run. Both agree to the cycle where nothing depends on data (tests/engine/emulator).
namespace tilewright::emulator {

/// Times of a compute set on the tiles of a replica.
struct SetTimes {
    std::vector<Cycles> byTile; ///< vertices of a tile run one after the other
    std::vector<Cycles> byIpu;  ///< the slowest tile
    bool usesAmp = false;
    /// Computes byIpu from byTile.
    void finish(program::Program const &program);
};

/// Costs vertices one by one. Equal vertices of a codelet are costed once.
class VertexMeter {
public:
    VertexMeter(program::Codelet const &codelet, std::span<double const> scalars, std::string_view expr, target::Chip const &chip)
        : m_codelet(codelet), m_scalars(scalars), m_expr(expr), m_chip(chip)
    {
    }
    /// `refs`, `blocks`: the vertex's fields.
    Cycles cycles(std::span<program::VertexState::Ref const> refs, std::span<program::FieldBlock const> blocks);

private:
    program::Codelet const &m_codelet;
    std::span<double const> m_scalars;
    std::string_view m_expr;
    target::Chip const &m_chip;
    std::vector<std::pair<std::vector<program::FieldShape>, Cycles>> m_known;
};

/// Times of an exchange on the tiles of a replica. With several replicas, the slowest counts.
struct ExchangeTimes {
    std::vector<Cycles> byTile;
    std::vector<Cycles> byIpu; ///< the slowest port; 0: no tile takes part
    Cycles links = 0;          ///< the slowest link between IPUs
};

/// Counts the bytes and messages of copies when they are laid out.
class ExchangeMeter {
public:
    ExchangeMeter(program::Program const &program, target::Machine const &machine);
    /// `runs` runs of `bytes` between tiles of a replica, equal in all replicas. Inside an IPU several receivers share one message. Over
    /// links each receiver gets its own (`alone`).
    void copy(int fromTile, std::span<int const> toTiles, Bytes bytes, std::int64_t runs, bool alone);
    /// From a tile of a replica to the same tile of the next replica.
    void handOn(int replica, int tile, Bytes bytes);
    ExchangeTimes times() const;

private:
    program::Program const &m_program;
    target::Machine const &m_machine;
    std::vector<target::PortLoad> m_ports;             ///< by tile
    std::vector<std::vector<target::PortLoad>> m_ring; ///< by replica and tile; empty without a ring
    std::map<std::pair<int, int>, Bytes> m_inside;     ///< between IPUs of a replica
    std::map<std::pair<int, int>, Bytes> m_between;    ///< between IPUs of the system, of different replicas
    std::vector<char> m_listens;                       ///< by tile: scratch
};

/// The clocks of one replica's IPUs. Replicas run in step: each IPU stands for its counterparts.
class TileClocks {
public:
    TileClocks(program::Program const &program, target::Machine const &machine);

    void compute(program::StepId step, SetTimes const &times);
    void exchange(program::StepId step, ExchangeTimes const &times);
    void stream(program::StepId step, int ipu, Bytes bytes, bool continues);
    void remoteCopy(program::StepId step, int ipu, Bytes bytes);
    void externalSync(program::StepId step);
    /// Inside a stage's task of a pipeline slot, only the clock of the task's IPU advances.
    void enterTask(int ipu) { m_state.task = ipu; }
    void leaveTask() { m_state.task = -1; }
    /// Lanes of a parallel step begin together. `first`: the lane that the others overlap; it comes first.
    void enterLane(bool first);
    void leaveLane();
    /// The step ends with its last lane.
    void joinLanes();
    /// A slot of a pipeline begins; after its tasks, lanes of an IPU may run beside them.
    void beginSlot() { m_state.slotStart = now(); }
    void enterBesideTasks(int ipu);
    void leaveBesideTasks();
    /// Advances all clocks to the latest.
    void barrier();

    /// Cycles since the machine was loaded.
    Cycles now() const;
    program::MeasuredCycles measured() const;
    struct State {
        int task = -1;        ///< its IPU
        bool besides = false; ///< inside a lane that overlaps the first one, or tasks
        Cycles slotStart = 0;
        std::vector<Cycles> lanesStart, lanesEnd, firstEnd; ///< of the parallel step: its beginning, its end so far, that of the first lane
        std::vector<Cycles> clock, amp;                     ///< by IPU
        std::vector<std::array<program::StepCost, 2>> costs; ///< by step and IPU: its sync, the step
        Bytes bytes() const { return static_cast<Bytes>((clock.size() + amp.size()) * sizeof(Cycles) + costs.size() * sizeof(costs[0])); }
        bool operator==(State const &) const = default;
    };
    State const &state() const { return m_state; }
    void restore(State const &state) { m_state = state; }
    /// Called for everything that takes time, in execution order. May be empty.
    std::function<void(program::StepId, int ipu, program::Phase, Cycles start, Cycles duration)> observer;

private:
    void pass(program::StepId step, int ipu, program::Phase phase, Cycles duration);
    template <typename Visit> void onIpus(Visit const &visit)
    {
        for (int ipu = 0; ipu < m_program.ipus; ++ipu)
            if (m_state.task < 0 || ipu == m_state.task) visit(ipu);
    }

    program::Program const &m_program;
    target::Machine const &m_machine;
    State m_state;
};

} // namespace tilewright::emulator
