#include "engine/report/quantities.h"
#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/table_model.h"
#include "views/program/program_view.h"
#include "views/session/selection.h"
#include "views/session/view.h"
#include "views/subjects/links.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

namespace {

struct Bench {
    Session session;
    std::unique_ptr<View> view;
    TablePane *table = nullptr;
    explicit Bench(std::shared_ptr<ReportSnapshot const> const &report = tests::compiledReport())
    {
        view.reset(programView().create(session, nullptr));
        view->resize(1000, 700);
        view->show();
        session.showReport(report);
        view->refreshNow();
        QCoreApplication::processEvents();
        table = view->findChild<TablePane *>();
    }
    int rowNamed(QString const &part) const
    {
        for (int row = 0; row < table->model().rowsInAll(); ++row)
            if (table->model().indexOfRow(row).data().toString().contains(part)) return row;
        return -1;
    }
};

} // namespace

class TstProgramView : public QObject {
    Q_OBJECT
private slots:
    void theModelIsSound()
    {
        Bench bench;
        QAbstractItemModelTester const tester(&bench.table->model());
        QAbstractItemModelTester const proxy(&bench.table->proxy());
        QVERIFY(bench.table->model().rowsInAll() > 20);
        QVERIFY(bench.view->headline().contains(QLatin1String("steps in")));
        QVERIFY(bench.view->headline().contains(QLatin1String("modelled")));
    }

    /// The table counts program steps as the headline and Summary do: control flow and functions have rows, but are no steps.
    void theTableCountsTheStepsOfTheHeadline()
    {
        Bench bench;
        auto const steps = report::programSteps(bench.session.report()->data());
        QVERIFY(bench.table->model().rowsInAll() > steps);
        QVERIFY(bench.view->headline().contains(QStringLiteral("%1 program steps").arg(steps)));
        QStringList said;
        for (auto const *label : bench.table->findChildren<QLabel *>()) said << label->text();
        QVERIFY2(said.filter(QStringLiteral("%1 program step").arg(steps)).size() == 1, qPrintable(said.join(u'|')));
        bench.table->setFilterText(QStringLiteral("dense"));
        said.clear();
        for (auto const *label : bench.table->findChildren<QLabel *>()) said << label->text();
        QVERIFY2(said.filter(QStringLiteral(" of %1 program step").arg(steps)).size() == 1, qPrintable(said.join(u'|')));
    }

    void enterShowsTheStepInTime()
    {
        Bench bench;
        int const row = bench.rowNamed(QStringLiteral("Convolve"));
        QVERIFY(row >= 0);
        auto &tree = bench.table->tree();
        tree.expandAll();
        tree.setCurrentIndex(bench.table->proxy().mapFromSource(bench.table->model().indexOfRow(row)));
        QSignalSpy asked(&bench.session, &Session::viewRequested);
        QTest::keyClick(&tree, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.first().first().toString(), QStringLiteral("execution"));
        QCOMPARE(bench.session.selection().current().kind, SelectionKind::Program);
    }

