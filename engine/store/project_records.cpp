#include "engine/core/destination.h"
#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/core/text.h"
#include "engine/report/run_tables.h"
#include "engine/store/process_mark.h"
#include "engine/store/project_database.h"
#include "engine/store/project_file.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <limits>

// Checkpoints and the history of runs inside a project file.
namespace tilewright::store {

namespace {

constexpr std::int64_t kRaw = 0, kDeflated = 1;
/// SQLite's own limit for one value is 1e9 bytes.
constexpr std::size_t kLargestTensor = 950'000'000;

std::uint32_t crcOf(std::string_view bytes)
{
    return static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<Bytef const *>(bytes.data()), bytes.size()));
}

/// Compressed where it pays: trained weights are close to noise, optimizer states and masks are not.
/// `out` holds it where it is not the bytes themselves.
std::pair<std::int64_t, std::string_view> packed(std::string_view bytes, std::string &out)
{
    uLongf length = compressBound(static_cast<uLong>(bytes.size()));
    out.resize(length);
    int const code = compress2(reinterpret_cast<Bytef *>(out.data()), &length, reinterpret_cast<Bytef const *>(bytes.data()),
                               static_cast<uLong>(bytes.size()), Z_BEST_SPEED);
    out.resize(length);
    if (code != Z_OK || length > bytes.size() / 20 * 19) return {kRaw, bytes};
    return {kDeflated, out};
}

Result<std::string> unpacked(std::int64_t encoding, std::string_view data, std::int64_t bytes, std::int64_t crc, std::string const &subject)
{
    auto const damaged = [&] {
        return makeError(ErrorKind::Invalid, "store.corrupt", subject, Message::of("the stored tensor is damaged"),
                         Message::of("Use another checkpoint."));
    };
    if (bytes < 0 || bytes > static_cast<std::int64_t>(kLargestTensor)) return damaged();
    std::string out;
    if (encoding == kRaw) {
        out = data;
    } else if (encoding == kDeflated) {
        // No more than a thousandfold: the most deflate can do, and what bounds the memory a wrong size takes.
        if (bytes > static_cast<std::int64_t>(data.size()) * 1100 + 1000) return damaged();
        out.resize(static_cast<std::size_t>(bytes));
        uLongf length = static_cast<uLongf>(bytes);
        if (uncompress(reinterpret_cast<Bytef *>(out.data()), &length, reinterpret_cast<Bytef const *>(data.data()),
                       static_cast<uLong>(data.size()))
                != Z_OK
            || length != static_cast<uLongf>(bytes))
            return damaged();
    } else {
        return damaged();
    }
    if (static_cast<std::int64_t>(out.size()) != bytes || crcOf(out) != static_cast<std::uint32_t>(crc)) return damaged();
    return out;
}

std::string shapeText(std::span<std::int64_t const> shape) { return nlohmann::json(shape).dump(); }

Result<std::vector<std::int64_t>> parseShape(std::string const &text, std::string const &subject)
{
    auto const json = jsonOrDiscarded(text);
    std::vector<std::int64_t> shape;
    bool right = json.is_array();
    if (right)
        for (auto const &extent : json) {
            if (!extent.is_number_integer()) right = false;
            else shape.push_back(extent.get<std::int64_t>());
        }
    if (!right)
        return makeError(ErrorKind::Invalid, "store.corrupt", subject, Message::of("the stored shape is damaged"),
                         Message::of("Use another checkpoint."));
    return shape;
}

constexpr char kProcess[] = "process";

/// Whether the process that a running record names is gone. Records of earlier versions name none.
bool isAbandoned(RunRecord const &record)
{
    auto const json = jsonOrDiscarded(record.json);
    if (!json.is_object() || !json.contains(kProcess) || !json[kProcess].is_string()) return false;
    return !isAlive(json[kProcess].get<std::string>());
}

} // namespace

Result<CheckpointRoom> roomForCheckpoint(std::filesystem::path const &project, std::string const &name, std::int64_t bytes,
                                         std::int64_t tensors)
{
    TW_ASSIGN(auto const db, openProjectForReading(project));
    TW_ASSIGN(auto const page, db.integer("PRAGMA page_size"));
    TW_ASSIGN(auto const pages, db.integer("PRAGMA page_count"));
    TW_ASSIGN(auto const unused, db.integer("PRAGMA freelist_count"));
    TW_ASSIGN(auto statement, db.prepare("SELECT coalesce(sum(length(data)), 0) FROM checkpoint_tensor WHERE checkpoint = ?"));
    statement.bindText(1, name);
    TW_ASSIGN([[maybe_unused]] bool const more, statement.step());
    auto const before = statement.integer(0);
    // A tensor begins in a page of its own at worst; every page of the rest keeps a link to the next.
    auto const taken = bytes > 0 ? bytes + bytes / (page - 4) * 4 + (tensors + 2) * page : 0;
    CheckpointRoom room;
    room.file = pages * page;
    room.grows = std::max<std::int64_t>(0, taken - before - unused * page);
    room.journal = taken;
    return room;
}

