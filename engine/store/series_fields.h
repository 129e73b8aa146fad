#pragma once

#include "engine/report/series_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/series_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<SeriesRow> R> void fields(V &v, R &r)
{
    v.id("run", r.run);
    v.name("name", r.name);
    v.text("unit", r.unit);
    v.text("axis", r.axis);
    v.textOrNull("subject_kind", r.subjectKind);
    v.id("subject_id", r.subjectId);
}
template <typename V, RowOf<HeatmapRow> R> void fields(V &v, R &r)
{
    v.id("run", r.run);
    v.name("name", r.name);
    v.text("unit", r.unit);
    v.text("axis", r.axis);
    v.id("op", r.op);
    v.packedReals("edges", r.edges);
}
template <typename V, RowOf<HeatmapColumnRow> R> void fields(V &v, R &r)
{
    v.integer("heatmap", r.heatmap);
    v.integer("x", r.x);
    v.integer("below", r.below);
    v.integer("above", r.above);
    v.integer("nans", r.nans);
    v.integer("zeros", r.zeros);
    v.packed("data", r.counts);
}

} // namespace tilewright::store
