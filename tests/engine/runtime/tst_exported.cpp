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
        auto const compiled = runtime::exportExecutable(p, requestIn(m_folder), state, batch, path, {});
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
        auto const dataset = runtime::openData(p, ".", {});
        if (!dataset.ok()) qFatal("%s", toText(dataset.error()).c_str());
        auto const x = dataset->testX.empty() ? dataset->validationX : dataset->testX;
        if (x.maker) x.makeRecords(0, x.count());
        return x;
    }
    std::string refusal(runtime::ExportedExecutable const &exe, std::vector<data::NamedArray> const &arrays,
                        std::string const &target = {}) const
    {
        auto const run = runtime::runExported(exe, arrays, requestIn(m_folder), target, {});
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
            auto const ran = runtime::runExported(exe, {{"anything", x}}, request, {}, {});
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
        auto const whole = runtime::runExported(exe, {{"x", x}}, requestIn(m_folder), {}, {});
        QVERIFY(whole.ok());
        for (std::int64_t const count : {1, 16, 19}) {
            auto part = x;
            part.shape[0] = count;
            auto const ran = runtime::runExported(exe, {{"flatten_input", part}}, requestIn(m_folder), {}, {});
            QVERIFY2(ran.ok(), ran.ok() ? "" : toText(ran.error()).c_str());
            auto const &values = ran->outputs[0].values;
            QCOMPARE(values.size(), static_cast<std::size_t>(count * 10));
            QVERIFY(std::memcmp(values.data(), whole->outputs[0].values.data(), values.size() * 4) == 0);
        }
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
