#pragma once

#include <QPoint>
#include <QRect>
#include <QSize>

#include <vector>

namespace tilewright::views {

/// Positions of tiles on their dies. All IPUs are equal; tiles are numbered through: ipu * tilesPerIpu + index.
struct TileFloor {
    int ipus = 0, tilesPerIpu = 0;
    std::vector<QPoint> cells; ///< by index in the IPU
    int columns = 0, rows = 0;

    int tiles() const { return ipus * tilesPerIpu; }
    int ipuOf(int tile) const { return tilesPerIpu > 0 ? tile / tilesPerIpu : 0; }
    int indexOf(int tile) const { return tilesPerIpu > 0 ? tile % tilesPerIpu : 0; }
};
/// `places` may be shorter than the tiles (old reports): then tiles are arranged in rows in order.
TileFloor makeFloor(int ipus, int tilesPerIpu, std::vector<QPoint> places);

/// One panel per IPU in a rectangle of pixels: whole pixels, one cell size.
struct FloorGeometry {
    QSize cell;          ///< of one tile, at least 1 × 1
    QPoint origin;       ///< of the first panel's cells
    QSize pitch;         ///< from panel to panel
    int across = 1;      ///< panels in a row
    int titleHeight = 0; ///< above the cells of each panel; 0 with one IPU

    QRect panelOf(TileFloor const &floor, int ipu) const; ///< its cells, without the title
    QRect cellOf(TileFloor const &floor, int tile) const;
};
inline constexpr int kPanelGap = 8; ///< pixels between panels at scale 1

FloorGeometry placeFloor(TileFloor const &floor, QSize pixels, int titleHeight, double scale = 1);
/// The smallest size with at least one pixel per tile.
QSize leastFloorSize(TileFloor const &floor, int titleHeight);
/// The smallest width at which all dies fit this height; without one, that of leastFloorSize.
int leastFloorWidth(TileFloor const &floor, int height, int titleHeight);

/// Finds tiles by pixel.
class FloorHits {
public:
    FloorHits() = default;
    explicit FloorHits(TileFloor const &floor);
    /// -1: no tile there.
    int tileAt(TileFloor const &floor, FloorGeometry const &geometry, QPoint pixel) const;
    /// Tiles whose cells touch the rectangle, ascending.
    std::vector<int> tilesIn(TileFloor const &floor, FloorGeometry const &geometry, QRect pixels) const;
    int indexAt(TileFloor const &floor, int column, int row) const;

private:
    std::vector<int> m_index; ///< by row * columns + column; -1 none
};

} // namespace tilewright::views
