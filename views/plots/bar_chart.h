#pragma once

#include "views/plots/chart.h"

#include <QBrush>

#include <set>
#include <vector>

class QCPBars;

namespace tilewright::views {

class LegendBar;

/// Bars of one colour: a value for each group.
struct BarSeries {
    QString name;
    std::vector<double> values;
    std::function<QBrush()> brush; ///< in the theme of the moment
};

/// Groups of bars beside each other, at x = 0, 1, 2 …; an element is a group. A click in the legend hides a series.
class BarChart : public Chart {
    Q_OBJECT
public:
    explicit BarChart(QWidget *parent);
    int elements() const override { return m_groups; }
    /// Where a bar stands; empty for a hidden series.
    QRectF barRect(int group, int series) const;

protected:
    /// All series have the same number of values. `x` and `y`: titles and texts; ranges follow from the bars.
    void setBars(std::vector<BarSeries> series, ChartAxis x, ChartAxis y);
    void fillPlot() override;
    int elementUnder(QPointF const &pixel) const override;
    QRectF rectOf(int index) const override;
    int neighbour(int from, int key) const override;
    void themeChanged() override;

private:
    struct Place {
        double offset = 0, width = 0; ///< of a group's unit
    };
    Place placeOf(int series) const;
    bool isShown(int series) const { return !m_hidden.contains(m_series[static_cast<std::size_t>(series)].name); }
    void showLegend();
    std::vector<BarSeries> m_series;
    std::vector<QCPBars *> m_bars;
    std::set<QString> m_hidden;
    LegendBar *m_legend = nullptr;
    int m_groups = 0;
};

} // namespace tilewright::views
