// Rules of Keras's fit, evaluate and predict that every part of a run obeys: weights of samples and classes, short batches, synthetic data.
#include "engine/config/flags.h"
#include "engine/data/npy.h"
#include "engine/kernels/half.h"
#include "engine/runtime/session_parts.h"
#include "tests/engine/runtime/identity_model.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;

class TstKerasRules : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// Samples x with labels y, a model of one weight 1: predictions are x. Nothing learns unless a rate is given.
    project::Project identity(std::vector<float> const &x, std::vector<float> const &y, std::vector<float> const &weights,
                              std::string const &target, Fields const &fields) const
    {
        return identityModel(m_folder, x, y, weights, target, fields);
    }

    runtime::RunRequest withFlags(char const *flags)
    {
        auto request = requestIn(m_folder);
        request.compile.environment.flags = *config::PoplarFlags::parse(flags);
        return request;
    }

private slots:
    /// Ten samples in batches of four: the last batch has two, in a program of its own.
    void shortLastBatchCountsAsTheOthers()
    {
        std::vector<float> const x{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, y{0, 1, 0, 1, 0, 1, 0, 1, 1, 1};
        auto const lossIn = [&](char const *batch) {
            auto const p =
                identity(x, y, std::vector<float>(10, 1.0f), "cpu", {{"training.batch_size", batch}, {"training.class_weight", "1,5"}});
            return trained(p, requestIn(m_folder)).epochs.at(0).loss;
        };
        QCOMPARE(lossIn("10"), 3.0); // six of ten are 1, which counts five times
        QVERIFY2(std::abs(lossIn("4") - 3.0) < 1e-6, qPrintable(QString::number(lossIn("4"))));
    }
    void shortLastBatchIsSyntheticAsTheOthers()
    {
        std::vector<float> const x(10, 7.0f), y(10, 3.0f);
        auto const p = identity(x, y, x, "cpu", {{"training.batch_size", "4"}});
        std::vector<double> losses;
        auto request = withFlags("--synthetic_data_categories=infeed");
        (void)trained(p, request, &losses);
        QCOMPARE(losses, (std::vector<double>{0, 0, 0})); // zeros against zeros; the data differ by 4
    }
    void heldOutSamplesKeepTheirWeights()
    {
        std::vector<float> const x(10, 0.0f), y{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        std::vector<float> const weights{1, 1, 1, 1, 1, 1, 0, 0, 0, 2};
        for (char const *executable : {"own", "shared"}) {
            auto const p = identity(x, y, weights, "gc200:tiles=8",
                                    {{"training.batch_size", "5"},
                                     {"training.validation_split", "0.5"},
                                     {"training.validation_executable", executable},
                                     {"data.sample_weight", "w"}});
            auto const outcome = trained(p, requestIn(m_folder));
            QCOMPARE(outcome.epochs.at(0).loss, 3.0);
            QVERIFY(outcome.epochs.at(0).valLoss.has_value());
            QVERIFY(std::abs(*outcome.epochs.at(0).valLoss - (6.0 + 20.0) / 5) < 1e-5);
            // An evaluation of the held-out samples tells the same.
            auto const evaluated = runtime::evaluate(p, requestIn(m_folder), &outcome.state, {});
            QVERIFY2(evaluated.ok(), evaluated.ok() ? "" : toText(evaluated.error()).c_str());
            QVERIFY(std::abs(evaluated->loss - (6.0 + 20.0) / 5) < 1e-5);
        }
    }
    /// validation_data: samples of their own, in both kinds of executable, in the same epochs as a split.
    void validationReadsAFileOfItsOwn()
    {
        std::vector<float> const x(12, 0.0f), y(12, 2.0f);
        std::vector<data::NamedArray> const held{{"x", data::makeArray({6, 1}, std::vector<float>(6, 1.0f))},
                                                 {"y", data::makeArray({6, 1}, std::vector<float>{1, 2, 3, 4, 5, 6})}};
        QVERIFY(data::writeNpz(m_folder.path() / "held.npz", held, false, {}).ok());
        for (char const *executable : {"own", "shared"}) {
            DiagnosticSink sink;
            JobContext job;
            job.warnings = &sink;
            auto const p = identity(x, y, y, "gc200:tiles=8",
                                    {{"training.batch_size", "3"},
                                     {"training.epochs", "3"},
                                     {"training.validation_freq", "2"},
                                     {"training.validation_split", "0.5"},
                                     {"training.validation_executable", executable},
                                     {"data.validation_path", (m_folder.path() / "held.npz").string()}});
            auto const outcome = runtime::train(p, requestIn(m_folder), {}, job);
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QCOMPARE(outcome->epochs.size(), std::size_t(3));
            QCOMPARE(outcome->epochs[0].steps, std::int64_t(4)); // the split holds out nothing
            QCOMPARE(outcome->epochs[0].loss, 2.0);
            QVERIFY(!outcome->epochs[0].valLoss && !outcome->epochs[2].valLoss);
            QCOMPARE(*outcome->epochs[1].valLoss, 2.5);
            QVERIFY(std::ranges::find(sink.all(), std::string("data.two-splits"), &Diagnostic::code) != sink.all().end());
            auto const evaluated = runtime::evaluate(p, requestIn(m_folder), &outcome->state, {});
            QVERIFY2(evaluated.ok(), evaluated.ok() ? "" : toText(evaluated.error()).c_str());
            QCOMPARE(evaluated->loss, 2.5);
            QVERIFY(evaluated->samplesOf == runtime::SamplesOf::Validation);
        }
    }
    /// Wrong labels are told before anything is compiled.
    void validationSamplesAreCheckedBeforeTheCompile()
    {
        auto p = mnist("gc200:tiles=16", smallModel({{"data.validation_path", (m_folder.path() / "wrong.npz").string()}}));
        auto const write = [&](std::int32_t label) {
            std::vector<data::NamedArray> const held{{"x", data::makeArray({2, 28, 28}, std::vector<std::uint8_t>(2 * 784, 9))},
                                                     {"y", data::makeArray({2}, std::vector<std::int32_t>{3, label})}};
            QVERIFY(data::writeNpz(m_folder.path() / "wrong.npz", held, false, {}).ok());
        };
        runtime::RunObserver observer;
        bool compiled = false;
        observer.compiled = [&](compiler::CompileOutcome const &) { compiled = true; };
        write(10);
        auto const refused = runtime::train(p, requestIn(m_folder), observer, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("data.labels.range"));
        QVERIFY(!compiled);
        write(9);
        QVERIFY(runtime::train(p, requestIn(m_folder), observer, {}).ok());
    }
    void validationIgnoresClassWeights()
    {
        std::vector<float> const x(8, 0.0f), y(8, 1.0f);
        auto const p = identity(x, y, y, "gc200:tiles=8",
                                {{"training.batch_size", "4"}, {"training.validation_split", "0.5"}, {"training.class_weight", "1,5"}});
        auto const outcome = trained(p, requestIn(m_folder));
        QCOMPARE(outcome.epochs.at(0).loss, 5.0);
        QCOMPARE(*outcome.epochs.at(0).valLoss, 1.0);
    }
    void executionLongerThanTheEpochEndsWithIt()
    {
        std::vector<float> const x(8, 0.0f), y(8, 1.0f);
        DiagnosticSink sink;
        JobContext job;
        job.warnings = &sink;
        auto const p = identity(x, y, y, "gc200:tiles=8", {{"training.batch_size", "2"}, {"training.steps_per_execution", "256"}});
        auto const outcome = runtime::train(p, requestIn(m_folder), {}, job);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QCOMPARE(outcome->steps, std::int64_t(4));
        QVERIFY(std::ranges::find(sink.all(), std::string("training.short-epoch"), &Diagnostic::code) != sink.all().end());
        // An epoch that holds no whole weight updates is refused as before.
        auto const odd =
            identity(x, y, y, "gc200:tiles=8",
                     {{"training.batch_size", "2"}, {"training.steps_per_execution", "6"}, {"training.gradient_accumulation_steps", "3"}});
        QCOMPARE(runtime::train(odd, requestIn(m_folder), {}, {}).error().code, std::string("training.steps-per-execution"));
    }
    void syntheticTensorsAreFilledToTheirEnd()
    {
        auto const synthetic = *config::syntheticData(*config::PoplarFlags::parse("--use_synthetic_data --synthetic_data_initializer=3"));
        std::vector<std::uint16_t> halves(37, 0xFFFF);
        runtime::fillSynthetic(synthetic, DType::F16, 1, reinterpret_cast<std::byte *>(halves.data()), halves.size() * 2);
        for (auto const half : halves) QCOMPARE(kernels::halfToFloat(half), 3.0f);
        std::vector<std::int32_t> whole(5, -1);
        runtime::fillSynthetic(synthetic, DType::I32, 1, reinterpret_cast<std::byte *>(whole.data()), whole.size() * 4);
        for (auto const value : whole) QCOMPARE(value, 3);
        std::vector<std::uint8_t> bytes(5, 9);
        runtime::fillSynthetic(synthetic, DType::U8, 1, reinterpret_cast<std::byte *>(bytes.data()), bytes.size());
        for (auto const value : bytes) QCOMPARE(value, std::uint8_t(3));
        auto const random = *config::syntheticData(*config::PoplarFlags::parse("--use_synthetic_data --synthetic_data_initializer=random"));
        runtime::fillSynthetic(random, DType::F16, 1, reinterpret_cast<std::byte *>(halves.data()), halves.size() * 2);
        for (std::size_t i = 1; i < halves.size(); ++i) {
            float const value = kernels::halfToFloat(halves[i]);
            QVERIFY(value >= 0 && value <= 1);
        }
        QVERIFY(halves.front() != halves.back());
    }
    void softmaxOverSeveralAxesSumsToOneOverAllOfThem()
    {
        std::vector<float> x;
        for (int i = 0; i < 2 * 3 * 5 * 2; ++i) x.push_back(static_cast<float>((i * 7) % 11) / 3);
        auto p = identity({0, 0}, {0, 0}, {1, 1}, "gc200:tiles=8", {{"training.batch_size", "2"}});
        std::vector<data::NamedArray> const arrays{{"x", data::makeArray({2, 3, 5, 2}, x)}};
        QVERIFY(data::writeNpz(m_folder.path() / "images.npz", arrays, false, {}).ok());
        p.data.path = (m_folder.path() / "images.npz").string();
        p.model.layers = {model::makeInput("in", {3, 5, 2}), model::makeLayer("Softmax", "s", {{"axis", {1, 2}}})};
        for (auto const mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto const predicted = runtime::predict(p, requestIn(m_folder, mode), nullptr, {});
            QVERIFY2(predicted.ok(), predicted.ok() ? "" : toText(predicted.error()).c_str());
            auto const &values = predicted->outputs.at(0).values;
            QCOMPARE(values.size(), x.size());
            for (std::size_t sample = 0; sample < 2; ++sample)
                for (std::size_t channel = 0; channel < 2; ++channel) {
                    double total = 0, weight = 0;
                    for (std::size_t i = 0; i < 15; ++i) weight += std::exp(static_cast<double>(x[sample * 30 + i * 2 + channel]));
                    for (std::size_t i = 0; i < 15; ++i) {
                        auto const at = sample * 30 + i * 2 + channel;
                        total += static_cast<double>(values[at]);
                        QVERIFY(std::abs(static_cast<double>(values[at]) - std::exp(static_cast<double>(x[at])) / weight) < 1e-5);
                    }
                    QVERIFY(std::abs(total - 1) < 1e-5);
                }
        }
    }
    void evaluateAndPredictReadSyntheticData()
    {
        std::vector<float> const x(8, 5.0f), y(8, 1.0f);
        auto const p = identity(x, y, y, "gc200:tiles=8", {{"training.batch_size", "4"}, {"training.validation_split", "0.5"}});
        auto const real = runtime::evaluate(p, requestIn(m_folder), nullptr, {});
        QVERIFY(real.ok());
        QCOMPARE(real->loss, 4.0);
        auto const fed = withFlags("--synthetic_data_categories=infeed --synthetic_data_initializer=2");
        auto const evaluated = runtime::evaluate(p, fed, nullptr, {});
        QVERIFY(evaluated.ok());
        QCOMPARE(evaluated->loss, 0.0); // predictions and labels are 2
        auto const predicted = runtime::predict(p, fed, nullptr, {});
        QVERIFY(predicted.ok());
        for (float const value : predicted->outputs.at(0).values) QCOMPARE(value, 2.0f);
        auto const weighted =
            runtime::predict(p, withFlags("--synthetic_data_categories=parameters --synthetic_data_initializer=3"), nullptr, {});
        QVERIFY(weighted.ok());
        for (float const value : weighted->outputs.at(0).values) QCOMPARE(value, 15.0f);
        auto const dropped = runtime::predict(p, withFlags("--synthetic_data_categories=outfeed"), nullptr, {});
        QVERIFY(dropped.ok());
        for (float const value : dropped->outputs.at(0).values) QCOMPARE(value, 0.0f);
        // A validation during training too.
        auto const trainedOutcome = trained(p, withFlags("--synthetic_data_categories=infeed"));
        QCOMPARE(*trainedOutcome.epochs.at(0).valLoss, 0.0);
    }
};

TW_REGISTER_TEST(TstKerasRules);
#include "tst_keras_rules.moc"
