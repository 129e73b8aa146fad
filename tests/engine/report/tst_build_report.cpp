#include "engine/core/text.h"
#include "engine/report/build_report_run.h"
#include "engine/report/check/check_tables.h"
#include "engine/store/check_report.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "tests/engine/report/report_test_programs.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <functional>
#include <numeric>
#include <set>

using namespace tilewright;
using namespace tilewright::report;
using namespace tilewright::testing;

namespace {

Bytes sum(std::vector<Bytes> const &values) { return std::accumulate(values.begin(), values.end(), Bytes{0}); }
template <typename T> T const &at(std::vector<T> const &rows, int i) { return rows[static_cast<std::size_t>(i)]; }

ReportData whole(Compiled const &compiled, CompileFacts const &facts, std::int64_t patterns = 3)
{
    auto data = buildCompileReport(facts);
    int const pattern = appendPattern(data, facts);
    RunFacts run;
    run.run.name = "run";
    run.run.state = "done";
    run.patterns = patterns;
    appendRun(data, facts, pattern, run);
    (void)compiled;
    return data;
}

double figure(ReportData const &data, std::string const &name)
{
    for (auto const &row : data.figures)
        if (row.name == name) return row.value;
    return -1;
}

/// The programs of the tests, by name.
Compiled make(std::string const &name)
{
    if (name == "product loop") return analyse("gc200:tiles=8", productLoop("gc200:tiles=8"));
    if (name == "product loop, no room") return analyse("gc200:tiles=8", productLoop("gc200:tiles=8"), 6000);
    if (name == "two IPUs") return analyse("gc200:tiles=4,ipus=2", twoIpus("gc200:tiles=4,ipus=2", 1));
    if (name == "two IPUs, three replicas") return analyse("pod16:tiles=4,ipus=6", twoIpus("pod16:tiles=4,ipus=6", 3));
    if (name == "pipeline") return analyse("pod4:tiles=4", pipeline("pod4:tiles=4", 4, 9));
    if (name == "unequal pipeline") return analyse("pod4:tiles=4", pipeline("pod4:tiles=4", 3, 5, 3));
    if (name == "mnist on 8 tiles") return mnistTraining("gc200:tiles=8");
    if (name == "mnist on 8 tiles, ten steps") return mnistTraining("gc200:tiles=8", 10);
    if (name == "mnist, accumulating") return mnistTraining("gc200:tiles=16", 2, 1, 6);
    if (name == "mnist on four replicas") return mnistTraining("m2000:tiles=16", 1, 1, 1, 4);
    if (name == "mnist in two stages") return mnistTraining("m2000:tiles=16", 1, 2, 8);
    if (name == "mnist in two stages and replicas") return mnistTraining("m2000:tiles=16", 2, 2, 8, 2);
    return mnistTraining("gc200");
}

} // namespace

class TstBuildReport : public QObject {
    Q_OBJECT

    void addPrograms()
    {
        QTest::addColumn<QString>("name");
        for (char const *name :
             {"product loop", "product loop, no room", "two IPUs", "two IPUs, three replicas", "pipeline", "unequal pipeline",
              "mnist, accumulating", "mnist on four replicas", "mnist in two stages", "mnist in two stages and replicas",
              "mnist on 8 tiles", "mnist on 8 tiles, ten steps", "mnist on 1472 tiles"})
            QTest::newRow(name) << QString(name);
    }

private slots:
    void invariantsHoldForEveryProgram_data() { addPrograms(); }
    void invariantsHoldForEveryProgram()
    {
        QFETCH(QString, name);
        auto const compiled = make(name.toStdString());
        auto facts = compiled.facts();
        facts.samplesPerPattern = 32;
        QElapsedTimer timer;
        timer.start();
        auto const data = whole(compiled, facts);
        auto const built = timer.nsecsElapsed() / 1000;
        for (auto const &violation : report::checkTables(data))
            QFAIL(qPrintable(QString("%1: %2 (%3)")
                                 .arg(violation.invariant)
                                 .arg(QString::fromStdString(violation.what), QString::fromStdString(violation.subject))));
        QTemporaryDir dir;
        auto const path = std::filesystem::path(dir.filePath("a.twreport").toStdString());
        timer.restart();
        auto const written = store::writeReport(path, data);
        auto const writing = timer.nsecsElapsed() / 1000;
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
        auto const reader = store::ReportReader::open(path);
        QVERIFY(reader.ok());
        auto const violations = store::checkReport(**reader);
        QVERIFY(violations.ok());
        for (auto const &violation : *violations)
            QFAIL(qPrintable(QString::fromStdString(violation.what + " (" + violation.subject + ")")));
        qInfo("%lld us to build, %lld us to write, %lld bytes; %zu programs, %zu variables, %d layouts, %d vectors", built, writing,
              static_cast<long long>(std::filesystem::file_size(path)), data.programs.size(), data.variables.size(), data.layouts.size(),
              data.tileVecs.size());
    }

