#pragma once

#include "views/common/label_texts.h"
#include "views/time/lanes.h"

#include <QImage>

#include <algorithm>
#include <vector>

class QPainter;

// Draws one lane into an image (a band). Boxes are written directly into scan lines: a hundred thousand rectangles through QPainter would
// take a whole frame.
namespace tilewright::views {

/// Maximum number of labels in a frame. Boxes narrower than kLabelWidth have at most one letter, from the set.
inline constexpr int kLabelsPerFrame = 600;
inline constexpr int kLabelWidth = 24;
/// Narrower thin boxes (sync) are drawn as marks at the foot of the lane, because notches would obscure the lane.
inline constexpr int kNotchWidth = 6;
/// Height of such a mark in a lane of that height.
inline int notchFoot(int laneHeight) { return std::clamp(laneHeight / 4, 3, 3 * kGrid); }

/// Settings for drawing a band, besides its lane.
struct BandSettings {
    int height = 0;
    double scale = 1;                          ///< device pixels per pixel
    std::vector<QRgb> const *colors = nullptr; ///< by event type, see bandColors()
    int labels = 0;                            ///< at most
    LabelTexts *texts = nullptr;               ///< of labels; null: none
};

/// Colours by event type. With a highlight the others fade.
std::vector<QRgb> bandColors(LaneSet const &set, std::vector<char> const &highlight);

/// Reuses `image` if it fits.
void paintBand(LaneSet const &set, int lane, ColumnGrid const &grid, std::vector<LaneBox> const &boxes, BandSettings const &settings,
               QImage &image);
/// Minimum, mean and maximum by column above and below a middle line, peak lines included.
void paintChartBand(Lane const &lane, ColumnGrid const &grid, BandSettings const &settings, QImage &image);

/// Vertical lines over `area` where something begins.
void paintStarts(QPainter &painter, std::vector<LaneBox> const &starts, QRect const &area);
/// Their names in the lower `strip`, if there is space.
void paintStartNames(QPainter &painter, LaneTimeline const &starts, std::vector<LaneBox> const &boxes,
                     std::function<QString(std::int64_t time)> const &name, QRect const &strip, LabelTexts &texts);
/// The visible part of `starts` at `grid`: empty if they are so close that they would only grey the picture.
std::vector<LaneBox> shownStarts(LaneTimeline const &starts, ColumnGrid const &grid);
/// The starts that no box covers: at edges of boxes, on the ground and on hatched ground.
std::vector<LaneBox> startsBehind(std::vector<LaneBox> const &starts, LaneSet const &set, std::vector<LaneBox> const &boxes);
/// Height of the names below the lanes.
int startNamesHeight(LabelTexts const &texts);

/// `a` with `share` (0 … 1) of `b`.
QColor mixed(QColor const &a, QColor const &b, double share);

} // namespace tilewright::views
