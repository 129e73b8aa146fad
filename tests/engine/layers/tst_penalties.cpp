// Penalties in loss and gradients, against their formulas written out here.
#include "tests/engine/layers/limited_models.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::tests;
using model::Json;
using model::makeLayer;

namespace {

double sumAbs(RefTensor const &t)
{
    double sum = 0;
    for (double const v : t.v) sum += std::abs(v);
    return sum;
}

double sumSquares(RefTensor const &t)
{
    double sum = 0;
    for (double const v : t.v) sum += v * v;
    return sum;
}

/// Mean |cos| of all pairs of rows of a matrix.
double meanCosine(RefTensor const &t)
{
    auto const n = static_cast<std::size_t>(t.shape[0]), m = static_cast<std::size_t>(t.shape[1]);
    double sum = 0;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b) {
            double ab = 0, aa = 0, bb = 0;
            for (std::size_t i = 0; i < m; ++i) {
                ab += t.v[a * m + i] * t.v[b * m + i];
                aa += t.v[a * m + i] * t.v[a * m + i];
                bb += t.v[b * m + i] * t.v[b * m + i];
            }
            sum += std::abs(ab) / std::sqrt(aa * bb);
        }
    return sum / (static_cast<double>(n * (n - 1)) / 2);
}

Json l1(double factor) { return {{"class_name", "L1"}, {"config", {{"l1", factor}}}}; }
Json l2(double factor) { return {{"class_name", "L2"}, {"config", {{"l2", factor}}}}; }

bool near(double a, double b) { return std::abs(a - b) <= 2e-6 * std::max(1.0, std::abs(b)); }

#define QNEAR(a, b) QVERIFY2(near(a, b), qPrintable(QString("%1 is not %2").arg(a, 0, 'g', 12).arg(b, 0, 'g', 12)))

/// The loss with penalties is that without them plus `wanted`, which is also reported alone.
void compare(LimitedModel const &m, double wanted)
{
    auto const with = evaluated(m), without = evaluated(m.unlimited());
    QVERIFY(wanted > 1e-3);
    QNEAR(with.penalty(), wanted);
    QNEAR(with.loss(), without.loss() + wanted);
    QVERIFY(!without.outfed[0].contains("regularization_loss"));
}

} // namespace

