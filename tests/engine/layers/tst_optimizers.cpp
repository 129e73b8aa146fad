// Updates of all optimizers: by formula, by operations of their own, and as the registry describes them.
#include "engine/graph/update_expr.h"
#include "engine/model/schedules.h"
#include "engine/model/slot_types.h"
#include "engine/ops/op_def.h"
#include "engine/training/optimizer_builder.h"
#include "engine/training/special_updates.h"
#include "tests/engine/passes/graph_runner.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QDirIterator>
#include <QtTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::tests;
using model::Json;
using training::Updates;

namespace {

model::Optimizer optimizerNamed(std::string const &className, Json config = Json::object())
{
    auto parsed = model::parseOptimizer(Json{{"class_name", className}, {"config", std::move(config)}});
    if (!parsed.ok()) qFatal("%s", toText(parsed.error()).c_str());
    return *parsed;
}

/// One update of two weights, with gradients from the feed.
struct OptimizerUpdate {
    graph::Graph graph;
    std::vector<graph::VariableId> weights;
    training::OptimizerState state;
    Status status;

    OptimizerUpdate(model::Optimizer const &optimizer, Updates updates)
    {
        graph::addRegion(graph, "main");
        graph::OpBuilder builder(graph, graph::RegionId(0), ops::opLookup());
        std::vector<graph::Builder::Out> outs;
        for (char const *name : {"dense/kernel", "dense/bias"}) {
            Shape const shape = weights.empty() ? Shape{3, 5} : Shape{5};
            weights.push_back(builder.addState(name, shape, DType::F32, graph::Role::Weight, "dense", 0));
            outs.push_back({shape, DType::F32});
        }
        auto const gradients = builder.b.add("infeed", {}, outs, {}, "infeed");
        auto built = training::buildOptimizer(builder, optimizer, "optimizer", weights, gradients, updates);
        if (built.ok()) state = *built;
        status = built.ok() ? graph::verify(graph, ops::opLookup()) : Status(built.error());
    }

    /// The weights after `count` updates by random gradients.
    std::vector<std::vector<double>> after(int count) const
    {
        GraphRunner runner{graph};
        for (std::size_t i = 0; i < weights.size(); ++i)
            runner.variables[weights[i]] = randomTensor(graph.variable(weights[i]).shape, 7 + i);
        std::uint64_t seed = 100;
        runner.infeed = [&](graph::Node const &node) {
            std::vector<RefTensor> gradients;
            for (auto const output : node.outputs) gradients.push_back(randomTensor(graph.value(output).shape, seed++));
            return gradients;
        };
        for (int k = 0; k < count; ++k)
            if (!runner.run()) qFatal("%s", runner.error.c_str());
        std::vector<std::vector<double>> values;
        for (auto const weight : weights) values.push_back(runner.variables[weight].v);
        return values;
    }
};

int nodesOf(graph::Graph const &graph, std::string_view op)
{
    return static_cast<int>(std::ranges::count(graph.nodes, op, &graph::Node::op));
}

} // namespace

