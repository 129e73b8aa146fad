#include "tests/support/test_registry.h"
#include "views/common/column_fitter.h"
#include "views/common/table_model.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QTreeView>
#include <QtTest>

#include <cmath>
#include <limits>

#include <cmath>

using namespace tilewright::views;

namespace {

struct Item {
    char const *name;
    qint64 bytes;
};
constexpr Item kItems[] = {{"dense/kernel", 12288}, {"dense/bias", 512}, {"dense_1/kernel", 131072}, {"loss", 4}};

std::vector<Column> columns()
{
    return {{QStringLiteral("Name"), [](int r) { return QString::fromLatin1(kItems[r].name); }, {}},
            {QStringLiteral("Bytes placed"),
             [](int r) { return QString::number(kItems[r].bytes / 1024.0, 'f', 1) + QStringLiteral(" KiB"); },
             [](int r) { return QVariant(kItems[r].bytes); },
             {},
             [](int r) { return static_cast<double>(kItems[r].bytes) / 131072; },
             true}};
}

/// Columns that would like to have `first` and `others` pixels.
std::vector<Column> numbered(int count, int first, int others)
{
    std::vector<Column> wide;
    for (int i = 0; i < count; ++i) {
        Column column;
        column.title = QString::number(i);
        column.text = [](int row) { return QString::number(row); };
        column.width = i == 0 ? first : others;
        wide.push_back(column);
    }
    return wide;
}

} // namespace

