#include "views/operations/op_columns.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/wording/labels.h"
#include "views/wording/quantity.h"

#include <QColor>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tilewright::views {

namespace {

using View = std::shared_ptr<OpTableView const>;

Column words(QString title, int width, std::function<QString(int)> cell)
{
    return Column{std::move(title), std::move(cell), {}, {}, {}, false, {}, width};
}

/// A figure that is empty if zero.
Column whole(QString title, std::function<std::int64_t(int)> value, int width = kGrid * 24)
{
    return Column{std::move(title),
                  [value](int row) {
                      auto const v = value(row);
                      return v != 0 ? countText(v) : QString();
                  },
                  [value](int row) { return QVariant::fromValue<qlonglong>(value(row)); },
                  {},
                  {},
                  true,
                  {},
                  width};
}

Column bytes(QString title, std::function<std::int64_t(int)> value)
{
    return Column{std::move(title),
                  [value](int row) {
                      auto const v = value(row);
                      return v != 0 ? bytesText(v) : QString();
                  },
                  [value](int row) { return QVariant::fromValue<qlonglong>(value(row)); },
                  [value](int row) { return bytesExact(value(row)); },
                  {},
                  true,
                  {},
                  kGrid * 22};
}

Column real(QString title, std::function<double(int)> value, int width = kGrid * 22)
{
    return Column{std::move(title),
                  [value](int row) {
                      auto const v = value(row);
                      return v != 0 ? numberText(v) : QString();
                  },
                  [value](int row) { return QVariant(value(row)); },
                  {},
                  {},
                  true,
                  {},
                  width};
}

double ratio(double a, double b) { return b > 0 ? a / b : 0.0; }

void append(std::vector<Column> &columns, std::vector<Column> more) { std::ranges::move(more, std::back_inserter(columns)); }

} // namespace

ComparedAmount OpTableView::cycles(int i) const
{
    auto const &one = row(i);
    if (!knowsCycles) return {};
    ComparedAmount amount{{}, {}, fair};
    if (one.before.there) amount.before = one.before.cyclesOfStep;
    if (!one.gone) amount.now = cyclesPerStep(frame, one.cost.cycles, table.ipu);
    return amount;
}

ComparedAmount OpTableView::bytes(int i, double now, double was) const
{
    ComparedAmount amount;
    if (row(i).before.there) amount.before = was;
    if (!row(i).gone) amount.now = now;
    return amount;
}

int stageColumn(OpTableView const &view) { return view.table.compared ? 9 : 6; }

