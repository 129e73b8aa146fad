#pragma once

#include "engine/conformance/comparison.h"
#include "engine/conformance/step_runner.h"

#include <string_view>

namespace tilewright::conformance {

/// Input of a kind's function: one case, the mode, and the destination of its comparisons.
struct CaseRun {
    CaseFile const &file;
    Mode mode;
    target::Machine const &machine;
    JobContext const &job;
    Comparison check = {};

    Json const &json() const { return file.json; }
    Result<std::unique_ptr<StepRunner>> runner(layers::StepGraph step, int replicas = 1) const
    {
        return StepRunner::make(std::move(step), mode, machine, replicas, job);
    }
};

/// Runs the cases of one kind. An error fails the case, or makes it unsupported (meansUnsupported).
struct CaseKind {
    std::string_view name;
    Status (*run)(CaseRun &);
};
/// The kinds of the format, in a fixed order.
std::span<CaseKind const> caseKinds();

Status runLayerCase(CaseRun &run); ///< kinds layer and model
Status runLossCase(CaseRun &run);
Status runMetricCase(CaseRun &run);
Status runOptimizerCase(CaseRun &run);
Status runTrainingCase(CaseRun &run);
Status runFitCase(CaseRun &run);
Status runInitializerCase(CaseRun &run);
Status runScheduleCase(CaseRun &run);

/// A scalar as a tensor, for the dump and comparisons.
Tensor scalarTensor(double value);
/// Rank-one tensor.
Tensor vectorTensor(std::vector<double> values);
Tolerance toleranceOf(Json const *tolerance);

} // namespace tilewright::conformance
