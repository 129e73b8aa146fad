#pragma once

#include "engine/report/memory_tables.h"

#include <span>
#include <utility>
#include <vector>

namespace tilewright::views {

/// Lifetimes of classes of lowered variables, for millions of look-ups.
class ClassLives {
public:
    ClassLives() = default;
    ClassLives(std::span<report::LivenessClassRow const> classes, std::span<report::LivenessIntervalRow const> intervals, int steps);
    int classes() const { return static_cast<int>(m_always.size()); }
    int steps() const { return m_steps; }
    bool isAlways(int c) const { return c >= 0 && c < classes() && m_always[static_cast<std::size_t>(c)]; }
    bool isLive(int c, int step) const { return isAlways(c) || around(c, step).first >= 0; }
    /// Intervals [first, end), ascending; an always-live class has one over all steps.
    std::span<std::pair<int, int> const> of(int c) const;
    /// The interval that contains `step`; (-1, -1) if the class is not live then.
    std::pair<int, int> around(int c, int step) const;

private:
    int m_steps = 0;
    std::vector<char> m_always;
    std::vector<std::pair<int, int>> m_intervals; ///< by class, then by step
    std::vector<int> m_first;                     ///< of each class in m_intervals; one more at the end
};

/// Tiles with identical layouts.
struct LayoutUse {
    int tile = 0;           ///< the first of them, to read the layout
    std::vector<int> tiles; ///< ascending
};
/// By layout number, without unused layouts. Tiles without a layout (negative) are left out.
std::vector<LayoutUse> layoutUses(std::span<int const> tileLayout);

} // namespace tilewright::views
