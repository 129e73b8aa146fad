#include "engine/store/report_reader.h"

#include "engine/core/ascii.h"
#include "engine/store/process_mark.h"
#include "engine/store/row_reader.h"
#include "engine/store/schema.h"
#include "engine/store/schema_check.h"
#include "engine/store/sqlite.h"
#include "engine/store/table_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>

#include <unistd.h>

namespace tilewright::store {

using namespace report;

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

Diagnostic corrupt(std::string subject, Message what)
{
    return makeError(ErrorKind::Invalid, "store.corrupt", std::move(subject), std::move(what), Message::of("Write the report again."));
}

/// What people may run: reads only. Set once; lets everything pass while the reader reads for itself.
int authorize(void *querying, int action, char const *first, char const *, char const *, char const *)
{
    if (!*static_cast<bool const *>(querying)) return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return SQLITE_OK; // load_extension is off and no function of ours writes
    case SQLITE_PRAGMA:
        return first && (std::string_view(first) == "table_info" || std::string_view(first) == "table_list") ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

int pastDeadline(void *deadline)
{
    return std::chrono::steady_clock::now() > *static_cast<std::chrono::steady_clock::time_point const *>(deadline);
}

/// What many rows of a table say alike is kept once.
template <typename T> class Shared {
public:
    void share(T &) {}
};
template <> class Shared<ExchangeRow> {
public:
    void share(ExchangeRow &row)
    {
        if (row.pairs.empty()) return;
        auto &known = m_known[{row.sentVec, row.receivedVec, row.cyclesVec}];
        if (known == row.pairs) row.pairs = known;
        else known = row.pairs;
    }

private:
    std::map<std::array<int, 3>, ExchangePairs> m_known; ///< the last of those whose tiles send and receive as much
};

template <typename T> Result<std::vector<T>> readRows(Database const &db)
{
    TW_ASSIGN(auto statement, db.prepare(selectSql<T>()));
    std::vector<T> rows;
    Shared<T> shared;
    ColumnSums sums;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) break;
        auto const index = static_cast<std::int64_t>(rows.size());
        TW_TRY(fillRow(statement, index, rows.emplace_back(), sums));
        shared.share(rows.back());
    }
    return rows;
}

} // namespace

ReportReader::ReportReader() = default;
ReportReader::~ReportReader()
{
    m_db.reset();
    if (m_log) settleReport(m_path);
}

namespace {

/// Whether SQLite keeps a log beside the file (bytes 18 and 19 of its head: 2).
bool hasLog(std::filesystem::path const &path)
{
    std::error_code ignored;
    if (std::filesystem::is_fifo(path, ignored)) return false;
    std::ifstream file(path, std::ios::binary);
    char head[20] = {};
    return file.read(head, sizeof head) && head[18] == 2 && head[19] == 2;
}

bool isWritten(Database const &db)
{
    auto const mark = db.text("SELECT value FROM meta WHERE key = 'host_writer'");
    return mark.ok() && isAlive(*mark);
}

} // namespace

bool settleReport(std::filesystem::path const &path)
{
    if (!hasLog(path)) return true;
    auto const folder = path.parent_path().empty() ? std::filesystem::path(".") : path.parent_path();
    if (access(path.c_str(), W_OK) != 0 || access(folder.c_str(), W_OK) != 0) return false;
    auto db = Database::open(path, Database::Mode::ReadWrite);
    if (!db.ok()) return false;
    db->setBusyTimeout(0);
    auto const application = db->integer("PRAGMA application_id");
    if (!application.ok() || *application != kReportApplicationId || !checkReportSchema(*db).ok() || isWritten(*db)) return false;
    auto const mode = db->text("PRAGMA journal_mode = DELETE"); // takes in the log first; fails while others read
    return mode.ok() && *mode == "delete";
}

