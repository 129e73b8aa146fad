#include "engine/core/files.h"
#include "engine/store/export_report.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "engine/store/sqlite.h"
#include "tests/engine/store/sample_report.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <nlohmann/json.hpp>

using namespace tilewright;
using namespace tilewright::store;
using namespace tilewright::report;
using tests::sampleReport;
using Json = nlohmann::json;

class TstExport : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    std::shared_ptr<ReportReader const> m_reader, m_long;
    std::filesystem::path path(char const *name) { return m_dir.filePath(name).toStdString(); }

private slots:
    void initTestCase()
    {
        QVERIFY(writeReport(path("sample.twreport"), sampleReport()).ok());
        m_reader = *ReportReader::open(path("sample.twreport"));
        auto data = sampleReport();
        data.patternPlaces[1].repeats = 1'000'000'000;
        data.runs[0].cycles = 300'000'000'000;
        QVERIFY(writeReport(path("long.twreport"), data).ok());
        m_long = *ReportReader::open(path("long.twreport"));
    }
    void tracesHoldEveryEventInMicroseconds()
    {
        auto const result = exportReport(*m_reader, "perfetto", path("trace.json"));
        QVERIFY2(result.ok(), result.ok() ? "" : toText(result.error()).c_str());
        QVERIFY(!result->capped);
        QCOMPARE(result->events, 3 * (5 + 5 + 1) + 2); // three steps of two flat lanes and a nested one, two of the host
        auto const trace = Json::parse(*readFile(path("trace.json")));
        std::int64_t cycles = 0;
        int events = 0, names = 0;
        bool found = false;
        for (auto const &e : trace["traceEvents"]) {
            if (e["ph"] == "M") {
                if (e["name"] == "thread_name") ++names;
                continue;
            }
            ++events;
            if (e["cat"] == "compute") cycles += e["args"]["cycles"].get<std::int64_t>();
            // The second step's compute of IPU 0: cycle 320 at 1 GHz.
            if (e["name"] == "dense/matmul" && e["args"]["step"] == 1) {
                found = true;
                QCOMPARE(e["ts"].get<double>(), 0.32);
                QCOMPARE(e["dur"].get<double>(), 0.1);
            }
        }
        QVERIFY(found);
        QCOMPARE(events, static_cast<int>(result->events));
        QCOMPARE(names, 4);
        QCOMPARE(cycles, 3 * (100 + 50));
        QCOMPARE(trace["otherData"]["capped"].get<bool>(), false);
    }
    void longTracesAreCutAtOneMoment()
    {
        auto const result = exportPerfetto(*m_long, path("long.json"), 5000);
        QVERIFY(result.ok());
        QVERIFY(result->capped);
        QCOMPARE(result->events, 5000);
        auto const trace = Json::parse(*readFile(path("long.json")));
        QCOMPARE(trace["otherData"]["capped"].get<bool>(), true);
        std::map<int, double> last;
        for (auto const &e : trace["traceEvents"])
            if (e["ph"] == "X" && e["pid"] != 1'000'000) last[e["tid"].get<int>()] = e["ts"].get<double>();
        QCOMPARE(last.size(), std::size_t(3));
        QVERIFY(std::abs(last[1] - last[2]) < 0.4); // both IPUs end within one step of each other
    }
    void tablesBecomeFiles()
    {
        QVERIFY(exportReport(*m_reader, "csv", path("tables")).ok());
        auto const ops = *readFile(path("tables/op.csv"));
        QVERIFY(ops.rfind("id,parent,level,name,kind,pass", 0) == 0);
        QCOMPARE(std::count(ops.begin(), ops.end(), '\n'), 6);
        auto const contexts = *readFile(path("tables/debug_context.csv"));
        QVERIFY(contexts.find("\"{\"\"units\"\":8}\"") != std::string::npos); // quoted for CSV
        QVERIFY(std::filesystem::exists(path("tables/tile_vec.csv")));
        QVERIFY(std::filesystem::exists(path("tables/event.csv")));
        QVERIFY(exportReport(*m_reader, "csv", path("one.csv")).ok());
        auto const one = *readFile(path("one.csv"));
        QVERIFY(one.find("variable,0,name,dense/kernel\r\n") != std::string::npos);
    }
    void jsonHoldsEverything()
    {
        QVERIFY(exportReport(*m_reader, "json", path("all.json")).ok());
        auto const json = Json::parse(*readFile(path("all.json")));
        QCOMPARE(json["tables"]["variable"].size(), std::size_t(5));
        QCOMPARE(json["tables"]["variable"][0]["shape"].dump(), std::string("[4,32]"));
        QCOMPARE(json["tables"]["exchange"][0]["pairs"].size(), std::size_t(4));
        QCOMPARE(json["tables"]["op"][0]["parent"].is_null(), true);
        QCOMPARE(json["tile_vecs"].size(), static_cast<std::size_t>(sampleReport().tileVecs.size()));
        QCOMPARE(json["layout"].size(), std::size_t(8));
        QCOMPARE(json["event"].size(), std::size_t(13));
        QCOMPARE(json["point"].size(), std::size_t(4));
        QCOMPARE(json["meta"]["title"].get<std::string>(), std::string("sample"));
    }
    void thePageStandsAlone()
    {
        auto data = sampleReport();
        data.meta["title"] = "<script>alert(1)</script> & more";
        QVERIFY(writeReport(path("page.twreport"), data).ok());
        QVERIFY(exportReport(**ReportReader::open(path("page.twreport")), "html", path("page.html")).ok());
        auto const page = *readFile(path("page.html"));
        QVERIFY(page.rfind("<!DOCTYPE html>", 0) == 0);
        for (char const *outside : {"http:", "https:", "src=", "href=", "<script", "url("})
            QVERIFY2(page.find(outside) == std::string::npos, outside);
        for (char const *inside : {"<svg", "dense/kernel", "memory.headroom", "&lt;script&gt;", "Worst tile 0"})
            QVERIFY2(page.find(inside) != std::string::npos, inside);
        QCOMPARE(QString::fromStdString(page).count("<tr>"), QString::fromStdString(page).count("</tr>"));
        QCOMPARE(QString::fromStdString(page).count("<table>"), QString::fromStdString(page).count("</table>"));
    }
    void unreadableCurvesMakeNoPage()
    {
        auto const file = path("damaged.twreport");
        QVERIFY(writeReport(file, sampleReport()).ok());
        {
            auto db = Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(db.ok());
            QVERIFY(db->execute("UPDATE live_curve SET data = x'00' WHERE scope = 'all'").ok());
        }
        auto const reader = *ReportReader::open(file);
        QVERIFY(!reader->liveCurve("all", 0).ok());
        QVERIFY(!exportReport(*reader, "html", path("damaged.html")).ok());
        QVERIFY(!std::filesystem::exists(path("damaged.html")));
    }
    void wrongFormatsNameTheNearest()
    {
        auto const error = exportReport(*m_reader, "perfeto", path("x")).error();
        QVERIFY(error.kind == ErrorKind::Usage);
        QVERIFY(error.remedy.find("'perfetto'") != std::string::npos);
        QVERIFY(!exportReport(*m_reader, "json", path("no/such/folder/x.json")).ok());
    }
};

TW_REGISTER_TEST(TstExport);
#include "tst_export.moc"
