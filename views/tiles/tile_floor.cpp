#include "views/tiles/tile_floor.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

TileFloor makeFloor(int ipus, int tilesPerIpu, std::vector<QPoint> places)
{
    TileFloor floor;
    floor.ipus = std::max(0, ipus);
    floor.tilesPerIpu = std::max(0, tilesPerIpu);
    auto const count = static_cast<std::size_t>(floor.tilesPerIpu);
    if (places.size() < count) {
        int const across = std::max(1, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count) * 2.5))));
        places.clear();
        for (int i = 0; i < floor.tilesPerIpu; ++i) places.emplace_back(i % across, i / across);
    }
    places.resize(count);
    int left = 0, top = 0;
    for (std::size_t i = 0; i < count; ++i) {
        left = i == 0 ? places[i].x() : std::min(left, places[i].x());
        top = i == 0 ? places[i].y() : std::min(top, places[i].y());
    }
    for (auto &place : places) {
        place -= QPoint(left, top);
        floor.columns = std::max(floor.columns, place.x() + 1);
        floor.rows = std::max(floor.rows, place.y() + 1);
    }
    floor.cells = std::move(places);
    return floor;
}

QRect FloorGeometry::panelOf(TileFloor const &floor, int ipu) const
{
    QPoint const at(origin.x() + ipu % across * pitch.width(), origin.y() + ipu / across * pitch.height());
    return {at, QSize(floor.columns * cell.width(), floor.rows * cell.height())};
}

QRect FloorGeometry::cellOf(TileFloor const &floor, int tile) const
{
    if (tile < 0 || tile >= floor.tiles()) return {};
    auto const place = floor.cells[static_cast<std::size_t>(floor.indexOf(tile))];
    auto const panel = panelOf(floor, floor.ipuOf(tile));
    return {panel.x() + place.x() * cell.width(), panel.y() + place.y() * cell.height(), cell.width(), cell.height()};
}

FloorGeometry placeFloor(TileFloor const &floor, QSize pixels, int titleHeight, double scale)
{
    FloorGeometry best;
    best.cell = QSize(1, 1);
    if (floor.tiles() == 0 || floor.columns == 0) return best;
    int const gap = static_cast<int>(std::lround(kPanelGap * scale));
    best.titleHeight = floor.ipus > 1 ? titleHeight : 0;
    double bestArea = -1;
    for (int across = 1; across <= floor.ipus; ++across) {
        int const down = (floor.ipus + across - 1) / across;
        double const width = (pixels.width() - (across + 1.0) * gap) / across / floor.columns;
        double const height = (pixels.height() - (down + 1.0) * gap - down * static_cast<double>(best.titleHeight)) / down / floor.rows;
        // Tiles stay nearly square: a floor plan of twice the height looks like another machine.
        int cellWidth = static_cast<int>(std::floor(width)), cellHeight = static_cast<int>(std::floor(height));
        cellWidth = std::clamp(cellWidth, 1, std::max(1, 2 * cellHeight));
        cellHeight = std::clamp(cellHeight, 1, std::max(1, 2 * cellWidth));
        double const area = std::min(width, 2.0 * std::max(height, 0.01)) * std::min(height, 2.0 * std::max(width, 0.01));
        bool const fits = width >= 1 && height >= 1;
        double const rank = fits ? area + 1 : std::min(width, height) - 2; // too large plans scroll: prefer the smallest excess
        if (bestArea >= 0 ? rank <= bestArea : across > 1 && rank <= bestArea) continue;
        bestArea = rank;
        best.cell = QSize(cellWidth, cellHeight);
        best.across = across;
    }
    int const down = (floor.ipus + best.across - 1) / best.across;
    best.pitch = QSize(floor.columns * best.cell.width() + gap, floor.rows * best.cell.height() + gap + best.titleHeight);
    int const usedWidth = best.across * best.pitch.width() - gap, usedHeight = down * best.pitch.height() - gap;
    best.origin = QPoint(std::max(gap / 2, (pixels.width() - usedWidth) / 2),
                         std::max(gap / 2, (pixels.height() - usedHeight) / 2) + best.titleHeight);
    return best;
}

