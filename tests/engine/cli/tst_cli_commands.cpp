#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

using namespace tilewright::tests;

namespace {

QStringList const kCommands{"templates", "new",     "set",    "get",          "summary", "stages", "import",  "export",
                            "run",       "compile", "train",  "evaluate",     "predict", "verify", "tune",    "conformance",
                            "op",        "vertex",  "report", "check-report", "render",  "gui",    "devices", "monitor",
                            "cache",     "targets", "layers", "ops",          "options", "bench",  "python"};

} // namespace

/// Commands that need no training: quick.
class TstCliCommands : public QObject {
    Q_OBJECT
private slots:
    void printsItsVersion()
    {
        Sandbox const box;
        auto const ran = box.run({"--version"});
        QCOMPARE(ran.code, 0);
        QVERIFY(ran.out.startsWith("tilewright "));
        QVERIFY(box.run({"--version", "--json"}).object().contains("version"));
    }

    void helpInEnvironmentFlagsPrintsHelp()
    {
        Sandbox box;
        box.setVariable("TF_POPLAR_FLAGS", "--help --use_ipu_model");
        auto const ran = box.run({"compile", "no-such-file.tilewright"});
        QVERIFY2(ran.code == 0, ran.all());
        for (auto const *flag : {"--use_synthetic_data", "--executable_cache_path", "--on_demand_device_timeout"})
            QVERIFY2(ran.out.contains(flag), flag);
        QCOMPARE(box.run({"options", "--json"}).object()["flags"].toArray().size(), 24);
        box.setVariable("TF_POPLAR_FLAGS", "--use_ipu_model");
        QVERIFY(box.run({"compile", "no-such-file.tilewright"}).code != 0);
    }

    void impossibleOptionsAreRefusedWhenSet()
    {
        Sandbox box;
        box.project("p.tilewright");
        for (auto const &field : {"ipu_config.auto_select_ipus=3", "ipu_config.auto_select_ipus=[1,3]",
                                  "engine_options.debug.instrumen=true", "ipu_config.compilation_poplar_options.debug.instrumen=true"}) {
            auto const ran = box.run({"set", "p.tilewright", field, "--json"});
            QVERIFY2(ran.code == 3, field);
            QVERIFY2(!ran.object()["error"].toObject()["remedy"].toString().isEmpty(), field);
        }
        box.setVariable("POPLAR_ENGINE_OPTIONS", R"({"debug.instrumen": "true"})");
        auto const ran = box.run({"compile", "p.tilewright", "--json"});
        QVERIFY2(ran.code == 3, ran.all());
        QVERIFY(ran.object()["error"].toObject()["remedy"].toString().contains("debug.instrument"));
    }

    void helpListsEveryCommand()
    {
        Sandbox const box;
        auto const ran = box.run({"--help"});
        QCOMPARE(ran.code, 0);
        for (auto const &command : kCommands) QVERIFY2(ran.out.contains("  " + command.toUtf8() + " "), qPrintable(command));
    }

    void everyCommandHasHelpWithAnExample()
    {
        Sandbox const box;
        for (auto const &command : kCommands) {
            auto const ran = box.run({command, "--help"});
            QCOMPARE(ran.code, 0);
            QVERIFY2(ran.out.contains("Usage: tilewright " + command.toUtf8()), qPrintable(command));
            QVERIFY2(ran.out.contains("Example\n  tilewright "), qPrintable(command));
            QVERIFY2(ran.out.contains("\nOptions of every command\n") && !ran.out.contains("\nOptions\n\n"), qPrintable(command));
            for (auto const &line : QString::fromUtf8(ran.out).split('\n')) QVERIFY2(line.size() <= 130, qPrintable(line));
        }
    }

    void helpAlignsNamesWithAnEllipsis()
    {
        Sandbox const box;
        auto const lines = QString::fromUtf8(box.run({"vertex", "--help"}).out).split('\n');
        QVERIFY(lines.contains("  PARAM=VALUE…                its parameters"));
    }

    void remediesOnATerminalAreSentences()
    {
        Sandbox const box;
        box.project("p.json");
        auto const ran = box.run({"set", "p.json", "training.batchsize=64"});
        QVERIFY2(ran.err.contains(" Did you mean 'batch_size'?\n"), ran.all());
    }

