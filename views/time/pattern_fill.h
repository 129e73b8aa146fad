#pragma once

#include <QBrush>
#include <QImage>

namespace tilewright::views {

/// Fills pixels of an RGB32 image with a brush pattern on a ground, row by row from a drawn sample: brushes of
/// thousands of boxes are dear, and Qt hands them to threads of its own, which a frame then waits for.
void fillPattern(QImage &image, QRect area, QBrush const &pattern, QRgb ground);

} // namespace tilewright::views
