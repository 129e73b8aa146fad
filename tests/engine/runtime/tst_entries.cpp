// An executable of several entries: the training, and beside it validation, evaluation and prediction over the same weights.
#include "engine/executable/cache.h"
#include "engine/executable/executable.h"
#include "engine/lowering/schedule.h"
#include "engine/model/keras_json.h"
#include "engine/runtime/run_report.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_text.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

class TstEntries : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// 256 digits, 64 of them held out, with further fields of the plan.
    project::Project project(std::string const &kind, bool shared) const
    {
        Fields fields{{"training.validation_split", "0.25"},
                      {"training.epochs", "2"},
                      {"training.batch_size", "16"},
                      {"training.optimizer", "sgd"},
                      {"training.validation_executable", shared ? "shared" : "own"}};
        std::string target = "gc200:tiles=16";
        auto const add = [&](Fields more) { fields.insert(fields.end(), more.begin(), more.end()); };
        if (kind == "replicas") target = "gc200:tiles=16,ipus=2";
        if (kind == "other batch") add({{"training.batch_size", "24"}}); // 64 samples go in batches of 16
        // The training cuts 1,024 rows in parts; the 130 of the validation may fill fewer of them.
        if (kind == "fewer rows") add({{"training.batch_size", "1024"}, {"data.limit", "1154"}, {"training.validation_split", "0.1126"}});
        if (kind == "pipeline") {
            target = "gc200:tiles=16,ipus=4";
            add(twoStages({{"training.replicas", "2"},
                           {"training.batch_size", "8"},
                           {"training.gradient_accumulation_steps", "4"},
                           {"training.steps_per_execution", "4"}}));
        }
        if (kind == "executions") add({{"training.steps_per_execution", "4"}});
        auto p = kind == "float16" ? halfModel("mixed_float16", fields) : mnist(target, smallModel(fields));
        if (kind == "dropout") p.model.layers.insert(p.model.layers.begin() + 2, model::makeLayer("Dropout", "dropout", {{"rate", 0.3}}));
        if (kind == "norm") p.model.layers.insert(p.model.layers.begin() + 2, model::makeLayer("BatchNormalization", "norm", {}));
        model::normalizeModel(p.model);
        return p;
    }
    runtime::TrainOutcome run(std::string const &kind, bool shared, Mode mode) const
    {
        return trained(project(kind, shared), requestIn(m_folder, mode, 2));
    }

    std::shared_ptr<executable::Executable const> compiled(project::Project const &p, std::int64_t validationSamples = 64) const
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        request.validationSamples = validationSamples;
        auto outcome = compiler::compile(p, request, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return outcome->executable;
    }

