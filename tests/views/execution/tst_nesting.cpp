#include "tests/support/test_registry.h"
#include "tests/views/execution/small_report.h"
#include "views/execution/event_sums.h"
#include "views/execution/nesting.h"

#include <QTest>

#include <random>

using namespace tilewright::views;
using namespace tilewright;

class TstNesting : public QObject {
    Q_OBJECT
private slots:
    void chainsLeadFromTheRootToTheProgram()
    {
        auto const tree = programTree(tests::smallReport());
        QCOMPARE(tree.chain(3), (std::vector<int>{0, 1, 3}));
        QVERIFY(tree.rank[2] < tree.rank[3] && tree.rank[3] < tree.rank[4]);
    }

    void aFunctionHangsUnderItsOnlyCall()
    {
        auto data = tests::smallReport();
        data.programs.push_back({"execute", "called"}); // 5
        data.programs.push_back({"call", "call"});      // 6
        data.programs[6].callee = 1;
        data.functions.push_back({"helper", 5, false});
        data.programChildren.push_back({0, 2, 6, {}});
        QCOMPARE(programTree(data).chain(5), (std::vector<int>{0, 6, 5}));
        data.programs.push_back({"call", "again"});
        data.programs[7].callee = 1;
        QCOMPARE(programTree(data).chain(5), (std::vector<int>{5})); // not clear under which of the two
    }

    void roundsOfALoopAreSpansOfTheirOwnUnderIt()
    {
        auto const data = tests::smallReport();
        auto const depths = nestEvents(data.events[0].events, {2, 3, 4, 3}, programTree(data), data);
        QCOMPARE(depths.size(), std::size_t(2));
        QCOMPARE(depths[0], (std::vector<NestedSpan>{{0, 700, 0}}));
        QCOMPARE(depths[1], (std::vector<NestedSpan>{{0, 400, 1}}));
    }

    void bodiesOfALoopBeginAnewEachRound()
    {
        // step > loop > body > (multiply, move): the body comes twice.
        report::ReportData data;
        data.programs = {{"sequence", "step"}, {"repeat", "loop"}, {"sequence", "body"}, {"execute", "multiply"}, {"exchange", "move"}};
        data.programChildren = {{0, 0, 1, {}}, {1, 0, 2, {}}, {2, 0, 3, {}}, {2, 1, 4, {}}};
        report::EventColumns events;
        for (int round = 0; round < 3; ++round) {
            events.add(round * 100, 60, 0);
            events.add(round * 100 + 60, 40, 1);
        }
        auto const depths = nestEvents(events, {3, 4}, programTree(data), data);
        QCOMPARE(depths.size(), std::size_t(3));
        QCOMPARE(depths[1], (std::vector<NestedSpan>{{0, 300, 1}}));
        QCOMPARE(depths[2], (std::vector<NestedSpan>{{0, 100, 2}, {100, 200, 2}, {200, 300, 2}}));
    }

    void barriersOutOfOrderBreakNothing()
    {
        // The barrier stands after its exchange in the tree and before it in time.
        report::ReportData data;
        data.programs = {{"sequence", "main"}, {"execute", "multiply"}, {"exchange", "move"}, {"sync_internal", "barrier"}};
        data.programChildren = {{0, 0, 1, {}}, {0, 1, 2, {}}, {0, 2, 3, {}}};
        report::EventColumns events;
        events.add(0, 10, 0);
        events.add(10, 2, 2);
        events.add(12, 8, 1);
        events.add(20, 10, 0);
        QCOMPARE(nestEvents(events, {1, 2, 3}, programTree(data), data), (std::vector<std::vector<NestedSpan>>{{{0, 30, 0}}}));
    }

    void runningTotalsEqualPlainSums()
    {
        std::mt19937_64 random(4);
        report::EventColumns events;
        for (int i = 0; i < 1000; ++i) events.add(i * 10, 5, static_cast<std::int64_t>(random() % 3), 0, static_cast<int>(random() % 4) - 1);
        EventSums const sums(events, {{10, 20, 30}, {1, 2, 3}, {100, 200, 300}}, {1, 0, 1});
        EventSums::Totals naive{};
        for (std::int64_t e = 0; e < 1000; ++e) {
            QVERIFY(sums.before(e) == naive);
            auto const type = events.type[static_cast<std::size_t>(e)], vec = events.vec[static_cast<std::size_t>(e)];
            naive[EventSums::BytesIn] += (type + 1) * 10;
            naive[EventSums::BytesOut] += type + 1;
            if (type != 1 && vec >= 0) naive[EventSums::TileCycles] += (vec + 1) * 100;
        }
    }
};

TW_REGISTER_TEST(TstNesting);
#include "tst_nesting.moc"
