#include "engine/core/text.h"
#include "engine/report/message_keys.h"
#include "engine/store/project_file.h"
#include "tests/support/test_registry.h"

#include "views/common/table_model.h"
#include "views/diagnostics/console.h"
#include "views/document/document.h"
#include "views/plots/curve_panel.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/runcontrol/run_rate.h"
#include "views/training/config_card.h"
#include "views/training/confusion_matrix.h"
#include "views/training/epoch_table.h"
#include "views/training/machine_load.h"
#include "views/training/machine_panels.h"
#include "views/training/sample_grid.h"
#include "views/training/training_curves.h"
#include "views/training/training_view.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::views;

namespace {

std::unique_ptr<View> makeView(Session &session)
{
    std::unique_ptr<View> view(trainingView().create(session, nullptr));
    view->resize(1000, 700);
    view->show();
    return view;
}

bool openTutorial(Session &session, char const *epochs)
{
    if (!session.document().openTemplate(QStringLiteral("mnist-mlp")).ok()) return false;
    return session.document()
        .setFields(QStringLiteral("small"),
                   {{QStringLiteral("system.target"), QStringLiteral("gc200:tiles=8")},
                    {QStringLiteral("data.limit"), QStringLiteral("256")},
                    {QStringLiteral("training.epochs"), QString::fromLatin1(epochs)}})
        .ok();
}

int epochRows(View &view)
{
    for (auto *tree : view.findChildren<QTreeView *>())
        if (tree->accessibleName() == QLatin1String("Epochs")) return tree->model()->rowCount();
    return -1;
}

CurvePanel *panelNamed(View &view, char const *name)
{
    for (auto *panel : view.findChildren<CurvePanel *>())
        if (panel->accessibleName() == QLatin1String(name)) return panel;
    return nullptr;
}

} // namespace

