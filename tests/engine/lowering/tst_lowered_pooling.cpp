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

/// Windows of any size, stride and padding that fit the spatial axes of a shape.
Attrs anyPool(RandomStream &random, Shape const &in)
{
    List window, stride, before, after;
    for (std::size_t a = 1; a + 1 < in.size(); ++a) {
        window.push_back(upTo(random, std::min<std::int64_t>(in[a], 5)));
        stride.push_back(random.below(2) ? window.back() : upTo(random, 4));
        auto const pad = [&] {
            return static_cast<std::int64_t>(random.below(3) ? 0 : random.below(static_cast<std::uint64_t>(window.back())));
        };
        before.push_back(pad());
        after.push_back(pad());
        // No window starts after the end.
        while ((in[a] + before.back() + after.back() - window.back()) / stride.back() * stride.back() - before.back() >= in[a])
            --after.back();
    }
    return {{"window", window}, {"stride", stride}, {"before", before}, {"after", after}};
}

Attrs evenPool(std::size_t spatial, std::int64_t size)
{
    return {{"window", List(spatial, size)}, {"stride", List(spatial, size)}, {"before", List(spatial, 0)}, {"after", List(spatial, 0)}};
}

Attrs globalPool(Shape const &in)
{
    List const window(in.begin() + 1, in.end() - 1);
    return {{"window", window}, {"stride", List(window.size(), 1)}, {"before", List(window.size(), 0)}, {"after", List(window.size(), 0)}};
}

ValueId gradientOf(Builder &b, std::string const &op, ValueId x, ValueId d, Attrs attrs)
{
    if (op == "pool.max") return addOp(b, "pool.max_grad", {x, d}, attrs, "MaxPoolGrad");
    auto const shape = b.graph().value(x).shape;
    attrs.set("extent", List(shape.begin() + 1, shape.end() - 1));
    return addOp(b, "pool.average_grad", {d}, attrs, "AveragePoolGrad");
}

Shape anyShape(RandomStream &random)
{
    auto const spatial = upTo(random, 3);
    Shape shape{upTo(random, 6)};
    for (std::int64_t a = 0; a < spatial; ++a) shape.push_back(upTo(random, spatial == 3 ? 9 : 20));
    shape.push_back(upTo(random, 40));
    return shape;
}

/// Bytes that an exchange brings to the operands of a compute set.
Bytes received(lowering::Lowered const &lowered, std::string const &set)
{
    Bytes bytes = 0;
    for (auto const &v : lowered.program.variables)
        if (v.role == "message" && v.name.starts_with(set + "/")) bytes += v.layout.elements() * sizeOf(v.dtype);
    return bytes;
}

} // namespace

