#include "engine/emulator/history.h"
#include "tests/engine/emulator/bench.h"
#include "tests/support/test_registry.h"

#include <functional>
#include <string_view>

using namespace tilewright;
using namespace tilewright::tests;
using emulator::TileMachine;

namespace {

constexpr Bytes kRoom = 512 << 20;

/// All that a machine consists of: bytes of every tile, clocks, position.
struct Moment {
    std::vector<std::size_t> tiles; ///< hashes
    std::vector<emulator::TileClocks::State> clocks;
    emulator::Position position;
    bool operator==(Moment const &) const = default;
};

Moment momentOf(TileMachine &machine, executable::Executable const &exe)
{
    Moment now;
    for (int r = 0; r < exe.replicas; ++r)
        for (int t = 0; t < exe.program.tiles(); ++t) {
            auto const memory = machine.tileMemory(r, t).first(static_cast<std::size_t>(std::ranges::max(exe.memory.withGaps)));
            now.tiles.push_back(std::hash<std::string_view>()({reinterpret_cast<char const *>(memory.data()), memory.size()}));
        }
    now.clocks.push_back(machine.clocks().state());
    now.position = machine.position();
    return now;
}

Fields tiny(Fields more = {})
{
    Fields all = smallModel({{"training.batch_size", "8"}, {"training.steps_per_execution", "2"}});
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

project::Project variant(QString const &name)
{
    if (name == "pipeline")
        return mnist("gc200:tiles=8,ipus=2",
                     inStages("0001", tiny({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}})));
    if (name == "replicas") return mnist("gc200:tiles=8,ipus=2", tiny());
    if (name == "stochastic rounding")
        return halfModel(
            "mixed_float16",
            {{"training.batch_size", "8"}, {"training.steps_per_execution", "2"}, {"ipu_config.floating_point_behaviour.esr", "ON"}});
    return mnist("gc200:tiles=8", tiny());
}

/// Runs `executions` with a hook after each step; returns what the host received.
std::vector<float> runWith(Bench &bench, int executions, std::function<void(program::StepId)> hook)
{
    bench.tiles->onStep = std::move(hook);
    std::vector<float> losses;
    for (int e = 0; e < executions; ++e) {
        bench.run();
        losses.insert(losses.end(), bench.losses.begin(), bench.losses.end());
    }
    return losses;
}

} // namespace

class TstHistory : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static void variants()
    {
        QTest::addColumn<QString>("name");
        for (auto const *name : {"plain", "replicas", "pipeline", "stochastic rounding"}) QTest::newRow(name) << name;
    }

