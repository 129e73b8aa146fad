#include "engine/passes/schedule.h"
#include "engine/passes/storage.h"
#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

/// Four large products of a feed, each soon reduced to a number; in the given order all are alive at once.
char const *const kWide = R"(
    %0:f32[16, 16] = infeed()
    %1:f32[16, 16] = tanh(%0)
    %2:f32[16, 16] = exp(%0)
    %3:f32[16, 16] = relu(%0)
    %4:f32[16, 16] = abs(%0)
    %5:f32[] = reduce_sum(%1)
    %6:f32[] = reduce_sum(%2)
    %7:f32[] = reduce_sum(%3)
    %8:f32[] = reduce_sum(%4)
    outfeed(%5, %6, %7, %8))";

std::optional<graph::Graph> scheduled(graph::Graph graph, std::string const &algorithm, Context &context)
{
    context.pass.options.scheduler = algorithm;
    return after(passes::scheduleNodes, std::move(graph), context.pass);
}

} // namespace

class TstSchedule : public QObject {
    Q_OBJECT
private slots:
    void bestOrderHasTheLowestPeak()
    {
        auto const before = tiny(kWide);
        auto const ops = ops::opLookup();
        // Feed and all four products: 5 KiB. One product at a time: the feed, a product, four numbers.
        QCOMPARE(passes::regionPeak(before, ops, graph::RegionId(0)), Bytes(5 * 1024));
        for (auto const *algorithm : {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD"}) {
            Context context;
            auto const result = scheduled(before, algorithm, context);
            QVERIFY(result);
            auto const peak = passes::regionPeak(*result, ops, graph::RegionId(0));
            QVERIFY2(peak <= 2 * 1024 + 16, qPrintable(QString("%1: %2").arg(algorithm).arg(peak)));
        }
    }
    void shortestPathRunsTheNearestToAnOutputFirst()
    {
        Context context;
        auto const result = scheduled(tiny(R"(
            %0:f32[4], %1:f32[4] = infeed()
            %2:f32[4] = tanh(%0)
            %3:f32[4] = exp(%2)
            %4:f32[4] = abs(%3)
            %5:f32[4] = neg(%1)
            outfeed(%4, %5))"),
                                      "SHORTEST_PATH", context);
        QVERIFY(result);
        QCOMPARE(shortText(*result), lines(R"(
            %0:f32[4], %1:f32[4] = infeed()
            %2:f32[4] = neg(%1)
            %3:f32[4] = tanh(%0)
            %4:f32[4] = exp(%3)
            %5:f32[4] = abs(%4)
            outfeed(%5, %2))"));
    }
    void feedsKeepTheirOrder()
    {
        QString const text = R"(
            %0:f32[4] = infeed()
            %1:f32[64, 64] = infeed()
            outfeed(%1)
            %2:f32[4] = infeed()
            outfeed(%0, %2)
            outfeed(%2))";
        for (auto const *algorithm : {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"}) {
            Context context;
            auto const result = scheduled(tiny(text), algorithm, context);
            QVERIFY(result);
            QCOMPARE(shortText(*result), lines(text));
        }
    }
    void readersOfAVariableStayInFrontOfItsUpdate()
    {
        // By memory alone, the update (which frees the gradient) would be first.
        QString const text = R"(
            var f32 [64, 64]
            %0:f32[64, 64], %1:f32[] = infeed()
            %2:f32[64, 64] = variable.read() var %v0
            %3:f32[64, 64] = matmul(%2, %2)
            %4:f32[64, 64] = opt.sgd(%2, %0, %1)
            variable.assign(%4) var %v0
            %5:f32[64, 64] = variable.read() var %v0
            outfeed(%3, %5))";
        for (auto const *algorithm : {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"}) {
            Context context;
            auto const result = scheduled(tiny(text), algorithm, context);
            QVERIFY(result);
            auto const placed = after(passes::reuseStorage, *result, context.pass);
            QVERIFY(placed);
            for (auto const &node : graph::compact(*placed).nodes) QVERIFY2(node.op != "copy", algorithm);
        }
    }
    void loopsStayBetweenTheirInputsAndReaders()
    {
        QString const text = R"(
            var f32 [4] accumulator
            %0:f32[4] = variable.read() var %v0
            %1:f32[4] = fill_like(%0) {value=real 0}
            variable.assign(%1) var %v0
            repeat() {count=int 4} {
                %2:f32[4] = infeed()
                %3:f32[4] = variable.read() var %v0
                %4:f32[4] = accumulate(%3, %2) {scale=real 1}
                variable.assign(%4) var %v0
            }
            %5:f32[4] = variable.read() var %v0
            outfeed(%5))";
        for (auto const *algorithm : {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"}) {
            Context context;
            auto const result = scheduled(tiny(text), algorithm, context);
            QVERIFY(result);
            auto const order = shortText(*result);
            QVERIFY(order.indexOf("fill_like") < order.indexOf("repeat") && order.indexOf("repeat") < order.indexOf("outfeed"));
            QVERIFY(passes::verifyStorage(*after(passes::reuseStorage, *result, context.pass), context.pass.ops).ok());
        }
    }
    void aPeakInsideALoopCounts()
    {
        auto const ops = ops::opLookup();
        auto const graph = tiny(R"(
            %0:f32[256] = infeed()
            repeat() {count=int 2} {
                %1:f32[256] = tanh(%0)
                %2:f32[256] = exp(%0)
                outfeed(%1, %2)
            })");
        QCOMPARE(passes::regionPeak(graph, ops, graph::RegionId(0)), Bytes(3 * 1024));
    }
    void aLongChainIsNotMadeWorse()
    {
        graph::Graph g;
        addRegion(g, "main");
        graph::Builder b(g, graph::RegionId(0));
        auto const ops = ops::opLookup();
        auto x = b.add("infeed", {}, {{{8, 8}, DType::F32}})[0];
        std::vector<graph::ValueId> kept;
        for (int i = 0; i < 2000; ++i) {
            graph::Variable v;
            v.name = "w" + std::to_string(i);
            v.shape = {8, 8};
            auto const w = b.read(addVariable(g, std::move(v)));
            x = graph::addInferred(b, ops, "matmul", {x, w})[0];
            if (i % 10 == 0) kept.push_back(x);
        }
        b.add("outfeed", kept, {});
        Context context;
        auto const result = scheduled(g, "CHOOSE_BEST", context);
        QVERIFY(result);
        QVERIFY(passes::regionPeak(*result, ops, graph::RegionId(0)) <= passes::regionPeak(g, ops, graph::RegionId(0)));
    }
    void lookAheadSeesWhatTheNextNodesFree()
    {
        // Greedily, the four small results come first, and stay beside the two large ones.
        auto const before = tiny(R"(
            %0:f32[64, 32], %1:f32[16, 16] = infeed()
            %2:f32[16, 16] = tanh(%1)
            %3:f32[16, 16] = exp(%1)
            %4:f32[16, 16] = relu(%1)
            %5:f32[16, 16] = abs(%1)
            %6:f32[64, 32] = tanh(%0)
            %7:f32[] = reduce_sum(%6)
            %8:f32[64, 32] = exp(%0)
            %9:f32[] = reduce_sum(%8)
            outfeed(%2, %3, %4, %5, %7, %9))");
        auto const peak = [&](int depth, int space) {
            Context context;
            context.pass.options.lookAheadDepth = depth;
            context.pass.options.lookAheadSpace = space;
            auto const result = scheduled(before, "LOOK_AHEAD", context);
            return result ? passes::regionPeak(*result, ops::opLookup(), graph::RegionId(0)) : Bytes(-1);
        };
        Bytes const sums = 16;
        QVERIFY(peak(1, 64) >= 20 * 1024);
        QVERIFY(peak(5, 1) >= 20 * 1024);
        QVERIFY(peak(5, 64) <= 17 * 1024 + sums);
    }
    void anUnknownSchedulerIsRefused()
    {
        Context context;
        context.pass.options.scheduler = "RANDOM";
        auto const result = passes::scheduleNodes(tiny(kWide), context.pass);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, std::string("passes.scheduler"));
    }
};

TW_REGISTER_TEST(TstSchedule);
#include "tst_schedule.moc"
