#include "tests/engine/cost/cost_test_tools.h"
#include "tests/engine/program/codelet_cases.h"
#include "tests/support/test_registry.h"

#include "engine/core/random.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::cost;
using namespace tilewright::program;

/// The prices of a codelet by name and sizes equal those of a compile.
class TstCodeletPrices : public QObject {
    Q_OBJECT

    /// Values that any codelet accepts, for parameters without a default.
    static ParamMap plausible(Codelet const &codelet)
    {
        ParamMap given;
        for (CostParam const &param : codelet.description->params) {
            if (!param.defaultText.empty()) continue;
            switch (param.kind) {
            case ParamKind::Integer: given[param.name] = "48"; break;
            case ParamKind::IntegerList: given[param.name] = "48,16"; break;
            case ParamKind::Type: given[param.name] = "f32"; break;
            case ParamKind::Choice: given[param.name] = param.choices.empty() ? "add,relu" : param.choices.front(); break;
            case ParamKind::Flag: given[param.name] = "1"; break;
            }
        }
        // The operations first in the alphabet exist for floats only or for integers only.
        if (given.contains("op") && codelet.name.starts_with("Unary")) given["op"] = "exp";
        return given;
    }
    static char const *nameOf(Codelet const &codelet) { return codelet.name.c_str(); }

private slots:
    void everyCodeletIsCompleteAndComputes()
    {
        std::set<std::string> names;
        for (Codelet const &codelet : builtinCodelets()) {
            QVERIFY2(codelet.description, nameOf(codelet));
            auto const &d = *codelet.description;
            QVERIFY2(names.insert(codelet.name).second, nameOf(codelet));
            QVERIFY2(d.library.empty() || d.library.substr(d.library.rfind(':') + 1) == codelet.name || names.insert(d.library).second,
                     nameOf(codelet));
            QVERIFY2(!d.family.empty() && !d.title.empty() && !d.source.empty(), nameOf(codelet));
            for (CostParam const &param : d.params) QVERIFY2(!param.help.empty(), nameOf(codelet));
            auto const price = priceVertex(codelet, plausible(codelet), tests::chip());
            QVERIFY2(price.ok(), price.ok() ? "" : (codelet.name + ": " + toText(price.error())).c_str());
            QVERIFY2(price->cycles > 0, nameOf(codelet));
            bool const isMachine = d.library == "poplar::ExchangeReceive" || d.library == "poplar::ExternalSync";
            QVERIFY2(isMachine || (price->codeBytes >= 60 && price->codeBytes <= 6 * 1024), nameOf(codelet));
            QVERIFY2(isMachine || price->stateBytes >= 8, nameOf(codelet));
        }
        QVERIFY(names.size() >= 100);
    }
    /// There was a second table once, in which a product's vertex had 1,160 bytes of code and a compile's 960.
    void verticesAreCompiledAtTheirPrice_data()
    {
        QTest::addColumn<QString>("codelet");
        QTest::addColumn<QString>("given");
        for (Codelet const &codelet : builtinCodelets())
            if (codelet.run && codelet.name != "Map" && codelet.name != "Update")
                QTest::newRow(nameOf(codelet)) << QString::fromStdString(codelet.name) << QString();
        auto const row = [](char const *codelet, char const *given) {
            QTest::addRow("%s %s", codelet, given) << QString(codelet) << QString(given);
        };
        row("ConvPartial1x1Out", "in=f32 inGroups=3 outGroups=2 groups=2");
        row("ConvPartialHorizontalMac", "inChans=12 outChans=5 groups=3");
        row("ConvPartialnx1", "rows=5 kernelOuter=3 kernelInner=7 outGroups=2 groups=3");
        row("Copy", "bytes=1000");
        row("Cast", "from=u8 to=f16 n=1000");
        row("Fill", "type=f16 n=77");
        row("MultiSlice", "row=13 offsets=9");
        row("PoolMaxGrad", "type=f32 channels=20 rows=9 inputs=11 items=3 init=99");
        row("StepSize", "schedule=4");
    }
    void verticesAreCompiledAtTheirPrice()
    {
        QFETCH(QString, codelet);
        QFETCH(QString, given);
        // The compile's choice where the library leaves one.
        static std::map<QString, char const *> const kAsCompiled{{"ConvPartialHorizontalMac", "in=f16 partials=f32 specialised=1"},
                                                                 {"ConvPartialnx1", "regroup=1 inGroups=2"},
                                                                 {"ConvPartialVerticalMac", "outputs=1152 kernelWidth=3"},
                                                                 {"ReduceAdd", "singleInput=1 interleaved=1"},
                                                                 {"Dropout", "seeded=1"},
                                                                 {"MultiUpdateAdd", "scaled=0 zeroed=20 inRange=8"},
                                                                 {"EncodeOneHot", "index=i32 zeroed=10"},
                                                                 {"PoolMax", "init=2304 items=4"},
                                                                 {"PoolSum", "init=2304"},
                                                                 {"PoolMaxGrad", "init=2304"},
                                                                 {"PoolMeanGrad", "init=2304"}};
        Codelet const &compiled = *program::findCodelet(codelet.toStdString());
        auto values = plausible(compiled);
        if (auto const it = kAsCompiled.find(codelet); it != kAsCompiled.end())
            for (auto const &[name, value] : tests::params(it->second)) values[name] = value;
        for (auto const &[name, value] : tests::params(given.toStdString())) values[name] = value;
        auto const price = priceVertex(compiled, values, tests::chip());
        QVERIFY2(price.ok(), price.ok() ? "" : toText(price.error()).c_str());
        auto const vertex = compiled.description->vertex(Args(price->params, tests::chip()));
        QCOMPARE(price->tileCycles, compiled.cycles(vertex.shape(), tests::chip()));
        QCOMPARE(price->stateBytes, compiled.stateBytes(vertex.shape()));
        QCOMPARE(price->codeBytes, compiled.codeBytes);
    }
    void mapsAreCompiledAtTheirPrice()
    {
        Codelet const &map = *program::findCodelet("Map");
        auto const price = priceVertex(map, tests::params("ops=add,multiply type=f16 n=1000 operands=2"), tests::chip());
        auto vertex = map.description->vertex(Args(price->params, tests::chip()));
        vertex.expr = "2: add a0 a1; mul t0 a1";
        QCOMPARE(price->tileCycles, map.cycles(vertex.shape(), tests::chip()));
        QCOMPARE(price->stateBytes, map.stateBytes(vertex.shape()));
        QCOMPARE(price->codeBytes, map.generatedCodeBytes(vertex.expr));
    }
    /// State follows the number of fields and constants: they are those of the vertices that compute.
    void verticesHaveTheFieldsOfTheCompiler()
    {
        for (auto const &name : tests::codeletsWithCases()) {
            Codelet const &codelet = *program::findCodelet(name);
            auto values = plausible(codelet);
            if (name == "Map") values["operands"] = "4";
            auto const price = priceVertex(codelet, values, tests::chip());
            auto const vertex = codelet.description->vertex(Args(price->params, tests::chip()));
            RandomStream random(3);
            auto const known = tests::makeCase(name, random);
            QVERIFY2(vertex.fields.size() == known.fields.size(), name.c_str());
            // Sums of float16 have one constant more, windows three for each axis.
            bool const varies = name.starts_with("ConvPartial") || name.starts_with("Pool");
            QVERIFY2(varies || vertex.scalars.size() == known.scalars.size(), name.c_str());
        }
    }
    void codeletsWithoutAFunctionAreNotCompiled()
    {
        int without = 0;
        for (Codelet const &codelet : builtinCodelets()) {
            if (codelet.run) continue;
            ++without;
            QVERIFY2(!program::findCodelet(codelet.name), nameOf(codelet));
            QVERIFY2(!codelet.cycles && !codelet.stateBytes && !codelet.description->vertex, nameOf(codelet));
            QVERIFY2(!codelet.description->library.empty(), nameOf(codelet));
        }
        QVERIFY(without > 0);
    }
    void findsByNameAndAlias()
    {
        QCOMPARE(codeletNamed("poplin::ConvPartial1x1Out").value()->name, std::string("ConvPartial1x1Out"));
        QCOMPARE(fullName(*codeletNamed("ConvPartial1x1Out").value()), std::string("poplin::ConvPartial1x1Out"));
        for (char const *name : {"Copy", "Memcpy", "poplar::Memcpy"}) QCOMPARE(codeletNamed(name).value()->name, std::string("Copy"));
        QCOMPARE(codeletNamed("tilewright::Adam").value()->name, std::string("Adam"));
    }
    void namesTheNearestCodelet()
    {
        auto const found = codeletNamed("ConvPartial1x1Ot");
        QVERIFY(!found);
        QCOMPARE(found.error().code, std::string("cost.unknown-codelet"));
        QVERIFY(found.error().kind == ErrorKind::Usage);
        QVERIFY(found.error().remedy.find("ConvPartial1x1Out") != std::string::npos);
    }
    void refusesWrongParameters_data()
    {
        QTest::addColumn<QString>("codelet");
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("unknown") << "ConvPartial1x1Out"
                                 << "positions=16 inGroup=2"
                                 << "cost.unknown-parameter"
                                 << "inGroups";
        QTest::newRow("missing") << "ConvPartial1x1Out"
                                 << "inGroups=2"
                                 << "cost.missing-parameter"
                                 << "positions=VALUE";
        QTest::newRow("not a number") << "ConvPartial1x1Out"
                                      << "positions=many"
                                      << "cost.bad-parameter"
                                      << "whole number";
        QTest::newRow("negative") << "ConvPartial1x1Out"
                                  << "positions=-4"
                                  << "cost.bad-parameter"
                                  << "0 to";
        QTest::newRow("zero groups") << "ConvPartial1x1Out"
                                     << "positions=4 groups=0"
                                     << "cost.bad-parameter"
                                     << "1 to";
        QTest::newRow("zero load") << "ConvPartial1x1Out"
                                   << "positions=4 load=0"
                                   << "cost.bad-parameter"
                                   << "1 to";
        QTest::newRow("huge") << "ConvPartial1x1Out"
                              << "positions=9999999999 inGroups=9999999999"
                              << "cost.bad-parameter"
                              << "one tile";
        QTest::newRow("overflow") << "Fill"
                                  << "n=99999999999999999999"
                                  << "cost.bad-parameter"
                                  << "whole number";
        QTest::newRow("type") << "Fill"
                              << "n=4 type=f17"
                              << "cost.bad-parameter"
                              << "f16";
        QTest::newRow("impossible type") << "ConvPartial1x1Out"
                                         << "positions=4 in=i32"
                                         << "cost.bad-parameter"
                                         << "f";
        QTest::newRow("op") << "UnaryOp1D"
                            << "op=sigmod n=4"
                            << "cost.bad-parameter"
                            << "sigmoid";
        QTest::newRow("op of type") << "UnaryOp1D"
                                    << "op=exp type=i32 n=4"
                                    << "cost.no-codelet"
                                    << "type";
        QTest::newRow("flag") << "UnaryOp1D"
                              << "op=exp n=4 inPlace=maybe"
                              << "cost.bad-parameter"
                              << "0 or 1";
        QTest::newRow("list") << "Select"
                              << "regions=4,,5"
                              << "cost.bad-parameter"
                              << "64,64,32";
        QTest::newRow("map op") << "Map"
                                << "ops=add,nothing n=4"
                                << "cost.no-codelet"
                                << "UnaryOp1D";
        QTest::newRow("none wanted") << "SetSeed"
                                     << "n=4"
                                     << "cost.unknown-parameter"
                                     << "no parameters";
    }
    void refusesWrongParameters()
    {
        QFETCH(QString, codelet);
        QFETCH(QString, given);
        QFETCH(QString, code);
        QFETCH(QString, remedy);
        auto const price = tests::priceOf(codelet.toStdString(), given.toStdString(), tests::chip());
        QVERIFY(!price);
        QCOMPARE(QString::fromStdString(price.error().code), code);
        QVERIFY2(price.error().remedy.find(remedy.toStdString()) != std::string::npos, price.error().remedy.c_str());
    }
    void fillsInDefaultsAndTheMachinesNumbers()
    {
        auto const mk2 = tests::priceOf("ConvPartial1x1Out", "positions=60", tests::chip("gc200"))->params;
        QCOMPARE(mk2.at("units"), std::string("16"));
        QCOMPARE(mk2.at("load"), std::string("16"));
        QCOMPARE(mk2.at("in"), std::string("f16"));
        auto const mk1 = tests::priceOf("ConvPartial1x1Out", "positions=600", tests::chip("gc2")).value();
        QCOMPARE(mk1.params.at("units"), std::string("8"));
        QVERIFY(mk1.cycles > 0);
    }
    /// Whatever the parameters' ranges allow is answered: a number of cycles or a diagnostic (the sanitizers
    /// watch for overflow and division by zero).
    void anyAllowedValueIsAnswered()
    {
        RandomStream random(7);
        int answered = 0;
        for (Codelet const &codelet : builtinCodelets()) {
            for (int round = 0; round < 200; ++round) {
                ParamMap given = plausible(codelet);
                for (CostParam const &param : codelet.description->params) {
                    std::int64_t const sizes[] = {param.minimum, param.minimum + 1, 5, 48, 1000, 123457, param.maximum};
                    std::int64_t const size = std::clamp(sizes[random.below(7)], param.minimum, param.maximum);
                    if (param.kind == ParamKind::Integer) given[param.name] = std::to_string(size);
                    if (param.kind == ParamKind::IntegerList) given[param.name] = "0," + std::to_string(size);
                    if (param.kind == ParamKind::Flag) given[param.name] = std::to_string(random.below(2));
                    if (!param.choices.empty()) given[param.name] = param.choices[random.below(param.choices.size())];
                }
                auto const price = priceVertex(codelet, given, tests::chip());
                if (price) QVERIFY2(price->cycles >= 0 && price->stateBytes >= 0, nameOf(codelet));
                else QVERIFY2(!price.error().remedy.empty(), nameOf(codelet));
                answered += price.ok();
            }
        }
        QVERIFY(answered > 1000);
    }
    void aliasesOfOperationsAreAccepted()
    {
        QCOMPARE(tests::cyclesOf("BinaryOp1D", "op=sub type=f32 n=100", tests::chip()),
                 tests::cyclesOf("BinaryOp1D", "op=subtract type=float n=100", tests::chip()));
    }
    void workerCodeletsTakeSixTimesAsLongOnATile()
    {
        QVERIFY(codeletNamed("Fill").value()->description->perWorker);
        auto const fill = tests::priceOf("Fill", "n=1000 type=f16", tests::chip()).value();
        QCOMPARE(fill.cycles, Cycles(276));
        QCOMPARE(fill.tileCycles, Cycles(6 * 276));
    }
    void codeOfTheCommonGroupsIsOfThePublishedSize()
    {
        auto const code = [](char const *name) { return codeletNamed(name).value()->codeBytes; };
        Bytes const matmul = code("ConvPartial1x1Out") + code("ReduceAdd");
        QVERIFY(matmul >= 1200 && matmul <= 1600);
        // A dense layer: its product, moved and transposed operands, the map of bias and activation.
        Bytes const map = tests::priceOf("Map", "ops=add,relu n=4", tests::chip())->codeBytes;
        Bytes const dense = matmul + code("Rearrange") + code("Transpose") + code("Copy") + map;
        QVERIFY(std::abs(static_cast<double>(dense) - 2400) < 100);
        QVERIFY(code("UnaryOp1D") >= 170 && code("UnaryOp1D") <= 200);
        QVERIFY(code("BinaryOp1D") >= 160 && code("BinaryOp1D") <= 290);
        Bytes const softmax = 2 * code("ReduceContiguous") + 2 * code("BroadcastVectorOuterByRow") + 2 * code("UnaryOp1D");
        QVERIFY(softmax >= 1600 && softmax <= 2000);
    }
    void stateGrowsWithTheWorkLists()
    {
        Bytes const one = tests::priceOf("ConvPartialnx1", "width=36", tests::chip())->stateBytes;
        Bytes const nine = tests::priceOf("ConvPartialnx1", "width=36 kernelOuter=3 kernelInner=3", tests::chip())->stateBytes;
        QVERIFY(one >= 45 && one <= 64);
        QCOMPARE(nine - one, Bytes(8 * 36));
    }
};

TW_REGISTER_TEST(TstCodeletPrices);
#include "tst_codelet_prices.moc"
