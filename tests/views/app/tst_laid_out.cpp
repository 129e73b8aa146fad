#include "app/gui/main_window.h"
#include "app/gui/status_strip.h"
#include "resources/resources.h"
#include "tests/support/kept_report.h"
#include "tests/support/test_registry.h"
#include "tests/views/app/shown_window.h"
#include "views/common/theme.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"
#include "views/session/view.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::app;

namespace {

class Probe : public QWidget {
public:
    int paints = 0;

protected:
    void paintEvent(QPaintEvent *) override { ++paints; }
};

} // namespace

/// A page appears laid out: nothing is painted before its layout, and a page without figures has no empty cards.
class TstLaidOut : public QObject, private ShownWindow {
    Q_OBJECT
private slots:
    void initTestCase() { prepare(); }

    /// A progress bar that paints at once paints with it what a layout has not placed yet.
    void progressPaintsNothingElse()
    {
        views::Session session;
        QMainWindow window;
        auto *probe = new Probe;
        window.setCentralWidget(probe);
        int before = 0, atOnce = 0;
        connect(&session.jobs(), &views::JobRunner::changed, probe, [&] {
            probe->update();
            before = probe->paints;
        });
        auto *strip = new StatusStrip(session, &window);
        window.setStatusBar(strip);
        connect(&session.jobs(), &views::JobRunner::changed, probe, [&] { atOnce += probe->paints - before; });
        window.resize(1200, 300);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        bool done = false;
        session.jobs().compute<int>(
            &window, views::JobKind::Tune, {},
            [](JobContext const &job) -> Result<int> {
                for (int i = 1; i <= 20; ++i) {
                    job.report("Trial compiles", i / 20.0);
                    QThread::msleep(60); // more than the interval of reports
                }
                return 1;
            },
            [&](Result<int> const &) { done = true; });
        int most = 0;
        QTRY_VERIFY_WITH_TIMEOUT((most = std::max(most, window.findChild<QProgressBar *>()->value()), done), 20000);
        QVERIFY2(most > 300, qPrintable(QString::number(most)));
        QCOMPARE(atOnce, 0);
    }
    /// While only the head of a report is read, Summary has its figures, and other views have reserved space instead of empty parts.
    void viewsWithoutFiguresShowNoEmptyParts()
    {
        QTemporaryDir folder;
        QString const path = tests::unpackKeptReport(folder.path());
        auto const head = views::ReportSnapshot::openHead(path);
        QVERIFY(head.ok() && !(*head)->isWhole());
        MainWindow window(true);
        window.resize(1440, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.session().showReport(*head);
        for (auto const *id : {"memory", "liveness", "operations", "program", "execution"}) {
            auto *view = window.showView(QLatin1String(id));
            settle(window);
            QCOMPARE(view->state().kind, views::ViewState::Running);
            for (auto *part : view->findChildren<QAbstractScrollArea *>()) QVERIFY2(!part->isVisible(), id);
        }
        auto *summary = window.showView(QStringLiteral("summary"));
        settle(window);
        QCOMPARE(summary->state().kind, views::ViewState::Running);
        QVERIFY(summary->headline().startsWith(QStringLiteral("Fits")));
        QTRY_VERIFY([&] { // the words come only if it takes long
            auto *view = window.showView(QStringLiteral("memory"));
            for (auto *label : view->findChildren<QLabel *>())
                if (label->isVisible() && label->text().startsWith(QStringLiteral("Reading the report"))) return true;
            return false;
        }());
        window.session().openReport(path);
        QTRY_VERIFY(window.session().report()->isWhole());
        auto *memory = window.showView(QStringLiteral("memory"));
        QTRY_VERIFY(memory->state().kind != views::ViewState::Running);
        QTRY_VERIFY(std::ranges::any_of(memory->findChildren<QAbstractScrollArea *>(), [](auto *part) { return part->isVisible(); }));
    }
    /// The panels at the left keep their shares when the window becomes small.
    void panelsOfTheLeftShrinkTogether()
    {
        MainWindow window(true);
        open(window, {1600, 1000});
        auto const share = [&] {
            double const outline = dock(window, "outline")->height(), all = outline + dock(window, "palette")->height();
            return outline / all;
        };
        QVERIFY2(share() > 0.5, qPrintable(QString::number(share())));
        window.resize(1280, 800);
        settle(window);
        QTRY_VERIFY2(share() > 0.5, qPrintable(QString::number(share())));
        window.resize(1600, 1200);
        settle(window);
        QTRY_VERIFY2(share() > 0.45 && share() < 0.65, qPrintable(QString::number(share())));
    }
};

TW_REGISTER_TEST(TstLaidOut);
#include "tst_laid_out.moc"
