// Callbacks of a training plan: what Keras's do at the end of each epoch.
#include "engine/core/files.h"
#include "engine/runtime/checkpoint_file.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace tilewright;
using namespace tilewright::tests;
using Json = nlohmann::json;

class TstCallbacks : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    project::Project project(Json const &callbacks, Fields more = {}) const
    {
        Fields fields{{"training.epochs", "6"},
                      {"training.batch_size", "16"},
                      {"training.validation_split", "0.25"},
                      {"training.optimizer", "adam"},
                      {"training.callbacks", callbacks.dump()}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16", smallModel(fields));
    }
    static Json callback(char const *name, Json config = Json::object()) { return {{"class_name", name}, {"config", std::move(config)}}; }

    struct Ran {
        runtime::TrainOutcome outcome;
        std::vector<std::string> messages;
        std::vector<Diagnostic> warnings;
    };
    Ran run(project::Project const &p, runtime::RunRequest request) const
    {
        Ran ran;
        request.baseDir = m_folder.path();
        runtime::RunObserver observer;
        observer.message = [&](std::string const &name, std::string const &text) { ran.messages.push_back(name + ": " + text); };
        DiagnosticSink sink;
        JobContext job;
        job.warnings = &sink;
        auto outcome = runtime::train(p, request, observer, job);
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        ran.outcome = std::move(outcome).value();
        ran.warnings = sink.all();
        return ran;
    }
    Ran run(project::Project const &p) const { return run(p, requestIn(m_folder)); }
    QByteArray fileText(char const *name) const
    {
        QFile file(QString::fromStdString((m_folder.path() / name).string()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    /// A learning rate of nearly 0 improves nothing: the first epoch is the best, and so many follow as the patience says.
    void earlyStoppingCountsItsPatience()
    {
        for (int patience : {0, 1, 3}) {
            auto const ran =
                run(project(Json::array({callback("EarlyStopping", {{"patience", patience}, {"min_delta", 10}, {"verbose", 1}})})));
            std::size_t const epochs = static_cast<std::size_t>(std::max(2, patience + 1)); // never after the first, as in Keras
            QCOMPARE(ran.outcome.epochs.size(), epochs);
            QCOMPARE(ran.outcome.endedBy, std::string("EarlyStopping"));
            QVERIFY(!ran.outcome.stopped);
            QCOMPARE(ran.messages, (std::vector<std::string>{"EarlyStopping: Epoch 0000" + std::to_string(epochs) + ": early stopping"}));
        }
        // What improves goes on to the last epoch, in silence.
        auto const whole = run(project(Json::array({callback("EarlyStopping", {{"monitor", "loss"}, {"verbose", 1}})})));
        QCOMPARE(whole.outcome.epochs.size(), std::size_t(6));
        QVERIFY(whole.outcome.endedBy.empty() && whole.messages.empty());
    }

    /// The loss falls, so that with "max" the first epoch is the best one.
    void bestWeightsAreRestored()
    {
        Json config{{"monitor", "loss"}, {"mode", "max"}, {"patience", 2}, {"restore_best_weights", true}, {"verbose", 1}};
        auto const restored = run(project(Json::array({callback("EarlyStopping", config)})));
        QCOMPARE(restored.outcome.epochs.size(), std::size_t(3));
        QCOMPARE(restored.messages.front(), std::string("EarlyStopping: Restoring model weights from the end of the best epoch: 1."));
        config["restore_best_weights"] = false;
        auto const kept = run(project(Json::array({callback("EarlyStopping", config)})));
        auto const after = [&](char const *epochs) {
            return run(project(Json::array(), {{"training.epochs", epochs}})).outcome.weightsHash;
        };
        QCOMPARE(restored.outcome.weightsHash, after("1"));
        QCOMPARE(kept.outcome.weightsHash, after("3"));
    }

    void aBaselineMustBeBeaten()
    {
        Json config{{"monitor", "loss"}, {"baseline", 0}, {"patience", 3}};
        QCOMPARE(run(project(Json::array({callback("EarlyStopping", config)}))).outcome.epochs.size(), std::size_t(3));
        config["baseline"] = 100;
        QCOMPARE(run(project(Json::array({callback("EarlyStopping", config)}))).outcome.epochs.size(), std::size_t(6));
    }

    void aMissingValueIsAWarning()
    {
        auto const p = project(Json::array({callback("EarlyStopping")}), {{"training.validation_split", "0"}, {"training.epochs", "3"}});
        auto const ran = run(p);
        QCOMPARE(ran.outcome.epochs.size(), std::size_t(3));
        int told = 0;
        for (auto const &warning : ran.warnings)
            if (warning.code == "callback.no-value") {
                ++told;
                QVERIFY(warning.message.find("`val_loss` which is not available") != std::string::npos);
                QVERIFY(warning.message.find("loss") != std::string::npos);
            }
        QCOMPARE(told, 1);
    }

    void checkpointsAreSaved()
    {
        auto const every = callback("ModelCheckpoint", {{"filepath", "saved/w{epoch:02d}.npz"}, {"verbose", 1}});
        auto const best = callback(
            "ModelCheckpoint",
            {{"filepath", "best.npz"}, {"monitor", "loss"}, {"mode", "max"}, {"save_best_only", true}, {"save_weights_only", true}});
        auto const p = project(Json::array({every, best}), {{"training.epochs", "3"}});
        auto const ran = run(p);
        QCOMPARE(ran.messages.size(), std::size_t(3));
        QVERIFY(ran.messages[1].starts_with("ModelCheckpoint: Epoch 00002: saving model to "));
        auto const read = [&](char const *name) {
            auto state = runtime::readCheckpoint(m_folder.path() / name, {});
            if (!state.ok()) qFatal("%s", toText(state.error()).c_str());
            return std::move(state).value();
        };
        QVERIFY(sameBytes(read("saved/w03.npz"), ran.outcome.state));
        auto const first = read("saved/w01.npz"), bestWeights = read("best.npz");
        QCOMPARE(first.epoch, std::int64_t(1));
        QVERIFY(bestWeights.tensors.size() < first.tensors.size());
        for (auto const &tensor : bestWeights.tensors) QVERIFY(first.find(tensor.name) && *first.find(tensor.name) == tensor);
        QVERIFY(bestWeights.find("dense/kernel") && !bestWeights.find("dense/kernel/m"));
        // A training continues from one with the same bits.
        auto request = requestIn(m_folder);
        request.resume = first;
        QVERIFY(sameBytes(run(p, request).outcome.state, ran.outcome.state));
    }

    void epochsAreLogged()
    {
        auto const logged = [&](bool append, Fields more = {}) {
            more.emplace_back("training.epochs", "3");
            auto const log = callback("CSVLogger", {{"filename", "log.csv"}, {"separator", ";"}, {"append", append}});
            return run(project(Json::array({log}), more)).outcome;
        };
        auto const outcome = logged(false, {{"training.validation_freq", "1"}});
        auto const lines = fileText("log.csv").split('\n');
        QCOMPARE(lines.size(), qsizetype(5)); // the last one is empty
        QCOMPARE(lines[0], QByteArray("epoch;accuracy;loss;val_accuracy;val_loss"));
        for (int i = 0; i < 3; ++i) {
            auto const cells = lines[i + 1].split(';');
            QCOMPARE(cells.size(), qsizetype(5));
            QCOMPARE(cells[0].toInt(), i); // from 0, as Keras counts
            QCOMPARE(cells[2].toDouble(), outcome.epochs[static_cast<std::size_t>(i)].loss);
            QCOMPARE(cells[4].toDouble(), *outcome.epochs[static_cast<std::size_t>(i)].valLoss);
        }
        logged(true);
        QCOMPARE(fileText("log.csv").split('\n').size(), qsizetype(8));
        logged(false, {{"training.validation_freq", "[1, 3]"}});
        QVERIFY(fileText("log.csv").split('\n')[2].endsWith(";NA;NA"));
    }

    void numbersThatAreNotFiniteEndItQuietly()
    {
        Fields const wild{{"training.optimizer", R"({"class_name": "SGD", "config": {"learning_rate": 1e30}})"}};
        auto const failed = run(project(Json::array(), wild));
        QVERIFY(failed.outcome.stopped && failed.outcome.stopped->kind == ErrorKind::Numeric);
        auto const ended = run(project(Json::array({"TerminateOnNaN"}), wild));
        QVERIFY(!ended.outcome.stopped);
        QCOMPARE(ended.outcome.endedBy, std::string("TerminateOnNaN"));
        QCOMPARE(ended.outcome.steps, failed.outcome.steps);
        QCOMPARE(ended.messages,
                 (std::vector<std::string>{"TerminateOnNaN: Batch " + std::to_string(ended.outcome.steps)
                                           + ": Invalid loss, terminating training"}));
    }

    /// The loss of that epoch is not a number, as Keras writes it.
    void theEpochThatIsCutHasItsRow()
    {
        Fields const wild{{"training.optimizer", R"({"class_name": "SGD", "config": {"learning_rate": 1e30}})"}};
        auto const rate = callback("LearningRateScheduler", {{"schedule", "lr"}});
        auto const log = callback("CSVLogger", {{"filename", "cut.csv"}});
        auto const ended = run(project(Json::array({"TerminateOnNaN", rate, log}), wild));
        QCOMPARE(ended.outcome.endedBy, std::string("TerminateOnNaN"));
        auto const lines = fileText("cut.csv").split('\n');
        QCOMPARE(lines.size(), qsizetype(3));
        QCOMPARE(lines[0], QByteArray("epoch,accuracy,loss,lr"));
        auto const cells = lines[1].split(',');
        QCOMPARE(cells[0], QByteArray("0"));
        QCOMPARE(cells[2], QByteArray("nan"));
        QCOMPARE(cells[3].toDouble(), 1e30);
    }

    /// Errors that an epoch of the run would have are found before the first step.
    void errorsOfLaterEpochsComeBeforeTheRun()
    {
        auto const refusal = [&](Json const &callback, Fields const &more) {
            auto request = requestIn(m_folder);
            request.baseDir = m_folder.path();
            auto const trained = runtime::train(project(Json::array({callback}), more), request, {}, {});
            return trained.ok() ? std::string() : trained.error().message.text();
        };
        auto const checkpoint = callback("ModelCheckpoint", {{"filepath", "w{epoch:02d}-{val_loss:.2f}.npz"}});
        auto const missing = refusal(checkpoint, {{"training.validation_freq", "3"}});
        QVERIFY2(missing.starts_with("epoch 1 has no validation (training.validation_freq): ")
                     && missing.find("val_loss") != std::string::npos,
                 missing.c_str());
        QVERIFY(!QFile::exists(QString::fromStdString((m_folder.path() / "w03-2.30.npz").string())));
        QCOMPARE(refusal(checkpoint, {{"training.validation_freq", "1"}, {"training.epochs", "1"}}), std::string());
        // Saves after epochs with a value only.
        auto const best = callback("ModelCheckpoint", {{"filepath", "b{epoch:02d}-{val_loss:.2f}.npz"}, {"save_best_only", true}});
        QCOMPARE(refusal(best, {{"training.validation_freq", "2"}, {"training.epochs", "2"}}), std::string());
        auto const schedule = [](char const *text) { return callback("LearningRateScheduler", {{"schedule", text}}); };
        QVERIFY(refusal(schedule("1 / (4 - epoch)"), {}).find("epoch") != std::string::npos);
        QVERIFY(refusal(schedule("0.01 - 0.003 * epoch"), {}).find("-0.002") != std::string::npos);
        QCOMPARE(refusal(schedule("0.01 - 0.003 * epoch"), {{"training.epochs", "3"}}), std::string());
    }

    void validationFollowsTheChosenEpochs()
    {
        auto const validated = [&](char const *freq) {
            std::vector<std::int64_t> epochs;
            for (auto const &epoch : run(project(Json::array(), {{"training.validation_freq", freq}})).outcome.epochs)
                if (epoch.valLoss) epochs.push_back(epoch.epoch);
            return epochs;
        };
        using Epochs = std::vector<std::int64_t>;
        QCOMPARE(validated("1"), (Epochs{1, 2, 3, 4, 5, 6}));
        QCOMPARE(validated("2"), (Epochs{2, 4, 6}));
        QCOMPARE(validated("[1, 5]"), (Epochs{1, 5}));
        QCOMPARE(validated("7"), Epochs());
    }

    void epochsBeginWhereThePlanSays()
    {
        auto const ran = run(project(Json::array(), {{"training.initial_epoch", "4"}}));
        QCOMPARE(ran.outcome.epochs.size(), std::size_t(2));
        QCOMPARE(ran.outcome.epochs.front().epoch, std::int64_t(5));
        QCOMPARE(ran.outcome.state.epoch, std::int64_t(6));
        QCOMPARE(ran.outcome.steps, std::int64_t(24));
        QCOMPARE(run(project(Json::array(), {{"training.initial_epoch", "6"}})).outcome.steps, std::int64_t(0));
    }

    void anEpochTakesTheStepsOfThePlan()
    {
        for (auto const *target : {"gc200:tiles=16", "cpu"}) {
            Fields const fields{{"system.target", target}, {"training.steps_per_epoch", "5"}, {"training.epochs", "2"}};
            auto const ran = run(project(Json::array(), fields));
            QCOMPARE(ran.outcome.epochs.size(), std::size_t(2));
            for (auto const &epoch : ran.outcome.epochs) QVERIFY(epoch.steps == 5 && epoch.complete && epoch.valLoss);
        }
        // Explicit steps are those of all replicas, as on the real stack.
        Fields const pair{{"system.target", "gc200:tiles=16,ipus=2"}, {"training.steps_per_epoch", "5"}, {"training.epochs", "1"}};
        QCOMPARE(run(project(Json::array(), pair)).outcome.steps, std::int64_t(2));
        auto const refused = runtime::train(project(Json::array(), {{"training.steps_per_epoch", "13"}}), requestIn(m_folder), {}, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("data.steps"));
        QVERIFY(refused.error().message.find("12 micro-batches") != std::string::npos);
    }

    /// None of it is part of a program.
    void nothingIsCompiledAgain()
    {
        auto request = requestIn(m_folder);
        request.compile.cacheFolder = m_folder.path() / "callbacks";
        QCOMPARE(run(project(Json::array()), request).outcome.compiled.cache, std::string("miss"));
        auto const with = project(Json::array({callback("EarlyStopping"), callback("CSVLogger", {{"filename", "again.csv"}})}),
                                  {{"training.validation_freq", "2"}, {"training.initial_epoch", "1"}, {"training.steps_per_epoch", "6"}});
        QCOMPARE(run(with, request).outcome.compiled.cache, std::string("hit"));
    }

    void filesStayBelowTheProject()
    {
        auto const code = [](Json const &callbacks) {
            auto const plan = model::withTrainingField({}, "callbacks", callbacks.dump());
            return plan.ok() ? std::string() : plan.error().code;
        };
        auto const checkpoint = [](char const *path) { return Json::array({callback("ModelCheckpoint", {{"filepath", path}})}); };
        QCOMPARE(code(checkpoint("a/b.npz")), std::string());
        for (auto const *path : {"/tmp/w.npz", "../w.npz", "a/../../w.npz", "w.h5", "", "a/"})
            QCOMPARE(code(checkpoint(path)), std::string("model.bad-argument"));
        QCOMPARE(code(Json::array({callback("CSVLogger", {{"filename", "../log.csv"}})})), std::string("model.bad-argument"));
        QCOMPARE(code(Json::array({callback("ModelCheckpoint")})), std::string("model.missing-argument"));
        QCOMPARE(code(Json::array({"RemoteMonitor"})), std::string("model.unsupported"));
        QCOMPARE(code(Json::array({"EarlyStoping"})), std::string("model.unknown-callback"));
        QCOMPARE(code(Json::array({callback("EarlyStopping", {{"patiense", 3}})})), std::string("model.unknown-argument"));
        QCOMPARE(code(Json::array({callback("EarlyStopping", {{"mode", "least"}})})), std::string("model.bad-argument"));
        // A place of the pattern that nothing is logged for is found before the first step.
        auto request = requestIn(m_folder);
        request.baseDir = m_folder.path();
        auto const refused = runtime::train(project(checkpoint("{val_mse:.2f}.npz")), request, {}, {});
        QVERIFY(!refused.ok() && refused.error().message.find("{val_mse:.2f}") != std::string::npos);
    }

    /// A project that somebody sent replaces nothing that its own callbacks did not write, also behind links.
    void filesOfOthersAreNotReplaced()
    {
        auto const train = [&](Json callback) {
            auto request = requestIn(m_folder);
            request.baseDir = m_folder.path();
            auto const outcome = runtime::train(project(Json::array({std::move(callback)})), request, {}, {});
            return outcome.ok() ? std::string() : outcome.error().code;
        };
        auto const write = [&](char const *name, char const *text) { return writeFileAtomically(m_folder.path() / name, text).ok(); };
        QVERIFY(write("data.npz", "not a checkpoint") && write("table.csv", "x,y\n1,2\n"));
        QCOMPARE(train(callback("ModelCheckpoint", {{"filepath", "data.npz"}})), std::string("callbacks.foreign-file"));
        QCOMPARE(train(callback("CSVLogger", {{"filename", "table.csv"}})), std::string("callbacks.foreign-file"));
        QCOMPARE(fileText("data.npz"), QByteArray("not a checkpoint"));
        QCOMPARE(fileText("table.csv"), QByteArray("x,y\n1,2\n"));
        // What the callback itself wrote it replaces.
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(train(callback("ModelCheckpoint", {{"filepath", "own.npz"}})), std::string());
            QCOMPARE(train(callback("CSVLogger", {{"filename", "own.csv"}})), std::string());
        }
        QTemporaryDir elsewhere;
        std::filesystem::create_directory_symlink(elsewhere.path().toStdString(), m_folder.path() / "link");
        QCOMPARE(train(callback("ModelCheckpoint", {{"filepath", "link/w.npz"}})), std::string("callbacks.outside"));
        QCOMPARE(train(callback("CSVLogger", {{"filename", "link/log.csv"}})), std::string("callbacks.outside"));
        QVERIFY(QDir(elsewhere.path()).isEmpty());
        for (auto const *separator : {"", "ab", "\n"})
            QVERIFY(!model::withTrainingField(
                         {}, "callbacks", Json::array({callback("CSVLogger", {{"filename", "a.csv"}, {"separator", separator}})}).dump())
                         .ok());
    }

    void patternsAreFormattedAsPythonDoes()
    {
        std::vector<model::PatternValue> const values{{"epoch", 7, true}, {"loss", 0.123456, false}};
        auto const text = [&](char const *pattern) {
            auto const formatted = model::formatPattern(pattern, values, "pattern");
            return formatted.ok() ? *formatted : formatted.error().code;
        };
        QCOMPARE(text("w.{epoch:03d}-{loss:.2f}.npz"), std::string("w.007-0.12.npz"));
        QCOMPARE(text("{epoch}{loss:.3e}"), std::string("71.235e-01"));
        for (auto const *bad : {"{epoch", "{nothing}", "{epoch:x}", "{epoch:999d}", "{loss:02d}", "{loss:.99999f}", "{epoch:%n}"})
            QCOMPARE(text(bad), std::string("model.bad-argument"));
    }

    void aPlanKeepsItsCallbacks()
    {
        auto const p = project(Json::array({callback("EarlyStopping", {{"patience", 3}}), "TerminateOnNaN"}));
        auto const json = model::trainingPlanJson(p.training);
        QCOMPARE(json["callbacks"].size(), std::size_t(2));
        QCOMPARE(json["callbacks"][0]["config"]["patience"].get<int>(), 3);
        auto const back = model::trainingPlanFromJson(Json::parse(json.dump()));
        QVERIFY(back.ok() && *back == p.training);
    }
};

TW_REGISTER_TEST(TstCallbacks);
#include "tst_callbacks.moc"
