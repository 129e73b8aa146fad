#include "views/insights/memory_ranks.h"

#include "engine/report/quantities.h"
#include "engine/report/tile_use.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/reports/report_snapshot.h"
#include "views/tiles/part_keys.h"
#include "views/tiles/tile_contents.h"
#include "views/tiles/tile_sums.h"
#include "views/wording/labels.h"
#include "views/wording/tile_memory_text.h"

#include <algorithm>
#include <numeric>

namespace tilewright::views {

using namespace report;

namespace {

constexpr char const *kIds[kRanks] = {"peak", "always", "state", "code", "exchange_code", "exchange_bytes"};

std::int64_t valueAt(std::vector<std::int64_t> const &values, int at)
{
    return at >= 0 && static_cast<std::size_t>(at) < values.size() ? values[static_cast<std::size_t>(at)] : 0;
}

double shareOf(Bytes bytes, Bytes all) { return all > 0 ? static_cast<double>(bytes) / static_cast<double>(all) : 0; }

Selected one(SelectionKind kind, int id)
{
    Selected selected;
    selected.kind = kind;
    selected.ids = {id};
    return selected;
}

/// Tiles of a scope as a range over the replica.
std::pair<int, int> tilesOf(ReportSnapshot const &report, RankScope scope)
{
    if (scope.kind == RankScope::Tile) return {scope.id, scope.id + 1};
    if (scope.kind == RankScope::Ipu) return {scope.id * report.tilesPerIpu(), (scope.id + 1) * report.tilesPerIpu()};
    return {0, report.tiles()};
}

void rankLive(ReportSnapshot const &report, Ranking &ranking, RankScope scope, TileContents const &contents)
{
    auto const [first, end] = tilesOf(report, scope);
    bool const always = ranking.what == RankOf::AlwaysVariables;
    for (auto const &item : liveItems(report, contents, ranking.step, [first = first, end = end](TileContents::Group const &group) {
             return tilesBetween(group, first, end);
         })) {
        if (item.alwaysLive != always) continue;
        bool const known = item.variable >= 0 && item.variable < static_cast<int>(report.data().variables.size());
        ranking.rows.push_back(
            {known ? text(report.data().variables[static_cast<std::size_t>(item.variable)].name) : categoryText(item.category), item.bytes,
             known ? one(SelectionKind::Variable, item.variable) : Selected{}});
    }
}

void rankSums(ReportSnapshot const &report, Ranking &ranking, RankScope scope, TileSums const &sums)
{
    auto const &d = report.data();
    if (ranking.what == RankOf::VertexState || ranking.what == RankOf::VertexCode) {
        auto const &bytes = ranking.what == RankOf::VertexState ? sums.typeState : sums.typeCode;
        for (int type = 0; type < static_cast<int>(d.vertexTypes.size()); ++type)
            ranking.rows.push_back(
                {text(d.vertexTypes[static_cast<std::size_t>(type)].name), valueAt(bytes, type), one(SelectionKind::VertexType, type)});
        return;
    }
    for (int row = 0; row < static_cast<int>(d.exchanges.size()); ++row) {
        auto const &exchange = d.exchanges[static_cast<std::size_t>(row)];
        Bytes const moved = scope.kind == RankScope::Model ? bytesMoved(exchange)
                                                           : std::max(valueAt(sums.exchangeReceived, row), valueAt(sums.exchangeSent, row));
        bool const known = exchange.program >= 0 && exchange.program < static_cast<int>(d.programs.size());
        ranking.rows.push_back({known ? text(d.programs[static_cast<std::size_t>(exchange.program)].name) : QString(),
                                ranking.what == RankOf::ExchangeCode ? valueAt(sums.exchangeCode, row) : moved,
                                known ? one(SelectionKind::Program, exchange.program) : Selected{}});
    }
}

Column name(QString title, std::function<QString(int)> words)
{
    return Column{std::move(title), std::move(words), {}, {}, {}, false, {}, kGrid * 30};
}

Column bytes(QString title, std::function<Bytes(int)> value, std::function<double(int)> bar = {})
{
    return Column{std::move(title),
                  [value](int row) { return bytesText(value(row)); },
                  [value](int row) { return QVariant::fromValue<qlonglong>(value(row)); },
                  [value](int row) { return bytesExact(value(row)); },
                  std::move(bar),
                  true,
                  {},
                  kGrid * 18};
}

Column share(QString title, std::function<double(int)> value, std::function<double(int)> bar = {})
{
    return Column{std::move(title),
                  [value](int row) { return shareText(value(row)); },
                  [value](int row) { return QVariant(value(row)); },
                  {},
                  std::move(bar),
                  true,
                  {},
                  kGrid * 15};
}

} // namespace

QString rankName(RankOf what)
{
    switch (what) {
    case RankOf::PeakVariables: return Words::tr("Variables at the peak");
    case RankOf::AlwaysVariables: return Words::tr("Variables that always live");
    case RankOf::VertexState: return Words::tr("Vertices by state");
    case RankOf::VertexCode: return Words::tr("Vertices by code");
    case RankOf::ExchangeCode: return Words::tr("Exchanges by code");
    case RankOf::ExchangeBytes: return Words::tr("Exchanges by bytes moved");
    }
    return {};
}

char const *idOf(RankOf what) { return kIds[static_cast<std::size_t>(what)]; }

RankOf parseRank(QString const &id)
{
    for (int i = 0; i < kRanks; ++i)
        if (id == QLatin1String(kIds[i])) return static_cast<RankOf>(i);
    return RankOf::PeakVariables;
}

bool needsContents(RankOf what) { return what == RankOf::PeakVariables || what == RankOf::AlwaysVariables; }

QString scopeName(ReportPtr const &report, RankScope scope)
{
    switch (scope.kind) {
    case RankScope::Model: return Words::tr("whole model");
    case RankScope::Ipu: return Words::tr("IPU %1").arg(scope.id);
    case RankScope::Tile: return tileLabel(report->data(), scope.id);
    }
    return {};
}

int peakStepOf(ReportPtr const &report, RankScope scope)
{
    if (scope.kind == RankScope::Tile) {
        auto const steps = report->tileMetric("peak_step");
        return scope.id >= 0 && static_cast<std::size_t>(scope.id) < steps.size()
            ? static_cast<int>(steps[static_cast<std::size_t>(scope.id)])
            : -1;
    }
    auto const curve = report->liveCurve(scope.kind == RankScope::Ipu ? "ipu" : "all", scope.kind == RankScope::Ipu ? scope.id : 0);
    return curve->notAlwaysLive.empty() ? -1 : curve->peakStep;
}

Ranking rankingOf(ReportPtr const &report, RankOf what, RankScope scope, std::shared_ptr<TileContents const> const &contents,
                  JobContext const &job)
{
    Ranking ranking;
    ranking.what = what;
    QString title = rankName(what);
    if (needsContents(what)) {
        ranking.step = peakStepOf(report, scope);
        if (contents && ranking.step >= 0) rankLive(*report, ranking, scope, *contents);
        if (what == RankOf::PeakVariables && ranking.step >= 0) {
            title = Words::tr("Variables at the peak, liveness step %1").arg(ranking.step);
            ranking.note = Words::tr("Without what always lives.");
        }
    } else {
        std::vector<int> tiles;
        if (scope.kind != RankScope::Model) {
            auto const [first, end] = tilesOf(*report, scope);
            tiles.resize(static_cast<std::size_t>(std::max(0, end - first)));
            std::iota(tiles.begin(), tiles.end(), first);
        }
        if (auto const sums = tileSums(report, tiles, job)) rankSums(*report, ranking, scope, *sums);
        if (what == RankOf::VertexState && scope.kind != RankScope::Model)
            ranking.note = Words::tr("By the share of a compute set's vertices that lie there.");
        if (what == RankOf::ExchangeBytes && scope.kind != RankScope::Model)
            ranking.note = Words::tr("The larger of the bytes sent and received there, in one execution.");
        if (what == RankOf::ExchangeBytes && scope.kind == RankScope::Model) ranking.note = Words::tr("In one execution.");
    }
    std::erase_if(ranking.rows, [](RankRow const &row) { return row.bytes <= 0; });
    std::ranges::stable_sort(ranking.rows, [](auto const &a, auto const &b) { return a.bytes > b.bytes; });
    for (auto const &row : ranking.rows) ranking.all += row.bytes;
    ranking.title = QStringLiteral("%1 · %2").arg(title, scopeName(report, scope));
    return ranking;
}

std::vector<Column> rankColumns(std::shared_ptr<Ranking const> const &ranking)
{
    auto const *r = ranking.get(); // kept alive by the model
    auto const at = [r](int row) -> RankRow const & { return r->rows[static_cast<std::size_t>(row)]; };
    QString const what = needsContents(r->what)                           ? Words::tr("Variable")
        : r->what == RankOf::VertexState || r->what == RankOf::VertexCode ? Words::tr("Vertex type")
                                                                          : Words::tr("Exchange");
    auto const part = [r, at](int row) { return shareOf(at(row).bytes, r->all); };
    return {name(what, [at](int row) { return at(row).name; }), bytes(Words::tr("Bytes"), [at](int row) { return at(row).bytes; }),
            share(Words::tr("Share"), part, part)};
}

std::vector<Column> tileColumns(ReportPtr const &report, std::shared_ptr<std::vector<int> const> const &tiles)
{
    struct Metrics {
        KeptList<std::int64_t> with, without, need;
    };
    auto const metrics =
        std::make_shared<Metrics>(Metrics{report->tileMetric("with_gaps"), report->tileMetric("without_gaps"), report->tileMetric("need")});
    Bytes const capacity = report->data().target.bytesPerTile;
    auto const tile = [tiles](int row) { return (*tiles)[static_cast<std::size_t>(row)]; };
    auto const with = [metrics, tile](int row) { return valueAt(metrics->with, tile(row)); };
    auto const used = [metrics, tile](int row) { return valueAt(metrics->without, tile(row)); };
    auto const part = [with, capacity](int row) { return shareOf(with(row), capacity); };
    std::vector<Column> columns{
        name(Words::tr("Tile"), [report, tile](int row) { return tileLabel(report->data(), tile(row)); }),
        bytes(tileFigureName(TileFigure::Placed), with),
        share(Words::tr("Share"), part, part),
        bytes(Words::tr("Used"), used),
        bytes(tileFigureName(TileFigure::Gaps), [with, used](int row) { return std::max<Bytes>(0, with(row) - used(row)); }),
        bytes(tileFigureName(TileFigure::Need), [metrics, tile](int row) { return valueAt(metrics->need, tile(row)); })};
    for (std::size_t i = 3; i < columns.size(); ++i) columns[i].optional = true; // in a narrow dock: the decisive columns
    columns[0].value = [tile](int row) { return QVariant(tile(row)); };
    columns[0].tip = [](int) { return QString(); };
    columns[0].width = kGrid * 26;
    return columns;
}

std::vector<Column> ipuColumns(ReportPtr const &report)
{
    auto const without = report->tileMetric("without_gaps");
    auto const rows = std::make_shared<std::vector<IpuUse> const>(useByIpu(report->data(), *without));
    auto const at = [rows](int row) -> IpuUse const & { return (*rows)[static_cast<std::size_t>(row)]; };
    auto const part = [at](int row) { return at(row).share(); };
    std::vector<Column> columns{
        name(Words::tr("IPU"), [at](int row) { return Words::tr("IPU %1").arg(at(row).ipu); }),
        bytes(Words::tr("Used"), [at](int row) { return at(row).used; }), share(Words::tr("Share"), part, part),
        name(Words::tr("Worst tile"),
             [report, at](int row) { return at(row).worst >= 0 ? tileLabel(report->data(), at(row).worst) : QString(); }),
        bytes(Words::tr("Placed on it"), [at](int row) { return at(row).worstBytes; })};
    columns[0].value = [at](int row) { return QVariant(at(row).ipu); };
    columns[0].width = kGrid * 14;
    columns[3].value = [at](int row) { return QVariant(at(row).worst); };
    return columns;
}

} // namespace tilewright::views
