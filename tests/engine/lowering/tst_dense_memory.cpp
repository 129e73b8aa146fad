#include "tests/bench/calibration/dense_cases.h"

#include "engine/lowering/lower_graph.h"
#include "engine/lowering/schedule.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;

class TstDenseMemory : public QObject {
    Q_OBJECT
private slots:
    void bytesAreNearThePublished_data()
    {
        QTest::addColumn<int>("number");
        int number = 0;
        for (auto const &c : calibration::cases()) QTest::newRow(c.name) << number++;
    }
    void bytesAreNearThePublished()
    {
        QFETCH(int, number);
        auto const c = calibration::cases()[static_cast<std::size_t>(number)];
        calibration::Net net(c.name, c.type);
        c.build(net);
        auto const machine = target::parseMachine(c.target).value();
        JobContext const job;
        auto const passed = passes::runPasses(passes::graphPasses(), net.g, {ops::opLookup(), {}, job});
        QVERIFY2(passed.ok(), qPrintable(QString::fromStdString(passed.ok() ? "" : toText(passed.error()))));
        auto const lowered = lowering::lowerGraph(graph::compact(passed->graph), machine, 1, 1, {}, ops::loweringLookup(), job);
        QVERIFY2(lowered.ok(), qPrintable(QString::fromStdString(lowered.ok() ? "" : toText(lowered.error()))));
        auto const &program = lowered->program;
        auto const schedule = lowering::makeSchedule(program, machine, false);
        auto const memory = lowering::allocate(program, lowering::analyseLiveness(program),
                                               lowering::codeBytes(program, schedule.exchanges, machine, c.code), machine);
        QVERIFY(memory.fits);
        auto const near = [](double model, double published) {
            if (published > 0)
                QVERIFY2(std::abs(std::log(model / published)) < std::log(1.3),
                         qPrintable(QString("model %1, published %2").arg(model, 0, 'f', 0).arg(published, 0, 'f', 0)));
        };
        near(double(memory.ipus[0].totalWithoutGaps), c.total);
        near(double(memory.ipus[0].maxWithoutGaps), c.worst);
        for (auto const &[kind, published] : c.parts) {
            auto bytes = double(memory.byKind[static_cast<std::size_t>(kind)]);
            // Published for the layer alone: without the host's entries.
            if (kind == MemoryCategory::ControlCode)
                bytes -= double(lowering::kBranchControl * machine.chip.tiles) * double(program.streams.size());
            near(bytes, published);
        }
    }
};

TW_REGISTER_TEST(TstDenseMemory);
#include "tst_dense_memory.moc"
