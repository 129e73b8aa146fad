#pragma once

// The library's header needs the macro that this project is built without.
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef foreach

#include <functional>
#include <optional>

// Private to this folder: the only header that knows QCustomPlot.
namespace tilewright::views {

/// QCustomPlot with the house's mouse, colours and vector export. It knows pixels and ranges, not curves.
class CurvePlot : public QCustomPlot {
public:
    explicit CurvePlot(QWidget *parent);

    std::function<void()> fill;                     ///< puts what is visible into the graphs, called before drawing
    std::function<void()> touched;                  ///< a person changed a range
    std::function<void()> fitRequested;             ///< double click
    std::function<void(std::optional<double>)> hover;
    std::function<void(QPointF)> click;             ///< pixel

    void applyTheme();
    void setTexts(QString const &x, QString const &y, std::function<QString(double)> xText, std::function<QString(double)> yText);
    void setLogarithmic(bool on);
    void setCrosshair(std::optional<double> x);
    void zoomX(double factor, double around);
    void panX(double pixels);
    /// Draws soon: at once when `urgent`, else with the next tick of the limit. Nothing while hidden.
    void refresh(bool urgent);
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
    enum class Drag { None, Box, Pan };
    void redraw();
    void zoomToBox(QPointF from, QPointF to);
    void refreshOverlay();
    void installTickers();

    QTimer m_limit;
    bool m_stale = true;
    bool m_logarithmic = false;
    int m_drawn = 0;
    Drag m_drag = Drag::None;
    QPointF m_pressed, m_last;
    QCPItemStraightLine *m_crosshair = nullptr;
    QCPItemRect *m_box = nullptr;
    std::function<QString(double)> m_xText, m_yText;
};

} // namespace tilewright::views
