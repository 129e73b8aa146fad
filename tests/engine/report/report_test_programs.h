#pragma once

#include "engine/graph/graph.h"
#include "engine/lowering/builder.h"
#include "engine/lowering/lower_graph.h"
#include "engine/lowering/memory.h"
#include "engine/lowering/schedule.h"
#include "engine/report/build_report.h"

#include <string>

// Programs for reports, from small hand-made ones to a whole training step.
namespace tilewright::testing {

/// A lowered program with all facts of the compiler.
struct Compiled {
    target::Machine machine;
    program::Program program;
    lowering::Liveness liveness;
    lowering::Schedule schedule;
    lowering::Memory memory;

    report::CompileFacts facts() const { return {program, liveness, memory, schedule, machine}; }
};

/// Analyses a program like the compiler. `bytesPerTile` > 0 makes the tiles smaller.
Compiled analyse(std::string const &target, program::Program program, Bytes bytesPerTile = 0);

/// Two products in a loop with a host stream on either side, on one IPU.
program::Program productLoop(std::string const &target, std::int64_t loops = 3);
/// One map on each of two IPUs with a copy between them, `replicas` times.
program::Program twoIpus(std::string const &target, int replicas);
/// A pipeline of `stages` equal stages, forward only, as many micro-batches; one IPU each.
program::Program pipeline(std::string const &target, int stages, int microBatches, int unequal = 1);
/// The training step of the built-in mnist-mlp on a target: weight updates per execution, pipeline stages,
/// micro-batches per update, replicas.
Compiled mnistTraining(std::string const &target, std::int64_t stepsPerExecution = 1, int stages = 1, std::int64_t accumulation = 1,
                       int replicas = 1);

} // namespace tilewright::testing
