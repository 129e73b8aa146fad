#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::passes {

/// A repeated run of tokens in a sequence: `length` tokens from each of `starts`, without overlap.
struct RepeatedRun {
    std::size_t length = 0;
    std::vector<std::size_t> starts; ///< ascending
    bool operator==(RepeatedRun const &) const = default;
};

/// The maximal repeated runs of a sequence, each once, in a deterministic order. Found in the sorted suffixes: time n log² n, memory n.
/// Runs are cut at `longest`. If occurrences overlap, the sequence has a shorter period, and that period is the run.
std::vector<RepeatedRun> repeatedRuns(std::span<std::uint32_t const> tokens, std::size_t longest);

} // namespace tilewright::passes
