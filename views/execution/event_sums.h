#pragma once

#include "engine/report/run_tables.h"
#include "views/reports/kept.h"

#include <array>
#include <span>
#include <vector>

namespace tilewright::views {

/// Amounts per event type or vector on one IPU.
struct EventAmounts {
    std::vector<std::int64_t> bytesIn, bytesOut; ///< by event type
    std::vector<std::int64_t> tileCycles;        ///< by tile vector, of the IPU's tiles; compute only
};

/// Running totals over a lane's events, stored at every 64th event: sums over any range in constant time with little memory.
class EventSums {
public:
    enum What { TileCycles, BytesIn, BytesOut };
    using Totals = std::array<std::int64_t, 3>;
    /// `isCompute`: by event type.
    EventSums(Kept<report::EventColumns> events, EventAmounts amounts, std::vector<char> isCompute);
    /// Totals of the first `count` events.
    Totals before(std::int64_t count) const;
    Totals of(std::int64_t event) const;

private:
    static constexpr std::int64_t kEvery = 64;
    Kept<report::EventColumns> m_events;
    EventAmounts m_amounts;
    std::vector<char> m_isCompute;
    std::vector<Totals> m_totals;
};

} // namespace tilewright::views
