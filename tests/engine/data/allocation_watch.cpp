#include "tests/engine/data/allocation_watch.h"

#include <atomic>
#include <cstdlib>
#include <new>

// Replaces the program's operator new to see what parsers ask for when a file lies about its size. Every
// other form of new ends in this one.

namespace {

std::atomic<std::size_t> largest{0};

} // namespace

void *operator new(std::size_t size)
{
    auto seen = largest.load(std::memory_order_relaxed);
    while (size > seen && !largest.compare_exchange_weak(seen, size)) {}
    if (void *const memory = std::malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}

void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace tilewright::tests {

std::size_t largestAllocation() { return largest.load(); }
void resetLargestAllocation() { largest.store(0); }

} // namespace tilewright::tests
