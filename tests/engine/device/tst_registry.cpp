#include "engine/core/files.h"
#include "engine/device/registry.h"
#include "engine/device/state_file.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::device;

namespace {

AttachRequest request(char const *machine, int ipus = 0)
{
    AttachRequest r;
    r.machine = target::parseMachine(machine).value();
    r.ipus = ipus;
    r.command = "tilewright train 'a b.tilewright'";
    return r;
}

/// A forked process that attaches, tells so, and holds the device until it is told to go or killed.
class Holder {
public:
    Holder(std::string const &folder, AttachRequest const &wanted)
    {
        int ready[2], go[2];
        if (::pipe(ready) != 0 || ::pipe(go) != 0) qFatal("pipe");
        pid = ::fork();
        if (pid == 0) {
            ::close(go[1]);
            char answer = 'n', ignored = 0;
            {
                auto const registry = Registry::open(folder);
                auto attachment = registry->attach(wanted, {});
                answer = attachment.ok() ? 'y' : 'n';
                if (::write(ready[1], &answer, 1) != 1) ::_exit(3);
                if (::read(go[0], &ignored, 1) < 0) ::_exit(4);
            }
            ::_exit(answer == 'y' ? 0 : 1);
        }
        ::close(ready[1]);
        ::close(go[0]);
        m_go = go[1];
        char answer = 'n';
        attached = ::read(ready[0], &answer, 1) == 1 && answer == 'y';
        ::close(ready[0]);
    }
    ~Holder()
    {
        if (pid > 0) end();
    }
    /// Lets the process release and exit; its exit code.
    int end()
    {
        // A byte, not only the pipe's end: holders forked later have inherited it open.
        if (::write(m_go, "g", 1) != 1) qFatal("write");
        ::close(m_go);
        return wait();
    }
    void kill()
    {
        ::kill(pid, SIGKILL);
        ::close(m_go);
        wait();
    }
    pid_t pid = -1;
    bool attached = false;

private:
    int wait()
    {
        int status = 0;
        ::waitpid(pid, &status, 0);
        pid = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    int m_go = -1;
};

SystemState const &systemIn(RegistryView const &view, std::string const &name)
{
    for (auto const &s : view.systems)
        if (s.info.name == name) return s;
    qFatal("no system %s", name.c_str());
}

bool has(std::string const &text, std::string const &part) { return text.find(part) != std::string::npos; }

} // namespace

class TstRegistry : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string folder() const { return m_dir->path().toStdString() + "/run"; }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void aBusyDeviceNamesTheProcessThatHoldsIt()
    {
        Holder holder(folder(), request("gc200"));
        QVERIFY(holder.attached);
        auto const registry = Registry::open(folder());
        auto const refused = registry->attach(request("gc200:tiles=8"), {});
        QVERIFY(!refused.ok());
        auto const &error = refused.error();
        QCOMPARE(static_cast<int>(error.kind), 7);
        QCOMPARE(error.code, std::string("device.busy"));
        QCOMPARE(error.subject, std::string("/device:IPU:0"));
        QVERIFY(has(error.message, "process " + std::to_string(holder.pid)));
        QVERIFY(has(error.message, "tilewright train 'a b.tilewright'"));
        QVERIFY(has(error.message, "expects 1 IPU of gc200"));
        QVERIFY(has(error.remedy, "ON_DEMAND"));
        QCOMPARE(holder.end(), 0);
        QVERIFY(registry->attach(request("gc200"), {}).ok());
    }
    void aKilledProcessReleasesItsDevice()
    {
        Holder holder(folder(), request("pod4", 2));
        auto const pid = holder.pid;
        holder.kill();
        auto const registry = Registry::open(folder());
        auto const view = registry->list();
        QVERIFY(view->processes.empty());
        QCOMPARE(view->stale.size(), std::size_t(1));
        QCOMPARE(view->stale[0].pid, static_cast<std::int64_t>(pid));
        QCOMPARE(view->stale[0].ipus, std::vector<int>({0, 1}));
        QCOMPARE(systemIn(*view, "pod4").freeIpus(), 4);
        auto const attachment = registry->attach(request("pod4"), {});
        QVERIFY(attachment.ok());
        QVERIFY(registry->list()->stale.empty());
    }
    void othersSeeWhoIsAttached()
    {
        Holder holder(folder(), request("pod4", 2));
        auto const view = Registry::open(folder())->list();
        QCOMPARE(view->processes.size(), std::size_t(2));
        auto const &row = view->processes[0];
        QCOMPARE(row.pid, static_cast<std::int64_t>(holder.pid));
        QCOMPARE(row.system, std::string("pod4"));
        QCOMPARE(row.ipuId, 0);
        QCOMPARE(view->processes[1].ipuId, 1);
        QCOMPARE(row.deviceId, 4);
        QVERIFY(!row.user.empty());
        QCOMPARE(row.boardWatts, 96.0);
        auto const &pod = systemIn(*view, "pod4");
        QCOMPARE(pod.freeIpus(), 2);
        QCOMPARE(pod.ipus[0].pid, static_cast<std::int64_t>(holder.pid));
        QCOMPARE(pod.ipus[2].pid, std::int64_t(0));
        QCOMPARE(systemIn(*view, "gc200").freeIpus(), 1);
    }
    void firstFreeDeviceOfTheSizeIsTaken()
    {
        auto const registry = Registry::open(folder());
        auto a = registry->attach(request("pod4", 1), {});
        auto b = registry->attach(request("pod4", 2), {});
        auto c = registry->attach(request("pod4", 1), {});
        QCOMPARE(a->ipus(), std::vector<int>({0}));
        QCOMPARE(b->ipus(), std::vector<int>({2, 3}));
        QCOMPARE(b->deviceId(), 5);
        QCOMPARE(c->ipus(), std::vector<int>({1}));
        auto const all = registry->attach(request("pod4"), {});
        QCOMPARE(all.error().code, std::string("device.busy"));
        b->release();
        QVERIFY(!b->isAttached());
        QCOMPARE(registry->attach(request("pod4:ipus=2"), {})->deviceId(), 5);
    }
    void anExactIdIsHonoured()
    {
        auto const registry = Registry::open(folder());
        auto wanted = request("pod16");
        wanted.deviceId = 25;
        auto const attachment = registry->attach(wanted, {});
        QCOMPARE(attachment->ipus(), std::vector<int>({4, 5, 6, 7}));
        wanted.deviceId = 18; // IPUs 4 and 5
        QCOMPARE(registry->attach(wanted, {}).error().code, std::string("device.busy"));
        wanted.deviceId = 31;
        auto const missing = registry->attach(wanted, {});
        QCOMPARE(missing.error().code, std::string("device.id"));
        QVERIFY(has(missing.error().remedy, "0 to 30"));
    }
    void aCountThatDoesNotExistIsRefused()
    {
        auto const registry = Registry::open(folder());
        auto wanted = request("pod4", 3);
        wanted.tfDevice = 2;
        auto const refused = registry->attach(wanted, {});
        QCOMPARE(refused.error().code, std::string("device.count"));
        QVERIFY(has(refused.error().message, "3 IPUs for /device:IPU:2"));
        QVERIFY(has(refused.error().remedy, "1, 2, 4 IPUs"));
        QVERIFY(has(refused.error().remedy, "tilewright devices"));
    }
    void onDemandWaitsWarnsOnceAndGetsTheDevice()
    {
        auto const registry = Registry::open(folder());
        auto held = std::make_unique<Attachment>(registry->attach(request("gc200"), {}).value());
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(350));
            held.reset();
        });
        auto wanted = request("gc200");
        wanted.connection = ConnectionType::OnDemand;
        wanted.pollMs = 100;
        DiagnosticSink sink;
        JobContext job;
        job.warnings = &sink;
        auto const attachment = registry->attach(wanted, job);
        later.join();
        QVERIFY(attachment.ok());
        QCOMPARE(sink.all().size(), std::size_t(1));
        QCOMPARE(sink.all()[0].code, std::string("device.waiting"));
    }
    void onDemandGivesUpAfterItsTimeout()
    {
        Holder holder(folder(), request("gc200"));
        auto wanted = request("gc200");
        wanted.connection = ConnectionType::OnDemand;
        wanted.pollMs = 100;
        wanted.timeoutMs = 250;
        auto const refused = Registry::open(folder())->attach(wanted, {});
        QCOMPARE(refused.error().code, std::string("device.timeout"));
        QCOMPARE(static_cast<int>(refused.error().kind), 6); // it timed out: what waits for a device may try again
        QVERIFY(has(refused.error().message, "250 ms"));
        wanted.pollMs = 50;
        QCOMPARE(Registry::open(folder())->attach(wanted, {}).error().code, std::string("device.poll-time"));
    }
    void waitingCanBeCancelled()
    {
        Holder holder(folder(), request("gc200"));
        auto wanted = request("gc200");
        wanted.connection = ConnectionType::OnDemand;
        std::stop_source source;
        JobContext job;
        job.stop = source.get_token();
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            source.request_stop();
        });
        auto const start = std::chrono::steady_clock::now();
        auto const refused = Registry::open(folder())->attach(wanted, job);
        later.join();
        QVERIFY(refused.error().kind == ErrorKind::Cancelled);
        QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    }
    void neverAndPreCompileDoNotAttach()
    {
        auto const registry = Registry::open(folder());
        auto wanted = request("gc200");
        wanted.connection = ConnectionType::Never;
        auto const never = registry->attach(wanted, {});
        QVERIFY(!never->isAttached());
        QCOMPARE(never->requireExecution().error().code, std::string("device.never"));
        wanted.connection = ConnectionType::PreCompile;
        auto const pre = registry->attach(wanted, {});
        QVERIFY(!pre->isAttached());
        QVERIFY(pre->requireExecution().ok());
        QVERIFY(pre->returnsZeros());
        QVERIFY(registry->list()->processes.empty());
        auto const host = registry->attach(request("cpu"), {});
        QVERIFY(!host->isAttached());
        QVERIFY(host->requireExecution().ok());
    }
    void softwareModelsAreNeverBusy()
    {
        auto const registry = Registry::open(folder());
        auto const hardware = registry->attach(request("gc200"), {});
        auto a = registry->attach(request("gc200:model=1"), {});
        auto b = registry->attach(request("gc200:model=1"), {});
        QVERIFY(a.ok() && b.ok());
        auto const view = registry->list();
        QCOMPARE(view->processes.size(), std::size_t(3));
        QVERIFY(!view->processes[0].isModel && view->processes[1].isModel && view->processes[2].isModel);
        a->release();
        QCOMPARE(registry->list()->processes.size(), std::size_t(2));
    }
    void aSystemOfUnusualSizeIsListed()
    {
        auto const registry = Registry::open(folder());
        auto const attachment = registry->attach(request("gc200:ipus=4"), {});
        QCOMPARE(attachment->ipus().size(), std::size_t(4));
        auto const view = registry->list();
        QCOMPARE(systemIn(*view, "gc200:ipus=4").freeIpus(), 0);
        QCOMPARE(systemIn(*view, "gc200").freeIpus(), 1);
    }
    void countersReachOtherProcesses()
    {
        auto const registry = Registry::open(folder());
        auto attachment = registry->attach(request("pod4", 1), {});
        attachment->update({1, 1'000'000, 600'000, 400'000, 200'000});
        attachment->update({2, 3'000'000, 600'000, 400'000, 200'000});
        attachment->flush();
        auto const view = registry->list();
        auto const &row = view->processes.at(0);
        QCOMPARE(row.counters, (DeviceCounters{2, 3'000'000, 600'000, 400'000, 200'000}));
        QVERIFY(std::abs(row.utilisationSession - 0.8 / 3) < 1e-12);
        QCOMPARE(row.reading.watts, 48.0); // the last step only waited
        QCOMPARE(row.boardWatts, 96.0);    // with its idle neighbour
        QCOMPARE(row.reading.clockMhz, 1330.0);
    }
    void recentUtilisationForgets()
    {
        auto const registry = Registry::open(folder());
        auto attachment = registry->attach(request("gc200"), {});
        DeviceCounters total;
        for (int i = 0; i < 100; ++i) attachment->update(total = {i + 1, total.total + 1000, total.compute + 1000, 0, 0});
        for (int i = 0; i < 40; ++i) attachment->update(total = {101 + i, total.total + 1000, total.compute, 0, 0});
        attachment->flush();
        auto const row = registry->list()->processes.at(0);
        QCOMPARE(row.utilisationRecent, 0.0);
        QVERIFY(std::abs(row.utilisationSession - 100.0 / 140) < 1e-12);
    }
    void whoStandsIsNotBusy()
    {
        auto const registry = Registry::open(folder());
        auto attachment = registry->attach(request("gc200"), {});
        DeviceCounters total;
        for (int i = 0; i < 10; ++i) attachment->update(total = {i + 1, total.total + 1000, total.compute + 1000, 0, 0});
        attachment->stand();
        QCOMPARE(registry->list()->processes.at(0).utilisationRecent, 0.0);
        QCOMPARE(registry->list()->processes.at(0).utilisationSession, 1.0);
    }
    void aDamagedStateStillCountsAsAttached()
    {
        Holder holder(folder(), request("pod4", 1));
        QVERIFY(writeFileAtomically(folder() + "/pod4/ipu-0.json", "{\"format\":1,").ok());
        auto const view = Registry::open(folder())->list();
        QCOMPARE(view->processes.size(), std::size_t(1));
        QVERIFY(has(view->processes[0].command, "unreadable"));
        QCOMPARE(systemIn(*view, "pod4").freeIpus(), 3);
        auto const next = Registry::open(folder())->attach(request("pod4", 1), {});
        QCOMPARE(next->ipus(), std::vector<int>({1}));
    }
    void racingProcessesNeverShareAnIpu()
    {
        // Six processes want a pair of a quad: exactly two of them get one, and every pair is whole.
        std::vector<std::unique_ptr<Holder>> holders;
        int attached = 0;
        for (int i = 0; i < 6; ++i) {
            holders.push_back(std::make_unique<Holder>(folder(), request("pod4", 2)));
            attached += holders.back()->attached;
        }
        QCOMPARE(attached, 2);
        auto const view = Registry::open(folder())->list();
        QCOMPARE(view->processes.size(), std::size_t(4));
        QCOMPARE(systemIn(*view, "pod4").freeIpus(), 0);
    }
    void contendersTakeTurns()
    {
        // Each of four processes attaches on demand five times and checks that it is alone: it makes a
        // file that must not exist and removes it again.
        auto const marker = folder() + "-marker";
        std::vector<pid_t> children;
        for (int child = 0; child < 4; ++child) {
            auto const pid = ::fork();
            if (pid == 0) {
                auto wanted = request("c600");
                wanted.connection = ConnectionType::OnDemand;
                wanted.pollMs = 100;
                auto const registry = Registry::open(folder());
                for (int i = 0; i < 5; ++i) {
                    auto attachment = registry->attach(wanted, {});
                    if (!attachment.ok()) ::_exit(2);
                    if (::mkdir(marker.c_str(), 0700) != 0) ::_exit(3);
                    ::usleep(2000);
                    if (::rmdir(marker.c_str()) != 0) ::_exit(4);
                }
                ::_exit(0);
            }
            children.push_back(pid);
        }
        for (auto pid : children) {
            int status = 0;
            ::waitpid(pid, &status, 0);
            QVERIFY(WIFEXITED(status));
            QCOMPARE(WEXITSTATUS(status), 0);
        }
    }
    void aForkedChildDoesNotReleaseItsParentsDevice()
    {
        auto const registry = Registry::open(folder());
        auto attachment = registry->attach(request("gc200"), {});
        auto const pid = ::fork();
        if (pid == 0) {
            attachment->release();
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(pid, &status, 0);
        QCOMPARE(registry->list()->processes.size(), std::size_t(1));
        QCOMPARE(registry->attach(request("gc200"), {}).error().code, std::string("device.busy"));
    }
    void worksWithoutHomeAndRuntimeFolder()
    {
        // The environment of a child only: other tests of this process must not see it.
        auto const temporary = m_dir->path().toStdString();
        auto const pid = ::fork();
        if (pid == 0) {
            ::unsetenv("TILEWRIGHT_RUN_DIR");
            ::unsetenv("XDG_RUNTIME_DIR");
            ::unsetenv("XDG_CACHE_HOME");
            ::setenv("HOME", (temporary + "/none").c_str(), 1);
            ::setenv("TMPDIR", temporary.c_str(), 1);
            auto const registry = Registry::open();
            if (!registry.ok()) ::_exit(1);
            if (registry->folder().string() != temporary + "/tilewright-" + std::to_string(::getuid()) + "/run") ::_exit(2);
            ::setenv("XDG_RUNTIME_DIR", temporary.c_str(), 1);
            if (Registry::open()->folder().string() != temporary + "/tilewright") ::_exit(3);
            ::setenv("TILEWRIGHT_RUN_DIR", (temporary + "/mine").c_str(), 1);
            if (Registry::open()->folder().string() != temporary + "/mine") ::_exit(4);
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(pid, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }
    void anUnusableFolderIsADeviceError()
    {
        auto const file = m_dir->path().toStdString() + "/file";
        QVERIFY(writeFileAtomically(file, "x").ok());
        auto const refused = Registry::open(file + "/run");
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("device.registry"));
        QCOMPARE(static_cast<int>(refused.error().kind), 7);
        QVERIFY(has(refused.error().remedy, "TILEWRIGHT_RUN_DIR"));
    }
    void statesReadBack()
    {
        SlotState const state{12, "a \"b\" \xff", "me", 5, 6, 16, {0, 1}, true, {1.5, 2.5, 3.5}, 0.25, {1, 2, 3, 4, 5}};
        auto const back = parseSlotState(toText(state));
        auto expected = state;
        expected.command = "a \"b\" \xef\xbf\xbd";
        QVERIFY(back.ok());
        QVERIFY(*back == expected);
        QVERIFY(!parseSlotState("[]").ok());
        QVERIFY(!parseSlotState("{\"format\":99}").ok());
        QVERIFY(!parseSlotState("{\"format\":\"x\"}").ok());
    }
};

TW_REGISTER_TEST(TstRegistry);
#include "tst_registry.moc"
