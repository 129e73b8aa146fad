#pragma once

#include "views/tiles/column_painter.h"
#include "views/widgets/range_strip.h"

#include <QImage>

namespace tilewright::views {

class ColumnChart;

/// The whole axis of a chart, with a frame around the visible part.
class ColumnOverview : public RangeStrip {
    Q_OBJECT
public:
    ColumnOverview(ColumnChart &chart, QWidget *parent);
    QSize sizeHint() const override { return {80 * kGrid, 9 * kGrid}; }
    QSize minimumSizeHint() const override { return {20 * kGrid, 7 * kGrid}; }

protected:
    QRect plot() const override; ///< under that of the chart
    double whole() const override;
    Part shown() const override;
    double least() const override;
    void showPart(Part part, bool steadily) override;
    void showAll() override;
    QString shareWords() const override;
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    ColumnChart &m_chart;
    QImage m_image;                       ///< of the scene
    ColumnScene const *m_drawn = nullptr; ///< compared only
};

} // namespace tilewright::views
