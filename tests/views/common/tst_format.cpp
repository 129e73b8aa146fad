#include "tests/support/test_registry.h"
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/unbroken.h"

#include <QFile>
#include <QFileInfo>
#include <QFontMetrics>
#include <QLabel>
#include <QLocale>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

using namespace tilewright::views;

class TstFormat : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        QLocale::setDefault(QLocale::c());
        setByteUnits(ByteUnits::Binary);
    }
    void cleanup() { init(); }
    void bytesHaveThreeDigits_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << qint64(0) << "0 B";
        QTest::newRow("some") << qint64(999) << "999 B";
        QTest::newRow("kib") << qint64(171 * 1024) << "171 KiB";
        QTest::newRow("mib") << qint64(2202010) << "2.10 MiB";
        QTest::newRow("just below") << qint64(1024 * 1024 - 1) << "1.00 MiB";
        QTest::newRow("negative") << qint64(-2048) << "-2.00 KiB";
    }
    void bytesHaveThreeDigits()
    {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(bytesText(bytes), text);
    }
    void aNumberStaysBesideItsUnit_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("kept"); // "_": a no-break space, "^": a word joiner
        QTest::newRow("share") << "does not fit: worst tile 500 %"
                               << "does not fit: worst tile 500_%";
        QTest::newRow("bytes") << "218 / 624 KiB placed, 0 B free"
                               << "218 / 624_KiB placed, 0_B free";
        QTest::newRow("time") << "509 µs a step, 1.1 s, 12 min"
                              << "509_µs a step, 1.1_s, 12_min";
        QTest::newRow("rate") << "62 samples/s (modelled)"
                              << "62 samples/^s (modelled)";
        QTest::newRow("clock") << "1.33 GHz"
                               << "1.33_GHz";
        QTest::newRow("words") << "4 steps, 2 backward, lstm/steps, 3 Walls"
                               << "4 steps, 2 backward, lstm/steps, 3 Walls";
    }
    void aNumberStaysBesideItsUnit()
    {
        QFETCH(QString, text);
        QFETCH(QString, kept);
        kept.replace(u'_', QChar(QChar::Nbsp)).replace(u'^', QChar(0x2060));
        QCOMPARE(unbroken(text), kept);
        QCOMPARE(unbroken(kept), kept);
    }
    void oneChoiceOfUnitsForAll()
    {
        setByteUnits(ByteUnits::Decimal);
        QCOMPARE(bytesText(2000000), QStringLiteral("2.00 MB"));
        setByteUnits(ByteUnits::Plain);
        QVERIFY(bytesText(2000000).startsWith(QLatin1String("2")) && bytesText(2000000).endsWith(QLatin1String(" B")));
    }
    void numbersFollowTheLocale()
    {
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(shareText(0.0931), QStringLiteral("9,3 %"));
        QCOMPARE(bytesText(2202010), QStringLiteral("2,10 MiB"));
        // One way to group digits, whatever is counted.
        QCOMPARE(cyclesText(93381), QStringLiteral("93.381 cycles"));
        QCOMPARE(countText(535818), QStringLiteral("535.818"));
        QCOMPARE(numberText(535818), QStringLiteral("535.818"));
    }
    void changesHaveNoExponent()
    {
        QCOMPARE(changeShareText(100, 112.5), QStringLiteral("+12.5 %"));
        QCOMPARE(changeShareText(100, 97), QStringLiteral("−3 %"));
        QCOMPARE(changeShareText(100, 100), QStringLiteral("0 %"));
        QCOMPARE(changePointsText(0.3388, 0.3384995), QStringLiteral("−0.03 points"));
        QCOMPARE(changePointsText(0.2, 0.3544), QStringLiteral("+15.4 points"));
        QCOMPARE(changeShareText(-2, -1), QStringLiteral("+50 %"));
        QCOMPARE(changeShareText(100, 990), QStringLiteral("+890 %"));
        QCOMPARE(changeShareText(100, 1980), QStringLiteral("19.8 times"));
        QVERIFY(!changeShareText(1, 4e7).contains(QLatin1Char('e'), Qt::CaseInsensitive)
                || changeShareText(1, 4e7).contains(QStringLiteral("times")));
        QCOMPARE(changeShareText(1e9, 1e9 + 1), QStringLiteral("+0.001 %"));
    }
    void sharesAndTimes()
    {
        QCOMPARE(shareText(0.41), QStringLiteral("41 %"));
        QCOMPARE(shareText(0.0931), QStringLiteral("9.3 %"));
        QCOMPARE(secondsText(64.6e-6), QStringLiteral("64.6 µs"));
        QCOMPARE(secondsText(1.1), QStringLiteral("1.10 s"));
        QCOMPARE(secondsText(0), QStringLiteral("0 s"));
        QLocale::setDefault(QLocale(QStringLiteral("en_US")));
        QCOMPARE(cyclesText(85917), QStringLiteral("85,917 cycles"));
        QCOMPARE(cyclesText(-85917), QStringLiteral("-85,917 cycles"));
        QCOMPARE(numberText(1e9), QStringLiteral("1,000,000,000"));
        QCOMPARE(numberText(0.12345), QStringLiteral("0.1235"));
    }
    void longNamesLoseTheirMiddle()
    {
        QFontMetrics const metrics{QFont()};
        QString const name = QStringLiteral("model/dense_1/MatMul_WeightUpdate/Conv_1/Convolve");
        QCOMPARE(elidePath(name, metrics, 100000), name);
        QString const cut = elidePath(name, metrics, metrics.horizontalAdvance(name) / 2);
        QVERIFY(metrics.horizontalAdvance(cut) <= metrics.horizontalAdvance(name) / 2);
        QVERIFY(cut.contains(QChar(0x2026)));
    }
    void tablesQuoteWhatNeedsIt()
    {
        ExportTable const table{
            QStringLiteral("t"), {QStringLiteral("a"), QStringLiteral("b")}, {{QStringLiteral("x, \"y\""), QStringLiteral("1.5")}}};
        QCOMPARE(toCsv({table}), QStringLiteral("a,b\n\"x, \"\"y\"\"\",1.5\n"));
        QCOMPARE(toTsv(table), QStringLiteral("a\tb\nx, \"y\"\t1.5\n"));
        QVERIFY(toMarkdown(table).startsWith(QLatin1String("| a | b |")));
    }
    void exportedTextIsNoFormula()
    {
        ExportTable const table{QStringLiteral("t"),
                                {QStringLiteral("=a"), QStringLiteral("b")},
                                {{QStringLiteral("=1+1"), QStringLiteral("-3")}, {QStringLiteral("x\x1b\u202e"), QStringLiteral("@y")}}};
        QCOMPARE(toCsv({table}), QStringLiteral("'=a,b\n'=1+1,-3\nx\\x1b\\u202e,'@y\n"));
        QCOMPARE(toTsv(table), QStringLiteral("'=a\tb\n'=1+1\t-3\nx\\x1b\\u202e\t'@y\n"));
        QVERIFY(!toMarkdown(table).contains(QChar(0x1b)));
        auto named = table;
        named.name = QStringLiteral("two\nlines");
        QVERIFY(!toCsv({named, named}).contains(QStringLiteral("\nlines"))
                || toCsv({named, named}).contains(QStringLiteral("\"# two\nlines\"")));
    }
    void pictureTextIsValidXml()
    {
        QTemporaryDir folder;
        QString hostile = QStringLiteral("a<b>&\"'\x01\x1b[31m\x7f");
        hostile += QChar(0xffff);
        hostile += QChar(0xd800); // half a character
        hostile += QStringLiteral("]]>--");
        QLabel label(hostile);
        label.setTextFormat(Qt::PlainText);
        label.setAccessibleName(hostile);
        label.resize(300, 40);
        QString const path = folder.filePath(QStringLiteral("a.svg"));
        QCOMPARE(saveWidgetPicture(label, path), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader reader(&file);
        QString title;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("title"))
                title = reader.readElementText();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY2(title.startsWith(QStringLiteral("a<b>&\"'")), qPrintable(title));
    }
    void exportsWriteRegularFilesOnly()
    {
        QTemporaryDir folder;
        QVERIFY(saveText(QStringLiteral("old"), folder.filePath(QStringLiteral("file"))).isEmpty());
        QVERIFY(QFile::link(folder.filePath(QStringLiteral("file")), folder.filePath(QStringLiteral("link"))));
        QLabel label(QStringLiteral("hello"));
        for (auto const &path : {folder.filePath(QStringLiteral("link")), folder.path(), QStringLiteral("/dev/null")}) {
            QVERIFY(!saveText(QStringLiteral("new"), path).isEmpty());
            QVERIFY(!saveWidgetPicture(label, path).isEmpty());
        }
        QFile file(folder.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
    }
    void picturesOfEveryKindAreWritten()
    {
        QTemporaryDir folder;
        QLabel label(QStringLiteral("hello"));
        label.resize(120, 40);
        for (auto const *name : {"a.png", "a.svg", "a.pdf"}) {
            QCOMPARE(saveWidgetPicture(label, folder.filePath(QLatin1String(name))), QString());
            QVERIFY(QFileInfo(folder.filePath(QLatin1String(name))).size() > 100);
        }
        QImage const image(folder.filePath(QStringLiteral("a.png")));
        QCOMPARE(image.size(), QSize(120, 40));
        QVERIFY(!saveWidgetPicture(label, folder.filePath(QStringLiteral("no/such/folder.png"))).isEmpty());
    }
};

TW_REGISTER_TEST(TstFormat);
#include "tst_format.moc"