class TstLoweredPooling : public QObject {
    Q_OBJECT
private slots:
    void givesTheNumbersOfTheReference()
    {
        for (std::uint64_t seed = 0; seed < 120; ++seed) {
            RandomStream random(deriveSeed(71, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            auto const shape = anyShape(random);
            std::string const op = seed % 2 ? "pool.max" : "pool.average";
            auto const attrs = anyPool(random, shape);
            auto const x = input(b, "x", shape, type);
            auto const y = addOp(b, op, {x}, attrs, "Pool");
            auto const d = input(b, "d", g.value(y).shape, type);
            auto const dx = gradientOf(b, op, x, d, attrs);
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {y, dx}, target, {}, seed, type == DType::F32 ? 1e-5 : 2e-3);
            RUN_CASE(run, "seed " + std::to_string(seed) + " " + toText(shape) + " on " + target);
        }
    }
    /// The result of a pooling is divided in all dimensions. The next pooling uses that layout; global ones first add on its tiles.
    void followsLayoutsInAllDimensions()
    {
        int partial = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomStream random(deriveSeed(72, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            auto shape = anyShape(random);
            for (std::size_t a = 1; a + 1 < shape.size(); ++a) shape[a] *= 2;
            std::string const op = seed % 2 ? "pool.max" : "pool.average";
            auto const x = addOp(b, "pool.average", {input(b, "x", shape, type)}, evenPool(shape.size() - 2, 2), "First");
            auto const here = g.value(x).shape;
            auto const attrs = random.below(2) ? globalPool(here) : anyPool(random, here);
            auto const y = addOp(b, op, {x}, attrs, "Second");
            auto const d = addOp(b, "relu", {y}, {}, "Relu");
            auto const dx = gradientOf(b, op, x, d, attrs);
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {x, y, dx}, target, {}, seed, type == DType::F32 ? 1e-5 : 4e-3);
            RUN_CASE(run, "seed " + std::to_string(seed) + " " + toText(shape) + " on " + target);
            for (auto const &v : run.lowered.program.variables) partial += v.name.ends_with("/partials");
        }
        QVERIFY2(partial > 0, "no global pooling began on the tiles");
    }
    /// The largest element is found by parts while the pooled tensor stays on its tiles. Of equal ones, the first in the order of positions
    /// gets the
    /// gradient, independent of the parts.
    void gradientOfAGlobalMaximumMovesNoTensor()
    {
        for (bool const equal : {false, true}) {
            for (auto const &shape : {Shape{1, 48, 40, 8}, Shape{2, 96, 24}, Shape{1, 24, 20, 16, 4}}) {
                Graph g = emptyGraph();
                Builder b(g, graph::RegionId(0));
                ValueId x = addOp(b, "pool.average", {input(b, "x", shape)}, evenPool(shape.size() - 2, 2), "First");
                if (equal) x = addOp(b, "mul_scalar", {x}, {{"p0", 0.0}}, "Zeros");
                auto const attrs = globalPool(g.value(x).shape);
                auto const y = addOp(b, "pool.max", {x}, attrs, "Global");
                auto const dx = addOp(b, "pool.max_grad", {x, addOp(b, "exp", {y}, {}, "Upstream")}, attrs, "Back");
                auto const run = lowerAndRun(g, {y, dx}, "gc200:tiles=64", {}, 3, 1e-5);
                RUN_CASE(run, toText(shape) + (equal ? " all equal" : ""));
                auto const tensor = elementCount(g.value(x).shape) * sizeOf(DType::F32);
                QVERIFY2(received(run.lowered, "Back") <= 2 * tensor,
                         (toText(shape) + ": " + std::to_string(received(run.lowered, "Back")) + " bytes of a tensor of "
                          + std::to_string(tensor))
                             .c_str());
            }
        }
    }
    void onlyHalosMove()
    {
        Graph g = emptyGraph();
        Builder b(g, graph::RegionId(0));
        auto const x = addOp(b, "pool.max", {input(b, "x", {4, 64, 64, 16})}, evenPool(2, 2), "First");
        auto const even = addOp(b, "pool.max", {x}, evenPool(2, 2), "Even");
        auto const d = input(b, "d", g.value(even).shape);
        auto const back = addOp(b, "pool.max_grad", {x, addOp(b, "add", {even, d}, {}, "Add")}, evenPool(2, 2), "Back");
        Attrs const same{{"window", List{3, 3}}, {"stride", List{1, 1}}, {"before", List{1, 1}}, {"after", List{1, 1}}};
        auto const halo = addOp(b, "pool.max", {x}, same, "Halo");
        auto const run = lowerAndRun(g, {even, halo, back}, "gc200:tiles=64", {}, 1, 1e-6);
        RUN_CASE(run, std::string("halos"));
        auto const &layoutOf = [&](ValueId v) { return run.lowered.program.var(run.lowered.values[v.index]).layout; };
        QCOMPARE(layoutOf(halo), layoutOf(x));
        QCOMPARE(received(run.lowered, "Even"), Bytes(0));
        QCOMPARE(received(run.lowered, "Back"), Bytes(0));
        // A buffer with a halo on each side, and no more than that.
        auto const &own = layoutOf(x);
        Bytes most = sizeOf(DType::F32);
        for (int i = 0; i < own.rank; ++i) most *= own.dim(i).count * (own.dim(i).block + (i == 1 || i == 2 ? 2 : 0));
        QVERIFY(received(run.lowered, "Halo") > 0);
        QVERIFY(received(run.lowered, "Halo") <= most);
    }
};

TW_REGISTER_TEST(TstLoweredPooling);
#include "tst_lowered_pooling.moc"
