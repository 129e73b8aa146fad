#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QtTest>

using namespace tilewright::tests;

/// Cycles and bytes of one operation and of one vertex.
class TstCliCosts : public QObject {
    Q_OBJECT
private slots:
    void operationsReportTheirCycles_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("matmul") << QStringList{"matmul", "--m", "32", "--k", "64", "--n", "48", "--dtype", "f16", "--partials", "f32"};
        QTest::newRow("elementwise") << QStringList{"elementwise", "--name", "relu", "--n", "5000"};
        QTest::newRow("reduce") << QStringList{"reduce", "--outer", "16", "--inner", "64"};
        QTest::newRow("softmax") << QStringList{"softmax", "--rows", "32", "--cols", "10"};
        QTest::newRow("exchange") << QStringList{"exchange", "--pattern", "all_to_all", "--bytes", "4096"};
        QTest::newRow("allreduce") << QStringList{"allreduce", "--bytes", "65536", "--replicas", "4"};
    }
    void operationsReportTheirCycles()
    {
        QFETCH(QStringList, arguments);
        Sandbox const box;
        auto const ran =
            box.run(QStringList{"op"} + arguments + QStringList{"--target", "gc200:tiles=64", "--report", "op.twreport", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        auto const j = ran.object();
        QCOMPARE(missingKeys(j, {"cycles", "emulated_seconds", "tflops", "plan", "alternatives", "memory", "vertices"}), QStringList());
        auto const cycles = j["cycles"].toObject();
        QCOMPARE(missingKeys(cycles, {"total", "compute", "exchange", "sync"}), QStringList());
        QVERIFY(cycles["total"].toInt() > 0);
        QVERIFY(cycles["total"].toInt() >= cycles["compute"].toInt());
        if (arguments[0] == "matmul") QVERIFY(!j["plan"].toObject().isEmpty());
        auto const checked = box.run({"check-report", "op.twreport", "--json"});
        QVERIFY2(checked.code == 0, checked.all());
        QVERIFY(box.run(QStringList{"op"} + arguments).out.contains("total"));
    }

    void operationsThatDoNotFitAreReported()
    {
        Sandbox const box;
        auto const ran = box.run(
            {"op", "matmul", "--m", "4096", "--k", "4096", "--n", "512", "--target", "gc200:tiles=4", "--report", "o.twreport", "--json"});
        QVERIFY2(ran.code == 4, ran.all());
        QVERIFY(ran.object().contains("cycles"));
        QCOMPARE(ran.object()["memory"].toObject()["fits"].toBool(true), false);
        QVERIFY(!ran.errorCode().isEmpty());
        QVERIFY(box.read("o.twreport").startsWith("SQLite"));
    }

    void verticesReportTheirCycles()
    {
        Sandbox const box;
        auto const j = box.run({"vertex", "BinaryOp1D", "op=add", "type=f32", "n=100", "--json"}).object();
        QVERIFY(j["cycles"].toInt() > 0);
        QCOMPARE(j["parameters"].toObject()["n"].toInt(), 100);
        QCOMPARE(j["parameters"].toObject()["op"].toString(), QString("add"));
        auto const more = box.run({"vertex", "popops::BinaryOp1D", "op=add", "type=f32", "n=1000", "--target", "bow", "--json"}).object();
        QVERIFY(more["cycles"].toInt() > j["cycles"].toInt());
        auto const list = box.run({"vertex", "--list", "--json"}).array();
        QVERIFY(list.size() > 30);
        QCOMPARE(missingKeys(list[0].toObject(), {"name", "family", "parameters", "title"}), QStringList());
        QCOMPARE(box.run({"vertex"}).code, 2);
        QCOMPARE(box.run({"vertex", "BinaryOp1D", "op=add", "n=lots"}).code, 2);
    }

    void verticesHaveTheBytesOfTheCompile()
    {
        Sandbox const box;
        QCOMPARE(box.run({"op", "matmul", "--m", "512", "--k", "512", "--n", "512", "--target", "gc200:tiles=16", "--report", "o.twreport"})
                     .code,
                 0);
        auto const rows =
            box.run({"report", "o.twreport", "sql",
                     "SELECT n.text, t.code_bytes, sum(v.state_bytes) / sum(v.count) FROM vertex_type t JOIN name n ON n.id = t.name "
                     "JOIN compute_set_vertex v ON v.vertex_type = t.id GROUP BY t.id",
                     "--json"})
                .object()["rows"]
                .toArray();
        bool product = false;
        for (auto const &row : rows) {
            if (row[0].toString() != "ConvPartial1x1Out") continue;
            product = true;
            auto const vertex = box.run({"vertex", "ConvPartial1x1Out", "in=f32", "positions=128", "--json"}).object();
            QCOMPARE(vertex["code_bytes"].toInt(), row[1].toInt());
            QCOMPARE(vertex["state_bytes"].toInt(), row[2].toInt());
            QVERIFY(vertex["has_function"].toBool());
        }
        QVERIFY(product);
        QVERIFY(!box.run({"vertex", "UnaryOp1D", "op=exp", "n=8", "--json"}).object()["has_function"].toBool(true));
    }
};

TW_REGISTER_TEST(TstCliCosts);
#include "tst_cli_costs.moc"
