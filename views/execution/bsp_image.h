#pragma once

#include "engine/core/parallel.h"
#include "views/execution/bsp_lod.h"

#include <QImage>

namespace tilewright::views {

/// Rows of tiles in a picture: which row is at the top and how many rows make a pixel.
struct RowWindow {
    double top = 0, perPixel = 1;
    bool operator==(RowWindow const &) const = default;
};

/// Every pixel is the mix of what its tiles do in its time: compute, exchange, streams, sync; waiting and idle are
/// the ground. Works on any number of tiles and phases, as it asks for sums only. `image` is reused when it fits.
void paintBsp(BspTimeline const &bsp, ColumnGrid const &grid, RowWindow const &rows, int height, ThreadPool &pool, QImage &image);

} // namespace tilewright::views
