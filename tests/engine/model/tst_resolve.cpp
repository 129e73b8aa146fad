#include "engine/model/resolve.h"
#include "engine/model/topology.h"
#include "tests/engine/model/model_samples.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::model;
using tilewright::tests::sampleChain;
using tilewright::tests::sampleGraph;

namespace {

/// Output shape of one layer for the given inputs, or the code of the error.
std::pair<Shape, std::string> shapeOf(Layer layer, std::vector<Shape> const &inputs)
{
    Model m;
    m.kind = ModelKind::Functional;
    Call call;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::string const name = "x" + std::to_string(i);
        m.layers.push_back(makeInput(name, inputs[i]));
        m.inputs.push_back({name});
        call.inputs.push_back({name});
    }
    layer.calls = {call};
    m.outputs = {{layer.name}};
    m.layers.push_back(std::move(layer));
    auto const r = resolve(m);
    if (!r.ok()) return {{}, r.error().code};
    return {r->calls[r->outputs[0]].shape, ""};
}

Shape good(Layer layer, std::vector<Shape> const &inputs)
{
    auto const [shape, code] = shapeOf(std::move(layer), inputs);
    if (!code.empty()) qWarning("%s", code.c_str());
    return shape;
}

std::string bad(Layer layer, std::vector<Shape> const &inputs) { return shapeOf(std::move(layer), inputs).second; }

Layer layerOf(char const *className, Json config = Json::object()) { return makeLayer(className, "it", std::move(config)); }

} // namespace

