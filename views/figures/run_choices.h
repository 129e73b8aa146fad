#pragma once

#include "engine/report/tables.h"

class QComboBox;

namespace tilewright::views {

/// Fills the two pickers that views of costs have in common: runs with statistics (the data: its number) and IPUs
/// ("all", or its number). Chooses what is asked for, else what runFrame() takes; hides a picker without a choice.
void fillRunChoices(QComboBox &runs, QComboBox &ipus, report::ReportData const &data, int run, int ipu);

} // namespace tilewright::views
