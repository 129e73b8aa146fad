// Files for other programs: what was written reads back as the same model with the same bits.
#include "engine/core/random.h"
#include "engine/data/npy.h"
#include "engine/data/zip.h"
#include "engine/interop/completion.h"
#include "engine/interop/export.h"
#include "engine/interop/export_values.h"
#include "engine/interop/import.h"
#include "engine/interop/named_weights.h"
#include "engine/model/keras_json.h"
#include "engine/model/optimizers.h"
#include "engine/model/resolve.h"
#include "engine/runtime/checkpoint_file.h"
#include "tests/random_models/model_draw.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace tilewright;
using namespace tilewright::interop;
namespace fs = std::filesystem;

namespace {

/// So many seeds of each form; more by an environment variable.
int roundTrips() { return std::max(8, qEnvironmentVariableIntValue("TILEWRIGHT_ROUND_TRIPS")); }

std::vector<std::byte> drawnBytes(Shape const &shape, std::uint64_t seed)
{
    RandomStream stream(seed);
    std::vector<std::byte> bytes(static_cast<std::size_t>(4 * elementCount(shape)));
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
        auto const value = static_cast<float>(stream.uniform() - 0.5);
        std::memcpy(bytes.data() + at, &value, 4);
    }
    return bytes;
}

/// Weights, and the state of the plan's optimizer if `optimizer`.
runtime::TrainingState drawnState(project::Project const &project, bool optimizer)
{
    auto const resolved = model::resolve(project.model);
    runtime::TrainingState state;
    for (auto const ref : model::weightOrder(*resolved)) {
        auto const &weight = resolved->layers[ref.layer].weights[ref.weight];
        state.tensors.push_back(
            {model::weightPath(*resolved, ref), DType::F32, weight.shape, drawnBytes(weight.shape, state.tensors.size())});
    }
    if (!optimizer) return state;
    std::int32_t const updates = 1234567;
    state.tensors.push_back({"iterations", DType::I32, {}, std::vector<std::byte>(4)});
    std::memcpy(state.tensors.back().bytes.data(), &updates, 4);
    for (auto const &[ref, slot] : slotPlaces(*resolved, project.training.optimizer, SlotOrder::ByWeight)) {
        auto const &shape = resolved->layers[ref.layer].weights[ref.weight].shape;
        state.tensors.push_back(
            {model::weightPath(*resolved, ref) + "/" + slot, DType::F32, shape, drawnBytes(shape, 1000 + state.tensors.size())});
    }
    return state;
}

/// By name, since a file has an order of its own.
std::map<std::string, runtime::StateTensor> byName(runtime::TrainingState const &state)
{
    std::map<std::string, runtime::StateTensor> all;
    for (auto const &tensor : state.tensors) all[tensor.name] = tensor;
    return all;
}

/// Writes the project in a form and returns the file to import. Error: as the export.
Result<fs::path> written(project::Project const &project, runtime::TrainingState const &state, std::string const &form,
                         fs::path const &folder)
{
    auto const write = [&](std::string const &name, std::string const &bytes) { std::ofstream(folder / name, std::ios::binary) << bytes; };
    if (form == "h5") {
        TW_ASSIGN(auto const image, kerasHdf5(project, state, {}));
        write("model.h5", image);
        return folder / "model.h5";
    }
    if (form == "tfjs") {
        TW_ASSIGN(auto const parts, tensorFlowJs(project, state, "model.json", "model"));
        for (auto const &part : parts) write(part.name, part.bytes);
        return folder / "model.json";
    }
    TW_ASSIGN(auto const parts, kerasArchive(project, state, {}));
    std::vector<data::ZipInput> files;
    for (auto const &part : parts) files.push_back({part.name, {std::as_bytes(std::span(part.bytes))}});
    TW_TRY(data::writeZip(folder / "model.keras", files, {}, {}));
    return folder / "model.keras";
}

