#include "engine/passes/storage.h"
#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

class TstReuseStorage : public QObject {
    Q_OBJECT
private slots:
    void changesTheGraph_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("a dying operand is overwritten, a feed is not") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = neg(%1)
            outfeed(%2))"
                                                                       << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = neg(%1) inplace [0]
            outfeed(%2))";
        QTest::newRow("who is read later is kept, the other operand serves") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = exp(%0)
            %3:f32[4] = add(%1, %2)
            outfeed(%1, %3))"
                                                                             << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = exp(%0)
            %3:f32[4] = add(%1, %2) inplace [1]
            outfeed(%1, %3))";
        QTest::newRow("a row is no storage for the whole") << R"(
            %0:f32[2, 3], %1:f32[3] = infeed()
            %2:f32[3] = tanh(%1)
            %3:f32[2, 3] = add(%2, %0)
            outfeed(%3))"
                                                           << R"(
            %0:f32[2, 3], %1:f32[3] = infeed()
            %2:f32[3] = tanh(%1)
            %3:f32[2, 3] = add(%2, %0)
            outfeed(%3))";
        QTest::newRow("a view keeps its source alive") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[2, 2] = reshape(%1)
            %3:f32[4] = neg(%1)
            outfeed(%2, %3))"
                                                       << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[2, 2] = reshape(%1) inplace [0]
            %3:f32[4] = neg(%1)
            outfeed(%2, %3))";
        QTest::newRow("constants and values from outside a loop are kept") << R"(
            %0:f32[4] = constant() {value=real 1}
            %1:f32[4] = tanh(%0)
            %2:f32[4] = exp(%1)
            repeat() {count=int 2} {
                %3:f32[4] = neg(%2)
                %4:f32[4] = neg(%3)
                outfeed(%4)
            })"
                                                                           << R"(
            %0:f32[4] = constant() {value=real 1}
            %1:f32[4] = tanh(%0)
            %2:f32[4] = exp(%1) inplace [0]
            repeat() {count=int 2} {
                %3:f32[4] = neg(%2)
                %4:f32[4] = neg(%3) inplace [0]
                outfeed(%4)
            })";
        QTest::newRow("a use inside a loop counts where the loop stands") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = exp(%1)
            repeat() {count=int 2} {
                %3:f32[4] = neg(%1)
                outfeed(%2, %3)
            })"
                                                                          << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = exp(%1)
            repeat() {count=int 2} {
                %3:f32[4] = neg(%1)
                outfeed(%2, %3)
            })";
        QTest::newRow("updates are in place") << R"(
            var f32 [4]
            var f32 [4] optimizer_state
            %0:f32[4], %1:f32[] = infeed()
            %2:f32[4] = variable.read() var %v0
            %3:f32[4] = variable.read() var %v1
            %4:f32[4], %5:f32[4] = opt.rmsprop(%2, %3, %0, %1) {epsilon=real 0.1, rho=real 0.9}
            variable.assign(%4) var %v0
            variable.assign(%5) var %v1)"
                                              << R"(
            %0:f32[4], %1:f32[] = infeed()
            %2:f32[4] = variable.read() var %v0
            %3:f32[4] = variable.read() var %v1
            %4:f32[4], %5:f32[4] = opt.rmsprop(%2, %3, %0, %1) {epsilon=real 0.1, rho=real 0.9} inplace [0, 1]
            variable.assign(%4) var %v0
            variable.assign(%5) var %v1)";
        QTest::newRow("who reads a variable behind its update gets a copy") << R"(
            var f32 [4]
            %0:f32[4], %1:f32[] = infeed()
            %2:f32[4] = variable.read() var %v0
            %3:f32[4] = opt.sgd(%2, %0, %1)
            variable.assign(%3) var %v0
            %4:f32[4] = neg(%2)
            outfeed(%4))"
                                                                            << R"(
            %0:f32[4], %1:f32[] = infeed()
            %2:f32[4] = variable.read() var %v0
            %3:f32[4] = copy(%2)
            %4:f32[4] = opt.sgd(%2, %0, %1) inplace [0]
            variable.assign(%4) var %v0
            %5:f32[4] = neg(%3) inplace [0]
            outfeed(%5))";
        QTest::newRow("so does a view of it") << R"(
            var f32 [4]
            %0:f32[4], %1:f32[] = infeed()
            %2:f32[4] = variable.read() var %v0
            %3:f32[2, 2] = reshape(%2)
            %4:f32[4] = opt.sgd(%2, %0, %1)
            variable.assign(%4) var %v0
            outfeed(%3))"
                                              << R"(
            %0:f32[4], %1:f32[] = infeed()
            %2:f32[4] = variable.read() var %v0
            %3:f32[2, 2] = reshape(%2) inplace [0]
            %4:f32[4] = copy(%2)
            %5:f32[2, 2] = reshape(%4) inplace [0]
            %6:f32[4] = opt.sgd(%2, %0, %1) inplace [0]
            variable.assign(%6) var %v0
            outfeed(%5))";
        QTest::newRow("what is not stored back is not updated") << R"(
            var f32 [4] accumulator
            %0:f32[4] = variable.read() var %v0
            %1:f32[4] = all_reduce(%0)
            outfeed(%1))"
                                                                << R"(
            %0:f32[4] = variable.read() var %v0
            %1:f32[4] = copy(%0)
            %2:f32[4] = all_reduce(%1) inplace [0]
            outfeed(%2))";
        QTest::newRow("an old value survives a store") << R"(
            var f32 [4]
            %0:f32[4] = infeed()
            %1:f32[4] = variable.read() var %v0
            variable.assign(%0) var %v0
            outfeed(%1))"
                                                       << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = variable.read() var %v0
            %2:f32[4] = copy(%1)
            variable.assign(%0) var %v0
            outfeed(%2))";
        QTest::newRow("an old value survives a loop that stores") << R"(
            var i32 [] other
            %0:i32[] = variable.read() var %v0
            repeat() {count=int 3} {
                %1:i32[] = variable.read() var %v0
                %2:i32[] = increment(%1) {by=int 1}
                variable.assign(%2) var %v0
                outfeed(%0)
            })"
                                                                  << R"(
            %0:i32[] = variable.read() var %v0
            %1:i32[] = copy(%0)
            repeat() {count=int 3} {
                %2:i32[] = variable.read() var %v0
                %3:i32[] = increment(%2) {by=int 1} inplace [0]
                variable.assign(%3) var %v0
                outfeed(%1)
            })";
        QTest::newRow("an elementwise result may become the variable") << R"(
            var f32 [4]
            %0:f32[4] = infeed()
            %1:f32[4] = variable.read() var %v0
            %2:f32[4] = axpby(%1, %0) {p0=real 0.5, p1=real 1}
            variable.assign(%2) var %v0)"
                                                                       << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = variable.read() var %v0
            %2:f32[4] = axpby(%1, %0) {p0=real 0.5, p1=real 1} inplace [0]
            variable.assign(%2) var %v0)";
        QTest::newRow("but not when somebody reads the variable in between") << R"(
            var f32 [4]
            %0:f32[4] = infeed()
            %1:f32[4] = variable.read() var %v0
            %2:f32[4] = axpby(%1, %0) {p0=real 0.5, p1=real 1}
            %3:f32[4] = variable.read() var %v0
            outfeed(%3)
            variable.assign(%2) var %v0)"
                                                                             << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = variable.read() var %v0
            %2:f32[4] = axpby(%1, %0) {p0=real 0.5, p1=real 1}
            %3:f32[4] = variable.read() var %v0
            outfeed(%3)
            variable.assign(%2) var %v0)";
        QTest::newRow("a sum over replicas of a gradient used twice") << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = all_reduce(%1)
            outfeed(%1, %2))"
                                                                      << R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = copy(%1)
            %3:f32[4] = all_reduce(%1) inplace [0]
            outfeed(%2, %3))";
    }
    void changesTheGraph()
    {
        QFETCH(QString, before);
        QFETCH(QString, wanted);
        QCOMPARE(passText(passes::reuseStorage, before), lines(wanted));
    }
    void tasksOfAPipelineDoNotShareStorage()
    {
        QString const text = R"(
            pipeline() {count=int 4, stages=int 2} {
                %0:f32[4] = infeed()
                %1:f32[4] = tanh(%0)
                %2:f32[4] = neg(%1) pass backward
                outfeed(%2) pass backward
            })";
        QCOMPARE(passText(passes::reuseStorage, text, 2), lines(text));
    }
    void theCheckFindsAReaderOfOverwrittenStorage()
    {
        auto const graph = tiny(R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            %2:f32[4] = neg(%1) inplace [0]
            outfeed(%1, %2))");
        auto const status = passes::verifyStorage(graph, ops::opLookup());
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("passes.storage"));
        QVERIFY2(status.error().message.find("reads v1") != std::string::npos, status.error().message.c_str());
    }
    void theCheckFindsAnOverwrittenVariable()
    {
        auto const graph = tiny(R"(
            var f32 [4]
            %0:f32[4] = variable.read() var %v0
            %1:f32[4] = neg(%0) inplace [0]
            outfeed(%1))");
        auto const status = passes::verifyStorage(graph, ops::opLookup());
        QVERIFY(!status.ok());
        QCOMPARE(status.error().subject, std::string("w0"));
    }
    void theCheckFindsWhatTheNextIterationMisses()
    {
        auto const graph = tiny(R"(
            %0:f32[4] = infeed()
            %1:f32[4] = tanh(%0)
            repeat() {count=int 2} {
                %2:f32[4] = neg(%1) inplace [0]
                outfeed(%2)
            })");
        QVERIFY(!passes::verifyStorage(graph, ops::opLookup()).ok());
    }
};

TW_REGISTER_TEST(TstReuseStorage);
#include "tst_reuse_storage.moc"
