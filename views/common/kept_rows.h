#pragma once

#include <QtGlobal>

#include <optional>
#include <unordered_set>

class QTreeView;

namespace tilewright::views {

class TableModel;
class TableProxy;

/// The rows of a table that are current, selected, open or on top, by their keys: across a new filling of the table.
class KeptRows {
public:
    KeptRows(QTreeView const &tree, TableModel const &model, TableProxy const &proxy);
    /// Rows that are not in the table any more, or that its filter hides, are neither current nor selected afterwards.
    void restore(QTreeView &tree, TableModel const &model, TableProxy const &proxy) const;

private:
    std::unordered_set<quint64> m_selected, m_open;
    std::optional<quint64> m_current, m_top;
    int m_currentColumn = 0;
};

} // namespace tilewright::views
