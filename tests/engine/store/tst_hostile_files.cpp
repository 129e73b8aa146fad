#include "engine/core/files.h"
#include "engine/store/check_report.h"
#include "engine/store/project_database.h"
#include "engine/store/project_file.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "engine/store/run_reports.h"
#include "engine/store/sqlite.h"
#include "tests/engine/store/sample_report.h"
#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <sqlite3.h>

#include <filesystem>

using namespace tilewright;
using namespace tilewright::store;
using namespace tilewright::tests;
namespace fs = std::filesystem;

namespace {

constexpr char kEndless[] = "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c)";

ProjectDocument smallDocument() { return {{{"model", R"({"layers":[]})"}, {"training", "{}"}}}; }

std::vector<NamedTensor> tensors() { return {{"dense/kernel", "f32", {2}, std::string(8, 'w')}}; }

/// Changes a database as somebody who means harm: without our settings.
void change(fs::path const &file, std::string const &sql)
{
    sqlite3 *handle = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    char *problem = nullptr;
    int const code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &problem);
    std::string const said = problem ? problem : "";
    sqlite3_free(problem);
    sqlite3_close(handle);
    QVERIFY2(code == SQLITE_OK, said.c_str());
}

template <typename R> std::string codeOf(R const &result) { return result.ok() ? "ok" : result.error().code; }

} // namespace

/// Files whose schema is made to hang, to lie or to lose what is written.
class TstHostileFiles : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    fs::path path(char const *name) const { return m_dir.filePath(name).toStdString(); }

