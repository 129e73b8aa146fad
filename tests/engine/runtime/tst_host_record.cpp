#include "engine/core/message_json.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include "engine/compiler/warning_tap.h"
#include "engine/runtime/host_record.h"
#include "engine/report/check/check_tables.h"
#include "engine/store/report_reader.h"

#include <thread>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::HostRecord;

/// Work and log of the host during a run, and their place in the report.
class TstHostRecord : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static int laneNamed(report::ReportData const &data, std::string const &name)
    {
        for (std::size_t i = 0; i < data.lanes.size(); ++i)
            if (data.lanes[i].name == name && data.lanes[i].timeBase == "ns") return static_cast<int>(i);
        return -1;
    }
    static report::EventColumns eventsOf(report::ReportData const &data, std::string const &name)
    {
        for (auto const &events : data.events)
            if (events.pattern == 0 && events.lane == laneNamed(data, name)) return events.events;
        return {};
    }
    static std::vector<std::string> namesIn(report::ReportData const &data, report::EventColumns const &events)
    {
        std::vector<std::string> names;
        for (auto const type : events.type) names.push_back(data.eventTypes[static_cast<std::size_t>(type)].name);
        return names;
    }

private slots:
    void threadsWriteAtOnce()
    {
        HostRecord record;
        std::vector<std::thread> threads;
        for (auto const lane : {HostRecord::Main, HostRecord::Calls, HostRecord::Infeed})
            threads.emplace_back([&record, lane] {
                for (int i = 0; i < 5000; ++i) {
                    HostRecord::Span const span(record, lane, i % 2 ? "odd" : "even", i);
                    if (i % 100 == 0) record.log(config::LogComponent::Data, config::LogLevel::Info, "line " + std::to_string(i));
                }
            });
        for (auto &thread : threads) thread.join();
        QCOMPARE(record.typeNames().size(), std::size_t(2));
        QCOMPARE(record.takeLog().size(), std::size_t(150));
        for (auto const lane : {HostRecord::Main, HostRecord::Calls, HostRecord::Infeed}) {
            auto const events = record.takeEvents(lane);
            QCOMPARE(events.size(), std::size_t(5000));
            for (std::size_t i = 0; i < events.size(); ++i) {
                QCOMPARE(events[i].argument, std::int64_t(i));
                QVERIFY(events[i].end >= events[i].begin);
                QVERIFY(i == 0 || events[i].begin >= events[i - 1].end);
            }
            QVERIFY(record.takeEvents(lane).empty());
        }
        QCOMPARE(record.omitted(), std::int64_t(0));
    }
    void longRunsKeepTheFirstEventsWithANote()
    {
        HostRecord record;
        for (std::size_t i = 0; i < HostRecord::kMostEvents + 7; ++i)
            record.add(HostRecord::Calls, "x", static_cast<std::int64_t>(i), static_cast<std::int64_t>(i) + 1);
        QCOMPARE(record.takeEvents(HostRecord::Calls).size(), HostRecord::kMostEvents);
        QCOMPARE(record.omitted(), std::int64_t(7));
    }
    void equalLinesFold()
    {
        using config::LogComponent, config::LogLevel;
        std::vector<compiler::LogLine> lines(3, {5, LogComponent::Data, LogLevel::Warn, "data.x", "again"});
        lines.push_back({9, LogComponent::Data, LogLevel::Debug, {}, "other"});
        auto const rows = runtime::logRows(lines, 2);
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[0].repeats, std::int64_t(3));
        QCOMPARE(rows[0].level, 2);
        QCOMPARE(rows[0].run, 2);
        QCOMPARE(rows[1].level, 0);
    }
    /// A reader in another language gets pattern and arguments; finished texts have none.
    void linesKeepTheirPatterns()
    {
        using config::LogComponent, config::LogLevel;
        std::vector<compiler::LogLine> const lines{{5,
                                                    LogComponent::Runtime,
                                                    LogLevel::Info,
                                                    {},
                                                    Message::of("learning rate %1 to %2 after step %3 (%4)", "0.1", "0.2", 1000, "you")},
                                                   {6, LogComponent::Runtime, LogLevel::Info, {}, "plain"}};
        std::vector<std::string> messages;
        auto const rows = runtime::logRows(lines, report::kNone, &messages);
        QCOMPARE(rows[0].text, std::string("learning rate 0.1 to 0.2 after step 1,000 (you)"));
        auto const kept = messageFromJson(nlohmann::ordered_json::parse(messages[0]));
        QVERIFY(kept);
        QCOMPARE(kept->pattern(), std::string("learning rate %1 to %2 after step %3 (%4)"));
        QCOMPARE(kept->text(), rows[0].text);
        QVERIFY(messages[1].empty());
    }
    void warningsReachTheJobOnce()
    {
        DiagnosticSink sink;
        JobContext outer;
        outer.warnings = &sink;
        std::vector<compiler::LogLine> lines;
        {
            compiler::WarningTap tap(outer);
            tap.job().warn(makeWarning("a.b", "place", "first", "Do this."));
            tap.drain(lines, 3);
            tap.job().warn(makeWarning("a.c", "place", "second"));
        }
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(lines[0].text, std::string("place: first. Do this."));
        QCOMPARE(sink.all().size(), std::size_t(2));
    }
    void reportsOfRunsContainTheHostsWork_data()
    {
        QTest::addColumn<bool>("cached");
        QTest::newRow("compiled") << false;
        QTest::newRow("from the cache") << true;
    }
    void reportsOfRunsContainTheHostsWork()
    {
        QFETCH(bool, cached);
        auto const p = mnist("gc200:tiles=16", smallModel({{"training.epochs", "2"}}));
        auto request = requestIn(m_folder);
        request.compile.useCache = cached;
        if (cached) (void)trained(p, request);
        auto const path = m_folder.path() / (cached ? "cached.twreport" : "host.twreport");
        request.report = path;
        auto const outcome = trained(p, request);
        auto const reader = store::ReportReader::open(path);
        QVERIFY(reader.ok());
        auto const loaded = (*reader)->readAll();
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : toText(loaded.error()).c_str());
        auto const &data = *loaded;

        auto const main = eventsOf(data, "Run thread");
        QCOMPARE(namesIn(data, main), (std::vector<std::string>{"Compile", "Epoch", "Epoch"}));
        QCOMPARE(main.argument[1], std::int64_t(1));
        QCOMPARE(main.argument[2], std::int64_t(2));
        auto const calls = eventsOf(data, "Calls");
        std::int64_t executions = 0, inside = 0;
        auto const names = namesIn(data, calls);
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (names[i] != "Execute") continue;
            ++executions;
            for (std::size_t k = 1; k < 3; ++k)
                inside += calls.start[i] >= main.start[k] && calls.start[i] + calls.duration[i] <= main.start[k] + main.duration[k];
        }
        QCOMPARE(executions, outcome.steps); // one micro-batch each here
        QCOMPARE(inside, executions);
        QVERIFY(std::ranges::find(names, cached ? "Report detail" : "Graph construction") != names.end());
        QCOMPARE(std::int64_t(eventsOf(data, "Streams to the device").size()), 2 * outcome.steps); // picture and label
        QCOMPARE(std::int64_t(eventsOf(data, "Infeed thread").size()), outcome.steps);
        auto const reading = namesIn(data, eventsOf(data, "Data thread"));
        QVERIFY(!reading.empty() && reading.front() == "Open data");

        int epochs = 0, caches = 0;
        std::int64_t before = 0;
        for (auto const &line : data.log) {
            epochs += line.text.starts_with("epoch ");
            caches += line.component == "cache";
            if (line.run == report::kNone) QVERIFY(line.hostNs >= before);
            before = line.hostNs;
        }
        QCOMPARE(epochs, 2);
        QCOMPARE(caches, 1);
        auto const violations = report::checkTables(data);
        QVERIFY2(violations.empty(), violations.empty() ? "" : violations.front().what.c_str());
    }
    void warningsOfTheRunComeIntoItsLog()
    {
        // 7 batches for 2 replicas: one is dropped, which only the run itself notices.
        auto const p = mnist("pod4:tiles=16,ipus=2", smallModel({{"data.limit", "224"}, {"training.replicas", "2"}}));
        auto request = requestIn(m_folder);
        request.report = m_folder.path() / "warned.twreport";
        DiagnosticSink sink;
        JobContext job;
        job.warnings = &sink;
        auto const outcome = runtime::train(p, request, {}, job);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        auto const code = [](auto const &each) { return each.code == "data.replicas"; };
        QCOMPARE(std::ranges::count_if(sink.all(), code), std::ptrdiff_t(1));
        auto const data = (*store::ReportReader::open(*request.report))->readAll();
        QVERIFY(data.ok());
        QCOMPARE(std::ranges::count_if(data->log, code), std::ptrdiff_t(1));
        QCOMPARE(std::ranges::find_if(data->log, code)->level, 2);
    }
    /// The plan requests five epochs and one replica: the report contains the executed part and the fields that were set.
    void reportsContainThePlanThatRan()
    {
        auto const p = mnist("pod4:tiles=16,ipus=2", smallModel({{"training.epochs", "5"}, {"training.replicas", "1"}}));
        auto request = requestIn(m_folder);
        request.report = m_folder.path() / "ran.twreport";
        request.epochs = 2;
        auto const outcome = runtime::train(p, request, {}, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        auto const data = (*store::ReportReader::open(*request.report))->readAll();
        QVERIFY(data.ok());
        auto const option = [&](char const *name) {
            auto const found =
                std::ranges::find_if(data->options, [&](auto const &each) { return each.scope == "training" && each.name == name; });
            return found == data->options.end() ? report::OptionRow() : *found;
        };
        QCOMPARE(option("epochs").value, std::string("2"));
        QCOMPARE(option("replicas").value, std::string("2"));
        QCOMPARE(option("replicas").source, std::string("derived"));
        QCOMPARE(option("batch_size").source, std::string("default"));
        QVERIFY(option("loss_weights").defaultValue && *option("loss_weights").defaultValue == "null");
        auto const host = std::ranges::find(data->figures, "host_compile_bytes", &report::FigureRow::name);
        QVERIFY(host == data->figures.end() || host->value >= 0); // not there: not known here
    }
    void aCompilesReportKeepsItsLog()
    {
        auto const p = mnist("gc200:tiles=16", smallModel());
        auto request = requestIn(m_folder).compile;
        request.forReport = true;
        request.useCache = false;
        auto const compiled = compiler::compile(p, request, {});
        QVERIFY(compiled.ok());
        QVERIFY(std::ranges::any_of(compiled->log, [](auto const &line) { return line.component == config::LogComponent::Allocator; }));
    }
};

TW_REGISTER_TEST(TstHostRecord);
#include "tst_host_record.moc"
