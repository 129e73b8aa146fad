#include "engine/store/compare.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_text.h"
#include "engine/store/report_values.h"
#include "engine/store/report_writer.h"
#include "tests/engine/store/sample_report.h"
#include "tests/support/test_registry.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

using namespace tilewright;
using namespace tilewright::store;
using namespace tilewright::report;
using tests::sampleReport;
using Json = nlohmann::json;

class TstReportText : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    std::shared_ptr<ReportReader const> m_reader, m_empty;

    std::shared_ptr<ReportReader const> written(ReportData const &data, char const *name)
    {
        auto const file = m_dir.filePath(name).toStdString();
        if (!writeReport(file, data).ok()) return nullptr;
        return *ReportReader::open(file);
    }

private slots:
    void initTestCase()
    {
        m_reader = written(sampleReport(), "sample.twreport");
        m_empty = written({}, "empty.twreport");
        QVERIFY(m_reader && m_empty);
    }
    void insightsSayWhatWasFoundAndWhatMayHelp()
    {
        ReportData data;
        InsightRow row{"host.stream-bound", 2, "warning", "ipu", 0};
        row.action = R"({"set":[{"path":"training.batch_size","value":64},{"path":"data.limit","value":59968}],)"
                     R"("or":[{"set":[{"path":"system.target","value":"bow"}]}]})";
        row.gainCycles = 1234567;
        data.insights = {row};
        auto const reader = written(data, "insight.twreport");
        auto const json = reportPart(*reader, "insights");
        QVERIFY2(json.ok(), json.ok() ? "" : toText(json.error()).c_str());
        QCOMPARE((*json)["insights"][0]["finding"].get<std::string>(),
                 std::string("transfers from and to the host take over 30 % of the time"));
        auto const text = QString::fromStdString(reportPartText("insights", *json));
        QVERIFY2(text.contains("over 30 % of the time  ipu"), qPrintable(text));
        QVERIFY2(text.contains("1,234,567  training.batch_size=64 data.limit=59968; or system.target=bow"), qPrintable(text));
        QVERIFY2(!text.contains('{'), qPrintable(text)); // figures and evidence are for programs
    }
    void countsAreGroupedAndHaveTheirNumber()
    {
        Json const json = {{"columns", {"rate"}}, {"rows", {{593989.75}}}, {"capped", false}};
        QVERIFY(reportPartText("sql", json).find("593,990") != std::string::npos);
        auto const summary = summaryJson(*m_reader);
        auto const text = QString::fromStdString(reportPartText("summary", *summary));
        QVERIFY2(text.contains(" 2 IPUs, ") && text.contains(" tiles per IPU, "), qPrintable(text));
        QVERIFY2(!text.contains("1 IPUs") && !text.contains("1 replicas"), qPrintable(text));
    }
    void aRowOfMemoryIsAboutOneTile()
    {
        // The tile with the highest address is not the one that uses most: no row may mix their figures.
        auto data = sampleReport();
        for (auto &metric : data.tileMetrics) {
            if (metric.name == "with_gaps") metric.vec = data.tileVecs.add({400, 300, 528, 300, 384, 10, 10, 10});
            if (metric.name == "without_gaps") metric.vec = data.tileVecs.add({400, 300, 28, 300, 84, 10, 10, 10});
        }
        auto const reader = written(data, "gaps.twreport");
        QVERIFY(reader);
        auto const ipu = summaryJson(*reader)->at("ipus")[0];
        QCOMPARE(ipu["worst_tile"].get<int>(), 2);
        QCOMPARE(ipu["max_tile_bytes"].get<int>(), 400);
        QCOMPARE(ipu["worst_tile_gaps"].get<int>(), 500);
        for (auto const *part : {"summary", "memory"}) {
            auto const text = QString::fromStdString(reportPartText(part, *reportPart(*reader, part)));
            QVERIFY2(text.contains("IPU  Worst tile  Placed  Gaps in it  Need"), qPrintable(text));
            QVERIFY2(QRegularExpression("\\n +0 +2 +528 +500 ").match(text).hasMatch(), qPrintable(text));
            QVERIFY2(!text.contains("_gaps"), qPrintable(text));
        }
    }
    void theSummaryHoldsTheHeadline()
    {
        auto const json = summaryJson(*m_reader);
        QVERIFY2(json.ok(), json.ok() ? "" : toText(json.error()).c_str());
        auto const &j = *json;
        QCOMPARE(j["fits"].get<bool>(), true);
        QCOMPARE(j["cycles_per_step"].get<double>(), 300.0);
        QCOMPARE(j["ipus"].size(), std::size_t(2));
        QCOMPARE(j["ipus"][0]["max_tile_bytes_with_gaps"].get<int>(), 528);
        QCOMPARE(j["ipus"][0]["max_tile_bytes"].get<int>(), 168);
        QCOMPARE(j["ipus"][1]["worst_tile"].get<int>(), 4);
        QCOMPARE(j["ipus"][1]["total_bytes_with_gaps"].get<int>(), 384);
        QCOMPARE(j["memory_by_category"]["vertex_code"].get<int>(), 320);
        QCOMPARE(j["memory_by_category"]["variable"].get<int>(), 4 * (80 + 32 + 16));
        QCOMPARE(j["runs"][0]["ipus"][0]["utilisation"].get<double>(), 300.0 / 900.0);
        QCOMPARE(j["runs"][0]["samples_per_second"].get<double>(), 96e9 / 900);
        QCOMPARE(j["options_changed"].size(), std::size_t(2));
        QCOMPARE(j["insights"][0]["rule"].get<std::string>(), std::string("memory.headroom"));
        QCOMPARE(j["bubble_share"].get<double>(), 0.25);
        QCOMPARE(j["meta"]["title"].get<std::string>(), std::string("sample"));
        QCOMPARE(j["parts"].size(), std::size_t(10));
    }
    void everyPartIsJsonAndText()
    {
        for (auto const &reader : {m_reader, m_empty})
            for (auto const &part : reportPartNames()) {
                auto const json = reportPart(*reader, part, part == "sql" ? "SELECT 1 AS one, 'x' AS word" : "");
                QVERIFY2(json.ok(), (part + (json.ok() ? "" : ": " + toText(json.error()))).c_str());
                QVERIFY(!reportPartText(part, *json).empty());
                QVERIFY(!json->dump().empty());
            }
        QVERIFY(memoryJson(*m_empty)->contains("note"));
        QVERIFY(!memoryJson(*m_reader)->contains("note"));
    }
    void memoryListsContentsWithAddresses()
    {
        auto const all = *memoryJson(*m_reader);
        QCOMPARE(all["largest_variables"][0]["name"].get<std::string>(), std::string("dense/kernel"));
        QCOMPARE(all["worst_tiles"][0]["tile"].get<int>(), 0);
        QCOMPARE(all["metrics"].size(), std::size_t(8));
        auto const tile = *reportPart(*m_reader, "memory", "5");
        QCOMPARE(tile["placed"].size(), std::size_t(3));
        QCOMPARE(tile["placed"][2]["name"].get<std::string>(), std::string("dense_1/input"));
        QCOMPARE(tile["headroom"].get<int>(), 928);
        auto const text = reportPartText("memory", tile);
        QVERIFY(text.find("dense_1/kernel") != std::string::npos);
        QCOMPARE(reportPart(*m_reader, "memory", "five").error().code, std::string("report.argument"));
    }
    void livenessListsThePeak()
    {
        auto const peak = *livenessJson(*m_reader);
        QCOMPARE(peak["step"].get<int>(), 4);
        QCOMPARE(peak["live_bytes"].get<int>(), 1024);
        QCOMPARE(peak["always_live_bytes"].get<int>(), 704);
        auto const second = *reportPart(*m_reader, "liveness", "1");
        QCOMPARE(second["live_bytes"].get<int>(), 704 + 128);
    }
    void theProgramIsATree()
    {
        auto const json = *programJson(*m_reader);
        QCOMPARE(json["functions"].size(), std::size_t(2));
        auto const &main = json["functions"][0]["programs"];
        QCOMPARE(main.size(), std::size_t(6));
        QCOMPARE(main[2]["cycles_estimated"].get<int>(), 100);
        QCOMPARE(main[2]["executions"].get<int>(), 3);
        QCOMPARE(main[5]["calls"].get<std::string>(), std::string("dense_1"));
        QVERIFY(reportPartText("program", json).find("  execute") != std::string::npos);
    }
    void operationsAndTimelineAddUp()
    {
        auto const operations = *operationsJson(*m_reader);
        QCOMPARE(operations["operations"].size(), std::size_t(5));
        QCOMPARE(operations["operations"][2]["cycles"].get<int>(), 300 + 180);
        QCOMPARE(operations["operations"][2]["plan"]["chosen"].get<int>(), 1);
        auto const timeline = *timelineJson(*m_reader);
        QCOMPARE(timeline["runs"].size(), std::size_t(2));
        QCOMPARE(timeline["lanes"][0]["events"].get<int>(), 5);
        QCOMPARE(timeline["programs"][0]["cycles"].get<int>(), 300);
        QCOMPARE(timeline["bubbles"].size(), std::size_t(2));
    }
    void queriesComeBackAsRows()
    {
        auto const json = *sqlJson(*m_reader, "SELECT name, cycles FROM v_op_cost WHERE op >= 2 AND op < 4 ORDER BY op");
        QCOMPARE(json["columns"].dump(), std::string(R"(["name","cycles"])"));
        QCOMPARE(json["rows"].dump(), std::string(R"([["dense/matmul",480],["dense_1/matmul",150]])"));
        QCOMPARE(json["capped"].get<bool>(), false);
        QVERIFY(!sqlJson(*m_reader, "DELETE FROM op").ok());
    }
    void unknownPartsNameTheNearest()
    {
        auto const error = reportPart(*m_reader, "memmory").error();
        QVERIFY(error.kind == ErrorKind::Usage);
        QVERIFY(error.remedy.find("'memory'") != std::string::npos);
    }
    void tablesAlign()
    {
        QCOMPARE(QString::fromStdString(
                     textTable({"name", "bytes"}, std::vector<std::vector<Json>>{{"a", 1234567}, {"äöü", 5}, {"long name", nullptr}})),
                 QString::fromUtf8("name           bytes\na          1,234,567\näöü                5\nlong name\n"));
        QCOMPARE(textTable({"a"}, Json::array()), std::string("(none)\n"));
    }
    void damagedTextStillPrints()
    {
        auto data = sampleReport();
        data.ops[0].name = "bad \xff\xfe name";
        data.meta["title"] = "\xc3";
        auto const reader = written(data, "utf8.twreport");
        for (auto const &part : reportPartNames()) {
            auto const json = reportPart(*reader, part, part == "sql" ? "SELECT text FROM name" : "");
            QVERIFY(json.ok());
            QVERIFY(!json->dump().empty());
            QVERIFY(!reportPartText(part, *json).empty());
        }
    }

    // ---- values and budgets
    void valuesAreThoseOfTheTables()
    {
        auto const values = *reportValues(*m_reader);
        std::pair<char const *, double> const expected[] = {{"max_tile_bytes", 168},
                                                            {"max_tile_bytes_with_gaps", 528},
                                                            {"total_bytes", 1024},
                                                            {"total_bytes_with_gaps", 2496},
                                                            {"headroom", 496},
                                                            {"limit_bytes", 1024},
                                                            {"cycles_per_step", 300},
                                                            {"compute_sets", 2},
                                                            {"vertices", 8},
                                                            {"exchanges", 1},
                                                            {"always_live_bytes", 704},
                                                            {"peak_live_bytes", 1024},
                                                            {"fits", 1},
                                                            {"vertex_code_bytes", 320},
                                                            {"loss", 0.1},
                                                            {"errors", 0},
                                                            {"flops_per_step", 4096},
                                                            {"bubble_share", 0.25}};
        for (auto const &[name, value] : expected) {
            QVERIFY2(values.count(name), name);
            QCOMPARE(values.at(name), value);
        }
    }
    void budgetsAreMetOrNot_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<bool>("met");
        QTest::addColumn<double>("value");
        QTest::newRow("plain") << "max_tile_bytes<600000" << true << 168.0;
        QTest::newRow("not met") << "max_tile_bytes_with_gaps < 500" << false << 528.0;
        QTest::newRow("suffix") << "headroom >= 0.4 KiB" << true << 496.0;
        QTest::newRow("percent") << "bubble_share <= 25%" << true << 0.25;
        QTest::newRow("arithmetic") << "(total_bytes + 2*max_tile_bytes) / 2 == 680" << true << 680.0;
        QTest::newRow("minus") << "-headroom < -495 and fits != 0" << true << -496.0;
        QTest::newRow("and") << "fits == 1 && cycles_per_step < 100" << false << 1.0;
        QTest::newRow("one equals") << "compute_sets=2" << true << 2.0;
        QTest::newRow("precedence") << "1+2*3 == 7" << true << 7.0;
        QTest::newRow("k") << "cycles_per_step < 1k" << true << 300.0;
    }
    void budgetsAreMetOrNot()
    {
        QFETCH(QString, expression);
        QFETCH(bool, met);
        QFETCH(double, value);
        auto const result = evaluateAssert(expression.toStdString(), *reportValues(*m_reader));
        QVERIFY2(result.ok(), result.ok() ? "" : toText(result.error()).c_str());
        QCOMPARE(result->met, met);
        QCOMPARE(result->value, value);
    }
    void wrongBudgetsStateThePosition_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("says");
        QTest::newRow("misspelt") << "max_tile_byte < 5"
                                  << "'max_tile_bytes'";
        QTest::newRow("no comparison") << "headroom"
                                       << "column 9";
        QTest::newRow("half") << "headroom <"
                              << "column 11";
        QTest::newRow("empty") << ""
                               << "column 1";
        QTest::newRow("parenthesis") << "(headroom < 5"
                                     << "column";
        QTest::newRow("suffix") << "headroom < 5 parsecs"
                                << "column";
        QTest::newRow("glued suffix") << "headroom < 5kB"
                                      << "suffix";
        QTest::newRow("zero") << "headroom / 0 < 5"
                              << "zero";
        QTest::newRow("sign") << "headroom < #"
                              << "'#'";
        QTest::newRow("deep") << QString(5000, '(') << "deep";
    }
    void wrongBudgetsStateThePosition()
    {
        QFETCH(QString, expression);
        QFETCH(QString, says);
        auto const result = evaluateAssert(expression.toStdString(), *reportValues(*m_reader));
        QVERIFY(!result.ok());
        QVERIFY(result.error().kind == ErrorKind::Usage);
        QVERIFY2(toText(result.error()).find(says.toStdString()) != std::string::npos, toText(result.error()).c_str());
    }

    // ---- compare
    void equalReportsDoNotDiffer()
    {
        auto data = sampleReport();
        data.runs[0].hostNs = 1; // the host's time is no difference
        data.meta["report_uuid"] = "other";
        auto const other = written(data, "equal.twreport");
        auto const comparison = compareReports(*m_reader, *other);
        QVERIFY(comparison.ok());
        QVERIFY2((*comparison)["differences"].empty(), (*comparison).dump(1).c_str());
        QCOMPARE(compareText(*comparison), std::string("No differences.\n"));
    }
    void differencesAreAlignedByName()
    {
        auto data = sampleReport();
        data.ops[2].flops = 8192;
        data.options[0].value = "4";
        data.variables[1].name = "dense/relu";
        data.stepStats[1].cycles = 330;                 // programs of dense/matmul
        data.ops.insert(data.ops.begin(), data.ops[4]); // ids move; names tell
        for (auto &op : data.ops)
            if (op.parent >= 0) ++op.parent;
        for (auto &p : data.programs) ++p.op;
        auto const other = written(data, "other.twreport");
        auto const comparison = *compareReports(*m_reader, *other);
        auto const find = [&](std::string const &kind, std::string const &name, std::string const &field) -> Json {
            for (auto const &d : comparison["differences"])
                if (d["kind"] == kind && d["name"] == name && (d.value("field", "") == field || (field.empty() && d.contains("only"))))
                    return d;
            return {};
        };
        QCOMPARE(find("operation", "dense/matmul", "flops")["delta"].get<int>(), 4096);
        QCOMPARE(find("operation", "dense/matmul", "cycles")["delta"].get<int>(), 30);
        QCOMPARE(find("layer", "dense", "cycles")["delta"].get<int>(), 30);
        QCOMPARE(find("option", "ipu_config.auto_select_ipus", "value")["b"].get<std::string>(), std::string("4"));
        QCOMPARE(find("variable", "dense/output", "")["only"].get<std::string>(), std::string("a"));
        QCOMPARE(find("variable", "dense/relu", "")["only"].get<std::string>(), std::string("b"));
        QCOMPARE(find("operation", "loop control (2)", "")["only"].get<std::string>(), std::string("b"));
        QVERIFY(find("operation", "dense_1/matmul", "flops").is_null());
        QVERIFY(compareText(comparison).find("dense/relu") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstReportText);
#include "tst_report_text.moc"
