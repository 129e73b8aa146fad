#include "engine/report/quantities.h"
#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "tests/views/memory/shown_view.h"
#include "views/common/format.h"
#include "views/liveness/life_bars.h"
#include "views/liveness/live_steps.h"
#include "views/liveness/liveness_widget.h"
#include "views/session/selection.h"
#include "views/tiles/column_chart.h"
#include "views/tiles/column_overview.h"
#include "views/tiles/column_painter.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
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
    QLineEdit *filter()
    {
        for (auto *found : view.findChildren<QLineEdit *>())
            if (found->accessibleName() == QLatin1String("Filter of steps by name")) return found;
        return nullptr;
    }
    void clickRow(int row)
    {
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, tree().visualRect(tree().model()->index(row, 0)).center());
    }
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
        QVERIFY(shown.view.headline().contains(QStringLiteral("Peak at liveness step %1").arg(peak)));
        QCOMPARE(shown.view.picture().peak, report->liveCurve("all", 0)->peak);
        QVERIFY(shown.tree().model()->rowCount() > 10);
    }

    /// Code is code in the headline of Liveness, as in Memory and Summary: of vertices, exchanges and control together.
    void codeInTheHeadlineIsAllCode()
    {
        auto const report = tests::compiledReport("gc200");
        Shown shown(report);
        auto const code = static_cast<double>(report::codeOnTiles(report->data()));
        QString const words = QStringLiteral("%1 code").arg(shareText(code / static_cast<double>(report->liveCurve("all", 0)->peak)));
        QTRY_VERIFY2(shown.view.headline().contains(words), qPrintable(shown.view.headline() + QStringLiteral(" / ") + words));
    }

    void inLowWindowsTheChartShrinksBeforeTheTable()
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
        for (auto const &band : shown.view.picture().bands)
            chart[band.key.name] = bandColor(ColumnBand{{}, band.key.token, band.key.shade, {}, true}, theme());
        auto const *model = shown.tree().model();
        std::set<QString> compared;
        for (int row = 0; row < model->rowCount(); ++row) {
            QString const role = model->index(row, 3).data().toString();
            if (auto const known = chart.find(role); known != chart.end()) {
                QCOMPARE(model->index(row, 0).data(Qt::DecorationRole).value<QColor>().name(), known->second.name());
                compared.insert(role);
            }
        }
        QVERIFY2(compared.size() >= 3 && compared.contains(QStringLiteral("messages")),
                 qPrintable(QStringList(compared.begin(), compared.end()).join(QLatin1Char(','))));
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
        while (row < shown.tree().model()->rowCount() && !shown.tree().model()->index(row, 0).data().toString().contains(QLatin1Char('/')))
            ++row;
        shown.clickRow(row);
        QTest::keyClick(&shown.tree(), Qt::Key_Delete);
        shown.settle();
        QVERIFY(shown.view.picture().peak < before);
        QVERIFY(shown.says(QStringLiteral("Without 1 variables")));
        QTest::mouseClick(shown.button(QStringLiteral("Include all")), Qt::LeftButton);
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
        auto const dense = std::find_if(picture.bands.begin(), picture.bands.end(),
                                        [](auto const &band) { return band.key.name == QLatin1String("dense"); });
        QVERIFY(dense != picture.bands.end());
        emit shown.chart().bandClicked(static_cast<int>(dense - picture.bands.begin()));
        shown.settle();
        QVERIFY(std::any_of(shown.view.picture().bands.begin(), shown.view.picture().bands.end(),
                            [](auto const &band) { return band.key.name == QLatin1String("dense/kernel"); }));
        emit shown.chart().bandClicked(0);
        shown.settle();
        QVERIFY(std::none_of(shown.view.picture().bands.begin(), shown.view.picture().bands.end(),
                             [](auto const &band) { return band.variable >= 0; }));
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
        for (qsizetype s = 0; s < table.rows.size(); ++s)
            QCOMPARE(table.rows[s][2].toLongLong(), curve.alwaysLive + curve.notAlwaysLive[static_cast<std::size_t>(s)]);
    }

    void statesAreKeptAndSmallWindowsScroll()
    {
        Shown shown(tests::compiledReport(), {420, 300});
        QVERIFY(shown.view.minimumSizeHint().width() <= 420);
        shown.view.restoreState(
            {{QStringLiteral("by"), QStringLiteral("layer")}, {QStringLiteral("cycles"), true}, {QStringLiteral("table"), 4}});
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

    void aFilterLeavesTheStepsOfThatName()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        auto *filter = shown.filter();
        filter->setFocus();
        QTest::keyClicks(filter, QStringLiteral("dense_1 backward"));
        QTRY_VERIFY(shown.chart().scene().axis.count < static_cast<int>(report->data().livenessSteps.size()));
        // The steps of that layer and pass, found by a query.
        auto const rows = report->query(QStringLiteral(
            "SELECT l.step FROM liveness_step l JOIN program p ON p.id = l.program WHERE l.pass = 'backward' ORDER BY l.step"));
        QVERIFY(rows.ok());
        std::vector<int> wanted;
        for (auto const &row : rows->rows)
            if (report->layerOf(
                    report->data().programs[static_cast<std::size_t>(report->data().livenessSteps[row[0].toULongLong()].program)].op)
                == QLatin1String("dense_1"))
                wanted.push_back(row[0].toInt());
        QVERIFY(wanted.size() > 1);
        QString error;
        QCOMPARE(stepsNamed(*report, QStringLiteral("layer=dense_1 pass=backward"), &error), wanted);
        QVERIFY(error.isEmpty());
        auto const found = stepsNamed(*report, QStringLiteral("dense_1 backward"), &error);
        QCOMPARE(shown.chart().scene().axis.count, static_cast<int>(found.size()));
        QVERIFY(shown.says(QStringLiteral("%1 of %2 steps").arg(found.size()).arg(report->data().livenessSteps.size())));
        // Bytes of those steps, position by position.
        auto const curve = *report->liveCurve("all", 0);
        auto const totals = stackTotals(shown.chart().scene());
        for (std::size_t i = 0; i < found.size(); ++i)
            QCOMPARE(totals[i], curve.alwaysLive + curve.notAlwaysLive[static_cast<std::size_t>(found[i])]);
        // Lives stand under them where they live in one of them at all.
        auto const livesThere = [&found](LifeBar const &bar) {
            return bar.always || std::ranges::any_of(bar.spans, [&found](auto const &span) {
                       return std::ranges::any_of(found, [&span](int step) { return step >= span.first && step < span.second; });
                   });
        };
        for (auto const &bar : shown.view.findChild<LifeBars *>()->bars()) QVERIFY2(livesThere(bar), qPrintable(bar.name));
        // A click and the arrows mean steps of the program.
        QTest::mouseClick(&shown.chart(), Qt::LeftButton, {}, shown.at(1));
        QCOMPARE(shown.view.step(), found[1]);
        QCOMPARE(shown.chart().marks().locked, 1);
        QVERIFY(shown.chart().tip(1).contains(QStringLiteral("liveness step %1:").arg(found[1])));
        QTest::keyClick(&shown.chart(), Qt::Key_Left);
        QCOMPARE(shown.view.step(), found[0]);
        QTest::keyClick(&shown.chart(), Qt::Key_Left); // the first stays
        QCOMPARE(shown.view.step(), found[0]);
        QTest::keyClick(&shown.chart(), Qt::Key_End);
        QCOMPARE(shown.view.step(), found.back());
        // One that the filter leaves out is chosen elsewhere: no mark pretends to be it.
        int hidden = 0;
        while (std::ranges::binary_search(found, hidden)) ++hidden;
        shown.session.selection().selectIds(SelectionKind::LivenessStep, {hidden});
        QTRY_COMPARE(shown.view.step(), hidden);
        QCOMPARE(shown.chart().marks().locked, -1);
        for (int const peak : shown.chart().marks().peaks) QVERIFY(peak >= 0 && peak < shown.chart().scene().axis.count);
        // Nothing of the name, and all again.
        filter->setText(QStringLiteral("nosuchstep"));
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(shown.chart().scene().axis.count, 0);
        QVERIFY(shown.says(QStringLiteral("0 of ")));
        filter->clear();
        QTRY_COMPARE(shown.chart().scene().axis.count, static_cast<int>(report->data().livenessSteps.size()));
        QTRY_COMPARE(shown.chart().marks().locked, hidden);
    }

    void filtersLastAsLongAsTheirReport()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        shown.filter()->setText(QStringLiteral("backward"));
        QTest::keyClick(shown.filter(), Qt::Key_Return);
        int const left = shown.chart().scene().axis.count;
        QVERIFY(left > 0 && left < static_cast<int>(report->data().livenessSteps.size()));
        auto const again = ReportSnapshot::open(report->path(), {}); // as a run that goes on gives it
        QVERIFY(again.ok());
        shown.session.showReport(*again);
        shown.settle();
        QCOMPARE(shown.filter()->text(), QStringLiteral("backward"));
        QCOMPARE(shown.chart().scene().axis.count, left);
        shown.session.showReport(tests::compiledReport("gc200:tiles=16"));
        shown.settle();
        QVERIFY(shown.filter()->text().isEmpty());
        QCOMPARE(shown.chart().scene().axis.count, static_cast<int>(shown.session.report()->data().livenessSteps.size()));
    }

    void invalidFiltersAreReported()
    {
        QString error;
        QVERIFY(stepsNamed(*tests::compiledReport(), QStringLiteral("/(/"), &error).empty());
        QVERIFY(!error.isEmpty());
    }

    void stepsOfAFilterKeepTheirCyclesAndStrips()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        shown.view.restoreState({{QStringLiteral("cycles"), true}});
        shown.settle();
        auto const &all = *shown.view.picture().scene;
        std::vector<int> const steps{2, 3, 9, 20};
        auto const some = sceneOfSteps(all, steps);
        QCOMPARE(some->axis.count, 4);
        auto const whole = axisOfSteps(all.axis, steps);
        QCOMPARE(whole.count, all.axis.count);
        QCOMPARE(whole.length(), some->axis.length());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            int const step = steps[i], position = static_cast<int>(i);
            QCOMPARE(some->axis.edge(position + 1) - some->axis.edge(position), all.axis.edge(step + 1) - all.axis.edge(step));
            QCOMPARE(whole.edge(step), some->axis.edge(position));
            auto const textAt = [](std::vector<ColumnSpan> const &lane, int at) {
                for (auto const &span : lane)
                    if (at >= span.first && at <= span.last) return span.text;
                return QStringLiteral("?");
            };
            QCOMPARE(textAt(some->lanes[0], position), textAt(all.lanes[0], step));
        }
        QCOMPARE(whole.edge(5), whole.edge(9)); // excluded steps take no room
    }

    void theOverviewsHandlesAndTheTypedZoomShowAPart()
    {
        Shown shown(tests::compiledReport());
        auto &chart = shown.chart();
        auto &strip = *shown.view.findChild<ColumnOverview *>();
        QVERIFY(strip.isVisible() && strip.geometry().bottom() <= chart.geometry().top());
        double const all = chart.scene().axis.length();
        QCOMPARE(chart.window().to, all);
        auto const y = strip.height() / 2;
        auto const drag = [&](double from, double to) {
            QTest::mousePress(&strip, Qt::LeftButton, {}, QPoint(static_cast<int>(std::lround(from)), y));
            QTest::mouseMove(&strip, QPoint(static_cast<int>(std::lround((from + to) / 2)), y));
            QTest::mouseMove(&strip, QPoint(static_cast<int>(std::lround(to)), y));
            QTest::mouseRelease(&strip, Qt::LeftButton, {}, QPoint(static_cast<int>(std::lround(to)), y));
        };
        double const width = strip.frame().width(), left = strip.frame().left();
        drag(left, left + width / 4);
        QVERIFY2(std::abs(chart.window().from - all / 4) < all / 50, qPrintable(QString::number(chart.window().from)));
        QCOMPARE(chart.window().to, all);
        drag(left + width, left + width * 3 / 4);
        QVERIFY(std::abs(chart.window().to - all * 3 / 4) < all / 50);
        double const from = chart.window().from, shownPart = chart.window().to - from;
        drag(strip.frame().center().x(), strip.frame().center().x() + width / 10);
        QVERIFY(std::abs(chart.window().from - from - all / 10) < all / 50);
        QVERIFY(std::abs(chart.window().to - chart.window().from - shownPart) < 1e-6);
        auto *zoom = shown.view.findChild<QSpinBox *>();
        QVERIFY(std::abs(zoom->value() - 200) <= 10);
        // Typed.
        zoom->setFocus();
        zoom->selectAll();
        QTest::keyClicks(zoom, QStringLiteral("400"));
        QTest::keyClick(zoom, Qt::Key_Return);
        QVERIFY(std::abs(chart.window().to - chart.window().from - all / 4) < 1e-6);
        QTest::mouseClick(shown.button(QStringLiteral("All steps")), Qt::LeftButton);
        QCOMPARE(chart.window().to - chart.window().from, all);
        QCOMPARE(zoom->value(), 100);
        // By keyboard: the left handle, the right one, the frame.
        strip.setFocus();
        QTest::keyClick(&strip, Qt::Key_Space);
        QVERIFY(strip.accessibleDescription().contains(QLatin1String("left handle")));
        QTest::keyClick(&strip, Qt::Key_Right);
        QVERIFY(std::abs(chart.window().from - all / 8) < 1e-6);
        QTest::keyClick(&strip, Qt::Key_Space);
        QTest::keyClick(&strip, Qt::Key_Left);
        QVERIFY(chart.window().to < all);
        double const before = chart.window().from;
        QTest::keyClick(&strip, Qt::Key_Space);
        QTest::keyClick(&strip, Qt::Key_Left);
        QVERIFY(chart.window().from < before);
        // Never nearer by "+" than by the wheel, and never farther.
        chart.setWindow(1, 1 + all / chart.scene().axis.count / 5);
        double const nearest = chart.window().to - chart.window().from;
        QTest::keyClick(&strip, Qt::Key_Plus);
        QCOMPARE(chart.window().to - chart.window().from, nearest);
        QTest::keyClick(&strip, Qt::Key_Home);
        QCOMPARE(chart.window().to - chart.window().from, all);
        QTest::mouseDClick(&strip, Qt::LeftButton, {}, strip.rect().center());
        QCOMPARE(chart.window().to - chart.window().from, all);
    }

    void withoutAReportTheViewExplainsItsContents()
    {
        Shown shown(nullptr);
        QVERIFY(shown.says(QStringLiteral("Open a report")));
    }
};

TW_REGISTER_TEST(TstLivenessView);
#include "tst_liveness_view.moc"
