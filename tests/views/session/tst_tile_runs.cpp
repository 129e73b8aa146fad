// Runs in tile mode that are paused, stepped and taken back.
#include "engine/runtime/run.h"
#include "tests/support/test_registry.h"
#include "tests/views/session/opened_project.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/run_commands.h"

#include <QTemporaryDir>

#include <map>

using namespace tilewright;
using namespace tilewright::views;
using tests::open;

class TstTileRuns : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void aTileRunStopsAtSuperstepsAndShowsATile()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("c.tilewright")), 3200, 5);
        auto &runs = session.runs();
        runs.train(RunMode::Tile);
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 0, 60000);
        QVERIFY(runs.live().deviceMeasured); // tiles have clocks of their own from the first step on
        QVERIFY(runs.live().emulatedSeconds > 0);
        runs.watchTile(3);
        runs.superstep();
        QTRY_COMPARE(runs.state(), RunState::Paused);
        QTRY_COMPARE(runs.tileValues().tile, 3);
        auto const first = runs.tileValues().superstep;
        QVERIFY(runs.tileValues().program >= 0);
        QVERIFY(!runs.tileValues().bytes.empty());
        runs.superstep();
        QTRY_COMPARE(runs.tileValues().superstep, first + 1);
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 10000);
    }
    /// Back by supersteps and by steps: the tile has the bytes that it had, and the run that goes on is the run that never went back.
    void aTileRunGoesBack()
    {
        Session session;
        open(session, m_folder.filePath(QStringLiteral("back.tilewright")), 3200, 1);
        auto &runs = session.runs();
        auto const trained = [&] {
            QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 60000);
            return;
        };
        runs.train(RunMode::Tile);
        trained();
        auto const weights = runs.trained();
        QVERIFY(weights);
        runs.train(RunMode::Tile);
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 2, 60000);
        runs.watchTile(0);
        runs.superstep();
        QTRY_COMPARE(runs.state(), RunState::Paused);
        QTRY_COMPARE(runs.tileValues().tile, 0);
        std::map<std::int64_t, std::vector<std::byte>> seen;
        auto const at = [&] { return runs.tileValues().superstep; };
        for (int i = 0; i < 12; ++i) {
            seen[at()] = runs.tileValues().bytes;
            auto const now = at();
            runs.superstep();
            QTRY_COMPARE(at(), now + 1);
        }
        auto const end = at();
        QVERIFY(canDo(RunCommand::SuperstepBack, session));
        for (int i = 1; i <= 12; ++i) {
            runs.backSuperstep();
            QTRY_COMPARE(at(), end - i);
            QCOMPARE(runs.tileValues().latest, end);
            QVERIFY(runs.tileValues().bytes == seen[at()]);
        }
        // Forward again, through what has been seen, and a step back to the end of the one before.
        runs.superstep();
        QTRY_COMPARE(at(), end - 11);
        QVERIFY(runs.tileValues().bytes == seen[at()]);
        runs.backStep();
        QTRY_VERIFY(at() < end - 12);
        auto const ended = at();
        runs.backStep();
        QTRY_VERIFY(at() < ended);
        runs.step();
        QTRY_COMPARE(at(), ended);
        QCOMPARE(runs.tileValues().latest, end); // nothing of it is new
        while (canDo(RunCommand::StepBack, session)) {
            auto const now = at();
            runs.backStep();
            QTRY_VERIFY(at() < now);
        }
        QCOMPARE(at(), runs.tileValues().earliest);
        QVERIFY(isOffered(RunCommand::StepBack, session) && !canDo(RunCommand::SuperstepBack, session));
        runs.resume();
        trained();
        QVERIFY(runs.trained() && runs.trained()->tensors == weights->tensors);
    }
};

TW_REGISTER_TEST(TstTileRuns);
#include "tst_tile_runs.moc"
