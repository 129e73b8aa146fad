#include "engine/core/safe_text.h"
#include "tests/support/test_registry.h"

#include <QJsonDocument>
#include <QtTest>

using namespace tilewright;

namespace {

/// A string literal with bytes in it, also zero.
template <std::size_t N> std::string raw(char const (&text)[N]) { return std::string(text, N - 1); }

} // namespace

class TstSafeText : public QObject {
    Q_OBJECT
private slots:
    void writesControlCharactersAsEscapes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("safe");
        auto const row = [](char const *name, std::string const &text, std::string const &safe) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray::fromStdString(safe);
        };
        row("plain", "dense/kernel 3 x 4", "dense/kernel 3 x 4");
        row("letters", "Größe 模型 🙂", "Größe 模型 🙂");
        row("escape sequence", "a\x1b[31mred", "a\\x1b[31mred");
        row("title of the window", "\x1b]0;gone\x07", "\\x1b]0;gone\\x07");
        row("control sequence of one byte, as UTF-8",
            "\xc2\x9b"
            "31m",
            "\\x9b31m");
        row("the same as a bare byte", raw("\x9b") + "31m", "\\x9b31m");
        row("zero", raw("a\0b"), "a\\x00b");
        row("delete", "a\x7f", "a\\x7f");
        row("line ends", "a\r\n\tb", "a\\r\\n\\tb");
        row("override of direction", "exe.\xe2\x80\xaegpj", "exe.\\u202egpj");
        row("isolate", "\xe2\x81\xa6", "\\u2066");
        row("line separator", "\xe2\x80\xa8", "\\u2028");
        row("byte order mark", "\xef\xbb\xbfx", "\\ufeffx");
        row("tag", "\xf3\xa0\x81\x81", "\\U000e0041");
        row("latin 1", "caf\xe9!", "caf\\xe9!");
        row("overlong slash", "\xc0\xaf", "\\xc0\\xaf");
        row("surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80");
        row("beyond Unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
        row("cut character", "\xf0\x9f\x99", "\\xf0\\x9f\\x99");
    }
    void writesControlCharactersAsEscapes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, safe);
        auto const made = safeText(text.toStdString());
        QCOMPARE(QByteArray::fromStdString(made), safe);
        QCOMPARE(safeText(made), made);
        QVERIFY(isUtf8(made));
        QCOMPARE(isUtf8("x" + text.toStdString()), QString::fromUtf8("x" + text).toUtf8() == "x" + text); // it drops a mark at the start
    }
    void keepsIntendedLineBreaks() { QCOMPARE(safeText("a\tb\nc\r\x1b", Breaks::Kept), std::string("a\tb\nc\\r\\x1b")); }
    void everyByteComesOutHarmless()
    {
        for (int first = 0; first < 256; ++first)
            for (int second = 0; second < 256; ++second) {
                std::string const text{static_cast<char>(first), static_cast<char>(second), 'x'};
                auto const safe = safeText(text);
                QVERIFY(isUtf8(safe));
                for (unsigned char const c : safe) QVERIFY(c >= 0x20 && c != 0x7f);
            }
    }
    void documentsKeepTheirMeaning()
    {
        // Characters that JSON leaves unescaped: DEL, C1 controls, direction marks, also beyond 16 bits.
        std::string const document = "{\"a\": \"x\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81ü\",\n \"b\": 1}";
        QCOMPARE(safeJson(document), std::string("{\"a\": \"x\\u007f\\u009b\\u202e\\udb40\\udc41ü\",\n \"b\": 1}"));
        auto const parsed = [](std::string const &text) { return QJsonDocument::fromJson(QByteArray::fromStdString(text)); };
        QVERIFY(!parsed(document).isNull());
        QCOMPARE(parsed(safeJson(document)), parsed(document));
    }
    void quotesAFewCharactersOnly()
    {
        QCOMPARE(quotedContent("oops"), std::string("'oops'"));
        QCOMPARE(quotedContent("root:x:0:0:root:/root:/bin/sh"), std::string("'root:x:0:0:r…'"));
        QCOMPARE(quotedContent(std::string(10'000'000, '\x1b')), std::string("'\\x1b\\x1b\\x1b…'"));
        QCOMPARE(quotedContent("ääääääääääääää"), std::string("'ääääääääääää…'"));
        QCOMPARE(quotedContent(""), std::string("''"));
    }
    void countsCharacters()
    {
        QCOMPARE(characterCount("Größe"), std::size_t{5});
        QCOMPARE(characterCount(""), std::size_t{0});
        QCOMPARE(shortened("Größe", 3), std::string("Grö…"));
        QCOMPARE(shortened("Größe", 5), std::string("Größe"));
    }
};

TW_REGISTER_TEST(TstSafeText);
#include "tst_safe_text.moc"
