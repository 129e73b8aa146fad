#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/insights/insight_action.h"
#include "views/insights/insight_trials.h"
#include "views/insights/insight_list.h"
#include "views/insights/insight_outcome.h"
#include "views/wording/insight_text.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

report::InsightRow insight(std::string const &rule, std::string const &severity, int tile, std::optional<std::int64_t> cycles = {})
{
    report::InsightRow row;
    row.rule = rule;
    row.severity = severity;
    row.subjectKind = "tile";
    row.subjectId = tile;
    row.gainCycles = cycles;
    return row;
}

} // namespace

class TstInsightList : public QObject {
    Q_OBJECT
private slots:
    void errorsComeFirstThenTheLargestGain()
    {
        report::ReportData data;
        data.insights = {insight("a", "note", 0, 900), insight("b", "warning", 1, 10), insight("c", "warning", 2, 20),
                         insight("d", "error", 3)};
        auto const list = listInsights(data, nullptr, {});
        std::vector<int> order;
        for (auto const &item : list.items) order.push_back(item.row);
        QCOMPARE(order, (std::vector<int>{3, 2, 1, 0}));
        // "Does not fit" comes first, whatever the gain of others.
        QCOMPARE(list.items[static_cast<std::size_t>(list.best)].row, 3);
        data.insights.pop_back();
        auto const rest = listInsights(data, nullptr, {});
        QCOMPARE(rest.items[static_cast<std::size_t>(rest.best)].row, 2); // without a change of the project: the greatest one
        QVERIFY(!rest.promises);
        for (auto &row : data.insights) row.action = R"({"set":[{"path":"training.batch_size","value":64}]})";
        auto const best = listInsights(data, nullptr, {});
        QCOMPARE(best.items[static_cast<std::size_t>(best.best)].row, 0);
        QVERIFY(best.promises);
        QVERIFY(insightsHeadline(rest, data).startsWith(QLatin1String("3 insight(s)")));
    }

    void aMereNoteIsNotTheBest()
    {
        report::ReportData data;
        data.insights = {insight("a", "note", 0), insight("b", "note", 1)};
        auto const list = listInsights(data, nullptr, {});
        QCOMPARE(list.best, -1);
        QCOMPARE(insightsHeadline(list, data), QStringLiteral("2 insight(s)"));
    }

    /// A gain is promised of a change that the project can make, and that was not tried in vain; of nothing else.
    void untestableAdviceStatesNoGain()
    {
        report::ReportData data;
        data.insights = {insight("host.stream-bound", "warning", 0, 14318), insight("b", "advice", 1, 10)};
        auto list = listInsights(data, nullptr, {});
        QVERIFY(!list.promises);
        QString headline = insightsHeadline(list, data);
        QVERIFY2(!headline.contains(QStringLiteral("largest gain")) && !headline.contains(QStringLiteral("up to")), qPrintable(headline));
        QCOMPARE(insightGain(data.insights[0], data), QString());
        data.insights[1].action = R"({"set":[{"path":"training.batch_size","value":64}]})";
        list = listInsights(data, nullptr, {});
        QVERIFY(list.promises);
        QCOMPARE(list.items[static_cast<std::size_t>(list.best)].row, 1);
        headline = insightsHeadline(list, data);
        QVERIFY2(headline.contains(QStringLiteral("largest gain: ")) && headline.contains(QStringLiteral("up to 10")),
                 qPrintable(headline));
        // The share of the gain is on the card; the headline does not repeat the share of the title.
        data.runs.resize(1);
        data.runs[0].cycles = 400;
        data.runs[0].steps = 4;
        data.ipuSplits.resize(1);
        QVERIFY(insightGain(data.insights[1], data).contains(QStringLiteral("10 % of a step")));
        data.patterns.push_back({"Execution", 100, true});
        QVERIFY(insightGain(data.insights[1], data).contains(QStringLiteral(" % of an execution of several steps")));
        data.patterns.clear();
        headline = insightsHeadline(list, data);
        QVERIFY2(headline.contains(QStringLiteral("up to 10 cycles (modelled)")) && !headline.contains(QLatin1Char('%')),
                 qPrintable(headline));
        auto const gains = gainQuantities(data.insights[1]);
        QCOMPARE(gains.size(), 1);
        QCOMPARE(gains[0].kind, QuantityKind::Cycles);
        QCOMPARE(gains[0].origin, Origin::Modelled);
        QVERIFY(!gains[0].source.isEmpty());
        // A compile found more than the bound of the rule.
        for (auto &item : list.items)
            if (item.row == 1) item.tried = 0.48;
        chooseBest(list, data, {});
        headline = insightsHeadline(list, data);
        QVERIFY2(headline.endsWith(QStringLiteral(", 48 % more samples/s (modelled)")), qPrintable(headline));
        QVERIFY(!headline.contains(QLatin1String("up to")));
        chooseBest(list, data, {1}); // tried: it brings nothing
        QVERIFY(!list.promises);
        QVERIFY(!insightsHeadline(list, data).contains(QStringLiteral("largest gain")));
    }

