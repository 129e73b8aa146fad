#pragma once

#include "engine/report/tables.h"

#include <QString>

namespace tilewright::views {

/// A tile within a sentence: "tile 12", with several IPUs "IPU 1, tile 12"; tileLabel() is for its beginning. `tile` counts over all IPUs
/// of a replica.
QString tileInSentence(report::ReportData const &data, std::int64_t tile);

} // namespace tilewright::views
