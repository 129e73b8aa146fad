#include "views/time/lane_bins.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tilewright::views {

namespace {

constexpr std::int64_t kBinEvents = 4; // events in a finest bin, on average: at least 4, less than 8
constexpr std::int64_t kLeastEvents = 256;
constexpr std::size_t kFewBins = 8;

std::uint32_t shortTicks(std::int64_t duration)
{
    return static_cast<std::uint32_t>(std::min<std::int64_t>(duration, std::numeric_limits<std::uint32_t>::max() - 1) + 1);
}

} // namespace

void LaneBins::take(Bin &best, Bin const &other)
{
    bool const longer = other.ticks > best.ticks;
    best.longest = longer ? other.longest : best.longest;
    best.type = longer ? other.type : best.type;
    best.ticks = longer ? other.ticks : best.ticks;
}

void LaneBins::build(std::span<std::int64_t const> start, std::span<std::int64_t const> duration, std::span<std::int64_t const> type)
{
    m_levels.clear();
    m_size = static_cast<std::int64_t>(start.size());
    if (m_size < kLeastEvents || m_size > std::numeric_limits<std::uint32_t>::max()) return;
    m_origin = start.front();
    std::int64_t const extent = start.back() - m_origin + 1;
    m_shift = std::bit_width(static_cast<std::uint64_t>(extent / std::max<std::int64_t>(1, m_size / kBinEvents)));
    std::vector<Bin> finest(static_cast<std::size_t>(extent >> m_shift) + 2);
    std::size_t filled = 0; // bins whose first event is known
    for (std::size_t i = 0; i < start.size(); ++i) {
        auto const b = static_cast<std::size_t>((start[i] - m_origin) >> m_shift);
        for (; filled <= b; ++filled) finest[filled].first = static_cast<std::uint32_t>(i);
        take(finest[b], {0, static_cast<std::uint32_t>(i), shortTicks(duration[i]), static_cast<std::int32_t>(type[i])});
    }
    for (; filled < finest.size(); ++filled) finest[filled].first = static_cast<std::uint32_t>(m_size);
    m_levels.push_back(std::move(finest));
    while (m_levels.back().size() > kFewBins) {
        auto const &lower = m_levels.back();
        std::size_t const bins = lower.size() - 1;
        std::vector<Bin> upper((bins + 1) / 2 + 1);
        for (std::size_t b = 0; b < bins; ++b) {
            if (b % 2 == 0) upper[b / 2] = lower[b];
            else take(upper[b / 2], lower[b]);
        }
        upper.back().first = lower.back().first;
        m_levels.push_back(std::move(upper));
    }
}

int LaneBins::levelFor(std::int64_t ticksPerColumn) const
{
    if (m_levels.empty() || ticksPerColumn < 2) return -1;
    int const fits = std::bit_width(static_cast<std::uint64_t>(ticksPerColumn / 2)) - 1 - m_shift;
    return std::min(fits, static_cast<int>(m_levels.size()) - 1);
}

std::int64_t LaneBins::binFrom(int level, std::int64_t index, std::int64_t start) const
{
    auto const &bins = m_levels[static_cast<std::size_t>(level)];
    std::int64_t const bin = std::min((start - m_origin) >> (m_shift + level), static_cast<std::int64_t>(bins.size()) - 1);
    return bins[static_cast<std::size_t>(bin)].first == index ? bin : bin + 1;
}

std::optional<LaneBins::Dense> LaneBins::column(int level, std::int64_t index, std::int64_t bin, std::int64_t border,
                                                std::int64_t limit) const
{
    auto const &bins = m_levels[static_cast<std::size_t>(level)];
    auto const first = [&](std::int64_t b) { return static_cast<std::int64_t>(bins[static_cast<std::size_t>(b)].first); };
    int const shift = m_shift + level;
    std::int64_t const last = static_cast<std::int64_t>(bins.size()) - 2; // can still grow
    std::int64_t const end = (border - m_origin + (std::int64_t{1} << shift) - 1) >> shift;
    if (end > last || end < bin) return std::nullopt;
    std::int64_t const to = first(end);
    if (to - index < kDense || first(std::min(last, (limit - m_origin) >> shift)) <= to) return std::nullopt;
    Bin best;
    for (std::int64_t b = bin; b < end; ++b) take(best, bins[static_cast<std::size_t>(b)]);
    return Dense{first(bin), to, best.longest, static_cast<std::int64_t>(best.ticks) - 1, best.type, end};
}

} // namespace tilewright::views
