#pragma once

#include "engine/report/quantities.h"

#include <optional>

namespace tilewright::views {

class ReportSnapshot;

/// Memory of the tile that decides whether the program fits; nothing without a verdict.
std::optional<report::TileMemory> worstTileMemory(ReportSnapshot const &report);
report::TileMemory tileMemory(ReportSnapshot const &report, int tile);

} // namespace tilewright::views