private slots:
    void projectsWithCodeOfTheirOwnAreRefused_data()
    {
        QTest::addColumn<QString>("sql");
        QString const endless = QString::fromLatin1(kEndless);
        QTest::newRow("endless view") << "ALTER TABLE document RENAME TO d2; CREATE VIEW document AS SELECT name, json FROM d2 UNION ALL "
                                         "SELECT 'z', "
                + endless;
        QTest::newRow("view under another spelling") << "ALTER TABLE document RENAME TO d2; CREATE VIEW DOCUMENT AS SELECT * FROM d2";
        QTest::newRow("endless trigger") << "CREATE TRIGGER t AFTER INSERT ON run_history BEGIN UPDATE document SET json = json WHERE "
                + endless + " > 0; END";
        QTest::newRow("trigger that drops weights")
            << "CREATE TRIGGER t BEFORE INSERT ON checkpoint_tensor BEGIN SELECT raise(IGNORE); END";
        QTest::newRow("another view") << "CREATE VIEW mine AS SELECT 1";
        QTest::newRow("index over a function") << "CREATE INDEX i ON document(hex(json))";
        QTest::newRow("computed column") << "ALTER TABLE document ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(json)) VIRTUAL";
        QTest::newRow("check of its own")
            << "DROP TABLE checkpoint_tensor; CREATE TABLE checkpoint_tensor(checkpoint TEXT NOT NULL, position INTEGER NOT NULL, "
               "name TEXT, dtype TEXT, shape TEXT, bytes INTEGER, crc INTEGER, encoding INTEGER, data BLOB CHECK(length(hex(data)) >= 0), "
               "PRIMARY KEY(checkpoint, position) ON CONFLICT IGNORE)";
    }
    void projectsWithCodeOfTheirOwnAreRefused()
    {
        QFETCH(QString, sql);
        auto const file = path("p.tilewright");
        QVERIFY(createProjectFile(file, smallDocument()).ok());
        QVERIFY(saveCheckpoint(file, {"last", 1, 2, "", "{}", 0}, tensors()).ok());
        change(file, sql.toStdString());
        auto const before = readFile(file).value();
        tests::SpentTime const spent;
        std::string const refused = "store.foreign-schema";
        QCOMPARE(codeOf(readProject(file)), refused);
        QCOMPARE(codeOf(writeProject(file, smallDocument())), refused);
        QCOMPARE(codeOf(loadCheckpoint(file, "last")), refused);
        QCOMPARE(codeOf(saveCheckpoint(file, {"last", 2, 3, "", "{}", 0}, tensors())), refused);
        QCOMPARE(codeOf(addRunRecord(file, {0, "", "t", "train", "running", "", "{}"})), refused);
        QCOMPARE(codeOf(listRunRecords(file)), refused);
        QCOMPARE(codeOf(tryProject(file, 100)), refused);
        QVERIFY(readProject(file).error().kind == ErrorKind::Invalid);
        QVERIFY2(spent.below(20'000), spent.text().c_str());
        QVERIFY(readFile(file).value() == before);
    }

    void tablesThatAreNotOursAreLeftAlone()
    {
        auto const file = path("more.tilewright");
        QVERIFY(createProjectFile(file, smallDocument()).ok());
        change(file, "CREATE TABLE later(a); INSERT INTO later VALUES(1); ANALYZE");
        QVERIFY(readProject(file).ok());
        QVERIFY(writeProject(file, smallDocument()).ok());
    }

    void reportsWithCodeOfTheirOwnAreRefused_data()
    {
        QTest::addColumn<QString>("sql");
        QString const endless = QString::fromLatin1(kEndless);
        QTest::newRow("endless view in place of a table") << "DROP TABLE insight; CREATE VIEW insight AS SELECT " + endless + " AS id";
        QTest::newRow("who writes it, endlessly")
            << "DROP TABLE meta; CREATE VIEW meta AS SELECT 'host_writer' AS key, " + endless + " AS value";
        QTest::newRow("view of ours, changed") << "DROP VIEW v_variable; CREATE VIEW v_variable AS SELECT " + endless + " AS variable";
        QTest::newRow("trigger") << "CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT " + endless + "; END";
        QTest::newRow("computed column") << "ALTER TABLE op ADD COLUMN mood TEXT GENERATED ALWAYS AS (hex(plan)) VIRTUAL";
        QTest::newRow("missing column") << "DROP TABLE log; CREATE TABLE log(id INTEGER PRIMARY KEY)";
    }
    void reportsWithCodeOfTheirOwnAreRefused()
    {
        QFETCH(QString, sql);
        auto const file = path("r.twreport");
        QVERIFY(writeReport(file, sampleReport()).ok());
        change(file, sql.toStdString());
        tests::SpentTime const spent;
        QCOMPARE(codeOf(ReportReader::open(file)), std::string("store.foreign-schema"));
        settleReport(file);
        QVERIFY2(spent.below(20'000), spent.text().c_str());
        QVERIFY(writeReport(file, sampleReport()).ok()); // a report replaces reports, such as this one
        QVERIFY(ReportReader::open(file).ok());
    }

    void filesFromTheCollectionEnd()
    {
        fs::path const folder = TILEWRIGHT_SOURCE_DIR "/../shared/attack_cases";
        for (auto const *name : {"hostile-view-hang.tilewright", "hostile-trigger-hang.tilewright"}) {
            if (!fs::exists(folder / name)) QSKIP("the collection is not here");
            QCOMPARE(codeOf(readProject(folder / name)), std::string("store.foreign-schema"));
        }
    }

    void ourOwnFilesHoldTheChecksOfJson()
    {
        // The schema is not trusted, and yet the checks of our own tables run.
        auto const file = path("json.tilewright");
        QVERIFY(createProjectFile(file, smallDocument()).ok());
        QVERIFY(addRunRecord(file, {0, "", "t", "train", "done", "", "{}"}).ok());
        QCOMPARE(codeOf(addRunRecord(file, {0, "", "t", "train", "done", "", "{"})), std::string("store.constraint"));
    }

    void onlyReportsOfTheProjectAreItsReports()
    {
        fs::create_directories(path("home/p-reports"));
        fs::create_directories(path("home/other"));
        auto const project = path("home/p.tilewright");
        QVERIFY(createProjectFile(project, smallDocument()).ok());
        for (auto const *name : {"home/p-reports/a.twreport", "home/b.twreport", "home/other/c.twreport", "d.twreport"})
            QVERIFY(writeReport(path(name), {}).ok());
        QVERIFY(writeFileAtomically(path("home/p-reports/notes.txt"), "mine").ok());
        QVERIFY(writeFileAtomically(path("home/p-reports/fake.twreport"), std::string(5000, 'x')).ok());
        fs::create_symlink(path("d.twreport"), path("home/p-reports/link.twreport"));
        fs::create_directory_symlink(path("home/other"), path("home/way-reports"));
        auto const named = [&](char const *text) { return reportOfRun(project, text).has_value(); };
        for (auto const *good : {"p-reports/a.twreport", "b.twreport", "./p-reports/../b.twreport", "p-reports/not-yet.twreport"})
            QVERIFY2(named(good), good);
        QVERIFY(named(path("home/b.twreport").c_str()));
        for (auto const *bad : {"", ".", "..", "../d.twreport", "p-reports/../../d.twreport", "other/c.twreport", "p-reports/notes.txt",
                                "p-reports/fake.twreport", "p-reports/link.twreport", "way-reports/c.twreport", "p.tilewright", "p-reports",
                                "/etc/passwd", "/dev/zero"})
            QVERIFY2(!named(bad), bad);
        QVERIFY(!named(path("d.twreport").c_str()));
        QVERIFY(isReportFile(path("d.twreport")));
        QVERIFY(!isReportFile(project));
    }
};

TW_REGISTER_TEST(TstHostileFiles);
#include "tst_hostile_files.moc"
