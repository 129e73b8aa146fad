#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/format.h"
#include "views/figures/comparison.h"
#include "views/operations/op_columns.h"
#include "views/operations/op_describe.h"
#include "views/operations/op_table.h"
#include "views/operations/roofline.h"
#include "views/operations/treemap.h"

#include <QtTest>

#include <cmath>
#include <numeric>
#include <random>

using namespace tilewright;
using namespace tilewright::views;

namespace {

std::vector<std::shared_ptr<ReportSnapshot const>> reports()
{
    return {tests::compiledReport(), tests::compiledReport("pod4:tiles=8,ipus=2"),
            tests::compiledReport("pod4:tiles=8,ipus=2",
                                  tests::smallModel(tests::twoStages(
                                      {{"training.steps_per_execution", "4"}, {"training.gradient_accumulation_steps", "4"}})))};
}

} // namespace

class TstOpTable : public QObject {
    Q_OBJECT
private slots:
    void boxesOfTheTreemapNameTheirLayer()
    {
        QFontMetrics const metrics{QFont()};
        QString const name = QStringLiteral("dense_1/kernel/rmsprop");
        int const whole = metrics.horizontalAdvance(name);
        QCOMPARE(treemapLines(name, metrics, whole, 100), QStringList{name});
        QCOMPARE(treemapLines(name, metrics, whole - 1, 3 * metrics.lineSpacing()),
                 (QStringList{QStringLiteral("dense_1"), QStringLiteral("kernel/rmsprop")}));
        auto const narrow = treemapLines(name, metrics, whole - 1, metrics.lineSpacing());
        QCOMPARE(narrow.size(), 1);
        QVERIFY(narrow[0].startsWith(QLatin1Char('d')) && narrow[0].endsWith(QLatin1Char('p'))); // its middle is lost
    }

    /// No shreds such as "d…2": whole words, or no label at all.
    void narrowBoxesHaveWholeWordsOrNone()
    {
        QFontMetrics const metrics{QFont()};
        QString const name = QStringLiteral("dense_1/MatMul_WeightUpdate");
        auto const lines =
            treemapLines(name, metrics, metrics.horizontalAdvance(QStringLiteral("_WeightUpdate")), 4 * metrics.lineSpacing());
        QCOMPARE(lines, (QStringList{QStringLiteral("dense_1"), QStringLiteral("MatMul_Weight"), QStringLiteral("Update")}));
        QVERIFY(treemapLines(name, metrics, metrics.horizontalAdvance(QStringLiteral("dense")), 8 * metrics.lineSpacing()).isEmpty());
        QVERIFY(treemapLines(name, metrics, metrics.horizontalAdvance(QStringLiteral("_WeightUpdate")), metrics.lineSpacing()).isEmpty());
    }

    /// What belongs to no layer has a name that says so.
    void feedsBelongToNoLayer()
    {
        auto const report = tests::compiledReport();
        auto const frame = runFrame(report->data());
        auto const table =
            opTable(report->data(), costsByProgram(report->data(), frame.run), frame, report::kNone, "graph", OpGroup::Layer);
        QStringList groups;
        for (auto const &row : table.rows)
            if (row.isGroup) groups << row.group;
        QVERIFY2(groups.contains(QStringLiteral("Feeds and loops")) && !groups.contains(QStringLiteral("program")),
                 qPrintable(groups.join(u'|')));
    }

