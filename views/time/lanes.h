#pragma once

#include "views/common/theme.h"
#include "views/time/series_lod.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright::views {

/// Appearance of events of a type. Pattern, half height or hatch complement the colour.
struct EventStyle {
    QString name;
    Token token = Token::Idle;
    bool thin = false;    ///< lower half of the lane (sync); a mark at the foot if it is narrow
    bool hatched = false; ///< no activity: ground with a faint hatch
};

/// Two values per event, above and below the middle line, each against its own peak.
struct LaneChart {
    LaneSeries up, down;
    double upPeak = 0, downPeak = 0; ///< value at the border of the lane; 0: the maximum
    QString peakName;                ///< of both borders, at their height; empty: no scale
    QString upName, downName, unit;
    Token upToken = Token::InternalExchange, downToken = Token::Stream;
};

struct Lane {
    QString name, tip;
    int parent = -1; ///< lane under which it is folded; precedes it
    std::shared_ptr<LaneTimeline const> events;
    std::shared_ptr<LaneTimeline const> marks; ///< stretches with a line on top (critical path); may be null
    std::optional<LaneChart> chart;            ///< drawn instead of boxes
    int height = kCompactRow;
};

/// A connection from a moment in one lane to a moment in another.
struct LaneFlow {
    int fromLane = 0, toLane = 0;
    std::int64_t from = 0, to = 0;
    QString name;
};

/// Content of a LanesWidget; a value, replaced as a whole.
struct LaneSet {
    std::vector<Lane> lanes;
    std::vector<EventStyle> styles;                              ///< by event type
    std::function<QString(int lane, std::int64_t event)> label;  ///< empty: the style's name
    std::function<QString(int lane, std::int64_t event)> letter; ///< in boxes too narrow for a label; may be empty
    std::function<QString(int lane, std::int64_t event)> tip;    ///< rich facts of one event
    std::shared_ptr<LaneTimeline const> gridLines;               ///< instants to draw behind (slots, steps); may be null
    std::function<QString(std::int64_t time)> gridLabel;         ///< name of the part that begins at such an instant; may be empty
    /// Flows that begin or end in an event; called for the current event only.
    std::function<std::vector<LaneFlow>(int lane, std::int64_t event)> flows;

    EventStyle const &style(int type) const;
    QString labelOf(int lane, std::int64_t event) const;
    int depth(int lane) const;
    bool hasChildren(int lane) const;
    /// "IPU 0 / stage 1": the whole path, for pinned lanes and tips.
    QString path(int lane) const;
};

/// Number of events with a type marked in `flags`, and total number.
struct EventCount {
    std::int64_t marked = 0, all = 0;
};
EventCount countEvents(LaneSet const &set, std::vector<char> const &flags);
/// Number of events before `event` with such a type.
std::int64_t countEventsBefore(LaneTimeline const &events, std::vector<char> const &flags, std::int64_t event);

} // namespace tilewright::views
