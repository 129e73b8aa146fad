#include "engine/interop/completion.h"
#include "engine/interop/import.h"
#include "engine/model/resolve.h"
#include "engine/model/summary.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <set>

using namespace tilewright;
using namespace tilewright::interop;
namespace fs = std::filesystem;

namespace {

fs::path const kFolder = TILEWRIGHT_SOURCE_DIR "/../shared/realmodels";

/// What stops a file, by name: no model in it.
std::set<std::string> const kNotYet{"magic_wand_weights.h5"};

/// Output shapes of layers that cannot be computed, where no weight tells them.
std::vector<std::string> answersFor(std::string const &file)
{
    if (file == "keras-attention.h5") return {"attention=[32]"};
    if (file == "tfkeras_convlstm2d_0.h5") return {"bidirectional=[3,4,10,40]", "bidirectional_1=[3,4,10,40]"};
    return {};
}

nlohmann::json expected()
{
    std::ifstream file(kFolder / "expected.json");
    return file ? nlohmann::json::parse(file) : nlohmann::json();
}

/// Sizes for open axes, as expected.json chooses them.
void closeShapes(model::Model &model, nlohmann::json const &entry)
{
    std::size_t input = 0;
    for (auto &layer : model.layers) {
        if (layer.className != "InputLayer") continue;
        auto &shape = layer.config.at("batch_input_shape");
        for (std::size_t i = 1; i < shape.size(); ++i)
            if (shape[i].is_null()) shape[i] = entry.contains("inputs") ? entry["inputs"][input]["shape"][i] : nlohmann::json(6);
        ++input;
    }
}

} // namespace

class TstRealModels : public QObject {
    Q_OBJECT
private slots:
    void layersParametersAndWeights_data();
    void layersParametersAndWeights();
};

void TstRealModels::layersParametersAndWeights_data()
{
    QTest::addColumn<QString>("text");
    auto const all = expected();
    if (all.is_null()) QSKIP("the folder of real model files is not there");
    for (auto const &entry : all["models"]) QTest::newRow(entry["file"].get<std::string>().c_str()) << QString::fromStdString(entry.dump());
}

void TstRealModels::layersParametersAndWeights()
{
    QFETCH(QString, text);
    auto const entry = nlohmann::json::parse(text.toStdString());
    auto const name = entry["file"].get<std::string>();
    JobContext const job;
    auto imported = importModel(kFolder / name, job);
    if (!imported.ok()) {
        QVERIFY2(kNotYet.contains(name), toText(imported.error()).c_str());
        return;
    }
    closeShapes(imported->project.model, entry);
    Completion answers;
    for (auto const &answer : answersFor(name)) answers.shapes.push_back(shapeFromText(answer).value());
    QVERIFY(complete(*imported, answers, job).ok());
    auto const resolved = model::resolve(imported->project.model);
    if (!resolved.ok()) {
        QVERIFY2(kNotYet.contains(name), toText(resolved.error()).c_str());
        return;
    }
    QVERIFY2(!kNotYet.contains(name), "it can be read: take it off the list");
    if (entry.contains("parameters") && entry["parameters"].is_number()) {
        QCOMPARE(resolved->parameters(), entry["parameters"].get<std::int64_t>());
        if (entry.contains("non_trainable_parameters"))
            QCOMPARE(resolved->parameters() - resolved->trainableParameters(), entry["non_trainable_parameters"].get<std::int64_t>());
    }
    auto const rows = static_cast<int>(model::summarize(*resolved).rows.size());
    QVERIFY2(rows == entry.value("layers", 0) || rows == entry.value("layers_without_input", 0), std::to_string(rows).c_str());
    bool const hasWeights = !imported->layers.empty() && resolved->parameters() > 0;
    auto const weights = importedWeights(std::move(imported->layers), imported->project, name, job);
    QVERIFY2(weights.ok(), weights.ok() ? "" : toText(weights.error()).c_str());
    QCOMPARE(weights->has_value(), hasWeights);
}

TW_REGISTER_TEST(TstRealModels);
#include "tst_real_models.moc"
