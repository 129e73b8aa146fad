#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"

#include <filesystem>
#include <string>

namespace tilewright {

/// Memory that the host can still give to this process.
struct HostMemory {
    Bytes free = 0;
    Message bound;          ///< the limit behind `free`, as a sentence: "its control group allows no more"
    bool ofProcess = false; ///< a limit of this process, in which its thread stacks count
};

/// The minimum of three amounts: memory of the machine that is available without swapping out other processes, plus free swap; the rest of
/// the process's control groups (both versions); and the rest of its limits on address space and data. `root` replaces "/" in tests.
HostMemory hostMemory(std::filesystem::path const &root = "/");

/// Fails with DoesNotFit "host.memory" if `need` exceeds the host's free memory: "WHAT does not fit in the host's memory: …", with both
/// figures. Call it before allocating: allocation succeeds beyond the limit, and use of the memory ends the process.
Status requireHostMemory(Bytes need, std::string subject, Message const &what, Message remedy, HostMemory const &memory = hostMemory());

/// The error for a failed allocation (std::bad_alloc): DoesNotFit "host.memory".
Diagnostic outOfHostMemory(std::string subject, Message const &what);

/// Sums and products of sizes. They saturate instead of wrapping.
Bytes addBytes(Bytes a, Bytes b);
Bytes multiplyBytes(Bytes a, Bytes b);

} // namespace tilewright
