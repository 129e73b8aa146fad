#include "engine/report/check/check_tables.h"

#include "engine/report/check/check_parts.h"

namespace tilewright::report {

namespace check {

namespace {

class References {
public:
    References(ReportData const &data, Violations &out) : d(data), m_out(out) {}

    void run()
    {
        machine();
        graph();
        programs();
        memory();
        time();
        records();
    }

private:
    /// `id` is a row of a table of `size` rows, or kNone if that is allowed.
    void ref(std::string const &from, std::size_t row, std::int64_t id, std::size_t size, bool required = false)
    {
        bool const nothing = id == kNone && !required;
        if (nothing || (id >= 0 && static_cast<std::size_t>(id) < size)) return;
        m_out.add(24, from + " of row " + std::to_string(row), "points at " + number(id) + ", which is not there");
    }
    void vec(std::string const &from, std::size_t row, int id, bool required = false)
    {
        ref(from, row, id, static_cast<std::size_t>(d.tileVecs.size()), required);
    }
    template <typename T, typename F> static void each(std::vector<T> const &rows, F &&f)
    {
        for (std::size_t i = 0; i < rows.size(); ++i) f(i, rows[i]);
    }

    void machine()
    {
        each(d.links, [&](auto i, auto const &r) {
            ref("link.ipu_a", i, r.ipuA, d.ipus.size());
            ref("link.ipu_b", i, r.ipuB, d.ipus.size());
        });
        if (d.target.tilesPerIpu < 0 || d.target.ipusPerReplica < 0 || d.target.ipus < 0 || d.target.tilesPerIpu > (1 << 20)
            || d.target.ipusPerReplica > (1 << 10) || d.target.ipus > (1 << 10))
            m_out.add(24, "target", "the machine is of an impossible size");
        if (!d.ipus.empty() && sizeOf(d.ipus) != d.target.ipus)
            m_out.add(24, "ipu", number(sizeOf(d.ipus)) + " rows for " + number(d.target.ipus) + " IPUs");
        if (!d.tilePlaces.empty() && sizeOf(d.tilePlaces) != d.target.tilesPerIpu)
            m_out.add(24, "tile_place", number(sizeOf(d.tilePlaces)) + " rows for " + number(d.target.tilesPerIpu) + " tiles");
    }

    void graph()
    {
        each(d.debugContexts, [&](auto i, auto const &r) { ref("debug_context.parent", i, r.parent, d.debugContexts.size()); });
        each(d.ops, [&](auto i, auto const &r) {
            ref("op.parent", i, r.parent, d.ops.size());
            ref("op.stage", i, r.stage, d.stages.size());
            ref("op.context", i, r.context, d.debugContexts.size());
        });
        each(d.opEdges, [&](auto i, auto const &r) {
            ref("op_edge.from_op", i, r.fromOp, d.ops.size(), true);
            ref("op_edge.to_op", i, r.toOp, d.ops.size(), true);
            ref("op_edge.variable", i, r.variable, d.variables.size());
        });
        each(d.opPrograms, [&](auto i, auto const &r) {
            ref("op_program.op", i, r.op, d.ops.size(), true);
            ref("op_program.program", i, r.program, d.programs.size(), true);
        });
    }

    void programs()
    {
        each(d.programs, [&](auto i, auto const &r) {
            ref("program.op", i, r.op, d.ops.size());
            ref("program.context", i, r.context, d.debugContexts.size());
            ref("program.compute_set", i, r.computeSet, d.computeSets.size(), r.kind == "execute");
            ref("program.callee", i, r.callee, d.functions.size());
            ref("program.stream", i, r.stream, d.streams.size());
            vec("program.control_code_vec", i, r.controlCodeVec);
        });
        each(d.programChildren, [&](auto i, auto const &r) {
            ref("program_child.parent", i, r.parent, d.programs.size(), true);
            ref("program_child.child", i, r.child, d.programs.size(), true);
        });
        each(d.functions, [&](auto i, auto const &r) { ref("function.root", i, r.root, d.programs.size(), true); });
        each(d.programVariables, [&](auto i, auto const &r) {
            ref("program_variable.program", i, r.program, d.programs.size(), true);
            ref("program_variable.variable", i, r.variable, d.variables.size(), true);
        });
        each(d.vertexTypes, [&](auto i, auto const &r) { vec("vertex_type.code_vec", i, r.codeVec); });
        each(d.computeSets, [&](auto i, auto const &r) {
            ref("compute_set.op", i, r.op, d.ops.size());
            vec("compute_set.cycles_vec", i, r.cyclesVec, true);
        });
        each(d.computeSetVertices, [&](auto i, auto const &r) {
            ref("compute_set_vertex.compute_set", i, r.computeSet, d.computeSets.size(), true);
            ref("compute_set_vertex.vertex_type", i, r.vertexType, d.vertexTypes.size(), true);
            vec("compute_set_vertex.count_vec", i, r.countVec, true);
        });
        each(d.exchanges, [&](auto i, auto const &r) {
            ref("exchange.program", i, r.program, d.programs.size(), true);
            vec("exchange.sent_vec", i, r.sentVec);
            vec("exchange.received_vec", i, r.receivedVec);
            vec("exchange.cycles_vec", i, r.cyclesVec);
            vec("exchange.code_vec", i, r.codeVec);
        });
    }

