#include "engine/data/npy.h"
#include "tests/engine/cli/program_run.h"
#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

QByteArray dense(QByteArray const &name, QByteArray const &shape, QByteArray const &batch = "4")
{
    return R"({"format": "tilewright-project", "version": 1, "model": {"class_name": "Functional", "config": {"name": "m", "layers": [)"
           R"({"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": )"
        + shape + R"(, "dtype": "float32"}, "name": "x", "inbound_nodes": []}, {"class_name": "Dense", "config": {"name": ")" + name
        + R"(", "units": 3}, "name": ")" + name + R"(", "inbound_nodes": [[["x", 0, 0, {}]]]}], "input_layers": [["x", 0, 0]], )"
        + R"("output_layers": [[")" + name + R"(", 0, 0]]}}, "system": {"target": "gc200:tiles=4"}, "training": )"
        + R"({"loss": "sparse_categorical_crossentropy", "optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.01}}, "batch_size": )"
        + batch + R"(, "epochs": 1}, "data": {"path": ""}})";
}

} // namespace

/// Numbers and names that no one means are refused with their limit; none is a bug of the program.
class TstCliExtremes : public QObject {
    Q_OBJECT
private slots:
    void operationsOfAnySizeEnd_data()
    {
        QTest::addColumn<QStringList>("arguments");
        auto const add = [](QStringList const &words) { QTest::newRow(words.join(' ').toLatin1()) << words; };
        for (auto const *n : {"1", "1000000", "2147483647", "2147483648"}) {
            add({"matmul", "--m", n, "--k", n, "--n", n});
            add({"reduce", "--outer", n, "--inner", n});
            add({"softmax", "--rows", n, "--cols", n});
            add({"elementwise", "--name", "add", "--n", n});
            add({"gather", "--rows", n, "--width", n, "--indices", n});
            add({"lstm", "--batch", n, "--steps", n, "--in", n, "--units", n});
            add({"allreduce", "--bytes", n, "--replicas", "2"});
            for (auto const *pattern : {"all_to_all", "broadcast", "neighbour", "gather"})
                add({"exchange", "--pattern", pattern, "--bytes", n});
            add({"conv2d", "--batch", n, "--height", n, "--width", n, "--in", n, "--out", n, "--kernel", "3"});
            add({"conv2d", "--batch", "1", "--height", "8", "--width", "8", "--in", "4", "--out", "4", "--kernel", n});
            add({"conv2d", "--batch", "1", "--height", "8", "--width", "8", "--in", "4", "--out", "4", "--kernel", "3", "--stride", n});
        }
        add({"reduce", "--outer", "1000000000", "--inner", "1000000000"});
        add({"matmul", "--m", "1", "--k", "2147483648", "--n", "1"});
        add({"matmul", "--m", "2147483648", "--k", "1", "--n", "2147483648"});
        for (auto const *share : {"1e-310", "1e-400", "0", "-1", "nan", "inf", "1.0000001", "0,3", "", "1e-6", "1"})
            add({"matmul", "--m", "64", "--k", "64", "--n", "64", "--available-memory-proportion", share});
    }
    void operationsOfAnySizeEnd()
    {
        QFETCH(QStringList, arguments);
        Sandbox const box;
        QElapsedTimer timer;
        timer.start();
        auto const ran = box.run(QStringList{"op"} + arguments + QStringList{"--target", "gc200:tiles=8", "--json"});
        QVERIFY2(ran.code == 0 || (ran.code >= 2 && ran.code <= 4), ran.all());
        QVERIFY2(timer.elapsed() < 60'000 * tests::kSanitizerSlowdown, qPrintable(QString::number(timer.elapsed())));
        if (ran.code != 0) QVERIFY2(!ran.errorCode().isEmpty(), ran.all());
    }

    void modelsOfAnySizeEnd_data()
    {
        QTest::addColumn<QByteArray>("shape");
        QTest::addColumn<QByteArray>("batch");
        QTest::newRow("num-988") << QByteArray("[null, 1000000, 1000000]") << QByteArray("4");
        QTest::newRow("vector") << QByteArray("[null, 1000000000000]") << QByteArray("1");
        QTest::newRow("batch") << QByteArray("[null, 1000]") << QByteArray("2147483647");
        QTest::newRow("beyond") << QByteArray("[null, 9223372036854775807]") << QByteArray("1");
        QTest::newRow("product beyond") << QByteArray("[null, 4294967296, 4294967296]") << QByteArray("1");
        QTest::newRow("both") << QByteArray("[null, 1000000, 1000]") << QByteArray("1000000000");
    }
    void modelsOfAnySizeEnd()
    {
        QFETCH(QByteArray, shape);
        QFETCH(QByteArray, batch);
        Sandbox const box;
        box.write("p.json", dense("o", shape, batch));
        for (auto const *command : {"compile", "train", "summary"}) {
            QElapsedTimer timer;
            timer.start();
            auto const ran = box.run({command, "p.json", "--json"});
            QVERIFY2(ran.code == 0 || (ran.code >= 3 && ran.code <= 5), QByteArray(command) + ran.all());
            QVERIFY2(ran.code != 0 || QString(command) == "summary", ran.all());
            QVERIFY2(timer.elapsed() < 60'000 * tests::kSanitizerSlowdown, qPrintable(QString::number(timer.elapsed())));
        }
    }

    void proportionsAreCheckedWhenTheyAreSet()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=8", "model.layers.dense.units=4", "model.layers.dense_1.units=4"});
        for (auto const *share : {"1e-310", "1e-400", "0", "nan", "1.5", "0,3"}) {
            auto const ran =
                box.run({"set", "p.json", QString("ipu_config.matmuls.poplar_options={\"availableMemoryProportion\":\"%1\"}").arg(share),
                         "--json"});
            QVERIFY2(ran.code == 3, ran.all());
        }
        auto const least = box.run({"set", "p.json", "ipu_config.matmuls.poplar_options={\"availableMemoryProportion\":\"1e-6\"}"});
        QVERIFY2(least.code == 0, least.all());
        auto const compiled = box.run({"compile", "p.json", "--json"});
        QVERIFY2(compiled.code == 0, compiled.all());
    }

    void namesHaveALimit()
    {
        Sandbox const box;
        auto const codeOf = [&](QByteArray const &name, QStringList const &more) {
            box.write("p.json", dense(name, "[null, 4]"));
            auto const ran = box.run(QStringList{"compile", "p.json", "--json"} + more);
            return ran.code == 0 ? QString("done") : QString::number(ran.code) + " " + ran.errorCode();
        };
        QCOMPARE(codeOf(QByteArray(1024, 'n'), {}), QString("done"));
        QCOMPARE(codeOf(QByteArray(1025, 'n'), {}), QString("3 model.long-name"));
        QCOMPARE(codeOf(QByteArray(2000, 'n'), {"--limit", "name_bytes=2000"}), QString("done"));
        QCOMPARE(codeOf("n", {"--limit", "name_bytes=40000"}), QString("2 cli.limit"));
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(codeOf(QByteArray(10'000'000, 'n'), {}), QString("3 model.long-name"));
        QVERIFY2(timer.elapsed() < 10'000 * tests::kSanitizerSlowdown, qPrintable(QString::number(timer.elapsed())));
        auto const ran = box.run({"get", "p.json", "--json"});
        QVERIFY2(ran.code == 3 && ran.out.size() < 2000, ran.all()); // the name itself is not repeated
    }

    void weightsOfTheLongestNamesAreKept()
    {
        Sandbox const box;
        box.write("p.json", dense(QByteArray(1000, 'n'), "[null, 784]", "32"));
        std::vector<float> const x(32 * 784, 0.5f);
        std::vector<std::int32_t> const y(32, 1);
        std::vector<data::NamedArray> const arrays{{"x", data::makeArray<float>({32, 784}, x)},
                                                   {"y", data::makeArray<std::int32_t>({32}, y)}};
        QVERIFY(data::writeNpz(box.path("d.npz").toStdString(), arrays, false, {}).ok());
        auto const given = box.run({"set", "p.json", "data.format=npz", "data.path=d.npz", "data.x=x", "data.y=y"});
        QVERIFY2(given.code == 0, given.all());
        auto const ran = box.run({"train", "p.json", "--steps", "1", "--target", "cpu", "--checkpoint", "w.npz", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QVERIFY(box.read("w.npz").contains(QByteArray(1000, 'n') + "/kernel"));
    }
};

TW_REGISTER_TEST(TstCliExtremes);
#include "tst_cli_extremes.moc"
