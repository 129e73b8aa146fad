#pragma once

#include "engine/core/types.h"

#include <filesystem>

namespace tilewright {

/// The most memory this process has held so far; resets by MemoryMark count in.
Bytes peakOfProcess();

/// How much more memory than at its making the process holds at most while a mark lives: what work takes on top of what was
/// there. The system keeps one peak for the process; a mark sets it back (Linux: clear_refs), where that is allowed, and marks that
/// live at the same time each get their own. What other threads take meanwhile counts too.
class MemoryMark {
public:
    explicit MemoryMark(std::filesystem::path const &process = "/proc/self");
    ~MemoryMark();
    MemoryMark(MemoryMark const &) = delete;
    MemoryMark &operator=(MemoryMark const &) = delete;
    /// -1: not known, for the peak could not be set back and is an older one.
    Bytes most();

private:
    std::filesystem::path m_process;
    Bytes m_before = 0, m_peak = 0, m_old = 0;
    bool m_isReset = false;
};

} // namespace tilewright
