#include "engine/core/pipeline_schedule.h"
#include "engine/lowering/schedule.h"
#include "engine/report/bubble_shares.h"
#include "engine/report/build_report_bubbles.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// Replicas, accumulation and pipelines are ways to share out the same arithmetic: replica r of R takes batch
/// turn * R + r, so that R replicas with N micro-batches see what one IPU sees that accumulates R N of them.
class TstDistribution : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// Three stages on as many IPUs, twelve micro-batches.
    project::Project staged(std::string const &schedule, bool recompute, Fields more = {}) const
    {
        Fields fields{{"training.optimizer", "sgd"},
                      {"training.batch_size", "8"},
                      {"training.gradient_accumulation_steps", "12"},
                      {"training.steps_per_execution", "12"},
                      {"data.limit", "192"},
                      {"training.pipeline_schedule", schedule},
                      {"ipu_config.allow_recompute", recompute ? "true" : "false"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16,ipus=4", inStages("0012", smallModel(fields)));
    }

    project::Project variant(int replicas, int accumulation, bool pipeline, std::string const &reduction = "sum") const
    {
        int const ipus = replicas * (pipeline ? 2 : 1);
        Fields fields{{"training.optimizer", "sgd"},
                      {"training.batch_size", "8"},
                      {"training.gradient_accumulation_steps", std::to_string(accumulation)},
                      {"training.gradient_accumulation_reduction", reduction},
                      {"training.steps_per_execution", std::to_string(accumulation)}};
        if (pipeline) fields = twoStages(fields);
        return mnist("gc200:tiles=16,ipus=" + std::to_string(ipus), smallModel(fields));
    }
    runtime::TrainOutcome run(project::Project const &p, Mode mode) const { return trained(p, requestIn(m_folder, mode, 2)); }

private slots:
    void sharingTheMicroBatchesOutKeepsTheWeights_data()
    {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("accumulation");
        QTest::addColumn<bool>("pipeline");
        QTest::addColumn<int>("alone"); // micro-batches that one IPU accumulates
        QTest::addColumn<bool>("tile");
        for (bool tile : {false, true}) {
            auto const row = [&](char const *name, int replicas, int accumulation, bool pipeline) {
                QTest::addRow("%s, %s", name, tile ? "tile" : "fused")
                    << replicas << accumulation << pipeline << replicas * accumulation << tile;
            };
            row("two replicas", 2, 1, false);
            row("four replicas", 4, 1, false);
            row("two replicas that accumulate four", 2, 4, false);
            row("a pipeline of two", 1, 8, true);
            row("two pipelines", 2, 4, true);
        }
    }
    void sharingTheMicroBatchesOutKeepsTheWeights()
    {
        QFETCH(int, replicas);
        QFETCH(int, accumulation);
        QFETCH(bool, pipeline);
        QFETCH(int, alone);
        QFETCH(bool, tile);
        auto const mode = tile ? Mode::Tile : Mode::Fused;
        auto const many = run(variant(replicas, accumulation, pipeline), mode);
        auto const one = run(variant(1, alone, false), mode);
        QCOMPARE(many.compiled.executable->replicas, replicas);
        QCOMPARE(many.steps * replicas, one.steps);
        auto const difference = stateDifference(many.state, one.state);
        QVERIFY2(difference <= 1e-6, qPrintable(QString::number(difference)));
        // It did train.
        auto const initial = runtime::initialState(variant(1, alone, false), one.compiled.entry()).value();
        QVERIFY(stateDifference(many.state, initial) > 1e-4);
        // Each micro-batch is heard of once: the mean loss of the epoch is that of the same micro-batches.
        QVERIFY(std::abs(many.epochs[0].loss - one.epochs[0].loss) <= 1e-6 * one.epochs[0].loss);
    }
    void schedulesAndRecomputationChangeNoBit_data()
    {
        QTest::addColumn<QString>("schedule");
        for (auto const *schedule : {"grouped", "interleaved", "sequential"}) QTest::newRow(schedule) << QString(schedule);
    }
    /// In which order stages work, and whether they work twice, is no matter of numbers; tiles do as the host does.
    void schedulesAndRecomputationChangeNoBit()
    {
        QFETCH(QString, schedule);
        auto const grouped = run(staged("grouped", false), Mode::Tile);
        for (bool const recompute : {false, true}) {
            auto const p = staged(schedule.toStdString(), recompute);
            QVERIFY(sameBytes(run(p, Mode::Tile).state, grouped.state));
            auto const difference = stateDifference(run(p, Mode::Fused).state, grouped.state);
            QVERIFY2(difference <= 1e-6, qPrintable(QString::number(difference)));
        }
    }
    /// Stages of one IPU do one after the other what they would do side by side.
    void stagesMayShareAnIpu()
    {
        auto const own = run(staged("grouped", false), Mode::Tile);
        for (auto const *schedule : {"grouped", "sequential"})
            for (bool const recompute : {false, true})
                for (auto const *mapping : {"[0, 0, 1]", "[0, 1, 0]", "[2, 0, 2]"}) {
                    auto p = staged(schedule, recompute, {{"training.device_mapping", mapping}});
                    bool const two = QString(mapping).contains('2');
                    p = project::withField(p, "system.target", two ? "gc200:tiles=16,ipus=4" : "gc200:tiles=16,ipus=2", nullptr).value();
                    auto const shared = run(p, Mode::Tile);
                    QVERIFY(sameBytes(shared.state, own.state));
                    auto const &exe = *shared.compiled.executable;
                    QCOMPARE(exe.program.ipus, two ? 4 : 2);
                    // A shared IPU has the tasks of its stages one behind the other.
                    auto const timeline = lowering::timelineOf(lowering::makeSchedule(exe.program, shared.compiled.machine, false));
                    std::map<int, std::vector<lowering::Task>> byIpu;
                    for (auto const &task : timeline.tasks) byIpu[task.ipu].push_back(task);
                    QCOMPARE(byIpu.size(), std::size_t(2));
                    for (auto &[ipu, tasks] : byIpu) {
                        std::ranges::sort(tasks, {}, &lowering::Task::start);
                        for (std::size_t i = 1; i < tasks.size(); ++i) QVERIFY(tasks[i].start >= tasks[i - 1].end);
                    }
                }
    }
    /// Both modes know which IPU a stage is on: by it they draw what float16 is rounded by, and find each other's sums.
    void mappedStagesRoundAlike()
    {
        for (auto const *mapping : {"null", "[2, 0, 1]", "[0, 1, 0]", "[1, 0, 0]"}) {
            auto p = halfModel("mixed_float16",
                               inStages("0012",
                                        {{"training.optimizer", "sgd"},
                                         {"training.batch_size", "8"},
                                         {"training.gradient_accumulation_steps", "6"},
                                         {"training.steps_per_execution", "6"},
                                         {"data.limit", "96"},
                                         {"training.device_mapping", mapping},
                                         {"ipu_config.floating_point_behaviour.esr", "ON"},
                                         {"ipu_config.matmuls.poplar_options", "{\"partialsType\": \"half\"}"}}));
            bool const four = QString(mapping) == "null" || QString(mapping).contains('2');
            p = project::withField(p, "system.target", four ? "gc200:tiles=16,ipus=4" : "gc200:tiles=16,ipus=2", nullptr).value();
            auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile, 2), 2, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QVERIFY2(outcome->agrees, mapping);
            auto const exe = compiler::compile(p, requestIn(m_folder).compile, {}).value().executable;
            QVERIFY(std::ranges::any_of(exe->program.computeSets, [](auto const &set) { return set.finished.node >= 0; }));
        }
    }
    void mappingsThatCannotBeAreRefused()
    {
        auto const codeOf = [this](std::string const &schedule, std::string const &mapping, Fields more = {}) {
            more.emplace_back("training.device_mapping", mapping);
            auto request = requestIn(m_folder).compile;
            request.useCache = false;
            auto const outcome = compiler::compile(staged(schedule, false, more), request, {});
            return outcome.ok() ? std::string() : outcome.error().code;
        };
        std::string const refused = "training.device-mapping";
        QCOMPARE(codeOf("grouped", "[0, 0]"), refused);
        for (auto const *outside : {"[0, 0, -1]", "[0, 0, 64]", "[4294967296, 0, 1]"}) {
            auto const changed = project::withField(staged("grouped", false), "training.device_mapping", outside, nullptr);
            QVERIFY2(!changed.ok() && changed.error().code == "model.bad-argument", outside);
        }
        QCOMPARE(codeOf("interleaved", "[0, 1, 0]"), refused);
        QCOMPARE(codeOf("interleaved", "[2, 1, 0]"), std::string());
        QCOMPARE(codeOf("grouped", "[0, 0, 7]"), std::string("runtime.too-few-ipus"));
        auto const whole = mnist("gc200:tiles=16", smallModel({{"training.device_mapping", "[0]"}}));
        auto const outcome = compiler::compile(whole, requestIn(m_folder).compile, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, refused);
    }
    /// Interleaved keeps half as much as Grouped, Sequential one micro-batch; recomputed stages keep what they received.
    void schedulesKeepWhatTheyPromise()
    {
        auto const bytes = [this](char const *schedule, bool recompute) {
            auto request = requestIn(m_folder).compile;
            request.useCache = false;
            auto const outcome = compiler::compile(
                staged(schedule, recompute, {{"training.batch_size", "32"}, {"model.layers.dense.units", "256"}}), request, {});
            if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
            Bytes rings = 0;
            for (auto const &variable : outcome->executable->program.variables)
                if (variable.name.ends_with("/ring")) rings += variable.layout.elements() * sizeOf(variable.dtype);
            return rings;
        };
        auto const grouped = bytes("grouped", false), interleaved = bytes("interleaved", false);
        QVERIFY(grouped > 0);
        QCOMPARE(interleaved * 2, grouped);
        QCOMPARE(bytes("sequential", false), Bytes{0});
        // The first stage keeps the samples instead of what its layers make of them, too.
        QVERIFY(bytes("grouped", true) < grouped);
    }
    void tasksStandInTheirSlots_data() { schedulesAndRecomputationChangeNoBit_data(); }
    void tasksStandInTheirSlots()
    {
        QFETCH(QString, schedule);
        for (bool const recompute : {false, true}) {
            auto request = requestIn(m_folder).compile;
            request.useCache = false;
            auto const outcome = compiler::compile(staged(schedule.toStdString(), recompute), request, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            auto const made = lowering::makeSchedule(outcome->executable->program, outcome->machine, false);
            PipelineSlots const table{*pipelineScheduleOf(schedule.toStdString()), 3, true};
            std::set<std::tuple<int, int, StagePass>> seen;
            auto const timeline = lowering::timelineOf(made);
            for (auto const &task : timeline.tasks) {
                QVERIFY(seen.insert({task.stage, task.microBatch, task.pass}).second);
                QCOMPARE(static_cast<std::int64_t>(task.slot), table.slotOf(task.stage, goesBack(task.pass), task.microBatch));
            }
            // With the sequential schedule, recomputation is a part of the backward tasks.
            bool const own = recompute && schedule != "sequential";
            QCOMPARE(seen.size(), static_cast<std::size_t>(12 * (3 * 2 + (own ? 2 : 0))));
            // What the IPUs wait for is told apart by what the schedule is.
            auto const rows = report::pipelineRows(timeline, 4);
            auto const shares = report::bubbleShares(rows.tasks, rows.bubbles);
            QCOMPARE(shares.ipus, 3); // the fourth has no stage to wait for
            if (table.schedule == PipelineSchedule::Sequential) {
                QVERIFY(shares.share("schedule") > 0.5);
                QCOMPARE(shares.ramps(), 0.0);
                QVERIFY(std::abs(shares.theory - (1 - 1.0 / shares.ipus)) < 1e-9);
            } else {
                QCOMPARE(shares.share("schedule"), 0.0);
                QVERIFY(shares.ramps() > 0);
                double const places =
                    static_cast<double>(table.slotCount(12)) * (table.schedule == PipelineSchedule::Grouped ? 2 : 1) * shares.ipus;
                QVERIFY(std::abs(shares.theory - (1 - 12 * 6 / places)) < 1e-9);
            }
        }
    }
    void meansOfGradientsAreSumsWithASmallerRate()
    {
        auto const sum = run(variant(1, 4, false), Mode::Fused);
        auto rate = variant(1, 4, false, "mean");
        rate = project::withField(rate, "training.optimizer.learning_rate", "0.04", nullptr).value();
        auto const mean = run(rate, Mode::Fused);
        QVERIFY(stateDifference(sum.state, mean.state) <= 1e-6);
        auto running = variant(1, 4, false, "running_mean");
        running = project::withField(running, "training.optimizer.learning_rate", "0.04", nullptr).value();
        for (auto mode : {Mode::Fused, Mode::Tile}) {
            auto const difference = stateDifference(run(running, mode).state, mean.state);
            QVERIFY2(difference <= 2e-6, qPrintable(QString::number(difference)));
        }
    }
    void aPipelineEvaluatesAndPredicts()
    {
        auto p = variant(1, 8, true);
        p = project::withField(p, "training.validation_split", "0.25", nullptr).value();
        p = project::withField(p, "data.limit", "512", nullptr).value();
        auto const outcome = runtime::train(p, requestIn(m_folder), {}, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY(outcome->epochs.at(0).valLoss.has_value());
        auto plain = variant(1, 8, false);
        plain = project::withField(plain, "data.limit", "512", nullptr).value();
        for (auto mode : {Mode::Fused, Mode::Tile}) {
            auto const cut = runtime::evaluate(p, requestIn(m_folder, mode), &outcome->state, {});
            QVERIFY2(cut.ok(), cut.ok() ? "" : toText(cut.error()).c_str());
            auto const whole = runtime::evaluate(plain, requestIn(m_folder, mode), &outcome->state, {});
            QVERIFY2(whole.ok(), whole.ok() ? "" : toText(whole.error()).c_str());
            QCOMPARE(cut->samples, whole->samples);
            QVERIFY(std::abs(cut->loss - whole->loss) <= 1e-5 * whole->loss);
            auto const predicted = runtime::predict(p, requestIn(m_folder, mode), &outcome->state, {});
            QVERIFY2(predicted.ok(), predicted.ok() ? "" : toText(predicted.error()).c_str());
            auto const expected = runtime::predict(plain, requestIn(m_folder, mode), &outcome->state, {});
            auto const &left = predicted->outputs.at(0).values, &right = expected->outputs.at(0).values;
            QCOMPARE(left.size(), right.size());
            for (std::size_t i = 0; i < left.size(); ++i) QVERIFY(std::abs(left[i] - right[i]) <= 1e-5f);
        }
    }
    /// A tile knows the tasks of its own IPU's stages and nothing of the others', however many there are: its control code, step by
    /// step, and the traffic and cycles that are kept of it.
    void aTileKnowsItsOwnStagesOnly()
    {
        int const ipus = 4;
        auto p = mnist("pod4:tiles=16,ipus=4",
                       {{"training.batch_size", "8"},
                        {"training.optimizer", "sgd"},
                        {"training.gradient_accumulation_steps", "8"},
                        {"training.steps_per_execution", "8"}});
        p.model = {};
        p.model.name = "stages";
        p.model.layers.push_back(model::makeLayer("Flatten", "flatten", {{"batch_input_shape", {nullptr, 28, 28}}}));
        for (int i = 0; i < 7; ++i)
            p.model.layers.push_back(model::makeLayer("Dense", "dense_" + std::to_string(i), {{"units", 24}, {"activation", "relu"}}));
        p.model.layers.push_back(model::makeLayer("Dense", "out", {{"units", 10}, {"activation", "softmax"}}));
        for (std::size_t i = 0; i < p.model.layers.size(); ++i) p.model.layers[i].stage = static_cast<int>(i / 3 + (i == 8));
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        auto const outcome = compiler::compile(p, request, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        auto const &program = outcome->executable->program;
        QCOMPARE(program.ipus, ipus);
        auto const schedule = lowering::makeSchedule(program, outcome->machine, false);
        std::vector<Bytes> expected(static_cast<std::size_t>(program.tiles()), 0);
        std::set<std::uint32_t> seen;
        int tasks = 0;
        auto const walk = [&](auto &&self, program::StepId id, int ipu) -> void {
            if (!seen.insert(id.index).second) return;
            auto const &step = program.step(id);
            if (step.stage >= 0) {
                ipu = step.ipu;
                ++tasks;
            }
            for (int t = 0; t < program.tiles(); ++t) {
                auto &bytes = expected[static_cast<std::size_t>(t)];
                bool const mine = ipu < 0 || t / program.tilesPerIpu == ipu;
                using Kind = program::StepKind;
                if (step.kind == Kind::Execute) {
                    bool works = false;
                    for (auto const &family : program.computeSets[step.computeSet.index].families)
                        for (auto const &placed :
                             program::placements(program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout))
                            works = works || placed.tile == t;
                    if (works) bytes += 12;
                } else if (step.kind == Kind::Exchange || step.kind == Kind::GlobalExchange) {
                    auto const &traffic = schedule.exchanges[step.exchange.index];
                    auto const tile = static_cast<std::size_t>(t);
                    if (mine) bytes += traffic.messages[tile] + traffic.fragments[tile] > 0 ? 8 : 4;
                } else if (step.kind == Kind::SyncExternal) {
                    if (mine) bytes += 4;
                } else if (step.kind != Kind::Sequence && step.kind != Kind::Parallel) {
                    if (mine) bytes += 12;
                }
            }
            for (auto child : step.children) self(self, child, ipu);
        };
        walk(walk, program.main, -1);
        QVERIFY(tasks > 4 * ipus);
        QCOMPARE(outcome->executable->memory.code.control, expected);
        // What is kept of a compute set or an exchange within an IPU is of that IPU's tiles.
        auto const each = static_cast<std::size_t>(program.tilesPerIpu);
        std::size_t narrow = 0;
        for (auto const &cost : schedule.computeSets.rows) narrow += cost.byTile.stretch().end - cost.byTile.stretch().begin <= each;
        QVERIFY(narrow * 2 > schedule.computeSets.rows.size());
    }
    void predictionLosesNoSampleOnManyIpus()
    {
        // 250 samples in batches of 25 do not fill four replicas evenly.
        auto const fields = smallModel({{"training.batch_size", "25"}, {"data.limit", "250"}});
        auto const one = runtime::predict(mnist("gc200:tiles=16", fields), requestIn(m_folder), nullptr, {}).value();
        auto const four = runtime::predict(mnist("gc200:tiles=16,ipus=4", fields), requestIn(m_folder), nullptr, {}).value();
        QCOMPARE(one.samples, 250);
        QCOMPARE(four.samples, 250);
        QCOMPARE(four.outputs.at(0).shape, (Shape{250, 10}));
        QCOMPARE(four.outputs.at(0).values, one.outputs.at(0).values);
    }
};

TW_REGISTER_TEST(TstDistribution);
#include "tst_distribution.moc"
