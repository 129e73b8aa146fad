#pragma once

#include "engine/store/blobs.h"
#include "engine/store/row_fields.h"
#include "engine/store/sqlite.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tilewright::store {

/// The select list of a table. Interned strings are looked up in `name`.
class SelectList {
public:
    std::string sql;
    template <typename T> void integer(char const *n, T &) { plain(n); }
    template <typename T> void id(char const *n, T &) { plain(n); }
    template <typename T> void real(char const *n, T &) { plain(n); }
    template <typename T> void text(char const *n, T &) { plain(n); }
    template <typename T> void textOrNull(char const *n, T &) { plain(n); }
    template <typename T> void name(char const *n, T &) { lookedUp(n); }
    template <typename T> void nameOrNull(char const *n, T &) { lookedUp(n); }
    template <typename T> void optional(char const *n, T &) { plain(n); }
    template <typename T> void code(char const *n, T &) { plain(n); }
    template <typename T> void shape(char const *n, T &) { plain(n); }
    template <typename T> void packed(char const *n, T &) { plain(n); }
    template <typename T> void packedReals(char const *n, T &) { plain(n); }
    template <typename T> void pairs(char const *n, T &) { plain(n); }
    template <typename T> void bytes(char const *n, T &) { plain(n); }
    void plain(char const *n) { add(std::string("t.") + n); }

private:
    void lookedUp(char const *n) { add(std::string("(SELECT x.text FROM name x WHERE x.id = t.") + n + ")"); }
    void add(std::string const &expression) { sql += (sql.empty() ? "" : ", ") + expression; }
};

/// Sums of the magnitudes of a table's 64-bit columns. Views and commands add these numbers, so their sum must not overflow even for a
/// damaged file. A run of a year has 4e16 cycles.
class ColumnSums {
public:
    static constexpr std::uint64_t kMost = std::uint64_t{1} << 59;
    /// False: the sum would be too large.
    bool add(int column, std::int64_t value)
    {
        if (static_cast<std::size_t>(column) >= m_sums.size()) m_sums.resize(static_cast<std::size_t>(column) + 1);
        auto const magnitude = value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        auto &sum = m_sums[static_cast<std::size_t>(column)];
        if (magnitude > kMost - sum) return false;
        sum += magnitude;
        return true;
    }

private:
    std::vector<std::uint64_t> m_sums;
};

/// Fills one row from a statement's columns, in the order of fields(). Fails for values that the struct cannot hold.
class RowFiller {
public:
    RowFiller(Statement const &statement, int firstColumn, char const *table, ColumnSums &sums)
        : m_statement(statement), m_column(firstColumn), m_table(table), m_sums(sums)
    {
    }
    Status const &status() const { return m_status; }

