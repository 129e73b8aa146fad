#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/table_model.h"
#include "views/session/selection.h"
#include "views/session/view.h"
#include "views/subjects/links.h"
#include "views/summary/summary_view.h"
#include "views/widgets/stacked_bar.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QScrollArea>
#include <QToolButton>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

class TstSummaryView : public QObject {
    Q_OBJECT
private slots:
    void everyFigureLeadsSomewhere()
    {
        Session session;
        std::unique_ptr<View> view(summaryView().create(session, nullptr));
        view->resize(900, 700);
        view->show();
        session.showReport(tests::compiledReport());
        view->refreshNow();
        QCoreApplication::processEvents(); // layouts show their new children
        QVERIFY(view->headline().startsWith(QLatin1String("Fits")));
        QSignalSpy asked(&session, &Session::viewRequested);
        int links = 0;
        for (auto *link : view->findChildren<LinkLabel *>()) {
            if (link->target().isNull() || !link->isVisible()) continue;
            link->follow();
            ++links;
            QCOMPARE(asked.size(), links);
            QCOMPARE(asked.last().first().toString(), link->target().view);
            if (link->target().selected.kind != SelectionKind::None) QCOMPARE(session.selection().current(), link->target().selected);
        }
        QVERIFY(links > 15);
    }

    void narrowWindowsCutNothingAtTheSide()
    {
        Session session;
        std::unique_ptr<View> view(summaryView().create(session, nullptr));
        view->resize(640, 600);
        view->show();
        session.showReport(tests::compiledReport());
        session.setBaseline(tests::compiledReport("gc200:tiles=16"));
        view->refreshNow();
        auto const *page = view->findChild<QScrollArea *>();
        QVERIFY(page && page->widget());
        QTRY_VERIFY2(page->widget()->width() <= page->viewport()->width(),
                     qPrintable(QStringLiteral("%1 in %2").arg(page->widget()->width()).arg(page->viewport()->width())));
    }

    void theHeadIsShownAtOnceAndFilledLater()
    {
        auto const report = tests::compiledReport();
        Session session;
        std::unique_ptr<View> view(summaryView().create(session, nullptr));
        view->resize(900, 700);
        view->show();
        tests::SpentTime const spent;
        auto const head = ReportSnapshot::openHead(report->path());
        QVERIFY(head.ok());
        session.showReport(*head);
        view->refreshNow();
        QVERIFY2(spent.below(300), spent.text().c_str());
        QVERIFY(view->headline().startsWith(QLatin1String("Fits")));
        session.showReport(report);
        view->refreshNow();
        QVERIFY(view->headline().startsWith(QLatin1String("Fits")));
    }

    void changedOnlyHidesDefaults()
    {
        Session session;
        std::unique_ptr<View> view(summaryView().create(session, nullptr));
        view->resize(900, 700);
        view->show();
        auto const report = tests::compiledReport();
        session.showReport(report);
        view->refreshNow();
        auto const panes = view->findChildren<TablePane *>();
        QCOMPARE(panes.size(), 2);
        auto *options = panes.first();
        QAbstractItemModelTester const tester(&options->model());
        int changed = 0;
        for (auto const &option : report->data().options) changed += !option.defaultValue || option.value != *option.defaultValue;
        QCOMPARE(options->proxy().rowCount(), changed);
        // The plan's fields have defaults too: unset fields are not among the changed ones.
        for (auto const &option : report->data().options)
            if (option.scope == "training")
                QVERIFY2(option.defaultValue && (option.source == "default") == (option.value == *option.defaultValue),
                         option.name.c_str());
        auto *box = view->findChild<QCheckBox *>();
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(6, box->height() / 2));
        QCOMPARE(options->proxy().rowCount(), static_cast<int>(report->data().options.size()));
    }

    void copyGivesMarkdown()
    {
        Session session;
        std::unique_ptr<View> view(summaryView().create(session, nullptr));
        view->show();
        session.showReport(tests::compiledReport());
        view->refreshNow();
        for (auto *button : view->findChildren<QToolButton *>())
            if (button->toolTip().contains(QLatin1String("Markdown"))) QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().contains(QLatin1String("| Worst tile |")));
    }

    void aBaselineBringsItsValuesAndDifferences()
    {
        Session session;
        std::unique_ptr<View> view(summaryView().create(session, nullptr));
        view->show();
        session.showReport(tests::compiledReport("gc200:tiles=16"));
        session.setBaseline(tests::compiledReport("gc200:tiles=8"));
        view->refreshNow();
        bool said = false;
        for (auto *label : view->findChildren<QLabel *>()) said = said || label->text().startsWith(QLatin1String("was "));
        QVERIFY(said);
        // Unchanged values are shown once.
        bool same = false;
        for (auto *label : view->findChildren<QLabel *>()) {
            same = same || label->text() == QLatin1String("as before");
            QVERIFY2(!label->text().startsWith(QLatin1String("was ")) || !label->text().endsWith(QLatin1String(": same")),
                     qPrintable(label->text()));
        }
        QVERIFY(same);
        bool differs = false;
        for (auto const &table : view->exportTables()) differs = differs || table.columns.contains(QStringLiteral("Baseline"));
        QVERIFY(differs);
    }

    void clickingABarSelectsItsIpuAndTheSelectionMarksIt()
    {
        Session session;
        std::unique_ptr<View> view(summaryView().create(session, nullptr));
        view->resize(900, 700);
        view->show();
        session.showReport(tests::compiledReport("pod4:tiles=8,ipus=2"));
        view->refreshNow();
        auto *bars = view->findChild<StackedBars *>();
        QVERIFY(bars && bars->bars().size() == 2);
        QTest::mouseClick(bars, Qt::LeftButton, {}, bars->barRect(1).center().toPoint());
        QCOMPARE(session.selection().current().kind, SelectionKind::Ipu);
        QCOMPARE(session.selection().current().ids, std::vector<int>{1});
    }

    void withoutAReportANoteIsShown()
    {
        Session session;
        std::unique_ptr<View> view(summaryView().create(session, nullptr));
        view->show();
        view->refreshNow();
        QVERIFY(view->headline().contains(QLatin1String("No report")));
        QVERIFY(view->exportTables().isEmpty());
    }
};

TW_REGISTER_TEST(TstSummaryView);
#include "tst_summary_view.moc"
