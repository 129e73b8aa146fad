#include "engine/store/sqlite.h"

#include "engine/core/files.h"

#include <cstring>
#include <sqlite3.h>

#include <sys/resource.h>

#include <cerrno>
#include <filesystem>

namespace tilewright::store {

namespace {

/// Whether it is the process's limit that stops a file, not its disk: a short write may end without an errno, so that
/// the disk is asked.
bool atSizeLimit(int system, std::string const &subject)
{
    if (system == EFBIG) return true;
    rlimit limit{};
    if (system == ENOSPC || system == EDQUOT || getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
    std::error_code problem;
    auto folder = std::filesystem::path(subject).parent_path();
    auto const space = std::filesystem::space(folder.empty() ? std::filesystem::path(".") : folder, problem);
    return !problem && space.available > limit.rlim_cur;
}

} // namespace

Diagnostic sqliteError(sqlite3 *handle, int code, std::string const &subject)
{
    std::string const detail = handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
    int const system = handle ? sqlite3_system_errno(handle) : 0;
    // A short write by a limit or a quota is no SQLITE_FULL, and its errno may be lost on the way out: only
    // EIO tells a broken disk from one without room.
    bool const failedWrite = code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE;
    bool const noRoom = system == ENOSPC || system == EFBIG || system == EDQUOT || (failedWrite && system != EIO);
    auto const full = [&] {
        if (atSizeLimit(system, subject))
            return makeError(ErrorKind::Data, "store.disk-full", subject, Message::of("the file reached the limit of file sizes"),
                             Message::of("Raise the limit (ulimit -f); what was written before is intact."));
        return makeError(ErrorKind::Data, "store.disk-full", subject, Message::of("there is no room left to write the file"),
                         Message::of("Free some space; what was written before is intact."));
    };
    switch (code & 0xff) {
    case SQLITE_FULL: return full();
    case SQLITE_IOERR:
        if (noRoom) return full();
        return makeError(ErrorKind::Data, "store.io", subject, Message::of("the file cannot be read or written: %1", detail),
                         Message::of("Check the disk."));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return makeError(ErrorKind::Data, "store.busy", subject, Message::of("another process is using the file"),
                         Message::of("Wait for it or choose another name."));
    case SQLITE_CORRUPT:
        return makeError(ErrorKind::Invalid, "store.corrupt", subject, Message::of("the file is damaged: %1", detail),
                         Message::of("Use a copy or make it again."));
    case SQLITE_NOTADB:
        return makeError(ErrorKind::Invalid, "store.not-a-database", subject, Message::of("the file is of another kind"),
                         Message::of("Choose a file that Tilewright wrote."));
    case SQLITE_READONLY:
        if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY)
            return makeError(ErrorKind::Data, "store.interrupted", subject,
                             Message::of("an interrupted change must be undone first, but the file may not be written"),
                             Message::of("Copy it, with its -journal or -wal file, to a folder that you may write to."));
        [[fallthrough]];
    case SQLITE_PERM:
        return makeError(ErrorKind::Data, "store.read-only", subject, Message::of("the file may not be written"),
                         Message::of("Check its permissions."));
    case SQLITE_CANTOPEN:
        if (noRoom) return full();
        return makeError(ErrorKind::Data, "store.cannot-open", subject, Message::of("the file cannot be opened: %1", detail),
                         Message::of("Check that the folder exists and may be used."));
    case SQLITE_INTERRUPT:
        return makeError(ErrorKind::Cancelled, "store.time-limit", subject, Message::of("the query took too long and was stopped"),
                         Message::of("Request less, or allow more time."));
    case SQLITE_AUTH:
        return makeError(ErrorKind::Invalid, "store.refused", subject, Message::of("only reading is allowed here: %1", detail),
                         Message::of("Use a single SELECT."));
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        return makeError(ErrorKind::Internal, "store.constraint", subject, Message::of("a row breaks the rules of the file: %1", detail));
    case SQLITE_NOMEM:
        return makeError(ErrorKind::DoesNotFit, "store.no-memory", subject,
                         Message::of("the host does not have enough memory to use the file"),
                         Message::of("Close other programs, or use a machine with more memory."));
    case SQLITE_ERROR: return makeError(ErrorKind::Invalid, "store.sql", subject, detail);
    default: return makeError(ErrorKind::Data, "store.io", subject, Message::of("the file cannot be used: %1", detail));
    }
}

void Statement::Finalize::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

// Binding fails only for a wrong index or without memory: the first is our mistake, the second shows in step().
void Statement::bind(int index, std::int64_t value) { sqlite3_bind_int64(m_statement.get(), index, value); }
void Statement::bind(int index, double value) { sqlite3_bind_double(m_statement.get(), index, value); }
void Statement::bindText(int index, std::string_view text)
{
    // A null pointer would bind NULL, and string views of nothing have one.
    sqlite3_bind_text64(m_statement.get(), index, text.data() ? text.data() : "", text.size(), SQLITE_STATIC, SQLITE_UTF8);
}
void Statement::bindBlob(int index, std::string_view bytes)
{
    sqlite3_bind_blob64(m_statement.get(), index, bytes.data() ? bytes.data() : "", bytes.size(), SQLITE_STATIC);
}
void Statement::bindNull(int index) { sqlite3_bind_null(m_statement.get(), index); }

Result<bool> Statement::step()
{
    int code = sqlite3_step(m_statement.get());
    // Memory that json_valid() does not get makes it say that good text is no JSON: asked again, it is right.
    if (code == SQLITE_CONSTRAINT_CHECK && std::strstr(sqlite3_errmsg(sqlite3_db_handle(m_statement.get())), "json_valid")) {
        sqlite3_reset(m_statement.get());
        code = sqlite3_step(m_statement.get());
    }
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    Diagnostic error = sqliteError(sqlite3_db_handle(m_statement.get()), code, m_subject);
    sqlite3_reset(m_statement.get());
    return error;
}

Status Statement::run()
{
    for (;;) {
        TW_ASSIGN(bool const more, step());
        if (!more) break;
    }
    reset();
    return {};
}

void Statement::reset()
{
    sqlite3_reset(m_statement.get());
    sqlite3_clear_bindings(m_statement.get());
}

int Statement::columns() const { return sqlite3_column_count(m_statement.get()); }
std::string Statement::columnName(int column) const
{
    char const *name = sqlite3_column_name(m_statement.get(), column);
    return name ? name : "";
}
bool Statement::isNull(int column) const { return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL; }
int Statement::type(int column) const { return sqlite3_column_type(m_statement.get(), column); }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(m_statement.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(m_statement.get(), column); }
std::string_view Statement::text(int column) const
{
    auto const *bytes = reinterpret_cast<char const *>(sqlite3_column_text(m_statement.get(), column));
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))) : std::string_view();
}
std::string_view Statement::blob(int column) const
{
    auto const *bytes = static_cast<char const *>(sqlite3_column_blob(m_statement.get(), column));
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))) : std::string_view();
}
bool Statement::readsOnly() const { return sqlite3_stmt_readonly(m_statement.get()) != 0; }

