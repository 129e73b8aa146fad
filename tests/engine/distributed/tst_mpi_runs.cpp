#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright::tests;

/// The program under mpirun.
class TstMpiRuns : public QObject {
    Q_OBJECT

    /// Four replicas, each with a batch of 8.
    static void writeProject(Sandbox const &box, QStringList const &more = {})
    {
        auto const made = box.run(QStringList{"new", "mnist-mlp", "p.json", "system.target=gc200:tiles=16,ipus=4", "data.limit=256",
                                              "training.batch_size=8", "training.epochs=2", "model.layers.dense.units=16"}
                                  + more);
        QVERIFY2(made.code == 0, made.all());
    }

private slots:
    void initTestCase()
    {
        // As root, on few cores, on this machine only.
        qputenv("RUN", "timeout 120 " TILEWRIGHT_MPIRUN " --allow-run-as-root --oversubscribe --mca btl vader,self --mca plm_rsh_agent ''");
        // Open MPI frees a part of its memory never. In a build with the address sanitizer that would be the program's exit code.
        qputenv("ASAN_OPTIONS", qgetenv("ASAN_OPTIONS") + ":detect_leaks=0");
        // Some containers do not let mpirun start anything at all, which says nothing of the program.
        auto const nothing = Sandbox().shell("eval $RUN -n 2 true");
        if (nothing.code != 0) QSKIP(qPrintable("mpirun starts no processes here: " + nothing.all()));
    }
    void processesTrainWhatOneProcessTrains()
    {
        Sandbox box;
        writeProject(box, {"data.validation_split=0.25"});
        auto const one = box.run({"train", "p.json", "--json", "--checkpoint", "one.npz"});
        QVERIFY2(one.code == 0, one.all());
        for (int const workers : {2, 4}) {
            auto const many =
                box.shell(QString("eval $RUN -n %1 \\\"\\$T\\\" train p.json --json --checkpoint many.npz --report many.twreport "
                                  "--log runtime=INFO")
                              .arg(workers));
            QVERIFY2(many.code == 0, many.all());
            auto const done = many.events("done");
            QVERIFY2(done.size() == 1, many.all()); // one process prints
            QCOMPARE(done[0]["weights_hash"].toString(), one.events("done").at(0)["weights_hash"].toString());
            auto const epochs = many.events("epoch"), expected = one.events("epoch");
            QVERIFY(epochs.size() == 2 && expected.size() == 2);
            for (int e = 0; e < 2; ++e)
                for (auto const *field : {"loss", "val_loss", "metrics", "val_metrics"}) QCOMPARE(epochs[e][field], expected[e][field]);
            QCOMPARE(box.read("many.npz"), box.read("one.npz"));
            QVERIFY2(many.err.contains("sums over the replicas of"), many.all());
            QCOMPARE(box.run({"check-report", "many.twreport"}).code, 0);
        }
    }
    void aLostWorkerEndsTheRunAndTheCheckpointStays()
    {
        Sandbox box;
        writeProject(box, {"data.limit=2048"});
        auto const ran = box.shell("eval $RUN -n 2 sh -c \"'[ \\$OMPI_COMM_WORLD_RANK = 1 ] && echo \\$\\$ > worker; "
                                   "exec \\\"\\$T\\\" train p.json --epochs 100000 --checkpoint last.npz'\" & all=$!\n"
                                   "while [ ! -f last.npz ] && kill -0 $all; do sleep 0.05; done\n"
                                   "kill -9 $(cat worker); wait $all");
        QVERIFY2(ran.code > 0 && ran.code != 124, ran.all()); // 124: timeout
        QVERIFY2(ran.err.contains("a worker of the run is lost"), ran.all());
        auto const evaluated = box.run({"evaluate", "p.json", "--checkpoint", "last.npz"});
        QVERIFY2(evaluated.code == 0, evaluated.all());
    }
    void workersThatDoNotDivideTheReplicasAreRefusedOnce()
    {
        Sandbox box;
        writeProject(box);
        auto const ran = box.shell("eval $RUN -n 3 \\\"\\$T\\\" train p.json --checkpoint w.npz");
        QVERIFY2(ran.code > 0 && ran.err.count("cannot be divided among 3 workers") == 1, ran.all());
    }
    void otherCommandsRunOnce()
    {
        Sandbox box;
        auto const ran = box.shell("eval $RUN -n 2 \\\"\\$T\\\" new mnist-mlp once.json");
        QVERIFY2(ran.code == 0 && ran.out.count("Wrote once.json") == 1, ran.all());
    }
};

TW_REGISTER_TEST(TstMpiRuns);
#include "tst_mpi_runs.moc"
