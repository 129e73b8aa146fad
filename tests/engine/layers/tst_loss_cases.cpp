// Losses and metrics against reference values; losses against differences.
#include "engine/layers/forward.h"
#include "engine/layers/metric_builder.h"
#include "engine/ops/op_def.h"
#include "engine/passes/autodiff.h"
#include "tests/engine/layers/case_file.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::tests;
using model::Json;

namespace {

/// A model whose output is its input after the activation (linear: unchanged).
Result<model::ResolvedModel> passThrough(Shape const &prediction, std::string const &activation)
{
    Json shape = Json::array();
    shape.push_back(nullptr);
    for (std::size_t i = 1; i < prediction.size(); ++i) shape.push_back(prediction[i]);
    model::Model m;
    m.layers.push_back(model::makeLayer("Activation", "out", {{"activation", activation}, {"batch_input_shape", shape}}));
    return model::resolve(m);
}

enum class What { PerSample, Trained, Reported };

/// Outfeed: loss (or metric), and for a loss the gradient of the input.
Result<graph::Graph> lossGraph(model::Loss const &loss, RefTensor const &prediction, Shape const &labels, DType labelType,
                               std::string const &activation, What what)
{
    TW_ASSIGN(auto const resolved, passThrough(prediction.shape, activation));
    graph::Graph g;
    addRegion(g, "main");
    layers::BuildContext c(resolved, g, ops::opLookup(), prediction.shape[0], false);
    auto const fed = layers::buildInfeed(c, {{"x", prediction.shape, DType::F32}, {"y", labels, labelType}});
    TW_ASSIGN(auto const forward, layers::buildForward(c, std::span(fed).first(1)));
    layers::Prediction p{0, forward.outputs[0], c.logits(resolved.outputs[0]), fed[1], {}, {}};
    graph::ValueId value;
    if (what == What::PerSample) {
        value = layers::buildSampleLoss(c, loss, p);
    } else {
        auto const values = layers::buildLoss(c, loss, p);
        value = what == What::Trained ? values.trained : values.reported;
    }
    auto const type = g.value(value);
    passes::GradientSeed const seed{value, c.b.constant(1.0, type.shape)};
    TW_ASSIGN(auto const gradients, passes::appendGradients(c.b, c.ops, {{&seed, 1}, {}, std::span(fed).first(1), true}));
    layers::buildOutfeed(c, {value, gradients.values[0]});
    TW_TRY(graph::verify(g, c.ops));
    return g;
}

std::vector<RefTensor> runGraph(graph::Graph const &g, RefTensor const &x, RefTensor const &y)
{
    GraphRunner runner{g};
    runner.context.precision = reference::Precision::Double;
    runner.infeed = [&](graph::Node const &) { return std::vector<RefTensor>{x, y}; };
    if (!runner.run()) {
        qWarning("%s", runner.error.c_str());
        return {};
    }
    return runner.outfed[0];
}

/// Labels in the form of this loss: class numbers lose a last axis of 1, others are floating.
RefTensor labelsFor(model::Loss const &loss, RefTensor labels, Shape const &prediction)
{
    auto const type = layers::labelType(loss, prediction);
    labels.dtype = type.dtype;
    labels.shape = type.shape;
    return labels;
}

QString runLossCase(QString const &path, int &checked, int &skipped)
{
    auto const json = readCase(path);
    auto const loss = model::parseLoss(json["loss"]);
    if (!loss.ok() || !json.value("sample_weight", Json()).is_null()) {
        ++skipped;
        return {};
    }
    auto const prediction = caseTensor(json["y_pred"]);
    auto const labels = labelsFor(*loss, caseTensor(json["y_true"]), prediction.shape);
    if (static_cast<std::size_t>(elementCount(labels.shape)) != labels.v.size() || prediction.shape.empty()) {
        ++skipped;
        return {};
    }
    ++checked;
    auto const &expected = json["expected"];
    for (auto what : {What::PerSample, What::Trained}) {
        auto const g = lossGraph(*loss, prediction, labels.shape, labels.dtype, "linear", what);
        if (!g.ok()) return toText(g.error()).c_str();
        auto const got = runGraph(*g, prediction, labels);
        if (got.empty()) return "did not run";
        if (what == What::PerSample) {
            if (double const d = difference(got[0], caseTensor(expected["per_sample"])); !(d < 3e-6))
                return QString("per sample off by %1").arg(d);
            continue;
        }
        if (loss->reduction() != model::Reduction::None) {
            RefTensor const value = expected["value"].is_number() ? RefTensor{DType::F32, {}, {expected["value"].get<double>()}}
                                                                  : caseTensor(expected["value"]);
            if (double const d = difference(got[0], value); !(d < 3e-6)) return QString("value off by %1").arg(d);
        }
        if (expected["grad_y_pred"].is_null()) continue;
        if (double const d = difference(got[1], caseTensor(expected["grad_y_pred"])); !(d < 1e-5))
            return QString("gradient off by %1").arg(d);
    }
    return {};
}

/// Totals of a metric's first figure over micro-batches.
struct Measured {
    Tally tally;
    std::vector<double> totals;
    double samples = 0;