Result<std::shared_ptr<ReportReader const>> ReportReader::open(std::filesystem::path const &path)
{
    std::shared_ptr<ReportReader> reader(new ReportReader);
    reader->m_path = path;
    // Who only reads may not remove the log that lies beside a report: where nobody writes any more it is taken in first.
    settleReport(path);
    reader->m_log = hasLog(path);
    TW_ASSIGN(auto db, Database::openForReading(path));
    TW_ASSIGN(auto const application, db.integer("PRAGMA application_id"));
    auto const subject = path.filename().string();
    if (application == kProjectApplicationId)
        return makeError(ErrorKind::Invalid, "store.wrong-kind", subject, Message::of("this is a project, not a report"),
                         Message::of("Name a .twreport file."));
    if (application != kReportApplicationId)
        return makeError(ErrorKind::Invalid, "store.wrong-kind", subject, Message::of("this file is not a Tilewright report"),
                         Message::of("Name a .twreport file."));
    TW_ASSIGN(auto const version, db.integer("PRAGMA user_version"));
    if (version / 100 > kReportVersion / 100) {
        // A later format may have other tables, which are read only when they are known to be plain.
        auto const writer = checkReportSchema(db).ok() ? db.text("SELECT value FROM meta WHERE key = 'writer_version'")
                                                       : Result<std::string>(std::string("?"));
        return makeError(ErrorKind::Invalid, "store.newer-version", subject,
                         writer.ok()
                             ? Message::of("the report has format %1.%2, written by version %3; this version reads formats up to %4.x",
                                           version / 100, version % 100, *writer, kReportVersion / 100)
                             : Message::of("the report has format %1.%2; this version reads formats up to %3.x", version / 100,
                                           version % 100, kReportVersion / 100),
                         Message::of("Open it with a newer version."));
    }
    reader->m_version = static_cast<int>(version);
    TW_TRY(checkReportSchema(db));
    TW_TRY(db.execute("PRAGMA query_only = ON"));
    reader->m_db = std::make_unique<Database>(std::move(db));
    TW_TRY(registerTableFunctions(reader->m_db->handle(), *reader));
    TW_TRY(reader->m_db->integer("SELECT count(*) FROM part"));
    sqlite3_set_authorizer(reader->m_db->handle(), authorize, &reader->m_querying);
    return std::shared_ptr<ReportReader const>(std::move(reader));
}

bool ReportReader::isLive() const
{
    Lock const lock(m_mutex);
    return isWritten(*m_db);
}

Result<std::int64_t> ReportReader::dataVersion() const
{
    Lock const lock(m_mutex);
    return m_db->integer("PRAGMA data_version");
}

Result<std::map<std::string, std::string>> ReportReader::meta() const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement, m_db->prepare("SELECT key, value FROM meta"));
    std::map<std::string, std::string> all;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return all;
        all.emplace(statement.text(0), statement.text(1));
    }
}

Result<std::vector<PartRow>> ReportReader::parts() const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto all, readRows<PartRow>(*m_db));
    bool const live = isLive();
    for (auto &part : all) {
        if (part.state != PartState::Writing || live) continue;
        part.state = PartState::Truncated;
        if (part.note.empty()) part.note = "the process that wrote it ended early";
    }
    return all;
}

Result<TargetRow> ReportReader::target() const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto rows, readRows<TargetRow>(*m_db));
    return rows.empty() ? TargetRow{} : rows.front();
}

template <typename T> Result<std::vector<T>> ReportReader::rows() const
{
    Lock const lock(m_mutex);
    auto rows = readRows<T>(*m_db);
    if constexpr (std::is_same_v<T, RunRow>) {
        // A run whose process was killed could not say so itself.
        auto const goesOn = [](RunRow const &row) { return row.state == "running" || row.state == "paused"; };
        if (rows.ok() && std::ranges::any_of(*rows, goesOn) && !isWritten(*m_db))
            for (auto &row : *rows)
                if (goesOn(row)) row.state = kInterrupted;
    }
    return rows;
}

#define TW_ROWS(T) template Result<std::vector<T>> ReportReader::rows<T>() const
TW_ROWS(PartRow);
TW_ROWS(OptionRow);
TW_ROWS(FigureRow);
TW_ROWS(TargetRow);
TW_ROWS(IpuRow);
TW_ROWS(TilePlaceRow);
TW_ROWS(MemoryRegionRow);
TW_ROWS(LinkRow);
TW_ROWS(DebugContextRow);
TW_ROWS(StageRow);
TW_ROWS(OpRow);
TW_ROWS(OpEdgeRow);
TW_ROWS(OpProgramRow);
TW_ROWS(ProgramRow);
TW_ROWS(ProgramChildRow);
TW_ROWS(FunctionRow);
TW_ROWS(ProgramVariableRow);
TW_ROWS(VertexTypeRow);
TW_ROWS(ComputeSetRow);
TW_ROWS(ComputeSetVertexRow);
TW_ROWS(ExchangeRow);
TW_ROWS(StreamRow);
TW_ROWS(VariableRow);
TW_ROWS(LivenessClassRow);
TW_ROWS(LivenessIntervalRow);
TW_ROWS(LivenessStepRow);
TW_ROWS(LiveCurveRow);
TW_ROWS(LivePeakRow);
TW_ROWS(TileMetricRow);
TW_ROWS(MemoryPartRow);
TW_ROWS(RemoteBufferRow);
TW_ROWS(VerdictRow);
TW_ROWS(RunRow);
TW_ROWS(PatternRow);
TW_ROWS(PatternPlaceRow);
TW_ROWS(LaneRow);
TW_ROWS(EventTypeRow);
TW_ROWS(StepStatRow);
TW_ROWS(StepOutlierRow);
TW_ROWS(IpuSplitRow);
TW_ROWS(RunTileMetricRow);
TW_ROWS(StageTaskRow);
TW_ROWS(BubbleRow);
TW_ROWS(FlowRow);
TW_ROWS(CriticalRow);
TW_ROWS(CompilePassRow);
TW_ROWS(SeriesRow);
TW_ROWS(HeatmapRow);
TW_ROWS(HeatmapColumnRow);
TW_ROWS(InsightRow);
TW_ROWS(LogRow);
#undef TW_ROWS

