#pragma once

#include "views/plots/chart_math.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>

class QCPItemRect;
class QLabel;

namespace tilewright::views {

class PlotSurface;

struct ChartAxis {
    QString title;                       ///< with its unit
    std::function<QString(double)> text; ///< of ticks; empty: numberText
    AxisKind kind = AxisKind::Linear;
    ZoomLimits limits;
    bool zooms = true;      ///< the user may zoom
    bool downwards = false; ///< of y: small values on top
};

/// Base of all charts: two axes and elements (points, bars, cells) with an index, a text and a place. Mouse: drag zooms to a box, Shift or
/// middle drag pans, Ctrl+wheel zooms at the pointer (over an axis: along it), Shift+wheel pans, double click shows all. Keys: arrows move
/// from element to element, Enter chooses, Escape leaves, + and - zoom, Home shows all. Zoom stays within the limits of the axes.
/// Subclasses draw. Users of a chart do not depend on the plotting library.
class Chart : public QWidget {
    Q_OBJECT
public:
    explicit Chart(QWidget *parent);
    ~Chart() override;

    void setAxes(ChartAxis x, ChartAxis y); ///< keeps the zoom while the data range is the same
    Span xRange() const;
    Span yRange() const;
    void setRanges(Span x, Span y); ///< within the limits
    bool isZoomed() const;
    void resetZoom();

    int current() const { return m_current; } ///< -1: none
    void setCurrent(int index);
    virtual int elements() const = 0;
    virtual QString tipOf(int index) const = 0;
    int elementAt(QPointF const &pixel) const; ///< -1: none
    QRectF elementRect(int index) const;       ///< in pixels
    QRectF plotRect() const;
    QPointF toPixel(QPointF const &value) const;
    QPointF toValue(QPointF const &pixel) const;
    /// Number of redraws, for measurements.
    int replots() const;

signals:
    void clicked(int index, QPointF value, Qt::KeyboardModifiers modifiers); ///< -1: outside all elements
    void currentChanged(int index);                                          ///< by the keyboard
    void boxDrawn(QRectF const &values);                                     ///< see setDragSelects()
    void zoomChanged();

protected:
    // Pixels are those of the surface.
    virtual void fillPlot() = 0;
    virtual int elementUnder(QPointF const &pixel) const = 0;
    virtual QRectF rectOf(int index) const = 0;
    /// Target of an arrow key; -1: none. `from` -1: the first.
    virtual int neighbour(int from, int key) const = 0;
    virtual void arrangePlot() const {} ///< after titles and ticks were fitted to the size
    virtual void themeChanged() {}

    PlotSurface &surface() const { return *m_surface; }
    QRectF surfaceRect() const; ///< of the plot, in the surface's pixels
    void arrange() const;
    void changed();                           ///< redraws once, with the next paint event
    void setHead(QWidget *head);              ///< a legend above the plot
    void setEmptyText(QString const &text);   ///< shown instead of a plot without elements
    void setDescription(QString const &text); ///< for screen readers, while no element is current
    void setDragSelects(bool on);
    void setShowsCurrentAlways(bool on); ///< also without keyboard focus

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void settle() const;
    void fitTitles() const;
    void fill();
    void markCurrent();
    void bringIntoView(int index);
    void goTo(int index);
    void describe();
    QPointF inSurface(QPointF const &pixel) const;
    void showMark();
    void applyLook();

    PlotSurface *m_surface;
    QCPItemRect *m_mark; ///< the outline of the current element
    QLabel *m_empty;
    QWidget *m_head = nullptr;
    ChartAxis m_x, m_y;
    QString m_description;
    int m_current = -1;
    bool m_alwaysShown = false, m_hasAxes = false;
};

} // namespace tilewright::views
