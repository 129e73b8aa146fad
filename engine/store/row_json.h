#pragma once

#include "engine/store/row_fields.h"

#include <nlohmann/json.hpp>

namespace tilewright::store {

/// The text with every byte that is not UTF-8 replaced by U+FFFD, so that a damaged file does not make the JSON library fail.
std::string validText(std::string const &text);

/// A row as a JSON object with the column names of the file. NULL is null; packed columns are arrays.
class RowToJson {
public:
    nlohmann::ordered_json row = nlohmann::ordered_json::object();
    template <typename T> void integer(char const *n, T const &v) { row[n] = std::int64_t(v); }
    template <typename T> void id(char const *n, T const &v) { set(n, v >= 0, std::int64_t(v)); }
    void real(char const *n, double v) { row[n] = v; }
    void text(char const *n, std::string const &v) { row[n] = validText(v); }
    void textOrNull(char const *n, std::string const &v) { set(n, !v.empty(), validText(v)); }
    void name(char const *n, std::string const &v) { row[n] = validText(v); }
    void nameOrNull(char const *n, std::string const &v) { set(n, !v.empty(), validText(v)); }
    template <typename T> void optional(char const *n, std::optional<T> const &v)
    {
        if (!v) row[n] = nullptr;
        else if constexpr (std::is_same_v<T, std::string>) row[n] = validText(*v);
        else row[n] = *v;
    }
    template <typename E> void code(char const *n, E v) { row[n] = toText(v); }
    void shape(char const *n, Shape const &v) { row[n] = v; }
    void packed(char const *n, std::vector<std::int64_t> const &v) { row[n] = v; }
    void packedReals(char const *n, std::vector<double> const &v) { row[n] = v; }
    void pairs(char const *n, ExchangePairs const &v)
    {
        auto list = nlohmann::ordered_json::array();
        for (auto const &p : v) list.push_back({p.from, p.to, p.bytes});
        row[n] = std::move(list);
    }
    void bytes(char const *n, std::string const &v) { row[n] = static_cast<std::int64_t>(v.size()); }

private:
    template <typename T> void set(char const *n, bool there, T const &v)
    {
        if (there) row[n] = v;
        else row[n] = nullptr;
    }
};

/// With the id first if the table has one.
template <typename T> nlohmann::ordered_json rowToJson(T const &row, std::size_t index)
{
    RowToJson visitor;
    if (*TableOf<T>::kId) visitor.row[TableOf<T>::kId] = index;
    fields(visitor, row);
    return std::move(visitor.row);
}

} // namespace tilewright::store
