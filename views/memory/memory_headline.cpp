#include "views/memory/memory_headline.h"

#include "engine/report/quantities.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/figures/tile_memory.h"
#include "views/reports/report_snapshot.h"
#include "views/tiles/tile_grammar.h"
#include "views/wording/tile_memory_text.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace tilewright::views {

using namespace report;

namespace {

constexpr double kOverAverage = 1.5;

std::int64_t valueAt(std::span<std::int64_t const> values, int at)
{
    return at >= 0 && static_cast<std::size_t>(at) < values.size() ? values[static_cast<std::size_t>(at)] : 0;
}

QString nameOf(ReportSnapshot const &report, int tile) { return tileName(tile, report.data().target.ipusPerReplica, report.tilesPerIpu()); }

std::vector<std::int64_t> drawnValues(MemoryChart const &chart)
{
    std::vector<std::int64_t> values;
    values.reserve(chart.tiles.size());
    for (int const tile : chart.tiles) values.push_back(valueAt(chart.values, tile));
    return values;
}

/// The tile with the most bytes placed of the drawn ones; the compile's worst tile if it is among them.
int placedMost(std::span<std::int64_t const> withGaps, std::vector<int> const &drawn, std::optional<TileMemory> const &worst)
{
    if (worst && (drawn.empty() || std::ranges::find(drawn, worst->tile) != drawn.end())) return worst->tile;
    int most = drawn.empty() ? -1 : drawn.front();
    for (int const tile : drawn)
        if (valueAt(withGaps, tile) > valueAt(withGaps, most) || (valueAt(withGaps, tile) == valueAt(withGaps, most) && tile < most))
            most = tile;
    return most;
}

QString evenness(MemoryChart const &chart)
{
    int const over = tilesOverAverage(drawnValues(chart));
    return over == 0 ? Words::tr("tiles evenly filled") : Words::tr("%Ln tile(s) over average by half", nullptr, over);
}

/// Of the whole program: the memory of the worst drawn tile, and evenness.
QStringList wholeProgram(ReportSnapshot const &report, MemoryChart const &chart)
{
    auto const all = worstTileMemory(report);
    auto const &withGaps = report.tileMetric("with_gaps");
    int const tile = worstDrawnTile(report, chart);
    auto const memory = all && all->tile == tile ? *all : tileMemory(report, tile);
    QStringList parts;
    parts << (memory.fits ? Words::tr("%1: %2, %3") : Words::tr("does not fit, %1: %2, %3"))
                 .arg(worstTileText(memory), nameOf(report, tile), placedText(memory));
    if (memory.gaps && *memory.gaps > 0) parts << Words::tr("gaps %1 of it").arg(bytesText(*memory.gaps));
    Bytes code = 0;
    for (auto const &row : report.data().memoryParts)
        if (isCode(row.category)) code += valueAt(report.tileVec(row.vec), tile);
    if (memory.gaps && memory.used() > 0)
        parts << Words::tr("code %1 of the %2 used")
                     .arg(shareText(static_cast<double>(code) / static_cast<double>(memory.used())), bytesText(memory.used()));
    Bytes remote = 0;
    for (auto const &buffer : report.data().remoteBuffers) remote += buffer.bytes;
    if (remote > 0) parts << Words::tr("%1 in streaming memory").arg(bytesText(remote));
    if (!memory.fits && !withGaps.empty()) {
        auto const over = std::count_if(withGaps.begin(), withGaps.end(), [&](auto b) { return b > memory.limit; });
        parts << Words::tr("%1 of %Ln tile(s) over the limit", nullptr, static_cast<int>(withGaps.size())).arg(countText(over));
    } else parts << evenness(chart);
    return parts;
}

/// For values that only some tiles have: the largest, and the number of such tiles.
QStringList someTiles(ReportSnapshot const &report, MemoryChart const &chart, int tile, QString const &largest)
{
    auto const values = drawnValues(chart);
    auto const holding = std::count_if(values.begin(), values.end(), [](auto v) { return v != 0; });
    return {largest.arg(nameOf(report, tile), bytesText(valueAt(chart.values, tile))),
            Words::tr("on %1 of %Ln tile(s)", nullptr, static_cast<int>(values.size())).arg(countText(holding))};
}

} // namespace

MemoryChart chartOf(MemoryPicture const &picture, MemoryOptions options, int step)
{
    options.compare = picture.scene->signedValues;
    // Without a band the machines differ, and nothing was subtracted.
    bool const nothing = options.compare && picture.scene->bands.empty();
    return {options, step, picture.values, nothing ? std::vector<int>{} : picture.order};
}

MemoryChart wholeProgramChart(ReportSnapshot const &report)
{
    return {{}, 0, report.tileMetric("with_gaps"), orderedTiles(report, TileOrder::Logical, {}, -1)};
}

int tilesOverAverage(std::span<std::int64_t const> bytes)
{
    if (bytes.empty()) return 0;
    double const mean = std::accumulate(bytes.begin(), bytes.end(), 0.0) / static_cast<double>(bytes.size());
    return static_cast<int>(
        std::count_if(bytes.begin(), bytes.end(), [&](auto b) { return static_cast<double>(b) > kOverAverage * mean; }));
}

int worstDrawnTile(ReportSnapshot const &report, MemoryChart const &chart)
{
    return placedMost(report.tileMetric("with_gaps"), chart.tiles, worstTileMemory(report));
}

int tallestTile(MemoryChart const &chart)
{
    auto const height = [&](int tile) {
        return chart.options.compare ? std::abs(valueAt(chart.values, tile)) : valueAt(chart.values, tile);
    };
    int tallest = -1;
    for (int const tile : chart.tiles)
        if (tallest < 0 || height(tile) > height(tallest) || (height(tile) == height(tallest) && tile < tallest)) tallest = tile;
    return tallest;
}

QString memoryHeadline(ReportSnapshot const &report, MemoryChart const &chart)
{
    int const tile = tallestTile(chart);
    auto const value = valueAt(chart.values, tile);
    if (tile < 0 && chart.options.compare) return Words::tr("not compared tile by tile");
    if (tile < 0 || chart.values.empty()) return Words::tr("this report has no figures of memory");
    auto const joined = [](QStringList const &parts) { return parts.join(QStringLiteral(" · ")); };
    if (chart.options.compare) {
        if (value == 0) return Words::tr("every tile holds as many bytes as before");
        return joined(
            someTiles(report, chart, tile, value < 0 ? Words::tr("changed most: %1 by %2") : Words::tr("changed most: %1 by +%2")));
    }
    if (value == 0 && chart.options.show != MemoryShow::Whole) return Words::tr("no bytes on any of the tiles shown");
    switch (chart.options.show) {
    case MemoryShow::Whole: return joined(wholeProgram(report, chart));
    case MemoryShow::AtStep:
        return joined({Words::tr("liveness step %1: %2 holds most, %3 live")
                           .arg(countText(chart.step), nameOf(report, tile), bytesOfText(value, report.data().target.bytesPerTile)),
                       evenness(chart)});
    case MemoryShow::Variables: return joined(someTiles(report, chart, tile, Words::tr("chosen variables: most on %1, %2")));
    case MemoryShow::Received: return joined(someTiles(report, chart, tile, Words::tr("%1 received most, %2")));
    case MemoryShow::Sent: return joined(someTiles(report, chart, tile, Words::tr("%1 sent most, %2")));
    }
    return {};
}

} // namespace tilewright::views
