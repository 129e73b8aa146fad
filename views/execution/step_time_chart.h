#pragma once

#include "views/runcontrol/step_times.h"
#include "views/plots/scatter_chart.h"

namespace tilewright::views {

/// Duration of each step, measured on this computer; unusually long ones are points.
class StepTimeChart : public ScatterChart {
    Q_OBJECT
public:
    explicit StepTimeChart(QWidget *parent = nullptr);
    void setTimes(StepTimes times);
    StepTimes const &times() const { return m_times; }
    /// The content of the chart in a sentence, or the reason why it is empty.
    QString summary() const;
    QSize minimumSizeHint() const override { return {kGrid * 30, kGrid * 10}; }
    QString tipOf(int index) const override;
signals:
    void picked(qint64 begin, qint64 end); ///< ns of the recording: a call that took long

private:
    StepTimes m_times;
};

} // namespace tilewright::views
