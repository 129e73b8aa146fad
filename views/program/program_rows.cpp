#include "views/program/program_rows.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/reports/report_snapshot.h"
#include "views/wording/labels.h"
#include "views/wording/quantity.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tilewright::views {

namespace {

ProgramSide makeSide(ReportPtr const &report, int run, int ipu)
{
    ProgramSide side;
    auto const &d = report->data();
    side.report = report;
    side.frame = runFrame(d, run);
    side.tree = programTree(d);
    side.byProgram = costsByProgram(d, side.frame.run, ipu);
    auto const kept = report->liveCurve("all", 0);
    auto const &curve = *kept;
    std::vector<Bytes> live;
    live.reserve(curve.notAlwaysLive.size());
    for (auto const bytes : curve.notAlwaysLive) live.push_back(bytes + curve.alwaysLive);
    side.costs = nodeCosts(d, side.tree, side.byProgram, live);
    return side;
}

} // namespace

std::shared_ptr<ProgramRows> makeProgramRows(ReportPtr const &report, ReportPtr const &before, QString const &beforeName, int run, int ipu)
{
    auto rows = std::make_shared<ProgramRows>();
    rows->now = makeSide(report, run, ipu);
    rows->ipu = ipu;
    if (!before) {
        for (int i = 0; i < static_cast<int>(rows->now.tree.nodes.size()); ++i) {
            report::StepPair pair;
            pair.now = i;
            pair.parent = rows->now.tree.nodes[static_cast<std::size_t>(i)].parent;
            rows->pairs.push_back(pair);
        }
        return rows;
    }
    rows->before = makeSide(before, report::kNone, ipu);
    rows->beforeName = beforeName;
    rows->pairs = report::matchSteps(before->data(), rows->before.tree, report->data(), rows->now.tree);
    rows->fair = report::sameSamples(before->data(), report->data());
    rows->knowsCycles = haveCycles(rows->now.frame, rows->before.frame, ipu);
    return rows;
}

NodeCost ProgramRows::cost(int row) const { return isGone(row) ? NodeCost{} : now.costs[static_cast<std::size_t>(pair(row).now)]; }

ComparedAmount ProgramRows::amount(int row) const
{
    if (!compared() || !knowsCycles) return {};
    auto const of = [this](ProgramSide const &side, int node) -> std::optional<double> {
        if (node < 0) return std::nullopt;
        return cyclesPerStep(side.frame, side.costs[static_cast<std::size_t>(node)].total, ipu);
    };
    return {of(before, pair(row).before), of(now, pair(row).now), fair};
}

bool ProgramRows::isStep(int row) const { return !isGone(row) && node(row).function < 0 && !report::isControlKind(program(row).kind); }

report::ProgramRow const &ProgramRows::program(int row) const
{
    return side(row).report->data().programs[static_cast<std::size_t>(node(row).program)];
}

std::string const &ProgramRows::kind(int row) const
{
    static std::string const function("function");
    return node(row).function >= 0 ? function : program(row).kind;
}

QString ProgramRows::title(int row) const { return nodeTitle(side(row).report->data(), node(row)); }
QString ProgramRows::layer(int row) const { return side(row).report->layerOf(program(row).op); }
std::int64_t ProgramRows::ofStep(Cycles ofRun) const { return std::llround(cyclesPerStep(now.frame, ofRun, ipu)); }
Bytes ProgramRows::bytesOfStep(int row) const { return bytesPerStep(now.frame, cost(row).moved, ipu); }

std::vector<int> ProgramRows::parents() const
{
    std::vector<int> all;
    all.reserve(pairs.size());
    for (auto const &pair : pairs) all.push_back(pair.parent);
    return all;
}

int ProgramRows::functions() const
{
    return static_cast<int>(std::ranges::count_if(now.tree.nodes, [](auto const &node) { return node.function >= 0; }));
}

QString programComparisonText(ProgramRows const &rows)
{
    if (!rows.compared()) return {};
    int added = 0, removed = 0, changed = 0;
    for (int row = 0; row < rows.count(); ++row) {
        if (report::isControlKind(rows.program(row).kind)) continue;
        auto const &pair = rows.pair(row);
        added += pair.before < 0;
        removed += pair.now < 0;
        changed += pair.both() && std::llround(rows.amount(row).difference()) != 0;
    }
    QStringList words;
    if (auto const step =
            stepDifferenceText(rows.now.report->data(), rows.now.frame, rows.before.report->data(), rows.before.frame, rows.beforeName);
        !step.isEmpty())
        words << step;
    words << (added + removed + changed > 0 ? changedText(Words::tr("steps"), added, removed, changed)
                                            : Words::tr("the same program steps"));
    return words.join(QStringLiteral(" · "));
}

