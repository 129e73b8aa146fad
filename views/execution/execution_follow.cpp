#include "views/execution/execution_widget.h"

#include "views/common/flow_layout.h"
#include "views/common/format.h"
#include "views/execution/bsp_canvas.h"
#include "views/execution/bsp_source.h"
#include "views/execution/execution_export.h"
#include "views/execution/execution_modes.h"
#include "views/execution/execution_panel.h"
#include "views/execution/execution_selection.h"
#include "views/execution/pipeline_layout.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/time/lanes_widget.h"
#include "views/time/time_pane.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

#include <cmath>
#include <tuple>

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr std::int64_t kMostSearched = 500000; ///< events of a lane: more than a step of any program here

} // namespace

void ExecutionView::pickEvent(int lane, std::int64_t event)
{
    m_event.reset();
    if (lane < 0 || !m_blocks) {
        showFacts();
        if (session().selection().origin() == this) session().selection().clear();
        return;
    }
    if (lane >= static_cast<int>(m_lanes.set.lanes.size())) return pickCompared(lane, event);
    auto const &tables = m_blocks->report->data();
    m_eventLane = m_lanes.set.lanes[at(lane)].events;
    if (m_mode == Pipeline) {
        // Boxes here are tasks, not events: the range says what happened in one.
        TimeSpan const span = m_eventLane->span(event);
        m_panel->showFacts(rangeFacts(m_blocks, m_run, span));
        auto const *row = reportLane(lane) >= 0 ? &tables.lanes[at(reportLane(lane))] : nullptr;
        if (row && row->ipu >= 0) session().selection().selectIds(SelectionKind::Ipu, {row->ipu}, this);
        return;
    }
    m_event = {reportLane(lane), event};
    showFacts();
    auto const moment = momentOf(event);
    if (auto selected = eventSelection(*m_blocks, m_eventLane->type(event)); selected.kind != SelectionKind::None) {
        selected.at = moment;
        session().selection().select(selected, this);
    } else if (moment.isSet()) {
        session().playhead().moveTo(moment);
    }
}

/// Of an event of m_eventLane: its begin, which the host's axis cannot tell.
Moment ExecutionView::momentOf(std::int64_t event) const
{
    if (m_hostTime) return {};
    auto moment = momentAt(*m_blocks, m_run, m_eventLane->span(event).begin);
    auto const &types = m_blocks->report->data().eventTypes;
    int const type = m_eventLane->type(event);
    if (type >= 0 && type < static_cast<int>(types.size()) && types[at(type)].program >= 0) moment.program = types[at(type)].program;
    return moment;
}

void ExecutionView::pickTile(int tile) { session().selection().selectIds(SelectionKind::Tile, {tile}, this); }

void ExecutionView::offerRange()
{
    auto const range = m_pane->window().selection();
    if (!range && session().selection().origin() == this && session().selection().current().kind == SelectionKind::TimeRange)
        session().selection().clear();
    if (!m_blocks || !range || m_hostTime) return;
    session().selection().select(rangeSelection(m_run, *range), this);
}

