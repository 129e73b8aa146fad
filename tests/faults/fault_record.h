#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

/// Shared by the preloaded library and the driver: one mapped file per run. Written only with atomics, so that it is readable after a
/// crash.
namespace tilewright::faults {

/// Kinds of faults. A kind is a class of calls that a program handles as one event.
enum class Kind : std::uint32_t {
    Write,      ///< write, pwrite, writev, ftruncate, posix_fallocate, fwrite and its like; never on stderr
    Sync,       ///< fsync, fdatasync, msync
    Rename,     ///< rename, link
    Open,       ///< open for writing or making, mkdir
    Lock,       ///< flock, fcntl locks
    Thread,     ///< pthread_create
    Map,        ///< mmap, mremap
    Allocation, ///< malloc, calloc, realloc, aligned ones; operator new ends there
    Count_
};
inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::Count_);
inline constexpr char const *kKindNames[kKinds] = {"write", "sync", "rename", "open", "lock", "thread", "map", "allocation"};

/// How the n-th call fails.
enum class Manner : std::uint32_t {
    None,    ///< counts only
    Once,    ///< the n-th alone
    Lasting, ///< the n-th and all after it
    Short    ///< a write that takes half of its data, without an error
};

struct Stack {
    std::atomic<std::uint64_t> hash;  ///< 0: free
    std::atomic<std::uint64_t> first; ///< number of the first call with it
};

inline constexpr std::size_t kStacks = std::size_t{1} << 18;
inline constexpr std::size_t kFrames = 24;

struct Record {
    // In.
    Kind kind;
    Manner manner;
    std::uint64_t at;          ///< from 1 on
    std::int32_t number;       ///< errno
    std::uint32_t wantsStacks; ///< for allocations
    // Out.
    std::atomic<std::uint64_t> calls[kKinds];
    std::atomic<std::uint64_t> fired;
    std::atomic<std::uint64_t> firedStack;
    std::uint64_t frames[kFrames]; ///< of the first that failed, innermost first, relative to the program; others 0
    char firedCall[32];
    std::atomic<std::uint64_t> lostStacks; ///< the table was full
    Stack stacks[kStacks];                 ///< only mapped when wanted
};

inline constexpr std::size_t kPlainBytes = offsetof(Record, stacks);

} // namespace tilewright::faults
