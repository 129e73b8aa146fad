#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

class TstMergeEqual : public QObject {
    Q_OBJECT
private slots:
    void mergesEqualNodesAndTheirUsers()
    {
        QCOMPARE(passText(passes::mergeEqualNodes, R"(
            %0:f32[2] = infeed()
            %1:f32[2] = relu(%0)
            %2:f32[2] = relu(%0)
            %3:f32[2] = tanh(%1)
            %4:f32[2] = tanh(%2)
            outfeed(%3, %4))"),
                 lines(R"(
            %0:f32[2] = infeed()
            %1:f32[2] = relu(%0)
            %2:f32[2] = tanh(%1)
            outfeed(%2, %2))"));
    }
    void stacksOfOneValueAreOneStack()
    {
        QCOMPARE(passText(passes::mergeEqualNodes, R"(
            %0:f32[4, 2] = infeed()
            %1:f32[4, 2], %2:f32[4, 2], %3:f32[4, 2] = repeat(%0) {carried=int 0, count=int 4, reversed=ints [0, 0, 0, 1]} {
              %4:f32[2] = parameters()
              %5:f32[2] = relu(%4)
              %6:f32[2] = relu(%4)
              results(%5, %6, %5)
            }
            outfeed(%1, %2, %3))"),
                 lines(R"(
            %0:f32[4, 2] = infeed()
            %1:f32[4, 2], %2:f32[4, 2], %3:f32[4, 2] = repeat(%0) {carried=int 0, count=int 4, reversed=ints [0, 0, 0, 1]} {
              %4:f32[2] = parameters()
              %5:f32[2] = relu(%4)
              results(%5, %5, %5)
            }
            outfeed(%1, %1, %3))"));
    }
    void attributesAndTypesTellNodesApart()
    {
        QString const text = R"(
            %0:f32[2, 2] = infeed()
            %1:f32[2, 2] = mul_scalar(%0) {p0=real 2}
            %2:f32[2, 2] = mul_scalar(%0) {p0=real 3}
            %3:f32[4] = reshape(%0)
            %4:f32[4, 1] = reshape(%0)
            outfeed(%1, %2, %3, %4))";
        QCOMPARE(passText(passes::mergeEqualNodes, text), lines(text));
    }
    void feedsAreNeverMerged()
    {
        QString const text = R"(
            %0:f32[2] = infeed()
            %1:f32[2] = infeed()
            outfeed(%0)
            outfeed(%0)
            outfeed(%1))";
        QCOMPARE(passText(passes::mergeEqualNodes, text), lines(text));
    }
    void dropoutsOfOneStreamAreOneAndOthersAreNot()
    {
        QCOMPARE(passText(passes::mergeEqualNodes, R"(
            %0:f32[2], %1:i32[] = infeed()
            %2:f32[2] = dropout(%0, %1) {node_seed=int 0, rate=real 0.5}
            %3:f32[2] = dropout(%0, %1) {node_seed=int 0, rate=real 0.5}
            %4:f32[2] = dropout(%0, %1) {node_seed=int 1, rate=real 0.5}
            outfeed(%2, %3, %4))"),
                 lines(R"(
            %0:f32[2], %1:i32[] = infeed()
            %2:f32[2] = dropout(%0, %1) {node_seed=int 0, rate=real 0.5}
            %3:f32[2] = dropout(%0, %1) {node_seed=int 1, rate=real 0.5}
            outfeed(%2, %2, %3))"));
    }
    void readsBeforeAndAfterAnAssignmentDiffer()
    {
        QCOMPARE(passText(passes::mergeEqualNodes, R"(
            var f32 [2]
            %0:f32[2] = infeed()
            %1:f32[2] = variable.read() var %v0
            %2:f32[2] = variable.read() var %v0
            variable.assign(%0) var %v0
            %3:f32[2] = variable.read() var %v0
            %4:f32[2] = variable.read() var %v0
            outfeed(%1, %2, %3, %4))"),
                 lines(R"(
            %0:f32[2] = infeed()
            %1:f32[2] = variable.read() var %v0
            variable.assign(%0) var %v0
            %2:f32[2] = variable.read() var %v0
            outfeed(%1, %1, %2, %2))"));
    }
    void aLoopThatAssignsSeparatesReads()
    {
        QString const text = R"(
            var f32 [2]
            %0:f32[2] = variable.read() var %v0
            repeat() {count=int 2} {
                %1:f32[2] = infeed()
                variable.assign(%1) var %v0
            }
            %2:f32[2] = variable.read() var %v0
            outfeed(%0, %2))";
        QCOMPARE(passText(passes::mergeEqualNodes, text), lines(text));
    }
    void regionsKeepTheirOwn()
    {
        QString const text = R"(
            %0:f32[2] = infeed()
            %1:f32[2] = relu(%0)
            repeat() {count=int 2} {
                %2:f32[2] = relu(%0)
                outfeed(%2)
            }
            outfeed(%1))";
        QCOMPARE(passText(passes::mergeEqualNodes, text), lines(text));
    }
    void recomputationIsNotUndone()
    {
        QString const text = R"(
            %0:f32[2] = infeed()
            %1:f32[2] = relu(%0)
            %2:f32[2] = relu(%0) pass recompute
            outfeed(%1, %2))";
        QCOMPARE(passText(passes::mergeEqualNodes, text), lines(text));
    }
    void copiesStayApart()
    {
        QString const text = R"(
            %0:f32[2] = infeed()
            %1:f32[2] = copy(%0)
            %2:f32[2] = copy(%0)
            outfeed(%1, %2))";
        QCOMPARE(passText(passes::mergeEqualNodes, text), lines(text));
    }
};

TW_REGISTER_TEST(TstMergeEqual);
#include "tst_merge_equal.moc"
