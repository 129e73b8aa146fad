#include "engine/store/report_writer.h"

#include "engine/store/process_mark.h"
#include "engine/store/replace_database.h"
#include "engine/store/report_writer_impl.h"
#include "engine/store/schema.h"
#include "engine/store/schema_check.h"

// A report file from its first moment to its last: an empty one in its place, what is committed together, what is given up,
// parts that close.
namespace tilewright::store {

// ---- creation ----------------------------------------------------------------------------------------

namespace {

constexpr auto kCommitEvery = std::chrono::milliseconds(100);
constexpr std::int64_t kCommitBytes = 1 << 20;
constexpr int kReadersEndMs = 20'000; ///< a reader of one moment on a busy machine

/// A report with nothing in it, in place of whatever has that name. Readers of the old file keep what they have open.
Status makeEmpty(std::filesystem::path const &path)
{
    TW_ASSIGN(auto db, Database::inMemory(path.filename().string()));
    TW_TRY(db.execute("PRAGMA page_size = 16384; PRAGMA application_id = " + std::to_string(kReportApplicationId)
                      + "; PRAGMA user_version = " + std::to_string(kReportVersion)));
    auto const filled = inTransaction(db, [&]() -> Status {
        for (auto const &sql : reportSchema()) TW_TRY(db.execute(sql));
        for (auto const &part : fileParts()) TW_TRY(db.execute("INSERT INTO part(name, state) VALUES('" + part.name + "', 'writing')"));
        return db.execute("INSERT INTO meta(key, value) VALUES('host_writer', '" + processMark() + "')");
    });
    TW_TRY(filled);
    return replaceDatabase(path, db, Sync::No);
}

} // namespace

Status checkReportPlace(std::filesystem::path const &path)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return {};
    if (!std::filesystem::is_regular_file(path, ignored))
        return makeError(ErrorKind::Data, "store.cannot-open", path.string(),
                         Message::of("a report must be a regular file: it is read while it grows"), Message::of("Choose another name."));
    if (std::filesystem::file_size(path, ignored) == 0) return {};
    auto const old = Database::open(path, Database::Mode::ReadOnly);
    if (!old.ok()) return old.error();
    auto const application = old->integer("PRAGMA application_id");
    if (!application.ok() || *application != kReportApplicationId)
        return makeError(ErrorKind::Usage, "store.wrong-kind", path.string(),
                         Message::of("the file exists and is not a report: writing the report would overwrite it"),
                         Message::of("Choose another name, or remove it first."));
    if (!checkReportSchema(*old).ok()) return {}; // nobody writes that one
    auto const mark = old->text("SELECT value FROM meta WHERE key = 'host_writer'");
    if (mark.ok() && isAlive(*mark))
        return makeError(ErrorKind::Data, "store.busy", path.filename().string(), Message::of("this report is being written"),
                         Message::of("Wait for its run to end or choose another name."));
    return {};
}

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
    if (!DestinationClaim::isHeldHere(path)) {
        auto claim = DestinationClaim::take(path);
        if (!claim.ok()) return asStoreError(claim.error());
        impl->claim = std::move(claim).value();
    }
    TW_TRY(checkReportPlace(path));
    TW_TRY(makeEmpty(path));
    TW_ASSIGN(impl->db, Database::open(path, Database::Mode::ReadWrite));
    // What a crash of the machine may cost is the report being written; a crash of ours costs nothing.
    TW_TRY(impl->db.execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -65536"));
    TW_TRY(impl->names.prepare(impl->db));
    return ReportWriter(std::move(impl));
}

// ---- transactions ------------------------------------------------------------------------------------

Status ReportWriter::Impl::remember(Status status)
{
    if (!status.ok() && !failure) failure = status.error();
    return status;
}

Diagnostic ReportWriter::Impl::fail(Diagnostic error)
{
    rollback();
    if (!failure) failure = error;
    return error;
}

Status ReportWriter::Impl::begin()
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
    begun = std::chrono::steady_clock::now();
    pendingBytes = 0;
    return {};
}

