#include "tests/support/test_registry.h"

#include "engine/report/tables.h"
#include "views/common/format.h"
#include "views/training/epoch_table.h"
#include "views/training/training_curves.h"
#include "views/training/training_text.h"

#include <QtTest>

#include <limits>

using namespace tilewright::views;

namespace {

LiveRun threeEpochs()
{
    LiveRun live;
    live.exists = true;
    live.state = RunState::Running;
    live.stepsPerEpoch = 100;
    live.epochs = 5;
    live.step = 250;
    live.stepsPerSecond = 50;
    live.hostSeconds = 2.75;
    live.emulatedSeconds = 2.25;
    LiveSeries loss{QStringLiteral("loss"), false, {}, {}};
    for (int i = 1; i <= 250; ++i) {
        loss.x.push_back(i);
        loss.y.push_back(1.0 / i);
    }
    live.series = {loss,
                   {QStringLiteral("accuracy"), false, {249, 250}, {0.9, 0.95}},
                   {QStringLiteral("loss"), true, {1, 2}, {0.1, 0.01}},
                   {QStringLiteral("val_loss"), true, {1, 2}, {0.2, 0.1}},
                   {QStringLiteral("val_accuracy"), true, {1, 2}, {0.8, 0.98}}};
    LiveEpoch epoch;
    epoch.epoch = 2;
    epoch.hostSeconds = 1.1;
    epoch.emulatedSeconds = 0.9;
    epoch.metrics = {{QStringLiteral("accuracy"), 0.94}, {QStringLiteral("val_loss"), 0.1}, {QStringLiteral("val_accuracy"), 0.98}};
    live.epochTable = {epoch};
    return live;
}

} // namespace