    void wrongUseExitsWith2AndNamesTheNearest_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("command") << QStringList{"complie", "p"} << "cli.unknown-command"
                                 << "'compile'";
        QTest::newRow("option") << QStringList{"compile", "p", "--no-cach"} << "cli.unknown-option"
                                << "'--no-cache'";
        QTest::newRow("option with a value") << QStringList{"train", "p", "--epoch=3"} << "cli.unknown-option"
                                             << "'--epochs'";
        QTest::newRow("missing word") << QStringList{"compile"} << "cli.missing"
                                      << "PROJECT";
        QTest::newRow("one word too many") << QStringList{"compile", "a", "b"} << "cli.too-many"
                                           << "Usage";
        QTest::newRow("not a number") << QStringList{"train", "p", "--epochs", "many"} << "cli.argument"
                                      << "whole number";
        QTest::newRow("too small") << QStringList{"train", "p", "--steps", "0"} << "cli.argument"
                                   << "at least 1";
        QTest::newRow("choice") << QStringList{"train", "p", "--mode", "fuse"} << "cli.argument"
                                << "'fused'";
        QTest::newRow("value missing") << QStringList{"--threads"} << "cli.missing"
                                       << "--threads";
        QTest::newRow("stray value") << QStringList{"targets", "--quiet=yes"} << "cli.argument"
                                     << "alone";
        QTest::newRow("log component") << QStringList{"targets", "--log", "compilr=INFO"} << "config.log-level"
                                       << "compiler";
        QTest::newRow("operation") << QStringList{"op", "matmull", "--m", "4"} << "op.kind"
                                   << "'matmul'";
        QTest::newRow("extent missing") << QStringList{"op", "matmul", "--m", "4"} << "op.missing"
                                        << "k";
        QTest::newRow("codelet") << QStringList{"vertex", "BinaryOp1DD"} << "cost.unknown-codelet"
                                 << "BinaryOp1D";
        QTest::newRow("codelet parameter") << QStringList{"vertex", "BinaryOp1D", "op=add", "m=3"} << "cost.unknown-parameter"
                                           << "n";
        QTest::newRow("benchmark") << QStringList{"bench", "compile_old"} << "bench.unknown"
                                   << "'compile_cold'";
        QTest::newRow("empty value") << QStringList{"train", "p", "--checkpoint="} << "cli.missing"
                                     << "--checkpoint FILE";
        QTest::newRow("empty value behind it") << QStringList{"train", "p", "--report", ""} << "cli.missing"
                                               << "--report FILE";
        QTest::newRow("empty word") << QStringList{"compile", ""} << "cli.missing"
                                    << "PROJECT";
        QTest::newRow("empty global value") << QStringList{"targets", "--limit="} << "cli.missing"
                                            << "--limit NAME=VALUE";
        QTest::newRow("no output form") << QStringList{"export", "p", "o", "--to", "onxn"} << "cli.argument"
                                        << "onnx";
    }
    void onlyFormsThatWorkAreOffered()
    {
        Sandbox const box;
        auto const offered = box.run({"export", "p", "o", "--to", "nonsense", "--json"}).object()["error"].toObject()["remedy"].toString();
        QCOMPARE(offered, QString("Choose one of json, keras-json, h5, onnx, keras, tfjs, npz, python, executable."));
    }
    void withoutTheWorkbenchRenderNamesThePackage()
    {
        // A program alone in its folder.
        Sandbox const box;
        QString const alone = box.path("alone/tilewright");
        QVERIFY(QDir().mkpath(box.path("alone")));
        QVERIFY(QFile::copy(TILEWRIGHT_PROGRAM, alone));
        QProcess process;
        process.start(alone, {"render", "f", "--view", "memory", "--out", "o.png", "--json"});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 2);
        auto const error = QJsonDocument::fromJson(process.readAllStandardOutput()).object()["error"].toObject();
        QCOMPARE(error["code"].toString(), QString("cli.not-installed"));
        QVERIFY(error["remedy"].toString().contains("nstall"));
    }
    void wrongUseExitsWith2AndNamesTheNearest()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, code);
        QFETCH(QString, nearest);
        Sandbox const box;
        auto const ran = box.run(arguments + QStringList{"--json"});
        QVERIFY2(ran.code == 2, ran.all());
        auto const error = ran.events().isEmpty() ? ran.object()["error"].toObject() : ran.events().last()["error"].toObject();
        QVERIFY2(!error.isEmpty(), ran.all());
        QCOMPARE(error["code"].toString(), code);
        QVERIFY2((error["message"].toString() + error["remedy"].toString() + error["subject"].toString()).contains(nearest), ran.all());
        auto const human = box.run(arguments);
        QCOMPARE(human.code, ran.code);
        QVERIFY2(human.err.startsWith("tilewright: error: "), human.all());
        QVERIFY(human.out.isEmpty());
    }

    void noCommandShowsTheHelpAndExitsWith2()
    {
        Sandbox const box;
        auto const ran = box.run({});
        QCOMPARE(ran.code, 2);
        QVERIFY(ran.out.isEmpty());
        QVERIFY(ran.err.contains("Usage: tilewright COMMAND"));
    }

    void templatesAreListed()
    {
        Sandbox const box;
        auto const list = box.run({"templates", "--json"}).array();
        QVERIFY(!list.isEmpty());
        for (auto const &row : list) QCOMPARE(missingKeys(row.toObject(), {"name", "title", "description", "ipus"}), QStringList());
        for (auto const *name : {"mnist-mlp", "mnist-cnn"}) QVERIFY(box.run({"templates"}).out.contains(name));
    }

    void summaryIsThatOfKeras()
    {
        Sandbox const box;
        box.project("p.json");
        auto const j = box.run({"summary", "p.json", "--json"}).object();
        QCOMPARE(j["total_parameters"].toInt(), 235146);
        QCOMPARE(j["trainable_parameters"].toInt(), 235146);
        QCOMPARE(j["layers"].toArray().size(), 4);
        for (auto const &row : j["layers"].toArray())
            QCOMPARE(missingKeys(row.toObject(), {"name", "type", "output_shape", "parameters", "stage"}), QStringList());
        QCOMPARE(j["layers"][1].toObject()["output_shape"].toArray(), (QJsonArray{QJsonValue(), 256}));
        QVERIFY(box.run({"summary", "p.json"}).out.contains("Total params: 235,146"));
    }

    void brokenModelsAreRefusedNamingTheLayer_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        QTest::newRow("unknown layer") << "\"class_name\": \"Flatten\""
                                       << "\"class_name\": \"Flaten\""
                                       << "Flatten";
        QTest::newRow("misspelt argument") << "\"units\": 256"
                                           << "\"unit\": 256"
                                           << "units";
        QTest::newRow("units below one") << "\"units\": 128"
                                         << "\"units\": -128"
                                         << "dense_1";
        QTest::newRow("unknown activation") << "\"activation\": \"softmax\""
                                            << "\"activation\": \"sofmax\""
                                            << "softmax";
    }
    void brokenModelsAreRefusedNamingTheLayer()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, said);
        Sandbox const box;
        box.project("p.json");
        auto text = box.read("p.json");
        QVERIFY(text.contains(from.toUtf8()));
        box.write("broken.json", text.replace(from.toUtf8(), to.toUtf8()));
        for (auto const *command : {"summary", "compile"}) {
            auto const ran = box.run({command, "broken.json", "--json"});
            QVERIFY2(ran.code == 3, ran.all());
            QVERIFY2(ran.out.contains(said.toUtf8()), ran.all());
        }
    }

    void aCycleIsNamed()
    {
        Sandbox const box;
        box.project("p.json");
        QDir const corpus(TILEWRIGHT_SOURCE_DIR "/tests/corpus/model");
        auto twin = QJsonDocument::fromJson(box.read("p.json")).object();
        QFile model(corpus.filePath("model.cycle--two_layers.json"));
        QVERIFY(model.open(QIODevice::ReadOnly));
        twin["model"] = QJsonDocument::fromJson(model.readAll()).object();
        box.write("cycle.json", QJsonDocument(twin).toJson());
        auto const ran = box.run({"compile", "cycle.json", "--json"});
        QVERIFY2(ran.code == 3, ran.all());
        QCOMPARE(ran.errorCode(), QString("model.cycle"));
    }

    void stagesAreSetListedAndAdvised()
    {
        Sandbox const box;
        box.project("p.json");
        auto const got = box.run({"stages", "p.json", "get", "--json"}).object()["layers"].toArray();
        QCOMPARE(got.size(), 4);
        QVERIFY(got[0].toObject()["stage"].isNull());
        QCOMPARE(box.run({"stages", "p.json", "set", "0", "0", "1", "1"}).code, 0);
        QCOMPARE(box.run({"stages", "p.json", "get", "--json"}).object()["layers"][2].toObject()["stage"].toInt(), 1);
        QCOMPARE(box.run({"stages", "p.json", "set", "dense_1=0"}).code, 0);
        QCOMPARE(box.run({"summary", "p.json", "--json"}).object()["layers"][2].toObject()["stage"].toInt(), 0);
        QVERIFY(box.run({"stages", "p.json", "print"}).out.contains("dense_2"));
        QCOMPARE(box.run({"stages", "p.json", "set", "none"}).code, 0);
        auto const advised = box.run({"stages", "p.json", "advise", "2", "--json"}).object();
        QCOMPARE(advised["layers"][0].toObject()["stage"].toInt(), 0);
        QCOMPARE(advised["layers"][3].toObject()["stage"].toInt(), 1);
        // Criterion of the result.
        QCOMPARE(missingKeys(advised,
                             {"layers", "written", "costs", "stages", "exchange", "imbalance", "micro_batches", "expected_cycles_per_step",
                              "trial", "tried", "complete"}),
                 QStringList());
        QCOMPARE(advised["costs"].toObject()["unit"].toString(), QString("cycles"));
        QVERIFY(advised["layers"][1].toObject()["cost"].toObject()["backward"].toDouble() > 0);
        QCOMPARE(advised["stages"].toArray().size(), 2);
        for (auto const &stage : advised["stages"].toArray())
            QCOMPARE(missingKeys(stage.toObject(),
                                 {"forward", "recompute", "backward", "update", "cost", "bytes_to_next", "bytes_back", "parameters"}),
                     QStringList());
        QVERIFY(advised["complete"].toBool() && advised["tried"].toInt() == 3);
        QCOMPARE(advised["expected_cycles_per_step"].toDouble(), advised["trial"].toObject()["cycles_per_step"].toDouble());
        QVERIFY(box.run({"stages", "p.json", "advise", "2"}).out.contains("from a compile for one IPU"));
        auto const quick = box.run({"stages", "p.json", "advise", "2", "--budget", "0", "--json"}).object();
        QVERIFY(quick["trial"].isNull() && quick["tried"].toInt() == 0 && quick["expected_cycles_per_step"].toDouble() > 0);
        // Advice is not written without a request.
        QVERIFY(box.run({"stages", "p.json", "get", "--json"}).object()["layers"][3].toObject()["stage"].isNull());
        QCOMPARE(box.run({"stages", "p.json", "advise", "2", "--apply"}).code, 0);
        QCOMPARE(box.run({"stages", "p.json", "get", "--json"}).object()["layers"][3].toObject()["stage"].toInt(), 1);
        // With what they need: the pipeline is filled, and the project trains.
        auto const trained = box.run({"train", "p.json", "--steps", "4", "--checkpoint", "stages.npz"});
        QVERIFY2(trained.code == 0, trained.all());
        // Without cycles the judgement uses multiply-adds and says so.
        QCOMPARE(box.run({"set", "p.json", "system.target=cpu"}).code, 0);
        auto const onHost = box.run({"stages", "p.json", "advise", "2", "--json"}).object();
        QCOMPARE(onHost["costs"].toObject()["unit"].toString(), QString("multiply-adds"));
        QVERIFY(onHost["costs"].toObject()["why"].toString().contains("cpu") && onHost["expected_cycles_per_step"].isNull());
        QVERIFY(box.run({"stages", "p.json", "advise", "2"}).out.contains("multiply-adds"));
        QCOMPARE(box.run({"stages", "p.json", "set", "dense_9=0"}).code, 3);
        QCOMPARE(box.run({"stages", "p.json", "set", "0", "x", "1", "1"}).code, 2);
    }

    void aFrozenModelIsCompiledForPrediction()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16"});
        auto const whole = box.run({"compile", "p.json", "--json"}).object();
        for (auto const *layer : {"dense", "dense_1", "dense_2"})
            QCOMPARE(box.run({"set", "p.json", QString("model.layers.%1.trainable=false").arg(layer)}).code, 0);
        auto const ran = box.run({"compile", "p.json", "--json", "--report", "p.twreport"});
        QVERIFY2(ran.code == 0, ran.all());
        QVERIFY(ran.object()["flops_per_step"].toDouble() < 0.5 * whole["flops_per_step"].toDouble()); // without the backward pass
        QCOMPARE(box.run({"check-report", "p.twreport"}).code, 0);
        auto const trained = box.run({"train", "p.json"});
        QCOMPARE(trained.code, 3);
        QVERIFY2(trained.err.contains("no trainable weights"), trained.all());
    }

    void compileReportsErrorsOfTraining()
    {
        Sandbox const box;
        box.project("p.json", {"training.batch_size=33", "system.target=gc200:tiles=16"});
        auto const ran = box.run({"compile", "p.json"});
        QCOMPARE(ran.code, 0);
        QVERIFY2(ran.err.contains("320 samples are not a multiple of the batch size 33"), ran.all());
        QCOMPARE(box.run({"set", "p.json", "training.batch_size=32"}).code, 0);
        QVERIFY(box.run({"compile", "p.json"}).err.isEmpty());
    }

    void exportAndImportBringTheModelBack()
    {
        Sandbox const box;
        box.project("p.tilewright", {"training.epochs=3"});
        QCOMPARE(box.run({"export", "p.tilewright", "--to", "json", "twin.json"}).code, 0);
        QCOMPARE(box.run({"get", "twin.json", "--json"}).out, box.run({"get", "p.tilewright", "--json"}).out);
        auto const ran = box.run({"export", "p.tilewright", "--to", "keras-json", "keras.json", "--json"});
        QCOMPARE(ran.object()["path"].toString(), QString("keras.json"));
        auto const imported = box.run({"import", "keras.json", "k.tilewright", "--json"});
        QVERIFY2(imported.code == 0, imported.all());
        QCOMPARE(missingKeys(imported.object(), {"path", "layers", "parameters", "warnings"}), QStringList());
        QCOMPARE(imported.object()["parameters"].toInt(), 235146);
        QCOMPARE(imported.object()["layers"].toInt(), 4);
        QCOMPARE(box.run({"export", "k.tilewright", "--to", "keras-json", "again.json"}).code, 0);
        QCOMPARE(box.read("again.json"), box.read("keras.json"));
        QCOMPARE(box.run({"import", "twin.json", "back.json"}).code, 0);
        QCOMPARE(box.run({"get", "back.json", "--json"}).out, box.run({"get", "p.tilewright", "--json"}).out);
    }

    void exportedWeightsLieBesideTheTwin()
    {
        Sandbox const box;
        box.project("p.json");
        auto const ran = box.run({"export", "p.json", "--to", "json", "out.json", "--with-weights", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.object()["weights"].toString(), QString("out.npz"));
        QVERIFY(box.read("out.npz").contains("dense/kernel.npy"));
        QVERIFY(ran.object()["warnings"].toArray()[0].toObject()["code"].toString() == "checkpoint.none");
    }

    void importReportsUnreadableFiles()
    {
        Sandbox const box;
        box.write("damaged.json", "{\"class_name\": ");
        QCOMPARE(box.run({"import", "damaged.json", "o.json", "--json"}).code, 3);
        box.write("noise.bin", "noise");
        QCOMPARE(box.run({"import", "noise.bin", "o.json", "--json"}).code, 3);
        box.write("weights.npz", QByteArray("PK\x03\x04", 4) + "an archive without a model");
        auto const archive = box.run({"import", "weights.npz", "o.json"});
        QVERIFY2(archive.code == 5 && archive.err.contains("this is not a zip archive, or its end is missing"), archive.all());
        box.write("model.keras", QByteArray("PK\x03\x04", 4) + "metadata.json");
        QVERIFY(box.run({"import", "model.keras", "o.json"}).err.contains("model.keras byte 17: this is not a zip archive"));
        QCOMPARE(box.run({"import", "nothing.json", "o.json", "--json"}).code, 3);
        QVERIFY(!QFile::exists(box.path("o.json")));
    }

    void listsShowTheRegistry()
    {
        Sandbox const box;
        auto const targets = box.run({"targets", "--json"}).array();
        QStringList names;
        for (auto const &row : targets) names << row.toObject()["name"].toString();
        for (auto const *name :
             {"gc2", "gc200", "bow", "c600", "m2000", "bow2000", "pod4", "pod16", "pod64", "bow-pod16", "bow-pod64", "cpu"})
            QVERIFY2(names.contains(name), name);
        auto const layers = box.run({"layers", "--json"}).array();
        bool dense = false;
        for (auto const &row : layers)
            if (row.toObject()["name"].toString() == "Dense") {
                dense = true;
                QVERIFY(row.toObject()["parameters"].toArray().size() > 3);
                QCOMPARE(missingKeys(row.toObject()["parameters"][0].toObject(), {"name", "type", "default", "help"}), QStringList());
            }
        QVERIFY(dense);
        auto const ops = box.run({"ops", "--json"}).array();
        QVERIFY(ops.size() > 20);
        bool axis = false;
        for (auto const &row : ops)
            if (row.toObject()["name"].toString() == "concat") {
                auto const attribute = row.toObject()["attributes"][0].toObject();
                axis = attribute["name"].toString() == "axis";
                QCOMPARE(missingKeys(attribute, {"name", "type", "required", "help"}), QStringList());
            }
        QVERIFY(axis);
        auto const options = box.run({"options", "ipu_config.io_tiles", "--json"}).array();
        QCOMPARE(options.size(), 3);
        QCOMPARE(missingKeys(options[0].toObject(), {"name", "type", "default", "help"}), QStringList());
        QCOMPARE(box.run({"options", "io_tiles.num_io_tiles", "--json"}).array().size(), 1);
        QVERIFY(box.run({"options", "--json"}).array().size() > 60);
        auto const unknown = box.run({"options", "io_tiles.num_io_tile", "--json"});
        QCOMPARE(unknown.code, 3);
        QVERIFY(unknown.out.contains("num_io_tiles"));
    }

    void devicesAndMonitorAgree()
    {
        Sandbox const box;
        auto const devices = box.run({"devices", "--json"}).object();
        QVERIFY(devices["systems"].toArray().size() > 5);
        QVERIFY(devices["processes"].toArray().isEmpty());
        QCOMPARE(box.run({"monitor", "--once", "--json"}).object(), devices);
        QVERIFY(box.run({"devices"}).out.contains("pod16"));
        QCOMPARE(box.run({"monitor", "--once"}).code, 0);
    }

    void theEmptyCacheIsFine()
    {
        Sandbox const box;
        auto const listed = box.run({"cache", "list", "--json"});
        QCOMPARE(listed.code, 0);
        QVERIFY(listed.object()["entries"].toArray().isEmpty());
        QCOMPARE(box.run({"cache", "verify"}).code, 0);
        QCOMPARE(box.run({"cache", "clear", "--json"}).object()["entries"].toInt(), 0);
        QCOMPARE(box.run({"cache", "cleer"}).code, 2);
    }

    void onlyRankZeroWritesToStdout()
    {
        Sandbox box;
        box.setVariable("OMPI_COMM_WORLD_RANK", "1");
        QVERIFY(box.run({"targets"}).out.isEmpty());
        box.setVariable("OMPI_COMM_WORLD_RANK", "0");
        QVERIFY(!box.run({"targets"}).out.isEmpty());
    }
};

TW_REGISTER_TEST(TstCliCommands);
#include "tst_cli_commands.moc"
