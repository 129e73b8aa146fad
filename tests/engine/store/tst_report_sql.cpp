#include "engine/store/derived.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "tests/engine/store/sample_report.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

using namespace tilewright;
using namespace tilewright::store;
using namespace tilewright::report;
using tests::sampleReport;

/// QCOMPARE that prints both values.
#define SAME(actual, expected)                                                                                                             \
    do {                                                                                                                                   \
        std::string const a_ = (actual), e_ = (expected);                                                                                  \
        QVERIFY2(a_ == e_, ("\nactual:\n" + a_ + "expected:\n" + e_).c_str());                                                             \
    } while (false)

class TstReportSql : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    std::shared_ptr<ReportReader const> m_reader;

    std::string text(std::string const &sql)
    {
        auto const result = m_reader->query(sql);
        if (!result.ok()) return "error " + toText(result.error());
        std::string out;
        for (auto const &row : result->rows) {
            for (auto const &value : row) {
                if (auto const *i = std::get_if<std::int64_t>(&value)) out += std::to_string(*i) + " ";
                else if (auto const *d = std::get_if<double>(&value)) out += QString::number(*d).toStdString() + " ";
                else if (auto const *s = std::get_if<std::string>(&value)) out += *s + " ";
                else out += "- ";
            }
            out += "\n";
        }
        return out;
    }

