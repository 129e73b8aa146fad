#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/memory/tile_values.h"

#include <QtTest>

#include <cstring>
#include <limits>

using namespace tilewright;
using namespace tilewright::views;

namespace {

template <typename T> std::vector<std::byte> bytesOf(std::vector<T> const &values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

} // namespace

class TstTileValues : public QObject {
    Q_OBJECT
private slots:
    void everyStoredTypeIsRead()
    {
        QCOMPARE(decodeValues(bytesOf<float>({1.5F, -0.25F}), "f32"), (std::vector<double>{1.5, -0.25}));
        QCOMPARE(decodeValues(bytesOf<std::uint16_t>({0x3C00, 0xC000, 0x7BFF, 0x0001}), "f16"),
                 (std::vector<double>{1, -2, 65504, 5.9604644775390625e-08}));
        QCOMPARE(decodeValues(bytesOf<std::int32_t>({-7, 1 << 30}), "i32"), (std::vector<double>{-7, 1 << 30}));
        QCOMPARE(decodeValues(bytesOf<std::uint8_t>({0, 255}), "u8"), (std::vector<double>{0, 255}));
        QCOMPARE(decodeValues(bytesOf<std::uint8_t>({1, 2, 3}), "f32").size(), std::size_t(0)); // no whole element
        QVERIFY(decodeValues(bytesOf<float>({1}), "strange").empty());
    }

    void variablesAreReadAtTheirOffsets()
    {
        auto const report = tests::compiledReport();
        auto const contents = readContents(*report, {});
        auto const &d = report->data();
        int const step = d.verdicts.front().peakStep;
        TileValues values;
        values.tile = 0;
        values.program = d.livenessSteps[static_cast<std::size_t>(step)].program;
        values.bytes.resize(static_cast<std::size_t>(report->tileMetric("with_gaps")[0]));
        // Each live f32 variable gets its own number in all its elements.
        for (auto const &item : contents->of(0)->items)
            if (item.variable >= 0 && d.variables[static_cast<std::size_t>(item.variable)].dtype == "f32"
                && contents->lives.isLive(item.livenessClass, step))
                for (Bytes b = 0; b + 4 <= item.bytes; b += 4) {
                    auto const number = static_cast<float>(item.variable) + 0.5F;
                    std::memcpy(values.bytes.data() + item.offset + b, &number, 4);
                }
        auto const reading = readTile(*report, *contents, values);
        QVERIFY(reading.step >= 0);
        int live = 0;
        for (auto const &held : reading.variables) {
            if (!held.live || d.variables[static_cast<std::size_t>(held.variable)].dtype != "f32") continue;
            ++live;
            QCOMPARE(static_cast<Bytes>(held.values.size()) * 4, held.bytes);
            QCOMPARE(held.min, held.variable + 0.5);
            QCOMPARE(held.max, held.variable + 0.5);
            QCOMPARE(held.mean, held.variable + 0.5);
        }
        QVERIFY(live >= 3);
        QVERIFY(std::is_sorted(reading.variables.begin(), reading.variables.end(),
                               [](auto const &a, auto const &b) { return a.live > b.live; }));
    }

    void sendersAreThePairsOfTheLastExchange()
    {
        auto const report = tests::compiledReport();
        auto const contents = readContents(*report, {});
        auto const &d = report->data();
        int tried = 0;
        for (std::size_t e = 0; e < d.exchanges.size(); ++e) {
            if (d.exchanges[e].kind != "internal" && d.exchanges[e].kind != "global") continue; // the host is no tile
            TileValues values;
            values.tile = 1;
            values.program = d.exchanges[e].program;
            auto const reading = readTile(*report, *contents, values);
            QCOMPARE(reading.exchange, static_cast<int>(e));
            Bytes sum = 0, expected = 0;
            for (auto const &sender : reading.senders) sum += sender.bytes;
            for (auto const &pair : d.exchanges[e].pairs)
                if (pair.to == 1) expected += pair.bytes;
            QCOMPARE(sum, expected);
            if (expected > 0 && d.exchanges[e].kind == "internal") {
                QCOMPARE(sum, report->tileVec(d.exchanges[e].receivedVec)[1]); // all pairs are listed on a small machine
                ++tried;
            }
        }
        QVERIFY(tried > 3);
    }

    void bytesPastTheImageAreReportedMissing()
    {
        auto const report = tests::compiledReport();
        auto const contents = readContents(*report, {});
        TileValues values;
        values.tile = 0;
        for (auto const &held : readTile(*report, *contents, values).variables) QVERIFY(held.values.empty());
        QVERIFY(valuesText({1, 2, 3, 4, 5, 6, 7}).contains(QLatin1String("7 values")));
        float const nan = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(decodeValues(bytesOf<float>({nan}), "f32").size(), std::size_t(1));
    }
};

TW_REGISTER_TEST(TstTileValues);
#include "tst_tile_values.moc"
