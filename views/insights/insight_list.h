#pragma once

#include "engine/project/notes.h"
#include "engine/report/tables.h"
#include "views/session/selection.h"

#include <QList>
#include <QMap>
#include <QString>

#include <string>
#include <vector>

namespace tilewright::views {

/// Change of an insight against the baseline.
enum class Trend { Unknown, Same, New, Worse, Improved };
QString trendText(Trend trend); ///< "" for Unknown and Same

struct InsightItem {
    int row = 0; ///< of the report's insights
    QString key; ///< stable over reports; key of suppression
    Trend trend = Trend::Unknown;
    bool suppressed = false;
    QString reason;   ///< of its suppression
    double tried = 0; ///< samples per second that its tried change adds, as a share; 0: not tried, or not more
};

struct InsightList {
    std::vector<InsightItem> items; ///< by severity, then gain; suppressed ones last
    std::vector<int> cured;         ///< rows of the baseline's insights that no longer occur
    int suppressed = 0, fresh = 0, worse = 0, improved = 0;
    int best = -1;         ///< index in items of the one for the headline; -1: none, or only notes
    bool promises = false; ///< its change can be made and has the largest gain
    bool compared = false; ///< trends are available
};

/// `baseline` null: no trends. `suppressed`: reason by key.
InsightList listInsights(report::ReportData const &data, report::ReportData const *baseline, QMap<QString, QString> const &suppressed);

/// Selects the best one again: the changes of rows in `fruitless` were tried without effect. What a change was found to bring
/// (InsightItem::tried) precedes what a rule estimates.
void chooseBest(InsightList &list, report::ReportData const &data, std::vector<int> const &fruitless);

/// Whether an insight concerns the selection or a part of it. An insight about a tile or an IPU does not concern every layer and tile with
/// a share in it. An insight about an IPU's host streams concerns the operations that stream.
bool concerns(report::InsightRow const &insight, Selected const &selected, Lineage const &lineage, report::ReportData const &data);

/// "5 insights · largest gain: …".
QString insightsHeadline(InsightList const &list, report::ReportData const &data);

/// Reasons by key, from a project's notes.
QMap<QString, QString> suppressedInsights(project::Notes const &notes);

} // namespace tilewright::views
