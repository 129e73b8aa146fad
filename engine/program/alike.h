#pragma once

#include "engine/core/host_work.h"
#include "engine/program/program.h"

#include <string>
#include <unordered_map>
#include <vector>

/// Equal layers make equal compute sets and exchanges on different variables. Results for one of them are stored once.
namespace tilewright::program {

/// A list whose equal entries are stored once.
template <typename T> struct Distinct {
    std::vector<T> rows;
    std::vector<std::uint32_t> of;    ///< by entry: its row
    std::vector<std::uint32_t> first; ///< by row: the first entry that has it
    std::vector<std::int64_t> count;  ///< by row: entries that have it

    std::size_t size() const { return of.size(); }
    T const &operator[](std::size_t entry) const { return rows[of[entry]]; }
};

/// Entries 0 … n-1 by key. Calls `make` for the first entry of each key, on the threads of `work`. Rows not made because the job is
/// cancelled are empty.
template <typename T, typename Key, typename Make>
Distinct<T> distinct(std::size_t n, Key const &key, Make const &make, HostWork const &work = {})
{
    Distinct<T> list;
    std::unordered_map<std::string, std::uint32_t> known;
    for (std::size_t i = 0; i < n; ++i) {
        auto const [it, fresh] = known.emplace(key(i), static_cast<std::uint32_t>(list.first.size()));
        if (fresh) {
            list.first.push_back(static_cast<std::uint32_t>(i));
            list.count.push_back(0);
        }
        list.of.push_back(it->second);
        ++list.count[it->second];
    }
    list.rows.resize(list.first.size());
    work.run(list.rows.size(), [&](std::size_t row) { list.rows[row] = make(list.first[row]); });
    return list;
}

/// Equal exactly for equal layouts.
void appendKey(std::string &key, Layout const &layout);
/// Equal for compute sets whose vertices have the same code, constants and blocks on every tile.
std::string alikeKey(Program const &program, ComputeSet const &set);
/// Equal for exchanges that move the same pieces between the same tiles.
std::string alikeKey(Program const &program, Exchange const &exchange);

} // namespace tilewright::program
