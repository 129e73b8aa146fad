#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// Owning wrapper of SQLite. Every failure is a Diagnostic that names the file.
//   store.disk-full (Data)        no space, a quota or a size limit
//   store.interrupted (Data)      a change must be undone first, and the file is not writable
//   store.busy (Data)             another process holds the file
//   store.corrupt (Invalid)       damaged content
//   store.not-a-database (Invalid)  a file of another kind
//   store.missing, store.cannot-open, store.read-only, store.io (Data)
//   store.time-limit (Cancelled)  a query was interrupted
//   store.refused (Invalid)       a query that does more than read
//   store.foreign-schema (Invalid)  views, triggers or tables that are not ours (engine/store/schema_check.h)
//   store.constraint (Internal)   a row that violates the rules of the file
//   store.sql (Invalid)           a query that does not parse or run
namespace tilewright::store {

class Database;

/// A prepared statement. Columns count from 0, parameters from 1.
class Statement {
public:
    void bind(int index, std::int64_t value);
    void bind(int index, double value);
    /// The text must live until the statement has run.
    void bindText(int index, std::string_view text);
    void bindBlob(int index, std::string_view bytes);
    void bindNull(int index);

    /// True: a row is available; false: done.
    Result<bool> step();
    /// Steps to the end, then resets the statement for new bindings.
    Status run();
    void reset();

    int columns() const;
    std::string columnName(int column) const;
    bool isNull(int column) const;
    /// SQLITE_INTEGER (1), SQLITE_FLOAT (2), SQLITE_TEXT (3), SQLITE_BLOB (4) or SQLITE_NULL (5).
    int type(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    /// Views into the row, valid until the next step.
    std::string_view text(int column) const;
    std::string_view blob(int column) const;
    bool readsOnly() const;

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt *statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    std::string m_subject;
};

/// One connection. Not thread-safe.
class Database {
public:
    enum class Mode { ReadOnly, ReadWrite, Create, Frozen }; ///< Frozen: read without creating files beside it
    static Result<Database> open(std::filesystem::path const &path, Mode mode);
    /// A database in memory; errors name `subject`.
    static Result<Database> inMemory(std::string subject);
    /// The bytes of a file with this content.
    Result<std::string> serialized() const;

    /// Opens read-only. If no log can be created beside a file at rest (a read-only folder), reads the file as it is. An unfinished change
    /// of a killed process is undone first, which takes one writable connection. Checks that the file is a database.
    static Result<Database> openForReading(std::filesystem::path const &path);

    Status execute(std::string const &sql);
    /// `tail`: receives the text after the first statement.
    Result<Statement> prepare(std::string_view sql, std::string *tail = nullptr) const;
    /// The first column of the first row; an error without a row.
    Result<std::int64_t> integer(std::string_view sql) const;
    Result<std::string> text(std::string_view sql) const;
    /// Views are not run, nor are triggers in any case. Call before anything is read.
    void forbidViews();
    /// Time that a statement waits for other processes.
    void setBusyTimeout(int milliseconds);
    sqlite3 *handle() const { return m_handle.get(); }
    std::string const &subject() const { return m_subject; }

private:
    struct Close {
        void operator()(sqlite3 *handle) const;
    };
    std::unique_ptr<sqlite3, Close> m_handle;
    std::string m_subject; ///< file name, for messages
};

/// The Diagnostic of the connection's last failure.
Diagnostic sqliteError(sqlite3 *handle, int code, std::string const &subject);

/// Runs `body` inside BEGIN IMMEDIATE … COMMIT. Rolls back if it fails.
template <typename Body> Status inTransaction(Database &database, Body &&body)
{
    TW_TRY(database.execute("BEGIN IMMEDIATE"));
    Status status = body();
    if (status.ok()) status = database.execute("COMMIT");
    if (!status.ok()) (void)database.execute("ROLLBACK").ok();
    return status;
}

} // namespace tilewright::store
