#include "engine/core/files.h"
#include "engine/core/random.h"
#include "engine/store/project_file.h"
#include "engine/store/report_writer.h"
#include "engine/store/sqlite.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::store;

namespace {

ProjectDocument document(int batch = 32)
{
    return {{{"model", R"({"class_name":"Sequential","config":{"layers":[],"rate":0.1}})"},
             {"ipu_config", R"({"auto_select_ipus":2})"},
             {"system", R"({"target":"gc200"})"},
             {"training", R"({"batch_size":)" + std::to_string(batch) + R"(,"seed":18446744073709551615})"},
             {"data", R"({"path":""})"},
             {"layout", "{\"zoom\":1.0,\"name\":\"süß \\\"q\\\"\"}"}}};
}

std::vector<NamedTensor> tensors(std::uint64_t seed, int count, int elements)
{
    RandomStream random(seed);
    std::vector<NamedTensor> all;
    for (int i = 0; i < count; ++i) {
        NamedTensor t{"layer_" + std::to_string(i) + "/kernel", "f32", {elements, 1}, {}};
        for (int k = 0; k < 4 * elements; ++k) t.bytes += static_cast<char>(i % 2 ? random.next() : 0);
        all.push_back(std::move(t));
    }
    return all;
}

int childStatus(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class TstProjectFile : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    std::filesystem::path path(std::string const &name) { return m_dir.filePath(QString::fromStdString(name)).toStdString(); }
    int filesNamed(char const *pattern)
    {
        return static_cast<int>(QDir(m_dir.path()).entryList({pattern}, QDir::Files | QDir::Hidden).size());
    }

private slots:
    void savedProjectsAreReadBack()
    {
        auto const file = path("a.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        QVERIFY(*readProjectFile(file) == document());
        QVERIFY(writeProjectFile(file, document(64)).ok());
        QVERIFY(*readProject(file) == document(64));
        QCOMPARE(readFile(file)->substr(68, 4), std::string("TWPJ"));
        QCOMPARE(filesNamed("*a.tilewright*"), 1);
    }
    void theTwinHoldsTheSame()
    {
        auto const file = path("twin.json");
        QVERIFY(writeProject(file, document()).ok());
        auto const text = *readFile(file);
        QVERIFY(text.find("\"format\": \"tilewright-project\"") < text.find("\"model\""));
        QVERIFY(text.find("\"model\"") < text.find("\"ipu_config\""));
        auto const read = readProject(file);
        QVERIFY(read.ok());
        QVERIFY(*read == document());
        // A project read from the twin gives the same twin again.
        auto const project = path("from-twin.tilewright");
        QVERIFY(writeProject(project, *read).ok());
        QCOMPARE(*projectToJson(*readProject(project)), text);
        // Parts of later versions are kept.
        auto more = document();
        more.parts["notes"] = "[1,2]";
        QVERIFY(*projectFromJson(*projectToJson(more), "x") == more);
    }
    void brokenTwinsNameThePosition_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("cut") << "{\"format\": \"tilewright-project\",\n \"version\": 1,"
                             << "project.json"
                             << "line 2";
        QTest::newRow("comma") << "{\"format\": \"tilewright-project\" \"version\": 1}"
                               << "project.json"
                               << "line 1 column 4";
        QTest::newRow("other") << "{\"a\": 1}"
                               << "store.wrong-kind"
                               << "not a Tilewright project";
        QTest::newRow("list") << "[1]"
                              << "store.wrong-kind"
                              << "";
        QTest::newRow("no version") << "{\"format\": \"tilewright-project\"}"
                                    << "project.json"
                                    << "version";
        QTest::newRow("newer") << "{\"format\": \"tilewright-project\", \"version\": 2}"
                               << "store.newer-version"
                               << "version 2";
        QTest::newRow("deep") << QString(100000, '[') << "json.limit"
                              << "500 levels";
        QTest::newRow("empty") << ""
                               << "project.json"
                               << "line 1";
    }
    void brokenTwinsNameThePosition()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(QString, says);
        auto const read = projectFromJson(text.toStdString(), "p.json");
        QVERIFY(!read.ok());
        QCOMPARE(QString::fromStdString(read.error().code), code);
        QVERIFY2(toText(read.error()).find(says.toStdString()) != std::string::npos, toText(read.error()).c_str());
        QVERIFY(read.error().kind == ErrorKind::Invalid);
    }
    void onlyJsonIsSaved()
    {
        auto broken = document();
        broken.parts["model"] = "{";
        auto const file = path("broken.tilewright");
        auto const status = writeProjectFile(file, broken);
        QVERIFY(!status.ok());
        QVERIFY2(status.error().subject.starts_with("model"), status.error().subject.c_str());
        QVERIFY(!std::filesystem::exists(file));
    }
    void otherFilesAreRefused()
    {
        auto const report = path("r.twreport");
        QVERIFY(writeReport(report, {}).ok());
        QCOMPARE(readProject(report).error().code, std::string("store.wrong-kind"));
        QCOMPARE(readProject(path("none.tilewright")).error().code, std::string("store.missing"));
        QVERIFY(writeFileAtomically(path("text.tilewright"), std::string_view("hello, this is text")).ok());
        QCOMPARE(readProject(path("text.tilewright")).error().code, std::string("store.not-a-database"));
        QVERIFY(writeFileAtomically(path("zero.tilewright"), std::string_view()).ok());
        QCOMPARE(readProject(path("zero.tilewright")).error().code, std::string("store.wrong-kind"));
        auto const file = path("newer.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        {
            auto db = Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(db->execute("PRAGMA user_version = 300").ok());
        }
        QCOMPARE(readProject(file).error().code, std::string("store.newer-version"));
        auto const before = *readFile(file);
        QCOMPARE(writeProjectFile(file, document(1)).error().code, std::string("store.newer-version"));
        QVERIFY(*readFile(file) == before);
        auto const nowhere = writeProjectFile(path("no/such/place.tilewright"), document());
        QCOMPARE(nowhere.error().code, std::string("store.cannot-open"));
    }
    void damagedProjectsAreErrorsNotCrashes()
    {
        auto const file = path("whole.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        QVERIFY(saveCheckpoint(file, {"last", 1, 2, "", "{}", 0}, tensors(1, 4, 500)).ok());
        auto const bytes = *readFile(file);
        RandomStream random(3);
        for (int round = 0; round < 200; ++round) {
            auto broken = bytes;
            if (round % 4 == 0) broken.resize(random.below(broken.size()));
            else
                for (int k = 0; k < 20; ++k) broken[18 + random.below(broken.size() - 18)] = static_cast<char>(random.next());
            auto const bad = path("bad.tilewright");
            QVERIFY(writeFileAtomically(bad, std::string_view(broken)).ok());
            auto const read = readProject(bad);
            if (!read.ok()) QVERIFY(!read.error().message.empty());
            auto const loaded = loadCheckpoint(bad, "last");
            if (loaded.ok() && loaded->tensors.size() == 4)
                for (auto const &t : loaded->tensors) QVERIFY(t.bytes.size() <= 2000);
            // Saving into a damaged file either fails or leaves a readable project.
            if (writeProjectFile(bad, document(8)).ok()) {
                auto const again = readProject(bad);
                if (again.ok()) QVERIFY(*again == document(8));
            }
            for (char const *suffix : {"-journal", "-wal", "-shm"}) std::filesystem::remove(bad.string() + suffix);
        }
    }
    void checkpointsKeepEveryBit()
    {
        auto const file = path("c.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        auto const first = tensors(1, 5, 3000);
        CheckpointInfo const info{"last", 2, 150, "2026-01-01T00:00:00Z", R"({"loss":0.5})", 0};
        QVERIFY(saveCheckpoint(file, info, first).ok());
        QVERIFY(saveCheckpoint(file, {"best", 1, 75, "", "{}", 0}, {{"scalar", "f16", {}, "ab"}, {"empty", "u8", {0}, ""}}).ok());
        auto const loaded = loadCheckpoint(file, "last");
        QVERIFY(loaded.ok());
        QVERIFY(loaded->tensors == first);
        QCOMPARE(loaded->info.epoch, 2);
        QCOMPARE(loaded->info.json, info.json);
        QCOMPARE(loaded->info.bytes, 5 * 12000);
        QCOMPARE(loadCheckpoint(file, "best")->tensors[0].bytes, std::string("ab"));
        QCOMPARE(loadCheckpoint(file, "best")->tensors[1].shape, (std::vector<std::int64_t>{0}));
        auto const second = tensors(2, 3, 100);
        QVERIFY(saveCheckpoint(file, info, second).ok());
        QVERIFY(loadCheckpoint(file, "last")->tensors == second);
        QCOMPARE(listCheckpoints(file)->size(), std::size_t(2));
        // Saving the documents keeps them.
        QVERIFY(writeProjectFile(file, document(5)).ok());
        QVERIFY(loadCheckpoint(file, "last")->tensors == second);
        QVERIFY(removeCheckpoint(file, "best").ok());
        auto const gone = loadCheckpoint(file, "best");
        QCOMPARE(gone.error().code, std::string("project.no-checkpoint"));
        QVERIFY(gone.error().remedy.find("last") != std::string::npos);
    }
    void damagedTensorsAreNoticed()
    {
        auto const file = path("d.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        for (char const *damage :
             {"UPDATE checkpoint_tensor SET data = zeroblob(length(data))", "UPDATE checkpoint_tensor SET bytes = 99999999999",
              "UPDATE checkpoint_tensor SET bytes = bytes + 1", "UPDATE checkpoint_tensor SET crc = crc + 1",
              "UPDATE checkpoint_tensor SET encoding = 7", "UPDATE checkpoint_tensor SET shape = 'x'"}) {
            QVERIFY(saveCheckpoint(file, {"last", 0, 0, "", "{}", 0}, tensors(1, 2, 100)).ok());
            auto db = Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(db->execute(damage).ok());
            auto const loaded = loadCheckpoint(file, "last");
            QVERIFY2(!loaded.ok(), damage);
            QCOMPARE(loaded.error().code, std::string("store.corrupt"));
        }
    }
    void historyIsKept()
    {
        auto const file = path("h.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        RunRecord record{0, "2026-01-01T00:00:00Z", "first", "train", "running", "first.twreport", R"({"loss":1})"};
        auto const id = addRunRecord(file, record);
        QVERIFY(id.ok());
        record.id = *id;
        record.state = "done";
        QVERIFY(updateRunRecord(file, record).ok());
        QVERIFY(*addRunRecord(file, record) != *id);
        auto const all = listRunRecords(file);
        QCOMPARE(all->size(), std::size_t(2));
        QVERIFY((*all)[0] == record);
        QVERIFY(removeRunRecord(file, *id).ok());
        QCOMPARE(listRunRecords(file)->size(), std::size_t(1));
        QVERIFY(*addRunRecord(file, record) > 2); // ids are never used again
    }
    void aRunWhoseProcessIsGoneIsInterrupted()
    {
        auto const file = path("gone.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        pid_t const child = fork();
        if (child == 0)
            _exit(addRunRecord(file,
                               {.startedUtc = "2026-01-01T00:00:00Z",
                                .title = "killed",
                                .kind = "train",
                                .state = "running",
                                .report = "",
                                .json = runningFacts()})
                          .ok()
                      ? 0
                      : 1);
        QCOMPARE(childStatus(child), 0);
        QVERIFY(addRunRecord(file,
                             {.startedUtc = "2026-01-01T00:00:00Z",
                              .title = "ours",
                              .kind = "train",
                              .state = "running",
                              .report = "",
                              .json = runningFacts()})
                    .ok());
        auto const all = listRunRecords(file);
        QVERIFY(all.ok() && all->size() == 2);
        QCOMPARE((*all)[0].state, std::string("interrupted"));
        QCOMPARE((*all)[1].state, std::string("running"));
    }
    void autosavesAreBesideTheProject()
    {
        auto const file = path("s.tilewright");
        QVERIFY(!readAutosave(file));
        QVERIFY(writeAutosave(file, document(7)).ok());
        QCOMPARE(autosavePath(file).filename().string(), std::string(".s.tilewright.autosave"));
        QVERIFY(readAutosave(file) == document(7));
        QVERIFY(writeProjectFile(file, document(8)).ok());
        QVERIFY(readAutosave(file) == document(7)); // a command that writes the project leaves the window's autosave unchanged
        // Set aside it is safe from the next one.
        QVERIFY(setAutosaveAside(file));
        QVERIFY(!readAutosave(file) && !setAutosaveAside(file));
        QVERIFY(writeAutosave(file, document(9)).ok());
        QVERIFY(setAutosaveAside(file));
        QVERIFY(writeAutosave(file, document(10)).ok());
        auto const all = recoveries(file);
        QCOMPARE(all.size(), std::size_t(3));
        QVERIFY(all[0] == autosavePath(file) && readProjectFile(all[0]).value() == document(10));
        QVERIFY(readProjectFile(all[1]).value() == document(9) && readProjectFile(all[2]).value() == document(7));
        removeAutosave(file);
        QCOMPARE(recoveries(file).size(), std::size_t(2));
    }
    void aFullDiskLeavesTheOldProject()
    {
        auto const file = path("full.tilewright"), fresh = path("fresh.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        QVERIFY(saveCheckpoint(file, {"last", 1, 1, "", "{}", 0}, tensors(1, 2, 1000)).ok());
        auto big = document();
        big.parts["model"] = "[\"" + std::string(3'000'000, 'x') + "\"]";
        pid_t const child = fork();
        if (child == 0) {
            std::signal(SIGXFSZ, SIG_IGN);
            rlimit const limit{200'000, 200'000};
            setrlimit(RLIMIT_FSIZE, &limit);
            auto const isFull = [](Status const &status) { return !status.ok() && status.error().code == "store.disk-full"; };
            if (!isFull(writeProjectFile(file, big))) _exit(1);
            if (!isFull(saveCheckpoint(file, {"last", 9, 9, "", "{}", 0}, tensors(9, 4, 200000)))) _exit(2);
            if (!isFull(writeProjectFile(fresh, big))) _exit(3);
            if (!isFull(writeAutosave(file, big))) _exit(4);
            _exit(0);
        }
        QCOMPARE(childStatus(child), 0);
        QVERIFY(*readProjectFile(file) == document());
        QCOMPARE(loadCheckpoint(file, "last")->info.epoch, 1);
        QVERIFY(!std::filesystem::exists(fresh));
        QCOMPARE(filesNamed("*fresh*"), 0);
        QCOMPARE(filesNamed(".*.tilewright-*"), 0);
    }
    void killsAtAnyMomentLeaveAnOpenableProject()
    {
        int oldOnes = 0, newOnes = 0;
        // Further rounds on a machine so slow that no second checkpoint was saved before a kill.
        for (int round = 0; round < 15 || (newOnes == 0 && round < 60); ++round) {
            auto const file = path("kill" + std::to_string(round) + ".tilewright");
            QVERIFY(writeProjectFile(file, document(0)).ok());
            QVERIFY(saveCheckpoint(file, {"last", 0, 0, "", "{}", 0}, tensors(100, 3, 40000)).ok());
            pid_t const child = fork();
            if (child == 0) {
                for (int i = 1;; ++i) {
                    (void)saveCheckpoint(file, {"last", i, i, "", "{}", 0}, tensors(static_cast<std::uint64_t>(100 + i), 3, 40000)).ok();
                    (void)writeProjectFile(file, document(i)).ok();
                    (void)writeAutosave(file, document(i)).ok();
                }
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5 + 9 * round));
            kill(child, SIGKILL);
            (void)childStatus(child);
            auto const read = readProject(file);
            QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
            auto const loaded = loadCheckpoint(file, "last");
            QVERIFY2(loaded.ok(), loaded.ok() ? "" : toText(loaded.error()).c_str());
            QVERIFY(loaded->tensors == tensors(static_cast<std::uint64_t>(100 + loaded->info.epoch), 3, 40000));
            ++(loaded->info.epoch == 0 ? oldOnes : newOnes);
            auto const saved = readAutosave(file);
            QVERIFY(!saved || saved->parts.size() == 6);
        }
        std::printf("kills: %d with the first checkpoint, %d with a later one\n", oldOnes, newOnes);
        QVERIFY(newOnes > 0);
    }
    void readersAndWritersTakeTurns()
    {
        auto const file = path("both.tilewright");
        QVERIFY(writeProjectFile(file, document(0)).ok());
        std::jthread writer([&](std::stop_token stop) {
            for (int i = 1; !stop.stop_requested(); ++i) {
                (void)saveCheckpoint(file, {"last", i, i, "", "{}", 0}, tensors(1, 2, 20000)).ok();
                std::this_thread::sleep_for(std::chrono::milliseconds(1)); // SQLite's locks are not fair
            }
        });
        for (int i = 0; i < 8; ++i) {
            auto const status = writeProjectFile(file, document(i));
            QVERIFY2(status.ok(), status.ok() ? "" : toText(status.error()).c_str());
            QVERIFY(*readProject(file) == document(i));
        }
    }

    void theEstimatedCheckpointSizeIsRight()
    {
        auto const file = path("room.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        constexpr int kTensors = 6, kElements = 40'000;
        constexpr std::int64_t kBytes = std::int64_t{4} * kTensors * kElements, kPages = (kTensors + 2) * 2 * 4096;
        for (int round = 0; round < 3; ++round) {
            auto const room = roomForCheckpoint(file, "last", kBytes, kTensors);
            QVERIFY(room.ok());
            auto const before = static_cast<std::int64_t>(std::filesystem::file_size(file));
            QCOMPARE(room->file, before);
            QVERIFY(room->journal >= kBytes && room->journal <= kBytes + kBytes / 500 + kPages);
            if (round > 0) QVERIFY(room->grows <= kPages); // in the place of the last one
            QVERIFY(saveCheckpoint(file, {.name = "last", .step = round}, tensors(1, kTensors, kElements), Packing::Fast).ok());
            auto const after = static_cast<std::int64_t>(std::filesystem::file_size(file));
            QVERIFY2(after <= room->file + room->grows, qPrintable(QString("%1 of %2").arg(after).arg(room->file + room->grows)));
            QVERIFY(after + kPages >= room->file + room->grows);
        }
        QVERIFY(tryProject(file, kBytes, kTensors).ok());
    }

    void checkpointsAreRecognisedByTheirBytes()
    {
        auto const file = path("known.tilewright");
        QVERIFY(writeProjectFile(file, document()).ok());
        auto const saved = tensors(3, 4, 100);
        auto const views = [](std::vector<NamedTensor> const &all) {
            std::vector<TensorView> list;
            for (auto const &tensor : all) list.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.bytes});
            return list;
        };
        CheckpointInfo const info{.name = "last", .epoch = 1, .step = 8};
        QVERIFY(!holdsCheckpoint(file, info, views(saved)).value());
        QVERIFY(saveCheckpoint(file, info, saved).ok());
        QVERIFY(holdsCheckpoint(file, info, views(saved)).value());
        QVERIFY(!holdsCheckpoint(file, {.name = "last", .epoch = 1, .step = 9}, views(saved)).value());
        QVERIFY(!holdsCheckpoint(file, info, views(tensors(4, 4, 100))).value());
        QVERIFY(!holdsCheckpoint(file, info, views(tensors(3, 3, 100))).value());
        QVERIFY(!holdsCheckpoint(file, info, views(tensors(3, 5, 100))).value());
    }
};

TW_REGISTER_TEST(TstProjectFile);
#include "tst_project_file.moc"
