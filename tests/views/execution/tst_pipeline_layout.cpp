#include "tests/support/test_registry.h"
#include "tests/views/execution/small_report.h"
#include "views/execution/pipeline_layout.h"
#include "views/reports/report_snapshot.h"

#include <QTest>

#include <random>
#include <set>

using namespace tilewright::views;
using namespace tilewright;

class TstPipelineLayout : public QObject {
    Q_OBJECT
private slots:
    void everyTaskAndBubbleHasItsBox()
    {
        auto const data = tests::smallReport();
        auto const rows = pipelineRows(data, 0, PipelineRows::Ipus);
        QCOMPARE(rows.size(), std::size_t(2));
        std::set<int> tasks, gaps;
        for (auto const &row : rows)
            for (auto const &box : row.boxes) {
                if (box.bubble) {
                    gaps.insert(box.gap);
                    auto const &source = data.bubbles[static_cast<std::size_t>(box.gap)];
                    QCOMPARE(source.ipu, row.ipu);
                    QCOMPARE(std::pair(box.begin, box.end), std::pair(source.startCycle, source.endCycle));
                } else {
                    tasks.insert(box.task);
                    auto const &source = data.stageTasks[static_cast<std::size_t>(box.task)];
                    QCOMPARE(source.ipu, row.ipu);
                    QCOMPARE(std::pair(box.begin, box.end), std::pair(source.startCycle, source.endCycle));
                }
            }
        QCOMPARE(tasks.size(), data.stageTasks.size());
        QCOMPARE(gaps.size(), data.bubbles.size());
    }

    void stagesGiveARowEach()
    {
        auto const rows = pipelineRows(tests::smallReport(), 0, PipelineRows::Stages);
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[1].stage, 1);
        QCOMPARE(rows[1].ipu, 1);
        QVERIFY(pipelineRows(tests::smallReport(), 5, PipelineRows::Ipus).empty());
    }

    void boxesOfARowNeverOverlapWhateverTheTableSays()
    {
        std::mt19937_64 random(3);
        for (int round = 0; round < 100; ++round) {
            report::ReportData data;
            for (int i = 0; i < 30; ++i) {
                std::int64_t const begin = static_cast<std::int64_t>(random() % 1000),
                                   end = begin + static_cast<std::int64_t>(random() % 100);
                if (i % 2) data.bubbles.push_back({0, 0, begin, end, "host", -1});
                else data.stageTasks.push_back({0, 0, i, 0, 0, i, "forward", begin, end, 0});
            }
            auto const rows = pipelineRows(data, 0, PipelineRows::Ipus);
            std::int64_t end = -1;
            for (auto const &box : rows.front().boxes) {
                QVERIFY(box.begin >= end && box.end > box.begin);
                end = box.end;
            }
        }
    }

    void sharesAddUpToTheBubbles()
    {
        auto const data = tests::smallReport();
        auto const shares = report::bubbleShares(data.stageTasks, data.bubbles, 0);
        QCOMPARE(shares.stages, 2);
        QCOMPARE(shares.ipus, 2);
        // Of the batch: the bubble that goes on behind the last task counts until there.
        QCOMPARE(shares.all, 750.0 / 1800);
        QCOMPARE(shares.ramps(), 700.0 / 1800);
        QCOMPARE(shares.share("imbalance"), 50.0 / 1800);
        QCOMPARE(shares.culprit, 1);
        QLocale::setDefault(QLocale::c());
        QString const text = pipelineHeadline(shares, 4);
        QVERIFY2(text.contains(QStringLiteral("bubbles 42 % of the pipeline's time (ramp 39 %")) && text.contains(QStringLiteral("IPU 1")),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("10 % of the update outside the pipeline")), qPrintable(text));
    }

    /// What a pipeline repeats is a weight update, of several steps; rows are named by stage and IPU.
    void updatesAndRowsSayWhatTheyAre()
    {
        auto const data = tests::smallReport();
        auto const shares = report::bubbleShares(data.stageTasks, data.bubbles, 0);
        QVERIFY(pipelineHeadline(shares, 4).contains(QStringLiteral("weight update of 4 steps")));
        QVERIFY(!pipelineHeadline(shares, 1).contains(QStringLiteral("weight update of")));
        RunPlaces run;
        run.places = data.patternPlaces;
        run.scale.ticksPerStep = 250;
        QCOMPARE(run.stepsOfUpdate(), std::int64_t(4));
        auto const blocks = buildBlocks(ReportSnapshot::ofData(data, QStringLiteral("small")), {});
        QVERIFY(blocks.ok());
        for (auto const rows : {PipelineRows::Ipus, PipelineRows::Stages}) {
            QStringList names;
            for (auto const &lane : pipelineLanes(*blocks, placesOf(*(*blocks)->report, 0), rows).set.lanes) names << lane.name;
            for (auto const &name : names)
                QVERIFY2(name.contains(QStringLiteral("IPU ")) && name.contains(QStringLiteral(" · ")), qPrintable(name));
            QVERIFY2(names.join(u'|').contains(QStringLiteral("first")) && names.join(u'|').contains(QStringLiteral("second")),
                     qPrintable(names.join(u'|')));
        }
    }

    void labelsNamePassAndMicroBatch()
    {
        report::StageTaskRow task;
        task.microBatch = 3;
        QCOMPARE(taskLabel(task), QStringLiteral("F3"));
        task.pass = "backward";
        QCOMPARE(taskLabel(task), QStringLiteral("B3"));
        QCOMPARE(causeLetter("imbalance"), QChar('i'));
    }
};

TW_REGISTER_TEST(TstPipelineLayout);
#include "tst_pipeline_layout.moc"
