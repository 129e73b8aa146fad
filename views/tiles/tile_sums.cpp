#include "views/tiles/tile_sums.h"

#include "views/reports/report_snapshot.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::views {

namespace {

std::int64_t largestOf(std::vector<std::int64_t> const &values, std::vector<int> const &tiles)
{
    std::int64_t most = 0;
    if (tiles.empty())
        for (auto const value : values) most = std::max(most, value);
    for (int const tile : tiles)
        if (tile >= 0 && tile < static_cast<int>(values.size())) most = std::max(most, values[static_cast<std::size_t>(tile)]);
    return most;
}

} // namespace

std::int64_t sumOver(std::vector<std::int64_t> const &values, std::vector<int> const &tiles)
{
    if (tiles.empty()) return std::accumulate(values.begin(), values.end(), std::int64_t{0});
    std::int64_t sum = 0;
    for (int const tile : tiles)
        if (tile >= 0 && tile < static_cast<int>(values.size())) sum += values[static_cast<std::size_t>(tile)];
    return sum;
}

std::shared_ptr<TileSums const> tileSums(ReportPtr const &report, std::vector<int> const &tiles, JobContext const &job)
{
    auto sums = std::make_shared<TileSums>();
    auto const &d = report->data();
    sums->all = tiles.empty();
    sums->tiles = tiles.empty() ? report->tiles() : static_cast<int>(tiles.size());
    for (auto const &row : d.variables) {
        if (job.cancelled()) return nullptr;
        sums->variableBytes.push_back(tiles.empty() ? row.bytes : sumOver(report->tileVec(row.bytesVec), tiles));
    }
    sums->setVertices.assign(d.computeSets.size(), 0);
    sums->typeVertices.assign(d.vertexTypes.size(), 0);
    sums->typeState.assign(d.vertexTypes.size(), 0);
    for (auto const &row : d.computeSets) {
        if (job.cancelled()) return nullptr;
        sums->setCycles.push_back(tiles.empty() ? row.cyclesMax : largestOf(report->tileVec(row.cyclesVec), tiles));
    }
    for (auto const &row : d.computeSetVertices) {
        auto const count = tiles.empty() ? row.count : sumOver(report->tileVec(row.countVec), tiles);
        if (row.computeSet >= 0 && row.computeSet < static_cast<int>(d.computeSets.size()))
            sums->setVertices[static_cast<std::size_t>(row.computeSet)] += count;
        if (row.vertexType < 0 || row.vertexType >= static_cast<int>(d.vertexTypes.size())) continue;
        auto const type = static_cast<std::size_t>(row.vertexType);
        sums->typeVertices[type] += count;
        sums->typeState[type] += row.count > 0
            ? std::llround(static_cast<double>(row.stateBytes) * static_cast<double>(count) / static_cast<double>(row.count))
            : 0;
    }
    for (auto const &row : d.vertexTypes) sums->typeCode.push_back(sumOver(report->tileVec(row.codeVec), tiles));
    for (auto const &row : d.exchanges) {
        if (job.cancelled()) return nullptr;
        sums->exchangeSent.push_back(tiles.empty() ? row.bytesSent : sumOver(report->tileVec(row.sentVec), tiles));
        sums->exchangeReceived.push_back(tiles.empty() ? row.bytesReceived : sumOver(report->tileVec(row.receivedVec), tiles));
        sums->exchangeCode.push_back(sumOver(report->tileVec(row.codeVec), tiles));
    }
    return sums;
}

} // namespace tilewright::views
