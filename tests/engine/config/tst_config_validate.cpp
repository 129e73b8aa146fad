#include "engine/config/validate.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::config;

namespace {

/// "path=text; path=text" applied to the defaults.
IpuConfig configOf(QString const &settings)
{
    IpuConfig config;
    for (auto const &part : settings.split("; ", Qt::SkipEmptyParts)) {
        auto const equals = part.indexOf('=');
        auto const status = config.setFromText(part.left(equals).toStdString(), part.mid(equals + 1).toStdString());
        if (!status.ok()) qFatal("%s", toText(status.error()).c_str());
    }
    return config;
}

} // namespace

class TstConfigValidate : public QObject {
    Q_OBJECT
private slots:
    void defaultsAreValidEverywhere()
    {
        DiagnosticSink sink;
        QVERIFY(validate(IpuConfig(), {}, &sink).ok());
        QVERIFY(validate(IpuConfig(), {true, 1, 1}, &sink).ok());
        QVERIFY(validate(IpuConfig(), {false, 4, 16}, &sink).ok());
        QVERIFY(sink.all().empty());
    }
    void refusesConflictingOptions_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<bool>("model");
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("ipus");
        QTest::addColumn<QString>("subject"); // empty: valid
        QString const group = "norms.experimental.distributed_batch_norm_replica_group_size";
        QString const distribution = "experimental.multi_replica_distribution.";
        QTest::newRow("both selections") << "auto_select_ipus=1; select_ipus=0" << false << 0 << 0 << "select_ipus";
        QTest::newRow("duplicate ids") << "select_ipus=[1,1]" << false << 0 << 0 << "select_ipus";
        QTest::newRow("two devices by id") << "select_ipus=[1,0]" << false << 0 << 0 << "";
        QTest::newRow("two devices") << "auto_select_ipus=[1,2]" << false << 0 << 0 << "";
        QTest::newRow("no power of two") << "auto_select_ipus=3" << false << 0 << 0 << "auto_select_ipus";
        QTest::newRow("ids on the model") << "select_ipus=0" << true << 0 << 0 << "select_ipus";
        QTest::newRow("count on the model") << "auto_select_ipus=2" << true << 0 << 0 << "";
        QTest::newRow("batch norm and IO tiles") << group + "=2; io_tiles.num_io_tiles=32" << false << 0 << 0 << group;
        QTest::newRow("batch norm alone") << group + "=2" << false << 2 << 0 << "";
        QTest::newRow("batch norm of some replicas") << group + "=2" << false << 4 << 0 << group; // not yet
        QTest::newRow("group does not divide") << group + "=3" << false << 4 << 0 << group;
        QTest::newRow("ops without IO tiles") << "io_tiles.place_ops_on_io_tiles=true" << false << 0 << 0
                                              << "io_tiles.place_ops_on_io_tiles";
        QTest::newRow("ops on IO tiles") << "io_tiles.place_ops_on_io_tiles=true; io_tiles.num_io_tiles=2" << false << 0 << 0 << "";
        QTest::newRow("pre-compile, no version") << "device_connection.type=PRE_COMPILE" << false << 0 << 0 << "device_connection.version";
        QTest::newRow("never, no version") << "device_connection.type=NEVER" << false << 0 << 0 << "device_connection.version";
        QTest::newRow("never with version") << "device_connection.type=NEVER; device_connection.version=ipu21" << false << 0 << 0 << "";
        QTest::newRow("always with version") << "device_connection.version=ipu2" << false << 0 << 0 << "device_connection.version";
        QTest::newRow("on demand with version")
            << "device_connection.type=ON_DEMAND; device_connection.version=ipu2" << false << 0 << 0 << "device_connection.version";
        QTest::newRow("model without version") << "ipu_model.version=" << true << 0 << 0 << "ipu_model.version";
        QTest::newRow("device without model version") << "ipu_model.version=" << false << 0 << 0 << "";
        QTest::newRow("index too large") << distribution + "process_count=2; " + distribution + "process_index=2" << false << 0 << 0
                                         << distribution + "process_index";
        QTest::newRow("index in range") << distribution + "process_count=2; " + distribution + "process_index=1" << false << 0 << 0 << "";
        QTest::newRow("index without count") << distribution + "process_index=5" << false << 0 << 0 << "";
        QTest::newRow("distribution on the model") << distribution + "process_count=1" << true << 0 << 0 << distribution + "process_count";
        QTest::newRow("no such count") << "auto_select_ipus=3" << false << 0 << 4 << "auto_select_ipus";
        QTest::newRow("too many") << "auto_select_ipus=8" << false << 0 << 4 << "auto_select_ipus";
        QTest::newRow("all of them") << "auto_select_ipus=4" << false << 0 << 4 << "";
        QTest::newRow("largest id") << "select_ipus=6" << false << 0 << 4 << "";
        QTest::newRow("no such id") << "select_ipus=7" << false << 0 << 4 << "select_ipus";
    }
    void refusesConflictingOptions()
    {
        QFETCH(QString, settings);
        QFETCH(bool, model);
        QFETCH(int, replicas);
        QFETCH(int, ipus);
        QFETCH(QString, subject);
        auto const status = validate(configOf(settings), {model, replicas, ipus}, nullptr);
        QCOMPARE(status.ok(), subject.isEmpty());
        if (status.ok()) return;
        QCOMPARE(status.error().subject, "ipu_config." + subject.toStdString());
        QVERIFY(!status.error().remedy.empty());
    }
    void aMissingDeviceNamesCountAndDevice()
    {
        auto const status = validate(configOf("auto_select_ipus=8"), {false, 0, 4}, nullptr);
        QVERIFY(!status.ok());
        QVERIFY(status.error().kind == ErrorKind::Device);
        for (auto const *part : {"8 IPUs", "/device:IPU:0"}) QVERIFY2(status.error().message.find(part) != std::string::npos, part);
    }
    void impossibleDevicesAreRefusedWithoutATarget()
    {
        auto const three = checkDeviceSelection(configOf("auto_select_ipus=3"));
        QCOMPARE(three.error().code, std::string("config.device-size"));
        QVERIFY(three.error().kind == ErrorKind::Invalid);
        QCOMPARE(three.error().remedy, std::string("Give 2 or 4."));
        for (auto const *good : {"auto_select_ipus=4", "auto_select_ipus=[2]", "auto_select_ipus=[1,2]", "select_ipus=[0,1]",
                                 "select_ipus=7", "select_ipus=[]"})
            QVERIFY2(checkDeviceSelection(configOf(good)).ok(), good);
    }
    void devicesFitIntoTheSystemTogether()
    {
        auto const code = [](char const *set, int ipus) {
            auto const status = checkDevices(configOf(set), ipus);
            return status.ok() ? std::string() : status.error().code + ": " + status.error().message.text();
        };
        QCOMPARE(code("auto_select_ipus=[2,2]", 4), std::string());
        QCOMPARE(code("auto_select_ipus=[2,4]", 4),
                 std::string("config.no-such-device: the 2 devices have 6 IPUs together, but the system has 4"));
        QVERIFY(code("auto_select_ipus=[1,8]", 4).find("/device:IPU:1") != std::string::npos);
        // Of 4 IPUs, 4 and 5 are the pairs and 6 is the group of all.
        QCOMPARE(code("select_ipus=[4,5]", 4), std::string());
        QCOMPARE(code("select_ipus=[0,6]", 4), std::string("config.conflict: the devices 0 and 6 have IPU 0 in common"));
        QCOMPARE(code("select_ipus=[1,1]", 4), std::string("config.conflict: a device id is given twice"));
    }
    void reportsAllProblemsAtOnce()
    {
        auto const all = crossChecks(configOf("device_connection.type=NEVER; io_tiles.place_ops_on_io_tiles=true"), {});
        QCOMPARE(all.size(), std::size_t(2));
    }
    void oddIoTilesAreRoundedUp()
    {
        auto const config = configOf("io_tiles.num_io_tiles=33");
        QCOMPARE(reservedIoTiles(config), 34);
        QCOMPARE(reservedIoTiles(IpuConfig()), 0);
        // Options without effect reserve nothing and give no message about it.
        DiagnosticSink sink;
        QVERIFY(validate(config, {}, &sink).ok());
        bool const active = findOption(ipuConfigOptions(), "io_tiles.num_io_tiles")->effect == Effect::Active;
        QCOMPARE(sink.all().size(), std::size_t(active ? 2 : 0));
    }
    void theModelHasTrapsTheOriginalIgnores()
    {
        auto const config = configOf("floating_point_behaviour.inv=true");
        DiagnosticSink onModel, onDevice;
        QVERIFY(validate(config, {true, 0, 0}, &onModel).ok());
        QVERIFY(validate(config, {false, 0, 0}, &onDevice).ok());
        QCOMPARE(onModel.all().size(), std::size_t(1));
        QVERIFY(onModel.all()[0].severity == Severity::Note);
        QVERIFY(onDevice.all().empty());
    }
    void setAllTurnsEveryTrapOn()
    {
        QVERIFY(floatingPointBehaviour(IpuConfig()) == FloatingPointBehaviour{});
        QVERIFY((floatingPointBehaviour(configOf("floating_point_behaviour.set_all=true"))
                 == FloatingPointBehaviour{true, true, true, true, "ON"}));
        QVERIFY((floatingPointBehaviour(configOf("floating_point_behaviour.div0=true; floating_point_behaviour.esr=REPLICA_IDENTICAL_ONLY"))
                 == FloatingPointBehaviour{false, true, false, false, "REPLICA_IDENTICAL_ONLY"}));
    }
    void theOldNameOfFastMathWorks()
    {
        QVERIFY(!fastMath(IpuConfig()));
        QVERIFY(fastMath(configOf("optimizations.enable_fast_math=true")));
        QVERIFY(fastMath(configOf("optimizations.math.fast=true")));
    }
    void applyingTheSameAgainGivesNoWarning()
    {
        QVERIFY(!reconfigureWarning(IpuConfig(), IpuConfig()));
        QVERIFY(reconfigureWarning(IpuConfig(), configOf("allow_recompute=true")));
    }
};

TW_REGISTER_TEST(TstConfigValidate);
#include "tst_config_validate.moc"
