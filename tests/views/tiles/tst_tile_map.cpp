#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"
#include "views/tiles/scale_legend.h"
#include "views/tiles/tile_image.h"
#include "views/tiles/tile_map_widget.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace tilewright::views;

namespace {

TileFloor dies(int ipus, int perIpu = 1472, int across = 64)
{
    std::vector<QPoint> places;
    for (int i = 0; i < perIpu; ++i) places.emplace_back(i % across, i / across);
    return makeFloor(ipus, perIpu, places);
}

std::vector<std::int64_t> ramp(int tiles)
{
    std::vector<std::int64_t> values;
    for (int t = 0; t < tiles; ++t) values.push_back(t);
    return values;
}

struct Shown {
    TileMapWidget map;
    explicit Shown(TileFloor const &floor, QSize size = {800, 500})
    {
        map.resize(size);
        map.setFloor(floor);
        auto const values = ramp(floor.tiles());
        map.setValues(values, scaleFor(ScaleKind::Linear, values, 0));
        map.show();
        (void)QTest::qWaitForWindowExposed(&map);
    }
    QPoint middle(int tile) const { return map.rectOf(tile).center(); }
};

} // namespace

class TstTileMap : public QObject {
    Q_OBJECT
private slots:
    void everyTileIsHitByEveryPixelOfItsCell()
    {
        for (int const ipus : {1, 2, 5, 64}) {
            auto const floor = dies(ipus, 72, 9);
            FloorHits const hits(floor);
            for (QSize const size : {QSize(300, 200), QSize(901, 333), QSize(200, 900)}) {
                auto const geometry = placeFloor(floor, size, 14);
                std::vector<int> seen(static_cast<std::size_t>(floor.tiles()), 0);
                for (int y = 0; y < 1200; ++y)
                    for (int x = 0; x < 1200; ++x)
                        if (int const tile = hits.tileAt(floor, geometry, {x, y}); tile >= 0) {
                            QVERIFY(geometry.cellOf(floor, tile).contains(x, y));
                            ++seen[static_cast<std::size_t>(tile)];
                        }
                for (int const pixels : seen) QCOMPARE(pixels, geometry.cell.width() * geometry.cell.height());
            }
        }
    }

    void panelsDoNotOverlapAndFitWhereTheyCan()
    {
        auto const floor = dies(64);
        QSize const size = leastFloorSize(floor, 12);
        auto const geometry = placeFloor(floor, QSize(1920, 1000), 12);
        QVERIFY(geometry.cell.width() >= 2);
        for (int a = 0; a < 64; ++a) {
            QVERIFY(QRect(0, 0, 1920, 1000).contains(geometry.panelOf(floor, a)));
            for (int b = a + 1; b < 64; ++b) QVERIFY(!geometry.panelOf(floor, a).intersects(geometry.panelOf(floor, b)));
        }
        auto const tight = placeFloor(floor, size, 12);
        QVERIFY(tight.cell.width() >= 1 && tight.cell.height() >= 1);
        for (int ipu = 0; ipu < 64; ++ipu) QVERIFY(QRect(QPoint(0, 0), size).contains(tight.panelOf(floor, ipu)));
    }

    void placesAreShownWhereTheReportPutsThem()
    {
        auto const floor = makeFloor(1, 3, {{5, 2}, {6, 2}, {5, 3}});
        QCOMPARE(floor.columns, 2);
        QCOMPARE(floor.rows, 2);
        QCOMPARE(floor.cells[2], QPoint(0, 1));
        QCOMPARE(makeFloor(1, 8, {}).cells.size(), std::size_t(8)); // without places: dealt out in order
    }

    void checkerRampAndHotTileHaveTheColoursOfTheirValues()
    {
        auto const floor = dies(1, 64, 8);
        auto const geometry = placeFloor(floor, QSize(240, 240), 0);
        QImage image(240, 240, QImage::Format_RGB32);
        auto const theme = makeTheme(ThemeKind::Light);
        std::vector<std::int64_t> hot(64, 1), checker;
        hot[42] = 1000;
        for (int t = 0; t < 64; ++t) checker.push_back((t + t / 8) % 2 * 500);
        for (auto const &values : {ramp(64), hot, checker}) {
            auto const scale = scaleFor(ScaleKind::Linear, values, 0);
            paintTiles(image, floor, geometry, values, scale, theme, {});
            ScaleColors const colors(scale, theme);
            for (int t = 0; t < 64; ++t)
                QCOMPARE(image.pixel(geometry.cellOf(floor, t).center()), colors(values[static_cast<std::size_t>(t)]));
        }
    }

