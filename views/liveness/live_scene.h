#pragma once

#include "views/liveness/live_facts.h"
#include "views/tiles/column_painter.h"

#include <memory>

namespace tilewright::views {

/// Content of the chart of live bytes; made on a worker thread.
struct LivePicture {
    LiveQuestion question;
    std::shared_ptr<ColumnScene const> scene = std::make_shared<ColumnScene const>();
    std::vector<LiveBand> bands;
    std::vector<int> peaks; ///< steps of the scope's local maxima, highest first
    int peakStep = 0;       ///< of the drawn curve
    std::int64_t peak = 0;
    std::int64_t fullPeak = 0; ///< of the report's curve, without exclusions
    Bytes capacity = 0;        ///< of all tiles in the scope; 0 for stages
};
LivePicture livePicture(ReportSnapshot const &report, TileContents const &contents, LiveQuestion const &question, bool cycles);

/// The scene of these steps only, side by side; `steps` ascending.
std::shared_ptr<ColumnScene const> sceneOfSteps(ColumnScene const &all, std::vector<int> const &steps);
/// An axis over all steps on which those have their width in sceneOfSteps(), and the others none.
PositionAxis axisOfSteps(PositionAxis const &all, std::vector<int> const &steps);

/// Local maxima of a curve as defined by the report: the first step of each plateau above its neighbours.
std::vector<int> localMaxima(std::vector<std::int64_t> const &curve, int most);

/// "without 3 variables the peak is 1.80 MiB at step 40, 312 KiB lower"
QString withoutText(LivePicture const &picture);

} // namespace tilewright::views
