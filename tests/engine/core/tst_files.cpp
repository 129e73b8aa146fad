#include "engine/core/files.h"
#include "engine/core/process.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <functional>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
namespace fs = std::filesystem;

namespace {

/// What `body` returns in a process of its own, which ends as if it were killed: no destructor runs.
int inChild(std::function<int()> const &body)
{
    auto const child = ::fork();
    if (child == 0) ::_exit(body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void limitFileSize(rlim_t bytes)
{
    prepareProcess();
    rlimit const limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

} // namespace

/// Files are there whole or not at all, and nothing else is.
class TstFiles : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    fs::path path(char const *name) const { return fs::path(m_dir.path().toStdString()) / name; }
    QStringList names() const
    {
        return QDir(m_dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
    }

private slots:
    void init()
    {
        m_dir = QTemporaryDir();
        QVERIFY(m_dir.isValid());
    }

    void aFileThatDoesNotFitLeavesTheOldOne()
    {
        QVERIFY(writeFileAtomically(path("a"), "old").ok());
        int const code = inChild([&] {
            limitFileSize(4096);
            auto const status = writeFileAtomically(path("a"), std::string(100'000, 'x'));
            return status.ok() ? 99 : static_cast<int>(status.error().kind);
        });
        QCOMPARE(code, 5);
        QCOMPARE(readFile(path("a")).value(), std::string("old"));
        QCOMPARE(names(), QStringList{"a"});
    }

    void errorsNameTheFileThatWasAskedFor()
    {
        QVERIFY(writeFileAtomically(path("file"), "x").ok());
        for (auto const &place : {path("no/such/folder"), path("file/below"), fs::path(m_dir.path().toStdString())}) {
            auto const status = writeFileAtomically(place, "y");
            QVERIFY(!status.ok());
            QCOMPARE(status.error().subject, place.string());
            QVERIFY(status.error().kind == ErrorKind::Data);
            QVERIFY(!status.error().remedy.empty());
            QVERIFY(!tryWriting(place, 1).ok());
        }
        QCOMPARE(names(), QStringList{"file"});
    }

    void whatAKilledProcessLeftIsSwept()
    {
        auto const leave = [&] {
            static std::optional<FileReplacement> file; // never destroyed: the process just ends
            auto begun = FileReplacement::begin(path("a"));
            if (!begun.ok() || !begun->write("half").ok()) return 1;
            file.emplace(std::move(*begun));
            return 0;
        };
        QCOMPARE(inChild(leave), 0);
        QCOMPARE(names().size(), 1);
        QVERIFY(names().front().startsWith(".a."));
        // Another process that writes any file there cleans up; one that lives is left alone.
        auto living = FileReplacement::begin(path("b"));
        QVERIFY(living.ok());
        QCOMPARE(names().size(), 1); // begin() has swept the dead one
        QVERIFY(names().front().startsWith(".b."));
        QCOMPARE(inChild([&] { return writeFileAtomically(path("c"), "c").ok() ? 0 : 1; }), 0);
        QVERIFY(living->write("whole").ok());
        QVERIFY(living->commit(Sync::Yes).ok());
        QCOMPARE(readFile(path("b")).value(), std::string("whole"));
        QCOMPARE(names(), (QStringList{"b", "c"}));
    }

    void filesOfOthersAreNotSwept()
    {
        for (auto const *name : {".a.tilewright-x-1", ".a.tmp-1-2", "a.tilewright-1-1", ".a.tilewright-1-1x"})
            QVERIFY(writeFileAtomically(path(name), "mine").ok());
        removeLeftBehind(m_dir.path().toStdString());
        QCOMPARE(names().size(), 4);
    }

    void permissionsStay()
    {
        QVERIFY(writeFileAtomically(path("target"), "old").ok());
        QCOMPARE(::chmod(path("target").c_str(), 0640), 0);
        QVERIFY(writeFileAtomically(path("target"), "one").ok());
        QCOMPARE(readFile(path("target")).value(), std::string("one"));
        QVERIFY((fs::status(path("target")).permissions() & fs::perms::all) == fs::perms(0640));
        QCOMPARE(names(), QStringList{"target"});
    }

    void aNameAsLongAsCanBeWorks()
    {
        std::string const name(255, 'n');
        QVERIFY(writeFileAtomically(path(name.c_str()), "x").ok());
        QCOMPARE(names(), QStringList{QString::fromStdString(name)});
    }

    void aDatabaseIsNotReplacedByAFlatFile()
    {
        std::string const database = std::string("SQLite format 3", 16) + "and the work of a year";
        {
            auto file = FileReplacement::begin(path("p.tilewright"));
            QVERIFY(file->write(database).ok() && file->commit(Sync::No).ok());
        }
        auto const status = writeOutputFile(path("p.tilewright"), "{}");
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("file.database"));
        QCOMPARE(readFile(path("p.tilewright")).value(), database);
    }

    void tryingLeavesThePlaceAsItWas()
    {
        QVERIFY(tryWriting(path("new"), 1 << 20).ok());
        QVERIFY(names().isEmpty());
        QVERIFY(writeFileAtomically(path("old"), "old").ok());
        QVERIFY(tryWriting(path("old"), 1 << 20).ok());
        QCOMPARE(readFile(path("old")).value(), std::string("old"));
        QCOMPARE(names(), QStringList{"old"});
    }

    void roomThatIsNotThereIsNoticedBefore()
    {
        QCOMPARE(inChild([&] {
                     limitFileSize(1 << 20);
                     bool const small = tryWriting(path("a"), 1 << 19).ok();
                     auto const large = tryWriting(path("a"), 1 << 21);
                     return small && !large.ok() && large.error().kind == ErrorKind::Data ? 0 : 1;
                 }),
                 0);
        QVERIFY(names().isEmpty());
    }

    void aReplacementThatIsGivenUpIsGone()
    {
        {
            auto file = FileReplacement::begin(path("a"));
            QVERIFY(file->write("half").ok());
            auto moved = std::move(*file);
            QCOMPARE(names().size(), 1);
        }
        QVERIFY(names().isEmpty());
    }

    void outputFoldersAreMadeOneDeep()
    {
        QVERIFY(makeOutputFolder(path("out")).ok());
        QVERIFY(makeOutputFolder(path("out")).ok());
        auto const deep = makeOutputFolder(path("a/b"));
        QVERIFY(!deep.ok());
        QVERIFY(deep.error().kind == ErrorKind::Data);
        QVERIFY(writeFileAtomically(path("file"), "x").ok());
        QVERIFY(!makeOutputFolder(path("file")).ok());
    }

    void stateFoldersAreThoseThatCanBeUsed()
    {
        QVERIFY(writeFileAtomically(path("file"), "x").ok());
        QCOMPARE(inChild([&] {
                     ::setenv("XDG_STATE_HOME", path("state").c_str(), 1);
                     ::setenv("TMPDIR", path("file").c_str(), 1); // no folder
                     auto const both = stateFolders("rescue");
                     ::setenv("XDG_STATE_HOME", path("file/below").c_str(), 1);
                     ::setenv("TMPDIR", m_dir.path().toUtf8().constData(), 1);
                     auto const temporary = stateFolders("rescue");
                     return both.size() >= 1 && both.front() == path("state/tilewright/rescue") && temporary.size() == 1
                             && temporary.front().string().starts_with(m_dir.path().toStdString())
                         ? 0
                         : 1;
                 }),
                 0);
    }

    void signalsOfWritingBecomeErrors()
    {
        QCOMPARE(inChild([] {
                     prepareProcess();
                     int ends[2];
                     if (::pipe(ends) != 0) return 1;
                     ::close(ends[0]);
                     return writeAll(ends[1], "x") == EPIPE ? 0 : 2;
                 }),
                 0);
    }

    void closedStreamsStayFailing()
    {
        QCOMPARE(inChild([&] {
                     for (int stream : {0, 1, 2}) ::close(stream);
                     prepareProcess();
                     int const file = ::open(path("a").c_str(), O_WRONLY | O_CREAT, 0600);
                     return file > 2 && writeAll(STDOUT_FILENO, "x") != 0 ? 0 : 1;
                 }),
                 0);
        QCOMPARE(fs::file_size(path("a")), std::uintmax_t(0));
    }
};

TW_REGISTER_TEST(TstFiles);
#include "tst_files.moc"
