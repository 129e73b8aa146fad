#include "tests/engine/cost/cost_test_tools.h"
#include "tests/support/test_registry.h"

#include "engine/program/cost/matmul_cost.h"
#include "engine/program/cost/reduce_cost.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::cost;

/// The cases "poplibs.est.*" of the reference expectations: the vendor's own estimators evaluated for the
/// parameters given, exact.
class TstEstimatorCases : public QObject {
    Q_OBJECT
private slots:
    void matchesTheEstimator_data()
    {
        QTest::addColumn<QString>("codelet");
        QTest::addColumn<QString>("given");
        QTest::addColumn<qint64>("cycles");
        auto const row = [](char const *name, char const *codelet, QString const &given, qint64 cycles) {
            QTest::newRow(qPrintable(QString("%1 %2").arg(name, given))) << QString(codelet) << given << cycles;
        };
        for (char const *op : {"add", "multiply"}) {
            for (auto const &[n, cycles] : {std::pair{6, 377}, {24, 395}, {1000, 1871}, {12000, 18359}})
                row("binary", "BinaryOp1D", QString("op=%1 type=f32 n=%2 inPlace=1").arg(op).arg(n), cycles);
            for (auto const &[n, cycles] : {std::pair{6, 377}, {24, 377}, {1000, 1115}, {12000, 9359}})
                row("binary", "BinaryOp1D", QString("op=%1 type=f16 n=%2 inPlace=1").arg(op).arg(n), cycles);
        }
        for (auto const &[n, cycles] : {std::pair{6, 419}, {24, 479}, {1000, 5399}, {12000, 60359}})
            row("divide", "BinaryOp1D", QString("op=divide type=f32 n=%1 inPlace=1").arg(n), cycles);
        for (auto const &[n, cycles] : {std::pair{6, 485}, {24, 485}, {1000, 5651}})
            row("divide", "BinaryOp1D", QString("op=divide type=f16 n=%1 inPlace=1").arg(n), cycles);

        row("conv", "ConvPartial1x1Out", "positions=6", 337);
        row("conv", "ConvPartial1x1Out", "positions=60", 535);
        row("conv", "ConvPartial1x1Out", "positions=60 inGroups=4", 1909);
        row("conv", "ConvPartial1x1Out", "positions=60 inGroups=4 outGroups=4", 6991);
        row("conv", "ConvPartial1x1Out", "positions=60 inGroups=4 load=8", 2037);
        row("conv", "ConvPartial1x1Out", "positions=60 inGroups=4 partials=f16", 1909);
        row("conv", "ConvPartial1x1Out", "in=f32 positions=60 inGroups=4 units=8 outChans=8", 3039);

        for (auto const &[n, cycles] : {std::pair{1, 15}, {2, 21}, {3, 26}, {64, 42}, {1000, 276}})
            row("fill", "Fill", QString("type=f16 n=%1").arg(n), cycles);
        for (auto const &[n, cycles] : {std::pair{1, 24}, {2, 24}, {3, 25}, {64, 55}})
            row("fill", "Fill", QString("type=f32 n=%1").arg(n), cycles);
        for (auto const &[n, cycles] : {std::pair{1, 28}, {2, 28}, {3, 28}, {64, 47}})
            row("fill", "Fill", QString("type=u8 n=%1").arg(n), cycles);
        for (auto const &[n, cycles] : {std::pair{1, 6}, {2, 7}, {3, 8}, {64, 69}, {1000, 1005}})
            row("fill", "Fill", QString("type=u64 n=%1").arg(n), cycles);

        struct Strided {
            char const *type;
            int rows, outputs, plain, update;
        };
        for (Strided const &s : {Strided{"f16", 4, 16, 80, 100},
                                 {"f16", 4, 128, 528, 688},
                                 {"f16", 24, 16, 160, 180},
                                 {"f16", 24, 128, 1168, 1328},
                                 {"f16", 100, 128, 3600, 3760},
                                 {"f32", 4, 16, 128, 152},
                                 {"f32", 24, 16, 288, 312},
                                 {"f32", 24, 128, 2192, 2384},
                                 {"f32", 100, 16, 896, 920},
                                 {"f32", 100, 128, 7056, 7248}}) {
            QString const given = QString("partials=%1 rows=%2 outputs=%3").arg(s.type).arg(s.rows).arg(s.outputs);
            row("strided", "StridedReduce", given, s.plain);
            row("strided", "StridedReduce", given + " update=1", s.update);
        }
        struct Single {
            char const *out, *type;
            int n, cycles;
        };
        for (Single const &s : {Single{"f32", "f16", 16, 21},
                                {"f32", "f16", 100, 46},
                                {"f32", "f16", 1024, 273},
                                {"f32", "f32", 16, 25},
                                {"f32", "f32", 100, 67},
                                {"f16", "f16", 16, 26},
                                {"f16", "f16", 100, 51},
                                {"f16", "f16", 1024, 278},
                                {"f16", "f32", 16, 30},
                                {"f16", "f32", 100, 72}})
            row("single", "ReduceSingleOutput", QString("partials=%1 out=%2 n=%3").arg(s.type, s.out).arg(s.n), s.cycles);

        row("scaled", "ScaledAddSupervisor", "a=f16 b=f16 scale=f16 n=64", 225);
        row("scaled", "ScaledAddSupervisor", "a=f16 b=f16 scale=f16 n=64 constrained=1", 219);
        row("scaled", "ScaledAddSupervisor", "n=64", 279);
        row("scaled", "ScaledAddSupervisor", "n=64 constrained=1", 255);
        row("scaled", "ScaledAddSupervisor", "n=1000", 1683);
        row("scaled", "ScaledAddSupervisor", "n=1000 constrained=1", 699);
    }
    void matchesTheEstimator()
    {
        QFETCH(QString, codelet);
        QFETCH(QString, given);
        QFETCH(qint64, cycles);
        QCOMPARE(tests::cyclesOf(codelet.toStdString(), given.toStdString(), tests::chip()), static_cast<Cycles>(cycles));
    }
    void innerLoopMatchesTheEstimator()
    {
        // The pass that also zeroes the partials: one cycle shorter than the others.
        QCOMPARE(conv1x1InnerCycles({.positions = 6}, true), Cycles(164));
        QCOMPARE(conv1x1InnerCycles({.positions = 60}, true), Cycles(362));
    }
    void splitsDeepReductionsIntoStages()
    {
        using Plan = std::vector<std::int64_t>;
        QCOMPARE(reduceStageCount(15), 1);
        QCOMPARE(reduceStageCount(16), 2);
        QCOMPARE(reduceStageCount(125), 3);
        QCOMPARE(reduceStagePlan(8), Plan());
        QCOMPARE(reduceStagePlan(64), Plan{8});
        QCOMPARE(reduceStagePlan(512), (Plan{64, 8}));
    }
};

TW_REGISTER_TEST(TstEstimatorCases);
#include "tst_estimator_cases.moc"
