#include "engine/core/result.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;

namespace {

Result<int> half(int value)
{
    if (value % 2) return makeError(ErrorKind::Invalid, "test.odd", std::to_string(value), "is odd", "Use an even number.");
    return value / 2;
}

Result<int> quarter(int value)
{
    TW_ASSIGN(int const h, half(value));
    return half(h);
}

} // namespace

class TstResult : public QObject {
    Q_OBJECT
private slots:
    void passesValuesThrough() { QCOMPARE(quarter(12).value(), 3); }
    void stopsAtTheFirstError()
    {
        auto const result = quarter(6);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().subject, std::string("3"));
        QCOMPARE(toText(result.error()), std::string("3: is odd. Use an even number."));
    }
    void statusIsOkByDefault()
    {
        Status const status;
        QVERIFY(status.ok());
    }
};

TW_REGISTER_TEST(TstResult);
#include "tst_result.moc"
