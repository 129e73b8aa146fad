#pragma once

#include <QObject>
#include <QPointer>

class QTabWidget;

namespace tilewright::views {

class TablePane;

/// Puts the filter of the table on show beside the tabs, where there is room for it: a row more of the table in low windows.
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
    QPointer<TablePane> m_lent; ///< whose filter stands there
    bool m_placing = false;
};

} // namespace tilewright::views
