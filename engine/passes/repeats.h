#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::passes {

/// Tokens that stand several times in a sequence: `length` of them from each of `starts` on, without overlap.
struct RepeatedRun {
    std::size_t length = 0;
    std::vector<std::size_t> starts; ///< ascending
    bool operator==(RepeatedRun const &) const = default;
};

/// The maximal repeated runs of a sequence, each once, in an order that depends on the sequence alone. Found in its sorted
/// suffixes: time n log² n, memory n. Runs longer than `longest` are cut there. Where occurrences overlap, the sequence
/// repeats itself with a shorter period, and that period is the run.
std::vector<RepeatedRun> repeatedRuns(std::span<std::uint32_t const> tokens, std::size_t longest);

} // namespace tilewright::passes
