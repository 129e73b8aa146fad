#pragma once

#include "engine/conformance/case_file.h"
#include "engine/conformance/conformance.h"
#include "engine/layers/step_graph.h"
#include "engine/target/machine.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tilewright::conformance {

/// One element of a feed: its tensors in the order of the StepGraph's specs.
using Element = std::vector<Tensor>;

/// State by variable name, without accumulators: transferable between programs of different batch sizes.
using State = std::map<std::string, Tensor>;

/// A step graph that runs in one of the modes. Variables start as zeros.
class StepRunner {
public:
    /// Compiles for `replicas` copies of one IPU each (the oracle supports one). Errors: those of passes, lowering and executors;
    /// DoesNotFit.
    static Result<std::unique_ptr<StepRunner>> make(layers::StepGraph step, Mode mode, target::Machine const &machine, int replicas,
                                                    JobContext const &job);
    virtual ~StepRunner() = default;

    layers::StepGraph const &step() const { return m_step; }

    virtual void write(graph::VariableId variable, Tensor const &value) = 0;
    virtual Tensor read(graph::VariableId variable) const = 0; ///< of replica 0

    /// Runs the program once on these feed elements (replica 0, 1, … of each turn) and returns its outputs in the same order. Error
    /// conformance.feed if an element does not fit the feed.
    Result<std::vector<Element>> run(std::span<Element const> elements, JobContext const &job);

    /// Writes weights in Keras's order. Error conformance.weights if their number or shapes differ.
    Status writeWeights(std::span<Tensor const> weights);
    std::vector<Tensor> readWeights() const;
    State state() const;
    void load(State const &state);

protected:
    explicit StepRunner(layers::StepGraph step) : m_step(std::move(step)) {}
    virtual Result<std::vector<Element>> runChecked(std::span<Element const> elements, JobContext const &job) = 0;

    layers::StepGraph m_step;
};

} // namespace tilewright::conformance
