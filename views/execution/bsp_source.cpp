#include "views/execution/bsp_source.h"

#include <map>

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

} // namespace

std::vector<int> bspRows(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, TileOrder order)
{
    auto const &data = blocks.report->data();
    int const tiles = blocks.report->tilesPerIpu(), ipu = std::max(0, data.lanes[at(lane)].ipu);
    std::vector<std::int64_t> place, load;
    for (auto const &p : data.tilePlaces) place.push_back(p.x * 100000LL + p.y);          // column by column
    auto const &computed = blocks.report->runTileMetric(std::max(0, run.run), "compute"); // of all IPUs
    for (std::int64_t t = static_cast<std::int64_t>(ipu) * tiles; t < static_cast<std::int64_t>(ipu + 1) * tiles && at(t) < computed.size();
         ++t)
        load.push_back(computed[at(t)]);
    auto rows = tileOrder(order, tiles, place, load);
    int const first = ipu % std::max(1, data.target.ipusPerReplica) * tiles;
    for (int &tile : rows) tile += first;
    return rows;
}

Result<BspTimeline> makeBsp(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, std::vector<int> const &rows,
                            JobContext const &job)
{
    BspTimeline bsp;
    bsp.events = placed(blocks.lanes, lane, run);
    if (!bsp.events) return bsp;
    std::map<LaneLod const *, int> patternOf;
    for (auto const &[key, lod] : blocks.lanes)
        if (key.second == lane) patternOf[lod.get()] = key.first;
    std::map<LaneLod const *, std::shared_ptr<BspBlock const>> made;
    for (auto const &placement : bsp.events->placements()) {
        auto &block = made[placement.block.get()];
        if (!block) {
            if (job.cancelled()) return cancelledError("tiles over time");
            auto const events = blocks.report->events(patternOf[placement.block.get()], lane);
            KeptList<std::int64_t> held; // of the latest vector
            block = std::make_shared<BspBlock const>(
                placement.block, events->vec,
                [&](std::int64_t vec) {
                    held = blocks.report->tileVec(static_cast<int>(vec));
                    return std::span<std::int64_t const>(held.data(), held.size());
                },
                rows);
        }
        bsp.blocks.push_back(block);
    }
    return bsp;
}

} // namespace tilewright::views