    void add(std::vector<double> const &sums, double batch)
    {
        bool const isMean = tally.reading == Tally::Reading::Mean;
        totals.resize(sums.size(), 0.0);
        for (std::size_t i = 0; i < sums.size(); ++i) totals[i] += isMean ? sums[i] * batch : sums[i];
        samples += batch;
    }
    double figure() const { return tally.reading == Tally::Reading::Mean ? totals.at(0) / samples : figureOf(tally, totals); }
};

/// Adds the metric of one micro-batch.
void measure(Measured &measured, model::Metric const &metric, RefTensor const &prediction, RefTensor const &labels, double samples,
             QString *problem)
{
    auto const fail = [&](QString const &what) { *problem = what; };
    auto const resolved = passThrough(prediction.shape, "linear");
    if (!resolved.ok()) return fail(toText(resolved.error()).c_str());
    graph::Graph g;
    addRegion(g, "main");
    layers::BuildContext c(*resolved, g, ops::opLookup(), prediction.shape[0], false);
    auto const fed = layers::buildInfeed(c, {{"x", prediction.shape, DType::F32}, {"y", labels.shape, labels.dtype}});
    auto const forward = layers::buildForward(c, std::span(fed).first(1));
    layers::Prediction p{0, forward->outputs[0], {}, fed[1], {}, {}};
    auto const figures = layers::buildMetric(c, metric, p);
    if (!figures.ok()) return fail(toText(figures.error()).c_str());
    layers::buildOutfeed(c, {figures->front().sums});
    auto const got = runGraph(g, prediction, labels);
    if (got.empty()) return fail("did not run");
    measured.tally = figures->front().tally;
    measured.add(got[0].v, samples);
}

double metricOf(model::Metric const &metric, RefTensor const &prediction, RefTensor const &labels, QString *problem)
{
    Measured measured;
    measure(measured, metric, prediction, labels, 1, problem);
    return problem->isEmpty() ? measured.figure() : 0.0;
}

QString runMetricCase(QString const &path, int &checked, int &skipped)
{
    auto const json = readCase(path);
    auto const metric = model::parseMetric(json["metric"]);
    bool known = metric.ok() && json["updates"].is_array();
    if (known)
        for (auto const &update : json["updates"])
            known =
                known && update.contains("y_pred") && update.value("sample_weight", Json()).is_null() && update["result_after"].is_number();
    if (!known) {
        ++skipped;
        return {};
    }
    ++checked;
    Measured measured;
    for (auto const &update : json["updates"]) {
        auto const prediction = caseTensor(update["y_pred"]);
        auto labels = caseTensor(update["y_true"]);
        auto const *spec = model::findMetricSpec(metric->className);
        bool const sparse = spec && spec->labels == model::MetricLabels::ClassNumbers;
        Shape wanted = prediction.shape;
        if (sparse) wanted.pop_back();
        if (static_cast<std::size_t>(elementCount(wanted)) != labels.v.size()) return "labels have another size";
        labels.dtype = sparse ? DType::I32 : DType::F32;
        labels.shape = wanted;
        QString problem;
        measure(measured, *metric, prediction, labels, static_cast<double>(elementCount(prediction.shape) / prediction.shape.back()),
                &problem);
        if (!problem.isEmpty()) return problem;
        double const expected = update["result_after"].get<double>();
        if (std::abs(measured.figure() - expected) > 3e-6 * std::max(1.0, std::abs(expected)))
            return QString("%1 where %2 is right").arg(measured.figure()).arg(expected);
    }
    return {};
}

} // namespace

class TstLossCases : public QObject {
    Q_OBJECT
private slots:
    void lossesAgreeWithReferenceValues() { runAll("loss", runLossCase, 12); }
    void metricsAgreeWithReferenceValues() { runAll("metric", runMetricCase, 30); }

