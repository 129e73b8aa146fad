#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

class TstRecompute : public QObject {
    Q_OBJECT
    static QString recomputed(QString const &text, int stages = 1)
    {
        Context context;
        context.pass.options.recompute = true;
        auto const result = after(passes::recomputeActivations, tiny(text, stages), context.pass);
        return result ? shortText(*result) : QString("failed");
    }

private slots:
    void nothingHappensUnasked()
    {
        char const *const text = R"(
            %0:f32[8, 16] = infeed()
            %1:f32[8, 16] = tanh(%0)
            outfeed(%1)
            %2:f32[8, 16] = mul(%1, %0) pass backward
            outfeed(%2) pass backward)";
        QCOMPARE(passText(passes::recomputeActivations, text), lines(text));
        QVERIFY(recomputed(text) != lines(text));
    }
    /// %2 is made of %1, which the way back reads anyway; %1 itself is a product, and is kept.
    void resultsOfWhatIsKeptAnywayAreMadeAgainWhereTheyAreRead()
    {
        QCOMPARE(recomputed(R"(
            %0:f32[8, 16], %1:f32[16, 16] = infeed()
            %2:f32[8, 16] = matmul(%0, %1)
            %3:f32[8, 16] = tanh(%2)
            %4:f32[8, 16] = neg(%3)
            outfeed(%4)
            %5:f32[8, 16] = abs(%4) pass backward
            %6:f32[8, 16] = mul(%5, %3) pass backward
            %7:f32[8, 16] = mul(%6, %2) pass backward
            outfeed(%7) pass backward)"),
                 lines(R"(
            %0:f32[8, 16], %1:f32[16, 16] = infeed()
            %2:f32[8, 16] = matmul(%0, %1)
            %3:f32[8, 16] = tanh(%2)
            %4:f32[8, 16] = neg(%3)
            outfeed(%4)
            %5:f32[8, 16] = tanh(%2) pass recompute
            %6:f32[8, 16] = neg(%5) pass recompute
            %7:f32[8, 16] = abs(%6) pass backward
            %8:f32[8, 16] = mul(%7, %5) pass backward
            %9:f32[8, 16] = mul(%8, %2) pass backward
            outfeed(%9) pass backward)"));
    }
    /// What is not kept otherwise is not kept for this: %2 is read on the way forward only.
    void nothingIsKeptInsteadThatIsAsLarge()
    {
        char const *const text = R"(
            %0:f32[8, 16], %1:f32[16, 16] = infeed()
            %2:f32[8, 16] = matmul(%0, %1)
            %3:f32[8, 16] = tanh(%2)
            outfeed(%3)
            %4:f32[8, 16] = mul(%3, %3) pass backward
            outfeed(%4) pass backward)";
        QCOMPARE(recomputed(text), lines(text));
    }
    void viewsAreMadeAgainToo()
    {
        QCOMPARE(recomputed(R"(
            %0:f32[8, 16], %1:f32[16, 16] = infeed()
            %2:f32[8, 16] = matmul(%0, %1)
            %3:f32[128] = reshape(%2)
            %4:f32[128] = tanh(%3)
            %5:f32[16, 8] = reshape(%4)
            outfeed(%5)
            %6:f32[16, 8] = neg(%5) pass backward
            %7:f32[8, 16] = neg(%2) pass backward
            outfeed(%6, %7) pass backward)"),
                 lines(R"(
            %0:f32[8, 16], %1:f32[16, 16] = infeed()
            %2:f32[8, 16] = matmul(%0, %1)
            %3:f32[128] = reshape(%2)
            %4:f32[128] = tanh(%3)
            %5:f32[16, 8] = reshape(%4)
            outfeed(%5)
            %6:f32[128] = tanh(%3) pass recompute
            %7:f32[16, 8] = reshape(%6) pass recompute
            %8:f32[16, 8] = neg(%7) pass backward
            %9:f32[8, 16] = neg(%2) pass backward
            outfeed(%8, %9) pass backward)"));
    }
    /// Of a pipeline all stages but the last run again, products and all; what they received stays, and so does what has changed.
    void stagesRunAgainFromWhatTheyReceived()
    {
        QCOMPARE(recomputed(R"(
            pipeline() {count=int 4, stages=int 2} {
                %0:f32[8, 16], %1:f32[16, 16] = infeed()
                %2:f32[8, 16] = tanh(%0)
                %3:f32[8, 16] = matmul(%2, %1)
                %4:f32[8, 16] = ipu_copy(%3) {from=int 0, to=int 1}
                %5:f32[8, 16] = tanh(%4) stage 1
                %6:f32[8, 16] = mul(%5, %4) pass backward stage 1
                %7:f32[8, 16] = ipu_copy(%6) {from=int 1, to=int 0} pass backward stage 1
                %8:f32[8, 16] = mul(%7, %3) pass backward
                %9:f32[8, 16] = mul(%8, %2) pass backward
                outfeed(%9) pass backward
            })", 2),
                 lines(R"(
            pipeline() {count=int 4, stages=int 2} {
                %0:f32[8, 16], %1:f32[16, 16] = infeed()
                %2:f32[8, 16] = tanh(%0)
                %3:f32[8, 16] = matmul(%2, %1)
                %4:f32[8, 16] = ipu_copy(%3) {from=int 0, to=int 1}
                %5:f32[8, 16] = tanh(%4) stage 1
                %6:f32[8, 16] = mul(%5, %4) pass backward stage 1
                %7:f32[8, 16] = ipu_copy(%6) {from=int 1, to=int 0} pass backward stage 1
                %8:f32[8, 16] = tanh(%0) pass recompute
                %9:f32[8, 16] = matmul(%8, %1) pass recompute
                %10:f32[8, 16] = mul(%7, %9) pass backward
                %11:f32[8, 16] = mul(%10, %8) pass backward
                outfeed(%11) pass backward
            })"));
    }
};

TW_REGISTER_TEST(TstRecompute);
#include "tst_recompute.moc"
