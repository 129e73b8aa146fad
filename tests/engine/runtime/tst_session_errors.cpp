#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// Runs that cannot start report kind, code and subject, and change nothing.
class TstSessionErrors : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    Diagnostic failureOf(project::Project const &p, Mode mode = Mode::Fused) const
    {
        auto const outcome = runtime::train(p, requestIn(m_folder, mode), {}, {});
        return outcome.ok() ? Diagnostic{} : outcome.error();
    }

private slots:
    void aPipelineThatDoesNotFillIsRefused_data()
    {
        QTest::addColumn<int>("accumulation");
        for (int n : {1, 2, 3, 6, 7}) QTest::addRow("%d", n) << n;
    }
    void aPipelineThatDoesNotFillIsRefused()
    {
        QFETCH(int, accumulation);
        auto const n = std::to_string(accumulation);
        auto const error =
            failureOf(mnist("gc200:tiles=16,ipus=2",
                            twoStages(smallModel({{"training.gradient_accumulation_steps", n}, {"training.steps_per_execution", n}}))));
        QVERIFY(error.kind == ErrorKind::Invalid);
        QCOMPARE(error.code, std::string("training.accumulation"));
        QCOMPARE(error.subject, std::string("training.gradient_accumulation_steps"));
        QVERIFY2(error.message.find("multiple of 4") != std::string::npos, error.message.c_str());
        QVERIFY(error.message.find(n) != std::string::npos);
    }
    void aPipelineOnOneIpuIsRefused()
    {
        auto const error =
            failureOf(mnist("gc200:tiles=16",
                            twoStages(smallModel({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}}))));
        QVERIFY(error.kind == ErrorKind::Invalid);
        QCOMPARE(error.code, std::string("runtime.too-few-ipus"));
        QCOMPARE(error.subject, std::string("system.target"));
        QVERIFY2(error.remedy.find("gc200:ipus=2") != std::string::npos, error.remedy.c_str());
    }
    void moreReplicasThanIpusAreRefused()
    {
        auto const error = failureOf(mnist("gc200:tiles=16,ipus=2", smallModel({{"training.replicas", "4"}})));
        QCOMPARE(error.code, std::string("runtime.too-few-ipus"));
        QVERIFY2(error.message.find("4 replicas") != std::string::npos, error.message.c_str());
    }
    void fourTilesDoNotSuffice()
    {
        auto const p = mnist("gc200:tiles=4");
        auto const compiled = compiler::compile(p, requestIn(m_folder).compile, {});
        QVERIFY(compiled.ok());
        QVERIFY(compiled->outOfMemory.has_value());
        auto const &error = *compiled->outOfMemory;
        QVERIFY(error.kind == ErrorKind::DoesNotFit);
        QCOMPARE(error.code, std::string("memory.out-of-memory"));
        QVERIFY2(error.subject.starts_with("IPU 0 tile "), error.subject.c_str());
        auto const &memory = compiled->executable->memory;
        QVERIFY(!memory.fits && !memory.ipus[0].fits);
        QVERIFY(memory.ipus[0].worstBytes > compiled->machine.chip.bytesPerTile);
        // Figures, culprits and a way out are in the text.
        QVERIFY2(error.message.find("638,976") != std::string::npos, error.message.c_str());
        QVERIFY(error.message.find("dense/kernel") != std::string::npos);
        QVERIFY(!error.remedy.empty());
        // Training ends before it begins, with the compile result; a program that does not fit is not cached.
        auto const outcome = runtime::train(p, requestIn(m_folder), {}, {});
        QVERIFY(outcome.ok());
        QVERIFY(outcome->stopped && outcome->stopped->kind == ErrorKind::DoesNotFit);
        QCOMPARE(outcome->steps, 0);
        QCOMPARE(outcome->compiled.cache, std::string("miss"));
        QVERIFY(mnist("gc200:tiles=8").target != p.target);
        QVERIFY(!compiler::compile(mnist("gc200:tiles=8"), requestIn(m_folder).compile, {})->outOfMemory);
    }
    void theSoftwareModelOnlyWarns()
    {
        DiagnosticSink sink;
        JobContext job;
        job.warnings = &sink;
        for (char const *cache : {"miss", "hit"}) {
            auto const outcome =
                runtime::train(mnist("gc200:tiles=4,model=1", {{"data.limit", "64"}}), requestIn(m_folder, Mode::Tile), {}, job);
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QVERIFY(!outcome->stopped);
            QCOMPARE(outcome->compiled.cache, std::string(cache));
            QCOMPARE(outcome->steps, 2);
            int warned = 0;
            for (auto const &warning : sink.all()) warned += warning.code == "memory.out-of-memory";
            QCOMPARE(warned, cache == std::string("miss") ? 1 : 2);
        }
    }
    void aBatchThatDoesNotDivideTheDataIsADataError()
    {
        auto const error = failureOf(mnist("gc200:tiles=16", smallModel({{"training.batch_size", "48"}})));
        QVERIFY(error.kind == ErrorKind::Data);
        QCOMPARE(error.code, std::string("data.batch"));
        QCOMPARE(error.subject, std::string("training.batch_size"));
        QVERIFY2(error.message.find("256") != std::string::npos && error.message.find("48") != std::string::npos, error.message.c_str());
        QVERIFY2(error.remedy.find("32") != std::string::npos && error.remedy.find("240") != std::string::npos, error.remedy.c_str());
    }
    void stepsPerExecutionMustDivideTheEpoch()
    {
        auto const error = failureOf(mnist("gc200:tiles=16", smallModel({{"training.steps_per_execution", "3"}})));
        QVERIFY(error.kind == ErrorKind::Invalid);
        QCOMPARE(error.code, std::string("training.steps-per-execution"));
    }
    void aLossThatIsNotANumberStopsAtItsStep_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::newRow("fused") << false;
        QTest::newRow("tile") << true;
    }
    void aLossThatIsNotANumberStopsAtItsStep()
    {
        QFETCH(bool, tile);
        auto const p = mnist("gc200:tiles=16", smallModel({{"training.optimizer", "sgd"}, {"training.optimizer.learning_rate", "1e30"}}));
        std::vector<double> losses;
        auto const outcome = trained(p, requestIn(m_folder, tile ? Mode::Tile : Mode::Fused), &losses);
        QVERIFY(outcome.stopped.has_value());
        QVERIFY(outcome.stopped->kind == ErrorKind::Numeric);
        QCOMPARE(outcome.stopped->code, std::string("numeric.loss"));
        // The first loss is finite, the weights it leads to are not: the step after the finite losses is named.
        QVERIFY(losses.size() >= 1 && losses.size() <= 3);
        for (double loss : losses) QVERIFY(std::isfinite(loss));
        QCOMPARE(outcome.stopped->subject, "step " + std::to_string(losses.size() + 1));
        QCOMPARE(outcome.steps, static_cast<std::int64_t>(losses.size()));
        QVERIFY2(outcome.stopped->message.find("loss") != std::string::npos, outcome.stopped->message.c_str());
        // The weights that are kept are those of a run that ends after the last finished step.
        auto request = requestIn(m_folder, tile ? Mode::Tile : Mode::Fused);
        request.steps = static_cast<std::int64_t>(losses.size());
        QCOMPARE(trained(p, request).weightsHash, outcome.weightsHash);
    }
    /// The loss of a step is computed before its update.
    void weightsThatAreNotFiniteEndARun()
    {
        auto const p = mnist("gc200:tiles=16", smallModel({{"training.optimizer.learning_rate", "3e38"}}));
        auto request = requestIn(m_folder);
        request.steps = 1;
        auto const outcome = trained(p, request);
        QVERIFY(outcome.stopped.has_value());
        QVERIFY(outcome.stopped->kind == ErrorKind::Numeric);
        QCOMPARE(outcome.stopped->code, std::string("train.not-finite"));
        QCOMPARE(outcome.stopped->subject, std::string("step 1"));
        // If the loss is NaN, no message claims that weights were kept.
        request.steps = 5;
        auto const later = trained(p, request);
        QCOMPARE(later.stopped->code, std::string("numeric.loss"));
        QVERIFY2(later.stopped->remedy.find("kept") == std::string::npos, later.stopped->remedy.c_str());
    }
    void nanLossesAreNotCompared()
    {
        auto const outcome = verify(mnist("gc200:tiles=16", smallModel({{"training.optimizer.learning_rate", "1e20"}})),
                                    requestIn(m_folder, Mode::Tile), 3, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, std::string("numeric.loss"));
        QVERIFY2(outcome.error().subject.starts_with("update "), outcome.error().subject.c_str());
    }
    void singleLabelValuesAreDescribedInWords()
    {
        auto const error = failureOf(mnist("gc200:tiles=16", smallModel({{"training.loss", "categorical_crossentropy"}})));
        QCOMPARE(error.code, std::string("data.labels.shape"));
        QCOMPARE(error.message, std::string("a label is one value but the loss takes 10."));
    }
    void dataOfAnotherShapeAreRefused()
    {
        auto p = mnist("gc200:tiles=16", smallModel());
        p.model.layers[0].config["batch_input_shape"] = {nullptr, 14, 14};
        auto const error = failureOf(p);
        QVERIFY(error.kind == ErrorKind::Data);
        QCOMPARE(error.code, std::string("data.shape.model"));
    }
    void aCancelledRunKeepsWhatIsFinished()
    {
        std::stop_source source;
        JobContext job;
        job.stop = source.get_token();
        auto request = requestIn(m_folder);
        request.every = 1;
        runtime::RunObserver observer;
        observer.step = [&](std::int64_t step, double, auto const &) {
            if (step == 3) source.request_stop();
        };
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel()), request, observer, job);
        QVERIFY(outcome.ok());
        QVERIFY(outcome->stopped && outcome->stopped->kind == ErrorKind::Cancelled);
        QCOMPARE(outcome->steps, 3);
        QCOMPARE(outcome->state.step, 3);
        QVERIFY(!outcome->weightsHash.empty());
    }
    void verifyRequiresAnIpu()
    {
        auto const outcome = runtime::verify(mnist("cpu", smallModel()), requestIn(m_folder), 1, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, std::string("verify.cpu"));
    }
    /// If both hold out samples, the message names the one that counts.
    void bothSplitsAreReported()
    {
        for (auto const *own : {"0", "0.25", "0.5"}) {
            DiagnosticSink sink;
            JobContext job;
            job.warnings = &sink;
            auto request = requestIn(m_folder);
            request.steps = 1;
            auto const outcome = runtime::train(
                mnist("cpu", smallModel({{"training.validation_split", "0.25"}, {"data.validation_split", own}})), request, {}, job);
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            bool const told = std::ranges::any_of(sink.all(), [](Diagnostic const &each) { return each.code == "data.two-splits"; });
            QCOMPARE(told, std::string(own) == "0.5");
        }
    }
};

TW_REGISTER_TEST(TstSessionErrors);
#include "tst_session_errors.moc"
