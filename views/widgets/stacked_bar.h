#pragma once

#include "views/common/theme.h"

#include <QList>
#include <QWidget>

#include <vector>

namespace tilewright::views {

/// One piece of a stacked bar.
struct BarPart {
    Token token = Token::Idle;
    QString label; ///< translated
    std::int64_t amount = 0;
    QString exact; ///< "39 878 cycles (46 %)"
    bool operator==(BarPart const &) const = default;
};
struct Bar {
    QString label; ///< "IPU 0"
    QList<BarPart> parts;
    int id = -1; ///< argument of barClicked
    bool operator==(Bar const &) const = default;
};

/// Begin and end of the parts of a bar over `width` pixels. Bars of a list share one scale, which ends at `longest`. A nonzero part has at
/// least one pixel.
std::vector<std::pair<double, double>> barSpans(Bar const &bar, std::int64_t longest, double width);

/// Bars below each other on one scale with a legend: colour, pattern and words. Exact values on hover.
class StackedBars : public QWidget {
    Q_OBJECT
public:
    explicit StackedBars(QString const &accessibleName, QWidget *parent = nullptr);
    void setBars(QList<Bar> bars);
    QList<Bar> const &bars() const { return m_bars; }
    void setMarked(int id); ///< drawn with the accent's halo; -1: none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QRectF barRect(int bar) const;
    QString tipAt(QPointF const &position) const;
signals:
    void barClicked(int id);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct LegendItem {
        BarPart part;
        QRectF rect;
    };
    std::vector<LegendItem> legend(double width) const;
    double labelWidth() const;
    int barAt(QPointF const &position) const;
    QList<Bar> m_bars;
    int m_marked = -1;
};

} // namespace tilewright::views
