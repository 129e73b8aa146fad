#include "app/gui/main_window.h"
#include "app/view_list.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/canvas/canvas_widget.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_file.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include "engine/compiler/compile.h"
#include "engine/project/project.h"
#include "engine/runtime/run_report.h"

#include <QAction>
#include <QFileInfo>
#include <QPointer>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QtTest>

#include <sqlite3.h>

using namespace tilewright;
using namespace tilewright::views;

/// Reports and runs come and go while views look at them.
class TstLifetimes : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_report;

    static void settle(Session &session)
    {
        QTRY_VERIFY_WITH_TIMEOUT(!session.jobs().busy(), 30000);
        QCoreApplication::processEvents();
    }
    static void openSmall(Session &session, char const *tiles, char const *samples)
    {
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(document.setField(QStringLiteral("system.target"), QLatin1String(tiles)).ok());
        QVERIFY(document.setField(QStringLiteral("data.limit"), QLatin1String(samples)).ok());
        QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("1")).ok());
    }
    /// Points at the canvas where there is no layer.
    static void clickEmptyCanvas(app::MainWindow &window)
    {
        auto *canvas = window.showView(QStringLiteral("canvas"))->findChild<CanvasWidget *>();
        QVERIFY(canvas);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, {canvas->width() - 3, canvas->height() - 3});
        QCoreApplication::processEvents();
    }
    /// A tab by its text, of a bar of that view.
    static QTabBar *tabBar(View &view, QString const &tab, int *index)
    {
        for (auto *bar : view.findChildren<QTabBar *>())
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == tab) {
                    *index = i;
                    return bar;
                }
        return nullptr;
    }

