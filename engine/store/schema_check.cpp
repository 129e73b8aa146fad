#include "engine/store/schema_check.h"

#include "engine/core/ascii.h"
#include "engine/core/safe_text.h"
#include "engine/store/schema.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <sqlite3.h>

namespace tilewright::store {

namespace {

struct Object {
    std::string type, sql;
};
/// By name in lower case: SQLite finds "DOCUMENT" when it looks for "document".
using Objects = std::map<std::string, Object>;

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), asciiLower);
    return lower;
}

/// The schema's objects without those that SQLite makes by itself.
Result<Objects> objectsOf(Database const &db)
{
    TW_ASSIGN(auto rows, db.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema"));
    Objects objects;
    for (;;) {
        TW_ASSIGN(bool const more, rows.step());
        if (!more) return objects;
        auto name = lowered(rows.text(1));
        if (!name.starts_with("sqlite_"))
            objects.insert_or_assign(std::move(name), Object{std::string(rows.text(0)), std::string(rows.text(2))});
    }
}

Objects ownObjects(std::vector<std::string> const &schema)
{
    auto db = Database::inMemory("schema");
    TW_CHECK(db.ok(), "no database in memory");
    for (auto const &sql : schema) TW_CHECK(db->execute(sql).ok(), "our own schema");
    auto objects = objectsOf(*db);
    TW_CHECK(objects.ok(), "our own schema");
    return std::move(objects).value();
}

Diagnostic foreign(Database const &db, Message const &what)
{
    return makeError(ErrorKind::Invalid, "store.foreign-schema", db.subject(),
                     Message::of("the file holds %1, which Tilewright does not make and does not run.", what),
                     Message::of("Use a file that Tilewright wrote. If you trust this file, export it to JSON and import that."));
}

std::string named(std::string_view name) { return "'" + shortened(safeText(name), 60) + "'"; }

/// The names of the table's columns. Fails for a column that is computed.
Result<std::vector<std::string>> plainColumns(Database const &db, std::string const &table)
{
    TW_ASSIGN(auto rows, db.prepare("SELECT name, hidden FROM pragma_table_xinfo(?)"));
    rows.bindText(1, table);
    std::vector<std::string> columns;
    for (;;) {
        TW_ASSIGN(bool const more, rows.step());
        if (!more) break;
        if (rows.integer(1) != 0) return foreign(db, Message::of("the computed column %1 of table %2", named(rows.text(0)), named(table)));
        columns.emplace_back(rows.text(0));
    }
    return columns;
}

bool isVirtual(Object const &object) { return lowered(object.sql).starts_with("create virtual"); }

int isLate(void *deadline)
{
    return std::chrono::steady_clock::now() > *static_cast<std::chrono::steady_clock::time_point const *>(deadline);
}

/// Reading a schema takes milliseconds: what takes longer is made to take long.
class Deadline {
public:
    explicit Deadline(Database const &db) : m_db(db) { sqlite3_progress_handler(db.handle(), 10'000, isLate, &m_end); }
    ~Deadline() { sqlite3_progress_handler(m_db.handle(), 0, nullptr, nullptr); }
    Deadline(Deadline const &) = delete;
    Deadline &operator=(Deadline const &) = delete;

private:
    Database const &m_db;
    std::chrono::steady_clock::time_point m_end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
};

} // namespace

Status checkProjectSchema(Database const &db)
{
    static Objects const ours = ownObjects(projectSchema());
    Deadline const deadline(db);
    TW_ASSIGN(auto const objects, objectsOf(db));
    for (auto const &[name, object] : objects) {
        auto const own = ours.find(name);
        if (own != ours.end()) {
            if (object.type != own->second.type || object.sql != own->second.sql)
                return foreign(db, Message::of("another definition of the %1 %2", own->second.type, named(name)));
        } else if (object.type != "table" || isVirtual(object)) {
            return foreign(db,
                           isVirtual(object) ? Message::of("the virtual table %1", named(name))
                                             : Message::of("the %1 %2", object.type, named(name)));
        }
    }
    return {};
}

Status checkReportSchema(Database const &db)
{
    static Objects const ours = ownObjects(reportSchema());
    static std::map<std::string, std::vector<std::string>> const ourColumns = [] {
        std::map<std::string, std::vector<std::string>> all;
        auto own = Database::inMemory("schema");
        for (auto const &sql : reportSchema()) TW_CHECK(own->execute(sql).ok(), "our own schema");
        for (auto const &[name, object] : ours)
            if (object.type == "table") all[name] = plainColumns(*own, name).value();
        return all;
    }();
    Deadline const deadline(db);
    TW_ASSIGN(auto const objects, objectsOf(db));
    for (auto const &[name, object] : objects) {
        auto const own = ours.find(name);
        bool const isOwn = own != ours.end() && object.type == own->second.type;
        if (own != ours.end() && !isOwn)
            return foreign(db, Message::of("a %1 in place of the %2 %3", object.type, own->second.type, named(name)));
        if (isOwn && object.sql == own->second.sql) continue;
        if (object.type == "trigger" || object.type == "view" || isVirtual(object))
            return foreign(db,
                           isVirtual(object) ? Message::of("the virtual table %1", named(name))
                                             : Message::of("the %1 %2", object.type, named(name)));
        if (!isOwn || object.type != "table") continue;
        TW_ASSIGN(auto const columns, plainColumns(db, name));
        for (auto const &column : ourColumns.at(name))
            if (std::ranges::find(columns, column) == columns.end())
                return foreign(db, Message::of("the table %1 without its column %2", named(name), named(column)));
    }
    return {};
}

} // namespace tilewright::store
