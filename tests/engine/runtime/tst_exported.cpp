// Exported executables: they run without their project.
#include "engine/executable/blob.h"
#include "engine/executable/cache.h"
#include "engine/runtime/exported.h"
#include "engine/runtime/session_parts.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

class TstExported : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    project::Project project(std::string const &kind) const
    {
        Fields const fields{{"training.batch_size", "24"}, {"training.validation_split", "0.25"}}; // 64 samples are predicted by 16
        if (kind == "cpu") return mnist("cpu", smallModel(fields));
        if (kind == "float16") return halfModel("float16", fields);
        if (kind == "pipeline") {
            auto more = twoStages({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}});
            more.insert(more.end(), fields.begin(), fields.end());
            more.emplace_back("training.batch_size", "8");
            return mnist("gc200:tiles=16,ipus=2", smallModel(more));
        }
        return mnist("gc200:tiles=16", smallModel(fields));
    }
    std::filesystem::path exportedTo(project::Project const &p, runtime::TrainingState const *state, std::int64_t batch = 0) const
    {
        auto const path = m_folder.path() / "model.twexe";
        auto const compiled = runtime::exportExecutable(p, requestIn(m_folder), state, {.batch = batch}, path, {});
        if (!compiled.ok()) qFatal("%s", toText(compiled.error()).c_str());
        return path;
    }
    runtime::ExportedExecutable exported(project::Project const &p, runtime::TrainingState const *state, std::int64_t batch = 0) const
    {
        auto read = runtime::readExported(exportedTo(p, state, batch));
        if (!read.ok()) qFatal("%s", toText(read.error()).c_str());
        return std::move(read).value();
    }
    static data::DataArray samples(project::Project const &p)
    {
        auto const dataset = runtime::openData(p, runtime::RunRequest(), {});
        if (!dataset.ok()) qFatal("%s", toText(dataset.error()).c_str());
        auto const x = dataset->testX.empty() ? dataset->validationX : dataset->testX;
        if (x.maker) x.makeRecords(0, x.count());
        return x;
    }
    std::string refusal(runtime::ExportedExecutable const &exe, std::vector<data::NamedArray> const &arrays,
                        std::string const &target = {}) const
    {
        auto const run = runtime::runExported(exe, "predict", arrays, requestIn(m_folder), target, {});
        return run.ok() ? std::string() : run.error().code + " " + run.error().subject;
    }