    void tilesOverTheLimitAreHatchedNotOnlyColoured()
    {
        auto const floor = dies(1, 4, 2);
        auto const geometry = placeFloor(floor, QSize(100, 100), 0);
        QImage image(100, 100, QImage::Format_RGB32);
        auto const theme = makeTheme(ThemeKind::Dark);
        std::vector<std::int64_t> const values{10, 200, 10, 10};
        paintTiles(image, floor, geometry, values, scaleFor(ScaleKind::ShareOfLimit, values, 100), theme, {});
        auto const colorsOf = [&](int tile) {
            std::set<QRgb> found;
            auto const cell = geometry.cellOf(floor, tile).adjusted(1, 1, -2, -2);
            for (int y = cell.top(); y <= cell.bottom(); ++y)
                for (int x = cell.left(); x <= cell.right(); ++x) found.insert(image.pixel(x, y));
            return found;
        };
        QCOMPARE(colorsOf(0).size(), std::size_t(1));
        QVERIFY(colorsOf(1).count(theme[Token::Bad].rgb()) && colorsOf(1).size() == 2);
    }

    void scalesKeepTheirEnds()
    {
        std::vector<std::int64_t> const values{0, 8, 1024};
        auto const log = scaleFor(ScaleKind::Logarithmic, values, 0);
        QCOMPARE(log.shareOf(8), 0.0);
        QCOMPARE(log.shareOf(1024), 1.0);
        QVERIFY(std::abs(log.shareOf(128) - 4.0 / 7) < 1e-12);
        auto const difference = scaleFor(ScaleKind::Diverging, std::vector<std::int64_t>{-5, 2}, 3);
        QCOMPARE(difference.shareOf(-5), -1.0);
        QCOMPARE(difference.shareOf(0), 0.0);
        QVERIFY(!difference.isOver(100));
        QCOMPARE(scaleFor(ScaleKind::Diverging, std::vector<std::int64_t>{0, 0}, 0).shareOf(0), 0.0);
        QCOMPARE(scaleFor(ScaleKind::ShareOfLimit, values, 512).shareOf(1024), 2.0);
        // Nearly equal values use the whole scale, equal ones have nothing to tell apart.
        auto const close = scaleFor(ScaleKind::Linear, std::vector<std::int64_t>{200, 210, 205}, 0);
        QCOMPARE(close.shareOf(200), 0.0);
        QCOMPARE(close.shareOf(205), 0.5);
        QCOMPARE(scaleFor(ScaleKind::Linear, std::vector<std::int64_t>{100, 210}, 0).min, std::int64_t{0});
        QCOMPARE(scaleFor(ScaleKind::Linear, std::vector<std::int64_t>{7, 7}, 0).shareOf(7), 1.0);
    }

    void clicksPickToggleRangeAndBrush()
    {
        Shown shown(dies(2, 64, 8));
        QSignalSpy picks(&shown.map, &TileMapWidget::picked);
        QTest::mouseClick(&shown.map, Qt::LeftButton, {}, shown.middle(70));
        QCOMPARE(picks.count(), 1);
        QCOMPARE(picks[0][0].value<std::vector<int>>(), std::vector<int>{70});
        QCOMPARE(shown.map.currentTile(), 70);
        QTest::mouseClick(&shown.map, Qt::LeftButton, Qt::ControlModifier, shown.middle(3));
        QCOMPARE(picks[1][1].value<Qt::KeyboardModifiers>(), Qt::KeyboardModifiers(Qt::ControlModifier));
        auto const from = shown.map.rectOf(0).topLeft(), to = shown.map.rectOf(18).bottomRight();
        QTest::mousePress(&shown.map, Qt::LeftButton, {}, from);
        QTest::mouseMove(&shown.map, (from + to) / 2);
        QTest::mouseMove(&shown.map, to);
        QTest::mouseRelease(&shown.map, Qt::LeftButton, {}, to);
        QCOMPARE(picks.count(), 3);
        QCOMPARE(picks[2][0].value<std::vector<int>>(), (std::vector<int>{0, 1, 2, 8, 9, 10, 16, 17, 18}));
        QSignalSpy opened(&shown.map, &TileMapWidget::activated);
        QTest::mouseDClick(&shown.map, Qt::LeftButton, {}, shown.middle(5));
        QCOMPARE(opened.last()[0].toInt(), 5);
    }

