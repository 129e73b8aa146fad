#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/runs/compare_reports.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <numeric>

using namespace tilewright;
using namespace tilewright::views;

namespace {

ComparedReport side(ReportSnapshot const &report)
{
    ComparedReport compared{report.data(), report.tileMetric("with_gaps"), {}};
    for (auto const &part : report.data().memoryParts) {
        auto const &values = report.tileVec(part.vec);
        compared.memoryTotals.push_back(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    }
    return compared;
}

std::vector<ReportDifference> of(ReportComparison const &comparison, ComparedKind kind)
{
    std::vector<ReportDifference> rows;
    std::ranges::copy_if(comparison.rows, std::back_inserter(rows), [&](auto const &row) { return row.kind == kind; });
    return rows;
}

} // namespace

class TstCompareReports : public QObject {
    Q_OBJECT
private slots:
    void severalAreOneList()
    {
        auto const row = [](char const *name, double source, double target) {
            ReportDifference d;
            d.kind = ComparedKind::Result;
            d.name = QString::fromLatin1(name);
            d.source = source;
            d.target = target;
            return d;
        };
        ReportComparison second, third;
        second.rows = {row("loss", 1, 2)};
        third.rows = {row("accuracy", 5, 6), row("loss", 1, 3), row("loss", 7, 8)}; // two rows can have the same name
        auto const aligned = alignComparisons({second, third});
        QCOMPARE(aligned.all.rows.size(), std::size_t(3));
        QCOMPARE(aligned.all.rows[0].name, QStringLiteral("loss"));
        QCOMPARE(aligned.places[0], (std::vector<int>{0, 1}));
        QCOMPARE(aligned.places[1], (std::vector<int>{-1, 0}));
        QCOMPARE(aligned.places[2], (std::vector<int>{-1, 2}));
    }

    void resultsOfTrainingAreDifferences()
    {
        report::ReportData data;
        data.figures.push_back({"cycles_per_step", 100, "cycles"});
        ComparedReport const before{data, {}, {}, {{QStringLiteral("loss"), 0.27}, {QStringLiteral("accuracy"), 0.9}}},
            after{data, {}, {}, {{QStringLiteral("loss"), 0.055}, {QStringLiteral("accuracy"), 0.9}}};
        auto const comparison = compareReports(before, after);
        QCOMPARE(comparison.rows.size(), std::size_t(1));
        QCOMPARE(comparison.rows[0].name, QStringLiteral("loss"));
        QCOMPARE(comparison.rows[0].verdict(), 1); // lower is better
        QVERIFY(compareHeadline(comparison, data, data).startsWith(QLatin1String("loss 0.055 against 0.27")));
    }

    void equalReportsHaveNoDifferences()
    {
        // Two compiles of one project: only measurements of this computer can differ.
        auto const a = tests::compiledReport(), b = tests::compiledReport();
        QVERIFY(a->uuid() != b->uuid());
        auto const comparison = compareReports(side(*a), side(*b));
        QVERIFY2(comparison.rows.empty(),
                 comparison.rows.empty() ? "" : qPrintable(comparison.rows.front().name + comparison.rows.front().field));
        QCOMPARE(comparison.tilesThatDiffer, 0);
        QCOMPARE(comparison.tilesCompared, 8);
        QCOMPARE(compareHeadline(comparison, a->data(), b->data()), QStringLiteral("no differences"));
    }

    void aWiderLayerShowsInItsOwnRowsOnly()
    {
        auto const a = tests::compiledReport(),
                   b = tests::compiledReport("gc200:tiles=8", {{"model.layers.dense.units", "64"}, {"model.layers.dense_1.units", "16"}});
        auto const comparison = compareReports(side(*a), side(*b));
        auto const layers = of(comparison, ComparedKind::Layer);
        QVERIFY(std::ranges::any_of(layers, [](auto const &row) {
            return row.name == QLatin1String("dense") && row.source && row.target && *row.target > *row.source;
        }));
        // Both reports have the same layers: none is added or removed, whatever else changes with the width.
        QVERIFY(std::ranges::none_of(layers, [](auto const &row) { return row.where != ReportDifference::Both; }));
        // Against a naive comparison of the variables' bytes by name.
        std::map<std::string, Bytes> before;
        for (auto const &row : a->data().variables) before[row.name] += row.bytes;
        for (auto const &row : of(comparison, ComparedKind::Variable)) {
            if (row.where != ReportDifference::Both || row.unit != ComparedUnit::Bytes) continue;
            QVERIFY(before.contains(row.name.toStdString()));
            QVERIFY(row.variable >= 0);
            QCOMPARE(*row.target, static_cast<double>(b->data().variables[static_cast<std::size_t>(row.variable)].bytes));
        }
    }

