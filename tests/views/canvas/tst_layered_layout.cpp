#include "views/canvas/layered_layout.h"

#include "engine/core/random.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace tilewright;
using namespace tilewright::views;

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

/// A network-like graph: mostly chains, some branches, merges and skips; `backward` edges against the grain.
LayoutGraph randomGraph(std::uint64_t seed, int nodes, int backward)
{
    RandomStream random(seed);
    LayoutGraph graph;
    for (int i = 0; i < nodes; ++i) {
        graph.nodes.push_back({160 + static_cast<double>(random.below(7)) * 16, 64, -1, {}, {}});
        if (i == 0) continue;
        int const back = 1 + static_cast<int>(random.below(3));
        graph.edges.push_back({std::max(0, i - back), i, {}});
        if (random.below(4) == 0) graph.edges.push_back({std::max(0, i - 4 - static_cast<int>(random.below(12))), i, {}});
        if (random.below(100) == 0) graph.edges.push_back({static_cast<int>(random.below(static_cast<std::uint64_t>(i))), i, {}});
    }
    for (int i = 0; i < backward && nodes > 2; ++i) {
        int const to = static_cast<int>(random.below(static_cast<std::uint64_t>(nodes - 1)));
        graph.edges.push_back({to + 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(nodes - to - 1))), to, {}});
    }
    return graph;
}

bool overlap(LayoutGraph const &graph, LayeredLayout const &layout, std::size_t a, std::size_t b)
{
    auto const &p = layout.centres[a], &q = layout.centres[b];
    return std::abs(p.x - q.x) < (graph.nodes[a].width + graph.nodes[b].width) / 2 - 0.01
        && std::abs(p.y - q.y) < (graph.nodes[a].height + graph.nodes[b].height) / 2 - 0.01;
}

int overlaps(LayoutGraph const &graph, LayeredLayout const &layout)
{
    int found = 0;
    for (std::size_t a = 0; a < graph.nodes.size(); ++a)
        for (std::size_t b = a + 1; b < graph.nodes.size(); ++b) found += overlap(graph, layout, a, b);
    return found;
}

LayoutGraph remembering(LayoutGraph graph, LayeredLayout const &layout)
{
    for (std::size_t i = 0; i < layout.centres.size(); ++i) graph.nodes[i].previous = layout.centres[i];
    for (std::size_t e = 0; e < layout.routes.size(); ++e) {
        for (std::size_t p = 1; p + 2 < layout.routes[e].size(); p += 2) graph.edges[e].previous.push_back(layout.routes[e][p].x);
        if (layout.backward[e]) std::reverse(graph.edges[e].previous.begin(), graph.edges[e].previous.end());
    }
    return graph;
}

LayoutGraph chain(int nodes)
{
    LayoutGraph graph;
    for (int i = 0; i < nodes; ++i) {
        graph.nodes.push_back({160, 64, -1, {}, {}});
        if (i > 0) graph.edges.push_back({i - 1, i, {}});
    }
    return graph;
}

} // namespace

