#pragma once

#include "engine/runtime/proposals.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Helpers that build proposals. For engine/runtime only.
namespace tilewright::runtime {

/// Fields that proposals set (project::withField).
namespace fields {

inline constexpr char kBatch[] = "training.batch_size";
inline constexpr char kExecution[] = "training.steps_per_execution";
inline constexpr char kAccumulation[] = "training.gradient_accumulation_steps";
inline constexpr char kLimit[] = "data.limit";
inline constexpr char kTarget[] = "system.target";
inline constexpr char kClearPassType[] = "ipu_config.matmuls.clear_pass_type";
inline constexpr char kRecompute[] = "ipu_config.allow_recompute";
inline constexpr char kRecurrentCheckpoints[] = "training.recurrent_checkpoints";
inline constexpr char kOffloadState[] = "training.offload_weight_update_variables";
inline constexpr char kOffloadSums[] = "training.offload_gradient_accumulation_buffers";
inline constexpr char kOffloadWeights[] = "training.offload_weights";
inline constexpr char kOffloadActivations[] = "training.offload_activations";
inline constexpr char kShardState[] = "training.replicated_optimizer_state_sharding";
inline constexpr char kShardWeights[] = "training.replicated_weight_sharding";
inline constexpr char kAutoSelect[] = "ipu_config.auto_select_ipus";
inline constexpr char kSchedule[] = "training.pipeline_schedule";
inline constexpr char kPlacement[] = "training.placement";
inline constexpr char kMapping[] = "training.device_mapping";
inline constexpr char kConvert[] = "data.convert";
inline constexpr char kIoTiles[] = "ipu_config.io_tiles.num_io_tiles";
inline constexpr char kOnIoTiles[] = "ipu_config.io_tiles.place_ops_on_io_tiles";
inline constexpr char kReplicas[] = "training.replicas";
inline constexpr char kProductShare[] = "ipu_config.matmuls.poplar_options.availableMemoryProportion";
inline constexpr char kConvolutionShare[] = "ipu_config.convolutions.poplar_options.availableMemoryProportion";
inline constexpr char kProductPartials[] = "ipu_config.matmuls.poplar_options.partialsType";
inline constexpr char kConvolutionPartials[] = "ipu_config.convolutions.poplar_options.partialsType";

} // namespace fields

/// Numbers of checkpoints along time that cut the loops of all recurrent layers into equal parts, from the smallest; about the square root
/// of the steps keeps least. Empty: no recurrent layer with a loop.
std::vector<std::int64_t> recurrentCheckpoints(model::ResolvedModel const &model);
/// Whether the optimizer has a state for each weight.
bool hasState(model::TrainingPlan const &plan);

bool touches(Proposal const &proposal, std::string_view path);
void put(Proposal &proposal, std::string_view path, std::string value);
void put(Proposal &proposal, std::string_view path, std::int64_t value);

/// The text of target `name` with these numbers of IPUs and tiles per IPU, and the project's model option; "" for an unknown name.
std::string targetText(project::Project const &present, std::string const &name, int ipus, int tilesEach);
/// The same with the project's chip and tiles, on its own system if that has enough IPUs, else on a larger one.
std::string targetWithIpus(project::Project const &project, int ipus);
std::string systemName(project::Project const &project);
/// IPUs of the target; 1 for an unknown name.
int targetIpus(project::Project const &project);

} // namespace tilewright::runtime
