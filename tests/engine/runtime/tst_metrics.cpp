// Metrics of an epoch: figures of all its samples, with and without weights.
#include "engine/data/npy.h"
#include "engine/runtime/session_parts.h"
#include "tests/engine/runtime/identity_model.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

class TstMetrics : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// A model of one weight 1, whose predictions are its inputs. Nothing learns.
    project::Project identity(std::vector<float> const &x, std::vector<float> const &y, std::vector<float> const &weights,
                              std::string const &target, Fields const &fields) const
    {
        return identityModel(m_folder, x, y, weights, target, fields);
    }
    static double figure(std::vector<std::pair<std::string, double>> const &figures, std::string const &name)
    {
        for (auto const &[each, value] : figures)
            if (each == name) return value;
        qWarning("no figure '%s'", name.c_str());
        return -1;
    }

    // In the first batch of four 1 of 1 decisions for 1 is right, in the second 1 of 3.
    std::vector<float> const m_x{0.9f, 0.1f, 0.2f, 0.3f, 0.8f, 0.7f, 0.6f, 0.2f}, m_y{1, 0, 1, 1, 1, 0, 0, 0}, m_w{1, 1, 1, 1, 3, 1, 1, 1};
    static constexpr char const *kBatch = "training.batch_size";

private slots:
    void anEpochHasTheFigureOfAllItsSamples_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("tiles");
        QTest::newRow("host") << "cpu" << false;
        QTest::newRow("fused") << "gc200:tiles=8" << false;
        QTest::newRow("tile") << "gc200:tiles=8" << true;
        QTest::newRow("two replicas") << "gc200:tiles=8,ipus=2" << false;
    }
    void anEpochHasTheFigureOfAllItsSamples()
    {
        QFETCH(QString, target);
        QFETCH(bool, tiles);
        auto const p = identity(m_x, m_y, m_w, target.toStdString(),
                                {{kBatch, "4"}, {"training.metrics", R"(["Precision", "Recall", "TruePositives", "RootMeanSquaredError",
                                   {"class_name": "Precision", "config": {"name": "p", "thresholds": [0.05, 0.65]}}])"}});
        auto const outcome = trained(p, requestIn(m_folder, tiles ? Mode::Tile : Mode::Fused));
        auto const &metrics = outcome.epochs.at(0).metrics;
        QCOMPARE(figure(metrics, "precision"), 0.5); // the mean of the batches would be 2/3
        QCOMPARE(figure(metrics, "recall"), 0.5);
        QCOMPARE(figure(metrics, "true_positives"), 2.0);
        QCOMPARE(figure(metrics, "p_0.05"), 0.5);
        QCOMPARE(figure(metrics, "p_0.65"), 2.0 / 3);
        double squares = 0;
        for (std::size_t i = 0; i < m_x.size(); ++i) squares += std::pow(m_x[i] - m_y[i], 2);
        QVERIFY(std::abs(figure(metrics, "root_mean_squared_error") - std::sqrt(squares / 8)) < 1e-6);
    }
    void weightedMetricsCountByWeight()
    {
        Fields const fields{{kBatch, "4"},
                            {"training.metrics", R"(["Precision", "mae"])"},
                            {"training.weighted_metrics", R"(["Precision", "mse"])"},
                            {"data.sample_weight", "w"}};
        auto const outcome = trained(identity(m_x, m_y, m_w, "gc200:tiles=8", fields), requestIn(m_folder));
        auto const &metrics = outcome.epochs.at(0).metrics;
        QCOMPARE(figure(metrics, "precision"), 0.5);
        QCOMPARE(figure(metrics, "weighted_precision"), 4.0 / 6); // of the same name
        double squares = 0;
        for (std::size_t i = 0; i < m_x.size(); ++i) squares += static_cast<double>(m_w[i]) * std::pow(m_x[i] - m_y[i], 2);
        QVERIFY(std::abs(figure(metrics, "mse") - squares / 10) < 1e-6);
        auto const evaluated = runtime::evaluate(identity(m_x, m_y, m_w, "gc200:tiles=8", fields), requestIn(m_folder), nullptr, {});
        QVERIFY(evaluated.ok());
        QCOMPARE(figure(evaluated->metrics, "weighted_precision"), 4.0 / 6);
    }
    void classWeightsCountInTrainingOnly()
    {
        std::vector<float> const one(8, 1.0f);
        auto const p = identity(m_x, m_y, one, "gc200:tiles=8",
                                {{kBatch, "4"},
                                 {"training.weighted_metrics", R"(["mse"])"},
                                 {"training.class_weight", "1,0"},
                                 {"training.validation_split", "0.5"}});
        auto const outcome = trained(p, requestIn(m_folder));
        auto const &epoch = outcome.epochs.at(0);
        QVERIFY(std::abs(figure(epoch.metrics, "mse") - 0.01) < 1e-6); // the only sample of class 0
        QVERIFY(std::abs(figure(epoch.valMetrics, "val_mse") - (0.04 + 0.49 + 0.36 + 0.04) / 4) < 1e-6);
    }
    void sumsOfAnUpdateAreSentOnce()
    {
        Fields const fields{{kBatch, "2"},
                            {"training.gradient_accumulation_steps", "2"},
                            {"training.steps_per_execution", "2"},
                            {"training.accumulate_outfeed", "true"},
                            {"training.metrics", R"(["Precision", "Sum"])"}};
        auto const outcome = trained(identity(m_x, m_y, m_w, "gc200:tiles=8", fields), requestIn(m_folder));
        auto const &metrics = outcome.epochs.at(0).metrics;
        QCOMPARE(figure(metrics, "precision"), 0.5);
        QVERIFY(std::abs(figure(metrics, "sum") - 3.8) < 1e-5);
    }
    void aMetricThatDoesNotFitIsRefused_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::newRow("class") << R"({"class_name": "Recall", "config": {"class_id": 1}})";
        QTest::newRow("labels") << R"({"class_name": "AUC", "config": {"multi_label": true, "num_labels": 3}})";
        QTest::newRow("weights") << R"({"class_name": "AUC", "config": {"label_weights": [1, 2]}})";
        QTest::newRow("normalizer") << R"({"class_name": "MeanRelativeError", "config": {"normalizer": [1, 2]}})";
        QTest::newRow("classes") << R"("MeanIoU")";
        QTest::newRow("class numbers") << R"("SparseCategoricalAccuracy")";
    }
    void aMetricThatDoesNotFitIsRefused()
    {
        QFETCH(QString, metric);
        auto const p = identity(m_x, m_y, m_w, "gc200:tiles=8", {{kBatch, "4"}, {"training.metrics", "[" + metric.toStdString() + "]"}});
        auto const outcome = runtime::train(p, requestIn(m_folder), {}, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, std::string("layers.metric"));
    }
};

TW_REGISTER_TEST(TstMetrics);
#include "tst_metrics.moc"
