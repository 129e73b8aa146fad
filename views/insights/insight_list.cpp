#include "views/insights/insight_list.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/insight_text.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>
#include <tuple>

namespace tilewright::views {

using namespace report;

namespace {

constexpr double kSame = 0.01; ///< relative difference below which there is no trend

int rank(std::string const &severity)
{
    if (severity == "error") return 0;
    if (severity == "warning") return 1;
    return severity == "advice" ? 2 : 3;
}

/// Size of an insight, to compare it with itself: its possible gain, otherwise its share.
double weight(InsightRow const &row)
{
    if (row.gainCycles) return static_cast<double>(*row.gainCycles);
    if (row.gainBytes) return static_cast<double>(*row.gainBytes);
    auto const numbers = QJsonDocument::fromJson(QByteArray::fromStdString(row.numbers)).object();
    for (char const *key : {"share", "factor", "live", "temporary_bytes", "bytes"})
        if (numbers.contains(QLatin1String(key))) return numbers.value(QLatin1String(key)).toDouble();
    return 0;
}

Trend trendOf(double now, double before)
{
    double const limit = kSame * std::max(std::abs(now), std::abs(before));
    if (now > before + limit) return Trend::Worse;
    return now + limit < before ? Trend::Improved : Trend::Same;
}

} // namespace

QString trendText(Trend trend)
{
    switch (trend) {
    case Trend::Unknown:
    case Trend::Same: break;
    case Trend::New: return Words::tr("new");
    case Trend::Worse: return Words::tr("worse");
    case Trend::Improved: return Words::tr("improved");
    }
    return {};
}

InsightList listInsights(ReportData const &data, ReportData const *baseline, QMap<QString, QString> const &suppressed)
{
    InsightList list;
    list.compared = baseline != nullptr;
    std::map<QString, double> before;
    if (baseline)
        for (auto const &row : baseline->insights) before.emplace(insightKey(row, *baseline), weight(row));
    std::map<QString, bool> present;
    for (std::size_t i = 0; i < data.insights.size(); ++i) {
        auto const &row = data.insights[i];
        InsightItem item;
        item.row = static_cast<int>(i);
        item.key = insightKey(row, data);
        present[item.key] = true;
        if (auto const it = suppressed.find(item.key); it != suppressed.end()) {
            item.suppressed = true;
            item.reason = it.value();
            ++list.suppressed;
        }
        if (baseline) {
            auto const old = before.find(item.key);
            item.trend = old == before.end() ? Trend::New : trendOf(weight(row), old->second);
            list.fresh += item.trend == Trend::New;
            list.worse += item.trend == Trend::Worse;
            list.improved += item.trend == Trend::Improved;
        }
        list.items.push_back(std::move(item));
    }
    auto const order = [&](InsightItem const &item) {
        auto const &row = data.insights[static_cast<std::size_t>(item.row)];
        return std::tuple(item.suppressed, rank(row.severity), -row.gainCycles.value_or(0), -row.gainBytes.value_or(0));
    };
    std::ranges::stable_sort(list.items, [&](auto const &a, auto const &b) { return order(a) < order(b); });
    chooseBest(list, data, {});
    if (baseline)
        for (std::size_t i = 0; i < baseline->insights.size(); ++i)
            if (!present.contains(insightKey(baseline->insights[i], *baseline))) list.cured.push_back(static_cast<int>(i));
    return list;
}

void chooseBest(InsightList &list, ReportData const &data, std::vector<int> const &fruitless)
{
    // The best insight has a change that the project can apply, and the greatest gain among those. Without any, insights that need action
    // come
    // first, without a promised gain; a note needs no action.
    list.best = -1;
    list.promises = false;
    auto most = std::tuple(-1.0, Cycles{-1}, Bytes{-1});
    int first = -1;
    for (int i = 0; i < static_cast<int>(list.items.size()); ++i) {
        auto const &item = list.items[static_cast<std::size_t>(i)];
        if (item.suppressed) continue;
        auto const &row = data.insights[static_cast<std::size_t>(item.row)];
        if (first < 0 && row.severity != "note") first = i;
        if (row.action.empty() || std::ranges::find(fruitless, item.row) != fruitless.end()) continue;
        if (auto const gain = std::tuple(item.tried, row.gainCycles.value_or(0), row.gainBytes.value_or(0)); gain > most) {
            most = gain;
            list.best = i;
        }
    }
    // A program that does not fit precedes any gain.
    bool const misfit =
        first >= 0 && data.insights[static_cast<std::size_t>(list.items[static_cast<std::size_t>(first)].row)].severity == "error";
    list.promises = list.best >= 0 && !misfit;
    if (!list.promises) list.best = first;
}

bool concerns(InsightRow const &insight, Selected const &selected, Lineage const &lineage, ReportData const &data)
{
    auto const &kind = insight.subjectKind;
    int const id = insight.subjectId;
    bool const ofMachine = selected.kind == SelectionKind::Ipu || selected.kind == SelectionKind::Stage;
    bool const ofProgram =
        selected.kind == SelectionKind::Op || selected.kind == SelectionKind::Program || selected.kind == SelectionKind::Layer;
    if ((insight.rule == "host.stream-bound" || insight.rule == "remote.copy-bound") && ofProgram)
        for (int program = 0; program < static_cast<int>(data.programs.size()); ++program)
            if (Lineage::has(lineage.programs, program) && data.programs[static_cast<std::size_t>(program)].kind == "stream_copy")
                return true;
    if (kind == "ipu") return ofMachine && Lineage::has(lineage.ipus, id);
    if (kind == "tile") return (ofMachine || selected.kind == SelectionKind::Tile) && Lineage::has(lineage.tiles, id);
    if (selected.kind == SelectionKind::None) return false;
    if (kind == "stage") return Lineage::has(lineage.stages, id);
    if (kind == "op") return Lineage::has(lineage.ops, id);
    if (kind == "compute_set") return Lineage::has(lineage.computeSets, id);
    return kind == "variable" && Lineage::has(lineage.variables, id);
}

QString insightsHeadline(InsightList const &list, ReportData const &data)
{
    int const shown = static_cast<int>(list.items.size()) - list.suppressed;
    QStringList words;
    if (shown == 0)
        words << (list.suppressed > 0 ? Words::tr("No open insights") : Words::tr("No insights: nothing here would be worth changing"));
    else words << Words::tr("%Ln insight(s)", nullptr, shown);
    if (list.best >= 0) {
        auto const &item = list.items[static_cast<std::size_t>(list.best)];
        auto const &row = data.insights[static_cast<std::size_t>(item.row)];
        // Short form without a second share; the card below shows everything. In quotes: it begins with a capital letter.
        auto best = Words::tr("“%1”").arg(insightText(row).title.section(QLatin1String(": "), 0, 0));
        auto const tried = item.tried > 0 ? Words::tr("%1 more samples/s (modelled)").arg(shareText(item.tried)) : QString();
        if (auto const gain = tried.isEmpty() ? shortGain(row) : tried; !gain.isEmpty()) best += QStringLiteral(", ") + gain;
        words << (list.promises ? Words::tr("largest gain: %1") : Words::tr("most severe: %1")).arg(best);
    }
    if (list.suppressed > 0) words << Words::tr("%1 suppressed").arg(countText(list.suppressed));
    if (list.compared && list.fresh + list.worse + list.improved + static_cast<int>(list.cured.size()) > 0)
        words << Words::tr("since the baseline: %1 new, %2 worse, %3 cured")
                     .arg(countText(list.fresh), countText(list.worse), countText(static_cast<int>(list.cured.size())));
    return words.join(QStringLiteral(" · "));
}

QMap<QString, QString> suppressedInsights(project::Notes const &notes)
{
    QMap<QString, QString> reasons;
    for (auto const &[key, reason] : notes.suppressed) reasons.insert(QString::fromStdString(key), QString::fromStdString(reason));
    return reasons;
}

} // namespace tilewright::views
