#include "views/execution/execution_compare.h"

#include "engine/report/match.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

} // namespace

Result<Compared> buildCompared(ReportPtr const &report, QString const &name, Blocks const &beside, JobContext const &job)
{
    auto compared = std::make_shared<ComparedStep>();
    auto const &data = report->data();
    compared->report = report;
    compared->name = name;
    compared->frame = runFrame(data);
    compared->firstType = static_cast<int>(beside->styles.size());
    auto looks = eventLooks(data);
    compared->styles = std::move(looks.styles);
    auto phases = beside->phases;
    phases.insert(phases.end(), looks.phases.begin(), looks.phases.end());
    for (int pattern = 0; pattern < static_cast<int>(data.patterns.size()); ++pattern)
        for (int const lane : ipuLanes(data)) {
            if (job.cancelled()) return cancelledError(report->path().toStdString());
            auto const kept = report->events(pattern, lane);
            auto const &events = *kept;
            OwnedEvents columns;
            for (std::size_t e = 0; e < events.size(); ++e)
                if (events.type[e] >= 0 && events.type[e] < static_cast<std::int64_t>(compared->styles.size()))
                    columns.add(events.start[e], events.duration[e], compared->firstType + events.type[e]);
            if (!columns.start.empty()) compared->lanes[{pattern, lane}] = OwnedEvents::block(std::move(columns), phases);
        }
    return Compared(compared);
}

RunPlaces comparedPlaces(ComparedStep const &compared, RunPlaces const &beside)
{
    auto const &data = compared.report->data();
    int const run = compared.frame.run;
    auto places = placesOf(*compared.report, run);
    places.scale.unit = beside.scale.unit;
    bool const isSchedule = run < 0 || data.runs[at(run)].kind == "profile";
    // A running run has no end yet.
    if ((!isSchedule && !beside.live) || places.places.size() != 1) return places;
    auto &place = places.places.front();
    place.repeats = std::max<std::int64_t>(1, (beside.extent.end + place.period - 1) / std::max<std::int64_t>(1, place.period));
    places.extent = {0, place.period * place.repeats};
    return places;
}

int addComparedLanes(LaneSet &set, ComparedStep const &compared, RunPlaces const &places)
{
    int const first = static_cast<int>(set.lanes.size());
    auto const &data = compared.report->data();
    set.styles.resize(at(compared.firstType));
    set.styles.insert(set.styles.end(), compared.styles.begin(), compared.styles.end());
    for (int const row : ipuLanes(data)) {
        Lane lane;
        lane.events = placed(compared.lanes, row, places);
        if (!lane.events) continue;
        lane.name = Words::tr("%1, %2").arg(laneName(data.lanes[at(row)]), compared.name);
        lane.tip = Words::tr("What %1 does in the same cycles").arg(compared.name);
        lane.height = kRowHeight + kGap;
        set.lanes.push_back(std::move(lane));
    }
    // Flows belong to the shown report.
    if (set.flows)
        set.flows = [flows = set.flows, first](int lane, std::int64_t event) {
            return lane < first ? flows(lane, event) : std::vector<LaneFlow>();
        };
    return first;
}

QString comparedTip(ComparedStep const &compared, RunPlaces const &places, LaneTimeline const &events, std::int64_t event)
{
    return QStringList{compared.style(events.type(event)).name,
                       Words::tr("%1, %2").arg(phaseName(events.phase(event)), durationText(events.span(event).length(), places.scale)),
                       Words::tr("in %1").arg(compared.name)}
        .join(QLatin1Char('\n'));
}

Facts comparedFacts(ComparedStep const &compared, RunPlaces const &places, LaneTimeline const &events, std::int64_t event)
{
    Facts facts;
    TimeSpan const span = events.span(event);
    facts.title = Words::tr("%1, in %2").arg(compared.style(events.type(event)).name, compared.name);
    facts.busy[static_cast<std::size_t>(events.phase(event))] = span.length();
    facts.ticks = span.length();
    facts.rows = {{Words::tr("Time"), durationText(span.length(), places.scale)},
                  {Words::tr("Begins"), timeText(span.begin, places.scale)}};
    return facts;
}

