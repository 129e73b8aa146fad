#include "tests/fuzz/damaged_database.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include <unistd.h>

namespace tilewright::tests {

namespace fs = std::filesystem;

namespace {

struct Column {
    std::string table, name;
};

/// All columns of all tables, in the order of the schema.
std::vector<Column> columnsOf(sqlite3 *database)
{
    std::vector<Column> all;
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(database,
                       "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' "
                       "AND m.name NOT LIKE 'sqlite_%' ORDER BY m.rowid, c.cid",
                       -1, &statement, nullptr);
    while (sqlite3_step(statement) == SQLITE_ROW)
        all.push_back({reinterpret_cast<char const *>(sqlite3_column_text(statement, 0)),
                       reinterpret_cast<char const *>(sqlite3_column_text(statement, 1))});
    sqlite3_finalize(statement);
    return all;
}

constexpr std::int64_t kTelling[] = {0,
                                     1,
                                     -1,
                                     2,
                                     255,
                                     65536,
                                     std::numeric_limits<std::int32_t>::max(),
                                     std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min(),
                                     1LL << 40,
                                     624 * 1024};

/// The bytes of a fuzzer, taken from the front.
class Bytes {
public:
    Bytes(std::uint8_t const *bytes, std::size_t size) : m_bytes(bytes), m_size(size) {}
    bool empty() const { return m_size == 0; }
    unsigned one()
    {
        if (m_size == 0) return 0;
        --m_size;
        return *m_bytes++;
    }
    std::string some(std::size_t count)
    {
        count = std::min(count, m_size);
        std::string text(reinterpret_cast<char const *>(m_bytes), count);
        m_bytes += count;
        m_size -= count;
        return text;
    }

private:
    std::uint8_t const *m_bytes;
    std::size_t m_size;
};

/// The cell as it is, as bytes.
std::string cellOf(sqlite3 *database, Column const &column, int row)
{
    std::string const sql = "SELECT CAST(" + column.name + " AS BLOB) FROM " + column.table + " LIMIT 1 OFFSET ?1";
    sqlite3_stmt *statement = nullptr;
    std::string bytes;
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK) {
        sqlite3_bind_int(statement, 1, row);
        if (sqlite3_step(statement) == SQLITE_ROW)
            bytes.assign(static_cast<char const *>(sqlite3_column_blob(statement, 0)),
                         static_cast<std::size_t>(sqlite3_column_bytes(statement, 0)));
    }
    sqlite3_finalize(statement);
    return bytes;
}

void changeCell(sqlite3 *database, Column const &column, Bytes &bytes)
{
    int const row = static_cast<int>(bytes.one());
    unsigned const kind = bytes.one() % 7, value = bytes.one();
    if (kind == 6) {
        (void)sqlite3_exec(database,
                           ("DELETE FROM " + column.table + " WHERE " + column.name + " IS (SELECT " + column.name + " FROM " + column.table
                            + " LIMIT 1 OFFSET " + std::to_string(row) + ")")
                               .c_str(),
                           nullptr, nullptr, nullptr);
        return;
    }
    std::string const sql = "UPDATE OR IGNORE " + column.table + " SET " + column.name + " = ?1 WHERE " + column.name + " IS (SELECT "
        + column.name + " FROM " + column.table + " LIMIT 1 OFFSET ?2)";
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return;
    std::string text;
    switch (kind) {
    case 0: sqlite3_bind_int64(statement, 1, kTelling[value % std::size(kTelling)]); break;
    case 1: sqlite3_bind_int64(statement, 1, static_cast<std::int8_t>(value)); break;
    case 2: sqlite3_bind_null(statement, 1); break;
    case 3:
        text = bytes.some(value);
        sqlite3_bind_text64(statement, 1, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
        break;
    case 4:
        text = bytes.some(value);
        sqlite3_bind_blob64(statement, 1, text.data(), text.size(), SQLITE_STATIC);
        break;
    case 5: // existing value with one byte changed, or shortened
        text = cellOf(database, column, row);
        if (!text.empty()) {
            std::size_t const at = (value * 256 + bytes.one()) % text.size();
            unsigned const change = bytes.one();
            if (change == 0) text.resize(at);
            else text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ change);
        }
        sqlite3_bind_blob64(statement, 1, text.data(), text.size(), SQLITE_STATIC);
        break;
    default: break;
    }
    sqlite3_bind_int(statement, 2, row);
    (void)sqlite3_step(statement);
    sqlite3_finalize(statement);
}

} // namespace

ScratchFile::ScratchFile(std::string const &extension)
{
    std::error_code ignored;
    auto const folder =
        fs::is_directory("/dev/shm", ignored) && ::access("/dev/shm", W_OK) == 0 ? fs::path("/dev/shm") : fs::temp_directory_path();
    static unsigned made = 0;
    m_path = folder / ("tilewright-fuzz-" + std::to_string(::getpid()) + "-" + std::to_string(made++) + extension);
}

ScratchFile::~ScratchFile() { removeAll(); }

void ScratchFile::removeAll() const
{
    for (auto const *more : {"", "-wal", "-shm", "-journal"}) ::unlink((m_path.string() + more).c_str());
}

void ScratchFile::write(std::string_view bytes) const
{
    removeAll();
    std::ofstream(m_path, std::ios::binary) << bytes;
}

std::string ScratchFile::read() const
{
    std::ostringstream text;
    text << std::ifstream(m_path, std::ios::binary).rdbuf();
    return text.str();
}

void writeDamaged(ScratchFile const &file, std::string const &good, std::uint8_t const *bytes, std::size_t size)
{
    std::string_view const given(reinterpret_cast<char const *>(bytes), size);
    if (given.starts_with("SQLite format 3")) {
        file.write(given);
        return;
    }
    file.write(good);
    sqlite3 *database = nullptr;
    if (sqlite3_open_v2(file.path().c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK) {
        (void)sqlite3_exec(
            database, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON; BEGIN",
            nullptr, nullptr, nullptr);
        auto const columns = columnsOf(database);
        Bytes left(bytes, size);
        for (int changes = 0; !left.empty() && changes < 16; ++changes) {
            unsigned const high = left.one(), low = left.one();
            changeCell(database, columns[(high * 256 + low) % columns.size()], left);
        }
        (void)sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr);
    }
    sqlite3_close(database);
}

} // namespace tilewright::tests
