#pragma once

#include "engine/report/tables.h"
#include "views/subjects/links.h"
#include "views/wording/quantity.h"

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

#include <string_view>

namespace tilewright::views {

/// Its remedies are searched for, not proposed by the rule.
inline constexpr std::string_view kMisfitRule = "memory.does-not-fit";

/// An insight in words. The engine supplies rule codes and numbers, this folder supplies the sentences.
struct InsightText {
    QString title;       ///< the insight, with its most important figure
    QString sentence;    ///< its effect
    QStringList details; ///< further figures and facts, a sentence each
    bool known = true;   ///< false: unknown rule; the text shows its numbers unchanged
    /// Sentence and details in one line, for tooltips and files.
    QString message() const { return (QStringList(sentence) + details).join(QLatin1Char(' ')); }
};
InsightText insightText(report::InsightRow const &insight);

/// The object of the insight: "Tile 12", "dense/MatMul", "IPU 0".
QString insightSubject(report::InsightRow const &insight, report::ReportData const &data);
Destination insightDestination(report::InsightRow const &insight, report::ReportData const &data);

/// Largest possible gain: "up to 14 318 cycles, 17 % of a step (modelled)"; empty if there is none.
QString insightGain(report::InsightRow const &insight, report::ReportData const &data);
/// The same without shares, for a line that has the insight's own share already.
QString shortGain(report::InsightRow const &insight);
/// The gain as quantities with their source, for tooltips; empty if there is none.
QList<Quantity> gainQuantities(report::InsightRow const &insight);
/// Cycles of the schedule (one weight update, or one execution), the reference for gains; 0: not known.
Cycles patternCycles(report::ReportData const &data);
/// Whether the schedule is that of one execution of several steps, because transfers overlap from step to step.
bool patternIsExecution(report::ReportData const &data);
/// Title of the schedule.
QString scheduleTitle(report::ReportData const &data);

/// Identity of an insight across two reports: its rule and the name of its subject.
QString insightKey(report::InsightRow const &insight, report::ReportData const &data);

/// The figures of a rule. Records a read of a missing figure.
class InsightNumbers {
public:
    explicit InsightNumbers(QJsonObject object) : m_object(std::move(object)) {}
    std::int64_t whole(char const *key) const { return value(key).toInteger(); }
    double number(char const *key) const { return value(key).toDouble(); }
    QString word(char const *key) const { return value(key).toString(); }
    QJsonObject object(char const *key) const { return m_object.value(QLatin1String(key)).toObject(); }
    QJsonArray list(char const *key) const;
    bool has(char const *key) const { return m_object.contains(QLatin1String(key)); }
    bool missing() const { return m_missing; }
    QJsonObject const &all() const { return m_object; }

private:
    QJsonValue value(char const *key) const
    {
        m_missing = m_missing || !has(key);
        return m_object.value(QLatin1String(key));
    }
    QJsonObject m_object;
    mutable bool m_missing = false;
};

/// Fills in the text of one rule; false: unknown rule. See insight_rules.cpp.
bool fillRuleText(std::string const &rule, InsightNumbers const &numbers, InsightText &out);

} // namespace tilewright::views
