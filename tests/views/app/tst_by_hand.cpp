#include "app/gui/main_window.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/canvas/add_box.h"
#include "views/canvas/canvas_widget.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/runs/compare_pane.h"
#include "views/jobs/job_runner.h"
#include "views/properties/property_editor.h"
#include "views/properties/property_row.h"
#include "views/properties/property_table.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/layer_selection.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

/// Earlier errors of the whole window, reproduced only with keys and clicks.
class TstByHand : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    struct Window {
        app::MainWindow window{true};
        explicit Window(char const *samples = "640", char const *epochs = "1")
        {
            window.resize(1500, 950);
            window.show();
            if (!QTest::qWaitForWindowActive(&window)) qFatal("no active window");
            auto &document = window.session().document();
            for (auto const &[field, value] :
                 {std::pair("system.target", "gc200:tiles=16"), std::pair("data.limit", samples), std::pair("training.epochs", epochs)}) {
                if (document.project().model.layers.empty() && !document.openTemplate(QStringLiteral("mnist-mlp")).ok())
                    qFatal("no template");
                if (!document.setField(QString::fromLatin1(field), QString::fromLatin1(value)).ok()) qFatal("%s", field);
            }
            QCoreApplication::processEvents();
        }
        Session &session() { return window.session(); }
        RunController &runs() { return window.session().runs(); }
        void press(Qt::Key key, Qt::KeyboardModifiers with = {})
        {
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window, key, with);
        }
        /// The button of the tool bar that does this.
        void clickTool(char const *id)
        {
            auto *button = window.findChild<QToolBar *>(QStringLiteral("main_tool_bar"))->widgetForAction(window.action(QLatin1String(id)));
            if (!button || !button->isVisible()) qFatal("no button for %s", id);
            QTest::mouseClick(button, Qt::LeftButton);
        }
        /// The view, in front of the others in its place.
        View *open(char const *id)
        {
            auto *view = window.showView(QLatin1String(id));
            QCoreApplication::processEvents();
            return view;
        }
        bool isIdle() { return runs().state() == RunState::Idle; }
    };

    static QString textOf(QWidget const &of)
    {
        QString text;
        for (auto *label : of.findChildren<QLabel *>())
            if (label->isVisible()) text += label->text() + QLatin1Char('\n');
        return text;
    }
    /// A click on a row of a table or tree.
    static void clickRow(QAbstractItemView &table, QModelIndex const &index, Qt::KeyboardModifiers with = {})
    {
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, with, table.visualRect(index).center());
    }
    static void clickTab(QWidget &in, QString const &text)
    {
        for (auto *bar : in.findChildren<QTabBar *>())
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == text) return (void)QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
        QFAIL(qPrintable(text));
    }
    /// Writes a path into the file dialog that comes up, and presses Enter until it has gone: on a slow machine it reads its folder first.
    static void answerFileDialog(QString const &path)
    {
        auto *timer = new QTimer(qApp);
        QObject::connect(timer, &QTimer::timeout, timer, [timer, path, answered = false]() mutable {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            if (!dialog && answered) return timer->deleteLater();
            auto *line = dialog ? dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit")) : nullptr;
            if (!line) return;
            answered = true;
            if (line->text() != path) {
                line->selectAll();
                QTest::keyClicks(line, path);
            }
            QTest::keyClick(line, Qt::Key_Return);
        });
        timer->start(100);
    }

