#include "views/operations/op_describe.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/labels.h"
#include "views/wording/quantity.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

using namespace report;

namespace {

constexpr int kListed = 8;

QString planText(QJsonObject const &plan)
{
    auto const split = plan.value(QLatin1String("split")).toObject();
    auto const n = [&](char const *key) { return countText(split.value(QLatin1String(key)).toInteger()); };
    QStringList words{Words::tr("%1 × %2 × %3 parts").arg(n("rows"), n("inner"), n("columns"))};
    // Ranges of columns of a single product, or the largest number of splits in a group.
    auto series = split.value(QLatin1String("serial")).toInteger();
    for (auto const &splits : plan.value(QLatin1String("splits")).toObject())
        series = std::max(series, splits.toObject().value(QLatin1String("count")).toInteger());
    if (series > 1) words << Words::tr("%1 in series").arg(countText(series));
    int const tiles = pluralOf(plan.value(QLatin1String("tiles")).toInteger());
    words << Words::tr("%Ln tile(s)", nullptr, tiles);
    words << Words::tr("%1 temporary").arg(bytesText(plan.value(QLatin1String("temporary_bytes")).toInteger()));
    return words.join(QStringLiteral(", "));
}

std::int64_t planCycles(QJsonObject const &plan)
{
    return plan.value(QLatin1String("cycles")).toObject().value(QLatin1String("total")).toInteger();
}

QString phrase(QString key) { return key.replace(QLatin1Char('_'), QLatin1Char(' ')); }

} // namespace

FactSection planSection(std::string const &planJson, double mean, bool measured)
{
    FactSection section{Words::tr("Plan"), {}};
    auto const plan = QJsonDocument::fromJson(QByteArray::fromStdString(planJson)).object();
    auto const chosen = plan.value(QLatin1String("chosen")).toObject();
    if (chosen.isEmpty()) return section;
    if (auto const problem = plan.value(QLatin1String("problem")).toObject(); !problem.isEmpty())
        section.facts << Fact{Words::tr("Product"),
                              Words::tr("%1 × %2 × %3, %4")
                                  .arg(problem.value(QLatin1String("m")).toInteger())
                                  .arg(problem.value(QLatin1String("k")).toInteger())
                                  .arg(problem.value(QLatin1String("n")).toInteger())
                                  .arg(problem.value(QLatin1String("type")).toString())};
    auto const estimated = planCycles(chosen);
    section.facts << Fact{Words::tr("Chosen"), planText(chosen)};
    if (!chosen.value(QLatin1String("within_memory_bound")).toBool(true))
        section.facts << Fact{Words::tr("Memory"), Words::tr("more than it was allowed")};
    section.facts << Fact{Words::tr("Estimated"), Words::tr("%1 with all its passes").arg(cyclesText(estimated))};
    if (mean > 0)
        section.facts << Fact{
            Words::tr("Came to"),
            Words::tr("%1 an execution of this operation (%2)").arg(cyclesText(std::llround(mean)), cyclesOrigin(measured))};
    if (auto const group = plan.value(QLatin1String("group")).toObject(); !group.isEmpty()) {
        bool const apart = group.value(QLatin1String("planned")) == QLatin1String("apart");
        auto const cycles = [&group](char const *key) { return cyclesText(group.value(QLatin1String(key)).toInteger()); };
        auto const together = cycles("cycles_together"), own = cycles("cycles_apart");
        QString const why = group.value(QLatin1String("for_memory")).toBool()
            ? Words::tr("planned together, which takes less memory: %1 in all, on grids of their own %2")
            : Words::tr("planned together: %1 in all, on grids of their own %2");
        section.facts << Fact{Words::tr("%Ln product(s) of the weights", nullptr, group.value(QLatin1String("products")).toInt()),
                              apart ? Words::tr("planned apart: %1 in all, on one grid %2").arg(own, together) : why.arg(together, own)};
    }
    auto const parts = chosen.value(QLatin1String("cycles")).toObject();
    for (auto it = parts.begin(); it != parts.end(); ++it)
        if (it.key() != QLatin1String("total") && it.value().toInteger() > 0)
            section.facts << Fact{phrase(it.key()), cyclesText(it.value().toInteger())};
    int number = 1;
    for (auto const &entry : plan.value(QLatin1String("alternatives")).toArray()) {
        auto const other = entry.toObject();
        auto const cycles = planCycles(other);
        QString const difference =
            estimated > 0 ? shareText(std::abs(static_cast<double>(cycles - estimated)) / static_cast<double>(estimated)) : QString();
        section.facts << Fact{Words::tr("Alternative %1").arg(number++),
                              Words::tr("%1: %2, %3")
                                  .arg(planText(other), cyclesText(cycles),
                                       cycles >= estimated ? Words::tr("%1 more").arg(difference) : Words::tr("%1 less").arg(difference))};
    }
    return section;
}

