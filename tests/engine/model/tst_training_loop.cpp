// A training loop as blocks: read, written, judged against a model.
#include "engine/model/resolve.h"
#include "engine/model/templates.h"
#include "engine/model/training_plan.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::model;

namespace {

ResolvedModel perceptron() { return resolve(findTemplate("mnist-mlp")->model()).value(); }

Result<TrainingLoop> read(QString const &text) { return parseTrainingLoop(Json::parse(text.toStdString())); }

} // namespace

class TstTrainingLoop : public QObject {
    Q_OBJECT
private slots:
    // No "/*" in a raw string of this file: moc takes it for a comment.
    void printedLoopsAreReadBack()
    {
        auto const text =
            R"(["gradients", "accumulate", "all_reduce", {"clip": {"global_norm": 1.0}}, {"clip": {"norm": 0.5}}, {"clip": {"value": 0.25}},)"
            R"({"apply": {"weights": ["dense/k*", "dense_1/bias"], "optimizer": {"class_name": "SGD", "config": {"momentum": 0.5}}}},)"
            R"({"apply": {}}, {"while": {"loss_above": 0.1}}])";
        auto const loop = read(text);
        QVERIFY2(loop.ok(), loop.ok() ? "" : toText(loop.error()).c_str());
        QCOMPARE(loop->size(), std::size_t(9));
        QCOMPARE((*loop)[6].optimizer.at(0).number("momentum"), 0.5);
        auto const again = parseTrainingLoop(Json(trainingLoopJson(*loop)));
        QVERIFY(again.ok());
        QVERIFY(*again == *loop);
        QVERIFY(read("null")->empty() && read("[]")->empty());
        // And as a field of a plan.
        auto const plan = withTrainingField(TrainingPlan(), "training.loop", R"(["gradients", "apply"])");
        QVERIFY2(plan.ok(), plan.ok() ? "" : toText(plan.error()).c_str());
        QCOMPARE(plan->loop.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(*trainingField(*plan, "loop")), QString(R"(["gradients", {"apply": {}}])"));
        QVERIFY(*trainingPlanFromJson(Json(trainingPlanJson(*plan))) == *plan);
    }
    void invalidBlocksAreNamed_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("place");
        QTest::newRow("no list") << R"({"gradients": {}})"
                                 << "training.loop";
        QTest::newRow("no block") << R"(["gradients", 3])"
                                  << "training.loop[1]";
        QTest::newRow("two names") << R"([{"clip": {"norm": 1}, "apply": {}}])"
                                   << "training.loop[0]";
        QTest::newRow("misspelt") << R"(["gradiants"])"
                                  << "training.loop[0]";
        QTest::newRow("arguments where none are") << R"([{"gradients": {"of": "loss"}}])"
                                                  << "training.loop[0]";
        QTest::newRow("clip by nothing") << R"(["gradients", {"clip": {}}])"
                                         << "training.loop[1]";
        QTest::newRow("clip by two") << R"(["gradients", {"clip": {"norm": 1, "value": 1}}])"
                                     << "training.loop[1]";
        QTest::newRow("clip by nought") << R"(["gradients", {"clip": {"norm": 0}}])"
                                        << "training.loop[1]";
        QTest::newRow("clip by text") << R"(["gradients", {"clip": {"norm": "1"}}])"
                                      << "training.loop[1]";
        QTest::newRow("unknown argument") << R"([{"apply": {"weight": ["a"]}}])"
                                          << "training.loop[0]";
        QTest::newRow("no list of weights") << R"([{"apply": {"weights": "dense/k*"}}])"
                                            << "training.loop[0]";
        QTest::newRow("unknown optimizer") << R"([{"apply": {"optimizer": "sdg"}}])"
                                           << "training.loop[0]";
        QTest::newRow("while without a bound") << R"([{"while": {}}])"
                                               << "training.loop[0]";
    }
    void invalidBlocksAreNamed()
    {
        QFETCH(QString, json);
        QFETCH(QString, place);
        auto const loop = read(json);
        QVERIFY(!loop.ok());
        QVERIFY2(QString::fromStdString(loop.error().subject).startsWith(place), loop.error().subject.c_str());
        QVERIFY(!loop.error().remedy.empty());
    }
    void blocksMustMakeALoop_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<QString>("says"); ///< empty: valid
        QTest::newRow("fit by hand") << R"(["gradients", "apply"])" << 1 << "";
        QTest::newRow("two optimizers")
            << R"(["gradients", {"apply": {"weights": ["dense/k*", "dense/b*", "dense_1/k*", "dense_1/b*"]}}, {"apply": {"optimizer": "adam"}}])"
            << 1 << "";
        QTest::newRow("accumulated") << R"(["gradients", "accumulate", "all_reduce", "apply"])" << 4 << "";
        QTest::newRow("until") << R"(["gradients", "apply", {"while": {"loss_above": 0.1}}])" << 1 << "";
        QTest::newRow("no gradients") << R"(["apply"])" << 1 << "no gradients yet";
        QTest::newRow("gradients twice") << R"(["gradients", "gradients", "apply"])" << 1 << "gradients already";
        QTest::newRow("no update") << R"(["gradients"])" << 1 << "no block updates weights";
        QTest::newRow("clipped late") << R"(["gradients", "apply", {"clip": {"norm": 1}}])" << 1 << "after an update";
        QTest::newRow("accumulates nothing") << R"(["gradients", "accumulate", "apply"])" << 1 << "is 1";
        QTest::newRow("does not accumulate") << R"(["gradients", "apply"])" << 4 << "does not accumulate";
        QTest::newRow("accumulates late") << R"(["gradients", {"clip": {"norm": 1}}, "accumulate", "apply"])" << 4 << "does not follow";
        QTest::newRow("a weight without update")
            << R"(["gradients", {"apply": {"weights": ["dense/k*", "dense/b*"]}}])" << 1 << "'dense_1/kernel'";
        QTest::newRow("a weight with two") << R"(["gradients", {"apply": {"weights": ["*"]}}, {"apply": {"weights": ["dense/bias"]}}])" << 1
                                           << "as well";
        QTest::newRow("two rests") << R"(["gradients", "apply", "apply"])" << 1 << "no other block";
        QTest::newRow("no such weight") << R"(["gradients", {"apply": {"weights": ["conv/k*"]}}, "apply"])" << 1 << "'conv/k*'";
        QTest::newRow("idle optimizer") << R"(["gradients", {"apply": {"optimizer": "adam"}}])" << 1 << "training.optimizer";
        QTest::newRow("while inside") << R"(["gradients", {"while": {"loss_above": 1}}, "apply"])" << 1 << "after while";
    }
    void blocksMustMakeALoop()
    {
        QFETCH(QString, json);
        QFETCH(int, accumulate);
        QFETCH(QString, says);
        TrainingPlan plan = findTemplate("mnist-mlp")->plan();
        plan.stepsPerExecution = plan.gradientAccumulationSteps = accumulate;
        auto const loop = read(json);
        QVERIFY2(loop.ok(), loop.ok() ? "" : toText(loop.error()).c_str());
        plan.loop = *loop;
        auto const checked = checkTrainingPlan(plan, perceptron());
        QCOMPARE(checked.ok(), says.isEmpty());
        if (checked.ok()) return;
        QCOMPARE(checked.error().code, std::string("training.loop"));
        QVERIFY2(QString::fromStdString(checked.error().message).contains(says), checked.error().message.c_str());
    }
    void starsStandForAnyCharacters()
    {
        auto const fits = [](char const *pattern, char const *weight) {
            TrainingLoop const loop{{LoopBlock::Kind::Apply, {}, {pattern}, {}, 0}};
            return appliesTo(loop, 0, weight);
        };
        QVERIFY(fits("dense/kernel", "dense/kernel") && fits("*", "dense/kernel") && fits("dense*", "dense_1/bias")
                && fits("*/bias", "a/b/bias"));
        QVERIFY(fits("*e*_1*s", "dense_1/bias") && fits("**", "") && fits("dense/*", "dense/"));
        QVERIFY(!fits("dense/*", "dense_1/bias") && !fits("*kernel", "dense/kernel2") && !fits("", "x") && !fits("dense", "dense/kernel"));
        QVERIFY(!fits("*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(400, 'a').c_str())); // in no time
    }
    void anOptimizerBelongsToItsWeights()
    {
        auto const plan = findTemplate("custom-loop")->plan();
        QVERIFY(checkTrainingPlan(plan, perceptron()).ok());
        QCOMPARE(optimizerOf(plan, "dense/kernel").className, std::string("SGD"));
        QCOMPARE(optimizerOf(plan, "dense_2/bias").className, std::string("Adam"));
        QCOMPARE(optimizerOf(findTemplate("mnist-mlp")->plan(), "dense_2/bias").className, std::string("RMSprop"));
    }
};

TW_REGISTER_TEST(TstTrainingLoop);
#include "tst_training_loop.moc"
