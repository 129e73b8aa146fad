#include "engine/core/internal_error.h"
#include "engine/core/parallel.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

using namespace tilewright;

namespace {

/// The error of a job that ends by what it throws.
template <typename Work> Diagnostic errorOf(Work const &work)
{
    auto const result = guarded("job", "the result", [&]() -> Result<int> {
        work();
        return 1;
    });
    return result.ok() ? Diagnostic{} : result.error();
}

} // namespace

/// A failed check ends its job with a report to send, on whichever thread it fails.
class TstInternalError : public QObject {
    Q_OBJECT
private slots:
    void aFailedCheckNamesConditionPlaceAndStages()
    {
        auto const error = errorOf([] {
            WorkStage const outer("compile", "mnist"), inner("lowering", "dense/MatMul");
            TW_CHECK(1 == 2, "numbers differ");
        });
        QVERIFY(error.kind == ErrorKind::Internal);
        QCOMPARE(error.code, std::string("internal.check"));
        QCOMPARE(error.subject, std::string("compile mnist, lowering dense/MatMul"));
        QVERIFY2(error.message.find("numbers differ") != std::string::npos && error.message.find("1 == 2") != std::string::npos
                     && error.message.find("tests/engine/core/tst_internal_error.cpp:") != std::string::npos,
                 error.message.c_str());
        QVERIFY(WorkStage::text().empty());
    }
    void otherExceptionsAreErrorsOfTheirKind()
    {
        QCOMPARE(errorOf([] { throw std::bad_alloc(); }).code, std::string("host.memory"));
        QCOMPARE(errorOf([] { throw std::length_error("long"); }).code, std::string("host.memory"));
        auto const other = errorOf([] { throw std::runtime_error("odd"); });
        QCOMPARE(other.code, std::string("internal.exception"));
        QVERIFY(other.kind == ErrorKind::Internal && other.subject == "job" && other.message == "odd.");
        QVERIFY(errorOf([] {}).code.empty());
    }
    void aStatusIsGuardedLikeAResult()
    {
        auto const status = guarded("job", "the result", []() -> Status {
            TW_CHECK(false, "never");
            return {};
        });
        QVERIFY(!status.ok() && status.error().code == "internal.check");
    }
    void aCheckThatFailsOnAnotherThreadReachesTheCaller()
    {
        ThreadPool pool(3);
        auto const caller = std::this_thread::get_id();
        for (int round = 0; round < 50; ++round) {
            std::atomic<bool> failed{false};
            auto const error = errorOf([&] {
                WorkStage const stage("round", "of tasks");
                pool.run(3, [&](std::size_t) {
                    if (std::this_thread::get_id() != caller) {
                        failed = true;
                        TW_CHECK(false, "on a worker");
                    }
                    while (!failed) std::this_thread::yield(); // a worker takes a task
                });
            });
            QCOMPARE(error.code, std::string("internal.check"));
            QCOMPARE(error.subject, std::string("round of tasks"));
        }
        // The pool goes on working.
        std::atomic<int> sum{0};
        pool.run(10, [&](std::size_t i) { sum += static_cast<int>(i); });
        QCOMPARE(sum.load(), 45);
    }
    void anInjectedFailureIsOfItsStageAndHappensOnce()
    {
        failNextStage("tried");
        auto const work = [] {
            WorkStage const outer("other");
            WorkStage const stage("tried", "thing");
        };
        auto const error = errorOf(work);
        QCOMPARE(error.code, std::string("internal.check"));
        QCOMPARE(error.subject, std::string("other, tried thing"));
        QVERIFY(WorkStage::text().empty());
        QVERIFY(errorOf(work).code.empty());
    }
};

TW_REGISTER_TEST(TstInternalError);
#include "tst_internal_error.moc"
