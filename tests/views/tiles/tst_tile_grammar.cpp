#include "tests/support/test_registry.h"
#include "views/tiles/tile_grammar.h"

#include <QtTest>

#include <random>

using namespace tilewright::views;

namespace {

/// Two IPUs of eight tiles; tile t holds t × 64 KiB of 512.
struct Machine {
    std::vector<std::int64_t> bytes;
    std::vector<char> io{0, 0, 0, 0, 0, 0, 1, 1};
    TileWords words;
    Machine()
    {
        for (int t = 0; t < 16; ++t) bytes.push_back(t * 65536LL);
        words = {2, 8, bytes, 512 * 1024, 15, io};
    }
};

} // namespace

class TstTileGrammar : public QObject {
    Q_OBJECT
private slots:
    void textsChooseTiles_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tiles");
        auto const row = [](char const *text, char const *tiles) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(tiles);
        };
        row("", "");
        row("  ", "");
        row("7", "7");
        row("0-3, 7", "0-3, 7");
        row("3-0,7,7", "0-3, 7");
        row(" 1 - 2 ,, 5 ", "1-2, 5");
        row("ipu1", "8-15");
        row("IPU 1: 0-1", "8-9");
        row("ipu0-1:3", "3, 11");
        row(">600k", "10-15");
        row(">=640KiB", "10-15");
        row("<=64k", "0-1");
        row("=128k", "2");
        row("> 0.75M", "13-15");
        row("<66kB", "0-1");
        row(">100%", "9-15");
        row("worst", "15");
        row("io", "6-7, 14-15");
        row("all, -ipu1", "0-7");
        row("-0-14", "15");
        row("-io, -ipu0", "8-13");
        row(">600k, 0", "0, 10-15");
        row("all", "0-15");
    }
    void textsChooseTiles()
    {
        QFETCH(QString, text);
        QFETCH(QString, tiles);
        Machine const machine;
        auto const choice = parseTiles(text, machine.words);
        QVERIFY2(choice.ok(), qPrintable(choice.error));
        QCOMPARE(tilesText(choice.tiles), tiles);
    }

    void wrongTextsStatePositionAndReason_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("at");
        auto const row = [](char const *text, int at) { QTest::newRow(text) << QString::fromLatin1(text) << at; };
        row("16", 0);
        row("0-16", 2);
        row("3, tile", 3);
        row("ipu2", 3);
        row("ipu", 3);
        row("ipu1:8", 5);
        row("ipu1:", 5);
        row(">", 1);
        row(">600q", 4);
        row("4-", 2);
        row("1 2", 2);
        row("99999999999999999999", 0);
        row("-", 1);
    }
    void wrongTextsStatePositionAndReason()
    {
        QFETCH(QString, text);
        QFETCH(int, at);
        Machine const machine;
        auto const choice = parseTiles(text, machine.words);
        QVERIFY(!choice.ok());
        QVERIFY(choice.tiles.empty());
        QCOMPARE(choice.errorAt, at);
        QVERIFY2(choice.error.size() > 15, qPrintable(choice.error));
    }

    void missingFactsAreNamed()
    {
        TileWords const bare{1, 4, {}, 0, -1, {}};
        for (char const *text : {">1k", "worst", "io", ">10%"}) QVERIFY2(!parseTiles(QString::fromLatin1(text), bare).ok(), text);
        QVERIFY(!parseTiles(QStringLiteral("0"), TileWords{}).ok());
        QVERIFY(parseTiles(QStringLiteral("all"), TileWords{}).tiles.empty());
    }

    void textsAreAcceptedOrExplained()
    {
        Machine const machine;
        std::mt19937 random(3);
        QString const letters = QStringLiteral("0123456789-,:<>=%kKMiBpuaworstl .\t\u0661é\U0001F600");
        for (int round = 0; round < 20000; ++round) {
            QString text;
            for (int n = static_cast<int>(random() % 14); n > 0; --n)
                text += letters[static_cast<qsizetype>(random() % static_cast<unsigned>(letters.size()))];
            auto const choice = parseTiles(text, machine.words);
            if (!choice.ok()) {
                QVERIFY2(choice.tiles.empty() && choice.errorAt >= 0 && choice.errorAt <= text.size(), qPrintable(text));
                continue;
            }
            int before = -1;
            for (int const tile : choice.tiles) {
                QVERIFY2(tile > before && tile < 16, qPrintable(text));
                before = tile;
            }
            QCOMPARE(parseTiles(tilesText(choice.tiles), machine.words).tiles, choice.tiles);
        }
    }

    void namesContainTheIpuOnlyWithSeveralIpus()
    {
        QCOMPARE(tileName(7, 1, 1472), QStringLiteral("tile 7"));
        QCOMPARE(tileName(1479, 2, 1472), QStringLiteral("tile 1479 (IPU 1, 7)"));
    }
};

TW_REGISTER_TEST(TstTileGrammar);
#include "tst_tile_grammar.moc"
