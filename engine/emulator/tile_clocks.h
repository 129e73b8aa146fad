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

/// Cycles as they are spent: priced by what vertices are handed and copies move when they are laid out for running, and added
/// up along the way that control takes. The schedule of lowering prices the program's families and transfers before
/// anything runs; where nothing depends on data both agree to the cycle (tests/engine/emulator).
namespace tilewright::emulator {

/// A compute set on the tiles of a replica.
struct SetTimes {
    std::vector<Cycles> byTile; ///< vertices of a tile take turns
    std::vector<Cycles> byIpu;  ///< the slowest tile
    bool usesAmp = false;
    /// byIpu of byTile
    void finish(program::Program const &program);
};

/// Prices vertices one by one; equal ones of a codelet are priced once.
class VertexMeter {
public:
    VertexMeter(program::Codelet const &codelet, std::span<double const> scalars, std::string_view expr, target::Chip const &chip)
        : m_codelet(codelet), m_scalars(scalars), m_expr(expr), m_chip(chip)
    {
    }
    /// `refs`, `blocks`: what the vertex is handed, by field.
    Cycles cycles(std::span<program::VertexState::Ref const> refs, std::span<program::FieldBlock const> blocks);

private:
    program::Codelet const &m_codelet;
    std::span<double const> m_scalars;
    std::string_view m_expr;
    target::Chip const &m_chip;
    std::vector<std::pair<std::vector<program::FieldShape>, Cycles>> m_known;
};

/// An exchange on the tiles of a replica; of several replicas the slowest counts.
struct ExchangeTimes {
    std::vector<Cycles> byTile;
    std::vector<Cycles> byIpu; ///< the slowest port; 0: none of its tiles takes part
    Cycles links = 0;          ///< the slowest link between IPUs
};

/// Counts what copies move as they are laid out.
class ExchangeMeter {
public:
    ExchangeMeter(program::Program const &program, target::Machine const &machine);
    /// `runs` runs of `bytes` between tiles of a replica, in all replicas alike. Inside an IPU several receivers listen to one
    /// message; where there are links each gets its own (`alone`).
    void copy(int fromTile, std::span<int const> toTiles, Bytes bytes, std::int64_t runs, bool alone);
    /// From a tile of a replica to the same one of the next.
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

/// What the IPUs of one replica did, each on a clock of its own. Replicas run in step: each IPU stands for its counterparts.
class TileClocks {
public:
    TileClocks(program::Program const &program, target::Machine const &machine);

    void compute(program::StepId step, SetTimes const &times);
    void exchange(program::StepId step, ExchangeTimes const &times);
    void stream(program::StepId step, int ipu, Bytes bytes);
    void externalSync(program::StepId step);
    /// Inside a stage's task of a pipeline slot only the task's IPU moves.
    void enterTask(int ipu) { m_task = ipu; }
    void leaveTask() { m_task = -1; }
    /// All wait for the last.
    void barrier();

    /// Cycles since the machine was loaded.
    Cycles now() const;
    program::MeasuredCycles measured() const;
    /// Told of everything that takes time, in the order of running; may be empty.
    std::function<void(program::StepId, int ipu, program::Phase, Cycles start, Cycles duration)> observer;

private:
    void pass(program::StepId step, int ipu, program::Phase phase, Cycles duration);
    template <typename Visit> void onIpus(Visit const &visit)
    {
        for (int ipu = 0; ipu < m_program.ipus; ++ipu)
            if (m_task < 0 || ipu == m_task) visit(ipu);
    }

    program::Program const &m_program;
    target::Machine const &m_machine;
    int m_task = -1;
    std::vector<Cycles> m_clock, m_amp;                    ///< by IPU
    std::vector<std::array<program::StepCost, 2>> m_costs; ///< by step and IPU: its sync, itself
};

} // namespace tilewright::emulator