Status tryProject(std::filesystem::path const &project, std::int64_t bytes, std::int64_t tensors, std::string const &name)
{
    {
        TW_ASSIGN(auto db, openProjectForWriting(project));
        // The lock a change takes first: refused for a file that may only be read.
        TW_TRY(db.execute("BEGIN IMMEDIATE"));
        TW_TRY(db.execute("ROLLBACK"));
    }
    TW_ASSIGN(auto const room, roomForCheckpoint(project, name, bytes, tensors));
    // Both at once: the disk has to hold them together, a limit of file sizes is one for each.
    TW_ASSIGN(auto grown, FileReplacement::begin(behindLinks(project)));
    TW_TRY(grown.reserve(room.grows, room.file));
    TW_ASSIGN(auto journal, FileReplacement::begin(behindLinks(project)));
    return journal.reserve(room.journal);
}

Result<bool> holdsCheckpoint(std::filesystem::path const &project, CheckpointInfo const &info, std::span<TensorView const> tensors)
{
    TW_ASSIGN(auto const db, openProjectForReading(project));
    TW_ASSIGN(auto head, db.prepare("SELECT 1 FROM checkpoint WHERE name = ? AND epoch = ? AND step = ?"));
    head.bindText(1, info.name);
    head.bind(2, info.epoch);
    head.bind(3, info.step);
    TW_ASSIGN(bool const there, head.step());
    if (!there) return false;
    TW_ASSIGN(auto rows, db.prepare("SELECT name, dtype, shape, bytes, crc FROM checkpoint_tensor WHERE checkpoint = ? ORDER BY position"));
    rows.bindText(1, info.name);
    for (auto const &tensor : tensors) {
        TW_ASSIGN(bool const more, rows.step());
        if (!more || rows.text(0) != tensor.name || rows.text(1) != tensor.dtype || rows.text(2) != shapeText(tensor.shape)
            || rows.integer(3) != static_cast<std::int64_t>(tensor.bytes.size()) || rows.integer(4) != std::int64_t{crcOf(tensor.bytes)})
            return false;
    }
    TW_ASSIGN(bool const more, rows.step());
    return !more;
}

namespace {

/// Reads the checkpoint back, byte by byte, before it is committed: SQLite may report an insertion as done that has stored nothing.
Status requireStored(Database const &db, CheckpointInfo const &info, std::span<TensorView const> tensors)
{
    auto const lost = [&](Message const &what) {
        return makeError(ErrorKind::Data, "project.not-stored", db.subject(),
                         Message::of("the checkpoint '%1' was written, but reading it back gives %2.", info.name, what),
                         Message::of("Save the project under another name, or give --checkpoint FILE.npz."));
    };
    TW_ASSIGN(auto head, db.prepare("SELECT epoch, step, json FROM checkpoint WHERE name = ?"));
    head.bindText(1, info.name);
    TW_ASSIGN(bool const there, head.step());
    if (!there || head.integer(0) != info.epoch || head.integer(1) != info.step || head.text(2) != info.json)
        return lost(Message::of("another one"));
    TW_ASSIGN(
        auto rows,
        db.prepare("SELECT name, dtype, shape, bytes, crc, encoding, data FROM checkpoint_tensor WHERE checkpoint = ? ORDER BY position"));
    rows.bindText(1, info.name);
    for (auto const &tensor : tensors) {
        TW_ASSIGN(bool const more, rows.step());
        if (!more) return lost(Message::of("fewer tensors"));
        bool same = rows.text(0) == tensor.name && rows.text(1) == tensor.dtype && rows.text(2) == shapeText(tensor.shape)
            && rows.integer(3) == static_cast<std::int64_t>(tensor.bytes.size()) && rows.integer(4) == std::int64_t{crcOf(tensor.bytes)};
        if (same && rows.integer(5) == kRaw) same = rows.blob(6) == tensor.bytes;
        else if (same) { // what was packed has a checksum of its own
            auto const bytes = unpacked(rows.integer(5), rows.blob(6), rows.integer(3), rows.integer(4), info.name);
            same = bytes.ok() && *bytes == tensor.bytes;
        }
        if (!same) return lost(Message::of("another tensor %1", tensor.name));
    }
    TW_ASSIGN(bool const more, rows.step());
    if (more) return lost(Message::of("more tensors"));
    return {};
}

} // namespace

