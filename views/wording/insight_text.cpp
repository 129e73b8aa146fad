#include "views/wording/insight_text.h"

#include "views/common/format.h"
#include "views/wording/labels.h"
#include "views/wording/stage_words.h"
#include "views/wording/quantity.h"
#include "views/wording/run_costs.h"

#include "views/common/words.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QStringList>

namespace tilewright::views {

using namespace report;

namespace {

template <typename T> T const *rowOf(std::vector<T> const &rows, int id)
{
    return id >= 0 && id < static_cast<int>(rows.size()) ? &rows[static_cast<std::size_t>(id)] : nullptr;
}

/// An unknown rule: its code and its plain figures.
InsightText generic(InsightRow const &insight, QJsonObject const &numbers)
{
    InsightText out;
    out.known = false;
    out.title = Words::tr("Insight “%1”").arg(text(insight.rule));
    QStringList figures;
    for (auto it = numbers.begin(); it != numbers.end(); ++it) {
        if (it.value().isDouble()) figures << QStringLiteral("%1 = %2").arg(it.key(), numberText(it.value().toDouble()));
        else if (it.value().isString()) figures << QStringLiteral("%1 = %2").arg(it.key(), it.value().toString());
    }
    out.sentence = figures.isEmpty() ? Words::tr("The report holds no figures for it.") : figures.join(QStringLiteral(" · "));
    return out;
}

} // namespace

QJsonArray InsightNumbers::list(char const *key) const { return m_object.value(QLatin1String(key)).toArray(); }

InsightText insightText(InsightRow const &insight)
{
    auto const object = QJsonDocument::fromJson(QByteArray::fromStdString(insight.numbers)).object();
    InsightNumbers const numbers(object);
    InsightText out;
    if (!fillRuleText(insight.rule, numbers, out) || numbers.missing()) return generic(insight, object);
    return out;
}

QString insightSubject(InsightRow const &insight, ReportData const &data)
{
    auto const &kind = insight.subjectKind;
    int const id = insight.subjectId;
    if (kind == "tile") return tileLabel(data, id);
    if (kind == "ipu") return Words::tr("IPU %1").arg(id);
    if (kind == "stage") {
        auto const *row = rowOf(data.stages, id);
        return row ? stageLabel(row->name) : Words::tr("Stage %1").arg(id);
    }
    if (kind == "run") {
        auto const *row = rowOf(data.runs, id);
        return row ? (row->name.empty() ? runKindLabel(row->kind) : text(row->name)) : Words::tr("The schedule");
    }
    if (kind == "op")
        if (auto const *row = rowOf(data.ops, id)) return text(row->name);
    if (kind == "compute_set")
        if (auto const *row = rowOf(data.computeSets, id)) return text(row->name);
    if (kind == "variable")
        if (auto const *row = rowOf(data.variables, id)) return text(row->name);
    auto const numbers = QJsonDocument::fromJson(QByteArray::fromStdString(insight.numbers)).object();
    if (auto const name = numbers.value(QLatin1String("name")).toString(); !name.isEmpty()) return name;
    if (kind == "variable")
        if (auto const name = numbers.value(QLatin1String("largest")).toArray().at(0).toObject().value(QLatin1String("name")).toString();
            !name.isEmpty())
            return name;
    if (kind == "option") {
        auto const action = QJsonDocument::fromJson(QByteArray::fromStdString(insight.action)).object();
        auto const path = action.value(QLatin1String("set")).toArray().at(0).toObject().value(QLatin1String("path")).toString();
        return path.isEmpty() ? Words::tr("Configuration") : path;
    }
    return id >= 0 ? QStringLiteral("%1 %2").arg(text(kind)).arg(id) : text(kind);
}

Destination insightDestination(InsightRow const &insight, ReportData const &data)
{
    auto const &kind = insight.subjectKind;
    auto const ids = [&](SelectionKind selection, QString const &view) {
        Destination target;
        target.view = view;
        target.selected.kind = selection;
        target.selected.ids = {insight.subjectId};
        return target;
    };
    if (kind == "option") {
        Destination target;
        target.view = QStringLiteral("config");
        target.selected.kind = SelectionKind::Option;
        target.selected.name = insightSubject(insight, data);
        return target;
    }
    if (insight.subjectId < 0) return {QStringLiteral("execution"), {}};
    if (kind == "tile") return ids(SelectionKind::Tile, QStringLiteral("memory"));
    bool const memory = insight.rule.starts_with("memory.");
    if (kind == "ipu") return ids(SelectionKind::Ipu, memory ? QStringLiteral("memory") : QStringLiteral("execution"));
    if (kind == "stage") return ids(SelectionKind::Stage, QStringLiteral("execution"));
    if (kind == "op") return ids(SelectionKind::Op, QStringLiteral("operations"));
    if (kind == "compute_set") return ids(SelectionKind::ComputeSet, QStringLiteral("operations"));
    if (kind == "variable") return ids(SelectionKind::Variable, QStringLiteral("liveness"));
    if (kind == "run") return {QStringLiteral("execution"), {}};
    return {};
}

Cycles patternCycles(ReportData const &data)
{
    auto const frame = runFrame(data);
    if (frame.patterns > 0) return frame.cycles / frame.patterns;
    // While only the head is loaded, cycles of a step replace those of the schedule.
    return frame.steps > 0 ? frame.cycles / frame.steps : 0;
}

bool patternIsExecution(ReportData const &data) { return !data.patterns.empty() && data.patterns.front().name == "Execution"; }

QString scheduleTitle(ReportData const &data)
{
    return patternIsExecution(data) ? Words::tr("Schedule of one execution (modelled)")
                                    : Words::tr("Schedule of one weight update (modelled)");
}

QList<Quantity> gainQuantities(InsightRow const &insight)
{
    // Without a change in the project nothing was tried, so no gain is stated. An excess over a limit is a fact, not a gain.
    if (insight.action.empty() && insight.rule != kMisfitRule) return {};
    QList<Quantity> gains;
    auto const add = [&](QuantityKind kind, std::optional<std::int64_t> value, QString const &source) {
        if (value && *value > 0) gains << Quantity{kind, static_cast<double>(*value), {}, Origin::Modelled, source};
    };
    add(QuantityKind::Cycles, insight.gainCycles, Words::tr("the schedule, an upper bound"));
    add(QuantityKind::Bytes, insight.gainBytes, Words::tr("the placement by this compile"));
    return gains;
}

namespace {

/// What the cycles of the schedule belong to.
enum class Whole { Step, Update, Execution };

QString gainOf(Whole whole)
{
    switch (whole) {
    case Whole::Step: return Words::tr("up to %1, %2 of a step");
    case Whole::Update: return Words::tr("up to %1, %2 of a weight update");
    case Whole::Execution: return Words::tr("up to %1, %2 of an execution of several steps");
    }
    return {};
}

/// `all`: cycles of the schedule, for a share; 0: no share.
QString gainText(InsightRow const &insight, Cycles all, Whole whole)
{
    QStringList words;
    for (auto const &gain : gainQuantities(insight)) {
        QString const value = quantityText(gain);
        if (gain.kind == QuantityKind::Bytes)
            words << (insight.rule == kMisfitRule ? Words::tr("%1 too much on the worst tile") : Words::tr("up to %1 on the worst tile"))
                         .arg(value);
        else if (all > 0) words << gainOf(whole).arg(value, shareText(*gain.value / static_cast<double>(all)));
        else words << Words::tr("up to %1").arg(value);
    }
    return words.isEmpty() ? QString() : withOrigin(words.join(QStringLiteral(" · ")), Origin::Modelled);
}

} // namespace

QString insightGain(InsightRow const &insight, ReportData const &data)
{
    auto const frame = runFrame(data);
    auto const whole = patternIsExecution(data)              ? Whole::Execution
        : frame.patterns > 0 && frame.steps > frame.patterns ? Whole::Update
                                                             : Whole::Step;
    return gainText(insight, patternCycles(data), whole);
}

QString shortGain(InsightRow const &insight) { return gainText(insight, 0, Whole::Step); }

QString insightKey(InsightRow const &insight, ReportData const &data)
{
    return text(insight.rule) + QLatin1Char('|') + insightSubject(insight, data);
}

} // namespace tilewright::views
