#include "engine/store/project_file.h"
#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/runcontrol/run_controller.h"
#include "views/runs/compare_pane.h"
#include "views/runs/compare_reports.h"
#include "views/runs/run_rows.h"
#include "views/runs/runs_view.h"
#include "views/runs/trash.h"
#include "views/plots/curve_panel.h"
#include "views/session/view.h"

#include <QAbstractItemModelTester>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

namespace {

QString factsOf(project::Project const &project, double cycles)
{
    QJsonObject parts;
    for (auto const &[name, text] : project::projectParts(project))
        parts.insert(QString::fromStdString(name), QString::fromStdString(text));
    return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("project"), parts},
                                                       {QStringLiteral("cycles_per_step"), cycles},
                                                       {QStringLiteral("loss"), 0.25},
                                                       {QStringLiteral("metrics"), QJsonObject{{QStringLiteral("accuracy"), 0.5}}},
                                                       {QStringLiteral("fits"), true}})
                                 .toJson());
}

/// A project with two runs and their reports in a folder of its own.
struct Bench {
    QTemporaryDir folder;
    Session session;
    std::unique_ptr<View> view;
    TablePane *table = nullptr;
    project::Project older = tests::mnist("gc200:tiles=8", tests::smallModel());
    project::Project newer = tests::mnist("gc200:tiles=16", tests::smallModel());
    std::size_t runs;
    /// The first is of the older project, the others of the newer one.
    explicit Bench(std::size_t count = 2) : runs(count)
    {
        auto const path = folder.filePath(QStringLiteral("digits.tilewright"));
        session.document().openProject(newer, {}, true);
        if (!session.document().save(path).ok()) qFatal("the project cannot be saved");
        int number = 0;
        for (std::size_t i = 0; i < runs; ++i) {
            auto const *project = i == 0 ? &older : &newer;
            auto const report = tests::compiledReport(project->target);
            QString const name = QStringLiteral("run%1.twreport").arg(number++);
            QFile::copy(report->path(), folder.filePath(name));
            auto const id = store::addRunRecord(path.toStdString(),
                                                {.startedUtc = "2026-11-21T10:00:00Z",
                                                 .title = "digits",
                                                 .kind = "train",
                                                 .state = "done",
                                                 .report = name.toStdString(),
                                                 .json = factsOf(*project, 1000.0 * number).toStdString()});
            if (!id.ok()) qFatal("%s", toText(id.error()).c_str());
            // The record's JSON is written when the run ends.
            (void)store::updateRunRecord(path.toStdString(),
                                         {.id = *id,
                                          .startedUtc = "2026-11-21T10:00:00Z",
                                          .title = "digits",
                                          .kind = "train",
                                          .state = "done",
                                          .report = name.toStdString(),
                                          .json = factsOf(*project, 1000.0 * number).toStdString()});
        }
        view.reset(runsView().create(session, nullptr));
        view->resize(1000, 800);
        view->show();
        session.reloadRuns();
        for (auto *pane : view->findChildren<TablePane *>())
            if (pane->tree().accessibleName() == QLatin1String("Runs")) table = pane;
    }
    bool ready() const
    {
        return session.runList().size() == runs && table->model().rowsInAll() >= static_cast<int>(runs) && view->isSettled();
    }
    void choose(int row) const { table->tree().setCurrentIndex(table->proxy().mapFromSource(table->model().indexOfRow(row))); }
    int column(QString const &title) const
    {
        for (int c = 0; c < table->model().columnCount(); ++c)
            if (table->model().headerData(c, Qt::Horizontal, Qt::DisplayRole).toString() == title) return c;
        return -1;
    }
    QString cell(int row, QString const &title) const { return table->model().indexOfRow(row, column(title)).data().toString(); }
    /// Of the report in a row: the newest run stands first.
    QString path(int row) const { return session.runList()[session.runList().size() - 1 - static_cast<std::size_t>(row)].report; }
    QToolButton *button(QString const &text) const
    {
        for (auto *one : view->findChildren<QToolButton *>())
            if (one->text() == text) return one;
        return nullptr;
    }
};

} // namespace

