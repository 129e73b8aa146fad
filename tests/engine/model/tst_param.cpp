#include "engine/model/activations.h"
#include "engine/model/layer_spec.h"
#include "engine/model/model.h"
#include "engine/model/param.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::model;

class TstParam : public QObject {
    Q_OBJECT
private slots:
    void derivesNamesAsKerasDoes()
    {
        QCOMPARE(snakeCase("Dense"), std::string("dense"));
        QCOMPARE(snakeCase("LeakyReLU"), std::string("leaky_re_lu"));
        QCOMPARE(snakeCase("ReLU"), std::string("re_lu"));
        QCOMPARE(snakeCase("PReLU"), std::string("p_re_lu"));
        QCOMPARE(snakeCase("ELU"), std::string("elu"));
        QCOMPARE(snakeCase("Conv2D"), std::string("conv2d"));
        QCOMPARE(snakeCase("MaxPooling2D"), std::string("max_pooling2d"));
        QCOMPARE(snakeCase("GlobalAveragePooling1D"), std::string("global_average_pooling1d"));
        QCOMPARE(snakeCase(""), std::string());
    }
    void numbersAutomaticNames()
    {
        Model m;
        QCOMPARE(uniqueLayerName(m, "Dense"), std::string("dense"));
        m.layers.push_back(makeLayer("Dense", "dense", Json{{"units", 1}}));
        QCOMPARE(uniqueLayerName(m, "Dense"), std::string("dense_1"));
        QCOMPARE(uniqueLayerName(m, "InputLayer"), std::string("input_1"));
    }
    void everyDefaultIsAValueOfItsOwnParameter()
    {
        for (auto const &spec : builtinLayers()) {
            QVERIFY2(!spec.help.empty() && !spec.category.empty(), spec.className.c_str());
            QVERIFY2(spec.outputShape, spec.className.c_str());
            for (auto const &param : layerParams(spec)) {
                QVERIFY2(!param.help.empty(), param.name.c_str());
                if (param.required) continue;
                Json const value = defaultOf(param);
                if (value.is_null()) {
                    QVERIFY2(param.nullable || param.type == ParamType::Regularizer || param.type == ParamType::Constraint,
                             (spec.className + "." + param.name).c_str());
                    continue;
                }
                auto const normal = normalizeParam(param, value, "default");
                QVERIFY2(normal.ok() && *normal == value, (spec.className + "." + param.name).c_str());
            }
        }
    }
    void convertsAndRefusesValues()
    {
        ParamInfo const units{.name = "units", .type = ParamType::Int, .min = 1, .max = 100, .required = true};
        QVERIFY(*normalizeParam(units, Json(3.0), "x") == Json(3));
        QVERIFY(!normalizeParam(units, Json(3.5), "x").ok());
        QVERIFY(!normalizeParam(units, Json(0), "x").ok());
        QVERIFY(!normalizeParam(units, Json("3"), "x").ok());
        QVERIFY(!normalizeParam(units, Json(nullptr), "x").ok());
        QVERIFY(!normalizeParam(units, Json(18446744073709551615ull), "x").ok());
        auto const error = normalizeParam(units, Json(-4), "dense_1").error();
        QCOMPARE(error.code, std::string("model.bad-argument"));
        QCOMPARE(error.subject, std::string("dense_1"));
        QVERIFY(error.message.find("-4") != std::string::npos);
    }
    void pairsComeInThreeForms()
    {
        ParamInfo cropping{.name = "cropping", .type = ParamType::IntList, .min = 0};
        cropping.pairs = true;
        cropping.length = 2;
        auto const is = [&](Json const &given, Json const &wanted) {
            auto const got = normalizeParam(cropping, given, "x");
            return got.ok() && *got == wanted;
        };
        QVERIFY(is(3, Json::parse("[[3, 3], [3, 3]]")));
        QVERIFY(is(Json::parse("[1, 2]"), Json::parse("[[1, 1], [2, 2]]")));
        QVERIFY(is(Json::parse("[[1, 2.0], [0, 4]]"), Json::parse("[[1, 2], [0, 4]]")));
        QVERIFY(is(Json::parse("[[1, 2], 7]"), Json::parse("[[1, 2], [7, 7]]")));
        for (auto const *wrong : {"[1]", "[1, 2, 3]", "[[1, 2]]", "[[1, 2, 3], [1, 2]]", "-1", "\"1\"", "[[1, -2], [0, 0]]", "null", "1.5"})
            QVERIFY2(!normalizeParam(cropping, Json::parse(wrong), "x").ok(), wrong);
    }
    void readsTypedText()
    {
        ParamInfo const list{.name = "target_shape", .type = ParamType::IntList};
        QVERIFY(valueFromText(list, "(3, 4)") == Json::array({3, 4}));
        QVERIFY(valueFromText(list, "[3,4]") == Json::array({3, 4}));
        QVERIFY(valueFromText(list, "7,") == Json::array({7}));
        QVERIFY(valueFromText(list, "3 4") == Json::array({3, 4}));
        QVERIFY(valueFromText(list, "3x4") == Json::array({3, 4}));
        QVERIFY(valueFromText(list, "3 x four") == Json("3 x four"));
        ParamInfo shape;
        shape.name = "batch_input_shape";
        shape.type = ParamType::Shape;
        for (auto const *typed : {"28 28", "28x28", "28 \u00D7 28", "28, 28"})
            QVERIFY2(valueFromText(shape, typed) == Json::array({nullptr, 28, 28}), typed);
        QVERIFY(valueFromText(shape, "784") == Json::array({nullptr, 784}));
        QVERIFY(valueFromText(shape, "(None, 784)") == Json::array({nullptr, 784}));
        QVERIFY(valueFromText(shape, "[16, 784]") == Json::array({16, 784}));
        ParamInfo const text{.name = "name", .type = ParamType::Text};
        QVERIFY(valueFromText(text, "12") == Json("12"));
        ParamInfo const flag{.name = "use_bias", .type = ParamType::Bool};
        QVERIFY(valueFromText(flag, "False") == Json(false));
        QVERIFY(valueFromText(flag, "None").is_null());
    }
    void refusesHostileJson()
    {
        QVERIFY(!parseJson(std::string(100000, '['), "x").ok());
        QVERIFY(!parseJson("", "x").ok());
        QVERIFY(!parseJson("{\"a\": 1e999}", "x").ok());
        QVERIFY(!parseJson("\"\xff\"", "x").ok());
        QVERIFY(!parseJson("[1] trailing", "x").ok());
        auto const error = parseJson("{\"a\": }", "model.json").error();
        QCOMPARE(error.code, std::string("model.json"));
        QVERIFY(error.subject.find("byte") != std::string::npos);
        QVERIFY(parseJson("\"[[[{{{\"", "x").ok());
    }
    void writesAsPythonDoes()
    {
        auto const value = OrderedJson::parse("{\"b\": [1, 2.0, 1e-07, null, true], \"a\": \"\\u00e4\\\"\"}");
        QCOMPARE(pythonText(value), std::string("{\"b\": [1, 2.0, 1e-07, null, true], \"a\": \"\\u00e4\\\"\"}"));
    }
    void supportsActivationsAndTheirAliases()
    {
        QCOMPARE(activationNamed("silu")->name, std::string("swish"));
        QCOMPARE(activationNamed("leaky_relu")->alpha, 0.2);
        QCOMPARE(activationNamed("relu6")->maxValue, 6.0);
        auto const error = activationNamed("sigmoide").error();
        QCOMPARE(error.code, std::string("model.unknown-activation"));
        QVERIFY(error.remedy.find("'sigmoid'") != std::string::npos);
    }
    void editsFieldsByPath()
    {
        Model m;
        m.layers.push_back(makeInput("in", {4}));
        m.layers.push_back(makeLayer("Dense", "my.dense", Json{{"units", 3}}));
        QCOMPARE(*modelField(m, "layers.my.dense.units"), std::string("3"));
        QCOMPARE(*modelField(m, "layers.my.dense.activation"), std::string("linear"));
        QCOMPARE(*modelField(m, "layers.in.batch_input_shape"), std::string("[null, 4]"));
        auto const wider = withModelField(m, "layers.my.dense.units", "7");
        QVERIFY(wider.ok());
        QCOMPARE(*modelField(*wider, "layers.my.dense.units"), std::string("7"));
        QVERIFY(withModelField(m, "layers.my.dense.activation", "silu")->layers[1].text("activation") == "swish");
        QCOMPARE(withModelField(m, "layers.my.dense.stage", "1")->layers[1].stage, 1);
        QVERIFY(withModelField(m, "layers.my.dense.name", "d")->find("d"));
        QCOMPARE(withModelField(m, "layers.my.dense.name", "in").error().code, std::string("model.duplicate-name"));
        QVERIFY(withModelField(m, "layers.my.dense.unit", "7").error().remedy.find("'units'") != std::string::npos);
        QVERIFY(modelField(m, "layers.my.dens.units").error().code == "model.no-layer");
        QCOMPARE(withModelField(m, "layers.my.dense.units", "-7").error().code, std::string("model.bad-argument"));
        QCOMPARE(withModelField(m, "layers.in.batch_input_shape", "[null, 0]").error().code, std::string("model.bad-argument"));
        QVERIFY(withModelField(m, "layers.in.batch_input_shape", "(None, 8)")->layers[0].config["batch_input_shape"]
                == Json::array({nullptr, 8}));
        QVERIFY(withModelField(m, "layers.in.batch_input_shape", "[null, 8]").ok());
    }
};

TW_REGISTER_TEST(TstParam);
#include "tst_param.moc"
