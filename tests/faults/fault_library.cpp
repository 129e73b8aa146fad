// Preloaded into the program. Counts calls that can fail, from the start of main() on, and fails one of them, given by a mapped file
// (fault_record.h) named by the variable TILEWRIGHT_FAULT_RECORD. Plain C calls only, because code here must not allocate.

#include "tests/faults/fault_record.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
}

namespace {

using namespace tilewright::faults;

Record *g_record = nullptr;
std::atomic<bool> g_armed{false};
std::uintptr_t g_base = 0, g_end = 0; ///< of the program itself
__attribute__((tls_model("initial-exec"))) thread_local bool g_inside = false;

template <typename F> F next(char const *name) { return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name)); }
#define NEXT(name) static auto const real = next<decltype(&::name)>(#name)

std::uint64_t stackHash(void **frames, int count)
{
    std::uint64_t hash = 1469598103934665603ULL;
    for (int i = 0; i < count; ++i) hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames[i])) * 1099511628211ULL;
    return hash | 1;
}

[[gnu::noinline]] void noteStack(std::uint64_t number)
{
    void *frames[kFrames + 2];
    int const count = ::backtrace(frames, kFrames + 2);
    auto const hash = stackHash(frames + 2, count > 2 ? count - 2 : 0);
    for (std::size_t probe = 0; probe < 64; ++probe) {
        auto &slot = g_record->stacks[(hash + probe * 0x9e3779b97f4a7c15ULL) >> 7 & (kStacks - 1)];
        std::uint64_t seen = 0;
        if (slot.hash.compare_exchange_strong(seen, hash)) {
            slot.first = number;
            return;
        }
        if (seen == hash) return;
    }
    ++g_record->lostStacks;
}

[[gnu::noinline]] void noteFault(char const *call)
{
    void *frames[kFrames + 2];
    int const count = ::backtrace(frames, kFrames + 2);
    g_record->firedStack = stackHash(frames + 2, count > 2 ? count - 2 : 0);
    for (int i = 2; i < count; ++i) {
        auto const address = reinterpret_cast<std::uintptr_t>(frames[i]);
        g_record->frames[i - 2] = address >= g_base && address < g_end ? address - g_base : 0;
    }
    std::strncpy(g_record->firedCall, call, sizeof g_record->firedCall - 1);
}

/// Counts the call; whether it is to fail. Sets errno then.
[[gnu::noinline]] bool fails(Kind kind, char const *call)
{
    if (!g_armed.load(std::memory_order_relaxed) || g_inside) return false;
    g_inside = true;
    auto const number = ++g_record->calls[static_cast<std::size_t>(kind)];
    bool failing = false;
    if (kind == g_record->kind && g_record->manner != Manner::None) {
        failing = number == g_record->at || (g_record->manner == Manner::Lasting && number > g_record->at);
        if (failing && ++g_record->fired == 1) noteFault(call);
    } else if (kind == Kind::Allocation && g_record->wantsStacks) {
        noteStack(number);
    }
    g_inside = false;
    if (failing) errno = g_record->number;
    return failing;
}

bool shortens() { return g_record->manner == Manner::Short; }

int findProgram(dl_phdr_info *info, std::size_t, void *)
{
    // The first one is the program.
    g_base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            auto const end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
            if (end > g_end) g_end = end;
        }
    return 1;
}

void attach()
{
    char const *path = std::getenv("TILEWRIGHT_FAULT_RECORD");
    if (!path || !*path) return;
    int const file = ::open(path, O_RDWR | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || ::fstat(file, &status) != 0) ::_exit(125);
    void *const mapped = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (mapped == MAP_FAILED) ::_exit(125);
    g_record = static_cast<Record *>(mapped);
    ::dl_iterate_phdr(findProgram, nullptr);
    // The unwinder is loaded at its first use; programs that the program starts run without faults.
    void *frames[4];
    (void)::backtrace(frames, 4);
    ::unsetenv("TILEWRIGHT_FAULT_RECORD");
    ::unsetenv("LD_PRELOAD");
}

int (*g_main)(int, char **, char **) = nullptr;

int armedMain(int argc, char **argv, char **environment)
{
    attach();
    g_armed = g_record != nullptr;
    return g_main(argc, argv, environment);
}

