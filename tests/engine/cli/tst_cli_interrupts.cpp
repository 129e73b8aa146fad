#include "engine/store/sqlite.h"
#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QtTest>

#include <csignal>
#include <functional>

using namespace tilewright::tests;

namespace {

/// Far above the promised second and far below the duration without an interrupt.
constexpr int kSoonMs = 6000;

/// Sanitizers reserve terabytes of address space, which then cannot be limited.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCanLimitSpace = false;
#else
constexpr bool kCanLimitSpace = true;
#endif

bool waitUntil(std::function<bool()> const &condition)
{
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > 60'000) return false;
        QTest::qWait(20);
    }
    return true;
}

void signalTo(QProcess const &process, int number) { ::kill(static_cast<pid_t>(process.processId()), number); }

} // namespace

/// Real signals to real processes, and hosts with little to give.
class TstCliInterrupts : public QObject {
    Q_OBJECT
    static std::unique_ptr<QProcess> training(Sandbox const &box, QStringList const &more)
    {
        auto process = box.start(QStringList{"train", "p.tilewright", "--epochs", "100000", "--json"} + more);
        QByteArray seen;
        waitUntil([&] {
            process->waitForReadyRead(20);
            seen += process->readAllStandardOutput();
            return seen.contains("\"event\":\"epoch\"") || process->state() == QProcess::NotRunning;
        });
        return process;
    }

private slots:
    void unresponsiveCommandsAreEnded_data()
    {
        QTest::addColumn<int>("number");
        QTest::addRow("SIGINT") << SIGINT;
        QTest::addRow("SIGTERM") << SIGTERM;
        QTest::addRow("SIGHUP") << SIGHUP;
    }
    void unresponsiveCommandsAreEnded()
    {
        QFETCH(int, number);
        Sandbox const box;
        box.project("p.tilewright");
        // For ten seconds the program waits inside the database.
        auto held = tilewright::store::Database::open(box.path("p.tilewright").toStdString(), tilewright::store::Database::Mode::ReadWrite);
        QVERIFY(held.ok() && held->execute("BEGIN IMMEDIATE").ok());
        auto const process = box.start({"set", "p.tilewright", "training.epochs=7", "--json"});
        QVERIFY(process->waitForStarted());
        QTest::qWait(1000);
        QVERIFY(process->state() != QProcess::NotRunning);
        QElapsedTimer timer;
        timer.start();
        signalTo(*process, number);
        auto const ended = Sandbox::finish(*process);
        QVERIFY2(timer.elapsed() < kSoonMs, ended.all());
        QVERIFY2(ended.code == 6, ended.all());
        QCOMPARE(ended.errorCode(), QString("job.cancelled"));
    }
    void waitingForADeviceEndsAtOnce()
    {
        Sandbox const box;
        box.project("p.tilewright");
        box.project("q.tilewright", {"ipu_config.device_connection.type=ON_DEMAND"});
        auto const holder = training(box, {});
        auto const waiting = box.start({"train", "q.tilewright", "--json"});
        QByteArray said;
        QVERIFY(waitUntil([&] {
            waiting->waitForReadyRead(20);
            said += waiting->readAllStandardOutput();
            return said.contains("\"event\":\"compile\"");
        }));
        QTest::qWait(1000); // the device comes next
        QVERIFY(waiting->state() == QProcess::Running);
        QElapsedTimer timer;
        timer.start();
        signalTo(*waiting, SIGTERM);
        auto const ended = Sandbox::finish(*waiting);
        QVERIFY2(ended.code == 6, ended.all());
        QVERIFY2(timer.elapsed() < kSoonMs, ended.all());
        signalTo(*holder, SIGTERM);
        QCOMPARE(Sandbox::finish(*holder).code, 6);
    }
    void theEchoOfASignalIsNoSecondOne()
    {
        // `timeout` and schedulers send SIGTERM to a process and at once to its group.
        Sandbox const box;
        box.project("p.tilewright");
        for (int round = 0; round < 3; ++round) {
            auto const process = training(box, {"--report", "r.twreport"});
            for (int i = 0; i < 3; ++i) {
                signalTo(*process, SIGTERM);
                QTest::qWait(3);
            }
            auto const ended = Sandbox::finish(*process);
            QVERIFY2(ended.code == 6, ended.all());
            QVERIFY2(ended.out.contains("\"event\":\"done\""), ended.all()); // saved and reported
        }
        QCOMPARE(box.run({"check-report", "r.twreport"}).code, 0);
        QCOMPARE(box.run({"evaluate", "p.tilewright", "--json"}).object()["checkpoint"].toString(), QString("last"));
    }
    void aStopBeforeTheFirstStepKeepsOlderWeights()
    {
        Sandbox const box;
        box.project("p.tilewright", {"ipu_config.device_connection.type=ON_DEMAND"});
        QCOMPARE(box.run({"train", "p.tilewright", "--quiet"}).code, 0);
        auto const before = box.run({"evaluate", "p.tilewright", "--json"}).object()["loss"].toDouble();
        box.project("q.tilewright");
        auto holder = box.start({"train", "q.tilewright", "--epochs", "100000", "--every", "1", "--json"});
        QVERIFY(waitUntil([&] { return holder->waitForReadyRead(20) && holder->readAllStandardOutput().contains("\"event\":\"step\""); }));
        auto const process = box.start({"train", "p.tilewright", "--report", "r.twreport", "--json"});
        QByteArray said;
        QVERIFY(waitUntil([&] {
            process->waitForReadyRead(20);
            said += process->readAllStandardOutput();
            return said.contains("\"event\":\"compile\"");
        }));
        QTest::qWait(1000);
        QVERIFY(process->state() == QProcess::Running);
        signalTo(*process, SIGINT);
        auto const ended = Sandbox::finish(*process);
        QVERIFY2(ended.code == 6, ended.all());
        auto const checked = box.run({"check-report", "r.twreport"}); // of the compile
        QVERIFY2(checked.code == 0, checked.all());
        signalTo(*holder, SIGTERM);
        Sandbox::finish(*holder);
        QCOMPARE(box.run({"evaluate", "p.tilewright", "--json"}).object()["loss"].toDouble(), before);
    }
    void worksWithoutThreadsRefusedByTheSystem()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const whole = box.run({"train", "p.tilewright", "--threads", "2", "--json"});
        QVERIFY2(whole.code == 0, whole.all());
        if (!kCanLimitSpace) return;
        // Stacks of 1,024 threads do not go into this address space.
        auto const ran = box.shell("ulimit -v 2500000; exec \"$T\" train p.tilewright --threads 1024 --json");
        QVERIFY2(ran.code == 0, ran.all());
        QVERIFY2(ran.err.contains("of 1,024 threads"), ran.all());
        QCOMPARE(ran.events("done").value(0)["weights_hash"].toString(), whole.events("done").value(0)["weights_hash"].toString());
    }
    void threadsLeaveEnoughMemoryForTheWork()
    {
        if (!kCanLimitSpace) return;
        Sandbox const box;
        box.project("p.tilewright", {"system.target=gc200:tiles=8"});
        auto const whole = box.run({"train", "p.tilewright", "--json"});
        for (auto const *threads : {"1", "2", "64"})
            for (int round = 0; round < 3; ++round) {
                auto const ran = box.shell(QString("ulimit -v 200000; exec \"$T\" train p.tilewright --threads %1 --json").arg(threads));
                QVERIFY2(ran.code == 0, ran.all());
                QCOMPARE(ran.events("done").value(0)["weights_hash"].toString(), whole.events("done").value(0)["weights_hash"].toString());
            }
        // Where even one is too many, the threads are among the remedies.
        auto const ran = box.shell("ulimit -v 120000; exec \"$T\" train p.tilewright --threads 64 --json");
        QVERIFY2(ran.code == 4 && ran.events("error").value(0)["error"].toObject()["remedy"].toString().contains("--threads"), ran.all());
    }
    void startedTrainingsHaveEnoughMemory()
    {
        if (!kCanLimitSpace) QSKIP("a sanitizer's address space cannot be limited");
        Sandbox const box;
        // Weights of 19 MB: with an optimizer's state, copies to save and to pack, the end takes more than the steps.
        box.project("p.tilewright", {"system.target=cpu", "model.layers.dense.units=6000"});
        int refused = 0, done = 0;
        for (int mebibytes = 300; mebibytes <= 860; mebibytes += 40) {
            auto const ran = box.shell("ulimit -v " + QString::number(mebibytes * 1024)
                                       + "; exec \"$T\" train p.tilewright --epochs 1 --threads 2 --json");
            QVERIFY2(ran.code == 0 || (ran.code == 4 && ran.events("epoch").isEmpty()), ran.all());
            ++(ran.code == 0 ? done : refused);
        }
        QVERIFY2(refused > 0 && done > 0, qPrintable(QString("%1 refused, %2 done").arg(refused).arg(done)));
    }
    void aSignalAfterTheEndIsNoFailure()
    {
        Sandbox const box;
        // At any moment the program reports how it ended. The first few milliseconds, before it can, belong to the system.
        for (int i = 0; i < 40; ++i) {
            auto const process = box.start({"targets"});
            QByteArray seen;
            while (seen.size() < 200 && process->waitForReadyRead(5000)) seen += process->readAllStandardOutput();
            signalTo(*process, SIGTERM);
            auto const ended = Sandbox::finish(*process);
            QVERIFY2(ended.code == 0 || ended.code == 6, ended.all());
        }
    }
    void bytesWithGapsAreNoFewerThanWithout()
    {
        Sandbox const box;
        box.project("p.tilewright", {"system.target=gc200:tiles=8", "model.layers.dense.units=90000"});
        auto const ran = box.run({"compile", "p.tilewright", "--no-cache", "--json"});
        QVERIFY2(ran.code == 4, ran.all());
        auto const message = ran.object()["error"].toObject()["message"].toString();
        auto const match = QRegularExpression("needs ([\\d,]+) bytes at once, ([\\d,]+) with").match(message);
        QVERIFY2(match.hasMatch(), ran.all());
        auto const number = [&](int i) { return match.captured(i).remove(',').toLongLong(); };
        QVERIFY2(number(2) >= number(1), ran.all());
        auto const ipu = ran.object()["ipus"][0].toObject();
        QCOMPARE(static_cast<qint64>(ipu["max_tile_bytes_with_gaps"].toDouble()), number(2));
    }
    void aModelLargerThanTheHostExitsWith4_data()
    {
        QTest::addColumn<QString>("command");
        for (auto const *command : {"train", "evaluate", "predict --out x.npz"}) QTest::addRow("%s", command) << QString(command);
    }
    void aModelLargerThanTheHostExitsWith4()
    {
        QFETCH(QString, command);
        Sandbox const box;
        box.project("p.tilewright", {"model.layers.dense.units=1000000000"});
        auto ran = box.run(command.split(' ') << "p.tilewright"
                                              << "--target"
                                              << "cpu"
                                              << "--json");
        QVERIFY2(ran.code == 4, ran.all());
        QVERIFY2(ran.out.contains("does not fit in the host's memory") && ran.out.contains("TiB"), ran.all());
        if (!kCanLimitSpace) return;
        // The machine can have more than the process may use.
        box.project("q.tilewright", {"model.layers.dense.units=20000"});
        auto const limited = box.shell("ulimit -v 250000; exec \"$T\" " + command + " q.tilewright --target cpu --threads 1 --json");
        QVERIFY2(limited.code == 4, limited.all());
        QVERIFY2(limited.out.contains("host.memory"), limited.all());
    }
};

TW_REGISTER_TEST(TstCliInterrupts);
#include "tst_cli_interrupts.moc"
