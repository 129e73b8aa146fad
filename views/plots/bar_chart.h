#pragma once

#include "views/plots/chart.h"

#include <QBrush>

#include <set>
#include <vector>

class QCPBars;

namespace tilewright::views {

class LegendBar;

/// Bars of one colour: one value per group.
struct BarSeries {
    QString name; ///< empty: the only series, without a legend
    std::vector<double> values;
    std::function<QBrush()> brush; ///< for the current theme
};

/// Groups of bars at x = 0, 1, 2 …; an element is a group. A click in the legend hides a series.
class BarChart : public Chart {
    Q_OBJECT
public:
    explicit BarChart(QWidget *parent);
    int elements() const override { return m_groups; }
    /// Rectangle of a bar; empty for a hidden series. Nonzero bars are at least a few pixels high.
    QRectF barRect(int group, int series) const;
    /// The chosen part of the first series' bars, drawn over them.
    QRectF chosenRect(int group) const;

protected:
    /// All series have the same number of values. `x` and `y`: titles and texts; the ranges follow from the bars.
    void setBars(std::vector<BarSeries> series, ChartAxis x, ChartAxis y);
    /// The chosen part of the first series, by group: drawn over the bars, named in the legend. No values: nothing is chosen.
    void setChosen(BarSeries chosen);
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
    void setValues(QCPBars &bars, double offset, std::vector<double> const &values) const;
    double heightOf(double value) const; ///< drawn height, in values
    QRectF rectOfBar(int group, int series, double value) const;
    void showLegend();
    std::vector<BarSeries> m_series;
    std::vector<QCPBars *> m_bars;
    BarSeries m_chosen;
    QCPBars *m_chosenBars = nullptr;
    std::set<QString> m_hidden;
    LegendBar *m_legend = nullptr;
    std::vector<int> m_legendOf; ///< series by entry of the legend
    int m_groups = 0;
};

} // namespace tilewright::views
