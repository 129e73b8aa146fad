// Whole training runs: reference histories and weights; pipelines and accumulation against each other.
#include "engine/training/step_passes.h"
#include "engine/ops/op_def.h"
#include "engine/passes/pass.h"
#include "tests/engine/layers/case_file.h"
#include "tests/engine/layers/small_models.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace tilewright;
using namespace tilewright::tests;
using model::Json;

namespace {

constexpr std::int64_t kMostWork = 40'000'000; ///< multiply-adds per run: the reference is slow

QString runCase(QString const &path, int &checked, int &skipped)
{
    auto const json = readCase(path);
    auto const skip = [&] {
        ++skipped;
        return QString();
    };
    for (auto const *key : {"class_weight", "sample_weight", "schedule"})
        if (json.contains(key)) return skip();
    auto const parsed = model::modelFromKeras(json["model"]);
    if (!parsed.ok()) return skip();
    auto const resolved = model::resolve(*parsed);
    if (!resolved.ok()) return skip();
    model::TrainingPlan plan;
    plan.losses.clear();
    for (auto const &each : json["losses"]) {
        auto loss = model::parseLoss(each);
        if (!loss.ok()) return skip();
        plan.losses.push_back(*loss);
    }
    auto const optimizer = model::parseOptimizer(json["optimizer"]);
    if (!optimizer.ok()) return skip();
    plan.optimizer = *optimizer;
    if (json.contains("loss_weights") && json["loss_weights"].is_array())
        for (auto const &weight : json["loss_weights"]) plan.lossWeights.push_back(weight.get<double>());
    bool const one = resolved->outputs.size() == 1;
    bool const accuracy = one && json["expected"].contains("accuracy") && !json["expected"]["accuracy"].is_null();
    if (accuracy) plan.metrics = {*model::parseMetric("accuracy")};
    plan.batchSize = json["batch_size"].get<std::int64_t>();
    auto const steps = json["steps"].get<std::int64_t>();
    if (json.contains("gradient_accumulation")) {
        plan.gradientAccumulationSteps = json["gradient_accumulation"]["count"].get<std::int64_t>();
        plan.gradientAccumulationReduction = json["gradient_accumulation"]["reduction"].get<std::string>();
    }
    plan.stepsPerExecution = steps * plan.gradientAccumulationSteps;
    double work = 0;
    for (auto const &call : resolved->calls) work += call.multiplyAdds;
    if (work * static_cast<double>(plan.batchSize * plan.stepsPerExecution) > kMostWork) return skip();
    std::vector<RefTensor> data;
    for (auto const *key : {"x", "y"})
        for (auto const &tensor : json[key]) {
            data.push_back(caseTensor(tensor));
            if (data.back().v.empty()) return skip();
        }
    std::vector<RefTensor> weights;
    for (auto const &tensor : json["init_weights"]) {
        weights.push_back(caseTensor(tensor));
        if (weights.back().v.empty()) return skip();
    }
    auto const step = training::buildTraining(*resolved, plan, ops::opLookup());
    if (!step.ok()) return toText(step.error()).c_str();
    if (!json["expected"].contains("final_weights")) return skip();
    ++checked;
    JobContext const job;
    auto const passed = passes::runPasses(passes::graphPasses(), step->graph, {ops::opLookup(), {}, job});
    if (!passed.ok()) return toText(passed.error()).c_str();

    GraphRunner runner{passed->graph};
    runner.physical = true;
    for (std::size_t i = 0; i < weights.size(); ++i) runner.variables[step->weights[i]] = weights[i];
    std::int64_t batch = 0;
    runner.infeed = [&](graph::Node const &) {
        std::vector<RefTensor> values;
        for (std::size_t i = 0; i < data.size(); ++i) {
            auto part = rowsOf(data[i], batch * plan.batchSize, plan.batchSize);
            part.shape = step->infeed[i].shape;
            part.dtype = step->infeed[i].dtype;
            values.push_back(std::move(part));
        }
        ++batch;
        return values;
    };
    if (!runner.run()) return runner.error.c_str();
    auto const &tolerance = json["tolerance"];
    double const lossTolerance = std::max(2e-5, tolerance.value("loss_rtol", 2e-5));
    double const weightTolerance = std::max(5e-5, tolerance.value("weights_rel_to_max", 5e-5));
    for (std::int64_t s = 0; s < steps; ++s) {
        double loss = 0, hits = 0;
        for (std::int64_t k = 0; k < plan.gradientAccumulationSteps; ++k) {
            auto const &out = runner.outfed.at(static_cast<std::size_t>(s * plan.gradientAccumulationSteps + k));
            loss += out[0].v[0] / static_cast<double>(plan.gradientAccumulationSteps);
            if (accuracy) hits += out.at(1).v[0] / static_cast<double>(plan.gradientAccumulationSteps);
        }
        double const wanted = json["expected"]["loss"][static_cast<std::size_t>(s)].get<double>();
        if (std::abs(loss - wanted) > lossTolerance * std::abs(wanted))
            return QString("loss of step %1 is %2, not %3").arg(s).arg(loss).arg(wanted);
        if (accuracy) {
            double const right = json["expected"]["accuracy"][static_cast<std::size_t>(s)].get<double>();
            if (std::abs(hits - right) > 1e-6) return QString("accuracy of step %1 is %2, not %3").arg(s).arg(hits).arg(right);
        }
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        double const d = difference(runner.variables[step->weights[i]], caseTensor(json["expected"]["final_weights"][i]));
        if (!(d <= weightTolerance)) return QString("weight %1 is off by %2").arg(i).arg(d);
    }
    for (auto id : step->iterations)
        if (runner.variables[id].v[0] != static_cast<double>(steps)) return "iterations";
    return {};
}

/// Weights after training a small model on fixed random data.
std::vector<RefTensor> trained(SmallModel const &m, std::vector<double> *losses = nullptr)
{
    auto const step = m.training();
    if (!step.ok()) {
        qWarning("%s", toText(step.error()).c_str());
        return {};
    }
    JobContext const job;
    auto const passed = passes::runPasses(passes::graphPasses(), step->graph, {ops::opLookup(), {}, job});
    if (!passed.ok()) {
        qWarning("%s", toText(passed.error()).c_str());
        return {};
    }
    GraphRunner runner{passed->graph};
    runner.physical = true;
    runner.context.seed = 5;
    for (std::size_t i = 0; i < step->weights.size(); ++i)
        runner.variables[step->weights[i]] = randomTensor(step->graph.variable(step->weights[i]).shape, deriveSeed(3, i), -0.5, 0.5);
    std::uint64_t batch = 0;
    runner.infeed = [&](graph::Node const &) {
        ++batch;
        return std::vector<RefTensor>{randomTensor(step->infeed[0].shape, deriveSeed(1, batch)),
                                      randomIntegers(step->infeed[1].shape, deriveSeed(2, batch), 10)};
    };
    if (!runner.run()) {
        qWarning("%s", runner.error.c_str());
        return {};
    }
    if (losses)
        for (auto const &out : runner.outfed) losses->push_back(out[0].v[0]);
    std::vector<RefTensor> weights;
    for (auto id : step->weights) weights.push_back(runner.variables[id]);
    return weights;
}

SmallModel tinyModel(double dropout = 0)
{
    SmallModel m(6, dropout, {3, 2});
    m.plan.batchSize = 4;
    m.plan.stepsPerExecution = 16;
    m.plan.optimizer = *model::parseOptimizer(Json{{"class_name", "SGD"}, {"config", {{"learning_rate", 0.1}, {"momentum", 0.5}}}});
    return m;
}

} // namespace

