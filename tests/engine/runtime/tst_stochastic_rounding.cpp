#include "engine/graph/rounding.h"
#include "engine/kernels/half.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;

namespace {

Fields const kOn{{"ipu_config.floating_point_behaviour.esr", "ON"}, {"training.optimizer", "SGD"}};

Fields on(Fields more = {})
{
    more.insert(more.begin(), kOn.begin(), kOn.end());
    return more;
}

/// Share of the elements of all tensors that are the same bits in both.
double equalShare(runtime::TrainingState const &a, runtime::TrainingState const &b)
{
    std::size_t all = 0, equal = 0;
    for (auto const &tensor : a.tensors) {
        auto const *other = b.find(tensor.name);
        if (!other || tensor.dtype != DType::F16) continue;
        for (std::size_t i = 0; i + 1 < tensor.bytes.size(); i += 2, ++all)
            equal += tensor.bytes[i] == other->bytes[i] && tensor.bytes[i + 1] == other->bytes[i + 1];
    }
    return all == 0 ? 0 : static_cast<double>(equal) / static_cast<double>(all);
}

runtime::RunRequest steps(SessionFolder const &folder, std::int64_t count, runtime::Mode mode = runtime::Mode::Fused, int threads = 1)
{
    auto request = requestIn(folder, mode, threads);
    request.steps = count;
    return request;
}

} // namespace

/// floating_point_behaviour.esr: bits by counter, so that modes, threads and resumed runs draw the same.
class TstStochasticRounding : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

