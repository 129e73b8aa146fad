// Layers that Tilewright lacks: kept at import, counted, exported unchanged, refused by a compilation.
#include "engine/compiler/project_rules.h"
#include "engine/interop/completion.h"
#include "engine/interop/export.h"
#include "engine/interop/import.h"
#include "engine/model/outline.h"
#include "engine/model/placeholder.h"
#include "engine/model/summary.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace tilewright;
using namespace tilewright::interop;
using model::Json;

namespace {

struct Completed {
    Imported imported;
    std::vector<Diagnostic> warnings;

    model::Layer const &operator[](char const *name) const { return *imported.project.model.find(name); }
    model::Placeholder facts(char const *name) const { return model::placeholderIn((*this)[name].config); }
};

class Files {
public:
    Result<Completed> open(Json const &document, Completion const &answers = {}) { return open(document.dump(), answers); }
    Result<Completed> open(std::string const &text, Completion const &answers = {})
    {
        auto const path = (m_folder.path() + "/model.json").toStdString();
        std::ofstream(path) << text;
        return complete(path, answers);
    }
    static Result<Completed> complete(std::string const &path, Completion const &answers)
    {
        DiagnosticSink warnings;
        JobContext job;
        job.warnings = &warnings;
        Completed result;
        TW_ASSIGN(result.imported, importModel(path, job));
        TW_TRY(interop::complete(result.imported, answers, job));
        result.warnings = warnings.all();
        return result;
    }
    std::string path(char const *name) const { return (m_folder.path() + "/" + name).toStdString(); }

private:
    QTemporaryDir m_folder;
};

Json sequential(Json layers) { return {{"class_name", "Sequential"}, {"config", {{"name", "s"}, {"layers", std::move(layers)}}}}; }

Json layer(char const *className, char const *name, Json config = Json::object())
{
    config["name"] = name;
    return {{"class_name", className}, {"config", std::move(config)}};
}

Json input(Json shape) { return layer("InputLayer", "in", {{"batch_input_shape", std::move(shape)}, {"dtype", "float32"}}); }

/// A layer of a functional model.
Json node(Json layer, Json nodes)
{
    layer["name"] = layer["config"]["name"];
    layer["inbound_nodes"] = std::move(nodes);
    return layer;
}

Json functional(Json layers, Json outputs)
{
    return {{"class_name", "Functional"},
            {"config",
             {{"name", "m"}, {"layers", std::move(layers)}, {"input_layers", {{"in", 0, 0}}}, {"output_layers", std::move(outputs)}}}};
}

/// The warning about a layer.
std::string told(Completed const &completed, char const *name)
{
    for (auto const &warning : completed.warnings)
        if (warning.code == "import.placeholder" && warning.subject == name) return toText(warning);
    return {};
}

} // namespace

class TstPlaceholders : public QObject {
    Q_OBJECT
private slots:
    void aCustomLayerIsKept();
    void callsWithArgumentsAreExportedAsTheyWere();
    void furtherOutputsAreCounted();
    void anUnsupportedArgumentKeepsTheLayer();
    void shapesOfKeras3();
    void answersCloseWhatIsOpen();
    void openPlacesAreListed();
    void wrongAnswersAreRefused();
    void weightsOfTheNextLayerTellTheShape();
    void weightsAreExportedUnchanged();
    void damagedFactsAreRefused();
};

void TstPlaceholders::aCustomLayerIsKept()
{
    Json const custom{{"alpha", {1, 2}}, {"beta", {{"deep", nullptr}}}, {"trainable", true}};
    Files files;
    auto const read =
        files.open(sequential({input({nullptr, 6}), layer("Custom>Mine", "mine", custom), layer("Dense", "d", {{"units", 2}})}));
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    QVERIFY(model::isPlaceholder((*read)["mine"]));
    QCOMPARE(model::shownClass((*read)["mine"]), std::string("Custom>Mine"));
    QVERIFY(told(*read, "mine").find("--shape 'mine=") != std::string::npos);
    // Its shape is not known: a table has "?", and everything else refuses with the name.
    auto const &model = read->imported.project.model;
    QCOMPARE(model::resolve(model).error().code, std::string("model.placeholder-shape"));
    auto const around = model::resolveAround(model);
    QVERIFY(around.ok());
    auto const summary = model::summarize(*around);
    QVERIFY(summary.rows.at(0).placeholder);
    auto const table = model::summaryText(summary);
    QVERIFY2(table.find("mine (Custom>Mine)           ?") != std::string::npos, table.c_str());
    // The original comes back, whatever is in it.
    auto const out = Json::parse(kerasJson(model))["config"]["layers"][1];
    auto expected = custom;
    expected["name"] = "mine";
    QCOMPARE(out["class_name"].get<std::string>(), std::string("Custom>Mine"));
    QVERIFY2(out["config"] == expected, out.dump().c_str());
    // A file of ours opens again, and so does what Keras would read.
    auto const again = files.open(kerasJson(model));
    QVERIFY(again.ok());
    QCOMPARE(again->imported.project.model, model);
}

