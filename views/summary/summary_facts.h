#pragma once

#include "engine/report/tables.h"
#include "views/subjects/links.h"
#include "views/widgets/stacked_bar.h"

#include <QList>
#include <QString>

#include <optional>

// Everything Summary says, as values computed from a report's tables alone.
namespace tilewright::views {

struct ExportTable;

enum class FigureKind { Words, Count, Bytes, Cycles, Seconds, Share, Rate, Hertz };
enum class Better { Neither, Higher, Lower };

struct Figure {
    QString id; ///< stable: "worst_tile", …
    QString label;
    FigureKind kind = FigureKind::Words;
    std::optional<double> value; ///< empty: not known (yet)
    QString words;               ///< of FigureKind::Words
    QString origin;              ///< "modelled", "measured here" or "" for plain facts
    QString note;                ///< smaller, beside it: "tile 12: 212 of 624 KiB"
    QString tip;
    Better better = Better::Neither;
    double samples = 0; ///< of the step it is of; 0: of none, or not known
    Target target;
    bool isKnown() const { return value.has_value() || !words.isEmpty(); }
};
QString figureText(Figure const &figure);
QString figureExact(Figure const &figure); ///< C locale

/// "+12 % (worse)": how `figure` differs from the same one of the baseline.
struct FigureChange {
    QString text;
    int direction = 0; ///< +1 better, -1 worse, 0 neither or equal
    bool same = false;
};
FigureChange changeOf(Figure const &figure, Figure const &baseline);

struct SummaryFacts {
    bool isWhole = false;
    bool hasVerdict = false, fits = true;
    QList<Figure> head, machine, counts, provenance;
    QList<Figure> overflow; ///< what does not fit, worst first; empty when all fits
    QList<Bar> splits;      ///< one per IPU, cycles of a step
    QString splitCaption;
};
/// `whole`: tables beyond the head are filled.
SummaryFacts summaryFacts(report::ReportData const &data, bool whole);
Figure const *findFigure(SummaryFacts const &facts, QString const &id);

/// The answer in one line: fits or not, step time, throughput, utilisation.
QString summaryHeadline(SummaryFacts const &facts);
QList<ExportTable> summaryTables(SummaryFacts const &facts, SummaryFacts const *baseline, report::ReportData const &data);
QString summaryMarkdown(QString const &title, SummaryFacts const &facts, SummaryFacts const *baseline, report::ReportData const &data);

} // namespace tilewright::views
