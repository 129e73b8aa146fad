#include "engine/core/random.h"
#include "engine/report/packed.h"
#include "tests/support/test_registry.h"

#include <QtTest>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace tilewright;
using namespace tilewright::report;

namespace {

using Column = std::vector<std::int64_t>;

int widthOf(std::string const &blob, int column) { return static_cast<unsigned char>(blob[8 + 24 * column + 1]); }
int transformOf(std::string const &blob, int column) { return static_cast<unsigned char>(blob[8 + 24 * column]); }

Column roundTrip(Column const &values, std::string *blobOut = nullptr)
{
    auto const blob = PackedWriter(values.size()).integers(values).finish();
    if (blobOut) *blobOut = blob;
    auto const reader = PackedReader::open(blob);
    if (!reader.ok() || reader->columns() != 1 || reader->items() != values.size()) return {-12345};
    return reader->integers(0);
}

} // namespace

class TstPacked : public QObject {
    Q_OBJECT
private slots:
    void choosesTheNarrowestForm()
    {
        std::string blob;
        QCOMPARE(roundTrip({7, 7, 7, 7}, &blob), (Column{7, 7, 7, 7}));
        QCOMPARE(widthOf(blob, 0), 0);
        QCOMPARE(blob.size(), std::size_t(8 + 24 + 4));
        QCOMPARE(roundTrip({1000000, 1000300, 1000600, 1000900}, &blob), (Column{1000000, 1000300, 1000600, 1000900}));
        QCOMPARE(widthOf(blob, 0), 0); // an even ramp
        QCOMPARE(transformOf(blob, 0), 1);
        QCOMPARE(roundTrip({-5, 250}, &blob), (Column{-5, 250}));
        Column jagged;
        for (int i = 0; i < 1000; ++i) jagged.push_back(i * 1000 + (i * 37) % 100);
        QCOMPARE(roundTrip(jagged, &blob), jagged);
        QCOMPARE(transformOf(blob, 0), 1);
        QCOMPARE(widthOf(blob, 0), 1);
    }
    void keepsTheExtremes()
    {
        constexpr auto low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
        Column const values{low, high, 0, -1, low, low, high};
        QCOMPARE(roundTrip(values), values);
        QCOMPARE(roundTrip({}), Column{});
        QCOMPARE(roundTrip({high}), Column{high});
    }
    void readsBackRandomColumns()
    {
        RandomStream random(2026);
        for (int round = 0; round < 300; ++round) {
            Column values(random.below(200));
            int const bits = static_cast<int>(random.below(64));
            for (auto &v : values) v = static_cast<std::int64_t>(random.next() >> bits);
            QCOMPARE(roundTrip(values), values);
        }
    }
    void floatsKeepTheirBits()
    {
        std::vector<double> const singles{0.5, -0.0, 1e30f, std::numeric_limits<double>::infinity()};
        std::vector<double> const doubles{0.1, 1e300, -3.0, std::nan("")};
        auto const blob = PackedWriter(4).reals(singles).reals(doubles).finish();
        QCOMPARE(widthOf(blob, 0), 4);
        QCOMPARE(widthOf(blob, 1), 8);
        auto const reader = PackedReader::open(blob);
        QVERIFY(reader.ok());
        QCOMPARE(std::memcmp(reader->reals(0)->data(), singles.data(), 32), 0);
        QCOMPARE(std::memcmp(reader->reals(1)->data(), doubles.data(), 32), 0);
        auto const integers = PackedWriter(2).integers(Column{5, 900}).finish();
        QVERIFY(!PackedReader::open(integers)->reals(0).ok());
    }
    void followsTheWrittenLayout()
    {
        auto const blob = PackedWriter(3).integers(Column{10, 12, 11}).finish();
        std::string const expected("\x01\x01\0\0\x03\0\0\0"
                                   "\0\x01\0\0\0\0\0\0"
                                   "\0\0\0\0\0\0\0\0"
                                   "\x0a\0\0\0\0\0\0\0"
                                   "\0\x02\x01\0\0\0\0\0",
                                   40);
        QCOMPARE(blob.substr(0, 40), expected);
        QCOMPARE(blob.size(), std::size_t(44));
    }
    void largeColumnsAreDeflatedWhereThatSavesBytes()
    {
        RandomStream random(3);
        Column few(4000), noise(4000);
        for (auto &v : few) v = 1000 * static_cast<std::int64_t>(random.below(3));
        for (auto &v : noise) v = static_cast<std::int64_t>(random.below(65536));
        auto const version = [](std::string const &blob) { return static_cast<int>(blob[0]); };
        std::string blob;
        QCOMPARE(roundTrip(few, &blob), few);
        QCOMPARE(version(blob), int(kPackedDeflated));
        QVERIFY(blob.size() < 4000);
        QCOMPARE(roundTrip(noise, &blob), noise);
        QCOMPARE(version(blob), int(kPackedVersion));
        QCOMPARE(blob.size(), std::size_t(8 + 24 + 8000 + 4));
        QCOMPARE(roundTrip({1, 900, 5}, &blob), (Column{1, 900, 5}));
        QCOMPARE(version(blob), int(kPackedVersion));
        auto const both = PackedWriter(few.size()).integers(few).integers(noise).finish();
        auto reader = PackedReader::open(both).value();
        auto const moved = std::move(reader); // keeps what it inflated
        QCOMPARE(moved.integers(0), few);
        QCOMPARE(moved.integers(1), noise);
    }
    void blobsThatInflateToTooMuchAreRefused()
    {
        auto blob = PackedWriter(4000).integers(Column(4000, 0)).finish(); // width 0, no bytes
        blob[0] = static_cast<char>(kPackedDeflated);
        blob[9] = 8; // 32,000 bytes from none
        blob.resize(blob.size() - 4);
        auto const crc = crc32(0, reinterpret_cast<Bytef const *>(blob.data()), static_cast<uInt>(blob.size()));
        for (int i = 0; i < 4; ++i) blob += static_cast<char>(crc >> 8 * i & 255);
        auto const refused = PackedReader::open(blob);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("inflate") != std::string::npos);
    }
    void everyDamagedByteIsNoticed_data()
    {
        QTest::addColumn<int>("items");
        QTest::newRow("plain") << 40;
        QTest::newRow("deflated") << 700;
    }
    void everyDamagedByteIsNoticed()
    {
        QFETCH(int, items);
        Column values;
        for (int i = 0; i < items; ++i) values.push_back(i % 20 * i % 20 * 1000);
        auto const blob = PackedWriter(values.size()).integers(values).integers(values).finish();
        QCOMPARE(static_cast<int>(blob[0]), items > 100 ? int(kPackedDeflated) : int(kPackedVersion));
        for (std::size_t i = 0; i < blob.size(); ++i) {
            auto broken = blob;
            broken[i] = static_cast<char>(broken[i] ^ 0x11);
            QVERIFY(!PackedReader::open(broken).ok());
            QVERIFY(!PackedReader::open(std::string_view(blob).substr(0, i)).ok());
        }
        QVERIFY(!PackedReader::open(blob + "x").ok());
    }
    void hugeCountsAreRefusedBeforeMemoryIsTaken()
    {
        auto const blob = PackedWriter(1000).integers(Column(1000, 1)).finish();
        QVERIFY(PackedReader::open(blob, 1000).ok());
        auto const refused = PackedReader::open(blob, 999);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("report.packed"));
    }
    void randomBytesNeverCrash()
    {
        RandomStream random(99);
        std::vector<std::string> seeds;
        seeds.push_back(PackedWriter(3).integers(Column{1, 2, 900}).reals(std::vector<double>{1, 2, 0.1}).finish());
        seeds.push_back(PackedWriter(0).finish());
        seeds.push_back(PackedWriter(100).integers(Column(100, -4)).finish());
        Column repeated(700);
        for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = static_cast<std::int64_t>(i % 7 * 999);
        seeds.push_back(PackedWriter(repeated.size()).integers(repeated).finish());
        int accepted = 0;
        for (int round = 0; round < 20000; ++round) {
            auto blob = seeds[random.below(seeds.size())];
            for (std::uint64_t k = 0; k < 1 + random.below(4); ++k) {
                auto const at = random.below(blob.size());
                switch (random.below(4)) {
                case 0: blob[at] = static_cast<char>(random.next()); break;
                case 1: blob.erase(at, 1 + random.below(8)); break;
                case 2: blob.insert(at, 1 + random.below(8), static_cast<char>(random.next())); break;
                default: blob[at] = static_cast<char>(blob[at] + 1);
                }
                if (blob.empty()) blob = "x";
            }
            auto const reader = PackedReader::open(blob);
            if (!reader.ok()) continue;
            ++accepted; // only where the mutations undid each other
            for (std::size_t c = 0; c < reader->columns(); ++c) {
                QCOMPARE(reader->integers(c).size(), reader->items());
                (void)reader->reals(c).ok();
            }
        }
        QVERIFY(accepted < 200);
    }
};

TW_REGISTER_TEST(TstPacked);
#include "tst_packed.moc"