private slots:
    void initTestCase()
    {
        initResources();
        auto project = project::withField(*project::fromTemplate("mnist-mlp"), "system.target", "gc200:tiles=32", nullptr);
        compiler::CompileRequest request;
        request.forReport = true;
        request.useCache = false;
        auto const compiled = compiler::compile(*project, request, {});
        QVERIFY(compiled.ok());
        m_report = m_folder.filePath(QStringLiteral("r.twreport"));
        QVERIFY(runtime::writeCompileReport(m_report.toStdString(), *project, *compiled).ok());
    }
    void allViewsHandleANewProjectAfterARun()
    {
        app::MainWindow window(true);
        window.resize(1500, 950);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto &session = window.session();
        openSmall(session, "gc200:tiles=64", "640");
        window.action(QStringLiteral("run.train"))->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        session.selection().selectLayer(QStringLiteral("dense"));
        for (auto const *id :
             {"summary", "insights", "memory", "liveness", "program", "operations", "execution", "runs", "training", "inspector"}) {
            auto *view = window.showView(QLatin1String(id));
            settle(session);
            if (view->id() != QLatin1String("execution")) continue;
            auto *modes = view->findChild<QTabBar *>(QStringLiteral("executionModes"));
            QVERIFY(modes);
            for (int mode = 0; mode < modes->count(); ++mode) {
                if (!modes->isTabVisible(mode)) continue;
                QTest::mouseClick(modes, Qt::LeftButton, {}, modes->tabRect(mode).center());
                settle(session);
            }
        }
        QVERIFY(session.document().save(m_folder.filePath(QStringLiteral("a.tilewright"))).ok());
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(!session.report());
        clickEmptyCanvas(window);
        settle(session);
        QCOMPARE(session.selection().current().kind, SelectionKind::None);
    }
    void aTileIsReadWhileItsRunStops()
    {
        app::MainWindow window(true);
        window.resize(1500, 950);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto &session = window.session();
        auto &runs = session.runs();
        openSmall(session, "gc200:tiles=16", "60000");
        runs.train(RunMode::Tile);
        QTRY_VERIFY_WITH_TIMEOUT(runs.state() == RunState::Running && session.report() && session.report()->isWhole(), 60000);
        runs.pause();
        QTRY_VERIFY_WITH_TIMEOUT(runs.isPaused(), 60000);
        auto *memory = window.showView(QStringLiteral("memory"));
        window.showView(QStringLiteral("inspector"));
        settleBesideTheRun(session);
        int index = -1;
        auto *bar = tabBar(*memory, QStringLiteral("Values"), &index);
        QVERIFY(bar);
        bar->setCurrentIndex(index);
        session.selection().selectIds(SelectionKind::Tile, {3});
        QTRY_VERIFY(!session.selection().isTracing());
        runs.watchTile(3);
        runs.superstep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.tileValues().tile, 3, 60000);
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
        settle(session);
        QVERIFY(session.report() && session.report()->isWhole());
        QCOMPARE(session.selection().current().ids, std::vector<int>{3});
    }
    /// The inspector and the lineage request data that a head does not have.
    void headsHaveNoPackedData()
    {
        auto const head = ReportSnapshot::openHead(m_report);
        QVERIFY(head.ok());
        QVERIFY((*head)->tiles() > 0);
        QVERIFY((*head)->placedOn(3).empty());
        QVERIFY((*head)->liveAt(0).empty());
        QVERIFY((*head)->tileMetric("with_gaps").empty());
        for (auto const kind :
             {SelectionKind::Tile, SelectionKind::Ipu, SelectionKind::Variable, SelectionKind::Op, SelectionKind::LivenessStep}) {
            Selected one;
            one.kind = kind;
            one.ids = {0};
            (void)lineageOf(**head, one);
        }
    }
    void everyViewOutlivesItsReport_data()
    {
        QTest::addColumn<QString>("id");
        for (auto const &view : app::viewList()) QTest::addRow("%s", view.id) << QString::fromLatin1(view.id);
    }
    void everyViewOutlivesItsReport()
    {
        QFETCH(QString, id);
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        std::unique_ptr<View> view;
        for (auto const &descriptor : app::viewList())
            if (id == QLatin1String(descriptor.id)) view.reset(descriptor.create(session, nullptr));
        view->resize(1000, 700);
        view->show();
        settle(session);
        auto const report = ReportSnapshot::open(m_report, {});
        QVERIFY(report.ok());
        int const before = ReportFile::windowReads();
        session.showReport(*report);
        settle(session);
        QTRY_VERIFY(view->isSettled());
        for (auto const kind : {SelectionKind::Layer, SelectionKind::Tile, SelectionKind::Variable, SelectionKind::Program,
                                SelectionKind::Op, SelectionKind::LivenessStep}) {
            if (kind == SelectionKind::Layer) session.selection().selectLayer(QStringLiteral("dense"));
            else session.selection().selectIds(kind, {3});
            settle(session);
        }
        (void)view->exportTables();
        QCOMPARE(ReportFile::windowReads() - before, 0); // whatever is read is read by jobs
        session.showReport(*ReportSnapshot::openHead(m_report));
        QCoreApplication::processEvents();
        session.selection().selectIds(SelectionKind::Tile, {5});
        settle(session);
        session.closeReport();
        session.selection().selectLayer(QStringLiteral("dense"));
        settle(session);
        session.selection().clear();
        settle(session);
        session.selection().selectIds(SelectionKind::Tile, {5});
        settle(session);
        // And a view that goes while its jobs run takes them along.
        session.showReport(*report);
        QCoreApplication::processEvents();
        session.selection().selectLayer(QStringLiteral("dense"));
        QCoreApplication::processEvents();
        view.reset();
        settle(session);
    }
    void restylingTakesNoWidgetAway_data() { everyViewOutlivesItsReport_data(); }
    /// Qt iterates over all widgets when the theme or text size changes; a widget deleted by a view meanwhile is still in its list.
    void restylingTakesNoWidgetAway()
    {
        QFETCH(QString, id);
        applyTheme(*qApp, ThemeKind::Light);
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        std::unique_ptr<View> view;
        for (auto const &descriptor : app::viewList())
            if (id == QLatin1String(descriptor.id)) view.reset(descriptor.create(session, nullptr));
        view->resize(1000, 700);
        view->show();
        session.showReport(*ReportSnapshot::open(m_report, {}));
        session.selection().selectLayer(QStringLiteral("dense"));
        settle(session);
        QTRY_VERIFY(view->isSettled());
        QList<QPointer<QWidget>> widgets;
        for (auto *widget : view->findChildren<QWidget *>()) widgets << widget;
        for (auto const kind : {ThemeKind::Dark, ThemeKind::Light}) {
            applyTheme(*qApp, kind);
            for (qsizetype i = 0; i < widgets.size(); ++i)
                QVERIFY2(widgets[i], qPrintable(QStringLiteral("%1 of %2").arg(i).arg(widgets.size())));
        }
        settle(session);
        // A tile that no chip has (a report that was edited) is marked nowhere.
        session.selection().selectIds(SelectionKind::Tile, {-1, 100000});
        settle(session);
    }
    void damagedReportBodiesAreReported()
    {
        QString const path = m_folder.filePath(QStringLiteral("damaged.twreport"));
        QVERIFY(QFile::copy(m_report, path));
        sqlite3 *db = nullptr;
        QCOMPARE(sqlite3_open(path.toUtf8(), &db), SQLITE_OK);
        QCOMPARE(sqlite3_exec(db, "PRAGMA foreign_keys = OFF; DROP TABLE program_child", nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(db);
        Session session;
        std::unique_ptr<View> view;
        for (auto const &descriptor : app::viewList())
            if (QLatin1String("program") == QLatin1String(descriptor.id)) view.reset(descriptor.create(session, nullptr));
        view->show();
        session.openReport(path);
        settle(session);
        QPushButton *again = nullptr;
        for (auto *button : view->findChildren<QPushButton *>())
            if (button->isVisible() && button->text() == QLatin1String("Read again")) again = button;
        QVERIFY(again);
        QString text;
        for (auto *label : view->findChildren<QLabel *>())
            if (label->isVisible()) text += label->text() + QLatin1Char('\n');
        QVERIFY2(text.contains(QLatin1String("damaged.twreport")) && !text.contains(QLatin1String("Reading the report")), qPrintable(text));
        // The data of the head stays visible; reading again works when the file is complete.
        QVERIFY(session.report());
        QFile::remove(path);
        QVERIFY(QFile::copy(m_report, path));
        QTest::mouseClick(again, Qt::LeftButton);
        settle(session);
        QVERIFY(session.report()->isWhole());
        QVERIFY(!again->isVisible());
    }
    void aReportHasCyclesWhileItsRunGoesOn()
    {
        Session session;
        openSmall(session, "gc200:tiles=16", "640");
        QVERIFY(session.document().setField(QStringLiteral("training.epochs"), QStringLiteral("100000")).ok());
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole() && !session.report()->data().ipuSplits.empty(), 60000);
        QVERIFY(session.runs().isActive());
        QVERIFY(!session.report()->data().stepStats.empty());
        QVERIFY(session.report()->data().runs.back().cycles > 0);
        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        settle(session);
    }
    void theLogBesideAReportGoesWithItsLastReader()
    {
        Session session;
        openSmall(session, "gc200:tiles=16", "320");
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        settle(session);
        QVERIFY(session.report() && session.report()->isWhole());
        QString const path = session.runs().live().reportPath;
        QVERIFY(QFileInfo::exists(path));
        session.closeReport();
        QTRY_VERIFY2(!QFileInfo::exists(path + QStringLiteral("-wal")) && !QFileInfo::exists(path + QStringLiteral("-shm")),
                     qPrintable(path));
    }

private:
    /// As settle(), while a run goes on (which is a job too).
    static void settleBesideTheRun(Session &session)
    {
        QTRY_VERIFY_WITH_TIMEOUT(session.jobs().jobs().size() <= 1, 30000);
        QCoreApplication::processEvents();
    }
};

TW_REGISTER_TEST(TstLifetimes);
#include "tst_lifetimes.moc"
