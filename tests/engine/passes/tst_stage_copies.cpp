#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

class TstStageCopies : public QObject {
    Q_OBJECT
private slots:
    void valuesTravelStageByStageOnce()
    {
        QCOMPARE(passText(passes::insertStageCopies, R"(
            pipeline() {count=int 6, stages=int 3} {
                %0:f32[4], %1:f32[4] = infeed()
                %2:f32[4] = tanh(%0)
                %3:f32[4] = neg(%2) stage 1
                %4:f32[4] = abs(%2) stage 1
                %5:f32[4] = add(%3, %4) stage 2
                %6:f32[4] = sub(%5, %1) stage 2
                %7:f32[4] = mul(%6, %2) stage 2
                outfeed(%7) stage 2
            })",
                          3),
                 lines(R"(
            pipeline() {count=int 6, stages=int 3} {
                %0:f32[4], %1:f32[4] = infeed()
                %2:f32[4] = ipu_copy(%1) {from=int 0, to=int 1}
                %3:f32[4] = ipu_copy(%2) {from=int 1, to=int 2} stage 1
                %4:f32[4] = tanh(%0)
                %5:f32[4] = ipu_copy(%4) {from=int 0, to=int 1}
                %6:f32[4] = ipu_copy(%5) {from=int 1, to=int 2} stage 1
                %7:f32[4] = neg(%5) stage 1
                %8:f32[4] = ipu_copy(%7) {from=int 1, to=int 2} stage 1
                %9:f32[4] = abs(%5) stage 1
                %10:f32[4] = ipu_copy(%9) {from=int 1, to=int 2} stage 1
                %11:f32[4] = add(%8, %10) stage 2
                %12:f32[4] = sub(%11, %3) stage 2
                %13:f32[4] = mul(%12, %6) stage 2
                outfeed(%13) stage 2
            })"));
    }
    void gradientsTravelBackwards()
    {
        QCOMPARE(passText(passes::insertStageCopies, R"(
            pipeline() {count=int 4, stages=int 2} {
                %0:f32[4] = infeed()
                %1:f32[4] = tanh(%0)
                %2:f32[4] = neg(%1) stage 1
                %3:f32[4] = abs(%2) pass backward stage 1
                %4:f32[4] = tanh_grad(%1, %3) pass backward
                outfeed(%4) pass backward
            })",
                          2),
                 lines(R"(
            pipeline() {count=int 4, stages=int 2} {
                %0:f32[4] = infeed()
                %1:f32[4] = tanh(%0)
                %2:f32[4] = ipu_copy(%1) {from=int 0, to=int 1}
                %3:f32[4] = neg(%2) stage 1
                %4:f32[4] = abs(%3) pass backward stage 1
                %5:f32[4] = ipu_copy(%4) {from=int 1, to=int 0} pass backward stage 1
                %6:f32[4] = tanh_grad(%1, %5) pass backward
                outfeed(%6) pass backward
            })"));
    }
    void constantsAreMadeWhereTheyAreUsed()
    {
        QCOMPARE(passText(passes::insertStageCopies, R"(
            %0:f32[] = constant() {value=real 2}
            pipeline() {count=int 4, stages=int 2} {
                %1:f32[4] = infeed()
                %2:f32[4] = mul(%1, %0)
                %3:f32[4] = mul(%2, %0) stage 1
                outfeed(%3) stage 1
            })",
                          2),
                 lines(R"(
            %0:f32[] = constant() {value=real 2}
            pipeline() {count=int 4, stages=int 2} {
                %1:f32[] = constant() {value=real 2} stage 1
                %2:f32[4] = infeed()
                %3:f32[4] = mul(%2, %0)
                %4:f32[4] = ipu_copy(%3) {from=int 0, to=int 1}
                %5:f32[4] = mul(%4, %1) stage 1
                outfeed(%5) stage 1
            })"));
    }
    void runningItTwiceChangesNothingMore()
    {
        Context context;
        auto const once = after(passes::insertStageCopies,
                                tiny(R"(
            pipeline() {count=int 4, stages=int 2} {
                %0:f32[4] = infeed()
                %1:f32[4] = neg(%0) stage 1
                outfeed(%1) stage 1
            })",
                                     2),
                                context.pass);
        QVERIFY(once);
        auto const twice = after(passes::insertStageCopies, *once, context.pass);
        QVERIFY(twice);
        QCOMPARE(shortText(*twice), shortText(*once));
    }
    void oneStageNeedsNoCopies()
    {
        QString const text = R"(
            %0:f32[4] = infeed()
            outfeed(%0))";
        QCOMPARE(passText(passes::insertStageCopies, text), lines(text));
    }
};

TW_REGISTER_TEST(TstStageCopies);
#include "tst_stage_copies.moc"