private slots:
    void updatesTooSmallForAHalfAreNotLost_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::newRow("fused") << false;
        QTest::newRow("tile") << true;
    }
    /// Steps of less than half a last place never move a weight that is rounded to the nearest.
    void updatesTooSmallForAHalfAreNotLost()
    {
        QFETCH(bool, tile);
        auto const mode = tile ? runtime::Mode::Tile : runtime::Mode::Fused;
        auto const after = [&](char const *esr, char const *rate) {
            return trained(halfModel("float16",
                                     {{"training.optimizer", "SGD"},
                                      {"training.optimizer.learning_rate", rate},
                                      {"ipu_config.floating_point_behaviour.esr", esr}}),
                           steps(m_folder, 8, mode))
                .state;
        };
        auto const still = after("OFF", "0"), nearest = after("OFF", "2e-5"), byChance = after("ON", "2e-5");
        QVERIFY(equalShare(nearest, still) > 0.97);
        QVERIFY2(equalShare(byChance, still) < 0.97, qPrintable(QString::number(equalShare(byChance, still))));
        QCOMPARE(equalShare(after("ON", "0"), still), 1.0); // values of a half are not rounded
    }

    void bothModesDrawTheSame_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<Fields>("fields");
        for (auto const *policy : {"float16", "mixed_float16"}) {
            auto const row = [&](char const *name, Fields fields) {
                QTest::addRow("%s, %s", policy, name) << QString(policy) << on(std::move(fields));
            };
            row("SGD", {});
            row("Adam", {{"training.optimizer", "Adam"}, {"training.optimizer.epsilon", "0.001"}});
            row("accumulation", {{"training.steps_per_execution", "2"}, {"training.gradient_accumulation_steps", "2"}});
            row("replicas", {{"system.target", "gc200:tiles=16,ipus=2"}, {"training.replicas", "2"}});
            row("pipeline",
                inStages("0011",
                         {{"system.target", "gc200:tiles=16,ipus=2"},
                          {"training.steps_per_execution", "4"},
                          {"training.gradient_accumulation_steps", "4"}}));
        }
    }
    void bothModesDrawTheSame()
    {
        QFETCH(QString, policy);
        QFETCH(Fields, fields);
        auto const p = halfModel(policy.toUtf8().constData(), fields);
        auto const outcome = runtime::verify(p, requestIn(m_folder), 2, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY2(outcome->agrees, qPrintable(QString::number(outcome->maxRelativeError)));
        if (policy == "mixed_float16") return; // its weights are float32
        // With other draws, half of the last places would differ.
        auto const fused = trained(p, steps(m_folder, 4)).state, tile = trained(p, steps(m_folder, 4, runtime::Mode::Tile)).state;
        QVERIFY2(equalShare(fused, tile) > 0.9, qPrintable(QString::number(equalShare(fused, tile))));
    }

    void threadsAndSeeds()
    {
        auto const p = halfModel("float16", kOn);
        for (auto mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto const one = trained(p, steps(m_folder, 4, mode, 1)), three = trained(p, steps(m_folder, 4, mode, 3));
            QCOMPARE(one.weightsHash, three.weightsHash);
        }
        auto const nearest = trained(halfModel("float16", {{"training.optimizer", "SGD"}}), steps(m_folder, 4));
        auto const byChance = trained(p, steps(m_folder, 4));
        QVERIFY(nearest.weightsHash != byChance.weightsHash);
    }

    void resumedRunsDrawTheSameNumbers()
    {
        auto const p = halfModel("float16", on({{"training.steps_per_execution", "2"}}));
        for (auto mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto const whole = trained(p, steps(m_folder, 8, mode));
            auto rest = steps(m_folder, 4, mode);
            rest.resume = trained(p, steps(m_folder, 4, mode)).state;
            QCOMPARE(trained(p, rest).weightsHash, whole.weightsHash);
        }
    }

    /// Each replica draws bits of its own for its data, and all the same ones for the weights.
    void replicasKeepTheSameWeights()
    {
        auto const p = halfModel("float16", on({{"system.target", "gc200:tiles=16,ipus=2"}, {"training.replicas", "2"}}));
        for (auto mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            std::vector<std::vector<std::byte>> weights;
            runtime::RunObserver observer;
            runtime::Executor *executor = nullptr;
            compiler::CompileOutcome const *compiled = nullptr;
            observer.ready = [&](runtime::Session &session) { executor = &session.executor(), compiled = &session.compiled(); };
            auto request = steps(m_folder, 4, mode);
            request.every = 1;
            std::int64_t different = 0, compared = 0;
            observer.step = [&](std::int64_t, double, auto const &) {
                auto const &graph = compiled->entry()->graph;
                for (std::size_t v = 0; v < graph.variables.size(); ++v) {
                    if (!graph.variables[v].trainable) continue;
                    ++compared;
                    different += executor->read(graph::VariableId(v), 0) != executor->read(graph::VariableId(v), 1);
                }
            };
            auto const outcome = runtime::train(p, request, observer, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QVERIFY(compared > 0);
            QCOMPARE(different, 0);
        }
    }

    /// Marks: none, all, or only nodes that all replicas compute alike.
    void stochasticNodesAreMarked()
    {
        auto const marked = [&](char const *esr, Fields more) {
            more.emplace_back("ipu_config.floating_point_behaviour.esr", esr);
            auto request = requestIn(m_folder).compile;
            request.useCache = false;
            auto const outcome = compiler::compile(halfModel("float16", more), request, {});
            if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
            std::pair<int, int> own; // nodes that draw by replica, nodes that draw alike
            for (auto const &node : outcome->entry()->graph.nodes) {
                own.first += graph::roundingOf(node) == graph::Rounding::Stochastic;
                own.second += graph::roundingOf(node) == graph::Rounding::StochasticAlike;
            }
            return own;
        };
        Fields const two{{"system.target", "gc200:tiles=16,ipus=2"}, {"training.replicas", "2"}};
        QCOMPARE(marked("OFF", two), std::make_pair(0, 0));
        auto const all = marked("ON", two), identical = marked("REPLICA_IDENTICAL_ONLY", two);
        QVERIFY(all.first > 0 && all.second > 0);
        QCOMPARE(identical, std::make_pair(0, all.second));
        auto const alone = marked("REPLICA_IDENTICAL_ONLY", {});
        QVERIFY(alone.first > 0); // one replica is like all others
    }
};

TW_REGISTER_TEST(TstStochasticRounding);
#include "tst_stochastic_rounding.moc"
