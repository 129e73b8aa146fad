#include "views/time/time_window.h"

namespace tilewright::views {

namespace {

constexpr int kGestureMs = 600; // wheel notches closer than this are one gesture
constexpr std::size_t kHistory = 200;

} // namespace

void TimeWindow::put(TimeSpan window)
{
    window = clampWindow(window, m_extent);
    if (window == m_visible) return;
    m_visible = window;
    emit changed();
}

void TimeWindow::setExtent(TimeSpan extent, bool fit)
{
    if (extent.length() < kShortestWindow) extent.end = extent.begin + kShortestWindow;
    if (fit) {
        m_past.clear();
        m_future.clear();
        m_lastSmooth.invalidate();
        setSelection(std::nullopt);
    }
    if (extent == m_extent && !fit) return;
    bool const whole = isWhole();
    std::int64_t const length = m_visible.length();
    m_extent = extent;
    if (fit || (m_following && whole)) m_visible = extent;
    else if (m_following) m_visible = clampWindow({extent.end - length, extent.end}, extent);
    else m_visible = clampWindow(m_visible, extent);
    emit changed();
}

void TimeWindow::setScale(TimeScale const &scale)
{
    if (scale == m_scale) return;
    m_scale = scale;
    emit changed();
}

void TimeWindow::show(TimeSpan window, bool smooth)
{
    window = clampWindow(window, m_extent);
    if (window == m_visible) return;
    setFollowing(false);
    bool const sameGesture = smooth && m_lastSmooth.isValid() && m_lastSmooth.elapsed() < kGestureMs;
    if (!sameGesture) {
        m_past.push_back(m_visible);
        if (m_past.size() > kHistory) m_past.erase(m_past.begin());
    }
    m_future.clear();
    if (smooth) m_lastSmooth.start();
    else m_lastSmooth.invalidate();
    put(window);
}

void TimeWindow::back()
{
    if (m_past.empty()) return;
    m_future.push_back(m_visible);
    TimeSpan const window = m_past.back();
    m_past.pop_back();
    m_lastSmooth.invalidate();
    put(window);
}

void TimeWindow::forward()
{
    if (m_future.empty()) return;
    m_past.push_back(m_visible);
    TimeSpan const window = m_future.back();
    m_future.pop_back();
    m_lastSmooth.invalidate();
    put(window);
}

void TimeWindow::setSelection(std::optional<TimeSpan> selection)
{
    if (selection && selection->isEmpty()) selection.reset();
    if (selection == m_selection) return;
    m_selection = selection;
    emit selectionChanged();
}

void TimeWindow::setPlayhead(std::optional<std::int64_t> time)
{
    if (time == m_playhead) return;
    m_playhead = time;
    emit playheadChanged();
}

void TimeWindow::setFollowing(bool on)
{
    if (on == m_following) return;
    m_following = on;
    emit followingChanged();
}

} // namespace tilewright::views
