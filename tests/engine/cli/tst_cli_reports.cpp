#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

QStringList const kCompileKeys{"fits",
                               "cache",
                               "cache_reason",
                               "seconds",
                               "phases",
                               "ipus",
                               "memory_by_category",
                               "cycles_per_step",
                               "samples_per_second",
                               "flops_per_step",
                               "compute_sets",
                               "vertices",
                               "exchanges",
                               "replicas",
                               "peak_host_bytes"};
QStringList const kIpuKeys{"id",         "max_tile_bytes", "max_tile_bytes_with_gaps", "worst_tile", "total_bytes", "total_bytes_with_gaps",
                           "limit_bytes"};

} // namespace

/// Compiling, the cache, and parts of reports.
class TstCliReports : public QObject {
    Q_OBJECT
private slots:
    void compileReportsItsFigures()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const ran = box.run({"compile", "p.tilewright", "--target", "gc200:tiles=64", "--report", "c.twreport", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        auto const j = ran.object();
        QCOMPARE(missingKeys(j, kCompileKeys), QStringList());
        QCOMPARE(j["fits"].toBool(), true);
        QCOMPARE(j["cache"].toString(), QString("miss"));
        QVERIFY(!j["phases"].toArray().isEmpty());
        QCOMPARE(missingKeys(j["phases"][0].toObject(), {"name", "seconds"}), QStringList());
        QCOMPARE(j["ipus"].toArray().size(), 1);
        auto const ipu = j["ipus"][0].toObject();
        QCOMPARE(missingKeys(ipu, kIpuKeys), QStringList());
        QVERIFY(ipu["max_tile_bytes"].toInt() > 0);
        QVERIFY(ipu["max_tile_bytes_with_gaps"].toInt() >= ipu["max_tile_bytes"].toInt());
        QVERIFY(ipu["limit_bytes"].toInt() >= ipu["max_tile_bytes_with_gaps"].toInt());
        auto const memory = j["memory_by_category"].toObject();
        for (auto const *category : {"variable", "vertex_code", "vertex_state", "internal_exchange_code", "control_code", "stack"})
            QVERIFY2(memory[category].toInt() > 0, category);
        // Kinds that share addresses at other times count them once, as the report does.
        auto const told = box.run({"report", "c.twreport", "memory", "--json"}).object()["memory_by_category"].toObject();
        QVERIFY(!told.isEmpty());
        for (auto it = memory.begin(); it != memory.end(); ++it)
            QVERIFY2(it.value().toDouble() == told[it.key()].toDouble(0),
                     qPrintable(it.key() + QString(" %1 %2").arg(it.value().toDouble()).arg(told[it.key()].toDouble())));
        QVERIFY(j["cycles_per_step"].toDouble() > 0);
        QVERIFY(j["samples_per_second"].toDouble() > 0);
        auto const checked = box.run({"check-report", "c.twreport", "--json"});
        QVERIFY2(checked.code == 0, checked.all());
        QVERIFY(checked.object()["violations"].toArray().isEmpty());
        QVERIFY(box.run({"compile", "p.tilewright", "--target", "gc200:tiles=64"}).out.contains("It fits: worst tile "));
    }

    void theSecondCompileHitsTheCacheAndFiguresStay()
    {
        Sandbox const box;
        box.project("p.json");
        QStringList const compile{"compile", "p.json", "--target", "gc200:tiles=16", "--json"};
        auto const first = box.run(compile).object(), second = box.run(compile).object();
        auto const off = box.run(compile + QStringList{"--no-cache"}).object();
        QCOMPARE(first["cache"].toString(), QString("miss"));
        QCOMPARE(second["cache"].toString(), QString("hit"));
        QCOMPARE(off["cache"].toString(), QString("off"));
        for (auto const *key :
             {"ipus", "memory_by_category", "cycles_per_step", "flops_per_step", "vertices", "exchanges", "compute_sets"}) {
            QCOMPARE(second[key], first[key]);
            QCOMPARE(off[key], first[key]);
        }
        QCOMPARE(box.run({"set", "p.json", "training.batch_size=16"}).code, 0);
        auto const other = box.run(compile).object();
        QCOMPARE(other["cache"].toString(), QString("miss"));
        QVERIFY2(other["cache_reason"].toString().contains("training.batch_size"), qPrintable(other["cache_reason"].toString()));
        QCOMPARE(box.run({"cache", "list", "--json"}).object()["entries"].toArray().size(), 2);
    }

    void damagedCacheEntriesAreCompiledAgainWithAWarning()
    {
        Sandbox const box;
        box.project("p.json");
        QStringList const compile{"compile", "p.json", "--target", "gc200:tiles=16", "--json"};
        QCOMPARE(box.run(compile).code, 0);
        auto const entries = box.run({"cache", "list", "--json"}).object()["entries"].toArray();
        QCOMPARE(entries.size(), 1);
        QFile file(entries[0].toObject()["path"].toString());
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(file.size() / 2));
        char byte = 0;
        QVERIFY(file.getChar(&byte));
        QVERIFY(file.seek(file.size() / 2));
        QVERIFY(file.putChar(static_cast<char>(~byte)));
        file.close();
        auto const verified = box.run({"cache", "verify", "--json"});
        QVERIFY2(verified.code == 9, verified.all());
        QCOMPARE(verified.object()["entries"][0].toObject()["status"].toString(), QString("damaged"));
        auto const again = box.run(compile);
        QVERIFY2(again.code == 0, again.all());
        QCOMPARE(again.object()["cache"].toString(), QString("miss"));
        QVERIFY2(!again.object()["warnings"].toArray().isEmpty(), again.all());
        QCOMPARE(box.run({"cache", "verify"}).code, 0);
        QCOMPARE(box.run(compile).object()["cache"].toString(), QString("hit"));
        QCOMPARE(box.run({"cache", "clear", "--json"}).object()["entries"].toInt(), 1);
        QVERIFY(box.run({"cache", "list", "--json"}).object()["entries"].toArray().isEmpty());
    }

