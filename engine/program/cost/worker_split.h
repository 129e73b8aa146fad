#pragma once

#include "engine/program/cost/value_type.h"

#include <array>
#include <cstdint>

namespace tilewright::cost {

/// One worker's work list when output rows of equal width are dealt: whole rows and at most two partial rows. Stored in O(1) space, because
/// planners cost it often.
struct WorkerLoad {
    std::int64_t wholeRows = 0;
    std::int64_t width = 0; ///< of a whole row
    std::int64_t head = 0;  ///< positions of a first, partial row; 0 = none
    std::int64_t tail = 0;  ///< positions of a last, partial row; 0 = none

    bool operator==(WorkerLoad const &) const = default;
    std::int64_t positions() const { return wholeRows * width + head + tail; }
    std::int64_t entries() const { return wholeRows + (head > 0) + (tail > 0); }

    /// Sum of f(positions) over the entries of the work list.
    template <typename F> std::int64_t sum(F &&f) const
    {
        std::int64_t total = 0;
        if (wholeRows > 0) total += wholeRows * f(width);
        if (head > 0) total += f(head);
        if (tail > 0) total += f(tail);
        return total;
    }
};

using WorkerLoads = std::array<WorkerLoad, kWorkers>;

/// Deals rows x width positions to the workers: worker i gets positions floor(i n / 6) … floor((i+1) n / 6). Source: poplibs
/// lib/poplin/ConvUtilInternal.cpp, partitionConvPartialByWorker (without striding). Requires: rows, width >= 0.
WorkerLoads splitRows(std::int64_t rows, std::int64_t width);

/// The largest and the smallest share of n positions spread evenly over the workers.
struct EvenSpread {
    std::int64_t largest = 0;
    std::int64_t smallest = 0;
};
constexpr EvenSpread spreadEvenly(std::int64_t n) { return {ceilDiv(n, kWorkers), n / kWorkers}; }

} // namespace tilewright::cost