private slots:
    void initTestCase()
    {
        auto const file = m_dir.filePath("sample.twreport").toStdString();
        auto data = sampleReport();
        data.patternPlaces[1].repeats = 100'000'000; // represents more events than any machine could list
        QVERIFY(writeReport(file, data).ok());
        m_reader = *ReportReader::open(file);
    }
    void tileValuesAreATable()
    {
        SAME(text("SELECT tile, ipu, \"index\", x, y, value FROM tile_values(1) WHERE value > 50"),
             std::string("0 0 0 0 0 100 \n1 0 1 1 0 80 \n2 0 2 1 1 60 \n"));
        SAME(text("SELECT m.name, max(v.value) FROM tile_metric m JOIN tile_values(m.vec) v WHERE m.name = 'with_gaps'"),
             std::string("with_gaps 528 \n"));
        QCOMPARE(tileValues(*m_reader, 1)->size(), std::size_t(8));
    }
    void placementIsATable()
    {
        SAME(text("SELECT offset, bytes, category, region, variable, gap_before, gap_reason FROM placed(2)"),
             std::string("0 40 vertex_code non_interleaved - 0 none \n48 64 variable non_interleaved 0 8 alignment \n"
                         "112 32 variable non_interleaved 1 0 none \n112 48 variable non_interleaved 4 0 none \n"
                         "512 16 stack interleaved - 352 region_end \n"));
        SAME(text("SELECT count(*) FROM placed(99)"), std::string("0 \n"));
    }
    void livenessAtAStepIsATable()
    {
        // On all tiles at step 3 and on one tile at step 4, largest first.
        SAME(text("SELECT variable, bytes, always_live, born, dies, last_use, category FROM live_at(3, NULL)"),
             std::string("- 320 1 - - - vertex_code \n0 256 1 - - 1 variable \n1 128 0 1 4 3 variable \n2 128 0 3 5 4 exchange_buffer \n"
                         "- 64 1 - - - stack \n3 64 1 - - 4 variable \n"));
        SAME(text("SELECT sum(bytes) FROM live_at(4, 0)"), std::string("168 \n"));
        for (int step = 0; step < 6; ++step)
            SAME(text("SELECT sum(bytes) FROM live_at(" + std::to_string(step) + ", NULL)"),
                 text("SELECT always_live + not_always_live FROM live_points('all', 0) WHERE step = " + std::to_string(step)));
    }
    void eventsAreUnrolledOnlyWhereAsked()
    {
        SAME(text("SELECT step, start, duration, type, argument, vec FROM events(0, 0, 350, 440)"),
             std::string("1 320 100 1 0 1 \n1 420 10 2 0 - \n1 430 30 3 128 - \n"));
        auto const begin = std::chrono::steady_clock::now();
        SAME(text("SELECT step, start FROM events(0, 0, 29999999990, 30000000000)"), std::string("99999999 29999999860 \n"));
        SAME(text("SELECT count(*) FROM events(0, 0, 0, 3000)"), std::string("50 \n"));
        SAME(text("SELECT start FROM events(0, 0, NULL, NULL) LIMIT 2"), std::string("0 \n20 \n"));
        std::printf("three looks into 5e8 events: %.1f ms\n",
                    std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        SAME(text("SELECT start, duration FROM events(0, 3, 0, 10000)"), std::string("1000 500 \n2000 600 \n")); // the host's lane
    }
    void seriesAreATable()
    {
        SAME(text("SELECT x, y FROM points(0, 2, 3)"), std::string("2 1.25 \n3 0.1 \n"));
        SAME(text("SELECT count(*) FROM points(0)"), std::string("3 \n"));
        SAME(text("SELECT n.text, p.y FROM series s JOIN name n ON n.id = s.name, points(s.id, NULL, NULL) p WHERE p.x = 3 ORDER BY 1"),
             std::string("gradient norm 0.5 \nloss 0.1 \n"));
    }
    void viewsSpellOutNames()
    {
        SAME(text("SELECT name, stage, executions, cycles FROM v_op_cost WHERE op = 3"), std::string("dense_1/matmul stage 1 3 150 \n"));
        SAME(text("SELECT metric, total, maximum, worst_tile FROM v_tile_memory WHERE metric IN ('with_gaps', "
                  "'variable/non_interleaved/overlapped') ORDER BY 1"),
             std::string("variable/non_interleaved/overlapped 128 32 0 \nwith_gaps 2496 528 0 \n"));
        SAME(text("SELECT name, op, bytes, tiles FROM v_variable WHERE role = 'message'"),
             std::string("dense_1/input dense_1/matmul 128 4 \n"));
        SAME(text("SELECT step, kind, name, stage, cycles_estimated FROM v_step WHERE step IN (1, 2)"),
             std::string("1 execute dense/matmul stage 0 100 \n2 sync_internal sync - - \n"));
    }
    void evidenceOfInsightsRuns()
    {
        auto const insights = m_reader->rows<InsightRow>();
        for (auto const &insight : *insights) {
            auto const evidence = m_reader->query(insight.evidence);
            QVERIFY(evidence.ok());
            QVERIFY(!evidence->rows.empty());
        }
    }
    void onlyReadingIsAllowed_data()
    {
        QTest::addColumn<QString>("sql");
        for (char const *sql :
             {"DELETE FROM op", "INSERT INTO meta VALUES('a','b')", "DROP TABLE op", "CREATE TABLE x(a)", "PRAGMA journal_mode = DELETE",
              "PRAGMA query_only = 0", "ATTACH 'other.db' AS other", "SELECT 1; DELETE FROM op", "VACUUM", "BEGIN",
              "SELECT load_extension('x')", "CREATE TEMP TABLE x(a)", "UPDATE placed SET bytes = 1"})
            QTest::newRow(sql) << sql;
    }
    void onlyReadingIsAllowed()
    {
        QFETCH(QString, sql);
        auto const result = m_reader->query(sql.toStdString());
        QVERIFY(!result.ok());
        QVERIFY2(result.error().code == "store.refused" || result.error().code == "store.sql", result.error().code.c_str());
        QVERIFY(m_reader->query("SELECT count(*) FROM op").ok());
    }
    void wrongQueriesStateTheReason()
    {
        auto const wrong = m_reader->query("SELECT nonsense FROM op");
        QCOMPARE(wrong.error().code, std::string("store.sql"));
        QVERIFY(wrong.error().message.find("nonsense") != std::string::npos);
        QCOMPARE(m_reader->query("  ").error().code, std::string("store.sql"));
        QVERIFY(m_reader->query("SELECT * FROM placed").error().message.find("placed(0)") != std::string::npos);
        QVERIFY(!m_reader->query("SELECT * FROM tile_values(12345)").ok());
        QVERIFY(!m_reader->query("SELECT * FROM live_points('planet', 0)").ok());
        QVERIFY(m_reader->query("SELECT 1 ;  ").ok());
    }
    void threadsShareAReader()
    {
        auto const expected = text("SELECT sum(bytes) FROM placed(1)");
        std::vector<std::jthread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 30; ++i) {
                    if (t % 2 == 0 && text("SELECT sum(bytes) FROM placed(1)") != expected) ++wrong;
                    if (t % 2 == 1 && (!m_reader->rows<OpRow>().ok() || m_reader->tileVec(1)->size() != 8)) ++wrong;
                }
            });
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }
    void rowsAreCappedAndTimeIsLimited()
    {
        auto const capped = m_reader->query("SELECT start FROM events(0, 0, NULL, NULL)", 1000);
        QVERIFY(capped.ok() && capped->capped);
        QCOMPARE(capped->rows.size(), std::size_t(1000));
        auto const exact = m_reader->query("SELECT x FROM points(0)", 3);
        QVERIFY(exact.ok() && !exact->capped);
        auto const begin = std::chrono::steady_clock::now();
        auto const slow = m_reader->query("SELECT sum(duration) FROM events(0, 0, NULL, NULL)", 10, std::chrono::milliseconds(50));
        QVERIFY(!slow.ok());
        QCOMPARE(slow.error().code, std::string("store.time-limit"));
        QVERIFY(slow.error().kind == ErrorKind::Cancelled);
        QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
        QVERIFY(m_reader->query("SELECT 1").ok());
    }
};

TW_REGISTER_TEST(TstReportSql);
#include "tst_report_sql.moc"
