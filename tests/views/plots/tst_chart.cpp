#include "tests/support/test_registry.h"

#include "views/common/export.h"
#include "views/plots/bar_chart.h"
#include "views/plots/heat_map.h"
#include "views/plots/scatter_chart.h"

#include <QApplication>
#include <QHelpEvent>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>
#include <QtTest>

#include <limits>

using namespace tilewright::views;

namespace {

ChartAxis axisTo(double least, double most, double closest = 0)
{
    ChartAxis axis;
    axis.title = QStringLiteral("things");
    axis.limits = {{least, most}, closest};
    return axis;
}

class Points : public ScatterChart {
public:
    Points() : ScatterChart(nullptr)
    {
        setAccessibleName(QStringLiteral("points"));
        setEmptyText(QStringLiteral("nothing here"));
        setDescription(QStringLiteral("three points"));
        setScatter({{10, 10, 6, Token::Compute, false}, {50, 50, 6, Token::Stream, false}, {90, 20, 6, Token::Sync, true}},
                   {{{0, 100}, {80, 80}, Token::Text, QStringLiteral("limit")}});
        setAxes(axisTo(0, 100, 10), axisTo(0, 100, 10));
    }
    QString tipOf(int index) const override { return QStringLiteral("point %1").arg(index); }
    void clear() { setScatter({}, {}); }
};

class Bars : public BarChart {
public:
    Bars() : BarChart(nullptr)
    {
        auto const plain = [] { return QBrush(theme()[Token::Compute]); };
        setBars({{QStringLiteral("first"), {1, 2, 3, 4, 5, 6, 7, 8}, plain}, {QStringLiteral("second"), {8, 7, 6, 5, 4, 3, 2, 1}, plain}},
                axisTo(0, 1), axisTo(0, 1));
    }
    QString tipOf(int index) const override { return QStringLiteral("group %1").arg(index); }
};

/// A bar of a thousand, one of one, an empty one; without a name, so without a legend.
class Uneven : public BarChart {
public:
    Uneven() : BarChart(nullptr) { setBars({{{}, {1000, 1, 0}, {}}}, axisTo(0, 1), axisTo(0, 1)); }
    void choose(std::vector<double> values) { setChosen({QStringLiteral("chosen"), std::move(values), {}}); }
    QString tipOf(int index) const override { return QStringLiteral("bar %1").arg(index); }
};

class Cells : public HeatMap {
public:
    Cells(int rows, int columns) : HeatMap(nullptr)
    {
        HeatGrid grid{rows, columns, {}, {0, 1}};
        for (int i = 0; i < rows * columns; ++i) grid.values.push_back(i % 2);
        grid.values.back() = std::numeric_limits<double>::quiet_NaN();
        auto x = axisTo(-0.5, columns - 0.5, std::min(2, columns)), y = axisTo(-0.5, rows - 0.5, std::min(2, rows));
        x.kind = y.kind = AxisKind::Whole;
        setGrid(std::move(grid), std::move(x), std::move(y));
    }
    QString tipOf(int index) const override { return QStringLiteral("cell %1").arg(index); }

protected:
    QColor colorOf(double value) const override { return theme()[value > 0.5 ? Token::Bad : Token::Good]; }
};

template <typename T> void showIt(T &chart)
{
    chart.resize(500, 400);
    chart.show();
    (void)QTest::qWaitForWindowExposed(&chart);
    QTRY_VERIFY(chart.replots() > 0);
}

void turnWheel(QWidget &widget, QPointF at, int steps, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, 120 * steps), Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

QRgb pixelIn(QWidget &widget, QPointF at)
{
    QImage const image = widget.grab().toImage();
    return image.pixel((at * image.devicePixelRatio()).toPoint());
}

} // namespace

