#pragma once

#include "engine/report/machine_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/machine_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<TargetRow> R> void fields(V &v, R &r)
{
    v.text("kind", r.kind);
    v.text("architecture", r.architecture);
    v.integer("ipus", r.ipus);
    v.integer("replicas", r.replicas);
    v.integer("ipus_per_replica", r.ipusPerReplica);
    v.integer("tiles_per_ipu", r.tilesPerIpu);
    v.integer("io_tiles_per_ipu", r.ioTilesPerIpu);
    v.integer("bytes_per_tile", r.bytesPerTile);
    v.integer("worker_threads", r.workerThreads);
    v.integer("clock_hz", r.clockHz);
    v.integer("sync_cycles_internal", r.syncCyclesInternal);
    v.integer("sync_cycles_external", r.syncCyclesExternal);
    v.real("exchange_bytes_per_cycle", r.exchangeBytesPerCycle);
    v.integer("streaming_bytes", r.streamingBytes);
}
template <typename V, RowOf<IpuRow> R> void fields(V &v, R &r)
{
    v.integer("replica", r.replica);
    v.integer("index_in_replica", r.indexInReplica);
    v.integer("machine", r.machine);
    v.integer("board", r.board);
    v.integer("routing", r.routing);
}
template <typename V, RowOf<TilePlaceRow> R> void fields(V &v, R &r)
{
    v.integer("x", r.x);
    v.integer("y", r.y);
    v.integer("sync_delay", r.syncDelay);
    v.integer("io", r.io);
}
template <typename V, RowOf<MemoryRegionRow> R> void fields(V &v, R &r)
{
    v.code("kind", r.kind);
    v.integer("offset", r.offset);
    v.integer("bytes", r.bytes);
    v.integer("element_bytes", r.elementBytes);
    v.integer("executable", r.executable);
}
template <typename V, RowOf<LinkRow> R> void fields(V &v, R &r)
{
    v.text("kind", r.kind);
    v.id("ipu_a", r.ipuA);
    v.id("ipu_b", r.ipuB);
    v.integer("lanes", r.lanes);
    v.integer("bytes_per_second", r.bytesPerSecond);
}

} // namespace tilewright::store
