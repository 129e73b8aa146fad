#include "engine/data/npy.h"
#include "engine/data/tensor_data.h"
#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <sys/stat.h>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

QString remedyOf(ProgramRun const &ran) { return ran.object()["error"].toObject()["remedy"].toString(); }
QString messageOf(ProgramRun const &ran) { return ran.object()["error"].toObject()["message"].toString(); }

/// An archive that holds results, and no weights.
void writeResults(Sandbox const &box, QString const &name)
{
    std::vector<data::NamedArray> arrays;
    arrays.push_back({"dense_2", data::makeArray<float>({2}, {0.5f, 0.25f})});
    QVERIFY(data::writeNpz(box.path(name).toStdString(), arrays, false, {}).ok());
}

QStringList warningCodes(ProgramRun const &ran)
{
    QStringList codes;
    for (auto const &warning : ran.object()["warnings"].toArray())
        codes << warning.toObject()["code"].toString() + " " + warning.toObject()["subject"].toString();
    return codes;
}

} // namespace

/// Requests that cannot be met are refused or reported with the correct form; nothing changes silently.
class TstCliRefusals : public QObject {
    Q_OBJECT
private slots:
    void anExportReplacesFormerExportsOnly()
    {
        Sandbox const box;
        box.project("p.tilewright", {"model.layers.dense.units=8", "model.layers.dense_1.units=4"});
        QStringList const twice{"export", "p.tilewright", "--to", "json", "p.json", "--with-weights", "--json"};
        for (int i = 0; i < 2; ++i) { // the second replaces the first
            auto const ran = box.run(twice);
            QVERIFY2(ran.code == 0, ran.all());
        }
        box.write("mine.json", "{\"mine\": 1}");
        box.write("notes.json", "not even JSON");
        for (auto const *mine : {"mine.json", "notes.json"}) {
            auto const before = box.read(mine);
            auto const ran = box.run({"export", "p.tilewright", "--to", "json", mine, "--json"});
            QVERIFY2(ran.code == 2 && ran.errorCode() == "cli.exists", ran.all());
            QVERIFY2(remedyOf(ran).contains("--force"), ran.all());
            QCOMPARE(box.read(mine), before);
        }
        // Another form's export is another's file.
        QCOMPARE(box.run({"export", "p.tilewright", "--to", "keras-json", "p.json", "--json"}).errorCode(), QString("cli.exists"));
        QCOMPARE(box.run({"export", "p.tilewright", "--to", "json", "mine.json", "--force"}).code, 0);
        // The archive beside it: results of a prediction are not weights.
        writeResults(box, "results.npz");
        auto const results = box.read("results.npz");
        auto const ran = box.run({"export", "p.tilewright", "--to", "json", "results.json", "--with-weights", "--json"});
        QVERIFY2(ran.code == 2 && ran.errorCode() == "cli.exists", ran.all());
        QVERIFY2(ran.object()["error"].toObject()["subject"].toString() == "results.npz", ran.all());
        QCOMPARE(box.read("results.npz"), results);
        QVERIFY(!QFile::exists(box.path("results.json")));
        box.write("empty.json", ""); // mktemp's
        QCOMPARE(box.run({"export", "p.tilewright", "--to", "json", "empty.json"}).code, 0);
    }

    void fieldsThatNameFilesAreRefusedByTheGenerators_data()
    {
        QTest::addColumn<QString>("field");
        for (auto const *field : {"data.x=x.npy", "data.y=y.npy", "data.test_x=x.npy", "data.test_y=y.npy", "data.label_column=digit",
                                  "data.test_inputs={\"positions\": \"p\"}", "data.labels={\"dense_2\": \"p\"}", "data.sample_weight=w"})
            QTest::newRow(field) << field;
    }
    void fieldsThatNameFilesAreRefusedByTheGenerators()
    {
        QFETCH(QString, field);
        Sandbox const box;
        for (auto const &target : {QStringList{"mnist-mlp"}, QStringList{"transformer-sort"}}) {
            QCOMPARE(box.run({"new", target[0], "p.json", "--force", "data.limit=32", "system.target=cpu", field}).code, 0);
            auto const ran = box.run({"evaluate", "p.json", "--json"});
            QVERIFY2(ran.code == 3 && ran.errorCode() == "data.field", ran.all());
            QCOMPARE(ran.object()["error"].toObject()["subject"].toString(), field.section('=', 0, 0));
        }
    }

