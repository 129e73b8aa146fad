#include "engine/core/destination.h"
#include "engine/core/files.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <functional>
#include <memory>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
namespace fs = std::filesystem;

class TstDestination : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_dir;

    fs::path path(char const *name) const { return m_dir->filePath(name).toStdString(); }
    QStringList names() const
    {
        return QDir(m_dir->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }
    static int inChild(std::function<int()> const &work)
    {
        auto const child = ::fork();
        if (child == 0) ::_exit(work());
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void onlyRegularFilesAndNewNamesAreDestinations()
    {
        QVERIFY(writeFileAtomically(path("file"), "old").ok());
        fs::create_symlink("file", path("link"));
        fs::create_symlink("nothing", path("dangling"));
        fs::create_directory(path("folder"));
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        int const server = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        QVERIFY(path("socket").string().size() < sizeof address.sun_path);
        std::strcpy(address.sun_path, path("socket").c_str());
        QCOMPARE(::bind(server, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
        auto const before = names();
        for (auto const *name : {"file", "new"}) {
            QVERIFY2(checkDestination(path(name)).ok(), name);
            QVERIFY2(tryWriting(path(name), 10).ok(), name);
            QVERIFY2(DestinationClaim::take(path(name)).ok(), name);
        }
        for (auto const *name : {"link", "dangling", "folder", "pipe", "socket"}) {
            auto const refused = checkDestination(path(name));
            QVERIFY2(!refused.ok() && refused.error().kind == ErrorKind::Data, name);
            QCOMPARE(refused.error().code, std::string("file.destination"));
            QVERIFY2(!DestinationClaim::take(path(name)).ok(), name);
            QVERIFY2(!tryWriting(path(name), 10).ok(), name);
            QVERIFY2(!writeFileAtomically(path(name), "lost").ok(), name);
        }
        QVERIFY(checkDestination("/dev/null").error().message.find("device") != std::string::npos);
        ::close(server);
        QCOMPARE(names(), before); // and nothing was made on the way
        QCOMPARE(readFile(path("file")).value(), std::string("old"));
    }

    void oneProcessHoldsADestination()
    {
        auto first = DestinationClaim::take(path("r.twreport"));
        QVERIFY(first.ok());
        QVERIFY(DestinationClaim::isHeldHere(path("r.twreport")));
        QVERIFY(!DestinationClaim::isHeldHere(path("other")));
        auto const second = DestinationClaim::take(path("r.twreport"));
        QVERIFY(!second.ok());
        QCOMPARE(second.error().code, std::string("file.claimed"));
        QVERIFY(second.error().kind == ErrorKind::Data);
        QVERIFY2(second.error().message.find("being written by process " + std::to_string(::getpid())) != std::string::npos,
                 second.error().message.c_str());
        // By another way to the same folder, in another process.
        fs::create_directory_symlink(m_dir->path().toStdString(), path("way"));
        auto const other = path("way") / "r.twreport";
        QCOMPARE(inChild([&] { return DestinationClaim::take(other).ok() ? 1 : 0; }), 0);
        {
            auto const moved = std::move(*first);
            QVERIFY(DestinationClaim::isHeldHere(path("r.twreport")));
        }
        QVERIFY(!DestinationClaim::isHeldHere(path("r.twreport")));
        QCOMPARE(inChild([&] { return DestinationClaim::take(other).ok() ? 0 : 1; }), 0);
        QCOMPARE(names(), QStringList{"way"}); // locks leave no files
    }

    void theClaimOfAKilledProcessIsFree()
    {
        QCOMPARE(inChild([&] {
                     auto claim = DestinationClaim::take(path("a"));
                     ::kill(::getpid(), SIGKILL);
                     return claim.ok() ? 0 : 1;
                 }),
                 -1);
        QCOMPARE(names().size(), 1); // its lock file
        QVERIFY(DestinationClaim::take(path("a")).ok());
        QVERIFY(names().isEmpty());
    }

    void theSweepLeavesLiveClaims()
    {
        auto const claim = DestinationClaim::take(path("a"));
        QVERIFY(claim.ok());
        QCOMPARE(inChild([&] {
                     removeLeftBehind(m_dir->path().toStdString());
                     return DestinationClaim::take(path("a")).ok() ? 1 : 0;
                 }),
                 0);
    }

    void namesAsLongAsCanBeAreTold()
    {
        std::string const common(254, 'n');
        auto const one = DestinationClaim::take(path((common + "1").c_str()));
        auto const two = DestinationClaim::take(path((common + "2").c_str()));
        QVERIFY(one.ok() && two.ok());
        QVERIFY(!DestinationClaim::take(path((common + "1").c_str())).ok());
    }

    void aPlaceThatCannotBeWrittenIsADataError()
    {
        auto const nowhere = DestinationClaim::take(path("no/such/folder/file"));
        QVERIFY(!nowhere.ok());
        QVERIFY(nowhere.error().kind == ErrorKind::Data);
        QCOMPARE(nowhere.error().code, std::string("file.write"));
    }

    void foldersThatOthersCanWriteAreNotTrusted()
    {
        fs::create_directory(path("own"));
        fs::create_directory(path("own/inner"));
        QCOMPARE(::chmod(path("own").c_str(), 0755), 0);
        QCOMPARE(::chmod(path("own/inner").c_str(), 0700), 0);
        QVERIFY(requirePrivateFolder(path("own/inner")).ok());
        for (mode_t const mode : {0777, 0775, 0702}) {
            QCOMPARE(::chmod(path("own/inner").c_str(), mode), 0);
            auto const refused = requirePrivateFolder(path("own/inner"));
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().code, std::string("file.not-private"));
        }
        QCOMPARE(::chmod(path("own/inner").c_str(), 0700), 0);
        QCOMPARE(::chmod(path("own").c_str(), 0777), 0); // another could be put in the place of `inner`
        QVERIFY(!requirePrivateFolder(path("own/inner")).ok());
        QCOMPARE(::chmod(path("own").c_str(), 01777), 0); // but not where the sticky bit is, as in /tmp
        QVERIFY(requirePrivateFolder(path("own/inner")).ok());
        if (::geteuid() != 0) return;
        QCOMPARE(::chown(path("own/inner").c_str(), 1, 1), 0);
        QVERIFY(!requirePrivateFolder(path("own/inner")).ok());
    }

    void filesThatOthersCanWriteAreNotTrusted()
    {
        QVERIFY(requirePrivateFile(path("none")).ok());
        QVERIFY(writeFileAtomically(path("file"), "x").ok());
        QCOMPARE(::chmod(path("file").c_str(), 0644), 0);
        QVERIFY(requirePrivateFile(path("file")).ok());
        QCOMPARE(::chmod(path("file").c_str(), 0664), 0);
        QVERIFY(!requirePrivateFile(path("file")).ok());
    }
};

TW_REGISTER_TEST(TstDestination);
#include "tst_destination.moc"
