#pragma once

#include "views/time/lanes.h"
#include "views/time/time_window.h"
#include "views/widgets/range_strip.h"

#include <QImage>
#include <QWidget>

namespace tilewright::views {

/// Round times above a canvas. Dragging along it measures a duration.
class TimeRuler : public QWidget {
    Q_OBJECT
public:
    TimeRuler(TimeWindow &window, QWidget *parent);
    void setGutter(int pixels);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    std::int64_t timeAt(int x) const;
    TimeWindow &m_window;
    int m_gutter = 0;
    bool m_measuring = false;
    TimeSpan m_measure;
};

/// The whole time with the activity of each lane, and a frame around the visible part.
class TimeOverview : public RangeStrip {
    Q_OBJECT
public:
    TimeOverview(TimeWindow &window, QWidget *parent);
    /// The lanes to summarise (those of devices, for instance): one strip each, or a joint one for many. Time without a phase has the style
    /// of its event type, as in its lane.
    void setLanes(std::vector<std::shared_ptr<LaneTimeline const>> lanes, std::vector<EventStyle> styles = {});
    void setGutter(int pixels);
    /// The visible share of all time, in words.
    QString shareText() const;
    /// The same as far as it fits: in one or two lines, else its numbers alone.
    QString shareTextIn(QSize room, QFontMetrics const &metrics) const;
    QSize sizeHint() const override { return {320, 44}; }
    QSize minimumSizeHint() const override { return {80, 32}; }

protected:
    QRect plot() const override { return rect().adjusted(m_gutter, 2, -1, -2); }
    double whole() const override { return static_cast<double>(m_window.extent().length()); }
    Part shown() const override;
    double least() const override { return static_cast<double>(kShortestWindow); }
    void showPart(Part part, bool steadily) override;
    void showAll() override { m_window.fit(); }
    QString shareWords() const override;
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    TimeAxis axis() const { return {m_window.extent(), std::max(1, plot().width())}; }
    void repaintStrips();
    std::vector<Token> othersOf(LaneTimeline const &lane, ColumnGrid const &grid) const;

    TimeWindow &m_window;
    std::vector<std::shared_ptr<LaneTimeline const>> m_lanes;
    std::vector<EventStyle> m_styles;
    QImage m_image;
    TimeAxis m_imageAxis;
    int m_gutter = 0;
};

/// The token of a lane phase.
Token phaseToken(LanePhase phase);

} // namespace tilewright::views
