#pragma once

#include "engine/report/tables.h"
#include "views/subjects/links.h"

#include <QJsonObject>
#include <QString>

namespace tilewright::views {

/// An insight in words. The rules' codes and numbers are the engine's; the sentences are here.
struct InsightText {
    QString title;     ///< what is, with its most important figure
    QString message;   ///< why it matters and what could be done
    bool known = true; ///< false: the rule is unknown here and the text shows its numbers as they are
};
InsightText insightText(report::InsightRow const &insight);

/// What the insight is about: "Tile 12", "dense/MatMul", "IPU 0".
QString insightSubject(report::InsightRow const &insight, report::ReportData const &data);
Target insightTarget(report::InsightRow const &insight, report::ReportData const &data);

/// What following it could bring at most: "up to 14 318 cycles, 17 % of a step (modelled)"; "" without.
QString insightGain(report::InsightRow const &insight, report::ReportData const &data);
/// Cycles of the schedule (one weight update) that gains are measured against; 0: not known.
Cycles patternCycles(report::ReportData const &data);

/// The same finding in two reports: rule and subject by name, not by number.
QString insightKey(report::InsightRow const &insight, report::ReportData const &data);

/// A rule's figures. Reading one that is not there is remembered.
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

/// Fills the text of one rule; false: there is no such rule. See insight_rules.cpp.
bool fillRuleText(std::string const &rule, InsightNumbers const &numbers, InsightText &out);

} // namespace tilewright::views
