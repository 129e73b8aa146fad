#include "views/figures/comparison.h"

#include "engine/report/match.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/reports/report_snapshot.h"
#include "views/session/run_list.h"
#include "views/session/session.h"
#include "views/wording/labels.h"

#include <QColor>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr char kCompares[] = "comparesReports";

/// Nothing in either is no row of a comparison.
bool isNothing(ComparedAmount const &amount)
{
    return std::llround(amount.before.value_or(0)) == 0 && std::llround(amount.now.value_or(0)) == 0;
}

bool sameExecutable(ReportSnapshot const &one, ReportSnapshot const &other)
{
    auto const &a = one.data(), &b = other.data();
    // The hash is that of the graphs; the target and the options decide how they are planned.
    auto const same = [&](char const *key) {
        auto const x = a.meta.find(key), y = b.meta.find(key);
        return x != a.meta.end() && y != b.meta.end() && x->second == y->second;
    };
    bool const all = same("executable_hash") && same("config_hash") && same("target") && same("execution_mode");
    return all && a.verdicts == b.verdicts && a.programs == b.programs;
}

} // namespace

ReportPtr comparedReport(Session const &session)
{
    auto const report = session.report(), baseline = session.baseline();
    if (!report || !baseline || !report->isWhole() || !baseline->isWhole() || report == baseline) return {};
    // The pinned run itself may be on show, read a second time.
    bool const same = !report->path().isEmpty() && report->path() == baseline->path() && report->uuid() == baseline->uuid();
    if (same) return {};
    // Two runs of one executable have the same program, memory and schedule: without a pin there is nothing to compare.
    if (!session.isBaselinePinned() && sameExecutable(*report, *baseline)) return {};
    return baseline;
}

QString comparedName(Session const &session)
{
    auto const report = session.report(), baseline = session.baseline();
    if (!baseline) return {};
    for (auto const &entry : session.runList())
        if (entry.id > 0 && !entry.report.isEmpty() && entry.report == baseline->path()) return Words::tr("run %1").arg(entry.id);
    QString const file = QFileInfo(baseline->path()).completeBaseName();
    return Words::tr("“%1”").arg(report && report->title() == baseline->title() && !file.isEmpty() ? file : baseline->title());
}

CompareButton::CompareButton(QWidget *parent) : QToolButton(parent)
{
    setProperty("role", "word");
    setText(tr("Compare"));
    setAccessibleName(text());
    setCheckable(true);
    setChecked(true);
    hide(); // until there is something to compare with
}

void CompareButton::offer(Session const &session)
{
    m_report = comparedReport(session);
    m_name = m_report ? comparedName(session) : QString();
    setVisible(bool(m_report));
    setToolTip(tr("Show differences to %1. Another report: “Pin as baseline” in Runs.").arg(m_name));
    setAccessibleDescription(toolTip());
}

ReportPtr CompareButton::report() const { return isChecked() ? m_report : ReportPtr(); }

void comparesReports(QWidget &view) { view.setProperty(kCompares, true); }
bool doesCompareReports(QWidget const &view) { return view.property(kCompares).toBool(); }

int ComparedAmount::verdict() const
{
    if (!fair || difference() == 0) return 0;
    return difference() < 0 ? 1 : -1;
}

bool haveCycles(RunFrame const &now, RunFrame const &before, int ipu)
{
    auto const has = [ipu](RunFrame const &frame) {
        return frame.run >= 0 && (ipu < 0 || std::ranges::find(frame.ipus, ipu) != frame.ipus.end());
    };
    return has(now) && has(before);
}

QString amountText(AmountUnit unit, double amount)
{
    auto const whole = static_cast<std::int64_t>(std::llround(amount));
    return unit == AmountUnit::Bytes ? bytesText(whole) : countText(whole);
}

QString amountDifferenceText(AmountUnit unit, ComparedAmount const &amount)
{
    double const difference = amount.difference();
    if (std::llround(difference) == 0) return unit == AmountUnit::Bytes ? bytesText(0) : countText(0);
    return (difference > 0 ? QStringLiteral("+") : QStringLiteral("−")) + amountText(unit, std::abs(difference));
}

QString amountChangeText(ComparedAmount const &amount)
{
    if (!amount.before && !amount.now) return {};
    if (!amount.before) return Words::tr("added", "column");
    if (!amount.now) return Words::tr("removed", "column");
    if (std::llround(amount.difference()) == 0) return Words::tr("same");
    return *amount.before > 0 ? changeShareText(*amount.before, *amount.now) : QString();
}

