#include "app/gui/single_instance.h"
#include "tests/support/test_registry.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <future>

#include <sys/stat.h>

using namespace tilewright;

namespace {

/// Variables of the environment as they were before.
class Variables {
public:
    Variables()
    {
        for (auto const *name : kNames) m_before << (qEnvironmentVariableIsSet(name) ? qgetenv(name) : QByteArray());
        for (auto const *name : kNames) qunsetenv(name);
    }
    ~Variables()
    {
        for (std::size_t i = 0; i < std::size(kNames); ++i) qputenv(kNames[i], m_before[static_cast<qsizetype>(i)]);
    }

private:
    static constexpr char const *kNames[] = {"TILEWRIGHT_RUN_DIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "HOME", "TMPDIR"};
    QByteArrayList m_before;
};

bool handsOver()
{
    app::SingleInstance first;
    QSignalSpy const received(&first, &app::SingleInstance::filesReceived);
    first.listen();
    auto second = std::async(std::launch::async, [] { return app::SingleInstance().handOver({QStringLiteral("/a.tilewright")}); });
    while (second.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) QCoreApplication::processEvents();
    bool const took = second.get();
    return took && received.size() == 1 && received[0][0].toStringList() == QStringList{QStringLiteral("/a.tilewright")};
}

} // namespace

class TstSingleInstance : public QObject {
    Q_OBJECT
private slots:
    void aSecondStartHandsItsFilesOver()
    {
        Variables const restored;
        QTemporaryDir const folder;
        qputenv("XDG_RUNTIME_DIR", folder.path().toLocal8Bit());
        QVERIFY(handsOver());
        QVERIFY(QFileInfo::exists(folder.filePath(QStringLiteral("tilewright"))));
    }
    void withoutARuntimeFolderTheCacheServes()
    {
        Variables const restored;
        QTemporaryDir const folder;
        qputenv("HOME", folder.path().toLocal8Bit());
        QVERIFY(handsOver());
    }
    void noFilesAreHandedOverByAFolderOfOthers()
    {
        Variables const restored;
        QTemporaryDir const folder;
        qputenv("TMPDIR", folder.path().toLocal8Bit());
        qputenv("TILEWRIGHT_RUN_DIR", folder.filePath(QStringLiteral("shared")).toLocal8Bit());
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("shared")));
        QCOMPARE(::chmod(folder.filePath(QStringLiteral("shared")).toLocal8Bit().constData(), 0777), 0);
        QVERIFY(!handsOver());
        QVERIFY(QDir(folder.filePath(QStringLiteral("shared"))).isEmpty(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot));
        QCOMPARE(::chmod(folder.filePath(QStringLiteral("shared")).toLocal8Bit().constData(), 0700), 0);
        QVERIFY(handsOver());
    }
};

TW_REGISTER_TEST(TstSingleInstance);
#include "tst_single_instance.moc"
