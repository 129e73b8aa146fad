// Summary in words: figures as text, differences, the headline, Markdown.
#include "views/summary/summary_facts.h"

#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/insight_text.h"
#include "views/wording/labels.h"

#include <QLocale>

#include <cmath>

namespace tilewright::views {

QString exactText(Figure const &figure) { return figure.whole.isEmpty() ? quantityExact(figure) : figure.whole; }

FigureChange changeOf(Figure const &figure, Figure const &baseline)
{
    if (figure.kind == QuantityKind::Words || !figure.value || !baseline.value) {
        bool const same = exactText(figure) == exactText(baseline);
        return {same ? Words::tr("same") : Words::tr("differs"), 0, same};
    }
    double const before = *baseline.value, now = *figure.value;
    if (before == now) return {Words::tr("same"), 0, true};
    FigureChange change;
    QString const sign = now > before ? QStringLiteral("+") : QStringLiteral("−");
    if (figure.kind == QuantityKind::Share) change.text = changePointsText(before, now);
    else if (before != 0) change.text = changeShareText(before, now);
    else change.text = sign;
    // A step of more samples takes longer; that is not a verdict.
    if (figure.samples != baseline.samples) return {Words::tr("%1, with another batch").arg(change.text), 0};
    if (figure.better != Better::Neither) change.direction = (now > before) == (figure.better == Better::Higher) ? 1 : -1;
    if (change.direction != 0) change.text = (change.direction > 0 ? Words::tr("%1 (better)") : Words::tr("%1 (worse)")).arg(change.text);
    return change;
}

QString summaryHeadline(SummaryFacts const &facts)
{
    QStringList words;
    auto const value = [&](char const *id) {
        auto const *f = findFigure(facts, QLatin1String(id));
        return f && f->isKnown() ? quantityText(*f) : QString();
    };
    if (facts.hasVerdict) {
        auto const *worst = findFigure(facts, QStringLiteral("worst_tile"));
        words << (facts.fits ? Words::tr("Fits: worst tile %1").arg(value("worst_tile"))
                             : Words::tr("Does not fit: %1").arg(worst ? worst->note : QString()));
    }
    // A program that does not fit has no speed; its largest variable is more useful.
    if (facts.hasVerdict && !facts.fits) {
        for (auto const &f : facts.overflow)
            if (f.target.selected.kind == SelectionKind::Variable)
                return (words << Words::tr("largest at its peak: %1, %2 (modelled)").arg(f.label, quantityText(f)))
                    .join(QStringLiteral(" · "));
        return words.first();
    }
    if (auto const step = value("step_time"); !step.isEmpty())
        words << Words::tr("%1 a step (%2)").arg(step, originText(findFigure(facts, QStringLiteral("step_time"))->origin));
    if (auto const rate = value("samples_per_second"); !rate.isEmpty()) words << Words::tr("%1 samples/s").arg(rate);
    if (auto const use = value("utilisation"); !use.isEmpty()) words << Words::tr("computes %1 of the time").arg(use);
    if (auto const bubble = value("bubble_share"); !bubble.isEmpty()) words << Words::tr("bubbles %1").arg(bubble);
    return words.isEmpty() ? Words::tr("This report holds no compiled program") : words.join(QStringLiteral(" · "));
}

QList<ExportTable> summaryTables(SummaryFacts const &facts, SummaryFacts const *baseline, report::ReportData const &data)
{
    QList<ExportTable> tables;
    struct Part {
        QString name;
        QList<Figure> const *figures;
    };
    for (auto const &part : {Part{Words::tr("Result"), &facts.head}, Part{Words::tr("What does not fit"), &facts.overflow},
                             Part{Words::tr("Machine"), &facts.machine}, Part{Words::tr("Size"), &facts.counts},
                             Part{Words::tr("Provenance"), &facts.provenance}}) {
        if (part.figures->isEmpty()) continue;
        ExportTable table;
        table.name = part.name;
        table.columns = {Words::tr("Figure"), Words::tr("Value"), Words::tr("Exact value"), Words::tr("Origin"), Words::tr("Note")};
        if (baseline) table.columns << Words::tr("Baseline") << Words::tr("Difference");
        for (auto const &f : *part.figures) {
            QStringList row{f.label, quantityText(f), exactText(f), originText(f.origin), f.note};
            if (baseline) {
                auto const *old = findFigure(*baseline, f.id);
                row << (old ? quantityText(*old) : QString()) << (old ? changeOf(f, *old).text : QString());
            }
            table.rows << row;
        }
        tables << table;
    }
    if (!facts.splits.isEmpty()) {
        ExportTable table;
        table.name = facts.splitCaption;
        table.columns << Words::tr("IPU");
        for (auto const &part : facts.splits.first().parts) table.columns << part.label;
        for (auto const &bar : facts.splits) {
            QStringList row{bar.label};
            for (auto const &part : bar.parts) row << QString::number(part.amount);
            table.rows << row;
        }
        tables << table;
    }
    ExportTable insights;
    insights.name = Words::tr("Insights");
    insights.columns = {Words::tr("Severity"), Words::tr("Subject"), Words::tr("Insight"), Words::tr("Gain")};
    for (auto const &insight : data.insights)
        insights.rows << QStringList{severityLabel(insight.severity), insightSubject(insight, data), insightText(insight).title,
                                     insightGain(insight, data)};
    if (!insights.rows.isEmpty()) tables << insights;
    ExportTable options;
    options.name = Words::tr("Options that differ from their default");
    options.columns = {Words::tr("Scope"), Words::tr("Option"), Words::tr("Value"), Words::tr("Default")};
    for (auto const &option : data.options)
        if (!option.defaultValue || option.value != *option.defaultValue)
            options.rows << QStringList{text(option.scope), text(option.name), text(option.value),
                                        option.defaultValue ? text(*option.defaultValue) : QString()};
    if (!options.rows.isEmpty()) tables << options;
    return tables;
}

QString summaryMarkdown(QString const &title, SummaryFacts const &facts, SummaryFacts const *baseline, report::ReportData const &data)
{
    QString out = QStringLiteral("# %1\n\n%2\n").arg(title, summaryHeadline(facts));
    for (auto const &table : summaryTables(facts, baseline, data))
        out += QStringLiteral("\n## %1\n\n%2").arg(table.name, toMarkdown(table));
    return out;
}

} // namespace tilewright::views