PhaseCycles phasesOfStep(report::ReportData const &data, RunFrame const &frame)
{
    PhaseCycles phases{};
    if (frame.run < 0 || frame.steps <= 0 || frame.ipus.empty()) return phases;
    auto const split = splitOf(data, frame.run);
    for (std::size_t p = 0; p < phases.size(); ++p)
        phases[p] = static_cast<double>(split[p]) / static_cast<double>(frame.steps) / static_cast<double>(frame.ipus.size());
    return phases;
}

PhaseComparison comparePhases(ReportSnapshot const &now, int run, ComparedStep const &before)
{
    PhaseComparison comparison;
    auto const frame = runFrame(now.data(), run);
    comparison.known = frame.run >= 0 && before.frame.run >= 0;
    comparison.now = phasesOfStep(now.data(), frame);
    comparison.before = phasesOfStep(before.report->data(), before.frame);
    comparison.step = frame.cyclesOfStep();
    comparison.stepBefore = before.frame.cyclesOfStep();
    comparison.fair = report::sameSamples(before.report->data(), now.data());
    comparison.name = before.name;
    comparison.measured = frame.measured;
    return comparison;
}

std::vector<int> phaseRows(PhaseComparison const &comparison)
{
    std::vector<int> rows;
    if (!comparison.known) return rows;
    for (int p = 0; p < kPhases; ++p)
        if (comparison.now[at(p)] > 0 || comparison.before[at(p)] > 0) rows.push_back(p);
    rows.push_back(kPhases);
    return rows;
}

std::vector<Column> phaseColumns(std::shared_ptr<PhaseComparison const> comparison, std::vector<int> const &rows)
{
    auto const *c = comparison.get(); // kept alive by the table
    auto const amount = [c, rows](int row) {
        int const phase = rows[at(row)];
        return phase == kPhases ? ComparedAmount{c->stepBefore, c->step, c->fair}
                                : ComparedAmount{c->before[at(phase)], c->now[at(phase)], c->fair};
    };
    auto const shares = [c, amount](bool before) {
        return [c, amount, before](int row) {
            return before ? share(amount(row).before.value_or(0), c->stepBefore) : share(amount(row).now.value_or(0), c->step);
        };
    };
    auto const shareColumn = [](QString title, std::function<double(int)> value) {
        return Column{std::move(title),
                      [value](int row) { return shareText(value(row)); },
                      [value](int row) { return QVariant(value(row)); },
                      {},
                      value,
                      true,
                      {},
                      kGrid * 20};
    };
    std::vector<Column> columns;
    columns.push_back(Column{
        Words::tr("Phase"),
        [rows](int row) { return rows[at(row)] == kPhases ? Words::tr("the whole step") : phaseLabel(static_cast<Phase>(rows[at(row)])); },
        {},
        {},
        {},
        false,
        [rows](int row) -> QVariant {
            return rows[at(row)] == kPhases ? QVariant() : QVariant(theme()[phaseToken(static_cast<Phase>(rows[at(row)]))]);
        },
        kGrid * 44});
    columns.push_back(Column{Words::tr("Cycles of a step (%1)").arg(cyclesOrigin(c->measured)),
                             [amount](int row) { return countText(std::llround(amount(row).now.value_or(0))); },
                             [amount](int row) { return QVariant::fromValue<qlonglong>(std::llround(amount(row).now.value_or(0))); },
                             {},
                             {},
                             true,
                             {},
                             kGrid * 26});
    columns.back().shortTitle = Words::tr("Cycles of a step");
    for (auto &column : comparedColumns(Words::tr("Cycles of a step"), c->name, AmountUnit::Cycles, amount))
        columns.push_back(std::move(column));
    columns.push_back(shareColumn(Words::tr("Share"), shares(false)));
    columns.push_back(shareColumn(Words::tr("Share, %1").arg(c->name), shares(true)));
    columns.back().shortTitle = Words::tr("Baseline share");
    return columns;
}

} // namespace tilewright::views
