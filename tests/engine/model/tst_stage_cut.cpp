#include "engine/model/stage_cut.h"
#include "engine/model/stages.h"
#include "engine/model/templates.h"
#include "tests/engine/model/model_samples.h"
#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::model;
using tilewright::tests::sampleGraph;

namespace {

Model tutorialModel() { return findTemplate("mnist-mlp")->model(); }

/// A chain of this many dense layers.
Model chain(int layers, int units)
{
    Model model;
    model.layers.push_back(makeInput("in", {units}));
    for (int i = 0; i < layers; ++i) model.layers.push_back(makeLayer("Dense", "d" + std::to_string(i), {{"units", units}}));
    return model;
}

Result<std::vector<int>> byMultiplyAdds(Model const &model, int stages)
{
    auto const resolved = *resolve(model);
    return adviseStages(resolved, multiplyAddCosts(resolved), stages);
}

/// A cost for each call, and twice that for its backward.
CutCosts cycles(std::vector<double> const &forward)
{
    CutCosts costs;
    costs.unit = CostUnit::Cycles;
    for (double const each : forward) costs.calls.push_back({each, 2 * each, 0});
    return costs;
}

} // namespace

class TstStageCut : public QObject {
    Q_OBJECT
private slots:
    void multiplyAddsBalanceTheStages()
    {
        // Work per sample: 0, 200704, 32768, 1280.
        QCOMPARE(*byMultiplyAdds(tutorialModel(), 2), (std::vector<int>{0, 0, 1, 1}));
        QCOMPARE(*byMultiplyAdds(tutorialModel(), 1), (std::vector<int>{0, 0, 0, 0}));
        QCOMPARE(*byMultiplyAdds(tutorialModel(), 4), (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(byMultiplyAdds(tutorialModel(), 5).error().code, std::string("model.stage"));
        QCOMPARE(byMultiplyAdds(tutorialModel(), 0).error().code, std::string("model.stage"));
        QCOMPARE(*byMultiplyAdds(chain(12, 8), 3), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
    }
    void sharedLayersStayTogetherAndTheRulesHold()
    {
        for (int stages : {2, 3, 4}) {
            auto const advice = byMultiplyAdds(sampleGraph(), stages);
            QVERIFY(advice.ok());
            QCOMPARE((*advice)[0], (*advice)[1]);
            QVERIFY(checkStages(*resolve(*withStages(sampleGraph(), *advice))).ok());
        }
        QVERIFY(!byMultiplyAdds(sampleGraph(), 5).ok());
    }
    void otherCostsCutElsewhere()
    {
        auto const resolved = *resolve(tutorialModel());
        QCOMPARE(*adviseStages(resolved, cycles({1, 1, 1, 9}), 2), (std::vector<int>{0, 0, 0, 1}));
        QCOMPARE(*adviseStages(resolved, cycles({9, 1, 1, 1}), 2), (std::vector<int>{0, 1, 1, 1}));
        // Work of the first stage for the host, and of the last for loss and metrics.
        auto costs = cycles({1, 1, 1, 1});
        costs.last = {20, 0, 0};
        QCOMPARE(*adviseStages(resolved, costs, 2), (std::vector<int>{0, 0, 0, 1}));
        // An update that is slow goes apart when there are few micro-batches.
        costs = cycles({4, 4, 4, 4});
        costs.calls[1].update = costs.calls[2].update = 1000;
        QCOMPARE(*adviseStages(resolved, costs, 2), (std::vector<int>{0, 0, 1, 1}));
        costs.calls[1].update = 1000, costs.calls[2].update = 0, costs.calls[3].update = 1000;
        QVERIFY((*adviseStages(resolved, costs, 2)).back() == 1);
    }
    void bytesAcrossLinksCount()
    {
        // A wide layer in front, so that a cut would send its output.
        Model model;
        model.layers = {makeInput("in", {8}), makeLayer("Dense", "wide", {{"units", 4096}}), makeLayer("Dense", "narrow", {{"units", 8}}),
                        makeLayer("Dense", "end", {{"units", 8}})};
        auto const resolved = *resolve(model);
        auto costs = cycles({10, 8, 2});
        QCOMPARE(*adviseStages(resolved, costs, 2), (std::vector<int>{0, 1, 1}));
        costs.links = {{1, {0}, {}}};
        QCOMPARE(*adviseStages(resolved, costs, 2), (std::vector<int>{0, 0, 1}));
        auto const stages = stageCosts(resolved, costs, {0, 1, 1}, false);
        QCOMPARE(stages[0].on, Bytes{4096 * 4});
        QCOMPARE(stages[0].back, Bytes{4096 * 4});
        QCOMPARE(stages[1].on, Bytes{0});
        QCOMPARE(exchangeOf(costs, stages), 4096.0 * 4);
        // Data over the same link adds up; the busiest link decides.
        costs.links = {{1, {0}, {1}}, {3, {1}, {}}, {100, {2}, {2}}};
        QCOMPARE(exchangeOf(costs, stageCosts(resolved, costs, {0, 1, 2}, false)), 4096.0 * 4 + 8 * 4);
        // Layers before all trained ones get no gradient.
        Model frozen = model;
        frozen.layers.insert(frozen.layers.begin() + 1, makeLayer("Activation", "first", {{"activation", "relu"}}));
        auto const later = stageCosts(*resolve(frozen), cycles({1, 1, 1, 1}), {0, 1, 1, 1}, false);
        QCOMPARE(later[0].on, Bytes{8 * 4});
        QCOMPARE(later[0].back, Bytes{0});
    }
    void aValueThatLaterStagesReadGoesThroughThoseBetween()
    {
        auto const resolved = *resolve(findTemplate("transformer-sort")->model());
        auto const count = stagedCalls(resolved).size();
        std::vector<int> stages(count, 2);
        // The sum after the first attention is also read after the second stage.
        for (std::size_t i = 0; i < 4; ++i) stages[i] = i < 3 ? 0 : 1;
        auto const cost = stageCosts(resolved, multiplyAddCosts(resolved), stages, false);
        QCOMPARE(cost[1].on, 2 * cost[0].on);
    }
    void ofEqualCostsTheOneWithFewerParametersInAStage()
    {
        // The third layer costs nothing and has most of the parameters: which side it is on is the same for the time.
        auto const resolved = *resolve(tutorialModel());
        auto const costs = cycles({0, 5, 0, 5});
        auto const cut = *adviseStages(resolved, costs, 2);
        auto const stages = stageCosts(resolved, costs, cut, false);
        QCOMPARE(cut, (std::vector<int>{0, 0, 1, 1}));
        QCOMPARE(stages[0].parameters, std::int64_t{200960});
        QCOMPARE(stages[1].parameters, std::int64_t{32896 + 1290});
    }
    void recomputingStagesRunAgain()
    {
        auto const resolved = *resolve(tutorialModel());
        auto const stages = stageCosts(resolved, cycles({1, 2, 3, 4}), {0, 1, 1, 2}, true);
        QCOMPARE(stages[0].times, (StageTimes{1, 1, 2}));
        QCOMPARE(stages[1].times, (StageTimes{5, 5, 10}));
        QCOMPARE(stages[2].times, (StageTimes{4, 0, 8}));
        QCOMPARE(imbalance(stages), 20.0 * 3 / (4 + 20 + 12));
    }
    void cutsAreRankedByTheirCost()
    {
        auto const resolved = *resolve(chain(8, 8));
        auto const costs = cycles({3, 1, 4, 1, 5, 9, 2, 6});
        auto const cuts = *bestCuts(resolved, costs, 3, {}, 100);
        QCOMPARE(cuts.size(), std::size_t{21}); // all
        QVERIFY(std::ranges::is_sorted(cuts, {}, &Cut::cost));
        for (auto const &cut : cuts) QCOMPARE(cut.cost, pipelineCost(costs, stageCosts(resolved, costs, cut.stages, false), {}));
        QCOMPARE(bestCuts(resolved, costs, 3, {}, 4)->size(), std::size_t{4});
    }
    /// Of many cuts not all are priced; the best of those that are is as good as the smallest largest stage, at least, and soon found.
    void longModelsAreCutAllTheSame_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("stages");
        QTest::addRow("60 in 4") << 60 << 4;
        QTest::addRow("200 in 8") << 200 << 8;
        QTest::addRow("200 in 16") << 200 << 16;
    }
    void longModelsAreCutAllTheSame()
    {
        QFETCH(int, layers);
        QFETCH(int, stages);
        auto const resolved = *resolve(chain(layers, 8));
        std::vector<double> work;
        for (int i = 0; i < layers; ++i) work.push_back(1 + i * 7 % 11);
        auto const costs = cycles(work);
        tests::SpentTime const spent;
        auto const cuts = bestCuts(resolved, costs, stages, {}, 5);
        QVERIFY2(spent.below(1000), spent.text().c_str());
        QVERIFY(cuts.ok() && cuts->size() == 5);
        auto const found = stageCosts(resolved, costs, cuts->front().stages, false);
        double sum = 0;
        for (auto const &stage : found) sum += stage.times.all();
        QVERIFY(imbalance(found) * sum / stages < sum / stages + 3 * 11 * 3);
    }
    void theDepthOfAPlanIsBent()
    {
        QCOMPARE(pipelineDepth({PipelineSchedule::Grouped, 1, false}, 4), std::int64_t{8});
        QCOMPARE(pipelineDepth({PipelineSchedule::Grouped, 9, false}, 4), std::int64_t{16});
        QCOMPARE(pipelineDepth({PipelineSchedule::Interleaved, 9, false}, 4), std::int64_t{12});
        QCOMPARE(pipelineDepth({PipelineSchedule::Sequential, 9, false}, 4), std::int64_t{9});
    }
};

TW_REGISTER_TEST(TstStageCut);
#include "tst_stage_cut.moc"
