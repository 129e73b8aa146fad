#pragma once

#include "engine/core/result.h"
#include "engine/report/tables.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

namespace tilewright::store {

class Database;

struct Blob {
    std::string bytes;
    bool operator==(Blob const &) const = default;
};
/// A cell of a query: NULL, integer, real, text or blob.
using Value = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;

struct QueryResult {
    std::vector<std::string> columns;
    std::vector<std::vector<Value>> rows;
    bool capped = false; ///< more rows exist than were requested
};

/// Head of a stored chunk of events, before its data are read.
struct EventChunkHead {
    int seq = 0;
    std::int64_t first = 0, last = 0; ///< start of the first event, end of the last
    std::int64_t events = 0, busy = 0, longest = 0, longestIndex = 0;
    std::int64_t compute = 0, exchange = 0, stream = 0, sync = 0;
    bool operator==(EventChunkHead const &) const = default;
};

/// A report file, open for reading. Opening reads the head of the file only. Everything else is read on request, directly from the file,
/// without a cache. A file that is being written can be followed: each call sees the newest commit. May be used from several threads (calls
/// take turns); for parallel reading open one reader per thread.
///
/// Errors: those of engine/store/sqlite.h, and
///   store.wrong-kind (Invalid)     an SQLite file, but not a report
///   store.newer-version (Invalid)  written by a later major version
///   report.packed, report.tile-vec, report.blob (Data)  damaged blocks
class ReportReader {
public:
    static Result<std::shared_ptr<ReportReader const>> open(std::filesystem::path const &path);
    ~ReportReader();
    ReportReader(ReportReader const &) = delete;
    ReportReader &operator=(ReportReader const &) = delete;

    std::filesystem::path const &path() const { return m_path; }
    int version() const { return m_version; }
    /// Whether a living process is still writing it.
    bool isLive() const;
    Result<std::map<std::string, std::string>> meta() const;
    /// A part in state "writing" without a living writer is reported as truncated.
    Result<std::vector<report::PartRow>> parts() const;
    Result<report::TargetRow> target() const;
    /// All rows of a table, in order of their ids or keys. T: any row type of engine/report/tables.h.
    template <typename T> Result<std::vector<T>> rows() const;
    Result<std::int64_t> count(std::string const &table) const;
    /// A number that changes only when the writer commits.
    Result<std::int64_t> dataVersion() const;

    Result<int> tileVecCount() const;
    Result<report::TileVecHead> tileVecHead(int id) const;
    Result<std::vector<std::int64_t>> tileVec(int id) const;
    Result<std::vector<int>> tileLayouts() const; ///< layout by tile; -1: none
    Result<report::TileLayout> layout(int id) const;
    Result<report::LiveCurveRow> liveCurve(std::string const &scope, int scopeId) const;
    Result<std::vector<EventChunkHead>> chunkHeads(int pattern, int lane) const;
    Result<report::EventColumns> chunk(int pattern, int lane, int seq) const;
    /// All chunks of the lane, joined.
    Result<report::EventColumns> events(int pattern, int lane) const;
    /// Points with from <= x <= to.
    Result<report::SeriesPoints> points(int series, std::int64_t from, std::int64_t to) const;

    /// "table row N -> parent" for every foreign key without a parent row.
    Result<std::vector<std::string>> foreignKeyViolations() const;

    /// While a snapshot lives, all calls of its thread see the file as of the first snapshot's creation; calls of other threads wait. Use
    /// it for several calls that must agree while the report may grow.
    class Snapshot {
    public:
        Snapshot(Snapshot &&) noexcept = default;
        Snapshot &operator=(Snapshot &&) = delete;
        ~Snapshot();

    private:
        friend class ReportReader;
        explicit Snapshot(ReportReader const &reader);
        ReportReader const *m_reader;
        std::unique_lock<std::recursive_mutex> m_lock; ///< empty: moved from
    };
    Result<Snapshot> snapshot() const;

    /// The whole report as one consistent state. For tests, checks, comparisons and exports.
    Result<report::ReportData> readAll() const;

    /// Runs one SELECT of a user or a rule. Table functions: tile_values(vec), placed(tile), live_at(step, tile or NULL),
    /// live_points(scope, scope_id), events(run, lane, from, to), points(series, from, to). Drops rows beyond `rowCap` (capped). Fails with
    /// store.time-limit after `timeLimit`, and with store.refused for any statement that does more than read.
    Result<QueryResult> query(std::string const &sql, std::int64_t rowCap = 100000,
                              std::chrono::milliseconds timeLimit = std::chrono::seconds(10)) const;

private:
    ReportReader();
    std::filesystem::path m_path;
    int m_version = 0;
    std::unique_ptr<Database> m_db;
    bool m_log = false; ///< the file had a log beside it when it was opened
    Result<report::PackedLayout> packedLayout(int id) const;
    Result<report::TileLayout> unpacked(int id, report::PackedLayout const &packed) const;

    /// The complete layout from which the last one that was read differs.
    struct Base {
        int number = report::kNone;
        report::TileLayout layout;
    };
    mutable Base m_base;
    mutable std::recursive_mutex m_mutex;
    mutable int m_snapshots = 0;     ///< living snapshots, all of one thread
    mutable bool m_querying = false; ///< a user's query runs; the authorizer tests it
    friend struct ReaderAccess;
};

/// Turns a report without writer and other readers into one plain file: merges the log beside it and removes the log. Returns false if the
/// file stays as it is (in use by others, or not writable), which is harmless. Opening and closing a report call it.
bool settleReport(std::filesystem::path const &path);

} // namespace tilewright::store
