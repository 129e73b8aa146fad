#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/operations/operations_view.h"
#include "views/operations/treemap.h"
#include "views/session/selection.h"
#include "views/session/view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>
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
    Treemap *map = nullptr;
    Bench()
    {
        view.reset(operationsView().create(session, nullptr));
        view->resize(1100, 700);
        view->show();
        session.showReport(tests::compiledReport());
        view->refreshNow();
        QCoreApplication::processEvents();
        table = view->findChild<TablePane *>();
        map = view->findChild<Treemap *>();
    }
    QComboBox *choice(QString const &name) const
    {
        for (auto *box : view->findChildren<QComboBox *>())
            if (box->accessibleName() == name) return box;
        return nullptr;
    }
    QToolButton *button(QString const &name) const
    {
        for (auto *button : view->findChildren<QToolButton *>())
            if (button->accessibleName() == name) return button;
        return nullptr;
    }
    QString totals() const
    {
        for (auto *label : view->findChildren<QLabel *>())
            if (label->text().startsWith(QLatin1String("Shown:")) || label->text().startsWith(QLatin1String("Chosen:")))
                return label->text();
        return {};
    }
};

} // namespace

class TstOperationsView : public QObject {
    Q_OBJECT
private slots:
    void theModelIsSoundFlatAndGrouped()
    {
        Bench bench;
        QAbstractItemModelTester const tester(&bench.table->model());
        QVERIFY(bench.view->headline().contains(QLatin1String("of a step")));
        // The table counts operations as the footer and Summary do: not the row of the rest.
        auto const count = report::operationCount(bench.session.report()->data());
        bool counted = false;
        for (auto const *label : bench.view->findChildren<QLabel *>())
            counted = counted || label->text() == QStringLiteral("%1 operation(s)").arg(count)
                || label->text() == QStringLiteral("%1 operations").arg(count);
        QVERIFY(counted);
        auto *group = bench.choice(QStringLiteral("Grouping"));
        for (int i = 0; i < group->count(); ++i) {
            group->setCurrentIndex(i);
            Q_EMIT group->activated(i);
            QVERIFY(bench.table->model().rowsInAll() > 0);
        }
    }

    void levelsSwitchAndKeepTheTotal()
    {
        Bench bench;
        auto *level = bench.choice(QStringLiteral("Level"));
        QStringList totals;
        for (int i = 0; i < level->count(); ++i) {
            level->setCurrentIndex(i);
            Q_EMIT level->activated(i);
            totals << bench.totals().section(QStringLiteral(" · "), 1, 1);
        }
        QVERIFY(totals.first().contains(QLatin1String("cycles")));
        QCOMPARE(totals.count(totals.first()), totals.size());
    }

    void theLargestStandsFirstAndTheMapAgrees()
    {
        Bench bench;
        auto const first = bench.table->proxy().index(0, 0);
        QVERIFY(bench.view->headline().startsWith(first.data().toString()));
        int const row = first.data(RowRole).toInt();
        auto const rect = bench.map->rectOf(row);
        QVERIFY(rect.width() * rect.height() > 0);
        QTest::mouseClick(bench.map, Qt::LeftButton, {}, rect.center().toPoint());
        QCOMPARE(bench.session.selection().current().kind, SelectionKind::Op);
        QCOMPARE(bench.table->selectedRows(), std::vector<int>{row});
    }

    void filterChangesTotalsAndMap()
    {
        Bench bench;
        auto const before = bench.totals();
        bench.table->setFilterText(QStringLiteral("matmul"));
        QTRY_VERIFY(bench.totals() != before);
        int shown = 0;
        for (int row = 0; row < bench.table->model().rowsInAll(); ++row)
            shown += bench.table->proxy().mapFromSource(bench.table->model().indexOfRow(row)).isValid();
        QVERIFY(shown > 0 && shown < bench.table->model().rowsInAll());
        // One row has the costs outside all operations.
        auto const text = QStringLiteral("%1 of %2 ").arg(shown).arg(bench.table->model().rowsInAll() - 1);
        QVERIFY2(bench.totals().contains(text), qPrintable(bench.totals() + QStringLiteral(" without ") + text));
    }

    void aLayerMarksItsOperationsAtEachLevel()
    {
        Bench bench;
        bench.session.selection().selectLayer(QStringLiteral("dense"));
        QTRY_VERIFY(bench.table->selectedRows().size() > 3);
        auto *level = bench.choice(QStringLiteral("Level"));
        level->setCurrentIndex(0);
        Q_EMIT level->activated(0);
        QCOMPARE(bench.table->selectedRows().size(), std::size_t{1});
        QCOMPARE(bench.table->model().indexOfRow(bench.table->selectedRows().front()).data().toString(), QStringLiteral("dense"));
    }

