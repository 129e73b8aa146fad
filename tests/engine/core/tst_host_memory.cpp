#include "engine/core/host_memory.h"
#include "engine/core/memory_mark.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <limits>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;

namespace {

constexpr Bytes kMiB = 1 << 20;

/// A machine as its files describe it.
class FakeRoot {
public:
    void write(QString const &path, QByteArray const &content)
    {
        QDir().mkpath(QFileInfo(m_dir.filePath(path)).path());
        QFile file(m_dir.filePath(path));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("cannot write the fake root");
    }
    void machine(int availableKiB, int swapKiB = 0)
    {
        write("proc/meminfo",
              QByteArray("MemTotal: 99999999 kB\nMemFree: 1 kB\nMemAvailable: ") + QByteArray::number(availableKiB)
                  + " kB\nSwapFree: " + QByteArray::number(swapKiB) + " kB\n");
    }
    HostMemory memory() const { return hostMemory(path()); }
    std::filesystem::path path() const { return m_dir.path().toStdString(); }

private:
    QTemporaryDir m_dir;
};

} // namespace

class TstHostMemory : public QObject {
    Q_OBJECT
private slots:
    void theMachineIsTheFirstBound()
    {
        FakeRoot root;
        root.machine(8 * 1024, 2 * 1024);
        QCOMPARE(root.memory().free, 10 * kMiB);
        QVERIFY(root.memory().bound.find("machine") != std::string::npos);
    }
    void groupsOfTheSecondVersionCountWithThoseAround()
    {
        FakeRoot root;
        root.machine(1 << 20);
        root.write("proc/self/cgroup", "0::/user/job\n");
        root.write("sys/fs/cgroup/user/job/memory.max", "max\n");
        root.write("sys/fs/cgroup/user/job/memory.current", "1000\n");
        QCOMPARE(root.memory().free, 1024 * kMiB);
        root.write("sys/fs/cgroup/user/memory.max", QByteArray::number(100 * kMiB));
        root.write("sys/fs/cgroup/user/memory.current", QByteArray::number(70 * kMiB));
        QCOMPARE(root.memory().free, 30 * kMiB);
        QVERIFY(root.memory().bound.find("control group") != std::string::npos);
        // Cache that can be dropped is no use of memory.
        root.write("sys/fs/cgroup/user/memory.stat", "anon 5\ninactive_file " + QByteArray::number(20 * kMiB) + "\n");
        QCOMPARE(root.memory().free, 50 * kMiB);
        root.write("sys/fs/cgroup/user/job/memory.max", "900\n"); // over its limit already
        QCOMPARE(root.memory().free, 0);
    }
    void groupsOfTheFirstVersionCount()
    {
        FakeRoot root;
        root.machine(1 << 20);
        root.write("proc/self/cgroup", "5:devices:/\n4:memory,cpu:/docker/123\n0::/\n");
        // Inside a container the named folder is not there: its own group is the top.
        root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", QByteArray::number(64 * kMiB));
        root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", QByteArray::number(16 * kMiB));
        root.write("sys/fs/cgroup/memory/memory.stat", "cache 1\ntotal_inactive_file " + QByteArray::number(kMiB) + "\n");
        QCOMPARE(root.memory().free, 49 * kMiB);
        root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"); // no limit
        QCOMPARE(root.memory().free, 1024 * kMiB);
    }
    void withoutTheFilesNothingIsRefused()
    {
        FakeRoot const root;
        QVERIFY(requireHostMemory(Bytes{1} << 60, "model", "training", "", root.memory()).ok());
    }
    void theProcesssOwnLimitCounts()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer has more address space than this limit");
#endif
        pid_t const child = fork();
        if (child == 0) {
            rlimit const limit{4096 * static_cast<rlim_t>(kMiB), RLIM_INFINITY};
            setrlimit(RLIMIT_AS, &limit);
            auto const memory = hostMemory();
            _exit(memory.free < 4096 * kMiB ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }
    void aRefusalNamesNeedBoundAndRemedy()
    {
        HostMemory const memory{100 * kMiB, "its control group allows no more"};
        QVERIFY(requireHostMemory(100 * kMiB, "dense", "training", "Smaller.", memory).ok());
        auto const refused = requireHostMemory(2048 * kMiB, "dense", "training", "Smaller.", memory);
        QVERIFY(!refused.ok());
        auto const &error = refused.error();
        QVERIFY(error.kind == ErrorKind::DoesNotFit);
        QCOMPARE(error.code, std::string("host.memory"));
        QCOMPARE(error.message,
                 std::string("training does not fit in the host's memory: it needs about 2.0 GiB, and 100.0 MiB are available "
                             "(its control group allows no more)."));
        QCOMPARE(error.remedy, std::string("Smaller."));
    }
    /// Memory and peak before a mark do not count for the mark; the process' peak never decreases.
    void marksMeasureTheirOwnMemory()
    {
        // The system counts resident pages in lots, so the figures are a little off.
        char volatile last = 0; // prevents removal by the optimizer
        auto const fill = [&](Bytes bytes) {
            std::vector<char> filled(static_cast<std::size_t>(bytes), 'x');
            last = filled.back();
            return filled;
        };
        fill(300 * kMiB);
        auto const kept = fill(50 * kMiB);
        Bytes const peak = peakOfProcess();
        QVERIFY(peak >= 300 * kMiB);
        MemoryMark outer;
        if (outer.most() < 0) QSKIP("the peak of a process cannot be set back here");
        fill(80 * kMiB);
        {
            MemoryMark inner;
            fill(20 * kMiB);
            QVERIFY2(inner.most() >= 19 * kMiB && inner.most() < 40 * kMiB, qPrintable(QString::number(inner.most())));
        }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        constexpr Bytes kBeside = 60 * kMiB; // a sanitizer keeps freed memory for a while
#else
        constexpr Bytes kBeside = 20 * kMiB;
#endif
        QVERIFY2(outer.most() >= 79 * kMiB && outer.most() < 80 * kMiB + kBeside, qPrintable(QString::number(outer.most())));
        QVERIFY(peakOfProcess() >= peak);
        QVERIFY(kept.back() == 'x');
    }
    void marksWithoutPeakResetReportTheKnownPart()
    {
        FakeRoot root;
        auto const status = [&](int peak, int now) {
            root.write(QStringLiteral("self/status"),
                       "VmHWM:\t " + QByteArray::number(peak) + " kB\nVmRSS:\t " + QByteArray::number(now) + " kB\n");
        };
        root.write(QStringLiteral("self/clear_refs/none"), ""); // a folder cannot be written
        status(5000, 1000);
        MemoryMark mark(root.path() / "self");
        status(5000, 1200);
        QCOMPARE(mark.most(), Bytes(-1)); // an older peak hides it
        status(6000, 1200);
        QCOMPARE(mark.most(), Bytes(5000 * 1024));
    }
    void sizesDoNotWrapRound()
    {
        auto const most = std::numeric_limits<Bytes>::max();
        QCOMPARE(multiplyBytes(Bytes{1} << 40, Bytes{1} << 40), most);
        QCOMPARE(addBytes(most - 1, 2), most);
        QCOMPARE(addBytes(multiplyBytes(3, 4), 5), Bytes{17});
    }
};

TW_REGISTER_TEST(TstHostMemory);
#include "tst_host_memory.moc"
