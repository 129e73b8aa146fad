#pragma once

#include "engine/store/report_reader.h"

#include <memory>
#include <vector>

// Values that the format defines but does not store. They are computed from the packed data on request.
namespace tilewright::store {

/// One value of a per-tile vector with its place. `tile` counts over all IPUs of the vector.
struct TileValue {
    int tile = 0, ipu = 0, index = 0, x = 0, y = 0;
    std::int64_t value = 0;
};
Result<std::vector<TileValue>> tileValues(ReportReader const &reader, int vec);

struct PlacedItem {
    report::LoweredVariable item;
    Bytes gapBefore = 0; ///< unused bytes between the previous item and its offset
};
/// The items on a tile, by offset. Empty if the tile has no layout.
Result<std::vector<PlacedItem>> placedOn(ReportReader const &reader, int tile);

/// Bytes of one variable, or of one category of compiler-made data (variable -1), live at a step.
struct LiveVariable {
    int variable = report::kNone;
    report::MemoryCategory category = report::MemoryCategory::Variable;
    Bytes bytes = 0;
    bool alwaysLive = false;
    int born = report::kNone, dies = report::kNone; ///< interval around the step, half open; -1: always live
    int lastUse = report::kNone;
};
/// Largest first. tile -1: all tiles with a layout.
Result<std::vector<LiveVariable>> liveAt(ReportReader const &reader, int step, int tile);

struct LivePoint {
    int step = 0;
    Bytes alwaysLive = 0, notAlwaysLive = 0;
};
Result<std::vector<LivePoint>> livePoints(ReportReader const &reader, std::string const &scope, int scopeId);

/// One event of a run with its time.
struct TimelineEvent {
    std::int64_t step = 0, start = 0, duration = 0;
    int type = 0;
    std::int64_t argument = 0;
    int vec = report::kNone;
};

/// The events of one lane in one run that touch [from, to), in order of time. The cursor unrolls patterns as it moves: ten thousand equal
/// steps cost nothing until they are visited. Lanes of the host clock hold the recording of pattern 0.
class TimelineCursor {
public:
    static Result<TimelineCursor> open(ReportReader const &reader, int run, int lane, std::int64_t from, std::int64_t to);
    /// Returns false at the end.
    bool next(TimelineEvent &event);

private:
    struct Place {
        report::PatternPlaceRow row;
        std::shared_ptr<report::EventColumns const> events;
        std::int64_t length = 0; ///< end of the last event
    };
    std::vector<Place> m_places;
    std::int64_t m_from = 0, m_to = 0;
    std::size_t m_place = 0, m_event = 0;
    std::int64_t m_repeat = -1;
};

} // namespace tilewright::store
