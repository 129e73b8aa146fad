#pragma once

#include "views/time/time_window.h"

#include <QWidget>

#include <optional>

class QTimer;

namespace tilewright::views {

/// Base class of pictures over time with a gutter of labels at the left: zoom, pan, range selection, hover, keys. Subclasses draw and
/// locate things.
class TimeCanvas : public QWidget {
    Q_OBJECT
public:
    TimeCanvas(TimeWindow &window, QWidget *parent);

    TimeWindow &window() const { return m_window; }
    int gutter() const { return m_gutter; } ///< width of the labels at the left, in pixels
    void setGutter(int pixels);
    QRect plotRect() const { return rect().adjusted(m_gutter, 0, 0, 0); }
    TimeAxis axis() const { return m_window.axis(plotRect().width()); }
    std::int64_t timeAt(QPoint const &where) const { return axis().toTime(where.x() - m_gutter); }

    /// Height of the content, and scroll position, in pixels.
    virtual int contentHeight() const { return height(); }
    int scroll() const { return m_scroll; }
    void setScroll(int pixels);

    /// The lines of the key overlay, "key\tmeaning"; subclasses add theirs.
    virtual QStringList keyHelp() const;

signals:
    void scrolled(); ///< scroll position or content height
    void gutterChanged();
    void hovered(QPoint where, std::int64_t time);
    void goToRequested(); ///< G: ask for a moment

protected:
    /// Text for the thing at the pointer; empty: none.
    virtual QString tipAt(QPoint const &) const { return {}; }
    /// The span of the thing at a point, for fitting and snapping.
    virtual std::optional<TimeSpan> spanAt(QPoint const &) const { return std::nullopt; }
    /// The span for F, M and fitting without a selection.
    virtual std::optional<TimeSpan> focusSpan() const { return std::nullopt; }
    /// A time border near a point for snapping during a drag.
    virtual std::optional<std::int64_t> snap(QPoint const &, int /*pixels*/) const { return std::nullopt; }
    virtual void clicked(QPoint const &, Qt::KeyboardModifiers) {}
    /// Handles keys besides those of time; returns true if used.
    virtual bool handleKey(QKeyEvent *) { return false; }
    /// Handles dragging in the gutter (lane heights); returns true if the press was used.
    virtual bool gutterPress(QPoint const &) { return false; }
    virtual void gutterMove(QPoint const &) {}
    virtual Qt::CursorShape gutterCursor(QPoint const &) const { return Qt::ArrowCursor; }
    virtual void verticalZoom(QPoint const &, double /*factor*/) {}
    virtual void clearSelection() {}

    /// Draws selection, playhead, cross-hair and the key overlay over the picture.
    void drawOverlay(QPainter &painter) const;

    bool event(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    enum class Drag { None, Select, ZoomBox, Pan, Gutter };
    std::int64_t snapped(QPoint const &where, Qt::KeyboardModifiers modifiers) const;
    bool timeKey(QKeyEvent *event);
    void showTip();

    TimeWindow &m_window;
    int m_gutter = 0, m_scroll = 0;
    Drag m_drag = Drag::None;
    QPoint m_press, m_last;
    std::int64_t m_pressTime = 0;
    bool m_moved = false;
    std::optional<TimeSpan> m_box; ///< being drawn by Alt+drag
    QPoint m_hover{-1, -1};
    QTimer *m_tipTimer = nullptr;
};

} // namespace tilewright::views