void ExecutionView::startSearch()
{
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

std::vector<char> ExecutionView::foundTypes() const
{
    QString const wanted = m_find->text().trimmed();
    if (wanted.isEmpty() || !m_blocks) return {};
    std::vector<char> flags;
    for (auto const &style : m_mode == Bsp ? m_blocks->styles : m_lanes.set.styles)
        flags.push_back(style.name.contains(wanted, Qt::CaseInsensitive));
    return flags;
}

std::vector<LaneTimeline const *> ExecutionView::searched() const
{
    if (m_mode == Bsp) return {m_bsp.events.get()};
    std::vector<LaneTimeline const *> lanes;
    for (auto const &lane : m_lanes.set.lanes) lanes.push_back(lane.events.get());
    return lanes;
}

void ExecutionView::goToNextFound()
{
    auto const flags = foundTypes();
    if (std::ranges::none_of(flags, [](char flag) { return flag != 0; })) return;
    auto &window = m_pane->window();
    auto const lanes = searched();
    // Matches go by time; of those that begin together, by lane.
    using Key = std::tuple<std::int64_t, int, std::int64_t>; // begin, lane, event
    auto const marked = window.selection();
    Key from(marked ? marked->begin + 1 : window.visible().begin, -1, -1);
    if (foundNumber(flags) > 0) from = {marked->begin, m_found->first, m_found->second};
    std::optional<Key> next;
    for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane) {
        auto const *events = lanes[at(lane)];
        if (!events) continue;
        // Of a run's like steps the next one has all that there is; from the last the search goes on at the beginning.
        for (bool const again : {false, true}) {
            std::int64_t const start = again ? 0 : events->lowerBound(std::get<0>(from));
            std::optional<Key> found;
            for (std::int64_t event = start; event < std::min(events->size(), start + kMostSearched) && !found; ++event) {
                if (int const type = events->type(event); type < 0 || type >= static_cast<int>(flags.size()) || !flags[at(type)]) continue;
                Key const here(events->span(event).begin, lane, event);
                if (again || here > from) found = here;
            }
            if (!found) continue;
            bool const ahead = *found > from, before = next && *next > from;
            if (!next || (ahead && !before) || (ahead == before && *found < *next)) next = found;
            break;
        }
    }
    if (!next) return;
    m_found = {std::get<1>(*next), std::get<2>(*next)};
    TimeSpan const span = lanes[at(m_found->first)]->span(m_found->second);
    if (span.begin < window.visible().begin || span.end > window.visible().end) {
        std::int64_t const around = std::max<std::int64_t>(window.visible().length() / 2, span.length());
        window.show({span.begin - around, span.end + around});
    }
    window.setSelection(span);
    follow();
}

std::int64_t ExecutionView::foundNumber(std::vector<char> const &flags) const
{
    auto const lanes = searched();
    if (!m_found || m_found->first >= static_cast<int>(lanes.size())) return 0;
    auto const *own = lanes[at(m_found->first)];
    if (!own || m_found->second >= own->size() || m_pane->window().selection() != own->span(m_found->second)) return 0;
    if (int const type = own->type(m_found->second); type < 0 || type >= static_cast<int>(flags.size()) || !flags[at(type)]) return 0;
    std::int64_t const begin = own->span(m_found->second).begin;
    std::int64_t number = 1;
    for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane) {
        auto const *events = lanes[at(lane)];
        if (!events) continue;
        number += countEventsBefore(
            *events, flags, lane == m_found->first ? m_found->second : events->lowerBound(lane < m_found->first ? begin + 1 : begin));
    }
    return number;
}

