#include "engine/program/cost/worker_split.h"

namespace tilewright::cost {

WorkerLoads splitRows(std::int64_t rows, std::int64_t width)
{
    WorkerLoads loads{};
    std::int64_t const positions = rows * width;
    if (positions <= 0) return loads;
    for (std::int64_t worker = 0; worker < kWorkers; ++worker) {
        std::int64_t const begin = worker * positions / kWorkers;
        std::int64_t const end = (worker + 1) * positions / kWorkers;
        WorkerLoad &load = loads[static_cast<std::size_t>(worker)];
        load.width = width;
        if (begin == end) continue;
        std::int64_t const firstWhole = roundUp(begin, width);
        if (firstWhole >= end) { // the share lies inside one row
            load.head = end - begin;
            continue;
        }
        std::int64_t const lastWhole = end / width * width; // >= firstWhole
        load.head = firstWhole - begin;
        load.wholeRows = (lastWhole - firstWhole) / width;
        load.tail = end - lastWhole;
    }
    return loads;
}

} // namespace tilewright::cost
