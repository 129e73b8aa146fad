#pragma once

#include "views/plots/chart_math.h"

// The library's header uses a macro that this project disables.
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef foreach

#include <functional>
#include <optional>

// Private to this folder: the only header that includes QCustomPlot.
namespace tilewright::views {

/// Texts and zoom limits of an axis.
struct AxisRules {
    AxisKind kind = AxisKind::Linear;
    std::function<QString(double)> text; ///< of ticks; empty: numberText
    std::optional<ZoomLimits> limits;    ///< nullopt: any range
    bool zooms = true;                   ///< the user may zoom
};

/// QCustomPlot with our mouse handling, keys, colours and vector export: the drawing surface of curves and charts. It handles pixels and
/// ranges, not data. An enclosing widget may forward its mouse events.
class PlotSurface : public QCustomPlot {
public:
    explicit PlotSurface(QWidget *parent);

    std::function<void()> fill;         ///< fills the plottables with the visible part before drawing
    std::function<void()> touched;      ///< the user changed a range
    std::function<void()> fitRequested; ///< double click, Home
    std::function<void(std::optional<QPointF>)> hover;
    std::function<void(QPointF, Qt::KeyboardModifiers)> click; ///< pixel
    std::function<void(QRectF)> boxed;                         ///< pixels of a drawn box; empty function: zooms to it

    virtual void applyTheme();
    void setRules(QCPAxis &axis, AxisRules rules); ///< of xAxis or yAxis
    /// Applies the colours, fonts and ticks of all plots to another axis, such as that of a scale.
    static void dress(QCPAxis &axis);
    static void setTicks(QCPAxis &axis, AxisKind kind, std::function<QString(double)> text, int count);
    /// Default: as many as the height of the plot allows.
    void setTickCounts(int x, int y);
    /// Sets the range, limited by the rules of the axis.
    void setRange(QCPAxis &axis, Span wanted);
    /// Zooms around a pixel, along the axes it lies over: below the plot along x, beside it along y. `onlyX` for curves.
    void zoom(double factor, QPointF around, bool onlyX);
    void panX(double pixels);
    /// Home, + and -.
    bool zoomKey(QKeyEvent const &event, QPointF around, bool onlyX);
    void setWheelZoomsX(bool only) { m_onlyX = only; }

    void press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    void drag(QPointF to);
    void release(QPointF at, Qt::KeyboardModifiers modifiers);
    bool wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers);

    /// Redraws once for any number of calls: with the next paint event if `urgent`, else with the next tick of the rate limit. Does nothing
    /// while hidden.
    void refresh(bool urgent);
    void refreshOverlay();
    /// Lays out the axes for the current size and ranges without drawing, so that pixel positions are valid.
    void place();
    void setFramed(bool on); ///< focus frame
    int drawn() const { return m_drawn; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitTickCounts();
    enum class Drag { None, Box, Pan };
    AxisRules &rulesOf(QCPAxis const &axis) { return &axis == xAxis ? m_x : m_y; }
    void redraw();
    void drawNow();
    void pan(QCPAxis &axis, double fromPixel, double toPixel);
    void zoomToBox(QPointF from, QPointF to);
    void pointWith(Qt::CursorShape shape);

    QTimer m_limit;
    AxisRules m_x, m_y;
    bool m_stale = true, m_framed = false, m_onlyX = false, m_ownCounts = true;
    int m_drawn = 0;
    Drag m_drag = Drag::None;
    Qt::MouseButton m_button = Qt::NoButton;
    QPointF m_pressed, m_last;
    QCPItemRect *m_box = nullptr;
};

} // namespace tilewright::views
