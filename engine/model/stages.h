#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"
#include "engine/model/resolve.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// One call of a layer and its pipeline stage, as get_pipeline_stage_assignment lists them: input layers
/// are left out, calls in topological order.
struct StageAssignment {
    std::string layer;
    std::string className;
    int node = 0;
    std::vector<std::string> inputs; ///< names of the layers that feed it
    int stage = -1;                  ///< -1: none
    bool operator==(StageAssignment const &) const = default;
};

/// The calls that have stages, as indices into model.calls: one for each entry of stageAssignment, in its order.
std::vector<std::size_t> stagedCalls(ResolvedModel const &model);

/// What the model says now, checked or not. Errors: those of topologyOf.
Result<std::vector<StageAssignment>> stageAssignment(Model const &model);

/// Writes one stage per entry back. Errors: model.stage when the list does not name exactly the model's
/// calls in order. Does not check the rules: see checkStages.
Result<Model> withStages(Model const &model, std::vector<StageAssignment> const &assignment);
/// One stage per call in stageAssignment's order (Keras's plain list for a Sequential).
Result<Model> withStages(Model const &model, std::vector<int> const &stages);
/// The stage of one layer, all its calls. Error: model.no-layer, model.stage.
Result<Model> withLayerStage(Model const &model, std::string_view layer, int stage);
Model withoutStages(Model const &model);

/// The rules of pipelining: every layer has a stage; a call depends on its own or earlier stages only; no
/// stage from 0 to the last is empty; at least two; the calls of a layer with weights share one stage.
/// In a Sequential model this means: the first is 0, each next the same or one more. A model without any
/// stage passes. Error: model.stage, naming the layer or the stages.
Status checkStages(ResolvedModel const &model);

/// PipelineSlots::multiple of a training plan's schedule: of gradient accumulation steps (training), of steps per execution
/// (inference). A word that is no schedule counts as grouped.
std::int64_t pipelineDepthMultiple(std::string_view schedule, int stages, bool training);

/// The IPU of each stage, by its number in the replica: what the plan's device_mapping says, within what
/// systems have, else stage i on IPU i.
std::vector<int> stageIpus(std::vector<int> const &mapping, int stages);
/// IPUs of a replica: the next power of two, as systems are made of them.
int ipusOf(std::vector<int> const &stageIpus);
/// The rules of a mapping: a number for each stage, from 0 to 63; under Interleaved a training's stages have IPUs of their own, as on
/// the real stack. Error: training.device-mapping.
Status checkDeviceMapping(std::vector<int> const &mapping, int stages, std::string_view schedule, bool training);

/// The table of print_pipeline_stage_assignment_summary: layer (type) (node index), input layers, stage;
/// line length 89, columns ending at 40, 80 and 100 %.
Result<std::string> stageSummary(Model const &model);

} // namespace tilewright::model