    void gradientsAgreeWithDifferences_data()
    {
        QTest::addColumn<QString>("loss");
        QTest::addColumn<QString>("activation");
        QTest::addColumn<bool>("probabilities");
        for (auto const &spec : model::lossSpecs()) {
            auto const name = QString::fromStdString(spec.className);
            bool const cross = spec.crossentropy;
            QString const plain = QString(R"({"class_name":"%1","config":{}})").arg(name);
            QTest::newRow(qPrintable(QString(name) + " of probabilities")) << plain << "linear" << true;
            if (!cross) continue;
            QTest::newRow(qPrintable(QString(name) + " behind softmax")) << plain << "softmax" << false;
            QTest::newRow(qPrintable(QString(name) + " behind sigmoid")) << plain << "sigmoid" << false;
            QTest::newRow(qPrintable(QString(name) + " of logits"))
                << QString(R"({"class_name":"%1","config":{"from_logits":true}})").arg(name) << "linear" << false;
        }
        QTest::newRow("smoothed categorical") << R"({"class_name":"CategoricalCrossentropy","config":{"label_smoothing":0.1}})"
                                              << "softmax" << false;
        QTest::newRow("smoothed binary") << R"({"class_name":"BinaryCrossentropy","config":{"label_smoothing":0.1}})"
                                         << "sigmoid" << false;
        QTest::newRow("narrow Huber") << R"({"class_name":"Huber","config":{"delta":0.2}})"
                                      << "linear" << false;
        QTest::newRow("Hinge behind tanh") << R"("hinge")"
                                           << "tanh" << false;
        QTest::newRow("sum") << R"({"class_name":"MeanSquaredError","config":{"reduction":"sum"}})"
                             << "tanh" << false;
        QTest::newRow("none") << R"({"class_name":"MeanSquaredError","config":{"reduction":"none"}})"
                              << "tanh" << false;
    }
    void gradientsAgreeWithDifferences()
    {
        QFETCH(QString, loss);
        QFETCH(QString, activation);
        QFETCH(bool, probabilities);
        auto const parsed = model::parseLoss(*model::parseJson(loss.toStdString(), "test"));
        QVERIFY(parsed.ok());
        for (Shape const &shape : {Shape{4, 3}, Shape{2, 2, 3}}) {
            auto x = probabilities ? randomTensor(shape, 3, 0.05, 0.95) : randomTensor(shape, 3, -2, 2);
            auto const type = layers::labelType(*parsed, shape);
            auto const y = type.dtype == DType::I32 ? randomIntegers(type.shape, 4, 3) : randomTensor(type.shape, 4, 0, 1);
            auto const g = lossGraph(*parsed, x, type.shape, type.dtype, activation.toStdString(), What::Trained);
            QVERIFY2(g.ok(), g.ok() ? "" : toText(g.error()).c_str());
            auto const stated = runGraph(*g, x, y);
            for (std::size_t e = 0; e < x.v.size(); ++e) {
                double const h = 1e-5, at = x.v[e];
                x.v[e] = at + h;
                double const up = runGraph(*g, x, y)[0].v[0];
                x.v[e] = at - h;
                double const down = runGraph(*g, x, y)[0].v[0];
                x.v[e] = at;
                QVERIFY2(std::abs((up - down) / (2 * h) - stated[1].v[e]) < 1e-6 * (1 + std::abs(stated[1].v[e])),
                         qPrintable(QString("element %1: %2, differences say %3").arg(e).arg(stated[1].v[e]).arg((up - down) / (2 * h))));
            }
        }
    }
    void lossesOfOneSample_data()
    {
        QTest::addColumn<QString>("loss");
        QTest::addColumn<QList<double>>("labels");
        QTest::addColumn<QList<double>>("prediction");
        QTest::addColumn<double>("value");
        auto const row = [](char const *loss, QList<double> labels, QList<double> prediction, double value) {
            QTest::addRow("%s %d", loss, static_cast<int>(10 * labels.back())) << QString(loss) << labels << prediction << value;
        };
        row("mape", {2, 4}, {1, 5}, 37.5);
        row("msle", {0, 1}, {1, 0}, std::pow(std::log(2), 2));
        row("huber", {0, 0}, {0.5, -2}, (0.125 + 1.5) / 2);
        row("log_cosh", {0, 3}, {1, 2}, std::log(std::cosh(1)));
        row("hinge", {0, 1}, {0.3, 0.6}, (1.3 + 0.4) / 2);    // labels turn into -1 and 1
        row("hinge", {-1, 0.5}, {0.3, 0.6}, (1.3 + 0.7) / 2); // not all of them are 0 or 1: they stay
        row("squared_hinge", {0, 1}, {0.3, 0.6}, (1.69 + 0.16) / 2);
        row("categorical_hinge", {0, 1, 0}, {0.3, 0.6, 0.1}, 0.7);
        row("poisson", {1, 2}, {1, 2}, (3 - 2 * std::log(2)) / 2);
        row("kld", {0.5, 0.5}, {0.25, 0.75}, 0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3));
        row("cosine_similarity", {3, 4}, {4, 3}, -0.96);
    }
    void lossesOfOneSample()
    {
        QFETCH(QString, loss);
        QFETCH(QList<double>, labels);
        QFETCH(QList<double>, prediction);
        QFETCH(double, value);
        auto const parsed = model::parseLoss(loss.toStdString());
        QVERIFY(parsed.ok());
        Shape const shape{1, prediction.size()};
        auto const g =
            lossGraph(*parsed, {DType::F32, shape, {prediction.begin(), prediction.end()}}, shape, DType::F32, "linear", What::PerSample);
        QVERIFY2(g.ok(), g.ok() ? "" : toText(g.error()).c_str());
        auto const got =
            runGraph(*g, {DType::F32, shape, {prediction.begin(), prediction.end()}}, {DType::F32, shape, {labels.begin(), labels.end()}});
        QVERIFY2(std::abs(got[0].v[0] - value) < 2e-6, qPrintable(QString("%1, not %2").arg(got[0].v[0]).arg(value)));
    }
    void metricsOfOneBatch()
    {
        double const inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
        RefTensor const p{DType::F32, {5, 3}, {0.5, 0.3, 0.2, 0.2, 0.5, 0.3, 0.4, 0.4, 0.2, -inf, 1, 0, 1, nan, 0}};
        RefTensor const classes{DType::I32, {5}, {1, 0, 1, 2, 1}};
        RefTensor const hot{DType::F32, {5, 3}, {0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0}};
        QString problem;
        auto const value = [&](Json const &metric, RefTensor const &prediction, RefTensor const &labels) {
            return metricOf(*model::parseMetric(metric), prediction, labels, &problem);
        };
        auto const top = [](char const *name, int k) { return Json{{"class_name", name}, {"config", {{"k", k}}}}; };
        // Second; third; tied for the first; second after an infinity; NaN, which is no hit.
        for (auto const &[k, share] : {std::pair(1, 0.2), std::pair(2, 0.6), std::pair(3, 0.8)}) {
            QCOMPARE(value(top("SparseTopKCategoricalAccuracy", k), p, classes), share);
            QCOMPARE(value(top("TopKCategoricalAccuracy", k), p, hot), share);
        }
        RefTensor const x{DType::F32, {2, 2}, {1, 0, 3, 4}}, y{DType::F32, {2, 2}, {1, 1, 4, 3}};
        QCOMPARE(value("Accuracy", x, y), 0.25);
        QVERIFY(std::abs(value("cosine_similarity", x, y) - (std::sqrt(0.5) + 0.96) / 2) < 1e-6);
        QVERIFY(std::abs(value("logcosh", x, y) - 0.75 * std::log(std::cosh(1))) < 1e-6);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
    void theBinaryLossOfAZeroLogitHasItsTrueGradient()
    {
        auto const loss = model::parseLoss("binary_crossentropy");
        RefTensor const x{DType::F32, {1, 2}, {0, 0}}, y{DType::F32, {1, 2}, {1, 0}};
        auto const g = lossGraph(*loss, x, y.shape, y.dtype, "sigmoid", What::Trained);
        QVERIFY(g.ok());
        auto const got = runGraph(*g, x, y);
        QCOMPARE(got[0].v[0], std::log(2.0));
        QCOMPARE(got[1].v[0], -0.25); // (1/2 - 1) / 2
        QCOMPARE(got[1].v[1], 0.25);
    }
    void reductionNoneReportsTheMeanAndTrainsTheSum()
    {
        auto const loss = model::parseLoss(Json{{"class_name", "MeanSquaredError"}, {"config", {{"reduction", "none"}}}});
        RefTensor const x{DType::F32, {2, 1}, {1, 3}}, y{DType::F32, {2, 1}, {0, 0}};
        auto const trained = lossGraph(*loss, x, y.shape, y.dtype, "linear", What::Trained);
        auto const reported = lossGraph(*loss, x, y.shape, y.dtype, "linear", What::Reported);
        QVERIFY(trained.ok() && reported.ok());
        QCOMPARE(runGraph(*trained, x, y)[0].v[0], 10.0);
        QCOMPARE(runGraph(*reported, x, y)[0].v[0], 5.0);
    }

private:
    template <typename F> void runAll(QString const &folder, F const &one, int atLeast)
    {
        auto const files = caseFiles(folder);
        if (files.isEmpty()) QSKIP("the reference cases are not here");
        int checked = 0, skipped = 0;
        QStringList wrong;
        for (auto const &path : files)
            if (auto const message = one(path, checked, skipped); !message.isEmpty())
                wrong << path.mid(casesFolder().size() + 1) + ": " + message;
        qInfo("%d cases checked, %d skipped", checked, skipped);
        QVERIFY2(wrong.isEmpty(), qPrintable("\n" + wrong.join("\n")));
        QVERIFY2(checked >= atLeast, qPrintable(QString::number(checked)));
    }
};

TW_REGISTER_TEST(TstLossCases);
#include "tst_loss_cases.moc"
