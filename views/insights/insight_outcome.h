#pragma once

#include "engine/report/tables.h"

#include <QString>

#include <optional>

namespace tilewright::views {

/// An action that was applied, remembered until the next report tells what came of it.
struct AppliedAction {
    QString title;                                                 ///< of the finding
    QString change;                                                ///< "training.batch_size: 32 → 64"
    QString report;                                                ///< uuid of the report it was taken from
    std::optional<std::int64_t> predictedCycles, predictedBytes;   ///< gains as a rule estimates them; cycles of a step
    std::optional<double> predictedShare;                          ///< estimated share of the worst tile
    double cyclesPerSample = 0, cyclesPerStep = 0, worstShare = 0; ///< modelled, before
};

/// What a report says of those figures.
struct Measures {
    double cyclesPerStep = 0, cyclesPerSample = 0, worstShare = 0;
    double steps = 1; ///< micro-batches of a weight update, of which gains are told
    std::optional<bool> fits;
};
Measures measuresOf(report::ReportData const &data);

/// "Predicted: about 14 318 cycles less a step; achieved 12 020 cycles less (14 %, modelled) …". Per sample where
/// a step holds another number of samples than before.
QString outcomeText(AppliedAction const &applied, Measures const &now);

} // namespace tilewright::views
