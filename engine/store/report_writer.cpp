#include "engine/store/report_writer.h"

#include "engine/store/blobs.h"
#include "engine/store/process_mark.h"
#include "engine/store/replace_database.h"
#include "engine/store/row_binder.h"
#include "engine/store/schema.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace tilewright::store {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kCommitEvery = std::chrono::milliseconds(100);
constexpr std::int64_t kCommitBytes = 1 << 20;

struct PartTables {
    char const *part;
    std::vector<std::string> tables;
    bool growsDuringRun;
};

std::vector<PartTables> const &allParts()
{
    static std::vector<PartTables> const parts{
        {"target", {"target", "ipu", "tile_place", "memory_region", "link", "option"}, false},
        {"graph", {"debug_context", "stage", "op", "op_edge", "op_program"}, false},
        {"program",
         {"program", "program_child", "function", "program_variable", "vertex_type", "compute_set",
          "compute_set_vertex", "exchange", "stream"},
         false},
        {"memory", {"variable", "layout", "tile_layout", "tile_metric", "memory_part", "remote_buffer", "verdict"}, false},
        {"liveness", {"liveness_class", "liveness_interval", "liveness_step", "live_curve", "live_peak"}, false},
        {"run",
         {"run", "pattern", "pattern_place", "lane", "event_type", "event_chunk", "step_stat", "step_outlier",
          "ipu_split", "run_tile_metric", "stage_task", "bubble", "flow", "critical"},
         true},
        {"host", {"compile_pass"}, false},
        {"series", {"series", "series_chunk", "heatmap", "heatmap_column"}, true},
        {"log", {"log"}, true},
        {"insight", {"insight"}, true}};
    return parts;
}

struct Tail {
    std::int64_t seq = 0;
    bool dirty = false;
};
struct EventTail : Tail { report::EventColumns events; };
struct SeriesTail : Tail { report::SeriesPoints points; };

/// Blob columns of a part's tables, for part.bytes.
std::vector<std::pair<std::string, std::string>> blobColumnsOf(std::string_view part)
{
    if (part == "program") return {{"exchange", "pairs"}};
    if (part == "memory") return {{"layout", "data"}};
    if (part == "liveness") return {{"live_curve", "data"}};
    if (part == "run") return {{"event_chunk", "data"}};
    if (part == "host") return {{"compile_pass", "snapshot"}};
    if (part == "series") return {{"series_chunk", "data"}, {"heatmap", "edges"}, {"heatmap_column", "data"}};
    return {};
}

} // namespace

std::vector<std::string> const &partNames()
{
    static std::vector<std::string> const names = [] {
        std::vector<std::string> all;
        for (auto const &part : allParts()) all.emplace_back(part.part);
        return all;
    }();
    return names;
}

std::vector<std::string> tablesOfPart(std::string_view part)
{
    for (auto const &entry : allParts())
        if (entry.part == part) return entry.tables;
    return {};
}

struct ReportWriter::Impl {
    std::filesystem::path path;
    Database db;
    NameTable names;
    std::map<std::string, Statement> statements; ///< by their text
    std::optional<Diagnostic> failure;
    bool inTransaction = false, live = false, held = false;
    Clock::time_point begun;
    std::int64_t pendingBytes = 0;
    std::map<std::string, std::pair<report::PartState, std::string>> wantedStates;
    std::map<std::string, std::int64_t> nextId;      ///< by table
    std::map<std::string, int> tileVecs;             ///< content hash to id
    std::vector<std::string> phases;                 ///< by event type
    std::map<std::pair<int, int>, EventTail> eventTails; ///< by (pattern, lane)
    std::map<int, SeriesTail> seriesTails;

    Status remember(Status status)
    {
        if (!status.ok() && !failure) failure = status.error();
        return status;
    }

