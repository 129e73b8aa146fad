#pragma once

#include "engine/report/graph_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/graph_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<DebugContextRow> R> void fields(V &v, R &r)
{
    v.id("parent", r.parent);
    v.text("level", r.level);
    v.name("name", r.name);
    v.nameOrNull("file", r.file);
    v.id("line", r.line);
    v.text("detail", r.detail);
}
template <typename V, RowOf<StageRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.integer("index_in_replica", r.indexInReplica);
}
template <typename V, RowOf<OpRow> R> void fields(V &v, R &r)
{
    v.id("parent", r.parent);
    v.text("level", r.level);
    v.name("name", r.name);
    v.name("kind", r.kind);
    v.text("pass", r.pass);
    v.id("stage", r.stage);
    v.id("context", r.context);
    v.integer("flops", r.flops);
    v.integer("code_exclusive", r.codeExclusive);
    v.integer("code_shared", r.codeShared);
    v.real("code_attributed", r.codeAttributed);
    v.integer("variable_bytes", r.variableBytes);
    v.integer("vertex_state_bytes", r.vertexStateBytes);
    v.integer("cycles_estimated", r.cyclesEstimated);
    v.integer("cycles_ideal", r.cyclesIdeal);
    v.text("plan", r.plan);
}
template <typename V, RowOf<OpEdgeRow> R> void fields(V &v, R &r)
{
    v.integer("from_op", r.fromOp);
    v.integer("to_op", r.toOp);
    v.integer("variable", r.variable);
}
template <typename V, RowOf<OpProgramRow> R> void fields(V &v, R &r)
{
    v.integer("op", r.op);
    v.integer("program", r.program);
}

} // namespace tilewright::store
