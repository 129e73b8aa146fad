#include "engine/core/text.h"
#include "engine/core/types.h"
#include "tests/support/test_registry.h"

#include <limits>

#include <QtTest>

using namespace tilewright;

class TstText : public QObject {
    Q_OBJECT
private slots:
    void findsTheNearestName()
    {
        std::vector<std::string> const names{"auto_select_ipus", "select_ipus", "allow_recompute"};
        QCOMPARE(nearestName("allow_recompte", names), std::string("allow_recompute"));
        QCOMPARE(nearestName("zzzzzz", names), std::string());
    }
    void groupsDigits()
    {
        QCOMPARE(groupedDigits(235146), std::string("235,146"));
        QCOMPARE(groupedDigits(-1000), std::string("-1,000"));
        QCOMPARE(groupedDigits(999), std::string("999"));
        QCOMPARE(groupedDigits(-100), std::string("-100"));
        QCOMPARE(groupedDigits(std::numeric_limits<std::int64_t>::min()), std::string("-9,223,372,036,854,775,808"));
    }
    void readsTypeNamesOfKeras()
    {
        QVERIFY(parseDType("float32") == DType::F32);
        QVERIFY(parseDType("half") == DType::F16);
        QVERIFY(!parseDType("float64"));
    }
    void numbersReadBack()
    {
        QCOMPARE(std::stod(numberText(0.1)), 0.1);
        QCOMPARE(numberText(1e9), std::string("1000000000")); // limits are read by people
        QCOMPARE(numberText(-0.5), std::string("-0.5"));
        QCOMPARE(std::stod(numberText(1e300)), 1e300);
    }
};

TW_REGISTER_TEST(TstText);
#include "tst_text.moc"