    Result<Statement *> statement(std::string const &sql)
    {
        auto it = statements.find(sql);
        if (it == statements.end()) {
            TW_ASSIGN(auto prepared, db.prepare(sql));
            it = statements.emplace(sql, std::move(prepared)).first;
        }
        return &it->second;
    }

    /// From here on readers follow while we write: WAL keeps them apart.
    Status begin()
    {
        if (failure) return *failure;
        if (inTransaction) return {};
        // Kept: a lock that is not to be had was waited for once, and each further row would wait again.
        if (!live) {
            TW_TRY(remember(db.execute("PRAGMA journal_mode = WAL")));
            live = true;
        }
        TW_TRY(remember(db.execute("BEGIN IMMEDIATE")));
        inTransaction = true;
        begun = Clock::now();
        pendingBytes = 0;
        return {};
    }

    void rollback()
    {
        if (inTransaction) (void)db.execute("ROLLBACK").ok();
        inTransaction = false;
    }

    template <typename T> Result<std::int64_t> insert(T const &row, std::int64_t id, bool replace = false)
    {
        TW_ASSIGN(Statement *const prepared, statement(insertSql<T>(replace)));
        return insertRow(*prepared, names, id, row);
    }

    template <typename T> Status insertAll(std::vector<T> const &rows)
    {
        if (rows.empty()) return {};
        TW_ASSIGN(auto prepared, db.prepare(insertSql<T>()));
        for (std::size_t i = 0; i < rows.size(); ++i)
            TW_TRY(insertRow(prepared, names, static_cast<std::int64_t>(i), rows[i]));
        nextId[TableOf<T>::kName] = static_cast<std::int64_t>(rows.size());
        return {};
    }

    /// One growing row: inside a transaction, committed when it is time.
    template <typename T> Result<int> add(T const &row)
    {
        Result<int> const id = addNow(row);
        if (!id.ok()) return fail(id.error());
        TW_TRY(commitWhenDue());
        return id;
    }
    template <typename T> Result<int> addNow(T const &row)
    {
        TW_TRY(begin());
        std::int64_t &next = nextId[TableOf<T>::kName];
        TW_TRY(insert(row, next));
        return static_cast<int>(next++);
    }
    template <typename T> Status put(T const &row)
    {
        if (auto status = putNow(row); !status.ok()) return fail(status.error());
        return commitWhenDue();
    }
    template <typename T> Status putNow(T const &row)
    {
        TW_TRY(begin());
        TW_TRY(insert(row, 0, true));
        return {};
    }

    Diagnostic fail(Diagnostic error)
    {
        rollback();
        if (!failure) failure = error;
        return error;
    }

    Status commitWhenDue()
    {
        if (!inTransaction || held) return {};
        if (Clock::now() - begun < kCommitEvery && pendingBytes < kCommitBytes) return {};
        return commit();
    }

    Status commit()
    {
        if (failure) return *failure;
        Status status = writeTails();
        if (status.ok() && inTransaction) status = db.execute("COMMIT");
        if (!status.ok()) return fail(status.error());
        inTransaction = false;
        return {};
    }

    Result<int> addTileVecNow(std::span<std::int64_t const> values, bool fresh);
    Status writeEventChunk(int pattern, int lane, EventTail &tail);
    Status writeSeriesChunk(int series, SeriesTail &tail);
    Status writeTails();
    Status append(int pattern, int lane, report::EventColumns const &events);
    Status append(int series, report::SeriesPoints const &points);
    Status writeTables(report::ReportData const &data);
    Status writeLayouts(report::ReportData const &data);
    Status closePart(std::string const &part);
    Status setMetaNow(std::string const &key, std::string const &value);
};

// ---- creation ----------------------------------------------------------------------------------------

