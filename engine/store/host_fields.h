#pragma once

#include "engine/report/host_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/host_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<CompilePassRow> R> void fields(V &v, R &r)
{
    v.id("parent", r.parent);
    v.name("name", r.name);
    v.integer("start_ns", r.startNs);
    v.id("end_ns", r.endNs);
    v.id("items_before", r.itemsBefore);
    v.id("items_after", r.itemsAfter);
    v.id("peak_host_bytes", r.peakHostBytes);
    v.textOrNull("cache", r.cache);
    v.textOrNull("cache_reason", r.cacheReason);
    v.bytes("snapshot", r.snapshot);
}
template <typename V, RowOf<LogRow> R> void fields(V &v, R &r)
{
    v.integer("host_ns", r.hostNs);
    v.integer("level", r.level);
    v.text("component", r.component);
    v.text("code", r.code);
    v.text("text", r.text);
    v.integer("repeats", r.repeats);
    v.id("run", r.run);
    v.id("ipu", r.ipu);
    v.id("tile", r.tile);
    v.id("step", r.step);
    v.id("op", r.op);
}

} // namespace tilewright::store
