#include "engine/core/text.h"
#include "engine/passes/pass.h"
#include "engine/passes/storage.h"
#include "engine/training/step_passes.h"
#include "tests/engine/layers/small_models.h"
#include "tests/engine/model/model_samples.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

QString joined(std::vector<std::string> const &names) { return QString::fromStdString(joinText(names, " ")); }

Result<passes::RunOutcome> passed(layers::StepGraph const &step)
{
    JobContext const job;
    return passes::runPasses(passes::graphPasses(), step.graph, {ops::opLookup(), {}, job});
}

} // namespace

class TstStepGraph : public QObject {
    Q_OBJECT
private slots:
    void theMnistPerceptronTrainsWithTheseOperations()
    {
        SmallModel const m;
        auto const step = m.training();
        QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
        QCOMPARE(joined(opsOf(step->graph, graph::RegionId(0))), QString("repeat"));
        auto const outcome = passed(*step);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        auto const &g = outcome->graph;
        auto const update = regionNamed(g, "update");
        auto names = opsOf(g, update);
        std::ranges::sort(names);
        // There is no softmax: loss and accuracy use the probabilities of the cross-entropy. There is no gradient of the pixels, because
        // nothing uses it.
        QCOMPARE(joined(names),
                 QString("add argmax cast constant constant equal increment infeed map matmul matmul matmul matmul matmul "
                         "mul_scalar mul_scalar opt.rmsprop opt.rmsprop opt.rmsprop opt.rmsprop outfeed reduce_sum reduce_sum "
                         "reduce_sum reduce_sum relu_grad reshape sparse_xent sparse_xent_grad "
                         "variable.assign variable.assign variable.assign variable.assign variable.assign variable.assign "
                         "variable.assign variable.assign variable.assign variable.read variable.read variable.read variable.read "
                         "variable.read variable.read variable.read variable.read variable.read"));
        for (auto id : g.region(update).nodes) {
            auto const &node = g.node(id);
            if (node.op == "opt.rmsprop") QCOMPARE(node.inPlace, (std::vector<int>{0, 1}));
            if (node.op == "map") QCOMPARE(node.attrs.text("expr"), std::string("2: add a0 a1; relu t0"));
        }
    }
    void globalPoolingReduces()
    {
        for (auto const *kind : {"Average", "Max"})
            for (auto const *format : {"channels_last", "channels_first"}) {
                auto const model = *model::resolve(
                    sampleChain({model::makeLayer(std::string("Global") + kind + "Pooling2D", "all", {{"data_format", format}}),
                                 model::makeLayer("Dense", "d", {{"units", 2}})},
                                {5, 6, 3}));
                auto const step = layers::buildOutputs(model, 4, ops::opLookup());
                QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
                auto const names = joined(opsOf(step->graph, graph::RegionId(0)));
                QVERIFY2(names.contains(QString(kind) == "Max" ? "reduce_max" : "reduce_mean") && !names.contains("pool"),
                         qPrintable(names));
            }
    }
    void feedsAndWeightsAreListed()
    {
        SmallModel const m;
        auto const step = m.training();
        QVERIFY(step.ok());
        QCOMPARE(step->infeed, (std::vector<graph::FeedSpec>{{"flatten_input", {32, 28, 28}, DType::F32}, {"labels", {32}, DType::I32}}));
        QCOMPARE(step->outfeed, (std::vector<graph::FeedSpec>{{"loss", {}, DType::F32}, {"accuracy", {}, DType::F32}}));
        std::vector<std::string> names;
        for (auto id : step->weights) names.push_back(step->graph.variable(id).name);
        QCOMPARE(joined(names), QString("dense/kernel dense/bias dense_1/kernel dense_1/bias"));
        QCOMPARE(step->trainable, step->weights);
        QCOMPARE(step->iterations.size(), std::size_t(1));
        QCOMPARE(step->optimizerSlots.size(), std::size_t(4));
        QCOMPARE(step->optimizerSlots[0].slot, std::string("rms"));
        QCOMPARE(step->graph.variable(step->optimizerSlots[0].variable).name, std::string("dense/kernel/rms"));
        auto const &kernel = step->graph.variable(step->weights[0]);
        QVERIFY(kernel.trainable && kernel.role == graph::Role::Weight && kernel.layer == "dense");
        QVERIFY(kernel.initializer.find("GlorotUniform") != std::string::npos);
    }
    void everyNodeOfALayerCarriesItsName()
    {
        auto const step = SmallModel().training();
        QVERIFY(step.ok());
        for (auto const &node : step->graph.nodes) {
            if (node.op == "matmul") QVERIFY(node.layer == "dense" || node.layer == "dense_1");
            if (node.op == "sparse_xent_grad") QVERIFY(node.layer == "loss" && node.pass == graph::Pass::Backward);
            if (node.op.starts_with("opt.")) QVERIFY(node.pass == graph::Pass::Update);
        }
    }
    void accumulationHasALoopOfMicroBatches()
    {
        SmallModel m;
        m.plan.stepsPerExecution = 12;
        m.plan.gradientAccumulationSteps = 4;
        auto const step = m.training();
        QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
        auto const &g = step->graph;
        auto const update = regionNamed(g, "update"), body = regionNamed(g, "micro_batch");
        QCOMPARE(ownerOf(g, update)->attrs.integer("count"), std::int64_t(3));
        QCOMPARE(ownerOf(g, body)->op, std::string("repeat"));
        QCOMPARE(ownerOf(g, body)->attrs.integer("count"), std::int64_t(4));
        QCOMPARE(countOps(g, update, "fill_like"), 4);
        QCOMPARE(countOps(g, update, "opt.rmsprop"), 4);
        QCOMPARE(countOps(g, body, "accumulate"), 4);
        QCOMPARE(countOps(g, body, "infeed"), 1);
        QCOMPARE(countOps(g, body, "outfeed"), 1);
        QCOMPARE(countOps(g, body, "opt.rmsprop"), 0);
        for (auto const &node : g.nodes)
            if (node.op == "accumulate") QCOMPARE(node.attrs.real("scale"), 1.0);
        QVERIFY(passed(*step).ok());
    }
    void meanAndRunningMeanScaleWhatTheyAdd()
    {
        SmallModel m;
        m.plan.stepsPerExecution = m.plan.gradientAccumulationSteps = 4;
        m.plan.gradientAccumulationReduction = "mean";
        auto const mean = m.training();
        QVERIFY(mean.ok());
        for (auto const &node : mean->graph.nodes)
            if (node.op == "accumulate") QCOMPARE(node.attrs.real("scale"), 0.25);
        m.plan.gradientAccumulationReduction = "running_mean";
        auto const running = m.training();
        QVERIFY(running.ok());
        auto const body = regionNamed(running->graph, "micro_batch");
        QCOMPARE(countOps(running->graph, body, "accumulate_running"), 4);
        QCOMPARE(countOps(running->graph, body, "increment"), 1);
        QCOMPARE(countOps(running->graph, regionNamed(running->graph, "update"), "fill_like"), 5);
        QVERIFY(passed(*running).ok());
    }
    void replicasAddOneCollectiveOverAllGradients()
    {
        SmallModel m;
        m.plan.replicas = 2;
        auto const step = m.training();
        QVERIFY(step.ok());
        auto const update = regionNamed(step->graph, "update");
        QCOMPARE(countOps(step->graph, update, "all_reduce"), 1);
        for (auto const &node : step->graph.nodes) {
            if (node.op != "all_reduce") continue;
            QCOMPARE(node.inputs.size(), std::size_t(4));
            QCOMPARE(node.outputs.size(), std::size_t(4));
            QCOMPARE(node.pass, graph::Pass::Update);
        }
        QVERIFY(passed(*step).ok());
    }
    void pipelinesHaveTheirLoopAndCopies()
    {
        SmallModel m(128, 0.5);
        m.pipeline({0, 0, 1, 1});
        m.plan.stepsPerExecution = 8;
        m.plan.gradientAccumulationSteps = 8;
        m.plan.replicas = 2;
        auto const step = m.training();
        QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
        QCOMPARE(step->graph.stages, 2);
        QCOMPARE(step->iterations.size(), std::size_t(2));
        auto const outcome = passed(*step);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        auto const g = graph::compact(outcome->graph);
        auto const body = regionNamed(g, "micro_batch");
        auto const *loop = ownerOf(g, body);
        QCOMPARE(loop->op, std::string("pipeline"));
        QCOMPARE(loop->attrs.integer("count"), std::int64_t(8));
        QCOMPARE(loop->attrs.integer("stages"), std::int64_t(2));
        QCOMPARE(loop->attrs.text("schedule"), std::string("grouped"));
        QVERIFY(loop->attrs.flag("training"));
        // Labels and the activation forward, its gradient backward.
        QCOMPARE(countOps(g, body, "ipu_copy"), 3);
        QCOMPARE(countOps(g, regionNamed(g, "update"), "ipu_copy"), 0);
        QCOMPARE(countOps(g, regionNamed(g, "update"), "all_reduce"), 2);
        for (auto const &node : g.nodes) {
            if (!node.regions.empty()) continue;
            for (auto input : node.inputs) {
                auto const &producer = g.node(g.value(input).producer);
                auto const from = producer.op == "ipu_copy" ? static_cast<int>(producer.attrs.integer("to")) : producer.stage;
                QVERIFY2(from == node.stage, node.name.c_str());
            }
            if (node.variable.valid()) QVERIFY2(g.variable(node.variable).stage == node.stage, node.name.c_str());
        }
    }
    void dropoutCountsMicroBatches()
    {
        auto const step = SmallModel(16, 0.25).training();
        QVERIFY(step.ok());
        int dropouts = 0;
        bool counter = false;
        for (auto const &node : step->graph.nodes) dropouts += node.op == "dropout";
        for (auto const &variable : step->graph.variables)
            counter = counter || (variable.name == "dropout_counter" && variable.dtype == DType::I32);
        QCOMPARE(dropouts, 2); // forward and its gradient
        QVERIFY(counter);
        auto const evaluation = training::buildEvaluation(SmallModel(16, 0.25).resolved(), SmallModel().plan, 4, ops::opLookup());
        QVERIFY(evaluation.ok());
        for (auto const &node : evaluation->graph.nodes) QVERIFY(node.op != "dropout");
    }
    void optimizersKeepTheSlotsOfKeras_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<QString>("slots_");
        QTest::addColumn<QString>("op");
        QTest::newRow("SGD") << R"("sgd")"
                             << ""
                             << "opt.sgd";
        QTest::newRow("momentum") << R"({"class_name":"SGD","config":{"momentum":0.9}})"
                                  << "momentum"
                                  << "opt.momentum";
        QTest::newRow("RMSprop") << R"("rmsprop")"
                                 << "rms"
                                 << "opt.rmsprop";
        QTest::newRow("RMSprop, all") << R"({"class_name":"RMSprop","config":{"momentum":0.9,"centered":true}})"
                                      << "rms momentum mg"
                                      << "opt.rmsprop_full";
        QTest::newRow("RMSprop, centered") << R"({"class_name":"RMSprop","config":{"centered":true}})"
                                           << "rms mg"
                                           << "opt.rmsprop_full";
        QTest::newRow("Adam") << R"("adam")"
                              << "m v"
                              << "opt.adam";
        QTest::newRow("Adamax") << R"({"class_name":"Adamax","config":{}})"
                                << "m v"
                                << "opt.adamax";
        QTest::newRow("Adadelta") << R"({"class_name":"Adadelta","config":{}})"
                                  << "accum_grad accum_var"
                                  << "opt.adadelta";
        for (auto const &[name, states] :
             {std::pair{"Adagrad", "accumulator"}, {"Nadam", "m v"}, {"Ftrl", "accumulator linear"}, {"LAMB", "m v"}, {"LARS", "momentum"}})
            QTest::newRow(name) << QString(R"({"class_name":"%1","config":{}})").arg(name) << states << "opt.update";
        QTest::newRow("AMSGrad") << R"({"class_name":"Adam","config":{"amsgrad":true}})"
                                 << "m v vhat"
                                 << "opt.adam_amsgrad";
    }
    void optimizersKeepTheSlotsOfKeras()
    {
        QFETCH(QString, optimizer);
        QFETCH(QString, slots_);
        QFETCH(QString, op);
        SmallModel m;
        m.plan.optimizer = model::parseOptimizer(*model::parseJson(optimizer.toStdString(), "test")).value();
        auto const step = m.training();
        QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
        std::vector<std::string> names;
        for (auto const &slot : step->optimizerSlots)
            if (slot.weight == step->weights[0]) names.push_back(slot.slot);
        QCOMPARE(joined(names), slots_);
        QCOMPARE(countOps(step->graph, regionNamed(step->graph, "update"), op.toStdString()), 4);
        auto const outcome = passed(*step);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        for (auto const &node : graph::compact(outcome->graph).nodes) QVERIFY(node.op != "copy");
    }
    void evaluationAndPredictionHaveNoBackwardPass()
    {
        SmallModel const m;
        auto const evaluation = training::buildEvaluation(m.resolved(), m.plan, 6, ops::opLookup());
        QVERIFY(evaluation.ok());
        auto const prediction = training::buildPrediction(m.resolved(), 8, 5, ops::opLookup());
        QVERIFY(prediction.ok());
        for (auto const *step : {&*evaluation, &*prediction}) {
            for (auto const &node : step->graph.nodes) QVERIFY(node.pass != graph::Pass::Backward && node.op != "variable.assign");
            QVERIFY(passed(*step).ok());
        }
        QCOMPARE(loopCount(evaluation->graph), std::int64_t(6));
        QCOMPARE(loopCount(prediction->graph), std::int64_t(5));
        QCOMPARE(prediction->infeed.size(), std::size_t(1));
        QCOMPARE(prediction->outfeed, (std::vector<graph::FeedSpec>{{"dense_1", {8, 10}, DType::F32}}));
        QCOMPARE(evaluation->weights.size(), std::size_t(4));
    }
    void aBatchThatTheInputFixesIsKept()
    {
        SmallModel m;
        m.model.layers[0].config["batch_input_shape"] = {16, 28, 28};
        auto const refused = m.training();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("layers.batch"));
        m.plan.batchSize = 16;
        QVERIFY(m.training().ok());
    }
    void severalOutputsHaveLabelsAndLossesOfTheirOwn()
    {
        using model::Json;
        model::Model m;
        m.kind = model::ModelKind::Functional;
        m.name = "two";
        auto input = model::makeInput("x", {4});
        input.calls.emplace_back();
        m.layers.push_back(input);
        auto dense = [&](std::string const &name, std::string const &from) {
            auto layer = model::makeLayer("Dense", name, {{"units", 4}});
            layer.calls.push_back({{{from, 0, 0}}, Json::object(), -1});
            m.layers.push_back(std::move(layer));
        };
        dense("a", "x");
        dense("b", "x");
        m.inputs = {{"x", 0, 0}};
        m.outputs = {{"a", 0, 0}, {"b", 0, 0}};
        auto const resolved = model::resolve(m);
        QVERIFY(resolved.ok());
        model::TrainingPlan plan;
        plan.losses = {*model::parseLoss("mse")};
        auto const both = training::buildTraining(*resolved, plan, ops::opLookup());
        QVERIFY(both.ok());
        QCOMPARE(both->outfeed.size(), std::size_t(3));
        QCOMPARE(both->outfeed[1].name, std::string("a_loss"));
        QCOMPARE(both->infeed[2].name, std::string("b/labels"));
        // Metrics of all outputs, or of each its own.
        auto const measured = [&](char const *metrics) {
            auto const with = model::withTrainingField(plan, "metrics", metrics);
            if (!with.ok()) return QString::fromStdString(with.error().message);
            auto const step = training::buildTraining(*resolved, *with, ops::opLookup());
            if (!step.ok()) return QString::fromStdString(step.error().code);
            QStringList names;
            for (auto const &spec : step->outfeed) names << QString::fromStdString(spec.name);
            return names.mid(3).join(QLatin1Char(' '));
        };
        QCOMPARE(measured("mae, mse"), QString("a_mae a_mse b_mae b_mse"));
        QCOMPARE(measured(R"([["mae"], ["mse", "mae"]])"), QString("a_mae b_mse b_mae"));
        QCOMPARE(measured(R"({"b": "mse"})"), QString("b_mse"));
        QCOMPARE(measured(R"({"c": "mse"})"), QString("training.metrics"));
        QCOMPARE(measured(R"([["mae"], ["mse"], []])"), QString("training.metrics"));
    }
    void metricsThatDoNotFitTheLabelsAreRefused()
    {
        SmallModel m;
        m.plan.metrics = {*model::parseMetric("categorical_accuracy")};
        auto const step = m.training();
        QVERIFY(!step.ok());
        QCOMPARE(step.error().code, std::string("layers.metric"));
    }
    void thePlanDeterminesThePasses()
    {
        SmallModel m;
        auto const names = [&](int stages, std::vector<layers::ConstrainedWeight> constraints = {}) {
            std::vector<std::string> all;
            layers::StepGraph step;
            step.graph.stages = stages;
            step.constraints = std::move(constraints);
            auto const passes = training::trainingPasses(m.plan, step);
            for (auto const &pass : passes.value()) all.push_back(pass.name);
            return joined(all);
        };
        QCOMPARE(names(1), QString("differentiate count apply loop"));
        QCOMPARE(names(2), QString("differentiate count accumulate apply loop"));
        QCOMPARE(names(1, {{}}), QString("differentiate count apply constrain loop"));
        m.plan.replicas = 2;
        m.plan.stepsPerExecution = m.plan.gradientAccumulationSteps = 4;
        m.plan.optimizer.config["clipvalue"] = 0.5;
        QCOMPARE(names(1), QString("differentiate count accumulate reduce clip apply loop"));
    }
    /// After each, the graph verifies and reads back; all together equal buildTraining.
    void everyPassOfAStepCanBeLookedAt()
    {
        SmallModel m(16, 0.25);
        m.plan.replicas = 2;
        m.plan.stepsPerExecution = 8;
        m.plan.gradientAccumulationSteps = 4;
        m.plan.optimizer.config["global_clipnorm"] = 0.5;
        auto judged = layers::buildJudged(m.resolved(), m.plan, true, ops::opLookup());
        QVERIFY2(judged.ok(), judged.ok() ? "" : toText(judged.error()).c_str());
        auto const step = std::make_shared<layers::StepGraph>(std::move(judged).value());
        auto const all = training::asGraphPasses(*training::trainingPasses(m.plan, *step), step);
        QTemporaryDir folder;
        passes::RunOptions options;
        options.dumpAfter = "all";
        options.dumpFolder = folder.path().toStdString();
        JobContext const job;
        auto const outcome = passes::runPasses(all, step->graph, {ops::opLookup(), {}, job}, options);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        auto const whole = m.training();
        QVERIFY(whole.ok());
        QCOMPARE(graph::print(outcome->graph), graph::print(whole->graph));
        QCOMPARE(step->iterations, whole->iterations);
        QCOMPARE(step->optimizerSlots, whole->optimizerSlots);
        auto const files = QDir(folder.path()).entryList(QDir::Files, QDir::Name);
        QCOMPARE(files,
                 (QStringList{"00_differentiate.txt", "01_count.txt", "02_accumulate.txt", "03_reduce.txt", "04_clip.txt", "05_apply.txt",
                              "06_loop.txt"}));
        QString before;
        for (auto const &name : files) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            auto const text = QString::fromUtf8(file.readAll());
            QVERIFY2(text != before, qPrintable(name + " changes nothing"));
            QVERIFY2(graph::parse(text.toStdString()).ok(), qPrintable(name));
            before = text;
        }
    }
    void theSameModelGivesTheSameText()
    {
        SmallModel const m(16, 0.5);
        QCOMPARE(graph::print(m.training()->graph), graph::print(m.training()->graph));
        auto const text = graph::print(graph::compact(m.training()->graph));
        auto const again = graph::parse(text);
        QVERIFY2(again.ok(), again.ok() ? "" : toText(again.error()).c_str());
        QCOMPARE(graph::print(*again), text);
    }

private:
    static std::int64_t loopCount(graph::Graph const &g) { return g.node(g.region(graph::RegionId(0)).nodes[0]).attrs.integer("count"); }
};

TW_REGISTER_TEST(TstStepGraph);
#include "tst_step_graph.moc"
