#pragma once

#include "engine/core/result.h"
#include "engine/graph/graph.h"
#include "engine/lowering/builder.h"
#include "engine/lowering/memory.h"
#include "engine/program/program.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright::executable {

/// One tensor of a feed, per micro-batch and replica.
struct FeedSpec {
    std::string name;
    Shape shape;
    DType dtype = DType::F32;
    bool operator==(FeedSpec const &) const = default;
};
/// Labels of several outputs are fed as "output/labels"; the output's name, or "" of the labels of a single one.
std::string outputOfLabels(FeedSpec const &feed);
/// Whether it is what each sample counts in the loss (f32 [batch]), the last feed of a training that weighs.
inline bool isSampleWeights(FeedSpec const &feed) { return feed.name == "/sample_weight"; }

/// What the compiler produced, whole: the scheduled graph (fused mode runs it), the program on tiles with its
/// addresses (tile mode runs it), and what a run needs to know of both. Serialisable, content-addressed.
struct Executable {
    std::string name;
    std::string kind;           ///< train, evaluate, predict
    std::string machine;        ///< target text
    graph::Graph graph;
    std::vector<FeedSpec> infeed, outfeed;
    std::vector<graph::VariableId> weights;    ///< in Keras's get_weights order
    std::vector<graph::VariableId> trainable;
    std::vector<graph::VariableId> iterations; ///< update counters, one per stage
    std::int64_t batchSize = 1, stepsPerExecution = 1, microBatchesPerUpdate = 1;
    int replicas = 1;

    bool emulated = true;       ///< false: the `cpu` target has no program
    program::Program program;
    std::vector<program::VarId> variables;     ///< by graph variable
    std::vector<lowering::ConstantData> constants;
    lowering::Memory memory;
    Cycles patternCycles = 0;   ///< one weight update (or one pass of the program)
    Cycles computeCyclesPerPattern = 0, exchangeCyclesPerPattern = 0, ampCyclesPerPattern = 0;
    std::int64_t patternRepeats = 1;
    graph::VariableId reached;  ///< not zero once the while of a training loop has ended it; invalid: there is none
    std::string figures;        ///< JSON: the `compile` document's figures

    /// Cycles of one training step: one micro-batch on each replica.
    double cyclesPerStep() const
    {
        return static_cast<double>(patternCycles * patternRepeats) / static_cast<double>(stepsPerExecution);
    }
};

std::vector<std::byte> serialize(Executable const &executable);
/// Error: Invalid "executable.damaged" when the bytes are not such a value.
Result<Executable> deserialize(std::span<std::byte const> bytes);

} // namespace tilewright::executable
