#include "engine/data/guarded_mapping.h"

#include "engine/data/source.h"
#include "engine/data/tensor_data.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Reading a mapped page that the file no longer has raises SIGBUS, on the thread that reads and at the instruction that
// reads. That is the one signal of this program with a handler: it comes only to threads that gather samples, never
// from inside a matrix product, whose stack bears no handler (such a product reads gathered batches only).

namespace tilewright::data {

namespace {

struct Guard {
    std::atomic<std::uintptr_t> begin{0}, end{0};
    std::string name; ///< this and what follows: not for the handler
    int file = -1;
    struct stat opened {};
};

/// Fixed, so that the handler needs neither lock nor memory.
std::array<Guard, 64> guards;
std::mutex guardsMutex;
struct sigaction before {};

Guard *guardOf(std::uintptr_t address)
{
    for (auto &guard : guards)
        if (address >= guard.begin.load(std::memory_order_acquire) && address < guard.end.load(std::memory_order_acquire)) return &guard;
    return nullptr;
}

/// Puts zeros where the file ended, from the page on that was asked for; the reading goes on there.
void onLostPage(int signal, siginfo_t *info, void *)
{
    int const number = errno;
    auto const address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (auto *const guard = guardOf(address)) {
        auto const page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        auto const from = address / page * page, end = (guard->end.load() + page - 1) / page * page;
        void *const zeros =
            ::mmap(reinterpret_cast<void *>(from), end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        if (zeros != MAP_FAILED) {
            errno = number;
            return;
        }
    }
    // Not ours: what would have happened happens when the instruction is tried again.
    ::sigaction(signal, &before, nullptr);
    errno = number;
}

void installHandler()
{
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action {};
        action.sa_sigaction = onLostPage;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &before);
    });
}

} // namespace

Result<std::shared_ptr<std::byte const>> mapGuarded(int file, std::size_t size, std::string const &name)
{
    installHandler();
    std::lock_guard const lock(guardsMutex);
    Guard *free = nullptr;
    for (auto &guard : guards)
        if (guard.begin.load() == 0) free = &guard;
    if (!free)
        return dataError("data.file", name, Message::of("more than %1 large data files are open at once", guards.size()),
                         Message::of("Close some projects."));
    void *const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (address == MAP_FAILED) return dataError("data.file", name, Message::of("cannot map the data file: %1", std::strerror(errno)));
    free->name = name;
    free->file = ::fcntl(file, F_DUPFD_CLOEXEC, 3);
    (void)::fstat(file, &free->opened);
    auto const begin = reinterpret_cast<std::uintptr_t>(address);
    free->end.store(begin + size, std::memory_order_release);
    free->begin.store(begin, std::memory_order_release);
    return std::shared_ptr<std::byte const>(static_cast<std::byte const *>(address), [size, free](std::byte const *bytes) {
        std::lock_guard const releasing(guardsMutex);
        free->end.store(0, std::memory_order_release);
        free->begin.store(0, std::memory_order_release);
        ::munmap(const_cast<std::byte *>(bytes), size);
        if (free->file >= 0) ::close(std::exchange(free->file, -1));
    });
}

Status requireUnchanged(std::byte const *bytes)
{
    auto const *const guard = guardOf(reinterpret_cast<std::uintptr_t>(bytes));
    if (!guard) return {};
    // The end of a page reads as zeros without a signal: only the file itself tells.
    struct stat now {};
    bool const same = ::fstat(guard->file, &now) == 0 && now.st_size == guard->opened.st_size
        && now.st_mtim.tv_sec == guard->opened.st_mtim.tv_sec && now.st_mtim.tv_nsec == guard->opened.st_mtim.tv_nsec;
    if (same) return {};
    return dataError("data.changed", guard->name, Message::of("the data file changed while it was in use"),
                     Message::of("Do not change the file until the run has ended."));
}

} // namespace tilewright::data
