// norms.experimental.distributed_batch_norm_replica_group_size: the batches of all replicas are one batch of a batch normalisation.
#include "engine/compiler/project_rules.h"
#include "engine/model/model.h"
#include "engine/runtime/run.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

namespace {

char const *const kGroup = "ipu_config.norms.experimental.distributed_batch_norm_replica_group_size";

/// A batch normalisation after the first dense layer; `whole` samples of a step, over so many replicas.
project::Project normed(int replicas, char const *group, Fields more = {}, std::int64_t whole = 16)
{
    Fields fields{{"training.replicas", std::to_string(replicas)},
                  {"training.batch_size", std::to_string(whole / replicas)},
                  {"training.shuffle", "false"},
                  {"training.optimizer", "SGD"},
                  {"training.optimizer.learning_rate", "0"},
                  {"data.limit", "64"},
                  {kGroup, group}};
    fields.insert(fields.end(), more.begin(), more.end());
    auto p = mnist("gc200:tiles=8,ipus=" + std::to_string(replicas), smallModel(fields));
    auto const dense = std::ranges::find(p.model.layers, std::string("dense"), &model::Layer::name);
    p.model.layers.insert(dense + 1, model::makeLayer("BatchNormalization", "norm", {}));
    return p;
}

} // namespace

class TstDistributedNorms : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    runtime::TrainOutcome run(project::Project const &p, Mode mode, std::vector<double> &losses) const
    {
        auto request = requestIn(m_folder, mode);
        request.steps = 2;
        return trained(p, request, &losses);
    }
    static double difference(runtime::TrainingState const &a, runtime::TrainingState const &b, char const *name)
    {
        auto const *x = a.find(name), *y = b.find(name);
        if (!x || !y || x->shape != y->shape) return 1e9;
        auto const left = floatsOf(*x), right = floatsOf(*y);
        double worst = 0;
        for (std::size_t i = 0; i < left.size(); ++i)
            worst = std::max(worst, std::abs(static_cast<double>(left[i]) - static_cast<double>(right[i])));
        return worst;
    }

private slots:
    void statisticsAreThoseOfTheWholeBatch_data()
    {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<bool>("tiles");
        for (int const replicas : {2, 4})
            for (bool const tiles : {false, true})
                QTest::addRow("%d replicas, %s", replicas, tiles ? "tile" : "fused") << replicas << tiles;
    }
    void statisticsAreThoseOfTheWholeBatch()
    {
        QFETCH(int, replicas);
        QFETCH(bool, tiles);
        auto const mode = tiles ? Mode::Tile : Mode::Fused;
        auto const group = std::to_string(replicas);
        std::vector<double> whole, shared, own;
        auto const one = run(normed(1, "1"), mode, whole);
        auto const together = run(normed(replicas, group.c_str()), mode, shared);
        auto const apart = run(normed(replicas, "1"), mode, own);
        QVERIFY(!whole.empty() && whole.size() == shared.size() && whole.size() == own.size());
        for (std::size_t i = 0; i < whole.size(); ++i) {
            QVERIFY2(std::abs(shared[i] / whole[i] - 1) < 1e-5, qPrintable(QString("%1 %2").arg(shared[i]).arg(whole[i])));
            QVERIFY2(std::abs(own[i] / whole[i] - 1) > 1e-4, qPrintable(QString("%1 %2").arg(own[i]).arg(whole[i])));
        }
        for (char const *moving : {"norm/moving_mean", "norm/moving_variance"}) {
            QVERIFY2(difference(one.state, together.state, moving) < 1e-5, moving);
            QVERIFY2(difference(one.state, apart.state, moving) > 1e-5, moving);
        }
    }
    /// The losses of all replicas depend on the samples of each.
    void gradientsAreThoseOfTheWholeBatch()
    {
        // Replicas sum their gradients, each of the mean over its samples: half the rate moves the weights alike.
        Fields const moving{{"training.optimizer.learning_rate", "0.05"}};
        std::vector<double> losses;
        auto const one = run(normed(1, "1", {{"training.optimizer.learning_rate", "0.1"}}), Mode::Fused, losses);
        auto const together = run(normed(2, "2", moving), Mode::Fused, losses);
        auto const apart = run(normed(2, "1", moving), Mode::Fused, losses);
        for (char const *weight : {"dense/kernel", "norm/gamma", "dense_1/kernel"}) {
            QVERIFY2(difference(one.state, together.state, weight) < 1e-5, weight);
            QVERIFY2(difference(one.state, apart.state, weight) > 1e-5, weight);
        }
    }
    void bothModesAgree()
    {
        for (auto const &more : {Fields{}, Fields{{"training.gradient_accumulation_steps", "2"}, {"training.steps_per_execution", "2"}}}) {
            auto fields = more;
            fields.emplace_back("training.optimizer.learning_rate", "0.1");
            auto const outcome = runtime::verify(normed(2, "2", fields), requestIn(m_folder), 2, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QVERIFY(outcome->agrees);
        }
    }
    void whatItCannotDoIsRefused()
    {
        auto const refusal = [](project::Project const &p) {
            auto const judgement = compiler::judge(p, {});
            auto const *error = judgement.error();
            return error ? error->subject + ": " + error->code : std::string();
        };
        std::string const place(kGroup);
        QCOMPARE(refusal(normed(2, "2")), std::string());
        QCOMPARE(refusal(normed(4, "2")), place + ": config.not-yet");
        QCOMPARE(refusal(normed(2, "3")), place + ": config.conflict");
        auto cut = normed(1, "2", {{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}});
        cut.target = "gc200:tiles=8,ipus=4";
        cut.training.replicas = 2;
        for (auto &layer : cut.model.layers)
            if (layer.className != "InputLayer") layer.stage = 0;
        cut.model.layers.back().stage = 1;
        QCOMPARE(refusal(cut), place + ": config.conflict");
    }
};

TW_REGISTER_TEST(TstDistributedNorms);
#include "tst_distributed_norms.moc"
