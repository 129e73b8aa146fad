#pragma once

#include "engine/report/tables.h"
#include "views/subjects/links.h"
#include "views/widgets/stacked_bar.h"
#include "views/wording/quantity.h"

#include <QList>
#include <QString>

#include <optional>

// Content of Summary, as values computed from a report's tables only.
namespace tilewright::views {

struct ExportTable;

enum class Better { Neither, Higher, Lower };

/// A quantity of Summary with its name.
struct Figure : Quantity {
    QString id; ///< stable: "worst_tile", …
    QString label;
    QString note;  ///< smaller, beside it: "tile 12: 212 of 624 KiB"
    QString tip;   ///< instead of the exact value
    QString whole; ///< of words that are shortened (a hash, a time): for tooltips, exports and comparisons; "": they are not
    Better better = Better::Neither;
    double samples = 0; ///< of its step; 0: no step, or unknown
    Destination target;
};

/// All digits, C locale, and shortened words whole.
QString exactText(Figure const &figure);

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
/// The report's newest run while it goes on: the rows of the report are a few seconds old.
struct RunSoFar {
    std::int64_t steps = 0;
    double hostSeconds = 0; ///< without pauses
};
/// `whole`: tables beyond the head are available. `soFar`: null unless the report's run goes on.
SummaryFacts summaryFacts(report::ReportData const &data, bool whole, RunSoFar const *soFar = nullptr);
/// Renews what changes with every step: duration and number of steps. Returns whether anything did.
bool advanceFacts(SummaryFacts &facts, report::ReportData const &data, RunSoFar const &soFar);
Figure const *findFigure(SummaryFacts const &facts, QString const &id);

/// The answer in one line: fits or not, step time, throughput, utilisation.
QString summaryHeadline(SummaryFacts const &facts);
QList<ExportTable> summaryTables(SummaryFacts const &facts, SummaryFacts const *baseline, report::ReportData const &data);
QString summaryMarkdown(QString const &title, SummaryFacts const &facts, SummaryFacts const *baseline, report::ReportData const &data);

} // namespace tilewright::views
