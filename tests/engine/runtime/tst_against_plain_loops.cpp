#include "engine/data/batcher.h"
#include "engine/data/data_source.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <array>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

namespace {

using Vec = std::vector<double>;

/// A dense network with its optimizer, implemented again from the textbook in double.
struct PlainMlp {
    struct Dense {
        std::size_t in, out;
        Vec kernel, bias, kernelMean, biasMean; ///< means: RMSprop's of the squared gradients
    };
    std::vector<Dense> layers;
    bool rmsprop = true;
    double rate = 0.001;

    void load(runtime::TrainingState const &state, std::vector<std::string> const &names)
    {
        for (auto const &name : names) {
            auto const &k = *state.find(name + "/kernel");
            auto const kernel = floatsOf(k), bias = floatsOf(*state.find(name + "/bias"));
            layers.push_back({static_cast<std::size_t>(k.shape[0]), static_cast<std::size_t>(k.shape[1]), Vec(kernel.begin(), kernel.end()),
                              Vec(bias.begin(), bias.end()), Vec(kernel.size()), Vec(bias.size())});
        }
    }

    /// Mean loss of the batch before the step, which is then taken.
    double step(std::vector<Vec> const &batch, std::vector<int> const &labels, double *accuracy)
    {
        std::vector<std::pair<Vec, Vec>> gradients;
        for (auto const &l : layers) gradients.emplace_back(Vec(l.kernel.size()), Vec(l.bias.size()));
        double loss = 0, hits = 0;
        for (std::size_t sample = 0; sample < batch.size(); ++sample) {
            std::vector<Vec> values{batch[sample]};
            for (std::size_t l = 0; l < layers.size(); ++l) {
                auto const &layer = layers[l];
                Vec y = layer.bias;
                for (std::size_t i = 0; i < layer.in; ++i)
                    for (std::size_t o = 0; o < layer.out; ++o) y[o] += values[l][i] * layer.kernel[i * layer.out + o];
                if (l + 1 < layers.size())
                    for (double &v : y) v = v > 0 ? v : 0;
                values.push_back(std::move(y));
            }
            auto &logits = values.back();
            double const top = *std::max_element(logits.begin(), logits.end());
            double sum = 0;
            for (double v : logits) sum += std::exp(v - top);
            auto const label = static_cast<std::size_t>(labels[sample]);
            loss += std::log(sum) + top - logits[label];
            hits += static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin()) == label;
            Vec d(logits.size());
            for (std::size_t o = 0; o < d.size(); ++o)
                d[o] = (std::exp(logits[o] - top) / sum - (o == label)) / static_cast<double>(batch.size());
            for (std::size_t l = layers.size(); l-- > 0;) {
                auto const &layer = layers[l];
                Vec back(layer.in);
                for (std::size_t i = 0; i < layer.in; ++i)
                    for (std::size_t o = 0; o < layer.out; ++o) {
                        gradients[l].first[i * layer.out + o] += values[l][i] * d[o];
                        back[i] += layer.kernel[i * layer.out + o] * d[o];
                    }
                for (std::size_t o = 0; o < layer.out; ++o) gradients[l].second[o] += d[o];
                for (std::size_t i = 0; i < layer.in; ++i)
                    if (values[l][i] <= 0) back[i] = 0;
                d = std::move(back);
            }
        }
        for (std::size_t l = 0; l < layers.size(); ++l) {
            update(layers[l].kernel, layers[l].kernelMean, gradients[l].first);
            update(layers[l].bias, layers[l].biasMean, gradients[l].second);
        }
        if (accuracy) *accuracy = hits / static_cast<double>(batch.size());
        return loss / static_cast<double>(batch.size());
    }

    void update(Vec &weights, Vec &mean, Vec const &gradient) const
    {
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (!rmsprop) {
                weights[i] -= rate * gradient[i];
                continue;
            }
            mean[i] = 0.9 * mean[i] + 0.1 * gradient[i] * gradient[i];
            weights[i] -= rate * gradient[i] / (std::sqrt(mean[i]) + 1e-7);
        }
    }
};

} // namespace

class TstAgainstPlainLoops : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

