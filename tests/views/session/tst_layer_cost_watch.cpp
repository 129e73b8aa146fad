#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"
#include "views/advice/layer_cost_watch.h"
#include "views/document/document.h"
#include "views/session/session.h"

#include "engine/model/stages.h"
#include "engine/runtime/layer_costs.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

project::Project convolutions()
{
    auto project = project::fromTemplate("mnist-cnn").value();
    project.target = "gc200:tiles=64,ipus=4";
    return project;
}

model::CostUnit unitOf(LayerCostWatch const &watch, Session &session)
{
    auto const costs = watch.costs(session.document().project());
    return costs ? costs->unit : model::CostUnit::MultiplyAdds;
}

} // namespace

/// Costs of layers in the window: an estimate at once, the compiler's cycles after a request.
class TstLayerCostWatch : public QObject {
    Q_OBJECT
private slots:
    void cyclesAreComputedOnDemand()
    {
        Session session;
        auto &watch = LayerCostWatch::of(session);
        session.document().openProject(convolutions(), {}, false);
        QVERIFY(&watch == &LayerCostWatch::of(session));
        QCOMPARE(unitOf(watch, session), model::CostUnit::MultiplyAdds);
        auto const estimated = watch.proposer()(session.document().project().model, 4);
        QVERIFY(estimated.ok());
        QSignalSpy const changed(&watch, &LayerCostWatch::changed);
        tests::SpentTime const spent;
        watch.want();
        watch.want();
        QVERIFY2(spent.below(50), spent.text().c_str());
        QTRY_COMPARE_WITH_TIMEOUT(unitOf(watch, session), model::CostUnit::Cycles, 60000);
        QCOMPARE(changed.count(), 1);
        // Those of the engine, and stages are proposed by them.
        auto const layers = runtime::layerCosts(convolutions(), {}, {});
        QCOMPARE(*watch.costs(session.document().project()), layers->costs);
        auto const proposed = watch.proposer()(session.document().project().model, 4);
        auto const resolved = *model::resolve(convolutions().model);
        QCOMPARE(*proposed, *model::adviseStages(resolved, layers->costs, 4, runtime::cutPlan(convolutions())));
        QVERIFY(*proposed != *estimated);
    }
    void resultsStayWhileTheirInputsStay()
    {
        Session session;
        auto &watch = LayerCostWatch::of(session);
        session.document().openProject(convolutions(), {}, false);
        watch.want();
        QTRY_COMPARE_WITH_TIMEOUT(unitOf(watch, session), model::CostUnit::Cycles, 60000);
        QSignalSpy const changed(&watch, &LayerCostWatch::changed);
        QVERIFY(session.document().setField(QStringLiteral("training.gradient_accumulation_steps"), QStringLiteral("8")).ok());
        QVERIFY(session.document().setField(QStringLiteral("training.pipeline_schedule"), QStringLiteral("interleaved")).ok());
        QCOMPARE(unitOf(watch, session), model::CostUnit::Cycles);
        watch.want();
        QVERIFY(session.document().setField(QStringLiteral("training.batch_size"), QStringLiteral("16")).ok());
        QCOMPARE(unitOf(watch, session), model::CostUnit::MultiplyAdds); // until they are there
        watch.want();
        QTRY_COMPARE_WITH_TIMEOUT(unitOf(watch, session), model::CostUnit::Cycles, 60000);
        QCOMPARE(changed.count(), 1);
    }
    void modelsThatDoNotCompileStayEstimates()
    {
        Session session;
        auto &watch = LayerCostWatch::of(session);
        auto project = convolutions();
        project.target = "cpu";
        session.document().openProject(project, {}, false);
        QSignalSpy const changed(&watch, &LayerCostWatch::changed);
        watch.want();
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, 60000);
        QCOMPARE(unitOf(watch, session), model::CostUnit::MultiplyAdds);
        QVERIFY(watch.proposer()(project.model, 3).ok());
    }
};

TW_REGISTER_TEST(TstLayerCostWatch);
#include "tst_layer_cost_watch.moc"
