#pragma once

#include "views/plots/heat_map.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::views {

/// Counts by true class (rows) and predicted class (columns), coloured within each row. A click picks a cell.
class ConfusionMatrix : public HeatMap {
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
    QString tipOf(int index) const override { return tipOf(cellOf(index)); }
    QRectF cellRect(Cell cell) const { return elementRect(indexOf(cell)); }
    std::optional<Cell> cellAt(QPointF const &at) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
signals:
    void cellPicked(std::optional<std::pair<int, int>> cell);

protected:
    void resizeEvent(QResizeEvent *event) override;
    QColor colorOf(double value) const override;
    QString cellText(int index, double width) const override;
    bool isCellFramed(int index) const override;

private:
    int classes() const { return static_cast<int>(m_counts.size()); }
    Cell cellOf(int index) const { return {index / classes(), index % classes()}; }
    int indexOf(Cell cell) const { return cell.first * classes() + cell.second; }
    std::int64_t countOf(Cell cell) const { return m_counts[static_cast<std::size_t>(cell.first)][static_cast<std::size_t>(cell.second)]; }
    void pick(std::optional<Cell> cell);
    Counts m_counts;
    std::optional<Cell> m_picked;
};

} // namespace tilewright::views