void ExecutionView::follow()
{
    if (!m_blocks) return;
    if (auto const found = foundTypes(); !found.empty()) {
        m_widget->setHighlight(shownFlags(found));
        m_canvas->setHighlightTypes(found);
        m_canvas->setHighlightTiles({});
        EventCount count = countEvents(m_lanes.set, found);
        if (m_mode == Bsp && m_bsp.events) count = {countEventsBefore(*m_bsp.events, found, m_bsp.events->size()), m_bsp.events->size()};
        QString text = tr("nothing here has “%1” in its name").arg(m_find->text().trimmed());
        if (std::ranges::any_of(found, [](char flag) { return flag != 0; })) {
            text =
                tr("%1 of %2 events have “%3” in their name").arg(countText(count.marked), countText(count.all), m_find->text().trimmed());
            if (std::int64_t const number = foundNumber(found); number > 0)
                text = tr("match %1 of %2").arg(countText(number), countText(count.marked)) + QStringLiteral(" · ") + text;
        }
        setNote(text);
        return;
    }
    auto const &selected = session().selection().current();
    auto const &lineage = session().selection().lineage();
    if (selected.kind == SelectionKind::None || lineage.empty()) {
        m_widget->setHighlight({});
        m_canvas->setHighlightTiles({});
        m_canvas->setHighlightTypes({});
        setNote(legend());
        return;
    }
    bool const range = selected.kind == SelectionKind::TimeRange;
    if (range && session().selection().origin() != this && !m_hostTime && selected.end > selected.begin) {
        std::int64_t const base = m_run.places.empty() ? 0 : m_run.places.front().startCycle;
        m_quiet = true;
        m_pane->window().setSelection(TimeSpan{base + selected.begin, base + selected.end});
        m_quiet = false;
        showFacts();
    }
    std::vector<char> flags;
    if (!range && m_mode != Pipeline && m_mode != Host) { flags = highlightedTypes(lineage, *m_blocks); }
    m_widget->setHighlight(shownFlags(flags));
    m_canvas->setHighlightTypes(flags);
    std::vector<int> tiles;
    for (int tile = 0; tile < static_cast<int>(lineage.tiles.size()); ++tile)
        if (lineage.tiles[at(tile)]) tiles.push_back(tile);
    bool const fewTiles = tiles.size() < lineage.tiles.size();
    m_canvas->setHighlightTiles(fewTiles ? tiles : std::vector<int>());
    if (m_mode == Bsp) {
        setNote(fewTiles && !tiles.empty() ? tr("%1 of %2 tiles")
                                                 .arg(countText(static_cast<std::int64_t>(tiles.size())),
                                                      countText(static_cast<std::int64_t>(lineage.tiles.size())))
                                           : legend());
    } else if (range || m_mode == Pipeline || m_mode == Host) {
        setNote(legend());
    } else if (flags.empty()) {
        setNote(tr("no events belong to the selection"));
    } else {
        auto const count = countEvents(m_lanes.set, flags);
        setNote(tr("%1 of %2 events belong to %3").arg(countText(count.marked), countText(count.all), session().selection().text()));
    }
}

std::int64_t ExecutionView::cyclesDone() const
{
    auto const &report = *m_blocks->report;
    // The static schedule is the same step after step, so what has been emulated is that many copies of it.
    std::int64_t const steps = std::llround(session().runs().live().emulatedSeconds * static_cast<double>(report.data().target.clockHz));
    int const stands = session().playhead().standing();
    bool const same = stands >= 0 && session().report()->path() == report.path();
    return !same ? steps : endOfStep(*m_blocks, m_run, stands, steps).value_or(steps);
}

std::optional<std::int64_t> ExecutionView::playheadTime() const
{
    if (!m_blocks || m_mode == Host) return std::nullopt; // the host's axis has no place for cycles of the device
    if (m_run.live && session().playhead().isFollowing()) return std::min(cyclesDone(), m_run.extent.end);
    return timeOf(*m_blocks, m_run, session().playhead().moment());
}

void ExecutionView::showPlayhead() { m_pane->window().setPlayhead(playheadTime()); }

void ExecutionView::showMoment()
{
    if (session().playhead().standing() >= 0) advance(); // within a step
    auto &window = m_pane->window();
    auto const time = playheadTime();
    window.setPlayhead(time);
    // Picked in another view: bring it into sight.
    if (!time || session().playhead().isFollowing() || session().selection().origin() == this) return;
    auto const shown = window.visible();
    if (*time >= shown.begin && *time <= shown.end) return;
    window.show({*time - shown.length() / 2, *time - shown.length() / 2 + shown.length()});
}

QString ExecutionView::momentMissing() const
{
    QString const step = session().playhead().programName();
    if (!m_blocks || step.isEmpty() || playheadTime()) return {};
    return m_mode == Host ? tr("The time of the host has no place for %1, which is measured in cycles of the device.").arg(step)
                          : tr("%1 does not run in this schedule, so there is no playhead.").arg(step);
}

