#include "engine/emulator/tile_machine.h"
#include "tests/engine/emulator/bench.h"
#include "tests/engine/program/memory_invariants.h"
#include "tests/engine/program/random_layout.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <array>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

using namespace tilewright;
using namespace tilewright::tests;
using emulator::LoadOptions;
using emulator::StreamHandlers;
using emulator::TileMachine;
using program::StepKind;
using program::VarId;

namespace {

Fields tiny(Fields more = {})
{
    Fields all = smallModel({{"training.batch_size", "8"}, {"training.steps_per_execution", "4"}});
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

class TstTileMachine : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    project::Project variant(QString const &name) const
    {
        if (name == "pipeline")
            return mnist("gc200:tiles=8,ipus=2", inStages("0001", tiny({{"training.gradient_accumulation_steps", "4"}})));
        if (name == "replicas") return mnist("gc200:tiles=8,ipus=2", tiny());
        if (name.startsWith("io tiles"))
            return mnist("gc200:tiles=12",
                         tiny({{"ipu_config.io_tiles.num_io_tiles", "4"},
                               {"ipu_config.io_tiles.place_ops_on_io_tiles", "true"},
                               {"training.gradient_accumulation_steps", name.endsWith("accumulation") ? "2" : "1"}}));
        if (name == "accumulation") return mnist("gc200:tiles=8", tiny({{"training.gradient_accumulation_steps", "2"}}));
        return mnist("gc200:tiles=8", tiny());
    }
    static void variants()
    {
        QTest::addColumn<QString>("name");
        for (auto const *name : {"plain", "accumulation", "replicas", "pipeline", "io tiles", "io tiles, accumulation"})
            QTest::newRow(name) << name;
    }

private slots:
    void onlyWrittenMemoryIsRead_data() { variants(); }
    void onlyWrittenMemoryIsRead()
    {
        QFETCH(QString, name);
        Bench bench(variant(name), m_folder);
        bench.fill();
        bench.run();
        auto const expected = bench.results();
        auto const losses = bench.losses;
        QCOMPARE(losses.size(), std::size_t(4 * bench.exe().replicas));
        for (float loss : losses) QVERIFY(std::isfinite(loss));
        // All bytes of all tiles are NaN (or -1) before the upload: a vertex that reads unwritten memory would spread it.
        Bench poisoned(variant(name), m_folder, 3);
        poisoned.poison(std::byte{0xff});
        poisoned.fill();
        poisoned.run();
        QVERIFY(poisoned.losses == losses);
        QVERIFY(poisoned.results() == expected);
    }
    void aVertexSeesItsOwnTileOnly_data() { variants(); }
    void aVertexSeesItsOwnTileOnly()
    {
        QFETCH(QString, name);
        Bench bench(variant(name), m_folder);
        auto const &p = bench.exe().program;
        bench.fill();
        int const tiles = p.tiles(), replicas = p.replicas;
        using Images = std::vector<std::vector<std::byte>>;
        auto const snapshot = [&] {
            Images all;
            for (int r = 0; r < replicas; ++r)
                for (int t = 0; t < tiles; ++t) {
                    auto const image = bench.image(r, t);
                    all.emplace_back(image.begin(), image.end());
                }
            return all;
        };
        auto const restore = [&](Images const &images) {
            for (std::size_t i = 0; i < images.size(); ++i)
                std::ranges::copy(images[i], bench.image(static_cast<int>(i) / tiles, static_cast<int>(i) % tiles).begin());
        };
        std::vector<std::pair<Bytes, Bytes>> ranges;
        RandomStream random(5);
        int executes = 0, exchanges = 0;
        auto const leaves = program::leafSteps(p);
        std::size_t const share = std::max<std::size_t>(1, leaves.size() / 16);
        for (auto id : leaves) {
            auto const &step = p.step(id);
            bool const chosen = random.below(share) == 0 && step.kind != StepKind::StreamCopy;
            if (!chosen) {
                QVERIFY(bench.tiles->run(id, bench.streams(), {}).ok());
                continue;
            }
            auto const before = snapshot();
            QVERIFY(bench.tiles->run(id, bench.streams(), {}).ok());
            auto const after = snapshot();
            // Bytes change only where the step writes a variable's block.
            for (int t = 0; t < tiles; ++t) {
                ranges.clear();
                for (auto const &access : program::accesses(p, step)) {
                    if (access.access == program::Access::Read) continue;
                    for (auto const &placed : program::placements(p.var(access.var).layout))
                        if (placed.tile == t) {
                            Bytes const at = bench.exe().memory.addressOf(access.var, t);
                            ranges.emplace_back(at, at + placed.box.elements() * sizeOf(p.var(access.var).dtype));
                        }
                }
                for (int r = 0; r < replicas; ++r) {
                    auto const &a = before[static_cast<std::size_t>(r * tiles + t)], &b = after[static_cast<std::size_t>(r * tiles + t)];
                    for (std::size_t i = 0; i < a.size(); ++i)
                        if (a[i] != b[i])
                            QVERIFY2(
                                std::ranges::any_of(ranges,
                                                    [&](auto const &range) {
                                                        return range.first <= static_cast<Bytes>(i) && static_cast<Bytes>(i) < range.second;
                                                    }),
                                qPrintable(QString("%1 changes byte %2 of tile %3").arg(QString::fromStdString(step.name)).arg(i).arg(t)));
                }
            }
            if (step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange) ++exchanges;
            if (step.kind != StepKind::Execute) continue;
            ++executes;
            // With every other tile destroyed, a tile's vertices give the same.
            for (int t = 0; t < tiles; t += 1 + static_cast<int>(random.below(4))) {
                restore(before);
                for (int r = 0; r < replicas; ++r)
                    for (int other = 0; other < tiles; ++other)
                        if (other != t) std::ranges::fill(bench.image(r, other), std::byte{0xff});
                QVERIFY(bench.tiles->run(id, bench.streams(), {}).ok());
                for (int r = 0; r < replicas; ++r) {
                    auto const image = bench.image(r, t);
                    QVERIFY2(std::ranges::equal(image, after[static_cast<std::size_t>(r * tiles + t)]),
                             qPrintable(QString("%1 on tile %2 reads another tile").arg(QString::fromStdString(step.name)).arg(t)));
                }
            }
            restore(after);
        }
        QVERIFY(executes >= 3);
        QVERIFY(exchanges >= 1);
    }
    void measuredCyclesAreThoseOfTheSchedule_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("target");
        QTest::newRow("whole chip") << ""
                                    << "gc200";
        QTest::newRow("bow") << ""
                             << "bow:tiles=100";
        for (auto const *name : {"plain", "accumulation", "replicas", "pipeline", "io tiles", "io tiles, accumulation"})
            QTest::newRow(name) << name << "";
        QTest::newRow("pipelines of replicas") << "pipelines"
                                               << "";
        for (int replicas : {3, 4})
            QTest::addRow("%d replicas", replicas) << QString::number(replicas) << ""; // rungs and rails, ragged chunks
    }
    void measuredCyclesAreThoseOfTheSchedule()
    {
        QFETCH(QString, name);
        QFETCH(QString, target);
        auto const pipelines = [] {
            return mnist("pod4:tiles=8",
                         inStages("0001", tiny({{"training.gradient_accumulation_steps", "4"}, {"training.replicas", "2"}})));
        };
        auto const many = [&] { return mnist("gc200:tiles=8,ipus=4", tiny({{"training.replicas", name.toStdString()}})); };
        Bench bench(name == "pipelines"    ? pipelines()
                        : name.toInt() > 0 ? many()
                        : target.isEmpty() ? variant(name)
                                           : mnist(target.toStdString(), tiny()),
                    m_folder);
        bench.fill();
        auto const &exe = bench.exe();
        auto const &p = exe.program;
        using Event = lowering::Event;
        std::vector<Event> events;
        bench.tiles->clocks().observer = [&](program::StepId step, int ipu, program::Phase phase, Cycles start, Cycles duration) {
            events.push_back({ipu, phase, step, start, duration});
        };
        bench.run();
        auto const schedule = lowering::makeSchedule(p, bench.machine(), false);
        auto const timeline = lowering::timelineOf(schedule);
        QCOMPARE(schedule.patternCycles, exe.entries[0].patternCycles);
        QVERIFY(schedule.patternCycles > 0);
        // Step by step on every IPU, and every round of the loop as the first.
        std::ranges::stable_sort(events,
                                 [](Event const &a, Event const &b) { return std::tuple(a.ipu, a.start) < std::tuple(b.ipu, b.start); });
        std::vector<Event> expected;
        for (int ipu = 0; ipu < p.ipus; ++ipu)
            for (std::int64_t round = 0; round < exe.entries[0].patternRepeats; ++round)
                for (auto event : timeline.events)
                    if (event.ipu == ipu) {
                        event.lane = 0; // the clocks only measure times
                        event.overlapped = 0;
                        event.start += round * schedule.patternCycles;
                        expected.push_back(event);
                    }
        QCOMPARE(events.size(), expected.size());
        for (std::size_t i = 0; i < events.size(); ++i)
            if (!(events[i] == expected[i]))
                QFAIL(qPrintable(QString("%1: IPU %2 from %3 for %4, scheduled on IPU %5 from %6 for %7")
                                     .arg(QString::fromStdString(p.step(events[i].step).name))
                                     .arg(events[i].ipu)
                                     .arg(events[i].start)
                                     .arg(events[i].duration)
                                     .arg(expected[i].ipu)
                                     .arg(expected[i].start)
                                     .arg(expected[i].duration)));
        QCOMPARE(bench.tiles->clocks().now(), schedule.patternCycles * exe.entries[0].patternRepeats);
        // And on every tile.
        std::size_t sets = 0, exchanges = 0;
        for (std::size_t i = 0; i < p.computeSets.size(); ++i)
            if (auto const *times = bench.tiles->timesOf(program::ComputeSetId(i))) {
                ++sets;
                QVERIFY2(schedule.computeSets[i].byTile == times->byTile, p.computeSets[i].name.c_str());
            }
        for (std::size_t i = 0; i < p.exchanges.size(); ++i)
            if (auto const *times = bench.tiles->timesOf(program::ExchangeId(i))) {
                ++exchanges;
                QVERIFY2(schedule.exchanges[i].cycles == times->byTile, p.exchanges[i].name.c_str());
            }
        QVERIFY(sets > 5 && exchanges > 5);
        // The numbers of a report have the same sums.
        auto const measured = bench.tiles->clocks().measured();
        Cycles sum = 0;
        for (auto const &cost : measured.steps) sum += cost.ipu == 0 ? cost.cycles - cost.overlapped : 0;
        QVERIFY(p.ipus > 1 ? sum <= measured.total : sum == measured.total);
        // Means over IPUs are rounded once a pattern or once in all.
        auto const near = [&](Cycles a, Cycles perPattern) {
            return std::abs(a - perPattern * exe.entries[0].patternRepeats) <= 2 * exe.entries[0].patternRepeats;
        };
        QVERIFY(near(measured.of(program::Phase::Compute, p.ipus), exe.entries[0].computeCyclesPerPattern));
        QVERIFY(near(measured.of(program::Phase::InternalExchange, p.ipus) + measured.of(program::Phase::GlobalExchange, p.ipus),
                     exe.entries[0].exchangeCyclesPerPattern));
        QVERIFY(near(measured.amp, exe.entries[0].ampCyclesPerPattern));
    }
    void clocksCountWhatHappens()
    {
        Bench bench(variant("plain"), m_folder);
        bench.fill();
        auto const &p = bench.exe().program;
        emulator::ExchangeMeter meter(p, bench.machine());
        std::array<int, 2> const apart{1, 4}, neighbours{2, 3};
        meter.copy(0, apart, 400, 1, false);
        QCOMPARE(meter.times().byTile, (std::vector<Cycles>{103, 103, 0, 0, 103, 0, 0, 0}));
        meter.copy(0, neighbours, 400, 1, false); // one message, at twice the rate
        QCOMPARE(meter.times().byTile, (std::vector<Cycles>{206, 103, 53, 53, 103, 0, 0, 0}));
        meter.copy(5, apart, 10, 3, true); // three words to each, by itself
        QCOMPARE(meter.times().byTile, (std::vector<Cycles>{206, 121, 53, 53, 121, 36, 0, 0}));
        QCOMPARE(meter.times().links, Cycles{0});
    }
    void aWrongAddressTableGivesWrongNumbers()
    {
        Bench bench(variant("plain"), m_folder);
        bench.fill();
        bench.run();
        auto const expected = bench.results();
        auto const &exe = bench.exe();
        // Two variables that live together on a tile are given the same address there, one pair at a time.
        std::vector<std::pair<VarId, VarId>> pairs;
        auto const named = [&](std::string const &name) {
            for (auto const &variable : exe.variables)
                if (variable.declared.name == name) return variable.storage;
            qFatal("no variable %s", name.c_str());
            return VarId();
        };
        pairs.emplace_back(named("dense/kernel"), named("dense/kernel/rms"));
        pairs.emplace_back(named("dense_1/kernel"), named("dense/kernel"));
        pairs.emplace_back(named("dense_2/kernel/rms"), named("dense_2/kernel"));
        int damaged = 0;
        for (auto const &[moved, onto] : pairs) {
            auto const there = program::blockByTile(exe.program.var(onto).layout, exe.program.tiles());
            bench.load([&, moved = moved, onto = onto](VarId var, int tile) {
                bool const clash = var == moved && there[static_cast<std::size_t>(tile)] >= 0;
                return exe.memory.addressOf(clash ? onto : var, tile);
            });
            bench.fill();
            bench.run();
            damaged += bench.results() != expected;
        }
        QCOMPARE(damaged, 3);
        // And with the right table again, the right numbers.
        bench.load([&](VarId var, int tile) { return exe.memory.addressOf(var, tile); });
        bench.fill();
        bench.run();
        QVERIFY(bench.results() == expected);
    }
    void rearrangingPutsBytesIntoTheGroupsOfTheLayout()
    {
        using namespace program;
        Bench bench(variant("plain"), m_folder);
        bench.fill();
        auto const &exe = bench.exe();
        auto const &p = exe.program;
        std::map<VarId, VarId> sources; // of row-major arrivals
        int regrouped = 0, moved = 0;
        for (auto id : leafSteps(p)) {
            auto const &step = p.step(id);
            std::vector<VarId> vars;
            if (step.kind == StepKind::Execute)
                for (auto const &family : p.computeSets[step.computeSet.index].families)
                    for (auto const &field : family.fields)
                        if (field.access == Access::Regroup) vars.push_back(field.var);
            if (step.kind == StepKind::Exchange)
                for (auto const &t : p.exchanges[step.exchange.index].transfers)
                    if (t.rowMajor) sources[t.dst] = t.src;
            std::vector<std::vector<std::byte>> before;
            for (int t = 0; t < p.tiles(); ++t) before.emplace_back(bench.image(0, t).begin(), bench.image(0, t).end());
            QVERIFY(bench.tiles->run(id, bench.streams(), {}).ok());
            for (auto var : vars) {
                auto const &v = p.var(var);
                QVERIFY(!v.layout.isRowMajor());
                auto const size = static_cast<std::size_t>(sizeOf(v.dtype));
                for (auto const &placed : placements(v.layout)) {
                    // Moves each element of the block from its row-major position to that of the layout.
                    auto const at = static_cast<std::size_t>(exe.memory.addressOf(var, placed.tile));
                    auto const &was = before[static_cast<std::size_t>(placed.tile)];
                    auto const now = bench.image(0, placed.tile);
                    auto const m = matrixOf(v.layout, placed.box);
                    Coords sizes{}, spot{};
                    for (std::size_t d = 0; d < kMaxDims; ++d) sizes[d] = placed.box.range[d].size();
                    auto const col = static_cast<std::size_t>(v.layout.colDim());
                    for (spot[col - 1] = 0; spot[col - 1] < m.rows; ++spot[col - 1])
                        for (spot[col] = 0; spot[col] < m.cols; ++spot[col]) {
                            auto const from = static_cast<std::size_t>(spot[col - 1] * m.cols + spot[col]);
                            auto const to = static_cast<std::size_t>(v.layout.offsetOf(sizes, spot));
                            moved += from != to;
                            if (std::memcmp(was.data() + at + from * size, now.data() + at + to * size, size) != 0)
                                QFAIL(qPrintable(QString::fromStdString(v.name)));
                        }
                }
                // Reading by the layout gives the sent tensor.
                QVERIFY(bench.tiles->download(var) == bench.tiles->download(sources.at(var)));
                ++regrouped;
            }
        }
        QVERIFY2(regrouped >= 3 && moved > 1000, qPrintable(QStringLiteral("%1 tensors, %2 elements").arg(regrouped).arg(moved)));
    }
    void aMissingExchangeGivesWrongNumbers()
    {
        Bench bench(variant("plain"), m_folder);
        bench.fill();
        bench.run();
        auto const losses = bench.losses;
        // Leaf by leaf without exchanges: nothing else moves data between tiles.
        bench.load([&](VarId var, int tile) { return bench.exe().memory.addressOf(var, tile); });
        bench.fill();
        bench.losses.clear();
        for (auto id : program::leafSteps(bench.exe().program))
            if (bench.exe().program.step(id).kind != StepKind::Exchange) QVERIFY(bench.tiles->run(id, bench.streams(), {}).ok());
        QCOMPARE(bench.losses.size(), std::size_t(1));
        QVERIFY(bench.losses[0] != losses[0]);
    }
    void moreThanTheHostHasIsRefusedWithFigures()
    {
        auto const p = emptyProgram(8, 1, 3);
        auto machine = target::parseMachine("gc200:tiles=8").value();
        ThreadPool pool(1);
        LoadOptions options;
        options.usedBytes = Bytes{1} << 46; // 64 TiB
        auto const loaded = TileMachine::load(
            p, machine, [](VarId, int) { return Bytes{0}; }, options, pool);
        QVERIFY(!loaded.ok());
        QCOMPARE(loaded.error().code, std::string("host.memory"));
        QVERIFY(loaded.error().kind == ErrorKind::DoesNotFit);
        QVERIFY2(loaded.error().message.find("192.0 TiB") != std::string::npos, loaded.error().message.c_str()); // of three replicas
        QVERIFY2(loaded.error().message.find("tile mode") != std::string::npos, loaded.error().message.c_str());
        options.usedBytes = 1 << 20;
        QVERIFY(TileMachine::load(
                    p, machine, [](VarId, int) { return Bytes{0}; }, options, pool)
                    .ok());
    }
    void uploadsComeBackFromAnyLayout()
    {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            RandomStream random(deriveSeed(41, seed));
            auto p = emptyProgram(300, 2, 2);
            std::vector<VarId> vars;
            std::vector<std::vector<std::byte>> contents[2];
            Bytes at = 0;
            std::vector<Bytes> address;
            for (int i = 0; i < 4; ++i) {
                LayoutTraits traits;
                traits.several = upTo(random, 3);
                traits.copies = random.below(3) == 0;
                traits.halo = random.below(3) == 0;
                traits.ordered = random.below(3) == 0;
                traits.grouped = random.below(3) == 0;
                std::vector<std::int64_t> extents;
                for (auto dims = upTo(random, 3); dims > 0; --dims) extents.push_back(upTo(random, dims > 2 ? 6 : 12));
                auto const layout = randomLayout(random, extents, traits, 300, static_cast<int>(random.below(2)));
                vars.push_back(addVariable(p, "v", layout, static_cast<DType>(random.below(5))));
                address.push_back(at);
                at += 16384;
            }
            ThreadPool pool(1);
            auto const machine = target::parseMachine("gc200:tiles=300,ipus=2").value();
            auto const tiles = TileMachine::load(
                                   p, machine, [&](VarId var, int) { return address[var.index]; }, {}, pool)
                                   .value();
            for (int r = 0; r < 2; ++r)
                for (auto var : vars) {
                    auto const &v = p.var(var);
                    std::vector<std::byte> bytes(static_cast<std::size_t>(elementCount(v.shape) * sizeOf(v.dtype)));
                    for (auto &b : bytes) b = static_cast<std::byte>(random.next());
                    tiles->upload(var, bytes, r);
                    contents[r].push_back(std::move(bytes));
                }
            for (int r = 0; r < 2; ++r)
                for (std::size_t i = 0; i < vars.size(); ++i)
                    QVERIFY2(tiles->download(vars[i], r) == contents[r][i], qPrintable(QString("seed %1").arg(seed)));
        }
    }
    void errorsOfTheHostEndTheRun()
    {
        Bench bench(variant("plain"), m_folder);
        bench.fill();
        auto streams = bench.streams();
        streams.toDevice = [](int, int, std::byte *, std::size_t) -> Status {
            return makeError(ErrorKind::Data, "test.end", "queue", "empty");
        };
        auto const ended = bench.tiles->run(bench.exe().program.main, streams, {});
        QVERIFY(!ended.ok());
        QCOMPARE(ended.error().code, std::string("test.end"));
        std::stop_source source;
        source.request_stop();
        JobContext job;
        job.stop = source.get_token();
        auto const cancelled = bench.tiles->run(bench.exe().program.main, bench.streams(), job);
        QVERIFY(!cancelled.ok());
        QVERIFY(cancelled.error().kind == ErrorKind::Cancelled);
    }
    void stepsAreAnnouncedBeforeAndAfter()
    {
        Bench bench(variant("plain"), m_folder);
        bench.fill();
        std::vector<program::StepId> before, after;
        bench.tiles->beforeStep = [&](program::StepId id) { before.push_back(id); };
        bench.tiles->onStep = [&](program::StepId id) { after.push_back(id); };
        bench.run();
        auto const leaves = program::leafSteps(bench.exe().program);
        QCOMPARE(before, after);
        QCOMPARE(before.size(), leaves.size() * 4);
        for (std::size_t i = 0; i < leaves.size(); ++i) QCOMPARE(before[i], leaves[i]);
    }
    void compiledModelsKeepTheMemoryInvariants_data()
    {
        QTest::addColumn<QString>("name");
        for (auto const *name : {"plain", "accumulation", "replicas", "pipeline", "whole chip", "too small"}) QTest::newRow(name) << name;
    }
    void compiledModelsKeepTheMemoryInvariants()
    {
        QFETCH(QString, name);
        auto const p = name == "whole chip" ? mnist("gc200") : name == "too small" ? mnist("gc200:tiles=4") : variant(name);
        auto const compiled = compiler::compile(p, requestIn(m_folder).compile, {}).value();
        auto const &exe = *compiled.executable;
        auto const problem = memoryProblem(exe.program, lowering::analyseLiveness(exe.program), exe.memory, compiled.machine);
        QVERIFY2(problem.empty(), problem.c_str());
        QCOMPARE(exe.memory.fits, name != "too small");
    }
};

TW_REGISTER_TEST(TstTileMachine);
#include "tst_tile_machine.moc"
