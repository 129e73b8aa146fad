#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"

#include "engine/core/random.h"
#include "engine/program/cost/copy_cost.h"
#include "engine/program/cost/elementwise_cost.h"
#include "engine/program/cost/map_cost.h"
#include "engine/program/cost/matmul_cost.h"
#include "engine/program/cost/nn_cost.h"
#include "engine/program/cost/random_cost.h"
#include "engine/program/cost/reduce_cost.h"
#include "engine/program/cost/slice_cost.h"
#include "engine/program/cost/sort_cost.h"

#include <QtTest>

#include <array>
#include <functional>

using namespace tilewright;
using namespace tilewright::cost;

class TstCostProperties : public QObject {
    Q_OBJECT

    using Formula = std::function<Cycles(std::int64_t)>;

    /// More work never costs less, apart from `slack` cycles where an estimator prefers a longer path.
    static void checkMonotone(char const *name, Formula const &cycles, std::int64_t step, Cycles slack = 0)
    {
        Cycles largest = 0;
        for (std::int64_t n = step; n <= 400 * step; n += step) {
            Cycles const now = cycles(n);
            QVERIFY2(now > 0, name);
            QVERIFY2(now + slack >= largest, qPrintable(QString("%1 at %2: %3 after %4").arg(name).arg(n).arg(now).arg(largest)));
            largest = std::max(largest, now);
        }
        QVERIFY2(largest > cycles(step), name);
    }

private slots:
    void costGrowsWithSize()
    {
        // Two positions a worker cost more than three: the pipeline's shortest form is not the fastest.
        checkMonotone(
            "conv1x1 positions", [](std::int64_t n) { return conv1x1Cycles({.positions = n}); }, 1, 30);
        checkMonotone(
            "conv1x1 f32", [](std::int64_t n) { return conv1x1Cycles({.in = ValueType::F32, .positions = n}); }, 12);
        checkMonotone(
            "conv1x1 inGroups", [](std::int64_t n) { return conv1x1Cycles({.positions = 64, .inGroups = n}); }, 1);
        checkMonotone(
            "conv1x1 outGroups", [](std::int64_t n) { return conv1x1Cycles({.positions = 64, .outGroups = n}); }, 1);
        checkMonotone(
            "nx1 rows", [](std::int64_t n) { return convNx1Cycles({.rows = n, .width = 24, .kernelOuter = 3, .kernelInner = 3}); }, 1, 200);
        checkMonotone(
            "hmac", [](std::int64_t n) { return horizontalMacCycles({.width = n, .inChansPerGroup = 8}); }, 6);
        checkMonotone(
            "vmac", [](std::int64_t n) { return verticalMacCycles({.rowsPerWorker = n, .kernelWidth = 3, .outElements = n * 24}); }, 1);
        checkMonotone(
            "slic", [](std::int64_t n) { return slicCycles({.rows = n, .width = 12, .subKernels = 3}); }, 6);
        checkMonotone(
            "reduceAdd", [](std::int64_t n) { return reduceAddCycles({.outputs = n, .partialCount = 7, .singleInput = true}); }, 4);
        checkMonotone(
            "convReduce", [](std::int64_t n) { return convReduceCycles({.outputs = n, .depth = 16}); }, 8);
        checkMonotone(
            "unary", [](std::int64_t n) { return unary1DCycles("exp", DType::F16, n).value(); }, 3);
        checkMonotone(
            "binary", [](std::int64_t n) { return binary1DCycles("divide", DType::F32, n).value(); }, 3);
        checkMonotone(
            "broadcast", [](std::int64_t n) { return broadcastScalar1DCycles("add", DType::F16, n).value(); }, 6);
        checkMonotone(
            "inner", [](std::int64_t n) { return broadcastVectorInner1DCycles("add", DType::F16, 64, n).value(); }, 6, 40);
        checkMonotone(
            "cast", [](std::int64_t n) { return cast1DCycles(DType::F32, DType::F16, n); }, 24);
        checkMonotone(
            "fill", [](std::int64_t n) { return fillWorkerCycles(DType::F32, n); }, 2);
        checkMonotone(
            "scaledAdd", [](std::int64_t n) { return scaledAdd1DCycles({.n = n}); }, 12);
        checkMonotone(
            "strided", [](std::int64_t n) { return stridedReduceWorkerCycles({.rows = n, .outputs = 32}); }, 1);
        checkMonotone(
            "contiguous", [](std::int64_t n) { return contiguousReduceWorkerCycles(ReduceOp::Add, DType::F32, n, 64); }, 1);
        checkMonotone(
            "tileReduce", [](std::int64_t n) { return tileReduceCycles(ReduceOp::Add, DType::F16, DType::F32, 24, n, 16); }, 1);
        checkMonotone(
            "multiSlice", [](std::int64_t n) { return multiSliceCycles({.rowElements = n, .offsets = 8}); }, 2);
        checkMonotone(
            "multiUpdate", [](std::int64_t n) { return multiUpdateCycles({.rowElements = n, .offsets = 8}); }, 2, 400);
        checkMonotone(
            "dynamicSlice", [](std::int64_t n) { return dynamicSlice1DCycles(DType::F32, n, 2); }, 12);
        checkMonotone(
            "gelu", [](std::int64_t n) { return nonLinearity1DCycles(Activation::Gelu, DType::F16, n); }, 24);
        checkMonotone(
            "pooling", [](std::int64_t n) { return poolingCycles({.rows = n, .inputsPerItem = 4}); }, 1);
        checkMonotone(
            "softmax", [](std::int64_t n) { return softmaxCost(DType::F16, 12, n).total(); }, 8);
        checkMonotone(
            "dropout", [](std::int64_t n) { return dropoutCycles(DType::F16, n); }, 4);
        checkMonotone(
            "sort", [](std::int64_t n) { return heapSortWorkerCycles(n); }, 1);
        checkMonotone(
            "transpose", [](std::int64_t n) { return transposeCycles(DType::F16, 6, n, 32); }, 4);
        checkMonotone(
            "memcpy", [](std::int64_t n) { return memcpyCycles(n); }, 8);
    }

