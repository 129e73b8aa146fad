#include "app/gui/console_strip.h"
#include "app/gui/fit_meter.h"
#include "app/gui/main_window.h"
#include "engine/device/registry.h"
#include "engine/report/quantities.h"
#include "resources/resources.h"
#include "tests/support/kept_report.h"
#include "tests/support/test_registry.h"
#include "tests/views/app/open_small.h"
#include "views/advice/problem_log.h"
#include "views/advice/system_layout.h"
#include "views/common/format.h"
#include "views/common/steady_label.h"
#include "views/common/theme.h"
#include "views/diagnostics/console.h"
#include "views/document/document.h"
#include "views/figures/tile_memory.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/session/view.h"
#include "views/subjects/links.h"
#include "views/tiles/column_chart.h"
#include "views/time/time_pane.h"
#include "views/wording/tile_memory_text.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabBar>
#include <QTreeView>
#include <QTimer>
#include <QUndoStack>
#include <QTemporaryDir>
#include <QtTest>

#include <unistd.h>

#include <utility>

using namespace tilewright;
using namespace tilewright::app;
using tests::openSmall;
using views::RunMode;
using views::RunState;

/// All parts of the window show the same facts at the same time.
class TstOneTruth : public QObject {
    Q_OBJECT

    /// Steps that other processes see of this one's device.
    static std::int64_t countedSteps()
    {
        auto const registry = device::Registry::open();
        auto const view = registry.ok() ? registry->list() : Result<device::RegistryView>(registry.error());
        if (view.ok())
            for (auto const &process : view->processes)
                if (process.pid == getpid()) return process.counters.steps;
        return -1;
    }

private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
    }
    void allViewsShowThePausedPosition()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        openSmall(window, QStringLiteral("400")); // not over before it is paused
        window.showView(QStringLiteral("training"));
        auto &runs = window.session().runs();
        runs.train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 150, 60000);
        QCOMPARE(runs.state(), RunState::Running);
        runs.pause();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Paused, 20000); // it can be saving
        QTest::qWait(300);
        auto const &live = runs.live();
        auto const step = live.step;
        double const seconds = live.hostSeconds;
        QCOMPARE(countedSteps(), step);
        auto const *above = window.showView(QStringLiteral("training"))->findChild<views::SteadyLabel *>(QStringLiteral("runProgress"));
        auto const *below = window.statusBar()->findChild<QProgressBar *>();
        QVERIFY(above && below && below->isVisible() && below->value() > 0);
        QTRY_VERIFY2(above->text().contains(views::shareText(live.progress())), qPrintable(above->text()));
        QTRY_COMPARE(below->value(), static_cast<int>(1000 * live.progress()));
        for (auto const *id : {"compile", "results", "training"}) window.showView(QLatin1String(id));
        QCOMPARE(window.findChildren<QProgressBar *>().size(), 1); // one bar for one run
        QTest::qWait(400);
        QVERIFY2(std::abs(live.hostSeconds - seconds) < 0.01,
                 qPrintable(QString::number(live.hostSeconds - seconds))); // paused time does not count
        runs.step();
        QTRY_COMPARE(live.step, step + 1);
        QTRY_COMPARE(runs.state(), RunState::Paused);
        QTRY_COMPARE(countedSteps(), step + 1);
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 20000);
        QVERIFY2(live.hostSeconds < seconds + 0.6,
                 qPrintable(QStringLiteral("%1 s, %2 s when it paused").arg(live.hostSeconds).arg(seconds)));
    }
    /// The compiled project differs from the one that ran: Training says so and shows the run. All counts of warnings are equal.
    void afterAnEditAndACompileTrainingDescribesTheRun()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        openSmall(window, QStringLiteral("1"));
        auto &session = window.session();
        auto *training = window.showView(QStringLiteral("training"));
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_COMPARE(training->state().kind, views::ViewState::Ready);
        QVERIFY(session.document().setField(QStringLiteral("training.batch_size"), QStringLiteral("64")).ok());
        QVERIFY(session.document()
                    .setField(QStringLiteral("ipu_config.optimizations.math.dot_strength"), QStringLiteral("false"))
                    .ok()); // is warned of
        QVERIFY(session.runs().applyConfiguration().ok());
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        QTRY_COMPARE(training->state().kind, views::ViewState::Stale);
        auto const shown = [&](QString const &name) {
            for (auto const *label : training->findChildren<QLabel *>())
                if (label->accessibleName() == name) return label->text();
            return QString();
        };
        QCOMPARE(shown(QStringLiteral("Batch size")), QStringLiteral("32"));

        auto *console = window.showView(QStringLiteral("console"));
        auto const *strip = window.findChild<ConsoleStrip *>();
        QVERIFY(strip && session.runs().live().warnings.size() > 0);
        auto const warnings = views::ProblemLog::of(session).count(Severity::Warning);
        QVERIFY(warnings > 0);
        QString const said = QStringLiteral("%1 warning(s)").arg(warnings);
        QTRY_VERIFY2(console->headline().contains(said), qPrintable(console->headline()));
        QTRY_VERIFY2(strip->text().contains(QStringLiteral("· %1 warning").arg(warnings)), qPrintable(strip->text()));
        session.document().undoStack().undo();
        int const left = views::ProblemLog::of(session).count(Severity::Warning);
        QVERIFY(left < warnings);
        QTRY_VERIFY2(strip->text().contains(QStringLiteral("· %1 warning").arg(left)), qPrintable(strip->text()));
        QTRY_VERIFY2(!console->headline().contains(said), qPrintable(console->headline()));
    }
    /// Results of another state of the project are stale, even if the project was closed meanwhile.
    void aReportOfAnotherStateIsStaleAfterReopening()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("p.tilewright"));
        {
            MainWindow window(true);
            window.show();
            openSmall(window, QStringLiteral("1"));
            QVERIFY(window.saveTo(path));
            auto &session = window.session();
            session.runs().train(RunMode::Fused);
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            QVERIFY(!session.runs().live().error);
            QTRY_VERIFY(session.report() && session.report()->isWhole() && !session.reportIsStale());
        }
        MainWindow window(true);
        window.show();
        auto &session = window.session();
        QVERIFY(session.document().openFile(path).ok());
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole(), 20000);
        QVERIFY(!session.reportIsStale());
        // The position of a node and the number of epochs do not change the program; fewer tiles do.
        QVERIFY(session.document().setField(QStringLiteral("training.epochs"), QStringLiteral("3")).ok());
        QVERIFY(!session.reportIsStale());
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=32")).ok());
        QVERIFY(session.reportIsStale());
        session.document().undoStack().undo();
        QVERIFY(!session.reportIsStale());
        session.document().undoStack().redo();
        QVERIFY(window.saveTo(path));
        MainWindow again(true);
        again.show();
        QVERIFY(again.session().document().openFile(path).ok());
        QTRY_VERIFY_WITH_TIMEOUT(again.session().report() && again.session().report()->isWhole(), 20000);
        QVERIFY(again.session().reportIsStale());
    }
    /// Every place that says how full the memory is gives the placed bytes of the worst tile as a share of the limit.
    void howFullTheMemoryIsIsOneNumber()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        openSmall(window, QStringLiteral("1"));
        auto &session = window.session();
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        auto const worst = views::worstTileMemory(*session.report());
        QVERIFY(worst && worst->gaps && worst->need);
        QVERIFY(*worst->gaps > 0 && *worst->need < worst->placed && worst->placed <= worst->limit); // else nothing can be mixed up
        QString const share = views::placedShareText(*worst), said = QStringLiteral("worst tile ") + share;
        for (auto const *id : {"summary", "memory", "compile", "canvas"}) {
            auto *view = window.showView(QLatin1String(id));
            QTRY_VERIFY2(view->headline().contains(said, Qt::CaseInsensitive),
                         qPrintable(QLatin1String(id) + QStringLiteral(": ") + view->headline()));
            // No other share of memory beside it.
            QCOMPARE(view->headline().count(QRegularExpression(QStringLiteral("worst tile|[Ww]orst"))), 1);
        }
        auto *insights = window.showView(QStringLiteral("insights"));
        auto const line = [&] {
            for (auto const *label : insights->findChildren<views::LinkLabel *>())
                if (label->isVisibleTo(insights) && label->plainText().contains(QStringLiteral("worst tile"))) return label->plainText();
            return QString();
        };
        QTRY_VERIFY2(line().contains(said), qPrintable(line()));
        QCOMPARE(line().count(u'%'), 1);
        auto const *meter = window.findChild<FitMeter *>();
        QVERIFY(meter);
        QTRY_VERIFY2(meter->accessibleDescription().endsWith(share), qPrintable(meter->accessibleDescription()));
        auto *runs = window.showView(QStringLiteral("runs"));
        auto const cell = [&] {
            for (auto const *tree : runs->findChildren<QTreeView *>())
                for (int column = 0; tree->model() && column < tree->model()->columnCount(); ++column)
                    if (tree->model()->headerData(column, Qt::Horizontal).toString().startsWith(QStringLiteral("Worst tile")))
                        return tree->model()->index(0, column).data().toString();
            return QString();
        };
        QTRY_COMPARE(cell(), share);
        // The command line rounds in the same way.
        QVERIFY(QString::fromStdString(report::worstTileSummary(*worst)).contains(share));
        // One click away, each of the others with its name.
        for (auto const figure : {views::TileFigure::Need, views::TileFigure::Placed, views::TileFigure::Gaps, views::TileFigure::Limit})
            QVERIFY(views::tileMemoryTip(*worst).contains(views::tileFigureName(figure) + u':'));
        // A quantity with its source, in Memory and Insights as on the card of Summary.
        QCOMPARE(views::tileMemoryTip(*worst).count(QStringLiteral("modelled: the placement by this compile")), 1);
    }
    /// A banner, a note, a selection and a run come and go without moving what is below the pointer.
    /// The meter and the list of problems know the same.
    void modelsThatDoNotFitAreProblemsBeforeACompile()
    {
        MainWindow window(true);
        window.show();
        openSmall(window, QStringLiteral("1"));
        auto &session = window.session();
        auto &log = views::ProblemLog::of(session);
        QCOMPARE(log.count(Severity::Error), 0);
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=4")).ok());
        QTRY_COMPARE_WITH_TIMEOUT(log.count(Severity::Error), 1, 30000);
        QCOMPARE(log.all().front().kind, ErrorKind::DoesNotFit);
        session.document().undoStack().undo();
        QTRY_COMPARE(log.count(Severity::Error), 0);
    }
    /// An error that the project no longer has is no news: the strip beside "0 errors" does not repeat it.
    void theStripDropsSolvedProblems()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        openSmall(window, QStringLiteral("1"));
        auto &session = window.session();
        auto &document = session.document();
        QVERIFY(document.setField(QStringLiteral("training.batch_size"), QStringLiteral("1000000")).ok());
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QVERIFY(session.runs().live().error);
        auto const *strip = window.findChild<ConsoleStrip *>();
        QString const said = session.console().said().section(QLatin1Char('\n'), 0, 0);
        QTRY_VERIFY2(strip->text().startsWith(said), qPrintable(strip->text())); // the complete text in a strip of any width
        document.undoStack().undo();
        QTRY_VERIFY2(strip->text().contains(QStringLiteral("· 0 error")), qPrintable(strip->text()));
        QVERIFY2(!strip->text().contains(said), qPrintable(strip->text()));
    }
    /// Replicas chosen by the machine are shown wherever the plan's number is.
    void replicasAreOneNumber()
    {
        MainWindow window(true);
        openSmall(window, QStringLiteral("1"));
        auto &session = window.session();
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("pod4:tiles=64")).ok());
        auto const &project = session.document().project();
        QCOMPARE(project.training.replicas, std::int64_t(1));
        QCOMPARE(views::replicasNote(project), QStringLiteral("4 used: the system has 4 IPUs"));
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        QCOMPARE(session.report()->data().target.replicas, 4);
        bool told = false;
        for (auto const &option : session.report()->data().options)
            if (option.scope == "training" && option.name == "replicas") {
                QCOMPARE(option.value, std::string("4"));
                QCOMPARE(option.source, std::string("derived"));
                told = true;
            }
        QVERIFY(told);
        QVERIFY(session.document().setField(QStringLiteral("training.replicas"), QStringLiteral("2")).ok());
        QVERIFY(views::replicasNote(session.document().project()).isEmpty());
        // On the host, no text mentions IPUs.
        QVERIFY(session.document().setField(QStringLiteral("training.replicas"), QStringLiteral("1")).ok());
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("cpu")).ok());
        window.show();
        auto *canvas = window.showView(QStringLiteral("canvas"));
        QTRY_VERIFY2(canvas->headline().contains(QStringLiteral("on the host")) && !canvas->headline().contains(QStringLiteral("IPU")),
                     qPrintable(canvas->headline()));
    }
    void theKeyOfTheCanvasGivesTheDrawingTheKeyboard()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openSmall(window, QStringLiteral("1"));
        auto *canvas = window.showView(QStringLiteral("canvas"));
        QTRY_VERIFY(canvas->focusProxy() && canvas->isVisible());
        QWidget *inside = nullptr; // a choice above the drawing
        for (auto *box : canvas->findChildren<QComboBox *>())
            if (box->isVisible()) inside = box;
        QVERIFY(inside);
        for (auto *from : {inside, static_cast<QWidget *>(window.showView(QStringLiteral("inspector")))}) {
            from->setFocus();
            window.action(QStringLiteral("show.canvas"))->trigger();
            QTRY_COMPARE(QApplication::focusWidget(), canvas->focusProxy());
        }
    }
    /// Discarding a never-saved project mentions its runs, and nothing of them stays.
    void discardingTakesTheRunsWithIt()
    {
        MainWindow window(true);
        window.show();
        openSmall(window, QStringLiteral("1"));
        auto &session = window.session();
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QString const report = session.runs().live().reportPath;
        QVERIFY(QFileInfo::exists(report));
        QString said;
        auto const answer = [&said](QMessageBox::StandardButton button) {
            QTimer::singleShot(0, qApp, [&said, button] {
                auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
                QVERIFY(box);
                said = box->informativeText();
                QTest::mouseClick(box->button(button), Qt::LeftButton);
            });
        };
        answer(QMessageBox::Cancel);
        QVERIFY(!window.close());
        QVERIFY2(said.contains(QStringLiteral("Discard")) && said.contains(QStringLiteral("1 run")), qPrintable(said));
        QVERIFY(QFileInfo::exists(report));
        answer(QMessageBox::Discard);
        QVERIFY(window.close());
        QVERIFY(!QFileInfo::exists(report));
    }
    /// A paused run in tile mode: all views that show its program show the position, and a tile can be read at once.
    void pausedTileRunsHaveAPosition()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        openSmall(window, QStringLiteral("100"));
        auto &session = window.session();
        auto &runs = session.runs();
        runs.train(RunMode::Tile);
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 0, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole(), 20000);
        runs.pause();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Paused, 20000);
        QTRY_VERIFY(!session.playhead().standingText().isEmpty());
        auto const *strip = window.findChild<ConsoleStrip *>();
        QVERIFY(strip);
        auto const tellsOfTheRun = [&] { // the pause is told when it is there; until then, the beginning
            return strip->text().startsWith(QStringLiteral("Paused after step"))
                || strip->text().startsWith(QStringLiteral("Training on tiles has begun."));
        };
        QTRY_VERIFY2(tellsOfTheRun(), qPrintable(strip->text()));
        runs.watchTile(3); // while it is paused
        QTRY_COMPARE(runs.tileValues().tile, 3);
        QVERIFY(!runs.tileValues().bytes.empty());
        auto const step = runs.live().step;
        runs.step();
        QTRY_COMPARE_WITH_TIMEOUT(runs.live().step, step + 1, 20000);
        QTRY_COMPARE(runs.state(), RunState::Paused);
        QTRY_COMPARE(runs.tileValues().tile, 3);
        auto const superstep = runs.tileValues().superstep;
        runs.superstep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.tileValues().superstep, superstep + 1, 20000);
        QTRY_COMPARE(runs.state(), RunState::Paused);
        QString const stands = session.playhead().standingText();
        auto const steps = report::programSteps(session.report()->data());
        QVERIFY2(stands.contains(QStringLiteral(" of %1: ").arg(steps)), qPrintable(stands));
        for (auto const *id : {"program", "operations", "liveness", "execution", "memory", "training", "summary", "insights", "canvas"}) {
            auto *view = window.showView(QLatin1String(id));
            auto const says = [&] {
                for (auto const *label : view->findChildren<QLabel *>())
                    if (label->text() == stands && label->isVisible()) return true;
                return false;
            };
            QTRY_VERIFY2(says(), id);
        }
        auto *operations = window.showView(QStringLiteral("operations"));
        auto *table = operations->findChild<QTreeView *>();
        QVERIFY(table);
        // The operation that it is at has a mark.
        int const at = session.report()->data().programs[static_cast<std::size_t>(session.playhead().standing())].op;
        auto const marked = [&] {
            QStringList rows;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                if (auto const index = table->model()->index(row, 0); !index.data(Qt::DecorationRole).isNull())
                    rows << index.data().toString();
            return rows;
        };
        QCOMPARE(marked().size(), qsizetype(at >= 0 ? 1 : 0));
        // The same place, drawn: over the curve of live bytes, beside the program's step, and in time, where it moves on.
        auto *chart = window.showView(QStringLiteral("liveness"))->findChild<views::ColumnChart *>();
        QVERIFY(chart);
        QTRY_VERIFY(chart->marks().playhead >= 0);
        QCOMPARE(session.report()->data().livenessSteps[static_cast<std::size_t>(chart->marks().playhead)].program,
                 session.playhead().standing());
        auto *pane = window.showView(QStringLiteral("execution"))->findChild<views::TimePane *>();
        QVERIFY(pane);
        QTRY_VERIFY(pane->window().playhead());
        // Opened during the pause: the step is visible.
        QTRY_VERIFY(*pane->window().playhead() >= pane->window().visible().begin
                    && *pane->window().playhead() <= pane->window().visible().end);
        auto const first = *pane->window().playhead();
        auto last = first;
        // The host's axis is of another clock.
        auto *modes = window.showView(QStringLiteral("execution"))->findChild<QTabBar *>(QStringLiteral("executionModes"));
        QVERIFY(modes);
        modes->setCurrentIndex(modes->count() - 1);
        QVERIFY(pane->window().scale().host && !pane->window().playhead() && !pane->window().isFollowing());
        modes->setCurrentIndex(0);
        QTRY_VERIFY(pane->window().playhead() == first && pane->window().isFollowing());
        for (int i = 0; i < 12; ++i) {
            auto const now = runs.tileValues().superstep;
            runs.superstep();
            QTRY_COMPARE_WITH_TIMEOUT(runs.tileValues().superstep, now + 1, 20000);
            QTRY_COMPARE(runs.state(), RunState::Paused);
            QTRY_VERIFY(*pane->window().playhead() >= last);
            last = *pane->window().playhead();
        }
        QVERIFY2(last > first, qPrintable(QStringLiteral("%1 to %2").arg(first).arg(last)));
        runs.resume();
        QTRY_COMPARE(runs.state(), RunState::Running);
        QVERIFY(session.playhead().standingText().isEmpty());
        QTRY_COMPARE(chart->marks().playhead, -1);
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 20000);
        // Its cycles were measured, in all texts.
        QString const measured = QStringLiteral("measured on the tiles");
        auto const *times = [&]() -> QLabel * {
            for (auto *label : window.statusBar()->findChildren<QLabel *>())
                if (label->accessibleName() == QStringLiteral("Times")) return label;
            return nullptr;
        }();
        QVERIFY(times);
        QTRY_VERIFY2(times->parentWidget()->toolTip().contains(measured), qPrintable(times->parentWidget()->toolTip()));
        auto *training = window.showView(QStringLiteral("training"));
        QTRY_VERIFY(std::ranges::any_of(training->findChildren<QLabel *>(),
                                        [&](QLabel *label) { return label->text() == QStringLiteral("Utilisation by IPU, ") + measured; }));
        for (auto const *id : {"training", "program", "operations", "execution"}) {
            auto *view = window.showView(QLatin1String(id));
            QTRY_VERIFY2(view->headline().contains(measured), qPrintable(QLatin1String(id) + QStringLiteral(": ") + view->headline()));
        }
    }
};

TW_REGISTER_TEST(TstOneTruth);

#include "tst_one_truth.moc"
