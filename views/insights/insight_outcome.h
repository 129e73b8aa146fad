#pragma once

#include "engine/report/tables.h"

#include <QString>

#include <optional>

namespace tilewright::views {

/// An applied action, stored until the next report shows its effect.
struct AppliedAction {
    QString title;                                                 ///< of the insight
    QString change;                                                ///< "training.batch_size: 32 → 64"
    QString report;                                                ///< uuid of the report it was taken from
    std::optional<std::int64_t> predictedCycles, predictedBytes;   ///< gains estimated by the rule; cycles of a step
    std::optional<double> predictedShare;                          ///< estimated share of the worst tile
    double cyclesPerSample = 0, cyclesPerStep = 0, worstShare = 0; ///< modelled, before
};

/// The same figures in a report.
struct Measures {
    double cyclesPerStep = 0, cyclesPerSample = 0, worstShare = 0;
    double steps = 1; ///< micro-batches of a weight update, the unit of gains
    std::optional<bool> fits;
};
Measures measuresOf(report::ReportData const &data);

/// "Predicted: about 14 318 cycles less a step; achieved 12 020 cycles less (14 %, modelled) …". Per sample if the steps have different
/// numbers of samples.
QString outcomeText(AppliedAction const &applied, Measures const &now);

} // namespace tilewright::views