    void programsThatDoNotFitExitWith4AndHaveAReport()
    {
        Sandbox const box;
        box.project("p.tilewright");
        auto const ran = box.run({"compile", "p.tilewright", "--target", "gc200:tiles=4", "--report", "oom.twreport", "--json"});
        QVERIFY2(ran.code == 4, ran.all());
        auto const j = ran.object();
        QCOMPARE(missingKeys(j, kCompileKeys), QStringList());
        QCOMPARE(j["fits"].toBool(true), false);
        auto const said = j["error"].toObject()["message"].toString();
        QVERIFY2(said.contains("tile") && said.contains("638,976"), qPrintable(said));
        QVERIFY(!j["error"].toObject()["remedy"].toString().isEmpty());
        // The advice was tried: with it, the program fits as stated.
        auto const remedies = j["remedies"].toArray();
        QVERIFY2(!remedies.isEmpty(), ran.all());
        QVERIFY(j["remedies_complete"].isBool());
        for (auto const &remedy : remedies) {
            box.project("mended.tilewright", {"system.target=gc200:tiles=4"});
            QStringList set{"set", "mended.tilewright"};
            auto const fields = remedy.toObject()["set"].toObject();
            for (auto it = fields.begin(); it != fields.end(); ++it) set << it.key() + "=" + it.value().toString();
            QVERIFY2(box.run(set).code == 0, qPrintable(set.join(' ')));
            auto const again = box.run({"compile", "mended.tilewright", "--json"});
            QVERIFY2(again.code == 0, again.all());
            QCOMPARE(again.object()["ipus"].toArray()[0].toObject()["max_tile_bytes_with_gaps"],
                     remedy.toObject()["max_tile_bytes_with_gaps"]);
            QFile::remove(box.path("mended.tilewright"));
        }
        // The report knows them too, for readers without the project.
        auto const report = store::ReportReader::open(box.path("oom.twreport").toStdString());
        QVERIFY(report.ok());
        auto const data = (*report)->readAll();
        QVERIFY(data.ok());
        auto const misfit = std::ranges::find(data->insights, "memory.does-not-fit", &report::InsightRow::rule);
        QVERIFY(misfit != data->insights.end());
        auto const action = QJsonDocument::fromJson(QByteArray::fromStdString(misfit->action)).object();
        QCOMPARE(action["set"].toArray().size(), remedies[0].toObject()["set"].toObject().size());
        QCOMPARE(action["or"].toArray().size(), remedies.size() - 1);
        auto const tried = QJsonDocument::fromJson(QByteArray::fromStdString(misfit->numbers)).object()["tried"].toArray();
        QCOMPARE(tried.size(), remedies.size());
        auto const checked = box.run({"check-report", "oom.twreport", "--json"});
        QVERIFY2(checked.code == 0, checked.all());
        QVERIFY(box.run({"report", "oom.twreport", "memory"}).code == 0);
        QCOMPARE(box.run({"report", "oom.twreport", "--assert", "fits == 1"}).code, 8);
        // A training stops there too.
        auto const trained = box.run({"train", "p.tilewright", "--target", "gc200:tiles=4", "--report", "t.twreport", "--json"});
        QVERIFY2(trained.code == 4, trained.all());
        QVERIFY(box.read("t.twreport").startsWith("SQLite"));
        QVERIFY2(box.run({"compile", "p.tilewright", "--target", "gc200:tiles=4"}).err.contains("do not fit"), ran.all());
    }

