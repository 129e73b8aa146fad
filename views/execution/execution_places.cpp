// Where the patterns of a run lie in time, and the moments of a run in them.
#include "views/execution/execution_data.h"

#include <algorithm>
#include <limits>

namespace tilewright::views {

std::int64_t RunPlaces::inPattern(std::int64_t time) const
{
    for (auto const &place : places) {
        std::int64_t const period = std::max<std::int64_t>(1, place.period);
        if (time < place.startCycle || time > place.startCycle + period * place.repeats) continue;
        return std::min((time - place.startCycle) % period, period);
    }
    return time;
}

RunPlaces placesOf(ReportSnapshot const &report, int run)
{
    auto const &data = report.data();
    RunPlaces places;
    places.run = run;
    for (auto const &place : data.patternPlaces)
        if (place.run == run && place.pattern >= 0 && place.pattern < static_cast<int>(data.patterns.size()))
            places.places.push_back(place);
    // A run that has not finished a step yet, or a report without runs: the schedule itself, once.
    if (places.places.empty() && !data.patterns.empty()) places.places.push_back({run, 0, 0, 0, 1, data.patterns.front().cycles, 0});
    std::ranges::sort(places.places, {}, &report::PatternPlaceRow::startCycle);
    std::int64_t end = 0;
    for (auto &place : places.places) {
        if (place.period <= 0) place.period = std::max<std::int64_t>(1, data.patterns[at(place.pattern)].cycles);
        end = std::max(end, place.startCycle + place.period * place.repeats);
        places.exact = places.exact && data.patterns[at(place.pattern)].exact;
    }
    places.extent = {0, std::max<std::int64_t>(1, end)};
    places.scale.ticksPerSecond = data.target.clockHz;
    if (run >= 0 && run < static_cast<int>(data.runs.size()) && data.runs[at(run)].steps > 0) {
        places.scale.ticksPerStep = std::max<std::int64_t>(1, data.runs[at(run)].cycles / data.runs[at(run)].steps);
        if (!places.places.empty()) places.scale.firstStep = places.places.front().firstStep;
    }
    return places;
}

RunPlaces livePlaces(ReportSnapshot const &report, std::int64_t cyclesDone)
{
    auto const &data = report.data();
    RunPlaces places = placesOf(report, report::kNone);
    places.live = true;
    if (places.places.empty()) return places;
    auto &place = places.places.front();
    places.places.resize(1);
    place.repeats = std::max<std::int64_t>(1, (cyclesDone + place.period - 1) / place.period);
    places.extent = {0, place.period * place.repeats};
    for (auto const &run : data.runs)
        if (run.steps > 0) places.scale.ticksPerStep = std::max<std::int64_t>(1, run.cycles / run.steps);
    return places;
}

std::optional<std::int64_t> endOfStep(ExecutionBlocks const &blocks, RunPlaces const &run, int program, std::int64_t time)
{
    if (run.places.empty()) return std::nullopt;
    auto const &types = blocks.report->data().eventTypes;
    std::int64_t const inside = run.inPattern(time);
    std::optional<std::int64_t> first;
    for (auto const &[key, lane] : blocks.lanes) {
        if (key.first != run.places.front().pattern) continue;
        for (std::int64_t event = 0; event < lane->size(); ++event) {
            auto const type = static_cast<std::size_t>(lane->type(event));
            if (type >= types.size() || types[type].program != program || lane->end(event) <= inside) continue;
            std::int64_t const end = time - inside + lane->end(event);
            if (!first || end < *first) first = end;
            break; // events of a lane are in order of time
        }
    }
    return first;
}

Moment momentAt(ExecutionBlocks const &blocks, RunPlaces const &run, std::int64_t time)
{
    Moment moment;
    moment.run = run.live ? kLiveRun : run.run;
    moment.cycle = run.inPattern(time);
    std::int64_t before = 0;
    int pattern = report::kNone;
    for (auto const &place : run.places) {
        std::int64_t const inside = (time - place.startCycle) / std::max<std::int64_t>(1, place.period);
        if (time >= place.startCycle) {
            moment.step = before + std::min(inside, place.repeats - 1);
            pattern = place.pattern;
        }
        before += place.repeats;
    }
    auto const &types = blocks.report->data().eventTypes;
    for (auto const &[key, lane] : blocks.lanes) {
        if (key.first != pattern) continue;
        std::int64_t const event = lane->lowerBound(moment.cycle + 1) - 1; // the last that has begun
        if (event < 0 || lane->end(event) <= moment.cycle) continue;
        auto const type = static_cast<std::size_t>(lane->type(event));
        if (moment.program < 0 && type < types.size()) moment.program = types[type].program;
    }
    return moment;
}

std::optional<std::int64_t> timeOf(ExecutionBlocks const &blocks, RunPlaces const &run, Moment const &moment)
{
    if (run.places.empty() || (moment.cycle < 0 && moment.program < 0)) return std::nullopt;
    bool const sameRun = moment.run == (run.live ? kLiveRun : run.run);
    std::int64_t update = sameRun ? std::max<std::int64_t>(0, moment.step) : 0;
    auto place = run.places.begin();
    for (; place + 1 != run.places.end() && update >= place->repeats; ++place) update -= place->repeats;
    std::int64_t const start = place->startCycle + std::min(update, place->repeats - 1) * place->period;
    if (moment.cycle >= 0) return start + std::min(moment.cycle, place->period);
    auto const &types = blocks.report->data().eventTypes;
    std::optional<std::int64_t> first;
    for (auto const &[key, lane] : blocks.lanes) {
        if (key.first != place->pattern) continue;
        for (std::int64_t event = 0; event < lane->size(); ++event) {
            auto const type = static_cast<std::size_t>(lane->type(event));
            if (type >= types.size() || types[type].program != moment.program) continue;
            std::int64_t const begin = start + lane->start(event);
            if (!first || begin < *first) first = begin;
            break; // events of a lane are in order of time
        }
    }
    return first;
}

} // namespace tilewright::views
