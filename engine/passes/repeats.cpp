#include "engine/passes/repeats.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tilewright::passes {

namespace {

/// Sorts the suffixes by their first `longest` tokens with prefix doubling; returns the rank of each.
class SuffixOrder {
public:
    SuffixOrder(std::span<std::uint32_t const> tokens, std::size_t longest) : m_tokens(tokens), m_longest(longest)
    {
        std::size_t const n = tokens.size();
        order.resize(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        m_rank.assign(tokens.begin(), tokens.end());
        for (std::size_t width = 0;; width = width ? width * 2 : 1) {
            auto const key = [&](std::size_t i) {
                std::uint64_t const behind = width && i + width < n ? m_rank[i + width] + 1ull : 0;
                return std::pair<std::uint64_t, std::uint64_t>(m_rank[i], behind);
            };
            std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
            std::vector<std::uint32_t> next(n);
            for (std::size_t k = 1; k < n; ++k) next[order[k]] = next[order[k - 1]] + (key(order[k - 1]) != key(order[k]));
            m_rank = std::move(next);
            if (n == 0 || m_rank[order.back()] + 1 == n || width * 2 >= longest) break;
        }
    }

    /// Length of the common prefix of each suffix and its predecessor in the order, at most `longest`.
    std::vector<std::size_t> common() const
    {
        std::vector<std::size_t> place(order.size()), shared(order.size(), 0);
        for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
        std::size_t length = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (place[i] == 0) {
                length = 0;
                continue;
            }
            std::size_t const other = order[place[i] - 1];
            while (length < m_longest && i + length < order.size() && other + length < order.size()
                   && m_tokens[i + length] == m_tokens[other + length])
                ++length;
            shared[place[i]] = length;
            // Dropping the first token keeps neighbours adjacent, except those equal within the sorted length.
            length = length == m_longest || length == 0 ? 0 : length - 1;
        }
        return shared;
    }

    std::vector<std::size_t> order;

private:
    std::span<std::uint32_t const> m_tokens;
    std::size_t m_longest;
    std::vector<std::uint32_t> m_rank;
};

/// Occurrences of a run without overlap. Where occurrences overlap, the run is shortened to its period.
RepeatedRun withoutOverlap(std::vector<std::size_t> starts, std::size_t length)
{
    std::ranges::sort(starts);
    for (std::size_t i = 1; i < starts.size(); ++i) length = std::min(length, starts[i] - starts[i - 1]);
    return {length, std::move(starts)};
}

} // namespace

std::vector<RepeatedRun> repeatedRuns(std::span<std::uint32_t const> tokens, std::size_t longest)
{
    SuffixOrder const suffixes(tokens, longest);
    auto const common = suffixes.common();
    // Intervals of suffixes with a longer common prefix than their neighbours: one run each.
    struct Open {
        std::size_t length, first;
    };
    std::vector<Open> open{{0, 0}};
    std::vector<RepeatedRun> runs;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> known; // by first start and length
    auto const close = [&](Open const &interval, std::size_t end) {
        auto run = withoutOverlap({suffixes.order.begin() + static_cast<std::ptrdiff_t>(interval.first),
                                   suffixes.order.begin() + static_cast<std::ptrdiff_t>(end)},
                                  interval.length);
        // A period is found several times: from all its occurrences and from longer common prefixes.
        auto const [it, fresh] = known.emplace(std::pair(run.starts.front(), run.length), runs.size());
        if (fresh) runs.push_back(std::move(run));
        else if (run.starts.size() > runs[it->second].starts.size()) runs[it->second] = std::move(run);
    };
    for (std::size_t k = 1; k <= suffixes.order.size(); ++k) {
        std::size_t const length = k < suffixes.order.size() ? common[k] : 0;
        std::size_t first = k - 1;
        while (open.back().length > length) {
            close(open.back(), k);
            first = open.back().first;
            open.pop_back();
        }
        if (open.back().length < length) open.push_back({length, first});
    }
    std::ranges::sort(
        runs, [](auto const &a, auto const &b) { return std::pair(a.starts.front(), a.length) < std::pair(b.starts.front(), b.length); });
    return runs;
}

} // namespace tilewright::passes