void ExecutionView::showHostExtent(ExecutionLanes const &host, bool all)
{
    TimeSpan extent{0, 1};
    for (auto const &lane : host.overview) extent.end = std::max(extent.end, lane->extent().end);
    m_pane->window().setExtent(extent, all);
}

/// Of the run that goes on: the schedule is what it was, the host has done more.
void ExecutionView::takeGrown(Blocks const &blocks)
{
    bool const sameTypes = m_blocks->unnamed() == blocks->unnamed();
    m_blocks = blocks;
    fillRuns(true);
    if (!m_run.live) {
        TimeUnit const unit = m_run.scale.unit;
        m_run = placesOf(*m_blocks->report, m_runs->currentData().toInt());
        m_run.scale.unit = unit;
    }
    auto &window = m_pane->window();
    if (m_mode == Host) {
        auto host = hostLanes(m_blocks);
        showHostExtent(host, window.visible() == window.extent());
        m_event.reset();
        showLanes(std::move(host));
        m_keys->setKeys(styleKeys(m_lanes.set));
        showKeys();
        m_panel->showRun(m_blocks, m_run, m_pairs.pairs, m_pairs.rest);
        showFacts();
    } else {
        if (!sameTypes) showMode(); // bars of the flame have other numbers
        if (!m_run.live) {          // of another process: its axis grows here, that of this window's run in advance()
            placeCompared();
            window.setExtent(shownExtent(), false);
            growLanes();
        }
    }
    updateHeadline();
}

void ExecutionView::advance()
{
    if (!m_blocks || m_blocks->report->data().patterns.empty()) return;
    bool const active = session().runs().isActive();
    int const entry = m_runs->findData(kLiveRun);
    if (active && entry < 0) {
        fillRuns(false);
        showRun(m_runs->currentData().toInt(), false);
    }
    if (!active) {
        m_pane->window().setFollowing(false);
        return;
    }
    if (!m_run.live) return;
    std::int64_t const cycles = cyclesDone();
    auto const before = m_run.places.empty() ? 0 : m_run.places.front().repeats;
    RunPlaces next = livePlaces(*m_blocks->report, cycles);
    next.scale.unit = m_run.scale.unit;
    bool const grown = !next.places.empty() && next.places.front().repeats != before;
    m_run = std::move(next);
    placeCompared();
    if (m_hostTime) return;
    m_pane->window().setExtent(shownExtent(), false);
    showPlayhead();
    if (grown) growLanes();
    updateHeadline();
}

/// The run has done more: lanes are as long as the axis. A picked event keeps its place, for new ones are appended.
void ExecutionView::growLanes()
{
    auto const kept = m_pane->window().selection();
    auto const event = m_event;
    auto const picked = m_widget->current();
    if (m_mode == Bsp && m_bsp.events) {
        m_bsp.events = placed(m_blocks->lanes, m_bspLane, m_run);
        m_canvas->setTimeline(m_bsp);
        m_canvas->setSteps(stepStarts(m_run), [run = m_run](std::int64_t time) { return stepName(run, time); });
        m_pane->overview().setLanes({m_bsp.events});
        if (event) m_eventLane = m_bsp.events;
    } else if (m_mode != Bsp) {
        showMode();
        bool const isThere = picked.lane >= 0 && picked.lane < static_cast<int>(m_shown.lanes.size())
            && m_shown.lanes[at(picked.lane)].events && picked.event < m_shown.lanes[at(picked.lane)].events->size();
        if (isThere) m_widget->setCurrent(picked, false);
        for (std::size_t lane = 0; event && lane < m_lanes.set.lanes.size(); ++lane)
            if (reportLane(static_cast<int>(lane)) == event->first && m_lanes.set.lanes[lane].events) {
                m_event = event;
                m_eventLane = m_lanes.set.lanes[lane].events;
                showFacts();
                break;
            }
    }
    m_pane->window().setSelection(kept);
}

} // namespace tilewright::views