    void arrowKeysStepOverTheDie()
    {
        Shown shown(dies(1, 64, 8));
        shown.map.setMarked({9});
        QSignalSpy picks(&shown.map, &TileMapWidget::picked);
        QTest::keyClick(&shown.map, Qt::Key_Right);
        QTest::keyClick(&shown.map, Qt::Key_Down);
        QTest::keyClick(&shown.map, Qt::Key_Left);
        QTest::keyClick(&shown.map, Qt::Key_Up);
        QCOMPARE(picks.count(), 4);
        QCOMPARE(picks[0][0].value<std::vector<int>>(), std::vector<int>{10});
        QCOMPARE(picks[1][0].value<std::vector<int>>(), std::vector<int>{18});
        QCOMPARE(shown.map.currentTile(), 9);
        shown.map.setCurrentTile(0);
        QTest::keyClick(&shown.map, Qt::Key_Up); // the edge: nothing
        QCOMPARE(picks.count(), 4);
    }

    void ctrlWheelMakesTilesLargerAndBack()
    {
        Shown shown(dies(4));
        auto const before = shown.map.rectOf(100).size();
        auto const turn = [&](int delta) {
            QPointF const at(100, 100);
            QWheelEvent event(at, shown.map.mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase,
                              false);
            QCoreApplication::sendEvent(&shown.map, &event);
        };
        turn(240);
        QTRY_VERIFY(shown.map.rectOf(100).width() > before.width());
        QCOMPARE(shown.map.tileAt(shown.middle(100)), 100);
        turn(-240);
        QCOMPARE(shown.map.minimumSize(), QSize(0, 0));
    }

