#include "tests/support/test_registry.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_file.h"
#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"

#include "engine/compiler/compile.h"
#include "engine/project/project.h"
#include "engine/runtime/run_report.h"
#include "engine/store/report_writer.h"
#include "engine/store/sqlite.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <thread>

using namespace tilewright;
using namespace tilewright::views;

/// The file behind snapshots: bounded, shared by threads, followed while it grows.
class TstReportCache : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_report;

    static Kept<std::vector<std::int64_t>> vec(ReportFile const &file, int id)
    {
        return file.block<std::vector<std::int64_t>>({'v', id, 0, 0, {}, 0},
                                                     [id](store::ReportReader const &reader) { return reader.tileVec(id); });
    }

private slots:
    void initTestCase()
    {
        auto project = project::withField(*project::fromTemplate("mnist-mlp"), "system.target", "gc200:tiles=32", nullptr);
        compiler::CompileRequest request;
        request.forReport = true;
        request.useCache = false;
        auto const compiled = compiler::compile(*project, request, {});
        QVERIFY(compiled.ok());
        m_report = m_folder.filePath(QStringLiteral("r.twreport"));
        QVERIFY(runtime::writeCompileReport(m_report.toStdString(), *project, *compiled).ok());
    }
    void theCacheIsBoundedAndWhatIsHeldStays()
    {
        auto const file = ReportFile::open(m_report.toStdString());
        QVERIFY(file.ok());
        auto const first = vec(**file, 0);
        auto const copy = *first;
        QVERIFY(!copy.empty());
        std::size_t const one = (*file)->cachedBytes();
        QVERIFY(one > 0);
        (*file)->setCacheLimit(4 * one);
        int const vectors = *(*file)->reader()->tileVecCount();
        QVERIFY(vectors > 8);
        for (int id = 0; id < vectors; ++id) (void)vec(**file, id);
        QVERIFY((*file)->cachedBytes() <= 5 * one);
        QCOMPARE(*first, copy); // dropped by the cache, held by us
        QCOMPARE(*vec(**file, 0), copy);
    }
    void manyThreadsReadTheSameAsOne()
    {
        auto const file = ReportFile::open(m_report.toStdString());
        QVERIFY(file.ok());
        (*file)->setCacheLimit(2000); // so that blocks go and come all the time
        int const vectors = *(*file)->reader()->tileVecCount();
        std::vector<std::vector<std::int64_t>> expected;
        for (int id = 0; id < vectors; ++id) expected.push_back(*vec(**file, id));
        std::atomic<int> wrong = 0;
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&, t] {
                    for (int i = 0; i < 200; ++i) {
                        int const id = (i * 7 + t * 3) % vectors;
                        if (*vec(**file, id) != expected[static_cast<std::size_t>(id)]) ++wrong;
                    }
                });
        }
        QCOMPARE(wrong.load(), 0);
    }
    void removedOrReplacedFilesStayReadable()
    {
        QString const path = m_folder.filePath(QStringLiteral("gone.twreport"));
        QVERIFY(QFile::copy(m_report, path));
        auto const report = ReportSnapshot::open(path, {});
        QVERIFY(report.ok());
        auto const expected = ReportSnapshot::open(m_report, {});
        QVERIFY(QFile::remove(path));
        QFile other(path);
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write("something else");
        other.close();
        auto const &sets = (*report)->data().computeSets;
        QVERIFY(!sets.empty());
        std::vector<std::jthread> threads; // more readers than are open
        std::atomic<int> wrong = 0;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&] {
                for (auto const &row : sets)
                    if (*(*report)->tileVec(row.cyclesVec) != *(*expected)->tileVec(row.cyclesVec)) ++wrong;
            });
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }
    void growingReportsAreFollowedIncrementally()
    {
        auto const whole = store::ReportReader::open(m_report.toStdString());
        QVERIFY(whole.ok());
        auto data = *(*whole)->readAll();
        std::string const path = m_folder.filePath(QStringLiteral("live.twreport")).toStdString();
        auto writer = store::ReportWriter::create(path);
        QVERIFY(writer.ok());
        QVERIFY(writer->write(data).ok());
        auto const run = writer->addRun({});
        QVERIFY(run.ok());
        auto const series = writer->addSeries({*run, "loss", "", "step"});
        QVERIFY(series.ok());
        for (int i = 0; i < 100; ++i) QVERIFY(writer->appendPoint(*series, i, i * 0.5).ok());
        QVERIFY(writer->flush().ok());
        auto first = ReportSnapshot::open(QString::fromStdString(path), {});
        QVERIFY(first.ok());
        QVERIFY((*first)->isLive());
        QCOMPARE((*first)->points(*series).x.size(), std::size_t(100));
        // Nothing came: the same picture.
        auto same = ReportSnapshot::follow(*first, {});
        QVERIFY(same.ok());
        QCOMPARE(same->get(), first->get());
        for (int i = 100; i < 9000; ++i) QVERIFY(writer->appendPoint(*series, i, i * 0.5).ok()); // across a chunk
        QVERIFY(writer->addLog({}).ok());
        QVERIFY(writer->flush().ok());
        auto next = ReportSnapshot::follow(*first, {});
        QVERIFY(next.ok());
        QVERIFY(next->get() != first->get());
        auto const points = (*next)->points(*series);
        QCOMPARE(points.x.size(), std::size_t(9000));
        for (std::size_t i = 0; i < points.x.size(); ++i)
            QVERIFY(points.x[i] == static_cast<std::int64_t>(i) && points.y[i] == static_cast<double>(i) * 0.5);
        QCOMPARE((*next)->data().log.size(), (*first)->data().log.size() + 1);
        QCOMPARE((*first)->points(*series).x.size(), std::size_t(100)); // a picture stays as it was
        QCOMPARE((*next)->data().programs, (*first)->data().programs);
        // The end: one plain file, although we read it.
        QVERIFY(writer->finish().ok());
        auto last = ReportSnapshot::follow(*next, {});
        QVERIFY(last.ok());
        QVERIFY(!(*last)->isLive());
        QVERIFY(!QFile::exists(QString::fromStdString(path) + QStringLiteral("-wal")));
        QVERIFY(!QFile::exists(QString::fromStdString(path) + QStringLiteral("-shm")));
        QCOMPARE((*last)->points(*series).x.size(), std::size_t(9000));
    }
    void immediateRequestsDoNotReadOnTheWindowsThread_data()
    {
        QTest::addColumn<int>("tiles");
        QTest::addColumn<bool>("liveness");
        QTest::newRow("a program that fits") << 32 << true;
        QTest::newRow("one that does not") << 1 << true;
        QTest::newRow("one whose liveness never got into the file") << 32 << false;
    }
    void immediateRequestsDoNotReadOnTheWindowsThread()
    {
        QFETCH(int, tiles);
        QFETCH(bool, liveness);
        auto const project =
            project::withField(*project::fromTemplate("mnist-mlp"), "system.target", "gc200:tiles=" + std::to_string(tiles), nullptr);
        compiler::CompileRequest request;
        request.forReport = true;
        request.useCache = false;
        auto const compiled = compiler::compile(*project, request, {});
        QVERIFY(compiled.ok());
        QCOMPARE(compiled->outOfMemory.has_value(), tiles == 1);
        auto const path = m_folder.filePath(QStringLiteral("asked.twreport"));
        QVERIFY(runtime::writeCompileReport(path.toStdString(), *project, *compiled).ok());
        if (!liveness)
            QVERIFY(store::Database::open(path.toStdString(), store::Database::Mode::ReadWrite)
                        ->execute("DELETE FROM liveness_step; DELETE FROM live_curve")
                        .ok());
        auto const report = ReportSnapshot::open(path, {});
        QVERIFY(report.ok());
        int const before = ReportFile::windowReads();
        (void)(*report)->liveCurve("all", 0);
        for (auto const &metric : (*report)->data().tileMetrics) (void)(*report)->tileMetric(metric.name.c_str());
        QVERIFY2(ReportFile::windowReads() == before, ReportFile::lastWindowRead().c_str());
    }
    void lineagesComeFromAJobAndOnlyTheLastCounts()
    {
        JobRunner jobs;
        Selection selection(&jobs);
        auto const report = ReportSnapshot::open(m_report, {});
        QVERIFY(report.ok());
        selection.setReport(*report);
        QSignalSpy changed(&selection, &Selection::changed), traced(&selection, &Selection::lineageChanged);
        int const before = ReportFile::windowReads();
        for (int tile = 0; tile < 20; ++tile) selection.selectIds(SelectionKind::Tile, {tile});
        QCOMPARE(changed.count(), 20);
        QVERIFY(selection.isTracing());
        QVERIFY(selection.lineage().empty());
        QTRY_VERIFY(!selection.isTracing());
        QCOMPARE(traced.count(), 1);
        QVERIFY(Lineage::has(selection.lineage().tiles, 19));
        QCOMPARE(Lineage::count(selection.lineage().tiles), 1);
        QCOMPARE(ReportFile::windowReads() - before, 0);
        // When a report is closed meanwhile, results about it are dropped.
        selection.selectIds(SelectionKind::Tile, {3});
        selection.setReport(nullptr);
        QVERIFY(!selection.isTracing());
        QTRY_VERIFY(!jobs.busy());
        QVERIFY(selection.lineage().empty());
    }
    void noReportReadsAsOneWithoutRows()
    {
        ReportPtr const none;
        QVERIFY(!none);
        QVERIFY(none->data().ops.empty());
        QCOMPARE(none->tiles(), 0);
        QVERIFY(none->title().isEmpty());
        QVERIFY(none->tileMetric("with_gaps").empty());
        QCOMPARE(none->layerOp(3), -1);
        QVERIFY(none->programsOfOp(0).empty());
    }
};

TW_REGISTER_TEST(TstReportCache);
#include "tst_report_cache.moc"