class TstTable : public QObject {
    Q_OBJECT
private slots:
    void theModelKeepsItsContract()
    {
        TableModel flat, tree;
        QAbstractItemModelTester const a(&flat, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester const b(&tree, QAbstractItemModelTester::FailureReportingMode::QtTest);
        flat.fill(columns(), 4);
        tree.fill(columns(), 4, {-1, 0, -1, 2});
        QCOMPARE(tree.rowCount(), 2);
        QCOMPARE(tree.rowCount(tree.indexOfRow(2)), 1);
        QCOMPARE(tree.indexOfRow(3).parent(), tree.indexOfRow(2));
        tree.clear();
        QCOMPARE(tree.rowCount(), 0);
    }
    /// A tab is clicked, and the table behind it hides its empty columns while the button is down: the others take their room.
    void aMouseButtonElsewhereDoesNotStopTheFitting()
    {
        TablePane pane(QStringLiteral("Runs"));
        pane.resize(500, 300);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        auto const fill = [&] {
            std::vector<Column> wide;
            for (int c = 0; c < 4; ++c)
                wide.push_back({.title = QStringLiteral("Column %1").arg(c),
                                .text = [](int) { return QString(60, QLatin1Char('w')); },
                                .value = {},
                                .width = 100});
            pane.fill(std::move(wide), 3);
        };
        auto &tree = pane.tree();
        auto *fitter = tree.findChild<ColumnFitter *>();
        QVERIFY(fitter);
        QTest::mousePress(pane.windowHandle(), Qt::LeftButton, {}, QPoint(3, 3));
        QVERIFY(QApplication::mouseButtons() & Qt::LeftButton);
        fill();
        tree.setColumnHidden(2, true);
        tree.setColumnHidden(3, true);
        fitter->fit();
        QTest::mouseRelease(pane.windowHandle(), Qt::LeftButton, {}, QPoint(3, 3));
        QVERIFY2(tree.header()->length() > tree.width() * 9 / 10, qPrintable(QString::number(tree.header()->length())));
    }
    void theFilterSpeaksOneLanguage_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("rows");
        QTest::newRow("word") << "kernel" << 2;
        QTest::newRow("and") << "kernel dense_1" << 1;
        QTest::newRow("or") << "loss, bias" << 2;
        QTest::newRow("not") << "-kernel" << 2;
        QTest::newRow("pattern") << "/^dense\\/./" << 2;
        QTest::newRow("greater") << "bytes>1k" << 2;
        QTest::newRow("less") << "placed<1KiB" << 2;
        QTest::newRow("equal") << "bytes=512" << 1;
        QTest::newRow("mixed") << "bytes>1k -dense_1, loss" << 2;
        QTest::newRow("amount") << "12 KiB" << 1;
        QTest::newRow("amount as shown") << "128.0 KiB" << 1;
        QTest::newRow("greater amount") << "bytes>12 KiB" << 1;
        QTest::newRow("exact value") << "12288" << 1;
        QTest::newRow("not an amount") << "-\"12 KiB\" kernel" << 1;
        QTest::newRow("empty") << "" << 4;
    }
    void theFilterSpeaksOneLanguage()
    {
        QFETCH(QString, text);
        QFETCH(int, rows);
        TableModel model;
        TableProxy proxy;
        proxy.setSourceModel(&model);
        model.fill(columns(), 4);
        QCOMPARE(proxy.setFilter(text), QString());
        QCOMPARE(proxy.acceptedRows(), rows);
    }
    void badFiltersSayWhy()
    {
        QString error;
        (void)parseFilter(QStringLiteral("/[/"), {QStringLiteral("Name")}, &error);
        QVERIFY(!error.isEmpty());
        (void)parseFilter(QStringLiteral("nothing>3"), {QStringLiteral("Name")}, &error);
        QVERIFY(error.contains(QLatin1String("nothing")));
        (void)parseFilter(QStringLiteral("name>abc"), {QStringLiteral("Name")}, &error);
        QVERIFY(!error.isEmpty());
    }
    void sortingUsesRawValues()
    {
        TableModel model;
        TableProxy proxy;
        proxy.setSourceModel(&model);
        model.fill(columns(), 4);
        proxy.sort(1, Qt::DescendingOrder);
        QCOMPARE(proxy.index(0, 0).data().toString(), QStringLiteral("dense_1/kernel"));
        QCOMPARE(proxy.index(3, 0).data().toString(), QStringLiteral("loss"));
    }
    /// New rows stand above the others: what was chosen is still chosen.
    void rowsKeepTheirChoiceByKey()
    {
        auto const fill = [](TablePane &pane, QStringList const &names) {
            pane.fill({{QStringLiteral("Name"), [names](int r) { return names[r]; }, {}}}, static_cast<int>(names.size()));
        };
        TablePane pane(QStringLiteral("Runs"));
        pane.resize(400, 300);
        QSignalSpy picked(&pane, &TablePane::rowsPicked);
        fill(pane, {QStringLiteral("run 3"), QStringLiteral("run 2"), QStringLiteral("run 1")});
        pane.show();
        pane.highlight({0, 2});
        pane.tree().selectionModel()->setCurrentIndex(pane.proxy().mapFromSource(pane.model().indexOfRow(0)),
                                                      QItemSelectionModel::NoUpdate);
        fill(pane, {QStringLiteral("run 4"), QStringLiteral("run 3"), QStringLiteral("run 2"), QStringLiteral("run 1")});
        QCOMPARE(pane.currentRow(), 1);
        QCOMPARE(pane.selectedRows(), (std::vector<int>{1, 3}));
        // A row that has gone is chosen no more, and no other in its place.
        fill(pane, {QStringLiteral("run 4"), QStringLiteral("run 2"), QStringLiteral("run 1")});
        QCOMPARE(pane.currentRow(), -1);
        QCOMPARE(pane.selectedRows(), std::vector<int>{2});
        // Of equal names the second stays the second.
        fill(pane, {QStringLiteral("a"), QStringLiteral("a"), QStringLiteral("b")});
        pane.highlight({1});
        fill(pane, {QStringLiteral("0"), QStringLiteral("a"), QStringLiteral("a"), QStringLiteral("b")});
        QCOMPARE(pane.selectedRows(), std::vector<int>{2});
        QCOMPARE(picked.count(), 0);
    }
    void treesStayOpenWhereTheyWere()
    {
        auto const fill = [](TablePane &pane, QStringList const &names, std::vector<int> const &parents) {
            pane.fill({{QStringLiteral("Name"), [names](int r) { return names[r]; }, {}}}, static_cast<int>(names.size()), parents);
        };
        TablePane pane(QStringLiteral("Steps"));
        fill(pane, {QStringLiteral("forward"), QStringLiteral("dense"), QStringLiteral("backward"), QStringLiteral("dense")},
             {-1, 0, -1, 2});
        pane.show();
        pane.tree().expand(pane.proxy().mapFromSource(pane.model().indexOfRow(2)));
        pane.highlight({3});
        fill(pane,
             {QStringLiteral("load"), QStringLiteral("forward"), QStringLiteral("dense"), QStringLiteral("backward"),
              QStringLiteral("dense")},
             {-1, -1, 1, -1, 3});
        QVERIFY(pane.tree().isExpanded(pane.proxy().mapFromSource(pane.model().indexOfRow(3))));
        QVERIFY(!pane.tree().isExpanded(pane.proxy().mapFromSource(pane.model().indexOfRow(1))));
        QCOMPARE(pane.selectedRows(), std::vector<int>{4}); // the dense of backward
    }
    void copyingGivesExactValues()
    {
        TablePane pane(QStringLiteral("Variables"));
        pane.resize(500, 300);
        pane.fill(columns(), 4);
        pane.show();
        pane.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&pane));
        pane.highlight({0});
        pane.tree().setFocus();
        QTest::keyClick(&pane.tree(), Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::clipboard()->text(), QStringLiteral("Name\tBytes placed\ndense/kernel\t12288\n"));
    }
    void pickingTellsAndHighlightingDoesNot()
    {
        TablePane pane(QStringLiteral("Variables"));
        pane.resize(500, 300);
        pane.fill(columns(), 4);
        pane.show();
        QSignalSpy spy(&pane, &TablePane::rowsPicked);
        pane.highlight({2});
        QCOMPARE(spy.count(), 0);
        QCOMPARE(pane.selectedRows(), std::vector<int>{2});
        auto const rect = pane.tree().visualRect(pane.proxy().mapFromSource(pane.model().indexOfRow(1)));
        QTest::mouseClick(pane.tree().viewport(), Qt::LeftButton, {}, rect.center());
        QVERIFY(spy.count() >= 1);
        QCOMPARE(pane.selectedRows(), std::vector<int>{1});
    }
    void namesGiveWayLastAndRoomToSpareIsUsed()
    {
        TablePane pane(QStringLiteral("Steps"));
        auto const wide = numbered(11, 300, 110);
        pane.fill(wide, 3);
        pane.resize(1060, 300);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        auto &tree = pane.tree();
        QTRY_VERIFY2(tree.columnWidth(0) >= 210, qPrintable(QString::number(tree.columnWidth(0))));
        auto const all = [&] {
            int sum = 0;
            for (int i = 0; i < 11; ++i) sum += tree.columnWidth(i);
            return sum;
        };
        QVERIFY(all() <= tree.viewport()->width());
        for (int i = 1; i < 11; ++i) QVERIFY(tree.columnWidth(i) >= 70);
        pane.resize(1800, 300);
        QTRY_VERIFY(tree.columnWidth(10) > 120 && all() > tree.viewport()->width() * 9 / 10);
        QVERIFY(all() <= tree.viewport()->width());
    }
    void whatIsEmptyGivesWayBeforeWordsAreCut()
    {
        TablePane pane(QStringLiteral("Runs"));
        char const *const cells[] = {"Run 1", "on show", "Handwritten digits with dense layers", "worse", "211 KiB of 624 KiB"};
        int const wishes[] = {144, 80, 320, 88, 152};
        std::vector<Column> columns;
        for (int i = 0; i < 5; ++i)
            columns.push_back({.title = QString(QLatin1Char('A' + i)),
                               .text = [&cells, i](int) { return QString::fromLatin1(cells[i]); },
                               .value = {},
                               .number = i == 4,
                               .width = wishes[i]});
        columns[4].title = QStringLiteral("Worst tile (modelled)");
        columns[4].shortTitle = QStringLiteral("Worst");
        pane.fill(columns, 3);
        auto const needed = [&](int i) { return pane.tree().fontMetrics().horizontalAdvance(QString::fromLatin1(cells[i])) + 8; };
        int sum = 0;
        for (int i = 0; i < 5; ++i) sum += needed(i);
        pane.resize(sum + 100, 200); // far less than they wish
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        auto &tree = pane.tree();
        for (int i = 0; i < 5; ++i)
            QVERIFY2(tree.columnWidth(i) >= needed(i),
                     qPrintable(QStringLiteral("column %1: %2 of %3").arg(i).arg(tree.columnWidth(i)).arg(needed(i))));
        pane.resize(sum, 200); // now what is longest of the words is cut, numbers and short words are not
        for (int const i : {3, 4}) QTRY_VERIFY2(tree.columnWidth(i) >= needed(i), qPrintable(QString::number(tree.columnWidth(i))));
        QVERIFY(tree.header()->length() <= tree.viewport()->width());
    }
    /// Just wide enough for its columns at their least without a bar at the right, and high enough for its rows without one
    /// below, a table showed one bar, hid the other, and so on for ever: the window hung. The test program ends itself when
    /// bars do not come to rest.
    void scrollBarsComeToRest()
    {
        TablePane pane(QStringLiteral("Table"));
        auto const wide = numbered(8, 300, 300);
        pane.fill(wide, 2);
        pane.resize(3000, 300);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        auto &tree = pane.tree();
        int const beside = pane.width() - tree.viewport()->width(), above = pane.height() - tree.viewport()->height();
        int const rows = tree.visualRect(tree.model()->index(1, 0)).bottom() + 1;
        auto const settle = [&](int width, int height) {
            pane.resize(width + beside, height + above);
            for (int i = 0; i < 4; ++i) QCoreApplication::processEvents();
        };
        int bars = 0, none = 0;
        for (int width = 380; width < 740; width += 4) {
            settle(width - 60, rows + 60); // a bar below only
            settle(width, rows + 4);
            bool const below = tree.horizontalScrollBar()->isVisible();
            (below ? bars : none) += 1;
            QVERIFY2(below || tree.header()->length() <= tree.viewport()->width(), "a table that is cut has a bar");
        }
        QVERIFY2(bars > 0 && none > 0, qPrintable(QStringLiteral("%1 with a bar, %2 without").arg(bars).arg(none)));
    }
    void whatIsOptionalIsThereWhereItHasRoom()
    {
        TablePane pane(QStringLiteral("Costs"));
        std::vector<Column> columns;
        for (int i = 0; i < 8; ++i) {
            columns.push_back({.title = QStringLiteral("Figure %1").arg(i),
                               .text = [](int row) { return QString::number(row); },
                               .value = {},
                               .width = 120});
            columns.back().optional = i >= 2;
        }
        pane.fill(columns, 30);
        pane.resize(420, 300);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        auto &tree = pane.tree();
        auto const shown = [&] {
            int count = 0;
            for (int i = 0; i < 8; ++i) count += !tree.isColumnHidden(i);
            return count;
        };
        QCOMPARE(shown(), 3);
        QCOMPARE(tree.horizontalScrollBar()->maximum(), 0);
        QCOMPARE(pane.exportTable(QString()).columns.size(), 8); // what is copied is whole
        pane.resize(1100, 300);
        QTRY_COMPARE(shown(), 8);
        pane.resize(420, 300);
        QTRY_COMPARE(shown(), 3);
        // A view that is shown by a press on its tab: the widths are nobody's choice.
        auto *filter = pane.findChild<QLineEdit *>();
        QTest::mousePress(filter, Qt::LeftButton);
        pane.resize(1100, 300);
        QTRY_COMPARE(shown(), 8);
        pane.resize(420, 300);
        QTRY_COMPARE(shown(), 3);
        QTest::mouseRelease(filter, Qt::LeftButton);
    }

    void aTableInAPageShowsAllItsRows()
    {
        TablePane pane(QStringLiteral("Options"));
        pane.showAllRows();
        std::vector<Column> columns;
        columns.push_back({.title = QStringLiteral("Option"),
                           .text = [](int row) { return QStringLiteral("option %1").arg(row); },
                           .value = {},
                           .width = 120});
        pane.fill(columns, 40);
        pane.resize(pane.sizeHint());
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        QCOMPARE(pane.tree().verticalScrollBar()->maximum(), 0);
        auto const last = pane.tree().visualRect(pane.tree().model()->index(39, 0));
        QVERIFY(pane.tree().viewport()->rect().contains(last));
        pane.setFilterText(QStringLiteral("option 3"));
        QVERIFY(pane.tree().height() < 15 * 30); // and no more than that
    }

    void sortingIsAnOrder()
    {
        // NaN, whole numbers beyond 2^53, reals, text and nothing in one column.
        double const nan = std::numeric_limits<double>::quiet_NaN();
        QVariantList const values{3.0,
                                  nan,
                                  QVariant(),
                                  qint64(9007199254740993),
                                  9007199254740992.0,
                                  QStringLiteral("b"),
                                  nan,
                                  -1,
                                  true,
                                  std::numeric_limits<double>::infinity(),
                                  qulonglong(18446744073709551615u),
                                  QStringLiteral("10"),
                                  -std::numeric_limits<double>::infinity(),
                                  qint64(9007199254740992),
                                  QStringLiteral("a"),
                                  0.5};
        TableModel model;
        model.fill({{QStringLiteral("v"), [](int) { return QString(); }, [&](int row) { return values[row]; }}},
                   static_cast<int>(values.size()));
        struct Open : TableProxy {
            using TableProxy::lessThan;
        } proxy;
        proxy.setSourceModel(&model);
        auto const less = [&](int a, int b) { return proxy.lessThan(model.index(a, 0), model.index(b, 0)); };
        int const n = static_cast<int>(values.size());
        for (int a = 0; a < n; ++a) {
            QVERIFY(!less(a, a));
            for (int b = 0; b < n; ++b) {
                QVERIFY(!(less(a, b) && less(b, a)));
                for (int c = 0; c < n; ++c) {
                    if (less(a, b) && less(b, c)) QVERIFY2(less(a, c), qPrintable(QStringLiteral("%1 %2 %3").arg(a).arg(b).arg(c)));
                    if (!less(a, b) && !less(b, a) && !less(b, c) && !less(c, b))
                        QVERIFY2(!less(a, c) && !less(c, a), qPrintable(QStringLiteral("%1 ~ %2 ~ %3").arg(a).arg(b).arg(c)));
                }
            }
        }
        proxy.sort(0);
        QVERIFY(!proxy.index(0, 0).data(SortRole).isValid());
        QCOMPARE(proxy.index(1, 0).data(SortRole).toDouble(), -std::numeric_limits<double>::infinity());
        QCOMPARE(proxy.index(n - 1, 0).data(SortRole).toString(), QStringLiteral("b"));
        QVERIFY(std::isnan(proxy.index(n - 4, 0).data(SortRole).toDouble()));
    }

    void typingFiltersAndCounts()
    {
        TablePane pane(QStringLiteral("Variables"));
        pane.fill(columns(), 4);
        pane.setFilterText(QStringLiteral("kernel"));
        QCOMPARE(pane.exportTable(QStringLiteral("x")).rows.size(), 2);
    }
};

TW_REGISTER_TEST(TstTable);
#include "tst_table.moc"