    void everyLevelAndGroupingAddsUpToTheSplit()
    {
        for (auto const &report : reports()) {
            auto const &d = report->data();
            auto const frame = runFrame(d);
            std::vector<int> scopes = frame.ipus;
            scopes.push_back(report::kNone);
            for (int const ipu : scopes) {
                auto const split = splitOf(d, frame.run, ipu);
                auto const costs = costsByProgram(d, frame.run, ipu);
                for (char const *level : kOpLevels)
                    for (auto const group : {OpGroup::None, OpGroup::Pass, OpGroup::Stage, OpGroup::Kind, OpGroup::Layer}) {
                        auto const table = opTable(d, costs, frame, ipu, level, group);
                        std::vector<int> rows(table.rows.size());
                        std::iota(rows.begin(), rows.end(), 0);
                        auto const sum = sumOf(table, rows);
                        for (int p = 0; p < kPhases - 1; ++p)
                            QCOMPARE(sum.cost.byPhase[static_cast<std::size_t>(p)], split[static_cast<std::size_t>(p)]);
                        QCOMPARE(table.total.cycles, sum.cost.cycles);
                        // Costs outside all operations have a row that is not an operation.
                        QCOMPARE(table.operations(), static_cast<int>(std::ranges::count(d.ops, level, &report::OpRow::level)));
                        // All levels contain all code, as in Summary.
                        QVERIFY(std::abs(sum.codeAttributed - static_cast<double>(report::codeOnTiles(d))) <= 1);
                        QCOMPARE(sum.operations, table.operations()); // "50 of 50"
                        // The values of a group are the sums of its members.
                        Cycles groups = 0;
                        for (auto const &row : table.rows)
                            if (row.isGroup) groups += row.cost.cycles;
                        if (group != OpGroup::None) QCOMPARE(groups, sum.cost.cycles);
                    }
            }
        }
    }

    void comparedTablesKeepBothSums()
    {
        auto const now = tests::compiledReport(),
                   other = tests::compiledReport("gc200:tiles=16", tests::smallModel({{"model.layers.dense_1.activation", "tanh"}}));
        for (auto const &before : {now, other}) {
            auto const &d = now->data(), &b = before->data();
            auto const frame = runFrame(d), frameBefore = runFrame(b);
            auto const costs = costsByProgram(d, frame.run), costsBefore = costsByProgram(b, frameBefore.run);
            auto const pairs = report::matchOperations(b, d);
            for (char const *level : kOpLevels)
                for (auto const group : {OpGroup::None, OpGroup::Pass, OpGroup::Stage, OpGroup::Kind, OpGroup::Layer}) {
                    auto const plain = opTable(d, costs, frame, report::kNone, level, group),
                               plainBefore = opTable(b, costsBefore, frameBefore, report::kNone, level, group);
                    auto const table =
                        comparedOpTable({d, costs, frame}, {b, costsBefore, frameBefore}, pairs, report::kNone, level, group);
                    QVERIFY(table.compared && !plain.compared);
                    std::vector<int> rows(table.rows.size());
                    std::iota(rows.begin(), rows.end(), 0);
                    auto const sum = sumOf(table, rows);
                    QCOMPARE(sum.cost.cycles, plain.total.cycles);
                    QVERIFY(std::abs(sum.cyclesBefore - cyclesPerStep(frameBefore, plainBefore.total.cycles)) < 1e-6 * sum.cyclesBefore);
                    QCOMPARE(table.operations(), plain.operations());
                    QCOMPARE(table.operations() - table.added() + table.removed(), plainBefore.operations());
                    double groups = 0, code = 0, codeBefore = 0;
                    for (auto const &row : table.rows) {
                        if (row.isGroup) groups += row.before.cyclesOfStep;
                        if (row.isGroup) continue;
                        code += row.before.codeAttributed;
                        if (before == now) QCOMPARE(row.before.cyclesOfStep, cyclesPerStep(frame, row.cost.cycles));
                        if (row.gone) QCOMPARE(row.cost.cycles, Cycles(0));
                    }
                    for (auto const &row : plainBefore.rows) codeBefore += row.isGroup ? 0 : row.codeAttributed;
                    QVERIFY(std::abs(code - codeBefore) < 1);
                    if (group != OpGroup::None) QVERIFY(std::abs(groups - sum.cyclesBefore) < 1e-6 * groups);
                    if (before == now) QCOMPARE(table.added() + table.removed(), 0);
                    else if (QLatin1String(level) == QLatin1String("graph")) QVERIFY(table.added() > 0 && table.removed() > 0);
                    else if (QLatin1String(level) == QLatin1String("keras")) QCOMPARE(table.added() + table.removed(), 0);
                }
        }
    }

