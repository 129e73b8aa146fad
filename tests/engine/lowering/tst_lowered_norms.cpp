#include "tests/engine/lowering/lowered_run.h"
#include "tests/support/random_sizes.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;
using graph::Attrs;
using graph::Builder;
using graph::Graph;
using graph::ValueId;

namespace {

using List = std::vector<std::int64_t>;

/// The three results of whitening, and those of its gradient.
std::vector<ValueId> whiten(Builder &b, ValueId x, List const &view, bool onePass = false)
{
    Attrs const attrs{{"view", view}, {"epsilon", 1e-3}};
    auto forward = attrs;
    if (onePass) forward.set("one_pass", true);
    auto const outs = graph::addInferred(b, ops::opLookup(), "norm.whiten", {x}, forward, "Whiten");
    auto const &value = b.graph().value(x);
    auto const d = input(b, "d", value.shape, value.dtype);
    auto const dx = addOp(b, "norm.whiten_grad", {outs[0], outs[2], d}, attrs, "WhitenGrad");
    return {outs[0], outs[1], outs[2], dx};
}

} // namespace

class TstLoweredNorms : public QObject {
    Q_OBJECT
private slots:
    void giveTheNumbersOfTheReference()
    {
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            RandomStream random(deriveSeed(81, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            auto const extent = [&](std::int64_t most) { return random.below(3) == 0 ? 1 : upTo(random, most); };
            List const view{extent(6), extent(60), extent(40), extent(30)};
            // Unchanged, or as a matrix whose rows and columns do not match the view.
            auto const all = view[0] * view[1] * view[2] * view[3];
            Shape const shape = random.below(2) ? view : Shape{view[0], all / view[0]};
            auto const results = whiten(b, input(b, "x", shape, type), view, seed % 2 == 1);
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, results, target, {}, seed, type == DType::F32 ? 2e-5 : 4e-3);
            RUN_CASE(run, "seed " + std::to_string(seed) + " " + toText(view) + " of " + toText(shape) + " on " + target);
        }
    }
    /// The result of a pooling is divided in all dimensions: sums are computed in place and combined from there.
    void batchesStayWhereTheyLie()
    {
        int partial = 0;
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            RandomStream random(deriveSeed(82, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            std::int64_t const n = upTo(random, 6), h = upTo(random, 12), w = upTo(random, 12), c = upTo(random, 40);
            List const two{2, 2}, none{0, 0};
            auto const x = addOp(b, "pool.max", {input(b, "x", {n, 2 * h, 2 * w, c}, type)},
                                 {{"window", two}, {"stride", two}, {"before", none}, {"after", none}}, "Pool");
            auto const results = whiten(b, x, {1, n * h * w, c, 1});
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, results, target, {}, seed, type == DType::F32 ? 2e-5 : 4e-3);
            RUN_CASE(run, "seed " + std::to_string(seed) + " on " + target);
            auto const &layoutOf = [&](ValueId v) { return run.lowered.program.var(run.lowered.values[v.index]).layout; };
            QCOMPARE(layoutOf(results[0]), layoutOf(x));
            QCOMPARE(layoutOf(results[3]), layoutOf(x));
            for (auto const &v : run.lowered.program.variables) {
                QVERIFY2(v.name != "Whiten/in", "what was pooled moved");
                partial += v.name == "Whiten/mean/partials";
            }
        }
        QVERIFY2(partial > 0, "no sums met");
    }
};

TW_REGISTER_TEST(TstLoweredNorms);
#include "tst_lowered_norms.moc"