    void dealsEveryPositionToExactlyOneWorker()
    {
        RandomStream random(20240501);
        for (int i = 0; i < 2000; ++i) {
            auto const rows = static_cast<std::int64_t>(random.below(40));
            auto const width = static_cast<std::int64_t>(random.below(50));
            WorkerLoads const loads = splitRows(rows, width);
            std::int64_t total = 0, largest = 0, smallest = rows * width;
            for (WorkerLoad const &load : loads) {
                total += load.positions();
                largest = std::max(largest, load.positions());
                smallest = std::min(smallest, load.positions());
                QVERIFY(load.head < width || load.head == 0);
                QVERIFY(load.tail < width || load.tail == 0);
            }
            QCOMPARE(total, rows * width);
            QVERIFY(largest - smallest <= 1);
        }
    }

    void explicitSharesAgreeWithTheEvenSpread()
    {
        std::array<std::int64_t, 6> const shares{3, 3, 3, 3, 2, 2};
        QCOMPARE(conv1x1Cycles({.perWorker = shares, .inGroups = 3}), conv1x1Cycles({.positions = 16, .inGroups = 3}));
        std::array<std::int64_t, 4> const four{4, 4, 4, 4}; // two contexts without a work list
        std::array<std::int64_t, 6> const six{4, 4, 4, 4, 0, 0};
        QVERIFY(conv1x1Cycles({.perWorker = four}) <= conv1x1Cycles({.perWorker = six}));
    }

    void aMapOfOneOperationCostsWhatTheOperationCosts_data()
    {
        QTest::addColumn<QString>("op");
        for (std::string_view op : opNames(OpTable::Unary))
            QTest::newRow(std::string(op).c_str()) << QString::fromStdString(std::string(op));
    }
    void aMapOfOneOperationCostsWhatTheOperationCosts()
    {
        QFETCH(QString, op);
        std::string const name = op.toStdString();
        std::array<std::string_view, 1> const ops{name};
        int compared = 0;
        for (DType type : {DType::F16, DType::F32, DType::I32, DType::Bool}) {
            for (bool inPlace : {false, true}) {
                if (!opCost(OpTable::Unary, name, type, inPlace)) continue;
                auto const exact = static_cast<double>(unary1DCycles(name, type, 6000, inPlace).value());
                auto const mapped = static_cast<double>(mapCycles(ops, type, 6000, 1, inPlace));
                QVERIFY2(std::abs(mapped - exact) <= 0.01 * exact + 6,
                         qPrintable(QString("%1 %2 against %3").arg(op).arg(mapped).arg(exact)));
                ++compared;
            }
        }
        QVERIFY(compared > 0);
    }

