#include "engine/store/check_report.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "engine/store/sqlite.h"
#include "tests/engine/store/sample_report.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::store;
using tests::sampleReport;

namespace {

bool tells(std::vector<report::Violation> const &violations, int invariant)
{
    return std::any_of(violations.begin(), violations.end(), [&](auto const &v) { return v.invariant == invariant; });
}

std::string listed(std::vector<report::Violation> const &violations)
{
    std::string text;
    for (auto const &v : violations) text += std::to_string(v.invariant) + " " + v.subject + ": " + v.what + "\n";
    return text;
}

} // namespace

/// Parts of a file beside its tables; the tables are tested by tst_check_tables.
class TstCheckReport : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

private slots:
    void theSampleIsWhole()
    {
        auto const file = m_dir.filePath("sample.twreport").toStdString();
        QVERIFY(writeReport(file, sampleReport()).ok());
        auto const violations = checkReport(**ReportReader::open(file));
        QVERIFY(violations.ok());
        QVERIFY2(violations->empty(), listed(*violations).c_str());
    }
    void inconsistentTablesAreReported()
    {
        auto data = sampleReport();
        data.verdicts[0].worstTile = 5;
        auto const file = m_dir.filePath("breach.twreport").toStdString();
        QVERIFY(writeReport(file, data).ok());
        auto const violations = checkReport(**ReportReader::open(file));
        QVERIFY2(violations.ok() && tells(*violations, 4), "a wrong verdict");
    }
    void partsOfTheFileAloneAreCheckedToo_data()
    {
        QTest::addColumn<int>("invariant");
        QTest::addColumn<QString>("sql");
        QTest::newRow("head of a vector") << 4 << "UPDATE tile_vec SET sum = sum + 1 WHERE id = 0";
        QTest::newRow("argmax of a vector") << 4 << "UPDATE tile_vec SET argmax = 3 WHERE id = 1";
        QTest::newRow("head of a chunk") << 16 << "UPDATE event_chunk SET compute = compute + 1 WHERE lane = 0";
        QTest::newRow("rows of a part") << 24 << "UPDATE part SET rows = rows + 1 WHERE name = 'graph'";
        QTest::newRow("an absent part with rows") << 24 << "UPDATE part SET state = 'absent' WHERE name = 'log'";
        QTest::newRow("a part left out") << 24 << "DELETE FROM part WHERE name = 'log'";
        QTest::newRow("a foreign key") << 24 << "UPDATE op_program SET op = 77 WHERE op = 4";
    }
    void partsOfTheFileAloneAreCheckedToo()
    {
        QFETCH(int, invariant);
        QFETCH(QString, sql);
        auto const file = m_dir.filePath("file.twreport").toStdString();
        QVERIFY(writeReport(file, sampleReport()).ok());
        {
            auto db = Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(db->execute(sql.toStdString()).ok());
        }
        auto const violations = checkReport(**ReportReader::open(file));
        QVERIFY(violations.ok());
        QVERIFY2(tells(*violations, invariant), listed(*violations).c_str());
    }
};

TW_REGISTER_TEST(TstCheckReport);
#include "tst_check_report.moc"
