#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace tilewright::tests;

/// Project files on the command line: made, read, changed and refused.
class TstCliProjects : public QObject {
    Q_OBJECT
private slots:
    void listsFitATerminal()
    {
        Sandbox const box;
        for (auto const *list : {"layers", "callbacks", "ops", "templates"}) {
            auto const text = QString::fromUtf8(box.run({list}).out);
            for (auto const &line : text.split('\n')) QVERIFY2(line.size() <= 100, qPrintable(line));
            for (auto const &one : box.run({list, "--json"}).array())
                QVERIFY2(text.contains("  " + one.toObject()["name"].toString() + " "), qPrintable(text));
        }
    }
    void newWritesBothFormsOfTheSameProject()
    {
        Sandbox const box;
        auto const ran = box.run({"new", "mnist-mlp", "a.tilewright", "--set", "training.epochs=7", "training.batch_size=16", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.object()["path"].toString(), QString("a.tilewright"));
        QCOMPARE(box.run({"new", "mnist-mlp", "a.json", "training.epochs=7", "--set", "training.batch_size=16"}).code, 0);
        QVERIFY(box.read("a.tilewright").startsWith("SQLite format 3"));
        auto const twin = QJsonDocument::fromJson(box.read("a.json")).object();
        QCOMPARE(twin["format"].toString(), QString("tilewright-project"));
        QCOMPARE(twin["version"].toInt(), 1);
        auto const a = box.run({"get", "a.tilewright", "--json"}), b = box.run({"get", "a.json", "--json"});
        QCOMPARE(a.code, 0);
        QVERIFY(!a.object()["value"].toObject().isEmpty());
        QCOMPARE(a.out, b.out);
    }

    void newRefusesAnExistingFileUnlessForced()
    {
        Sandbox const box;
        box.write("a.json", "precious");
        QCOMPARE(box.run({"new", "mnist-mlp", "a.json"}).code, 2);
        QCOMPARE(box.read("a.json"), QByteArray("precious"));
        QCOMPARE(box.run({"new", "mnist-mlp", "a.json", "--force"}).code, 0);
        QVERIFY(box.read("a.json").contains("tilewright-project"));
        QCOMPARE(box.run({"new", "mnist-mlpp", "b.json", "--json"}).code, 3);
    }

    void formatsAreRecognisedByContentNotByName()
    {
        Sandbox const box;
        box.project("p.json");
        box.project("p.tilewright");
        box.write("swapped.tilewright", box.read("p.json"));
        box.write("swapped.json", box.read("p.tilewright"));
        for (auto const *name : {"swapped.tilewright", "swapped.json"}) {
            auto const ran = box.run({"get", name, "data.limit", "--json"});
            QVERIFY2(ran.code == 0, ran.all());
            QCOMPARE(ran.object()["value"].toInt(), 320);
            // Writing back keeps the form.
            QCOMPARE(box.run({"set", name, "data.limit=64"}).code, 0);
        }
        QVERIFY(box.read("swapped.tilewright").startsWith('{'));
        QVERIFY(box.read("swapped.json").startsWith("SQLite"));
    }

    void aPrintedProjectIsAProject()
    {
        Sandbox const box;
        box.project("p.json");
        box.write("plain.json", box.run({"get", "p.json"}).out);
        QCOMPARE(box.run({"get", "plain.json", "--json"}).object(), box.run({"get", "p.json", "--json"}).object());
    }

    void setWritesTypedFields_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("integer") << "training.batch_size"
                                 << "64" << QJsonValue(64);
        QTest::newRow("number") << "training.optimizer.learning_rate"
                                << "0.01" << QJsonValue(0.01);
        QTest::newRow("text") << "system.target"
                              << "gc200:tiles=8" << QJsonValue("gc200:tiles=8");
        QTest::newRow("flag") << "training.shuffle"
                              << "false" << QJsonValue(false);
        QTest::newRow("layer") << "model.layers.dense.units"
                               << "99" << QJsonValue(99);
        QTest::newRow("title that looks like a number") << "title"
                                                        << "12" << QJsonValue("12");
        QTest::newRow("option") << "ipu_config.scheduling.algorithm"
                                << "CLUSTERING" << QJsonValue("CLUSTERING");
        QTest::newRow("with an equals sign") << "title"
                                             << "a=b" << QJsonValue("a=b");
    }
    void setWritesTypedFields()
    {
        QFETCH(QString, path);
        QFETCH(QString, text);
        QFETCH(QJsonValue, value);
        Sandbox const box;
        for (auto const *name : {"p.json", "p.tilewright"}) {
            box.project(name);
            auto const ran = box.run({"set", name, path + "=" + text, "--json"});
            QVERIFY2(ran.code == 0, ran.all());
            QCOMPARE(ran.object()["value"], value);
            QCOMPARE(box.run({"get", name, path, "--json"}).object()["value"], value);
            QCOMPARE(box.run({"get", name, path}).out.trimmed(), text.toUtf8());
        }
    }

