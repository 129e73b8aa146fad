#pragma once

#include "engine/core/host_work.h"
#include "engine/lowering/memory.h"
#include "engine/lowering/schedule.h"
#include "engine/report/tables.h"

namespace tilewright::report {

/// A further entry of the executable.
struct EntryFacts {
    std::string name;
    double cyclesPerStep = 0;
    std::int64_t samplesPerStep = 0; ///< over all replicas
};

/// The results of a compile for its report. The references must outlive the call only.
struct CompileFacts {
    program::Program const &program;
    lowering::Liveness const &liveness;
    lowering::Memory const &memory;
    lowering::Schedule const &schedule; ///< made with pairs, so that exchanges list senders and receivers
    target::Machine const &machine;
    std::map<std::string, std::string> meta;
    std::vector<OptionRow> options;
    std::vector<CompilePassRow> compilePasses;
    std::vector<std::string> layers;    ///< of the model; empty = unknown: loss and metrics count as layers too
    std::int64_t samplesPerPattern = 0; ///< samples of one weight update over all replicas; 0 = unknown
    std::int64_t stepsPerPattern = 1;   ///< training steps in one weight update
    double validationCyclesPerStep = 0; ///< of the entry that validates; 0 = none
    std::vector<EntryFacts> entries;    ///< beside the one whose pattern is described
    int streamBuffering = 1;            ///< buffers of a host stream
    std::int64_t peakHostBytes = 0;     ///< of the process; 0 = not known
    std::int64_t hostCompileBytes = -1; ///< that it took on top while compiling; -1 = not known
};

/// Every table that is known after compiling: machine, operations, programs, vertices, exchanges, variables, placement, liveness, memory,
/// headline figures. Variables and compute sets keep their numbers; operations and programs get new ones (see ProgramIds). Figures of an
/// operation (flops, code, bytes of variables and of vertex state) include all operations below it. A program that does not fit is
/// described like any other. Threads of `work` affect only the time; if its job is cancelled, the result is invalid.
ReportData buildCompileReport(CompileFacts const &facts, HostWork const &work = {});

/// A part of buildCompileReport for the cycles of operations and layers in quantities.h: machine, operations, programs, and one weight
/// update of the static schedule as a run. Needs neither liveness nor memory, so it works for programs without placement.
ReportData buildCostReport(CompileFacts const &facts);

/// Programs of the report by step of the lowered program. Unreachable steps have no program. The barrier of a step (the sync before an
/// exchange) is a separate program. Barriers are in a separate function: they take part in the split of cycles but are no liveness steps.
struct ProgramIds {
    std::vector<int> byStep;            ///< program, kNone
    std::vector<int> barrierOf;         ///< program of the step's barrier, kNone
    std::vector<int> functionOf;        ///< by step that is the root of a function: the function, kNone
    std::vector<program::StepId> roots; ///< by function
    std::vector<program::StepId> order; ///< reachable steps, ascending: their programs are 0, 1, 2, …
    int programs = 0;                   ///< total number, with the calls and barriers that the report adds
};
ProgramIds programIds(program::Program const &program);

} // namespace tilewright::report
