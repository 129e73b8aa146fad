#pragma once

#include "engine/report/tables.h"
#include "views/subjects/links.h"
#include "views/widgets/stacked_bar.h"

#include <QList>
#include <QString>

#include <optional>

// Content of Summary, as values computed from a report's tables only.
namespace tilewright::views {

struct ExportTable;

enum class FigureKind { Words, Count, Bytes, Cycles, Seconds, Share, Rate, Hertz };
enum class Better { Neither, Higher, Lower };

struct Figure {
    QString id; ///< stable: "worst_tile", …
    QString label;
    FigureKind kind = FigureKind::Words;
    std::optional<double> value; ///< nullopt: unknown (yet)
    QString words;               ///< of FigureKind::Words
    QString origin;              ///< "modelled", "measured here" or "" for plain facts
    QString note;                ///< smaller, beside it: "tile 12: 212 of 624 KiB"
    QString tip;
    Better better = Better::Neither;
    double samples = 0; ///< of its step; 0: no step, or unknown
    Destination target;
    bool isKnown() const { return value.has_value() || !words.isEmpty(); }
};
QString figureText(Figure const &figure);
QString figureExact(Figure const &figure); ///< C locale

/// "+12 % (worse)": difference of `figure` from that of the baseline.
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
    QList<Figure> overflow; ///< parts that do not fit, worst first; empty if everything fits
    QList<Bar> splits;      ///< one per IPU, cycles of a step
    QString splitCaption;
};
/// `whole`: tables beyond the head are available.
SummaryFacts summaryFacts(report::ReportData const &data, bool whole);
Figure const *findFigure(SummaryFacts const &facts, QString const &id);

/// The answer in one line: fits or not, step time, throughput, utilisation.
QString summaryHeadline(SummaryFacts const &facts);
QList<ExportTable> summaryTables(SummaryFacts const &facts, SummaryFacts const *baseline, report::ReportData const &data);
QString summaryMarkdown(QString const &title, SummaryFacts const &facts, SummaryFacts const *baseline, report::ReportData const &data);

} // namespace tilewright::views
