// Exchange rates of each IPU over time, in and out, with the links and streams below.
#include "views/execution/execution_data.h"

#include "engine/report/quantities.h"
#include "views/common/format.h"
#include "views/common/words.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tilewright::views {

namespace {

/// A round end of a scale that contains `most`: 80 % for 69 %.
double scaleEnd(double most)
{
    if (most <= 0) return 1;
    double const step = 2 * std::pow(10.0, std::floor(std::log10(most) + 1e-9));
    double const whole = std::ceil(most / step - 1e-9) * step;
    return most <= step / 2 * (1 + 1e-9) ? step / 2 : whole;
}

} // namespace

ExecutionLanes exchangeLanes(Blocks const &blocks, RunPlaces const &run)
{
    auto const &data = blocks->report->data();
    ExecutionLanes lanes;
    lanes.set.styles = blocks->styles;
    auto const peak = report::exchangePeak(data.target);
    bool const known = peak.in > 0 && peak.out > 0;
    double const fullIn = known ? peak.in : 1, fullOut = known ? peak.out : 1; // value 1 in the chart
    double most = 0;
    for (int const row : ipuLanes(data)) {
        auto const events = placed(blocks->lanes, row, run);
        if (!events) continue;
        LaneChart chart;
        chart.up.events = chart.down.events = events;
        for (auto const &placement : events->placements()) {
            std::shared_ptr<SeriesLod const> in, out;
            for (auto const &[key, block] : blocks->lanes)
                if (block == placement.block)
                    if (auto const it = blocks->rates.find(key); it != blocks->rates.end()) std::tie(in, out) = it->second;
            chart.up.values.push_back(in);
            chart.down.values.push_back(out);
        }
        double const highestIn = chart.up.stat(0, events->size()).max, highestOut = chart.down.stat(0, events->size()).max;
        most = std::max({most, highestIn / fullIn, highestOut / fullOut});
        auto const name = [known](QString const &direction, double highest) {
            return highest > 0 && known ? QStringLiteral("%1 ≤ %2").arg(direction, shareText(highest)) : direction;
        };
        chart.upName = name(Words::tr("in"), highestIn / fullIn);
        chart.downName = name(Words::tr("out"), highestOut / fullOut);
        chart.unit = Words::tr("bytes per cycle");
        chart.upToken = Token::InternalExchange;
        chart.downToken = Token::ExchangeOut;
        Lane lane;
        lane.name = laneName(data.lanes[static_cast<std::size_t>(row)]);
        lane.tip = Words::tr("Bytes per cycle in (above) and out (below); pale: the most, solid: the mean.\nAll tiles can receive %1 and "
                             "send %2 bytes per cycle (modelled): neighbours that hear the same words get them at twice the rate.")
                       .arg(QLocale().toString(peak.in, 'g', 4), QLocale().toString(peak.out, 'g', 4));
        lane.events = events;
        lane.chart = std::move(chart);
        lane.height = 84;
        lanes.overview.push_back(events);
        lanes.set.lanes.push_back(std::move(lane));
        lanes.laneOf.push_back(row);
    }
    // One scale for all lanes, so that heights compare: the share of what all tiles can exchange in that direction.
    double const end = scaleEnd(most);
    for (auto &lane : lanes.set.lanes) {
        lane.chart->upPeak = end * fullIn;
        lane.chart->downPeak = end * fullOut;
        if (most > 0) lane.chart->peakName = known ? shareText(end) : QLocale().toString(end, 'g', 4);
    }
    for (int row = 0; row < static_cast<int>(data.lanes.size()); ++row) {
        auto const &source = data.lanes[static_cast<std::size_t>(row)];
        if (source.kind != "link" && source.kind != "stream") continue;
        auto const events = placed(blocks->lanes, row, run);
        if (!events) continue;
        Lane lane;
        lane.name = laneName(source);
        lane.events = events;
        lanes.set.lanes.push_back(std::move(lane));
        lanes.laneOf.push_back(row);
    }
    markSteps(lanes.set, run);
    return lanes;
}

} // namespace tilewright::views
