#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/table_model.h"
#include "views/operations/operations_view.h"
#include "views/operations/treemap.h"
#include "views/session/selection.h"
#include "views/session/view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
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
    QString totals() const
    {
        for (auto *label : view->findChildren<QLabel *>())
            if (label->text().startsWith(QLatin1String("Shown:")) || label->text().startsWith(QLatin1String("Chosen:"))) return label->text();
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
        for (int row = 0; row < bench.table->model().rowsInAll(); ++row) shown += bench.table->proxy().mapFromSource(bench.table->model().indexOfRow(row)).isValid();
        QVERIFY(shown > 0 && shown < bench.table->model().rowsInAll());
        // One row is what belongs to no operation.
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