void TstPlaceholders::callsWithArgumentsAreExportedAsTheyWere()
{
    Json const call{{{"in", 0, 0, {{"scale", 2.5}, {"other", {"d", 0, 0}}, {"mode", "fast"}}}}};
    auto const document =
        functional({node(input({nullptr, 6}), Json::array()), node(layer("Dense", "d", {{"units", 6}}), {{{"in", 0, 0, Json::object()}}}),
                    node(layer("Blend", "blend"), call)},
                   {{"blend", 0, 0}});
    Files files;
    auto const read = files.open(document, {{}, {{"blend", {-1, 6}}}, {}});
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    // Both tensors are inputs.
    QCOMPARE((*read)["blend"].calls.at(0).inputs.size(), std::size_t(2));
    auto model = read->imported.project.model;
    QVERIFY(model::resolve(model).ok());
    QVERIFY2(Json::parse(kerasJson(model))["config"]["layers"][2]["inbound_nodes"] == call, kerasJson(model).c_str());
    QVERIFY(model::renameLayer(model, "d", "renamed").ok());
    auto renamed = call;
    renamed[0][0][3]["other"][0] = "renamed";
    QVERIFY2(Json::parse(kerasJson(model))["config"]["layers"][2]["inbound_nodes"] == renamed, kerasJson(model).c_str());
    // With another number of inputs only the tensors remain.
    model.find("blend")->calls[0].inputs.pop_back();
    QCOMPARE(Json::parse(kerasJson(model))["config"]["layers"].back()["inbound_nodes"][0].size(), std::size_t(1));
}

void TstPlaceholders::furtherOutputsAreCounted()
{
    auto const document =
        functional({node(input({nullptr, 6}), Json::array()), node(layer("Split", "split"), {{{"in", 0, 0, Json::object()}}}),
                    node(layer("Dense", "d", {{"units", 2}}), {{{"split", 0, 2, Json::object()}}})},
                   {{"d", 0, 0}, {"split", 0, 0}});
    Files files;
    auto const read = files.open(document);
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    QCOMPARE(read->facts("split").outputs.size(), std::size_t(3));
}

void TstPlaceholders::anUnsupportedArgumentKeepsTheLayer()
{
    auto const document =
        sequential({input({nullptr, 6}), layer("Dense", "d", {{"units", 2}, {"lora_rank", 4}}), layer("Dense", "e", {{"units", 3}})});
    Files files;
    auto const read = files.open(document, {{}, {{"d", {-1, 2}}}, {}});
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    auto const noAnswer = files.open(document);
    QVERIFY(noAnswer.ok());
    QVERIFY2(told(*noAnswer, "d").find("lora_rank") != std::string::npos, told(*noAnswer, "d").c_str());
    QCOMPARE(model::resolve(read->imported.project.model)->layerOf(2).weights.at(0).shape, (Shape{2, 3}));
    auto const out = Json::parse(kerasJson(read->imported.project.model))["config"]["layers"][1];
    QCOMPARE(out["class_name"].get<std::string>(), std::string("Dense"));
    QCOMPARE(out["config"]["lora_rank"].get<int>(), 4);
    QCOMPARE(out["config"]["units"].get<int>(), 2);
}

void TstPlaceholders::shapesOfKeras3()
{
    auto const tensor = [](char const *name, Json shape) {
        return Json{{"class_name", "__keras_tensor__"},
                    {"config", {{"shape", std::move(shape)}, {"dtype", "float32"}, {"keras_history", {name, 0, 0}}}}};
    };
    auto const call = [](Json argument) {
        return Json::array({Json{{"args", Json::array({std::move(argument)})}, {"kwargs", Json::object()}}});
    };
    auto const document =
        functional({node(input({nullptr, 8, 4}), Json::array()), node(layer("Mine", "mine"), call(tensor("in", {nullptr, 8, 4}))),
                    node(layer("Dense", "d", {{"units", 2}}), call(tensor("mine", {nullptr, 5, 7})))},
                   {{"d", 0, 0}});
    Files files;
    auto const read = files.open(document);
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    auto const resolved = model::resolve(read->imported.project.model);
    QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
    QCOMPARE(resolved->calls.back().shape, (Shape{-1, 5, 2}));
    // All is known but how to compute it.
    auto const judged = compiler::judge(read->imported.project, {});
    QVERIFY(judged.error());
    QCOMPARE(judged.error()->code, std::string("model.placeholder"));
    QCOMPARE(judged.error()->subject, std::string("mine"));
    auto chain = sequential({input({nullptr, 8}), layer("Mine", "mine"), layer("Dense", "d", {{"units", 2}})});
    chain["config"]["layers"][2]["build_config"] = {{"input_shape", {nullptr, 3}}};
    auto const built = files.open(chain);
    QVERIFY(built.ok());
    QCOMPARE(built->facts("mine").outputs.at(0), (Shape{-1, 3}));
}