class TstLayeredLayout : public QObject {
    Q_OBJECT
private slots:
    void randomGraphs_data()
    {
        QTest::addColumn<int>("seed");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<bool>("leftToRight");
        for (int seed = 1; seed <= 12; ++seed) QTest::addRow("seed %d", seed) << seed << 4 + seed * 9 << (seed % 2 == 0);
    }
    void randomGraphs()
    {
        QFETCH(int, seed);
        QFETCH(int, nodes);
        QFETCH(bool, leftToRight);
        LayoutGraph const graph = randomGraph(static_cast<std::uint64_t>(seed), nodes, seed % 3);
        LayoutOptions options;
        options.leftToRight = leftToRight;
        auto const layout = layeredLayout(graph, options);
        QCOMPARE(overlaps(graph, layout), 0);
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            int const from = graph.edges[e].from, to = graph.edges[e].to;
            auto const &a = layout.centres[u(from)], &b = layout.centres[u(to)];
            double const forward = leftToRight ? b.x - a.x : b.y - a.y;
            QVERIFY2(layout.backward[e] ? forward < 0 : forward > 0, "an edge points the wrong way");
            QVERIFY2(layout.backward[e] ? layout.ranks[u(from)] > layout.ranks[u(to)] : layout.ranks[u(from)] < layout.ranks[u(to)],
                     "ranks");
            QVERIFY(layout.routes[e].size() >= 2);
        }
        auto const again = layeredLayout(graph, options);
        QVERIFY(again.centres == layout.centres);
        QVERIFY(again.routes == layout.routes);
    }
    void onlyEdgesOfCyclesPointBackwards()
    {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            auto const layout = layeredLayout(randomGraph(seed, 40, 0), {});
            QCOMPARE(std::count(layout.backward.begin(), layout.backward.end(), 1), 0);
        }
        LayoutGraph cycle = chain(4);
        cycle.edges.push_back({3, 1, {}});
        auto const layout = layeredLayout(cycle, {});
        QCOMPARE(layout.backward, (std::vector<char>{0, 0, 0, 1}));
    }
    void aChainIsStraight()
    {
        auto const layout = layeredLayout(chain(30), {});
        for (auto const &centre : layout.centres) QVERIFY(std::abs(centre.x - layout.centres[0].x) < 1e-6);
        for (auto const &route : layout.routes) QCOMPARE(route.size(), std::size_t(2));
    }
    void aTreeAndALadderHaveNoCrossings()
    {
        LayoutGraph tree;
        for (int i = 0; i < 31; ++i) {
            tree.nodes.push_back({100, 50, -1, {}, {}});
            if (i > 0) tree.edges.push_back({(i - 1) / 2, i, {}});
        }
        QCOMPARE(layeredLayout(tree, {}).crossings, 0L);
        LayoutGraph crossed; // two chains with their nodes in crossed order
        for (int i = 0; i < 20; ++i) crossed.nodes.push_back({100, 50, -1, {}, {}});
        for (int i = 0; i < 8; ++i) { crossed.edges.push_back({i, i + 2, {}}); }
        QCOMPARE(layeredLayout(crossed, {}).crossings, 0L);
    }
    void aLongEdgePassesBesideTheNodesBetween()
    {
        LayoutGraph graph = chain(6);
        graph.edges.push_back({0, 5, {}});
        auto const layout = layeredLayout(graph, {});
        for (std::size_t p = 0; p + 1 < layout.routes[5].size(); ++p)
            for (int node = 1; node < 5; ++node) {
                // Sampled along the polyline: no point of it is in another node.
                for (double t = 0; t <= 1; t += 0.05) {
                    auto const &a = layout.routes[5][p], &b = layout.routes[5][p + 1];
                    double const x = a.x + (b.x - a.x) * t, y = a.y + (b.y - a.y) * t;
                    auto const &c = layout.centres[u(node)];
                    QVERIFY(std::abs(x - c.x) >= 80 - 1 || std::abs(y - c.y) >= 32 - 1);
                }
            }
    }
    void addingANodeMovesFewOthers()
    {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            LayoutGraph graph = randomGraph(seed, 120, 0);
            auto const before = layeredLayout(graph, {});
            graph = remembering(graph, before);
            RandomStream random(seed + 100);
            graph.nodes.push_back({176, 64, -1, {}, {}});
            graph.edges.push_back({static_cast<int>(random.below(120)), 120, {}});
            auto const after = layeredLayout(graph, {});
            QCOMPARE(overlaps(graph, after), 0);
            int moved = 0;
            for (std::size_t i = 0; i < 120; ++i)
                moved += std::abs(after.centres[i].x - before.centres[i].x) > 1 || std::abs(after.centres[i].y - before.centres[i].y) > 1;
            QVERIFY2(moved <= 12, qPrintable(QStringLiteral("seed %1: %2 of 120 moved").arg(seed).arg(moved)));
        }
    }
    void anUnchangedGraphStaysWhereItIs()
    {
        LayoutGraph graph = randomGraph(7, 200, 2);
        auto const before = layeredLayout(graph, {});
        auto const after = layeredLayout(remembering(graph, before), {});
        for (std::size_t i = 0; i < before.centres.size(); ++i) {
            QVERIFY(std::abs(after.centres[i].x - before.centres[i].x) < 0.5);
            QVERIFY(std::abs(after.centres[i].y - before.centres[i].y) < 0.5);
        }
    }
    /// However a node is put: no edge runs through a box, and each comes to its target from above.
    void edgesGoAroundBoxesThatWerePut()
    {
        LayoutGraph graph;
        for (int i = 0; i < 6; ++i) graph.nodes.push_back({180, 60, -1, {}, {}});
        for (int i = 0; i + 1 < 6; ++i) graph.edges.push_back({i, i + 1, {}});
        // Across from where they stand, and along the data beside which node.
        struct Put {
            double across;
            int beside;
            double along;
        };
        for (bool const leftToRight : {false, true})
            for (Put const &put : {Put{300, 2, 0}, Put{220, 3, 4}, Put{0, 5, 160}, Put{-260, 0, -120}, Put{240, 4, 50}}) {
                LayoutOptions options;
                options.leftToRight = leftToRight;
                LayoutPoint place = layeredLayout(graph, options).centres[static_cast<std::size_t>(put.beside)];
                place.x += leftToRight ? put.along * 2 : put.across;
                place.y += leftToRight ? put.across : put.along;
                auto moved = graph;
                moved.nodes[2].pinned = place;
                auto const layout = layeredLayout(moved, options);
                for (std::size_t e = 0; e < layout.routes.size(); ++e) {
                    auto const &route = layout.routes[e];
                    auto const along = [&](LayoutPoint const &p) { return leftToRight ? p.x : p.y; };
                    QVERIFY(along(route.back()) > along(route[route.size() - 2]));
                    for (std::size_t i = 0; i + 1 < route.size(); ++i)
                        for (int s = 1; s < 20; ++s) {
                            // As it is drawn: straight, or bent along the data.
                            double const t = s / 20.0, eased = t * t * (3 - 2 * t);
                            double const x = route[i].x + (route[i + 1].x - route[i].x) * (leftToRight ? t : eased),
                                         y = route[i].y + (route[i + 1].y - route[i].y) * (leftToRight ? eased : t);
                            for (std::size_t n = 0; n < moved.nodes.size(); ++n) {
                                auto const &centre = layout.centres[n];
                                bool const inside = std::abs(x - centre.x) < moved.nodes[n].width / 2 - 1
                                    && std::abs(y - centre.y) < moved.nodes[n].height / 2 - 1;
                                QVERIFY2(!inside,
                                         qPrintable(QStringLiteral("edge %1 through node %2, at %3 %4; %5, put at %6 %7")
                                                        .arg(e)
                                                        .arg(n)
                                                        .arg(x)
                                                        .arg(y)
                                                        .arg(leftToRight)
                                                        .arg(place.x)
                                                        .arg(place.y)));
                            }
                        }
                }
            }
    }
    void pinnedNodesStayAndOthersMakeRoom()
    {
        LayoutGraph graph = randomGraph(3, 60, 0);
        auto const free = layeredLayout(graph, {});
        graph.nodes[20].pinned = free.centres[10]; // on top of another one
        graph.nodes[30].pinned = LayoutPoint{-900, 40};
        auto const layout = layeredLayout(graph, {});
        QVERIFY(layout.centres[20] == *graph.nodes[20].pinned);
        QVERIFY(layout.centres[30] == *graph.nodes[30].pinned);
        QCOMPARE(overlaps(graph, layout), 0);
    }
    void lanesDoNotMix()
    {
        LayoutGraph graph = chain(6);
        graph.edges.push_back({0, 3, {}});
        graph.nodes.push_back({160, 64, 0, {}, {}}); // an input of stage 0 that only stage 1 uses
        graph.edges.push_back({6, 4, {}});
        for (int i = 0; i < 6; ++i) graph.nodes[u(i)].lane = i < 3 ? 0 : 1;
        auto const layout = layeredLayout(graph, {});
        QCOMPARE(layout.lanes.size(), std::size_t(2));
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            auto const &lane = layout.lanes[u(graph.nodes[i].lane)];
            QVERIFY(layout.centres[i].y - 32 >= lane.begin && layout.centres[i].y + 32 <= lane.end);
        }
        QVERIFY(layout.lanes[0].end <= layout.lanes[1].begin + 1e-9);
        graph.nodes[5].lane = 0; // back to an earlier stage: no lanes can be drawn
        QVERIFY(layeredLayout(graph, {}).lanes.empty());
    }
    void takesLoopsAndEmptyGraphs()
    {
        QVERIFY(layeredLayout({}, {}).centres.empty());
        LayoutGraph loop = chain(1);
        loop.edges.push_back({0, 0, {}});
        QCOMPARE(layeredLayout(loop, {}).routes[0].size(), std::size_t(4));
    }
    void twoThousandNodes()
    {
        LayoutGraph const graph = randomGraph(11, 2000, 0);
        QElapsedTimer timer;
        timer.start();
        auto const layout = layeredLayout(graph, {});
        auto const fresh = timer.restart();
        auto const again = layeredLayout(remembering(graph, layout), {});
        qInfo("2,000 nodes, %d edges: %lld ms afresh, %lld ms with places kept, %ld crossings", static_cast<int>(graph.edges.size()), fresh,
              timer.elapsed(), layout.crossings);
        QCOMPARE(again.centres.size(), std::size_t(2000));
    }
};

TW_REGISTER_TEST(TstLayeredLayout);
#include "tst_layered_layout.moc"