    void memory()
    {
        auto const steps = d.livenessSteps.size();
        each(d.variables, [&](auto i, auto const &r) {
            ref("variable.op", i, r.op, d.ops.size());
            ref("variable.context", i, r.context, d.debugContexts.size());
            ref("variable.first_step", i, r.firstStep, steps);
            ref("variable.last_step", i, r.lastStep, steps);
            ref("variable.last_use_step", i, r.lastUseStep, steps);
            vec("variable.bytes_vec", i, r.bytesVec);
        });
        for (int i = 0; i < d.layouts.size(); ++i)
            for (auto const &item : d.layouts.layout(i)) {
                ref("variable in layout", static_cast<std::size_t>(i), item.variable, d.variables.size());
                ref("class in layout", static_cast<std::size_t>(i), item.livenessClass, d.livenessClasses.size(), true);
            }
        each(d.tileLayout, [&](auto i, int layout) { ref("tile_layout.layout", i, layout, static_cast<std::size_t>(d.layouts.size())); });
        each(d.livenessIntervals, [&](auto i, auto const &r) {
            ref("liveness_interval.class", i, r.livenessClass, d.livenessClasses.size(), true);
            if (r.firstStep < 0 || r.endStep <= r.firstStep || static_cast<std::size_t>(r.endStep) > steps)
                m_out.add(24, "liveness_interval " + number(static_cast<std::int64_t>(i)),
                          "runs from " + number(r.firstStep) + " to " + number(r.endStep));
        });
        each(d.livenessSteps, [&](auto i, auto const &r) {
            ref("liveness_step.program", i, r.program, d.programs.size(), true);
            ref("liveness_step.stage", i, r.stage, d.stages.size());
        });
        each(d.tileMetrics, [&](auto i, auto const &r) { vec("tile_metric.vec", i, r.vec, true); });
        each(d.memoryParts, [&](auto i, auto const &r) { vec("memory_part.vec", i, r.vec, true); });
        each(d.remoteBuffers, [&](auto i, auto const &r) { ref("remote_buffer.variable", i, r.variable, d.variables.size()); });
        each(d.verdicts, [&](auto i, auto const &r) { ref("verdict.peak_step", i, r.peakStep, steps); });
    }

