#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright::tests;

/// The program alone, as a build without Open MPI leaves it.
class TstMpiMissing : public QObject {
    Q_OBJECT
private slots:
    void withoutTheModuleARunUnderMpirunIsRefused()
    {
        Sandbox box;
        QCOMPARE(box.run({"new", "mnist-mlp", "p.json"}).code, 0);
        auto const ran = box.shell("cp \"$T\" alone && OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 ./alone train p.json --json");
        QCOMPARE(ran.code, 2);
        QVERIFY2(ran.out.contains("workers.no-mpi"), ran.all());
    }
};

TW_REGISTER_TEST(TstMpiMissing);
#include "tst_mpi_missing.moc"
