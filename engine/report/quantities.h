#pragma once

#include "engine/report/tables.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Quantities shown by more than one view, each defined once as a pure function of a report's tables, so that all views show the same
// figure.
//
//   run             the newest with statistics, unless another one was chosen (runFrame)
//   cycles          of a program, an operation, a layer: of one step of one replica, the sum over the replica's IPUs, all
//                   executions of the step together (cyclesPerStep of costsByProgram, costsByOp). The step itself takes
//                   RunFrame::cyclesOfStep on each IPU.
//   share of a step such cycles, of the step's cycles times the selected IPUs of a replica (shareOfStep): with the time in
//                   which IPUs are idle all shares add up to 100 %. Cycles added over several IPUs are called IPU cycles.
//   one execution   of a program: the mean over the executions of the run on the IPU where it takes longest
//   layers          of the model: without loss, optimizer and metrics (layerCount)
//   steps           of the program: its leaves, barriers included (programSteps); of liveness: the rows of liveness_step,
//                   which has no barriers; of a run: RunRow::steps
//   operations      of the program's graph: the rows of level "graph" (isOperation, operationCount)
//   bytes moved     by an exchange: the bytes that its tiles receive; by a host or remote stream: the bytes on the link; the
//                   larger of both if they differ (a broadcast is sent once and received by many). Events use the same. Shown
//                   for one step of one replica, like cycles (bytesPerStep); without a run, for one exchange (bytesMoved)
//   peak            of an IPU's exchange, in bytes per cycle: what its tiles can receive and send together (exchangePeak)
//   bubbles         of a pipeline: IPU time without a stage task, of the batch, not of the step (bubble_shares.h). The idle
//                   time of an IPU is less: a bubble contains exchanges and syncs.
//   code            of an operation: shared code by the share of its users, including operations below it (codeOf); on all
//                   tiles: the union, which is the sum of codeOf over the operations without parent (codeOnTiles). Steps of
//                   the program have exchange and control code only (ProgramRow::codeBytes): codelets are shared.
//   memory of a tile, in bytes (TileMemory):
//     need          live at the same time, at the tile's peak: no placement takes less
//     placed        up to the highest used address, gaps included. It decides whether the tile fits, and is the headline of every
//                   view, the fit meter and `compile`: as a share of the limit, of the worst tile (placedShare)
//     gaps          unused addresses below the highest used one
//     limit         memory of a tile; a tile fits if it has placed at most that much
//                   Columns and charts without gaps show used = placed − gaps: addresses that are used at some time. That is more
//                   than the need if variables with different lifetimes do not share addresses.
namespace tilewright::report {

/// Phases in the order of every bar and legend. Idle is the time without a program.
enum class Phase { Compute, InternalExchange, GlobalExchange, Stream, Sync, Idle };
inline constexpr int kPhases = 6;
/// Stable names, as in event types and phaseOfProgramKind.
std::string_view phaseId(Phase phase);

// ---- runs and cycles ---------------------------------------------------------------------------------

/// The run for cost columns, and the divisors of its cycles.
struct RunFrame {
    int run = kNone;           ///< kNone: the report has no statistics
    std::int64_t patterns = 0; ///< repetitions of the schedule (weight updates)
    std::int64_t steps = 0;    ///< training steps
    Cycles cycles = 0;         ///< of the run, on each IPU
    bool measured = false;     ///< measured on the tiles (originOfRun); else modelled
    int replicas = 1;
    std::vector<int> ipus; ///< with a split, ascending
    /// Cycles of a step on each IPU; 0: unknown.
    double cyclesOfStep() const { return steps > 0 ? static_cast<double>(cycles) / static_cast<double>(steps) : 0; }
    /// The whole for shares of a step: the cycles of all selected IPUs.
    double ipuCycles(int ipu = kNone) const { return static_cast<double>(cycles) * static_cast<double>(ipu >= 0 ? 1 : ipus.size()); }
    bool operator==(RunFrame const &) const = default;
};
/// `run` kNone: the newest with statistics.
RunFrame runFrame(ReportData const &data, int run = kNone);
/// Runs that have statistics, oldest first.
std::vector<int> runsWithStatistics(ReportData const &data);

/// Cycles of a program or an operation over a run, summed over the selected IPUs.
struct RunCost {
    std::int64_t executions = 0;    ///< on the IPU with the most executions
    std::int64_t ipuExecutions = 0; ///< summed over the IPUs
    Cycles cycles = 0;
    Cycles least = 0, most = 0; ///< of one execution on one IPU
    std::array<Cycles, kPhases> byPhase{};
    Bytes bytesIn = 0, bytesOut = 0; ///< received and sent by tiles
    Bytes bytesMoved = 0;
    Cycles overlapped = 0;
    int activeTiles = 0;      ///< maximum number of simultaneously active tiles
    double balanceCycles = 0; ///< sum over compute phases of cycles × balance; see balance()
    /// Mean over compute phases of (mean over active tiles ÷ slowest), weighted by cycles; 1 without compute phases.
    double balance() const;
    /// Mean cycles of one execution on one IPU.
    double mean() const { return ipuExecutions > 0 ? static_cast<double>(cycles) / static_cast<double>(ipuExecutions) : 0; }
    Cycles of(Phase phase) const { return byPhase[static_cast<std::size_t>(phase)]; }
    /// The phase with the most cycles; Idle without cycles.
    Phase bound() const;
    /// Adds a part. Takes the maximum of executions and of the times of one execution, which do not add up.
    void add(RunCost const &part);
    bool operator==(RunCost const &) const = default;
};

/// By program; `ipu` kNone: all IPUs. Control programs have no cycles of their own.
std::vector<RunCost> costsByProgram(ReportData const &data, int run, int ipu = kNone);
/// By operation, including all operations below it. Programs without an operation are not included.
std::vector<RunCost> costsByOp(ReportData const &data, std::vector<RunCost> const &byProgram);
/// Of several programs together, each counted once.
RunCost costOf(std::vector<RunCost> const &byProgram, std::span<int const> programs);

/// Cycles of one step of one replica, from cycles of the run summed over all IPUs, or over `ipu` alone; the same for bytes.
double cyclesPerStep(RunFrame const &frame, Cycles ofRun, int ipu = kNone);
Bytes bytesPerStep(RunFrame const &frame, Bytes ofRun, int ipu = kNone);
/// Figures of a run on IPUs with validation: device seconds, and seconds to load the validation's executable and the training's again.
inline constexpr std::string_view kValidationSeconds = "validation_seconds", kValidationLoadingSeconds = "validation_loading_seconds";
inline constexpr std::string_view kMeasuredCyclesPerStep = "cycles_per_step_measured"; ///< figure of a finished run on tiles
/// Origin of a run's cycles: "measured" on the tiles, or "modelled", its pattern times its updates.
std::string_view originOfRun(std::vector<FigureRow> const &figures, RunRow const &run);

/// "of a step" in every view: cycles of one step of one replica, added over the selected IPUs, and what they are a share of.
struct StepShare {
    double cycles = 0;
    double of = 0; ///< the step's cycles on all these IPUs
    int ipus = 1;  ///< of a replica; with several, both figures are IPU cycles
    double share() const { return of > 0 ? cycles / of : 0; }
    bool operator==(StepShare const &) const = default;
};
/// `ofRun`: cycles of the run, summed over all IPUs or over `ipu` alone.
StepShare shareOfStep(RunFrame const &frame, Cycles ofRun, int ipu = kNone);

/// Bytes of one execution.
Bytes bytesMoved(ExchangeRow const &exchange);
/// Neighbours that receive the same words do so at twice the rate of one tile, so more bytes can arrive than leave.
struct ExchangePeak {
    double in = 0, out = 0;
};
ExchangePeak exchangePeak(TargetRow const &target);

/// The split of a run's cycles, summed over `ipu` or all IPUs. Its six phases sum to cycles × IPUs.
std::array<Cycles, kPhases> splitOf(ReportData const &data, int run, int ipu = kNone);

/// Cycles of one execution of each program in a run, on the slowest IPU; if the run has no value, the compile's value for its slowest tile;
/// -1: unknown (control, sync without a run). `longest`: the largest value of a tile vector, for readers without data.tileVecs.
std::vector<Cycles> cyclesOfExecution(ReportData const &data, int run, std::function<Cycles(int vec)> const &longest = {});

// ---- layers, steps, code -----------------------------------------------------------------------------

/// Kind of layer-level operations that training adds: loss, optimizer, metrics.
inline constexpr char kTrainingKind[] = "Training";
/// Kind of the layer-level operation for a body that several layers call.
inline constexpr char kFunctionKind[] = "Function";
/// Whether the operation is a layer of the model. Reports of earlier versions do not distinguish loss and metrics from layers.
bool isLayer(OpRow const &op);
/// Layers of the model: the compile's count, or else the layers among the operations.
std::int64_t layerCount(ReportData const &data);

bool isOperation(OpRow const &op);
std::int64_t operationCount(ReportData const &data);

/// Leaves of the program: all programs without control flow.
std::int64_t programSteps(ReportData const &data);

Bytes codeOf(OpRow const &op);
Bytes codeOnTiles(ReportData const &data);
bool isCode(MemoryCategory category);

// ---- contents of a tile ------------------------------------------------------------------------------

/// A variable with its bytes on a tile.
struct VariableOnTile {
    int variable = kNone;
    Bytes bytes = 0;
    bool operator==(VariableOnTile const &) const = default;
};
/// The contents of a tile at a liveness step.
struct LiveOnTile {
    Bytes bytes = 0;                       ///< code and buffers included
    std::vector<VariableOnTile> variables; ///< parts added up, the largest first
};
/// "Largest at its peak" of a tile, in every view: the variables that are live on it at its peak step. Requires: data.layouts.
LiveOnTile liveOnTile(ReportData const &data, int tile, int step);

// ---- a tile's bytes ----------------------------------------------------------------------------------

/// Memory of one tile; the words at the top of this file define the figures.
struct TileMemory {
    int tile = kNone;
    std::optional<Bytes> need; ///< unknown of a report's head
    Bytes placed = 0;
    std::optional<Bytes> gaps; ///< unknown of a report's head
    Bytes limit = 0;
    bool fits = true;
    Bytes used() const { return placed - gaps.value_or(0); }
    /// The headline: placed as a share of the limit.
    double placedShare() const { return limit > 0 ? static_cast<double>(placed) / static_cast<double>(limit) : 0; }
    bool operator==(TileMemory const &) const = default;
};
/// The tile metrics of a report by tile; empty: unknown.
struct TileMetrics {
    std::span<std::int64_t const> withGaps, withoutGaps, need;
};
/// The worst tile of the verdict's IPU, or of all IPUs.
TileMemory tileMemory(VerdictRow const &verdict, TileMetrics const &metrics = {});
TileMemory tileMemory(int tile, Bytes limit, TileMetrics const &metrics);
/// The headline as English text: "worst tile 736: 34 % of its memory (216,400 of 638,976 bytes placed)".
std::string worstTileSummary(TileMemory const &memory);
/// The compile's verdict on all tiles; null: none.
VerdictRow const *verdictOfAll(ReportData const &data);

} // namespace tilewright::report
