#include "engine/graph/node_kind.h"
#include "engine/graph/partial_sums.h"
#include "engine/ops/op_def.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <array>
#include <limits>
#include <random>
#include <set>

using namespace tilewright;
using namespace tilewright::ops;
using namespace tilewright::graph;

namespace {

/// A graph of one node on values of these shapes, with a result of one.
Graph oneNode(std::string const &op, Attrs attrs, std::vector<Shape> const &operands, DType type = DType::F32)
{
    Graph g;
    addRegion(g, "main");
    Builder b(g, RegionId(0));
    std::vector<Builder::Out> types;
    for (auto const &shape : operands) types.push_back({shape, type});
    auto const values = b.add("infeed", {}, types);
    b.one(op, values, {2, 5}, type, std::move(attrs), "the node");
    return g;
}

} // namespace

/// The attribute declarations of an operation hold for its nodes in any graph.
class TstOpAttributes : public QObject {
    Q_OBJECT
private slots:
    void declarationsAreConsistent()
    {
        for (auto const &op : builtinOps()) {
            auto const name = op.name.c_str();
            auto const &spec = op.spec;
            std::set<std::string> attributes;
            for (auto const &attribute : spec.attributes) {
                QVERIFY2(attributes.insert(attribute.name).second, name);
                QVERIFY2(!attribute.help.empty(), name);
            }
            QVERIFY2(attributes.contains(halfPartialsAttribute().name) == sumsPartially(op.name), name);
            QVERIFY2(!spec.transposed || attributes.contains(spec.transposed->flag), name);
            QVERIFY2(!spec.scalarOperand || static_cast<int>(*spec.scalarOperand) < spec.operands, name);
            QVERIFY2(!spec.updates || (!spec.inPlaceCandidates.empty() && spec.inPlaceCandidates[0] == std::pair(0, 0)), name);
            QVERIFY2(!op.lowering.updatesWeights || spec.updates, name);
        }
        for (auto const kind : kKindNames) QVERIFY2(findOp(kind), std::string(kind).c_str());
    }
    void undeclaredAttributesAreRefused_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("attribute");
        QTest::addColumn<QString>("what");
        QTest::newRow("another type") << R"(matmul(%0, %1) {transpose_a="yes"})"
                                      << "transpose_a"
                                      << "must be bool";
        QTest::newRow("a list for a number") << "split(%0) {axis=ints [0], parts=int 2}"
                                             << "axis"
                                             << "must be int";
        QTest::newRow("a whole number for a real one") << "mul_scalar(%0) {p0=int 2}"
                                                       << "p0"
                                                       << "must be real";
        QTest::newRow("an unknown one") << "matmul(%0, %1) {transposed_a=true}"
                                        << "transposed_a"
                                        << "there are transpose_a, transpose_b";
        QTest::newRow("one where there are none") << "neg(%0) {p0=real 1}"
                                                  << "p0"
                                                  << "no attributes";
        QTest::newRow("a missing one") << "concat(%0, %1)"
                                       << "axis"
                                       << "is missing, int";
        QTest::newRow("a missing parameter") << "clip(%0) {p0=real 0}"
                                             << "p1"
                                             << "is missing";
        QTest::newRow("of a pass, in another type") << "relu(%0) {rounding=true}"
                                                    << "rounding"
                                                    << "must be text";
        QTest::newRow("partial sums where there are none") << "softmax(%0) {half_partials=int 16}"
                                                           << "partial sums"
                                                           << "softmax";
    }
    void undeclaredAttributesAreRefused()
    {
        QFETCH(QString, node);
        QFETCH(QString, attribute);
        QFETCH(QString, what);
        auto const text = R"(graph "g" stages 1
region r0 "main" {
  %0 "a":f32[4, 4]:input, %1 "b":f32[4, 4]:input = infeed() name "in" layer "" pass forward stage 0
  %2 "y":f32[4, 4]:activation = )"
            + node + R"( name "the node" layer "" pass forward stage 0
})";
        auto const parsed = parse(text.toStdString());
        auto const status = parsed.ok() ? verify(*parsed, opLookup()) : Status(parsed.error());
        QVERIFY(!status.ok());
        auto const said = QString::fromStdString(toText(status.error()));
        QVERIFY2(said.contains("the node"), qPrintable(said));
        QVERIFY2(said.contains(attribute), qPrintable(said));
        QVERIFY2(said.contains(what), qPrintable(said));
    }
    void operandsAreCounted()
    {
        auto const status = verify(oneNode("softmax", {}, {}), opLookup());
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("graph.operands"));
        QCOMPARE(status.error().subject, std::string("the node"));
    }
    void attributesWrittenByPassesAreAccepted()
    {
        auto const status = verify(oneNode("relu", {{"rounding", std::string("stochastic")}}, {{2, 5}}), opLookup());
        QVERIFY2(status.ok(), status.ok() ? "" : toText(status.error()).c_str());
    }
    void noAttributesEndTheProgram()
    {
        std::mt19937 draw(7);
        auto const any = [&](auto const &from) { return from[draw() % std::size(from)]; };
        constexpr std::array<std::int64_t, 9> kNumbers{
            -1, 0, 1, 2, 3, 4, 5, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
        constexpr std::array kReals{-1.0, 0.0, 0.5, 1e300, std::numeric_limits<double>::infinity()};
        std::array<std::string, 6> const texts{"", "rows", "cols", "2: add a0 a1", "0: ", "adam"};
        auto const value = [&](std::size_t type) -> AttrValue {
            std::vector<std::int64_t> numbers(draw() % 5);
            for (auto &number : numbers) number = any(kNumbers);
            switch (type) {
            case 0: return draw() % 2 == 0;
            case 1: return any(kNumbers);
            case 2: return any(kReals);
            case 3: return any(texts);
            case 4: return numbers;
            default: return std::vector<double>(numbers.begin(), numbers.end());
            }
        };
        std::array<Shape, 5> const shapes{Shape{}, Shape{4}, Shape{2, 5}, Shape{2, 4, 3}, Shape{2, 4, 4, 3}};
        int refused = 0, taken = 0;
        for (auto const &op : builtinOps()) {
            if (op.name == toText(NodeKind::VariableRead) || op.name == toText(NodeKind::VariableAssign)) continue;
            for (int round = 0; round < 400; ++round) {
                Attrs attrs;
                for (auto const &attribute : op.spec.attributes)
                    if (draw() % 10 != 0)
                        attrs.set(attribute.name, value(draw() % 20 == 0 ? draw() % 6 : static_cast<std::size_t>(attribute.type)));
                std::vector<Shape> operands(op.spec.operands >= 0 && draw() % 8 != 0 ? static_cast<std::size_t>(op.spec.operands)
                                                                                     : draw() % 4);
                for (auto &shape : operands) shape = any(shapes);
                ++(verify(oneNode(op.name, attrs, operands, draw() % 3 == 0 ? DType::I32 : DType::F32), opLookup()).ok() ? taken : refused);
            }
        }
        QVERIFY(refused > taken && taken > 100);
    }
};

TW_REGISTER_TEST(TstOpAttributes);
#include "tst_op_attributes.moc"
