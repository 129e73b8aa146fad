// Callbacks and written values of a training that is cut and resumed.
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/run_state.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using Json = nlohmann::json;

class TstResumedCallbacks : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static Json callback(char const *name, Json config = Json::object()) { return {{"class_name", name}, {"config", std::move(config)}}; }
    static project::Project project(Json const &callbacks, Fields more = {})
    {
        // 8 steps an epoch.
        Fields fields{{"training.epochs", "8"},
                      {"training.batch_size", "16"},
                      {"data.limit", "160"},
                      {"training.validation_split", "0.2"},
                      {"training.optimizer", R"({"class_name": "SGD", "config": {"learning_rate": 0.05, "momentum": 0.9}})"},
                      {"training.callbacks", callbacks.dump()}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16", smallModel(fields));
    }
    struct Ran {
        runtime::TrainOutcome outcome;
        std::vector<std::string> messages;
    };
    Ran run(project::Project const &p, std::optional<runtime::TrainingState> resume = {}, std::optional<std::int64_t> steps = {}) const
    {
        auto request = requestIn(m_folder);
        request.baseDir = m_folder.path();
        request.resume = std::move(resume);
        request.steps = steps;
        Ran ran;
        runtime::RunObserver observer;
        observer.message = [&](std::string const &name, std::string const &text) { ran.messages.push_back(name + ": " + text); };
        auto outcome = runtime::train(p, request, observer, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        ran.outcome = std::move(outcome).value();
        return ran;
    }
    /// As a program that was closed reads it again.
    runtime::TrainingState throughFile(runtime::TrainingState const &state) const
    {
        auto const path = m_folder.path() / "between.npz";
        if (!runtime::writeCheckpoint(path, state, {}).ok()) qFatal("between.npz");
        auto read = runtime::readCheckpoint(path, {});
        if (!read.ok()) qFatal("%s", toText(read.error()).c_str());
        return std::move(read).value();
    }

private slots:
    void aResumedTrainingEqualsAnUninterruptedOne_data()
    {
        QTest::addColumn<QString>("callbacks");
        auto const row = [](char const *name, Json const &list) { QTest::newRow(name) << QString::fromStdString(list.dump()); };
        // A change of less than 10 in the loss is no improvement, so that patience and cooldown count through many epochs.
        Json const plateau{{"monitor", "loss"}, {"factor", 0.5}, {"patience", 2}, {"min_delta", 10}, {"cooldown", 1}, {"verbose", 1}};
        Json const stopping{{"monitor", "loss"}, {"patience", 5}, {"min_delta", 10}, {"restore_best_weights", true}, {"verbose", 1}};
        row("plateau", Json::array({callback("ReduceLROnPlateau", plateau)}));
        row("stopping", Json::array({callback("EarlyStopping", stopping)}));
        row("scheduler", Json::array({callback("LearningRateScheduler", {{"schedule", "lr * 0.9"}})}));
        row("all",
            Json::array({callback("ReduceLROnPlateau", plateau), callback("LearningRateScheduler", {{"schedule", "lr * 0.9"}}),
                         callback("ModelCheckpoint", {{"filepath", "best.npz"}, {"save_best_only", true}, {"verbose", 1}}),
                         callback("EarlyStopping", stopping)}));
    }
    void aResumedTrainingEqualsAnUninterruptedOne()
    {
        QFETCH(QString, callbacks);
        auto const p = project(Json::parse(callbacks.toStdString()));
        auto const whole = run(p);
        auto const rates = [](Ran const &ran) {
            std::vector<double> all;
            for (auto const &change : ran.outcome.rates)
                if (change.by != "checkpoint") all.push_back(change.now);
            return all;
        };
        if (callbacks.contains("lr * 0.9") || callbacks.contains("Plateau")) QVERIFY(rates(whole).size() > 1);
        if (callbacks.contains("Early")) QVERIFY(!whole.outcome.endedBy.empty() && whole.outcome.epochs.size() > 4);
        for (std::int64_t const cut : {8, 11, 24, 37}) {
            auto const first = run(p, {}, cut);
            QCOMPARE(first.outcome.steps, cut);
            auto const second = run(p, throughFile(first.outcome.state));
            QVERIFY(sameBytes(second.outcome.state, whole.outcome.state));
            QCOMPARE(second.outcome.endedBy, whole.outcome.endedBy);
            auto messages = first.messages;
            messages.insert(messages.end(), second.messages.begin(), second.messages.end());
            QCOMPARE(messages, whole.messages);
            auto changed = rates(first);
            for (double const rate : rates(second)) changed.push_back(rate);
            QCOMPARE(changed, rates(whole));
            auto const &cutEpoch = second.outcome.epochs.front();
            auto const &same = whole.outcome.epochs[static_cast<std::size_t>(cutEpoch.epoch - 1)];
            QCOMPARE(cutEpoch.loss, same.loss);
            QVERIFY(cutEpoch.metrics == same.metrics && cutEpoch.learningRate == same.learningRate);
        }
    }

    /// A file of ModelCheckpoint holds the state of callbacks behind it.
    void aFileOfACallbackContinuesToo()
    {
        Json const plateau{{"monitor", "loss"}, {"factor", 0.5}, {"patience", 2}, {"min_delta", 10}};
        auto const p =
            project(Json::array({callback("ModelCheckpoint", {{"filepath", "at{epoch}.npz"}}), callback("ReduceLROnPlateau", plateau)}));
        auto const whole = run(p);
        for (char const *name : {"at2.npz", "at5.npz"}) {
            auto const from = runtime::readCheckpoint(m_folder.path() / name, {});
            QVERIFY(from.ok());
            QVERIFY(sameBytes(run(p, *from).outcome.state, whole.outcome.state));
        }
    }

    void checkpointsWithoutItStillOpen()
    {
        Json const plateau{{"monitor", "loss"}, {"factor", 0.5}, {"patience", 1}, {"min_delta", 10}};
        auto const p = project(Json::array({callback("ReduceLROnPlateau", plateau)}));
        auto state = run(p, {}, 24).outcome.state;
        auto const *text = state.find(runtime::kRunState);
        QVERIFY(text);
        QCOMPARE(run(p, state).outcome.rates.front().by, std::string("checkpoint"));
        auto damaged = state;
        for (auto &tensor : damaged.tensors)
            if (tensor.name == runtime::kRunState) tensor.bytes[0] = std::byte{'x'};
        auto request = requestIn(m_folder);
        request.resume = damaged;
        auto const refused = runtime::train(p, request, {}, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("checkpoint.run"));
        // Objects of any other content begin anew.
        for (auto const *other :
             {R"({"callbacks": 3, "written": [], "epoch_sums": {"step": 24, "sums": {}}})",
              R"({"callbacks": [{"class_name": 1}, 4], "written": {"learning_rate": {"planned": 0.05, "now": "x"}}})"}) {
            std::erase_if(damaged.tensors, [](auto const &tensor) { return tensor.name == runtime::kRunState; });
            runtime::addRunState(damaged, Json::parse(other));
            QVERIFY(run(p, damaged).outcome.rates.front().by != "checkpoint");
        }
        std::erase_if(state.tensors, [](auto const &tensor) { return tensor.name == runtime::kRunState; });
        auto const old = run(p, state).outcome;
        QCOMPARE(old.rates.front().before, 0.05); // the plan's
        QCOMPARE(old.epochs.back().epoch, std::int64_t(8));
        // A training without callbacks and changes of the rate needs none.
        QVERIFY(!run(project(Json::array()), {}, 8).outcome.state.find(runtime::kRunState));
    }

    void aPlanThatChangedItsRateKeepsIt()
    {
        Json const plateau{{"monitor", "loss"}, {"factor", 0.5}, {"patience", 1}, {"min_delta", 10}};
        auto const list = Json::array({callback("ReduceLROnPlateau", plateau)});
        auto const state = run(project(list), {}, 24).outcome.state;
        auto const other = project(list, {{"training.optimizer.learning_rate", "0.04"}});
        auto const resumed = run(other, state).outcome;
        QCOMPARE(resumed.epochs.front().learningRate.value_or(0), 0.04);
        QVERIFY(resumed.rates.front().by == "ReduceLROnPlateau");
    }

    /// Another quantity, or a training that the callback has ended, is counted from the beginning.
    void countsBeginAnewWhereTheyMeanNothing()
    {
        Json stopping{{"monitor", "loss"}, {"patience", 2}, {"min_delta", 10}};
        auto const p = project(Json::array({callback("EarlyStopping", stopping)}));
        auto const ended = run(p).outcome;
        QCOMPARE(ended.epochs.size(), std::size_t(3));
        QCOMPARE(run(p, ended.state).outcome.epochs.size(), std::size_t(3));
        stopping["monitor"] = "val_loss";
        auto const cut = run(p, {}, 16).outcome.state;
        QCOMPARE(run(p, cut).outcome.epochs.size(), std::size_t(1));
        QCOMPARE(run(project(Json::array({callback("EarlyStopping", stopping)})), cut).outcome.epochs.size(), std::size_t(3));
    }
};

TW_REGISTER_TEST(TstResumedCallbacks);
#include "tst_resumed_callbacks.moc"
