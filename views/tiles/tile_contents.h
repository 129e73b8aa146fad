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

/// The contents of all tiles, each distinct layout once: thousands of tiles share a few hundred layouts. Results are computed by group and
/// distributed to tiles. Immutable; made on a worker thread.
struct TileContents {
    struct Group {
        std::vector<int> tiles; ///< ascending
        std::vector<report::LoweredVariable> items;
    };
    std::vector<Group> groups;
    std::vector<int> groupOf; ///< by tile; -1: unknown
    ClassLives lives;

    Group const *of(int tile) const;
};
/// Null if the job was cancelled.
std::shared_ptr<TileContents const> readContents(ReportSnapshot const &report, JobContext const &job);

/// Distinct addresses of a tile by key. Addresses used by several keys (at different times) have an extra key at the end. The sum is the
/// bytes without gaps.
std::vector<Bytes> addressesByKey(std::vector<report::LoweredVariable> const &items, PartKeys const &keys);
/// Bytes live at a step by key. They sum up: live bytes never share an address.
std::vector<Bytes> liveByKey(std::vector<report::LoweredVariable> const &items, PartKeys const &keys, ClassLives const &lives, int step);
/// Number of a group's tiles in [first, end).
std::int64_t tilesBetween(TileContents::Group const &group, int first, int end);
/// Everything live at a step, largest first: by variable, compiler-made bytes by category. `tilesOf`: number of a group's tiles to count;
/// `has`: filter of bytes, empty: all.
std::vector<LiveItem> liveItems(ReportSnapshot const &report, TileContents const &contents, int step,
                                std::function<std::int64_t(TileContents::Group const &)> const &tilesOf,
                                std::function<bool(report::LoweredVariable const &)> const &has = {});
/// Bytes live at a step on every tile.
std::vector<std::int64_t> liveByTile(TileContents const &contents, int step);

} // namespace tilewright::views