/// What is wrong with a round trip; "": nothing.
std::string roundTrip(project::Project const &project, runtime::TrainingState const &state, std::string const &form)
{
    QTemporaryDir folder;
    auto const path = written(project, state, form, folder.path().toStdString());
    if (!path.ok()) return toText(path.error());
    DiagnosticSink warnings;
    JobContext job;
    job.warnings = &warnings;
    auto imported = importModel(*path, job);
    if (!imported.ok()) return toText(imported.error());
    if (auto const status = complete(*imported, {}, job); !status.ok()) return toText(status.error());
    if (!(imported->project.model == project.model)) return "another model";
    auto const again = importedState(*imported, path->string(), job);
    if (!again.ok()) return toText(again.error());
    if (*again && byName(**again) != byName(state)) return "other weights";
    if (!*again && !state.tensors.empty()) return "no weights";
    for (auto const &warning : warnings.all())
        if (warning.code != "import.training") return toText(warning);
    return {};
}

} // namespace

class TstExports : public QObject {
    Q_OBJECT
private slots:
    void randomModelsReadBack_data()
    {
        QTest::addColumn<QString>("form");
        for (auto const *form : {"h5", "keras", "tfjs"}) QTest::newRow(form) << form;
    }
    void randomModelsReadBack()
    {
        QFETCH(QString, form);
        int failed = 0;
        for (int seed = 1; seed <= roundTrips(); ++seed) {
            random_models::Draw draw(static_cast<std::uint64_t>(seed));
            project::Project project;
            random_models::ModelWishes wishes;
            wishes.furtherLayers = 4;
            // In Keras's order of layers, which reading a file restores.
            auto const read = model::parseKerasJson(model::printKerasJson(random_models::drawModel(draw, wishes)));
            QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
            project.model = *read;
            auto const wrong = roundTrip(project, drawnState(project, false), form.toStdString());
            if (wrong.starts_with("this build has no module")) QSKIP("no module for HDF5");
            if (!wrong.empty()) qWarning("seed %d: %s", seed, wrong.c_str());
            failed += wrong.empty() ? 0 : 1;
        }
        QCOMPARE(failed, 0);
    }
    void stateOfTheOptimizerReadsBack_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<QString>("form");
        for (auto const &spec : model::optimizerSpecs())
            for (auto const *form : {"h5", "keras"})
                QTest::newRow((spec.className + " " + form).c_str()) << QString::fromStdString(spec.className) << form;
    }
    void stateOfTheOptimizerReadsBack()
    {
        QFETCH(QString, optimizer);
        QFETCH(QString, form);
        project::Project project;
        auto &m = project.model;
        m.layers = {model::makeInput("in", {4}), model::makeLayer("Dense", "d", {{"units", 4}}),
                    model::makeLayer("BatchNormalization", "bn"), model::makeLayer("Dense", "frozen", {{"units", 4}, {"trainable", false}}),
                    model::makeLayer("Dense", "out", {{"units", 4}})};
        auto const parsed = model::parseOptimizer(optimizer.toStdString());
        QVERIFY2(parsed.ok(), parsed.ok() ? "" : toText(parsed.error()).c_str());
        project.training.optimizer = *parsed;
        for (auto const *key : {"momentum"}) // a state by an argument
            if (project.training.optimizer.config.contains(key)) project.training.optimizer.config[key] = 0.5;
        auto const state = drawnState(project, true);
        // All weights have the same number of elements: only the order and the names tell them apart.
        QCOMPARE(QString::fromStdString(roundTrip(project, state, form.toStdString())), QString());
    }
    void anotherOptimizerBeginsAnew()
    {
        project::Project project;
        project.model.layers = {model::makeInput("in", {4}), model::makeLayer("Dense", "d", {{"units", 4}})};
        project.training.optimizer = *model::parseOptimizer("Adam");
        QTemporaryDir folder;
        auto const path = written(project, drawnState(project, true), "h5", folder.path().toStdString());
        if (!path.ok()) QSKIP("no module for HDF5");
        DiagnosticSink warnings;
        JobContext job;
        job.warnings = &warnings;
        auto imported = importModel(*path, job);
        QVERIFY(imported.ok());
        imported->project.training.optimizer = *model::parseOptimizer("RMSprop");
        auto const state = importedState(*imported, "f", job);
        QVERIFY(state.ok() && *state);
        QVERIFY(!(*state)->find("iterations"));
        QCOMPARE(warnings.all().back().code, std::string("import.optimizer"));
    }
    void weightsMatchByName()
    {
        project::Project project;
        project.model.layers = {model::makeInput("in", {3}), model::makeLayer("Dense", "d", {{"units", 2}}),
                                model::makeLayer("Dense", "e", {{"units", 1}})};
        auto const present = drawnState(project, false);
        auto const resolved = model::resolve(project.model);
        QTemporaryDir folder;
        auto const path = fs::path(folder.path().toStdString()) / "w.npz";
        std::vector<data::NamedArray> arrays;
        auto const add = [&](char const *name, Shape shape) {
            data::NamedArray array{name, {}};
            array.array.dtype = DType::F32;
            array.array.shape = shape;
            auto const bytes = drawnBytes(shape, 99);
            std::shared_ptr<std::byte[]> own(new std::byte[bytes.size()]);
            std::memcpy(own.get(), bytes.data(), bytes.size());
            array.array.bytes = std::shared_ptr<std::byte const>(own, own.get());
            arrays.push_back(std::move(array));
        };
        add("d/kernel:0", {3, 2});
        add("model_weights/d/d/bias:0", {2});
        add("e/kernel", {5, 1});
        add("stranger", {1});
        QVERIFY(data::writeNpz(path, arrays, false, {}).ok());
        auto const matched = weightsByName(path, *resolved, present, {});
        QVERIFY2(matched.ok(), matched.ok() ? "" : toText(matched.error()).c_str());
        QCOMPARE(matched->taken(), std::size_t(2));
        using Match = NamedWeights::Match;
        QCOMPARE(matched->rows.at(0).match, Match::Taken);
        QCOMPARE(matched->rows.at(1).match, Match::Taken);
        QCOMPARE(matched->rows.at(2).match, Match::OtherShape);
        QCOMPARE(matched->rows.at(2).found, (Shape{5, 1}));
        QCOMPARE(matched->rows.at(3).match, Match::Missing);
        QCOMPARE(matched->unused, std::vector<std::string>{"stranger"});
        QCOMPARE(matched->state.find("d/kernel")->bytes, drawnBytes({3, 2}, 99));
        QCOMPARE(matched->state.find("e/kernel")->bytes, present.find("e/kernel")->bytes);
        // A file without any of them is refused; so is what holds no weights.
        arrays.erase(arrays.begin(), arrays.begin() + 3);
        QVERIFY(data::writeNpz(path, arrays, false, {}).ok());
        QCOMPARE(weightsByName(path, *resolved, present, {}).error().code, std::string("import.weights"));
        std::ofstream(path) << "no archive";
        QCOMPARE(weightsByName(path, *resolved, present, {}).error().code, std::string("import.kind"));
    }
    void namesWithASlashAreGroups()
    {
        project::Project project;
        project.model.layers = {model::makeInput("in", {3}), model::makeLayer("Dense", "a/b", {{"units", 2}}),
                                model::makeLayer("Dense", "a", {{"units", 2}})};
        QCOMPARE(QString::fromStdString(roundTrip(project, drawnState(project, false), "h5")), QString());
        QCOMPARE(QString::fromStdString(roundTrip(project, drawnState(project, false), "tfjs")), QString());
    }
};

TW_REGISTER_TEST(TstExports);
#include "tst_exports.moc"