class TstChart : public QObject {
    Q_OBJECT
private slots:
    void nonzeroBarsAreVisibleAndSelectedPartsAreDrawnOnTop()
    {
        Uneven bars;
        showIt(bars);
        QVERIFY(bars.barRect(0, 0).height() > 100);
        QVERIFY(bars.barRect(1, 0).height() >= 2 && bars.barRect(1, 0).height() <= 4);
        QVERIFY(bars.barRect(2, 0).height() < 1);
        QVERIFY(bars.chosenRect(0).isEmpty());
        QVERIFY(bars.findChildren<QToolButton *>().isEmpty()); // no name, no legend
        bars.choose({500, 1, 0});
        QCOMPARE(bars.findChildren<QToolButton *>().size(), 1);
        QVERIFY(std::abs(bars.chosenRect(0).height() - bars.barRect(0, 0).height() / 2) < 2);
        QCOMPARE(bars.chosenRect(0).left(), bars.barRect(0, 0).left());
        QVERIFY(bars.chosenRect(1).height() >= 2);
        QTRY_COMPARE(bars.grab().toImage().pixelColor(bars.chosenRect(0).center().toPoint()), theme()[Token::Accent]);
        QTest::mouseClick(bars.findChild<QToolButton *>(), Qt::LeftButton); // the selection is not a series that can be hidden
        QVERIFY(bars.barRect(0, 0).height() > 100);
        bars.choose({1, 2}); // not of these bars
        QVERIFY(bars.chosenRect(0).isEmpty());
    }

    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }
    void cleanup() { applyTheme(*qApp, ThemeKind::Light); }

    void theWheelZoomsAtThePointerWithinLimits()
    {
        Points chart;
        showIt(chart);
        QSignalSpy zoomed(&chart, &Chart::zoomChanged);
        auto const at = chart.toPixel({50, 50});
        turnWheel(chart, at, 1, {}); // the page's
        QVERIFY(!chart.isZoomed());
        turnWheel(chart, at, 2, Qt::ControlModifier);
        QVERIFY(chart.isZoomed());
        QVERIFY(zoomed.count() > 0);
        QVERIFY((chart.toValue(at) - QPointF(50, 50)).manhattanLength() < 5); // labels can become narrower
        for (int i = 0; i < 40; ++i) turnWheel(chart, at, 2, Qt::ControlModifier);
        QVERIFY(std::abs(chart.xRange().size() - 10) < 1e-6);
        QVERIFY(std::abs(chart.yRange().size() - 10) < 1e-6);
        for (int i = 0; i < 80; ++i) turnWheel(chart, at, -2, Qt::ControlModifier);
        QVERIFY(!chart.isZoomed());
    }
    void overAnAxisTheWheelZoomsAlongItAlone()
    {
        Points chart;
        showIt(chart);
        auto const plot = chart.plotRect();
        turnWheel(chart, QPointF(plot.center().x(), plot.bottom() + 8), 3, Qt::ControlModifier);
        QVERIFY(chart.xRange().size() < 100);
        QCOMPARE(chart.yRange(), (Span{0, 100}));
        chart.resetZoom();
        turnWheel(chart, QPointF(plot.left() - 8, plot.center().y()), 3, Qt::ControlModifier);
        QCOMPARE(chart.xRange(), (Span{0, 100}));
        QVERIFY(chart.yRange().size() < 100);
    }
    void aDragZoomsShiftPansAndADoubleClickShowsAll()
    {
        Points chart;
        showIt(chart);
        auto const from = chart.toPixel({20, 80}).toPoint(), to = chart.toPixel({60, 40}).toPoint();
        QTest::mousePress(&chart, Qt::LeftButton, {}, from);
        QTest::mouseMove(&chart, to);
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, to);
        QVERIFY(std::abs(chart.xRange().lower - 20) < 2 && std::abs(chart.xRange().upper - 60) < 2);
        QVERIFY(std::abs(chart.yRange().lower - 40) < 2 && std::abs(chart.yRange().upper - 80) < 2);
        auto const before = chart.xRange();
        auto const middle = chart.plotRect().center().toPoint();
        QTest::mousePress(&chart, Qt::LeftButton, Qt::ShiftModifier, middle);
        QTest::mouseMove(&chart, middle - QPoint(60, 0));
        QTest::mouseRelease(&chart, Qt::LeftButton, Qt::ShiftModifier, middle - QPoint(60, 0));
        QVERIFY(chart.xRange().lower > before.lower);
        QVERIFY(std::abs(chart.xRange().size() - before.size()) < 1e-6);
        QTest::mouseDClick(&chart, Qt::LeftButton, {}, middle);
        QVERIFY(!chart.isZoomed());
    }
    void keysZoomResetAndGoFromElementToElement()
    {
        Points chart;
        showIt(chart);
        QSignalSpy current(&chart, &Chart::currentChanged), clicked(&chart, &Chart::clicked);
        QTest::keyClick(&chart, Qt::Key_Plus);
        QVERIFY(std::abs(chart.xRange().size() - 80) < 1e-6);
        QTest::keyClick(&chart, Qt::Key_Minus);
        QTest::keyClick(&chart, Qt::Key_Minus);
        QVERIFY(!chart.isZoomed());
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.current(), 0);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.current(), 1);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("point 1"));
        QTest::keyClick(&chart, Qt::Key_Down); // the next lower one
        QCOMPARE(chart.current(), 2);
        for (int i = 0; i < 12; ++i) QTest::keyClick(&chart, Qt::Key_Plus);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.current(), 1);
        QVERIFY(chart.xRange().lower <= 50 && chart.xRange().upper >= 50); // it is brought into view
        QTest::keyClick(&chart, Qt::Key_Home);
        QVERIFY(!chart.isZoomed());
        QCOMPARE(clicked.count(), 0);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.front().front().toInt(), 1);
        QTest::keyClick(&chart, Qt::Key_Escape);
        QCOMPARE(chart.current(), -1);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("three points"));
        QCOMPARE(current.count(), 5);
    }
    void clicksReportElementAndPosition()
    {
        Points chart;
        showIt(chart);
        QSignalSpy clicked(&chart, &Chart::clicked);
        QTest::mouseClick(&chart, Qt::LeftButton, Qt::ControlModifier, chart.toPixel({50, 50}).toPoint());
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.toPixel({30, 70}).toPoint());
        QCOMPARE(clicked.count(), 2);
        QCOMPARE(clicked[0][0].toInt(), 1);
        QVERIFY((clicked[0][1].toPointF() - QPointF(50, 50)).manhattanLength() < 2);
        QVERIFY(clicked[0][2].value<Qt::KeyboardModifiers>() & Qt::ControlModifier);
        QCOMPARE(clicked[1][0].toInt(), -1);
    }
    void tooltipsAreThoseOfTheElementUnderThePointer()
    {
        Points chart;
        showIt(chart);
        auto const ask = [&chart](QPointF const &value) {
            QPoint const at = chart.toPixel(value).toPoint();
            QHelpEvent event(QEvent::ToolTip, at, chart.mapToGlobal(at));
            QApplication::sendEvent(&chart, &event);
        };
        ask({90, 20});
        QCOMPARE(QToolTip::text(), QStringLiteral("point 2"));
        ask({10, 10});
        QCOMPARE(QToolTip::text(), QStringLiteral("point 0"));
    }
    void anotherThemeIsDrawnAtOnce()
    {
        Points points;
        Cells cells(2, 2);
        showIt(points);
        showIt(cells);
        auto const corner = points.plotRect().topLeft() + QPointF(10, 40);
        QCOMPARE(pixelIn(points, corner), theme()[Token::Panel].rgb());
        QCOMPARE(pixelIn(cells, cells.elementRect(0).center()), theme()[Token::Good].rgb());
        applyTheme(*qApp, ThemeKind::Dark);
        QCoreApplication::processEvents();
        QCOMPARE(pixelIn(points, corner), theme()[Token::Panel].rgb());
        QCOMPARE(pixelIn(cells, cells.elementRect(0).center()), theme()[Token::Good].rgb());
    }
    void cellsAreCrispAndEmptyOnesShowTheGround()
    {
        Cells cells(3, 5);
        showIt(cells);
        for (int index = 0; index < 15; ++index) {
            auto const rect = cells.elementRect(index);
            QCOMPARE(cells.elementAt(rect.center()), index);
            QRgb const expected = (index == 14 ? theme()[Token::Panel] : theme()[index % 2 ? Token::Bad : Token::Good]).rgb();
            for (auto const at : {rect.center(), rect.topLeft() + QPointF(3, 3), rect.bottomRight() - QPointF(3, 3)})
                QCOMPARE(pixelIn(cells, at), expected);
        }
        Cells one(1, 1); // the library draws nothing of one row or column by itself
        showIt(one);
        QCOMPARE(one.elementAt(one.plotRect().center()), 0);
        Cells row(1, 4);
        showIt(row);
        QCOMPARE(pixelIn(row, row.elementRect(1).center()), theme()[Token::Bad].rgb());
        QCOMPARE(pixelIn(row, row.elementRect(2).center()), theme()[Token::Good].rgb());
    }
    void theLegendHidesBarsAndOnlyTheClassesZoom()
    {
        Bars bars;
        showIt(bars);
        for (auto *button : bars.findChildren<QToolButton *>())
            QVERIFY2(button->isVisible() && button->parentWidget()->height() >= button->height(), "the legend has no room");
        QVERIFY(bars.barRect(3, 1).left() >= bars.barRect(3, 0).right() - 1e-6);
        double const beside = bars.barRect(3, 1).width();
        auto const buttons = bars.findChildren<QToolButton *>();
        QCOMPARE(buttons.size(), 2);
        QCOMPARE(buttons[0]->accessibleName(), QStringLiteral("Bars first, shown"));
        QTest::mouseClick(buttons[0], Qt::LeftButton);
        QCOMPARE(buttons[0]->accessibleName(), QStringLiteral("Bars first, hidden"));
        QVERIFY(bars.barRect(3, 0).isEmpty());
        QVERIFY(bars.barRect(3, 1).width() > beside * 1.5);
        auto const y = bars.yRange();
        turnWheel(bars, bars.plotRect().center(), 3, Qt::ControlModifier);
        QVERIFY(bars.isZoomed());
        QCOMPARE(bars.yRange(), y);
    }
    void changesAreDrawnOnce()
    {
        Points chart;
        showIt(chart);
        QTest::qWait(50);
        int const before = chart.replots();
        for (int i = 0; i < 20; ++i) chart.setRanges({0, 50.0 + i}, {0, 50});
        QTRY_VERIFY(chart.replots() > before);
        QTest::qWait(50);
        QVERIFY2(chart.replots() - before <= 2, qPrintable(QString::number(chart.replots() - before)));
    }
    void chartsWithoutRoomDrawNothing()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        Cells chart(3, 3);
        showIt(chart);
        for (QSize const size : {QSize(0, 100), QSize(200, 0), QSize(0, 0)}) {
            for (auto *part : chart.findChildren<QWidget *>()) {
                part->setMinimumSize(0, 0);
                part->resize(size);
            }
            QApplication::processEvents();
        }
        chart.resize(320, 240);
        QApplication::processEvents();
    }
    void anEmptyChartSaysWhyAndTakesNoKeys()
    {
        Points chart;
        showIt(chart);
        chart.clear();
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Plus);
        QCOMPARE(chart.current(), -1);
        QVERIFY(!chart.isZoomed());
        QCOMPARE(chart.elementAt(chart.rect().center()), -1);
        QVERIFY(!chart.grab().isNull());
    }
    void picturesHoldLinesAsLines()
    {
        Points chart;
        showIt(chart);
        QTemporaryDir folder;
        QString const svg = folder.filePath(QStringLiteral("x.svg"));
        QCOMPARE(saveWidgetPicture(chart, svg), QString());
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto const text = file.readAll();
        QVERIFY(text.contains("<polyline") || text.contains("<path"));
        QVERIFY(text.contains("limit"));
    }
};

TW_REGISTER_TEST(TstChart);
#include "tst_chart.moc"
