#pragma once

#include "engine/report/program_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/program_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<ProgramRow> R> void fields(V &v, R &r)
{
    v.text("kind", r.kind);
    v.name("name", r.name);
    v.id("op", r.op);
    v.id("context", r.context);
    v.id("compute_set", r.computeSet);
    v.id("callee", r.callee);
    v.id("repeat_count", r.repeatCount);
    v.id("stream", r.stream);
    v.id("control_code_vec", r.controlCodeVec);
    v.integer("code_bytes", r.codeBytes);
}
template <typename V, RowOf<ProgramChildRow> R> void fields(V &v, R &r)
{
    v.integer("parent", r.parent);
    v.integer("position", r.position);
    v.integer("child", r.child);
    v.text("label", r.label);
}
template <typename V, RowOf<FunctionRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.integer("root", r.root);
    v.integer("entry", r.entry);
}
template <typename V, RowOf<ProgramVariableRow> R> void fields(V &v, R &r)
{
    v.integer("program", r.program);
    v.integer("variable", r.variable);
    v.text("access", r.access);
}
template <typename V, RowOf<VertexTypeRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.integer("code_bytes", r.codeBytes);
    v.id("code_vec", r.codeVec);
}
template <typename V, RowOf<ComputeSetRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.id("op", r.op);
    v.integer("vertices", r.vertices);
    v.integer("cycles_vec", r.cyclesVec);
    v.integer("cycles_max", r.cyclesMax);
    v.integer("active_tiles", r.activeTiles);
}
template <typename V, RowOf<ComputeSetVertexRow> R> void fields(V &v, R &r)
{
    v.integer("compute_set", r.computeSet);
    v.integer("vertex_type", r.vertexType);
    v.integer("count", r.count);
    v.integer("count_vec", r.countVec);
    v.integer("state_bytes", r.stateBytes);
}
template <typename V, RowOf<ExchangeRow> R> void fields(V &v, R &r)
{
    v.integer("program", r.program);
    v.text("kind", r.kind);
    v.integer("bytes_sent", r.bytesSent);
    v.integer("bytes_received", r.bytesReceived);
    v.id("sent_vec", r.sentVec);
    v.id("received_vec", r.receivedVec);
    v.id("cycles_vec", r.cyclesVec);
    v.id("code_vec", r.codeVec);
    v.integer("header_bytes", r.headerBytes);
    v.pairs("pairs", r.pairs);
}
template <typename V, RowOf<StreamRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.text("direction", r.direction);
    v.text("memory", r.memory);
    v.integer("bytes_per_transfer", r.bytesPerTransfer);
    v.integer("buffering", r.buffering);
}

} // namespace tilewright::store
