#include "engine/store/check_report.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// A training loop with a while: the device ends it after the step whose loss is low enough, with the weights of the same number of steps
/// without
/// the while.
class TstLoopEnds : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static project::Project project(std::string const &target, std::string const &blocks, int perExecution, Fields more = {})
    {
        Fields fields = smallModel({{"training.epochs", "6"},
                                    {"training.optimizer", R"({"class_name": "SGD", "config": {"learning_rate": 0.1}})"},
                                    {"training.loop", blocks},
                                    {"training.steps_per_execution", std::to_string(perExecution)}});
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist(target, fields);
    }

    struct Bound {
        double loss = 0;
        std::int64_t steps = 0; ///< until it is reached
    };
    /// A bound that the loss first meets somewhere in the middle, clear of the losses before.
    static Bound boundWithin(std::vector<double> const &losses)
    {
        double least = 1e300;
        for (std::size_t i = 0; i < losses.size(); ++i) {
            if (losses[i] < least * 0.98 && i >= 9 && i + 9 < losses.size())
                return {(losses[i] + std::min(least, losses[i] * 1.02)) / 2, static_cast<std::int64_t>(i) + 1};
            least = std::min(least, losses[i]);
        }
        qFatal("the loss does not fall");
    }
    static std::string blocks(std::string const &reduce, std::string const &end = "")
    {
        return R"(["gradients")" + reduce + R"(, "apply")" + end + "]";
    }
    static std::string whileAbove(double loss) { return R"(, {"while": {"loss_above": )" + std::to_string(loss) + "}}"; }

