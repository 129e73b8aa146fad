#include "views/memory/memory_facts.h"

#include "engine/report/quantities.h"

#include "views/common/format.h"
#include "views/figures/tile_memory.h"
#include "views/reports/report_snapshot.h"
#include "views/tiles/tile_grammar.h"
#include "views/wording/tile_memory_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace tilewright::views {

using namespace report;

namespace {

QString words(char const *text) { return QCoreApplication::translate("views", text); }

std::int64_t valueAt(std::vector<std::int64_t> const &values, int at)
{
    return at >= 0 && at < static_cast<int>(values.size()) ? values[static_cast<std::size_t>(at)] : 0;
}

/// One vector per key, spread from the groups.
template <typename F> std::vector<std::vector<std::int64_t>> dealtOut(TileContents const &contents, std::size_t keys, F bytesOf)
{
    std::vector<std::vector<std::int64_t>> all(keys, std::vector<std::int64_t>(contents.groupOf.size(), 0));
    for (auto const &group : contents.groups) {
        auto const bytes = bytesOf(group);
        for (std::size_t k = 0; k < keys; ++k)
            if (bytes[k] != 0)
                for (int const tile : group.tiles)
                    if (tile < static_cast<int>(contents.groupOf.size())) all[k][static_cast<std::size_t>(tile)] = bytes[k];
    }
    return all;
}

void addPart(std::vector<MemoryPart> &parts, PartKey key, std::vector<std::int64_t> bytes)
{
    if (std::any_of(bytes.begin(), bytes.end(), [](auto b) { return b != 0; })) parts.push_back({std::move(key), std::move(bytes)});
}

QString causeText(std::string const &cause)
{
    if (cause == "executable_region")
        return words(QT_TRANSLATE_NOOP("views", "The region that may hold code is full, though the tile has room elsewhere."));
    if (cause == "interleaved_region")
        return words(QT_TRANSLATE_NOOP("views", "The interleaved region is full, though the tile has room elsewhere."));
    if (cause == "gaps")
        return words(QT_TRANSLATE_NOOP(
            "views", "The live data would fit together, but no gap between them is large enough for the data that must be placed there."));
    return words(QT_TRANSLATE_NOOP("views", "The bytes needed at the same time are more than the tile has."));
}

} // namespace