Result<std::int64_t> ReportReader::count(std::string const &table) const
{
    for (char const c : table)
        if (!isAsciiAlnum(c) && c != '_')
            return makeError(ErrorKind::Invalid, "store.sql", table, Message::of("this is not the name of a table"));
    Lock const lock(m_mutex);
    return m_db->integer("SELECT count(*) FROM \"" + table + "\"");
}

// ---- vectors and layouts -----------------------------------------------------------------------------

Result<int> ReportReader::tileVecCount() const
{
    TW_ASSIGN(auto const all, count("tile_vec"));
    return static_cast<int>(all);
}

Result<TileVecHead> ReportReader::tileVecHead(int id) const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement, m_db->prepare("SELECT tiles, sum, min, max, argmax, nonzero FROM tile_vec WHERE id = ?"));
    statement.bind(1, std::int64_t{id});
    TW_ASSIGN(bool const found, statement.step());
    if (!found) return corrupt("tile_vec " + std::to_string(id), Message::of("there is no such vector"));
    return TileVecHead{statement.integer(0), statement.integer(1), statement.integer(2),
                       statement.integer(3), statement.integer(4), statement.integer(5)};
}

Result<std::vector<std::int64_t>> ReportReader::tileVec(int id) const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement, m_db->prepare("SELECT encoding, data, tiles FROM tile_vec WHERE id = ?"));
    statement.bind(1, std::int64_t{id});
    TW_ASSIGN(bool const found, statement.step());
    if (!found) return corrupt("tile_vec " + std::to_string(id), Message::of("there is no such vector"));
    auto const encoding = statement.integer(0);
    if (encoding < 0 || encoding > 3) return corrupt("tile_vec " + std::to_string(id), Message::of("the vector has an unknown encoding"));
    return decodeTileVec(static_cast<int>(encoding), statement.blob(1), statement.integer(2));
}

Result<std::vector<int>> ReportReader::tileLayouts() const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement, m_db->prepare("SELECT tile, layout FROM tile_layout ORDER BY tile"));
    std::vector<int> layouts;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return layouts;
        auto const tile = statement.integer(0), layout = statement.integer(1);
        if (tile < 0 || tile > (1 << 22) || layout < 0 || layout > (1 << 30))
            return corrupt("tile_layout", Message::of("a tile is out of range"));
        layouts.resize(static_cast<std::size_t>(tile), kNone);
        layouts.push_back(static_cast<int>(layout));
    }
}

Result<PackedLayout> ReportReader::packedLayout(int id) const
{
    TW_ASSIGN(auto statement, m_db->prepare("SELECT data, items FROM layout WHERE id = ?"));
    statement.bind(1, std::int64_t{id});
    TW_ASSIGN(bool const found, statement.step());
    if (!found) return corrupt("layout " + std::to_string(id), Message::of("there is no such layout"));
    return PackedLayout{std::string(statement.blob(0)), statement.integer(1)};
}

Result<TileLayout> ReportReader::unpacked(int id, PackedLayout const &packed) const
{
    TW_ASSIGN(int const base, baseOf(packed.data));
    if (base >= 0 && base != m_base.number) {
        TW_ASSIGN(auto const complete, packedLayout(base));
        m_base.number = kNone;
        TW_ASSIGN(m_base.layout, unpackLayout(complete.data));
        m_base.number = base;
    }
    TW_ASSIGN(auto items, base >= 0 ? unpackDifference(packed.data, m_base.layout) : unpackLayout(packed.data));
    if (static_cast<std::int64_t>(items.size()) != packed.items)
        return corrupt("layout " + std::to_string(id), Message::of("the layout does not have the number of items that it declares"));
    return items;
}

Result<TileLayout> ReportReader::layout(int id) const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto const packed, packedLayout(id));
    return unpacked(id, packed);
}

