// Expressions of a Lambda layer: values against the formula in double, and what is refused.
#include "engine/core/formula.h"
#include "engine/layers/step_graph.h"
#include "engine/model/layers/expression_rules.h"
#include "engine/ops/op_def.h"
#include "tests/engine/passes/graph_runner.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

model::Model modelOf(std::string const &expression, std::vector<Shape> const &inputs)
{
    model::Model m;
    m.kind = model::ModelKind::Functional;
    model::Call call;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto input = model::makeInput("in" + std::to_string(i), inputs[i]);
        m.inputs.push_back({input.name, 0, 0});
        call.inputs.push_back({input.name, 0, 0});
        m.layers.push_back(std::move(input));
    }
    auto layer = model::makeLayer("Lambda", "f", {{"expression", expression}});
    layer.calls = {call};
    m.layers.push_back(std::move(layer));
    m.outputs = {{"f", 0, 0}};
    return m;
}

std::string codeOf(std::string const &expression, std::size_t inputs)
{
    auto const resolved = model::resolve(modelOf(expression, std::vector<Shape>(inputs, Shape{3})));
    return resolved.ok() ? "resolves" : resolved.error().code;
}

} // namespace

class TstLambda : public QObject {
    Q_OBJECT
private slots:
    void valuesAreThoseOfTheFormula_data();
    void valuesAreThoseOfTheFormula();
    void wrongExpressionsAreRefused();
};

void TstLambda::valuesAreThoseOfTheFormula_data()
{
    QTest::addColumn<QString>("expression");
    for (auto const *text :
         {"x * 2 + 1", "1 - x", "2 / x", "x / 3", "x ** 5", "x ** -3", "x ** 0", "2 ** x", "(x * x) ** 0.7", "x", "7 / 2", "x ^ 2 - -x",
          "max(x, x2) - min(0.25, x)", "select(greater(x, x2), sqrt(abs(x)), log(square(x2) + 1))",
          "softplus(x) + gelu(x2) + swish(x) + softsign(x) + sign(x) + relu(x2) + tanh(x) + sigmoid(x2) + exp(-x)"})
        QTest::newRow(text) << QString(text);
}

void TstLambda::valuesAreThoseOfTheFormula()
{
    QFETCH(QString, expression);
    auto const resolved = model::resolve(modelOf(expression.toStdString(), {{2, 3}, {2, 3}}));
    QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
    auto const built = layers::buildOutputs(*resolved, 2, ops::opLookup());
    QVERIFY2(built.ok(), built.ok() ? "" : toText(built.error()).c_str());
    std::vector const inputs{randomTensor({2, 2, 3}, 5, -2, 2), randomTensor({2, 2, 3}, 6, -2, 2)};
    GraphRunner runner{built->graph};
    runner.context.precision = reference::Precision::Double;
    runner.infeed = [&](graph::Node const &) { return inputs; };
    QVERIFY2(runner.run(), runner.error.c_str());
    auto const &values = runner.outfed.at(0).at(0).v;
    QCOMPARE(values.size(), std::size_t(12));
    auto const formula = parseFormula(expression.toStdString());
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const expected = valueOf(*formula, [&](std::string_view name) { return std::optional(inputs[name == "x" ? 0 : 1].v[i]); });
        QVERIFY2(expected && std::abs(values[i] - *expected) <= 1e-12 * std::max(1.0, std::abs(*expected)),
                 qPrintable(QString("element %1: %2, the formula says %3").arg(i).arg(values[i], 0, 'g', 17).arg(*expected, 0, 'g', 17)));
    }
}

void TstLambda::wrongExpressionsAreRefused()
{
    QCOMPARE(codeOf("x + 1", 1), std::string("resolves"));
    QCOMPARE(codeOf("x1 + x2", 2), std::string("resolves"));
    QCOMPARE(codeOf("x + x2", 1), std::string("model.shape"));
    for (auto const *text : {"", "x +", "y + 1", "x0", "norm(x)", "open(x)", "x; import os", "lambda x: x", "x ** ** 2", "max(x)"})
        QCOMPARE(codeOf(text, 2), std::string("model.bad-argument"));
    QCOMPARE(codeOf(std::string(5000, '-') + "x", 1), std::string("model.bad-argument"));
    // An input that the expression does not name is broadcast with the others, as in a merge.
    QCOMPARE(codeOf("x", 2), std::string("resolves"));
}

TW_REGISTER_TEST(TstLambda);
#include "tst_lambda.moc"
