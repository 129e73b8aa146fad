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
    bool capped = false; ///< there were more rows than asked for
};

/// What a stored chunk of events says of itself, before its data are read.
struct EventChunkHead {
    int seq = 0;
    std::int64_t first = 0, last = 0; ///< start of the first event, end of the last
    std::int64_t events = 0, busy = 0, longest = 0, longestIndex = 0;
    std::int64_t compute = 0, exchange = 0, stream = 0, sync = 0;
    bool operator==(EventChunkHead const &) const = default;
};

/// A report file, open for reading. Opening reads the head of the file only; everything else is fetched
/// when asked for, straight from the file (nothing is cached here). Files that are being written may be
/// followed: each call sees the newest commit. May be used from several threads (calls take turns); for
/// reading in parallel open one per thread.
///
/// Errors: those of engine/store/sqlite.h, and
///   store.wrong-kind (Invalid)     an SQLite file, but no report
///   store.newer-version (Invalid)  a later major version wrote it
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
    /// A part that says "writing" without a living writer is shown as truncated.
    Result<std::vector<report::PartRow>> parts() const;
    Result<report::TargetRow> target() const;
    /// All rows of a table, in the order of its ids or keys. T: any row type of engine/report/tables.h.
    template <typename T> Result<std::vector<T>> rows() const;
    Result<std::int64_t> count(std::string const &table) const;
    /// A number that changes when the writer commits, and only then.
    Result<std::int64_t> dataVersion() const;

    Result<int> tileVecCount() const;
    Result<report::TileVecHead> tileVecHead(int id) const;
    Result<std::vector<std::int64_t>> tileVec(int id) const;
    Result<std::vector<int>> tileLayouts() const; ///< layout by tile, -1 = none
    Result<report::TileLayout> layout(int id) const;
    Result<report::LiveCurveRow> liveCurve(std::string const &scope, int scopeId) const;
    Result<std::vector<EventChunkHead>> chunkHeads(int pattern, int lane) const;
    Result<report::EventColumns> chunk(int pattern, int lane, int seq) const;
    /// All chunks of the lane, joined.
    Result<report::EventColumns> events(int pattern, int lane) const;
    /// Points with from <= x <= to.
    Result<report::SeriesPoints> points(int series, std::int64_t from, std::int64_t to) const;

    /// "table row N -> parent" for every declared foreign key that points nowhere.
    Result<std::vector<std::string>> foreignKeyViolations() const;

    /// While one lives, every call of its thread sees the file as it was when the first of them was taken; calls of
    /// other threads wait. For what needs several calls that agree: a report may grow meanwhile.
    class Snapshot {
    public:
        Snapshot(Snapshot &&) noexcept = default;
        Snapshot &operator=(Snapshot &&) = delete;
        ~Snapshot();

    private:
        friend class ReportReader;
        explicit Snapshot(ReportReader const &reader);
        ReportReader const *m_reader;
        std::unique_lock<std::recursive_mutex> m_lock; ///< none: moved from
    };
    Result<Snapshot> snapshot() const;

    /// Everything, as one consistent state. For tests, checks, comparisons and exports.
    Result<report::ReportData> readAll() const;

    /// One SELECT of a person or a rule. Table functions: tile_values(vec), placed(tile), live_at(step, tile
    /// or NULL), live_points(scope, scope_id), events(run, lane, from, to), points(series, from, to).
    /// More rows than `rowCap` are dropped (capped); past `timeLimit` it fails with store.time-limit;
    /// anything but reading fails with store.refused.
    Result<QueryResult> query(std::string const &sql, std::int64_t rowCap = 100000,
                              std::chrono::milliseconds timeLimit = std::chrono::seconds(10)) const;

private:
    ReportReader();
    std::filesystem::path m_path;
    int m_version = 0;
    std::unique_ptr<Database> m_db;
    bool m_log = false; ///< the file had its log beside it when it was opened
    mutable std::recursive_mutex m_mutex;
    mutable int m_snapshots = 0;     ///< that live, all of one thread
    mutable bool m_querying = false; ///< a person's query runs: the authorizer looks
    friend struct ReaderAccess;
};

/// Makes one plain file of a report whose writer is gone and that nobody else reads: takes in the log beside it and
/// removes that. False when it stays as it is (written or read by others, or not to be changed by us), which harms nobody.
/// Opening a report and closing it do this by themselves.
bool settleReport(std::filesystem::path const &path);

} // namespace tilewright::store
