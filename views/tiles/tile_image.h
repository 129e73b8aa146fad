#pragma once

#include "views/tiles/tile_floor.h"
#include "views/tiles/tile_scale.h"

#include <QImage>

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::views {

/// Paints tiles straight into an image: cells by colour of their value, hatched where over the limit, a line in
/// the accent colour around what is marked. 94 208 tiles in a few milliseconds, which a painter cannot do.
/// `marked`: a flag by tile, or empty. Pixels are device pixels.
void paintTiles(QImage &image, TileFloor const &floor, FloorGeometry const &geometry, std::span<std::int64_t const> values,
                TileScale const &scale, Theme const &theme, std::span<char const> marked);

} // namespace tilewright::views