private slots:
    void resultsAreThoseOfPredict_data()
    {
        QTest::addColumn<QString>("kind");
        for (auto const *kind : {"plain", "cpu", "float16", "pipeline"}) QTest::newRow(kind) << QString(kind);
    }
    void resultsAreThoseOfPredict()
    {
        QFETCH(QString, kind);
        auto const p = project(kind.toStdString());
        auto const state = trained(p, requestIn(m_folder)).state;
        auto const exe = exported(p, &state);
        auto const x = samples(p);
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto const request = requestIn(m_folder, mode, 2);
            auto const expected = runtime::predict(p, request, &state, {});
            QVERIFY(expected.ok());
            auto const ran = runtime::runExported(exe, "predict", {{"anything", x}}, request, {}, {});
            QVERIFY2(ran.ok(), ran.ok() ? "" : toText(ran.error()).c_str());
            QCOMPARE(ran->samples, expected->samples);
            QCOMPARE(ran->outputs.size(), expected->outputs.size());
            QCOMPARE(ran->outputs[0].shape, expected->outputs[0].shape);
            QVERIFY(std::memcmp(ran->outputs[0].values.data(), expected->outputs[0].values.data(), ran->outputs[0].values.size() * 4) == 0);
            QCOMPARE(ran->device.measured, expected->device.measured);
        }
    }

    void theLastBatchIsFilledUp()
    {
        auto const p = project("plain");
        auto const exe = exported(p, nullptr, 16);
        QCOMPARE(exe.executable.entries[0].batchSize, std::int64_t(16));
        auto const x = samples(p);
        auto const whole = runtime::runExported(exe, "predict", {{"x", x}}, requestIn(m_folder), {}, {});
        QVERIFY(whole.ok());
        for (std::int64_t const count : {1, 16, 19}) {
            auto part = x;
            part.shape[0] = count;
            auto const ran = runtime::runExported(exe, "predict", {{"flatten_input", part}}, requestIn(m_folder), {}, {});
            QVERIFY2(ran.ok(), ran.ok() ? "" : toText(ran.error()).c_str());
            auto const &values = ran->outputs[0].values;
            QCOMPARE(values.size(), static_cast<std::size_t>(count * 10));
            QVERIFY(std::memcmp(values.data(), whole->outputs[0].values.data(), values.size() * 4) == 0);
        }
    }

    /// One file, one table of variables: each entry gives what the project gives.
    void entriesOfOneFileGiveTheSameAsTheProject_data()
    {
        QTest::addColumn<QString>("kind");
        for (auto const *kind : {"plain", "cpu", "pipeline"}) QTest::newRow(kind) << QString(kind);
    }
    void entriesOfOneFileGiveTheSameAsTheProject()
    {
        using compiler::RunKind;
        QFETCH(QString, kind);
        auto p = project::withField(project(kind.toStdString()), "training.shuffle", "false", nullptr).value();
        p = project::withField(p, "training.batch_size", "16", nullptr).value();
        p = project::withField(p, "data.shuffle", "false", nullptr).value();
        auto const first = trained(p, requestIn(m_folder));
        auto const path = m_folder.path() / "entries.twexe";
        auto const compiled = runtime::exportExecutable(p, requestIn(m_folder), &first.state,
                                                        {.entries = {RunKind::Predict, RunKind::Evaluate, RunKind::Train}}, path, {});
        QVERIFY2(compiled.ok(), compiled.ok() ? "" : toText(compiled.error()).c_str());
        auto const exe = runtime::readExported(path);
        QVERIFY2(exe.ok(), exe.ok() ? "" : toText(exe.error()).c_str());
        QCOMPARE(exe->executable.entries.size(), std::size_t(3));
        auto dataset = runtime::openData(p, runtime::RunRequest(), {}).value();
        for (auto *array : {&dataset.x, &dataset.testX})
            if (array->maker) array->makeRecords(0, array->count());
        auto const input = exe->executable.entries[0].infeed[0].name;
        std::vector<data::NamedArray> const held{{input, dataset.testX}, {"labels", dataset.testY}};
        std::vector<data::NamedArray> const all{{input, dataset.x}, {"labels", dataset.y}};
        auto const request = requestIn(m_folder);
        auto const run = [&](char const *entry, std::vector<data::NamedArray> const &arrays) {
            auto ran = runtime::runExported(*exe, entry, arrays, request, {}, {});
            if (!ran.ok()) qFatal("%s", toText(ran.error()).c_str());
            return std::move(ran).value();
        };
        auto const predicted = runtime::predict(p, request, &first.state, {}).value();
        auto const ran = run("predict", held);
        QCOMPARE(ran.outputs.at(0).values.size(), predicted.outputs.at(0).values.size());
        for (std::size_t i = 0; i < ran.outputs[0].values.size(); ++i)
            QVERIFY(std::abs(ran.outputs[0].values[i] - predicted.outputs[0].values[i]) <= 1e-5f);
        auto const evaluated = runtime::evaluate(p, request, &first.state, {}).value();
        auto const judged = run("evaluate", held);
        QVERIFY(std::abs(judged.means->loss - evaluated.loss) <= 1e-6 * evaluated.loss);
        QCOMPARE(judged.samples, std::int64_t(256));
        // A second epoch by the file, and by the project.
        auto resumed = request;
        resumed.resume = first.state;
        resumed.epochs = 2;
        auto const second = trained(p, resumed);
        auto const again = run("train", all);
        QCOMPARE(again.samples, std::int64_t(192));
        QVERIFY(std::abs(again.means->loss - second.epochs.back().loss) <= 1e-6 * again.means->loss);
        for (auto const &tensor : second.state.tensors) QVERIFY2(*again.state->find(tensor.name) == tensor, tensor.name.c_str());
    }

    void entriesMoveTheState_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("trains");
        for (auto const *kind : {"plain", "cpu", "float16", "pipeline"}) {
            QTest::addRow("%s, predicting", kind) << QString(kind) << false;
            QTest::addRow("%s, training", kind) << QString(kind) << true;
        }
    }
    /// Weights go in and out through entries of the executable, in both modes.
    void entriesMoveTheState()
    {
        QFETCH(QString, kind);
        QFETCH(bool, trains);
        using compiler::RunKind;
        auto const p = project(kind.toStdString());
        auto const state = trained(p, requestIn(m_folder)).state;
        auto const path = m_folder.path() / "state.twexe";
        std::vector<RunKind> entries{RunKind::WeightsOut, RunKind::WeightsIn, RunKind::Initialise,
                                     trains ? RunKind::Train : RunKind::Predict};
        auto const compiled = runtime::exportExecutable(p, requestIn(m_folder), nullptr, {.entries = entries}, path, {});
        QVERIFY2(compiled.ok(), compiled.ok() ? "" : toText(compiled.error()).c_str());
        auto exe = runtime::readExported(path).value();
        QCOMPARE(exe.executable.entries.size(), std::size_t(4));
        QCOMPARE(exe.executable.entries[0].movesState(), false);
        auto const &weights = exe.executable.entries[0].weights;
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            if (mode == Mode::Tile && kind == "cpu") continue;
            auto const move = [&](char const *entry, runtime::TrainingState const *given) {
                auto moved = runtime::moveState(exe, entry, given, requestIn(m_folder, mode), {}, {});
                if (!moved.ok()) qFatal("%s", toText(moved.error()).c_str());
                return std::move(moved).value();
            };
            auto const out = move("weights_out", nullptr);
            QCOMPARE(out.tensors.size(), weights.size());
            for (auto const &tensor : out.tensors) QCOMPARE(tensor, *exe.state.find(tensor.name));
            auto const in = move("weights_in", &state);
            for (auto const &tensor : out.tensors) {
                QCOMPARE(*in.find(tensor.name), *state.find(tensor.name));
                QVERIFY(*in.find(tensor.name) != tensor);
            }
            // From a trained state back to the first one, with what the optimizer keeps.
            auto later = exe;
            later.state = state;
            auto const first = runtime::moveState(later, "initialise", &exe.state, requestIn(m_folder, mode), {}, {});
            QVERIFY2(first.ok(), first.ok() ? "" : toText(first.error()).c_str());
            for (auto const &tensor : exe.state.tensors) QVERIFY2(*first->find(tensor.name) == tensor, tensor.name.c_str());
        }
        // An executable with the new weights predicts as the project does.
        if (trains) return;
        exe.state = state;
        QVERIFY(runtime::writeExported(path, exe).ok());
        auto const again = runtime::readExported(path).value();
        auto const ran = runtime::runExported(again, "predict", {{"x", samples(p)}}, requestIn(m_folder), {}, {});
        auto const expected = runtime::predict(p, requestIn(m_folder), &state, {});
        QVERIFY(ran.ok() && expected.ok());
        QVERIFY(ran->outputs[0].values == expected->outputs[0].values);
    }
    void statesThatDoNotFitAreRefused()
    {
        using compiler::RunKind;
        auto const p = project("plain");
        auto const path = m_folder.path() / "state.twexe";
        auto const exports = [&](std::vector<RunKind> entries) {
            auto const compiled = runtime::exportExecutable(p, requestIn(m_folder), nullptr, {.entries = std::move(entries)}, path, {});
            return compiled.ok() ? std::string() : compiled.error().code;
        };
        QCOMPARE(exports({RunKind::WeightsIn, RunKind::WeightsOut}), std::string("export.entries"));
        QCOMPARE(exports({RunKind::Predict, RunKind::WeightsIn}), std::string());
        auto const exe = runtime::readExported(path).value();
        auto state = exe.state;
        auto const refused = [&] {
            auto const moved = runtime::moveState(exe, "weights_in", &state, requestIn(m_folder), {}, {});
            return moved.ok() ? std::string() : moved.error().code;
        };
        QCOMPARE(refused(), std::string());
        state.tensors[1].shape = {1, 2};
        QCOMPARE(refused(), std::string("checkpoint.shape"));
        state.tensors.erase(state.tensors.begin() + 1);
        QCOMPARE(refused(), std::string("checkpoint.missing"));
        auto const absent = runtime::moveState(exe, "weights_out", nullptr, requestIn(m_folder), {}, {});
        QCOMPARE(absent.error().code, std::string("executable.entry"));
    }
    /// The weights go straight to their places: the entries need code, and no room for a second copy.
    void entriesOfStateNeedNoStorage()
    {
        using compiler::RunKind;
        auto const p = project("plain");
        auto const compiled = [&](std::vector<RunKind> entries) {
            return runtime::exportExecutable(p, requestIn(m_folder), nullptr, {.entries = std::move(entries)},
                                             m_folder.path() / "size.twexe", {})
                ->executable;
        };
        auto const alone = compiled({RunKind::Predict});
        auto const moving = compiled({RunKind::Predict, RunKind::WeightsIn, RunKind::WeightsOut});
        QCOMPARE(moving->program.variables.size(), alone->program.variables.size());
        auto const of = [](auto const &exe, MemoryCategory kind) { return exe->memory.byKind[static_cast<std::size_t>(kind)]; };
        QCOMPARE(of(moving, MemoryCategory::Variable), of(alone, MemoryCategory::Variable));
    }

    void whatACallerCouldNotUseIsRefused()
    {
        using compiler::RunKind;
        auto const path = m_folder.path() / "refused.twexe";
        auto const refused = [&](char const *kind, runtime::ExportOptions const &options, bool synthetic = false) {
            auto request = requestIn(m_folder);
            if (synthetic) request.compile.environment.flags = *config::PoplarFlags::parse("--use_synthetic_data");
            auto const outcome = runtime::exportExecutable(project(kind), request, nullptr, options, path, {});
            return outcome.ok() ? std::string() : outcome.error().code;
        };
        QCOMPARE(refused("plain", {.iterations = 3}), std::string());
        QCOMPARE(runtime::readExported(path)->executable.entries[0].stepsPerExecution, std::int64_t(3));
        QCOMPARE(refused("pipeline", {.iterations = 3}), std::string("export.iterations"));
        QCOMPARE(refused("plain", {.entries = {}}), std::string("export.entries"));
        QCOMPARE(refused("plain", {.entries = {RunKind::Predict, RunKind::Predict}}), std::string("export.entries"));
        QCOMPARE(refused("plain", {.outputNames = {"a", "b"}}), std::string("export.output-names"));
        QCOMPARE(refused("plain", {.entries = {RunKind::Evaluate}, .outputNames = {"a"}}), std::string("export.output-names"));
        QCOMPARE(refused("plain", {.outputNames = {"digit"}}), std::string());
        QCOMPARE(runtime::readExported(path)->executable.entries[0].outfeed[0].name, std::string("digit"));
        QCOMPARE(refused("plain", {}, true), std::string("export.synthetic-data"));
        QCOMPARE(refused("plain", {.entries = {RunKind::Predict, RunKind::Evaluate}}), std::string());
        auto const p = project("plain");
        auto const exe = runtime::readExported(path).value();
        auto const x = samples(p);
        auto const runs = [&](char const *entry, std::vector<data::NamedArray> const &arrays) {
            auto const run = runtime::runExported(exe, entry, arrays, requestIn(m_folder), {}, {});
            return run.ok() ? std::string() : run.error().code + " " + run.error().subject;
        };
        auto const input = exe.executable.entries[0].infeed[0].name;
        QCOMPARE(runs("train", {{input, x}}), std::string("executable.entry --entry"));
        QCOMPARE(runs("evaluate", {{input, x}}), "executable.feed " + std::string("labels"));
        QCOMPARE(runs("predict", {{input, x}, {"lables", x}}), std::string("executable.feed lables"));
        auto few = x;
        few.shape[0] = 3;
        auto const labels = data::makeArray<std::int32_t>({3}, {1, 2, 3});
        QCOMPARE(runs("evaluate", {{input, few}, {"labels", labels}}), std::string("executable.samples evaluate"));
    }

    void whatDoesNotFitIsNamed()
    {
        auto const p = project("plain");
        auto const exe = exported(p, nullptr);
        auto const x = samples(p);
        QCOMPARE(refusal(exe, {{"x", x}}, "gc200:tiles=16"), std::string());
        QCOMPARE(refusal(exe, {{"x", x}}, "gc200:tiles=8"), std::string("executable.target target"));
        QCOMPARE(refusal(exe, {{"x", x}}, "cpu"), std::string("executable.target target"));
        auto const feed = "executable.feed " + exe.executable.entries[0].infeed[0].name;
        QCOMPARE(refusal(exe, {{"x", x}, {"y", x}}), feed);
        auto wide = x;
        wide.shape = {x.count() / 2, 2 * x.sampleElements()};
        QCOMPARE(refusal(exe, {{"x", wide}}), feed);
        auto none = x;
        none.shape[0] = 0;
        QCOMPARE(refusal(exe, {{"x", none}}), feed);

        auto const path = exportedTo(p, nullptr);
        auto const blob = executable::StoredBlob::open(path);
        QVERIFY(blob.ok());
        auto const readWith = [&](char const *field, std::string const &value) {
            auto key = executable::parseKeyText(blob->header().key);
            key[field] = value;
            auto const changed = m_folder.path() / "changed.twexe";
            if (!executable::writeBlob(changed, "x", executable::keyText(key), blob->payload()).ok()) qFatal("write");
            auto const read = runtime::readExported(changed);
            return read.ok() ? std::string() : read.error().code + " " + read.error().subject;
        };
        QCOMPARE(readWith("model", "another"), std::string());
        QCOMPARE(readWith("version", "0.0.1"), std::string("executable.version version"));
        QCOMPARE(readWith("format", "0123"), std::string("executable.format format"));
        QCOMPARE(readWith("target", "gc2"), std::string("executable.target target"));
        QCOMPARE(readWith("feeds", "x f32[1]"), std::string("executable.feed feeds"));
        QCOMPARE(readWith("kind", "cached"), std::string("executable.kind kind"));
        auto const short_ = m_folder.path() / "short.twexe";
        QVERIFY(executable::writeBlob(short_, "x", blob->header().key, blob->payload().first(blob->payload().size() - 5)).ok());
        QCOMPARE(runtime::readExported(short_).error().code, std::string("executable.damaged"));
    }
};

TW_REGISTER_TEST(TstExported);
#include "tst_exported.moc"
