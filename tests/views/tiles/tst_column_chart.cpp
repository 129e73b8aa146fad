#include "tests/support/test_registry.h"
#include "views/reports/report_snapshot.h"
#include "views/tiles/column_chart.h"
#include "views/tiles/part_keys.h"

#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <memory>

using namespace tilewright::views;

namespace {

std::shared_ptr<ColumnScene> twoBands(int count)
{
    auto scene = std::make_shared<ColumnScene>();
    scene->axis.count = count;
    ColumnBand a{QStringLiteral("weights"), Token::Weights, 0, {}, true}, b{QStringLiteral("code"), Token::Code, 0, {}, true};
    for (int i = 0; i < count; ++i) {
        a.values.push_back(1024 * (i % 5));
        b.values.push_back(2048);
    }
    scene->bands = {a, b};
    scene->limit = 100000;
    return scene;
}

} // namespace

class TstColumnChart : public QObject {
    Q_OBJECT
private slots:
    void narrowRangesKeepTheirDistinguishingLabel()
    {
        QFontMetrics const metrics(uiFont(TextSize::Caption));
        QString const stage = QStringLiteral("stage 3");
        QCOMPARE(spanText(stage, 200, metrics), stage);
        QCOMPARE(spanText(stage, metrics.horizontalAdvance(stage) - 1, metrics), QStringLiteral("3"));
        QCOMPARE(spanText(QStringLiteral("forward"), metrics.horizontalAdvance(QStringLiteral("W")), metrics), QStringLiteral("F"));
        QVERIFY(spanText(stage, 1, metrics).isEmpty() && spanText({}, 100, metrics).isEmpty());
    }
    void aPositionIsHitWhereItIsDrawn()
    {
        ColumnChart chart;
        chart.resize(700, 300);
        chart.setScene(twoBands(90));
        for (int p = 0; p < 90; ++p) QCOMPARE(chart.positionAt({chart.pixelOf(p), chart.plotRect().center().y()}), p);
        QCOMPARE(chart.positionAt({0, chart.plotRect().center().y()}), -1);
    }

