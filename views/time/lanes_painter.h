#pragma once

#include "views/common/label_texts.h"
#include "views/time/lanes.h"

#include <QImage>

#include <algorithm>
#include <vector>

class QPainter;

// Bands: one lane drawn into an image. Boxes go straight into scan lines, as a hundred thousand rectangles through
// QPainter would take a whole frame by themselves.
namespace tilewright::views {

/// At most this many labels in a frame; boxes narrower than kLabelWidth have the one letter that the set gives them, if any.
inline constexpr int kLabelsPerFrame = 600;
inline constexpr int kLabelWidth = 24;
/// Narrower thin boxes (sync) are no notches, which make a row of them mud: what stands beside them goes on above, and they are
/// a mark at the foot of the lane.
inline constexpr int kNotchWidth = 6;
/// Height of such a mark in a lane of that height.
inline int notchFoot(int laneHeight) { return std::clamp(laneHeight / 4, 3, 3 * kGrid); }

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
void paintBand(LaneSet const &set, int lane, ColumnGrid const &grid, std::vector<LaneBox> const &boxes, BandSettings const &settings,
               QImage &image);
/// Minimum, mean and maximum by column above and below a middle line, peak lines included.
void paintChartBand(Lane const &lane, ColumnGrid const &grid, BandSettings const &settings, QImage &image);

/// Lines where something begins, from top to bottom of `area`.
void paintStarts(QPainter &painter, std::vector<LaneBox> const &starts, QRect const &area);
/// Their names in the lower `strip` of what they stand under, where there is room for them.
void paintStartNames(QPainter &painter, LaneTimeline const &starts, std::vector<LaneBox> const &boxes,
                     std::function<QString(std::int64_t time)> const &name, QRect const &strip, LabelTexts &texts);
/// What of `starts` is drawn at `grid`: nothing where they are so close that they only grey the picture.
std::vector<LaneBox> shownStarts(LaneTimeline const &starts, ColumnGrid const &grid);
/// Those of them that no box goes over: at its edges, on the ground and on hatched ground.
std::vector<LaneBox> startsBehind(std::vector<LaneBox> const &starts, LaneSet const &set, std::vector<LaneBox> const &boxes);
/// Room for their names under the lanes.
int startNamesHeight(LabelTexts const &texts);

/// `a` with `share` (0 … 1) of `b`.
QColor mixed(QColor const &a, QColor const &b, double share);

} // namespace tilewright::views
