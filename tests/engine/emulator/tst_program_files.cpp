#include "engine/emulator/tile_machine.h"
#include "engine/lowering/liveness.h"
#include "engine/lowering/memory.h"
#include "engine/lowering/schedule.h"
#include "tests/engine/program/memory_invariants.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace tilewright;

namespace {

using Queues = std::vector<std::vector<float>>; ///< one tensor each

program::Program programOf(std::string const &name)
{
    std::ifstream in(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "tests/corpus/program" / name, std::ios::binary);
    auto parsed = program::parse(std::string(std::istreambuf_iterator<char>(in), {}));
    if (!parsed.ok()) qFatal("%s", toText(parsed.error()).c_str());
    if (auto const status = program::verify(*parsed); !status.ok()) qFatal("%s", toText(status.error()).c_str());
    return std::move(*parsed);
}

struct FileRun {
    Queues out;
    Cycles measured = 0, scheduled = 0;
};

/// Allocates, loads and runs a program written by hand.
FileRun run(program::Program const &program, Queues const &in)
{
    auto const machine = target::parseMachine("gc200:tiles=" + std::to_string(program.tilesPerIpu)).value();
    auto const liveness = lowering::analyseLiveness(program);
    auto const schedule = lowering::makeSchedule(program, machine, false);
    auto const memory = lowering::allocate(program, liveness, lowering::codeBytes(program, schedule.exchanges, machine, true), machine);
    if (auto const problem = tests::memoryProblem(program, liveness, memory, machine); !problem.empty()) qFatal("%s", problem.c_str());
    ThreadPool pool(1);
    emulator::LoadOptions options;
    options.imageBytes = *std::ranges::max_element(memory.withGaps);
    auto const tiles = emulator::TileMachine::load(
                           program, machine, [&](program::VarId var, int tile) { return memory.addressOf(var, tile); }, options, pool)
                           .value();
    FileRun result;
    emulator::StreamHandlers streams;
    streams.toDevice = [&](int, int index, std::byte *data, std::size_t bytes) -> Status {
        auto const &from = in.at(static_cast<std::size_t>(index));
        if (bytes != from.size() * sizeof(float)) qFatal("a tensor of %zu bytes", bytes);
        std::memcpy(data, from.data(), bytes);
        return {};
    };
    streams.fromDevice = [&](int, int, std::byte const *data, std::size_t bytes) -> Status {
        std::vector<float> one(bytes / sizeof(float));
        std::memcpy(one.data(), data, bytes);
        result.out.push_back(std::move(one));
        return {};
    };
    if (auto const status = tiles->run(program.main, streams, {}); !status.ok()) qFatal("%s", toText(status.error()).c_str());
    result.measured = tiles->clocks().measured().total;
    result.scheduled = schedule.runCycles();
    return result;
}

} // namespace

/// Programs written by hand run like lowered ones.
class TstProgramFiles : public QObject {
    Q_OBJECT
private slots:
    void aTensorGoesToItsColumnsAndBack()
    {
        std::vector<float> x(32), expected(32);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<float>(i) * 0.25F;
            expected[i % 8 * 4 + i / 8] = std::max(0.F, x[i] - 3);
        }
        auto const done = run(programOf("relu-in-steps.txt"), {x});
        QCOMPARE(done.out, (Queues{expected}));
        QCOMPARE(done.measured, done.scheduled);
    }
    void loopsEndByDeviceValues_data()
    {
        QTest::addColumn<float>("count");
        QTest::addColumn<float>("factor");
        QTest::newRow("never") << 0.F << 1.F;
        QTest::newRow("three times") << 3.F << 8.F;
        QTest::newRow("as often as it may") << 5.F << 32.F;
        QTest::newRow("too often") << 9.F << -32.F;
    }
    void loopsEndByDeviceValues()
    {
        QFETCH(float, count);
        QFETCH(float, factor);
        auto const done = run(programOf("counts-down.txt"), {{count}, {1, -2, 0.5F}});
        QCOMPARE(done.out, (Queues{{factor, -2 * factor, 0.5F * factor}}));
        QVERIFY(done.measured <= done.scheduled);
    }
};

TW_REGISTER_TEST(TstProgramFiles);
#include "tst_program_files.moc"
