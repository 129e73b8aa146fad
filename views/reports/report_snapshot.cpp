#include "views/reports/report_snapshot.h"

#include "views/reports/report_file.h"

#include "engine/store/derived.h"
#include "engine/store/report_reader.h"

#include <QStringList>

#include <limits>
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
        if (valid(rows[i]))
            index.items[static_cast<std::size_t>(at[static_cast<std::size_t>(key(rows[i]))]++)] = value(rows[i], static_cast<int>(i));
    return index;
}

template <typename T> Status fetch(store::ReportReader const &reader, std::vector<T> &rows)
{
    TW_ASSIGN(rows, reader.rows<T>());
    return {};
}

} // namespace

struct ReportSnapshot::Impl {
    std::shared_ptr<ReportFile const> file; ///< null: in memory
    ReportData data;
    QString path, name;
    bool whole = false, live = false;
    std::int64_t state = 0; ///< of the file, when this was read

    // Packed data that are asked for on the window's thread: read once, on the job that opened the report.
    std::map<int, KeptList<std::int64_t>> vecs;
    std::map<std::pair<std::string, int>, Kept<LiveCurveRow>> curves;
    std::map<int, std::vector<PlacedBytes>> placed;
    std::vector<Kept<SeriesPoints>> points;
    std::vector<Cycles> exchangeCycles; ///< of the slowest tile, by exchange

    bool readsPacked() const { return file && whole; }
    KeptList<std::int64_t> vec(int id) const
    {
        if (id < 0 || !file) return {};
        if (auto const it = vecs.find(id); it != vecs.end()) return it->second;
        return KeptList<std::int64_t>(
            file->block<std::vector<std::int64_t>>({'v', id, 0, 0, {}, 0},
                                                   [id](store::ReportReader const &reader) { return reader.tileVec(id); })
                .shared());
    }
    Kept<LiveCurveRow> curve(std::string const &scope, int id) const
    {
        return file->block<LiveCurveRow>({'c', id, 0, 0, scope, 0}, [&](store::ReportReader const &reader) -> Result<LiveCurveRow> {
            auto row = reader.liveCurve(scope, id);
            if (!row.ok() && row.error().code == "report.no-curve") return LiveCurveRow{};
            return row;
        });
    }
    std::vector<PlacedBytes> placedIn(int layout) const;
    Kept<EventColumns> joined(int pattern, int lane) const;
    Kept<SeriesPoints> pointsOf(int series, Kept<SeriesPoints> const *before) const;
    void warm(Impl const *before, JobContext const &job);

    mutable std::once_flag indexed;
    mutable Index programsOfOp, opsOfProgram, children, childOps, variables, steps;
    mutable std::vector<int> exchangeOf, layerOf;

