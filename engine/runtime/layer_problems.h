#pragma once

#include "engine/core/result.h"

#include <vector>

namespace tilewright::compiler {
struct CompileOutcome;
}
namespace tilewright::report {
struct ReportData;
}

namespace tilewright::runtime {

/// The layers that take the most of the tiles that are too full, one error each with the layer as its subject, the largest first. Empty if
/// the program fits. Of a report: of the largest variables that its insight lists.
std::vector<Diagnostic> layerProblems(compiler::CompileOutcome const &compiled);
std::vector<Diagnostic> layerProblems(report::ReportData const &data);

} // namespace tilewright::runtime
