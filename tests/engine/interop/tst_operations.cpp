// Operations that stand as layers in a file become layers with the same values, or stay.
#include "engine/interop/operations.h"
#include "engine/interop/completion.h"
#include "engine/interop/import.h"
#include "engine/model/placeholder.h"
#include "engine/model/resolve.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <fstream>

using namespace tilewright;
using namespace tilewright::interop;
using model::Json;

namespace {

Json documentWith(Json layer)
{
    Json const in{{"class_name", "InputLayer"},
                  {"name", "in"},
                  {"config", {{"name", "in"}, {"batch_input_shape", {nullptr, 2, 3}}}},
                  {"inbound_nodes", Json::array()}};
    layer["name"] = "op";
    layer["config"]["name"] = "op";
    return {{"class_name", "Functional"},
            {"config", {{"name", "m"}, {"layers", {in, layer}}, {"input_layers", {{"in", 0, 0}}}, {"output_layers", {{"op", 0, 0}}}}}};
}

Json lambda(char const *function, Json call)
{
    return documentWith(
        {{"class_name", "TFOpLambda"}, {"config", {{"function", function}, {"dtype", "float32"}}}, {"inbound_nodes", {std::move(call)}}});
}

Json graphOp(char const *op, Json constants, int tensors = 1)
{
    Json call = Json::array();
    for (int i = 0; i < tensors; ++i) call.push_back({"in", 0, 0, Json::object()});
    return documentWith({{"class_name", "TensorFlowOpLayer"},
                         {"config", {{"node_def", {{"op", op}}}, {"constants", std::move(constants)}}},
                         {"inbound_nodes", {std::move(call)}}});
}

Json keras3(char const *className, Json args)
{
    for (auto &arg : args)
        if (arg == "in")
            arg = {{"class_name", "__keras_tensor__"}, {"config", {{"shape", {nullptr, 2, 3}}, {"keras_history", {"in", 0, 0}}}}};
    return documentWith({{"class_name", className},
                         {"module", "keras.src.ops.numpy"},
                         {"config", Json::object()},
                         {"inbound_nodes", {{{"args", std::move(args)}, {"kwargs", Json::object()}}}}});
}

} // namespace

