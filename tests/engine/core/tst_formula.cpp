#include "engine/core/formula.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>

using namespace tilewright;

class TstFormula : public QObject {
    Q_OBJECT

    static double at(char const *text, double t = 3)
    {
        auto const formula = parseFormula(text);
        if (!formula.ok()) qFatal("%s", toText(formula.error()).c_str());
        return valueOf(*formula, [t](std::string_view name) { return name == "t" ? std::optional(t) : std::nullopt; }).value_or(-999);
    }

private slots:
    void operatorsBindAsInMathematics()
    {
        QCOMPARE(at("1 + 2 * 3"), 7.0);
        QCOMPARE(at("(1 + 2) * 3"), 9.0);
        QCOMPARE(at("10 - 3 - 2"), 5.0);
        QCOMPARE(at("16 / 4 / 2"), 2.0);
        QCOMPARE(at("2 ^ 3 ^ 2"), 512.0);
        QCOMPARE(at("2 ** 3 ** 2 * 2"), 1024.0);
        QCOMPARE(at("-2 ^ 2"), -4.0);
        QCOMPARE(at("2 ^ -1"), 0.5);
        QCOMPARE(at("2 * -3"), -6.0);
        QCOMPARE(at("1 - 0.5 ^ t"), 0.875);
        QCOMPARE(at("2.5e-1 + 1E+1"), 10.25);
    }
    void functionsAreComputed()
    {
        QCOMPARE(at("sqrt(square(t) + 16)"), 5.0);
        QCOMPARE(at("max(min(t, 2), abs(-1))"), 2.0);
        QCOMPARE(at("select(greater(t, 2), sign(-t), 7)"), -1.0);
        QCOMPARE(at("select(greater(t, 4), 1, exp(log(t)))"), std::exp(std::log(3.0)));
    }
    void textsAreReadBack()
    {
        for (char const *text :
             {"1 + 2 * 3", "(1 + 2) * 3", "a - (b - c)", "a - b - c", "a / (b * c)", "-a ^ 2", "(-a) ^ 2", "a ^ b ^ c", "(a ^ b) ^ c",
              "2 * -a", "-(a + b)", "select(greater(abs(z), 0.1), (sign(z) * l1 - z) / q, 0)", "1e-07 + (-2) ^ t", "norm(w)"}) {
            auto const formula = parseFormula(text);
            QVERIFY2(formula.ok(), text);
            auto const again = parseFormula(toText(*formula));
            QVERIFY2(again.ok(), toText(*formula).c_str());
            QVERIFY2(*again == *formula, toText(*formula).c_str());
        }
        QCOMPARE(toText(*parseFormula("((a)+(b*c))")), std::string("a + b * c"));
    }
    void whatIsNoFormulaIsRefused()
    {
        for (std::string const &text :
             {std::string(""), std::string("1 +"), std::string("(1"), std::string("1)"), std::string("sqrt()"), std::string("sqrt(1, 2)"),
              std::string("max(1)"), std::string("sine(1)"), std::string("1 2"), std::string("1e"), std::string("1..2"),
              std::string("a = b"), std::string(5000, '('), std::string(3000, '-') + "1", std::string(5000, '1')})
            QVERIFY2(!parseFormula(text).ok(), text.substr(0, 20).c_str());
    }
    void namesAndWholeTensorsHaveNoValueOfTheirOwn()
    {
        auto const none = [](std::string_view) { return std::optional<double>(); };
        QVERIFY(!valueOf(*parseFormula("1 + x"), none));
        QVERIFY(!valueOf(*parseFormula("norm(1)"), none));
        QCOMPARE(valueOf(*parseFormula("2"), none), std::optional<double>(2.0));
    }
    void stepsHaveNames()
    {
        auto const steps = parseFormulaSteps("m = b * m; w_1 = w - lr * m");
        QVERIFY(steps.ok());
        QCOMPARE(steps->size(), std::size_t{2});
        QCOMPARE((*steps)[1].name, std::string("w_1"));
        QCOMPARE(toText((*steps)[1].formula), std::string("w - lr * m"));
        for (char const *text : {"", "m", "= 1", "1m = 2", "m = 1;", "m n = 1", "m = = 2"}) QVERIFY2(!parseFormulaSteps(text).ok(), text);
    }
};

TW_REGISTER_TEST(TstFormula);
#include "tst_formula.moc"