    void threadsChangeNothing()
    {
        for (char const *name : {"product loop, no room", "two IPUs, three replicas", "mnist in two stages", "mnist on 1472 tiles"}) {
            auto const compiled = make(name);
            auto const alone = buildCompileReport(compiled.facts());
            for (int threads : {1, 2, 4}) {
                ThreadPool pool(threads);
                QVERIFY2(buildCompileReport(compiled.facts(), {&pool, nullptr}) == alone, name);
            }
        }
    }

    void aCancelledOneEndsAtOnce()
    {
        auto const compiled = make("mnist on 1472 tiles");
        ThreadPool pool(2);
        std::stop_source source;
        source.request_stop();
        JobContext job;
        job.stop = source.get_token();
        auto const data = buildCompileReport(compiled.facts(), {&pool, &job});
        QVERIFY(data.computeSets.empty()); // stopped before the slow part
    }

    void theSameInputGivesTheSameTables()
    {
        for (char const *name : {"product loop", "two IPUs, three replicas", "mnist on 8 tiles"}) {
            auto const a = make(name), b = make(name);
            QVERIFY(whole(a, a.facts()) == whole(b, b.facts()));
        }
    }

    void everyProgramAndVariableReachesALayerOrASyntheticOp_data() { addPrograms(); }
    void everyProgramAndVariableReachesALayerOrASyntheticOp()
    {
        QFETCH(QString, name);
        auto const compiled = make(name.toStdString());
        auto const data = buildCompileReport(compiled.facts());
        auto const top = [&](int op) {
            while (op >= 0 && at(data.ops, op).parent >= 0) op = at(data.ops, op).parent;
            return op;
        };
        for (auto const &program : data.programs) {
            QVERIFY(program.op >= 0);
            QCOMPARE(at(data.ops, top(program.op)).level, std::string("keras"));
        }
        for (auto const &variable : data.variables) QCOMPARE(at(data.ops, top(variable.op)).level, std::string("keras"));
        for (auto const &set : data.computeSets) QCOMPARE(at(data.ops, set.op).level, std::string("compute_set"));
        // Parents come before their children: rows can be written in their order.
        for (std::size_t i = 0; i < data.ops.size(); ++i) QVERIFY(data.ops[i].parent < static_cast<int>(i));
    }

