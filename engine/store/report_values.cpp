#include "engine/store/report_values.h"

#include "engine/report/bubble_shares.h"
#include "engine/store/report_reader.h"

#include <algorithm>
#include <limits>

namespace tilewright::store {

using namespace report;

Result<std::map<std::string, double>> reportValues(ReportReader const &reader)
{
    std::map<std::string, double> values;
    auto const number = [](auto v) { return static_cast<double>(v); };
    TW_ASSIGN(auto const target, reader.target());
    if (target.tilesPerIpu > 0) {
        values["limit_bytes"] = number(target.bytesPerTile);
        values["ipus"] = target.ipus;
        values["replicas"] = target.replicas;
        values["tiles"] = number(std::int64_t{target.ipus} * target.tilesPerIpu);
        values["clock_hz"] = number(target.clockHz);
    }
    TW_ASSIGN(auto const metrics, reader.rows<TileMetricRow>());
    for (auto const &metric : metrics) {
        TW_ASSIGN(auto const head, reader.tileVecHead(metric.vec));
        if (metric.name == "without_gaps") {
            values["max_tile_bytes"] = number(head.max);
            values["total_bytes"] = number(head.sum);
        }
        if (metric.name == "with_gaps") {
            values["max_tile_bytes_with_gaps"] = number(head.max);
            values["total_bytes_with_gaps"] = number(head.sum);
            values["worst_tile"] = number(head.argmax);
        }
        if (metric.name == "headroom") values["headroom"] = number(head.min);
        if (metric.name == "executable_room") values["executable_room"] = number(head.min);
        if (metric.name == "need") values["max_tile_need"] = number(head.max);
    }
    TW_ASSIGN(auto const parts, reader.rows<MemoryPartRow>());
    for (auto const &part : parts) {
        TW_ASSIGN(auto const head, reader.tileVecHead(part.vec));
        values[std::string(toText(part.category)) + "_bytes"] += number(head.sum);
    }
    TW_ASSIGN(auto const verdicts, reader.rows<VerdictRow>());
    for (auto const &verdict : verdicts)
        if (verdict.scope == "all") values["fits"] = verdict.fits;
    TW_ASSIGN(auto const curve, reader.query("SELECT always_live, peak, peak_step FROM live_curve WHERE scope = 'all' AND scope_id = 0"));
    if (!curve.rows.empty()) {
        char const *const names[] = {"always_live_bytes", "peak_live_bytes", "peak_step"};
        for (std::size_t i = 0; i < 3; ++i)
            if (auto const *v = std::get_if<std::int64_t>(&curve.rows[0][i])) values[names[i]] = number(*v);
    }
    struct Count {
        char const *name, *sql;
    };
    for (auto const &count :
         {Count{"compute_sets", "SELECT count(*) FROM compute_set"},
          Count{"vertices", "SELECT coalesce(sum(vertices), 0) FROM compute_set"}, Count{"exchanges", "SELECT count(*) FROM exchange"},
          Count{"programs", "SELECT count(*) FROM program"}, Count{"variables", "SELECT count(*) FROM variable"},
          Count{"operations", "SELECT count(*) FROM op"}, Count{"errors", "SELECT count(*) FROM insight WHERE severity = 'error'"},
          Count{"warnings", "SELECT count(*) FROM insight WHERE severity = 'warning'"},
          Count{"flops_per_step", "SELECT coalesce(sum(flops), 0) FROM op WHERE level = 'graph'"}}) {
        TW_ASSIGN(auto const result, reader.query(count.sql));
        if (auto const *v = std::get_if<std::int64_t>(&result.rows[0][0])) values[count.name] = number(*v);
    }

    TW_ASSIGN(auto const runs, reader.rows<RunRow>());
    if (!runs.empty()) {
        auto const &run = runs.back();
        auto const id = static_cast<int>(runs.size()) - 1;
        values["cycles"] = number(run.cycles);
        values["steps"] = number(run.steps);
        values["samples"] = number(run.samples);
        if (run.steps > 0) values["cycles_per_step"] = number(run.cycles) / number(run.steps);
        if (run.hostNs > 0) values["host_seconds"] = number(run.hostNs) * 1e-9;
        if (target.clockHz > 0) {
            values["emulated_seconds"] = number(run.cycles) / number(target.clockHz);
            if (run.cycles > 0 && run.samples > 0)
                values["samples_per_second"] = number(run.samples) * number(target.clockHz) / number(run.cycles);
        }
        TW_ASSIGN(auto const splits, reader.rows<IpuSplitRow>());
        double compute = 0, tile = 0, ipus = 0;
        for (auto const &split : splits) {
            if (split.run != id) continue;
            compute += number(split.compute);
            tile += number(split.tileCycles);
            ipus += 1;
        }
        if (ipus > 0 && run.cycles > 0) {
            values["utilisation"] = compute / (ipus * number(run.cycles));
            if (target.tilesPerIpu > 0) values["tile_utilisation"] = tile / (ipus * number(run.cycles) * target.tilesPerIpu);
        }
    }
    TW_ASSIGN(auto const tasks, reader.rows<StageTaskRow>());
    TW_ASSIGN(auto const bubbles, reader.rows<BubbleRow>());
    if (!tasks.empty()) values["bubble_share"] = bubbleShares(tasks, bubbles).all;
    TW_ASSIGN(auto const series, reader.rows<SeriesRow>());
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (!series[i].subjectKind.empty()) continue;
        TW_ASSIGN(auto const last, reader.query("SELECT max(x_last) FROM series_chunk WHERE series = " + std::to_string(i)));
        auto const *x = std::get_if<std::int64_t>(&last.rows[0][0]);
        if (!x) continue;
        TW_ASSIGN(auto const points, reader.points(static_cast<int>(i), *x, *x));
        if (!points.y.empty() && !values.count(series[i].name)) values[series[i].name] = points.y.back();
    }
    TW_ASSIGN(auto const figures, reader.rows<FigureRow>());
    for (auto const &figure : figures) values[figure.name] = figure.value;
    return values;
}

} // namespace tilewright::store
