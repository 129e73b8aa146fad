#include "engine/core/memory_mark.h"

#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

namespace tilewright {

namespace {

namespace fs = std::filesystem;

/// Number of live marks, and the largest peak before a reset.
struct Marks {
    std::mutex mutex;
    std::vector<Bytes *> peaks;
    Bytes ofProcess = 0;
    /// The peak before the reset, which would otherwise be lost.
    void keep(Bytes peak)
    {
        ofProcess = std::max(ofProcess, peak);
        for (auto *one : peaks) *one = std::max(*one, peak);
    }
};
Marks &marks()
{
    static Marks all;
    return all;
}

/// A line "VmHWM:   1234 kB" of the process' status, in bytes; 0 if it is missing.
Bytes statusBytes(fs::path const &process, char const *key)
{
    std::ifstream in(process / "status");
    std::string word;
    Bytes kilobytes = 0;
    while (in >> word)
        if (word == key && in >> kilobytes) return kilobytes * 1024;
    return 0;
}

} // namespace

Bytes peakOfProcess()
{
    std::lock_guard const lock(marks().mutex);
    marks().keep(statusBytes("/proc/self", "VmHWM:"));
    return marks().ofProcess;
}

MemoryMark::MemoryMark(fs::path const &process) : m_process(process)
{
    malloc_trim(0); // freed but not returned memory would hide the memory of the work
    std::lock_guard const lock(marks().mutex);
    m_old = statusBytes(m_process, "VmHWM:");
    marks().keep(m_old);
    std::ofstream reset(m_process / "clear_refs");
    m_isReset = bool(reset << '5') && bool(reset.flush());
    m_before = statusBytes(m_process, "VmRSS:");
    marks().peaks.push_back(&m_peak);
}

MemoryMark::~MemoryMark()
{
    std::lock_guard const lock(marks().mutex);
    std::erase(marks().peaks, &m_peak);
}

Bytes MemoryMark::most()
{
    std::lock_guard const lock(marks().mutex);
    Bytes const peak = statusBytes(m_process, "VmHWM:");
    marks().keep(peak);
    if (m_before <= 0 || (!m_isReset && peak <= m_old)) return -1;
    return std::max<Bytes>(0, std::max(m_peak, peak) - m_before);
}

} // namespace tilewright
