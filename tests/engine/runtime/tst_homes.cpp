// Variables in streaming memory: the same numbers as on the tiles, less memory of the tiles, and the time of the copies.
#include "engine/compiler/project_rules.h"
#include "engine/report/tables.h"
#include "engine/store/check_report.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <algorithm>
#include <numeric>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

namespace {

char const *const kState = "training.offload_weight_update_variables";
char const *const kSums = "training.offload_gradient_accumulation_buffers";
char const *const kWeights = "training.offload_weights";
char const *const kShards = "training.replicated_optimizer_state_sharding";
char const *const kWeightShards = "training.replicated_weight_sharding";
char const *const kActivations = "training.offload_activations";

} // namespace

class TstHomes : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static project::Project project(std::string const &kind, Fields const &homes)
    {
        Fields fields{{"training.optimizer", "adam"}, {"training.batch_size", "16"}};
        auto const add = [&](Fields const &more) { fields.insert(fields.end(), more.begin(), more.end()); };
        std::string target = "gc200:tiles=16";
        if (kind == "momentum") add({{"training.optimizer", "sgd"}, {"training.optimizer.momentum", "0.9"}});
        if (kind == "lamb") add({{"training.optimizer", "lamb"}});
        if (kind == "accumulation" || kind == "pipeline")
            add({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}});
        if (kind == "sgd on replicas") add({{"training.optimizer", "sgd"}});
        if (kind == "replicas" || kind == "four replicas" || kind == "sgd on replicas") {
            bool const four = kind == "four replicas";
            target += four ? ",ipus=4" : ",ipus=2";
            add({{"training.replicas", four ? "4" : "2"}, {"training.batch_size", "8"}});
        }
        if (kind == "pipeline") {
            target += ",ipus=4";
            add(twoStages({{"training.replicas", "2"}, {"training.batch_size", "8"}}));
        }
        if (kind == "shared validation") add({{"training.validation_split", "0.25"}, {"training.validation_executable", "shared"}});
        add(homes);
        if (kind == "float16") return halfModel("float16", fields);
        return mnist(target, smallModel(fields));
    }
    runtime::TrainOutcome run(std::string const &kind, Fields const &homes, Mode mode = Mode::Fused) const
    {
        auto request = requestIn(m_folder, mode);
        request.steps = kind == "accumulation" || kind == "pipeline" ? 8 : 4;
        return trained(project(kind, homes), request);
    }
    std::shared_ptr<executable::Executable const> compiled(std::string const &kind, Fields const &homes) const
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        auto outcome = compiler::compile(project(kind, homes), request, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return outcome->executable;
    }
    static Bytes worst(executable::Executable const &exe) { return exe.memory.ipus.front().worstBytes; }

