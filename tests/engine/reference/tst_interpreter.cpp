#include "engine/reference/interpreter.h"

#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::reference;

namespace {

/// loss = mean over rows of the cross-entropy of relu(x W + b), with W's gradient and one SGD step.
struct Fixture {
    graph::Graph graph;
    graph::VariableId weight, bias;
    graph::ValueId x, labels, loss, dw, logits;
    RefState state;

    Fixture()
    {
        using graph::Role;
        addRegion(graph, "entry");
        weight = addVariable(graph, {"dense/kernel", {3, 4}, DType::F32, Role::Weight, "dense", "", true, 0});
        bias = addVariable(graph, {"dense/bias", {4}, DType::F32, Role::Weight, "dense", "", true, 0});
        graph::Builder b(graph, graph::RegionId(0));
        auto const feed = b.add("infeed", {}, {{{2, 3}, DType::F32}, {{2}, DType::I32}});
        x = feed[0];
        labels = feed[1];
        auto const w = b.read(weight), bb = b.read(bias);
        auto const product = b.one("matmul", {x, w}, {2, 4}, DType::F32);
        logits = b.one("map", {product, bb}, {2, 4}, DType::F32, {{"expr", std::string("2: add a0 a1; tanh t0")}});
        auto const xent = b.add("sparse_xent", {logits, labels}, {{{2}, DType::F32}, {{2, 4}, DType::F32}});
        auto const sum = b.one("reduce_sum", {xent[0]}, {}, DType::F32, {});
        loss = b.one("mul_scalar", {sum}, {}, DType::F32, {{"p0", 0.5}});
        auto const dloss = b.constant(0.5);
        auto const dlogits = b.one("sparse_xent_grad", {xent[1], labels, dloss}, {2, 4}, DType::F32);
        auto const dz = b.one("tanh_grad", {logits, dlogits}, {2, 4}, DType::F32);
        dw = b.one("matmul", {x, dz}, {3, 4}, DType::F32, {{"transpose_a", true}});
        auto const rate = b.constant(0.1);
        b.assign(weight, b.one("opt.sgd", {w, dw, rate}, {3, 4}, DType::F32));
        b.add("outfeed", {loss}, {});

        state.variables[weight] = {DType::F32, {3, 4}, {0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, -0.8, 0.9, 0.11, -0.12, 0.13}};
        state.variables[bias] = {DType::F32, {4}, {0.01, 0.02, -0.03, 0.04}};
    }

    RefFeeds feeds(std::vector<double> *losses = nullptr) const
    {
        RefFeeds f;
        f.infeed = [](graph::Node const &) -> Result<std::vector<RefTensor>> {
            return std::vector<RefTensor>{{DType::F32, {2, 3}, {1, -0.5, 0.25, -2, 0.75, 1.5}}, {DType::I32, {2}, {3, 1}}};
        };
        f.outfeed = [losses](graph::Node const &, std::span<RefTensor const> in) -> Status {
            if (losses) losses->push_back(in[0].v[0]);
            return {};
        };
        return f;
    }
};

constexpr RefContext kDouble{0, 0, Precision::Double};

} // namespace

class TstInterpreter : public QObject {
    Q_OBJECT
private slots:
    void gradientOfAGraphMatchesFiniteDifferences()
    {
        Fixture const f;
        auto const lossOf = [&](std::size_t index, double shift) {
            RefState state = f.state;
            state.variables[f.weight].v[index] += shift;
            auto const status = runRegion(f.graph, graph::RegionId(0), state, kDouble, f.feeds());
            if (!status.ok()) qFatal("%s", toText(status.error()).c_str());
            return state.values.at(f.loss).v[0];
        };
        RefState state = f.state;
        QVERIFY(runRegion(f.graph, graph::RegionId(0), state, kDouble, f.feeds()).ok());
        for (std::size_t i = 0; i < 12; ++i) {
            double const want = (lossOf(i, 1e-5) - lossOf(i, -1e-5)) / 2e-5;
            QVERIFY(std::abs(state.values.at(f.dw).v[i] - want) < 1e-8);
        }
    }
    void assignmentsLastAndReduceTheLoss()
    {
        Fixture f;
        std::vector<double> losses;
        for (int step = 0; step < 50; ++step) {
            f.state.values.clear();
            QVERIFY(runRegion(f.graph, graph::RegionId(0), f.state, {}, f.feeds(&losses)).ok());
        }
        QCOMPARE(losses.size(), std::size_t{50});
        QVERIFY(losses.back() < 0.7 * losses.front());
        QCOMPARE(f.state.variables[f.weight].v[0], static_cast<double>(static_cast<float>(f.state.variables[f.weight].v[0])));
    }
    void presetValuesReplaceTheirNode()
    {
        Fixture f;
        f.state.values[f.logits] = {DType::F32, {2, 4}, {0, 0, 0, 0, 0, 0, 0, 0}};
        QVERIFY(runRegion(f.graph, graph::RegionId(0), f.state, kDouble, f.feeds()).ok());
        QVERIFY(std::abs(f.state.values.at(f.loss).v[0] - std::log(4.0)) < 1e-12);
    }
    void missingPartsAreNamed()
    {
        Fixture f;
        auto const noFeed = runRegion(f.graph, graph::RegionId(0), f.state, kDouble);
        QVERIFY(!noFeed.ok());
        QCOMPARE(noFeed.error().code, std::string("reference.missing"));
        f.state.variables.erase(f.bias);
        auto const noVariable = runRegion(f.graph, graph::RegionId(0), f.state, kDouble, f.feeds());
        QVERIFY(!noVariable.ok());
        QVERIFY(noVariable.error().message.find("variable") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstInterpreter);
#include "tst_interpreter.moc"
