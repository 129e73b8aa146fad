#include "engine/compiler/compile.h"
#include "engine/lowering/schedule.h"
#include "engine/model/model.h"
#include "engine/model/stages.h"
#include "engine/report/check/check_tables.h"
#include "engine/runtime/run_report.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// Layers sharded over IPUs without a pipeline: the arithmetic of one IPU, on several.
class TstSharding : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static int ipusFor(std::string const &stages) { return stages.find_first_of("23") == std::string::npos ? 2 : 4; }
    project::Project sharded(std::string const &stages, Fields more = {}, int replicas = 1) const
    {
        Fields fields{{"training.placement", "sharded"}, {"training.batch_size", "8"}, {"data.limit", "64"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16,ipus=" + std::to_string(replicas * ipusFor(stages)), inStages(stages, smallModel(fields)));
    }
    project::Project alone(Fields more = {}, int replicas = 1) const
    {
        Fields fields{{"training.batch_size", "8"}, {"data.limit", "64"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16,ipus=" + std::to_string(replicas), smallModel(fields));
    }
    runtime::TrainOutcome run(project::Project const &p, Mode mode, std::vector<double> *losses = nullptr) const
    {
        return trained(p, requestIn(m_folder, mode, 2), losses);
    }
    compiler::CompileOutcome compiled(project::Project const &p) const
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        request.forReport = true;
        auto outcome = compiler::compile(p, request, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return std::move(outcome).value();
    }
    report::ReportData reportOf(project::Project const &p) const
    {
        auto const file = m_folder.path() / "sharded.twreport";
        if (auto const written = runtime::writeCompileReport(file, p, compiled(p)); !written.ok())
            qFatal("%s", toText(written.error()).c_str());
        return store::ReportReader::open(file).value()->readAll().value();
    }

private slots:
    void trainsAsOneIpu_data()
    {
        QTest::addColumn<QString>("stages");
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<QString>("accumulation");
        QTest::addColumn<QString>("mapping");
        QTest::addColumn<int>("replicas");
        QTest::newRow("two IPUs") << "0011"
                                  << "sgd"
                                  << "1"
                                  << "null" << 1;
        QTest::newRow("four IPUs") << "0123"
                                   << "adam"
                                   << "1"
                                   << "null" << 1;
        QTest::newRow("back and forth") << "0101"
                                        << "rmsprop"
                                        << "1"
                                        << "null" << 1;
        QTest::newRow("an empty stage") << "0022"
                                        << "sgd"
                                        << "1"
                                        << "null" << 1;
        QTest::newRow("accumulation") << "0110"
                                      << "adam"
                                      << "2"
                                      << "null" << 1;
        QTest::newRow("stages on one IPU") << "0123"
                                           << "sgd"
                                           << "1"
                                           << "[0, 1, 1, 0]" << 1;
        QTest::newRow("replicas") << "0011"
                                  << "adam"
                                  << "2"
                                  << "null" << 2;
    }
    void trainsAsOneIpu()
    {
        QFETCH(QString, stages);
        QFETCH(QString, optimizer);
        QFETCH(QString, accumulation);
        QFETCH(QString, mapping);
        QFETCH(int, replicas);
        Fields const plan{{"training.optimizer", optimizer.toStdString()},
                          {"training.gradient_accumulation_steps", accumulation.toStdString()},
                          {"training.steps_per_execution", std::to_string(2 * accumulation.toInt())}};
        Fields onIpus = plan;
        onIpus.emplace_back("training.device_mapping", mapping.toStdString());
        auto p = sharded(stages.toStdString(), onIpus, replicas);
        if (mapping != "null") p = project::withField(p, "system.target", "gc200:tiles=16,ipus=2", nullptr).value();
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            std::vector<double> many, one;
            auto const a = run(p, mode, &many);
            auto const b = run(alone(plan, replicas), mode, &one);
            QVERIFY(a.steps > 0);
            QCOMPARE(a.steps, b.steps);
            QCOMPARE(a.weightsHash, b.weightsHash);
            QVERIFY(many == one);
            QVERIFY(a.compiled.executable->program.ipus > 1);
        }
    }
    void evaluatesAndPredictsAsOneIpu()
    {
        Fields const shared{{"training.validation_split", "0.25"}, {"training.validation_executable", "shared"}, {"data.limit", "128"}};
        auto const a = run(sharded("0121", shared), Mode::Fused), b = run(alone(shared), Mode::Fused);
        QCOMPARE(a.weightsHash, b.weightsHash);
        QVERIFY(a.epochs[0].valLoss && b.epochs[0].valLoss);
        QCOMPARE(*a.epochs[0].valLoss, *b.epochs[0].valLoss);
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto const many = runtime::predict(sharded("0121"), requestIn(m_folder, mode), &a.state, {});
            auto const one = runtime::predict(alone(), requestIn(m_folder, mode), &b.state, {});
            QVERIFY2(many.ok(), many.ok() ? "" : toText(many.error()).c_str());
            QVERIFY(one.ok() && many->outputs[0].values == one->outputs[0].values);
        }
    }
    void bothModesAgree()
    {
        for (auto const *policy : {"float32", "mixed_float16"}) {
            auto p = sharded("0212", {{"training.steps_per_execution", "2"}, {"ipu_config.allow_recompute", "true"}});
            for (auto const *layer : {"flatten", "dense", "dense_1", "dense_2"})
                p = project::withField(p, std::string("model.layers.") + layer + ".dtype", policy, nullptr).value();
            auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile), 3, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QVERIFY(outcome->agrees);
        }
    }
    void eachIpuHoldsItsLayers()
    {
        auto const p = sharded("0101");
        auto const data = reportOf(p);
        for (auto const &violation : report::checkTables(data)) QFAIL((violation.subject + ": " + violation.what).c_str());
        QCOMPARE(data.stages.size(), std::size_t(2));
        QVERIFY(data.stageTasks.empty()); // no slots
        auto const outcome = compiled(p);
        auto const &program = outcome.executable->program;
        std::map<std::string, int> expected{{"dense/kernel", 1}, {"dense_1/kernel", 0}, {"dense_2/kernel", 1}};
        for (auto const &variable : program.variables)
            if (auto const it = expected.find(variable.name); it != expected.end()) {
                QCOMPARE(variable.layout.on.ipu, it->second);
                expected.erase(it);
            }
        QVERIFY(expected.empty());
        // One micro-batch passes through both IPUs, forward and back.
        std::set<std::pair<int, int>> ways;
        for (auto const &step : program.steps)
            if (step.kind == program::StepKind::GlobalExchange)
                for (auto const &t : program.exchanges[step.exchange.index].transfers)
                    ways.insert({program.var(t.src).layout.on.ipu, program.var(t.dst).layout.on.ipu});
        QVERIFY(ways.contains({0, 1}) && ways.contains({1, 0}));
    }
    /// in - stem(0) - left(1), right(2) - join(3): neither branch waits for the other.
    void branchesWorkAtTheSameTime()
    {
        auto p = mnist("gc200:tiles=16,ipus=4", {{"training.placement", "sharded"}, {"training.batch_size", "16"}});
        model::Model m;
        m.name = "branches";
        m.kind = model::ModelKind::Functional;
        auto const layer = [&](std::string type, std::string name, model::Json config, std::vector<std::string> from, int stage) {
            auto l = model::makeLayer(std::move(type), std::move(name), std::move(config));
            model::Call call;
            for (auto &each : from) call.inputs.push_back({each, 0, 0});
            l.calls = {call};
            l.stage = stage;
            m.layers.push_back(std::move(l));
        };
        auto in = model::makeInput("in", {28, 28});
        in.calls = {model::Call{}};
        m.layers.push_back(std::move(in));
        layer("Flatten", "flat", model::Json::object(), {"in"}, 0);
        layer("Dense", "stem", {{"units", 32}, {"activation", "relu"}}, {"flat"}, 0);
        layer("Dense", "left", {{"units", 48}, {"activation", "relu"}}, {"stem"}, 1);
        layer("Dense", "left_out", {{"units", 24}}, {"left"}, 1);
        layer("Dense", "right", {{"units", 48}, {"activation", "tanh"}}, {"stem"}, 2);
        layer("Dense", "right_out", {{"units", 24}}, {"right"}, 2);
        layer("Add", "sum", model::Json::object(), {"left_out", "right_out"}, 3);
        layer("Dense", "out", {{"units", 10}, {"activation", "softmax"}}, {"sum"}, 3);
        m.inputs = {{"in", 0, 0}};
        m.outputs = {{"out", 0, 0}};
        p.model = m;
        auto const outcome = compiled(p);
        auto const &program = outcome.executable->program;
        auto const timeline = lowering::timelineOf(lowering::makeSchedule(program, outcome.machine, false));
        auto const working = [&](int ipu, std::string const &name) {
            std::vector<std::pair<Cycles, Cycles>> spans;
            for (auto const &event : timeline.events) {
                auto const &step = program.step(event.step);
                if (event.ipu != ipu || event.phase != program::Phase::Compute || step.op < 0) continue;
                auto const &op = program.ops[static_cast<std::size_t>(step.op)];
                if (op.name.starts_with(name) && op.pass == "forward") spans.push_back({event.start, event.start + event.duration});
            }
            return spans;
        };
        auto const left = working(1, "left"), right = working(2, "right");
        QVERIFY(!left.empty() && !right.empty());
        Cycles together = 0, shorter = 0;
        for (auto const &[a, b] : left) {
            shorter += b - a;
            for (auto const &[c, d] : right) together += std::max<Cycles>(0, std::min(b, d) - std::max(a, c));
        }
        auto const text = QString("%1 of %2 cycles together").arg(together).arg(shorter);
        QVERIFY2(2 * together > shorter, qPrintable(text));
        qInfo("%s", qPrintable(text));
        auto const agree = runtime::verify(p, requestIn(m_folder, Mode::Tile), 2, {});
        QVERIFY2(agree.ok(), agree.ok() ? "" : toText(agree.error()).c_str());
        QVERIFY(agree->agrees);
    }
    void copiesGoStraightToTheReader()
    {
        auto const graph = compiled(sharded("0033")).entry()->graph;
        for (auto const &node : graph.nodes)
            if (node.op == "ipu_copy") QCOMPARE(std::abs(node.attrs.integer("to") - node.attrs.integer("from")), std::int64_t(3));
    }
    void rulesAreThoseOfTheirPlacement()
    {
        auto const refused = [&](Fields const &more, std::string const &stages) {
            auto const outcome = compiler::compile(sharded(stages, more), requestIn(m_folder).compile, {});
            return outcome.ok() ? std::string() : outcome.error().code;
        };
        QCOMPARE(refused({}, "1020"), std::string());
        QCOMPARE(refused({{"training.placement", "pipeline"}}, "1020"), std::string("training.accumulation"));
        QCOMPARE(refused({{"training.pipeline_schedule", "interleaved"}, {"training.device_mapping", "[0, 1, 0]"}}, "0012"), std::string());
        QCOMPARE(refused({{"training.device_mapping", "[0, 1]"}}, "0012"), std::string("training.device-mapping"));
        QCOMPARE(refused({{"model.layers.dense_1.stage", "-1"}}, "0011"), std::string("model.stage"));
        QCOMPARE(refused({{"system.target", "gc200:tiles=16,ipus=2"}}, "0022"), std::string("runtime.too-few-ipus"));
    }
};

TW_REGISTER_TEST(TstSharding);
#include "tst_sharding.moc"