private slots:
    void theLossesAreThoseOfPlainLoops_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("tile");
        QTest::addColumn<QString>("optimizer");
        for (auto const *optimizer : {"sgd", "rmsprop"}) {
            QTest::addRow("fused, %s", optimizer) << "gc200" << false << optimizer;
            QTest::addRow("tiles, %s", optimizer) << "gc200:tiles=16" << true << optimizer;
            QTest::addRow("cpu, %s", optimizer) << "cpu" << false << optimizer;
        }
    }
    void theLossesAreThoseOfPlainLoops()
    {
        QFETCH(QString, target);
        QFETCH(bool, tile);
        QFETCH(QString, optimizer);
        bool const sgd = optimizer == "sgd";
        auto p = mnist(target.toStdString(), smallModel({{"training.optimizer", optimizer.toStdString()}, {"training.batch_size", "16"}}));
        if (sgd) p = project::withField(p, "training.optimizer.learning_rate", "0.1", nullptr).value();
        std::vector<double> losses, accuracies;
        auto request = requestIn(m_folder, tile ? Mode::Tile : Mode::Fused);
        request.every = 1;
        request.steps = 12;
        runtime::RunObserver observer;
        observer.step = [&](std::int64_t, double loss, auto const &metrics) {
            losses.push_back(loss);
            accuracies.push_back(metrics.at(0).second);
        };
        auto const outcome = runtime::train(p, request, observer, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QCOMPARE(losses.size(), std::size_t(12));

        auto const data = data::openDataset(p.data, ".", {}).value();
        auto const images = data.x.as<std::uint8_t>();
        auto const labels = data.y.as<std::uint8_t>();
        PlainMlp plain;
        plain.rmsprop = !sgd;
        plain.rate = sgd ? 0.1 : 0.001;
        plain.load(runtime::initialState(p, outcome->compiled.entry()).value(), {"dense", "dense_1", "dense_2"});
        auto const order = data::epochOrder(data.x.count(), static_cast<std::uint64_t>(p.training.seed), 0, true);
        for (std::size_t step = 0; step < 12; ++step) {
            std::vector<Vec> batch;
            std::vector<int> wanted;
            for (std::size_t i = 0; i < 16; ++i) {
                auto const record = order[step * 16 + i];
                Vec sample;
                for (std::size_t k = 0; k < 784; ++k) sample.push_back(images[record * 784 + k] / 255.0);
                batch.push_back(std::move(sample));
                wanted.push_back(labels[record]);
            }
            double accuracy = 0;
            double const expected = plain.step(batch, wanted, &accuracy);
            // RMSprop turns a gradient's sign into a whole step, so that rounding grows from step to step.
            double const tolerance = (sgd ? 2e-5 : 2e-3) * expected;
            QVERIFY2(std::abs(losses[step] - expected) <= tolerance,
                     qPrintable(QString("step %1: %2 instead of %3").arg(step + 1).arg(losses[step], 0, 'g', 9).arg(expected, 0, 'g', 9)));
            if (sgd) QCOMPARE(accuracies[step], accuracy);
        }
        QVERIFY(losses.back() < losses.front());
        if (!sgd) return;
        auto const kernel = floatsOf(*outcome->state.find("dense/kernel"));
        double worst = 0;
        for (std::size_t i = 0; i < kernel.size(); ++i) worst = std::max(worst, std::abs(kernel[i] - plain.layers[0].kernel[i]));
        QVERIFY2(worst < 1e-5, qPrintable(QString::number(worst)));
    }
    void theCpuTargetTrainsAsTheIpuDoes()
    {
        std::vector<double> ipu, cpu;
        auto const a = trained(mnist("gc200", smallModel()), requestIn(m_folder), &ipu);
        auto const b = trained(mnist("cpu", smallModel()), requestIn(m_folder), &cpu);
        QCOMPARE(cpu, ipu);
        QCOMPARE(b.weightsHash, a.weightsHash);
        QVERIFY(a.device.seconds > 0);
        QCOMPARE(b.device.seconds, 0.0);
        QVERIFY(!b.compiled.executable->emulated);
    }
    void theCpuTargetTakesASmallerLastBatch()
    {
        auto const p = mnist("cpu", smallModel({{"training.batch_size", "48"}})); // 256 = 5 * 48 + 16
        std::vector<double> losses;
        auto const outcome = trained(p, requestIn(m_folder), &losses);
        QCOMPARE(losses.size(), std::size_t(6));
        QCOMPARE(outcome.state.epoch, 1);
        double sum = 0;
        for (std::size_t i = 0; i < 6; ++i) sum += losses[i] * (i < 5 ? 48 : 16);
        QVERIFY(std::abs(outcome.epochs[0].loss - sum / 256) < 1e-6);
    }
    void evaluationIsTheMeanOverEverySample()
    {
        // 250 samples do not divide by 32: the batch shrinks, no sample is left out or counted twice.
        auto const p = mnist("gc200:tiles=16", smallModel({{"data.limit", "250"}, {"training.batch_size", "25"}}));
        auto const state = trained(p, requestIn(m_folder)).state;
        auto wide = project::withField(p, "training.batch_size", "32", nullptr).value();
        for (auto mode : {Mode::Fused, Mode::Tile}) {
            auto const a = runtime::evaluate(p, requestIn(m_folder, mode), &state, {}).value();
            auto const b = runtime::evaluate(wide, requestIn(m_folder, mode), &state, {}).value();
            QCOMPARE(a.samples, 250);
            QCOMPARE(b.samples, 250);
            QVERIFY(std::abs(a.loss - b.loss) < 1e-5 * a.loss);
            QVERIFY(std::abs(a.metrics.at(0).second - b.metrics.at(0).second) < 1e-6);
        }
        DiagnosticSink sink;
        JobContext job;
        job.warnings = &sink;
        QVERIFY(runtime::evaluate(p, requestIn(m_folder), nullptr, job).ok());
        QVERIFY(!sink.all().empty() && sink.all().back().code == "checkpoint.none");
    }
};

TW_REGISTER_TEST(TstAgainstPlainLoops);
#include "tst_against_plain_loops.moc"
