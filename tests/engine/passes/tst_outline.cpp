#include "engine/passes/repeats.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

using namespace tilewright;
using passes::RepeatedRun;

namespace {

std::vector<std::uint32_t> tokensOf(std::string_view text) { return {text.begin(), text.end()}; }

RepeatedRun const *runOf(std::vector<RepeatedRun> const &runs, std::string_view text, std::string_view wanted)
{
    for (auto const &run : runs)
        if (text.substr(run.starts.front(), run.length) == wanted) return &run;
    return nullptr;
}

} // namespace

/// Equal runs in a sequence. Tests of outlining in a compile are in tests/engine/runtime.
class TstOutline : public QObject {
    Q_OBJECT

private slots:
    void findsRunsAtAnyPosition()
    {
        std::string const text = "1abc2xy3abc4xy5abc";
        auto const runs = passes::repeatedRuns(tokensOf(text), 16);
        auto const *abc = runOf(runs, text, "abc"), *xy = runOf(runs, text, "xy");
        QVERIFY(abc && xy);
        QCOMPARE(abc->starts, (std::vector<std::size_t>{1, 8, 15}));
        QCOMPARE(xy->starts, (std::vector<std::size_t>{5, 12}));
    }
    /// Blocks in a row: the block, as often as it is there, not two of them at a time.
    void findsThePeriodOfARow()
    {
        for (int n : {2, 3, 7, 100}) {
            std::string text = "<";
            for (int i = 0; i < n; ++i) text += "abaac";
            text += ">";
            auto const runs = passes::repeatedRuns(tokensOf(text), 512);
            auto const *block = runOf(runs, text, "abaac");
            QVERIFY2(block, qPrintable(QString::number(n)));
            QCOMPARE(static_cast<int>(block->starts.size()), n);
            for (auto const &run : runs) QVERIFY2(run.length <= 5 || run.starts.size() == 2, qPrintable(QString::number(run.length)));
        }
    }
    void findsNothingWithoutRepeats()
    {
        QVERIFY(passes::repeatedRuns(tokensOf("abcdefg"), 16).empty());
        QVERIFY(passes::repeatedRuns({}, 16).empty());
    }
    /// Against every pair of places, on seeded random sequences of few tokens.
    void agreesWithComparingAllPairs()
    {
        std::uint64_t seed = 7;
        auto const next = [&] { return (seed = seed * 6364136223846793005ull + 1442695040888963407ull) >> 33; };
        for (int round = 0; round < 200; ++round) {
            std::string text;
            for (std::size_t i = 0; i < 3 + next() % 40; ++i) text += static_cast<char>('a' + next() % 3);
            std::size_t longest = 0; // a run that occurs twice without overlap
            for (std::size_t i = 0; i < text.size(); ++i)
                for (std::size_t j = i + 1; j < text.size(); ++j) {
                    std::size_t k = 0;
                    while (j + k < text.size() && i + k < j && text[i + k] == text[j + k]) ++k;
                    longest = std::max(longest, k);
                }
            std::size_t found = 0;
            for (auto const &run : passes::repeatedRuns(tokensOf(text), 64)) {
                QVERIFY(run.length > 0 && run.starts.size() >= 2);
                for (auto start : run.starts) QCOMPARE(text.substr(start, run.length), text.substr(run.starts.front(), run.length));
                for (std::size_t i = 1; i < run.starts.size(); ++i) QVERIFY(run.starts[i] >= run.starts[i - 1] + run.length);
                found = std::max(found, run.length);
            }
            QVERIFY2(found <= longest && (longest == 0) == (found == 0), text.c_str());
        }
    }
};

TW_REGISTER_TEST(TstOutline);
#include "tst_outline.moc"