namespace {

/// A report replaces reports, and nothing else that is there; not one that a living process writes.
Status claimExisting(std::filesystem::path const &path)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return {};
    if (!std::filesystem::is_regular_file(path, ignored))
        return makeError(ErrorKind::Data, "store.cannot-open", path.string(), "a report is a file that is read while it grows, and this is none",
                         "Choose another name.");
    if (std::filesystem::file_size(path, ignored) == 0) return {};
    auto const old = Database::open(path, Database::Mode::ReadOnly);
    if (!old.ok()) return old.error();
    auto const application = old->integer("PRAGMA application_id");
    if (!application.ok() || *application != kReportApplicationId)
        return makeError(ErrorKind::Usage, "store.wrong-kind", path.string(), "the file is there and is no report, which would replace it",
                         "Choose another name, or remove it first.");
    auto const mark = old->text("SELECT value FROM meta WHERE key = 'host_writer'");
    if (mark.ok() && isAlive(*mark))
        return makeError(ErrorKind::Data, "store.busy", path.filename().string(), "this report is being written",
                         "Wait for its run to end or choose another name.");
    return {};
}

/// A report with nothing in it, in place of whatever has that name. Readers of the old file keep what they have open.
Status makeEmpty(std::filesystem::path const &path)
{
    TW_ASSIGN(auto db, Database::inMemory(path.filename().string()));
    TW_TRY(db.execute("PRAGMA page_size = 16384; PRAGMA application_id = " + std::to_string(kReportApplicationId)
                      + "; PRAGMA user_version = " + std::to_string(kReportVersion)));
    auto const filled = inTransaction(db, [&]() -> Status {
        for (auto const &sql : reportSchema()) TW_TRY(db.execute(sql));
        for (auto const &part : partNames())
            TW_TRY(db.execute("INSERT INTO part(name, state) VALUES('" + part + "', 'writing')"));
        return db.execute("INSERT INTO meta(key, value) VALUES('host_writer', '" + processMark() + "')");
    });
    TW_TRY(filled);
    return replaceDatabase(path, db, Sync::No);
}

} // namespace

ReportWriter::ReportWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ReportWriter::ReportWriter(ReportWriter &&) noexcept = default;
ReportWriter &ReportWriter::operator=(ReportWriter &&) noexcept = default;
ReportWriter::~ReportWriter()
{
    // Not finished: what was committed stays, and its parts go on saying that they were being written.
    if (m_impl && m_impl->db.handle()) {
        if (!m_impl->failure) (void)m_impl->commit().ok();
        m_impl->rollback();
        (void)m_impl->db.execute("DELETE FROM meta WHERE key = 'host_writer'").ok();
    }
}