    void clicksHoversBrushesAndLegendAreHeard()
    {
        ColumnChart chart;
        chart.resize(700, 300);
        chart.setScene(twoBands(20));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QSignalSpy picked(&chart, &ColumnChart::picked), brushed(&chart, &ColumnChart::brushed), hovered(&chart, &ColumnChart::hovered),
            band(&chart, &ColumnChart::bandClicked);
        auto const at = [&](int p) { return QPoint(chart.pixelOf(p), chart.plotRect().center().y()); };
        QTest::mouseMove(&chart, at(7));
        QTRY_VERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last()[0].toInt(), 7);
        QTest::mouseClick(&chart, Qt::LeftButton, Qt::ControlModifier, at(4));
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked[0][0].toInt(), 4);
        QTest::mousePress(&chart, Qt::LeftButton, {}, at(9));
        QTest::mouseMove(&chart, at(6));
        QTest::mouseMove(&chart, at(3));
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, at(3));
        QCOMPARE(brushed.count(), 1);
        QCOMPARE(brushed[0][0].toInt(), 3);
        QCOMPARE(brushed[0][1].toInt(), 9);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(chart.plotRect().left() + 6, 6));
        QCOMPARE(band.count(), 1);
        QCOMPARE(band[0][0].toInt(), 0);
    }

    void theLimitIsNamedBesideWhatIsDrawn()
    {
        ColumnChart chart;
        chart.resize(700, 300);
        auto scene = std::make_shared<ColumnScene>(*twoBands(90));
        for (int i = 80; i < 90; ++i) scene->bands[0].values[static_cast<std::size_t>(i)] = 90000; // a peak at the right
        chart.setScene(scene);
        // Above the plot: named there, where no column reaches, in every size; colours keep clear of it.
        for (QSize const size : {QSize(700, 300), QSize(420, 160), QSize(240, 120)}) {
            chart.resize(size);
            chart.grab();
            QVERIFY(chart.limitLabel().bottom() < chart.plotRect().top());
            QVERIFY(chart.rect().contains(chart.limitLabel()));
        }
        chart.resize(700, 300);
        chart.grab();
        // In the plot: at the end that the peak is not at.
        chart.setLimitShown(true);
        QVERIFY(chart.plotRect().contains(chart.limitLabel()));
        QVERIFY(chart.limitLabel().right() < chart.pixelOf(80));
        for (int i = 0; i < 10; ++i)
            std::swap(scene->bands[0].values[static_cast<std::size_t>(i)], scene->bands[0].values[static_cast<std::size_t>(80 + i)]);
        chart.setScene(std::make_shared<ColumnScene>(*scene));
        QVERIFY(chart.limitLabel().left() > chart.pixelOf(9));
    }

    /// If several positions share a pixel, areas are means and the line is the maximum; a text says so.
    void linesAndAreasAreExplainedWhenPositionsShareAPixel()
    {
        ColumnChart chart;
        chart.resize(700, 300);
        chart.setScene(twoBands(90));
        chart.grab();
        QCOMPARE(chart.mergedText(), QString());
        chart.setScene(twoBands(5000));
        chart.grab();
        QVERIFY(chart.mergedText().contains(QStringLiteral("mean")) && chart.mergedText().contains(QStringLiteral("maximum")));
        chart.setWindow(0, 100);
        QCOMPARE(chart.mergedText(), QString());
    }

    /// Kinds that touch in a stack differ in lightness, in every theme; a line of the ground separates them.
    void touchingKindsDifferInLightness()
    {
        auto const report = ReportSnapshot::ofData({}, QStringLiteral("nothing"));
        for (auto const by : {Breakdown::Role, Breakdown::Category})
            for (auto const kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
                auto const theme = makeTheme(kind);
                auto const keys = partKeys(*report, by).keys;
                for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
                    double const contrast = contrastRatio(partColor(keys[i], theme), partColor(keys[i + 1], theme));
                    QVERIFY2(contrast >= 1.15,
                             qPrintable(QStringLiteral("%1 and %2: %3").arg(keys[i].name, keys[i + 1].name).arg(contrast)));
                }
            }
        ColumnScene scene;
        scene.axis.count = 1;
        scene.bands = {{QStringLiteral("a"), Token::Code, 0, {50}, true}, {QStringLiteral("b"), Token::Code, 0, {50}, true}};
        QImage image(10, 100, QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        ColumnPainter columns;
        columns.setScene(scene);
        columns.paint(painter, image.rect(), scene, {0, 1, 10}, 0, 100, makeTheme(ThemeKind::Light));
        painter.end();
        QCOMPARE(image.pixelColor(5, 50), makeTheme(ThemeKind::Light)[Token::Panel]); // between two of one colour
    }

    /// Every column of every kind of bytes has one colour, that of the legend: patterns of single pixels shimmer while a plot moves.
    void columnsHaveNoPatterns()
    {
        auto const theme = makeTheme(ThemeKind::Light);
        auto const report = ReportSnapshot::ofData({}, QStringLiteral("nothing"));
        auto keys = partKeys(*report, Breakdown::Role).keys;
        keys.push_back(mixedKey());
        for (auto const &key : keys) {
            ColumnScene scene;
            scene.axis.count = 1;
            scene.bands = {{key.name, key.token, key.shade, {100}, true}};
            QImage image(48, 60, QImage::Format_RGB32);
            image.fill(Qt::magenta);
            QPainter painter(&image);
            ColumnPainter columns;
            columns.setScene(scene);
            columns.paint(painter, image.rect(), scene, {0, 1, 48}, 0, 100, theme);
            painter.end();
            for (int y = 2; y < 60; ++y)
                for (int x = 0; x < 47; ++x) QCOMPARE(image.pixel(x, y), partColor(key, theme).rgb());
        }
    }

    void theLimitIsRedOnlyWhereSomethingIsOverIt()
    {
        ColumnChart chart;
        chart.resize(700, 300);
        auto scene = std::make_shared<ColumnScene>(*twoBands(90));
        chart.setScene(scene);
        auto const reds = [&] {
            QImage const image = chart.grab().toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == theme()[Token::Bad];
            return count;
        };
        QCOMPARE(reds(), 0);
        chart.setLimitShown(true);
        QCOMPARE(reds(), 0);
        scene->bands[0].values[40] = scene->limit + 1;
        chart.setScene(std::make_shared<ColumnScene>(*scene));
        QVERIFY(reds() > 20);
    }

    void wideColumnsStandApartAllAlike()
    {
        ColumnScene scene;
        scene.axis.count = 93; // 12.9 pixels each: only the last edge is at a pixel boundary
        scene.bands = {{QStringLiteral("bytes"), Token::Weights, 0, std::vector<std::int64_t>(93, 100), true}};
        QImage image(1200, 20, QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        ColumnPainter columns;
        columns.setScene(scene);
        AxisWindow window;
        window.to = 93;
        window.pixels = 1200;
        columns.paint(painter, image.rect(), scene, window, 0, 100, makeTheme(ThemeKind::Light));
        int free = 0;
        for (int x = 0; x < 1200; ++x) free += image.pixelColor(x, 10) == QColor(Qt::magenta);
        QCOMPARE(free, 93);
    }

    void keysZoomAndFitAgain()
    {
        ColumnChart chart;
        chart.resize(700, 300);
        chart.setScene(twoBands(1000));
        QTest::keyClick(&chart, Qt::Key_W);
        QVERIFY(chart.window().to - chart.window().from < 1000);
        QTest::keyClick(&chart, Qt::Key_D);
        QVERIFY(chart.window().from > 0);
        auto const window = chart.window();
        chart.setScene(twoBands(1000)); // new values, same tiles: the view stays
        QCOMPARE(chart.window().from, window.from);
        QTest::keyClick(&chart, Qt::Key_F);
        QCOMPARE(chart.window().to, 1000.0);
    }

    void stackTotalsLeaveOutHiddenBands()
    {
        auto scene = twoBands(10);
        QCOMPARE(stackTotals(*scene)[4], std::int64_t(4 * 1024 + 2048));
        scene->bands[0].shown = false;
        QCOMPARE(stackTotals(*scene)[4], std::int64_t(2048));
    }

    void bandsReachTheHeightOfTheirBytes()
    {
        // One position, two equal bands: half the plot's used height each.
        auto scene = twoBands(1);
        scene->bands[0].values = {2048};
        ColumnPainter painter;
        painter.setScene(*scene);
        QImage image(10, 100, QImage::Format_RGB32);
        auto const theme = makeTheme(ThemeKind::Light);
        image.fill(theme[Token::Panel]);
        QPainter into(&image);
        painter.paint(into, QRect(0, 0, 10, 100), *scene, {0, 1, 10}, 0, 4096, theme);
        into.end();
        QCOMPARE(image.pixelColor(5, 75), bandColor(scene->bands[0], theme));
        QCOMPARE(image.pixelColor(5, 25), bandColor(scene->bands[1], theme));
    }

    void ticksAreRound()
    {
        QCOMPARE(axisTicks(0, 100, 5, false), (std::vector<double>{0, 20, 40, 60, 80, 100}));
        for (double const tick : axisTicks(0, 600000, 5, true)) QCOMPARE(std::fmod(tick, 131072), 0.0);
        QVERIFY(axisTicks(3, 3, 5, false).empty());
    }
};

TW_REGISTER_TEST(TstColumnChart);
#include "tst_column_chart.moc"