    void fileFormatsRequireAFile()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=cpu", "data.format=csv"});
        auto const ran = box.run({"evaluate", "p.json", "--json"});
        QVERIFY2(ran.code == 3 && ran.object()["error"].toObject()["subject"].toString() == "data.path", ran.all());
        QVERIFY2(!messageOf(ran).contains("does not exist") && messageOf(ran).contains("csv"), ran.all());
    }

    void anOperationHasPricesForFloatsOnly()
    {
        Sandbox const box;
        for (auto const *type : {"bool", "i32", "u8"})
            for (auto const *option : {"--dtype", "--partials"}) {
                auto const ran =
                    box.run({"op", "matmul", "--m", "8", "--k", "8", "--n", "8", option, type, "--target", "gc200:tiles=8", "--json"});
                QVERIFY2(ran.code == 2 && ran.errorCode() == "op.argument", ran.all());
                QVERIFY2(remedyOf(ran).contains("f16"), ran.all());
            }
    }

    void moreReplicasThanIpusAreReported()
    {
        Sandbox const box;
        auto const of = [&](char const *target) {
            return box.run({"op", "allreduce", "--bytes", "100", "--replicas", "4", "--target", target, "--json"});
        };
        auto const one = of("gc200:tiles=8");
        QVERIFY2(one.code == 0 && warningCodes(one) == QStringList{"op.replicas replicas"}, one.all());
        QCOMPARE(warningCodes(of("pod4:tiles=8")), QStringList());
    }

    void softwareModelOptionsAreReportedWithoutTheModel()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=64", "model.layers.dense.units=8"});
        QCOMPARE(box.run({"compile", "p.json", "--json"}).object()["cache"].toString(), QString("miss"));
        QCOMPARE(box.run({"set", "p.json", "ipu_config.ipu_model.tiles_per_ipu=4", "ipu_config.ipu_model.version=ipu1"}).code, 0);
        auto const ran = box.run({"compile", "p.json", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.object()["cache"].toString(), QString("hit")); // nothing else is compiled
        QCOMPARE(warningCodes(ran),
                 (QStringList{"config.idle-option ipu_config.ipu_model.tiles_per_ipu", "config.idle-option ipu_config.ipu_model.version"}));
        QCOMPARE(box.run({"set", "p.json", "system.target=gc200:tiles=64,model=1"}).code, 0);
        QVERIFY(!warningCodes(box.run({"compile", "p.json", "--json"})).join(' ').contains("config.idle-option"));
    }

    void allFloatingPointBehaviourActs()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=64", "model.layers.dense.units=8"});
        auto const set = box.run({"set", "p.json", "ipu_config.floating_point_behaviour.set_all=true"});
        QVERIFY2(set.code == 0 && !set.err.contains("warning"), set.all());
        QCOMPARE(warningCodes(box.run({"compile", "p.json", "--json"})), QStringList());
    }

    void executionsThatDoNotDivideAnEpochAreConfiguration()
    {
        Sandbox const box;
        QCOMPARE(box.run({"new", "custom-loop", "p.json", "data.limit=1024", "system.target=gc200:tiles=64"}).code, 0);
        for (auto const *command : {"compile", "train"}) {
            auto const ran = box.run({command, "p.json", "--json"});
            QVERIFY2(ran.code == 3, ran.all());
            auto const error =
                QString(command) == "train" ? ran.events("error").value(0)["error"].toObject() : ran.object()["error"].toObject();
            QCOMPARE(error["code"].toString(), QString("training.steps-per-execution"));
            QVERIFY2(error["remedy"].toString().startsWith("Use 16"), ran.all());
        }
        QCOMPARE(box.run({"set", "p.json", "training.steps_per_execution=16"}).code, 0);
        QCOMPARE(box.run({"compile", "p.json"}).code, 0);
        // Where the batch does not divide the samples, the program is the same for others.
        QCOMPARE(box.run({"set", "p.json", "training.batch_size=48"}).code, 0);
        QCOMPARE(box.run({"compile", "p.json"}).code, 0);
    }

    /// Names of Keras and of its functions for IPUs: what stands for them here, or that nothing does yet.
    void namesOfKerasAreAnswered()
    {
        Sandbox const box;
        box.project("p.json", {});
        for (auto const *name : {"training.validation_steps", "training.run_eagerly", "training.gradient_accumulation_dtype",
                                 "data.validation_data", "ipu_config.batch_serialization_iterations"}) {
            auto const set = box.run({"set", "p.json", QString(name) + "=1", "--json"});
            QVERIFY2(set.code == 3, set.all());
            QCOMPARE(set.errorCode(), QString("field.not-yet"));
        }
        QCOMPARE(box.run({"set", "p.json", "offload_weights=true", "--json"}).errorCode(), QString("field.other-name"));
        QCOMPARE(box.run({"set", "p.json", "training.gradient_accumulation_count=4", "--json"}).errorCode(), QString("field.other-name"));
    }

    void importClosesOpenAxes()
    {
        Sandbox const box;
        QFile file(box.path("open.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"class_name": "Sequential", "config": {"name": "s", "layers": [{"class_name": "InputLayer", "config": {"batch_input_shape": [null, null, 3], "name": "words"}}, {"class_name": "LSTM", "config": {"units": 2}}]}})");
        file.close();
        auto const open = box.run({"import", "open.json", "p.json", "--json"});
        QVERIFY2(open.code == 3, open.all());
        QCOMPARE(open.errorCode(), QString("model.dynamic-shape"));
        QVERIFY2(open.object()["error"].toObject()["remedy"].toString().contains("--size words="), open.all());
        QVERIFY(!QFile::exists(box.path("p.json")));
        QCOMPARE(box.run({"import", "open.json", "p.json", "--size", "words"}).code, 2);
        QCOMPARE(box.run({"import", "open.json", "p.json", "--size", "word=7"}).code, 3);
        QCOMPARE(box.run({"import", "open.json", "p.json", "--size", "words=7"}).code, 0);
        QCOMPARE(box.run({"get", "p.json", "model.layers.words.batch_input_shape"}).out.trimmed(), QByteArray("[null, 7, 3]"));
    }

    void aPipeIsNoModel()
    {
        Sandbox const box;
        QCOMPARE(::mkfifo(box.path("pipe").toLocal8Bit().constData(), 0600), 0);
        QCOMPARE(box.run({"import", "pipe", "x.json"}).code, 3);
        QCOMPARE(box.run({"get", "pipe"}).code, 3);
    }

    void invalidReportQueriesAreUsageErrors()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=64", "model.layers.dense.units=8"});
        QCOMPARE(box.run({"compile", "p.json", "--report", "r.twreport", "--quiet"}).code, 0);
        for (auto const &part : QList<QStringList>{{"sql", "select * from nope"},
                                                   {"sql", " "},
                                                   {"sql", "DROP TABLE run"},
                                                   {"memory", "64"},
                                                   {"liveness", "9999999"},
                                                   {"nope"},
                                                   {"memory", "many"}}) {
            auto const ran = box.run(QStringList{"report", "r.twreport"} + part + QStringList{"--json"});
            QVERIFY2(ran.code == 2, (part.join(' ').toUtf8() + "\n" + ran.all()));
        }
        QCOMPARE(box.run({"report", "r.twreport", "memory", "63"}).code, 0);
        QCOMPARE(box.run({"report", "r.twreport", "liveness", "0"}).code, 0);
    }

    void forceDoesNotReplaceFolders()
    {
        Sandbox const box;
        for (auto const *force : {"--force", "--quiet"}) {
            auto const ran = box.run({"new", "mnist-mlp", ".", force, "--json"});
            QVERIFY2(ran.code == 2 && messageOf(ran).contains("folder") && !remedyOf(ran).contains("--force"), ran.all());
        }
    }

    void partsOfAProjectAreReadAndSet()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const get = [&](char const *path) { return box.run({"get", "p.tilewright", path, "--json"}).object()["value"].toObject(); };
        QCOMPARE(get("training")["batch_size"].toInt(), 32);
        QCOMPARE(get("data")["limit"].toInt(), 320);
        QCOMPARE(get("system")["target"].toString(), QString("gc200"));
        QVERIFY(get("ipu_config")["io_tiles"].toObject().contains("num_io_tiles"));
        QVERIFY(get("ipu_config.io_tiles").contains("num_io_tiles"));
        QCOMPARE(get("model.layers")["dense"].toObject()["units"].toInt(), 256);
        QCOMPARE(get("model.layers.dense_1")["units"].toInt(), 128);
        QVERIFY(box.run({"get", "p.tilewright", "training"}).out.startsWith("{"));
        QCOMPARE(box.run({"get", "p.tilewright", "trainin"}).code, 3);
        auto const set = [&](QString const &assignment) { return box.run({"set", "p.tilewright", assignment, "--json"}); };
        QCOMPARE(set("engine_options.debug.instrument=true").code, 0);
        QCOMPARE(get("engine_options").size(), 1);
        QVERIFY2(set("engine_options={}").code == 0, set("engine_options={}").all());
        QCOMPARE(get("engine_options").size(), 0);
        QCOMPARE(set("data={\"limit\": 64}").code, 0);
        QCOMPARE(get("data")["limit"].toInt(), 64);
        QCOMPARE(set("training={\"batch_size\": 16, \"loss\": \"SparseCategoricalCrossentropy\"}").code, 0);
        QCOMPARE(get("training")["batch_size"].toInt(), 16);
        QCOMPARE(set("ipu_config={\"io_tiles\": {\"num_io_tiles\": 32}}").code, 0);
        QCOMPARE(get("ipu_config.io_tiles")["num_io_tiles"].toInt(), 32);
        QCOMPARE(set("training=many").errorCode(), QString("project.json"));
        QCOMPARE(set("training={\"batch\": 4}").code, 3);
        auto const group = set("ipu_config.io_tiles={}");
        QVERIFY2(group.code == 3 && group.errorCode() == "project.group" && remedyOf(group).contains("get PROJECT ipu_config.io_tiles"),
                 group.all());
    }

    void wrongLinesAreReportedInPlainWords()
    {
        Sandbox const box;
        auto const remedy = [&](QStringList const &line) { return remedyOf(box.run(line + QStringList{"--json"})); };
        QCOMPARE(remedy({"new", "mnist-mlp", ""}), QString("Give it."));
        for (auto const &line :
             QList<QStringList>{{"new", "mnist-mlp", "o.json", "--set"}, {"compile", "p", "--dump-after"}, {"bench", "--worker"}}) {
            auto const ran = box.run(line + QStringList{"--json"});
            QVERIFY2(ran.code == 2 && ran.errorCode() == "cli.missing" && !ran.out.contains("TEXT"), ran.all());
        }
        QVERIFY(!remedy({"foo"}).contains("Did you mean"));
        QVERIFY(!remedy({"tune", "p"}).contains("Did you mean"));
        QVERIFY(remedy({"complie", "p"}).contains("'compile'"));
    }

    void cacheMissesNameTheDifferenceInTheModel()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=64", "model.layers.dense.units=8"});
        QCOMPARE(box.run({"compile", "p.json"}).code, 0);
        auto const reason = [&](QString const &field) {
            if (box.run({"set", "p.json", field}).code != 0) return QString("not set");
            return box.run({"compile", "p.json", "--json"}).object()["cache_reason"].toString();
        };
        auto const units = reason("model.layers.dense.units=9");
        QVERIFY2(units.contains("layers.dense.units: 8' there") && units.contains("layers.dense.units: 9' here"), qPrintable(units));
        auto const named = reason("model.layers.dense.name=first");
        QVERIFY2(named.contains("layers.dense") && named.contains("layers.first"), qPrintable(named));
    }

    void aReportAtTheLimitOfFileSizesSaysSo()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=64", "model.layers.dense.units=8"});
        auto const ran = box.shell("ulimit -f 100; \"$T\" compile p.json --report r.twreport --json");
        QVERIFY2(ran.code == 5, ran.all());
        QVERIFY2(remedyOf(ran).contains("ulimit -f") && !remedyOf(ran).contains("Free some space"), ran.all());
    }

    void anEmptyProjectIsAProject()
    {
        Sandbox const box;
        for (auto const *project : {"e.tilewright", "e.json"}) {
            QCOMPARE(box.run({"new", "empty", project}).code, 0);
            auto const summary = box.run({"summary", project, "--json"});
            QVERIFY2(summary.code == 0, summary.all());
            QCOMPARE(summary.object()["layers"].toArray().size(), 0);
            QCOMPARE(summary.object()["total_parameters"].toInt(-1), 0);
            QCOMPARE(box.run({"summary", project}).code, 0);
            QCOMPARE(box.run({"set", project, "training.epochs=3"}).code, 0);
            QCOMPARE(box.run({"get", project, "training.epochs"}).out.trimmed(), QByteArray("3"));
            auto const compile = box.run({"compile", project, "--json"});
            QVERIFY2(compile.code == 3 && compile.errorCode() == "model.empty", compile.all());
            for (auto const *command : {"train", "evaluate", "verify"}) {
                auto const ran = box.run({command, project});
                QVERIFY2(ran.code == 3 && ran.err.contains("no layers"), ran.all());
            }
        }
    }

    void gatherAndLstmHavePrices()
    {
        Sandbox const box;
        auto const cycles = [&](QStringList const &line) {
            auto const ran =
                box.run(QStringList{"op"} + line + QStringList{"--target", "gc200:tiles=64", "--report", "o.twreport", "--json"});
            if (ran.code != 0) qWarning("%s", ran.all().constData());
            auto const j = ran.object();
            for (auto const *key : {"cycles", "emulated_seconds", "tflops", "plan", "alternatives", "memory", "vertices"})
                if (!j.contains(key)) qWarning("no %s", key);
            if (auto const checked = box.run({"check-report", "o.twreport"}); checked.code != 0) qWarning("%s", checked.all().constData());
            return j["cycles"].toObject()["total"].toInt();
        };
        auto const few = cycles({"gather", "--rows", "1000", "--width", "64", "--indices", "100"});
        QVERIFY(few > 0);
        QVERIFY(cycles({"gather", "--rows", "1000", "--width", "64", "--indices", "5000"}) > few);
        QStringList const lstm{"lstm", "--batch", "4", "--in", "16", "--units", "32", "--steps"};
        auto const two = cycles(lstm + QStringList{"2"}), twenty = cycles(lstm + QStringList{"20"});
        QVERIFY(two > 0);
        QVERIFY2(twenty > 4 * two, qPrintable(QString("%1 %2").arg(two).arg(twenty)));
        QVERIFY(cycles(lstm + QStringList{"2", "--dtype", "f16"}) > 0);
        QCOMPARE(box.run({"op", "lstm", "--batch", "4", "--json"}).errorCode(), QString("op.missing"));
    }

    /// The schedule determines the number of micro-batches that fill a pipeline; messages about another number name it.
    void schedulesStateTheirNumberOfMicroBatches()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16,ipus=2", "data.limit=192", "training.batch_size=8"});
        QCOMPARE(box.run({"stages", "p.json", "set", "0", "0", "1", "1"}).code, 0);
        for (auto const &[schedule, multiple] : {std::pair("grouped", 4), std::pair("interleaved", 2), std::pair("sequential", 1)}) {
            QVERIFY(box.run({"set", "p.json", QString("training.pipeline_schedule=%1").arg(schedule)}).err.isEmpty());
            for (int const steps : {1, 2, 4}) {
                QString const number = QString::number(steps);
                QCOMPARE(
                    box.run({"set", "p.json", "training.gradient_accumulation_steps=" + number, "training.steps_per_execution=" + number})
                        .code,
                    0);
                auto const ran = box.run({"compile", "p.json"});
                if (steps % multiple == 0) QVERIFY2(ran.code == 0, ran.all());
                else
                    QVERIFY2(ran.code == 3
                                 && ran.err.contains(QString("%1 schedule needs a multiple of %2").arg(schedule).arg(multiple).toUtf8()),
                             ran.all());
            }
            QCOMPARE(box.run({"evaluate", "p.json"}).code, 0);
        }
    }

    void fieldsOfTheDataAreListed()
    {
        Sandbox const box;
        box.project("p.json");
        for (auto const *command : {"set", "get"}) {
            auto const ran = box.run({command, "p.json", command == QByteArray("set") ? "data.nonsense=1" : "data.nonsense"});
            QVERIFY2(ran.code == 3 && ran.err.contains("data.path") && ran.err.contains("data.limit"), ran.all());
        }
        for (auto const *part : {"data", "training"}) {
            auto const listed = box.run({"options", part, "--json"}).array();
            QVERIFY(listed.size() > 10);
            for (auto const &field : listed) {
                QVERIFY(!field.toObject()["help"].toString().isEmpty());
                auto const name = field.toObject()["full_name"].toString();
                QVERIFY2(box.run({"get", "p.json", name}).code == 0, qPrintable(name));
            }
        }
        QVERIFY(box.run({"options", "data.limit"}).out.contains("before any are held out"));
        QVERIFY(box.run({"options", "training"}).out.contains("training.batch_size"));
        QCOMPARE(box.run({"options", "data.limits", "--json"}).code, 3);
    }

    void unusedTableColumnsAreReported()
    {
        Sandbox const box;
        QByteArray table("a,b,c,label\n");
        for (int i = 0; i < 32; ++i) table += "1,2,3,0\n";
        box.write("t.csv", table);
        box.project("p.json", {"system.target=gc200:tiles=16", "data.path=t.csv", "data.limit=0", "data.x=a", "data.y=label"});
        auto const ran = box.run({"train", "p.json"});
        QVERIFY2(ran.code == 5 && ran.err.contains("data.x") && ran.err.contains("data.y") && ran.err.count("instead of named arrays") == 2,
                 ran.all());
        QVERIFY2(ran.err.contains("Every column but the label"), ran.all());
    }

    void argumentsOfOperationsDescribeTheirValues()
    {
        Sandbox const box;
        auto const help = box.run({"op", "--help"});
        QVERIFY2(help.out.contains("[--transpose-a 0|1]") && help.out.contains("[--training 0|1]") && help.out.contains("[--stride N]"),
                 help.all());
        QStringList const product{"op", "matmul", "--m", "8", "--k", "8", "--n", "8", "--target", "gc200:tiles=8", "--transpose-a"};
        QCOMPARE(box.run(product + QStringList{"1"}).code, 0);
        auto const two = box.run(product + QStringList{"2", "--json"});
        QVERIFY2(two.code == 2 && two.errorCode() == "op.argument", two.all());
    }

    void aFailingDeviceNamesItsRecoveryAction()
    {
        Sandbox box;
        box.project("p.json", {"system.target=gc200:tiles=16", "training.steps_per_execution=1"});
        box.setVariable("TILEWRIGHT_DEVICE_FAULT", "2:LINK_RESET");
        auto const failed = box.run({"train", "p.json", "--json"});
        auto const error = failed.events().last()["error"].toObject();
        QVERIFY2(failed.code == 7 && error["code"].toString() == "device.recoverable", failed.all());
        QVERIFY2(failed.all().contains("LINK_RESET") && failed.all().contains("step 2"), failed.all());
        box.setVariable("TILEWRIGHT_DEVICE_FAULT", "2:REBOOT");
        auto const refused = box.run({"train", "p.json", "--json"});
        auto const unknown = refused.events().last()["error"].toObject();
        QVERIFY2(refused.code == 2 && unknown["code"].toString() == "device.fault", refused.all());
        box.setVariable("TILEWRIGHT_DEVICE_FAULT", "");
        QCOMPARE(box.run({"train", "p.json"}).code, 0);
    }

    void optionsWithoutEffectAreReportedOnce()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16", "ipu_config.optimizations.math.dot_strength=false"});
        for (auto const *command : {"compile", "train"}) {
            auto const ran = box.run({command, "p.json"});
            QVERIFY2(ran.code == 0 && ran.err.count("has no effect yet in this version") == 1, ran.all());
        }
        auto const warnings = box.run({"compile", "p.json", "--json"}).object()["warnings"].toArray();
        for (int i = 0; i < warnings.size(); ++i)
            for (int k = 0; k < i; ++k) QVERIFY(warnings[i] != warnings[k]);
    }
};

TW_REGISTER_TEST(TstCliRefusals);
#include "tst_cli_refusals.moc"