/// Files and stdout fail; the pipes between threads do not, nor does stderr, where the failure is reported.
bool countsFile(int file)
{
    if (file == STDOUT_FILENO) return true;
    struct stat status {};
    return file != STDERR_FILENO && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

/// A failed write through stdio leaves its mark on the stream.
void markError(FILE *stream) { stream->_flags |= 0x20; }

bool countsStream(FILE *stream) { return stream != stderr; }

} // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(), void (*fini)(), void (*rtldFini)(),
                      void *stackEnd)
{
    using Start = int (*)(int (*)(int, char **, char **), int, char **, void (*)(), void (*)(), void (*)(), void *);
    auto const real = next<Start>("__libc_start_main");
    g_main = main;
    return real(armedMain, argc, argv, init, fini, rtldFini, stackEnd);
}

// --- allocations ---------------------------------------------------------------------------------------------

void *malloc(std::size_t size) noexcept { return fails(Kind::Allocation, "malloc") ? nullptr : __libc_malloc(size); }
void *calloc(std::size_t count, std::size_t size) noexcept
{
    return fails(Kind::Allocation, "calloc") ? nullptr : __libc_calloc(count, size);
}
void *realloc(void *old, std::size_t size) noexcept
{
    // Giving memory back does not fail.
    return size > 0 && fails(Kind::Allocation, "realloc") ? nullptr : __libc_realloc(old, size);
}
void *memalign(std::size_t alignment, std::size_t size) noexcept
{
    return fails(Kind::Allocation, "memalign") ? nullptr : __libc_memalign(alignment, size);
}
void *aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    return fails(Kind::Allocation, "aligned_alloc") ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void **out, std::size_t alignment, std::size_t size) noexcept
{
    if (fails(Kind::Allocation, "posix_memalign")) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}

// --- memory maps, threads ------------------------------------------------------------------------------------