    template <typename T> void integer(char const *n, T &value)
    {
        auto const stored = m_statement.integer(m_column);
        if constexpr (sizeof(T) == 8) count(n, stored);
        set(n, value, stored);
        ++m_column;
    }
    template <typename T> void id(char const *n, T &value)
    {
        if (m_statement.isNull(m_column)) {
            value = static_cast<T>(-1);
            ++m_column;
        } else {
            integer(n, value);
        }
    }
    void real(char const *, double &value) { value = m_statement.real(m_column++); }
    void text(char const *, std::string &value) { value = m_statement.text(m_column++); }
    void textOrNull(char const *, std::string &value) { value = m_statement.text(m_column++); }
    void name(char const *n, std::string &value)
    {
        if (m_statement.isNull(m_column)) fail(n, Message::of("a value of the file names a string that does not exist"));
        value = m_statement.text(m_column++);
    }
    void nameOrNull(char const *, std::string &value) { value = m_statement.text(m_column++); }
    void optional(char const *, std::optional<std::string> &value)
    {
        value.reset();
        if (!m_statement.isNull(m_column)) value = std::string(m_statement.text(m_column));
        ++m_column;
    }
    void optional(char const *, std::optional<double> &value)
    {
        value.reset();
        if (!m_statement.isNull(m_column)) value = m_statement.real(m_column);
        ++m_column;
    }
    void optional(char const *n, std::optional<std::int64_t> &value)
    {
        value.reset();
        if (!m_statement.isNull(m_column)) {
            value = m_statement.integer(m_column);
            count(n, *value);
        }
        ++m_column;
    }
    void code(char const *n, PartState &value) { parse(n, value, parsePartState(m_statement.text(m_column++))); }
    void code(char const *n, Region &value) { parse(n, value, parseRegion(m_statement.text(m_column++))); }
    void code(char const *n, MemoryCategory &value) { parse(n, value, parseMemoryCategory(m_statement.text(m_column++))); }
    void shape(char const *n, Shape &value)
    {
        std::string_view text = m_statement.text(m_column++);
        value.clear();
        if (text.size() < 2 || text.front() != '[' || text.back() != ']') return fail(n, Message::of("a value of the file is not a shape"));
        text = text.substr(1, text.size() - 2);
        while (!text.empty()) {
            while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
            std::int64_t extent = 0;
            auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
            if (error != std::errc()) return fail(n, Message::of("a value of the file is not a shape"));
            value.push_back(extent);
            text.remove_prefix(static_cast<std::size_t>(end - text.data()));
            while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
        }
    }
    void packed(char const *, std::vector<std::int64_t> &value) { take(value, decodeIntegers(m_statement.blob(m_column++))); }
    void packedReals(char const *, std::vector<double> &value) { take(value, decodeReals(m_statement.blob(m_column++))); }
    void pairs(char const *, ExchangePairs &value)
    {
        ExchangePairs::List list;
        if (!m_statement.isNull(m_column)) take(list, decodePairs(m_statement.blob(m_column)));
        value = std::move(list);
        ++m_column;
    }
    void bytes(char const *, std::string &value) { value = m_statement.blob(m_column++); }

private:
    /// Times since 1970 in nanoseconds are never added.
    void count(char const *column, std::int64_t stored)
    {
        if (std::string_view(column) != "host_start_ns" && !m_sums.add(m_column, stored))
            fail(column, Message::of("a value of the file is too large"));
    }
    void fail(char const *column, Message what)
    {
        if (m_status.ok())
            m_status = makeError(ErrorKind::Invalid, "store.corrupt", std::string(m_table) + "." + column, std::move(what),
                                 Message::of("Write the report again."));
    }
    template <typename T> void set(char const *n, T &value, std::int64_t stored)
    {
        if constexpr (std::is_same_v<T, bool>) value = stored != 0;
        else if constexpr (sizeof(T) < 8) {
            if (stored < std::numeric_limits<T>::min() || stored > std::numeric_limits<T>::max())
                fail(n, Message::of("a value of the file is out of range"));
            else value = static_cast<T>(stored);
        } else {
            value = stored;
        }
    }
    template <typename E> void parse(char const *n, E &value, std::optional<E> parsed)
    {
        if (parsed) value = *parsed;
        else fail(n, Message::of("a value of the file is an unknown word"));
    }
    template <typename V> void take(V &value, Result<V> decoded)
    {
        if (decoded.ok()) value = std::move(decoded).value();
        else if (m_status.ok()) m_status = decoded.error();
    }

    Statement const &m_statement;
    int m_column;
    char const *m_table;
    ColumnSums &m_sums;
    Status m_status;
};

template <typename T> std::string selectSql(std::string const &where = {})
{
    SelectList list;
    if (*TableOf<T>::kId) list.plain(TableOf<T>::kId);
    T const row{};
    fields(list, row);
    return "SELECT " + list.sql + " FROM " + TableOf<T>::kName + " t " + where + " ORDER BY " + TableOf<T>::kOrder;
}

/// Reads the current row of the statement. `index`: the required id (-1: not checked). `sums`: of the previous rows.
template <typename T> Status fillRow(Statement const &statement, std::int64_t index, T &row, ColumnSums &sums)
{
    bool const hasId = *TableOf<T>::kId != 0;
    if (hasId && index >= 0 && statement.integer(0) != index)
        return makeError(ErrorKind::Invalid, "store.corrupt", TableOf<T>::kName, Message::of("the ids of a table have holes"),
                         Message::of("Write the report again."));
    RowFiller filler(statement, hasId ? 1 : 0, TableOf<T>::kName, sums);
    fields(filler, row);
    return filler.status();
}

} // namespace tilewright::store
