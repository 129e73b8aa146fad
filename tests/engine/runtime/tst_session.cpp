// A training that its caller drives, and the variables of a session.
#include "engine/runtime/training_session.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <functional>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;
using runtime::TrainingSession;

class TstSession : public QObject {
    Q_OBJECT
    SessionFolder m_folder;
    runtime::RunObserver const m_nobody;
    JobContext const m_job;

    project::Project project(std::string const &kind) const
    {
        Fields fields{{"training.epochs", "2"}, {"training.batch_size", "16"}, {"training.validation_split", "0.25"}};
        std::string target = "gc200:tiles=16";
        auto const add = [&](Fields more) { fields.insert(fields.end(), more.begin(), more.end()); };
        if (kind == "executions") add({{"training.steps_per_execution", "4"}});
        if (kind == "accumulation")
            add({{"training.gradient_accumulation_steps", "2"}, {"training.steps_per_execution", "4"}, {"training.optimizer", "adam"}});
        if (kind == "shared validation") add({{"training.validation_executable", "shared"}});
        if (kind == "pipeline") {
            target = "gc200:tiles=16,ipus=4";
            add(twoStages({{"training.replicas", "2"},
                           {"training.batch_size", "8"},
                           {"training.gradient_accumulation_steps", "4"},
                           {"training.steps_per_execution", "4"}}));
        }
        if (kind == "last batch") {
            target = "cpu";
            add({{"data.limit", "250"}, {"training.validation_split", "0"}});
        }
        return mnist(target, smallModel(fields));
    }

