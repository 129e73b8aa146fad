#include "engine/cli/interrupt.h"

#include "engine/core/result.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace tilewright::cli {

// Signals are blocked in every thread and read from a file descriptor, never handled where they strike: while a
// thread is inside a matrix product of oneDNN its stack pointer is the start of a heap buffer, and the frame of a
// signal handler would be written over whatever lies before that buffer.

struct InterruptWatch::Impl {
    std::stop_source source;
    int signals = -1, quit = -1;
    std::thread watcher;

    void watch()
    {
        bool asked = false;
        for (;;) {
            pollfd fds[2] = {{signals, POLLIN, 0}, {quit, POLLIN, 0}};
            if (poll(fds, 2, -1) < 0) {
                if (errno == EINTR) continue;
                return;
            }
            if (fds[1].revents) return;
            signalfd_siginfo info{};
            if (read(signals, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) continue;
            if (asked) {
                constexpr char kText[] = "\ntilewright: stopped\n";
                [[maybe_unused]] auto const n = write(STDERR_FILENO, kText, sizeof kText - 1);
                _exit(static_cast<int>(ErrorKind::Cancelled));
            }
            asked = true;
            source.request_stop();
        }
    }
};

namespace {

sigset_t interrupts()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

} // namespace

InterruptWatch::InterruptWatch() : m_impl(std::make_unique<Impl>())
{
    auto const set = interrupts();
    m_impl->quit = eventfd(0, EFD_CLOEXEC);
    m_impl->signals = signalfd(-1, &set, SFD_CLOEXEC);
    // Without them Ctrl-C ends the program as it always does.
    if (m_impl->quit < 0 || m_impl->signals < 0) return;
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_impl->watcher = std::thread([impl = m_impl.get()] { impl->watch(); });
}

InterruptWatch::~InterruptWatch()
{
    if (m_impl->watcher.joinable()) {
        std::uint64_t const one = 1;
        [[maybe_unused]] auto const n = write(m_impl->quit, &one, sizeof one);
        m_impl->watcher.join();
        allowInterrupts();
    }
    if (m_impl->quit >= 0) close(m_impl->quit);
    if (m_impl->signals >= 0) close(m_impl->signals);
}

std::stop_token InterruptWatch::token() const { return m_impl->source.get_token(); }

void allowInterrupts()
{
    auto const set = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace tilewright::cli
