#include "engine/device/device_ids.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::device;

class TstDeviceIds : public QObject {
    Q_OBJECT
private slots:
    void sixteenIpusMakeThirtyOneDevices()
    {
        auto const groups = deviceGroups(16);
        QCOMPARE(groups.size(), std::size_t(31));
        QCOMPARE(groups[15].ipus, std::vector<int>({15}));
        QCOMPARE(groups[16].ipus, std::vector<int>({0, 1}));
        QCOMPARE(groups[23].ipus, std::vector<int>({14, 15}));
        QCOMPARE(groups[24].ipus, std::vector<int>({0, 1, 2, 3}));
        QCOMPARE(groups[28].ipus.size(), std::size_t(8));
        QCOMPARE(groups[29].ipus.front(), 8);
        QCOMPARE(groups[30].ipus.size(), std::size_t(16));
        for (std::size_t i = 0; i < groups.size(); ++i) QCOMPARE(groups[i].id, static_cast<int>(i));
    }
    void fourIpusAreSinglesPairsAndOneQuad()
    {
        auto const groups = deviceGroups(4);
        QCOMPARE(groups.size(), std::size_t(7));
        QCOMPARE(groups[5].ipus, std::vector<int>({2, 3}));
        QCOMPARE(groups[6].ipus, std::vector<int>({0, 1, 2, 3}));
    }
    void groupsLargerThanTheSystemDoNotExist()
    {
        for (auto const &group : deviceGroups(3)) QVERIFY(group.ipus.size() <= 2);
        QCOMPARE(deviceGroups(1).size(), std::size_t(1));
    }
    void optionsOfATargetNameTheSameSystem()
    {
        auto const system = [](char const *text) { return systemOf(target::parseMachine(text).value()); };
        QCOMPARE(system("gc200:tiles=8").name, std::string("gc200"));
        QCOMPARE(system("gc200:tiles=8"), system("gc200"));
        QCOMPARE(system("ipu2").name, std::string("gc200"));
        QCOMPARE(system("pod16:ipus=4").machine.ipus, 16);
        QCOMPARE(system("gc200:ipus=4").name, std::string("gc200:ipus=4"));
        QCOMPARE(system("gc200:ipus=4").machine.ipus, 4);
    }
    void theHostIsNoEmulatedSystem()
    {
        auto const systems = builtinSystems();
        QVERIFY(systems.size() >= 11);
        for (auto const &system : systems) QVERIFY(system.name != "cpu");
    }
    void pairsShareASerialAndCountDownOnTheirMachine()
    {
        auto const pod = systemOf(target::parseMachine("pod16").value());
        QCOMPARE(identify(pod, 0).serial, identify(pod, 1).serial);
        QVERIFY(identify(pod, 1).serial != identify(pod, 2).serial);
        QCOMPARE(identify(pod, 0).indexOnMachine, 3);
        QCOMPARE(identify(pod, 3).indexOnMachine, 0);
        QCOMPARE(identify(pod, 4).ipuMachine, std::string("emulated-1"));
        QCOMPARE(identify(pod, 4).type, std::string("M2000"));
        auto const c600 = systemOf(target::parseMachine("c600").value());
        QCOMPARE(identify(c600, 0).type, std::string("C600"));
        QCOMPARE(identify(c600, 0).indexOnMachine, 0);
    }
    void idListsJoinRuns()
    {
        QCOMPARE(idListText({3, 1, 0, 2}), std::string("0-3"));
        QCOMPARE(idListText({5, 0, 2}), std::string("0,2,5"));
        QCOMPARE(idListText({}), std::string());
    }
};

TW_REGISTER_TEST(TstDeviceIds);
#include "tst_device_ids.moc"