    void codeAndStateOfOperationsAddUpToTheTiles_data() { addPrograms(); }
    void codeAndStateOfOperationsAddUpToTheTiles()
    {
        QFETCH(QString, name);
        auto const compiled = make(name.toStdString());
        auto const data = buildCompileReport(compiled.facts());
        auto const &code = compiled.memory.code;
        // The code of an exchange is in its exchange row, that of a codelet in its vertex type.
        Bytes internal = 0, global = 0, host = 0, header = 0, types = 0, state = 0, rootState = 0;
        for (auto const &exchange : data.exchanges) {
            auto const bytes = data.tileVecs.head(exchange.codeVec).sum;
            (exchange.kind == "internal" ? internal : exchange.kind == "global" ? global : host) += bytes;
            if (exchange.kind == "host") header += exchange.headerBytes;
        }
        QCOMPARE(internal, sum(code.internalExchange));
        QCOMPARE(global, sum(code.globalExchange));
        QVERIFY(host <= sum(code.hostExchange));
        QCOMPARE(header, sum(code.hostHeader));
        for (auto const &type : data.vertexTypes) types += data.tileVecs.head(type.codeVec).sum;
        Bytes runtimeCode = 0;
        for (std::size_t t = 0; t < code.vertexCode.size(); ++t) runtimeCode += code.vertexCode[t] > 0 ? lowering::kRuntimeCode : 0;
        QCOMPARE(types + runtimeCode, sum(code.vertexCode));
        for (auto const &use : data.computeSetVertices) state += use.stateBytes;
        QCOMPARE(state, sum(code.vertexState));
        Bytes control = 0;
        for (auto const &program : data.programs)
            if (program.controlCodeVec >= 0) control += data.tileVecs.head(program.controlCodeVec).sum;
        QCOMPARE(control, sum(code.control));
        // The rest belongs to the runtime: its own code and the rounding of each part of a tile to words.
        auto const &runtime = data.ops.back();
        QCOMPARE(runtime.name, std::string("runtime"));
        QVERIFY(runtime.codeExclusive >= runtimeCode);
        QVERIFY(runtime.codeExclusive < runtimeCode + 5 * 4 * static_cast<Bytes>(code.control.size()));
        for (auto const &op : data.ops)
            if (op.parent < 0) rootState += op.vertexStateBytes;
        QCOMPARE(rootState, state);
    }

    void codeSharedByTwoOperationsIsHalvedBetweenThem()
    {
        auto const compiled = make("product loop");
        auto const data = buildCompileReport(compiled.facts());
        // Compute sets "second" and "fourth" run the same generated codelet on the same tiles.
        auto const find = [&](std::string const &name) {
            for (std::size_t i = 0; i < data.ops.size(); ++i)
                if (data.ops[i].name == name && data.ops[i].level == "compute_set") return static_cast<int>(i);
            return kNone;
        };
        int const second = find("second");
        QVERIFY(second >= 0);
        Bytes relu = 0, present = 0;
        for (auto const &type : data.vertexTypes)
            if (type.name == "Map<1: relu a0>") {
                relu = type.codeBytes;
                present = data.tileVecs.head(type.codeVec).sum;
            }
        QVERIFY(relu > 0);
        QCOMPARE(present, relu * 8);
        auto const &op = at(data.ops, second);
        QCOMPARE(op.codeShared, present);
        QCOMPARE(op.codeAttributed, static_cast<double>(op.codeExclusive) + static_cast<double>(present) / 2);
        // Their common parent owns it alone.
        QCOMPARE(at(data.ops, op.parent).codeShared, Bytes{0});
        QVERIFY(at(data.ops, op.parent).codeExclusive >= present);
    }

    void equalExchangesShareTheirPairs()
    {
        auto const compiled = mnistTraining("gc200:tiles=8", 2, 1, 2);
        auto const data = buildCompileReport(compiled.facts());
        std::vector<ExchangePairs> lists;
        std::size_t rows = 0;
        for (auto const &row : data.exchanges) {
            if (row.pairs.empty()) continue;
            ++rows;
            if (std::ranges::none_of(lists, [&](auto const &list) { return list.sharesWith(row.pairs); })) lists.push_back(row.pairs);
        }
        QVERIFY(lists.size() <= compiled.schedule.exchanges.rows.size());
        QVERIFY(lists.size() < rows); // some are equal
    }