void Database::Close::operator()(sqlite3 *handle) const { sqlite3_close_v2(handle); }

Result<Database> Database::open(std::filesystem::path const &path, Mode mode)
{
    Database database;
    database.m_subject = path.filename().string();
    std::error_code ignored;
    if (mode != Mode::Create && !std::filesystem::exists(path, ignored))
        return makeError(ErrorKind::Data, "store.missing", path.string(), Message::of("there is no such file"));
    if (std::filesystem::is_directory(path, ignored))
        return makeError(ErrorKind::Data, "store.cannot-open", path.string(), Message::of("this is a folder, not a file"));
    if (std::filesystem::is_fifo(path, ignored)) return pipeError("store.cannot-open", path); // to open it waits for a writer
    int flags = SQLITE_OPEN_READONLY;
    // Who writes is one thread at a time: a lock for each value that is bound would be a tenth of the writing.
    if (mode == Mode::ReadWrite) flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (mode == Mode::Create) flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    sqlite3 *handle = nullptr;
    std::string name = path.string();
    if (mode == Mode::Frozen) {
        // A name as a URI: what means something there is written as its code.
        std::string escaped;
        for (char const c : std::filesystem::absolute(path, ignored).string()) {
            static constexpr char kHex[] = "0123456789ABCDEF";
            if (c == '%' || c == '?' || c == '#') escaped += {'%', kHex[static_cast<unsigned char>(c) >> 4], kHex[c & 15]};
            else escaped += c;
        }
        name = "file://" + escaped + "?immutable=1";
        flags |= SQLITE_OPEN_URI;
    }
    int const code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
    database.m_handle.reset(handle);
    if (code != SQLITE_OK) return sqliteError(handle, code, database.m_subject);
    sqlite3_extended_result_codes(handle, 1);
    // What SQLite advises for files of unknown origin (sqlite.org/security.html). What a file brings along may not call anything with
    // side effects, no file of ours has triggers, and cells are checked before they are used. What is written to has a schema that was
    // compared with ours (engine/store/schema_check.h); the checks of that call json_valid, which SQLite takes for unsafe.
    if (mode == Mode::ReadOnly || mode == Mode::Frozen) sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    TW_TRY(database.execute("PRAGMA cell_size_check = ON"));
    database.setBusyTimeout(2000);
    return database;
}