class TstTrainingText : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void theHeadlineShowsProgressAndSpeed()
    {
        auto const facts = factsOf(threeEpochs());
        QString const text = trainingHeadline(facts);
        // Both are running means of the epoch, and the table of epochs has the same.
        double loss = 0;
        for (int i = 201; i <= 250; ++i) loss += 1.0 / i / 50;
        QVERIFY2(text.startsWith(QStringLiteral("epoch 3/5 · loss %1 ↓ · accuracy %2").arg(numberText(loss), numberText(0.925))),
                 qPrintable(text));
        auto const running = runningEpoch(threeEpochs());
        QVERIFY(running && running->running);
        QCOMPARE(running->epoch, 3);
        QCOMPARE(running->steps, std::int64_t(50));
        QVERIFY(std::abs(running->loss - loss) < 1e-12);
        TablePane table(QStringLiteral("Epochs"));
        fillEpochTable(table, {*running});
        QCOMPARE(table.model().index(0, 0).data().toString(), QStringLiteral("3 (running)"));
        QCOMPARE(table.model().index(0, 1).data().toString(), numberText(loss));
        QCOMPARE(table.model().index(0, 2).data().toString(), numberText(0.925));
        QVERIFY2(text.contains(QStringLiteral("s per epoch on this computer, ")) && text.endsWith(QStringLiteral(" modelled")),
                 qPrintable(text));
    }
    void aRunOnTilesIsMeasured()
    {
        auto live = threeEpochs();
        live.mode = RunMode::Tile;
        QVERIFY(trainingHeadline(factsOf(live)).endsWith(QStringLiteral(" modelled"))); // its steps so far, by the schedule
        live.deviceMeasured = true;
        QString const text = trainingHeadline(factsOf(live));
        QVERIFY2(text.endsWith(QStringLiteral(" measured on the tiles")), qPrintable(text));
    }
    /// The time of an epoch is the run's time divided by its steps, as in the report of that run, not the time of the last epoch, which can
    /// be quick or
    /// incomplete.
    void epochTimesAreSharesOfTheRunTime()
    {
        auto live = threeEpochs();
        live.epochTable.back().steps = 25; // of 100
        live.epochTable.back().complete = false;
        live.epochTable.back().hostSeconds = 9;
        auto const facts = factsOf(live);
        QVERIFY(std::abs(facts.epochSecondsHere - 1.1) < 1e-9);
        QVERIFY(std::abs(facts.epochSecondsDevice - 0.9) < 1e-9);
        // Resumed in the middle: the steps of this run alone.
        live.firstStep = 200;
        QVERIFY(std::abs(factsOf(live).epochSecondsHere - 5.5) < 1e-9);
    }
    /// What is left is counted at the same rate as the time of an epoch, whatever the last second was like.
    void theRemainderAndTheEpochAreOfOneRate()
    {
        auto live = threeEpochs();
        live.stepsPerSecond = 1e6;
        auto const facts = factsOf(live);
        double const left = static_cast<double>(facts.steps - facts.step) / static_cast<double>(live.stepsPerEpoch);
        QVERIFY(facts.remainingSecondsHere > 0);
        QVERIFY2(std::abs(facts.remainingSecondsHere - left * facts.epochSecondsHere) < 1e-9 * facts.remainingSecondsHere,
                 qPrintable(QStringLiteral("%1, %2").arg(facts.remainingSecondsHere).arg(left * facts.epochSecondsHere)));
    }
    void progressShowsTheRemainder()
    {
        auto const facts = factsOf(threeEpochs());
        QCOMPARE(progressOf(facts), 0.5);
        QCOMPARE(facts.remainingSecondsHere, 2.75); // at the rate of the run so far
        QVERIFY(progressText(facts).startsWith(QStringLiteral("step 250 of 500 · 50 %")));
        QVERIFY(progressText(facts).contains(QStringLiteral("left")));
    }
    void lossesThatAreNotNumbersAreDescribedInWords()
    {
        auto live = threeEpochs();
        live.series.front().y.back() = std::numeric_limits<double>::quiet_NaN(); // and so is the mean
        QVERIFY(trainingHeadline(factsOf(live)).contains(QStringLiteral("loss is not a number")));
    }
    void theTrendNeedsAHundredthOfChange()
    {
        QCOMPARE(trendOf(std::vector<double>{1, 0.5}), -1);
        QCOMPARE(trendOf(std::vector<double>{1, 1.005}), 0);
        QCOMPARE(trendOf(std::vector<double>{1, 2}), 1);
        QCOMPARE(trendOf(std::vector<double>{1}), 0);
    }
    /// A falling run of small batches: noise far above a hundredth must not turn the arrow.
    void noiseIsNoTrend()
    {
        std::vector<double> falling, flat;
        unsigned state = 7;
        for (int i = 0; i < 2000; ++i) {
            state = state * 1664525U + 1013904223U;
            double const noise = (static_cast<double>(state >> 8) / (1U << 24) - 0.5);
            falling.push_back(1.0 / (1 + i / 100.0) + 0.2 * noise);
            flat.push_back(0.1 + 0.08 * noise);
        }
        for (std::size_t n = 200; n <= falling.size(); n += 50)
            QVERIFY2(trendOf(std::span(falling).first(n)) <= 0, qPrintable(QString::number(n)));
        for (std::size_t n = 200; n <= flat.size(); n += 50) QCOMPARE(trendOf(std::span(flat).first(n)), 0);
        QCOMPARE(trendOfEpochs(std::vector<double>{0.3, 0.2}), -1);
        QCOMPARE(trendOfEpochs(std::vector<double>{0.2, 0.3}), 1);
        QCOMPARE(trendOfEpochs(std::vector<double>{0.2}), 0);
    }
    void finishedRunsAreMarked()
    {
        auto live = threeEpochs();
        live.state = RunState::Idle;
        live.ended = QStringLiteral("done");
        QVERIFY(trainingHeadline(factsOf(live)).startsWith(QStringLiteral("Finished · ")));
        live.ended = QStringLiteral("stopped");
        QVERIFY(trainingHeadline(factsOf(live)).startsWith(QStringLiteral("Stopped · ")));
    }
    void compilingAndPausedAreNamed()
    {
        auto live = threeEpochs();
        live.state = RunState::Paused;
        QVERIFY(trainingHeadline(factsOf(live)).startsWith(QStringLiteral("Paused · epoch 3/5")));
        live.state = RunState::Compiling;
        QVERIFY(trainingHeadline(factsOf(live)).startsWith(QStringLiteral("Compiling")));
    }
    void aCompileIsNotATraining()
    {
        LiveRun live;
        live.exists = true;
        live.kind = QStringLiteral("compile");
        QVERIFY(!factsOf(live).exists);
    }
    void validationStandsAtTheEndOfItsEpochDashedInAColourOfItsOwn()
    {
        auto const live = threeEpochs();
        auto const loss = trainingCurves(live.series, live.stepsPerEpoch, CurveGroup::Loss);
        QCOMPARE(loss.size(), 2u); // the loss by epoch is left out: it is known by step
        QCOMPARE(loss[0].name, QStringLiteral("loss"));
        QCOMPARE(loss[1].x, (std::vector<double>{100, 200}));
        QVERIFY(loss[1].shape == CurveShape::Dashed);
        QVERIFY(loss[1].color != loss[0].color);
        QVERIFY(!loss[1].smooth);
        auto const metrics = trainingCurves(live.series, live.stepsPerEpoch, CurveGroup::Metrics);
        QCOMPARE(metrics.size(), 2u);
        QVERIFY(metrics[0].color != metrics[1].color);
    }
    void withoutStepsTheAxisIsEpochs()
    {
        std::vector<LiveSeries> const series{{QStringLiteral("loss"), true, {1, 2}, {0.5, 0.25}}};
        QVERIFY(isByEpoch(series));
        auto const curves = trainingCurves(series, 0, CurveGroup::Loss);
        QCOMPARE(curves.at(0).x, (std::vector<double>{1, 2}));
    }
    void epochRowsComeOutOfSeries()
    {
        auto const rows = epochsOf(threeEpochs().series, 100);
        QCOMPARE(rows.size(), 2u);
        QCOMPARE(rows[1].loss, 0.01);
        QCOMPARE(rows[1].metrics.size(), 2u);
        QCOMPARE(stepsPerEpochOf({}, threeEpochs().series), 125); // 250 steps, two epochs finished
    }
};

TW_REGISTER_TEST(TstTrainingText);
#include "tst_training_text.moc"
