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
    void nothingIsRecomputedWithoutARequest()
    {
        char const *const text = R"(
            %0:f32[8, 16], %1:f32[16, 64] = infeed()
            %2:f32[8, 16] = tanh(%0)
            %3:f32[8, 16] = neg(%2)
            %4:f32[8, 64] = matmul(%3, %1)
            outfeed(%4)
            %5:f32[8, 16] = mul(%2, %0) pass backward
            outfeed(%5) pass backward)";
        QCOMPARE(passText(passes::recomputeActivations, text), lines(text));
        QVERIFY(recomputed(text) != lines(text));
    }
    /// %4 and %5 are computed from %3, which the backward pass reads anyway. %3 is a product and is kept.
    void resultsOfKeptValuesAreRecomputedAtTheirReaders()
    {
        QCOMPARE(recomputed(R"(
            %0:f32[8, 16], %1:f32[16, 16], %2:f32[16, 64] = infeed()
            %3:f32[8, 16] = matmul(%0, %1)
            %4:f32[8, 16] = tanh(%3)
            %5:f32[8, 16] = neg(%4)
            %6:f32[8, 64] = matmul(%5, %2)
            outfeed(%6)
            %7:f32[8, 16] = abs(%5) pass backward
            %8:f32[8, 16] = mul(%7, %4) pass backward
            %9:f32[8, 16] = mul(%8, %3) pass backward
            outfeed(%9) pass backward)"),
                 lines(R"(
            %0:f32[8, 16], %1:f32[16, 16], %2:f32[16, 64] = infeed()
            %3:f32[8, 16] = matmul(%0, %1)
            %4:f32[8, 16] = tanh(%3)
            %5:f32[8, 16] = neg(%4)
            %6:f32[8, 64] = matmul(%5, %2)
            outfeed(%6)
            %7:f32[8, 16] = tanh(%3) pass recompute
            %8:f32[8, 16] = neg(%7) pass recompute
            %9:f32[8, 16] = abs(%8) pass backward
            %10:f32[8, 16] = mul(%9, %7) pass backward
            %11:f32[8, 16] = mul(%10, %3) pass backward
            outfeed(%11) pass backward)"));
    }
    /// A value that is not kept otherwise is not kept for this: only the forward pass reads %3.
    void recomputationKeepsOnlySmallerOperands()
    {
        char const *const text = R"(
            %0:f32[8, 16], %1:f32[16, 16], %2:f32[16, 64] = infeed()
            %3:f32[8, 16] = matmul(%0, %1)
            %4:f32[8, 16] = tanh(%3)
            %5:f32[8, 64] = matmul(%4, %2)
            outfeed(%5)
            %6:f32[8, 16] = mul(%4, %4) pass backward
            outfeed(%6) pass backward)";
        QCOMPARE(recomputed(text), lines(text));
    }
    /// At the peak of this one, in the backward, %1 is there in any case.
    void recomputationWithoutALowerPeakIsSkipped()
    {
        char const *const text = R"(
            %0:f32[8, 16] = infeed()
            %1:f32[8, 16] = tanh(%0)
            outfeed(%1)
            %2:f32[8, 16] = mul(%1, %0) pass backward
            outfeed(%2) pass backward)";
        QCOMPARE(recomputed(text), lines(text));
    }
    void viewsAreMadeAgainToo()
    {
        QCOMPARE(recomputed(R"(
            %0:f32[8, 16], %1:f32[16, 16], %2:f32[8, 64] = infeed()
            %3:f32[8, 16] = matmul(%0, %1)
            %4:f32[128] = reshape(%3)
            %5:f32[128] = tanh(%4)
            %6:f32[16, 8] = reshape(%5)
            %7:f32[16, 8] = abs(%6)
            %8:f32[16, 64] = matmul(%7, %2)
            outfeed(%8)
            %9:f32[16, 8] = neg(%6) pass backward
            %10:f32[8, 16] = neg(%3) pass backward
            outfeed(%9, %10) pass backward)"),
                 lines(R"(
            %0:f32[8, 16], %1:f32[16, 16], %2:f32[8, 64] = infeed()
            %3:f32[8, 16] = matmul(%0, %1)
            %4:f32[128] = reshape(%3)
            %5:f32[128] = tanh(%4)
            %6:f32[16, 8] = reshape(%5)
            %7:f32[16, 8] = abs(%6)
            %8:f32[16, 64] = matmul(%7, %2)
            outfeed(%8)
            %9:f32[128] = tanh(%4) pass recompute
            %10:f32[16, 8] = reshape(%9) pass recompute
            %11:f32[16, 8] = neg(%10) pass backward
            %12:f32[8, 16] = neg(%3) pass backward
            outfeed(%11, %12) pass backward)"));
    }
    /// In a pipeline all stages except the last run again, including products; their inputs and changed state stay.
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
            })",
                            2),
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
    /// An earlier value of a counter cannot be read again, so its copy is kept.
    void readCounterValuesAreKept()
    {
        QCOMPARE(recomputed(R"(
            var f32 [8, 16]
            pipeline() {count=int 4, stages=int 2} {
                %0:f32[8, 16] = infeed()
                %1:f32[8, 16] = variable.read() var %v0
                %2:f32[8, 16] = copy(%1)
                %3:f32[8, 16] = neg(%1)
                variable.assign(%3) var %v0
                %4:f32[8, 16] = mul(%0, %2)
                %5:f32[8, 16] = tanh(%4)
                %6:f32[8, 16] = ipu_copy(%5) {from=int 0, to=int 1}
                %7:f32[8, 16] = abs(%6) pass backward stage 1
                %8:f32[8, 16] = ipu_copy(%7) {from=int 1, to=int 0} pass backward stage 1
                %9:f32[8, 16] = mul(%8, %5) pass backward
                %10:f32[8, 16] = mul(%9, %2) pass backward
                outfeed(%10) pass backward
            })",
                            2),
                 lines(R"(
            var f32 [8, 16]
            pipeline() {count=int 4, stages=int 2} {
                %0:f32[8, 16] = infeed()
                %1:f32[8, 16] = variable.read() var %v0
                %2:f32[8, 16] = copy(%1)
                %3:f32[8, 16] = neg(%1)
                variable.assign(%3) var %v0
                %4:f32[8, 16] = mul(%0, %2)
                %5:f32[8, 16] = tanh(%4)
                %6:f32[8, 16] = ipu_copy(%5) {from=int 0, to=int 1}
                %7:f32[8, 16] = abs(%6) pass backward stage 1
                %8:f32[8, 16] = ipu_copy(%7) {from=int 1, to=int 0} pass backward stage 1
                %9:f32[8, 16] = mul(%0, %2) pass recompute
                %10:f32[8, 16] = tanh(%9) pass recompute
                %11:f32[8, 16] = mul(%8, %10) pass backward
                %12:f32[8, 16] = mul(%11, %2) pass backward
                outfeed(%12) pass backward
            })"));
    }
};

TW_REGISTER_TEST(TstRecompute);
#include "tst_recompute.moc"
