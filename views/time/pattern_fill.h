#pragma once

#include <QBrush>
#include <QImage>

namespace tilewright::views {

/// Fills pixels of an RGB32 image with a brush pattern on a ground, row by row from a drawn sample. Filling thousands of boxes with brushes
/// is slow, and Qt uses threads for it, for which a frame would wait.
void fillPattern(QImage &image, QRect area, QBrush const &pattern, QRgb ground);

} // namespace tilewright::views