    void anotherBatchIsComparedBySample()
    {
        report::ReportData now, before;
        now.figures.push_back({"samples_per_step", 32, "count"});
        before.figures.push_back({"samples_per_step", 64, "count"});
        RunFrame frame;
        frame.run = 0;
        frame.steps = 1;
        frame.cycles = 3200;
        auto const text = stepDifferenceText(now, frame, before, frame, QStringLiteral("the other"));
        QVERIFY2(text.startsWith(QLatin1String("with a different batch size, cycles per sample: 50"))
                     && text.contains(QLatin1String("100 %) more than in the other (modelled)")),
                 qPrintable(text));
        QVERIFY(stepDifferenceText(now, frame, now, frame, QStringLiteral("x")).contains(QLatin1String("the same as")));
        QVERIFY(stepDifferenceText(now, frame, now, {}, QStringLiteral("x")).contains(QLatin1String("no cycles in x")));
        // Longer is not worse then.
        QCOMPARE((ComparedAmount{10.0, 20.0, false}.verdict()), 0);
        QCOMPARE((ComparedAmount{10.0, 20.0}.verdict()), -1);
        QCOMPARE((ComparedAmount{20.0, 10.0}.verdict()), 1);
        QCOMPARE(amountChangeText({10.0, 20.0}), QStringLiteral("+100 %"));
        QCOMPARE(amountChangeText({{}, 20.0}), QStringLiteral("added"));
        QCOMPARE(amountChangeText({20.0, {}}), QStringLiteral("removed"));
        QVERIFY(!haveCycles(frame, {}, report::kNone) && !haveCycles(frame, frame, 3) && haveCycles(frame, frame, report::kNone));
    }

    void cyclesOfAnOperationAreThoseOfItsProgramsBySql()
    {
        auto const report = tests::compiledReport();
        auto const &d = report->data();
        auto const frame = runFrame(d);
        auto const table = opTable(d, costsByProgram(d, frame.run), frame, report::kNone, "graph", OpGroup::None);
        int checked = 0;
        for (auto const &row : table.rows) {
            if (row.op < 0 || row.cost.cycles == 0) continue;
            auto const rows = report->query(QStringLiteral("SELECT sum(s.cycles), max(s.executions), sum(max(s.bytes_in, s.bytes_out)) "
                                                           "FROM step_stat s JOIN op_program o ON o.program = s.program WHERE o.op = %1")
                                                .arg(row.op));
            QVERIFY(rows.ok());
            QCOMPARE(rows->rows.first()[0].toLongLong(), static_cast<qlonglong>(row.cost.cycles));
            QCOMPARE(rows->rows.first()[1].toLongLong(), static_cast<qlonglong>(row.cost.executions));
            QCOMPARE(rows->rows.first()[2].toLongLong(), static_cast<qlonglong>(row.cost.bytesMoved));
            ++checked;
        }
        QVERIFY(checked > 10);
    }

    void groupsPrecedeTheirMembers()
    {
        auto const report = tests::compiledReport();
        auto const frame = runFrame(report->data());
        auto const table = opTable(report->data(), costsByProgram(report->data(), frame.run), frame, report::kNone, "graph", OpGroup::Pass);
        auto const parents = table.parents();
        QCOMPARE(parents.size(), table.rows.size());
        for (std::size_t i = 0; i < parents.size(); ++i) {
            QCOMPARE(parents[i] < 0, table.rows[i].isGroup);
            QVERIFY(parents[i] < static_cast<int>(i));
        }
    }

    void theHeadlineNamesTheLargest()
    {
        auto const report = tests::compiledReport();
        auto const frame = runFrame(report->data());
        auto const table = opTable(report->data(), costsByProgram(report->data(), frame.run), frame, report::kNone, "graph", OpGroup::None);
        auto const largest = std::ranges::max_element(table.rows, {}, [](auto const &row) { return row.cost.cycles; });
        QVERIFY(operationsHeadline(table, report->data())
                    .startsWith(QString::fromStdString(report->data().ops[static_cast<std::size_t>(largest->op)].name)));
        QVERIFY(operationsHeadline(table, report->data()).contains(QLatin1String("modelled")));
        QVERIFY(operationsHeadline({}, report->data()).contains(QLatin1String("no measured times")));
    }