class TstTrainingCases : public QObject {
    Q_OBJECT
private slots:
    void agreeWithReferenceRuns()
    {
        auto const files = caseFiles("training");
        if (files.isEmpty()) QSKIP("the reference cases are not here");
        int checked = 0, skipped = 0;
        QStringList wrong;
        for (auto const &path : files)
            if (auto const message = runCase(path, checked, skipped); !message.isEmpty())
                wrong << path.mid(casesFolder().size() + 1) + ": " + message;
        qInfo("%d cases checked, %d skipped", checked, skipped);
        QVERIFY2(wrong.isEmpty(), qPrintable("\n" + wrong.join("\n")));
        QVERIFY2(checked >= 10, qPrintable(QString::number(checked)));
    }
    void aPipelineLearnsWhatOneIpuLearns_data()
    {
        QTest::addColumn<double>("dropout");
        QTest::newRow("plain") << 0.0;
        QTest::newRow("with dropout") << 0.4;
    }
    void aPipelineLearnsWhatOneIpuLearns()
    {
        QFETCH(double, dropout);
        auto one = tinyModel(dropout), two = tinyModel(dropout);
        one.plan.gradientAccumulationSteps = two.plan.gradientAccumulationSteps = 4;
        two.pipeline(dropout > 0 ? std::vector{0, 0, 1, 1} : std::vector{0, 0, 1});
        std::vector<double> lossesOne, lossesTwo;
        auto const a = trained(one, &lossesOne), b = trained(two, &lossesTwo);
        QVERIFY(!a.empty());
        QCOMPARE(lossesOne.size(), std::size_t(16));
        QCOMPARE(lossesOne, lossesTwo);
        QCOMPARE(a, b);
    }
    void reductionsOfAccumulationRelateAsTheyShould()
    {
        // One update per execution: the mean of N equals the running mean, the sum is N times as far.
        auto m = tinyModel();
        m.plan.optimizer = *model::parseOptimizer(Json{{"class_name", "SGD"}, {"config", {{"learning_rate", 0.01}}}});
        m.plan.gradientAccumulationSteps = m.plan.stepsPerExecution = 8;
        auto const start = [&] {
            auto n = m;
            n.plan.optimizer = *model::parseOptimizer(Json{{"class_name", "SGD"}, {"config", {{"learning_rate", 0.0}}}});
            return trained(n);
        }();
        auto const sum = trained(m);
        m.plan.gradientAccumulationReduction = "mean";
        auto const mean = trained(m);
        m.plan.gradientAccumulationReduction = "running_mean";
        auto const running = trained(m);
        QVERIFY(!start.empty() && !sum.empty() && !mean.empty() && !running.empty());
        for (std::size_t i = 0; i < sum.size(); ++i) {
            QVERIFY(difference(running[i], mean[i]) < 1e-6);
            double moved = 0;
            for (std::size_t e = 0; e < sum[i].v.size(); ++e) {
                double const far = sum[i].v[e] - start[i].v[e], near = mean[i].v[e] - start[i].v[e];
                QVERIFY(std::abs(far - 8 * near) < 2e-6);
                moved = std::max(moved, std::abs(far));
            }
            QVERIFY(moved > 1e-3);
        }
    }
    void dropoutDrawsAnewInEveryMicroBatch()
    {
        // The same batch repeatedly without learning: only the masks change the loss.
        auto m = tinyModel(0.5);
        m.plan.optimizer = *model::parseOptimizer(Json{{"class_name", "SGD"}, {"config", {{"learning_rate", 0.0}}}});
        auto const step = m.training();
        QVERIFY(step.ok());
        GraphRunner runner{step->graph};
        for (std::size_t i = 0; i < step->weights.size(); ++i)
            runner.variables[step->weights[i]] = randomTensor(step->graph.variable(step->weights[i]).shape, deriveSeed(3, i));
        runner.infeed = [&](graph::Node const &) {
            return std::vector<RefTensor>{randomTensor(step->infeed[0].shape, 1), randomIntegers(step->infeed[1].shape, 2, 10)};
        };
        QVERIFY2(runner.run(), runner.error.c_str());
        std::set<double> losses;
        for (auto const &out : runner.outfed) losses.insert(out[0].v[0]);
        QVERIFY2(losses.size() >= 12, qPrintable(QString::number(losses.size())));
    }
    void clippingBoundsGradients_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("limit");
        QTest::addColumn<bool>("stages");
        for (bool const stages : {false, true})
            for (auto const *key : {"clipvalue", "clipnorm", "global_clipnorm"})
                for (double const limit : {0.02, 1e3}) // some gradients exceed the first, none the second
                    QTest::addRow("%s %g%s", key, limit, stages ? " in a pipeline" : "") << QString(key) << limit << stages;
    }
    /// Formulas of tf.clip_by_value, clip_by_norm and clip_by_global_norm on the change of one update without limits.
    void clippingBoundsGradients()
    {
        QFETCH(QString, key);
        QFETCH(double, limit);
        QFETCH(bool, stages);
        auto const after = [&](model::Json config, double rate) {
            auto m = tinyModel();
            config["learning_rate"] = rate;
            m.plan.optimizer = *model::parseOptimizer(model::Json{{"class_name", "SGD"}, {"config", config}});
            m.plan.gradientAccumulationSteps = m.plan.stepsPerExecution = stages ? 4 : 1;
            if (stages) m.pipeline({0, 0, 1});
            return trained(m);
        };
        auto const start = after({}, 0), free = after({}, 1), bound = after({{key.toStdString(), limit}}, 1);
        QVERIFY(!start.empty() && !free.empty() && !bound.empty());
        auto const norm = [](double squares) { return std::sqrt(squares); };
        std::vector<double> squares;
        double all = 0;
        for (std::size_t i = 0; i < start.size(); ++i) {
            squares.push_back(0);
            for (std::size_t e = 0; e < start[i].v.size(); ++e) squares[i] += std::pow(start[i].v[e] - free[i].v[e], 2);
            all += squares[i];
        }
        bool bounded = false;
        for (std::size_t i = 0; i < start.size(); ++i)
            for (std::size_t e = 0; e < start[i].v.size(); ++e) {
                double const g = start[i].v[e] - free[i].v[e];
                double const wanted = key == "clipvalue" ? std::clamp(g, -limit, limit)
                    : key == "clipnorm"                  ? g * limit / std::max(norm(squares[i]), limit)
                                                         : g * limit * std::min(1 / norm(all), 1 / limit);
                QVERIFY2(std::abs(start[i].v[e] - bound[i].v[e] - wanted) < 2e-6, qPrintable(QString("%1: %2").arg(i).arg(e)));
                bounded = bounded || std::abs(g - wanted) > 1e-4;
            }
        QCOMPARE(bounded, limit < 1);
    }
    /// A power of two changes no digit of float32 in gradients, clipped values or accumulators.
    void aScaledLossTrainsTheSame()
    {
        for (bool const stages : {false, true})
            for (bool const blocks : {false, true}) {
                auto m = tinyModel(0.25);
                m.plan.optimizer.config["clipnorm"] = 0.05;
                if (stages) m.plan.gradientAccumulationSteps = 4;
                if (stages) m.pipeline({0, 0, 0, 1});
                if (blocks)
                    m.plan.loop = *model::parseTrainingLoop(stages ? Json::array({"gradients", "accumulate", "apply"})
                                                                   : Json::array({"gradients", "apply"}));
                auto const plain = trained(m);
                m.plan.optimizer.config["loss_scale_factor"] = 4096.0;
                QVERIFY(!plain.empty());
                QCOMPARE(trained(m), plain);
                m.plan.optimizer.config["loss_scale_factor"] = 3.0; // which rounds
                auto const thirds = trained(m);
                QVERIFY(!thirds.empty() && thirds != plain);
                for (std::size_t i = 0; i < plain.size(); ++i) QVERIFY(difference(thirds[i], plain[i]) < 1e-5);
            }
        auto m = tinyModel();
        auto other = m.plan.optimizer;
        other.config["loss_scale_factor"] = 2.0;
        m.plan.loop = *model::parseTrainingLoop(
            Json::array({"gradients", Json{{"apply", {{"weights", {"dense_1/*"}}, {"optimizer", model::optimizerJson(other)}}}}, "apply"}));
        auto const mixed = m.training();
        QVERIFY(!mixed.ok());
        QCOMPARE(mixed.error().subject, std::string("training.loop[2]"));
        // Clipping needs unscaled values, which cannot be summed as accumulated.
        auto early = tinyModel();
        early.plan.optimizer.config["loss_scale_factor"] = 2.0;
        early.plan.replicas = 2;
        early.plan.loop = *model::parseTrainingLoop(Json::array({"gradients", Json{{"clip", {{"norm", 1.0}}}}, "all_reduce", "apply"}));
        auto const refused = early.training();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().subject, std::string("training.loop[2]"));
    }
    /// Fit, written as blocks, is fit to the bit: also accumulated, clipped and in a pipeline.
    void blocksOfFitAreFit()
    {
        for (bool const stages : {false, true}) {
            auto m = tinyModel(0.25);
            m.plan.optimizer.config["global_clipnorm"] = 0.05;
            if (stages) m.plan.gradientAccumulationSteps = 4;
            if (stages) m.pipeline({0, 0, 0, 1});
            auto blocks = m;
            blocks.plan.optimizer.config["global_clipnorm"] = nullptr;
            blocks.plan.loop = *model::parseTrainingLoop(
                stages ? Json::array({"gradients", "accumulate", Json{{"clip", {{"global_norm", 0.05}}}}, "apply"})
                       : Json::array({"gradients", Json{{"clip", {{"global_norm", 0.05}}}}, "apply"}));
            auto const fit = trained(m), loop = trained(blocks);
            QVERIFY(!fit.empty());
            QCOMPARE(loop, fit);
        }
    }
    /// After one update, a weight equals the result of its optimizer alone.
    void eachWeightIsUpdatedByItsOptimizer()
    {
        auto m = tinyModel();
        m.plan.stepsPerExecution = 1;
        auto adam = m, both = m;
        adam.plan.optimizer = *model::parseOptimizer(Json{{"class_name", "Adam"}, {"config", {{"learning_rate", 0.01}}}});
        both.plan.loop = *model::parseTrainingLoop(Json::array(
            {"gradients", Json{{"apply", {{"weights", {"dense_1/*"}}, {"optimizer", model::optimizerJson(adam.plan.optimizer)}}}},
             "apply"}));
        auto const a = trained(m), b = trained(adam), mixed = trained(both);
        QCOMPARE(mixed.size(), std::size_t(4));
        QCOMPARE(std::vector(mixed.begin(), mixed.begin() + 2), std::vector(a.begin(), a.begin() + 2)); // dense
        QCOMPARE(std::vector(mixed.begin() + 2, mixed.end()), std::vector(b.begin() + 2, b.end()));     // dense_1
        QVERIFY(!(a[2] == b[2]));
        auto const step = both.training();
        QVERIFY(step.ok());
        QCOMPARE(step->iterations.size(), std::size_t(2)); // each counts its updates
        QCOMPARE(step->optimizerSlots.size(), std::size_t(2 + 2 * 2));
        both.plan.replicas = 2;
        QCOMPARE(both.training().error().code, std::string("training.loop")); // their weights would drift apart
    }
    void allOptimizersMakeTheLossSmaller_data()
    {
        QTest::addColumn<QString>("optimizer");
        for (auto const *text :
             {R"({"class_name":"SGD","config":{"learning_rate":0.1}})",
              R"({"class_name":"SGD","config":{"learning_rate":0.1,"momentum":0.9,"nesterov":true,"decay":0.01}})",
              R"({"class_name":"RMSprop","config":{"learning_rate":0.01}})",
              R"({"class_name":"RMSprop","config":{"learning_rate":0.01,"momentum":0.5,"centered":true}})",
              R"({"class_name":"Adam","config":{"learning_rate":0.02}})",
              R"({"class_name":"Adam","config":{"learning_rate":0.02,"amsgrad":true}})",
              R"({"class_name":"Adamax","config":{"learning_rate":0.02}})",
              R"({"class_name":"Adadelta","config":{"learning_rate":1.0,"epsilon":0.001}})",
              R"({"class_name":"Adagrad","config":{"learning_rate":0.1}})", R"({"class_name":"Nadam","config":{"learning_rate":0.02}})",
              R"({"class_name":"Ftrl","config":{"learning_rate":0.3,"l2_regularization_strength":0.001}})",
              R"({"class_name":"LAMB","config":{"learning_rate":0.05,"weight_decay_rate":0.001}})",
              R"({"class_name":"LARS","config":{"learning_rate":1.0,"eeta":0.05,"nesterov":true}})"})
            QTest::newRow(text) << text;
    }
    void allOptimizersMakeTheLossSmaller()
    {
        QFETCH(QString, optimizer);
        auto m = tinyModel();
        m.plan.optimizer = *model::parseOptimizer(*model::parseJson(optimizer.toStdString(), "test"));
        m.plan.stepsPerExecution = 60;
        auto const step = m.training();
        QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
        JobContext const job;
        auto const passed = passes::runPasses(passes::graphPasses(), step->graph, {ops::opLookup(), {}, job});
        QVERIFY(passed.ok());
        GraphRunner runner{passed->graph};
        runner.physical = true;
        for (std::size_t i = 0; i < step->weights.size(); ++i)
            runner.variables[step->weights[i]] = randomTensor(step->graph.variable(step->weights[i]).shape, deriveSeed(3, i), -0.5, 0.5);
        runner.infeed = [&](graph::Node const &) {
            return std::vector<RefTensor>{randomTensor(step->infeed[0].shape, 1), randomIntegers(step->infeed[1].shape, 2, 10)};
        };
        QVERIFY2(runner.run(), runner.error.c_str());
        QVERIFY(runner.outfed.back()[0].v[0] < 0.6 * runner.outfed.front()[0].v[0]);
    }
};

TW_REGISTER_TEST(TstTrainingCases);
#include "tst_training_cases.moc"