    void problemsOfTheMachineDoNotMarkLayers()
    {
        Lineage lineage;
        lineage.tiles = lineage.ipus = lineage.ops = {1, 1};
        auto ofOp = insight("c", "advice", 1), ofIpu = insight("a", "warning", 0);
        ofOp.subjectKind = "op";
        ofIpu.subjectKind = "ipu";
        auto const ofTile = insight("b", "warning", 0);
        auto const with = [](SelectionKind kind) {
            Selected s;
            s.kind = kind;
            return s;
        };
        auto const layer = with(SelectionKind::Layer), tile = with(SelectionKind::Tile), ipu = with(SelectionKind::Ipu);
        QVERIFY(!concerns(ofIpu, layer, lineage, {}) && !concerns(ofTile, layer, lineage, {}) && concerns(ofOp, layer, lineage, {}));
        QVERIFY(!concerns(ofIpu, tile, lineage, {}) && concerns(ofTile, tile, lineage, {}));
        QVERIFY(concerns(ofIpu, ipu, lineage, {}) && concerns(ofTile, ipu, lineage, {}));
        QVERIFY(!concerns(ofOp, with(SelectionKind::None), lineage, {}));
    }

    void hostStreamsConcernTheOperationThatStreams()
    {
        report::ReportData data;
        data.programs.resize(2);
        data.programs[0].kind = "execute";
        data.programs[1].kind = "stream_copy";
        auto streams = insight("host.stream-bound", "warning", 0);
        streams.subjectKind = "ipu";
        Selected infeed;
        infeed.kind = SelectionKind::Op;
        Lineage lineage;
        lineage.programs = {1, 0};
        QVERIFY(!concerns(streams, infeed, lineage, data));
        lineage.programs = {0, 1};
        QVERIFY(concerns(streams, infeed, lineage, data));
        auto other = streams;
        other.rule = "sync.bound";
        QVERIFY(!concerns(other, infeed, lineage, data));
    }

    void trendsDistinguishNewWorseImprovedAndSolved()
    {
        report::ReportData before, now;
        before.insights = {insight("same", "note", 0, 100), insight("worse", "note", 0, 100), insight("better", "note", 0, 100),
                           insight("gone", "note", 0)};
        now.insights = {insight("same", "note", 0, 100), insight("worse", "note", 0, 150), insight("better", "note", 0, 50),
                        insight("new", "note", 0), insight("same", "note", 7, 100)};
        auto const list = listInsights(now, &before, {});
        QCOMPARE(list.fresh, 2); // another tile is another insight
        QCOMPARE(list.worse, 1);
        QCOMPARE(list.improved, 1);
        QCOMPARE(list.cured, std::vector<int>{3});
        QVERIFY(insightsHeadline(list, now).contains(QLatin1String("2 new, 1 worse, 1 cured")));
    }

    void equalReportsHaveNoTrend()
    {
        auto const report = tests::compiledReport();
        auto const list = listInsights(report->data(), &report->data(), {});
        QCOMPARE(list.fresh + list.worse + list.improved, 0);
        QVERIFY(list.cured.empty());
    }

    void suppressionIsANoteOfTheProject()
    {
        project::Notes notes;
        notes.setSuppressed("sync.bound|IPU 0", "known");
        QCOMPARE(suppressedInsights(notes).value(QStringLiteral("sync.bound|IPU 0")), QStringLiteral("known"));
        notes.setSuppressed("sync.bound|IPU 0", "");
        QVERIFY(suppressedInsights(notes).isEmpty());
    }

    void suppressedInsightsGoLastAndAreNotTheBest()
    {
        report::ReportData data;
        data.insights = {insight("a", "warning", 0, 900), insight("b", "note", 1, 10)};
        for (auto &row : data.insights) row.action = R"({"set":[{"path":"training.batch_size","value":64}]})";
        auto const key = insightKey(data.insights[0], data);
        auto const list = listInsights(data, nullptr, {{key, QStringLiteral("why")}});
        QCOMPARE(list.items.back().row, 0);
        QCOMPARE(list.items.back().reason, QStringLiteral("why"));
        QCOMPARE(list.suppressed, 1);
        QCOMPARE(list.items[static_cast<std::size_t>(list.best)].row, 1);
    }

