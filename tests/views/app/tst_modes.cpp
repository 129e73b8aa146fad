#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/modes.h"
#include "app/gui/workbench.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/advice/problem_log.h"
#include "views/common/calm_style.h"
#include "views/common/theme.h"
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
#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::app;

/// The window's modes, panels, messages and edit menu, by mouse and keys.
class TstModes : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    static void open(MainWindow &window, QSize const &size)
    {
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        QVERIFY(window.session().document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        settle(window);
    }
    /// The layout asks for itself once more after views were made.
    static void settle(MainWindow &window)
    {
        QTest::qWait(60);
        QTest::qWait(60);
        (void)window;
    }
    static QDockWidget *dock(MainWindow &window, char const *id)
    {
        return window.findChild<QDockWidget *>(QStringLiteral("dock_") + QLatin1String(id));
    }
    static QToolButton *modeButton(MainWindow &window, char const *id)
    {
        return window.findChild<QToolButton *>(QStringLiteral("mode_") + QLatin1String(id));
    }
    static bool inFront(MainWindow &window, char const *id) { return !dock(window, id)->visibleRegion().isEmpty(); }
    static QStringList centreTabs(MainWindow &window)
    {
        QStringList ids;
        for (auto const &id : window.workbench().viewIds())
            if (window.workbench().isInMode(id) && window.workbench().placeOf(id) == Place::Centre) ids << id;
        return ids;
    }
    /// What a person sees: which docks, and where.
    static QMap<QString, QRect> places(MainWindow &window)
    {
        QMap<QString, QRect> found;
        for (auto const *each : window.findChildren<QDockWidget *>())
            if (each->isVisible() && !each->visibleRegion().isEmpty())
                found.insert(each->objectName(), QRect(each->mapTo(&window, QPoint()), each->size()));
        return found;
    }
    static QStringList barTabs(MainWindow &window)
    {
        QStringList texts;
        for (auto const *bar : window.findChildren<QTabBar *>())
            if (bar->isVisible() && qobject_cast<QMainWindow *>(bar->parentWidget()))
                for (int i = 0; i < bar->count(); ++i) texts << bar->tabText(i);
        texts.sort();
        return texts;
    }

private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
    }
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
            auto const now = places(window);
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
    void thePlotGetsAllGrowth()
    {
        MainWindow window(true);
        open(window, {1366, 700});
        window.workbench().setPanelOpen(true, QStringLiteral("console"));
        settle(window);
        int const left = dock(window, "outline")->width(), right = dock(window, "inspector")->width(),
                  below = dock(window, "console")->height();
        QSize const middle = dock(window, "canvas")->size();
        QVERIFY2(below < 260, qPrintable(QString::number(below)));
        window.resize(1800, 1000);
        settle(window);
        QCOMPARE(dock(window, "outline")->width(), left);
        QCOMPARE(dock(window, "inspector")->width(), right);
        QCOMPARE(dock(window, "console")->height(), below);
        QCOMPARE(dock(window, "canvas")->size(), middle + QSize(1800 - 1366, 1000 - 700));
        window.resize(1366, 700);
        settle(window);
        QCOMPARE(dock(window, "console")->height(), below);
        QCOMPARE(dock(window, "canvas")->size(), middle);
    }
    void theConsoleIsAStripUntilSomebodyOpensIt()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        QVERIFY(!window.workbench().isPanelOpen());
        auto *strip = window.findChild<QFrame *>(QStringLiteral("console_strip"));
        QVERIFY(strip && strip->isVisible() && strip->height() <= 32);
        auto *counts = window.findChild<QToolButton *>(QStringLiteral("console_counts"));
        QTRY_COMPARE(counts->text(), QStringLiteral("0 error(s) · 0 warning(s)"));
        auto const spoilt = window.session().document().edit(QStringLiteral("spoil"), [](project::Project &project) -> Status {
            project.model.layers.erase(project.model.layers.begin(), project.model.layers.begin() + 2); // the input is gone
            return {};
        });
        QVERIFY(spoilt.ok());
        QTRY_VERIFY(!counts->text().startsWith(QLatin1String("0 error")));
        QTest::mouseClick(counts, Qt::LeftButton);
        settle(window);
        QVERIFY(window.workbench().isPanelOpen());
        QVERIFY(inFront(window, "problems"));
        QTest::mouseClick(window.findChild<QToolButton *>(QStringLiteral("console_arrow")), Qt::LeftButton);
        settle(window);
        QVERIFY(!window.workbench().isPanelOpen());
        QTest::mouseClick(strip, Qt::LeftButton);
        settle(window);
        QVERIFY(inFront(window, "problems") || inFront(window, "console"));
        QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier);
        QVERIFY(!window.workbench().isPanelOpen());
    }
    /// The large type of presenting ends with it, for each text.
    void noTextStaysLargeAfterPresenting()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        settle(window);
        std::map<QWidget *, double> before;
        for (auto *widget : window.findChildren<QWidget *>())
            if (widget->isVisible()) before[widget] = widget->font().pointSizeF();
        for (int round = 0; round < 2; ++round) {
            window.applyLayout(QStringLiteral("present"));
            settle(window);
            window.applyLayout(QStringLiteral("build"));
            settle(window);
        }
        QStringList wrong;
        for (auto *widget : window.findChildren<QWidget *>()) {
            auto const was = before.find(widget);
            if (was == before.end() || std::abs(was->second - widget->font().pointSizeF()) < 0.05) continue;
            wrong << QStringLiteral("%1 %2: %3 before, %4 now")
                         .arg(QLatin1String(widget->metaObject()->className()), widget->objectName())
                         .arg(was->second)
                         .arg(widget->font().pointSizeF());
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }
    void messagesMoveNothingCoverNothingAndGoWithTheirCause()
    {
        MainWindow window(true);
        open(window, {1000, 700});
        auto *bar = window.findChild<MessageBar *>();
        auto const places = [&] {
            QList<QRect> found;
            for (auto const *view : window.findChildren<views::View *>())
                if (view->isVisible()) found << QRect(view->mapTo(&window, QPoint()), view->size());
            return found;
        };
        auto const before = places();
        QVERIFY(!before.isEmpty());
        window.session().raiseError(makeError(ErrorKind::Invalid, "test.code", "dense", "the layer objects.", "Ask it nicely."));
        settle(window);
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->text(), QStringLiteral("dense: the layer objects."));
        QCOMPARE(places(), before);
        QRect const place(bar->mapTo(&window, QPoint()), bar->size());
        for (auto const *view : window.findChildren<views::View *>())
            if (view->isVisible()) QVERIFY2(!place.intersects(QRect(view->mapTo(&window, QPoint()), view->size())), qPrintable(view->id()));
        // Its button leads to the whole story.
        QAbstractButton *details = nullptr, *close = nullptr;
        for (auto *button : bar->findChildren<QAbstractButton *>()) (button->text().isEmpty() ? close : details) = button;
        QVERIFY(details && close);
        QTest::mouseClick(details, Qt::LeftButton);
        settle(window);
        QVERIFY(inFront(window, "problems"));
        bool told = false;
        for (auto const *label : dock(window, "problems")->findChildren<QLabel *>())
            told = told || label->text().contains(QLatin1String("Ask it nicely."));
        QVERIFY(told);
        // The cause goes, the message goes; an edit that is in order is enough.
        window.session().raiseError(makeError(ErrorKind::Invalid, "test.code", "dense", "again.", {}));
        QVERIFY(bar->isVisible());
        // One sentence; the rest stands in Problems.
        window.session().raiseError(makeError(ErrorKind::Invalid, "test.code", "tile 0",
                                              "it needs 1.5 times what it has, e.g. for dense. The peak is at step 3.", {}));
        QCOMPARE(bar->text(), QStringLiteral("tile 0: it needs 1.5 times what it has, e.g. for dense."));
        QVERIFY(window.session().document().setField(QStringLiteral("training.epochs"), QStringLiteral("7")).ok());
        QVERIFY(!bar->isVisible());
        window.session().raiseError(makeError(ErrorKind::Invalid, "test.code", "dense", "a third time.", {}));
        QTest::mouseClick(close, Qt::LeftButton);
        QVERIFY(!bar->isVisible());
    }
    void nothingScrollsSidewaysInPanels_data()
    {
        QTest::addColumn<QSize>("size");
        for (auto const &size : {QSize(1366, 768), QSize(1920, 1080)}) QTest::addRow("%d", size.width()) << size;
    }
    void nothingScrollsSidewaysInPanels()
    {
        QFETCH(QSize, size);
        MainWindow window(true);
        open(window, size);
        for (auto const *id : {"outline", "palette", "inspector"})
            for (auto const *area : dock(window, id)->findChildren<QAbstractScrollArea *>())
                if (area->isVisible() && !area->visibleRegion().isEmpty())
                    QVERIFY2(area->horizontalScrollBar()->maximum() == 0 || !area->horizontalScrollBar()->isVisible(), id);
        auto const *tree = dock(window, "outline")->findChild<QTreeView *>();
        QVERIFY(!tree->isColumnHidden(2)); // parameters
        QVERIFY(tree->columnViewportPosition(2) + tree->columnWidth(2) <= tree->viewport()->width());
    }
    void theSmallestWindowClipsNothing_data()
    {
        QTest::addColumn<QString>("mode");
        for (auto const &mode : modes()) QTest::newRow(mode.id) << QString::fromLatin1(mode.id);
    }
    void theSmallestWindowClipsNothing()
    {
        QFETCH(QString, mode);
        MainWindow window(true);
        open(window, {800, 600});
        window.applyLayout(mode);
        settle(window);
        for (auto const &id : centreTabs(window)) {
            window.showView(id);
            settle(window);
            QCOMPARE(window.size(), QSize(800, 600));
            for (auto const *each : window.findChildren<QDockWidget *>())
                if (each->isVisible() && !each->visibleRegion().isEmpty()) {
                    QRect const place(each->mapTo(&window, QPoint()), each->size());
                    QVERIFY2(window.rect().contains(place), qPrintable(each->objectName()));
                    QVERIFY2(each->height() >= each->minimumSizeHint().height() && each->width() >= each->minimumSizeHint().width(),
                             qPrintable(each->objectName()));
                }
            for (auto const *button : window.findChildren<QToolButton *>())
                if (button->isVisible() && button->objectName().startsWith(QLatin1String("mode_")))
                    QVERIFY(button->width() >= button->sizeHint().width());
        }
    }
    void viewsTakeTheKeyboard()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget()->inherits("tilewright::views::CanvasWidget"));
        // And it works at once: the arrow keys walk, Delete removes.
        auto const before = window.session().document().project().model.layers.size();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
        QCOMPARE(window.session().document().project().model.layers.size(), before - 1);
    }
    void theEditMenuEditsWhatHasTheKeyboard()
    {
        MainWindow window(true);
        open(window, {1366, 768});
        window.activateView(QStringLiteral("canvas"));
        QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget()->inherits("tilewright::views::CanvasWidget"));
        auto const layers = [&] { return window.session().document().project().model.layers.size(); };
        auto const all = layers();
        for (auto const *id : {"edit.cut", "edit.copy", "edit.paste", "edit.delete", "edit.select_all"})
            QVERIFY2(window.action(QLatin1String(id))->isEnabled(), id);
        window.action(QStringLiteral("edit.select_all"))->trigger();
        window.action(QStringLiteral("edit.copy"))->trigger();
        QVERIFY(QApplication::clipboard()->text().contains(QLatin1String("Dense")));
        window.action(QStringLiteral("edit.paste"))->trigger();
        QVERIFY(layers() > all);
        window.action(QStringLiteral("edit.delete"))->trigger(); // what was pasted is selected
        QCOMPARE(layers(), all);
        // In a text it is the text.
        QLineEdit *line = nullptr;
        for (auto *each : window.findChildren<QLineEdit *>())
            if (each->isVisible() && each->isEnabled() && !each->isReadOnly()) line = each;
        QVERIFY(line);
        line->setText(QStringLiteral("abc"));
        line->setFocus();
        window.action(QStringLiteral("edit.select_all"))->trigger();
        window.action(QStringLiteral("edit.cut"))->trigger();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("abc"));
        QVERIFY(line->text().isEmpty());
        QCOMPARE(layers(), all);
    }
    void aFileMayBeDroppedAnywhere()
    {
        QString const path = m_folder.filePath(QStringLiteral("anywhere.tilewright"));
        {
            MainWindow window(true);
            open(window, {1000, 700});
            QVERIFY(window.session().document().save(path).ok());
        }
        MainWindow window(true);
        open(window, {1366, 768});
        QVERIFY(window.session().document().save(m_folder.filePath(QStringLiteral("other.tilewright"))).ok());
        window.activateView(QStringLiteral("canvas"));
        settle(window);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        // On the canvas, which takes layers, and on a line of text, which would take the path as words.
        QWidget *canvas = nullptr;
        QLineEdit *line = nullptr;
        for (auto *each : window.findChildren<QWidget *>()) {
            if (each->inherits("tilewright::views::CanvasWidget")) canvas = each;
            if (auto *edit = qobject_cast<QLineEdit *>(each); edit && edit->isVisible() && edit->acceptDrops()) line = edit;
        }
        QVERIFY(canvas && line);
        for (QWidget *target : {canvas, static_cast<QWidget *>(line)}) {
            QDragEnterEvent enter(QPoint(10, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(target, &enter);
            QVERIFY(enter.isAccepted());
        }
        QDropEvent drop(QPointF(10, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas, &drop);
        QTRY_COMPARE(window.session().document().path(), path);
        // On a panel that floats: a window of its own.
        auto *floating = dock(window, "inspector");
        floating->setFloating(true);
        settle(window);
        auto *inside = window.showView(QStringLiteral("inspector"));
        QVERIFY(inside->window() != &window);
        QDragEnterEvent over(QPoint(10, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(inside, &over);
        QVERIFY(over.isAccepted());
        QDialog dialog(&window);
        QDragEnterEvent elsewhere(QPoint(10, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        elsewhere.ignore();
        QCoreApplication::sendEvent(&dialog, &elsewhere);
        QVERIFY(!elsewhere.isAccepted());
    }
    void anEmptyProjectIsAClickAway()
    {
        MainWindow window(true);
        window.resize(1366, 768);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QAbstractButton *empty = nullptr;
        for (auto *button : window.findChildren<QPushButton *>())
            if (button->accessibleName() == QLatin1String("Empty project")) empty = button;
        QVERIFY(empty && empty->isVisible());
        window.workbench().setMode(QStringLiteral("train")); // where the project before was left
        QTest::mouseClick(empty, Qt::LeftButton);
        QTRY_VERIFY(window.session().document().isOpen());
        QCOMPARE(window.layoutName(), QStringLiteral("build"));
        QVERIFY(window.session().document().project().model.layers.empty());
        QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget()->inherits("tilewright::views::CanvasWidget"));
        QVERIFY(!window.isWindowModified());
    }
};

TW_REGISTER_TEST(TstModes);
#include "tst_modes.moc"