void ReportWriter::Impl::rollback()
{
    if (inTransaction) (void)db.execute("ROLLBACK").ok();
    inTransaction = false;
}

Status ReportWriter::Impl::commitWhenDue()
{
    if (!inTransaction || held) return {};
    if (std::chrono::steady_clock::now() - begun < kCommitEvery && pendingBytes < kCommitBytes) return {};
    return commit();
}

Status ReportWriter::Impl::commit()
{
    if (failure) return *failure;
    Status status = writeTails();
    if (status.ok() && inTransaction) status = db.execute("COMMIT");
    if (!status.ok()) return fail(status.error());
    inTransaction = false;
    return {};
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

void ReportWriter::setPartState(std::string const &part, report::PartState state, std::string note)
{
    m_impl->wantedStates[part] = {state, std::move(note)};
}

Status ReportWriter::Impl::closePart(FilePart const &part)
{
    std::int64_t rows = 0, bytes = 0;
    for (auto const &table : part.tables) {
        TW_ASSIGN(auto const count, db.integer("SELECT count(*) FROM " + table));
        rows += count;
    }
    for (auto const &[table, column] : part.blobs) {
        TW_ASSIGN(auto const sum, db.integer("SELECT coalesce(sum(length(" + column + ")), 0) FROM " + table));
        bytes += sum;
    }
    auto state = rows > 0 ? report::PartState::Complete : report::PartState::Absent;
    std::string note = rows > 0 ? "" : "nothing of it was recorded";
    if (auto const wanted = wantedStates.find(part.name); wanted != wantedStates.end()) {
        state = wanted->second.first;
        note = wanted->second.second;
    }
    TW_ASSIGN(Statement *const update, statement("UPDATE part SET state = ?, rows = ?, bytes = ?, note = ? WHERE name = ?"));
    update->bindText(1, toText(state));
    update->bind(2, rows);
    update->bind(3, bytes);
    update->bindText(4, note);
    update->bindText(5, part.name);
    return update->run();
}

Status ReportWriter::finish()
{
    Impl &impl = *m_impl;
    TW_TRY(impl.commit());
    if (impl.live) TW_TRY(impl.remember(impl.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")));
    auto const closed = impl.remember(inTransaction(impl.db, [&]() -> Status {
        // Insights and options may have come after the first closing: count all parts anew.
        for (auto const &part : fileParts()) TW_TRY(impl.closePart(part));
        TW_TRY(impl.db.execute("DELETE FROM meta WHERE key = 'host_writer'"));
        return impl.db.execute("ANALYZE");
    }));
    TW_TRY(closed);
    // Back to one plain file. A reader that follows just now prevents it: then the log stays beside the
    // file, but all of it goes into the file too, which somebody may copy alone.
    if (impl.live) {
        impl.db.setBusyTimeout(200);
        if (!impl.db.execute("PRAGMA journal_mode = DELETE").ok()) {
            // Whoever reads a moment before the last commits keeps these in the log, and ends soon; others do not matter.
            impl.db.setBusyTimeout(kReadersEndMs);
            (void)impl.db.execute("PRAGMA wal_checkpoint(FULL)").ok();
        }
    }
    impl.names = {};
    impl.statements.clear();
    impl.db = {};
    impl.claim.reset();
    impl.failure =
        makeError(ErrorKind::Internal, "store.finished", impl.path.filename().string(), Message::of("a finished report is never changed"));
    return {};
}

Status ReportWriter::write(report::ReportData const &data, HostWork const &work)
{
    Impl &impl = *m_impl;
    if (impl.failure) return *impl.failure;
    return impl.remember(inTransaction(impl.db, [&] { return impl.writeTables(data, work); }));
}

Status writeReport(std::filesystem::path const &path, report::ReportData const &data, HostWork const &work)
{
    TW_ASSIGN(auto writer, ReportWriter::create(path));
    TW_TRY(writer.write(data, work));
    return writer.finish();
}

} // namespace tilewright::store