void *mmap64(void *address, std::size_t size, int protection, int flags, int file, off64_t offset) noexcept
{
    NEXT(mmap64);
    return fails(Kind::Map, "mmap") ? MAP_FAILED : real(address, size, protection, flags, file, offset);
}
void *mmap(void *address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept
{
    NEXT(mmap);
    return fails(Kind::Map, "mmap") ? MAP_FAILED : real(address, size, protection, flags, file, offset);
}
int pthread_create(pthread_t *thread, pthread_attr_t const *attributes, void *(*body)(void *), void *argument) noexcept
{
    NEXT(pthread_create);
    if (fails(Kind::Thread, "pthread_create")) return g_record->number;
    return real(thread, attributes, body, argument);
}

// --- writes --------------------------------------------------------------------------------------------------

ssize_t write(int file, void const *bytes, std::size_t size)
{
    NEXT(write);
    if (!countsFile(file) || !fails(Kind::Write, "write")) return real(file, bytes, size);
    return shortens() && size > 1 ? real(file, bytes, size / 2) : -1;
}
ssize_t pwrite(int file, void const *bytes, std::size_t size, off_t offset)
{
    NEXT(pwrite);
    if (!fails(Kind::Write, "pwrite")) return real(file, bytes, size, offset);
    return shortens() && size > 1 ? real(file, bytes, size / 2, offset) : -1;
}
ssize_t pwrite64(int file, void const *bytes, std::size_t size, off64_t offset)
{
    NEXT(pwrite64);
    if (!fails(Kind::Write, "pwrite64")) return real(file, bytes, size, offset);
    return shortens() && size > 1 ? real(file, bytes, size / 2, offset) : -1;
}
ssize_t writev(int file, iovec const *parts, int count)
{
    NEXT(writev);
    if (!countsFile(file) || !fails(Kind::Write, "writev")) return real(file, parts, count);
    return shortens() && count > 1 ? real(file, parts, 1) : -1;
}
int ftruncate(int file, off_t size) noexcept
{
    NEXT(ftruncate);
    return fails(Kind::Write, "ftruncate") ? -1 : real(file, size);
}
int ftruncate64(int file, off64_t size) noexcept
{
    NEXT(ftruncate64);
    return fails(Kind::Write, "ftruncate") ? -1 : real(file, size);
}
int posix_fallocate(int file, off_t offset, off_t size)
{
    NEXT(posix_fallocate);
    return fails(Kind::Write, "posix_fallocate") ? g_record->number : real(file, offset, size);
}
int posix_fallocate64(int file, off64_t offset, off64_t size)
{
    NEXT(posix_fallocate64);
    return fails(Kind::Write, "posix_fallocate") ? g_record->number : real(file, offset, size);
}

std::size_t fwrite(void const *bytes, std::size_t size, std::size_t count, FILE *stream)
{
    NEXT(fwrite);
    if (!countsStream(stream) || !fails(Kind::Write, "fwrite")) return real(bytes, size, count, stream);
    markError(stream);
    return 0;
}
int fputs(char const *text, FILE *stream)
{
    NEXT(fputs);
    if (!countsStream(stream) || !fails(Kind::Write, "fputs")) return real(text, stream);
    markError(stream);
    return EOF;
}
int fputc(int character, FILE *stream)
{
    NEXT(fputc);
    if (!countsStream(stream) || !fails(Kind::Write, "fputc")) return real(character, stream);
    markError(stream);
    return EOF;
}
int fflush(FILE *stream)
{
    NEXT(fflush);
    if (!stream || !countsStream(stream) || !fails(Kind::Write, "fflush")) return real(stream);
    markError(stream);
    return EOF;
}

// --- syncs, renames, locks -----------------------------------------------------------------------------------

int fsync(int file)
{
    NEXT(fsync);
    return fails(Kind::Sync, "fsync") ? -1 : real(file);
}
int fdatasync(int file)
{
    NEXT(fdatasync);
    return fails(Kind::Sync, "fdatasync") ? -1 : real(file);
}
int msync(void *address, std::size_t size, int flags)
{
    NEXT(msync);
    return fails(Kind::Sync, "msync") ? -1 : real(address, size, flags);
}
int rename(char const *from, char const *to) noexcept
{
    NEXT(rename);
    return fails(Kind::Rename, "rename") ? -1 : real(from, to);
}
int renameat2(int fromFolder, char const *from, int toFolder, char const *to, unsigned flags) noexcept
{
    NEXT(renameat2);
    return fails(Kind::Rename, "renameat2") ? -1 : real(fromFolder, from, toFolder, to, flags);
}
int link(char const *from, char const *to) noexcept
{
    NEXT(link);
    return fails(Kind::Rename, "link") ? -1 : real(from, to);
}
int flock(int file, int operation) noexcept
{
    NEXT(flock);
    return !(operation & LOCK_UN) && fails(Kind::Lock, "flock") ? -1 : real(file, operation);
}

static bool failsAsLock(int command, void *argument)
{
    bool const sets = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    return sets && static_cast<struct flock const *>(argument)->l_type != F_UNLCK && fails(Kind::Lock, "fcntl");
}
int fcntl(int file, int command, ...)
{
    NEXT(fcntl);
    va_list rest;
    va_start(rest, command);
    void *const argument = va_arg(rest, void *);
    va_end(rest);
    return failsAsLock(command, argument) ? -1 : real(file, command, argument);
}
int fcntl64(int file, int command, ...)
{
    NEXT(fcntl64);
    va_list rest;
    va_start(rest, command);
    void *const argument = va_arg(rest, void *);
    va_end(rest);
    return failsAsLock(command, argument) ? -1 : real(file, command, argument);
}

// --- opening for writing -------------------------------------------------------------------------------------

static bool opensToWrite(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0; }

int open(char const *path, int flags, ...)
{
    NEXT(open);
    va_list rest;
    va_start(rest, flags);
    auto const mode = va_arg(rest, mode_t);
    va_end(rest);
    return opensToWrite(flags) && fails(Kind::Open, "open") ? -1 : real(path, flags, mode);
}
int open64(char const *path, int flags, ...)
{
    NEXT(open64);
    va_list rest;
    va_start(rest, flags);
    auto const mode = va_arg(rest, mode_t);
    va_end(rest);
    return opensToWrite(flags) && fails(Kind::Open, "open") ? -1 : real(path, flags, mode);
}
int openat(int folder, char const *path, int flags, ...)
{
    NEXT(openat);
    va_list rest;
    va_start(rest, flags);
    auto const mode = va_arg(rest, mode_t);
    va_end(rest);
    return opensToWrite(flags) && fails(Kind::Open, "openat") ? -1 : real(folder, path, flags, mode);
}
FILE *fopen(char const *path, char const *mode)
{
    NEXT(fopen);
    return mode[0] != 'r' && fails(Kind::Open, "fopen") ? nullptr : real(path, mode);
}
FILE *fopen64(char const *path, char const *mode)
{
    NEXT(fopen64);
    return mode[0] != 'r' && fails(Kind::Open, "fopen") ? nullptr : real(path, mode);
}
int mkdir(char const *path, mode_t mode) noexcept
{
    NEXT(mkdir);
    return fails(Kind::Open, "mkdir") ? -1 : real(path, mode);
}

} // extern "C"
