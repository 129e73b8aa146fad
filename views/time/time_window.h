#pragma once

#include "views/time/time_axis.h"

#include <QElapsedTimer>
#include <QObject>

#include <optional>
#include <vector>

namespace tilewright::views {

/// The visible part of time, the selected part and the position of the run, shared by ruler, overview and all canvases of a view.
class TimeWindow : public QObject {
    Q_OBJECT
public:
    explicit TimeWindow(QObject *parent = nullptr) : QObject(parent) {}

    TimeSpan extent() const { return m_extent; } ///< the whole time
    TimeSpan visible() const { return m_visible; }
    TimeAxis axis(int width) const { return {m_visible, std::max(1, width)}; }
    std::optional<TimeSpan> selection() const { return m_selection; }
    std::optional<std::int64_t> playhead() const { return m_playhead; }
    TimeScale const &scale() const { return m_scale; }
    bool isWhole() const { return m_visible.begin <= m_extent.begin && m_visible.end >= m_extent.end; }

    /// Sets another extent. Keeps the visible part if it is still inside; with `fit`, shows everything.
    void setExtent(TimeSpan extent, bool fit);
    void setScale(TimeScale const &scale);
    /// Shows a part as one step of the history. Quick successive `smooth` moves are one step.
    void show(TimeSpan window, bool smooth = false);
    void zoomAt(std::int64_t anchor, double factor) { show(zoomWindow(m_visible, anchor, factor, m_extent), true); }
    void panBy(std::int64_t ticks) { show(panWindow(m_visible, ticks, m_extent), true); }
    void fit() { show(m_extent); }
    bool canGoBack() const { return !m_past.empty(); }
    bool canGoForward() const { return !m_future.empty(); }
    void back();
    void forward();

    void setSelection(std::optional<TimeSpan> selection);
    void setPlayhead(std::optional<std::int64_t> time);
    /// Follows the end while time grows, until the first manual move.
    void setFollowing(bool on);
    bool isFollowing() const { return m_following; }

signals:
    void changed(); ///< extent, visible part or scale
    void selectionChanged();
    void playheadChanged();
    void followingChanged();

private:
    void put(TimeSpan window);
    TimeSpan m_extent{0, 1}, m_visible{0, kShortestWindow};
    std::optional<TimeSpan> m_selection;
    std::optional<std::int64_t> m_playhead;
    TimeScale m_scale;
    std::vector<TimeSpan> m_past, m_future;
    QElapsedTimer m_lastSmooth;
    bool m_following = false;
};

} // namespace tilewright::views
