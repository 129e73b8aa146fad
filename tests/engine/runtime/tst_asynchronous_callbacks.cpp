// Calls for each step on a thread of their own, while the device runs on.
#include "engine/runtime/ordered_calls.h"
#include "engine/runtime/training_session.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;
using runtime::OrderedCalls;

class TstAsynchronousCallbacks : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// 16 steps of an epoch, four of an execution.
    project::Project project(Fields more = {}) const
    {
        Fields fields{{"training.batch_size", "16"}, {"training.steps_per_execution", "4"}, {"training.epochs", "2"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16", smallModel(fields));
    }

private slots:
    void callsRunInOrderBesideTheirCaller()
    {
        OrderedCalls calls;
        std::vector<int> ran;
        std::mutex mutex;
        std::condition_variable opened;
        bool open = false;
        calls.add([&]() -> Status {
            std::unique_lock lock(mutex);
            opened.wait(lock, [&] { return open; });
            ran.push_back(0);
            return {};
        });
        for (int i = 1; i < 5; ++i)
            calls.add([&, i]() -> Status {
                ran.push_back(i);
                return {};
            });
        QVERIFY(calls.serve().ok()); // does not wait
        {
            std::lock_guard const lock(mutex);
            QVERIFY(ran.empty());
            open = true;
        }
        opened.notify_all();
        QVERIFY(calls.finish().ok());
        QCOMPARE(ran, (std::vector<int>{0, 1, 2, 3, 4}));
    }

    void workForTheCallerRunsOnItsThread()
    {
        OrderedCalls calls;
        std::thread::id worked, called;
        calls.add([&]() -> Status {
            called = std::this_thread::get_id();
            calls.here([&] { worked = std::this_thread::get_id(); });
            return {};
        });
        QVERIFY(calls.finish().ok());
        QVERIFY(worked == std::this_thread::get_id());
        QVERIFY(called != worked);
        bool here = false;
        calls.here([&] { here = true; });
        QVERIFY(here);
    }

    void theFirstErrorEndsTheCalls()
    {
        OrderedCalls calls;
        std::atomic<int> ran = 0;
        for (int i = 0; i < 4; ++i)
            calls.add([&, i]() -> Status {
                ++ran;
                if (i == 1) return makeError(ErrorKind::Data, "test.failure", "call", Message::of("the call failed."));
                return {};
            });
        auto const ended = calls.finish();
        QVERIFY(!ended.ok());
        QCOMPARE(ended.error().code, std::string("test.failure"));
        QCOMPARE(ran.load(), 2);
        OrderedCalls thrown;
        thrown.add([]() -> Status { throw std::runtime_error("no"); });
        QVERIFY(!thrown.finish().ok());
    }

    void callsThatAreLeftAreDropped()
    {
        std::atomic<int> ran = 0;
        {
            OrderedCalls calls;
            calls.add([&]() -> Status {
                calls.here([&] { ++ran; }); // the destructor serves it
                return {};
            });
        }
        QVERIFY(ran.load() <= 1);
    }

    void slowCallsDoNotHoldTheDevice_data()
    {
        QTest::addColumn<bool>("tiles");
        QTest::newRow("fused") << false;
        QTest::newRow("tiles") << true;
    }
    /// The first call returns after the last step of its epoch only: a device that waited for it would never get there.
    void slowCallsDoNotHoldTheDevice()
    {
        QFETCH(bool, tiles);
        auto request = requestIn(m_folder, tiles ? Mode::Tile : Mode::Fused);
        request.every = 1;
        std::mutex mutex;
        std::condition_variable went;
        std::int64_t steps = 0;
        std::vector<std::int64_t> told, stepsAtCall;
        std::vector<double> losses, besideLosses;
        std::vector<std::size_t> toldAtEpoch;
        runtime::RunObserver observer;
        observer.step = [&](std::int64_t step, double loss, auto const &) {
            std::lock_guard const lock(mutex);
            steps = step;
            losses.push_back(loss);
            went.notify_all();
        };
        observer.stepBeside = [&](std::int64_t step, double loss, auto const &) {
            std::unique_lock lock(mutex);
            if (step == 1) went.wait(lock, [&] { return steps == 16; });
            told.push_back(step);
            stepsAtCall.push_back(steps);
            besideLosses.push_back(loss);
        };
        observer.epoch = [&](runtime::EpochResult const &) {
            std::lock_guard const lock(mutex);
            toldAtEpoch.push_back(told.size());
        };
        auto const outcome = runtime::train(project(), request, observer, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QCOMPARE(told.size(), std::size_t(32));
        for (std::size_t i = 0; i < told.size(); ++i) QCOMPARE(told[i], static_cast<std::int64_t>(i + 1));
        QCOMPARE(stepsAtCall[0], std::int64_t(16));
        QVERIFY(besideLosses == losses);
        QCOMPARE(toldAtEpoch, (std::vector<std::size_t>{16, 32})); // an epoch ends after its calls
        request.every = 0;
        QVERIFY(sameBytes(outcome->state, trained(project(), request).state));
    }

    /// Without it a callback sees executions; with it every step.
    void callbacksSeeEveryStep()
    {
        auto const batchesSaved = [&](char const *asynchronous) {
            QTemporaryDir folder;
            auto const p = project({{"training.epochs", "1"},
                                    {"training.asynchronous_callbacks", asynchronous},
                                    {"training.callbacks",
                                     R"([{"class_name": "ModelCheckpoint",
                                          "config": {"filepath": "w-{batch}.npz", "save_freq": 3, "save_weights_only": true}}])"}});
            auto request = requestIn(m_folder);
            request.baseDir = folder.path().toStdString();
            auto const outcome = runtime::train(p, request, {}, {});
            if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
            std::set<int> batches;
            for (auto const &name : QDir(folder.path()).entryList({"w-*.npz"})) batches.insert(name.mid(2).section('.', 0, 0).toInt());
            return batches;
        };
        QCOMPARE(batchesSaved("false"), (std::set<int>{4, 8, 12, 16}));
        QCOMPARE(batchesSaved("true"), (std::set<int>{3, 6, 9, 12, 15}));
    }
};

TW_REGISTER_TEST(TstAsynchronousCallbacks);
#include "tst_asynchronous_callbacks.moc"