private slots:
    void initTestCase()
    {
        initResources();
        applyTheme(*qApp, ThemeKind::Light);
        QLocale::setDefault(QLocale(QStringLiteral("en_US")));
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }
    /// A run on tiles: paused by the button, a tile typed, its values looked at, one superstep, stopped by the key.
    void tilesAreReadableInPausedAndStoppedRuns()
    {
        Window w("60000");
        w.press(Qt::Key_F5, Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(w.runs().state() == RunState::Running && w.session().report() && w.session().report()->isWhole(), 60000);
        w.clickTool("run.pause");
        QTRY_VERIFY_WITH_TIMEOUT(w.runs().isPaused(), 60000);
        auto *memory = w.open("memory");
        QTRY_VERIFY(memory->isSettled());
        QLineEdit *tiles = nullptr;
        for (auto *line : memory->findChildren<QLineEdit *>())
            if (line->isVisible() && line->accessibleName().contains(QLatin1String("iles"))) tiles = line;
        QVERIFY(tiles);
        QTest::mouseClick(tiles, Qt::LeftButton);
        QTest::keyClicks(tiles, QStringLiteral("3"));
        QTest::keyClick(tiles, Qt::Key_Return);
        QCOMPARE(w.session().selection().current().ids, std::vector<int>{3});
        clickTab(*memory, QStringLiteral("Values"));
        w.press(Qt::Key_F11);
        QTRY_COMPARE_WITH_TIMEOUT(w.runs().tileValues().tile, 3, 60000);
        w.press(Qt::Key_Period, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(w.isIdle(), 60000);
        QTRY_VERIFY(memory->isSettled());
        QVERIFY(w.session().report() && w.session().report()->isWhole());
        QCOMPARE(w.session().selection().current().ids, std::vector<int>{3});
    }
    /// Trained, then saved for the first time by the dialog, opened again: the run is there.
    void aRunMadeBeforeTheFirstSaveIsKept()
    {
        QString const path = m_folder.filePath(QStringLiteral("kept.tilewright"));
        {
            Window w;
            w.press(Qt::Key_F5);
            QTRY_VERIFY_WITH_TIMEOUT(
                w.session().runList().size() == 1 && w.isIdle() && w.session().report() && w.session().report()->isWhole(), 60000);
            answerFileDialog(path);
            int const atOnce = Document::accessesAtOnce();
            w.press(Qt::Key_S, Qt::ControlModifier);
            QVERIFY(QFileInfo::exists(path));
            QVERIFY(!w.session().document().isModified());
            QCOMPARE(Document::accessesAtOnce(), atOnce); // the window's thread has written nothing
            QTRY_VERIFY(!w.session().jobs().busy());
        }
        Window w;
        w.session().document().undoStack().clear();
        QVERIFY(w.session().document().openFile(path).ok());
        QTRY_COMPARE(w.session().runList().size(), std::size_t(1));
        QCOMPARE(w.session().runList()[0].state, QStringLiteral("done"));
        QVERIFY(QFileInfo::exists(w.session().runList()[0].report));
    }
    /// Program and Operations have cycles while the run goes on, and a run that is stopped is no failed one.
    void cyclesExistFromTheFirstStepAndStoppedRunsAreMarked()
    {
        Window w("640", "100000");
        w.clickTool("run.train");
        QTRY_VERIFY_WITH_TIMEOUT(w.session().report() && w.session().report()->isWhole() && !w.session().report()->data().ipuSplits.empty(),
                                 60000);
        QVERIFY(w.runs().isActive());
        for (auto const *id : {"program", "operations"}) {
            auto *view = w.open(id);
            QTRY_VERIFY(view->isSettled());
            QTRY_VERIFY2(view->headline().contains(QLatin1String("cycles")) || view->headline().contains(QLatin1Char('%')),
                         qPrintable(view->headline()));
        }
        w.clickTool("run.stop");
        QTRY_VERIFY_WITH_TIMEOUT(w.isIdle(), 60000);
        QTRY_COMPARE(w.session().runList().size(), std::size_t(1));
        QCOMPARE(w.session().runList()[0].state, QStringLiteral("stopped"));
        auto *runs = w.open("runs");
        QTRY_VERIFY(runs->isSettled());
        QVERIFY(!textOf(*runs).contains(QLatin1String("failed"), Qt::CaseInsensitive));
    }
    /// Undo in the add box removes an added layer; undo during typing belongs to the field.
    void aTypedLayerIsUndoneWhereItWasTyped()
    {
        Window w;
        auto *edit = w.open("canvas")->findChild<AddBox *>()->findChild<QLineEdit *>();
        auto const layers = [&] { return w.session().document().project().model.layers.size(); };
        auto const before = layers();
        QTest::mouseClick(edit, Qt::LeftButton);
        QTest::keyClicks(edit, QStringLiteral("dropout 0.5"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_COMPARE(layers(), before + 1);
        QVERIFY(edit->hasFocus() && edit->text().isEmpty());
        w.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(layers(), before);
        QVERIFY(edit->text().isEmpty());
        w.press(Qt::Key_Y, Qt::ControlModifier);
        w.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(layers(), before + 1);
        QTest::keyClicks(edit, QStringLiteral("dens"));
        w.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(layers(), before + 1);
        QVERIFY(edit->text().isEmpty());
    }
    /// Two layers chosen on the canvas, one number typed in the inspector, one step of undo.
    void severalLayersAreEditedAtOnce()
    {
        Window w;
        auto *canvasView = w.open("canvas");
        auto *canvas = canvasView->findChild<CanvasWidget *>();
        QTRY_VERIFY(!canvas->scene().nodes.empty());
        canvas->fitAll();
        auto const click = [&](char const *layer, Qt::KeyboardModifiers with) {
            for (auto const &node : canvas->scene().nodes)
                if (node.id == layer)
                    return (void)QTest::mouseClick(canvas, Qt::LeftButton, with, canvas->toWidget(node.rect.center()).toPoint());
            QFAIL(layer);
        };
        click("dense", {});
        click("dense_1", Qt::ControlModifier);
        QCOMPARE(layersOf(w.session().selection().current()).size(), qsizetype(2));
        auto *inspector = w.open("inspector");
        QTRY_VERIFY(inspector->isSettled());
        QString const first = QStringLiteral("model.layers.dense.units"), second = QStringLiteral("model.layers.dense_1.units");
        PropertyRow *row = nullptr;
        for (auto *table : inspector->findChildren<PropertyTable *>())
            for (auto const &path : {first, second})
                if (!row && table->isVisible()) row = table->row(path);
        QVERIFY(row);
        auto *input = row->editor().input();
        QTest::mouseClick(input, Qt::LeftButton);
        if (auto *spin = qobject_cast<QAbstractSpinBox *>(input)) spin->selectAll();
        QTest::keyClicks(input, QStringLiteral("77"));
        QTest::keyClick(input, Qt::Key_Return);
        QCOMPARE(w.session().document().field(first), QStringLiteral("77"));
        QCOMPARE(w.session().document().field(second), QStringLiteral("77"));
        w.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(w.session().document().field(first) != QLatin1String("77") && w.session().document().field(second) != QLatin1String("77"));
    }
    /// Two runs, chosen by a click and a click with Ctrl: they are compared.
    void twoRunsThatAreChosenAreCompared()
    {
        Window w;
        for (std::size_t run = 1; run <= 2; ++run) {
            w.press(Qt::Key_F5);
            QTRY_VERIFY_WITH_TIMEOUT(w.session().runList().size() == run && w.isIdle(), 60000);
            QTRY_VERIFY(!w.session().jobs().busy());
            QVERIFY(w.session().document().setField(QStringLiteral("training.batch_size"), QStringLiteral("16")).ok());
        }
        auto *view = w.open("runs");
        QTRY_VERIFY(view->isSettled());
        TablePane *table = nullptr;
        for (auto *pane : view->findChildren<TablePane *>())
            if (pane->tree().accessibleName() == QLatin1String("Runs")) table = pane;
        QVERIFY(table);
        QTRY_VERIFY(table->proxy().rowCount() >= 2);
        clickRow(table->tree(), table->proxy().index(0, 0));
        clickRow(table->tree(), table->proxy().index(1, 0), Qt::ControlModifier);
        auto *pane = view->findChild<ComparePane *>();
        QVERIFY(pane);
        QTRY_VERIFY(pane->comparison() && pane->isVisible());
        QTRY_VERIFY2(view->headline().contains(QLatin1String(" compared: ")), qPrintable(view->headline()));
    }
};

TW_REGISTER_TEST(TstByHand);
#include "tst_by_hand.moc"
