// Layers with random numbers in training: their statistics are those of Keras.
#include "engine/training/step_passes.h"
#include "engine/ops/op_def.h"
#include "tests/engine/passes/graph_runner.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::tests;
using model::Json;

namespace {

struct Moments {
    double mean = 0, deviation = 0;
};

Moments momentsOf(std::vector<double> const &values)
{
    Moments m;
    for (double v : values) m.mean += v / static_cast<double>(values.size());
    for (double v : values) m.deviation += (v - m.mean) * (v - m.mean) / static_cast<double>(values.size());
    m.deviation = std::sqrt(m.deviation);
    return m;
}

/// The result of one layer for 40 samples of `shape`, given `input(element)`.
template <typename Input>
RefTensor outputOf(std::string const &className, Json config, Shape const &shape, bool training, Input const &input)
{
    model::Model m;
    m.kind = model::ModelKind::Functional;
    m.name = "model";
    auto in = model::makeInput("in", shape);
    in.calls.emplace_back();
    m.layers.push_back(std::move(in));
    auto layer = model::makeLayer(className, "layer", std::move(config));
    model::Call call;
    call.inputs.push_back({"in", 0, 0});
    layer.calls.push_back(std::move(call));
    m.layers.push_back(std::move(layer));
    m.inputs = {{"in", 0, 0}};
    m.outputs = {{"layer", 0, 0}};
    auto const built = training::buildWithCotangents(model::resolve(m).value(), 40, training, ops::opLookup()).value();
    std::vector<RefTensor> feeds;
    for (auto const &spec : built.infeed) {
        feeds.push_back(randomTensor(spec.shape, 1));
        for (std::size_t i = 0; i < feeds.back().v.size(); ++i) feeds.back().v[i] = input(i);
    }
    GraphRunner runner{built.graph};
    runner.context.seed = 5;
    runner.infeed = [&](graph::Node const &) { return feeds; };
    if (!runner.run()) qFatal("%s", runner.error.c_str());
    return runner.outfed.at(0).at(0);
}

double one(std::size_t) { return 1.0; }

} // namespace

class TstNoiseLayers : public QObject {
    Q_OBJECT
private slots:
    void outsideOfTrainingNothingIsDrawn_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("argument");
        QTest::newRow("SpatialDropout1D") << "SpatialDropout1D"
                                          << "rate";
        QTest::newRow("GaussianNoise") << "GaussianNoise"
                                       << "stddev";
        QTest::newRow("GaussianDropout") << "GaussianDropout"
                                         << "rate";
        QTest::newRow("AlphaDropout") << "AlphaDropout"
                                      << "rate";
    }
    void outsideOfTrainingNothingIsDrawn()
    {
        QFETCH(QString, className);
        QFETCH(QString, argument);
        Json const config{{argument.toStdString(), 0.5}};
        auto const fed = [](std::size_t i) { return static_cast<double>(i % 7); };
        auto const kept = outputOf(className.toStdString(), config, {30, 8}, false, fed);
        for (std::size_t i = 0; i < kept.v.size(); ++i) QCOMPARE(kept.v[i], fed(i));
        auto const drawn = outputOf(className.toStdString(), config, {30, 8}, true, fed);
        QVERIFY(drawn.v != kept.v);
    }
    void wholeChannelsAreDropped()
    {
        auto const y = outputOf("SpatialDropout1D", {{"rate", 0.25}}, {30, 50}, true, one);
        std::size_t dropped = 0;
        for (std::size_t n = 0; n < 40; ++n)
            for (std::size_t c = 0; c < 50; ++c) {
                double const first = y.v[n * 1500 + c];
                QVERIFY(first == 0 || std::abs(first - 1 / 0.75) < 1e-6);
                dropped += first == 0;
                for (std::size_t s = 0; s < 30; ++s) QCOMPARE(y.v[n * 1500 + s * 50 + c], first);
            }
        QVERIFY2(std::abs(static_cast<double>(dropped) / 2000 - 0.25) < 0.05, qPrintable(QString::number(dropped)));
    }
    void noiseHasItsDeviation()
    {
        auto const added = momentsOf(outputOf("GaussianNoise", {{"stddev", 0.5}}, {30, 50}, true, one).v);
        QVERIFY(std::abs(added.mean - 1) < 0.01);
        QVERIFY(std::abs(added.deviation - 0.5) < 0.01);
        auto const scaled = momentsOf(outputOf("GaussianDropout", {{"rate", 0.2}}, {30, 50}, true, one).v);
        QVERIFY(std::abs(scaled.mean - 1) < 0.01);
        QVERIFY(std::abs(scaled.deviation - 0.5) < 0.01);
    }
    void alphaDropoutKeepsMeanAndVariance()
    {
        // A normal input keeps mean 0 and variance 1.
        auto const normal = [](std::size_t i) {
            double const u = unitDouble(randomBits(3, 2 * i)), v = unitDouble(randomBits(3, 2 * i + 1));
            return std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * M_PI * v);
        };
        auto const y = momentsOf(outputOf("AlphaDropout", {{"rate", 0.3}}, {30, 50}, true, normal).v);
        QVERIFY2(std::abs(y.mean) < 0.02, qPrintable(QString::number(y.mean)));
        QVERIFY2(std::abs(y.deviation - 1) < 0.02, qPrintable(QString::number(y.deviation)));
    }
};

TW_REGISTER_TEST(TstNoiseLayers);
#include "tst_noise_layers.moc"