Result<ReportWriter> ReportWriter::create(std::filesystem::path const &path)
{
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    TW_TRY(claimExisting(path));
    TW_TRY(makeEmpty(path));
    TW_ASSIGN(impl->db, Database::open(path, Database::Mode::ReadWrite));
    // What a crash of the machine may cost is the report being written; a crash of ours costs nothing.
    TW_TRY(impl->db.execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -65536"));
    TW_TRY(impl->names.prepare(impl->db));
    return ReportWriter(std::move(impl));
}

// ---- the whole at once -------------------------------------------------------------------------------

Result<int> ReportWriter::Impl::addTileVecNow(std::span<std::int64_t const> values, bool fresh)
{
    auto const hash = report::contentHash(values);
    if (auto const known = tileVecs.find(hash); known != tileVecs.end() && !fresh) return known->second;
    auto const id = static_cast<int>(nextId["tile_vec"]++);
    auto const head = report::headOf(values);
    auto const encoded = report::encodeTileVec(values);
    TW_ASSIGN(Statement *const insertVec, statement("INSERT INTO tile_vec(id, hash, tiles, sum, min, max, argmax, nonzero, encoding, data) "
                                                    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    insertVec->bind(1, std::int64_t{id});
    insertVec->bindBlob(2, hash);
    std::int64_t const numbers[] = {head.tiles, head.sum, head.min, head.max, head.argmax, head.nonzero,
                                    static_cast<std::int64_t>(encoded.encoding)};
    for (int i = 0; i < 7; ++i) insertVec->bind(3 + i, numbers[i]);
    insertVec->bindBlob(10, encoded.data);
    TW_TRY(insertVec->run());
    tileVecs.emplace(hash, id);
    pendingBytes += static_cast<std::int64_t>(encoded.data.size());
    return id;
}

Status ReportWriter::Impl::writeLayouts(report::ReportData const &data)
{
    TW_ASSIGN(auto insertLayout, db.prepare("INSERT INTO layout(id, hash, items, data) VALUES(?, ?, ?, ?)"));
    std::map<std::string, std::int64_t> known;
    std::vector<std::int64_t> stored; // equal layouts that came twice are stored once
    for (auto const &layout : data.layouts) {
        auto const blob = encodeLayout(layout);
        auto const hash = report::contentHash(blob);
        auto const [it, isNew] = known.try_emplace(hash, static_cast<std::int64_t>(known.size()));
        stored.push_back(it->second);
        if (!isNew) continue;
        insertLayout.bind(1, it->second);
        insertLayout.bindBlob(2, hash);
        insertLayout.bind(3, static_cast<std::int64_t>(layout.size()));
        insertLayout.bindBlob(4, blob);
        TW_TRY(insertLayout.run());
    }
    TW_ASSIGN(auto insertTile, db.prepare("INSERT INTO tile_layout(tile, layout) VALUES(?, ?)"));
    for (std::size_t tile = 0; tile < data.tileLayout.size(); ++tile) {
        int const layout = data.tileLayout[tile];
        if (layout < 0) continue;
        if (static_cast<std::size_t>(layout) >= stored.size())
            return makeError(ErrorKind::Internal, "store.constraint", path.filename().string(),
                             "tile " + std::to_string(tile) + " names a layout that is not there");
        insertTile.bind(1, static_cast<std::int64_t>(tile));
        insertTile.bind(2, stored[static_cast<std::size_t>(layout)]);
        TW_TRY(insertTile.run());
    }
    return {};
}

Status ReportWriter::Impl::setMetaNow(std::string const &key, std::string const &value)
{
    TW_ASSIGN(Statement *const insertMeta, statement("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"));
    insertMeta->bindText(1, key);
    insertMeta->bindText(2, value);
    return insertMeta->run();
}

Status ReportWriter::Impl::writeTables(report::ReportData const &data)
{
    for (auto const &[key, value] : data.meta) TW_TRY(setMetaNow(key, value));
    if (data.target.tilesPerIpu > 0) TW_TRY(insert(data.target, 0));
    for (int id = 0; id < data.tileVecs.size(); ++id) TW_TRY(addTileVecNow(data.tileVecs.values(id), true));
    for (auto const &type : data.eventTypes) phases.push_back(type.phase);
    Status status;
    forEachTable(data, [&](auto const &rows) {
        if (status.ok()) status = insertAll(rows);
    });
    TW_TRY(status);
    TW_TRY(writeLayouts(data));
    for (auto const &lane : data.events) TW_TRY(append(lane.pattern, lane.lane, lane.events));
    for (std::size_t i = 0; i < data.seriesPoints.size(); ++i)
        TW_TRY(append(static_cast<int>(i), data.seriesPoints[i]));
    TW_TRY(writeTails());
    for (auto const &part : data.parts) {
        if (part.state != report::PartState::Writing) wantedStates[part.name] = {part.state, part.note};
        TW_ASSIGN(Statement *const mark, statement("UPDATE part SET watermark = ? WHERE name = ?"));
        mark->bind(1, part.watermark);
        mark->bindText(2, part.name);
        TW_TRY(mark->run());
    }
    for (auto const &part : allParts())
        if (!part.growsDuringRun) TW_TRY(closePart(part.part));
    return {};
}

Status ReportWriter::write(report::ReportData const &data)
{
    Impl &impl = *m_impl;
    if (impl.failure) return *impl.failure;
    return impl.remember(inTransaction(impl.db, [&] { return impl.writeTables(data); }));
}

Status writeReport(std::filesystem::path const &path, report::ReportData const &data)
{
    TW_ASSIGN(auto writer, ReportWriter::create(path));
    TW_TRY(writer.write(data));
    return writer.finish();
}

// ---- growing parts -----------------------------------------------------------------------------------

Status ReportWriter::Impl::writeEventChunk(int pattern, int lane, EventTail &tail)
{
    auto const &events = tail.events;
    EventHead head;
    head.events = static_cast<std::int64_t>(events.size());
    head.first = events.start.front();
    for (std::size_t i = 0; i < events.size(); ++i) {
        auto const duration = events.duration[i];
        head.last = std::max(head.last, events.start[i] + duration);
        head.busy += duration;
        if (duration > head.longest) {
            head.longest = duration;
            head.longestIndex = static_cast<std::int64_t>(i);
        }
        auto const type = static_cast<std::size_t>(events.type[i]);
        std::string_view const phase = type < phases.size() ? std::string_view(phases[type]) : std::string_view();
        if (phase == "compute") head.compute += duration;
        if (phase == "internal_exchange" || phase == "global_exchange") head.exchange += duration;
        if (phase == "stream") head.stream += duration;
        if (phase == "sync") head.sync += duration;
    }
    TW_ASSIGN(Statement *const chunk, statement("INSERT OR REPLACE INTO event_chunk(pattern, lane, seq, first, last, events, busy, longest, "
                                                "longest_index, compute, exchange, stream, sync, data) "
                                                "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    std::int64_t const numbers[] = {pattern, lane, tail.seq, head.first, head.last, head.events, head.busy, head.longest,
                                    head.longestIndex, head.compute, head.exchange, head.stream, head.sync};
    for (int i = 0; i < 13; ++i) chunk->bind(1 + i, numbers[i]);
    auto const data = encodeEvents(events, 0, events.size());
    chunk->bindBlob(14, data);
    TW_TRY(chunk->run());
    tail.dirty = false;
    return {};
}

Status ReportWriter::Impl::writeSeriesChunk(int series, SeriesTail &tail)
{
    auto const &points = tail.points;
    double low = INFINITY, high = -INFINITY, sum = 0;
    std::int64_t nans = 0;
    for (double const y : points.y) {
        if (std::isnan(y)) {
            ++nans;
            continue;
        }
        low = std::min(low, y);
        high = std::max(high, y);
        sum += y;
    }
    auto const count = static_cast<std::int64_t>(points.y.size());
    TW_ASSIGN(Statement *const chunk, statement("INSERT OR REPLACE INTO series_chunk(series, seq, x_first, x_last, points, y_min, y_max, "
                                                "y_mean, nans, data) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    chunk->bind(1, std::int64_t{series});
    chunk->bind(2, tail.seq);
    chunk->bind(3, points.x.front());
    chunk->bind(4, points.x.back());
    chunk->bind(5, count);
    if (nans < count) {
        chunk->bind(6, low);
        chunk->bind(7, high);
        chunk->bind(8, sum / static_cast<double>(count - nans));
    }
    chunk->bind(9, nans);
    auto const data = encodePoints(points, 0, points.x.size());
    chunk->bindBlob(10, data);
    TW_TRY(chunk->run());
    tail.dirty = false;
    return {};
}

/// Chunks that are not full yet are written again with every commit.
Status ReportWriter::Impl::writeTails()
{
    for (auto &[key, tail] : eventTails)
        if (tail.dirty) TW_TRY(writeEventChunk(key.first, key.second, tail));
    for (auto &[series, tail] : seriesTails)
        if (tail.dirty) TW_TRY(writeSeriesChunk(series, tail));
    return {};
}

Status ReportWriter::Impl::append(int pattern, int lane, report::EventColumns const &events)
{
    auto &tail = eventTails[{pattern, lane}];
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (tail.events.size() == static_cast<std::size_t>(report::kChunkItems)) {
            TW_TRY(writeEventChunk(pattern, lane, tail));
            tail.events = {};
            ++tail.seq;
        }
        tail.events.start.push_back(events.start[i]);
        tail.events.duration.push_back(events.duration[i]);
        tail.events.type.push_back(events.type[i]);
        tail.events.argument.push_back(events.argument[i]);
        tail.events.vec.push_back(events.vec[i]);
        tail.dirty = true;
        pendingBytes += 8;
    }
    return {};
}

Status ReportWriter::Impl::append(int series, report::SeriesPoints const &points)
{
    auto &tail = seriesTails[series];
    for (std::size_t i = 0; i < points.x.size(); ++i) {
        if (tail.points.x.size() == static_cast<std::size_t>(report::kChunkItems)) {
            TW_TRY(writeSeriesChunk(series, tail));
            tail.points = {};
            ++tail.seq;
        }
        tail.points.x.push_back(points.x[i]);
        tail.points.y.push_back(points.y[i]);
        tail.dirty = true;
        pendingBytes += 8;
    }
    return {};
}

Result<int> ReportWriter::addRun(report::RunRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addPattern(report::PatternRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addLane(report::LaneRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addEventType(report::EventTypeRow const &row)
{
    TW_ASSIGN(int const id, m_impl->add(row));
    m_impl->phases.push_back(row.phase);
    return id;
}
Result<int> ReportWriter::addSeries(report::SeriesRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addHeatmap(report::HeatmapRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addFlow(report::FlowRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addInsight(report::InsightRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addLog(report::LogRow const &row) { return m_impl->add(row); }

Result<int> ReportWriter::addTileVec(std::vector<std::int64_t> values)
{
    TW_TRY(m_impl->begin());
    auto const id = m_impl->addTileVecNow(values, false);
    if (!id.ok()) return m_impl->fail(id.error());
    TW_TRY(m_impl->commitWhenDue());
    return id;
}

Status ReportWriter::updateRun(int run, report::RunRow const &row)
{
    // Replacing the row would need the others that point at it; so its columns are set.
    auto const update = [&]() -> Status {
        TW_TRY(m_impl->begin());
        std::string sets;
        ColumnNames columns;
        fields(columns, row);
        for (auto const &column : columns.names) sets += (sets.empty() ? "" : ", ") + column + " = ?";
        TW_ASSIGN(Statement *const prepared, m_impl->statement("UPDATE run SET " + sets + " WHERE id = ?"));
        RowBinder binder(*prepared, m_impl->names);
        binder.start(1);
        fields(binder, row);
        TW_TRY(binder.status());
        prepared->bind(static_cast<int>(columns.names.size()) + 1, std::int64_t{run});
        return prepared->run();
    };
    if (auto status = update(); !status.ok()) return m_impl->fail(status.error());
    return m_impl->commitWhenDue();
}

Status ReportWriter::appendEvents(int pattern, int lane, report::EventColumns const &events)
{
    TW_TRY(m_impl->begin());
    if (auto status = m_impl->append(pattern, lane, events); !status.ok()) return m_impl->fail(status.error());
    return m_impl->commitWhenDue();
}

Status ReportWriter::appendPoints(int series, report::SeriesPoints const &points)
{
    TW_TRY(m_impl->begin());
    if (auto status = m_impl->append(series, points); !status.ok()) return m_impl->fail(status.error());
    return m_impl->commitWhenDue();
}

Status ReportWriter::appendPoint(int series, std::int64_t x, double y) { return appendPoints(series, {{x}, {y}}); }

Status ReportWriter::put(report::FigureRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::PatternPlaceRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::StepStatRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::StepOutlierRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::IpuSplitRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::RunTileMetricRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::HeatmapColumnRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::StageTaskRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::BubbleRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::CriticalRow const &row) { return m_impl->put(row); }

Status ReportWriter::setMeta(std::string const &key, std::string const &value)
{
    TW_TRY(m_impl->begin());
    if (auto status = m_impl->setMetaNow(key, value); !status.ok()) return m_impl->fail(status.error());
    return m_impl->commitWhenDue();
}

Status ReportWriter::setWatermark(std::string const &part, std::int64_t value)
{
    TW_TRY(m_impl->begin());
    TW_ASSIGN(Statement *const mark, m_impl->statement("UPDATE part SET watermark = ? WHERE name = ?"));
    mark->bind(1, value);
    mark->bindText(2, part);
    if (auto status = mark->run(); !status.ok()) return m_impl->fail(status.error());
    return m_impl->commitWhenDue();
}

void ReportWriter::setPartState(std::string const &part, report::PartState state, std::string note)
{
    m_impl->wantedStates[part] = {state, std::move(note)};
}

void ReportWriter::hold() { m_impl->held = true; }
Status ReportWriter::release()
{
    m_impl->held = false;
    return m_impl->commitWhenDue();
}
void ReportWriter::abandon(Diagnostic why)
{
    if (!m_impl->failure) m_impl->failure = std::move(why);
    (void)m_impl->db.execute("ROLLBACK").ok(); // an exception may have left one of any kind
    m_impl->inTransaction = false;
}

Status ReportWriter::tick() { return m_impl->commitWhenDue(); }
Status ReportWriter::flush() { return m_impl->commit(); }

// ---- the end -----------------------------------------------------------------------------------------

Status ReportWriter::Impl::closePart(std::string const &part)
{
    std::int64_t rows = 0, bytes = 0;
    for (auto const &table : tablesOfPart(part)) {
        TW_ASSIGN(auto const count, db.integer("SELECT count(*) FROM " + table));
        rows += count;
    }
    for (auto const &[table, column] : blobColumnsOf(part)) {
        TW_ASSIGN(auto const sum, db.integer("SELECT coalesce(sum(length(" + column + ")), 0) FROM " + table));
        bytes += sum;
    }
    auto state = rows > 0 ? report::PartState::Complete : report::PartState::Absent;
    std::string note = rows > 0 ? "" : "nothing of it was recorded";
    if (auto const wanted = wantedStates.find(part); wanted != wantedStates.end()) {
        state = wanted->second.first;
        note = wanted->second.second;
    }
    TW_ASSIGN(Statement *const update, statement("UPDATE part SET state = ?, rows = ?, bytes = ?, note = ? WHERE name = ?"));
    update->bindText(1, toText(state));
    update->bind(2, rows);
    update->bind(3, bytes);
    update->bindText(4, note);
    update->bindText(5, part);
    return update->run();
}

Status ReportWriter::finish()
{
    Impl &impl = *m_impl;
    TW_TRY(impl.commit());
    if (impl.live) TW_TRY(impl.remember(impl.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")));
    auto const closed = impl.remember(inTransaction(impl.db, [&]() -> Status {
        // Insights and options may have come after the first closing: count all parts anew.
        for (auto const &part : partNames()) TW_TRY(impl.closePart(part));
        TW_TRY(impl.db.execute("DELETE FROM meta WHERE key = 'host_writer'"));
        return impl.db.execute("ANALYZE");
    }));
    TW_TRY(closed);
    // Back to one plain file. A reader that follows just now prevents it: then the log stays beside the
    // file, but all of it goes into the file too, which somebody may copy alone.
    if (impl.live) {
        impl.db.setBusyTimeout(200);
        if (!impl.db.execute("PRAGMA journal_mode = DELETE").ok()) (void)impl.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").ok();
    }
    impl.names = {};
    impl.statements.clear();
    impl.db = {};
    impl.failure = makeError(ErrorKind::Internal, "store.finished", impl.path.filename().string(),
                             "a finished report is never changed");
    return {};
}

} // namespace tilewright::store
