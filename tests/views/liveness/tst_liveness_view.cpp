#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "tests/views/memory/shown_view.h"
#include "views/liveness/life_bars.h"
#include "views/liveness/liveness_widget.h"
#include "views/session/selection.h"
#include "views/tiles/column_chart.h"
#include "views/tiles/column_painter.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

struct Shown : tests::ShownView<LivenessWidget> {
    using ShownView::ShownView;
    ColumnChart &chart() { return *view.findChild<ColumnChart *>(); }
    QPoint at(int step) { return {chart().pixelOf(step), chart().plotRect().center().y()}; }
    QTabWidget &tables() { return *view.findChild<QTabWidget *>(); }
    QTreeView &tree() { return *tables().currentWidget()->findChild<QTreeView *>(); }
    QToolButton *button(QString const &text)
    {
        for (auto *found : view.findChildren<QToolButton *>())
            if (found->text() == text) return found;
        return nullptr;
    }
    void clickRow(int row) { QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, tree().visualRect(tree().model()->index(row, 0)).center()); }
};

} // namespace

class TstLivenessView : public QObject {
    Q_OBJECT
private slots:
    void opensAtThePeakAndNamesIt()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        int const peak = report->liveCurve("all", 0)->peakStep;
        QCOMPARE(shown.view.step(), peak);
        QVERIFY(shown.view.headline().contains(QStringLiteral("peak at liveness step %1").arg(peak)));
        QCOMPARE(shown.view.picture().peak, report->liveCurve("all", 0)->peak);
        QVERIFY(shown.tree().model()->rowCount() > 10);
    }

    void inALowWindowTheChartGivesWayToTheTable()
    {
        Shown shown(tests::compiledReport());
        shown.session.setBaseline(tests::compiledReport("gc200:tiles=16"));
        shown.view.resize(920, 520);
        shown.view.refreshNow();
        auto const *page = shown.view.findChild<QScrollArea *>();
        QTRY_COMPARE(page->verticalScrollBar()->maximum(), 0);
        QVERIFY2(shown.tree().viewport()->height() >= 4 * kCompactRow, qPrintable(QString::number(shown.tree().viewport()->height())));
    }

    void swatchesHaveTheColoursOfTheChart()
    {
        Shown shown(tests::compiledReport());
        std::map<QString, QColor> chart;
        for (auto const &band : shown.view.picture().bands) chart[band.key.name] = bandColor(ColumnBand{{}, band.key.token, band.key.shade, false, {}, true}, theme());
        auto const *model = shown.tree().model();
        std::set<QString> compared;
        for (int row = 0; row < model->rowCount(); ++row) {
            QString const role = model->index(row, 3).data().toString();
            if (auto const known = chart.find(role); known != chart.end()) {
                QCOMPARE(model->index(row, 0).data(Qt::DecorationRole).value<QColor>().name(), known->second.name());
                compared.insert(role);
            }
        }
        QVERIFY2(compared.size() >= 3 && compared.contains(QStringLiteral("messages")), qPrintable(QStringList(compared.begin(), compared.end()).join(QLatin1Char(','))));
    }

    void aClickLocksTheStepForAllViewsAndCtrlClickComparesIt()
    {
        Shown shown(tests::compiledReport());
        QTest::mouseClick(&shown.chart(), Qt::LeftButton, {}, shown.at(5));
        QCOMPARE(shown.session.selection().current().kind, SelectionKind::LivenessStep);
        QCOMPARE(shown.session.selection().current().ids, std::vector<int>{5});
        QVERIFY(shown.says(QStringLiteral("Liveness step 5:")));
        QTest::mouseClick(&shown.chart(), Qt::LeftButton, Qt::ControlModifier, shown.at(20));
        QCOMPARE(shown.view.secondStep(), 20);
        QCOMPARE(shown.view.step(), 5);
        QCOMPARE(shown.tables().tabText(shown.tables().currentIndex()), QStringLiteral("Difference 5 → 20"));
        QVERIFY(shown.tree().model()->rowCount() > 0);
    }

    void keysGoThroughStepsAndPeaks()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        auto &chart = shown.chart();
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_Home);
        QCOMPARE(shown.view.step(), 0);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(shown.view.step(), 1);
        QTest::keyClick(&chart, Qt::Key_Left);
        QTest::keyClick(&chart, Qt::Key_Left); // the first step stays
        QCOMPARE(shown.view.step(), 0);
        QTest::keyClick(&chart, Qt::Key_P);
        auto peaks = shown.view.picture().peaks;
        std::sort(peaks.begin(), peaks.end());
        QCOMPARE(shown.view.step(), peaks[peaks[0] == 0 ? 1 : 0]);
        QTest::keyClick(&chart, Qt::Key_End);
        QCOMPARE(shown.view.step(), static_cast<int>(report->data().livenessSteps.size()) - 1);
        QTest::keyClick(&chart, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(std::find(peaks.begin(), peaks.end(), shown.view.step()) != peaks.end());
    }

    void aRowSelectsItsVariableAndShowsItsLife()
    {
        Shown shown(tests::compiledReport());
        shown.clickRow(1);
        QCOMPARE(shown.session.selection().current().kind, SelectionKind::Variable);
        auto const variable = shown.session.selection().current().ids.front();
        QTRY_VERIFY(!shown.view.findChild<LifeBars *>()->bars().empty());
        QTRY_COMPARE(shown.view.findChild<LifeBars *>()->bars().front().variable, variable);
        QTRY_VERIFY(shown.says(QStringLiteral("1 of ")));
    }

    void leavingVariablesOutLowersTheCurveAndBringingThemBackRestoresIt()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        auto const before = shown.view.picture().peak;
        // The largest variable at the peak (rows of the compiler's bytes cannot be left out).
        int row = 0;
        while (row < shown.tree().model()->rowCount() && !shown.tree().model()->index(row, 0).data().toString().contains(QLatin1Char('/'))) ++row;
        shown.clickRow(row);
        QTest::keyClick(&shown.tree(), Qt::Key_Delete);
        shown.settle();
        QVERIFY(shown.view.picture().peak < before);
        QVERIFY(shown.says(QStringLiteral("Without 1 variables")));
        QTest::mouseClick(shown.button(QStringLiteral("Bring back")), Qt::LeftButton);
        shown.settle();
        QCOMPARE(shown.view.picture().peak, before);
    }

    void aLayerOpensToItsVariables()
    {
        Shown shown(tests::compiledReport());
        auto *by = shown.view.findChildren<QComboBox *>()[1];
        by->setCurrentIndex(by->findData(QStringLiteral("layer")));
        shown.settle();
        auto const &picture = shown.view.picture();
        auto const dense = std::find_if(picture.bands.begin(), picture.bands.end(), [](auto const &band) { return band.key.name == QLatin1String("dense"); });
        QVERIFY(dense != picture.bands.end());
        emit shown.chart().bandClicked(static_cast<int>(dense - picture.bands.begin()));
        shown.settle();
        QVERIFY(std::any_of(shown.view.picture().bands.begin(), shown.view.picture().bands.end(), [](auto const &band) { return band.key.name == QLatin1String("dense/kernel"); }));
        emit shown.chart().bandClicked(0);
        shown.settle();
        QVERIFY(std::none_of(shown.view.picture().bands.begin(), shown.view.picture().bands.end(), [](auto const &band) { return band.variable >= 0; }));
    }

    void aStepChosenElsewhereIsShown()
    {
        Shown shown(tests::compiledReport());
        shown.session.selection().selectIds(SelectionKind::LivenessStep, {7});
        QTRY_COMPARE(shown.view.step(), 7);
        shown.session.selection().selectLayer(QStringLiteral("dense_1"));
        QTRY_VERIFY(shown.says(QStringLiteral("Layer dense_1")));
        QVERIFY(!shown.chart().marks().marked.empty());
    }

    void peaksAreListedAndLeadThere()
    {
        Shown shown(tests::compiledReport());
        shown.tables().setCurrentIndex(4);
        QVERIFY(shown.tree().model()->rowCount() >= 2);
        shown.clickRow(1);
        QCOMPARE(shown.view.step(), shown.view.picture().peaks[1]);
    }

    void exportsHoldTheCurve()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        auto const table = shown.view.exportTables().front();
        auto const curve = *report->liveCurve("all", 0);
        QCOMPARE(table.rows.size(), static_cast<qsizetype>(curve.notAlwaysLive.size()));
        for (qsizetype s = 0; s < table.rows.size(); ++s) QCOMPARE(table.rows[s][2].toLongLong(), curve.alwaysLive + curve.notAlwaysLive[static_cast<std::size_t>(s)]);
    }

    void statesAreKeptAndSmallWindowsScroll()
    {
        Shown shown(tests::compiledReport(), {420, 300});
        QVERIFY(shown.view.minimumSizeHint().width() <= 420);
        shown.view.restoreState({{QStringLiteral("by"), QStringLiteral("layer")}, {QStringLiteral("cycles"), true}, {QStringLiteral("table"), 4}});
        shown.settle();
        auto const state = shown.view.saveState();
        QCOMPARE(state.value(QStringLiteral("by")).toString(), QStringLiteral("layer"));
        QVERIFY(!shown.view.picture().scene->axis.edges.empty());
    }

    /// The room in a window of 1366 x 768, and of 1024 x 700, where the view scrolls: rows, not the head of a table alone.
    void tablesShowRowsInSmallWindows()
    {
        for (QSize const size : {QSize(960, 560), QSize(690, 440)}) {
            Shown shown(tests::compiledReport());
            shown.view.resize(size);
            QCoreApplication::processEvents();
            auto &tree = shown.tree();
            int const row = tree.visualRect(tree.model()->index(0, 0)).height();
            QVERIFY2(tree.viewport()->height() >= 4 * row, qPrintable(QStringLiteral("%1 of %2").arg(tree.viewport()->height()).arg(row)));
        }
    }

    void withoutAReportTheViewSaysWhatWouldFillIt()
    {
        Shown shown(nullptr);
        QVERIFY(shown.says(QStringLiteral("Open a report")));
    }
};

TW_REGISTER_TEST(TstLivenessView);
#include "tst_liveness_view.moc"
