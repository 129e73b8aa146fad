#include "engine/data/digits.h"
#include "engine/data/preview.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <limits>

using namespace tilewright;
using namespace tilewright::data;

namespace {

bool hasProblem(DataSummary const &summary, std::string const &code)
{
    return std::any_of(summary.problems.begin(), summary.problems.end(),
                       [&](Diagnostic const &d) { return d.code == code && d.severity == Severity::Warning; });
}

Dataset table(std::vector<float> x, std::vector<std::int32_t> y)
{
    Dataset set;
    Shape const count{static_cast<std::int64_t>(y.size())};
    Shape const shape{count[0], static_cast<std::int64_t>(x.size() / y.size())};
    set.x = makeArray(shape, std::move(x));
    set.y = makeArray(count, std::move(y));
    return set;
}

} // namespace

class TstDataPreview : public QObject {
    Q_OBJECT
private slots:
    void summarisesTheDigitsWithoutProblems()
    {
        auto const set = generateDigits({.seed = 1, .trainCount = 1000, .testCount = 200, .threads = 1}, {}).value();
        auto const summary = summarize(set, 4);
        QVERIFY(summary.problems.empty());
        QCOMPARE(summary.trainCount, std::int64_t{1000});
        QCOMPARE(summary.testCount, std::int64_t{200});
        QVERIFY((summary.sampleShape == Shape{28, 28}));
        QCOMPARE(summary.bytes, Bytes{1200 * 785});
        QCOMPARE(summary.classes.size(), std::size_t{10});
        QVERIFY((summary.classes[3] == ClassBalance{3, 100, 0, 20}));
        QCOMPARE(summary.smallest, 0.0);
        QCOMPARE(summary.largest, 255.0);
        QVERIFY(summary.mean > 10 && summary.mean < 60);
        QCOMPARE(summary.first.size(), std::size_t{4});
        QCOMPARE(summary.first[2].label, std::to_string(set.y.as<std::uint8_t>()[2]));
        QCOMPARE(summary.first[2].values.size(), std::size_t{784});
        QVERIFY(*std::max_element(summary.first[0].values.begin(), summary.first[0].values.end()) <= 1.0f);
    }
    void findsMissingAndRareClasses()
    {
        std::vector<float> x(100);
        std::vector<std::int32_t> y(100, 0);
        for (std::size_t i = 0; i < 100; ++i) x[i] = static_cast<float>(i);
        std::fill(y.begin() + 50, y.end(), 2);
        y[99] = 3;
        auto const summary = summarize(table(x, y));
        QCOMPARE(summary.classes.size(), std::size_t{4});
        QVERIFY(hasProblem(summary, "data.problem.missing-class"));
        QVERIFY(hasProblem(summary, "data.problem.rare-class"));
        QVERIFY(hasProblem(summary, "data.problem.no-test"));
    }
    void findsValuesThatSpoilTraining()
    {
        auto const bad = summarize(table({1, 2, std::numeric_limits<float>::quiet_NaN(), 4}, {0, 1}));
        QVERIFY(hasProblem(bad, "data.problem.not-finite"));
        QCOMPARE(bad.largest, 4.0);
        QVERIFY(hasProblem(summarize(table({1, 2, 1, 2}, {0, 1})), "data.problem.all-equal"));
        QVERIFY(!hasProblem(summarize(table({1, 2, 1, 3}, {0, 1})), "data.problem.all-equal"));
    }
    void recognisesOneHotLabelsAndRegression()
    {
        auto set = table({1, 2, 3}, {0, 1, 2});
        set.y = makeArray(Shape{3, 2}, std::vector<float>{0, 1, 1, 0, 0, 1});
        auto const hot = summarize(set);
        QCOMPARE(hot.classes.size(), std::size_t{2});
        QCOMPARE(hot.classes[1].train, std::int64_t{2});
        QCOMPARE(hot.first[0].label, std::string("1"));
        set.y = makeArray(Shape{3}, std::vector<float>{0.5f, 1, 2});
        auto const regression = summarize(set);
        QVERIFY(regression.classes.empty());
        QVERIFY(hasProblem(regression, "data.problem.no-classes"));
        QCOMPARE(regression.first[0].label, std::string("0.5"));
        set.y = {};
        QVERIFY(hasProblem(summarize(set), "data.problem.no-labels"));
    }
    void survivesAnEmptySet() { QCOMPARE(summarize(Dataset{}).trainCount, std::int64_t{0}); }
};

TW_REGISTER_TEST(TstDataPreview);
#include "tst_data_preview.moc"
