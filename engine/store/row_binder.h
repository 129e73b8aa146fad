#pragma once

#include "engine/report/packed.h"
#include "engine/store/blobs.h"
#include "engine/store/row_fields.h"
#include "engine/store/sqlite.h"

#include <array>
#include <deque>
#include <unordered_map>

namespace tilewright::store {

/// Ids of the strings in table `name`, in order of first use.
class NameTable {
public:
    Status prepare(Database &database)
    {
        TW_ASSIGN(m_insert, database.prepare("INSERT INTO name(id, text) VALUES(?, ?)"));
        return {};
    }
    Result<std::int64_t> intern(std::string const &text)
    {
        auto const [it, isNew] = m_ids.try_emplace(text, static_cast<std::int64_t>(m_ids.size()));
        if (isNew) {
            m_insert.bind(1, it->second);
            m_insert.bindText(2, text);
            TW_TRY(m_insert.run());
        }
        return it->second;
    }

private:
    Statement m_insert;
    std::unordered_map<std::string, std::int64_t> m_ids;
};

/// Binds the columns of consecutive rows in the order of fields(). Its temporaries live until the next row.
class RowBinder {
public:
    RowBinder(Statement &statement, NameTable &names) : m_statement(statement), m_names(names) {}

    void start(int firstParameter)
    {
        m_index = firstParameter;
        if (!m_kept.empty()) m_kept.clear();
    }
    Status const &status() const { return m_status; }

    template <typename T> void integer(char const *, T const &value) { m_statement.bind(m_index++, std::int64_t(value)); }
    template <typename T> void id(char const *, T const &value)
    {
        if (value < 0) m_statement.bindNull(m_index++);
        else m_statement.bind(m_index++, std::int64_t(value));
    }
    void real(char const *, double value) { m_statement.bind(m_index++, value); }
    void text(char const *, std::string const &value) { m_statement.bindText(m_index++, value); }
    void textOrNull(char const *, std::string const &value)
    {
        if (value.empty()) m_statement.bindNull(m_index++);
        else m_statement.bindText(m_index++, value);
    }
    void name(char const *, std::string const &value)
    {
        auto const known = m_names.intern(value);
        if (known.ok()) m_statement.bind(m_index++, *known);
        else m_status = Status(known.error());
    }
    void nameOrNull(char const *column, std::string const &value)
    {
        if (value.empty()) m_statement.bindNull(m_index++);
        else name(column, value);
    }
    void optional(char const *, std::optional<std::string> const &value)
    {
        if (value) m_statement.bindText(m_index++, *value);
        else m_statement.bindNull(m_index++);
    }
    template <typename T> void optional(char const *, std::optional<T> const &value)
    {
        if (value) m_statement.bind(m_index++, *value);
        else m_statement.bindNull(m_index++);
    }
    template <typename E> void code(char const *, E value) { m_statement.bindText(m_index++, toText(value)); }
    void shape(char const *, Shape const &value)
    {
        std::string text = "[";
        for (std::size_t i = 0; i < value.size(); ++i) text += (i ? "," : "") + std::to_string(value[i]);
        m_statement.bindText(m_index++, m_kept.emplace_back(text + "]"));
    }
    void packed(char const *, std::vector<std::int64_t> const &values) { blob(encodeIntegers(values)); }
    void packedReals(char const *, std::vector<double> const &values) { blob(report::PackedWriter(values.size()).reals(values).finish()); }
    void pairs(char const *, ExchangePairs const &values)
    {
        // Exchanges with a shared list pack it once.
        auto &packed = m_pairs[values.empty() ? nullptr : &values[0]];
        if (packed.empty()) packed = encodePairs(values.list());
        m_statement.bindBlob(m_index++, packed);
    }
    void bytes(char const *, std::string const &value)
    {
        if (value.empty()) m_statement.bindNull(m_index++);
        else m_statement.bindBlob(m_index++, value);
    }

private:
    void blob(std::string bytes) { m_statement.bindBlob(m_index++, m_kept.emplace_back(std::move(bytes))); }

    Statement &m_statement;
    NameTable &m_names;
    int m_index = 1;
    std::deque<std::string> m_kept;
    std::unordered_map<ExchangePair const *, std::string> m_pairs; ///< by list, while the rows live
    Status m_status;
};

/// "INSERT INTO t(a, b) VALUES(?, ?)", or the same with OR REPLACE.
template <typename T> std::string insertSql(bool replace = false)
{
    std::string columns, marks;
    for (auto const &column : columnsOf<T>()) {
        columns += (columns.empty() ? "" : ", ") + column;
        marks += marks.empty() ? "?" : ", ?";
    }
    return std::string(replace ? "INSERT OR REPLACE INTO " : "INSERT INTO ") + TableOf<T>::kName + "(" + columns + ") VALUES(" + marks
        + ")";
}

/// Writes one row. `id` is used if the table has an id column.
template <typename T> Status insertRow(Statement &statement, RowBinder &binder, std::int64_t id, T const &row)
{
    int parameter = 1;
    if (*TableOf<T>::kId) statement.bind(parameter++, id);
    binder.start(parameter);
    fields(binder, row);
    TW_TRY(binder.status());
    return statement.run();
}

} // namespace tilewright::store
