#pragma once

#include "views/time/lanes.h"

#include <vector>

namespace tilewright::views {

/// Layout of lanes: heights, folded, hidden and pinned lanes. Pinned lanes stay at the top while others scroll.
class LanesLayout {
public:
    struct Row {
        int lane = 0;
        int y = 0, height = 0; ///< y: of pinned rows in the widget, of others in the content below them
        bool pinned = false;
    };

    /// Sets new lanes; lanes with the same path keep their place and height.
    void setLanes(LaneSet const &set);
    std::vector<Row> const &rows() const { return m_rows; }
    int pinnedHeight() const { return m_pinnedHeight; }
    int contentHeight() const { return m_pinnedHeight + m_height; } ///< for scrolling

    /// Set by the user; the lane keeps it.
    void setHeight(int lane, int pixels);
    /// Makes lanes taller to fill `room` pixels; lanes sized by the user stay.
    void stretch(int room);
    void toggleCollapsed(int lane);
    bool isCollapsed(int lane) const { return flag(lane).collapsed; }
    void togglePinned(int lane);
    bool isPinned(int lane) const { return flag(lane).pinned; }
    void hide(int lane);
    void showAll();
    int hiddenLanes() const;

    /// Top of a row in the widget scrolled by `scroll`.
    static int top(Row const &row, int scroll, int pinnedHeight) { return row.pinned ? row.y : pinnedHeight + row.y - scroll; }
    /// The row at widget height `y`; null: none.
    Row const *rowAt(int y, int scroll) const;
    /// The row whose lower border is within `nearness` of `y`.
    Row const *borderAt(int y, int scroll, int nearness) const;
    Row const *rowOf(int lane) const;

    static constexpr int kLeastHeight = 8, kLargestHeight = 4096;

private:
    struct Flags {
        QString path;
        int parent = -1, height = 0;
        bool collapsed = false, hidden = false, pinned = false, sized = false;
    };
    Flags const &flag(int lane) const { return m_flags[static_cast<std::size_t>(lane)]; }
    void arrange();
    std::vector<Flags> m_flags;
    std::vector<Row> m_rows;
    int heightOf(int lane) const;
    int m_pinnedHeight = 0, m_height = 0;
    double m_stretch = 1;
};

} // namespace tilewright::views
