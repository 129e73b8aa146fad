#include "engine/target/exchange.h"
#include "engine/target/links.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <deque>

using namespace tilewright;
using target::LinkLadder;

/// The ladder of links between IPUs, and the cost of flows on it.
class TstLinks : public QObject {
    Q_OBJECT
    static target::Machine machine() { return target::parseMachine("pod16").value(); }

    /// Links between two IPUs at least, by looking everywhere.
    static int fewest(LinkLadder const &ladder, int ipus, int from, int to)
    {
        std::vector<int> distance(static_cast<std::size_t>(ipus), -1);
        std::deque<int> open{from};
        distance[static_cast<std::size_t>(from)] = 0;
        while (!open.empty()) {
            int const here = open.front();
            open.pop_front();
            for (auto const &link : ladder.links())
                for (auto const &[a, b] : {std::pair(link.ipuA, link.ipuB), std::pair(link.ipuB, link.ipuA)})
                    if (a == here && distance[static_cast<std::size_t>(b)] < 0) {
                        distance[static_cast<std::size_t>(b)] = distance[static_cast<std::size_t>(here)] + 1;
                        open.push_back(b);
                    }
        }
        return distance[static_cast<std::size_t>(to)];
    }

private slots:
    void everyRouteIsCompleteAndShort()
    {
        for (int ipus = 1; ipus <= 17; ++ipus) {
            LinkLadder const ladder(machine(), ipus);
            QCOMPARE(static_cast<int>(ladder.links().size()), ipus / 2 + std::max(0, ipus - 2));
            for (int from = 0; from < ipus; ++from)
                for (int to = 0; to < ipus; ++to) {
                    int here = from;
                    auto const way = ladder.route(from, to);
                    for (auto const &hop : way) {
                        auto const &link = ladder.links()[static_cast<std::size_t>(hop.link)];
                        QCOMPARE(here, hop.down ? link.ipuB : link.ipuA);
                        here = hop.down ? link.ipuA : link.ipuB;
                    }
                    QCOMPARE(here, to);
                    QCOMPARE(static_cast<int>(way.size()), fewest(ladder, ipus, from, to));
                    // The rung comes first, except for an IPU without one.
                    if (way.size() > 1 && from % 2 != to % 2 && (from + 1 < ipus || from % 2))
                        QCOMPARE(ladder.links()[static_cast<std::size_t>(way[0].link)].width, 4);
                }
        }
    }
    void flowsShareADirection()
    {
        auto const pod = machine();
        LinkLadder const ladder(pod, 4);
        auto const cyclesOf = [&](Bytes bytes, double rate) {
            return static_cast<Cycles>(std::ceil(static_cast<double>(bytes) / rate * static_cast<double>(pod.chip.clockHz)));
        };
        // A pair by itself: its rung's rate. Both directions at once do not hinder each other.
        auto const pair = ladder.load({{0, 1, 1'000'000}, {1, 0, 500'000}});
        QCOMPARE(pair.size(), std::size_t{2});
        QCOMPARE(pair[0].cycles + pair[1].cycles, cyclesOf(1'000'000, 58.4e9) + cyclesOf(500'000, 58.4e9));
        // From 1 to 2 and from 0 to 2: the rail 0-2 carries both.
        Bytes most = 0;
        Cycles slowest = 0;
        for (auto const &load : ladder.load({{1, 2, 300'000}, {0, 2, 200'000}})) {
            most = std::max(most, load.bytes);
            slowest = std::max(slowest, load.cycles);
        }
        QCOMPARE(most, Bytes{500'000});
        QCOMPARE(slowest, cyclesOf(500'000, 29.2e9));
        QVERIFY(ladder.load({}).empty());
        QVERIFY(ladder.load({{2, 2, 100}}).empty());
    }
    void phasesTakeTheSlowerOfBoth()
    {
        auto const pod = machine();
        Cycles const inside = target::exchangePhaseCycles(pod.chip, 1000);
        QCOMPARE(inside, 1000 + pod.chip.exchangeLatencyCycles + pod.chip.exchangeSpreadCycles);
        QCOMPARE(target::globalPhaseCycles(pod, 1000, 0), inside);
        QCOMPARE(target::globalPhaseCycles(pod, 1000, 10), inside);
        QCOMPARE(target::globalPhaseCycles(pod, 1000, 5000), 5000 + pod.linkLatencyCycles);
        QCOMPARE(target::portCycles(pod.chip, {}), Cycles{0});
        QCOMPARE(target::portCycles(pod.chip, {.sent = 8, .received = 400, .onSharedBus = 0, .messages = 1, .fragments = 2}), Cycles{106});
        QCOMPARE(target::portCycles(pod.chip, {.sent = 8, .received = 400, .onSharedBus = 400, .messages = 1, .fragments = 2}), Cycles{56});
    }
};

TW_REGISTER_TEST(TstLinks);
#include "tst_links.moc"
