#include "engine/core/parallel.h"
#include "engine/data/batcher.h"
#include "engine/data/digit_glyphs.h"
#include "engine/data/digits.h"
#include "tests/engine/data/data_test_support.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>

using namespace tilewright;
using namespace tilewright::data;
using namespace tilewright::tests;

namespace {

Dataset make(std::int64_t train, std::int64_t test, int threads = 1, std::uint64_t seed = 1)
{
    return generateDigits({.seed = seed, .trainCount = train, .testCount = test, .threads = threads}, {}).value();
}

double inkOf(DataArray const &images, std::int64_t i)
{
    auto const pixels = images.as<std::uint8_t>().subspan(static_cast<std::size_t>(i) * 784, 784);
    return std::accumulate(pixels.begin(), pixels.end(), 0.0) / 255;
}

} // namespace

class TstDataDigits : public QObject {
    Q_OBJECT
private slots:
    void givesTheSameBytesOnAnyNumberOfThreads()
    {
        auto const one = make(5000, 700, 1);
        for (int const threads : {2, 3, 7}) {
            auto const many = make(5000, 700, threads);
            QCOMPARE(std::memcmp(one.x.bytes.get(), many.x.bytes.get(), 5000 * 784), 0);
            QCOMPARE(std::memcmp(one.testX.bytes.get(), many.testX.bytes.get(), 700 * 784), 0);
            QCOMPARE(many.contentHash, one.contentHash);
        }
    }
    void givesTheSameBytesInEveryBuild()
    {
        // Known from an optimised build; the drawing uses exact IEEE operations only.
        QCOMPARE(make(300, 100).contentHash, kKnownHash);
    }
    void drawingOnDemandEqualsDrawingAtOnce_data()
    {
        QTest::addColumn<int>("threads");
        for (int threads : {1, 2, 5}) QTest::addRow("%d", threads) << threads;
    }
    void drawingOnDemandEqualsDrawingAtOnce()
    {
        QFETCH(int, threads);
        auto const whole = make(700, 90);
        auto const set = digitsOnDemand({.seed = 1, .trainCount = 700, .testCount = 90}).value();
        QCOMPARE(set.x.maker->made(), 0);
        QVERIFY(checkLabels(set.y, 10).ok());
        // The pool draws them in its order while batches request them in another.
        auto const order = epochOrder(700, 7, 0, true);
        std::thread ahead([&] {
            ThreadPool pool(threads);
            (void)makeRecords(set.x, order, pool, {}).ok();
        });
        auto const other = epochOrder(700, 8, 0, true);
        std::vector<float> mine(700 * 784), theirs(mine.size());
        gatherBatch(set.x, other, 1, mine.data());
        ahead.join();
        gatherBatch(whole.x, other, 1, theirs.data());
        QVERIFY(mine == theirs);
        QCOMPARE(set.x.maker->made(), 700);
        QCOMPARE(std::memcmp(set.x.bytes.get(), whole.x.bytes.get(), 700 * 784), 0);
        QCOMPARE(std::memcmp(set.y.bytes.get(), whole.y.bytes.get(), 700), 0);
        QCOMPARE(set.testX.maker->made(), 0); // not requested
        QVERIFY(std::ranges::equal(set.testX.as<std::uint8_t>(), whole.testX.as<std::uint8_t>()));
    }
    void drawsOnlyRequestedNumbers()
    {
        auto const whole = make(100, 0);
        auto const set = digitsOnDemand({.seed = 1, .trainCount = 100, .testCount = 50}).value();
        std::vector<std::uint32_t> const asked{3, 97, 3, 50};
        std::vector<float> out(asked.size() * 784);
        gatherBatch(set.x, asked, 1, out.data());
        QCOMPARE(set.x.maker->made(), 3);
        auto const part = set.x.slice(40, 20); // a part counts from its own first record
        QCOMPARE(part.valueAt(10 * 784 + 300), whole.x.valueAt(50 * 784 + 300));
        QCOMPARE(set.x.maker->made(), 3);
        QVERIFY(std::ranges::equal(part.records<std::uint8_t>(0, 2), whole.x.records<std::uint8_t>(40, 2)));
        QCOMPARE(set.x.maker->made(), 5);
        QCOMPARE(part.as<std::uint8_t>().size(), std::size_t(20 * 784));
        QCOMPARE(set.x.maker->made(), 22);
        QCOMPARE(set.testX.maker->made(), 0);
    }
    void hashesDifferByOptionsWithoutDrawing()
    {
        auto const hash = [](DigitOptions const &options) { return digitsOnDemand(options)->contentHash; };
        DigitOptions const usual{.seed = 1, .trainCount = 60000, .testCount = 10000};
        QCOMPARE(hash(usual), hash(usual));
        QVERIFY(hash(usual) != hash({.seed = 2, .trainCount = 60000, .testCount = 10000}));
        QVERIFY(hash(usual) != hash({.seed = 1, .trainCount = 60000, .testCount = 9999}));
        auto set = digitsOnDemand(usual).value();
        auto const whole = hashOf(set, {}).value();
        set.x = set.x.slice(1, 100);
        auto const part = hashOf(set, {}).value();
        set.x.makersFirst = 2;
        QVERIFY(part != whole && hashOf(set, {}).value() != part);
        QCOMPARE(set.x.maker->made(), 0);
    }
    void makingIsCancelled()
    {
        auto const set = digitsOnDemand({.seed = 1, .trainCount = 50000, .testCount = 0}).value();
        std::stop_source source;
        JobContext job;
        job.stop = source.get_token();
        job.progress = [&](std::string_view, double) { source.request_stop(); };
        ThreadPool pool(2);
        auto const made = makeRecords(set.x, pool, job);
        QVERIFY(!made.ok());
        QCOMPARE(made.error().code, std::string("job.cancelled"));
        QVERIFY(set.x.maker->made() < 50000);
    }
    void dependsOnTheSeed()
    {
        auto const a = make(100, 10, 1, 1), b = make(100, 10, 1, 2);
        QVERIFY(a.contentHash != b.contentHash);
        QVERIFY(std::memcmp(a.x.bytes.get(), a.testX.bytes.get(), 784) != 0);
        QVERIFY(std::memcmp(a.y.bytes.get(), b.y.bytes.get(), 100) != 0);
    }
    void beginsAlikeForAnyCount()
    {
        auto const few = make(64, 20), many = make(640, 200);
        QCOMPARE(std::memcmp(few.x.bytes.get(), many.x.bytes.get(), 64 * 784), 0);
        QCOMPARE(std::memcmp(few.testX.bytes.get(), many.testX.bytes.get(), 20 * 784), 0);
    }
    void balancesTheClassesInRandomOrder()
    {
        auto const set = make(6000, 1000);
        QVERIFY((set.x.shape == Shape{6000, 28, 28}));
        QVERIFY(checkLabels(set.y, 10).ok());
        for (auto const *labels : {&set.y, &set.testY}) {
            std::array<int, 10> counts{};
            int ascending = 0;
            auto const all = labels->as<std::uint8_t>();
            for (std::size_t i = 0; i < all.size(); ++i) {
                counts[all[i]] += 1;
                if (i > 0) ascending += all[i] == (all[i - 1] + 1) % 10;
            }
            for (int const n : counts) QCOMPARE(n, static_cast<int>(labels->count() / 10));
            QVERIFY(ascending < labels->count() / 5); // 10 % by chance
        }
    }
    void drawsDigitsWithPlausibleInk()
    {
        auto const set = make(4000, 0);
        QVERIFY(set.testX.empty());
        std::array<double, 10> ink{};
        for (std::int64_t i = 0; i < 4000; ++i) {
            auto const one = inkOf(set.x, i);
            QVERIFY2(one > 8 && one < 330, std::to_string(one).c_str());
            ink[set.y.as<std::uint8_t>()[static_cast<std::size_t>(i)]] += one / 400;
        }
        QCOMPARE(std::min_element(ink.begin(), ink.end()) - ink.begin(), std::ptrdiff_t{1}); // a one is a single stroke
        for (double const mean : ink) QVERIFY2(mean > 30 && mean < 160, std::to_string(mean).c_str());
    }
    void drawsNoTwoAlike()
    {
        auto const set = make(2000, 0);
        std::vector<std::string> images;
        for (std::int64_t i = 0; i < 2000; ++i) images.emplace_back(reinterpret_cast<char const *>(set.x.bytes.get()) + i * 784, 784);
        std::sort(images.begin(), images.end());
        QVERIFY(std::adjacent_find(images.begin(), images.end()) == images.end());
    }
    void classMeansRecogniseSomeDigitsButNotAll()
    {
        // The mean image of each class recognises most digits of a pen, but far from all.
        auto const set = make(5000, 1000);
        std::vector<std::array<double, 784>> mean(10);
        auto const pixels = set.x.as<std::uint8_t>(), unseen = set.testX.as<std::uint8_t>();
        for (std::size_t i = 0; i < 5000; ++i)
            for (std::size_t p = 0; p < 784; ++p) mean[set.y.as<std::uint8_t>()[i]][p] += pixels[i * 784 + p] / 500.0;
        int right = 0;
        for (std::size_t i = 0; i < 1000; ++i) {
            std::array<double, 10> distance{};
            for (std::size_t d = 0; d < 10; ++d)
                for (std::size_t p = 0; p < 784; ++p)
                    distance[d] += (unseen[i * 784 + p] - mean[d][p]) * (unseen[i * 784 + p] - mean[d][p]);
            right += std::min_element(distance.begin(), distance.end()) - distance.begin() == set.testY.as<std::uint8_t>()[i];
        }
        QVERIFY2(right > 550 && right < 900, std::to_string(right).c_str());
    }
    void hasSeveralWaysToWriteEachDigit()
    {
        for (int digit = 0; digit < 10; ++digit) {
            auto const glyphs = digitGlyphs();
            QVERIFY(std::count_if(glyphs.begin(), glyphs.end(), [&](Glyph const &g) { return g.digit == digit; }) >= 3);
        }
        for (auto const &glyph : digitGlyphs()) {
            for (auto const &stroke : glyph.strokes) {
                QVERIFY(stroke.size() >= 3);
                for (auto const p : stroke) QVERIFY(p.x >= 0 && p.x <= 10 && p.y >= 0 && p.y <= 10);
            }
        }
    }
    void stopsWhenCancelledAndReportsProgress()
    {
        std::stop_source stop;
        double last = 0;
        int reports = 0;
        JobContext job;
        job.stop = stop.get_token();
        job.progress = [&](std::string_view, double fraction) {
            QVERIFY(fraction > last);
            last = fraction;
            if (++reports == 2) stop.request_stop();
        };
        auto const set = generateDigits({.seed = 1, .trainCount = 50000, .testCount = 0, .threads = 2}, job);
        QCOMPARE(codeOf(set), std::string("job.cancelled"));
        QVERIFY(last < 0.5);
    }
    void refusesSillyCounts()
    {
        QCOMPARE(codeOf(generateDigits({.seed = 1, .trainCount = -1, .testCount = 0, .threads = 1}, {})), std::string("data.digits.count"));
        QCOMPARE(codeOf(generateDigits({.seed = 1, .trainCount = 1, .testCount = 1ll << 60, .threads = 1}, {})),
                 std::string("data.digits.count"));
        QCOMPARE(make(0, 0).x.count(), std::int64_t{0});
    }

private:
    static constexpr std::uint64_t kKnownHash = 5325485778842778959ull;
};

TW_REGISTER_TEST(TstDataDigits);
#include "tst_data_digits.moc"