class TstRunsView : public QObject {
    Q_OBJECT
private slots:
    void runsAreListedNewestFirstWithTheirFigures()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        QAbstractItemModelTester const tester(&bench.table->model());
        auto const cell = [&](int row, char const *title) { return bench.cell(row, QLatin1String(title)); };
        QCOMPARE(cell(0, "Run"),
                 QStringLiteral("Run %1").arg(
                     bench.session.runList().size() == 2 ? std::max(bench.session.runList()[0].id, bench.session.runList()[1].id) : 0));
        QCOMPARE(cell(0, "Loss"), QStringLiteral("0.25"));
        QCOMPARE(cell(0, "Metrics"), QStringLiteral("accuracy 0.5"));
        QCOMPARE(cell(0, "Fits"), QStringLiteral("yes"));
        QVERIFY(!cell(0, "Report").isEmpty());
        // Read from the report's head, as the entry does not hold it.
        QVERIFY(!cell(0, "Worst tile (modelled)").isEmpty());
        QVERIFY(bench.view->headline().startsWith(QLatin1String("2 run(s)")));
    }

    void enterOpensAndPinningCompares()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        bench.choose(0);
        QTest::keyClick(&bench.table->tree(), Qt::Key_Return);
        QTRY_VERIFY(bench.session.report() && bench.session.report()->isWhole());
        bench.choose(1);
        QTest::mouseClick(bench.button(QStringLiteral("Pin as baseline")), Qt::LeftButton);
        QTRY_VERIFY(bench.session.baseline());
        auto *pane = bench.view->findChild<ComparePane *>();
        QTRY_VERIFY(pane->comparison());
        QAbstractItemModelTester const tester(&pane->table().model());
        QVERIFY(pane->comparison()->tilesByRank);
        QTRY_VERIFY(bench.view->headline().contains(QLatin1String(" against run ")));
        QVERIFY(bench.view->headline().contains(QLatin1String("cycles (modelled)")));
    }

    void restoreMakesTheProjectWhatItWasToTheByte()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        auto const before = project::projectParts(bench.session.document().project());
        QVERIFY(before != project::projectParts(bench.older));
        bench.choose(1);
        QTest::mouseClick(bench.button(QStringLiteral("Restore project")), Qt::LeftButton);
        QCOMPARE(project::projectParts(bench.session.document().project()), project::projectParts(bench.older));
        bench.session.document().undoStack().undo();
        QCOMPARE(project::projectParts(bench.session.document().project()), before);
    }

    void deletingAsksFirst()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        bench.choose(1);
        QString const path = bench.session.runList()[0].report;
        QVERIFY(QFile::exists(path));
        bench.view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(bench.view.get()));
        bench.table->tree().setFocus();
        QTest::keyClick(&bench.table->tree(), Qt::Key_Delete);
        QVERIFY(QFile::exists(path));
        auto *keep = bench.button(QStringLiteral("Keep"));
        QTRY_VERIFY(keep->isVisible());
        QTest::mouseClick(keep, Qt::LeftButton);
        QVERIFY(QFile::exists(path));
        auto const before = trash();
        QString const bin = bench.folder.filePath(QStringLiteral("bin.twreport"));
        trash() = [&](QString const &file) { return QFile::rename(file, bin); };
        auto const restore = qScopeGuard([&] { trash() = before; });
        QTest::mouseClick(bench.button(QStringLiteral("Delete report…")), Qt::LeftButton);
        QTest::mouseClick(bench.button(QStringLiteral("Delete")), Qt::LeftButton);
        QVERIFY(!QFile::exists(path));
        QVERIFY(QFile::exists(bin));
        QCOMPARE(bench.table->model().rowsInAll(), 2); // the run itself stays
    }

    /// A project may come from anywhere: a path in it opens and deletes nothing but reports of its own folders.
    void filesElsewhereAreShownAsMissing()
    {
        QTemporaryDir outside;
        QString const report = outside.filePath(QStringLiteral("foreign.twreport")), text = outside.filePath(QStringLiteral("letter.txt"));
        QVERIFY(QFile::copy(tests::compiledReport("gc200:tiles=8")->path(), report));
        QFile letter(text);
        QVERIFY(letter.open(QIODevice::WriteOnly) && letter.write("dear") == 4);
        letter.close();
        Bench bench;
        QTRY_VERIFY(bench.ready());
        QString const beside = bench.folder.filePath(QStringLiteral("notes.twreport"));
        QVERIFY(QFile::copy(text, beside));
        auto const project = bench.folder.filePath(QStringLiteral("digits.tilewright")).toStdString();
        for (auto const &name :
             {report, QDir(bench.folder.path()).relativeFilePath(report), text, beside, QStringLiteral("notes.twreport")})
            QVERIFY(store::addRunRecord(project, {.title = "named", .kind = "train", .state = "done", .report = name.toStdString()}).ok());
        bench.runs += 5;
        bench.session.reloadRuns();
        QTRY_VERIFY(bench.ready());
        for (int row = 0; row < 5; ++row) { // the newest come first
            bench.choose(row);
            for (auto const *word : {"Open report", "Pin as baseline", "Delete report…"})
                QVERIFY2(!bench.button(QString::fromUtf8(word))->isEnabled(), word);
            QTest::keyClick(&bench.table->tree(), Qt::Key_Return);
            QTest::keyClick(&bench.table->tree(), Qt::Key_Delete);
        }
        QVERIFY(!bench.session.report());
        QVERIFY(QFile::exists(report) && QFile::exists(text) && QFile::exists(beside));
        bench.choose(5);
        QVERIFY(bench.button(QStringLiteral("Open report"))->isEnabled());
    }

    void differencesOnlyHidesWhatIsTheSame()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        auto const rows = std::make_shared<std::vector<RunRow>>(2);
        (*rows)[0].id = 1;
        (*rows)[1].id = 2;
        (*rows)[0].title = (*rows)[1].title = QStringLiteral("same");
        (*rows)[0].loss = 0.5;
        (*rows)[1].loss = 0.25;
        auto const columns = runColumns(rows, {});
        auto const equal = equalColumns(columns, 2);
        for (int c = 0; c < static_cast<int>(columns.size()); ++c) {
            bool const hidden = std::ranges::find(equal, c) != equal.end();
            if (columns[static_cast<std::size_t>(c)].title == QLatin1String("Title")) QVERIFY(hidden);
            if (columns[static_cast<std::size_t>(c)].title == QLatin1String("Loss")) QVERIFY(!hidden);
        }
        QVERIFY(equalColumns(columns, 1).empty());
        // What no row has a value of is no column: reports from elsewhere bring no loss.
        auto const empty = emptyColumns(columns, 2);
        for (int c = 0; c < static_cast<int>(columns.size()); ++c) {
            bool const any =
                c < 2 || !columns[static_cast<std::size_t>(c)].text(0).isEmpty() || !columns[static_cast<std::size_t>(c)].text(1).isEmpty();
            QCOMPARE(std::ranges::find(empty, c) == empty.end(), any);
        }
    }

    void comparisonsReadFromTheBaselineOrTheOldest()
    {
        // As the list has them: runs with the newest first, then reports from elsewhere, here a compile that is the newest of all.
        std::vector<RunRow> rows(3);
        auto const set = [&](std::size_t i, int id, char const *started, char const *report) {
            rows[i].id = id;
            rows[i].started = QLatin1String(started);
            rows[i].report = QLatin1String(report);
        };
        set(0, 2, "2026-11-27T10:00:00Z", "two");
        set(1, 1, "2026-11-27T09:00:00Z", "one");
        set(2, 0, "2026-11-27T11:30:00+01:00", "compile"); // 10:30 UTC
        for (auto const &picked : {QStringList{"one", "two", "compile"}, QStringList{"compile", "two", "one"}})
            QCOMPARE(comparisonOrder(rows, picked, {}), (std::vector{1, 0, 2}));
        QCOMPARE(comparisonOrder(rows, {"one", "two", "compile"}, QStringLiteral("two")), (std::vector{0, 1, 2})); // the baseline first
        QCOMPARE(comparisonOrder(rows, {"compile", "one"}, QStringLiteral("two")), (std::vector{1, 2}));
        rows[2].started.clear(); // not known yet
        QCOMPARE(comparisonOrder(rows, {"compile", "one"}, {}), (std::vector{1, 2}));
    }

    void runsThatAreChosenAreCompared()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        bench.table->tree().selectAll();
        auto *pane = bench.view->findChild<ComparePane *>();
        QTRY_VERIFY(pane->comparison());
        QVERIFY(pane->isVisible());
        QVERIFY2(bench.view->headline().contains(QLatin1String("2 run(s) compared")), qPrintable(bench.view->headline()));
        // The older one comes first; columns carry the names of the runs.
        QCOMPARE(pane->table().model().headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("Run %1").arg(bench.session.runList()[0].id));
        QVERIFY(!pane->comparison()->rows.empty());
        // A run has the colour of its curve, older ones first; nothing else has one.
        auto const swatch = [&](int row) { return bench.table->model().indexOfRow(row, 0).data(Qt::DecorationRole).value<QColor>(); };
        QCOMPARE(swatch(1), theme()[curveToken(0)]);
        QCOMPARE(swatch(0), theme()[curveToken(1)]);
        QVERIFY(bench.table->tree().selectionModel()->selectedRows().size() >= 2);
        bench.table->tree().clearSelection();
        QTRY_VERIFY(!bench.view->headline().contains(QLatin1String("compared")));
    }

    void threeRunsHaveAColumnEach()
    {
        Bench bench(3);
        QTRY_VERIFY(bench.ready());
        bench.table->tree().selectAll();
        auto *pane = bench.view->findChild<ComparePane *>();
        QTRY_COMPARE(pane->compared().size(), std::size_t(3));
        auto const &model = pane->table().model();
        for (int run = 0; run < 3; ++run)
            QCOMPARE(model.headerData(2 + run, Qt::Horizontal, Qt::DisplayRole).toString(),
                     QStringLiteral("Run %1").arg(bench.session.runList()[static_cast<std::size_t>(run)].id));
        QVERIFY2(bench.view->headline().contains(QLatin1String("3 run(s) compared: "))
                     && bench.view->headline().contains(QLatin1String("from the first")),
                 qPrintable(bench.view->headline()));
        // The second and the third are of one project: they differ from the first by the same.
        int compared = 0;
        for (int row = 0; row < model.rowsInAll(); ++row) {
            if (!model.indexOfRow(row).parent().isValid()) continue;
            QCOMPARE(model.indexOfRow(row, 3).data().toString(), model.indexOfRow(row, 4).data().toString());
            compared += model.indexOfRow(row, 2).data().toString() != model.indexOfRow(row, 3).data().toString();
        }
        QVERIFY(compared > 3);
    }

    void whatIsNotComparedIsSaid()
    {
        Bench bench(9);
        QTRY_VERIFY(bench.ready());
        bench.table->tree().selectAll();
        QTRY_VERIFY2(bench.view->headline().contains(QLatin1String("8 run(s) compared"))
                         && bench.view->headline().contains(QLatin1String("1 more not shown")),
                     qPrintable(bench.view->headline()));
    }

    void aCompileAloneIsNoRun()
    {
        RunRow row;
        row.report = QStringLiteral("/somewhere/20261124-232932.twreport");
        row.kind = QStringLiteral("profile");
        QVERIFY(isCompile(row));
        QCOMPARE(row.name(), QStringLiteral("Compile only"));
        row.kind = QStringLiteral("train");
        QCOMPARE(row.name(), QStringLiteral("20261124-232932.twreport"));
        // What a run's entry leaves out is read from its report: worst tiles are all said alike.
        row.cyclesPerStep = row.worstBytes = 1;
        row.fits = true;
        QVERIFY(lacksFigures(row));
        row.capacity = 2;
        QVERIFY(!lacksFigures(row));
    }

    void notesOutliveLayoutUndoAndRestoring()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        bench.choose(0);
        auto const id = bench.session.runList().back().id;
        auto &document = bench.session.document();
        QLineEdit *notes = nullptr;
        for (auto *edit : bench.view->findChildren<QLineEdit *>())
            if (edit->placeholderText() == QLatin1String("Notes")) notes = edit;
        notes->setFocus();
        QTest::keyClicks(notes, QStringLiteral("half the batch"));
        QTest::keyClick(notes, Qt::Key_Return);
        auto const kept = [&] {
            auto const &runs = document.project().notes.runs;
            auto const it = runs.find(id);
            return it == runs.end() ? std::string() : it->second.notes;
        };
        QCOMPARE(kept(), std::string("half the batch"));
        QVERIFY(document.isModified());
        document.setLayout(R"({"pins":{"dense":[1,2]}})"); // the canvas pins a layer: its layout is written anew
        QCOMPARE(kept(), std::string("half the batch"));
        QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("7")).ok());
        document.undoStack().undo();
        QCOMPARE(kept(), std::string("half the batch"));
        bench.choose(1);
        QTest::mouseClick(bench.button(QStringLiteral("Restore project")), Qt::LeftButton);
        QCOMPARE(kept(), std::string("half the batch"));
        QVERIFY(document.save(document.path()).ok());
        Document again(bench.session.jobs());
        QVERIFY(again.openFile(document.path()).ok());
        QCOMPARE(again.project().notes.runs.at(id).notes, std::string("half the batch"));
    }

    /// A run that ends stands above the others: what is typed for another run stays with that one.
    void notesStayWithTheRunTheyWereTypedFor()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        bench.choose(0);
        auto const id = bench.session.runList().back().id;
        auto &document = bench.session.document();
        QLineEdit *notes = nullptr;
        for (auto *edit : bench.view->findChildren<QLineEdit *>())
            if (edit->placeholderText() == QLatin1String("Notes")) notes = edit;
        notes->setFocus();
        QTest::keyClicks(notes, QStringLiteral("half the "));
        QVERIFY(store::addRunRecord(document.path().toStdString(), {.startedUtc = "2026-11-21T11:00:00Z", .kind = "train", .state = "done"})
                    .ok());
        bench.session.reloadRuns();
        QTRY_COMPARE(bench.table->model().rowsInAll(), 3);
        QCOMPARE(bench.table->currentRow(), 1);
        QTest::keyClicks(notes, QStringLiteral("batch"));
        QTest::keyClick(notes, Qt::Key_Return);
        QCOMPARE(document.project().notes.runs.at(id).notes, std::string("half the batch"));
        QCOMPARE(document.project().notes.runs.size(), std::size_t(1));
        // What is typed and not yet handed over goes to its run when another one is chosen.
        QTest::keyClicks(notes, QStringLiteral(" size"));
        bench.table->tree().setCurrentIndex(bench.table->proxy().mapFromSource(bench.table->model().indexOfRow(0)));
        QCOMPARE(document.project().notes.runs.at(id).notes, std::string("half the batch size"));
        QCOMPARE(notes->text(), QString());
    }
    void aPinHoldsUntilItIsRemoved()
    {
        Bench bench(3);
        QTRY_VERIFY(bench.ready());
        auto &session = bench.session;
        auto const open = [&](int row) {
            emit bench.table->rowActivated(row);
            QString const path = bench.path(row);
            QTRY_VERIFY(session.report() && session.report()->path() == path && session.report()->isWhole());
        };
        auto const pin = [&] {
            for (auto *one : bench.view->findChildren<QToolButton *>())
                if (one->isCheckable() && one->text().contains(QLatin1String("baseline"))) return one;
            return static_cast<QToolButton *>(nullptr);
        };
        open(2);
        open(1);
        // The report before this one is the baseline by itself: no pin, and pressing Pin pins it.
        QTRY_COMPARE(session.baseline()->path(), bench.path(2));
        bench.choose(2);
        QVERIFY(!session.isBaselinePinned() && !pin()->isChecked());
        QTest::mouseClick(pin(), Qt::LeftButton);
        QTRY_VERIFY(session.isBaselinePinned());
        QCOMPARE(session.baseline()->path(), bench.path(2));
        QTRY_VERIFY(pin()->isChecked());
        open(0);
        open(1);
        QCOMPARE(session.baseline()->path(), bench.path(2));
        session.closeReport();
        QCOMPARE(session.baseline()->path(), bench.path(2));
        open(0);
        open(2); // with itself it is not compared
        QCOMPARE(session.baseline()->path(), bench.path(2));
        bench.choose(2);
        QTest::mouseClick(pin(), Qt::LeftButton);
        QVERIFY(!session.isBaselinePinned());
        open(1);
        QCOMPARE(session.baseline()->path(), bench.path(2)); // by itself again
    }
    /// The run of this window has as many steps here as in the status strip, before its report follows.
    void theRunOfThisWindowCountsItsSteps()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        auto &document = bench.session.document();
        QVERIFY(document.setField(QStringLiteral("training.epochs"), QStringLiteral("100000")).ok());
        QVERIFY(document.save(document.path()).ok());
        auto &runs = bench.session.runs();
        runs.train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(runs.live().step > 0, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.session.runList().running() && bench.session.runList().running()->life == Run::Life::Live, 20000);
        runs.pause();
        QTRY_VERIFY(runs.isPaused());
        QTRY_COMPARE(bench.cell(0, QStringLiteral("Steps")), QLocale().toString(static_cast<qlonglong>(runs.live().step)));
        runs.step();
        runs.step();
        QTRY_COMPARE(bench.cell(0, QStringLiteral("Steps")), QLocale().toString(static_cast<qlonglong>(runs.live().step)));
        runs.stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Idle, 20000);
    }
    void theRunningRunComesFirstAndFailedOnesSayWhy()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        auto const path = bench.session.document().path().toStdString();
        store::RunRecord const running{
            .startedUtc = "2026-11-21T11:00:00Z", .kind = "train", .state = "running", .json = store::runningFacts()};
        store::RunRecord const failed{.startedUtc = "2026-11-21T12:00:00Z",
                                      .kind = "train",
                                      .state = "failed",
                                      .json = R"({"error":"the model has no layers","error_code":"x.y","error_subject":"model"})"};
        auto const first = store::addRunRecord(path, running);
        QVERIFY(first.ok() && store::addRunRecord(path, failed).ok());
        store::RunRecord killed = running;
        killed.json = R"({"process":"1 1 gone"})";
        QVERIFY(store::addRunRecord(path, killed).ok());
        bench.session.reloadRuns();
        QTRY_COMPARE(bench.table->model().rowsInAll(), 5);
        QCOMPARE(bench.cell(0, QStringLiteral("Run")), QStringLiteral("Run %1").arg(*first));
        QCOMPARE(bench.cell(0, QStringLiteral("State")), QStringLiteral("Running in its own process")); // not in this window
        QVERIFY2(bench.view->headline().startsWith(QStringLiteral("Run %1 is running").arg(*first)), qPrintable(bench.view->headline()));
        QCOMPARE(bench.cell(2, QStringLiteral("State")), QStringLiteral("Failed"));
        QVERIFY2(bench.cell(2, QStringLiteral("Reason")).contains(QLatin1String("has no layers")),
                 qPrintable(bench.cell(2, QStringLiteral("Reason"))));
        QCOMPARE(bench.cell(3, QStringLiteral("Reason")), QString());
        // Tags and notes are columns wherever a run has any.
        auto all = bench.session.document().project().notes;
        all.setRun(*first, {"fast", "a new optimizer"});
        bench.session.document().setNotes(all);
        bench.view->refreshNow();
        QCOMPARE(bench.cell(0, QStringLiteral("Tags")), QStringLiteral("fast"));
        QCOMPARE(bench.cell(0, QStringLiteral("Notes")), QStringLiteral("a new optimizer"));
        for (auto const *title : {"Tags", "Notes", "Reason"})
            QVERIFY(!bench.table->tree().isColumnHidden(bench.column(QLatin1String(title))));
    }
    void unfinishedRunsAreNotCompared()
    {
        auto const made = [](char const *state, double loss) {
            report::ReportData data;
            report::RunRow run;
            run.kind = "train";
            run.state = state;
            data.runs.push_back(run);
            return std::pair(data, loss);
        };
        auto const [done, good] = made("done", 0.1);
        auto const [stopped, bad] = made("stopped", 0.9);
        ComparedReport const a{done, {}, {}, {{QStringLiteral("loss"), good}}}, b{stopped, {}, {}, {{QStringLiteral("loss"), bad}}};
        auto const both = compareReports(a, a), one = compareReports(a, b);
        QVERIFY(unfinishedText(both).isEmpty());
        QVERIFY(!unfinishedText(one).isEmpty());
        QCOMPARE(one.rows.size(), std::size_t(1));
        QCOMPARE(one.rows[0].verdict(), 0);
        QVERIFY(!compareHeadline(one, done, stopped).contains(QLatin1String("loss")));
        auto const finished = compareReports(b, ComparedReport{stopped, {}, {}, {{QStringLiteral("loss"), 0.5}}});
        QCOMPARE(finished.rows[0].verdict(), 0);
        auto const judged = compareReports(a, ComparedReport{done, {}, {}, {{QStringLiteral("loss"), 0.5}}});
        QCOMPARE(judged.rows[0].verdict(), -1);
    }
    void withoutATrashDeletingForGoodNeedsAWordOfItsOwn()
    {
        Bench bench;
        QTRY_VERIFY(bench.ready());
        auto const before = trash();
        trash() = [](QString const &) { return false; };
        auto const restore = qScopeGuard([&] { trash() = before; });
        bench.choose(1);
        QString const path = bench.session.runList()[0].report;
        QTest::mouseClick(bench.button(QStringLiteral("Delete report…")), Qt::LeftButton);
        QTest::mouseClick(bench.button(QStringLiteral("Delete")), Qt::LeftButton);
        QVERIFY(QFile::exists(path));
        auto *forGood = bench.button(QStringLiteral("Delete for good"));
        QVERIFY(forGood && forGood->isVisible());
        QTest::mouseClick(forGood, Qt::LeftButton);
        QVERIFY(!QFile::exists(path));
    }

    void aRunWithoutItsProjectSaysSo()
    {
        Run entry;
        entry.json = QStringLiteral("{}");
        QVERIFY(!projectOfRun(entry).ok());
        QVERIFY(!runRow(entry).hasProject);
        entry.json = QStringLiteral("broken");
        QVERIFY(!runRow(entry).loss);
    }
};

TW_REGISTER_TEST(TstRunsView);
#include "tst_runs_view.moc"
