#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

class TstFoldConstants : public QObject {
    Q_OBJECT
private slots:
    void changesTheGraph_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("constants are computed") << R"(
            %0:f32[] = constant() {value=real 3}
            %1:f32[] = mul_scalar(%0) {p0=real 2}
            %2:f32[] = add(%1, %0)
            outfeed(%2))"
                                                << R"(
            %0:f32[] = constant() {value=real 3}
            %1:f32[] = constant() {value=real 6}
            %2:f32[] = constant() {value=real 9}
            outfeed(%2))";
        QTest::newRow("each result is rounded to f32") << R"(
            %0:f32[] = constant() {value=real 1}
            %1:f32[] = constant() {value=real 3}
            %2:f32[] = div(%0, %1)
            outfeed(%2))"
                                                       << R"(
            %0:f32[] = constant() {value=real 1}
            %1:f32[] = constant() {value=real 3}
            %2:f32[] = constant() {value=real 0.3333333432674408}
            outfeed(%2))";
        QTest::newRow("lists are computed element by element, rows repeated") << R"(
            %0:f32[2, 2] = constant() {values=reals [1, 2, 3, 4]}
            %1:f32[2] = constant() {values=reals [10, 20]}
            %2:f32[2, 2] = add(%0, %1)
            outfeed(%2))"
                                                                              << R"(
            %0:f32[2, 2] = constant() {values=reals [1, 2, 3, 4]}
            %1:f32[2] = constant() {values=reals [10, 20]}
            %2:f32[2, 2] = constant() {values=reals [11, 22, 13, 24]}
            outfeed(%2))";
        QTest::newRow("lists repeat each other") << R"(
            %0:f32[2, 1] = constant() {values=reals [1, 2]}
            %1:f32[1, 2] = constant() {values=reals [10, 20]}
            %2:f32[2, 2] = add(%0, %1)
            outfeed(%2))"
                                                 << R"(
            %0:f32[2, 1] = constant() {values=reals [1, 2]}
            %1:f32[1, 2] = constant() {values=reals [10, 20]}
            %2:f32[2, 2] = constant() {values=reals [11, 21, 12, 22]}
            outfeed(%2))";
        QTest::newRow("products read transposed operands") << R"(
            %0:f32[2, 5, 3], %1:f32[2, 4, 5], %2:f32[7, 3], %3:f32[2, 2, 6] = infeed()
            %4:f32[2, 3, 5] = transpose(%0) {perm=ints [0, 2, 1]}
            %5:f32[2, 5, 4] = transpose(%1) {perm=ints [0, 2, 1]}
            %6:f32[2, 3, 4] = batch_matmul(%4, %5)
            %7:f32[3, 7] = transpose(%2) {perm=ints [1, 0]}
            %8:f32[7, 7] = matmul(%2, %7)
            %9:f32[7, 7] = matmul(%7, %7) {transpose_a=true}
            %10:f32[2, 6, 2] = transpose(%3) {perm=ints [0, 2, 1]}
            %11:f32[2, 2] = constant() {value=real 0}
            %12:f32[12, 2] = matmul(%10, %11)
            outfeed(%6, %8, %9, %12))"
                                                           << R"(
            %0:f32[2, 5, 3], %1:f32[2, 4, 5], %2:f32[7, 3], %3:f32[2, 2, 6] = infeed()
            %4:f32[2, 3, 5] = transpose(%0) {perm=ints [0, 2, 1]}
            %5:f32[2, 5, 4] = transpose(%1) {perm=ints [0, 2, 1]}
            %6:f32[2, 3, 4] = batch_matmul(%0, %1) {transpose_a=true, transpose_b=true}
            %7:f32[3, 7] = transpose(%2) {perm=ints [1, 0]}
            %8:f32[7, 7] = matmul(%2, %2) {transpose_b=true}
            %9:f32[7, 7] = matmul(%2, %2) {transpose_a=false, transpose_b=true}
            %10:f32[2, 6, 2] = transpose(%3) {perm=ints [0, 2, 1]}
            %11:f32[2, 2] = constant() {value=real 0}
            %12:f32[12, 2] = matmul(%10, %11)
            outfeed(%6, %8, %9, %12))";
        QTest::newRow("views and conversions of constants are constants") << R"(
            %0:f32[2, 2] = constant() {values=reals [1, 2, 3, 4]}
            %1:f32[4] = reshape(%0)
            %2:i32[] = constant() {value=real 3}
            %3:f32[] = cast(%2)
            %4:f32[] = constant() {value=real 0.5}
            %5:i32[] = cast(%4)
            outfeed(%1, %3, %5))"
                                                                          << R"(
            %0:f32[2, 2] = constant() {values=reals [1, 2, 3, 4]}
            %1:f32[4] = constant() {values=reals [1, 2, 3, 4]}
            %2:i32[] = constant() {value=real 3}
            %3:f32[] = constant() {value=real 3}
            %4:f32[] = constant() {value=real 0.5}
            %5:i32[] = cast(%4)
            outfeed(%1, %3, %5))";
        QTest::newRow("times one and minus zero vanish") << R"(
            %0:f32[2] = infeed()
            %1:f32[2] = mul_scalar(%0) {p0=real 1}
            %2:f32[] = constant() {value=real 0}
            %3:f32[2] = sub(%1, %2)
            outfeed(%3))"
                                                         << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 0}
            outfeed(%0))";
        // -0 + 0 is 0.
        QTest::newRow("plus zero stays") << R"(
            %0:f32[2] = infeed()
            %1:f32[2] = add_scalar(%0) {p0=real 0}
            outfeed(%1))"
                                         << R"(
            %0:f32[2] = infeed()
            %1:f32[2] = add_scalar(%0) {p0=real 0}
            outfeed(%1))";
        QTest::newRow("a quotient whose inverse is rounded stays") << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 3}
            %2:f32[2] = div(%0, %1)
            outfeed(%2))"
                                                                   << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 3}
            %2:f32[2] = div(%0, %1)
            outfeed(%2))";
        // 2^-127 is a denormal, which the device does not have.
        QTest::newRow("a quotient whose inverse is a denormal stays") << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 1.7014118346046923e+38}
            %2:f32[2] = div(%0, %1)
            outfeed(%2))"
                                                                      << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 1.7014118346046923e+38}
            %2:f32[2] = div(%0, %1)
            outfeed(%2))";
        // Of two equal zeros the result is the second operand.
        QTest::newRow("the maximum of zero and x stays") << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 0}
            %2:f32[2] = max(%1, %0)
            outfeed(%2))"
                                                         << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 0}
            %2:f32[2] = max(%1, %0)
            outfeed(%2))";
        QTest::newRow("a constant operand becomes a parameter") << R"(
            %0:f32[2, 3] = infeed()
            %1:f32[] = constant() {value=real 4}
            %2:f32[2, 3] = mul(%1, %0)
            %3:f32[2, 3] = div(%2, %1)
            %4:f32[2, 3] = sub(%3, %1)
            %5:f32[2, 3] = max(%4, %1)
            outfeed(%5))"
                                                                << R"(
            %0:f32[2, 3] = infeed()
            %1:f32[] = constant() {value=real 4}
            %2:f32[2, 3] = mul_scalar(%0) {p0=real 4}
            %3:f32[2, 3] = mul_scalar(%2) {p0=real 0.25}
            %4:f32[2, 3] = add_scalar(%3) {p0=real -4}
            %5:f32[2, 3] = max_scalar(%4) {p0=real 4}
            outfeed(%5))";
        QTest::newRow("a constant minus x stays") << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 4}
            %2:f32[2] = sub(%1, %0)
            outfeed(%2))"
                                                  << R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 4}
            %2:f32[2] = sub(%1, %0)
            outfeed(%2))";
        QTest::newRow("whole numbers are left alone") << R"(
            %0:i32[] = constant() {value=real 4}
            %1:i32[2] = infeed()
            %2:i32[2] = add(%1, %0)
            outfeed(%2))"
                                                      << R"(
            %0:i32[] = constant() {value=real 4}
            %1:i32[2] = infeed()
            %2:i32[2] = add(%1, %0)
            outfeed(%2))";
        QTest::newRow("chains of reshapes shorten") << R"(
            %0:f32[2, 3] = infeed()
            %1:f32[6] = reshape(%0)
            %2:f32[3, 2] = reshape(%1)
            %3:f32[2, 3] = reshape(%2)
            outfeed(%2, %3))"
                                                    << R"(
            %0:f32[2, 3] = infeed()
            %1:f32[6] = reshape(%0)
            %2:f32[3, 2] = reshape(%0)
            outfeed(%2, %0))";
        QTest::newRow("rows, columns and scalars need no broadcast in front of a map") << R"(
            %0:f32[2, 3], %1:f32[3], %2:f32[2, 1], %3:f32[] = infeed()
            %4:f32[2, 3] = broadcast(%1)
            %5:f32[2, 3] = broadcast(%2)
            %6:f32[2, 3] = broadcast(%3)
            %7:f32[2, 3] = add(%0, %4)
            %8:f32[2, 3] = mul(%7, %5)
            %9:f32[2, 3] = sub(%6, %8)
            outfeed(%9))"
                                                                                       << R"(
            %0:f32[2, 3], %1:f32[3], %2:f32[2, 1], %3:f32[] = infeed()
            %4:f32[2, 3] = broadcast(%1)
            %5:f32[2, 3] = broadcast(%2)
            %6:f32[2, 3] = broadcast(%3)
            %7:f32[2, 3] = add(%0, %1)
            %8:f32[2, 3] = mul(%7, %2)
            %9:f32[2, 3] = sub(%3, %8)
            outfeed(%9))";
        QTest::newRow("a scalar does not take the place of a list of one") << R"(
            %0:f32[], %1:f32[1] = infeed()
            %2:f32[1] = broadcast(%0)
            %3:f32[1] = mul(%2, %1)
            outfeed(%3))"
                                                                           << R"(
            %0:f32[], %1:f32[1] = infeed()
            %2:f32[1] = broadcast(%0)
            %3:f32[1] = mul(%2, %1)
            outfeed(%3))";
        QTest::newRow("broadcasts that a map does not know stay") << R"(
            %0:f32[2, 2, 3], %1:f32[2, 3], %2:f32[2, 1, 3] = infeed()
            %3:f32[2, 2, 3] = broadcast(%1)
            %4:f32[2, 2, 3] = broadcast(%2)
            %5:f32[2, 2, 3] = add(%0, %3)
            %6:f32[2, 2, 3] = add(%5, %4)
            outfeed(%6))"
                                                                  << R"(
            %0:f32[2, 2, 3], %1:f32[2, 3], %2:f32[2, 1, 3] = infeed()
            %3:f32[2, 2, 3] = broadcast(%1)
            %4:f32[2, 2, 3] = broadcast(%2)
            %5:f32[2, 2, 3] = add(%0, %3)
            %6:f32[2, 2, 3] = add(%5, %4)
            outfeed(%6))";
        QTest::newRow("one operand must go on fixing the shape") << R"(
            %0:f32[3], %1:f32[2, 1] = infeed()
            %2:f32[2, 3] = broadcast(%0)
            %3:f32[2, 3] = broadcast(%1)
            %4:f32[2, 3] = add(%2, %3)
            outfeed(%4))"
                                                                 << R"(
            %0:f32[3], %1:f32[2, 1] = infeed()
            %2:f32[2, 3] = broadcast(%0)
            %3:f32[2, 3] = broadcast(%1)
            %4:f32[2, 3] = add(%0, %3)
            outfeed(%4))";
        QTest::newRow("a function of one operand moves in front of a broadcast") << R"(
            %0:f32[3] = infeed()
            %1:f32[2, 3] = broadcast(%0)
            %2:f32[2, 3] = tanh(%1)
            outfeed(%2))"
                                                                                 << R"(
            %0:f32[3] = infeed()
            %1:f32[2, 3] = broadcast(%0)
            %2:f32[3] = tanh(%0)
            %3:f32[2, 3] = broadcast(%2)
            outfeed(%3))";
        QTest::newRow("the gradient of a mean is one number for a cross-entropy") << R"(
            %0:f32[2, 3], %1:i32[2] = infeed()
            %2:f32[] = constant() {value=real 0.5}
            %3:f32[2] = broadcast(%2)
            %4:f32[2, 3] = sparse_xent_grad(%0, %1, %3)
            outfeed(%4))"
                                                                                  << R"(
            %0:f32[2, 3], %1:i32[2] = infeed()
            %2:f32[] = constant() {value=real 0.5}
            %3:f32[2] = constant() {value=real 0.5}
            %4:f32[] = constant() {value=real 0.5}
            %5:f32[2, 3] = sparse_xent_grad(%0, %1, %4)
            outfeed(%5))";
        QTest::newRow("inside loops as well") << R"(
            repeat() {count=int 2} {
                %0:f32[2] = infeed()
                %1:f32[2] = mul_scalar(%0) {p0=real 1}
                outfeed(%1)
            })"
                                              << R"(
            repeat() {count=int 2} {
                %0:f32[2] = infeed()
                outfeed(%0)
            })";
    }
    void changesTheGraph()
    {
        QFETCH(QString, before);
        QFETCH(QString, wanted);
        QCOMPARE(passText(passes::foldConstants, before), lines(wanted));
    }
    void fastMathAllowsRewritesThatRound()
    {
        Context context;
        context.pass.options.fastMath = true;
        auto const folded = after(passes::foldConstants, tiny(R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 5}
            %2:f32[2] = div(%0, %1)
            %3:f32[2] = add_scalar(%2) {p0=real 0}
            outfeed(%3))"),
                                  context.pass);
        QVERIFY(folded);
        QCOMPARE(shortText(*folded), lines(R"(
            %0:f32[2] = infeed()
            %1:f32[] = constant() {value=real 5}
            %2:f32[2] = mul_scalar(%0) {p0=real 0.2}
            outfeed(%2))"));
    }
};

TW_REGISTER_TEST(TstFoldConstants);
#include "tst_fold_constants.moc"
