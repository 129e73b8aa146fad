#include "engine/model/stages.h"
#include "engine/report/quantities.h"
#include "engine/runtime/run_report.h"
#include "engine/runtime/stage_advice.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::tests;

namespace {

project::Project convolutions(char const *target, Fields const &fields = {})
{
    auto p = project::fromTemplate("mnist-cnn").value();
    p.target = target;
    p.data.limit = 2560;
    for (auto const &[path, value] : fields) p = project::withField(p, path, value, nullptr).value();
    return p;
}

std::string cutText(std::vector<int> const &stages)
{
    std::string text;
    for (int const stage : stages) text += std::to_string(stage);
    return text;
}

} // namespace

/// Stages are cut with the compiler's costs of layers, and of the cuts themselves.
class TstStageAdvice : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    compiler::CompileRequest request() const { return requestIn(m_folder).compile; }
    double compiledCycles(project::Project const &p, std::vector<int> const &stages) const
    {
        auto const wish = inStages(p, stages);
        if (!wish) return -1;
        auto const trial = tryProposal(p, *wish, request(), {});
        return trial.ok() ? trial->cyclesPerStep : -1;
    }

private slots:
    /// On few tiles the first pooling costs nearly as much as a convolution; on many, transfers between IPUs decide. Multiply-adds reflect
    /// neither.
    void compiledCostsCutBetterThanMultiplyAdds_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<double>("gain");
        QTest::newRow("few tiles") << "gc200:tiles=64,ipus=4" << 1.01;
        QTest::newRow("all tiles") << "gc200:ipus=4" << 1.2;
    }
    void compiledCostsCutBetterThanMultiplyAdds()
    {
        QFETCH(QString, target);
        QFETCH(double, gain);
        auto const p =
            convolutions(qPrintable(target), {{"training.gradient_accumulation_steps", "16"}, {"training.steps_per_execution", "16"}});
        auto const resolved = *model::resolve(p.model);
        auto const by = *model::adviseStages(resolved, model::multiplyAddCosts(resolved), 4, cutPlan(p));
        AdviceSearch none;
        none.seconds = 0;
        auto const advice = adviseStages(p, 4, request(), none, {});
        QVERIFY2(advice.ok(), advice.ok() ? "" : toText(advice.error()).c_str());
        QVERIFY(advice->layers.costs.unit == model::CostUnit::Cycles && advice->layers.why.empty());
        QVERIFY(!advice->trial && advice->tried == 0);
        double const before = compiledCycles(p, by), after = compiledCycles(p, advice->stages);
        QVERIFY(before > 0 && after > 0);
        QVERIFY2(before > gain * after,
                 (cutText(by) + " " + std::to_string(before) + ", " + cutText(advice->stages) + " " + std::to_string(after)).c_str());
        // The expectation is close to the compiled result.
        QVERIFY2(std::abs(advice->expected / after - 1) < 0.25, std::to_string(advice->expected / after).c_str());
    }
    void theBestOfTheCompiledCutsIsTaken()
    {
        auto const p = mnist("gc200:tiles=32,ipus=4");
        auto const advice = adviseStages(p, 3, request(), {600, 24, {}}, {});
        QVERIFY(advice.ok());
        QVERIFY(advice->complete && advice->trial && advice->trial->fits);
        QCOMPARE(advice->tried, 3); // all there are
        QCOMPARE(advice->expected, compiledCycles(p, advice->stages));
        for (std::vector<int> const &other : {std::vector<int>{0, 1, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 2}})
            QVERIFY(advice->expected <= compiledCycles(p, other));
        QCOMPARE(advice->microBatches, std::int64_t{6});
        QCOMPARE(advice->costs.size(), std::size_t{3});
        // It can be set as it is.
        QVERIFY(withProposal(p, advice->trial->proposal).ok());
    }
    void ofAllCutsOneThatFitsIsTaken()
    {
        // Four of the 35 cuts do not fit.
        auto const p =
            convolutions("gc200:tiles=64,ipus=4", {{"training.gradient_accumulation_steps", "16"}, {"training.steps_per_execution", "16"}});
        auto const advice = adviseStages(p, 4, request(), {600, 100, {}}, {});
        QVERIFY(advice.ok() && advice->trial && advice->trial->fits);
        QCOMPARE(advice->tried, 35);
    }
    /// The cycles of layers are those of a report of the same compile.
    void costsAreTheReportsCyclesOfLayers()
    {
        auto const p = convolutions("gc200:tiles=64");
        auto const layers = layerCosts(p, request(), {});
        QVERIFY(layers.ok());
        auto const one = *singleIpu(p);
        auto forReport = request();
        forReport.forReport = true;
        auto const compiled = compiler::compile(one, forReport, {});
        QVERIFY(compiled.ok());
        auto const path = m_folder.path() / "one.twreport";
        QVERIFY(writeCompileReport(path, one, *compiled, {}).ok());
        auto const data = (*store::ReportReader::open(path))->readAll();
        QVERIFY(data.ok());
        auto const frame = report::runFrame(*data);
        auto const byOp = report::costsByOp(*data, report::costsByProgram(*data, frame.run));
        auto const assigned = *model::stageAssignment(p.model);
        double sum = 0;
        for (std::size_t i = 0; i < assigned.size(); ++i) {
            auto const &cost = layers->costs.calls[i];
            double const all = cost.forward + cost.backward + cost.update / 2; // two micro-batches
            double reported = 0;
            for (std::size_t op = 0; op < data->ops.size(); ++op)
                if (report::isLayer(data->ops[op]) && data->ops[op].name == assigned[i].layer)
                    reported = report::cyclesPerStep(frame, byOp[op].cycles);
            QCOMPARE(all, reported);
            sum += all;
        }
        auto const &costs = layers->costs;
        for (auto const &extra : {costs.first, costs.last}) sum += extra.forward + extra.backward + extra.update / 2;
        QVERIFY(std::abs(sum / frame.cyclesOfStep() - 1) < 0.01); // nothing is lost
    }
    void modelsThatDoNotCompileHaveMultiplyAdds()
    {
        for (auto const *target : {"cpu", "gc200:tiles=8"}) {
            auto p = mnist(target);
            p.engineOptions["no.such.option"] = "1";
            auto const layers = layerCosts(p, request(), {});
            QVERIFY(layers.ok());
            QVERIFY2(layers->why.find(p.target == "cpu" ? "cpu" : "no.such.option") != std::string::npos, layers->why.c_str());
            QCOMPARE(layers->costs, model::multiplyAddCosts(*model::resolve(p.model)));
            auto const advice = adviseStages(p, 2, request(), {}, {});
            QVERIFY(advice.ok());
            QCOMPARE(advice->stages, (std::vector<int>{0, 0, 1, 1}));
            QVERIFY(!advice->trial && advice->tried == 0 && advice->complete);
        }
        QCOMPARE(adviseStages(mnist("gc200:tiles=8"), 9, request(), {}, {}).error().code, std::string("model.stage"));
    }
    void programsTooLargeForOneIpuHaveCycles()
    {
        auto const layers = layerCosts(mnist("gc200:tiles=4"), request(), {});
        QVERIFY(layers.ok() && layers->costs.unit == model::CostUnit::Cycles);
        QVERIFY(layers->costs.calls[1].forward > layers->costs.calls[3].forward);
    }
    void costsDependOnNothingOfThePipeline()
    {
        auto const p = mnist("gc200:tiles=16,ipus=4");
        auto const costs = layerCosts(p, request(), {});
        auto changed = mnist("gc200:tiles=16,ipus=4",
                             inStages("0012",
                                      {{"training.pipeline_schedule", "interleaved"},
                                       {"training.gradient_accumulation_steps", "12"},
                                       {"training.steps_per_execution", "12"},
                                       {"ipu_config.allow_recompute", "true"}}));
        changed.title = "other";
        QCOMPARE(*singleIpu(changed), *singleIpu(p));
        QCOMPARE(*layerCosts(changed, request(), {}), *costs);
        changed.training.batchSize = 16;
        QVERIFY(*singleIpu(changed) != *singleIpu(p));
    }
    void cancellingLeavesTheBestSoFar()
    {
        auto const p = mnist("gc200:tiles=16,ipus=4");
        std::stop_source stop;
        JobContext job;
        job.stop = stop.get_token();
        AdviceSearch search;
        search.seconds = 600;
        search.progress = [&](int tried, int of) {
            QCOMPARE(of, 3);
            if (tried == 1) stop.request_stop();
        };
        auto const advice = adviseStages(p, 3, request(), search, job);
        QVERIFY(advice.ok() && !advice->complete && advice->trial);
        QCOMPARE(advice->tried, 1);
        QCOMPARE(adviseStages(p, 3, request(), search, job).error().kind, ErrorKind::Cancelled);
        // Time over: the costs of layers decide.
        search.progress = {};
        search.seconds = 1e-9;
        auto const hasty = adviseStages(p, 3, request(), search, {});
        QVERIFY(hasty.ok() && !hasty->complete && !hasty->trial && hasty->expected > 0);
    }
    void proposalsTakeTheSameCosts()
    {
        auto const p = convolutions("gc200:tiles=64,ipus=4");
        auto const costs = layerCosts(p, request(), {});
        auto const wishes = inStages(p, 4, *costs, 3);
        QCOMPARE(wishes.size(), std::size_t{3});
        auto const cuts = *model::bestCuts(*model::resolve(p.model), costs->costs, 4, cutPlan(p), 3);
        for (std::size_t i = 0; i < 3; ++i) QCOMPARE(wishes[i], *inStages(p, cuts[i].stages));
        // Three stages take a replica of four IPUs, which the target has not.
        auto const alone = inStages(mnist("gc200:tiles=16"), std::vector<int>{0, 1, 1, 2});
        QVERIFY(toText(*alone).find("ipus=4") != std::string::npos);
        QVERIFY(!inStages(mnist("cpu"), std::vector<int>{0, 1, 1, 2}));
        QVERIFY(!inStages(p, std::vector<int>{0, 1}));
    }
};

TW_REGISTER_TEST(TstStageAdvice);
#include "tst_stage_advice.moc"
