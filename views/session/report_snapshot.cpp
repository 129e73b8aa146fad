#include "views/session/report_snapshot.h"

#include "engine/store/derived.h"
#include "engine/store/report_reader.h"

#include <QStringList>

#include <map>
#include <mutex>

namespace tilewright::views {

using namespace report;

namespace {

/// Rows of two ids as "all b of a", in the order they stood.
struct Index {
    std::vector<int> begin, items;
    std::span<int const> of(int id) const
    {
        if (id < 0 || id + 1 >= static_cast<int>(begin.size())) return {};
        auto const from = static_cast<std::size_t>(begin[static_cast<std::size_t>(id)]);
        auto const to = static_cast<std::size_t>(begin[static_cast<std::size_t>(id) + 1]);
        return {items.data() + from, to - from};
    }
};

template <typename Rows, typename Key, typename Value> Index indexOf(std::size_t keys, Rows const &rows, Key key, Value value)
{
    Index index;
    index.begin.assign(keys + 1, 0);
    auto const valid = [&](auto const &row) { return key(row) >= 0 && static_cast<std::size_t>(key(row)) < keys; };
    for (auto const &row : rows)
        if (valid(row)) ++index.begin[static_cast<std::size_t>(key(row)) + 1];
    for (std::size_t i = 0; i < keys; ++i) index.begin[i + 1] += index.begin[i];
    index.items.resize(static_cast<std::size_t>(index.begin.back()));
    auto at = index.begin;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (valid(rows[i])) index.items[static_cast<std::size_t>(at[static_cast<std::size_t>(key(rows[i]))]++)] = value(rows[i], static_cast<int>(i));
    return index;
}

template <typename T> Status fetch(store::ReportReader const &reader, std::vector<T> &rows)
{
    TW_ASSIGN(rows, reader.rows<T>());
    return {};
}

} // namespace

struct ReportSnapshot::Impl {
    std::shared_ptr<store::ReportReader const> reader; ///< null: in memory
    ReportData data;
    QString path, name;
    bool whole = false, live = false;

    mutable std::mutex mutex; ///< of everything below
    mutable std::map<int, std::vector<std::int64_t>> vecs;
    mutable std::map<std::pair<std::string, int>, LiveCurveRow> curves;
    mutable std::map<std::pair<int, int>, EventColumns> events;
    mutable std::vector<int> tileLayouts;
    mutable bool layoutsKnown = false;
    mutable std::map<int, std::vector<PlacedBytes>> placed;

    mutable std::once_flag indexed;
    mutable Index programsOfOp, opsOfProgram, children, childOps, variables, steps;
    mutable std::vector<int> exchangeOf, layerOf;

