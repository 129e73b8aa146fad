#include "engine/compiler/compile.h"
#include "engine/lowering/schedule.h"
#include "engine/report/check/check_tables.h"
#include "engine/runtime/run_report.h"
#include "engine/runtime/tuning.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <map>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

namespace {

Fields withIoTiles(std::string const &tiles, Fields more = {})
{
    Fields all{{"ipu_config.io_tiles.num_io_tiles", tiles}, {"ipu_config.io_tiles.place_ops_on_io_tiles", "true"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

/// Transfers of the next micro-batch on IO tiles, while the other tiles compute.
class TstIoTiles : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    compiler::CompileOutcome compiled(project::Project const &p, std::vector<Diagnostic> *notes = nullptr) const
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        request.forReport = true;
        JobContext job;
        DiagnosticSink sink;
        if (notes) job.warnings = &sink;
        auto outcome = compiler::compile(p, request, job);
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        if (notes) *notes = sink.all();
        return std::move(outcome).value();
    }
    report::ReportData reportOf(project::Project const &p, compiler::CompileOutcome const &outcome) const
    {
        auto const file = m_folder.path() / "io.twreport";
        if (auto const written = runtime::writeCompileReport(file, p, outcome); !written.ok())
            qFatal("%s", toText(written.error()).c_str());
        return store::ReportReader::open(file).value()->readAll().value();
    }
    static Fields pipelinePlan(QString const &schedule, QString const &recompute, QString const &mapping)
    {
        return inStages("0012",
                        smallModel({{"training.batch_size", "8"},
                                    {"training.gradient_accumulation_steps", "6"},
                                    {"training.steps_per_execution", "12"},
                                    {"data.limit", "192"},
                                    {"training.pipeline_schedule", schedule.toStdString()},
                                    {"training.device_mapping", mapping.toStdString()},
                                    {"ipu_config.allow_recompute", recompute.toStdString()}}));
    }
    /// Cycles of an execution in the exchanges of one IPU's IO tiles with its compute tiles.
    static Cycles exchangeWithIoTiles(compiler::CompileOutcome const &outcome)
    {
        auto const &program = outcome.executable->program;
        auto const timeline = lowering::timelineOf(lowering::makeSchedule(program, outcome.machine, false));
        Cycles sum = 0;
        for (auto const &event : timeline.events) {
            auto const &step = program.step(event.step);
            if (step.kind != program::StepKind::Exchange || event.lane > 0) continue;
            bool io = false;
            for (auto const &t : program.exchanges[step.exchange.index].transfers)
                io = io || program.var(t.src).name.ends_with("/io") || program.var(t.dst).name.ends_with("/io");
            if (io) sum += event.duration;
        }
        return sum;
    }
    static bool hasNote(std::vector<Diagnostic> const &notes, std::string const &text)
    {
        return std::ranges::any_of(
            notes, [&](Diagnostic const &note) { return note.code == "config.io-tiles" && toText(note).find(text) != std::string::npos; });
    }

private slots:
    /// Twelve tiles compute in both; four more transfer.
    void resultsAreThoseWithoutIoTiles_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::addColumn<QString>("accumulation");
        QTest::addColumn<QString>("execution");
        for (bool const tile : {false, true}) {
            char const *mode = tile ? "tile" : "fused";
            QTest::addRow("%s, four rounds", mode) << tile << "1"
                                                   << "4";
            QTest::addRow("%s, two rounds", mode) << tile << "1"
                                                  << "2";
            QTest::addRow("%s, accumulation", mode) << tile << "4"
                                                    << "8";
        }
    }
    void resultsAreThoseWithoutIoTiles()
    {
        QFETCH(bool, tile);
        QFETCH(QString, accumulation);
        QFETCH(QString, execution);
        Fields const plan{{"training.batch_size", "8"},
                          {"training.gradient_accumulation_steps", accumulation.toStdString()},
                          {"training.steps_per_execution", execution.toStdString()}};
        auto request = requestIn(m_folder, tile ? Mode::Tile : Mode::Fused);
        request.steps = accumulation == "1" ? 7 : 12; // what is less than an execution is run update by update
        std::vector<double> with, without;
        auto const a = trained(mnist("gc200:tiles=16", withIoTiles("4", smallModel(plan))), request, &with);
        auto const b = trained(mnist("gc200:tiles=12", smallModel(plan)), request, &without);
        QCOMPARE(a.steps, *request.steps);
        QCOMPARE(a.weightsHash, b.weightsHash);
        QVERIFY(with == without);
    }
    void pipelinesKeepTheirResults_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<QString>("recompute");
        QTest::addColumn<QString>("mapping");
        for (bool const tile : {false, true})
            for (auto const *schedule : {"grouped", "interleaved", "sequential"})
                QTest::addRow("%s, %s", schedule, tile ? "tile" : "fused") << tile << schedule << "false"
                                                                           << "null";
        QTest::newRow("recomputation") << true << "grouped"
                                       << "true"
                                       << "null";
        QTest::newRow("feeds on one IPU") << true << "grouped"
                                          << "false"
                                          << "[0, 1, 0]";
    }
    /// Lanes of IO tiles beside the tasks of slots: on the first stage's IPU and on the last one's.
    void pipelinesKeepTheirResults()
    {
        QFETCH(bool, tile);
        QFETCH(QString, schedule);
        QFETCH(QString, recompute);
        QFETCH(QString, mapping);
        auto request = requestIn(m_folder, tile ? Mode::Tile : Mode::Fused);
        std::vector<double> with, without;
        auto const plan = pipelinePlan(schedule, recompute, mapping);
        std::string const ipus = mapping == "null" ? ",ipus=4" : ",ipus=2";
        auto const a = trained(mnist("gc200:tiles=16" + ipus, withIoTiles("4", plan)), request, &with);
        auto const b = trained(mnist("gc200:tiles=12" + ipus, plan), request, &without);
        QCOMPARE(a.compiled.executable->program.ioTilesPerIpu, 4);
        QCOMPARE(a.weightsHash, b.weightsHash);
        QVERIFY(with == without);
        QVERIFY(a.steps > 0);
        // The clocks of the tiles count what the schedule states, and the transfers are beside the tasks.
        auto const &entry = *a.compiled.entry();
        if (tile) QCOMPARE(a.device.measured, std::optional(a.steps / 12 * entry.patternCycles * entry.patternRepeats));
        QVERIFY(a.device.seconds < b.device.seconds);
    }
    void evaluationsOfPipelinesOverlap()
    {
        Fields more = pipelinePlan("grouped", "false", "null");
        more.emplace_back("data.limit", "240");
        more.emplace_back("training.validation_split", "0.2");
        more.emplace_back("training.validation_executable", "shared");
        auto const a = trained(mnist("gc200:tiles=16,ipus=4", withIoTiles("4", more)), requestIn(m_folder, Mode::Tile));
        auto const b = trained(mnist("gc200:tiles=12,ipus=4", more), requestIn(m_folder, Mode::Tile));
        QCOMPARE(a.compiled.executable->program.ioTilesPerIpu, 4);
        QVERIFY(a.epochs[0].valLoss && b.epochs[0].valLoss);
        QCOMPARE(*a.epochs[0].valLoss, *b.epochs[0].valLoss);
        QCOMPARE(a.weightsHash, b.weightsHash);
    }
    void bothModesAgree()
    {
        auto const p = mnist("gc200:tiles=16", withIoTiles("4", smallModel({{"training.steps_per_execution", "4"}})));
        auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile), 3, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY(outcome->agrees);
        QCOMPARE(outcome->steps, 3);
    }
    /// The built-in model with 32 IO tiles: the cycles fall by what the timeline shows as overlapped.
    void cyclesFallByTheOverlap()
    {
        Fields const plan{{"training.steps_per_execution", "8"}};
        auto reserved = withIoTiles("32", plan);
        reserved.emplace_back("ipu_config.io_tiles.place_ops_on_io_tiles", "false");
        auto const before = compiled(mnist("gc200", reserved)); // equally many tiles compute
        auto const p = mnist("gc200", withIoTiles("32", plan));
        auto const after = compiled(p);
        auto const data = reportOf(p, after);
        QCOMPARE(data.target.ioTilesPerIpu, 32);
        Cycles overlapped = 0, total = 0;
        for (auto const &lane : data.events) {
            if (data.lanes[static_cast<std::size_t>(lane.lane)].kind != "io_tiles") continue;
            for (auto const duration : lane.events.duration) total += duration;
        }
        for (auto const &split : data.ipuSplits) overlapped += split.overlapped;
        QVERIFY(overlapped > 0 && overlapped <= total);
        Cycles const without = before.entry()->patternCycles * before.entry()->patternRepeats;
        Cycles const with = after.entry()->patternCycles * after.entry()->patternRepeats;
        // The overlap costs the exchange between the IO tiles and the others.
        auto const exchange = exchangeWithIoTiles(after);
        auto const figure = [&](std::string const &name) {
            auto const it = std::ranges::find(data.figures, name, &report::FigureRow::name);
            return it == data.figures.end() ? 0.0 : it->value * 8;
        };
        QCOMPARE(std::llround(figure("overlapped_cycles_per_step")), std::llround(static_cast<double>(overlapped)));
        QCOMPARE(std::llround(figure("io_exchange_cycles_per_step")), std::llround(static_cast<double>(exchange)));
        auto const fall = static_cast<double>(without - with), shown = static_cast<double>(overlapped - exchange);
        auto const text =
            QString("%1 cycles without, %2 with, %3 overlapped, %4 of exchange").arg(without).arg(with).arg(overlapped).arg(exchange);
        QVERIFY2(exchange > 0 && std::abs(fall - shown) <= 0.02 * shown, qPrintable(text));
        QVERIFY2(fall > 0.2 * static_cast<double>(without), qPrintable(text));
        qInfo("%s", qPrintable(text));
    }
    void reportsAreConsistent_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("accumulation");
        QTest::newRow("one IPU") << "gc200:tiles=16"
                                 << "1";
        QTest::newRow("accumulation") << "gc200:tiles=16"
                                      << "4";
        QTest::newRow("replicas") << "gc200:tiles=16,ipus=2"
                                  << "1";
        QTest::newRow("pipeline") << "gc200:tiles=16,ipus=4"
                                  << "6";
    }
    void reportsAreConsistent()
    {
        QFETCH(QString, target);
        QFETCH(QString, accumulation);
        auto const p =
            mnist(target.toStdString(),
                  withIoTiles("4",
                              accumulation == "6" ? pipelinePlan("grouped", "false", "null")
                                                  : smallModel({{"training.gradient_accumulation_steps", accumulation.toStdString()},
                                                                {"training.steps_per_execution", "8"}})));
        auto const data = reportOf(p, compiled(p));
        for (auto const &violation : report::checkTables(data)) QFAIL((violation.subject + ": " + violation.what).c_str());
        int lanes = 0;
        for (auto const &lane : data.lanes) lanes += lane.kind == "io_tiles";
        QCOMPARE(lanes, accumulation == "6" ? 2 : data.target.ipus); // of the first and the last stage
        int places = 0;
        for (auto const &place : data.tilePlaces) places += place.io;
        QCOMPARE(places, 4);
    }
    void reservationIsReleased()
    {
        std::vector<Diagnostic> notes;
        auto const one = compiled(mnist("gc200:tiles=16", withIoTiles("4", smallModel())), &notes);
        QCOMPARE(one.executable->program.ioTilesPerIpu, 0);
        QVERIFY(hasNote(notes, "no transfer can overlap"));
        auto const large = compiled(mnist("gc200:tiles=16",
                                          withIoTiles("4",
                                                      smallModel({{"training.steps_per_execution", "4"},
                                                                  {"ipu_config.io_tiles.available_memory_proportion", "0.01"}}))),
                                    &notes);
        QCOMPARE(large.executable->program.ioTilesPerIpu, 0);
        QVERIFY(hasNote(notes, "they stay on the compute tiles"));
        // Remote copies use the same link as the feeds.
        auto const away = compiled(mnist("gc200:tiles=16",
                                         withIoTiles("4",
                                                     smallModel({{"training.steps_per_execution", "4"},
                                                                 {"training.optimizer", "adam"},
                                                                 {"training.offload_weight_update_variables", "true"}}))),
                                   &notes);
        QCOMPARE(away.executable->program.ioTilesPerIpu, 0);
        QVERIFY(hasNote(notes, "without variables in streaming memory"));
        auto const kept = compiled(
            mnist("gc200:tiles=16", smallModel({{"ipu_config.io_tiles.num_io_tiles", "3"}, {"training.steps_per_execution", "4"}})),
            &notes);
        QCOMPARE(kept.executable->program.ioTilesPerIpu, 4); // rounded up, and reserved without use
        for (auto const &variable : kept.executable->program.variables) {
            auto const &on = variable.layout.on;
            QVERIFY2(on.begin + on.count <= 12, variable.name.c_str());
        }
    }
    void tuningTriesToFeedFaster()
    {
        auto const feeds = [](project::Project const &p) {
            std::map<std::string, std::vector<std::pair<std::string, std::string>>> found; // by first field
            for (auto const &group : runtime::usualChanges(p, nullptr))
                for (auto const &change : group)
                    if (change.set.front().first == "data.convert" || change.set.front().first == "ipu_config.io_tiles.num_io_tiles")
                        found[change.set.front().first] = change.set;
            return found;
        };
        auto const p = mnist("gc200", {{"training.steps_per_execution", "1"}});
        auto const found = feeds(p);
        QCOMPARE(found.size(), std::size_t(2));
        QVERIFY(feeds(mnist("gc200", withIoTiles("32", {{"data.convert", "device"}}))).empty());
        // Both are faster where the host is the limit, and change no result.
        auto const before = compiled(p);
        for (auto const &[field, set] : found) {
            auto faster = p;
            for (auto const &[path, value] : set) faster = project::withField(faster, path, value, nullptr).value();
            QVERIFY2(compiled(faster).samplesPerSecond() > before.samplesPerSecond(), field.c_str());
            QVERIFY(!runtime::changesResults({{set}}));
        }
    }
    void tooManyIoTilesAreRefused()
    {
        auto const outcome = compiler::compile(mnist("gc200:tiles=4", withIoTiles("4", smallModel())), requestIn(m_folder).compile, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, std::string("config.conflict"));
        QCOMPARE(outcome.error().subject, std::string("ipu_config.io_tiles.num_io_tiles"));
    }
};

TW_REGISTER_TEST(TstIoTiles);
#include "tst_io_tiles.moc"
