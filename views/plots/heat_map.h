#pragma once

#include "views/plots/chart.h"

#include <QColor>

#include <optional>
#include <vector>

class QCPColorMap;
class QCPColorScale;

namespace tilewright::views {

/// Values of cells, row by row. They divide the ranges of the axes equally. NaN: the background shows.
struct HeatGrid {
    int rows = 0, columns = 0;
    std::vector<double> values;
    Span range; ///< value range of the colour scale
};

/// Values as coloured cells. An element is a cell, by its position in the grid. The first row is on top.
class HeatMap : public Chart {
    Q_OBJECT
public:
    explicit HeatMap(QWidget *parent);
    int elements() const override { return m_grid.rows * m_grid.columns; }

protected:
    void setGrid(HeatGrid grid, ChartAxis x, ChartAxis y);
    void setSquare(bool on) { m_square = on; } ///< equal width and height while everything is shown
    /// The colour scale beside the plot. Not for square maps.
    void setScale(QString const &title, AxisKind kind, std::function<QString(double)> text);
    void setHeatMarks(std::optional<double> x, std::vector<char> rows); ///< a line at x; marked rows of the y axis
    virtual QColor colorOf(double value) const = 0;
    /// Text of a cell with enough space; empty: none.
    virtual QString cellText(int, double) const { return {}; }
    virtual bool isCellFramed(int) const { return false; }

    void arrangePlot() const override;
    void fillPlot() override;
    int elementUnder(QPointF const &pixel) const override;
    QRectF rectOf(int index) const override;
    int neighbour(int from, int key) const override;
    void themeChanged() override;

private:
    class Details;
    void fillCells();
    QCPColorMap *m_map;
    QCPColorScale *m_scale = nullptr;
    std::function<QString(double)> m_scaleText;
    QString m_scaleTitle;
    AxisKind m_scaleKind = AxisKind::Linear;
    HeatGrid m_grid;
    Span m_x, m_y; ///< range of the cells
    std::optional<double> m_markedX;
    std::vector<char> m_markedRows;
    bool m_square = false, m_cellsStale = true;
};

} // namespace tilewright::views
