#pragma once

#include "engine/report/tables.h"

class QComboBox;

namespace tilewright::views {

/// Fills the pickers of views of costs: runs with statistics (data: run number) and IPUs ("all", or number). Selects the given entries,
/// else those of runFrame(). Hides a picker with one entry.
void fillRunChoices(QComboBox &runs, QComboBox &ipus, report::ReportData const &data, int run, int ipu);

} // namespace tilewright::views
