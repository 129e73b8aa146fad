#include "engine/core/limits.h"
#include "engine/interop/export.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/interop/import.h"
#include "engine/interop/keras1.h"
#include "engine/model/resolve.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

using namespace tilewright;
using namespace tilewright::interop;
namespace fs = std::filesystem;

namespace {

fs::path const kCorpus = TILEWRIGHT_SOURCE_DIR "/tests/corpus/interop";

using Values = std::vector<float>;

Values valuesOf(runtime::StateTensor const *tensor)
{
    if (!tensor) return {};
    Values values(tensor->bytes.size() / sizeof(float));
    std::memcpy(values.data(), tensor->bytes.data(), tensor->bytes.size());
    return values;
}

/// The numbers of array i of a file of the corpus: 100 i, 100 i + 1, …
Values numbered(int array, std::size_t count)
{
    Values values(count);
    std::iota(values.begin(), values.end(), static_cast<float>(100 * array));
    return values;
}

struct Read {
    project::Project project;
    std::optional<runtime::TrainingState> weights;
    std::vector<Diagnostic> warnings;

    Values operator[](char const *name) const { return weights ? valuesOf(weights->find(name)) : Values(); }
};

Result<Read> read(fs::path const &path)
{
    DiagnosticSink warnings;
    JobContext job;
    job.warnings = &warnings;
    Read result;
    TW_ASSIGN(auto imported, importModel(path, job));
    TW_ASSIGN(result.weights, importedWeights(std::move(imported.layers), imported.project, path.string(), job));
    result.project = std::move(imported.project);
    result.warnings = warnings.all();
    return result;
}

Read mustRead(char const *name)
{
    auto result = read(kCorpus / name);
    if (!result.ok()) qFatal("%s", toText(result.error()).c_str());
    return *std::move(result);
}

std::string field(Read const &read, char const *path) { return project::field(read.project, path).value(); }

std::string codeOf(Result<Read> const &result) { return result.ok() ? "read" : result.error().code; }

} // namespace

class TstImport : public QObject {
    Q_OBJECT
private slots:
    void tfKerasHdf5();
    void gatesOfKeras1AreJoined();
    void modelInAModel();
    void kernelsOfKeras1AreTurned();
    void frozenLayersInAnArchive();
    void kerasArchive();
    void tensorFlowJs();
    void exportedHdf5ReadsBack_data();
    void exportedHdf5ReadsBack();
    void openShapesLeaveTheWeightsOut();
    void strangeFilesAreRefused_data();
    void strangeFilesAreRefused();
    void damagedFilesAreRefused();
    void aLimitStopsWhatIsTooLarge();
    void cancelledWhileReading();
    void documentsOfKeras2StayAsTheyAre();
    void everyFormHasASuffixAndAWayOut();
};

void TstImport::tfKerasHdf5()
{
    auto const file = mustRead("tf_keras.h5");
    QCOMPARE(file["dense/kernel"], numbered(0, 6));
    QCOMPARE(file["dense/bias"], numbered(1, 2));
    QCOMPARE(file["bn/gamma"], numbered(2, 2));
    QCOMPARE(file["bn/beta"], numbered(3, 2));
    QCOMPARE(file["bn/moving_mean"], numbered(4, 2));
    QCOMPARE(file["bn/moving_variance"], numbered(5, 2));
    QCOMPARE(file["out/kernel"], numbered(6, 2)); // its layer's name is in the second part of the list
    QCOMPARE(file.weights->epoch, 0);
    QCOMPARE(field(file, "training.optimizer.learning_rate"), std::string("0.005"));
    QCOMPARE(field(file, "training.optimizer.beta_1"), std::string("0.8"));
    QVERIFY(field(file, "training.loss").find("BinaryCrossentropy") != std::string::npos);
    QVERIFY(field(file, "training.metrics").find("accuracy") != std::string::npos);
    // A setting that changes the result is named; one that changes nothing is not.
    QCOMPARE(file.warnings.size(), std::size_t(1));
    QVERIFY(toText(file.warnings[0]).find("weight_decay=0.25") != std::string::npos);
    QVERIFY(toText(file.warnings[0]).find("jit_compile") == std::string::npos);
}

void TstImport::gatesOfKeras1AreJoined()
{
    auto const file = mustRead("keras1.h5");
    auto const *lstm = file.project.model.find("lstm");
    QVERIFY(lstm);
    QCOMPARE(lstm->config.at("units").get<int>(), 2);
    QCOMPARE(lstm->config.at("recurrent_activation").get<std::string>(), std::string("hard_sigmoid"));
    QVERIFY(lstm->config.at("kernel_regularizer").dump().find("0.5") != std::string::npos);
    QCOMPARE(file.project.model.find("merge")->className, std::string("Concatenate"));
    QCOMPARE(file.project.model.find("drop")->config.at("rate").get<double>(), 0.25);
    // The file has i, c, f, o; a row of the kernel has i, f, c, o. Arrays 0, 3, 6, 9 are W of i, c, f, o.
    Values kernel;
    for (int row = 0; row < 3; ++row)
        for (int array : {0, 6, 3, 9})
            for (int column = 0; column < 2; ++column) kernel.push_back(static_cast<float>(100 * array + 2 * row + column));
    QCOMPARE(file["lstm/kernel"], kernel);
    QCOMPARE(file["lstm/bias"], (Values{200, 201, 800, 801, 500, 501, 1100, 1101}));
    QCOMPARE(file["conv/kernel"], numbered(12, 18)); // [3, 1, 3, 2] is [3, 3, 2]
}

