// An automatic loss scale: its rule, skipped updates, both modes, replicas and stages.
#include "engine/runtime/training_session.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;
using Json = nlohmann::json;

class TstLossScale : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static Fields scaled(Json config, Fields more = {}, char const *className = "SGD")
    {
        config["automatic_loss_scaling"] = true;
        Fields fields{{"training.batch_size", "16"},
                      {"data.limit", "256"},
                      {"training.optimizer", Json{{"class_name", className}, {"config", config}}.dump()}};
        fields.insert(fields.end(), more.begin(), more.end());
        return fields;
    }
    static std::vector<double> scalesOf(runtime::TrainOutcome const &outcome)
    {
        std::vector<double> scales;
        for (auto const &change : outcome.values)
            if (change.name == "loss_scale") scales.push_back(change.now);
        return scales;
    }

private slots:
    /// Without large gradients the scale grows up to its limit; with a threshold of 0 and an edge of 0 it falls to 1.
    void theScaleFollowsItsRule()
    {
        using Scales = std::vector<double>;
        auto const scales = [&](Json const &config) {
            return scalesOf(trained(mnist("gc200:tiles=16", smallModel(scaled(config))), requestIn(m_folder)));
        };
        QCOMPARE(scales({{"update_frequency", 4}}), (Scales{2, 4, 8, 16}));
        QCOMPARE(scales({{"update_frequency", 3}, {"increase_factor", 4}, {"max_loss_scaling_factor", 32}}), (Scales{4, 16, 32}));
        Json falls{{"update_frequency", 4}, {"loss_scale_factor", 4}, {"histogram_bin_edge", 0}};
        QCOMPARE(scales(falls), (Scales{2, 1}));
        falls["ratio_threshold"] = 1; // no share is larger
        QCOMPARE(scales(falls), (Scales{8, 16, 32, 64}));
        // Half of the earlier share of 0: the first share of nearly 1 counts as half, and after that as more.
        falls["ratio_threshold"] = 0.6;
        falls["accumulate_statistics_over_update_period"] = false;
        falls["lpf_alpha"] = 0.5;
        auto const filtered = scales(falls);
        QVERIFY(!filtered.empty());
        QCOMPARE(filtered.front(), 8.0);
    }

    /// Every update is skipped until the scale has fallen far enough; nothing else changes before.
    void anOverflowIsSkippedAndRecovers_data()
    {
        QTest::addColumn<QString>("optimizer");
        for (auto const *name : {"SGD", "momentum", "Adam", "Nadam"}) QTest::newRow(name) << QString(name);
    }
    void anOverflowIsSkippedAndRecovers()
    {
        QFETCH(QString, optimizer);
        bool const momentum = optimizer == "momentum";
        Json config{{"loss_scale_factor", 0x1p30}, {"max_loss_scaling_factor", 0x1p30}, {"learning_rate", optimizer == "SGD" ? 0.1 : 0.01}};
        if (momentum) config["momentum"] = 0.9;
        if (optimizer == "Adam" || optimizer == "Nadam") config["epsilon"] = 0.001;
        auto const name = momentum ? std::string("SGD") : optimizer.toStdString();
        auto const p = halfModel("float16", scaled(config, {{"training.epochs", "4"}}, name.c_str()));
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            runtime::RunObserver const nobody;
            JobContext const job;
            auto const request = requestIn(m_folder, mode, 2);
            auto prepared = runtime::TrainingSession::prepare(p, request, nobody, job);
            QVERIFY2(prepared.ok(), prepared.ok() ? "" : toText(prepared.error()).c_str());
            auto &training = **prepared;
            auto const before = training.session().state();
            training.run({.steps = 5});
            auto const after = training.session().state();
            for (auto const &tensor : before.tensors) {
                if (tensor.name.starts_with("loss_scale")) continue;
                QVERIFY2(after.find(tensor.name)->bytes == tensor.bytes, tensor.name.c_str());
            }
            QCOMPARE(floatsOf(*after.find("loss_scale")).front(), 0x1p25f);
            training.run();
            auto const outcome = training.finish();
            QVERIFY(!outcome.stopped);
            auto const skipped = outcome.skippedUpdates;
            QVERIFY2(skipped > 10 && skipped < 40, qPrintable(QString::number(skipped)));
            QCOMPARE(outcome.epochs.size(), std::size_t(4));
            QVERIFY(outcome.epochs.back().loss < 0.9 * outcome.epochs.front().loss);
            QVERIFY(outcome.values.front().by.find("skipped") != std::string::npos);
            // Counters of updates count those that were made.
            std::int32_t updates = 0;
            std::memcpy(&updates, outcome.state.find("iterations")->bytes.data(), sizeof updates);
            QCOMPARE(std::int64_t(updates) + skipped, outcome.steps);
        }
        // The same scale, if it stays, loses every update to infinity.
        auto fixed = halfModel(
            "float16",
            {{"training.batch_size", "16"}, {"training.optimizer", "SGD"}, {"training.optimizer.loss_scale_factor", "1073741824"}});
        auto const lost = trained(fixed, requestIn(m_folder));
        QVERIFY(lost.stopped && lost.stopped->kind == ErrorKind::Numeric);
    }

    void modesReplicasAndStagesAgree_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<Fields>("fields");
        for (auto const *policy : {"float16", "mixed_float16"}) {
            auto const row = [&](char const *name, Fields const &fields) {
                QTest::addRow("%s, %s", policy, name) << QString(policy) << fields;
            };
            row("one", {});
            row("one sample", {{"training.batch_size", "1"}, {"data.limit", "32"}});
            row("replicas", {{"system.target", "gc200:tiles=16,ipus=2"}, {"training.replicas", "2"}});
            row("accumulation", {{"training.steps_per_execution", "2"}, {"training.gradient_accumulation_steps", "2"}});
            row("stages",
                twoStages({{"system.target", "gc200:tiles=16,ipus=2"},
                           {"training.steps_per_execution", "4"},
                           {"training.gradient_accumulation_steps", "4"}}));
            row("blocks", {{"training.loop", R"(["gradients", {"clip": {"norm": 0.5}}, "apply"])"}});
        }
    }
    void modesReplicasAndStagesAgree()
    {
        QFETCH(QString, policy);
        QFETCH(Fields, fields);
        Json const config{{"loss_scale_factor", 0x1p20}, {"max_loss_scaling_factor", 0x1p20}, {"update_frequency", 2}};
        auto const p = halfModel(policy.toUtf8().constData(), scaled(config, fields));
        auto const verified = runtime::verify(p, requestIn(m_folder), 8, {});
        QVERIFY2(verified.ok(), verified.ok() ? "" : toText(verified.error()).c_str());
        QVERIFY2(verified->agrees, qPrintable(QString::number(verified->maxRelativeError)));
        auto const fused = trained(p, requestIn(m_folder)), tile = trained(p, requestIn(m_folder, Mode::Tile));
        QVERIFY(!scalesOf(fused).empty());
        QCOMPARE(scalesOf(fused), scalesOf(tile));
        QCOMPARE(fused.skippedUpdates, tile.skippedUpdates);
    }

    /// A scale that never changes is a fixed one.
    void aScaleThatStaysEqualsAFixedOne()
    {
        Json const config{{"loss_scale_factor", 1024}, {"update_frequency", 1000}};
        auto const automatic = trained(mnist("gc200:tiles=16", smallModel(scaled(config, {}, "Adam"))), requestIn(m_folder));
        Fields const fixed{{"training.batch_size", "16"}, {"training.optimizer", "Adam"}, {"training.optimizer.loss_scale_factor", "1024"}};
        auto const constant = trained(mnist("gc200:tiles=16", smallModel(fixed)), requestIn(m_folder));
        QVERIFY(stateDifference(constant.state, automatic.state) < 1e-4);
        QVERIFY(scalesOf(automatic).empty());
    }

    void aResumedScaleContinues()
    {
        Json const config{{"loss_scale_factor", 0x1p25}, {"max_loss_scaling_factor", 0x1p25}, {"update_frequency", 3}};
        auto const p = halfModel("float16", scaled(config, {{"training.epochs", "2"}}, "Adam"));
        auto const whole = trained(p, requestIn(m_folder));
        auto request = requestIn(m_folder);
        request.steps = 13;
        auto const first = trained(p, request);
        request.steps.reset();
        request.resume = first.state;
        auto const second = trained(p, request);
        QVERIFY(sameBytes(second.state, whole.state));
        QCOMPARE(first.skippedUpdates + second.skippedUpdates, whole.skippedUpdates);
        auto scales = scalesOf(first);
        for (double const scale : scalesOf(second)) scales.push_back(scale);
        QCOMPARE(scales, scalesOf(whole));
    }
};

TW_REGISTER_TEST(TstLossScale);
#include "tst_loss_scale.moc"
