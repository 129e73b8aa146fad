#include "tests/engine/kernels/kernel_cases.h"
#include "tests/support/test_registry.h"

#include "engine/kernels/map_group.h"
#include "engine/kernels/wide_vectors.h"

#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::test;

namespace {

constexpr std::uint32_t kSeed = 20261124;

/// Nodes over numbered tensors.
struct Nodes {
    struct Value {
        Shape shape;
        bool given = false, kept = false;
        int storage = -1; ///< of another value, which it takes
    };
    struct One {
        graph::Node node;
        std::vector<std::size_t> inputs, outputs;
    };
    std::map<std::size_t, Value> values;
    std::vector<One> nodes;

    void given(std::size_t name, Shape shape) { values[name] = {std::move(shape), true, false, -1}; }
    void add(std::string op, std::vector<std::size_t> inputs, std::vector<std::size_t> outputs, Shape shape, graph::Attrs attrs = {},
             int storage = -1)
    {
        One one;
        one.node.op = std::move(op);
        one.node.name = one.node.op;
        one.node.attrs = std::move(attrs);
        one.inputs = std::move(inputs);
        one.outputs = std::move(outputs);
        for (auto output : one.outputs) values[output] = {shape, false, false, storage};
        nodes.push_back(std::move(one));
    }
    void keep(std::vector<std::size_t> const &names)
    {
        for (auto name : names) values[name].kept = true;
    }
};

/// An LSTM cell with broadcasts: gates cut from one matrix, one stored intermediate result, joined parts.
Nodes cell(std::int64_t rows, std::int64_t width)
{
    Nodes n;
    n.given(0, {rows, 4 * width});
    n.given(1, {rows, 4 * width});
    n.given(2, {rows, width});
    n.given(3, {4 * width});
    n.given(4, {});
    n.given(5, {rows, 1});
    n.add("add", {0, 1}, {10}, {rows, 4 * width}, {}, 1);
    n.add("add", {10, 3}, {11}, {rows, 4 * width});
    n.add("split", {11}, {12, 13, 14, 15}, {rows, width}, {{"axis", std::int64_t{1}}});
    n.add("sigmoid", {12}, {16}, {rows, width});
    n.add("sigmoid", {13}, {17}, {rows, width});
    n.add("tanh", {14}, {18}, {rows, width}, {}, 14);
    n.add("map", {16, 18, 17, 2}, {20}, {rows, width}, {{"expr", std::string("4: mul a0 a1; mul a2 a3; add t1 t0")}});
    n.add("mul", {20, 4}, {21}, {rows, width});
    n.add("mul", {21, 5}, {22}, {rows, width});
    n.add("sigmoid_grad", {17, 22}, {23}, {rows, width});
    n.add("concat", {16, 20, 23, 15}, {24}, {rows, 4 * width}, {{"axis", std::int64_t{1}}});
    n.keep({15, 20, 22, 24});
    return n;
}

/// Bytes of the stored values by name, with nodes grouped or one by one.
std::map<std::size_t, std::vector<std::byte>> run(Nodes const &nodes, bool together, int threads, std::string *error)
{
    std::map<std::size_t, HostBuffer> buffers;
    std::map<std::size_t, kernels::HostTensor> tensors;
    std::mt19937 random(kSeed);
    for (auto const &[name, value] : nodes.values) {
        auto &buffer = buffers.emplace(name, HostBuffer(DType::F32, value.shape)).first->second;
        tensors[name] = {DType::F32, value.shape, buffer.data()};
        if (value.given) reference::toBytes(randomTensor(random, DType::F32, value.shape, -2, 2), buffer.data());
    }
    for (auto const &[name, value] : nodes.values)
        if (value.storage >= 0) tensors[name].data = tensors[static_cast<std::size_t>(value.storage)].data;
    std::vector<kernels::MapNode> bound;
    ThreadPool pool(threads);
    kernels::RunContext ctx{pool, 0, 0};
    for (auto const &one : nodes.nodes) {
        auto &node = bound.emplace_back();
        node.node = &one.node;
        node.inputNames = one.inputs;
        node.outputNames = one.outputs;
        for (auto input : one.inputs) node.inputs.push_back(tensors.at(input));
        for (auto output : one.outputs) {
            node.outputs.push_back(tensors.at(output));
            node.kept.push_back(nodes.values.at(output).kept);
        }
        if (together) continue;
        auto prepared = kernels::prepare({one.node, node.inputs, node.outputs});
        if (!prepared.ok()) {
            *error = toText(prepared.error());
            return {};
        }
        (*prepared)(ctx);
    }
    if (together) {
        auto prepared = kernels::prepareMapGroup(bound);
        if (!prepared.ok()) {
            *error = toText(prepared.error());
            return {};
        }
        (*prepared)(ctx);
    }
    std::map<std::size_t, std::vector<std::byte>> kept;
    for (auto const &[name, value] : nodes.values) {
        if (!buffers.at(name).guardIsIntact()) *error = "wrote behind the end of " + std::to_string(name);
        auto const &tensor = tensors.at(name);
        if (value.kept) kept[name] = {tensor.data, tensor.data + tensor.elements() * 4};
    }
    return kept;
}

} // namespace

