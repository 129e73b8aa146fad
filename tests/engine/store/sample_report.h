#pragma once

#include "engine/report/tables.h"

namespace tilewright::tests {

/// A small hand-made report that satisfies all invariants: two IPUs of four tiles, two layers (one per IPU). Run 0 has three equal steps,
/// run 1 is a
/// pipeline batch of two equal stages and three micro-batches.
report::ReportData sampleReport();

} // namespace tilewright::tests
