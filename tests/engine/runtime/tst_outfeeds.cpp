// What the host receives of losses and metrics: every micro-batch's, an update's mean, or an execution's last.
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

namespace {

char const *const kMean = "training.accumulate_outfeed";
char const *const kKept = "training.outfeed_mode";

} // namespace

class TstOutfeeds : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static project::Project project(Fields const &more, bool pipelined)
    {
        Fields fields{{"training.batch_size", "16"},
                      {"training.gradient_accumulation_steps", "4"},
                      {"training.steps_per_execution", "8"},
                      {"training.metrics", R"(["accuracy"])"}};
        fields.insert(fields.end(), more.begin(), more.end());
        if (pipelined) return mnist("gc200:tiles=16,ipus=2", smallModel(twoStages(fields)));
        return mnist("gc200:tiles=16", smallModel(fields));
    }
    struct Run {
        runtime::TrainOutcome outcome;
        std::vector<double> losses;
    };
    Run run(Fields const &more, bool pipelined, Mode mode) const
    {
        Run result;
        auto request = requestIn(m_folder, mode);
        request.steps = 16;
        result.outcome = trained(project(more, pipelined), request, &result.losses);
        return result;
    }
    static Bytes sent(executable::Executable const &exe)
    {
        Bytes bytes = 0; // of each transfer, by its number of executions
        for (auto const &stream : exe.program.streams)
            if (!stream.toDevice && !stream.remote.valid()) bytes += program::bytesOf(exe.program, stream);
        return bytes;
    }

    static void addRows()
    {
        QTest::addColumn<bool>("pipelined");
        QTest::addColumn<bool>("tiles");
        for (bool const pipelined : {false, true})
            for (bool const tiles : {false, true})
                QTest::addRow("%s, %s", pipelined ? "pipeline" : "loop", tiles ? "tile" : "fused") << pipelined << tiles;
    }