class TstOperations : public QObject {
    Q_OBJECT
private slots:
    void becomeLayers_data()
    {
        QTest::addColumn<QString>("document");
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("argument");
        auto const row = [](char const *name, Json const &document, char const *className, char const *argument = "") {
            QTest::newRow(name) << QString::fromStdString(document.dump()) << className << argument;
        };
        row("a tensor times a number", lambda("math.multiply", {"in", 0, 0, {{"y", 2.5}, {"name", nullptr}}}), "Lambda", "x * (2.5)");
        row("two tensors", lambda("math.multiply", {"in", 0, 0, {{"y", {"in", 0, 0}}}}), "Multiply");
        row("a number minus a tensor", lambda("math.subtract", {"_CONSTANT_VALUE", -1, 1, {{"y", {"in", 0, 0}}}}), "Lambda", "(1) - x");
        row("an operator", lambda("__operators__.add", {"in", 0, 0, {{"y", -3}}}), "Lambda", "x + (-3)");
        row("a quotient of tensors", lambda("math.truediv", {"in", 0, 0, {{"y", {"in", 0, 0}}}}), "Lambda", "x / x2");
        row("a power", lambda("math.pow", {"in", 0, 0, {{"y", 3}}}), "Lambda", "x ** (3)");
        row("relu", lambda("nn.relu", {{"in", 0, 0, Json::object()}}), "Activation", "relu");
        row("reshape", lambda("reshape", {"in", 0, 0, {{"shape", {-1, 6}}}}), "Reshape", "[6]");
        row("transpose", lambda("transpose", {"in", 0, 0, {{"perm", {0, 2, 1}}}}), "Permute", "[2,1]");
        row("concat", lambda("concat", {{"in", 0, 0, {{"axis", -1}}}, {"in", 0, 0, {{"axis", -1}}}}), "Concatenate", "-1");
        row("cast", lambda("cast", {"in", 0, 0, {{"dtype", "float32"}}}), "Activation", "linear");
        row("clip", lambda("clip_by_value", {"in", 0, 0, {{"clip_value_min", 0}, {"clip_value_max", 6}}}), "Lambda", "min(max(x, 0), 6)");
        row("a graph's Reshape", graphOp("Reshape", {{"1", {-1, 6}}}), "Reshape", "[6]");
        row("a graph's AddV2", graphOp("AddV2", Json::object(), 2), "Add");
        row("a graph's Sub from a number", graphOp("Sub", {{"0", 1.0}}), "Lambda", "(1) - x");
        row("a graph's Tanh", graphOp("Tanh", Json::object()), "Activation", "tanh");
        row("Keras 3 multiplies", keras3("Multiply", {"in", 0.5}), "Lambda", "x * (0.5)");
        row("Keras 3 divides", keras3("TrueDivide", {"in", "in"}), "Lambda", "x / x2");
        // What would have other values, or is not known, stays.
        row("other types", lambda("cast", {"in", 0, 0, {{"dtype", "int32"}}}), "Placeholder");
        row("a shape with the batch", lambda("reshape", {"in", 0, 0, {{"shape", {4, 3}}}}), "Placeholder");
        row("a moved batch", lambda("transpose", {"in", 0, 0, {{"perm", {1, 0, 2}}}}), "Placeholder");
        row("a constant tensor", lambda("math.add", {"in", 0, 0, {{"y", {1, 2, 3}}}}), "Placeholder");
        row("concat of the batch", lambda("concat", {{"in", 0, 0, {{"axis", 0}}}, {"in", 0, 0, {{"axis", 0}}}}), "Placeholder");
        row("an unknown function", lambda("image.resize", {"in", 0, 0, {{"size", {4, 4}}}}), "Placeholder");
        row("an argument that counts", lambda("nn.relu", {"in", 0, 0, {{"alpha", 2}}}), "Placeholder");
        row("a graph's MatMul", graphOp("MatMul", Json::object(), 2), "Placeholder");
        row("a constant too far", graphOp("Add", {{"70", 2.0}}), "Placeholder");
    }
    void becomeLayers()
    {
        QFETCH(QString, document);
        QFETCH(QString, className);
        QFETCH(QString, argument);
        QTemporaryDir folder;
        auto const path = (folder.path() + "/m.json").toStdString();
        std::ofstream(path) << document.toStdString();
        auto imported = importModel(path, {});
        QVERIFY2(imported.ok(), imported.ok() ? "" : toText(imported.error()).c_str());
        QVERIFY(complete(*imported, {}, {}).ok());
        auto const *layer = imported->project.model.find("op");
        QCOMPARE(QString::fromStdString(layer->className), className);
        if (className == "Placeholder") return;
        auto const resolved = model::resolve(imported->project.model);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        for (auto const *key : {"expression", "activation", "target_shape", "dims", "axis"})
            if (layer->config.contains(key)) {
                auto const &value = layer->config[key];
                QCOMPARE(QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump()), argument);
            }
    }
    void damagedOperationsAreLeftAlone()
    {
        for (
            auto const *text :
            {"3", "{}", R"({"config": 3})", R"({"config": {"layers": 7}})", R"({"config": {"layers": [3, {"class_name": "TFOpLambda"}]}})",
             R"({"config": {"layers": [{"class_name": "TFOpLambda", "config": {}, "inbound_nodes": [[]]}]}})",
             R"({"config": {"layers": [{"class_name": "TFOpLambda", "config": {"function": 3}, "inbound_nodes": [["a"]]}]}})",
             R"({"config": {"layers": [{"class_name": "TensorFlowOpLayer", "config": {"node_def": 3}, "inbound_nodes": [3]}]}})",
             R"({"config": {"layers": [{"class_name": "TensorFlowOpLayer", "config": {"node_def": {"op": "Add"}, "constants": {"x": 1}}, "inbound_nodes": [[["a", 0, 0]]]}]}})",
             R"({"config": {"layers": [{"class_name": "TensorFlowOpLayer", "config": {"node_def": {"op": "Reshape"}, "constants": {}}, "inbound_nodes": [[]]}]}})",
             R"({"config": {"layers": [{"class_name": "Add", "module": "keras.ops", "config": {}, "inbound_nodes": [{"args": {}}]}]}})"}) {
            auto document = Json::parse(text);
            auto const before = document;
            replaceOperations(document);
            QVERIFY2(document == before, text);
        }
    }
};

TW_REGISTER_TEST(TstOperations);
#include "tst_operations.moc"
