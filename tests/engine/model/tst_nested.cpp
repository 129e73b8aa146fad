#include "engine/model/keras_json.h"
#include "engine/model/nested.h"
#include "engine/model/resolve.h"
#include "engine/model/summary.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::model;

namespace {

Json dense(char const *name, int units) { return {{"class_name", "Dense"}, {"config", {{"name", name}, {"units", units}}}}; }

Json input(char const *name, int size)
{
    return {{"class_name", "InputLayer"},
            {"config", {{"name", name}, {"batch_input_shape", {nullptr, size}}}},
            {"name", name},
            {"inbound_nodes", Json::array()}};
}

Json called(Json layer, std::vector<Json> const &calls)
{
    layer["name"] = layer["config"]["name"];
    layer["inbound_nodes"] = calls;
    return layer;
}

Json call(std::vector<std::pair<std::string, int>> const &inputs)
{
    Json node = Json::array();
    for (auto const &[layer, number] : inputs) node.push_back(Json::array({layer, number, 0, Json::object()}));
    return node;
}

Json sequential(char const *name, std::vector<Json> const &layers)
{
    return {{"class_name", "Sequential"}, {"config", {{"name", name}, {"layers", layers}}}};
}

Json functional(char const *name, std::vector<Json> const &layers, Json const &inputs, Json const &outputs)
{
    return {{"class_name", "Functional"},
            {"config", {{"name", name}, {"layers", layers}, {"input_layers", inputs}, {"output_layers", outputs}}}};
}

Model read(Json const &json)
{
    auto model = modelFromKeras(json, "test");
    if (!model.ok()) qFatal("%s", toText(model.error()).c_str());
    return *model;
}

/// "e0: x; g0: e1" — every layer with what feeds it, call by call, numbered from the second call on.
std::string wiring(Model const &model)
{
    std::string text;
    for (auto const &layer : model.layers) {
        if (layer.className == "InputLayer") continue;
        if (!text.empty()) text += "; ";
        text += layer.name + ":";
        for (std::size_t c = 0; c < layer.calls.size(); ++c) {
            text += c ? " |" : "";
            for (auto const &ref : layer.calls[c].inputs) text += " " + ref.layer + (ref.node ? "#" + std::to_string(ref.node) : "");
        }
    }
    return text;
}

} // namespace

