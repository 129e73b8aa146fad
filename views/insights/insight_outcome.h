#pragma once

#include "engine/report/tables.h"

#include <QString>

#include <optional>

namespace tilewright::views {

/// An action that was applied, remembered until the next report tells what came of it.
struct AppliedAction {
    QString title;            ///< of the finding
    QString change;           ///< "training.batch_size: 32 → 64"
    QString report;           ///< uuid of the report it was taken from
    std::optional<std::int64_t> predictedCycles, predictedBytes; ///< gains, upper bounds
    std::optional<double> predictedShare;  ///< estimated share of the worst tile
    double cyclesPerSample = 0, cyclesPerStep = 0, worstShare = 0; ///< modelled, before
};

/// What a report says of those figures.
struct Measures {
    double cyclesPerStep = 0, cyclesPerSample = 0, worstShare = 0;
    std::optional<bool> fits;
};
Measures measuresOf(report::ReportData const &data);

/// "Predicted at most 14 318 cycles less; achieved 12 020 cycles less (14 %, modelled) …". Per sample where
/// a step holds another number of samples than before.
QString outcomeText(AppliedAction const &applied, Measures const &now);

} // namespace tilewright::views