private slots:
    void validationBesideTrainingGivesTheSame_data()
    {
        QTest::addColumn<QString>("kind");
        for (auto const *kind : {"plain", "executions", "other batch", "fewer rows", "replicas", "pipeline", "dropout", "norm", "float16"})
            QTest::newRow(kind) << QString(kind);
    }
    /// Both ways train to the same bits: the validation in between leaves nothing on the tiles that the training meets.
    void validationBesideTrainingGivesTheSame()
    {
        QFETCH(QString, kind);
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto const own = run(kind.toStdString(), false, mode), shared = run(kind.toStdString(), true, mode);
            QCOMPARE(own.compiled.executable->entries.size(), std::size_t(1));
            auto const &entries = shared.compiled.executable->program.entries;
            if (kind != "fewer rows") QCOMPARE(entries, (std::vector<std::string>{"train", "evaluate", "predict"}));
            else QVERIFY(entries.size() > 1 && shared.compiled.executable->entries[1].batchSize == 130);
            QVERIFY(sameBytes(own.state, shared.state));
            QCOMPARE(own.epochs.size(), std::size_t(2));
            for (std::size_t i = 0; i < 2; ++i) {
                auto const &a = own.epochs[i], &b = shared.epochs[i];
                QCOMPARE(a.loss, b.loss);
                QVERIFY(a.valLoss && b.valLoss);
                double const tolerance = kind == "float16" ? 2e-3 : 1e-5;
                QVERIFY2(std::abs(*a.valLoss - *b.valLoss) <= tolerance * *a.valLoss,
                         qPrintable(QString("%1 and %2").arg(*a.valLoss).arg(*b.valLoss)));
                QVERIFY(a.valMetrics.front().first == b.valMetrics.front().first);
                QVERIFY(std::abs(a.valMetrics.front().second - b.valMetrics.front().second) <= (kind == "float16" ? 0.02 : 1e-6));
                QVERIFY(a.valLoadingSeconds > 0);
                QCOMPARE(b.valLoadingSeconds, 0.0);
            }
            // The training is as long, and counted by itself.
            QCOMPARE(own.compiled.entry()->patternCycles, shared.compiled.entry()->patternCycles);
            QCOMPARE(own.device.measured, shared.device.measured);
        }
    }

    /// Entries run one after the other: their temporaries share memory, and an entry adds its code to the fullest tile. An entry of another
    /// batch computes on the grids of the training.
    void furtherEntriesAddCodeOnly()
    {
        auto p = project::fromTemplate("transformer-sort").value();
        p = project::withField(p, "system.target", "gc200:tiles=64", nullptr).value();
        p = project::withField(p, "training.validation_executable", "shared", nullptr).value();
        auto const dataOfFullestTile = [](executable::Executable const &exe) {
            Bytes most = 0;
            auto const &code = exe.memory.code;
            for (std::size_t t = 0; t < exe.memory.need.size(); ++t)
                most = std::max(most,
                                exe.memory.need[t] - code.vertexCode[t] - code.vertexState[t] - code.internalExchange[t]
                                    - code.hostExchange[t] - code.hostHeader[t] - code.control[t] - code.stack[t]);
            return most;
        };
        auto const alone = dataOfFullestTile(*compiled(p, 0));
        double cyclesOfEqualBatch = 0;
        for (std::int64_t const batch : {32, 29}) {
            auto const shared = compiled(p, batch * 2);
            QCOMPARE(shared->entries.size(), std::size_t(2));
            QCOMPARE(shared->entries[1].batchSize, batch);
            double const cycles = shared->entries[1].cyclesPerStep();
            if (batch == 32) cyclesOfEqualBatch = cycles;
            QVERIFY2(cycles <= cyclesOfEqualBatch * 1.05, qPrintable(QString("%1 %2").arg(cyclesOfEqualBatch).arg(cycles)));
            auto const beside = dataOfFullestTile(*shared);
            QVERIFY2(beside <= alone + alone / 10, qPrintable(QString("%1 %2").arg(alone).arg(beside)));
        }
    }

    /// The tiles' cycles for a validation equal its schedule.
    /// Without its dropout, the query has the operand of key and value: the evaluation combines three products, the training two.
    void anEntryThatCombinesMoreHasAGridOfItsOwn()
    {
        auto p = project("plain", true);
        p.model = model::parseKerasJson(R"({"class_name": "Functional", "config": {"name": "m", "layers": [
            {"class_name": "InputLayer", "name": "x", "inbound_nodes": [], "config": {"name": "x", "batch_input_shape": [null, 28, 28]}},
            {"class_name": "SpatialDropout1D", "name": "drop", "config": {"name": "drop", "rate": 0.5}, "inbound_nodes": [[["x", 0, 0, {}]]]},
            {"class_name": "MultiHeadAttention", "name": "a", "config": {"name": "a", "num_heads": 2, "key_dim": 39},
             "inbound_nodes": [[["drop", 0, 0, {"value": ["x", 0, 0]}]]]},
            {"class_name": "Flatten", "name": "f", "config": {"name": "f"}, "inbound_nodes": [[["a", 0, 0, {}]]]},
            {"class_name": "Dense", "name": "d", "config": {"name": "d", "units": 10}, "inbound_nodes": [[["f", 0, 0, {}]]]}],
            "input_layers": [["x", 0, 0]], "output_layers": [["d", 0, 0]]}})")
                      .value();
        p.training.batchSize = 4;
        QVERIFY(p.config.setFromText("optimizations.combine_matmuls", "true").ok());
        QCOMPARE(compiled(p)->entries.size(), std::size_t(2));
    }
    void anEntryIsClockedByItself()
    {
        for (auto const *kind : {"plain", "replicas", "pipeline"}) {
            auto const outcome = run(kind, true, Mode::Tile);
            auto const &entry = outcome.compiled.executable->entries.at(1);
            std::int64_t const executions = 64 / (entry.batchSize * outcome.compiled.executable->replicas * entry.stepsPerExecution);
            QVERIFY(executions > 0 && entry.patternCycles > 0);
            for (auto const &epoch : outcome.epochs)
                QCOMPARE(epoch.valDevice.measured, std::optional(executions * entry.patternCycles * entry.patternRepeats));
        }
    }

    /// Weights are there once, where the training has them, and the validation's products stay with them.
    void weightsAreSharedAndStayWhereTheyAre()
    {
        auto const exe = compiled(project("plain", true));
        auto const &training = exe->entries.at(0), &entry = exe->entries.at(1);
        int weights = 0;
        for (std::size_t v = 0; v < entry.graph.variables.size(); ++v) {
            auto const &variable = entry.graph.variables[v];
            if (variable.role != graph::Role::Weight) continue;
            auto const twin = std::ranges::find(training.graph.variables, variable.name, &graph::Variable::name);
            QVERIFY(twin != training.graph.variables.end());
            QCOMPARE(entry.variables[v], training.variables[static_cast<std::size_t>(twin - training.graph.variables.begin())]);
            ++weights;
        }
        QCOMPARE(weights, 6);
        auto const &program = exe->program;
        auto const leaves = [&](program::StepId root) {
            std::vector<program::StepId> found;
            auto const visit = [&](auto &&self, program::StepId id) -> void {
                auto const &step = program.step(id);
                if (!program::isControl(step.kind)) found.push_back(id);
                for (auto child : step.children) self(self, child);
            };
            visit(visit, root);
            return found;
        };
        // The forward pass sends only weights of products for which the training sends them too.
        std::map<program::VarId, int> sent[2];
        for (std::size_t e = 0; e < 2; ++e)
            for (auto id : leaves(program.root(e))) {
                auto const &step = program.step(id);
                if (step.kind != program::StepKind::Exchange) continue;
                auto const &exchange = program.exchanges[step.exchange.index];
                if (program.ops[static_cast<std::size_t>(exchange.op)].pass != "forward") continue;
                for (auto const &transfer : exchange.transfers)
                    if (program.var(transfer.src).role == "weight") ++sent[e][transfer.src];
            }
        QVERIFY(sent[0].size() < 6);
        QVERIFY(sent[0] == sent[1]);
    }

    void aFileHoldsAllEntriesAndDamageIsFound()
    {
        auto const exe = compiled(project("pipeline", true));
        auto const bytes = executable::serialize(*exe);
        auto const back = executable::deserialize(bytes);
        QVERIFY2(back.ok(), back.ok() ? "" : toText(back.error()).c_str());
        QVERIFY(executable::serialize(*back) == bytes);
        QCOMPARE(back->entries.at(1).patternCycles, exe->entries.at(1).patternCycles);
        auto const refused = [](executable::Executable const &damaged) {
            auto const read = executable::deserialize(executable::serialize(damaged));
            return !read.ok() && read.error().code == "executable.damaged";
        };
        for (int way = 0; way < 7; ++way) {
            auto damaged = *exe;
            auto &entry = damaged.entries[1];
            if (way == 0) damaged.entries.pop_back();
            if (way == 1) damaged.program.entries.pop_back();
            if (way == 2) entry.variables.pop_back();
            if (way == 3) entry.variables[0] = static_cast<std::uint32_t>(damaged.variables.size());
            if (way == 4) entry.weights[0] = graph::VariableId(entry.graph.variables.size());
            if (way == 5) entry.name = "train";
            if (way == 6) entry.name = "another";
            QVERIFY2(refused(damaged), qPrintable(QString::number(way)));
        }
    }

    void theCacheDistinguishesThem()
    {
        auto const own = project("plain", false), shared = project("plain", true);
        auto request = requestIn(m_folder).compile;
        request.cacheFolder = m_folder.path() / "entries";
        auto const look = [&](project::Project const &p, std::int64_t samples) {
            request.validationSamples = samples;
            auto const outcome = compiler::compile(p, request, {});
            if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
            return std::pair(outcome->cache, outcome->executable->entries.size());
        };
        using Seen = std::pair<std::string, std::size_t>;
        QCOMPARE(look(own, 0), Seen("miss", 1));
        QCOMPARE(look(shared, 0), Seen("hit", 1)); // nothing to validate with
        QCOMPARE(look(shared, 64), Seen("miss", 2));
        QCOMPARE(look(shared, 128), Seen("hit", 2)); // in the same batches
        QCOMPARE(look(shared, 40), Seen("miss", 2)); // in others
        QCOMPARE(look(own, 64), Seen("hit", 1));
    }

    /// One compile serves training, evaluation and prediction, with the results of executables of their own.
    void trainingEvaluationAndPredictionCompileOnce_data()
    {
        QTest::addColumn<QString>("kind");
        for (auto const *kind : {"plain", "executions", "other batch", "replicas", "pipeline", "norm"})
            QTest::newRow(kind) << QString(kind);
    }
    void trainingEvaluationAndPredictionCompileOnce()
    {
        QFETCH(QString, kind);
        bool const sameGraphs = kind != "replicas" && kind != "pipeline"; // alone they run on one replica
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto request = requestIn(m_folder, mode, 2);
            request.compile.cacheFolder = m_folder.path() / (kind.toStdString() + (mode == Mode::Tile ? " tile" : " fused"));
            auto const shared = project(kind.toStdString(), true), own = project(kind.toStdString(), false);
            auto const training = trained(shared, request);
            QCOMPARE(training.compiled.cache, std::string("miss"));
            auto const evaluated = runtime::evaluate(shared, request, &training.state, {});
            QVERIFY2(evaluated.ok(), evaluated.ok() ? "" : toText(evaluated.error()).c_str());
            auto const predicted = runtime::predict(shared, request, &training.state, {});
            QVERIFY2(predicted.ok(), predicted.ok() ? "" : toText(predicted.error()).c_str());
            for (auto const *outcome : {&evaluated->compiled, &predicted->compiled}) {
                QCOMPARE(outcome->cache, std::string("hit"));
                QCOMPARE(outcome->executable->entries.size(), std::size_t(3));
            }
            QCOMPARE(evaluated->compiled.entry()->name, std::string("evaluate"));
            QCOMPARE(predicted->compiled.entry()->name, std::string("predict"));
            auto const cache = executable::ExecutableCache::open(request.compile.cacheFolder);
            QVERIFY(cache.ok());
            QCOMPARE(cache->list().size(), std::size_t(1));
            auto const evaluatedAlone = runtime::evaluate(own, request, &training.state, {});
            auto const predictedAlone = runtime::predict(own, request, &training.state, {});
            QVERIFY(evaluatedAlone.ok() && predictedAlone.ok());
            QCOMPARE(evaluated->samples, std::int64_t(256)); // the test samples
            QCOMPARE(predicted->samples, predictedAlone->samples);
            QVERIFY(std::abs(evaluated->loss - evaluatedAlone->loss) <= 1e-5 * evaluatedAlone->loss);
            auto const &a = predicted->outputs.at(0).values, &b = predictedAlone->outputs.at(0).values;
            QCOMPARE(a.size(), b.size());
            for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - b[i]) <= 1e-5f);
            if (mode != Mode::Fused || !sameGraphs) continue;
            QCOMPARE(evaluated->loss, evaluatedAlone->loss);
            QCOMPARE(evaluated->metrics, evaluatedAlone->metrics);
            QVERIFY(a == b);
        }
    }

    /// A report tells cycles and samples of each entry beside the training.
    void aReportHasTheFiguresOfEachEntry()
    {
        auto const p = project("replicas", true);
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        request.forReport = true;
        request.validationSamples = request.inferenceSamples = 64;
        auto const outcome = compiler::compile(p, request, {});
        QVERIFY(outcome.ok());
        auto const path = m_folder.path() / "entries.twreport";
        QVERIFY(runtime::writeCompileReport(path, p, *outcome).ok());
        auto const reader = store::ReportReader::open(path);
        QVERIFY(reader.ok());
        auto const read = (*reader)->readAll();
        QVERIFY(read.ok());
        auto const figure = [&](std::string const &name) {
            auto const it = std::ranges::find(read->figures, name, &report::FigureRow::name);
            return it == read->figures.end() ? -1.0 : it->value;
        };
        for (auto const *name : {"evaluate", "predict"}) {
            auto const entry = outcome->executable->find(name);
            QVERIFY(entry && (*entry)->cyclesPerStep() > 0);
            QCOMPARE(figure(std::string(name) + "_cycles_per_step"), (*entry)->cyclesPerStep());
            QCOMPARE(figure(std::string(name) + "_samples_per_step"), static_cast<double>(2 * (*entry)->batchSize));
        }
        QCOMPARE(figure("train_cycles_per_step"), -1.0); // it is what the report describes
        auto const summary = store::reportPart(**reader, "summary", {});
        QVERIFY(summary.ok());
        auto const &rows = (*summary)["entries"];
        QCOMPARE(rows.size(), std::size_t(3));
        for (std::size_t i = 0; i < 3; ++i) {
            auto const &entry = outcome->executable->entries[i];
            QCOMPARE(rows[i]["name"].get<std::string>(), entry.name);
            QCOMPARE(rows[i]["cycles_per_step"].get<double>(), entry.cyclesPerStep());
        }
        QVERIFY(store::reportPartText("summary", *summary).find("Entries") != std::string::npos);
    }

    /// The validation has an entry of its own if it takes other batches than the evaluation.
    void validationHasItsOwnEntryForOtherBatches()
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        request.validationSamples = 64;
        request.inferenceSamples = 60;
        auto const outcome = compiler::compile(project("plain", true), request, {});
        QVERIFY(outcome.ok());
        QCOMPARE(outcome->executable->program.entries, (std::vector<std::string>{"train", "validate", "evaluate", "predict"}));
        QCOMPARE((*outcome->executable->find("validate"))->batchSize, std::int64_t(16));
        QCOMPARE((*outcome->executable->find("evaluate"))->batchSize, std::int64_t(15));
        QCOMPARE((*outcome->executable->find("validate"))->kind, std::string("evaluate"));
    }

    /// Evaluation and prediction never prevent a training: they leave its executable if they cannot be in it.
    void whatDoesNotFitBesideTheTrainingIsCompiledApart()
    {
        auto compiledFor = [&](int units, bool shared, DiagnosticSink *sink) {
            auto p =
                mnist("gc200:tiles=6",
                      {{"model.layers.dense.units", std::to_string(units)}, {"training.validation_executable", shared ? "shared" : "own"}});
            auto request = requestIn(m_folder).compile;
            request.useCache = false;
            request.inferenceSamples = 203; // in batches of 29, which need plans of their own
            JobContext job;
            job.warnings = sink;
            auto outcome = compiler::compile(p, request, job);
            if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
            return std::move(outcome).value();
        };
        bool found = false;
        for (int units = 304; !found; units += 8) { // larger and larger, until the training itself does not fit
            DiagnosticSink sink;
            if (compiledFor(units, false, nullptr).outOfMemory) break;
            auto const shared = compiledFor(units, true, &sink);
            QVERIFY2(!shared.outOfMemory, qPrintable(QString::number(units)));
            auto const noted = std::ranges::any_of(sink.all(), [](auto const &one) { return one.code == "training.shared-inference"; });
            QCOMPARE(noted, shared.executable->entries.size() == 1);
            found = noted;
        }
        QVERIFY(found);
        // Samples that the replicas cannot take in equal parts.
        auto p = project::withField(project("replicas", true), "data.limit", "67", nullptr).value();
        p = project::withField(p, "training.validation_split", "0", nullptr).value();
        auto const request = requestIn(m_folder);
        DiagnosticSink sink;
        JobContext job;
        job.warnings = &sink;
        auto training = request.compile;
        QVERIFY(runtime::requestEntries(p, std::filesystem::path(), training, job).ok());
        QCOMPARE(training.inferenceSamples, std::int64_t(67));
        auto const compiled = compiler::compile(p, training, job);
        QVERIFY(compiled.ok());
        QCOMPARE(compiled->executable->entries.size(), std::size_t(1));
        QVERIFY(std::ranges::any_of(sink.all(), [](auto const &one) {
            return one.code == "training.shared-inference" && one.message.text().find("not a multiple of 2") != std::string::npos;
        }));
        auto const predicted = runtime::predict(p, request, nullptr, job);
        QVERIFY2(predicted.ok(), predicted.ok() ? "" : toText(predicted.error()).c_str());
        QCOMPARE(predicted->samples, std::int64_t(67));
        QVERIFY(std::ranges::any_of(sink.all(), [](auto const &one) {
            return one.code == "training.shared-inference" && one.message.text().find("no entry predict") != std::string::npos;
        }));
    }

    void unshareableExecutablesAreRefused()
    {
        auto p = project("replicas", true);
        p = project::withField(p, "training.validation_split", "0.04", nullptr).value();
        p = project::withField(p, "data.limit", "67", nullptr).value(); // 3 are held out
        auto const refused = runtime::train(p, requestIn(m_folder), {}, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("training.validation-executable"));
        QVERIFY(refused.error().message.find("3 validation samples") != std::string::npos);
        auto const noteOf = [&](project::Project const &changed) {
            DiagnosticSink sink;
            JobContext job;
            job.warnings = &sink;
            auto const outcome = runtime::train(changed, requestIn(m_folder), {}, job);
            if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
            std::string text;
            for (auto const &one : sink.all())
                if (one.code == "training.validation-executable") text += one.message;
            return text;
        };
        QVERIFY(noteOf(project::withField(project("plain", true), "system.target", "cpu", nullptr).value()).find("processor")
                != std::string::npos);
        QVERIFY(noteOf(project("plain", true)).empty());
        QVERIFY(noteOf(project("plain", false)).empty());
    }
};

TW_REGISTER_TEST(TstEntries);
#include "tst_entries.moc"