class TstOptimizers : public QObject {
    Q_OBJECT

private slots:
    void ownOperationsComputeTheFormula_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        auto const row = [](char const *name, char const *config) { QTest::addRow("%s %s", name, config) << name << config; };
        row("SGD", R"({"learning_rate": 0.1})");
        row("SGD", R"({"momentum": 0.9, "decay": 0.1})");
        row("SGD", R"({"momentum": 0.9, "nesterov": true})");
        row("RMSprop", "{}");
        row("RMSprop", R"({"momentum": 0.5, "epsilon": 0.01})");
        row("RMSprop", R"({"centered": true, "epsilon": 0.01})");
        row("RMSprop", R"({"centered": true, "momentum": 0.5, "epsilon": 0.01})");
        row("Adam", R"({"learning_rate": 0.01})");
        row("Adam", R"({"learning_rate": 0.01, "amsgrad": true, "beta_2": 0.5})");
        row("Adamax", R"({"learning_rate": 0.01})");
        row("Adadelta", R"({"learning_rate": 1.0, "epsilon": 0.001})");
    }
    void ownOperationsComputeTheFormula()
    {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QVERIFY(training::findSpecialUpdate(className.toStdString()));
        auto const optimizer = optimizerNamed(className.toStdString(), Json::parse(config.toStdString()));
        OptimizerUpdate const own(optimizer, Updates::Fastest), formula(optimizer, Updates::ByFormula);
        QVERIFY2(own.status.ok() && formula.status.ok(), formula.status.ok() ? "" : toText(formula.status.error()).c_str());
        QCOMPARE(nodesOf(own.graph, "opt.update"), 0);
        QCOMPARE(nodesOf(formula.graph, "opt.update"), 2);
        auto const a = own.after(6), b = formula.after(6), before = own.after(0);
        double moved = 0;
        for (std::size_t w = 0; w < a.size(); ++w)
            for (std::size_t i = 0; i < a[w].size(); ++i) {
                moved = std::max(moved, std::abs(a[w][i] - before[w][i]));
                QVERIFY2(std::abs(a[w][i] - b[w][i]) <= 2e-6 * std::max(1.0, std::abs(a[w][i])),
                         qPrintable(QString("%1 and %2").arg(a[w][i], 0, 'g', 9).arg(b[w][i], 0, 'g', 9)));
            }
        QVERIFY(moved > 1e-3);
    }
    void everyOptimizerHasAFormulaOfItsArgumentsAndStates()
    {
        for (auto const &spec : model::optimizerSpecs()) {
            auto const name = spec.className.c_str();
            QVERIFY2(spec.stateSlots && spec.update && !spec.help.empty() && !spec.formula.empty(), name);
            OptimizerUpdate const update(optimizerNamed(spec.className), Updates::ByFormula);
            QVERIFY2(update.status.ok(), update.status.ok() ? "" : toText(update.status.error()).c_str());
            QCOMPARE(nodesOf(update.graph, "opt.update"), 2);
            auto const slotCount = model::optimizerSlots(optimizerNamed(spec.className)).size();
            QCOMPARE(update.state.optimizerSlots.size(), 2 * slotCount);
            auto const changed = update.after(2), before = update.after(0);
            for (std::size_t w = 0; w < changed.size(); ++w)
                for (std::size_t i = 0; i < changed[w].size(); ++i)
                    QVERIFY2(std::isfinite(changed[w][i]) && changed[w][i] != before[w][i], name);
        }
    }
    /// States of half precision: half the bytes, and the numbers of float32 but for their rounding.
    void statesHaveTheTypesOfTheirArguments_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        QTest::addColumn<int>("halves"); ///< states of half precision beside each weight
        QTest::newRow("Adam") << "AdamIpuOptimizer"
                              << R"({"m_dtype": "float16"})" << 1;
        QTest::newRow("AMSGrad") << "AdamIpuOptimizer"
                                 << R"({"v_dtype": "float16", "vhat_dtype": "float16", "amsgrad": true, "beta_2": 0.5})" << 2;
        QTest::newRow("SGD") << "SGDIpuOptimizer"
                             << R"({"momentum": 0.9, "momentum_accum_dtype": "float16"})" << 1;
        QTest::newRow("LAMB") << "LAMBIpuOptimizer"
                              << R"({"m_dtype": "float16", "v_dtype": "float32"})" << 1;
    }
    void statesHaveTheTypesOfTheirArguments()
    {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QFETCH(int, halves);
        auto const name = className.toStdString();
        auto typed = Json::parse(config.toStdString()), plain = typed;
        for (auto const &[key, value] : typed.items())
            if (value.is_string()) plain[key] = nullptr;
        auto const optimizer = optimizerNamed(name, typed);
        OptimizerUpdate const half(optimizer, Updates::Fastest), whole(optimizerNamed(name, plain), Updates::Fastest);
        QVERIFY2(half.status.ok(), half.status.ok() ? "" : toText(half.status.error()).c_str());
        auto const halfStates = std::ranges::count_if(
            half.state.optimizerSlots, [&](auto const &slot) { return half.graph.variable(slot.variable).dtype == DType::F16; });
        QCOMPARE(static_cast<int>(halfStates), 2 * halves);
        auto const states = static_cast<Bytes>(model::optimizerSlots(optimizer).size());
        QCOMPARE(model::slotBytes(optimizer, DType::F32), 4 * states - 2 * halves);
        auto const a = half.after(4), b = whole.after(4), before = whole.after(0);
        double moved = 0, apart = 0;
        for (std::size_t w = 0; w < a.size(); ++w)
            for (std::size_t i = 0; i < a[w].size(); ++i) {
                moved = std::max(moved, std::abs(b[w][i] - before[w][i]));
                apart = std::max(apart, std::abs(a[w][i] - b[w][i]));
            }
        QVERIFY2(moved > 1e-3 && apart > 0 && apart < 0.02 * moved, qPrintable(QString("%1 of %2").arg(apart).arg(moved)));
    }
    void scalarsAreComputedOnceForAllWeights()
    {
        OptimizerUpdate const nadam(optimizerNamed("Nadam"), Updates::Fastest);
        QCOMPARE(nodesOf(nadam.graph, "opt.coefficient"), 4); // u, 1 - u, n and 1 - b2^t
        auto const cache = std::ranges::find(nadam.graph.variables, std::string("momentum_cache"), &graph::Variable::name);
        QVERIFY(cache != nadam.graph.variables.end());
        QVERIFY(cache->initializer.find("1.0") != std::string::npos && cache->role == graph::Role::OptimizerState);
        // The formula of Adagrad depends on no number of the update, that of LAMB on one norm of each weight and one of each step.
        QCOMPARE(nodesOf(OptimizerUpdate(optimizerNamed("Adagrad"), Updates::Fastest).graph, "opt.coefficient"), 0);
        QCOMPARE(nodesOf(OptimizerUpdate(optimizerNamed("LAMB"), Updates::Fastest).graph, "reduce_sum"), 4);
    }
    void excludedWeightsHaveNoNorms()
    {
        OptimizerUpdate const lamb(
            optimizerNamed("LAMB", {{"weight_decay_rate", 0.1}, {"exclude_from_weight_decay", {"bias", "norm.*gamma"}}}), Updates::Fastest);
        QCOMPARE(nodesOf(lamb.graph, "reduce_sum"), 2); // without exclude_from_layer_adaptation the same weights
        OptimizerUpdate const other(
            optimizerNamed("LAMB", {{"exclude_from_weight_decay", {"bias"}}, {"exclude_from_layer_adaptation", {"k[a-z]+l$", "bias"}}}),
            Updates::Fastest);
        QCOMPARE(nodesOf(other.graph, "reduce_sum"), 0);
    }
    void updatesAreReadBack()
    {
        for (auto const &spec : model::optimizerSpecs())
            for (auto const &node : OptimizerUpdate(optimizerNamed(spec.className), Updates::ByFormula).graph.nodes) {
                if (node.op != "opt.update") continue;
                auto const text = node.attrs.text("expr");
                auto const update = graph::parseUpdateExpr(text);
                QVERIFY2(update.ok(), text.c_str());
                QCOMPARE(toText(*update), text);
            }
        for (char const *text : {"", "t0", "t0 | ", "t1 | 3: mul a2 a1", "a1 | 3: mul a2 a1", "x0 | 3: mul a2 a1", "t0 t | 3: mul a2 a1",
                                 "t-1 | 3: mul a2 a1", "| 3: mul a2 a1"})
            QVERIFY2(!graph::parseUpdateExpr(text).ok(), text);
    }
    /// A new optimizer is its own file and a line of a list. Without this, names spread to builders, kernels, codelets and oracle again.
    void fewFilesKnowAnOptimizer()
    {
        QDir const engine(QString(TILEWRIGHT_SOURCE_DIR) + "/engine");
        for (auto const &spec : model::optimizerSpecs()) {
            if (training::findSpecialUpdate(spec.className)) continue;
            QStringList files;
            QDirIterator it(engine.path(), {"*.cpp", "*.h", "*.def", "CMakeLists.txt"}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                auto const text = file.readAll();
                auto const name = QByteArray::fromStdString(spec.className);
                auto entry = name.toLower(); // adam_ipu for AdamIpuOptimizer
                if (entry.endsWith("optimizer")) entry.chop(9);
                if (text.contains('"' + name + '"') || QByteArray(text).replace('_', "").contains("X(" + entry + ")"))
                    files << engine.relativeFilePath(file.fileName());
            }
            QVERIFY2(files.size() >= 2 && files.size() <= 4, qPrintable(QString::fromStdString(spec.className) + ": " + files.join(", ")));
        }
    }
};

TW_REGISTER_TEST(TstOptimizers);
#include "tst_optimizers.moc"
