#include "engine/device/device_fault.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::device;

class TstDeviceFault : public QObject {
    Q_OBJECT
private slots:
    void textsNameStepAndClass()
    {
        QVERIFY(parseDeviceFault("").ok() && !*parseDeviceFault(""));
        for (auto const what : {FaultClass::Application, FaultClass::IpuReset, FaultClass::LinkReset, FaultClass::PartitionReset,
                                FaultClass::FullReset, FaultClass::Unrecoverable}) {
            auto const read = parseDeviceFault("40:" + std::string(toText(what)));
            QVERIFY(read.ok() && *read == (DeviceFault{40, what}));
        }
        for (auto const *bad : {"40", "40:", ":IPU_RESET", "0:IPU_RESET", "-1:IPU_RESET", "x:IPU_RESET", "4:reset", "4:IPU_RESET:"}) {
            auto const read = parseDeviceFault(bad);
            QVERIFY2(!read.ok() && read.error().code == "device.fault", bad);
            QVERIFY(read.error().remedy.find("PARTITION_RESET") != std::string::npos);
        }
    }
    void errorsNameDeviceStepAndAction()
    {
        auto const application = faultError({7, FaultClass::Application}, 1);
        QCOMPARE(application.code, std::string("device.application"));
        QCOMPARE(application.subject, std::string("/device:IPU:1"));
        QVERIFY(application.message.find("step 7") != std::string::npos);
        QVERIFY(application.remedy.find("reset before the next run") != std::string::npos);
        for (auto const what : {FaultClass::IpuReset, FaultClass::LinkReset, FaultClass::PartitionReset, FaultClass::FullReset}) {
            auto const error = faultError({7, what}, 0);
            QCOMPARE(error.code, std::string("device.recoverable"));
            QVERIFY(error.message.find(toText(what)) != std::string::npos);
        }
        auto const last = faultError({7, FaultClass::Unrecoverable}, 0);
        QCOMPARE(last.code, std::string("device.unrecoverable"));
        QVERIFY(last.message.find("unknown error") != std::string::npos);
        for (auto const &error : {application, last}) QVERIFY(error.kind == ErrorKind::Device);
    }
};

TW_REGISTER_TEST(TstDeviceFault);
#include "tst_device_fault.moc"
