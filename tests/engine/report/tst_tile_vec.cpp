#include "engine/core/random.h"
#include "engine/report/identity_tables.h"
#include "engine/report/memory_tables.h"
#include "engine/report/packed.h"
#include "engine/report/tile_vec.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::report;

namespace {
using Values = std::vector<std::int64_t>;
}

class TstTileVec : public QObject {
    Q_OBJECT
private slots:
    void headsAnswerWithoutTheData()
    {
        auto const head = headOf(Values{0, 4, -1, 4, 0});
        QCOMPARE(head.tiles, 5);
        QCOMPARE(head.sum, 7);
        QCOMPARE(head.min, -1);
        QCOMPARE(head.max, 4);
        QCOMPARE(head.argmax, 1);
        QCOMPARE(head.nonzero, 3);
        QCOMPARE(headOf(Values{}), TileVecHead{});
    }
    void theSmallestEncodingIsChosen()
    {
        QVERIFY(encodeTileVec(Values(1472, 640)).encoding == TileVecEncoding::Constant);
        Values halves(1472, 5);
        for (int i = 736; i < 1472; ++i) halves[i] = 9;
        QVERIFY(encodeTileVec(halves).encoding == TileVecEncoding::Runs);
        // Lone values among zeros make more runs than entries.
        Values sparse(1472, 0);
        for (int i = 7; i < 1472; i += 71) sparse[i] = i * 1000;
        QVERIFY(encodeTileVec(sparse).encoding == TileVecEncoding::Sparse);
        Values dense;
        for (int i = 0; i < 1472; ++i) dense.push_back((i * 7919) % 251);
        QVERIFY(encodeTileVec(dense).encoding == TileVecEncoding::Dense);
        for (auto const &values : {Values(1472, 640), halves, sparse, dense, Values{}, Values{3}}) {
            auto const encoded = encodeTileVec(values);
            auto const back = decodeTileVec(static_cast<int>(encoded.encoding), encoded.data, static_cast<std::int64_t>(values.size()));
            QVERIFY(back.ok());
            QCOMPARE(*back, values);
        }
    }
    void hashesOfSeveralAreThoseOfEach()
    {
        RandomStream random(3);
        std::vector<Values> all{Values(16, 1)};
        for (int i = 0; i < 10; ++i) {
            all.emplace_back(random.below(40));
            for (auto &v : all.back()) v = static_cast<std::int64_t>(random.next());
        }
        std::vector<std::span<std::int64_t const>> vectors(all.begin(), all.end());
        std::vector<std::string_view> blobs;
        for (auto const &values : all)
            blobs.emplace_back(reinterpret_cast<char const *>(values.data()), values.size() * 8 - (values.size() > 3 ? 3 : 0));
        auto const together = contentHashes(vectors);
        auto const ofBlobs = contentHashes(blobs);
        for (std::size_t i = 0; i < all.size(); ++i) {
            QCOMPARE(together[i], contentHash(vectors[i]));
            QCOMPARE(ofBlobs[i], contentHashes(std::span(blobs).subspan(i, 1)).front());
        }
        // Stored in files, so it never changes.
        QCOMPARE(QByteArray::fromStdString(together[0]).toHex(), QByteArray("1383d15394148b9ffb1d67bf2511c7cf"));
    }
    void theSizeOfABlobIsKnownBeforeItIsMade()
    {
        RandomStream random(11);
        auto const size = [](std::vector<Values> const &columns) {
            PackedWriter writer(columns[0].size());
            for (auto const &column : columns) writer.integers(column);
            return writer.finish().size();
        };
        for (int round = 0; round < 300; ++round) {
            Values values(1 + random.below(60)); // too few bytes to be deflated
            auto const kinds = 1 + random.below(300);
            for (auto &v : values) v = random.below(4) ? static_cast<std::int64_t>(random.below(kinds)) * 1000 : 0;
            Values lengths, runs, tiles, kept;
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (i == 0 || values[i] != values[i - 1]) {
                    lengths.push_back(0);
                    runs.push_back(values[i]);
                }
                ++lengths.back();
                if (values[i] == 0) continue;
                tiles.push_back(static_cast<std::int64_t>(i));
                kept.push_back(values[i]);
            }
            ColumnRange one, all;
            for (auto const v : values) one.add(v);
            all.add(values);
            QCOMPARE(packedBytes({one}), size({values}));
            QCOMPARE(packedBytes({all, one}), size({values, values}));
            if (runs.size() == 1) continue; // one value for all
            QCOMPARE(encodeTileVec(values).data.size(), std::min({size({lengths, runs}), size({tiles, kept}), size({values})}));
        }
    }
    void randomVectorsReadBack()
    {
        RandomStream random(5);
        for (int round = 0; round < 500; ++round) {
            Values values(random.below(300));
            auto const kinds = 1 + random.below(5);
            for (auto &v : values) v = random.below(3) ? static_cast<std::int64_t>(random.below(kinds)) - 1 : 0;
            auto const encoded = encodeTileVec(values);
            auto const back = decodeTileVec(static_cast<int>(encoded.encoding), encoded.data, static_cast<std::int64_t>(values.size()));
            QVERIFY(back.ok());
            QCOMPARE(*back, values);
        }
    }
    void wrongLengthsAndEncodingsAreErrors()
    {
        auto const runs = PackedWriter(2).integers(Values{3, 2}).integers(Values{7, 8}).finish();
        QVERIFY(decodeTileVec(1, runs, 5).ok());
        QVERIFY(!decodeTileVec(1, runs, 4).ok());
        QVERIFY(!decodeTileVec(1, runs, 6).ok());
        QVERIFY(!decodeTileVec(0, runs, 5).ok());
        QVERIFY(!decodeTileVec(3, runs, 5).ok());
        QVERIFY(!decodeTileVec(4, runs, 5).ok());
        QVERIFY(decodeTileVec(2, runs, 5).error().code == "report.tile-vec"); // tiles 3, 2: out of order
        auto const zero = PackedWriter(1).integers(Values{0}).integers(Values{7}).finish();
        QVERIFY(!decodeTileVec(1, zero, 0).ok());
        QVERIFY(!decodeTileVec(3, "", 0).ok());
    }
    void equalVectorsShareAnId()
    {
        TileVecTable table;
        QCOMPARE(table.add({1, 2, 3}), 0);
        QCOMPARE(table.add({1, 2, 4}), 1);
        QCOMPARE(table.add({1, 2, 3}), 0);
        QCOMPARE(table.add({1, 2}), 2);
        QCOMPARE(table.size(), 3);
        QCOMPARE(table.values(1), (Values{1, 2, 4}));
        QCOMPARE(table.head(1).sum, 7);
        QVERIFY(!table.valid(3) && !table.valid(-1));
    }
    void namesReadBack()
    {
        for (int i = 0; i < kMemoryCategories; ++i) {
            auto const category = static_cast<MemoryCategory>(i);
            QVERIFY(parseMemoryCategory(toText(category)) == category);
        }
        QCOMPARE(toText(MemoryCategory::SharedCode), std::string_view("shared_code"));
        QVERIFY(!parseMemoryCategory("no such"));
        QVERIFY(parsePartState("truncated") == PartState::Truncated);
        QVERIFY(parseRegion("overflowed") == Region::Overflowed);
        QVERIFY(parseGapReason("region_end") == GapReason::RegionEnd);
    }
};

TW_REGISTER_TEST(TstTileVec);
#include "tst_tile_vec.moc"
