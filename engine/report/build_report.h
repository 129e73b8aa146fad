#pragma once

#include "engine/core/host_work.h"
#include "engine/lowering/memory.h"
#include "engine/lowering/schedule.h"
#include "engine/report/tables.h"

namespace tilewright::report {

/// What a compile knows when its report is written. References have to outlive the call only.
struct CompileFacts {
    program::Program const &program;
    lowering::Liveness const &liveness;
    lowering::Memory const &memory;
    lowering::Schedule const &schedule; ///< made with pairs, so that exchanges show who talks to whom
    target::Machine const &machine;
    std::map<std::string, std::string> meta;
    std::vector<OptionRow> options;
    std::vector<CompilePassRow> compilePasses;
    std::vector<std::string> layers;    ///< of the model; empty = not known: loss and metrics count as layers too
    std::int64_t samplesPerPattern = 0; ///< samples of one weight update over all replicas; 0 = not known
    std::int64_t stepsPerPattern = 1;   ///< what people call a step, in one weight update
    double validationCyclesPerStep = 0; ///< of the entry that validates; 0 = there is none
    int streamBuffering = 1;            ///< buffers of a host stream
    std::int64_t peakHostBytes = 0;     ///< of the process; 0 = not known
    std::int64_t hostCompileBytes = -1; ///< that it took on top while compiling; -1 = not known
};

/// Every table of a report that is known after compiling: machine, operations, programs, vertices,
/// exchanges, variables, placement, liveness, memory, headline figures. Variables and compute sets keep
/// their numbers; operations and programs get new ones (see ProgramIds). Figures of an operation (flops,
/// code, bytes of variables and of vertex state) are those of everything below it too. A program that does
/// not fit is described like any other. Threads of `work` change nothing but the time it takes; what is returned when its job is
/// cancelled is of no use.
ReportData buildCompileReport(CompileFacts const &facts, HostWork const &work = {});

/// Of that only what quantities.h asks for cycles of operations and layers: machine, operations, programs, and one weight update of the
/// static schedule as a run. Needs neither liveness nor memory, so a program that nobody looked for room for will do.
ReportData buildCostReport(CompileFacts const &facts);

/// Programs of the report by step of the lowered program. Steps nobody reaches have none. A barrier that a
/// step brings with it (the sync before an exchange) is a program of its own; barriers hang in a function
/// of their own, so they take part in the split of cycles and are no liveness steps.
struct ProgramIds {
    std::vector<int> byStep;            ///< program, kNone
    std::vector<int> barrierOf;         ///< program of the step's barrier, kNone
    std::vector<int> functionOf;        ///< by step that is a function's root: the function, kNone
    std::vector<program::StepId> roots; ///< by function
    std::vector<program::StepId> order; ///< reachable steps, ascending: their programs are 0, 1, 2, …
    int programs = 0;                   ///< of them all, with calls and barriers that the report adds
};
ProgramIds programIds(program::Program const &program);

} // namespace tilewright::report