    /// On two IPUs the rows add up the cycles of both, so the words name IPU cycles and their whole; never more than the whole.
    void sharesOfAPipelineNameTheirWhole()
    {
        auto const report = reports()[2];
        auto view = std::make_shared<OpTableView>();
        view->report = report;
        view->frame = runFrame(report->data());
        view->table =
            opTable(report->data(), costsByProgram(report->data(), view->frame.run), view->frame, report::kNone, "graph", OpGroup::None);
        auto const &table = view->table;
        auto const whole = 2 * view->frame.cyclesOfStep();
        auto const all = table.ofStep(table.total.cycles);
        QCOMPARE(all.of, whole);
        QVERIFY(all.cycles > view->frame.cyclesOfStep() && all.cycles <= whole);
        std::vector<int> rows(table.rows.size());
        std::iota(rows.begin(), rows.end(), 0);
        auto const footer = totalsText(*view, rows, QStringLiteral("Shown:"));
        QVERIFY2(footer.contains(QStringLiteral("of %1 IPU cycles of a step").arg(countText(std::llround(whole)))), qPrintable(footer));
        QVERIFY2(operationsHeadline(table, report->data()).contains(QStringLiteral("of a step on 2 IPUs")),
                 qPrintable(operationsHeadline(table, report->data())));
        QVERIFY(opColumns(view)[kCyclesColumn].title.startsWith(QStringLiteral("IPU cycles of a step")));
        // One IPU: its cycles, of a step.
        int const ipu = view->frame.ipus.front();
        view->table =
            opTable(report->data(), costsByProgram(report->data(), view->frame.run, ipu), view->frame, ipu, "graph", OpGroup::None);
        auto const one = totalsText(*view, rows, QStringLiteral("Shown:"));
        QVERIFY2(one.contains(QStringLiteral("of %1 cycles of a step").arg(countText(std::llround(whole / 2)))), qPrintable(one));
        QVERIFY(operationsHeadline(view->table, report->data()).contains(QStringLiteral("of a step, bound")));
    }

    void everyOperationFindsItsRowAtEveryLevel()
    {
        auto const report = tests::compiledReport();
        auto const &d = report->data();
        auto const frame = runFrame(d);
        for (char const *level : kOpLevels) {
            auto const table = opTable(d, costsByProgram(d, frame.run), frame, report::kNone, level, OpGroup::None);
            for (int op = 0; op < static_cast<int>(d.ops.size()); ++op) {
                if (d.ops[static_cast<std::size_t>(op)].level != "compute_set") continue;
                int const row = rowOfOp(table, d, op);
                QVERIFY(row >= 0);
                QCOMPARE(QString::fromStdString(d.ops[static_cast<std::size_t>(table.rows[static_cast<std::size_t>(row)].op)].level),
                         QString::fromLatin1(level));
            }
        }
    }

    void treemapAreasAreProportionalAndDoNotOverlap()
    {
        std::mt19937 random(7);
        std::vector<double> amounts;
        for (int i = 0; i < 60; ++i) amounts.push_back(i % 9 == 0 ? 0 : 1 + static_cast<double>(random() % 1000));
        QRectF const area(3, 5, 400, 240);
        auto const rects = squarify(amounts, area);
        double const all = std::accumulate(amounts.begin(), amounts.end(), 0.0);
        for (std::size_t i = 0; i < rects.size(); ++i) {
            QVERIFY(std::abs(rects[i].width() * rects[i].height() - amounts[i] / all * area.width() * area.height()) < 1e-6);
            if (amounts[i] > 0) QVERIFY(area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(rects[i]));
            for (std::size_t k = 0; k < i; ++k) {
                auto const both = rects[i].intersected(rects[k]);
                QVERIFY(both.width() * both.height() < 1e-6);
            }
        }
        for (auto const &rect : squarify({0, -1}, area)) QVERIFY(rect.isEmpty());
    }