    void clickingAStepSelectsItsProgramAndDescribesIt()
    {
        Bench bench;
        auto &tree = bench.table->tree();
        tree.expandAll();
        int const row = bench.rowNamed(QStringLiteral("Convolve"));
        auto const index = bench.table->proxy().mapFromSource(bench.table->model().indexOfRow(row));
        tree.scrollTo(index);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(index).center());
        QCOMPARE(bench.session.selection().current().kind, SelectionKind::Program);
        auto const program = bench.session.selection().current().ids.front();
        QVERIFY(bench.session.report()->data().programs[static_cast<std::size_t>(program)].name.find("Convolve") != std::string::npos);
        QCoreApplication::processEvents();
        bool vertices = false;
        for (auto *label : bench.view->findChildren<QLabel *>()) vertices = vertices || label->text() == QLatin1String("Vertices");
        QVERIFY(vertices);
    }

    void theLayerOfAnotherViewMarksItsSteps()
    {
        Bench bench;
        bench.session.selection().selectLayer(QStringLiteral("dense_1"));
        QTRY_VERIFY(!bench.table->selectedRows().empty());
        auto const &lineage = bench.session.selection().lineage();
        auto const &d = bench.session.report()->data();
        int expected = 0;
        for (std::size_t p = 0; p < d.programs.size(); ++p) expected += lineage.programs[p] && !report::isControlKind(d.programs[p].kind);
        QCOMPARE(static_cast<int>(bench.table->selectedRows().size()), expected);
    }

    void searchKeepsAncestors()
    {
        Bench bench;
        bench.view->startSearch();
        auto *filter = bench.table->findChild<QLineEdit *>();
        QVERIFY(filter->hasFocus());
        QTest::keyClicks(filter, QStringLiteral("Convolve"));
        auto const &proxy = bench.table->proxy();
        QVERIFY(proxy.rowCount() >= 1);
        auto const row = bench.table->model().indexOfRow(bench.rowNamed(QStringLiteral("Convolve")));
        QVERIFY(proxy.mapFromSource(row).isValid());
        QVERIFY(proxy.mapFromSource(row.parent()).isValid());
        QVERIFY(!proxy.mapFromSource(bench.table->model().indexOfRow(bench.rowNamed(QStringLiteral("infeed")))).isValid());
    }

    void anotherProgramIsShownBeside()
    {
        Bench bench;
        auto const &model = bench.table->model();
        int const columns = model.columnCount(), rows = model.rowsInAll();
        bench.session.setBaseline(
            tests::compiledReport("gc200:tiles=16", tests::smallModel({{"model.layers.dense_1.activation", "tanh"}})));
        bench.view->refreshNow();
        QAbstractItemModelTester const tester(&bench.table->model());
        QCOMPARE(model.columnCount(), columns + 3);
        QVERIFY(model.rowsInAll() > rows);
        QVERIFY2(bench.view->headline().contains(QLatin1String("per step: ")), qPrintable(bench.view->headline()));
        QVERIFY2(bench.view->headline().contains(QLatin1String("added")) && bench.view->headline().contains(QLatin1String("removed")),
                 qPrintable(bench.view->headline()));
        auto const cell = [&](QString const &part, int column) { return model.indexOfRow(bench.rowNamed(part), column); };
        // Cycles, the baseline's, the difference, the change.
        QCOMPARE(cell(QStringLiteral("dense/MatMul/Conv"), 6).data(SortRole).toLongLong(),
                 cell(QStringLiteral("dense/MatMul/Conv"), 4).data(SortRole).toLongLong()
                     - cell(QStringLiteral("dense/MatMul/Conv"), 5).data(SortRole).toLongLong());
        QVERIFY(cell(QStringLiteral("dense/MatMul/Conv"), 5).data(SortRole).toLongLong() > 0);
        auto const row = bench.rowNamed(QStringLiteral("Tanh"));
        QVERIFY(row >= 0);
        QCOMPARE(model.indexOfRow(row, 7).data().toString(), QStringLiteral("removed"));
        QVERIFY(model.indexOfRow(row).parent().isValid()); // where it stood
        // It selects nothing here, and its details do not speak of rows of this report.
        bench.session.selection().clear();
        bench.table->tree().setCurrentIndex(bench.table->proxy().mapFromSource(model.indexOfRow(row)));
        QCOMPARE(bench.session.selection().current().kind, SelectionKind::None);
        // The merged leaves have the totals of each report's leaves.
        std::int64_t sums[2] = {0, 0};
        for (int i = 0; i < model.rowsInAll(); ++i) {
            if (model.rowCount(model.indexOfRow(i)) > 0) continue;
            sums[0] += model.indexOfRow(i, 4).data(SortRole).toLongLong();
            sums[1] += model.indexOfRow(i, 5).data(SortRole).toLongLong();
        }
        for (int side = 0; side < 2; ++side) {
            auto const &d = (side == 0 ? bench.session.report() : bench.session.baseline())->data();
            auto const frame = report::runFrame(d);
            double all = 0;
            for (auto const &cost : report::costsByProgram(d, frame.run)) all += report::cyclesPerStep(frame, cost.cycles);
            QVERIFY2(std::abs(static_cast<double>(sums[side]) - all) < 200,
                     qPrintable(QStringLiteral("%1 %2").arg(sums[side]).arg(all))); // each cell is rounded
        }
        bench.session.setBaseline(tests::compiledReport(), Session::Pin::Pinned);
        bench.view->refreshNow();
        QCOMPARE(model.rowsInAll(), rows);
        QVERIFY2(bench.view->headline().contains(QLatin1String("the same program steps")), qPrintable(bench.view->headline()));
        bench.session.setBaseline(nullptr);
        bench.view->refreshNow();
        QCOMPARE(model.columnCount(), columns);
    }

    /// A second run of the same executable has nothing to compare, unless the first one was pinned.
    void runsOfOneExecutableAreComparedOnlyWithAPin()
    {
        auto const run = [](char const *config) {
            auto data = tests::compiledReport()->data();
            data.meta["executable_hash"] = "e";
            data.meta["config_hash"] = config;
            data.meta["target"] = "gc200:tiles=8";
            data.meta["execution_mode"] = "fused";
            return ReportSnapshot::ofData(std::move(data), QStringLiteral("run"));
        };
        Bench bench(run("c"));
        int const alone = bench.table->model().columnCount();
        auto const columnsWith = [&](ReportPtr const &baseline, Session::Pin pin) {
            bench.session.setBaseline(baseline, pin);
            bench.view->refreshNow();
            return bench.table->model().columnCount();
        };
        QCOMPARE(columnsWith(run("c"), Session::Pin::Automatic), alone);
        QVERIFY(columnsWith(run("c"), Session::Pin::Pinned) > alone);
        QVERIFY(columnsWith(run("other options"), Session::Pin::Automatic) > alone);
    }

    void editsOfTheProjectKeepExpandedRows()
    {
        Bench bench;
        auto &tree = bench.table->tree();
        tree.collapseAll();
        bench.view->refreshNow();
        QVERIFY(!tree.isExpanded(tree.model()->index(0, 0)));
    }
};

TW_REGISTER_TEST(TstProgramView);
#include "tst_program_view.moc"