    void time()
    {
        each(d.patternPlaces, [&](auto i, auto const &r) {
            ref("pattern_place.run", i, r.run, d.runs.size(), true);
            ref("pattern_place.pattern", i, r.pattern, d.patterns.size(), true);
            constexpr std::int64_t kFar = std::int64_t{1} << 60;
            if (r.startCycle < -kFar || r.startCycle > kFar || r.period < 0 || r.period > kFar || r.repeats > kFar
                || (r.period > 0 && r.repeats > kFar / r.period))
                m_out.add(24, "pattern_place " + number(static_cast<std::int64_t>(i)), "lies outside any time");
        });
        each(d.lanes, [&](auto i, auto const &r) {
            ref("lane.parent", i, r.parent, d.lanes.size());
            ref("lane.ipu", i, r.ipu, d.ipus.size());
            ref("lane.stage", i, r.stage, d.stages.size());
            ref("lane.link", i, r.link, d.links.size());
        });
        each(d.eventTypes, [&](auto i, auto const &r) {
            ref("event_type.program", i, r.program, d.programs.size());
            ref("event_type.op", i, r.op, d.ops.size());
            ref("event_type.stage", i, r.stage, d.stages.size());
        });
        each(d.events, [&](auto i, auto const &r) {
            ref("event_chunk.pattern", i, r.pattern, d.patterns.size(), true);
            ref("event_chunk.lane", i, r.lane, d.lanes.size(), true);
            for (auto const type : r.events.type) ref("type of an event", i, type, d.eventTypes.size(), true);
            for (auto const v : r.events.vec) ref("vec of an event", i, v, static_cast<std::size_t>(d.tileVecs.size()));
        });
        auto const runAndIpu = [&](std::string const &table, auto i, auto const &r) {
            ref(table + ".run", i, r.run, d.runs.size(), true);
            ref(table + ".ipu", i, r.ipu, d.ipus.size(), true);
        };
        each(d.stepStats, [&](auto i, auto const &r) {
            runAndIpu("step_stat", i, r);
            ref("step_stat.program", i, r.program, d.programs.size(), true);
        });
        each(d.stepOutliers, [&](auto i, auto const &r) {
            runAndIpu("step_outlier", i, r);
            ref("step_outlier.program", i, r.program, d.programs.size(), true);
        });
        each(d.ipuSplits, [&](auto i, auto const &r) { runAndIpu("ipu_split", i, r); });
        each(d.runTileMetrics, [&](auto i, auto const &r) {
            ref("run_tile_metric.run", i, r.run, d.runs.size(), true);
            vec("run_tile_metric.vec", i, r.vec, true);
        });
        // Limit within a pattern: equal to days, so that sums of thousands cannot overflow.
        constexpr std::int64_t kLong = std::int64_t{1} << 48;
        auto const withinPattern = [&](std::string const &table, auto i, Cycles begin, Cycles end) {
            if (begin < -kLong || begin > kLong || end < -kLong || end > kLong)
                m_out.add(24, table + " " + number(static_cast<std::int64_t>(i)), "lies outside any time");
        };
        each(d.stageTasks, [&](auto i, auto const &r) {
            withinPattern("stage_task", i, r.startCycle, r.endCycle);
            ref("stage_task.pattern", i, r.pattern, d.patterns.size(), true);
            ref("stage_task.ipu", i, r.ipu, d.ipus.size(), true);
            ref("stage_task.stage", i, r.stage, d.stages.size(), true);
        });
        each(d.bubbles, [&](auto i, auto const &r) {
            withinPattern("bubble", i, r.startCycle, r.endCycle);
            ref("bubble.pattern", i, r.pattern, d.patterns.size(), true);
            ref("bubble.ipu", i, r.ipu, d.ipus.size(), true);
            ref("bubble.waiting_for", i, r.waitingFor, d.ipus.size());
        });
        each(d.flows, [&](auto i, auto const &r) {
            ref("flow.pattern", i, r.pattern, d.patterns.size(), true);
            ref("flow.from_lane", i, r.fromLane, d.lanes.size(), true);
            ref("flow.to_lane", i, r.toLane, d.lanes.size(), true);
            ref("flow.variable", i, r.variable, d.variables.size());
        });
        each(d.criticals, [&](auto i, auto const &r) {
            withinPattern("critical", i, r.startCycle, r.endCycle);
            ref("critical.pattern", i, r.pattern, d.patterns.size(), true);
            ref("critical.lane", i, r.lane, d.lanes.size(), true);
            ref("critical.event_type", i, r.eventType, d.eventTypes.size(), true);
        });
    }

    void records()
    {
        each(d.compilePasses, [&](auto i, auto const &r) { ref("compile_pass.parent", i, r.parent, d.compilePasses.size()); });
        each(d.series, [&](auto i, auto const &r) { ref("series.run", i, r.run, d.runs.size()); });
        each(d.heatmaps, [&](auto i, auto const &r) {
            ref("heatmap.run", i, r.run, d.runs.size());
            ref("heatmap.op", i, r.op, d.ops.size());
        });
        each(d.heatmapColumns, [&](auto i, auto const &r) {
            ref("heatmap_column.heatmap", i, r.heatmap, d.heatmaps.size(), true);
            if (r.heatmap >= 0 && static_cast<std::size_t>(r.heatmap) < d.heatmaps.size()
                && r.counts.size() + 1 != at(d.heatmaps, r.heatmap).edges.size())
                m_out.add(24, "heatmap_column " + number(static_cast<std::int64_t>(i)), "has another number of bins than its heat map");
        });
    }

    ReportData const &d;
    Violations &m_out;
};

} // namespace

void checkReferences(ReportData const &data, Violations &out) { References(data, out).run(); }

} // namespace check

std::vector<Violation> checkTables(ReportData const &data)
{
    check::Violations out;
    check::checkReferences(data, out);
    if (out.any()) return out.take();
    check::checkMemory(data, out);
    check::checkLiveness(data, out);
    check::checkProgram(data, out);
    check::checkTime(data, out);
    check::checkPipeline(data, out);
    return out.take();
}

} // namespace tilewright::report
