#pragma once

#include "engine/core/destination.h"
#include "engine/core/ordered_work.h"
#include "engine/store/part_tables.h"
#include "engine/store/report_writer.h"
#include "engine/store/row_binder.h"

#include <chrono>
#include <map>
#include <optional>
#include <span>

namespace tilewright::store {

/// State of the file being written: open and uncommitted data (report_writer.cpp), and conversion of rows (report_writer_rows.cpp).
struct ReportWriter::Impl {
    /// The last, incomplete chunk of a growing list.
    struct Tail {
        std::int64_t seq = 0;
        bool dirty = false;
    };
    struct EventTail : Tail {
        report::EventColumns events;
    };
    struct SeriesTail : Tail {
        report::SeriesPoints points;
    };

    std::filesystem::path path;
    std::optional<DestinationClaim> claim; ///< empty where the process holds one already
    Database db;
    NameTable names;
    std::map<std::string, Statement> statements; ///< by their text
    std::optional<Diagnostic> failure;
    bool inTransaction = false, live = false, held = false;
    std::chrono::steady_clock::time_point begun;
    std::int64_t pendingBytes = 0;
    std::map<std::string, std::pair<report::PartState, std::string>> wantedStates;
    std::map<std::string, std::int64_t> nextId;          ///< by table
    std::map<std::string, int> tileVecs;                 ///< content hash to id
    std::vector<std::string> phases;                     ///< by event type
    std::map<std::pair<int, int>, EventTail> eventTails; ///< by (pattern, lane)
    std::map<int, SeriesTail> seriesTails;

    // ---- transactions

    Status remember(Status status);
    /// Rolls back. All later calls fail with the first error.
    Diagnostic fail(Diagnostic error);
    /// Opens the WAL, which separates the readers that follow from the writer.
    Status begin();
    void rollback();
    Status commitWhenDue();
    Status commit();
    Status closePart(FilePart const &part);

    // ---- rows

    Result<Statement *> statement(std::string const &sql);
    template <typename T> Status insert(T const &row, std::int64_t id, bool replace = false)
    {
        TW_ASSIGN(Statement *const prepared, statement(insertSql<T>(replace)));
        RowBinder binder(*prepared, names);
        return insertRow(*prepared, binder, id, row);
    }
    /// Rows between two looks at the cancellation; a row takes microseconds.
    static constexpr std::size_t kRowsBetweenLooks = 256;
    template <typename T> Status insertAll(std::vector<T> const &rows, HostWork const &work)
    {
        if (rows.empty()) return {};
        TW_ASSIGN(auto prepared, db.prepare(insertSql<T>()));
        RowBinder binder(prepared, names);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i % kRowsBetweenLooks == 0 && work.cancelled()) return cancelledError(path.filename().string());
            TW_TRY(insertRow(prepared, binder, static_cast<std::int64_t>(i), rows[i]));
        }
        nextId[TableOf<T>::kName] = static_cast<std::int64_t>(rows.size());
        return {};
    }
    /// Adds one growing row inside a transaction; commits when due.
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
        return changed([&] { return insert(row, 0, true); });
    }
    /// Makes a change inside a transaction; commits when due.
    template <typename Change> Status changed(Change const &change)
    {
        TW_TRY(begin());
        if (Status status = change(); !status.ok()) return fail(status.error());
        return commitWhenDue();
    }

    /// The columns of a vector's row after its id.
    struct TileVecRow {
        std::string hash;
        report::TileVecHead head;
        report::EncodedTileVec encoded;
    };
    Result<int> addTileVecNow(TileVecRow const &row);
    Status setMetaNow(std::string const &key, std::string const &value);
    Status setWatermarkNow(std::string const &part, std::int64_t value);
    Status writeTables(report::ReportData const &data, HostWork const &work);
    Status writeTileVecs(report::TileVecTable const &table, HostWork const &work);
    Status writeLayouts(report::ReportData const &data, HostWork const &work);
    Status append(int pattern, int lane, report::EventColumns const &events);
    Status append(int series, report::SeriesPoints const &points);
    Status writeEventChunk(int pattern, int lane, EventTail &tail);
    Status writeSeriesChunk(int series, SeriesTail &tail);
    Status writeTails();
};

} // namespace tilewright::store
