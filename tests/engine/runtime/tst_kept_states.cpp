// Recurrent layers that keep their state from batch to batch (`stateful`).
#include "engine/data/npy.h"
#include "engine/model/resolve.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;

namespace {

constexpr std::int64_t kStreams = 2, kPart = 4, kParts = 4, kFeatures = 3;

float valueAt(std::int64_t stream, std::int64_t step, std::int64_t feature)
{
    return static_cast<float>((stream * 7 + step * 5 + feature * 3) % 13) / 13 - 0.5f;
}

} // namespace

class TstKeptStates : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// Streams of 16 steps: whole, each a sample, or in four parts, a batch for each part of all streams.
    project::Project projectFor(std::string const &className, bool whole, model::Json config = {}, Fields const &fields = {})
    {
        std::int64_t const steps = whole ? kPart * kParts : kPart, parts = whole ? 1 : kParts;
        std::vector<float> x;
        std::vector<std::int32_t> y;
        for (std::int64_t part = 0; part < parts; ++part)
            for (std::int64_t stream = 0; stream < kStreams; ++stream) {
                for (std::int64_t step = 0; step < steps; ++step)
                    for (std::int64_t f = 0; f < kFeatures; ++f) x.push_back(valueAt(stream, part * kPart + step, f));
                y.push_back(static_cast<std::int32_t>((stream + part) % 2));
            }
        std::vector<data::NamedArray> const arrays{{"x", data::makeArray({parts * kStreams, steps, kFeatures}, x)},
                                                   {"y", data::makeArray({parts * kStreams}, y)}};
        auto const file = m_folder.path() / (whole ? "whole.npz" : "parts.npz");
        if (!data::writeNpz(file, arrays, false, {}).ok()) qFatal("no data");
        Fields all{{"data.path", file.string()},
                   {"data.limit", "0"},
                   {"data.shuffle", "false"},
                   {"training.batch_size", std::to_string(kStreams)},
                   {"training.metrics", "[]"}};
        all.insert(all.end(), fields.begin(), fields.end());
        auto p = mnist("gc200:tiles=8", all);
        config["units"] = 4;
        config["batch_input_shape"] = {nullptr, steps, kFeatures};
        if (!whole) config["stateful"] = true;
        model::Model m;
        m.name = "kept";
        m.layers.push_back(className == "Bidirectional" ? model::makeLayer(className, "cell",
                                                                           {{"layer", {{"class_name", "LSTM"}, {"config", config}}},
                                                                            {"batch_input_shape", config["batch_input_shape"]}})
                                                        : model::makeLayer(className, "cell", config));
        m.layers.push_back(model::makeLayer("Dense", "out", {{"units", 2}, {"activation", "softmax"}}));
        model::normalizeModel(m);
        p.model = std::move(m);
        return p;
    }

    std::vector<float> predicted(project::Project const &p, runtime::Mode mode, runtime::TrainingState const *state = nullptr)
    {
        auto outcome = runtime::predict(p, requestIn(m_folder, mode), state, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return outcome->outputs.at(0).values;
    }

private slots:
    void partsOfAStreamAreTheStream_data()
    {
        QTest::addColumn<QString>("layer");
        QTest::addColumn<bool>("unroll");
        QTest::addColumn<int>("mode");
        for (auto const *layer : {"LSTM", "GRU", "SimpleRNN"})
            for (bool unroll : {false, true})
                for (auto mode : {runtime::Mode::Fused, runtime::Mode::Tile})
                    QTest::newRow(qPrintable(
                        QString("%1 %2 %3").arg(layer, unroll ? "unrolled" : "looped", mode == runtime::Mode::Fused ? "fused" : "tile")))
                        << QString(layer) << unroll << static_cast<int>(mode);
    }
    void partsOfAStreamAreTheStream()
    {
        QFETCH(QString, layer);
        QFETCH(bool, unroll);
        QFETCH(int, mode);
        auto const in = static_cast<runtime::Mode>(mode);
        auto const whole = predicted(projectFor(layer.toStdString(), true, {{"unroll", unroll}}), in);
        auto const parts = predicted(projectFor(layer.toStdString(), false, {{"unroll", unroll}}), in);
        QCOMPARE(whole.size(), std::size_t(kStreams * 2));
        QCOMPARE(parts.size(), std::size_t(kParts * kStreams * 2));
        auto const last = parts.end() - static_cast<std::ptrdiff_t>(whole.size());
        for (std::size_t i = 0; i < whole.size(); ++i) QVERIFY(std::abs(last[static_cast<std::ptrdiff_t>(i)] - whole[i]) < 1e-5f);
        QVERIFY(std::abs(parts[0] - whole[0]) > 1e-4f); // it is no accident
    }
    void trainingGoesOnWithItsStates_data()
    {
        QTest::addColumn<QString>("layer");
        for (auto const *layer : {"LSTM", "GRU", "SimpleRNN", "Bidirectional"}) QTest::newRow(layer) << QString(layer);
    }
    void trainingGoesOnWithItsStates()
    {
        QFETCH(QString, layer);
        auto const p = projectFor(layer.toStdString(), false, {}, {{"training.epochs", "2"}});
        auto const verified = runtime::verify(p, requestIn(m_folder), 3, {});
        QVERIFY2(verified.ok() && verified->agrees,
                 verified.ok() ? qPrintable(QString::number(verified->maxRelativeError)) : toText(verified.error()).c_str());
        // Interrupted after two of four batches: the third begins where the second ended.
        std::vector<double> whole, parts;
        auto const straight = trained(p, requestIn(m_folder), &whole);
        auto request = requestIn(m_folder);
        request.steps = 2;
        auto const first = trained(p, request, &parts);
        QVERIFY(std::ranges::any_of(first.state.tensors, [](auto const &tensor) {
            return tensor.name.ends_with("state_h") && std::ranges::any_of(tensor.bytes, [](std::byte b) { return b != std::byte{0}; });
        }));
        auto rest = requestIn(m_folder);
        rest.resume = first.state;
        auto const second = trained(p, rest, &parts);
        QCOMPARE(parts, whole);
        QVERIFY(sameBytes(second.state, straight.state));
        // Of another batch size they mean nothing: they begin with zeros.
        auto const other = project::withField(p, "training.batch_size", "4", nullptr).value();
        rest.resume->step = 0;
        rest.resume->epoch = 0;
        QVERIFY(runtime::train(other, rest, {}, {}).ok());
    }
    void evaluationsAndPredictionsBeginWithZeros()
    {
        auto const p = projectFor("LSTM", false, {}, {{"training.epochs", "2"}, {"training.optimizer.learning_rate", "0.0"}});
        auto const state = trained(p, requestIn(m_folder)).state; // the weights are those it began with
        QVERIFY(predicted(p, runtime::Mode::Fused, &state) == predicted(p, runtime::Mode::Fused));
        auto const once = runtime::evaluate(p, requestIn(m_folder), &state, {}),
                   again = runtime::evaluate(p, requestIn(m_folder), nullptr, {});
        QVERIFY(once.ok() && again.ok());
        QCOMPARE(once->loss, again->loss);
    }
    /// In a pipeline the next batch moves a state on before this one's gradient is computed.
    void aPipelineComputesTheSame()
    {
        Fields const plan{{"training.steps_per_execution", "4"}, {"training.gradient_accumulation_steps", "4"}, {"training.epochs", "4"}};
        std::vector<double> one;
        trained(projectFor("LSTM", false, {}, plan), requestIn(m_folder), &one);
        auto p = projectFor("LSTM", false, {}, plan);
        for (auto const &[path, value] :
             Fields{{"system.target", "gc200:ipus=2,tiles=8"}, {"model.layers.cell.stage", "0"}, {"model.layers.out.stage", "1"}})
            p = project::withField(p, path, value, nullptr).value();
        std::vector<double> two;
        trained(p, requestIn(m_folder), &two);
        QCOMPARE(two.size(), one.size());
        for (std::size_t i = 0; i < one.size(); ++i)
            QVERIFY2(std::abs(one[i] - two[i]) < 1e-5, qPrintable(QString("%1: %2, %3").arg(i).arg(one[i]).arg(two[i])));
        auto const verified = runtime::verify(p, requestIn(m_folder), 1, {});
        QVERIFY2(verified.ok() && verified->agrees,
                 verified.ok() ? qPrintable(QString::number(verified->maxRelativeError)) : toText(verified.error()).c_str());
    }
    void replicasAreRefused()
    {
        auto const p = projectFor("LSTM", false, {}, {{"system.target", "gc200:ipus=2,tiles=8"}});
        auto const outcome = runtime::train(p, requestIn(m_folder), {}, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, std::string("compile.kept-state-replicas"));
        QCOMPARE(outcome.error().subject, std::string("cell/state_h"));
    }
};

TW_REGISTER_TEST(TstKeptStates);
#include "tst_kept_states.moc"
