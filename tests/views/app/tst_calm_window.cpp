#include "app/gui/main_window.h"
#include "resources/resources.h"
#include "tests/support/kept_report.h"
#include "tests/support/test_registry.h"
#include "tests/views/app/open_small.h"
#include "views/common/steady_label.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/session/view.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QLabel>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QUndoStack>
#include <QtTest>

#include <cstdlib>
#include <utility>

using namespace tilewright;
using namespace tilewright::app;
using tests::openSmall;
using views::RunMode;
using views::RunState;

/// What is under the pointer stays where it is, and no word is cut, whatever else happens in the window.
class TstCalmWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
    }
    void nothingMovesUnderThePointer()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        openSmall(window, QStringLiteral("1"));
        auto &session = window.session();
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        // Places of tables, plots, cards and buttons, by object.
        auto const places = [](QWidget *view) {
            QHash<QWidget *, QRect> found;
            for (auto *child : view->findChildren<QWidget *>())
                if (child->isVisible() && !child->visibleRegion().isEmpty() // what is scrolled out of sight is not under the pointer
                    && (qobject_cast<QAbstractScrollArea *>(child) || qobject_cast<QAbstractButton *>(child)
                        || child->inherits("tilewright::views::ColumnChart") || child->inherits("tilewright::views::LanesWidget")))
                    found.insert(child, QRect(child->mapTo(view, QPoint()), child->size()));
            return found;
        };
        auto const moved = [&](QHash<QWidget *, QRect> const &before, QWidget *view, int tolerance = 0) {
            QStringList names;
            auto const now = places(view);
            for (auto it = before.begin(); it != before.end(); ++it)
                if (now.contains(it.key())
                    && (std::abs(now[it.key()].y() - it.value().y()) > tolerance
                        || std::abs(now[it.key()].height() - it.value().height()) > tolerance || now[it.key()].x() != it.value().x()
                        || now[it.key()].width() != it.value().width()))
                    names << QStringLiteral("%1 (%6) %2,%3 → %4,%5")
                                 .arg(QLatin1String(it.key()->metaObject()->className()))
                                 .arg(it.value().y())
                                 .arg(it.value().height())
                                 .arg(now[it.key()].y())
                                 .arg(now[it.key()].height())
                                 .arg(it.key()->parentWidget()->metaObject()->className());
            return names.join(QStringLiteral("; "));
        };
        QStringList all;
        for (auto const *id : {"summary", "memory", "liveness", "operations", "program", "execution", "insights", "training"}) {
            auto *view = window.showView(QLatin1String(id));
            QTRY_VERIFY(view->isSettled());
            auto before = places(view);
            QTRY_VERIFY2(std::exchange(before, (QTest::qWait(100), places(view))) == places(view), id); // all of it has come
            QVERIFY2(!before.isEmpty(), id);
            QVERIFY(session.document().setField(QStringLiteral("training.batch_size"), QStringLiteral("64")).ok());
            QTRY_COMPARE(view->state().kind, views::ViewState::Stale);
            QTest::qWait(50);
            if (!moved(before, view).isEmpty()) all << QLatin1String(id) + QStringLiteral(", stale: ") + moved(before, view);
            session.document().undoStack().undo();
            QTRY_VERIFY(view->state().kind != views::ViewState::Stale);
            session.selection().selectIds(views::SelectionKind::Tile, {3});
            QTRY_VERIFY(!session.selection().isTracing());
            QTRY_VERIFY(view->isSettled());
            QTest::qWait(50);
            if (!moved(before, view).isEmpty()) all << QLatin1String(id) + QStringLiteral(", a tile: ") + moved(before, view);
            session.selection().clear();
            QTest::qWait(10);
        }
        // A run starts. On a slow machine its figures are longer, and a line of facts may wrap: two lines at most, once.
        constexpr int kLines = 32;
        QVERIFY(session.document().setField(QStringLiteral("training.epochs"), QStringLiteral("200")).ok());
        auto *training = window.showView(QStringLiteral("training"));
        QTRY_VERIFY(training->isSettled());
        auto before = places(training);
        QTRY_VERIFY(std::exchange(before, (QTest::qWait(100), places(training))) == places(training));
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.runs().live().step > 20, 60000);
        QTest::qWait(200);
        for (int i = 0; i < 60 && !moved(before, training, kLines).isEmpty(); ++i)
            QTest::qWait(100); // figures of the new report are still read
        if (!moved(before, training, kLines).isEmpty()) all << QStringLiteral("a run: ") + moved(before, training, kLines);
        auto *progress = training->findChild<views::SteadyLabel *>(QStringLiteral("runProgress"));
        QVERIFY(progress);
        progress->setText(QString(30, u'0').repeated(10)); // a slow machine has more to say
        QTest::qWait(20);
        for (int i = 0; i < 60 && !moved(before, training, kLines).isEmpty(); ++i) QTest::qWait(100); // the same
        if (!moved(before, training, kLines).isEmpty()) all << QStringLiteral("a long progress: ") + moved(before, training, kLines);
        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 20000);
        QVERIFY2(all.isEmpty(), qPrintable(all.join(u'\n')));
    }
    /// Panels of Training have their places from the start of the first run.
    void theFirstStepMovesNoPanel()
    {
        MainWindow window(true);
        window.resize(1600, 1000);
        window.show();
        openSmall(window, QStringLiteral("200"));
        auto *training = window.showView(QStringLiteral("training"));
        auto &session = window.session();
        QHash<QWidget *, QRect> before;
        auto const cards = [&] {
            QHash<QWidget *, QRect> found;
            for (auto *frame : training->findChildren<QFrame *>())
                if (frame->property("role") == QLatin1String("card") && frame->isVisible()) found.insert(frame, frame->geometry());
            return found;
        };
        session.runs().train(RunMode::Fused);
        QCOMPARE(session.runs().state(), RunState::Compiling);
        QTest::qWait(20);
        do {
            before = cards();
            QTest::qWait(5);
        } while (session.runs().state() == RunState::Compiling && session.runs().live().step == 0);
        QVERIFY(before.size() >= 5);
        QTRY_VERIFY_WITH_TIMEOUT(session.runs().live().step > 20, 60000);
        QTest::qWait(300);
        auto const now = cards();
        for (auto it = before.begin(); it != before.end(); ++it) {
            QVERIFY(now.contains(it.key()));
            QCOMPARE(now[it.key()].x(), it.value().x());
            QCOMPARE(now[it.key()].width(), it.value().width());
        }
        QCOMPARE(now.size(), before.size());
        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 20000);
    }
    /// The line above a body says what the body is about while there is nothing else to say there, with a project and without one, at the
    /// same place.
    void theLineAboveTheBodyIsUsed()
    {
        QTemporaryDir folder;
        QString const path = tests::unpackKeptReport(folder.path());
        QHash<QString, int> tops;
        for (bool const withProject : {false, true}) {
            MainWindow window(true);
            window.resize(1600, 1000);
            window.show();
            if (withProject) openSmall(window, QStringLiteral("1"));
            auto &session = window.session();
            session.openReport(path);
            QTRY_VERIFY(session.report() && session.report()->isWhole());
            for (auto const *id : {"summary", "memory", "liveness", "operations", "program", "insights"}) {
                auto *view = window.showView(QLatin1String(id));
                QTRY_VERIFY(view->isSettled());
                auto const line = [&]() -> QLabel * {
                    for (auto *label : view->findChildren<QLabel *>())
                        if (label->accessibleName() == QStringLiteral("Note") && label->isVisible()) return label;
                    return nullptr;
                };
                auto const said = QStringLiteral("Report: ") + session.report()->title();
                if (view->state().kind == views::ViewState::Ready)
                    QTRY_VERIFY2(line() && line()->text().contains(said),
                                 qPrintable(QLatin1String(id) + QStringLiteral(": ") + (line() ? line()->text() : QString())));
                int body = 0; // the first widget below the line
                for (auto *child : view->findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
                    if (child->isVisible() && child->height() > view->height() / 3) body = child->mapTo(view, QPoint()).y();
                QVERIFY(body > 0);
                if (withProject) QCOMPARE(body, tops.value(QLatin1String(id)));
                else tops.insert(QLatin1String(id), body);
            }
        }
    }
    /// The strip gives up whole parts where it has no room: no word of it is cut.
    void theStripGivesUpWholeParts()
    {
        MainWindow window(true);
        window.show();
        openSmall(window, QStringLiteral("1"));
        auto &session = window.session();
        session.runs().train(RunMode::Fused);
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        auto const times = [&]() -> views::SteadyLabel * {
            for (auto *label : window.statusBar()->findChildren<QLabel *>())
                if (label->accessibleName() == QStringLiteral("Times")) return dynamic_cast<views::SteadyLabel *>(label->parentWidget());
            return nullptr;
        };
        QVERIFY(times());
        for (int const width : {2400, 1100, 900}) {
            window.resize(width, 900);
            QTRY_VERIFY2(!times()->label().text().contains(QChar(0x2026)), qPrintable(times()->label().text()));
            QVERIFY(times()->toolTip().contains(QStringLiteral("times as long as the device")));
            if (width == 2400) QTRY_VERIFY2(times()->text().contains(QStringLiteral("host ")), qPrintable(times()->text()));
        }
    }
};

TW_REGISTER_TEST(TstCalmWindow);
#include "tst_calm_window.moc"
