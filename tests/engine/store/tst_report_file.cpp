#include "engine/core/files.h"
#include "engine/core/random.h"
#include "engine/report/packed.h"
#include "engine/store/blobs.h"
#include "engine/store/check_report.h"
#include "engine/store/part_tables.h"
#include "engine/store/project_file.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "engine/store/schema.h"
#include "engine/store/sqlite.h"
#include "tests/engine/store/sample_report.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

using namespace tilewright;
using namespace tilewright::store;
using namespace tilewright::report;
using tests::sampleReport;

namespace {

PartRow const *partNamed(std::vector<PartRow> const &parts, std::string const &name)
{
    for (auto const &part : parts)
        if (part.name == name) return &part;
    return nullptr;
}

/// A report of the size of a real one: thousands of programs, variables and distinct vectors.
ReportData largeReport(int programs)
{
    auto d = sampleReport();
    RandomStream random(7);
    for (int i = 0; i < programs; ++i) {
        ProgramRow p;
        p.kind = "other";
        p.name = "layer_" + std::to_string(i) + "/part";
        p.op = 4;
        d.programs.push_back(p);
        VariableRow v;
        v.name = "tensor_" + std::to_string(i);
        v.dtype = "f16";
        v.shape = {i, 4};
        v.elements = 4 * i;
        std::vector<std::int64_t> bytes(1472);
        for (auto &b : bytes) b = static_cast<std::int64_t>(random.below(16)) * 64;
        v.bytesVec = i % 10 == 0 ? d.tileVecs.add(bytes) : kNone;
        d.variables.push_back(v);
    }
    return d;
}

} // namespace

class TstReportFile : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    std::filesystem::path path(char const *name) { return m_dir.filePath(name).toStdString(); }

