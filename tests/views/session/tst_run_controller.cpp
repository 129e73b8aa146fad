#include "engine/core/internal_error.h"
#include "engine/store/project_file.h"
#include "tests/support/test_registry.h"
#include "tests/views/session/opened_project.h"
#include "views/diagnostics/console.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/detached_run.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/run_project.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;
using tests::open;

class TstRunController : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void trainingFillsSeriesEpochsReportAndHistory()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("a.tilewright")), 640, 2);
        auto &runs = session.runs();
        QSignalSpy advanced(&runs, &RunController::advanced);
        runs.train(RunMode::Fused);
        QCOMPARE(runs.state(), RunState::Compiling);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        auto const &live = runs.live();
        QVERIFY2(!live.error, live.error ? live.error->message.c_str() : "");
        QCOMPARE(live.epochTable.size(), std::size_t(2));
        QCOMPARE(live.step, std::int64_t(40));
        QVERIFY(!live.series.empty());
        QCOMPARE(live.series[0].name, QStringLiteral("loss"));
        QCOMPARE(live.series[0].x.size(), std::size_t(40));
        QVERIFY(live.epochTable[1].loss < live.epochTable[0].loss);
        QVERIFY(advanced.count() >= 1);
        QVERIFY(QFileInfo::exists(live.reportPath));
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        QTRY_COMPARE(session.report()->data().runs.size(), std::size_t(1));
        QTRY_COMPARE(session.report()->data().runs[0].state, std::string("done"));
        QVERIFY(!session.reportIsStale());
        QTRY_COMPARE(session.runList().size(), std::size_t(1));
        QCOMPARE(session.runList()[0].state, QStringLiteral("done"));
        QVERIFY(session.document().setField(QStringLiteral("training.epochs"), QStringLiteral("5")).ok());
        QVERIFY(session.reportIsStale());
        session.document().undoStack().undo();
        QVERIFY(!session.reportIsStale()); // it is of this project
        // What was trained predicts.
        runs.requestPredictions();
        QTRY_VERIFY_WITH_TIMEOUT(runs.predictions(), 60000);
        auto const info = runs.predictions();
        QCOMPARE(info->confusion.size(), std::size_t(10));
        std::int64_t all = 0, right = 0;
        for (std::size_t i = 0; i < 10; ++i)
            for (std::size_t j = 0; j < 10; ++j) {
                all += info->confusion[i][j];
                right += i == j ? info->confusion[i][j] : 0;
            }
        QCOMPARE(all, info->count);
        QCOMPARE(right, info->right);
        QVERIFY(!info->samples.empty());
        QCOMPARE(info->samples[0].values.size(), std::size_t(784));
    }
    /// A run whose project has got another model meanwhile: it is not promised that it goes on, and where its weights are is said.
    void aRunWhoseProjectHasChangedIsNotDetachedAndItsWeightsAreNamed()
    {
        Session session;
        QString const path = m_folder.filePath(QStringLiteral("changed.tilewright"));
        open(session, path, 640, 100000);
        auto &runs = session.runs();
        runs.train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 20, 60000);
        QVERIFY(session.document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("99")).ok());
        QVERIFY(session.document().save(path).ok());
        QVERIFY2(runs.detach().contains(QLatin1String("another model")), qPrintable(runs.detach()));
        QVERIFY(runs.isActive() && runs.state() == RunState::Running);
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QCOMPARE(runs.live().unkept.size(), std::size_t(1));
        auto const told = runs.live().unkept[0];
        QCOMPARE(told.code, std::string("checkpoint.unsaved"));
        auto const at = told.message.find("The weights are kept in "), end = told.message.text().rfind(".npz");
        QVERIFY2(at != std::string::npos && end != std::string::npos, told.message.c_str());
        auto const file = QString::fromStdString(told.message.substr(at + 24, end + 4 - at - 24));
        QVERIFY2(QFileInfo::exists(file), qPrintable(file));
        QVERIFY2(told.remedy.find("as it was trained") != std::string::npos, told.remedy.c_str());
        QFile::remove(file);
    }
    /// A run is in the list from its beginning, also of a project without a file; what fails says why.
    void runsAreListedFromTheirBeginning()
    {
        for (bool const saved : {true, false}) {
            Session session;
            auto &document = session.document();
            if (saved) {
                open(session, m_folder.filePath(QStringLiteral("begun.tilewright")), 640, 100000);
            } else {
                QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
                for (auto const &[field, value] :
                     {std::pair("system.target", "gc200:tiles=64"), std::pair("data.limit", "320"), std::pair("training.epochs", "100000")})
                    QVERIFY(document.setField(QString::fromLatin1(field), QString::fromLatin1(value)).ok());
            }
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runList().size(), std::size_t(1), 20000);
            QCOMPARE(session.runList()[0].state, QStringLiteral("running"));
            QTRY_VERIFY_WITH_TIMEOUT(session.runs().live().step > 0, 60000);
            QVERIFY(QFileInfo::exists(session.runList()[0].report));
            session.runs().stopAfterStep();
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            QTRY_COMPARE(session.runList()[0].state, QStringLiteral("stopped"));
            QCOMPARE(session.runList().size(), std::size_t(1));
            // A model without layers fails at once, and is nothing to lose.
            QVERIFY(document
                        .edit(QStringLiteral("clear"),
                              [](project::Project &project) -> Status {
                                  project.model.layers.clear();
                                  return {};
                              })
                        .ok());
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            QTRY_COMPARE(session.runList().size(), std::size_t(2));
            QTRY_COMPARE(session.runList()[1].state, QStringLiteral("failed"));
            QVERIFY2(!reasonOfRun(session.runList()[1]).isEmpty(), qPrintable(session.runList()[1].json));
            if (!saved) QCOMPARE(document.runsWithResults(), 1);
            if (!saved) document.discardRecovery({});
        }
    }
    /// What a kill leaves of a run: the project opened again lists it as interrupted and shows its curves.
    void aKilledRunIsInterruptedAndShowsItsCurves()
    {
        QString const path = m_folder.filePath(QStringLiteral("killed.tilewright"));
        QString report;
        {
            Session session;
            open(session, path, 640, 1);
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            report = session.runs().live().reportPath;
        }
        // The row of a run whose process has ended without finishing it.
        auto record = store::listRunRecords(path.toStdString())->front();
        record.state = "running";
        record.json = R"({"process":"1 1 gone"})";
        QVERIFY(store::updateRunRecord(path.toStdString(), record).ok());
        Session session;
        QVERIFY(session.document().openFile(path).ok());
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        QCOMPARE(session.report()->path(), report);
        QCOMPARE(session.runList()[0].state, QStringLiteral("interrupted"));
        QVERIFY(!reasonOfRun(session.runList()[0]).isEmpty());
    }
    /// The report of a run in a process of its own begins when it has compiled, however long that takes.
    void aDetachedRunIsFoundAsLongAsItLives()
    {
        QString const report = m_folder.filePath(QStringLiteral("late.twreport"));
        qint64 process = 0;
        QVERIFY(QProcess::startDetached(QStringLiteral("/bin/sh"),
                                        {QStringLiteral("-c"), QStringLiteral("sleep 1; touch '%1'").arg(report)}, m_folder.path(),
                                        &process));
        constexpr int kInterval = 2; // a hundred looks are over long before
        DetachedRun late(process, report, kInterval, nullptr);
        QSignalSpy found(&late, &DetachedRun::reportFound), ended(&late, &DetachedRun::endedWithoutReport);
        QTRY_COMPARE_WITH_TIMEOUT(found.count(), 1, 20000);
        QCOMPARE(ended.count(), 0);
        QVERIFY(QProcess::startDetached(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("exit 3")}, m_folder.path(),
                                        &process));
        DetachedRun failed(process, m_folder.filePath(QStringLiteral("never.twreport")), kInterval, nullptr);
        QSignalSpy gone(&failed, &DetachedRun::endedWithoutReport);
        QTRY_COMPARE_WITH_TIMEOUT(gone.count(), 1, 20000);
    }
    void runsMadeBeforeTheFirstSaveAreThereAfterReopening()
    {
        QString const path = m_folder.filePath(QStringLiteral("late/late.tilewright"));
        QVERIFY(QDir().mkpath(m_folder.filePath(QStringLiteral("late"))));
        QString before;
        {
            Session session;
            auto &document = session.document();
            QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
            for (auto const &[field, value] :
                 {std::pair("system.target", "gc200:tiles=64"), std::pair("data.limit", "320"), std::pair("training.epochs", "1")})
                QVERIFY(document.setField(QString::fromLatin1(field), QString::fromLatin1(value)).ok());
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            QTRY_VERIFY(session.report() && session.report()->isWhole());
            before = session.runs().live().reportPath;
            QCOMPARE(session.runList().size(), std::size_t(1)); // listed although nothing is saved
            auto notes = document.project().notes;
            notes.setRun(session.runList()[0].id, {"", "the first"});
            document.setNotes(notes);
            QVERIFY(document.save(path).ok());
            // The report on show goes on being shown, from its new place.
            QTRY_VERIFY(session.report()->path().startsWith(m_folder.path()));
            QTRY_VERIFY(session.report()->isWhole());
            QTRY_COMPARE(session.runList().size(), std::size_t(1));
        }
        QVERIFY(!QFileInfo::exists(before));
        Session again;
        QVERIFY(again.document().openFile(path).ok());
        QTRY_COMPARE(again.runList().size(), std::size_t(1));
        auto const &run = again.runList()[0];
        QCOMPARE(run.state, QStringLiteral("done"));
        QVERIFY(run.report.startsWith(m_folder.filePath(QStringLiteral("late/late-reports"))));
        QVERIFY(QFileInfo::exists(run.report));
        QCOMPARE(again.document().project().notes.runs.at(run.id).notes, std::string("the first"));
        auto const checkpoints = store::listCheckpoints(path.toStdString());
        QVERIFY(checkpoints.ok());
        QCOMPARE(checkpoints->size(), std::size_t(1));
    }
    void whoSavesAndClosesAtOnceLosesNoRun()
    {
        QString const path = m_folder.filePath(QStringLiteral("hasty.tilewright"));
        {
            Session session;
            auto &document = session.document();
            QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
            document.addUnsavedRun(
                {.startedUtc = "2026-11-22T10:00:00Z", .title = "t", .kind = "train", .state = "done", .report = "", .json = "{}"});
            QVERIFY(document.save(path).ok());
        }
        auto const runs = store::listRunRecords(path.toStdString());
        QVERIFY(runs.ok());
        QCOMPARE(runs->size(), std::size_t(1));
    }
    void aRunStoppedWhileItCompilesIsStoppedNotFailed()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("early.tilewright")), 640, 2);
        session.runs().train(RunMode::Fused);
        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_COMPARE(session.runList().size(), std::size_t(1));
        QTRY_COMPARE(session.runList()[0].state, QStringLiteral("stopped"));
    }
    /// Its report on show goes on telling of it, at a pace that costs little; at the end all agree on how long it took.
    void theReportOfARunIsFollowedToItsEnd()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("long.tilewright")), 640, 2000);
        auto &runs = session.runs();
        QSignalSpy grown(&session, &Session::reportGrown);
        runs.train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole() && !session.report()->data().ipuSplits.empty(), 60000);
        QElapsedTimer clock;
        clock.start();
        grown.clear();
        auto const first = session.report()->data().runs[0].steps;
        auto const lanes = session.report()->data().eventTypes.size();
        for (int looks : {1, 2}) {
            QTRY_VERIFY_WITH_TIMEOUT(grown.count() >= looks, 20000);
            QVERIFY(runs.isActive());
        }
        QVERIFY(session.report()->data().runs[0].steps > first);
        QCOMPARE(session.report()->data().runs[0].state, std::string("running"));
        QVERIFY(session.report()->data().eventTypes.size() >= lanes);
        QVERIFY2(grown.count() <= clock.elapsed() / 2000 + 1, qPrintable(QString::number(grown.count())));
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 20000);
        QTRY_VERIFY(session.report() && session.report()->isWhole() && session.report()->data().runs[0].state == "stopped");
        auto const &row = session.report()->data().runs[0];
        QCOMPARE(row.steps, runs.live().step);
        QVERIFY2(
            std::abs(static_cast<double>(row.hostNs) * 1e-9 - runs.live().hostSeconds) < 1e-6,
            qPrintable(
                QStringLiteral("%1 s in the report, %2 s here").arg(static_cast<double>(row.hostNs) * 1e-9).arg(runs.live().hostSeconds)));
    }
    void aRunPausesStepsAndStops()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("b.tilewright")), 32000, 50);
        auto &runs = session.runs();
        runs.train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 3, 60000);
        runs.pause();
        QTRY_COMPARE(runs.state(), RunState::Paused);
        QTest::qWait(120);
        auto const at = runs.live().step;
        QTest::qWait(120);
        QCOMPARE(runs.live().step, at); // stands still
        runs.step();
        QTRY_COMPARE(runs.live().step, at + 1);
        QTRY_COMPARE(runs.state(), RunState::Paused);
        runs.resume();
        QTRY_VERIFY(runs.live().step > at + 3);
        QElapsedTimer clock;
        clock.start();
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 5000);
        QVERIFY(!runs.live().error); // stopped as asked is no error
        QTRY_COMPARE(session.runList().size(), std::size_t(1));
        QTRY_COMPARE(session.runList()[0].state, QStringLiteral("stopped"));
    }
    void whatDoesNotFitShowsItsMemoryReport()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=4")).ok());
        QVERIFY(session.document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("4096")).ok());
        QSignalSpy errors(&session, &Session::errorRaised);
        QSignalSpy views(&session, &Session::viewRequested);
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QVERIFY(session.runs().live().compile.outOfMemory);
        QVERIFY(!session.runs().live().compile.fits);
        QCOMPARE(errors.count(), 1);
        QCOMPARE(views.last().first().toString(), QStringLiteral("memory"));
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        QVERIFY(!session.report()->data().verdicts.front().fits);
        QVERIFY(!session.report()->tileMetric("with_gaps").empty());
    }
    void aFailedInternalCheckEndsItsRunAndNothingElse()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("checked.tilewright")), 64, 1);
        // A model that no other test has put into the cache: from there nothing is lowered.
        QVERIFY(session.document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("37")).ok());
        QTRY_VERIFY_WITH_TIMEOUT(!session.jobs().busy(), 60000);
        auto &runs = session.runs();
        for (bool const train : {false, true}) {
            failNextStage("lowering");
            if (train) runs.train(RunMode::Fused);
            else runs.compile();
            QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
            QVERIFY(runs.live().error);
            QCOMPARE(runs.live().error->code, std::string("internal.check"));
            QVERIFY2(runs.live().error->remedy.find("send this file") != std::string::npos, runs.live().error->remedy.c_str());
        }
        runs.train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QVERIFY2(!runs.live().error, runs.live().error ? runs.live().error->message.c_str() : "");
    }
    /// As `train --resume last`: from the weights in the file, epochs counted from the beginning.
    void aTrainingIsGoneOnWith()
    {
        QString const path = m_folder.filePath(QStringLiteral("further.tilewright"));
        {
            Session session;
            open(session, path, 640, 1);
            QVERIFY(!session.runs().canContinue()); // there is nothing yet
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            QTRY_VERIFY(session.runs().canContinue());
        }
        Session session; // another day
        QVERIFY(session.document().openFile(path).ok());
        auto &runs = session.runs();
        QTRY_VERIFY(runs.canContinue());
        QSignalSpy noticed(&runs, &RunController::noticed);
        runs.train(RunMode::Fused, TrainFrom::Last);
        QVERIFY(!runs.isActive()); // no epoch is left
        QCOMPARE(noticed.count(), 1);
        QCOMPARE(noticed[0][0].value<Diagnostic>().code, std::string("train.resume-done"));
        QVERIFY(session.document().setField(QStringLiteral("training.epochs"), QStringLiteral("3")).ok());
        runs.train(RunMode::Fused, TrainFrom::Last);
        QVERIFY(runs.isActive());
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QVERIFY2(!runs.live().error, runs.live().error ? runs.live().error->message.c_str() : "");
        QCOMPARE(runs.live().epochTable.size(), std::size_t(2));
        QCOMPARE(runs.live().epochTable.front().epoch, 2);
        QCOMPARE(runs.live().firstStep, std::int64_t(20));
        QCOMPARE(runs.live().step, std::int64_t(60));
        QCOMPARE(runs.live().series[0].x.front(), 21.0);
        QCOMPARE(noticed.count(), 1); // nothing was replaced
        QCOMPARE(store::listCheckpoints(path.toStdString()).value().at(0).step, std::int64_t(60));
        // Of a model that cannot take them they are none; one that can again, can.
        QVERIFY(session.document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("99")).ok());
        QVERIFY(!runs.canContinue());
        session.document().undoStack().undo();
        QTRY_VERIFY(runs.canContinue());
    }
    /// Who trains anew is told what that replaces, and can go back to it: while it trains, and afterwards.
    void weightsThatAreReplacedAreToldOfAndComeBack_data()
    {
        QTest::addColumn<bool>("saved");
        QTest::addColumn<bool>("whileItRuns");
        QTest::newRow("saved, at once") << true << true;
        QTest::newRow("saved, afterwards") << true << false;
        QTest::newRow("never saved, at once") << false << true;
    }
    void weightsThatAreReplacedAreToldOfAndComeBack()
    {
        QFETCH(bool, saved);
        QFETCH(bool, whileItRuns);
        Session session;
        QString const path = m_folder.filePath(QStringLiteral("replaced-%1%2.tilewright").arg(saved).arg(whileItRuns));
        auto &document = session.document();
        if (saved) {
            open(session, path, 640, 2);
        } else {
            QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
            for (auto const &[field, value] :
                 {std::pair("system.target", "gc200:tiles=64"), std::pair("data.limit", "640"), std::pair("training.epochs", "2")})
                QVERIFY(document.setField(QString::fromLatin1(field), QString::fromLatin1(value)).ok());
        }
        auto &runs = session.runs();
        QSignalSpy noticed(&runs, &RunController::noticed);
        runs.train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QCOMPARE(noticed.count(), 0); // there was nothing to replace
        QTRY_VERIFY(runs.canContinue());
        QVERIFY(document.setField(QStringLiteral("training.epochs"), whileItRuns ? QStringLiteral("100000") : QStringLiteral("3")).ok());
        runs.train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(noticed.count(), 1, 60000);
        auto const told = noticed[0][0].value<Diagnostic>();
        QCOMPARE(told.code, std::string("train.replaces"));
        QVERIFY2(told.message.find("epoch 2 (step 40)") != std::string::npos, told.message.c_str());
        QVERIFY(session.console().said().contains(QLatin1String("epoch 2 (step 40)")));
        if (whileItRuns) QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 100, 60000); // its own have been saved
        else QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QVERIFY(runs.knowsReplaced());
        runs.continueReplaced();
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().firstStep == 40 && runs.live().step > 45, 60000); // it may be over by now
        QVERIFY(!runs.knowsReplaced());
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QCOMPARE(runs.live().series[0].x.front(), 41.0);
        QCOMPARE(noticed.count(), 1);
    }
    void aCompileAfterAnEditPredictsNothingAndKeepsTheLastRun()
    {
        QString const path = m_folder.filePath(QStringLiteral("e.tilewright"));
        QString report;
        {
            Session session;
            open(session, path, 640, 1);
            auto &runs = session.runs();
            runs.requestPredictions(); // the training view has asked
            runs.train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
            report = runs.live().reportPath;
            QVERIFY2(session.console().said().startsWith(QStringLiteral("Training finished after 20 step(s): loss ")),
                     qPrintable(session.console().said()));
            QTRY_VERIFY_WITH_TIMEOUT(runs.predictions() && !session.jobs().busy(), 60000);
            auto const before = runs.predictions();
            QVERIFY(session.document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("100")).ok());
            runs.compile();
            QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
            QTRY_VERIFY_WITH_TIMEOUT(!session.jobs().busy(), 60000);
            QCOMPARE(runs.predictions(), before);
            // Asked for all the same, they are those of the project that was trained.
            runs.requestPredictions();
            QTRY_VERIFY_WITH_TIMEOUT(runs.predictions() != before, 60000);
            for (auto const &line : session.console().lines())
                QVERIFY2(line.level < 2 || line.component != QLatin1String("predict"), qPrintable(line.text));
            QCOMPARE(runs.live().kind, QStringLiteral("compile"));
            QCOMPARE(runs.lastRun().step, std::int64_t(20));
            QCOMPARE(session.console().said(), QStringLiteral("Compiled: the model fits."));
            // A damaged report is refused; what is on show stays.
            QTRY_VERIFY(session.report() && session.report()->isWhole());
            auto const shown = session.report()->path();
            QString const damaged = m_folder.filePath(QStringLiteral("damaged.twreport"));
            QVERIFY(QFile::copy(report, damaged));
            QFile file(damaged);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.resize(file.size() / 3));
            file.close();
            QSignalSpy errors(&session, &Session::errorRaised);
            session.openReport(damaged);
            QTRY_COMPARE(errors.count(), 1);
            QVERIFY(session.report() && session.report()->isWhole());
            QCOMPARE(session.report()->path(), shown);
            session.selection().selectLayer(QStringLiteral("dense"));
        }
        // Opened again, the project shows its last finished run.
        Session session;
        QVERIFY(session.document().openFile(path).ok());
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole(), 20000);
        QCOMPARE(session.report()->path(), report);
        // And the next project begins with nothing of it.
        session.selection().selectLayer(QStringLiteral("dense"));
        session.console().add(1, QStringLiteral("train"), QStringLiteral("of the project before"));
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        QCOMPARE(session.selection().current().kind, SelectionKind::None);
        QVERIFY(!session.selection().canGoBack());
        QVERIFY(session.console().said().isEmpty());
        QVERIFY(!session.report() && !session.runs().lastRun().exists);
    }
    void aModelThatDidNotFitIsNoBaseline()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("f.tilewright")), 640, 1);
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=4")).ok());
        QVERIFY(session.document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("4096")).ok());
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        auto const failed = session.report();
        session.document().undoStack().undo();
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=64")).ok());
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(session.report() && session.report() != failed && session.report()->isWhole());
        QVERIFY(!session.baseline());
    }
    void goingAwayWhileARunWaitsAtItsGate()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("d.tilewright")), 3200, 5);
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.runs().live().step > 0, 60000);
        session.runs().pause();
        QTRY_COMPARE(session.runs().state(), RunState::Paused);
    } // the destructor must let it go
};

TW_REGISTER_TEST(TstRunController);
#include "tst_run_controller.moc"
