#pragma once

#include "views/common/export.h"

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>
#include <QVariant>
#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QTreeView;

// Tables and trees of views. A model is filled completely from a snapshot with functions of its rows, and afterwards only reset. Views
// declare the content of columns only.
class QLabel;
class QLineEdit;

namespace tilewright::views {

/// One column. Its functions are called lazily with a row number of the snapshot.
struct Column {
    QString title;                                    ///< full words, translated
    std::function<QString(int row)> text;             ///< text of the cell
    std::function<QVariant(int row)> value;           ///< exact raw value for sorting, copying, filtering; empty: the text
    std::function<QString(int row)> tip = {};         ///< empty: the exact value if it differs from the text
    std::function<double(int row)> bar = {};          ///< share 0 … 1 drawn as a bar behind the number
    bool number = false;                              ///< right-aligned
    std::function<QVariant(int row)> decoration = {}; ///< a QColor or QIcon
    int width = 0;                                    ///< first width in pixels; 0: by content
    bool optional = false;                            ///< shown only at its full width; the header's menu shows it too
    QString shortTitle = {};                          ///< used if the title does not fit; empty: the title is cut
    /// Of the first column: names a row among its siblings, in this filling and in the next ones. Empty: the value does.
    std::function<QString(int row)> key = {};
};

enum TableRole {
    SortRole = Qt::UserRole + 1, ///< raw value
    RowRole,                     ///< number of the row in the snapshot (int)
    BarRole,                     ///< double, or invalid
    ShortTitleRole               ///< of a column's header
};

/// Rows as a flat list or a tree (`parent` of each row, -1 at the top; parents precede their children).
class TableModel : public QAbstractItemModel {
    Q_OBJECT
public:
    explicit TableModel(QObject *parent = nullptr);
    ~TableModel() override;
    /// Replaces everything. Empty `parents`: a flat table. `keep` holds the objects that the functions refer to.
    void fill(std::vector<Column> columns, int rows, std::vector<int> parents = {}, std::shared_ptr<void const> keep = {});
    void clear();

    int rowsInAll() const;
    QModelIndex indexOfRow(int row, int column = 0) const; ///< invalid for an unknown row
    int rowOf(QModelIndex const &index) const;             ///< -1 for an invalid index
    bool isTree() const;
    /// By row, what is the same of the same row in another filling: of its key, of its parent's, and of how many siblings before
    /// it have that key.
    std::vector<quint64> rowKeys() const;

    QModelIndex index(int row, int column, QModelIndex const &parent = {}) const override;
    QModelIndex parent(QModelIndex const &child) const override;
    int rowCount(QModelIndex const &parent = {}) const override;
    int columnCount(QModelIndex const &parent = {}) const override;
    QVariant data(QModelIndex const &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(QModelIndex const &index) const override;

private:
    struct Data;
    std::unique_ptr<Data> m;
};

/// A cell as the filter reads it: words match what is shown or the exact value, comparisons take the exact value.
struct FilterCell {
    QVariant value;
    QString shown;
    FilterCell(QVariant exact, QString text) : value(std::move(exact)), shown(std::move(text)) {}
    FilterCell(QVariant exact) : value(std::move(exact)), shown(value.toString()) {}
};
/// The filter language of all tables: space = and, comma = or, leading minus = not, /regex/, "column>value" (also < = ). An empty function
/// accepts everything. `error` describes a syntax error.
using RowFilter = std::function<bool(std::function<FilterCell(int column)> const &cell)>;
RowFilter parseFilter(QString const &text, QStringList const &columns, QString *error);

/// Sorts by raw values and filters by text; ancestors of a match stay visible.
class TableProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit TableProxy(QObject *parent = nullptr);
    /// Returns a syntax error, or "".
    QString setFilter(QString const &text);
    /// Additional condition on rows; empty: none.
    void setPredicate(std::function<bool(int row)> predicate);
    /// Shown rows, leaves and parents, for which `counts` is true; without it all of them.
    int acceptedRows(std::function<bool(int row)> const &counts = {}) const;

protected:
    bool filterAcceptsRow(int row, QModelIndex const &parent) const override;
    bool lessThan(QModelIndex const &left, QModelIndex const &right) const override;

private:
    RowFilter m_filter;
    std::function<bool(int)> m_predicate;
};

/// A filter line, the tree view with sorting, bars, copying (Ctrl+C as TSV; menu: CSV, Markdown), a column menu and a line "n of m rows".
/// All tables of the workbench use it.
class TablePane : public QWidget {
    Q_OBJECT
public:
    explicit TablePane(QString const &accessibleName, QWidget *parent = nullptr);
    TableModel &model() { return *m_model; }
    TableProxy &proxy() { return *m_proxy; }
    QTreeView &tree() { return *m_tree; }
    /// Fills the model. The sort order and the columns stay, and so do the current row, the selected and the open ones, by their
    /// keys: a row that has another number is still the same row.
    void fill(std::vector<Column> columns, int rows, std::vector<int> parents = {}, std::shared_ptr<void const> keep = {});
    /// Selects and scrolls to rows without emitting rowsPicked.
    void highlight(std::vector<int> const &rows);
    int currentRow() const; ///< -1: none
    std::vector<int> selectedRows() const;
    void sortBy(int column, Qt::SortOrder order);
    void setFilterText(QString const &text);
    void focusFilter();
    /// Lends the filter and the row count to another place (TabFilters), and takes them back.
    QWidget *lendFilter();
    void takeFilterBack();
    ExportTable exportTable(QString const &name) const; ///< the visible rows, in their order
    /// What the line "n of m rows" counts instead of rows: the rows for which `counts` is true, in the words of `text` ("%1 operations").
    /// Called before fill().
    void setCounted(std::function<bool(int row)> counts, std::function<QString(int shown, int all)> text);
    /// Makes the table as high as its rows, for a page that scrolls.
    void showAllRows();
    /// Hides the filter line, for a short list of the largest items.
    void hideFilter();
signals:
    void rowsPicked(std::vector<int> const &rows); ///< the user selected rows
    void rowActivated(int row);                    ///< Enter or double click
private:
    void updateCount();
    void fitHeight();
    void showMenu(QPoint const &where);
    void copy(QString (*format)(ExportTable const &));
    QWidget *m_top = nullptr;
    QLineEdit *m_filter = nullptr;
    QLabel *m_count = nullptr;
    TableModel *m_model = nullptr;
    TableProxy *m_proxy = nullptr;
    QTreeView *m_tree = nullptr;
    bool m_quiet = false;
    class ColumnFitter *m_fitter = nullptr;
    bool m_sized = false, m_whole = false;
    std::function<bool(int)> m_counts;
    std::function<QString(int, int)> m_countText;
};

} // namespace tilewright::views
