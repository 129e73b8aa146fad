#include "views/common/tab_filters.h"

#include "views/common/table_model.h"
#include "views/common/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {
constexpr int kLeastRoom = 52 * kGrid, kMostRoom = 110 * kGrid; ///< of a filter with its number of rows
}

/// Sets the width as the size hint, which is all that a tab widget uses.
class FilterCorner : public QWidget {
public:
    using QWidget::QWidget;
    void setRoom(int width)
    {
        m_width = width;
        updateGeometry();
    }
    QSize sizeHint() const override { return {m_width, QWidget::sizeHint().height()}; }
    QSize minimumSizeHint() const override { return {0, QWidget::minimumSizeHint().height()}; }

private:
    int m_width = 0;
};

TabFilters::TabFilters(QTabWidget &tabs) : QObject(&tabs), m_tabs(tabs), m_corner(new FilterCorner(&tabs))
{
    auto *row = new QHBoxLayout(m_corner);
    row->setContentsMargins(0, 0, 0, 0);
    m_corner->hide();
    tabs.installEventFilter(this);
    connect(&tabs, &QTabWidget::currentChanged, this, &TabFilters::place);
}

bool TabFilters::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::FontChange:
    case QEvent::LayoutRequest: place(); break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

void TabFilters::place()
{
    if (std::exchange(m_placing, true)) return;
    auto *page = m_tabs.currentWidget();
    auto *pane = qobject_cast<TablePane *>(page);
    if (page && !pane) pane = page->findChild<TablePane *>();
    int const room = m_tabs.width() - m_tabs.tabBar()->sizeHint().width() - 2 * kGap;
    if (pane && (room < kLeastRoom || !pane->isVisibleTo(page))) pane = nullptr;
    if (m_lent != pane) {
        if (m_lent) m_lent->takeFilterBack();
        m_lent = pane;
        if (pane) m_corner->layout()->addWidget(pane->lendFilter());
        m_tabs.setCornerWidget(pane ? m_corner : nullptr, Qt::TopRightCorner);
        m_corner->setVisible(pane);
    }
    if (pane && m_corner->sizeHint().width() != std::min(room, kMostRoom)) {
        m_corner->setRoom(std::min(room, kMostRoom));
        m_tabs.setCornerWidget(m_corner, Qt::TopRightCorner); // updates the layout of the row
        m_corner->show();
    }
    m_placing = false;
}

} // namespace tilewright::views