    void actionsBecomeTheProjectsFields()
    {
        auto const project = project::fromTemplate("mnist-mlp").value();
        report::InsightRow row;
        row.action = R"({"set":[{"path":"training.batch_size","value":64},{"path":"training.steps_per_execution","value":100}]})";
        auto const changes = fieldChanges(actionFields(row), project);
        QCOMPARE(changes.size(), 2);
        QCOMPARE(changes[0], (FieldChange{QStringLiteral("training.batch_size"), QStringLiteral("32"), QStringLiteral("64")}));
        auto changed = project;
        for (auto const &[path, value] : actionFields(row))
            changed = *project::withField(changed, path.toStdString(), value.toStdString(), nullptr);
        QCOMPARE(QString::fromStdString(project::field(changed, "training.batch_size").value()).trimmed(), QStringLiteral("64"));
        // Once applied there is nothing left to change.
        QVERIFY(fieldChanges(actionFields(row), changed).isEmpty());
        row.action = "{";
        QVERIFY(actionFields(row).empty());
    }

    /// Several fields of one change: a line each, also in the lists of what was tried; never one behind the other.
    void severalChangesStandApart()
    {
        QList<FieldChange> const one{{QStringLiteral("training.batch_size"), QStringLiteral("32"), QStringLiteral("64")}};
        QList<FieldChange> const two =
            one + QList<FieldChange>{{QStringLiteral("data.limit"), QStringLiteral("1000"), QStringLiteral("1024")}};
        QCOMPARE(proposedText(one), QStringLiteral("Change training.batch_size: 32 → 64"));
        QCOMPARE(proposedText(two),
                 QStringLiteral("Change together:\n• training.batch_size: 32 → 64\n• data.limit: 1000 → 1024 (drops the samples that fill "
                                "no whole batch)"));
        QCOMPARE(changeInSentence(two), QStringLiteral("training.batch_size: 32 → 64; data.limit: 1000 → 1024"));
        TriedFix fix;
        fix.fields = {{QStringLiteral("training.batch_size"), QStringLiteral("64")},
                      {QStringLiteral("training.epochs"), QStringLiteral("7")}};
        fix.fits = true;
        auto const lines = triedLines({fix}, project::fromTemplate("mnist-mlp").value(), 0).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3); // two fields and what came of them
        for (auto const &line : lines) QVERIFY2(line.count(QStringLiteral("→")) <= 1, qPrintable(line));
    }

    void valuesKeepTheirForm()
    {
        report::InsightRow row;
        row.action = R"({"set":[{"path":"a","value":0.45},{"path":"b","value":true},{"path":"c","value":"ON"},{"path":"d","value":3}]})";
        auto const fields = actionFields(row);
        QCOMPARE(fields[0].second, QStringLiteral("0.45"));
        QCOMPARE(fields[1].second, QStringLiteral("true"));
        QCOMPARE(fields[2].second, QStringLiteral("ON"));
        QCOMPARE(fields[3].second, QStringLiteral("3"));
    }

    void everyRealActionIsAcceptedByItsProject()
    {
        int actions = 0;
        for (auto const &[target, batch] : {std::pair("gc200:tiles=256", "2"), std::pair("pod4:tiles=8,ipus=4", "32")}) {
            auto const fields = tests::smallModel({{"training.batch_size", batch}});
            auto const report = tests::compiledReport(target, fields);
            auto const project = tests::mnist(target, fields);
            for (auto const &row : report->data().insights) {
                if (row.action.empty()) continue;
                ++actions;
                auto changed = project;
                for (auto const &[path, value] : actionFields(row)) {
                    auto const set = project::withField(changed, path.toStdString(), value.toStdString(), nullptr);
                    QVERIFY2(set.ok(), row.action.c_str());
                    changed = *set;
                }
            }
        }
        QVERIFY(actions > 0);
    }

    void theOutcomeComparesPredictedWithAchieved()
    {
        AppliedAction applied;
        applied.change = QStringLiteral("training.batch_size: 32 → 64");
        applied.predictedSpeed = 1.25;
        applied.cyclesPerStep = 10000;
        applied.cyclesPerSample = 10000.0 / 32;
        applied.worstShare = 0.25;
        Measures now;
        now.cyclesPerStep = 15000;
        now.cyclesPerSample = 15000.0 / 64;
        now.worstShare = 0.5;
        now.fits = true;
        auto const words = outcomeText(applied, now);
        QVERIFY(words.contains(QLatin1String("predicted: samples/s 25 % more (modelled)")));
        QVERIFY(words.contains(QLatin1String("+5,000")));
        QVERIFY(words.contains(QLatin1String("50 % more")));
        QVERIFY(words.contains(QLatin1String("per sample: 25 % less")));
        QVERIFY(words.contains(QLatin1String("worst tile 50 %, before 25 %")));
        QVERIFY(words.contains(QLatin1String("modelled")));
    }
};

TW_REGISTER_TEST(TstInsightList);
#include "tst_insight_list.moc"