    void countsOfComputeSetsAreThoseOfTheProgram()
    {
        auto const compiled = make("mnist on 8 tiles");
        auto const data = buildCompileReport(compiled.facts());
        QCOMPARE(data.computeSets.size(), compiled.program.computeSets.size());
        std::int64_t vertices = 0, inTypes = 0;
        for (std::size_t c = 0; c < data.computeSets.size(); ++c) {
            // By the plainest way: one vertex for each block of each family's leading field.
            std::int64_t expected = 0;
            for (auto const &family : compiled.program.computeSets[c].families)
                expected += static_cast<std::int64_t>(
                    program::placements(compiled.program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout).size());
            QCOMPARE(data.computeSets[c].vertices, expected);
            QCOMPARE(data.tileVecs.values(data.computeSets[c].cyclesVec), compiled.schedule.computeSets[c].byTile.all());
            vertices += expected;
        }
        for (auto const &use : data.computeSetVertices) {
            QCOMPARE(data.tileVecs.head(use.countVec).sum, use.count);
            inTypes += use.count;
        }
        QCOMPARE(inTypes, vertices);
        QCOMPARE(figure(data, "vertices"), static_cast<double>(vertices));
        QCOMPARE(figure(data, "compute_sets"), static_cast<double>(data.computeSets.size()));
    }

    void sharedStepsBecomeFunctions()
    {
        auto const compiled = make("pipeline");
        auto const data = buildCompileReport(compiled.facts());
        // main, one body per stage; nothing is exchanged, so there are no barriers.
        QCOMPARE(data.functions.size(), std::size_t{5});
        QVERIFY(data.functions[0].entry);
        int calls = 0;
        for (auto const &program : data.programs) calls += program.kind == "call";
        QCOMPARE(calls, 4 * 9);
        QCOMPARE(data.livenessSteps.size(), std::size_t{4 * 9 * 2});
        QCOMPARE(data.stages.size(), std::size_t{4});
        for (int s = 0; s < 4; ++s) QCOMPARE(at(data.stages, s).indexInReplica, s);
        QCOMPARE(data.livenessSteps[0].stage, 0);
        QCOMPARE(data.livenessSteps[0].pass, std::string("forward"));
        QCOMPARE(data.livenessSteps.back().stage, 3);
    }

    void stepsWithSeveralParentsAreCalled()
    {
        auto program = productLoop("gc200:tiles=8");
        // The loop's body once again after it, without a call step.
        auto const loop = program.step(program.main).children[0];
        program.steps[program.main.index].children.push_back(loop);
        auto const compiled = analyse("gc200:tiles=8", std::move(program));
        auto const facts = compiled.facts();
        auto const data = whole(compiled, facts);
        for (auto const &violation : report::checkTables(data)) QFAIL(violation.what.c_str());
        int calls = 0;
        for (auto const &row : data.programs) calls += row.kind == "call";
        QCOMPARE(calls, 2);
    }

    void barriersOfExchangesAreNoLivenessSteps()
    {
        auto const compiled = make("product loop");
        auto const data = buildCompileReport(compiled.facts());
        int barriers = 0;
        for (auto const &program : data.programs) barriers += program.kind == "sync_internal";
        int exchanges = 0;
        for (auto const &exchange : data.exchanges) exchanges += exchange.kind == "internal";
        QVERIFY(exchanges > 0);
        QCOMPARE(barriers, exchanges);
        QCOMPARE(data.livenessSteps.size(), compiled.liveness.steps.size());
        QCOMPARE(data.functions.back().name, std::string("Barriers"));
        QVERIFY(!data.functions.back().entry);
    }

    void streamsAreHostExchanges()
    {
        auto const compiled = make("product loop");
        auto const data = buildCompileReport(compiled.facts());
        QCOMPARE(data.streams.size(), std::size_t{2});
        QCOMPARE(data.streams[0].bytesPerTransfer, Bytes{64 * 48 * 4});
        QCOMPARE(data.streams[1].direction, std::string("from_device"));
        int host = 0;
        for (auto const &exchange : data.exchanges) {
            if (exchange.kind != "host") continue;
            ++host;
            QCOMPARE(exchange.bytesSent, Bytes{64 * 48 * 4});
            QCOMPARE((exchange.sentVec < 0) + (exchange.receivedVec < 0), 1);
        }
        QCOMPARE(host, 2);
    }

