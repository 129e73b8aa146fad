#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"
#include "engine/model/resolve.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

struct TrainingPlan;

/// One call of a layer with its pipeline stage, as listed by get_pipeline_stage_assignment: without input layers, calls in topological
/// order.
struct StageAssignment {
    std::string layer;
    std::string className;
    int node = 0;
    std::vector<std::string> inputs; ///< names of the layers of its inputs
    int stage = -1;                  ///< -1: none
    bool operator==(StageAssignment const &) const = default;
};

/// Indices into model.calls of the calls with stages: one per entry of stageAssignment, in its order.
std::vector<std::size_t> stagedCalls(ResolvedModel const &model);

/// The current assignment, valid or not. Errors: those of topologyOf.
Result<std::vector<StageAssignment>> stageAssignment(Model const &model);

/// Sets one stage per entry. Error: model.stage if the list does not name exactly the model's calls in order. Does not check the rules: see
/// checkStages.
Result<Model> withStages(Model const &model, std::vector<StageAssignment> const &assignment);
/// Sets one stage per call in stageAssignment's order (Keras's plain list for a Sequential).
Result<Model> withStages(Model const &model, std::vector<int> const &stages);
/// Sets the stage of all calls of one layer. Errors: model.no-layer, model.stage.
Result<Model> withLayerStage(Model const &model, std::string_view layer, int stage);
Model withoutStages(Model const &model);

/// The rules of pipelining: every layer has a stage; a call depends on calls of its own or earlier stages only; no stage from 0 to the last
/// is empty; there are at least two. In a Sequential model: the first stage is 0, and each next one is equal or one larger. A model without
/// stages passes. Error: model.stage with the layer or the stages. That shared weights lie on one IPU is a rule of the training plan.
Status checkStages(ResolvedModel const &model);

/// The rule of sharded layers: every layer has a stage. A stage may depend on any other, and may be empty. Error: model.stage with the
/// layer.
Status checkShards(ResolvedModel const &model);

/// Number of pipeline stages; 0: the layers have none, or the plan places them without a pipeline.
int pipelineStages(ResolvedModel const &model, TrainingPlan const &plan);

/// PipelineSlots::multiple of a training plan's schedule: for gradient accumulation steps (training) or steps per execution (inference). An
/// unknown schedule counts as grouped.
std::int64_t pipelineDepthMultiple(std::string_view schedule, int stages, bool training);

/// The IPU of each stage, by its number in the replica: from the plan's device_mapping, within the size of systems; else stage i on IPU i.
std::vector<int> stageIpus(std::vector<int> const &mapping, int stages);
/// Number of IPUs of a replica: the IPUs of its stages, rounded up to a power of two.
int ipusOf(std::vector<int> const &stageIpus);
/// The rules of a mapping: one number from 0 to 63 per stage. When training with Interleaved, each stage has a separate IPU, as in the real
/// software. Error: training.device-mapping.
Status checkDeviceMapping(std::vector<int> const &mapping, int stages, std::string_view schedule, bool training);

/// The table of print_pipeline_stage_assignment_summary: layer (type) (node index), input layers, stage; line length 89, columns ending at
/// 40, 80 and 100 %.
Result<std::string> stageSummary(Model const &model);

} // namespace tilewright::model
