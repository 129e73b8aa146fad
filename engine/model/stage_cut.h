#pragma once

#include "engine/core/pipeline_time.h"
#include "engine/model/resolve.h"

#include <cstdint>
#include <string_view>
#include <vector>

/// Cuts of a model into pipeline stages: costs of layers, costs of the resulting stages, and the cheapest cuts.
namespace tilewright::model {

/// Unit of costs. Multiply-adds: per sample, from the shapes alone; operations without multiplications are free. Cycles: per micro-batch on
/// one IPU, as scheduled by the compiler; compute, exchange and sync.
enum class CostUnit { MultiplyAdds, Cycles };
/// "multiply-adds", "cycles".
using tilewright::toText; // keeps the overloads of core visible
std::string_view toText(CostUnit unit);

/// Cost of one call of a layer.
struct CallCost {
    double forward = 0, backward = 0; ///< per micro-batch
    double update = 0;                ///< per weight update, independent of its micro-batches
    bool operator==(CallCost const &) const = default;
};

/// One direction of a link between IPUs, with its traffic in the exchange between stages.
struct SharedLink {
    double byte = 0;           ///< cost of a byte per sample
    std::vector<int> on, back; ///< stages whose activations use it on the way to the next stage; stages whose incoming gradients use it
    bool operator==(SharedLink const &) const = default;
};

struct CutCosts {
    CostUnit unit = CostUnit::MultiplyAdds;
    std::vector<CallCost> calls;   ///< in stageAssignment's order
    CallCost first, last;          ///< costs outside of layers: host transfers (first stage); loss and metrics (last stage)
    std::vector<SharedLink> links; ///< empty: transfers between stages are free
    bool operator==(CutCosts const &) const = default;
};

/// Costs without a compile. The backward pass counts twice the forward pass: two products instead of one.
CutCosts multiplyAddCosts(ResolvedModel const &model);

/// Cost of one stage of a cut.
struct StageCost {
    StageTimes times;       ///< per micro-batch
    double update = 0;      ///< per weight update
    Bytes on = 0, back = 0; ///< per sample: activations to the next stage, gradients from it
    std::int64_t parameters = 0;
    bool operator==(StageCost const &) const = default;
};
/// `stages`: one per entry of stageAssignment. A stage without calls costs nothing. Requires: one cost per call, stages from 0.
std::vector<StageCost> stageCosts(ResolvedModel const &model, CutCosts const &costs, std::vector<int> const &stages, bool recompute);
/// The same for the stages in the model; empty without a pipeline.
std::vector<StageCost> stageCosts(ResolvedModel const &model, CutCosts const &costs, bool recompute);
std::vector<StageTimes> timesOf(std::vector<StageCost> const &stages);
/// Cost of the exchange at the end of a slot: all stages send at the same time, and the busiest link decides.
double exchangeOf(CutCosts const &costs, std::vector<StageCost> const &stages);

/// Execution parameters of the stages.
struct CutPlan {
    PipelineSchedule schedule = PipelineSchedule::Grouped;
    std::int64_t microBatches = 0; ///< per weight update; rounded up to what the schedule accepts (pipelineDepth)
    bool recompute = false;
};
/// The smallest number of micro-batches, at least the plan's, that the schedule accepts for this number of stages.
std::int64_t pipelineDepth(CutPlan const &plan, int stages);

/// Expected cost per micro-batch: all slots of a weight update with their exchanges, plus the update, which all IPUs do at the same time,
/// divided by the number of micro-batches.
double pipelineCost(CutCosts const &costs, std::vector<StageCost> const &stages, CutPlan const &plan);
/// Cost of the largest stage over the mean; 1: all are equal.
double imbalance(std::vector<StageCost> const &stages);

struct Cut {
    std::vector<int> stages; ///< one per entry of stageAssignment
    double cost = 0;         ///< their pipelineCost
    bool operator==(Cut const &) const = default;
};

/// The cheapest contiguous cuts into `stages` stages, best first, at most `most`. Ties: first the cut whose largest stage has the fewest
/// parameters, then the earlier cut. Calls of one layer stay together. With more than a thousand cuts, only those around the cut with the
/// smallest largest stage are searched. Error: model.stage if there are too few calls.
Result<std::vector<Cut>> bestCuts(ResolvedModel const &model, CutCosts const &costs, int stages, CutPlan const &plan, std::size_t most);

/// The best cut.
Result<std::vector<int>> adviseStages(ResolvedModel const &model, CutCosts const &costs, int stages, CutPlan const &plan = {});

} // namespace tilewright::model
