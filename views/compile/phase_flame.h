#pragma once

#include "views/compile/compile_picture.h"

#include <QRectF>
#include <QWidget>

namespace tilewright::views {

/// Rectangles of the steps in a flame of two rows (phases, their passes) over `width` × `height` pixels. Steps share the whole time; a step
/// with a nonzero time is at least one pixel wide.
std::vector<QRectF> flameRects(std::vector<CompileStep> const &steps, double width, double height);

/// Phases of a compile as a horizontal flame. Exact seconds on hover; a click picks a step.
class PhaseFlame : public QWidget {
    Q_OBJECT
public:
    explicit PhaseFlame(QWidget *parent = nullptr);
    void setSteps(std::vector<CompileStep> steps);
    void setPicked(int step); ///< -1: none
    QString tipOf(int step) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
signals:
    void picked(int step);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    int stepAt(QPointF const &at) const;
    std::vector<CompileStep> m_steps;
    int m_picked = -1;
};

} // namespace tilewright::views
