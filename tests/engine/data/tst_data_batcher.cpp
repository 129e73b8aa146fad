#include "engine/core/random.h"
#include "engine/data/batcher.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace tilewright;
using namespace tilewright::data;

class TstDataBatcher : public QObject {
    Q_OBJECT
private slots:
    void visitsEverySampleOnce()
    {
        for (std::int64_t const count : {0, 1, 2, 31, 60000}) {
            auto order = epochOrder(count, 3, 1, true);
            std::sort(order.begin(), order.end());
            QVERIFY(order == epochOrder(count, 3, 1, false));
            QCOMPARE(static_cast<std::int64_t>(order.size()), count);
            for (std::size_t i = 0; i < order.size(); ++i) QCOMPARE(order[i], static_cast<std::uint32_t>(i));
        }
    }
    void ordersByNothingButSeedAndEpoch()
    {
        QVERIFY(epochOrder(1000, 1, 0, true) == epochOrder(1000, 1, 0, true));
        QVERIFY(epochOrder(1000, 1, 0, true) != epochOrder(1000, 1, 1, true));
        QVERIFY(epochOrder(1000, 1, 0, true) != epochOrder(1000, 2, 0, true));
    }
    void putsEverySampleEverywhereEquallyOften()
    {
        constexpr int kCount = 6, kEpochs = 12000;
        std::vector<int> seen(kCount * kCount, 0);
        for (int epoch = 0; epoch < kEpochs; ++epoch) {
            auto const order = epochOrder(kCount, 5, epoch, true);
            for (std::size_t i = 0; i < kCount; ++i) seen[i * kCount + order[i]] += 1;
        }
        for (int const n : seen) QVERIFY2(std::abs(n - kEpochs / kCount) < 5 * 41, std::to_string(n).c_str()); // 5 σ
    }
    void convertsAndScalesBytes()
    {
        constexpr std::int64_t kCount = 50, kWidth = 37; // no multiple of a vector
        RandomStream random(4);
        std::vector<std::uint8_t> pixels(kCount * kWidth);
        for (auto &p : pixels) p = static_cast<std::uint8_t>(random.next());
        auto const array = makeArray(Shape{kCount, kWidth}, pixels);
        auto const order = epochOrder(kCount, 1, 0, true);
        float const scale = 1.0f / 255;
        std::vector<float> out(kCount * kWidth + 1, -7);
        gatherBatch(array, order, scale, out.data());
        for (std::size_t i = 0; i < order.size(); ++i)
            for (std::size_t j = 0; j < kWidth; ++j)
                QCOMPARE(out[i * kWidth + j], static_cast<float>(pixels[order[i] * kWidth + j]) * scale);
        QCOMPARE(out.back(), -7.0f);
    }
    void convertsEveryType()
    {
        std::vector<std::uint32_t> const which{1, 0, 1};
        std::vector<float> out(6);
        auto const check = [&](DataArray const &array, std::vector<float> const &expected, float scale) {
            gatherBatch(array, which, scale, out.data());
            return out == expected;
        };
        QVERIFY(check(makeArray(Shape{2, 2}, std::vector<float>{1, 2, 3, 4}), {3, 4, 1, 2, 3, 4}, 1));
        QVERIFY(check(makeArray(Shape{2, 2}, std::vector<float>{1, 2, 3, 4}), {6, 8, 2, 4, 6, 8}, 2));
        QVERIFY(check(makeArray(Shape{2, 2}, std::vector<std::int32_t>{-1, 2, 3, -4}), {3, -4, -1, 2, 3, -4}, 1));
        std::uint16_t const halves[] = {0x3c00, 0x4000, 0xc000, 0x3800};
        QVERIFY(check(borrowArray(DType::F16, {2, 2}, halves), {-2, 0.5f, 1, 2, -2, 0.5f}, 1));
        std::uint8_t const flags[] = {1, 0, 0, 1};
        QVERIFY(check(borrowArray(DType::Bool, {2, 2}, flags), {0, 1, 1, 0, 0, 1}, 1));
    }
    void gathersLabels()
    {
        std::vector<std::uint32_t> const which{2, 0};
        std::vector<std::int32_t> numbers(2);
        gatherLabels(makeArray(Shape{3}, std::vector<std::uint8_t>{9, 8, 7}), which, numbers.data());
        QVERIFY((numbers == std::vector<std::int32_t>{7, 9}));
        gatherLabels(makeArray(Shape{3, 1}, std::vector<float>{4, 5, 6}), which, numbers.data());
        QVERIFY((numbers == std::vector<std::int32_t>{6, 4}));
        std::vector<float> values(4);
        gatherLabels(makeArray(Shape{3, 2}, std::vector<float>{0, 1, 2, 3, 4, 5}), which, values.data());
        QVERIFY((values == std::vector<float>{4, 5, 0, 1}));
    }
    void dealsElementsToReplicasInOrder()
    {
        auto const order = epochOrder(100, 1, 0, true);
        std::vector<std::uint32_t> dealt;
        for (std::int64_t turn = 0; turn < 3; ++turn)
            for (std::int64_t replica = 0; replica < 4; ++replica) {
                auto const batch = replicaBatch(order, 8, turn, replica, 4);
                QCOMPARE(batch.size(), std::size_t{8});
                QVERIFY(batch.data() == order.data() + 8 * (4 * turn + replica));
                dealt.insert(dealt.end(), batch.begin(), batch.end());
            }
        QVERIFY(std::equal(dealt.begin(), dealt.end(), order.begin()));
        QVERIFY(replicaBatch(order, 8, 3, 0, 4).empty()); // 96 + 8 > 100
        QCOMPARE(batchesPerEpoch(100, 8), std::int64_t{12});
    }
};

TW_REGISTER_TEST(TstDataBatcher);
#include "tst_data_batcher.moc"
