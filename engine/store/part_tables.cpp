#include "engine/store/part_tables.h"

namespace tilewright::store {

std::vector<FilePart> const &fileParts()
{
    static std::vector<FilePart> const parts{
        {"target", {"target", "ipu", "tile_place", "memory_region", "link", "option"}, false, {}},
        {"graph", {"debug_context", "stage", "op", "op_edge", "op_program"}, false, {}},
        {"program",
         {"program", "program_child", "function", "program_variable", "vertex_type", "compute_set", "compute_set_vertex", "exchange",
          "stream"},
         false,
         {{"exchange", "pairs"}}},
        {"memory",
         {"variable", "layout", "tile_layout", "tile_metric", "memory_part", "remote_buffer", "verdict"},
         false,
         {{"layout", "data"}}},
        {"liveness", {"liveness_class", "liveness_interval", "liveness_step", "live_curve", "live_peak"}, false, {{"live_curve", "data"}}},
        {"run",
         {"run", "pattern", "pattern_place", "lane", "event_type", "event_chunk", "step_stat", "step_outlier", "ipu_split",
          "run_tile_metric", "stage_task", "bubble", "flow", "critical"},
         true,
         {{"event_chunk", "data"}}},
        {"host", {"compile_pass"}, false, {{"compile_pass", "snapshot"}}},
        {"series",
         {"series", "series_chunk", "heatmap", "heatmap_column"},
         true,
         {{"series_chunk", "data"}, {"heatmap", "edges"}, {"heatmap_column", "data"}}},
        {"log", {"log"}, true, {}},
        {"insight", {"insight"}, true, {}}};
    return parts;
}

std::vector<std::string> tablesOfPart(std::string_view part)
{
    for (auto const &entry : fileParts())
        if (entry.name == part) return entry.tables;
    return {};
}

} // namespace tilewright::store
