#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"

#include "views/plots/curve_panel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace tilewright::views;

namespace {

Curve ramp(QString const &name, int points, double factor = 1)
{
    Curve curve;
    curve.name = name;
    for (int i = 0; i < points; ++i) {
        curve.x.push_back(i);
        curve.y.push_back(factor * i);
    }
    return curve;
}

/// The widget that holds the plot: the only child with a tracked mouse and the panel's name.
QWidget *plotOf(CurvePanel &panel)
{
    for (auto *child : panel.findChildren<QWidget *>())
        if (child->hasMouseTracking() && child->accessibleName() == panel.accessibleName()) return child;
    return nullptr;
}

std::unique_ptr<CurvePanel> shownPanel()
{
    auto panel = std::make_unique<CurvePanel>(QStringLiteral("Loss"));
    CurveAxes axes;
    axes.x = QStringLiteral("step");
    panel->setAxes(axes);
    panel->resize(600, 400);
    panel->show();
    (void)QTest::qWaitForWindowExposed(panel.get());
    return panel;
}

} // namespace

class TstCurvePanel : public QObject {
    Q_OBJECT
    /// Points y = x behind those of the first curve, as a live run gives them.
    static void grow(CurvePanel &panel, std::vector<double> const &values)
    {
        auto curves = panel.curves();
        curves.front().x.insert(curves.front().x.end(), values.begin(), values.end());
        curves.front().y.insert(curves.front().y.end(), values.begin(), values.end());
        panel.setCurves(std::move(curves));
    }

private slots:
    /// Axes come with the first curve: without one their numbers would be invented.
    void aPanelWithoutCurvesHasNoAxes()
    {
        auto const panel = shownPanel();
        auto const inked = [&] {
            QTest::qWait(60); // the plot is drawn once per turn of the event loop
            auto const image = plotOf(*panel)->grab().toImage();
            QSet<QRgb> colours;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) colours << image.pixel(x, y);
            return colours.size() > 1;
        };
        QVERIFY(!inked());
        panel->setCurves({ramp(QStringLiteral("loss"), 20)});
        QVERIFY(inked());
        panel->setCurves({});
        QVERIFY(!inked());
    }
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void theWheelAloneIsThePages()
    {
        auto const panel = shownPanel();
        auto *plot = plotOf(*panel);
        QVERIFY(plot);
        QPointF const at = plot->rect().center();
        QWheelEvent turn(at, plot->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(plot, &turn);
        QVERIFY(!turn.isAccepted());
        QVERIFY(!plot->testAttribute(Qt::WA_NoMousePropagation)); // only then Qt passes unaccepted events to the page
    }

    /// Loss and metrics stand below each other: a step is at the same place in both, however long their numbers are.
    void plotsBelowEachOtherBeginAtTheSamePlace()
    {
        QList<double> at;
        for (double const factor : {1.0, 0.0025}) {
            auto const panel = shownPanel();
            panel->setCurves({ramp(QStringLiteral("loss"), 100, factor)});
            QTRY_COMPARE(panel->xRange(), std::pair(0.0, 99.0));
            QTest::qWait(60);
            QSignalSpy hovered(panel.get(), &CurvePanel::hovered);
            auto *plot = plotOf(*panel);
            QMouseEvent move(QEvent::MouseMove, QPointF(300, 100), plot->mapToGlobal(QPointF(300, 100)), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(plot, &move);
            QVERIFY(!hovered.isEmpty());
            at << hovered.last().front().toDouble();
        }
        QVERIFY(std::isfinite(at[0]));
        QCOMPARE(at[0], at[1]);
    }
    void itFollowsTheNewestUntilTouchedAndFResumes()
    {
        auto const panel = shownPanel();
        QSignalSpy follows(panel.get(), &CurvePanel::followingChanged);
        panel->setCurves({ramp(QStringLiteral("loss"), 100)});
        QTRY_COMPARE(panel->xRange(), std::pair(0.0, 99.0));
        auto *plot = plotOf(*panel);
        QVERIFY(plot);
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(200, 60));
        QTest::mouseMove(plot, QPoint(300, 200));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(300, 200));
        QVERIFY(!panel->isFollowing());
        QCOMPARE(follows.count(), 1);
        auto const zoomed = panel->xRange();
        QVERIFY(zoomed.second - zoomed.first < 50);
        std::vector<double> const more{100, 101};
        grow(*panel, more);
        QTest::qWait(150);
        QCOMPARE(panel->xRange(), zoomed); // nothing moves under the pointer
        QTest::keyClick(panel.get(), Qt::Key_F);
        QVERIFY(panel->isFollowing());
        QTRY_COMPARE(panel->xRange(), std::pair(0.0, 101.0));
    }
    void shiftDragPansAndDoubleClickShowsAll()
    {
        auto const panel = shownPanel();
        panel->setCurves({ramp(QStringLiteral("loss"), 1000)});
        panel->setXRange(400, 500);
        auto *plot = plotOf(*panel);
        QTest::mousePress(plot, Qt::LeftButton, Qt::ShiftModifier, QPoint(300, 100));
        QTest::mouseMove(plot, QPoint(250, 100));
        QTest::mouseRelease(plot, Qt::LeftButton, Qt::ShiftModifier, QPoint(250, 100));
        QVERIFY(panel->xRange().first > 405);
        QVERIFY(std::abs(panel->xRange().second - panel->xRange().first - 100) < 1e-6);
        QTest::mouseDClick(plot, Qt::LeftButton, {}, QPoint(300, 100));
        QCOMPARE(panel->xRange(), std::pair(0.0, 999.0));
        QVERIFY(panel->isFollowing());
    }
    void readoutHasExactValuesAndMissingOnes()
    {
        auto const panel = shownPanel();
        auto curve = ramp(QStringLiteral("loss"), 5, 0.123456);
        curve.y[3] = std::numeric_limits<double>::quiet_NaN();
        panel->setCurves({curve});
        QCOMPARE(panel->readout(2.2), QStringLiteral("step 2 · loss 0.246912"));
        QVERIFY(panel->readout(3).contains(QStringLiteral("not a number")));
        panel->setSmoothing(0.5);
        QVERIFY(panel->readout(2).contains(QStringLiteral("loss 0.246912 (smoothed ")));
    }
    void theLegendTogglesACurveAndTheChoiceSurvivesNewData()
    {
        auto const panel = shownPanel();
        panel->setCurves({ramp(QStringLiteral("a"), 10), ramp(QStringLiteral("b"), 10, 100)});
        QTRY_VERIFY(panel->yRange().second > 900);
        QToolButton *button = nullptr;
        for (auto *each : panel->findChildren<QToolButton *>())
            if (each->text() == QLatin1String("b")) button = each;
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!panel->curves()[1].shown);
        QTRY_VERIFY(panel->yRange().second < 20);
        panel->setCurves({ramp(QStringLiteral("a"), 11), ramp(QStringLiteral("b"), 11, 100)});
        QVERIFY(!panel->curves()[1].shown);
    }
    void logarithmicAxesSkipWhatIsNotPositive()
    {
        auto const panel = shownPanel();
        auto curve = ramp(QStringLiteral("loss"), 10);
        curve.y[0] = -1;
        panel->setCurves({curve});
        panel->setLogarithmic(true);
        QTRY_VERIFY(panel->yRange().first > 0);
        QVERIFY(panel->yRange().second >= 9);
    }
    void liveDataIsDrawnAtMostTenTimesASecondAndNotWhileHidden()
    {
        auto const panel = shownPanel();
        panel->setCurves({ramp(QStringLiteral("loss"), 10)});
        QTest::qWait(150);
        int const before = panel->replots();
        QElapsedTimer clock;
        clock.start();
        int n = 10;
        while (clock.elapsed() < 600) {
            std::vector<double> const next{static_cast<double>(n++)};
            grow(*panel, next);
            QTest::qWait(10);
        }
        int const drawn = panel->replots() - before;
        QVERIFY2(drawn >= 2 && drawn <= 8, qPrintable(QString::number(drawn)));
        panel->hide();
        int const hidden = panel->replots();
        grow(*panel, {1e6});
        QTest::qWait(150);
        QCOMPARE(panel->replots(), hidden);
        panel->show();
        QTRY_VERIFY(panel->replots() > hidden);
        QTRY_COMPARE(panel->xRange().second, 1e6);
    }
    void aMillionPointsAreDrawnQuickly()
    {
        auto const panel = shownPanel();
        Curve curve = ramp(QStringLiteral("loss"), 1'000'000);
        for (std::size_t i = 0; i < curve.y.size(); ++i) curve.y[i] = std::sin(static_cast<double>(i) * 0.37);
        panel->setCurves({curve});
        tilewright::tests::SpentTime const spent;
        (void)panel->grab();
        QVERIFY2(spent.below(1000), spent.text().c_str());
        QTRY_VERIFY(panel->replots() > 0);
    }
    void exportedRowsJoinCurvesByXWithExactValues()
    {
        CurvePanel panel(QStringLiteral("Loss"));
        CurveAxes axes;
        axes.x = QStringLiteral("step");
        panel.setAxes(axes);
        Curve a, b;
        a.name = QStringLiteral("a");
        a.x = {1, 2};
        a.y = {0.1, 1.0 / 3};
        b.name = QStringLiteral("b");
        b.x = {2, 4};
        b.y = {7, 8};
        panel.setCurves({a, b});
        auto const table = panel.exportTable(QStringLiteral("loss"));
        QCOMPARE(table.columns, QStringList({QStringLiteral("step"), QStringLiteral("a"), QStringLiteral("b")}));
        QCOMPARE(table.rows.size(), 3);
        QCOMPARE(table.rows[1][1].toDouble(), 1.0 / 3);
        QCOMPARE(table.rows[0][2], QString());
        QCOMPARE(table.rows[2], QStringList({QStringLiteral("4"), QString(), QStringLiteral("8")}));
    }
    void picturesAreNotBlankAndSvgKeepsLinesAsLines()
    {
        auto const panel = shownPanel();
        panel->setCurves({ramp(QStringLiteral("loss"), 50)});
        QTRY_VERIFY(panel->replots() > 0);
        QTemporaryDir folder;
        QString const svg = folder.filePath(QStringLiteral("x.svg"));
        QCOMPARE(saveWidgetPicture(*panel, svg), QString());
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("<polyline"));
        QImage const image = panel->grab().toImage();
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3) colors.insert(image.pixel(x, y));
        QVERIFY(colors.size() > 3);
    }
};

TW_REGISTER_TEST(TstCurvePanel);
#include "tst_curve_panel.moc"
