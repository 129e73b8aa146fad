#include "tests/support/test_registry.h"

#include "engine/model/layer_spec.h"
#include "engine/model/param.h"
#include "views/properties/number_edit.h"
#include "views/properties/numbers_editor.h"

#include <QLineEdit>
#include <QLocale>
#include <QSignalSpy>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

class TstNumberEdit : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void readsNumbersOfTheLocale_data()
    {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("integer");
        QTest::addColumn<QString>("engine");
        QTest::newRow("comma") << "de_DE"
                               << "0,5" << false << "0.5";
        QTest::newRow("a point is no group") << "de_DE"
                                             << "0.001" << false << "0.001";
        QTest::newRow("exponent") << "de_DE"
                                  << "1e-3" << false << "1e-3";
        QTest::newRow("groups of a whole number") << "de_DE"
                                                  << "60.000" << true << "60000";
        QTest::newRow("English groups") << "en_US"
                                        << "60,000" << true << "60000";
        QTest::newRow("English comma stays") << "en_US"
                                             << "0,5" << false << "0,5";
        QTest::newRow("junk stays") << "de_DE"
                                    << "abc" << true << "abc";
        QTest::newRow("64 bits") << "en_US"
                                 << "9007199254740993" << true << "9007199254740993";
    }
    void readsNumbersOfTheLocale()
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
    void shownValuesAreReadBack()
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
    void arrowKeysStepWithOneSignal()
    {
        NumberEdit edit(true, 1.0, 6.0, nullptr);
        edit.setEngineText(QStringLiteral("5"));
        QSignalSpy steps(&edit, &NumberEdit::stepped);
        QTest::keyClick(&edit, Qt::Key_Up);
        QTest::keyClick(&edit, Qt::Key_Up); // it is at its end
        QCOMPARE(edit.engineText(), QStringLiteral("6"));
        QCOMPARE(steps.size(), 1);
    }
    void keepsInvalidText()
    {
        NumberEdit edit(true, 1.0, 6.0, nullptr);
        edit.show();
        QTest::keyClicks(&edit, QStringLiteral("12 pigs"));
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(edit.engineText(), QStringLiteral("12 pigs"));
    }

    // ---- several numbers in a row ------------------------------------------------------------------------

    void everyListOfAFixedLengthHasAFieldForEach()
    {
        int found = 0;
        for (auto const &layer : model::builtinLayers())
            for (auto const &param : layer.params) {
                if (param.type != model::ParamType::IntList || param.length <= 0 || param.orInteger) continue;
                ++found;
                auto const spec = specOf(param, QStringLiteral("model.layers.x.") + QString::fromStdString(param.name));
                std::unique_ptr<PropertyEditor> const editor(makeEditor(spec, nullptr));
                auto *numbers = qobject_cast<NumbersEditor *>(editor.get());
                QVERIFY2(numbers, param.name.c_str());
                QCOMPARE(static_cast<int>(numbers->fields().size()), param.length * (param.pairs ? 2 : 1));
                // A shown value is returned in the engine's form.
                if (spec.hasDefault) {
                    editor->show(spec.defaultText, false);
                    QVERIFY2(sameValue(editor->text(), spec.defaultText),
                             qPrintable(editor->text() + QStringLiteral(" | ") + spec.defaultText));
                }
                auto const set = model::normalizeParam(param, model::Json(static_cast<int>(param.min.value_or(0))), "x");
                QVERIFY(set.ok());
                editor->show(QString::fromStdString(set->dump()), false);
                auto const back = model::normalizeParam(param, model::valueFromText(param, editor->text().toStdString()), "x");
                QVERIFY2(back.ok() && *back == *set, qPrintable(editor->text()));
                for (auto const *field : numbers->fields()) QVERIFY(!field->accessibleName().isEmpty());
            }
        QVERIFY(found > 20);
    }
    void pairsAreTypedFieldByField()
    {
        PropertySpec spec;
        spec.kind = EditorKind::Numbers;
        spec.label = QStringLiteral("padding");
        spec.entries = 2;
        spec.pairs = true;
        std::unique_ptr<PropertyEditor> const editor(makeEditor(spec, nullptr));
        auto *numbers = qobject_cast<NumbersEditor *>(editor.get());
        QVERIFY(numbers);
        editor->show(QStringLiteral("[[0, 1], [2, 3]]"), false);
        QCOMPARE(editor->text(), QStringLiteral("[[0, 1], [2, 3]]"));
        QSignalSpy steps(editor.get(), &PropertyEditor::chosen);
        QTest::keyClick(numbers->fields()[2], Qt::Key_Up);
        QCOMPARE(editor->text(), QStringLiteral("[[0, 1], [3, 3]]"));
        QCOMPARE(steps.size(), 1);
        editor->show(QStringLiteral("4"), false); // one number applies to all
        QCOMPARE(editor->text(), QStringLiteral("[[4, 4], [4, 4]]"));
        editor->show(QStringLiteral("[1, 2]"), false); // one for each axis
        QCOMPARE(editor->text(), QStringLiteral("[[1, 1], [2, 2]]"));
        editor->show(QStringLiteral("\"valid\""), false); // another program's value stays as it is
        QCOMPARE(editor->text(), QStringLiteral("\"valid\""));
        editor->show({}, true); // several layers that differ
        QCOMPARE(editor->text(), QString());
    }
    void emptyInputIsNone()
    {
        PropertySpec spec;
        spec.kind = EditorKind::Numbers;
        spec.entries = 2;
        spec.nullable = true;
        std::unique_ptr<PropertyEditor> const editor(makeEditor(spec, nullptr));
        editor->show(QStringLiteral("null"), false);
        QCOMPARE(editor->text(), QStringLiteral("null"));
        editor->show(QStringLiteral("[2, 2]"), false);
        QCOMPARE(editor->text(), QStringLiteral("[2, 2]"));
    }
};

TW_REGISTER_TEST(TstNumberEdit);
#include "tst_number_edit.moc"
