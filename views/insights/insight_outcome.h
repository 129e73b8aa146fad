#pragma once

#include "engine/report/tables.h"

#include <QString>

#include <optional>

namespace tilewright::views {

/// An applied action, stored until the next report shows its effect.
struct AppliedAction {
    QString title;                        ///< of the insight
    QString change;                       ///< "training.batch_size: 32 → 64"
    QString report;                       ///< uuid of the report it was taken from
    std::optional<double> predictedSpeed; ///< samples per second with the change, as a multiple; found by a compile
    std::optional<double> predictedShare; ///< share of the worst tile, found by a compile
    double cyclesPerSample = 0, cyclesPerStep = 0, worstShare = 0; ///< modelled, before
};

/// The same figures in a report.
struct Measures {
    double cyclesPerStep = 0, cyclesPerSample = 0, worstShare = 0;
    double steps = 1; ///< micro-batches of a weight update, the unit of gains
    std::optional<bool> fits;
};
Measures measuresOf(report::ReportData const &data);

/// "Predicted: 14 % more samples a second; achieved: 12,020 cycles a step less (14 %, modelled) …". Per sample if the steps have different
/// numbers of samples.
QString outcomeText(AppliedAction const &applied, Measures const &now);

} // namespace tilewright::views