void TstPlaceholders::answersCloseWhatIsOpen()
{
    auto const document = sequential({input({nullptr, nullptr, 4}), layer("Mine", "mine"), layer("Dense", "d", {{"units", 2}})});
    Files files;
    Completion answers;
    answers.sizes = {sizeFromText("in=9").value()};
    answers.replacements = {replacementFromText(R"(mine=Lambda{"expression": "x * 2"})").value()};
    auto const read = files.open(document, answers);
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    QVERIFY(told(*read, "mine").empty());
    QCOMPARE(model::resolve(read->imported.project.model)->calls.back().shape, (Shape{-1, 9, 2}));
    QVERIFY(!compiler::judge(read->imported.project, {}).error());
    QCOMPARE(shapeFromText("a=b=[null, 3]")->layer, std::string("a=b"));
    QCOMPARE(shapeFromText("a=[2,3]")->shape, (Shape{-1, 2, 3}));
    QCOMPARE(replacementFromText("a=ReLU")->className, std::string("ReLU"));
}

void TstPlaceholders::openPlacesAreListed()
{
    auto const document = sequential({input({nullptr, nullptr, 4}), layer("Mine", "mine"), layer("Dense", "d", {{"units", 2}})});
    Files files;
    auto const read = files.open(document);
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    auto const places = openPlaces(read->imported.project.model);
    QCOMPARE(places.size(), std::size_t{2});
    QVERIFY(places[0].kind == OpenPlace::Kind::Size && places[0].name == "in" && places[0].axes == 1);
    QCOMPARE(places[0].output, (Shape{-1, -1, 4}));
    QVERIFY(places[1].kind == OpenPlace::Kind::Layer && places[1].name == "mine" && places[1].className == "Mine");
    Completion answers;
    answers.sizes = {sizeFromText("in=9").value()};
    answers.shapes = {shapeFromText("mine=[9,4]").value()};
    auto const again = files.open(document, answers);
    QVERIFY2(again.ok(), again.ok() ? "" : toText(again.error()).c_str());
    auto const left = openPlaces(again->imported.project.model);
    QCOMPARE(left.size(), std::size_t{1});
    QCOMPARE(left[0].input, (Shape{-1, 9, 4}));
    QCOMPARE(left[0].output, (Shape{-1, 9, 4}));
    auto const refused = makeError(ErrorKind::Invalid, "import.open-shape", "a.onnx: image", Message());
    QCOMPARE(openPlaceOf(refused, "a.onnx")->name, std::string("image"));
    QVERIFY(!openPlaceOf(refused, "b.onnx"));
}

void TstPlaceholders::wrongAnswersAreRefused()
{
    for (auto const *text : {"", "a", "a=", "=[1]", "a=[0]", "a=[1.5]", "a=[\"x\"]", "a={}", "a=[1", "a=[2,null]"})
        QCOMPARE(shapeFromText(text).error().code, std::string("cli.value"));
    for (auto const *text : {"", "a", "a=", "=ReLU", "a=ReLU{", "a=ReLU[1]{}x"}) QVERIFY2(!replacementFromText(text).ok(), text);
    Files files;
    auto const document = sequential({input({nullptr, 6}), layer("Mine", "mine")});
    QCOMPARE(files.open(document, {{}, {{"mime", {-1, 6}}}, {}}).error().code, std::string("model.no-layer"));
    QCOMPARE(files.open(document, {{}, {}, {{"mine", "Dance", Json::object()}}}).error().code, std::string("model.unknown-layer"));
    QCOMPARE(files.open(document, {{}, {}, {{"mine", "Dense", Json::object()}}}).error().code, std::string("model.missing-argument"));
}