class TstResolve : public QObject {
    Q_OBJECT
private slots:
    void shapesFollowKeras()
    {
        QCOMPARE(good(layerOf("Dense", {{"units", 7}}), {{5}}), (Shape{-1, 7}));
        QCOMPARE(good(layerOf("Dense", {{"units", 7}}), {{3, 4, 5}}), (Shape{-1, 3, 4, 7}));
        QCOMPARE(good(layerOf("Flatten"), {{3, 4}}), (Shape{-1, 12}));
        QCOMPARE(good(layerOf("Flatten"), {{}}), (Shape{-1, 1}));
        QCOMPARE(good(layerOf("Reshape", {{"target_shape", {-1, 2}}}), {{2, 3, 4}}), (Shape{-1, 12, 2}));
        QCOMPARE(good(layerOf("Reshape", {{"target_shape", {3, 4}}}), {{12}}), (Shape{-1, 3, 4}));
        QCOMPARE(good(layerOf("Activation", {{"activation", "gelu"}}), {{6, 2}}), (Shape{-1, 6, 2}));
        QCOMPARE(good(layerOf("Softmax", {{"axis", 1}}), {{6, 2}}), (Shape{-1, 6, 2}));
        QCOMPARE(good(layerOf("Dropout", {{"rate", 0.5}}), {{6, 2}}), (Shape{-1, 6, 2}));
        QCOMPARE(good(layerOf("Add"), {{3, 4}, {1, 4}}), (Shape{-1, 3, 4}));
        QCOMPARE(good(layerOf("Multiply"), {{4}, {3, 4}}), (Shape{-1, 3, 4}));
        QCOMPARE(good(layerOf("Average"), {{4}, {4}, {4}}), (Shape{-1, 4}));
        QCOMPARE(good(layerOf("Concatenate", {{"axis", 1}}), {{3, 4}, {2, 4}}), (Shape{-1, 5, 4}));
        QCOMPARE(good(layerOf("Concatenate"), {{3, 4}, {3, 1}}), (Shape{-1, 3, 5}));
        QCOMPARE(good(layerOf("MaxPooling2D"), {{7, 8, 3}}), (Shape{-1, 3, 4, 3}));
        QCOMPARE(good(layerOf("MaxPooling2D", {{"pool_size", 3}, {"strides", {1, 2}}}), {{7, 8, 3}}), (Shape{-1, 5, 3, 3}));
        QCOMPARE(good(layerOf("AveragePooling1D", {{"padding", "same"}}), {{7, 3}}), (Shape{-1, 4, 3}));
        QCOMPARE(good(layerOf("AveragePooling3D", {{"data_format", "channels_first"}}), {{3, 4, 5, 6}}), (Shape{-1, 3, 2, 2, 3}));
        QCOMPARE(good(layerOf("GlobalMaxPooling2D"), {{7, 8, 3}}), (Shape{-1, 3}));
        QCOMPARE(good(layerOf("SpatialDropout2D", {{"rate", 0.5}}), {{7, 8, 6}}), (Shape{-1, 7, 8, 6}));
        QCOMPARE(good(layerOf("GaussianNoise", {{"stddev", 0.5}}), {{7, 8}}), (Shape{-1, 7, 8}));
        for (auto const *norm : {"BatchNormalization", "LayerNormalization", "GroupNormalization", "InstanceNormalization"})
            QCOMPARE(good(layerOf(norm), {{7, 8, 6}}), (Shape{-1, 7, 8, 6}));
        QCOMPARE(good(layerOf("GlobalAveragePooling2D", {{"keepdims", true}, {"data_format", "channels_first"}}), {{3, 7, 8}}),
                 (Shape{-1, 3, 1, 1}));
    }
    void refusesWhatDoesNotFit()
    {
        QCOMPARE(bad(layerOf("Dense", {{"units", 7}}), {{}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Reshape", {{"target_shape", {5, 5}}}), {{12}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Reshape", {{"target_shape", {-1, 5}}}), {{12}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Reshape", {{"target_shape", {-1, -1}}}), {{12}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("Softmax"), {{}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Softmax", {{"axis", 0}}), {{3}}), std::string("model.shape"));
        QCOMPARE(good(layerOf("Softmax", {{"axis", {1, 2}}}), {{3, 5, 2}}), (Shape{-1, 3, 5, 2}));
        QCOMPARE(bad(layerOf("Softmax", {{"axis", {1, -2}}}), {{3, 5}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("Softmax", {{"axis", {1, 3}}}), {{3, 5}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Softmax", {{"axis", Json::array()}}), {{3, 5}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("Add"), {{3}, {4}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Add"), {{3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Subtract"), {{3}, {3}, {3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Concatenate", {{"axis", 0}}), {{3}, {3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Concatenate"), {{3, 2}, {4, 2}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Dropout", {{"rate", 1.0}}), {{3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("ReLU", {{"max_value", -1.0}}), {{3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("MaxPooling2D"), {{8, 3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("MaxPooling2D", {{"pool_size", 9}}), {{8, 12, 3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("MaxPooling2D", {{"pool_size", {2, 2, 2}}}), {{8, 8, 3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("AveragePooling1D", {{"strides", 0}}), {{8, 3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("AveragePooling1D", {{"padding", "causal"}}), {{8, 3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("GlobalMaxPooling1D"), {{8, 3, 3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("SpatialDropout1D", {{"rate", 0.5}}), {{8, 3, 3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("AlphaDropout", {{"rate", 1.0}}), {{8}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("GaussianNoise", {{"stddev", -1.0}}), {{8}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("BatchNormalization", {{"axis", 0}}), {{8, 3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("BatchNormalization", {{"axis", {1, 2}}}), {{8, 3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("LayerNormalization", {{"axis", {1, -2}}}), {{8, 3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("LayerNormalization", {{"axis", Json::array()}}), {{8, 3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("GroupNormalization", {{"groups", 4}}), {{8, 6}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("GroupNormalization", {{"channels_axis", 2}}), {{8, 6, 6}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Flatten"), {{1000000000, 1000000000, 1000000000}}), std::string("model.too-large"));
        QCOMPARE(bad(layerOf("Dense", {{"units", 1000000000}}), {{1000000}}), std::string("model.too-large"));
    }
    void convolutions()
    {
        Json const conv{{"filters", 6}, {"kernel_size", 3}};
        auto const with = [&](Json more) {
            more.update(conv);
            return more;
        };
        QCOMPARE(good(layerOf("Conv2D", conv), {{7, 8, 3}}), (Shape{-1, 5, 6, 6}));
        QCOMPARE(good(layerOf("Conv2D", with({{"padding", "same"}, {"strides", {2, 3}}})), {{7, 8, 3}}), (Shape{-1, 4, 3, 6}));
        QCOMPARE(good(layerOf("Conv2D", with({{"data_format", "channels_first"}})), {{3, 7, 8}}), (Shape{-1, 6, 5, 6}));
        QCOMPARE(good(layerOf("Conv1D", with({{"padding", "causal"}, {"dilation_rate", 4}})), {{5, 3}}), (Shape{-1, 5, 6}));
        QCOMPARE(good(layerOf("Conv3D", conv), {{3, 4, 5, 1}}), (Shape{-1, 1, 2, 3, 6}));
        QCOMPARE(good(layerOf("Conv2DTranspose", with({{"strides", 2}, {"padding", "same"}})), {{4, 5, 3}}), (Shape{-1, 8, 10, 6}));
        QCOMPARE(good(layerOf("Conv2DTranspose", with({{"strides", 2}, {"output_padding", 1}})), {{4, 5, 3}}), (Shape{-1, 10, 12, 6}));
        QCOMPARE(good(layerOf("DepthwiseConv2D", {{"kernel_size", {2, 3}}, {"depth_multiplier", 4}}), {{4, 5, 3}}), (Shape{-1, 3, 3, 12}));
        QCOMPARE(good(layerOf("SeparableConv1D", conv), {{9, 3}}), (Shape{-1, 7, 6}));
        QCOMPARE(bad(layerOf("Conv2D", conv), {{2, 8, 1}}), std::string("model.shape")); // a window that does not fit
        QCOMPARE(bad(layerOf("Conv2D", conv), {{8, 8}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Conv2D", with({{"groups", 4}})), {{8, 8, 4}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("Conv2D", with({{"groups", 2}})), {{8, 8, 3}}), std::string("model.shape"));
        QCOMPARE(bad(layerOf("Conv2D", with({{"strides", 2}, {"dilation_rate", 2}})), {{8, 8, 3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("Conv2D", {{"filters", 3}, {"kernel_size", {3, 3, 3}}}), {{8, 8, 3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("Conv2D", {{"filters", 3}}), {{8, 8, 1}}), std::string("model.missing-argument"));
        QCOMPARE(bad(layerOf("Conv2DTranspose", with({{"output_padding", 1}})), {{4, 5, 3}}), std::string("model.bad-argument"));
        QCOMPARE(bad(layerOf("DepthwiseConv2D", {{"kernel_size", 3}, {"groups", 2}}), {{4, 5, 4}}), std::string("model.bad-argument"));
    }
    void saysWhatIsNotSupportedYet()
    {
        QCOMPARE(bad(layerOf("RandomFourierFeatures", {{"output_dim", 3}}), {{8, 8, 1}}), std::string("model.unsupported"));
        QCOMPARE(bad(layerOf("Sequential", {{"layers", Json::array()}}), {{8}}), std::string("model.unsupported"));
        QCOMPARE(bad(layerOf("Dropout", {{"rate", 0.5}, {"noise_shape", {1, 2}}}), {{8}}), std::string("model.unsupported"));
        QCOMPARE(bad(layerOf("Flatten", {{"data_format", "channels_first"}}), {{8, 2}}), std::string("model.unsupported"));
        QCOMPARE(bad(layerOf("Activation", {{"activation", {{"class_name", "LeakyReLU"}}}}), {{8}}), std::string("model.bad-argument"));
    }
    void namesTheNearestClassAndArgument()
    {
        auto const unknown = resolve(sampleChain({layerOf("Dens", {{"units", 2}})}, {3})).error();
        QCOMPARE(unknown.code, std::string("model.unknown-layer"));
        QCOMPARE(unknown.subject, std::string("it"));
        QVERIFY(unknown.remedy.find("'Dense'") != std::string::npos);
        auto const argument = resolve(sampleChain({layerOf("Dense", {{"units", 2}, {"activatoin", "relu"}})}, {3})).error();
        QCOMPARE(argument.code, std::string("model.unknown-argument"));
        QVERIFY(argument.remedy.find("'activation'") != std::string::npos);
        QCOMPARE(resolve(sampleChain({layerOf("Dense")}, {3})).error().code, std::string("model.missing-argument"));
        QCOMPARE(resolve(sampleChain({layerOf("Dense", {{"units", 2}, {"activation", "rleu"}})}, {3})).error().code,
                 std::string("model.unknown-activation"));
        QCOMPARE(resolve(sampleChain({layerOf("Dense", {{"units", 2}, {"activatoin", nullptr}})}, {3})).error().code,
                 std::string("model.unknown-argument"));
    }
    void resolvesAGraphWithASharedLayer()
    {
        auto const r = resolve(sampleGraph());
        QVERIFY(r.ok());
        QCOMPARE(r->calls.size(), std::size_t{7});
        QCOMPARE(r->layers[2].layer.name, std::string("tower"));
        QCOMPARE(r->layers[2].calls.size(), std::size_t{2});
        QCOMPARE(r->parameters(), std::int64_t{36 + 39 + 13});
        QCOMPARE(r->inputs, (std::vector<std::size_t>{0, 1}));
        QCOMPARE(r->calls[r->outputs[1]].shape, (Shape{-1, 1}));
        QCOMPARE(weightPath(*r, weightOrder(*r)[0]), std::string("tower/kernel"));
        for (std::size_t i = 0; i < r->calls.size(); ++i)
            for (auto const from : r->calls[i].inputs) QVERIFY(from < i);
        QCOMPARE(r->calls[2].multiplyAdds, 30.0);
    }
    void frozenLayersTrainNothing()
    {
        auto const r = resolve(sampleChain({layerOf("Dense", {{"units", 2}, {"trainable", false}})}, {3}));
        QCOMPARE(r->parameters(), std::int64_t{8});
        QCOMPARE(r->trainableParameters(), std::int64_t{0});
    }
    void namesTheLayersOnACycle()
    {
        Model m = sampleGraph();
        m.find("tower")->calls[1].inputs = {{"size"}};
        auto const r = resolve(m);
        QCOMPARE(r.error().code, std::string("model.cycle"));
        for (char const *name : {"tower", "join", "size"})
            QVERIFY2(r.error().message.find(name) != std::string::npos, r.error().message.c_str());
        QVERIFY(r.error().message.find("kind") == std::string::npos);
        Model self = sampleGraph();
        self.find("size")->calls[0].inputs = {{"size"}};
        QVERIFY(resolve(self).error().message.find("size -> size") != std::string::npos);
    }
    void findsBrokenConnections()
    {
        Model m = sampleGraph();
        m.find("size")->calls[0].inputs = {{"joni"}};
        QCOMPARE(resolve(m).error().code, std::string("model.dangling-reference"));
        QVERIFY(resolve(m).error().remedy.find("'join'") != std::string::npos);
        m = sampleGraph();
        m.find("join")->calls[0].inputs[1].node = 2;
        QCOMPARE(resolve(m).error().code, std::string("model.dangling-reference"));
        m = sampleGraph();
        m.find("join")->calls[0].inputs[1].tensor = 1;
        QCOMPARE(resolve(m).error().code, std::string("model.dangling-reference"));
        m = sampleGraph();
        m.find("kind")->calls[0].inputs.clear();
        QCOMPARE(resolve(m).error().code, std::string("model.not-connected"));
        m = sampleGraph();
        m.inputs.pop_back();
        QCOMPARE(resolve(m).error().code, std::string("model.not-connected"));
        m = sampleGraph();
        m.outputs.clear();
        QCOMPARE(resolve(m).error().code, std::string("model.no-output"));
        m = sampleGraph();
        m.inputs[0] = {"tower"};
        QCOMPARE(resolve(m).error().code, std::string("model.not-connected"));
        m = sampleGraph();
        m.find("kind")->calls[0].arguments = Json{{"training", true}};
        QCOMPARE(resolve(m).error().code, std::string("model.unsupported"));
        m = sampleGraph();
        m.layers[1].name = "left";
        QCOMPARE(resolve(m).error().code, std::string("model.duplicate-name"));
        QCOMPARE(resolve(Model{}).error().code, std::string("model.empty"));
    }
    void aSharedLayerNeedsEqualInputs()
    {
        Model m = sampleGraph();
        m.layers[1] = makeInput("right", {4});
        auto const r = resolve(m);
        QCOMPARE(r.error().code, std::string("model.shape"));
        QCOMPARE(r.error().subject, std::string("tower"));
    }
    void reportsEveryBrokenLayerOnce()
    {
        Model m = sampleGraph();
        m.find("kind")->config["units"] = 0;
        m.find("size")->config["activation"] = "nothing";
        m.layers.push_back(makeLayer("Flatten", "idle"));
        m.layers.back().calls = {Call{{TensorRef{"left"}}}};
        auto const problems = modelProblems(m);
        QCOMPARE(problems.size(), std::size_t{3});
        QCOMPARE(std::count_if(problems.begin(), problems.end(), [](auto const &p) { return p.severity == Severity::Warning; }), 1);
        QCOMPARE(problems.back().subject, std::string("idle"));
        QVERIFY(modelProblems(sampleGraph()).empty());
    }
    void sequentialModelsNeedOneInputAtTheFront()
    {
        Model m;
        m.layers = {layerOf("Dense", {{"units", 2}})};
        QCOMPARE(resolve(m).error().code, std::string("model.no-input"));
        m = sampleChain({layerOf("Add")}, {3});
        QVERIFY(resolve(m).error().remedy.find("functional") != std::string::npos);
        m = sampleChain({makeInput("second", {3})}, {3});
        QCOMPARE(resolve(m).error().code, std::string("model.not-connected"));
    }
    void allExtentsMustBeKnown()
    {
        Model m = sampleChain({layerOf("Flatten")}, {3, 3});
        m.layers[0].config["batch_input_shape"] = {nullptr, nullptr, 3};
        QCOMPARE(resolve(m).error().code, std::string("model.dynamic-shape"));
        m.layers[0].config["batch_input_shape"] = {16, 3, 3};
        QCOMPARE(resolve(m)->calls[1].shape, (Shape{16, 9}));
        m.layers[0].config["batch_input_shape"] = "no list";
        QCOMPARE(resolve(m).error().code, std::string("model.bad-argument"));
        m.layers[0].config.erase("batch_input_shape");
        QCOMPARE(resolve(m).error().code, std::string("model.missing-argument"));
    }
    void typesFollowTheLayers()
    {
        Model m = sampleChain({makeLayer("Flatten", "f"), makeLayer("Dense", "d", {{"units", 2}})}, {3, 3});
        m.layers[0].config["dtype"] = "int32";
        auto const r = resolve(m);
        QVERIFY(r->calls[1].dtype == DType::I32);
        QVERIFY(r->calls[2].dtype == DType::F32);
        m.layers[2].config["dtype"] = "float16";
        QVERIFY(resolve(m)->layers[2].weights[0].dtype == DType::F16);
        m.layers[2].config["dtype"] = "int32";
        QCOMPARE(resolve(m).error().code, std::string("model.bad-argument"));
        m.layers[2].config["dtype"] = "float64";
        QCOMPARE(resolve(m).error().code, std::string("model.bad-argument"));
    }
    void initialWeightsAreReproducibleAndDifferPerLayer()
    {
        auto const r = resolve(sampleChain({makeLayer("Dense", "a", {{"units", 4}}), makeLayer("Dense", "b", {{"units", 4}})}, {4}));
        auto const w = initialWeights(*r, 42);
        QVERIFY(w.ok());
        QCOMPARE(w->size(), std::size_t{4});
        QVERIFY((*w)[0] != (*w)[2]);
        QVERIFY(*initialWeights(*r, 42) == *w);
        QVERIFY((*w)[1] == std::vector<float>(4, 0.0f));
    }
    void renamingAndRemovingKeepTheGraphSound()
    {
        Model m = sampleGraph();
        QVERIFY(renameLayer(m, "tower", "trunk").ok());
        QVERIFY(resolve(m).ok());
        QCOMPARE(m.find("join")->calls[0].inputs[1].layer, std::string("trunk"));
        m.find("trunk")->stage = 1;
        QVERIFY(removeLayer(m, "size").ok());
        QCOMPARE(m.find("trunk")->stage, -1);
        QVERIFY(resolve(m).ok());
        QCOMPARE(removeLayer(m, "size").error().code, std::string("model.no-layer"));
    }
    void resolvesALongChain()
    {
        Model m;
        m.kind = ModelKind::Functional;
        m.layers.push_back(makeInput("in", {2}));
        m.inputs = {{"in"}};
        for (int i = 0; i < 5000; ++i) {
            Layer layer = makeLayer("ReLU", "r" + std::to_string(i));
            layer.calls = {Call{{TensorRef{m.layers.back().name}}}};
            m.layers.push_back(std::move(layer));
        }
        m.outputs = {{m.layers.back().name}};
        QCOMPARE(resolve(m)->calls.size(), std::size_t{5001});
    }
};

TW_REGISTER_TEST(TstResolve);
#include "tst_resolve.moc"