Status saveCheckpoint(std::filesystem::path const &project, CheckpointInfo const &info, std::span<TensorView const> tensors,
                      Packing packing)
{
    for (auto const &tensor : tensors)
        if (tensor.bytes.size() > kLargestTensor)
            return makeError(ErrorKind::Data, "project.tensor-too-large", std::string(tensor.name),
                             Message::of("a tensor of %1 cannot be stored in a project",
                                         Argument::figure(bytesText(static_cast<std::int64_t>(tensor.bytes.size())))),
                             Message::of("Write the checkpoint to a file of its own."));
    TW_ASSIGN(auto db, openProjectForWriting(project));
    return inTransaction(db, [&]() -> Status {
        TW_ASSIGN(auto clear, db.prepare("DELETE FROM checkpoint_tensor WHERE checkpoint = ?"));
        clear.bindText(1, info.name);
        TW_TRY(clear.run());
        TW_ASSIGN(auto head, db.prepare("INSERT OR REPLACE INTO checkpoint(name, epoch, step, saved_utc, json) VALUES(?, ?, ?, ?, ?)"));
        head.bindText(1, info.name);
        head.bind(2, info.epoch);
        head.bind(3, info.step);
        head.bindText(4, info.savedUtc);
        head.bindText(5, info.json);
        TW_TRY(head.run());
        TW_ASSIGN(auto insert,
                  db.prepare("INSERT INTO checkpoint_tensor(checkpoint, position, name, dtype, shape, bytes, crc, encoding, data) "
                             "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"));
        std::string room;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            auto const &tensor = tensors[i];
            auto const [encoding, data] = packing == Packing::Small ? packed(tensor.bytes, room) : std::pair{kRaw, tensor.bytes};
            auto const shape = shapeText(tensor.shape);
            insert.bindText(1, info.name);
            insert.bind(2, static_cast<std::int64_t>(i));
            insert.bindText(3, tensor.name);
            insert.bindText(4, tensor.dtype);
            insert.bindText(5, shape);
            insert.bind(6, static_cast<std::int64_t>(tensor.bytes.size()));
            insert.bind(7, std::int64_t{crcOf(tensor.bytes)});
            insert.bind(8, encoding);
            insert.bindBlob(9, data);
            TW_TRY(insert.run());
        }
        return requireStored(db, info, tensors); // else the checkpoint that is replaced stays
    });
}

Status saveCheckpoint(std::filesystem::path const &project, CheckpointInfo const &info, std::vector<NamedTensor> const &tensors,
                      Packing packing)
{
    std::vector<TensorView> views;
    for (auto const &tensor : tensors) views.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.bytes});
    return saveCheckpoint(project, info, views, packing);
}

Result<std::vector<CheckpointInfo>> listCheckpoints(std::filesystem::path const &project)
{
    TW_ASSIGN(auto const db, openProjectForReading(project));
    TW_ASSIGN(auto statement,
              db.prepare("SELECT name, epoch, step, saved_utc, json, (SELECT coalesce(sum(bytes), 0) FROM checkpoint_tensor t "
                         "WHERE t.checkpoint = c.name) FROM checkpoint c ORDER BY name"));
    std::vector<CheckpointInfo> all;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return all;
        all.push_back({std::string(statement.text(0)), statement.integer(1), statement.integer(2), std::string(statement.text(3)),
                       std::string(statement.text(4)), statement.integer(5)});
    }
}

Result<std::vector<NamedTensor>> listTensors(std::filesystem::path const &project, std::string const &checkpoint)
{
    TW_ASSIGN(auto const db, openProjectForReading(project));
    TW_ASSIGN(auto statement, db.prepare("SELECT name, dtype, shape FROM checkpoint_tensor WHERE checkpoint = ? ORDER BY position"));
    statement.bindText(1, checkpoint);
    std::vector<NamedTensor> tensors;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return tensors;
        NamedTensor tensor;
        tensor.name = statement.text(0);
        tensor.dtype = statement.text(1);
        TW_ASSIGN(tensor.shape, parseShape(std::string(statement.text(2)), checkpoint + "/" + tensor.name));
        tensors.push_back(std::move(tensor));
    }
}