/// Models used as layers: what Keras's own form says of them, unfolded into layers that every stage knows.
class TstNested : public QObject {
    Q_OBJECT
private slots:
    void modelsInAModelBecomeItsLayers()
    {
        auto const encoder = sequential("encoder", {input("e_in", 8), dense("e0", 6), dense("e1", 3)});
        auto const decoder = sequential("decoder", {input("d_in", 3), dense("g0", 8)});
        auto const model =
            read(functional("auto", {input("x", 8), called(encoder, {call({{"x", 0}})}), called(decoder, {call({{"encoder", 1}})})},
                            {{"x", 0, 0}}, {{"decoder", 1, 0}}));
        QCOMPARE(QString::fromStdString(wiring(model)), QString("e0: x; e1: e0; g0: e1"));
        QCOMPARE(model.outputs, (std::vector<TensorRef>{{"g0", 0, 0}}));
        auto const resolved = resolve(model);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        QCOMPARE(resolved->parameters(), std::int64_t{8 * 6 + 6 + 6 * 3 + 3 + 3 * 8 + 8});
        // Keras's summary has the models; so can ours, and what is saved keeps where a layer came from.
        auto const again = modelFromKeras(Json(modelToKeras(model)), "again");
        QVERIFY(again.ok() && *again == model);
        auto const summary = summarize(*resolve(*again));
        QCOMPARE(summary.models.size(), std::size_t(2));
        QCOMPARE(summary.models[0].name + " " + summary.models[0].type, std::string("encoder Sequential"));
        QCOMPARE(summary.models[0].parameters, std::int64_t{75});
        QCOMPARE(summary.models[0].outputShape, (Shape{-1, 3}));
        QVERIFY(summaryText(summary).find("encoder/e1 (Dense)") != std::string::npos);
    }
    void aModelCalledTwiceSharesItsWeights_data()
    {
        QTest::addColumn<int>("first");
        QTest::newRow("counted as Keras does") << 1;
        QTest::newRow("built by its first call") << 0;
    }
    void aModelCalledTwiceSharesItsWeights()
    {
        QFETCH(int, first);
        auto const tower = sequential("tower", {dense("t0", 4), dense("t1", 4)});
        Json add = {{"class_name", "Add"}, {"config", {{"name", "sum"}}}};
        auto const model = read(functional("twins",
                                           {input("a", 4), input("b", 4), called(tower, {call({{"a", 0}}), call({{"b", 0}})}),
                                            called(add, {call({{"tower", first}, {"tower", first + 1}})})},
                                           {{"a", 0, 0}, {"b", 0, 0}}, {{"sum", 0, 0}}));
        QCOMPARE(QString::fromStdString(wiring(model)), QString("t0: a | b; t1: t0 | t0#1; sum: t1 t1#1"));
        QCOMPARE(resolve(model)->parameters(), std::int64_t{2 * 20});
    }
    void branchesAndSharedLayersInsideKeepTheirCalls()
    {
        // inside: y = f(f(in)) + in, and the model is called on its own output
        Json add = {{"class_name", "Add"}, {"config", {{"name", "sum"}}}};
        auto const block = functional(
            "block",
            {input("in", 4), called(dense("f", 4), {call({{"in", 0}}), call({{"f", 0}})}), called(add, {call({{"f", 1}, {"in", 0}})})},
            {{"in", 0, 0}}, {{"sum", 0, 0}});
        auto const model = read(
            functional("m", {input("x", 4), called(block, {call({{"x", 0}}), call({{"block", 1}})})}, {{"x", 0, 0}}, {{"block", 2, 0}}));
        QCOMPARE(QString::fromStdString(wiring(model)), QString("f: x | f | sum | f#2; sum: f#1 x | f#3 sum"));
        QCOMPARE(model.outputs, (std::vector<TensorRef>{{"sum", 1, 0}}));
        QVERIFY(resolve(model).ok());
    }
    void modelsInsideModelsInside()
    {
        auto const inner = sequential("inner", {dense("i0", 4)});
        auto const middle = sequential("middle", {inner, dense("m0", 4)});
        auto const model = read(sequential("outer", {input("x", 4), middle, dense("o0", 2)}));
        QCOMPARE(QString::fromStdString(wiring(model)), QString("i0: x; m0: i0; o0: m0"));
        QVERIFY(resolve(model).ok());
    }
    void aSequentialThatBeginsWithAModelTakesItsInput()
    {
        auto const block = functional("block", {input("in", 4), called(dense("f", 4), {call({{"in", 0}})})}, {{"in", 0, 0}}, {{"f", 0, 0}});
        auto const model = read(sequential("outer", {block, dense("o0", 2)}));
        QCOMPARE(QString::fromStdString(wiring(model)), QString("f: in; o0: f"));
        QCOMPARE(model.inputs, (std::vector<TensorRef>{{"in", 0, 0}}));
        QVERIFY(resolve(model).ok());
    }
    void aNameThatIsTakenGetsTheModelsInFront()
    {
        auto const left = sequential("left", {dense("dense", 4)}), right = sequential("right", {dense("dense", 4)});
        auto const model = read(sequential("outer", {input("x", 4), left, right}));
        QCOMPARE(QString::fromStdString(wiring(model)), QString("dense: x; right_dense: dense"));
    }
    void aFrozenModelFreezesItsLayers()
    {
        auto frozen = sequential("frozen", {dense("f0", 4)});
        frozen["config"]["trainable"] = false;
        auto const resolved = resolve(read(sequential("outer", {input("x", 4), frozen, dense("o0", 2)})));
        QVERIFY(resolved.ok());
        QCOMPARE(resolved->trainableParameters(), std::int64_t{4 * 2 + 2});
        QCOMPARE(resolved->parameters(), std::int64_t{4 * 4 + 4 + 4 * 2 + 2});
    }
    /// TimeDistributed over a model is each of its layers for each step; merges work on the sequences.
    void modelForEachStepBecomesItsLayersForEachStep()
    {
        auto const frame = functional(
            "frame",
            {input("i", 4), called(dense("a", 4), {call({{"i", 0}})}),
             called({{"class_name", "Add"}, {"config", {{"name", "sum"}}}}, {call({{"i", 0}, {"a", 0}})}),
             called({{"class_name", "Concatenate"}, {"config", {{"name", "both"}, {"axis", 1}}}}, {call({{"sum", 0}, {"a", 0}})}),
             called(dense("b", 2), {call({{"both", 0}})})},
            Json::array({Json::array({"i", 0, 0})}), Json::array({Json::array({"b", 0, 0})}));
        Json const wrapper{{"class_name", "TimeDistributed"},
                           {"config", {{"name", "td"}, {"layer", frame}, {"batch_input_shape", {nullptr, 7, 4}}}}};
        auto const model = read(sequential("outer", {wrapper, {{"class_name", "LSTM"}, {"config", {{"name", "l"}, {"units", 3}}}}}));
        auto const resolved = resolve(model);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        QCOMPARE(model.find("a")->className, std::string("TimeDistributed"));
        QCOMPARE(model.find("sum")->className, std::string("Add"));
        QCOMPARE(model.find("both")->integer("axis"), std::int64_t(2));
        QCOMPARE(resolved->parameters(), std::int64_t(4 * 4 + 4 + 8 * 2 + 2 + 4 * 3 * (2 + 3 + 1)));
        QCOMPARE(resolved->calls[resolved->layers.back().calls[0]].shape, (Shape{-1, 3}));
        for (auto const &call : resolved->calls)
            if (resolved->layers[call.layer].layer.name == "b") QCOMPARE(call.shape, (Shape{-1, 7, 2}));
        QVERIFY(modelFromKeras(Json(modelToKeras(model)), "again").ok());
        // Merges of different ranks would meet the wrong axes.
        auto other = frame;
        other["config"]["layers"][0]["config"]["batch_input_shape"] = {nullptr, 7, 4};
        other["config"]["layers"].insert(
            other["config"]["layers"].begin() + 2,
            called({{"class_name", "GlobalAveragePooling1D"}, {"config", {{"name", "gap"}}}}, {call({{"a", 0}})}));
        other["config"]["layers"][3]["inbound_nodes"] = Json::array({call({{"i", 0}, {"gap", 0}})});
        other["config"]["layers"].erase(other["config"]["layers"].begin() + 4);
        other["config"]["layers"][4]["inbound_nodes"] = Json::array({call({{"sum", 0}})});
        auto wide = wrapper;
        wide["config"]["layer"] = other;
        wide["config"]["batch_input_shape"] = {nullptr, 7, 7, 4};
        auto const refused = modelFromKeras(sequential("outer", {wide}), "test");
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("model.unsupported"));
    }
    void aModelThatOnlyHandsOnIsNoLayer()
    {
        auto const through = functional("through", {input("in", 4)}, {{"in", 0, 0}}, {{"in", 0, 0}});
        auto const model =
            read(functional("m", {input("x", 4), called(through, {call({{"x", 0}})}), called(dense("d", 2), {call({{"through", 1}})})},
                            {{"x", 0, 0}}, {{"d", 0, 0}}));
        QCOMPARE(QString::fromStdString(wiring(model)), QString("d: x"));
    }
    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("code");
        QTest::newRow("too many inputs") << "inputs"
                                         << "model.not-connected";
        QTest::newRow("a call that is not there") << "call"
                                                  << "model.not-connected";
        QTest::newRow("an output that is not there") << "output"
                                                     << "model.not-connected";
        QTest::newRow("a cycle of empty models") << "cycle"
                                                 << "model.cycle";
        QTest::newRow("far too many calls") << "explosion"
                                            << "model.too-large";
        QTest::newRow("no list inside") << "list"
                                        << "model.format";
    }
    void whatIsWrongIsSaid()
    {
        QFETCH(QString, what);
        QFETCH(QString, code);
        auto inside = sequential("inside", {dense("i", 4)});
        auto through = functional("through", {input("in", 4)}, {{"in", 0, 0}}, {{"in", 0, 0}});
        Json json;
        if (what == "inputs")
            json = functional("m", {input("x", 4), called(inside, {call({{"x", 0}, {"x", 0}})})}, {{"x", 0, 0}}, {{"inside", 1, 0}});
        if (what == "call") json = functional("m", {input("x", 4), called(inside, {call({{"x", 0}})})}, {{"x", 0, 0}}, {{"inside", 3, 0}});
        if (what == "output")
            json = functional("m", {input("x", 4), called(inside, {call({{"x", 0}})})}, {{"x", 0, 0}}, {{"inside", 1, 2}});
        if (what == "cycle")
            json = functional("m", {input("x", 4), called(through, {call({{"through", 1}})})}, {{"x", 0, 0}}, {{"through", 1, 0}});
        if (what == "list") {
            inside["config"]["layers"] = 7;
            json = sequential("m", {input("x", 4), inside});
        }
        if (what == "explosion") {
            // Each level calls the one below twice.
            json = sequential("level0", {dense("d", 4)});
            for (int level = 1; level < 40; ++level) {
                auto const below = std::string(json["config"]["name"]);
                auto const name = "level" + std::to_string(level);
                json = functional(name.c_str(), {input("in", 4), called(json, {call({{"in", 0}}), call({{below, 1}})})}, {{"in", 0, 0}},
                                  {{below, 2, 0}});
            }
        }
        auto const model = modelFromKeras(json, "test");
        QVERIFY(!model.ok());
        QCOMPARE(QString::fromStdString(model.error().code), code);
    }
};

TW_REGISTER_TEST(TstNested);
#include "tst_nested.moc"
