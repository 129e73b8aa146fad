#include "views/common/table_model.h"

#include "views/common/column_fitter.h"
#include "views/common/figure_parts.h"
#include "views/common/kept_rows.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QTreeView>

#include <algorithm>
#include <set>
#include <utility>

namespace tilewright::views {

namespace {

/// Draws a magnitude as a bar behind its number.
class BarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, QStyleOptionViewItem const &option, QModelIndex const &index) const override
    {
        // The ground of a selected row is drawn with the text: the bar, which lets it through, comes after.
        bool const selected = option.state & QStyle::State_Selected;
        if (selected) QStyledItemDelegate::paint(painter, option, index);
        QVariant const bar = index.data(BarRole);
        if (bar.isValid()) {
            double const share = std::clamp(bar.toDouble(), 0.0, 1.0);
            QRect box = option.rect.adjusted(2, 3, -2, -3);
            int const width = static_cast<int>(share * box.width());
            if (option.direction == Qt::RightToLeft) box.setLeft(box.right() - width);
            else box.setWidth(width);
            QColor color = theme()[Token::Compute];
            color.setAlphaF(0.28F);
            painter->fillRect(box, color);
        }
        if (!selected) QStyledItemDelegate::paint(painter, option, index);
    }
    QSize sizeHint(QStyleOptionViewItem const &option, QModelIndex const &index) const override
    {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(std::max(size.height(), kCompactRow));
        return size;
    }
};

/// Cells are made when they are asked for: those that are seen first, and a few of the others, tell how wide a column is.
constexpr int kFirstRows = 40, kSampledRows = 64;
constexpr int kCellRoom = 3 * kGrid, kTitleRoom = 6 * kGrid,
              kMarkRoom = 6 * kGrid; ///< around a text; beside it for the arrow of a title, for a swatch

int sampledRow(int i, int rows)
{
    if (rows <= kSampledRows || i < kFirstRows) return i;
    return kFirstRows + static_cast<int>(static_cast<std::int64_t>(i - kFirstRows) * (rows - kFirstRows) / (kSampledRows - kFirstRows));
}

std::vector<ColumnWish> wishesOf(std::vector<Column> const &columns, int rows, std::vector<int> const &parents, QTreeView const &tree)
{
    auto const metrics = tree.fontMetrics();
    std::vector<ColumnWish> wishes;
    for (auto const &column : columns) {
        ColumnWish wish{.width = 0, .title = 0, .content = 0, .whole = column.number, .optional = column.optional};
        // A column asks for the shorter of its titles; what there is to spare shows the longer one.
        int const title = metrics.horizontalAdvance(column.shortTitle.isEmpty() ? column.title : column.shortTitle);
        wish.title = title + kTitleRoom;
        wish.width = column.width <= 0 ? std::clamp(title + 36, 72, 320) : std::max(column.width, wish.title);
        for (int i = 0; column.text && i < std::min(rows, kSampledRows); ++i) {
            int const row = sampledRow(i, rows);
            int beside = kCellRoom + (column.decoration && column.decoration(row).isValid() ? kMarkRoom : 0);
            if (wishes.empty()) // names are indented
                for (int at = row; !parents.empty() && at >= 0; at = parents[static_cast<std::size_t>(at)]) beside += tree.indentation();
            wish.content = std::max(wish.content, metrics.horizontalAdvance(column.text(row)) + beside);
        }
        wishes.push_back(wish);
    }
    return wishes;
}

QString filterHint() { return QCoreApplication::translate("views", "Filter: words, -not, a,b, column>value, /pattern/"); }

QString exactText(QModelIndex const &index)
{
    QVariant const raw = index.data(SortRole);
    switch (raw.typeId()) {
    case QMetaType::Double: return QLocale::c().toString(raw.toDouble(), 'g', 17);
    case QMetaType::Int:
    case QMetaType::LongLong: return QString::number(raw.toLongLong());
    default: return raw.isValid() ? raw.toString() : index.data(Qt::DisplayRole).toString();
    }
}

} // namespace