void TstImport::modelInAModel()
{
    auto const file = mustRead("nested.h5");
    QCOMPARE(file["wide/kernel"], numbered(0, 6));
    QCOMPARE(file["bn/beta"], numbered(3, 2));
    QCOMPARE(file["narrow/kernel"], numbered(4, 4));
    QCOMPARE(file["bn/moving_mean"], numbered(6, 2)); // behind all trainable ones
    QCOMPARE(file["head/kernel"], numbered(8, 2));
}

void TstImport::kernelsOfKeras1AreTurned()
{
    auto const file = mustRead("keras1_channels_first.h5");
    // [out, in, rows, columns] of 2, 3, 3, 2 becomes [rows, columns, in, out].
    Values kernel;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 2; ++column)
            for (int in = 0; in < 3; ++in)
                for (int out = 0; out < 2; ++out) kernel.push_back(static_cast<float>(((out * 3 + in) * 3 + row) * 2 + column));
    QCOMPARE(file["net_W_c/kernel"], kernel);
}

void TstImport::frozenLayersInAnArchive()
{
    auto const file = mustRead("nested_frozen.keras");
    QCOMPARE(file["a/kernel"], numbered(0, 9));
    QCOMPARE(file["b/kernel"], numbered(2, 9));
    QCOMPARE(file["b/bias"], numbered(3, 3));
}

void TstImport::kerasArchive()
{
    auto const file = mustRead("keras3.keras");
    auto const resolved = model::resolve(file.project.model);
    QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
    std::vector<Values> all;
    for (auto const &tensor : file.weights->tensors) all.push_back(valuesOf(&tensor));
    QCOMPARE(all.size(), std::size_t(10));
    for (int i = 0; i < 6; ++i) QCOMPARE(all[static_cast<std::size_t>(i)], numbered(i, all[static_cast<std::size_t>(i)].size()));
    // The layer "second" comes first: its group is "dense".
    QCOMPARE(file["second/kernel"], numbered(6, 12));
    QCOMPARE(file["first/kernel"], numbered(8, 3));
    QCOMPARE(field(file, "training.optimizer.learning_rate"), std::string("0.125"));
    QCOMPARE(field(file, "training.optimizer.momentum"), std::string("0.5"));
    QVERIFY(field(file, "training.loss").find("MeanAbsoluteError") != std::string::npos);
    QVERIFY(file.warnings.empty());
}

void TstImport::tensorFlowJs()
{
    auto const file = mustRead("tfjs/model.json");
    QCOMPARE(file["plain/kernel"], (Values{0, 1, 2, 3, 4, 5})); // lies in both shards
    QCOMPARE(file["plain/bias"], (Values{0.5F, -0.5F}));
    QCOMPARE(file["packed/kernel"], (Values{-1, -0.5F, 0, 126.5F}));
    QCOMPARE(file["packed/bias"], (Values{2, 16385.75F}));
    QCOMPARE(file["half/kernel"], (Values{1.5F, -2}));
    QCOMPARE(file["half/bias"], (Values{3}));
}

void TstImport::exportedHdf5ReadsBack_data()
{
    QTest::addColumn<QString>("name");
    for (auto const *name : {"tf_keras.h5", "keras1.h5", "nested.h5", "keras3.keras", "tfjs/model.json"}) QTest::newRow(name) << name;
}

void TstImport::exportedHdf5ReadsBack()
{
    QFETCH(QString, name);
    auto const file = mustRead(name.toStdString().c_str());
    auto const image = kerasHdf5(file.project, *file.weights, {});
    QVERIFY2(image.ok(), image.ok() ? "" : toText(image.error()).c_str());
    QTemporaryDir folder;
    auto const path = fs::path(folder.path().toStdString()) / "again.h5";
    std::ofstream(path, std::ios::binary) << *image;
    auto const again = read(path);
    QVERIFY2(again.ok(), again.ok() ? "" : toText(again.error()).c_str());
    QVERIFY(again->project.model == file.project.model);
    QVERIFY(again->project.training == file.project.training);
    QVERIFY(again->weights && again->weights->tensors == file.weights->tensors);
    QVERIFY2(again->warnings.empty(), again->warnings.empty() ? "" : toText(again->warnings[0]).c_str());
    // A model that has changed since has other weights.
    auto other = file.project;
    auto &units = other.model.layers.back();
    if (units.config.contains("units")) {
        units.config["units"] = 7;
        auto const refused = kerasHdf5(other, *file.weights, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("export.weights"));
    }
}