/// Elementwise nodes evaluated together, block by block, against one after the other.
class TstMapGroup : public QObject {
    Q_OBJECT
private slots:
    void hasTheBitsOfNodeAfterNode_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("width");
        // Blocks of several rows, of one row, of part of a row; copied rows and rows read in place.
        for (auto const &[rows, width] :
             std::vector<std::pair<int, int>>{{32, 128}, {5, 3}, {7, 700}, {1, 40}, {33, 64}, {2, 512}, {300, 100}, {1, 1}, {3, 1200}})
            QTest::newRow(qPrintable(QString("%1 x %2").arg(rows).arg(width))) << rows << width;
    }
    void hasTheBitsOfNodeAfterNode()
    {
        QFETCH(int, rows);
        QFETCH(int, width);
        auto const nodes = cell(rows, width);
        std::string error;
        auto const want = run(nodes, false, 1, &error);
        QVERIFY2(error.empty(), error.c_str());
        QCOMPARE(want.size(), std::size_t{4});
        for (int threads : {1, 3}) {
            auto const got = run(nodes, true, threads, &error);
            QVERIFY2(error.empty(), error.c_str());
            for (auto const &[name, bytes] : want) QVERIFY2(got.at(name) == bytes, qPrintable(QString::number(name)));
        }
    }
    void elementsOfAnyShapeAreOneRow()
    {
        Nodes nodes;
        nodes.given(0, {3, 5, 7});
        nodes.given(1, {3, 5, 7});
        nodes.given(2, {});
        nodes.add("mul", {0, 1}, {3}, {3, 5, 7}, {}, 0);
        nodes.add("add", {3, 2}, {4}, {3, 5, 7}, {}, 0);
        nodes.add("relu", {4}, {5}, {3, 5, 7}, {}, 0);
        nodes.keep({5});
        std::string error;
        auto const want = run(nodes, false, 1, &error), got = run(nodes, true, 1, &error);
        QVERIFY2(error.empty(), error.c_str());
        QVERIFY(got == want);
    }
    void mismatchedShapesAreRefused_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("other rows") << 0;
        QTest::newRow("no whole parts") << 1;
        QTest::newRow("a result that is broadcast") << 2;
    }
    void mismatchedShapesAreRefused()
    {
        QFETCH(int, which);
        Nodes nodes;
        nodes.given(0, {4, 6});
        nodes.given(1, which == 0 ? Shape{5, 6} : which == 1 ? Shape{4, 4} : Shape{6});
        nodes.add("relu", {0}, {2}, {4, 6});
        nodes.add("relu", {1}, {3}, nodes.values[1].shape);
        if (which == 2) nodes.add("add", {2, 3}, {4}, {4, 6});
        nodes.keep({2, 3});
        std::string error;
        run(nodes, true, 1, &error);
        QVERIFY(!error.empty());
    }
    void storageThatIsReadElsewhereIsRefused()
    {
        // The second node writes over rows that the first one reads later.
        std::vector<float> memory(40, 1.0f);
        graph::Node relu, neg;
        relu.op = "relu";
        neg.op = "neg";
        auto const at = [&](std::size_t offset) {
            return kernels::HostTensor{DType::F32, {4, 6}, reinterpret_cast<std::byte *>(memory.data() + offset)};
        };
        std::vector<float> other(24);
        kernels::HostTensor const apart{DType::F32, {4, 6}, reinterpret_cast<std::byte *>(other.data())};
        for (std::size_t offset : {0, 6, 16}) {
            std::vector<kernels::MapNode> const nodes{{&relu, {at(0)}, {apart}, {0}, {1}, {1}},
                                                      {&neg, {apart}, {at(offset)}, {1}, {2}, {1}}};
            QCOMPARE(kernels::prepareMapGroup(nodes).ok(), offset == 0);
        }
    }
    void widerVectorsHaveTheSameBits()
    {
        if (!kernels::wideVectors()) QSKIP("this processor has no vectors of 512 bits");
        auto cases = elementwiseCases(kSeed);
        for (auto &c : kernelCases(kSeed))
            if (c.node.op.starts_with("opt.")) cases.push_back(std::move(c));
        QVERIFY(cases.size() > 50);
        for (auto const &c : cases) {
            auto const wide = runKernel(c, 1);
            kernels::NarrowVectors const narrow;
            QVERIFY(!kernels::wideVectors());
            QVERIFY2(runKernel(c, 1).bytes == wide.bytes, c.title.c_str());
        }
    }
};

TW_REGISTER_TEST(TstMapGroup);
#include "tst_map_group.moc"