TablePane::TablePane(QString const &accessibleName, QWidget *parent) : QWidget(parent)
{
    m_top = new QWidget(this);
    m_filter = new QLineEdit(m_top);
    m_filter->setPlaceholderText(filterHint());
    m_filter->setToolTip(filterHint());
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(QCoreApplication::translate("views", "Filter of %1").arg(accessibleName));
    m_count = new QLabel(m_top);
    m_count->setProperty("role", "secondary");
    keepOutOfFigures(*m_count);
    m_model = new TableModel(this);
    m_proxy = new TableProxy(this);
    m_proxy->setSourceModel(m_model);
    m_tree = new QTreeView(this);
    m_tree->setModel(m_proxy);
    m_tree->setAccessibleName(accessibleName);
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tree->setSortingEnabled(true);
    m_tree->sortByColumn(-1, Qt::AscendingOrder);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setItemDelegate(new BarDelegate(m_tree));
    m_tree->header()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->header()->setSectionsMovable(true);
    m_tree->header()->setStretchLastSection(false);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_fitter = new ColumnFitter(*m_tree);

    auto *top = new QHBoxLayout(m_top);
    top->setContentsMargins(0, 0, 0, 0);
    top->setSpacing(kGap);
    top->addWidget(m_filter, 1);
    top->addWidget(m_count);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(kGrid);
    all->addWidget(m_top);
    all->addWidget(m_tree, 1);

    connect(m_filter, &QLineEdit::textChanged, this, [this](QString const &text) {
        QString const error = m_proxy->setFilter(text);
        m_filter->setToolTip(error.isEmpty() ? filterHint() : error);
        if (error.isEmpty()) updateCount();
        else m_count->setText(error);
        if (!text.isEmpty() && error.isEmpty() && m_proxy->acceptedRows() < 2000) m_tree->expandAll();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_quiet) emit rowsPicked(selectedRows());
    });
    connect(m_tree, &QTreeView::activated, this, [this](QModelIndex const &index) { emit rowActivated(index.data(RowRole).toInt()); });
    connect(m_tree, &QTreeView::customContextMenuRequested, this, &TablePane::showMenu);
    connect(m_tree->header(), &QHeaderView::customContextMenuRequested, this, [this](QPoint const &where) {
        QMenu menu(this);
        for (int i = 0; i < m_model->columnCount(); ++i) {
            auto *action = menu.addAction(m_model->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString());
            action->setCheckable(true);
            action->setChecked(!m_tree->isColumnHidden(i));
            connect(action, &QAction::toggled, this, [this, i](bool on) {
                m_fitter->leave(); // from now on they are a person's
                m_tree->setColumnHidden(i, !on);
            });
        }
        menu.exec(m_tree->header()->mapToGlobal(where));
    });
    auto *copyKeys = new QShortcut(QKeySequence::Copy, m_tree, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copyKeys, &QShortcut::activated, this, [this] { copy(&toTsv); });
}

void TablePane::fill(std::vector<Column> columns, int rows, std::vector<int> parents, std::shared_ptr<void const> keep)
{
    m_quiet = true;
    KeptRows const kept(*m_tree, *m_model, *m_proxy);
    int const before = m_model->columnCount();
    m_tree->setRootIsDecorated(!parents.empty());
    auto wishes = wishesOf(columns, rows, parents, *m_tree);
    m_model->fill(std::move(columns), rows, std::move(parents), std::move(keep));
    if (m_sized && before == m_model->columnCount()) m_fitter->widen(wishes);
    else m_fitter->setWishes(std::move(wishes));
    m_sized = m_model->columnCount() > 0;
    if (!m_filter->text().isEmpty()) (void)m_proxy->setFilter(m_filter->text());
    kept.restore(*m_tree, *m_model, *m_proxy);
    m_quiet = false;
    updateCount();
}

void TablePane::highlight(std::vector<int> const &rows)
{
    m_quiet = true;
    QItemSelection selection;
    QModelIndex first;
    int const last = std::max(0, m_model->columnCount() - 1);
    for (int row : rows) {
        auto const index = m_proxy->mapFromSource(m_model->indexOfRow(row));
        if (!index.isValid()) continue;
        selection.select(index, index.siblingAtColumn(last));
        if (!first.isValid()) first = index;
    }
    m_tree->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (first.isValid()) m_tree->scrollTo(first);
    m_quiet = false;
}

int TablePane::currentRow() const
{
    auto const index = m_tree->currentIndex();
    return index.isValid() ? index.data(RowRole).toInt() : -1;
}

std::vector<int> TablePane::selectedRows() const
{
    std::vector<int> rows;
    for (auto const &index : m_tree->selectionModel()->selectedRows()) rows.push_back(index.data(RowRole).toInt());
    std::sort(rows.begin(), rows.end());
    return rows;
}