    void anotherReportIsShownBeside()
    {
        Bench bench;
        int const columns = bench.table->model().columnCount(), rows = bench.table->model().rowsInAll();
        QVERIFY(!bench.button(QStringLiteral("Compare"))->isVisibleTo(bench.view.get()));
        bench.session.setBaseline(
            tests::compiledReport("gc200:tiles=16", tests::smallModel({{"model.layers.dense_1.activation", "tanh"}})));
        bench.view->refreshNow();
        QVERIFY(bench.button(QStringLiteral("Compare"))->isVisibleTo(bench.view.get()));
        auto const &model = bench.table->model();
        QAbstractItemModelTester const tester(&bench.table->model());
        QVERIFY(model.columnCount() > columns);
        QVERIFY(model.rowsInAll() > rows); // rows of only the other report
        QVERIFY2(bench.view->headline().contains(QLatin1String("per step: ")), qPrintable(bench.view->headline()));
        QVERIFY2(bench.view->headline().contains(QLatin1String("removed")), qPrintable(bench.view->headline()));
        auto const cell = [&](QString const &name, int column) {
            for (int row = 0; row < model.rowsInAll(); ++row)
                if (model.indexOfRow(row).data().toString() == name) return model.indexOfRow(row, column);
            return QModelIndex();
        };
        // Cycles, the baseline's, the difference, the change.
        auto const product = [&](int column) { return cell(QStringLiteral("dense/MatMul"), column).data(SortRole); };
        QCOMPARE(product(3).toLongLong(), product(1).toLongLong() - product(2).toLongLong());
        QVERIFY(product(2).toLongLong() > 0);
        QVERIFY(cell(QStringLiteral("dense/MatMul"), 4).data().toString().contains(QLatin1Char('%')));
        QCOMPARE(cell(QStringLiteral("dense_1/Relu"), 4).data().toString(), QStringLiteral("added"));
        QCOMPARE(cell(QStringLiteral("dense_1/Relu"), 2).data().toString(), QString());
        QCOMPARE(cell(QStringLiteral("dense_1/Tanh"), 4).data().toString(), QStringLiteral("removed"));
        QCOMPARE(cell(QStringLiteral("dense_1/Tanh"), 1).data().toString(), QString());
        // Fewer tiles take longer: more cycles are worse, whatever their sign.
        QVERIFY(product(3).toLongLong() > 0);
        QCOMPARE(cell(QStringLiteral("dense/MatMul"), 3).data(Qt::DecorationRole).value<QColor>(), theme()[Token::Bad]);
        QCOMPARE(cell(QStringLiteral("dense_1/Tanh"), 3).data(Qt::DecorationRole).value<QColor>(), theme()[Token::Good]);
        // The areas beside it name their report.
        bool said = false;
        for (auto *label : bench.view->findChildren<QLabel *>())
            said = said || (label->isVisibleTo(bench.view.get()) && label->text().contains(QLatin1String("of the report on show")));
        QVERIFY(said);
        // A row that is only there selects nothing here.
        bench.session.selection().clear();
        auto const gone = bench.table->proxy().mapFromSource(cell(QStringLiteral("dense_1/Tanh"), 0));
        bench.table->tree().setCurrentIndex(gone);
        QCOMPARE(bench.session.selection().current().kind, SelectionKind::None);
        for (int level = 0; level < 4; ++level) {
            auto *box = bench.choice(QStringLiteral("Level"));
            box->setCurrentIndex(level);
            Q_EMIT box->activated(level);
            QVERIFY(bench.table->model().columnCount() > columns);
        }
        bench.button(QStringLiteral("Compare"))->click();
        QCOMPARE(bench.table->model().columnCount(), columns);
        QVERIFY(!bench.view->headline().contains(QLatin1String("per step: ")));
        // The same report differs nowhere.
        bench.button(QStringLiteral("Compare"))->click();
        bench.session.setBaseline(tests::compiledReport(), Session::Pin::Pinned);
        bench.view->refreshNow();
        QVERIFY2(bench.view->headline().contains(QLatin1String("the same as")), qPrintable(bench.view->headline()));
        for (int row = 0; row < model.rowsInAll(); ++row) QCOMPARE(model.indexOfRow(row, 3).data(SortRole).toLongLong(), 0);
        // On show itself is nothing to compare with.
        bench.session.setBaseline(bench.session.report());
        bench.view->refreshNow();
        QCOMPARE(bench.table->model().columnCount(), columns);
    }

    void stateIsRemembered()
    {
        Bench bench;
        auto *level = bench.choice(QStringLiteral("Level"));
        level->setCurrentIndex(2);
        Q_EMIT level->activated(2);
        auto const state = bench.view->saveState();
        Bench other;
        other.view->restoreState(state);
        QCOMPARE(other.choice(QStringLiteral("Level"))->currentIndex(), 2);
        QCOMPARE(other.table->model().rowsInAll(), bench.table->model().rowsInAll());
    }
};

TW_REGISTER_TEST(TstOperationsView);
#include "tst_operations_view.moc"
