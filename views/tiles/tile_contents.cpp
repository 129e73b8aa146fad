#include "views/tiles/tile_contents.h"

#include "views/reports/report_snapshot.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tilewright::views {

TileContents::Group const *TileContents::of(int tile) const
{
    if (tile < 0 || tile >= static_cast<int>(groupOf.size())) return nullptr;
    int const group = groupOf[static_cast<std::size_t>(tile)];
    return group < 0 ? nullptr : &groups[static_cast<std::size_t>(group)];
}

std::shared_ptr<TileContents const> readContents(ReportSnapshot const &report, JobContext const &job)
{
    auto contents = std::make_shared<TileContents>();
    auto const &d = report.data();
    contents->groupOf.assign(static_cast<std::size_t>(report.tiles()), -1);
    contents->lives = ClassLives(d.livenessClasses, d.livenessIntervals, static_cast<int>(d.livenessSteps.size()));
    for (auto &use : layoutUses(d.tileLayout)) {
        if (job.cancelled()) return nullptr;
        TileContents::Group group;
        for (auto const &placed : report.placedOn(use.tile)) group.items.push_back(placed.item);
        for (int const tile : use.tiles)
            if (tile < static_cast<int>(contents->groupOf.size()))
                contents->groupOf[static_cast<std::size_t>(tile)] = static_cast<int>(contents->groups.size());
        group.tiles = std::move(use.tiles);
        contents->groups.push_back(std::move(group));
    }
    return contents;
}

std::vector<Bytes> addressesByKey(std::vector<report::LoweredVariable> const &items, PartKeys const &keys)
{
    std::size_t const mixed = keys.keys.size();
    std::vector<Bytes> bytes(mixed + 1, 0);
    struct Cut {
        Bytes address;
        int key;
        int change;
    };
    std::vector<Cut> cuts;
    for (auto const &item : items) {
        if (item.bytes <= 0) continue;
        int const key = keys.of(item);
        cuts.push_back({item.offset, key, 1});
        cuts.push_back({item.offset + item.bytes, key, -1});
    }
    std::sort(cuts.begin(), cuts.end(), [](Cut const &a, Cut const &b) { return a.address < b.address; });
    std::vector<int> here(mixed, 0);
    int kinds = 0;
    Bytes from = 0;
    for (auto const &cut : cuts) {
        if (kinds > 0 && cut.address > from) {
            std::size_t only = mixed;
            if (kinds == 1)
                only = static_cast<std::size_t>(std::find_if(here.begin(), here.end(), [](int n) { return n > 0; }) - here.begin());
            bytes[only] += cut.address - from;
        }
        from = cut.address;
        int &count = here[static_cast<std::size_t>(cut.key)];
        kinds -= count > 0;
        count += cut.change;
        kinds += count > 0;
    }
    return bytes;
}

std::vector<Bytes> liveByKey(std::vector<report::LoweredVariable> const &items, PartKeys const &keys, ClassLives const &lives, int step)
{
    std::vector<Bytes> bytes(keys.keys.size(), 0);
    for (auto const &item : items)
        if (lives.isLive(item.livenessClass, step)) bytes[static_cast<std::size_t>(keys.of(item))] += item.bytes;
    return bytes;
}

std::int64_t tilesBetween(TileContents::Group const &group, int first, int end)
{
    auto const begin = std::lower_bound(group.tiles.begin(), group.tiles.end(), first);
    return std::lower_bound(begin, group.tiles.end(), end) - begin;
}

std::vector<LiveItem> liveItems(ReportSnapshot const &report, TileContents const &contents, int step,
                                std::function<std::int64_t(TileContents::Group const &)> const &tilesOf,
                                std::function<bool(report::LoweredVariable const &)> const &has)
{
    auto const &variables = report.data().variables;
    std::map<std::tuple<int, int, bool>, LiveItem> sums;
    for (auto const &group : contents.groups) {
        auto const tiles = tilesOf(group);
        if (tiles == 0) continue;
        for (auto const &item : group.items) {
            bool const always = contents.lives.isAlways(item.livenessClass);
            auto const around = always ? std::pair(-1, -1) : contents.lives.around(item.livenessClass, step);
            if ((!always && around.first < 0) || (has && !has(item))) continue;
            auto &sum = sums[{item.variable, item.variable >= 0 ? 0 : static_cast<int>(item.category), always}];
            bool const fresh = sum.bytes == 0;
            sum.variable = item.variable;
            sum.category = item.category;
            sum.alwaysLive = always;
            sum.bytes += item.bytes * tiles;
            if (!always) {
                sum.born = fresh ? around.first : std::min(sum.born, around.first);
                sum.dies = std::max(sum.dies, around.second);
            }
            if (item.variable >= 0 && item.variable < static_cast<int>(variables.size()))
                sum.lastUse = variables[static_cast<std::size_t>(item.variable)].lastUseStep;
        }
    }
    std::vector<LiveItem> items;
    for (auto const &[key, item] : sums) items.push_back(item);
    std::stable_sort(items.begin(), items.end(), [](auto const &a, auto const &b) { return a.bytes > b.bytes; });
    return items;
}

std::vector<std::int64_t> liveByTile(TileContents const &contents, int step)
{
    std::vector<std::int64_t> bytes(contents.groupOf.size(), 0);
    for (auto const &group : contents.groups) {
        Bytes sum = 0;
        for (auto const &item : group.items)
            if (contents.lives.isLive(item.livenessClass, step)) sum += item.bytes;
        for (int const tile : group.tiles)
            if (tile < static_cast<int>(bytes.size())) bytes[static_cast<std::size_t>(tile)] = sum;
    }
    return bytes;
}

} // namespace tilewright::views
