#pragma once

#include "views/runs/step_times.h"
#include "views/plots/scatter_chart.h"

namespace tilewright::views {

/// Time of a step by its number, measured on this computer; those that took unusually long are points.
class StepTimeChart : public ScatterChart {
    Q_OBJECT
public:
    explicit StepTimeChart(QWidget *parent = nullptr);
    void setTimes(StepTimes times);
    StepTimes const &times() const { return m_times; }
    /// What the chart shows in a sentence; why there is nothing, when there is nothing.
    QString summary() const;
    QSize minimumSizeHint() const override { return {kGrid * 30, kGrid * 10}; }
    QString tipOf(int index) const override;
signals:
    void picked(qint64 begin, qint64 end); ///< ns of the recording: a call that took long

private:
    StepTimes m_times;
};

} // namespace tilewright::views