    void rooflineAxesHoldEverythingInWholeDecades()
    {
        MachineRoof roof;
        roof.flopsPerCycleF32 = 47104;
        roof.bytesPerCycle = 11776;
        std::vector<RoofPoint> const points{{0, {}, 0.04, 3, 1, Token::Compute}, {1, {}, 80, 5000, 1, Token::Compute}};
        auto const axes = roofAxes(points, roof);
        QCOMPARE(axes.x.lower, 0.01);
        QCOMPARE(axes.y.lower, 1.0);
        QCOMPARE(axes.y.upper, 1e5);
        for (auto const &point : points) {
            QVERIFY(point.intensity >= axes.x.lower && point.intensity <= axes.x.upper);
            QVERIFY(point.rate >= axes.y.lower && point.rate <= axes.y.upper);
        }
        QCOMPARE(attainable(roof, 1.0), 11776.0);
        QCOMPARE(attainable(roof, 100.0), 47104.0);
        auto const lines = roofLines(roof, axes);
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[0].x.back(), 4.0); // where exchange and arithmetic allow the same
        QCOMPARE(lines[1].y, (std::vector<double>{47104, 47104}));
        QVERIFY(roofLines({}, axes).empty());
    }

    void aClickOnThePointOfTheRooflinePicksItsOperation()
    {
        MachineRoof roof;
        roof.flopsPerCycleF32 = 47104;
        roof.bytesPerCycle = 11776;
        Roofline chart;
        chart.resize(500, 400);
        chart.setPoints({{7, QStringLiteral("a"), 0.04, 3, 1, Token::Compute}, {9, QStringLiteral("b"), 80, 5000, 4, Token::Compute}},
                        roof);
        QSignalSpy picked(&chart, &Roofline::picked);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.elementRect(1).center().toPoint());
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.front().front().toInt(), 9);
        QVERIFY(chart.tipOf(1).startsWith(QStringLiteral("b\n")));
        chart.setMarked({9});
        QCOMPARE(chart.current(), 1); // the current point stays while the points do
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.current(), 0);
        QCOMPARE(picked.count(), 1); // reading is not choosing
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(picked.back().front().toInt(), 7);
        chart.setPoints({}, roof);
        QCOMPARE(chart.elements(), 0);
        QCOMPARE(chart.current(), -1);
    }

    void theMachinesRoofIsThatOfThePlannersIdealCycles()
    {
        auto const report = tests::compiledReport("gc200:tiles=8", {});
        auto const roof = machineRoof(report->data().target);
        QVERIFY(roof.flopsPerCycleF32 > 0);
        int products = 0;
        for (auto const &op : report->data().ops) {
            if (op.kind != "matmul" || op.cyclesIdeal < 100) continue;
            // Ideal cycles are rounded up.
            QVERIFY(static_cast<double>(op.flops) / static_cast<double>(op.cyclesIdeal) <= roof.flopsPerCycleF32);
            QVERIFY(static_cast<double>(op.flops) / static_cast<double>(op.cyclesIdeal - 1) >= roof.flopsPerCycleF32 * 0.999);
            ++products;
        }
        QVERIFY(products > 0);
    }

    void plansShowTheirAlternatives()
    {
        auto const report = tests::compiledReport();
        int plans = 0, weighed = 0;
        for (auto const &op : report->data().ops) {
            if (op.plan.size() < 3) continue;
            auto const section = planSection(op.plan, 0);
            QVERIFY(std::ranges::any_of(section.facts, [](auto const &line) { return line.label == QLatin1String("Chosen"); }));
            ++plans;
            weighed +=
                std::ranges::any_of(section.facts, [](auto const &line) { return line.value.startsWith(QLatin1String("planned ")); });
        }
        QVERIFY(plans > 0 && weighed > 0);
        QVERIFY(planSection("{}", 0).facts.isEmpty());
        QVERIFY(planSection("nonsense", 0).facts.isEmpty());
    }
};

TW_REGISTER_TEST(TstOpTable);
#include "tst_op_table.moc"