private slots:
    void everyTableReadsBackAsItWasWritten()
    {
        auto const data = sampleReport();
        auto const file = path("round.twreport");
        auto const written = writeReport(file, data);
        QVERIFY2(written.ok(), written.ok() ? "" : toText(written.error()).c_str());
        auto const reader = ReportReader::open(file);
        QVERIFY2(reader.ok(), reader.ok() ? "" : toText(reader.error()).c_str());
        auto read = (*reader)->readAll();
        QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
        QCOMPARE(read->parts.size(), fileParts().size());
        read->parts.clear();
        QVERIFY(read->target == data.target);
        QVERIFY(read->ops == data.ops);
        QVERIFY(read->programs == data.programs);
        QVERIFY(read->variables == data.variables);
        QVERIFY(read->layouts == data.layouts);
        QVERIFY(read->tileLayout == data.tileLayout);
        QVERIFY(read->exchanges == data.exchanges);
        QVERIFY(read->tileVecs == data.tileVecs);
        QVERIFY(read->events == data.events);
        QVERIFY(read->seriesPoints == data.seriesPoints);
        QVERIFY(read->heatmapColumns == data.heatmapColumns);
        QVERIFY(*read == data);
        // Nothing is left beside it.
        QCOMPARE(QDir(m_dir.path()).entryList({"*round*"}, QDir::Files | QDir::Hidden).size(), 1);
    }
    void filesStateTheirKind()
    {
        auto const file = path("kind.twreport");
        QVERIFY(writeReport(file, sampleReport()).ok());
        auto const bytes = readFile(file);
        QVERIFY(bytes.ok());
        QCOMPARE(bytes->substr(68, 4), std::string("TWRP"));
        auto const reader = ReportReader::open(file);
        QCOMPARE((*reader)->version(), 200);
        QVERIFY(!(*reader)->isLive());
        QCOMPARE((*reader)->meta()->at("writer_version"), std::string("0.1.0"));
        QVERIFY(!(*reader)->meta()->count("host_writer"));
        QCOMPARE((*reader)->query("PRAGMA table_info(op)")->rows.empty(), false);
    }
    void threadsChangeNoByte()
    {
        auto const data = largeReport(3000);
        QVERIFY(writeReport(path("alone.twreport"), data).ok());
        for (int threads : {1, 2, 4}) {
            ThreadPool pool(threads);
            QVERIFY(writeReport(path("threads.twreport"), data, {&pool, nullptr}).ok());
            QVERIFY(*readFile(path("alone.twreport")) == *readFile(path("threads.twreport")));
        }
    }
    void cancelledWritesLeaveNoFile_data()
    {
        QTest::addColumn<int>("threads");
        for (int threads : {1, 4}) QTest::addRow("%d", threads) << threads;
    }
    void cancelledWritesLeaveNoFile()
    {
        QFETCH(int, threads);
        auto const data = largeReport(30000);
        ThreadPool pool(threads);
        std::stop_source source;
        JobContext job;
        job.stop = source.get_token();
        std::atomic<std::int64_t> asked{0};
        std::jthread const someTime([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            asked = std::chrono::steady_clock::now().time_since_epoch().count();
            source.request_stop();
        });
        auto const file = path("cancelled.twreport");
        auto const written = writeReport(file, data, {&pool, &job});
        auto const took = std::chrono::steady_clock::now().time_since_epoch() - std::chrono::steady_clock::duration(asked.load());
        QVERIFY(!written.ok());
        QCOMPARE(written.error().code, std::string("job.cancelled"));
        QVERIFY2(took < std::chrono::milliseconds(200), qPrintable(QString::number(std::chrono::duration<double>(took).count())));
        auto const reader = ReportReader::open(file);
        QVERIFY(reader.ok());
        QCOMPARE(*(*reader)->count("program"), 0);
        QCOMPARE(*(*reader)->count("tile_vec"), 0);
        QVERIFY(partNamed(*(*reader)->parts(), "program")->state != PartState::Complete);
    }
    void noRowMakesATableOfItsOwn()
    {
        // For a comparison with a long IN list, SQLite would fill an ephemeral table for each written row.
        auto db = Database::inMemory("schema");
        QVERIFY(db.ok());
        for (auto const &sql : reportSchema()) QVERIFY(db->execute(sql).ok());
        for (auto const &part : fileParts())
            for (auto const &table : part.tables) {
                auto columns = db->integer("SELECT count(*) FROM pragma_table_info('" + table + "')");
                QVERIFY(columns.ok());
                std::string marks = "?";
                for (std::int64_t i = 1; i < *columns; ++i) marks += ", ?";
                auto steps = db->prepare("EXPLAIN INSERT INTO " + table + " VALUES(" + marks + ")");
                QVERIFY2(steps.ok(), table.c_str());
                while (*steps->step()) QVERIFY2(steps->text(1) != "OpenEphemeral", table.c_str());
            }
    }
    void twoWritesGiveTheSameBytes()
    {
        QVERIFY(writeReport(path("a.twreport"), sampleReport()).ok());
        QVERIFY(writeReport(path("b.twreport"), sampleReport()).ok());
        QVERIFY(*readFile(path("a.twreport")) == *readFile(path("b.twreport")));
    }
    void emptyReportsAreReports()
    {
        auto const file = path("empty.twreport");
        QVERIFY(writeReport(file, {}).ok());
        auto const reader = ReportReader::open(file);
        QVERIFY(reader.ok());
        auto const parts = (*reader)->parts();
        QCOMPARE(parts->size(), std::size_t(10));
        for (auto const &part : *parts) QVERIFY(part.state == PartState::Absent);
        QVERIFY((*reader)->readAll().ok());
        QVERIFY((*reader)->target()->tilesPerIpu == 0);
    }
    void aFailedCompileWritesWhatItReached()
    {
        auto data = sampleReport();
        data.runs.clear();
        data.parts = {{"run", PartState::Absent, 0, 0, 0, "does not fit"},
                      {"liveness", PartState::Failed, 0, 0, 3, "stopped in allocation"}};
        ReportData reached;
        reached.target = data.target;
        reached.ops = data.ops;
        reached.stages = data.stages;
        reached.debugContexts = data.debugContexts;
        reached.parts = data.parts;
        auto const file = path("failed.twreport");
        QVERIFY(writeReport(file, reached).ok());
        auto const reader = ReportReader::open(file);
        auto const parts = (*reader)->parts();
        QVERIFY(partNamed(*parts, "graph")->state == PartState::Complete);
        QVERIFY(partNamed(*parts, "liveness")->state == PartState::Failed);
        QCOMPARE(partNamed(*parts, "liveness")->watermark, 3);
        QCOMPARE(partNamed(*parts, "run")->note, std::string("does not fit"));
        QVERIFY(partNamed(*parts, "program")->state == PartState::Absent);
    }
    void equalLayoutsShareOne()
    {
        auto data = sampleReport();
        data.layouts.add(data.layouts.packed(0));
        data.tileLayout[3] = 2;
        auto const file = path("layouts.twreport");
        QVERIFY(writeReport(file, data).ok());
        auto const reader = ReportReader::open(file);
        QCOMPARE(*(*reader)->count("layout"), 2);
        QCOMPARE(*(*reader)->tileLayouts(), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
    }
    /// Tiles with the same variables differ in the compiler's own bytes, which shift what lies above them.
    void layoutsWithTheSameVariablesAreStoredAsADifference()
    {
        auto data = sampleReport();
        auto const base = data.layouts.layout(0);
        auto shifted = base;
        shifted[0].bytes += 16;
        for (std::size_t i = 1; i + 1 < shifted.size(); ++i) shifted[i].offset += 16; // the last one is in the other region
        QCOMPARE(likenessOf(shifted), likenessOf(base));
        auto const difference = packDifference(shifted, 0, base);
        QVERIFY(difference);
        QVERIFY(difference->data.size() < packLayout(shifted).data.size() / 2);
        QCOMPARE(*baseOf(difference->data), 0);
        QVERIFY(*unpackDifference(difference->data, base) == shifted);
        auto other = shifted;
        other.back().bytes += 8;
        QVERIFY(!packDifference(other, 0, base));
        other = base;
        other[2].variable = 3;
        QVERIFY(likenessOf(other) != likenessOf(base));
        QVERIFY(!packDifference(other, 0, base));
        data.layouts.add(data.layouts.packed(0)); // a second number of the complete one, which the writer leaves out
        data.layouts.add(*packDifference(shifted, 2, base));
        data.tileLayout[2] = 3;
        auto const file = path("differences.twreport");
        QVERIFY(writeReport(file, data).ok());
        auto const reader = ReportReader::open(file);
        QCOMPARE(*(*reader)->count("layout"), 3);
        QCOMPARE(*(*reader)->tileLayouts(), (std::vector<int>{0, 0, 2, 0, 1, 1, 1, 1}));
        QVERIFY(*(*reader)->layout(2) == shifted);
        auto const read = (*reader)->readAll();
        QVERIFY(read.ok());
        QVERIFY(read->layouts.layout(2) == shifted);
        // Changing the complete one leaves the others as they are.
        auto layouts = read->layouts;
        layouts.set(0, std::span(base).first(2));
        QVERIFY(layouts.layout(2) == shifted);
        // A difference from a difference, or from nothing, is damage.
        for (auto const &[number, base2] : {std::pair(2, 2), {2, 7}}) {
            auto const broken = renumbered(*difference, base2);
            auto db = Database::open(file, Database::Mode::ReadWrite);
            auto statement = db->prepare("UPDATE layout SET data = ? WHERE id = ?");
            statement->bindBlob(1, broken.data);
            statement->bind(2, std::int64_t{number});
            QVERIFY(statement->run().ok());
            auto const damaged = ReportReader::open(file);
            QVERIFY(!(*damaged)->layout(2).ok());
            QVERIFY(!(*damaged)->readAll().ok());
        }
    }
    void reportsOfTheFirstFormatStayReadable()
    {
        auto const file = path("first.twreport");
        QVERIFY(writeReport(file, sampleReport()).ok()); // small blobs and complete layouts are as the first format has them
        {
            auto db = Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(db->execute("PRAGMA user_version = 100").ok());
        }
        auto const reader = ReportReader::open(file);
        QVERIFY(reader.ok());
        auto read = (*reader)->readAll();
        QVERIFY(read.ok());
        read->parts.clear();
        QVERIFY(*read == sampleReport());
    }
    void theLargestPairsAreKeptWithARemainder()
    {
        std::vector<ExchangePair> pairs;
        for (int i = 0; i < kExchangePairs + 10; ++i) pairs.push_back({i, i + 1, 1000 + i});
        auto const kept = decodePairs(encodePairs(pairs));
        QVERIFY(kept.ok());
        QCOMPARE(kept->size(), std::size_t(kExchangePairs + 1));
        QCOMPARE(kept->front(), (ExchangePair{kExchangePairs + 9, kExchangePairs + 10, 1000 + kExchangePairs + 9}));
        QCOMPARE(kept->back(), (ExchangePair{kNone, kNone, 10045})); // 1000 … 1009
        // Once more: the remainder stays the remainder.
        QVERIFY(*decodePairs(encodePairs(*kept)) == *kept);
    }
    /// Of 64 IPUs each has a curve over the steps of all, in most of which nothing changes there.
    void rarelyChangingColumnsAreStoredInRuns()
    {
        std::vector<std::int64_t> curve(100'000, 7), noise;
        for (std::size_t i = 3000; i < 3400; ++i) curve[i] = static_cast<std::int64_t>(i * i % 977);
        for (std::int64_t i = 0; i < 500; ++i) noise.push_back(i * i % 977);
        for (auto const &values :
             {curve, noise, std::vector<std::int64_t>{}, std::vector<std::int64_t>{5}, std::vector<std::int64_t>{0, 0}}) {
            auto const back = decodeIntegers(encodeIntegers(values));
            QVERIFY(back.ok());
            QVERIFY(*back == values);
        }
        QVERIFY2(encodeIntegers(curve).size() < 3000, qPrintable(QString::number(encodeIntegers(curve).size())));
        QCOMPARE(encodeIntegers(noise), report::PackedWriter(noise.size()).integers(noise).finish()); // as it always was
        // Runs that no writer produces.
        auto const blob = [](std::vector<std::int64_t> const &lengths) {
            return report::PackedWriter(lengths.size()).integers(lengths).integers(lengths).finish();
        };
        QCOMPARE(*decodeIntegers(blob({2, 1})), (std::vector<std::int64_t>{2, 2, 1}));
        for (std::vector<std::int64_t> const &lengths :
             {std::vector<std::int64_t>{0}, {-1}, {3, std::int64_t{1} << 62}, {report::kPackedItems, 1}})
            QCOMPARE(decodeIntegers(blob(lengths)).error().code, std::string("report.blob"));
    }
    void equalPairsAreReadIntoOneList()
    {
        auto data = sampleReport();
        auto const add = [&](ExchangePairs pairs) {
            auto row = data.exchanges.back();
            ++row.program;
            row.pairs = std::move(pairs);
            data.exchanges.push_back(std::move(row));
        };
        add(data.exchanges[0].pairs);
        add({{3, 7, 33}, {0, 4, 32}, {1, 5, 32}, {2, 6, 31}}); // largest first
        add({});
        auto const file = path("pairs.twreport");
        QVERIFY(writeReport(file, data).ok());
        auto const reader = ReportReader::open(file);
        auto const back = (*reader)->readAll();
        QVERIFY(back.ok());
        auto const &rows = back->exchanges;
        QCOMPARE(rows.size(), std::size_t(4));
        QVERIFY(rows == data.exchanges);
        QVERIFY(rows[1].pairs.sharesWith(rows[0].pairs));
        QVERIFY(!rows[2].pairs.sharesWith(rows[0].pairs));
        QVERIFY(rows[3].pairs.empty());
    }
    void longLanesAreCutIntoChunks()
    {
        auto data = sampleReport();
        LaneEvents many{0, 3, {}};
        for (int i = 0; i < 20000; ++i) many.events.add(10 * i, 7 + i % 2, 7, i);
        data.events[0] = many;
        auto const file = path("chunks.twreport");
        QVERIFY(writeReport(file, data).ok());
        auto const reader = ReportReader::open(file);
        auto const heads = (*reader)->chunkHeads(0, 3);
        QCOMPARE(heads->size(), std::size_t(3));
        QCOMPARE((*heads)[0].events, 8192);
        QCOMPARE((*heads)[0].longest, 8);
        QCOMPARE((*heads)[0].longestIndex, 1);
        QCOMPARE((*heads)[2].last, 199990 + 8);
        QVERIFY(*(*reader)->events(0, 3) == many.events);
        QVERIFY(checkReport(**reader)->empty());
    }
    void notANumberSurvives()
    {
        auto data = sampleReport();
        data.seriesPoints[0].y = {1.0, std::nan(""), 2.0};
        data.seriesPoints[1].y = {std::nan("")};
        auto const file = path("nan.twreport");
        QVERIFY(writeReport(file, data).ok());
        auto const reader = ReportReader::open(file);
        auto const points = (*reader)->points(0, 0, 100);
        QVERIFY(std::isnan(points->y[1]));
        QCOMPARE(points->y[2], 2.0);
        auto const heads = (*reader)->query("SELECT y_min, y_max, y_mean, nans FROM series_chunk ORDER BY series");
        QCOMPARE(std::get<double>(heads->rows[0][2]), 1.5);
        QCOMPARE(std::get<std::int64_t>(heads->rows[0][3]), 1);
        QVERIFY(std::holds_alternative<std::monostate>(heads->rows[1][0]));
    }
    /// Sums over a column of a damaged file must not overflow.
    void columnsAreLimitedToSumsWithoutOverflow()
    {
        auto const file = path("large.twreport");
        auto const read = [&](char const *change) -> std::string {
            if (!writeReport(file, sampleReport()).ok()) return "not written";
            {
                auto db = Database::open(file, Database::Mode::ReadWrite);
                if (!db->execute(change).ok()) return "not changed";
            }
            auto const reader = ReportReader::open(file);
            if (!reader.ok()) return toText(reader.error());
            auto const all = (*reader)->readAll();
            return all.ok() ? "read" : all.error().code + ": " + all.error().subject + " " + all.error().message;
        };
        QCOMPARE(read("UPDATE pattern_place SET repeats = 1000000000000"), std::string("read"));
        QCOMPARE(read("UPDATE pattern_place SET repeats = 9223372036854775807"),
                 std::string("store.corrupt: pattern_place.repeats a value of the file is too large"));
        QCOMPARE(read("UPDATE step_stat SET cycles = -9223372036854775807 - 1"),
                 std::string("store.corrupt: step_stat.cycles a value of the file is too large"));
        // Each alone can be valid; together they are not.
        auto const together = read("UPDATE step_stat SET cycles = 1 << 58");
        QVERIFY2(sampleReport().stepStats.size() > 2 && together.find("step_stat.cycles") != std::string::npos, together.c_str());
        QCOMPARE(read("UPDATE run SET host_start_ns = 1795668457634568257"), std::string("read"));
    }
    void newerVersionsAreRefusedPolitely()
    {
        auto const file = path("newer.twreport");
        QVERIFY(writeReport(file, sampleReport()).ok());
        {
            auto db = Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(db->execute("PRAGMA user_version = 301; UPDATE meta SET value = '7.5' WHERE key = 'writer_version'").ok());
        }
        auto const newer = ReportReader::open(file);
        QVERIFY(!newer.ok());
        QCOMPARE(newer.error().code, std::string("store.newer-version"));
        QVERIFY(newer.error().message.find("3.1") != std::string::npos);
        QVERIFY(newer.error().message.find("7.5") != std::string::npos);
        {
            // A newer minor version with things we do not know is read.
            auto db = Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(db->execute("PRAGMA user_version = 103; ALTER TABLE op ADD COLUMN mood TEXT; CREATE TABLE novelty(a)").ok());
        }
        auto const minor = ReportReader::open(file);
        QVERIFY(minor.ok());
        QVERIFY((*minor)->rows<OpRow>().ok());
    }
    void otherFileFormatsAreNamed()
    {
        QCOMPARE(ReportReader::open(path("none.twreport")).error().code, std::string("store.missing"));
        QVERIFY(writeFileAtomically(path("text.twreport"), std::string_view(std::string(5000, 'x'))).ok());
        QCOMPARE(ReportReader::open(path("text.twreport")).error().code, std::string("store.not-a-database"));
        QVERIFY(writeFileAtomically(path("zero.twreport"), std::string_view()).ok());
        QCOMPARE(ReportReader::open(path("zero.twreport")).error().code, std::string("store.wrong-kind"));
        QCOMPARE(ReportReader::open(m_dir.path().toStdString()).error().code, std::string("store.cannot-open"));
        auto const nowhere = writeReport(path("no/such/folder.twreport"), sampleReport());
        QVERIFY(!nowhere.ok());
        QCOMPARE(nowhere.error().code, std::string("store.cannot-open"));
    }
    void truncatedFilesAreErrorsNotCrashes()
    {
        auto const file = path("whole.twreport");
        QVERIFY(writeReport(file, sampleReport()).ok());
        auto const bytes = *readFile(file);
        int opened = 0;
        for (std::size_t keep : {std::size_t(1), std::size_t(50), std::size_t(100), bytes.size() / 4, bytes.size() / 2,
                                 bytes.size() - 16384, bytes.size() - 100}) {
            auto const cut = path("cut.twreport");
            QVERIFY(writeFileAtomically(cut, std::string_view(bytes).substr(0, keep)).ok());
            auto const reader = ReportReader::open(cut);
            if (!reader.ok()) continue;
            ++opened;
            auto const all = (*reader)->readAll();
            if (!all.ok()) QVERIFY(!all.error().code.empty());
        }
        std::printf("%d of 7 cuts still opened\n", opened);
    }
    void damagedPagesAreErrorsNotCrashes()
    {
        auto const file = path("good.twreport");
        QVERIFY(writeReport(file, sampleReport()).ok());
        auto const bytes = *readFile(file);
        RandomStream random(11);
        int refused = 0, read = 0;
        for (int round = 0; round < 150; ++round) {
            auto broken = bytes;
            for (int k = 0; k < 30; ++k) broken[100 + random.below(broken.size() - 100)] = static_cast<char>(random.next());
            auto const bad = path("bad.twreport");
            QVERIFY(writeFileAtomically(bad, std::string_view(broken)).ok());
            auto const reader = ReportReader::open(bad);
            if (!reader.ok()) {
                ++refused;
                continue;
            }
            auto const all = checkReport(**reader);
            if (all.ok()) ++read;
            else ++refused;
            (void)(*reader)->query("SELECT sum(duration) FROM events(0, 0, 0, 100000)").ok();
            (void)(*reader)->query("SELECT count(*) FROM placed(1), live_at(2, NULL)").ok();
        }
        std::printf("%d refused, %d read\n", refused, read);
        QVERIFY(refused > 0);
    }
    void theCorpusIsReadOrRefused()
    {
        int files = 0, packed = 0, twins = 0;
        // Copies, because opening a database can remove the files beside it.
        auto const folder = path("corpus");
        std::filesystem::copy(std::string(TILEWRIGHT_SOURCE_DIR) + "/tests/corpus/store", folder);
        std::vector<std::filesystem::directory_entry> entries;
        for (auto const &entry : std::filesystem::directory_iterator(folder)) entries.push_back(entry);
        for (auto const &entry : entries) {
            if (!std::filesystem::exists(entry.path())) continue;
            ++files;
            auto const extension = entry.path().extension();
            if (extension == ".packed") {
                auto const bytes = readFile(entry.path());
                QVERIFY(bytes.ok());
                auto const reader = PackedReader::open(*bytes);
                if (!reader.ok()) continue;
                ++packed;
                for (std::size_t c = 0; c < reader->columns(); ++c) QCOMPARE(reader->integers(c).size(), reader->items());
            } else if (extension == ".twreport") {
                QVERIFY2(!ReportReader::open(entry.path()).ok(), entry.path().c_str());
            } else {
                auto const project = readProject(entry.path());
                if (!project.ok()) continue;
                ++twins;
                QVERIFY(projectToJson(*project).ok());
            }
        }
        QVERIFY(files >= 20);
        QCOMPARE(packed, 3);
        QCOMPARE(twins, 2);
    }
    void wrongRowsAreInternalErrorsNotCrashes()
    {
        auto data = sampleReport();
        data.ops[0].level = "no such level";
        auto const status = writeReport(path("wrong.twreport"), data);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("store.constraint"));
        QVERIFY(status.error().kind == ErrorKind::Internal);
    }
    void writingIsQuick()
    {
        auto const data = largeReport(5000);
        auto const file = path("large.twreport");
        auto const begin = std::chrono::steady_clock::now();
        QVERIFY(writeReport(file, data).ok());
        auto const middle = std::chrono::steady_clock::now();
        auto const reader = ReportReader::open(file);
        QVERIFY(reader.ok() && (*reader)->parts().ok() && (*reader)->target().ok());
        auto const opened = std::chrono::steady_clock::now();
        QVERIFY((*reader)->readAll().ok());
        auto const end = std::chrono::steady_clock::now();
        auto const ms = [](auto a, auto b) { return std::chrono::duration<double, std::milli>(b - a).count(); };
        std::printf("10000 rows and 500 vectors: written in %.1f ms, opened in %.1f ms, read in %.1f ms, %lld bytes\n", ms(begin, middle),
                    ms(middle, opened), ms(opened, end), static_cast<long long>(std::filesystem::file_size(file)));
        QCOMPARE((*reader)->rows<ProgramRow>()->size(), data.programs.size());
    }
};

TW_REGISTER_TEST(TstReportFile);
#include "tst_report_file.moc"
