#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// A run that stops and goes on is the run that never stopped; a compile that is cached is the compile.
class TstCheckpoints : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

private slots:
    void resumingContinuesBitForBit_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::addColumn<int>("stopAfter");
        QTest::addColumn<QString>("optimizer");
        QTest::newRow("in the middle of an epoch") << false << 3 << "rmsprop";
        QTest::newRow("at the end of an epoch") << false << 8 << "adam";
        QTest::newRow("in the second epoch, on tiles") << true << 11 << "adam";
    }
    void resumingContinuesBitForBit()
    {
        QFETCH(bool, tile);
        QFETCH(int, stopAfter);
        QFETCH(QString, optimizer);
        // Dropout draws from a counter that must survive too.
        auto p = mnist("gc200:tiles=16", smallModel({{"training.optimizer", optimizer.toStdString()}, {"training.epochs", "2"}}));
        model::Layer dropout = model::makeLayer("Dropout", "dropout", model::Json{{"rate", 0.25}});
        p.model.layers.insert(p.model.layers.begin() + 2, dropout);
        auto const mode = tile ? Mode::Tile : Mode::Fused;
        std::vector<double> whole, parts;
        auto const straight = trained(p, requestIn(m_folder, mode), &whole);
        QCOMPARE(straight.steps, 16);
        auto request = requestIn(m_folder, mode);
        request.steps = stopAfter;
        auto const first = trained(p, request, &parts);
        QCOMPARE(first.steps, stopAfter);
        QCOMPARE(first.state.step, stopAfter);
        QVERIFY(first.weightsHash != straight.weightsHash);
        auto rest = requestIn(m_folder, mode, 2);
        rest.resume = first.state;
        auto const second = trained(p, rest, &parts);
        QCOMPARE(second.steps, 16 - stopAfter);
        QCOMPARE(parts, whole);
        QVERIFY(sameBytes(second.state, straight.state));
        QCOMPARE(second.weightsHash, straight.weightsHash);
        QCOMPARE(second.state.step, straight.state.step);
        QCOMPARE(second.state.epoch, straight.state.epoch);
    }
    void aCheckpointOfAnotherModelIsRefused()
    {
        auto const state = trained(mnist("gc200:tiles=16", smallModel()), requestIn(m_folder)).state;
        auto request = requestIn(m_folder);
        request.resume = state;
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel({{"model.layers.dense.units", "31"}})), request, {}, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, std::string("checkpoint.shape"));
        QCOMPARE(outcome.error().subject, std::string("dense/kernel"));
    }
    /// A file of other data, or of a part of the model, is no checkpoint of it.
    void aCheckpointThatLacksAWeightIsRefused()
    {
        auto const p = mnist("gc200:tiles=16", smallModel());
        auto state = trained(p, requestIn(m_folder)).state;
        std::erase_if(state.tensors, [](auto const &tensor) { return tensor.name == "dense_1/bias"; });
        auto const judged = runtime::evaluate(p, requestIn(m_folder), &state, {});
        QVERIFY(!judged.ok());
        QCOMPARE(judged.error().code, std::string("checkpoint.missing"));
        QCOMPARE(judged.error().subject, std::string("dense_1/bias"));
        auto request = requestIn(m_folder);
        request.resume = runtime::TrainingState();
        auto const resumed = runtime::train(p, request, {}, {});
        QVERIFY(!resumed.ok());
        QCOMPARE(resumed.error().code, std::string("checkpoint.missing"));
        // Missing optimizer state starts from zero: weights alone are a valid start.
        auto weights = trained(p, requestIn(m_folder)).state;
        std::erase_if(weights.tensors, [](auto const &tensor) { return tensor.name.ends_with("/rms"); });
        request.resume = weights;
        QVERIFY(runtime::train(p, request, {}, {}).ok());
    }
    void cacheHitsReturnTheSameExecutable()
    {
        auto const p = mnist("gc200:tiles=16", smallModel({{"training.batch_size", "64"}}));
        auto const miss = compiler::compile(p, requestIn(m_folder).compile, {}).value();
        auto const hit = compiler::compile(p, requestIn(m_folder).compile, {}).value();
        QCOMPARE(miss.cache, std::string("miss"));
        QCOMPARE(hit.cache, std::string("hit"));
        QVERIFY(executable::serialize(*hit.executable) == executable::serialize(*miss.executable));
        auto again = requestIn(m_folder).compile;
        again.useCache = false;
        auto const off = compiler::compile(p, again, {}).value();
        QCOMPARE(off.cache, std::string("off"));
        QVERIFY(executable::serialize(*off.executable) == executable::serialize(*miss.executable));
        QCOMPARE(hit.flopsPerStep, miss.flopsPerStep);
        QCOMPARE(hit.vertices, miss.vertices);
    }
    void changedInputsOfAnExecutableMiss_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("cache");
        QTest::newRow("batch") << "training.batch_size"
                               << "16"
                               << "miss";
        QTest::newRow("rate") << "training.optimizer.learning_rate"
                              << "0.5"
                              << "hit";
        QTest::newRow("rho") << "training.optimizer.rho"
                             << "0.5"
                             << "miss";
        QTest::newRow("units") << "model.layers.dense.units"
                               << "33"
                               << "miss";
        QTest::newRow("target") << "system.target"
                                << "gc200:tiles=17"
                                << "miss";
        QTest::newRow("option") << "ipu_config.matmuls.clear_pass_type"
                                << "true"
                                << "miss";
        QTest::newRow("partials") << "ipu_config.matmuls.poplar_options.availableMemoryProportion"
                                  << "0.2"
                                  << "miss";
        QTest::newRow("epochs") << "training.epochs"
                                << "9"
                                << "hit";
        QTest::newRow("seed") << "training.seed"
                              << "9"
                              << "hit";
        QTest::newRow("data") << "data.limit"
                              << "128"
                              << "hit";
        QTest::newRow("title") << "title"
                               << "another"
                               << "hit";
    }
    void changedInputsOfAnExecutableMiss()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, cache);
        SessionFolder const folder;
        auto const p = mnist("gc200:tiles=16", smallModel());
        QCOMPARE(compiler::compile(p, requestIn(folder).compile, {})->cache, std::string("miss"));
        auto const changed = project::withField(p, path.toStdString(), value.toStdString(), nullptr);
        QVERIFY2(changed.ok(), changed.ok() ? "" : toText(changed.error()).c_str());
        auto const outcome = compiler::compile(*changed, requestIn(folder).compile, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QCOMPARE(outcome->cache, cache.toStdString());
        if (cache == "miss") QVERIFY(!outcome->cacheReason.empty());
        auto fresh = requestIn(folder).compile;
        fresh.useCache = false;
        // From the cache or new, it equals a compile of this project.
        QVERIFY(executable::serialize(*outcome->executable) == executable::serialize(*compiler::compile(*changed, fresh, {})->executable));
    }
    void anotherCutOfThePipelineMisses()
    {
        SessionFolder const folder;
        Fields const plan{{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}};
        auto const a = mnist("gc200:tiles=16,ipus=2", twoStages(smallModel(plan)));
        auto b = project::withField(a, "model.layers.dense_1.stage", "0", nullptr).value();
        QCOMPARE(compiler::compile(a, requestIn(folder).compile, {})->cache, std::string("miss"));
        QCOMPARE(compiler::compile(b, requestIn(folder).compile, {})->cache, std::string("miss"));
    }
};

TW_REGISTER_TEST(TstCheckpoints);
#include "tst_checkpoints.moc"
