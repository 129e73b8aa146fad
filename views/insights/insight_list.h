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

/// A finding against the same one of the baseline.
enum class Trend { Unknown, Same, New, Worse, Improved };
QString trendText(Trend trend); ///< "" for Unknown and Same

struct InsightItem {
    int row = 0; ///< of the report's insights
    QString key; ///< the same over reports; what suppression is kept under
    Trend trend = Trend::Unknown;
    bool suppressed = false;
    QString reason; ///< why it is suppressed
};

struct InsightList {
    std::vector<InsightItem> items; ///< by severity, then gain; suppressed ones last
    std::vector<int> cured;         ///< rows of the baseline's insights that are gone
    int suppressed = 0, fresh = 0, worse = 0, improved = 0;
    int best = -1;         ///< index in items of what to do first; -1: none, or only notes
    bool promises = false; ///< of that one: the project can make its change, which gains most of those
    bool compared = false; ///< trends are known
};

/// `baseline` null: no trends. `suppressed`: reason by key.
InsightList listInsights(report::ReportData const &data, report::ReportData const *baseline, QMap<QString, QString> const &suppressed);

/// Chooses the best again: rows of the report in `fruitless` have a change that was tried and brings nothing.
void chooseBest(InsightList &list, report::ReportData const &data, std::vector<int> const &fruitless);

/// Whether a finding is about the selection or a part of it. What is said of a tile or an IPU is no news of each layer
/// and tile that has a share in it: nearly all have. What is said of an IPU's host streams is about the operations that stream.
bool concerns(report::InsightRow const &insight, Selected const &selected, Lineage const &lineage, report::ReportData const &data);

/// "5 findings · best: …".
QString insightsHeadline(InsightList const &list, report::ReportData const &data);

/// Reasons by key, out of a project's notes.
QMap<QString, QString> suppressedInsights(project::Notes const &notes);

} // namespace tilewright::views