    void setRefusesUnknownFieldsAndKeepsTheFile()
    {
        Sandbox const box;
        box.project("p.json");
        auto const before = box.read("p.json");
        for (auto const &[assignment, nearest] :
             {std::pair{"training.batch_sise=4", "batch_size"}, std::pair{"data.limt=4", "data.limit"},
              std::pair{"system.target=mm2000", "m2000"}, std::pair{"model.layers.dense.unit=4", "units"}}) {
            auto const ran = box.run({"set", "p.json", "training.epochs=9", assignment, "--json"});
            QVERIFY2(ran.code == 3, ran.all());
            QVERIFY2(ran.out.contains(nearest), ran.all());
            QCOMPARE(box.read("p.json"), before);
        }
        QCOMPARE(box.run({"set", "p.json", "training.epochs"}).code, 2);
        QCOMPARE(box.run({"get", "p.json", "training.nothing"}).code, 3);
    }

    void projectsOfALaterVersionAreRefusedPolitely()
    {
        Sandbox const box;
        box.project("p.json");
        box.project("p.tilewright");
        auto twin = QJsonDocument::fromJson(box.read("p.json")).object();
        twin["version"] = 2;
        box.write("newer.json", QJsonDocument(twin).toJson());
        auto file = box.read("p.tilewright");
        file.replace(60, 4, QByteArray("\0\0\x01\x2c", 4)); // user_version 300, big-endian in SQLite's header
        box.write("newer.tilewright", file);
        for (auto const *name : {"newer.json", "newer.tilewright"}) {
            auto const ran = box.run({"summary", name, "--json"});
            QVERIFY2(ran.code == 3, ran.all());
            QVERIFY2(ran.errorCode().contains("newer"), ran.all());
            QVERIFY(!ran.object()["error"].toObject()["remedy"].toString().isEmpty());
            QCOMPARE(box.run({"set", name, "training.epochs=1"}).code, 3);
        }
    }

    void filesThatAreNoProjectsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("noise") << QByteArray("\x01\x02\x03 noise");
        QTest::newRow("no object") << QByteArray("[1, 2]");
        QTest::newRow("truncated JSON") << QByteArray("{\"format\":\"tilewright-project\",\"version\":1,\"model\":{");
        QTest::newRow("other JSON") << QByteArray("{\"a\":1}");
        QTest::newRow("no model") << QByteArray("{\"format\":\"tilewright-project\",\"version\":1}");
        QTest::newRow("truncated database") << QByteArray("SQLite format 3\0 and then nothing", 34);
    }
    void filesThatAreNoProjectsAreRefused()
    {
        QFETCH(QByteArray, content);
        Sandbox const box;
        box.write("p.tilewright", content);
        for (auto const &arguments : {QStringList{"summary", "p.tilewright"}, QStringList{"compile", "p.tilewright"}}) {
            auto const ran = box.run(arguments + QStringList{"--json"});
            QVERIFY2(ran.code == 3, ran.all());
            QVERIFY2(!ran.errorCode().isEmpty(), ran.all());
        }
        QCOMPARE(box.read("p.tilewright"), content);
        QCOMPARE(box.run({"summary", "nothing.tilewright", "--json"}).code, 3);
    }

    void theCorpusOfTwinsIsReadOrRefusedByName()
    {
        // CODE--what.json is refused with CODE, good--what.json is read.
        Sandbox const box;
        QDir const corpus(TILEWRIGHT_SOURCE_DIR "/tests/corpus/projects");
        auto const names = corpus.entryList(QDir::Files);
        QVERIFY(names.size() > 15);
        for (auto const &name : names) {
            auto const wanted = name.section("--", 0, 0);
            auto const ran = box.run({"compile", corpus.filePath(name), "--stop-after", "fold", "--json"});
            QVERIFY2(ran.code == (wanted == "good" ? 0 : 3), name.toUtf8() + "\n" + ran.all());
            if (wanted != "good") QCOMPARE(ran.errorCode(), wanted);
        }
    }
};

TW_REGISTER_TEST(TstCliProjects);
#include "tst_cli_projects.moc"
