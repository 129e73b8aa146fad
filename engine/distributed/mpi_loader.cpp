#include "engine/distributed/mpi_loader.h"

#include "engine/core/numbers.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace tilewright::distributed {

namespace fs = std::filesystem;

namespace {

int numberIn(char const *variable, int otherwise)
{
    auto const *text = std::getenv(variable);
    return text ? std::max(0, parseIntegerAs<int>(text).value_or(otherwise)) : otherwise;
}

} // namespace

MpiPlace mpiPlace()
{
    MpiPlace const place{numberIn("OMPI_COMM_WORLD_RANK", 0), numberIn("OMPI_COMM_WORLD_SIZE", 1)};
    return place.workers > 1 && place.worker < place.workers ? place : MpiPlace();
}

Result<std::unique_ptr<runtime::WorkerLink>> openMpi(fs::path const &program)
{
    auto const folder = program.parent_path();
    void *module = nullptr;
    std::string why;
    for (auto const &file : {folder / "../lib/tilewright/tilewright-mpi.so", folder / "tilewright-mpi.so"}) {
        std::error_code failed;
        if (!fs::exists(file, failed)) continue;
        // RTLD_GLOBAL: Open MPI loads components of its own, which use its symbols.
        module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (module) break;
        why = dlerror();
    }
    if (!module)
        return makeError(ErrorKind::Usage, "workers.no-mpi", "mpirun",
                         why.empty() ? Message::of("this build has no module for Open MPI.")
                                     : Message::of("the module for Open MPI cannot be loaded: %1.", why),
                         why.empty() ? Message::of("Build with libopenmpi-dev, or use --workers.")
                                     : Message::of("Install openmpi-bin, or use --workers."));
    auto *const open = reinterpret_cast<OpenFunction *>(dlsym(module, kOpenFunction));
    std::unique_ptr<runtime::WorkerLink> link(open ? open() : nullptr);
    auto const place = mpiPlace();
    if (!link || link->workers() != place.workers || link->worker() != place.worker) // another MPI than that of mpirun
        return makeError(ErrorKind::Device, "workers.mpi", "mpirun", Message::of("MPI could not be started."),
                         Message::of("Its messages tell why."));
    return link;
}

} // namespace tilewright::distributed
