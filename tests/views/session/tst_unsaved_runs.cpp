#include "engine/store/project_file.h"
#include "engine/store/report_writer.h"
#include "tests/support/test_registry.h"
#include "views/document/unsaved_runs.h"

#include "engine/project/project.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <stop_token>

using namespace tilewright;
using namespace tilewright::views;

/// A project saved under another name has the past of the first.
class TstUnsavedRuns : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::string at(char const *name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }
    store::ProjectDocument document() const { return {project::projectParts(project::fromTemplate("mnist-mlp").value())}; }
    /// A project with two runs, one of them with a report, and a checkpoint.
    void makeFirst(char const *name) const
    {
        QVERIFY(store::createProjectFile(at(name), document()).ok());
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("a-reports")));
        QVERIFY(store::writeReport(at("a-reports/run.twreport"), {}).ok());
        store::RunRecord run;
        run.title = "first";
        run.kind = "train";
        run.state = "done";
        run.report = "a-reports/run.twreport";
        QVERIFY(store::addRunRecord(at(name), run).ok());
        run.title = "goes on";
        run.state = "running";
        run.report = "a-reports/other.twreport";
        QVERIFY(store::addRunRecord(at(name), run).ok());
        run.title = "third";
        run.state = "stopped";
        run.report.clear();
        QVERIFY(store::addRunRecord(at(name), run).ok());
        QVERIFY(store::saveCheckpoint(at(name), {"best", 2, 40, "2026-01-01T00:00:00Z", "{}", 0},
                                      {{"dense/kernel", "f32", {2}, std::string(8, 'w')}})
                    .ok());
    }
