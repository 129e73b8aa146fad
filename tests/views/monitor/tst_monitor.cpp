#include "tests/support/test_registry.h"

#include "engine/device/monitor_text.h"
#include "engine/target/machine.h"
#include "views/common/table_model.h"
#include "views/monitor/host_cost.h"
#include "views/monitor/monitor_text.h"
#include "views/monitor/monitor_view.h"
#include "views/runcontrol/run_controller.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// A process of its own kind: this one, attached to IPUs of an emulated system.
Result<device::Attachment> attached(device::Registry const &registry, char const *machine, int ipus)
{
    device::AttachRequest request;
    request.machine = *target::parseMachine(machine);
    request.ipus = ipus;
    request.command = "a test";
    return registry.attach(request, {});
}

QTreeView *treeNamed(View &view, char const *name)
{
    for (auto *tree : view.findChildren<QTreeView *>())
        if (tree->accessibleName() == QLatin1String(name)) return tree;
    return nullptr;
}

} // namespace

class TstMonitor : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void anAttachedDeviceIsShownWithItsProcessAndTheTextIsTheCommandsText()
    {
        auto const registry = device::Registry::open();
        QVERIFY(registry.ok());
        auto attachment = attached(*registry, "pod4", 4);
        QVERIFY2(attachment.ok(), attachment.ok() ? "" : attachment.error().message.c_str());
        attachment->update({.steps = 10, .total = 1000, .compute = 500, .amp = 300, .exchange = 130});
        attachment->flush();

        Session session;
        std::unique_ptr<View> view(monitorView().create(session, nullptr));
        view->resize(900, 300);
        view->show();
        QTRY_COMPARE_WITH_TIMEOUT(session.devices().processes.size(), 4u, 5000);
        QTRY_VERIFY2(view->headline().startsWith(QStringLiteral("4 IPU(s) · 1 process(es) · ")), qPrintable(view->headline()));
        QVERIFY(view->headline().endsWith(QStringLiteral("busy (modelled)")));
        auto *runs = treeNamed(*view, "Processes");
        // A title says "modelled" if there is room, otherwise the note above the table does.
        auto const notes = view->findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(notes, [](QLabel const *label) { return label->text().contains(QStringLiteral("are modelled")); }));
        int shortened = 0;
        for (int i = 0; i < runs->model()->columnCount(); ++i) {
            auto const title = runs->model()->headerData(i, Qt::Horizontal).toString();
            if (!title.endsWith(QStringLiteral(" (modelled)"))) continue;
            ++shortened;
            QCOMPARE(runs->model()->headerData(i, Qt::Horizontal, ShortTitleRole).toString() + QStringLiteral(" (modelled)"), title);
        }
        QCOMPARE(shortened, 8);
        QTRY_COMPARE(runs->model()->rowCount(), 4);
        QTest::mouseClick(view->findChild<QToolButton *>(QStringLiteral("copyText")), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), QString::fromStdString(device::monitorText(session.devices())));
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("a test")));

        view->findChild<QTabWidget *>()->setCurrentIndex(1);
        auto *ipus = treeNamed(*view, "IPUs");
        QTRY_COMPARE(ipus->model()->rowCount(), 4);
        auto *attributes = treeNamed(*view, "Attributes of the chosen IPU");
        QTRY_VERIFY(attributes->model()->rowCount() > 15);

        attachment->release();
        QTRY_VERIFY_WITH_TIMEOUT(view->headline().startsWith(QStringLiteral("No IPU in use")), 5000);
    }
    void hiddenViewsSendNoRequests()
    {
        Session session;
        std::unique_ptr<View> view(monitorView().create(session, nullptr));
        view->show();
        QSignalSpy changed(&session, &Session::devicesChanged);
        QTRY_VERIFY_WITH_TIMEOUT(!session.devices().systems.empty(), 5000);
        view->hide();
        auto const registry = device::Registry::open();
        auto attachment = attached(*registry, "gc200", 1);
        QVERIFY(attachment.ok());
        changed.clear();
        QTest::qWait(1200);
        QVERIFY(changed.count() <= 1); // one refresh can have been under way
        view->show();
        QTRY_COMPARE_WITH_TIMEOUT(session.devices().processes.size(), 1u, 5000);
    }
    void everyModelledFigureSaysSo()
    {
        device::RegistryView view;
        device::SystemState system;
        system.info = device::builtinSystems().front();
        device::IpuState ipu;
        ipu.identity = device::identify(system.info, 0);
        ipu.pid = 77;
        system.ipus = {ipu};
        view.systems = {system};
        device::ProcessState process;
        process.pid = 77;
        process.system = system.info.name;
        process.ipuId = ipu.identity.id;
        process.utilisationRecent = 0.63;
        process.reading = {124, 41, 1330};
        view.processes = {process};
        QCOMPARE(monitorHeadline(view), QStringLiteral("1 IPU(s) · 1 process(es) · 63 % busy (modelled)"));
        QVERIFY(processOf(view, {0, 0}));
        int modelled = 0;
        for (auto const &[name, value] : attributesOf(view, {0, 0}))
            for (char const *word : {"Power", "Temperature", "Busy", "Cycles", "under load"})
                if (name.contains(QLatin1String(word))) {
                    QVERIFY2(name.contains(QStringLiteral("modelled")), qPrintable(name));
                    ++modelled;
                }
        QCOMPARE(modelled, 6);
        QCOMPARE(shownIpus(view, false).size(), 1u);
        view.systems[0].ipus[0].pid = 0;
        QCOMPARE(shownIpus(view, false).size(), 0u); // idle
        QCOMPARE(shownIpus(view, true).size(), 1u);
    }
    void hostCostIsReadWithTheSlowdown()
    {
        auto const cost = parseProcessStatus("Name:\tx\nVmHWM:\t  2048 kB\nVmRSS:\t  1024 kB\nThreads:\t7\n");
        QCOMPARE(cost, (ProcessCost{7, 1024 * 1024, 2048 * 1024}));
        QVERIFY(ownCost().threads > 0 && ownCost().residentBytes > 1'000'000);
        QCOMPARE(slowdownText(1e-4, 1000), QStringLiteral("10 × slower than the modelled machine"));
        QCOMPARE(slowdownText(1e-3, 2000), QStringLiteral("2 × faster than the modelled machine"));
        QCOMPARE(slowdownText(0, 2000), QString());
        LiveRun live;
        live.state = RunState::Running;
        live.stepsPerSecond = 500;
        live.compile.cyclesPerStep = 1e6;
        live.compile.emulatedSecondsPerStep = 1e-4;
        bool found = false;
        for (auto const &[name, value] : hostCostRows(cost, live)) found = found || value.contains(QStringLiteral("20 × slower"));
        QVERIFY(found);
    }
};

TW_REGISTER_TEST(TstMonitor);
#include "tst_monitor.moc"
