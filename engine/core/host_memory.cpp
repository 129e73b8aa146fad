#include "engine/core/host_memory.h"

#include "engine/core/text.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace tilewright {

namespace {

namespace fs = std::filesystem;

constexpr Bytes kMost = std::numeric_limits<Bytes>::max();

/// The number that follows `key` in a file of lines "key number …"; with an empty key the file's first word.
std::optional<Bytes> numberIn(fs::path const &file, std::string const &key = {})
{
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string word;
        if (!key.empty() && (!(words >> word) || word != key)) continue;
        Bytes value = 0;
        if (words >> value) return value;
        return {}; // "max"
    }
    return {};
}

struct GroupFiles {
    char const *limit, *use, *reclaimable;
};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/// What a control group and the groups around it leave. `path` is as the process sees it; inside a container it may
/// name a folder that is not mounted there: then the top is the container's own group.
Bytes groupRoom(fs::path const &top, fs::path path, GroupFiles const &files)
{
    Bytes room = kMost;
    for (path = path.relative_path();; path = path.parent_path()) {
        auto const folder = path.empty() ? top : top / path;
        auto const limit = numberIn(folder / files.limit), use = numberIn(folder / files.use);
        if (limit && use) {
            Bytes const kept = *use - std::min(*use, numberIn(folder / "memory.stat", files.reclaimable).value_or(0));
            room = std::min(room, std::max<Bytes>(0, *limit - kept));
        }
        if (path.empty()) return room;
    }
}

Bytes groupsRoom(fs::path const &root)
{
    Bytes room = kMost;
    std::ifstream groups(root / "proc/self/cgroup");
    std::string line;
    while (std::getline(groups, line)) { // "0::/path" (version 2), "4:memory:/path" (version 1)
        auto const first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        auto const controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        auto const path = line.substr(second + 1);
        if (controllers == ",,") room = std::min(room, groupRoom(root / "sys/fs/cgroup", path, kVersion2));
        else if (controllers.find(",memory,") != std::string::npos)
            room = std::min(room, groupRoom(root / "sys/fs/cgroup/memory", path, kVersion1));
    }
    return room;
}

Bytes limitRoom(decltype(RLIMIT_AS) resource, Bytes used)
{
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > static_cast<rlim_t>(kMost)) return kMost;
    return std::max<Bytes>(0, static_cast<Bytes>(limit.rlim_cur) - used);
}

} // namespace

HostMemory hostMemory(fs::path const &root)
{
    HostMemory memory{kMost, Message::of("the machine has no more"), false};
    if (auto const available = numberIn(root / "proc/meminfo", "MemAvailable:"))
        memory.free = *available * 1024 + numberIn(root / "proc/meminfo", "SwapFree:").value_or(0) * 1024;
    auto const consider = [&](Bytes room, Message const &bound, bool ofProcess = false) {
        if (room < memory.free) memory = {room, bound, ofProcess};
    };
    consider(groupsRoom(root), Message::of("the process's control group allows no more"));
    Bytes const page = sysconf(_SC_PAGESIZE);
    std::ifstream statm(root / "proc/self/statm"); // pages: size, resident, shared, text, lib, data
    Bytes size = 0, skip = 0, data = 0;
    if (statm >> size >> skip >> skip >> skip >> skip >> data) {
        consider(limitRoom(RLIMIT_AS, size * page), Message::of("the limit on address space (ulimit -v) allows no more"), true);
        consider(limitRoom(RLIMIT_DATA, data * page), Message::of("the limit on data (ulimit -d) allows no more"), true);
    }
    return memory;
}

Status requireHostMemory(Bytes need, std::string subject, Message const &what, Message remedy, HostMemory const &memory)
{
    if (need <= memory.free) return {};
    return makeError(ErrorKind::DoesNotFit, "host.memory", std::move(subject),
                     Message::of("%1 does not fit in the host's memory: it needs about %2, and %3 are available (%4).", what,
                                 Argument::figure(bytesText(need)), Argument::figure(bytesText(memory.free)), memory.bound),
                     std::move(remedy));
}

Diagnostic outOfHostMemory(std::string subject, Message const &what)
{
    return makeError(ErrorKind::DoesNotFit, "host.memory", std::move(subject),
                     Message::of("%1 does not fit in the host's memory: the system refused to give more.", what),
                     Message::of("Close other programs, raise the process's limits (ulimit -v), make model, batch or data smaller, or use "
                                 "a machine with more memory."));
}

Bytes addBytes(Bytes a, Bytes b)
{
    Bytes sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? kMost : sum;
}

Bytes multiplyBytes(Bytes a, Bytes b)
{
    Bytes product = 0;
    return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

} // namespace tilewright