    void compileStopsAfterAPassAndDumpsGraphs()
    {
        Sandbox const box;
        box.project("p.json");
        auto const ran = box.run({"compile", "p.json", "--stop-after", "cse", "--dump-after", "all", "graphs", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.object()["stopped_after"].toString(), QString("cse"));
        QCOMPARE(QDir(box.path("graphs")).entryList(QDir::Files, QDir::Name),
                 (QStringList{"00_differentiate.txt", "01_count.txt", "02_apply.txt", "03_loop.txt", "04_fold.txt", "05_cse.txt"}));
        // To the end, including the last graph.
        QVERIFY(box.run({"compile", "p.json", "--target", "gc200:tiles=16", "--dump-after", "all", "lowered"}).code == 0);
        QVERIFY(QDir(box.path("lowered")).exists("05_cse.txt"));
        QFile program(box.path("lowered/program.txt"));
        QVERIFY(program.open(QIODevice::ReadOnly));
        QVERIFY(program.readAll().startsWith("program \"sequential\" ipus 1 replicas 1 tiles 16\n"));
        auto const wrong = box.run({"compile", "p.json", "--stop-after", "csee", "--json"});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.out.contains("cse"));
    }

    void theCpuTargetHasNoTiles()
    {
        Sandbox const box;
        box.project("p.json");
        auto const ran = box.run({"compile", "p.json", "--target", "cpu", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(missingKeys(ran.object(), kCompileKeys), QStringList());
        QVERIFY(ran.object()["ipus"].toArray().isEmpty());
    }

    void logsGoToStderr()
    {
        Sandbox const box;
        box.project("p.json");
        auto const ran = box.run({"compile", "p.json", "--target", "gc200:tiles=16", "--log", "compiler=INFO", "--json"});
        QVERIFY2(ran.err.contains("INFO compiler: "), ran.all());
        QVERIFY(!ran.object().isEmpty());
        QVERIFY(!box.run({"compile", "p.json", "--target", "gc200:tiles=16"}).err.contains("INFO"));
        QVERIFY(box.run({"compile", "p.json", "--target", "gc200:tiles=16", "--color", "always", "--stop-after", "x"})
                    .err.contains("\x1b[1;31m"));
    }

    void everyPartOfAReportCanBeRead()
    {
        Sandbox const box;
        box.project("p.json");
        QCOMPARE(box.run({"compile", "p.json", "--target", "gc200:tiles=16", "--report", "c.twreport"}).code, 0);
        for (auto const *part : {"summary", "memory", "liveness", "program", "operations", "timeline", "insights"}) {
            auto const ran = box.run({"report", "c.twreport", part, "--json"});
            QVERIFY2(ran.code == 0, ran.all());
            QVERIFY2(!ran.object().isEmpty(), ran.all());
            auto const text = box.run({"report", "c.twreport", part});
            QVERIFY2(text.code == 0 && !text.out.isEmpty(), text.all());
        }
        auto const sql = box.run({"report", "c.twreport", "sql", "SELECT count(*) AS n FROM variable", "--json"}).object();
        QVERIFY(sql["rows"][0][0].toInt() > 10);
        QCOMPARE(box.run({"report", "c.twreport", "sql", "DROP TABLE variable", "--json"}).code, 2);
        auto const wrong = box.run({"report", "c.twreport", "memroy", "--json"});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.out.contains("memory"));
        QCOMPARE(box.run({"report", "nothing.twreport", "--json"}).code, 5);
    }

    /// With a project, the insights list what a compile says: the best gain first, and no change that gains nothing.
    void changesOfInsightsAreCompiledOnRequest()
    {
        Sandbox const box;
        box.project("p.json");
        QCOMPARE(box.run({"compile", "p.json", "--target", "gc200", "--report", "c.twreport"}).code, 0);
        auto const plain = box.run({"report", "c.twreport", "insights"});
        QVERIFY2(plain.out.contains("not compiled yet"), plain.all());
        QCOMPARE(box.run({"set", "p.json", "system.target=gc200"}).code, 0);
        auto const ran = box.run({"report", "c.twreport", "insights", "--try", "p.json", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        int tried = 0;
        for (auto const insight : ran.object()["insights"].toArray()) {
            double last = 1e9;
            for (auto const change : insight.toObject()["tried"].toArray()) {
                double const gain = change.toObject()["gain"].toDouble();
                QVERIFY2(gain >= 0.005 && gain <= last, ran.all());
                QVERIFY(!change.toObject()["set"].toArray().isEmpty());
                last = gain;
                ++tried;
            }
        }
        QVERIFY2(tried > 0, ran.all());
        auto const text = box.run({"report", "c.twreport", "insights", "--try", "p.json"});
        QVERIFY2(text.out.contains("% more samples/s)") && !text.out.contains("not compiled yet"), text.all());
        QCOMPARE(box.run({"report", "c.twreport", "memory", "--try", "p.json"}).code, 2);
    }

    void budgetsAreJudged()
    {
        Sandbox const box;
        box.project("p.json");
        QCOMPARE(box.run({"compile", "p.json", "--target", "gc200:tiles=16", "--report", "c.twreport"}).code, 0);
        auto const met = box.run({"report", "c.twreport", "--assert", "max_tile_bytes<600000", "--json"});
        QVERIFY2(met.code == 0, met.all());
        QCOMPARE(met.object()["met"].toBool(), true);
        QVERIFY(met.object()["value"].toDouble() > 0);
        auto const missed = box.run({"report", "c.twreport", "--assert", "fits==1", "--assert", "max_tile_bytes<6", "--json"});
        QVERIFY2(missed.code == 8, missed.all());
        QCOMPARE(missed.object()["met"].toBool(true), false);
        QCOMPARE(missed.object()["results"].toArray().size(), 2);
        QCOMPARE(box.run({"report", "c.twreport", "--assert", "fits==1", "max_tile_bytes<6"}).code, 8);
        QCOMPARE(box.run({"report", "c.twreport", "--assert", "max_tile_byts<6", "--json"}).code, 2);
        QCOMPARE(box.run({"report", "c.twreport", "--assert", "max_tile_bytes<", "--json"}).code, 2);
    }

    void reportsAreExportedAndCompared()
    {
        Sandbox const box;
        box.project("p.json");
        QCOMPARE(box.run({"compile", "p.json", "--target", "gc200:tiles=16", "--report", "a.twreport"}).code, 0);
        QCOMPARE(box.run({"compile", "p.json", "--target", "gc200:tiles=32", "--report", "b.twreport"}).code, 0);
        for (auto const &[format, name] :
             {std::pair{"perfetto", "o.trace"}, std::pair{"csv", "o.csv"}, std::pair{"json", "o.json"}, std::pair{"html", "o.html"}}) {
            auto const ran = box.run({"report", "a.twreport", "export", "--to", format, name, "--json"});
            QVERIFY2(ran.code == 0, ran.all());
            QCOMPARE(ran.object()["path"].toString(), QString(name));
            QVERIFY2(!box.read(name).isEmpty(), name);
        }
        QVERIFY(!QJsonDocument::fromJson(box.read("o.json")).isNull());
        QCOMPARE(box.run({"report", "a.twreport", "export", "o"}).code, 2);
        QCOMPARE(box.run({"report", "a.twreport", "export", "--to", "pdf", "o"}).code, 2);
        auto const same = box.run({"report", "a.twreport", "compare", "a.twreport", "--json"}).object();
        QVERIFY(same.contains("differences"));
        QVERIFY(same["differences"].toArray().isEmpty());
        QVERIFY(!box.run({"report", "a.twreport", "compare", "b.twreport", "--json"}).object()["differences"].toArray().isEmpty());
        QCOMPARE(box.run({"report", "a.twreport", "compare"}).code, 2);
    }

    void checkReportFindsABrokenInvariant()
    {
        Sandbox const box;
        box.project("p.json");
        QCOMPARE(box.run({"compile", "p.json", "--target", "gc200:tiles=16", "--report", "c.twreport"}).code, 0);
        box.write("noise.twreport", "no report at all");
        QCOMPARE(box.run({"check-report", "noise.twreport", "--json"}).code, 3);
        // One byte more than the layouts hold.
        auto const reader = store::ReportReader::open(box.path("c.twreport").toStdString());
        QVERIFY(reader.ok());
        auto data = (*reader)->readAll();
        QVERIFY(data.ok());
        QVERIFY(!data->verdicts.empty());
        data->verdicts.front().bytes += 1;
        QVERIFY(store::writeReport(box.path("wrong.twreport").toStdString(), *data).ok());
        auto const ran = box.run({"check-report", "wrong.twreport", "--json"});
        QVERIFY2(ran.code == 9, ran.all());
        QVERIFY(!ran.object()["violations"].toArray().isEmpty());
        QCOMPARE(missingKeys(ran.object()["violations"][0].toObject(), {"invariant", "what", "subject"}), QStringList());
        QCOMPARE(box.run({"check-report", "c.twreport"}).code, 0);
    }
};

TW_REGISTER_TEST(TstCliReports);
#include "tst_cli_reports.moc"