class TstPenalties : public QObject {
    Q_OBJECT
private slots:
    void weightsCountByTheirFormulas()
    {
        auto const model = [](Json regularizer) {
            return LimitedModel({makeLayer("Dense", "d", {{"units", 4}, {"kernel_regularizer", std::move(regularizer)}})}, {5});
        };
        auto const kernel = evaluated(model(nullptr)).weights.at("d/kernel");
        compare(model(l1(0.02)), 0.02 * sumAbs(kernel));
        compare(model(l2(0.03)), 0.03 * sumSquares(kernel));
        compare(model({{"class_name", "L1L2"}, {"config", {{"l1", 0.1}, {"l2", 0.2}}}}), 0.1 * sumAbs(kernel) + 0.2 * sumSquares(kernel));
        compare(model({{"class_name", "OrthogonalRegularizer"}, {"config", {{"factor", 0.5}}}}), 0.5 * meanCosine(kernel));
        RefTensor columns{DType::F32, {4, 5}, {}};
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t r = 0; r < 5; ++r) columns.v.push_back(kernel.v[r * 4 + c]);
        compare(model({{"class_name", "OrthogonalRegularizer"}, {"config", {{"factor", 0.5}, {"mode", "columns"}}}}),
                0.5 * meanCosine(columns));
    }
    void outputsCountPerSampleInEveryCallAndWeightsOnce()
    {
        model::Model m;
        m.kind = model::ModelKind::Functional;
        auto input = model::makeInput("in", {4});
        input.calls.emplace_back();
        auto shared = makeLayer("Dense", "d", {{"units", 4}, {"kernel_regularizer", l2(0.25)}, {"activity_regularizer", l2(0.5)}});
        shared.calls = {model::Call{{model::TensorRef{"in"}}}, model::Call{{model::TensorRef{"d", 0}}}};
        m.layers = {input, shared};
        m.inputs = {{"in"}};
        m.outputs = {{"d", 1}};
        LimitedModel limited({}, {4});
        limited.model = m;
        auto first = limited;
        first.model.layers[1].calls.resize(1);
        first.model.outputs = {{"d", 0}};
        auto const one = predicted(first), two = predicted(limited);
        double const outputs = sumSquares(one.outfed[0].at("d")) + sumSquares(two.outfed[0].at("d"));
        compare(limited, 0.25 * sumSquares(one.weights.at("d/kernel")) + 0.5 * outputs / 3);
    }
    void frozenWeightsCount()
    {
        LimitedModel const m({makeLayer("Dense", "d", {{"units", 4}, {"trainable", false}, {"bias_regularizer", l2(0.5)}})}, {5});
        compare(m, 0.5 * sumSquares(evaluated(m).weights.at("d/bias")));
    }
    void innerLayersCount()
    {
        Json const dense{{"class_name", "Dense"},
                         {"config", {{"units", 4}, {"kernel_regularizer", l2(0.5)}, {"activity_regularizer", l1(0.25)}}}};
        LimitedModel const steps({makeLayer("TimeDistributed", "t", {{"layer", dense}})}, {2, 5});
        auto const outputs = predicted(steps).outfed[0].at("t");
        compare(steps, 0.5 * sumSquares(evaluated(steps).weights.at("t/kernel")) + 0.25 * sumAbs(outputs) / (3 * 2));

        Json const gru{{"class_name", "GRU"},
                       {"config", {{"units", 2}, {"recurrent_regularizer", l2(0.5)}, {"activity_regularizer", l1(0.25)}}}};
        LimitedModel const both({makeLayer("Bidirectional", "b", {{"layer", gru}})}, {3, 2});
        auto const weights = evaluated(both).weights;
        compare(both,
                0.5 * (sumSquares(weights.at("b/forward_recurrent_kernel")) + sumSquares(weights.at("b/backward_recurrent_kernel")))
                    + 0.25 * sumAbs(predicted(both).outfed[0].at("b")) / 3);

        Json const cell{{"class_name", "LSTMCell"}, {"config", {{"units", 2}, {"kernel_regularizer", l2(0.5)}}}};
        LimitedModel const rnn({makeLayer("RNN", "r", {{"cell", cell}})}, {3, 2});
        compare(rnn, 0.5 * sumSquares(evaluated(rnn).weights.at("r/kernel")));
    }
    void layersOfPenaltiesCount()
    {
        LimitedModel const m({makeLayer("PReLU", "p", {{"alpha_regularizer", l1(0.5)}}),
                              makeLayer("ActivityRegularization", "a", {{"l1", 0.25}, {"l2", 0.125}})},
                             {5});
        auto const run = evaluated(m);
        auto const outputs = predicted(m).outfed[0].at("a");
        QNEAR(run.penalty(), 0.5 * sumAbs(run.weights.at("p/alpha")) + (0.25 * sumAbs(outputs) + 0.125 * sumSquares(outputs)) / 3);
        QVERIFY(run.loss() > run.penalty());
    }
    /// One update: w - 0.125 (g + d penalty / dw), with the derivatives l1 sign(w) and 2 l2 w.
    void gradientsOfWeightPenaltiesTrain()
    {
        LimitedModel const m(
            {makeLayer("Dense", "d",
                       {{"units", 4}, {"kernel_regularizer", {{"class_name", "L1L2"}, {"config", {{"l1", 0.5}, {"l2", 0.25}}}}}})},
            {5});
        auto const before = evaluated(m).weights.at("d/kernel");
        auto const with = trained(m).weights.at("d/kernel"), without = trained(m.unlimited()).weights.at("d/kernel");
        for (std::size_t i = 0; i < before.v.size(); ++i) {
            double const w = before.v[i];
            QNEAR(with.v[i], without.v[i] - 0.125 * (0.5 * (w > 0 ? 1 : -1) + 2 * 0.25 * w));
        }
    }
    /// The bias b moves by the mean over the samples of l1 sign(y): y = x w + b.
    void gradientsOfOutputPenaltiesTrain()
    {
        LimitedModel const m({makeLayer("Dense", "d", {{"units", 4}, {"activity_regularizer", l1(0.5)}})}, {5});
        auto const outputs = predicted(m).outfed[0].at("d");
        auto const with = trained(m).weights.at("d/bias"), without = trained(m.unlimited()).weights.at("d/bias");
        for (std::size_t u = 0; u < 4; ++u) {
            double signs = 0;
            for (std::size_t s = 0; s < 3; ++s) signs += outputs.v[s * 4 + u] > 0 ? 1 : -1;
            QNEAR(with.v[u], without.v[u] - 0.125 * 0.5 * signs / 3);
        }
    }
    void aPipelineLearnsWhatOneIpuLearns()
    {
        LimitedModel one({makeLayer("Dense", "d", {{"units", 4}, {"kernel_regularizer", l2(0.5)}, {"activity_regularizer", l1(0.25)}}),
                          makeLayer("Dense", "e", {{"units", 2}, {"kernel_regularizer", l1(0.5)}, {"kernel_constraint", "max_norm"}})},
                         {5});
        one.plan.gradientAccumulationSteps = one.plan.stepsPerExecution = 4;
        auto two = one;
        for (std::size_t i = 0; i < 3; ++i) two.model.layers[i].stage = i == 2 ? 1 : 0;
        auto const a = trained(one), b = trained(two);
        QCOMPARE(a.outfed.size(), std::size_t(4));
        for (std::size_t i = 0; i < 4; ++i) {
            QNEAR(b.loss(i), a.loss(i));
            QNEAR(b.penalty(i), a.penalty(i));
        }
        for (auto const &[name, weight] : a.weights)
            for (std::size_t i = 0; i < weight.v.size(); ++i) QNEAR(b.weights.at(name).v[i], weight.v[i]);
    }
};

TW_REGISTER_TEST(TstPenalties);
#include "tst_penalties.moc"