    void linksHaveNoMulticast()
    {
        auto const compiled = make("two IPUs");
        auto const data = buildCompileReport(compiled.facts());
        for (auto const &exchange : data.exchanges) {
            if (exchange.kind != "global") continue;
            QCOMPARE(exchange.bytesSent, Bytes{2 * 40 * 32 * 4});
            QCOMPARE(exchange.bytesReceived, exchange.bytesSent);
        }
    }

    void operationsAreJoinedByWhatFlowsBetweenThem()
    {
        auto const compiled = make("product loop");
        auto const data = buildCompileReport(compiled.facts());
        QCOMPARE(data.opEdges.size(), std::size_t{1});
        QCOMPARE(at(data.ops, data.opEdges[0].fromOp).name, std::string("dense/first"));
        QCOMPARE(at(data.ops, data.opEdges[0].toOp).name, std::string("dense/second"));
        QCOMPARE(at(data.variables, data.opEdges[0].variable).name, std::string("first/out"));
        // Each program is found from its own op and from all above it.
        std::set<std::pair<int, int>> known;
        for (auto const &row : data.opPrograms) known.insert({row.op, row.program});
        for (std::size_t program = 0; program < data.programs.size(); ++program)
            for (int op = data.programs[program].op; op >= 0; op = at(data.ops, op).parent)
                QVERIFY(known.contains({op, static_cast<int>(program)}));
    }

    void figuresFollowFromTheSchedule()
    {
        auto const compiled = make("product loop");
        auto facts = compiled.facts();
        facts.samplesPerPattern = 64;
        facts.stepsPerPattern = 2;
        auto const data = buildCompileReport(facts);
        auto const cycles = static_cast<double>(compiled.schedule.patternCycles);
        QCOMPARE(figure(data, "cycles_per_step"), cycles / 2);
        QCOMPARE(figure(data, "samples_per_second"), 64 * 1.33e9 / cycles);
        QCOMPARE(figure(data, "samples_per_step"), 32.0);
        QCOMPARE(figure(data, "flops_per_step"), 750.0); // the operations' own 1,500, once a pattern
        for (auto const &op : data.ops)
            if (op.name == "dense") QCOMPARE(op.flops, std::int64_t{1500});
    }

    void aProgramThatDoesNotFitIsDescribedWhole()
    {
        auto const compiled = make("product loop, no room");
        QVERIFY(!compiled.memory.fits);
        auto const data = buildCompileReport(compiled.facts());
        QVERIFY(!data.verdicts[0].fits);
        QVERIFY(!data.verdicts[0].cause.empty());
        QVERIFY(data.memoryRegions[2].bytes > 0);
        bool overflowed = false;
        for (auto const &part : data.memoryParts) overflowed = overflowed || part.region == Region::Overflowed;
        QVERIFY(overflowed);
    }

    void itemsAcrossTheRegionsAreCutAtTheBorder()
    {
        // A tile with a third of its memory non-interleaved and one variable larger than either region.
        lowering::ProgramBuilder b(*target::parseMachine("gc200:tiles=4"), 1, 1, {});
        auto const v = b.addVar("large", "activation", DType::F32, {4, 6500}, b.wholeRows(4, 6500, 0));
        b.stream("in", v, true, 0);
        b.stream("out", v, false, 0);
        auto compiled = analyse("gc200:tiles=4", b.program(), 36000);
        auto const data = buildCompileReport(compiled.facts());
        QVERIFY(compiled.memory.fits);
        std::vector<LoweredVariable> pieces;
        for (auto const &item : data.layouts.layout(data.tileLayout[0]))
            if (item.variable == 0) pieces.push_back(item);
        QCOMPARE(pieces.size(), std::size_t{2});
        QCOMPARE(pieces[0].offset + pieces[0].bytes, pieces[1].offset);
        QCOMPARE(pieces[1].offset, compiled.machine.chip.nonInterleavedBytes);
        QCOMPARE(data.variables[0].bytes, Bytes{4 * 6500 * 4});
        for (auto const &violation : report::checkTables(data)) QFAIL(violation.what.c_str());
    }
};

TW_REGISTER_TEST(TstBuildReport);
#include "tst_build_report.moc"