void TstPlaceholders::weightsOfTheNextLayerTellTheShape()
{
    std::string const path = TILEWRIGHT_SOURCE_DIR "/../shared/realmodels/sequential_lambda.h5";
    if (!std::ifstream(path)) QSKIP("the folder of real model files is not there");
    auto read = Files::complete(path, {});
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    QCOMPARE(read->facts("lambda_1").outputs.at(0), (Shape{-1, 64}));
    QCOMPARE(read->facts("lambda_2").outputs.at(0), (Shape{-1, 64}));
    auto const weights = importedWeights(std::move(read->imported.layers), read->imported.project, path, {});
    QVERIFY2(weights.ok() && *weights, weights.ok() ? "no weights" : toText(weights.error()).c_str());
    QCOMPARE(model::resolve(read->imported.project.model)->parameters(), std::int64_t(8544));
}

void TstPlaceholders::weightsAreExportedUnchanged()
{
    // A file with a layer of a class that this build lacks: a Dense layer's, by another name.
    Files files;
    auto made = files.open(sequential({input({nullptr, 3}), layer("Dense", "mine", {{"units", 2}}), layer("Dense", "d", {{"units", 1}})}));
    QVERIFY(made.ok());
    auto &project = made->imported.project;
    auto const resolved = model::resolve(project.model);
    auto const values = model::initialWeights(*resolved, 7).value();
    runtime::TrainingState state;
    auto const order = model::weightOrder(*resolved);
    for (std::size_t i = 0; i < order.size(); ++i) {
        runtime::StateTensor tensor{
            model::weightPath(*resolved, order[i]), DType::F32, resolved->layers[order[i].layer].weights[order[i].weight].shape, {}};
        auto const bytes = std::as_bytes(std::span(values[i]));
        tensor.bytes.assign(bytes.begin(), bytes.end());
        state.tensors.push_back(std::move(tensor));
    }
    model::holdPlace(*project.model.find("mine"));
    auto facts = model::placeholderIn(project.model.find("mine")->config);
    facts.className = "Mine";
    facts.outputs = {{-1, 2}};
    facts.weights = {{"kernel", {3, 2}}, {"bias", {2}}};
    project.model.find("mine")->config = model::placeholderConfig(facts);
    auto const image = kerasHdf5(project, state, {});
    if (!image.ok() && image.error().code == "import.no-hdf5") QSKIP("no module for HDF5");
    QVERIFY2(image.ok(), image.ok() ? "" : toText(image.error()).c_str());
    auto const path = files.path("m.h5");
    std::ofstream(path, std::ios::binary) << *image;
    auto read = Files::complete(path, {});
    QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
    QCOMPARE(read->facts("mine").className, std::string("Mine"));
    // The shape follows from the weights of `d`, the weights are the file's, bit for bit.
    QCOMPARE(read->facts("mine").outputs.at(0), (Shape{-1, 2}));
    auto const again = importedWeights(std::move(read->imported.layers), read->imported.project, path, {});
    QVERIFY2(again.ok() && *again, again.ok() ? "no weights" : toText(again.error()).c_str());
    QCOMPARE((*again)->tensors, state.tensors);
}

void TstPlaceholders::damagedFactsAreRefused()
{
    Json const good = model::placeholderConfig({"Mine", Json::object(), Json::array(), {{-1, 3}}, {{"w", {2}}}});
    auto const codeOf = [&](char const *key, Json const &value) {
        model::Layer each;
        each.className = model::kPlaceholderClass;
        each.name = "mine";
        each.config = good;
        each.config[key] = value;
        model::normalizeLayer(each);
        auto const status = model::checkLayer(each);
        return status.ok() ? std::string("good") : status.error().code;
    };
    QCOMPARE(codeOf("class_name", "Other"), std::string("good"));
    for (auto const &[key, value] :
         std::vector<std::pair<char const *, Json>>{{"config", "{"},
                                                    {"config", "[]"},
                                                    {"config", 3},
                                                    {"calls", "{}"},
                                                    {"output_shape", {0}},
                                                    {"output_shape", {nullptr, nullptr}},
                                                    {"output_shape", {1000000000, 1000000000}},
                                                    {"further_shapes", "[[2, -1]]"},
                                                    {"further_shapes", "7"},
                                                    {"weights", "[{}]"},
                                                    {"weights", R"([{"name": "w", "shape": [2]}, {"name": "w", "shape": [2]}])"},
                                                    {"weights", R"([{"name": "w", "shape": [-2]}])"}})
        QVERIFY2(codeOf(key, value) == "model.bad-argument", (std::string(key) + " " + value.dump()).c_str());
    QVERIFY(model::placeholderIn(Json(3)).className.empty());
}

TW_REGISTER_TEST(TstPlaceholders);
#include "tst_placeholders.moc"
