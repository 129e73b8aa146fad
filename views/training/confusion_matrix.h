#pragma once

#include <QRectF>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::views {

/// Counts by true class (rows) and predicted class (columns), as cells coloured within each row. A click picks a cell.
class ConfusionMatrix : public QWidget {
    Q_OBJECT
public:
    using Counts = std::vector<std::vector<std::int64_t>>;
    using Cell = std::pair<int, int>; ///< label, predicted

    explicit ConfusionMatrix(QWidget *parent = nullptr);
    void setCounts(Counts counts);
    Counts const &counts() const { return m_counts; }
    std::optional<Cell> picked() const { return m_picked; }
    void setPicked(std::optional<Cell> cell);
    QString tipOf(Cell cell) const;
    QRectF cellRect(Cell cell) const;
    std::optional<Cell> cellAt(QPointF const &at) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
signals:
    void cellPicked(std::optional<std::pair<int, int>> cell);
protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
private:
    int classes() const { return static_cast<int>(m_counts.size()); }
    double cellSize() const;
    QPointF origin() const;
    void pick(std::optional<Cell> cell);
    Counts m_counts;
    std::optional<Cell> m_picked;
};

} // namespace tilewright::views
