#include "engine/core/text_reader.h"
#include "engine/core/types.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;

class TstTextReader : public QObject {
    Q_OBJECT
    static TextReader reader(std::string_view text) { return {text, "test.text", "_-/"}; }

private slots:
    void quotedTextReadsBack()
    {
        for (std::string const text : {"", "a b", "\"", "'", "\\", "\\n", "line\nline", "\xff\t\r"})
            for (char quote : {'"', '\''}) {
                auto const quoted = quotedText(text, quote);
                auto in = reader(quoted);
                QCOMPARE(in.quoted(), text);
                QVERIFY(in.atEnd() && !in.failed());
            }
    }
    void wordsEndWhereNoneOfTheirCharactersFollow()
    {
        auto in = reader("a_b/c3 -x->y(z // not this )\n// nor that\n)");
        QCOMPARE(in.word(), std::string_view("a_b/c3"));
        QVERIFY(!in.takeWord("-")); // a part of one
        QVERIFY(in.takeWord("-x"));
        in.expect("->");
        QCOMPARE(in.peekWord(), std::string_view("y"));
        QCOMPARE(in.word(), std::string_view("y"));
        in.expect("(");
        in.expectWord("z");
        in.expect(")");
        QVERIFY(in.atEnd() && !in.failed());
    }
    void numbersAreOfTheirType()
    {
        auto in = reader("-7 300 0.5 [1, 2]");
        QCOMPARE(in.integer(), std::int64_t{-7});
        QCOMPARE(in.integer<int>(), 300);
        QCOMPARE(in.real(), 0.5);
        QCOMPARE(in.list<int>([&] { return in.integer<int>(); }), (std::vector<int>{1, 2}));
        QVERIFY(in.atEnd() && !in.failed());
        for (auto const *text : {"300", "-1", "99999999999999999999"}) {
            auto small = reader(text);
            small.integer<std::uint8_t>();
            QVERIFY2(small.failed(), text);
            QCOMPARE(small.error().message, std::string("the number is not in 0 … 255"));
        }
        auto large = reader("1e999");
        large.real();
        QVERIFY(large.failed());
    }
    void theFirstErrorIsKeptAndNothingIsTakenBehindIt()
    {
        auto in = reader("one\n  two three");
        in.expectWord("one");
        in.expectWord("three");
        QVERIFY(in.failed());
        QCOMPARE(in.error().code, std::string("test.text"));
        QVERIFY(in.error().kind == ErrorKind::Invalid);
        QCOMPARE(in.error().subject, std::string("line 2, column 3"));
        QCOMPARE(in.error().message, std::string("expected 'three', found 'two'"));
        QVERIFY(!in.takeWord("two") && !in.sees("two") && in.word().empty() && in.quoted().empty());
        QCOMPARE(in.integer(), std::int64_t{0});
        in.fail("more");
        QCOMPARE(in.error().message, std::string("expected 'three', found 'two'"));
    }
    void errorsQuoteTheInput_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("end") << QByteArray("{") << "line 1, column 2: expected 'x', but the text ends";
        QTest::newRow("character") << QByteArray("{\n}") << "line 2, column 1: expected 'x', found '}'";
        QTest::newRow("control") << QByteArray("{\x1b") << "line 1, column 2: expected 'x', found '\\x1b'";
        QTest::newRow("letter") << QByteArray("{ä") << "line 1, column 2: expected 'x', found 'ä'";
        QTest::newRow("long") << QByteArray("{averyveryverylongword") << "line 1, column 2: expected 'x', found 'averyveryver…'";
    }
    void errorsQuoteTheInput()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, error);
        auto in = reader({text.constData(), static_cast<std::size_t>(text.size())});
        in.expect("{");
        in.expectWord("x");
        QCOMPARE(QString::fromStdString(toText(in.error())), error);
    }
    void enumeratorsAreReadByTheirText()
    {
        auto in = reader("i32 i64");
        QVERIFY(in.enumeration<DType>(5, "the type") == DType::I32);
        in.enumeration<DType>(5, "the type");
        QCOMPARE(in.error().message, std::string("the type is not known: 'i64'"));
        QCOMPARE(in.error().subject, std::string("line 1, column 5"));
    }
};

TW_REGISTER_TEST(TstTextReader);
#include "tst_text_reader.moc"
