#include "engine/store/check_report.h"
#include "engine/store/process_mark.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "engine/store/sqlite.h"
#include "tests/engine/store/sample_report.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::store;
using namespace tilewright::report;
using tests::sampleReport;

namespace {

/// The sample without the data of a run.
ReportData compiled()
{
    auto d = sampleReport();
    d.runs.clear();
    d.patterns.clear();
    d.patternPlaces.clear();
    d.lanes.clear();
    d.eventTypes.clear();
    d.events.clear();
    d.stepStats.clear();
    d.stepOutliers.clear();
    d.ipuSplits.clear();
    d.runTileMetrics.clear();
    d.stageTasks.clear();
    d.bubbles.clear();
    d.flows.clear();
    d.criticals.clear();
    d.series.clear();
    d.seriesPoints.clear();
    d.heatmaps.clear();
    d.heatmapColumns.clear();
    d.insights.clear();
    d.log.clear();
    return d;
}

PartState stateOf(ReportReader const &reader, char const *name)
{
    auto const parts = reader.parts();
    for (auto const &part : *parts)
        if (part.name == name) return part.state;
    return PartState::Absent;
}

/// Writes a run row by row, the way a session does.
Status writeRun(ReportWriter &writer, ReportData const &d)
{
    for (auto const &pattern : d.patterns) TW_TRY(writer.addPattern(pattern));
    for (auto const &lane : d.lanes) TW_TRY(writer.addLane(lane));
    for (auto const &type : d.eventTypes) TW_TRY(writer.addEventType(type));
    for (auto const &run : d.runs) {
        auto started = run;
        started.state = "running";
        started.cycles = 0;
        TW_TRY(writer.addRun(started));
    }
    for (auto const &lane : d.events)
        for (std::size_t i = 0; i < lane.events.size(); ++i) {
            EventColumns one;
            one.add(lane.events.start[i], lane.events.duration[i], static_cast<int>(lane.events.type[i]), lane.events.argument[i],
                    static_cast<int>(lane.events.vec[i]));
            TW_TRY(writer.appendEvents(lane.pattern, lane.lane, one));
        }
    for (auto const &row : d.patternPlaces) {
        auto growing = row;
        growing.repeats = 1;
        TW_TRY(writer.put(growing));
        TW_TRY(writer.put(row));
    }
    for (auto const &row : d.stepStats) TW_TRY(writer.put(row));
    for (auto const &row : d.stepOutliers) TW_TRY(writer.put(row));
    for (auto const &row : d.ipuSplits) TW_TRY(writer.put(row));
    for (auto const &row : d.runTileMetrics) {
        TW_ASSIGN(int const vec, writer.addTileVec(d.tileVecs.values(row.vec)));
        TW_TRY(writer.put(RunTileMetricRow{row.run, row.name, vec}));
    }
    for (auto const &row : d.stageTasks) TW_TRY(writer.put(row));
    for (auto const &row : d.bubbles) TW_TRY(writer.put(row));
    for (auto const &row : d.flows) TW_TRY(writer.addFlow(row));
    for (auto const &row : d.criticals) TW_TRY(writer.put(row));
    for (std::size_t i = 0; i < d.series.size(); ++i) {
        TW_ASSIGN(int const id, writer.addSeries(d.series[i]));
        for (std::size_t k = 0; k < d.seriesPoints[i].x.size(); ++k)
            TW_TRY(writer.appendPoint(id, d.seriesPoints[i].x[k], d.seriesPoints[i].y[k]));
    }
    for (auto const &row : d.heatmaps) TW_TRY(writer.addHeatmap(row));
    for (auto const &row : d.heatmapColumns) TW_TRY(writer.put(row));
    for (auto const &row : d.insights) TW_TRY(writer.addInsight(row));
    for (auto const &row : d.log) TW_TRY(writer.addLog(row));
    for (std::size_t i = 0; i < d.runs.size(); ++i) TW_TRY(writer.updateRun(static_cast<int>(i), d.runs[i]));
    return writer.setWatermark("run", 900);
}

} // namespace

class TstReportLive : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    std::filesystem::path path(char const *name) { return m_dir.filePath(name).toStdString(); }
    int filesNamed(char const *pattern)
    {
        return static_cast<int>(QDir(m_dir.path()).entryList({pattern}, QDir::Files | QDir::Hidden).size());
    }

