#include "tests/engine/cost/cost_test_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <set>

using namespace tilewright;

/// The table of section 12 of the cycle model, each row through the registry, exactly.
class TstWorkedExamples : public QObject {
    Q_OBJECT

    struct Example {
        int number;
        char const *variant;
        char const *codelet;
        char const *params;
        Cycles cycles;
    };
    static constexpr Example kExamples[] = {
        {1, "", "ConvPartial1x1Out", "in=f16 partials=f16 positions=16 load=8", 409},
        {2, "", "ConvPartial1x1Out", "in=f16 partials=f16 positions=48 load=8", 519},
        {3, "", "ConvPartial1x1Out", "in=f16 partials=f16 positions=128 load=8", 841},
        {4, "", "ConvPartial1x1Out", "in=f16 partials=f16 positions=2048 load=8", 8521},
        {5, "", "ConvPartial1x1Out", "in=f16 partials=f16 positions=16 load=16", 377},
        {6, "", "ConvPartial1x1Out", "in=f16 partials=f16 positions=512 load=16", 2345},
        {7, "", "ConvPartial1x1Out", "in=f16 partials=f32 positions=96 inGroups=8 outGroups=2 load=16", 9439},
        {8, "", "ConvPartial1x1Out", "in=f32 partials=f32 positions=36 inGroups=4 load=16", 2383},
        {9, "", "ConvPartial1x1Out", "in=f16 partials=f32 positions=60 units=8 outChans=8 inGroups=4 outGroups=2 load=8", 3603},
        {10, "", "ConvPartial1x1Out", "in=f8 partials=f16 positions=96 inGroups=4 outGroups=2 load=16", 5985},
        {11, "", "ConvPartialnx1", "in=f16 partials=f16 width=36 kernelOuter=3 kernelInner=3 filterHeight=1 inGroups=2 load=16", 7940},
        {12, "", "ConvPartialnx1", "in=f16 partials=f32 width=60 kernelInner=7 filterHeight=4 outGroups=4 load=16", 16855},
        {13, "", "ConvPartialHorizontalMac", "in=f32 partials=f32 width=60 inChans=4 outChans=4", 3046},
        {14, "", "ConvPartialHorizontalMac", "in=f16 partials=f16 width=30 kernelElements=9 inChans=8 outChans=4 inGroups=2", 20298},
        {15, "", "ConvPartialVerticalMac", "partials=f32 groupsPerGroup=4 rowsPerWorker=6 kernelWidth=3 outputs=144", 1154},
        {16, "", "ConvPartial1xNSLIC", "in=f16 partials=f32 chains=4 groupsPerGroup=1 chansPerGroup=4 rows=12 width=14 subKernels=3", 1833},
        {17, "", "OuterProduct", "type=f32 width=16 channels=64 chansPerGroup=16", 773},
        {18, "", "OuterProduct", "type=f16 width=8 channels=8 chansPerGroup=8", 275},
        {19, "", "ReduceAdd", "partials=f32 out=f32 outputs=256 partialCount=7 singleInput=1 interleaved=1", 1143},
        {20, "", "ReduceAdd", "partials=f16 out=f16 outputs=100 partialCount=4", 546},
        {21, "", "ZeroPartials", "partials=f32 perWorker=64", 222},
        {22, "", "UnaryOp1D", "op=exp type=f16 n=1000", 1226},
        {22, " in place", "UnaryOp1D", "op=exp type=f16 n=1000 inPlace=1", 1358},
        {23, "", "UnaryOp1D", "op=tanh type=f32 n=1000", 6170},
        {23, " in place", "UnaryOp1D", "op=tanh type=f32 n=1000 inPlace=1", 5390},
        {24, "", "UnaryOp1D", "op=sqrt type=f16 n=96", 674},
        {25, "", "UnaryOp1D", "op=negate type=f16 n=1000", 626},
        {26, "", "UnaryOp1D", "op=relu type=f32 n=1000", 1634},
        {26, " in place", "UnaryOp1D", "op=relu type=f32 n=1000 inPlace=1", 1358},
        {27, "", "UnaryOp1D", "op=gelu_erf type=f16 n=96", 1658},
        {28, "", "BinaryOp1D", "op=add type=f16 n=1000", 923},
        {28, " in place", "BinaryOp1D", "op=add type=f16 n=1000 inPlace=1", 1115},
        {29, "", "BinaryOp1D", "op=add type=f32 n=12000", 18185},
        {29, " in place", "BinaryOp1D", "op=add type=f32 n=12000 inPlace=1", 18359},
        {30, "", "BinaryOp1D", "op=divide type=f32 n=1000", 5225},
        {30, " in place", "BinaryOp1D", "op=divide type=f32 n=1000 inPlace=1", 5399},
        {31, "", "BinaryOp1D", "op=maximum type=f16 n=1000", 1175},
        {32, "", "BinaryOp2D", "op=add type=f16 regions=64,64,32", 125},
        {32, " in place", "BinaryOp2D", "op=add type=f16 regions=64,64,32 inPlace=1", 140},
        {33, "", "BroadcastScalar1D", "op=multiply type=f16 n=1000", 635},
        {34, "", "BroadcastScalar1D", "op=add type=f32 n=1000", 1139},
        {35, "", "BroadcastVectorInner1D", "op=add type=f16 length=16 repetitions=60", 619},
        {36, "", "BroadcastVectorInner1D", "op=multiply type=f32 length=16 repetitions=60", 2959},
        {37, "", "BroadcastVectorOuterByRow", "op=add type=f16 rows=24 columns=64", 1061},
        {38, "", "Cast1D", "from=f16 to=f32 n=1000", 750},
        {39, "", "Cast1D", "from=u8 to=f16 n=1000", 2520},
        {40, "", "Fill", "type=f16 n=1000", 276},
        {41, "", "Fill", "type=f32 n=64", 55},
        {42, " unconstrained", "ScaledAddSupervisor", "a=f32 b=f32 n=1000", 1683},
        {42, " constrained", "ScaledAddSupervisor", "a=f32 b=f32 n=1000 constrained=1", 699},
        {43, "", "ScaledAddSupervisor", "a=f16 b=f32 n=1000", 1455},
        {44, "", "MultiSlice", "type=f16 row=64 offsets=10", 5160},
        {45, "", "MultiUpdateAdd", "type=f16 row=64 offsets=10", 6582},
        {46, "", "DynamicSlice1D", "type=f16 row=128 rows=1", 463},
        {47, "", "Select", "type=f16 regions=100,100", 1017},
        {48, "", "EncodeOneHot", "index=u32 out=f16 indices=32", 2379},
        {49, " f16", "NonLinearity1D", "activation=gelu type=f16 n=1000", 1461},
        {49, " f32", "NonLinearity1D", "activation=gelu type=f32 n=1000", 5265},
        {50, " f16", "NonLinearityGrad1D", "activation=relu type=f16 n=1000", 933},
        {50, " f32", "NonLinearityGrad1D", "activation=relu type=f32 n=1000", 1677},
        {51, "", "LossCrossEntropyTransform", "type=f32 n=100", 920},
        {52, "", "MaxPooling", "type=f16 channels=16 rows=6 inputs=3 init=24", 1021},
        {53, "", "InverseStdDeviation", "n=64", 170},
        {54, "", "Dropout", "type=f16 n=1000", 651},
        {55, "", "Normal", "type=f16 n=1000", 1151},
        {56, "", "SetSeed", "", 176},
        {57, "", "StridedReduce", "op=add partials=f16 out=f32 rows=4 outputs=128", 528},
        {58, "", "StridedReduce", "op=add partials=f32 out=f32 rows=100 outputs=16", 896},
        {59, "", "ReduceSingleOutput", "op=add partials=f16 out=f32 n=1024", 273},
        {60, " alone", "ExchangeReceive", "bytes=13000", 3250},
        {60, " shared bus", "ExchangeReceive", "bytes=13000 shared=1", 1625},
        {61, "", "ExternalSync", "ipus=4 clockHz=1330000000", 80},
        {62, "", "ExternalSync", "ipus=16 clockHz=1330000000", 200},
    };

private slots:
    void matchesTheExampleExactly_data()
    {
        QTest::addColumn<QString>("codelet");
        QTest::addColumn<QString>("given");
        QTest::addColumn<qint64>("cycles");
        for (Example const &example : kExamples)
            QTest::addRow("%d%s", example.number, example.variant)
                << QString(example.codelet) << QString(example.params) << static_cast<qint64>(example.cycles);
    }
    void matchesTheExampleExactly()
    {
        QFETCH(QString, codelet);
        QFETCH(QString, given);
        QFETCH(qint64, cycles);
        QCOMPARE(tests::cyclesOf(codelet.toStdString(), given.toStdString(), tests::chip()), static_cast<Cycles>(cycles));
    }
    void coversAllSixtyTwoRows()
    {
        std::set<int> numbers;
        for (Example const &example : kExamples) numbers.insert(example.number);
        QCOMPARE(numbers.size(), std::size_t(62));
        QCOMPARE(*numbers.begin(), 1);
        QCOMPARE(*numbers.rbegin(), 62);
    }
    /// V1 of the published measurements: one 16x16 weight block on a Bow IPU, timer removed. From 48 rows up
    /// the formula is 4 to 7.5 cycles low, at 16 rows (an uneven split) 7 high.
    void staysWithinTheDocumentedDeviationOfHardware_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<double>("measured");
        std::pair<int, double> const points[] = {{16, 402},   {48, 524},   {80, 653.35}, {112, 776},  {144, 908},
                                                 {176, 1037}, {208, 1160}, {240, 1292},  {512, 2381}, {2048, 8525.3}};
        for (auto const &[rows, measured] : points) QTest::addRow("%d rows", rows) << rows << measured;
    }
    void staysWithinTheDocumentedDeviationOfHardware()
    {
        QFETCH(int, rows);
        QFETCH(double, measured);
        Cycles const modelled =
            tests::cyclesOf("ConvPartial1x1Out", "in=f16 partials=f16 load=8 positions=" + std::to_string(rows), tests::chip("bow"));
        double const low = measured - static_cast<double>(modelled);
        if (rows == 16) QCOMPARE(low, -7.0);
        else QVERIFY2(low >= 4.0 && low <= 7.5, qPrintable(QString("formula is %1 low").arg(low)));
    }
    /// V3: ScaledAdd timed as a compute set on hardware, 45 cycles of timer included, about 53 cycles above
    /// the estimator at 64 elements.
    void launchingACheapVertexCostsAboutFiftyCyclesMoreOnHardware()
    {
        Cycles const modelled = tests::cyclesOf("ScaledAddSupervisor", "a=f32 b=f32 n=64", tests::chip());
        QVERIFY(std::abs(375 - 45 - static_cast<double>(modelled) - 53) <= 8);
    }
};

TW_REGISTER_TEST(TstWorkedExamples);
#include "tst_worked_examples.moc"
