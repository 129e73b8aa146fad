#pragma once

#include "views/common/theme.h"

#include <QRectF>
#include <QFontMetrics>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace tilewright::views {

/// Divides `area` into rectangles proportional to `amounts`, as square as possible in order of size (Bruls, Huizing, van Wijk: Squarified
/// treemaps, 2000). Amounts of zero or less get empty rectangles.
std::vector<QRectF> squarify(std::vector<double> const &amounts, QRectF const &area);

struct TreemapItem {
    int id = -1;
    QString label, exact; ///< exact: for the tooltip
    double amount = 0;
    Token token = Token::Idle;
    bool operator==(TreemapItem const &) const = default;
};

/// The lines of a box: the whole name, or its parts on several lines, the layer on the first; none if too little of it would be left.
QStringList treemapLines(QString const &label, QFontMetrics const &metrics, int width, int height);

/// Areas by amount, with names where they fit. Click or arrow keys choose one.
class Treemap : public QWidget {
    Q_OBJECT
public:
    explicit Treemap(QString const &accessibleName, QWidget *parent = nullptr);
    void setItems(std::vector<TreemapItem> items);
    void setMarked(std::vector<int> ids);
    QSize minimumSizeHint() const override { return {kGrid * 30, kGrid * 10}; }
    QSize sizeHint() const override { return {kGrid * 80, kGrid * 50}; }
    int itemAt(QPointF const &where) const; ///< index, -1: none
    QRectF rectOf(int id) const;
Q_SIGNALS:
    void picked(int id);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    void arrange();
    std::vector<TreemapItem> m_items; ///< largest first
    std::vector<QRectF> m_rects;
    std::vector<int> m_marked;
};

} // namespace tilewright::views