private slots:
    void numbersDoNotDependOnTheHome_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QStringList>("homes");
        auto const row = [](char const *kind, std::vector<char const *> const &homes) {
            QStringList list;
            for (auto const *home : homes) list << home;
            QTest::addRow("%s: %s", kind, qPrintable(list.join(", ").remove("training."))) << QString(kind) << list;
        };
        for (auto const *kind : {"plain", "momentum", "lamb", "float16", "replicas", "pipeline", "shared validation"}) row(kind, {kState});
        for (auto const *kind : {"accumulation", "pipeline"}) row(kind, {kSums});
        for (auto const *kind : {"plain", "accumulation", "pipeline", "shared validation"}) row(kind, {kWeights});
        row("pipeline", {kState, kSums, kWeights});
        for (auto const *kind : {"replicas", "four replicas", "pipeline"}) row(kind, {kState, kShards});
        row("four replicas", {kState, kShards, kWeights});
        for (auto const *kind : {"replicas", "four replicas", "pipeline"}) row(kind, {kWeights, kWeightShards});
        for (auto const *kind : {"replicas", "four replicas", "pipeline"}) row(kind, {kState, kShards, kWeights, kWeightShards});
        row("sgd on replicas", {kWeights, kWeightShards});
        row("pipeline", {kActivations});
        row("pipeline", {kState, kSums, kWeights, kActivations});
    }
    /// Both modes train to the same bits as with everything on the tiles, and the clocks of the tiles equal the schedule.
    void numbersDoNotDependOnTheHome()
    {
        QFETCH(QString, kind);
        QFETCH(QStringList, homes);
        Fields fields;
        for (auto const &home : homes) fields.emplace_back(home.toStdString(), "true");
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto const onTiles = run(kind.toStdString(), {}, mode), away = run(kind.toStdString(), fields, mode);
            QVERIFY(program::streamingBytes(onTiles.compiled.executable->program) == 0);
            QVERIFY(program::streamingBytes(away.compiled.executable->program) > 0);
            QVERIFY(sameBytes(onTiles.state, away.state));
            auto const &entry = away.compiled.executable->entries.front();
            QVERIFY(entry.patternCycles > onTiles.compiled.executable->entries.front().patternCycles);
            std::int64_t const executions = away.steps / entry.stepsPerExecution;
            if (mode == Mode::Tile) QCOMPARE(away.device.measured, std::optional(executions * entry.patternCycles * entry.patternRepeats));
        }
    }

    /// The modes are compared before each update and then update from the same gradients, also where a replica updates its part only.
    void verifyComparesTheGradientsOfShards()
    {
        for (bool const weights : {false, true}) {
            Fields homes{{kState, "true"}, {kShards, "true"}};
            if (weights) homes.insert(homes.end(), {{kWeights, "true"}, {kWeightShards, "true"}});
            auto const outcome = runtime::verify(project("four replicas", homes), requestIn(m_folder), 2, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QVERIFY(outcome->agrees);
            auto const gradients =
                std::ranges::count_if(outcome->tensors, [](auto const &tensor) { return tensor.name.starts_with("gradient/"); });
            QCOMPARE(gradients, std::ptrdiff_t{6}); // three kernels, three biases
        }
    }

    /// Two moments of Adam leave the tiles; what an update needs of them is there for the update of one weight alone.
    void tilesHoldLess()
    {
        Fields const wide{{"model.layers.dense.units", "512"}, {"model.layers.dense_1.units", "512"}};
        auto const with = [&](std::vector<char const *> const &homes) {
            auto fields = wide;
            for (auto const *home : homes) fields.emplace_back(home, "true");
            return compiled("accumulation", fields);
        };
        auto const onTiles = with({}), state = with({kState}), sums = with({kState, kSums}), all = with({kState, kSums, kWeights});
        Bytes weights = 0;
        for (auto const &variable : onTiles->program.variables)
            if (variable.role == "weight") weights += elementCount(variable.shape) * sizeOf(variable.dtype);
        QCOMPARE(program::streamingBytes(onTiles->program), Bytes(0));
        // Without the biases of the last layer, which are smaller than 128 bytes.
        QCOMPARE(program::streamingBytes(state->program), 2 * (weights - 40));
        QCOMPARE(program::streamingBytes(sums->program), 3 * (weights - 40));
        QCOMPARE(program::streamingBytes(all->program), 4 * (weights - 40));
        QVERIFY(worst(*state) < worst(*onTiles) - weights / 16 / 2);
        QVERIFY(worst(*sums) < worst(*state));
        QVERIFY(worst(*all) < worst(*sums));
    }

    void smallTensorsStayOnTheTiles()
    {
        auto const bytes = [&](char const *least) {
            return program::streamingBytes(
                compiled("plain", {{kState, "true"}, {"ipu_config.optimizations.minimum_remote_tensor_size", least}})->program);
        };
        QVERIFY(bytes("0") > bytes("128"));
        QVERIFY(bytes("128") > bytes("4096"));
        QCOMPARE(bytes("100000000"), Bytes(0));
    }

    /// A quarter of each state for each of four replicas, up to the grain of a block.
    void shardsAreAPartOfTheState()
    {
        auto const whole = compiled("four replicas", {{kState, "true"}}),
                   parts = compiled("four replicas", {{kState, "true"}, {kShards, "true"}});
        int sharded = 0;
        for (auto const &variable : parts->program.variables) {
            if (variable.home != Home::Shards) continue;
            ++sharded;
            auto const twin = std::ranges::find(whole->program.variables, variable.name, &program::Variable::name);
            QVERIFY(twin != whole->program.variables.end() && twin->home == Home::Streaming);
            Bytes const full = program::remoteBytes(whole->program, *twin), shard = program::remoteBytes(parts->program, variable);
            QVERIFY2(4 * shard >= full, variable.name.c_str());
            QVERIFY2(shard <= full / 4 + 4 * variable.layout.blocks(), variable.name.c_str());
        }
        QVERIFY(sharded >= 4);
    }

    /// A replica that updates its shards receives no other part of their gradients, and of weights in shards no other part either.
    void shardsNeedOnlyAReduceScatter()
    {
        auto const transfers = [&](executable::Executable const &exe, char const *of, char const *phase) {
            std::size_t count = 0;
            for (auto const &exchange : exe.program.exchanges)
                if (exchange.name.find(of) != std::string::npos && exchange.name.ends_with(phase)) count += exchange.ring.size();
            return count;
        };
        // Wide enough for joint plans: these gradients lie as their weights.
        auto const with = [&](Fields homes) {
            homes.insert(homes.end(), {{"model.layers.dense.units", "256"}, {"model.layers.dense_1.units", "128"}, {kState, "true"}});
            return compiled("four replicas", homes);
        };
        auto const whole = with({}), parts = with({{kShards, "true"}}),
                   all = with({{kShards, "true"}, {kWeights, "true"}, {kWeightShards, "true"}});
        std::size_t const gradients = transfers(*whole, "AllReduce", "/ReduceScatter/Step0");
        QCOMPARE(gradients, std::size_t{6});
        QCOMPARE(transfers(*whole, "AllReduce", "/AllGather/Step0"), gradients);
        QCOMPARE(transfers(*parts, "AllReduce", "/ReduceScatter/Step0"), gradients);
        std::size_t const kernels = 3;
        QVERIFY(transfers(*parts, "AllReduce", "/AllGather/Step0") <= gradients - kernels); // some biases are too small for shards
        QVERIFY(transfers(*parts, "/adam", "/AllGather/Step0") >= kernels);                 // the new weights, gathered together
        QCOMPARE(transfers(*all, "/adam", "/AllGather/Step0"), std::size_t{0});
    }
    /// A quarter of each weight for each of four replicas.
    void weightShardsAreAPartOfTheWeights()
    {
        Fields const homes{{kState, "true"}, {kShards, "true"}, {kWeights, "true"}};
        auto withShards = homes;
        withShards.emplace_back(kWeightShards, "true");
        auto const whole = compiled("four replicas", homes), parts = compiled("four replicas", withShards);
        int sharded = 0;
        for (auto const &variable : parts->program.variables) {
            if (variable.home != Home::Shards || variable.role != "weight") continue;
            ++sharded;
            auto const twin = std::ranges::find(whole->program.variables, variable.name, &program::Variable::name);
            QVERIFY(twin != whole->program.variables.end() && twin->home == Home::Streaming);
            QVERIFY(program::remoteBytes(parts->program, variable)
                    <= program::remoteBytes(whole->program, *twin) / 4 + 4 * variable.layout.blocks());
        }
        QCOMPARE(sharded, 3);
    }
    /// Every tensor that waits has as many slots in streaming memory as it had on the tiles, and one tensor stays there.
    void stashesLeaveTheTiles()
    {
        Fields const wide{{"training.batch_size", "128"}, {"model.layers.dense.units", "128"}, {"data.limit", "2048"}};
        auto with = wide;
        with.emplace_back(kActivations, "true");
        auto const onTiles = compiled("pipeline", wide), away = compiled("pipeline", with);
        auto const rings = [](executable::Executable const &exe, Home home) {
            Bytes bytes = 0;
            for (auto const &variable : exe.program.variables)
                if (variable.name.ends_with("/ring") && variable.home == home) bytes += variable.layout.elements() * sizeOf(variable.dtype);
            return bytes;
        };
        auto const stashed = rings(*onTiles, Home::Tiles);
        QVERIFY(stashed > 0);
        QCOMPARE(rings(*away, Home::Tiles) + rings(*away, Home::Streaming), stashed);
        QVERIFY(rings(*away, Home::Tiles) < 1024); // tensors of less than 128 bytes
        QCOMPARE(program::streamingBytes(away->program), rings(*away, Home::Streaming));
        QVERIFY(worst(*away) < worst(*onTiles));
        auto const text = program::print(away->program);
        auto const parsed = program::parse(text);
        QVERIFY2(parsed.ok(), parsed.ok() ? "" : toText(parsed.error()).c_str());
        QCOMPARE(program::print(*parsed), text);
    }

    void reportTellsOfRemoteBuffers()
    {
        auto request = requestIn(m_folder, Mode::Tile);
        request.steps = 8;
        request.report = m_folder.path() / "homes.twreport";
        trained(project("accumulation", {{kState, "true"}, {kSums, "true"}}), request);
        auto const reader = store::ReportReader::open(*request.report);
        QVERIFY(reader.ok());
        auto const violations = *store::checkReport(**reader);
        QVERIFY2(violations.empty(), violations.empty() ? "" : (violations.front().subject + ": " + violations.front().what).c_str());
        auto const data = *(*reader)->readAll();
        QVERIFY(!data.remoteBuffers.empty());
        Bytes bytes = 0;
        for (auto const &buffer : data.remoteBuffers) {
            auto const &variable = data.variables.at(static_cast<std::size_t>(buffer.variable));
            QCOMPARE(variable.bytes, Bytes(0)); // none on the tiles
            bytes += buffer.bytes;
        }
        auto const figure = [&](char const *name) {
            auto const it = std::ranges::find(data.figures, name, &report::FigureRow::name);
            return it == data.figures.end() ? -1.0 : it->value;
        };
        QCOMPARE(figure("streaming_bytes"), static_cast<double>(bytes));
        QVERIFY(figure("remote_copy_cycles_per_step") > 0);
        QVERIFY(
            std::ranges::any_of(data.streams, [](auto const &stream) { return stream.memory == "remote" && stream.bytesPerTransfer > 0; }));
        QVERIFY(std::ranges::any_of(data.exchanges, [](auto const &exchange) { return exchange.kind == "remote"; }));
    }

    void interruptedTrainingContinues()
    {
        Fields const homes{{kState, "true"}, {kShards, "true"}};
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto request = requestIn(m_folder, mode);
            request.steps = 4;
            auto const p = project("replicas", homes);
            auto const whole = trained(p, request);
            request.steps = 2;
            auto const first = trained(p, request);
            request.resume = first.state;
            auto const second = trained(p, request);
            QVERIFY(sameBytes(second.state, whole.state));
        }
    }

    void offloadedActivationsWithoutAPipelineAreWarnedOf()
    {
        auto const isTold = [](project::Project const &p) {
            return std::ranges::any_of(compiler::judge(p, {}).problems, [](Diagnostic const &problem) {
                return problem.code == "training.no-pipeline" && problem.subject == kActivations && problem.severity == Severity::Warning;
            });
        };
        QVERIFY(isTold(project("plain", {{kActivations, "true"}})));
        QVERIFY(!isTold(project("plain", {})));
        QVERIFY(!isTold(project("pipeline", {{kActivations, "true"}})));
    }

    void targetsWithoutStreamingMemoryAreRefused()
    {
        auto request = requestIn(m_folder).compile;
        for (auto const *home : {kState, kSums, kWeights, kActivations}) {
            auto p = mnist("gc2:tiles=16", smallModel({{home, "true"}}));
            auto const outcome = compiler::compile(p, request, {});
            QVERIFY(!outcome.ok());
            QCOMPARE(outcome.error().code, std::string("training.offload"));
            QCOMPARE(outcome.error().subject, std::string(home));
        }
        auto const outcome = compiler::compile(project("replicas", {{kShards, "true"}}), request, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().subject, std::string(kShards));
        auto const weights = compiler::compile(project("replicas", {{kWeightShards, "true"}}), request, {});
        QVERIFY(!weights.ok());
        QCOMPARE(weights.error().subject, std::string(kWeightShards));
    }
};

TW_REGISTER_TEST(TstHomes);
#include "tst_homes.moc"
