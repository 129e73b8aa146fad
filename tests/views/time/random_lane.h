#pragma once

#include "views/time/lane_timeline.h"

#include <random>

namespace tilewright::tests {

/// Random events as plain columns; instants, short, long and gaps in between.
struct RandomLane {
    std::vector<std::int64_t> start, duration, type;
    views::EventSpans spans() const { return {start, duration, type}; }
};

inline RandomLane randomLane(std::mt19937_64 &random, int events, int types)
{
    RandomLane lane;
    std::int64_t time = static_cast<std::int64_t>(random() % 50);
    for (int i = 0; i < events; ++i) {
        std::int64_t const kind = static_cast<std::int64_t>(random() % 10);
        std::int64_t const length = kind == 0 ? 0
            : kind < 8                        ? static_cast<std::int64_t>(random() % 20)
                                              : static_cast<std::int64_t>(random() % 5000);
        lane.start.push_back(time);
        lane.duration.push_back(length);
        lane.type.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(types)));
        time += length + (random() % 3 == 0 ? static_cast<std::int64_t>(random() % 30) : 0);
    }
    return lane;
}

inline std::vector<views::LanePhase> phasesOf(int types)
{
    std::vector<views::LanePhase> phases;
    for (int t = 0; t < types; ++t) phases.push_back(static_cast<views::LanePhase>(t % views::kLanePhases));
    return phases;
}

/// The same events written out one after the other.
struct Unrolled {
    std::vector<std::int64_t> start, end, type;
    std::size_t size() const { return start.size(); }
};

inline Unrolled unroll(std::vector<views::LanePlacement> const &placements)
{
    Unrolled all;
    for (auto const &p : placements)
        for (std::int64_t r = 0; r < p.repeats; ++r)
            for (std::int64_t i = 0; i < p.block->size(); ++i) {
                all.start.push_back(p.start + r * p.period + p.block->start(i));
                all.end.push_back(all.start.back() + p.block->duration(i));
                all.type.push_back(p.block->type(i));
            }
    return all;
}

} // namespace tilewright::tests
