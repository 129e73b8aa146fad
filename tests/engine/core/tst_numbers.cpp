#include "engine/core/ascii.h"
#include "engine/core/numbers.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cctype>
#include <cmath>
#include <limits>

using namespace tilewright;

class TstNumbers : public QObject {
    Q_OBJECT
private slots:
    void wholeTextIsOneNumber()
    {
        QCOMPARE(parseReal("0.3"), std::optional<double>(0.3));
        QCOMPARE(parseReal("-3"), std::optional<double>(-3.0));
        QCOMPARE(parseReal("1e-5"), std::optional<double>(1e-5));
        for (auto const *text : {"", " 1", "1 ", "0,3", "1.5x", "0x10", "+1", "inf", "nan", "1e999", "-1e999", "."})
            QVERIFY2(!parseReal(text), text);
        QCOMPARE(parseInteger("-9223372036854775808"), std::optional(std::numeric_limits<std::int64_t>::min()));
        for (auto const *text : {"", "9223372036854775808", "1.0", " 1", "1e3"}) QVERIFY2(!parseInteger(text), text);
        QCOMPARE(parseIntegerAs<int>("2147483647"), std::optional<int>(2147483647));
        QVERIFY(!parseIntegerAs<int>("2147483648"));
        QVERIFY(!parseIntegerAs<unsigned>("-1"));
    }
    void numbersBelowTheSmallestDoubleAreZero()
    {
        QCOMPARE(parseReal("1e-310"), std::optional<double>(1e-310)); // denormal: std::stod throws
        QCOMPARE(parseReal("1e-400"), std::optional<double>(0.0));
        QVERIFY(std::signbit(*parseReal("-1e-400")));
        QCOMPARE(parseReal("0." + std::string(400, '0') + "1"), std::optional<double>(0.0));
        QVERIFY(!parseReal("1" + std::string(400, '0')));
    }
    void wordsAreNumbersWhereAsked()
    {
        QVERIFY(std::isinf(parseRealOrWord("-inf").value_or(0)));
        QVERIFY(std::isnan(parseRealOrWord("nan").value_or(0)));
        QVERIFY(!parseRealOrWord("none"));
    }
    void printsAsPrintf_data()
    {
        QTest::addColumn<double>("value");
        for (double const value : {0.0, -0.0, 0.5, -2.5, 1.005, 123456.789, 1e-5, 1e21, 1e300, -1e-300, 1.0 / 3, HUGE_VAL})
            QTest::newRow(QByteArray::number(value)) << value;
    }
    void printsAsPrintf()
    {
        QFETCH(double, value);
        char buffer[400];
        for (int const digits : {0, 1, 2, 6}) {
            std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
            QCOMPARE(fixedText(value, digits), std::string(buffer));
            std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
            QCOMPARE(shortText(value, digits), std::string(buffer));
            std::snprintf(buffer, sizeof buffer, "%.*e", digits, value);
            QCOMPARE(scientificText(value, digits), std::string(buffer));
        }
    }
    void characterClassesAreThoseOfTheCLocale()
    {
        for (int code = 0; code < 256; ++code) {
            char const c = static_cast<char>(code);
            QCOMPARE(isAsciiDigit(c), std::isdigit(code) != 0);
            QCOMPARE(isAsciiLetter(c), std::isalpha(code) != 0);
            QCOMPARE(isAsciiBlank(c), std::isspace(code) != 0);
            QCOMPARE(asciiLower(c), static_cast<char>(std::tolower(code)));
            QCOMPARE(asciiUpper(c), static_cast<char>(std::toupper(code)));
        }
    }
};

TW_REGISTER_TEST(TstNumbers);
#include "tst_numbers.moc"
