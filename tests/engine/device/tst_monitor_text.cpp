#include "engine/device/monitor_text.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::device;

class TstMonitorText : public QObject {
    Q_OBJECT

    static bool has(std::string const &text, std::string const &part) { return text.find(part) != std::string::npos; }

private slots:
    void reportsWhenNothingIsAttached()
    {
        QTemporaryDir dir;
        auto const view = Registry::open(dir.path().toStdString())->list();
        QVERIFY(has(monitorText(*view), "Attached processes: none"));
        QVERIFY(has(devicesText(*view), "0-15 single; 16-23 of 2; 24-27 of 4; 28-29 of 8; 30 of 16"));
        auto const json = toJson(*view);
        QVERIFY(json.at("processes").empty());
        QCOMPARE(json.at("systems").size(), view->systems.size());
    }
    void showsTheColumnsOfTheVendorsMonitor()
    {
        QTemporaryDir dir;
        auto const registry = Registry::open(dir.path().toStdString());
        AttachRequest request;
        request.machine = target::parseMachine("pod4").value();
        request.ipus = 2;
        request.command = "tilewright train x.tilewright";
        auto attachment = registry->attach(request, {});
        attachment->update({3, 2000, 1000, 1000, 500});
        attachment->flush();
        auto const view = registry->list();

        auto const text = monitorText(*view);
        for (auto const *column : {"IPU-M ", "Serial", "IPU-M SW", "Server version", "ICU FW", "Type", "ID", "IPU#", "Routing", "PID",
                                   "Command", "Time", "User", "IPU ID", "Clock", "IPU temp", "Board temp", "Board power", "modelled"})
            QVERIFY2(has(text, column), column);
        QVERIFY(has(text, "System pod4: 4 IPUs, emulated, 2 free"));
        QVERIFY(has(text, "tilewright train x.tilewright"));
        QVERIFY(has(text, "75.0 %"));
        QVERIFY(!has(text, "System pod16"));
        QVERIFY(has(monitorText(*view, true), "System pod16"));

        auto const json = toJson(*view);
        auto const &row = json.at("processes").at(1);
        QCOMPARE(row.at("ipu_id").get<int>(), 1);
        QCOMPARE(row.at("system").get<std::string>(), std::string("pod4"));
        QCOMPARE(row.at("utilisation").get<double>(), 75.0);
        QCOMPARE(row.at("ipu_power_w").get<double>(), 48 + 76 * 0.5 + 20 * 0.25);
        QVERIFY(row.at("modelled").get<bool>());
        for (auto const &system : json.at("systems")) {
            if (system.at("name") != "pod4") continue;
            QCOMPARE(system.at("free").get<int>(), 2);
            QCOMPARE(system.at("rows").size(), std::size_t(4));
            QVERIFY(system.at("rows").at(2).at("pid").is_null());
            QCOMPARE(system.at("devices").at(4).at("state").get<std::string>(), std::string("busy"));
            QCOMPARE(system.at("devices").at(5).at("state").get<std::string>(), std::string("free"));
            QCOMPARE(system.at("devices").at(6).at("state").get<std::string>(), std::string("busy"));
            return;
        }
        QFAIL("pod4 is not listed");
    }
};

TW_REGISTER_TEST(TstMonitorText);
#include "tst_monitor_text.moc"
