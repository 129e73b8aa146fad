#include "engine/data/npy.h"
#include "engine/store/project_file.h"
#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QRegularExpression>
#include <QtTest>

#include <csignal>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

/// Big-endian numbers of the IDX format.
QByteArray big(quint32 value)
{
    QByteArray bytes(4, '\0');
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (24 - 8 * i));
    return bytes;
}

QByteArray idxImages(int count)
{
    return big(0x803) + big(static_cast<quint32>(count)) + big(28) + big(28) + QByteArray(count * 784, '\x21');
}
QByteArray idxLabels(int count, int label)
{
    return big(0x801) + big(static_cast<quint32>(count)) + QByteArray(count, static_cast<char>(label));
}

/// Waits until the process has printed `text`; what it printed goes to `seen`.
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

/// A training that does not end by itself within the test's time, once it is under way.
std::unique_ptr<QProcess> longTraining(Sandbox const &box, QStringList const &more)
{
    auto process = box.start(QStringList{"train", "long.tilewright", "--epochs", "100000", "--every", "5", "--json"} + more);
    QByteArray seen;
    if (!waitFor(*process, "\"event\":\"epoch\"", seen)) qWarning("%s", seen.constData());
    return process;
}

} // namespace

/// Trainings as people and scripts run them, on little data.
class TstCliRuns : public QObject {
    Q_OBJECT
private slots:
    void trainingTellsWhatItDoes()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const ran = box.run({"train", "p.tilewright", "--epochs", "2", "--every", "4", "--report", "r.twreport", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.events("compile").size(), 1);
        QCOMPARE(missingKeys(ran.events("compile")[0], {"fits", "cache", "ipus", "memory_by_category", "cycles_per_step"}), QStringList());
        QCOMPARE(ran.events("step").size(), 5); // 20 steps
        QCOMPARE(missingKeys(ran.events("step")[0], {"step", "loss"}), QStringList());
        auto const epochs = ran.events("epoch");
        QCOMPARE(epochs.size(), 2);
        QCOMPARE(
            missingKeys(epochs[0], {"epoch", "steps", "loss", "metrics", "val_loss", "val_metrics", "host_seconds", "emulated_seconds"}),
            QStringList());
        QCOMPARE(epochs[1]["epoch"].toInt(), 2);
        QCOMPARE(epochs[0]["steps"].toInt(), 10);
        QVERIFY(epochs[1]["loss"].toDouble() < epochs[0]["loss"].toDouble());
        QVERIFY(epochs[0]["metrics"].toObject().contains("accuracy"));
        QVERIFY(epochs[0]["emulated_seconds"].toDouble() > 0);
        auto const done = ran.events("done");
        QCOMPARE(done.size(), 1);
        QCOMPARE(missingKeys(done[0], {"epochs", "host_seconds", "emulated_seconds", "weights_hash"}), QStringList());
        QCOMPARE(done[0]["epochs"].toInt(), 2);
        auto const checked = box.run({"check-report", "r.twreport", "--json"});
        QVERIFY2(checked.code == 0, checked.all());
        QCOMPARE(box.run({"report", "r.twreport", "--assert", "steps==20"}).code, 0);
    }

