#pragma once

#include <cstdint>
#include <ctime>
#include <string>

namespace tilewright::tests {

/// How many times as long a program may take because of a sanitizer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::int64_t kSanitizerSlowdown = 20;
#else
inline constexpr std::int64_t kSanitizerSlowdown = 1;
#endif

/// Processor time of the calling thread since construction. Other processes do not change it, so that a bound on it finds an algorithm of
/// the wrong order and nothing else.
class SpentTime {
public:
    SpentTime() : m_start(now()) {}
    std::int64_t milliseconds() const { return (now() - m_start) / 1'000'000; }
    bool below(std::int64_t bound) const { return milliseconds() < bound * kSanitizerSlowdown; }
    std::string text() const { return std::to_string(milliseconds()) + " ms"; }

private:
    static std::int64_t now()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }
    std::int64_t m_start;
};

} // namespace tilewright::tests
