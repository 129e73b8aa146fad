#pragma once

#include "engine/core/job_context.h"
#include "views/tiles/class_lives.h"
#include "views/tiles/part_keys.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tilewright::views {

class ReportSnapshot;
struct LiveItem;

/// What lies on all tiles, each distinct layout once: thousands of tiles share a few hundred of them. Everything
/// by tile is worked out by group and dealt out. Immutable; made on a worker thread.
struct TileContents {
    struct Group {
        std::vector<int> tiles; ///< ascending
        std::vector<report::LoweredVariable> items;
    };
    std::vector<Group> groups;
    std::vector<int> groupOf; ///< by tile; -1: nothing is known of it
    ClassLives lives;

    Group const *of(int tile) const;
};
/// Null when the job was cancelled.
std::shared_ptr<TileContents const> readContents(ReportSnapshot const &report, JobContext const &job);

/// Distinct addresses of a tile by key; those that items of several keys use (at different times) come last,
/// under one more key. They add up to the bytes without gaps.
std::vector<Bytes> addressesByKey(std::vector<report::LoweredVariable> const &items, PartKeys const &keys);
/// Bytes live at a step by key. They add up: live bytes never share an address.
std::vector<Bytes> liveByKey(std::vector<report::LoweredVariable> const &items, PartKeys const &keys, ClassLives const &lives, int step);
/// How many of a group's tiles lie in [first, end).
std::int64_t tilesBetween(TileContents::Group const &group, int first, int end);
/// Everything live at a step, largest first: by variable, the compiler's bytes by category. `tilesOf`: how many of a group's
/// tiles count; `has`: which bytes do, empty: all.
std::vector<LiveItem> liveItems(ReportSnapshot const &report, TileContents const &contents, int step,
                                std::function<std::int64_t(TileContents::Group const &)> const &tilesOf,
                                std::function<bool(report::LoweredVariable const &)> const &has = {});
/// Bytes live at a step on every tile.
std::vector<std::int64_t> liveByTile(TileContents const &contents, int step);

} // namespace tilewright::views
