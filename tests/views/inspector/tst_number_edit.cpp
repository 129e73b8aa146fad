#include "tests/support/test_registry.h"

#include "views/properties/number_edit.h"

#include <QLineEdit>
#include <QLocale>
#include <QtTest>

using namespace tilewright::views;

class TstNumberEdit : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void readsWhatThePersonsLocaleWrites_data()
    {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("integer");
        QTest::addColumn<QString>("engine");
        QTest::newRow("comma") << "de_DE" << "0,5" << false << "0.5";
        QTest::newRow("a point is no group") << "de_DE" << "0.001" << false << "0.001";
        QTest::newRow("exponent") << "de_DE" << "1e-3" << false << "1e-3";
        QTest::newRow("groups of a whole number") << "de_DE" << "60.000" << true << "60000";
        QTest::newRow("English groups") << "en_US" << "60,000" << true << "60000";
        QTest::newRow("English comma stays") << "en_US" << "0,5" << false << "0,5";
        QTest::newRow("junk stays") << "de_DE" << "abc" << true << "abc";
        QTest::newRow("64 bits") << "en_US" << "9007199254740993" << true << "9007199254740993";
    }
    void readsWhatThePersonsLocaleWrites()
    {
        QFETCH(QString, locale);
        QFETCH(QString, typed);
        QFETCH(bool, integer);
        QLocale::setDefault(QLocale(locale));
        QTEST(numberToEngine(typed, integer), "engine");
    }
    void showsTheLocalesMark()
    {
        QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
        QCOMPARE(numberFromEngine(QStringLiteral("0.001")), QStringLiteral("0,001"));
        QCOMPARE(numberFromEngine(QStringLiteral("1.0")), QStringLiteral("1"));
        QCOMPARE(numberFromEngine(QStringLiteral("null")), QStringLiteral("null"));
    }
    void readsBackWhatItShows()
    {
        QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
        for (char const *text : {"0.1", "1e-07", "123456.789", "0.30000000000000004", "-2.5"})
            QCOMPARE(numberToEngine(numberFromEngine(QLatin1String(text)), false), QLatin1String(text));
    }
    void stepsByTheLeadingDigit()
    {
        QCOMPARE(steppedNumber(0.001, 1, false, {}, {}), 0.002);
        QCOMPARE(steppedNumber(0.001, -1, false, {}, {}), 0.0009);
        QCOMPARE(steppedNumber(0.9, 1, false, 0.0, 1.0), 1.0);
        QCOMPARE(steppedNumber(1.0, 1, false, 0.0, 1.0), 1.0);
        QCOMPARE(steppedNumber(32, 10, true, 1.0, {}), 42.0);
        QCOMPARE(steppedNumber(1, -1, true, 1.0, {}), 1.0);
    }
    void aWheelOverAFieldWithoutTheKeyboardChangesNothing()
    {
        NumberEdit edit(true, 1.0, 100.0, nullptr);
        edit.setEngineText(QStringLiteral("5"));
        QWheelEvent wheel({5, 5}, edit.mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&edit, &wheel);
        QCOMPARE(edit.engineText(), QStringLiteral("5"));
        QVERIFY(!wheel.isAccepted());
    }
    void arrowKeysStepAndTellOnce()
    {
        NumberEdit edit(true, 1.0, 6.0, nullptr);
        edit.setEngineText(QStringLiteral("5"));
        QSignalSpy steps(&edit, &NumberEdit::stepped);
        QTest::keyClick(&edit, Qt::Key_Up);
        QTest::keyClick(&edit, Qt::Key_Up); // stands at its end
        QCOMPARE(edit.engineText(), QStringLiteral("6"));
        QCOMPARE(steps.size(), 1);
    }
    void keepsJunk()
    {
        NumberEdit edit(true, 1.0, 6.0, nullptr);
        edit.show();
        QTest::keyClicks(&edit, QStringLiteral("12 pigs"));
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(edit.engineText(), QStringLiteral("12 pigs"));
    }
};

TW_REGISTER_TEST(TstNumberEdit);
#include "tst_number_edit.moc"