    void peopleSeeWhatKerasPrints()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const ran = box.run({"train", "p.tilewright", "--epochs", "2"});
        QVERIFY2(ran.code == 0, ran.all());
        QVERIFY(ran.out.contains("attached /device:IPU:0: 1 IPU of gc200"));
        QRegularExpression const lines(
            "Epoch 1/2\n10/10 \\[={30}\\] - \\d+m?s [\\d.]+[mu]?s/step - loss: \\d\\.\\d{4} - accuracy: \\d\\.\\d{4}\nEpoch 2/2\n");
        QVERIFY2(lines.match(QString::fromUtf8(ran.out)).hasMatch(), ran.all());
        QVERIFY(box.run({"train", "p.tilewright", "--quiet"}).out.isEmpty());
    }

    void trainedWeightsAreKeptAndUsed()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const before = box.run({"evaluate", "p.tilewright", "--json"});
        QVERIFY2(before.code == 0, before.all());
        QCOMPARE(missingKeys(before.object(), {"loss", "metrics"}), QStringList());
        QCOMPARE(before.object()["warnings"][0]["code"].toString(), QString("checkpoint.none"));
        QCOMPARE(box.run({"train", "p.tilewright", "--epochs", "3", "--quiet"}).code, 0);
        auto const after = box.run({"evaluate", "p.tilewright", "--json"});
        QVERIFY2(after.object()["loss"].toDouble() < before.object()["loss"].toDouble(), after.all());
        QCOMPARE(after.object()["checkpoint"].toString(), QString("last"));
        QVERIFY(!after.object().contains("warnings"));
        auto const predicted = box.run({"predict", "p.tilewright", "--out", "out.npz", "--json"});
        QVERIFY2(predicted.code == 0, predicted.all());
        QCOMPARE(predicted.object()["path"].toString(), QString("out.npz"));
        QCOMPARE(predicted.object()["samples"].toInt(), 320);
        auto const arrays = data::readNpz(box.path("out.npz").toStdString(), {});
        QVERIFY(arrays.ok());
        QCOMPARE((*arrays)[0].name, std::string("predictions"));
        QVERIFY(((*arrays)[0].array.shape == Shape{320, 10}));
        double sum = 0;
        for (int i = 0; i < 10; ++i) sum += (*arrays)[0].array.valueAt(i);
        QVERIFY(std::abs(sum - 1.0) < 1e-5); // a softmax
        // Setting a field keeps the checkpoint.
        QCOMPARE(box.run({"set", "p.tilewright", "training.epochs=9"}).code, 0);
        QCOMPARE(box.run({"evaluate", "p.tilewright", "--json"}).object()["loss"], after.object()["loss"]);
        // Only earlier predictions are replaced, and the name says what the file is.
        QCOMPARE(box.run({"predict", "p.tilewright", "--out", "out.npz"}).code, 0); // an earlier result
        QCOMPARE(box.run({"train", "p.tilewright", "--steps", "1", "--checkpoint", "weights.npz", "--quiet"}).code, 0);
        auto const weights = box.read("weights.npz");
        QCOMPARE(box.run({"predict", "p.tilewright", "--out", "weights.npz", "--json"}).errorCode(), QString("cli.exists"));
        QCOMPARE(box.read("weights.npz"), weights);
        QCOMPARE(box.run({"predict", "p.tilewright", "--out", "out.csv", "--json"}).errorCode(), QString("cli.suffix"));
        QCOMPARE(box.run({"predict", "p.tilewright", "--out", "weights.npz", "--force"}).code, 0);
    }

    void resumingGivesTheSameWeightsAsGoingOn()
    {
        Sandbox const box;
        box.project("p.json");
        auto const straight = box.run({"train", "p.json", "--epochs", "2", "--checkpoint", "two.npz", "--json"});
        QVERIFY2(straight.code == 0, straight.all());
        QCOMPARE(box.run({"train", "p.json", "--epochs", "1", "--checkpoint", "one.npz", "--quiet"}).code, 0);
        auto const resumed = box.run({"train", "p.json", "--epochs", "2", "--resume", "one.npz", "--checkpoint", "resumed.npz", "--json"});
        QVERIFY2(resumed.code == 0, resumed.all());
        QCOMPARE(resumed.events("epoch").size(), 1);
        QCOMPARE(resumed.events("epoch")[0]["epoch"].toInt(), 2);
        QCOMPARE(resumed.events("done")[0]["weights_hash"], straight.events("done")[0]["weights_hash"]);
        QCOMPARE(box.read("resumed.npz"), box.read("two.npz"));
        // In the middle of an epoch too.
        QCOMPARE(box.run({"train", "p.json", "--epochs", "2", "--steps", "13", "--checkpoint", "part.npz", "--quiet"}).code, 0);
        auto const rest = box.run({"train", "p.json", "--epochs", "2", "--resume", "part.npz", "--json"});
        QCOMPARE(rest.events("done")[0]["weights_hash"], straight.events("done")[0]["weights_hash"]);
        QCOMPARE(box.run({"evaluate", "p.json", "--checkpoint", "two.npz", "--json"}).object()["checkpoint"].toString(),
                 QString("two.npz"));
        QCOMPARE(box.run({"train", "p.json", "--resume", "nothing.npz", "--json"}).code, 5);
        // Epochs are counted from the beginning, and it is said when none is left.
        auto const over = box.run({"train", "p.json", "--epochs", "2", "--resume", "two.npz"});
        QCOMPARE(over.code, 0);
        QVERIFY2(over.err.contains("the checkpoint is from the end of epoch 2, and the training ends at epoch 2"), over.all());
    }

    void aProjectResumesFromItsOwnCheckpoint()
    {
        Sandbox const box;
        box.project("p.tilewright");
        QCOMPARE(box.run({"train", "p.tilewright", "--resume", "last", "--json"}).code, 3);
        auto const straight = box.run({"train", "p.tilewright", "--epochs", "2", "--json"});
        QCOMPARE(box.run({"train", "p.tilewright", "--epochs", "1", "--quiet"}).code, 0);
        auto const resumed = box.run({"train", "p.tilewright", "--epochs", "2", "--resume", "last", "--json"});
        QVERIFY2(resumed.code == 0, resumed.all());
        QCOMPARE(resumed.events("done")[0]["weights_hash"], straight.events("done")[0]["weights_hash"]);
        auto const history = store::listRunRecords(box.path("p.tilewright").toStdString());
        QVERIFY(history.ok());
        QCOMPARE(history->size(), std::size_t(3)); // the first had no checkpoint to go on from and never began
        for (auto const &run : *history) QCOMPARE(run.state, std::string("done"));
    }

    void aTrainingSaysWhichWeightsItReplaces()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const first = box.run({"train", "p.tilewright", "--epochs", "2", "--json"});
        QVERIFY2(first.code == 0 && first.events("replaces").isEmpty() && first.err.isEmpty(), first.all());
        for (auto const &more : {QStringList{"--epochs", "0"}, QStringList{"--resume", "last", "--epochs", "3"}}) {
            auto const ran = box.run(QStringList{"train", "p.tilewright", "--json"} + more);
            QVERIFY2(ran.code == 0 && ran.events("replaces").isEmpty() && !ran.err.contains("will replace"), ran.all());
        }
        auto const again = box.run({"train", "p.tilewright", "--json"});
        QVERIFY2(again.code == 0, again.all());
        QCOMPARE(again.events("replaces").size(), 1);
        QCOMPARE(again.events("replaces")[0]["epoch"].toInt(), 3);
        QCOMPARE(again.events("replaces")[0]["step"].toInt(), 30);
        QVERIFY2(again.err.count('\n') == 1 && again.err.contains("will replace those of epoch 3 (step 30)")
                     && again.err.contains("--resume last"),
                 again.all());
    }

    void weightsOfSyntheticDataStayOutOfTheProject()
    {
        Sandbox box;
        box.project("p.tilewright");
        QCOMPARE(box.run({"train", "p.tilewright", "--quiet"}).code, 0);
        auto const before = box.run({"evaluate", "p.tilewright", "--json"}).object()["loss"].toDouble();
        box.setVariable("TF_POPLAR_FLAGS", "--use_synthetic_data");
        auto const ran = box.run({"train", "p.tilewright", "--checkpoint", "w.npz", "--json"});
        QVERIFY2(ran.code == 0 && ran.err.contains("synthetic data") && ran.events("replaces").isEmpty(), ran.all());
        QCOMPARE(ran.events("done")[0]["checkpoint"].toString(), QString("w.npz"));
        box.setVariable("TF_POPLAR_FLAGS", "");
        QCOMPARE(box.run({"evaluate", "p.tilewright", "--json"}).object()["loss"].toDouble(), before);
    }

    void aTwinWarnsThatWeightsGoNowhere()
    {
        Sandbox const box;
        box.project("p.json");
        auto const ran = box.run({"train", "p.json", "--json"});
        QCOMPARE(ran.code, 0);
        QVERIFY2(ran.err.contains("will not be kept"), ran.all());
    }

    void threadsDoNotChangeTheWeights()
    {
        Sandbox const box;
        box.project("p.json");
        auto const one = box.run({"train", "p.json", "--threads", "1", "--json"}),
                   two = box.run({"train", "p.json", "--threads", "2", "--json"});
        QCOMPARE(one.code, 0);
        QCOMPARE(one.events("done")[0]["weights_hash"], two.events("done")[0]["weights_hash"]);
    }

    void tileModeAgreesWithFused()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16"});
        auto const fused = box.run({"train", "p.json", "--steps", "3", "--json"}),
                   tile = box.run({"train", "p.json", "--steps", "3", "--mode", "tile", "--json"});
        QVERIFY2(tile.code == 0, tile.all());
        QVERIFY(std::abs(tile.events("epoch")[0]["loss"].toDouble() - fused.events("epoch")[0]["loss"].toDouble()) < 1e-4);
        auto const verified = box.run({"verify", "p.json", "--steps", "2", "--json"});
        QVERIFY2(verified.code == 0, verified.all());
        QCOMPARE(missingKeys(verified.object(), {"max_relative_error", "tensors", "agrees"}), QStringList());
        QCOMPARE(verified.object()["agrees"].toBool(), true);
        QVERIFY(verified.object()["tensors"].toArray().size() > 6);
        QCOMPARE(missingKeys(verified.object()["tensors"][0].toObject(), {"name", "max_relative_error", "tolerance", "tolerance_from"}),
                 QStringList());
        QCOMPARE(verified.object()["tolerance_from"].toString(), QString("stated bound"));
        QVERIFY(!verified.err.contains("the data end after"));
        auto const shorter = box.run({"verify", "p.json", "--steps", "30"}); // 320 samples are 10 batches
        QCOMPARE(shorter.code, 0);
        QVERIFY2(shorter.err.contains("the data end after 10 of the 30 requested weight updates"), shorter.all());
        QCOMPARE(box.run({"verify", "p.json", "--target", "cpu", "--json"}).code, 3);
        box.project("few.json", {"system.target=gc200:tiles=16", "data.limit=8"});
        auto const none = box.run({"verify", "few.json"});
        QCOMPARE(none.code, 3);
        QVERIFY2(none.err.contains("no update to compare"), none.all());
    }

    void theCpuTargetTrainsWithoutADevice()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=cpu"});
        auto const ran = box.run({"train", "p.json", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.events("done")[0]["emulated_seconds"].toDouble(), 0.0);
    }

    void badDataExitWith5AndSayWhere_data()
    {
        QTest::addColumn<QByteArray>("images");
        QTest::addColumn<QByteArray>("labels");
        QTest::addColumn<QString>("said");
        QTest::newRow("truncated") << idxImages(64).chopped(100) << idxLabels(64, 1) << "train-images";
        QTest::newRow("wrong magic") << QByteArray("\0\0\x77\x03", 4) + idxImages(64).mid(4) << idxLabels(64, 1) << "train-images";
        QTest::newRow("label outside the classes") << idxImages(64) << idxLabels(64, 10) << "record 0";
        QTest::newRow("fewer labels") << idxImages(64) << idxLabels(63, 1) << "63";
        QTest::newRow("batch does not divide") << idxImages(60) << idxLabels(60, 1) << "batch_size";
        QTest::newRow("no samples") << idxImages(0) << idxLabels(0, 1) << "train-images";
        QTest::newRow("missing") << QByteArray() << QByteArray() << "digits";
    }
    void badDataExitWith5AndSayWhere()
    {
        QFETCH(QByteArray, images);
        QFETCH(QByteArray, labels);
        QFETCH(QString, said);
        Sandbox const box;
        QDir().mkpath(box.path("digits"));
        if (!images.isEmpty()) {
            box.write("digits/train-images-idx3-ubyte", images);
            box.write("digits/train-labels-idx1-ubyte", labels);
        }
        box.project("p.json", {"data.path=digits", "data.limit=0", "system.target=gc200:tiles=16"});
        auto const ran = box.run({"train", "p.json", "--json"});
        QVERIFY2(ran.code == 5, ran.all());
        auto const error = ran.events("error")[0]["error"].toObject();
        QVERIFY2((error["subject"].toString() + error["message"].toString()).contains(said), ran.all());
        QVERIFY(ran.events("epoch").isEmpty());
    }

    void aLossThatIsNoNumberExitsWith10()
    {
        Sandbox const box;
        box.project("p.tilewright", {"training.optimizer.learning_rate=1e30"});
        auto const ran = box.run({"train", "p.tilewright", "--report", "r.twreport", "--json"});
        QVERIFY2(ran.code == 10, ran.all());
        auto const error = ran.events("error")[0]["error"].toObject();
        QVERIFY2(error["subject"].toString().contains("step"), ran.all());
        QVERIFY2(error["message"].toString().contains("layer"), ran.all());
        QVERIFY(box.read("r.twreport").startsWith("SQLite"));
    }

    void resultsThatAreNoNumbersArePrintedAndExitWith10()
    {
        Sandbox const box;
        box.project("p.json");
        QCOMPARE(box.run({"train", "p.json", "--checkpoint", "w.npz", "--quiet"}).code, 0);
        auto arrays = data::readNpz(box.path("w.npz").toStdString(), {});
        QVERIFY(arrays.ok());
        for (auto &named : *arrays)
            if (named.name == "dense/bias")
                named.array = data::makeArray<float>(named.array.shape,
                                                     std::vector<float>(static_cast<std::size_t>(named.array.elements()), std::nanf("")));
        QVERIFY(data::writeNpz(box.path("bad.npz").toStdString(), *arrays, false, {}).ok());
        auto const evaluated = box.run({"evaluate", "p.json", "--checkpoint", "bad.npz", "--json"});
        QVERIFY2(evaluated.code == 10, evaluated.all());
        QCOMPARE(missingKeys(evaluated.object(), {"loss", "metrics", "samples", "error"}), QStringList());
        QCOMPARE(evaluated.errorCode(), QString("numeric.loss"));
        QVERIFY(box.run({"evaluate", "p.json", "--checkpoint", "bad.npz"}).out.contains("loss: nan"));
        auto const predicted = box.run({"predict", "p.json", "--checkpoint", "bad.npz", "--out", "o.npz", "--json"});
        QVERIFY2(predicted.code == 10, predicted.all());
        QCOMPARE(predicted.object()["path"].toString(), QString("o.npz"));
        QCOMPARE(predicted.object()["error"].toObject()["subject"].toString(), QString("record 0"));
        QVERIFY(box.read("o.npz").startsWith("PK"));
    }

    void aBusyDeviceExitsWith7AndCtrlCKeepsEverything()
    {
        Sandbox const box;
        box.project("long.tilewright");
        box.project("other.tilewright");
        auto const process = longTraining(box, {"--report", "r.twreport"});
        auto const monitor = box.run({"monitor", "--once", "--json"}).object();
        QCOMPARE(monitor["processes"].toArray().size(), 1);
        QCOMPARE(monitor["processes"][0].toObject()["pid"].toInteger(), process->processId());
        auto const busy = box.run({"train", "other.tilewright", "--json"});
        QVERIFY2(busy.code == 7, busy.all());
        QVERIFY(busy.out.contains(QByteArray::number(process->processId())));
        QCOMPARE(box.run({"train", "other.tilewright", "--target", "bow", "--quiet"}).code, 0); // another system is free

        QCOMPARE(::kill(static_cast<pid_t>(process->processId()), SIGINT), 0);
        auto const ended = Sandbox::finish(*process);
        QVERIFY2(ended.code == 6, ended.all());
        QVERIFY2(ended.out.contains("\"event\":\"done\"") && ended.out.contains("job.cancelled"), ended.all());
        auto const checked = box.run({"check-report", "r.twreport", "--json"});
        QVERIFY2(checked.code == 0, checked.all());
        auto const evaluated = box.run({"evaluate", "long.tilewright", "--json"});
        QCOMPARE(evaluated.object()["checkpoint"].toString(), QString("last"));
        QVERIFY(box.run({"monitor", "--once", "--json"}).object()["processes"].toArray().isEmpty());
    }

    void aSecondCtrlCEndsAtOnce()
    {
        Sandbox const box;
        box.project("long.tilewright");
        auto const process = longTraining(box, {"--report", "r.twreport"});
        auto const pid = static_cast<pid_t>(process->processId());
        ::kill(pid, SIGINT);
        ::kill(pid, SIGTERM);
        QElapsedTimer timer;
        timer.start();
        auto const ended = Sandbox::finish(*process);
        QVERIFY2(ended.code == 6, ended.all());
        QVERIFY(timer.elapsed() < 20'000);
        QCOMPARE(box.run({"summary", "long.tilewright"}).code, 0);
        QCOMPARE(box.run({"report", "r.twreport"}).code, 0);
    }

    void aKilledRunLeavesValidFiles()
    {
        Sandbox const box;
        box.project("long.tilewright");
        auto const process = longTraining(box, {"--report", "r.twreport"});
        process->kill();
        Sandbox::finish(*process);
        QCOMPARE(box.run({"get", "long.tilewright", "data.limit", "--json"}).object()["value"].toInt(), 320);
        auto const checked = box.run({"check-report", "r.twreport", "--json"});
        QVERIFY2(checked.code == 0, checked.all());
        auto const summary = box.run({"report", "r.twreport", "summary", "--json"});
        QVERIFY2(summary.code == 0, summary.all());
        bool truncated = false;
        for (auto const &part : summary.object()["parts"].toArray())
            truncated = truncated || part.toObject()["state"].toString() == "truncated";
        QVERIFY2(truncated, summary.all());
        // Its device is free again.
        QCOMPARE(box.run({"train", "long.tilewright", "--epochs", "1", "--quiet"}).code, 0);
    }

    void dataPathsStartAtTheProjectsFolder()
    {
        Sandbox const box;
        QDir().mkpath(box.path("sub/digits"));
        box.write("sub/digits/train-images-idx3-ubyte", idxImages(64));
        box.write("sub/digits/train-labels-idx1-ubyte", idxLabels(64, 3));
        box.project("sub/p.json", {"data.path=digits", "data.limit=0", "system.target=gc200:tiles=16"});
        auto const ran = box.run({"train", "sub/p.json", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.events("epoch")[0]["steps"].toInt(), 2);
    }

    void theWorkerAnswersThePeerProtocol()
    {
        Sandbox const box;
        auto const ran = box.run({"bench", "--worker", "1"}, "mlp 20\nresnet20 3\nmlp-tile 1\ncnn 1\nmlp 10\n");
        QVERIFY2(ran.code == 0, ran.all());
        auto const lines = ran.out.split('\n');
        QCOMPARE(lines[0], QByteArray("READY"));
        auto const first = QJsonDocument::fromJson(lines[1]).object();
        QCOMPARE(missingKeys(first, {"wl", "steps", "wall_us", "cpu_us", "loss", "rss_mb"}), QStringList());
        QCOMPARE(first["steps"].toInt(), 20);
        QVERIFY(first["loss"].toDouble() > 0);
        QCOMPARE(QJsonDocument::fromJson(lines[2]).object()["error"].toString(), QString("unsupported"));
        QCOMPARE(QJsonDocument::fromJson(lines[3]).object()["wl"].toString(), QString("mlp-tile"));
        QCOMPARE(QJsonDocument::fromJson(lines[4]).object()["wl"].toString(), QString("cnn"));
        QCOMPARE(QJsonDocument::fromJson(lines[5]).object()["steps"].toInt(), 10);
    }

    void theWorkerStartsWhereThePeersStart()
    {
        Sandbox const box;
        auto const ran = box.run({"bench", "check", "--worker", "1"});
        QVERIFY2(ran.code == 0, ran.all());
        // What PyTorch prints for its five first steps, in float32 and in float64.
        std::map<QString, std::array<double, 5>> const expected{{"mlp", {2.439957, 0.770291, 0.274267, 0.133036, 0.081202}},
                                                                {"cnn", {2.335382, 2.317545, 2.179797, 2.062482, 1.910519}},
                                                                {"lstm", {2.288755, 2.213765, 2.157851, 2.108051, 2.060466}},
                                                                {"transformer", {2.236366, 3.978827, 3.119522, 1.732334, 1.615952}}};
        auto const lines = QString::fromUtf8(ran.out).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 8);
        for (auto const &line : lines) {
            auto const words = line.split(' ', Qt::SkipEmptyParts);
            QCOMPARE(words.size(), 6);
            auto const &losses = expected.at(QString(words[0]).remove("-tile"));
            for (std::size_t i = 0; i < 5; ++i)
                QVERIFY2(std::abs(words[static_cast<qsizetype>(i) + 1].toDouble() - losses[i]) < 1e-4 * losses[i] + 1e-5, qPrintable(line));
        }
    }

    void benchmarksHaveMedians()
    {
        Sandbox const box;
        auto const ran = box.run({"bench", "compile_cold", "compile_cached", "--runs", "3", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        auto const results = ran.object()["results"].toArray();
        QCOMPARE(results.size(), 2);
        QCOMPARE(missingKeys(results[0].toObject(), {"name", "median", "unit", "runs"}), QStringList());
        QCOMPARE(results[0]["runs"].toInt(), 3);
        QVERIFY(results[0]["median"].toDouble() > 0);
    }

    void theLimitOfARefusedEpochWorksBehindTheSplit()
    {
        for (auto const *split : {"training.validation_split=0.1", "data.validation_split=0.3"}) {
            Sandbox const box;
            box.project("p.json", {"system.target=gc200:tiles=16", "data.limit=1000", split});
            auto const refused = box.run({"train", "p.json", "--steps", "2"});
            QVERIFY2(refused.code == 5, refused.all());
            auto const limit = QRegularExpression("set data.limit to (\\d+)").match(QString::fromUtf8(refused.err)).captured(1);
            QVERIFY2(!limit.isEmpty(), refused.all());
            QCOMPARE(box.run({"set", "p.json", "data.limit=" + limit}).code, 0);
            auto const taken = box.run({"train", "p.json", "--steps", "2"});
            QVERIFY2(taken.code == 0, taken.all());
        }
    }

    void stepsAreWholeUpdatesAndNotMoreThanAskedFor()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16", "training.gradient_accumulation_steps=5", "training.steps_per_execution=5"});
        auto const made = [&](QString const &asked) {
            auto const ran = box.run({"train", "p.json", "--epochs", "2", "--steps", asked, "--json"});
            return ran.events("done").isEmpty() ? -1 : ran.events("done")[0]["steps"].toInt();
        };
        QCOMPARE(made("7"), 5);
        QCOMPARE(made("10"), 10);
        QCOMPARE(made("14"), 10);
        QCOMPARE(made("15"), 15);
        QCOMPARE(made("1"), 5); // one update at least
        auto const told = box.run({"train", "p.json", "--steps", "7"});
        QVERIFY2(told.err.contains("note: ") && told.err.contains("5 steps instead of 7"), told.all());
        QVERIFY(!box.run({"train", "p.json", "--steps", "5"}).err.contains("instead of"));
    }

    void withoutTestSamplesTheHeldOutOnesAreUsed()
    {
        Sandbox const box;
        QDir().mkpath(box.path("digits"));
        box.write("digits/train-images-idx3-ubyte", idxImages(80));
        box.write("digits/train-labels-idx1-ubyte", idxLabels(80, 1));
        box.project("p.json", {"data.path=digits", "data.limit=0", "system.target=gc200:tiles=16", "training.validation_split=0.2"});
        auto const held = box.run({"evaluate", "p.json", "--json"});
        QVERIFY2(held.code == 0, held.all());
        QCOMPARE(held.object()["samples_of"].toString(), QString("validation"));
        QCOMPARE(held.object()["samples"].toInt(), 16);
        auto const predicted = box.run({"predict", "p.json", "--out", "o.npz"});
        QVERIFY2(predicted.code == 0 && predicted.out.contains("of the validation samples"), predicted.all());
        QCOMPARE(box.run({"set", "p.json", "training.validation_split=0"}).code, 0);
        auto const training = box.run({"evaluate", "p.json"});
        QVERIFY2(training.code == 0 && training.err.count("training samples") == 1 && training.out.contains("80 training samples"),
                 training.all());
        QCOMPARE(box.run({"predict", "p.json", "--out", "o.npz", "--json"}).object()["samples_of"].toString(), QString("train"));
        box.project("own.json", {"system.target=gc200:tiles=16"});
        QCOMPARE(box.run({"evaluate", "own.json", "--json"}).object()["samples_of"].toString(), QString("test"));
    }

    void validationSamplesOfTheirOwnAreAFieldOfTheProject()
    {
        Sandbox const box;
        QDir().mkpath(box.path("held"));
        box.write("held/train-images-idx3-ubyte", idxImages(24));
        box.write("held/train-labels-idx1-ubyte", idxLabels(24, 1));
        box.project("p.json", {"system.target=gc200:tiles=16", "data.validation_path=held"});
        QVERIFY(box.run({"get", "p.json", "data.validation_path"}).out.startsWith("held"));
        auto const ran = box.run({"train", "p.json", "--steps", "2", "--epochs", "1", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        auto const whole = box.run({"train", "p.json", "--epochs", "1", "--json"});
        QVERIFY2(whole.code == 0 && !whole.events("epoch").isEmpty() && whole.events("epoch")[0].contains("val_loss"), whole.all());
        box.write("held/train-images-idx3-ubyte", idxImages(23));
        auto const refused = box.run({"train", "p.json"});
        QVERIFY2(refused.code == 5 && refused.err.contains("23") && refused.err.contains("24"), refused.all());
    }

    void callbacksActAndAreTold()
    {
        Sandbox const box;
        box.project("p.json",
                    {"training.epochs=4",
                     R"(training.callbacks=[{"class_name": "EarlyStopping", "config": {"monitor": "loss", "min_delta": 10, "verbose": 1}},
                        {"class_name": "LearningRateScheduler", "config": {"schedule": "lr / 2"}},
                        {"class_name": "CSVLogger", "config": {"filename": "log.csv"}}])"});
        auto const ran = box.run({"train", "p.json", "--checkpoint", "w.npz", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.events("epoch").size(), 2);
        auto const first = ran.events("epoch")[0]["learning_rate"].toDouble(), second = ran.events("epoch")[1]["learning_rate"].toDouble();
        QVERIFY(first > 0 && second == first / 2);
        QCOMPARE(ran.events("callback").size(), 1);
        QCOMPARE(ran.events("callback")[0]["message"].toString(), QString("Epoch 00002: early stopping"));
        QCOMPARE(ran.events("done")[0]["ended_by"].toString(), QString("EarlyStopping"));
        QVERIFY(box.read("log.csv").startsWith("epoch,accuracy,loss,lr\n0,"));
        auto const text = box.run({"train", "p.json", "--checkpoint", "w.npz"});
        QVERIFY2(text.out.contains("\nEpoch 00002: early stopping\n"), text.all());
        auto const list = box.run({"callbacks", "--json"}).array();
        QVERIFY(list.size() >= 6);
        for (auto const &row : list) QCOMPARE(missingKeys(row.toObject(), {"name", "help", "parameters"}), QStringList());
        QCOMPARE(box.run({"set", "p.json", R"(training.callbacks=["RemoteMonitor"])", "--json"}).errorCode(), QString("model.unsupported"));
    }
};

TW_REGISTER_TEST(TstCliRuns);
#include "tst_cli_runs.moc"