private slots:
    void accumulatedOutputsAreTheMeans_data() { addRows(); }
    void accumulatedOutputsAreTheMeans()
    {
        QFETCH(bool, pipelined);
        QFETCH(bool, tiles);
        auto const mode = tiles ? Mode::Tile : Mode::Fused;
        auto const every = run({}, pipelined, mode), mean = run({{kMean, "true"}}, pipelined, mode);
        QVERIFY(sameBytes(every.outcome.state, mean.outcome.state));
        QCOMPARE(every.losses.size(), std::size_t{16});
        QCOMPARE(mean.losses.size(), std::size_t{16});
        for (std::size_t update = 0; update < 4; ++update) {
            double sum = 0;
            for (std::size_t i = 0; i < 4; ++i) sum += every.losses[4 * update + i];
            for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(mean.losses[4 * update + i] - sum / 4) < 1e-5);
            QVERIFY(std::abs(every.losses[4 * update] - every.losses[4 * update + 1]) > 1e-4); // they do differ
        }
        // One transfer for each update instead of four.
        auto const cycles = [](Run const &one) { return one.outcome.compiled.executable->entries.front().patternCycles; };
        QVERIFY(cycles(mean) < cycles(every));
        QCOMPARE(sent(*mean.outcome.compiled.executable), sent(*every.outcome.compiled.executable));
        if (tiles) {
            auto const &entry = mean.outcome.compiled.executable->entries.front();
            QCOMPARE(mean.outcome.device.measured, std::optional(2 * entry.patternCycles * entry.patternRepeats));
        }
    }
    void theLastOutputStandsForItsExecution_data() { addRows(); }
    void theLastOutputStandsForItsExecution()
    {
        QFETCH(bool, pipelined);
        QFETCH(bool, tiles);
        auto const mode = tiles ? Mode::Tile : Mode::Fused;
        auto const every = run({}, pipelined, mode), last = run({{kKept, "last"}}, pipelined, mode);
        QVERIFY(sameBytes(every.outcome.state, last.outcome.state));
        QCOMPARE(last.losses.size(), std::size_t{16});
        for (std::size_t i = 0; i < 16; ++i) QCOMPARE(last.losses[i], every.losses[i < 8 ? 7 : 15]);
        // The device sends the same.
        auto const &a = *every.outcome.compiled.executable, &b = *last.outcome.compiled.executable;
        QCOMPARE(sent(a), sent(b));
        QCOMPARE(a.entries.front().patternCycles, b.entries.front().patternCycles);
    }
    /// With several outputs: the modes send them in different orders.
    void replicasSendTheirOwnMeans_data()
    {
        QTest::addColumn<bool>("tiles");
        QTest::newRow("fused") << false;
        QTest::newRow("tile") << true;
    }
    void replicasSendTheirOwnMeans()
    {
        QFETCH(bool, tiles);
        auto const with = [&](char const *field, char const *value) {
            auto request = requestIn(m_folder, tiles ? Mode::Tile : Mode::Fused);
            request.steps = 8;
            Run result;
            Fields const fields{{"training.batch_size", "16"},           {"training.gradient_accumulation_steps", "4"},
                                {"training.steps_per_execution", "4"},   {"training.replicas", "2"},
                                {"training.metrics", R"(["accuracy"])"}, {field, value}};
            result.outcome = trained(mnist("gc200:tiles=16,ipus=2", smallModel(fields)), request, &result.losses);
            return result;
        };
        auto const every = with(kKept, "all"), mean = with(kMean, "true"), last = with(kKept, "last");
        QVERIFY(sameBytes(every.outcome.state, mean.outcome.state));
        QVERIFY(sameBytes(every.outcome.state, last.outcome.state));
        QVERIFY(std::abs(mean.losses[0] - (every.losses[0] + every.losses[1] + every.losses[2] + every.losses[3]) / 4) < 1e-5);
        QCOMPARE(last.losses[0], every.losses[3]);
    }
    void evaluationsOfPipelinesSendTheirMeans_data()
    {
        QTest::addColumn<bool>("tiles");
        QTest::newRow("fused") << false;
        QTest::newRow("tile") << true;
    }
    void evaluationsOfPipelinesSendTheirMeans()
    {
        QFETCH(bool, tiles);
        auto const request = requestIn(m_folder, tiles ? Mode::Tile : Mode::Fused);
        auto const evaluated = [&](Fields const &more) {
            auto outcome = runtime::evaluate(project(more, true), request, nullptr, {});
            if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
            return std::move(outcome).value();
        };
        auto const every = evaluated({}), mean = evaluated({{kMean, "true"}});
        QCOMPARE(mean.samples, every.samples);
        QVERIFY(every.loss > 0 && std::abs(mean.loss / every.loss - 1) < 1e-5);
        QCOMPARE(mean.metrics.size(), every.metrics.size());
        for (std::size_t i = 0; i < every.metrics.size(); ++i) QVERIFY(std::abs(mean.metrics[i].second - every.metrics[i].second) < 1e-5);
        // One transfer for each execution.
        auto r = request.compile;
        r.kind = compiler::RunKind::Evaluate;
        r.batch = 16;
        r.steps = 4;
        auto const compiled = [&](Fields const &more) { return compiler::compile(project(more, true), r, {}).value(); };
        auto const a = compiled({}), b = compiled({{kMean, "true"}});
        QCOMPARE(a.entry()->stepsPerOutput, 1);
        QCOMPARE(b.entry()->stepsPerOutput, 4);
    }
    void whatCannotBeAccumulatedIsRefused()
    {
        auto const code = [&](Fields const &fields) {
            auto const outcome = compiler::compile(mnist("gc200:tiles=16", smallModel(fields)), requestIn(m_folder).compile, {});
            return outcome.ok() ? std::string() : outcome.error().code;
        };
        QCOMPARE(code({{kMean, "true"}}), std::string("training.outfeed"));
        Fields const both{
            {kMean, "true"}, {kKept, "last"}, {"training.gradient_accumulation_steps", "2"}, {"training.steps_per_execution", "2"}};
        QCOMPARE(code(both), std::string("training.outfeed"));
    }
};

TW_REGISTER_TEST(TstOutfeeds);
#include "tst_outfeeds.moc"