private slots:
    /// From many places back to others before them, also into the execution before: every byte, clock and frame is as it was, and the run
    /// that goes on from there gives the host each value once, the same as a run that was never moved.
    void everyEarlierPositionIsExact_data() { variants(); }
    void everyEarlierPositionIsExact()
    {
        QFETCH(QString, name);
        Bench straight(variant(name), m_folder);
        straight.fill();
        std::vector<Moment> moments(1); // number 0 is before the first step
        auto const losses = runWith(straight, 3, [&](program::StepId) { moments.push_back(momentOf(*straight.tiles, straight.exe())); });
        auto const weights = straight.results();

        Bench bench(variant(name), m_folder, 2);
        bench.tiles->keepHistory(runtime::variableRanges(bench.exe()), kRoom);
        bench.fill();
        RandomStream random(7);
        int moves = 0;
        QByteArray problem;
        auto const moved = runWith(bench, 3, [&](program::StepId) {
            auto &history = *bench.tiles->history();
            auto const here = bench.tiles->position().supersteps;
            if (!problem.isEmpty() || random.below(moments.size()) > 40 || moves > 60) return;
            auto const first = std::max<std::int64_t>(1, history.earliest());
            auto const span = here - first;
            if (span <= 0) return;
            auto const to = first + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(span)));
            ++moves;
            if (!history.seek(to).ok() || !(momentOf(*bench.tiles, bench.exe()) == moments[static_cast<std::size_t>(to)]))
                problem = "from " + QByteArray::number(qlonglong(here)) + " to " + QByteArray::number(qlonglong(to));
        });
        QVERIFY2(problem.isEmpty(), problem.constData());
        QVERIFY2(moves > 20, QByteArray::number(moves));
        QVERIFY(moved == losses);
        QVERIFY(bench.results() == weights);
        QVERIFY(momentOf(*bench.tiles, bench.exe()).clocks == momentOf(*straight.tiles, straight.exe()).clocks);
    }
    /// Two training steps can be gone back, and not much more is kept.
    void twoTrainingStepsAreKept()
    {
        Bench bench(variant("plain"), m_folder);
        bench.tiles->keepHistory(runtime::variableRanges(bench.exe()), kRoom, 0);
        bench.fill();
        std::vector<std::int64_t> starts; // of updates
        std::int64_t perStep = static_cast<std::int64_t>(program::leafSteps(bench.exe().program).size());
        bool all = true;
        runWith(bench, 4, [&](program::StepId) {
            auto const here = bench.tiles->position().supersteps;
            auto const underWay = (here - 1) / perStep; // training steps that have ended
            all = all && bench.tiles->history()->earliest() <= std::max<std::int64_t>(0, underWay - 2) * perStep;
        });
        QVERIFY(all);
        QVERIFY(bench.tiles->history()->earliest() >= perStep); // the first ones are forgotten
        QCOMPARE(bench.tiles->history()->stepStarts().size(), std::size_t(3));
    }
    /// With little memory less can be gone back, and what can is exact.
    void littleMemoryKeepsLess()
    {
        Bench wide(variant("plain"), m_folder), narrow(variant("plain"), m_folder);
        std::int64_t far = 0, near = 0;
        for (auto *bench : {&wide, &narrow}) {
            bench->tiles->keepHistory(runtime::variableRanges(bench->exe()), bench == &wide ? kRoom : Bytes(1), 0);
            bench->fill();
            std::int64_t reach = 0;
            bool exact = true;
            runWith(*bench, 2, [&](program::StepId) {
                auto &history = *bench->tiles->history();
                auto const here = bench->tiles->position().supersteps;
                reach = std::max(reach, here - history.earliest());
                if (here != 60 || bench != &narrow) return;
                auto const before = momentOf(*bench->tiles, bench->exe());
                exact = history.seek(history.earliest()).ok() && history.seek(here).ok() && before == momentOf(*bench->tiles, bench->exe());
            });
            QVERIFY(exact);
            (bench == &wide ? far : near) = reach;
        }
        QVERIFY2(near < far, qPrintable(QString("%1 %2").arg(near).arg(far)));
    }
    /// What the host writes between executions and while the machine stands is repeated in its place.
    void writesOfTheHostAreRepeated()
    {
        auto const weight = [](Bench const &bench) { return bench.exe().variables[0].storage; };
        auto const run = [&](bool back) {
            Bench bench(variant("plain"), m_folder);
            bench.tiles->keepHistory(runtime::variableRanges(bench.exe()), kRoom);
            bench.fill();
            auto const zeros = std::vector<std::byte>(bench.tiles->download(weight(bench)).size());
            bench.run();
            bench.tiles->upload(weight(bench), zeros); // between two executions
            auto const start = bench.tiles->position().supersteps;
            bool wrote = false;
            runWith(bench, 1, [&](program::StepId) {
                auto const here = bench.tiles->position().supersteps;
                if (here != start + 20 || wrote) return;
                wrote = true;
                bench.tiles->upload(weight(bench), zeros); // within one
                if (back && !bench.tiles->history()->seek(start - 10).ok()) qFatal("no such position");
                if (back)
                    bench.tiles->upload(bench.exe().variables[1].storage,
                                        std::vector<std::byte>(bench.tiles->download(bench.exe().variables[1].storage).size()));
                if (!back)
                    bench.tiles->upload(bench.exe().variables[1].storage,
                                        std::vector<std::byte>(bench.tiles->download(bench.exe().variables[1].storage).size()));
            });
            return std::make_pair(bench.results(), bench.losses);
        };
        QVERIFY(run(true) == run(false));
    }
    /// After an execution that failed, nothing of it is repeated.
    void aFailedExecutionEndsTheRecord()
    {
        Bench bench(variant("plain"), m_folder);
        bench.tiles->keepHistory(runtime::variableRanges(bench.exe()), kRoom);
        bench.fill();
        bench.run();
        auto failing = bench.streams();
        failing.fromDevice = [](int, int, std::byte const *, std::size_t) -> Status {
            return makeError(ErrorKind::Data, "test.end", "queue", "full");
        };
        QVERIFY(!bench.tiles->run(bench.exe().program.main, failing, {}).ok());
        auto &history = *bench.tiles->history();
        QCOMPARE(history.earliest(), history.latest());
        auto const before = history.latest();
        bool exact = false;
        runWith(bench, 1, [&](program::StepId) {
            auto const here = bench.tiles->position().supersteps;
            if (here != before + 30 || exact) return;
            auto const now = momentOf(*bench.tiles, bench.exe());
            exact = history.seek(before + 3).ok() && history.seek(here).ok() && now == momentOf(*bench.tiles, bench.exe());
        });
        QVERIFY(exact);
    }
};

TW_REGISTER_TEST(TstHistory);
#include "tst_history.moc"
