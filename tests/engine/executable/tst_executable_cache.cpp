#include "engine/core/files.h"
#include "engine/executable/cache.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::executable;

class TstExecutableCache : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string folder() const { return m_dir->path().toStdString() + "/a cache"; }
    ExecutableCache cache() const { return ExecutableCache::open(folder()).value(); }

    static std::span<std::byte const> bytesOf(std::string const &text) { return std::as_bytes(std::span(text)); }
    static CacheKey keyWith(std::string target)
    {
        return {{"graph", "0123"}, {"ipu_config.matmuls.partials", "half"}, {"target", std::move(target)}};
    }
    static bool has(std::string const &text, std::string const &part) { return text.find(part) != std::string::npos; }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void theFormatIsToldByTheFields()
    {
        QVERIFY(parseHash(storedFormat()).has_value());
        QCOMPARE(storedFormat(), storedFormat());
    }
    void whatIsStoredIsFound()
    {
        auto const c = cache();
        auto const key = keyWith("gc200");
        auto const miss = c.find(key);
        QVERIFY(miss.outcome == LookupOutcome::Miss);
        QCOMPARE(miss.reason, std::string("the cache is empty"));
        QVERIFY(c.store(key, "0.1.0", bytesOf("payload")).ok());
        auto const hit = c.find(key);
        QVERIFY(hit.outcome == LookupOutcome::Hit);
        QCOMPARE(hit.blob->payload().size(), std::size_t(7));
        QCOMPARE(c.entryPath(hit.hash).filename().string(), toText(keyHash(key)) + ".twexe");
        QVERIFY(std::filesystem::exists(c.entryPath(hit.hash)));
    }
    void anotherBuildCompilesAnewAndLeavesOneEntry()
    {
        auto const c = cache();
        auto old = keyWith("arrow"), other = keyWith("bow");
        old["build"] = other["build"] = "0a";
        QVERIFY(c.store(old, "1.0", bytesOf("payload")).ok());
        QVERIFY(c.store(other, "1.0", bytesOf("payload")).ok());
        auto key = old;
        key["build"] = "0b";
        auto const miss = c.find(key);
        QVERIFY(miss.outcome == LookupOutcome::Miss);
        QVERIFY2(has(miss.reason, "in build: '0a' there, '0b' here"), miss.reason.c_str());
        QVERIFY(c.store(key, "1.0", bytesOf("payload")).ok());
        QVERIFY(c.find(key).outcome == LookupOutcome::Hit);
        QVERIFY(c.find(old).outcome == LookupOutcome::Miss);
        QVERIFY(c.find(other).outcome == LookupOutcome::Hit); // of another model: it stays
        QCOMPARE(c.list().size(), std::size_t{2});
    }
    void aMissNamesTheFirstDifferenceToTheMostSimilarEntry()
    {
        auto const c = cache();
        auto far = keyWith("pod16");
        far["graph"] = "9999";
        QVERIFY(c.store(far, "1", {}).ok());
        QVERIFY(c.store(keyWith("gc200"), "1", {}).ok());
        auto const miss = c.find(keyWith("bow"));
        QVERIFY(miss.outcome == LookupOutcome::Miss);
        QVERIFY2(has(miss.reason, "in target: 'gc200' there, 'bow' here"), miss.reason.c_str());
        QVERIFY(has(miss.reason, toText(keyHash(keyWith("gc200"))).substr(0, 8)));
        auto more = keyWith("gc200");
        more["zeta"] = "1";
        QVERIFY(has(c.find(more).reason, "in zeta: absent there, '1' here"));
        auto fewer = keyWith("gc200");
        fewer.erase("graph");
        QVERIFY(has(c.find(fewer).reason, "in graph: '0123' there, absent here"));
    }
    void aMissNamesNoEntryOfAnotherModel()
    {
        auto const c = cache();
        auto const of = [](char const *model, char const *target) {
            auto key = keyWith(target);
            key["model"] = model;
            return key;
        };
        QVERIFY(c.store(of("a.units: 3\na.bias: true\n", "gc200"), "1", {}).ok());
        QCOMPARE(c.find(of("b.filters: 8\nb.bias: true\nb.size: 3\n", "gc200")).reason,
                 std::string("the cache holds no executable of this model"));
        auto const near = c.find(of("a.units: 4\na.bias: true\n", "gc200")).reason;
        QVERIFY2(has(near, "in model: ") && has(near, "units: 4"), near.c_str());
    }
    void aMissShowsWhereLongValuesDiffer()
    {
        auto const c = cache();
        std::string options = "configuration 1\n", other = options;
        for (int i = 0; i < 200; ++i) {
            auto const line = "ipu_config some.long.category.of.options.number" + std::to_string(i) + "=";
            options += line + "1\n";
            other += line + (i == 77 ? "2\n" : "1\n");
        }
        auto key = keyWith("gc200");
        key["options"] = options;
        QVERIFY(c.store(key, "1", {}).ok());
        key["options"] = other;
        auto const reason = c.find(key).reason;
        QVERIFY2(has(reason, "number77=1' there") && has(reason, "number77=2' here"), reason.c_str());
        QVERIFY2(reason.size() < 250, reason.c_str());
        // One long line, with characters of several bytes at the cut.
        auto plan = keyWith("bow");
        plan["training.loss"] = std::string(300, 'x') + "äöüäöüäöüäöüäöüäöüäöüAäö" + std::string(300, 'y');
        QVERIFY(c.store(plan, "1", {}).ok());
        plan["training.loss"] = std::string(300, 'x') + "äöüäöüäöüäöüäöüäöüäöüBäö" + std::string(300, 'y');
        auto const second = c.find(plan).reason;
        QVERIFY2(has(second, "äöüAäö") && has(second, "äöüBäö"), second.c_str());
        QVERIFY2(second.size() < 300 && QString::fromStdString(second).toStdString() == second, second.c_str());
    }
    void keysReadBackWithAnyValue()
    {
        CacheKey const key{{"a", "line\nbreak\\n and = sign"}, {"b", ""}, {"c", "\\"}, {"d", "ü\t\r"}};
        QVERIFY(parseKeyText(keyText(key)) == key);
        // Values that look alike when joined must not collide.
        QVERIFY(keyHash({{"a", "1\nb=2"}}) != keyHash({{"a", "1"}, {"b", "2"}}));
        QVERIFY(keyHash({{"a", "\\n"}}) != keyHash({{"a", "\n"}}));
    }
    void aDamagedEntryIsSaidAndReplaced_data()
    {
        QTest::addColumn<QByteArray>("what");
        QTest::newRow("flipped payload byte") << QByteArray("flip");
        QTest::newRow("truncated") << QByteArray("cut");
        QTest::newRow("empty file") << QByteArray("empty");
        QTest::newRow("other file") << QByteArray("other");
        QTest::newRow("another entry's bytes") << QByteArray("swap");
    }
    void aDamagedEntryIsSaidAndReplaced()
    {
        QFETCH(QByteArray, what);
        auto const c = cache();
        auto const key = keyWith("gc200");
        std::string const payload(1000, 'p');
        QVERIFY(c.store(key, "1", bytesOf(payload)).ok());
        auto const path = c.entryPath(keyHash(key));
        auto bytes = readFile(path).value();
        if (what == "flip") bytes.back() ^= 1;
        if (what == "cut") bytes.resize(bytes.size() - 500);
        if (what == "empty") bytes.clear();
        if (what == "other") bytes = "just text, long enough to hold a whole header of an executable file ....";
        if (what == "swap") {
            QVERIFY(c.store(keyWith("bow"), "1", bytesOf(payload)).ok());
            bytes = readFile(c.entryPath(keyHash(keyWith("bow")))).value();
        }
        QVERIFY(writeFileAtomically(path, bytes).ok());

        auto const damaged = c.find(key);
        QVERIFY(damaged.outcome == LookupOutcome::Damaged);
        QVERIFY(!damaged.blob);
        QVERIFY(damaged.warning.has_value());
        QCOMPARE(damaged.warning->code, std::string("cache.damaged"));
        QVERIFY(has(damaged.warning->message, "compiling again"));
        int bad = 0;
        for (auto const &entry : c.verify()) bad += entry.status == EntryStatus::Damaged;
        QCOMPARE(bad, 1);

        QVERIFY(c.store(key, "1", bytesOf(payload)).ok());
        QVERIFY(c.find(key).outcome == LookupOutcome::Hit);
        for (auto const &entry : c.verify()) QVERIFY(entry.status == EntryStatus::Good);
    }
    void anEntryOfANewerFormatIsAMiss()
    {
        auto const c = cache();
        auto const key = keyWith("gc200");
        QVERIFY(c.store(key, "1", bytesOf("x")).ok());
        auto const path = c.entryPath(keyHash(key));
        auto bytes = readFile(path).value();
        bytes[8] = 9;
        QVERIFY(writeFileAtomically(path, bytes).ok());
        auto const lookup = c.find(key);
        QVERIFY(lookup.outcome == LookupOutcome::Miss);
        QVERIFY(has(lookup.reason, "newer version"));
        QVERIFY(c.verify().at(0).status == EntryStatus::OtherVersion);
    }
    void listsAndClearsOnlyItsOwnFiles()
    {
        auto const c = cache();
        QVERIFY(c.store(keyWith("gc200"), "1.2.3", bytesOf("abc")).ok());
        QVERIFY(c.store(keyWith("bow"), "1.2.3", bytesOf("abcd")).ok());
        QVERIFY(writeFileAtomically(folder() + "/notes.txt", "mine").ok());
        QVERIFY(writeFileAtomically(folder() + "/report.twexe", "mine").ok());
        auto const name = toText(keyHash(keyWith("bow")));
        auto const leftover = folder() + "/." + name + ".twexe.tilewright-1-0"; // nobody holds its lock
        QVERIFY(writeFileAtomically(leftover, "half").ok());
        auto const inUse = FileReplacement::begin(folder() + "/" + name + ".twexe");
        QVERIFY(inUse.ok());
        auto const held = c.lockKey(keyHash(keyWith("gc200")), {});
        {
            auto const freed = c.lockKey(keyHash(keyWith("bow")), {});
        }

        auto const rows = c.list();
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(rows[0].name < rows[1].name);
        for (auto const &row : rows) {
            QCOMPARE(row.writer, std::string("1.2.3"));
            QCOMPARE(row.payloadBytes, row.key.at("target") == "bow" ? 4 : 3);
            QVERIFY(row.fileBytes > row.payloadBytes);
        }
        auto const cleared = c.clear();
        QCOMPARE(cleared->entries, 2);
        QCOMPARE(cleared->bytes, rows[0].fileBytes + rows[1].fileBytes);
        QVERIFY(c.list().empty());
        QVERIFY(std::filesystem::exists(folder() + "/notes.txt"));
        QVERIFY(std::filesystem::exists(folder() + "/report.twexe"));
        QVERIFY(!std::filesystem::exists(leftover));
        QCOMPARE(QDir(QString::fromStdString(folder())).entryList({".*.tilewright-*"}, QDir::Files | QDir::Hidden).size(), 1);
        QVERIFY(!std::filesystem::exists(folder() + "/" + name + ".lock"));
        QVERIFY(std::filesystem::exists(folder() + "/" + toText(keyHash(keyWith("gc200"))) + ".lock"));
    }
    void severalProcessesCompileOnce()
    {
        auto const key = keyWith("gc200");
        auto const log = m_dir->path().toStdString() + "/compiles";
        std::vector<pid_t> children;
        for (int i = 0; i < 6; ++i) {
            auto const pid = ::fork();
            if (pid == 0) {
                auto const c = ExecutableCache::open(folder()).value();
                if (c.find(key).outcome != LookupOutcome::Hit) {
                    auto const lock = c.lockKey(keyHash(key), {});
                    if (!lock.ok()) ::_exit(2);
                    if (c.find(key).outcome != LookupOutcome::Hit) {
                        int const file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
                        if (::write(file, "c", 1) != 1) ::_exit(3);
                        ::close(file);
                        ::usleep(100'000); // the compile
                        if (!c.store(key, "1", bytesOf("result")).ok()) ::_exit(4);
                    }
                }
                ::_exit(c.find(key).outcome == LookupOutcome::Hit ? 0 : 5);
            }
            children.push_back(pid);
        }
        for (auto pid : children) {
            int status = 0;
            ::waitpid(pid, &status, 0);
            QVERIFY(WIFEXITED(status));
            QCOMPARE(WEXITSTATUS(status), 0);
        }
        QCOMPARE(readFile(log).value(), std::string("c"));
    }
    void readersNeverSeeHalfAnEntry()
    {
        auto const key = keyWith("gc200");
        auto const c = cache();
        QVERIFY(c.store(key, "1", bytesOf(std::string(300'000, 'a'))).ok());
        auto const writer = ::fork();
        if (writer == 0) {
            for (int i = 0; i < 100; ++i)
                if (!c.store(key, "1", bytesOf(std::string(static_cast<std::size_t>(300'000 + i * 1000), 'b'))).ok()) ::_exit(1);
            ::_exit(0);
        }
        int status = 0;
        int hits = 0;
        while (::waitpid(writer, &status, WNOHANG) == 0) {
            QVERIFY(c.find(key).outcome == LookupOutcome::Hit);
            ++hits;
        }
        QCOMPARE(status, 0);
        QVERIFY(hits > 0);
        // Nothing but the entry is left.
        auto const files = std::distance(std::filesystem::directory_iterator(folder()), std::filesystem::directory_iterator());
        QCOMPARE(files, 1);
    }
    void waitingForAnotherProcessCanBeCancelled()
    {
        auto const c = cache();
        auto const hash = keyHash(keyWith("gc200"));
        auto held = c.lockKey(hash, {});
        QVERIFY(held.ok());
        std::stop_source source;
        JobContext job;
        job.stop = source.get_token();
        std::string phase;
        job.progress = [&](std::string_view p, double) {
            phase = p;
            source.request_stop();
        };
        auto const refused = c.lockKey(hash, job);
        QVERIFY(refused.error().kind == ErrorKind::Cancelled);
        QVERIFY(has(phase, "another process"));
    }
    void aLockRemovedMeanwhileIsTakenAnew()
    {
        auto const c = cache();
        auto const hash = keyHash(keyWith("gc200"));
        auto held = std::make_unique<FileLock>(c.lockKey(hash, {}).value());
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            held->removeFile(folder() + "/" + toText(hash) + ".lock");
            held.reset();
        });
        auto const second = c.lockKey(hash, {});
        later.join();
        QVERIFY(second.ok());
        // A third, which opens the file by its name, meets the second.
        QVERIFY(!FileLock::tryLock(folder() + "/" + toText(hash) + ".lock").value().has_value());
    }
    void whatOthersCanWriteIsNotRun()
    {
        QVERIFY(cache().store(keyWith("gc200"), "1", bytesOf("payload")).ok());
        QVERIFY(cache().find(keyWith("gc200")).outcome == LookupOutcome::Hit);
        auto const entry = cache().entryPath(keyHash(keyWith("gc200")));
        for (mode_t const mode : {0622, 0660, 0606}) {
            QCOMPARE(::chmod(entry.c_str(), mode), 0);
            auto const lookup = cache().find(keyWith("gc200"));
            QVERIFY(lookup.outcome == LookupOutcome::Damaged && !lookup.blob && lookup.warning);
            QCOMPARE(lookup.warning->code, std::string("file.not-private"));
        }
        QVERIFY(cache().store(keyWith("gc200"), "1", bytesOf("payload")).ok()); // and is replaced
        QVERIFY(cache().find(keyWith("gc200")).outcome == LookupOutcome::Hit);
        for (mode_t const mode : {0777, 0770, 01777}) {
            QCOMPARE(::chmod(folder().c_str(), mode), 0);
            auto const refused = ExecutableCache::open(folder());
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().code, std::string("cache.folder"));
        }
        QCOMPARE(::chmod(folder().c_str(), 0755), 0);
        QVERIFY(ExecutableCache::open(folder()).ok());
    }
    void anUnusableFolderIsSaid()
    {
        auto const file = m_dir->path().toStdString() + "/file";
        QVERIFY(writeFileAtomically(file, "x").ok());
        auto const refused = ExecutableCache::open(file + "/cache");
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("cache.folder"));
        QVERIFY(has(refused.error().remedy, "--executable_cache_path"));
    }
    void withoutHomeATemporaryFolderServes()
    {
        auto const temporary = m_dir->path().toStdString();
        auto const child = ::fork();
        if (child == 0) {
            ::unsetenv("XDG_CACHE_HOME");
            auto const noHome = temporary + "/none";
            ::setenv("HOME", noHome.c_str(), 1);
            ::setenv("TMPDIR", temporary.c_str(), 1);
            auto const c = ExecutableCache::open();
            if (!c.ok() || c->folder().string() != temporary + "/tilewright-" + std::to_string(::getuid()) + "/executables") ::_exit(1);
            ::setenv("HOME", temporary.c_str(), 1);
            if (ExecutableCache::open()->folder().string() != temporary + "/.cache/tilewright/executables") ::_exit(2);
            ::setenv("XDG_CACHE_HOME", (temporary + "/xdg").c_str(), 1);
            if (ExecutableCache::open()->folder().string() != temporary + "/xdg/tilewright/executables") ::_exit(3);
            ::_exit(std::filesystem::exists(noHome) ? 4 : 0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }
};

TW_REGISTER_TEST(TstExecutableCache);
#include "tst_executable_cache.moc"
