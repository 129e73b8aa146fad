#pragma once

#include "views/common/theme.h"
#include "views/time/series_lod.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright::views {

/// How events of a type look. Colour is never alone: pattern, half height or hatch go with it.
struct EventStyle {
    QString name;
    Token token = Token::Idle;
    bool thin = false;    ///< lower half of the lane (sync); where it is narrow, a mark at the foot
    bool hatched = false; ///< nothing happens: ground with a faint hatch
};

/// Two values per event, each against a peak of its own: above the middle line and below it.
struct LaneChart {
    LaneSeries up, down;
    double upPeak = 0, downPeak = 0; ///< where the lane ends; 0: the largest there is
    QString peakName;                ///< of both ends, at their height; empty: the chart has no scale
    QString upName, downName, unit;
    Token upToken = Token::InternalExchange, downToken = Token::Stream;
};

struct Lane {
    QString name, tip;
    int parent = -1; ///< lane it is folded under; stands before it
    std::shared_ptr<LaneTimeline const> events;
    std::shared_ptr<LaneTimeline const> marks; ///< stretches with a line on top (critical path); may be null
    std::optional<LaneChart> chart;            ///< drawn instead of boxes
    int height = kCompactRow;
};

/// A moment here leads to a moment there.
struct LaneFlow {
    int fromLane = 0, toLane = 0;
    std::int64_t from = 0, to = 0;
    QString name;
};

/// Everything a LanesWidget shows; a value, replaced as a whole.
struct LaneSet {
    std::vector<Lane> lanes;
    std::vector<EventStyle> styles;                              ///< by event type
    std::function<QString(int lane, std::int64_t event)> label;  ///< empty: the style's name
    std::function<QString(int lane, std::int64_t event)> letter; ///< in boxes too narrow for a label; may be empty
    std::function<QString(int lane, std::int64_t event)> tip;    ///< rich facts of one event
    std::shared_ptr<LaneTimeline const> gridLines;               ///< instants to draw behind (slots, steps); may be null
    std::function<QString(std::int64_t time)> gridLabel;         ///< what begins at such an instant; may be empty
    /// Flows that begin or end in an event; asked for the current one only.
    std::function<std::vector<LaneFlow>(int lane, std::int64_t event)> flows;

    EventStyle const &style(int type) const;
    QString labelOf(int lane, std::int64_t event) const;
    int depth(int lane) const;
    bool hasChildren(int lane) const;
    /// "IPU 0 / stage 1": the whole path, for pinned lanes and tips.
    QString path(int lane) const;
};

/// How many events of the lanes have a type that `flags` marks, and how many there are.
struct EventCount {
    std::int64_t marked = 0, all = 0;
};
EventCount countEvents(LaneSet const &set, std::vector<char> const &flags);
/// How many of the events before `event` have such a type.
std::int64_t countEventsBefore(LaneTimeline const &events, std::vector<char> const &flags, std::int64_t event);

} // namespace tilewright::views
