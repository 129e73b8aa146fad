#pragma once

#include "views/plots/chart_math.h"

// The library's header needs the macro that this project is built without.
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef foreach

#include <functional>
#include <optional>

// Private to this folder: the only header that knows QCustomPlot.
namespace tilewright::views {

/// What an axis says and how far it can be zoomed.
struct AxisRules {
    AxisKind kind = AxisKind::Linear;
    std::function<QString(double)> text; ///< of ticks; empty: numberText
    std::optional<ZoomLimits> limits;    ///< absent: any range
    bool zooms = true;                   ///< by a person
};

/// QCustomPlot with the house's mouse, keys, colours and vector export: what curves and charts are drawn on. It knows pixels
/// and ranges, not data. A widget around it may take its mouse and hand on what it does.
class PlotSurface : public QCustomPlot {
public:
    explicit PlotSurface(QWidget *parent);

    std::function<void()> fill;         ///< puts what is visible into the plottables, called before drawing
    std::function<void()> touched;      ///< a person changed a range
    std::function<void()> fitRequested; ///< double click, Home
    std::function<void(std::optional<QPointF>)> hover;
    std::function<void(QPointF, Qt::KeyboardModifiers)> click; ///< pixel
    std::function<void(QRectF)> boxed;                         ///< pixels of a box that was drawn; empty: it is zoomed to

    virtual void applyTheme();
    void setRules(QCPAxis &axis, AxisRules rules); ///< of xAxis or yAxis
    /// Colours, fonts and ticks as on the axes of every plot, for one of another kind: of a scale.
    static void dress(QCPAxis &axis);
    static void setTicks(QCPAxis &axis, AxisKind kind, std::function<QString(double)> text, int count);
    /// By default as many as a plot of its height has room for.
    void setTickCounts(int x, int y);
    /// The range asked for, within the limits of the axis.
    void setRange(QCPAxis &axis, Span wanted);
    /// About a pixel, along the axes it lies over: below the plot along x, beside it along y. `onlyX` for curves.
    void zoom(double factor, QPointF around, bool onlyX);
    void panX(double pixels);
    /// Home, + and -.
    bool zoomKey(QKeyEvent const &event, QPointF around, bool onlyX);
    void setWheelZoomsX(bool only) { m_onlyX = only; }

    void press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    void drag(QPointF to);
    void release(QPointF at, Qt::KeyboardModifiers modifiers);
    bool wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers);

    /// Draws once, however often it is said: with the next paint event when `urgent`, else with the next tick of the limit.
    /// Nothing while hidden.
    void refresh(bool urgent);
    void refreshOverlay();
    /// Places axes for the present size and ranges without drawing, so that pixels can be asked for.
    void place();
    void setFramed(bool on); ///< the frame of what has the keyboard
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
