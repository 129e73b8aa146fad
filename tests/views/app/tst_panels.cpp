#include "app/gui/keys_dialog.h"
#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/modes.h"
#include "app/gui/workbench.h"
#include "tests/support/test_registry.h"
#include "tests/views/app/shown_window.h"
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
#include <QTreeWidget>
#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::app;

/// The window's panels, messages, drops and edit menu, by mouse and keys.
class TstPanels : public QObject, private ShownWindow {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { views::setTextScale(1); }

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
    void theSheetOfKeysCutsNoLine()
    {
        MainWindow window(true);
        open(window, {1280, 800});
        QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier); // the canvas has the longest lines
        KeysDialog dialog(window);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QVERIFY(dialog.width() <= 1280 - 80 && dialog.height() <= 800 - 80);
        auto const *list = dialog.findChild<QTreeWidget *>();
        QVERIFY(list && list->topLevelItemCount() == 2);
        for (int group = 0; group < 2; ++group)
            for (int i = 0; i < list->topLevelItem(group)->childCount(); ++i) {
                auto const *line = list->topLevelItem(group)->child(i);
                QVERIFY2(list->fontMetrics().horizontalAdvance(line->text(1)) <= list->columnWidth(1), qPrintable(line->text(1)));
            }
    }
    /// Selected words have room when nothing is selected: the times of a run are not cut beside an empty place.
    void theTimesOfARunTakeTheRoomOfAnEmptySelection()
    {
        MainWindow window(true);
        open(window, {1280, 800});
        QLabel *selection = nullptr;
        for (auto *label : window.findChildren<QLabel *>())
            if (label->accessibleName() == QLatin1String("Selection")) selection = label;
        QVERIFY(selection);
        window.session().selection().clear();
        QTRY_COMPARE(selection->parentWidget()->width(), 0);
        window.session().selection().selectLayer(QStringLiteral("dense"));
        QTRY_VERIFY(selection->parentWidget()->width() > 0);
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

TW_REGISTER_TEST(TstPanels);
#include "tst_panels.moc"
