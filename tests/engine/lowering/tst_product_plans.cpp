#include "engine/compiler/compile.h"
#include "engine/lowering/matmul_plan.h"
#include "engine/program/cost/sort_cost.h"
#include "engine/project/project.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

using namespace tilewright;

/// Joint plans of a layer's products against plans of each alone.
class TstProductPlans : public QObject {
    Q_OBJECT

    struct Compiled {
        double cycles = 0;
        int joint = 0, apart = 0; ///< products
        int weighed = 0;          ///< products whose plan includes the cost of the alternative
    };
    static Compiled compiled(char const *name, char const *target, bool alone)
    {
        auto p = project::withField(project::fromTemplate(name).value(), "system.target", target, nullptr).value();
        p = project::withField(p, "ipu_config.matmuls.clear_pass_type", alone ? "true" : "false", nullptr).value();
        compiler::CompileRequest request;
        request.useCache = false;
        auto const outcome = compiler::compile(p, request, {}).value();
        Compiled made{outcome.entry()->cyclesPerStep()};
        for (auto const &op : outcome.executable->program.ops) {
            auto const plan = nlohmann::json::parse(op.plan.empty() ? "{}" : op.plan);
            if (!plan.contains("problem") || !plan["problem"].contains("m")) continue;
            bool const joint = plan["problem"].value("update", false) || plan["problem"].value("backward", false);
            (joint ? made.joint : made.apart) += 1;
            if (!plan.contains("group")) continue;
            auto const &group = plan["group"];
            ++made.weighed;
            if (group.at("products").get<int>() < 2 || (group.at("planned") == "together") != joint
                || ((group.at("cycles_together") > group.at("cycles_apart")) == joint && !group.at("for_memory")))
                qFatal("%s: %s", op.name.c_str(), group.dump().c_str());
        }
        return made;
    }

private slots:
    /// They were always joint: a step of the transformer took 4.8 times the cycles of one with products planned alone.
    void aStepIsNotSlowerThanWithProductsPlannedAlone_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("target");
        for (char const *name : {"mnist-mlp", "mnist-cnn", "mnist-lstm"})
            for (char const *target : {"gc200:tiles=8", "gc200:tiles=64", "gc200"})
                QTest::addRow("%s %s", name, target) << QByteArray(name) << QByteArray(target);
        for (char const *target : {"gc200:tiles=64", "gc200"})
            QTest::addRow("transformer %s", target) << QByteArray("transformer-sort") << QByteArray(target);
    }
    void aStepIsNotSlowerThanWithProductsPlannedAlone()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, target);
        auto const weighed = compiled(name, target, false), alone = compiled(name, target, true);
        QVERIFY(weighed.cycles > 0 && alone.cycles > 0);
        QCOMPARE(alone.joint, 0);
        QVERIFY2(weighed.cycles <= 1.05 * alone.cycles,
                 qPrintable(QStringLiteral("%1 cycles, alone %2").arg(weighed.cycles).arg(alone.cycles)));
    }
    /// On few tiles the weights should stay in place; on many, each product needs its own grid.
    void bothKindsOfPlansAreChosen()
    {
        auto const few = compiled("mnist-cnn", "gc200:tiles=8", false), many = compiled("mnist-cnn", "gc200", false);
        QVERIFY(few.joint > 0 && few.weighed >= few.joint);
        QVERIFY(many.apart > 0 && many.joint == 0 && many.weighed > 0);
        QCOMPARE(compiled("mnist-cnn", "gc200", true).weighed, 0); // nothing was weighed
    }
    /// Separate grids need code for the exchanges between them, and only the first third of a tile can contain code: a chain of 250 layers
    /// no longer
    /// fitted.
    void manyLayersHaveRoomForTheirCode()
    {
        auto p = project::withField(project::fromTemplate("mnist-mlp").value(), "ipu_config.optimizations.enable_graph_outlining", "false",
                                    nullptr)
                     .value();
        auto const last = p.model.layers.back();
        p.model.layers.resize(p.model.layers.size() - 3); // the dense ones
        for (int i = 0; i < 250; ++i)
            p.model.layers.push_back(model::makeLayer("Dense", "d" + std::to_string(i), {{"units", 256}, {"activation", "relu"}}));
        p.model.layers.push_back(last);
        compiler::CompileRequest request;
        request.useCache = false;
        auto const outcome = compiler::compile(p, request, {}).value();
        QVERIFY(outcome.executable->memory.fits);
        int apart = 0, forMemory = 0;
        for (auto const &op : outcome.executable->program.ops) {
            auto const plan = nlohmann::json::parse(op.plan.empty() ? "{}" : op.plan);
            if (!plan.contains("group")) continue;
            apart += plan["group"]["planned"] == "apart";
            forMemory += plan["group"]["for_memory"] == true;
        }
        QVERIFY2(apart > 0 && forMemory > 0, qPrintable(QStringLiteral("%1 apart, %2 together for memory").arg(apart).arg(forMemory)));
    }
    /// Operands with the other orientation are transposed by one worker, and the estimate must contain that cost, not that of a copy. (The
    /// estimate of
    /// dense/MatMul_Backward of mnist-cnn on 24 tiles was a third of the scheduled cycles.)
    void transposesArePriced()
    {
        auto const chip = target::parseMachine("gc200:tiles=16").value().chip;
        lowering::MatmulProblem problem;
        problem.m = 32;
        problem.k = 128;
        problem.n = 1600;
        auto const plain = lowering::planMatmul(problem, chip, {}).best.front();
        problem.transposeB = true;
        auto const turned = lowering::planMatmul(problem, chip, {}).best.front();
        QVERIFY(turned.serial == 1 && turned.cost.rearrange >= cost::transposeCycles(DType::F32, 1, turned.nb, turned.kb));
        QVERIFY(turned.cost.total() > plain.cost.total());
        problem.transposeB = false;
        problem.transposeA = true;
        QVERIFY(lowering::planMatmul(problem, chip, {}).best.front().cost.total() > plain.cost.total());
    }
};

TW_REGISTER_TEST(TstProductPlans);
#include "tst_product_plans.moc"
