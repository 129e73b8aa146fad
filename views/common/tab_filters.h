#pragma once

#include <QObject>
#include <QPointer>

class QTabWidget;

namespace tilewright::views {

class TablePane;

/// Moves the filter of the current table beside the tabs if there is space: one more row of the table in low windows.
class TabFilters : public QObject {
    Q_OBJECT
public:
    explicit TabFilters(QTabWidget &tabs);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    QTabWidget &m_tabs;
    class FilterCorner *m_corner;
    QPointer<TablePane> m_lent; ///< owner of the moved filter
    bool m_placing = false;
};

} // namespace tilewright::views
