#include "engine/report/tile_use.h"

#include "engine/report/distribution.h"

#include <algorithm>
#include <numeric>

namespace tilewright::report {

std::vector<int> worstTiles(std::span<std::int64_t const> withGaps, int most, int first, int end)
{
    int const all = static_cast<int>(withGaps.size());
    first = std::clamp(first, 0, all);
    end = end < 0 ? all : std::clamp(end, first, all);
    std::vector<int> tiles(static_cast<std::size_t>(end - first));
    std::iota(tiles.begin(), tiles.end(), first);
    auto const fuller = [&](int a, int b) {
        auto const x = withGaps[static_cast<std::size_t>(a)], y = withGaps[static_cast<std::size_t>(b)];
        return x != y ? x > y : a < b;
    };
    auto const kept = std::min(tiles.size(), static_cast<std::size_t>(std::max(0, most)));
    std::ranges::partial_sort(tiles, tiles.begin() + static_cast<std::ptrdiff_t>(kept), fuller);
    tiles.resize(kept);
    return tiles;
}

std::vector<UseBin> useBins(std::span<std::int64_t const> used, int most)
{
    std::vector<UseBin> bins;
    if (used.empty() || most < 1) return bins;
    Bytes const largest = std::max<Bytes>(0, *std::ranges::max_element(used));
    Bytes const width = binWidth(largest, most);
    for (Bytes from = 0; from <= largest; from += width) bins.push_back({from, from + width, {}});
    for (std::size_t tile = 0; tile < used.size(); ++tile)
        bins[static_cast<std::size_t>(std::max<Bytes>(0, used[tile]) / width)].tiles.push_back(static_cast<int>(tile));
    return bins;
}

std::vector<IpuUse> useByIpu(ReportData const &data, std::span<std::int64_t const> used)
{
    std::vector<IpuUse> ipus;
    auto const perIpu = static_cast<std::size_t>(std::max(0, data.target.tilesPerIpu));
    for (int ipu = 0; ipu < data.target.ipusPerReplica; ++ipu) {
        IpuUse one;
        one.ipu = ipu;
        one.capacity = data.target.bytesPerTile * data.target.tilesPerIpu;
        for (std::size_t t = static_cast<std::size_t>(ipu) * perIpu;
             t < std::min(used.size(), (static_cast<std::size_t>(ipu) + 1) * perIpu); ++t)
            one.used += used[t];
        for (auto const &verdict : data.verdicts)
            if (verdict.scope == "ipu" && verdict.scopeId == ipu) {
                one.worst = verdict.worstTile;
                one.worstBytes = verdict.bytes;
                one.fits = verdict.fits;
            }
        ipus.push_back(one);
    }
    return ipus;
}

} // namespace tilewright::report
