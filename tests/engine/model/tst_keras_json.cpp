#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"
#include "engine/model/templates.h"
#include "tests/engine/model/model_samples.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::model;

namespace {

char const *const kDense =
    R"({"class_name": "Sequential", "config": {"name": "sequential", "layers": [{"class_name": "InputLayer", "config": {"batch_input_shape": [null, 5], "dtype": "float32", "sparse": false, "ragged": false, "name": "dense_input"}}, {"class_name": "Dense", "config": {"name": "dense", "trainable": true, "batch_input_shape": [null, 5], "dtype": "float32", "units": 3, "activation": "linear", "use_bias": true, "kernel_initializer": {"class_name": "RandomUniform", "config": {"minval": -0.05, "maxval": 0.05, "seed": null}}, "bias_initializer": {"class_name": "Zeros", "config": {}}, "kernel_regularizer": null, "bias_regularizer": null, "activity_regularizer": null, "kernel_constraint": null, "bias_constraint": null}}]}, "keras_version": "2.6.0", "backend": "tensorflow"})";

} // namespace

class TstKerasJson : public QObject {
    Q_OBJECT
private slots:
    void writesWhatKerasWrites()
    {
        auto const m = parseKerasJson(kDense);
        QVERIFY(m.ok());
        QCOMPARE(printKerasJson(*m), std::string(kDense));
    }
    void fillsInWhatAPersonLeavesOut()
    {
        auto const m = parseKerasJson(
            R"({"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"units": 3, "input_dim": 5, "kernel_initializer": "uniform"}}]})");
        QVERIFY(m.ok());
        QCOMPARE(printKerasJson(*m), std::string(kDense));
    }
    void readsHowKeras20ComputedRecurrentLayers()
    {
        QString const form(
            R"({"class_name": "Sequential", "config": [{"class_name": "Bidirectional", "config": {"name": "b", "merge_mode": "concat", "batch_input_shape": [null, 4, 5], "layer": {"class_name": "%1", "config": {"name": "r", "units": 3, "unroll": false, "implementation": 0}}}}], "keras_version": "2.0.8"})");
        for (auto const *layer : {"LSTM", "GRU", "SimpleRNN"}) {
            auto const m = parseKerasJson(form.arg(layer).toStdString());
            QVERIFY2(m.ok(), m.ok() ? "" : toText(m.error()).c_str());
            auto const resolved = resolve(*m);
            QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        }
    }
    void readsASequentialThatWasBuiltByData()
    {
        auto const m = parseKerasJson(
            R"({"class_name": "Sequential", "config": {"name": "s", "layers": [{"class_name": "Flatten", "config": {"name": "f"}}], "build_input_shape": [null, 4, 4]}})");
        QVERIFY(m.ok());
        QCOMPARE(resolve(*m)->calls.back().shape, (Shape{-1, 16}));
    }
    void roundTripsAGraph()
    {
        Model const m = tests::sampleGraph();
        std::string const text = printKerasJson(m);
        auto const again = parseKerasJson(text);
        QVERIFY(again.ok());
        QVERIFY(*again == m);
        QCOMPARE(printKerasJson(*again), text);
        QVERIFY(text.find(R"("inbound_nodes": [[["left", 0, 0, {}]], [["right", 0, 0, {}]]])") != std::string::npos);
        QVERIFY(text.find(R"("output_layers": [["kind", 0, 0], ["size", 0, 0]])") != std::string::npos);
    }
    void inputsByKeywordAreInputsLikeTheFirst()
    {
        char const *const graph = R"({"class_name": "Functional", "config": {"name": "m", "layers": [
            {"class_name": "InputLayer", "name": "q", "config": {"name": "q", "batch_input_shape": [null, 4, 6]}, "inbound_nodes": []},
            {"class_name": "InputLayer", "name": "v", "config": {"name": "v", "batch_input_shape": [null, 3, 5]}, "inbound_nodes": []},
            {"class_name": "MultiHeadAttention", "name": "a", "config": {"name": "a", "num_heads": 2, "key_dim": 3, "query_shape": [null, 4, 6]},
             "inbound_nodes": [[["q", 0, 0, {"value": ["v", 0, 0], "key": null, "return_attention_scores": false%1}]]]}],
            "input_layers": [["q", 0, 0], ["v", 0, 0]], "output_layers": [["a", 0, 0]]}})";
        auto const m = parseKerasJson(QString(graph).arg("").toStdString());
        QVERIFY2(m.ok(), m.ok() ? "" : toText(m.error()).c_str());
        QCOMPARE(m->find("a")->calls[0].inputs.size(), std::size_t{2});
        QCOMPARE(m->find("a")->calls[0].inputs[1].layer, std::string("v"));
        auto const resolved = resolve(*m);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        QCOMPARE(resolved->calls.back().shape, (Shape{-1, 4, 6}));
        std::string const text = printKerasJson(*m);
        QVERIFY(text.find(R"([["q", 0, 0, {"value": ["v", 0, 0]}]])") != std::string::npos);
        QVERIFY(*parseKerasJson(text) == *m);
        // What is not known is refused by name, not dropped.
        auto const other = parseKerasJson(QString(graph).arg(R"(, "use_causal_mask": true)").toStdString());
        QVERIFY(other.ok());
        QCOMPARE(resolve(*other).error().code, std::string("model.unsupported"));
    }
    void anInputLeftOutBeforeAMaskIsTheOneBefore()
    {
        auto const graph = [](char const *mask, char const *key) {
            return QString(R"({"class_name": "Functional", "config": {"name": "m", "layers": [
                {"class_name": "InputLayer", "name": "q", "config": {"name": "q", "batch_input_shape": [null, 4, 6]}, "inbound_nodes": []},
                {"class_name": "InputLayer", "name": "v", "config": {"name": "v", "batch_input_shape": [null, 3, 5]}, "inbound_nodes": []},
                {"class_name": "InputLayer", "name": "seen", "config": {"name": "seen", "batch_input_shape": %1, "dtype": "int32"}, "inbound_nodes": []},
                {"class_name": "MultiHeadAttention", "name": "a", "config": {"name": "a", "num_heads": 2, "key_dim": 3},
                 "inbound_nodes": [[["q", 0, 0, {"value": ["v", 0, 0]%2, "attention_mask": ["seen", 0, 0]}]]]}],
                "input_layers": [["q", 0, 0], ["v", 0, 0], ["seen", 0, 0]], "output_layers": [["a", 0, 0]]}})")
                .arg(mask, key)
                .toStdString();
        };
        auto const m = parseKerasJson(graph("[null, 4, 3]", ""));
        QVERIFY2(m.ok(), m.ok() ? "" : toText(m.error()).c_str());
        auto const &inputs = m->find("a")->calls[0].inputs;
        QCOMPARE(inputs.size(), std::size_t{4});
        QCOMPARE(inputs[2].layer, std::string("v"));
        QCOMPARE(inputs[3].layer, std::string("seen"));
        QVERIFY(*parseKerasJson(graph("[null, 4, 3]", R"(, "key": ["v", 0, 0])")) == *m);
        QVERIFY(*parseKerasJson(printKerasJson(*m)) == *m);
        for (char const *fits : {"[null, 4, 3]", "[null, 1, 3]", "[null, 2, 4, 3]", "[null, 1, 1, 3]"}) {
            auto const resolved = resolve(*parseKerasJson(graph(fits, "")));
            QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
            QCOMPARE(resolved->calls.back().shape, (Shape{-1, 4, 6}));
        }
        for (char const *refused : {"[null, 3, 4]", "[null, 3]", "[null, 3, 4, 3]"})
            QCOMPARE(resolve(*parseKerasJson(graph(refused, ""))).error().code, std::string("model.shape"));
    }
    void keepsPipelineStages()
    {
        Model m = tests::sampleGraph();
        for (auto &layer : m.layers) layer.stage = layer.className == "InputLayer" ? -1 : 0;
        m.find("kind")->stage = 1;
        m.find("tower")->stage = -1;
        m.find("tower")->calls[0].stage = 0;
        m.find("tower")->calls[1].stage = 0;
        auto const again = parseKerasJson(printKerasJson(m));
        QVERIFY(again.ok());
        QVERIFY(*again == m);
        QCOMPARE(again->find("kind")->stage, 1);
    }
    void ordersLayersAsKeras()
    {
        // A short and a long branch: Keras lists layers by their depth from the output.
        Model m = tests::sampleGraph();
        std::reverse(m.layers.begin(), m.layers.end());
        auto const again = parseKerasJson(printKerasJson(m));
        QVERIFY(again.ok());
        QVERIFY(*again == tests::sampleGraph());
    }
    void keepsUnknownLayersForTheEditor()
    {
        auto const m = parseKerasJson(
            R"({"class_name": "Sequential", "config": {"name": "s", "layers": [{"class_name": "Conv2D", "config": {"name": "c", "filters": 3, "batch_input_shape": [null, 8, 8, 1]}}, {"class_name": "Dens", "config": {"units": 2}}]}})");
        QVERIFY(m.ok());
        QCOMPARE(m->layers[0].className, std::string("InputLayer"));
        QCOMPARE(m->find("c")->integer("filters"), 3);
        QCOMPARE(m->layers[2].name, std::string("dens"));
        QVERIFY(*parseKerasJson(printKerasJson(*m)) == *m);
    }
    void acceptsOlderAndNewerForms()
    {
        // Keras 1 references without keyword arguments, class "Model", wrapper keys of Keras 2.15.
        auto const m = parseKerasJson(R"({"class_name": "Model", "config": {"layers": [
            {"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": [null, 4], "name": "i"}, "name": "i", "inbound_nodes": []},
            {"class_name": "Dense", "registered_name": null, "build_config": {}, "config": {"name": "d", "units": 2, "dtype": {"class_name": "Policy", "config": {"name": "mixed_float16"}},
             "kernel_initializer": {"module": "keras.initializers", "class_name": "GlorotUniform", "config": {"seed": null}, "registered_name": null}},
             "name": "d", "inbound_nodes": [[["i", 0, 0]]]}], "input_layers": ["i", 0, 0], "output_layers": [["d", 0, 0]]}})");
        QVERIFY2(m.ok(), m.ok() ? "" : toText(m.error()).c_str());
        QCOMPARE(m->name, std::string("model"));
        auto const r = resolve(*m);
        QVERIFY2(r.ok(), r.ok() ? "" : toText(r.error()).c_str());
        QVERIFY(r->calls[1].dtype == DType::F16);
        QVERIFY(r->layers[1].weights[0].dtype == DType::F32);
        QVERIFY(*parseKerasJson(printKerasJson(*m)) == *m);
    }
    void saysWhatIsWrongWithTheForm_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::newRow("empty") << ""
                               << "model.json";
        QTest::newRow("list") << "[]"
                              << "model.format";
        QTest::newRow("no class") << "{}"
                                  << "model.format";
        QTest::newRow("class") << R"({"class_name": "Graph", "config": {}})"
                               << "model.format";
        QTest::newRow("no config") << R"({"class_name": "Sequential"})"
                                   << "model.format";
        QTest::newRow("no layers") << R"({"class_name": "Sequential", "config": {"name": "x"}})"
                                   << "model.format";
        QTest::newRow("layer is a number") << R"({"class_name": "Sequential", "config": [3]})"
                                           << "model.format";
        QTest::newRow("layer without config") << R"({"class_name": "Sequential", "config": [{"class_name": "Dense"}]})"
                                              << "model.format";
        QTest::newRow("names")
            << R"({"class_name": "Sequential", "config": [{"class_name": "Flatten", "config": {"name": "f"}}, {"class_name": "Flatten", "config": {"name": "f"}}]})"
            << "model.duplicate-name";
        QTest::newRow("no inputs") << R"({"class_name": "Model", "config": {"layers": [], "output_layers": []}})"
                                   << "model.format";
        QTest::newRow("bad reference")
            << R"({"class_name": "Model", "config": {"layers": [{"class_name": "Flatten", "config": {}, "inbound_nodes": [[[3, 0, 0]]]}], "input_layers": [], "output_layers": []}})"
            << "model.format";
        QTest::newRow("bad index")
            << R"({"class_name": "Model", "config": {"layers": [{"class_name": "Flatten", "config": {}, "inbound_nodes": [[["a", 1e9, 0]]]}], "input_layers": [], "output_layers": []}})"
            << "model.format";
        QTest::newRow("keras 3")
            << R"({"class_name": "Functional", "config": {"layers": [{"class_name": "Flatten", "config": {}, "inbound_nodes": [{"args": [3]}]}], "input_layers": [], "output_layers": []}})"
            << "model.format";
    }
    /// Keras 3 writes calls as arguments and tensors as objects.
    void readsFunctionalModelsOfKeras3()
    {
        auto const tensor = [](char const *layer) {
            return Json{{"class_name", "__keras_tensor__"},
                        {"config", {{"shape", {nullptr, 4}}, {"dtype", "float32"}, {"keras_history", {layer, 0, 0}}}}};
        };
        auto const layer = [](char const *className, char const *name, Json config, Json const &calls) {
            config["name"] = name;
            return Json{
                {"module", "keras.layers"}, {"class_name", className}, {"config", config}, {"registered_name", nullptr}, {"name", name},
                {"inbound_nodes", calls}};
        };
        auto const called = [](Json const &args, Json const &kwargs = Json::object()) {
            return Json::array({Json{{"args", args}, {"kwargs", kwargs}}});
        };
        Json const policy{{"module", "keras"}, {"class_name", "DTypePolicy"}, {"config", {{"name", "float32"}}}};
        Json const model{
            {"module", "keras.src.models.functional"},
            {"class_name", "Functional"},
            {"config",
             {{"name", "functional"},
              {"layers",
               {layer("InputLayer", "in", {{"batch_shape", {nullptr, 5, 4}}, {"dtype", "float32"}}, Json::array()),
                layer("InputLayer", "h", {{"batch_shape", {nullptr, 4}}}, Json::array()),
                layer("Dense", "d", {{"units", 4}, {"dtype", policy}}, called(Json::array({tensor("in")}), {{"training", nullptr}})),
                layer("Add", "a", Json::object(), called(Json::array({Json::array({tensor("in"), tensor("d")})}))),
                layer("MultiHeadAttention", "m", {{"num_heads", 1}, {"key_dim", 2}},
                      called(Json::array({tensor("a"), tensor("d")}),
                             {{"key", tensor("in")}, {"use_causal_mask", false}, {"attention_mask", nullptr}})),
                layer("GRU", "g", {{"units", 4}},
                      called(Json::array({tensor("m")}), {{"initial_state", tensor("h")}, {"mask", nullptr}}))}},
              {"input_layers", {{"in", 0, 0}, {"h", 0, 0}}},
              {"output_layers", {"g", 0, 0}}}}};
        auto const m = parseKerasJson(model.dump());
        QVERIFY2(m.ok(), m.ok() ? "" : toText(m.error()).c_str());
        auto const names = [&](char const *of) {
            std::vector<std::string> all;
            for (auto const &ref : m->find(of)->calls.at(0).inputs) all.push_back(ref.layer);
            return all;
        };
        QCOMPARE(names("a"), (std::vector<std::string>{"in", "d"}));
        QCOMPARE(names("m"), (std::vector<std::string>{"a", "d", "in"}));
        QCOMPARE(names("g"), (std::vector<std::string>{"m", "h"}));
        auto const resolved = resolve(*m);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        // It is written as Keras 2 does, and read back.
        QVERIFY(*parseKerasJson(printKerasJson(*m)) == *m);
    }
    void readsJsonInsideAJsonString()
    {
        auto const m = parseKerasJson(Json(kDense).dump());
        QVERIFY(m.ok());
        QCOMPARE(printKerasJson(*m), std::string(kDense));
        QVERIFY(!parseKerasJson(Json(Json(kDense).dump()).dump()).ok()); // once, not again and again
        QVERIFY(!parseKerasJson("\"no JSON\"").ok());
    }
    void readsPenaltiesOfZeroAndActivationsThatAreLayers()
    {
        auto const with = [](char const *key, Json const &value) {
            auto json = Json::parse(kDense);
            json["config"]["layers"][1]["config"][key] = value;
            auto const m = parseKerasJson(json.dump());
            return m.ok() ? resolve(*m) : Result<ResolvedModel>(m.error());
        };
        auto const penalty = [](char const *name, Json const &config) { return Json{{"class_name", name}, {"config", config}}; };
        for (auto const &none : {penalty("L1L2", {{"l1", 0.0}, {"l2", 0.0}}), penalty("L1L2", Json::object()), penalty("L2", {{"l2", 0}}),
                                 penalty("L1", {{"l1", 0.0}})}) {
            auto const model = with("kernel_regularizer", none);
            QVERIFY2(model.ok(), model.ok() ? "" : toText(model.error()).c_str());
            QVERIFY(!model->layers[1].weights[0].regularizer); // kept in the file, but no penalty
            QVERIFY(!model->layers[1].layer.isNull("kernel_regularizer"));
        }
        for (auto const &some : {penalty("L1L2", {{"l1", 0.0}, {"l2", 0.1}}), penalty("L2", Json::object()), Json("l1")})
            QVERIFY(with("kernel_regularizer", some)->layers[1].weights[0].regularizer);
        QCOMPARE(with("kernel_regularizer", penalty("L3", {{"l3", 0.0}})).error().code, std::string("model.unknown-regularizer"));

        auto const leaky =
            with("activation", {{"class_name", "LeakyReLU"}, {"config", {{"name", "leaky"}, {"trainable", true}, {"alpha", 0.1}}}});
        QVERIFY2(leaky.ok(), leaky.ok() ? "" : toText(leaky.error()).c_str());
        auto const activation = leaky->layers[1].spec->activation(leaky->layers[1].layer);
        QCOMPARE(activation.name, std::string("leaky_relu"));
        QCOMPARE(activation.alpha, 0.1);
        auto const named = with("activation", {{"module", "builtins"}, {"class_name", "function"}, {"config", "gelu"}});
        QVERIFY(named.ok());
        QCOMPARE(named->layers[1].layer.text("activation"), std::string("gelu"));
        QCOMPARE(with("activation", {{"class_name", "Dense"}, {"config", {{"units", 3}}}}).error().code, std::string("model.unsupported"));
        QCOMPARE(with("activation", {{"class_name", "LeakyReLU"}, {"config", {{"alpha", "much"}}}}).error().code,
                 std::string("model.bad-argument"));
        QCOMPARE(with("activation", 3).error().code, std::string("model.bad-argument"));
    }
    /// As Keras 2.6 writes them, arguments in its order.
    void writesRegularizersAndConstraintsAsKeras()
    {
        auto json = OrderedJson::parse(kDense);
        auto &config = json["config"]["layers"][1]["config"];
        config["kernel_regularizer"] = OrderedJson::parse(R"({"class_name": "L1L2", "config": {"l1": 0.5, "l2": 0.25}})");
        config["activity_regularizer"] = OrderedJson::parse(R"({"class_name": "L2", "config": {"l2": 0.125}})");
        config["kernel_constraint"] =
            OrderedJson::parse(R"({"class_name": "MinMaxNorm", "config": {"min_value": 0.5, "max_value": 1.0, "rate": 0.5, "axis": 0}})");
        config["bias_constraint"] = OrderedJson::parse(R"({"class_name": "NonNeg", "config": {}})");
        auto const text = pythonText(json);
        auto const m = parseKerasJson(text);
        QVERIFY2(m.ok(), m.ok() ? "" : toText(m.error()).c_str());
        QVERIFY(resolve(*m).ok());
        QCOMPARE(printKerasJson(*m), text);
    }
    void closesOpenAxesOfInputs()
    {
        auto const open = [] {
            return *parseKerasJson(
                R"({"class_name": "Sequential", "config": {"name": "s", "layers": [{"class_name": "InputLayer", "config": {"batch_input_shape": [null, null, null, 3], "name": "image"}}, {"class_name": "Conv2D", "config": {"filters": 2, "kernel_size": 3}}]}})");
        };
        QCOMPARE(resolve(open()).error().code, std::string("model.dynamic-shape"));
        auto both = open(), each = open();
        QVERIFY(closeInput(both, "image", {8}).ok());
        QCOMPARE(resolve(both)->calls.at(0).shape, (Shape{-1, 8, 8, 3}));
        QVERIFY(closeInput(each, "image", {8, 6}).ok());
        QCOMPARE(resolve(each)->calls.at(0).shape, (Shape{-1, 8, 6, 3}));
        QCOMPARE(closeInput(each, "image", {8}).error().code, std::string("model.no-open-axis"));
        auto again = open();
        QCOMPARE(closeInput(again, "image", {1, 2, 3}).error().code, std::string("model.no-open-axis"));
        auto const unknown = closeInput(again, "picture", {8}).error();
        QCOMPARE(unknown.code, std::string("model.no-layer"));
        QVERIFY(unknown.remedy.find("image") != std::string::npos);
    }
    void saysWhatIsWrongWithTheForm()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        auto const m = parseKerasJson(text.toStdString());
        QVERIFY(!m.ok());
        QCOMPARE(m.error().code, code.toStdString());
        QVERIFY(m.error().kind == ErrorKind::Invalid);
    }
    void theTemplateIsTheTutorialsModel()
    {
        auto const t = findTemplate("mnist-mlp");
        QVERIFY(t.ok());
        auto const r = resolve(t->model());
        QVERIFY(r.ok());
        QCOMPARE(r->parameters(), std::int64_t{235146});
        QCOMPARE(r->layers[0].layer.name, std::string("flatten_input"));
        QVERIFY(*parseKerasJson(printKerasJson(t->model())) == t->model());
        QVERIFY(checkTrainingPlan(t->plan(), *r).ok());
        QVERIFY(usesLogits(*r, t->plan().losses[0]));
        QVERIFY(findTemplate("mnist-mpl").error().remedy.find("mnist-mlp") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstKerasJson);
#include "tst_keras_json.moc"
