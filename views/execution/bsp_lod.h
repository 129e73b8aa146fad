#pragma once

#include "views/time/lane_timeline.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tilewright::views {

/// Busy time of each tile of an IPU in each event of a block, with zoom levels. Tiles are stored in row order, so that sums over rows read
/// memory sequentially.
class BspBlock {
public:
    using TileValues = std::function<std::span<std::int64_t const>(std::int64_t vec)>;
    /// `vec`: by event, the vector with cycles by tile, or -1; `order`: tile (index in the vectors) of each row. Compute and exchange
    /// events without a vector keep all tiles busy.
    BspBlock(std::shared_ptr<LaneLod const> events, std::span<std::int64_t const> vec, TileValues const &values, std::vector<int> order);

    LaneLod const &events() const { return *m_events; }
    int rows() const { return m_rows; }

    /// Busy ticks by row: of vertices, and of exchange.
    struct Sums {
        std::vector<float> compute, exchange;
        explicit Sums(int rows) : compute(static_cast<std::size_t>(rows)), exchange(compute) {}
        void clear();
    };
    /// Adds `times` whole copies of events [from, to) for rows [top, bottom). `coarse`: ends may move to the borders of zoom nodes.
    void add(std::int64_t from, std::int64_t to, double times, int top, int bottom, bool coarse, Sums &sums) const;
    /// Adds the part of one event in `span` (in the block's time).
    void addClipped(std::int64_t event, TimeSpan span, int top, int bottom, Sums &sums) const;
    std::int64_t nodeEvents() const { return std::int64_t{1} << m_shift; }

private:
    enum Kind : std::uint8_t { Neither, Compute, Exchange };
    Kind kind(std::int64_t event) const;
    float const *rowOf(std::int64_t event) const; ///< null: busy throughout
    void addEvent(std::int64_t event, float times, int top, int bottom, Sums &sums) const;

    std::shared_ptr<LaneLod const> m_events;
    int m_rows = 0, m_shift = 3;
    std::vector<std::int32_t> m_vector;          ///< by event: place in m_values, -1 = throughout
    std::vector<float> m_values;                 ///< distinct vectors, m_rows each
    std::vector<std::vector<float>> m_levels[2]; ///< compute, exchange: nodes of 2^m_shift events and eight times more each
};

/// One IPU's blocks as they are placed in time.
struct BspTimeline {
    std::shared_ptr<LaneTimeline const> events;
    std::vector<std::shared_ptr<BspBlock const>> blocks; ///< by placement of `events`
    int rows() const { return blocks.empty() || !blocks.front() ? 0 : blocks.front()->rows(); }
    /// Busy ticks by row in `span`.
    void sum(TimeSpan span, int top, int bottom, bool coarse, BspBlock::Sums &sums) const;
};

enum class TileOrder { Index, Place, Load };
/// Tile of each row. `place`: a key by tile (for instance column, then row on the die); `load`: busy cycles by tile, the busiest first.
/// Tiles without keys are in numeric order.
std::vector<int> tileOrder(TileOrder order, int tiles, std::vector<std::int64_t> const &place, std::vector<std::int64_t> const &load);

} // namespace tilewright::views
