#include "engine/model/resolve.h"
#include "engine/model/schedules.h"
#include "engine/model/templates.h"
#include "engine/model/training_plan.h"
#include "tests/engine/model/model_samples.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::model;
using tilewright::tests::sampleChain;
using tilewright::tests::sampleGraph;

namespace {

ResolvedModel endingIn(std::vector<Layer> layers) { return *resolve(sampleChain(std::move(layers), {6})); }

Layer dense(char const *activation, int units = 3) { return makeLayer("Dense", "last", {{"units", units}, {"activation", activation}}); }

} // namespace

class TstTraining : public QObject {
    Q_OBJECT
private slots:
    void readsLossesInEveryForm()
    {
        for (auto const &spec : lossSpecs()) {
            QVERIFY(*parseLoss(spec.className) == *parseLoss(spec.name));
            for (auto const &alias : spec.aliases) QVERIFY(*parseLoss(alias) == *parseLoss(spec.name));
            QVERIFY(*parseLoss(lossJson(*parseLoss(spec.name))) == *parseLoss(spec.name));
        }
        auto const loss = parseLoss(Json::parse(
            R"({"class_name": "CategoricalCrossentropy", "config": {"reduction": "sum", "from_logits": true, "label_smoothing": 0.1, "axis": -1}})"));
        QVERIFY(loss.ok());
        QVERIFY(loss->fromLogits());
        QCOMPARE(loss->labelSmoothing(), 0.1);
        QVERIFY(loss->reduction() == Reduction::Sum);
        QVERIFY(parseLoss("mse")->reduction() == Reduction::SumOverBatchSize);
        QCOMPARE(parseLoss("huber")->number("delta"), 1.0);
        QCOMPARE(parseLoss("mean_square_error").error().code, std::string("model.unknown-loss"));
        QVERIFY(parseLoss("mean_square_error").error().remedy.find("mean_squared_error") != std::string::npos);
        QCOMPARE(parseLoss(Json::parse(R"({"class_name": "MeanSquaredError", "config": {"from_logits": true}})")).error().code,
                 std::string("model.unknown-argument"));
    }
    void readsSchedules()
    {
        auto const with = [](char const *rate) {
            return parseOptimizer(Json::parse(R"({"class_name": "SGD", "config": {"learning_rate": )" + std::string(rate) + "}}"));
        };
        auto const falling =
            with(R"({"class_name": "ExponentialDecay", "config": {"initial_learning_rate": 0.8, "decay_steps": 4, "decay_rate": 0.25}})");
        QVERIFY2(falling.ok(), falling.ok() ? "" : toText(falling.error()).c_str());
        QVERIFY(falling->hasSchedule());
        QCOMPARE(falling->learningRate(), 0.8);
        QCOMPARE(falling->learningRateAt(2), 0.4);
        QCOMPARE(*parseOptimizer(optimizerJson(*falling)), *falling);
        QVERIFY(
            pythonText(orderedOptimizer(*falling))
                .find(
                    R"("learning_rate": {"class_name": "ExponentialDecay", "config": {"initial_learning_rate": 0.8, "decay_steps": 4.0, "decay_rate": 0.25, "staircase": false, "name": null}})")
            != std::string::npos);
        for (auto const &spec : scheduleSpecs()) {
            auto const read = with((R"({"class_name": ")" + spec.className + R"(", "config": )" + spec.example + "}").c_str());
            QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
            QVERIFY(read->learningRateAt(0) > read->learningRateAt(1500));
            QCOMPARE(*parseOptimizer(optimizerJson(*read)), *read);
            QCOMPARE(firstRate(read->rate()), 0.01);
        }
        auto const code = [&](char const *rate) { return with(rate).error().code; };
        QCOMPARE(code(R"({"class_name": "ExponentialDecai", "config": {}})"), std::string("model.unknown-schedule"));
        QCOMPARE(code(R"({"rate": 1})"), std::string("model.unknown-schedule"));
        QCOMPARE(code(R"({"class_name": "CosineDecay", "config": {"initial_learning_rate": 1}})"), std::string("model.missing-argument"));
        QVERIFY(with(R"("CosineDecay")").error().remedy.find("\"decay_steps\": 1000") != std::string::npos); // says how it is written
        QCOMPARE(code(R"({"class_name": "CosineDecay", "config": {"initial_learning_rate": -1, "decay_steps": 5}})"),
                 std::string("model.bad-argument"));
        QCOMPARE(code(R"({"class_name": "CosineDecay", "config": {"initial_learning_rate": 1, "decay_steps": 0}})"),
                 std::string("model.bad-argument"));
        QCOMPARE(code(R"({"class_name": "CosineDecay", "config": {"initial_learning_rate": 1, "decay_steps": 5, "steps": 1}})"),
                 std::string("model.unknown-argument"));
        for (auto const *wrong : {R"("boundaries": [1, 2], "values": [1, 2])", R"("boundaries": [2, 1], "values": [1, 2, 3])",
                                  R"("boundaries": [1], "values": [1, -2])"})
            QCOMPARE(code((R"({"class_name": "PiecewiseConstantDecay", "config": {)" + std::string(wrong) + "}}").c_str()),
                     std::string("model.bad-argument"));
    }
    void readsOptimizersInEveryForm()
    {
        auto const rmsprop = parseOptimizer("rmsprop");
        QVERIFY(*rmsprop == *parseOptimizer("RMSprop"));
        QCOMPARE(rmsprop->learningRate(), 0.001);
        QCOMPARE(rmsprop->number("rho"), 0.9);
        QCOMPARE(rmsprop->number("epsilon"), 1e-7);
        auto const sgd = parseOptimizer(Json::parse(
            R"({"class_name": "SGD", "config": {"lr": 0.5, "momentum": 0.9, "nesterov": true, "decay": 0.1, "clipnorm": null}})"));
        QVERIFY(sgd.ok());
        QCOMPARE(sgd->learningRateAt(0), 0.5);
        QCOMPARE(sgd->learningRateAt(10), 0.25);
        QVERIFY(sgd->flag("nesterov"));
        QCOMPARE(
            pythonText(orderedOptimizer(*parseOptimizer("adam"))),
            std::string(
                R"({"class_name": "Adam", "config": {"name": "Adam", "learning_rate": 0.001, "decay": 0.0, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-07, "amsgrad": false}})"));
        QVERIFY(parseOptimizer("AdamIpuOptimizer")->flag("debiasing"));
        auto const bounded = parseOptimizer(Json::parse(R"({"class_name": "SGD", "config": {"clipnorm": 1, "clipvalue": 0.5}})"));
        QVERIFY(bounded.ok());
        QCOMPARE(bounded->clipping(), (Clipping{0.5, 1.0, {}}));
        QVERIFY(pythonText(orderedOptimizer(*bounded)).ends_with(R"("clipnorm": 1.0, "clipvalue": 0.5}})"));
        QVERIFY(!sgd->clipping().any());
        QCOMPARE(sgd->lossScale(), 1.0);
        auto const wrapped = [](char const *more, char const *inner = R"({"class_name": "SGD", "config": {"learning_rate": 0.5}})") {
            return parseOptimizer(
                Json::parse(R"({"class_name": "LossScaleOptimizer", "config": {"inner_optimizer": )" + std::string(inner) + more + "}}"));
        };
        auto const scaled = wrapped(R"(, "dynamic": false, "initial_scale": 1024)");
        QVERIFY(scaled.ok());
        QCOMPARE(scaled->className, std::string("SGD"));
        QCOMPARE(scaled->lossScale(), 1024.0);
        QCOMPARE(scaled->learningRate(), 0.5);
        QCOMPARE(*parseOptimizer(optimizerJson(*scaled)), *scaled);
        auto const dynamic = wrapped(""); // as Keras has it without more
        QVERIFY(dynamic.ok() && dynamic->lossScaling().automatic);
        QCOMPARE(dynamic->lossScale(), 32768.0);
        QCOMPARE(dynamic->lossScaling().updateFrequency, 2000);
        QCOMPARE(dynamic->lossScaling().threshold, 1.0);
        QCOMPARE(wrapped(R"(, "dynamic_growth_steps": 3, "initial_scale": 8)")->lossScaling().updateFrequency, 3);
        QCOMPARE(*parseOptimizer(optimizerJson(*dynamic)), *dynamic);
        QCOMPARE(wrapped(R"(, "initial_scale": 3)").error().code, std::string("model.bad-argument"));
        QCOMPARE(wrapped(R"(, "dynamic": false)").error().code, std::string("model.bad-argument"));
        for (auto const *scale : {"0", "-5", "1e-40", "1e39"})
            QCOMPARE(wrapped((R"(, "dynamic": false, "initial_scale": )" + std::string(scale)).c_str()).error().code,
                     std::string("model.bad-argument"));
        QCOMPARE(wrapped(R"(, "dynamic": false, "initial_scale": 8)", R"({"class_name": "SGD", "config": {"loss_scale_factor": 4}})")
                     .error()
                     .code,
                 std::string("model.bad-argument"));
        QCOMPARE(wrapped(R"(, "dynamic": false, "initial_scale": 8)", R"("sgdd")").error().code, std::string("model.unknown-optimizer"));
        auto const als = [](char const *more) {
            return parseOptimizer(Json::parse(R"({"class_name": "ALSOptimizer", "config": {"opt": "adam")" + std::string(more) + "}}"));
        };
        auto const adapted = als(R"(, "initial_loss_scaling_factor": 64, "update_frequency": 4, "lpf_alpha": 0.5)");
        QVERIFY(adapted.ok());
        auto const scaling = adapted->lossScaling();
        QVERIFY(scaling.automatic && scaling.accumulates);
        QCOMPARE(scaling.factor, 64.0);
        QCOMPARE(scaling.updateFrequency, 4);
        QCOMPARE(scaling.alpha, 0.5);
        QCOMPARE(scaling.edge, 8192.0);
        QCOMPARE(scaling.largest, 32768.0);
        QCOMPARE(als("")->lossScale(), 1.0);
        QCOMPARE(als(R"(, "captured_grads_only": true)").error().code, std::string("model.unsupported"));
        QCOMPARE(als(R"(, "update_frequenzy": 4)").error().code, std::string("model.unknown-argument"));
        for (auto const *wrong : {R"(, "increase_factor": 3)", R"(, "increase_factor": 1)", R"(, "initial_loss_scaling_factor": 65536)",
                                  R"(, "initial_loss_scaling_factor": 0.5)", R"(, "update_frequency": 0)"})
            QCOMPARE(als(wrong).error().code, std::string("model.bad-argument"));
        for (auto const *wrong : {R"({"clipnorm": 1.0, "global_clipnorm": 1.0})", R"({"clipvalue": -1.0})"})
            QCOMPARE(parseOptimizer(Json{{"class_name", "SGD"}, {"config", Json::parse(wrong)}}).error().code,
                     std::string("model.bad-argument"));
        QCOMPARE(parseOptimizer(Json::parse(R"({"class_name": "SGD", "config": {"learning_rate": {"class_name": "ExponentialDecay"}}})"))
                     .error()
                     .code,
                 std::string("model.missing-argument"));
        QCOMPARE(parseOptimizer(Json::parse(R"({"class_name": "SGD", "config": {"momentum": 1.5}})")).error().code,
                 std::string("model.bad-argument"));
        QVERIFY(parseOptimizer("rmsporp").error().remedy.find("RMSprop") != std::string::npos);
    }
    void nadamDecaysItsMomentumAndNotItsRate()
    {
        auto const nadam = *parseOptimizer("nadam");
        QCOMPARE(nadam.number("decay"), 0.004);
        QCOMPARE(nadam.learningRateAt(1000), 0.001);
        Json const schedule{{"class_name", "ExponentialDecay"},
                            {"config", {{"initial_learning_rate", 0.1}, {"decay_steps", 10}, {"decay_rate", 0.5}}}};
        QVERIFY(parseOptimizer(Json{{"class_name", "Adagrad"}, {"config", {{"learning_rate", schedule}}}}).ok());
        auto const refused = parseOptimizer(Json{{"class_name", "Nadam"}, {"config", {{"learning_rate", schedule}}}});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("model.bad-argument"));
    }
    void excludedWeightsAreListsOrTexts()
    {
        auto const lamb = [](Json const &excluded) {
            return parseOptimizer(Json{{"class_name", "LAMB"}, {"config", {{"exclude_from_weight_decay", excluded}}}});
        };
        QCOMPARE(lamb({"bias", "norm"})->text("exclude_from_weight_decay"), std::string("bias,norm"));
        QCOMPARE(*lamb({"bias", "norm"}), *lamb("bias,norm"));
        QCOMPARE(*lamb(nullptr), *lamb(""));
        QCOMPARE(*parseOptimizer(optimizerJson(*lamb("bias,norm"))), *lamb("bias,norm"));
        for (Json const &wrong : {Json("(bias"), Json("bias,["), Json(std::string(300, 'x')), Json{1, 2}})
            QCOMPARE(lamb(wrong).error().code, std::string("model.bad-argument"));
    }
    void optimizersKeepTheSlotsTheyNeed()
    {
        QCOMPARE(optimizerSlots(*parseOptimizer("ftrl")).at(0).initial, 0.1);
        QVERIFY(optimizerSlots(*parseOptimizer("sgd")).empty());
        QCOMPARE(optimizerSlots(*parseOptimizer("rmsprop")).size(), std::size_t{1});
        QCOMPARE(optimizerSlots(*parseOptimizer(Json::parse(R"({"class_name": "RMSprop", "config": {"centered": true, "momentum": 0.5}})")))
                     .size(),
                 std::size_t{3});
        QCOMPARE(optimizerSlots(*parseOptimizer(Json::parse(R"({"class_name": "Adam", "config": {"amsgrad": true}})"))).back().name,
                 std::string("vhat"));
    }
    void accuracyMeansWhatTheShapesSay()
    {
        QCOMPARE(resolveAccuracy({-1, 1}, {-1, 1}), std::string("BinaryAccuracy"));
        QCOMPARE(resolveAccuracy({-1}, {-1, 1}), std::string("BinaryAccuracy"));
        QCOMPARE(resolveAccuracy({-1}, {-1, 10}), std::string("SparseCategoricalAccuracy"));
        QCOMPARE(resolveAccuracy({-1, 1}, {-1, 10}), std::string("SparseCategoricalAccuracy"));
        QCOMPARE(resolveAccuracy({-1, 10}, {-1, 10}), std::string("CategoricalAccuracy"));
        QCOMPARE(resolveAccuracy({-1, 5}, {-1, 5, 10}), std::string("SparseCategoricalAccuracy"));
        auto const acc = resolveMetric(*parseMetric("acc"), {-1}, {-1, 10});
        QCOMPARE(acc.className, std::string("SparseCategoricalAccuracy"));
        QCOMPARE(acc.displayName, std::string("acc"));
        QCOMPARE(resolveMetric(*parseMetric("ce"), {-1, 3}, {-1, 3}).className, std::string("CategoricalCrossentropy"));
    }
    void readsMetrics()
    {
        QCOMPARE(parseMetric("mae")->displayName, std::string("mae"));
        QCOMPARE(parseMetric("mae")->className, std::string("MeanAbsoluteError"));
        QCOMPARE(parseMetric("loss")->className, std::string("loss"));
        QCOMPARE(parseMetric(Json::parse(R"({"class_name": "BinaryAccuracy", "config": {"threshold": 0.3}})"))->number("threshold"), 0.3);
        for (auto const &[word, name] : {std::pair("LogCoshError", "logcosh"), std::pair("KLDivergence", "kullback_leibler_divergence"),
                                         std::pair("CosineSimilarity", "cosine_similarity"),
                                         std::pair("TopKCategoricalAccuracy", "top_k_categorical_accuracy"), std::pair("kld", "kld")})
            QCOMPARE(parseMetric(word)->displayName, std::string(name));
        for (auto const &spec : metricSpecs())
            QCOMPARE(*parseMetric(metricJson(*parseMetric(spec.className))), *parseMetric(spec.className));
        QCOMPARE(parseMetric("MeanTensor").error().code, std::string("model.unsupported"));
        QCOMPARE(parseMetric("AUC")->displayName, std::string("auc"));
        auto const thresholds = [](char const *value) {
            return parseMetric(Json{{"class_name", "Precision"}, {"config", {{"thresholds", Json::parse(value)}}}});
        };
        QCOMPARE(thresholds("0.25")->reals("thresholds"), std::vector<double>{0.25});
        QCOMPARE(thresholds("[0.25, 0.5]")->reals("thresholds"), (std::vector<double>{0.25, 0.5}));
        QVERIFY(thresholds("null")->reals("thresholds").empty());
        QCOMPARE(thresholds("[0.25, 2]").error().code, std::string("model.bad-argument"));
        QVERIFY(parseMetric("acuracy").error().remedy.find("accuracy") != std::string::npos);
        for (char const *word : {"accuracy", "acc", "mse", "mean_squared_error", "CategoricalAccuracy", "loss", "ce"})
            QVERIFY2(*parseMetric(metricJson(*parseMetric(word))) == *parseMetric(word), word);
    }
    void logitsAreUsedAsKerasDoes()
    {
        auto const sparse = *parseLoss("sparse_categorical_crossentropy");
        auto const binary = *parseLoss("binary_crossentropy");
        auto const fromLogits = *parseLoss(Json::parse(R"({"class_name": "CategoricalCrossentropy", "config": {"from_logits": true}})"));
        QVERIFY(usesLogits(endingIn({dense("softmax")}), sparse));
        QVERIFY(usesLogits(endingIn({dense("softmax")}), fromLogits));
        QVERIFY(usesLogits(endingIn({dense("sigmoid")}), binary));
        QVERIFY(usesLogits(endingIn({makeLayer("Activation", "a", {{"activation", "softmax"}})}), sparse));
        QVERIFY(usesLogits(endingIn({makeLayer("Softmax", "s")}), sparse));
        QVERIFY(!usesLogits(endingIn({makeLayer("Softmax", "s")}), fromLogits));
        QVERIFY(!usesLogits(endingIn({makeLayer("Softmax", "s")}), binary));
        QVERIFY(!usesLogits(endingIn({dense("softmax")}), *parseLoss("mse")));
        QVERIFY(!usesLogits(endingIn({dense("relu")}), sparse));
        QVERIFY(!usesLogits(
            endingIn({makeLayer("Dense", "d", {{"units", 3}, {"activation", "softmax"}}), makeLayer("Dropout", "drop", {{"rate", 0.1}})}),
            sparse));
        QVERIFY((logitsUse(endingIn({dense("linear")}), fromLogits) == LogitsUse{true, false}));
        QVERIFY((logitsUse(endingIn({dense("linear")}), sparse) == LogitsUse{false, false}));
    }
    void labelsMustFitTheLoss()
    {
        auto const sparse = *parseLoss("sparse_categorical_crossentropy");
        QVERIFY(checkLabels(sparse, {32}, {32, 10}).ok());
        QVERIFY(checkLabels(sparse, {32, 1}, {32, 10}).ok());
        QVERIFY(!checkLabels(sparse, {32, 10}, {32, 10}).ok());
        QVERIFY(checkLabels(*parseLoss("mse"), {32}, {-1, 1}).ok());
        QVERIFY(checkLabels(*parseLoss("mse"), {32, 3}, {-1, 3}).ok());
        QCOMPARE(checkLabels(*parseLoss("mse"), {32, 4}, {-1, 3}).error().code, std::string("data.label-shape"));
    }
    void fieldsAreSetAndReadByText()
    {
        TrainingPlan plan;
        QCOMPARE(*trainingField(plan, "training.batch_size"), std::string("32"));
        QCOMPARE(withTrainingField(plan, "training.batch_size", "64")->batchSize, std::int64_t{64});
        QCOMPARE(withTrainingField(plan, "optimizer", "adam")->optimizer.className, std::string("Adam"));
        QCOMPARE(
            withTrainingField(plan, "optimizer", R"({"class_name": "SGD", "config": {"momentum": 0.5}})")->optimizer.number("momentum"),
            0.5);
        auto const faster = withTrainingField(plan, "training.optimizer.learning_rate", "0.02");
        QCOMPARE(faster->optimizer.learningRate(), 0.02);
        QCOMPARE(*trainingField(*faster, "optimizer.learning_rate"), std::string("0.02"));
        QVERIFY(withTrainingField(plan, "loss", "mae")->losses[0].className == "MeanAbsoluteError");
        QCOMPARE(withTrainingField(plan, "loss", R"(["mse", "mae"])")->losses.size(), std::size_t{2});
        QCOMPARE(withTrainingField(plan, "metrics", "accuracy, mse")->metrics.size(), std::size_t{2});
        for (char const *each :
             {R"([["accuracy"], ["mse"]])", R"({"a": "accuracy", "b": ["mse"]})", R"(["accuracy", ["mse", "mae"], []])"}) {
            auto const own = withTrainingField(plan, "metrics", each);
            QVERIFY2(own.ok() && own->metrics.empty() && own->outputMetrics.size() >= 2, each);
            QCOMPARE(own->metricsOf(0, "a").front().className, std::string("accuracy"));
            QCOMPARE(own->metricsOf(1, "b").front().className, std::string("MeanSquaredError"));
            QVERIFY(own->metricsOf(7, "c").empty());
            QVERIFY2(*trainingPlanFromJson(Json(trainingPlanJson(*own))) == *own, each);
            QVERIFY(withTrainingField(*own, "metrics", "mae")->outputMetrics.empty());
            QVERIFY(!checkOutputs(*own, *resolve(findTemplate("mnist-mlp")->model())).ok()); // evaluation asks this, too
        }
        QCOMPARE(withTrainingField(plan, "loss", R"({"a": "mse"})")->lossOutputs, std::vector<std::string>{"a"});
        QCOMPARE(withTrainingField(plan, "shuffle", "False")->shuffle, false);
        QCOMPARE(withTrainingField(plan, "gradient_accumulation_reduction", "MEAN")->gradientAccumulationReduction, std::string("mean"));
        QCOMPARE(*trainingField(plan, "loss_weights"), std::string("null"));
        QCOMPARE(withTrainingField(plan, "loss_weights", "1,0.3")->lossWeights, (std::vector<double>{1.0, 0.3}));
        QCOMPARE(withTrainingField(plan, "class_weight", "1,0.3")->classWeights, (std::vector<double>{1.0, 0.3}));
    }
    void dictionariesNameOutputsAndClasses()
    {
        TrainingPlan plan = *withTrainingField({}, "loss", R"({"size": "mse", "kind": {"class_name": "mae", "config": {}}})");
        QCOMPARE(plan.lossOf(0, "kind").className, std::string("MeanAbsoluteError"));
        QCOMPARE(plan.lossOf(1, "size").className, std::string("MeanSquaredError"));
        plan = *withTrainingField(plan, "loss_weights", R"({"size": 0.5})");
        QCOMPARE(plan.lossWeight(1, "size"), 0.5);
        QCOMPARE(plan.lossWeight(0, "kind"), 1.0);
        plan = *withTrainingField(plan, "class_weight", R"({"0": 1, "1": 3})");
        QCOMPARE(plan.classWeights, (std::vector<double>{1, 3}));
        QVERIFY(*trainingPlanFromJson(Json(trainingPlanJson(plan))) == plan);
        QCOMPARE(withTrainingField(plan, "class_weight", R"({"0": 1, "2": 3})").error().code, std::string("model.bad-argument"));
        QCOMPARE(withTrainingField(plan, "loss_weights", R"({"size": "half"})").error().code, std::string("model.bad-argument"));
        QVERIFY(withTrainingField(plan, "loss", "mse")->lossOutputs.empty());
        QVERIFY(withTrainingField(plan, "loss_weights", "[1, 2]")->lossWeightOutputs.empty());
        // Names are checked against the model's.
        auto const model = endingIn({dense("softmax")});
        auto const name = outputName(model, 0);
        TrainingPlan named = *withTrainingField({}, "loss", Json{{name, "sparse_categorical_crossentropy"}}.dump());
        QVERIFY(checkTrainingPlan(named, model).ok());
        named.lossOutputs = {"another"};
        QCOMPARE(checkTrainingPlan(named, model).error().code, std::string("training.loss-count"));
        named.lossOutputs = {name};
        named = *withTrainingField(named, "loss_weights", R"({"another": 1})");
        QCOMPARE(checkTrainingPlan(named, model).error().code, std::string("training.loss-weights"));
    }
    void namesOfKerasAreKnown()
    {
        for (char const *name : {"validation_steps", "validation_data", "run_eagerly", "buffer_depth"}) {
            auto const error = withTrainingField({}, std::string("training.") + name, "1").error();
            QCOMPARE(error.code, std::string("field.not-yet"));
            QCOMPARE(error.subject, std::string("training.") + name);
            QVERIFY2(!error.remedy.empty(), name);
            QCOMPARE(trainingPlanFromJson(Json{{name, 1}}).error().code, std::string("field.not-yet"));
        }
        auto const other = withTrainingField({}, "gradient_accumulation_steps_per_replica", "4").error();
        QCOMPARE(other.code, std::string("field.other-name"));
        QVERIFY(other.remedy.find("training.gradient_accumulation_steps") != std::string::npos);
    }
    void misspeltFieldsAreAnswered()
    {
        TrainingPlan const plan;
        auto const error = withTrainingField(plan, "training.bacth_size", "64").error();
        QCOMPARE(error.code, std::string("model.no-field"));
        QVERIFY(error.remedy.find("batch_size") != std::string::npos);
        QVERIFY(trainingField(plan, "training.learning_rate").error().remedy.find("training.optimizer.learning_rate") != std::string::npos);
        QVERIFY(trainingField(plan, "optimizer.momentun").error().remedy.find("optimizer.momentum") != std::string::npos);
        for (auto const &[path, text] : {std::pair{"batch_size", "0"}, std::pair{"batch_size", "many"}, std::pair{"epochs", "1.5"},
                                         std::pair{"validation_split", "1"}, std::pair{"pipeline_schedule", "diagonal"}})
            QCOMPARE(withTrainingField(plan, path, text).error().code, std::string("model.bad-argument"));
    }
    void plansRoundTripThroughJson()
    {
        TrainingPlan plan;
        plan.losses = {*parseLoss("sparse_categorical_crossentropy"), *parseLoss("mse")};
        plan.lossWeights = {1.0, 0.3};
        plan.metrics = {*parseMetric("accuracy"), *parseMetric("mae")};
        plan.batchSize = 7;
        plan.stepsPerExecution = 12;
        plan.gradientAccumulationSteps = 4;
        plan.gradientAccumulationReduction = "running_mean";
        plan.pipelineSchedule = "interleaved";
        plan.shuffle = false;
        plan.validationSplit = 0.2;
        plan.seed = 123456789012345;
        auto const again = trainingPlanFromJson(Json::parse(trainingPlanJson(plan).dump()));
        QVERIFY2(again.ok(), again.ok() ? "" : toText(again.error()).c_str());
        QVERIFY(*again == plan);
        QVERIFY(*trainingPlanFromJson(Json::object()) == TrainingPlan());
        QCOMPARE(trainingPlanFromJson(Json{{"epoch", 3}}).error().code, std::string("model.no-field"));
        QVERIFY(!trainingPlanFromJson(Json::array()).ok());
    }
    void plansThatCannotWorkAreRefused()
    {
        auto const model = endingIn({dense("softmax")});
        TrainingPlan plan;
        plan.losses = {*parseLoss("sparse_categorical_crossentropy")};
        QVERIFY(checkTrainingPlan(plan, model).ok());
        plan.stepsPerExecution = 10;
        plan.gradientAccumulationSteps = 4;
        auto const steps = checkTrainingPlan(plan, model).error();
        QCOMPARE(steps.code, std::string("training.steps-per-execution"));
        QVERIFY(steps.message.find("10") != std::string::npos && steps.message.find("4") != std::string::npos);
        plan.stepsPerExecution = 12;
        QVERIFY(checkTrainingPlan(plan, model).ok());
        plan.losses = {plan.losses[0], plan.losses[0]};
        QCOMPARE(checkTrainingPlan(plan, model).error().code, std::string("training.loss-count"));
        plan.losses.pop_back();
        plan.lossWeights = {1, 2};
        QCOMPARE(checkTrainingPlan(plan, model).error().code, std::string("training.loss-weights"));
        plan.lossWeights.clear();
        QCOMPARE(checkTrainingPlan(plan, endingIn({dense("sigmoid", 1)})).error().code, std::string("training.loss-shape"));
        QCOMPARE(checkTrainingPlan(plan, endingIn({makeLayer("ReLU", "r")})).error().code, std::string("training.no-weights"));
        plan.batchSize = -1;
        QCOMPARE(checkTrainingPlan(plan, model).error().code, std::string("model.bad-argument"));
    }
    void comparedAxesBelongToTheOutput()
    {
        auto const steps = *resolve(sampleChain({makeLayer("Dense", "a", {{"units", 4}})}, {3, 5})); // [batch, 3, 4]
        auto const cosine = [](int axis) { return Json{{"class_name", "CosineSimilarity"}, {"config", {{"axis", axis}}}}; };
        for (auto const &[axis, allowed] :
             {std::pair(-1, true), {1, true}, {2, true}, {-2, true}, {0, false}, {-3, false}, {3, false}, {-4, false}}) {
            TrainingPlan asLoss, asMetric;
            asLoss.losses = {*parseLoss(cosine(axis))};
            asLoss.metrics.clear();
            asMetric.losses = {*parseLoss("mean_squared_error")};
            asMetric.metrics = {*parseMetric(cosine(axis))};
            for (auto const *plan : {&asLoss, &asMetric}) {
                auto const checked = checkTrainingPlan(*plan, steps);
                QCOMPARE(checked.ok(), allowed);
                if (!allowed) QCOMPARE(checked.error().code, std::string("training.loss-shape"));
            }
        }
    }
    void pipelinesNeedTheirScheduleDepth()
    {
        Model m = sampleChain({makeLayer("Dense", "a", {{"units", 4}}), makeLayer("Dense", "b", {{"units", 4}})}, {4});
        m.layers[1].stage = 0;
        m.layers[2].stage = 1;
        auto const model = resolve(m);
        TrainingPlan plan;
        QCOMPARE(checkTrainingPlan(plan, *model).error().code, std::string("training.accumulation"));
        plan.gradientAccumulationSteps = plan.stepsPerExecution = 6;
        QCOMPARE(checkTrainingPlan(plan, *model).error().code, std::string("training.accumulation"));
        plan.gradientAccumulationSteps = plan.stepsPerExecution = 8;
        QVERIFY(checkTrainingPlan(plan, *model).ok());
        plan.pipelineSchedule = "interleaved";
        plan.gradientAccumulationSteps = plan.stepsPerExecution = 6;
        QVERIFY(checkTrainingPlan(plan, *model).ok());
        plan.pipelineSchedule = "sequential";
        plan.gradientAccumulationSteps = plan.stepsPerExecution = 5;
        QVERIFY(checkTrainingPlan(plan, *model).ok());
    }
    void lossesPerOutput()
    {
        auto const model = resolve(sampleGraph());
        TrainingPlan plan;
        plan.losses = {*parseLoss("sparse_categorical_crossentropy"), *parseLoss("mse")};
        plan.lossWeights = {1.0, 0.3};
        QVERIFY(checkTrainingPlan(plan, *model).ok());
        QCOMPARE(plan.lossWeight(1), 0.3);
        QVERIFY(usesLogits(*model, plan.losses[0], 0));
        QVERIFY(!usesLogits(*model, plan.losses[0], 1));
    }
};

TW_REGISTER_TEST(TstTraining);
#include "tst_training.moc"
