#include "engine/core/process.h"

#include "engine/core/internal_error.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tilewright {

void prepareProcess()
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    if (auto const *kind = std::getenv("TILEWRIGHT_FAIL_STAGE")) failNextStage(kind);
#if defined(__GLIBC__)
    // Every thread's own heap would reserve 64 MB of an address space that somebody has limited.
    rlimit space{};
    if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) (void)::mallopt(M_ARENA_MAX, 1);
#endif
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is this one: those below are open by now.
        (void)::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    }
}

} // namespace tilewright
