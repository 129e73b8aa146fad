#pragma once

#include "engine/report/identity_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/identity_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<PartRow> R> void fields(V &v, R &r)
{
    v.text("name", r.name);
    v.code("state", r.state);
    v.integer("rows", r.rows);
    v.integer("bytes", r.bytes);
    v.integer("watermark", r.watermark);
    v.text("note", r.note);
}
template <typename V, RowOf<OptionRow> R> void fields(V &v, R &r)
{
    v.text("scope", r.scope);
    v.text("name", r.name);
    v.text("value", r.value);
    v.optional("default_value", r.defaultValue);
    v.text("source", r.source);
}
template <typename V, RowOf<FigureRow> R> void fields(V &v, R &r)
{
    v.text("name", r.name);
    v.real("value", r.value);
    v.text("unit", r.unit);
    v.text("origin", r.origin);
}

} // namespace tilewright::store