    void index() const
    {
        std::call_once(indexed, [this] {
            std::size_t const ops = data.ops.size(), programs = data.programs.size();
            programsOfOp = indexOf(ops, data.opPrograms, [](auto const &r) { return r.op; }, [](auto const &r, int) { return r.program; });
            opsOfProgram = indexOf(programs, data.opPrograms, [](auto const &r) { return r.program; }, [](auto const &r, int) { return r.op; });
            children = indexOf(programs, data.programChildren, [](auto const &r) { return r.parent; }, [](auto const &r, int) { return r.child; });
            childOps = indexOf(ops, data.ops, [](auto const &r) { return r.parent; }, [](auto const &, int i) { return i; });
            variables = indexOf(programs, data.programVariables, [](auto const &r) { return r.program; }, [](auto const &r, int) { return r.variable; });
            steps = indexOf(programs, data.livenessSteps, [](auto const &r) { return r.program; }, [](auto const &, int i) { return i; });
            exchangeOf.assign(programs, kNone);
            for (std::size_t i = 0; i < data.exchanges.size(); ++i)
                if (int const p = data.exchanges[i].program; p >= 0 && p < static_cast<int>(programs)) exchangeOf[static_cast<std::size_t>(p)] = static_cast<int>(i);
            layerOf.assign(ops, kNone);
            for (std::size_t i = 0; i < ops; ++i) {
                int at = static_cast<int>(i);
                for (int depth = 0; at >= 0 && at < static_cast<int>(ops) && depth < 64; ++depth) {
                    auto const &row = data.ops[static_cast<std::size_t>(at)];
                    if (row.level == "keras" && row.kind != kSyntheticKind) {
                        layerOf[i] = at;
                        break;
                    }
                    at = row.parent;
                }
            }
        });
    }
};

ReportSnapshot::ReportSnapshot() : m(std::make_unique<Impl>()) {}
ReportSnapshot::~ReportSnapshot() = default;

namespace {

Status readHead(store::ReportReader const &reader, ReportData &data)
{
    TW_ASSIGN(data.meta, reader.meta());
    TW_ASSIGN(data.parts, reader.parts());
    TW_ASSIGN(data.target, reader.target());
    TW_TRY(fetch(reader, data.options));
    TW_TRY(fetch(reader, data.figures));
    TW_TRY(fetch(reader, data.ipus));
    TW_TRY(fetch(reader, data.stages));
    TW_TRY(fetch(reader, data.memoryRegions));
    TW_TRY(fetch(reader, data.verdicts));
    TW_TRY(fetch(reader, data.runs));
    TW_TRY(fetch(reader, data.patterns));
    TW_TRY(fetch(reader, data.patternPlaces));
    TW_TRY(fetch(reader, data.ipuSplits));
    TW_TRY(fetch(reader, data.insights));
    TW_TRY(fetch(reader, data.tileMetrics));
    return fetch(reader, data.memoryParts);
}

Status readRest(store::ReportReader const &reader, ReportData &data, JobContext const &job)
{
    Status status;
    auto const all = [&](auto &...rows) {
        auto const one = [&](auto &table) {
            if (status.ok() && !job.cancelled()) status = fetch(reader, table);
        };
        (one(rows), ...);
    };
    all(data.tilePlaces, data.links, data.debugContexts, data.ops, data.opEdges, data.opPrograms, data.programs, data.programChildren,
        data.functions, data.programVariables, data.vertexTypes, data.computeSets, data.computeSetVertices, data.exchanges, data.streams,
        data.variables, data.livenessClasses, data.livenessIntervals, data.livenessSteps, data.livePeaks, data.remoteBuffers);
    all(data.lanes, data.eventTypes, data.stepStats, data.stepOutliers, data.runTileMetrics, data.stageTasks, data.bubbles, data.flows,
        data.criticals, data.compilePasses, data.series, data.heatmaps, data.heatmapColumns, data.log);
    if (status.ok() && !job.cancelled()) {
        TW_ASSIGN(data.tileLayout, reader.tileLayouts());
    }
    if (status.ok() && job.cancelled()) return cancelledError(reader.path().string());
    return status;
}

} // namespace

Result<std::shared_ptr<ReportSnapshot const>> ReportSnapshot::openHead(QString const &path)
{
    TW_ASSIGN(auto reader, store::ReportReader::open(path.toStdString()));
    std::shared_ptr<ReportSnapshot> snapshot(new ReportSnapshot);
    snapshot->m->reader = reader;
    snapshot->m->path = path;
    snapshot->m->live = reader->isLive();
    TW_TRY(readHead(*reader, snapshot->m->data));
    return std::shared_ptr<ReportSnapshot const>(snapshot);
}

Result<std::shared_ptr<ReportSnapshot const>> ReportSnapshot::open(QString const &path, JobContext const &job)
{
    TW_ASSIGN(auto reader, store::ReportReader::open(path.toStdString()));
    std::shared_ptr<ReportSnapshot> snapshot(new ReportSnapshot);
    snapshot->m->reader = reader;
    snapshot->m->path = path;
    snapshot->m->live = reader->isLive();
    TW_TRY(readHead(*reader, snapshot->m->data));
    TW_TRY(readRest(*reader, snapshot->m->data, job));
    snapshot->m->whole = true;
    snapshot->m->index();
    return std::shared_ptr<ReportSnapshot const>(snapshot);
}

std::shared_ptr<ReportSnapshot const> ReportSnapshot::ofData(ReportData data, QString const &name)
{
    std::shared_ptr<ReportSnapshot> snapshot(new ReportSnapshot);
    snapshot->m->data = std::move(data);
    snapshot->m->name = name;
    snapshot->m->whole = true;
    snapshot->m->index();
    return snapshot;
}

QString ReportSnapshot::path() const { return m->path; }
bool ReportSnapshot::isWhole() const { return m->whole; }
bool ReportSnapshot::isLive() const { return m->live; }
ReportData const &ReportSnapshot::data() const { return m->data; }

QString ReportSnapshot::title() const
{
    if (auto const it = m->data.meta.find("title"); it != m->data.meta.end() && !it->second.empty()) return QString::fromStdString(it->second);
    return m->name;
}

QString ReportSnapshot::uuid() const
{
    auto const it = m->data.meta.find("report_uuid");
    return it == m->data.meta.end() ? QString() : QString::fromStdString(it->second);
}

std::optional<double> ReportSnapshot::figure(char const *name) const
{
    for (auto const &row : m->data.figures)
        if (row.name == name) return row.value;
    return std::nullopt;
}

QString ReportSnapshot::figureText(char const *name) const
{
    auto const value = figure(name);
    return value ? QString::number(*value, 'g', 15) : QString();
}

PartRow const *ReportSnapshot::part(char const *name) const
{
    for (auto const &row : m->data.parts)
        if (row.name == name) return &row;
    return nullptr;
}

int ReportSnapshot::tilesPerIpu() const { return m->data.target.tilesPerIpu; }
int ReportSnapshot::tiles() const { return m->data.target.tilesPerIpu * std::max(1, m->data.target.ipusPerReplica); }

std::vector<std::int64_t> const &ReportSnapshot::tileVec(int id) const
{
    static std::vector<std::int64_t> const none;
    if (id < 0) return none;
    if (!m->reader) return m->data.tileVecs.valid(id) ? m->data.tileVecs.values(id) : none;
    {
        std::lock_guard const lock(m->mutex);
        if (auto const it = m->vecs.find(id); it != m->vecs.end()) return it->second;
    }
    auto values = m->reader->tileVec(id);
    std::lock_guard const lock(m->mutex);
    return m->vecs.try_emplace(id, values.ok() ? std::move(values).value() : none).first->second;
}

std::vector<std::int64_t> const &ReportSnapshot::tileMetric(char const *name) const
{
    for (auto const &row : m->data.tileMetrics)
        if (row.name == name) return tileVec(row.vec);
    return tileVec(kNone);
}

std::vector<std::int64_t> const &ReportSnapshot::runTileMetric(int run, char const *name) const
{
    for (auto const &row : m->data.runTileMetrics)
        if (row.run == run && row.name == name) return tileVec(row.vec);
    return tileVec(kNone);
}

std::vector<PlacedBytes> ReportSnapshot::placedOn(int tile) const
{
    if (tile < 0 || !m->whole) return {}; // a head knows no variable that could be placed
    std::lock_guard const lock(m->mutex);
    std::vector<PlacedBytes> result;
    if (m->reader) {
        if (!m->layoutsKnown) {
            if (auto layouts = m->reader->tileLayouts(); layouts.ok()) m->tileLayouts = std::move(layouts).value();
            m->layoutsKnown = true;
        }
    }
    auto const &layouts = m->reader ? m->tileLayouts : m->data.tileLayout;
    if (tile >= static_cast<int>(layouts.size())) return {};
    int const layout = layouts[static_cast<std::size_t>(tile)];
    if (layout < 0) return {};
    if (auto const it = m->placed.find(layout); it != m->placed.end()) return it->second;
    TileLayout items;
    if (m->reader) {
        if (auto read = m->reader->layout(layout); read.ok()) items = std::move(read).value();
    } else if (layout < static_cast<int>(m->data.layouts.size())) {
        items = m->data.layouts[static_cast<std::size_t>(layout)];
    }
    Bytes end = 0;
    for (auto const &item : items) {
        result.push_back({item, std::max<Bytes>(0, item.offset - end)});
        // Nobody is to look up what a damaged file names and does not hold.
        if (item.variable >= static_cast<int>(m->data.variables.size())) result.back().item.variable = kNone;
        end = std::max(end, item.offset + item.bytes);
    }
    m->placed.emplace(layout, result);
    return result;
}

std::vector<LiveItem> ReportSnapshot::liveAt(int step, int tile) const
{
    std::vector<LiveItem> result;
    if (!m->reader || !m->whole) return result;
    auto const live = store::liveAt(*m->reader, step, tile);
    if (!live.ok()) return result;
    for (auto const &v : *live)
        result.push_back({v.variable < static_cast<int>(m->data.variables.size()) ? v.variable : kNone, v.category, v.bytes, v.alwaysLive, v.born, v.dies, v.lastUse});
    return result;
}

LiveCurveRow const &ReportSnapshot::liveCurve(std::string const &scope, int id) const
{
    static LiveCurveRow const none;
    if (!m->reader) {
        for (auto const &row : m->data.liveCurves)
            if (row.scope == scope && row.scopeId == id) return row;
        return none;
    }
    std::lock_guard const lock(m->mutex);
    auto const key = std::make_pair(scope, id);
    if (auto const it = m->curves.find(key); it != m->curves.end()) return it->second;
    auto curve = m->reader->liveCurve(scope, id);
    return m->curves.try_emplace(key, curve.ok() ? std::move(curve).value() : none).first->second;
}

EventColumns const &ReportSnapshot::events(int pattern, int lane) const
{
    static EventColumns const none;
    if (!m->reader) {
        for (auto const &row : m->data.events)
            if (row.pattern == pattern && row.lane == lane) return row.events;
        return none;
    }
    std::lock_guard const lock(m->mutex);
    auto const key = std::make_pair(pattern, lane);
    if (auto const it = m->events.find(key); it != m->events.end()) return it->second;
    auto events = m->reader->events(pattern, lane);
    return m->events.try_emplace(key, events.ok() ? std::move(events).value() : none).first->second;
}

SeriesPoints ReportSnapshot::points(int series) const
{
    if (!m->reader)
        return series >= 0 && series < static_cast<int>(m->data.seriesPoints.size()) ? m->data.seriesPoints[static_cast<std::size_t>(series)] : SeriesPoints();
    auto points = m->reader->points(series, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    return points.ok() ? std::move(points).value() : SeriesPoints();
}

std::span<int const> ReportSnapshot::programsOfOp(int op) const { return m->index(), m->programsOfOp.of(op); }
std::span<int const> ReportSnapshot::opsOfProgram(int program) const { return m->index(), m->opsOfProgram.of(program); }
std::span<int const> ReportSnapshot::childrenOf(int program) const { return m->index(), m->children.of(program); }
std::span<int const> ReportSnapshot::childOps(int op) const { return m->index(), m->childOps.of(op); }
std::span<int const> ReportSnapshot::variablesOf(int program) const { return m->index(), m->variables.of(program); }
std::span<int const> ReportSnapshot::stepsOf(int program) const { return m->index(), m->steps.of(program); }

int ReportSnapshot::exchangeOf(int program) const
{
    m->index();
    return program >= 0 && program < static_cast<int>(m->exchangeOf.size()) ? m->exchangeOf[static_cast<std::size_t>(program)] : kNone;
}

int ReportSnapshot::layerOp(int op) const
{
    m->index();
    return op >= 0 && op < static_cast<int>(m->layerOf.size()) ? m->layerOf[static_cast<std::size_t>(op)] : kNone;
}

QString ReportSnapshot::layerOf(int op) const
{
    int const layer = layerOp(op);
    return layer < 0 ? QString() : QString::fromStdString(m->data.ops[static_cast<std::size_t>(layer)].name);
}

Result<SqlRows> ReportSnapshot::query(QString const &sql, int rowCap) const
{
    if (!m->reader)
        return makeError(ErrorKind::Invalid, "report.no-file", m->name.toStdString(), "this report is no file, so there is nothing to query.");
    TW_ASSIGN(auto const found, m->reader->query(sql.toStdString(), rowCap));
    SqlRows rows;
    rows.capped = found.capped;
    for (auto const &column : found.columns) rows.columns << QString::fromStdString(column);
    for (auto const &row : found.rows) {
        QVariantList cells;
        for (auto const &value : row)
            cells << std::visit([](auto const &v) -> QVariant {
                using T = std::decay_t<decltype(v)>;
                if constexpr (std::is_same_v<T, std::monostate>) return {};
                else if constexpr (std::is_same_v<T, std::int64_t>) return QVariant(static_cast<qlonglong>(v));
                else if constexpr (std::is_same_v<T, double>) return v;
                else if constexpr (std::is_same_v<T, std::string>) return QString::fromStdString(v);
                else return QStringLiteral("(%1 bytes)").arg(v.bytes.size());
            }, value);
        rows.rows << cells;
    }
    return rows;
}

} // namespace tilewright::views
