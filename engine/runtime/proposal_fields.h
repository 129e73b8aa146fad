#pragma once

/// Fields that proposals set (project::withField).
namespace tilewright::runtime::fields {

inline constexpr char kBatch[] = "training.batch_size";
inline constexpr char kExecution[] = "training.steps_per_execution";
inline constexpr char kAccumulation[] = "training.gradient_accumulation_steps";
inline constexpr char kTarget[] = "system.target";
inline constexpr char kClearPassType[] = "ipu_config.matmuls.clear_pass_type";
inline constexpr char kRecompute[] = "ipu_config.allow_recompute";
inline constexpr char kSchedule[] = "training.pipeline_schedule";
inline constexpr char kMapping[] = "training.device_mapping";
inline constexpr char kReplicas[] = "training.replicas";
inline constexpr char kProductShare[] = "ipu_config.matmuls.poplar_options.availableMemoryProportion";
inline constexpr char kConvolutionShare[] = "ipu_config.convolutions.poplar_options.availableMemoryProportion";
inline constexpr char kProductPartials[] = "ipu_config.matmuls.poplar_options.partialsType";
inline constexpr char kConvolutionPartials[] = "ipu_config.convolutions.poplar_options.partialsType";

} // namespace tilewright::runtime::fields
