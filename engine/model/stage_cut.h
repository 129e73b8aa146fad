#pragma once

#include "engine/core/pipeline_time.h"
#include "engine/model/resolve.h"

#include <cstdint>
#include <string_view>
#include <vector>

/// Where a model is cut into pipeline stages: costs of layers, of the stages that a cut makes of them, and the cuts that cost least.
namespace tilewright::model {

/// What costs are counted in. Multiply-adds: of a sample, from the shapes alone; what does not multiply is free. Cycles: of a micro-batch
/// on one IPU, as the compiler schedules it; compute, exchange and sync.
enum class CostUnit { MultiplyAdds, Cycles };
/// "multiply-adds", "cycles".
std::string_view toText(CostUnit unit);

/// Of one call of a layer.
struct CallCost {
    double forward = 0, backward = 0; ///< for each micro-batch
    double update = 0;                ///< for each weight update, however many micro-batches it has
    bool operator==(CallCost const &) const = default;
};

/// One direction of a link between IPUs, and what goes over it in the exchange between stages.
struct SharedLink {
    double byte = 0;           ///< cost of a byte of each sample
    std::vector<int> on, back; ///< stages whose activations go over it on their way to the next stage; to which gradients of the next do
    bool operator==(SharedLink const &) const = default;
};

struct CutCosts {
    CostUnit unit = CostUnit::MultiplyAdds;
    std::vector<CallCost> calls; ///< in stageAssignment's order
    CallCost first, last; ///< of no layer: what comes from and goes to the host is the first stage's, loss and metrics are the last one's
    std::vector<SharedLink> links; ///< none: what crosses between stages is free
    bool operator==(CutCosts const &) const = default;
};

/// Costs without a compile: the backward counts twice the forward, as it has two products where that has one.
CutCosts multiplyAddCosts(ResolvedModel const &model);

/// One stage of a cut.
struct StageCost {
    StageTimes times;       ///< of a micro-batch
    double update = 0;      ///< of a weight update
    Bytes on = 0, back = 0; ///< of a sample: activations for the next stage, and gradients from there
    std::int64_t parameters = 0;
    bool operator==(StageCost const &) const = default;
};
/// `stages`: one for each entry of stageAssignment. A stage without a call costs nothing. Requires: as many costs as calls, stages from 0.
std::vector<StageCost> stageCosts(ResolvedModel const &model, CutCosts const &costs, std::vector<int> const &stages, bool recompute);
/// The same for the stages that the model has; empty without a pipeline.
std::vector<StageCost> stageCosts(ResolvedModel const &model, CutCosts const &costs, bool recompute);
std::vector<StageTimes> timesOf(std::vector<StageCost> const &stages);
/// What a slot of their pipeline ends with: all stages send at once, and the busiest link decides.
double exchangeOf(CutCosts const &costs, std::vector<StageCost> const &stages);

/// How the stages run.
struct CutPlan {
    PipelineSchedule schedule = PipelineSchedule::Grouped;
    std::int64_t microBatches = 0; ///< of a weight update; bent to what the schedule takes (pipelineDepth)
    bool recompute = false;
};
/// The least number of micro-batches, from those of the plan on, that the schedule takes for so many stages.
std::int64_t pipelineDepth(CutPlan const &plan, int stages);

/// Expected cost of a micro-batch: all slots of a weight update with what crosses between them, then the update, which all IPUs do at once,
/// divided by its micro-batches.
double pipelineCost(CutCosts const &costs, std::vector<StageCost> const &stages, CutPlan const &plan);
/// The largest stage's cost over the mean; 1: all are alike.
double imbalance(std::vector<StageCost> const &stages);

struct Cut {
    std::vector<int> stages; ///< one for each entry of stageAssignment
    double cost = 0;         ///< pipelineCost of them
    bool operator==(Cut const &) const = default;
};

/// Contiguous cuts into `stages` stages that cost least, best first, at most `most`; of those that cost the same the one whose largest
/// stage has the fewest parameters, then the one that cuts first. Calls of one layer stay together. Where there are more than a thousand
/// cuts, they are looked for around the one with the smallest largest stage. Error: model.stage when there are fewer calls to cut between
/// than stages.
Result<std::vector<Cut>> bestCuts(ResolvedModel const &model, CutCosts const &costs, int stages, CutPlan const &plan, std::size_t most);

/// The best of them.
Result<std::vector<int>> adviseStages(ResolvedModel const &model, CutCosts const &costs, int stages, CutPlan const &plan = {});

} // namespace tilewright::model