Result<LiveCurveRow> ReportReader::liveCurve(std::string const &scope, int scopeId) const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement, m_db->prepare(selectSql<LiveCurveRow>("WHERE scope = ? AND scope_id = ?")));
    statement.bindText(1, scope);
    statement.bind(2, std::int64_t{scopeId});
    TW_ASSIGN(bool const found, statement.step());
    if (!found)
        return makeError(ErrorKind::Invalid, "report.no-curve", scope + " " + std::to_string(scopeId),
                         Message::of("the report holds no liveness curve of that scope"),
                         Message::of("Scopes are all 0, ipu N and stage N."));
    LiveCurveRow row;
    ColumnSums sums;
    TW_TRY(fillRow(statement, -1, row, sums));
    return row;
}

// ---- events and points -------------------------------------------------------------------------------

Result<std::vector<EventChunkHead>> ReportReader::chunkHeads(int pattern, int lane) const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement,
              m_db->prepare("SELECT seq, first, last, events, busy, longest, longest_index, compute, exchange, stream, sync "
                            "FROM event_chunk WHERE pattern = ? AND lane = ? ORDER BY seq"));
    statement.bind(1, std::int64_t{pattern});
    statement.bind(2, std::int64_t{lane});
    std::vector<EventChunkHead> heads;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return heads;
        auto &h = heads.emplace_back();
        h.seq = static_cast<int>(statement.integer(0));
        std::int64_t *const numbers[] = {&h.first,        &h.last,    &h.events,   &h.busy,   &h.longest,
                                         &h.longestIndex, &h.compute, &h.exchange, &h.stream, &h.sync};
        for (int i = 0; i < 10; ++i) *numbers[i] = statement.integer(1 + i);
    }
}

Result<EventColumns> ReportReader::chunk(int pattern, int lane, int seq) const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement, m_db->prepare("SELECT data FROM event_chunk WHERE pattern = ? AND lane = ? AND seq = ?"));
    statement.bind(1, std::int64_t{pattern});
    statement.bind(2, std::int64_t{lane});
    statement.bind(3, std::int64_t{seq});
    TW_ASSIGN(bool const found, statement.step());
    if (!found) return EventColumns{};
    return decodeEvents(statement.blob(0));
}

Result<EventColumns> ReportReader::events(int pattern, int lane) const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement, m_db->prepare("SELECT data FROM event_chunk WHERE pattern = ? AND lane = ? ORDER BY seq"));
    statement.bind(1, std::int64_t{pattern});
    statement.bind(2, std::int64_t{lane});
    EventColumns all;
    auto const join = [](auto &to, auto const &from) { to.insert(to.end(), from.begin(), from.end()); };
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return all;
        TW_ASSIGN(auto const part, decodeEvents(statement.blob(0)));
        join(all.start, part.start);
        join(all.duration, part.duration);
        join(all.type, part.type);
        join(all.argument, part.argument);
        join(all.vec, part.vec);
    }
}

Result<SeriesPoints> ReportReader::points(int series, std::int64_t from, std::int64_t to) const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement,
              m_db->prepare("SELECT data FROM series_chunk WHERE series = ? AND x_last >= ? AND x_first <= ? ORDER BY seq"));
    statement.bind(1, std::int64_t{series});
    statement.bind(2, from);
    statement.bind(3, to);
    SeriesPoints all;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return all;
        TW_ASSIGN(auto const part, decodePoints(statement.blob(0)));
        for (std::size_t i = 0; i < part.x.size(); ++i) {
            if (part.x[i] < from || part.x[i] > to) continue;
            all.x.push_back(part.x[i]);
            all.y.push_back(part.y[i]);
        }
    }
}

Result<std::vector<std::string>> ReportReader::foreignKeyViolations() const
{
    Lock const lock(m_mutex);
    TW_ASSIGN(auto statement, m_db->prepare("PRAGMA foreign_key_check"));
    std::vector<std::string> all;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more || all.size() >= 1000) return all;
        all.push_back(std::string(statement.text(0)) + " row " + (statement.isNull(1) ? "?" : std::to_string(statement.integer(1))) + " -> "
                      + std::string(statement.text(2)));
    }
}

// ---- the whole ---------------------------------------------------------------------------------------

ReportReader::Snapshot::Snapshot(ReportReader const &reader) : m_reader(&reader), m_lock(reader.m_mutex) {}

ReportReader::Snapshot::~Snapshot()
{
    if (m_lock.owns_lock() && --m_reader->m_snapshots == 0) (void)m_reader->m_db->execute("COMMIT").ok();
}

