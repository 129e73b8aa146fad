#include "engine/cli/interrupt.h"

#include "engine/core/destination.h"
#include "engine/core/parallel.h"
#include "engine/core/result.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace tilewright::cli {

// Signals are blocked in every thread and read from a file descriptor, never handled where they strike: while a
// thread is inside a matrix product of oneDNN its stack pointer is the start of a heap buffer, and the frame of a
// signal handler would be written over whatever lies before that buffer.

namespace {

/// How long a command without results may take to heed the first signal.
constexpr std::chrono::milliseconds kPatience{700};
/// The same signal once more within this time is no second one: `timeout` and schedulers send it to the process and
/// to its group.
constexpr std::chrono::milliseconds kEcho{100};

bool isIgnored(int signal)
{
    struct sigaction action {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t interrupts()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (!isIgnored(SIGHUP)) sigaddset(&set, SIGHUP); // nohup
    return set;
}

/// Only where it neither waits for a reader nor ends the process by SIGPIPE.
void say(int file, std::string const &text)
{
    pollfd to{file, POLLOUT, 0};
    if (text.empty() || poll(&to, 1, 0) != 1) return;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    [[maybe_unused]] auto const n = write(file, text.data(), text.size());
}

} // namespace

struct InterruptWatch::Impl {
    Farewell farewell;
    std::stop_source source;
    std::atomic<bool> keeps{false};
    int signals = -1, quit = -1;
    std::thread watcher;

    [[noreturn]] void leave() const
    {
        say(STDOUT_FILENO, farewell.out);
        say(STDERR_FILENO, farewell.err);
        DestinationClaim::removeAll();
        _exit(static_cast<int>(ErrorKind::Cancelled));
    }

    void watch()
    {
        using Clock = std::chrono::steady_clock;
        std::uint32_t asked = 0; ///< the first signal
        Clock::time_point askedAt;
        for (;;) {
            pollfd fds[2] = {{signals, POLLIN, 0}, {quit, POLLIN, 0}};
            auto const left = askedAt + kPatience - Clock::now();
            int const ready = poll(fds, 2, !asked || keeps ? -1 : std::max(0, static_cast<int>(left / std::chrono::milliseconds(1))));
            if (ready < 0) {
                if (errno == EINTR) continue;
                return;
            }
            if (fds[1].revents) return;
            if (ready == 0) {
                if (!keeps) leave();
                continue;
            }
            signalfd_siginfo info{};
            if (read(signals, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) continue;
            if (asked == info.ssi_signo && Clock::now() - askedAt < kEcho) continue;
            if (asked) leave();
            asked = info.ssi_signo;
            askedAt = Clock::now();
            source.request_stop();
        }
    }
};

InterruptWatch::InterruptWatch(Farewell farewell) : m_impl(std::make_unique<Impl>())
{
    auto const set = interrupts();
    m_impl->farewell = std::move(farewell);
    m_impl->quit = eventfd(0, EFD_CLOEXEC);
    m_impl->signals = signalfd(-1, &set, SFD_CLOEXEC);
    // Without them, or without a thread, Ctrl-C ends the program as it always does.
    if (m_impl->quit < 0 || m_impl->signals < 0) return;
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_impl->watcher = tryStartThread([impl = m_impl.get()] { impl->watch(); });
    if (!m_impl->watcher.joinable()) allowInterrupts();
}

InterruptWatch::~InterruptWatch()
{
    if (m_impl->watcher.joinable()) {
        std::uint64_t const one = 1;
        [[maybe_unused]] auto const n = write(m_impl->quit, &one, sizeof one);
        m_impl->watcher.join();
        // Still blocked: the work is done, and a signal that comes as late as this must not make a failure of it.
    }
    if (m_impl->quit >= 0) close(m_impl->quit);
    if (m_impl->signals >= 0) close(m_impl->signals);
}

std::stop_token InterruptWatch::token() const { return m_impl->source.get_token(); }

void InterruptWatch::keepResults() { m_impl->keeps = true; }

void allowInterrupts()
{
    auto const set = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace tilewright::cli