Result<Checkpoint> loadCheckpoint(std::filesystem::path const &project, std::string const &name)
{
    TW_ASSIGN(auto const all, listCheckpoints(project));
    Checkpoint checkpoint;
    bool found = false;
    std::vector<std::string> names;
    for (auto const &info : all) {
        names.push_back(info.name);
        if (info.name != name) continue;
        checkpoint.info = info;
        found = true;
    }
    if (!found)
        return makeError(ErrorKind::Invalid, "project.no-checkpoint", name, Message::of("the project holds no checkpoint of that name"),
                         names.empty() ? Message::of("It holds no checkpoints yet.") : Message::of("It holds: %1.", joinText(names, ", ")));
    TW_ASSIGN(auto const db, openProjectForReading(project));
    TW_ASSIGN(
        auto statement,
        db.prepare("SELECT name, dtype, shape, bytes, crc, encoding, data FROM checkpoint_tensor WHERE checkpoint = ? ORDER BY position"));
    statement.bindText(1, name);
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return checkpoint;
        NamedTensor tensor;
        tensor.name = statement.text(0);
        tensor.dtype = statement.text(1);
        auto const subject = name + "/" + tensor.name;
        TW_ASSIGN(tensor.shape, parseShape(std::string(statement.text(2)), subject));
        TW_ASSIGN(tensor.bytes, unpacked(statement.integer(5), statement.blob(6), statement.integer(3), statement.integer(4), subject));
        checkpoint.tensors.push_back(std::move(tensor));
    }
}

Status removeCheckpoint(std::filesystem::path const &project, std::string const &name)
{
    TW_ASSIGN(auto db, openProjectForWriting(project));
    return inTransaction(db, [&]() -> Status {
        for (auto const *sql : {"DELETE FROM checkpoint_tensor WHERE checkpoint = ?", "DELETE FROM checkpoint WHERE name = ?"}) {
            TW_ASSIGN(auto remove, db.prepare(sql));
            remove.bindText(1, name);
            TW_TRY(remove.run());
        }
        return {};
    });
}

// ---- history -----------------------------------------------------------------------------------------

namespace {

void bindRecord(Statement &statement, RunRecord const &record)
{
    statement.bindText(1, record.startedUtc);
    statement.bindText(2, record.title);
    statement.bindText(3, record.kind);
    statement.bindText(4, record.state);
    statement.bindText(5, record.report);
    statement.bindText(6, record.json);
}

} // namespace

std::string runningFacts() { return nlohmann::json{{kProcess, processMark()}}.dump(); }

Result<std::int64_t> addRunRecord(std::filesystem::path const &project, RunRecord const &record)
{
    TW_ASSIGN(auto db, openProjectForWriting(project));
    std::int64_t id = 0;
    auto const status = inTransaction(db, [&]() -> Status {
        TW_ASSIGN(auto insert,
                  db.prepare("INSERT INTO run_history(started_utc, title, kind, state, report, json) VALUES(?, ?, ?, ?, ?, ?)"));
        bindRecord(insert, record);
        TW_TRY(insert.run());
        TW_ASSIGN(id, db.integer("SELECT last_insert_rowid()"));
        return {};
    });
    TW_TRY(status);
    return id;
}

Status updateRunRecord(std::filesystem::path const &project, RunRecord const &record)
{
    TW_ASSIGN(auto db, openProjectForWriting(project));
    TW_ASSIGN(auto update,
              db.prepare("UPDATE run_history SET started_utc = ?, title = ?, kind = ?, state = ?, report = ?, json = ? WHERE id = ?"));
    bindRecord(update, record);
    update.bind(7, record.id);
    return update.run();
}

Status removeRunRecord(std::filesystem::path const &project, std::int64_t id)
{
    TW_ASSIGN(auto db, openProjectForWriting(project));
    TW_ASSIGN(auto remove, db.prepare("DELETE FROM run_history WHERE id = ?"));
    remove.bind(1, id);
    return remove.run();
}

Result<std::vector<RunRecord>> listRunRecords(std::filesystem::path const &project)
{
    TW_ASSIGN(auto const db, openProjectForReading(project));
    TW_ASSIGN(auto statement, db.prepare("SELECT id, started_utc, title, kind, state, report, json FROM run_history ORDER BY id"));
    std::vector<RunRecord> all;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) return all;
        auto const text = [&](int column) { return std::string(statement.text(column)); };
        all.push_back({statement.integer(0), text(1), text(2), text(3), text(4), text(5), text(6)});
        if (all.back().state == "running" && isAbandoned(all.back())) all.back().state = report::kInterrupted;
    }
}

} // namespace tilewright::store