    std::unique_ptr<TrainingSession> prepared(project::Project const &p, runtime::RunRequest const &request) const
    {
        auto training = TrainingSession::prepare(p, request, m_nobody, m_job);
        if (!training.ok()) qFatal("%s", toText(training.error()).c_str());
        return std::move(training).value();
    }

private slots:
    void runsCutAnywhereEqualOneRun_data()
    {
        QTest::addColumn<QString>("kind");
        for (auto const *kind : {"plain", "executions", "accumulation", "shared validation", "pipeline", "last batch"})
            QTest::newRow(kind) << QString(kind);
    }
    void runsCutAnywhereEqualOneRun()
    {
        QFETCH(QString, kind);
        auto const p = project(kind.toStdString());
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            if (mode == Mode::Tile && kind == "last batch") continue;
            auto const request = requestIn(m_folder, mode, 2);
            auto const whole = trained(p, request);
            for (std::int64_t const stretch : {1, 5, 7}) {
                auto const training = prepared(p, request);
                int runs = 0;
                for (; !training->over(); ++runs) training->run({.steps = stretch});
                auto const cut = training->finish();
                QVERIFY(runs > 2);
                QVERIFY(!cut.stopped);
                QVERIFY(sameBytes(cut.state, whole.state));
                QCOMPARE(cut.weightsHash, whole.weightsHash);
                QCOMPARE(cut.steps, whole.steps);
                QCOMPARE(cut.device.measured, whole.device.measured);
                QCOMPARE(cut.epochs.size(), whole.epochs.size());
                for (std::size_t i = 0; i < cut.epochs.size(); ++i) {
                    QCOMPARE(cut.epochs[i].loss, whole.epochs[i].loss);
                    QVERIFY(cut.epochs[i].metrics == whole.epochs[i].metrics);
                    QVERIFY(cut.epochs[i].valLoss == whole.epochs[i].valLoss);
                    QCOMPARE(cut.epochs[i].steps, whole.epochs[i].steps);
                    QVERIFY(cut.epochs[i].complete);
                }
            }
        }
    }

    void epochsAndPredicatesEndARun()
    {
        auto const p = project("plain");
        auto const request = requestIn(m_folder);
        auto const training = prepared(p, request);
        training->run({.predicate = [&] { return training->step() == 5; }});
        QCOMPARE(training->step(), std::int64_t(5));
        QVERIFY(!training->over());
        training->run({.epochs = 1});
        QCOMPARE(training->step(), std::int64_t(12)); // 192 samples in batches of 16
        training->run({.steps = 3});
        QCOMPARE(training->step(), std::int64_t(15));
        auto const outcome = training->finish();
        QCOMPARE(outcome.epochs.size(), std::size_t(2));
        QVERIFY(outcome.epochs[0].complete && outcome.epochs[0].valLoss);
        QVERIFY(!outcome.epochs[1].complete && !outcome.epochs[1].valLoss);
        // What follows continues there.
        auto rest = request;
        rest.resume = outcome.state;
        QVERIFY(sameBytes(trained(p, rest).state, trained(p, request).state));
    }

    /// Within an execution too; what follows is as if the run had never been cut.
    void superstepsEndARun_data()
    {
        QTest::addColumn<QString>("kind");
        for (auto const *kind : {"plain", "executions", "accumulation", "shared validation", "pipeline"})
            QTest::newRow(kind) << QString(kind);
    }
    void superstepsEndARun()
    {
        QFETCH(QString, kind);
        auto const p = project(kind.toStdString());
        auto const request = requestIn(m_folder, Mode::Tile, 2);
        auto const whole = trained(p, request);
        auto const training = prepared(p, request);
        int within = 0, runs = 0;
        for (std::int64_t at = 7; !training->over() && runs < 60; at = training->session().supersteps() + 37, ++runs) {
            training->run({.superstep = at});
            if (training->over()) break;
            QVERIFY(training->session().supersteps() >= at); // more where an epoch ended with its validation
            if (training->session().isWithinExecution()) QCOMPARE(training->session().supersteps(), at);
            within += training->session().isWithinExecution();
            auto const step = training->step();
            training->run({.superstep = at}); // is there already
            QCOMPARE(training->step(), step);
        }
        QVERIFY2(within > 5, qPrintable(QString::number(within)));
        training->run();
        auto const cut = training->finish();
        QVERIFY(!cut.stopped);
        QVERIFY(sameBytes(cut.state, whole.state));
        QCOMPARE(cut.device.measured, whole.device.measured);
        QCOMPARE(cut.epochs.size(), whole.epochs.size());
        for (std::size_t i = 0; i < cut.epochs.size(); ++i) {
            QCOMPARE(cut.epochs[i].loss, whole.epochs[i].loss);
            QVERIFY(cut.epochs[i].valLoss == whole.epochs[i].valLoss);
        }
    }
    /// A training that is finished within an execution ends after it.
    void finishCompletesTheExecution()
    {
        auto const p = project("executions");
        auto const request = requestIn(m_folder, Mode::Tile);
        auto const training = prepared(p, request);
        training->run({.superstep = 20});
        QVERIFY(training->session().isWithinExecution());
        auto const cut = training->finish();
        QVERIFY(!cut.stopped);
        auto four = request;
        four.steps = 4;
        QVERIFY(sameBytes(cut.state, trained(p, four).state));
        // Host kernels have no supersteps.
        auto const fused = requestIn(m_folder);
        auto const refused = prepared(p, fused);
        refused->run({.superstep = 20});
        auto const outcome = refused->finish();
        QVERIFY(outcome.stopped);
        QCOMPARE(outcome.stopped->code, std::string("session.superstep"));
    }

    void variablesAreReadAndWritten()
    {
        auto const p = project("pipeline");
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto const request = requestIn(m_folder, mode);
            auto const training = prepared(p, request);
            training->run({.steps = 4});
            auto &session = training->session();
            auto const bias = session.read("dense_1/bias");
            QVERIFY(bias.ok());
            QCOMPARE(bias->shape, Shape({16}));
            auto const names = session.variables();
            QVERIFY(std::ranges::find(names, "iterations") != names.end());
            std::vector<float> const ones(16, 1.0f);
            QVERIFY(session.write("dense_1/bias", std::as_bytes(std::span(ones))).ok());
            for (int replica = 0; replica < 2; ++replica) {
                auto const &variables = session.entry()->graph.variables;
                auto const at = std::ranges::find(variables, "dense_1/bias", &graph::Variable::name) - variables.begin();
                auto const bytes = session.executor().read(graph::VariableId(static_cast<std::size_t>(at)), replica);
                QVERIFY(std::memcmp(bytes.data(), ones.data(), bytes.size()) == 0);
            }
            auto const unknown = session.read("dense_1/bais");
            QVERIFY(!unknown.ok());
            QCOMPARE(unknown.error().code, std::string("session.no-variable"));
            QVERIFY(unknown.error().remedy.find("dense_1/bias") != std::string::npos);
            auto const small = session.write("dense_1/bias", std::as_bytes(std::span(ones).first(3)));
            QVERIFY(!small.ok());
            QCOMPARE(small.error().code, std::string("session.variable-size"));
            // The training goes on from the written value, in both modes alike.
            training->run({.steps = 4});
            auto const after = session.read("dense_1/bias");
            QVERIFY(after.ok() && after->bytes != bias->bytes);
            float first = 0;
            std::memcpy(&first, after->bytes.data(), sizeof first);
            QVERIFY(first > 0.9f && first < 1.1f);
        }
    }
};

TW_REGISTER_TEST(TstSession);
#include "tst_session.moc"
