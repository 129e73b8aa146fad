// Export to ONNX: what ONNX's checker accepts and the import gives back, with the same outputs and the same bits of the weights.
#include "engine/interop/onnx_export.h"
#include "tests/engine/interop/onnx_case.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace tilewright;
using namespace tilewright::interop;
using namespace tilewright::tests;
using model::Json;

namespace {

/// A sequential chain over samples of this shape.
project::Project chain(Shape const &sample, std::vector<std::pair<std::string, Json>> const &layers, std::string const &dtype = "float32")
{
    project::Project project;
    project.title = "chain";
    project.model.name = "chain";
    Json shape{nullptr};
    for (auto const extent : sample) shape.push_back(extent);
    project.model.layers.push_back(model::makeLayer("InputLayer", "x", {{"batch_input_shape", shape}, {"dtype", dtype}}));
    for (std::size_t i = 0; i < layers.size(); ++i)
        project.model.layers.push_back(model::makeLayer(layers[i].first, "l" + std::to_string(i), layers[i].second));
    return project;
}

/// Random values for every weight; variances are positive.
runtime::TrainingState randomWeights(model::ResolvedModel const &model)
{
    runtime::TrainingState state;
    std::uint64_t seed = 1;
    for (auto const ref : model::weightOrder(model)) {
        auto const &weight = model.layers[ref.layer].weights[ref.weight];
        auto const values = randomTensor(weight.shape, ++seed, weight.name == "moving_variance" ? 0.5 : -0.7, 0.9);
        std::vector<float> floats(values.v.begin(), values.v.end());
        runtime::StateTensor tensor{model::weightPath(model, ref), DType::F32, weight.shape, std::vector<std::byte>(4 * floats.size())};
        if (!floats.empty()) std::memcpy(tensor.bytes.data(), floats.data(), tensor.bytes.size());
        state.tensors.push_back(std::move(tensor));
    }
    return state;
}

/// The outputs of a model on two random samples.
Result<std::vector<RefTensor>> outputsOf(model::ResolvedModel const &model, runtime::TrainingState const &state)
{
    TW_ASSIGN(auto const built, layers::buildOutputs(model, 2, ops::opLookup()));
    GraphRunner runner{built.graph};
    runner.context.precision = reference::Precision::Double;
    std::vector<RefTensor> feeds;
    for (std::size_t i = 0; i < built.infeed.size(); ++i)
        feeds.push_back(isFloating(built.infeed[i].dtype) ? randomTensor(built.infeed[i].shape, 77 + i)
                                                          : randomIntegers(built.infeed[i].shape, 77 + i, 4));
    runner.infeed = [&](graph::Node const &) { return feeds; };
    for (std::size_t i = 0; i < built.weights.size(); ++i) {
        RefTensor tensor{DType::F32, state.tensors[i].shape, {}};
        for (std::size_t at = 0; at < state.tensors[i].bytes.size(); at += 4) {
            float value;
            std::memcpy(&value, state.tensors[i].bytes.data() + at, 4);
            tensor.v.push_back(static_cast<double>(value));
        }
        runner.variables[built.weights[i]] = std::move(tensor);
    }
    if (!runner.run()) return makeError(ErrorKind::Invalid, "test", "", runner.error, "");
    return runner.outfed.at(0);
}

/// The values of all trained weights, sorted: layers may have other names.
std::vector<float> valuesOf(runtime::TrainingState const &state)
{
    std::vector<float> all;
    for (auto const &tensor : state.tensors) {
        std::vector<float> values(tensor.bytes.size() / 4);
        if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
        all.insert(all.end(), values.begin(), values.end());
    }
    std::ranges::sort(all);
    return all;
}

} // namespace

class TstOnnxExport : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (!hasOnnx()) QSKIP("this build has no module for ONNX");
    }
    void exportedModelsComeBack_data();
    void exportedModelsComeBack();
    void layersKeepTheirNamesAndClasses();
    void refusedLayersAreListedTogether();
};

