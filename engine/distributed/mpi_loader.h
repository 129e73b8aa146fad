#pragma once

#include "engine/core/result.h"
#include "engine/runtime/worker_link.h"

#include <filesystem>
#include <memory>

namespace tilewright::distributed {

/// The place of this process among those that mpirun has started, from its environment; one process without mpirun.
struct MpiPlace {
    int worker = 0, workers = 1;
};
MpiPlace mpiPlace();

/// Loads the module that links MPI, beside `program` or in ../lib/tilewright, and connects the processes. Nothing else of the program
/// depends on MPI's libraries. Errors: Usage "workers.no-mpi" if the module is missing or cannot be loaded, Device "workers.mpi".
Result<std::unique_ptr<runtime::WorkerLink>> openMpi(std::filesystem::path const &program);

/// What the module exports under this name: a new link, owned by the caller; null: MPI could not be started.
inline constexpr char kOpenFunction[] = "tilewrightOpenMpi";
using OpenFunction = runtime::WorkerLink *();

} // namespace tilewright::distributed
