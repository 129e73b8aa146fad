#pragma once

#include "engine/core/result.h"
#include "engine/graph/feed.h"
#include "engine/graph/graph.h"
#include "engine/lowering/builder.h"
#include "engine/lowering/memory.h"
#include "engine/program/program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::executable {

/// A variable of an executable. It has one storage, which all entries that use it read and write.
struct Variable {
    graph::Variable declared; ///< its initializer is the initial value of everything but weights, which a run brings
    program::VarId storage;   ///< invalid: not in the program
    bool operator==(Variable const &) const = default;
};

inline bool movesState(std::string_view kind) { return kind == "initialise" || kind == "weights_in" || kind == "weights_out"; }

/// A function that the host can start: its scheduled graph (fused mode runs it), its feeds, and further data for a run.
struct Entry {
    std::string name; ///< unique in its executable; also of its block of the program
    std::string kind; ///< train, evaluate, predict, initialise, weights_in, weights_out
    graph::Graph graph;
    std::vector<graph::FeedSpec> infeed, outfeed;
    std::vector<graph::VariableId> weights; ///< in Keras's get_weights order
    std::vector<graph::VariableId> trainable;
    std::vector<graph::VariableId> iterations; ///< update counters, one per stage
    std::int64_t batchSize = 1, stepsPerExecution = 1, microBatchesPerUpdate = 1;
    std::int64_t stepsPerOutput = 1;      ///< micro-batches whose outputs are sent as one mean (training.accumulate_outfeed)
    bool lastOutputOnly = false;          ///< the host keeps the last outputs of an execution (training.outfeed_mode)
    std::vector<std::uint32_t> variables; ///< by graph variable: its place in the executable's table
    std::vector<int> stageIpus;           ///< IPU of the replica, by pipeline stage
    Cycles patternCycles = 0;             ///< one weight update (or one pass of the program)
    Cycles computeCyclesPerPattern = 0, exchangeCyclesPerPattern = 0, ampCyclesPerPattern = 0;
    std::int64_t patternRepeats = 1;
    graph::VariableId reached; ///< nonzero after the `while` of a training loop has ended it; invalid: no `while`

    /// Whether it moves state between host and device, without samples. All its variables are those of other entries.
    bool movesState() const { return executable::movesState(kind); }
    /// Cycles of one step: one micro-batch on each replica.
    double patternsPerStep() const { return static_cast<double>(patternRepeats) / static_cast<double>(stepsPerExecution); }
    double cyclesPerStep() const { return static_cast<double>(patternCycles * patternRepeats) / static_cast<double>(stepsPerExecution); }
};

class EntryRef;

/// The complete result of a compile: a table of variables, the entries that use them, and the program of all entries on tiles with its
/// addresses (tile mode runs it). No entry has a special role. Serialisable, content-addressed.
struct Executable {
    std::string name;
    std::string machine; ///< target text
    int replicas = 1;
    bool emulated = true; ///< false: the `cpu` target, which has no program
    std::vector<Variable> variables;
    std::vector<Entry> entries; ///< in the order of program.entries
    program::Program program;
    std::vector<lowering::ConstantData> constants;
    lowering::Memory memory;

    EntryRef entry(std::size_t number) const;
    /// By name; nullopt: there is none.
    std::optional<EntryRef> find(std::string_view name) const;
};

/// An entry together with its executable: what a run takes. Requires: the executable outlives it.
class EntryRef {
public:
    EntryRef(Executable const &executable, std::size_t number) : m_executable(&executable), m_number(number) {}
    Entry const &operator*() const { return m_executable->entries[m_number]; }
    Entry const *operator->() const { return &m_executable->entries[m_number]; }
    Executable const &executable() const { return *m_executable; }
    std::size_t number() const { return m_number; }
    int replicas() const { return m_executable->replicas; }
    bool emulated() const { return m_executable->emulated; }
    /// Invalid: the program does not use it.
    program::VarId storage(graph::VariableId variable) const
    {
        return m_executable->variables[m_executable->entries[m_number].variables[variable.index]].storage;
    }

private:
    Executable const *m_executable;
    std::size_t m_number;
};

/// Builds the table of variables of all entries. `storage`: by entry and graph variable; empty: there is no program. Entries share the
/// variables that have one storage, or without a program the weights of equal name, shape and type (entries that move state: all
/// variables).
void makeVariables(Executable &executable, std::vector<std::vector<program::VarId>> const &storage);

/// Sets the values that the host writes (graph/written.h), by name: what a run starts with.
void setWritten(Executable &executable, std::map<std::string, double> const &values);

std::vector<std::byte> serialize(Executable const &executable);
/// Error: Invalid "executable.damaged" if the bytes are not an executable.
Result<Executable> deserialize(std::span<std::byte const> bytes);

} // namespace tilewright::executable