void TstOnnxExport::exportedModelsComeBack_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("sameBits");
    auto const row = [](char const *name, Shape const &sample, std::vector<std::pair<std::string, Json>> const &layers,
                        bool sameBits = true, char const *dtype = "float32") {
        auto const project = chain(sample, layers, dtype);
        Json config = Json::array();
        for (auto const &layer : project.model.layers) config.push_back({layer.className, layer.config});
        QTest::newRow(name) << QString::fromStdString(config.dump()) << sameBits;
    };
    auto const none = Json::object();
    row("dense", {5}, {{"Dense", {{"units", 4}, {"activation", "relu"}}}, {"Dense", {{"units", 3}, {"activation", "softmax"}}}});
    row("dense of three axes", {2, 5}, {{"Dense", {{"units", 4}, {"use_bias", false}}}});
    for (auto const &name : model::activationNames()) row(("activation " + name).c_str(), {6}, {{"Activation", {{"activation", name}}}});
    row("activations with numbers", {6},
        {{"ReLU", {{"max_value", 0.5}}},
         {"LeakyReLU", {{"alpha", 0.1}}},
         {"ELU", {{"alpha", 0.5}}},
         {"ThresholdedReLU", {{"theta", 0.1}}}});
    row("slopes", {3, 4, 2}, {{"PReLU", {{"shared_axes", {1, 2}}}}, {"PReLU", none}});
    row("softmax inside", {3, 4}, {{"Softmax", {{"axis", 1}}}});
    row("dropout", {6}, {{"Dropout", {{"rate", 0.3}}}, {"GaussianNoise", {{"stddev", 0.1}}}});
    row("shapes", {4, 6},
        {{"Reshape", {{"target_shape", {2, 2, 6}}}}, {"Permute", {{"dims", {3, 1, 2}}}}, {"Flatten", none}, {"RepeatVector", {{"n", 3}}}});
    row("convolution", {7, 6, 3},
        {{"Conv2D", {{"filters", 4}, {"kernel_size", {3, 2}}, {"padding", "same"}, {"strides", {2, 1}}, {"activation", "relu"}}},
         {"BatchNormalization", none},
         {"MaxPooling2D", none},
         {"Flatten", none},
         {"Dense", {{"units", 2}}}});
    row("convolution of channels first", {3, 7, 6},
        {{"Conv2D", {{"filters", 4}, {"kernel_size", 3}, {"dilation_rate", 2}, {"data_format", "channels_first"}}},
         {"BatchNormalization", {{"axis", 1}}},
         {"GlobalAveragePooling2D", {{"data_format", "channels_first"}}}});
    row("groups", {6, 6, 4}, {{"Conv2D", {{"filters", 6}, {"kernel_size", 3}, {"groups", 2}}}});
    row("depthwise", {6, 6, 4}, {{"DepthwiseConv2D", {{"kernel_size", 3}, {"depth_multiplier", 2}}}});
    row("separable", {6, 6, 4}, {{"SeparableConv2D", {{"filters", 3}, {"kernel_size", 3}, {"padding", "same"}}}});
    row("transposed", {4, 5, 3}, {{"Conv2DTranspose", {{"filters", 2}, {"kernel_size", 3}, {"strides", 2}, {"padding", "same"}}}});
    row("transposed without padding", {4, 5, 3}, {{"Conv2DTranspose", {{"filters", 2}, {"kernel_size", 2}, {"strides", 3}}}});
    row("one axis", {8, 3},
        {{"Conv1D", {{"filters", 4}, {"kernel_size", 3}, {"padding", "causal"}}},
         {"AveragePooling1D", {{"padding", "same"}, {"pool_size", 3}}},
         {"GlobalMaxPooling1D", none}});
    row("three axes", {4, 4, 4, 2}, {{"Conv3D", {{"filters", 2}, {"kernel_size", 2}}}, {"MaxPooling3D", none}});
    row("edges", {5, 6, 2},
        {{"ZeroPadding2D", {{"padding", {{1, 0}, {0, 2}}}}},
         {"Cropping2D", {{"cropping", {{0, 1}, {1, 1}}}}},
         {"UpSampling2D", {{"size", {2, 3}}}}});
    row("bilinear", {3, 4, 2}, {{"UpSampling2D", {{"interpolation", "bilinear"}}}}, false);
    row("normalisations", {4, 6},
        {{"LayerNormalization", none},
         {"InstanceNormalization", {{"gamma_initializer", "ones"}}},
         {"LayerNormalization", {{"axis", {1, 2}}, {"center", false}}}});
    row("embedding", {5}, {{"Embedding", {{"input_dim", 4}, {"output_dim", 3}}}, {"LSTM", {{"units", 2}}}}, true, "int32");
    for (auto const *name : {"LSTM", "GRU", "SimpleRNN"}) {
        row((std::string(name) + " of sequences").c_str(), {4, 3},
            {{name, {{"units", 2}, {"return_sequences", true}}}, {name, {{"units", 3}}}});
        row((std::string(name) + " backwards").c_str(), {4, 3}, {{name, {{"units", 2}, {"go_backwards", true}, {"use_bias", false}}}});
        Json const inner{{"class_name", name}, {"config", {{"name", "inner"}, {"units", 2}, {"return_sequences", true}}}};
        row((std::string("both directions of ") + name).c_str(), {4, 3}, {{"Bidirectional", {{"layer", inner}}}});
    }
    row("GRU that resets before", {4, 3}, {{"GRU", {{"units", 2}, {"reset_after", false}}}});
    for (auto const *op : {"Abs", "Neg", "Erf", "HardSwish", "Celu", "Selu", "Shrink"})
        row((std::string("operation ") + op).c_str(), {5}, {{"Operation", {{"operator", op}}}});
    row("operations", {3, 4},
        {{"Operation", {{"operator", "Mul"}, {"alpha", 0.5}}},
         {"Operation", {{"operator", "ReduceMean"}, {"axes", {1}}, {"keepdims", true}}},
         {"Operation", {{"operator", "Tile"}, {"shape", {3, 1}}}},
         {"Operation", {{"operator", "Slice"}, {"axes", {2}}, {"starts", {1}}, {"ends", {4}}}},
         {"Operation", {{"operator", "Pad"}, {"pads", {0, 1, 1, 0}}, {"alpha", 2.0}}},
         {"Operation", {{"operator", "LogSoftmax"}, {"axes", {1}}}}});
    row("operations with a weight", {3, 4},
        {{"Operation", {{"operator", "Add"}, {"constant_shape", {3, 4}}}},
         {"Operation", {{"operator", "MatMul"}, {"constant_shape", {2, 3}}, {"constant_first", true}}}});
}

