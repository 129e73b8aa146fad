#pragma once

#include "engine/core/result.h"

struct sqlite3;

namespace tilewright::store {

class ReportReader;

/// Registers tile_values, placed, live_at, live_points, events and points on this connection. Requires: the reader outlives the
/// connection's statements.
Status registerTableFunctions(sqlite3 *handle, ReportReader const &reader);

} // namespace tilewright::store
