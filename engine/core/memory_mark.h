#pragma once

#include "engine/core/types.h"

#include <filesystem>

namespace tilewright {

/// The process's peak memory so far, across resets by MemoryMark.
Bytes peakOfProcess();

/// Measures how far the process's memory rises above its level at construction. The system keeps one peak per process. A mark resets it
/// where that is allowed (Linux: clear_refs); marks that overlap each get their own peak. Memory of other threads counts too.
class MemoryMark {
public:
    explicit MemoryMark(std::filesystem::path const &process = "/proc/self");
    ~MemoryMark();
    MemoryMark(MemoryMark const &) = delete;
    MemoryMark &operator=(MemoryMark const &) = delete;
    /// The peak above the level at construction; -1 if unknown, because the system's peak could not be reset.
    Bytes most();

private:
    std::filesystem::path m_process;
    Bytes m_before = 0, m_peak = 0, m_old = 0;
    bool m_isReset = false;
};

} // namespace tilewright
