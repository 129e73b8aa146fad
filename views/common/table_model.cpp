#include "views/common/table_model.h"

#include "views/common/theme.h"

#include <cmath>

#include <QHash>

#include <cmath>

namespace tilewright::views {

struct TableModel::Data {
    std::vector<Column> columns;
    std::vector<int> parents;               ///< empty: flat
    std::vector<std::vector<int>> children; ///< by row + 1; 0 is the top
    std::vector<int> place;                 ///< position among its siblings
    int rows = 0;
    std::shared_ptr<void const> keep;
};

TableModel::TableModel(QObject *parent) : QAbstractItemModel(parent), m(std::make_unique<Data>()) {}
TableModel::~TableModel() = default;

void TableModel::fill(std::vector<Column> columns, int rows, std::vector<int> parents, std::shared_ptr<void const> keep)
{
    beginResetModel();
    *m = Data{};
    m->columns = std::move(columns);
    m->rows = rows;
    m->keep = std::move(keep);
    m->parents = std::move(parents);
    if (!m->parents.empty()) {
        m->children.resize(static_cast<std::size_t>(rows) + 1);
        m->place.resize(static_cast<std::size_t>(rows));
        for (int row = 0; row < rows; ++row) {
            auto &siblings = m->children[static_cast<std::size_t>(m->parents[static_cast<std::size_t>(row)] + 1)];
            m->place[static_cast<std::size_t>(row)] = static_cast<int>(siblings.size());
            siblings.push_back(row);
        }
    }
    endResetModel();
}

void TableModel::clear() { fill({}, 0); }
int TableModel::rowsInAll() const { return m->rows; }
bool TableModel::isTree() const { return !m->parents.empty(); }

std::vector<quint64> TableModel::rowKeys() const
{
    std::vector<quint64> keys(static_cast<std::size_t>(m->rows));
    if (m->columns.empty()) return keys;
    auto const &first = m->columns.front();
    auto const own = [&](int row) {
        return first.key ? first.key(row) : first.value ? first.value(row).toString() : first.text ? first.text(row) : QString();
    };
    QHash<quint64, int> equal;
    for (int row = 0; row < m->rows; ++row) {
        int const parent = m->parents.empty() ? -1 : m->parents[static_cast<std::size_t>(row)];
        auto const key = qHash(own(row), parent < 0 ? 0 : keys[static_cast<std::size_t>(parent)]);
        keys[static_cast<std::size_t>(row)] = qHashMulti(0, key, equal[key]++);
    }
    return keys;
}

int TableModel::rowOf(QModelIndex const &index) const { return index.isValid() ? static_cast<int>(index.internalId()) : -1; }

QModelIndex TableModel::indexOfRow(int row, int column) const
{
    if (row < 0 || row >= m->rows || column >= columnCount()) return {};
    int const place = m->parents.empty() ? row : m->place[static_cast<std::size_t>(row)];
    return createIndex(place, column, static_cast<quintptr>(row));
}

QModelIndex TableModel::index(int row, int column, QModelIndex const &parent) const
{
    if (!hasIndex(row, column, parent)) return {};
    if (m->parents.empty()) return createIndex(row, column, static_cast<quintptr>(row));
    int const own = m->children[static_cast<std::size_t>(rowOf(parent) + 1)][static_cast<std::size_t>(row)];
    return createIndex(row, column, static_cast<quintptr>(own));
}

QModelIndex TableModel::parent(QModelIndex const &child) const
{
    if (!child.isValid() || m->parents.empty()) return {};
    return indexOfRow(m->parents[static_cast<std::size_t>(rowOf(child))]);
}

int TableModel::rowCount(QModelIndex const &parent) const
{
    if (parent.column() > 0) return 0;
    if (m->parents.empty()) return parent.isValid() ? 0 : m->rows;
    return static_cast<int>(m->children[static_cast<std::size_t>(rowOf(parent) + 1)].size());
}

int TableModel::columnCount(QModelIndex const &) const { return static_cast<int>(m->columns.size()); }

QVariant TableModel::data(QModelIndex const &index, int role) const
{
    if (!index.isValid() || index.column() >= columnCount()) return {};
    auto const &column = m->columns[static_cast<std::size_t>(index.column())];
    int const row = rowOf(index);
    switch (role) {
    case Qt::DisplayRole: return column.text ? column.text(row) : column.value ? column.value(row).toString() : QString();
    case SortRole: return column.value ? column.value(row) : column.text ? QVariant(column.text(row)) : QVariant();
    case RowRole: return row;
    case BarRole: return column.bar ? QVariant(column.bar(row)) : QVariant();
    case Qt::ToolTipRole: {
        if (column.tip) return column.tip(row);
        QString const shown = column.text ? column.text(row) : QString();
        QString const exact = column.value ? column.value(row).toString() : shown;
        return column.number && exact != shown ? QVariant(exact) : QVariant(shown);
    }
    case Qt::DecorationRole: return column.decoration ? column.decoration(row) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeading)));
    default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    auto const &column = m->columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return column.title;
    if (role == ShortTitleRole) return column.shortTitle;
    if (role == Qt::SizeHintRole && column.width > 0) return QSize(column.width, kRowHeight);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeading)));
    return {};
}

