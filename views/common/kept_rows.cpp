#include "views/common/kept_rows.h"

#include "views/common/table_model.h"

#include <QItemSelectionModel>
#include <QScrollBar>
#include <QTreeView>

#include <algorithm>
#include <vector>

namespace tilewright::views {

namespace {

/// Of the model: its rows in the proxy that have rows below them.
void forEachParent(TableModel const &model, TableProxy const &proxy, auto const &call)
{
    for (int row = 0; model.isTree() && row < model.rowsInAll(); ++row) {
        auto const index = model.indexOfRow(row);
        if (model.rowCount(index) == 0) continue;
        if (auto const shown = proxy.mapFromSource(index); shown.isValid()) call(row, shown);
    }
}

} // namespace

KeptRows::KeptRows(QTreeView const &tree, TableModel const &model, TableProxy const &proxy)
{
    auto const rowOf = [](QModelIndex const &index) { return index.isValid() ? index.data(RowRole).toInt() : -1; };
    int const current = rowOf(tree.currentIndex());
    int const top = tree.verticalScrollBar()->value() > 0 ? rowOf(tree.indexAt(QPoint(1, 1))) : -1;
    std::vector<int> selected, open;
    for (auto const &index : tree.selectionModel()->selectedRows()) selected.push_back(rowOf(index));
    forEachParent(model, proxy, [&](int row, QModelIndex const &index) {
        if (tree.isExpanded(index)) open.push_back(row);
    });
    if (current < 0 && top < 0 && selected.empty() && open.empty()) return;
    auto const keys = model.rowKeys();
    auto const keyOf = [&](int row) { return keys[static_cast<std::size_t>(row)]; };
    if (current >= 0) m_current = keyOf(current);
    if (top >= 0) m_top = keyOf(top);
    m_currentColumn = std::max(0, tree.currentIndex().column());
    for (int const row : selected) m_selected.insert(keyOf(row));
    for (int const row : open) m_open.insert(keyOf(row));
}

void KeptRows::restore(QTreeView &tree, TableModel const &model, TableProxy const &proxy) const
{
    if (!m_current && !m_top && m_selected.empty() && m_open.empty()) return;
    auto const keys = model.rowKeys();
    forEachParent(model, proxy, [&](int row, QModelIndex const &index) {
        if (m_open.contains(keys[static_cast<std::size_t>(row)])) tree.expand(index);
    });
    QItemSelection selection;
    QModelIndex current, top;
    int const last = std::max(0, model.columnCount() - 1);
    for (int row = 0; row < model.rowsInAll(); ++row) {
        auto const key = keys[static_cast<std::size_t>(row)];
        bool const isCurrent = key == m_current, isTop = key == m_top, isSelected = m_selected.contains(key);
        if (!isCurrent && !isTop && !isSelected) continue;
        auto const index = proxy.mapFromSource(model.indexOfRow(row));
        if (!index.isValid()) continue;
        if (isSelected) selection.select(index, index.siblingAtColumn(last));
        if (isCurrent) current = index.siblingAtColumn(std::min(m_currentColumn, last));
        if (isTop) top = index;
    }
    auto *chosen = tree.selectionModel();
    chosen->select(selection, QItemSelectionModel::ClearAndSelect);
    if (current.isValid()) chosen->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    if (top.isValid()) tree.scrollTo(top, QAbstractItemView::PositionAtTop);
}

} // namespace tilewright::views