    void anInsertedLayerShiftsNothing()
    {
        auto const a = tests::compiledReport();
        auto d = a->data();
        // A report with an additional layer in front: all ids move by one.
        for (auto &op : d.ops)
            if (op.parent >= 0) ++op.parent;
        report::OpRow extra;
        extra.level = "keras";
        extra.name = "inserted";
        extra.kind = "Layer";
        d.ops.insert(d.ops.begin(), extra);
        for (auto &program : d.programs)
            if (program.op >= 0) ++program.op;
        for (auto &variable : d.variables)
            if (variable.op >= 0) ++variable.op;
        auto const comparison = compareReports(side(*a), {d, a->tileMetric("with_gaps"), side(*a).memoryTotals});
        QCOMPARE(comparison.rows.size(), std::size_t{1});
        QCOMPARE(comparison.rows[0].name, QStringLiteral("inserted"));
        QCOMPARE(comparison.rows[0].where, ReportDifference::OnlyTarget);
        QCOMPARE(differenceText(comparison.rows[0]), QStringLiteral("added"));
        auto const back = compareReports({d, {}, {}}, {a->data(), {}, {}});
        QCOMPARE(back.rows[0].where, ReportDifference::OnlySource);
    }

    void fewerCyclesAreBetterWhateverTheSign()
    {
        ReportDifference row;
        row.source = 100;
        row.target = 80;
        row.better = -1;
        QCOMPARE(row.verdict(), 1);
        QCOMPARE(*row.percent(), -20.0);
        row.better = 1;
        QCOMPARE(row.verdict(), -1);
        row.better = 0;
        QCOMPARE(row.verdict(), 0);
        row.source = 0;
        QVERIFY(!row.percent());
    }

    void cyclesOfStepsOfOtherBatchesAreNotJudged()
    {
        report::ReportData a, b;
        a.figures = {{"cycles_per_step", 1000, "cycles"}, {"samples_per_step", 32, "count"}};
        b.figures = {{"cycles_per_step", 1600, "cycles"}, {"samples_per_step", 64, "count"}};
        auto const comparison = compareReports({a, {}, {}, {}}, {b, {}, {}, {}});
        auto const row = [&](QString const &name) { return *std::ranges::find(comparison.rows, name, &ReportDifference::name); };
        QCOMPARE(row(QStringLiteral("Cycles of a step")).verdict(), 0);
        QCOMPARE(row(QStringLiteral("Cycles of a sample")).verdict(), 1); // 25 against 31.25
        QCOMPARE(compareHeadline(comparison, a, b), QStringLiteral("20 % fewer cycles per sample (modelled)"));
        b.figures[1].value = 32;
        auto const same = compareReports({a, {}, {}, {}}, {b, {}, {}, {}});
        QCOMPARE(same.rows.size(), std::size_t(1));
        QCOMPARE(same.rows[0].verdict(), -1);
    }

    /// More samples need more memory: that is no verdict, and the text says so.
    void memoryOfOtherBatchesIsNotJudged()
    {
        auto const a = tests::compiledReport(),
                   b = tests::compiledReport("gc200:tiles=8", tests::smallModel({{"training.batch_size", "64"}}));
        auto const one = compareReports(side(*a), side(*b));
        int bytes = 0;
        for (auto const &row : one.rows) {
            if (row.unit != ComparedUnit::Bytes) continue;
            ++bytes;
            QVERIFY2(row.verdict() == 0, qPrintable(row.name));
        }
        QVERIFY(bytes > 3);
        QVERIFY2(otherBatchText(one).contains(QStringLiteral("32")) && otherBatchText(one).contains(QStringLiteral("64")),
                 qPrintable(otherBatchText(one)));
        QVERIFY(otherBatchText(alignComparisons({one}).all) == otherBatchText(one));
        auto const wider = compareReports(
            side(*a),
            side(*tests::compiledReport("gc200:tiles=8", {{"model.layers.dense.units", "64"}, {"model.layers.dense_1.units", "16"}})));
        QCOMPARE(otherBatchText(wider), QString());
        QVERIFY(std::ranges::any_of(wider.rows, [](auto const &row) { return row.unit == ComparedUnit::Bytes && row.verdict() < 0; }));
    }

    void sharesDifferInPoints()
    {
        ReportDifference row;
        row.unit = ComparedUnit::Share;
        row.source = 0.3388;
        row.target = 0.3384995;
        QCOMPARE(differenceText(row), QStringLiteral("−0.03 points"));
    }

    void optionsGoByName()
    {
        auto const a = tests::compiledReport(),
                   b = tests::compiledReport("gc200:tiles=8", tests::smallModel({{"training.batch_size", "64"}}));
        auto const options = of(compareReports(side(*a), side(*b)), ComparedKind::Option);
        auto const batch = std::ranges::find(options, QStringLiteral("training.batch_size"), &ReportDifference::name);
        QVERIFY(batch != options.end());
        QCOMPARE(batch->sourceText, QStringLiteral("32"));
        QCOMPARE(batch->targetText, QStringLiteral("64"));
    }

    void tilesOfOtherMachinesGoByRank()
    {
        auto const a = tests::compiledReport("gc200:tiles=8"), b = tests::compiledReport("gc200:tiles=16");
        auto const comparison = compareReports(side(*a), side(*b));
        QVERIFY(comparison.tilesByRank);
        QCOMPARE(comparison.tilesCompared, 8);
        auto const tiles = of(comparison, ComparedKind::Tile);
        QVERIFY(!tiles.empty());
        auto const &bytes = b->tileMetric("with_gaps");
        for (auto const &row : tiles) QCOMPARE(*row.target, static_cast<double>(bytes[static_cast<std::size_t>(row.tile)]));
    }
};

TW_REGISTER_TEST(TstCompareReports);
#include "tst_compare_reports.moc"
