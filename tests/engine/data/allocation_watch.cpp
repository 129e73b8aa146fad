#include "tests/engine/data/allocation_watch.h"

#include <atomic>
#include <cstdlib>
#include <new>

// Replaces operator new to record the requests of parsers for files with wrong sizes. All unaligned forms, because those of a sanitizer do
// not share
// one function.

namespace {

std::atomic<std::size_t> largest{0};

void *watched(std::size_t size) noexcept
{
    auto seen = largest.load(std::memory_order_relaxed);
    while (size > seen && !largest.compare_exchange_weak(seen, size)) {}
    return std::malloc(size ? size : 1);
}

void *watchedOrThrow(std::size_t size)
{
    if (void *const memory = watched(size)) return memory;
    throw std::bad_alloc();
}

} // namespace

void *operator new(std::size_t size) { return watchedOrThrow(size); }
void *operator new[](std::size_t size) { return watchedOrThrow(size); }
void *operator new(std::size_t size, std::nothrow_t const &) noexcept { return watched(size); }
void *operator new[](std::size_t size, std::nothrow_t const &) noexcept { return watched(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::nothrow_t const &) noexcept { std::free(memory); }
void operator delete[](void *memory, std::nothrow_t const &) noexcept { std::free(memory); }

namespace tilewright::tests {

std::size_t largestAllocation() { return largest.load(); }
void resetLargestAllocation() { largest.store(0); }

} // namespace tilewright::tests