bool gapsFillTiles(ReportSnapshot const &report)
{
    constexpr double kMost = 0.8;
    auto const sum = [&](char const *name) {
        auto const &values = report.tileMetric(name);
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    return sum("without_gaps") < (1 - kMost) * sum("with_gaps");
}

std::vector<MemoryPart> wholeProgramParts(ReportSnapshot const &report, TileContents const &contents, Breakdown by, bool gaps)
{
    std::vector<MemoryPart> parts;
    auto const &without = report.tileMetric("without_gaps");
    if (by == Breakdown::None || contents.groups.empty()) {
        addPart(parts, partKeys(report, Breakdown::None).keys.front(), without);
    } else {
        auto const keys = partKeys(report, by);
        auto bytes = dealtOut(contents, keys.keys.size() + 1, [&](auto const &group) { return addressesByKey(group.items, keys); });
        for (std::size_t k = 0; k < bytes.size(); ++k)
            addPart(parts, k < keys.keys.size() ? keys.keys[k] : mixedKey(), std::move(bytes[k]));
    }
    if (gaps) {
        std::vector<std::int64_t> gap = report.tileMetric("with_gaps");
        for (std::size_t t = 0; t < gap.size(); ++t) gap[t] -= valueAt(without, static_cast<int>(t));
        addPart(parts, {words(QT_TRANSLATE_NOOP("views", "gaps")), Token::Idle, 0}, std::move(gap));
    }
    return parts;
}

std::vector<MemoryPart> partsAtStep(ReportSnapshot const &report, TileContents const &contents, Breakdown by, int step)
{
    std::vector<MemoryPart> parts;
    auto const keys = partKeys(report, by);
    auto bytes =
        dealtOut(contents, keys.keys.size(), [&](auto const &group) { return liveByKey(group.items, keys, contents.lives, step); });
    for (std::size_t k = 0; k < bytes.size(); ++k) addPart(parts, keys.keys[k], std::move(bytes[k]));
    return parts;
}

std::vector<std::int64_t> sumOf(std::vector<MemoryPart> const &parts, int tiles)
{
    std::vector<std::int64_t> sum(static_cast<std::size_t>(std::max(0, tiles)), 0);
    for (auto const &part : parts)
        for (std::size_t t = 0; t < std::min(sum.size(), part.bytes.size()); ++t) sum[t] += part.bytes[t];
    return sum;
}

std::vector<int> orderedTiles(ReportSnapshot const &report, TileOrder order, std::span<std::int64_t const> values, int ipu)
{
    int const per = std::max(1, report.tilesPerIpu());
    std::vector<int> tiles(static_cast<std::size_t>(ipu < 0 ? report.tiles() : std::min(per, report.tiles())));
    std::iota(tiles.begin(), tiles.end(), ipu < 0 ? 0 : ipu * per);
    auto const &places = report.data().tilePlaces;
    auto const valueOf = [&](int tile) { return tile < static_cast<int>(values.size()) ? values[static_cast<std::size_t>(tile)] : 0; };
    if (order == TileOrder::Sorted) std::stable_sort(tiles.begin(), tiles.end(), [&](int a, int b) { return valueOf(a) > valueOf(b); });
    if (order == TileOrder::Physical && places.size() >= static_cast<std::size_t>(per))
        std::stable_sort(tiles.begin(), tiles.end(), [&](int a, int b) {
            auto const &p = places[static_cast<std::size_t>(a % per)], &q = places[static_cast<std::size_t>(b % per)];
            return std::tuple(a / per, p.y, p.x) < std::tuple(b / per, q.y, q.x);
        });
    return tiles;
}

MemoryCause memoryCause(ReportSnapshot const &report)
{
    MemoryCause cause;
    auto const *verdict = verdictOfAll(report.data());
    if (!verdict || verdict->fits) return cause;
    auto const &d = report.data();
    cause.worstTile = verdict->worstTile;
    QString const name = tileName(verdict->worstTile, d.target.ipusPerReplica, report.tilesPerIpu());
    cause.text = words(QT_TRANSLATE_NOOP("views", "%1 has %2 more placed than its limit of %3. %4"))
                     .arg(name.left(1).toUpper() + name.mid(1), bytesText(verdict->bytes - verdict->capacity), bytesText(verdict->capacity),
                          causeText(verdict->cause));
    // The largest variables there show what to change.
    QStringList names;
    for (auto const &[variable, bytes] : largestOnWorstTile(d).variables)
        if (names.size() < 3)
            names << QStringLiteral("%1 %2").arg(QString::fromStdString(d.variables[static_cast<std::size_t>(variable)].name),
                                                 bytesText(bytes));
    if (!names.isEmpty()) cause.advice << largestAtPeakText(names.join(QStringLiteral(", ")));
    // Remedies are tried before they are offered, by Insights; a list of guesses here contradicted it.
    cause.advice << words(
        QT_TRANSLATE_NOOP("views", "With the project open, Insights tries changes by compiling them and offers those that fit."));
    return cause;
}

MemoryDifference memoryDifference(ReportSnapshot const &report, ReportSnapshot const &before, char const *metric)
{
    MemoryDifference difference;
    auto const &a = report.data().target, &b = before.data().target;
    auto const &after = report.tileMetric(metric), &past = before.tileMetric(metric);
    bool const same = a.architecture == b.architecture && a.tilesPerIpu == b.tilesPerIpu && a.ipusPerReplica == b.ipusPerReplica
        && after.size() == past.size();
    if (!same || after.empty()) {
        difference.note =
            words(QT_TRANSLATE_NOOP("views",
                                    "Not compared by tile: %1 has %2 tiles on %3 IPUs, %4 has %5 on %6. See their summaries side by side."))
                .arg(report.title())
                .arg(report.tiles())
                .arg(a.ipusPerReplica)
                .arg(before.title())
                .arg(before.tiles())
                .arg(b.ipusPerReplica);
        return difference;
    }
    difference.comparable = true;
    difference.bytes.resize(after.size());
    Bytes sum = 0;
    std::int64_t changed = 0;
    for (std::size_t t = 0; t < after.size(); ++t) {
        difference.bytes[t] = after[t] - past[t];
        sum += difference.bytes[t];
        changed += difference.bytes[t] != 0;
    }
    difference.note = changed == 0
        ? words(QT_TRANSLATE_NOOP("views", "Every tile holds as many bytes as in %1.")).arg(before.title())
        : words(QT_TRANSLATE_NOOP("views", "Compared with %1, tile by tile: %2 of %3 tiles differ, %4%5 in all."))
              .arg(before.title(), countText(changed), countText(static_cast<std::int64_t>(after.size())),
                   sum < 0 ? QStringLiteral("−") : QStringLiteral("+"), bytesText(sum < 0 ? -sum : sum));
    return difference;
}

std::vector<TileReason> whyThisTile(ReportSnapshot const &report, TileContents const &contents, int tile, int *medianTile)
{
    std::vector<TileReason> reasons;
    auto const *here = contents.of(tile);
    auto const &bytes = report.tileMetric("without_gaps");
    int const per = std::max(1, report.tilesPerIpu());
    if (!here || bytes.empty()) return reasons;
    std::vector<int> tiles;
    for (int t = tile / per * per; t < std::min(report.tiles(), (tile / per + 1) * per); ++t) tiles.push_back(t);
    std::sort(tiles.begin(), tiles.end(), [&](int a, int b) { return std::pair(valueAt(bytes, a), a) < std::pair(valueAt(bytes, b), b); });
    int const median = tiles[tiles.size() / 2];
    if (medianTile) *medianTile = median;
    std::map<std::pair<int, int>, TileReason> all; // by variable, by category
    auto const &variables = report.data().variables;
    auto const add = [&](TileContents::Group const &group, Bytes TileReason::*where) {
        for (auto const &item : group.items) {
            auto &reason = all[{item.variable, item.variable >= 0 ? 0 : static_cast<int>(item.category)}];
            bool const known = item.variable >= 0 && item.variable < static_cast<int>(variables.size());
            reason.variable = known ? item.variable : -1;
            reason.name =
                known ? QString::fromStdString(variables[static_cast<std::size_t>(item.variable)].name) : categoryText(item.category);
            reason.*where += item.bytes;
        }
    };
    add(*here, &TileReason::here);
    if (auto const *other = contents.of(median)) add(*other, &TileReason::median);
    for (auto &[key, reason] : all)
        if (reason.difference() != 0) reasons.push_back(std::move(reason));
    std::stable_sort(reasons.begin(), reasons.end(),
                     [](auto const &a, auto const &b) { return std::abs(a.difference()) > std::abs(b.difference()); });
    return reasons;
}

QString tileTip(ReportSnapshot const &report, int tile)
{
    auto const &d = report.data();
    QStringList lines{tileName(tile, d.target.ipusPerReplica, report.tilesPerIpu())};
    auto const index = static_cast<std::size_t>(tile % std::max(1, report.tilesPerIpu()));
    if (index < d.tilePlaces.size()) {
        auto const &place = d.tilePlaces[index];
        lines.front() += words(QT_TRANSLATE_NOOP("views", ", column %1, row %2%3"))
                             .arg(place.x)
                             .arg(place.y)
                             .arg(place.io ? words(QT_TRANSLATE_NOOP("views", ", IO")) : QString());
    }
    lines << tileMemoryTip(tileMemory(report, tile));
    return lines.join(QLatin1Char('\n'));
}

} // namespace tilewright::views
