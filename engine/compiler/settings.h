#pragma once

#include "engine/config/environment.h"
#include "engine/executable/executable.h"
#include "engine/project/project.h"

#include <filesystem>
#include <string>

namespace tilewright::compiler {

/// The settings of a compile or a run. Engine options: the project's and compilation_poplar_options, below those of the environment.
/// Errors: an unknown option, contradictory flags. Warnings go to the sink (may be null).
Result<config::EnvironmentOptions> effectiveEnvironment(project::Project const &project, config::EnvironmentOptions const &environment,
                                                        DiagnosticSink *sink);

/// Host threads of a compile: as requested; 0: of --max_compilation_threads, opt.maxCompilationThreads, else all cores.
int compileThreads(int requested, config::EnvironmentOptions const &effective);

/// The project for a run on logical device `device`, /device:IPU:N: of auto_select_ipus and select_ipus only its entry is left. Errors:
/// Device "device.none" if no such device is configured (without entries there is /device:IPU:0); those of config::crossChecks in the
/// selection of several devices.
Result<project::Project> onDevice(project::Project project, std::int64_t device);

/// The variables of a program by tile, as JSON: {"module", "tensors": [{"name", "shape", "type", "tiles": [[tile, elements], …]}]}. A
/// tile's elements count each copy.
std::string tensorMapText(program::Program const &program);
/// Feeds and variables of an executable, as JSON.
std::string interfaceText(executable::Executable const &executable);

/// The files that flags and options request beside the compile result: --tensor_map_file_path, --dump_schedule_as_dot (into
/// --xla_dump_to or the current folder) and ipu_config.serialization_output_folder (HASH.ipu_bin and HASH.json). `hash`: of the cache key.
Status writeRequestedFiles(project::Project const &project, config::EnvironmentOptions const &effective,
                           executable::Executable const &executable, std::string const &hash);

} // namespace tilewright::compiler
