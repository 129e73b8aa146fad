#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QtTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

#include <unistd.h>

using namespace tilewright::tests;

namespace {

/// Files in the sandbox that should not remain: hidden files and SQLite's companions.
QStringList leftovers(Sandbox const &box)
{
    QStringList left;
    for (auto const &name : QDir(box.path(".")).entryList(QDir::Files | QDir::Hidden))
        if (name.startsWith('.') || name.endsWith("-journal") || name.endsWith("-wal") || name.endsWith("-shm")) left << name;
    return left;
}

int linesOf(QByteArray const &text) { return static_cast<int>(text.count('\n')); }

bool waitFor(QProcess &process, QByteArray const &text, QByteArray &seen)
{
    QElapsedTimer timer;
    timer.start();
    while (!seen.contains(text) && timer.elapsed() < 60'000) {
        process.waitForReadyRead(50);
        seen += process.readAllStandardOutput();
        if (process.state() == QProcess::NotRunning) break;
    }
    return seen.contains(text);
}

} // namespace

/// Full disks, closed pipes, removed files: an error, an exit code, nothing lost, nothing left behind.
class TstCliFaults : public QObject {
    Q_OBJECT
private slots:
    void destinationsAreTriedBeforeTraining_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("no such folder") << QStringList{"--checkpoint", "no/such/w.npz"};
        QTest::newRow("below a file") << QStringList{"--checkpoint", "file/w.npz"};
        QTest::newRow("a folder") << QStringList{"--checkpoint", "folder"};
        QTest::newRow("report") << QStringList{"--report", "no/such/r.twreport"};
    }
    void destinationsAreTriedBeforeTraining()
    {
        QFETCH(QStringList, options);
        Sandbox const box;
        box.project("p.tilewright");
        box.write("file", "x");
        QDir().mkdir(box.path("folder"));
        auto const ran = box.run(QStringList{"train", "p.tilewright", "--json"} + options);
        QCOMPARE(ran.code, 5);
        QVERIFY2(ran.events("compile").isEmpty() && ran.events("epoch").isEmpty(), ran.all());
        auto const error = ran.events("error").value(0)["error"].toObject();
        QCOMPARE(error["subject"].toString(), options[1]);
        QVERIFY(!error["remedy"].toString().isEmpty());
        QCOMPARE(leftovers(box), QStringList());
    }

    void theTrialNeedsTheSpaceOfSaving_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("file") << "train p.json --checkpoint w.npz";
        QTest::newRow("project") << "train p.tilewright";
    }
    void theTrialNeedsTheSpaceOfSaving()
    {
        QFETCH(QString, command);
        Sandbox const box;
        // Weights of 0.94 MB and as much again of the optimizer: space for the first is not enough for both.
        box.project("p.tilewright", {"system.target=gc200:tiles=8", "data.limit=64"});
        QCOMPARE(box.run({"export", "p.tilewright", "--to", "json", "p.json"}).code, 0);
        int refused = 0, done = 0;
        for (int kibibytes : {1000, 1400, 1800, 2000, 4400}) {
            // Blocks of 512 or 1,024 bytes: the shell's choice.
            auto const ran = box.shell("(ulimit -f 1; printf %5000s > block) 2> /dev/null; ulimit -f $((" + QString::number(kibibytes)
                                       + " * 1024 / `wc -c < block`)); exec \"$T\" " + command + " --epochs 2 --json");
            QVERIFY2(ran.code == 0 || (ran.code == 5 && ran.events("epoch").isEmpty()), ran.all());
            ++(ran.code == 0 ? done : refused);
        }
        QVERIFY2(refused >= 3 && done > 0, qPrintable(QString("%1 refused, %2 done").arg(refused).arg(done)));
    }

    void lossMessagesStateTheKeptPart()
    {
        Sandbox const box;
        box.project("p.tilewright", {"model.layers.dense.units=64"});
        auto const empty = QFileInfo(box.path("p.tilewright")).size();
        auto const process = box.start({"train", "p.tilewright", "--epochs", "100000", "--json"});
        QByteArray seen;
        QVERIFY(waitFor(*process, "\"epoch\":3,", seen));                                              // the first is being saved by then
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(box.path("p.tilewright")).size() > empty + 200'000, 30000); // half of the weights at the least
        QTest::qWait(500);
        auto const pid = static_cast<pid_t>(process->processId());
        rlimit const little{100, 100};
        QCOMPARE(::prlimit(pid, RLIMIT_FSIZE, &little, nullptr), 0); // from now on no file takes anything
        ::kill(pid, SIGINT);
        auto ran = Sandbox::finish(*process);
        ran.out.prepend(seen);
        QVERIFY2(ran.code == 5, ran.all());
        auto const error = ran.events("error").last()["error"].toObject();
        QVERIFY2(error["message"].toString().contains("are lost. The project holds epoch "), ran.all());
        QVERIFY2(error["remedy"].toString().contains("--resume last"), ran.all());
        auto const done = ran.events("done").value(0);
        QVERIFY2(done.contains("complete") && !done["complete"].toBool(), ran.all());
        auto const evaluated = box.run({"evaluate", "p.tilewright", "--json"});
        QCOMPARE(evaluated.object()["checkpoint"].toString(), QString("last"));
    }

    void mistypedDestinationsOverwriteNoProject()
    {
        Sandbox const box;
        box.project("p.tilewright");
        QCOMPARE(box.run({"export", "p.tilewright", "--to", "json", "p.json"}).code, 0);
        auto const project = box.read("p.tilewright"), twin = box.read("p.json");
        QCOMPARE(box.run({"train", "p.tilewright", "--checkpoint", "p.tilewright"}).code, 2);
        QCOMPARE(box.run({"train", "p.tilewright", "--report", "p.tilewright"}).code, 2);
        QCOMPARE(box.run({"train", "p.json", "--report", "./p.json"}).code, 2);
        QCOMPARE(box.run({"train", "p.json", "--checkpoint", "p.json"}).code, 2);
        QCOMPARE(box.run({"predict", "p.tilewright", "--out", "p.tilewright"}).code, 2);
        QCOMPARE(box.run({"predict", "p.json", "--out", "./p.json"}).code, 2);
        QCOMPARE(box.run({"export", "p.json", "--to", "keras-json", "p.json"}).code, 2);
        QCOMPARE(box.run({"export", "p.json", "--to", "keras-json", "p.tilewright"}).code, 2);
        QCOMPARE(box.run({"train", "p.tilewright", "--checkpoint", "same", "--report", "same"}).code, 2);
        QCOMPARE(box.read("p.json"), twin);
        QCOMPARE(box.run({"get", "p.tilewright", "training.epochs"}).out.trimmed(), QByteArray("1"));
        QVERIFY(box.read("p.tilewright") == project);
    }

    void deletedProjectsAreSavedToARescueFile()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const process = box.start({"train", "p.tilewright", "--epochs", "100000", "--json"});
        QByteArray seen;
        QVERIFY(waitFor(*process, "\"event\":\"epoch\"", seen));
        QVERIFY(QFile::remove(box.path("p.tilewright")));
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        auto ran = Sandbox::finish(*process);
        ran.out.prepend(seen);
        QVERIFY2(ran.code == 5, ran.all());
        auto const done = ran.events("done").value(0);
        auto const rescue = done["rescue"].toString();
        QVERIFY2(QFile::exists(rescue), ran.all());
        QVERIFY(rescue.startsWith(box.path("home/.local/state/tilewright/rescue")));
        QVERIFY(ran.events("error").last()["error"].toObject()["message"].toString().contains(rescue));
        box.project("q.tilewright");
        auto const resumed = box.run({"evaluate", "q.tilewright", "--checkpoint", rescue, "--json"});
        QVERIFY2(resumed.code == 0, resumed.all());
    }

    void killedTrainingsKeepFinishedEpochs()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const process = box.start({"train", "p.tilewright", "--epochs", "100000", "--checkpoint", "w.npz", "--json"});
        QByteArray seen;
        QVERIFY(waitFor(*process, "\"epoch\":2", seen));
        QElapsedTimer timer;
        timer.start();
        while (!QFile::exists(box.path("w.npz")) && timer.elapsed() < 60'000) QThread::msleep(5);
        process->kill();
        (void)Sandbox::finish(*process);
        auto const ran = box.run({"evaluate", "p.tilewright", "--checkpoint", "w.npz", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        // The next process that writes here removes the rest of the killed one, if that was writing.
        QCOMPARE(box.run({"train", "p.tilewright", "--checkpoint", "w.npz", "--quiet"}).code, 0);
        QCOMPARE(leftovers(box), QStringList());
    }

    void stdoutThatCannotBeWrittenIsAnError_data()
    {
        QTest::addColumn<QString>("script");
        QTest::newRow("full") << "\"$T\" targets > /dev/full";
        QTest::newRow("full, JSON") << "\"$T\" targets --json > /dev/full";
        QTest::newRow("full, help") << "\"$T\" --help > /dev/full";
        QTest::newRow("full, version") << "\"$T\" --version > /dev/full";
        QTest::newRow("full, worker") << "echo mlp 1 | \"$T\" bench --worker 1 > /dev/full";
        QTest::newRow("closed") << "\"$T\" targets >&-";
        QTest::newRow("read only") << "\"$T\" targets 1< /dev/null";
        QTest::newRow("closed pipe") << "{ sleep 0.3; \"$T\" layers --json; echo $? > code; } | true; exit `cat code`";
    }
    void stdoutThatCannotBeWrittenIsAnError()
    {
        QFETCH(QString, script);
        Sandbox const box;
        auto const ran = box.shell(script);
        QVERIFY2(ran.code == 5, ran.all());
        QVERIFY2(linesOf(ran.err) == 1 && ran.err.startsWith("tilewright: error: ") && ran.err.contains("stdout"), ran.all());
    }

    void anErrorKeepsItsCodeWithoutStdout()
    {
        Sandbox const box;
        QCOMPARE(box.shell("\"$T\" get no.tilewright > /dev/full").code, box.run({"get", "no.tilewright"}).code);
    }

    void trainingSavesWithoutStdout_data()
    {
        QTest::addColumn<QString>("to");
        QTest::newRow("full") << "> /dev/full";
        QTest::newRow("closed") << ">&-";
        QTest::newRow("all streams closed") << "<&- >&- 2>&-";
    }
    void trainingSavesWithoutStdout()
    {
        QFETCH(QString, to);
        Sandbox const box;
        box.project("p.tilewright");
        auto const ran = box.shell("\"$T\" train p.tilewright --epochs 2 --every 1 --checkpoint w.npz --report r.twreport " + to);
        QVERIFY2(ran.code == 5, ran.all());
        QVERIFY2(linesOf(ran.err) <= 1, ran.all());
        auto const evaluated = box.run({"evaluate", "p.tilewright", "--json"});
        QCOMPARE(evaluated.object()["checkpoint"].toString(), QString("last"));
        QCOMPARE(box.run({"check-report", "r.twreport"}).code, 0);
        QVERIFY(box.read("w.npz").startsWith("PK"));
    }

    void afterAClosedPipeTrainingGoesOnInSilence()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const ran = box.shell("{ \"$T\" train p.tilewright --epochs 5 --every 1 --json; echo $? > code; } | head -c 1 > /dev/null; "
                                   "while [ ! -s code ]; do sleep 0.05; done; exit `cat code`");
        QVERIFY2(ran.code == 5, ran.all());
        QCOMPARE(linesOf(ran.err), 1);
        auto const state = box.run({"evaluate", "p.tilewright", "--json"});
        QCOMPARE(state.object()["checkpoint"].toString(), QString("last"));
    }

    void aLimitOfFileSizesIsAnError_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("new") << "new mnist-mlp n.tilewright";
        QTest::newRow("new twin") << "new mnist-mlp n.json";
        QTest::newRow("set") << "set p.tilewright title=another";
        QTest::newRow("train") << "train p.tilewright";
        QTest::newRow("train to a file") << "train p.json --checkpoint w.npz";
        QTest::newRow("report of a training") << "train p.json --report r.twreport";
        QTest::newRow("report of a compile") << "compile p.json --report r.twreport";
        QTest::newRow("predict") << "predict p.tilewright --out o.npz";
        QTest::newRow("export of a project") << "export p.tilewright --to json e.json";
        QTest::newRow("export of a report") << "report full.twreport export --to json e.json";
        QTest::newRow("export as tables") << "report full.twreport export --to csv e";
        QTest::newRow("op") << "op matmul --m 64 --k 64 --n 64 --report r.twreport";
    }
    void aLimitOfFileSizesIsAnError()
    {
        QFETCH(QString, command);
        Sandbox const box;
        box.project("p.tilewright");
        QCOMPARE(box.run({"export", "p.tilewright", "--to", "json", "p.json"}).code, 0);
        QCOMPARE(box.run({"compile", "p.tilewright", "--report", "full.twreport", "--quiet"}).code, 0);
        auto const before = box.run({"get", "p.tilewright"}).out;
        auto const ran = box.shell("ulimit -f 1; \"$T\" " + command + " --json"); // a KiB or half of one
        QVERIFY2(ran.code == 5, ran.all());
        auto const text = ran.out + ran.err;
        QVERIFY2(!text.contains(".tilewright-") && !text.contains(".new") && !text.contains(".tmp"), ran.all());
        QCOMPARE(leftovers(box), QStringList());
        for (auto const *made : {"n.tilewright", "n.json", "w.npz", "o.npz", "e.json"}) QVERIFY2(!QFile::exists(box.path(made)), made);
        QVERIFY(!QFile::exists(box.path("e")));
        QCOMPARE(box.run({"get", "p.tilewright"}).out, before);
    }

    void aFullDiskDuringTrainingLosesNoWeights()
    {
        Sandbox const box;
        box.project("p.json", {"model.layers.dense.units=64", "model.layers.dense_1.units=32"});
        // Half a MiB: enough for the weights, not for the report.
        auto const ran =
            box.shell("ulimit -f 1000; \"$T\" train p.json --epochs 30 --every 1 --checkpoint w.npz --report r.twreport --json");
        QVERIFY2(ran.code == 5, ran.all());
        auto const evaluated = box.run({"evaluate", "p.json", "--checkpoint", "w.npz", "--json"});
        if (!ran.events("epoch").isEmpty()) QVERIFY2(evaluated.code == 0, evaluated.all());
        QCOMPARE(leftovers(box), QStringList());
    }

    void dataThatShrinkWhileTrainingAreNoSignal()
    {
        Sandbox const box;
        auto const images = [](int count) {
            return QByteArray::fromHex("00000803") + QByteArray::fromHex(QByteArray::number(count, 16).rightJustified(8, '0'))
                + QByteArray::fromHex("0000001c0000001c") + QByteArray(count * 784, '\x21');
        };
        auto const labels = [](int count) {
            return QByteArray::fromHex("00000801") + QByteArray::fromHex(QByteArray::number(count, 16).rightJustified(8, '0'))
                + QByteArray(count, '\1');
        };
        QDir().mkdir(box.path("d"));
        box.write("d/train-images-idx3-ubyte", images(3200));
        box.write("d/train-labels-idx1-ubyte", labels(3200));
        box.write("d/t10k-images-idx3-ubyte", images(320));
        box.write("d/t10k-labels-idx1-ubyte", labels(320));
        box.project("p.tilewright", {"data.path=d", "data.limit=0"});
        auto const process = box.start({"train", "p.tilewright", "--epochs", "100000", "--json"});
        QByteArray seen;
        QVERIFY(waitFor(*process, "\"event\":\"epoch\"", seen));
        for (auto const *name : {"d/train-images-idx3-ubyte", "d/train-labels-idx1-ubyte", "d/t10k-images-idx3-ubyte"})
            QCOMPARE(::truncate(box.path(name).toUtf8().constData(), 16), 0);
        QByteArray more;
        QVERIFY(waitFor(*process, "\"event\":\"epoch\"", more)); // continues with the data it has read
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        auto const ran = Sandbox::finish(*process);
        QVERIFY2(ran.code == 6, ran.all());
    }

    void foldersAroundAnOutputHaveToBeThere_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("new") << "new mnist-mlp no/such/n.tilewright";
        QTest::newRow("export") << "export p.tilewright --to json no/such/e.json";
        QTest::newRow("predict") << "predict p.tilewright --out no/such/o.npz";
        QTest::newRow("compile") << "compile p.tilewright --report no/such/r.twreport";
        QTest::newRow("op") << "op matmul --m 8 --k 8 --n 8 --report no/such/r.twreport";
        QTest::newRow("tables") << "report full.twreport export --to csv no/such/tables";
        QTest::newRow("trace") << "report full.twreport export --to perfetto no/such/t.json";
        QTest::newRow("dump") << "compile p.tilewright --dump-after all no/such/dump";
    }
    void foldersAroundAnOutputHaveToBeThere()
    {
        QFETCH(QString, command);
        Sandbox const box;
        box.project("p.tilewright");
        QCOMPARE(box.run({"compile", "p.tilewright", "--report", "full.twreport", "--quiet"}).code, 0);
        auto const ran = box.shell("\"$T\" " + command);
        QVERIFY2(ran.code == 5, ran.all());
        QVERIFY2(ran.err.contains("no/such"), ran.all());
        QVERIFY(!QFile::exists(box.path("no")));
    }
    void pipesWithoutWritersDoNotBlock_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("report") << QStringList{"report", "PIPE"};
        QTest::newRow("check-report") << QStringList{"check-report", "PIPE"};
        QTest::newRow("compile") << QStringList{"compile", "PIPE"};
        QTest::newRow("get") << QStringList{"get", "PIPE", "title"};
        QTest::newRow("import") << QStringList{"import", "PIPE", "new.tilewright"};
        QTest::newRow("resume") << QStringList{"train", "p.tilewright", "--resume", "PIPE"};
    }
    void pipesWithoutWritersDoNotBlock()
    {
        QFETCH(QStringList, arguments);
        Sandbox const box;
        box.project("p.tilewright");
        QCOMPARE(::mkfifo(box.path("pipe").toUtf8().constData(), 0600), 0);
        arguments.replaceInStrings("PIPE", "pipe");
        auto const ran = box.run(arguments);
        QVERIFY2(ran.code == 3 || ran.code == 5, ran.all());
        QVERIFY2(ran.err.contains("pipe"), ran.all());
    }
};

TW_REGISTER_TEST(TstCliFaults);
#include "tst_cli_faults.moc"