std::vector<Column> opColumns(View view)
{
    auto const *v = view.get(); // kept alive by the model
    auto const share = [v](int row) { return v->share(row); };
    std::vector<Column> columns{words(Words::tr("Operation"), kGrid * 60, [v](int row) { return v->title(row); }),
                                whole(
                                    withOrigin(stepCyclesTitle(v->table.ipus()), originOfCycles(v->frame.measured)),
                                    [v](int row) { return v->table.cyclesOfStep(v->row(row).cost); }, kGrid * 40)};
    columns.back().shortTitle = stepCyclesTitle(v->table.ipus()); // the headline states their origin
    columns.front().decoration = [v](int row) { return row == v->stands ? QVariant::fromValue(v->playhead) : QVariant(); };
    bool const compared = v->table.compared;
    if (compared)
        columns.back().shortTitle = v->table.ipus() > 1 ? Words::tr("IPU cycles") : Words::tr("Cycles"); // three more columns follow
    if (compared)
        append(columns, comparedColumns(stepCyclesTitle(v->table.ipus()), v->beforeName, AmountUnit::Cycles, [v](int row) {
                   return v->cycles(row);
               }));
    std::size_t const always = compared ? columns.size() : 4;
    columns.push_back(Column{Words::tr("Share"),
                             [share](int row) {
                                 auto const s = share(row);
                                 return s > 0 ? shareText(s) : QString();
                             },
                             [share](int row) { return QVariant(share(row)); },
                             {},
                             share,
                             true,
                             {},
                             kGrid * 18});
    columns.push_back(words(Words::tr("Bound by"), kGrid * 22, [v](int row) { return boundLabel(v->row(row).cost.bound()); }));
    columns.back().decoration = [v](int row) -> QVariant {
        auto const bound = v->row(row).cost.bound();
        return bound == Phase::Idle ? QVariant() : QVariant(theme()[phaseToken(bound)]);
    };
    columns.push_back(words(Words::tr("Kind"), kGrid * 26, [v](int row) {
        auto const *op = v->op(row);
        return op ? text(op->kind) : QString();
    }));
    columns.push_back(words(Words::tr("Pass"), kGrid * 20, [v](int row) {
        auto const *op = v->op(row);
        return op ? passLabel(op->pass) : QString();
    }));
    columns.push_back(words(Words::tr("Stage"), kGrid * 18, [v](int row) {
        auto const *op = v->op(row);
        return op && op->stage >= 0 && op->stage < static_cast<int>(v->report->data().stages.size())
            ? text(v->report->data().stages[static_cast<std::size_t>(op->stage)].name)
            : QString();
    }));
    columns.push_back(whole(
        Words::tr("Executions"), [v](int row) { return v->row(row).cost.executions; }, kGrid * 22));
    columns.push_back(whole(
        Words::tr("Cycles of the run"), [v](int row) { return v->row(row).cost.cycles; }, kGrid * 32));
    columns.push_back(real(Words::tr("Mean cycles"), [v](int row) { return v->row(row).mean; }));
    columns.push_back(whole(Words::tr("Least cycles"), [v](int row) { return v->row(row).cost.least; }));
    columns.push_back(whole(Words::tr("Most cycles"), [v](int row) { return v->row(row).cost.most; }));
    columns.push_back(whole(
        Words::tr("Estimated cycles"), [v](int row) { return v->row(row).estimated; }, kGrid * 26));
    columns.push_back(whole(Words::tr("Ideal cycles"), [v](int row) { return v->row(row).ideal; }));
    columns.push_back(whole(Words::tr("FLOPs"), [v](int row) { return v->row(row).flops; }));
    columns.push_back(real(
        Words::tr("FLOPs per cycle"), [v](int row) { return ratio(v->row(row).flopsInAll, static_cast<double>(v->row(row).cost.cycles)); },
        kGrid * 26));
    columns.push_back(bytes(Words::tr("Bytes moved in a step"), [v](int row) { return v->table.bytesOfStep(v->row(row).cost); }));
    columns.back().shortTitle = Words::tr("Bytes moved");
    columns.push_back(bytes(Words::tr("Code, exclusive"), [v](int row) { return v->row(row).codeExclusive; }));
    columns.push_back(bytes(Words::tr("Code, shared"), [v](int row) { return v->row(row).codeShared; }));
    columns.push_back(
        bytes(Words::tr("Code, attributed"), [v](int row) { return static_cast<std::int64_t>(std::llround(v->row(row).codeAttributed)); }));
    if (compared)
        append(columns, comparedColumns(Words::tr("Code, attributed"), v->beforeName, AmountUnit::Bytes, [v](int row) {
                   return v->bytes(row, v->row(row).codeAttributed, v->row(row).before.codeAttributed);
               }));
    columns.push_back(bytes(Words::tr("Variables"), [v](int row) { return v->row(row).variableBytes; }));
    if (compared)
        append(columns, comparedColumns(Words::tr("Variables"), v->beforeName, AmountUnit::Bytes, [v](int row) {
                   return v->bytes(row, static_cast<double>(v->row(row).variableBytes),
                                   static_cast<double>(v->row(row).before.variableBytes));
               }));
    columns.push_back(bytes(Words::tr("Vertex state"), [v](int row) { return v->row(row).stateBytes; }));
    columns.push_back(whole(
        Words::tr("Active tiles"), [v](int row) { return v->row(row).cost.activeTiles; }, kGrid * 20));
    auto const balance = [v](int row) {
        auto const &c = v->row(row).cost;
        return c.of(Phase::Compute) > 0 ? c.balance() : 0.0;
    };
    columns.push_back(Column{Words::tr("Balance"),
                             [balance](int row) {
                                 auto const b = balance(row);
                                 return b > 0 ? shareText(b) : QString();
                             },
                             [balance](int row) { return QVariant(balance(row)); },
                             {},
                             balance,
                             true,
                             {},
                             kGrid * 20});
    // Name, cost and cause or difference first; the others where there is room.
    for (std::size_t i = always; i < columns.size(); ++i) columns[i].optional = true;
    return columns;
}

} // namespace tilewright::views
