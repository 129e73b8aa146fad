#include "tests/support/test_registry.h"
#include "views/advice/fit_watch.h"
#include "views/advice/fix_trials.h"
#include "views/advice/problem_log.h"
#include "views/diagnostics/console.h"
#include "views/document/document.h"
#include "views/problems/problem_card.h"
#include "views/problems/problems_view.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"
#include "views/session/view.h"

#include <QLabel>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <memory>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// The template on four tiles, which are too few for it.
struct Bench {
    Session session;
    std::unique_ptr<View> view;
    Bench()
    {
        auto project = project::fromTemplate("mnist-mlp").value();
        project.data.limit = 320;
        session.document().openProject(project::withField(project, "system.target", "gc200:tiles=4", nullptr).value(), {}, false);
        view.reset(problemsView().create(session, nullptr));
        view->resize(900, 500);
        view->show();
        ProblemLog::of(session).add(makeError(ErrorKind::DoesNotFit, "memory.out-of-memory", "IPU 0 tile 0", "cannot fit all data.",
                                              "More tiles change what a tile holds."));
        view->refreshNow();
    }
    ProblemCard *misfit() const
    {
        for (auto *card : view->findChildren<ProblemCard *>())
            if (card->problem().kind == ErrorKind::DoesNotFit) return card;
        return nullptr;
    }
    QList<QToolButton *> buttons() const
    {
        auto *card = misfit();
        return card ? card->findChildren<QToolButton *>() : QList<QToolButton *>();
    }
};

} // namespace

class TstProblemTrials : public QObject {
    Q_OBJECT
private slots:
    /// A report alone: the error counts, and what was tried when it was written is listed.
    void aReportThatDoesNotFitIsAnErrorWithItsRemedies()
    {
        report::ReportData data;
        data.target.tilesPerIpu = 8;
        data.target.ipusPerReplica = 1;
        data.verdicts.push_back({"all", 0, false, 6, 1786752, 638976, "total", 11});
        report::InsightRow insight;
        insight.rule = "memory.does-not-fit";
        insight.severity = "error";
        insight.subjectKind = "ipu";
        insight.numbers = R"({"tried":[{"share":0.95,"samples_per_second":5},{"share":0.94,"samples_per_second":4}]})";
        insight.action = R"({"set":[{"path":"system.target","value":"gc200:tiles=32"}],
                             "or":[{"set":[{"path":"training.batch_size","value":125}]}]})";
        data.insights.push_back(insight);
        Session session;
        std::unique_ptr<View> const view(problemsView().create(session, nullptr));
        view->resize(900, 500);
        view->show();
        QCOMPARE(ProblemLog::of(session).count(Severity::Error), 0);
        session.showReport(ReportSnapshot::ofData(data, QStringLiteral("r")));
        QCOMPARE(ProblemLog::of(session).count(Severity::Error), 1);
        view->refreshNow();
        auto const *card = view->findChild<ProblemCard *>();
        QVERIFY(card);
        QString const remedy = QString::fromStdString(card->problem().remedy);
        QVERIFY2(remedy.contains(QStringLiteral("32 tile(s): fits, 95 %")) && remedy.contains(QStringLiteral("batch size 125: fits, 94 %")),
                 qPrintable(remedy));
        session.closeReport();
        QCOMPARE(ProblemLog::of(session).count(Severity::Error), 0);
    }
    /// The warning that a training will replace earlier weights disappears when that training ends.
    void aWarningAboutReplacedWeightsEndsWithItsRun()
    {
        Session session;
        auto project = project::fromTemplate("mnist-mlp").value();
        project.data.limit = 320;
        project.training.epochs = 1;
        session.document().openProject(project::withField(project, "system.target", "gc200:tiles=64", nullptr).value(), {}, false);
        auto &log = ProblemLog::of(session);
        auto &runs = session.runs();
        runs.train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QTRY_VERIFY(runs.canContinue());
        QSignalSpy const noticed(&runs, &RunController::noticed);
        runs.train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(noticed.count(), 1, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        QVERIFY(std::ranges::none_of(log.all(), [](auto const &problem) { return problem.code == "train.replaces"; }));
    }
    void programsThatDoNotFitOfferOnlyCompiledFixes()
    {
        Bench bench;
        QVERIFY(bench.misfit());
        QVERIFY(bench.buttons().isEmpty()); // nothing is offered that was not tried
        QVERIFY(QString::fromStdString(bench.misfit()->problem().remedy).contains(QStringLiteral("Trying")));
        QTRY_VERIFY_WITH_TIMEOUT(!bench.buttons().isEmpty(), 60000);
        for (auto *button : bench.buttons()) QVERIFY2(button->text().contains(QStringLiteral("fits, ")), qPrintable(button->text()));
        QTest::mouseClick(bench.buttons().front(), Qt::LeftButton);
        QTRY_COMPARE(bench.session.document().undoStack().count(), 1);
        auto const fit = compiledFit(bench.session.document().project(), {}, {});
        QVERIFY(fit.ok() && fit->ipus.front().fits);
        bench.session.document().undoStack().undo();
        QCOMPARE(bench.session.document().field(QStringLiteral("system.target")).trimmed(), QStringLiteral("gc200:tiles=4"));
    }
    /// A run reports the error that ended it, which is also the run's problem: shown once, with its known fixes.
    void theEndOfARunIsOneProblem()
    {
        Session session;
        auto project = project::fromTemplate("mnist-mlp").value();
        project.data.limit = 320;
        session.document().openProject(project::withField(project, "system.target", "gc200:tiles=4", nullptr).value(), {}, false);
        auto &log = ProblemLog::of(session);
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_COMPARE(log.count(Severity::Error), 1);
        QCOMPARE(log.all().front().kind, ErrorKind::DoesNotFit);
        QCOMPARE(std::ranges::count(session.console().lines(), 3, &ConsoleLine::level), std::ptrdiff_t{1});
    }
    /// Two views request the same: one search serves both, and neither ends the other's.
    void oneSearchServesAllViews()
    {
        Bench bench;
        auto &trials = FixTrials::of(bench.session);
        QVERIFY(trials.isSearching());
        QCOMPARE(&FixTrials::of(bench.session), &trials);
        trials.search();
        QVERIFY(trials.isSearching());
        QTRY_VERIFY_WITH_TIMEOUT(trials.isDone(), 60000);
        QVERIFY(!bench.buttons().isEmpty());
    }
};

TW_REGISTER_TEST(TstProblemTrials);
#include "tst_problem_trials.moc"
