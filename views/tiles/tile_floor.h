#pragma once

#include <QPoint>
#include <QRect>
#include <QSize>

#include <vector>

namespace tilewright::views {

/// Where tiles lie on their dies. All IPUs are alike; tiles count through them: ipu * tilesPerIpu + index.
struct TileFloor {
    int ipus = 0, tilesPerIpu = 0;
    std::vector<QPoint> cells; ///< by index in the IPU
    int columns = 0, rows = 0;

    int tiles() const { return ipus * tilesPerIpu; }
    int ipuOf(int tile) const { return tilesPerIpu > 0 ? tile / tilesPerIpu : 0; }
    int indexOf(int tile) const { return tilesPerIpu > 0 ? tile % tilesPerIpu : 0; }
};
/// `places` may be shorter than the tiles (old reports): then tiles are dealt into rows in order.
TileFloor makeFloor(int ipus, int tilesPerIpu, std::vector<QPoint> places);

/// Small multiples of the floor in a rectangle of pixels: one panel an IPU, whole pixels, one cell size.
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
/// The least size that shows every tile with a pixel of its own.
QSize leastFloorSize(TileFloor const &floor, int titleHeight);
/// The least width at which all dies are within this height; where no width does it, that of leastFloorSize.
int leastFloorWidth(TileFloor const &floor, int height, int titleHeight);

/// Looks tiles up by pixel.
class FloorHits {
public:
    FloorHits() = default;
    explicit FloorHits(TileFloor const &floor);
    /// -1: no tile there.
    int tileAt(TileFloor const &floor, FloorGeometry const &geometry, QPoint pixel) const;
    /// Ascending; every tile whose cell touches the rectangle.
    std::vector<int> tilesIn(TileFloor const &floor, FloorGeometry const &geometry, QRect pixels) const;
    int indexAt(TileFloor const &floor, int column, int row) const;

private:
    std::vector<int> m_index; ///< by row * columns + column; -1 none
};

} // namespace tilewright::views
