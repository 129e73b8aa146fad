#include "engine/distributed/thread_link.h"
#include "engine/distributed/train_workers.h"
#include "engine/model/keras_json.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <thread>

using namespace tilewright;
using namespace tilewright::tests;

/// A training that several workers share equals that of one process.
class TstWorkers : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    struct Run {
        runtime::TrainOutcome outcome;
        std::vector<double> losses;
        std::vector<std::string> log;
    };
    Run run(project::Project const &p, int workers, runtime::RunRequest request) const
    {
        Run ran;
        request.every = 1;
        request.compile.log = [&](config::LogComponent, config::LogLevel, Message const &text) { ran.log.push_back(text.text()); };
        runtime::RunObserver observer;
        observer.step = [&](std::int64_t, double loss, auto const &) { ran.losses.push_back(loss); };
        auto outcome = distributed::trainOnThreads(p, request, observer, {}, workers);
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        ran.outcome = std::move(outcome).value();
        return ran;
    }
    Run run(project::Project const &p, int workers) const { return run(p, workers, requestIn(m_folder)); }

    static project::Project replicated(Fields more = {})
    {
        Fields fields{{"training.batch_size", "8"}, {"training.epochs", "2"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16,ipus=4", smallModel(fields));
    }

    /// The replicas draw, and each has statistics of its own.
    static project::Project drawing(Fields const &fields)
    {
        auto p = replicated();
        p.model = model::parseKerasJson(R"({"class_name": "Sequential", "config": {"name": "drawing", "layers": [
            {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 28, 28], "name": "input"}},
            {"class_name": "Flatten", "config": {"name": "flatten"}},
            {"class_name": "Dropout", "config": {"name": "dropout", "rate": 0.25}},
            {"class_name": "Dense", "config": {"name": "dense", "units": 16}},
            {"class_name": "BatchNormalization", "config": {"name": "norm"}},
            {"class_name": "Dense", "config": {"name": "scores", "units": 10, "activation": "softmax"}}]}})")
                      .value();
        for (auto const &[path, value] : fields) p = project::withField(p, path, value, nullptr).value();
        return p;
    }
    static project::Project projectOf(Fields fields)
    {
        auto const kind = fields.empty() ? std::string() : fields[0].first;
        if (kind != "half" && kind != "drawn") return replicated(fields);
        fields.erase(fields.begin());
        if (kind == "drawn") return drawing(fields);
        fields.emplace_back("system.target", "gc200:tiles=16,ipus=4");
        fields.emplace_back("training.batch_size", "8");
        return halfModel("float16", fields);
    }

private slots:
    void workersTrainWhatOneProcessTrains_data()
    {
        QTest::addColumn<Fields>("fields");
        QTest::newRow("plain") << Fields();
        QTest::newRow("accumulation") << Fields{{"training.gradient_accumulation_steps", "2"}, {"training.steps_per_execution", "4"}};
        QTest::newRow("validation of its own") << Fields{{"data.validation_split", "0.25"}, {"training.metrics", "[\"accuracy\"]"}};
        QTest::newRow("validation beside") << Fields{{"data.validation_split", "0.25"}, {"training.validation_executable", "shared"}};
        QTest::newRow("loss scale") << Fields{{"training.optimizer.automatic_loss_scaling", "true"}};
        QTest::newRow("callbacks") << Fields{
            {"data.validation_split", "0.25"},
            {"training.epochs", "4"},
            {"training.callbacks",
             R"([{"class_name": "EarlyStopping", "config": {"monitor": "loss", "min_delta": 10, "patience": 1, "restore_best_weights": true}}])"}};
        QTest::newRow("float16, stochastic rounding") << Fields{{"half", ""}, {"ipu_config.floating_point_behaviour.esr", "ON"}};
        QTest::newRow("dropout, batch normalisation") << Fields{{"drawn", ""}, {"data.validation_split", "0.25"}};
        QTest::newRow("dropout, batch normalisation, validation beside")
            << Fields{{"drawn", ""}, {"data.validation_split", "0.25"}, {"training.validation_executable", "shared"}};
    }
    void workersTrainWhatOneProcessTrains()
    {
        QFETCH(Fields, fields);
        auto const p = projectOf(fields);
        auto const one = run(p, 1);
        QCOMPARE(one.outcome.compiled.executable->replicas, 4);
        for (int const workers : {2, 4}) {
            auto const many = run(p, workers);
            QVERIFY(!many.outcome.stopped);
            QVERIFY(sameBytes(many.outcome.state, one.outcome.state));
            QVERIFY(many.losses == one.losses && !many.losses.empty());
            QCOMPARE(many.outcome.epochs.size(), one.outcome.epochs.size());
            QCOMPARE(many.outcome.endedBy, one.outcome.endedBy);
            for (std::size_t e = 0; e < one.outcome.epochs.size(); ++e) {
                QCOMPARE(many.outcome.epochs[e].loss, one.outcome.epochs[e].loss);
                QCOMPARE(many.outcome.epochs[e].valLoss, one.outcome.epochs[e].valLoss);
                QCOMPARE(many.outcome.epochs[e].valMetrics, one.outcome.epochs[e].valMetrics);
            }
            auto const tells = [&](char const *text) {
                return std::ranges::any_of(many.log, [&](std::string const &line) { return line.find(text) != std::string::npos; });
            };
            QVERIFY(tells("owns the replicas 0 to") && tells("sums over the replicas of"));
        }
    }
};

TW_REGISTER_TEST(TstWorkers);
#include "tst_workers.moc"
