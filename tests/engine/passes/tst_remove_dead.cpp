#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

class TstRemoveDead : public QObject {
    Q_OBJECT
private slots:
    void unreadStacksAreRemoved()
    {
        // No slice of the second stacked operand is read, and the second stacked result has no reader.
        QCOMPARE(passText(passes::removeDeadNodes, R"(
            %0:f32[4, 2], %1:f32[4, 2], %2:f32[4, 2] = infeed()
            %3:f32[4, 2], %4:f32[4, 2] = repeat(%0, %1, %2) {carried=int 0, count=int 4, reversed=ints [0, 1, 1, 0, 1]} {
              %5:f32[2], %6:f32[2], %7:f32[2] = parameters()
              %8:f32[2] = add(%5, %7)
              results(%8, %6)
            }
            outfeed(%3))"),
                 lines(R"(
            %0:f32[4, 2], %1:f32[4, 2], %2:f32[4, 2] = infeed()
            %3:f32[4, 2] = repeat(%0, %2) {carried=int 0, count=int 4, reversed=ints [0, 1, 0]} {
              %4:f32[2], %5:f32[2] = parameters()
              %6:f32[2] = add(%4, %5)
              results(%6)
            }
            outfeed(%3))"));
    }
    void removesUnusedNodes()
    {
        QCOMPARE(passText(passes::removeDeadNodes, R"(
            var f32 [2]
            %0:f32[2] = infeed()
            %1:f32[2] = variable.read() var %v0
            %2:f32[2] = relu(%0)
            %3:f32[2] = tanh(%2)
            outfeed(%2))"),
                 lines(R"(
            %0:f32[2] = infeed()
            %1:f32[2] = relu(%0)
            outfeed(%1))"));
    }
    void keepsFeedsAndAssignments()
    {
        QString const text = R"(
            var f32 [2]
            %0:f32[2] = infeed()
            %1:f32[2] = infeed()
            variable.assign(%0) var %v0)";
        QCOMPARE(passText(passes::removeDeadNodes, text), lines(text));
    }
    void loopsNeedTheInputsOfTheirBodies()
    {
        QCOMPARE(passText(passes::removeDeadNodes, R"(
            %0:f32[2] = infeed()
            %1:f32[2] = relu(%0)
            %2:f32[2] = tanh(%0)
            repeat() {count=int 2} {
                %3:f32[2] = neg(%1)
                %4:f32[2] = neg(%2)
                outfeed(%3)
            })"),
                 lines(R"(
            %0:f32[2] = infeed()
            %1:f32[2] = relu(%0)
            repeat() {count=int 2} {
                %2:f32[2] = neg(%1)
                outfeed(%2)
            })"));
    }
    void emptyLoopsAreRemovedWithTheirOperands()
    {
        QCOMPARE(passText(passes::removeDeadNodes, R"(
            %0:f32[2] = infeed()
            %1:f32[2] = relu(%0)
            repeat() {count=int 2} {
                %2:f32[2] = neg(%1)
            })"),
                 lines("%0:f32[2] = infeed()"));
    }
};

TW_REGISTER_TEST(TstRemoveDead);
#include "tst_remove_dead.moc"