Result<Database> Database::inMemory(std::string subject)
{
    Database database;
    database.m_subject = std::move(subject);
    sqlite3 *handle = nullptr;
    int const code = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    database.m_handle.reset(handle);
    if (code != SQLITE_OK) return sqliteError(handle, code, database.m_subject);
    sqlite3_extended_result_codes(handle, 1);
    return database;
}

Result<std::string> Database::serialized() const
{
    sqlite3_int64 size = 0;
    unsigned char *const bytes = sqlite3_serialize(handle(), "main", &size, 0);
    if (!bytes) return sqliteError(nullptr, SQLITE_NOMEM, m_subject);
    std::string content(reinterpret_cast<char const *>(bytes), static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    return content;
}

Result<Database> Database::openForReading(std::filesystem::path const &path)
{
    TW_ASSIGN(auto database, open(path, Mode::ReadOnly));
    auto settled = database.integer("SELECT count(*) FROM sqlite_master");
    if (!settled.ok() && settled.error().code == "store.interrupted") {
        if (auto repair = open(path, Mode::ReadWrite); repair.ok()) (void)repair->integer("SELECT count(*) FROM sqlite_master").ok();
        TW_ASSIGN(database, open(path, Mode::ReadOnly));
        settled = database.integer("SELECT count(*) FROM sqlite_master");
    }
    std::error_code ignored;
    if (!settled.ok() && (settled.error().code == "store.cannot-open" || settled.error().code == "store.read-only")
        && !std::filesystem::exists(path.string() + "-wal", ignored)) {
        TW_ASSIGN(auto frozen, open(path, Mode::Frozen));
        if (auto const rows = frozen.integer("SELECT count(*) FROM sqlite_master"); rows.ok()) {
            database = std::move(frozen);
            settled = rows;
        }
    }
    TW_TRY(settled);
    return database;
}

Status Database::execute(std::string const &sql)
{
    int const code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return sqliteError(handle(), code, m_subject);
    return {};
}

Result<Statement> Database::prepare(std::string_view sql, std::string *tail) const
{
    Statement statement;
    statement.m_subject = m_subject;
    sqlite3_stmt *raw = nullptr;
    char const *rest = nullptr;
    int const code = sqlite3_prepare_v2(handle(), sql.data(), static_cast<int>(sql.size()), &raw, &rest);
    statement.m_statement.reset(raw);
    if (code != SQLITE_OK) return sqliteError(handle(), code, m_subject);
    if (!raw) return makeError(ErrorKind::Invalid, "store.sql", m_subject, Message::of("the query is empty"));
    if (tail) *tail = rest ? std::string(rest, sql.data() + sql.size()) : std::string();
    return statement;
}

Result<std::int64_t> Database::integer(std::string_view sql) const
{
    TW_ASSIGN(auto statement, prepare(sql));
    TW_ASSIGN(bool const row, statement.step());
    if (!row) return makeError(ErrorKind::Invalid, "store.corrupt", m_subject, Message::of("an expected row is missing"));
    return statement.integer(0);
}

Result<std::string> Database::text(std::string_view sql) const
{
    TW_ASSIGN(auto statement, prepare(sql));
    TW_ASSIGN(bool const row, statement.step());
    if (!row) return makeError(ErrorKind::Invalid, "store.corrupt", m_subject, Message::of("an expected row is missing"));
    return std::string(statement.text(0));
}

void Database::forbidViews() { sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr); }

void Database::setBusyTimeout(int milliseconds) { sqlite3_busy_timeout(handle(), milliseconds); }

} // namespace tilewright::store
