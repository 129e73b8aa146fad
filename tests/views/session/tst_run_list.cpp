#include "engine/store/project_file.h"
#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/runcontrol/run_series.h"
#include "views/session/run_list.h"
#include "views/session/session.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

void openListed(Session &session, QString const &path, int epochs)
{
    auto &document = session.document();
    QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
    for (auto const &[field, value] :
         {std::pair("system.target", QStringLiteral("gc200:tiles=64")), std::pair("data.limit", QStringLiteral("640")),
          std::pair("training.steps_per_execution", QStringLiteral("1")), std::pair("training.epochs", QString::number(epochs))})
        QVERIFY(document.setField(QString::fromLatin1(field), value).ok());
    QVERIFY(document.save(path).ok());
}

} // namespace

/// One list for the runs of this window, of other processes, and those that have ended.
class TstRunList : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void theRunThatGoesOnComesFirst()
    {
        QString const path = m_folder.filePath(QStringLiteral("list.tilewright"));
        Session session;
        openListed(session, path, 100000);
        // Two records of earlier: one that ended, one that another process writes (this one, seen by the session as another).
        store::RunRecord record{
            .startedUtc = "2026-11-20T10:00:00Z", .title = "t", .kind = "train", .state = "done", .report = "", .json = "{}"};
        QVERIFY(store::addRunRecord(path.toStdString(), record).ok());
        session.reloadRuns();
        auto &list = session.runList();
        QTRY_COMPARE(list.size(), std::size_t(1));
        QVERIFY(!list.running());
        QCOMPARE(list[0].life, Run::Life::Over);

        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(list.size(), std::size_t(2), 20000);
        QTRY_VERIFY(list.running());
        QCOMPARE(list.running()->life, Run::Life::Live);
        QCOMPARE(list.newestFirst().front()->id, list.running()->id);
        QCOMPARE(list.running()->name(), QStringLiteral("Run %1: %2").arg(list.running()->id).arg(list.running()->title));
        QTRY_VERIFY_WITH_TIMEOUT(list.shown().step > 2, 60000);
        QVERIFY(list.showsOwn());

        // A newer record that ended does not come before it.
        record.startedUtc = "2026-11-27T23:00:00Z";
        QVERIFY(store::addRunRecord(path.toStdString(), record).ok());
        session.reloadRuns();
        QTRY_COMPARE(list.size(), std::size_t(3));
        QCOMPARE(list.newestFirst().front()->life, Run::Life::Live);
        QVERIFY(list.newestFirst()[1]->id > list.newestFirst()[0]->id);

        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(!list.running());
    }

    /// A run in another process: the list notices it, and its end, by itself.
    void aRunOfAnotherProcessIsDetached()
    {
        QString const path = m_folder.filePath(QStringLiteral("other.tilewright"));
        Session session;
        openListed(session, path, 1);
        auto const id = store::addRunRecord(path.toStdString(),
                                            {.startedUtc = "2026-11-20T10:00:00Z",
                                             .title = "t",
                                             .kind = "train",
                                             .state = "running",
                                             .report = "",
                                             .json = store::runningFacts()});
        QVERIFY(id.ok());
        session.reloadRuns();
        auto &list = session.runList();
        QTRY_VERIFY(list.running());
        QCOMPARE(list.running()->life, Run::Life::Detached);
        auto record = store::listRunRecords(path.toStdString())->front();
        record.state = "done";
        QVERIFY(store::updateRunRecord(path.toStdString(), record).ok());
        QTRY_VERIFY_WITH_TIMEOUT(!list.running(), 10000); // without anybody asking
        QCOMPARE(list[0].state, QStringLiteral("done"));
    }

    /// What a finished run shows in the window that ran it, and in one that opens its report later.
    void aReopenedRunHasTheSameData()
    {
        QString const path = m_folder.filePath(QStringLiteral("same.tilewright"));
        LiveRun own;
        {
            Session session;
            openListed(session, path, 2);
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            QTRY_VERIFY(session.report() && !session.report()->isLive());
            own = session.runList().shown();
            QVERIFY(session.runList().showsOwn());
        }
        Session session;
        QVERIFY(session.document().openFile(path).ok());
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        auto const &again = session.runList().shown();
        QVERIFY(!session.runList().showsOwn());
        QVERIFY(again.exists && own.exists);
        QCOMPARE(again.state, own.state);
        QCOMPARE(again.ended, own.ended);
        QCOMPARE(again.step, own.step);
        QCOMPARE(again.firstStep, own.firstStep);
        QCOMPARE(again.epochs, own.epochs);
        QCOMPARE(again.stepsPerEpoch, own.stepsPerEpoch);
        QCOMPARE(again.epochTable.size(), own.epochTable.size());
        QVERIFY(std::abs(again.epochTable.back().loss - own.epochTable.back().loss) < 1e-6);
        QVERIFY(std::abs(again.hostSeconds - own.hostSeconds) < 1e-6);
        QVERIFY(std::abs(again.emulatedSeconds - own.emulatedSeconds) < 1e-6 * (1 + own.emulatedSeconds));
    }
};

TW_REGISTER_TEST(TstRunList);

#include "tst_run_list.moc"
