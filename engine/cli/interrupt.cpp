#include "engine/cli/interrupt.h"

#include "engine/core/result.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

namespace tilewright::cli {

namespace {

// A signal handler reaches nothing but these.
std::atomic<int> signalPipe{-1};
std::atomic<int> signalCount{0};

extern "C" void onInterrupt(int)
{
    int const saved = errno;
    if (signalCount.fetch_add(1) > 0) {
        constexpr char kText[] = "\ntilewright: stopped\n";
        [[maybe_unused]] auto const n = write(STDERR_FILENO, kText, sizeof kText - 1);
        _exit(static_cast<int>(ErrorKind::Cancelled));
    }
    char const byte = 'i';
    [[maybe_unused]] auto const n = write(signalPipe.load(), &byte, 1);
    errno = saved;
}

} // namespace

struct InterruptWatch::Impl {
    std::stop_source source;
    int ends[2] = {-1, -1};
    struct sigaction oldInt {}, oldTerm {};
    std::thread watcher;
};

InterruptWatch::InterruptWatch() : m_impl(std::make_unique<Impl>())
{
    if (pipe2(m_impl->ends, O_CLOEXEC) != 0) return; // then Ctrl-C ends the program as it always does
    signalCount = 0;
    signalPipe = m_impl->ends[1];
    m_impl->watcher = std::thread([impl = m_impl.get()] {
        char byte = 0;
        for (;;) {
            auto const n = read(impl->ends[0], &byte, 1);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0 || byte == 'q') return;
            impl->source.request_stop();
        }
    });
    struct sigaction action {};
    action.sa_handler = onInterrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &m_impl->oldInt);
    sigaction(SIGTERM, &action, &m_impl->oldTerm);
}

InterruptWatch::~InterruptWatch()
{
    if (m_impl->ends[0] < 0) return;
    sigaction(SIGINT, &m_impl->oldInt, nullptr);
    sigaction(SIGTERM, &m_impl->oldTerm, nullptr);
    char const byte = 'q';
    [[maybe_unused]] auto const n = write(m_impl->ends[1], &byte, 1);
    m_impl->watcher.join();
    signalPipe = -1;
    close(m_impl->ends[0]);
    close(m_impl->ends[1]);
}

std::stop_token InterruptWatch::token() const { return m_impl->source.get_token(); }

} // namespace tilewright::cli