std::vector<Column> comparedColumns(QString const &what, QString const &baseline, AmountUnit unit,
                                    std::function<ComparedAmount(int)> amount)
{
    auto const tip = [amount, unit](int row) {
        auto const one = amount(row);
        if (isNothing(one)) return QString();
        QString const words = unit == AmountUnit::Cycles && std::llround(one.difference()) != 0
            ? Words::tr("%1 cycles, %2").arg(amountDifferenceText(unit, one), amountChangeText(one))
            : QStringLiteral("%1, %2").arg(amountDifferenceText(unit, one), amountChangeText(one));
        return one.verdict() > 0 ? Words::tr("%1 (better)").arg(words) : one.verdict() < 0 ? Words::tr("%1 (worse)").arg(words) : words;
    };
    std::vector<Column> columns;
    columns.push_back(Column{Words::tr("%1, %2").arg(what, baseline),
                             [amount, unit](int row) {
                                 auto const one = amount(row);
                                 return one.before && std::llround(*one.before) != 0 ? amountText(unit, *one.before) : QString();
                             },
                             [amount](int row) {
                                 auto const one = amount(row);
                                 return one.before ? QVariant::fromValue<qlonglong>(std::llround(*one.before)) : QVariant();
                             },
                             {},
                             {},
                             true,
                             {},
                             kGrid * 24});
    columns.back().shortTitle = Words::tr("Baseline", "column");
    columns.push_back(Column{Words::tr("%1, difference").arg(what),
                             [amount, unit](int row) {
                                 auto const one = amount(row);
                                 return std::llround(one.difference()) == 0 ? QString() : amountDifferenceText(unit, one);
                             },
                             [amount](int row) {
                                 auto const one = amount(row);
                                 return one.before || one.now ? QVariant::fromValue<qlonglong>(std::llround(one.difference())) : QVariant();
                             },
                             tip,
                             {},
                             true,
                             [amount](int row) -> QVariant {
                                 int const verdict = amount(row).verdict();
                                 return verdict == 0 ? QVariant() : QVariant(theme()[verdict > 0 ? Token::Good : Token::Bad]);
                             },
                             kGrid * 26});
    columns.back().shortTitle = Words::tr("Difference");
    columns.push_back(Column{Words::tr("%1, change").arg(what),
                             [amount](int row) {
                                 auto const one = amount(row);
                                 return isNothing(one) && one.before && one.now ? QString() : amountChangeText(one);
                             },
                             [amount](int row) {
                                 auto const one = amount(row);
                                 return one.before && one.now && *one.before > 0 ? QVariant(100 * one.difference() / *one.before)
                                                                                 : QVariant();
                             },
                             tip,
                             {},
                             true,
                             {},
                             kGrid * 18});
    columns.back().shortTitle = Words::tr("Change");
    return columns;
}

QString changedText(QString const &things, int added, int removed, int changed)
{
    QStringList words;
    if (added > 0) words << Words::tr("%1 added").arg(countText(added));
    if (removed > 0) words << Words::tr("%1 removed").arg(countText(removed));
    if (changed > 0) words << Words::tr("%1 with other cycles").arg(countText(changed));
    return words.isEmpty() ? QString() : QStringLiteral("%1: %2").arg(things, words.join(QStringLiteral(", ")));
}

QString stepDifferenceText(report::ReportData const &now, RunFrame const &frame, report::ReportData const &before,
                           RunFrame const &frameBefore, QString const &name)
{
    double a = frameBefore.cyclesOfStep(), b = frame.cyclesOfStep();
    if (a <= 0 || b <= 0) return a <= 0 ? Words::tr("no cycles in %1 to compare with").arg(name) : QString();
    QString const origin = frame.measured == frameBefore.measured
        ? cyclesOrigin(frame.measured)
        : Words::tr("%1 against %2").arg(cyclesOrigin(frame.measured), cyclesOrigin(frameBefore.measured));
    bool const sameWork = report::sameSamples(before, now);
    double const samplesBefore = report::samplesOfStep(before), samples = report::samplesOfStep(now);
    bool const bySample = !sameWork && samplesBefore > 0 && samples > 0;
    if (bySample) {
        a /= samplesBefore;
        b /= samples;
    }
    auto const difference = std::llround(b - a);
    if (difference == 0)
        return (bySample ? Words::tr("cycles per sample: the same as in %1 (%2)") : Words::tr("cycles per step: the same as in %1 (%2)"))
            .arg(name, origin);
    QString const cycles = cyclesText(std::abs(difference)), share = shareText(std::abs(b - a) / a);
    if (bySample)
        return (difference < 0 ? Words::tr("with a different batch size, cycles per sample: %1 (%2) fewer than in %3 (%4)")
                               : Words::tr("with a different batch size, cycles per sample: %1 (%2) more than in %3 (%4)"))
            .arg(cycles, share, name, origin);
    return (difference < 0 ? Words::tr("per step: %1 (%2) less than in %3 (%4)") : Words::tr("per step: %1 (%2) more than in %3 (%4)"))
        .arg(cycles, share, name, origin);
}

} // namespace tilewright::views
