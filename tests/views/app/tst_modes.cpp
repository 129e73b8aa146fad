#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/modes.h"
#include "app/gui/workbench.h"
#include "tests/support/test_registry.h"
#include "tests/views/app/shown_window.h"
#include "views/advice/problem_log.h"
#include "views/common/calm_style.h"
#include "views/common/theme.h"
#include "views/diagnostics/console.h"
#include "views/document/document.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/session/view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>
#include <QtTest>

#include <map>
#include <tuple>
#include <utility>

using namespace tilewright;
using namespace tilewright::app;

/// The window's modes and their arrangement, by mouse and keys.
class TstModes : public QObject, private ShownWindow {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { views::setTextScale(1); }

    void eachModeShowsItsOwnViews()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        QCOMPARE(window.layoutName(), QStringLiteral("build"));
        for (auto const &mode : modes()) {
            QTest::mouseClick(modeButton(window, mode.id), Qt::LeftButton);
            settle(window);
            QCOMPARE(window.layoutName(), QLatin1String(mode.id));
            QVERIFY(modeButton(window, mode.id)->isChecked());
            auto const tabs = centreTabs(window);
            QVERIFY2(tabs.size() >= 3 && tabs.size() <= 7, mode.id);
            for (auto const &id : mode.centre) QVERIFY2(tabs.contains(id), qPrintable(id));
            QVERIFY2(inFront(window, mode.centre.first().toLatin1()), mode.id);
        }
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&window, static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier | Qt::AltModifier);
            QCOMPARE(window.layoutName(), QLatin1String(modes()[static_cast<std::size_t>(i)].id));
        }
        QVERIFY(views::textScale() > 1.2); // Present
        QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(views::textScale(), 1.0);
    }
    /// A mode opens with the views that can be seen; the others are made when their tab is opened.
    void aModeMakesOnlyTheViewsInFront()
    {
        MainWindow window(true);
        open(window, {1440, 900});
        QTest::mouseClick(modeButton(window, "analyse"), Qt::LeftButton);
        settle(window);
        QStringList made;
        for (auto const *view : window.workbench().madeViews()) made << view->id();
        QStringList const seen{QStringLiteral("canvas"),    QStringLiteral("outline"), QStringLiteral("palette"), // of Build
                               QStringLiteral("inspector"), QStringLiteral("summary"), QStringLiteral("insights")};
        for (auto const &id : made) QVERIFY2(seen.contains(id), qPrintable(id));
        QVERIFY(made.contains(QStringLiteral("summary")) && made.contains(QStringLiteral("insights")));
    }
    /// Sentences need lines of some length.
    void insightsTakeAQuarterOfAWideWindow()
    {
        for (auto const &[width, least, most] : {std::tuple(1280, 290, 330), {1920, 460, 490}, {2560, 500, 530}}) {
            MainWindow window(true);
            open(window, {width, 900});
            window.applyLayout(QStringLiteral("analyse"));
            settle(window);
            auto const *insights = window.showView(QStringLiteral("insights"));
            QTRY_VERIFY2(insights->width() >= least && insights->width() <= most, qPrintable(QString::number(insights->width())));
        }
    }
    /// The start page is read by one person, whatever the mode before.
    void theStartPageLeavesTheLargeTypeOfPresent()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        window.applyLayout(QStringLiteral("present"));
        QVERIFY(views::textScale() > 1.2);
        window.session().document().undoStack().clear();
        for (auto *action : window.findChildren<QAction *>())
            if (action->shortcut() == QKeySequence(QKeySequence::Close)) action->trigger();
        QTRY_COMPARE(views::textScale(), 1.0);
        QCOMPARE(window.layoutName(), QStringLiteral("build"));
    }
    void undoIsTold()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        auto &document = window.session().document();
        QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("7")).ok());
        QString const what = document.undoStack().undoText();
        QVERIFY(!what.isEmpty());
        auto const trigger = [&](QKeySequence::StandardKey key) {
            for (auto *action : window.findChildren<QAction *>())
                if (action->shortcut() == QKeySequence(key)) action->trigger();
        };
        trigger(QKeySequence::Undo);
        QCOMPARE(window.session().console().said(), QStringLiteral("Undone: ") + what);
        trigger(QKeySequence::Redo);
        QCOMPARE(window.session().console().said(), QStringLiteral("Done again: ") + what);
        document.undoStack().undo();
    }
    /// Its height is set once it is laid out: nothing is when another mode, which has no panel, comes first.
    void aPanelThatAnotherModeTakesAwayIsNotSized()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        window.workbench().setPanelOpen(true, QStringLiteral("problems"));
        window.applyLayout(QStringLiteral("present"));
        settle(window); // a warning of Qt's fails the test
        QVERIFY(!window.workbench().isPanelOpen());
    }
    void aModesFrameIsWholeAndForTheKeyboard()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        auto *train = modeButton(window, "train");
        auto const edges = [&] {
            QImage const image = train->grab().toImage();
            QColor const accent = views::theme()[views::Token::Accent];
            int const w = image.width(), h = image.height();
            return (image.pixelColor(w / 2, 0) == accent) + (image.pixelColor(w / 2, h - 1) == accent)
                + (image.pixelColor(w - 1, h / 2) == accent) + (image.pixelColor(0, h / 2) == accent);
        };
        QCOMPARE(edges(), 0);
        train->setFocus(Qt::TabFocusReason); // what had the focus was hidden: the same reason
        QCOMPARE(edges(), 0);
        auto *build = modeButton(window, "build");
        build->setFocus();
        QTest::keyClick(build, Qt::Key_Down);
        QVERIFY(train->hasFocus());
        QTest::keyRelease(train, Qt::Key_Down);
        QCOMPARE(edges(), 4);
        build->setFocus();
        QCOMPARE(edges(), 0);
    }

    void textsOfTheStatusBarEndBeforeTheNext()
    {
        MainWindow window(true);
        open(window, {1024, 700});
        window.session().selection().selectLayer(QStringLiteral("dense_2"));
        settle(window);
        auto *bar = window.findChild<QStatusBar *>();
        int texts = 0;
        for (auto const *label : bar->findChildren<QLabel *>()) {
            if (!label->isVisible() || label->text().isEmpty()) continue;
            ++texts;
            QVERIFY2(label->fontMetrics().horizontalAdvance(label->text()) <= label->width(), qPrintable(label->text()));
        }
        QVERIFY(texts >= 3);
        window.resize(800, 600);
        settle(window);
        for (auto const *label : bar->findChildren<QLabel *>())
            QVERIFY2(!label->isVisible() || label->fontMetrics().horizontalAdvance(label->text()) <= label->width(),
                     qPrintable(label->text()));
    }

    void everyVisitShowsTheModeAsItWas()
    {
        MainWindow window(false);
        open(window, {1920, 1080});
        for (auto const &mode : modes()) { // what another test saved
            window.workbench().setMode(QLatin1String(mode.id));
            window.workbench().resetMode();
        }
        QMap<QString, QMap<QString, QRect>> first;
        QMap<QString, QStringList> tabs;
        for (int const visit : {1, 3, 1, 3, 2, 4, 3, 2, 1, 4, 2, 3, 1}) {
            QTest::keyClick(&window, static_cast<Qt::Key>(Qt::Key_0 + visit), Qt::ControlModifier | Qt::AltModifier);
            QTest::qWait(260); // longer than it takes to remember the arrangement
            QString const id = window.layoutName();
            auto now = places(window);
            QTRY_VERIFY2(std::exchange(now, (QTest::qWait(100), places(window))) == places(window), qPrintable(id)); // it has come to rest
            QVERIFY(!now.isEmpty());
            for (auto const &dockName : now.keys())
                QVERIFY2(window.workbench().isInMode(dockName.mid(5)), qPrintable(id + QLatin1String(" shows ") + dockName));
            if (!first.contains(id)) {
                first.insert(id, now);
                tabs.insert(id, barTabs(window));
            }
            QCOMPARE(now.keys(), first.value(id).keys());
            QCOMPARE(barTabs(window), tabs.value(id));
            for (auto const &dockName : now.keys())
                QVERIFY2(now.value(dockName) == first.value(id).value(dockName),
                         qPrintable(QStringLiteral("%1 moved %2 to %3,%4 %5x%6, it was %7x%8")
                                        .arg(id, dockName)
                                        .arg(now.value(dockName).x())
                                        .arg(now.value(dockName).y())
                                        .arg(now.value(dockName).width())
                                        .arg(now.value(dockName).height())
                                        .arg(first.value(id).value(dockName).width())
                                        .arg(first.value(id).value(dockName).height())));
        }
        // And so it is after a restart.
        auto const saved = window.workbench().save();
        MainWindow other(true);
        open(other, {1920, 1080});
        other.workbench().restore(saved);
        for (int const visit : {3, 1, 2, 3}) {
            QTest::keyClick(&other, static_cast<Qt::Key>(Qt::Key_0 + visit), Qt::ControlModifier | Qt::AltModifier);
            QTest::qWait(260);
            QCOMPARE(places(other).keys(), first.value(other.layoutName()).keys());
            QCOMPARE(barTabs(other), tabs.value(other.layoutName()));
        }
    }
    void anyViewComesIntoAnyModeAndGoesAgain()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        QVERIFY(!window.workbench().isInMode(QStringLiteral("liveness")));
        window.activateView(QStringLiteral("liveness"));
        settle(window);
        QVERIFY(inFront(window, "liveness"));
        window.applyLayout(QStringLiteral("train"));
        QVERIFY(!window.workbench().isInMode(QStringLiteral("liveness")));
        window.applyLayout(QStringLiteral("build"));
        settle(window);
        QVERIFY(window.workbench().isInMode(QStringLiteral("liveness"))); // the mode remembers
        window.workbench().hideView(QStringLiteral("liveness"));
        QVERIFY(!window.workbench().isInMode(QStringLiteral("liveness")));
        QVERIFY(dock(window, "liveness")->isHidden());
        // The middle never stays empty.
        for (auto const &id : centreTabs(window)) window.workbench().hideView(id);
        QCOMPARE(centreTabs(window).size(), 1);
        window.action(QStringLiteral("view.reset"))->trigger();
        settle(window);
        QCOMPARE(centreTabs(window).size(), 4);
    }
    void theArrangementIsSavedOnExit()
    {
        QString const path = m_folder.filePath(QStringLiteral("kept.tilewright"));
        int width = 0;
        {
            MainWindow window(false);
            open(window, {1366, 768});
            QVERIFY(window.session().document().save(path).ok());
            window.workbench().resetMode();
            settle(window);
            window.workbench().moveView(QStringLiteral("plan"), Place::Right);
            window.workbench().hideView(QStringLiteral("data"));
            window.workbench().setPanelOpen(true, QStringLiteral("problems"));
            settle(window);
            width = dock(window, "outline")->width();
            window.applyLayout(QStringLiteral("analyse"));
            settle(window);
            window.showView(QStringLiteral("operations"));
            settle(window);
            QVERIFY(window.close());
        }
        MainWindow window(false);
        window.resize(1366, 768);
        window.show();
        window.openFiles({path});
        settle(window);
        QCOMPARE(window.layoutName(), QStringLiteral("analyse"));
        QVERIFY(inFront(window, "operations"));
        window.applyLayout(QStringLiteral("build"));
        settle(window);
        QCOMPARE(window.workbench().placeOf(QStringLiteral("plan")), Place::Right);
        QVERIFY(!window.workbench().isInMode(QStringLiteral("data")));
        QVERIFY(window.workbench().isPanelOpen());
        QVERIFY(inFront(window, "problems"));
        QVERIFY2(std::abs(dock(window, "outline")->width() - width) <= 2,
                 qPrintable(QStringLiteral("%1 was %2").arg(dock(window, "outline")->width()).arg(width)));
        window.workbench().resetMode();
        settle(window);
        QVERIFY(window.workbench().isInMode(QStringLiteral("data")));
        window.applyLayout(QStringLiteral("build"));
        window.close();
    }
    void aNarrowWindowFoldsPanelsAndForgetsNothing()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        window.workbench().hideView(QStringLiteral("config"));
        window.workbench().moveView(QStringLiteral("help"), Place::Right);
        window.showView(QStringLiteral("plan"));
        settle(window);
        QTest::qWait(200);
        int const left = dock(window, "outline")->width();
        window.resize(900, 620);
        settle(window);
        QVERIFY(window.workbench().isCompact());
        QCOMPARE(window.workbench().placeOf(QStringLiteral("inspector")), Place::Left); // one column of tabs
        QVERIFY(inFront(window, "plan"));
        window.resize(1366, 768);
        settle(window);
        QVERIFY(!window.workbench().isCompact());
        QVERIFY(!window.workbench().isInMode(QStringLiteral("config")));
        QCOMPARE(window.workbench().placeOf(QStringLiteral("help")), Place::Right);
        QCOMPARE(window.workbench().placeOf(QStringLiteral("inspector")), Place::Right);
        QVERIFY(inFront(window, "plan"));
        QVERIFY2(std::abs(dock(window, "outline")->width() - left) <= 2,
                 qPrintable(QStringLiteral("%1 was %2").arg(dock(window, "outline")->width()).arg(left)));
    }
    /// A run that is begun in another mode is watched in its own, and leaves no tab behind.
    void aRunIsWatchedInItsOwnMode()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        auto &session = window.session();
        QVERIFY(session.document().setField(QStringLiteral("data.limit"), QStringLiteral("64")).ok());
        QVERIFY(session.document().setField(QStringLiteral("training.epochs"), QStringLiteral("1")).ok());
        for (auto const *mode : {"build", "analyse"}) {
            window.applyLayout(QLatin1String(mode));
            settle(window);
            QTest::keyClick(&window, Qt::Key_F5);
            QTRY_COMPARE(window.layoutName(), QStringLiteral("train"));
            QTRY_VERIFY(inFront(window, "training"));
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), views::RunState::Idle, 60000);
            window.applyLayout(QLatin1String(mode));
            settle(window);
            QVERIFY2(!window.workbench().isInMode(QStringLiteral("training")), mode);
        }
    }
    /// What does not fit is analysed where one analyses, and leaves no tab behind.
    void whatDoesNotFitLeadsToAnalysis()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        auto &session = window.session();
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=4")).ok());
        window.applyLayout(QStringLiteral("build"));
        settle(window);
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), views::RunState::Idle, 60000);
        QVERIFY(session.runs().live().compile.outOfMemory);
        QCOMPARE(window.layoutName(), QStringLiteral("analyse"));
        QTRY_VERIFY(inFront(window, "memory"));
        window.applyLayout(QStringLiteral("build"));
        settle(window);
        QVERIFY(!window.workbench().isInMode(QStringLiteral("memory")));
    }
};

TW_REGISTER_TEST(TstModes);
#include "tst_modes.moc"
