#include "engine/model/optimizers.h"
#include "engine/model/plan_rules.h"
#include "engine/model/stages.h"
#include "engine/model/summary.h"
#include "engine/model/templates.h"
#include "tests/engine/model/model_samples.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::model;
using tilewright::tests::sampleGraph;

namespace {

Model mlp() { return findTemplate("mnist-mlp")->model(); }

std::string stageProblem(Model const &model, std::vector<int> const &stages)
{
    auto const staged = withStages(model, stages);
    if (!staged.ok()) return staged.error().message;
    auto const resolved = resolve(*staged);
    if (!resolved.ok()) return resolved.error().message;
    auto const status = checkStages(*resolved);
    return status.ok() ? "" : status.error().message;
}

} // namespace

class TstStages : public QObject {
    Q_OBJECT
private slots:
    void printsTheSummaryAsKeras()
    {
        std::string const expected = "Model: \"sequential\"\n"
                                     "_________________________________________________________________\n"
                                     "Layer (type)                 Output Shape              Param #   \n"
                                     "=================================================================\n"
                                     "flatten (Flatten)            (None, 784)               0         \n"
                                     "_________________________________________________________________\n"
                                     "dense (Dense)                (None, 256)               200960    \n"
                                     "_________________________________________________________________\n"
                                     "dense_1 (Dense)              (None, 128)               32896     \n"
                                     "_________________________________________________________________\n"
                                     "dense_2 (Dense)              (None, 10)                1290      \n"
                                     "=================================================================\n"
                                     "Total params: 235,146\n"
                                     "Trainable params: 235,146\n"
                                     "Non-trainable params: 0\n"
                                     "_________________________________________________________________\n";
        QCOMPARE(summaryText(summarize(*resolve(mlp()))), expected);
    }
    void printsConnectionsOfAGraph()
    {
        auto const summary = summarize(*resolve(sampleGraph()));
        QVERIFY(!summary.chain);
        QCOMPARE(summary.rows.size(), std::size_t{6});
        QCOMPARE(summary.rows[3].connectedTo, (std::vector<std::string>{"tower[0][0]", "tower[1][0]"}));
        auto const text = summaryText(summary);
        QVERIFY(text.find("left (InputLayer)               [(None, 5)]          0           ") != std::string::npos);
        QVERIFY(text.find("join (Concatenate)              (None, 12)           0           tower[0][0]") != std::string::npos);
        QVERIFY(text.find("\n" + std::string(65, ' ') + "tower[1][0]") != std::string::npos);
    }
    void listsAndSetsStages()
    {
        auto list = stageAssignment(mlp());
        QVERIFY(list.ok());
        QCOMPARE(list->size(), std::size_t{4}); // the input layer is not listed
        QCOMPARE((*list)[1].inputs, std::vector<std::string>{"flatten"});
        for (std::size_t i = 0; i < list->size(); ++i) (*list)[i].stage = static_cast<int>(i) / 2;
        auto const staged = withStages(mlp(), *list);
        QVERIFY(staged.ok());
        QVERIFY(*stageAssignment(*staged) == *list);
        auto const resolved = resolve(*staged);
        QCOMPARE(resolved->stages(), 2);
        QVERIFY(checkStages(*resolved).ok());
        QCOMPARE(summarize(*resolved).rows[3].stage, 1);
        QVERIFY(!resolve(withoutStages(*staged))->pipelined());
        std::swap((*list)[0], (*list)[1]);
        QCOMPARE(withStages(mlp(), *list).error().code, std::string("model.stage"));
        QCOMPARE(withLayerStage(mlp(), "dense", 1)->find("dense")->stage, 1);
        QCOMPARE(withLayerStage(mlp(), "dens", 1).error().code, std::string("model.no-layer"));
        QCOMPARE(withLayerStage(mlp(), "dense", -2).error().code, std::string("model.stage"));
    }
    void keepsTheRulesOfPipelining()
    {
        QCOMPARE(stageProblem(mlp(), {0, 0, 1, 2}), std::string());
        QVERIFY(stageProblem(mlp(), {0, 0, 1}).find("3 stages but 4") != std::string::npos);
        QVERIFY(stageProblem(mlp(), {0, 1, 0, 1}).find("later stage") != std::string::npos);
        QVERIFY(stageProblem(mlp(), {0, 0, 2, 2}).find("without layers: 1") != std::string::npos);
        QVERIFY(stageProblem(mlp(), {1, 1, 1, 1}).find("without layers: 0") != std::string::npos);
        QVERIFY(stageProblem(mlp(), {0, 0, -1, 1}).find("no pipeline stage") != std::string::npos);
        QVERIFY(stageProblem(mlp(), {0, 0, 0, 0}).find("at least two") != std::string::npos);
        QCOMPARE(stageProblem(mlp(), {-1, -1, -1, -1}), std::string());
        // left tower, right tower, join, kind, size
        // Shared weights lie on one IPU: that of all stages that use them.
        QCOMPARE(stageProblem(sampleGraph(), {0, 1, 1, 1, 1}), std::string());
        auto const shared = resolve(*withStages(sampleGraph(), std::vector<int>{0, 1, 2, 2, 2}));
        TrainingPlan plan;
        plan.optimizer = parseOptimizer("sgd").value();
        plan.deviceMapping = {0, 1, 0};
        auto const problem = [&]() -> std::string {
            for (auto const &each : trainingPlanProblems(plan, *shared))
                if (each.code == "model.stage") return each.subject + ": " + std::string(each.message);
            return {};
        };
        QVERIFY(problem().find("tower: the shared layer's weights would be needed on several IPUs") != std::string::npos);
        plan.deviceMapping = {0, 0, 1};
        QCOMPARE(problem(), std::string());
        QCOMPARE(stageProblem(sampleGraph(), {0, 0, 0, 1, 1}), std::string());
        QCOMPARE(stageProblem(sampleGraph(), {0, 0, 0, 1, 0}), std::string());
    }
    void computesTheDepthOfEachSchedule()
    {
        QCOMPARE(pipelineDepthMultiple("grouped", 4, true), std::int64_t{8});
        QCOMPARE(pipelineDepthMultiple("grouped", 4, false), std::int64_t{4});
        QCOMPARE(pipelineDepthMultiple("interleaved", 4, true), std::int64_t{4});
        QCOMPARE(pipelineDepthMultiple("sequential", 4, true), std::int64_t{1});
    }
    void printsTheStageTable()
    {
        auto const text = stageSummary(*withStages(sampleGraph(), std::vector<int>{0, 0, 0, 1, 1}));
        QVERIFY(text.ok());
        QVERIFY(text->find("tower (Dense) (1)                  right") != std::string::npos);
        for (auto const &line : QString::fromStdString(*text).split('\n', Qt::SkipEmptyParts))
            if (!line.startsWith("Model")) QCOMPARE(line.size(), 89);
    }
};

TW_REGISTER_TEST(TstStages);
#include "tst_stages.moc"
