// Values that the host writes, learning rates first: no part of a program, and changed while a training stands.
#include "engine/core/replica_seeds.h"
#include "engine/executable/executable.h"
#include "engine/model/rate_expression.h"
#include "engine/runtime/training_session.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;
using runtime::TrainingSession;
using Json = nlohmann::json;

class TstWrittenRates : public QObject {
    Q_OBJECT
    SessionFolder m_folder;
    runtime::RunObserver const m_nobody;
    JobContext const m_job;

    static std::string optimizer(char const *className, double rate, Json more = Json::object())
    {
        more["learning_rate"] = rate;
        return Json{{"class_name", className}, {"config", more}}.dump();
    }
    project::Project project(std::string const &kind, double rate) const
    {
        Fields fields{{"training.epochs", "2"}, {"training.batch_size", "16"}, {"data.limit", "128"}};
        std::string target = "gc200:tiles=16";
        auto const add = [&](char const *field, std::string const &value) { fields.emplace_back(field, value); };
        if (kind == "SGD") add("training.optimizer", optimizer("SGD", rate));
        if (kind == "decay") add("training.optimizer", optimizer("SGD", rate, {{"decay", 0.01}}));
        if (kind == "momentum") add("training.optimizer", optimizer("SGD", rate, {{"momentum", 0.9}}));
        if (kind == "RMSprop" || kind == "last batch" || kind == "pipeline") add("training.optimizer", optimizer("RMSprop", rate));
        if (kind == "Adam" || kind == "replicas") add("training.optimizer", optimizer("Adam", rate));
        for (auto const *other : {"Adagrad", "Nadam", "Ftrl", "LAMB", "LARS"})
            if (kind == other) add("training.optimizer", optimizer(other, rate));
        if (kind == "Adamax") add("training.optimizer", optimizer("Adamax", rate));
        if (kind == "replicas") target = "gc200:tiles=16,ipus=2";
        if (kind == "last batch") target = "cpu", add("data.limit", "120");
        if (kind == "pipeline") {
            target = "gc200:tiles=16,ipus=4";
            for (auto const &field : twoStages({{"training.replicas", "2"},
                                                {"training.batch_size", "8"},
                                                {"training.gradient_accumulation_steps", "4"},
                                                {"training.steps_per_execution", "4"}}))
                fields.push_back(field);
        }
        return mnist(target, smallModel(fields));
    }
    std::unique_ptr<TrainingSession> prepared(project::Project const &p, runtime::RunRequest const &request) const
    {
        auto training = TrainingSession::prepare(p, request, m_nobody, m_job);
        if (!training.ok()) qFatal("%s", toText(training.error()).c_str());
        return std::move(training).value();
    }
    runtime::RunRequest uncached(Mode mode = Mode::Fused) const
    {
        auto request = requestIn(m_folder, mode, 2);
        request.compile.useCache = false;
        return request;
    }

private slots:
    void aWrittenRateEqualsACompiledOne_data()
    {
        QTest::addColumn<QString>("kind");
        for (auto const *kind : {"SGD", "decay", "momentum", "RMSprop", "Adam", "Adamax", "Adagrad", "Nadam", "Ftrl", "LAMB", "LARS",
                                 "replicas", "pipeline", "last batch"})
            QTest::newRow(kind) << QString(kind);
    }
    void aWrittenRateEqualsACompiledOne()
    {
        QFETCH(QString, kind);
        auto const slow = project(kind.toStdString(), 0.0001), fast = project(kind.toStdString(), 0.0123);
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            if (mode == Mode::Tile && kind == "last batch") continue;
            auto const request = uncached(mode);
            auto const asCompiled = trained(fast, request);
            auto const training = prepared(slow, request);
            QVERIFY(training->session().setLearningRate(0.0123, "test").ok());
            QCOMPARE(*training->session().learningRate(), 0.0123);
            training->run();
            auto const written = training->finish();
            QVERIFY(sameVariables(written.state, asCompiled.state));
            QVERIFY(!sameVariables(written.state, trained(slow, request).state));
            QCOMPARE(written.rates.size(), std::size_t(1));
            QCOMPARE(written.rates[0].before, 0.0001);
            QCOMPARE(written.rates[0].now, 0.0123);
            QCOMPARE(written.rates[0].by, std::string("test"));
        }
    }

    void aRateChangesBetweenTwoSteps()
    {
        auto const p = project("Adam", 0.01);
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto const request = uncached(mode);
            auto const training = prepared(p, request);
            training->run({.steps = 4});
            auto const before = training->session().read("dense/kernel");
            QVERIFY(training->session().setLearningRate(0, "test").ok());
            training->run({.steps = 3}); // at rate 0 nothing moves
            auto const still = training->session().read("dense/kernel");
            QVERIFY(before.ok() && still.ok() && before->bytes == still->bytes);
            QVERIFY(training->session().setLearningRate(0.01, "test").ok());
            training->run({.steps = 1});
            QVERIFY(training->session().read("dense/kernel")->bytes != still->bytes);
            auto const outcome = training->finish();
            QCOMPARE(outcome.rates.size(), std::size_t(2));
            QCOMPARE(outcome.rates[0].step, std::int64_t(4));
            QCOMPARE(outcome.rates[1].step, std::int64_t(7));
            QVERIFY(!outcome.epochs.empty() && outcome.epochs[0].learningRate == 0.01);
        }
    }

    void aRateIsNoPartOfAProgram()
    {
        auto request = requestIn(m_folder).compile;
        request.cacheFolder = m_folder.path() / "rates";
        for (auto const *kind : {"SGD", "Adam", "pipeline"}) {
            auto const first = compiler::compile(project(kind, 0.02), request, {});
            QVERIFY(first.ok());
            QCOMPARE(first->cache, std::string("miss"));
            auto const other = project(kind, 0.0371);
            auto const second = compiler::compile(other, request, {});
            QVERIFY(second.ok());
            QCOMPARE(second->cache, std::string("hit"));
            // What is loaded is what would have been compiled.
            auto anew = request;
            anew.useCache = false;
            auto const compiled = compiler::compile(other, anew, {});
            QVERIFY(compiled.ok());
            QVERIFY(executable::serialize(*second->executable) == executable::serialize(*compiled->executable));
            auto run = requestIn(m_folder);
            run.compile.cacheFolder = request.cacheFolder;
            QVERIFY(sameBytes(trained(other, run).state, trained(other, uncached()).state));
        }
        // Other numbers of an optimizer are part of it.
        auto p = project("SGD", 0.02);
        p = project::withField(p, "training.optimizer", optimizer("SGD", 0.02, {{"clipnorm", 0.5}}), nullptr).value();
        QCOMPARE(compiler::compile(p, request, {})->cache, std::string("miss"));
    }

    project::Project written(QString const &optimizer, QString const &value, Fields more = {}) const
    {
        Fields fields{{"training.epochs", "2"}, {"training.batch_size", "16"}, {"data.limit", "128"}};
        fields.emplace_back("training.optimizer", optimizer.arg(value).toStdString());
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16", smallModel(fields));
    }

    void momentumAndLossScaleAreWrittenToo_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("second");
        auto const of = [](char const *className, char const *config) {
            return QStringLiteral(R"({"class_name": "%2", "config": {%3}})").arg(className, config);
        };
        QTest::newRow("SGD") << "momentum" << of("SGD", R"("momentum": %1)") << 0.5 << 0.9;
        QTest::newRow("Nesterov") << "momentum" << of("SGD", R"("momentum": %1, "nesterov": true)") << 0.5 << 0.9;
        QTest::newRow("RMSprop") << "momentum" << of("RMSprop", R"("momentum": %1)") << 0.25 << 0.8;
        QTest::newRow("RMSprop, centred") << "momentum" << of("RMSprop", R"("momentum": %1, "centered": true)") << 0.25 << 0.8;
        QTest::newRow("by its formula") << "momentum" << of("SGD", R"("momentum": %1, "automatic_loss_scaling": true)") << 0.5 << 0.9;
        QTest::newRow("loss scale") << "loss_scale" << of("Adam", R"("loss_scale_factor": %1)") << 3.0 << 7.0;
    }
    void momentumAndLossScaleAreWrittenToo()
    {
        QFETCH(QString, name);
        QFETCH(QString, optimizer);
        QFETCH(double, first);
        QFETCH(double, second);
        auto const one = written(optimizer, QString::number(first)), other = written(optimizer, QString::number(second));
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto const request = uncached(mode);
            auto const training = prepared(one, request);
            QVERIFY(training->session().setValue(name.toStdString(), second, "test").ok());
            training->run();
            auto const outcome = training->finish();
            QVERIFY(sameVariables(outcome.state, trained(other, request).state));
            QVERIFY(!sameVariables(outcome.state, trained(one, request).state));
            QCOMPARE(outcome.values.front().name, name.toStdString());
            QCOMPARE(outcome.values.front().before, first);
            QCOMPARE(outcome.values.front().now, second);
            QVERIFY(outcome.rates.empty());
        }
        // No part of a program.
        auto request = requestIn(m_folder).compile;
        request.cacheFolder = m_folder.path() / ("values" + std::string(QTest::currentDataTag()));
        QCOMPARE(compiler::compile(one, request, {})->cache, std::string("miss"));
        auto const found = compiler::compile(other, request, {});
        QCOMPARE(found->cache, std::string("hit"));
        request.useCache = false;
        QVERIFY(executable::serialize(*found->executable) == executable::serialize(*compiler::compile(other, request, {})->executable));
    }

    /// A checkpoint holds it, unless the plan was edited.
    void aWrittenMomentumIsResumed()
    {
        QString const optimizer = R"({"class_name": "SGD", "config": {"momentum": %1}})";
        auto const p = written(optimizer, "0.5");
        auto request = uncached();
        auto const write = [&](TrainingSession &training) { QVERIFY(training.session().setValue("momentum", 0.9, "test").ok()); };
        auto const whole = prepared(p, request);
        whole->run({.steps = 4});
        write(*whole);
        whole->run();
        auto const straight = whole->finish();
        auto const first = prepared(p, request);
        first->run({.steps = 4});
        write(*first);
        first->run({.steps = 1});
        request.resume = first->finish().state;
        auto const second = prepared(p, request);
        second->run();
        auto const rest = second->finish();
        QVERIFY(sameBytes(rest.state, straight.state));
        QCOMPARE(rest.values.front().by, std::string("checkpoint"));
        auto const edited = written(optimizer, "0.25");
        QVERIFY(prepared(edited, request)->session().written().at("momentum") == 0.25);
    }

    void otherValuesAreRefused()
    {
        auto const p = written(R"({"class_name": "SGD", "config": {"momentum": %1, "loss_scale_factor": 2}})", "0.5");
        auto const request = uncached();
        auto const training = prepared(p, request);
        auto &session = training->session();
        for (auto const &[name, value] :
             {std::pair("momentun", 0.5), std::pair("loss_scale/inverse", 0.5), std::pair("momentum", 1.5), std::pair("momentum", -0.5),
              std::pair("loss_scale", 0.0), std::pair("loss_scale", 1e39), std::pair("momentum", std::nan(""))}) {
            auto const refused = session.setValue(name, value, "test");
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().code, std::string("session.no-value"));
        }
        QVERIFY(session.setValue("momentum", 0, "test").ok() && session.setValue("learning_rate", 0.5, "test").ok());
        QCOMPARE(*session.learningRate(), 0.5);
    }

    void aSeedIsNoPartOfAProgram()
    {
        auto request = requestIn(m_folder).compile;
        request.cacheFolder = m_folder.path() / "seeds";
        QCOMPARE(compiler::compile(written("%1", "SGD", {{"training.seed", "1"}}), request, {})->cache, std::string("miss"));
        for (auto const &field :
             Fields{{"training.seed", "2"}, {"training.device_seed", "3"}, {"training.identical_replica_seeds", "true"}})
            QCOMPARE(compiler::compile(written("%1", "SGD", {field}), request, {})->cache, std::string("hit"));
    }

    /// reset_ipu_seed: other draws of the same weights and samples, alike on all replicas on request.
    void devicesDrawByTheirOwnSeed()
    {
        auto p = mnist("gc200:tiles=16,ipus=2",
                       smallModel({{"training.optimizer", "SGD"}, {"training.seed", "5"}, {"training.batch_size", "16"}}));
        p.model.layers.insert(p.model.layers.begin() + 2, model::makeLayer("Dropout", "dropout", Json{{"rate", 0.5}}));
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto const plain = uncached(mode);
            auto seeded = plain, alike = plain, same = plain;
            seeded.deviceSeed = 6;
            same.deviceSeed = 5;
            alike.identicalReplicas = true;
            auto const straight = trained(p, plain).state;
            QVERIFY(sameBytes(trained(p, same).state, straight));
            QVERIFY(!sameBytes(trained(p, seeded).state, straight));
            QVERIFY(!sameBytes(trained(p, alike).state, straight));
            QVERIFY(sameBytes(trained(p, alike).state, trained(p, alike).state));
        }
        // The plan's own seed of the device; that of the request takes precedence.
        auto planned = project::withField(p, "training.device_seed", "6", nullptr).value();
        auto seeded = uncached(), back = uncached();
        seeded.deviceSeed = 6;
        back.deviceSeed = 5;
        QVERIFY(sameBytes(trained(planned, uncached()).state, trained(p, seeded).state));
        QVERIFY(sameBytes(trained(planned, back).state, trained(p, uncached()).state));
        auto const planAlike = project::withField(p, "training.identical_replica_seeds", "true", nullptr).value();
        auto alike = uncached();
        alike.identicalReplicas = true;
        QVERIFY(sameBytes(trained(planAlike, uncached()).state, trained(p, alike).state));
        auto const verified = runtime::verify(p, alike, 3, {});
        QVERIFY(verified.ok() && verified->agrees);
        // One replica has no other to differ from.
        auto const alone = project::withField(p, "system.target", "gc200:tiles=16", nullptr).value();
        QVERIFY(sameBytes(trained(alone, alike).state, trained(alone, uncached()).state));
        // Replicas that draw and read alike are one replica: the mask of each is that of the first.
        QCOMPARE(drawingReplica(withIdenticalReplicas(7, true), 3), 0);
        QCOMPARE(drawingReplica(withIdenticalReplicas(7, false), 3), 3);
        QCOMPARE(runSeed(withIdenticalReplicas(7, true)), std::uint64_t(7));
    }

    void resetSeedsBeginTheDrawsAnew_data()
    {
        QTest::addColumn<QString>("draws");
        QTest::newRow("dropout") << "dropout";
        QTest::newRow("stochastic rounding") << "rounding";
    }
    /// reset_ipu_seed within a training: the same seed gives the same draws again, in both modes.
    void resetSeedsBeginTheDrawsAnew()
    {
        QFETCH(QString, draws);
        Fields const one{{"training.optimizer", "SGD"}, {"training.seed", "5"},    {"training.batch_size", "16"},
                         {"data.limit", "16"},          {"training.epochs", "20"}, {"training.shuffle", "false"}};
        auto p = draws == "dropout" ? mnist("gc200:tiles=16", smallModel(one)) : halfModel("float16", smallModel(one));
        if (draws == "dropout")
            p.model.layers.insert(p.model.layers.begin() + 2, model::makeLayer("Dropout", "dropout", Json{{"rate", 0.5}}));
        else p = project::withField(p, "ipu_config.floating_point_behaviour.esr", "ON", nullptr).value();
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            // The weights after three steps from the first ones, with the counters of `before` steps.
            auto const after = [&](std::int64_t before, std::optional<std::uint64_t> seed) {
                auto const request = uncached(mode);
                auto const training = prepared(p, request);
                auto &session = training->session();
                auto first = session.state();
                if (before > 0) training->run({.steps = before});
                auto const now = session.state();
                for (auto &tensor : first.tensors)
                    if (tensor.dtype == DType::I32) tensor = *now.find(tensor.name);
                if (!session.loadState(first).ok()) qFatal("no state");
                if (seed) session.resetSeed(*seed, "test");
                training->run({.steps = 3});
                return session.read("dense/kernel")->bytes;
            };
            auto const plain = after(0, {});
            QVERIFY(after(0, 5) == plain);
            QVERIFY(after(0, 6) != plain);
            QVERIFY(after(4, 5) == plain);
            QVERIFY(after(4, {}) != plain);
        }
    }
    /// A checkpoint holds the reset, and the report has it.
    void aResumedTrainingContinuesAResetSeed()
    {
        auto p = mnist("gc200:tiles=16", smallModel({{"training.optimizer", "SGD"}, {"training.batch_size", "16"}}));
        p.model.layers.insert(p.model.layers.begin() + 2, model::makeLayer("Dropout", "dropout", Json{{"rate", 0.5}}));
        auto const request = uncached();
        // One after the other: each holds the device.
        auto const cutAfter = [&](std::int64_t more) {
            auto const training = prepared(p, request);
            training->run({.steps = 3});
            training->session().resetSeed(77, "test");
            training->run({.steps = more});
            return training->finish();
        };
        auto const whole = cutAfter(3);
        QCOMPARE(whole.values.size(), std::size_t(1));
        QCOMPARE(whole.values[0].name, std::string("device_seed"));
        QCOMPARE(whole.values[0].now, 77.0);
        auto resumed = request;
        resumed.resume = cutAfter(1).state;
        auto const continued = prepared(p, resumed);
        QCOMPARE(continued->session().seed(), std::uint64_t(77));
        continued->run({.steps = 2});
        QVERIFY(sameBytes(whole.state, continued->finish().state));
    }

    void aScheduleOfTheDeviceIsNotWritten()
    {
        auto p = project("SGD", 0.1);
        p = project::withField(p, "training.optimizer", R"({"class_name": "SGD", "config": {"learning_rate": {"class_name": "CosineDecay",
            "config": {"initial_learning_rate": 0.1, "decay_steps": 100}}}})",
                               nullptr)
                .value();
        auto const request = uncached();
        auto training = prepared(p, request);
        QVERIFY(!training->session().learningRate());
        auto const refused = training->session().setLearningRate(0.1, "test");
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("session.no-rate"));
        training.reset(); // and its device
        auto const plain = project("SGD", 0.1);
        auto const other = prepared(plain, request);
        for (double const rate : {-1.0, std::nan(""), HUGE_VAL}) QVERIFY(!other->session().setLearningRate(rate, "test").ok());
    }

    std::vector<double> ratesOf(Json const &callback, Fields more = {}) const
    {
        auto p = project("SGD", 0.5);
        more.emplace_back("training.epochs", "6");
        more.emplace_back("training.callbacks", Json::array({callback}).dump());
        for (auto const &[path, value] : more) p = project::withField(p, path, value, nullptr).value();
        auto request = requestIn(m_folder);
        request.baseDir = m_folder.path();
        std::vector<double> rates;
        for (auto const &epoch : trained(p, request).epochs) rates.push_back(epoch.learningRate.value_or(-1));
        return rates;
    }

    void schedulesOfTheHostSetEachEpoch()
    {
        auto const by = [&](Json const &schedule) {
            return ratesOf({{"class_name", "LearningRateScheduler"}, {"config", {{"schedule", schedule}}}});
        };
        using Rates = std::vector<double>;
        QCOMPARE(by(Json::array({0.1, 0.2, 0.05})), (Rates{0.1, 0.2, 0.05, 0.05, 0.05, 0.05}));
        QCOMPARE(by({{"1", 0.1}, {"4", 0.01}}), (Rates{0.5, 0.1, 0.1, 0.1, 0.01, 0.01}));
        QCOMPARE(by("lr / 2 if epoch >= 4 else lr"), (Rates{0.5, 0.5, 0.5, 0.5, 0.25, 0.125}));
        QCOMPARE(by("max(0.5 - 0.1 * epoch, 2 ** -3)"), (Rates{0.5, 0.5 - 0.1, 0.5 - 0.1 * 2, 0.5 - 0.1 * 3, 0.125, 0.125}));
    }

    /// A change of less than 10 in the loss is no improvement, so that it falls after each `patience` of epochs.
    void aPlateauLowersTheRate()
    {
        auto const rates = [&](Json config) {
            config["monitor"] = "loss";
            config["min_delta"] = 10;
            return ratesOf({{"class_name", "ReduceLROnPlateau"}, {"config", config}});
        };
        using Rates = std::vector<double>;
        // learningRate is that at the end of the steps: the callback follows.
        QCOMPARE(rates({{"factor", 0.5}, {"patience", 1}}), (Rates{0.5, 0.5, 0.25, 0.125, 0.0625, 0.03125}));
        QCOMPARE(rates({{"factor", 0.5}, {"patience", 2}}), (Rates{0.5, 0.5, 0.5, 0.25, 0.25, 0.125}));
        QCOMPARE(rates({{"factor", 0.5}, {"patience", 1}, {"min_lr", 0.2}}), (Rates{0.5, 0.5, 0.25, 0.2, 0.2, 0.2}));
        QCOMPARE(rates({{"factor", 0.5}, {"patience", 1}, {"cooldown", 2}}), (Rates{0.5, 0.5, 0.25, 0.25, 0.125, 0.125}));
    }

    void callbacksCompileNothing()
    {
        auto p = project("Adam", 0.05);
        auto request = requestIn(m_folder);
        request.compile.cacheFolder = m_folder.path() / "once";
        QCOMPARE(trained(p, request).compiled.cache, std::string("miss"));
        p = project::withField(p, "training.callbacks", R"([{"class_name": "LearningRateScheduler", "config": {"schedule": "lr * 0.5"}}])",
                               nullptr)
                .value();
        auto const outcome = trained(p, request);
        QCOMPARE(outcome.compiled.cache, std::string("hit"));
        QCOMPARE(outcome.rates.size(), std::size_t(2));
        QCOMPARE(outcome.rates[1].now, 0.0125);
    }

    void expressionsAreReadOrRefused()
    {
        auto const value = [](char const *text) {
            auto const rate = model::rateOfEpoch(text, 3, 0.5, "schedule");
            return rate.ok() ? *rate : -1.0;
        };
        QCOMPARE(value("lr"), 0.5);
        QCOMPARE(value("epoch // 2 + 1e-1"), 1.1);
        QCOMPARE(value("2 ** 3 ** 0 * 3"), 6.0);
        QCOMPARE(value("1 if epoch < 3 else 2 if epoch == 3 else 4"), 2.0);
        QCOMPARE(value("lr*exp(-0.0) + min(1,2) - -1"), 2.5);
        QCOMPARE(value("sqrt(floor(4.5))"), 2.0);
        std::string const deep(1000, '(');
        for (auto const *bad : {"", "lr +", "lr lr", "rate", "epoch epoch", "(lr", "exp()", "exp(1,2)", "1 if 2", "-lr", "1/0", "log(0)",
                                "[]", "[1, \"2\"]", "{\"a\": 1}", "[1", "import os", "1e", deep.c_str()})
            QVERIFY2(value(bad) == -1.0, bad);
    }
};

TW_REGISTER_TEST(TstWrittenRates);
#include "tst_written_rates.moc"