    void edgesNumberTheirTiles()
    {
        TileMapWidget map;
        map.resize(400, 180);
        std::vector<QPoint> places;
        for (int i = 0; i < 200; ++i) places.emplace_back(i / 10, i % 10); // columns of ten
        map.setFloor(makeFloor(1, 200, places));
        auto const numbers = map.edgeNumbers();
        QVERIFY(numbers.size() >= 8);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            QVERIFY(map.rect().contains(numbers[i].place));
            QVERIFY(numbers[i].tile % 10 == 0 || numbers[i].tile % 10 == 9);
            for (int tile = 0; tile < 200; ++tile) QVERIFY(!numbers[i].place.intersects(map.rectOf(tile)));
            for (std::size_t j = 0; j < i; ++j) QVERIFY(!numbers[i].place.intersects(numbers[j].place));
        }
        map.setFloor(makeFloor(4, 200, places)); // several dies: their names stand there
        QVERIFY(map.edgeNumbers().empty());
    }
    void largeTilesCarryTheirNumbers()
    {
        TileMapWidget map;
        map.resize(400, 180);
        map.setFloor(makeFloor(1, 200, {}));
        QVERIFY(!map.hasNumbersInTiles());
        map.resize(1400, 600);
        map.setValues(std::vector<std::int64_t>(200, 500), {ScaleKind::Linear, 0, 1000, 0});
        QVERIFY(map.grab().width() > 0);
        QVERIFY(map.hasNumbersInTiles() && map.edgeNumbers().empty());
        QImage const image = map.grab().toImage();
        for (int const tile : {0, 77, 199}) { // something else than one colour within each
            QRect const cell = map.rectOf(tile).adjusted(3, 3, -4, -4);
            QSet<QRgb> seen;
            for (int y = cell.top(); y <= cell.bottom(); ++y)
                for (int x = cell.left(); x <= cell.right(); ++x) seen.insert(image.pixel(x, y));
            QVERIFY(seen.size() > 2);
        }
    }
    void theChosenTileIsSeenOnEveryColour()
    {
        for (auto const kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, kind);
            TileMapWidget map;
            map.resize(900, 300);
            map.setFloor(makeFloor(1, 200, {}));
            for (std::int64_t const value : {0, 1000}) {
                map.setValues(std::vector<std::int64_t>(200, value), {ScaleKind::Linear, 0, 1000, 0});
                map.setCurrentTile(77);
                QImage const image = map.grab().toImage();
                // Outwards from its middle: its colour, the accent, the ground, then the neighbour.
                QRect const cell = map.rectOf(77);
                QSet<QRgb> crossed;
                for (int x = cell.center().x(); x < cell.right() + 8; ++x) crossed.insert(image.pixel(x, cell.center().y()));
                QVERIFY(crossed.contains(theme()[Token::Accent].rgb()));
                QVERIFY(crossed.contains(theme()[Token::Panel].rgb()));
            }
        }
        applyTheme(*qApp, ThemeKind::Light);
    }

    void severalChosenTilesAreSeenOnEveryColour()
    {
        for (auto const kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, kind);
            TileMapWidget map;
            map.resize(900, 300);
            map.setFloor(makeFloor(1, 200, {}));
            for (std::int64_t const value : {0, 1000}) {
                map.setValues(std::vector<std::int64_t>(200, value), {ScaleKind::Linear, 0, 1000, 0});
                map.setMarked({70, 71});
                QImage const image = map.grab().toImage();
                QRect const cell = map.rectOf(70);
                QSet<QRgb> crossed;
                for (int y = cell.top() - 4; y < cell.center().y(); ++y) crossed.insert(image.pixel(cell.center().x(), y));
                QVERIFY(crossed.contains(theme()[Token::Accent].rgb()));
                QVERIFY(crossed.contains(theme()[Token::Panel].rgb()));
            }
        }
        applyTheme(*qApp, ThemeKind::Light);
    }

    void modifiersCombineChoices()
    {
        std::vector<int> const before{2, 5, 9};
        QCOMPARE(combineTiles(before, {5}, Qt::NoModifier, 2), std::vector<int>{5});
        QCOMPARE(combineTiles(before, {5}, Qt::ControlModifier, 2), (std::vector<int>{2, 9}));
        QCOMPARE(combineTiles(before, {7}, Qt::ControlModifier, 2), (std::vector<int>{2, 5, 7, 9}));
        QCOMPARE(combineTiles({2}, {5}, Qt::ShiftModifier, 2), (std::vector<int>{2, 3, 4, 5}));
        QCOMPARE(combineTiles(before, {1, 0}, Qt::ShiftModifier, 2), (std::vector<int>{0, 1, 2, 5, 9}));
    }

    /// In each width that a legend accepts, whatever its scale has to say.
    void textsOfALegendKeepApart()
    {
        for (auto const kind : {ScaleKind::Linear, ScaleKind::ShareOfLimit, ScaleKind::Diverging})
            for (std::int64_t const limit : {0, 638976}) {
                ScaleLegend legend;
                legend.setScale({kind, kind == ScaleKind::Diverging ? -1000000 : 0, 1000000, limit},
                                [](std::int64_t bytes) { return QStringLiteral("%1 Bytes").arg(bytes); });
                for (int width = legend.minimumSizeHint().width(); width < 500; width += 7) {
                    auto const at = legend.places(width);
                    QCOMPARE(legend.heightForWidth(width), at.height);
                    QList<QRect> texts(at.labels.begin(), at.labels.end());
                    texts << at.over;
                    for (int i = 0; i < texts.size(); ++i) {
                        if (texts[i].isEmpty()) continue;
                        QVERIFY2(QRect(0, 0, width, at.height).contains(texts[i]),
                                 qPrintable(QStringLiteral("%1 at %2").arg(i).arg(width)));
                        for (int j = 0; j < i; ++j)
                            QVERIFY2(!texts[i].intersects(texts[j]),
                                     qPrintable(QStringLiteral("%1 and %2 at %3").arg(i).arg(j).arg(width)));
                    }
                }
            }
    }

    void ninetyFourThousandTilesRecolourWithinAFrame()
    {
        auto const floor = dies(64);
        auto const geometry = placeFloor(floor, QSize(1920, 1000), 14);
        QImage image(1920, 1000, QImage::Format_RGB32);
        auto values = ramp(floor.tiles());
        auto const scale = scaleFor(ScaleKind::Linear, values, 0);
        auto const theme = makeTheme(ThemeKind::Light);
        qint64 best = INT64_MAX;
        for (int round = 0; round < 7; ++round) {
            for (auto &value : values) value = (value * 7 + 13) % 94208;
            QElapsedTimer timer;
            timer.start();
            paintTiles(image, floor, geometry, values, scale, theme, {});
            best = std::min(best, timer.nsecsElapsed());
        }
        QVERIFY2(best < 16'700'000 * tilewright::tests::kSanitizerSlowdown,
                 qPrintable(QStringLiteral("%1 ms").arg(static_cast<double>(best) / 1e6)));
    }
};

TW_REGISTER_TEST(TstTileMap);
#include "tst_tile_map.moc"
