#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"

#include "engine/core/random.h"
#include "engine/model/layer_spec.h"
#include "engine/store/project_file.h"

#include <QDateTime>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <csignal>
#include <optional>
#include <sys/resource.h>
#include <utility>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// No file of this process may grow beyond `bytes` while it lives: writing fails as on a full disk.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes)
    {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit const limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FullDisk(FullDisk const &) = delete;
    FullDisk &operator=(FullDisk const &) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int) = nullptr;
};

} // namespace

class TstDocument : public QObject {
    Q_OBJECT
private slots:
    void anUndoneStateHasItsRevisionAgain()
    {
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const first = document.revision();
        QVERIFY(document.setField(QStringLiteral("training.batch_size"), QStringLiteral("16")).ok());
        auto const second = document.revision();
        QVERIFY(second != first);
        document.undoStack().undo();
        QCOMPARE(document.revision(), first);
        document.undoStack().redo();
        QCOMPARE(document.revision(), second);
        document.undoStack().undo();
        QVERIFY(document.setField(QStringLiteral("training.batch_size"), QStringLiteral("64")).ok());
        QVERIFY(document.revision() != first && document.revision() != second); // another state, never that of the undone one
    }

    void editsAreUndoneToTheSameBytes()
    {
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const before = project::projectParts(document.project());
        // 10,000 random edits of every kind of field; those that are refused must change nothing.
        std::uint64_t state = 20261121;
        auto const random = [&](std::uint64_t below) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            return (state >> 33) % below;
        };
        int done = 0, refused = 0;
        for (int i = 0; i < 10000; ++i) {
            auto const &layers = document.project().model.layers;
            QString const layer = layers.empty() ? QString() : QString::fromStdString(layers[random(layers.size())].name);
            Status status;
            switch (random(8)) {
            case 0: status = document.setField(QStringLiteral("model.layers.%1.units").arg(layer), QString::number(random(2000))); break;
            case 1: status = document.setField(QStringLiteral("training.batch_size"), QString::number(random(100))); break;
            case 2:
                status = document.setField(QStringLiteral("training.optimizer.learning_rate"),
                                           QString::number(static_cast<double>(random(1000)) / 1e4));
                break;
            case 3: status = document.setField(QStringLiteral("ipu_config.io_tiles.num_io_tiles"), QString::number(random(300))); break;
            case 4:
                status =
                    document.setField(QStringLiteral("system.target"), random(2) ? QStringLiteral("pod4") : QStringLiteral("nonsense"));
                break;
            case 5:
                status = document.edit(QStringLiteral("add"), [&](project::Project &p) -> Status {
                    p.model.layers.push_back(model::makeLayer("Dense", model::uniqueLayerName(p.model, "Dense")));
                    return {};
                });
                break;
            case 6:
                status = document.edit(QStringLiteral("remove"),
                                       [&](project::Project &p) { return model::removeLayer(p.model, layer.toStdString()); });
                break;
            default: status = document.setField(QStringLiteral("data.limit"), QString::number(random(50) * 320)); break;
            }
            (status.ok() ? done : refused)++;
            if (random(20) == 0) document.undoStack().undo();
            if (random(40) == 0) document.undoStack().redo();
        }
        QVERIFY(done > 5000);
        QVERIFY(refused > 100);
        QVERIFY(project::projectParts(document.project()) != before);
        while (document.undoStack().canUndo()) document.undoStack().undo();
        QCOMPARE(project::projectParts(document.project()), before);
        while (document.undoStack().canRedo()) document.undoStack().redo();
        while (document.undoStack().canUndo()) document.undoStack().undo();
        QCOMPARE(project::projectParts(document.project()), before);
    }
    void typingInOneFieldIsOneStep()
    {
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        for (int units : {3, 30, 300}) QVERIFY(document.setField(QStringLiteral("model.layers.dense.units"), QString::number(units)).ok());
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QCOMPARE(document.field(QStringLiteral("model.layers.dense.units")), QStringLiteral("256"));
    }
    void aRefusedEditLeavesEverything()
    {
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const revision = document.revision();
        auto const status = document.setFields(
            QStringLiteral("two"),
            {{QStringLiteral("training.epochs"), QStringLiteral("7")}, {QStringLiteral("training.no_such"), QStringLiteral("1")}});
        QVERIFY(!status.ok());
        QCOMPARE(document.revision(), revision);
        QVERIFY(!document.undoStack().canUndo());
    }
    void problemsNameTheLayer()
    {
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(document
                    .edit(QStringLiteral("break"),
                          [](project::Project &p) -> Status {
                              p.model.layers[1].config["units"] = -5;
                              return {};
                          })
                    .ok());
        bool found = false;
        for (auto const &problem : document.problems())
            found = found || (problem.severity == Severity::Error && problem.subject == document.project().model.layers[1].name);
        QVERIFY(found);
    }
    void whatWasNotSavedComesBack()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("a.tilewright"));
        {
            JobRunner jobs;
            Document document(jobs);
            QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
            QVERIFY(document.save(path).ok());
            QVERIFY(!document.isModified());
            QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("9")).ok());
            QVERIFY(document.isModified());
            QTRY_VERIFY_WITH_TIMEOUT(Document::hasRecovery(path), 5000);
        } // ends without saving, as a kill would
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openFile(path).ok());
        QVERIFY(document.field(QStringLiteral("training.epochs")) != QLatin1String("9"));
        QVERIFY(document.recover(path).ok());
        QCOMPARE(document.field(QStringLiteral("training.epochs")), QStringLiteral("9"));
        QVERIFY(document.isModified());
        QVERIFY(document.save(path).ok());
        QVERIFY(!Document::hasRecovery(path));
    }
    /// Whatever is edited and saved before somebody looks at it.
    void whatACrashLeftStaysUntilItIsTaken()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("a.tilewright"));
        auto const crash = [&](char const *epochs) {
            JobRunner jobs;
            Document document(jobs);
            QVERIFY((QFileInfo::exists(path) ? document.openFile(path) : document.openTemplate(QStringLiteral("mnist-mlp"))).ok());
            if (document.path().isEmpty()) QVERIFY(document.save(path).ok());
            QVERIFY(document.setField(QStringLiteral("training.epochs"), QLatin1String(epochs)).ok());
            document.writeAutosaveNow();
        };
        crash("9");
        JobRunner jobs;
        Document document(jobs);
        auto const epochs = [&] { return document.field(QStringLiteral("training.epochs")); };
        QVERIFY(document.openFile(path).ok());
        QVERIFY(document.isRecoverable());
        QVERIFY(document.save(path).ok()); // without an edit
        QVERIFY(Document::hasRecovery(path));
        QVERIFY(document.setField(QStringLiteral("training.batch_size"), QStringLiteral("8")).ok());
        document.writeAutosaveNow();
        bool ended = false;
        document.recover(path, [&](Status const &status) { ended = status.ok(); });
        QTRY_VERIFY(ended);
        QCOMPARE(epochs(), QStringLiteral("9")); // not what this window was doing
        QVERIFY(document.save(path).ok());
        QVERIFY(!Document::hasRecovery(path));
        // Two crashes, none of which was looked at: both are there, the later one first.
        crash("11");
        crash("12");
        QVERIFY(document.openFile(path).ok() && document.isRecoverable());
        QVERIFY(document.recover(path).ok());
        QCOMPARE(epochs(), QStringLiteral("12"));
        document.discardRecovery(path);
        QVERIFY(document.openFile(path).ok() && document.isRecoverable());
        QVERIFY(document.recover(path).ok());
        QCOMPARE(epochs(), QStringLiteral("11"));
        document.writeAutosaveNow(); // a crash again: it is in the autosave now
        QVERIFY(document.save(path).ok());
        QVERIFY(!Document::hasRecovery(path));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("a.tilewright")});
    }
    void whatAnotherProgramSavedIsNotOverwrittenInSilence()
    {
        QTemporaryDir folder;
        for (auto const *name : {"a.tilewright", "a.json"}) {
            QString const path = folder.filePath(QLatin1String(name));
            JobRunner jobs;
            Document here(jobs), there(jobs);
            QVERIFY(here.openTemplate(QStringLiteral("mnist-mlp")).ok());
            QVERIFY(here.save(path).ok());
            QVERIFY(there.openFile(path).ok());
            auto const save = [&](Document::Overwrite overwrite) {
                std::optional<Status> end;
                here.save(
                    path, [&](Status const &status) { end = status; }, overwrite);
                if (!QTest::qWaitFor([&] { return end.has_value(); })) return std::string("nothing");
                return end->ok() ? std::string() : end->error().code;
            };
            QVERIFY(here.setField(QStringLiteral("training.epochs"), QStringLiteral("3")).ok());
            QCOMPARE(save(Document::Overwrite::Known), std::string()); // its own savings it knows
            QVERIFY(there.openFile(path).ok());
            QVERIFY(there.setField(QStringLiteral("training.epochs"), QStringLiteral("4")).ok());
            QVERIFY(there.save(path).ok());
            QVERIFY(here.setField(QStringLiteral("training.batch_size"), QStringLiteral("8")).ok());
            QCOMPARE(save(Document::Overwrite::Known), std::string(Document::kChangedElsewhere));
            QVERIFY(here.isModified());
            QVERIFY(there.openFile(path).ok());
            QCOMPARE(there.field(QStringLiteral("training.epochs")), QStringLiteral("4"));
            QCOMPARE(save(Document::Overwrite::Anything), std::string());
            QVERIFY(!here.isModified() && there.openFile(path).ok());
            QCOMPARE(there.field(QStringLiteral("training.epochs")), QStringLiteral("3"));
            QCOMPARE(save(Document::Overwrite::Known), std::string());
        }
    }
    void aProjectThatWasNeverSavedComesBackToo()
    {
        QString orphan;
        {
            JobRunner jobs;
            Document document(jobs);
            QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
            QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("11")).ok());
            document.addUnsavedRun({.title = "digits", .state = "done", .report = "/nowhere/run.twreport", .json = R"({"loss":0.5})"});
            QTRY_VERIFY_WITH_TIMEOUT(!Document::orphanedAutosaves().isEmpty(), 5000);
            orphan = Document::orphanedAutosaves().first();
            QTRY_VERIFY(!jobs.busy());
        }
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.recoverOrphan(orphan).ok());
        QCOMPARE(document.unsavedRuns().size(), std::size_t(1)); // runs of a project without a file are recovered with it
        QCOMPARE(document.unsavedRuns()[0].json, std::string(R"({"loss":0.5})"));
        QCOMPARE(document.field(QStringLiteral("training.epochs")), QStringLiteral("11"));
        QTemporaryDir folder;
        QVERIFY(document.save(folder.filePath(QStringLiteral("b.tilewright"))).ok());
        QVERIFY(Document::orphanedAutosaves().isEmpty());
    }
    /// The autosave that is being written when somebody discards the changes does not come back.
    void aDiscardDuringAnAutosaveStays()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("big.tilewright"));
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(document.save(path).ok());
        std::string const big(16 << 20, 'x'); // long enough to be found while it is written
        for (int i = 0; i < 4; ++i) {
            document.setLayout("{\"note\":\"" + big + std::to_string(i) + "\"}");
            QTRY_VERIFY_WITH_TIMEOUT(jobs.busy(), 5000);
            QTest::qWait(20 * i);
            document.discardRecovery(path);
            QVERIFY(!Document::hasRecovery(path));
            QTRY_VERIFY_WITH_TIMEOUT(!jobs.busy(), 30000);
            QVERIFY(!Document::hasRecovery(path));
        }
    }
    /// Whatever takes its place: what was never saved and never given up can be recovered.
    void aNeverSavedProjectThatIsReplacedCanBeRecovered()
    {
        JobRunner jobs;
        QStringList const before = Document::orphanedAutosaves();
        auto const found = [&] {
            QStringList all = Document::orphanedAutosaves();
            for (auto const &one : before) all.removeAll(one);
            return all;
        };
        {
            Document document(jobs);
            QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
            QVERIFY(document.setField(QStringLiteral("title"), QStringLiteral("My digits")).ok());
            document.writeAutosaveNow();
            document.openProject(*project::fromTemplate("mnist-mlp"), {}, false);
            QCOMPARE(found().size(), 1);
            auto const orphan = Document::orphan(found().front());
            QCOMPARE(orphan.title, QStringLiteral("My digits"));
            QVERIFY(orphan.changed.secsTo(QDateTime::currentDateTime()) < 600);
            QVERIFY(document.recoverOrphan(found().front()).ok());
            QCOMPARE(document.field(QStringLiteral("title")), QStringLiteral("My digits"));
            document.discardRecovery({});
            document.openProject(*project::fromTemplate("mnist-mlp"), {}, false);
        }
        QCOMPARE(found(), QStringList());
    }
    /// What a crash leaves of a run of a project without a file.
    void aRunThatGoesOnIsInterruptedInItsAutosave()
    {
        JobRunner jobs;
        QStringList const before = Document::orphanedAutosaves();
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        store::RunRecord run;
        run.title = "digits";
        run.kind = "train";
        run.state = "running";
        run.report = "/nowhere/run.twreport";
        document.setRunningRun(run);
        QTRY_VERIFY(!jobs.busy());
        QStringList left = Document::orphanedAutosaves();
        for (auto const &one : before) left.removeAll(one);
        QCOMPARE(left.size(), 1); // at once, without an edit
        Document again(jobs);
        QVERIFY(again.recoverOrphan(left.front()).ok());
        QCOMPARE(again.unsavedRuns().size(), std::size_t{1});
        QCOMPARE(again.unsavedRuns()[0].state, std::string("interrupted"));
        QCOMPARE(again.unsavedRuns()[0].report, std::string("/nowhere/run.twreport"));
        again.discardRecovery({});
        document.discardRecovery({});
    }
    void runsWithoutResultsAreNothingToLose()
    {
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        store::RunRecord failed;
        failed.kind = "train";
        failed.state = "failed";
        failed.report = "/nowhere/failed.twreport";
        failed.json = R"({"error":"the model has no layers"})";
        document.addUnsavedRun(failed);
        document.addUnsavedRun(failed);
        QCOMPARE(document.unsavedRuns().size(), std::size_t{2});
        QCOMPARE(document.runsWithResults(), 0);
        failed.json = R"({"steps":12,"error":"the loss is not a number"})";
        document.addUnsavedRun(failed);
        QCOMPARE(document.runsWithResults(), 1);
        document.discardRecovery({});
    }
    void aFullDiskOnSaveLosesNothing_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("project") << QStringLiteral("full.tilewright");
        QTest::newRow("twin") << QStringLiteral("full.json");
    }
    void aFullDiskOnSaveLosesNothing()
    {
        QFETCH(QString, name);
        QTemporaryDir folder;
        QString const path = folder.filePath(name);
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(document.save(path).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray const saved = file.readAll();
        file.close();
        QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("13")).ok());
        auto const edited = project::projectParts(document.project());
        {
            FullDisk const full(512);
            auto const status = document.save(path);
            QVERIFY(!status.ok());
            auto const text = toText(status.error());
            QVERIFY2(text.find(name.toStdString()) != std::string::npos, text.c_str()); // names the place
            QVERIFY2(!status.error().remedy.empty(), text.c_str());
        }
        QVERIFY(document.isModified());
        QCOMPARE(project::projectParts(document.project()), edited);
        QVERIFY(document.undoStack().canUndo());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), saved);
        file.close();
        QVERIFY(document.save(path).ok()); // once there is room again
        QVERIFY(!document.isModified());
        Document other(jobs);
        QVERIFY(other.openFile(path).ok());
        QCOMPARE(other.field(QStringLiteral("training.epochs")), QStringLiteral("13"));
        // What was half written is gone too.
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{name});
    }
    void openingByAJobShowsTheLastWish()
    {
        QTemporaryDir folder;
        JobRunner jobs;
        Document document(jobs);
        QStringList paths;
        for (int epochs : {3, 4}) {
            QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
            QVERIFY(document.setField(QStringLiteral("training.epochs"), QString::number(epochs)).ok());
            paths << folder.filePath(QStringLiteral("%1.tilewright").arg(epochs));
            QVERIFY(document.save(paths.back()).ok());
        }
        document.close();
        int const before = Document::accessesAtOnce();
        std::vector<Status> ends;
        auto const note = [&](Status const &status) { ends.push_back(status); };
        QSignalSpy opened(&document, &Document::opened);
        document.openFile(paths[0], note);
        document.openFile(paths[1], note);
        QTRY_COMPARE(ends.size(), std::size_t(2));
        QCOMPARE(document.field(QStringLiteral("training.epochs")), QStringLiteral("4"));
        QCOMPARE(opened.count(), 1);
        QVERIFY(std::ranges::any_of(ends, [](auto const &end) { return !end.ok() && end.error().kind == ErrorKind::Cancelled; }));
        // A project made meanwhile is a later wish as well; one that cannot be read leaves what is there.
        ends.clear();
        document.openFile(paths[0], note);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        document.openFile(folder.filePath(QStringLiteral("none.tilewright")), note);
        QTRY_COMPARE(ends.size(), std::size_t(2));
        QVERIFY(document.path().isEmpty() && document.isOpen());
        QVERIFY(std::ranges::none_of(ends, [](auto const &end) { return end.ok(); }));
        QCOMPARE(Document::accessesAtOnce(), before);
    }
    void whatIsEditedWhileItIsSavedStaysUnsaved()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("a.tilewright"));
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("5")).ok());
        int ended = 0;
        auto const note = [&](Status const &status) { ended += status.ok(); };
        document.save(path, note);
        QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("6")).ok());
        QTRY_COMPARE(ended, 1);
        QVERIFY(document.isModified());
        auto const epochs = [&] {
            Document other(jobs);
            return other.openFile(path).ok() ? other.field(QStringLiteral("training.epochs")) : QString();
        };
        QCOMPARE(epochs(), QStringLiteral("5"));
        QTRY_VERIFY_WITH_TIMEOUT(Document::hasRecovery(path), 5000); // and a crash would lose nothing
        // Several in a row: the last one stands, whichever was quicker. One that another one's end asks for waits its turn.
        bool again = true;
        connect(&document, &Document::saved, this, [&] {
            if (std::exchange(again, false)) document.save(path, note);
        });
        for (int i = 7; i < 12; ++i) {
            QVERIFY(document.setField(QStringLiteral("training.epochs"), QString::number(i)).ok());
            document.save(path, note);
        }
        QTRY_COMPARE(ended, 7);
        QVERIFY(!document.isModified());
        QCOMPARE(epochs(), QStringLiteral("11"));
        disconnect(&document, &Document::saved, this, nullptr);
        // What was asked for of one project never gets another one.
        QString const other = folder.filePath(QStringLiteral("b.tilewright"));
        document.save(path, note);
        document.save(other, note);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-cnn")).ok());
        QTRY_COMPARE(ended, 9);
        QVERIFY(document.path().isEmpty());
        for (auto const &file : {path, other}) {
            Document written(jobs);
            QVERIFY(written.openFile(file).ok());
            QCOMPARE(written.field(QStringLiteral("training.epochs")), QStringLiteral("11"));
        }
        QVERIFY(document.save(folder.filePath(QStringLiteral("c.tilewright"))).ok()); // leaves no autosave behind
        QTRY_VERIFY(!jobs.busy());
        QVERIFY(!Document::hasRecovery(path));
    }
    void whoClosesWhileItIsSavedLosesNothing()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("a.tilewright"));
        JobRunner jobs;
        bool told = false;
        {
            Document document(jobs);
            QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
            QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("5")).ok());
            document.save(path, [&](Status const &) { told = true; });
        }
        jobs.finishAll();
        QVERIFY(!told); // who asked has gone
        Document other(jobs);
        QVERIFY(other.openFile(path).ok());
        QCOMPARE(other.field(QStringLiteral("training.epochs")), QStringLiteral("5"));
    }
    void aDamagedFileKeepsThePresentProject()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("bad.tilewright"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("SQLite format 3\0 and then nothing of the kind", 40);
        file.close();
        JobRunner jobs;
        Document document(jobs);
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const before = project::projectParts(document.project());
        QVERIFY(!document.openFile(path).ok());
        QCOMPARE(project::projectParts(document.project()), before);
    }
};

TW_REGISTER_TEST(TstDocument);
#include "tst_document.moc"