private slots:
    void entriesReportsAndCheckpointsGoAlong()
    {
        makeFirst("a.tilewright");
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("elsewhere")));
        QVERIFY(store::createProjectFile(at("elsewhere/b.tilewright"), document()).ok());
        auto const kept =
            carryRuns(m_folder.filePath(QStringLiteral("a.tilewright")), m_folder.filePath(QStringLiteral("elsewhere/b.tilewright")),
                      m_folder.filePath(QStringLiteral("elsewhere/b-reports")));
        QVERIFY(kept.problems.empty());
        auto const records = store::listRunRecords(at("elsewhere/b.tilewright"));
        QVERIFY(records.ok());
        QCOMPARE(records->size(), std::size_t(2)); // a run that goes on writes into the first file
        QCOMPARE((*records)[0].title, std::string("first"));
        QCOMPARE((*records)[0].report, std::string("b-reports/run.twreport"));
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("elsewhere/b-reports/run.twreport"))));
        QCOMPARE((*records)[1].title, std::string("third"));
        QVERIFY(store::listCheckpoints(at("elsewhere/b.tilewright"))->empty()); // they come by a job
        QVERIFY(copyCheckpoints(m_folder.filePath(QStringLiteral("a.tilewright")),
                                m_folder.filePath(QStringLiteral("elsewhere/b.tilewright")), {})
                    .empty());
        auto const checkpoint = store::loadCheckpoint(at("elsewhere/b.tilewright"), "best");
        QVERIFY(checkpoint.ok());
        QCOMPARE(checkpoint->tensors.front().bytes, std::string(8, 'w'));
        // Numbers differ where one stayed behind; notes follow.
        project::Notes notes;
        notes.setRun(1, {"good", "the first"});
        notes.setRun(3, {"", "the third"});
        auto const now = renumbered(notes, kept.ids);
        QCOMPARE(now.runs.at((*records)[1].id).notes, std::string("the third"));
        // The first project has all of its own.
        QCOMPARE(store::listRunRecords(at("a.tilewright"))->size(), std::size_t(3));
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("a-reports/run.twreport"))));
    }
    void filesThatAreNoReportsOfTheProjectAreNotCopied()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("hostile")));
        QVERIFY(store::createProjectFile(at("hostile/h.tilewright"), document()).ok());
        QVERIFY(store::createProjectFile(at("mine.tilewright"), document()).ok());
        QVERIFY(store::writeReport(at("mine.twreport"), {}).ok());
        for (auto const &name : {std::string("../mine.tilewright"), std::string("../mine.twreport"), at("mine.twreport")}) {
            store::RunRecord run;
            run.title = "names a file elsewhere";
            run.state = "done";
            run.report = name;
            QVERIFY(store::addRunRecord(at("hostile/h.tilewright"), run).ok());
        }
        QVERIFY(store::createProjectFile(at("copy.tilewright"), document()).ok());
        auto const kept =
            carryRuns(m_folder.filePath(QStringLiteral("hostile/h.tilewright")), m_folder.filePath(QStringLiteral("copy.tilewright")),
                      m_folder.filePath(QStringLiteral("copy-reports")));
        QVERIFY(kept.problems.empty() && kept.reports.empty());
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("copy-reports"))));
        auto const records = store::listRunRecords(at("copy.tilewright"));
        QVERIFY(records.ok());
        for (auto const &record : *records) QVERIFY2(record.report.empty(), record.report.c_str());
    }
    void thePastOfAFileThatIsReplacedGoes()
    {
        makeFirst("c.tilewright");
        QVERIFY(store::createProjectFile(at("d.tilewright"), document()).ok());
        store::RunRecord old;
        old.title = "of another project";
        old.state = "done";
        QVERIFY(store::addRunRecord(at("d.tilewright"), old).ok());
        QVERIFY(store::saveCheckpoint(at("d.tilewright"), {"last", 1, 1, "2026-01-01T00:00:00Z", "{}", 0},
                                      {{"x", "f32", {1}, std::string(4, 'x')}})
                    .ok());
        QVERIFY(carryRuns(m_folder.filePath(QStringLiteral("c.tilewright")), m_folder.filePath(QStringLiteral("d.tilewright")),
                          m_folder.filePath(QStringLiteral("d-reports")))
                    .problems.empty());
        QVERIFY(copyCheckpoints(m_folder.filePath(QStringLiteral("c.tilewright")), m_folder.filePath(QStringLiteral("d.tilewright")), {})
                    .empty());
        auto const records = store::listRunRecords(at("d.tilewright"));
        QVERIFY(records.ok());
        for (auto const &record : *records) QVERIFY(record.title != "of another project");
        auto const checkpoints = store::listCheckpoints(at("d.tilewright"));
        QVERIFY(checkpoints.ok());
        QCOMPARE(checkpoints->size(), std::size_t(1));
        QCOMPARE(checkpoints->front().name, std::string("best"));
    }
    /// Copying tells how far it is, ends when it is cancelled, says what is not there, and takes nothing away; what a run has
    /// written since is not replaced.
    void copyingCheckpointsCanBeCancelled()
    {
        makeFirst("e.tilewright");
        QVERIFY(store::saveCheckpoint(at("e.tilewright"), {"last", 3, 60, "2026-01-01T00:00:00Z", "{}", 0},
                                      {{"dense/kernel", "f32", {2}, std::string(8, 'l')}})
                    .ok());
        QVERIFY(store::createProjectFile(at("f.tilewright"), document()).ok());
        QString const from = m_folder.filePath(QStringLiteral("e.tilewright")), to = m_folder.filePath(QStringLiteral("f.tilewright"));
        std::stop_source stop;
        JobContext job;
        job.stop = stop.get_token();
        int told = 0;
        job.progress = [&](std::string_view, double share) {
            if (++told == 2) stop.request_stop();
            QVERIFY(share >= 0 && share < 1);
        };
        auto const problems = copyCheckpoints(from, to, job);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].code, std::string("project.checkpoints-not-copied"));
        QVERIFY(problems[0].remedy.find("e.tilewright") != std::string::npos);
        QCOMPARE(store::listCheckpoints(at("f.tilewright"))->size(), std::size_t(1));
        QCOMPARE(store::listCheckpoints(at("e.tilewright"))->size(), std::size_t(2));
        QVERIFY(store::saveCheckpoint(at("f.tilewright"), {"last", 9, 90, "2026-01-01T00:00:00Z", "{}", 0},
                                      {{"dense/kernel", "f32", {2}, std::string(8, 'n')}})
                    .ok());
        QVERIFY(copyCheckpoints(from, to, {}).empty());
        QCOMPARE(store::loadCheckpoint(at("f.tilewright"), "last")->info.epoch, std::int64_t(9));
        QCOMPARE(store::loadCheckpoint(at("f.tilewright"), "best")->tensors.front().bytes, std::string(8, 'w'));
    }
};

TW_REGISTER_TEST(TstUnsavedRuns);
#include "tst_unsaved_runs.moc"
