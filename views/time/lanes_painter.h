#pragma once

#include "views/common/label_texts.h"
#include "views/time/lanes.h"

#include <QImage>

#include <vector>

class QPainter;

// Bands: one lane drawn into an image. Boxes go straight into scan lines, as a hundred thousand rectangles through
// QPainter would take a whole frame by themselves.
namespace tilewright::views {

/// At most this many labels in a frame; none on boxes narrower than kLabelWidth.
inline constexpr int kLabelsPerFrame = 600;
inline constexpr int kLabelWidth = 24;

/// What a band is drawn with, besides its lane.
struct BandSettings {
    int height = 0;
    double scale = 1;                          ///< device pixels per pixel
    std::vector<QRgb> const *colors = nullptr; ///< by event type, see bandColors()
    int labels = 0;                            ///< at most
    LabelTexts *texts = nullptr;               ///< of labels; null: none
};

/// Colours by event type. With a highlight the others fade.
std::vector<QRgb> bandColors(LaneSet const &set, std::vector<char> const &highlight);

/// `image` is reused when it fits.
void paintBand(LaneSet const &set, int lane, ColumnGrid const &grid, std::vector<LaneBox> const &boxes, BandSettings const &settings, QImage &image);
/// Minimum, mean and maximum by column above and below a middle line, peak lines included.
void paintChartBand(Lane const &lane, ColumnGrid const &grid, BandSettings const &settings, QImage &image);

/// Lines where something begins, with names at their feet where there is room for them.
void paintStarts(QPainter &painter, LaneTimeline const &starts, std::function<QString(std::int64_t time)> const &name, ColumnGrid const &grid, QRect const &area, LabelTexts &texts);

/// `a` with `share` (0 … 1) of `b`.
QColor mixed(QColor const &a, QColor const &b, double share);

} // namespace tilewright::views