void TstImport::openShapesLeaveTheWeightsOut()
{
    QTemporaryDir folder;
    auto const document = R"({"class_name": "Sequential", "config": {"name": "m", "layers": [
        {"class_name": "Dense", "config": {"name": "d", "units": 2, "batch_input_shape": [null, null]}}]}})";
    auto const path = fs::path(folder.path().toStdString()) / "model.json";
    std::ofstream(path)
        << R"({"modelTopology": {"model_config": )" << document
        << R"(}, "weightsManifest": [{"paths": ["w.bin"], "weights": [{"name": "d/kernel", "shape": [3, 2], "dtype": "float32"}]}]})";
    std::ofstream(path.parent_path() / "w.bin") << std::string(24, 'w');
    auto const file = read(path);
    QVERIFY(file.ok());
    QVERIFY(!file->weights);
    QVERIFY(std::ranges::any_of(file->warnings, [](auto const &warning) { return warning.code == "import.weights-left-out"; }));
}

void TstImport::strangeFilesAreRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("a group inside itself is read once") << "hostile_cycle.h5"
                                                        << "read"
                                                        << "";
    QTest::newRow("a thousand terabytes") << "hostile_huge.h5"
                                          << "import.too-large"
                                          << "elements";
    QTest::newRow("values in another file") << "hostile_elsewhere.h5"
                                            << "import.hdf5"
                                            << "another file";
    QTest::newRow("links to nowhere") << "hostile_links.h5"
                                      << "import.weights"
                                      << "dense";
    QTest::newRow("weights of another model") << "hostile_shape.h5"
                                              << "import.weights"
                                              << "[4, 2]";
    QTest::newRow("nested too deep") << "hostile_deep.h5"
                                     << "import.hdf5"
                                     << "100 levels";
}

void TstImport::strangeFilesAreRefused()
{
    QFETCH(QString, name);
    QFETCH(QString, code);
    QFETCH(QString, says);
    auto const result = read(kCorpus / name.toStdString());
    if (code == "import.weights" && result.ok()) { // a layer without arrays is a model without weights
        QVERIFY(!result->weights);
        return;
    }
    QCOMPARE(QString::fromStdString(codeOf(result)), code);
    if (!result.ok()) QVERIFY2(QString::fromStdString(toText(result.error())).contains(says), toText(result.error()).c_str());
}

/// Every beginning of a file, and every byte changed: an error or a model, and the process goes on.
void TstImport::damagedFilesAreRefused()
{
    QTemporaryDir folder;
    auto const path = fs::path(folder.path().toStdString()) / "damaged.h5";
    std::ifstream in(kCorpus / "tf_keras.h5", std::ios::binary);
    std::string const whole{std::istreambuf_iterator<char>(in), {}};
    QVERIFY(whole.size() > 5000);
    int refused = 0, tried = 0;
    auto const attempt = [&](std::string const &content) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
        auto const result = read(path);
        ++tried;
        if (!result.ok()) {
            ++refused;
            QVERIFY(result.error().kind != ErrorKind::Internal);
            QVERIFY(!result.error().message.text().empty());
        }
    };
    for (std::size_t size = 8; size < whole.size(); size += whole.size() / 20) attempt(whole.substr(0, size));
    QCOMPARE(refused, tried);
    for (std::size_t at = 8; at < whole.size(); at += whole.size() / 60) {
        auto content = whole;
        content[at] = static_cast<char>(content[at] ^ 0x55);
        attempt(content);
    }
    QVERIFY(refused > 20);
}

void TstImport::aLimitStopsWhatIsTooLarge()
{
    auto const before = limitOf(Limit::InflatedBytes);
    QVERIFY(setLimit("inflated_bytes=40").ok());
    auto const result = read(kCorpus / "tf_keras.h5");
    QVERIFY(setLimit("inflated_bytes=" + std::to_string(before)).ok());
    QCOMPARE(codeOf(result), std::string("import.too-large"));
    QVERIFY(toText(result.error()).find("inflated_bytes") != std::string::npos);
}

void TstImport::cancelledWhileReading()
{
    std::stop_source stop;
    stop.request_stop();
    JobContext job;
    job.stop = stop.get_token();
    auto const contents = readHdf5(kCorpus / "tf_keras.h5", job);
    QVERIFY(!contents.ok());
    QCOMPARE(contents.error().kind, ErrorKind::Cancelled);
}

void TstImport::documentsOfKeras2StayAsTheyAre()
{
    auto const document = model::Json::parse(R"({"class_name": "Sequential", "config": {"name": "m", "layers": [
        {"class_name": "Embedding", "config": {"name": "e", "input_dim": 9, "output_dim": 4, "input_length": 5}},
        {"class_name": "GRU", "config": {"name": "g", "units": 3, "reset_after": true}},
        {"class_name": "Conv2D", "config": {"name": "c", "filters": 3, "kernel_size": [3, 3], "padding": "same"}}]}})");
    auto changed = document;
    modernizeKeras(changed);
    QCOMPARE(changed.dump(), document.dump());
}

void TstImport::everyFormHasASuffixAndAWayOut()
{
    for (auto const &form : importForms()) {
        QVERIFY2(!form.suffixes.empty(), form.name);
        QVERIFY2(form.read || !form.remedy.text().empty(), form.name);
    }
}

TW_REGISTER_TEST(TstImport);
#include "tst_import.moc"