void TstOnnxExport::exportedModelsComeBack()
{
    QFETCH(QString, text);
    QFETCH(bool, sameBits);
    project::Project project;
    project.model.name = "chain";
    auto const config = Json::parse(text.toStdString());
    for (std::size_t i = 0; i < config.size(); ++i)
        project.model.layers.push_back(model::makeLayer(config[i][0], i == 0 ? "x" : "l" + std::to_string(i), config[i][1]));
    auto const resolved = model::resolve(project.model);
    QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
    auto const weights = randomWeights(*resolved);
    auto const image = onnxOf(project, weights, {});
    QVERIFY2(image.ok(), image.ok() ? "" : toText(image.error()).c_str());
    QTemporaryDir folder;
    auto const path = folder.filePath("m.onnx").toStdString();
    std::ofstream(path, std::ios::binary) << *image;
    auto imported = importModel(path, {});
    QVERIFY2(imported.ok(), imported.ok() ? "" : toText(imported.error()).c_str());
    auto const back = model::resolve(imported->project.model);
    QVERIFY2(back.ok(), back.ok() ? "" : toText(back.error()).c_str());
    auto const state = importedWeights(std::move(imported->layers), imported->project, path, {});
    QVERIFY2(state.ok(), state.ok() ? "" : toText(state.error()).c_str());
    if (sameBits) QCOMPARE(state->has_value() ? valuesOf(**state) : std::vector<float>(), valuesOf(weights));
    auto const want = outputsOf(*resolved, weights), got = outputsOf(*back, state->has_value() ? **state : runtime::TrainingState());
    QVERIFY2(want.ok() && got.ok(), got.ok() ? "" : toText(got.error()).c_str());
    QCOMPARE(got->size(), want->size());
    for (std::size_t i = 0; i < want->size(); ++i) {
        QCOMPARE((*got)[i].shape, (*want)[i].shape);
        for (std::size_t e = 0; e < (*want)[i].v.size(); ++e)
            QVERIFY2(closeTo((*got)[i].v[e], (*want)[i].v[e], 1e-6, 1e-6),
                     qPrintable(QString("element %1: %2, not %3").arg(e).arg((*got)[i].v[e]).arg((*want)[i].v[e])));
    }
}

void TstOnnxExport::layersKeepTheirNamesAndClasses()
{
    auto const project = chain({8, 8, 3},
                               {{"Conv2D", {{"filters", 4}, {"kernel_size", 3}, {"activation", "relu"}}},
                                {"MaxPooling2D", Json::object()},
                                {"Flatten", Json::object()},
                                {"Dense", {{"units", 5}, {"activation", "tanh"}}}});
    auto const resolved = model::resolve(project.model).value();
    auto const graph = onnxFromModel(project, randomWeights(resolved));
    QVERIFY(graph.ok());
    auto const back = modelFromOnnx(*graph, {}, "m.onnx", {});
    QVERIFY2(back.ok(), back.ok() ? "" : toText(back.error()).c_str());
    auto const &layers = back->project.model.layers;
    QCOMPARE(layers.size(), project.model.layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        QCOMPARE(layers[i].name, project.model.layers[i].name);
        QCOMPARE(layers[i].className, project.model.layers[i].className);
        for (auto const *argument : {"activation", "data_format", "padding", "filters", "units"})
            QCOMPARE(layers[i].config.value(argument, Json()), resolved.layers[i].layer.config.value(argument, Json()));
    }
}

void TstOnnxExport::refusedLayersAreListedTogether()
{
    auto const project =
        chain({4, 3}, {{"LSTM", {{"units", 2}, {"stateful", true}, {"return_sequences", true}}}, {"GroupNormalization", {{"groups", 1}}}});
    auto const resolved = model::resolve(project.model).value();
    auto const got = onnxFromModel(project, randomWeights(resolved));
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("export.onnx-layers"));
    for (auto const *part : {"l0 (LSTM)", "l1 (GroupNormalization)"})
        QVERIFY2(got.error().message.find(part) != std::string::npos, got.error().message.text().c_str());
}

TW_REGISTER_TEST(TstOnnxExport);
#include "tst_onnx_export.moc"
