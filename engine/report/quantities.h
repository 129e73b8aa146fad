#pragma once

#include "engine/report/tables.h"

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

// Quantities that more than one view shows, one definition each: pure functions of a report's tables. A view that sums
// rows by itself will sooner or later say another number than its neighbour.
//
//   run             the newest with statistics, unless somebody chose one (runFrame)
//   cycles          of a program, an operation, a layer: of one step of one replica, the sum over the replica's IPUs, all
//                   executions of the step together (cyclesPerStep of costsByProgram, costsByOp). The step itself takes
//                   RunFrame::cyclesOfStep on each IPU; shares are of that times the IPUs, so that they add up to 100 %
//                   with the time in which an IPU waits.
//   one execution   of a program: the mean over the executions of the run on the IPU where it takes longest
//   layers          of the model, as the person counts them: neither loss nor optimizer nor metrics (layerCount)
//   steps           of the program: its leaves, barriers included (programSteps); of liveness: the rows of liveness_step,
//                   which has no barriers; of a run: RunRow::steps
//   operations      of the program's graph: the rows of level "graph" (isOperation, operationCount)
//   bytes moved     by an exchange: what its tiles receive, by a host or remote stream: what goes through the link; the larger of
//                   the two where they differ, for one broadcast is sent once and received by many. Events say the same. Shown of
//                   one step of one replica, as cycles are (bytesPerStep); without a run, of one exchange alone (bytesMoved)
//   peak            of an IPU's exchange, in bytes per cycle: what its tiles can receive and send together (exchangePeak)
//   bubbles         of a pipeline: IPU time without a stage task, of the batch, not of the step (bubble_shares.h). The time an IPU
//                   is idle is less: a bubble has exchanges and syncs in it.
//   code            of an operation: shared code by the share of its users, what is below it included (codeOf); on all
//                   tiles: the union, which is the sum of codeOf over the operations without parent (codeOnTiles). Steps of
//                   the program have exchange and control code only (ProgramRow::codeBytes): codelets are nobody's own.
//   used, gaps      of a tile: what is used of its addresses at some time, and what lies unused below the highest one, which is
//                   as far as the tile reaches (TileBytes). Its need is what lives there at once: less than is used where
//                   what lives at different times does not share addresses.
namespace tilewright::report {

/// Phases in the order of every bar and legend. Idle is the time that no program covers.
enum class Phase { Compute, InternalExchange, GlobalExchange, Stream, Sync, Idle };
inline constexpr int kPhases = 6;
/// Stable names, as event types and phaseOfProgramKind have them.
std::string_view phaseId(Phase phase);

// ---- runs and cycles ---------------------------------------------------------------------------------

/// The run that cost columns show, and what its cycles are divided by.
struct RunFrame {
    int run = kNone;           ///< kNone: the report has no statistics
    std::int64_t patterns = 0; ///< repetitions of the schedule (weight updates)
    std::int64_t steps = 0;    ///< what people call steps
    Cycles cycles = 0;         ///< of the run, on each IPU
    bool measured = false;     ///< on the tiles that ran it (originOfRun); else modelled
    int replicas = 1;
    std::vector<int> ipus; ///< that have a split, ascending
    /// Cycles a step takes, on each IPU; 0: not known.
    double cyclesOfStep() const { return steps > 0 ? static_cast<double>(cycles) / static_cast<double>(steps) : 0; }
    /// What shares of a step are of: the cycles of all IPUs looked at.
    double ipuCycles(int ipu = kNone) const { return static_cast<double>(cycles) * static_cast<double>(ipu >= 0 ? 1 : ipus.size()); }
    bool operator==(RunFrame const &) const = default;
};
/// `run` kNone: the newest with statistics.
RunFrame runFrame(ReportData const &data, int run = kNone);
/// Runs that have statistics, oldest first.
std::vector<int> runsWithStatistics(ReportData const &data);

/// Cycles of a program or an operation over a run, summed over the IPUs asked for.
struct RunCost {
    std::int64_t executions = 0;    ///< on the IPU where it ran most often
    std::int64_t ipuExecutions = 0; ///< summed over the IPUs
    Cycles cycles = 0;
    Cycles least = 0, most = 0; ///< of one execution on one IPU
    std::array<Cycles, kPhases> byPhase{};
    Bytes bytesIn = 0, bytesOut = 0; ///< received and sent by tiles
    Bytes bytesMoved = 0;
    Cycles overlapped = 0;
    int activeTiles = 0;      ///< most tiles at work at once
    double balanceCycles = 0; ///< sum over compute phases of cycles × balance; see balance()
    /// Mean over compute phases of (mean over active tiles ÷ slowest), weighted by cycles; 1 without any.
    double balance() const;
    /// Of one execution on one IPU.
    double mean() const { return ipuExecutions > 0 ? static_cast<double>(cycles) / static_cast<double>(ipuExecutions) : 0; }
    Cycles of(Phase phase) const { return byPhase[static_cast<std::size_t>(phase)]; }
    /// The phase that takes most of it; Idle when it takes nothing.
    Phase bound() const;
    /// Adds a part. Executions and the times of one execution are the larger ones: they do not add up.
    void add(RunCost const &part);
    bool operator==(RunCost const &) const = default;
};

/// By program; `ipu` kNone: all of them. Control programs have no cycles of their own.
std::vector<RunCost> costsByProgram(ReportData const &data, int run, int ipu = kNone);
/// By operation, with all that is below it. What programs of no operation take is in none of them.
std::vector<RunCost> costsByOp(ReportData const &data, std::vector<RunCost> const &byProgram);
/// Of several programs together, each counted once.
RunCost costOf(std::vector<RunCost> const &byProgram, std::span<int const> programs);

/// Cycles of one step of one replica, of cycles of the run summed over all IPUs, or over `ipu` alone; bytes likewise.
double cyclesPerStep(RunFrame const &frame, Cycles ofRun, int ipu = kNone);
Bytes bytesPerStep(RunFrame const &frame, Bytes ofRun, int ipu = kNone);
/// Figures of a run on IPUs that validates: seconds of the device, and those to load the validation's executable and the training's again.
inline constexpr std::string_view kValidationSeconds = "validation_seconds", kValidationLoadingSeconds = "validation_loading_seconds";
inline constexpr std::string_view kMeasuredCyclesPerStep = "cycles_per_step_measured"; ///< figure of a finished run on tiles
/// Where a run's cycles come from: "measured" on the tiles that ran it, else "modelled", its pattern times its updates.
std::string_view originOfRun(std::vector<FigureRow> const &figures, RunRow const &run);

/// Of one execution.
Bytes bytesMoved(ExchangeRow const &exchange);
/// Neighbours that hear the same words receive them at twice the rate of one tile, so more can come in than goes out.
struct ExchangePeak {
    double in = 0, out = 0;
};
ExchangePeak exchangePeak(TargetRow const &target);

/// The split of a run's cycles, summed over `ipu` or all. Its six phases add up to cycles × IPUs.
std::array<Cycles, kPhases> splitOf(ReportData const &data, int run, int ipu = kNone);

/// Of one execution of each program in a run, on the slowest IPU; where the run says nothing of it, what the compile
/// says of its slowest tile; -1: not known (control, sync without a run). `longest`: the largest value of a tile vector,
/// for readers that do not hold them in data.tileVecs.
std::vector<Cycles> cyclesOfExecution(ReportData const &data, int run, std::function<Cycles(int vec)> const &longest = {});

// ---- layers, steps, code -----------------------------------------------------------------------------

/// Kind of operations at layer level that training adds: loss, optimizer, metrics.
inline constexpr char kTrainingKind[] = "Training";
/// Kind of the operation beside the layers that holds what a body does which several of them call.
inline constexpr char kFunctionKind[] = "Function";
/// Whether the operation is a layer of the model. Reports of earlier versions do not tell loss and metrics from layers.
bool isLayer(OpRow const &op);
/// Layers of the model: as the compile counted them, else those among the operations.
std::int64_t layerCount(ReportData const &data);

bool isOperation(OpRow const &op);
std::int64_t operationCount(ReportData const &data);

/// Leaves of the program: everything that is no control flow.
std::int64_t programSteps(ReportData const &data);

Bytes codeOf(OpRow const &op);
Bytes codeOnTiles(ReportData const &data);
bool isCode(MemoryCategory category);

// ---- a tile's bytes ----------------------------------------------------------------------------------

/// The worst tile of an IPU or of all, and what its bytes are made of.
struct TileBytes {
    int tile = kNone;
    Bytes used = 0; ///< distinct addresses in use at some time ("without gaps"): what profiles and charts draw
    Bytes gaps = 0; ///< unused below the highest one
    Bytes capacity = 0;
    bool fits = true;
    Bytes top() const { return used + gaps; } ///< one past the highest used address: decides whether it fits
    double share() const { return capacity > 0 ? static_cast<double>(used) / static_cast<double>(capacity) : 0; }
};
/// `withoutGaps`: the tile metric of that name; empty: the gaps are not known and count as used.
TileBytes tileBytes(VerdictRow const &verdict, std::span<std::int64_t const> withoutGaps);

} // namespace tilewright::report
