#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"

#include <filesystem>
#include <string>

namespace tilewright {

/// What the host can still give this process.
struct HostMemory {
    Bytes free = 0;
    Message bound;          ///< what sets that, as a sentence: "its control group allows no more"
    bool ofProcess = false; ///< a limit on this process: stacks of its threads count
};

/// The least of what the machine has (memory that can be had without swapping out others, and free swap), what the
/// control groups of the process leave (both versions), and what its limits on address space and data leave.
/// `root` stands for "/", for tests.
HostMemory hostMemory(std::filesystem::path const &root = "/");

/// Error: DoesNotFit "host.memory" when `need` is more than the host can give: "WHAT does not fit in the host's
/// memory: …", with both figures. To be asked before memory is taken: taking it succeeds, and using it ends the process.
Status requireHostMemory(Bytes need, std::string subject, Message const &what, Message remedy, HostMemory const &memory = hostMemory());

/// What a failed allocation (std::bad_alloc) is to a user: DoesNotFit "host.memory".
Diagnostic outOfHostMemory(std::string subject, Message const &what);

/// Sums and products of sizes that stop at the largest number instead of wrapping round.
Bytes addBytes(Bytes a, Bytes b);
Bytes multiplyBytes(Bytes a, Bytes b);

} // namespace tilewright
