#pragma once

#include "views/config/schedule_preview.h"

#include <QRectF>
#include <QWidget>

namespace tilewright::views {

/// Geometry of a widget of `size`: one row per stage, time to the right.
struct ScheduleGeometry {
    QRectF plot; ///< of all rows
    double rowHeight = 0;
    double scale = 0; ///< pixels per unit of cost
    QRectF rectOf(StageTask const &task) const;
};
ScheduleGeometry placeSchedule(SchedulePreview const &preview, QSizeF size, double labelWidth, double headHeight);
/// The task under a point; -1: none.
int taskAt(SchedulePreview const &preview, ScheduleGeometry const &geometry, QPointF position);
/// "4 stages, 16 micro-batches: 23 steps, bubbles about 30 % (cycles of the compiler)".
QString scheduleText(SchedulePreview const &preview);

/// Draws the preview: forward and backward by colour, letter and number of the micro-batch; bubbles as hatched ground; ramps as brackets.
/// Hover names a task; arrow keys move along a stage's tasks.
class ScheduleWidget : public QWidget {
    Q_OBJECT
public:
    explicit ScheduleWidget(QWidget *parent);
    void setPreview(SchedulePreview preview);
    SchedulePreview const &preview() const { return m_preview; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    ScheduleGeometry geometryNow() const;
    void paintRamps(QPainter &painter, ScheduleGeometry const &place) const;
    QString tipOf(int task) const;
    SchedulePreview m_preview;
};

} // namespace tilewright::views
