#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QtTest>

#include <csignal>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace tilewright::tests;

namespace {

char const *const kModel = R"({"class_name": "Sequential", "config": {"name": "m", "layers": [
  {"class_name": "Dense", "config": {"name": "d", "units": 3, "batch_input_shape": [null, 4]}}]}})";

QStringList filesIn(Sandbox const &box)
{
    auto files = QDir(box.path("")).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    for (auto const *own : {"home", "cache", "devices"}) files.removeAll(own);
    return files;
}

QString errorOf(ProgramRun const &ran)
{
    auto error = ran.object()["error"].toObject();
    for (auto const &line : ran.out.split('\n')) // of commands that print a document a line
        if (error.isEmpty()) error = QJsonDocument::fromJson(line).object()["error"].toObject();
    return error["code"].toString() + ": " + error["message"].toString();
}

} // namespace

/// What a command may write to: regular files and new ones, and each by one process at a time.
class TstCliDestinations : public QObject {
    Q_OBJECT
private slots:
    void everyCommandWritesRegularFilesOnly_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("new") << QStringList{"new", "mnist-mlp", "OUT"};
        QTest::newRow("new, forced") << QStringList{"new", "mnist-mlp", "OUT", "--force"};
        QTest::newRow("import") << QStringList{"import", "model.json", "OUT"};
        QTest::newRow("import, forced") << QStringList{"import", "model.json", "OUT", "--force"};
        QTest::newRow("export") << QStringList{"export", "p.tilewright", "--to", "json", "OUT"};
        QTest::newRow("export, forced") << QStringList{"export", "p.tilewright", "--to", "keras-json", "OUT", "--force"};
        QTest::newRow("compile") << QStringList{"compile", "p.tilewright", "--report", "OUT"};
        QTest::newRow("op") << QStringList{"op", "reduce", "--outer", "8", "--inner", "8", "--target", "gc200:tiles=4", "--report", "OUT"};
        QTest::newRow("train, report") << QStringList{"train", "p.tilewright", "--steps", "1", "--report", "OUT"};
        QTest::newRow("train, checkpoint") << QStringList{"train", "p.tilewright", "--steps", "1", "--checkpoint", "OUT"};
        QTest::newRow("predict") << QStringList{"predict", "p.tilewright", "--out", "OUT"};
        for (auto const *form : {"json", "html", "perfetto"})
            QTest::newRow(form) << QStringList{"report", "r.twreport", "export", "--to", form, "OUT"};
    }
    void everyCommandWritesRegularFilesOnly()
    {
        QFETCH(QStringList, arguments);
        Sandbox const box;
        box.write("model.json", kModel);
        box.project("p.tilewright", {"system.target=gc200:tiles=8", "model.layers.dense.units=4", "model.layers.dense_1.units=4"});
        if (arguments.first() == "report") {
            auto const made = box.run({"compile", "p.tilewright", "--report", "r.twreport", "--quiet"});
            QVERIFY2(made.code == 0, made.all());
        }
        box.write("file", "precious");
        QVERIFY(QFile::link("file", box.path("link")));
        QVERIFY(QFile::link("nothing", box.path("dangling")));
        QCOMPARE(::mkfifo(box.path("pipe").toLocal8Bit().constData(), 0600), 0);
        bool const mayMakeDevices =
            ::geteuid() == 0 && ::mknod(box.path("device").toLocal8Bit().constData(), S_IFCHR | 0600, ::makedev(1, 5)) == 0; // as /dev/zero
        auto const before = filesIn(box);
        for (auto const *name : {"link", "dangling", "pipe", "device"}) {
            if (QString(name) == "device" && !mayMakeDevices) continue;
            auto line = arguments;
            line.replaceInStrings("OUT", name);
            QElapsedTimer timer;
            timer.start();
            auto const ran = box.run(line + QStringList{"--json"});
            QVERIFY2(ran.code == 5 && errorOf(ran).startsWith("file.destination"), QByteArray(name) + ran.all());
            QVERIFY2(!ran.out.contains("\"epoch\""), ran.all()); // before the work
        }
        struct stat status {};
        QCOMPARE(::lstat(box.path("pipe").toLocal8Bit().constData(), &status), 0);
        QVERIFY(S_ISFIFO(status.st_mode));
        if (mayMakeDevices) {
            QCOMPARE(::lstat(box.path("device").toLocal8Bit().constData(), &status), 0);
            QVERIFY(S_ISCHR(status.st_mode));
        }
        QVERIFY(QFileInfo(box.path("link")).isSymbolicLink());
        QCOMPARE(box.read("file"), QByteArray("precious"));
        QCOMPARE(filesIn(box), before); // nothing at the end of the dangling link, no locks
    }

    void aProjectOpenedByALinkIsSavedWhereItLies()
    {
        Sandbox const box;
        QDir(box.path("")).mkdir("real");
        for (auto const *name : {"p.json", "p.tilewright"}) {
            auto const real = QString("real/") + name;
            box.project(real);
            QVERIFY(QFile::link(real, box.path(name)));
            auto const ran = box.run({"set", name, "training.epochs=7"});
            QVERIFY2(ran.code == 0, ran.all());
            QVERIFY(QFileInfo(box.path(name)).isSymbolicLink());
            QCOMPARE(box.run({"get", real, "training.epochs"}).out.trimmed(), QByteArray("7"));
        }
    }

    void ofRunsThatStartTogetherOneWritesTheReport()
    {
        constexpr int kRuns = 4;
        Sandbox const box;
        QStringList const settings{"system.target=gc200:tiles=8", "model.layers.dense.units=4", "model.layers.dense_1.units=4"};
        for (int i = 0; i < kRuns; ++i) box.project(QString("q%1.tilewright").arg(i), settings);
        for (int round = 0; round < 3; ++round) {
            std::vector<std::unique_ptr<QProcess>> runs;
            for (int i = 0; i < kRuns; ++i)
                runs.push_back(
                    box.start({"train", QString("q%1.tilewright").arg(i), "--json", "--steps", "10", "--report", "same.twreport"}));
            int won = 0;
            for (auto const &process : runs) {
                auto const ran = Sandbox::finish(*process);
                if (ran.code == 0) {
                    ++won;
                    continue;
                }
                QVERIFY2(ran.code == 5, ran.all());
                QVERIFY2(errorOf(ran).startsWith("file.claimed: this file is being written by process "), ran.all());
            }
            // Those that start after the end of the first may follow it.
            QVERIFY2(won >= 1, QByteArray::number(won));
            auto const checked = box.run({"check-report", "same.twreport"});
            QVERIFY2(checked.code == 0, checked.all());
            for (auto const &name : filesIn(box))
                QVERIFY2(!name.startsWith("same.twreport-") && !name.startsWith(".same"), qPrintable(name));
        }
    }

    void theLoserNamesTheWriter()
    {
        Sandbox const box;
        QStringList const settings{"system.target=gc200:tiles=8", "model.layers.dense.units=4", "model.layers.dense_1.units=4"};
        box.project("a.tilewright", settings);
        box.project("b.tilewright", settings);
        auto const first = box.start({"train", "a.tilewright", "--json", "--epochs", "100000", "--report", "r.twreport"});
        QVERIFY(first->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(box.path("r.twreport")), 60'000);
        for (auto const &line : {QStringList{"train", "b.tilewright", "--report", "r.twreport", "--json"},
                                 QStringList{"compile", "b.tilewright", "--report", "r.twreport", "--json"},
                                 QStringList{"export", "b.tilewright", "--to", "json", "r.twreport", "--force", "--json"}}) {
            auto const ran = box.run(line);
            QVERIFY2(ran.code == 5 && errorOf(ran).contains("process " + QString::number(first->processId()) + "."), ran.all());
        }
        ::kill(static_cast<pid_t>(first->processId()), SIGKILL);
        first->waitForFinished();
        auto const after = box.run({"compile", "b.tilewright", "--report", "r.twreport", "--json"}); // its lock died with it
        QVERIFY2(after.code == 0, after.all());
        for (auto const &name : filesIn(box)) QVERIFY2(!name.startsWith(".r."), qPrintable(name));
    }

    void anInterruptedCommandLeavesNoLock()
    {
        Sandbox const box;
        box.project("a.tilewright", {"system.target=gc200:tiles=8", "model.layers.dense.units=4"});
        auto const run = box.start({"train", "a.tilewright", "--epochs", "100000", "--report", "r.twreport"});
        QVERIFY(run->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(box.path("r.twreport")), 60'000);
        auto const id = static_cast<pid_t>(run->processId());
        ::kill(id, SIGINT);
        ::kill(id, SIGTERM); // another signal: at once
        QCOMPARE(Sandbox::finish(*run).code, 6);
        // Locks and temporary files are ".NAME.tilewright-…". SQLite's "a.tilewright-journal" is none of them: it stays when a
        // signal ends the program inside a transaction, and the next that opens the file rolls the transaction back by it.
        for (auto const &name : filesIn(box)) QVERIFY2(!(name.startsWith('.') && name.contains(".tilewright-")), qPrintable(name));
        QCOMPARE(box.run({"summary", "a.tilewright"}).code, 0);
    }
};

TW_REGISTER_TEST(TstCliDestinations);
#include "tst_cli_destinations.moc"