private slots:
    void aRunWrittenRowByRowEqualsOneWrittenAtOnce()
    {
        auto const file = path("rows.twreport");
        auto const d = sampleReport();
        {
            auto writer = ReportWriter::create(file);
            QVERIFY(writer.ok());
            QVERIFY(writer->write(compiled()).ok());
            auto const run = writeRun(*writer, d);
            QVERIFY2(run.ok(), run.ok() ? "" : toText(run.error()).c_str());
            QVERIFY(writer->finish().ok());
            QVERIFY(!writer->appendPoint(0, 9, 9).ok()); // finished is finished
        }
        auto const reader = ReportReader::open(file);
        auto read = (*reader)->readAll();
        QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
        QVERIFY(stateOf(**reader, "run") == PartState::Complete);
        read->parts.clear();
        // Vectors came in another order; everything else is equal.
        auto expected = d;
        expected.tileVecs = read->tileVecs;
        for (std::size_t i = 0; i < read->runTileMetrics.size(); ++i)
            QCOMPARE(read->tileVecs.values(read->runTileMetrics[i].vec), d.tileVecs.values(d.runTileMetrics[i].vec));
        expected.runTileMetrics = read->runTileMetrics;
        QVERIFY(read->events == expected.events);
        QVERIFY(*read == expected);
        auto const violations = checkReport(**reader);
        QVERIFY2(violations->empty(), violations->empty() ? "" : violations->front().what.c_str());
        QCOMPARE(filesNamed("*rows*"), 1);
    }
    void readersFollowAGrowingReport()
    {
        auto const file = path("live.twreport");
        auto writer = ReportWriter::create(file);
        QVERIFY(writer->write(compiled()).ok());
        auto const reader = ReportReader::open(file);
        QVERIFY(reader.ok());
        QVERIFY((*reader)->isLive());
        QVERIFY(stateOf(**reader, "run") == PartState::Writing);
        QVERIFY(stateOf(**reader, "memory") == PartState::Complete);
        auto const series = writer->addSeries({kNone, "loss", "", "step", "", kNone});
        QVERIFY(series.ok());
        for (int step = 0; step < 9000; ++step) QVERIFY(writer->appendPoint(*series, step, 1.0 / (step + 1)).ok());
        QVERIFY(writer->flush().ok());
        QCOMPARE((*reader)->points(*series, 0, 100000)->x.size(), std::size_t(9000));
        QVERIFY(writer->appendPoint(*series, 9000, 0).ok());
        QVERIFY(writer->flush().ok());
        QCOMPARE((*reader)->points(*series, 8999, 100000)->x, (std::vector<std::int64_t>{8999, 9000}));
        QCOMPARE(*(*reader)->count("series_chunk"), 2);
        // Appended data is written as long as calls continue.
        QVERIFY(writer->appendPoint(*series, 9001, 0).ok());
        std::this_thread::sleep_for(std::chrono::milliseconds(120));
        QVERIFY(writer->tick().ok());
        QCOMPARE((*reader)->points(*series, 9001, 9001)->x.size(), std::size_t(1));
        QVERIFY(writer->finish().ok());
        QVERIFY(stateOf(**reader, "series") == PartState::Complete);
        QVERIFY(!(*reader)->isLive());
    }
    void theFileAloneIsWholeThoughAReaderFollowsAtTheEnd()
    {
        auto const file = path("followed.twreport"), copy = path("alone.twreport");
        auto writer = ReportWriter::create(file);
        QVERIFY(writer->write(compiled()).ok());
        QVERIFY(writeRun(*writer, sampleReport()).ok());
        QVERIFY(writer->flush().ok());
        auto const reader = ReportReader::open(file);
        QVERIFY(stateOf(**reader, "run") == PartState::Writing);
        QVERIFY(writer->finish().ok());
        std::filesystem::copy_file(file, copy);
        auto const alone = ReportReader::open(copy);
        QVERIFY(alone.ok());
        QVERIFY(stateOf(**alone, "run") == PartState::Complete);
        QVERIFY(checkReport(**alone)->empty());
    }
    /// One that holds an earlier moment is waited for: the last commits could not go into the file.
    void theFileAloneIsWholeThoughAReaderHoldsAnEarlierMoment()
    {
        auto const file = path("held.twreport"), copy = path("held-alone.twreport");
        auto writer = ReportWriter::create(file);
        QVERIFY(writer->write(compiled()).ok());
        QVERIFY(writer->flush().ok());
        auto const reader = ReportReader::open(file);
        QVERIFY(reader.ok());
        std::atomic<bool> holds{false};
        std::thread reading([&] {
            auto const moment = (*reader)->snapshot();
            (void)stateOf(**reader, "run"); // a transaction begins with the first reading
            holds = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        });
        while (!holds) std::this_thread::yield();
        QVERIFY(writeRun(*writer, sampleReport()).ok());
        QVERIFY(writer->finish().ok());
        std::filesystem::copy_file(file, copy);
        reading.join();
        auto const alone = ReportReader::open(copy);
        QVERIFY(alone.ok());
        QVERIFY(stateOf(**alone, "run") == PartState::Complete);
        QVERIFY(checkReport(**alone)->empty());
    }
    void aGrowingReportIsCheckedAsOfOneMoment()
    {
        auto const file = path("checked.twreport");
        auto writer = ReportWriter::create(file);
        QVERIFY(writer->write(compiled()).ok());
        auto const d = sampleReport();
        QVERIFY(writeRun(*writer, d).ok());
        QVERIFY(writer->flush().ok());
        auto const reader = ReportReader::open(file);
        QVERIFY(reader.ok());
        // Each commit adds an event to a lane; reading an outdated row would show.
        std::atomic<bool> stop{false};
        std::atomic<int> commits{0};
        std::thread growing([&] {
            auto const &lane = d.events.front();
            auto last = lane.events.start.back() + lane.events.duration.back();
            while (!stop) {
                EventColumns one;
                one.add(last++, 1, static_cast<int>(lane.events.type.back()), 0, kNone);
                if (!writer->appendEvents(lane.pattern, lane.lane, one).ok() || !writer->flush().ok()) return;
                ++commits;
            }
        });
        std::vector<std::string> found;
        int const before = commits;
        for (int round = 0; round < 60 || (commits < before + 100 && round < 10000); ++round) {
            auto const all = checkReport(**reader);
            if (!all.ok()) found.push_back(toText(all.error()));
            else if (!all->empty()) found.push_back(all->front().subject + ": " + all->front().what);
        }
        stop = true;
        growing.join();
        QVERIFY2(found.empty(), (std::to_string(found.size()) + " times: " + (found.empty() ? "" : found.front())).c_str());
        QVERIFY(commits >= before + 100);
    }
    void aSnapshotHoldsOneMoment()
    {
        auto const file = path("moment.twreport");
        auto writer = ReportWriter::create(file);
        QVERIFY(writer->write(compiled()).ok());
        auto const series = writer->addSeries({kNone, "loss", "", "step", "", kNone});
        QVERIFY(writer->appendPoint(*series, 0, 1).ok() && writer->flush().ok());
        auto const reader = ReportReader::open(file).value();
        auto const points = [&] { return reader->points(*series, 0, 100)->x.size(); };
        {
            auto const outer = reader->snapshot();
            QVERIFY(outer.ok());
            QCOMPARE(points(), std::size_t(1));
            QVERIFY(writer->appendPoint(*series, 1, 1).ok() && writer->flush().ok());
            QVERIFY(reader->readAll().ok()); // takes one of its own
            QCOMPARE(points(), std::size_t(1));
        }
        QCOMPARE(points(), std::size_t(2));
    }
    void aWriterThatGoesAwayLeavesTruncatedParts()
    {
        auto const file = path("gone.twreport");
        {
            auto writer = ReportWriter::create(file);
            QVERIFY(writer->write(compiled()).ok());
            QVERIFY(writer->addRun(sampleReport().runs[0]).ok());
        }
        auto const reader = ReportReader::open(file);
        QVERIFY(stateOf(**reader, "run") == PartState::Truncated);
        QCOMPARE((*reader)->rows<RunRow>()->size(), std::size_t(1));
    }
    void killedWritersLeaveValidFiles()
    {
        // As long as the compile's parts take here, whatever else goes on.
        QElapsedTimer clock;
        clock.start();
        QVERIFY(writeReport(path("whole.twreport"), compiled()).ok());
        auto const whole = std::max<qint64>(2, clock.elapsed());
        int complete = 0, withRun = 0;
        for (int round = 0; round < 12; ++round) {
            auto const file = path(("kill" + std::to_string(round) + ".twreport").c_str());
            pid_t const child = fork();
            if (child == 0) {
                auto writer = ReportWriter::create(file);
                if (!writer.ok() || !writer->write(compiled()).ok()) _exit(1);
                auto run = sampleReport().runs[0];
                run.state = "running";
                (void)writer->addRun(run).ok();
                auto const series = writer->addSeries({kNone, "loss", "", "step", "", kNone});
                for (int step = 0;; ++step) {
                    (void)writer->appendPoint(*series, step, step).ok();
                    if (step % 50 == 0) (void)writer->flush().ok();
                }
            }
            QVERIFY(child > 0);
            // Early kills hit the compile's parts, later ones the growing ones.
            std::this_thread::sleep_for(std::chrono::milliseconds(round < 4 ? 1 + round * whole / 4 : 2 * whole + 20 * round));
            kill(child, SIGKILL);
            int status = 0;
            waitpid(child, &status, 0);
            QVERIFY(WIFSIGNALED(status));
            if (!std::filesystem::exists(file)) continue; // not even the empty report was there yet
            auto const reader = ReportReader::open(file);
            QVERIFY2(reader.ok(), reader.ok() ? "" : toText(reader.error()).c_str());
            QVERIFY((*reader)->readAll().ok());
            QVERIFY(stateOf(**reader, "run") == PartState::Truncated);
            if (stateOf(**reader, "memory") == PartState::Complete) ++complete;
            if (*(*reader)->count("series_chunk") > 0) {
                ++withRun;
                auto const runs = (*reader)->rows<RunRow>();
                QVERIFY(runs.ok() && runs->size() == 1);
                QCOMPARE(runs->front().state, std::string(kInterrupted)); // not for ever "running"
                auto const points = (*reader)->points(0, 0, 1 << 30);
                for (std::size_t i = 0; i < points->x.size(); ++i) QCOMPARE(points->x[i], static_cast<std::int64_t>(i));
            }
            // It can be written again.
            QVERIFY(writeReport(file, sampleReport()).ok());
            QVERIFY(checkReport(**ReportReader::open(file))->empty());
        }
        std::printf("12 kills: %d with the compile's parts, %d with points of the run\n", complete, withRun);
        QVERIFY(complete > 0 && withRun > 0);
    }
    void aFullDiskIsAnErrorAndKeepsWhatWasWritten()
    {
        auto const file = path("full.twreport");
        auto const before = path("before.twreport");
        pid_t const child = fork();
        if (child == 0) {
            std::signal(SIGXFSZ, SIG_IGN);
            auto writer = ReportWriter::create(file);
            if (!writer.ok() || !writer->write(compiled()).ok()) _exit(1);
            rlimit const limit{1'500'000, 1'500'000};
            setrlimit(RLIMIT_FSIZE, &limit);
            auto const series = writer->addSeries({kNone, "loss", "", "step", "", kNone});
            if (!series.ok()) _exit(2);
            for (int step = 0; step < 10'000'000; ++step) {
                auto const status = writer->appendPoint(*series, step, 0.1 * step);
                if (status.ok()) continue;
                bool const right = status.error().code == "store.disk-full" && status.error().kind == ErrorKind::Data;
                bool const stays = !writer->appendPoint(*series, step, 0).ok() && writer->finish().error().code == "store.disk-full";
                _exit(right && stays ? 0 : 3);
            }
            _exit(4);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
        auto const reader = ReportReader::open(file);
        QVERIFY(reader.ok());
        QVERIFY(stateOf(**reader, "series") == PartState::Truncated);
        QVERIFY(stateOf(**reader, "memory") == PartState::Complete);
        QVERIFY((*reader)->readAll().ok());
    }
    void aFullDiskAtTheStartLeavesTheOldReport()
    {
        auto const file = path("old.twreport");
        QVERIFY(writeReport(file, sampleReport()).ok());
        pid_t const child = fork();
        if (child == 0) {
            std::signal(SIGXFSZ, SIG_IGN);
            rlimit const limit{40'000, 40'000};
            setrlimit(RLIMIT_FSIZE, &limit);
            auto const writer = ReportWriter::create(file);
            _exit(!writer.ok() && writer.error().code == "store.disk-full" ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QCOMPARE(WEXITSTATUS(status), 0);
        QVERIFY(checkReport(**ReportReader::open(file))->empty());
        QCOMPARE(filesNamed("*old*"), 1);
    }
    void aReportInUseIsNotReplaced()
    {
        auto const file = path("busy.twreport");
        auto writer = ReportWriter::create(file);
        QVERIFY(writer->write(compiled()).ok());
        QVERIFY(writer->addRun(sampleReport().runs[0]).ok());
        QVERIFY(writer->flush().ok());
        auto const second = ReportWriter::create(file);
        QVERIFY(!second.ok());
        QCOMPARE(second.error().code, std::string("store.busy"));
        QVERIFY(second.error().kind == ErrorKind::Data); // 7 is for devices
        QVERIFY(writer->finish().ok());
        QVERIFY(ReportReader::open(file).ok());
    }
    void marksTellLivingProcessesFromDeadOnes()
    {
        QVERIFY(isAlive(processMark()));
        int pipes[2];
        QCOMPARE(pipe(pipes), 0);
        pid_t const child = fork();
        if (child == 0) {
            auto const mark = processMark();
            (void)!write(pipes[1], mark.data(), mark.size());
            _exit(0);
        }
        char buffer[256];
        auto const length = ::read(pipes[0], buffer, sizeof buffer);
        waitpid(child, nullptr, 0);
        QVERIFY(length > 0);
        QVERIFY(!isAlive(std::string_view(buffer, static_cast<std::size_t>(length))));
        QVERIFY(!isAlive("elsewhere 1 1"));
        QVERIFY(!isAlive(""));
    }
};

TW_REGISTER_TEST(TstReportLive);
#include "tst_report_live.moc"
