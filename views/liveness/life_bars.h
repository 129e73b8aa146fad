#pragma once

#include "views/tiles/class_lives.h"
#include "views/tiles/column_stats.h"
#include "views/tiles/part_keys.h"

#include <QRect>
#include <QWidget>

#include <utility>
#include <vector>

namespace tilewright::views {

/// The lifetime of one variable.
struct LifeBar {
    int variable = -1;
    QString name;
    PartKey key;
    bool always = false;
    std::vector<std::pair<int, int>> spans; ///< steps, half open
    int lastUse = -1;
};

/// Number of variables; their room is reserved, so that a selection of more or fewer moves nothing.
inline constexpr std::size_t kLifeBars = 6;

/// Lifetimes of chosen variables, one below the other, on the axis of the chart above.
class LifeBars : public QWidget {
    Q_OBJECT
public:
    explicit LifeBars(QWidget *parent = nullptr);
    void setBars(std::vector<LifeBar> bars);
    std::vector<LifeBar> const &bars() const { return m_bars; }
    void setAxis(PositionAxis axis, AxisWindow window, int left);
    void setStep(int step);
    int barAt(QPoint at) const; ///< -1 none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
signals:
    void picked(int variable);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    int rowHeight() const;
    std::vector<LifeBar> m_bars;
    PositionAxis m_axis;
    AxisWindow m_window;
    int m_left = 0, m_step = -1;
};

} // namespace tilewright::views
