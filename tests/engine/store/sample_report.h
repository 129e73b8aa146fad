#pragma once

#include "engine/report/tables.h"

namespace tilewright::tests {

/// A small report made by hand that keeps every invariant: two IPUs of four tiles, two layers, one per IPU;
/// run 0 is three equal steps, run 1 a pipeline batch of two equal stages and three micro-batches.
report::ReportData sampleReport();

} // namespace tilewright::tests
