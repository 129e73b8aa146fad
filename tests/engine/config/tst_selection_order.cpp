#include "engine/config/selection_order.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

using namespace tilewright;
using namespace tilewright::config;

class TstSelectionOrder : public QObject {
    Q_OBJECT
private slots:
    void ordersOfEightAreThoseOfTheReference()
    {
        QVERIFY((*selectionSlots(SelectionOrder::ZigZag, 8) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
        QVERIFY((*selectionSlots(SelectionOrder::Snake, 8) == std::vector<int>{0, 1, 3, 2, 4, 5, 7, 6}));
        QVERIFY((*selectionSlots(SelectionOrder::Hoof, 8) == std::vector<int>{0, 2, 4, 6, 7, 5, 3, 1}));
        QVERIFY(*selectionSlots(SelectionOrder::Auto, 8) == *selectionSlots(SelectionOrder::ZigZag, 8));
    }
    void everyOrderIsAPermutation()
    {
        for (auto const order : {SelectionOrder::ZigZag, SelectionOrder::Snake, SelectionOrder::Hoof})
            for (int ipus = 1; ipus <= 64; ipus *= 2) {
                auto places = *selectionSlots(order, ipus);
                std::sort(places.begin(), places.end());
                std::vector<int> expected(static_cast<std::size_t>(ipus));
                std::iota(expected.begin(), expected.end(), 0);
                QVERIFY(places == expected);
            }
    }
    void snakeAndHoofKeepNeighboursLinked()
    {
        // A ladder two wide: places are linked along the rung (v, v^1) and along the rails (v, v+2).
        auto linked = [](int a, int b) { return std::abs(a - b) == 2 || (a ^ b) == 1; };
        for (int ipus = 2; ipus <= 64; ipus *= 2)
            for (auto const order : {SelectionOrder::Snake, SelectionOrder::Hoof}) {
                auto const places = *selectionSlots(order, ipus);
                for (std::size_t v = 1; v < places.size(); ++v) QVERIFY(linked(places[v - 1], places[v]));
                if (order == SelectionOrder::Hoof) QVERIFY(linked(places.back(), places.front()));
            }
    }
    void aDeviceHasAPowerOfTwo()
    {
        for (int const ipus : {0, -1, 3, 6, 12}) QVERIFY(!selectionSlots(SelectionOrder::Snake, ipus).ok());
    }
    void autoIsSnakeForStagesInOrder()
    {
        std::vector<int> const inOrder{0, 1, 2, 3}, back{0, 1, 1, 0};
        QVERIFY(resolveSelectionOrder(SelectionOrder::Auto, inOrder) == SelectionOrder::Snake);
        QVERIFY(resolveSelectionOrder(SelectionOrder::Auto, back) == SelectionOrder::ZigZag);
        QVERIFY(resolveSelectionOrder(SelectionOrder::Auto, {}) == SelectionOrder::ZigZag);
        QVERIFY(resolveSelectionOrder(SelectionOrder::Hoof, inOrder) == SelectionOrder::Hoof);
    }
    void namesReadBack()
    {
        for (auto const order : {SelectionOrder::Auto, SelectionOrder::ZigZag, SelectionOrder::Snake, SelectionOrder::Hoof})
            QVERIFY(*parseSelectionOrder(toText(order)) == order);
        QVERIFY(!parseSelectionOrder("snake").ok());
    }
    void idsOfSixteenAreThoseOfTheReference()
    {
        auto const groups = *deviceGroups(16);
        QCOMPARE(groups.size(), std::size_t(31));
        auto sizeOf = [&](std::size_t id) { return groups[id].ipus.size(); };
        for (std::size_t id = 0; id < 31; ++id) {
            QCOMPARE(groups[id].id, static_cast<int>(id));
            QCOMPARE(sizeOf(id), std::size_t(id < 16 ? 1 : id < 24 ? 2 : id < 28 ? 4 : id < 30 ? 8 : 16));
        }
        QCOMPARE(deviceGroups(4)->size(), std::size_t(7));
        QCOMPARE(deviceGroups(4)->back().ipus.size(), std::size_t(4));
        QCOMPARE(deviceGroups(1)->size(), std::size_t(1));
    }
    void groupsOfOneSizeShareNothingAndListMembersOutOfOrder()
    {
        auto const groups = *deviceGroups(16);
        std::map<std::size_t, std::set<int>> bySize;
        for (auto const &group : groups) {
            for (int const ipu : group.ipus) QVERIFY(bySize[group.ipus.size()].insert(ipu).second);
            QCOMPARE(std::is_sorted(group.ipus.begin(), group.ipus.end()), group.ipus.size() == 1);
        }
        for (auto const &[size, members] : bySize) QCOMPARE(members.size(), std::size_t(16));
    }
    void systemsHaveAReasonableSize()
    {
        QVERIFY(!deviceGroups(0).ok());
        QVERIFY(!deviceGroups(100000).ok());
        QCOMPARE(deviceGroups(3)->size(), std::size_t(4)); // three singles, one pair
    }
    void shardsAreRoundedUpAndMustDivide()
    {
        QCOMPARE(shardsNeeded(0), 1);
        QCOMPARE(shardsNeeded(1), 2);
        QCOMPARE(shardsNeeded(2), 4);
        QCOMPARE(shardsNeeded(4), 8);
        QCOMPARE(*replicasFor(8, 2), 4);
        auto const refused = replicasFor(4, 8);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("4 IPUs") != std::string::npos);
        QVERIFY(refused.error().message.find("8") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstSelectionOrder);
#include "tst_selection_order.moc"
