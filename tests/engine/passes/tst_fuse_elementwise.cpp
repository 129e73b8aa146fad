#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

class TstFuseElementwise : public QObject {
    Q_OBJECT
private slots:
    void changesTheGraph_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("a chain with a bias row") << R"(
            %0:f32[2, 3], %1:f32[3] = infeed()
            %2:f32[2, 3] = add(%0, %1)
            %3:f32[2, 3] = leaky_relu(%2) {p0=real 0.3}
            %4:f32[2, 3] = mul_scalar(%3) {p0=real 2}
            outfeed(%4))"
                                                 << R"(
            %0:f32[2, 3], %1:f32[3] = infeed()
            %2:f32[2, 3] = map(%0, %1) {expr="2: add a0 a1; leaky_relu(0.3) t0; mul_scalar(2) t1"}
            outfeed(%2))";
        QTest::newRow("a tree, its shared operand named once") << R"(
            %0:f32[4], %1:f32[4] = infeed()
            %2:f32[4] = square(%0)
            %3:f32[4] = mul(%0, %1)
            %4:f32[4] = sub(%2, %3)
            outfeed(%4))"
                                                               << R"(
            %0:f32[4], %1:f32[4] = infeed()
            %2:f32[4] = map(%0, %1) {expr="2: mul a0 a1; square a0; sub t1 t0"}
            outfeed(%2))";
        QTest::newRow("both operands from one producer") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = mul(%1, %1)
            outfeed(%2))"
                                                         << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = map(%0) {expr="1: tanh a0; mul t0 t0"}
            outfeed(%1))";
        QTest::newRow("a value somebody else reads is kept") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = neg(%1)
            outfeed(%1, %2))"
                                                             << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = neg(%1)
            outfeed(%1, %2))";
        QTest::newRow("a smaller result is not drawn into a larger one") << R"(
            %0:f32[2, 3], %1:f32[3] = infeed()
            %2:f32[3] = tanh(%1)
            %3:f32[2, 3] = add(%0, %2)
            outfeed(%3))"
                                                                         << R"(
            %0:f32[2, 3], %1:f32[3] = infeed()
            %2:f32[3] = tanh(%1)
            %3:f32[2, 3] = add(%0, %2)
            outfeed(%3))";
        QTest::newRow("passes are not mixed") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = neg(%1) pass backward
            outfeed(%2))"
                                              << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = neg(%1) pass backward
            outfeed(%2))";
        QTest::newRow("whole numbers are not fused") << R"(
            %0:i32[4], %1:i32[4] = infeed()
            %2:i32[4] = add(%0, %1)
            %3:i32[4] = equal(%2, %1)
            outfeed(%3))"
                                                     << R"(
            %0:i32[4], %1:i32[4] = infeed()
            %2:i32[4] = add(%0, %1)
            %3:i32[4] = equal(%2, %1)
            outfeed(%3))";
        QTest::newRow("at most eight instructions") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = neg(%0)
            %2:f32[4] = abs(%1)
            %3:f32[4] = neg(%2)
            %4:f32[4] = abs(%3)
            %5:f32[4] = neg(%4)
            %6:f32[4] = abs(%5)
            %7:f32[4] = neg(%6)
            %8:f32[4] = abs(%7)
            %9:f32[4] = neg(%8)
            outfeed(%9))"
                                                    << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = map(%0) {expr="1: neg a0; abs t0; neg t1; abs t2; neg t3; abs t4; neg t5; abs t6"}
            %2:f32[4] = neg(%1)
            outfeed(%2))";
        QTest::newRow("at most six operands") << R"(
            %0:f32[4], %1:f32[4], %2:f32[4], %3:f32[4], %4:f32[4], %5:f32[4], %6:f32[4] = infeed()
            %7:f32[4] = add(%0, %1)
            %8:f32[4] = add(%7, %2)
            %9:f32[4] = add(%8, %3)
            %10:f32[4] = add(%9, %4)
            %11:f32[4] = add(%10, %5)
            %12:f32[4] = add(%11, %6)
            outfeed(%12))"
                                              << R"(
            %0:f32[4], %1:f32[4], %2:f32[4], %3:f32[4], %4:f32[4], %5:f32[4], %6:f32[4] = infeed()
            %7:f32[4] = map(%0, %1, %2, %3, %4, %5) {expr="6: add a0 a1; add t0 a2; add t1 a3; add t2 a4; add t3 a5"}
            %8:f32[4] = add(%7, %6)
            outfeed(%8))";
        QTest::newRow("not across a store to what it reads") << R"(
            var f32 [4]
            %0:f32[4] = infeed()
            %1:f32[4] = variable.read() var %v0
            %2:f32[4] = tanh(%1)
            variable.assign(%0) var %v0
            %3:f32[4] = neg(%2)
            outfeed(%3))"
                                                             << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = variable.read() var %v0
            %2:f32[4] = tanh(%1)
            variable.assign(%0) var %v0
            %3:f32[4] = neg(%2)
            outfeed(%3))";
        QTest::newRow("not out of a loop's surroundings") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            repeat() {count=int 2} {
                %2:f32[4] = neg(%1)
                outfeed(%2)
            })"
                                                          << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            repeat() {count=int 2} {
                %2:f32[4] = neg(%1)
                outfeed(%2)
            })";
    }
    void changesTheGraph()
    {
        QFETCH(QString, before);
        QFETCH(QString, wanted);
        QCOMPARE(passText(passes::fuseElementwise, before), lines(wanted));
    }
    void stagesAreNotMixed()
    {
        QString const text = R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = neg(%1) stage 1
            outfeed(%2) stage 1)";
        QCOMPARE(passText(passes::fuseElementwise, text, 2), lines(text));
    }
    void limitsAreOptions()
    {
        Context context;
        context.pass.options.maxFusedInstructions = 2;
        auto const result = after(passes::fuseElementwise, tiny(R"(
            %0:f32[4] = infeed()
            %1:f32[4] = neg(%0)
            %2:f32[4] = abs(%1)
            %3:f32[4] = tanh(%2)
            outfeed(%3))"),
                                  context.pass);
        QVERIFY(result);
        QCOMPARE(shortText(*result), lines(R"(
            %0:f32[4] = infeed()
            %1:f32[4] = map(%0) {expr="1: neg a0; abs t0"}
            %2:f32[4] = tanh(%1)
            outfeed(%2))"));
    }
};

TW_REGISTER_TEST(TstFuseElementwise);
#include "tst_fuse_elementwise.moc"