QList<FactSection> describeOperation(OpTableView const &view, int row)
{
    auto const &d = view.report->data();
    auto const &one = view.row(row);
    QList<FactSection> sections;
    FactSection what{{}, {}};
    auto const *op = view.op(row);
    if (op) {
        what.facts << Fact{Words::tr("Kind"),
                           QStringLiteral("%1 · %2 · %3").arg(text(op->kind), levelLabel(op->level), passLabel(op->pass))};
        if (auto const layer = view.report->layerOf(one.op); !layer.isEmpty())
            what.facts << Fact{Words::tr("Layer"), layer, {}, destination(SelectionKind::Layer, layer, QStringLiteral("canvas"))};
        if (op->stage >= 0 && op->stage < static_cast<int>(d.stages.size()))
            what.facts << Fact{Words::tr("Stage"),
                               text(d.stages[static_cast<std::size_t>(op->stage)].name),
                               {},
                               destination(SelectionKind::Stage, op->stage, QStringLiteral("plan"))};
        what.facts << Fact{Words::tr("Program"),
                           Words::tr("%Ln step(s)", nullptr, static_cast<int>(view.report->programsOfOp(one.op).size())),
                           {},
                           destination(SelectionKind::Op, one.op, QStringLiteral("program"))};
        what.facts << Fact{Words::tr("Memory"),
                           Words::tr("variables %1, code %2")
                               .arg(bytesText(one.variableBytes), bytesText(static_cast<std::int64_t>(std::llround(one.codeAttributed)))),
                           {},
                           destination(SelectionKind::Op, one.op, QStringLiteral("memory"))};
    }
    FactSection cost{Words::tr("Cost"), {}};
    if (one.cost.cycles > 0) {
        cost.facts << Fact{
            Words::tr("Cycles"), withOrigin(stepCyclesText(view.table.ofStep(one.cost.cycles)), originOfCycles(view.frame.measured)),
            stepCyclesHelp(view.table.ipus()), op ? destination(SelectionKind::Op, one.op, QStringLiteral("execution")) : Destination{}};
        cost.facts << Fact{Words::tr("Executions"), countText(one.cost.executions)};
        for (int p = 0; p < kPhases; ++p)
            if (auto const cycles = one.cost.byPhase[static_cast<std::size_t>(p)]; cycles > 0)
                cost.facts << Fact{
                    phaseLabel(static_cast<Phase>(p)),
                    QStringLiteral("%1 · %2").arg(cyclesText(std::llround(cyclesPerStep(view.frame, cycles, view.table.ipu))),
                                                  shareText(static_cast<double>(cycles) / static_cast<double>(one.cost.cycles)))};
    }
    if (auto const amount = view.cycles(row); view.table.compared && (amount.before || amount.now)) {
        if (amount.before) cost.facts << Fact{Words::tr("In %1").arg(view.beforeName), cyclesText(std::llround(*amount.before))};
        cost.facts << Fact{Words::tr("Difference"),
                           QStringLiteral("%1 · %2").arg(amountDifferenceText(AmountUnit::Cycles, amount), amountChangeText(amount))};
    }
    sections << what << cost;
    if (!op) return sections;
    sections << planSection(op->plan, one.mean, view.frame.measured);
    FactSection below{Words::tr("Made of"), {}};
    auto const children = view.report->childOps(one.op);
    for (int const child : children) {
        if (below.facts.size() >= kListed) break;
        auto const &inner = d.ops[static_cast<std::size_t>(child)];
        below.facts << Fact{text(inner.kind), opLabel(inner), {}, destination(SelectionKind::Op, child)};
    }
    if (static_cast<int>(children.size()) > kListed)
        below.facts << Fact{Words::tr("and"), Words::tr("%1 more").arg(countText(static_cast<std::int64_t>(children.size()) - kListed))};
    sections << below;
    return sections;
}

QList<Bar> breakdownBars(OpTableView const &view, std::vector<int> const &chosen, std::vector<int> const &shown)
{
    QList<Bar> bars;
    auto const add = [&](QString const &label, std::vector<int> const &rows) {
        auto const sum = sumOf(view.table, rows);
        if (sum.cost.cycles <= 0) return;
        Bar bar{label, {}, -1};
        for (int p = 0; p < kPhases; ++p) {
            auto const phase = static_cast<Phase>(p);
            auto const cycles = sum.cost.of(phase);
            bar.parts << BarPart{phaseToken(phase), phaseLabel(phase), cycles,
                                 withOrigin(stepCyclesText(view.table.ofStep(cycles)), originOfCycles(view.frame.measured))};
        }
        bars << bar;
    };
    if (!chosen.empty()) add(Words::tr("Chosen"), chosen);
    add(Words::tr("Shown"), shown);
    return bars;
}

QString totalsText(OpTableView const &view, std::vector<int> const &rows, QString const &what)
{
    auto const sum = sumOf(view.table, rows);
    QStringList words{Words::tr("%1 %2 of %3 operations").arg(what, countText(sum.operations), countText(view.table.operations()))};
    if (sum.cost.cycles > 0) words << withOrigin(stepCyclesText(view.table.ofStep(sum.cost.cycles)), originOfCycles(view.frame.measured));
    if (view.table.compared && view.knowsCycles && sum.cyclesBefore > 0) {
        ComparedAmount const amount{sum.cyclesBefore, cyclesPerStep(view.frame, sum.cost.cycles, view.table.ipu), view.fair};
        words << Words::tr("%1 in %2 (%3)").arg(cyclesText(std::llround(sum.cyclesBefore)), view.beforeName, amountChangeText(amount));
    }
    if (sum.cost.bytesMoved > 0) words << Words::tr("%1 moved in a step").arg(bytesText(view.table.bytesOfStep(sum.cost)));
    words << Words::tr("%1 code").arg(bytesText(static_cast<std::int64_t>(std::llround(sum.codeAttributed))));
    return words.join(QStringLiteral(" · "));
}

} // namespace tilewright::views
