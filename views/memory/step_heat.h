#pragma once

#include "views/plots/heat_map.h"
#include "views/tiles/tile_contents.h"
#include "views/tiles/tile_scale.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::views {

/// Live bytes of tiles (rows, in a given order) over liveness steps (columns), reduced to the largest values.
struct HeatCells {
    int rows = 0, columns = 0;
    int positions = 0, steps = 0;
    std::vector<std::int64_t> most; ///< row-major: the maximum over the cell
    int firstPosition(int row) const { return static_cast<int>(static_cast<std::int64_t>(row) * positions / rows); }
    int firstStep(int column) const { return static_cast<int>(static_cast<std::int64_t>(column) * steps / columns); }
};
HeatCells heatCells(TileContents const &contents, std::vector<int> const &order, int mostRows, int mostColumns);

/// Live bytes by tile and step. A drag selects tiles and steps; wheel and keys zoom.
class StepHeat : public HeatMap {
    Q_OBJECT
public:
    explicit StepHeat(QWidget *parent = nullptr);
    void setCells(HeatCells cells, std::vector<int> order, std::int64_t limit);
    void setMarks(int step, std::vector<char> markedPositions);
    /// Position and step at a point; nullopt outside of the picture.
    std::optional<std::pair<int, int>> at(QPoint point) const;
    QString tipOf(int index) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
signals:
    void picked(int tile, int step, Qt::KeyboardModifiers modifiers);
    void brushed(std::vector<int> const &tiles, int firstStep, int lastStep);

protected:
    QColor colorOf(double value) const override;
    void themeChanged() override;

private:
    std::pair<int, int> placeOf(QPointF const &value) const; ///< position, step
    HeatCells m_cells;
    std::vector<int> m_order;
    TileScale m_scale;
    mutable std::optional<ScaleColors> m_colors; ///< of the current theme
};

} // namespace tilewright::views