std::vector<Column> programColumns(ProgramRows const &shown)
{
    auto const *rows = &shown; // kept alive by the model
    auto const whole = [](std::int64_t v) { return QVariant::fromValue<qlonglong>(v); };
    auto const share = [rows](int row) { return shareOfStep(rows->now.frame, rows->cost(row).total, rows->ipu).share(); };
    int const ipus = shareOfStep(rows->now.frame, 0, rows->ipu).ipus;
    auto const bytes = [rows, whole](QString title, Bytes NodeCost::*field) {
        return Column{std::move(title),
                      [rows, field](int row) {
                          auto const v = rows->cost(row).*field;
                          return v > 0 ? bytesText(v) : QString();
                      },
                      [rows, field, whole](int row) { return whole(rows->cost(row).*field); },
                      [rows, field](int row) { return bytesExact(rows->cost(row).*field); },
                      {},
                      true,
                      {},
                      kGrid * 22};
    };
    std::vector<Column> all{
        Column{Words::tr("Step"),
               [rows](int row) { return rows->title(row); },
               {},
               {},
               {},
               false,
               [rows](int row) {
                   return QVariant::fromValue(!rows->isGone(row) && rows->node(row).program == rows->stands && rows->node(row).function < 0
                                                  ? rows->playhead
                                                  : rows->icons.at(rows->kind(row)));
               },
               kGrid * 75},
        Column{Words::tr("Kind"), [rows](int row) { return programKindLabel(rows->kind(row)); }, {}, {}, {}, false, {}, kGrid * 28},
        Column{Words::tr("Repeats"),
               [rows](int row) {
                   auto const &node = rows->node(row);
                   return node.timesKnown ? Words::tr("%1 ×").arg(countText(node.times)) : Words::tr("depends on data");
               },
               [rows, whole](int row) { return whole(rows->node(row).times); },
               {},
               {},
               true,
               {},
               kGrid * 30},
        Column{Words::tr("Executions"),
               [rows](int row) {
                   auto const n = rows->cost(row).executions;
                   return n > 0 ? countText(n) : QString();
               },
               [rows, whole](int row) { return whole(rows->cost(row).executions); },
               {},
               {},
               true,
               {},
               kGrid * 22},
        Column{withOrigin(stepCyclesTitle(ipus), originOfCycles(rows->now.frame.measured)),
               [rows](int row) {
                   auto const n = rows->ofStep(rows->cost(row).total);
                   return n > 0 ? countText(n) : QString();
               },
               [rows, whole](int row) { return whole(rows->ofStep(rows->cost(row).total)); },
               {},
               {},
               true,
               {},
               kGrid * 40},
        Column{Words::tr("Share"),
               [share](int row) {
                   auto const s = share(row);
                   return s > 0 ? shareText(s) : QString();
               },
               [share](int row) { return QVariant(share(row)); },
               {},
               share,
               true,
               {},
               kGrid * 20},
        Column{Words::tr("Own cycles"),
               [rows](int row) {
                   auto const n = rows->ofStep(rows->cost(row).self);
                   return n > 0 ? countText(n) : QString();
               },
               [rows, whole](int row) { return whole(rows->ofStep(rows->cost(row).self)); },
               {},
               {},
               true,
               {},
               kGrid * 24},
        Column{Words::tr("Bytes moved in a step"),
               [rows](int row) {
                   auto const v = rows->bytesOfStep(row);
                   return v > 0 ? bytesText(v) : QString();
               },
               [rows, whole](int row) { return whole(rows->bytesOfStep(row)); },
               [rows](int row) { return bytesExact(rows->bytesOfStep(row)); },
               {},
               true,
               {},
               kGrid * 30},
        bytes(Words::tr("Exchange and control code"), &NodeCost::code),
        bytes(Words::tr("Live bytes"), &NodeCost::live),
        Column{Words::tr("Layer"), [rows](int row) { return rows->layer(row); }, {}, {}, {}, false, {}, kGrid * 32}};
    all[4].shortTitle = ipus > 1 ? Words::tr("IPU cycles") : Words::tr("Cycles"); // of a step; the headline states their origin
    all[7].shortTitle = Words::tr("Bytes moved");
    all[8].shortTitle = Words::tr("Step code"); // without codelets, which steps share
    std::vector<std::size_t> optional{1, 2, 3, 6, 10};
    if (rows->compared()) {
        auto compared =
            comparedColumns(stepCyclesTitle(ipus), rows->beforeName, AmountUnit::Cycles, [rows](int row) { return rows->amount(row); });
        all.insert(all.begin() + 5, std::make_move_iterator(compared.begin()), std::make_move_iterator(compared.end()));
        optional = {1, 2, 3, 8, 9, 10, 11, 12, 13}; // compared columns come first
    }
    // The icon shows the kind, the name the layer. Own cycles differ from the total only for nested steps, so they are optional.
    for (auto const place : optional) all[place].optional = true;
    return all;
}

} // namespace tilewright::views
