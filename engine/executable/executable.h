#pragma once

#include "engine/core/result.h"
#include "engine/graph/feed.h"
#include "engine/graph/graph.h"
#include "engine/lowering/builder.h"
#include "engine/lowering/memory.h"
#include "engine/program/program.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace tilewright::executable {

/// An entry that the host can start: the scheduled graph (fused mode runs it), its feeds, and further data for a run.
struct Entry {
    std::string kind; ///< train, evaluate, predict
    graph::Graph graph;
    std::vector<graph::FeedSpec> infeed, outfeed;
    std::vector<graph::VariableId> weights; ///< in Keras's get_weights order
    std::vector<graph::VariableId> trainable;
    std::vector<graph::VariableId> iterations; ///< update counters, one per stage
    std::int64_t batchSize = 1, stepsPerExecution = 1, microBatchesPerUpdate = 1;
    std::vector<program::VarId> variables; ///< by graph variable
    std::vector<int> stageIpus;            ///< IPU of the replica, by pipeline stage
    Cycles patternCycles = 0;              ///< one weight update (or one pass of the program)
    Cycles computeCyclesPerPattern = 0, exchangeCyclesPerPattern = 0, ampCyclesPerPattern = 0;
    std::int64_t patternRepeats = 1;
    graph::VariableId reached; ///< nonzero after the `while` of a training loop has ended it; invalid: no `while`

    /// Cycles of one step: one micro-batch on each replica.
    double cyclesPerStep() const { return static_cast<double>(patternCycles * patternRepeats) / static_cast<double>(stepsPerExecution); }
};

/// The complete result of a compile: its first entry, the program on tiles with its addresses (tile mode runs it), and further entries over
/// the same variables. Serialisable, content-addressed.
struct Executable : Entry {
    std::string name;
    std::string machine; ///< target text
    int replicas = 1;
    bool emulated = true; ///< false: the `cpu` target, which has no program
    program::Program program;
    std::vector<lowering::ConstantData> constants;
    lowering::Memory memory;
    std::string figures;        ///< JSON: the figures of the `compile` document
    std::vector<Entry> further; ///< the program's entries after the first
};

/// An executable whose first entry is a further entry of `whole`. The program stays in `whole`.
Executable furtherEntry(Executable const &whole, std::size_t index);

/// Sets the values that the host writes (graph/written.h), by name: what a run starts with.
void setWritten(Executable &executable, std::map<std::string, double> const &values);

std::vector<std::byte> serialize(Executable const &executable);
/// Error: Invalid "executable.damaged" if the bytes are not an executable.
Result<Executable> deserialize(std::span<std::byte const> bytes);

} // namespace tilewright::executable
