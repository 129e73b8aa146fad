// Broadcasting and axes in the graph, the oracle and both modes, against a table of numpy's results (tests/corpus/numpy).
#include "engine/passes/autodiff.h"
#include "tests/engine/conformance/conformance_test_tools.h"
#include "tests/engine/conformance/control_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;
using conformance::Mode;
using conformance::Tensor;
using Json = nlohmann::json;

namespace {

Json const &table()
{
    static Json const kTable = conformance::readJson(QString(TILEWRIGHT_SOURCE_DIR "/tests/corpus/numpy/shapes.json"));
    return kTable;
}

graph::Attrs attrsOf(Json const &row)
{
    graph::Attrs attrs;
    if (!row.contains("attrs")) return attrs;
    for (auto const &[name, value] : row["attrs"].items()) {
        if (value.is_boolean()) attrs.set(name, value.get<bool>());
        else if (value.is_array()) attrs.set(name, value.get<Shape>());
        else attrs.set(name, value.get<std::int64_t>());
    }
    return attrs;
}

double operandValue(std::int64_t operand, std::int64_t i) { return static_cast<double>((7 * i + 3 * operand + 1) % 11 - 5); }
double cotangentValue(std::int64_t i) { return static_cast<double>((5 * i + 2) % 7 - 3); }

template <typename ValueOf> Tensor filled(Shape const &shape, ValueOf const &valueOf)
{
    Tensor t{DType::F32, shape, {}};
    for (std::int64_t i = 0; i < elementCount(shape); ++i) t.v.push_back(valueOf(i));
    return t;
}

/// A row as a graph: operands and the gradient of the result are variables; result and gradients are assigned to others.
struct Built {
    layers::StepGraph step;
    std::vector<std::pair<graph::VariableId, Tensor>> inputs;
    std::vector<graph::VariableId> results;
};

Built build(Json const &row)
{
    Built built;
    auto &g = built.step.graph;
    g.name = "row";
    graph::addRegion(g, "main");
    graph::Builder b(g, graph::RegionId(0));
    auto const input = [&](std::string name, Tensor value) {
        auto const id = variable(g, std::move(name), value.shape);
        built.inputs.emplace_back(id, std::move(value));
        return b.read(id);
    };
    std::vector<graph::ValueId> operands;
    for (auto const &shape : row["operands"]) {
        auto const k = static_cast<std::int64_t>(operands.size());
        operands.push_back(input("x" + std::to_string(k), filled(shape.get<Shape>(), [&](std::int64_t i) { return operandValue(k, i); })));
    }
    auto y = op(b, row["op"].get<std::string>(), operands, attrsOf(row));
    std::vector<graph::ValueId> results{g.value(y).dtype == DType::F32 ? y : b.one("cast", {y}, g.value(y).shape, DType::F32)};
    if (row.contains("gradients")) {
        passes::GradientSeed const seed{y, input("d", filled(g.value(y).shape, cotangentValue))};
        auto const made = passes::appendGradients(b, ops::opLookup(), {{&seed, 1}, {}, operands, true});
        if (!made.ok()) qFatal("%s", toText(made.error()).c_str());
        results.insert(results.end(), made->values.begin(), made->values.end());
    }
    for (auto const value : results) {
        built.results.push_back(variable(g, "result" + std::to_string(built.results.size()), g.value(value).shape));
        b.assign(built.results.back(), value);
    }
    if (auto const status = graph::verify(g, ops::opLookup()); !status.ok()) qFatal("%s", toText(status.error()).c_str());
    return built;
}

/// The result, then the gradients.
std::vector<std::vector<double>> wantedOf(Json const &row)
{
    std::vector<std::vector<double>> wanted{row["values"].get<std::vector<double>>()};
    if (row.contains("gradients"))
        for (auto const &gradient : row["gradients"]) wanted.push_back(gradient.get<std::vector<double>>());
    return wanted;
}

} // namespace

class TstNumpyShapes : public QObject {
    Q_OBJECT
private slots:
    /// Also: a refusal of operands names both shapes.
    void theGraphInfersNumpysShapes()
    {
        int accepted = 0, refused = 0;
        for (auto const &row : table()["rows"]) {
            graph::Node node;
            node.op = node.name = row["op"].get<std::string>();
            node.attrs = attrsOf(row);
            std::vector<graph::Value> values;
            for (auto const &shape : row["operands"]) values.push_back({"x", shape.get<Shape>()});
            std::vector<graph::Value const *> inputs;
            for (auto const &value : values) inputs.push_back(&value);
            auto const made = ops::findOp(node.op)->spec.infer(node, inputs);
            QVERIFY2(made.ok() != row.contains("refused"), row.dump().c_str());
            if (made.ok()) {
                ++accepted;
                QVERIFY2((*made)[0].shape == row["shape"].get<Shape>(), row.dump().c_str());
                continue;
            }
            ++refused;
            QCOMPARE(made.error().code, std::string("graph.shape"));
            for (auto const &value : values)
                QVERIFY2(made.error().message.find(toText(value.shape)) != std::string::npos || inputs.size() == 1,
                         made.error().message.c_str());
        }
        QVERIFY(accepted > 100);
        QVERIFY(refused > 15);
    }

    void everyModeComputesNumpysResults_data()
    {
        QTest::addColumn<int>("tiles");
        QTest::newRow("oracle") << -1;
        QTest::newRow("fused") << 0;
        QTest::newRow("1 tile") << 1;
        QTest::newRow("8 tiles") << 8;
    }
    void everyModeComputesNumpysResults()
    {
        QFETCH(int, tiles);
        auto const machine = target::parseMachine("gc200:tiles=" + std::to_string(std::max(tiles, 1)));
        auto const mode = tiles < 0 ? Mode::Reference : tiles == 0 ? Mode::Fused : Mode::Tile;
        for (auto const &row : table()["rows"]) {
            if (row.contains("refused")) continue;
            auto const built = build(row);
            auto runner = conformance::StepRunner::make(built.step, mode, *machine, 1, {});
            QVERIFY2(runner.ok(), runner.ok() ? "" : (row.dump() + toText(runner.error())).c_str());
            for (auto const &[id, value] : built.inputs) (*runner)->write(id, value);
            auto const status = (*runner)->run({}, {});
            QVERIFY2(status.ok(), status.ok() ? "" : (row.dump() + toText(status.error())).c_str());
            auto const wanted = wantedOf(row);
            QCOMPARE(wanted.size(), built.results.size());
            for (std::size_t i = 0; i < wanted.size(); ++i)
                QVERIFY2((*runner)->read(built.results[i]).v == wanted[i], (std::to_string(i) + " of " + row.dump()).c_str());
        }
    }
};

TW_REGISTER_TEST(TstNumpyShapes);
#include "tst_numpy_shapes.moc"