void TablePane::sortBy(int column, Qt::SortOrder order) { m_tree->sortByColumn(column, order); }
void TablePane::setFilterText(QString const &text) { m_filter->setText(text); }
void TablePane::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

QWidget *TablePane::lendFilter()
{
    m_filter->setPlaceholderText(QCoreApplication::translate("views", "Filter")); // there is less room; the tip says the rest
    return m_top;
}

void TablePane::takeFilterBack()
{
    m_filter->setPlaceholderText(filterHint());
    static_cast<QVBoxLayout *>(layout())->insertWidget(0, m_top);
    m_top->show();
}

void TablePane::showAllRows()
{
    m_whole = true;
    m_tree->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fitHeight();
}

void TablePane::hideFilter()
{
    m_filter->hide();
    m_count->hide();
}

void TablePane::fitHeight()
{
    if (!m_whole) return;
    int const rows = m_proxy->rowCount();
    int const row = rows > 0 ? m_tree->sizeHintForRow(0) : kRowHeight;
    m_tree->setFixedHeight(m_tree->header()->sizeHint().height() + std::max(1, rows) * row + 2 * m_tree->frameWidth() + kGrid);
}

void TablePane::updateCount()
{
    fitHeight();
    int all = m_model->rowsInAll();
    int const shown = m_proxy->acceptedRows(m_counts);
    if (m_counts) {
        int const rows = std::exchange(all, 0);
        for (int row = 0; row < rows; ++row) all += m_counts(row);
        return m_count->setText(m_countText(shown, all));
    }
    m_count->setText(shown == all ? QCoreApplication::translate("views", "%Ln row(s)", nullptr, all)
                                  : QCoreApplication::translate("views", "%1 of %Ln row(s)", nullptr, all).arg(QLocale().toString(shown)));
}

void TablePane::setCounted(std::function<bool(int)> counts, std::function<QString(int, int)> text)
{
    m_counts = std::move(counts);
    m_countText = std::move(text);
}

ExportTable TablePane::exportTable(QString const &name) const
{
    ExportTable table;
    table.name = name;
    std::vector<int> columns;
    for (int i = 0; i < m_model->columnCount(); ++i)
        if (!m_tree->isColumnHidden(i) || m_fitter->hides(i)) {
            columns.push_back(i);
            table.columns << m_model->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
        }
    std::function<void(QModelIndex const &)> const walk = [&](QModelIndex const &parent) {
        for (int row = 0; row < m_proxy->rowCount(parent); ++row) {
            auto const first = m_proxy->index(row, 0, parent);
            QStringList cells;
            for (int column : columns) cells << exactText(first.siblingAtColumn(column));
            table.rows << cells;
            walk(first);
        }
    };
    walk({});
    return table;
}

void TablePane::copy(QString (*format)(ExportTable const &))
{
    auto table = exportTable(m_tree->accessibleName());
    auto const picked = m_tree->selectionModel()->selectedRows();
    if (picked.size() > 1 || (picked.size() == 1 && format == &toTsv)) {
        table.rows.clear();
        for (auto const &index : picked) {
            QStringList cells;
            for (int i = 0; i < m_model->columnCount(); ++i)
                if (!m_tree->isColumnHidden(i) || m_fitter->hides(i)) cells << exactText(index.siblingAtColumn(i));
            table.rows << cells;
        }
    }
    QApplication::clipboard()->setText(format(table));
}

void TablePane::showMenu(QPoint const &where)
{
    QMenu menu(this);
    menu.addAction(QCoreApplication::translate("views", "Copy"), this, [this] { copy(&toTsv); });
    menu.addAction(QCoreApplication::translate("views", "Copy as CSV"), this,
                   [this] { copy([](ExportTable const &t) { return toCsv({t}); }); });
    menu.addAction(QCoreApplication::translate("views", "Copy as Markdown"), this, [this] { copy(&toMarkdown); });
    menu.addSeparator();
    menu.addAction(QCoreApplication::translate("views", "Expand all"), m_tree, &QTreeView::expandAll);
    menu.addAction(QCoreApplication::translate("views", "Collapse all"), m_tree, &QTreeView::collapseAll);
    menu.exec(m_tree->viewport()->mapToGlobal(where));
}

} // namespace tilewright::views
