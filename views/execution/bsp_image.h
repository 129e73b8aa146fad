#pragma once

#include "engine/core/parallel.h"
#include "views/execution/bsp_lod.h"

#include <QImage>

namespace tilewright::views {

/// Rows of tiles in a picture: the top row and the number of rows per pixel.
struct RowWindow {
    double top = 0, perPixel = 1;
    bool operator==(RowWindow const &) const = default;
};

/// Each pixel mixes the activities of its tiles in its time: compute, exchange, streams, sync; waiting and idle show the ground. Works for
/// any number of tiles and phases, because it uses sums only. Reuses `image` if it fits.
void paintBsp(BspTimeline const &bsp, ColumnGrid const &grid, RowWindow const &rows, int height, ThreadPool &pool, QImage &image);

} // namespace tilewright::views