    void index() const
    {
        std::call_once(indexed, [this] {
            std::size_t const ops = data.ops.size(), programs = data.programs.size();
            programsOfOp = indexOf(
                ops, data.opPrograms, [](auto const &r) { return r.op; }, [](auto const &r, int) { return r.program; });
            opsOfProgram = indexOf(
                programs, data.opPrograms, [](auto const &r) { return r.program; }, [](auto const &r, int) { return r.op; });
            children = indexOf(
                programs, data.programChildren, [](auto const &r) { return r.parent; }, [](auto const &r, int) { return r.child; });
            childOps = indexOf(
                ops, data.ops, [](auto const &r) { return r.parent; }, [](auto const &, int i) { return i; });
            variables = indexOf(
                programs, data.programVariables, [](auto const &r) { return r.program; }, [](auto const &r, int) { return r.variable; });
            steps = indexOf(
                programs, data.livenessSteps, [](auto const &r) { return r.program; }, [](auto const &, int i) { return i; });
            exchangeOf.assign(programs, kNone);
            for (std::size_t i = 0; i < data.exchanges.size(); ++i)
                if (int const p = data.exchanges[i].program; p >= 0 && p < static_cast<int>(programs))
                    exchangeOf[static_cast<std::size_t>(p)] = static_cast<int>(i);
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

ReportSnapshot::ReportSnapshot() : m(std::make_shared<Impl>()) {}
ReportSnapshot::~ReportSnapshot() = default;

ReportSnapshot const &ReportSnapshot::none()
{
    static std::shared_ptr<ReportSnapshot const> const empty = ofData({}, {});
    return *empty;
}

ReportSnapshot const &ReportPtr::operator*() const { return m_report ? *m_report : ReportSnapshot::none(); }

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

template <typename... Tables> Status fetchAll(store::ReportReader const &reader, JobContext const &job, Tables &...tables)
{
    Status status;
    auto const one = [&](auto &table) {
        if (status.ok() && !job.cancelled()) status = fetch(reader, table);
    };
    (one(tables), ...);
    if (status.ok() && job.cancelled()) return cancelledError(reader.path().string());
    return status;
}

/// Tables that a run goes on to write, beside those of the head.
Status readGrowing(store::ReportReader const &reader, ReportData &data, JobContext const &job)
{
    return fetchAll(reader, job, data.lanes, data.eventTypes, data.stepStats, data.stepOutliers, data.runTileMetrics, data.stageTasks,
                    data.bubbles, data.flows, data.criticals, data.series, data.heatmaps, data.heatmapColumns, data.log);
}

Status readRest(store::ReportReader const &reader, ReportData &data, JobContext const &job)
{
    TW_TRY(fetchAll(reader, job, data.tilePlaces, data.links, data.debugContexts, data.ops, data.opEdges, data.opPrograms, data.programs,
                    data.programChildren, data.functions, data.programVariables, data.vertexTypes, data.computeSets,
                    data.computeSetVertices, data.exchanges, data.streams, data.variables, data.livenessClasses, data.livenessIntervals,
                    data.livenessSteps, data.livePeaks, data.remoteBuffers, data.compilePasses));
    TW_TRY(readGrowing(reader, data, job));
    TW_ASSIGN(data.tileLayout, reader.tileLayouts());
    return {};
}

} // namespace

std::vector<PlacedBytes> ReportSnapshot::Impl::placedIn(int layout) const
{
    std::vector<PlacedBytes> result;
    auto const add = [&](TileLayout const &items) {
        Bytes end = 0;
        for (auto const &item : items) {
            result.push_back({item, std::max<Bytes>(0, item.offset - end)});
            // Nobody is to look up what a damaged file names and does not hold.
            if (item.variable >= static_cast<int>(data.variables.size())) result.back().item.variable = kNone;
            end = std::max(end, item.offset + item.bytes);
        }
    };
    if (!file) {
        if (layout < data.layouts.size()) add(data.layouts.layout(layout));
        return result;
    }
    add(*file->block<TileLayout>({'l', layout, 0, 0, {}, 0},
                                 [layout](store::ReportReader const &reader) { return reader.layout(layout); }));
    return result;
}

/// Full chunks never change; the last one may have grown since it was read in another state of the file.
Kept<EventColumns> ReportSnapshot::Impl::joined(int pattern, int lane) const
{
    return file->block<EventColumns>(
        {'E', pattern, lane, 0, {}, live ? state : 0}, [&](store::ReportReader const &reader) -> Result<EventColumns> {
            TW_ASSIGN(auto const heads, reader.chunkHeads(pattern, lane));
            EventColumns all;
            auto const join = [](auto &to, auto const &from) { to.insert(to.end(), from.begin(), from.end()); };
            for (auto const &head : heads) {
                ReportFile::Key const key{'e', pattern, lane, head.seq, {}, head.events == kChunkItems ? 0 : head.events};
                auto const part =
                    file->block<EventColumns>(key, [&](store::ReportReader const &own) { return own.chunk(pattern, lane, head.seq); });
                join(all.start, part->start);
                join(all.duration, part->duration);
                join(all.type, part->type);
                join(all.argument, part->argument);
                join(all.vec, part->vec);
            }
            return all;
        });
}

/// Only what was appended is read of a series that was there before.
Kept<SeriesPoints> ReportSnapshot::Impl::pointsOf(int series, Kept<SeriesPoints> const *before) const
{
    auto const from = file->reader();
    if (!from) return {};
    std::int64_t const last = before && !(*before)->x.empty() ? (*before)->x.back() : std::numeric_limits<std::int64_t>::min();
    bool const anew = last == std::numeric_limits<std::int64_t>::min();
    auto read = from->points(series, anew ? last : last + 1, std::numeric_limits<std::int64_t>::max());
    if (!read.ok()) {
        file->noteDamage(read.error());
        return before ? *before : Kept<SeriesPoints>();
    }
    if (!anew && read->x.empty()) return *before;
    auto all = std::make_shared<SeriesPoints>(anew ? SeriesPoints() : static_cast<SeriesPoints const &>(*before));
    all->x.insert(all->x.end(), read->x.begin(), read->x.end());
    all->y.insert(all->y.end(), read->y.begin(), read->y.end());
    return Kept<SeriesPoints>(std::shared_ptr<SeriesPoints const>(std::move(all)));
}

void ReportSnapshot::Impl::warm(Impl const *before, JobContext const &job)
{
    if (before) {
        vecs = before->vecs;
        curves = before->curves;
        placed = before->placed;
        exchangeCycles = before->exchangeCycles;
    } else if (auto const from = file->reader()) {
        for (auto const &row : data.exchanges) {
            auto const head = row.cyclesVec < 0 || job.cancelled() ? Result<TileVecHead>(TileVecHead{}) : from->tileVecHead(row.cyclesVec);
            if (!head.ok()) file->noteDamage(head.error());
            exchangeCycles.push_back(row.cyclesVec < 0 || !head.ok() ? kNone : head->max);
        }
    }
    auto const keep = [&](int id) {
        if (id >= 0 && !vecs.contains(id) && !job.cancelled()) vecs.emplace(id, vec(id));
    };
    for (auto const &row : data.tileMetrics) keep(row.vec);
    for (auto const &row : data.memoryParts) keep(row.vec);
    for (auto const &row : data.runTileMetrics) keep(row.vec);
    auto const keepCurve = [&](std::string const &scope, int id) {
        if (!curves.contains({scope, id}) && !job.cancelled()) curves.emplace(std::make_pair(scope, id), curve(scope, id));
    };
    keepCurve("all", 0); // asked for whatever there is: of a program that does not fit there are no steps
    if (!data.livenessSteps.empty()) {
        for (int ipu = 0; ipu < data.target.ipusPerReplica; ++ipu) keepCurve("ipu", ipu);
        for (std::size_t stage = 0; stage < data.stages.size(); ++stage) keepCurve("stage", static_cast<int>(stage));
    }
    for (auto const &verdict : data.verdicts)
        if (int const tile = verdict.worstTile; tile >= 0 && tile < static_cast<int>(data.tileLayout.size()) && !placed.contains(tile))
            if (int const layout = data.tileLayout[static_cast<std::size_t>(tile)]; layout >= 0) placed.emplace(tile, placedIn(layout));
    for (std::size_t series = 0; series < data.series.size() && !job.cancelled(); ++series)
        points.push_back(pointsOf(static_cast<int>(series), before && series < before->points.size() ? &before->points[series] : nullptr));
}

Result<std::shared_ptr<ReportSnapshot const>> ReportSnapshot::openHead(QString const &path)
{
    TW_ASSIGN(auto reader, store::ReportReader::open(path.toStdString()));
    std::shared_ptr<ReportSnapshot> snapshot(new ReportSnapshot);
    snapshot->m->path = path;
    snapshot->m->live = reader->isLive();
    TW_TRY(readHead(*reader, snapshot->m->data));
    return std::shared_ptr<ReportSnapshot const>(snapshot);
}

Result<std::shared_ptr<ReportSnapshot const>> ReportSnapshot::open(QString const &path, JobContext const &job, ReportPtr const &before)
{
    std::shared_ptr<ReportFile const> file = before ? before->m->file : nullptr;
    if (file && file->isAt(path.toStdString())) {
        file->settle();
    } else {
        TW_ASSIGN(file, ReportFile::open(path.toStdString()));
    }
    std::shared_ptr<ReportSnapshot> snapshot(new ReportSnapshot);
    auto &m = *snapshot->m;
    m.file = file;
    m.path = path;
    m.state = file->dataVersion();
    {
        auto const reader = file->reader();
        if (!reader) return makeError(ErrorKind::Data, "store.missing", path.toStdString(), Message::of("there is no such file"));
        m.live = reader->isLive();
        TW_TRY(readHead(*reader, m.data));
        TW_TRY(readRest(*reader, m.data, job));
    }
    m.whole = true;
    m.warm(nullptr, job);
    if (job.cancelled()) return cancelledError(path.toStdString());
    m.index();
    return std::shared_ptr<ReportSnapshot const>(snapshot);
}

Result<std::shared_ptr<ReportSnapshot const>> ReportSnapshot::follow(ReportPtr const &before, JobContext const &job)
{
    auto const &old = *before->m;
    std::shared_ptr<ReportSnapshot> snapshot(new ReportSnapshot);
    auto &m = *snapshot->m;
    m.file = old.file;
    m.path = old.path;
    m.state = m.file->dataVersion();
    {
        auto const reader = m.file->reader();
        if (!reader) return makeError(ErrorKind::Data, "store.missing", old.path.toStdString(), Message::of("there is no such file"));
        m.live = reader->isLive();
        if (m.state == old.state && m.live == old.live) return std::shared_ptr<ReportSnapshot const>(before);
        m.data = old.data;
        TW_TRY(readHead(*reader, m.data));
        TW_TRY(readGrowing(*reader, m.data, job));
    }
    m.whole = true;
    m.warm(&old, job);
    if (job.cancelled()) return cancelledError(old.path.toStdString());
    m.index();
    if (!m.live) m.file->settle();
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
    if (auto const it = m->data.meta.find("title"); it != m->data.meta.end() && !it->second.empty())
        return QString::fromStdString(it->second);
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

bool ReportSnapshot::isInMemory() const { return !m->file; }
// A file that is still being written may be read between two of its commits.
std::optional<Diagnostic> ReportSnapshot::damage() const { return m->file && !m->live ? m->file->damage() : std::nullopt; }

KeptList<std::int64_t> ReportSnapshot::tileVec(int id) const
{
    if (m->readsPacked()) return m->vec(id);
    if (!m->data.tileVecs.valid(id)) return {};
    return KeptList<std::int64_t>(std::make_shared<std::vector<std::int64_t> const>(m->data.tileVecs.values(id)));
}

KeptList<std::int64_t> ReportSnapshot::tileMetric(char const *name) const
{
    for (auto const &row : m->data.tileMetrics)
        if (row.name == name) return tileVec(row.vec);
    return {};
}

KeptList<std::int64_t> ReportSnapshot::runTileMetric(int run, char const *name) const
{
    for (auto const &row : m->data.runTileMetrics)
        if (row.run == run && row.name == name) return tileVec(row.vec);
    return {};
}

std::vector<PlacedBytes> ReportSnapshot::placedOn(int tile) const
{
    if (auto const it = m->placed.find(tile); it != m->placed.end()) return it->second;
    if (!m->whole || tile < 0 || tile >= static_cast<int>(m->data.tileLayout.size())) return {};
    int const layout = m->data.tileLayout[static_cast<std::size_t>(tile)];
    return layout < 0 ? std::vector<PlacedBytes>() : m->placedIn(layout);
}

std::vector<LiveItem> ReportSnapshot::liveAt(int step, int tile) const
{
    std::vector<LiveItem> result;
    if (!m->readsPacked()) return result;
    ReportFile::noteThread("live bytes");
    auto const reader = m->file->reader();
    if (!reader) return result;
    auto const live = store::liveAt(*reader, step, tile);
    if (!live.ok()) return result;
    for (auto const &v : *live)
        result.push_back({v.variable < static_cast<int>(m->data.variables.size()) ? v.variable : kNone, v.category, v.bytes, v.alwaysLive,
                          v.born, v.dies, v.lastUse});
    return result;
}

Kept<LiveCurveRow> ReportSnapshot::liveCurve(std::string const &scope, int id) const
{
    if (!m->file) {
        for (auto const &row : m->data.liveCurves)
            if (row.scope == scope && row.scopeId == id) return Kept<LiveCurveRow>(std::shared_ptr<LiveCurveRow const>(m, &row));
        return {};
    }
    if (auto const it = m->curves.find({scope, id}); it != m->curves.end()) return it->second;
    return m->whole ? m->curve(scope, id) : Kept<LiveCurveRow>();
}

Kept<EventColumns> ReportSnapshot::events(int pattern, int lane) const
{
    if (!m->file) {
        for (auto const &row : m->data.events)
            if (row.pattern == pattern && row.lane == lane) return Kept<EventColumns>(std::shared_ptr<EventColumns const>(m, &row.events));
        return {};
    }
    return m->whole ? m->joined(pattern, lane) : Kept<EventColumns>();
}

SeriesPoints ReportSnapshot::points(int series) const
{
    auto const at = static_cast<std::size_t>(series);
    if (series >= 0 && at < m->points.size()) return m->points[at];
    return !m->file && series >= 0 && at < m->data.seriesPoints.size() ? m->data.seriesPoints[at] : SeriesPoints();
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

Cycles ReportSnapshot::exchangeCycles(int exchange) const
{
    auto const at = static_cast<std::size_t>(exchange);
    if (exchange < 0 || at >= m->data.exchanges.size()) return kNone;
    if (m->file) return at < m->exchangeCycles.size() ? m->exchangeCycles[at] : kNone;
    int const vec = m->data.exchanges[at].cyclesVec;
    return m->data.tileVecs.valid(vec) ? m->data.tileVecs.head(vec).max : kNone;
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
    if (!m->readsPacked())
        return makeError(ErrorKind::Invalid, "report.no-file", m->name.toStdString(),
                         Message::of("this report is not a file, so it cannot be queried."));
    ReportFile::noteThread("query");
    auto const reader = m->file->reader();
    if (!reader)
        return makeError(ErrorKind::Data, "store.missing", m->path.toStdString(), Message::of("the report can no longer be read"),
                         Message::of("Open it again."));
    TW_ASSIGN(auto const found, reader->query(sql.toStdString(), rowCap));
    SqlRows rows;
    rows.capped = found.capped;
    for (auto const &column : found.columns) rows.columns << QString::fromStdString(column);
    for (auto const &row : found.rows) {
        QVariantList cells;
        for (auto const &value : row)
            cells << std::visit(
                [](auto const &v) -> QVariant {
                    using T = std::decay_t<decltype(v)>;
                    if constexpr (std::is_same_v<T, std::monostate>) return {};
                    else if constexpr (std::is_same_v<T, std::int64_t>) return QVariant(static_cast<qlonglong>(v));
                    else if constexpr (std::is_same_v<T, double>) return v;
                    else if constexpr (std::is_same_v<T, std::string>) return QString::fromStdString(v);
                    else return QStringLiteral("(%1 bytes)").arg(v.bytes.size());
                },
                value);
        rows.rows << cells;
    }
    return rows;
}

bool showsSameCompile(ReportPtr const &one, ReportPtr const &other)
{
    if (one == other) return true;
    return one && other && one->isWhole() && other->isWhole() && !one->isInMemory() && !other->isInMemory() && !one->uuid().isEmpty()
        && one->uuid() == other->uuid() && one->path() == other->path(); // packed data are read from that file
}

} // namespace tilewright::views