private slots:
    void endsAfterTheStepThatReachesTheBound_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("reduce");
        QTest::addColumn<bool>("tile");
        QTest::addColumn<int>("perExecution");
        QTest::newRow("fused") << "gc200:tiles=8"
                               << "" << false << 4;
        QTest::newRow("tile") << "gc200:tiles=8"
                              << "" << true << 4;
        QTest::newRow("a step an execution") << "gc200:tiles=8"
                                             << "" << false << 1;
        QTest::newRow("an epoch an execution") << "gc200:tiles=8"
                                               << "" << true << 8;
        QTest::newRow("on the host") << "cpu"
                                     << "" << false << 4;
        QTest::newRow("two replicas") << "gc200:tiles=8,ipus=2"
                                      << R"(, "all_reduce")" << false << 2;
        QTest::newRow("two replicas, tile") << "gc200:tiles=8,ipus=2"
                                            << R"(, "all_reduce")" << true << 2;
    }
    void endsAfterTheStepThatReachesTheBound()
    {
        QFETCH(QString, target);
        QFETCH(QString, reduce);
        QFETCH(bool, tile);
        QFETCH(int, perExecution);
        auto const mode = tile ? Mode::Tile : Mode::Fused;
        auto const on = target.toStdString(), sum = reduce.toStdString();
        std::vector<double> losses, until;
        auto const all = trained(project(on, blocks(sum), perExecution), requestIn(m_folder, mode), &losses);
        QVERIFY(!all.loopEnded);
        QCOMPARE(all.steps, static_cast<std::int64_t>(losses.size()));
        auto const bound = boundWithin(losses);

        auto const ended = trained(project(on, blocks(sum, whileAbove(bound.loss)), perExecution), requestIn(m_folder, mode), &until);
        QVERIFY(ended.loopEnded);
        QVERIFY(!ended.stopped);
        QCOMPARE(ended.steps, bound.steps);
        QVERIFY(until.back() <= bound.loss);
        for (std::size_t i = 0; i + 1 < until.size(); ++i) QVERIFY(until[i] > bound.loss);

        auto plain = requestIn(m_folder, mode);
        plain.steps = bound.steps;
        auto const same = trained(project(on, blocks(sum), 1), plain);
        QCOMPARE(same.steps, bound.steps);
        QCOMPARE(ended.weightsHash, same.weightsHash);

        // It starts again when resumed: only weights and similar state are kept.
        auto again = requestIn(m_folder, mode);
        again.resume = ended.state;
        auto const more = trained(project(on, blocks(sum, whileAbove(bound.loss)), perExecution), again);
        QCOMPARE(more.epochs.empty(), false);
        QVERIFY(more.steps > 1 || more.endLoss <= static_cast<float>(bound.loss));
        for (auto const &tensor : ended.state.tensors) QVERIFY2(tensor.name.find("reached") == std::string::npos, tensor.name.c_str());
    }
    /// On the host an epoch ends with a smaller batch, a program of its own.
    void aSmallerLastBatchEndsItToo()
    {
        // Of losses that first fall at such a batch there is a bound for it.
        std::vector<double> losses, until;
        auto const p = [&](std::string const &end) {
            return project("cpu", blocks("", end), 1, {{"data.limit", "100"}, {"training.epochs", "40"}});
        };
        trained(p(""), requestIn(m_folder), &losses);
        double least = 1e300;
        std::size_t at = 0;
        for (std::size_t i = 0; i < losses.size() && at == 0; ++i) {
            if (i % 4 == 3 && losses[i] < least * 0.98 && i > 6) at = i;
            least = std::min(least, losses[i]);
        }
        QVERIFY(at > 0);
        auto const ended = trained(p(whileAbove(losses[at] * 1.01)), requestIn(m_folder), &until);
        QVERIFY(ended.loopEnded);
        QCOMPARE(until.size(), at + 1);
        QCOMPARE(ended.steps, static_cast<std::int64_t>(at) + 1);
        QVERIFY(ended.epochs.back().complete);
    }
    /// It does not take another execution to notice.
    void theLastStepOfARunEndsIt()
    {
        std::vector<double> losses;
        trained(project("gc200:tiles=8", blocks(""), 4), requestIn(m_folder), &losses);
        auto const bound = boundWithin(losses);
        auto request = requestIn(m_folder);
        request.steps = bound.steps;
        auto const ended = trained(project("gc200:tiles=8", blocks("", whileAbove(bound.loss)), 1), request);
        QVERIFY(ended.loopEnded);
        QCOMPARE(ended.steps, bound.steps);
        QVERIFY(ended.endLoss <= static_cast<float>(bound.loss));
    }
    void verifyComparesEachUpdate()
    {
        auto const p = project("gc200:tiles=8", blocks("", whileAbove(100.0)), 4);
        auto request = requestIn(m_folder);
        auto const outcome = runtime::verify(p, request, 3, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY(outcome->agrees);
        QCOMPARE(outcome->steps, 3);
        // A skipped update would leave the weights equal to the last bit.
        QVERIFY(outcome->maxRelativeError > 0);
    }
    void theReportOfAnEarlyEndAddsUp()
    {
        std::vector<double> losses;
        trained(project("gc200:tiles=8", blocks(""), 4), requestIn(m_folder), &losses);
        auto const bound = boundWithin(losses);
        auto request = requestIn(m_folder);
        request.report = m_folder.path() / "ended.twreport";
        request.compile.forReport = true;
        auto const ended = trained(project("gc200:tiles=8", blocks("", whileAbove(bound.loss)), 4), request);
        QVERIFY(ended.loopEnded && !ended.unreported);
        auto const reader = store::ReportReader::open(*request.report);
        QVERIFY(reader.ok());
        auto const data = (*reader)->readAll();
        QVERIFY(data.ok());
        QCOMPARE(data->runs.back().steps, bound.steps);
        QCOMPARE(data->runs.back().state, std::string("done"));
        QCOMPARE(data->runs.back().cycles, data->patterns.back().cycles * bound.steps);
        QVERIFY(data->patterns.back().exact); // each step costs the same
        QCOMPARE(data->meta.at("steps_per_epoch"), std::string("8"));
        auto const loop = std::ranges::find(data->programs, "repeat_while", &report::ProgramRow::kind);
        QVERIFY(loop != data->programs.end());
        QCOMPARE(loop->repeatCount, 4);
    }
    /// Tiles measure their cycles: the test that ends the loop runs once more than the body.
    void tilesMeasureTheLoop()
    {
        std::vector<double> losses;
        trained(project("gc200:tiles=8", blocks(""), 4), requestIn(m_folder), &losses);
        auto const bound = boundWithin(losses);
        auto request = requestIn(m_folder, Mode::Tile);
        request.report = m_folder.path() / "measured.twreport";
        request.compile.forReport = true;
        auto const ended = trained(project("gc200:tiles=8", blocks("", whileAbove(bound.loss)), 4), request);
        QVERIFY(ended.loopEnded && !ended.unreported);
        QVERIFY(ended.device.measured.has_value());
        auto const reader = store::ReportReader::open(*request.report);
        QVERIFY(reader.ok());
        auto const data = (*reader)->readAll();
        QVERIFY(data.ok());
        auto const &run = data->runs.back();
        QCOMPARE(run.steps, bound.steps);
        QCOMPARE(run.cycles, *ended.device.measured);
        Cycles const bodies = data->patterns.back().cycles * bound.steps;
        QVERIFY(run.cycles > bodies);
        QVERIFY(run.cycles < bodies + data->patterns.back().cycles / 2);
        std::int64_t often = 0, usual = 0;
        for (auto const &stat : data->stepStats) {
            often += stat.executions == bound.steps + 1;
            usual += stat.executions == bound.steps;
            QVERIFY(stat.cycles >= stat.executions * stat.cyclesMin && stat.cycles <= stat.executions * stat.cyclesMax);
        }
        QVERIFY(often >= 1 && usual > often);
        auto const figure = std::ranges::find(data->figures, "cycles_per_step_measured", &report::FigureRow::name);
        QVERIFY(figure != data->figures.end());
        QCOMPARE(figure->origin, std::string("measured"));
        QCOMPARE(figure->value, static_cast<double>(run.cycles) / static_cast<double>(bound.steps));
        auto const violations = store::checkReport(**reader);
        QVERIFY(violations.ok());
        QVERIFY2(violations->empty(), violations->empty() ? "" : violations->front().what.c_str());
    }
    void aLoopThatIsNeverDoneRunsAllEpochs()
    {
        auto const all = trained(project("gc200:tiles=8", blocks("", whileAbove(1e-6)), 4), requestIn(m_folder));
        QVERIFY(!all.loopEnded);
        QCOMPARE(all.steps, 48);
        QCOMPARE(all.epochs.size(), std::size_t(6));
        QVERIFY(all.epochs.back().complete);
    }
    void validatesWhatItEndedWith()
    {
        auto const ended = trained(project("gc200:tiles=8", blocks("", whileAbove(100.0)), 3, {{"training.validation_split", "0.25"}}),
                                   requestIn(m_folder));
        QVERIFY(ended.loopEnded);
        QCOMPARE(ended.steps, 1);
        QCOMPARE(ended.epochs.size(), std::size_t(1));
        QVERIFY(ended.epochs[0].valLoss.has_value());
    }
};

TW_REGISTER_TEST(TstLoopEnds);
#include "tst_loop_ends.moc"
