#include "app/gui/command_palette.h"
#include "app/gui/fit_meter.h"
#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/model_picture.h"
#include "engine/store/project_file.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "tests/views/app/small_project.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/properties/property_editor.h"
#include "views/properties/property_row.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/session/view.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolBar>
#include <QtTest>

#include <atomic>
#include <sqlite3.h>
#include <thread>

using namespace tilewright;
using namespace tilewright::app;

class TstMainWindow : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    static void openSmall(MainWindow &window) { tests::openSmall(window.session().document()); }
    /// Presses a button of the message box that comes up.
    static void answer(QMessageBox::StandardButton button)
    {
        QTimer::singleShot(0, qApp, [button] {
            auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            QVERIFY(box);
            QTest::mouseClick(box->button(button), Qt::LeftButton);
        });
    }

private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
    }
    void aTemplateRunsAndItsReportOpens()
    {
        MainWindow window(true);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto const *target = window.findChild<QToolBar *>(QStringLiteral("main_tool_bar"))->findChild<QComboBox *>();
        QCOMPARE(target->currentText(), QString()); // also beside a report of whatever machine
        openSmall(window);
        QTRY_COMPARE(target->currentText(), QStringLiteral("gc200:tiles=64"));
        QTRY_VERIFY(window.action(QStringLiteral("run.train"))->isEnabled());
        QVERIFY(!window.action(QStringLiteral("run.stop"))->isEnabled());
        window.action(QStringLiteral("run.train"))->trigger();
        QVERIFY(window.action(QStringLiteral("run.stop"))->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(window.session().runs().state(), views::RunState::Idle, 60000);
        QTRY_VERIFY(window.session().report() && window.session().report()->isWhole());
        QVERIFY(!window.session().runs().live().error);
        QVERIFY(window.windowTitle().contains(QLatin1String("digits"), Qt::CaseInsensitive));
    }
    void everyViewOpensInEveryLayoutAndSize_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QSize>("size");
        for (auto const *layout : {"build", "train", "analyse", "present"})
            for (auto const &size : {QSize(800, 600), QSize(1600, 1000)})
                QTest::addRow("%s %d", layout, size.width()) << QString::fromLatin1(layout) << size;
    }
    void everyViewOpensInEveryLayoutAndSize()
    {
        QFETCH(QString, layout);
        QFETCH(QSize, size);
        MainWindow window(true);
        window.resize(size);
        window.show();
        openSmall(window);
        window.applyLayout(layout);
        for (auto const &[id, action] : window.actions()) {
            if (!id.startsWith(QLatin1String("show."))) continue;
            action->trigger();
            auto *view = window.showView(id.mid(5));
            QVERIFY2(view, qPrintable(id));
            QCoreApplication::processEvents();
            QVERIFY2(view->isVisible() && view->width() > 60, qPrintable(id));
        }
        QCOMPARE(window.size(), size); // nothing pushes the window wider than it was made
    }
    void aRunGoesOnWhileViewsComeAndGo()
    {
        MainWindow window(true);
        window.resize(1400, 900);
        window.show();
        openSmall(window);
        QVERIFY(window.session().document().setField(QStringLiteral("training.epochs"), QStringLiteral("20")).ok());
        window.action(QStringLiteral("run.train"))->trigger();
        QElapsedTimer clock;
        clock.start();
        while (window.session().runs().isActive() && clock.elapsed() < 8000)
            for (auto const *id : {"memory", "execution", "training", "canvas", "liveness", "monitor", "program"}) {
                window.showView(QLatin1String(id));
                QTest::qWait(5);
            }
        window.session().runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(window.session().runs().state(), views::RunState::Idle, 20000);
        QVERIFY(!window.session().runs().live().error);
    }
    void saveAsTakesTheRunsAlong()
    {
        QString const first = m_folder.filePath(QStringLiteral("first.tilewright")),
                      second = m_folder.filePath(QStringLiteral("second.tilewright"));
        MainWindow window(true);
        openSmall(window);
        QVERIFY(window.saveTo(first));
        store::RunRecord run;
        run.title = "kept";
        run.kind = "train";
        run.state = "done";
        QVERIFY(store::addRunRecord(first.toStdString(), run).ok());
        QVERIFY(store::saveCheckpoint(first.toStdString(), {"best", 2, 40, "2026-01-01T00:00:00Z", "{}", 0},
                                      {{"dense/kernel", "f32", {2}, std::string(8, 'w')}})
                    .ok());
        QVERIFY(window.saveTo(second));
        bool copies = false; // by a job, which the strip shows
        for (auto const &job : window.session().jobs().jobs()) copies = copies || job.kind == views::JobKind::KeepRuns;
        QVERIFY(copies);
        QString const third = m_folder.filePath(QStringLiteral("third.tilewright"));
        QVERIFY(window.saveTo(third)); // at once: it has all that the second gets
        QTRY_COMPARE(store::listCheckpoints(third.toStdString())->size(), std::size_t(1));
        QCOMPARE(store::listCheckpoints(second.toStdString())->size(), std::size_t(1));
        QVERIFY(window.saveTo(second));
        QTRY_COMPARE(window.session().runList().size(), std::size_t(1));
        QCOMPARE(window.session().runList().front().title, QStringLiteral("kept"));
        QVERIFY(!window.session().document().isModified());
        QVERIFY(window.saveTo(second)); // the same again doubles nothing
        QCOMPARE(store::listRunRecords(second.toStdString())->size(), std::size_t(1));
    }
    /// The fit is known a moment after a project is opened: nothing jumps when it comes.
    void theMeterComesWithoutMovingAnything()
    {
        MainWindow window(true);
        window.resize(1366, 768);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto *meter = window.findChild<FitMeter *>();
        auto *bar = window.findChild<QToolBar *>();
        QVERIFY(meter && bar && !meter->isVisible());
        openSmall(window);
        QTRY_VERIFY(meter->isVisible());
        int const with = bar->sizeHint().height();
        for (auto *action : bar->actions())
            if (bar->widgetForAction(action) == meter) action->setVisible(false);
        QTRY_VERIFY(!meter->isVisible());
        QCOMPARE(bar->sizeHint().height(), with);
    }
    void shortcutsDoNotClash()
    {
        MainWindow window(true);
        std::map<QString, QString> taken;
        for (auto const &[id, action] : window.actions()) {
            QVERIFY2(!action->text().isEmpty(), qPrintable(id));
            QString const keys = action->shortcut().toString();
            if (keys.isEmpty()) continue;
            QVERIFY2(!taken.contains(keys), qPrintable(keys + QStringLiteral(": ") + id + QStringLiteral(" and ") + taken[keys]));
            taken[keys] = id;
        }
        QVERIFY(taken.size() > 20);
    }
    void theCommandPaletteFindsAndRuns()
    {
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        openSmall(window);
        CommandPalette::commands(window);
        auto *palette = window.findChild<CommandPalette *>();
        QVERIFY(palette);
        auto *line = palette->findChild<QLineEdit *>();
        line->setText(QStringLiteral("zzzz nothing"));
        auto *list = palette->findChild<QListWidget *>();
        QCOMPARE(list->count(), 1);
        QVERIFY(list->item(0)->text().startsWith(QStringLiteral("Nothing")) && !(list->item(0)->flags() & Qt::ItemIsEnabled));
        line->clear();
        QTest::keyClicks(line, QStringLiteral("show live"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY(window.findChild<QDockWidget *>(QStringLiteral("dock_liveness"))->isVisible());
    }
    void closingWithChangesAsks()
    {
        MainWindow window(true);
        window.show();
        openSmall(window);
        QVERIFY(window.isWindowModified());
        answer(QMessageBox::Cancel);
        QVERIFY(!window.close());
        QVERIFY(window.session().document().save(m_folder.filePath(QStringLiteral("x.tilewright"))).ok());
        QVERIFY(!window.isWindowModified());
        QVERIFY(window.close());
    }
    void closingDuringARunAsksAndStops()
    {
        MainWindow window(true);
        window.show();
        openSmall(window);
        QVERIFY(window.session().document().setField(QStringLiteral("training.epochs"), QStringLiteral("500")).ok());
        QVERIFY(window.session().document().save(m_folder.filePath(QStringLiteral("y.tilewright"))).ok());
        window.action(QStringLiteral("run.train"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.session().runs().live().step > 0, 30000);
        answer(QMessageBox::Cancel);
        QVERIFY(!window.close());
        QVERIFY(window.session().runs().isActive());
        QTimer::singleShot(0, qApp, [] {
            auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            QVERIFY(box);
            for (auto *button : box->buttons())
                if (box->buttonRole(button) == QMessageBox::AcceptRole) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    return;
                }
        });
        QVERIFY(window.close());
        QVERIFY(!window.session().runs().isActive());
    }
    /// What the end of a desktop session does (SIGTERM): no question is asked, nothing is lost, in any state.
    void theSessionMayEndInAnyState_data()
    {
        QTest::addColumn<QString>("state");
        for (auto const *state :
             {"empty", "never saved", "changed", "estimating", "compiling", "starting", "running", "paused", "stopping", "report"})
            QTest::newRow(state) << QString::fromLatin1(state);
    }
    void theSessionMayEndInAnyState()
    {
        QFETCH(QString, state);
        QString const path = m_folder.filePath(QStringLiteral("end-%1.tilewright").arg(QString(state).remove(QLatin1Char(' '))));
        QString report;
        QStringList const before = views::Document::orphanedAutosaves();
        {
            MainWindow window(true);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            auto &document = window.session().document();
            auto &runs = window.session().runs();
            if (state != QLatin1String("empty")) openSmall(window);
            if (state != QLatin1String("empty") && state != QLatin1String("never saved")) {
                QVERIFY(document
                            .setField(QStringLiteral("training.epochs"),
                                      state == QLatin1String("report") ? QStringLiteral("1") : QStringLiteral("5000"))
                            .ok());
                QVERIFY(document.save(path).ok());
            }
            if (state == QLatin1String("changed")) QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("17")).ok());
            if (state == QLatin1String("estimating"))
                QVERIFY(document.setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("99")).ok());
            if (state == QLatin1String("compiling")) runs.compile();
            if (state == QLatin1String("starting") || state == QLatin1String("running") || state == QLatin1String("paused")
                || state == QLatin1String("stopping") || state == QLatin1String("report"))
                window.action(QStringLiteral("run.train"))->trigger();
            if (state == QLatin1String("running") || state == QLatin1String("paused") || state == QLatin1String("stopping")) {
                QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 0 && runs.state() == views::RunState::Running, 30000);
                report = runs.live().reportPath;
                QVERIFY(!report.isEmpty());
            }
            if (state == QLatin1String("paused")) {
                runs.pause();
                QTRY_VERIFY_WITH_TIMEOUT(runs.isPaused(), 10000);
            }
            if (state == QLatin1String("stopping")) runs.stopAfterStep();
            if (state == QLatin1String("report"))
                QTRY_VERIFY_WITH_TIMEOUT(window.session().report() && window.session().report()->isWhole(), 60000);
            window.quitNow();
            QVERIFY(!QApplication::activeModalWidget());
            QVERIFY(!window.isVisible());
        } // joins what still runs
        if (!report.isEmpty()) {
            // The run was stopped after a step: its report ends properly and opens.
            auto const snapshot = views::ReportSnapshot::open(report, {});
            QVERIFY2(snapshot.ok(), report.toLocal8Bit().constData());
            QVERIFY((*snapshot)->isWhole());
        }
        if (state == QLatin1String("changed")) {
            MainWindow again(true);
            QVERIFY(views::Document::hasRecovery(path));
            QVERIFY(again.session().document().recover(path).ok());
            QCOMPARE(again.session().document().field(QStringLiteral("training.epochs")), QStringLiteral("17"));
        }
        if (state == QLatin1String("never saved")) {
            QStringList left = views::Document::orphanedAutosaves();
            for (auto const &old : before) left.removeAll(old);
            QCOMPARE(left.size(), 1);
        }
    }
    void filesAreOpenedByDropping()
    {
        QString const path = m_folder.filePath(QStringLiteral("dropped.tilewright"));
        {
            MainWindow window(true);
            openSmall(window);
            QVERIFY(window.session().document().save(path).ok());
        }
        MainWindow window(true);
        window.show();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &drop);
        QTRY_COMPARE(window.session().document().path(), path);
    }
    /// What was open is known again by its picture, a report too.
    void aReportKeepsAPicture()
    {
        QString const file = m_folder.filePath(QStringLiteral("pictured.twreport"));
        {
            MainWindow window(true);
            openSmall(window);
            window.session().runs().compile();
            QTRY_COMPARE_WITH_TIMEOUT(window.session().runs().state(), views::RunState::Idle, 60000);
            QVERIFY(QFile::copy(window.session().runs().live().reportPath, file));
        }
        QVERIFY(keptPicture(file).isNull());
        MainWindow window(true);
        window.show();
        window.session().openReport(file);
        QTRY_VERIFY(!keptPicture(file).isNull());
        auto const picture = reportPicture(*window.session().report(), QSize(96, 56), 1).toImage();
        QSet<QRgb> colours;
        for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, picture.height() - views::kGap - 2));
        QVERIFY(colours.contains(views::theme()[views::Token::Compute].rgb()));
    }
    void filesAreOpenedInTurn()
    {
        QStringList files;
        {
            views::Session session;
            for (auto const *name : {"first.tilewright", "second.tilewright"}) {
                QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
                files << m_folder.filePath(QLatin1String(name));
                QVERIFY(session.document().save(files.back()).ok());
            }
        }
        MainWindow window(true);
        auto const &document = window.session().document();
        QSignalSpy opened(&document, &views::Document::opened);
        int const before = views::Document::accessesAtOnce();
        window.openFiles(files);
        QCOMPARE(document.path(), files[1]);
        QCOMPARE(opened.count(), 2);
        window.show();
        // While somebody else holds the file, the window goes on, but for what a person does; another start's file waits for its turn.
        bool inTime = false;
        std::atomic<bool> holds = false, release = false;
        std::thread holder([&] {
            sqlite3 *file = nullptr;
            sqlite3_open(files[0].toUtf8().constData(), &file);
            sqlite3_exec(file, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr);
            holds = true;
            while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            sqlite3_close(file);
        });
        while (!holds) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        QTimer::singleShot(200, &window, [&] {
            inTime = document.path() == files[1];
            window.openFiles({files[1]});
            QCOMPARE(document.path(), files[1]);
            release = true;
        });
        window.openFiles({files[0]});
        holder.join();
        QVERIFY(inTime);
        QTRY_COMPARE(opened.count(), 4);
        QCOMPARE(document.path(), files[1]);
        QCOMPARE(views::Document::accessesAtOnce(), before);
    }
    /// Whatever a dialog asks is about the project on show: what another start hands over comes behind it.
    void noProjectComesUnderADialog()
    {
        QString const path = m_folder.filePath(QStringLiteral("behind.tilewright"));
        MainWindow window(true);
        window.show();
        auto &document = window.session().document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(document.save(path).ok());
        document.close();
        QMessageBox box(&window);
        box.open();
        QTRY_COMPARE(QApplication::activeModalWidget(), &box);
        window.openFiles({path});
        QTest::qWait(600);
        QVERIFY(!document.isOpen());
        box.reject();
        QTRY_COMPARE(document.path(), path);
    }
    /// The program that waits for its first file: it can be seen, and it can be ended.
    void aProgramThatWaitsForItsFileCanBeEnded()
    {
        QString const path = m_folder.filePath(QStringLiteral("held.tilewright"));
        {
            views::Session session;
            QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
            QVERIFY(session.document().save(path).ok());
        }
        sqlite3 *file = nullptr;
        QCOMPARE(sqlite3_open(path.toUtf8().constData(), &file), SQLITE_OK);
        QCOMPARE(sqlite3_exec(file, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
        QProcess program;
        program.start(QStringLiteral(TILEWRIGHT_GUI_PROGRAM), {QStringLiteral("--new-instance"), path});
        QVERIFY(program.waitForStarted());
        QVERIFY(!program.waitForFinished(2000));
        program.terminate();
        bool const ended = program.waitForFinished(30000); // it may wait ten seconds for the file
        sqlite3_close(file);
        if (!ended) program.kill();
        QVERIFY(ended);
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 0);
    }
    void badFilesAreToldAndChangeNothing()
    {
        MainWindow window(true);
        window.show();
        openSmall(window);
        QVERIFY(window.session().document().save(m_folder.filePath(QStringLiteral("good.tilewright"))).ok());
        QString const bad = m_folder.filePath(QStringLiteral("bad.twreport"));
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(5000, 'x'));
        file.close();
        auto *bar = window.findChild<MessageBar *>();
        window.openFiles({bad});
        QTRY_VERIFY(bar->isVisible());
        QVERIFY(bar->text().contains(QLatin1String("bad.twreport")));
        QVERIFY(window.session().document().isOpen());
    }
    /// What a run takes the place of is said while it can be had back, and going on is an action of its own.
    void aRunThatReplacesWeightsSaysSoAndTrainingCanBeContinued()
    {
        MainWindow window(true);
        window.resize(1500, 950);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        openSmall(window);
        auto &session = window.session();
        auto &runs = session.runs();
        auto *run = window.action(QStringLiteral("run.train")), *goOn = window.action(QStringLiteral("run.continue"));
        auto *bar = window.findChild<MessageBar *>();
        QVERIFY(run && goOn && !goOn->isEnabled());
        run->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), views::RunState::Idle, 60000);
        QVERIFY(!bar->isVisible());
        QTRY_VERIFY(goOn->isEnabled());
        goOn->trigger(); // one epoch was all
        QTRY_VERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QLatin1String("from the end of epoch 1")), qPrintable(bar->text()));
        QCOMPARE(runs.state(), views::RunState::Idle);
        QVERIFY(session.document().setField(QStringLiteral("training.epochs"), QStringLiteral("100000")).ok());
        QTRY_VERIFY(!bar->isVisible()); // its cause is gone
        run->trigger();
        QVERIFY(!goOn->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 60000);
        QVERIFY2(bar->text().startsWith(QLatin1String("This training starts from the beginning"))
                     && bar->text().contains(QLatin1String("those of epoch 1")),
                 qPrintable(bar->text()));
        auto *button = bar->findChild<QPushButton *>();
        QCOMPARE(button->text(), QStringLiteral("Continue training"));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(runs.isActive() && runs.live().firstStep > 0 && runs.live().step > runs.live().firstStep, 60000);
        QVERIFY(!bar->isVisible());
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), views::RunState::Idle, 60000);
    }
    void helpOnAFieldOpensItsReferencePage()
    {
        MainWindow window(true);
        window.resize(1500, 950);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        openSmall(window);
        QSignalSpy asked(&window.session(), &views::Session::helpRequested);
        auto const helpOn = [&](QString const &path) {
            asked.clear();
            for (auto *row : window.findChildren<views::PropertyRow *>())
                if (row->spec().path == path && row->isVisible()) {
                    row->editor().input()->setFocus();
                    QCoreApplication::processEvents();
                    if (QApplication::focusWidget() != row->editor().input()) continue;
                    window.action(QStringLiteral("help.contents"))->trigger();
                    return asked.isEmpty() ? QString() : asked.last().first().toString();
                }
            return QStringLiteral("no such field");
        };
        window.activateWindow();
        window.showView(QStringLiteral("inspector"));
        window.session().selection().selectLayer(QStringLiteral("dense"));
        QTRY_COMPARE(helpOn(QStringLiteral("model.layers.dense.units")), QStringLiteral("layer:Dense"));
        window.showView(QStringLiteral("plan"));
        QTRY_COMPARE(helpOn(QStringLiteral("training.optimizer.learning_rate")), QStringLiteral("optimizer:RMSprop"));
        window.showView(QStringLiteral("config"));
        QTRY_COMPARE(helpOn(QStringLiteral("ipu_config.auto_select_ipus")), QStringLiteral("option:ipu_config.auto_select_ipus"));
    }
    void theSelectionReachesEveryVisibleViewAtOnce()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        openSmall(window);
        window.session().runs().compile();
        QTRY_VERIFY_WITH_TIMEOUT(window.session().report() && window.session().report()->isWhole(), 60000);
        window.applyLayout(QStringLiteral("analyse"));
        QTest::qWait(300);
        QElapsedTimer clock;
        qint64 worst = 0;
        for (auto const *layer : {"dense", "dense_1", "dense_2", "dense"}) {
            clock.restart();
            window.session().selection().selectLayer(QLatin1String(layer));
            QCoreApplication::processEvents();
            worst = std::max(worst, clock.elapsed());
            // One turn of the event loop: nothing is left for later.
            QVERIFY2(headlineOf(window, "inspector").contains(QLatin1String(layer)), qPrintable(headlineOf(window, "inspector")));
            QCOMPARE(window.session().selection().current().name, QLatin1String(layer));
        }
        qInfo("slowest highlight in all visible views: %lld ms", static_cast<long long>(worst));
        QTRY_VERIFY(Lineage_count(window) > 0); // a job brings it
    }

private:
    static QString headlineOf(MainWindow &window, char const *view)
    {
        for (auto const *each : window.findChildren<views::View *>())
            if (each->id() == QLatin1String(view) && each->isVisible()) return each->headline();
        return {};
    }
    static int Lineage_count(MainWindow &window) { return views::Lineage::count(window.session().selection().lineage().tiles); }
};

TW_REGISTER_TEST(TstMainWindow);
#include "tst_main_window.moc"
