#include "engine/device/board_model.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::device;

class TstBoardModel : public QObject {
    Q_OBJECT

    static BoardCurve curveOf(char const *name) { return boardCurve(target::parseMachine(name).value().chip); }
    static bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

private slots:
    void reproducesTheVendorsPowerTest()
    {
        // Samples: loaded IPU 123.5 to 124.5 W and 38 to 43 C at 1330 MHz, idle neighbour 47.5 to 49 W, pair 172 W.
        auto const curve = curveOf("gc200");
        BoardModel loaded(curve);
        BoardModel const idle(curve);
        loaded.advance(600, 1, 0);
        QVERIFY(near(loaded.reading().watts, 124, 0.5));
        QVERIFY(near(loaded.reading().dieCelsius, 40.5, 2.5));
        QCOMPARE(loaded.reading().clockMhz, 1330.0);
        QVERIFY(near(idle.reading().watts, 48, 0.5));
        double const pair = loaded.reading().watts + idle.reading().watts;
        QVERIFY(near(pair, 172, 0.5));
        QVERIFY(near(boardCelsius(curve, pair), 36.5, 4.5));
    }
    void temperatureFollowsPowerWithOneTimeConstant()
    {
        auto const curve = curveOf("gc200");
        BoardModel model(curve);
        double const start = model.reading().dieCelsius;
        model.advance(curve.timeConstantSeconds, 1, 0);
        double const steady = curve.inletCelsius + curve.dieKelvinPerWatt * model.reading().watts;
        QVERIFY(near(model.reading().dieCelsius, steady + (start - steady) / std::exp(1.0), 1e-9));
        // Two halves make a whole: the reading does not depend on how often it is updated.
        BoardModel halves(curve);
        halves.advance(curve.timeConstantSeconds / 2, 1, 0);
        halves.advance(curve.timeConstantSeconds / 2, 1, 0);
        QVERIFY(near(halves.reading().dieCelsius, model.reading().dieCelsius, 1e-9));
        model.advance(600, 0, 0);
        QVERIFY(near(model.reading().dieCelsius, start, 1e-6));
    }
    void clockDropsWhenTheCapIsReached()
    {
        BoardModel model(curveOf("gc2"));
        model.advance(1, 1, 1);
        QCOMPARE(model.reading().watts, 150.0);
        QVERIFY(model.reading().clockMhz < 1600);
        QVERIFY(model.reading().clockMhz > 1300);
    }
    void bowDrawsMoreThanGc200AtTheSameLoad()
    {
        BoardModel bow(curveOf("bow")), gc200(curveOf("gc200"));
        bow.advance(1, 1, 0.5);
        gc200.advance(1, 1, 0.5);
        QVERIFY(near((bow.reading().watts - 48) / (gc200.reading().watts - 48), 1.39 * 0.86, 1e-9));
    }
    void sharesOutsideTheirRangeAreClamped()
    {
        BoardModel model(curveOf("gc200"));
        model.advance(-5, 7, -1);
        QVERIFY(near(model.reading().watts, 124, 1e-9));
    }
};

TW_REGISTER_TEST(TstBoardModel);
#include "tst_board_model.moc"
