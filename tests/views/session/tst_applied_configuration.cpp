#include "tests/support/test_registry.h"
#include "tests/views/session/opened_project.h"
#include "views/diagnostics/console.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/applied_configuration.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/project_tasks.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::views;
using tests::open;

namespace {

QString const kOption = QStringLiteral("ipu_config.optimizations.merge_infeed_io_copies");

void compile(Session &session)
{
    session.runs().compile();
    QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
    QVERIFY(session.runs().live().compile.done);
    QTRY_VERIFY(session.report() && session.report()->isWhole() && session.report()->path() == session.runs().live().reportPath);
}

bool isToldOf(Session &session, char const *code)
{
    return std::ranges::any_of(session.console().lines(), [&](ConsoleLine const &line) { return line.code == QLatin1String(code); });
}

} // namespace

class TstAppliedConfiguration : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString file(char const *name) const { return m_folder.filePath(QLatin1String(name)); }

private slots:
    void theFirstProgramAppliesWhatItFinds()
    {
        Session session;
        open(session, file("a.tilewright"), 640, 1);
        auto &configuration = session.runs().configuration();
        QVERIFY(!configuration.isConfigured());
        QVERIFY(session.document().setField(kOption, QStringLiteral("false")).ok());
        QVERIFY(configuration.changes().empty());
        compile(session);
        QVERIFY(configuration.isConfigured() && configuration.changes().empty());
        QVERIFY(!isToldOf(session, "config.reconfigured"));
        // Another project begins without a configuration.
        open(session, file("b.tilewright"), 640, 1);
        QVERIFY(!configuration.isConfigured());
    }
    void editsChangeNoProgramBeforeTheyAreApplied()
    {
        Session session;
        open(session, file("c.tilewright"), 640, 1);
        auto &runs = session.runs();
        QSignalSpy notices(&runs, &RunController::noticed);
        compile(session);
        auto const merged = runs.live().compile.cyclesPerStep;
        QVERIFY(!session.reportIsStale());

        QVERIFY(session.document().setField(kOption, QStringLiteral("false")).ok());
        auto const changes = runs.configuration().changes();
        QCOMPARE(changes.size(), std::size_t(1));
        QCOMPARE(changes.front(), (AppliedConfiguration::Change{kOption, QStringLiteral("true"), QStringLiteral("false")}));
        QCOMPARE(notices.count(), 0);
        compile(session);
        QCOMPARE(runs.live().compile.cyclesPerStep, merged);
        QCOMPARE(notices.count(), 1);
        QCOMPARE(qvariant_cast<Diagnostic>(notices.front().front()).code, std::string("config.not-applied"));
        QVERIFY(session.reportIsStale()); // it describes the applied configuration, not the edited one

        QVERIFY(runs.applyConfiguration().ok());
        QVERIFY(runs.configuration().changes().empty());
        QVERIFY(isToldOf(session, "config.reconfigured"));
        compile(session);
        QVERIFY(runs.live().compile.cyclesPerStep > merged); // a pair of handshakes more
        QVERIFY(!session.reportIsStale());
        QCOMPARE(notices.count(), 1);
    }
    void applyingWithoutChangesDoesNothing()
    {
        Session session;
        open(session, file("d.tilewright"), 640, 1);
        compile(session);
        QSignalSpy applied(&session.runs().configuration(), &AppliedConfiguration::applied);
        QVERIFY(session.runs().applyConfiguration().ok());
        QCOMPARE(applied.count(), 0);
        QVERIFY(!isToldOf(session, "config.reconfigured"));
    }
    void discardedEditsReturnTheProject()
    {
        Session session;
        open(session, file("e.tilewright"), 640, 1);
        compile(session);
        QVERIFY(session.document().setField(kOption, QStringLiteral("false")).ok());
        compile(session);
        QVERIFY(session.reportIsStale());
        QVERIFY(session.runs().configuration().discard().ok());
        QVERIFY(session.runs().configuration().changes().empty());
        QCOMPARE(session.document().field(kOption), QStringLiteral("true"));
        QVERIFY(!session.reportIsStale());
        session.document().undoStack().undo();
        QCOMPARE(session.runs().configuration().changes().size(), std::size_t(1));
    }
    void anErrorOfTheConfigurationAppliesNothing()
    {
        Session session;
        open(session, file("f.tilewright"), 640, 1);
        compile(session);
        QVERIFY(session.document().setField(QStringLiteral("ipu_config.io_tiles.place_ops_on_io_tiles"), QStringLiteral("true")).ok());
        auto const refused = session.runs().applyConfiguration();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("config.conflict"));
        QCOMPARE(session.runs().configuration().changes().size(), std::size_t(1));
    }
    void applyingEndsTheRunningProgramFirst()
    {
        Session session;
        open(session, file("g.tilewright"), 6400, 50);
        auto &runs = session.runs();
        runs.train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 0, 60000);
        runs.pause();
        QTRY_COMPARE(runs.state(), RunState::Paused);
        QVERIFY(session.document().setField(kOption, QStringLiteral("false")).ok());
        QCOMPARE(runs.state(), RunState::Paused); // an edit ends nothing
        QVERIFY(runs.applyConfiguration().ok());
        QCOMPARE(runs.configuration().changes().size(), std::size_t(1)); // until the program has ended
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QCOMPARE(runs.live().ended, QStringLiteral("stopped"));
        QVERIFY(runs.configuration().changes().empty());
        QVERIFY(isToldOf(session, "config.reconfigured"));
    }
    void tasksUseTheAppliedConfiguration()
    {
        Session session;
        open(session, file("h.tilewright"), 640, 1);
        compile(session);
        QVERIFY(session.document().setField(kOption, QStringLiteral("false")).ok());
        QSignalSpy notices(&session.runs(), &RunController::noticed);
        auto &tasks = ProjectTasks::of(session);
        tasks.start(ProjectTask::Evaluate);
        QCOMPARE(notices.count(), 1);
        // Another configuration ends it, like every program.
        QVERIFY(tasks.isActive());
        QVERIFY(session.runs().applyConfiguration().ok());
        QVERIFY(!tasks.isActive());
    }
};

TW_REGISTER_TEST(TstAppliedConfiguration);
#include "tst_applied_configuration.moc"
