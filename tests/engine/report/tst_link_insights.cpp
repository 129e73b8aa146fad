#include "tests/engine/report/insight_reports.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

using namespace tilewright;
using namespace tilewright::report;
using namespace tilewright::testing;
using Json = nlohmann::json;

/// What insights say of the link of an IPU: transfers with the host, copies with streaming memory.
class TstLinkInsights : public QObject {
    Q_OBJECT
private slots:
    void stepsBoundByTheHostAreTold()
    {
        IpuSplitRow split;
        split.stream = 4 * 31000;
        auto data = withSplit(split, 100000);
        // Twice 12,288 bytes at 7 GB/s and 1.33 GHz are 4,669 cycles: handshakes cost the rest.
        auto found = of(data, "host.stream-bound");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(Json::parse(found[0].numbers)["advice"].get<std::string>(), std::string("larger_batch"));
        QVERIFY(found[0].action.empty());
        data.options.push_back({"training", "batch_size", "32", std::nullopt, "project"});
        found = of(data, "host.stream-bound");
        QCOMPARE(Json::parse(found[0].action), Json::parse(R"({"set": [{"path": "training.batch_size", "value": 64}]})"));
        // Where data fill the link, a larger batch changes nothing.
        split.stream = 4 * 5000;
        data = withSplit(split, 10000);
        found = of(data, "host.stream-bound");
        QCOMPARE(Json::parse(found[0].numbers)["advice"].get<std::string>(), std::string("none"));
        QVERIFY(found[0].action.empty() && !found[0].gainCycles);
        // Bytes that the device converts are a quarter of them; IO tiles receive them while the others compute.
        data.options.push_back({"data", "convert", "\"host\"", "\"host\"", "default"});
        data.options.push_back({"training", "steps_per_execution", "1", "1", "default"});
        data.target.tilesPerIpu = 1472;
        found = of(data, "host.stream-bound");
        QCOMPARE(Json::parse(found[0].numbers)["advice"].get<std::string>(), std::string("overlap"));
        QCOMPARE(Json::parse(found[0].action), Json::parse(R"({"set": [{"path": "data.convert", "value": "device"}], "or": [{"set": [
            {"path": "ipu_config.io_tiles.num_io_tiles", "value": 32}, {"path": "ipu_config.io_tiles.place_ops_on_io_tiles", "value": true},
            {"path": "training.steps_per_execution", "value": 8}]}]})"));
        QVERIFY(found[0].gainCycles && *found[0].gainCycles == 5000);
        data.target.ioTilesPerIpu = 32;
        data.options.front().value = "\"device\"";
        QVERIFY(of(data, "host.stream-bound")[0].action.empty());
        split.stream = 4 * 30000;
        QVERIFY(of(withSplit(split, 100000), "host.stream-bound").empty());
    }

    /// Copies of variables in streaming memory take the same phase of the split, but nobody is told that the host is slow.
    void copiesWithStreamingMemoryAreNotTheHosts()
    {
        IpuSplitRow split;
        split.stream = 4 * 60000;
        auto data = withSplit(split, 100000);
        for (auto &run : data.runs) run.cycles = 4 * 100000;
        QCOMPARE(of(data, "host.stream-bound").size(), std::size_t{1});
        QVERIFY(of(data, "remote.copy-bound").empty());
        data = withRemoteCopies(std::move(data), 4 * 50000);
        QVERIFY(of(data, "host.stream-bound").empty()); // 10 % are left
        auto const found = of(data, "remote.copy-bound");
        QCOMPARE(found.size(), std::size_t{1});
        auto const numbers = Json::parse(found[0].numbers);
        QCOMPARE(numbers["copies"].get<Cycles>(), Cycles{50000});
        QCOMPARE(numbers["share"].get<double>(), 0.5);
        QCOMPARE(numbers["count"].get<int>(), 2);
        QCOMPARE(numbers["bytes"].get<int>(), 2000);
    }

    /// With several IPUs a share is of the time of all of them, as in the tables of operations; the share of the one IPU is a second
    /// figure.
    void sharesOfAStepAreOfAllItsIpus()
    {
        IpuSplitRow split;
        split.stream = 4 * 52000;
        auto data = withSplit(split, 100000);
        for (auto &run : data.runs) run.cycles = 4 * 100000;
        QCOMPARE(Json::parse(of(data, "host.stream-bound").front().numbers)["share"].get<double>(), 0.52);
        auto other = split;
        other.ipu = 1;
        other.stream = 0;
        data.ipuSplits.push_back(other);
        auto const numbers = Json::parse(of(data, "host.stream-bound").front().numbers);
        QCOMPARE(numbers["share"].get<double>(), 0.26);
        QCOMPARE(numbers["ipu_share"].get<double>(), 0.52);
        QCOMPARE(numbers["ipus"].get<int>(), 2);
    }
};

TW_REGISTER_TEST(TstLinkInsights);
#include "tst_link_insights.moc"
