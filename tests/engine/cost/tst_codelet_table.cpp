#include "tests/engine/cost/cost_test_tools.h"
#include "tests/support/test_registry.h"

#include "engine/core/random.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::cost;

class TstCodeletTable : public QObject {
    Q_OBJECT

    /// Values that any codelet accepts, for parameters without a default.
    static ParamMap plausible(CodeletInfo const &codelet)
    {
        ParamMap given;
        for (CostParam const &param : codelet.params) {
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
        if (given.contains("op") && codelet.alias.starts_with("Unary")) given["op"] = "exp";
        return given;
    }

private slots:
    void everyCodeletIsCompleteAndComputes()
    {
        std::set<std::string> names;
        for (CodeletInfo const &codelet : codelets()) {
            char const *name = codelet.name.c_str();
            QVERIFY2(names.insert(codelet.alias).second, name);
            QVERIFY2(!codelet.family.empty() && !codelet.title.empty() && !codelet.source.empty(), name);
            QVERIFY2(codelet.name.ends_with("::" + codelet.alias), name);
            for (CostParam const &param : codelet.params) QVERIFY2(!param.help.empty(), name);
            Result<Cycles> const cycles = codelet.cycles(plausible(codelet), tests::chip());
            QVERIFY2(cycles.ok(), cycles.ok() ? name : (codelet.name + ": " + toText(cycles.error())).c_str());
            QVERIFY2(*cycles > 0, name);
            bool const isMachine = codelet.name == "poplar::ExchangeReceive" || codelet.name == "poplar::ExternalSync";
            QVERIFY2(isMachine || (codelet.codeBytes >= 64 && codelet.codeBytes <= 6 * 1024), name);
            QVERIFY2(isMachine || codelet.stateBytes(plausible(codelet)) >= 8, name);
        }
        QVERIFY(names.size() >= 60);
    }
    void findsByNameAndAlias()
    {
        QCOMPARE((*findCodelet("poplin::ConvPartial1x1Out"))->alias, std::string("ConvPartial1x1Out"));
        QCOMPARE((*findCodelet("ConvPartial1x1Out"))->name, std::string("poplin::ConvPartial1x1Out"));
    }
    void namesTheNearestCodelet()
    {
        Result<CodeletInfo const *> const found = findCodelet("ConvPartial1x1Ot");
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
        QTest::newRow("unknown") << "ConvPartial1x1Out" << "positions=16 inGroup=2" << "cost.unknown-parameter" << "inGroups";
        QTest::newRow("missing") << "ConvPartial1x1Out" << "inGroups=2" << "cost.missing-parameter" << "positions=VALUE";
        QTest::newRow("not a number") << "ConvPartial1x1Out" << "positions=many" << "cost.bad-parameter" << "whole number";
        QTest::newRow("negative") << "ConvPartial1x1Out" << "positions=-4" << "cost.bad-parameter" << "0 to";
        QTest::newRow("zero groups") << "ConvPartial1x1Out" << "positions=4 groups=0" << "cost.bad-parameter" << "1 to";
        QTest::newRow("zero load") << "ConvPartial1x1Out" << "positions=4 load=0" << "cost.bad-parameter" << "1 to";
        QTest::newRow("huge") << "ConvPartial1x1Out" << "positions=9999999999 inGroups=9999999999"
                              << "cost.bad-parameter" << "one tile";
        QTest::newRow("overflow") << "Fill" << "n=99999999999999999999" << "cost.bad-parameter" << "whole number";
        QTest::newRow("type") << "Fill" << "n=4 type=f17" << "cost.bad-parameter" << "f16";
        QTest::newRow("impossible type") << "ConvPartial1x1Out" << "positions=4 in=i32" << "cost.bad-parameter" << "f";
        QTest::newRow("op") << "UnaryOp1D" << "op=sigmod n=4" << "cost.bad-parameter" << "sigmoid";
        QTest::newRow("op of type") << "UnaryOp1D" << "op=exp type=i32 n=4" << "cost.no-codelet" << "type";
        QTest::newRow("flag") << "UnaryOp1D" << "op=exp n=4 inPlace=maybe" << "cost.bad-parameter" << "0 or 1";
        QTest::newRow("list") << "Select" << "regions=4,,5" << "cost.bad-parameter" << "64,64,32";
        QTest::newRow("map op") << "Map" << "ops=add,nothing n=4" << "cost.no-codelet" << "UnaryOp1D";
        QTest::newRow("none wanted") << "SetSeed" << "n=4" << "cost.unknown-parameter" << "no parameters";
    }
    void refusesWrongParameters()
    {
        QFETCH(QString, codelet);
        QFETCH(QString, given);
        QFETCH(QString, code);
        QFETCH(QString, remedy);
        Result<Cycles> const cycles = (*findCodelet(codelet.toStdString()))->cycles(tests::params(given.toStdString()), tests::chip());
        QVERIFY(!cycles);
        QCOMPARE(QString::fromStdString(cycles.error().code), code);
        QVERIFY2(cycles.error().remedy.find(remedy.toStdString()) != std::string::npos, cycles.error().remedy.c_str());
    }
    void fillsInDefaultsAndTheMachinesNumbers()
    {
        CodeletInfo const &conv = **findCodelet("ConvPartial1x1Out");
        ParamMap const mk2 = resolveParams(conv, tests::params("positions=60"), tests::chip("gc200")).value();
        QCOMPARE(mk2.at("units"), std::string("16"));
        QCOMPARE(mk2.at("load"), std::string("16"));
        QCOMPARE(mk2.at("in"), std::string("f16"));
        ParamMap const mk1 = resolveParams(conv, tests::params("positions=60"), tests::chip("gc2")).value();
        QCOMPARE(mk1.at("units"), std::string("8"));
        QVERIFY(conv.cycles(tests::params("positions=600"), tests::chip("gc2")).value() > 0);
    }
    /// Whatever the parameters' ranges allow is answered: a number of cycles or a diagnostic (the sanitizers
    /// watch for overflow and division by zero).
    void anyAllowedValueIsAnswered()
    {
        RandomStream random(7);
        int answered = 0;
        for (CodeletInfo const &codelet : codelets()) {
            for (int round = 0; round < 200; ++round) {
                ParamMap given = plausible(codelet);
                for (CostParam const &param : codelet.params) {
                    std::int64_t const sizes[] = {param.minimum, param.minimum + 1, 5, 48, 1000, 123457, param.maximum};
                    std::int64_t const size = std::clamp(sizes[random.below(7)], param.minimum, param.maximum);
                    if (param.kind == ParamKind::Integer) given[param.name] = std::to_string(size);
                    if (param.kind == ParamKind::IntegerList) given[param.name] = "0," + std::to_string(size);
                    if (param.kind == ParamKind::Flag) given[param.name] = std::to_string(random.below(2));
                    if (!param.choices.empty()) given[param.name] = param.choices[random.below(param.choices.size())];
                }
                Result<Cycles> const cycles = codelet.cycles(given, tests::chip());
                if (cycles) QVERIFY2(*cycles >= 0, codelet.name.c_str());
                else QVERIFY2(!cycles.error().remedy.empty(), codelet.name.c_str());
                QVERIFY2(codelet.stateBytes(given) >= 0, codelet.name.c_str());
                answered += cycles.ok();
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
        CodeletInfo const &fill = **findCodelet("Fill");
        QVERIFY(fill.perWorker);
        QCOMPARE(tileCycles(fill, tests::params("n=1000 type=f16"), tests::chip()).value(), Cycles(6 * 276));
    }
    void codeOfTheCommonGroupsIsOfThePublishedSize()
    {
        auto const code = [](char const *name) { return (*findCodelet(name))->codeBytes; };
        Bytes const matmul = code("ConvPartial1x1Out") + code("ReduceAdd");
        QVERIFY(matmul >= 1200 && matmul <= 1600);
        Bytes const dense = matmul + code("BroadcastVectorInner1D") + code("UnaryOp1D") + code("Memcpy");
        QVERIFY(std::abs(static_cast<double>(dense) - 2400) < 100);
        QVERIFY(code("UnaryOp1D") >= 170 && code("UnaryOp1D") <= 200);
        QVERIFY(code("BinaryOp1D") >= 160 && code("BinaryOp1D") <= 290);
        Bytes const softmax = 2 * code("ReduceContiguous") + 2 * code("BroadcastVectorOuterByRow") + 2 * code("UnaryOp1D");
        QVERIFY(softmax >= 1600 && softmax <= 2000);
    }
    void stateGrowsWithTheWorkLists()
    {
        CodeletInfo const &conv = **findCodelet("ConvPartialnx1");
        Bytes const one = conv.stateBytes(tests::params("width=36"));
        Bytes const nine = conv.stateBytes(tests::params("width=36 kernelOuter=3 kernelInner=3"));
        QVERIFY(one >= 45 && one <= 64);
        QCOMPARE(nine - one, Bytes(8 * 36));
        QCOMPARE(conv.stateBytes(tests::params("kernelOuter=nonsense")), one);
    }
};

TW_REGISTER_TEST(TstCodeletTable);
#include "tst_codelet_table.moc"
