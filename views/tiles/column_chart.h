#pragma once

#include "views/tiles/column_painter.h"

#include <QPixmap>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace tilewright::views {

/// Marks drawn over the columns without repainting them.
struct ColumnMarks {
    std::vector<char> marked; ///< flags by position: a bar in the accent colour below the plot; may be empty
    int locked = -1;          ///< a line in the accent colour, or in the text colour if not chosen by the user
    bool chosen = true;       ///< `locked`, by a person
    int second = -1;          ///< the compared position: dashed
    std::vector<int> peaks;   ///< small triangles
    int playhead = -1;        ///< position of a run: a line in the text colour, as on timelines
};

/// The part of a stretch's name that fits and is distinctive: all of it, the number of "stage 3", the first letter, or nothing.
QString spanText(QString const &whole, int room, QFontMetrics const &metrics);

/// Stacked profile over tiles or steps with axes, legend, limit line, zoom, hover and picking. The owner provides the meaning of positions,
/// their names and the exact texts.
class ColumnChart : public QWidget {
    Q_OBJECT
public:
    explicit ColumnChart(QWidget *parent = nullptr);

    /// Keeps the window if the axis length is unchanged.
    void setScene(std::shared_ptr<ColumnScene const> scene);
    ColumnScene const &scene() const { return *m_scene; }
    void setMarks(ColumnMarks marks);
    ColumnMarks const &marks() const { return m_marks; }
    /// Whether the limit is within the scale; otherwise a note gives its value.
    void setLimitShown(bool on);
    bool isLimitShown() const { return m_limitShown; }
    void setAxisTitle(QString const &title)
    {
        m_axisTitle = title;
        update();
    }
    void setEmptyText(QString const &text)
    {
        m_emptyText = text;
        update();
    }

    std::function<QString(std::int64_t)> valueText; ///< of the vertical axis
    bool binaryValues = true;                       ///< its ticks are round as bytes are
    std::function<QString(double)> coordinateText;  ///< of the horizontal axis, at a coordinate
    std::function<QString(int)> tip;                ///< exact text of a position
    std::function<QString(int)> bandTip;            ///< tooltip of a legend item: effect of a click

    int hoveredPosition() const { return m_hover; }
    int positionAt(QPoint at) const; ///< -1 outside of the plot
    QRect plotRect() const { return m_plot; }
    /// Rectangle of the limit's name, if the scene has a limit: at the emptier end of its line, or above the plot if the limit is above it.
    QRect limitLabel() const;
    /// Meaning of line and areas if a pixel covers several positions; empty otherwise.
    QString mergedText() const;
    int pixelOf(int position) const; ///< middle of it, widget coordinates
    AxisWindow window() const { return m_window; }
    void setWindow(double from, double to);
    void fit();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
signals:
    void hovered(int position); ///< -1: none
    void picked(int position, Qt::KeyboardModifiers modifiers);
    void brushed(int first, int last, Qt::KeyboardModifiers modifiers);
    void activated(int position);
    void bandClicked(int band); ///< in the legend
    void viewChanged();         ///< plotRect() or window() changed
protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;

private:
    void layOut();
    void touch(); ///< paints anew
    void renderCache();
    void paintAxes(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    void paintLanes(QPainter &painter) const;
    void paintMarks(QPainter &painter) const;
    double topValue() const;
    bool isLimitInPlot() const;
    int limitWidth() const; ///< width of its name above the plot; 0: not there
    int legendItemAt(QPoint at) const;

    std::shared_ptr<ColumnScene const> m_scene = std::make_shared<ColumnScene const>();
    ColumnPainter m_painter;
    ColumnMarks m_marks;
    AxisWindow m_window;
    QRect m_plot;
    std::vector<QRect> m_legend; ///< by band; empty: no room
    QRect m_legendRest;          ///< text with the number of hidden items
    QPixmap m_cache;
    bool m_stale = true, m_limitShown = false;
    int m_hover = -1;
    std::optional<QPoint> m_pressed;
    bool m_dragging = false;
    QPoint m_dragTo;
    std::optional<QPoint> m_panFrom;
    QString m_axisTitle, m_emptyText;
};

inline constexpr int kLaneHeight = 4 * kGrid; ///< of a strip above the plot
inline constexpr double kHeadroom = 1.06;     ///< of the vertical axis over the highest value

/// Round numbers for an axis, at most `most`: multiples of 1, 2, 5 · 10ⁿ, or of powers of two for bytes.
std::vector<double> axisTicks(double low, double high, int most, bool binary);

} // namespace tilewright::views