class TstTrainingView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void withoutARunItOffersOne()
    {
        Session session;
        QVERIFY(openTutorial(session, "1"));
        auto const view = makeView(session);
        QPushButton *run = nullptr;
        QTRY_VERIFY([&] {
            for (auto *button : view->findChildren<QPushButton *>())
                if (button->isVisible() && button->text() == QLatin1String("Run")) run = button;
            return run != nullptr;
        }());
        bool said = false;
        for (auto *label : view->findChildren<QLabel *>())
            said = said || (label->isVisible() && label->text().startsWith(QLatin1String("No run yet")));
        QVERIFY(said);
    }
    /// Opened again, a run shows what it showed: predictions of its weights, its target. Its speed: tst_step_times.
    void aReopenedRunShowsWhatItShowed()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("again.tilewright"));
        auto const target = [](View const &view) {
            for (auto *label : view.findChildren<QLabel *>())
                if (label->accessibleName() == QLatin1String("Target")) return label->text();
            return QString();
        };
        auto const matrix = [](View const &view) { return view.findChild<ConfusionMatrix *>(); };
        QString shown;
        std::int64_t right = 0;
        auto const epochs = [](View const &view) {
            QStringList cells;
            for (auto const *tree : view.findChildren<QTreeView *>()) {
                if (tree->accessibleName() != QLatin1String("Epochs")) continue;
                auto const &model = *tree->model();
                for (int column = 0; column < model.columnCount(); ++column) {
                    cells << model.headerData(column, Qt::Horizontal).toString();
                    for (int row = 0; row < model.rowCount(); ++row) cells << model.index(row, column).data().toString();
                }
            }
            return cells;
        };
        auto const configuration = [](View const &view) {
            QStringList rows;
            for (auto const *label : view.findChild<ConfigCard *>()->findChildren<QLabel *>()) rows << label->text();
            return rows;
        };
        QStringList epochsShown, configurationShown;
        {
            Session session;
            QVERIFY(openTutorial(session, "3"));
            QVERIFY(session.document().setField(QStringLiteral("training.validation_split"), QStringLiteral("0.5")).ok());
            QVERIFY(session.document().save(path).ok());
            auto const view = makeView(session);
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            QTRY_VERIFY_WITH_TIMEOUT(session.runs().predictions() && session.runs().predictions()->step == session.runs().live().step,
                                     60000);
            right = session.runs().predictions()->right;
            shown = target(*view);
            QCOMPARE(shown, QStringLiteral("gc200:tiles=8"));
            QTRY_VERIFY(session.report() && session.report()->isWhole());
            epochsShown = epochs(*view);
            configurationShown = configuration(*view);
            QVERIFY2(epochsShown.contains(QStringLiteral("Host")) && epochsShown.contains(QStringLiteral("val_loss"))
                         && epochsShown.contains(QStringLiteral("learning_rate")),
                     qPrintable(epochsShown.join(QLatin1Char('|'))));
        }
        Session session;
        QVERIFY(session.document().openFile(path).ok());
        auto const view = makeView(session);
        QTRY_VERIFY_WITH_TIMEOUT(session.runs().predictions(), 60000);
        QCOMPARE(session.runs().predictions()->right, right);
        QTRY_VERIFY(matrix(*view)->isVisible());
        QTRY_COMPARE(target(*view), shown);
        QTRY_COMPARE(epochs(*view), epochsShown);
        QTRY_COMPARE(configuration(*view), configurationShown);
    }
    /// The decimal points of a column stand below each other.
    void valuesOfAColumnHaveTheSameDecimals()
    {
        TablePane pane(QStringLiteral("Epochs"));
        std::vector<LiveEpoch> rows(3);
        for (int i = 0; i < 3; ++i) {
            auto &row = rows[static_cast<std::size_t>(i)];
            row.epoch = i + 1;
            row.loss = std::vector<double>{0.2173, 0.0271, 0.03177}[static_cast<std::size_t>(i)];
            row.metrics = {{QStringLiteral("learning_rate"), 0.001}};
        }
        (void)fillEpochTable(pane, rows);
        QStringList losses;
        for (int i = 0; i < 3; ++i) losses << pane.tree().model()->index(i, 1).data().toString();
        QCOMPARE(losses, (QStringList{QStringLiteral("0.21730"), QStringLiteral("0.02710"), QStringLiteral("0.03177")}));
        QCOMPARE(pane.tree().model()->index(0, 2).data().toString(), QStringLiteral("0.001"));
    }
    /// With the report of a compile on show, the run that has curves is one button away; a run without a report says why.
    void runsThatTheListHasAreNotDenied()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("ran.tilewright"));
        Session session;
        QVERIFY(openTutorial(session, "1"));
        QVERIFY(session.document().save(path).ok());
        QVERIFY(
            store::addRunRecord(path.toStdString(), {.kind = "train", .state = "failed", .json = R"({"error":"the data cannot be read"})"})
                .ok());
        session.reloadRuns();
        auto const view = makeView(session);
        auto const says = [&](char const *text) {
            return std::ranges::any_of(view->findChildren<QLabel *>(), [&](auto const *label) {
                return label->isVisible() && label->text().contains(QLatin1String(text));
            });
        };
        QTRY_VERIFY(says("Run 1 left no report. The data cannot be read."));
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QString const report = session.runs().live().reportPath;
        Session again;
        QVERIFY(again.document().openFile(path).ok());
        auto const shown = makeView(again);
        QTRY_VERIFY(again.report() && again.report()->isWhole());
        again.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(again.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(again.report()->path() != report && again.report()->isWhole());
        QPushButton *show = nullptr;
        QTRY_VERIFY([&] {
            for (auto *button : shown->findChildren<QPushButton *>())
                if (button->isVisible() && button->text() == QLatin1String("Show run 2")) show = button;
            return show != nullptr;
        }());
        show->click();
        QTRY_COMPARE(again.report()->path(), report);
        QTRY_VERIFY(!panelNamed(*shown, "Loss")->curves().empty());
    }
    void withWeightsAloneItOffersToTrainOn()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("trained.tilewright"));
        {
            Session session;
            QVERIFY(openTutorial(session, "1"));
            QVERIFY(session.document().save(path).ok());
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            QVERIFY(QFile::remove(session.runs().live().reportPath));
        }
        Session session;
        QVERIFY(session.document().openFile(path).ok());
        auto const view = makeView(session);
        QTRY_VERIFY(std::ranges::any_of(view->findChildren<QPushButton *>(), [](auto const *button) {
            return button->isVisible() && button->text() == QLatin1String("Continue training");
        }));
    }
    void aLiveRunFillsCurvesTableAndHeadlineAndItsReportSaysTheSame()
    {
        Session session;
        QVERIFY(openTutorial(session, "2"));
        auto const view = makeView(session);
        QSignalSpy finished(&session.runs(), &RunController::finished);
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60000);
        QVERIFY2(!session.runs().live().error, session.runs().live().error ? session.runs().live().error->message.c_str() : "");
        QTRY_COMPARE(epochRows(*view), 2);
        QTRY_VERIFY2(view->headline().contains(QStringLiteral("epoch 2/2 · loss ")), qPrintable(view->headline()));
        QVERIFY(view->headline().contains(QStringLiteral("on this computer")) && view->headline().contains(QStringLiteral("modelled")));
        auto *loss = panelNamed(*view, "Loss");
        QVERIFY(loss);
        QTRY_VERIFY(!loss->curves().empty());
        QCOMPARE(loss->curves()[0].x.size(), 16u); // 256 samples in batches of 32, twice
        QVERIFY(panelNamed(*view, "Metrics")->curves().size() >= 1);

        // The report of the run holds the same series.
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole() && !session.report()->data().ipuSplits.empty(), 10000);
        // It is read beside the window: what is shown first may be of a moment before the end.
        auto const stepsShown = [&] {
            auto const shown = reportSeries(*session.report(), trainingRun(session.report()->data()));
            auto const lines = trainingCurves(shown, stepsPerEpochOf({}, shown), CurveGroup::Loss);
            return lines.empty() ? std::size_t{0} : lines[0].y.size();
        };
        QTRY_COMPARE_WITH_TIMEOUT(stepsShown(), std::size_t{16}, 10000);
        auto const series = reportSeries(*session.report(), trainingRun(session.report()->data()));
        auto const curves = trainingCurves(series, stepsPerEpochOf({}, series), CurveGroup::Loss);
        QVERIFY(!curves.empty());
        QCOMPARE(curves[0].y.size(), loss->curves()[0].y.size());
        for (std::size_t i = 0; i < curves[0].y.size(); ++i) QCOMPARE(curves[0].y[i], loss->curves()[0].y[i]);

        auto const tellsOneNumber = [&] {
            auto const &shown = session.report()->data();
            auto const frame = runFrame(shown);
            Bytes moved = 0;
            for (auto const &cost : costsByProgram(shown, frame.run)) moved += cost.bytesMoved;
            auto const load = machineLoadOf(*session.report());
            return bytesPerStep(frame, moved) == static_cast<Bytes>(std::llround(load.exchangedPerStep() + load.streamedPerStep()));
        };
        QTRY_VERIFY_WITH_TIMEOUT(tellsOneNumber(), 10000); // the same: its parts are read one after the other
        // What the static schedule adds up to is what the run's statistics say per update.
        auto const load = machineLoadOf(*session.report());
        auto const &data = session.report()->data();
        QVERIFY(!load.ipus.empty() && !data.ipuSplits.empty());
        auto const frame = runFrame(data);
        QVERIFY(frame.patterns > 0);
        auto const &split = data.ipuSplits.front();
        QCOMPARE(load.ipus[0].cycles[0] * frame.patterns, split.compute);
        QCOMPARE(load.ipus[0].cycles[1] * frame.patterns, split.internalExchange);
        QVERIFY(load.exchangedPerStep() > 0);
        // What moves in a step is one number wherever it is told: here, by program step and by operation.
        auto const costs = costsByProgram(data, frame.run);
        Bytes moved = 0;
        for (auto const &cost : costs) moved += cost.bytesMoved;
        QCOMPARE(bytesPerStep(frame, moved), static_cast<Bytes>(std::llround(load.exchangedPerStep() + load.streamedPerStep())));
        moved = 0;
        auto const byOp = report::costsByOp(data, costs);
        for (std::size_t op = 0; op < byOp.size(); ++op)
            if (data.ops[op].parent < 0) moved += byOp[op].bytesMoved;
        QVERIFY(moved > 0 && bytesPerStep(frame, moved) <= std::llround(load.exchangedPerStep() + load.streamedPerStep()));
    }
    void nothingScrollsOnALargeScreen()
    {
        Session session;
        QVERIFY(openTutorial(session, "2"));
        QVERIFY(session.document()
                    .setFields(QStringLiteral("two"),
                               {{QStringLiteral("training.metrics"), QStringLiteral("[\"accuracy\", \"crossentropy\"]")}})
                    .ok());
        auto const view = makeView(session);
        view->resize(1850, 884); // in a window of 1920 x 1080 with a desktop's panel
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(epochRows(*view), 2, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole() && view->isSettled(), 20000);
        auto const scrolled = [&view] {
            QStringList list;
            for (auto *area : view->findChildren<QAbstractScrollArea *>())
                if (auto *scroll = qobject_cast<QScrollArea *>(area); scroll && qobject_cast<PredictionGrid *>(scroll->widget()))
                    continue; // as many samples as there are
                else if (area->isVisible()
                         && (area->horizontalScrollBar()->maximum() > 0
                             || (qobject_cast<QScrollArea *>(area) && area->verticalScrollBar()->maximum() > 0)))
                    list << QStringLiteral("%1 %2 %3x%4 by %5, %6")
                                .arg(area->metaObject()->className(), area->accessibleName())
                                .arg(area->width())
                                .arg(area->height())
                                .arg(area->horizontalScrollBar()->maximum())
                                .arg(area->verticalScrollBar()->maximum());
            return list;
        };
        QTRY_COMPARE(scrolled(), QStringList()); // once all of it is laid out
        // Nor do the bars beside blank room: a narrow panel, where the legend takes many rows.
        QWidget holder;
        MachinePanels panels(session, &holder);
        panels.speedPanel()->hide();
        panels.setReport(session.report());
        holder.resize(110, 600);
        panels.panel()->resize(110, 600);
        holder.show();
        auto const *scroll = panels.panel()->findChild<QScrollArea *>();
        QTRY_VERIFY(panels.isSettled() && !panels.load().ipus.empty());
        // Room for all of them, and less than twice that.
        QTRY_VERIFY(scroll->maximumHeight() > 96 && scroll->y() > 0);
        // The note above may take more lines than it took when it was looked at.
        auto const fits = [&] {
            panels.panel()->resize(110, scroll->y() + scroll->maximumHeight() + 40);
            return scroll->height() == scroll->maximumHeight();
        };
        QTRY_VERIFY2(fits(), qPrintable(QStringLiteral("%1 of %2").arg(scroll->height()).arg(scroll->maximumHeight())));
        QTRY_COMPARE(scroll->verticalScrollBar()->maximum(), 0);
    }
    void pauseStepAndStopWorkFromTheButtons()
    {
        Session session;
        QVERIFY(openTutorial(session, "200"));
        auto const view = makeView(session);
        auto const button = [&](char const *name) { return view->findChild<QToolButton *>(QString::fromLatin1(name)); };
        QSignalSpy finished(&session.runs(), &RunController::finished);
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.runs().state() == RunState::Running && session.runs().live().step > 0, 60000);
        QTRY_VERIFY(button("pause")->isVisible());
        QVERIFY(!button("step")->isVisible());
        QTest::mouseClick(button("pause"), Qt::LeftButton);
        QTRY_VERIFY(session.runs().isPaused());
        QTRY_VERIFY(button("step")->isVisible());
        QVERIFY(!button("superstep")->isVisible()); // fused
        auto const step = session.runs().live().step;
        QTest::mouseClick(button("step"), Qt::LeftButton);
        QTRY_COMPARE(session.runs().live().step, step + 1);
        QTest::mouseClick(button("stop"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 20000);
        QTRY_VERIFY(button("run")->isEnabled());
        QVERIFY(view->headline().contains(QStringLiteral("loss")));
    }
    /// The rate of a standing run changes with its next step, in the run, in the report's log and in the window's console.
    void theLearningRateOfAPausedRunIsSetForTheNextStep()
    {
        Session session;
        QVERIFY(openTutorial(session, "100000"));
        auto const view = makeView(session);
        auto &runs = session.runs();
        auto *rate = view->findChild<QLineEdit *>(QStringLiteral("learningRate"));
        auto *set = view->findChild<QToolButton *>(QStringLiteral("setLearningRate"));
        QVERIFY(rate && set && !rate->isVisible());
        runs.train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(runs.state() == RunState::Running && runs.live().step > 0, 60000);
        QTRY_VERIFY(rate->isVisible());
        QCOMPARE(rate->text(), QStringLiteral("0.001"));
        runs.pause();
        QTRY_VERIFY(runs.isPaused());
        rate->setText(QStringLiteral("fast"));
        QTest::mouseClick(set, Qt::LeftButton);
        QCOMPARE(RunRate::of(runs).now(), std::optional(0.001));
        QVERIFY(!RunRate::of(runs).wanted());
        rate->setText(QStringLiteral("0.25"));
        QTest::mouseClick(set, Qt::LeftButton);
        QCOMPARE(RunRate::of(runs).wanted(), std::optional(0.25));
        QCOMPARE(RunRate::of(runs).now(), std::optional(0.001));
        runs.step();
        QTRY_COMPARE(RunRate::of(runs).now(), std::optional(0.25));
        QVERIFY(!RunRate::of(runs).wanted());
        // The configuration of the run has both, with the step from which the new one counts.
        auto const configured = [&view] {
            for (auto const *field : view->findChildren<QLabel *>())
                if (field->accessibleName() == QStringLiteral("Learning rate")) return field->text();
            return QString();
        };
        auto const changes = RunRate::of(runs).changes();
        QCOMPARE(changes.size(), std::size_t(2));
        QCOMPARE(changes.front(), (RateChange{0, 0.001}));
        QTRY_COMPARE(configured(), QStringLiteral("0.001, 0.25 from step %1").arg(QLocale().toString(qlonglong(changes.back().after + 1))));
        QCOMPARE(ratesText({{0, 0.1}, {4, 0.2}, {1999, 0.3}, {2999, 0.4}}), QStringLiteral("0.1, …, 0.4 from step 3,000"));
        QTRY_VERIFY2(session.console().said().startsWith(QStringLiteral("The learning rate is 0.25 after step ")),
                     qPrintable(session.console().said()));
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 20000);
        QVERIFY(!rate->isVisible());
        QVERIFY(!RunRate::of(runs).set(1).isEmpty());             // nothing runs
        auto const logStep = groupedDigits(changes.back().after); // the window and the report name the same step
        auto const logged = [&] {
            if (!session.report() || !session.report()->isWhole()) return false;
            auto const &data = session.report()->data();
            for (int row = 0; row < static_cast<int>(data.log.size()); ++row)
                if (data.log[static_cast<std::size_t>(row)].text.starts_with("learning rate 0.001 to 0.25 after step " + logStep + " "))
                    return data.meta.contains(report::logMessageKey(row));
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(logged(), 10000);
    }
    void aScheduleOnTheDeviceIsNotSet()
    {
        Session session;
        QVERIFY(openTutorial(session, "100000"));
        QVERIFY(session.document()
                    .setField(QStringLiteral("training.optimizer"),
                              QStringLiteral(R"({"class_name": "SGD", "config": {"learning_rate": {"class_name": "ExponentialDecay",
                                  "config": {"initial_learning_rate": 0.1, "decay_steps": 10, "decay_rate": 0.9}}}})"))
                    .ok());
        auto const view = makeView(session);
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(RunRate::of(session.runs()).isKnown(), 60000);
        auto *rate = view->findChild<QLineEdit *>(QStringLiteral("learningRate"));
        QTRY_VERIFY(rate->isVisible());
        QVERIFY(!rate->isEnabled() && !rate->toolTip().isEmpty());
        QVERIFY(RunRate::of(session.runs()).set(0.1).contains(QStringLiteral("schedule")));
        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 20000);
    }
    void predictionsComeWhileTheRunGoesOn()
    {
        Session session;
        QVERIFY(openTutorial(session, "100000"));
        auto const view = makeView(session);
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.runs().predictions(), 60000);
        QVERIFY(session.runs().isActive());
        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 20000);
    }
    void aRunsCurvesAreRedrawnAtMostTenTimesASecond()
    {
        Session session;
        QVERIFY(openTutorial(session, "2000"));
        auto const view = makeView(session);
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.runs().live().step > 10, 60000);
        auto *loss = panelNamed(*view, "Loss");
        QTRY_VERIFY(loss->replots() > 0);
        int const before = loss->replots();
        QElapsedTimer clock;
        clock.start();
        QTest::qWait(1000);
        int const drawn = loss->replots() - before;
        QVERIFY2(drawn >= 2 && drawn <= clock.elapsed() / 100 + 3, qPrintable(QString::number(drawn)));
        // A view that is made later, in another language or another window, knows as much of the run.
        auto const speed = [](View &of) { return panelNamed(of, "Steps per second, measured on this computer"); };
        auto const speedSaid = [&](View &of) {
            for (auto const *label : speed(of)->findChildren<QLabel *>())
                if (label->text().startsWith(QStringLiteral("Steps per second, measured on this computer"))) return label->text();
            return QString();
        };
        QTRY_VERIFY(speed(*view) && speed(*view)->curves().size() == 1 && speed(*view)->curves()[0].x.size() > 1);
        auto const another = makeView(session);
        QTRY_VERIFY(speed(*another)->curves().size() == 1 && speed(*another)->curves()[0].x.size() > 1);
        QVERIFY(speed(*another)->curves()[0].x[0] < 1);
        QVERIFY2(speedSaid(*another).contains(QRegularExpression(QStringLiteral(": [0-9]"))),
                 qPrintable(speedSaid(*another))); // there is no scale where there is no room
        session.runs().stopAfterStep();
        QTRY_VERIFY_WITH_TIMEOUT(!session.runs().isActive(), 20000);
    }
};

TW_REGISTER_TEST(TstTrainingView);
#include "tst_training_view.moc"