Result<ReportReader::Snapshot> ReportReader::snapshot() const
{
    Lock const lock(m_mutex);
    if (m_snapshots == 0) TW_TRY(m_db->execute("BEGIN"));
    ++m_snapshots;
    return Snapshot(*this);
}

Result<ReportData> ReportReader::readAll() const
{
    TW_ASSIGN(auto const snapshot, this->snapshot());
    ReportData data;
    TW_ASSIGN(data.meta, meta());
    TW_ASSIGN(data.parts, parts());
    TW_ASSIGN(data.target, target());
    Status status;
    forEachTable(data, [&](auto &rows) {
        using Row = typename std::remove_reference_t<decltype(rows)>::value_type;
        if (!status.ok()) return;
        auto read = readRows<Row>(*m_db);
        if (read.ok()) rows = std::move(read).value();
        else status = read.error();
    });
    TW_TRY(status);
    TW_ASSIGN(int const vectors, tileVecCount());
    for (int id = 0; id < vectors; ++id) {
        TW_ASSIGN(auto values, tileVec(id));
        if (data.tileVecs.add(std::move(values)) != id) return corrupt("tile_vec", Message::of("two tile vectors are equal"));
    }
    TW_ASSIGN(auto const layouts, count("layout"));
    for (int id = 0; id < layouts; ++id) {
        TW_ASSIGN(auto one, packedLayout(id));
        TW_TRY(unpacked(id, one));
        TW_ASSIGN(int const base, baseOf(one.data));
        if (base >= layouts) return corrupt("layout " + std::to_string(id), Message::of("it differs from a layout that is not there"));
        data.layouts.add(std::move(one));
    }
    TW_ASSIGN(data.tileLayout, tileLayouts());
    TW_ASSIGN(auto lanes, m_db->prepare("SELECT DISTINCT pattern, lane FROM event_chunk ORDER BY pattern, lane"));
    for (;;) {
        TW_ASSIGN(bool const more, lanes.step());
        if (!more) break;
        LaneEvents one{static_cast<int>(lanes.integer(0)), static_cast<int>(lanes.integer(1)), {}};
        TW_ASSIGN(one.events, events(one.pattern, one.lane));
        data.events.push_back(std::move(one));
    }
    for (std::size_t i = 0; i < data.series.size(); ++i) {
        TW_ASSIGN(auto some,
                  points(static_cast<int>(i), std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
        data.seriesPoints.push_back(std::move(some));
    }
    return data;
}

// ---- queries -----------------------------------------------------------------------------------------

Result<QueryResult> ReportReader::query(std::string const &sql, std::int64_t rowCap, std::chrono::milliseconds timeLimit) const
{
    Lock const lock(m_mutex);
    auto deadline = std::chrono::steady_clock::now() + timeLimit;
    sqlite3_progress_handler(m_db->handle(), 1000, pastDeadline, &deadline);
    struct Restore {
        ReportReader const &reader;
        ~Restore()
        {
            reader.m_querying = false;
            sqlite3_progress_handler(reader.m_db->handle(), 0, nullptr, nullptr);
        }
    } const restore{*this};
    m_querying = true;
    std::string tail;
    auto prepared = m_db->prepare(sql, &tail);
    m_querying = false; // table functions read on their own behalf
    if (!prepared.ok()) return prepared.error();
    auto const blank = [](char c) { return isAsciiBlank(c) || c == ';'; };
    if (!std::all_of(tail.begin(), tail.end(), blank))
        return makeError(ErrorKind::Invalid, "store.refused", m_db->subject(), Message::of("only one statement at a time is allowed"),
                         Message::of("Use a single SELECT."));
    if (!prepared->readsOnly())
        return makeError(ErrorKind::Invalid, "store.refused", m_db->subject(), Message::of("only reading is allowed here"),
                         Message::of("Use a single SELECT."));
    QueryResult result;
    Statement &statement = *prepared;
    for (int c = 0; c < statement.columns(); ++c) result.columns.push_back(statement.columnName(c));
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return result;
        if (static_cast<std::int64_t>(result.rows.size()) >= rowCap) {
            result.capped = true;
            return result;
        }
        auto &row = result.rows.emplace_back();
        for (int c = 0; c < statement.columns(); ++c) {
            switch (statement.type(c)) {
            case SQLITE_INTEGER: row.emplace_back(statement.integer(c)); break;
            case SQLITE_FLOAT: row.emplace_back(statement.real(c)); break;
            case SQLITE_TEXT: row.emplace_back(std::string(statement.text(c))); break;
            case SQLITE_BLOB: row.emplace_back(Blob{std::string(statement.blob(c))}); break;
            default: row.emplace_back(); break;
            }
        }
    }
}

} // namespace tilewright::store