int leastFloorWidth(TileFloor const &floor, int height, int titleHeight)
{
    int const title = floor.ipus > 1 ? titleHeight : 0;
    for (int across = 1; across <= floor.ipus; ++across) {
        int const down = (floor.ipus + across - 1) / across;
        if (down * (floor.rows + kPanelGap + title) + kPanelGap <= height) return across * (floor.columns + kPanelGap) + kPanelGap;
    }
    return leastFloorSize(floor, titleHeight).width();
}

QSize leastFloorSize(TileFloor const &floor, int titleHeight)
{
    if (floor.tiles() == 0) return {1, 1};
    int const across = std::max(1, static_cast<int>(std::floor(std::sqrt(static_cast<double>(floor.ipus)))));
    int const down = (floor.ipus + across - 1) / across;
    int const title = floor.ipus > 1 ? titleHeight : 0;
    return {across * (floor.columns + kPanelGap) + kPanelGap, down * (floor.rows + kPanelGap + title) + kPanelGap};
}

FloorHits::FloorHits(TileFloor const &floor) : m_index(static_cast<std::size_t>(floor.columns) * static_cast<std::size_t>(floor.rows), -1)
{
    for (std::size_t i = 0; i < floor.cells.size(); ++i)
        m_index[static_cast<std::size_t>(floor.cells[i].y() * floor.columns + floor.cells[i].x())] = static_cast<int>(i);
}

int FloorHits::indexAt(TileFloor const &floor, int column, int row) const
{
    if (column < 0 || row < 0 || column >= floor.columns || row >= floor.rows || m_index.empty()) return -1;
    return m_index[static_cast<std::size_t>(row * floor.columns + column)];
}

int FloorHits::tileAt(TileFloor const &floor, FloorGeometry const &geometry, QPoint pixel) const
{
    if (floor.tiles() == 0 || geometry.pitch.isEmpty()) return -1;
    QPoint const inside = pixel - geometry.origin;
    int const panelY = inside.y() + geometry.titleHeight; // the pitch of a panel includes its title
    if (inside.x() < 0 || panelY < 0) return -1;
    int const across = inside.x() / geometry.pitch.width(), down = panelY / geometry.pitch.height();
    int const ipu = down * geometry.across + across;
    if (across >= geometry.across || ipu >= floor.ipus) return -1;
    auto const panel = geometry.panelOf(floor, ipu);
    if (!panel.contains(pixel)) return -1;
    int const index = indexAt(floor, (pixel.x() - panel.x()) / geometry.cell.width(), (pixel.y() - panel.y()) / geometry.cell.height());
    return index < 0 ? -1 : ipu * floor.tilesPerIpu + index;
}

std::vector<int> FloorHits::tilesIn(TileFloor const &floor, FloorGeometry const &geometry, QRect pixels) const
{
    std::vector<int> tiles;
    for (int ipu = 0; ipu < floor.ipus; ++ipu) {
        auto const panel = geometry.panelOf(floor, ipu);
        auto const part = panel.intersected(pixels);
        if (part.isEmpty()) continue;
        int const left = (part.left() - panel.x()) / geometry.cell.width(), right = (part.right() - panel.x()) / geometry.cell.width();
        int const top = (part.top() - panel.y()) / geometry.cell.height(), bottom = (part.bottom() - panel.y()) / geometry.cell.height();
        for (int row = top; row <= bottom; ++row)
            for (int column = left; column <= right; ++column)
                if (int const index = indexAt(floor, column, row); index >= 0) tiles.push_back(ipu * floor.tilesPerIpu + index);
    }
    std::sort(tiles.begin(), tiles.end());
    return tiles;
}

} // namespace tilewright::views
