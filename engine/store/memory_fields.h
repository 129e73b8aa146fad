#pragma once

#include "engine/report/memory_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/memory_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<VariableRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.id("op", r.op);
    v.id("context", r.context);
    v.text("role", r.role);
    v.text("dtype", r.dtype);
    v.shape("shape", r.shape);
    v.integer("elements", r.elements);
    v.integer("bytes", r.bytes);
    v.id("bytes_vec", r.bytesVec);
    v.integer("always_live", r.alwaysLive);
    v.id("first_step", r.firstStep);
    v.id("last_step", r.lastStep);
    v.id("last_use_step", r.lastUseStep);
}
template <typename V, RowOf<LivenessClassRow> R> void fields(V &v, R &r) { v.integer("always_live", r.alwaysLive); }
template <typename V, RowOf<LivenessIntervalRow> R> void fields(V &v, R &r)
{
    v.integer("class", r.livenessClass);
    v.integer("first_step", r.firstStep);
    v.integer("end_step", r.endStep);
}
template <typename V, RowOf<LivenessStepRow> R> void fields(V &v, R &r)
{
    v.integer("program", r.program);
    v.id("stage", r.stage);
    v.textOrNull("pass", r.pass);
}
template <typename V, RowOf<LiveCurveRow> R> void fields(V &v, R &r)
{
    v.text("scope", r.scope);
    v.integer("scope_id", r.scopeId);
    v.integer("always_live", r.alwaysLive);
    v.integer("peak", r.peak);
    v.integer("peak_step", r.peakStep);
    v.packed("data", r.notAlwaysLive);
}
template <typename V, RowOf<LivePeakRow> R> void fields(V &v, R &r)
{
    v.text("scope", r.scope);
    v.integer("scope_id", r.scopeId);
    v.integer("rank", r.rank);
    v.integer("step", r.step);
    v.integer("bytes", r.bytes);
}
template <typename V, RowOf<TileMetricRow> R> void fields(V &v, R &r)
{
    v.text("name", r.name);
    v.integer("vec", r.vec);
}
template <typename V, RowOf<MemoryPartRow> R> void fields(V &v, R &r)
{
    v.code("category", r.category);
    v.code("region", r.region);
    v.integer("overlapped", r.overlapped);
    v.integer("vec", r.vec);
}
template <typename V, RowOf<RemoteBufferRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.id("variable", r.variable);
    v.integer("bytes", r.bytes);
    v.integer("rows", r.rows);
}
template <typename V, RowOf<VerdictRow> R> void fields(V &v, R &r)
{
    v.text("scope", r.scope);
    v.integer("scope_id", r.scopeId);
    v.integer("fits", r.fits);
    v.integer("worst_tile", r.worstTile);
    v.integer("bytes", r.bytes);
    v.integer("capacity", r.capacity);
    v.textOrNull("cause", r.cause);
    v.id("peak_step", r.peakStep);
}

} // namespace tilewright::store