Qt::ItemFlags TableModel::flags(QModelIndex const &index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

TableProxy::TableProxy(QObject *parent) : QSortFilterProxyModel(parent)
{
    setRecursiveFilteringEnabled(true);
    setSortRole(SortRole);
}

QString TableProxy::setFilter(QString const &text)
{
    QStringList names;
    if (sourceModel())
        for (int i = 0; i < sourceModel()->columnCount(); ++i) names << sourceModel()->headerData(i, Qt::Horizontal).toString();
    QString error;
    auto filter = parseFilter(text, names, &error);
    if (!error.isEmpty()) return error;
    m_filter = std::move(filter);
    invalidateFilter();
    return {};
}

void TableProxy::setPredicate(std::function<bool(int)> predicate)
{
    m_predicate = std::move(predicate);
    invalidateFilter();
}

int TableProxy::acceptedRows(std::function<bool(int)> const &counts) const
{
    int count = 0;
    std::vector<QModelIndex> open{QModelIndex()};
    while (!open.empty()) {
        QModelIndex const at = open.back();
        open.pop_back();
        int const rows = rowCount(at);
        if (!counts) count += rows;
        for (int i = 0; i < rows; ++i) {
            auto const child = index(i, 0, at);
            if (counts) count += counts(child.data(RowRole).toInt());
            if (hasChildren(child)) open.push_back(child);
        }
    }
    return count;
}

bool TableProxy::filterAcceptsRow(int row, QModelIndex const &parent) const
{
    auto const first = sourceModel()->index(row, 0, parent);
    if (m_predicate && !m_predicate(first.data(RowRole).toInt())) return false;
    if (!m_filter) return true;
    // "12 KiB" and 12288 both find a cell.
    return m_filter([&](int column) -> FilterCell {
        auto const cell = sourceModel()->index(row, column, parent);
        QString const shown = cell.data(Qt::DisplayRole).toString();
        QVariant const raw = cell.data(SortRole);
        return {raw.isValid() ? raw : QVariant(shown), shown};
    });
}

namespace {

/// A cell's place in the order of a column: empty cells, then numbers, then NaN, then text.
struct SortKey {
    int rank = 0;
    long double number = 0; ///< holds every 64-bit integer and every double exactly

    explicit SortKey(QVariant const &value)
    {
        switch (value.typeId()) {
        case QMetaType::UnknownType: return;
        case QMetaType::Int:
        case QMetaType::LongLong:
        case QMetaType::Bool: number = value.toLongLong(); break;
        case QMetaType::UInt:
        case QMetaType::ULongLong: number = value.toULongLong(); break;
        case QMetaType::Double: number = value.toDouble(); break;
        default: rank = 3; return;
        }
        // NaN compares false with everything, which is no order: sorting by it is undefined.
        rank = std::isnan(number) ? 2 : 1;
    }
};

} // namespace

bool TableProxy::lessThan(QModelIndex const &left, QModelIndex const &right) const
{
    QVariant const a = left.data(SortRole), b = right.data(SortRole);
    SortKey const keyA(a), keyB(b);
    if (keyA.rank != keyB.rank) return keyA.rank < keyB.rank;
    if (keyA.rank == 1) return keyA.number < keyB.number;
    return keyA.rank == 3 && a.toString().localeAwareCompare(b.toString()) < 0;
}

} // namespace tilewright::views
