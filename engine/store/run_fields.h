#pragma once

#include "engine/report/run_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/run_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<RunRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.text("kind", r.kind);
    v.text("mode", r.mode);
    v.text("state", r.state);
    v.integer("cycles", r.cycles);
    v.integer("steps", r.steps);
    v.integer("samples", r.samples);
    v.integer("host_start_ns", r.hostStartNs);
    v.integer("host_ns", r.hostNs);
    v.optional("verify_error", r.verifyError);
}
template <typename V, RowOf<PatternRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.integer("cycles", r.cycles);
    v.integer("exact", r.exact);
}
template <typename V, RowOf<PatternPlaceRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.integer("seq", r.seq);
    v.integer("pattern", r.pattern);
    v.integer("start_cycle", r.startCycle);
    v.integer("repeats", r.repeats);
    v.integer("period", r.period);
    v.integer("first_step", r.firstStep);
}
template <typename V, RowOf<LaneRow> R> void fields(V &v, R &r)
{
    v.id("parent", r.parent);
    v.name("name", r.name);
    v.text("kind", r.kind);
    v.text("time_base", r.timeBase);
    v.id("ipu", r.ipu);
    v.id("stage", r.stage);
    v.id("link", r.link);
    v.integer("depth", r.depth);
}
template <typename V, RowOf<EventTypeRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.text("phase", r.phase);
    v.id("program", r.program);
    v.id("op", r.op);
    v.id("stage", r.stage);
}
template <typename V, RowOf<StepStatRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.integer("program", r.program);
    v.integer("ipu", r.ipu);
    v.integer("executions", r.executions);
    v.integer("cycles", r.cycles);
    v.integer("cycles_min", r.cyclesMin);
    v.integer("cycles_max", r.cyclesMax);
    v.integer("bytes_in", r.bytesIn);
    v.integer("bytes_out", r.bytesOut);
    v.integer("overlapped", r.overlapped);
    v.real("tile_balance", r.tileBalance);
    v.real("active_tile_balance", r.activeTileBalance);
    v.real("data_balance", r.dataBalance);
    v.integer("active_tiles", r.activeTiles);
}
template <typename V, RowOf<StepOutlierRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.integer("program", r.program);
    v.integer("ipu", r.ipu);
    v.integer("step", r.step);
    v.integer("start_cycle", r.startCycle);
    v.integer("cycles", r.cycles);
}
template <typename V, RowOf<IpuSplitRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.integer("ipu", r.ipu);
    v.integer("compute", r.compute);
    v.integer("internal_exchange", r.internalExchange);
    v.integer("global_exchange", r.globalExchange);
    v.integer("stream", r.stream);
    v.integer("sync", r.sync);
    v.integer("idle", r.idle);
    v.integer("overlapped", r.overlapped);
    v.integer("tile_cycles", r.tileCycles);
}
template <typename V, RowOf<RunTileMetricRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.text("name", r.name);
    v.integer("vec", r.vec);
}
template <typename V, RowOf<StageTaskRow> R> void fields(V &v, R &r)
{
    v.integer("pattern", r.pattern);
    v.integer("ipu", r.ipu);
    v.integer("seq", r.seq);
    v.integer("slot", r.slot);
    v.integer("stage", r.stage);
    v.integer("micro_batch", r.microBatch);
    v.text("pass", r.pass);
    v.integer("start_cycle", r.startCycle);
    v.integer("end_cycle", r.endCycle);
    v.integer("slack", r.slack);
}
template <typename V, RowOf<BubbleRow> R> void fields(V &v, R &r)
{
    v.integer("pattern", r.pattern);
    v.integer("ipu", r.ipu);
    v.integer("start_cycle", r.startCycle);
    v.integer("end_cycle", r.endCycle);
    v.text("cause", r.cause);
    v.id("waiting_for", r.waitingFor);
}
template <typename V, RowOf<FlowRow> R> void fields(V &v, R &r)
{
    v.integer("pattern", r.pattern);
    v.text("kind", r.kind);
    v.integer("from_lane", r.fromLane);
    v.integer("from_time", r.fromTime);
    v.integer("to_lane", r.toLane);
    v.integer("to_time", r.toTime);
    v.integer("bytes", r.bytes);
    v.id("variable", r.variable);
}
template <typename V, RowOf<CriticalRow> R> void fields(V &v, R &r)
{
    v.integer("pattern", r.pattern);
    v.integer("seq", r.seq);
    v.integer("lane", r.lane);
    v.integer("event_type", r.eventType);
    v.integer("start_cycle", r.startCycle);
    v.integer("end_cycle", r.endCycle);
    v.id("culprit_tile", r.culpritTile);
}

} // namespace tilewright::store