    void aMapOfOneBinaryOperationIsCloseToItsOwnVertex()
    {
        std::array<std::string_view, 1> const add{"add"};
        auto const exact = static_cast<double>(binary1DCycles("add", DType::F16, 12000).value());
        auto const mapped = static_cast<double>(mapCycles(add, DType::F16, 12000, 2, false));
        QVERIFY(std::abs(mapped - exact) / exact < 0.01);
        // With the second operand a constant, it is the broadcast of a scalar.
        auto const broadcast = static_cast<double>(broadcastScalar1DCycles("add", DType::F32, 12000).value());
        auto const constant = static_cast<double>(mapCycles(add, DType::F32, 12000, 1, false));
        QVERIFY(std::abs(constant - broadcast) / broadcast < 0.01);
    }

    void fusingIsCheaperThanSeparateVerticesButNotFree()
    {
        std::array<std::string_view, 3> const chain{"multiply", "add", "relu"};
        for (DType type : {DType::F16, DType::F32}) {
            Cycles const fused = mapCycles(chain, type, 6000, 3, false);
            Cycles const apart = binary1DCycles("multiply", type, 6000).value() + binary1DCycles("add", type, 6000).value()
                + unary1DCycles("relu", type, 6000, true).value();
            QVERIFY(fused < apart);
            std::array<std::string_view, 1> const last{"relu"};
            QVERIFY(fused > mapCycles(last, type, 6000, 1, false));
        }
        // A longer chain and a further operand each cost something.
        std::array<std::string_view, 2> const two{"multiply", "add"};
        QVERIFY(mapCycles(chain, DType::F32, 6000, 3, false) > mapCycles(two, DType::F32, 6000, 3, false));
        QVERIFY(mapCycles(two, DType::F32, 6000, 3, false) > mapCycles(two, DType::F32, 6000, 2, false));
    }

    void unknownOperationsAreMarkedAndStillCounted()
    {
        QVERIFY(!isPricedOp("frobnicate", DType::F32));
        QVERIFY(isPricedOp("select", DType::F16));
        QVERIFY(isPricedOp("equal", DType::F32));
        std::array<std::string_view, 1> const ops{"frobnicate"};
        QVERIFY(mapCycles(ops, DType::F32, 600, 1, false) > 0);
        Result<Cycles> const refused = unary1DCycles("sqr", DType::F32, 10);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("cost.no-codelet"));
        QVERIFY(!binary1DCycles("equal", DType::F32, 10, true)); // a bool cannot overwrite a float
        QVERIFY(binary1DCycles("equal", DType::Bool, 10, true));
    }

    void halfIsNeverSlowerThanFloatInTheDenseKernels()
    {
        for (std::int64_t n : {24, 96, 480}) {
            QVERIFY(conv1x1Cycles({.in = ValueType::F16, .positions = n, .inGroups = 4})
                    < conv1x1Cycles({.in = ValueType::F32, .positions = n, .inGroups = 8}));
            QVERIFY(binary1DCycles("add", DType::F16, n).value() < binary1DCycles("add", DType::F32, n).value());
        }
    }

    void steadyStateReachesSixtyFourMultipliesACycle()
    {
        // 16 units x 16 channels in four issue slots: Mk2's 64 per tile cycle in f16, 16 in f32.
        constexpr std::int64_t kRows = 60000;
        auto const half = static_cast<double>(conv1x1Cycles({.positions = kRows}));
        auto const single = static_cast<double>(conv1x1Cycles({.in = ValueType::F32, .positions = kRows, .inGroups = 2}));
        QVERIFY(std::abs(kRows * 256.0 / half - 64) < 0.5);
        QVERIFY(kRows * 256.0 / single < 16.1 && kRows * 256.0 / single > 7.5);
    }

    void matmulPricesAreCheapToEvaluate()
    {
        tests::SpentTime const spent;
        Cycles sum = 0;
        for (std::int64_t i = 0; i < 100'000; ++i)
            sum += conv1x1Cycles({.positions = 1 + i % 500, .inGroups = 1 + i % 7, .outGroups = 1 + i % 5});
        QVERIFY(sum > 0);
        QVERIFY2(spent.below(1000), spent.text().c_str());
    }
};

TW_REGISTER_TEST(TstCostProperties);
#include "tst_cost_properties.moc"
