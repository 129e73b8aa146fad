#include "views/insights/insight_outcome.h"

#include "views/common/format.h"
#include "views/common/words.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

double figureOf(report::ReportData const &data, std::string_view name)
{
    for (auto const &row : data.figures)
        if (row.name == name) return row.value;
    return 0;
}

/// "14 % less", "3.1 % more", "the same".
QString relative(double now, double before)
{
    if (before <= 0 || now == before) return Words::tr("the same");
    auto const share = shareText(std::abs(now - before) / before);
    return now < before ? Words::tr("%1 less").arg(share) : Words::tr("%1 more").arg(share);
}

} // namespace

Measures measuresOf(report::ReportData const &data)
{
    Measures m;
    m.cyclesPerStep = figureOf(data, "cycles_per_step");
    if (m.cyclesPerStep > 0) m.steps = std::max(1.0, std::round(figureOf(data, "cycles") / m.cyclesPerStep));
    double const samples = figureOf(data, "samples_per_step");
    m.cyclesPerSample = samples > 0 ? m.cyclesPerStep / samples : 0;
    for (auto const &verdict : data.verdicts)
        if (verdict.scope == "all" && verdict.capacity > 0) {
            m.worstShare = static_cast<double>(verdict.bytes) / static_cast<double>(verdict.capacity);
            m.fits = verdict.fits;
        }
    return m;
}

QString outcomeText(AppliedAction const &applied, Measures const &now)
{
    QStringList words;
    if (applied.predictedSpeed) words << Words::tr("predicted: samples/s %1 (modelled)").arg(relative(*applied.predictedSpeed, 1));
    if (applied.cyclesPerStep > 0 && now.cyclesPerStep > 0) {
        auto const difference = static_cast<std::int64_t>(std::llround(now.cyclesPerStep - applied.cyclesPerStep));
        words << Words::tr("achieved: %1 cycles a step, %2 (modelled)")
                     .arg((difference > 0 ? QStringLiteral("+") : QString()) + countText(difference),
                          relative(now.cyclesPerStep, applied.cyclesPerStep));
        // With another batch size only cycles per sample can be compared.
        if (applied.cyclesPerSample > 0 && now.cyclesPerSample > 0
            && std::abs(now.cyclesPerStep / applied.cyclesPerStep - now.cyclesPerSample / applied.cyclesPerSample) > 1e-9)
            words << Words::tr("per sample: %1").arg(relative(now.cyclesPerSample, applied.cyclesPerSample));
    }
    if (applied.predictedShare) words << Words::tr("predicted worst tile %1").arg(shareText(*applied.predictedShare));
    if (now.fits) {
        words << Words::tr("worst tile %1, before %2 (modelled)").arg(shareText(now.worstShare), shareText(applied.worstShare));
        if (!*now.fits) words << Words::tr("it does not fit now");
    }
    return Words::tr("Applied %1 — %2.")
        .arg(applied.change, words.isEmpty() ? Words::tr("the report has no figures to compare") : words.join(QStringLiteral("; ")));
}

} // namespace tilewright::views
